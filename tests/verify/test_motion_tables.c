/* test_motion_tables.c - motions by tables: accelerations jump, or have a kink, at the points of
 * smooth curves, and steps end there. A pendulum hangs on a cart that follows a table,
 *   (J + m r^2) phi'' = m (g x - X'' z),  x = .3 cos phi - .2 sin phi, z = -.3 sin phi - .2 cos phi
 * Reference: the classic method of order four, with a thousand steps from point to point. */
#include "core/arena.h"
#include "expr/spline.h"
#include "verify/typed.h"

enum { POINTS = 12, PARTS = 1000 };
static const double way[POINTS] = {0,   .02, .05, .03, .06, .07,
                                   .02, .04, .09, .05, .03, .02};

typedef struct law {
  const char     *name;
  trmi_spline_kind kind;
  int             order; /* derivative of the table that is the acceleration */
} law;

static double turning(const trmi_spline *curve, int order, double middle, double t, double phi) {
  const double x = .3 * cos(phi) - .2 * sin(phi), z = -.3 * sin(phi) - .2 * cos(phi);
  /* at a point the piece counts in which the middle of the step lies */
  const double inside = t + 1e-9 * (middle - t);
  return (9.81 * x - trmi_spline_at(curve, order, inside) * z) / (.01 + .13);
}

/* Angle at 1 s. */
static double angle(const trmi_spline *curve, int order) {
  const double h = 0.1 / PARTS;
  double p = 0.0, v = 0.0;
  for (int i = 0; i < 10 * PARTS; i++) {
    const double t = i * h, m = t + h / 2;
    const double a1 = turning(curve, order, m, t, p), v2 = v + h / 2 * a1;
    const double a2 = turning(curve, order, m, m, p + h / 2 * v), v3 = v + h / 2 * a2;
    const double a3 = turning(curve, order, m, m, p + h / 2 * v2), v4 = v + h * a3;
    const double a4 = turning(curve, order, m, t + h, p + h * v3);
    p += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return p;
}

/* The bodies begin with the speed of the law. */
static double run_angle(const law *l, const char *integrator, double speed,
                        trm_counters *counters) {
  char text[1400];
  trm_sim *sim = NULL;
  trm_error err;
  double phi = NAN;
  snprintf(text, sizeof text,
           "trammel: 1\n"
           "gravity: [0, 0, -9.81]\n"
           "tables: {way: {x: [0, .1, .2, .3, .4, .5, .6, .7, .8, .9, 1, 1.1], interpolation: %s,\n"
           "  y: [0, .02, .05, .03, .06, .07, .02, .04, .09, .05, .03, .02]}}\n"
           "bodies:\n"
           "  cart: {mass: 1, inertia: [.1, .1, .1], velocity: [%.17g, 0, 0]}\n"
           "  bob: {mass: 1, inertia: [.01, .01, .01], at: [.3, 0, -.2],\n"
           "        velocity: [%.17g, 0, 0]}\n"
           "joints:\n"
           "  slide: {type: translational, bodies: [ground, cart], at: [0, 0, 0],\n"
           "          axis: [1, 0, 0]}\n"
           "  pin: {type: revolute, bodies: [cart, bob], at: [0, 0, 0], axis: [0, 1, 0]}\n"
           "motions: {m: {joint: slide, %s: way(time)}}\n"
           "outputs: {phi: pin.angle}\n"
           "simulate: {end: 1, tolerance: 1e-7}\n",
           l->kind == TRMI_SPLINE_AKIMA ? "akima" : "cubic", speed, speed,
           l->order == 2 ? "position" : "velocity");
  typed m = typed_text(text, integrator, NULL);
  m.options.integrator = integrator;
  CHECK_OK(trm_sim_create(m.system, &m.options, &sim, &err), err);
  CHECK_OK(trm_sim_run(sim, &err), err);
  CHECK_OK(trm_system_values(trm_sim_system(sim), trm_sim_state(sim),
                             &(trm_values){.outputs = &phi}, &err), err);
  *counters = *trm_sim_counters(sim);
  trm_sim_free(sim);
  typed_close(&m);
  return phi;
}

/* Methods of high order are as good as on a smooth motion, within a few times the tolerance, and
 * repeat next to nothing. */
static void points_of_tables_cost_no_accuracy(void **state) {
  (void)state;
  static const law laws[] = {{"akima, position", TRMI_SPLINE_AKIMA, 2},
                             {"cubic, position", TRMI_SPLINE_CUBIC, 2},
                             {"akima, velocity", TRMI_SPLINE_AKIMA, 1}};
  static const struct {
    const char *integrator;
    double      limit;
  } ways[] = {{"tdg", 2e-6}, {"radau", 1e-6}, {"explicit", 1e-7}};
  trmi_arena arena;
  trmi_arena_init(&arena, &(trm_allocator){0});
  double x[POINTS];
  for (int i = 0; i < POINTS; i++) x[i] = i / 10.0;
  for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
    trmi_spline curve;
    trm_error err;
    CHECK_OK(trmi_spline_make(&curve, &arena, laws[k].kind, x, way, POINTS, &err), err);
    const double right = angle(&curve, laws[k].order);
    const double speed = trmi_spline_at(&curve, laws[k].order - 1, 0.0);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
      trm_counters n;
      const double phi = run_angle(&laws[k], ways[i].integrator, speed, &n);
      print_message("%s, %s: off by %.2e in %ld steps, %ld repeated\n", laws[k].name,
                    ways[i].integrator, phi - right, n.steps, n.rejected_error);
      assert_true(fabs(phi - right) <= ways[i].limit);
      assert_true(n.rejected_error <= 10);
    }
  }
  trmi_arena_clear(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(points_of_tables_cost_no_accuracy)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
