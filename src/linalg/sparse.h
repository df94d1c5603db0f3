/* sparse.h - a sparse block: a list of entries that add up, in the order of
 * whoever fills it. */
#ifndef TRMI_SPARSE_H
#define TRMI_SPARSE_H

typedef struct trmi_sparse {
  int     rows, cols;
  int     n;      /* entries                                      */
  int    *row;    /* [n] */
  int    *col;    /* [n] */
  double *values; /* [n], NULL as long as nobody wants the values */
} trmi_sparse;

/* y += c * S x */
static inline void trmi_sparse_add_mul(const trmi_sparse *S, double c, const double *x,
                                       double *y) {
  for (int k = 0; k < S->n; k++) y[S->row[k]] += c * S->values[k] * x[S->col[k]];
}

#endif
