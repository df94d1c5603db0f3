/* alpha_predict.c - accepted points, and the polynomial through them that predicts a step.
 *
 * v', lam, mu, x', w of the newest degree + 1 points t_i are extrapolated to t by
 *   sum_i w_i y_i,   w_i = prod_(j != i) (t - t_j) / (t_i - t_j)                (1)
 * The degree is the one that would have predicted v' of the last step best; it may increase by one
 * when one more point is available. Theory: docs/theory/03-alpha.md, 3.8. */
#include "integ/alpha.h"
#include "integ/point_sums.h"
#include "math/both.h"

void trmi_alpha_remember(trmi_alpha *ga) {
  if (ga->npoints == ALPHA_HISTORY) {
    double *oldest = ga->point[0];
    for (int k = 1; k < ALPHA_HISTORY; k++) {
      ga->point[k - 1] = ga->point[k];
      ga->point_t[k - 1] = ga->point_t[k];
    }
    ga->point[ALPHA_HISTORY - 1] = oldest;
    ga->npoints--;
  }
  trmi_unknowns_gather(ga->ctx.sys, &ga->now, ga->point[ga->npoints]);
  ga->point_t[ga->npoints++] = ga->now.t;
}

/* Factors of (1) for n points: f_ij = (t - t_j) / (t_i - t_j), and 1 for j = i. */
static TRMI_INLINE void weight_factors(const double *at, int n, double t,
                                       double f[ALPHA_HISTORY][ALPHA_HISTORY]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) f[i][j] = j != i ? (t - at[j]) / (at[i] - at[j]) : 1.0;
  }
}

/* Weights (1) of the points from `first` on, from these factors. */
static TRMI_INLINE void weights(int first, int n, double f[ALPHA_HISTORY][ALPHA_HISTORY],
                                double w[ALPHA_HISTORY]) {
  for (int i = first; i < n; i++) {
    w[i] = 1.0;
    for (int j = first; j < n; j++) w[i] *= f[i][j];
  }
}

void trmi_alpha_extrapolate(trmi_alpha *ga, double t) {
  const int all = trmi_places_of(ga->ctx.sys).n;
  double f[ALPHA_HISTORY][ALPHA_HISTORY], w[ALPHA_HISTORY];
  const int n = ga->degree < ga->npoints ? ga->degree + 1 : ga->npoints;
  const int first = ga->npoints - n;
  weight_factors(ga->point_t + first, n, t, f);
  weights(0, n, f, w);
  trmi_point_values((const double *const *)ga->point + first, w, n, all, ga->r);
}

/* Squares of the errors that the degrees up to `most` would have had, over the scales. */
static TRMI_INLINE void add_errors(const trmi_alpha *ga, int most, double error[ALPHA_HISTORY]) {
  const int nv = ga->ctx.sys->n.nv;
  const double *vd = ga->next.vd, *scale = ga->ctx.scale_v;
  double f[ALPHA_HISTORY][ALPHA_HISTORY], w[ALPHA_HISTORY][ALPHA_HISTORY];
  weight_factors(ga->point_t, most + 1, ga->next.t, f);
  for (int d = 0; d <= most; d++) weights(most - d, most + 1, f, w[d]);
  int i = 0;
  for (; i + 1 < nv; i += 2) { /* two at a time */
    const trmi_both now = both_load(vd + i);
    const trmi_both per = both_div(both(1.0, 1.0), both_load(scale + i));
    for (int d = 0; d <= most; d++) {
      trmi_both e = now;
      for (int k = most - d; k <= most; k++) {
        e = both_sub(e, both_mul(both(w[d][k], w[d][k]), both_load(ga->point[k] + i)));
      }
      e = both_mul(e, per);
      e = both_mul(e, e);
      error[d] += both_at(e, 0);
      error[d] += both_at(e, 1);
    }
  }
  for (; i < nv; i++) {
    for (int d = 0; d <= most; d++) {
      double e = vd[i];
      for (int k = most - d; k <= most; k++) e -= w[d][k] * ga->point[k][i];
      e *= 1.0 / scale[i];
      error[d] += e * e;
    }
  }
}

void trmi_alpha_choose_degree(trmi_alpha *ga) {
  const int most = ga->npoints - 1;
  double error[ALPHA_HISTORY] = {0};
  if (most == ALPHA_HISTORY - 1) add_errors(ga, ALPHA_HISTORY - 1, error);
  else add_errors(ga, most, error);
  int best = 0;
  for (int d = 1; d <= most; d++) {
    if (error[d] < error[best]) best = d;
  }
  /* a longer history offers one degree more next time */
  ga->degree = best == most && most < ALPHA_HISTORY - 1 ? most + 1 : best;
}
