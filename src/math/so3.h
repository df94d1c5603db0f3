/* so3.h - rotations: unit quaternions, rotation vectors, and the maps between
 * their rates. Quaternions are scalar first, matrices row major, angular
 * velocities in body axes. Equations: head of so3.c. */
#ifndef TRMI_SO3_H
#define TRMI_SO3_H
#include <math.h>

/* out = a o b: first b, then a. out may be a or b. */
static inline void trmi_quat_mul(const double a[4], const double b[4], double out[4]) {
  const double w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
  const double x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
  const double y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
  const double z = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
  out[0] = w;
  out[1] = x;
  out[2] = y;
  out[3] = z;
}

/* Scales p to length one. A zero or non-finite p becomes NaN. */
static inline void trmi_quat_normalize(double p[4]) {
  const double factor = 1.0 / sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
  for (int i = 0; i < 4; i++) p[i] *= factor;
}

/* Matrix of a unit quaternion, v_n = R v_body. */
static inline void trmi_quat_matrix(const double p[4], double R[9]) {
  const double w = p[0], x = p[1], y = p[2], z = p[3];
  R[0] = 1.0 - 2.0 * (y * y + z * z);
  R[1] = 2.0 * (x * y - w * z);
  R[2] = 2.0 * (x * z + w * y);
  R[3] = 2.0 * (x * y + w * z);
  R[4] = 1.0 - 2.0 * (x * x + z * z);
  R[5] = 2.0 * (y * z - w * x);
  R[6] = 2.0 * (x * z - w * y);
  R[7] = 2.0 * (y * z + w * x);
  R[8] = 1.0 - 2.0 * (x * x + y * y);
}

/* Unit quaternion of the frame whose axes are the rows of E: right-handed, of length one. */
void trmi_quat_of_axes(const double E[9], double p[4]);

/* Unit quaternion of a rotation vector. */
void trmi_so3_exp(const double psi[3], double p[4]);

/* Two rotations at once: out = p o exp(psi), scaled to length one; out may be p. */
void trmi_so3_turn(const double *const p[2], const double *const psi[2], double *const out[2]);

/* Shortest rotation vector of a quaternion, of length at most pi; p and -p give
 * the same one. p need not have length one. */
void trmi_so3_log(const double p[4], double psi[3]);

/* T with Omega = T(psi) psi' for R = R_n exp(psi). */
void trmi_so3_T(const double psi[3], double T[9]);

/* Inverse of T; |psi| < 2 pi. */
void trmi_so3_Tinv(const double psi[3], double Tinv[9]);

/* d/dt T(psi) when psi moves with psidot: Omega' = T psi'' + Tdot psi'. */
void trmi_so3_Tdot(const double psi[3], const double psidot[3], double Tdot[9]);

#endif
