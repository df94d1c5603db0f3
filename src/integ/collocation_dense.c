/* collocation_dense.c - polynomials of a step: first iterate of the next one, dense output.
 *
 * Predictor: v', lam, mu, x', w of the stages of the previous step are extrapolated by the
 * polynomial through them; psi'' follows from
 *   v' = T psi'' + T' psi'                                                   (1)
 * with psi, psi' of psi'' = v'. Without a previous step they are those of the start, and lam, mu of
 * redundant constraints always are: their undetermined part would be extrapolated from step to step
 * and grow.
 *
 * Dense output, x in 0 .. 1: psi'' and x' by the polynomial p through the start and the
 * stages, integrated from the start; for three and more stages the integral over the step
 * is that of the method. v' at the start may contain a stiff vibration of negligible amplitude that
 * the stages do not resolve: if it differs from the polynomial through the stages by more than
 * these differ from each other, p is that polynomial. The difference left by the closing projection
 * (and by two stages), D in psi and E in psi', is spread smoothly:
 *   psi = h v0 x + h^2 int int p + D x^2 (3 - 2 x) + h E x^2 (x - 1)         (2)
 *   x   = x0 + h int p + (x1 - end) x^2 (3 - 2 x)                            (3)
 * Where (2) violates g = 0 by more than the tolerance, q and v are projected onto the constraints:
 * a motion prescribed by a law with corners is accurate at the stages and the end, but not between
 * them                                                                                       (5)
 * v', lam, mu, x', w are solved for at that point. Stiff forces turn the small error of (2) into a
 * large one there: if a list leaves the range of its values at the ends and inner stages of the
 * step by more than that range, all lists are interpolated linearly between these values
 * instead                                                                                    (4)
 *
 * Through positions, such forces turn that error into large loads as well: stiff parts get a stage
 * of their own at the sample (dense_stage.c), which is used if its accelerations differ from those
 * at (2) by much more than it has changed (2)                                                (7)
 *
 * Integrals over the step of a function P of the state: by the stages, and the error estimated from
 * the integral without the last of them,
 *   h sum_i b_i P_i,   h b_s (P_s - sum_j l_j(1) P_j)                                     (6)
 * with the Lagrange polynomials l_j of the nodes c_1 .. c_(s-1).
 *
 * Derivation: docs/theory/08-collocation.md. */
#include "integ/collocation.h"
#include "integ/point_sums.h"
#include "math/both.h"
#include "math/so3.h"
#include <math.h>
#include <string.h>

/* |g| / scale that samples of runs with fixed steps may have. */
#define FIXED_STEP_LIMIT 1e-5

/* (7) */
static const double much = 3.0;

/* --- predictor ---------------------------------------------------------------------- */

void trmi_collocation_keep(trmi_collocation *co, double h) {
  const trm_system *sys = co->ctx.sys;
  for (int i = 0; i < co->rk->s; i++) {
    memcpy(co->p[i], co->z[i], (size_t)trmi_places_of(sys).n * sizeof(double));
    if (sys->n.nrot == 0) continue;
    trmi_collocation_stage(co, i, h);
    memcpy(co->p[i], co->stage.vd, (size_t)sys->n.nv * sizeof(double));
  }
  co->rk_old = co->rk;
  co->h = h;
}

/* (1) for the rotations of stage i, whose z holds v' */
static void turn(trmi_collocation *co, int i) {
  const trm_system *sys = co->ctx.sys;
  for (int k = 0; k < sys->n.nrot; k++) {
    const int m = sys->rot_v[k];
    const double *rate = co->rate[i] + m;
    double Tinv[9], Tdot[9], rest[3];
    trmi_so3_Tinv(co->psi[i] + m, Tinv);
    trmi_so3_Tdot(co->psi[i] + m, rate, Tdot);
    for (int e = 0; e < 3; e++) {
      rest[e] = co->d[i][m + e] - Tdot[3 * e] * rate[0] - Tdot[3 * e + 1] * rate[1] -
                Tdot[3 * e + 2] * rate[2];
    }
    for (int e = 0; e < 3; e++) {
      co->z[i][m + e] =
          Tinv[3 * e] * rest[0] + Tinv[3 * e + 1] * rest[1] + Tinv[3 * e + 2] * rest[2];
    }
  }
}

