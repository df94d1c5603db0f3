/* Heavy top: one fast body on the rotation group, with multipliers. Orders of hht si2;
 * accuracy and invariants of `explicit`. */
#include "math/so3.h"
#include "math/vec.h"
#include "runs.h"

static const model top = {"heavy-top", {{0}}};
enum { RUNS = 4, ROTATION = 3 };

/* The top turns by .15 rad in the first steps of 1 ms: (h w)^2 = .02 is the size of the
 * next terms against the leading one. */
static void hht_is_second_order_on_rotations(void **state) {
  (void)state;
  const int set = SET_Q | SET_V | SET_LAM;
  const trm_options constant = options_steps(0.3, 1e-3, 0.0);
  const trm_options two = options_steps(0.3, 5e-4, 1e-3), four = options_steps(0.3, 3e-4, 1.2e-3);
  check_halving("heavy-top", &top, &constant, RUNS, set, 1.9, 2.1);
  check_halving("heavy-top, steps 1:2", &top, &two, RUNS, set, 1.9, 2.1);
  check_halving("heavy-top, steps 1:4", &top, &four, RUNS, set, 1.9, 2.1);
}

/* Errors at t = .3 against dop853 at 1e-14. The error per step is the tolerance, some
 * 200 steps add up to below 1e-10 even at 1e-12; multipliers, of 300 N, and rates, of
 * 150 rad/s, relative to their size. */
static void check_end(const trm_options *o) {
  const double tol = 1e-10;
  const trm_options finest = options_explicit(0.3, 1e-14);
  history end = run(&top, o, KEEP_LAST);
  errors e;
  compare_with(&top, &finest, &end, 1, &e);
  history_free(&end);
  print_message("explicit at %g: q %.2g v %.2g lam %.2g\n", o->tolerance, e.largest[OF_Q],
                e.largest[OF_V], e.largest[OF_LAM]);
  CHECK_NEAR(e.largest[OF_Q], 0.0, tol, "positions at tolerance %g", o->tolerance);
  CHECK_NEAR(e.largest[OF_V], 0.0, 150 * tol, "velocities at tolerance %g", o->tolerance);
  CHECK_NEAR(e.largest[OF_LAM], 0.0, 300 * tol, "multipliers at tolerance %g", o->tolerance);
}

static void dop853_agrees_at_all_fine_tolerances(void **state) {
  (void)state;
  trm_options o = options_explicit(0.3, 1e-12);
  check_end(&o);
  o.tolerance = 1e-13;
  check_end(&o);
}

static void dopri5_agrees_with_dop853(void **state) {
  (void)state;
  trm_options o = options_explicit(0.3, 1e-12);
  o.formulation = "dopri5";
  check_end(&o);
}

static void explicit_keeps_quaternion_constraint_and_energy(void **state) {
  (void)state;
  const trm_options o = options_explicit(1.0, 1e-12);
  history h = run(&top, &o, KEEP_STEPS);
  const double energy = energy_of(&top, &h, 0);
  double length = 0.0, drift = 0.0;
  for (int i = 0; i < h.count; i++) {
    const trm_state s = history_state(&h, i);
    const double *p = s.q + ROTATION;
    const double size = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    length = fmax(length, fabs(size - 1.0));
    drift = fmax(drift, fabs(energy_of(&top, &h, i) - energy));
  }
  print_message("|p|-1 %.2g, |g| %.2g, energy %.4g, drift %.2g\n", length,
                h.counters.violation_position, energy, drift);
  /* both are restored in every step, to the rounding of numbers of size one */
  CHECK_NEAR(length, 0.0, 1e-13, "length of the quaternion");
  CHECK_NEAR(h.counters.violation_position, 0.0, 1e-13, "constraint");
  /* local errors of 1e-12, over 1000 steps */
  CHECK_NEAR(drift, 0.0, 1e-10 * energy, "energy");
  history_free(&h);
}

/* Angular momentum about the vertical through the tip, of a body with the data of the
 * problem. */
static double vertical_momentum(const trm_state *s) {
  double R[9];
  trmi_quat_matrix(s->q + ROTATION, R);
  const trmi_vec3 J = v3(0.234375, 0.46875, 0.234375);
  const trmi_vec3 orbit = v3_cross(v3_load(s->q), v3_load(s->v));
  return 15.0 * orbit.z + m3_mul(R, v3_times(J, v3_load(s->v + ROTATION))).z;
}

/* Gravity is vertical and passes the axis of symmetry, y of the body: it changes neither
 * the vertical momentum nor the spin. The equations know nothing of this. */
static void vertical_momentum_and_spin_stay(void **state) {
  (void)state;
  const trm_options o = options_explicit(1.0, 1e-12);
  history h = run(&top, &o, KEEP_STEPS);
  double momentum = 0.0, spin = 0.0;
  const trm_state s0 = history_state(&h, 0);
  for (int i = 1; i < h.count; i++) {
    const trm_state s = history_state(&h, i);
    momentum = fmax(momentum, fabs(vertical_momentum(&s) - vertical_momentum(&s0)));
    spin = fmax(spin, fabs(s.v[ROTATION + 1] - s0.v[ROTATION + 1]));
  }
  print_message("vertical momentum %.4g changes by %.2g, spin by %.2g\n", vertical_momentum(&s0),
                momentum, spin);
  /* local errors of 1e-12 of numbers up to 150, over 1000 steps */
  CHECK_NEAR(momentum, 0.0, 1e-7, "vertical momentum");
  CHECK_NEAR(spin, 0.0, 1e-7, "spin");
  history_free(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hht_is_second_order_on_rotations),
      cmocka_unit_test(dop853_agrees_at_all_fine_tolerances),
      cmocka_unit_test(dopri5_agrees_with_dop853),
      cmocka_unit_test(explicit_keeps_quaternion_constraint_and_energy),
      cmocka_unit_test(vertical_momentum_and_spin_stay),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
