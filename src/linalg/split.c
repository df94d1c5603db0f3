/* split.c - parts of G, what each has chosen, and (1) of split.h:
 *   parts of rows that share columns; G^T of each by columns, numbers that add up added     (1)
 *   follow: the factors of the choice, or a new one where its smallest pivot fell           (2) */
#include "linalg/split_part.h"
#include <math.h>
#include <string.h>

/* Of the largest; below, a pivot counts as none. */
static const double rank_limit = 1e-11;
/* The choice holds down to this part of its smallest pivot. */
static const double kept_part = 0.1;

double trmi_split_smallest(const double *pivots, int n, size_t stride) {
  double smallest = INFINITY, largest = 0.0;
  for (int k = 0; k < n; k++) {
    const double size = fabs(pivots[(size_t)k * stride]);
    if (!(size > 0.0)) return 0.0; /* or no number */
    smallest = fmin(smallest, size);
    largest = fmax(largest, size);
  }
  return smallest > rank_limit * largest ? smallest : 0.0;
}

/* --- parts, (1) ------------------------------------------------------------------------ */

/* Only while a splitting is prepared. */
typedef struct grouping {
  int *root;       /* a row of the same part, itself at last           [rows] */
  int *part;       /* of a row                                         [rows] */
  int *taker;      /* a row that has the column, -1: none              [cols] */
  int *column;     /* number of a column within its part               [cols] */
  int *start;      /* entries of a row of G begin here among `entry`   [rows + 1] */
  int *entry;      /* entries of G, row by row                         [n]    */
  int *seen;       /* place of the last value in a column              [cols] */
} grouping;

static int root_of(int *root, int row) {
  while (root[row] != row) row = root[row] = root[root[row]];
  return row;
}

/* The root of a part is its first row. */
static void join_rows(grouping *g, const trmi_sparse *G) {
  for (int i = 0; i < G->rows; i++) g->root[i] = i;
  for (int i = 0; i < G->cols; i++) g->taker[i] = -1;
  for (int k = 0; k < G->n; k++) {
    int *taker = &g->taker[G->col[k]];
    if (*taker < 0) *taker = G->row[k];
    const int a = root_of(g->root, G->row[k]), b = root_of(g->root, *taker);
    g->root[a > b ? a : b] = a < b ? a : b;
  }
}

static int number_parts(grouping *g, const trmi_sparse *G) {
  int count = 0;
  for (int i = 0; i < G->rows; i++) {
    const int root = root_of(g->root, i);
    g->part[i] = root == i ? count++ : g->part[root];
  }
  return count;
}

static void sort_entries(grouping *g, const trmi_sparse *G) {
  for (int k = 0; k < G->n; k++) g->start[G->row[k] + 1]++;
  for (int i = 0; i < G->rows; i++) g->start[i + 1] += g->start[i];
  for (int k = 0; k < G->n; k++) g->entry[g->start[G->row[k]]++] = k;
  for (int i = G->rows; i > 0; i--) g->start[i] = g->start[i - 1];
  g->start[0] = 0;
}

static trm_status group(grouping *g, trmi_split *split, trmi_arena *scratch, trm_error *err) {
  const trmi_sparse *G = split->G;
  g->root = TRMI_TAKE(scratch, int, G->rows);
  g->part = TRMI_TAKE(scratch, int, G->rows);
  g->taker = TRMI_TAKE(scratch, int, G->cols);
  g->column = TRMI_TAKE(scratch, int, G->cols);
  g->start = TRMI_TAKE(scratch, int, G->rows + 1);
  g->entry = TRMI_TAKE(scratch, int, G->n);
  g->seen = TRMI_TAKE(scratch, int, G->cols);
  TRMI_TRY(err, trmi_arena_check(scratch, err));
  join_rows(g, G);
  split->nparts = number_parts(g, G);
  sort_entries(g, G);
  return TRM_OK;
}

/* Rows and columns of each part, in their order in G. */
static trm_status list_members(trmi_split *split, grouping *g, trmi_arena *arena,
                               trm_error *err) {
  const trmi_sparse *G = split->G;
  split->part = TRMI_TAKE(arena, trmi_split_part, split->nparts);
  int *row = TRMI_TAKE(arena, int, G->rows), *col = TRMI_TAKE(arena, int, G->cols);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  for (int i = 0; i < G->rows; i++) split->part[g->part[i]].rows++;
  for (int i = 0; i < G->cols; i++) {
    if (g->taker[i] >= 0) split->part[g->part[g->taker[i]]].cols++;
  }
  split->is_wide = true;
  for (int i = 0; i < split->nparts; i++) {
    trmi_split_part *part = &split->part[i];
    part->row = row, part->col = col;
    row += part->rows, col += part->cols;
    split->is_wide = split->is_wide && part->rows <= part->cols;
    part->rows = part->cols = 0; /* and counted again */
  }
  for (int i = 0; i < G->rows; i++) {
    trmi_split_part *part = &split->part[g->part[i]];
    part->row[part->rows++] = i;
  }
  for (int i = 0; i < G->cols; i++) {
    if (g->taker[i] < 0) continue;
    trmi_split_part *part = &split->part[g->part[g->taker[i]]];
    g->column[i] = part->cols;
    part->col[part->cols++] = i;
  }
  return TRM_OK;
}

