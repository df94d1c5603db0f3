/* row_sizes.h - sizes of the terms in rows of constraints: the measure of rounding in
 * a row, and what counts as a contradiction, is a part of that. Nothing here has a size of its own
 * in metres or seconds but a floor of a hundredth of the scales of the rows. */
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
/* The same rows, from forces that cancel each other and from turning: these leave rounding
 * only. Also reads M; `force` [nv] is scratch. */
void trmi_row_sizes_rounding(const trm_system *sys, const trm_state *s, double *force,
                             double *size);

/* Largest |r| / scale of n numbers, and where. NaN wins. */
double trmi_worst_row(const double *r, const double *scale, int n, int *index);

#endif
