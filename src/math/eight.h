/* eight.h - eight numbers at once, for loops that are compiled for several widths of vectors
 * (TRMI_CLONES). Products and sums have one order on every machine. */
#ifndef TRMI_EIGHT_H
#define TRMI_EIGHT_H
#include "core/compiler.h"
#include <string.h>

enum { TRMI_EIGHT = 8 };

#if TRMI_HAS_VECTORS
typedef TRMI_VECTOR(double, TRMI_EIGHT) trmi_eight;

static TRMI_INLINE void eight_load(trmi_eight *v, const double *at) {
  memcpy(v, at, sizeof *v);
}
static TRMI_INLINE void eight_store(double *at, const trmi_eight *v) {
  memcpy(at, v, sizeof *v);
}
static TRMI_INLINE void eight_add(trmi_eight *sum, const trmi_eight *v) {
  *sum += *v;
}
/* sum += v x */
static TRMI_INLINE void eight_add_scaled(trmi_eight *sum, const trmi_eight *v, double x) {
  *sum += *v * x;
}
static TRMI_INLINE void eight_add_product(trmi_eight *sum, const trmi_eight *v,
                                          const trmi_eight *x) {
  *sum += *v * *x;
}
#define TRMI_PAIRS(a, b)                                                                           \
  (TRMI_SHUFFLE(a, b, 0, 8, 2, 10, 4, 12, 6, 14) + TRMI_SHUFFLE(a, b, 1, 9, 3, 11, 5, 13, 7, 15))
#define TRMI_FOURS(a, b)                                                                           \
  (TRMI_SHUFFLE(a, b, 0, 1, 8, 9, 4, 5, 12, 13) + TRMI_SHUFFLE(a, b, 2, 3, 10, 11, 6, 7, 14, 15))
#define TRMI_HALVES(a, b)                                                                          \
  (TRMI_SHUFFLE(a, b, 0, 1, 2, 3, 8, 9, 10, 11) + TRMI_SHUFFLE(a, b, 4, 5, 6, 7, 12, 13, 14, 15))
/* y_r += the sum of s_r, r = 0 .. 7: ((0 + 1) + (2 + 3)) + ((4 + 5) + (6 + 7)) */
static TRMI_INLINE void eight_add_sums(trmi_eight *y, const trmi_eight s[TRMI_EIGHT]) {
  const trmi_eight a = TRMI_PAIRS(s[0], s[1]), b = TRMI_PAIRS(s[2], s[3]),
                   c = TRMI_PAIRS(s[4], s[5]), d = TRMI_PAIRS(s[6], s[7]);
  const trmi_eight low = TRMI_FOURS(a, b), high = TRMI_FOURS(c, d);
  *y += TRMI_HALVES(low, high);
}
#else
typedef struct trmi_eight {
  double at[TRMI_EIGHT];
} trmi_eight;

static inline void eight_load(trmi_eight *v, const double *at) {
  memcpy(v->at, at, sizeof v->at);
}
static inline void eight_store(double *at, const trmi_eight *v) {
  memcpy(at, v->at, sizeof v->at);
}
static inline void eight_add(trmi_eight *sum, const trmi_eight *v) {
  for (int l = 0; l < TRMI_EIGHT; l++) sum->at[l] += v->at[l];
}
static inline void eight_add_scaled(trmi_eight *sum, const trmi_eight *v, double x) {
  for (int l = 0; l < TRMI_EIGHT; l++) sum->at[l] += v->at[l] * x;
}
static inline void eight_add_product(trmi_eight *sum, const trmi_eight *v, const trmi_eight *x) {
  for (int l = 0; l < TRMI_EIGHT; l++) sum->at[l] += v->at[l] * x->at[l];
}
static inline void eight_add_sums(trmi_eight *y, const trmi_eight s[TRMI_EIGHT]) {
  for (int r = 0; r < TRMI_EIGHT; r++) {
    const double *t = s[r].at;
    y->at[r] += ((t[0] + t[1]) + (t[2] + t[3])) + ((t[4] + t[5]) + (t[6] + t[7]));
  }
}
#endif

#endif
