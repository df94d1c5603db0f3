/* chain.c - N equal links hanging from the origin, for scaling and comparison
 * with other programs.
 *
 * Link: 1 m along body x, 1 kg, inertia diag(1e-3, 1/12, 1/12) about the centre.
 * Joints at the ends: revolute about y, or spherical. Straight along +x and at
 * rest at the start, gravity -9.81 z. Equations: link_chain.c. */
#include "problems/link_chain.h"

static trm_status start(void *self, trm_state *s, trm_error *err) {
  (void)err;
  const trmi_link_chain *l = self;
  const double upright[4] = {1.0, 0.0, 0.0, 0.0};
  for (int i = 0; i < l->nbody; i++) trmi_link_chain_place(l, i, upright, v3(0.0, 0.0, 0.0), s);
  return TRM_OK;
}

static const trm_system_ops ops = TRMI_LINK_CHAIN_OPS("chain", start);

enum { LINKS, JOINT, PARAMETERS };

static const trm_parameter parameters[PARAMETERS] = {
    [LINKS] = {"links", "10", NULL, "number of links, 1 .. 100000"},
    [JOINT] = {"joint", "revolute", "revolute|spherical", "revolute is about y"},
};
static const trmi_rule rules[PARAMETERS] = {[LINKS] = TRMI_COUNT};

static trm_status build(const double *value, const trm_allocator *allocator, trm_system_def *def,
                        trm_error *err) {
  TRMI_TRY(err, trmi_problem_self(allocator, sizeof(trmi_link_chain), &def->self, err));
  trmi_link_chain *l = def->self;
  l->nbody = (int)value[LINKS];
  l->rows = value[JOINT] == 0.0 ? 5 : 3;
  l->noutputs = 3;
  l->mass = 1.0;
  l->J = v3(1e-3, 1.0 / 12.0, 1.0 / 12.0);
  l->near_b = v3(-0.5, 0.0, 0.0);
  l->far_b = v3(0.5, 0.0, 0.0);
  l->gravity = v3(0.0, 0.0, -9.81);
  l->body = "link";
  l->joint = "pin";
  l->is_numbered = true;
  def->ops = &ops;
  return TRM_OK;
}

const trmi_problem trmi_problem_chain = {
    .about = {"chain", "N links hanging from the origin, straight at the start", 2.0, parameters,
              PARAMETERS},
    .rules = rules,
    .build = build,
};
