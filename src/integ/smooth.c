/* smooth.c - smooth linearization: steps of the slow motion, far longer than fast vibrations.
 *
 * Stiff forces make fast vibrations about a slow motion, [OSC] section 3:
 *   f = -B (K eta + C eta'),   B^T = d eta/dq                                              (1)
 * With M, G, A at a slow state,
 *   [M G^T A^T; G 0 0; A 0 0] [W; *; *] = [B; 0; 0],   A_ = B^T W = Mt^-1                   (2)
 *   K phi = omega^2 Mt phi,  phi_i.Mt phi_j = delta_ij,  p = Mt phi      fast modes       (3)
 * The slow motion has eta at eta^, at which K eta^ balances all other forces:
 *   B^T v = 0,  B^T v' = -(d/dt B^T) v: multipliers nu of these rows,  eta^ = eta + K^-1 nu  (4)
 * Vibrations have actions J and phases Phi, constant and growing with the frequency:
 *   z = eta - eta^,  a = p.z,  b = p.B^T v,  J = (b^2 + w^2 a^2)/(2 w),  Phi = atan2(-b/w, a)
 *   Phi' = w,  J' = -c J;    q = q^ (+) sum W p a,  a = sqrt(2 J/w) cos Phi                (5)
 * They act on the slow motion by the mean force
 *   -sum_i J_i d omega_i/dq = -sum_i J_i omega_i/2 d(p_i.A_ p_i)/dq                        (6)
 * without which its error is proportional to the energy of the vibrations, however stiff the forces
 * are. p.A_ p is stationary at the solution w, l of (2) for B p:
 *   d(p.A_ p)/dq = -F(w, l, p),  F = w.M_q w + 2 l.G_q w - 2 w.B_q p                        (7)
 * so one solve per mode suffices. Momentum varies slowly, velocity does not: with P = M v at the
 * displaced position the slow velocity v^ satisfies
 *   M v^.t = (P + w x P - F((w, l, p), (x, l_x, p_x))).t   for all slow directions t,       (9)
 *   w = W p a the displacement, x the slow part of M^-1 P, F(., .) the bilinear form of F
 * Frequency and damping with all forces, to first order in the soft forces:
 *   w^2 = s.k + k.T k/omega^2,  k = (K_all + (M v')_q + (G^T lam)_q) s,  c = s.C_all s,  s = W p
 *   T k/omega^2, the slow response to k: bodies move along s + T k/omega^2 in a mode       (10)
 * Steps are those of DOPRI5 in y = (psi, v, x, Phi, log J); after each, the slow state is moved
 * onto eta = eta^ at constant momentum. Large vibrations: smooth_inertia.c. Validity of the method:
 * smooth_tests.c. Source: [OSC]; mean force and slow momentum are ours. Theory:
 * docs/theory/16-smooth.md. */
#include "integ/smooth.h"
#include <math.h>
#include <string.h>

static const double two_pi = 6.283185307179586477;

static void take_modes(trmi_smooth *sm, trmi_arena *arena) {
  const int m = sm->m, nv = sm->ctx.sys->n.nv;
  sm->modes = (trmi_fast_modes){
      .omega = TRMI_TAKE(arena, double, m), .frequency = TRMI_TAKE(arena, double, m),
      .decay = TRMI_TAKE(arena, double, m), .p = TRMI_TAKE(arena, double, m * m),
      .phi = TRMI_TAKE(arena, double, m * m), .shape = TRMI_TAKE(arena, double, m * sm->nall),
      .slope = TRMI_TAKE(arena, double, m * nv), .tilt = TRMI_TAKE(arena, double, m * nv),
      .has_slope = TRMI_TAKE(arena, bool, m)};
  for (int k = 0; k < 2; k++) {
    trmi_vibration *vibration = k == 0 ? &sm->now_vibrates : &sm->next_vibrates;
    vibration->phase = TRMI_TAKE(arena, double, m);
    vibration->decayed = TRMI_TAKE(arena, double, m);
  }
  sm->L = TRMI_TAKE(arena, double, m * m);
  sm->eta_scale = TRMI_TAKE(arena, double, m);
  sm->action = TRMI_TAKE(arena, double, m);
  sm->eta_now = TRMI_TAKE(arena, double, m);
  sm->eta_next = TRMI_TAKE(arena, double, m);
  sm->rate_now = TRMI_TAKE(arena, double, m);
  sm->rate_next = TRMI_TAKE(arena, double, m);
  sm->eta_stage = TRMI_TAKE(arena, double, 5 * m);
  sm->p_followed = TRMI_TAKE(arena, double, m * m);
  sm->p_next = TRMI_TAKE(arena, double, m * m);
  sm->nu = TRMI_TAKE(arena, double, m);
  sm->overlap = TRMI_TAKE(arena, double, m);
  sm->turns = TRMI_TAKE(arena, double, m);
}

