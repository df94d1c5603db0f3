/* rank.c - rank of the constraints, loop by loop.
 *
 * If a group of rows J (a joint) is the only one with entries in a group of columns b (a body),
 * with full row rank there, it is independent of all others: y^T [G; A] = 0 restricted to the
 * columns b reads y_J^T G_Jb = 0. Such joints are removed until only loops remain; a chain is
 * removed entirely. The rank of each connected remainder B follows from QR with column pivoting of
 * its transpose, rows scaled to length one:
 *   B^T P = Q [R1 R2; 0 0],   rank = size of R1                             (1)
 *   y = P [-R1^-1 R2; I]      all relations y^T B = 0                       (2)
 * Rows pivoted last are called redundant; rows with a nonzero component in any y have a multiplier
 * that is not unique. Theory: docs/theory/06-start-and-rank.md. */
#include "system/rank.h"
#include "core/gate.h"
#include "system/relations.h"
#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double rank_tolerance = 1e-9;     /* rows are of length one: far above rounding */
static const double relation_tolerance = 1e-7; /* smallest component in a relation that counts */
enum { LOOP_ROWS_MAX = 2000 };                 /* dense QR up to here                        */

/* One entry of [G; A], and one pair of a row group and a column group with entries. */
typedef struct item {
  int    row, col;
  double value;
} item;

typedef struct graph {
  trm_system *sys;
  trmi_arena *arena; /* scratch */
  int    nrows, ncols, rgroups, cgroups;
  int   *row_group, *col_group;  /* of a row, of a column                     */
  int   *row_first, *col_first;  /* first row, column of a group [groups + 1] */
  int    nitems;
  item  *items;                  /* sorted by row group                       */
  int   *item_first;             /* of a row group [rgroups + 1]              */
  int    ntouch;
  int   *touch_col;              /* column groups of each row group ...       */
  int   *touch_first;            /* ... [rgroups + 1]                         */
  int   *owner_row, *owner_first; /* row groups of each column group          */
  bool  *peeled;                 /* row group is known to be independent      */
  int   *degree;                 /* active row groups on a column group       */
  double tolerance;              /* of pivots                                 */
  double smallest;               /* pivot that counts                         */
  trmi_arena *kept;              /* of the relations                          */
  trmi_relations *relations;     /* NULL: omitted                             */
  unsigned char *redundant, *not_unique; /* [nrows]                           */
} graph;

static void take_groups(graph *gr) {
  const trm_system *sys = gr->sys;
  const trmi_nodes *lam = &sys->node_lam, *mu = &sys->node_mu, *v = &sys->node_v;
  gr->nrows = sys->n.ng + sys->n.na;
  gr->ncols = sys->n.nv;
  gr->rgroups = lam->count + mu->count;
  gr->cgroups = v->count;
  gr->row_first = TRMI_TAKE(gr->arena, int, gr->rgroups + 1);
  gr->col_first = TRMI_TAKE(gr->arena, int, gr->cgroups + 1);
  gr->row_group = TRMI_TAKE(gr->arena, int, gr->nrows);
  gr->col_group = TRMI_TAKE(gr->arena, int, gr->ncols);
  gr->item_first = TRMI_TAKE(gr->arena, int, gr->rgroups + 1);
  gr->touch_first = TRMI_TAKE(gr->arena, int, gr->rgroups + 1);
  gr->owner_first = TRMI_TAKE(gr->arena, int, gr->cgroups + 2);
  gr->peeled = TRMI_TAKE(gr->arena, bool, gr->rgroups);
  gr->degree = TRMI_TAKE(gr->arena, int, gr->cgroups);
  gr->nitems = sys->block[TRM_G].n + sys->block[TRM_A].n;
  gr->items = TRMI_TAKE(gr->arena, item, gr->nitems);
}

static void fill_groups(graph *gr) {
  const trm_system *sys = gr->sys;
  const trmi_nodes *lam = &sys->node_lam, *mu = &sys->node_mu, *v = &sys->node_v;
  for (int k = 0; k < lam->count; k++) gr->row_first[k] = lam->first[k];
  for (int k = 0; k <= mu->count; k++) gr->row_first[lam->count + k] = sys->n.ng + mu->first[k];
  for (int k = 0; k <= v->count; k++) gr->col_first[k] = v->first[k];
  for (int k = 0; k < gr->rgroups; k++) {
    for (int i = gr->row_first[k]; i < gr->row_first[k + 1]; i++) gr->row_group[i] = k;
  }
  for (int k = 0; k < gr->cgroups; k++) {
    for (int i = gr->col_first[k]; i < gr->col_first[k + 1]; i++) gr->col_group[i] = k;
  }
}

