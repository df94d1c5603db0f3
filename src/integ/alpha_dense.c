/* alpha_dense.c - values inside a step.
 *
 * Cubic Hermite in the local coordinates of the step, p(0) = 0, p(h) = difference. In a running
 * sequence velocities differ from the derivative of positions by
 *   e = p(h)/h - (v0 + T^-1 v1)/2 + h/12 (T^-1 a1 - a0) = C_q h^2 v'' + ..,              (1)
 * so that p' = v0 + e, T^-1 v1 + e at the ends and v = T(p) (p' - e): without e the positions
 * inside the step would be in error by h e, which stretches stiff parts. Accelerations and
 * multipliers are interpolated linearly, consistent with their order. Variables in loops are solved
 * for at the interpolated state: between the ends they may be far from linear, and events depend on
 * them. Stiff parts, in which small errors of positions cause large loads, get a stage of their own
 * there (dense_stage.c), with
 *   z1 = h/2,   z2 = h^2/4                                                                (2)
 * Derivation: docs/theory/03-alpha.md. */
#include "integ/alpha.h"
#include <string.h>

static void copy(double *to, const double *from, int n) {
  if (n > 0) memcpy(to, from, (size_t)n * sizeof *to);
}

trm_status trmi_alpha_relax(trmi_alpha *ga, double h, trm_state *s, trm_error *err) {
  const double z[2] = {h / 2, h * h / 4}; /* (2) */
  bool is_wanted = false;
  TRMI_TRY(err, trmi_dense_stage_is_stiff(&ga->inside, &ga->now, z[1], &is_wanted, err));
  if (!is_wanted) return TRM_OK;
  TRMI_TRY(err, trmi_dense_stage_solve(&ga->inside, s, z, &is_wanted, err));
  if (is_wanted) trmi_state_copy(ga->ctx.sys, &ga->inside.s, s);
  return TRM_OK;
}

trm_status trmi_alpha_interpolate(void *integ, double t, trm_state *s, trm_error *err) {
  trmi_alpha *ga = integ;
  const trm_system *sys = ga->ctx.sys;
  const trm_sizes *n = &sys->n;
  const trm_state *s0 = &ga->next, *s1 = &ga->now; /* swapped by accept */
  const double h = s1->t - s0->t, x = (t - s0->t) / h;
  double *dq = ga->delta, *end_rate = ga->turned, *rate = ga->r2, *end_acc = ga->r;
  for (int i = 0; i < n->nv; i++) rate[i] = 0.5 * h * (s0->v[i] + s1->v[i]);
  trmi_group_difference_near(sys, s1->q, s0->q, rate, dq);
  trmi_group_Tinv(sys, dq, ga->T_dense);
  trmi_group_apply(sys, ga->T_dense, s1->v, end_rate);
  trmi_group_apply(sys, ga->T_dense, ga->a, end_acc);
  for (int i = 0; i < n->nv; i++) {
    const double d = dq[i] / h;
    const double e = d - 0.5 * (s0->v[i] + end_rate[i]) + h / 12 * (end_acc[i] - ga->an[i]);
    const double v0 = s0->v[i] + e, v1 = end_rate[i] + e;                     /* (1) */
    dq[i] = h * x * (v0 + x * (3 * d - 2 * v0 - v1 + x * (v0 + v1 - 2 * d)));
    rate[i] = v0 - e + x * (2 * (3 * d - 2 * v0 - v1) + 3 * x * (v0 + v1 - 2 * d));
    s->vd[i] = s0->vd[i] + x * (s1->vd[i] - s0->vd[i]);
  }
  trm_system_retract(sys, s0->q, dq, s->q);
  trmi_group_T(sys, dq, ga->T_dense);
  trmi_group_apply(sys, ga->T_dense, rate, s->v);
  for (int i = 0; i < n->nx; i++) {
    const double d = (s1->x[i] - s0->x[i]) / h, v0 = s0->xd[i], v1 = s1->xd[i];
    s->x[i] = s0->x[i] + h * x * (v0 + x * (3 * d - 2 * v0 - v1 + x * (v0 + v1 - 2 * d)));
    s->xd[i] = v0 + x * (2 * (3 * d - 2 * v0 - v1) + 3 * x * (v0 + v1 - 2 * d));
  }
  for (int i = 0; i < n->ng; i++) s->lam[i] = s0->lam[i] + x * (s1->lam[i] - s0->lam[i]);
  for (int i = 0; i < n->na; i++) s->mu[i] = s0->mu[i] + x * (s1->mu[i] - s0->mu[i]);
  for (int i = 0; i < n->nw; i++) s->w[i] = s0->w[i] + x * (s1->w[i] - s0->w[i]);
  copy(s->z, s1->z, n->nz);
  trmi_state_at(sys, s1, t, s);
  TRMI_TRY(err, trmi_variables_solve(&ga->loops, s, err));
  return trmi_alpha_relax(ga, h, s, err);
}
