/* statics_path.c - follows the path of balanced states under a growing load.
 *
 *   r(q, lam, s) = motion - (1 - s) motion_0 = 0,  g = 0,   s from 0 to 1                 (1)
 * is a curve. Points on it are counted by their distance sigma along the curve, measured in
 *   |(dq, ds)|^2 = mean (dq_i/scale_i)^2 + ds^2                                           (2)
 * The polynomial through the last points predicts the next one: straight steps would strain stiff
 * parts, a polynomial follows the curvature. Newton's method corrects at right angles to the
 * direction t of the prediction, with two solutions of (1) of statics_step.c,
 *   A a = -r,  A b = -motion_0,  ds = -t.a/(t.b + t_s),  dq = a + ds b                    (3)
 * so the path may turn back in s (a snap-through).
 * Near a point where branches nearly meet, as beyond a buckling load with a small lateral load,
 * Newton may end on another branch. Along one branch stability changes exactly where s turns back.
 * With a stable start, a new point counts only if
 *   a direction of negative stiffness exists  <=>  s falls along the path there           (4)
 * Derivation: docs/theory/09-static-modes.md. */
#include "analysis/statics.h"
#include <math.h>
#include <string.h>

enum { POINTS = TRMI_STATICS_POINTS, CORRECTIONS = 8, MOST = 1000 };

static const double small = 1e-9, part_first = 0.05, least = 1e-10;
/* Largest correction over the distance predicted. */
static const double bend = 0.2;

typedef struct path {
  trmi_statics *st;
  int    n;               /* unknowns                                       */
  int    count;           /* points known, the latest first                 */
  double sigma[POINTS];   /* their distances from the latest, <= 0          */
  double s[POINTS];
  double length;          /* of the next step                               */
} path;

/* Inner product of (2). */
static double inner(const path *p, const double *a, const double *b) {
  const trm_system *sys = p->st->sys;
  double sum = 0.0;
  for (int i = 0; i < sys->n.nv; i++) {
    sum += a[i] / sys->scale_v[i] * (b[i] / sys->scale_v[i]);
  }
  return sum / fmax(sys->n.nv, 1);
}

/* b of (3) into `slope`, with the factors of the last step. */
static trm_status find_slope(path *p, trm_error *err) {
  trmi_statics *st = p->st;
  memset(st->slope, 0, (size_t)p->n * sizeof(double));
  for (int i = 0; i < st->sys->n.nv; i++) st->slope[i] = -st->load[i];
  return trmi_linear_solve(&st->matrix.lin, st->slope, err);
}

/* Differences of configurations and multipliers, in the form of a step. */
static void subtract(const path *p, const trm_state *to, const trm_state *from, double *step) {
  const trm_system *sys = p->st->sys;
  const trmi_places at = trmi_places_of(sys);
  memset(step, 0, (size_t)p->n * sizeof(double));
  trm_system_difference(sys, to->q, from->q, step);
  for (int i = 0; i < sys->n.ng; i++) step[at.lam + i] = to->lam[i] - from->lam[i];
  for (int i = 0; i < sys->n.na; i++) step[at.mu + i] = to->mu[i] - from->mu[i];
}

/* Step and change of s to the prediction at distance x of the latest point. */
static double predict(path *p, double x, double *step) {
  trmi_statics *st = p->st;
  double ds = 0.0;
  memset(step, 0, (size_t)p->n * sizeof(double));
  if (p->count == 1) { /* the slope is that of the start */
    const double length = sqrt(inner(p, st->slope, st->slope) + 1.0);
    for (int i = 0; i < p->n; i++) step[i] = x / length * st->slope[i];
    return x / length;
  }
  for (int k = 1; k < p->count; k++) {
    double weight = 1.0;
    for (int j = 0; j < p->count; j++) {
      if (j != k) weight *= (x - p->sigma[j]) / (p->sigma[k] - p->sigma[j]);
    }
    subtract(p, &st->points[k], &st->points[0], st->change);
    for (int i = 0; i < p->n; i++) step[i] += weight * st->change[i];
    ds += weight * (p->s[k] - p->s[0]);
  }
  return ds;
}

