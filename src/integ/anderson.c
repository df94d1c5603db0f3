/* anderson.c - see anderson.h.
 *
 * An iteration adds f(z) to its unknowns z. With an inexact matrix it converges linearly, and f is
 * nearly linear. Pairs of an increment and the change of f,
 *   dz_i,  df_i = f(z_i + dz_i) - f(z_i)                                       (1)
 * predict f elsewhere: the iteration adds
 *   f - sum_i y_i (df_i + dz_i),   y so that |f - sum_i y_i df_i| is smallest  (2)
 * in the weighted norm. New pairs are orthogonalized, so that (2) is a plain sum. Source:
 * [Anderson1965]; for linear f it is the method of conjugate residuals, which converges where the
 * plain iteration does not. */
#include "integ/anderson.h"
#include <math.h>
#include <string.h>

/* A change of f whose orthogonal part, squared, is smaller than this carries no information. */
static const double nothing_new = 1e-12;

void trmi_anderson_plan(trmi_anderson *mix, int n, trmi_arena *arena) {
  *mix = (trmi_anderson){.n = n};
  for (int i = 0; i < ANDERSON_PAIRS; i++) {
    mix->dz[i] = TRMI_TAKE(arena, double, n);
    mix->df[i] = TRMI_TAKE(arena, double, n);
  }
  mix->weight = TRMI_TAKE(arena, double, n);
  mix->f = TRMI_TAKE(arena, double, n);
  mix->added = TRMI_TAKE(arena, double, n);
}

static double product(const trmi_anderson *mix, const double *a, const double *b) {
  double sum = 0.0;
  for (int i = 0; i < mix->n; i++) sum += mix->weight[i] * a[i] * b[i];
  return sum;
}

static void add(double *to, double c, const double *x, int n) {
  for (int i = 0; i < n; i++) to[i] += c * x[i];
}

/* (1) from the last two f, the new one in `added`, orthogonal to the pairs before. */
static void keep_pair(trmi_anderson *mix, double *dz, double *df) {
  for (int i = 0; i < mix->n; i++) df[i] = mix->added[i] - mix->f[i];
  const double whole = product(mix, df, df);
  for (int k = 0; k < mix->count; k++) {
    const double c = product(mix, df, mix->df[k]);
    add(df, -c, mix->df[k], mix->n);
    add(dz, -c, mix->dz[k], mix->n);
  }
  const double left = product(mix, df, df);
  if (!(left > nothing_new * whole)) return;
  const double c = 1.0 / sqrt(left);
  for (int i = 0; i < mix->n; i++) dz[i] *= c, df[i] *= c;
  mix->count++;
}

void trmi_anderson_next(trmi_anderson *mix, double *f, bool is_first) {
  const size_t bytes = (size_t)mix->n * sizeof(double);
  if (is_first) mix->count = 0;
  const bool has_pair = !is_first && mix->count < ANDERSON_PAIRS;
  if (has_pair) memcpy(mix->dz[mix->count], mix->added, bytes);
  memcpy(mix->added, f, bytes);
  if (has_pair) keep_pair(mix, mix->dz[mix->count], mix->df[mix->count]);
  memcpy(mix->f, mix->added, bytes);
  for (int k = 0; k < mix->count; k++) { /* (2) */
    const double y = product(mix, mix->f, mix->df[k]);
    add(mix->added, -y, mix->df[k], mix->n);
    add(mix->added, -y, mix->dz[k], mix->n);
  }
  memcpy(f, mix->added, bytes);
}