/* Number of passes over the stages, since each changes the others. */
enum { MATCHES = 2 };

/* Weight of node j at two points x, in the polynomial through n nodes c. */
static trmi_both weight_of(int n, const double *c, int j, trmi_both x) {
  trmi_both w = both(1.0, 1.0);
  for (int k = 0; k < n; k++) {
    const double apart = c[j] - c[k];
    if (k != j) w = both_mul(w, both_div(both_sub(x, both(c[k], c[k])), both(apart, apart)));
  }
  return w;
}

/* States that can solve their own equations at the predicted motion do so, stage by stage: with the
 * other stages fixed, x_i depends on x'_i by h a_ii (match_states of trm_system_ops). radau does
 * not use this: the period of stick-slip had an error of 1.04 % instead of .22 %, perhaps because
 * the first correction from there is so small that it is accepted too early. */
static void match_states(trmi_collocation *co, double h) {
  const trm_system *sys = co->ctx.sys;
  const int s = co->rk->s, at_x = trmi_places_of(sys).x;
  bool is_new = false;
  if (!co->is_tdg || sys->ops->match_states == NULL) return;
  for (int k = 0; k < MATCHES * s; k++) {
    const int i = k % s;
    const double slope = 1.0 / (h * co->rk->a[i * s + i]);
    double *change = co->d[i];
    trmi_collocation_stage(co, i, h);
    memset(change, 0, (size_t)sys->n.nx * sizeof *change);
    if (!sys->ops->match_states(sys->self, &co->stage, slope, change, &is_new)) continue;
    for (int m = 0; m < sys->n.nx; m++) co->z[i][at_x + m] += slope * change[m];
  }
}

/* The stages of the previous step, extrapolated to stage i and the next one. */
static void extrapolate(trmi_collocation *co, double h, int i) {
  const trmi_collocation_table *rk = co->rk, *old = co->rk_old;
  const int n = trmi_places_of(co->ctx.sys).n, next = i + 1 < rk->s ? i + 1 : i;
  const trmi_both x = both(1.0 + rk->c[i] * h / co->h, 1.0 + rk->c[next] * h / co->h);
  double weight[2][STAGES_MAX];
  for (int j = 0; j < old->s; j++) {
    const trmi_both w = weight_of(old->s, old->c, j, x);
    weight[0][j] = both_at(w, 0), weight[1][j] = both_at(w, 1);
  }
  for (int k = i; k <= next; k++) {
    trmi_point_values((const double *const *)co->p, weight[k - i], old->s, n, co->z[k]);
  }
}

static void predict(trmi_collocation *co, double h) {
  const trm_system *sys = co->ctx.sys;
  const trmi_places at = trmi_places_of(sys);
  const int s = co->rk->s;
  const bool is_redundant = co->real.plan.nborder > 0;
  const size_t bytes_lam = (size_t)sys->n.ng * sizeof(double);
  const size_t bytes_mu = (size_t)sys->n.na * sizeof(double);
  for (int i = 0; i < s; i++) {
    if (co->h == 0.0) {
      trmi_unknowns_gather(sys, &co->now, co->z[i]);
      continue;
    }
    if (i % 2 == 0) extrapolate(co, h, i);
    if (is_redundant && sys->n.ng > 0) memcpy(co->z[i] + at.lam, co->now.lam, bytes_lam);
    if (is_redundant && sys->n.na > 0) memcpy(co->z[i] + at.mu, co->now.mu, bytes_mu);
  }
  if (sys->n.nrot == 0) return;
  for (int i = 0; i < s; i++) {
    memcpy(co->d[i], co->z[i], (size_t)sys->n.nv * sizeof(double));
    trmi_collocation_stage(co, i, h);
  }
  for (int i = 0; i < s; i++) turn(co, i);
}

