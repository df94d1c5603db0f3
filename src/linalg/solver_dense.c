/* solver_dense.c - LU with partial pivoting, for a few unknowns: by LAPACK, or where there are
 * so few that its calls cost more than its work, by loops of our own. */
#include "linalg/linear.h"
#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { SMALL = 24 };

typedef struct dense_content {
  trmi_arena  arena;
  double     *A; /* column major [n n] */
  lapack_int *pivot;
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
  const trm_status status = trmi_arena_check(&arena, err);
  if (status != TRM_OK) {
    trmi_arena_clear(&arena);
    return trmi_note(err, __func__, status);
  }
  *dense = (dense_content){.arena = arena, .A = A, .pivot = pivot};
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
    if (ck[best] == 0.0) return k; /* what is not finite shows in the solution */
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
  const lapack_int info =
      plan->n <= SMALL ? factor_small(dense->A, dense->pivot, plan->n) + 1
                       : LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, plan->n, plan->n, dense->A, plan->n,
                                             dense->pivot);
  if (info == 0) return TRM_OK;
  lin->bad_column = info > 0 ? (int)info - 1 : -1;
  return TRMI_FAIL(err, TRM_RETRY_SINGULAR, NULL, "no pivot in column %d of %d", lin->bad_column,
                   plan->n);
}

static void solve(trmi_linear *lin, double *b1, double *b2) {
  const dense_content *dense = lin->content;
  const int n = lin->plan->n;
  if (n <= SMALL) {
    solve_small(dense->A, dense->pivot, n, b1);
    if (b2 != NULL) solve_small(dense->A, dense->pivot, n, b2);
    return;
  }
  LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', n, 1, dense->A, n, dense->pivot, b1, n);
  if (b2 == NULL) return;
  LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', n, 1, dense->A, n, dense->pivot, b2, n);
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