static void take_scratch(trmi_smooth *sm, trmi_arena *arena) {
  const int m = sm->m, nv = sm->ctx.sys->n.nv;
  sm->solve = TRMI_TAKE(arena, double, sm->nall);
  sm->columns = TRMI_TAKE(arena, double, m * sm->nall);
  sm->S = TRMI_TAKE(arena, double, m * m);
  sm->diagonal = TRMI_TAKE(arena, double, m);
  sm->vectors = TRMI_TAKE(arena, double, m * m);
  sm->a = TRMI_TAKE(arena, double, m);
  sm->b = TRMI_TAKE(arena, double, 4 * m);
  sm->r = TRMI_TAKE(arena, double, m);
  sm->eta = TRMI_TAKE(arena, double, m);
  sm->eta_dense = TRMI_TAKE(arena, double, m);
  sm->rate_dense = TRMI_TAKE(arena, double, m);
  sm->move = TRMI_TAKE(arena, double, nv);
  sm->force = TRMI_TAKE(arena, double, nv);
  sm->gradient = TRMI_TAKE(arena, double, nv);
  sm->momentum = TRMI_TAKE(arena, double, nv);
  sm->slow_v = TRMI_TAKE(arena, double, nv);
  sm->slow_back = TRMI_TAKE(arena, double, nv);
  sm->form = TRMI_TAKE(arena, double, sm->nall);
  sm->twin = TRMI_TAKE(arena, double, sm->nall);
}

static trm_status create(void *integ, const trmi_context *ctx, const char *formulation,
                         trm_error *err) {
  (void)formulation;
  trmi_smooth *sm = integ;
  const trm_system *sys = ctx->sys;
  *sm = (trmi_smooth){.ctx = *ctx, .m = sys->n.nstiff};
  sm->nall = sys->n.nv + sys->n.ng + sys->n.na;
  sm->n = 2 * sys->n.nv + sys->n.nx + 2 * sm->m;
  TRMI_TRY(err, trmi_smooth_check(sm, err));
  trm_state *const states[] = {&sm->slow, &sm->slow_next, &sm->now, &sm->next, &sm->stage,
                               &sm->probe, &sm->probe_near};
  for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
    trmi_state_take(sys, ctx->arena, states[i]);
  }
  for (int i = 0; i < TRMI_SMOOTH_STAGES; i++) sm->k[i] = TRMI_TAKE(ctx->arena, double, sm->n);
  sm->y = TRMI_TAKE(ctx->arena, double, sm->n);
  sm->y_before = TRMI_TAKE(ctx->arena, double, sm->n);
  sm->k_new = TRMI_TAKE(ctx->arena, double, sm->n);
  sm->k_end = TRMI_TAKE(ctx->arena, double, sm->n);
  sm->displacement = TRMI_TAKE(ctx->arena, double, sys->n.nv);
  sm->Tinv = TRMI_TAKE(ctx->arena, double, 9 * (size_t)sys->n.nrot);
  take_modes(sm, ctx->arena);
  take_scratch(sm, ctx->arena);
  trmi_smooth_take_inertia(sm, ctx->arena);
  sm->B = TRMI_TAKE(ctx->arena, double, sys->block[TRM_STIFF_B].n);
  TRMI_TRY(err, trmi_arena_check(ctx->arena, err));
  return TRM_OK;
}

