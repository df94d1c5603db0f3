/* si2.h - dense matrices and the full Newton system of a step, for tests. */
#ifndef TRM_TEST_SI2_H
#define TRM_TEST_SI2_H
#include "check.h"
#include "integ/alpha.h"
#include "integ/driver.h"
#include "trammel/trammel.h"
#include <lapacke.h>
#include <string.h>

/* --- random numbers with a fixed start -------------------------------------- */

static uint64_t seed;
static inline double uniform(void) { /* -1 .. 1 */
  seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
  return (double)(int64_t)seed / 9223372036854775808.0;
}

/* --- a system that is nothing but random blocks ------------------------------ */

enum { NV = 9, NROT = 2, NG = 3, NA = 1, NX = 2, NW = 2 };

static inline void noise_sizes(const void *self, trm_sizes *n) {
  (void)self;
  *n = (trm_sizes){.nv = NV, .nrot = NROT, .ng = NG, .na = NA, .nx = NX, .nw = NW};
}
static inline int noise_rotation(const void *self, int i) {
  (void)self;
  return i == 0 ? 3 : 6;
}
static inline void noise_patterns(const void *self, trm_pattern *p) {
  (void)self;
  const trm_sizes n = {.nv = NV, .nrot = NROT, .ng = NG, .na = NA, .nx = NX, .nw = NW};
  for (int b = 0; b < TRM_BLOCKS; b++) {
    trm_pattern_dense(p, (trm_block)b, 0, 0, trmi_block_rows(&n, (trm_block)b),
                      trmi_block_cols(&n, (trm_block)b));
  }
}
static inline trm_status noise_start(void *self, trm_state *s, trm_error *err) {
  (void)self, (void)s, (void)err;
  return TRM_OK;
}
static inline trm_status noise_values(void *self, const trm_state *s, const trm_values *out,
                                      trm_error *err) {
  (void)self, (void)s, (void)err;
  double *const lists[] = {out->motion, out->g, out->g_rate, out->g_bias, out->a_rate,
                           out->a_bias, out->d, out->w};
  const int count[] = {NV, NG, NG, NG, NA, NA, NX, NW};
  for (int l = 0; l < 8; l++) {
    if (lists[l] != NULL) memset(lists[l], 0, (size_t)count[l] * sizeof(double));
  }
  return TRM_OK;
}
static inline trm_status noise_blocks(void *self, const trm_state *s,
                                      const trm_block_request *request, trm_error *err) {
  (void)s, (void)err;
  const trm_sizes n = {.nv = NV, .nrot = NROT, .ng = NG, .na = NA, .nx = NX, .nw = NW};
  seed = *(uint64_t *)self; /* the same numbers at every call */
  for (int b = 0; b < TRM_BLOCKS; b++) {
    const int rows = trmi_block_rows(&n, (trm_block)b), cols = trmi_block_cols(&n, (trm_block)b);
    for (int k = 0; k < rows * cols; k++) {
      double value = uniform();
      /* own pivots for M, D_XD, W_W, so that the system is well posed */
      if (b == TRM_M) value = k / cols == k % cols ? 4.0 + value : 0.2 * value;
      if (b == TRM_D_XD) value += k / cols == k % cols ? 3.0 : 0.0;
      if (b == TRM_W_W) value *= 0.3;
      if (request->values[b] != NULL) request->values[b][k] = value;
    }
  }
  return TRM_OK;
}
static const trm_system_ops noise = {.name = "noise", .sizes = noise_sizes,
    .rotation = noise_rotation, .patterns = noise_patterns, .start = noise_start,
    .values = noise_values, .gives_rates = true, .blocks = noise_blocks};

/* --- dense matrices, row major ------------------------------------------------ */

enum { FULL_MAX = 400 };
static double full[FULL_MAX * FULL_MAX], rhs[FULL_MAX];
static int full_n;

