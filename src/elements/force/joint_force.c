/* joint_force.c - a force along or a torque about the coordinate of a joint: a law of it
 * (scalar_law.c) with rest value zero. */
#include "elements/force/force_types.h"

static bool check(trmi_mechanism *m, trmi_force *a) {
  return trmi_scalar_law_check(m, a, trmi_joint_turns(a->joint, a->of_joint));
}

static void measure(trmi_mechanism *m, trmi_force *a) {
  a->coordinate = trmi_joint_coordinate(m, a->joint, a->of_joint);
}

const trmi_force_type trmi_force_type_joint = {
  .name = "joint",
  .ends = TRMI_ON_JOINT,
  .check = check, .measure = measure, .law = trmi_scalar_law_build, .push = trmi_scalar_law_push,
};
