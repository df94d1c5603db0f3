/* consistent.c - assembly and index-1 solutions.
 *
 * Positions and velocities move along M^-1 G^T, the shortest way measured by the
 * kinetic energy:
 *   [M G^T A^T; G 0 0; A 0 0] [d; *; *] = [0; -g; 0],        q <- q (+) d     (1)
 *   the same matrix,           right side [0; -(G v + g_t); -(A v + b)]       (2)
 * Accelerations and multipliers, with states and variables by Newton:
 *   M v' + G^T lam + A^T mu - Q = 0,  G v' + g_bias = 0,  A v' + a_bias = 0,
 *   d = 0,  w - W = 0                                                         (3)
 * Where constraints are redundant, the multipliers are the shortest ones (share.h).
 * Derivation: docs/theory/06-start-and-rank.md. */
#include "system/consistent.h"
#include "system/loop.h"
#include <math.h>
#include <string.h>

enum { PLUS, MINUS, SLOTS };
static const double coefficient[SLOTS] = {[PLUS] = 1.0, [MINUS] = -1.0};

static const trmi_line project_lines[] = {
    {TRM_V, TRM_V, TRM_M, PLUS, false, false},
    {TRM_V, TRM_LAM, TRM_G, PLUS, true, false},
    {TRM_V, TRM_MU, TRM_A, PLUS, true, false},
    {TRM_LAM, TRM_V, TRM_G, PLUS, false, false},
    {TRM_MU, TRM_V, TRM_A, PLUS, false, false},
};

static const trmi_line index1_lines[] = {
    {TRM_V, TRM_V, TRM_M, PLUS, false, false},
    {TRM_V, TRM_LAM, TRM_G, PLUS, true, false},
    {TRM_V, TRM_MU, TRM_A, PLUS, true, false},
    {TRM_V, TRM_W, TRM_Q_W, MINUS, false, false},
    {TRM_LAM, TRM_V, TRM_G, PLUS, false, false},
    {TRM_MU, TRM_V, TRM_A, PLUS, false, false},
    {TRM_X, TRM_V, TRM_D_VD, PLUS, false, false},
    {TRM_X, TRM_LAM, TRM_D_LAM, PLUS, false, false},
    {TRM_X, TRM_X, TRM_D_XD, PLUS, false, false},
    {TRM_X, TRM_W, TRM_D_W, PLUS, false, false},
    {TRM_W, TRM_V, TRM_W_VD, MINUS, false, false},
    {TRM_W, TRM_LAM, TRM_W_LAM, MINUS, false, false},
    {TRM_W, TRM_X, TRM_W_XD, MINUS, false, false},
    {TRM_W, TRM_W, TRM_W_W, MINUS, false, false},
};

#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))

trm_status trmi_consistent_rebuild(trmi_consistent *c, bool bordered, trm_error *err) {
  trmi_consistent_free(c);
  c->bordered = bordered;
  const trmi_matrix_spec project = {.lines = project_lines, .nlines = COUNT(project_lines),
                                    .slot_one = PLUS, .kinematic = true, .bordered = bordered,
                                    .solver = c->solver};
  TRMI_TRY(err, trmi_matrix_build(&c->project, c->sys, &c->arena, &project, err));
  if (bordered) TRMI_TRY(err, trmi_share_init(&c->share, c->sys, &c->arena, err));
  if (c->is_linear) return TRM_OK;
  const trmi_matrix_spec index1 = {.lines = index1_lines, .nlines = COUNT(index1_lines),
                                   .slot_one = PLUS, .bordered = bordered, .solver = c->solver};
  TRMI_TRY(err, trmi_matrix_build(&c->index1, c->sys, &c->arena, &index1, err));
  return TRM_OK;
}

void trmi_consistent_free(trmi_consistent *c) {
  trmi_matrix_free(&c->project);
  trmi_matrix_free(&c->index1);
  trmi_share_free(&c->share);
  trmi_arena_clear(&c->arena);
  c->project = c->index1 = (trmi_matrix){0};
  c->share = (trmi_share){0};
}

