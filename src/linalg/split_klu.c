/* split_klu.c - a part of a splitting with many rows, by KLU [DavisKLU].
 *
 * KLU factors square matrices. For the choice the rectangular matrix is made square by empty
 * columns after those of G^T,
 *   [G^T  0] = P^T L U Q^T                                                     (1)
 * Columns are eliminated in the order of split_order.c, the empty ones last. The pivot row of a
 * column of G^T is that of its largest entry, as in LAPACK. If others are nearly as large,
 *   the row in which the fewest columns are left                               (2)
 * is better, because rows are added to others as a whole: this row is placed on the diagonal, which
 * KLU uses as pivot unless it is too small. KLU continues without a pivot, so the empty columns get
 * the remaining rows. The pivot rows of the columns of G^T are Y. Column Q_k and row Y_k belong
 * together, so
 *   (G Y)^T = L' U' with pivots on the diagonal of (Y_k, Q_k)                  (3)
 * has the pivots of (1). It is refactored with new values in the same order: this needs no memory,
 * and pivots that have become small indicate that the choice must be repeated. */
#include "linalg/klu_settings.h"
#include "linalg/split_part.h"
#include <math.h>

/* A preferred row is taken down to this part of the largest number of its column. */
static const double usable = 0.9;

struct trmi_split_sparse {
  klu_common    choosing, following;
  klu_symbolic *symbolic; /* of (3)                                            */
  klu_numeric  *numeric;
  int    *columns;        /* Q of (1): as they are eliminated         [cols]   */
  int    *preferred;      /* P of (1), but for what pivoting changes  [cols]   */
  int    *left;           /* columns of a row not yet eliminated      [cols]   */
  int    *order;          /* Q of (3)                                 [rows]   */
  int    *place;          /* of a coordinate in Y, -1: independent    [cols]   */
  int    *Bp, *Bi;        /* (G Y)^T by columns                       [rows + 1], [entries] */
  int    *from;           /* place of its numbers among those of G^T  [entries] */
  double *Bx;             /*                                          [entries] */
};

static trm_status no_room(const trmi_split_part *part, trm_error *err) {
  return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL,
                   "not enough memory to split %d coordinates of %d constraint rows", part->cols,
                   part->rows);
}

static trm_status init_part(trmi_split_part *part, trmi_arena *arena, trm_error *err) {
  const int entries = part->Ap[part->cols];
  trmi_split_sparse *sparse = TRMI_TAKE(arena, trmi_split_sparse, 1);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  sparse->columns = TRMI_TAKE(arena, int, part->cols);
  sparse->preferred = TRMI_TAKE(arena, int, part->cols);
  sparse->left = TRMI_TAKE(arena, int, part->cols);
  sparse->order = TRMI_TAKE(arena, int, part->rows);
  sparse->place = TRMI_TAKE(arena, int, part->cols);
  sparse->Bp = TRMI_TAKE(arena, int, part->rows + 1);
  sparse->Bi = TRMI_TAKE(arena, int, entries);
  sparse->from = TRMI_TAKE(arena, int, entries);
  sparse->Bx = TRMI_TAKE(arena, double, entries);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  part->sparse = sparse;

  /* the same for both: the pivots of (1) are on the diagonal of (3) and are chosen again */
  trmi_klu_settings(&sparse->following);
  sparse->following.tol = usable;
  sparse->choosing = sparse->following;
  sparse->choosing.halt_if_singular = 0;
  TRMI_TRY(err, trmi_split_order(part, sparse->columns, &arena->allocator, err));
  for (int j = part->rows; j < part->cols; j++) sparse->columns[j] = j; /* the empty ones */
  return TRM_OK;
}

static void forget_factors(trmi_split_sparse *sparse) {
  klu_free_numeric(&sparse->numeric, &sparse->following);
  klu_free_symbolic(&sparse->symbolic, &sparse->following);
}

static void free_part(trmi_split_part *part) {
  trmi_split_sparse *sparse = part->sparse;
  if (sparse == NULL) return;
  forget_factors(sparse);
}

/* (2) of a column, by its numbers before elimination; -1: none. */
static int preferred_row(const trmi_split_part *part, int column) {
  const trmi_split_sparse *sparse = part->sparse;
  double largest = 0.0, best_size = 0.0;
  int best = -1;
  for (int p = part->Ap[column]; p < part->Ap[column + 1]; p++) {
    largest = fmax(largest, fabs(part->Ax[p]));
  }
  for (int p = part->Ap[column]; p < part->Ap[column + 1]; p++) {
    const int row = part->Ai[p];
    const double size = fabs(part->Ax[p]);
    if (sparse->place[row] >= 0 || !(size >= usable * largest) || !(size > 0.0)) continue;
    const int more = best < 0 ? -1 : sparse->left[row] - sparse->left[best];
    if (more > 0 || (more == 0 && size <= best_size)) continue;
    best = row;
    best_size = size;
  }
  return best;
}

