/* test_surface.c - surfaces of triangles and hulls: edges, patches, nearest points against all
 * triangles one by one, and surfaces that are refused. */
#include "elements/contact/core_distance.h"
#include "unit/kit.h"
#include <math.h>

/* An L of thickness one: its only hollow edge is at (1, 1). */
static const trmi_vec3 corners_of_L[] = {
  {0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0},
  {0, 0, 1}, {2, 0, 1}, {2, 1, 1}, {1, 1, 1}, {1, 2, 1}, {0, 2, 1}};
static const int triangles_of_L[] = {
  0, 3, 1, 1, 3, 2, 0, 5, 3, 3, 5, 4, 6, 7, 9, 7, 8, 9, 6, 9, 11, 9, 10, 11,
  0, 1, 6, 1, 7, 6, 1, 2, 7, 2, 8, 7, 2, 3, 8, 3, 9, 8, 3, 4, 9, 4, 10, 9,
  4, 5, 10, 5, 11, 10, 5, 0, 11, 0, 6, 11};
static const trmi_mesh mesh_of_L = {.points = corners_of_L, .npoints = 12,
                                    .corners = triangles_of_L, .ntriangles = 20};

static trmi_arena arena;

static int begin(void **state) {
  (void)state;
  trmi_arena_init(&arena, &(trm_allocator){0});
  return 0;
}

static int end(void **state) {
  (void)state;
  trmi_arena_clear(&arena);
  return 0;
}

static trmi_surface surface_of(const trmi_mesh *mesh) {
  char fault[TRMI_SURFACE_FAULT];
  trmi_surface s;
  if (!trmi_surface_make(mesh, &arena, &s, fault)) fail_msg("%s", fault);
  return s;
}

static trmi_mesh hull_of(const trmi_vec3 *points, int count) {
  char fault[TRMI_SURFACE_FAULT];
  trmi_mesh mesh;
  if (!trmi_hull_make(points, count, &arena, &mesh, fault)) fail_msg("%s", fault);
  return mesh;
}

static void a_hollow_edge_divides_patches(void **state) {
  (void)state;
  const trmi_surface s = surface_of(&mesh_of_L);
  int hollow = 0, flat = 0;
  assert_int_equal(s.nedges, 30);
  for (int i = 0; i < s.nedges; i++) {
    const double bend = s.edges[i].bend;
    hollow += bend < -1e-6;
    flat += fabs(bend) < 1e-6;
    if (fabs(bend) > 1e-6) CHECK_NEAR(fabs(bend), acos(0.0), 1e-15, "edge %d", i);
  }
  assert_int_equal(hollow, 1);
  assert_int_equal(flat, 12); /* diagonals, of L two at each end */
  const int a = s.patch[12], b = s.patch[14]; /* sides of the hollow edge, y = 1 and x = 1 */
  assert_true(a != b && s.patch[13] == a && s.patch[15] == b);
  assert_int_equal(s.npatches, 3);
  const trmi_vec3 in_corner = v3(1.3, 1.2, .5);
  CHECK_NEAR(trmi_surface_distance(&s, a, in_corner).d, .2, 1e-15, "from y = 1");
  CHECK_NEAR(trmi_surface_distance(&s, b, in_corner).d, .3, 1e-15, "from x = 1");
  const trmi_vec3 inside = v3(1.3, .8, .5); /* behind y = 1, far behind nothing else */
  CHECK_NEAR(trmi_surface_distance(&s, a, inside).d, -.2, 1e-15, "inside");
  assert_true(trmi_surface_distance(&s, b, inside).d > 0.0);
}

