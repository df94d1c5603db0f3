/* alpha_projected.c - the alpha-method on the underlying equations, projected; [ALPHA] (2.5).
 *
 *   a1 from (2) of alpha.c with acc1 = v' of the index-1 system at (q1, v1)              (1)
 *   q~ = q0 (+) delta, v~ by (3), (4) of alpha.c with s = 0                              (2)
 *   M (q1 - q~) + G^T nu = 0,  g(q1) = 0;   M (v1 - v~) + G^T mu = 0,  G v1 + g_t = 0     (3)
 * M and G^T of (3) are those of q~, or with `projected-final` those of q1. The unknown is a1: the
 * residual of the equations of motion at (q1, v1) with acc(a1), which is M (acc(a1) - acc1),
 * goes through the first matrix of the step, like that of the other forms. */
#include "integ/alpha.h"
#include <math.h>

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

/* Negative residual at the end of the step with the accelerations of a1, into r. */
static trm_status residual(trmi_alpha *ga, trm_error *err) {
  trm_system *sys = ga->ctx.sys;
  const trmi_places at = trmi_places_of(sys);
  trm_state mixed = ga->end;
  mixed.vd = ga->next.vd;
  mixed.xd = ga->next.xd;
  const trm_values out = {.motion = ga->r, .d = ga->r + at.x, .w = ga->r + at.w};
  TRMI_TRY(err, trm_system_values(sys, &mixed, &out, err));
  for (int i = 0; i < at.n; i++) ga->r[i] = i >= at.lam && i < at.x ? 0.0 : -ga->r[i];
  return TRM_OK;
}

/* Correct a1 and what follows by (2); the size in scaled positions. */
static double update(trmi_alpha *ga, double h, trmi_attempt *result) {
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

trm_status trmi_alpha_projected(trmi_alpha *ga, double h, trmi_attempt *result, trm_error *err) {
  trm_system *sys = ga->ctx.sys;
  const double limit = trmi_alpha_limit(ga, h);
  double last = INFINITY, ratio = 0.0;
  for (int k = 0; k < ga->ctx.options->max_iterations; k++) {
    TRMI_TRY(err, project(ga, err));
    if (ga->h_matrix == 0.0 || ratio > 0.2) {
      TRMI_TRY(err, trmi_alpha_refresh(ga, h, ALPHA_FIRST, err));
    }
    TRMI_TRY(err, residual(ga, err));
    TRMI_TRY(err, trmi_linear_solve(&ga->first.lin, ga->r, err));
    const double size = update(ga, h, result);
    result->iterations++;
    if (k > 0) ratio = size / last;
    if (!(size < 1.5 * last)) break;
    last = size;
    const double left = k > 0 && ratio < 0.99 ? ratio / (1.0 - ratio) * size : INFINITY;
    if (left > limit && size > 1e-2 * limit) continue;
    TRMI_TRY(err, project(ga, err));
    TRMI_TRY(err, trmi_consistent_violation(ga->ctx.consistent, &ga->end, &result->off, err));
    trmi_state_copy(sys, &ga->end, &ga->next);
    ga->measured = ga->rate = ratio;
    return TRM_OK;
  }
  trm_label label = {.object = ""};
  if (result->index >= 0) trm_system_label(sys, result->list, result->index, &label);
  return TRMI_FAIL(err, TRM_RETRY_NEWTON, label.object,
                   "the iteration of 'projected' did not converge (correction %.2g of scale, worst "
                   "'%s')", last, label.name);
}
