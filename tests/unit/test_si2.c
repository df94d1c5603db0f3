/* The stabilized index-2 step by two small solves against the full Newton system,
 * assembled densely here from the same blocks:
 *
 *   M_C da + B Kt T (da+ds) + G'dlam + A'dmu - gh Qx dy - Qw dw = -r            (1)
 *   M_C ds                  + G'deta + A'dzeta - gh Qx dys - Qw dws = -r2       (2)
 *   G T (da+ds) = -g/B,   G da + B/gh Z T (da+ds) = -g_rate/gh                  (3)
 *   A da + B/gh Za T (da+ds) = -a_rate/gh,   A ds = 0                           (4)
 *   rows of d and w for (da, da+ds, dlam, dy, dw), and without q-derivatives and
 *   right-hand side for (ds, deta, dys, dws)                                    (5)
 *
 * with B = beta h^2, gh = gamma h. */
#include "unit/si2.h"

/* cm is without the derivatives of G^T lam and A^T mu. */
static void two_solves_equal_the_full_newton_step(void **unused) {
  (void)unused;
  for (uint64_t trial = 1; trial <= 200; trial++) {
    trm_error err;
    uint64_t start = trial * 7919;
    trm_system_def def = trm_system_def_default();
    def.ops = &noise;
    def.self = &start;
    trm_system *sys = NULL;
    CHECK_OK(trm_system_create(&def, &sys, &err), err);
    trm_options opt = trm_options_default();
    opt.end = 1;
    opt.nsteps = 1;
    opt.steps[0] = trial % 3 == 0 ? 1.0 : 0.1;
    opt.formulation = trial > 100 ? "cm" : "si2";
    opt.has_coefficients = true; /* any am, af, beta, gamma */
    opt.alpha_m = 0.2 * (double)(trial % 4) - 0.1, opt.alpha_f = 0.1 * (double)(trial % 5);
    opt.beta = 0.3, opt.gamma = 0.6;
    check_correction(sys, &opt, trial, 1e-10); /* two different eliminations: condition 1e3 */
    trm_system_free(sys);
  }
}

/* Mechanisms are well conditioned: rounding of two eliminations stays below 1e-12. */
static void cm_is_index_2_without_two_terms(void **unused) {
  (void)unused;
  static const char *const problems[] = {"double-pendulum", "servo", "rolling-disc", "heavy-top"};
  for (int k = 0; k < 4; k++) {
    for (uint64_t trial = 1; trial <= 10; trial++) {
      trm_error err;
      trm_system *sys = NULL;
      CHECK_OK(trm_problem_create(trm_problem_find(problems[k]), NULL, 0, NULL, &sys, &err), err);
      trm_options opt = trm_options_default();
      opt.end = 1;
      opt.nsteps = 1;
      opt.steps[0] = 0.01;
      opt.formulation = "cm";
      check_correction(sys, &opt, trial, 1e-12);
      trm_system_free(sys);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_solves_equal_the_full_newton_step),
      cmocka_unit_test(cm_is_index_2_without_two_terms),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
