/* collocation_iterate.c - iteration to the solution of one step: tests of convergence and
 * divergence, and the choice among the three methods of collocation_newton.c and
 * collocation_full.c.
 *
 * Corrections are measured by their effect at the stages: psi, h psi' and x over their scales,
 *   dpsi_i = h^2 sum aa_ij d_j,  dpsi'_i = h sum a_ij d_j,  dx_i = h sum a_ij d_j   (1)
 * With theta the rate of convergence, a geometric mean of two, the error after a correction is
 *   eta = theta / (1 - theta)                                                        (2)
 * times the correction; it must be below a part of the tolerance. The first correction of a step
 * uses the eta of the previous step, of size h0. The error of derivatives with respect to
 * velocities, times h, is their change in a step: in a longer one
 *   eta = eta0 (h/h0)^2                                                              (4)
 * After impacts steps grow from a thousandth of their later size, and a prediction so far beyond
 * the last stages is inaccurate: without (4), corrections of thousands of tolerances would be
 * accepted. Passes of the multicorrector converge well and badly in turn, so the worse of two
 * ratios counts there. Where motions leave no degree of freedom, psi gives no information about
 * multipliers; those of radau are also tested, with the real matrix (multiplier_test.c),
 *   h^2 (G^T dlam_i + A^T dmu_i)_m / D_m,   D its diagonal                           (3)
 * At poor rates every iterate of radau gets new matrices. They help where equations bend, not where
 * derivatives differ from stage to stage, as those of stiff parts that turn in the step: no single
 * point has the derivatives of all stages. With q the ratio of two corrections before the first new
 * matrices and q' that of the two corrections that follow these, they are of no use if
 *   q' > q/2                                                                         (5)
 * The attempt then keeps its matrices, and so do some of the following steps unless they fail.
 * Sources: [HairerWanner]. */
#include "integ/collocation.h"
#include "integ/multiplier_test.h"
#include "integ/point_sums.h"
#include "math/both.h"
#include "system/newton_loop.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* At rates of convergence worse than slow_passes, collocation_full.c replaces the passes for
 * HARD_STEPS steps. */
enum { HARD_STEPS = 20, PASSES_MAX = 25 };
/* Number of times that matrices are formed again because stops closed or opened. */
enum { FOREIGN_MAX = 3 };
static const double slow_passes = 0.75;
/* At stops, corrections may exceed their limit by this factor. */
static const double bent = 10.0;
/* Corrections up to these may be noise of a nearly singular pose. */
static const double singular = 1e-6, noise_part = 0.1, noise_least = 1e-8;
/* Expected ratio of the first two loads (3): the ends of steps do not use multipliers of the
 * stages. */
static const double first_load_ratio = 0.01;
/* Factor of (5). */
static const double renewal_helps = 0.5;

/* Largest of a list over its scales in the last stage: it names the unknown. */
static void find_worst(const trmi_collocation *co, double h, trmi_worst *result) {
  const trm_system *sys = co->ctx.sys;
  const int at_x = trmi_places_of(sys).x, s = co->rk->s;
  const double *d = co->d[s - 1];
  double worst = -1.0;
  for (int m = 0; m < sys->n.nv; m++) {
    const double e = h * h * fabs(d[m]) / co->ctx.scale_v[m];
    if (e > worst) worst = e, result->index = m;
  }
  for (int m = 0; m < sys->n.nx; m++) {
    const double e = h * fabs(d[at_x + m]) / fmax(sys->scale_x[m], fabs(co->now.x[m]));
    if (e > worst) worst = e, result->list = TRM_X, result->index = m;
  }
}

