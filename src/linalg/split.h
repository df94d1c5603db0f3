/* split.h - splitting coordinates into dependent and independent ones.
 *
 * Of the columns of G (rows of G^T) a square part G Y is chosen by pivoting, so that
 * (G Y)^-1 is small. For any r the multipliers that make the dependent rows of
 * r + G^T s vanish are
 *   s = -(G Y)^-T Y^T r                                                       (1)
 * and what is left of r is P r of [ALPHA] (3.7). The choice holds as long as the smallest
 * pivot of G Y does not fall to a tenth of what it was; then it is made anew. Dense: for
 * some hundred rows. */
#ifndef TRMI_SPLIT_H
#define TRMI_SPLIT_H
#include "core/arena.h"
#include "linalg/sparse.h"
#include <lapacke.h>
#include <stdbool.h>

enum { TRMI_SPLIT_MAX = 300 }; /* rows of G */

typedef struct trmi_split {
  const trmi_sparse *G;
  double     *GT;        /* G^T, column major                  [cols rows] */
  double     *GY;        /* (G Y)^T and then its factors       [rows rows] */
  lapack_int *pivot;     /*                                    [rows]      */
  int        *dependent; /* Y: coordinates                     [rows]      */
  int        *order;     /* scratch                            [cols]      */
  double      smallest;  /* pivot when Y was chosen; 0: not chosen yet     */
  long        choices;   /* how often that was                             */
} trmi_split;

/* Memory comes from the arena; G must keep its pattern and have values when it is followed. */
void trmi_split_init(trmi_split *split, const trmi_sparse *G, trmi_arena *arena);

/* Follow the present values of G. False: it has not full rank, there is no splitting. */
bool trmi_split_follow(trmi_split *split);

/* (1); r has as many numbers as G columns, s as rows. */
void trmi_split_solve(const trmi_split *split, const double *r, double *s);

#endif