/* full(row.., col..) += factor * S, S^T, or S T */
static inline void add(const trm_system *sys, trm_block b, int row, int col, double factor,
                       bool transposed, const double *T) {
  const trmi_sparse *S = &sys->block[b];
  for (int k = 0; k < S->n; k++) {
    const int r = transposed ? S->col[k] : S->row[k], c = transposed ? S->row[k] : S->col[k];
    int rotation = -1;
    for (int m = 0; T != NULL && m < sys->n.nrot; m++) {
      if (c >= sys->rot_v[m] && c < sys->rot_v[m] + 3) rotation = m;
    }
    if (rotation < 0) {
      full[(row + r) * full_n + col + c] += factor * S->values[k];
      continue;
    }
    for (int m = 0; m < 3; m++) {
      const int first = sys->rot_v[rotation];
      full[(row + r) * full_n + col + first + m] +=
          factor * S->values[k] * T[9 * rotation + 3 * (c - first) + m];
    }
  }
}

static inline void solve_full(void) {
  static lapack_int pivot[FULL_MAX];
  const lapack_int info = LAPACKE_dgesv(LAPACK_ROW_MAJOR, full_n, 1, full, full_n, pivot, rhs, 1);
  assert_int_equal(info, 0);
}

/* Places of the unknowns of the full system. */
typedef struct places {
  int a, s, lam, mu, eta, zeta, y, w, ys, ws;
} places;

static inline places full_places(const trm_sizes *n) {
  places p = {.a = 0, .s = n->nv, .lam = 2 * n->nv};
  p.mu = p.lam + n->ng;
  p.eta = p.mu + n->na;
  p.zeta = p.eta + n->ng;
  p.y = p.zeta + n->na;
  p.w = p.y + n->nx;
  p.ys = p.w + n->nw;
  p.ws = p.ys + n->nx;
  full_n = p.ws + n->nw;
  return p;
}

/* Rows of motion, (1) or (2): unknowns a, multipliers lam and mu, states y, w. */
static inline void add_motion(const trmi_alpha *ga, double h, int row, const int at[5]) {
  const trm_system *sys = ga->ctx.sys;
  const double gh = ga->gamma * h;
  add(sys, TRM_M, row, at[0], ga->c, false, NULL);
  add(sys, TRM_C, row, at[0], gh, false, NULL);
  add(sys, TRM_G, row, at[1], 1, true, NULL);
  add(sys, TRM_A, row, at[2], 1, true, NULL);
  if (sys->n.nx > 0) add(sys, TRM_Q_X, row, at[3], -gh, false, NULL);
  if (sys->n.nw > 0) add(sys, TRM_Q_W, row, at[4], -1, false, NULL);
}

/* Rows of d and w, (5), without derivatives by q. */
static inline void add_states(const trmi_alpha *ga, double h, int row_x, int row_w,
                              const int at[5]) {
  const trm_system *sys = ga->ctx.sys;
  const double gh = ga->gamma * h, c = ga->c;
  if (sys->n.nx > 0) {
    add(sys, TRM_D_VD, row_x, at[0], c, false, NULL);
    add(sys, TRM_D_V, row_x, at[0], gh, false, NULL);
    add(sys, TRM_D_LAM, row_x, at[1], 1, false, NULL);
    add(sys, TRM_D_XD, row_x, at[3], c, false, NULL);
    add(sys, TRM_D_X, row_x, at[3], gh, false, NULL);
    add(sys, TRM_D_W, row_x, at[4], 1, false, NULL);
  }
  if (sys->n.nw > 0) {
    add(sys, TRM_W_VD, row_w, at[0], -c, false, NULL);
    add(sys, TRM_W_V, row_w, at[0], -gh, false, NULL);
    add(sys, TRM_W_LAM, row_w, at[1], -1, false, NULL);
    add(sys, TRM_W_XD, row_w, at[3], -c, false, NULL);
    add(sys, TRM_W_X, row_w, at[3], -gh, false, NULL);
    add(sys, TRM_W_W, row_w, at[4], -1, false, NULL);
    for (int i = 0; i < sys->n.nw; i++) full[(row_w + i) * full_n + at[4] + i] += 1;
  }
}

