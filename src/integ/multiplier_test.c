/* multiplier_test.c - see multiplier_test.h.
 *
 * Where motions leave no degree of freedom, positions are exact at once and give no information
 * about the multipliers, which converge only gradually with an old matrix; their error would grow
 * from step to step. Corrections of multipliers are measured by the displacement that they would
 * cause in unconstrained bodies,
 *   h^2 (G^T dlam + A^T dmu)_i / D_i                                                        (1)
 * with D the diagonal of the matrix of the correction; G and A are also taken from a matrix, since
 * blocks of the system may be those of a sample, which must leave no trace. With r the ratio of two
 * successive sizes,
 *   r / (1 - r) size                                                                        (2)
 * is the expected error; it may be ten times that permitted in positions. Reasons:
 * docs/theory/03-alpha.md, 3.8. */
#include "integ/multiplier_test.h"
#include <string.h>

/* Permitted error of multipliers, over that of positions. */
static const double coarser = 10.0;
/* From the fifth correction on, one that decreases by less than `stagnant` cannot be improved. */
enum { PATIENCE = 4 };
static const double stagnant = 0.3;
/* Corrections below this part of the tolerance, or this multiple of the rounding, have converged
 * whatever their ratio. */
static const double negligible = 1e-2, noise = 500.0;

void trmi_multiplier_test_force(const trmi_matrix *matrix, const trm_system *sys,
                                const double *correction, const double *more, double *force) {
  const trmi_plan *plan = &matrix->plan;
  const trmi_places at = trmi_places_of(sys);
  if (at.lam > 0) memset(force, 0, (size_t)at.lam * sizeof *force);
  for (int j = at.lam; j < at.x; j++) {
    const double change = correction[j] + (more != NULL ? more[j] : 0.0);
    for (int k = plan->Ap[j]; k < plan->Ap[j + 1]; k++) {
      if (plan->Ai[k] < at.lam) force[plan->Ai[k]] += trmi_plan_at(plan, k) * change;
    }
  }
}

double trmi_multiplier_test_square(const trmi_matrix *matrix, const trm_system *sys,
                                   const double *scale_v, const double *force) {
  const int nv = sys->n.nv;
  double sum = 0.0;
  for (int i = 0; i < nv; i++) {
    const int place = matrix->diagonal[i];
    const double D = place >= 0 ? trmi_plan_at(&matrix->plan, place) : 0.0;
    const double e = D != 0.0 ? force[i] / (D * scale_v[i]) : 0.0; /* (1) */
    sum += e * e;
  }
  return nv > 0 ? sum / nv : 0.0;
}

bool trmi_multiplier_test_holds(trmi_multiplier_test *loads, double size, double limit,
                                double rounding) {
  const double most = coarser * limit;
  if (loads->count > 0) loads->ratio = loads->last > 0.0 ? size / loads->last : 0.0;
  loads->last = size;
  loads->count++;
  const bool stagnates = loads->count > PATIENCE && loads->ratio > stagnant;
  return trmi_newton_rest(loads->ratio) * size <= most || size <= negligible * most ||
         size <= noise * rounding || stagnates; /* (2) */
}
