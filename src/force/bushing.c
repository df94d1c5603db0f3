/* bushing.c - stiffness and damping of six deformations between two markers [OSC] (7)-(9), in
 * space: the law of six.c with matrices that are given. */
#include "force/force.h"
#include <string.h>

/* A number for each deformation, or a full matrix. False after a complaint. */
static bool read_matrix(trmi_mechanism *m, const trmi_action *a, const char *path, double M[36]) {
  const trmi_value_def *value = trmi_part_find(a->def, path);
  double diagonal[6];
  memset(M, 0, 36 * sizeof *M);
  if (value == NULL) return true;
  if (value->count == 36) return trmi_part_numbers(m->parameters, a->def, path, NULL, 36, M);
  if (!trmi_part_numbers(m->parameters, a->def, path, NULL, 6, diagonal)) return false;
  for (int i = 0; i < 6; i++) M[7 * i] = diagonal[i];
  return true;
}

static bool check(trmi_mechanism *m, trmi_action *a) {
  trmi_six six = {0};
  static const char *const laws[] = {"stiffness", "damping", "preload"};
  bool has_law = false;
  for (int i = 0; i < 3; i++) has_law = has_law || trmi_part_find(a->def, laws[i]) != NULL;
  if (!has_law) return trmi_action_fault(m, a, "type", "it needs stiffness, damping or preload");
  if (!read_matrix(m, a, "stiffness", six.K) || !read_matrix(m, a, "damping", six.C)) return false;
  if (trmi_part_find(a->def, "preload") != NULL &&
      !trmi_part_numbers(m->parameters, a->def, "preload", NULL, 6, six.preload)) {
    return false;
  }
  return trmi_six_keep(m, a, &six);
}

const trmi_force_type trmi_force_bushing = {
  .name = "bushing",
  .meaning = "Springs and dampers for all six deformations of the second marker against the "
             "first, in the axes of the first; for rotations below a full turn.",
  .keys = "bodies|markers|at|axis|orientation|stiffness|damping|preload",
  .ends = TRMI_ON_TWO, .has_deformations = true, .has_loads = true, .needs_turning = true,
  .is_native = true,
  .check = check, .measure = trmi_six_measure, .law = trmi_six_law, .push = trmi_six_push,
};
