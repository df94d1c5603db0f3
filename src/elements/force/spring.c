/* spring.c - a spring and damper along the line between two markers.
 *   d = x_B - x_A,  a law of its length (force_ends.c, scalar_law.c); positive forces push apart
 *   without rest length, damping and other terms: potential k d.d / 2, smooth at d = 0 (1) */
#include "elements/force/force_types.h"
#include "equations/remarks.h"
#include <stdio.h>

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

/* A free length far from the distance at the start often has a wrong unit. */
static void doubt_length(trmi_mechanism *m, const trmi_force *a) {
  const double distance = trmi_force_distance(m, a), most = 10.0;
  const bool is_far = a->rest > most * distance || (a->rest > 0.0 && most * a->rest < distance);
  if (m->is_renewed || trmi_part_find(a->def, "length") == NULL || !is_far) return;
  char object[TRM_OBJECT_MAX], text[TRM_MESSAGE_MAX];
  snprintf(object, sizeof object, "force '%.40s'", a->def->key.name);
  snprintf(text, sizeof text, "its free length is %g, and its ends are %.6g apart at the start: is "
           "one of them in another unit?", a->rest, distance);
  trmi_remark_add(m->b, object, text);
}

static void push(trmi_mechanism *m, trmi_force *a) {
  doubt_length(m, a);
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
