/* modes_dense.c - all modes of a system of moderate size.
 *
 * The columns of Z span the null space of G, dpi = Z p. Without damping, spin, states and rolling,
 *   Z^T Kt Z p = w^2 Z^T M Z p                                   (symmetric problem)     (1)
 * Otherwise dv = Z r, r = p*, and A dv + AV_Q dpi = 0 leaves, Y being the null space of A Z,
 *   r = Y s + R p,   R = -(A Z)^+ AV_Q Z                                                 (2)
 * For each unit vector of (p, s, dx) the index-1 form gives dv' and dx' from
 *   M dv' + G^T dlam + A^T dmu - Q_w dw = -(Kt dpi + C dv - Q_x dx)
 *   G dv' = -G S Z r,   A dv' = -A S Z r - AV_Q Z r                                      (3)
 * and (4), (5) of linearize.c, and with them one column of the matrix F of y' = F y:
 *   p* = r,   r* = Z^T (dv' + S Z r),   s* = Y^T (r* - R r),   dx'                       (4) */
#include "analysis/modes.h"
#include "core/gate.h"
#include <lapacke.h>
#include <math.h>
#include <string.h>

typedef struct dense {
  trmi_modes_search *m;
  trm_system *sys;
  trmi_arena *arena;        /* scratch                                                  */
  double *Z;                /* [nv nfree], column by column                             */
  double *Y;                /* [nfree nroll]                                            */
  double *R;                /* [nfree nfree], column by column; NULL: zero              */
  int     nfree, nroll, n;  /* n = nfree + nroll + nx                                   */
  double *dpi, *dv, *turned; /* [nv] */
  double *p, *r;            /* [nfree] */
  double *rhs;              /* of the index-1 form                                      */
} dense;

/* y = B x for B [rows cols] column by column; transposed: y = B^T x. */
static void multiply(const double *B, int rows, int cols, const double *x, double *y) {
  memset(y, 0, (size_t)rows * sizeof(double));
  for (int j = 0; j < cols; j++) {
    if (x[j] == 0.0) continue; /* most are unit vectors */
    for (int i = 0; i < rows; i++) y[i] += B[(size_t)j * (size_t)rows + (size_t)i] * x[j];
  }
}

static void multiply_transposed(const double *B, int rows, int cols, const double *x, double *y) {
  for (int j = 0; j < cols; j++) {
    y[j] = 0.0;
    for (int i = 0; i < rows; i++) y[j] += B[(size_t)j * (size_t)rows + (size_t)i] * x[i];
  }
}

/* --- symmetric, (1) --------------------------------------------------------------------- */

/* Largest |P - P^T| over the largest |P|; symmetrizes. */
static double asymmetry(double *P, int n) {
  double off = 0.0, largest = 0.0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      double *a = &P[(size_t)i * (size_t)n + (size_t)j], *b = &P[(size_t)j * (size_t)n + (size_t)i];
      off = fmax(off, fabs(*a - *b));
      largest = fmax(largest, fmax(fabs(*a), fabs(*b)));
      *a = *b = 0.5 * (*a + *b);
    }
  }
  return largest > 0.0 ? off / largest : 0.0;
}

