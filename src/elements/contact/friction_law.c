/* friction_law.c - elasto-plastic bristles, and a friction that is a function of the speed.
 *
 * c is the speed of sliding, z the deflection of the bristles over the depth at which they break
 * away, both with one or two components; V = |c|, Z = |z|:
 *   lim = mu(V)/mu_s,   mu = mu_d + (mu_s - mu_d)/(1 + (V/v_s)^2)                          (1)
 *   z' = (c - f z)/depth,   f = a(Z/lim) max(0, z.c)/(lim Z)                               (2)
 *   phi = -mu_s (z + g z'),   g = tau/(1 + tau V/depth)                                    (3)
 * N phi is the force. a is 0 below .9 and 1 above 1, with a cubic between: below .9 of the limit
 * the bristles are springs and nothing creeps. In sliding z = lim c/V. The plastic part of (2) acts
 * along z alone: with one component it is a |c| z/lim, in a plane the sliding turns z round without
 * a jump where c is perpendicular to it. The damper of (3) is bounded by the quotient: with a
 * constant tau a reversal at 1 m/s would push a hundred times mu N.
 * Regularized: phi = -mu(V) c/V with
 *   mu = mu_s (3 V/v_s - (V/v_s)^3)/2 up to v_s, then a cubic to mu_d at 2 v_s             (4)
 * as in joints, elements/joint/friction.c.
 * Theory: docs/theory/15-contact.md, section 3. */
#include "elements/contact/friction_law.h"
#include <math.h>

/* Sums over n components. */
static double dot(int n, const double *a, const double *b) {
  return a[0] * b[0] + (n > 1 ? a[1] * b[1] : 0.0);
}

double trmi_friction_plastic(double ratio, double *slope) {
  const double begin = 0.9, u = (ratio - begin) / (1.0 - begin);
  *slope = 0.0;
  if (u <= 0.0) return 0.0;
  if (u >= 1.0) return 1.0;
  *slope = 6.0 * u * (1.0 - u) / (1.0 - begin);
  return u * u * (3.0 - 2.0 * u);
}

/* Limit and plastic flow at a point, with derivatives. */
typedef struct flow {
  double lim, lim_c[2]; /* (1)              */
  double f, f_c[2], f_z[2]; /* (2)          */
  double ratio;
} flow;

static flow flow_at(const trmi_friction_law *law, int n, const double *c, const double *z) {
  flow w = {.lim = 1.0};
  const double square = dot(n, c, c) / (law->velocity * law->velocity);
  const double fall = 1.0 - law->moving / law->rest, Z = sqrt(dot(n, z, z));
  w.lim = 1.0 - fall + fall / (1.0 + square);
  const double slope = -2.0 * fall / ((1.0 + square) * (1.0 + square)) /
                       (law->velocity * law->velocity);
  for (int i = 0; i < n; i++) w.lim_c[i] = slope * c[i];
  w.ratio = Z / w.lim;
  const double s = dot(n, z, c);
  double a_slope;
  const double a = trmi_friction_plastic(w.ratio, &a_slope);
  if (!(s > 0.0) || a == 0.0) return w;
  w.f = a * s / (w.lim * Z);
  for (int i = 0; i < n; i++) {
    const double ratio_c = -w.ratio * w.lim_c[i] / w.lim, ratio_z = z[i] / (Z * w.lim);
    const double part = s / (w.lim * Z);
    w.f_c[i] = a_slope * ratio_c * part + a * z[i] / (w.lim * Z) - w.f * w.lim_c[i] / w.lim;
    w.f_z[i] = a_slope * ratio_z * part + a * c[i] / (w.lim * Z) - w.f * z[i] / (Z * Z);
  }
  return w;
}

/* (1) to (3) */
static trmi_friction_force bristles(const trmi_friction_law *law, int n, const double *c,
                                    const double *z) {
  trmi_friction_force out = {.grip = 0.0};
  const flow w = flow_at(law, n, c, z);
  const double V = sqrt(dot(n, c, c));
  const double g = law->time / (1.0 + law->time * V / law->depth);
  const double g_V = -g * g / law->depth;
  out.grip = w.ratio, out.limit = w.lim;
  /* (2) */
  for (int i = 0; i < n; i++) out.rate[i] = (c[i] - w.f * z[i]) / law->depth;
  for (int i = 0; i < n; i++) {
    out.force[i] = -law->rest * (z[i] + g * out.rate[i]);
    for (int k = 0; k < n; k++) {
      const double one = i == k ? 1.0 : 0.0, V_c = V > 0.0 ? c[k] / V : 0.0;
      out.rate_c[i][k] = (one - w.f_c[k] * z[i]) / law->depth;
      out.rate_z[i][k] = -(w.f_z[k] * z[i] + w.f * one) / law->depth;
      out.force_c[i][k] = -law->rest * (g_V * V_c * out.rate[i] + g * out.rate_c[i][k]);
      out.force_z[i][k] = -law->rest * (one + g * out.rate_z[i][k]);
    }
  }
  return out;
}

/* (4): mu(V)/V, and its derivative by V over V */
static double regular_factor(const trmi_friction_law *law, double V, double *slope) {
  const double v = law->velocity, u = V / v;
  if (u < 1.0) {
    *slope = -law->rest / (v * v * v);
    return 0.5 * law->rest / v * (3.0 - u * u);
  }
  const double x = fmin(u - 1.0, 1.0);
  const double mu = law->rest + (law->moving - law->rest) * x * x * (3.0 - 2.0 * x);
  const double mu_V = (law->moving - law->rest) * 6.0 * x * (1.0 - x) / v;
  *slope = (mu_V - mu / V) / (V * V);
  return mu / V;
}

trmi_friction_force trmi_friction_at(const trmi_friction_law *law, int n, const double *c,
                                     const double *z) {
  if (law->kind == TRMI_FRICTION_BRISTLE) return bristles(law, n, c, z);
  trmi_friction_force out = {.grip = 0.0};
  if (law->kind == TRMI_FRICTION_NONE) return out;
  const double V = sqrt(dot(n, c, c));
  double slope;
  const double factor = regular_factor(law, V, &slope);
  out.grip = V / law->velocity;
  for (int i = 0; i < n; i++) {
    out.force[i] = -factor * c[i];
    for (int k = 0; k < n; k++) {
      out.force_c[i][k] = -(i == k ? factor : 0.0) - slope * c[i] * c[k];
    }
  }
  return out;
}