/* The matrices of steps are those of the driver's consistent.c; dense output has its own. */
static trm_status plan(void *integ, bool bordered, trm_error *err) {
  trmi_smooth *sm = integ;
  static const trm_block wanted[] = {TRM_STIFF_B, TRM_STIFF_K, TRM_M, TRM_K, TRM_C, TRM_MU_Q,
                                     TRM_GY_Q, TRM_AY_Q};
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    TRMI_TRY(err, trmi_system_want(sm->ctx.sys, wanted[i], err));
  }
  if (sm->has_dense_matrix) return trmi_consistent_rebuild(&sm->dense, bordered, err);
  sm->has_dense_matrix = true;
  TRMI_TRY(err, trmi_consistent_init(&sm->dense, sm->ctx.sys, sm->ctx.arena,
                                     sm->ctx.options->solver, bordered, err));
  return TRM_OK;
}

static void release(void *integ) {
  trmi_smooth *sm = integ;
  if (sm->has_dense_matrix) trmi_consistent_free(&sm->dense);
}

/* ---- y ----------------------------------------------------------------------------------- */

/* y' of a slow state that was evaluated last; psi is the position in local coordinates. */
static void derivative(trmi_smooth *sm, const trm_state *s, const double *psi, double *k) {
  const trm_system *sys = sm->ctx.sys;
  const int nv = sys->n.nv, nx = sys->n.nx, m = sm->m;
  trmi_group_Tinv(sys, psi, sm->Tinv);
  trmi_group_apply(sys, sm->Tinv, s->v, k);
  memcpy(k + nv, s->vd, (size_t)nv * sizeof(double));
  memcpy(k + 2 * nv, s->xd, (size_t)nx * sizeof(double));
  double *phases = k + 2 * nv + nx;
  for (int i = 0; i < m; i++) {
    phases[i] = sm->modes.frequency[i];
    phases[m + i] = sm->action[i] > 0.0 ? -sm->modes.decay[i] : 0.0;
  }
}

/* y at the beginning of a step from a slow state. */
static void pack(const trmi_smooth *sm, const trm_state *s, const trmi_vibration *vibration,
                 double *y) {
  const trm_system *sys = sm->ctx.sys;
  const int nv = sys->n.nv, nx = sys->n.nx, m = sm->m;
  memset(y, 0, (size_t)nv * sizeof(double));
  memcpy(y + nv, s->v, (size_t)nv * sizeof(double));
  memcpy(y + 2 * nv, s->x, (size_t)nx * sizeof(double));
  memcpy(y + 2 * nv + nx, vibration->phase, (size_t)m * sizeof(double));
  memcpy(y + 2 * nv + nx + m, vibration->decayed, (size_t)m * sizeof(double));
}

static void unpack(const trmi_smooth *sm, const double *y, const double *q0, trm_state *s) {
  const trm_system *sys = sm->ctx.sys;
  const int nv = sys->n.nv;
  trm_system_retract(sys, q0, y, s->q);
  memcpy(s->v, y + nv, (size_t)nv * sizeof(double));
  memcpy(s->x, y + 2 * nv, (size_t)sys->n.nx * sizeof(double));
}

/* Phases and logarithms of actions in y. */
static trmi_vibration vibration_in(const trmi_smooth *sm, double *y) {
  double *phase = y + 2 * sm->ctx.sys->n.nv + sm->ctx.sys->n.nx;
  return (trmi_vibration){.phase = phase, .decayed = phase + sm->m};
}

/* y of stage i of a step h from the present state */
static void point(trmi_smooth *sm, int i, double h, double *y) {
  const double *a = trmi_dopri5.a + i * (i - 1) / 2;
  pack(sm, &sm->slow, &sm->now_vibrates, y);
  for (int j = 0; j < i; j++) {
    const double ha = h * a[j];
    for (int k = 0; k < sm->n; k++) y[k] += ha * sm->k[j][k];
  }
}

/* ---- steps ------------------------------------------------------------------------------- */

