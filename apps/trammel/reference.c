/* reference.c - see reference.h.
 *
 *   scd   = -log10 max |y - r| / |r|          over q, lam, mu                 (1)
 *   mescd = -log10 max |y - r| / (1 + |r|)    over q, v, v', lam, mu, x       (2)
 * A number that is zero but for rounding has no relative error and does not count in (1).
 * Rotations are compared by the quaternion of the nearer sign. */
#include "reference.h"
#include "crank_reference.h"
#include "interrupt.h"
#include "load_model.h"
#include "report.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double REFERENCE_TOLERANCE = 1e-13;
static const double ZERO = 1e-9;      /* of the largest number of its list      */
static const double DIGITS_MAX = 16;  /* a double has no more                   */

static trm_status take(app_reference *reference, const trm_system *system, trm_error *err) {
  const trm_sizes *n = trm_system_sizes(system);
  const size_t nq = (size_t)trm_system_count(system, TRM_Q), nv = (size_t)n->nv;
  const size_t rest = (size_t)n->ng + (size_t)n->na + (size_t)n->nx;
  reference->numbers = calloc(2 * nq + 3 * nv + rest + 1, sizeof *reference->numbers);
  if (reference->numbers == NULL) return app_fail_memory(err);
  reference->q = reference->numbers;
  reference->v = reference->q + nq;
  reference->vd = reference->v + nv;
  reference->lam = reference->vd + nv;
  reference->mu = reference->lam + n->ng;
  reference->x = reference->mu + n->na;
  reference->near = reference->x + n->nx;
  reference->dpi = reference->near + nq;
  return TRM_OK;
}

void app_reference_free(app_reference *reference) {
  free(reference->numbers);
  reference->numbers = NULL;
}

static void copy(double *to, const double *from, int count) {
  if (count > 0) memcpy(to, from, (size_t)count * sizeof *to);
}

/* ---- the table -------------------------------------------------------- */

/* Value of a parameter: the last setting, or the default. */
static const char *parameter_value(const app_options *options, const trm_problem *problem,
                                   const char *name) {
  for (int i = options->nsettings - 1; i >= 0; i--) {
    if (strcmp(options->settings[i].name, name) == 0) return options->settings[i].value;
  }
  for (int i = 0; i < problem->nparameters; i++) {
    if (strcmp(problem->parameters[i].name, name) == 0) return problem->parameters[i].value;
  }
  return "";
}

static bool find_in_table(app_reference *reference, const app_options *options) {
  const trm_problem *problem = trm_problem_find(options->model);
  if (options->loaded != NULL || problem == NULL) return false;
  if (strcmp(problem->name, "slider-crank") != 0) return false;
  if (!isnan(options->sim.end) && options->sim.end != problem->end) return false;
  if (strtod(parameter_value(options, problem, "speed"), NULL) != 150) return false;
  app_crank_reference crank;
  const bool found = app_crank_reference_find(
      parameter_value(options, problem, "pi"),
      strcmp(parameter_value(options, problem, "nonlinear"), "1") == 0,
      strcmp(parameter_value(options, problem, "damping"), "1") == 0,
      strcmp(parameter_value(options, problem, "start"), "rigid") == 0, &crank);
  if (!found) return false;
  copy(reference->q, crank.q, APP_CRANK_NV);
  copy(reference->v, crank.v, APP_CRANK_NV);
  copy(reference->vd, crank.vd, APP_CRANK_NV);
  copy(reference->lam, crank.lam, APP_CRANK_NG);
  snprintf(reference->source, sizeof reference->source,
           "problem 19 of the IVP test set, end values of 24 digits");
  return true;
}

/* ---- a run ------------------------------------------------------------ */

