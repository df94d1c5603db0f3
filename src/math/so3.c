/* so3.c - rotations, their exponential map and its derivatives.
 *
 * With S = skew(psi), t = |psi|, S' = skew(psi'):
 *   exp(psi) = (cos t/2, sin(t/2)/t psi)                        quaternion   (1)
 *   T(psi)   = I - a S + b S^2,  a = (1 - cos t)/t^2,  b = (t - sin t)/t^3   (2)
 *   T^-1     = I + S/2 + c S^2,  c = (1 - (t/2) cot(t/2))/t^2 = -a1/(2 a)    (3)
 *   d/dt T   = (psi.psi') (-a1 S + b1 S^2) - a S' + b (S S' + S' S)          (4)
 *   a1 = (da/dt)/t = (sin t/t - 2 a)/t^2,   b1 = (db/dt)/t = (a - 3 b)/t^2   (5)
 *
 * The closed forms of b, a1, b1 cancel for small t. Below t = 2 power series in
 * t^2 are used instead:
 *   a = sum (-1)^k t^2k/(2k+2)!,          b = sum (-1)^k t^2k/(2k+3)!        (6)
 *   a1 = sum (-1)^k 2k t^(2k-2)/(2k+2)!, b1 = sum (-1)^k 2k t^(2k-2)/(2k+3)! (7)
 * with 13 terms: those left out are below 1e-18 at t = 2. For t < 1/4, the usual
 * increment of a step, 7 terms give the same digits. */
#include "math/so3.h"
#include "math/both.h"

enum { TERMS = 13, SHORT_TERMS = 7 };

/* (6): 1/(2k+2)! and 1/(2k+3)!, signs alternating */
/* clang-format off */
static const double series_a[TERMS] = {
  1.0 / 2.0, -1.0 / 24.0, 1.0 / 720.0, -1.0 / 40320.0, 1.0 / 3628800.0, -1.0 / 479001600.0,
  1.0 / 87178291200.0, -1.0 / 20922789888000.0, 1.0 / 6402373705728000.0,
  -1.0 / 2432902008176640000.0, 1.0 / 1.12400072777760768e21, -1.0 / 6.20448401733239439e23,
  1.0 / 4.03291461126605636e26};
static const double series_b[TERMS] = {
  1.0 / 6.0, -1.0 / 120.0, 1.0 / 5040.0, -1.0 / 362880.0, 1.0 / 39916800.0, -1.0 / 6227020800.0,
  1.0 / 1307674368000.0, -1.0 / 355687428096000.0, 1.0 / 121645100408832000.0,
  -1.0 / 51090942171709440000.0, 1.0 / 2.58520167388849766e22, -1.0 / 1.55112100433309860e25,
  1.0 / 1.08888694504183522e28};
/* clang-format on */

/* Coefficients of (2) to (5) at one angle. */
typedef struct coefficients {
  double a, b, a1, b1;
} coefficients;

static coefficients coefficients_of(double t2) {
  coefficients k = {0.0, 0.0, 0.0, 0.0};
  if (t2 < 4.0) {
    /* (6) and (7): a polynomial and its derivative, by Horner */
    for (int i = (t2 < 0.0625 ? SHORT_TERMS : TERMS) - 1; i >= 0; i--) {
      k.a1 = k.a1 * t2 + k.a;
      k.b1 = k.b1 * t2 + k.b;
      k.a = k.a * t2 + series_a[i];
      k.b = k.b * t2 + series_b[i];
    }
    k.a1 *= 2.0; /* (da/dt)/t = 2 da/d(t^2) */
    k.b1 *= 2.0;
  } else {
    const double t = sqrt(t2), sinc = sin(t) / t, half = sin(0.5 * t) / t;
    k.a = 2.0 * half * half;
    k.b = (1.0 - sinc) / t2;
    k.a1 = (sinc - 2.0 * k.a) / t2;
    k.b1 = (k.a - 3.0 * k.b) / t2;
  }
  return k;
}

void trmi_quat_of_axes(const double E[9], double p[4]) {
  /* columns of R are the axes; the largest part of p is computed first */
  const double R[9] = {E[0], E[3], E[6], E[1], E[4], E[7], E[2], E[5], E[8]};
  const double trace = R[0] + R[4] + R[8];
  const double t[4] = {trace, R[0], R[4], R[8]};
  int k = 0;
  for (int i = 1; i < 4; i++) k = t[i] > t[k] ? i : k;
  const double off[4][4] = {
    {0, R[7] - R[5], R[2] - R[6], R[3] - R[1]},
    {R[7] - R[5], 0, R[1] + R[3], R[2] + R[6]},
    {R[2] - R[6], R[1] + R[3], 0, R[5] + R[7]},
    {R[3] - R[1], R[2] + R[6], R[5] + R[7], 0},
  };
  for (int i = 0; i < 4; i++) p[i] = off[k][i];
  p[k] = k == 0 ? 1.0 + trace : 1.0 + 2.0 * t[k] - trace;
  trmi_quat_normalize(p);
}

/* cos(t/2) and sin(t/2)/t of two angles, for (1). */
typedef struct half_angles {
  trmi_both cosine, factor;
} half_angles;