/* done: false if the problem is not symmetric after all. */
static trm_status solve_symmetric(dense *d, bool *done, trm_error *err) {
  const trmi_linearized *l = &d->m->l;
  const int n = d->nfree, nv = d->sys->n.nv;
  const int lwork = 1 + 6 * n + 2 * n * n, liwork = 3 + 5 * n;
  const size_t n2 = (size_t)n * (size_t)n;
  double *K = TRMI_TAKE(d->arena, double, n2), *M = TRMI_TAKE(d->arena, double, n2);
  double *values = TRMI_TAKE(d->arena, double, n), *work = TRMI_TAKE(d->arena, double, lwork);
  lapack_int *iwork = TRMI_TAKE(d->arena, lapack_int, liwork);
  *done = false;
  TRMI_TRY(err, trmi_linearized_project(l, trmi_linearized_stiffness, d->Z, n, d->arena, K, err));
  TRMI_TRY(err, trmi_linearized_project(l, trmi_linearized_mass, d->Z, n, d->arena, M, err));
  TRMI_TRY(err, trmi_arena_check(d->arena, err));
  if (asymmetry(K, n) > 1e-10 || asymmetry(M, n) > 1e-10) return TRM_OK;
  if (n > 0 && TRMI_LAPACK(dsygvd_work, LAPACK_COL_MAJOR, 1, 'V', 'U', n, K, n, M, n, values, work,
                           lwork, iwork, liwork) != 0) {
    return TRM_OK; /* a mass matrix that is not positive: reported by the general method */
  }
  TRMI_TRY(err, trmi_eigenpairs_take(d->m, 2 * n, err));
  for (int i = 0; i < n; i++) {
    multiply(d->Z, nv, n, K + (size_t)i * (size_t)n, d->dpi);
    trmi_eigenpairs_add_square(d->m, values[i], d->dpi);
  }
  *done = true;
  return TRM_OK;
}

/* --- general ------------------------------------------------------------------------------ */

/* Y and R of (2). */
static trm_status find_rolling(dense *d, trm_error *err) {
  const trm_system *sys = d->sys;
  const int na = sys->n.na, f = d->nfree, nv = sys->n.nv, lwork = 64 * (na + f + 1);
  double *AZ = TRMI_TAKE(d->arena, double, (size_t)na * (size_t)f + 1);
  double *row = TRMI_TAKE(d->arena, double, na + 1);
  TRMI_TRY(err, trmi_arena_check(d->arena, err));
  for (int j = 0; j < f; j++) { /* rows of AZ one after the other */
    memset(row, 0, (size_t)na * sizeof(double));
    trmi_sparse_add_mul(&sys->block[TRM_A], 1.0, d->Z + (size_t)j * (size_t)nv, row);
    for (int i = 0; i < na; i++) AZ[(size_t)i * (size_t)f + (size_t)j] = row[i];
  }
  double *copy = TRMI_TAKE(d->arena, double, (size_t)na * (size_t)f + 1);
  TRMI_TRY(err, trmi_arena_check(d->arena, err));
  memcpy(copy, AZ, (size_t)na * (size_t)f * sizeof(double));
  TRMI_TRY(err, trmi_null_space(copy, na, f, d->arena, &d->Y, &d->nroll, err));
  if (na == 0) return TRM_OK;

  /* least squares for all columns of R at once; right sides have max(na, f) rows */
  const int ld = na > f ? na : f;
  double *right = TRMI_TAKE(d->arena, double, (size_t)ld * (size_t)f);
  double *columns = TRMI_TAKE(d->arena, double, (size_t)na * (size_t)f);
  double *work = TRMI_TAKE(d->arena, double, lwork + 4 * f);
  lapack_int *pivot = TRMI_TAKE(d->arena, lapack_int, f), rank = 0;
  TRMI_TRY(err, trmi_arena_check(d->arena, err));
  for (int j = 0; j < f; j++) {
    const double *z = d->Z + (size_t)j * (size_t)nv;
    memset(row, 0, (size_t)na * sizeof(double));
    trmi_sparse_add_mul(&sys->block[TRM_AV_Q], -1.0, z, row);
    memcpy(right + (size_t)j * (size_t)ld, row, (size_t)na * sizeof(double));
    for (int i = 0; i < na; i++) {
      columns[(size_t)j * (size_t)na + (size_t)i] = AZ[(size_t)i * (size_t)f + (size_t)j];
    }
  }
  if (f > 0 && TRMI_LAPACK(dgelsy_work, LAPACK_COL_MAJOR, na, f, f, columns, na, right, ld, pivot,
                           1e-9, &rank, work, lwork + 4 * f) != 0) {
    return TRMI_FAIL(err, TRM_ERR_SINGULAR, NULL, "rolling constraints cannot be solved");
  }
  d->R = TRMI_TAKE(d->arena, double, (size_t)f * (size_t)f);
  TRMI_TRY(err, trmi_arena_check(d->arena, err));
  for (int j = 0; j < f; j++) {
    memcpy(d->R + (size_t)j * (size_t)f, right + (size_t)j * (size_t)ld,
           (size_t)f * sizeof(double));
  }
  return TRM_OK;
}

