/* multiplier_test.h - have the multipliers of a step converged? Shared by the methods that iterate
 * with matrices of other iterates. */
#ifndef TRMI_MULTIPLIER_TEST_H
#define TRMI_MULTIPLIER_TEST_H
#include "system/matrix.h"
#include "system/newton.h"

/* Sizes of successive corrections. */
typedef struct trmi_multiplier_test {
  int    count;
  double last;
  double ratio; /* of the last two; the expected ratio before there are two */
} trmi_multiplier_test;

/* force = G^T dlam + A^T dmu of a correction of all unknowns, with an optional second part (or
 * NULL) and with G and A of the matrix. */
void trmi_multiplier_test_force(const trmi_matrix *matrix, const trm_system *sys,
                                const double *correction, const double *more, double *force);

/* Mean over the coordinates of the squares of (1) of multiplier_test.c over their scales; without
 * the factor h^2. 0 without coordinates. */
double trmi_multiplier_test_square(const trmi_matrix *matrix, const trm_system *sys,
                                   const double *scale_v, const double *force);

/* Are multipliers accurate enough after a correction of this size, in the norm in which positions
 * must be within `limit` and are rounded to `rounding`? */
bool trmi_multiplier_test_holds(trmi_multiplier_test *loads, double size, double limit,
                                double rounding);

#endif
