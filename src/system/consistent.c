/* consistent.c - positions and velocities on the constraints; accelerations: consistent_index1.c.
 *
 * Positions and velocities move along M^-1 G^T, the shortest displacement in the metric of M:
 *   [M G^T A^T; G 0 0; A 0 0] [d; *; *] = [0; -g; 0],        q <- q (+) d     (1)
 *   the same matrix,           right side [0; -(G v + g_t); -(A v + b)]       (2)
 * Accelerations and multipliers, with states and variables by Newton:
 *   M v' + G^T lam + A^T mu - Q = 0,  G v' + g_bias = 0,  A v' + a_bias = 0,
 *   d = 0,  w - W = 0                                                         (3)
 * Where constraints are redundant, the multipliers are the shortest ones (minimum_norm.h).
 * Derivation: docs/theory/06-start-and-rank.md. */
#include "system/consistent_internal.h"
#include "system/feedback.h"
#include "system/row_sizes.h"
#include "system/tangent.h"
#include <math.h>
#include <string.h>

/* The matrices of (1) and (2), and of (3): without positions and velocities. */
static const trmi_tangent project_tangent = {
    .by = TRMI_BY_BIT(TRMI_BY_INERTIA) | TRMI_BY_BIT(TRMI_BY_MULTIPLIER),
    .lam = TRMI_AT_ACCELERATION, .mu = TRMI_AT_ACCELERATION, .kinematic = true};
static const trmi_tangent index1_tangent = {
    .by = TRMI_BY_BIT(TRMI_BY_INERTIA) | TRMI_BY_BIT(TRMI_BY_MULTIPLIER) |
          TRMI_BY_BIT(TRMI_BY_ACCELERATION) | TRMI_BY_BIT(TRMI_BY_STATE_RATE) |
          TRMI_BY_BIT(TRMI_BY_VARIABLE),
    .lam = TRMI_AT_ACCELERATION, .mu = TRMI_AT_ACCELERATION};

trm_status trmi_consistent_rebuild(trmi_consistent *c, bool bordered, trm_error *err) {
  trmi_consistent_free(c);
  c->bordered = bordered;
  trmi_line lines[TRMI_TANGENT_MAX];
  const trmi_matrix_spec project = {.lines = lines,
                                    .nlines = trmi_tangent_lines(&project_tangent, lines),
                                    .slot_one = TRMI_BY_VARIABLE, .ones = TRMI_BY_ALL,
                                    .kinematic = true, .bordered = bordered,
                                    .staged = c->is_staged, .solver = c->solver};
  TRMI_TRY(err, trmi_matrix_build(&c->project, c->sys, &c->arena, &project, err));
  if (bordered) TRMI_TRY(err, trmi_minimum_norm_init(&c->share, c->sys, &c->arena, err));
  if (c->is_linear) return TRM_OK;
  const trmi_matrix_spec index1 = {.lines = lines,
                                   .nlines = trmi_tangent_lines(&index1_tangent, lines),
                                   .slot_one = TRMI_BY_VARIABLE, .ones = TRMI_BY_ALL,
                                   .bordered = bordered, .staged = c->is_staged,
                                   .solver = c->solver};
  TRMI_TRY(err, trmi_matrix_build(&c->index1, c->sys, &c->arena, &index1, err));
  return TRM_OK;
}

void trmi_consistent_set_staged(trmi_consistent *c) {
  c->is_staged = true;
  if (c->bordered) return;
  trmi_matrix_set_staged(&c->project);
  trmi_matrix_set_staged(&c->index1);
}

