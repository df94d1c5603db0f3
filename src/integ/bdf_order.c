/* bdf_order.c - local errors of `bdf`, and the choice of order and step.
 *
 * With P_m the polynomial of degree m through the newest m + 1 points, a step of order m has the
 * local error
 *   e_m = h/(t_n + h - t_(n-m)) |y - P_m(t_n + h)| over the tolerance                       (1)
 * y are positions (increments psi) and states; of the two rms norms over the scales the larger
 * counts. Velocities are tested only on request: h times their error is of higher order, and a
 * vibration far below the tolerance in positions would be resolved because of its velocities, which
 * are omega times as large. Multipliers are never tested. The effect of velocity errors on
 * positions in later steps is not in (1). Such errors arise in fast changes and from the points
 * before the start (bdf_start.c), whose velocities are a power of h less accurate than their
 * positions. The error reported by a run includes this effect, as that of `explicit` does, for
 * about ten steps, in which a resolved vibration reverses. With e_v, (1) for velocities with its
 * sign, so that vibrations cancel, a step adds the largest component of
 *   h |sum_j (9/10)^j e_v,(n-j)|                                                            (5)
 *
 * Bodies that slide have an error of their own, (5) of alpha_error.c, if positions are off by
 *   h/(t_n + h - t_(n-m)) (y - P_m(t_n + h))                                               (6)
 *
 * The controller aims at 1/4 of the tolerance. A step of order m may change by
 *   f_m = (4 e_m)^(-1/(m+1)),   for a higher order than the present one (6.8 e_m)           (2)
 * Once k + 1 steps have passed since its last change, or where f_k < 0.9, it takes the best of all
 * lower orders and the next higher one. Where errors are far below the tolerance because something
 * else limits the steps, the best order is the one with the smallest error. Since such steps do not
 * grow, the order may rise with each of them: in an impact, order 2 dissipated most of its energy
 * in the steps that waited for order 3. Steps that grow every time are unstable above the ratios
 * 2.42, 1.62, 1.30, 1.14 (orders 2 to 5); steps that grow seldom are stable. At order 2 the step
 * may double every time if no step has failed recently. For this reason a step that could grow by
 * more than 8, as after an impact, continues with order 2, unless steps are shorter than this
 * controller requested, as inside an impact: there the order rises while errors decrease. At the
 * start each step raises the order and doubles the step while f_(k-1) <= f_k.
 *
 * Vibrations. The formulas of orders 3 to 5 amplify undamped vibrations with h omega up to 1.93,
 * 4.71, 9.36 (from .01, .01, .71), and the error test then prevents larger steps. Such a vibration
 * is recognized by differences that do not decrease with their order,
 *   (k+1) e_k > .65 k e_(k-1),   e_k > .01   and   f_2 > .8                                 (3)
 * (order 2, which damps it, costs little; at tight tolerances, where vibrations are resolved, it
 * costs much). Two such steps out of three hold the order at 2 for the next 30 steps. The interval
 * doubles, up to 500 steps, each time this happens again within 4 times its length after its end.
 * After a start or a change of conditions, steps do not count until all points lie after it.
 * Accelerations follow from positions at every point, however the steps distort a vibration; its
 * frequency follows from the errors of both polynomials,
 *   omega^2 = |v' - P(v')| / |psi - P(psi)|                                                 (4)
 * Figures and how these numbers were found: docs/theory/14-bdf.md. */
#include "integ/bdf.h"
#include "math/both.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double aim = 4.0, aim_higher = 6.8;      /* (2) */
static const double aim_again = 1.4;                  /* after a rejected step */
static const double keep_from = 0.9, grow_from = 1.15, grow_most = 2.0;
static const double far_too_short = 8.0; /* factor by which a step could grow */
static const double limited_below = 0.9; /* part of the wanted step: something else limits it */
static const double shrink_least = 0.5, shrink_most = 0.95;
static const double again_least = 0.2, again_most = 0.9, again_twice = 0.25;
enum { HOLD_MIN = 30, HOLD_MAX = 500, HOLD_AGAIN = 4 }; /* [steps] */
static const double shrinks_too_little = 0.65, costs_little = 0.8, no_rounding = 0.01; /* (3) */

