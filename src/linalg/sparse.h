/* sparse.h - a sparse block: a list of entries that add up, in the order of
 * whoever fills it. */
#ifndef TRMI_SPARSE_H
#define TRMI_SPARSE_H
#include <stdbool.h>
#include <stddef.h>

typedef struct trmi_sparse {
  int     rows, cols;
  int     n;      /* entries                                      */
  int    *row;    /* [n] */
  int    *col;    /* [n] */
  double *values; /* [n], NULL as long as nobody wants the values */
  unsigned char *weak; /* 1: an iteration may leave the entry out [n]; NULL: none may */
} trmi_sparse;

static inline bool trmi_sparse_is_weak(const trmi_sparse *S, int k) {
  return S->weak != NULL && S->weak[k] != 0;
}

/* y += c * S x */
static inline void trmi_sparse_add_mul(const trmi_sparse *S, double c, const double *x,
                                       double *y) {
  int k = 0;
  while (k < S->n) { /* entries of a row often follow each other */
    const int row = S->row[k];
    double sum = y[row];
    for (; k < S->n && S->row[k] == row; k++) sum += c * S->values[k] * x[S->col[k]];
    y[row] = sum;
  }
}

/* The same without weak entries. */
static inline void trmi_sparse_add_strong(const trmi_sparse *S, double c, const double *x,
                                          double *y) {
  for (int k = 0; k < S->n; k++) {
    if (!trmi_sparse_is_weak(S, k)) y[S->row[k]] += c * S->values[k] * x[S->col[k]];
  }
}

#endif
