/* test_shape.c - volume, centre and inertia of shapes against closed forms and each other, and
 * files of meshes. */
#include "elements/body/mesh_file.h"
#include "elements/body/shape.h"
#include "check.h"
#include "fault/memory.h"
#include "math/so3.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sums of a few dozen terms of size one. */
static const double rounding = 1e-14, pi = 3.14159265358979323846;

static void are_equal(const trmi_volume *a, const trmi_volume *b, double tol, const char *what) {
  CHECK_NEAR(a->volume, b->volume, tol, "volume, %s", what);
  CHECK_NEAR(v3_norm(v3_sub(a->centre, b->centre)), 0.0, tol, "centre, %s", what);
  for (int i = 0; i < 9; i++) CHECK_NEAR(a->J[i], b->J[i], tol, "J[%d], %s", i, what);
}

/* ---- simple shapes ---------------------------------------------------------------------- */

static void boxes_and_spheres_have_their_moments(void **state) {
  (void)state;
  const trmi_volume box = trmi_volume_box(v3(1, 2, 3), v3(4, 5, 6));
  const trmi_volume ball = trmi_volume_sphere(v3(1, 2, 3), 0.5);
  const double V = pi / 6.0, J = 0.4 * V * 0.25;
  are_equal(&box, &(trmi_volume){6, {4, 5, 6}, {6.5, 0, 0, 0, 5, 0, 0, 0, 2.5}}, rounding, "box");
  are_equal(&ball, &(trmi_volume){V, {1, 2, 3}, {J, 0, 0, 0, J, 0, 0, 0, J}}, rounding, "sphere");
}

/* Integral of a polynomial of degree 5 or less. */
static double boole(double (*f)(double), double from, double to) {
  const double h = (to - from) / 4.0;
  return 2.0 * h / 45.0 * (7.0 * f(from) + 32.0 * f(from + h) + 12.0 * f(from + 2.0 * h) +
                           32.0 * f(from + 3.0 * h) + 7.0 * f(to));
}

enum { LENGTH = 3 };
static const double radius = 0.75;

/* Squared radius of a capsule along its axis, middle at zero. */
static double section(double x) {
  const double beyond = fmax(fabs(x) - 0.5 * LENGTH, 0.0);
  return radius * radius - beyond * beyond;
}
static double slice(double x) {
  return pi * section(x);
}
static double slice_along(double x) {
  return pi * section(x) * section(x) / 2.0;
}
static double slice_across(double x) {
  return pi * section(x) * (section(x) / 4.0 + x * x);
}

static void capsules_and_cylinders_are_sums_of_slices(void **state) {
  (void)state;
  const double half = 0.5 * LENGTH, end = half + radius;
  const trmi_volume rod = trmi_volume_cylinder(v3(1 - half, 0, 0), v3(1 + half, 0, 0), radius);
  const trmi_volume pill = trmi_volume_capsule(v3(1 - half, 0, 0), v3(1 + half, 0, 0), radius);
  double a = boole(slice_along, -half, half), t = boole(slice_across, -half, half);
  are_equal(&rod, &(trmi_volume){boole(slice, -half, half), {1, 0, 0}, {a, 0, 0, 0, t, 0, 0, 0, t}},
            10.0 * rounding, "cylinder");
  a += 2.0 * boole(slice_along, half, end);
  t += 2.0 * boole(slice_across, half, end);
  const double V = boole(slice, -half, half) + 2.0 * boole(slice, half, end);
  are_equal(&pill, &(trmi_volume){V, {1, 0, 0}, {a, 0, 0, 0, t, 0, 0, 0, t}}, 10.0 * rounding,
            "capsule");
}