/* By (1). */
double trmi_collocation_measure(trmi_collocation *co, double h) {
  const trm_system *sys = co->ctx.sys;
  const trmi_places at = trmi_places_of(sys);
  const trmi_collocation_table *rk = co->rk;
  const int s = rk->s, nv = sys->n.nv, nx = sys->n.nx;
  double sum_x = 0.0;
  trmi_both sum = both(0.0, 0.0); /* of psi' and psi */
  double *restrict first = co->work, *restrict second = co->work + at.n;
  const double *restrict scale_v = co->ctx.scale_v, *states[STAGES_MAX];
  for (int j = 0; j < s; j++) states[j] = co->d[j] + at.x;
  for (int i = 0; i < s; i++) {
    const double *a = rk->a + i * s, *aa = rk->aa + i * s;
    trmi_point_sums((const double *const *)co->d, a, aa, s, nv, first, second);
    if (nx > 0) trmi_point_values(states, a, s, nx, first + at.x);
    for (int m = 0; m < nv; m++) {
      const trmi_both e = both_div(both(first[m], second[m]), both(scale_v[m], scale_v[m]));
      sum = both_add(sum, both_mul(e, e));
    }
    for (int m = 0; m < nx; m++) {
      const double e = h * first[at.x + m] / fmax(sys->scale_x[m], fabs(co->now.x[m]));
      sum_x += e * e;
    }
  }
  const double sum_v = both_at(sum, 0), sum_q = both_at(sum, 1);
  const double of_v = nv > 0 ? h * h * sqrt(fmax(sum_v, sum_q) / (s * nv)) : 0.0;
  const double of_x = nx > 0 ? sqrt(sum_x / (s * nx)) : 0.0;
  return isnan(sum_v + sum_q + sum_x) ? (double)NAN : fmax(of_v, of_x);
}

static void add(trmi_collocation *co) {
  const int n = trmi_places_of(co->ctx.sys).n;
  for (int i = 0; i < co->rk->s; i++) {
    double *restrict z = co->z[i];
    const double *restrict d = co->d[i];
    for (int m = 0; m < n; m++) z[m] += d[m];
  }
}

/* (3), rms over stages and scales. */
static double load_of(trmi_collocation *co, double h) {
  const trm_system *sys = co->ctx.sys;
  const int s = co->rk->s;
  double *force = co->work, sum = 0.0;
  for (int i = 0; i < s; i++) {
    trmi_multiplier_test_force(&co->real, sys, co->d[i], NULL, force);
    sum += trmi_multiplier_test_square(&co->real, sys, co->ctx.scale_v, force);
  }
  return h * h * sqrt(sum / s);
}

/* Rounding in the norm (1). */
static double rounding_of(const trmi_collocation *co, double h) {
  return DBL_EPSILON * fmax(co->q_size, h * co->v_size);
}

/* A part of the error of the motion, and of the estimate, which must remain significant. */
static double tested_error(const trmi_collocation *co) {
  return fmin(trmi_collocation_tolerance(co, co->rk->s), co->ctx.tolerance);
}

/* (7) of impact_steps.c. Passes converge slowly: a larger part of the tolerance may be left, if
 * it is small over the scales as well. */
static double limit_in_stops(const trmi_collocation *co, double h) {
  const double error = tested_error(co);
  const double place = co->is_tdg ? fmin(1e-3 * error, 1e-8) : 1e-4 * error;
  const double most = fmin(place, trmi_care_limit(co->ctx.care, h));
  return fmax(most, 4 * rounding_of(co, h));
}

double trmi_collocation_limit(const trmi_collocation *co, double h) {
  const trm_options *opt = co->ctx.options;
  if (opt->newton_tolerance > 0.0) return opt->newton_tolerance;
  const double rounding = 4 * rounding_of(co, h);
  if (co->ctx.fixed || co->is_plain) return rounding; /* no projection follows */
  /* the error left in h psi' must not appear as a change of energy */
  if (trmi_collocation_by_energy(co)) return fmax(3e-5 * co->ctx.tolerance, rounding);
  const trmi_care *care = co->ctx.care;
  return care->is_closed ? limit_in_stops(co, h) : fmax(0.03 * tested_error(co), rounding);
}

trm_status trmi_collocation_failed(const trmi_collocation *co, double h, trmi_newton_end end,
                                   double size, trmi_attempt *result, trm_error *err) {
  trmi_worst worst = {.list = TRM_V, .index = -1};
  if (end != NEWTON_NOT_FINITE) {
    find_worst(co, h, &worst);
    result->list = worst.list;
    result->index = worst.index;
  }
  return trmi_newton_failed(co->ctx.sys, end, result->iterations, size, worst, err);
}

