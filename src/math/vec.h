/* vec.h - vectors of three numbers, by value; matrices 3 x 3 are double[9], row
 * major, by address. Everything is inline: these are the inner loops. */
#ifndef TRMI_VEC_H
#define TRMI_VEC_H
#include <math.h>

typedef struct trmi_vec3 {
  double x, y, z;
} trmi_vec3;

static inline trmi_vec3 v3(double x, double y, double z) {
  return (trmi_vec3){x, y, z};
}
static inline trmi_vec3 v3_load(const double a[3]) {
  return v3(a[0], a[1], a[2]);
}
static inline void v3_store(double out[3], trmi_vec3 a) {
  out[0] = a.x;
  out[1] = a.y;
  out[2] = a.z;
}
/* out += a */
static inline void v3_accumulate(double out[3], trmi_vec3 a) {
  out[0] += a.x;
  out[1] += a.y;
  out[2] += a.z;
}
static inline trmi_vec3 v3_add(trmi_vec3 a, trmi_vec3 b) {
  return v3(a.x + b.x, a.y + b.y, a.z + b.z);
}
static inline trmi_vec3 v3_sub(trmi_vec3 a, trmi_vec3 b) {
  return v3(a.x - b.x, a.y - b.y, a.z - b.z);
}
static inline trmi_vec3 v3_scale(double s, trmi_vec3 a) {
  return v3(s * a.x, s * a.y, s * a.z);
}
static inline trmi_vec3 v3_neg(trmi_vec3 a) {
  return v3(-a.x, -a.y, -a.z);
}
static inline double v3_dot(trmi_vec3 a, trmi_vec3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline trmi_vec3 v3_cross(trmi_vec3 a, trmi_vec3 b) {
  return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline double v3_norm(trmi_vec3 a) {
  return sqrt(v3_dot(a, a));
}
/* componentwise product: a diagonal matrix times a vector */
static inline trmi_vec3 v3_times(trmi_vec3 diagonal, trmi_vec3 a) {
  return v3(diagonal.x * a.x, diagonal.y * a.y, diagonal.z * a.z);
}

/* A v */
static inline trmi_vec3 m3_mul(const double A[9], trmi_vec3 v) {
  return v3(A[0] * v.x + A[1] * v.y + A[2] * v.z, A[3] * v.x + A[4] * v.y + A[5] * v.z,
            A[6] * v.x + A[7] * v.y + A[8] * v.z);
}
/* A^T v */
static inline trmi_vec3 m3_tmul(const double A[9], trmi_vec3 v) {
  return v3(A[0] * v.x + A[3] * v.y + A[6] * v.z, A[1] * v.x + A[4] * v.y + A[7] * v.z,
            A[2] * v.x + A[5] * v.y + A[8] * v.z);
}
static inline trmi_vec3 m3_row(const double A[9], int i) {
  return v3_load(A + 3 * i);
}
static inline trmi_vec3 m3_column(const double A[9], int j) {
  return v3(A[j], A[3 + j], A[6 + j]);
}
static inline void m3_set_column(double A[9], int j, trmi_vec3 v) {
  A[j] = v.x;
  A[3 + j] = v.y;
  A[6 + j] = v.z;
}
/* A B; out is neither A nor B */
static inline void m3_mm(const double A[9], const double B[9], double out[9]) {
  for (int i = 0; i < 3; i++) v3_store(out + 3 * i, m3_tmul(B, m3_row(A, i)));
}
/* the matrix S with S u = a x u */
static inline void m3_skew(trmi_vec3 a, double out[9]) {
  v3_store(out + 0, v3(0.0, -a.z, a.y));
  v3_store(out + 3, v3(a.z, 0.0, -a.x));
  v3_store(out + 6, v3(-a.y, a.x, 0.0));
}

#endif
