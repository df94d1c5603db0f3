/* combine.h - small matrices times long rows, and products of long rows, for bodies with many
 * coordinates. Compiled for several widths of vectors; numbers are the same on every machine. */
#ifndef TRMI_COMBINE_H
#define TRMI_COMBINE_H
#include <stdbool.h>

/* Rows of a matrix: row i is at [stride i]. */
typedef struct trmi_long_rows {
  double *at;
  int     stride;
} trmi_long_rows;
typedef struct trmi_long_const {
  const double *at;
  int           stride;
} trmi_long_const;

/* out_i = sum_k C_ik A_k for some rows of n numbers, or out_i += with `adds`, summed in the order
 * of k. `terms` is the number of rows A_k, at most six. C and A do not overlap out. */
void trmi_combine(int n, int rows, int terms, bool adds, trmi_long_const C, trmi_long_const A,
                  trmi_long_rows out);

/* out_i = A_i . x for up to eight rows of `width` numbers, a multiple of eight; out [8]. */
void trmi_combine_dots(int width, int rows, const double *A, const double *x, double *out);

#endif
