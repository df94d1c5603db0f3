/* pattern.c - the patterns of a system, read in two passes of the same code:
 * the first counts, the second fills. */
#include "system/system.h"
#include <limits.h>
#include <string.h>

/* Room for the list of nodes while it is read. */
typedef struct node_list {
  trm_quantity  quantity;
  int           size; /* unknowns in the list */
  trmi_nodes   *nodes;
  unsigned char *starts; /* a node starts here        [size] */
  unsigned char *inside; /* belongs to a declared node [size] */
} node_list;

enum { NODE_LISTS = 5 };

struct trm_pattern {
  trm_system *sys;
  bool        filling; /* second pass */
  bool        given[TRM_BLOCKS];
  int         count[TRM_BLOCKS];
  bool        has_weak[TRM_BLOCKS], has_runs[TRM_BLOCKS];
  int         bad_block, bad_row, bad_col; /* first entry out of range, or -1 */
  bool        bad_node;
  int         full_block; /* one with more entries than an int counts, or -1 */
  node_list   lists[NODE_LISTS];
};

void trm_pattern_given(trm_pattern *p, trm_block block) {
  p->given[block] = true;
}

void trm_pattern_entry(trm_pattern *p, trm_block block, int row, int col) {
  const trm_sizes *n = &p->sys->n;
  p->given[block] = true;
  if (p->count[block] == INT_MAX) {
    p->full_block = (int)block;
    return;
  }
  if (row < 0 || col < 0 || row >= trmi_block_rows(n, block) || col >= trmi_block_cols(n, block)) {
    if (p->bad_block < 0) p->bad_block = (int)block, p->bad_row = row, p->bad_col = col;
    return;
  }
  if (p->filling) {
    trmi_sparse *S = &p->sys->block[block];
    S->row[p->count[block]] = row;
    S->col[p->count[block]] = col;
  }
  p->count[block]++;
}

void trm_pattern_dense(trm_pattern *p, trm_block block, int row, int col, int rows, int cols) {
  p->given[block] = true;
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < cols; j++) trm_pattern_entry(p, block, row + i, col + j);
  }
}

/* An entry of an arrow, by its row and column in the rectangle. */
static void arrow_entry(trm_pattern *p, trm_block block, const trmi_arrow *at, int i, int j) {
  const int k = p->count[block];
  trm_pattern_entry(p, block, at->row + i, at->col + j);
  const bool is_of_modes = i >= at->head && j >= at->head &&
                           (at->has_weak_diagonal || at->row + i != at->col + j);
  const bool is_zero = (i < at->zero_rows && j >= at->head) ||
                       (j < at->zero_cols && i >= at->head);
  const bool is_weak = is_of_modes || is_zero;
  if (p->filling && is_weak && p->count[block] > k) p->sys->block[block].weak[k] = 1;
}

void trmi_pattern_arrow(trm_pattern *p, trm_block block, const trmi_arrow *at) {
  const bool has_own = !at->has_weak_diagonal;
  const int top = at->rows < TRMI_ARROW_HEAD ? at->rows : TRMI_ARROW_HEAD;
  const int left = at->cols < TRMI_ARROW_HEAD ? at->cols : TRMI_ARROW_HEAD;
  p->given[block] = true;
  p->has_weak[block] = true;
  for (int i = 0; i < top; i++) {
    for (int j = 0; j < at->cols; j++) arrow_entry(p, block, at, i, j);
  }
  for (int j = 0; j < left; j++) {
    for (int i = top; i < at->rows; i++) arrow_entry(p, block, at, i, j);
  }
  for (int i = top; i < at->rows && has_own; i++) arrow_entry(p, block, at, i, i);
  for (int i = top; i < at->rows; i++) {
    for (int j = left; j < at->cols; j++) {
      if (!has_own || i != j) arrow_entry(p, block, at, i, j);
    }
  }
}

void trmi_arrow_store(const trmi_arrow_parts *parts, const double *full) {
  const int cols = parts->cols, modes = parts->rows - parts->top;
  const double *row = full + cols * parts->top;
  double *rest = parts->rest;
  memcpy(parts->head, full, (size_t)(parts->top * cols) * sizeof *full);
  for (int i = 0; i < modes; i++, row += cols) {
    for (int j = 0; j < parts->left; j++) parts->below[modes * j + i] = row[j];
    for (int j = parts->left; j < cols; j++) {
      if (parts->own != NULL && j - parts->left == i) parts->own[i] = row[j];
      else *rest++ = row[j];
    }
  }
}