/* Everything that stands on da + ds. */
static inline void add_by_q(const trmi_alpha *ga, double h, const places *p) {
  const trm_system *sys = ga->ctx.sys;
  const double B = ga->beta * h * h, gh = ga->gamma * h;
  const int cols[2] = {p->a, p->s};
  for (int k = 0; k < 2; k++) {
    add(sys, TRM_K, p->a, cols[k], B, false, ga->T);
    add(sys, TRM_MU_Q, p->a, cols[k], B, false, ga->T);
    if (ga->traits->has_hessian) add(sys, TRM_GY_Q, p->a, cols[k], B, false, ga->T);
    if (ga->traits->has_hessian && sys->n.na > 0) {
      add(sys, TRM_AY_Q, p->a, cols[k], B, false, ga->T);
    }
    add(sys, TRM_G, p->lam, cols[k], 1, false, ga->T);
    add(sys, TRM_GV_Q, p->eta, cols[k], B / gh, false, ga->T);
    if (sys->n.na > 0) add(sys, TRM_AV_Q, p->mu, cols[k], B / gh, false, ga->T);
    if (sys->n.nx > 0) add(sys, TRM_D_Q, p->y, cols[k], B, false, ga->T);
    if (sys->n.nw > 0) add(sys, TRM_W_Q, p->w, cols[k], -B, false, ga->T);
  }
}

/* The matrix of (1)-(5); rows in the order of the unknowns they belong to. */
static inline places full_matrix(const trmi_alpha *ga, double h) {
  const trm_system *sys = ga->ctx.sys;
  const places p = full_places(&sys->n);
  memset(full, 0, (size_t)full_n * (size_t)full_n * sizeof(double));
  const int first[5] = {p.a, p.lam, p.mu, p.y, p.w}, second[5] = {p.s, p.eta, p.zeta, p.ys, p.ws};
  add_motion(ga, h, p.a, first);
  add_motion(ga, h, p.s, second);
  add_states(ga, h, p.y, p.w, first);
  add_states(ga, h, p.ys, p.ws, second);
  add_by_q(ga, h, &p);
  add(sys, TRM_G, p.eta, p.a, 1, false, NULL);
  if (sys->n.na > 0) {
    add(sys, TRM_A, p.mu, p.a, 1, false, NULL);
    add(sys, TRM_A, p.zeta, p.s, 1, false, NULL);
  }
  return p;
}

static inline trmi_alpha *kernel(trm_sim *sim) {
  return sim->integ;
}

/* An iterate with T != I, and residuals, at random. */
static inline void random_iterate(trmi_alpha *ga, double h, uint64_t trial) {
  trm_system *sys = ga->ctx.sys;
  const trm_sizes *n = &sys->n;
  const trmi_places at = trmi_places_of(sys);
  trm_state *s = &ga->next;
  double *const lists[] = {s->v, s->vd, s->lam, s->mu, s->x, s->xd, s->w};
  const int count[] = {n->nv, n->nv, n->ng, n->na, n->nx, n->nx, n->nw};
  trm_error err;
  trmi_alpha_predict(ga, h);
  seed = trial;
  for (int i = 0; i < n->nv; i++) ga->delta[i] = uniform();
  trm_system_retract(sys, ga->now.q, ga->delta, s->q);
  for (int l = 0; l < 7; l++) {
    for (int i = 0; i < count[l]; i++) lists[l][i] += uniform();
  }
  CHECK_OK(trmi_alpha_refresh(ga, h, ALPHA_INDEX3_MATRIX | ALPHA_PROJECTION_MATRIX, &err), err);
  seed = trial;
  for (int i = 0; i < at.n; i++) ga->r[i] = uniform();
  for (int i = 0; i < n->ng; i++) ga->g[i] = 0.1 * uniform(), ga->g_rate[i] = uniform();
  for (int i = 0; i < n->na; i++) ga->a_rate[i] = uniform();
}