static trm_status start(void *integ, const trm_state *s, double *h, trm_error *err) {
  trmi_smooth *sm = integ;
  trm_system *sys = sm->ctx.sys;
  trmi_state_copy(sys, s, &sm->now);
  TRMI_TRY(err, trmi_smooth_read_stiffness(sm, s, err));
  TRMI_TRY(err, trmi_smooth_split(sm, s, err));
  sm->doubts = (trmi_smooth_doubts){0};
  TRMI_TRY(err, trmi_smooth_test(sm, &sm->slow, sm->now_vibrates.decayed, err));
  sm->short_steps = 0;
  memset(sm->y, 0, (size_t)sm->n * sizeof(double));
  derivative(sm, &sm->slow, sm->y, sm->k_new);
  if (!(*h > 0.0)) { /* long enough for the method, short compared with the run; the error
                        decides */
    double slowest = INFINITY;
    for (int i = 0; i < sm->m; i++) slowest = fmin(slowest, sm->modes.frequency[i]);
    *h = fmin(fmax(10.0 / slowest, 1e-3 * (sm->ctx.options->end - s->t)),
              0.1 * (sm->ctx.options->end - s->t));
  }
  return TRM_OK;
}

/* The scale of component i of y in a step h. */
static double weight(const trmi_smooth *sm, int i, double h) {
  const trm_system *sys = sm->ctx.sys;
  const int nv = sys->n.nv;
  if (i < nv) return sm->ctx.scale_v[i];
  if (i < 2 * nv) {
    return fmax(sm->ctx.scale_v[i - nv] / (trmi_turn_steps * h), fabs(sm->slow.v[i - nv]));
  }
  return fmax(sys->scale_x[i - 2 * nv], fabs(sm->slow.x[i - 2 * nv]));
}

static double error_of(const trmi_smooth *sm, int i, double h) {
  double e = 0.0;
  for (int j = 0; j < TRMI_SMOOTH_STAGES; j++) e += trmi_dopri5.e[j] * sm->k[j][i];
  return h * e;
}

/* Errors of phases and actions count by the displacement that they cause. */
static double vibration_error(const trmi_smooth *sm, double h) {
  const trm_system *sys = sm->ctx.sys;
  const int first = 2 * sys->n.nv + sys->n.nx;
  double worst = 0.0;
  for (int i = 0; i < sm->m; i++) {
    const double *shape = sm->modes.shape + sm->nall * i;
    const double size = sqrt(2.0 * trmi_smooth_action(sm, sm->now_vibrates.decayed, i) /
                             sm->modes.frequency[i]);
    double most = 0.0;
    for (int k = 0; k < sys->n.nv; k++) most = fmax(most, fabs(shape[k]) / sm->ctx.scale_v[k]);
    const double of_phase = fabs(error_of(sm, first + i, h));
    const double of_size = 0.5 * fabs(error_of(sm, first + sm->m + i, h));
    worst = fmax(worst, size * most * (of_phase + of_size));
  }
  return worst;
}

static void estimate(const trmi_smooth *sm, double h, trmi_attempt *result) {
  const trm_system *sys = sm->ctx.sys;
  const int nv = sys->n.nv, n = 2 * nv + sys->n.nx;
  const double tolerance = sm->ctx.fixed ? 1.0 : sm->ctx.tolerance;
  double sum = 0.0, worst = -1.0;
  result->index = -1;
  for (int i = 0; i < n; i++) {
    const double e = fabs(error_of(sm, i, h)) / weight(sm, i, h);
    sum += e * e;
    if (i < nv) result->largest = fmax(result->largest, e);
    if (!(e > worst)) continue;
    worst = e;
    result->list = i < 2 * nv ? TRM_V : TRM_X;
    result->index = i < 2 * nv ? i % nv : i - 2 * nv;
  }
  const double vibration = vibration_error(sm, h);
  result->largest = fmax(result->largest, vibration);
  result->error = fmax(sqrt(sum / n), vibration) / tolerance;
}

