/* test_core_distance.c - distances from cores: gradients and Hessians against differences, and
 * distances against points of the surface. */
#include "unit/kit.h"
#include "elements/contact/core_distance.h"
#include <stdbool.h>

/* A plate with a round end, a round hollow and corners. */
static const double plate[] = {-.3, -.2, 0,   .3, -.2, .2,  .3, .2, 0, .15, .2, -.15,
                               -.15, .2, 0, -.3, .2, 0};
static trmi_outline_piece pieces[6];
static trmi_outline outline;

static const double hills[] = {-.6, -.6, -.05, 0, -.6, .1, .5, -.6, 0, -.6, .1, .05, 0, .1, 0,
                               .5, .1, -.05, -.6, .6, .1, 0, .6, -.05, .5, .6, .05};
static double heights[9 * 9 + 4];
static trmi_terrain terrain;

/* A wedge, convex. */
static const trmi_vec3 wedge[] = {{-.3, -.2, -.1}, {.3, -.2, -.1}, {.3, .2, -.1}, {-.3, .2, -.1},
                                  {-.3, 0, .2}, {.2, .05, .2}};
static trmi_surface surface;
static trmi_arena arena;

static const trmi_core cores[] = {
  {.kind = TRMI_CORE_PLANE},
  {.kind = TRMI_CORE_POINT},
  {.kind = TRMI_CORE_SEGMENT, .size = {0, 0, .3}},
  {.kind = TRMI_CORE_BOX, .size = {.3, .2, .1}},
  {.kind = TRMI_CORE_CYLINDER, .size = {.3, 0, .2}},
  {.kind = TRMI_CORE_CIRCLE, .size = {.3, 0, 0}},
  {.kind = TRMI_CORE_ELLIPSOID, .size = {.3, .2, .1}},
  {.kind = TRMI_CORE_PROFILE, .size = {0, 0, .1}, .outline = &outline},
  {.kind = TRMI_CORE_TERRAIN, .terrain = &terrain},
  {.kind = TRMI_CORE_SURFACE, .size = {.9}, .surface = &surface, .patch = TRMI_SURFACE_ANY},
};
enum { CORES = sizeof cores / sizeof *cores };

static trmi_vec3 random_point(uint64_t *seed) {
  return v3(.6 * kit_random(seed), .6 * kit_random(seed), .6 * kit_random(seed));
}

/* Where faces, edges and rims meet H jumps: the same normal has to be on both sides. */
static bool is_smooth(const trmi_core *core, trmi_vec3 p, double e) {
  const trmi_distance at = trmi_core_distance(core, p);
  for (int k = 0; k < 6; k++) {
    const double s = k % 2 == 0 ? e : -e;
    const trmi_vec3 q = v3_add(p, v3(k / 2 == 0 ? s : 0, k / 2 == 1 ? s : 0, k / 2 == 2 ? s : 0));
    const trmi_distance other = trmi_core_distance(core, q);
    if (v3_norm(v3_sub(other.n, at.n)) > 1e-2) return false; /* two sides are as near */
    for (int i = 0; i < 9; i++) {
      if (fabs(other.H[i] - at.H[i]) > 1e-2 * (1.0 + fabs(at.H[i]))) return false;
    }
  }
  return true;
}

static void gradients_and_hessians_match_differences(void **state) {
  (void)state;
  const double e = 1e-5;
  for (int c = 0; c < CORES; c++) {
    uint64_t seed = 7;
    int seen = 0;
    for (int k = 0; k < 2000; k++) {
      const trmi_vec3 p = random_point(&seed);
      const trmi_distance at = trmi_core_distance(&cores[c], p);
      if (fabs(at.d) < 0.02 && c > 0) continue;   /* H is as 1/d */
      if (hypot(p.x, p.y) < 0.05) continue;       /* likewise about the axis of a circle */
      if (!is_smooth(&cores[c], p, 3 * e)) continue;
      seen++;
      CHECK_NEAR(v3_norm(at.n), 1.0, 1e-14, "core %d: length of the normal, rounding", c);
      const double n[3] = {at.n.x, at.n.y, at.n.z};
      for (int j = 0; j < 3; j++) {
        const trmi_vec3 step = v3(j == 0 ? e : 0, j == 1 ? e : 0, j == 2 ? e : 0);
        const trmi_distance a = trmi_core_distance(&cores[c], v3_add(p, step));
        const trmi_distance b = trmi_core_distance(&cores[c], v3_sub(p, step));
        const trmi_vec3 dn = v3_scale(0.5 / e, v3_sub(a.n, b.n));
        const double column[3] = {dn.x, dn.y, dn.z};
        /* e^2/6 times third derivatives of at most 6/d^2; fourth ones of 24/d^3 */
        CHECK_NEAR((a.d - b.d) / (2 * e), n[j], 1e-6, "core %d: gradient %d", c, j);
        for (int i = 0; i < 3; i++) {
          CHECK_NEAR(column[i], at.H[3 * i + j], 2e-4, "core %d: Hessian %d %d", c, i, j);
        }
      }
    }
    assert_true(seen > 500);
  }
}