static void an_axis_may_have_any_direction(void **state) {
  (void)state;
  const double psi[3] = {0.3, -1.1, 0.7};
  double p[4], R[9];
  trmi_so3_exp(psi, p);
  trmi_quat_matrix(p, R);
  const trmi_vec3 from = v3(0.2, 0, 0), to = v3(1.2, 0, 0);
  const trmi_volume straight = trmi_volume_capsule(from, to, 0.3);
  const trmi_volume turned = trmi_volume_capsule(m3_mul(R, from), m3_mul(R, to), 0.3);
  trmi_volume expected = straight;
  expected.centre = m3_mul(R, straight.centre);
  for (int i = 0; i < 9; i++) { /* R J R^T */
    const trmi_vec3 row = m3_row(R, i / 3), column = m3_row(R, i % 3);
    expected.J[i] = v3_dot(row, m3_mul(straight.J, column));
  }
  are_equal(&turned, &expected, rounding, "turned capsule");
  const trmi_volume ball = trmi_volume_sphere(from, 0.3);
  const trmi_volume point = trmi_volume_capsule(from, from, 0.3);
  are_equal(&point, &ball, rounding, "a capsule without length");
}

/* Slices across the longest axis are ellipses. */
static double ellipse(double x) {
  return 1.0 - x * x / 4.0; /* square of both half axes over those in the middle */
}
static double egg_slice(double x) {
  return pi * .75 * 1.25 * ellipse(x);
}
static double egg_along(double x) {
  return egg_slice(x) * ellipse(x) * (.75 * .75 + 1.25 * 1.25) / 4.0;
}
static double egg_across(double x) {
  return egg_slice(x) * (ellipse(x) * 1.25 * 1.25 / 4.0 + x * x);
}

static void ellipsoids_are_sums_of_slices(void **state) {
  (void)state;
  const trmi_volume egg = trmi_volume_ellipsoid(v3(1, 2, 3), (const double[3]){2, .75, 1.25});
  const double V = boole(egg_slice, -2, 2), a = boole(egg_along, -2, 2);
  const double b = boole(egg_across, -2, 2);
  CHECK_NEAR(egg.volume, V, 20.0 * rounding * V, "volume");
  CHECK_NEAR(egg.J[0], a, 20.0 * rounding * a, "about the longest axis");
  CHECK_NEAR(egg.J[4], b, 20.0 * rounding * b, "across it");
  const trmi_volume ball = trmi_volume_ellipsoid(v3(1, 2, 3), (const double[3]){2, 2, 2});
  const trmi_volume same = trmi_volume_sphere(v3(1, 2, 3), 2);
  are_equal(&ball, &same, 10.0 * rounding, "a round one");
}

static void parts_add_up(void **state) {
  (void)state;
  const trmi_volume left = trmi_volume_box(v3(1, 2, 3), v3(0.5, 1, 1.5));
  const trmi_volume right = trmi_volume_box(v3(3, 2, 3), v3(2.5, 1, 1.5));
  const trmi_volume sum = trmi_volume_add(&left, &right);
  const trmi_volume whole = trmi_volume_box(v3(4, 2, 3), v3(2, 1, 1.5));
  are_equal(&sum, &whole, 10.0 * rounding, "two boxes");
}

/* ---- meshes ------------------------------------------------------------------------------- */

static const int box_corners[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                    2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};

static trmi_mesh box_mesh(trmi_vec3 points[8], trmi_vec3 size, const double psi[3],
                          trmi_vec3 shift) {
  double p[4], R[9];
  trmi_so3_exp(psi, p);
  trmi_quat_matrix(p, R);
  for (int i = 0; i < 8; i++) {
    const trmi_vec3 corner = v3(((i & 1) - 0.5) * size.x, ((i >> 1 & 1) - 0.5) * size.y,
                                ((i >> 2 & 1) - 0.5) * size.z);
    points[i] = v3_add(m3_mul(R, corner), shift);
  }
  return (trmi_mesh){.points = points, .npoints = 8, .corners = box_corners, .ntriangles = 12};
}

