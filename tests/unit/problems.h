/* problems.h - every built-in problem in every variant, for tests. */
#ifndef TRM_TEST_PROBLEMS_H
#define TRM_TEST_PROBLEMS_H
#include "check.h"
#include "core/fail.h"
#include "system/system.h"
#include "trammel/problems.h"
#include <string.h>

enum { SETTINGS = 4, STATES = 3, MAX = 128 };

/* One choice of parameters. Random states have velocities of size `speed` and
 * accelerations of size `pull` (times the scale of the coordinate). */
typedef struct variant {
  const char *problem;
  trm_setting settings[SETTINGS];
  double speed, pull;
} variant;

static const variant variants[] = {
    {"pendulum", {{0}}, 1, 1},
    {"pendulum", {{"unit_x", "mm"}, {"mass", "2"}, {"length", "0.7"}}, 1, 1},
    {"pendulum", {{"unit_x", "km"}}, 1, 1},
    {"unit-pendulum", {{0}}, 1, 1},
    /* stiff forces of 1e4 N stand beside the inertia: their rounding is covered
   * only by accelerations as large as in a real motion */
    {"slider-crank", {{0}}, 100, 1e5},
    {"slider-crank", {{"nonlinear", "1"}}, 100, 1e5},
    {"slider-crank", {{"damping", "1"}, {"start", "rigid"}}, 100, 1e5},
    {"slider-crank", {{"nonlinear", "1"}, {"damping", "1"}, {"pi", "3.1415927"}}, 100, 1e5},
    {"slider-crank", {{"speed", "40"}, {"pi", "3.1415927"}}, 100, 1e5},
    {"slider-crank-hermite", {{0}}, 10, 1e5},
    {"slider-crank-hermite", {{"elements", "1"}}, 10, 1e5},
    {"slider-crank-hermite", {{"elements", "7"}}, 10, 1e6},
    {"double-pendulum", {{0}}, 1, 1},
    {"double-pendulum", {{"coordinates", "angles"}}, 1, 1},
    {"heavy-top", {{0}}, 1, 1},
    {"chain", {{"links", "1"}}, 1, 1},
    {"chain", {{"links", "1"}, {"joint", "spherical"}}, 1, 1},
    {"chain", {{"links", "4"}}, 1, 1},
    {"chain", {{"links", "3"}, {"joint", "spherical"}}, 1, 1},
    {"rolling-disc", {{0}}, 1, 1},
    {"servo", {{0}}, 1, 1},
    {"oscillators", {{0}}, 1, 1},
    {"oscillators", {{"masses", "1"}}, 1, 1},
    {"oscillators", {{"masses", "5"}, {"damping", "3"}, {"stiffness", "40"}}, 1, 1},
};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

/* A system with a state; the arrays of the state are in `numbers`. */
typedef struct setup {
  const variant *v;
  trm_system *sys;
  trm_state s;
  double numbers[11][MAX];
  char name[80]; /* for messages */
} setup;

static inline void setup_open(setup *u, const variant *v) {
  trm_error err;
  int n = 0;
  *u = (setup){.v = v};
  snprintf(u->name, sizeof u->name, "%s", v->problem);
  while (n < SETTINGS && v->settings[n].name != NULL) {
    const size_t used = strlen(u->name);
    snprintf(u->name + used, sizeof u->name - used, " %s=%s", v->settings[n].name,
             v->settings[n].value);
    n++;
  }
  CHECK_OK(trm_problem_create(trm_problem_find(v->problem), v->settings, n, NULL, &u->sys, &err),
           err);
  assert_true(trm_system_count(u->sys, TRM_Q) <= MAX);
  double *const a[11] = {u->numbers[0], u->numbers[1], u->numbers[2], u->numbers[3],
                         u->numbers[4], u->numbers[5], u->numbers[6], u->numbers[7],
                         u->numbers[8], u->numbers[9], u->numbers[10]};
  u->s = (trm_state){.q = a[0],
                     .v = a[1],
                     .vd = a[2],
                     .lam = a[3],
                     .mu = a[4],
                     .x = a[5],
                     .xd = a[6],
                     .w = a[7],
                     .z = a[8],
                     .u = a[9],
                     .ud = a[10]};
}

static inline void setup_close(setup *u) {
  trm_system_free(u->sys);
}

