/* slider_crank_rod.h - matrices of the elastic rod of slider_crank.c. */
#ifndef TRMI_SLIDER_CRANK_ROD_H
#define TRMI_SLIDER_CRANK_ROD_H
#include "math/both.h"
#include <stdbool.h>

enum { TRMI_CRANK_ELASTIC = 4 }; /* coordinates of the rod */

/* rho times the vectors and matrices of [CRANK], in the names of slider_crank.c, (1) to (7). */
typedef struct trmi_crank_rod {
  double C1[TRMI_CRANK_ELASTIC], C2[TRMI_CRANK_ELASTIC];
  double C12[TRMI_CRANK_ELASTIC], C21[TRMI_CRANK_ELASTIC];
  double B[TRMI_CRANK_ELASTIC][TRMI_CRANK_ELASTIC], Md[TRMI_CRANK_ELASTIC][TRMI_CRANK_ELASTIC];
  double K[TRMI_CRANK_ELASTIC][TRMI_CRANK_ELASTIC], D[TRMI_CRANK_ELASTIC][TRMI_CRANK_ELASTIC];
  double kn, beta; /* of the nonlinear beam, (7) */
} trmi_crank_rod;

/* A rod of that length [m]; `pi` as the parameter of the problem says. */
void trmi_crank_rod_fill(trmi_crank_rod *rod, double length, double pi, bool is_nonlinear,
                         bool is_damped);

/* Numbers of the four coordinates in pairs: gcc makes no vectors of sums in a given order. */
typedef struct four {
  trmi_both at[TRMI_CRANK_ELASTIC / 2];
} four;

static inline four four_load(const double *x) {
  return (four){{both_load(x), both_load(x + 2)}};
}
static inline void four_store(double *to, four x) {
  both_store(to, x.at[0]);
  both_store(to + 2, x.at[1]);
}
static inline four four_add(four x, four y) {
  return (four){{both_add(x.at[0], y.at[0]), both_add(x.at[1], y.at[1])}};
}
static inline four four_sub(four x, four y) {
  return (four){{both_sub(x.at[0], y.at[0]), both_sub(x.at[1], y.at[1])}};
}
static inline four four_scale(double c, four x) {
  return (four){{both_scale(c, x.at[0]), both_scale(c, x.at[1])}};
}
/* y + c x */
static inline four four_more(four y, double c, const double *x) {
  return four_add(y, four_scale(c, four_load(x)));
}
/* A^T x: A x of a symmetric matrix, -A x of B. */
static inline four four_times(const double A[TRMI_CRANK_ELASTIC][TRMI_CRANK_ELASTIC],
                              const double x[TRMI_CRANK_ELASTIC]) {
  four sum = four_scale(x[0], four_load(A[0]));
  TRMI_UNROLL for (int j = 1; j < TRMI_CRANK_ELASTIC; j++) sum = four_more(sum, x[j], A[j]);
  return sum;
}

#endif
