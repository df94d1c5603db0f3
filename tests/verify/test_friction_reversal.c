/* test_friction_reversal.c - bodies that reverse against dry friction: the force turns over within
 * a thousandth of the speed, far faster than the steps of the motion. Reference: the same law,
 * integrated with the classic method of order four in steps of 2 us, whose error is below 1e-10. */
#include "verify/typed.h"

static const double stiffness = 100.0, gravity = 9.81, rest = 0.12, moving = 0.1, slow = 1e-3;

/* mu of page 11, (10) */
static double mu(double v) {
  const double x = fabs(v) / slow;
  const double c = fmin(fmax(x - 1.0, 0.0), 1.0);
  const double size = x < 1.0 ? rest * x * (3.0 - x * x) / 2.0
                              : rest + (moving - rest) * c * c * (3.0 - 2.0 * c);
  return v < 0.0 ? -size : size;
}

static double acceleration(double x, double v) {
  return -stiffness * x - gravity * mu(v);
}

/* Place of 1 kg on a spring at time t, from zero with 2 m/s. */
static double place_at(double t) {
  const int steps = (int)(t / 2e-6 + 0.5);
  const double h = t / steps;
  double x = 0.0, v = 2.0;
  for (int i = 0; i < steps; i++) {
    const double a1 = acceleration(x, v), v2 = v + h / 2 * a1;
    const double a2 = acceleration(x + h / 2 * v, v2), v3 = v + h / 2 * a2;
    const double a3 = acceleration(x + h / 2 * v2, v3), v4 = v + h * a3;
    const double a4 = acceleration(x + h * v3, v4);
    x += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return x;
}

/* All of them have 1 kg along the way of sliding, the weight as load and the spring. */
static const struct {
  const char *name, *text;
} cases[] = {
  {"translational",
   "trammel: 1\n"
   "gravity: [0, 0, -9.81]\n"
   "bodies: {b: {mass: 1, inertia: [.01, .01, .01], velocity: [2, 0, 0]}}\n"
   "joints: {j: {type: translational, bodies: [ground, b], at: [0, 0, 0], axis: [1, 0, 0],\n"
   "             friction: {static: .12, dynamic: .1, velocity: 1e-3}}}\n"
   "forces: {pull: {type: joint, joint: j, coordinate: displacement, stiffness: 100}}\n"
   "outputs: {way: b.x}\n"},
  {"revolute", /* at a radius of 0.1 m */
   "trammel: 1\n"
   "gravity: [0, 0, -9.81]\n"
   "bodies: {b: {mass: 1, inertia: [.01, .01, .01], angular_velocity: [20, 0, 0]}}\n"
   "joints: {j: {type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [1, 0, 0],\n"
   "             friction: {static: .12, dynamic: .1, velocity: 1e-3, radius: .1}}}\n"
   "forces: {pull: {type: joint, joint: j, coordinate: angle, stiffness: 1}}\n"
   "outputs: {way: .1*j.angle}\n"},
  {"planar", /* along a line that is none of its axes */
   "trammel: 1\n"
   "gravity: [0, 0, -9.81]\n"
   "bodies: {b: {mass: 1, inertia: [.01, .01, .01], velocity: [1.2, 1.6, 0]}}\n"
   "joints: {j: {type: planar, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1],\n"
   "             friction: {static: .12, dynamic: .1, velocity: 1e-3}}}\n"
   "forces: {pull: {type: force, body: b, force: [-100*b.x, -100*b.y, 0]}}\n"
   "outputs: {way: .6*b.x + .8*b.y}\n"},
};
enum { CASES = sizeof cases / sizeof *cases };

/* Output 0 at the end of a run, and its counters. */
static double run_to(const char *text, const char *integrator, double tolerance, double end,
                     trm_counters *counters) {
  typed m = typed_text(text, integrator, NULL);
  trm_sim *sim = NULL;
  trm_error err;
  double place = NAN;
  m.options.integrator = integrator;
  m.options.tolerance = tolerance;
  m.options.end = end;
  CHECK_OK(trm_sim_create(m.system, &m.options, &sim, &err), err);
  CHECK_OK(trm_sim_run(sim, &err), err);
  const trm_values out = {.outputs = &place};
  CHECK_OK(trm_system_values(trm_sim_system(sim), trm_sim_state(sim), &out, &err), err);
  *counters = *trm_sim_counters(sim);
  trm_sim_free(sim);
  typed_close(&m);
  return place;
}

/* Three reversals in 1 s. Methods of high order are as good as on a smooth motion, within a few
 * times the tolerance; those of order two follow tolerance^(2/3), 2e-5, times the swing. */
static void reversals_cost_no_accuracy(void **state) {
  (void)state;
  static const struct {
    const char *integrator;
    double      limit;
  } ways[] = {{"hht", 2e-4}, {"alpha", 2e-4}, {"tdg", 2e-6}, {"radau", 5e-7}, {"explicit", 5e-7}};
  const double right = place_at(1.0);
  for (int c = 0; c < CASES; c++) {
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
      trm_counters n;
      const double place = run_to(cases[c].text, ways[i].integrator, 1e-7, 1.0, &n);
      print_message("%s %s: off by %.2e in %ld steps\n", cases[c].name, ways[i].integrator,
                    place - right, n.steps);
      assert_true(fabs(place - right) <= ways[i].limit);
    }
  }
}