/* --- errors ---------------------------------------------------------------------------- */

/* A list y, and its values at the points. */
typedef struct bdf_list {
  const double        *now;
  const double *const *point;
  const double        *scale;
  bool                 is_relative; /* the size of a component may also be its scale */
  int                  n;
} bdf_list;

/* Add the square of an error over its scale to a sum, and record it if it is the largest. */
static inline void count_part(double part, int m, double *sum, double *worst, int *index) {
  *sum += part * part;
  if (worst != NULL && fabs(part) > *worst) *worst = fabs(part), *index = m;
}

static inline double scale_at(const bdf_list *list, int m) {
  const double scale = list->scale[m];
  return list->is_relative ? fmax(scale, fabs(list->now[m])) : scale;
}

/* Sum of squares of (y - P)/scale, P of degree d, a compile-time constant. */
static TRMI_INLINE double squares_of(const bdf_list *list, const double *w, int d, double *worst,
                                     int *index) {
  const double *from[BDF_POINTS];
  trmi_both weight[BDF_POINTS];
  double sum = 0.0;
  int m = 0;
  TRMI_UNROLL for (int i = 0; i <= d; i++) {
    from[i] = list->point[i];
    weight[i] = both(w[i], w[i]);
  }
  for (; m + 1 < list->n; m += 2) { /* two components at a time */
    trmi_both e = both_load(list->now + m);
    TRMI_UNROLL for (int i = 0; i <= d; i++) {
      e = both_sub(e, both_mul(weight[i], both_load(from[i] + m)));
    }
    e = both_div(e, both(scale_at(list, m), scale_at(list, m + 1)));
    count_part(both_at(e, 0), m, &sum, worst, index);
    count_part(both_at(e, 1), m + 1, &sum, worst, index);
  }
  if (m >= list->n) return sum;
  double e = list->now[m];
  for (int i = 0; i <= d; i++) e -= both_at(weight[i], 0) * from[i][m];
  count_part(e / scale_at(list, m), m, &sum, worst, index);
  return sum;
}

/* |y - P|_rms over the scales, P of degree d; `worst` and `index`: largest component (NULL:
 * omitted). */
static double rms_of(const bdf_list *list, const double *w, int d, double *worst, int *index) {
  double sum = 0.0;
  switch (d) {
#define CASE(D) case D: sum = squares_of(list, w, D, worst, index); break;
  CASE(0) CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6)
#undef CASE
  }
  return list->n > 0 ? sqrt(sum / list->n) : 0.0;
}

static const double *const *psi_of(const trmi_bdf *bd) {
  return (const double *const *)bd->psi;
}

/* rms of the velocities, and the largest of them. */
static double rms_of_velocities(trmi_bdf *bd, int d, double *worst, int *index) {
  const trmi_alpha *ga = &bd->core;
  const double *point[BDF_POINTS];
  for (int i = 0; i <= d; i++) point[i] = bd->p[i].v;
  const bdf_list v = {.now = ga->next.v, .point = point, .scale = ga->ctx.scale_v,
                      .n = ga->ctx.sys->n.nv};
  return rms_of(&v, trmi_bdf_weights_of(bd, d), d, worst, index);
}

/* The same for states. */
static double rms_of_states(trmi_bdf *bd, int d, double *worst, int *index) {
  const trm_system *sys = bd->core.ctx.sys;
  const double *point[BDF_POINTS];
  if (sys->n.nx == 0) return 0.0;
  for (int i = 0; i <= d; i++) point[i] = bd->p[i].x;
  const bdf_list x = {.now = bd->core.next.x, .point = point, .scale = sys->scale_x,
                      .is_relative = true, .n = sys->n.nx};
  return rms_of(&x, trmi_bdf_weights_of(bd, d), d, worst, index);
}