/* With fixed steps a given tolerance of the test is used unchanged. */
static int most_iterations(const trmi_collocation *co, collocation_scheme scheme) {
  const int given = co->ctx.options->max_iterations;
  if (scheme == BY_PASSES && co->passes > 0) return co->passes;
  if (co->ctx.fixed && co->ctx.options->newton_tolerance > 0.0) return given;
  if (scheme == BY_PASSES) return PASSES_MAX;
  return co->ctx.fixed ? 3 * given : given + 5 * (co->rk->s - 2) / 2; /* fixed: to rounding */
}

/* Do the constraints of all stages hold to rounding? Then corrections that no longer decrease are
 * rounding, amplified by a nearly singular pose. */
static bool constraints_hold(const trmi_collocation *co) {
  const trm_system *sys = co->ctx.sys;
  const int at = trmi_places_of(sys).lam;
  if (co->level != LEVEL_POSITION || sys->n.ng == 0) return false;
  for (int i = 0; i < co->rk->s; i++) {
    for (int m = 0; m < sys->n.ng; m++) {
      if (fabs(co->r[i][at + m]) > 16 * DBL_EPSILON * co->q_size * sys->scale_g[m]) return false;
    }
  }
  return true;
}

/* Near a singular pose, rounding of the constraints moves positions along the free direction, and
 * corrections stay at that size. Corrections up to a part of the tolerance, and at least
 * noise_least, count as such noise. */
static bool is_noise_of_pose(const trmi_collocation *co, double size) {
  return trmi_collocation_is_near(co) &&
         size <= fmax(noise_part * co->ctx.tolerance, noise_least);
}

/* One step as the iteration of newton.h sees it. */
typedef struct iteration {
  trmi_collocation *co;
  double            h;
  collocation_scheme scheme;
  trmi_attempt     *result;
  trmi_multiplier_test loads;
} iteration;

/* Have new matrices been of use? (5), once the corrections that follow them are known. */
static void judge_renewal(trmi_collocation *co, const trmi_newton_monitor *m) {
  trmi_renewal *of = &co->renewal;
  if (of->count == 0 || of->is_judged || m->k < of->first + 2) return;
  of->is_judged = true;
  of->is_useless = m->ratio > renewal_helps * of->ratio;
}

/* Does this iterate get matrices of its own? */
static bool renews(trmi_collocation *co, const trmi_newton_monitor *m) {
  trmi_renewal *of = &co->renewal;
  judge_renewal(co, m);
  if (!(m->k > 1 && m->rate > trmi_slow_rate)) return false;
  if (of->is_useless || (co->choice.unrenewed > 0 && co->failed == 0)) return false;
  if (of->count == 0) of->ratio = m->ratio, of->first = m->k;
  of->count++;
  return true;
}

static trm_status correct(void *self, const trmi_newton_monitor *m, double *size,
                          trm_error *err) {
  const iteration *it = self;
  trmi_collocation *co = it->co;
  const double h = it->h;
  const bool is_slow = renews(co, m);
  for (int i = 0; i < co->rk->s; i++) TRMI_TRY(err, trmi_collocation_residual(co, i, h, err));
  if (co->is_exact) TRMI_TRY(err, trmi_collocation_exact(co, h, err));
  TRMI_TRY(err, trmi_collocation_correct(co, h, it->scheme, is_slow, err));
  *size = trmi_collocation_measure(co, h);
  add(co);
  it->result->iterations++;
  return TRM_OK;
}

/* Are stages at stops accurate enough? Where laws bend sharply, the ratio of corrections does not
 * predict the next one, see alpha_stops.c. */
static trm_status test_stops(const iteration *it, double size, bool *hold, trm_error *err) {
  trmi_collocation *co = it->co;
  bool touches = false;
  *hold = true;
  const bool is_stated = co->ctx.options->newton_tolerance > 0.0;
  if (co->ctx.sys->n.ngaps == 0 || co->ctx.fixed || co->is_plain || is_stated) return TRM_OK;
  if (size <= bent * limit_in_stops(co, it->h)) return TRM_OK;
  TRMI_TRY(err, trmi_collocation_touches(co, it->h, size, &touches, err));
  *hold = !touches;
  return TRM_OK;
}