/* All stages except the one at the end. */
static trm_status take_stages(trmi_smooth *sm, double h, trm_error *err) {
  trm_system *sys = sm->ctx.sys;
  const int last = TRMI_SMOOTH_STAGES - 1;
  memcpy(sm->k[0], sm->k_new, (size_t)sm->n * sizeof(double));
  trmi_state_copy(sys, &sm->slow, &sm->stage); /* guess of accelerations */
  for (int i = 1; i < last; i++) {
    point(sm, i, h, sm->y);
    unpack(sm, sm->y, sm->slow.q, &sm->stage);
    trmi_state_at(sys, &sm->slow, sm->slow.t + trmi_dopri5.c[i] * h, &sm->stage);
    const trmi_vibration vibration = vibration_in(sm, sm->y);
    TRMI_TRY(err, trmi_smooth_accelerations(sm, sm->ctx.consistent, &sm->stage, vibration.decayed,
                                            sm->p_followed, err));
    derivative(sm, &sm->stage, sm->y, sm->k[i]);
    TRMI_TRY(err, trmi_smooth_deformation(sm, &sm->stage, sm->eta_stage + sm->m * (i - 1), err));
  }
  return TRM_OK;
}

/* eta^ and its rate at the end of the step, by the parabola through stages 0, 3 and 5, at 0, 0.8
 * and 1. */
static void extrapolate_deformation(trmi_smooth *sm, double h) {
  const double c = trmi_dopri5.c[3];
  for (int i = 0; i < sm->m; i++) {
    const double e0 = sm->eta_now[i], e3 = sm->eta_stage[2 * sm->m + i];
    const double e5 = sm->eta_stage[4 * sm->m + i];
    const double whole = e5 - e0, bend = (e3 - e0 - c * whole) / (c * (c - 1.0));
    sm->eta_next[i] = e5;
    sm->rate_next[i] = (whole + bend) / h;
  }
}

/* The end of the step, moved onto the constraints and onto eta^. */
static trm_status take_end(trmi_smooth *sm, double h, trm_error *err) {
  trm_system *sys = sm->ctx.sys;
  const int last = TRMI_SMOOTH_STAGES - 1;
  trm_state *s = &sm->slow_next;
  point(sm, last, h, sm->y);
  trmi_state_copy(sys, &sm->stage, s);
  unpack(sm, sm->y, sm->slow.q, s);
  trmi_state_at(sys, &sm->slow, sm->slow.t + h, s);
  extrapolate_deformation(sm, h);
  TRMI_TRY(err, trmi_smooth_settle(sm, sm->ctx.consistent, sm->eta_next, sm->rate_next, s, err));
  const trmi_vibration end = vibration_in(sm, sm->y);
  memcpy(sm->next_vibrates.phase, end.phase, (size_t)sm->m * sizeof(double));
  memcpy(sm->next_vibrates.decayed, end.decayed, (size_t)sm->m * sizeof(double));
  TRMI_TRY(err, trmi_smooth_accelerations(sm, sm->ctx.consistent, s, end.decayed, sm->p_followed,
                                          err));
  memcpy(sm->p_next, sm->modes.p, (size_t)sm->m * (size_t)sm->m * sizeof(double));
  trmi_group_difference_near(sys, s->q, sm->slow.q, sm->y, sm->displacement);
  derivative(sm, s, sm->displacement, sm->k[last]);
  return TRM_OK;
}

static trm_status attempt(void *integ, double h, trmi_attempt *result, trm_error *err) {
  trmi_smooth *sm = integ;
  *result = (trmi_attempt){.index = -1};
  sm->doubts = (trmi_smooth_doubts){0};
  TRMI_TRY(err, take_stages(sm, h, err));
  TRMI_TRY(err, take_end(sm, h, err));
  estimate(sm, h, result);
  if (!isfinite(result->error)) {
    return TRMI_FAIL(err, TRM_RETRY_DOMAIN, NULL, "a value of the equations is not finite");
  }
  if (!sm->ctx.fixed && result->error > 1.0) return TRM_OK; /* the driver rejects it */
  TRMI_TRY(err, trmi_smooth_test(sm, &sm->slow_next, sm->next_vibrates.decayed, err));
  TRMI_TRY(err, trmi_smooth_test_step(sm, h, err));
  memset(sm->y, 0, (size_t)sm->n * sizeof(double)); /* psi = 0 there */
  derivative(sm, &sm->slow_next, sm->y, sm->k_end);
  TRMI_TRY(err, trmi_smooth_join(sm, sm->ctx.consistent, &sm->slow_next, &sm->next_vibrates,
                                 &sm->next, err));
  TRMI_TRY(err, trmi_consistent_violation(sm->ctx.consistent, &sm->next, &result->off, err));
  return TRM_OK;
}

