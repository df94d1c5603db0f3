/* row_sizes.h - sizes of the terms in rows of constraints: rounding in a row, and the limit for a
 * contradiction, are parts of them. The only absolute size here is a floor of a hundredth of the
 * scales of the rows. */
#ifndef TRMI_ROW_SIZES_H
#define TRMI_ROW_SIZES_H
#include "system/system.h"

/* Each fills size [ng + na] and reads G and A from the blocks of the system. */

/* Of g; the rows of A have no positions, and zero. */
void trmi_row_sizes_position(const trm_system *sys, const trm_state *s, double *size);
/* Of G v + g_t and A v + b, whose values are `rate` [ng + na]. */
void trmi_row_sizes_velocity(const trm_system *sys, const trm_state *s, const double *rate,
                             double *size);
/* Of G v' + g_bias and A v' + a_bias, whose last terms are `bias` [ng + na]. */
void trmi_row_sizes_acceleration(const trm_system *sys, const trm_state *s, const double *bias,
                                 double *size);
/* The same rows, from forces that cancel each other and from rotation, which leave only rounding.
 * Also reads M; `force` [nv] is scratch. */
void trmi_row_sizes_rounding(const trm_system *sys, const trm_state *s, double *force,
                             double *size);

/* Largest |r| / scale of n components, and its index. A NaN counts as the largest. */
double trmi_worst_row(const double *r, const double *scale, int n, int *index);

#endif
