/* complex.h - complex matrices that are polynomials in one number, on the pattern of a
 * plan, as s-stage methods have them:
 *
 *   A(z) = P0 + z P1 + z^2 P2 + border                                       (1)
 *
 * LU with partial pivoting where a matrix is small, otherwise blocks or the solver of the table.
 * Solutions are corrections of an iteration that looks at the residual itself. They are refined,
 * against the matrix without its border, only where there is one: by (1) of linear.c, so that they
 * leave out the same part of the inconsistency of redundant rows as real ones do. */
#ifndef TRMI_COMPLEX_H
#define TRMI_COMPLEX_H
#include "linalg/linear.h"

typedef struct trmi_complex {
  const trmi_plan *plan;       /* pattern and border                           */
  trmi_tally      *tally;
  int     n;
  bool    is_dense;
  int     ld, pad;    /* dense: unknowns, and how many of them were added in front */
  double *re, *im;    /* dense: factors by columns, 1/pivot on the diagonal [ld ld] */
  double *x;          /* dense: a vector                                    [2 ld] */
  int    *pivot;      /* dense: row exchanged with row k                    [ld]  */
  double *Ax;         /* (re, im) of the entries, with the border                 */
  double *border;     /* its value when they were filled                  [nborder] */
  double *work;       /* with a border                                      [4 n] */
  double *b;          /* sparse: (re, im) of a vector                             */
  void   *content;    /* of the sparse solver                                     */
  const struct trmi_complex_sparse *sparse; /* that solver; NULL: dense           */
  bool    has_pivots;
  bool    is_general; /* set by the caller: blocks do not serve these values      */
  int     bad_column; /* where no pivot was found, or -1                          */
} trmi_complex;

/* A solver of large matrices; `init` leaves room for `b` and sets `content`. */
typedef struct trmi_complex_sparse {
  trm_status (*init)(trmi_complex *m, trmi_arena *arena, trm_error *err);
  trm_status (*factor)(trmi_complex *m, trm_error *err); /* TRM_RETRY_SINGULAR sets bad_column */
  void (*solve)(trmi_complex *m);                        /* `b` in place */
  void (*free)(trmi_complex *m);
} trmi_complex_sparse;

extern const trmi_complex_sparse trmi_complex_klu, trmi_complex_block;

/* Are blocks expected to be clearly faster than the general solver? See trmi_blocks_pay. */
trm_status trmi_complex_blocks_pay(const trmi_plan *plan, const trm_allocator *allocator,
                                   bool *pays, trm_error *err) TRM_CHECKED;

/* Prepare for the pattern of a plan, whose nodes give the order of elimination. `solver` as in
 * linear.h; without nodes blocks are those of the general solver. */
trm_status trmi_complex_init(trmi_complex *m, trmi_arena *arena, const trmi_plan *plan,
                             const char *solver, trmi_tally *tally, trm_error *err);
void trmi_complex_free(trmi_complex *m);

/* Factor (1); parts by columns. TRM_RETRY_SINGULAR sets bad_column. */
trm_status trmi_complex_factor(trmi_complex *m, double *const part[3], const double z[2],
                               trm_error *err);
/* In place: b = re + i im. */
void trmi_complex_solve(trmi_complex *m, double *re, double *im);
/* The next factorization seeks its pivots. */
void trmi_complex_forget(trmi_complex *m);

#endif
