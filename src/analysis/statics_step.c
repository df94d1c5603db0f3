/* statics_step.c - one Newton step towards an equilibrium.
 *
 * With v = 0, v' = 0 and x' = 0 (or x held and x' unknown) the residuals of motion, g, d and
 * w - W vanish. tau and root = sqrt(tau) make the step that of a heavily damped motion:
 *   [Kt + tau M   G^T    A^T   -Q_x               -Q_w   ] [dpi ]     [motion]
 *   [G                                                   ] [dlam]     [g     ]
 *   [A                                                   ] [dmu ] = - [0     ]         (1)
 *   [D_Q          D_LAM        D_X + root D_XD     D_W   ] [dx  ]     [d     ]
 *   [-W_Q        -W_LAM       -W_X              1 - W_W  ] [dw  ]     [w - W ]
 *   Kt = K + d(G^T lam)/dq + d(A^T mu)/dq                                              (2)
 * Forces without reactions, f = -motion at lam = mu = 0, do the work
 *   (f_0 + f_1) . d / 2,   d = q_1 (-) q_0                                             (3)
 * along the displacement d to the new position; the linear model predicts
 *   -motion . dpi - dpi . Kt dpi / 2                                                   (4)
 * Derivation: docs/theory/09-static-modes.md. */
#include "analysis/statics.h"
#include "system/tangent.h"
#include <math.h>
#include <string.h>

/* The matrix of (1), with states at rest or held. Rows of mu restrict displacements. */
static trmi_tangent tangent_of(bool holds_states) {
  const unsigned by = TRMI_BY_BIT(TRMI_BY_POSITION) | TRMI_BY_BIT(TRMI_BY_INERTIA) |
                      TRMI_BY_BIT(TRMI_BY_MULTIPLIER) | TRMI_BY_BIT(TRMI_BY_VARIABLE) |
                      TRMI_BY_BIT(TRMI_BY_STATE_RATE);
  return (trmi_tangent){.by = holds_states ? by : by | TRMI_BY_BIT(TRMI_BY_STATE),
                        .lam = TRMI_AT_POSITION, .mu = TRMI_AT_POSITION,
                        .without = holds_states ? 0 : TRMI_BIT(TRM_W_XD),
                        .positions_first = true};
}

#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))

trm_status trmi_statics_take(trmi_statics *st, trmi_arena *arena, trm_error *err) {
  const trm_system *sys = st->sys;
  const int n = trmi_places_of(sys).n, nv = sys->n.nv;
  trmi_arena_init(&st->arena, &arena->allocator);
  trmi_state_take(sys, arena, &st->first);
  trmi_state_take(sys, arena, &st->trial);
  trmi_state_take(sys, arena, &st->before);
  for (int k = 0; k < TRMI_STATICS_POINTS; k++) trmi_state_take(sys, arena, &st->points[k]);
  double **const long_lists[] = {&st->r, &st->r_new, &st->step, &st->change,
                                &st->slope, &st->tangent};
  double **const lists[] = {&st->displacement, &st->product, &st->pull,   &st->pull_new,
                            &st->load, &st->acceleration, &st->unbalanced,
                            &st->mode_mass};
  st->nothing = TRMI_TAKE(arena, double, sys->n.ng + sys->n.na);
  st->modes = TRMI_TAKE(arena, double, (size_t)TRMI_STATICS_MODES * (size_t)nv);
  st->is_bristle = TRMI_TAKE(arena, bool, sys->n.nx);
  for (int i = 0; i < sys->n.nx && st->is_bristle != NULL; i++) {
    trm_label label;
    trm_system_label(sys, TRM_X, i, &label);
    st->is_bristle[i] = label.kind == TRM_KIND_BRISTLE;
  }
  for (int i = 0; i < COUNT(long_lists); i++) *long_lists[i] = TRMI_TAKE(arena, double, n);
  for (int i = 0; i < COUNT(lists); i++) *lists[i] = TRMI_TAKE(arena, double, nv);
  const size_t size = sys->ops->memory_size != NULL ? sys->ops->memory_size(sys->self) : 0;
  if (size > 0) st->memory = TRMI_TAKE(arena, unsigned char, size);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  if (size > 0) sys->ops->memory_save(sys->self, st->memory);
  return TRM_OK;
}

trm_status trmi_statics_build(trmi_statics *st, bool holds_states, trm_error *err) {
  if (st->has_matrix) trmi_matrix_free(&st->matrix);
  st->has_matrix = false;
  trmi_arena_clear(&st->arena);
  st->holds_states = holds_states;
  trmi_line lines[TRMI_TANGENT_MAX];
  const trmi_tangent tangent = tangent_of(holds_states);
  const trmi_matrix_spec spec = {.lines = lines, .nlines = trmi_tangent_lines(&tangent, lines),
                                 .slot_one = TRMI_BY_VARIABLE,
                                 .bordered = st->base->c.bordered, .iterated = true,
                                 .solver = st->solver};
  const trm_status status = trmi_matrix_build(&st->matrix, st->sys, &st->arena, &spec, err);
  st->has_matrix = true;
  TRMI_TRY(err, status);
  return TRM_OK;
}