/* At rest, and where nothing reverses, friction limits no step. */
static void rest_and_sliding_cost_nothing(void **state) {
  (void)state;
  static const char *const text =
      "trammel: 1\n"
      "gravity: [%s, 0, -9.81]\n"
      "bodies: {b: {mass: 1, inertia: [.01, .01, .01], velocity: [%s, 0, 0]}}\n"
      "joints: {j: {type: translational, bodies: [ground, b], at: [0, 0, 0], axis: [1, 0, 0],\n"
      "             friction: {static: .12, dynamic: .1, velocity: 1e-3}}}\n"
      "outputs: {way: b.x}\n";
  static const char *const methods[] = {"hht", "tdg", "radau"};
  static const struct {
    const char *pull, *speed;
    long        most; /* steps for 100 s */
  } motions[] = {{"0.5", "0", 60}, {"2", "1", 60}};
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < 3; i++) {
      char full[600];
      trm_counters n;
      snprintf(full, sizeof full, text, motions[k].pull, motions[k].speed);
      run_to(full, methods[i], 1e-5, 100.0, &n);
      print_message("%s: %ld steps, %ld rejected\n", methods[i], n.steps, n.rejected_error);
      assert_true(n.steps + n.rejected_error <= motions[k].most);
    }
  }
}

/* A force that turns keeps a body sliding in circles, at some five times the speed of the band:
 * steps that the direction limits follow each other, without attempts in vain (there were 147 and
 * 143). */
static void circles_repeat_no_steps(void **state) {
  (void)state;
  static const char *const text =
      "trammel: 1\n"
      "gravity: [0, 0, -9.81]\n"
      "bodies: {b: {mass: 1, inertia: [.01, .01, .01], velocity: [0, -.05, 0]}}\n"
      "joints: {j: {type: planar, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1],\n"
      "             friction: {static: .12, dynamic: .1, velocity: 1e-2}}}\n"
      "forces: {pull: {type: force, body: b,\n"
      "                force: [1.4*cos(20*time), 1.4*sin(20*time), 0]}}\n"
      "outputs: {way: b.x}\n";
  static const char *const methods[] = {"radau", "explicit"};
  for (int i = 0; i < 2; i++) {
    trm_counters n;
    run_to(text, methods[i], 1e-7, 5.0, &n);
    print_message("%s: %ld steps, %ld rejected\n", methods[i], n.steps, n.rejected_error);
    assert_true(10 * n.rejected_error <= n.steps);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(reversals_cost_no_accuracy),
    cmocka_unit_test(rest_and_sliding_cost_nothing),
    cmocka_unit_test(circles_repeat_no_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
