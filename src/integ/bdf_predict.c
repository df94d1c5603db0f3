/* bdf_predict.c - the points of `bdf`, and the prediction of a step from them.
 *
 * Points are stored as accepted; nothing has to be re-expressed when step or order change, or when
 * a step is rejected. Rotations are converted to increments in each attempt, (1) of bdf.c. The
 * rotation between two points may be large; the increment, determined only up to full turns, is
 * chosen by the velocity,
 *   psi_i near psi_(i-1) - (t_(i-1) - t_i) (v_(i-1) + v_i)/2                                (1)
 * Weights of points in the value and the slope at t of the polynomial through them:
 *   w_i = prod_(j != i) (t - t_j)/(t_i - t_j),   w_i' = dw_i/dt                             (2)
 * Derivation: docs/theory/14-bdf.md. */
#include "integ/bdf.h"
#include "integ/point_sums.h"
#include "math/so3.h"
#include "math/vec.h"
#include <math.h>
#include <string.h>

/* Larger increments of rotations are not used: at 2 pi the rotation vector is singular, unless its
 * axis is constant. */
static const double largest_turn = 5.0, largest_tilt = 0.02; /* [rad] */
/* Part of the tolerance that Newton may leave while steps are limited by the error; shorter ones,
 * in impacts, need more accurate velocities. Errors of usual steps are 1/aim of the tolerance. */
static const double newton_part = 0.02, newton_least = 1e-4, aim = 4.0;
/* Iteration for psi of (2) of bdf.c: number of passes, and the change that ends them. */
enum { PASSES = 8 };
static const double passes_done = 1e-15;

void trmi_bdf_weights(const trmi_bdf *bd, int d, double t, double w[BDF_POINTS],
                      double slope[BDF_POINTS]) {
  for (int i = 0; i <= d; i++) {
    double value = 1.0, rate = 0.0; /* (2) */
    for (int j = 0; j <= d; j++) {
      if (j == i) continue;
      const double distance = bd->p[i].t - bd->p[j].t, part = (t - bd->p[j].t) / distance;
      rate = rate * part + value / distance;
      value *= part;
    }
    w[i] = value;
    if (slope != NULL) slope[i] = rate;
  }
}

/* (2) at the end of the step, for the choice of the order: with l_j the distance of point j from
 * it,
 *   w_i = prod_j l_j / (l_i prod_(j != i) (t_i - t_j)),   w_i' = w_i (sum_j 1/l_j - 1/l_i)      (3)
 * in steps h, so that products stay near one. */
static void weigh(trmi_bdf *bd, double h, double slope[BDF_POINTS]) {
  const int k = bd->order;
  const double per_step = 1.0 / h, end = bd->core.now.t + h;
  bd->end = end;
  double left[BDF_POINTS], inverse[BDF_POINTS], below[BDF_POINTS], all = 1.0, sum = 0.0;
  for (int i = 0; i <= k; i++) {
    below[i] = left[i] = (end - bd->p[i].t) * per_step;
    inverse[i] = 1.0 / left[i];
    all *= left[i];
    sum += inverse[i];
    for (int j = 0; j < i; j++) {
      const double distance = (bd->p[i].t - bd->p[j].t) * per_step;
      below[i] *= distance;
      below[j] *= -distance;
    }
  }
  double *w = bd->weights[k];
  for (int i = 0; i <= k; i++) {
    w[i] = all / below[i];
    slope[i] = w[i] * (sum - inverse[i]) * per_step;
  }
  bd->lowest = bd->highest = k;
}

