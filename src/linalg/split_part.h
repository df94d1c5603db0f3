/* split_part.h - a part of a splitting, shared by the files of split.h. Rows and columns are
 * numbered within the part. */
#ifndef TRMI_SPLIT_PART_H
#define TRMI_SPLIT_PART_H
#include "linalg/linear.h"
#include "linalg/split.h"
#include <lapacke.h>

typedef struct trmi_split_sparse trmi_split_sparse;

struct trmi_split_part {
  int     rows, cols;
  int    *row, *col;  /* of G                                         [rows], [cols]     */
  int    *Ap, *Ai;    /* G^T by columns, cols - rows empty ones last  [cols + 1], [Ap[cols]] */
  double *Ax;         /* among the values of the splitting            [Ap[cols]]         */
  int    *dependent;  /* Y                                            [rows]             */
  double  smallest;   /* pivot when Y was chosen; 0: not chosen yet                      */

  double     *GY;     /* dense: (G Y)^T and then its factors          [rows rows]        */
  lapack_int *pivot;  /* dense                                        [rows]             */

  trmi_split_sparse *sparse; /* NULL: dense */
};

/* Smallest of n pivots, one every `stride` numbers; 0 if it is negligible next to the largest. */
double trmi_split_smallest(const double *pivots, int n, size_t stride);

/* split_dense.c; memory is checked by the caller. Scratch: GT has room for rows cols, order
 * and place for cols. */
void trmi_split_dense_init(trmi_split_part *part, trmi_arena *arena);
void trmi_split_dense_choose(trmi_split_part *part, double *GT, int *order);
/* Factors (G Y)^T; returns its smallest pivot. */
double trmi_split_dense_factor(trmi_split_part *part, int *place);
/* x: right-hand side and solution. */
void trmi_split_dense_solve(const trmi_split_part *part, double *x);

/* split_order.c: columns of G^T in the order in which they are eliminated, [rows]. */
trm_status trmi_split_order(const trmi_split_part *part, int *order,
                            const trm_allocator *allocator, trm_error *err) TRM_CHECKED;

/* Parts with many rows. `choose` takes Y, factors (G Y)^T and gives its smallest pivot; `refactor`
 * keeps the pivots of the choice, takes no memory and returns the smallest. */
typedef struct trmi_split_sparse_ops {
  trm_status (*init)(trmi_split_part *part, trmi_arena *arena, trm_error *err);
  void (*free)(trmi_split_part *part);
  trm_status (*choose)(trmi_split_part *part, double *smallest, trm_error *err);
  double (*refactor)(trmi_split_part *part);
  void (*solve)(const trmi_split_part *part, double *x);
} trmi_split_sparse_ops;

/* split_klu.c */
extern const trmi_split_sparse_ops trmi_split_klu;

#endif
