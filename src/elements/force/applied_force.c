/* applied_force.c - force and torque from expressions, in the axes of any frame: on one body, or
 * between two of them.
 *   f = sum f_k e_k at the origin of the marker of B,  t = sum t_k e_k,  e_k axes of `frame` (1)
 *   on A: -f at the same point, -t                                                           (2) */
#include "elements/force/force_types.h"

static trmi_nodes3 read_vector(trmi_mechanism *m, const trmi_force *a, const char *path,
                               const char *unit, const trmi_nodes3 axis[3]) {
  trmi_graph *g = &m->b->graph;
  const trmi_nodes3 parts = {trmi_part_expression(m, a->def, path, 0, TRMI_FOR_FORCE, unit),
                             trmi_part_expression(m, a->def, path, 1, TRMI_FOR_FORCE, unit),
                             trmi_part_expression(m, a->def, path, 2, TRMI_FOR_FORCE, unit)};
  return n3_combine(g, axis, parts);
}

static bool check(trmi_mechanism *m, trmi_force *a) {
  const bool has_force = trmi_part_find(a->def, "force") != NULL;
  const bool has_torque = trmi_part_find(a->def, "torque") != NULL;
  if (!has_force && !has_torque) {
    return trmi_force_fault(m, a, "type", "it needs a 'force' or a 'torque'");
  }
  const bool is_point = m->bodies[a->B.body].kind == TRMI_CARRIER_POINT ||
                        m->bodies[a->A.body].kind == TRMI_CARRIER_POINT;
  if (has_torque && is_point) {
    return trmi_force_fault(m, a, "torque", "a torque acts on a point, which cannot turn");
  }
  return true;
}

static void law(trmi_mechanism *m, trmi_force *a) {
  const trmi_frame axes = trmi_frame_of(m, &a->frame);
  a->load[0] = read_vector(m, a, "force", "N", axes.axis); /* (1) */
  a->load[1] = read_vector(m, a, "torque", "N*m", axes.axis);
}

static void push(trmi_mechanism *m, trmi_force *a) {
  trmi_push_pair(m, &a->A, &a->B, a->load[0], a->load[1]); /* (2) */
}

const trmi_force_type trmi_force_type_force = {
  .name = "force",
  .ends = TRMI_ON_ONE, .has_loads = true,
  .check = check, .law = law, .push = push,
};

const trmi_force_type trmi_force_type_torque = {
  .name = "torque",
  .ends = TRMI_ON_ONE, .has_loads = true, .needs_turning = true,
  .check = check, .law = law, .push = push,
};

const trmi_force_type trmi_force_type_general = {
  .name = "general",
  .ends = TRMI_ON_TWO, .has_loads = true,
  .check = check, .law = law, .push = push,
};
