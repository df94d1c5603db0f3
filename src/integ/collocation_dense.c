/* collocation_dense.c - polynomials of a step: first iterate of the next one, dense output.
 *
 * Predictor: v', lam, mu, x', w of the stages of the step before are extrapolated by the
 * polynomial through them; psi'' follows from
 *   v' = T psi'' + T' psi'                                                   (1)
 * with psi, psi' of psi'' = v'. Without a step before they are those of the start, and so are
 * lam, mu of redundant constraints always: the part of them that nothing determines would be
 * extrapolated from step to step and grow.
 *
 * Dense output, x in 0 .. 1: psi'' and x' by the polynomial p through the start and the
 * stages, integrated from the start; for three and more stages the integral over the step
 * is that of the method. v' at the start may be that of a stiff vibration of no size which the
 * stages do not follow: where it is further off the polynomial through them than they are from
 * each other, p is that polynomial. The difference that the closing projection (and two stages)
 * leave, D in psi and E in psi', is spread smoothly:
 *   psi = h v0 x + h^2 int int p + D x^2 (3 - 2 x) + h E x^2 (x - 1)         (2)
 *   x   = x0 + h int p + (x1 - end) x^2 (3 - 2 x)                            (3)
 * Where (2) leaves g = 0 by more than the tolerance, q and v are projected onto the constraints: a
 * motion by a law with corners is right at the stages and the end, and far off between them  (5)
 * v', lam, mu, x', w are solved for at that point. Stiff forces turn the small error of (2) into a
 * large one there: where a list leaves, by more than its own range, what it was at the ends and the
 * inner stages of the step, all are interpolated between these linearly instead          (4)
 *
 * Integrals over the step of what depends on the state, P: by the stages, and how far off the
 * integral by all but the last of them is,
 *   h sum_i b_i P_i,   h b_s (P_s - sum_j l_j(1) P_j)                                     (6)
 * with the Lagrange polynomials l_j of the nodes c_1 .. c_(s-1).
 *
 * Derivation: docs/theory/08-collocation.md. */
#include "integ/collocation.h"
#include "math/so3.h"
#include <math.h>
#include <string.h>

/* |g| / scale that samples of runs with fixed steps may have. */
#define FIXED_STEP_LIMIT 1e-5

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

/* Times that stages are matched, since each changes the others. */
enum { MATCHES = 2 };

/* Weight of node j at x, in the polynomial through n nodes c. */
static double weight_of(int n, const double *c, int j, double x) {
  double w = 1.0;
  for (int k = 0; k < n; k++) {
    if (k != j) w *= (x - c[k]) / (c[j] - c[k]);
  }
  return w;
}

/* States that can solve their own equations at the predicted motion do so, stage after stage: with
 * the other stages as they are x_i follows x'_i with h a_ii (match_states of trm_system_ops). Not
 * those of radau: corrections from there are so small that it takes the first one too soon, and
 * stick-slip had a period off by 1.04 % instead of .22 %. */
static void match_states(trmi_collocation *co, double h) {
  const trm_system *sys = co->ctx.sys;
  const int s = co->rk->s, at_x = trmi_places_of(sys).x;
  if (!co->is_tdg || sys->ops->match_states == NULL) return;
  for (int k = 0; k < MATCHES * s; k++) {
    const int i = k % s;
    const double slope = 1.0 / (h * co->rk->a[i * s + i]);
    double *change = co->d[i];
    trmi_collocation_stage(co, i, h);
    memset(change, 0, (size_t)sys->n.nx * sizeof *change);
    if (!sys->ops->match_states(sys->self, &co->stage, slope, change)) continue;
    for (int m = 0; m < sys->n.nx; m++) co->z[i][at_x + m] += slope * change[m];
  }
}