void trmi_collocation_predict(trmi_collocation *co, double h) {
  predict(co, h);
  match_states(co, h);
}

/* --- dense output -------------------------------------------------------------------- */

/* Weights of y'(0) and of the stages in p, int p, int int p at x. */
static void weights(const trmi_collocation_table *rk, double x, double w[3][STAGES_MAX + 1]) {
  const int n = rk->s + 1;
  for (int j = 0; j < n; j++) {
    const double *power = rk->dense + j * n;
    w[0][j] = w[1][j] = w[2][j] = 0.0;
    for (int k = n - 1; k >= 0; k--) {
      w[0][j] = w[0][j] * x + power[k];
      w[1][j] = w[1][j] * x + power[k] / (k + 1);
      w[2][j] = w[2][j] * x + power[k] / ((k + 1) * (k + 2));
    }
    w[1][j] *= x;
    w[2][j] *= x * x;
  }
}

/* Row m of the stages, with weights. */
static double sum_of(const trmi_collocation *co, const double *w, double start, int m) {
  double sum = w[0] * start;
  for (int j = 0; j < co->rk_old->s; j++) sum += w[j + 1] * co->z[j][m];
  return sum;
}

/* psi'' at the start of the step for dense output, into `start`. */
static void choose_start(const trmi_collocation *co, double *start) {
  const trmi_collocation_table *rk = co->rk_old;
  const int s = rk->s, nv = co->ctx.sys->n.nv;
  const double *given = co->next.vd; /* swapped by accept */
  double at_start[STAGES_MAX], off = 0.0, range = 0.0;
  for (int j = 0; j < s; j++) {
    at_start[j] = 1.0;
    for (int k = 0; k < s; k++) {
      if (k != j) at_start[j] *= rk->c[k] / (rk->c[k] - rk->c[j]);
    }
  }
  for (int m = 0; m < nv; m++) {
    const double scale = co->ctx.scale_v[m];
    const double apart = trmi_collocation_range(co, s, m) / scale;
    start[m] = 0.0;
    for (int j = 0; j < s; j++) start[m] += at_start[j] * co->z[j][m];
    off += (given[m] - start[m]) / scale * ((given[m] - start[m]) / scale);
    range += apart * apart;
  }
  if (off <= range && nv > 0) memcpy(start, given, (size_t)nv * sizeof(double));
}

/* v', lam, mu, x', w at node k of the last step: its start, inner stages, its end. */
static double at_node(const trmi_collocation *co, int k, int nodes, int m) {
  return k == 0 ? co->first[m] : k == nodes - 1 ? co->last[m] : co->p[k - 1][m];
}

/* Position of node k in the step. tdg uses only the ends: its inner stage has first order. */
static double place_of(const trmi_collocation *co, int k, int nodes) {
  return k == 0 ? 0.0 : k == nodes - 1 ? 1.0 : co->rk_old->c[k - 1];
}

static int nodes_of(const trmi_collocation *co) {
  return co->is_tdg ? 2 : co->rk_old->s + 1;
}

/* (4) for components first .. end - 1 of `found`. */
static bool leaves_range(const trmi_collocation *co, int nodes, int first, int end,
                         const double *found) {
  double range = 0.0, beyond = 0.0;
  for (int m = first; m < end; m++) {
    double low = at_node(co, 0, nodes, m), high = low;
    for (int k = 1; k < nodes; k++) {
      low = fmin(low, at_node(co, k, nodes, m));
      high = fmax(high, at_node(co, k, nodes, m));
    }
    range = fmax(range, high - low);
    beyond = fmax(beyond, fmax(low - found[m], found[m] - high));
  }
  return !(beyond <= range);
}