/* Residuals of (1) at a state; the mu rows are zero. */
static trm_status evaluate(trmi_statics *st, const trm_state *s, double *r, trm_error *err) {
  const trmi_places at = trmi_places_of(st->sys);
  const trm_values out = {.motion = r, .g = r + at.lam, .d = r + at.x, .w = r + at.w};
  memset(r, 0, (size_t)at.n * sizeof(double));
  TRMI_TRY(err, trm_system_values(st->sys, s, &out, err));
  for (int i = 0; i < st->sys->n.nv; i++) r[i] -= st->load_left * st->load[i];
  for (int i = 0; i < at.n; i++) {
    if (isfinite(r[i])) continue;
    return TRMI_FAIL(err, TRM_RETRY_DOMAIN, NULL, "a force or a constraint is not finite");
  }
  return TRM_OK;
}

/* f of (3) */
static trm_status pull_at(trmi_statics *st, trm_state *s, double *f, trm_error *err) {
  const trm_sizes *n = &st->sys->n;
  trm_state plain = *s;
  plain.lam = st->nothing;
  plain.mu = st->nothing;
  TRMI_TRY(err, trm_system_values(st->sys, &plain, &(trm_values){.motion = f}, err));
  for (int i = 0; i < n->nv; i++) f[i] = st->load_left * st->load[i] - f[i];
  return TRM_OK;
}

/* Update elements with memory, such as angles over full turns, to the state. */
static trm_status remember(trmi_statics *st, trm_error *err) {
  const trm_system_ops *ops = st->sys->ops;
  if (ops->accept_step == NULL) return TRM_OK;
  TRMI_ASK(err, ops->name, "accept_step", ops->accept_step(st->sys->self, &st->base->s, err));
  return TRM_OK;
}

trm_status trmi_statics_restore(trmi_statics *st, const trm_state *s, trm_error *err) {
  trmi_state_copy(st->sys, s, &st->base->s);
  return remember(st, err);
}

trm_status trmi_statics_rewind(trmi_statics *st, trm_error *err) {
  trmi_state_copy(st->sys, &st->first, &st->base->s);
  if (st->memory != NULL) st->sys->ops->memory_load(st->sys->self, st->memory);
  st->load_left = st->tau = 0.0;
  st->is_neutral = st->ran_away = false;
  st->best = INFINITY;
  st->since_best = 0;
  TRMI_TRY(err, trmi_statics_multipliers(st, err));

  /* accelerations without constraints; pull is free here */
  const trmi_sparse *M = &st->sys->block[TRM_M];
  double *mass = st->pull_new;
  memset(mass, 0, (size_t)st->sys->n.nv * sizeof(double));
  for (int k = 0; k < M->n; k++) {
    if (M->row[k] == M->col[k]) mass[M->row[k]] += M->values[k];
  }
  TRMI_TRY(err, pull_at(st, &st->base->s, st->pull, err));
  st->reference = trmi_statics_norm(st);
  for (int i = 0; i < st->sys->n.nv; i++) {
    const double a = mass[i] > 0.0 ? fabs(st->pull[i]) / mass[i] / st->sys->scale_v[i] : 0.0;
    st->reference = fmax(st->reference, a);
  }
  return TRM_OK;
}

/* Largest stiffness over mass, by diagonals. */
static void find_kappa(trmi_statics *st) {
  static const trm_block blocks[] = {TRM_K, TRM_GY_Q, TRM_AY_Q};
  const trm_system *sys = st->sys;
  double *mass = st->pull, *stiffness = st->pull_new;
  memset(mass, 0, (size_t)sys->n.nv * sizeof(double));
  memset(stiffness, 0, (size_t)sys->n.nv * sizeof(double));
  const trmi_sparse *M = &sys->block[TRM_M];
  for (int k = 0; k < M->n; k++) {
    if (M->row[k] == M->col[k]) mass[M->row[k]] += M->values[k];
  }
  for (int b = 0; b < COUNT(blocks); b++) {
    const trmi_sparse *K = &sys->block[blocks[b]];
    for (int k = 0; k < K->n && K->values != NULL; k++) {
      if (K->row[k] == K->col[k]) stiffness[K->row[k]] += K->values[k];
    }
  }
  st->kappa = 0.0;
  for (int i = 0; i < sys->n.nv; i++) {
    if (mass[i] > 0.0) st->kappa = fmax(st->kappa, fabs(stiffness[i]) / mass[i]);
  }
}

