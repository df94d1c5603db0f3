/* smooth_slow.c - slow motion of `smooth`, and the separation of a state into slow motion and
 * vibrations and back, (4), (5), (6) and (9) of smooth.c. */
#include "integ/smooth.h"
#include <math.h>
#include <string.h>

/* Passes of the start: each reduces the error by the square of a ratio of slow and fast rates. */
enum { SPLIT_PASSES = 6, PROJECT_PASSES = 12, JOIN_PASSES = 3 };
/* Deformations have reached their targets within the first part of their scale; a run cannot
 * continue if the distance remains above the second. */
static const double reached = 1e-13, distant = 1e-9;

/* x -= sum shape (p.r); sm->a receives p.r, out (may be NULL) Mt r */
static void take_away(trmi_smooth *sm, const double *r, int length, double *x, double *out) {
  const int m = sm->m;
  const trmi_fast_modes *modes = &sm->modes;
  if (out != NULL) memset(out, 0, (size_t)m * sizeof *out);
  for (int i = 0; i < m; i++) {
    const double *shape = modes->shape + sm->nall * i, *p = modes->p + m * i;
    double part = 0.0;
    for (int k = 0; k < m; k++) part += p[k] * r[k];
    for (int k = 0; k < length; k++) x[k] -= part * shape[k];
    for (int k = 0; k < m && out != NULL; k++) out[k] += p[k] * part;
  }
}

/* v', lam, mu by v, lam, mu of a list */
static void add_to_state(const trmi_smooth *sm, const double *x, trm_state *s) {
  const trm_sizes *n = &sm->ctx.sys->n;
  for (int k = 0; k < n->nv; k++) s->vd[k] += x[k];
  for (int k = 0; k < n->ng; k++) s->lam[k] += x[n->nv + k];
  for (int k = 0; k < n->na; k++) s->mu[k] += x[n->nv + n->ng + k];
}

/* x = [M G^T A^T; G; A]^-1 [force; 0; 0] with the present factors */
static trm_status respond(trmi_smooth *sm, trmi_consistent *c, const double *force, double *x,
                          trm_error *err) {
  const int nv = sm->ctx.sys->n.nv;
  if (x != force) memcpy(x, force, (size_t)nv * sizeof *x);
  memset(x + nv, 0, (size_t)(sm->nall - nv) * sizeof *x);
  return trmi_linear_solve(&c->project.lin, x, err);
}

trm_status trmi_smooth_slow_response(trmi_smooth *sm, trmi_consistent *c, const double *force,
                                     double *x, trm_error *err) {
  TRMI_TRY(err, respond(sm, c, force, x, err));
  trmi_smooth_strain(sm, x, sm->eta);
  take_away(sm, sm->eta, sm->nall, x, NULL);
  return TRM_OK;
}

trm_status trmi_smooth_correct(trmi_smooth *sm, trmi_consistent *c, double *x, trm_error *err) {
  if (sm->nall > sm->ctx.sys->n.nv) TRMI_TRY(err, trmi_linear_solve(&c->project.lin, x, err));
  trmi_smooth_strain(sm, x, sm->eta);
  for (int k = 0; k < sm->m; k++) sm->r[k] += sm->eta[k];
  take_away(sm, sm->r, sm->ctx.sys->n.nv, x, NULL);
  return TRM_OK;
}

/* r += d/dt(B^T v) - B^T v' by a central difference along the motion */
static trm_status add_bias(trmi_smooth *sm, const trm_state *s, double *r, trm_error *err) {
  trm_system *sys = sm->ctx.sys;
  double size = 0.0;
  for (int k = 0; k < sys->n.nv; k++) size = fmax(size, fabs(s->v[k]) / sys->scale_v[k]);
  if (!(size > 0.0)) return TRM_OK;
  const double e = 1e-5 / size; /* truncation and rounding are 1e-10 */
  const trmi_sparse *B = &sys->block[TRM_STIFF_B];
  for (int side = -1; side <= 1; side += 2) {
    trmi_state_copy(sys, s, &sm->probe);
    for (int k = 0; k < sys->n.nv; k++) sm->move[k] = side * e * s->v[k];
    trm_system_retract(sys, s->q, sm->move, sm->probe.q);
    TRMI_TRY(err, trmi_system_blocks(sys, &sm->probe, TRMI_BIT(TRM_STIFF_B), NULL, NULL, NULL,
                                     err));
    for (int k = 0; k < B->n; k++) {
      r[B->col[k]] += side * B->values[k] * s->v[B->row[k]] / (2.0 * e);
    }
  }
  return TRM_OK;
}

