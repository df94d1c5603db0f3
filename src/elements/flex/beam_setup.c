/* beam_setup.c - constants of a beam element: shape functions at the Gauss points, strains of the
 * reference, integrals of the mass.
 *
 *   N_i(xi) = prod_{j != i} (xi - xi_j)/(xi_i - xi_j),   xi_i = i/(n - 1)                (1)
 *   ds = |sum dN_i/dxi x_i| dxi        arclength of the reference line                   (2)
 *   mass_ij = m int N_i N_j ds,  share_i = int N_i ds                                    (3)
 *
 * The stiffness uses n - 1 Gauss points, the integrals (3) use n: exact if the nodes of the
 * reference are equidistant on a line. The rotary inertia share_i J is lumped at the nodes, so the
 * mass matrix does not depend on the pose. Derivation: docs/theory/10-beam.md. */
#include "elements/flex/beam_point.h"
#include "core/fail.h"
#include <stddef.h>

/* Gauss points and weights on 0 .. 1, for 1 to 4 points. */
/* clang-format off */
static const double gauss_point[4][4] = {
  {0.5},
  {0.21132486540518712, 0.78867513459481288},
  {0.11270166537925831, 0.5, 0.88729833462074169},
  {0.069431844202973712, 0.33000947820757187, 0.66999052179242813, 0.93056815579702629}};
static const double gauss_weight[4][4] = {
  {1.0},
  {0.5, 0.5},
  {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0},
  {0.17392742256872693, 0.32607257743127307, 0.32607257743127307, 0.17392742256872693}};
/* clang-format on */

double trmi_beam_point_place(int n, int g) {
  return gauss_point[n - 2][g];
}

/* (1) and its derivative */
void trmi_beam_shape_at(int n, double xi, trmi_beam_shape *shape) {
  const double place = xi * (n - 1); /* nodes at 0, 1, .. n - 1 */
  for (int i = 0; i < n; i++) {
    double value = 1.0, slope = 0.0;
    for (int j = 0; j < n; j++) {
      if (j == i) continue;
      slope = (slope * (place - j) + value) / (i - j);
      value *= (place - j) / (i - j);
    }
    shape->N[i] = value;
    shape->dN[i] = slope * (n - 1);
  }
}

/* Shape functions at a point of weight `weight`, over arclength, (2). False if the line has no
 * length. */
static bool place_point(int n, const double *const q[], double xi, double weight,
                        trmi_beam_shape *shape) {
  trmi_vec3 dx = v3(0.0, 0.0, 0.0);
  trmi_beam_shape_at(n, xi, shape);
  for (int i = 0; i < n; i++) dx = v3_add(dx, v3_scale(shape->dN[i], v3_load(q[i])));
  const double stretch = v3_norm(dx);
  for (int i = 0; i < n; i++) shape->dN[i] /= stretch;
  shape->ds = weight * stretch;
  return stretch > 0.0;
}

/* (3); false if the line has no length */
static bool integrate_mass(trmi_beam *beam, const double *const q[]) {
  const int n = beam->n;
  bool has_length = true;
  for (int g = 0; g < n; g++) {
    trmi_beam_shape shape;
    has_length =
        place_point(n, q, gauss_point[n - 1][g], gauss_weight[n - 1][g], &shape) && has_length;
    beam->length += shape.ds;
    for (int i = 0; i < n; i++) {
      beam->share[i] += shape.ds * shape.N[i];
      for (int j = 0; j < n; j++) beam->mass[i][j] += shape.ds * (shape.N[i] * shape.N[j]);
    }
  }
  for (int k = 0; k < n * n; k++) beam->mass[k / n][k % n] *= beam->section->mass;
  return has_length;
}

trm_status trmi_beam_setup(trmi_beam *beam, int n, const double *const q[],
                           const trmi_beam_section *section, trm_error *err) {
  if (n < 2 || n > TRMI_BEAM_NODES) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "a beam element has 2 to %d nodes, not %d",
                     TRMI_BEAM_NODES, n);
  }
  *beam = (trmi_beam){.section = section, .n = n};
  trmi_beam_signed nodes;
  bool is_inside = trmi_beam_signs(n, q, &nodes), has_length = integrate_mass(beam, q);
  for (int g = 0; g < n - 1; g++) {
    trmi_beam_shape *shape = &beam->point[g];
    trmi_beam_point at;
    has_length =
        place_point(n, q, gauss_point[n - 2][g], gauss_weight[n - 2][g], shape) && has_length;
    is_inside = trmi_beam_kinematics(n, shape, q, &nodes, &at) && is_inside;
    v3_store(beam->strain0[g], at.G);
    v3_store(beam->strain0[g] + 3, at.kappa);
  }
  for (int i = 0; i < n; i++) has_length = has_length && beam->share[i] > 0.0;
  if (!has_length) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL,
                     "nodes of the beam element coincide or are not in order along the line");
  }
  if (!is_inside) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL,
                     "sections of neighbouring nodes of the beam element differ by nearly half a "
                     "turn: use more elements, or check the orientations");
  }
  return TRM_OK;
}
