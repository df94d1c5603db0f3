/* spring.c - a spring and damper along the line between two markers.
 *   d = x_B - x_A,  a law of its length (ends.c, line.c); positive forces push apart
 *   without rest length, damping and other terms: potential k d.d / 2, good at d = 0 (1) */
#include "force/force.h"

static bool check(trmi_mechanism *m, trmi_action *a) {
  if (!trmi_line_check(m, a, false)) return false;
  const double length = trmi_action_distance(m, a);
  a->rest = trmi_part_number_or(a->def, "length", length);
  const bool has_no_length = trmi_decide(m, a->rest == 0.0 && trmi_line_pure_stiffness(a) != NULL);
  const bool is_regular = trmi_part_find(a->def, "length") != NULL && has_no_length;
  return is_regular || trmi_action_needs_distance(m, a);
}

static void push(trmi_mechanism *m, trmi_action *a) {
  const double *k = trmi_line_pure_stiffness(a);
  trmi_graph *g = &m->b->graph;
  if (!(a->rest == 0.0 && k != NULL)) {
    trmi_line_push(m, a);
    return;
  }
  const trmi_nodes3 d = trmi_action_between(m, a);
  const trmi_node half = trmi_mul(g, trmi_constant(g, 0.5), trmi_number(m, k));
  const trmi_node energy = trmi_mul(g, half, n3_dot(g, d, d)); /* (1) */
  m->b->potential = trmi_add(g, m->b->potential, energy);
}

const trmi_force_type trmi_force_spring = {
  .name = "spring",
  .ends = TRMI_ON_LINE, .has_length = true,
  .check = check, .measure = trmi_action_length, .law = trmi_line_law, .push = push,
};