/* The entries of G and A, sorted by row group. */
static void fill_items(graph *gr) {
  const trm_system *sys = gr->sys;
  const trmi_sparse *const blocks[2] = {&sys->block[TRM_G], &sys->block[TRM_A]};
  const int shift[2] = {0, sys->n.ng};
  for (int b = 0; b < 2; b++) {
    for (int k = 0; k < blocks[b]->n; k++) {
      gr->item_first[gr->row_group[blocks[b]->row[k] + shift[b]] + 1]++;
    }
  }
  for (int j = 0; j < gr->rgroups; j++) gr->item_first[j + 1] += gr->item_first[j];
  for (int b = 0; b < 2; b++) {
    for (int k = 0; k < blocks[b]->n; k++) {
      const int row = blocks[b]->row[k] + shift[b], col = blocks[b]->col[k];
      const item it = {row, col, blocks[b]->values[k] * sys->scale_v[col]};
      gr->items[gr->item_first[gr->row_group[row]]++] = it;
    }
  }
  for (int j = gr->rgroups; j > 0; j--) gr->item_first[j] = gr->item_first[j - 1];
  gr->item_first[0] = 0;
}

/* Pairs of row groups and column groups with entries, each once, in both directions. */
static trm_status fill_touches(graph *gr, trm_error *err) {
  int *seen = TRMI_TAKE(gr->arena, int, gr->cgroups);
  gr->touch_col = TRMI_TAKE(gr->arena, int, gr->nitems);
  gr->owner_row = TRMI_TAKE(gr->arena, int, gr->nitems);
  TRMI_TRY(err, trmi_arena_check(gr->arena, err));
  for (int j = 0; j < gr->rgroups; j++) {
    gr->touch_first[j] = gr->ntouch;
    for (int k = gr->item_first[j]; k < gr->item_first[j + 1]; k++) {
      const int c = gr->col_group[gr->items[k].col];
      if (seen[c] == j + 1) continue;
      seen[c] = j + 1;
      gr->touch_col[gr->ntouch++] = c;
      gr->degree[c]++;
    }
  }
  gr->touch_first[gr->rgroups] = gr->ntouch;
  for (int c = 0; c < gr->cgroups; c++) {
    gr->owner_first[c + 1] = gr->owner_first[c] + gr->degree[c];
  }
  int *next = TRMI_TAKE(gr->arena, int, gr->cgroups);
  TRMI_TRY(err, trmi_arena_check(gr->arena, err));
  for (int j = 0; j < gr->rgroups; j++) {
    for (int k = gr->touch_first[j]; k < gr->touch_first[j + 1]; k++) {
      const int c = gr->touch_col[k];
      gr->owner_row[gr->owner_first[c] + next[c]++] = j;
    }
  }
  return TRM_OK;
}

/* QR with column pivoting of a dense column-major matrix whose columns are parts of vectors of
 * length one; returns its rank, and the smallest pivot that counts. */
static int pivoted_rank(int rows, int cols, double *B, lapack_int *pivot, double *tau, double *work,
                        int lwork, double tolerance, double *smallest) {
  *smallest = 1.0;
  memset(pivot, 0, (size_t)cols * sizeof *pivot);
  if (rows == 0 || cols == 0) return 0;
  (void)TRMI_LAPACK(dgeqp3_work, LAPACK_COL_MAJOR, rows, cols, B, rows, pivot, tau, work, lwork);
  const int most = rows < cols ? rows : cols;
  int rank = 0;
  for (; rank < most; rank++) {
    const double size = fabs(B[(size_t)rank * (size_t)rows + (size_t)rank]);
    if (!(size > tolerance)) break;
    *smallest = fmin(*smallest, size);
  }
  return rank;
}