void trmi_consistent_free(trmi_consistent *c) {
  trmi_matrix_free(&c->project);
  trmi_matrix_free(&c->index1);
  trmi_minimum_norm_free(&c->share);
  trmi_arena_clear(&c->arena);
  c->project = c->index1 = (trmi_matrix){0};
  c->share = (trmi_minimum_norm){0};
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
  c->is_linear = sys->n.nx == sys->nbristles && sys->n.nw == 0;
  trmi_arena_init(&c->arena, &arena->allocator);
  trmi_state_take(sys, arena, &c->trial);
  c->rhs = TRMI_TAKE(arena, double, n);
  c->old = TRMI_TAKE(arena, double, n);
  c->kept = TRMI_TAKE(arena, double, n);
  c->step = TRMI_TAKE(arena, double, sys->n.nv);
  c->first = TRMI_TAKE(arena, double, sys->nq);
  c->bias = TRMI_TAKE(arena, double, sys->n.ng + sys->n.na);
  const int nw = trmi_feedback_exists(sys) ? sys->n.nw : 0;
  c->gain = TRMI_TAKE(arena, double, nw * (nw + 3));
  c->is_size = TRMI_TAKE(arena, unsigned char, nw);
  c->size = TRMI_TAKE(arena, double, sys->n.ng + sys->n.na);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  TRMI_TRY(err, trmi_consistent_rebuild(c, bordered, err));
  return TRM_OK;
}

/* Given start values move less than others by this factor. */
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

/* What is solved for right after a factorization: a right-hand side that is computed with the
 * blocks of the state; NULL: not known yet. */
typedef trm_status right_side(trmi_consistent *c, const trm_state *s, trm_error *err);

/* Factor a matrix at a state whose positions violate the constraints by `off`. A singular matrix
 * keeps its border from then on. */
static trm_status factor_off(trmi_consistent *c, trmi_matrix *matrix, const trm_state *s,
                             double off, right_side *rhs, trm_error *err) {
  trmi_matrix_set_off(matrix, off, trmi_border_most);
  TRMI_TRY(err, trmi_system_blocks(c->sys, s, matrix->blocks, NULL, NULL, NULL, err));
  if (rhs != NULL) {
    TRMI_TRY(err, rhs(c, s, err));
    trmi_linear_expect(&matrix->lin, c->rhs, NULL);
  }
  if (c->holds) weigh_given(c);
  const trm_status status = trmi_matrix_factor(matrix, c->sys, trmi_tangent_ones, NULL, err);
  if (status != TRM_RETRY_SINGULAR || c->bordered) {
    return status == TRM_OK ? TRM_OK : trmi_note(err, __func__, status);
  }
  TRMI_TRY(err, trmi_consistent_rebuild(c, true, err));
  TRMI_TRY(err, trmi_system_blocks(c->sys, s, matrix->blocks, NULL, NULL, NULL, err));
  if (c->holds) weigh_given(c);
  TRMI_TRY(err, trmi_matrix_factor(matrix, c->sys, trmi_tangent_ones, NULL, err));
  return TRM_OK;
}

/* The matrix of (1), (2) at positions that must be corrected. */
static trm_status factor_to_move(trmi_consistent *c, const trm_state *s, trm_error *err) {
  double off = 0.0;
  int row = 0;
  if (c->bordered && c->sys->n.ng > 0) {
    TRMI_TRY(err, trm_system_values(c->sys, s, &(trm_values){.g = c->bias}, err));
    off = trmi_worst_row(c->bias, c->sys->scale_g, c->sys->n.ng, &row);
  }
  return factor_off(c, &c->project, s, off, NULL, err);
}

/* The same at positions on the constraints. */
static trm_status factor(trmi_consistent *c, trmi_matrix *matrix, const trm_state *s,
                         trm_error *err) {
  return factor_off(c, matrix, s, 0.0, NULL, err);
}

static trmi_matrix *index1_matrix(trmi_consistent *c) {
  return c->is_linear ? &c->project : &c->index1;
}

trm_status trmi_consistent_factor(trmi_consistent *c, const trm_state *s, bool with_states,
                                  trmi_matrix **matrix, trm_error *err) {
  *matrix = with_states ? index1_matrix(c) : &c->project;
  return factor(c, *matrix, s, err);
}

trm_status trmi_consistent_factor_index1(trmi_consistent *c, const trm_state *s,
                                         trmi_matrix **matrix, trm_error *err) {
  *matrix = index1_matrix(c);
  return factor_off(c, *matrix, s, 0.0, trmi_consistent_index1_residual, err);
}