/* A square pit in a block: its sides and its ground are patches of their own. */
static void sides_of_a_pit_are_patches(void **state) {
  (void)state;
  trmi_vec3 points[16];
  int triangles[84], n = 0;
  static const int quads[14][4] = {
    {0, 3, 2, 1}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7},      /* outside   */
    {4, 5, 9, 8}, {5, 6, 10, 9}, {6, 7, 11, 10}, {7, 4, 8, 11},                /* rim       */
    {8, 9, 13, 12}, {9, 10, 14, 13}, {10, 11, 15, 14}, {11, 8, 12, 15}, {12, 13, 14, 15}};
  for (int i = 0; i < 16; i++) {
    const double r = i < 8 ? 2.0 : 1.0, z = i < 4 ? -1.0 : i < 12 ? 1.0 : 0.0;
    points[i] = v3(i % 4 == 1 || i % 4 == 2 ? r : -r, i % 4 >= 2 ? r : -r, z);
  }
  for (int i = 0; i < 14; i++) {
    const int t[6] = {quads[i][0], quads[i][1], quads[i][2], quads[i][0], quads[i][2],
                      quads[i][3]};
    for (int k = 0; k < 6; k++) triangles[n++] = t[k];
  }
  const trmi_mesh mesh = {.points = points, .npoints = 16, .corners = triangles, .ntriangles = 28};
  const trmi_surface s = surface_of(&mesh);
  /* outside with the rim, four sides (opposite ones face each other), and the ground */
  assert_int_equal(s.npatches, 6);
  const trmi_distance inside = trmi_surface_distance(&s, TRMI_SURFACE_ANY, v3(0, 0, -.25));
  CHECK_NEAR(inside.d, -.25, 1e-15, "below the ground of the pit");
  const trmi_distance above = trmi_surface_distance(&s, TRMI_SURFACE_ANY, v3(.1, 0, .25));
  CHECK_NEAR(above.d, .25, 1e-15, "above it");
}

/* By all triangles, without the tree. */
static double slow_square(const trmi_surface *s, trmi_vec3 p) {
  double best = INFINITY;
  for (int t = 0; t < s->mesh.ntriangles; t++) {
    const int *c = s->mesh.corners + 3 * t;
    for (int i = 0; i <= 60; i++) {
      for (int k = 0; k <= 60 - i; k++) {
        const trmi_vec3 a = v3_scale(i / 60.0, s->mesh.points[c[0]]);
        const trmi_vec3 b = v3_scale(k / 60.0, s->mesh.points[c[1]]);
        const trmi_vec3 d = v3_scale((60 - i - k) / 60.0, s->mesh.points[c[2]]);
        const trmi_vec3 w = v3_sub(p, v3_add(a, v3_add(b, d)));
        best = fmin(best, v3_dot(w, w));
      }
    }
  }
  return best;
}

static trmi_vec3 random_point(uint64_t *seed, double size) {
  const double x = kit_random(seed), y = kit_random(seed), z = kit_random(seed);
  return v3(size * x, size * y, size * z);
}

static void no_point_of_the_surface_is_nearer(void **state) {
  (void)state;
  trmi_vec3 points[40];
  uint64_t seed = 3;
  for (int i = 0; i < 40; i++) points[i] = random_point(&seed, 1.0);
  const trmi_mesh mesh = hull_of(points, 40);
  const trmi_surface all[2] = {surface_of(&mesh_of_L), surface_of(&mesh)};
  for (int k = 0; k < 100; k++) {
    const trmi_surface *s = &all[k % 2];
    const trmi_vec3 p = random_point(&seed, 2.5);
    const double d = sqrt(trmi_surface_nearest(s, p, TRMI_SURFACE_ANY, INFINITY).square);
    const double slow = sqrt(slow_square(s, p));
    if (d > slow + 1e-12) fail_msg("point %d: %g, but %g is nearer", k, d, slow);
    CHECK_NEAR(d, slow, 4e-2, "point %d: places 1/60 of a side apart", k);
  }
}

/* Hulls have all points inside, are closed and convex; points inside change nothing. */
static void hulls_surround_their_points(void **state) {
  (void)state;
  uint64_t seed = 11;
  for (int n = 4; n <= 400; n = 2 * n + 1) {
    trmi_vec3 points[500];
    for (int i = 0; i < n; i++) points[i] = random_point(&seed, 1.0);
    const trmi_mesh mesh = hull_of(points, n);
    const trmi_surface s = surface_of(&mesh);
    assert_int_equal(s.npatches, 1);
    assert_int_equal(mesh.ntriangles, 2 * mesh.npoints - 4);
    for (int i = 0; i < n; i++) {
      if (trmi_surface_distance(&s, TRMI_SURFACE_ANY, points[i]).d > 1e-9) {
        fail_msg("%d points: number %d is outside", n, i);
      }
    }
  }
  trmi_vec3 grid[125]; /* a cube with points in its edges and faces, which are left out */
  for (int i = 0; i < 125; i++) grid[i] = v3(i % 5, i / 5 % 5, i / 25);
  const trmi_mesh cube = hull_of(grid, 125);
  CHECK_NEAR(trmi_volume_mesh(&cube).volume, 64.0, 1e-12, "volume of the cube");
}