/* Is row group j of full row rank on the columns of group c alone? */
static bool is_independent(graph *gr, int j, int c) {
  enum { SMALL = 12 };
  const int m = gr->row_first[j + 1] - gr->row_first[j];
  const int n = gr->col_first[c + 1] - gr->col_first[c];
  if (m > n || n > SMALL) return false;
  double B[SMALL * SMALL] = {0}, tau[SMALL], work[64 * SMALL], length[SMALL] = {0};
  lapack_int pivot[SMALL];
  for (int k = gr->item_first[j]; k < gr->item_first[j + 1]; k++) {
    const item *it = &gr->items[k];
    const int row = it->row - gr->row_first[j];
    length[row] += it->value * it->value;
    if (gr->col_group[it->col] == c) B[row * n + it->col - gr->col_first[c]] += it->value;
  }
  for (int row = 0; row < m; row++) {
    if (!(length[row] > 0.0)) return false;
    for (int i = 0; i < n; i++) B[row * n + i] /= sqrt(length[row]);
  }
  double smallest;
  if (pivoted_rank(n, m, B, pivot, tau, work, 64 * SMALL, gr->tolerance, &smallest) < m) {
    return false;
  }
  gr->smallest = fmin(gr->smallest, smallest);
  return true;
}

static trm_status peel(graph *gr, trm_error *err) {
  int *list = TRMI_TAKE(gr->arena, int, gr->cgroups + gr->ntouch);
  TRMI_TRY(err, trmi_arena_check(gr->arena, err));
  int count = 0;
  for (int c = 0; c < gr->cgroups; c++) {
    if (gr->degree[c] == 1) list[count++] = c;
  }
  while (count > 0) {
    const int c = list[--count];
    int j = -1;
    for (int k = gr->owner_first[c]; k < gr->owner_first[c + 1]; k++) {
      if (!gr->peeled[gr->owner_row[k]]) j = gr->owner_row[k];
    }
    if (j < 0 || gr->degree[c] != 1 || !is_independent(gr, j, c)) continue;
    gr->peeled[j] = true;
    for (int k = gr->touch_first[j]; k < gr->touch_first[j + 1]; k++) {
      if (--gr->degree[gr->touch_col[k]] == 1) list[count++] = gr->touch_col[k];
    }
  }
  return TRM_OK;
}

/* A connected remainder: its row groups, its rows and columns with local numbers. */
typedef struct loop {
  int  rows, cols, groups;
  int *group;   /* its row groups                                  [groups]  */
  int *row;     /* number in [G; A] of a row of the loop             [rows]  */
  int *local_row, *local_col; /* number in the loop         [nrows], [ncols] */
} loop;

/* Row groups reached from group `seed` through columns; marks them as peeled. */
static void collect(graph *gr, int seed, int *stack, loop *lp) {
  int count = 0;
  lp->rows = lp->cols = lp->groups = 0;
  stack[count++] = seed;
  gr->peeled[seed] = true;
  while (count > 0) {
    const int j = stack[--count];
    lp->group[lp->groups++] = j;
    for (int i = gr->row_first[j]; i < gr->row_first[j + 1]; i++) {
      lp->local_row[i] = lp->rows;
      lp->row[lp->rows++] = i;
    }
    for (int k = gr->touch_first[j]; k < gr->touch_first[j + 1]; k++) {
      const int c = gr->touch_col[k];
      if (lp->local_col[gr->col_first[c]] >= 0) continue;
      for (int i = gr->col_first[c]; i < gr->col_first[c + 1]; i++) lp->local_col[i] = lp->cols++;
      for (int o = gr->owner_first[c]; o < gr->owner_first[c + 1]; o++) {
        const int other = gr->owner_row[o];
        if (gr->peeled[other]) continue;
        gr->peeled[other] = true;
        stack[count++] = other;
      }
    }
  }
}