/* Pattern of G^T of a part, its values from `first` on; returns the next free place. */
static int list_entries(trmi_split *split, trmi_split_part *part, grouping *g, int first) {
  const trmi_sparse *G = split->G;
  int next = first;
  for (int i = 0; i < part->cols; i++) g->seen[part->col[i]] = -1;
  for (int j = 0; j < part->rows; j++) {
    const int row = part->row[j], column_start = next;
    for (int e = g->start[row]; e < g->start[row + 1]; e++) {
      const int entry = g->entry[e], col = G->col[entry];
      if (g->seen[col] < column_start) {
        g->seen[col] = next;
        part->Ai[next++ - first] = g->column[col];
      }
      split->place[entry] = g->seen[col];
    }
    part->Ap[j + 1] = next - first;
  }
  for (int j = part->rows; j < part->cols; j++) part->Ap[j + 1] = next - first;
  return next;
}

static trm_status prepare_parts(trmi_split *split, grouping *g, trmi_arena *arena,
                                trm_error *err) {
  const trmi_sparse *G = split->G;
  split->place = TRMI_TAKE(arena, int, G->n);
  split->values = TRMI_TAKE(arena, double, G->n);
  split->order = TRMI_TAKE(arena, int, G->cols);
  split->x = TRMI_TAKE(arena, double, G->rows);
  int *Ai = TRMI_TAKE(arena, int, G->n), *dependent = TRMI_TAKE(arena, int, G->rows);
  int *Ap = TRMI_TAKE(arena, int, G->cols + split->nparts);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  size_t largest = 0;
  for (int i = 0; i < split->nparts; i++) {
    trmi_split_part *part = &split->part[i];
    part->Ai = Ai + split->nvalues, part->Ax = split->values + split->nvalues;
    part->Ap = Ap, part->dependent = dependent;
    Ap += part->cols + 1, dependent += part->rows;
    split->nvalues = list_entries(split, part, g, split->nvalues);
    if (part->rows > TRMI_SPLIT_MAX && trmi_solvers.split_sparse != NULL) {
      TRMI_TRY(err, trmi_solvers.split_sparse->init(part, arena, err));
    } else {
      const size_t size = (size_t)part->rows * (size_t)part->cols;
      trmi_split_dense_init(part, arena);
      if (size > largest) largest = size;
    }
  }
  split->GT = TRMI_TAKE(arena, double, largest);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  return TRM_OK;
}

trm_status trmi_split_init(trmi_split *split, const trmi_sparse *G, trmi_arena *arena,
                           trm_error *err) {
  *split = (trmi_split){.G = G};
  grouping g;
  trmi_arena scratch;
  trmi_arena_init(&scratch, &arena->allocator);
  trm_status status = group(&g, split, &scratch, err);
  if (status == TRM_OK) status = list_members(split, &g, arena, err);
  if (status == TRM_OK && split->is_wide) status = prepare_parts(split, &g, arena, err);
  trmi_arena_clear(&scratch);
  if (status != TRM_OK) trmi_split_free(split);
  TRMI_TRY(err, status);
  return TRM_OK;
}

void trmi_split_free(trmi_split *split) {
  for (int i = 0; split->part != NULL && i < split->nparts; i++) {
    if (split->part[i].sparse != NULL) trmi_solvers.split_sparse->free(&split->part[i]);
  }
  *split = (trmi_split){0};
}

void trmi_split_forget(trmi_split *split) {
  for (int i = 0; i < split->nparts; i++) split->part[i].smallest = 0.0;
}

/* --- following, (2) -------------------------------------------------------------------- */

static void fill(trmi_split *split) {
  const trmi_sparse *G = split->G;
  memset(split->values, 0, (size_t)split->nvalues * sizeof(double));
  for (int k = 0; k < G->n; k++) split->values[split->place[k]] += G->values[k];
}

/* The smallest pivot of the choice that is there. */
static double refactor(trmi_split *split, trmi_split_part *part) {
  if (part->sparse != NULL) return trmi_solvers.split_sparse->refactor(part);
  return trmi_split_dense_factor(part, split->order);
}

static trm_status choose(trmi_split *split, trmi_split_part *part, trm_error *err) {
  part->smallest = 0.0;
  split->choices++;
  if (part->sparse != NULL) {
    TRMI_TRY(err, trmi_solvers.split_sparse->choose(part, &part->smallest, err));
  } else {
    trmi_split_dense_choose(part, split->GT, split->order);
    part->smallest = trmi_split_dense_factor(part, split->order);
  }
  return TRM_OK;
}

trm_status trmi_split_follow(trmi_split *split, bool *is_full, trm_error *err) {
  *is_full = split->is_wide;
  if (!split->is_wide) return TRM_OK;
  fill(split);
  for (int i = 0; i < split->nparts && *is_full; i++) {
    trmi_split_part *part = &split->part[i];
    if (part->smallest > 0.0 && refactor(split, part) > kept_part * part->smallest) continue;
    TRMI_TRY(err, choose(split, part, err));
    *is_full = part->smallest > 0.0;
  }
  return TRM_OK;
}

void trmi_split_solve(const trmi_split *split, const double *r, double *s) {
  double *x = split->x;
  for (int i = 0; i < split->nparts; i++) {
    const trmi_split_part *part = &split->part[i];
    for (int k = 0; k < part->rows; k++) x[k] = -r[part->col[part->dependent[k]]];
    if (part->sparse != NULL) trmi_solvers.split_sparse->solve(part, x);
    else trmi_split_dense_solve(part, x);
    for (int k = 0; k < part->rows; k++) s[part->row[k]] = x[k];
  }
}