/* Points on a grid, some of them 1e-5 beside it: hulls with slender faces once left out corners.
 * What contradicts itself is refused: one of two hundred. */
static void hulls_of_nearly_equal_points_are_right_or_refused(void **state) {
  (void)state;
  uint64_t seed = 3;
  int refused = 0;
  for (int k = 0; k < 1000; k++) {
    trmi_vec3 points[40];
    char fault[TRMI_SURFACE_FAULT];
    trmi_mesh mesh;
    const int n = 10 + k % 31;
    for (int i = 0; i < n; i++) {
      double x[3];
      for (int j = 0; j < 3; j++) {
        x[j] = round(2.0 * kit_random(&seed)) / 2;
        if (kit_random(&seed) > .5) x[j] += 1e-5 * kit_random(&seed);
      }
      points[i] = v3_load(x);
    }
    if (!trmi_hull_make(points, n, &arena, &mesh, fault)) {
      assert_non_null(strstr(fault, "nearly coincide"));
      refused++;
      continue;
    }
    const trmi_surface s = surface_of(&mesh);
    for (int i = 0; i < n * mesh.ntriangles; i++) {
      const trmi_vec3 x = mesh.points[mesh.corners[3 * (i / n)]];
      CHECK_NEAR(fmax(v3_dot(s.normal[i / n], v3_sub(points[i % n], x)), 0.0), 0.0, 4e-7,
                 "cloud %d", k); /* 1e-7 of the size, 3.5 */
    }
  }
  if (refused > 20) fail_msg("%d of 1000 are refused", refused);
}

static void faulty_surfaces_are_refused(void **state) {
  (void)state;
  char fault[TRMI_SURFACE_FAULT];
  trmi_surface s;
  trmi_mesh mesh = mesh_of_L;
  mesh.ntriangles = 19;
  assert_false(trmi_surface_make(&mesh, &arena, &s, fault));
  assert_non_null(strstr(fault, "not closed"));
  int turned[60];
  memcpy(turned, triangles_of_L, sizeof turned);
  turned[0] = 3, turned[1] = 0;
  mesh.ntriangles = 20, mesh.corners = turned;
  assert_false(trmi_surface_make(&mesh, &arena, &s, fault));
  assert_non_null(strstr(fault, "turned differently"));
  trmi_vec3 points[12];
  memcpy(points, corners_of_L, sizeof points);
  points[3] = v3(1, 0, 0);
  mesh.corners = triangles_of_L, mesh.points = points;
  assert_false(trmi_surface_make(&mesh, &arena, &s, fault));
  assert_non_null(strstr(fault, "lie on a line"));
  static const trmi_vec3 flat[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  assert_false(trmi_hull_make(flat, 4, &arena, &mesh, fault));
  assert_non_null(strstr(fault, "lie in a plane"));
  assert_false(trmi_hull_make(flat, 3, &arena, &mesh, fault));
  assert_non_null(strstr(fault, "four points"));
}

/* A file that is inside out is turned. */
static void inside_out_is_turned(void **state) {
  (void)state;
  int turned[60];
  for (int i = 0; i < 60; i++) turned[i] = triangles_of_L[i / 3 * 3 + 2 - i % 3];
  trmi_mesh mesh = mesh_of_L;
  mesh.corners = turned;
  const trmi_surface s = surface_of(&mesh);
  CHECK_NEAR(trmi_surface_distance(&s, TRMI_SURFACE_ANY, v3(.5, .5, 1.5)).d, .5, 1e-15, "above");
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_hollow_edge_divides_patches),
    cmocka_unit_test(sides_of_a_pit_are_patches),
    cmocka_unit_test(no_point_of_the_surface_is_nearer),
    cmocka_unit_test(hulls_surround_their_points),
    cmocka_unit_test(hulls_of_nearly_equal_points_are_right_or_refused),
    cmocka_unit_test(faulty_surfaces_are_refused),
    cmocka_unit_test(inside_out_is_turned),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
