/* The linear solver is a matter of speed: with blocks, KLU and LAPACK fixed steps lead to the
 * same motion. */
#include "runs.h"

static const struct {
  model  model;
  double end, h; /* [s] */
} cases[] = {
    {{"chain", {{"links", "30"}}}, 0.2, 1e-3},
    {{"slider-crank", {{0}}}, 0.02, 1e-4}, /* a closed loop */
    {{"heavy-top", {{0}}}, 0.2, 1e-3},
    {{"double-pendulum", {{0}}}, 0.1, 1e-3},
    {{"rolling-disc", {{0}}}, 0.5, 2e-3},
    {{"servo", {{0}}}, 0.5, 2e-3},
};
enum { CASES = sizeof cases / sizeof *cases };

/* Largest difference of q and h v over all steps, relative to the largest number: what Newton
 * leaves in a step is measured by positions, and gamma/(beta h) as large in velocities. */
static double difference(const history *a, const history *b, double h) {
  double worst = 0.0, largest = 1.0;
  assert_int_equal(a->count, b->count);
  for (int i = 0; i < a->count; i++) {
    const double *x = a->numbers + (size_t)i * (size_t)a->width;
    const double *y = b->numbers + (size_t)i * (size_t)b->width;
    for (int k = 0; k < a->nq + a->n.nv; k++) { /* q v stand first */
      const double scale = k < a->nq ? 1.0 : h;
      if (!(scale * fabs(x[k] - y[k]) <= worst)) worst = scale * fabs(x[k] - y[k]);
      if (!(scale * fabs(x[k]) <= largest)) largest = scale * fabs(x[k]);
    }
  }
  return worst / largest;
}

static void check_agreement(const char *integrator) {
  const char *const solvers[] = {"block", "klu", "dense"};
  for (int c = 0; c < CASES; c++) {
    history first = {0};
    for (int s = 0; s < 3; s++) {
      trm_options o = options_steps(cases[c].end, cases[c].h, 0.0);
      o.integrator = integrator;
      o.solver = solvers[s];
      o.newton_tolerance = 1e-12;
      history h = run(&cases[c].model, &o, KEEP_STEPS);
      if (s == 0) {
        first = h;
        assert_true(first.count > 50);
        continue;
      }
      /* Newton leaves 1e-12 in each step; some hundred of them */
      CHECK_NEAR(difference(&h, &first, cases[c].h), 0.0, 1e-9, "%s, %s: %s beside block",
                 cases[c].model.problem, integrator, solvers[s]);
      history_free(&h);
    }
    history_free(&first);
  }
}

static void hht_does_not_depend_on_the_solver(void **state) {
  (void)state;
  check_agreement("hht");
}

static void alpha_does_not_depend_on_the_solver(void **state) {
  (void)state;
  check_agreement("alpha");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hht_does_not_depend_on_the_solver),
      cmocka_unit_test(alpha_does_not_depend_on_the_solver),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
