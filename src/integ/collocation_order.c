/* collocation_order.c - chooses the number of stages of the next step of `radau`.
 *
 * Orders are compared by their expected work per unit of time. In units of one stage in one
 * iteration, a step with n iterations and m sets of matrices costs
 *   W = s (n + 1.5 m) + 4.5                                                                 (1)
 * and the order minimizes W/h. h is the step that the error estimate of s stages allows. The
 * estimate of two stages fewer follows from the polynomial p of degree s through psi'' and x' at
 * the start and stages of the step:
 *   error_(s-2) = h^2 sum e_i p(c_i h)     weights e and nodes c of s - 2, 0 among them     (2)
 * With E_s = sum e_i c_i^s, D_s = error_s / E_s is the last term of p, and two stages more have
 *   D_(s+2) = D_s (D_s / D_(s-2))                                                           (3)
 * if the terms keep their ratio; below three stages D_1 is the change of psi'' in the step. The
 * estimated and filtered error of s stages sets the scale of (2), (3). In a step r times as long
 * the rate theta of Newton's method and its first iterate become worse:
 *   theta' = r theta,   n' = (n log theta - 4 log r) / log theta'                          (4)
 * Where theta' is poor, matrices are formed at every iterate, m' = n', or the order is excluded.
 * Steps of more than three stages grow only while theta' remains good.
 *
 * Where Newton's method converges very fast, the step is much shorter than the equations require,
 * and vibrations dominate the estimate. There the number of stages increases as in RADAU
 * [HairerWanner1999], whatever (1) predicts, and never decreases; it decreases where Newton's
 * method fails twice. Derivation and figures: docs/theory/08-collocation.md. */
#include "integ/collocation.h"
#include <math.h>
#include <string.h>

/* By the rate of Newton's method: below `easy` more stages, above `hard` fewer; not before this
 * number of steps, and only with steady steps. */
enum { STEPS_BETWEEN = 10 };
static const double easy = 0.002, hard = 0.8, steady = 1.2;

/* By work: it must fall to this part for this number of consecutive steps. An increase waits at
 * first, and after every failure of Newton's method longer by this factor. */
enum { STEPS_AGREED = 2, WAIT_FIRST = 5, WAIT_FACTOR = 4, WAIT_MOST = 5000 };
static const double worth = 0.85;
/* Number of steps that do not renew matrices: the first time, and at most. */
enum { UNRENEWED_FIRST = 4, UNRENEWED_MOST = 64 };
static const double matrix_work = 1.5, close_work = 4.5, first_iterate = 4.0; /* (1), (4) */
/* Rates of Newton's method: up to the first, steps grow; above the second, it is not expected to
 * converge. */
static const double good_rate = 0.25, worst_rate = 0.6;
/* Rate from which the step affects Newton's method; factor by which the largest rate decays per
 * step. */
static const double noticed = 0.02, fading = 0.9;
/* Means over the steps of an order: weight of the last one. */
static const double mean_part = 0.3;
/* Smallest h'/h, and the largest with a change of order: beyond it the first iterate is
 * extrapolated poorly. */
static const double ratio_least = 0.2, with_order = 2.0;

void trmi_collocation_order_start(trmi_collocation *co) {
  co->choice = co->tried = (trmi_order_choice){.stages = 3, .wait = WAIT_FIRST};
  co->rk = &trmi_radau_3;
}

/* --- errors of other orders ---------------------------------------------------------------- */

/* rms over coordinates, or states, of h^2 psi'', h x' summed with weights of start and stages. */
static double size_of(const trmi_collocation *co, double h, const double *w) {
  const trm_system *sys = co->ctx.sys;
  const int s = co->rk->s, at_x = trmi_places_of(sys).x, nv = sys->n.nv, nx = sys->n.nx;
  double sum_v = 0.0, sum_x = 0.0;
  for (int m = 0; m < nv; m++) {
    double sum = w[0] * co->now.vd[m];
    for (int j = 0; j < s; j++) sum += w[j + 1] * co->z[j][m];
    sum *= h * h / co->ctx.scale_v[m];
    sum_v += sum * sum;
  }
  for (int m = 0; m < nx; m++) {
    double sum = w[0] * co->now.xd[m];
    for (int j = 0; j < s; j++) sum += w[j + 1] * co->z[j][at_x + m];
    sum *= h / fmax(sys->scale_x[m], fabs(co->next.x[m]));
    sum_x += sum * sum;
  }
  return fmax(nv > 0 ? sqrt(sum_v / nv) : 0.0, nx > 0 ? sqrt(sum_x / nx) : 0.0);
}

