/* alpha_split.c - cs, the alpha-method with coordinate splitting; [ALPHA].
 *
 * Y of the splitting (linalg/split.h; found in split_dense.c, split_klu.c) chooses the dependent
 * columns of G. Multiplying the equations
 * of a step by P of the splitting, P G^T = 0, and eliminating, is equivalent to solving with G^T
 * and free multipliers. P remains only in the tangent, whose multiplier is that of the splitting at
 * the iterate,
 *   (G^T lam)_q at lam = s = -(G Y)^-T Y^T (M v' + A^T mu - Q)                 (1)
 * Orthogonal splitting, of cs-qr and for redundant constraints: G^T s nearest to the force on
 * the right of (1) in the metric of the second matrix of the step. Otherwise cs is index2:
 * alpha_forms.c. */
#include "integ/alpha.h"
#include <string.h>

trm_status trmi_alpha_split_plan(trmi_alpha *ga, trm_error *err) {
  const trm_system *sys = ga->ctx.sys;
  ga->has_split = !ga->traits->is_qr && sys->n.ng > 0;
  if (!ga->has_split) return TRM_OK;
  TRMI_TRY(err, trmi_split_init(&ga->split, &sys->block[TRM_G], &ga->arena, err));
  return TRM_OK;
}

/* The force without holonomic reactions, on the right of (1), into r2. */
static trm_status free_force(trmi_alpha *ga, trm_error *err) {
  trm_system *sys = ga->ctx.sys;
  trm_state *s = &ga->next;
  double *lam = s->lam;
  memset(ga->multipliers, 0, (size_t)sys->n.ng * sizeof(double));
  s->lam = ga->multipliers;
  const trm_status status = trm_system_values(sys, s, &(trm_values){.motion = ga->r2}, err);
  s->lam = lam;
  TRMI_TRY(err, status);
  return TRM_OK;
}

/* (1) by the second matrix, factored at this point. */
static trm_status split_orthogonally(trmi_alpha *ga, trm_error *err) {
  const trm_system *sys = ga->ctx.sys;
  const trmi_places at = trmi_places_of(sys);
  double *r = ga->r2;
  for (int i = 0; i < sys->n.nv; i++) r[i] = -r[i];
  memset(r + at.lam, 0, (size_t)(at.n - at.lam) * sizeof(double));
  TRMI_TRY(err, trmi_linear_solve(&ga->projection_matrix.lin, r, err));
  memcpy(ga->multipliers, r + at.lam, (size_t)sys->n.ng * sizeof(double));
  return TRM_OK;
}

trm_status trmi_alpha_split(trmi_alpha *ga, trm_error *err) {
  TRMI_TRY(err, free_force(ga, err));
  if (!ga->has_split) return split_orthogonally(ga, err);
  TRMI_TRY(err, trmi_system_blocks(ga->ctx.sys, &ga->next, TRMI_BIT(TRM_G), NULL, NULL, NULL, err));
  bool is_full = false;
  TRMI_TRY(err, trmi_split_follow(&ga->split, &is_full, err));
  if (!is_full) return split_orthogonally(ga, err); /* redundant constraints */
  trmi_split_solve(&ga->split, ga->r2, ga->multipliers);
  return TRM_OK;
}