/* Raising the degree adds one factor to each, lowering it removes one. */
const double *trmi_bdf_weights_of(trmi_bdf *bd, int d) {
  const double end = bd->end;
  for (; bd->lowest > d; bd->lowest--) {
    const int m = bd->lowest;
    const double *w = bd->weights[m], per_left = 1.0 / (end - bd->p[m].t);
    for (int i = 0; i < m; i++) {
      bd->weights[m - 1][i] = w[i] * ((bd->p[i].t - bd->p[m].t) * per_left);
    }
  }
  for (; bd->highest < d; bd->highest++) {
    const int m = bd->highest + 1;
    const double *w = bd->weights[m - 1], left = end - bd->p[m].t;
    double own = 1.0;
    for (int i = 0; i < m; i++) {
      const double distance = bd->p[i].t - bd->p[m].t;
      bd->weights[m][i] = w[i] * (left / distance);
      own *= (bd->p[i].t - end) / distance;
    }
    bd->weights[m][m] = own;
  }
  return bd->weights[d];
}

double trmi_bdf_lead(const trmi_bdf *bd, int k, double h) {
  double sum = 0.0;
  for (int j = 0; j < k; j++) sum += 1.0 / (bd->p[0].t + h - bd->p[j].t);
  return 1.0 / sum;
}

static void copy(double *to, const double *from, int n) {
  if (n > 0) memcpy(to, from, (size_t)n * sizeof *to);
}

void trmi_bdf_point(trmi_bdf *bd, int i, const trm_state *s) {
  const trm_system *sys = bd->core.ctx.sys;
  bdf_point *p = &bd->p[i];
  p->t = s->t;
  copy(p->q, s->q, sys->nq);
  copy(p->v, s->v, sys->n.nv);
  copy(p->x, s->x, sys->n.nx);
  trmi_unknowns_gather(sys, s, p->rest);
}

void trmi_bdf_remember(trmi_bdf *bd) {
  const bdf_point oldest = bd->p[BDF_POINTS - 1];
  for (int i = BDF_POINTS - 1; i > 0; i--) bd->p[i] = bd->p[i - 1];
  bd->p[0] = oldest;
  trmi_bdf_point(bd, 0, &bd->core.now);
  if (bd->npoints < BDF_POINTS) bd->npoints++;
  if (bd->nreal < BDF_POINTS) bd->nreal++;
}

void trmi_bdf_forget_newest(trmi_bdf *bd) {
  const bdf_point newest = bd->p[0];
  for (int i = 1; i < BDF_POINTS; i++) bd->p[i - 1] = bd->p[i];
  bd->p[BDF_POINTS - 1] = newest; /* its room */
  bd->npoints--;
  bd->nreal--;
}

/* --- prediction --------------------------------------------------------------------- */

/* Is a rotation vector long and not parallel to the angular velocity? */
static bool is_far(const trm_system *sys, const double *psi, const double *v) {
  for (int k = 0; k < sys->n.nrot; k++) {
    const trmi_vec3 turn = v3_load(psi + sys->rot_v[k]), axis = v3_load(v + sys->rot_v[k]);
    if (v3_norm(turn) > largest_turn &&
        v3_norm(v3_cross(turn, axis)) > largest_tilt * v3_norm(turn) * v3_norm(axis)) {
      return true;
    }
  }
  return false;
}

void trmi_bdf_before(const trmi_bdf *bd, int i, double *near) {
  const bdf_point *p = &bd->p[i], *after = p - 1;
  const double half = 0.5 * (after->t - p->t);
  for (int m = 0; m < bd->core.ctx.sys->n.nv; m++) {
    near[m] = bd->psi[i - 1][m] - half * (after->v[m] + p->v[m]); /* (1) */
  }
}

static void subtract(const double *a, const double *b, int n, double *restrict out) {
  for (int i = 0; i < n; i++) out[i] = a[i] - b[i];
}