void trmi_consistent_forget(trmi_consistent *c) {
  trmi_linear_forget(&c->project.lin);
  trmi_linear_forget(&c->index1.lin);
  trmi_linear_forget(&c->share.lin);
}

void trmi_consistent_visit(trmi_consistent *c, trmi_visitor *v) {
  trmi_linear_visit(&c->project.lin, v);
  trmi_linear_visit(&c->index1.lin, v);
}

trm_status trmi_consistent_settle(trmi_consistent *c, trm_error *err) {
  TRMI_TRY(err, trmi_linear_settle(&c->project.lin, err));
  TRMI_TRY(err, trmi_linear_settle(&c->index1.lin, err));
  return TRM_OK;
}

trm_status trmi_consistent_init(trmi_consistent *c, trm_system *sys, trmi_arena *arena,
                                const char *solver, bool bordered, trm_error *err) {
  const int n = trmi_places_of(sys).n;
  *c = (trmi_consistent){.sys = sys, .solver = solver};
  c->is_linear = sys->n.nx == 0 && sys->n.nw == 0;
  trmi_arena_init(&c->arena, &arena->allocator);
  trmi_state_take(sys, arena, &c->trial);
  c->rhs = TRMI_TAKE(arena, double, n);
  c->old = TRMI_TAKE(arena, double, n);
  c->step = TRMI_TAKE(arena, double, sys->n.nv);
  c->first = TRMI_TAKE(arena, double, sys->nq);
  c->bias = TRMI_TAKE(arena, double, sys->n.ng + sys->n.na);
  const int nw = trmi_loop_exists(sys) ? sys->n.nw : 0;
  c->gain = TRMI_TAKE(arena, double, nw * (nw + 3));
  c->is_size = TRMI_TAKE(arena, unsigned char, nw);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  TRMI_TRY(err, trmi_consistent_rebuild(c, bordered, err));
  return TRM_OK;
}

/* Start values that are given move less than others by this factor. */
static const double given_weight = 1e8;

static void weigh_given(trmi_consistent *c) {
  const trm_system *sys = c->sys;
  const trmi_sparse *M = &sys->block[TRM_M];
  const double *scale = sys->scale_v; /* masses and inertias in one unit */
  double largest = 0.0;
  for (int k = 0; k < M->n; k++) {
    largest = fmax(largest, fabs(M->values[k]) * scale[M->row[k]] * scale[M->col[k]]);
  }
  for (int k = 0; k < M->n; k++) {
    const int i = M->row[k];
    if (i != M->col[k] || !sys->ops->is_given(sys->self, c->held, i)) continue;
    M->values[k] += given_weight * largest / (scale[i] * scale[i]);
  }
}

/* Factor a matrix at a state. A singular one gets its border once and for all. */
static trm_status factor(trmi_consistent *c, trmi_matrix *matrix, const trm_state *s,
                         trm_error *err) {
  TRMI_TRY(err, trmi_system_blocks(c->sys, s, matrix->blocks, NULL, NULL, NULL, err));
  if (c->holds) weigh_given(c);
  const trm_status status = trmi_matrix_factor(matrix, c->sys, coefficient, NULL, err);
  if (status != TRM_RETRY_SINGULAR || c->bordered) {
    return status == TRM_OK ? TRM_OK : trmi_note(err, __func__, status);
  }
  TRMI_TRY(err, trmi_consistent_rebuild(c, true, err));
  TRMI_TRY(err, trmi_system_blocks(c->sys, s, matrix->blocks, NULL, NULL, NULL, err));
  if (c->holds) weigh_given(c);
  TRMI_TRY(err, trmi_matrix_factor(matrix, c->sys, coefficient, NULL, err));
  return TRM_OK;
}