static void a_mesh_of_a_box_is_a_box(void **state) {
  (void)state;
  trmi_vec3 points[8];
  const double psi[3] = {0.4, 0.9, -0.2}, none[3] = {0, 0, 0};
  const trmi_vec3 size = v3(1, 2, 3), shift = v3(10, -20, 30);
  trmi_mesh mesh = box_mesh(points, size, none, shift);
  trmi_volume is = trmi_volume_mesh(&mesh), box = trmi_volume_box(size, shift);
  are_equal(&is, &box, 1e-13, "box far away"); /* rounding of its place: 30 eps times moments */
  mesh = box_mesh(points, size, psi, shift);
  is = trmi_volume_mesh(&mesh);
  double p[4], R[9];
  trmi_so3_exp(psi, p);
  trmi_quat_matrix(p, R);
  trmi_volume turned = box;
  for (int i = 0; i < 9; i++) {
    turned.J[i] = v3_dot(m3_row(R, i / 3), m3_mul(box.J, m3_row(R, i % 3)));
  }
  are_equal(&is, &turned, 1e-12, "turned box");
  int inside_out[36];
  for (int i = 0; i < 36; i += 3) {
    for (int k = 0; k < 3; k++) inside_out[i + k] = box_corners[i + 2 - k];
  }
  mesh.corners = inside_out;
  is = trmi_volume_mesh(&mesh);
  are_equal(&is, &turned, 1e-12, "box inside out");
}

static const trmi_volume tetrahedron = {
  1.0 / 6.0, {0.25, 0.25, 0.25},
  {1.0 / 80.0, 1.0 / 480.0, 1.0 / 480.0, 1.0 / 480.0, 1.0 / 80.0, 1.0 / 480.0, 1.0 / 480.0,
   1.0 / 480.0, 1.0 / 80.0}};

/* Parse a text; true if it is a closed mesh. */
static bool parse(const char *text, size_t length, bool is_obj, trmi_volume *out,
                  char fault[TRMI_MESH_FAULT]) {
  trmi_arena arena;
  trmi_mesh mesh;
  trmi_arena_init(&arena, &(trm_allocator){0});
  const bool is_good = trmi_mesh_parse(text, length, is_obj, &arena, &mesh, fault) &&
                       trmi_mesh_is_closed(&mesh, &arena, fault);
  if (is_good) *out = trmi_volume_mesh(&mesh);
  trmi_arena_clear(&arena);
  return is_good;
}

/* ---- files -------------------------------------------------------------------------------- */

#define FACET(a, b, c) \
  "facet normal 0 0 0\n outer loop\n vertex " a "\n vertex " b "\n vertex " c "\n" \
  " endloop\nendfacet\n"
#define O "0 0 0"
#define X "1 0 0"
#define Y "0 1 0"
#define Z "0. -0 1e0"
static const char stl[] = "solid a tetrahedron\n" FACET(O, Y, X) FACET(O, X, Z) FACET(O, Z, Y)
                              FACET(X, Y, Z) "endsolid\n";
static const char obj[] = "# a tetrahedron\no t\nv 0 0 0\nv 1 0 0\nv 0 1 0 1.0\nv 0 0 1\nvn 0 0 1\n"
                          "f 1 3 2\nf 1//1 2//1 4//1\r\nf -4 -1 -2 \nf 2/1 3/1 4/2\n";

/* The tetrahedron as binary STL; @return its length */
static size_t binary(char bytes[400]) {
  static const int triangles[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  static const float points[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  memset(bytes, 0, 400);
  memcpy(bytes, "solid, yet binary", 17);
  bytes[80] = 4;
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 3; k++) { /* tests run on little-endian machines */
      memcpy(bytes + 84 + 50 * i + 12 * (k + 1), points[triangles[i][k]], 12);
    }
  }
  return 84 + 4 * 50;
}

static void all_formats_give_the_same(void **state) {
  (void)state;
  char bytes[400], fault[TRMI_MESH_FAULT];
  trmi_volume out;
  assert_true(parse(stl, strlen(stl), false, &out, fault));
  are_equal(&out, &tetrahedron, rounding, "STL text");
  assert_true(parse(obj, strlen(obj), true, &out, fault));
  are_equal(&out, &tetrahedron, rounding, "OBJ");
  const size_t length = binary(bytes);
  assert_true(parse(bytes, length, false, &out, fault));
  are_equal(&out, &tetrahedron, rounding, "STL binary");
  assert_true(parse("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv .5 .5 1\nf 4 3 2 1\nf 1 2 5\nf 2 3 5\n"
                    "f 3 4 5\nf 4 1 5\n", 90, true, &out, fault));
  CHECK_NEAR(out.volume, 1.0 / 3.0, rounding, "pyramid with a square face");
}

