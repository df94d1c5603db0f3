/* spring.c - a spring and damper along the line between two markers.
 *   d = x_B - x_A,  l = |d|,  tension f = k (l - length) + c l',  f d/l on A, -f d/l on B   (1)
 *   potential k (l - length)^2 / 2                                                        (2) */
#include "force/force.h"

static void build(trmi_mechanism *m, const trmi_part_def *part) {
  trmi_graph *g = &m->b->graph;
  trmi_marker A, B;
  if (!trmi_read_ends(m, part, false, &A, &B)) return;
  const trmi_frame a = trmi_frame_of(m, &A), b = trmi_frame_of(m, &B);
  const trmi_nodes3 d = n3_sub(g, b.x, a.x);
  const trmi_node l = n3_norm(g, d);
  const double k = trmi_part_number(m->parameters, part, "stiffness", "N/m", 0.0);
  const double c = trmi_part_number(m->parameters, part, "damping", "N*s/m", 0.0);
  const double length = trmi_part_number(m->parameters, part, "length", "m", 0.0);
  const trmi_node stretch = trmi_sub(g, l, trmi_constant(g, length));
  const trmi_node energy = trmi_mul(g, trmi_constant(g, 0.5 * k), trmi_mul(g, stretch, stretch));
  m->b->potential = trmi_add(g, m->b->potential, energy); /* (2) */
  const trmi_node drag = trmi_mul(g, trmi_constant(g, c), trmi_velocity_of(m, l));
  const trmi_nodes3 f = n3_scale(g, trmi_div(g, drag, l), d), none = {0, 0, 0};
  trmi_push(m, &A, f, none);
  trmi_push(m, &B, n3_neg(g, f), none);
}

const trmi_force_type trmi_force_spring = {
  .name = "spring",
  .meaning = "A spring and damper along the line between two markers.",
  .keys = "bodies|markers|points|stiffness|damping|length",
  .build = build,
};
