/* linearize.c - see linearize.h.
 *
 * With dpi the retract increment of the configuration, dv, dx, dlam, .. changes of the other
 * unknowns, S the skew matrices of the angular velocities on rotations and zero elsewhere, and
 * rates of rotation vectors taken in fixed axes (..)*, for which (a)* = a' + S a:
 *   (dpi)* = dv,   dv' = (dv)* - S dv                                                   (1)
 *   M dv' + C dv + Kt dpi + G^T dlam + A^T dmu - Q_x dx - Q_w dw = 0,
 *   Kt = K + d(G^T lam)/dq + d(A^T mu)/dq + d(M v')/dq                                  (2)
 *   G dpi = 0,   A dv + AV_Q dpi = 0                                                    (3)
 *   D_XD dx' + D_X dx + D_Q dpi + D_V dv + D_VD dv' + D_LAM dlam + D_W dw = 0           (4)
 *   dw = W_Q dpi + W_V dv + W_VD dv' + W_X dx + W_XD dx' + W_LAM dlam + W_W dw          (5)
 * Coefficients in such axes count as constant. Derivation: docs/theory/09-static-modes.md. */
#include "analysis/linearize.h"
#include "core/gate.h"
#include <lapacke.h>
#include <math.h>
#include <string.h>

static const trm_block stiffness[] = {TRM_K, TRM_GY_Q, TRM_AY_Q, TRM_MU_Q};
enum { STIFFNESS = sizeof stiffness / sizeof *stiffness };

/* (2) to (5): accelerations are multiplied by S. */
const trmi_tangent trmi_linearized_tangent = {
    .by = TRMI_BY_ALL,
    .turned = TRMI_BY_BIT(TRMI_BY_INERTIA) | TRMI_BY_BIT(TRMI_BY_ACCELERATION),
    .lam = TRMI_AT_POSITION, .mu = TRMI_AT_VELOCITY, .positions_first = true};

static trm_status want(trm_system *sys, trm_block block, trmi_block_set *set, trm_error *err) {
  if (!trmi_system_may_fill(sys, block)) return TRM_OK;
  TRMI_TRY(err, trmi_system_want(sys, block, err));
  *set |= TRMI_BIT(block);
  return TRM_OK;
}

static void add_diagonal(const trmi_sparse *B, double *diagonal, bool is_first) {
  for (int i = 0; i < B->rows && is_first; i++) diagonal[i] = 0.0;
  for (int k = 0; k < B->n; k++) {
    if (B->row[k] == B->col[k]) diagonal[B->row[k]] += B->values[k];
  }
}

/* All blocks of the table at the base, repeated while they request new patterns. */
static trm_status fill_blocks(trmi_operating_point *base, trmi_block_set *set, trm_error *err) {
  trm_system *sys = base->sys;
  const trm_state *s = &base->s;
  trmi_line lines[TRMI_TANGENT_MAX];
  const int count = trmi_tangent_lines(&trmi_linearized_tangent, lines);
  for (int k = 0; k < TRMI_PATTERNS_MAX; k++) {
    *set = 0;
    for (int i = 0; i < count; i++) TRMI_TRY(err, want(sys, lines[i].block, set, err));
    const trm_status status = trmi_system_blocks(sys, s, *set, s->vd, s->lam, s->mu, err);
    if (status != TRM_RETRY_PATTERN) return status;
    TRMI_TRY(err, trmi_system_renew(sys, err));
    TRMI_TRY(err, trmi_consistent_rebuild(&base->c, base->c.bordered, err));
  }
  return TRMI_FAIL(err, TRM_ERR_BALANCE, sys->ops->name, "patterns of blocks change without end");
}

trm_status trmi_linearize(trmi_linearized *l, trmi_operating_point *base, trm_error *err) {
  trm_system *sys = base->sys;
  const trm_state *s = &base->s;
  if (l->spin == NULL) {
    l->spin = TRMI_TAKE(&base->arena, double, 9 * sys->n.nrot);
    l->mass = TRMI_TAKE(&base->arena, double, sys->n.nv);
    l->diagonal = TRMI_TAKE(&base->arena, double, sys->n.nv);
  }
  TRMI_TRY(err, trmi_arena_check(&base->arena, err));
  l->base = base;
  l->is_spinning = false;
  for (int k = 0; k < sys->n.nrot; k++) {
    const double *w = s->v + sys->rot_v[k];
    const double skew[9] = {0.0, -w[2], w[1], w[2], 0.0, -w[0], -w[1], w[0], 0.0};
    memcpy(l->spin + 9 * k, skew, sizeof skew);
    if (w[0] != 0.0 || w[1] != 0.0 || w[2] != 0.0) l->is_spinning = true;
  }
  trmi_block_set set = 0;
  TRMI_TRY(err, fill_blocks(base, &set, err));
  for (int b = 0; b < TRM_BLOCKS; b++) {
    for (int k = 0; (set & TRMI_BIT(b)) != 0 && k < sys->block[b].n; k++) {
      if (isfinite(sys->block[b].values[k])) continue;
      return TRMI_FAIL(err, TRM_ERR_NOT_FINITE, NULL,
                       "entry (%d, %d) of the block %s is not finite", sys->block[b].row[k],
                       sys->block[b].col[k], trm_block_name((trm_block)b));
    }
  }
  add_diagonal(&sys->block[TRM_M], l->mass, true);
  for (int b = 0; b < STIFFNESS; b++) {
    add_diagonal(&sys->block[stiffness[b]], l->diagonal, b == 0);
  }
  return TRM_OK;
}