/* v', lam, mu, x', w by linear interpolation between these nodes, at x of the step. */
static void go_between(trmi_collocation *co, double x, double *found) {
  const trm_system *sys = co->ctx.sys;
  const int n = trmi_places_of(sys).n, nodes = nodes_of(co);
  trmi_unknowns_gather(sys, &co->next, co->first);
  trmi_unknowns_gather(sys, &co->now, co->last);
  int k = 1;
  while (k < nodes - 1 && x > place_of(co, k, nodes)) k++;
  const double a = place_of(co, k - 1, nodes), b = place_of(co, k, nodes);
  for (int m = 0; m < n; m++) {
    const double low = at_node(co, k - 1, nodes, m), high = at_node(co, k, nodes, m);
    found[m] = low + (high - low) * (x - a) / (b - a);
  }
}

/* (4) at x of the step; s holds the solution. */
static void keep_in_range(trmi_collocation *co, double x, trm_state *s) {
  const trm_system *sys = co->ctx.sys;
  const trmi_places at = trmi_places_of(sys);
  const int nodes = nodes_of(co);
  double *found = co->re, *between = co->im;
  go_between(co, x, between);
  trmi_unknowns_gather(sys, s, found);
  if (leaves_range(co, nodes, at.v, at.lam, found) ||
      leaves_range(co, nodes, at.lam, at.x, found)) {
    trmi_unknowns_scatter(sys, between, s);
  }
}

/* v = T(psi) psi' */
static void turn_rates(const trm_system *sys, const double *psi, const double *rate, double *v) {
  if (sys->n.nv > 0) memcpy(v, rate, (size_t)sys->n.nv * sizeof(double));
  for (int k = 0; k < sys->n.nrot; k++) {
    const int m = sys->rot_v[k];
    double T[9];
    trmi_so3_T(psi + m, T);
    for (int e = 0; e < 3; e++) {
      v[m + e] = T[3 * e] * rate[m] + T[3 * e + 1] * rate[m + 1] + T[3 * e + 2] * rate[m + 2];
    }
  }
}

/* (1) for all rotations; `acc` has psi''. */
static void turn_accelerations(const trm_system *sys, const double *psi, const double *rate,
                               const double *acc, double *vd) {
  turn_rates(sys, psi, acc, vd);
  for (int k = 0; k < sys->n.nrot; k++) {
    const int m = sys->rot_v[k];
    double Tdot[9];
    trmi_so3_Tdot(psi + m, rate + m, Tdot);
    for (int e = 0; e < 3; e++) {
      const double *row = Tdot + 3 * e;
      vd[m + e] += row[0] * rate[m] + row[1] * rate[m + 1] + row[2] * rate[m + 2];
    }
  }
}

/* (2) and (3) at time t, and the slopes there as v' and x'. */
static void follow_polynomial(trmi_collocation *co, double t, trm_state *s) {
  const trm_system *sys = co->ctx.sys;
  const trmi_places at = trmi_places_of(sys);
  const trm_state *s0 = &co->next, *s1 = &co->now; /* swapped by accept */
  const double h = co->h, x = (t - s0->t) / h;
  double w[3][STAGES_MAX + 1], end[3][STAGES_MAX + 1];
  weights(co->rk_old, x, w);
  weights(co->rk_old, 1.0, end);
  double *psi = co->re, *rate = co->im, *start = co->work, *acc = co->work + at.n;
  choose_start(co, start);
  trmi_state_copy(sys, s1, s);
  for (int m = 0; m < sys->n.nv; m++) { /* (2) */
    const double v0 = s0->v[m], a0 = start[m];
    const double D = co->psi_end[m] - h * (v0 + h * sum_of(co, end[2], a0, m));
    const double E = co->rate_end[m] - v0 - h * sum_of(co, end[1], a0, m);
    psi[m] = h * (v0 * x + h * sum_of(co, w[2], a0, m)) + D * x * x * (3 - 2 * x) +
             h * E * x * x * (x - 1);
    rate[m] = v0 + h * sum_of(co, w[1], a0, m) + 6 * D / h * x * (1 - x) + E * x * (3 * x - 2);
    acc[m] = sum_of(co, w[0], a0, m);
  }
  for (int m = 0; m < sys->n.nx; m++) { /* (3) */
    const double left = s1->x[m] - s0->x[m] - h * sum_of(co, end[1], s0->xd[m], at.x + m);
    s->x[m] = s0->x[m] + h * sum_of(co, w[1], s0->xd[m], at.x + m) + left * x * x * (3 - 2 * x);
    s->xd[m] = sum_of(co, w[0], s0->xd[m], at.x + m);
  }
  trm_system_retract(sys, s0->q, psi, s->q);
  turn_rates(sys, psi, rate, s->v);
  turn_accelerations(sys, psi, rate, acc, s->vd);
  trmi_state_at(sys, s1, t, s);
}