trm_status trmi_consistent_factor(trmi_consistent *c, const trm_state *s, bool with_states,
                                  trmi_matrix **matrix, trm_error *err) {
  *matrix = with_states && !c->is_linear ? &c->index1 : &c->project;
  return factor(c, *matrix, s, err);
}

/* Largest |r| / scale, and where. NaN wins. */
static double worst_of(const double *r, const double *scale, int n, int *index) {
  double worst = 0.0;
  for (int i = 0; i < n; i++) {
    const double size = fabs(r[i]) / scale[i];
    if (!(size <= worst)) {
      worst = size;
      *index = i;
      if (isnan(size)) break;
    }
  }
  return worst;
}

static trm_status cannot(trmi_consistent *c, trm_quantity list, int index, const char *what,
                         double left, trm_error *err) {
  trm_label label;
  trm_system_label(c->sys, list, index, &label);
  return TRMI_FAIL(err, isnan(left) ? TRM_ERR_NOT_FINITE : TRM_ERR_ASSEMBLY, label.object,
                   "the start cannot be assembled: %s of '%s' stays at %.3g; check the "
                   "start values, lengths and contradicting constraints",
                   what, label.name, left);
}

/* What counts as satisfied: rounding of numbers of size `scale`. */
static const double satisfied = 1e-14, acceptable = 1e-10;
/* What accelerations may leave of redundant rows: the solver does not ask for less (linear.c). */
static const double contradicting = 1e-7;

/* Newton step (1) with the present factorization; the rows of lam of c->rhs hold g. */
static trm_status position_step(trmi_consistent *c, trm_error *err) {
  const int nv = c->sys->n.nv, ng = c->sys->n.ng, na = c->sys->n.na;
  double *g = c->rhs + nv;
  memset(c->rhs, 0, (size_t)nv * sizeof(double));
  for (int i = 0; i < ng; i++) g[i] = -g[i];
  memset(g + ng, 0, (size_t)na * sizeof(double));
  return trmi_linear_solve(&c->project.lin, c->rhs, err);
}

trm_status trmi_consistent_correct(trmi_consistent *c, trm_state *s, const double *scale_v,
                                   trmi_correction *correction, trm_error *err) {
  trm_system *sys = c->sys;
  *correction = (trmi_correction){.worst = -1};
  TRMI_TRY(err, trm_system_values(sys, s, &(trm_values){.g = c->rhs + sys->n.nv}, err));
  correction->violation =
      worst_of(c->rhs + sys->n.nv, sys->scale_g, sys->n.ng, &correction->row);
  if (isnan(correction->violation)) {
    return TRMI_FAIL(err, TRM_RETRY_DOMAIN, NULL, "a constraint is not finite");
  }
  if (correction->violation <= satisfied) return TRM_OK;
  TRMI_TRY(err, factor(c, &c->project, s, err));
  TRMI_TRY(err, position_step(c, err));
  correction->length = worst_of(c->rhs, scale_v, sys->n.nv, &correction->worst);
  if (!isfinite(correction->length)) {
    return TRMI_FAIL(err, TRM_RETRY_DOMAIN, NULL, "a correction of positions is not finite");
  }
  trm_system_retract(sys, s->q, c->rhs, s->q);
  return TRM_OK;
}

/* Trial positions along c->step, halved until the worst row is better than `left`; `now` receives
 * what it is, NaN where it cannot be computed. The rows of lam of c->rhs hold g then. */
static trm_status shorten(trmi_consistent *c, const trm_state *s, double left, double *now,
                          int *index, trm_error *err) {
  trm_system *sys = c->sys;
  double *g = c->rhs + sys->n.nv, length = 1.0;
  trmi_state_copy(sys, s, &c->trial);
  for (int half = 0; half < 12; half++, length *= 0.5) {
    for (int i = 0; i < sys->n.nv; i++) c->old[i] = length * c->step[i];
    trm_system_retract(sys, s->q, c->old, c->trial.q);
    const trm_status status = trm_system_values(sys, &c->trial, &(trm_values){.g = g}, err);
    if (status < 0) return trmi_note(err, __func__, status);
    *now = status == TRM_OK ? worst_of(g, sys->scale_g, sys->n.ng, index) : NAN;
    if (*now < left) break;
  }
  return TRM_OK;
}

