/* Nodes along lines: distances, directions, frames that do not turn about the line, twist. */
#include "elements/flex/beam_line.h"
#include "math/so3.h"
#include "unit/kit.h"

enum { MOST = 65 };

/* Poses of nodes on a line; the arena is cleared by `close`. */
typedef struct mesh {
  trmi_arena arena;
  double q[MOST][7];
} mesh;

static trm_status try_line(mesh *m, const trmi_beam_line *line, int nnodes, trm_error *err) {
  trmi_arena_init(&m->arena, &(trm_allocator){0});
  assert_true(nnodes <= MOST);
  const trm_status status = trmi_beam_line_place(line, nnodes, &m->arena, m->q[0], err);
  trmi_arena_clear(&m->arena);
  return status;
}

static void place_line(mesh *m, const trmi_beam_line *line, int nnodes) {
  trm_error err = {.message = ""};
  CHECK_OK(try_line(m, line, nnodes, &err), err);
}

static trmi_vec3 axis_of(const mesh *m, int node, int k) {
  double R[9];
  trmi_quat_matrix(m->q[node] + 3, R);
  return m3_column(R, k);
}

static void check_vector(trmi_vec3 a, trmi_vec3 b, double tol, const char *what) {
  CHECK_NEAR(v3_norm(v3_sub(a, b)), 0.0, tol, "%s", what);
}

static void a_straight_line_has_equal_distances_and_its_twist(void **state) {
  (void)state;
  const double points[] = {1, 2, 3, 3, 5, 9}; /* of length 7 */
  mesh m;
  place_line(&m, &(trmi_beam_line){.points = points, .npoints = 2, .y = v3(0, 0, 1),
                                   .twist = 0.8}, 5);
  const trmi_vec3 t = v3(2.0 / 7, 3.0 / 7, 6.0 / 7);
  const trmi_vec3 y = axis_of(&m, 0, 1);
  for (int i = 0; i < 5; i++) { /* sums of numbers below ten */
    check_vector(v3_load(m.q[i]), v3_add(v3(1, 2, 3), v3_scale(7.0 * i / 4, t)), 1e-14, "place");
    check_vector(axis_of(&m, i, 0), t, 1e-14, "direction");
    CHECK_NEAR(v3_dot(axis_of(&m, i, 1), y), cos(0.2 * i), 1e-14, "twist of node %d", i);
    CHECK_NEAR(v3_dot(axis_of(&m, i, 1), v3_cross(t, y)), sin(0.2 * i), 1e-14, "twist of %d", i);
  }
  CHECK_NEAR(v3_dot(y, v3(3, -2, 0)), 0.0, 1e-14, "y lies in the plane of t and what was given");
  assert_true(y.z > 0.0);
}

/* Points of three quarters of a circle of radius one in the plane of x and y. */
static void arc_points(int n, double *points) {
  for (int i = 0; i < n; i++) {
    const double angle = 1.5 * acos(-1.0) * i / (n - 1);
    points[3 * i] = sin(angle);
    points[3 * i + 1] = 1.0 - cos(angle);
    points[3 * i + 2] = 0.0;
  }
}

/* Largest distance of nodes from the circle at their angles, and of directions. */
static double arc_error(int npoints, int nnodes) {
  double points[3 * MOST], worst = 0.0;
  mesh m;
  arc_points(npoints, points);
  place_line(&m, &(trmi_beam_line){.points = points, .npoints = npoints, .y = v3(0, 1, 0)}, nnodes);
  for (int i = 0; i < nnodes; i++) {
    const double angle = 1.5 * acos(-1.0) * i / (nnodes - 1);
    const trmi_vec3 x = v3(sin(angle), 1.0 - cos(angle), 0.0);
    const trmi_vec3 t = v3(cos(angle), sin(angle), 0.0), y = v3(-sin(angle), cos(angle), 0.0);
    worst = fmax(worst, v3_norm(v3_sub(v3_load(m.q[i]), x)));
    worst = fmax(worst, v3_norm(v3_sub(axis_of(&m, i, 0), t)));
    worst = fmax(worst, v3_norm(v3_sub(axis_of(&m, i, 1), y)));
    check_vector(axis_of(&m, i, 2), v3(0, 0, 1), 1e-13, "a plane line stays in its plane");
  }
  return worst;
}

