/* alpha_projected.c - the alpha-method on the underlying equations, projected; [ALPHA] (2.5).
 *
 *   a1 from (2) of alpha.c with acc1 = v' of the index-1 system at (q1, v1)              (1)
 *   q~ = q0 (+) delta, v~ by (3), (4) of alpha.c with s = 0                              (2)
 *   M (q1 - q~) + G^T nu = 0,  g(q1) = 0;   M (v1 - v~) + G^T mu = 0,  G v1 + g_t = 0     (3)
 * M and G^T of (3) are those of q~, or with `projected-final` those of q1. The unknown is the whole
 * of a1: (3) removes the effect of its normal part on (q1, v1), but the next step starts from it.
 * The residual of acc(a1) in the index-1 system at (q1, v1), with lam and mu of acc1, is
 *   motion = M (acc(a1) - acc1),   (G acc(a1) + g_bias)/c,   (A acc(a1) + a_bias)/c         (4)
 * The motion is solved with the first matrix of the step, with zeros in the rows of lam and mu, and
 * gives the correction P that changes (q1, v1). The rest, minus G P and A P, is solved with the
 * second matrix and gives the normal correction d; a1 changes by P + d. That matrix also treats d
 * as a change of v1, an overestimate for states that read velocities: a second correction may be
 * larger than the first, and the rate of convergence is measured from the third on. */
#include "integ/alpha.h"
#include "system/newton_loop.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* (3), then accelerations, multipliers, rates and variables there. */
static trm_status project(trmi_alpha *ga, trm_error *err) {
  trm_system *sys = ga->ctx.sys;
  trmi_consistent *consistent = ga->ctx.consistent;
  trm_state *end = &ga->end;
  trmi_state_copy(sys, &ga->next, end);
  TRMI_TRY(err, trmi_consistent_project(consistent, end, err));
  for (int k = 0; k < 2 && ga->traits->is_final; k++) {
    trmi_state_copy(sys, end, &consistent->trial);
    trmi_state_copy(sys, &ga->next, end);
    TRMI_TRY(err, trmi_consistent_project_as(consistent, &consistent->trial, end, err));
  }
  TRMI_TRY(err, trmi_consistent_accelerations(consistent, end, err));
  return TRM_OK;
}

/* Negative residual (4) at the end of the step with the accelerations of a1, into r. */
static trm_status residual(trmi_alpha *ga, trm_error *err) {
  trm_state mixed = ga->end;
  mixed.vd = ga->next.vd;
  mixed.xd = ga->next.xd;
  TRMI_TRY(err, trmi_alpha_index1(ga, &mixed, err));
  return TRM_OK;
}

/* Matrices at the end of the step. */
static trm_status refresh(trmi_alpha *ga, double h, trm_error *err) {
  const trm_state next = ga->next;
  ga->next = ga->end;
  ga->off = 0.0; /* the end is on its constraints */
  const trm_status status =
      trmi_alpha_refresh(ga, h, ALPHA_INDEX3_MATRIX | ALPHA_PROJECTION_MATRIX, err);
  ga->next = next;
  TRMI_TRY(err, status);
  return TRM_OK;
}

/* P + d with their multipliers, states and variables, into r. */
static trm_status correct(trmi_alpha *ga, trm_error *err) {
  const trm_system *sys = ga->ctx.sys;
  const trmi_places at = trmi_places_of(sys);
  double *r = ga->r, *r2 = ga->r2;
  memset(r2, 0, (size_t)at.n * sizeof *r2);
  for (int i = at.lam; i < at.x; i++) r2[i] = r[i], r[i] = 0.0;
  TRMI_TRY(err, trmi_linear_solve(&ga->index3_matrix.lin, r, err));
  trmi_sparse_add_mul(&sys->block[TRM_G], -1.0, r, r2 + at.lam);
  if (sys->n.na > 0) trmi_sparse_add_mul(&sys->block[TRM_A], -1.0, r, r2 + at.mu);
  TRMI_TRY(err, trmi_linear_solve(&ga->projection_matrix.lin, r2, err));
  for (int i = 0; i < at.n; i++) r[i] += r2[i];
  return TRM_OK;
}

trm_status trmi_alpha_projected_correct(trmi_alpha *ga, double h, bool is_new, trm_error *err) {
  TRMI_TRY(err, project(ga, err));
  if (is_new) TRMI_TRY(err, refresh(ga, h, err));
  TRMI_TRY(err, residual(ga, err));
  TRMI_TRY(err, correct(ga, err));
  return TRM_OK;
}