/* -1 .. 1, the same numbers in every run */
static inline double next_random(unsigned long *seed) {
  *seed = (*seed * 6364136223846793005UL + 1442695040888963407UL) & 0xffffffffffffffffUL;
  return (double)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

static inline void fill(double *x, int n, unsigned long *seed) {
  for (int i = 0; i < n; i++) x[i] = next_random(seed);
}

static inline void random_state(setup *u, unsigned long seed) {
  const trm_sizes *n = trm_system_sizes(u->sys);
  const double still[MAX] = {0.0};
  double *const lists[] = {u->s.vd, u->s.lam, u->s.mu, u->s.x, u->s.xd, u->s.w};
  const int sizes[] = {n->nv, n->ng, n->na, n->nx, n->nx, n->nw};
  fill(u->s.q, u->sys->nq, &seed);
  fill(u->s.v, n->nv, &seed);
  for (int k = 0; k < 6; k++) fill(lists[k], sizes[k], &seed);
  u->s.t = 0.3 * next_random(&seed);
  for (int i = 0; i < n->nv; i++) {
    trm_label label;
    trm_system_label(u->sys, TRM_V, i, &label);
    if (n->nrot == 0) u->s.q[i] *= label.scale;
    u->s.v[i] *= u->v->speed * fmax(label.scale, label.kind == TRM_KIND_MODAL ? 0.01 : 0.0);
    u->s.vd[i] *= u->v->pull * (label.kind == TRM_KIND_MODAL ? 1.0 : label.scale);
  }
  trm_system_retract(u->sys, u->s.q, still, u->s.q); /* quaternions to length one */
}

static inline void values(setup *u, const trm_state *s, const trm_values *out) {
  trm_error err;
  CHECK_OK(trm_system_values(u->sys, s, out, &err), err);
}

/* The state after the time h at constant velocity. */
static inline void move(setup *u, double h, double *q, trm_state *moved) {
  double dpi[MAX];
  for (int i = 0; i < u->sys->n.nv; i++) dpi[i] = h * u->s.v[i];
  *moved = u->s;
  moved->q = q;
  moved->t = u->s.t + h;
  trm_system_retract(u->sys, u->s.q, dpi, q);
}

/* A block as a dense matrix with `stride` columns, or its transpose. */
static inline void add_block(setup *u, trm_block block, double *dense, int stride,
                             bool transposed) {
  static double entries[64 * MAX];
  const trmi_sparse *S = &u->sys->block[block];
  trm_block_request request = {.u = u->s.vd, .y = u->s.lam, .ya = u->s.mu};
  trm_error err;
  if (S->n == 0) return;
  assert_true(S->n <= 64 * MAX);
  request.values[block] = entries;
  CHECK_OK(u->sys->ops->blocks(u->sys->self, &u->s, &request, &err), err);
  for (int k = 0; k < S->n; k++) {
    const int row = transposed ? S->col[k] : S->row[k], col = transposed ? S->row[k] : S->col[k];
    dense[row * stride + col] += entries[k];
  }
}

/* Solves A x = b, x in b; Gauss with row pivots. */
static inline void solve_dense(double *A, double *b, int n) {
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++) {
      if (fabs(A[i * n + k]) > fabs(A[best * n + k])) best = i;
    }
    for (int j = 0; j < n; j++) {
      const double x = A[k * n + j];
      A[k * n + j] = A[best * n + j];
      A[best * n + j] = x;
    }
    const double x = b[k];
    b[k] = b[best];
    b[best] = x;
    for (int i = k + 1; i < n; i++) {
      const double f = A[i * n + k] / A[k * n + k];
      for (int j = k; j < n; j++) A[i * n + j] -= f * A[k * n + j];
      b[i] -= f * b[k];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) b[i] -= A[i * n + j] * b[j];
    b[i] /= A[i * n + i];
  }
}

/* [M G^T A^T; G 0 0; A 0 0] x = b */
static inline void solve_motion(setup *u, double *b) {
  static double K[4 * MAX * MAX];
  const trm_sizes *n = &u->sys->n;
  const int size = n->nv + n->ng + n->na;
  assert_true(size <= 2 * MAX);
  memset(K, 0, sizeof K);
  add_block(u, TRM_M, K, size, false);
  add_block(u, TRM_G, K + n->nv * size, size, false);
  add_block(u, TRM_G, K + n->nv, size, true);
  add_block(u, TRM_A, K + (n->nv + n->ng) * size, size, false);
  add_block(u, TRM_A, K + n->nv + n->ng, size, true);
  solve_dense(K, b, size);
}

/* Velocities onto the constraints, then v', lam, mu from the equations; x and w
 * stay as they are. */
static inline void make_consistent(setup *u) {
  const trm_sizes *n = &u->sys->n;
  double b[2 * MAX] = {0.0};
  values(u, &u->s, &(trm_values){.g_rate = b + n->nv, .a_rate = b + n->nv + n->ng});
  solve_motion(u, b);
  for (int i = 0; i < n->nv; i++) u->s.v[i] -= b[i];

  memset(u->s.vd, 0, sizeof u->numbers[0]);
  memset(u->s.lam, 0, sizeof u->numbers[0]);
  memset(u->s.mu, 0, sizeof u->numbers[0]);
  values(u, &u->s, &(trm_values){.motion = b, .g_bias = b + n->nv, .a_bias = b + n->nv + n->ng});
  solve_motion(u, b);
  for (int i = 0; i < n->nv; i++) u->s.vd[i] = -b[i];
  for (int i = 0; i < n->ng; i++) u->s.lam[i] = -b[n->nv + i];
  for (int i = 0; i < n->na; i++) u->s.mu[i] = -b[n->nv + n->ng + i];
}

static inline void setup_start(setup *u) {
  trm_error err;
  for (int k = 0; k < u->sys->n.nrot; k++) u->s.q[u->sys->rot_v[k] + k] = 1.0;
  CHECK_OK(trmi_system_start(u->sys, &u->s, &err), err);
}

/* An allocator whose n-th allocation fails. */
typedef struct failing {
  int left, live;
} failing;

static inline void *failing_alloc(void *self, size_t bytes) {
  failing *f = self;
  if (f->left-- <= 0) return NULL;
  f->live++;
  return malloc(bytes);
}

#endif
