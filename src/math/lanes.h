/* lanes.h - sums of many products in eight lanes, in one order on every machine. */
#ifndef TRMI_LANES_H
#define TRMI_LANES_H

/* a.b */
static inline double trmi_lanes_dot(int n, const double *a, const double *b) {
  enum { LANES = 8 };
  double s[LANES] = {0.0}, rest = 0.0;
  int i = 0;
  for (; i + LANES <= n; i += LANES) {
    for (int l = 0; l < LANES; l++) s[l] += a[i + l] * b[i + l];
  }
  for (; i < n; i++) rest += a[i] * b[i];
  return (((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]))) + rest;
}

#endif