/* Right side of (3) for d->dpi, d->dv and a change dx of states; leaves S dv in d->turned. */
static void fill_right(dense *d, const double *dx) {
  const trm_system *sys = d->sys;
  const trmi_sparse *b = sys->block;
  const trmi_places at = trmi_places_of(sys);
  memset(d->rhs, 0, (size_t)at.n * sizeof(double));
  trmi_linearized_stiffness(&d->m->l, d->dpi, d->rhs);
  trmi_sparse_add_mul(&b[TRM_C], 1.0, d->dv, d->rhs);
  for (int i = 0; i < sys->n.nv; i++) d->rhs[i] = -d->rhs[i];
  trmi_linearized_spin(&d->m->l, d->dv, d->turned);
  trmi_sparse_add_mul(&b[TRM_G], -1.0, d->turned, d->rhs + at.lam);
  trmi_sparse_add_mul(&b[TRM_A], -1.0, d->turned, d->rhs + at.mu);
  trmi_sparse_add_mul(&b[TRM_AV_Q], -1.0, d->dv, d->rhs + at.mu);
  if (sys->n.nx > 0) {
    trmi_sparse_add_mul(&b[TRM_Q_X], 1.0, dx, d->rhs);
    trmi_sparse_add_mul(&b[TRM_D_X], -1.0, dx, d->rhs + at.x);
    trmi_sparse_add_mul(&b[TRM_D_Q], -1.0, d->dpi, d->rhs + at.x);
    trmi_sparse_add_mul(&b[TRM_D_V], -1.0, d->dv, d->rhs + at.x);
  }
  if (sys->n.nw > 0) {
    trmi_sparse_add_mul(&b[TRM_W_Q], 1.0, d->dpi, d->rhs + at.w);
    trmi_sparse_add_mul(&b[TRM_W_V], 1.0, d->dv, d->rhs + at.w);
    trmi_sparse_add_mul(&b[TRM_W_X], 1.0, dx, d->rhs + at.w);
  }
}

/* Column of F for the unit vector y, (2) to (4). */
static trm_status column(dense *d, trmi_matrix *index1, const double *y, double *out,
                         trm_error *err) {
  const int f = d->nfree, nv = d->sys->n.nv, nroll = d->nroll;
  const double *p = y, *s = y + f, *dx = y + f + nroll;
  multiply(d->Y, f, nroll, s, d->r);
  if (d->R != NULL) {
    multiply(d->R, f, f, p, d->p);
    for (int i = 0; i < f; i++) d->r[i] += d->p[i];
  }
  multiply(d->Z, nv, f, p, d->dpi);
  multiply(d->Z, nv, f, d->r, d->dv);
  fill_right(d, dx);
  TRMI_TRY(err, trmi_linear_solve(&index1->lin, d->rhs, err));

  memcpy(out, d->r, (size_t)f * sizeof(double));
  for (int i = 0; i < nv; i++) d->dv[i] = d->rhs[i] + d->turned[i];
  multiply_transposed(d->Z, nv, f, d->dv, d->p); /* r* */
  if (d->R != NULL) { /* in dv there is room for R r */
    multiply(d->R, f, f, d->r, d->dv);
    for (int i = 0; i < f; i++) d->p[i] -= d->dv[i];
  }
  multiply_transposed(d->Y, f, nroll, d->p, out + f);
  const double *rates = d->rhs + trmi_places_of(d->sys).x;
  memcpy(out + f + nroll, rates, (size_t)d->sys->n.nx * sizeof(double));
  return TRM_OK;
}