static inline void full_rhs(const trmi_alpha *ga, double h, const places *p) {
  const trm_sizes *n = &ga->ctx.sys->n;
  const trmi_places at = trmi_places_of(ga->ctx.sys);
  memset(rhs, 0, sizeof rhs);
  for (int i = 0; i < n->nv; i++) rhs[p->a + i] = -ga->r[i];
  for (int i = 0; i < n->nx; i++) rhs[p->y + i] = -ga->r[at.x + i];
  for (int i = 0; i < n->nw; i++) rhs[p->w + i] = -ga->r[at.w + i];
  for (int i = 0; i < n->ng; i++) {
    rhs[p->lam + i] = -ga->g[i] / (ga->beta * h * h);
    rhs[p->eta + i] = -ga->g_rate[i] / (ga->gamma * h);
  }
  for (int i = 0; i < n->na; i++) rhs[p->mu + i] = -ga->a_rate[i] / (ga->gamma * h);
}

/* One correction from a random iterate against the full system, to tol of the largest number; by
 * the matrices there are, or by the same made anew. */
static inline void check_correction(trm_system *sys, const trm_options *opt, uint64_t trial,
                                    double tol) {
  const trm_sizes *n = &sys->n;
  const trmi_places at = trmi_places_of(sys);
  const double h = opt->steps[0];
  const char *form = opt->formulation != NULL ? opt->formulation : "si2";
  trm_error err;
  trm_sim *sim = NULL;
  CHECK_OK(trm_sim_create(sys, opt, &sim, &err), err);
  trmi_alpha *ga = kernel(sim);
  random_iterate(ga, h, trial);
  const places p = full_matrix(ga, h);
  full_rhs(ga, h, &p);
  solve_full();
  const int both = ALPHA_INDEX3_MATRIX | ALPHA_PROJECTION_MATRIX;
  CHECK_OK(trial % 2 == 0 ? trmi_alpha_renew(ga, h, both, &err)
                          : trmi_alpha_correct(ga, h, &err), err);

  double size = 1;
  for (int i = 0; i < full_n; i++) size = fmax(size, fabs(rhs[i]));
  const struct {
    const char *name;
    int         ours, full, count;
  } sums[] = {{"da", 0, p.a, n->nv},         {"dlam", at.lam, p.lam, n->ng},
              {"dmu", at.mu, p.mu, n->na},   {"dy", at.x, p.y, n->nx},
              {"dw", at.w, p.w, n->nw}};
  for (int l = 0; l < 5; l++) {
    for (int i = 0; i < sums[l].count; i++) {
      const double sum = ga->r[sums[l].ours + i] + ga->r2[sums[l].ours + i];
      CHECK_NEAR(sum, rhs[sums[l].full + i], tol * size, "%s: %s[%d], trial %d", form,
                 sums[l].name, i, (int)trial);
    }
  }
  for (int i = 0; i < n->nv; i++) CHECK_NEAR(-ga->r2[i], rhs[p.s + i], tol * size, "ds[%d]", i);
  for (int i = 0; i < n->ng; i++) {
    CHECK_NEAR(-ga->r2[at.lam + i], rhs[p.eta + i], tol * size, "deta[%d]", i);
  }
  trm_sim_free(sim);
}

/* --- iterations: the full system, solved step by step beside ours ---------------- */

/* The iterate of the full Newton method. */
typedef struct iterate {
  double a[FULL_MAX], s[FULL_MAX], lam[FULL_MAX], eta[FULL_MAX];
  double q[FULL_MAX], delta[FULL_MAX];
} iterate;

