/* alpha_start.c - the auxiliary variables at the start and after every discontinuity.
 *
 * A running sequence has a0 = acc(t0 + theta h), y0 = x'(t0 + theta h):
 *   u = (acc0 + theta h acc0', x0' + theta h x0'')                                         (1)
 * For a mode of frequency w with h w >> 1, the start values contain amplitudes q0, v0 that the step
 * does not resolve. They contribute -w^2 q0 - theta h w^2 v0 to (1), (h w)^2 times what a step h
 * can represent, and this returns as velocities of the size h w^2 q0; runs with nonlinear beams
 * fail. The response of such a mode within a step follows from the matrix N of the step: to
 * displacements dv = gamma h a, dq = beta h^2 a, dx = gamma h y it responds with
 *   N J u = N1 u,   N = N0 + N1,   N1 = gamma h (C, ..) + beta h^2 (Kt, ..)                 (2)
 * J is near the identity for unresolved modes and of the size h^2 w^2 (h d where there is
 * damping d) for resolved ones. The start
 *   (a0, y0) = u - J^2 u                                                                   (3)
 * retains resolved modes up to O(h^4 w^4), or O(h^2 d^2), which preserves the order, and reduces
 * unresolved ones to 2 c/(beta h^2) q0. Since G J u = 0, a0 satisfies the constraints as (1) does.
 * N is formed for h/filter_part, which makes the filter (3) sharper: a mode counts as resolved if
 * its phase advances by less than a few radians in a step. The average (2) of alpha.c uses acc0
 * itself, whatever a0 is. Derivation: docs/theory/03-alpha.md, 3.2. */
#include "integ/alpha.h"
#include <math.h>
#include <string.h>

static const double filter_part = 3.0;

static double rms(const double *x, const double *scale, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += x[i] / scale[i] * (x[i] / scale[i]);
  return n > 0 ? sqrt(sum / n) : 0.0;
}

double trmi_alpha_first_step(const trmi_alpha *ga) {
  const trm_system *sys = ga->ctx.sys;
  const double span = ga->ctx.options->end - ga->now.t;
  const double jerk = rms(ga->an, ga->ctx.scale_v, sys->n.nv);
  const double limit = 0.1 * ga->ctx.tolerance;
  double h = 0.02 * span;
  if (jerk > 0.0) h = fmin(h, cbrt(limit / (fabs(ga->C_q) * jerk)));
  const double bend = rms(ga->yn, sys->scale_x, sys->n.nx);
  if (bend > 0.0) h = fmin(h, sqrt(limit / bend));
  return h;
}

void trmi_alpha_clear(trmi_alpha *ga) {
  ga->npoints = 0;
  ga->degree = 1;
  ga->rate = ga->load_rate = 0.5;
  ga->measured = 0.0;
  ga->iterations = 0;
  ga->heavy = 0;
  ga->h_matrix = 0.0;
  ga->resolve_rate = 1.0;
  ga->noise = ga->noise_next = 0.0;
}

/* Form the matrix of a step h at the start. */
static trm_status factor(trmi_alpha *ga, double h, trm_error *err) {
  const trm_system *sys = ga->ctx.sys;
  trmi_state_copy(sys, &ga->now, &ga->next);
  memset(ga->delta, 0, (size_t)sys->n.nv * sizeof(double));
  ga->is_light = false;
  ga->off = 0.0;
  const trm_status status = trmi_alpha_refresh(ga, h, ALPHA_INDEX3_MATRIX, err);
  ga->h_matrix = 0.0; /* not to be used by a step */
  return status;
}

/* J^2 u of (2) into r; u is in a and y. */
static trm_status filter(trmi_alpha *ga, double h, trm_error *err) {
  const trm_system *sys = ga->ctx.sys;
  const trmi_places at = trmi_places_of(sys);
  double *u = ga->r2, *J_u = ga->r;
  TRMI_TRY(err, factor(ga, h, err));
  memset(u, 0, (size_t)at.n * sizeof *u);
  memcpy(u + at.v, ga->a, (size_t)sys->n.nv * sizeof *u);
  if (sys->n.nx > 0) memcpy(u + at.x, ga->y, (size_t)sys->n.nx * sizeof *u);
  for (int k = 0; k < 2; k++) {
    trmi_alpha_displace(ga, h, u, J_u);
    TRMI_TRY(err, trmi_linear_solve(&ga->index3_matrix.lin, J_u, err));
    for (int i = 0; i < at.n; i++) u[i] = i < at.lam || i >= at.x ? -J_u[i] : 0.0;
    for (int i = at.w; i < at.n; i++) u[i] = 0.0;
  }
  memcpy(J_u, u, (size_t)at.n * sizeof *u);
  return TRM_OK;
}

/* (1), then (3). Without a matrix, in a singular pose, (1) alone. */
static trm_status begin(trmi_alpha *ga, double h, trm_error *err) {
  const trm_system *sys = ga->ctx.sys;
  const trmi_places at = trmi_places_of(sys);
  const trm_state *s = &ga->now;
  const double shift = ga->form == ALPHA_PAPER ? 0.0 : ga->theta * h;
  for (int i = 0; i < sys->n.nv; i++) ga->a[i] = s->vd[i] + shift * ga->an[i];
  for (int i = 0; i < sys->n.nx; i++) ga->y[i] = s->xd[i] + shift * ga->yn[i];
  if (ga->form == ALPHA_PAPER) return TRM_OK;
  const trm_status status = filter(ga, h / filter_part, err);
  if (status < 0 || status == TRM_RETRY_PATTERN) return trmi_note(err, __func__, status);
  if (status != TRM_OK) return TRM_OK;
  for (int i = 0; i < at.n; i++) {
    if (!isfinite(ga->r[i])) return TRM_OK;
  }
  for (int i = 0; i < sys->n.nv; i++) ga->a[i] -= ga->r[i];
  for (int i = 0; i < sys->n.nx; i++) ga->y[i] -= ga->r[at.x + i];
  return TRM_OK;
}

trm_status trmi_alpha_start(void *integ, const trm_state *s, double *h, trm_error *err) {
  trmi_alpha *ga = integ;
  trm_system *sys = ga->ctx.sys;
  trmi_state_copy(sys, s, &ga->now);
  trmi_alpha_clear(ga);
  trmi_alpha_remember(ga);
  trmi_alpha_measure(ga);

  /* jerk, and a step chosen by it */
  double e = *h > 0.0 ? 1e-3 * *h : 1e-6 * (ga->ctx.options->end - s->t);
  TRMI_TRY(err, trmi_consistent_jerk(ga->ctx.consistent, s, e, ga->an, ga->yn, err));
  if (!(*h > 0.0)) {
    *h = trmi_alpha_first_step(ga);
    e = 1e-3 * *h;
    TRMI_TRY(err, trmi_consistent_jerk(ga->ctx.consistent, s, e, ga->an, ga->yn, err));
  }
  ga->h_old = *h;
  TRMI_TRY(err, begin(ga, *h, err));

  if (ga->form != ALPHA_PAPER) return TRM_OK;
  memset(ga->now.vd, 0, (size_t)sys->n.nv * sizeof(double));
  TRMI_TRY(err, trm_system_values(sys, &ga->now, &(trm_values){.motion = ga->F}, err));
  memcpy(ga->now.vd, s->vd, (size_t)sys->n.nv * sizeof(double));
  return TRM_OK;
}