/* The local error as a part of |y - P_d|, (1). */
static double part_of(const trmi_bdf *bd, int d, double h) {
  return h / (bd->end - bd->p[d].t);
}

/* (6) */
static double error_of_sliding(trmi_bdf *bd, int d) {
  trmi_alpha *ga = &bd->core;
  const trm_system *sys = ga->ctx.sys;
  const double *w = trmi_bdf_weights_of(bd, d);
  if (sys->ops->sliding_error == NULL) return 0.0;
  memcpy(ga->turned, bd->increment, (size_t)sys->n.nv * sizeof(double));
  for (int i = 0; i <= d; i++) {
    for (int m = 0; m < sys->n.nv; m++) ga->turned[m] -= w[i] * bd->psi[i][m];
  }
  return trmi_alpha_sliding(ga, ga->turned);
}

/* Size of the local error of order d over the tolerance. */
static double error_of_order(trmi_bdf *bd, int d, double h, trmi_attempt *result) {
  const trmi_alpha *ga = &bd->core;
  const trm_system *sys = ga->ctx.sys;
  const double unit = ga->ctx.fixed ? 1.0 : ga->ctx.tolerance, part = part_of(bd, d, h);
  const bdf_list q = {.now = bd->increment, .point = psi_of(bd), .scale = ga->ctx.scale_v,
                      .n = sys->n.nv};
  if (result == NULL && sys->n.nx == 0 && !bd->tests_velocities) { /* only the rms value */
    return part * rms_of(&q, trmi_bdf_weights_of(bd, d), d, NULL, NULL) / unit;
  }
  double worst_v = -1.0, worst_x = -1.0;
  int at_v = -1, at_x = -1;
  const bool is_named = result != NULL || bd->tests_velocities;
  double error = rms_of(&q, trmi_bdf_weights_of(bd, d), d, is_named ? &worst_v : NULL, &at_v);
  const double of_x = rms_of_states(bd, d, &worst_x, &at_x);
  const double largest = fmax(fmax(worst_v, worst_x), 0.0);
  if (result != NULL) result->of_speed = part * largest / h;
  if (bd->tests_velocities) {
    double worst = 0.0;
    error = fmax(error, sys->second * rms_of_velocities(bd, d, &worst, &at_v));
  }
  if (result != NULL) {
    result->list = of_x > error ? TRM_X : TRM_V;
    result->index = of_x > error ? at_x : at_v;
    result->largest = part * largest;
  }
  const double larger = isnan(of_x) || of_x > error ? of_x : error; /* NaN of either stays */
  const double sliding = error_of_sliding(bd, d) * unit;
  return part * (sliding > larger ? sliding : larger) / unit; /* (1) */
}

/* Largest displacement of the step by (5), over the scales. */
static double slide_of(trmi_bdf *bd, double h) {
  const trmi_alpha *ga = &bd->core;
  const double part = part_of(bd, bd->order, h), lasts = 1.0 - 1.0 / trmi_turn_steps;
  double worst = 0.0;
  for (int i = 0; i < ga->ctx.sys->n.nv; i++) {
    bd->slide_next[i] = lasts * bd->slide[i] + part * (ga->next.v[i] - bd->v_p[i]);
    worst = fmax(worst, fabs(bd->slide_next[i]) / ga->ctx.scale_v[i]);
  }
  return h * worst;
}

void trmi_bdf_estimate(trmi_bdf *bd, double h, trmi_attempt *result) {
  const trmi_alpha *ga = &bd->core;
  result->error = error_of_order(bd, bd->order, h, result);
  result->largest += slide_of(bd, h);
  if (ga->ctx.fixed) return;
  const double noise = part_of(bd, bd->order, h) * ga->noise_next; /* as (3) of alpha_error.c */
  result->error = trmi_alpha_without(result->error, 2.0 * noise / ga->ctx.tolerance);
}

/* (2) with another aim. */
static double factor_of(double error, int d, double margin) {
  return 1.0 / (pow(margin * fmax(error, 1e-12), 1.0 / (d + 1)) + 1e-6);
}

