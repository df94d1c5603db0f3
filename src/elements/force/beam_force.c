/* beam_force.c - a straight linear beam without mass between two markers, along x of the first.
 * The load on B depends on the deformations of B relative to A (six_law.c), A balances it.
 *   Phi_y = 12 E Iz/(G shear_y area L^2),  D_y = E Iz/(1 + Phi_y),  z likewise with Iy    (1)
 *   K = E area/L on x, 12 D_y/L^3 on y, 12 D_z/L^3 on z, G J/L about x,
 *       (4 + Phi_z) D_z/L about y, (4 + Phi_y) D_y/L about z,
 *       6 D_z/L^2 between z and about y, -6 D_y/L^2 between y and about z                 (2)
 * This is the part of the 12x12 matrix that belongs to B; a full one may be given instead.
 * Derivation: docs/theory/12-forces.md, section 5. */
#include "elements/force/force_types.h"
#include <string.h>

/* E, G, area, Iy, Iz, J, shear_y, shear_z of a shape. */
static bool read_shape(trmi_mechanism *m, trmi_force *a, double s[8]) {
  char fault[TRMI_SECTION_FAULT];
  trmi_section shape;
  if (!trmi_read_section(a->def, m->arena, &shape, fault)) {
    return !m->arena->failed && trmi_force_fault(m, a, "section", fault);
  }
  const double off = fmax(fabs(shape.centre[0]), fabs(shape.centre[1]));
  if (off > 1e-6 * sqrt(shape.area) || fabs(shape.Iyz) > 1e-6 * fmax(shape.Iy, shape.Iz)) {
    return trmi_force_fault(m, a, "section", "its section is not symmetric about y and z: use a "
                                             "beam under 'beams', which knows its shear centre");
  }
  const double made[8] = {trmi_part_number(a->def, "E"), trmi_part_number(a->def, "G"), shape.area,
                          shape.Iy, shape.Iz, shape.J, shape.sheared[0] / shape.area,
                          shape.sheared[1] / shape.area};
  memcpy(s, made, sizeof made);
  return true;
}

/* The same by keys. */
static bool read_constants(trmi_mechanism *m, trmi_force *a, double s[8]) {
  static const struct { const char *key, *unit; } section[] = {
    {"E", "N/m^2"}, {"G", "N/m^2"}, {"area", "m^2"}, {"Iy", "m^4"}, {"Iz", "m^4"}, {"J", "m^4"}};
  for (int i = 0; i < 6; i++) {
    if (trmi_part_find(a->def, section[i].key) == NULL) {
      return trmi_force_fault(m, a, "type", "it needs E, G and a section, or E, G, area, Iy, Iz "
                                             "and J, or a stiffness of 12x12 numbers");
    }
    if (!trmi_part_numbers(a->def, section[i].key, 1, &s[i])) {
      return false;
    }
  }
  s[6] = trmi_part_number(a->def, "shear_y");
  s[7] = trmi_part_number(a->def, "shear_z");
  return true;
}

/* (2) */
static bool from_section(trmi_mechanism *m, trmi_force *a, double L, double K[36]) {
  double s[8];
  const bool is_shape = trmi_part_has(a->def, "section");
  if (!(is_shape ? read_shape(m, a, s) : read_constants(m, a, s))) return false;
  const double E = s[0], G = s[1], area = s[2], Iy = s[3], Iz = s[4], J = s[5];
  const double shear_y = s[6], shear_z = s[7];
  const double Phi_y = 12.0 * E * Iz / (G * area * shear_y * L * L); /* (1) */
  const double Phi_z = 12.0 * E * Iy / (G * area * shear_z * L * L);
  const double D_y = E * Iz / (1.0 + Phi_y), D_z = E * Iy / (1.0 + Phi_z);
  const double diagonal[6] = {E * area / L, 12.0 * D_y / (L * L * L), 12.0 * D_z / (L * L * L),
                              G * J / L, (4.0 + Phi_z) * D_z / L, (4.0 + Phi_y) * D_y / L};
  for (int i = 0; i < 6; i++) K[7 * i] = diagonal[i];
  K[6 * 2 + 4] = K[6 * 4 + 2] = 6.0 * D_z / (L * L);
  K[6 * 1 + 5] = K[6 * 5 + 1] = -6.0 * D_y / (L * L);
  return true;
}

/* The rows and columns of B; a rigid motion of both ends must have no force. */
static bool from_matrix(trmi_mechanism *m, const trmi_force *a, const char *path, double L,
                        double M[36]) {
  double full[144], size = 0.0, worst = 0.0;
  if (!trmi_part_numbers(a->def, path, 144, full)) return false;
  for (int i = 0; i < 144; i++) size = fmax(size, fabs(full[i]));
  for (int i = 0; i < 12; i++) {
    const double *row = full + 12 * i;
    for (int j = 0; j < 6; j++) worst = fmax(worst, fabs(row[j] + row[6 + j] + /* w x (L, 0, 0) */
                                                         (j == 4 ? -L * row[8] : 0.0) +
                                                         (j == 5 ? L * row[7] : 0.0)));
  }
  if (worst > 1e-6 * size * fmax(1.0, L)) {
    return trmi_force_fault(m, a, path, "this matrix has forces when both ends move as one rigid "
                                         "body");
  }
  for (int i = 0; i < 6; i++) memcpy(M + 6 * i, full + 12 * (6 + i) + 6, 6 * sizeof *M);
  return true;
}

static bool read_damping(trmi_mechanism *m, trmi_force *a, double L, trmi_six *six) {
  const trmi_given *value = trmi_part_find(a->def, "damping");
  if (value == NULL) return true;
  if (value->count > 1) return from_matrix(m, a, "damping", L, six->C);
  const double factor = trmi_part_number(a->def, "damping");
  for (int i = 0; i < 36; i++) six->C[i] = factor * six->K[i];
  return true;
}

static bool check(trmi_mechanism *m, trmi_force *a) {
  trmi_six six = {0};
  trmi_vec3 x_A, x_B;
  double E[9];
  trmi_marker_at_start(m, &a->A, &x_A, E);
  trmi_marker_at_start(m, &a->B, &x_B, E);
  const double distance = v3_norm(v3_sub(x_B, x_A));
  const double L = trmi_part_number_or(a->def, "length", distance);
  if (!(L > 0.0)) return trmi_force_fault(m, a, "length", "its length is zero");
  six.rest[0] = L;
  const bool is_given = trmi_part_find(a->def, "stiffness") != NULL;
  if (is_given && trmi_part_has(a->def, "section")) {
    return trmi_force_fault(m, a, "section", "give 'section' or 'stiffness', not both");
  }
  const bool is_good = is_given ? from_matrix(m, a, "stiffness", L, six.K)
                                : from_section(m, a, L, six.K);
  return is_good && read_damping(m, a, L, &six) && trmi_six_keep(m, a, &six);
}

const trmi_force_type trmi_force_type_beam = {
  .name = "beam",
  .ends = TRMI_ON_LINE, .has_deformations = true, .has_loads = true, .needs_turning = true,
  .is_native = true,
  .check = check, .measure = trmi_six_measure, .law = trmi_six_law, .push = trmi_six_push,
};