/* No rotation by more than this at once [rad]. */
static const double turn_max = 0.7;

static void limit_turns(trmi_statics *st, double *step) {
  const trm_system *sys = st->sys;
  double turn = 0.0;
  for (int k = 0; k < sys->n.nrot; k++) {
    for (int i = 0; i < 3; i++) turn = fmax(turn, fabs(step[sys->rot_v[k] + i]));
  }
  if (turn <= turn_max) return;
  for (int i = 0; i < trmi_places_of(sys).n; i++) step[i] *= turn_max / turn;
}

/* Patterns have changed. */
static trm_status plan_again(trmi_statics *st, trm_error *err) {
  TRMI_TRY(err, trmi_consistent_rebuild(&st->base->c, st->base->c.bordered, err));
  TRMI_TRY(err, trmi_statics_build(st, st->holds_states, err));
  return TRM_OK;
}

/* Blocks of (1) at a state, repeated while they request new patterns. */
static trm_status fill_blocks(trmi_statics *st, const trm_state *s, trm_error *err) {
  for (int k = 0; k < TRMI_PATTERNS_MAX; k++) {
    const trm_status status =
        trmi_system_blocks(st->sys, s, st->matrix.blocks, NULL, s->lam, s->mu, err);
    if (status != TRM_RETRY_PATTERN) return status;
    TRMI_TRY(err, trmi_system_renew(st->sys, err));
    TRMI_TRY(err, plan_again(st, err));
  }
  return TRMI_FAIL(err, TRM_ERR_BALANCE, st->sys->ops->name, "patterns of blocks change without "
                   "end");
}

/* At rest bristles of friction have no row: they keep their values. */
static void hold_bristles(const trmi_statics *st) {
  const trmi_sparse *D_X = &st->sys->block[TRM_D_X];
  for (int k = 0; k < D_X->n && D_X->values != NULL; k++) {
    const bool is_own = D_X->row[k] == D_X->col[k] && st->is_bristle[D_X->row[k]];
    if (is_own && D_X->values[k] == 0.0) D_X->values[k] = 1.0;
  }
}

trm_status trmi_statics_solve(trmi_statics *st, trm_error *err) {
  trm_system *sys = st->sys;
  const trm_state *s = &st->base->s;
  const trmi_places at = trmi_places_of(sys);
  double coefficient[TRMI_SLOTS];
  memcpy(coefficient, trmi_tangent_ones, sizeof coefficient);
  coefficient[TRMI_BY_INERTIA] = st->tau;
  if (!st->holds_states) coefficient[TRMI_BY_STATE_RATE] = sqrt(st->tau);
  if (st->should_stop != NULL && st->should_stop(st->should_stop_self)) {
    return TRMI_FAIL(err, TRM_ERR_STOPPED, NULL, "stopped after %d Newton steps", st->iterations);
  }
  st->iterations++;
  TRMI_TRY(err, fill_blocks(st, s, err));
  hold_bristles(st);
  find_kappa(st);
  TRMI_TRY(err, evaluate(st, s, st->r, err));
  TRMI_TRY(err, trmi_matrix_factor(&st->matrix, sys, coefficient, NULL, err));
  for (int i = 0; i < at.n; i++) st->step[i] = -st->r[i];
  TRMI_TRY(err, trmi_linear_solve(&st->matrix.lin, st->step, err));
  limit_turns(st, st->step);
  st->size = 0.0;
  for (int i = 0; i < at.n; i++) {
    double scale = INFINITY; /* multipliers and variables depend on the others */
    if (i < sys->n.nv) scale = sys->scale_v[i];
    if (i >= at.x && i < at.w && !st->holds_states) {
      scale = fmax(sys->scale_x[i - at.x], fabs(s->x[i - at.x]));
    }
    if (!isfinite(st->step[i])) {
      return TRMI_FAIL(err, TRM_RETRY_SINGULAR, NULL, "a step is not finite");
    }
    st->size = fmax(st->size, fabs(st->step[i]) / scale);
  }

  /* Kt dpi for (4), while its blocks are there */
  static const trm_block blocks[] = {TRM_K, TRM_GY_Q, TRM_AY_Q};
  memset(st->product, 0, (size_t)sys->n.nv * sizeof(double));
  for (int b = 0; b < COUNT(blocks); b++) {
    if (sys->block[blocks[b]].values == NULL) continue;
    trmi_sparse_add_mul(&sys->block[blocks[b]], 1.0, st->step, st->product);
  }
  return TRM_OK;
}

static void add(double *to, const double *what, int n) {
  for (int i = 0; i < n; i++) to[i] += what[i];
}

