/* rolling-disc: nonholonomic rows together with a holonomic one, with a rotation. */
#include "runs.h"

static const model disc = {"rolling-disc", {{0}}};
enum { RUNS = 4, ALL = SET_Q | SET_V | SET_LAM | SET_MU };

/* The disc turns by a few hundredths of a radian in a step: next terms are below 5 %. */
static void check_disc(const char *integrator, double end, double h, double h2) {
  trm_options o = options_steps(end, h, h2);
  o.integrator = integrator;
  check_halving(integrator, &disc, &o, RUNS, ALL, 1.9, 2.1);
}

static void constant_steps_are_second_order_in_both_multipliers(void **state) {
  (void)state;
  check_disc("hht", 2.0, 4e-3, 0.0);
  check_disc("alpha", 2.0, 4e-3, 0.0);
}

static void alternating_steps_are_second_order_in_both_multipliers(void **state) {
  (void)state;
  check_disc("hht", 1.8, 2e-3, 4e-3);
  check_disc("hht", 2.0, 1e-3, 4e-3);
  check_disc("alpha", 1.8, 2e-3, 4e-3);
}

/* Largest |A v + b| over all states of a run. */
static double slip_of(const history *h) {
  trm_error err;
  double slip = 0.0, rate[2];
  trm_system *system = model_create(&disc);
  for (int i = 0; i < h->count; i++) {
    const trm_state s = history_state(h, i);
    CHECK_OK(trm_system_values(system, &s, &(trm_values){.a_rate = rate}, &err), err);
    enlarge(&slip, rate, (const double[2]){0.0, 0.0}, 2);
  }
  trm_system_free(system);
  return slip;
}

/* Rolling is held to 5e-14 of the largest velocity, 20 m/s or rad/s at most. The rate of
 * the contact may keep the constraint tolerance 5e-14 over the step, as its position
 * keeps it, and counts in violation_velocity, too. */
static void the_disc_does_not_slip_at_fixed_steps(void **state) {
  (void)state;
  static const double steps[] = {4e-3, 1e-3};
  for (int i = 0; i < 2; i++) {
    const trm_options o = options_steps(2.0, steps[i], 0.0);
    history h = run(&disc, &o, KEEP_STEPS);
    const double slip = slip_of(&h);
    print_message("h=%g: slip %.2g m/s, all rates %.2g, gap %.2g m\n", steps[i], slip,
                  h.counters.violation_velocity, h.counters.violation_position);
    CHECK_NEAR(slip, 0.0, 1e-12, "velocity of slip, h=%g", steps[i]);
    CHECK_NEAR(h.counters.violation_velocity, 0.0, 5e-14 / steps[i], "rates, h=%g", steps[i]);
    history_free(&h);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(constant_steps_are_second_order_in_both_multipliers),
      cmocka_unit_test(alternating_steps_are_second_order_in_both_multipliers),
      cmocka_unit_test(the_disc_does_not_slip_at_fixed_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