static void an_arc_through_points_converges(void **state) {
  (void)state;
  const double coarse = arc_error(16, 13), fine = arc_error(31, 13);
  /* directions of cubics have order three; twice as many points: about eight times less */
  CHECK_NEAR(log2(coarse / fine), 3.0, 0.7, "order: %.3g and %.3g", coarse, fine);
  assert_true(fine < 2e-3);
  /* nodes at the points themselves lie on the circle */
  double points[3 * MOST];
  mesh m;
  arc_points(25, points);
  place_line(&m, &(trmi_beam_line){.points = points, .npoints = 25}, 25);
  for (int i = 0; i < 25; i++) {
    check_vector(v3_load(m.q[i]), v3_load(points + 3 * i), 1e-14, "node at a point");
  }
}

/* Along a line through few uneven points, whose parameter is not its length. */
static void nodes_have_equal_distances_along_a_bent_line(void **state) {
  (void)state;
  const double points[] = {0, 0, 0, 1, 0.1, 0, 1.5, 0.3, 0, 4, 2, 0};
  mesh m;
  double least = INFINITY, most = 0.0;
  place_line(&m, &(trmi_beam_line){.points = points, .npoints = 4, .y = v3(0, 0, 1)}, MOST);
  for (int i = 0; i + 1 < MOST; i++) {
    const double chord = v3_norm(v3_sub(v3_load(m.q[i + 1]), v3_load(m.q[i])));
    least = fmin(least, chord);
    most = fmax(most, chord);
  }
  /* chords are shorter than arcs by (k h)^2/24: curvature below 1.5, h = 0.07 */
  CHECK_NEAR(most / least, 1.0, 5e-4, "longest over shortest part");
}

/* A helix of slope c: frames that do not turn about it turn against its normal by torsion times
 * length, c/(1 + c^2) L. */
static void frames_do_not_turn_about_a_helix(void **state) {
  (void)state;
  enum { POINTS = 61, NODES = 31 };
  const double c = 0.4, end = 4.0, length = end * sqrt(1.0 + c * c);
  double points[3 * POINTS];
  mesh m;
  for (int i = 0; i < POINTS; i++) {
    const double angle = end * i / (POINTS - 1);
    v3_store(points + 3 * i, v3(cos(angle), sin(angle), c * angle));
  }
  place_line(&m, &(trmi_beam_line){.points = points, .npoints = POINTS, .y = v3(-1, 0, 0)}, NODES);
  for (int i = 0; i < NODES; i += 5) {
    const double angle = end * i / (NODES - 1), turn = c / (1 + c * c) * length * i / (NODES - 1);
    const trmi_vec3 n = v3(-cos(angle), -sin(angle), 0.0);
    /* cubics through points .07 apart: directions are good to some 1e-4 */
    CHECK_NEAR(v3_dot(axis_of(&m, i, 1), n), cos(turn), 3e-4, "node %d", i);
    CHECK_NEAR(v3_dot(axis_of(&m, i, 2), n), sin(turn), 3e-4, "node %d", i);
  }
}

static void lines_that_are_none_are_refused(void **state) {
  (void)state;
  const double twice[] = {0, 0, 0, 1, 0, 0, 1, 0, 0}, line[] = {0, 0, 0, 2, 0, 0};
  trm_error err = {.message = ""};
  mesh m;
  CHECK_STATUS(try_line(&m, &(trmi_beam_line){.points = twice, .npoints = 3}, 4, &err),
               TRM_ERR_INPUT);
  assert_non_null(strstr(err.message, "points 2 and 3"));
  CHECK_STATUS(try_line(&m, &(trmi_beam_line){.points = line, .npoints = 2, .y = v3(3, 0, 0)}, 4,
                        &err), TRM_ERR_INPUT);
  assert_non_null(strstr(err.message, "y has the direction"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_straight_line_has_equal_distances_and_its_twist),
    cmocka_unit_test(an_arc_through_points_converges),
    cmocka_unit_test(nodes_have_equal_distances_along_a_bent_line),
    cmocka_unit_test(frames_do_not_turn_about_a_helix),
    cmocka_unit_test(lines_that_are_none_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
