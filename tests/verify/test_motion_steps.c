/* test_motion_steps.c - motions by smooth steps: accelerations jump, or have a kink, where STEP,
 * HAVSIN and STEP5 begin and end, and steps end there. A pendulum hangs on a cart that goes .3 m
 * from .2 to .7 s, with c = (t - .2)/.5,
 *   (J + m r^2) phi'' = m (g x - X'' z),  x = .3 cos phi - .2 sin phi, z = -.3 sin phi - .2 cos phi
 *   STEP: X'' = .3 (6 - 12 c)/.25, HAVSIN: .15 pi^2 cos(pi c)/.25,
 *   STEP5: .3 (60 c - 180 c^2 + 120 c^3)/.25
 * Reference: the classic method of order four, with steps of a tenth of a millisecond. */
#include "verify/typed.h"

enum { STEPS = 10000, FROM = 2000, TO = 7000 };
static const double pi = 3.14159265358979323846;

static double step(double c) { return 0.3 * (6 - 12 * c) / 0.25; }
static double havsin(double c) { return 0.15 * pi * pi * cos(pi * c) / 0.25; }
static double step5(double c) { return 0.3 * c * (60 - 180 * c + 120 * c * c) / 0.25; }

typedef struct law {
  const char *name;
  double    (*acceleration)(double c);
} law;
static const law laws[] = {{"STEP", step}, {"HAVSIN", havsin}, {"STEP5", step5}};
enum { LAWS = sizeof laws / sizeof *laws };

static double turning(const law *l, bool moves, double t, double phi) {
  const double x = .3 * cos(phi) - .2 * sin(phi), z = -.3 * sin(phi) - .2 * cos(phi);
  const double a = moves ? l->acceleration((t - 0.2) / 0.5) : 0.0;
  return (9.81 * x - a * z) / (.01 + .13);
}

/* Angle at 1 s. */
static double angle(const law *l) {
  const double h = 1.0 / STEPS;
  double p = 0.0, v = 0.0;
  for (int i = 0; i < STEPS; i++) {
    const double t = i * h, m = t + h / 2;
    const bool moves = i >= FROM && i < TO;
    const double a1 = turning(l, moves, t, p), v2 = v + h / 2 * a1;
    const double a2 = turning(l, moves, m, p + h / 2 * v), v3 = v + h / 2 * a2;
    const double a3 = turning(l, moves, m, p + h / 2 * v2), v4 = v + h * a3;
    const double a4 = turning(l, moves, t + h, p + h * v3);
    p += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return p;
}

static double run_angle(const law *l, const char *integrator, const char *formulation,
                        double tolerance, long *steps) {
  char text[900];
  trm_error err;
  double phi = NAN;
  snprintf(text, sizeof text,
           "trammel: 1\n"
           "gravity: [0, 0, -9.81]\n"
           "bodies:\n"
           "  cart: {mass: 1, inertia: [.1, .1, .1]}\n"
           "  bob: {mass: 1, inertia: [.01, .01, .01], at: [.3, 0, -.2]}\n"
           "joints:\n"
           "  slide: {type: translational, bodies: [ground, cart], at: [0, 0, 0],\n"
           "          axis: [1, 0, 0]}\n"
           "  pin: {type: revolute, bodies: [cart, bob], at: [0, 0, 0], axis: [0, 1, 0]}\n"
           "motions: {m: {joint: slide, position: '%s(time, .2, 0, .7, .3)'}}\n"
           "outputs: {phi: pin.angle}\n"
           "simulate: {end: 1}\n", l->name);
  typed m = typed_text(text, integrator, NULL);
  m.options.integrator = integrator;
  m.options.formulation = formulation;
  m.options.tolerance = tolerance;
  trm_sim *sim = kit_sim(m.system, &m.options);
  kit_run(sim);
  CHECK_OK(trm_system_values(trm_sim_system(sim), trm_sim_state(sim),
                             &(trm_values){.outputs = &phi}, &err), err);
  *steps = trm_sim_counters(sim)->steps;
  trm_sim_free(sim);
  typed_close(&m);
  return phi;
}

/* Smooth motion in between: at a tolerance of 1e-8 radau is off by up to 5.4e-8, explicit by 9e-9
 * in 20 steps. Steps across the ends of a law leave 2.8e-7 in radau; explicit needs up to 55. */
static void ends_of_smooth_steps_cost_no_accuracy(void **state) {
  (void)state;
  static const struct {
    const char *integrator;
    double      limit;
    long        steps;
  } methods[] = {{"radau", 1e-7, 40}, {"explicit", 2e-8, 25}};
  for (int k = 0; k < LAWS; k++) {
    const double right = angle(&laws[k]);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
      long steps;
      const double phi = run_angle(&laws[k], methods[i].integrator, NULL, 1e-8, &steps);
      print_message("%s, %s: off by %.2e in %ld steps\n", laws[k].name, methods[i].integrator,
                    phi - right, steps);
      assert_true(fabs(phi - right) <= methods[i].limit);
      assert_true(steps <= methods[i].steps);
    }
  }
}

/* The steps of high order before the end of a law are longer than the low order of a fresh start
 * allows. Where one step must do, STEP is off by 2e-9. */
static void ends_are_reached_under_error_control(void **state) {
  (void)state;
  for (int k = 0; k < LAWS; k++) {
    long steps;
    const double off = run_angle(&laws[k], "radau", "index1", 1e-11, &steps) - angle(&laws[k]);
    print_message("%s: off by %.2e in %ld steps\n", laws[k].name, off, steps);
    assert_true(fabs(off) <= 1e-10);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ends_of_smooth_steps_cost_no_accuracy),
                                     cmocka_unit_test(ends_are_reached_under_error_control)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
