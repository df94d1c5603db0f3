/* spring.c - a spring and damper along the line between two markers.
 *   d = x_B - x_A,  l = |d|,  a law of l (line.c); positive forces push apart       (1)
 *   without rest length, damping and other terms: potential k d.d / 2, good at d = 0 (2) */
#include "force/force.h"

static bool check(trmi_mechanism *m, trmi_action *a) {
  trmi_vec3 x_A, x_B;
  double E[9];
  if (!trmi_line_check(m, a, "N/m", "N*s/m", "N")) return false;
  trmi_marker_at_start(m, &a->A, &x_A, E);
  trmi_marker_at_start(m, &a->B, &x_B, E);
  const double length = v3_norm(v3_sub(x_B, x_A));
  a->rest = trmi_part_number(m->parameters, a->def, "length", "m", length);
  const bool is_regular = trmi_part_find(a->def, "length") != NULL && a->rest == 0.0 &&
                          trmi_line_pure_stiffness(a) != 0.0;
  const double size = v3_norm(x_A) + v3_norm(x_B) + v3_norm(a->A.s) + v3_norm(a->B.s);
  if (!(length > 1e-12 * size) && !is_regular) { /* rounding of the two points */
    return trmi_action_fault(m, a, "markers", "both ends are at the same place at the start: the "
                                              "line between them has no direction");
  }
  return true;
}

static trmi_nodes3 between(trmi_mechanism *m, const trmi_action *a) {
  const trmi_frame A = trmi_frame_of(m, &a->A), B = trmi_frame_of(m, &a->B);
  return n3_sub(&m->b->graph, B.x, A.x);
}

static void measure(trmi_mechanism *m, trmi_action *a) {
  a->coordinate = n3_norm(&m->b->graph, between(m, a)); /* (1) */
}

static void push(trmi_mechanism *m, trmi_action *a) {
  const double k = trmi_line_pure_stiffness(a);
  trmi_graph *g = &m->b->graph;
  if (!(a->rest == 0.0 && k != 0.0)) {
    trmi_line_push(m, a);
    return;
  }
  const trmi_nodes3 d = between(m, a);
  const trmi_node energy = trmi_mul(g, trmi_constant(g, 0.5 * k), n3_dot(g, d, d)); /* (2) */
  m->b->potential = trmi_add(g, m->b->potential, energy);
}

const trmi_force_type trmi_force_spring = {
  .name = "spring",
  .meaning = "A spring and damper along the line between two points; positive forces push apart.",
  .keys = "bodies|markers|points|stiffness|damping|length|preload|value",
  .ends = TRMI_ON_LINE, .has_length = true,
  .check = check, .measure = measure, .law = trmi_line_law, .push = push,
};
