/* consistent_index1.c - accelerations, multipliers, rates of states, and variables:
 * (3) of consistent.c, and the test whether redundant rows are consistent for them. Corrections d
 * of multipliers are measured by their effect
 *   e_j = sum_i G_ij d_lam_i + sum_i A_ij d_mu_i                                          (4)
 * Redundant rows that are inconsistent by rounding move multipliers along y, G^T y = 0, in the same
 * direction in every Newton step without end, and loads that depend on them follow. If something
 * depends on multipliers, they are therefore replaced by the shortest ones after each step, and the
 * dependent values are evaluated again: the change between steps then counts.             (5) */
#include "system/consistent_internal.h"
#include "system/feedback.h"
#include "system/newton_loop.h"
#include "system/row_sizes.h"
#include <math.h>
#include <string.h>

/* Residual of redundant rows permitted for accelerations, as a part of the sizes of their terms,
 * and of forces that cancel: the solver is not more accurate (linear.c). */
static const double contradicting = 1e-7, cancelled = 1e-12;

/* The largest of velocities or accelerations in metres or radians, at least `least`. */
static double size_of(const trm_system *sys, const double *v, double least) {
  double size = least;
  for (int i = 0; i < sys->n.nv; i++) size = fmax(size, fabs(v[i]) / sys->unit_v[i]);
  return size;
}