double trmi_linearized_kappa(const trmi_linearized *l) {
  double kappa = 0.0;
  for (int i = 0; i < l->base->sys->n.nv; i++) {
    if (l->mass[i] > 0.0) kappa = fmax(kappa, fabs(l->diagonal[i]) / l->mass[i]);
  }
  return kappa;
}

void trmi_linearized_stiffness(const trmi_linearized *l, const double *x, double *y) {
  for (int b = 0; b < STIFFNESS; b++) {
    trmi_sparse_add_mul(&l->base->sys->block[stiffness[b]], 1.0, x, y);
  }
}

double trmi_linearized_stiffness_size(const trmi_linearized *l, const double *x) {
  double size = 0.0;
  for (int b = 0; b < STIFFNESS; b++) {
    const trmi_sparse *K = &l->base->sys->block[stiffness[b]];
    for (int k = 0; k < K->n; k++) size += fabs(x[K->row[k]] * K->values[k] * x[K->col[k]]);
  }
  return size;
}

void trmi_linearized_mass(const trmi_linearized *l, const double *x, double *y) {
  trmi_sparse_add_mul(&l->base->sys->block[TRM_M], 1.0, x, y);
}

void trmi_linearized_spin(const trmi_linearized *l, const double *x, double *y) {
  const trm_system *sys = l->base->sys;
  memset(y, 0, (size_t)sys->n.nv * sizeof(double));
  for (int k = 0; k < sys->n.nrot; k++) {
    const int first = sys->rot_v[k];
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) y[first + i] += l->spin[9 * k + 3 * i + j] * x[first + j];
    }
  }
}

/* Rows of length one; pivots below this part of the largest count as dependent. */
static const double rank_tolerance = 1e-9;

trm_status trmi_null_space(double *B, int rows, int cols, trmi_arena *arena, double **Z,
                           int *count, trm_error *err) {
  const int most = rows < cols ? rows : cols, lwork = 64 * (rows + cols + 1);
  double *Q = TRMI_TAKE(arena, double, (size_t)cols * (size_t)cols);
  double *tau = TRMI_TAKE(arena, double, cols), *work = TRMI_TAKE(arena, double, lwork);
  lapack_int *pivot = TRMI_TAKE(arena, lapack_int, rows + 1);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  for (int i = 0; i < rows; i++) {
    double *row = B + (size_t)i * (size_t)cols, length = 0.0;
    for (int j = 0; j < cols; j++) length += row[j] * row[j];
    for (int j = 0; j < cols && length > 0.0; j++) row[j] /= sqrt(length);
  }
  int rank = 0;
  if (most > 0) { /* rows of B are columns of B^T in LAPACK's order */
    (void)TRMI_LAPACK(dgeqp3_work, LAPACK_COL_MAJOR, cols, rows, B, cols, pivot, tau, work, lwork);
    const double limit = rank_tolerance * fmax(fabs(B[0]), 1e-300);
    while (rank < most && fabs(B[(size_t)rank * (size_t)(cols + 1)]) > limit) rank++;
  }

  /* the last columns of Q are orthogonal to all rows */
  for (int i = 0; i < cols; i++) Q[(size_t)i * (size_t)(cols + 1)] = 1.0;
  if (rank > 0) {
    (void)TRMI_LAPACK(dormqr_work, LAPACK_COL_MAJOR, 'L', 'N', cols, cols, rank, B, cols, tau, Q,
                      cols, work, lwork);
  }
  *Z = Q + (size_t)rank * (size_t)cols;
  *count = cols - rank;
  return TRM_OK;
}

trm_status trmi_linearized_freedoms(const trmi_linearized *l, trmi_arena *arena, double **Z,
                                    int *count, trm_error *err) {
  const trm_system *sys = l->base->sys;
  const int nv = sys->n.nv, ng = sys->n.ng;
  double *B = TRMI_TAKE(arena, double, (size_t)ng * (size_t)nv);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  const trmi_sparse *G = &sys->block[TRM_G];
  for (int k = 0; k < G->n; k++) {
    B[(size_t)G->row[k] * (size_t)nv + (size_t)G->col[k]] += G->values[k];
  }
  return trmi_null_space(B, ng, nv, arena, Z, count, err);
}

trm_status trmi_linearized_project(const trmi_linearized *l, trmi_product product, const double *Z,
                                   int count, trmi_arena *arena, double *P, trm_error *err) {
  const int nv = l->base->sys->n.nv;
  double *y = TRMI_TAKE(arena, double, nv);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  for (int j = 0; j < count; j++) {
    memset(y, 0, (size_t)nv * sizeof(double));
    product(l, Z + (size_t)j * (size_t)nv, y);
    for (int i = 0; i < count; i++) {
      double sum = 0.0;
      for (int k = 0; k < nv; k++) sum += Z[(size_t)i * (size_t)nv + (size_t)k] * y[k];
      P[(size_t)j * (size_t)count + (size_t)i] += sum;
    }
  }
  return TRM_OK;
}
