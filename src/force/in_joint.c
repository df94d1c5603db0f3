/* in_joint.c - a force along or a torque about the coordinate of a joint: a law of it (line.c)
 * that rests at zero. */
#include "force/force.h"

static bool check(trmi_mechanism *m, trmi_action *a) {
  return trmi_line_check(m, a, trmi_joint_turns(a->joint, a->of_joint));
}

static void measure(trmi_mechanism *m, trmi_action *a) {
  a->coordinate = trmi_joint_coordinate(m, a->joint, a->of_joint);
}

const trmi_force_type trmi_force_joint = {
  .name = "joint",
  .ends = TRMI_ON_JOINT,
  .check = check, .measure = measure, .law = trmi_line_law, .push = trmi_line_push,
};