/* Is (2) at least `factor`? Computed without its root. */
static bool allows(double error, int d, double margin, double factor) {
  const double root = 1.0 / factor - 1e-6;
  double most = root;
  for (int i = 0; i < d; i++) most *= root;
  return margin * fmax(error, 1e-12) <= most;
}

/* --- vibrations ------------------------------------------------------------------------ */

/* (4), from accepted points only. */
static double frequency_of(trmi_bdf *bd) {
  const trmi_alpha *ga = &bd->core;
  const int d = bd->order < bd->nreal ? bd->order : bd->nreal - 1, nv = ga->ctx.sys->n.nv;
  const double *point[BDF_POINTS], *w = trmi_bdf_weights_of(bd, d);
  for (int i = 0; i <= d; i++) point[i] = bd->p[i].rest;
  const bdf_list q = {.now = bd->increment, .point = psi_of(bd), .scale = ga->ctx.scale_v, .n = nv};
  const bdf_list a = {.now = ga->next.vd, .point = point, .scale = ga->ctx.scale_v, .n = nv};
  double worst = 0.0;
  int index = 0;
  return sqrt(rms_of(&a, w, d, &worst, &index) / rms_of(&q, w, d, &worst, &index));
}

static void report_hold(trmi_bdf *bd) {
  char text[120];
  const trmi_context *ctx = &bd->core.ctx;
  const double omega = frequency_of(bd);
  if (bd->has_reported_hold || !(omega > 0.0 && isfinite(omega))) return;
  bd->has_reported_hold = true;
  const double unit = pow(10.0, floor(log10(omega)) - 1.0); /* two digits */
  snprintf(text, sizeof text, TRMI_NOTE_ORDER_HELD ": a vibration of about %g rad/%s",
           unit * round(omega / unit), ctx->sys->units.time);
  ctx->message(ctx->message_self, text);
}

/* Does (3) hold in two of three steps? If so, the next steps use order 2. */
static bool limit_order(trmi_bdf *bd, double h, trmi_attempt *result) {
  const int k = bd->order;
  bdf_choice *next = &bd->tried;
  if (next->kinked > 0) next->kinked--;
  if (k <= 2 || bd->tests_velocities || next->kinked > 0) return false;
  bool is_suspect = false;
  double ratio = 0.0, second = 0.0;
  if (result->error > no_rounding) {
    ratio = (k + 1) * result->error / (k * error_of_order(bd, k - 1, h, NULL));
    if (ratio > shrinks_too_little) {
      second = factor_of(error_of_order(bd, 2, h, NULL), 2, aim);
      is_suspect = second > costs_little;
    }
  }
  const bool fires = is_suspect && next->calm <= 1;
  next->calm = is_suspect ? 0 : next->calm + 1;
  if (!fires) return false;
  const bool is_again = next->hold_age < HOLD_AGAIN * next->hold_length;
  next->hold_length = is_again ? 2 * next->hold_length : HOLD_MIN;
  if (next->hold_length > HOLD_MAX) next->hold_length = HOLD_MAX;
  next->hold = next->hold_length;
  next->hold_age = 0;
  next->calm = 2;
  next->order = 2;
  next->since = 0;
  result->factor = fmax(shrink_least, fmin(1.0, second));
  report_hold(bd);
  return true;
}

/* --- choice ---------------------------------------------------------------------------- */

/* After a rejected step; takes effect immediately. */
static void retreat(trmi_bdf *bd, double h, trmi_attempt *result) {
  bdf_choice *next = &bd->choice;
  const int k = bd->order;
  double best = factor_of(result->error, k, aim_again);
  next->order = k;
  next->is_rising = false;
  next->since = next->since_failed = 0;
  bd->failures++;
  if (k > 2) {
    const double low = factor_of(error_of_order(bd, k - 1, h, NULL), k - 1, aim_again);
    if (low > best) best = low, next->order = k - 1;
  }
  if (bd->failures == 2) best = fmin(best, again_twice);
  if (bd->failures > 2) best = again_twice, next->order = 1;
  result->factor = isnan(result->error) ? 0.0 : fmax(again_least, fmin(best, again_most));
}

