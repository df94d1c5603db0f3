/* alpha_error.c - local error of the alpha family for any set of coefficients.
 *
 * The constants are those of (8) and (9) of alpha.c.
 * Sets of coefficients for which C_q vanishes still have errors of v, which propagate to q in the
 * following steps: |C_q| is taken as at least C_x/2 or 1/24, |C_x| as at least 1/24; all named
 * methods have larger constants.                                              (1)
 * With D = |gamma - 1/2 + theta| > 0 a method has first order: its local error is D h^2 v'' in v
 * and D h^2 x'' in x. For a vibration this amounts to D h^2 v' in q, taken as the error of q.  (2)
 * A correction d of positions that is noise of a singular pose, (6) of alpha_newton.c, changes a by
 * d/(beta h^2) and the error by C_q/beta d, independent of the step size. This part of the error,
 * of this step and the previous one, is not tested.                                          (3)
 * Later corrections, of positions by at most r, change the error by up to
 *   C_q/beta r,                                                                              (4)
 * so an attempt whose error exceeds one by more than that is rejected before its iteration ends.
 * Bodies that slide have an error of their own, (4) and (5) of contact_bristles.c, if positions are
 * off by (8) of alpha.c: the larger counts.                                                 (5)
 * Derivation: docs/theory/03-alpha.md. */
#include "integ/alpha.h"
#include "math/both.h"
#include <math.h>

void trmi_alpha_constants(trmi_alpha *ga) {
  const double least = 1.0 / 24;
  ga->theta = ga->am - ga->af;
  ga->c = (1 - ga->am) / (1 - ga->af);
  const double kappa = (1 - ga->af) / 2 - (1 - ga->am) * (ga->theta + 0.5);
  const double C_x = kappa + ga->gamma * ga->theta + ga->gamma / 2 - 1.0 / 6;
  double C_q = ga->beta + ga->theta / 2 - 1.0 / 6;
  if (ga->form == ALPHA_PAPER) C_q = ga->beta - 1.0 / (6 * (1 - ga->af));
  ga->C_q = copysign(fmax(fabs(C_q), fmax(0.5 * fabs(C_x), least)), C_q); /* (1) */
  ga->C_x = fmax(fabs(C_x), least);
  ga->D = fabs(ga->gamma - 0.5 + ga->theta); /* (2) */
  if (ga->D < 1e-12) ga->D = 0.0;
}

/* (8) of alpha.c into `turned`. */
static void position_error(trmi_alpha *ga, double h) {
  const trm_system *sys = ga->ctx.sys;
  double *e = ga->turned;
  const double C = ga->C_q * h * h, *before = ga->an, *after = ga->a_next;
  const int pairs = sys->n.nv & ~1;
  for (int i = 0; i < pairs; i += 2) {
    both_store(e + i, both_scale(C, both_sub(both_load(after + i), both_load(before + i))));
  }
  for (int i = pairs; i < sys->n.nv; i++) e[i] = C * (after[i] - before[i]);
  for (int i = 0; i < sys->n.nv && ga->D > 0.0; i++) {
    const double first = ga->D * h * h * fmax(fabs(ga->a_next[i]), fabs(ga->an[i])); /* (2) */
    e[i] = e[i] < 0.0 ? e[i] - first : e[i] + first;
  }
  if (ga->form == ALPHA_PAPER) return;
  const double c = h * h * h / 12;
  for (int k = 0; k < sys->n.nrot; k++) {
    const int i = sys->rot_v[k];
    const double *w = ga->now.v + i, *wd = ga->now.vd + i;
    e[i] -= c * (w[1] * wd[2] - w[2] * wd[1]);
    e[i + 1] -= c * (w[2] * wd[0] - w[0] * wd[2]);
    e[i + 2] -= c * (w[0] * wd[1] - w[1] * wd[0]);
  }
}

