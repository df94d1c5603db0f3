/* point_sums.c - see point_sums.h. */
#include "integ/point_sums.h"
#include "math/both.h"
#include <stddef.h>

enum { POINTS_MAX = 7 };

/* With a compile-time number of lists, weights and lists stay in registers. */
static TRMI_INLINE void sum_points(const double *const list[], const double *w,
                                   const double *slope, int count, int n, double *value,
                                   double *rate) {
  const double *from[POINTS_MAX];
  trmi_both weight[POINTS_MAX], weight_rate[POINTS_MAX];
  TRMI_UNROLL for (int i = 0; i < count; i++) {
    from[i] = list[i];
    weight[i] = both(w[i], w[i]);
    if (slope != NULL) weight_rate[i] = both(slope[i], slope[i]);
  }
  int m = 0;
  for (; m + 1 < n; m += 2) {
    trmi_both sum = both(0.0, 0.0), sum_rate = sum;
    TRMI_UNROLL for (int i = 0; i < count; i++) {
      const trmi_both y = both_load(from[i] + m);
      sum = both_add(sum, both_mul(weight[i], y));
      if (slope != NULL) sum_rate = both_add(sum_rate, both_mul(weight_rate[i], y));
    }
    both_store(value + m, sum);
    if (slope != NULL) both_store(rate + m, sum_rate);
  }
  if (m >= n) return;
  double sum = 0.0, sum_rate = 0.0;
  for (int i = 0; i < count; i++) {
    sum += both_at(weight[i], 0) * from[i][m];
    if (slope != NULL) sum_rate += both_at(weight_rate[i], 0) * from[i][m];
  }
  value[m] = sum;
  if (slope != NULL) rate[m] = sum_rate;
}

#define ALL_COUNTS CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7)

void trmi_point_sums(const double *const list[], const double *w, const double *slope, int count,
                     int n, double *value, double *rate) {
  switch (count) {
#define CASE(C) case C: sum_points(list, w, slope, C, n, value, rate); break;
  ALL_COUNTS
#undef CASE
  }
}

void trmi_point_values(const double *const list[], const double *w, int count, int n,
                       double *value) {
  switch (count) {
#define CASE(C) case C: sum_points(list, w, NULL, C, n, value, NULL); break;
  ALL_COUNTS
#undef CASE
  }
}
