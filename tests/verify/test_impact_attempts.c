/* test_impact_attempts.c - steps in impacts are seldom tried in vain. */
#include "sanitized.h"
#include "verify/typed.h"
#include <stdio.h>

static trm_counters counters_of(const char *name, const trm_setting *settings, const char *method,
                                double end) {
  typed m = typed_model(name, settings);
  trm_options o = m.options;
  trm_error err = {.message = ""};
  o.integrator = method, o.formulation = NULL;
  o.tolerance = 1e-5;
  if (end > 0.0) o.end = end;
  trm_sim *sim = kit_sim(m.system, &o);
  CHECK_OK(trm_sim_run(sim, &err), err);
  const trm_counters counters = *trm_sim_counters(sim);
  trm_sim_free(sim);
  typed_close(&m);
  return counters;
}

/* The pin crosses its slot, and the nearer of the two sides changes: the rate of the gap jumps,
 * with nothing in touch. 18 attempts are repeated; 40 when such a jump was taken for an error of
 * the speed, which shortened steps to a microsecond. */
static void nearest_features_may_change(void **state) {
  (void)state;
  const long rejected = counters_of("geneva", NULL, "hht", 0.38).rejected_error;
  if (rejected > 25) fail_msg("%ld attempts were rejected", rejected);
}

/* Rounding changes which attempts are repeated: 150 to 246 in 1660 to 1940 steps, so the mean of 16
 * runs counts, whose masses differ by 1e-9 of them: 189 with a standard deviation of the mean of 6.
 * It was 245, with one of 11, when kinks were approached by halves. */
static void attempts_in_impacts_are_foreseen(void **state) {
  (void)state;
  const int runs = IS_SANITIZED ? 1 : 16;
  double rejected = 0.0, steps = 0.0;
  for (int k = 0; k < runs; k++) {
    char mass[32];
    snprintf(mass, sizeof mass, "%.12f", 0.3 * (1.0 + 1e-9 * k));
    const trm_setting settings[] = {{"bodies.wheel.mass", mass}, {NULL, NULL}};
    const trm_counters c = counters_of("geneva", settings, "radau", 0.0);
    rejected += (double)c.rejected_error / runs;
    steps += (double)c.steps / runs;
  }
  if (IS_SANITIZED) return; /* a single run says nothing */
  if (!(rejected < 215.0)) fail_msg("%g attempts were rejected in the mean", rejected);
  if (!(steps < 1900.0)) fail_msg("%g steps in the mean", steps);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nearest_features_may_change),
      cmocka_unit_test(attempts_in_impacts_are_foreseen),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
