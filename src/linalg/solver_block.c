/* solver_block.c - the block solver behind the table of linear.h. */
#include "core/compiler.h"
#include "linalg/block.h"
#include <string.h>

/* The best kernels this machine runs. */
static const trmi_block_ops *kernels(void) {
  if (TRMI_HAS_AVX512()) return &trmi_block_avx512;
  if (TRMI_HAS_AVX2()) return &trmi_block_avx2;
  return &trmi_block_base;
}

static trm_status analyze(trmi_linear *lin, trm_error *err) {
  trmi_block *b = NULL;
  TRMI_TRY(err, trmi_block_analyze(&b, lin->plan, kernels(), lin->arena, err));
  lin->content = b;
  return TRM_OK;
}

static trm_status factor(trmi_linear *lin, bool new_pivots, trm_error *err) {
  (void)new_pivots; /* pivots inside blocks are always new */
  trmi_block *b = lin->content;
  const trmi_plan *plan = lin->plan;
  for (int k = 0; k < plan->nborder; k++) {
    b->border[b->padded[plan->border_index[k]]] = plan->border[k];
  }
  b->is_symmetric = b->has_many_sums && kernels()->is_symmetric(b);
  if (kernels()->factor(b)) return TRM_OK;
  lin->bad_column = b->unknown[b->bad_node] + b->bad_row;
  return TRMI_FAIL(err, TRM_RETRY_SINGULAR, NULL, "no pivot in column %d of %d", lin->bad_column,
                   plan->n);
}

static void solve(trmi_linear *lin, double *b1, double *b2) {
  trmi_block *b = lin->content;
  const int n = lin->plan->n;
  double *const rhs[2] = {b1, b2};
  const int count = b2 != NULL ? 2 : 1;
  for (int m = 0; m < count; m++) {
    for (int i = 0; i < n; i++) b->y[m][b->padded[i]] = rhs[m][i];
  }
  kernels()->solve(b, count);
  for (int m = 0; m < count; m++) {
    for (int i = 0; i < n; i++) rhs[m][i] = b->y[m][b->padded[i]];
  }
}

static void multiply(trmi_linear *lin, const double *x, double *r, double *size) {
  trmi_block *b = lin->content;
  const int n = lin->plan->n;
  for (int i = 0; i < n; i++) b->work[0][b->padded[i]] = x[i];
  kernels()->multiply(b, b->work[0], b->work[1], b->work[2]);
  for (int i = 0; i < n; i++) {
    r[i] = b->work[1][b->padded[i]];
    size[i] = b->work[2][b->padded[i]];
  }
}

static long entries(const trmi_linear *lin) {
  return ((const trmi_block *)lin->content)->entries;
}

static void release(trmi_linear *lin) {
  trmi_block_free(lin->content);
}

const trmi_solver_ops trmi_solver_block = {
    .name = "block",
    .analyze = analyze,
    .factor = factor,
    .solve = solve,
    .multiply = multiply,
    .entries = entries,
    .free = release,
    .measure_every = 16,
};