double trmi_alpha_projected_update(trmi_alpha *ga, double h, trmi_attempt *result) {
  const trm_system *sys = ga->ctx.sys;
  const trmi_places at = trmi_places_of(sys);
  const double bh2 = ga->beta * h * h, gh = ga->gamma * h;
  trm_state *s = &ga->next;
  double sum = 0.0, sum_x = 0.0, worst = -1.0;
  for (int i = 0; i < sys->n.nv; i++) {
    const double P = ga->r[i], e = bh2 * P / ga->ctx.scale_v[i];
    ga->delta[i] += bh2 * P;
    ga->a_next[i] += P;
    s->v[i] += gh * P;
    s->vd[i] += ga->c * P;
    sum += e * e;
    if (!(fabs(e) <= worst)) worst = fabs(e), result->list = TRM_V, result->index = i;
  }
  for (int i = 0; i < sys->n.nx; i++) {
    const double dy = ga->r[at.x + i], e = gh * dy / fmax(sys->scale_x[i], fabs(s->x[i]));
    ga->y_next[i] += dy;
    s->xd[i] += ga->c * dy;
    s->x[i] += gh * dy;
    sum_x += e * e;
    if (!(fabs(e) <= worst)) worst = fabs(e), result->list = TRM_X, result->index = i;
  }
  trm_system_retract(sys, ga->now.q, ga->delta, s->q);
  const double of_v = sqrt(sum / sys->n.nv);
  const double of_x = sys->n.nx > 0 ? sqrt(sum_x / sys->n.nx) : 0.0;
  return isnan(sum + sum_x) ? (double)NAN : fmax(of_v, of_x);
}

trm_status trmi_alpha_projected_end(trmi_alpha *ga, trmi_violation *off, trm_error *err) {
  TRMI_TRY(err, project(ga, err));
  TRMI_TRY(err, trmi_consistent_violation(ga->ctx.consistent, &ga->end, off, err));
  trmi_state_copy(ga->ctx.sys, &ga->end, &ga->next);
  return TRM_OK;
}

/* One step as the iteration of newton.h sees it. */
typedef struct iteration {
  trmi_alpha   *ga;
  double        h;
  trmi_attempt *result;
} iteration;

static trm_status next_correction(void *self, const trmi_newton_monitor *m, double *size,
                                  trm_error *err) {
  const iteration *it = self;
  const bool is_new = it->ga->h_matrix == 0.0 || (m->k > 2 && m->ratio > 0.2);
  TRMI_TRY(err, trmi_alpha_projected_correct(it->ga, it->h, is_new, err));
  *size = trmi_alpha_projected_update(it->ga, it->h, it->result);
  it->result->iterations++;
  return TRM_OK;
}

/* (3) holds to `on_constraints` instead of DBL_EPSILON and may vary by that much between
 * iterations; this is tolerated once a new matrix does not help either. */
static trm_status doubt(void *self, const trmi_newton_monitor *m, trmi_newton_doubt why,
                        trmi_newton_verdict *verdict, trm_error *err) {
  const double on_constraints = 1e-14;
  const bool is_stuck = m->k > 2 && m->ratio > 0.9;
  const double unit = is_stuck ? on_constraints / DBL_EPSILON : 1.0;
  (void)self, (void)err;
  if (why == NEWTON_STALLS && m->size / unit < 500 * m->rounding) *verdict = NEWTON_IS_NOISE;
  return TRM_OK;
}

static trm_status accept(void *self, const trmi_newton_monitor *m, bool is_noise, bool *is_good,
                         trm_error *err) {
  const iteration *it = self;
  trmi_alpha *ga = it->ga;
  TRMI_TRY(err, trmi_alpha_projected_end(ga, &it->result->off, err));
  ga->measured = ga->rate = m->k == 0 ? 0.0 : is_noise ? m->before : m->ratio;
  *is_good = true;
  return TRM_OK;
}

trm_status trmi_alpha_projected(trmi_alpha *ga, double h, trmi_attempt *result, trm_error *err) {
  iteration step = {.ga = ga, .h = h, .result = result};
  const trmi_iteration it = {.self = &step, .correct = next_correction, .doubt = doubt,
                             .accept = accept};
  trmi_newton_monitor m = trmi_alpha_rules(ga, h, ga->ctx.options->max_iterations);
  m.wide = 0.0; /* see doubt */
  m.stall_from = 2, m.stall = 0.3;
  m.growth = 1.5;
  trmi_newton_end end;
  TRMI_TRY(err, trmi_newton_iterate(&it, &m, &end, err));
  if (end == NEWTON_CONVERGED) return TRM_OK;
  trm_label label = {.object = ""};
  if (result->index >= 0) trm_system_label(ga->ctx.sys, result->list, result->index, &label);
  return TRMI_FAIL(err, TRM_RETRY_NEWTON, label.object,
                   "the iteration of 'projected' did not converge (correction %.2g of scale, worst "
                   "'%s')", m.size, label.name);
}
