/* block_numeric.h - the numbers of block.h. Included by one file per machine, which
 * names the table it builds, BLOCK_TABLE and BLOCK_NAME, and the numbers in a vector of that
 * machine, BLOCK_WIDTH. */
#include "linalg/block_kernels.h"

/* One line per size of node. */
#define EACH_SIZE(CALL)                                                                        \
  case 1: CALL(1) break; case 2: CALL(2) break; case 3: CALL(3) break; case 4: CALL(4) break;  \
  case 5: CALL(5) break; case 6: CALL(6) break; case 7: CALL(7) break; default: CALL(8) break;

/* Largest difference and largest number of two blocks of `size` numbers. */
static void compare(const double *U, const double *W, int size, double *difference,
                    double *largest) {
  double d = 0.0, l = 0.0;
  for (int i = 0; i < size; i++) {
    const double u = fabs(U[i]), e = fabs(U[i] - W[i]);
    d = e > d ? e : d;
    l = u > l ? u : l;
  }
  *difference = d;
  *largest = l;
}

static bool is_symmetric(const trmi_block *b) {
  for (int k = 0; k < b->count; k++) {
    const int ld = b->ld[k];
    const double *D = b->diagonal[k] >= 0 ? b->A + b->diagonal[k] : NULL;
    double difference = 0.0, largest = 0.0;
    for (int i = 0; i < b->dim[k] && D != NULL; i++) {
      for (int j = 0; j <= i; j++) {
        difference = fmax(difference, fabs(D[ld * i + j] - D[ld * j + i]));
        largest = fmax(largest, fabs(D[ld * i + j]));
      }
    }
    if (difference > symmetric_part * largest) return false;
    for (int e = b->first[k]; e < b->first[k + 1]; e++) {
      if (b->upper[e] < 0) continue;
      compare(b->A + b->upper[e], b->A + b->lower[e], b->dim[k] * b->ld[b->node[e]], &difference,
              &largest);
      if (difference > symmetric_part * largest) return false;
    }
  }
  return true;
}

/* Nodes from .. to - 1, with (4) for the right-hand sides that are known. */
static TRMI_INLINE bool factor_nodes(trmi_block *b, int from, int to, int known) {
  for (int k = from; k < to; k++) {
    bool good = false;
    if (b->is_zero != NULL) {
      find_vanishing(b, k);
      trmi_block_list_live(b, k);
    }
    switch (b->dim[k]) {
#define CALL(M)                                             \
  good = factor_##M(b, k);                                  \
  if (known > 0) forward_##M(b, k, b->y[0]);                \
  if (known > 1) forward_##M(b, k, b->y[1]);
      EACH_SIZE(CALL)
#undef CALL
    }
    if (!good) {
      b->bad_node = k;
      return false;
    }
  }
  return true;
}

static bool factor_some(trmi_block *b, int from, int to, int known) {
  if (from == 0 && b->is_zero != NULL) begin_vanishing(b);
  if (known == 0) return factor_nodes(b, from, to, 0);
  return known == 1 ? factor_nodes(b, from, to, 1) : factor_nodes(b, from, to, 2);
}

/* Nodes that are filled and factored at a time: their numbers are a part of the smallest cache. */
enum { STRETCH = 8 };

static bool factor(trmi_block *b, const trmi_filling *filling, int known) {
  if (filling == NULL) return factor_some(b, 0, b->count, known);
  const trmi_fill *fill = filling->plan->fill;
  bool good = true;
  int done = 0;
  for (int k = 0; k < b->count && good; k += STRETCH) {
    const int end = k + STRETCH < b->count ? k + STRETCH : b->count, to = b->filled[end - 1];
    fill_tiles(fill, filling->plan, filling->coefficient, filling->T, (int[2]){done, to});
    good = factor_some(b, k, end, known);
    done = to;
  }
  fill_tiles(fill, filling->plan, filling->coefficient, filling->T, (int[2]){done, fill->ntiles});
  return good;
}

/* Blocks that a solution reads some entries after those of node k: V_kj in its first pass, U_kj in
 * its second. Done here, not in the kernels: there it would change which products and sums
 * compilers fuse. */
static TRMI_INLINE void fetch(const trmi_block *b, int k, bool is_forward) {
  for (int i = b->live_first[k]; i < b->live_first[k + 1]; i++) {
    const double *block = b->F + (is_forward ? b->live[i + TRMI_BLOCK_AHEAD].scaled
                                             : b->live[i - TRMI_BLOCK_AHEAD].reduced);
    TRMI_UNROLL for (int line = 0; line < 6; line++) TRMI_PREFETCH(block + 8 * line);
  }
}

/* Nodes of a list, of which the first `nlinked` have entries; without a list all of them. */
static TRMI_INLINE void solve_all(trmi_block *b, int count, bool is_eliminated, const int *list,
                                  int nlinked, int nodes) {
  for (int i = is_eliminated ? nlinked : 0; i < nlinked; i++) {
    const int k = list != NULL ? list[i] : i;
    if (list != NULL) fetch(b, k, true);
    switch (b->dim[k]) {
#define CALL(M)                                 \
  forward_##M(b, k, b->y[0]);                   \
  if (count == 2) forward_##M(b, k, b->y[1]);
      EACH_SIZE(CALL)
#undef CALL
    }
  }
  for (int i = nodes - 1; i >= 0; i--) {
    const int k = list != NULL ? list[i] : i;
    if (list != NULL) fetch(b, k, false);
    switch (b->dim[k]) {
#define CALL(M)                                 \
  backward_##M(b, k, b->y[0]);                  \
  if (count == 2) backward_##M(b, k, b->y[1]);
      EACH_SIZE(CALL)
#undef CALL
    }
  }
}

/* Where all entries are read, blocks follow each other and the machine fetches them itself. */
static void solve(trmi_block *b, int count, bool is_eliminated) {
  if (b->is_zero == NULL) solve_all(b, count, is_eliminated, NULL, b->count, b->count);
  else solve_all(b, count, is_eliminated, b->linked, b->nlinked, b->nvisited);
}

/* Nodes of a list, or all of them. */
static TRMI_INLINE void multiply_nodes(const trmi_block *b, const int *list, int nodes,
                                       const double *x, double *product, double *size) {
  for (int i = 0; i < nodes; i++) {
    const int k = list != NULL ? list[i] : i;
    switch (b->dim[k]) {
#define CALL(M) multiply_node_##M(b, k, x, product, size);
      EACH_SIZE(CALL)
#undef CALL
    }
  }
}

static void multiply(const trmi_block *b, const double *x, double *product, double *size) {
  memset(product, 0, (size_t)b->vector * sizeof(double));
  memset(size, 0, (size_t)b->vector * sizeof(double));
  if (b->is_zero == NULL) {
    multiply_nodes(b, NULL, b->count, x, product, size);
    return;
  }
  multiply_nodes(b, b->linked, b->nlinked, x, product, size);
  for (int i = 0; i < b->nalone_nodes; i++) {
    const int k = b->alone_node[i];
    bool is_zero = true;
    for (int c = 0; c < b->dim[k]; c++) is_zero &= x[b->place[k] + c] == 0.0;
    if (!is_zero) multiply_nodes(b, &k, 1, x, product, size);
  }
}

const trmi_block_ops BLOCK_TABLE = {
    .name = BLOCK_NAME, .fill = fill_tiles, .is_symmetric = is_symmetric, .factor = factor,
    .solve = solve, .multiply = multiply,
};
