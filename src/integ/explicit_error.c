/* explicit_error.c - local error of a step of `explicit`.
 *
 * Error of DOP853 from two estimates, rms over the n components and their weights,
 *   h e5^2 / sqrt(n (e5^2 + e3^2/100)),                                                    (3)
 * of DOPRI5 from one, the rms of h e. (3) is far below h e5 where the motion is smooth, e3 far
 * above e5. A coordinate whose force has a kink, such as a friction with a load that passes through
 * zero, is not smooth, and hides among the others. With e5 and e3 of its place and h times those of
 * its rate together, which vanish at no phase of a vibration, its own error is
 *   h max(e5 of place, e5 of rate) e5 / sqrt(e5^2 + e3^2/100)                              (8)
 * which must be below ten tolerances. A run reports the largest (8), with that of a rate as the
 * place that it leads to in ten steps.
 * Source: [HairerNorsettWanner]. Theory: docs/theory/05-explicit.md. */
#include "integ/explicit.h"
#include <math.h>

/* Tolerances that the error of one coordinate may have, (8). With ten the steps of smooth motion
 * stay what they are. */
static const double own_most = 10.0;

/* Sizes that count as one: scales of positions, and the larger of scale and value
 * for velocities, of which the scale is gone in a second, and states. */
double trmi_explicit_weight(const trmi_explicit *ex, int m) {
  const trm_system *sys = ex->ctx.sys;
  const int nv = sys->n.nv;
  if (m < nv) return ex->ctx.scale_v[m];
  if (m < 2 * nv) return fmax(ex->ctx.scale_v[m - nv] / sys->second, fabs(ex->now.v[m - nv]));
  return fmax(sys->scale_x[m - 2 * nv], fabs(ex->now.x[m - 2 * nv]));
}

void trmi_explicit_name(const trmi_explicit *ex, int m, trm_quantity *list, int *index) {
  const int nv = ex->ctx.sys->n.nv;
  *list = m < 2 * nv ? TRM_V : TRM_X;
  *index = m < 2 * nv ? m % (nv > 0 ? nv : 1) : m - 2 * nv;
}

double trmi_explicit_error(const trmi_explicit *ex, int m) {
  double e = 0.0;
  for (int i = 0; i < ex->rk->stages; i++) e += ex->rk->e[i] * ex->k[i][m];
  return e;
}

/* Errors of a component over h by both formulas; `low` is 0 if there is only one. */
typedef struct two_errors {
  double high, low;
} two_errors;

static two_errors errors_of(const trmi_explicit *ex, int m) {
  const trmi_rk_table *rk = ex->rk;
  two_errors e = {0.0, 0.0};
  for (int i = 0; i < rk->stages; i++) {
    e.high += rk->e[i] * ex->k[i][m];
    if (rk->e_low != NULL) e.low += rk->e_low[i] * ex->k[i][m];
  }
  return e;
}

/* e5/sqrt(e5^2 + e3^2/100) of squares. */
static double smooth_part(double high, double low) {
  return high > 0.0 ? sqrt(high / (high + 0.01 * low)) : 1.0;
}

/* Squares of (3); the largest error and the largest (8), over h, and where they are; the largest
 * error of a place, over h. */
typedef struct measure {
  double high, low, worst, own, largest;
  int    at, at_own;
} measure;

static double add(const trmi_explicit *ex, int m, const two_errors *e, measure *of) {
  const double w = trmi_explicit_weight(ex, m), high = e->high / w, low = e->low / w;
  of->high += high * high;
  of->low += low * low;
  if (fabs(high) > of->worst) of->worst = fabs(high), of->at = m;
  return fabs(high);
}

/* Component m, a place or a state, with its rate. */
static void add_own(const trmi_explicit *ex, double h, int m, measure *of) {
  const int nv = ex->ctx.sys->n.nv;
  const two_errors place = errors_of(ex, m);
  two_errors rate = {0.0, 0.0};
  const double of_place = add(ex, m, &place, of);
  double of_rate = 0.0;
  if (m < nv) {
    rate = errors_of(ex, m + nv);
    of_rate = add(ex, m + nv, &rate, of);
    rate.high *= h, rate.low *= h;
  }
  const double part = smooth_part(place.high * place.high + rate.high * rate.high,
                                  place.low * place.low + rate.low * rate.low);
  const double own = part * fmax(of_place, of_rate);
  if (own > of->own) of->own = own, of->at_own = of_rate > of_place ? m + nv : m;
  const double moved = fmax(fabs(place.high), trmi_turn_steps * fabs(rate.high));
  of->largest = fmax(of->largest, part * moved / trmi_explicit_weight(ex, m));
}

void trmi_explicit_estimate(const trmi_explicit *ex, double h, trmi_attempt *result) {
  const int nv = ex->ctx.sys->n.nv;
  const double tolerance = ex->ctx.fixed ? 1.0 : ex->ctx.tolerance;
  measure of = {.worst = -1.0, .at = -1};
  for (int m = 0; m < ex->n; m++) {
    if (m < nv || m >= 2 * nv) add_own(ex, h, m, &of);
  }
  result->error = h * smooth_part(of.high, of.low) * sqrt(of.high / ex->n) / tolerance;
  const double own = h * of.own / (own_most * tolerance);
  if (own > result->error) result->error = own, of.at = of.at_own;
  result->largest = h * of.largest;
  result->index = -1;
  if (of.at >= 0) trmi_explicit_name(ex, of.at, &result->list, &result->index);
}