/* Store y of row pivot[k]: its nonzero components; `length` are the norms of the rows of B. */
static trm_status keep_relation(graph *gr, const loop *lp, const double *column,
                                const lapack_int *pivot, int rank, int k, const double *length,
                                trm_error *err) {
  int n = 1;
  for (int i = 0; i < rank; i++) n += fabs(column[i]) > relation_tolerance;
  trmi_relation *r = &gr->relations->list[gr->relations->count];
  *r = (trmi_relation){.n = n, .row = TRMI_TAKE(gr->kept, int, n),
                       .y = TRMI_TAKE(gr->kept, double, n)};
  TRMI_TRY(err, trmi_arena_check(gr->kept, err));
  gr->relations->count++;
  const int last = pivot[k] - 1;
  r->row[0] = lp->row[last];
  r->y[0] = length[last] > 0.0 ? -1.0 / length[last] : 1.0;
  int at = 1;
  for (int i = 0; i < rank; i++) {
    if (!(fabs(column[i]) > relation_tolerance)) continue;
    r->row[at] = lp->row[pivot[i] - 1];
    r->y[at++] = column[i] / length[pivot[i] - 1];
  }
  return TRM_OK;
}

/* Marks of (1) and (2) for one loop whose factors are in B. */
static trm_status mark_relations(graph *gr, const loop *lp, double *B, const lapack_int *pivot,
                                 int rank, const double *length, trm_error *err) {
  for (int k = rank; k < lp->rows; k++) {
    double *column = B + (size_t)k * (size_t)lp->cols;
    gr->redundant[lp->row[pivot[k] - 1]] = 1;
    gr->not_unique[lp->row[pivot[k] - 1]] = 1;
    if (rank > 0) {
      (void)TRMI_LAPACK(dtrtrs_work, LAPACK_COL_MAJOR, 'U', 'N', 'N', rank, 1, B, lp->cols, column,
                        lp->cols);
    }
    for (int i = 0; i < rank; i++) {
      if (fabs(column[i]) > relation_tolerance) gr->not_unique[lp->row[pivot[i] - 1]] = 1;
    }
    if (gr->relations == NULL) continue;
    TRMI_TRY(err, keep_relation(gr, lp, column, pivot, rank, k, length, err));
  }
  return TRM_OK;
}

/* The rows of a loop, scaled to length one, into B^T. */
static void fill_loop(const graph *gr, const loop *lp, double *B, double *length) {
  for (int l = 0; l < lp->groups; l++) {
    const int j = lp->group[l];
    for (int k = gr->item_first[j]; k < gr->item_first[j + 1]; k++) {
      const item *it = &gr->items[k];
      B[(size_t)lp->local_row[it->row] * (size_t)lp->cols + (size_t)lp->local_col[it->col]] +=
          it->value;
    }
  }
  for (int r = 0; r < lp->rows; r++) {
    double *row = B + (size_t)r * (size_t)lp->cols, sum = 0.0;
    for (int i = 0; i < lp->cols; i++) sum += row[i] * row[i];
    length[r] = sqrt(sum);
    for (int i = 0; i < lp->cols && length[r] > 0.0; i++) row[i] /= length[r];
  }
}

static trm_status judge(graph *gr, const loop *lp, int *rank, trm_error *err) {
  *rank = 0;
  trmi_arena arena;
  trmi_arena_init(&arena, &gr->arena->allocator);
  const int lwork = 64 * (lp->rows + 1);
  double *B = TRMI_TAKE(&arena, double, (size_t)lp->rows * (size_t)(lp->cols + 1));
  double *tau = TRMI_TAKE(&arena, double, lp->rows), *work = TRMI_TAKE(&arena, double, lwork);
  double *length = TRMI_TAKE(&arena, double, lp->rows);
  lapack_int *pivot = TRMI_TAKE(&arena, lapack_int, lp->rows);
  trm_status status = trmi_arena_check(&arena, err);
  if (status == TRM_OK) {
    double smallest = 1.0;
    fill_loop(gr, lp, B, length);
    *rank = pivoted_rank(lp->cols, lp->rows, B, pivot, tau, work, lwork, gr->tolerance, &smallest);
    for (int i = 0; i < lp->rows && lp->cols == 0; i++) pivot[i] = i + 1; /* rows of zeros */
    gr->smallest = fmin(gr->smallest, smallest);
    status = mark_relations(gr, lp, B, pivot, *rank, length, err);
  }
  trmi_arena_clear(&arena);
  return status;
}