trm_status trmi_consistent_cannot(trmi_consistent *c, trm_quantity list, int index,
                                  const char *what, double left, trm_error *err) {
  const trm_system *sys = c->sys;
  trm_label label;
  trm_system_label(sys, list, index, &label);
  left = fabs(left) / (list == TRM_LAM ? sys->scale_g[index] : sys->scale_a[index]);
  return TRMI_FAIL(err, isnan(left) ? TRM_ERR_NOT_FINITE : TRM_ERR_ASSEMBLY, label.object,
                   "the start cannot be assembled: %s of '%s' stays at %.3g; check the "
                   "start values, lengths and contradicting constraints",
                   what, label.name, left);
}

/* Residuals that count as satisfied, and those accepted if no step reduces them: parts of the
 * scales of rows, or of the sizes of their terms (row_sizes.h). */
static const double satisfied = 1e-14, acceptable = 1e-10;

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
      trmi_worst_row(c->rhs + sys->n.nv, sys->scale_g, sys->n.ng, &correction->row);
  if (isnan(correction->violation)) {
    return TRMI_FAIL(err, TRM_RETRY_DOMAIN, NULL, "a constraint is not finite");
  }
  if (correction->violation <= satisfied) return TRM_OK;
  TRMI_TRY(err, factor_to_move(c, s, err));
  TRMI_TRY(err, position_step(c, err));
  correction->length = trmi_worst_row(c->rhs, scale_v, sys->n.nv, &correction->worst);
  if (!isfinite(correction->length)) {
    return TRMI_FAIL(err, TRM_RETRY_DOMAIN, NULL, "a correction of positions is not finite");
  }
  trm_system_retract(sys, s->q, c->rhs, s->q);
  return TRM_OK;
}

/* Trial positions along c->step, halved until the worst row is below `left`; `now` receives its
 * residual over c->size, or NaN if it cannot be computed. Then the rows of lam of c->rhs hold g. */
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
    *now = status == TRM_OK ? trmi_worst_row(g, c->size, sys->n.ng, index) : NAN;
    if (*now < left) break;
  }
  return TRM_OK;
}

/* A larger border for the steps of positions, as in the Levenberg-Marquardt method: away from the
 * solution redundant rows are slightly inconsistent, and an exact step would turn this into a large
 * displacement. `is_softer` receives false if this was already tried. */
static trm_status soften(trmi_consistent *c, bool *is_softer, trm_error *err) {
  const double more = 1e3, most = 1e9;
  if (!c->bordered) TRMI_TRY(err, trmi_consistent_rebuild(c, true, err));
  *is_softer = c->project.plan.border_scale < most;
  if (*is_softer) c->project.plan.border_scale *= more;
  return TRM_OK;
}

/* Name the row with the largest residual over its scale. */
static trm_status no_position(trmi_consistent *c, const trm_state *s, trm_error *err) {
  trm_system *sys = c->sys;
  double *g = c->rhs + sys->n.nv;
  int row = 0;
  TRMI_TRY(err, trm_system_values(sys, s, &(trm_values){.g = g}, err));
  (void)trmi_worst_row(g, sys->scale_g, sys->n.ng, &row);
  return trmi_consistent_cannot(c, TRM_LAM, row, "the position", g[row], err);
}

static trm_status iterate_positions(trmi_consistent *c, trm_state *s, int iterations,
                                    trm_error *err) {
  trm_system *sys = c->sys;
  const int nv = sys->n.nv, ng = sys->n.ng;
  if (ng == 0) return TRM_OK;
  double *g = c->rhs + nv;
  int index = 0;
  TRMI_TRY(err, trmi_system_rows(sys, s, err));
  trmi_row_sizes_position(sys, s, c->size);
  TRMI_TRY(err, trm_system_values(sys, s, &(trm_values){.g = g}, err));
  double left = trmi_worst_row(g, c->size, ng, &index);
  c->moved_q = !(left <= satisfied);
  for (int k = 0; k < iterations && !(left <= satisfied); k++) {
    if (isnan(left)) return no_position(c, s, err);
    TRMI_TRY(err, factor(c, &c->project, s, err));

    /* Newton step (1), shortened until it reduces the residual */
    const trm_status solved = position_step(c, err);
    if (solved == TRM_RETRY_SINGULAR && left <= acceptable) break; /* cannot be improved */
    if (solved == TRM_RETRY_SINGULAR) {
      return no_position(c, s, err);
    }
    TRMI_TRY(err, solved);
    memcpy(c->step, c->rhs, (size_t)nv * sizeof(double));
    double now = NAN;
    TRMI_TRY(err, shorten(c, s, left, &now, &index, err));
    if (now < left) {
      left = now;
      memcpy(s->q, c->trial.q, (size_t)sys->nq * sizeof(double));
    } else if (left <= acceptable) {
      break; /* cannot be improved */
    } else {
      bool is_softer = false;
      TRMI_TRY(err, soften(c, &is_softer, err));
      if (!is_softer) break;
      TRMI_TRY(err, trm_system_values(sys, s, &(trm_values){.g = g}, err));
    }
  }
  if (!(left <= acceptable)) return no_position(c, s, err);
  return TRM_OK;
}