/* (1) of bdf.c. Points a large rotation away are omitted, except for two. */
static void increments(trmi_bdf *bd, double h, int wanted) {
  trmi_alpha *ga = &bd->core;
  const trm_system *sys = ga->ctx.sys;
  const int nv = sys->n.nv;
  const bool turns = sys->n.nrot > 0; /* scalars have a single difference */
  double *near = ga->turned;
  for (int m = 0; m < nv; m++) near[m] = h * (ga->now.v[m] + 0.5 * h * ga->now.vd[m]);
  trm_system_retract(sys, ga->now.q, near, bd->base);
  bd->usable = turns ? 0 : wanted < bd->npoints ? wanted : bd->npoints;
  for (int i = 0; i < bd->usable; i++) subtract(bd->p[i].q, bd->base, nv, bd->psi[i]);
  for (int i = 0; turns && i < wanted && i < bd->npoints; i++) {
    const bdf_point *p = &bd->p[i];
    for (int m = 0; m < nv && i == 0; m++) near[m] = -near[m];
    if (i > 0) trmi_bdf_before(bd, i, near);
    trmi_group_difference_near(sys, p->q, bd->base, near, bd->psi[i]);
    if (i > 1 && is_far(sys, bd->psi[i], ga->now.v)) break;
    bd->usable++;
  }
}

/* Predict a step h from the points. */
static void extrapolate_points(trmi_bdf *bd, double h) {
  trmi_alpha *ga = &bd->core;
  const trm_sizes *n = &ga->ctx.sys->n;
  const double *psi[BDF_POINTS], *v[BDF_POINTS], *x[BDF_POINTS];
  double slope[BDF_POINTS];
  bd->has_dense = false;
  increments(bd, h, bd->order + 2);
  if (bd->order > bd->usable - 1) bd->order = bd->usable - 1;
  const int count = bd->order + 1;
  bd->lead = trmi_bdf_lead(bd, bd->order, h);
  ga->gamma = bd->lead / h;
  ga->beta = ga->gamma * ga->gamma;
  ga->newton_part = newton_part * fmin(1.0, fmax(aim * bd->error_last, newton_least));
  if (bd->tests_velocities) { /* their corrections are 1/b times as large */
    ga->newton_part *= fmin(1.0, bd->lead / ga->ctx.sys->second);
  }
  weigh(bd, h, slope);
  const double *w = bd->weights[bd->order];
  for (int i = 0; i < count; i++) psi[i] = bd->psi[i], v[i] = bd->p[i].v, x[i] = bd->p[i].x;
  trmi_point_sums(psi, w, slope, count, n->nv, bd->psi_p, bd->psi_slope);
  trmi_point_sums(v, w, slope, count, n->nv, bd->v_p, bd->v_slope);
  if (n->nx > 0) trmi_point_sums(x, w, slope, count, n->nx, bd->x_p, bd->x_slope);
}

/* Multipliers and variables of the first iterate into r, by the polynomial through accepted
 * points. */
static void first_forces(trmi_bdf *bd) {
  trmi_alpha *ga = &bd->core;
  const trmi_places at = trmi_places_of(ga->ctx.sys);
  const int low = bd->order < bd->nreal ? bd->order : bd->nreal - 1;
  const double *list[BDF_POINTS];
  for (int i = 0; i <= low; i++) list[i] = bd->p[i].rest + at.lam;
  trmi_point_values(list, trmi_bdf_weights_of(bd, low), low + 1, at.n - at.lam, ga->r + at.lam);
}

/* The state for v', lam, mu, x', w in r, by (2) of bdf.c. */
static void first_state(trmi_bdf *bd, double h) {
  trmi_alpha *ga = &bd->core;
  const trm_system *sys = ga->ctx.sys;
  const trm_sizes *n = &sys->n;
  const trmi_places at = trmi_places_of(sys);
  const double b = bd->lead;
  trm_state *s = &ga->next;
  trmi_state_at(sys, &ga->now, ga->now.t + h, s);
  copy(s->z, ga->now.z, n->nz);
  copy(s->vd, ga->r, n->nv);
  copy(s->lam, ga->r + at.lam, n->ng);
  copy(s->mu, ga->r + at.mu, n->na);
  copy(s->xd, ga->r + at.x, n->nx);
  copy(s->w, ga->r + at.w, n->nw);
  for (int i = 0; i < n->nv; i++) {
    const double off = b * (s->vd[i] - bd->v_slope[i]);
    s->v[i] = bd->v_p[i] + off;
    ga->delta[i] = b * off;
  }
  for (int i = 0; i < n->nx; i++) s->x[i] = bd->x_p[i] + b * (s->xd[i] - bd->x_slope[i]);
  trmi_bdf_rule.place(ga);
}

