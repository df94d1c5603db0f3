/* point_sums.h - sums over the points of a predictor, two components at a time. */
#ifndef TRMI_POINT_SUMS_H
#define TRMI_POINT_SUMS_H

/* value = sum_i w_i list_i, rate = sum_i slope_i list_i, of `count` lists, 1 to 7, with n
 * components each. */
void trmi_point_sums(const double *const list[], const double *w, const double *slope, int count,
                     int n, double *value, double *rate);
/* Only the value. */
void trmi_point_values(const double *const list[], const double *w, int count, int n,
                       double *value);

#endif
