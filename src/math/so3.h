/* so3.h - rotations: unit quaternions, rotation vectors, and the maps between
 * their rates. Quaternions are scalar first, matrices row major, angular
 * velocities in body axes. Equations: head of so3.c. */
#ifndef TRMI_SO3_H
#define TRMI_SO3_H

/* out = a o b: first b, then a. out may be a or b. */
void trmi_quat_mul(const double a[4], const double b[4], double out[4]);

/* Scales p to length one. A zero or non-finite p becomes NaN. */
void trmi_quat_normalize(double p[4]);

/* Matrix of a unit quaternion, v_n = R v_body. */
void trmi_quat_matrix(const double p[4], double R[9]);

/* Unit quaternion of a rotation vector. */
void trmi_so3_exp(const double psi[3], double p[4]);

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
