/* split_sparse.c - a part of a splitting with many rows, by KLU [DavisKLU].
 *
 * KLU factors square matrices. The choice is made with the rectangular one, made square by
 * empty columns behind those of G^T,
 *   [G^T  0] = P^T L U Q^T                                                     (1)
 * COLAMD orders the columns and leaves empty ones for the end. Each column of G^T takes the
 * row with its largest number, as LAPACK does; KLU is told to go on where no pivot is, and so
 * the empty columns get the rows that nobody took. The pivot rows of the columns of G^T are
 * Y. Column Q_k and row Y_k belong together, so
 *   (G Y)^T = L' U' with pivots on the diagonal of (Y_k, Q_k)                  (2)
 * has the pivots of (1). It is factored anew with new values in the same order: that takes no
 * memory, and pivots that have become small say that the choice serves no more. */
#include "linalg/klu_settings.h"
#include "linalg/split_part.h"

struct trmi_split_sparse {
  klu_common    choosing, following;
  klu_symbolic *whole;    /* of (1)                                            */
  klu_symbolic *symbolic; /* of (2)                                            */
  klu_numeric  *numeric;
  int    *order;          /* Q: columns as they are eliminated        [rows]   */
  int    *place;          /* of a coordinate in Y, -1: independent    [cols]   */
  int    *Bp, *Bi;        /* (G Y)^T by columns                       [rows + 1], [entries] */
  int    *from;           /* place of its numbers among those of G^T  [entries] */
  double *Bx;             /*                                          [entries] */
};

static trm_status no_room(const trmi_split_part *part, trm_error *err) {
  return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL,
                   "no room to split %d coordinates of %d constraint rows", part->cols, part->rows);
}

trm_status trmi_split_sparse_init(trmi_split_part *part, trmi_arena *arena, trm_error *err) {
  const int entries = part->Ap[part->cols];
  trmi_split_sparse *sparse = TRMI_TAKE(arena, trmi_split_sparse, 1);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  sparse->order = TRMI_TAKE(arena, int, part->rows);
  sparse->place = TRMI_TAKE(arena, int, part->cols);
  sparse->Bp = TRMI_TAKE(arena, int, part->rows + 1);
  sparse->Bi = TRMI_TAKE(arena, int, entries);
  sparse->from = TRMI_TAKE(arena, int, entries);
  sparse->Bx = TRMI_TAKE(arena, double, entries);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  part->sparse = sparse;

  /* the largest number of a column is its pivot; in (2) that stands on the diagonal */
  trmi_klu_settings(&sparse->following);
  sparse->following.tol = 1.0;
  sparse->choosing = sparse->following;
  sparse->choosing.ordering = 1; /* COLAMD */
  sparse->choosing.halt_if_singular = 0;
  sparse->whole = klu_analyze(part->cols, part->Ap, part->Ai, &sparse->choosing);
  if (sparse->whole == NULL) return no_room(part, err);
  return TRM_OK;
}

static void forget_factors(trmi_split_sparse *sparse) {
  klu_free_numeric(&sparse->numeric, &sparse->following);
  klu_free_symbolic(&sparse->symbolic, &sparse->following);
}

void trmi_split_sparse_free(trmi_split_part *part) {
  trmi_split_sparse *sparse = part->sparse;
  if (sparse == NULL) return;
  forget_factors(sparse);
  klu_free_symbolic(&sparse->whole, &sparse->choosing);
}

/* Y and Q from (1). */
static trm_status choose_rows(trmi_split_part *part, trm_error *err) {
  trmi_split_sparse *sparse = part->sparse;
  klu_numeric *numeric =
      klu_factor(part->Ap, part->Ai, part->Ax, sparse->whole, &sparse->choosing);
  if (numeric == NULL) return no_room(part, err);
  int count = 0;
  for (int k = 0; k < part->cols; k++) {
    const int column = sparse->whole->Q[k], row = numeric->Pnum[k];
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

trm_status trmi_split_sparse_choose(trmi_split_part *part, double *smallest, trm_error *err) {
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

double trmi_split_sparse_refactor(trmi_split_part *part) {
  trmi_split_sparse *sparse = part->sparse;
  fill(part);
  if (!klu_refactor(sparse->Bp, sparse->Bi, sparse->Bx, sparse->symbolic, sparse->numeric,
                    &sparse->following)) {
    return 0.0;
  }
  return trmi_split_smallest(sparse->numeric->Udiag, part->rows, 1);
}

void trmi_split_sparse_solve(const trmi_split_part *part, double *x) {
  trmi_split_sparse *sparse = part->sparse;
  klu_solve(sparse->symbolic, sparse->numeric, part->rows, 1, x, &sparse->following);
}
