/* heavy_top.c - a heavy body that turns about a fixed point, with multipliers.
 *
 * Mass 15 kg, inertia diag(.234375, .46875, .234375) about the centre of mass,
 * which is at X = (0, 1, 0) from the tip; g = x - R X. Start: R = I, angular
 * velocity (0, 150, -4.61538) rad/s, gravity -9.81 z. Equations: link_chain.c, with
 * one body whose joint lies at -X. */
#include "problems/link_chain.h"

static trm_status start(void *self, trm_state *s, trm_error *err) {
  (void)err;
  const double upright[4] = {1.0, 0.0, 0.0, 0.0};
  trmi_link_chain_place(self, 0, upright, v3(0.0, 150.0, -4.61538), s);
  return TRM_OK;
}

static const trm_system_ops ops = TRMI_LINK_CHAIN_OPS("heavy-top", start);

static trm_status build(const double *value, const trm_allocator *allocator, trm_system_def *def,
                        trm_error *err) {
  (void)value;
  TRMI_TRY(err, trmi_problem_self(allocator, sizeof(trmi_link_chain), &def->self, err));
  trmi_link_chain *l = def->self;
  l->nbody = 1;
  l->rows = 3;
  l->mass = 15.0;
  l->J = v3(0.234375, 0.46875, 0.234375);
  l->near_b = v3(0.0, -1.0, 0.0);
  l->gravity = v3(0.0, 0.0, -9.81);
  l->body = "top";
  l->joint = "tip";
  def->ops = &ops;
  return TRM_OK;
}

const trmi_problem trmi_problem_heavy_top = {
    .about = {"heavy-top", "fast top on a fixed point, unit quaternion", 1.0, NULL, 0},
    .build = build,
};