static void refuses(const char *text, bool is_obj, const char *words) {
  char fault[TRMI_MESH_FAULT] = "";
  trmi_volume out;
  if (parse(text, strlen(text), is_obj, &out, fault)) fail_msg("nobody says '%s'", words);
  if (strstr(fault, words) == NULL) fail_msg("'%s' is not in '%s'", words, fault);
}

static void faults_of_files(void **state) {
  (void)state;
  char bytes[400], fault[TRMI_MESH_FAULT];
  trmi_volume out;
  refuses("", false, "neither a text nor a binary STL file");
  refuses("solid\nendsolid\n", false, "it has no triangles");
  refuses("solid\n" FACET(O, X, Y), false, "the file ends in the middle");
  refuses("solid\nfacet outer loop vertex 0 0 0\n", false, "the file ends in the middle");
  refuses("solid\nfacet outer loop\nvertex 0 0 0 endloop\n", false,
          "line 3: a facet does not have three vertices");
  refuses("solid\nfacet outer loop vertex 0 0 0\nouter loop vertex 0 0 0\n", false,
          "line 3: a loop begins inside of another");
  refuses("solid\nvertex 0 0 0\n", false, "line 2: a vertex that belongs to no facet");
  refuses("solid\nouter loop vertex 0 0 zero\n", false, "line 2: a vertex needs three numbers");
  refuses("solid\nouter loop vertex 0 0 inf\n", false, "not finite");
  refuses("solid\n" FACET(O, X, Y) "endsolid\n", false, "not closed: it has 3 open edges");
  refuses("solid\n" FACET(O, X, Y) FACET(O, X, Y) "endsolid\n", false, "are turned differently");
  refuses("v 0 0\nv 1 0 0\n", true, "line 1: a vertex needs three numbers");
  refuses("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", true, "line 4: a face has a corner that is not");
  refuses("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\n", true, "line 4: a face needs three corners");
  refuses("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 x\n", true, "line 4: a corner of a face is not");
  const size_t length = binary(bytes);
  for (size_t n = 84; n < length; n++) { /* cut anywhere */
    assert_false(parse(bytes, n, false, &out, fault));
  }
  memcpy(bytes, "binary", 6);
  assert_false(parse(bytes, length - 7, false, &out, fault));
  assert_non_null(strstr(fault, "4 triangles of a binary STL file need 284 bytes, it has 277"));
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  for (long at = 1;; at++) {
    meter m = {.fail_at = at};
    const trm_allocator allocator = meter_allocator(&m);
    trmi_arena arena;
    trmi_mesh mesh;
    char fault[TRMI_MESH_FAULT];
    trmi_arena_init(&arena, &allocator);
    const bool is_good = trmi_mesh_parse(stl, strlen(stl), false, &arena, &mesh, fault) &&
                         trmi_mesh_is_closed(&mesh, &arena, fault);
    assert_int_equal(is_good, m.refused == 0);
    assert_int_equal(arena.failed, m.refused > 0);
    trmi_arena_clear(&arena);
    assert_int_equal(m.live, 0);
    if (m.refused == 0) return;
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(boxes_and_spheres_have_their_moments),
    cmocka_unit_test(capsules_and_cylinders_are_sums_of_slices),
    cmocka_unit_test(an_axis_may_have_any_direction),
    cmocka_unit_test(ellipsoids_are_sums_of_slices),
    cmocka_unit_test(parts_add_up),
    cmocka_unit_test(a_mesh_of_a_box_is_a_box),
    cmocka_unit_test(all_formats_give_the_same),
    cmocka_unit_test(faults_of_files),
    cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
