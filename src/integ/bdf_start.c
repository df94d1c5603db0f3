/* bdf_start.c - points before the start, at the beginning and after every discontinuity.
 *
 * Steps under error control begin with order 2 and points at t0 - h, t0 - 2 h from
 *   v = v0 + e v0' + e^2/2 v0'',   psi = e v0 + e^2/2 v0' + e^3/6 (v0'' + (v0 x v0')/2)       (1)
 * (the cross product only for rotations), recomputed while the size of the first step changes.
 *
 * Fixed steps of order k need k points of that order: backward integration with 16 steps of the
 * classical Runge-Kutta method from point to point. Backward in time damped motion grows, and
 * explicit steps are unstable for stiff motion. If the points are not smooth, that is if their
 * differences satisfy
 *   |nabla^k v|_rms over scales > |nabla^(k-1) v|                                            (2)
 * they are discarded and the first steps have the orders 1, 2 .. k: the formula of order j needs j
 * points. This reduces accuracy and is reported with the first step. */
#include "integ/bdf.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PARTS = 16 }; /* steps between two points */
/* Velocities are smooth if their differences times the step, over the scales, are below this. */
static const double small_difference = 1e-3;

static void copy(double *to, const double *from, int n) {
  if (n > 0) memcpy(to, from, (size_t)n * sizeof *to);
}

/* Points (1); `curved`: with v' and v'', otherwise with v only. */
static void continue_backwards(trmi_bdf *bd, double h, bool is_curved) {
  trmi_alpha *ga = &bd->core;
  const trm_system *sys = ga->ctx.sys;
  const trm_state *s = &ga->now;
  const double *jerk = ga->an, *bend = ga->yn;
  double *psi = bd->increment;
  trmi_bdf_point(bd, 0, s);
  for (int i = 1; i <= 2; i++) {
    bdf_point *p = &bd->p[i];
    const double e = -i * h, c = is_curved ? 1.0 : 0.0;
    trmi_bdf_point(bd, i, s);
    p->t = s->t + e;
    for (int m = 0; m < sys->n.nv; m++) {
      psi[m] = e * (s->v[m] + c * e * (s->vd[m] / 2 + e * jerk[m] / 6));
      p->v[m] = s->v[m] + c * e * (s->vd[m] + e * jerk[m] / 2);
    }
    for (int k = 0; k < sys->n.nrot; k++) {
      const double *w = s->v + sys->rot_v[k], *wd = s->vd + sys->rot_v[k];
      double *turn = psi + sys->rot_v[k];
      const double part = c * e * e * e / 12;
      turn[0] += part * (w[1] * wd[2] - w[2] * wd[1]);
      turn[1] += part * (w[2] * wd[0] - w[0] * wd[2]);
      turn[2] += part * (w[0] * wd[1] - w[1] * wd[0]);
    }
    trm_system_retract(sys, s->q, psi, p->q);
    for (int m = 0; m < sys->n.nx; m++) {
      p->x[m] = s->x[m] + c * e * (s->xd[m] + e * bend[m] / 2);
    }
  }
  bd->npoints = 3;
  bd->nreal = 1;
  bd->h_start = h;
}

void trmi_bdf_begin(trmi_bdf *bd, double h) {
  continue_backwards(bd, h, true);
}

/* --- fixed steps ----------------------------------------------------------------------- */

/* One step e of the classical Runge-Kutta method from the state in `next`. Scratch: prediction and
 * increments. */
static trm_status runge_kutta(trmi_bdf *bd, double e, trm_error *err) {
  static const double place[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3,
                                                                    1.0 / 6};
  trmi_alpha *ga = &bd->core;
  const trm_system *sys = ga->ctx.sys;
  const int nv = sys->n.nv, nx = sys->n.nx;
  trm_state *s = &ga->next;
  double *psi = bd->increment, *rate = bd->psi[0];
  double *sum_psi = bd->psi[1], *sum_v = bd->psi[2], *sum_x = bd->x_slope;
  const double t0 = s->t;
  copy(bd->base, s->q, sys->nq);
  copy(bd->v_p, s->v, nv);
  copy(bd->x_p, s->x, nx);
  memset(sum_psi, 0, (size_t)nv * sizeof *psi);
  copy(sum_v, s->v, nv);
  copy(sum_x, s->x, nx);
  for (int j = 0; j < 4; j++) {
    const double c = place[j] * e;
    for (int m = 0; m < nv; m++) {
      psi[m] = j > 0 ? c * rate[m] : 0.0;
      s->v[m] = j > 0 ? bd->v_p[m] + c * s->vd[m] : bd->v_p[m];
    }
    for (int m = 0; m < nx && j > 0; m++) s->x[m] = bd->x_p[m] + c * s->xd[m];
    trm_system_retract(sys, bd->base, psi, s->q);
    trmi_state_at(sys, &ga->now, t0 + c, s);
    TRMI_TRY(err, trmi_consistent_accelerations(ga->ctx.consistent, s, err));
    trmi_group_Tinv(sys, psi, ga->T_dense);
    trmi_group_apply(sys, ga->T_dense, s->v, rate);
    for (int m = 0; m < nv; m++) {
      sum_psi[m] += weight[j] * e * rate[m];
      sum_v[m] += weight[j] * e * s->vd[m];
    }
    for (int m = 0; m < nx; m++) sum_x[m] += weight[j] * e * s->xd[m];
  }
  copy(s->v, sum_v, nv);
  copy(s->x, sum_x, nx);
  trm_system_retract(sys, bd->base, sum_psi, s->q);
  trmi_state_at(sys, &ga->now, t0 + e, s);
  return TRM_OK;
}