/* (5); if the projection fails, close to a singular pose, the polynomial is kept. */
static trm_status satisfy_constraints(trmi_collocation *co, double t, double limit, trm_state *s,
                                      trm_error *err) {
  trm_system *sys = co->ctx.sys;
  if (sys->n.ng == 0) return TRM_OK;
  double *g = co->re, worst = 0.0;
  TRMI_TRY(err, trm_system_values(sys, s, &(trm_values){.g = g}, err));
  for (int i = 0; i < sys->n.ng; i++) worst = fmax(worst, fabs(g[i]) / sys->scale_g[i]);
  if (worst <= limit) return TRM_OK;
  if (trmi_consistent_positions(&co->dense, s, 10, err) != TRM_OK ||
      trmi_consistent_velocities(&co->dense, s, err) != TRM_OK) {
    follow_polynomial(co, t, s);
  }
  return TRM_OK;
}

/* The whole state at t except for (7) and (4). Off the constraint manifold redundant constraints
 * contradict each other: if no accelerations exist at (2), they do after (2) is projected. */
static trm_status solve_at(trmi_collocation *co, double t, trm_state *s, trm_error *err) {
  const trm_options *opt = co->ctx.options;
  const double limits[2] = {opt->nsteps > 0 ? FIXED_STEP_LIMIT : opt->tolerance, 0.0};
  const int tries = co->dense.bordered ? 2 : 1;
  trm_error own;
  trm_status status = TRM_RETRY_NEWTON;
  for (int k = 0; k < tries && status > 0; k++) {
    trmi_error_clear(&own);
    follow_polynomial(co, t, s);
    TRMI_TRY(err, satisfy_constraints(co, t, limits[k], s, err));
    status = trmi_consistent_accelerations(&co->dense, s, &own);
  }
  if (status == TRM_OK) return TRM_OK;
  if (err != NULL) *err = own;
  return trmi_note(err, __func__, status);
}

/* Distance of accelerations, rms over the scales. */
static double apart(const trmi_collocation *co, const double *one, const double *two) {
  const int nv = co->ctx.sys->n.nv;
  double sum = 0.0;
  for (int m = 0; m < nv; m++) {
    const double e = (one[m] - two[m]) / co->ctx.scale_v[m];
    sum += e * e;
  }
  return sqrt(sum / fmax(nv, 1));
}

/* Prediction of the stage at t: (2), (3), and multipliers between those of the nodes. */
static void begin_stage(trmi_collocation *co, double t, trm_state *s) {
  const trm_system *sys = co->ctx.sys;
  const trmi_places at = trmi_places_of(sys);
  double *begin = co->re, *slopes = co->work;
  follow_polynomial(co, t, s);
  trmi_unknowns_gather(sys, s, slopes);
  go_between(co, (t - co->next.t) / co->h, begin);
  for (int m = at.v; m < at.lam; m++) begin[m] = slopes[m];
  for (int m = at.x; m < at.w; m++) begin[m] = slopes[m];
  trmi_unknowns_scatter(sys, begin, s);
}

/* z1 and z2 of dense_stage.c: those of the matrices of steps. */
static const double *coefficients(const trmi_collocation *co, double z[2]) {
  const double h = co->h, gamma = co->rk_old->gamma;
  z[0] = co->is_tdg ? h / 2 : h * gamma;
  z[1] = co->is_tdg ? h * h / 6 : h * h * gamma * gamma;
  return z;
}

