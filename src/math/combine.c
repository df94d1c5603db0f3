/* combine.c - see combine.h. */
#include "math/combine.h"
#include "math/eight.h"
#include <stddef.h>

/* One row with a compile-time number of terms. */
static TRMI_INLINE void combine_row(int n, int terms, bool adds, const double *C, const double *A,
                                    int stride, double *restrict out) {
  for (int j = 0; j < n; j++) {
    double sum = adds ? out[j] : C[0] * A[j];
    TRMI_UNROLL for (int k = adds ? 0 : 1; k < terms; k++) sum += C[k] * A[stride * k + j];
    out[j] = sum;
  }
}

/* Three rows at once: numbers of A are read once. */
static TRMI_INLINE void combine_three(int n, int terms, bool adds, const double *C, const double *A,
                                      int stride, double *restrict x, double *restrict y,
                                      double *restrict z) {
  const double *D = C + terms, *E = D + terms;
  for (int j = 0; j < n; j++) {
    double a = A[j];
    double p = adds ? x[j] + C[0] * a : C[0] * a, q = adds ? y[j] + D[0] * a : D[0] * a;
    double r = adds ? z[j] + E[0] * a : E[0] * a;
    TRMI_UNROLL for (int k = 1; k < terms; k++) {
      a = A[stride * k + j];
      p += C[k] * a, q += D[k] * a, r += E[k] * a;
    }
    x[j] = p, y[j] = q, z[j] = r;
  }
}

/* The same with factors in registers. */
#define ROWS(count)                                                                                \
  case count: {                                                                                    \
    double c[3 * (count)];                                                                         \
    for (int k = 0; k < (count) * (is_three ? 3 : 1); k++) {                                       \
      c[k] = C.at[C.stride * (i + k / (count)) + k % (count)];                                     \
    }                                                                                              \
    if (is_three && adds) combine_three(n, count, true, c, A.at, A.stride, to, second, third);     \
    else if (is_three) combine_three(n, count, false, c, A.at, A.stride, to, second, third);       \
    else if (adds) combine_row(n, count, true, c, A.at, A.stride, to);                             \
    else combine_row(n, count, false, c, A.at, A.stride, to);                                      \
    break;                                                                                         \
  }

/* Clones are static: those of an external function would be exported. */
TRMI_CLONES
static void combine(int n, int rows, int terms, bool adds, trmi_long_const C, trmi_long_const A,
                    trmi_long_rows out) {
  for (int i = 0; i < rows;) {
    const bool is_three = i + 3 <= rows;
    double *to = out.at + out.stride * i;
    double *second = is_three ? to + out.stride : NULL;
    double *third = is_three ? second + out.stride : NULL;
    switch (terms) {
      ROWS(1) ROWS(2) ROWS(3) ROWS(4) ROWS(5) ROWS(6)
    default: break;
    }
    i += is_three ? 3 : 1;
  }
}

void trmi_combine(int n, int rows, int terms, bool adds, trmi_long_const C, trmi_long_const A,
                  trmi_long_rows out) {
  combine(n, rows, terms, adds, C, A, out);
}

TRMI_CLONES
static void dots(int width, int rows, const double *A, const double *x, double *out) {
  trmi_eight sums[TRMI_EIGHT] = {0}, all = {0};
  for (int i = 0; i < rows; i++) {
    trmi_eight sum = {0};
    for (int c = 0; c < width; c += TRMI_EIGHT) {
      trmi_eight a, b;
      eight_load(&a, A + width * i + c), eight_load(&b, x + c);
      eight_add_product(&sum, &a, &b);
    }
    sums[i] = sum;
  }
  eight_add_sums(&all, sums);
  eight_store(out, &all);
}

void trmi_combine_dots(int width, int rows, const double *A, const double *x, double *out) {
  dots(width, rows, A, x, out);
}
