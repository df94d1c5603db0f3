/* both.h - two numbers, vectors or matrices at once: those of the bodies A and B of a joint, or of
 * a force. One instruction does the same for both where the compiler has vectors of two numbers;
 * every number has the bits that vec.h gives it. */
#ifndef TRMI_BOTH_H
#define TRMI_BOTH_H
#include "core/compiler.h"
#include "math/vec.h"
#include <stdbool.h>
#include <string.h>

#if TRMI_HAS_VECTORS
typedef TRMI_VECTOR(double, 2) trmi_both;

static inline trmi_both both(double a, double b) {
  return (trmi_both){a, b};
}
static inline double both_at(trmi_both p, int side) {
  return p[side];
}
static inline trmi_both both_load(const double at[2]) {
  trmi_both p;
  memcpy(&p, at, sizeof p);
  return p;
}
static inline void both_store(double to[2], trmi_both p) {
  memcpy(to, &p, sizeof p);
}
static inline trmi_both both_add(trmi_both p, trmi_both q) {
  return p + q;
}
static inline trmi_both both_sub(trmi_both p, trmi_both q) {
  return p - q;
}
static inline trmi_both both_mul(trmi_both p, trmi_both q) {
  return p * q;
}
static inline trmi_both both_div(trmi_both p, trmi_both q) {
  return p / q;
}
#else
typedef struct trmi_both {
  double at[2];
} trmi_both;

static inline trmi_both both(double a, double b) {
  return (trmi_both){{a, b}};
}
static inline double both_at(trmi_both p, int side) {
  return p.at[side];
}
static inline trmi_both both_load(const double at[2]) {
  return both(at[0], at[1]);
}
static inline void both_store(double to[2], trmi_both p) {
  to[0] = p.at[0], to[1] = p.at[1];
}
static inline trmi_both both_add(trmi_both p, trmi_both q) {
  return both(p.at[0] + q.at[0], p.at[1] + q.at[1]);
}
static inline trmi_both both_sub(trmi_both p, trmi_both q) {
  return both(p.at[0] - q.at[0], p.at[1] - q.at[1]);
}
static inline trmi_both both_mul(trmi_both p, trmi_both q) {
  return both(p.at[0] * q.at[0], p.at[1] * q.at[1]);
}
static inline trmi_both both_div(trmi_both p, trmi_both q) {
  return both(p.at[0] / q.at[0], p.at[1] / q.at[1]);
}
#endif

/* c p */
static inline trmi_both both_scale(double c, trmi_both p) {
  return both_mul(both(c, c), p);
}
/* Two numbers, or the last one of a list and a zero; `two` is known to the compiler. */
static inline trmi_both both_some(const double *at, bool two) {
  return two ? both_load(at) : both(at[0], 0.0);
}
static inline void both_keep(double *to, trmi_both p, bool two) {
  if (two) both_store(to, p);
  else to[0] = both_at(p, 0);
}

/* Two vectors. */
typedef struct trmi_both3 {
  trmi_both x, y, z;
} trmi_both3;

/* Two matrices, row major. */
typedef struct trmi_both9 {
  trmi_both at[9];
} trmi_both9;

static inline trmi_both3 b3(trmi_vec3 a, trmi_vec3 b) {
  return (trmi_both3){both(a.x, b.x), both(a.y, b.y), both(a.z, b.z)};
}
static inline trmi_vec3 b3_at(trmi_both3 u, int side) {
  return v3(both_at(u.x, side), both_at(u.y, side), both_at(u.z, side));
}
/* That of B less that of A. */
static inline trmi_vec3 b3_gap(trmi_both3 u) {
  return v3_sub(b3_at(u, 1), b3_at(u, 0));
}
static inline trmi_both3 b3_add(trmi_both3 u, trmi_both3 v) {
  return (trmi_both3){both_add(u.x, v.x), both_add(u.y, v.y), both_add(u.z, v.z)};
}
static inline trmi_both3 b3_sub(trmi_both3 u, trmi_both3 v) {
  return (trmi_both3){both_sub(u.x, v.x), both_sub(u.y, v.y), both_sub(u.z, v.z)};
}
static inline trmi_both3 b3_cross(trmi_both3 u, trmi_both3 v) {
  return (trmi_both3){both_sub(both_mul(u.y, v.z), both_mul(u.z, v.y)),
                      both_sub(both_mul(u.z, v.x), both_mul(u.x, v.z)),
                      both_sub(both_mul(u.x, v.y), both_mul(u.y, v.x))};
}

/* Two quaternions. */
typedef struct trmi_both4 {
  trmi_both w, x, y, z;
} trmi_both4;

static inline trmi_both4 b4(const double a[4], const double b[4]) {
  return (trmi_both4){both(a[0], b[0]), both(a[1], b[1]), both(a[2], b[2]), both(a[3], b[3])};
}
/* s + a b, s - a b */
static inline trmi_both both_more(trmi_both s, trmi_both a, trmi_both b) {
  return both_add(s, both_mul(a, b));
}
static inline trmi_both both_less(trmi_both s, trmi_both a, trmi_both b) {
  return both_sub(s, both_mul(a, b));
}
/* Sum of the squares. */
static inline trmi_both b4_square(trmi_both4 p) {
  const trmi_both w2 = both_mul(p.w, p.w);
  return both_more(both_more(both_more(w2, p.x, p.x), p.y, p.y), p.z, p.z);
}
/* a o b, as trmi_quat_mul of so3.h */
static inline trmi_both4 b4_mul(trmi_both4 a, trmi_both4 b) {
  const trmi_both w = both_mul(a.w, b.w), x = both_mul(a.w, b.x);
  const trmi_both y = both_mul(a.w, b.y), z = both_mul(a.w, b.z);
  return (trmi_both4){
      .w = both_less(both_less(both_less(w, a.x, b.x), a.y, b.y), a.z, b.z),
      .x = both_less(both_more(both_more(x, a.x, b.w), a.y, b.z), a.z, b.y),
      .y = both_more(both_more(both_less(y, a.x, b.z), a.y, b.w), a.z, b.x),
      .z = both_more(both_less(both_more(z, a.x, b.y), a.y, b.x), a.z, b.w)};
}

static inline trmi_both9 b9(const double A[9], const double B[9]) {
  return (trmi_both9){{both(A[0], B[0]), both(A[1], B[1]), both(A[2], B[2]), both(A[3], B[3]),
                       both(A[4], B[4]), both(A[5], B[5]), both(A[6], B[6]), both(A[7], B[7]),
                       both(A[8], B[8])}};
}
static inline trmi_both b9_dot(trmi_both a, trmi_both b, trmi_both c, trmi_both3 v) {
  return both_add(both_add(both_mul(a, v.x), both_mul(b, v.y)), both_mul(c, v.z));
}
/* M v */
static inline trmi_both3 b9_mul(const trmi_both9 *M, trmi_both3 v) {
  const trmi_both *m = M->at;
  return (trmi_both3){b9_dot(m[0], m[1], m[2], v), b9_dot(m[3], m[4], m[5], v),
                      b9_dot(m[6], m[7], m[8], v)};
}
/* M^T v */
static inline trmi_both3 b9_tmul(const trmi_both9 *M, trmi_both3 v) {
  const trmi_both *m = M->at;
  return (trmi_both3){b9_dot(m[0], m[3], m[6], v), b9_dot(m[1], m[4], m[7], v),
                      b9_dot(m[2], m[5], m[8], v)};
}

#endif