static const trm_state *next(const void *integ) {
  return &((const trmi_smooth *)integ)->next;
}

static void swap_states(trm_state *a, trm_state *b) {
  const trm_state other = *a;
  *a = *b, *b = other;
}

static void swap_arrays(double **a, double **b) {
  double *const other = *a;
  *a = *b, *b = other;
}

/* Vibrations damped away before a step remain zero after it. */
static void bury(trmi_smooth *sm) {
  for (int i = 0; i < sm->m; i++) {
    if (sm->now_vibrates.decayed[i] > -60.0) continue;
    sm->action[i] = 0.0;
    sm->now_vibrates.decayed[i] = sm->next_vibrates.decayed[i] = 0.0;
  }
}

static void accept(void *integ) {
  trmi_smooth *sm = integ;
  bury(sm);
  sm->h = sm->slow_next.t - sm->slow.t;
  swap_states(&sm->slow, &sm->slow_next);
  swap_states(&sm->now, &sm->next);
  swap_arrays(&sm->eta_now, &sm->eta_next);
  swap_arrays(&sm->rate_now, &sm->rate_next);
  swap_arrays(&sm->p_followed, &sm->p_next);
  swap_arrays(&sm->k_new, &sm->k_end);
  const trmi_vibration before = sm->now_vibrates;
  sm->now_vibrates = sm->next_vibrates;
  sm->next_vibrates = before;
  for (int i = 0; i < sm->m; i++) { /* keep phases small, where they are accurate */
    sm->turns[i] = two_pi * floor(sm->now_vibrates.phase[i] / two_pi);
    sm->now_vibrates.phase[i] -= sm->turns[i];
  }
  sm->short_steps = sm->short_next;
  trmi_smooth_warn(sm);
}

static const trm_state *state(const void *integ) {
  return &((const trmi_smooth *)integ)->now;
}

/* Dense output of DOPRI5, (3) of explicit.c, of component i; whole is its change in the step. */
static double dense_change(const trmi_smooth *sm, int i, double whole, double x) {
  double sum = 0.0, end = 0.0;
  for (int j = 0; j < TRMI_SMOOTH_STAGES; j++) {
    const double *p = trmi_dopri5.dense + 4 * j;
    sum += sm->k[j][i] * (x * (p[0] + x * (p[1] + x * (p[2] + x * p[3]))));
    end += sm->k[j][i] * (p[0] + p[1] + p[2] + p[3]);
  }
  return sm->h * sum + (whole - sm->h * end) * x * x * (3.0 - 2.0 * x);
}