trm_status trmi_statics_try(trmi_statics *st, trm_error *err) {
  const trm_system *sys = st->sys;
  const trm_sizes *n = &sys->n;
  const trmi_places at = trmi_places_of(sys);
  trm_state *s = &st->trial;
  trmi_state_copy(sys, &st->base->s, s);
  trm_system_retract(sys, s->q, st->step, s->q);
  add(s->lam, st->step + at.lam, n->ng);
  add(s->mu, st->step + at.mu, n->na);
  add(st->holds_states ? s->xd : s->x, st->step + at.x, n->nx);
  add(s->w, st->step + at.w, n->nw);
  const trm_status status = trmi_consistent_positions(&st->base->c, s, 20, err);
  if (status == TRM_ERR_ASSEMBLY || status == TRM_ERR_NOT_FINITE) { /* too far: try a shorter one */
    return trmi_note(err, __func__, TRM_RETRY_DOMAIN);
  }
  TRMI_TRY(err, status);
  TRMI_TRY(err, evaluate(st, s, st->r_new, err));
  return TRM_OK;
}

trm_status trmi_statics_measure(trmi_statics *st, trmi_statics_work *work, trm_error *err) {
  const trm_system *sys = st->sys;
  TRMI_TRY(err, pull_at(st, &st->base->s, st->pull, err));
  TRMI_TRY(err, pull_at(st, &st->trial, st->pull_new, err));
  trm_system_difference(sys, st->trial.q, st->base->s.q, st->displacement);
  *work = (trmi_statics_work){0};
  for (int i = 0; i < sys->n.nv; i++) {
    work->done += 0.5 * (st->pull[i] + st->pull_new[i]) * st->displacement[i]; /* (3) */
    work->expected -= (st->r[i] + 0.5 * st->product[i]) * st->step[i]; /* (4) */
    work->noise +=
        fabs(st->pull[i]) * (1e-14 * fabs(st->displacement[i]) + 1e-15 * sys->scale_v[i]);
  }
  return TRM_OK;
}

trm_status trmi_statics_accept(trmi_statics *st, trm_error *err) {
  trm_system *sys = st->sys;
  trm_state *s = &st->base->s;
  trmi_state_copy(sys, &st->trial, s);
  bool changed = false;
  TRMI_TRY(err, remember(st, err));
  if (sys->ops->settle != NULL) {
    TRMI_ASK(err, sys->ops->name, "settle", sys->ops->settle(sys->self, s, &changed, err));
  }
  bool is_new = false;
  TRMI_TRY(err, trmi_system_follow(sys, &is_new, err));
  if (is_new) TRMI_TRY(err, plan_again(st, err));

  trm_system_difference(sys, s->q, st->first.q, st->displacement);
  for (int i = 0; i < sys->n.nv; i++) {
    if (!(fabs(st->displacement[i]) <= TRMI_STATICS_FAR * sys->scale_v[i])) st->ran_away = true;
  }
  return TRM_OK;
}

trm_status trmi_statics_multipliers(trmi_statics *st, trm_error *err) {
  trm_system *sys = st->sys;
  trm_state *s = &st->base->s;
  const trmi_places at = trmi_places_of(sys);
  trmi_matrix *matrix = NULL;
  if (sys->n.nv == 0) return evaluate(st, s, st->r, err); /* only states */
  TRMI_TRY(err, trmi_consistent_factor(&st->base->c, s, false, &matrix, err));
  memset(st->step, 0, (size_t)at.x * sizeof(double));
  TRMI_TRY(err, pull_at(st, s, st->step, err));
  TRMI_TRY(err, trmi_linear_solve(&matrix->lin, st->step, err));
  memcpy(st->acceleration, st->step, (size_t)sys->n.nv * sizeof(double));
  memcpy(s->lam, st->step + at.lam, (size_t)sys->n.ng * sizeof(double));
  memcpy(s->mu, st->step + at.mu, (size_t)sys->n.na * sizeof(double));
  memset(st->unbalanced, 0, (size_t)sys->n.nv * sizeof(double));
  trmi_sparse_add_mul(&sys->block[TRM_M], 1.0, st->acceleration, st->unbalanced);
  TRMI_TRY(err, evaluate(st, s, st->r, err));
  return TRM_OK;
}

double trmi_statics_norm(const trmi_statics *st) {
  const trm_system *sys = st->sys;
  const trmi_places at = trmi_places_of(sys);
  double norm = 0.0;
  for (int i = 0; i < sys->n.nv; i++) {
    norm = fmax(norm, fabs(st->acceleration[i]) / sys->scale_v[i]);
  }
  for (int i = 0; i < sys->n.nx; i++) {
    norm = fmax(norm, fabs(st->r[at.x + i]) / fmax(sys->scale_x[i], fabs(st->base->s.x[i])));
  }
  for (int i = 0; i < sys->n.nw; i++) {
    norm = fmax(norm, fabs(st->r[at.w + i]) / fmax(1.0, fabs(st->base->s.w[i])));
  }
  return norm;
}
