/* The error test of the alpha family for any set of coefficients. */
#include "verify/typed.h"

typedef struct set {
  double am, af, beta, gamma;
} set;

/* Energy lost by the pendulum of [TDG] 5.1 in 10 s, and the steps it took. */
static double lost(const set *c, const char *formulation, double tolerance, long *steps) {
  trm_system *system = kit_problem("pendulum", NULL, NULL);
  trm_options o = trm_options_default();
  o.integrator = "alpha";
  o.formulation = formulation;
  o.has_coefficients = true;
  o.alpha_m = c->am, o.alpha_f = c->af, o.beta = c->beta, o.gamma = c->gamma;
  o.tolerance = tolerance;
  o.end = 10.0;
  trm_sim *sim = kit_sim(system, &o);
  double first[3], last[3];
  trm_error err;
  trm_values values = {.energy = first};
  CHECK_OK(trm_system_values(trm_sim_system(sim), trm_sim_state(sim), &values, &err), err);
  kit_run(sim);
  values = (trm_values){.energy = last};
  CHECK_OK(trm_system_values(trm_sim_system(sim), trm_sim_state(sim), &values, &err), err);
  *steps = trm_sim_counters(sim)->steps;
  trm_sim_free(sim);
  trm_system_free(system);
  return fabs(last[0] + last[1] - first[0] - first[1]);
}

/* beta + theta/2 = 1/6 makes the error constant of positions zero, or nearly so. The trapezoidal
 * rule, beta = 1/4, takes about 1500 steps at 1e-6 and loses 9e-5 J. */
static void a_vanishing_constant_does_not_switch_the_test_off(void **state) {
  (void)state;
  static const set sets[] = {{0, 0, 1.0 / 6, 0.5},
                             {0, 0, 0.1666667, 0.5},
                             {0, 0, 0.17, 0.5},
                             {-0.1, 0, 1.0 / 6 + 0.05, 0.6}};
  static const char *const forms[] = {"si2", "index2", "cs", "cm", "projected"};
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
    for (int k = 0; k < 5; k++) {
      long steps = 0, finer = 0;
      const double coarse = lost(&sets[i], forms[k], 1e-6, &steps);
      const double fine = lost(&sets[i], forms[k], 1e-7, &finer);
      print_message("set %zu, %s: %ld steps lose %.2g J, %ld lose %.2g J\n", i, forms[k], steps,
                    coarse, finer, fine);
      CHECK_BETWEEN((double)steps, 800, 2500, "set %zu, %s: steps", i, forms[k]);
      CHECK_BETWEEN(coarse, 0.0, 2e-3, "set %zu, %s: energy", i, forms[k]);
      /* tolerance^(1/3) steps, tolerance^(2/3) errors: factors 2.15 and 4.6 */
      CHECK_BETWEEN((double)finer / (double)steps, 1.9, 2.5, "set %zu, %s", i, forms[k]);
      CHECK_BETWEEN(fine / coarse, 0.0, 0.4, "set %zu, %s: energy falls", i, forms[k]);
    }
  }
}

/* gamma off 1/2 - am + af: first order. Errors fall like the square root of the tolerance. */
static void methods_of_first_order_are_controlled(void **state) {
  (void)state;
  static const set sets[] = {{0, 0, 0.3025, 0.6}, {0, 0.2, 0.4, 0.6}, {0, 0, 0.25, 0.501}};
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
    long steps[3] = {0};
    double left[3] = {0.0};
    for (int k = 0; k < 3; k++) left[k] = lost(&sets[i], "si2", pow(10.0, -4 - k), &steps[k]);
    print_message("set %zu: %ld %ld %ld steps lose %.2g %.2g %.2g J\n", i, steps[0], steps[1],
                  steps[2], left[0], left[1], left[2]);
    CHECK_BETWEEN(left[2], 0.0, 0.06, "set %zu: of 3.5 J at 1e-6", i);
    /* by 10, where errors of second order are not of the same size */
    if (i < 2) CHECK_BETWEEN(left[2] / left[0], 0.0, 1.0 / 6, "set %zu: falls", i);
  }
}

static void an_unstable_set_is_refused(void **state) {
  (void)state;
  trm_error err = {.message = ""};
  trm_system *system = kit_problem("pendulum", NULL, NULL);
  trm_options o = trm_options_default();
  o.integrator = "alpha";
  o.has_coefficients = true;
  o.alpha_m = 0.6, o.alpha_f = 0.2, o.beta = 0.25, o.gamma = 0.5;
  o.end = 1.0;
  trm_sim *sim = NULL;
  CHECK_STATUS(trm_sim_create(system, &o, &sim, &err), TRM_ERR_INPUT);
  assert_non_null(strstr(err.message, "alpha_m = 0.6"));
  trm_system_free(system);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_vanishing_constant_does_not_switch_the_test_off),
      cmocka_unit_test(methods_of_first_order_are_controlled),
      cmocka_unit_test(an_unstable_set_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
