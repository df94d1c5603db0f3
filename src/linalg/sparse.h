/* sparse.h - a sparse block: a list of entries that are summed, in the order of filling. */
#ifndef TRMI_SPARSE_H
#define TRMI_SPARSE_H
#include "math/lanes.h"
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct trmi_sparse {
  int     rows, cols;
  int     n;      /* entries                                      */
  int    *row;    /* [n] */
  int    *col;    /* [n] */
  double *values; /* [n], NULL until the values are requested */
  unsigned char *weak; /* 1: an iteration may leave the entry out [n]; NULL: none may */
  int    *plain_end; /* at the first entry of a long row whose columns follow each other, the end
                        of the row; 0 elsewhere [n]; NULL: there are no such rows */
  int    *run;    /* first entry of its run, -1: it is in none [n]; NULL: there are no runs */
} trmi_sparse;

/* A run is a part of the entries that are often zero together, such as those of an open contact.
 * Then its first value is -0, which must not be written otherwise: fills skip the run without
 * reading it. The mark is a value, so that it is copied with the others. */
static inline bool trmi_run_is_zero(const double *first) {
  return *first == 0.0 && signbit(*first);
}

/* Mark a run after it was filled, `first` to `end` - 1. */
static inline void trmi_run_mark(double *first, const double *end, bool is_zero) {
  if (first == NULL || first >= end) return;
  *first = is_zero ? -0.0 : *first + 0.0; /* -0 + 0 = 0 */
}

static inline bool trmi_sparse_is_weak(const trmi_sparse *S, int k) {
  return S->weak != NULL && S->weak[k] != 0;
}

/* Behind the last of the entries of one row that follow each other from k on, if there are many;
 * else k. */
static inline int trmi_sparse_long_end(const trmi_sparse *S, int k) {
  enum { MANY = 64 };
  int end = k;
  if (k + MANY > S->n || S->row[k + MANY - 1] != S->row[k]) return k;
  while (end < S->n && S->row[end] == S->row[k]) end++;
  return end - k >= MANY ? end : k;
}

/* c S x of the entries k .. end - 1, which are one row: of bodies with many coordinates. Eight sums
 * do not wait for each other. */
static inline double trmi_sparse_long_row(const trmi_sparse *S, double c, const double *x, int k,
                                          int end) {
  enum { LANES = 8 };
  double s[LANES] = {0.0}, rest = 0.0;
  for (; k + LANES <= end; k += LANES) {
    for (int l = 0; l < LANES; l++) s[l] += S->values[k + l] * x[S->col[k + l]];
  }
  for (; k < end; k++) rest += S->values[k] * x[S->col[k]];
  return c * ((((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]))) + rest);
}

/* Adds c S x of a long row that begins at k, if there is one. @return its end, or k */
static inline int trmi_sparse_add_long(const trmi_sparse *S, double c, const double *x, int k,
                                       double *sum) {
  const int plain = S->plain_end != NULL ? S->plain_end[k] : 0;
  const int end = plain > k ? plain : trmi_sparse_long_end(S, k);
  if (plain > k) { /* the same sums, by vectors */
    *sum += c * trmi_lanes_dot(end - k, S->values + k, x + S->col[k]);
  } else if (end > k) {
    *sum += trmi_sparse_long_row(S, c, x, k, end);
  }
  return end;
}

/* y += c * S x */
static inline void trmi_sparse_add_mul(const trmi_sparse *S, double c, const double *x,
                                       double *y) {
  int k = 0;
  while (k < S->n) { /* entries of a row often follow each other */
    const int row = S->row[k];
    double sum = y[row];
    k = trmi_sparse_add_long(S, c, x, k, &sum);
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