static trm_status interpolate(void *integ, double t, trm_state *s, trm_error *err) {
  trmi_smooth *sm = integ;
  trm_system *sys = sm->ctx.sys;
  const int nv = sys->n.nv, m = sm->m, phases = 2 * nv + sys->n.nx;
  const trm_state *s0 = &sm->slow_next, *s1 = &sm->slow; /* swapped by accept */
  const double x = (t - s0->t) / sm->h;
  double *y = sm->y, *whole = sm->y_before;
  memcpy(whole, sm->displacement, (size_t)nv * sizeof(double));
  for (int i = 0; i < nv; i++) whole[nv + i] = s1->v[i] - s0->v[i];
  for (int i = 0; i < sys->n.nx; i++) whole[2 * nv + i] = s1->x[i] - s0->x[i];
  for (int i = 0; i < m; i++) {
    whole[phases + i] = sm->now_vibrates.phase[i] + sm->turns[i] - sm->next_vibrates.phase[i];
    whole[phases + m + i] = sm->now_vibrates.decayed[i] - sm->next_vibrates.decayed[i];
  }
  pack(sm, s0, &sm->next_vibrates, y);
  for (int i = 0; i < sm->n; i++) y[i] += dense_change(sm, i, whole[i], x);
  trm_state *slow = &sm->stage;
  trmi_state_copy(sys, s1, slow);
  unpack(sm, y, s0->q, slow);
  trmi_state_at(sys, s1, t, slow);
  for (int i = 0; i < m; i++) {
    sm->eta_dense[i] = sm->eta_next[i] + x * (sm->eta_now[i] - sm->eta_next[i]);
    sm->rate_dense[i] = sm->rate_next[i] + x * (sm->rate_now[i] - sm->rate_next[i]);
  }
  TRMI_TRY(err, trmi_smooth_project(sm, &sm->dense, sm->eta_dense, sm->rate_dense, slow, err));
  const trmi_vibration vibration = vibration_in(sm, y);
  TRMI_TRY(err, trmi_smooth_accelerations(sm, &sm->dense, slow, vibration.decayed, sm->p_next,
                                          err));
  TRMI_TRY(err, trmi_smooth_join(sm, &sm->dense, slow, &vibration, s, err));
  return TRM_OK;
}

static void set_discrete(void *integ, const double *z) {
  trmi_smooth *sm = integ;
  const size_t bytes = (size_t)sm->ctx.sys->n.nz * sizeof(double);
  if (bytes == 0) return;
  memcpy(sm->now.z, z, bytes);
  memcpy(sm->slow.z, z, bytes);
}

static void forget(void *integ) {
  trmi_smooth *sm = integ; /* the driver does it for its own matrices */
  if (sm->has_dense_matrix) trmi_consistent_forget(&sm->dense);
}

static void visit(void *integ, trmi_visitor *v) {
  trmi_smooth *sm = integ;
  const size_t list = (size_t)sm->m * sizeof(double), square = (size_t)sm->m * list;
  trmi_visit_state(v, sm->ctx.sys, &sm->now);
  trmi_visit_state(v, sm->ctx.sys, &sm->slow);
  trmi_visit(v, sm->k_new, (size_t)sm->n * sizeof(double));
  trmi_visit(v, sm->L, square);
  trmi_visit(v, sm->eta_scale, list);
  trmi_visit(v, sm->p_followed, square);
  trmi_visit(v, sm->action, list);
  trmi_visit(v, sm->now_vibrates.phase, list);
  trmi_visit(v, sm->now_vibrates.decayed, list);
  trmi_visit(v, sm->eta_now, list);
  trmi_visit(v, sm->rate_now, list);
  trmi_visit(v, &sm->inertia.is_used, sizeof sm->inertia.is_used);
  trmi_visit(v, sm->inertia.size, (size_t)sm->m * sizeof(double));
  trmi_visit(v, &sm->short_steps, sizeof sm->short_steps);
  trmi_visit(v, sm->told, sizeof sm->told);
}

static trm_status settle(void *integ, trm_error *err) {
  (void)integ; /* the driver does it for its own matrices */
  (void)err;
  return TRM_OK;
}

static int order(const void *integ) {
  (void)integ;
  return 5;
}

static double error_unit(const void *integ) {
  return ((const trmi_smooth *)integ)->ctx.tolerance;
}

static const trm_formulation formulations[] = {{.name = "averaged", .order = 5}, {.name = NULL}};

const trmi_integrator_ops trmi_integ_smooth = {
    .about = {.name = "smooth", .formulations = formulations,
              .meaning = "Follows the slow motion only; vibrations of stiff forces are averaged.",
              .where = "where forces have 'vibrations: averaged'", .is_explicit = true},
    .size = sizeof(trmi_smooth),
    .create = create, .plan = plan, .free = release, .start = start,
    .set_discrete = set_discrete,
    .attempt = attempt, .next = next, .accept = accept, .state = state,
    .interpolate = interpolate,
    .forget = forget, .visit = visit, .settle = settle, .error_power = order, .order = order,
    .error_unit = error_unit, .safety = 0.9, .growth = 5.0, .hold = 1.0,
};