static trm_status judge_loops(graph *gr, trm_rank *rank, trm_error *err) {
  loop lp = {.group = TRMI_TAKE(gr->arena, int, gr->rgroups),
             .row = TRMI_TAKE(gr->arena, int, gr->nrows),
             .local_row = TRMI_TAKE(gr->arena, int, gr->nrows),
             .local_col = TRMI_TAKE(gr->arena, int, gr->ncols)};
  int *stack = TRMI_TAKE(gr->arena, int, gr->rgroups);
  TRMI_TRY(err, trmi_arena_check(gr->arena, err));
  for (int i = 0; i < gr->ncols; i++) lp.local_col[i] = -1;
  for (int j = 0; j < gr->rgroups; j++) {
    if (gr->peeled[j]) continue;
    collect(gr, j, stack, &lp);
    if (lp.rows > LOOP_ROWS_MAX) {
      rank->complete = false;
    } else {
      int loop_rank = 0;
      TRMI_TRY(err, judge(gr, &lp, &loop_rank, err));
      rank->rank -= lp.rows - loop_rank;
    }
  }
  return TRM_OK;
}

static trm_status find(graph *gr, trm_rank *rank, trm_error *err) {
  take_groups(gr);
  TRMI_TRY(err, trmi_arena_check(gr->arena, err));
  fill_groups(gr);
  fill_items(gr);
  TRMI_TRY(err, fill_touches(gr, err));
  TRMI_TRY(err, peel(gr, err));
  TRMI_TRY(err, judge_loops(gr, rank, err));
  return TRM_OK;
}

trm_status trmi_rank_relate(trm_system *sys, const trm_state *s, double tolerance,
                            trmi_arena *arena, trm_rank *rank, trmi_relations *relations,
                            trm_error *err) {
  const int rows = sys->n.ng + sys->n.na;
  unsigned char *redundant = TRMI_TAKE(arena, unsigned char, rows);
  unsigned char *not_unique = TRMI_TAKE(arena, unsigned char, rows);
  trmi_relation *list = TRMI_TAKE(arena, trmi_relation, relations != NULL ? rows : 0);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  *rank = (trm_rank){.nv = sys->n.nv, .rows = rows, .rank = rows, .complete = true,
                     .redundant = redundant, .not_unique = not_unique};
  if (relations != NULL) *relations = (trmi_relations){.list = list, .smallest = 1.0};
  if (rows > 0) {
    TRMI_TRY(err, trmi_system_rows(sys, s, err));
    trmi_arena scratch;
    trmi_arena_init(&scratch, &arena->allocator);
    graph gr = {.sys = sys, .arena = &scratch, .smallest = 1.0, .kept = arena,
                .tolerance = tolerance > 0.0 ? tolerance : rank_tolerance,
                .relations = relations, .redundant = redundant, .not_unique = not_unique};
    const trm_status status = find(&gr, rank, err);
    trmi_arena_clear(&scratch);
    TRMI_TRY(err, status);
    if (relations != NULL) relations->smallest = gr.smallest;
  }
  rank->freedoms = rank->nv - rank->rank;
  return TRM_OK;
}

trm_status trmi_rank_find(trm_system *sys, const trm_state *s, trmi_arena *arena, trm_rank *rank,
                          trm_error *err) {
  return trmi_rank_relate(sys, s, 0.0, arena, rank, NULL, err);
}

void trmi_rank_sentence(const trm_system *sys, const trm_rank *rank, bool is_right, char *text,
                        size_t size) {
  enum { NAMED = 5 };
  text[0] = '\0';
  if (rank->rank == rank->rows) return;
  char names[NAMED * (TRM_OBJECT_MAX + 2)] = "", last[TRM_OBJECT_MAX] = "";
  int named = 0;
  for (int i = 0; i < rank->rows; i++) {
    if (!rank->not_unique[i]) continue;
    trm_label label;
    trmi_row_label(sys, i, &label);
    if (strcmp(label.object, last) == 0) continue;
    snprintf(last, sizeof last, "%s", label.object);
    const size_t used = strlen(names);
    if (named++ < NAMED) {
      snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? ", " : "", label.object);
    }
  }
  const int surplus = rank->rows - rank->rank;
  snprintf(text, size,
           "%d of %d constraint rows %s redundant, among those of %s%s: %sthese reactions are "
           "shared out by least squares and not unique",
           surplus, rank->rows, surplus == 1 ? "is" : "are", names, named > NAMED ? ", ..." : "",
           is_right ? "the motion is right, but " : "");
}