/* base->s moved by st->step, which need not be in balance. */
static trm_status move(trmi_statics *st, trm_error *err) {
  TRMI_TRY(err, trmi_statics_try(st, err));
  TRMI_TRY(err, trmi_statics_accept(st, err));
  return TRM_OK;
}

/* Newton's method by (3) from the prediction, direction in `tangent` and t_s. */
static trm_status correct(path *p, double t_s, double *s, bool *arrived, trm_error *err) {
  trmi_statics *st = p->st;
  double last = INFINITY, sum = 0.0;
  *arrived = false;
  for (int k = 0; k < CORRECTIONS; k++) {
    st->load_left = 1.0 - *s;
    TRMI_TRY(err, trmi_statics_solve(st, err));
    TRMI_TRY(err, find_slope(p, err));
    const double across = inner(p, st->tangent, st->slope) + t_s;
    const double ds = -inner(p, st->tangent, st->step) / across;
    if (!isfinite(ds)) return TRM_OK;
    for (int i = 0; i < p->n; i++) st->step[i] += ds * st->slope[i];
    const double size = sqrt(inner(p, st->step, st->step) + ds * ds);
    sum += size;
    if (!(size < 0.9 * last) || !(sum < bend * p->length)) return TRM_OK;
    *s += ds;
    TRMI_TRY(err, move(st, err));
    *arrived = size <= 1e-3 * small || (size <= small && size < 0.01 * last) || size <= 1e-10;
    if (*arrived || st->ran_away) return TRM_OK;
    last = size;
  }
  return TRM_OK;
}

/* (4); the slope of the new point is left in `slope` */
static trm_status stays_on_branch(path *p, double s, bool *stays, trm_error *err) {
  trmi_statics *st = p->st;
  bool is_hilly = false;
  TRMI_TRY(err, trmi_statics_solve(st, err));
  TRMI_TRY(err, find_slope(p, err));
  subtract(p, &st->base->s, &st->points[0], st->change);
  const double along = inner(p, st->change, st->slope) + (s - p->s[0]);
  TRMI_TRY(err, trmi_statics_is_hilly(st, &is_hilly, err));
  *stays = is_hilly == (along < 0.0);
  return TRM_OK;
}

/* Add the state base->s at s as the latest point. */
static void keep(path *p, double s) {
  trmi_statics *st = p->st;
  double distance = 0.0;
  if (p->count > 0) {
    subtract(p, &st->base->s, &st->points[0], st->change);
    const double ds = s - p->s[0];
    distance = sqrt(inner(p, st->change, st->change) + ds * ds);
  }
  if (p->count < POINTS) p->count++;
  const trm_state oldest = st->points[POINTS - 1];
  for (int k = POINTS - 1; k > 0; k--) {
    st->points[k] = st->points[k - 1];
    p->sigma[k] = p->sigma[k - 1] - distance;
    p->s[k] = p->s[k - 1];
  }
  st->points[0] = oldest;
  trmi_state_copy(st->sys, &st->base->s, &st->points[0]);
  p->sigma[0] = 0.0;
  p->s[0] = s;
}

/* Find one more point, or return to the latest. */
static trm_status advance(path *p, bool *arrived, trm_error *err) {
  trmi_statics *st = p->st;
  double s = p->s[0];
  const double ahead = predict(p, 1e-3 * p->length, st->tangent);
  const double ds = predict(p, p->length, st->step);
  const double length = sqrt(inner(p, st->tangent, st->tangent) + ahead * ahead);
  for (int i = 0; i < p->n; i++) st->tangent[i] /= length;
  *arrived = false;
  trm_status status = move(st, err);
  s += ds;
  if (status == TRM_OK && !st->ran_away) status = correct(p, ahead / length, &s, arrived, err);
  if (status == TRM_OK && *arrived) status = stays_on_branch(p, s, arrived, err);
  if (status < 0) return trmi_note(err, __func__, status);
  *arrived = *arrived && status == TRM_OK && !st->ran_away;
  if (*arrived) {
    keep(p, s);
    return TRM_OK;
  }
  st->ran_away = false;
  TRMI_TRY(err, trmi_statics_restore(st, &st->points[0], err));
  return TRM_OK;
}

