/* test_si2_iterations.c - the stabilized index-2 step by two small solves takes as many iterations
 * as the full Newton system, which is solved step by step beside it. */
#include "unit/si2.h"

static void chain_needs_at_most_one_iteration_more(void **unused) {
  (void)unused;
  const double steps[] = {1e-3, 1e-2};
  for (int k = 0; k < 2; k++) {
    trm_error err;
    trm_system *sys = NULL;
    const trm_setting links = {"links", "8"};
    CHECK_OK(trm_problem_create(trm_problem_find("chain"), &links, 1, NULL, &sys, &err), err);
    compare_iterations(sys, steps[k], 40, k == 0 ? "chain, h = 1e-3" : "chain, h = 1e-2");
    trm_system_free(sys);
  }
}

static void stiff_springs_need_at_most_one_iteration_more(void **unused) {
  (void)unused;
  const double h = 2e-3, h_omega[] = {0.1, 0.3, 1, 3, 10, 30, 100};
  for (int k = 0; k < 7; k++) {
    springs self = {.stiffness = pow(h_omega[k] / h, 2), .damping = 0.02 * h_omega[k] / h};
    trm_system_def def = trm_system_def_default();
    def.ops = &springs_ops;
    def.self = &self;
    trm_error err;
    trm_system *sys = NULL;
    CHECK_OK(trm_system_create(&def, &sys, &err), err);
    char what[60];
    snprintf(what, sizeof what, "springs, h omega = %g", h_omega[k]);
    compare_iterations(sys, h, 40, what);
    trm_system_free(sys);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chain_needs_at_most_one_iteration_more),
      cmocka_unit_test(stiff_springs_need_at_most_one_iteration_more),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
