/* solver_dense.c - LU with partial pivoting, for a few unknowns: by LAPACK, or where there are
 * so few that its calls cost more than its work, by loops of our own.
 *
 * Pivots are compared within a column, so rows of different units can make bad ones be taken: in
 * millimetres and tonnes, masses of 1e-4 meet constraints of 1e3. Where solutions are
 * bad (lin->wants_general) rows and columns are scaled by powers of two,
 *   D A E,  d_i <- d_i / sqrt(max_j |d_i a_ij e_j|),  e_j <- e_j / sqrt(max_i |d_i a_ij e_j|)   (1)
 * a few times over, until the largest entry of each is about one. */
#include "core/gate.h"
#include "linalg/linear.h"
#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { SMALL = 24, SCALINGS = 6 };

typedef struct dense_content {
  trmi_arena  arena;
  double     *A; /* column major [n n] */
  lapack_int *pivot;
  double     *row, *col; /* D, E of (1) [n] */
  double     *most;      /* scratch     [2 n] */
} dense_content;

static void release(trmi_linear *lin) {
  dense_content *dense = lin->content;
  trmi_arena arena = dense->arena; /* the content itself lies in it */
  trmi_arena_clear(&arena);
}

static trm_status analyze(trmi_linear *lin, trm_error *err) {
  const size_t n = (size_t)lin->plan->n;
  trmi_arena arena;
  trmi_arena_init(&arena, &lin->allocator);
  dense_content *dense = TRMI_TAKE(&arena, dense_content, 1);
  double *A = TRMI_TAKE(&arena, double, n * n);
  lapack_int *pivot = TRMI_TAKE(&arena, lapack_int, n);
  double *row = TRMI_TAKE(&arena, double, n), *col = TRMI_TAKE(&arena, double, n);
  double *most = TRMI_TAKE(&arena, double, 2 * n);
  const trm_status status = trmi_arena_check(&arena, err);
  if (status != TRM_OK) {
    trmi_arena_clear(&arena);
    return trmi_note(err, __func__, status);
  }
  *dense = (dense_content){.arena = arena, .A = A, .pivot = pivot, .row = row, .col = col,
                           .most = most};
  lin->content = dense;
  return TRM_OK;
}

/* Right-looking, by columns, 1/pivot on the diagonal; returns the column without pivot, or -1. */
static int factor_small(double *A, lapack_int *pivot, int n) {
  for (int k = 0; k < n; k++) {
    double *const restrict ck = A + (size_t)k * (size_t)n;
    int best = k;
    for (int i = k + 1; i < n; i++) {
      if (fabs(ck[i]) > fabs(ck[best])) best = i;
    }
    pivot[k] = best;
    if (ck[best] == 0.0) return k; /* values that are not finite show in the solution */
    for (int j = 0; j < n && best != k; j++) {
      double *c = A + (size_t)j * (size_t)n;
      const double other = c[k];
      c[k] = c[best];
      c[best] = other;
    }
    const double p = 1.0 / ck[k];
    ck[k] = p;
    for (int i = k + 1; i < n; i++) ck[i] *= p;
    for (int j = k + 1; j < n; j++) {
      double *const restrict cj = A + (size_t)j * (size_t)n;
      const double t = cj[k];
      if (t == 0.0) continue;
      for (int i = k + 1; i < n; i++) cj[i] -= ck[i] * t;
    }
  }
  return -1;
}

static void solve_small(const double *A, const lapack_int *pivot, int n, double *restrict b) {
  for (int k = 0; k < n; k++) {
    const double other = b[k];
    b[k] = b[pivot[k]];
    b[pivot[k]] = other;
  }
  for (int k = 0; k < n; k++) {
    const double *restrict c = A + (size_t)k * (size_t)n, t = b[k];
    for (int i = k + 1; i < n; i++) b[i] -= c[i] * t;
  }
  for (int k = n - 1; k >= 0; k--) {
    const double *restrict c = A + (size_t)k * (size_t)n, t = b[k] * c[k];
    b[k] = t;
    for (int i = 0; i < k; i++) b[i] -= c[i] * t;
  }
}