/* The first point and the slope there; not `arrived`: the model is stiff only by its load, or not
 * stable. */
static trm_status start(path *p, bool *arrived, trm_error *err) {
  trmi_statics *st = p->st;
  bool is_hilly = false;
  *arrived = false;
  st->load_left = 1.0;
  trm_status status = trmi_statics_solve(st, err);
  if (status == TRM_OK) status = find_slope(p, err);
  if (status > 0) return TRM_OK;
  TRMI_TRY(err, status);
  const double length = sqrt(inner(p, st->slope, st->slope) + 1.0);
  if (!(length < 1e3)) return TRM_OK;
  TRMI_TRY(err, trmi_statics_is_hilly(st, &is_hilly, err));
  if (is_hilly) return TRM_OK; /* (4) needs a stable start */
  if (p->count == 0) {
    p->length = part_first * length;
    keep(p, 0.0);
  }
  *arrived = true;
  return TRM_OK;
}

/* The state at s = 1 between the last two points. */
static trm_status arrive(path *p, bool *arrived, trm_error *err) {
  trmi_statics *st = p->st;
  double low = p->sigma[1], high = 0.0, s = 1.0;
  bool is_hilly = false;
  for (int k = 0; k < 60; k++) {
    const double middle = 0.5 * (low + high);
    if (p->s[0] + predict(p, middle, st->step) < 1.0) low = middle;
    else high = middle;
  }
  predict(p, high, st->step);
  memset(st->tangent, 0, (size_t)p->n * sizeof(double));
  trm_status status = move(st, err);
  if (status == TRM_OK) status = correct(p, 1.0, &s, arrived, err);
  if (status < 0) return trmi_note(err, __func__, status);
  *arrived = *arrived && status == TRM_OK;
  if (*arrived) TRMI_TRY(err, trmi_statics_is_hilly(st, &is_hilly, err));
  *arrived = *arrived && !is_hilly;
  return TRM_OK;
}

/* Return to the point before the latest. */
static trm_status drop(path *p, trm_error *err) {
  trmi_statics *st = p->st;
  const trm_state latest = st->points[0];
  const double distance = -p->sigma[1];
  for (int k = 0; k + 1 < POINTS; k++) {
    st->points[k] = st->points[k + 1];
    p->sigma[k] = p->sigma[k + 1] + distance;
    p->s[k] = p->s[k + 1];
  }
  st->points[POINTS - 1] = latest;
  p->count--;
  p->length = fmin(p->length, distance);
  st->ran_away = false;
  return trmi_statics_restore(st, &st->points[0], err);
}

static trm_status follow(path *p, bool *arrived, trm_error *err) {
  trmi_statics *st = p->st;
  const int limit = st->iterations + st->max_iterations;
  for (int k = 0; k < MOST && st->iterations < limit; k++) {
    bool is_point = true;
    if (p->count <= 1) TRMI_TRY(err, start(p, &is_point, err));
    if (!is_point) return TRM_OK;
    TRMI_TRY(err, advance(p, &is_point, err));
    if (is_point && p->s[0] >= 1.0) {
      TRMI_TRY(err, arrive(p, arrived, err));
      if (*arrived) return TRM_OK;
      TRMI_TRY(err, drop(p, err));
      is_point = false;
    }
    p->length *= is_point ? 1.5 : 0.3;
    if (!(p->length > least) || !(fabs(p->s[0]) < 10.0)) return TRM_OK;
  }
  return TRM_OK;
}

trm_status trmi_statics_path(trmi_statics *st, trm_error *err) {
  path p = {.st = st, .n = trmi_places_of(st->sys).n};
  bool arrived = false;
  for (int i = 0; i < st->sys->n.nv; i++) st->load[i] = -st->unbalanced[i];
  st->tau = 0.0;
  if (st->sys->n.nx + st->sys->n.nw == 0 && st->sys->n.nv > 0) {
    TRMI_TRY(err, follow(&p, &arrived, err));
  }
  st->load_left = 0.0;
  if (!arrived) return trmi_statics_not_converged(st, err);
  TRMI_TRY(err, trmi_statics_solve(st, err));
  return trmi_statics_finish(st, err);
}
