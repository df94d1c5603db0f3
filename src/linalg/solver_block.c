/* solver_block.c - the block solver behind the table of linear.h. */
#include "core/compiler.h"
#include "linalg/block.h"
#include <stdint.h>
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

/* The border is measured by the matrix, and symmetry looked for in it, before it is factored. */
static bool fills(const trmi_linear *lin) {
  const trmi_block *b = lin->content;
  return b->filled != NULL && !b->has_many_sums && lin->plan->nborder == 0;
}

/* So many numbers that the compiler knows how many. */
static inline void copy_node(double *to, const double *from, int dim) {
  switch (dim) {
  case 2: memcpy(to, from, 2 * sizeof *to); break;
  case 3: memcpy(to, from, 3 * sizeof *to); break;
  case 5: memcpy(to, from, 5 * sizeof *to); break;
  case 6: memcpy(to, from, 6 * sizeof *to); break;
  default:
    for (int i = 0; i < dim; i++) to[i] = from[i];
  }
}

/* A list of unknowns into a padded vector, node by node, and back. */
static void pad(const trmi_block *b, const double *list, double *padded) {
  for (int k = 0; k < b->count; k++) {
    copy_node(padded + b->place[k], list + b->unknown[k], b->dim[k]);
  }
}
static void unpad(const trmi_block *b, const double *padded, double *list) {
  for (int k = 0; k < b->count; k++) {
    copy_node(list + b->unknown[k], padded + b->place[k], b->dim[k]);
  }
}

/* The same for nodes that a solution visits. */
static void pad_visited(const trmi_block *b, const double *list, double *padded) {
  for (int i = 0; i < b->nvisited; i++) {
    const int k = b->linked[i];
    copy_node(padded + b->place[k], list + b->unknown[k], b->dim[k]);
  }
}
static void unpad_visited(const trmi_block *b, const double *padded, double *list) {
  for (int i = 0; i < b->nvisited; i++) {
    const int k = b->linked[i];
    copy_node(list + b->unknown[k], padded + b->place[k], b->dim[k]);
  }
}

/* Are all numbers zero? By bits, without a test for each; but for its sign a zero has none. */
static bool are_zero(const double *list, int count) {
  uint64_t some = 0;
  for (int i = 0; i < count; i++) {
    uint64_t bits;
    memcpy(&bits, list + i, sizeof bits);
    some |= bits;
  }
  return some << 1 == 0;
}

/* Nodes alone are visited where a right-hand side is not zero; the second may be the first. */
static void find_visited(trmi_block *b, const double *b1, const double *b2) {
  b->nvisited = b->nlinked;
  for (int i = 0; i < b->nalone; i++) {
    const trmi_block_alone *alone = &b->alone[i];
    const int first = alone->first, count = alone->end - first;
    if (are_zero(b1 + first, count) && are_zero(b2 + first, count)) continue;
    for (int m = alone->nodes; m < alone->nodes + alone->count; m++) {
      const int k = b->alone_node[m], at = b->unknown[k], dim = b->dim[k];
      if (!are_zero(b1 + at, dim) || !are_zero(b2 + at, dim)) b->linked[b->nvisited++] = k;
    }
  }
}

static trm_status factor(trmi_linear *lin, bool new_pivots, trm_error *err) {
  (void)new_pivots; /* pivots inside blocks are always new */
  trmi_block *b = lin->content;
  const trmi_plan *plan = lin->plan;
  for (int k = 0; k < plan->nborder; k++) {
    b->border[b->padded[plan->border_index[k]]] = plan->border[k];
  }
  const trmi_filling filling = {.plan = plan, .coefficient = lin->coefficient, .T = lin->T};
  const bool is_filled = lin->coefficient == NULL;
  lin->coefficient = NULL;
  b->is_symmetric = b->has_many_sums && kernels()->is_symmetric(b);
  int known = 0;
  for (; known < 2 && lin->expected[known] != NULL; known++) {
    pad(b, lin->expected[known], b->y[known]);
  }
  const bool good = kernels()->factor(b, is_filled ? NULL : &filling, known);
  b->eliminated = good ? known : 0;
  if (good) return TRM_OK;
  lin->bad_column = b->unknown[b->bad_node] + b->bad_row;
  return TRMI_FAIL(err, TRM_RETRY_SINGULAR, NULL, "no pivot in column %d of %d", lin->bad_column,
                   plan->n);
}

static void solve(trmi_linear *lin, double *b1, double *b2) {
  trmi_block *b = lin->content;
  double *const rhs[2] = {b1, b2};
  const int count = b2 != NULL ? 2 : 1;
  const bool is_eliminated = b->eliminated == count;
  b->eliminated = 0;
  const bool is_part = b->is_zero != NULL;
  if (is_part) find_visited(b, b1, b2 != NULL ? b2 : b1);
  for (int m = 0; m < count && !is_eliminated; m++) {
    (is_part ? pad_visited : pad)(b, rhs[m], b->y[m]);
  }
  kernels()->solve(b, count, is_eliminated);
  for (int m = 0; m < count; m++) (is_part ? unpad_visited : unpad)(b, b->y[m], rhs[m]);
}

static void multiply(trmi_linear *lin, const double *x, double *r, double *size) {
  trmi_block *b = lin->content;
  pad(b, x, b->work[0]);
  kernels()->multiply(b, b->work[0], b->work[1], b->work[2]);
  unpad(b, b->work[1], r);
  unpad(b, b->work[2], size);
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
    .fills = fills,
    .factor = factor,
    .solve = solve,
    .multiply = multiply,
    .entries = entries,
    .free = release,
    .measure_every = 16,
};
