/* bushing.c - stiffness and damping of six deformations between two markers [OSC] (7)-(9), in
 * space: the law (5) of six_law.c with given matrices. */
#include "elements/force/force_types.h"
#include <string.h>

/* A number for each deformation, or a full matrix; one or two numbers are for all displacements
 * and all rotations. */
static void read_matrix(const trmi_force *a, const char *key, double M[36]) {
  int count;
  const double *given = trmi_part_list(a->def, key, &count);
  for (int i = 0; i < count && count > 2; i++) M[count == 36 ? i : 7 * i] = given[i];
  for (int i = 0; i < 3 * count && count <= 2; i++) M[7 * i] = given[i / 3];
}

static bool check(trmi_mechanism *m, trmi_force *a) {
  trmi_six six = {0};
  static const char *const laws[] = {"stiffness", "damping", "preload"};
  bool has_law = false;
  for (int i = 0; i < 3; i++) has_law = has_law || trmi_part_find(a->def, laws[i]) != NULL;
  if (!has_law) return trmi_force_fault(m, a, "type", "it needs stiffness, damping or preload");
  read_matrix(a, "stiffness", six.K);
  read_matrix(a, "damping", six.C);
  trmi_part_numbers(a->def, "preload", 6, six.preload);
  return trmi_six_keep(m, a, &six);
}

const trmi_force_type trmi_force_type_bushing = {
  .name = "bushing",
  .ends = TRMI_ON_TWO, .has_deformations = true, .has_loads = true, .needs_turning = true,
  .is_native = true,
  .check = check, .measure = trmi_six_measure, .law = trmi_six_law, .push = trmi_six_push,
};