static void predict(trmi_collocation *co, double h) {
  const trm_system *sys = co->ctx.sys;
  const trmi_collocation_table *rk = co->rk, *old = co->rk_old;
  const trmi_places at = trmi_places_of(sys);
  const int n = at.n, s = rk->s;
  const bool is_redundant = co->real.plan.nborder > 0;
  const size_t bytes_lam = (size_t)sys->n.ng * sizeof(double);
  const size_t bytes_mu = (size_t)sys->n.na * sizeof(double);
  for (int i = 0; i < s; i++) {
    if (co->h == 0.0) {
      trmi_unknowns_gather(sys, &co->now, co->z[i]);
      continue;
    }
    const double x = 1.0 + rk->c[i] * h / co->h;
    memset(co->z[i], 0, (size_t)n * sizeof(double));
    for (int j = 0; j < old->s; j++) {
      const double w = weight_of(old->s, old->c, j, x);
      for (int m = 0; m < n; m++) co->z[i][m] += w * co->p[j][m];
    }
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

/* Place of node k in the step. tdg has the ends only: its inner stage is of first order. */
static double place_of(const trmi_collocation *co, int k, int nodes) {
  return k == 0 ? 0.0 : k == nodes - 1 ? 1.0 : co->rk_old->c[k - 1];
}

/* (4) for numbers first .. end - 1 of `found`. */
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

/* (4) at x of the step; s holds the solution. */
static void keep_in_range(trmi_collocation *co, double x, trm_state *s) {
  const trm_system *sys = co->ctx.sys;
  const trmi_places at = trmi_places_of(sys);
  const int nodes = co->is_tdg ? 2 : co->rk_old->s + 1;
  double *found = co->re;
  trmi_unknowns_gather(sys, &co->next, co->first);
  trmi_unknowns_gather(sys, &co->now, co->last);
  trmi_unknowns_gather(sys, s, found);
  if (!leaves_range(co, nodes, at.v, at.lam, found) &&
      !leaves_range(co, nodes, at.lam, at.x, found)) {
    return;
  }
  int k = 1;
  while (k < nodes - 1 && x > place_of(co, k, nodes)) k++;
  const double a = place_of(co, k - 1, nodes), b = place_of(co, k, nodes);
  for (int m = 0; m < at.n; m++) {
    const double low = at_node(co, k - 1, nodes, m), high = at_node(co, k, nodes, m);
    found[m] = low + (high - low) * (x - a) / (b - a);
  }
  trmi_unknowns_scatter(sys, found, s);
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

/* (2) and (3) at time t. */
static void follow_polynomial(trmi_collocation *co, double t, trm_state *s) {
  const trm_system *sys = co->ctx.sys;
  const trmi_places at = trmi_places_of(sys);
  const trm_state *s0 = &co->next, *s1 = &co->now; /* swapped by accept */
  const double h = co->h, x = (t - s0->t) / h;
  double w[3][STAGES_MAX + 1], end[3][STAGES_MAX + 1];
  weights(co->rk_old, x, w);
  weights(co->rk_old, 1.0, end);
  double *psi = co->re, *rate = co->im, *start = co->work;
  choose_start(co, start);
  trmi_state_copy(sys, s1, s);
  for (int m = 0; m < sys->n.nv; m++) { /* (2) */
    const double v0 = s0->v[m], a0 = start[m];
    const double D = co->psi_end[m] - h * (v0 + h * sum_of(co, end[2], a0, m));
    const double E = co->rate_end[m] - v0 - h * sum_of(co, end[1], a0, m);
    psi[m] = h * (v0 * x + h * sum_of(co, w[2], a0, m)) + D * x * x * (3 - 2 * x) +
             h * E * x * x * (x - 1);
    rate[m] = v0 + h * sum_of(co, w[1], a0, m) + 6 * D / h * x * (1 - x) + E * x * (3 * x - 2);
  }
  for (int m = 0; m < sys->n.nx; m++) { /* (3) */
    const double left = s1->x[m] - s0->x[m] - h * sum_of(co, end[1], s0->xd[m], at.x + m);
    s->x[m] = s0->x[m] + h * sum_of(co, w[1], s0->xd[m], at.x + m) + left * x * x * (3 - 2 * x);
  }
  trm_system_retract(sys, s0->q, psi, s->q);
  turn_rates(sys, psi, rate, s->v);
  trmi_state_at(sys, s1, t, s);
}

/* (5); where the projection fails, close to a singular pose, the polynomial stays. */
static trm_status satisfy_constraints(trmi_collocation *co, double t, trm_state *s,
                                      trm_error *err) {
  trm_system *sys = co->ctx.sys;
  const trm_options *opt = co->ctx.options;
  if (sys->n.ng == 0) return TRM_OK;
  double *g = co->re, worst = 0.0;
  TRMI_TRY(err, trm_system_values(sys, s, &(trm_values){.g = g}, err));
  for (int i = 0; i < sys->n.ng; i++) worst = fmax(worst, fabs(g[i]) / sys->scale_g[i]);
  if (worst <= (opt->nsteps > 0 ? FIXED_STEP_LIMIT : opt->tolerance)) return TRM_OK;
  if (trmi_consistent_positions(&co->dense, s, 10, err) != TRM_OK ||
      trmi_consistent_velocities(&co->dense, s, err) != TRM_OK) {
    follow_polynomial(co, t, s);
  }
  return TRM_OK;
}

trm_status trmi_collocation_interpolate(trmi_collocation *co, double t, trm_state *s,
                                        trm_error *err) {
  follow_polynomial(co, t, s);
  TRMI_TRY(err, satisfy_constraints(co, t, s, err));
  TRMI_TRY(err, trmi_consistent_accelerations(&co->dense, s, err));
  keep_in_range(co, (t - co->next.t) / co->h, s);
  return TRM_OK;
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
  out->off *= -weight_of(s - 1, rk->c, i, 1.0); /* (6) */
  trmi_state_copy(sys, s0, state);
  trmi_state_at(sys, s0, s0->t + rk->c[i] * co->h, state);
  trm_system_retract(sys, s0->q, co->psi[i], state->q);
  turn_rates(sys, co->psi[i], co->rate[i], state->v);
  for (int m = 0; m < sys->n.nx; m++) {
    for (int j = 0; j < s; j++) state->x[m] += co->h * a[j] * co->z[j][first + m];
  }
  trmi_unknowns_scatter(sys, co->p[i], state);
  return true;
}
