/* core_ellipsoid.c - distance of a point p from an ellipsoid with half axes a_i, inside negative.
 *
 * The nearest point x of the surface has its normal along p - x = t N, N_i = x_i/a_i^2:
 *   N_i = p_i c_i,   c_i = 1/(a_i^2 + t),   F(t) = sum (a_i p_i c_i)^2 - 1 = 0            (1)
 *   d = t |N|,   n = N/|N|                                                               (2)
 * Right of its poles, where all c_i > 0, F falls and is convex: Newton's method from the largest of
 * a_i |p_i| - a_i^2, where one term alone is 1 and F >= 0, rises to the root without passing it.
 * dp = (1 + t D) dx + N dt, D_i = 1/a_i^2, with N.dx = 0 on the surface gives
 *   H = (diag(c) - (w N^T + N w^T)/s + t/s w w^T + (N.w)/(|N|^2 s) N N^T)/|N|             (3)
 *   w_i = c_i N_i,   s = |N|^2 - t N.w
 * Near the middle the nearest point is not unique: any of them is used. */
#include "elements/contact/core_distance.h"
#include <stdbool.h>

enum { ROUNDS = 100 };

/* (1) */
static double root_of(const double a[3], const double p[3], double least) {
  double t = -(1.0 - 1e-6) * least * least; /* the poles are left of it */
  for (int i = 0; i < 3; i++) t = fmax(t, a[i] * fabs(p[i]) - a[i] * a[i]);
  for (int round = 0; round < ROUNDS; round++) {
    double F = -1.0, slope = 0.0;
    for (int i = 0; i < 3; i++) {
      const double c = 1.0 / (a[i] * a[i] + t), y = a[i] * p[i] * c;
      F += y * y;
      slope += 2.0 * y * y * c;
    }
    if (!(F > 0.0)) break;
    const double next = t + F / slope;
    if (!(next > t)) break;
    t = next;
  }
  return t;
}

trmi_distance trmi_ellipsoid_distance(const double half[3], trmi_vec3 p) {
  const double at[3] = {p.x, p.y, p.z}, least = fmin(half[0], fmin(half[1], half[2]));
  const double t = root_of(half, at, least);
  trmi_distance out = {.d = -least, .n = v3(0, 0, 1)};
  double c[3], N[3], w[3], square = 0.0, along = 0.0;
  for (int i = 0; i < 3; i++) {
    c[i] = 1.0 / (half[i] * half[i] + t);
    N[i] = at[i] * c[i];
    w[i] = c[i] * N[i];
    square += N[i] * N[i];
    along += N[i] * w[i];
  }
  const double size = sqrt(square), s = square - t * along;
  if (!(size > 0.0) || !(s > 0.0)) return out;
  out.d = t * size; /* (2) */
  out.n = v3_scale(1.0 / size, v3_load(N));
  for (int k = 0; k < 9; k++) { /* (3) */
    const int i = k / 3, j = k % 3;
    const double mixed = -(w[i] * N[j] + N[i] * w[j]) + t * w[i] * w[j] +
                         along / square * N[i] * N[j];
    out.H[k] = ((i == j ? c[i] : 0.0) + mixed / s) / size;
  }
  return out;
}
