/* bench_condition.c - condition of the index-3 Newton matrix over the step, in the three
 * scalings that [HHT] considers.
 *
 *   condition model=NAME unknowns=.. h=.. a=.. b=.. c=..
 *
 * The matrix is the one that the integrator hht, form index3, gives to its solver in the fourth
 * step from the start, with the option --scaling a, b and c. Condition: largest over smallest
 * singular value. */
#include "bench.h"
#include "integ/alpha.h"
#include "integ/driver.h"
#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNKNOWNS_MAX = 160, STEPS = 4 };

static const bench_model models[] = {
    {.name = "pendulum"},
    {.name = "double-pendulum"},
    {.name = "slider-crank"},
    {.name = "chain", .parameter = "links", .value = "10"},
};
static const double steps[] = {1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 3e-6, 1e-6};

static double condition(const double *matrix, int n) {
  static double copy[UNKNOWNS_MAX * UNKNOWNS_MAX], sigma[UNKNOWNS_MAX], work[UNKNOWNS_MAX], none[1];
  memcpy(copy, matrix, (size_t)(n * n) * sizeof(double));
  if (LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'N', 'N', n, n, copy, n, sigma, none, 1, none, 1, work) !=
      0) {
    bench_fail("no singular values");
  }
  return sigma[0] / sigma[n - 1];
}

static trm_sim *open_sim(const bench_model *model, double h, const char *scaling,
                         trm_system **system) {
  trm_error err;
  const trm_setting setting = {.name = model->parameter, .value = model->value};
  bench_require(trm_problem_create(trm_problem_find(model->name), &setting,
                                   model->parameter != NULL, NULL, system, &err), &err);
  trm_options options = trm_options_default();
  options.formulation = "index3";
  options.solver = "klu";
  options.scaling = scaling;
  options.steps[0] = h;
  options.nsteps = 1;
  options.end = STEPS * h;
  trm_sim *sim;
  bench_require(trm_sim_create(*system, &options, &sim, &err), &err);
  bench_require(trm_sim_run(sim, &err), &err);
  return sim;
}

static double measure(const bench_model *model, double h, const char *scaling, int *unknowns) {
  static double matrix[UNKNOWNS_MAX * UNKNOWNS_MAX];
  trm_system *system;
  trm_error err;
  trm_sim *sim = open_sim(model, h, scaling, &system);
  trmi_alpha *ga = sim->integ;
  ga->is_light = false;
  bench_require(trmi_alpha_refresh(ga, h, ALPHA_INDEX3_MATRIX, &err), &err);
  const trmi_plan *plan = &ga->index3_matrix.plan;
  const double *columns = trmi_linear_columns(&ga->index3_matrix.lin);
  const int n = *unknowns = plan->n;
  if (n > UNKNOWNS_MAX) bench_fail("the matrix is too large");
  memset(matrix, 0, (size_t)(n * n) * sizeof(double));
  for (int j = 0; j < n; j++) {
    for (int k = plan->Ap[j]; k < plan->Ap[j + 1]; k++) matrix[j * n + plan->Ai[k]] = columns[k];
  }
  const double result = condition(matrix, n);
  trm_sim_free(sim);
  trm_system_free(system);
  return result;
}

static void show(const bench_model *model, double h) {
  int n;
  const double a = measure(model, h, "a", &n), b = measure(model, h, "b", &n);
  const double c = measure(model, h, "c", &n);
  printf("condition model=%s unknowns=%d h=%g a=%.4e b=%.4e c=%.4e\n", model->name, n, h, a, b, c);
}

int main(void) {
  for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) show(&models[m], steps[i]);
  }
  return 0;
}
