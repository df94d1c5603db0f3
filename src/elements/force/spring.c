/* spring.c - a spring and damper along the line between two markers.
 *   d = x_B - x_A,  a law of its length (force_ends.c, scalar_law.c); positive forces push apart
 *   without rest length, damping and other terms: potential k d.d / 2, good at d = 0 (1) */
#include "elements/force/force_types.h"

static bool check(trmi_mechanism *m, trmi_force *a) {
  if (!trmi_scalar_law_check(m, a, false)) return false;
  const double length = trmi_force_distance(m, a);
  a->rest = trmi_part_number_or(a->def, "length", length);
  const bool has_no_length =
      trmi_decide(m, a->rest == 0.0 && trmi_scalar_law_pure_stiffness(a) != NULL);
  if (has_no_length && trmi_force_is_stiff(a)) {
    return trmi_force_fault(m, a, "vibrations", "to average them it needs a length without load");
  }
  const bool is_regular = trmi_part_find(a->def, "length") != NULL && has_no_length;
  return is_regular || trmi_force_needs_distance(m, a);
}

static void push(trmi_mechanism *m, trmi_force *a) {
  const double *k = trmi_scalar_law_pure_stiffness(a);
  trmi_graph *g = &m->b->graph;
  if (!(a->rest == 0.0 && k != NULL)) {
    trmi_scalar_law_push(m, a);
    return;
  }
  const trmi_nodes3 d = trmi_force_between(m, a);
  const trmi_node half = trmi_mul(g, trmi_constant(g, 0.5), trmi_live_number(m, k));
  const trmi_node energy = trmi_mul(g, half, n3_dot(g, d, d)); /* (1) */
  m->b->potential = trmi_add(g, m->b->potential, energy);
}

const trmi_force_type trmi_force_type_spring = {
  .name = "spring",
  .ends = TRMI_ON_LINE, .has_length = true,
  .check = check, .measure = trmi_force_length, .law = trmi_scalar_law_build, .push = push,
};