trm_status trmi_smooth_accelerations(trmi_smooth *sm, trmi_consistent *c, trm_state *s,
                                     const double *decayed, const double *p_followed,
                                     trm_error *err) {
  const int nv = sm->ctx.sys->n.nv, m = sm->m;
  const trmi_fast_modes *modes = &sm->modes;
  TRMI_TRY(err, trmi_consistent_accelerations(c, s, err));
  TRMI_TRY(err, trmi_smooth_find_modes(sm, c, s, p_followed, err));
  TRMI_TRY(err, trmi_smooth_find_slopes(sm, s, decayed, err));

  /* the mean force of the vibrations, (6) */
  double *x = sm->solve;
  memset(x, 0, (size_t)nv * sizeof *x);
  for (int i = 0; i < m; i++) {
    const double J = trmi_smooth_action(sm, decayed, i), *slope = modes->slope + nv * i;
    for (int k = 0; k < nv; k++) x[k] -= 0.5 * J * modes->omega[i] * slope[k];
  }
  TRMI_TRY(err, respond(sm, c, x, x, err));
  add_to_state(sm, x, s);

  /* multipliers of the rows eta = eta^, (4) */
  trmi_smooth_strain(sm, s->vd, sm->r);
  TRMI_TRY(err, add_bias(sm, s, sm->r, err));
  memset(x, 0, (size_t)sm->nall * sizeof *x);
  take_away(sm, sm->r, sm->nall, x, sm->nu);
  add_to_state(sm, x, s);
  TRMI_TRY(err, trmi_smooth_find_frequencies(sm, c, s, err));
  TRMI_TRY(err, trmi_smooth_add_inertia(sm, c, s, decayed, p_followed, err));
  return TRM_OK;
}

/* Distance of the deformations of s from their targets, into sm->r; returns the largest over its
 * scale. */
static trm_status missing(trmi_smooth *sm, const double *target, const trm_state *s, double *most,
                          trm_error *err) {
  trm_system *sys = sm->ctx.sys;
  TRMI_TRY(err, trm_system_values(sys, s, &(trm_values){.eta = sm->r}, err));
  *most = 0.0;
  for (int i = 0; i < sm->m; i++) {
    sm->r[i] -= target[i];
    *most = fmax(*most, fabs(sm->r[i]) / sm->eta_scale[i]);
  }
  if (isfinite(*most)) return TRM_OK;
  return TRMI_FAIL(err, TRM_RETRY_DOMAIN, NULL, "a deformation of a stiff force is not finite");
}

trm_status trmi_smooth_project(trmi_smooth *sm, trmi_consistent *c, const double *target,
                               const double *rate, trm_state *s, trm_error *err) {
  trm_system *sys = sm->ctx.sys;
  const int nv = sys->n.nv;
  double before = INFINITY, left = 0.0;
  for (int k = 0; k < PROJECT_PASSES; k++) {
    TRMI_TRY(err, trmi_consistent_positions(c, s, 20, err));
    TRMI_TRY(err, missing(sm, target, s, &left, err));
    if (k > 0 && (left <= reached || left >= 0.5 * before)) break;
    before = left;
    TRMI_TRY(err, trmi_smooth_find_modes(sm, c, s, NULL, err));
    memset(sm->gradient, 0, (size_t)nv * sizeof *sm->gradient);
    take_away(sm, sm->r, nv, sm->gradient, NULL);
    trm_system_retract(sys, s->q, sm->gradient, s->q);
  }
  if (!(left <= distant)) {
    return TRMI_FAIL(err, TRM_RETRY_NEWTON, NULL, "the slow motion cannot be brought onto the "
                     "deformations of its stiff forces: %.2g of their scale is left", left);
  }
  TRMI_TRY(err, trmi_consistent_velocities(c, s, err));
  TRMI_TRY(err, trmi_smooth_find_modes(sm, c, s, NULL, err));
  trmi_smooth_strain(sm, s->v, sm->r);
  for (int i = 0; i < sm->m; i++) sm->r[i] -= rate[i];
  take_away(sm, sm->r, nv, s->v, NULL);
  return TRM_OK;
}

/* ---- slow velocities --------------------------------------------------------------------- */

/* out += w x P for each rotation: a momentum in the displaced body axes, expressed in the original
 * axes */
static void turn_back(const trm_system *sys, const double *w, const double *P, double *out) {
  for (int i = 0; i < sys->n.nrot; i++) {
    const int v = sys->rot_v[i];
    for (int k = 0; k < 3; k++) {
      const int l = (k + 1) % 3, j = (k + 2) % 3;
      out[v + k] += w[v + l] * P[v + j] - w[v + j] * P[v + l];
    }
  }
}