/* 1/sqrt(size) as a power of two, one where it is zero or not finite. */
static double power_of(double size) {
  int exponent = 0;
  if (!(size > 0.0) || !isfinite(size)) return 1.0;
  (void)frexp(size, &exponent);
  return ldexp(1.0, -exponent / 2);
}

/* (1), in place. */
static void scale_all(dense_content *dense, int n) {
  double *rows = dense->most, *cols = dense->most + n;
  for (int i = 0; i < n; i++) dense->row[i] = dense->col[i] = 1.0;
  for (int k = 0; k < SCALINGS; k++) {
    memset(rows, 0, 2 * (size_t)n * sizeof(double));
    for (int j = 0; j < n; j++) {
      const double *a = dense->A + (size_t)j * (size_t)n;
      for (int i = 0; i < n; i++) {
        rows[i] = fmax(rows[i], fabs(a[i]));
        cols[j] = fmax(cols[j], fabs(a[i]));
      }
    }
    for (int i = 0; i < n; i++) {
      rows[i] = power_of(rows[i]), cols[i] = power_of(cols[i]);
      dense->row[i] *= rows[i], dense->col[i] *= cols[i];
    }
    for (int j = 0; j < n; j++) {
      double *a = dense->A + (size_t)j * (size_t)n;
      for (int i = 0; i < n; i++) a[i] *= rows[i] * cols[j];
    }
  }
}

static trm_status factor(trmi_linear *lin, bool new_pivots, trm_error *err) {
  (void)new_pivots; /* pivots are always new */
  dense_content *dense = lin->content;
  const double *Ax = trmi_linear_columns(lin);
  const trmi_plan *plan = lin->plan;
  const size_t n = (size_t)plan->n;
  memset(dense->A, 0, n * n * sizeof(double));
  for (int j = 0; j < plan->n; j++) {
    for (int k = plan->Ap[j]; k < plan->Ap[j + 1]; k++) {
      dense->A[(size_t)j * n + (size_t)plan->Ai[k]] = Ax[k];
    }
  }
  if (lin->wants_general) scale_all(dense, plan->n);
  const lapack_int info =
      plan->n <= SMALL ? factor_small(dense->A, dense->pivot, plan->n) + 1
                       : TRMI_LAPACK(dgetrf_work, LAPACK_COL_MAJOR, plan->n, plan->n, dense->A,
                                     plan->n, dense->pivot);
  if (info == 0) return TRM_OK;
  lin->bad_column = info > 0 ? (int)info - 1 : -1;
  return TRMI_FAIL(err, TRM_RETRY_SINGULAR, NULL, "no pivot in column %d of %d", lin->bad_column,
                   plan->n);
}

static void solve_one(const trmi_linear *lin, double *b) {
  const dense_content *dense = lin->content;
  const int n = lin->plan->n;
  for (int i = 0; i < n && lin->wants_general; i++) b[i] *= dense->row[i];
  if (n <= SMALL) {
    solve_small(dense->A, dense->pivot, n, b);
  } else {
    (void)TRMI_LAPACK(dgetrs_work, LAPACK_COL_MAJOR, 'N', n, 1, dense->A, n, dense->pivot, b, n);
  }
  for (int i = 0; i < n && lin->wants_general; i++) b[i] *= dense->col[i];
}

static void solve(trmi_linear *lin, double *b1, double *b2) {
  solve_one(lin, b1);
  if (b2 != NULL) solve_one(lin, b2);
}

static long entries(const trmi_linear *lin) {
  return (long)lin->plan->n * lin->plan->n;
}

const trmi_solver_ops trmi_solver_dense = {
    .name = "dense",
    .analyze = analyze,
    .factor = factor,
    .solve = solve,
    .entries = entries,
    .free = release,
    .measure_every = 16,
};