/* A larger border for the steps of positions, as Levenberg and Marquardt have it: off their
 * solution redundant rows contradict each other a little, and an exact step takes that for a long
 * way to go. `is_softer` receives false when that was tried. */
static trm_status soften(trmi_consistent *c, bool *is_softer, trm_error *err) {
  const double more = 1e3, most = 1e9;
  if (!c->bordered) TRMI_TRY(err, trmi_consistent_rebuild(c, true, err));
  *is_softer = c->project.plan.border_scale < most;
  if (*is_softer) c->project.plan.border_scale *= more;
  return TRM_OK;
}

static trm_status iterate_positions(trmi_consistent *c, trm_state *s, int iterations,
                                    trm_error *err) {
  trm_system *sys = c->sys;
  const int nv = sys->n.nv, ng = sys->n.ng;
  if (ng == 0) return TRM_OK;
  double *g = c->rhs + nv;
  int index = 0;
  TRMI_TRY(err, trm_system_values(sys, s, &(trm_values){.g = g}, err));
  double left = worst_of(g, sys->scale_g, ng, &index);
  for (int k = 0; k < iterations && !(left <= satisfied); k++) {
    if (isnan(left)) return cannot(c, TRM_LAM, index, "the position", left, err);
    TRMI_TRY(err, factor(c, &c->project, s, err));

    /* Newton step (1), shortened until it gains */
    const trm_status solved = position_step(c, err);
    if (solved == TRM_RETRY_SINGULAR && left <= acceptable) break; /* as good as it gets */
    if (solved == TRM_RETRY_SINGULAR) {
      return cannot(c, TRM_LAM, index, "the position", left, err);
    }
    TRMI_TRY(err, solved);
    memcpy(c->step, c->rhs, (size_t)nv * sizeof(double));
    double now = NAN;
    TRMI_TRY(err, shorten(c, s, left, &now, &index, err));
    if (now < left) {
      left = now;
      memcpy(s->q, c->trial.q, (size_t)sys->nq * sizeof(double));
    } else if (left <= acceptable) {
      break; /* as good as it gets */
    } else {
      bool is_softer = false;
      TRMI_TRY(err, soften(c, &is_softer, err));
      if (!is_softer) break;
      TRMI_TRY(err, trm_system_values(sys, s, &(trm_values){.g = g}, err));
    }
  }
  if (!(left <= acceptable)) return cannot(c, TRM_LAM, index, "the position", left, err);
  return TRM_OK;
}

trm_status trmi_consistent_positions(trmi_consistent *c, trm_state *s, int iterations,
                                     trm_error *err) {
  const double scale = c->project.plan.border_scale;
  const trm_status status = iterate_positions(c, s, iterations, err);
  c->project.plan.border_scale = scale;
  return status;
}

/* The largest of velocities or accelerations in metres or radians, at least `least`. */
static double size_of(const trm_system *sys, const double *v, double least) {
  double size = least;
  for (int i = 0; i < sys->n.nv; i++) size = fmax(size, fabs(v[i]) / sys->unit_v[i]);
  return size;
}