/* (2) as weights of start and stages of the present step; with three stages that of D_1. */
static void find_lower_weights(const trmi_collocation_table *rk, double *w) {
  const int n = rk->s + 1;
  memset(w, 0, (size_t)n * sizeof *w);
  if (rk->s == 3) {
    w[0] = -1.0, w[3] = 1.0;
    return;
  }
  const trmi_collocation_table *low = trmi_radau_of(rk->s - 2);
  for (int j = 0; j < n; j++) {
    for (int i = 0; i <= low->s; i++) {
      const double x = i == 0 ? 0.0 : low->c[i - 1];
      double value = 0.0;
      for (int k = n - 1; k >= 0; k--) value = value * x + rk->dense[j * n + k];
      w[j] += low->e[i] * value;
    }
  }
}

/* E_s, and that of D_1. */
static double find_last_weight(int s) {
  if (s < 3) return 1.0;
  const trmi_collocation_table *rk = trmi_radau_of(s);
  double sum = 0.0;
  for (int i = 0; i < s; i++) {
    double power = 1.0;
    for (int k = 0; k < s; k++) power *= rk->c[i];
    sum += rk->e[i + 1] * power;
  }
  return fabs(sum);
}

void trmi_collocation_order_weights(trmi_collocation *co) {
  for (int s = 1; s <= STAGES_MAX; s += 2) {
    co->last_weight[s] = find_last_weight(s);
    if (s >= 3) find_lower_weights(trmi_radau_of(s), co->lower[s]);
  }
}

/* --- work ----------------------------------------------------------------------------------- */

/* h'/h that an error over its tolerance allows s stages, as computed by the driver. */
static double ratio_of(const trmi_collocation *co, double h, double error, int s) {
  const trmi_integrator_ops *driven = &trmi_integ_radau;
  const double most = co->ctx.options->step_max;
  const double ratio = fmin(driven->safety * pow(error, -1.0 / (s + 1)), driven->growth);
  return fmax(most > 0.0 ? fmin(ratio, most / h) : ratio, ratio_least);
}

/* h'/h at which Newton's method still converges, by (4). Only growth is limited: a rate caused by
 * stiffness does not improve with shorter steps. */
static double bearable(const trmi_order_choice *of, int s, double ratio) {
  const double most = fmax(good_rate / fmax(of->rate, 1e-6), 1.0);
  return s > 3 ? fmin(ratio, most) : ratio;
}

/* (1) for a step h, over r. */
static double work_of(int s, double iterations, double matrices, double ratio) {
  return (s * (iterations + matrix_work * matrices) + close_work) / ratio;
}

/* The same for another number of stages and a step r h, by (4). */
static double expected_work(const trmi_order_choice *of, int s, double ratio) {
  const double theta = fmin(fmax(of->rate, 1e-6), 0.9), rate = theta * ratio;
  if (rate > worst_rate) return INFINITY;
  const double n = (of->iterations * log(theta) - first_iterate * log(ratio)) / log(rate);
  const double m = rate > trmi_slow_rate  ? n
                   : rate < trmi_keep_rate ? of->matrices
                                           : fmax(of->matrices, 1.0);
  return work_of(s, fmax(n, 1.0), m, ratio);
}

