/* torsion.c - a spring and damper about the z axis of marker A.
 *   the angle of x_B against x_A about z_A, over full turns; a law of it (scalar_law.c) (1)
 * If z_B is not parallel to z_A, the torque is the one conjugate to this angle. */
#include "elements/force/force_types.h"

static bool check(trmi_mechanism *m, trmi_force *a) {
  trmi_vec3 x;
  double E_A[9], E_B[9];
  if (!trmi_scalar_law_check(m, a, true)) return false;
  trmi_marker_at_start(m, &a->A, &x, E_A);
  trmi_marker_at_start(m, &a->B, &x, E_B);
  const double S = v3_dot(m3_row(E_A, 1), m3_row(E_B, 0));
  const double C = v3_dot(m3_row(E_A, 0), m3_row(E_B, 0));
  if (!(hypot(S, C) > 1e-8)) {
    return trmi_force_fault(m, a, "markers", "the x axis of the second marker is along the axis "
                                              "of the first: there is no angle between them");
  }
  a->rest = trmi_part_number_or(a->def, "angle", atan2(S, C));
  a->memory = m->extension.add.memories;
  m->extension.add.memories += TRMI_ANGLE_MEMORY;
  return true;
}

static void measure(trmi_mechanism *m, trmi_force *a) {
  a->coordinate = trmi_angle_between(m, &a->A, &a->B, a->memory); /* (1) */
}

const trmi_force_type trmi_force_type_torsion = {
  .name = "torsion",
  .ends = TRMI_ON_TWO, .has_angle = true, .needs_turning = true,
  .check = check, .measure = measure, .law = trmi_scalar_law_build, .push = trmi_scalar_law_push,
};