/* Eigenvalues of F; those with negative imaginary part are omitted. */
static trm_status eigenvalues(dense *d, double *F, trm_error *err) {
  const int n = d->n, nv = d->sys->n.nv, f = d->nfree, nx = d->sys->n.nx;
  const size_t n2 = (size_t)n * (size_t)n;
  double *re = TRMI_TAKE(d->arena, double, n), *im = TRMI_TAKE(d->arena, double, n);
  double *V = TRMI_TAKE(d->arena, double, n2), *scale = TRMI_TAKE(d->arena, double, n);
  TRMI_TRY(err, trmi_arena_check(d->arena, err));
  double size = 0.0, norm = 0.0, unused[1];
  lapack_int low = 0, high = 0, status = 0;
  for (int pass = 0; pass < 2 && n > 0; pass++) { /* first the workspace size, then the values */
    const int lwork = pass == 0 ? -1 : (int)size;
    double *work = pass == 0 ? &size : TRMI_TAKE(d->arena, double, lwork);
    TRMI_TRY(err, trmi_arena_check(d->arena, err));
    status = TRMI_LAPACK(dgeevx_work, LAPACK_COL_MAJOR, 'B', 'N', 'V', 'N', n, F, n, re, im, unused,
                         1, V, n, &low, &high, scale, &norm, unused, unused, work, lwork, NULL);
  }
  if (status != 0) {
    return TRMI_FAIL(err, TRM_ERR_BALANCE, NULL, "the eigenvalues of %d states do not converge", n);
  }
  TRMI_TRY(err, trmi_eigenpairs_take(d->m, n, err));
  for (int k = 0; k < n; k++) {
    if (im[k] < 0.0) continue;
    trmi_eigenpair *pair = trmi_eigenpairs_next(&d->m->pairs, re[k], im[k]);
    for (int part = 0; part < (im[k] > 0.0 ? 2 : 1); part++) {
      const double *v = V + (size_t)(k + part) * (size_t)n;
      double *to = part == 0 ? pair->y_re : pair->y_im;
      multiply(d->Z, nv, f, v, to);
      memcpy(to + nv, v + f + d->nroll, (size_t)nx * sizeof(double));
    }
  }
  return TRM_OK;
}

static trm_status solve_general(dense *d, trm_error *err) {
  trmi_operating_point *base = d->m->l.base;
  TRMI_TRY(err, find_rolling(d, err));
  const int n = d->n = d->nfree + d->nroll + d->sys->n.nx;
  double *F = TRMI_TAKE(d->arena, double, (size_t)n * (size_t)n);
  double *unit = TRMI_TAKE(d->arena, double, n + 1);
  TRMI_TRY(err, trmi_arena_check(d->arena, err));
  trmi_matrix *index1 = NULL;
  TRMI_TRY(err, trmi_consistent_factor(&base->c, &base->s, true, &index1, err));
  TRMI_TRY(err, trmi_linearize(&d->m->l, base, err)); /* a border may have rebuilt the blocks */
  for (int j = 0; j < n; j++) {
    unit[j] = 1.0;
    TRMI_TRY(err, column(d, index1, unit, F + (size_t)j * (size_t)n, err));
    unit[j] = 0.0;
  }
  return eigenvalues(d, F, err);
}

static trm_status solve(dense *d, trm_error *err) {
  const int nv = d->sys->n.nv;
  double **const lists[] = {&d->dpi, &d->dv, &d->turned, &d->p, &d->r};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    *lists[i] = TRMI_TAKE(d->arena, double, nv);
  }
  d->rhs = TRMI_TAKE(d->arena, double, trmi_places_of(d->sys).n);
  TRMI_TRY(err, trmi_arena_check(d->arena, err));
  TRMI_TRY(err, trmi_linearized_freedoms(&d->m->l, d->arena, &d->Z, &d->nfree, err));
  bool done = false;
  if (d->m->is_symmetric) TRMI_TRY(err, solve_symmetric(d, &done, err));
  if (!done) TRMI_TRY(err, solve_general(d, err));
  d->m->is_symmetric = done;
  return TRM_OK;
}

trm_status trmi_modes_dense(trmi_modes_search *m, trm_error *err) {
  trmi_arena scratch;
  trmi_arena_init(&scratch, &m->arena->allocator);
  dense d = {.m = m, .sys = m->l.base->sys, .arena = &scratch};
  const trm_status status = solve(&d, err);
  trmi_arena_clear(&scratch);
  TRMI_TRY(err, status);
  return TRM_OK;
}