/* Corrections that do not decrease may be noise of a nearly singular pose. */
static trm_status doubt(void *self, const trmi_newton_monitor *m, trmi_newton_doubt why,
                        trmi_newton_verdict *verdict, trm_error *err) {
  const iteration *it = self;
  const trmi_collocation *co = it->co;
  const bool is_late = why == NEWTON_LAGS;
  bool stops_hold = true;
  if (why == NEWTON_STALLS) {
    if (!(m->size < singular && constraints_hold(co))) return TRM_OK;
    TRMI_TRY(err, test_stops(it, m->size, &stops_hold, err)); /* at stops it may not be noise */
    if (stops_hold) *verdict = NEWTON_IS_GOOD;
    return TRM_OK;
  }
  if (is_noise_of_pose(co, m->size) && (!is_late || m->ratio > 0.3)) {
    *verdict = NEWTON_IS_GOOD;
  } else if (is_late && (m->size < 500 * m->rounding || co->ctx.fixed)) {
    *verdict = NEWTON_GOES_ON;
  } else if (is_late) {
    const double power = -1.0 / (4 + m->most - 2 - m->k);
    it->result->factor = 0.8 * pow(fmin(fmax(m->late, 1e-4), 20.0), power);
  }
  return TRM_OK;
}

static trm_status accept(void *self, const trmi_newton_monitor *m, bool is_noise, bool *is_good,
                         trm_error *err) {
  iteration *it = self;
  *is_good = is_noise;
  if (is_noise) return TRM_OK;
  TRMI_TRY(err, test_stops(it, m->size, is_good, err));
  if (!*is_good || it->scheme != BY_EIGENVALUES) return TRM_OK;
  *is_good = trmi_multiplier_test_holds(&it->loads, load_of(it->co, it->h), m->limit, m->rounding);
  return TRM_OK;
}

/* (4), cautious between steps; not with a given limit, which is far below the error. */
static double first_rest(const trmi_collocation *co, double h) {
  const bool grows = co->h > 0.0 && h > co->h && !(co->ctx.options->newton_tolerance > 0.0);
  const double ratio = grows ? h / co->h : 1.0;
  return fmin(pow(fmax(co->eta, DBL_EPSILON), 0.8) * ratio * ratio, 1.0);
}

/* Iterate with the present matrices, or with new ones if there are none for this step. */
static trm_status iterate(trmi_collocation *co, double h, collocation_scheme scheme,
                          trmi_attempt *result, trm_error *err) {
  iteration step = {.co = co, .h = h, .scheme = scheme, .result = result,
                    .loads = {.ratio = first_load_ratio}};
  const trmi_iteration it = {.self = &step, .correct = correct, .doubt = doubt, .accept = accept};
  const double limit = trmi_collocation_limit(co, h);
  co->renewal = (trmi_renewal){0};
  trmi_newton_monitor m = trmi_newton_rules(most_iterations(co, scheme), limit);
  m.is_counted = scheme == BY_PASSES && co->passes > 0;
  m.uses_rate = true, m.negligible = 0.0;
  /* rounding of the coordinates themselves, and its propagation by constraints */
  m.rounding = rounding_of(co, h);
  m.wide = fmax(5000 * m.rounding, co->rounding);
  m.growth = 0.99, m.growth_first = 2.0;
  m.stall_from = 2, m.stall = 0.5;
  m.averages = m.predicts = true;
  m.alternates = scheme == BY_PASSES;
  m.rate = co->theta;
  m.rest = first_rest(co, h);
  trmi_newton_end end;
  const trm_status status = trmi_newton_iterate(&it, &m, &end, err);
  co->theta = m.rate;
  co->eta = m.rest;
  TRMI_TRY(err, status);
  m.k++; /* as after the last correction */
  judge_renewal(co, &m);
  const bool is_rounding = end == NEWTON_SLOW && m.size < 500 * m.rounding;
  if (end == NEWTON_CONVERGED || is_rounding) return TRM_OK;
  return trmi_collocation_failed(co, h, end, m.size, result, err);
}