/* Residual of motion, constraints, and r2 = M_C s + G^T eta, into rhs (negative). */
static inline void full_residual(trmi_alpha *ga, double h, const places *p, const iterate *z) {
  trm_system *sys = ga->ctx.sys;
  const int nv = sys->n.nv, ng = sys->n.ng;
  trm_error err;
  const trm_values out = {.motion = ga->r, .g = ga->g, .g_rate = ga->g_rate};
  CHECK_OK(trm_system_values(sys, &ga->next, &out, &err), err);
  memset(rhs, 0, sizeof rhs);
  for (int i = 0; i < nv; i++) rhs[p->a + i] = -ga->r[i];
  for (int i = 0; i < ng; i++) rhs[p->lam + i] = -ga->g[i] / (ga->beta * h * h);
  for (int i = 0; i < ng; i++) rhs[p->eta + i] = -ga->g_rate[i] / (ga->gamma * h);
  trmi_sparse_add_mul(&sys->block[TRM_M], -ga->c, z->s, rhs + p->s);
  trmi_sparse_add_mul(&sys->block[TRM_C], -ga->gamma * h, z->s, rhs + p->s);
  const trmi_sparse *G = &sys->block[TRM_G];
  for (int k = 0; k < G->n; k++) rhs[p->s + G->col[k]] -= G->values[k] * z->eta[G->row[k]];
}

/* Iterations the full system needs with the matrix of the predicted state. */
static inline int full_newton(trmi_alpha *ga, double h, double limit, iterate *z) {
  trm_system *sys = ga->ctx.sys;
  const int nv = sys->n.nv, ng = sys->n.ng;
  const double B = ga->beta * h * h;
  trm_error err;
  trmi_alpha_predict(ga, h);
  *z = (iterate){0};
  CHECK_OK(trmi_alpha_refresh(ga, h, ALPHA_INDEX3_MATRIX | ALPHA_PROJECTION_MATRIX, &err), err);
  double last = 0, ratio = pow(0.5, 0.8);
  for (int k = 0; k < 30; k++) {
    const places p = full_matrix(ga, h);
    full_residual(ga, h, &p, z);
    solve_full();
    double sum_P = 0, sum_a = 0;
    for (int i = 0; i < nv; i++) {
      const double da = rhs[p.a + i], P = da + rhs[p.s + i];
      z->s[i] += rhs[p.s + i];
      ga->a_next[i] += da;
      ga->next.v[i] += ga->gamma * h * da;
      ga->next.vd[i] += ga->c * da;
      ga->delta[i] += B * P;
      sum_P += P * P, sum_a += da * da;
    }
    for (int i = 0; i < ng; i++) ga->next.lam[i] += rhs[p.lam + i], z->eta[i] += rhs[p.eta + i];
    trm_system_retract(sys, ga->now.q, ga->delta, ga->next.q);
    const double size = B * sqrt(fmax(sum_P, sum_a) / nv);
    if (k > 0) ratio = last > 0 ? size / last : 0;
    last = size;
    if ((ratio < 0.99 && ratio / (1 - ratio) * size <= limit) || size <= 1e-2 * limit) {
      memcpy(z->q, ga->next.q, (size_t)sys->nq * sizeof(double));
      return k + 1;
    }
  }
  return 30;
}

/* Runs `steps` steps and compares iterations and positions step by step. */
static inline void compare_iterations(trm_system *sys, double h, int steps, const char *what) {
  static iterate z;
  trm_error err;
  trm_options opt = trm_options_default();
  opt.end = h * steps;
  opt.nsteps = 1;
  opt.steps[0] = h;
  opt.newton_tolerance = 1e-10;
  opt.constraint_tolerance = 1e-7;
  opt.max_iterations = 30;
  trm_sim *sim = NULL;
  CHECK_OK(trm_sim_create(sys, &opt, &sim, &err), err);
  trmi_alpha *ga = kernel(sim);
  int total_full = 0, total = 0;
  for (int k = 0; k < steps; k++) {
    const int full_count = full_newton(ga, h, opt.newton_tolerance, &z);
    ga->h_matrix = 0.0; /* a new, full matrix at the predicted state for ours, too */
    ga->heavy = 1;
    ga->rate = 0.5;
    trmi_attempt result;
    CHECK_OK(sim->ops->attempt(sim->integ, h, &result, &err), err);
    total_full += full_count, total += result.iterations;
    if (result.iterations > full_count + 1) {
      fail_msg("%s step %d: %d iterations, the full system needs %d", what, k, result.iterations,
               full_count);
    }
    /* both solve to 1e-10; r2 = 0 changes q by O(h^5) */
    trm_system_difference(sys, ga->next.q, z.q, ga->turned);
    for (int i = 0; i < sys->n.nv; i++) {
      CHECK_NEAR(ga->turned[i], 0, 1e-8 + 10 * pow(h, 5), "%s step %d: q[%d]", what, k, i);
    }
    sim->ops->accept(sim->integ);
  }
  print_message("%s: %.2f iterations a step, full system %.2f\n", what, (double)total / steps,
                (double)total_full / steps);
  trm_sim_free(sim);
}