/* (7) at t; s has the accelerations at (2). Returns whether s is now the stage. */
static trm_status look_for_stage(trmi_collocation *co, double t, trm_state *s, bool *is_taken,
                                 trm_error *err) {
  trmi_dense_stage *inside = &co->inside;
  double z[2];
  *is_taken = false;
  begin_stage(co, t, &inside->smooth);
  bool is_found = false;
  TRMI_TRY(err, trmi_dense_stage_solve(inside, &inside->smooth, coefficients(co, z), &is_found,
                                       err));
  if (!is_found) return TRM_OK;
  trm_error own;
  trmi_error_clear(&own);
  const trm_status status = trmi_consistent_accelerations(&co->dense, &inside->s, &own);
  if (status < 0 && err != NULL) *err = own;
  if (status != TRM_OK) return status < 0 ? status : TRM_OK;
  *is_taken = apart(co, s->vd, inside->s.vd) > much * inside->change;
  if (*is_taken) trmi_state_copy(co->ctx.sys, &inside->s, s);
  return TRM_OK;
}

static trm_status is_stiff(trmi_collocation *co, bool *answer, trm_error *err) {
  double z[2];
  return trmi_dense_stage_is_stiff(&co->inside, &co->now, coefficients(co, z)[1], answer, err);
}

trm_status trmi_collocation_interpolate(trmi_collocation *co, double t, trm_state *s,
                                        trm_error *err) {
  bool has_stiff = false, is_taken = false;
  TRMI_TRY(err, solve_at(co, t, s, err));
  TRMI_TRY(err, is_stiff(co, &has_stiff, err));
  if (has_stiff) TRMI_TRY(err, look_for_stage(co, t, s, &is_taken, err));
  keep_in_range(co, (t - co->next.t) / co->h, s);
  return TRM_OK;
}

trm_status trmi_collocation_relax(trmi_collocation *co, trm_state *s, trm_error *err) {
  bool has_stiff = false, is_taken = false;
  if (co->h == 0.0) return TRM_OK;
  TRMI_TRY(err, is_stiff(co, &has_stiff, err));
  if (!has_stiff) return TRM_OK;
  trm_error own; /* its positions may be as accurate as possible */
  trmi_error_clear(&own);
  const trm_status status = trmi_consistent_accelerations(&co->dense, s, &own);
  if (status == TRM_OK) TRMI_TRY(err, look_for_stage(co, s->t, s, &is_taken, err));
  if (!is_taken) trmi_state_copy(co->ctx.sys, &co->now, s);
  if (status < 0 && err != NULL) *err = own;
  return status < 0 ? status : TRM_OK;
}

bool trmi_collocation_recall(trmi_collocation *co, int i, trmi_stage *out) {
  const trm_system *sys = co->ctx.sys;
  const trmi_collocation_table *rk = co->rk_old;
  const int s = rk->s, first = trmi_places_of(sys).x;
  const trm_state *s0 = &co->next; /* swapped by accept */
  trm_state *state = out->state;
  if (co->h == 0.0 || i >= s) return false;
  const double *b = rk->a + (s - 1) * s, *a = rk->a + i * s;
  out->weight = co->h * b[i];
  out->off = co->h * b[s - 1];
  out->is_end = i == s - 1;
  if (out->is_end) return true;
  out->off *= -both_at(weight_of(s - 1, rk->c, i, both(1.0, 1.0)), 0); /* (6) */
  if (sys->n.nx > 0) memcpy(state->x, s0->x, (size_t)sys->n.nx * sizeof(double));
  if (sys->n.nz > 0) memcpy(state->z, s0->z, (size_t)sys->n.nz * sizeof(double));
  trmi_state_at(sys, s0, s0->t + rk->c[i] * co->h, state);
  trm_system_retract(sys, s0->q, co->psi[i], state->q);
  turn_rates(sys, co->psi[i], co->rate[i], state->v);
  for (int m = 0; m < sys->n.nx; m++) {
    for (int j = 0; j < s; j++) state->x[m] += co->h * a[j] * co->z[j][first + m];
  }
  trmi_unknowns_scatter(sys, co->p[i], state);
  return true;
}