/* With the matrices of a closed stop, corrections of an open one are small whatever the residual,
 * and vice versa: such an iterate is not yet a solution. Neither is the last of FOREIGN_MAX
 * iterations, unless the stops that still change are at their borders, where they exert no
 * force. */
static trm_status iterate_at_home(trmi_collocation *co, double h, trmi_attempt *result,
                                  trm_error *err) {
  for (int k = 0; co->ctx.sys->n.ngaps > 0; k++) {
    const bool is_last = k == FOREIGN_MAX;
    bool is_foreign = false;
    TRMI_TRY(err, trmi_collocation_is_foreign(co, h, !is_last, &is_foreign, err));
    if (!is_foreign) return TRM_OK;
    if (is_last) {
      const double size = trmi_collocation_measure(co, h);
      return trmi_collocation_failed(co, h, NEWTON_SLOW, size, result, err);
    }
    co->h_matrix = 0.0;
    co->eta = 1.0;
    TRMI_TRY(err, iterate(co, h, co->is_tdg ? BY_FULL : BY_EIGENVALUES, result, err));
  }
  return TRM_OK;
}

/* The same step once more from its prediction. */
static trm_status iterate_again(trmi_collocation *co, double h, collocation_scheme scheme,
                                trmi_attempt *result, trm_error *err) {
  result->factor = 0.0;
  trmi_collocation_predict(co, h);
  return iterate(co, h, scheme, result, err);
}

/* By damped corrections. If they fail, the first failure is returned: it is more informative. */
static trm_status solve_damped(trmi_collocation *co, double h, trm_status status,
                               trmi_attempt *result, trm_error *err) {
  trm_error own;
  trmi_collocation_predict(co, h);
  const trm_status damped = trmi_collocation_damped(co, h, result, &own);
  if ((damped < 0 || damped == TRM_RETRY_PATTERN) && err != NULL) *err = own;
  return damped <= 0 || damped == TRM_RETRY_PATTERN ? damped : status;
}

trm_status trmi_collocation_solve(trmi_collocation *co, double h, trmi_attempt *result,
                                  trm_error *err) {
  const collocation_scheme scheme = !co->is_tdg ? BY_EIGENVALUES
                              : co->corrects && co->hard == 0 ? BY_PASSES : BY_FULL;
  const bool was_old = co->h_matrix == h && co->s_matrix == co->rk->s;
  co->theta = 0.0;
  trmi_collocation_predict(co, h);
  trm_status status = iterate(co, h, scheme, result, err);
  if (status == TRM_RETRY_PATTERN) return status; /* the whole attempt will be repeated */
  if (scheme == BY_PASSES && co->passes == 0) {
    if (co->theta > slow_passes || status > 0) co->hard = HARD_STEPS;
    if (status > 0) status = iterate_again(co, h, BY_FULL, result, err);
    if (status == TRM_RETRY_PATTERN) return status;
  }
  if (status > 0 && was_old) {
    co->h_matrix = 0.0; /* perhaps the derivatives were too old */
    status = iterate_again(co, h, scheme, result, err);
    if (status == TRM_RETRY_PATTERN) return status;
  }
  if (status > 0 && scheme == BY_EIGENVALUES && trmi_collocation_is_near(co) &&
      trmi_collocation_has_full(co)) { /* G differs between stages */
    co->h_matrix = 0.0; /* taken at iterates that diverged */
    status = iterate_again(co, h, BY_FULL, result, err);
    if (status == TRM_RETRY_PATTERN) return status;
  }
  if (status == TRM_OK) status = iterate_at_home(co, h, result, err);
  if (status == TRM_RETRY_PATTERN) return status;
  const bool is_stated = co->ctx.options->newton_tolerance > 0.0 || co->passes > 0;
  if (status > 0 && co->ctx.fixed && !is_stated) {
    status = solve_damped(co, h, status, result, err);
  }
  TRMI_TRY(err, status);
  return TRM_OK;
}
