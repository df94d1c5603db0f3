/* in_joint.c - a force along or a torque about the coordinate of a joint: a law of it (line.c)
 * that rests at zero. */
#include "force/force.h"

static bool check(trmi_mechanism *m, trmi_action *a) {
  return trmi_joint_turns(a->joint, a->of_joint) ? trmi_line_check(m, a, "N*m", "N*m*s", "N*m")
                                                 : trmi_line_check(m, a, "N/m", "N*s/m", "N");
}

static void measure(trmi_mechanism *m, trmi_action *a) {
  a->coordinate = trmi_joint_coordinate(m, a->joint, a->of_joint);
}

const trmi_force_type trmi_force_joint = {
  .name = "joint",
  .meaning = "A force along or torque about the coordinate of a joint; positive values push it on.",
  .keys = "joint|coordinate|stiffness|damping|preload|value",
  .ends = TRMI_ON_JOINT,
  .check = check, .measure = measure, .law = trmi_line_law, .push = trmi_line_push,
};