/* The same over the scales. */
static void scaled_error(trmi_alpha *ga, double h) {
  const int nv = ga->ctx.sys->n.nv, pairs = nv & ~1;
  const double *scale = ga->ctx.scale_v;
  double *e = ga->turned;
  position_error(ga, h);
  for (int i = 0; i < pairs; i += 2) {
    both_store(e + i, both_div(both_load(e + i), both_load(scale + i)));
  }
  if (pairs < nv) e[pairs] /= scale[pairs];
}

/* (9) of alpha.c for state i; without a point before the last one there is no estimate of it. */
static double state_error(const trmi_alpha *ga, double h, int i) {
  const int at = trmi_places_of(ga->ctx.sys).x + i;
  const double slope1 = (ga->next.xd[i] - ga->now.xd[i]) / h;
  if (ga->form == ALPHA_PAPER) return (ga->gamma - 0.5) * h * h * slope1;
  const double first = ga->D * h * h * fabs(slope1); /* (2) */
  if (ga->npoints < 2) return first;
  const double h0 = ga->now.t - ga->point_t[ga->npoints - 2];
  const double slope0 = (ga->now.xd[i] - ga->point[ga->npoints - 2][at]) / h0;
  return first + ga->C_x * h * h * h * 2 * fabs(slope1 - slope0) / (h + h0);
}

/* Error over the tolerance: the larger of the errors of q and x, and the component where it is
 * largest. */
static void estimate(trmi_alpha *ga, double h, trmi_attempt *result) {
  const trm_system *sys = ga->ctx.sys;
  double sum = 0.0, worst = -1.0;
  result->list = TRM_V;
  result->index = -1;
  scaled_error(ga, h);
  for (int i = 0; i < sys->n.nv; i++) {
    const double e = ga->turned[i];
    sum += e * e;
    if (fabs(e) > worst) worst = fabs(e), result->index = i;
  }
  result->error = sys->n.nv > 0 ? sqrt(sum / sys->n.nv) : 0.0;
  sum = 0.0;
  for (int i = 0; i < sys->n.nx; i++) {
    const double e = state_error(ga, h, i) / fmax(sys->scale_x[i], fabs(ga->next.x[i]));
    sum += e * e;
    if (fabs(e) > worst) worst = fabs(e), result->list = TRM_X, result->index = i;
  }
  const double of_x = sys->n.nx > 0 ? sqrt(sum / sys->n.nx) : 0.0;
  if (of_x > result->error || isnan(of_x)) result->error = of_x; /* one that is NaN stays */
  result->largest = fmax(worst, 0.0);
  result->of_speed = result->largest / h;
  if (ga->ctx.fixed) return;
  const double noise = fabs(ga->C_q) / ga->beta * ga->noise_next; /* (3) */
  result->error = trmi_alpha_without(result->error, 2.0 * noise) / ga->ctx.tolerance;
}

/* (5) */
double trmi_alpha_sliding(trmi_alpha *ga, double *off) {
  const trm_system *sys = ga->ctx.sys;
  if (sys->ops->sliding_error == NULL || ga->ctx.fixed) return 0.0;
  return sys->ops->sliding_error(sys->self, &ga->next, off, ga->ctx.tolerance);
}

void trmi_alpha_estimate(trmi_alpha *ga, double h, trmi_attempt *result) {
  estimate(ga, h, result);
  if (ga->ctx.sys->ops->sliding_error == NULL) return;
  position_error(ga, h);
  const double sliding = trmi_alpha_sliding(ga, ga->turned);
  if (sliding > result->error) result->error = sliding; /* one that is NaN stays */
}

bool trmi_alpha_is_lost(trmi_alpha *ga, double h, double left, trmi_attempt *result) {
  trmi_attempt now = *result;
  estimate(ga, h, &now);
  const double most = fabs(ga->C_q) / ga->beta * left / ga->ctx.tolerance; /* (4) */
  if (!(now.error - most > 1.0)) return false;
  *result = now;
  return true;
}