static void first(trmi_alpha *ga, double h) {
  trmi_bdf *bd = (trmi_bdf *)ga;
  extrapolate_points(bd, h);
  first_state(bd, h);
}

void trmi_bdf_predict(trmi_bdf *bd, double h) {
  trmi_alpha *ga = &bd->core;
  extrapolate_points(bd, h);
  copy(ga->r, bd->v_slope, ga->ctx.sys->n.nv);
  first_forces(bd);
  copy(ga->r + trmi_places_of(ga->ctx.sys).x, bd->x_slope, ga->ctx.sys->n.nx);
  first_state(bd, h);
}

/* --- positions of an iterate ---------------------------------------------------------- */

/* Rotation psi of (2) of bdf.c for T(psi) other than I. */
static void turn_on(const double *u, double b, double psi[3]) {
  const double start[3] = {psi[0] - b * u[0], psi[1] - b * u[1], psi[2] - b * u[2]};
  for (int pass = 0; pass < PASSES; pass++) { /* contracts by b |u| / 2 */
    double Tinv[9], change = 0.0;
    trmi_so3_Tinv(psi, Tinv);
    for (int r = 0; r < 3; r++) {
      const double turned = Tinv[3 * r] * u[0] + Tinv[3 * r + 1] * u[1] + Tinv[3 * r + 2] * u[2];
      const double value = start[r] + b * turned;
      change = fmax(change, fabs(value - psi[r]));
      psi[r] = value;
    }
    if (change < passes_done) break;
  }
}

/* delta is b (u - v_p). */
static void place(trmi_alpha *ga) {
  trmi_bdf *bd = (trmi_bdf *)ga;
  const trm_system *sys = ga->ctx.sys;
  const double b = bd->lead;
  for (int i = 0; i < sys->n.nv; i++) {
    bd->increment[i] = bd->psi_p[i] + b * (bd->v_p[i] - bd->psi_slope[i]) + ga->delta[i];
  }
  for (int k = 0; k < sys->n.nrot; k++) {
    const int i = sys->rot_v[k];
    double u[3];
    for (int e = 0; e < 3; e++) u[e] = bd->v_p[i + e] + ga->delta[i + e] / b;
    turn_on(u, b, bd->increment + i);
  }
  trm_system_retract(sys, bd->base, bd->increment, ga->next.q);
}

/* E of (3) of bdf.c: (I + skew(c))^-1 = (I - skew(c) + c c^T)/(1 + c.c), c = b Omega/2. */
static void turn(trmi_alpha *ga) {
  const trmi_bdf *bd = (const trmi_bdf *)ga;
  const trm_system *sys = ga->ctx.sys;
  for (int k = 0; k < sys->n.nrot; k++) {
    const double *w = ga->next.v + sys->rot_v[k], half = bd->lead / 2;
    const double x = half * w[0], y = half * w[1], z = half * w[2];
    const double r = 1.0 / (1.0 + x * x + y * y + z * z);
    const double E[9] = {1 + x * x, z + x * y,  x * z - y,  x * y - z, 1 + y * y,
                         x + y * z, y + x * z, y * z - x, 1 + z * z};
    for (int e = 0; e < 9; e++) ga->T[9 * k + e] = r * E[e];
  }
}

const alpha_rule trmi_bdf_rule = {.first = first, .place = place, .turn = turn};