trm_status trmi_consistent_positions(trmi_consistent *c, trm_state *s, int iterations,
                                     trm_error *err) {
  const double scale = c->project.plan.border_scale;
  c->moved_q = false;
  const trm_status status = iterate_positions(c, s, iterations, err);
  c->project.plan.border_scale = scale;
  return status;
}

/* Right-hand side of (2); returns the larger violation over the sizes given. */
static trm_status rates(trmi_consistent *c, const trm_state *s, const double *size_g,
                        const double *size_a, double *left, int *row, trm_error *err) {
  trm_system *sys = c->sys;
  const int nv = sys->n.nv, ng = sys->n.ng, na = sys->n.na;
  double *r = c->rhs + nv;
  TRMI_TRY(err,
           trm_system_values(sys, s, &(trm_values){.g_rate = r, .a_rate = r + ng}, err));
  int at_g = 0, at_a = 0;
  const double of_g = trmi_worst_row(r, size_g, ng, &at_g);
  const double of_a = trmi_worst_row(r + ng, size_a, na, &at_a);
  const bool is_g = of_g >= of_a || isnan(of_g);
  *row = is_g ? at_g : ng + at_a;
  *left = is_g ? of_g : of_a;
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
  const int ng = sys->n.ng;
  c->moved_v = false;
  if (ng + sys->n.na == 0) return TRM_OK;
  double left = 0.0;
  int row = 0;
  /* sizes before anything moves: afterwards all velocities may be zero */
  TRMI_TRY(err, trmi_system_rows(sys, s, err));
  TRMI_TRY(err, rates(c, s, sys->scale_g, sys->scale_a, &left, &row, err));
  trmi_row_sizes_velocity(sys, s, c->rhs + sys->n.nv, c->size);
  TRMI_TRY(err, rates(c, s, c->size, c->size + ng, &left, &row, err));
  c->moved_v = !(left <= satisfied);
  if (!c->moved_v) return TRM_OK;
  TRMI_TRY(err, factor(c, &c->project, s, err));
  trm_status solved = TRM_OK;
  for (int k = 0; k < 3 && !(left <= satisfied) && solved == TRM_OK; k++) {
    solved = velocity_step(c, s, err);
    if (solved != TRM_OK && solved != TRM_RETRY_SINGULAR) return trmi_note(err, __func__, solved);
    if (solved == TRM_OK) TRMI_TRY(err, rates(c, s, c->size, c->size + ng, &left, &row, err));
  }
  if (solved == TRM_OK && left <= acceptable) return TRM_OK;
  const bool is_g = row < ng;
  return trmi_consistent_cannot(c, is_g ? TRM_LAM : TRM_MU, is_g ? row : row - ng,
                                "the velocity", left * c->size[row], err);
}

