/* The motion does not depend on the unit of a coordinate. */
#include "runs.h"

/* A run with coordinate x in a unit of `unit` metres; states back in metres. */
static history run_in(const char *name, double unit, double h) {
  const model m = {"pendulum", {{"unit_x", name}}};
  const trm_options o = options_steps(10.0, h, 0.0);
  history in_unit = run(&m, &o, KEEP_STEPS);
  for (int i = 0; i < in_unit.count; i++) {
    const trm_state s = history_state(&in_unit, i);
    s.q[0] *= unit;
    s.v[0] *= unit;
    s.vd[0] *= unit;
  }
  return in_unit;
}

/* Every decision of the step is made in scaled numbers, so the runs take the same way
 * and only rounding differs: 1e-16 of positions, 1e-16/(beta h^2) < 1e-10 of multipliers,
 * over up to 4000 steps of a motion that enlarges errors some ten times. */
static const double tol = 1e-9;

static void check_same(const history *a, const history *b, double h, const char *name) {
  double q = 0.0, v = 0.0, lam = 0.0;
  assert_int_equal(a->count, b->count);
  for (int i = 0; i < a->count; i++) {
    const trm_state s = history_state(a, i), r = history_state(b, i);
    enlarge(&q, s.q, r.q, 2);
    enlarge(&v, s.v, r.v, 2);
    enlarge(&lam, s.lam, r.lam, 1);
  }
  print_message("h=%g, x in %s: q %.2g v %.2g lam %.2g\n", h, name, q, v, lam);
  CHECK_NEAR(q, 0.0, tol, "positions, h=%g, x in %s", h, name);
  CHECK_NEAR(v, 0.0, tol, "velocities, h=%g, x in %s", h, name);
  CHECK_NEAR(lam, 0.0, tol, "multipliers, h=%g, x in %s", h, name);
}

static void compare_units(double h) {
  history in_m = run_in("m", 1.0, h), in_km = run_in("km", 1e3, h), in_mm = run_in("mm", 1e-3, h);
  check_same(&in_m, &in_km, h, "km");
  check_same(&in_m, &in_mm, h, "mm");
  history_free(&in_m);
  history_free(&in_km);
  history_free(&in_mm);
}

static void pendulum_is_the_same_in_every_unit_at_40_ms(void **state) {
  (void)state;
  compare_units(0.04);
}

static void pendulum_is_the_same_in_every_unit_at_10_ms(void **state) {
  (void)state;
  compare_units(0.01);
}

static void pendulum_is_the_same_in_every_unit_at_2_5_ms(void **state) {
  (void)state;
  compare_units(0.0025);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pendulum_is_the_same_in_every_unit_at_40_ms),
      cmocka_unit_test(pendulum_is_the_same_in_every_unit_at_10_ms),
      cmocka_unit_test(pendulum_is_the_same_in_every_unit_at_2_5_ms),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