/* Rows in the order of the columns that prefer them; the others where there is room. */
static void prefer_rows(trmi_split_part *part) {
  trmi_split_sparse *sparse = part->sparse;
  for (int i = 0; i < part->cols; i++) sparse->left[i] = 0, sparse->place[i] = -1;
  for (int p = 0; p < part->Ap[part->cols]; p++) sparse->left[part->Ai[p]]++;
  for (int k = 0; k < part->cols; k++) {
    const int column = sparse->columns[k], row = preferred_row(part, column);
    for (int p = part->Ap[column]; p < part->Ap[column + 1]; p++) sparse->left[part->Ai[p]]--;
    sparse->preferred[k] = row;
    if (row >= 0) sparse->place[row] = k;
  }
  int next = 0;
  for (int k = 0; k < part->cols; k++) {
    if (sparse->preferred[k] >= 0) continue;
    while (sparse->place[next] >= 0) next++;
    sparse->preferred[k] = next++;
  }
}

/* Y and Q from (1). */
static trm_status choose_rows(trmi_split_part *part, trm_error *err) {
  trmi_split_sparse *sparse = part->sparse;
  klu_common *common = &sparse->choosing;
  prefer_rows(part);
  klu_symbolic *symbolic = klu_analyze_given(part->cols, part->Ap, part->Ai, sparse->preferred,
                                             sparse->columns, common);
  if (symbolic == NULL) return no_room(part, err);
  klu_numeric *numeric = klu_factor(part->Ap, part->Ai, part->Ax, symbolic, common);
  klu_free_symbolic(&symbolic, common);
  if (numeric == NULL) return no_room(part, err);
  int count = 0;
  for (int k = 0; k < part->cols; k++) {
    const int column = sparse->columns[k], row = numeric->Pnum[k];
    sparse->place[row] = -1;
    if (column >= part->rows) continue;
    sparse->place[row] = count;
    part->dependent[count] = row;
    sparse->order[count++] = column;
  }
  klu_free_numeric(&numeric, &sparse->choosing);
  return TRM_OK;
}

/* Pattern of (G Y)^T. */
static void pick_entries(trmi_split_part *part) {
  trmi_split_sparse *sparse = part->sparse;
  int count = 0;
  for (int j = 0; j < part->rows; j++) {
    for (int p = part->Ap[j]; p < part->Ap[j + 1]; p++) {
      const int i = sparse->place[part->Ai[p]];
      if (i < 0) continue;
      sparse->Bi[count] = i;
      sparse->from[count++] = p;
    }
    sparse->Bp[j + 1] = count;
  }
}

static void fill(trmi_split_part *part) {
  trmi_split_sparse *sparse = part->sparse;
  for (int k = 0; k < sparse->Bp[part->rows]; k++) sparse->Bx[k] = part->Ax[sparse->from[k]];
}

static trm_status choose_part(trmi_split_part *part, double *smallest, trm_error *err) {
  trmi_split_sparse *sparse = part->sparse;
  klu_common *common = &sparse->following;
  *smallest = 0.0;
  forget_factors(sparse);
  TRMI_TRY(err, choose_rows(part, err));
  pick_entries(part);
  sparse->symbolic =
      klu_analyze_given(part->rows, sparse->Bp, sparse->Bi, NULL, sparse->order, common);
  if (sparse->symbolic == NULL) return no_room(part, err);
  fill(part);
  sparse->numeric = klu_factor(sparse->Bp, sparse->Bi, sparse->Bx, sparse->symbolic, common);
  if (common->status == KLU_SINGULAR) return TRM_OK;
  if (sparse->numeric == NULL) return no_room(part, err);
  *smallest = trmi_split_smallest(sparse->numeric->Udiag, part->rows, 1);
  return TRM_OK;
}

static double refactor_part(trmi_split_part *part) {
  trmi_split_sparse *sparse = part->sparse;
  fill(part);
  if (!klu_refactor(sparse->Bp, sparse->Bi, sparse->Bx, sparse->symbolic, sparse->numeric,
                    &sparse->following)) {
    return 0.0;
  }
  return trmi_split_smallest(sparse->numeric->Udiag, part->rows, 1);
}

static void solve_part(const trmi_split_part *part, double *x) {
  trmi_split_sparse *sparse = part->sparse;
  klu_solve(sparse->symbolic, sparse->numeric, part->rows, 1, x, &sparse->following);
}

const trmi_split_sparse_ops trmi_split_klu = {.init = init_part, .free = free_part,
                                              .choose = choose_part, .refactor = refactor_part,
                                              .solve = solve_part};
