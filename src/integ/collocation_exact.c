/* collocation_exact.c - the time-discontinuous Galerkin method of [TDG] with its integrals
 * evaluated exactly (three Gauss points), kept for comparison.
 *
 * In the step psi'' = a, psi' = v0 + h y + s h a with the velocity jump h y, 0 <= s <= 1; lam, mu,
 * states x and variables w are linear through their values at s = 1/3 and 1, which for states is
 * the same discontinuous polynomial as for velocities. With f = M v' + G^T lam + A^T mu - Q:
 *   R1 = M y + int f ds = 0,   R2 = int s f ds = 0                            (1)
 * In the unknowns of two stages, y = (psi''_1 - psi''_2)/4 and a = (psi''_1 + psi''_2)/2. The
 * two-point Radau rule turns (1) into the equations of the stages,
 *   motion_1 = 2 (R1 - R2),   motion_2 = 6 R2 - 2 R1                          (2)
 * so (2) with the exact integrals is solved by the same iteration; rows of constraints, states and
 * variables are those of the stages. The change of psi'' at the stages by (1) cancels in their sum
 * with the weights of the step, and likewise in states that depend on v' or lam. One coefficient of
 * the matrix differs, that of h^2 Kt a in R2: 1/8, by the Radau rule 5/36; collocation_full.c
 * includes it, the multicorrector converges without. Linear motion: damping O^3/144, period error
 * O^4/720, none of the damping at infinity. */
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
  double *psi = co->d[0], *rate = co->d[1], *acc = co->re, *others = co->im;
  trm_state *s = &co->stage;

  /* M y: the equation of motion holds at the start, so y added to v' leaves M y */
  trmi_state_copy(sys, &co->now, &co->next);
  for (int m = 0; m < nv; m++) co->next.vd[m] += (z1[m] - z2[m]) / 4;
  TRMI_TRY(err, trm_system_values(sys, &co->next, &(trm_values){.motion = R1}, err));
  memset(R2, 0, (size_t)nv * sizeof(double));
  for (int k = 0; k < POINTS; k++) { /* (1) */
    const double p = point[k];
    for (int m = 0; m < nv; m++) {
      const double start = co->now.v[m] + h * (z1[m] - z2[m]) / 4, a = (z1[m] + z2[m]) / 2;
      psi[m] = h * p * (start + h * p * a / 2);
      rate[m] = start + h * p * a;
      acc[m] = a;
    }
    for (int m = at.lam; m < at.n; m++) {
      others[m] = 1.5 * (1 - p) * z1[m] + 0.5 * (3 * p - 1) * z2[m];
    }
    for (int m = 0; m < sys->n.nx; m++) {
      const double one = z1[at.x + m], two = z2[at.x + m];
      s->x[m] = co->now.x[m] + h * ((one - two) / 4 + p * (one + two) / 2);
    }
    trmi_collocation_turn(co, psi, rate, acc);
    s->lam = others + at.lam, s->mu = others + at.mu, s->xd = others + at.x, s->w = others + at.w;
    trmi_state_at(sys, &co->now, co->now.t + p * h, s);
    TRMI_TRY(err, trm_system_values(sys, s, &(trm_values){.motion = f}, err));
    for (int m = 0; m < nv; m++) {
      R1[m] += weight[k] * f[m];
      R2[m] += weight[k] * p * f[m];
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
