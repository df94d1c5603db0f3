/* collocation_exact.c - the time-discontinuous Galerkin method of [TDG] with its integrals
 * evaluated exactly (three Gauss points), kept for comparison.
 *
 * In the step psi'' = a, psi' = v0 + h y + x h a with the velocity jump h y; lam, mu are linear
 * through their values at x = 1/3 and 1. With f = M v' + G^T lam + A^T mu - Q:
 *   R1 = M y + int f dx = 0,   R2 = int x f dx = 0                            (1)
 * In the unknowns of two stages, y = (psi''_1 - psi''_2)/4 and a = (psi''_1 + psi''_2)/2. The
 * two-point Radau rule makes of (1) the equations of the stages,
 *   motion_1 = 2 (R1 - R2),   motion_2 = 6 R2 - 2 R1                          (2)
 * so that (2) with the exact integrals goes through the same iteration; rows of constraints are
 * those of the stages. One coefficient of the matrix differs, that of h^2 Kt a in R2: 1/8, by the
 * Radau rule 5/36; collocation_full.c knows of it, the multicorrector contracts without.
 * Linear motion: damping O^3/144, period error O^4/720, none of the damping at infinity. */
#include "integ/collocation.h"
#include <math.h>
#include <string.h>

enum { POINTS = 3 };

trm_status trmi_collocation_exact(trmi_collocation *co, double h, trm_error *err) {
  static const double root = 0.38729833462074170; /* sqrt(15)/10 */
  static const double weight[POINTS] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
  const double point[POINTS] = {0.5 - root, 0.5, 0.5 + root};
  trm_system *sys = co->ctx.sys;
  const trmi_places at = trmi_places_of(sys);
  const int nv = sys->n.nv;
  const double *z1 = co->z[0], *z2 = co->z[1];
  double *R1 = co->work, *R2 = co->work + at.n, *f = co->work + 2 * at.n;
  double *psi = co->d[0], *rate = co->d[1], *acc = co->re, *multipliers = co->im;
  trm_state *s = &co->stage;

  /* M y: the equation of motion holds at the start, so y added to v' leaves M y */
  trmi_state_copy(sys, &co->now, &co->next);
  for (int m = 0; m < nv; m++) co->next.vd[m] += (z1[m] - z2[m]) / 4;
  TRMI_TRY(err, trm_system_values(sys, &co->next, &(trm_values){.motion = R1}, err));
  memset(R2, 0, (size_t)nv * sizeof(double));
  for (int k = 0; k < POINTS; k++) { /* (1) */
    const double x = point[k];
    for (int m = 0; m < nv; m++) {
      const double start = co->now.v[m] + h * (z1[m] - z2[m]) / 4, a = (z1[m] + z2[m]) / 2;
      psi[m] = h * x * (start + h * x * a / 2);
      rate[m] = start + h * x * a;
      acc[m] = a;
    }
    for (int m = at.lam; m < at.x; m++) {
      multipliers[m] = 1.5 * (1 - x) * z1[m] + 0.5 * (3 * x - 1) * z2[m];
    }
    trmi_collocation_turn(co, psi, rate, acc);
    s->lam = multipliers + at.lam, s->mu = multipliers + at.mu;
    s->t = co->now.t + x * h;
    TRMI_TRY(err, trm_system_values(sys, s, &(trm_values){.motion = f}, err));
    for (int m = 0; m < nv; m++) {
      R1[m] += weight[k] * f[m];
      R2[m] += weight[k] * x * f[m];
    }
  }
  for (int m = 0; m < nv; m++) { /* (2) */
    co->r[0][m] = 2 * (R1[m] - R2[m]);
    co->r[1][m] = 6 * R2[m] - 2 * R1[m];
    if (isfinite(R1[m] + R2[m])) continue;
    return TRMI_FAIL(err, TRM_RETRY_DOMAIN, NULL, "an equation of motion is not finite");
  }
  return TRM_OK;
}