/* The number of stages with the least work, and its h'/h. */
static int best_stages(const trmi_collocation *co, double h, double error, double *ratio) {
  const trmi_order_choice *of = &co->tried;
  const int s = co->rk->s;
  const double *last_weight = co->last_weight;
  const double own = size_of(co, h, co->rk->e), lower = size_of(co, h, co->lower[s]);
  if (!(own > 0.0 && lower > 0.0 && isfinite(own + lower))) return s;
  const double scale = error * trmi_collocation_tolerance(co, s) / own;
  const double D = own / last_weight[s], D_low = lower / last_weight[s - 2];
  double least = worth * work_of(s, of->iterations, of->matrices, ratio_of(co, h, error, s));
  int best = s;
  for (int other = s - 2; other <= s + 2; other += 4) {
    if (other < 3 || other > co->s_most) continue;
    const double size = other < s ? lower : last_weight[other] * D * (D / D_low);
    const double allowed = trmi_collocation_tolerance(co, other);
    const double r = bearable(of, other, ratio_of(co, h, scale * size / allowed, other));
    const double work = expected_work(of, other, r);
    if (work < least) least = work, best = other, *ratio = r;
  }
  return best;
}

/* --- choice --------------------------------------------------------------------------------- */

/* Where new matrices are of no use by (5) of collocation_iterate.c, steps do without; each time
 * twice as many. */
static void follow_renewals(trmi_order_choice *of, const trmi_renewal *last) {
  if (last->is_useless) {
    of->unrenewed_last = of->unrenewed_last > 0 ? 2 * of->unrenewed_last : UNRENEWED_FIRST;
    if (of->unrenewed_last > UNRENEWED_MOST) of->unrenewed_last = UNRENEWED_MOST;
    of->unrenewed = of->unrenewed_last;
  } else if (last->is_judged) {
    of->unrenewed = of->unrenewed_last = 0;
  } else if (of->unrenewed > 0) {
    of->unrenewed--;
  }
}

/* Contribution of the attempt to the means. */
static void follow(trmi_collocation *co, const trmi_attempt *result) {
  trmi_order_choice *of = &co->tried;
  *of = co->choice;
  const double part = of->since == 0 ? 1.0 : mean_part;
  of->iterations += part * (result->iterations - of->iterations);
  of->matrices += part * (co->factored - of->matrices);
  of->rate = fmax(co->theta, of->since == 0 ? 0.0 : fading * of->rate);
  of->since++;
  follow_renewals(of, &co->renewal);
  if (co->rk->s > 3 && of->since > STEPS_BETWEEN) of->wait = WAIT_FIRST;
}

void trmi_collocation_order_judge(trmi_collocation *co, double h, trmi_attempt *result) {
  trmi_order_choice *of = &co->tried;
  const int s = co->rk->s;
  follow(co, result);
  double ratio = ratio_of(co, h, result->error, s);
  const double bound = bearable(of, s, ratio);
  const bool may_grow = bound >= trmi_integ_radau.hold && co->failed == 0;
  if (bound < ratio) result->factor = may_grow ? bound : 1.0;

  const bool may_rise = s < co->s_most, may_fall = s > 3 && of->rate > noticed;
  const int best = may_rise || may_fall ? best_stages(co, h, result->error, &ratio) : s;
  const int change = (best > s) - (best < s);
  of->favour = of->favour * change > 0 ? of->favour + change : change;
  const bool may = best > s ? of->since >= of->wait : may_fall;
  if (best == s || !may || co->failed > 0 || change * of->favour < STEPS_AGREED) return;
  of->stages = best;
  result->factor = fmin(ratio, with_order);
}

void trmi_collocation_order_take(trmi_collocation *co, double h) {
  trmi_order_choice *of = &co->choice;
  const int s = co->rk->s;
  if (co->h == 0.0) return;
  const double ratio = h / co->h;
  const bool is_steady = co->failed == 0 && ratio <= steady && ratio * steady >= 1.0;
  if (co->theta <= easy && is_steady && of->since >= STEPS_BETWEEN && s + 2 <= co->s_most) {
    of->stages = s + 2;
  }
  if (co->failed > 1 || co->theta >= hard) {
    of->stages = s > 3 ? s - 2 : s;
    if (s > 3 && of->wait < WAIT_MOST) of->wait *= WAIT_FACTOR;
  }
  if (of->stages == s) return;
  co->rk = trmi_radau_of(of->stages);
  co->eta = 1.0;
  of->since = of->favour = 0;
}