/* Right-hand side of (2); returns the larger violation. */
static trm_status rates(trmi_consistent *c, const trm_state *s, double *left, trm_quantity *list,
                        int *index, trm_error *err) {
  trm_system *sys = c->sys;
  const int nv = sys->n.nv, ng = sys->n.ng, na = sys->n.na;
  double *r = c->rhs + nv;
  TRMI_TRY(err,
           trm_system_values(sys, s, &(trm_values){.g_rate = r, .a_rate = r + ng}, err));
  int at_g = 0, at_a = 0;
  const double of_g = worst_of(r, sys->scale_g, ng, &at_g);
  const double of_a = worst_of(r + ng, sys->scale_a, na, &at_a);
  *list = of_g >= of_a || isnan(of_g) ? TRM_LAM : TRM_MU;
  *index = *list == TRM_LAM ? at_g : at_a;
  *left = *list == TRM_LAM ? of_g : of_a;
  return TRM_OK;
}

/* One Newton step (2) with the present factorization; c->rhs holds the rates. */
static trm_status velocity_step(trmi_consistent *c, trm_state *s, trm_error *err) {
  const int nv = c->sys->n.nv, rows = c->sys->n.ng + c->sys->n.na;
  memset(c->rhs, 0, (size_t)nv * sizeof(double));
  for (int i = 0; i < rows; i++) c->rhs[nv + i] = -c->rhs[nv + i];
  TRMI_TRY(err, trmi_linear_solve(&c->project.lin, c->rhs, err));
  for (int i = 0; i < nv; i++) s->v[i] += c->rhs[i];
  return TRM_OK;
}

trm_status trmi_consistent_velocities(trmi_consistent *c, trm_state *s, trm_error *err) {
  trm_system *sys = c->sys;
  if (sys->n.ng + sys->n.na == 0) return TRM_OK;
  const double size = size_of(sys, s->v, 1.0 / sys->second);
  double left = 0.0;
  trm_quantity list = TRM_LAM;
  int index = 0;
  TRMI_TRY(err, rates(c, s, &left, &list, &index, err));
  if (left <= satisfied * size) return TRM_OK;
  TRMI_TRY(err, factor(c, &c->project, s, err));
  for (int k = 0; k < 3 && !(left <= satisfied * size); k++) {
    const trm_status solved = velocity_step(c, s, err);
    if (solved == TRM_RETRY_SINGULAR) return cannot(c, list, index, "the velocity", left, err);
    TRMI_TRY(err, solved);
    TRMI_TRY(err, rates(c, s, &left, &list, &index, err));
  }
  if (!(left <= acceptable * size)) return cannot(c, list, index, "the velocity", left, err);
  return TRM_OK;
}

typedef trm_status (*mover)(trmi_consistent *c, trm_state *s, trm_error *err);

static trm_status move_positions(trmi_consistent *c, trm_state *s, trm_error *err) {
  return trmi_consistent_positions(c, s, 50, err);
}

/* How far list `held` moved from `first`, in retract increments or velocities. */
static void moved_by(const trmi_consistent *c, trm_quantity held, const trm_state *s, double *by) {
  if (held == TRM_Q) {
    trm_system_difference(c->sys, s->q, c->first, by);
    return;
  }
  for (int i = 0; i < c->sys->n.nv; i++) by[i] = s->v[i] - c->first[i];
}

/* Largest moves of given and of guessed values. */
static bool guesses_are_enough(const trmi_consistent *c, trm_quantity held, const double *by) {
  const trm_system *sys = c->sys;
  double given = 0.0, guessed = 0.0;
  for (int i = 0; i < sys->n.nv; i++) {
    double *largest = sys->ops->is_given(sys->self, held, i) ? &given : &guessed;
    *largest = fmax(*largest, fabs(by[i]) / sys->unit_v[i]);
  }
  return given <= 1e-5 * guessed;
}

/* The given values as they were, the others where they moved to. */
static void take_back(const trmi_consistent *c, trm_quantity held, double *by, trm_state *s) {
  const trm_system *sys = c->sys;
  for (int i = 0; i < sys->n.nv; i++) {
    if (sys->ops->is_given(sys->self, held, i)) by[i] = 0.0;
    if (held == TRM_V) s->v[i] = c->first[i] + by[i];
  }
  if (held == TRM_Q) trm_system_retract(sys, c->first, by, s->q);
}

