/* alpha_mix.c - acceleration of an iteration whose matrix leaves a term out.
 *
 * One Newton iteration adds f(z) to the unknowns z of a step, f = (P, L, .. ; d, n, ..) of
 * alpha_newton.c. With the term left out it comes closer by a factor each time, and f is
 * nearly linear. Pairs of what was added and how f changed by it,
 *   dz_i,  df_i = f(z_i + dz_i) - f(z_i)                                       (1)
 * tell how f would be elsewhere: added is
 *   f - sum_i y_i (df_i + dz_i),   y so that |f - sum_i y_i df_i| is smallest  (2)
 * The length is that of corrections of positions, velocities and states over their scales. Pairs
 * are made orthonormal as they come, so that y_i is a product of f and df_i. For linear f it is the
 * method of conjugate residuals, which converges where the plain iteration does not.
 * Source: [Anderson1965]. Figures: docs/theory/03-alpha.md, 3.9. */
#include "integ/alpha.h"
#include <math.h>
#include <string.h>

/* A change of f of which so little is not known from other pairs, squared, tells nothing. */
static const double nothing_new = 1e-12;

void trmi_alpha_mix_plan(trmi_alpha *ga) {
  const size_t n = 2 * (size_t)trmi_places_of(ga->ctx.sys).n;
  trmi_mix *mix = &ga->mix;
  for (int i = 0; i < ALPHA_PAIRS; i++) {
    mix->dz[i] = TRMI_TAKE(&ga->arena, double, n);
    mix->df[i] = TRMI_TAKE(&ga->arena, double, n);
  }
  mix->f = TRMI_TAKE(&ga->arena, double, n);
  mix->added = TRMI_TAKE(&ga->arena, double, n);
}

/* Product of the length; corrections of states count by `rate` as those of positions do. */
static double product(const trmi_alpha *ga, const double *a, const double *b) {
  const trm_system *sys = ga->ctx.sys;
  const trmi_places at = trmi_places_of(sys);
  const double rate = ga->mix.rate;
  double sum = 0.0;
  for (int i = 0; i < sys->n.nv; i++) {
    const double scale = 1.0 / ga->ctx.scale_v[i];
    const double ea = (a[i] + a[at.n + i]) * scale, eb = (b[i] + b[at.n + i]) * scale;
    sum += a[i] * b[i] * scale * scale + ea * eb;
  }
  for (int i = 0; i < sys->n.nx; i++) {
    const double scale = rate / fmax(sys->scale_x[i], fabs(ga->next.x[i]));
    const double *x = a + at.x, *y = b + at.x;
    sum += (x[i] + x[at.n + i]) * (y[i] + y[at.n + i]) * scale * scale;
  }
  return sum;
}

static void add(double *to, double c, const double *x, int n) {
  for (int i = 0; i < n; i++) to[i] += c * x[i];
}

/* (1) from the last two f, the new one in `added`, orthogonal to the pairs before. */
static void keep_pair(trmi_alpha *ga, double *dz, double *df, int n) {
  trmi_mix *mix = &ga->mix;
  for (int i = 0; i < n; i++) df[i] = mix->added[i] - mix->f[i];
  const double whole = product(ga, df, df);
  for (int k = 0; k < mix->count; k++) {
    const double c = product(ga, df, mix->df[k]);
    add(df, -c, mix->df[k], n);
    add(dz, -c, mix->dz[k], n);
  }
  const double left = product(ga, df, df);
  if (!(left > nothing_new * whole)) return;
  const double c = 1.0 / sqrt(left);
  for (int i = 0; i < n; i++) dz[i] *= c, df[i] *= c;
  mix->count++;
}

void trmi_alpha_mix(trmi_alpha *ga, double h, bool is_first) {
  const int half = trmi_places_of(ga->ctx.sys).n, n = 2 * half;
  const size_t bytes = (size_t)half * sizeof(double);
  trmi_mix *mix = &ga->mix;
  if (is_first) mix->count = 0, mix->rate = ga->gamma / (ga->beta * h);
  const bool has_pair = !is_first && mix->count < ALPHA_PAIRS;
  if (has_pair) memcpy(mix->dz[mix->count], mix->added, 2 * bytes);
  memcpy(mix->added, ga->r, bytes);
  memcpy(mix->added + half, ga->r2, bytes);
  if (has_pair) keep_pair(ga, mix->dz[mix->count], mix->df[mix->count], n);
  memcpy(mix->f, mix->added, 2 * bytes);
  for (int k = 0; k < mix->count; k++) { /* (2) */
    const double y = product(ga, mix->f, mix->df[k]);
    add(mix->added, -y, mix->df[k], n);
    add(mix->added, -y, mix->dz[k], n);
  }
  memcpy(ga->r, mix->added, bytes);
  memcpy(ga->r2, mix->added + half, bytes);
}