/* Two particles on rods, a third between them on springs: unit masses, gravity along
 * -y; particle 0 on a rod to the origin, 2 on a rod to particle 1; springs 0-1 and
 * 0-2 of stiffness k with lengths at which they rest at the start. No derivative is
 * given. */
typedef struct springs {
  double stiffness, damping;
} springs;

static inline void springs_sizes(const void *self, trm_sizes *n) {
  (void)self;
  *n = (trm_sizes){.nv = 6, .ng = 2};
}
static inline trm_status springs_start(void *self, trm_state *s, trm_error *err) {
  (void)self, (void)err;
  const double q[6] = {1, 0, 2, 0, 2, -1}, v[6] = {0, -1, 0, -2, -1, -2};
  memcpy(s->q, q, sizeof q);
  memcpy(s->v, v, sizeof v);
  return TRM_OK;
}
static inline void pull(const springs *k, const trm_state *s, int a, int b, double length,
                        double *r) {
  const double dx = s->q[2 * b] - s->q[2 * a], dy = s->q[2 * b + 1] - s->q[2 * a + 1];
  const double l = hypot(dx, dy);
  const double rate =
      (dx * (s->v[2 * b] - s->v[2 * a]) + dy * (s->v[2 * b + 1] - s->v[2 * a + 1])) / l;
  const double f = k->stiffness * (l - length) + k->damping * rate; /* on a towards b */
  r[2 * a] -= f * dx / l, r[2 * a + 1] -= f * dy / l;
  r[2 * b] += f * dx / l, r[2 * b + 1] += f * dy / l;
}
static inline trm_status springs_values(void *self, const trm_state *s, const trm_values *out,
                                        trm_error *err) {
  (void)err;
  const double *q = s->q, *v = s->v;
  const double dx = q[4] - q[2], dy = q[5] - q[3], du = v[4] - v[2], dw = v[5] - v[3];
  if (out->motion != NULL) {
    double *r = out->motion;
    for (int i = 0; i < 6; i++) r[i] = s->vd[i] + (i % 2 == 1 ? 9.81 : 0.0);
    pull(self, s, 0, 1, 1.0, r);
    pull(self, s, 0, 2, sqrt(2.0), r);
    r[0] += q[0] * s->lam[0], r[1] += q[1] * s->lam[0];
    r[2] -= dx * s->lam[1], r[3] -= dy * s->lam[1];
    r[4] += dx * s->lam[1], r[5] += dy * s->lam[1];
  }
  if (out->g != NULL) {
    out->g[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1), out->g[1] = 0.5 * (dx * dx + dy * dy - 1);
  }
  if (out->g_rate != NULL) {
    out->g_rate[0] = q[0] * v[0] + q[1] * v[1], out->g_rate[1] = dx * du + dy * dw;
  }
  if (out->g_bias != NULL) {
    out->g_bias[0] = v[0] * v[0] + v[1] * v[1], out->g_bias[1] = du * du + dw * dw;
  }
  return TRM_OK;
}
static const trm_system_ops springs_ops = {.name = "springs", .sizes = springs_sizes,
    .start = springs_start, .values = springs_values, .gives_rates = true};

#endif
