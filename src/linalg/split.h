/* split.h - splitting coordinates into dependent and independent ones.
 *
 * Of the columns of G (rows of G^T) a square part G Y is chosen by pivoted LU of G^T, so that
 * (G Y)^-1 is small. For any r the multipliers that make the dependent rows of
 * r + G^T s vanish are
 *   s = -(G Y)^-T Y^T r                                                       (1)
 * and the remainder of r is P r of [ALPHA] (3.7); P itself is never formed. Rows of G that share
 * columns, directly or through other rows, are one part; parts are independent of each other. Up to
 * TRMI_SPLIT_MAX rows a part is dense (split_dense.c), above it is sparse (split_klu.c). The choice
 * of a part is kept until its smallest pivot has fallen to a tenth of its first value; then it is
 * repeated. */
#ifndef TRMI_SPLIT_H
#define TRMI_SPLIT_H
#include "core/arena.h"
#include "linalg/sparse.h"
#include <stdbool.h>

enum { TRMI_SPLIT_MAX = 300 }; /* rows of a dense part */

typedef struct trmi_split_part trmi_split_part;

typedef struct trmi_split {
  const trmi_sparse *G;
  int              nparts;
  trmi_split_part *part;    /*                                              [nparts] */
  bool             is_wide; /* no part has more rows than columns                    */
  int              nvalues;
  int             *place;   /* of each entry of G among the values          [G->n]   */
  double          *values;  /* of G^T, part by part, each by columns        [nvalues] */
  double          *GT;      /* scratch: G^T of a dense part                          */
  int             *order;   /* scratch                                      [G->cols] */
  double          *x;       /* scratch of solving                           [G->rows] */
  long             choices; /* of all parts                                          */
} trmi_split;

/* G must keep its pattern, and have values when it is followed. Memory comes from the arena,
 * but for what KLU takes, which trmi_split_free gives back. */
trm_status trmi_split_init(trmi_split *split, const trmi_sparse *G, trmi_arena *arena,
                           trm_error *err) TRM_CHECKED;

/* Accepts one that is all zero. */
void trmi_split_free(trmi_split *split);

/* Repeat the choice next time. */
void trmi_split_forget(trmi_split *split);

/* Follow the present values of G. Not full: G has not full rank, there is no splitting. Only a
 * new choice in a sparse part takes memory. */
trm_status trmi_split_follow(trmi_split *split, bool *is_full, trm_error *err) TRM_CHECKED;

/* (1), after values of full rank; r has as many numbers as G columns, s as rows. */
void trmi_split_solve(const trmi_split *split, const double *r, double *s);

#endif
