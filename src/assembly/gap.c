/* gap.c - time at which a stop or contact closes.
 *
 * A gap g with rate r and constant acceleration a closes after the time t with the speed w:
 *   w = sqrt(r^2 - 2 a g),   t = 2 g/(w - r) if r < 0, else (r + w)/(-a) if a < 0          (1)
 * It bounces by w^2/(2 |a|) at most. */
#include "assembly/contributor.h"
#include <math.h>

/* (1); infinity: never */
static double closes_in(const double gap[3], double *speed) {
  const double square = gap[1] * gap[1] - 2 * gap[2] * gap[0];
  if (!(square >= 0.0)) return INFINITY;
  *speed = sqrt(square);
  if (gap[1] < 0.0) return 2 * gap[0] / (*speed - gap[1]);
  return gap[2] < 0.0 ? (gap[1] + *speed) / -gap[2] : INFINITY;
}

void trmi_gap_limit(double least, int number, trm_step_limit *limit) {
  const double *gap = limit->gaps + 3 * number;
  double speed = 0.0;
  if (!(gap[0] > 0.0)) return;
  const double t = closes_in(gap, &speed);
  if (!(t < limit->h) || !(speed * speed > 2 * fabs(gap[2]) * least)) return;
  limit->h = t, limit->speed = speed, limit->gap = number;
}