/* Move list `held` of a start: with weights, then from the given values again, which takes
 * off them what little they moved; without weights if the guesses alone cannot do it. */
static trm_status assemble(trmi_consistent *c, trm_quantity held, mover move, trm_state *s,
                           trm_error *err) {
  const trm_system *sys = c->sys;
  if (sys->ops->is_given == NULL) return move(c, s, err);
  const size_t bytes = (size_t)(held == TRM_Q ? sys->nq : sys->n.nv) * sizeof(double);
  double *values = held == TRM_Q ? s->q : s->v;
  if (bytes == 0) return move(c, s, err);
  memcpy(c->first, values, bytes);
  c->holds = true, c->held = held;
  trm_status status = move(c, s, err);
  bool is_enough = status == TRM_OK;
  if (is_enough) {
    moved_by(c, held, s, c->step);
    is_enough = guesses_are_enough(c, held, c->step);
  }
  if (is_enough) {
    take_back(c, held, c->step, s);
    status = move(c, s, err);
  }
  c->holds = false;
  if (is_enough) return status;
  memcpy(values, c->first, bytes);
  return move(c, s, err);
}

trm_status trmi_consistent_assemble_positions(trmi_consistent *c, trm_state *s, trm_error *err) {
  return assemble(c, TRM_Q, move_positions, s, err);
}

trm_status trmi_consistent_assemble_velocities(trmi_consistent *c, trm_state *s, trm_error *err) {
  return assemble(c, TRM_V, trmi_consistent_velocities, s, err);
}

/* Both levels, measured at `at`; rates are satisfied to rounding of numbers of `size`, if they
 * come there by that many steps. */
static trm_status project(trmi_consistent *c, const trm_state *at, trm_state *s, double size,
                          int steps, trm_error *err) {
  trm_system *sys = c->sys;
  const int nv = sys->n.nv, ng = sys->n.ng, na = sys->n.na;
  if (ng + na == 0) return TRM_OK;
  TRMI_TRY(err, factor(c, &c->project, at, err));
  for (int k = 0; k < 3 && ng > 0; k++) {
    int index = 0;
    TRMI_TRY(err, trm_system_values(sys, s, &(trm_values){.g = c->rhs + nv}, err));
    const double left = worst_of(c->rhs + nv, sys->scale_g, ng, &index);
    if (isnan(left)) {
      return TRMI_FAIL(err, TRM_RETRY_DOMAIN, NULL, "a constraint is not finite");
    }
    if (left <= satisfied) break;
    TRMI_TRY(err, position_step(c, err));
    trm_system_retract(sys, s->q, c->rhs, s->q);
  }
  double left = 0.0;
  trm_quantity list = TRM_LAM;
  int index = 0;
  for (int k = 0; k < steps; k++) {
    TRMI_TRY(err, rates(c, s, &left, &list, &index, err));
    if (left <= satisfied * size) break;
    TRMI_TRY(err, velocity_step(c, s, err));
  }
  return TRM_OK;
}

trm_status trmi_consistent_project(trmi_consistent *c, trm_state *s, trm_error *err) {
  return project(c, s, s, 1.0 / c->sys->second, 2, err);
}

trm_status trmi_consistent_project_as(trmi_consistent *c, const trm_state *at, trm_state *s,
                                      trm_error *err) {
  return project(c, at, s, 1.0 / c->sys->second, 2, err);
}

/* Negative residual of (3) into c->rhs. */
static trm_status index1_residual(trmi_consistent *c, const trm_state *s, trm_error *err) {
  trm_system *sys = c->sys;
  const trm_sizes *n = &sys->n;
  const trmi_places at = trmi_places_of(sys);
  double *r = c->rhs;
  const trm_values out = {.motion = r, .g_bias = r + at.lam, .a_bias = r + at.mu,
                          .d = r + at.x, .w = r + at.w};
  TRMI_TRY(err, trm_system_values(sys, s, &out, err));
  if (n->ng > 0) trmi_sparse_add_mul(&sys->block[TRM_G], 1.0, s->vd, r + at.lam);
  if (n->na > 0) trmi_sparse_add_mul(&sys->block[TRM_A], 1.0, s->vd, r + at.mu);
  for (int i = 0; i < at.n; i++) r[i] = -r[i];
  return TRM_OK;
}