trm_status trmi_consistent_index1_residual(trmi_consistent *c, const trm_state *s,
                                           trm_error *err) {
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

/* The unknowns of (3) by lists: their values in a state, places, counts, and scales. */
enum { LISTS = 5 };
typedef struct unknowns {
  double       *list[LISTS];
  int           first[LISTS], count[LISTS];
  const double *scale[LISTS]; /* NULL: one */
} unknowns;

static unknowns unknowns_of(const trm_system *sys, const trm_state *s) {
  const trm_sizes *n = &sys->n;
  const trmi_places at = trmi_places_of(sys);
  return (unknowns){.list = {s->vd, s->lam, s->mu, s->xd, s->w},
                    .first = {at.v, at.lam, at.mu, at.x, at.w},
                    .count = {n->nv, n->ng, n->na, n->nx, n->nw},
                    .scale = {sys->unit_v}};
}

/* The largest size of the correction in c->rhs relative to the unknowns of its list. */
static double correction_size(trmi_consistent *c, const trm_state *s) {
  const unknowns u = unknowns_of(c->sys, s);
  double worst = 0.0;
  c->worst = -1;
  for (int l = 0; l < LISTS; l++) {
    double size = 1e-290, change = 0.0;
    for (int i = 0; i < u.count[l]; i++) {
      const double d = c->rhs[u.first[l] + i], unit = u.scale[l] != NULL ? u.scale[l][i] : 1.0;
      size = fmax(size, fabs(u.list[l][i]) / unit);
      if (fabs(d) <= change * unit) continue;
      change = fabs(d) / unit;
      if (l == LISTS - 1) c->worst = i;
    }
    if (!(change <= worst * size)) worst = change / size;
  }
  return worst;
}

/* Add it; returns that size, or, if one step suffices, 0 if it is finite and NaN if not. */
static double index1_update(trmi_consistent *c, trm_state *s) {
  const unknowns u = unknowns_of(c->sys, s);
  double nothing = 0.0;
  for (int l = 0; l < LISTS; l++) {
    for (int i = 0; i < u.count[l]; i++) {
      u.list[l][i] += c->rhs[u.first[l] + i];
      nothing += 0.0 * u.list[l][i];
    }
  }
  return c->is_linear ? nothing : correction_size(c, s);
}

/* (5): c->rhs becomes the change from c->kept to the state. */
static trm_status share_step(trmi_consistent *c, trm_state *s, double *change, trm_error *err) {
  const unknowns u = unknowns_of(c->sys, s);
  const int first_w = u.first[LISTS - 1];
  double moved = 0.0;
  TRMI_TRY(err, trmi_minimum_norm_out(&c->share, s, &moved, err));
  if (c->sys->n.nw > 0) {
    TRMI_TRY(err, trm_system_values(c->sys, s, &(trm_values){.w = c->rhs + first_w}, err));
    for (int i = 0; i < c->sys->n.nw; i++) s->w[i] -= c->rhs[first_w + i];
  }
  for (int l = 0; l < LISTS; l++) {
    for (int i = 0; i < u.count[l]; i++) {
      c->rhs[u.first[l] + i] = u.list[l][i] - c->kept[u.first[l] + i];
    }
  }
  *change = correction_size(c, s);
  return TRM_OK;
}

/* Does anything depend on the choice among redundant multipliers? */
static bool reads_multipliers(const trm_system *sys) {
  return sys->block[TRM_W_LAM].n > 0 || sys->block[TRM_D_LAM].n > 0;
}

/* The added correction in c->rhs compared with rounding. An unknown may be only rounding of others,
 * such as a variable that passes zero while forces of 1e4 N cancel, and multipliers of redundant
 * rows are pure rounding except for their effect (4). Each list is measured by its largest
 * component, or by 1e-5 of the largest sum of the terms of a row over its diagonal entry.
 * Accelerations and variables below 1e-20 count as zero: at rest only rounding is left, and
 * friction squares it. Where contacts hold bodies at rest by forces that cancel, accelerations are
 * measured by at least 1e-3: an error of 1e-11 is permitted. */
static double index1_noise(trmi_consistent *c, trmi_matrix *matrix, const trm_state *s) {
  const trm_system *sys = c->sys;
  const double part = 1e-5, nothing = 1e-20;
  const unknowns u = unknowns_of(sys, s);
  const trmi_places at = trmi_places_of(sys);
  double worst = 0.0, *effect = c->step, *terms = c->old;
  trmi_unknowns_gather(sys, s, matrix->lin.x);
  trmi_linear_terms(&matrix->lin, terms);
  memset(effect, 0, (size_t)sys->n.nv * sizeof *effect);
  for (int b = 0; b < 2; b++) { /* (4) */
    const trmi_sparse *B = &sys->block[b == 0 ? TRM_G : TRM_A];
    const double *d = c->rhs + (b == 0 ? at.lam : at.mu);
    for (int k = 0; k < B->n; k++) effect[B->col[k]] += B->values[k] * d[B->row[k]];
  }
  for (int l = 0; l < LISTS; l++) {
    if (l == 1 || l == 2) continue; /* multipliers */
    double size = l == 0 && sys->nbristles > 0 ? 1e-3 / (sys->second * sys->second) : nothing;
    double change = 0.0;
    for (int i = 0; i < u.count[l]; i++) {
      const double unit = u.scale[l] != NULL ? u.scale[l][i] : 1.0;
      size = fmax(size, fmax(fabs(u.list[l][i]), part * terms[u.first[l] + i]) / unit);
      change = fmax(change, fabs(c->rhs[u.first[l] + i]) / unit);
    }
    worst = fmax(worst, change / size);
  }
  double most = 0.0, change = 0.0;
  for (int j = 0; j < sys->n.nv; j++) {
    const double force = trmi_linear_diagonal(&matrix->lin, j) * fmax(terms[j], nothing);
    most = fmax(most, force * sys->unit_v[j]);
    change = fmax(change, fabs(effect[j]) * sys->unit_v[j]);
  }
  return fmax(worst, most > 0.0 ? change / most : 0.0);
}

trm_status trmi_consistent_minimum_norm(trmi_consistent *c, trm_state *s, trm_error *err) {
  double moved = 0.0;
  return c->bordered ? trmi_minimum_norm_out(&c->share, s, &moved, err) : TRM_OK;
}

/* (3) as the iteration of newton.h sees it. */
typedef struct iteration {
  trmi_consistent *c;
  trm_state       *s;
  trmi_matrix     *matrix;
  bool             is_shared; /* (5) */
} iteration;

static trm_status correct(void *self, const trmi_newton_monitor *m, double *size,
                          trm_error *err) {
  iteration *it = self;
  (void)m;
  TRMI_TRY(err, trmi_consistent_factor_index1(it->c, it->s, &it->matrix, err));
  TRMI_TRY(err, trmi_linear_solve(&it->matrix->lin, it->c->rhs, err));
  if (it->is_shared) trmi_unknowns_gather(it->c->sys, it->s, it->c->kept);
  *size = index1_update(it->c, it->s);
  if (it->is_shared && isfinite(*size)) TRMI_TRY(err, share_step(it->c, it->s, size, err));
  return TRM_OK;
}

/* Is the iterate as accurate as rounding, and derivatives and rates by differences, allow? */
static trm_status doubt(void *self, const trmi_newton_monitor *m, trmi_newton_doubt why,
                        trmi_newton_verdict *verdict, trm_error *err) {
  const iteration *it = self;
  (void)why, (void)err;
  if (m->size <= m->limit) return TRM_OK; /* it has converged */
  const double noise = index1_noise(it->c, it->matrix, it->s);
  const bool stalls = m->k > 0 && m->size >= 0.25 * m->last;
  if (noise <= 1e-8 && (stalls || noise <= 1e-14)) *verdict = NEWTON_IS_GOOD;
  return TRM_OK;
}

static trm_status solve_index1(trmi_consistent *c, trm_state *s, trm_error *err) {
  enum { ITERATIONS = 25 };
  iteration equations = {.c = c, .s = s, .is_shared = c->bordered && reads_multipliers(c->sys)};
  const trmi_iteration it = {.self = &equations, .correct = correct, .doubt = doubt};
  trmi_newton_monitor m = trmi_newton_rules(ITERATIONS, c->is_linear ? INFINITY : 1e-14);
  m.stall = -1.0; /* tested every time */
  trmi_newton_end end;
  TRMI_TRY(err, trmi_newton_iterate(&it, &m, &end, err));
  if (end == NEWTON_CONVERGED) return TRM_OK;
  if (end != NEWTON_NOT_FINITE) return trmi_feedback_failed(c, s, err);
  return TRMI_FAIL(err, TRM_RETRY_DOMAIN, NULL, "accelerations or multipliers are not finite");
}

trm_status trmi_consistent_accelerations(trmi_consistent *c, trm_state *s, trm_error *err) {
  enum { TRIES = 20 };
  const bool reads = reads_multipliers(c->sys);
  for (int k = 0; k < TRIES; k++) {
    double moved = 0.0;
    TRMI_TRY(err, solve_index1(c, s, err));
    if (c->bordered) TRMI_TRY(err, trmi_minimum_norm_out(&c->share, s, &moved, err));
    if (!reads || moved <= 1e-10) break; /* otherwise forces, as of friction, depend on the
                                            multipliers */
  }
  return TRM_OK;
}

trm_status trmi_consistent_agree(trmi_consistent *c, const trm_state *s, trm_error *err) {
  trm_system *sys = c->sys;
  const int nv = sys->n.nv, ng = sys->n.ng, rows = ng + sys->n.na;
  if (!c->bordered) return TRM_OK;
  double *size = c->size, *bias = c->bias, *left = c->rhs + nv;
  const trmi_block_set set = TRMI_BIT(TRM_M) | TRMI_BIT(TRM_G) | TRMI_BIT(TRM_A);
  TRMI_TRY(err, trmi_system_want(sys, TRM_M, err));
  TRMI_TRY(err, trmi_system_blocks(sys, s, set, NULL, NULL, NULL, err));
  TRMI_TRY(err, trm_system_values(sys, s, &(trm_values){.g_bias = bias, .a_bias = bias + ng}, err));
  trmi_row_sizes_acceleration(sys, s, bias, size);
  memcpy(left, bias, (size_t)rows * sizeof *left);
  trmi_sparse_add_mul(&sys->block[TRM_G], 1.0, s->vd, left);
  trmi_sparse_add_mul(&sys->block[TRM_A], 1.0, s->vd, left + ng);
  trmi_row_sizes_rounding(sys, s, c->step, bias);
  for (int i = 0; i < rows; i++) size[i] = contradicting * size[i] + cancelled * bias[i];
  int row = 0;
  if (trmi_worst_row(left, size, rows, &row) <= 1.0) return TRM_OK;
  const bool is_g = row < ng;
  return trmi_consistent_cannot(c, is_g ? TRM_LAM : TRM_MU, is_g ? row : row - ng,
                                "the acceleration", left[row], err);
}

trm_status trmi_consistent_close(trmi_consistent *c, trm_state *s, trm_error *err) {
  const bool has_matrix = c->sys->n.ng + c->sys->n.na > 0;
  const double size = size_of(c->sys, s->v, 1.0 / c->sys->second);
  TRMI_TRY(err, trmi_consistent_project_to(c, s, s, size, 5, err));
  if (!c->is_linear || !has_matrix) return trmi_consistent_accelerations(c, s, err);
  TRMI_TRY(err, trmi_consistent_index1_residual(c, s, err));
  TRMI_TRY(err, trmi_linear_solve(&c->project.lin, c->rhs, err));
  if (!isfinite(index1_update(c, s))) {
    return TRMI_FAIL(err, TRM_RETRY_DOMAIN, NULL, "accelerations or multipliers are not finite");
  }
  TRMI_TRY(err, trmi_consistent_minimum_norm(c, s, err));
  return TRM_OK;
}
