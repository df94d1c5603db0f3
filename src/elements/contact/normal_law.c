/* normal_law.c - normal force of a contact: Hunt-Crossley, or IMPACT of ADAMS.
 *   N = k p^e max(0, 1 + c p'),   N = 0 for p <= 0                                        (1)
 * A mass m that hits with v-: m p' dp'/dp = -N, so y dy/(1 + y) = -c^2 k p^e dp/m with y = c p'.
 * The right side sums up to zero over an impact: y - ln(1 + y) is the same at both ends. It leaves
 * with r v-, whatever k, e and m are, if
 *   -r y0 - ln(1 - r y0) = y0 - ln(1 + y0),   c = y0/v-                                   (2)
 *   N = max(0, k p^e + c_max s(p/d) p'),   s(u) = u^2 (3 - 2 u) up to 1, then 1           (3)
 * Source: [HuntCrossley], (2) by separating variables. Theory: docs/theory/15-contact.md. */
#include "elements/contact/normal_law.h"
#include <math.h>

/* (3) */
static trmi_normal_force impact_force(const trmi_normal_law *law, double p, double rate,
                                      trmi_normal_force f) {
  const double u = fmin(p / law->impact_depth, 1.0);
  const double s = u * u * (3.0 - 2.0 * u);
  const double slope = u < 1.0 ? 6.0 * u * (1.0 - u) / law->impact_depth : 0.0;
  const double sum = f.elastic + law->impact_damping * s * rate;
  if (!(sum > 0.0)) return (trmi_normal_force){.elastic = f.elastic, .stored = f.stored};
  f.N = sum;
  f.by_p += law->impact_damping * slope * rate;
  f.by_rate = law->impact_damping * s;
  return f;
}

trmi_normal_force trmi_normal_force_at(const trmi_normal_law *law, double v_minus, double p,
                                       double rate) {
  if (!(p > 0.0)) return (trmi_normal_force){.N = 0.0};
  const double below = law->stiffness * pow(p, law->exponent - 1.0);
  trmi_normal_force f = {.elastic = below * p, .by_p = below * law->exponent};
  f.stored = f.elastic * p / (law->exponent + 1.0);
  if (law->impact_depth > 0.0) return impact_force(law, p, rate, f);
  const double c = law->restitution_y > 0.0 ? law->restitution_y / fmax(v_minus, law->slowest)
                                            : law->damping;
  const double factor = 1.0 + c * rate;
  if (!(factor > 0.0)) return (trmi_normal_force){.elastic = f.elastic, .stored = f.stored};
  f.N = f.elastic * factor; /* (1) */
  f.by_p *= factor;
  f.by_rate = f.elastic * c;
  return f;
}

/* Difference of both sides of (2): negative below y0, positive above. */
static double mismatch(double r, double y) {
  return (-r * y - log1p(-r * y)) - (y - log1p(y));
}

double trmi_restitution_factor(double r) {
  if (r > 1.0 - 1e-6) return 1.5 * (1.0 - r); /* first order of (2); the next is (1 - r)^2 */
  double low = 0.1 * (1.0 - r), high = 1.0 / r;
  for (int i = 0; i < 100; i++) {
    const double y = 0.5 * (low + high);
    if (mismatch(r, y) < 0.0) low = y;
    else high = y;
  }
  return 0.5 * (low + high);
}
