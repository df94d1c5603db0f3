/* explicit_error.c - size of the local error of `explicit`, and signs of stiffness.
 *
 * Errors count over weights, s being the scale of a coordinate:
 *   psi: s/10     v: max(min(s/(10 h*), 100 V), s/second, |v|)     x: max(scale, |x|)        (1)
 * An error of a velocity counts by the displacement that it makes in ten steps, after which motion
 * that the steps follow has turned round; positions are held to the same. Vibrations of frequency
 * omega are followed by steps with omega h of about one: then e_v = omega e_psi weighs as much as
 * e_psi, and the sum of both does not depend on the phase. Measured by s/second, e_v of a small
 * fast vibration would be hundreds of times e_psi: every third step would be rejected, in turns
 * with the phase. Where steps are short for another reason, as in an impact or in friction, errors
 * of velocities last: h* is the largest of late steps, which fades by 5 % from step to step, and V
 * the largest velocity so far.
 * With the two estimates of DOP853, the error is
 *   |h| e5^2 / sqrt(n (e5^2 + e3^2/100)),                                                 (2)
 * for DOPRI5 the rms of h e.
 * Stiffness: h |k_last - k_before| / |y_last - y_before| stays above the limit of
 * the method; both stages are at t + h.
 * Source: [HairerNorsettWanner]. Theory: docs/theory/05-explicit.md. */
#include "integ/explicit.h"
#include <math.h>
#include <stdio.h>

enum { STIFF_COUNT = 15, CALM_COUNT = 6 };

/* An error of a velocity is one of a place by what it does in so many steps: motion that the steps
 * follow turns round in about that time. */
static const double turn_steps = 10.0;
/* Velocities up to so many times the largest one so far count as one. */
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
  if (m < nv) return ex->ctx.scale_v[m] / turn_steps;
  if (m < 2 * nv) {
    const double scale = ex->ctx.scale_v[m - nv], most = speed_most * ex->v_most[m - nv];
    const double fast = fmin(scale / (turn_steps * fmax(h, ex->h_slow)), most);
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

/* (2) over the tolerance */
void trmi_explicit_estimate(const trmi_explicit *ex, double h, trmi_attempt *result) {
  const trmi_rk_table *rk = ex->rk;
  double high = 0.0, low = 0.0, worst = -1.0, largest = 0.0, part = h;
  const int nv = ex->ctx.sys->n.nv;
  int at = -1;
  for (int m = 0; m < ex->n; m++) {
    double e = 0.0, e_low = 0.0;
    for (int i = 0; i < rk->stages; i++) {
      e += rk->e[i] * ex->k[i][m];
      if (rk->e_low != NULL) e_low += rk->e_low[i] * ex->k[i][m];
    }
    const double w = trmi_explicit_weight(ex, m, h);
    high += e / w * (e / w);
    low += e_low / w * (e_low / w);
    if (fabs(e / w) > worst) worst = fabs(e / w), at = m;
    const double size = m < nv       ? ex->ctx.scale_v[m]
                        : m < 2 * nv ? ex->ctx.scale_v[m - nv] / (turn_steps * h)
                                     : w;
    largest = fmax(largest, fabs(e / size));
  }
  const double tolerance = ex->ctx.fixed ? 1.0 : ex->ctx.tolerance;
  if (rk->e_low != NULL && high > 0.0) part = h * sqrt(high / (high + 0.01 * low));
  result->error = part * sqrt(high / ex->n) / tolerance;
  result->largest = part * largest;
  result->index = -1;
  if (at >= 0) name_unknown(ex, at, &result->list, &result->index);
}

static void warn_stiff(trmi_explicit *ex, int worst, double h_lambda) {
  char text[240];
  trm_quantity list = TRM_V;
  int index = 0;
  trm_label label;
  name_unknown(ex, worst, &list, &index);
  trm_system_label(ex->ctx.sys, list, index, &label);
  snprintf(text, sizeof text,
           "the problem is stiff for 'explicit' (step times eigenvalue %.2g, fastest is '%s' of "
           "%s): --integrator hht takes longer steps",
           h_lambda, label.name, label.object);
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