void trmi_pattern_weak(trm_pattern *p, trm_block block, int row, int col, int rows, int cols) {
  const trmi_arrow all = {.row = row, .col = col, .rows = rows, .cols = cols,
                          .has_weak_diagonal = true};
  p->given[block] = p->has_weak[block] = true;
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < cols; j++) arrow_entry(p, block, &all, i, j);
  }
}

void trmi_pattern_run(trm_pattern *p, trm_block block, int count) {
  const int end = p->count[block];
  p->has_runs[block] = true;
  for (int k = end - count; k < end && p->filling; k++) p->sys->block[block].run[k] = end - count;
}

void trm_pattern_node(trm_pattern *p, trm_quantity list, int first, int count) {
  for (int l = 0; l < NODE_LISTS; l++) {
    node_list *nodes = &p->lists[l];
    if (nodes->quantity != list || !p->filling) continue;
    if (first < 0 || count < 1 || first + count > nodes->size) {
      p->bad_node = true;
      return;
    }
    nodes->starts[first] = 1;
    for (int i = first + 1; i < first + count; i++) nodes->inside[i] = 1;
  }
}

static void take_lists(trm_pattern *p) {
  trm_system *sys = p->sys;
  const node_list lists[NODE_LISTS] = {
      {.quantity = TRM_V, .size = sys->n.nv, .nodes = &sys->node_v},
      {.quantity = TRM_LAM, .size = sys->n.ng, .nodes = &sys->node_lam},
      {.quantity = TRM_MU, .size = sys->n.na, .nodes = &sys->node_mu},
      {.quantity = TRM_X, .size = sys->n.nx, .nodes = &sys->node_x},
      {.quantity = TRM_W, .size = sys->n.nw, .nodes = &sys->node_w},
  };
  for (int l = 0; l < NODE_LISTS; l++) {
    p->lists[l] = lists[l];
    p->lists[l].starts = TRMI_TAKE(&sys->epoch_arena, unsigned char, lists[l].size);
    p->lists[l].inside = TRMI_TAKE(&sys->epoch_arena, unsigned char, lists[l].size);
    lists[l].nodes->first = TRMI_TAKE(&sys->epoch_arena, int, lists[l].size + 1);
  }
}

static void close_lists(trm_pattern *p) {
  for (int l = 0; l < NODE_LISTS; l++) {
    const node_list *list = &p->lists[l];
    int count = 0;
    for (int i = 0; i < list->size; i++) {
      if (list->starts[i] || !list->inside[i]) list->nodes->first[count++] = i;
    }
    list->nodes->first[count] = list->size;
    list->nodes->count = count;
  }
}

/* Number of entries of a block computed by differences, which is full. Beyond INT_MAX
 * trmi_system_want refuses it; this is not yet an error, since the block may not be needed. */
static int full_count(const trmi_sparse *S) {
  const size_t count = (size_t)S->rows * (size_t)S->cols;
  return count < INT_MAX ? (int)count : INT_MAX;
}

/* Derivatives of G^T y and A^T y are zero without multipliers, whatever their size. */
static bool has_no_multipliers(const trm_sizes *n, trm_block block) {
  return (block == TRM_GY_Q && n->ng == 0) || (block == TRM_AY_Q && n->na == 0);
}

static void take_entries(trm_pattern *p) {
  trm_system *sys = p->sys;
  for (int b = 0; b < TRM_BLOCKS; b++) {
    trmi_sparse *S = &sys->block[b];
    *S = (trmi_sparse){.rows = trmi_block_rows(&sys->n, (trm_block)b),
                       .cols = trmi_block_cols(&sys->n, (trm_block)b)};
    const bool empty = S->rows == 0 || S->cols == 0 || has_no_multipliers(&sys->n, (trm_block)b);
    sys->given[b] = p->given[b] || empty;
    S->n = sys->given[b] ? p->count[b] : full_count(S);
    S->row = TRMI_TAKE(&sys->epoch_arena, int, sys->given[b] ? S->n : 0);
    S->col = TRMI_TAKE(&sys->epoch_arena, int, sys->given[b] ? S->n : 0);
    if (p->has_weak[b]) S->weak = TRMI_TAKE(&sys->epoch_arena, unsigned char, S->n);
    if (p->has_runs[b]) S->run = TRMI_TAKE(&sys->epoch_arena, int, S->n);
    for (int k = 0; k < S->n && S->run != NULL; k++) S->run[k] = -1;
    p->count[b] = 0;
  }
}