/* Velocity of the slow motion, (9), of velocity v at `full`, which is displaced by the modes times
 * `a` from the slow state, whose modes and factors are present; out may not be v. */
static trm_status slow_velocity(trmi_smooth *sm, trmi_consistent *c, const trm_state *slow,
                                const trm_state *full, const double *a, const double *v,
                                double *out, trm_error *err) {
  trm_system *sys = sm->ctx.sys;
  const int nv = sys->n.nv, m = sm->m, nall = sm->nall;
  const trmi_fast_modes *modes = &sm->modes;
  double *P = sm->momentum, *x = sm->solve, *w = sm->form, *sum = sm->twin, *p = sm->r;
  double *pa = sm->nu, *F = sm->gradient;
  memset(P, 0, (size_t)nv * sizeof *P);
  TRMI_TRY(err, trmi_system_blocks(sys, full, TRMI_BIT(TRM_M), NULL, NULL, NULL, err));
  trmi_sparse_add_mul(&sys->block[TRM_M], 1.0, v, P);

  /* displacement w with its multipliers, and p */
  memset(w, 0, (size_t)nall * sizeof *w);
  memset(p, 0, (size_t)m * sizeof *p);
  for (int i = 0; i < m; i++) {
    for (int k = 0; k < nall; k++) w[k] += a[i] * modes->shape[nall * i + k];
    for (int k = 0; k < m; k++) p[k] += a[i] * modes->p[m * i + k];
  }

  /* the twin of the momentum */
  TRMI_TRY(err, respond(sm, c, P, x, err));
  trmi_smooth_strain(sm, x, sm->eta);
  take_away(sm, sm->eta, nall, x, pa);
  for (int k = 0; k < m; k++) pa[k] = -pa[k];

  /* momentum at the slow state: P + w x P - (F(w + x) - F(w) - F(x))/2 */
  turn_back(sys, w, P, P);
  for (int k = 0; k < nall; k++) sum[k] = w[k] + x[k];
  for (int k = 0; k < m; k++) sm->eta[k] = p[k] + pa[k];
  TRMI_TRY(err, trmi_smooth_form(sm, slow, sum, sm->eta, F, err));
  for (int k = 0; k < nv; k++) P[k] -= 0.5 * F[k];
  TRMI_TRY(err, trmi_smooth_form(sm, slow, w, p, F, err));
  for (int k = 0; k < nv; k++) P[k] += 0.5 * F[k];
  TRMI_TRY(err, trmi_smooth_form(sm, slow, x, pa, F, err));
  for (int k = 0; k < nv; k++) P[k] += 0.5 * F[k];

  TRMI_TRY(err, trmi_smooth_slow_response(sm, c, P, x, err));
  memcpy(out, x, (size_t)nv * sizeof *out);
  return TRM_OK;
}

/* ---- separation -------------------------------------------------------------------------- */

/* v += factor sum tilt b */
static void add_tilts(const trmi_smooth *sm, double factor, const double *b, double *v) {
  const int nv = sm->ctx.sys->n.nv;
  for (int i = 0; i < sm->m; i++) {
    for (int k = 0; k < nv; k++) v[k] += factor * b[i] * sm->modes.tilt[nv * i + k];
  }
}

/* v = its slow part with B^T v = rate; modes are those of the state */
static void set_rate(trmi_smooth *sm, const double *rate, double *v) {
  trmi_smooth_strain(sm, v, sm->r);
  for (int i = 0; i < sm->m; i++) sm->r[i] -= rate[i];
  take_away(sm, sm->r, sm->ctx.sys->n.nv, v, NULL);
}

trm_status trmi_smooth_settle(trmi_smooth *sm, trmi_consistent *c, const double *target,
                              const double *rate, trm_state *s, trm_error *err) {
  trm_system *sys = sm->ctx.sys;
  const int m = sm->m;
  trm_state *free = &sm->probe_near;
  trmi_state_copy(sys, s, free);
  TRMI_TRY(err, trmi_smooth_project(sm, c, target, rate, s, err));
  TRMI_TRY(err, trm_system_values(sys, free, &(trm_values){.eta = sm->eta}, err));
  for (int i = 0; i < m; i++) {
    sm->a[i] = 0.0;
    for (int k = 0; k < m; k++) sm->a[i] += sm->modes.p[m * i + k] * (sm->eta[k] - target[k]);
  }
  TRMI_TRY(err, slow_velocity(sm, c, s, free, sm->a, free->v, s->v, err));
  set_rate(sm, rate, s->v);
  return TRM_OK;
}

