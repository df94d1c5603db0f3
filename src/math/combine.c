/* combine.c - see combine.h. */
#include "math/combine.h"
#include "math/eight.h"

/* One row; the compiler knows the number of terms. */
static TRMI_INLINE void combine_row(int n, int terms, bool adds, const double *C, const double *A,
                                    int stride, double *restrict out) {
  for (int j = 0; j < n; j++) {
    double sum = adds ? out[j] : C[0] * A[j];
    TRMI_UNROLL for (int k = adds ? 0 : 1; k < terms; k++) sum += C[k] * A[stride * k + j];
    out[j] = sum;
  }
}

/* The same with factors in registers. */
#define ROW(count)                                                                                 \
  case count: {                                                                                    \
    double c[count];                                                                               \
    for (int k = 0; k < count; k++) c[k] = C.at[C.stride * i + k];                                 \
    if (adds) combine_row(n, count, true, c, A.at, A.stride, to);                                  \
    else combine_row(n, count, false, c, A.at, A.stride, to);                                      \
    break;                                                                                         \
  }

/* Clones are static: those of a function with a name outside would be exported. */
TRMI_CLONES
static void combine(int n, int rows, int terms, bool adds, trmi_long_const C, trmi_long_const A,
                    trmi_long_rows out) {
  for (int i = 0; i < rows; i++) {
    double *to = out.at + out.stride * i;
    switch (terms) {
      ROW(1) ROW(2) ROW(3) ROW(4) ROW(5) ROW(6)
    default: break;
    }
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