/* plain_end of sparse.h */
static void note_plain_rows(trm_system *sys, trmi_sparse *S) {
  for (int k = 0; k < S->n; k++) {
    const int end = trmi_sparse_long_end(S, k);
    if (end == k) continue;
    bool is_plain = true;
    for (int i = k + 1; i < end && is_plain; i++) is_plain = S->col[i] == S->col[i - 1] + 1;
    if (is_plain && S->plain_end == NULL) S->plain_end = TRMI_TAKE(&sys->epoch_arena, int, S->n);
    if (is_plain && S->plain_end != NULL) S->plain_end[k] = end;
    k = end - 1;
  }
}

trm_status trmi_system_read_patterns(trm_system *sys, trm_error *err) {
  trmi_arena_clear(&sys->epoch_arena);
  trm_pattern p = {.sys = sys, .bad_block = -1, .full_block = -1};

  /* count, make room, fill */
  if (sys->ops->patterns != NULL) sys->ops->patterns(sys->self, &p);
  if (p.bad_block >= 0) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, sys->ops->name,
                     "block %s has an entry at row %d, column %d outside its %d x %d",
                     trm_block_name((trm_block)p.bad_block), p.bad_row, p.bad_col,
                     trmi_block_rows(&sys->n, (trm_block)p.bad_block),
                     trmi_block_cols(&sys->n, (trm_block)p.bad_block));
  }
  if (p.full_block >= 0) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, sys->ops->name,
                     "block %s has more than %d entries", trm_block_name((trm_block)p.full_block),
                     INT_MAX);
  }
  take_lists(&p);
  take_entries(&p);
  TRMI_TRY(err, trmi_arena_check(&sys->epoch_arena, err));
  p.filling = true;
  if (sys->ops->patterns != NULL) sys->ops->patterns(sys->self, &p);
  if (p.bad_node) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, sys->ops->name,
                     "trm_pattern_node was given unknowns outside their list");
  }
  close_lists(&p);
  for (int b = 0; b < TRM_BLOCKS; b++) {
    if (sys->given[b]) note_plain_rows(sys, &sys->block[b]);
  }
  TRMI_TRY(err, trmi_arena_check(&sys->epoch_arena, err));
  return TRM_OK;
}

trm_status trmi_system_follow(trm_system *sys, bool *is_new, trm_error *err) {
  const int epoch = sys->ops->epoch != NULL ? sys->ops->epoch(sys->self) : sys->epoch;
  *is_new = epoch != sys->epoch;
  if (!*is_new) return TRM_OK;
  sys->epoch = epoch;
  TRMI_TRY(err, trmi_system_read_patterns(sys, err));
  return TRM_OK;
}

trm_status trmi_system_renew(trm_system *sys, trm_error *err) {
  bool is_new = false;
  TRMI_TRY(err, trmi_system_follow(sys, &is_new, err));
  if (is_new) return TRM_OK;
  return TRMI_FAIL(err, TRM_ERR_INPUT, sys->ops->name,
                   "a block asks for another pattern, but the epoch is the same");
}

trm_status trmi_system_want(trm_system *sys, trm_block block, trm_error *err) {
  trmi_sparse *S = &sys->block[block];
  if (S->values != NULL) return TRM_OK;
  if (!sys->given[block] && S->n == INT_MAX) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, sys->ops->name,
                     "block %s is %d x %d and its pattern is not given: it is too large to be made "
                     "by differences; give its pattern and its values",
                     trm_block_name(block), S->rows, S->cols);
  }
  if (!sys->given[block]) {
    /* computed by differences: a dense block, row by row */
    S->row = TRMI_TAKE(&sys->epoch_arena, int, S->n);
    S->col = TRMI_TAKE(&sys->epoch_arena, int, S->n);
  }
  S->values = TRMI_TAKE(&sys->epoch_arena, double, S->n);
  TRMI_TRY(err, trmi_arena_check(&sys->epoch_arena, err));
  if (!sys->given[block]) {
    for (int k = 0; k < S->n; k++) S->row[k] = k / S->cols, S->col[k] = k % S->cols;
  }
  return TRM_OK;
}
