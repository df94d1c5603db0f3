/* beam_bench.h - random beam elements, for their tests. */
#ifndef TRM_TEST_BEAM_BENCH_H
#define TRM_TEST_BEAM_BENCH_H
#include "kit.h"
#include "elements/flex/beam.h"
#include "math/so3.h"
#include "math/vec.h"
#include <float.h>
#include <lapacke.h>

enum { SIZE = TRMI_BEAM_SIZE };

/* An element with numbers of size one everywhere: a bent and twisted reference, a random
 * full D, and another bent and twisted pose that moves. */
typedef struct sample {
  trmi_beam_section section;
  trmi_beam beam;
  double q0[4][7], q[4][7], v[4][6];
  trmi_beam_state state;
} sample;

static inline void randomize(uint64_t *seed, double scale, int n, double *out) {
  for (int i = 0; i < n; i++) out[i] = scale * kit_random(seed);
}

/* x + dx, p o exp(theta) */
static inline void retract(double q[7], const double step[6]) {
  double turn[4];
  for (int i = 0; i < 3; i++) q[i] += step[i];
  trmi_so3_exp(step + 3, turn);
  trmi_quat_mul(q + 3, turn, q + 3);
}

/* F F^T + I with random F: symmetric and positive */
static inline void random_positive(uint64_t *seed, int n, double *out) {
  double F[36];
  randomize(seed, 1.0, n * n, F);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      out[n * i + j] = i == j ? 1.0 : 0.0;
      for (int k = 0; k < n; k++) out[n * i + j] += F[n * i + k] * F[n * j + k];
    }
  }
}

static inline void make_sample(sample *s, int n, uint64_t seed) {
  trm_error err;
  const double *q0[4];
  *s = (sample){.beam.n = n};
  random_positive(&seed, 6, s->section.D);
  random_positive(&seed, 3, s->section.J);
  s->section.mass = 1.3;
  s->section.damping = 0.3;
  for (int i = 0; i < n; i++) {
    double step[6];
    memset(s->q0[i], 0, sizeof s->q0[i]);
    s->q0[i][0] = 1.6 * i / (n - 1);
    s->q0[i][3] = 1.0;
    randomize(&seed, 0.2, 6, step);
    retract(s->q0[i], step);
    memcpy(s->q[i], s->q0[i], sizeof s->q[i]);
    randomize(&seed, 0.5, 6, step);
    retract(s->q[i], step);
    randomize(&seed, 1.0, 6, s->v[i]);
    q0[i] = s->q0[i];
    s->state.q[i] = s->q[i];
    s->state.v[i] = s->v[i];
  }
  for (int j = 0; j < 4; j++) s->q[n - 1][3 + j] *= -1.0; /* the same rotation */
  CHECK_OK(trmi_beam_setup(&s->beam, n, q0, &s->section, &err), err);
}

static inline trmi_beam_out internal(const sample *s, double *f, double *K, double *C) {
  trmi_beam_out out = {.f = f, .K = K, .C = C};
  CHECK_STATUS(trmi_beam_internal(&s->beam, &s->state, &out), TRM_OK);
  return out;
}

/* Node and direction of unknown j moved by eps. */
static inline void move(sample *s, int j, double eps) {
  double step[6] = {0.0};
  step[j % 6] = eps;
  retract(s->q[j / 6], step);
}

/* Truncation eps^2/6 times third derivatives up to 1e3, rounding 1e-15/eps times numbers of
 * size 10: both near 1e-9 at 1e-6. */
static const double eps = 1e-6, difference_tol = 2e-8;

/* Turn everything about the origin and shift it. */
static inline void move_rigidly(sample *s, const double turn[3], const double shift[3],
                                double R[9]) {
  double p[4];
  trmi_so3_exp(turn, p);
  trmi_quat_matrix(p, R);
  for (int i = 0; i < s->beam.n; i++) {
    v3_store(s->q[i], v3_add(m3_mul(R, v3_load(s->q[i])), v3_load(shift)));
    v3_store(s->v[i], m3_mul(R, v3_load(s->v[i])));
    trmi_quat_mul(p, s->q[i] + 3, s->q[i] + 3);
  }
}

/* a . D^-1 a */
static inline double compliance(const double D[36], const double a[6]) {
  double copy[36], x[6], sum = 0.0;
  memcpy(copy, D, sizeof copy);
  memcpy(x, a, sizeof x);
  assert_int_equal(LAPACKE_dposv(LAPACK_ROW_MAJOR, 'U', 6, 1, copy, 6, x, 1), 0);
  for (int i = 0; i < 6; i++) sum += a[i] * x[i];
  return sum;
}

#endif
