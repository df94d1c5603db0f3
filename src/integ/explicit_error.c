/* explicit_error.c - size of the local error of `explicit`, and signs of stiffness. The next step
 * follows from it in driver.c, by proportional-integral (PI) control.
 *
 * Errors are measured over weights, s being the scale of a coordinate:
 *   psi: s/10     v: max(min(s/(10 h*), 100 V), s/second, |v|)     x: max(scale, |x|)        (1)
 * An error of a velocity is weighted by the displacement it causes in ten steps, within which a
 * resolved motion reverses; positions have the same weight. Steps resolve vibrations of frequency
 * omega with omega h of about one: then e_v = omega e_psi has the same weight as e_psi, and the sum
 * of both does not depend on the phase. Measured by s/second, e_v of a small fast vibration would
 * be hundreds of times e_psi: every third step would be rejected, depending on the phase. Where
 * steps are short for another reason, as in an impact or with friction, errors of velocities
 * persist: h* is the largest recent step, decaying by 5 % per step, and V the largest velocity so
 * far. With the two estimates of DOP853, the error is
 *   |h| e5^2 / sqrt(n (e5^2 + e3^2/100)),                                                 (2)
 * for DOPRI5 the rms of h e. (2) is far below h e5 where the motion is smooth, e3 far above e5. A
 * coordinate whose force has a kink, such as a friction with a load that passes through zero, is
 * not smooth, and is hidden by the others. With e5 and e3 of its position combined with h times
 * those of its rate, which do not vanish at any phase of a vibration, its own error over its
 * weights is
 *   h max(e5 of place, e5 of rate) e5 / sqrt(e5^2 + e3^2/100)                             (3)
 * which must be below ten tolerances. A run reports the largest (3); an error of a rate counts as
 * the displacement it causes in ten steps. Stiffness: h |k_last - k_before| / |y_last - y_before|
 * stays above the limit of
 * the method; both stages are at t + h.
 * Source: [HairerNorsettWanner]. Theory: docs/theory/05-explicit.md. */
#include "integ/explicit.h"
#include <math.h>
#include <stdio.h>

enum { STIFF_COUNT = 15, CALM_COUNT = 6 };

/* Bound for the error of one coordinate, (3), in tolerances. It does not affect steps of smooth
 * motion. */
static const double own_most = 10.0;
/* The scale of a velocity is at most this multiple of its largest value so far. */
static const double speed_most = 100.0;

void trmi_explicit_note_speeds(trmi_explicit *ex, const trm_state *s) {
  for (int i = 0; i < ex->ctx.sys->n.nv; i++) {
    ex->v_most[i] = fmax(ex->v_most[i], fabs(s->v[i]));
  }
}

/* (1) */
double trmi_explicit_weight(const trmi_explicit *ex, int m, double h) {
  const trm_system *sys = ex->ctx.sys;
  const int nv = sys->n.nv;
  if (m < nv) return ex->ctx.scale_v[m] / trmi_turn_steps;
  if (m < 2 * nv) {
    const double scale = ex->ctx.scale_v[m - nv], most = speed_most * ex->v_most[m - nv];
    const double fast = fmin(scale / (trmi_turn_steps * fmax(h, ex->h_slow)), most);
    return fmax(fmax(scale / sys->second, fast), fabs(ex->now.v[m - nv]));
  }
  return fmax(sys->scale_x[m - 2 * nv], fabs(ex->now.x[m - 2 * nv]));
}

static void name_unknown(const trmi_explicit *ex, int m, trm_quantity *list, int *index) {
  const int nv = ex->ctx.sys->n.nv;
  *list = m < 2 * nv ? TRM_V : TRM_X;
  *index = m < 2 * nv ? m % (nv > 0 ? nv : 1) : m - 2 * nv;
}

double trmi_explicit_error_of(const trmi_explicit *ex, int m) {
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

/* Squares of (2); the largest error and the largest (3), over h, with their components; the largest
 * error of a position, over h. */
typedef struct measure {
  double high, low, worst, own, largest;
  int    at, at_own;
} measure;

static void add(const trmi_explicit *ex, double h, int m, const two_errors *e, measure *of) {
  const double w = trmi_explicit_weight(ex, m, h), high = e->high / w, low = e->low / w;
  of->high += high * high;
  of->low += low * low;
  if (fabs(high) > of->worst) of->worst = fabs(high), of->at = m;
}

/* Component m, a position or a state, with its rate. */
static void add_own(const trmi_explicit *ex, double h, int m, measure *of) {
  const int nv = ex->ctx.sys->n.nv;
  const double weight = trmi_explicit_weight(ex, m, h);
  const double scale = m < nv ? ex->ctx.scale_v[m] : weight;
  two_errors place = errors_of(ex, m), rate = {0.0, 0.0};
  double of_rate = 0.0;
  add(ex, h, m, &place, of);
  if (m < nv) {
    rate = errors_of(ex, m + nv);
    add(ex, h, m + nv, &rate, of);
    of_rate = fabs(rate.high) / trmi_explicit_weight(ex, m + nv, h);
    rate.high *= h, rate.low *= h;
  }
  const double part = smooth_part(place.high * place.high + rate.high * rate.high,
                                  place.low * place.low + rate.low * rate.low);
  const double of_place = fabs(place.high) / weight, own = part * fmax(of_place, of_rate);
  if (own > of->own) of->own = own, of->at_own = of_rate > of_place ? m + nv : m;
  const double moved = fmax(fabs(place.high), trmi_turn_steps * fabs(rate.high));
  of->largest = fmax(of->largest, part * moved / scale);
}

/* (2) and (3) over the tolerance */
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
  if (of.at >= 0) name_unknown(ex, of.at, &result->list, &result->index);
}

static void warn_stiff(trmi_explicit *ex, int worst, double h_lambda) {
  char text[400];
  trm_quantity list = TRM_V;
  int index = 0;
  trm_label label;
  name_unknown(ex, worst, &list, &index);
  trm_system_label(ex->ctx.sys, list, index, &label);
  snprintf(text, sizeof text,
           TRMI_NOTE_STIFF " (step times eigenvalue %.2g, fastest is '%s' of %s): %s; --integrator "
           "hht %stakes longer steps",
           h_lambda, label.name, label.object,
           list == TRM_X ? "its stability, not the accuracy, sets the step"
                         : "loads of stiff parts, which follow from tiny displacements, are not to "
                           "be trusted",
           list == TRM_X ? "" : "has them and ");
  ex->ctx.message(ex->ctx.message_self, text);
}

void trmi_explicit_look_for_stiffness(trmi_explicit *ex, double h) {
  const int last = ex->rk->stages - 1;
  double dk = 0.0, dy = 0.0, worst = -1.0;
  int at = 0;
  for (int m = 0; m < ex->n; m++) {
    const double w = trmi_explicit_weight(ex, m, h);
    const double k = (ex->k[last][m] - ex->k[last - 1][m]) / w;
    const double y = (ex->y[m] - ex->y_before[m]) / w;
    dk += k * k;
    dy += y * y;
    if (fabs(k) > worst) worst = fabs(k), at = m;
  }
  const double h_lambda = dy > 0.0 ? h * sqrt(dk / dy) : 0.0;
  if (h_lambda > ex->rk->stiff_limit) {
    ex->calm = 0;
    if (++ex->stiff == STIFF_COUNT && !ex->warned) {
      ex->warned = true;
      warn_stiff(ex, at, h_lambda);
    }
  } else if (++ex->calm == CALM_COUNT) {
    ex->stiff = 0;
  }
}
