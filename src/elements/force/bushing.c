/* bushing.c - stiffness and damping of six deformations between two markers [OSC] (7)-(9), in
 * space: the law (5) of six_law.c with given matrices. */
#include "elements/force/force_types.h"
#include "equations/remarks.h"
#include <math.h>
#include <stdio.h>

/* One number per deformation, or a full matrix; one or two numbers apply to all displacements and
 * all rotations. */
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

/* Weight of the whole model, in the unit of forces: masses are stored in units that make it so. */
static double whole_weight(const trmi_mechanism *m) {
  double mass = 0.0;
  for (int i = 0; i < m->nbodies; i++) mass += m->bodies[i].inertia.mass;
  return mass * v3_norm(m->gravity);
}

/* Unlike a spring a bushing has no length: markers at different positions are pulled together. If
 * this force exceeds the weight of the model, the positions are probably a mistake. Without gravity
 * there is no comparison. */
static void doubt_distance(trmi_mechanism *m, const trmi_force *a) {
  const trmi_six *six = a->own;
  trmi_vec3 x_A, x_B;
  double A[9], B[9], d[3], elastic = 0.0, whole = 0.0;
  trmi_marker_at_start(m, &a->A, &x_A, A);
  trmi_marker_at_start(m, &a->B, &x_B, B);
  const trmi_vec3 between = v3_sub(x_B, x_A);
  for (int i = 0; i < 3; i++) d[i] = v3_dot(v3_load(A + 3 * i), between);
  for (int i = 0; i < 3; i++) {
    const double s = six->K[6 * i] * d[0] + six->K[6 * i + 1] * d[1] + six->K[6 * i + 2] * d[2];
    elastic += s * s;
    whole += (s - six->preload[i]) * (s - six->preload[i]);
  }
  const double weight = whole_weight(m), force = sqrt(fmin(elastic, whole));
  const bool is_rigid = m->nbeams == 0 && m->nflexible == 0; /* otherwise there are other masses */
  const bool vibrates = trmi_force_is_stiff(a); /* the bushing is then released deliberately */
  if (m->is_renewed || !is_rigid || vibrates || !(weight > 0.0) || !(force > weight)) return;
  char object[TRM_OBJECT_MAX], text[TRM_MESSAGE_MAX];
  snprintf(object, sizeof object, "force '%.40s'", a->def->key.name);
  snprintf(text, sizeof text, "its markers are %.3g apart at the start, so that it acts with %.3g, "
           "%.3g times the weight of the model: a bushing has no length, give both markers the "
           "same place", v3_norm(between), force, force / weight);
  trmi_remark_add(m->b, object, text);
}

static void push(trmi_mechanism *m, trmi_force *a) {
  doubt_distance(m, a);
  trmi_six_push(m, a);
}

const trmi_force_type trmi_force_type_bushing = {
  .name = "bushing",
  .ends = TRMI_ON_TWO, .has_deformations = true, .has_loads = true, .needs_turning = true,
  .is_native = true,
  .check = check, .measure = trmi_six_measure, .law = trmi_six_law, .push = push,
};