/* a and b of the vibration about slow deformations, and then J and phase, (5) */
static trm_status find_vibration(trmi_smooth *sm, const trm_state *full, const double *eta,
                                 const double *rate, trm_error *err) {
  trm_system *sys = sm->ctx.sys;
  const int m = sm->m;
  const trmi_fast_modes *modes = &sm->modes;
  TRMI_TRY(err, trm_system_values(sys, full, &(trm_values){.eta = sm->eta}, err));
  TRMI_TRY(err, trmi_system_blocks(sys, full, TRMI_BIT(TRM_STIFF_B), NULL, NULL, NULL, err));
  const trmi_sparse *B = &sys->block[TRM_STIFF_B];
  memset(sm->r, 0, (size_t)m * sizeof *sm->r);
  for (int k = 0; k < B->n; k++) sm->r[B->col[k]] += B->values[k] * full->v[B->row[k]];
  for (int i = 0; i < m; i++) {
    const double *p = modes->p + m * i, omega = modes->frequency[i];
    double a = 0.0, b = 0.0;
    for (int k = 0; k < m; k++) a += p[k] * (sm->eta[k] - eta[k]), b += p[k] * (sm->r[k] - rate[k]);
    sm->a[i] = a, sm->b[i] = b;
    sm->action[i] = (b * b + omega * omega * a * a) / (2.0 * omega);
    sm->now_vibrates.phase[i] = atan2(-b / omega, a);
    sm->now_vibrates.decayed[i] = 0.0;
  }
  return TRM_OK;
}

/* The rate of eta^ along the slow motion, by the state a little later. */
static trm_status find_rate(trmi_smooth *sm, trm_error *err) {
  trm_system *sys = sm->ctx.sys;
  const trm_state *slow = &sm->slow;
  trm_state *later = &sm->stage;
  double size = 0.0, *move = sm->slow_v;
  for (int k = 0; k < sys->n.nv; k++) {
    const double scale = sys->scale_v[k];
    size = fmax(size, fmax(fabs(slow->v[k]) / scale, sqrt(fabs(slow->vd[k]) / scale)));
  }
  memset(sm->rate_now, 0, (size_t)sm->m * sizeof(double));
  if (!(size > 0.0)) return TRM_OK;
  const double e = 1e-4 / size; /* truncation 1e-4, rounding of eta^ 1e-8 of its rate */
  trmi_state_copy(sys, slow, later);
  for (int k = 0; k < sys->n.nv; k++) {
    move[k] = e * (slow->v[k] + 0.5 * e * slow->vd[k]);
    later->v[k] += e * slow->vd[k];
  }
  for (int k = 0; k < sys->n.nx; k++) later->x[k] += e * slow->xd[k];
  trm_system_retract(sys, slow->q, move, later->q);
  trmi_state_at(sys, slow, slow->t + e, later);
  TRMI_TRY(err, trmi_smooth_accelerations(sm, sm->ctx.consistent, later,
                                          sm->now_vibrates.decayed, sm->p_followed, err));
  TRMI_TRY(err, trmi_smooth_deformation(sm, later, sm->rate_now, err));
  for (int i = 0; i < sm->m; i++) sm->rate_now[i] = (sm->rate_now[i] - sm->eta_now[i]) / e;
  return TRM_OK;
}

trm_status trmi_smooth_deformation(trmi_smooth *sm, const trm_state *s, double *eta,
                                   trm_error *err) {
  TRMI_TRY(err, trm_system_values(sm->ctx.sys, s, &(trm_values){.eta = eta}, err));
  trmi_smooth_compliance(sm, sm->nu);
  for (int i = 0; i < sm->m; i++) eta[i] += sm->nu[i];
  return TRM_OK;
}

/* The slow state of a full one, for the deformations and vibrations found so far. */
static trm_status find_slow(trmi_smooth *sm, const trm_state *full, int pass, trm_error *err) {
  trm_system *sys = sm->ctx.sys;
  trmi_consistent *c = sm->ctx.consistent;
  trm_state *slow = &sm->slow;
  trmi_state_copy(sys, full, slow);
  if (pass > 1) trm_system_retract(sys, full->q, sm->slow_back, slow->q);
  TRMI_TRY(err, trmi_smooth_project(sm, c, sm->eta_now, sm->rate_now, slow, err));
  if (pass > 0) {
    TRMI_TRY(err, trmi_smooth_find_modes(sm, c, slow, sm->p_followed, err));
    TRMI_TRY(err, slow_velocity(sm, c, slow, full, sm->a, full->v, slow->v, err));
    add_tilts(sm, -1.0, sm->b, slow->v);
    if (pass > 1) TRMI_TRY(err, trmi_smooth_momentum(sm, slow, true, slow->v, err));
    set_rate(sm, sm->rate_now, slow->v);
  }
  TRMI_TRY(err, trmi_smooth_accelerations(sm, c, slow, sm->now_vibrates.decayed,
                                          pass > 0 ? sm->p_followed : NULL, err));
  memcpy(sm->p_followed, sm->modes.p, (size_t)sm->m * (size_t)sm->m * sizeof(double));
  return TRM_OK;
}

