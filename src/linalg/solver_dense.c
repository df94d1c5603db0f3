/* solver_dense.c - LU with partial pivoting by LAPACK, for a few unknowns. */
#include "linalg/linear.h"
#include <lapacke.h>
#include <string.h>

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
  const lapack_int info = LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, plan->n, plan->n, dense->A,
                                              plan->n, dense->pivot);
  if (info == 0) return TRM_OK;
  lin->bad_column = info > 0 ? (int)info - 1 : -1;
  return TRMI_FAIL(err, TRM_RETRY_SINGULAR, NULL, "no pivot in column %d of %d", lin->bad_column,
                   plan->n);
}

static void solve(trmi_linear *lin, double *b1, double *b2) {
  const dense_content *dense = lin->content;
  const int n = lin->plan->n;
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