trm_status trmi_consistent_project_to(trmi_consistent *c, const trm_state *at, trm_state *s,
                                      double size, int steps, trm_error *err) {
  trm_system *sys = c->sys;
  const int nv = sys->n.nv, ng = sys->n.ng, na = sys->n.na;
  if (ng + na == 0) return TRM_OK;
  TRMI_TRY(err, factor_to_move(c, at, err));
  for (int k = 0; k < 3 && ng > 0; k++) {
    int index = 0;
    TRMI_TRY(err, trm_system_values(sys, s, &(trm_values){.g = c->rhs + nv}, err));
    const double left = trmi_worst_row(c->rhs + nv, sys->scale_g, ng, &index);
    if (isnan(left)) {
      return TRMI_FAIL(err, TRM_RETRY_DOMAIN, NULL, "a constraint is not finite");
    }
    if (left <= satisfied) break;
    TRMI_TRY(err, position_step(c, err));
    trm_system_retract(sys, s->q, c->rhs, s->q);
  }
  double left = 0.0;
  int row = 0;
  for (int k = 0; k < steps; k++) {
    TRMI_TRY(err, rates(c, s, sys->scale_g, sys->scale_a, &left, &row, err));
    if (left <= satisfied * size) break;
    TRMI_TRY(err, velocity_step(c, s, err));
  }
  return TRM_OK;
}

trm_status trmi_consistent_project(trmi_consistent *c, trm_state *s, trm_error *err) {
  return trmi_consistent_project_to(c, s, s, 1.0 / c->sys->second, 2, err);
}

trm_status trmi_consistent_project_as(trmi_consistent *c, const trm_state *at, trm_state *s,
                                      trm_error *err) {
  return trmi_consistent_project_to(c, at, s, 1.0 / c->sys->second, 2, err);
}

trm_status trmi_consistent_sensitivity(trmi_consistent *c, const trm_state *s, double *direction,
                                       double *sensitivity, trm_error *err) {
  const trm_system *sys = c->sys;
  const int nv = sys->n.nv, ng = sys->n.ng;
  unsigned seed = 1u;
  int index = 0;
  if (c->project.plan.border_least > 1.0) {
    return trmi_consistent_sensitivity_at(c, s, direction, sensitivity, err);
  }
  memset(c->rhs, 0, (size_t)(nv + ng + sys->n.na) * sizeof(double));
  for (int i = 0; i < ng; i++) {
    seed = seed * 1664525u + 1013904223u;
    c->rhs[nv + i] = sys->scale_g[i] * (seed >> 31 ? 1.0 : -1.0);
  }
  *sensitivity = 0.0;
  if (ng == 0) return TRM_OK;
  TRMI_TRY(err, trmi_linear_solve(&c->project.lin, c->rhs, err));
  *sensitivity = trmi_worst_row(c->rhs, sys->scale_v, nv, &index);
  memcpy(direction, c->rhs, (size_t)nv * sizeof(double));
  return TRM_OK;
}

trm_status trmi_consistent_sensitivity_at(trmi_consistent *c, const trm_state *s, double *direction,
                                          double *sensitivity, trm_error *err) {
  TRMI_TRY(err, factor(c, &c->project, s, err));
  c->project.lin.is_fresh = false; /* contradictory rows give no measure of accuracy */
  return trmi_consistent_sensitivity(c, s, direction, sensitivity, err);
}

trm_status trmi_consistent_polish(trmi_consistent *c, trm_state *s, trm_error *err) {
  trm_system *sys = c->sys;
  double left = 0.0;
  int row = 0;
  if (sys->n.ng == 0) return TRM_OK;
  TRMI_TRY(err, trm_system_values(sys, s, &(trm_values){.g = c->rhs + sys->n.nv}, err));
  TRMI_TRY(err, position_step(c, err));
  trm_system_retract(sys, s->q, c->rhs, s->q);
  TRMI_TRY(err, rates(c, s, sys->scale_g, sys->scale_a, &left, &row, err));
  TRMI_TRY(err, velocity_step(c, s, err));
  return TRM_OK;
}

trm_status trmi_consistent_jerk(trmi_consistent *c, const trm_state *s, double e, double *vdd,
                                double *xdd, trm_error *err) {
  trm_system *sys = c->sys;
  trm_state *p = &c->trial;
  e = fmax(e, c->least_ahead);
  trmi_state_copy(sys, s, p);
  trmi_state_at(sys, s, s->t + e, p);
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
  violation->position = trmi_worst_row(g, c->sys->scale_g, ng, &index);
  violation->velocity = trmi_worst_row(rate, c->sys->scale_g, ng, &index);
  violation->rolling = trmi_worst_row(rate + ng, c->sys->scale_a, na, &index);
  return TRM_OK;
}