trm_status trmi_smooth_split(trmi_smooth *sm, const trm_state *full, trm_error *err) {
  const size_t list = (size_t)sm->m * sizeof(double);
  memset(sm->eta_now, 0, list);
  memset(sm->rate_now, 0, list);
  memset(sm->action, 0, list);
  memset(sm->now_vibrates.decayed, 0, list);
  memset(sm->a, 0, list);
  sm->inertia.is_used = false;
  for (int pass = 0;; pass++) {
    TRMI_TRY(err, find_slow(sm, full, pass, err));
    if (pass == SPLIT_PASSES) return TRM_OK;
    TRMI_TRY(err, trmi_smooth_deformation(sm, &sm->slow, sm->eta_now, err));
    TRMI_TRY(err, find_vibration(sm, full, sm->eta_now, sm->rate_now, err));
    TRMI_TRY(err, trmi_smooth_choose_inertia(sm, err));
    if (pass == 0) continue; /* basis and Delta are available from the next pass on */
    TRMI_TRY(err, trmi_smooth_sway(sm, &sm->slow, sm->a, sm->b, sm->slow_back, err));
    for (int i = 0; i < sm->ctx.sys->n.nv; i++) sm->slow_back[i] = -sm->slow_back[i];
    TRMI_TRY(err, find_rate(sm, err));
  }
}

trm_status trmi_smooth_join(trmi_smooth *sm, trmi_consistent *c, const trm_state *slow,
                            const trmi_vibration *vibration, trm_state *full, trm_error *err) {
  trm_system *sys = sm->ctx.sys;
  const int nv = sys->n.nv, m = sm->m;
  const trmi_fast_modes *modes = &sm->modes;
  double *move = sm->gradient, *target = sm->b + m, *rate = target + m, *slow_rate = rate + m;
  trmi_state_copy(sys, slow, full);
  TRMI_TRY(err, trm_system_values(sys, slow, &(trm_values){.eta = target}, err));
  trmi_smooth_strain(sm, slow->v, rate);
  memcpy(slow_rate, rate, (size_t)m * sizeof *rate);
  memset(move, 0, (size_t)nv * sizeof *move);
  for (int i = 0; i < m; i++) {
    const double J = trmi_smooth_action(sm, vibration->decayed, i), w = modes->frequency[i];
    const double size = sqrt(2.0 * J / w), *shape = modes->shape + sm->nall * i;
    sm->a[i] = size * cos(vibration->phase[i]);
    sm->b[i] = -w * size * sin(vibration->phase[i]);
    for (int k = 0; k < m; k++) {
      target[k] += sm->a[i] * modes->phi[m * i + k];
      rate[k] += sm->b[i] * modes->phi[m * i + k];
    }
    for (int k = 0; k < nv; k++) {
      move[k] += sm->a[i] * shape[k];
      full->v[k] += sm->b[i] * shape[k];
    }
  }
  TRMI_TRY(err, trmi_smooth_sway(sm, slow, sm->a, sm->b, sm->slow_back, err));
  for (int k = 0; k < nv; k++) move[k] += sm->slow_back[k];
  trm_system_retract(sys, slow->q, move, full->q);
  memcpy(sm->slow_v, slow->v, (size_t)nv * sizeof(double));
  take_away(sm, slow_rate, nv, sm->slow_v, NULL);
  TRMI_TRY(err, trmi_smooth_momentum(sm, slow, false, sm->slow_v, err));
  add_tilts(sm, 1.0, sm->b, sm->slow_v);
  for (int pass = 0; pass < JOIN_PASSES; pass++) { /* (9), solved for the velocity */
    double *back = sm->slow_back;
    TRMI_TRY(err, slow_velocity(sm, c, slow, full, sm->a, full->v, back, err));
    for (int k = 0; k < nv; k++) full->v[k] += sm->slow_v[k] - back[k];
  }
  TRMI_TRY(err, trmi_smooth_project(sm, c, target, rate, full, err));
  TRMI_TRY(err, trmi_consistent_accelerations(c, full, err));
  return TRM_OK;
}