/* By cos y = 1 - a(y) y^2, sin y = y - b(y) y^3 with y = t/2 < 1/4. */
static inline half_angles half_angles_short(trmi_both t2) {
  const trmi_both y2 = both_scale(0.25, t2), one = both(1.0, 1.0);
  trmi_both a = both(0.0, 0.0), b = a;
  TRMI_UNROLL for (int i = SHORT_TERMS - 1; i >= 0; i--) {
    a = both_add(both_mul(a, y2), both(series_a[i], series_a[i]));
    b = both_add(both_mul(b, y2), both(series_b[i], series_b[i]));
  }
  return (half_angles){both_sub(one, both_mul(a, y2)),
                       both_scale(0.5, both_sub(one, both_mul(b, y2)))};
}

static half_angles half_angles_of(trmi_both t2) {
  if (both_at(t2, 0) < 0.25 && both_at(t2, 1) < 0.25) return half_angles_short(t2);
  double cosine[2], factor[2];
  for (int k = 0; k < 2; k++) {
    const double square = both_at(t2, k), t = sqrt(square);
    const half_angles is_short = half_angles_short(both(square, square));
    cosine[k] = square < 0.25 ? both_at(is_short.cosine, 0) : cos(0.5 * t);
    factor[k] = square < 0.25 ? both_at(is_short.factor, 0) : sin(0.5 * t) / t;
  }
  return (half_angles){both_load(cosine), both_load(factor)};
}

void trmi_so3_exp(const double psi[3], double p[4]) {
  const double t2 = psi[0] * psi[0] + psi[1] * psi[1] + psi[2] * psi[2];
  const half_angles half = half_angles_of(both(t2, t2));
  p[0] = both_at(half.cosine, 0);
  for (int i = 0; i < 3; i++) p[1 + i] = both_at(half.factor, 0) * psi[i];
}

void trmi_so3_turn(const double *const p[2], const double *const psi[2], double *const out[2]) {
  const trmi_both3 u = b3(v3_load(psi[0]), v3_load(psi[1]));
  const trmi_both t2 = b9_dot(u.x, u.y, u.z, u);
  const half_angles half = half_angles_of(t2);
  const trmi_both4 a = b4(p[0], p[1]);
  const trmi_both4 turned = b4_mul(a, (trmi_both4){half.cosine, both_mul(half.factor, u.x),
                                                   both_mul(half.factor, u.y),
                                                   both_mul(half.factor, u.z)});
  const trmi_both square = b4_square(turned);
  const trmi_both length = both(sqrt(both_at(square, 0)), sqrt(both_at(square, 1)));
  const trmi_both per = both_div(both(1.0, 1.0), length);
  for (int k = 0; k < 2; k++) {
    out[k][0] = both_at(both_mul(turned.w, per), k);
    out[k][1] = both_at(both_mul(turned.x, per), k);
    out[k][2] = both_at(both_mul(turned.y, per), k);
    out[k][3] = both_at(both_mul(turned.z, per), k);
  }
}

void trmi_so3_log(const double p[4], double psi[3]) {
  const double length = sqrt(p[1] * p[1] + p[2] * p[2] + p[3] * p[3]); /* |p| sin t/2 */
  const double sign = p[0] < 0.0 ? -1.0 : 1.0;                         /* p and -p are one */
  /* atan2 is accurate at both ends; a length that underflows needs its limit */
  const double factor = length > 0.0 ? sign * 2.0 * atan2(length, fabs(p[0])) / length : 2.0 / p[0];
  for (int i = 0; i < 3; i++) psi[i] = factor * p[1 + i];
}

/* out = unit * I + s * skew(psi) + ss * skew(psi)^2 */
static void compose(trmi_vec3 psi, double unit, double s, double ss, double out[9]) {
  const double x = psi.x, y = psi.y, z = psi.z;
  out[0] = unit - ss * (y * y + z * z);
  out[1] = ss * x * y - s * z;
  out[2] = ss * x * z + s * y;
  out[3] = ss * x * y + s * z;
  out[4] = unit - ss * (x * x + z * z);
  out[5] = ss * y * z - s * x;
  out[6] = ss * x * z - s * y;
  out[7] = ss * y * z + s * x;
  out[8] = unit - ss * (x * x + y * y);
}

void trmi_so3_T(const double psi[3], double T[9]) {
  const trmi_vec3 r = v3_load(psi);
  const coefficients k = coefficients_of(v3_dot(r, r));
  compose(r, 1.0, -k.a, k.b, T); /* (2) */
}

void trmi_so3_Tinv(const double psi[3], double Tinv[9]) {
  const trmi_vec3 r = v3_load(psi);
  const coefficients k = coefficients_of(v3_dot(r, r));
  compose(r, 1.0, 0.5, -0.5 * k.a1 / k.a, Tinv); /* (3) */
}

void trmi_so3_Tdot(const double psi[3], const double psidot[3], double Tdot[9]) {
  const trmi_vec3 r = v3_load(psi), u = v3_load(psidot);
  const coefficients k = coefficients_of(v3_dot(r, r));
  const double ru = v3_dot(r, u);
  double S[9], mixed[9];

  /* (4), with S S' + S' S = psi' psi^T + psi psi'^T - 2 (psi.psi') I */
  compose(r, 0.0, -k.a1 * ru, k.b1 * ru, Tdot);
  m3_skew(u, S);
  for (int i = 0; i < 3; i++) {
    v3_store(mixed + 3 * i, v3_add(v3_scale(psidot[i], r), v3_scale(psi[i], u)));
    mixed[4 * i] -= 2.0 * ru;
  }
  for (int i = 0; i < 9; i++) Tdot[i] += k.b * mixed[i] - k.a * S[i];
}
