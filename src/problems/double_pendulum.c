/* double_pendulum.c - two rods in space on spherical joints.
 *
 * Rod: mass 1 kg, length 1 m along body x, inertia diag(.02, 1/12 + .01, 1/12 +
 * .01) about the centre. The first hangs from the origin, the second from the far
 * end of the first; gravity -9.81 z. Orientation by 3-1-3 angles,
 *   R = Z(psi) X(theta) Z(phi),  at the start (.3, pi/2 - .2, -.6) and
 *   (-.4, pi/2 + .3, -.9), angular velocities in body axes (1, .5, -.5) and
 *   (.5, -.3, 1).                                                             (1)
 * Coordinates are unit quaternions (equations: link_chain.c), or the angles, which
 * make the mass depend on the configuration (equations: rods_angles.c). */
#include "math/so3.h"
#include "problems/link_chain.h"
#include "problems/rods_angles.h"

enum { RODS = 2 };

static const trmi_rods_data data = {
    .mass = 1.0,
    .J = {0.02, 1.0 / 12.0 + 0.01, 1.0 / 12.0 + 0.01},
    .half = 0.5,
    .gravity = 9.81,
    .angles = {{0.3, 1.5707963267948966 - 0.2, -0.6}, {-0.4, 1.5707963267948966 + 0.3, -0.9}},
    .rates = {{1.0, 0.5, -0.5}, {0.5, -0.3, 1.0}},
};

static trm_status start(void *self, trm_state *s, trm_error *err) {
  (void)err;
  for (int i = 0; i < RODS; i++) {
    double p[4], turn[4];
    const trmi_vec3 e = data.angles[i];
    /* (1), one turn after the other */
    trmi_so3_exp((const double[3]){0.0, 0.0, e.x}, p);
    trmi_so3_exp((const double[3]){e.y, 0.0, 0.0}, turn);
    trmi_quat_mul(p, turn, p);
    trmi_so3_exp((const double[3]){0.0, 0.0, e.z}, turn);
    trmi_quat_mul(p, turn, p);
    trmi_quat_normalize(p);
    trmi_link_chain_place(self, i, p, data.rates[i], s);
  }
  return TRM_OK;
}

static const trm_system_ops ops = TRMI_LINK_CHAIN_OPS("double-pendulum", start);

enum { COORDINATES, PARAMETERS };

static const trm_parameter parameters[PARAMETERS] = {
    [COORDINATES] = {"coordinates", "quaternions", "quaternions|angles",
                     "angles are 3-1-3, with a mass that depends on them"},
};
static const trmi_rule rules[PARAMETERS] = {TRMI_ANY};

static trm_status build(const double *value, const trm_allocator *allocator, trm_system_def *def,
                        trm_error *err) {
  if (value[COORDINATES] == 1.0) {
    TRMI_TRY(err, trmi_problem_self(allocator, sizeof(trmi_rods), &def->self, err));
    ((trmi_rods *)def->self)->data = data;
    def->ops = &trmi_rods_angles_ops;
    return TRM_OK;
  }
  TRMI_TRY(err, trmi_problem_self(allocator, sizeof(trmi_link_chain), &def->self, err));
  trmi_link_chain *l = def->self;
  l->nbody = RODS;
  l->rows = 3;
  l->noutputs = 3;
  l->mass = data.mass;
  l->J = data.J;
  l->near_b = v3(-data.half, 0.0, 0.0);
  l->far_b = v3(data.half, 0.0, 0.0);
  l->gravity = v3(0.0, 0.0, -data.gravity);
  l->body = "rod";
  l->joint = "pin";
  l->is_numbered = true;
  def->ops = &ops;
  return TRM_OK;
}

const trmi_problem trmi_problem_double_pendulum = {
    .about = {"double-pendulum", "two rods in space on spherical joints", 2.0, parameters,
              PARAMETERS},
    .rules = rules,
    .build = build,
};