static trm_status integrate_backwards(trmi_bdf *bd, double h, int count, trm_error *err) {
  trmi_alpha *ga = &bd->core;
  trmi_state_copy(ga->ctx.sys, &ga->now, &ga->next);
  trmi_bdf_point(bd, 0, &ga->now);
  for (int i = 1; i <= count; i++) {
    for (int k = 0; k < PARTS; k++) TRMI_TRY(err, runge_kutta(bd, -h / PARTS, err));
    TRMI_TRY(err, trmi_consistent_project(ga->ctx.consistent, &ga->next, err));
    TRMI_TRY(err, trmi_consistent_accelerations(ga->ctx.consistent, &ga->next, err));
    trmi_state_at(ga->ctx.sys, &ga->now, ga->now.t - i * h, &ga->next);
    trmi_bdf_point(bd, i, &ga->next);
  }
  bd->npoints = bd->nreal = count + 1;
  return TRM_OK;
}

/* Difference of order k of the velocities times h over the scales, rms. */
static double difference_of(const trmi_bdf *bd, int k, double h) {
  const trm_system *sys = bd->core.ctx.sys;
  double sum = 0.0;
  for (int m = 0; m < sys->n.nv; m++) {
    double binomial = 1.0, difference = 0.0;
    for (int i = 0; i <= k; i++) {
      difference += binomial * bd->p[i].v[m];
      binomial *= -(double)(k - i) / (i + 1);
    }
    difference *= h / bd->core.ctx.scale_v[m];
    sum += difference * difference;
  }
  return sys->n.nv > 0 ? sqrt(sum / sys->n.nv) : 0.0;
}

/* Points for fixed steps h of the largest order. */
static trm_status begin_fixed(trmi_bdf *bd, double h, trm_error *err) {
  const int k = bd->order_max;
  trm_error own; /* failing to integrate backward is not an error */
  const trm_status status = k > 1 ? integrate_backwards(bd, h, k, &own) : TRM_RETRY_DOMAIN;
  if (status < 0) {
    if (err != NULL) *err = own;
    return trmi_note(err, __func__, status);
  }
  const bool is_smooth =
      status == TRM_OK && difference_of(bd, k, h) <= fmax(difference_of(bd, k - 1, h),
                                                          small_difference); /* (2) */
  bd->choice.order = is_smooth ? k : 1;
  if (is_smooth) return TRM_OK;
  continue_backwards(bd, h, false);
  bd->begins_low = k > 1;
  return TRM_OK;
}

void trmi_bdf_report_start(trmi_bdf *bd) {
  char text[160];
  if (!bd->begins_low || bd->has_reported_start) return;
  bd->has_reported_start = true;
  snprintf(text, sizeof text, "bdf begins with steps of the orders 1 to %d: the motion before the "
           "start is too fast for points of order %d", bd->order_max, bd->order_max);
  bd->core.ctx.message(bd->core.ctx.message_self, text);
}

trm_status trmi_bdf_start(void *integ, const trm_state *s, double *h, trm_error *err) {
  trmi_bdf *bd = integ;
  trmi_alpha *ga = &bd->core;
  trmi_state_copy(ga->ctx.sys, s, &ga->now);
  trmi_alpha_clear(ga);
  trmi_alpha_measure(ga);
  bd->failures = 0;
  bd->error_last = 0.0; /* unknown: Newton's method is cautious */
  bd->has_dense = false;
  bd->choice = (bdf_choice){.order = bd->order_max < 2 ? 1 : 2, .calm = 2, .is_rising = true,
                            .since_failed = BDF_POINTS, .kinked = BDF_POINTS};
  bd->order = bd->order_last = bd->choice.order;
  if (ga->ctx.fixed) return begin_fixed(bd, *h, err);

  /* jerk, and a step chosen by it */
  double e = *h > 0.0 ? 1e-3 * *h : 1e-6 * (ga->ctx.options->end - s->t);
  TRMI_TRY(err, trmi_consistent_jerk(ga->ctx.consistent, s, e, ga->an, ga->yn, err));
  if (!(*h > 0.0)) {
    *h = trmi_alpha_first_step(ga);
    e = 1e-3 * *h;
    TRMI_TRY(err, trmi_consistent_jerk(ga->ctx.consistent, s, e, ga->an, ga->yn, err));
  }
  trmi_bdf_begin(bd, *h);
  return TRM_OK;
}