static trm_status run_reference(app_reference *reference, const app_options *options,
                                trm_system *system, trm_error *err) {
  trm_options given, best = trm_options_default();
  trm_status status = app_model_options(options, &given, err);
  if (status != TRM_OK) return status;
  best.start = given.start;
  best.end = given.end;
  best.integrator = "explicit";
  best.formulation = "dop853";
  best.tolerance = REFERENCE_TOLERANCE;
  best.should_stop = given.should_stop;
  trm_sim *sim = NULL;
  status = trm_sim_create(system, &best, &sim, err);
  if (status == TRM_OK) status = trm_sim_run(sim, err);
  if (status == TRM_OK) {
    const trm_sizes *n = trm_system_sizes(system);
    const trm_state *s = trm_sim_state(sim);
    copy(reference->q, s->q, trm_system_count(system, TRM_Q));
    copy(reference->v, s->v, n->nv);
    copy(reference->vd, s->vd, n->nv);
    copy(reference->lam, s->lam, n->ng);
    copy(reference->mu, s->mu, n->na);
    copy(reference->x, s->x, n->nx);
    snprintf(reference->source, sizeof reference->source,
             "a run of explicit dop853 at a tolerance of %g", REFERENCE_TOLERANCE);
  }
  trm_sim_free(sim);
  return status;
}

trm_status app_reference_find(app_reference *reference, const app_options *options,
                              trm_error *err) {
  *reference = (app_reference){.exists = false};
  trm_system *system;
  trm_status status = app_model_create(options, &system, err);
  if (status != TRM_OK) return status;
  status = take(reference, system, err);
  if (status == TRM_OK && !find_in_table(reference, options)) {
    status = run_reference(reference, options, system, err);
  }
  trm_system_free(system);
  reference->exists = status == TRM_OK;
  const bool is_numerical = status != TRM_OK && status != TRM_ERR_STOPPED &&
                            status != TRM_ERR_MEMORY && status != TRM_ERR_INPUT;
  if (!is_numerical) return status;
  snprintf(reference->source, sizeof reference->source, "none: explicit dop853 failed (%s)",
           err->message);
  return TRM_OK;
}

/* ---- digits ----------------------------------------------------------- */

static double largest(const double *y, int count) {
  double most = 0;
  for (int i = 0; i < count; i++) most = fmax(most, fabs(y[i]));
  return most;
}

/* NaN wins, so that it cannot hide. */
static void enlarge(double *worst, double error) {
  if (!(error <= *worst) && !isnan(*worst)) *worst = error;
}

/* Errors of one list; `relative` is NULL where (1) does not count it. */
static void compare(const double *y, const double *r, int count, double *relative, double *mixed) {
  const double zero = ZERO * largest(r, count);
  for (int i = 0; i < count; i++) {
    const double error = fabs(y[i] - r[i]);
    enlarge(mixed, error / (1 + fabs(r[i])));
    if (relative != NULL && fabs(r[i]) > zero) enlarge(relative, error / fabs(r[i]));
  }
}

static double digits(double worst) {
  return fmin(-log10(worst), DIGITS_MAX);
}

void app_reference_digits(const app_reference *reference, const trm_system *system,
                          const trm_state *s, double *scd, double *mescd) {
  *scd = *mescd = NAN;
  if (!reference->exists) return;
  const trm_sizes *n = trm_system_sizes(system);
  double relative = 0, mixed = 0;
  trm_system_difference(system, s->q, reference->q, reference->dpi);
  trm_system_retract(system, reference->q, reference->dpi, reference->near);
  /* without rotations the numbers themselves, free of the rounding of that way */
  const double *q = n->nrot > 0 ? reference->near : s->q;
  compare(q, reference->q, trm_system_count(system, TRM_Q), &relative, &mixed);
  compare(s->lam, reference->lam, n->ng, &relative, &mixed);
  compare(s->mu, reference->mu, n->na, &relative, &mixed);
  compare(s->v, reference->v, n->nv, NULL, &mixed);
  compare(s->vd, reference->vd, n->nv, NULL, &mixed);
  compare(s->x, reference->x, n->nx, NULL, &mixed);
  *scd = digits(relative);
  *mescd = digits(mixed);
}