/* The nearest point p - d n belongs to the core, and nothing of it is nearer. */
static void no_point_of_the_core_is_nearer(void **state) {
  (void)state;
  for (int c = 1; c < CORES; c++) {
    uint64_t seed = 9;
    for (int k = 0; k < 200; k++) {
      const trmi_vec3 p = random_point(&seed);
      const trmi_distance at = trmi_core_distance(&cores[c], p);
      if (!(at.d > 0.0)) continue;
      const trmi_vec3 foot = v3_sub(p, v3_scale(at.d, at.n));
      CHECK_NEAR(fmax(trmi_core_distance(&cores[c], foot).d, 0.0), 0.0, 1e-12, "core %d: foot", c);
      for (int i = 0; i < 20; i++) { /* other points of the core: feet of other points */
        const trmi_vec3 q = random_point(&seed);
        const trmi_distance other = trmi_core_distance(&cores[c], q);
        if (!(other.d > 0.0)) continue;
        const trmi_vec3 there = v3_sub(q, v3_scale(other.d, other.n));
        assert_true(v3_norm(v3_sub(p, there)) >= at.d - 1e-12);
      }
    }
  }
}

/* Of a wheel with teeth only pieces near a point are looked at: the same distance as from all. */
static void copies_are_looked_at_where_they_are_near(void **state) {
  enum { TEETH = 12, POINTS = 2 };
  /* a flat tip, and a hollow seat up to the next one */
  const double turn = 2.0 * 3.14159265358979323846 / TEETH;
  const double tooth[3 * POINTS] = {1.0, 0.0, 0.0, cos(0.3 * turn), sin(0.3 * turn), -0.25};
  double rows[3 * POINTS * TEETH];
  trmi_outline_piece room[POINTS * TEETH];
  trmi_outline near;
  char fault[TRMI_OUTLINE_FAULT];
  uint64_t seed = 11;
  (void)state;
  trmi_outline_copy(tooth, POINTS, TEETH, rows);
  if (!trmi_outline_make(rows, POINTS * TEETH, TEETH, room, &near, fault)) fail_msg("%s", fault);
  assert_int_equal(near.copies, TEETH);
  trmi_outline all = near;
  all.copies = 1;
  for (int k = 0; k < 2000; k++) {
    const trmi_vec3 p = v3_scale(2.0, random_point(&seed));
    const trmi_distance some = trmi_profile_distance(&near, 0.5, p);
    const trmi_distance each = trmi_profile_distance(&all, 0.5, p);
    CHECK_NEAR(some.d, each.d, 0.0, "distance of point %d", k);
  }
}

static int make_outline(void **state) {
  char fault[TRMI_OUTLINE_FAULT];
  trmi_mesh mesh;
  (void)state;
  trmi_arena_init(&arena, &(trm_allocator){0});
  if (!trmi_hull_make(wedge, 6, &arena, &mesh, fault)) return -1;
  if (!trmi_surface_make(&mesh, &arena, &surface, fault)) return -1;
  if (!trmi_terrain_make(hills, 9, heights, &terrain, fault)) return -1;
  return trmi_outline_make(plate, 6, 1, pieces, &outline, fault) ? 0 : -1;
}

static int end(void **state) {
  (void)state;
  trmi_arena_clear(&arena);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(gradients_and_hessians_match_differences),
    cmocka_unit_test(no_point_of_the_core_is_nearer),
    cmocka_unit_test(copies_are_looked_at_where_they_are_near),
  };
  return cmocka_run_group_tests(tests, make_outline, end);
}