/* Adds the correction in c->rhs; returns its largest size relative to the unknowns of its list.
 * A list may be nothing but the rounding of others, such as a variable that passes zero while
 * forces of 1e4 N cancel: `loose` receives the same relative to 1e-5 of all unknowns at least. */
static double index1_update(trmi_consistent *c, trm_state *s, double *loose) {
  enum { LISTS = 5 };
  const trm_sizes *n = &c->sys->n;
  const trmi_places at = trmi_places_of(c->sys);
  double *const lists[LISTS] = {s->vd, s->lam, s->mu, s->xd, s->w};
  const int first[LISTS] = {at.v, at.lam, at.mu, at.x, at.w};
  const int count[LISTS] = {n->nv, n->ng, n->na, n->nx, n->nw};
  double size[LISTS], change[LISTS], all = 0.0, worst = 0.0;
  c->worst = -1;
  for (int l = 0; l < LISTS; l++) {
    size[l] = 1e-30, change[l] = 0.0;
    for (int i = 0; i < count[l]; i++) {
      const double d = c->rhs[first[l] + i];
      lists[l][i] += d;
      size[l] = fmax(size[l], fabs(lists[l][i]));
      if (!(fabs(d) <= change[l])) {
        change[l] = fabs(d);
        if (l == LISTS - 1) c->worst = i;
      }
    }
    all = fmax(all, size[l]);
    if (!(change[l] <= worst * size[l])) worst = change[l] / size[l];
  }
  *loose = 0.0;
  for (int l = 0; l < LISTS; l++) *loose = fmax(*loose, change[l] / fmax(size[l], 1e-5 * all));
  return worst;
}

trm_status trmi_consistent_share(trmi_consistent *c, trm_state *s, trm_error *err) {
  double moved = 0.0;
  return c->bordered ? trmi_share_out(&c->share, s, &moved, err) : TRM_OK;
}

static trm_status solve_index1(trmi_consistent *c, trm_state *s, trm_error *err) {
  trmi_matrix *matrix = c->is_linear ? &c->project : &c->index1;
  double last = INFINITY, loose = 0.0;
  for (int k = 0; k < 25; k++) {
    TRMI_TRY(err, factor(c, matrix, s, err));
    TRMI_TRY(err, index1_residual(c, s, err));
    TRMI_TRY(err, trmi_linear_solve(&matrix->lin, c->rhs, err));
    const double change = index1_update(c, s, &loose);
    if (!isfinite(change)) {
      return TRMI_FAIL(err, TRM_RETRY_DOMAIN, NULL,
                       "accelerations or multipliers are not finite");
    }
    if (c->is_linear) return TRM_OK;
    /* done, or as good as rounding, derivatives and rates by differences allow */
    if (change <= 1e-14 || (loose <= 1e-8 && change >= 0.25 * last)) return TRM_OK;
    last = change;
  }
  return trmi_loop_failed(c, s, err);
}

trm_status trmi_consistent_accelerations(trmi_consistent *c, trm_state *s, trm_error *err) {
  enum { TRIES = 20 };
  const trm_system *sys = c->sys;
  const bool reads = sys->block[TRM_W_LAM].n > 0 || sys->block[TRM_D_LAM].n > 0;
  for (int k = 0; k < TRIES; k++) {
    double moved = 0.0;
    TRMI_TRY(err, solve_index1(c, s, err));
    if (c->bordered) TRMI_TRY(err, trmi_share_out(&c->share, s, &moved, err));
    if (!reads || moved <= 1e-10) break; /* else forces, as of friction, depend on the shares */
  }
  return TRM_OK;
}