/* At the start: order and step size increase with every step while the higher order pays. */
static bool rise(trmi_bdf *bd, double h, trmi_attempt *result) {
  bdf_choice *next = &bd->tried;
  const int k = bd->order;
  if (!next->is_rising || k >= bd->order_max || k + 1 > bd->usable) return false;
  const double low = k > 1 ? factor_of(error_of_order(bd, k - 1, h, NULL), k - 1, 1.0) : 0.0;
  if (low > factor_of(result->error, k, 1.0)) return false;
  next->order = k + 1;
  next->since = 0;
  result->factor = fmin(grow_most, fmax(1.0, factor_of(result->error, k, aim)));
  return true;
}

/* The order that allows the longest step, (2); if several reach the limit of growth, the most
 * accurate of them. */
static int best_order(trmi_bdf *bd, double h, double error, bool is_due, double *best) {
  const int k = bd->order;
  const int most = bd->tried.hold > 0 && bd->order_max > 2 ? 2 : bd->order_max;
  int order = k;
  for (int m = 1; m <= k + 1 && m <= most; m++) {
    if (m == k || m + 1 > bd->usable || (m > k && !is_due)) continue;
    const double e = error_of_order(bd, m, h, NULL), margin = m > k ? aim_higher : aim;
    const bool both_grow = *best >= grow_most && allows(e, m, margin, grow_most);
    if (both_grow ? e >= error : !allows(e, m, margin, *best)) continue;
    *best = factor_of(e, m, margin);
    error = e, order = m;
  }
  return order;
}

static void choose(trmi_bdf *bd, double h, trmi_attempt *result) {
  bdf_choice *next = &bd->tried;
  const int k = bd->order;
  if (!bd->core.ctx.fixed && !(result->error <= 1.0)) {
    retreat(bd, h, result);
    return;
  }
  *next = bd->choice;
  next->is_at_mark = false;
  next->order = k;
  next->since++;
  next->since_failed++;
  if (next->hold > 0) next->hold--;
  if (next->hold == 0) next->hold_age++;
  if (bd->core.ctx.fixed) {
    next->order = k < bd->order_max ? k + 1 : k; /* after a start without points */
    return;
  }
  result->factor = 1.0;
  if (rise(bd, h, result)) return;
  next->is_rising = false;
  if (limit_order(bd, h, result)) return;
  const double error = result->error;
  const bool is_limited = h < limited_below * bd->choice.wanted;
  const bool may_double = next->since_failed > BDF_POINTS && !is_limited;
  if (may_double && allows(error, k, aim, k <= 2 ? grow_most : far_too_short)) {
    result->factor = grow_most;
    next->order = k < 2 ? k : 2, next->since = 0;
    return;
  }
  const bool is_due = bd->choice.since >= (is_limited ? 1 : k + 1);
  if (!is_due && !is_limited && allows(error, k, aim, keep_from)) return;
  double best = factor_of(error, k, aim);
  if (is_limited && best > grow_from) {
    result->factor = fmin(best, grow_most);
    next->order = is_due ? best_order(bd, h, error, true, &best) : k;
    if (next->order != k) next->since = 0;
    return;
  }
  if (!is_due && best >= keep_from) return;
  const int order = best_order(bd, h, error, is_due, &best);
  if (best < 1.0) {
    result->factor = fmax(shrink_least, fmin(shrink_most, best));
    next->order = order, next->since = 0;
  } else if (best > grow_from) {
    result->factor = fmin(best, grow_most);
    next->order = order, next->since = 0;
  } else if (order < k) {
    next->order = order, next->since = 0;
  }
}

void trmi_bdf_choose(trmi_bdf *bd, double h, trmi_attempt *result) {
  choose(bd, h, result);
  bd->tried.wanted = h * result->factor;
}