trm_status trmi_consistent_agree(trmi_consistent *c, const trm_state *s, trm_error *err) {
  const trm_system *sys = c->sys;
  const int nv = sys->n.nv, ng = sys->n.ng;
  if (!c->bordered) return TRM_OK;
  const double size = size_of(sys, s->vd, 1.0 / (sys->second * sys->second));
  int at_g = 0, at_a = 0;
  TRMI_TRY(err, index1_residual(c, s, err));
  const double of_g = worst_of(c->rhs + nv, sys->scale_g, ng, &at_g);
  const double of_a = worst_of(c->rhs + nv + ng, sys->scale_a, sys->n.na, &at_a);
  const double most = contradicting * size;
  if (of_g <= most && of_a <= most) return TRM_OK;
  const bool is_g = !(of_g < of_a);
  return cannot(c, is_g ? TRM_LAM : TRM_MU, is_g ? at_g : at_a, "the acceleration",
                is_g ? of_g : of_a, err);
}

trm_status trmi_consistent_close(trmi_consistent *c, trm_state *s, trm_error *err) {
  const bool has_matrix = c->sys->n.ng + c->sys->n.na > 0;
  const double size = size_of(c->sys, s->v, 1.0 / c->sys->second);
  double loose;
  TRMI_TRY(err, project(c, s, s, size, 5, err));
  if (!c->is_linear || !has_matrix) return trmi_consistent_accelerations(c, s, err);
  TRMI_TRY(err, index1_residual(c, s, err));
  TRMI_TRY(err, trmi_linear_solve(&c->project.lin, c->rhs, err));
  if (!isfinite(index1_update(c, s, &loose))) {
    return TRMI_FAIL(err, TRM_RETRY_DOMAIN, NULL, "accelerations or multipliers are not finite");
  }
  TRMI_TRY(err, trmi_consistent_share(c, s, err));
  return TRM_OK;
}

trm_status trmi_consistent_jerk(trmi_consistent *c, const trm_state *s, double e, double *vdd,
                                double *xdd, trm_error *err) {
  trm_system *sys = c->sys;
  trm_state *p = &c->trial;
  trmi_state_copy(sys, s, p);
  p->t = s->t + e;
  for (int i = 0; i < sys->n.nv; i++) {
    c->step[i] = e * (s->v[i] + 0.5 * e * s->vd[i]);
    p->v[i] += e * s->vd[i];
  }
  trm_system_retract(sys, s->q, c->step, p->q);
  for (int i = 0; i < sys->n.nx; i++) p->x[i] += e * s->xd[i];
  TRMI_TRY(err, trmi_consistent_accelerations(c, p, err));
  for (int i = 0; i < sys->n.nv; i++) vdd[i] = (p->vd[i] - s->vd[i]) / e;
  for (int i = 0; i < sys->n.nx; i++) xdd[i] = (p->xd[i] - s->xd[i]) / e;
  return TRM_OK;
}

trm_status trmi_consistent_violation(trmi_consistent *c, const trm_state *s,
                                     trmi_violation *violation, trm_error *err) {
  const int ng = c->sys->n.ng, na = c->sys->n.na;
  *violation = (trmi_violation){0};
  if (ng + na == 0) return TRM_OK;
  double *g = c->rhs, *rate = c->bias;
  const trm_values out = {.g = g, .g_rate = rate, .a_rate = rate + ng};
  TRMI_TRY(err, trm_system_values(c->sys, s, &out, err));
  int index = 0;
  violation->position = worst_of(g, c->sys->scale_g, ng, &index);
  violation->velocity = worst_of(rate, c->sys->scale_g, ng, &index);
  violation->rolling = worst_of(rate + ng, c->sys->scale_a, na, &index);
  return TRM_OK;
}
