/* beam_stress.c - section forces of a beam element and their derivatives.
 *
 * Symbols of beam.c; B_j is the change of the strains by the increments of node j, which is their
 * rate (5) along that increment, and E_j the change of their rates, velocities held, (14)-(15):
 *   stress = D e + beta D e'                                                              (1)
 *   over increments of node j: D (B_j + beta E_j),   over its velocities: beta D B_j      (2)
 * In the middle of an element this is the value at the only Gauss point, the mean of two, or that
 * at the second of three. `smooth` needs the strains e and B_j at all points. */
#include "elements/flex/beam_point.h"
#include <string.h>

/* (1) */
static void stress_of(const trmi_beam *beam, int point, const trmi_beam_point *at,
                      const trmi_beam_rate *rate, double stress[6]) {
  trmi_beam_strain strain;
  trmi_beam_strain_of(beam, point, at, rate, &strain);
  for (int i = 0; i < 6; i++) {
    stress[i] = strain.elastic[i] + (rate != NULL ? beam->section->damping * strain.viscous[i] : 0);
  }
}

trm_status trmi_beam_stress(const trmi_beam *beam, const trmi_beam_state *at, double stress[][6]) {
  trmi_beam_signed nodes;
  if (!trmi_beam_signs(beam->n, at->q, &nodes)) return TRM_RETRY_DOMAIN;
  for (int g = 0; g < beam->n - 1; g++) {
    trmi_beam_point point;
    trmi_beam_rate rate;
    if (!trmi_beam_kinematics(beam->n, &beam->point[g], at->q, &nodes, &point)) {
      return TRM_RETRY_DOMAIN;
    }
    const bool moves = at->v[0] != NULL;
    if (moves) rate = trmi_beam_rate_of(beam->n, &beam->point[g], &point, at);
    stress_of(beam, g, &point, moves ? &rate : NULL, stress[g]);
  }
  return TRM_OK;
}

/* A point at which derivatives are computed. */
typedef struct tangent {
  const trmi_beam       *beam;
  const trmi_beam_state *state;
  int                    point;
  const trmi_beam_point *at;
  const trmi_beam_rate  *rate;
  double                 weight;
  double                *by_q, *by_v; /* 6 x 6 n, added to */
} tangent;

/* B_j for a unit increment number k of node j. */
static void strain_along(const trmi_beam_shape *shape, const trmi_beam_point *at, int j, int k,
                         double out[6]) {
  if (k < 3) {
    v3_store(out, v3_scale(shape->dN[j], m3_row(at->R, k)));
    v3_store(out + 3, v3(0.0, 0.0, 0.0));
    return;
  }
  const trmi_vec3 unit = v3(k == 3 ? 1.0 : 0.0, k == 4 ? 1.0 : 0.0, k == 5 ? 1.0 : 0.0);
  const trmi_vec3 phi = spin_mul(at->H[j], unit);
  v3_store(out, v3_cross(at->G, phi));
  v3_store(out + 3, v3_add(spin_mul(at->dH[j], unit), v3_cross(at->kappa, phi)));
}

/* (2) for node j */
static void add_node(const tangent *t, int j) {
  const trmi_beam_section *section = t->beam->section;
  const int width = 6 * t->beam->n;
  trmi_beam_rate_change E;
  trmi_beam_change_rate(t->beam, t->state, t->point, t->at, t->rate, j, &E);
  for (int k = 0; k < 6; k++) {
    double B[6], change[6], viscous[6], of_q[6];
    strain_along(&t->beam->point[t->point], t->at, j, k, B);
    for (int i = 0; i < 6; i++) {
      const double *of_turn = i < 3 ? E.G : E.k;
      const double E_ik = k >= 3 ? of_turn[3 * (i % 3) + k - 3] : i < 3 ? E.x[3 * i + k] : 0.0;
      change[i] = B[i] + section->damping * E_ik;
    }
    trmi_beam_times_D(section->D, B, viscous);
    trmi_beam_times_D(section->D, change, of_q);
    for (int i = 0; i < 6; i++) {
      t->by_q[width * i + 6 * j + k] += t->weight * of_q[i];
      t->by_v[width * i + 6 * j + k] += t->weight * section->damping * viscous[i];
    }
  }
}

trm_status trmi_beam_middle(const trmi_beam *beam, const trmi_beam_state *state, double stress[6],
                            double *by_q, double *by_v) {
  const int n = beam->n, first = n == 4 ? 1 : 0, last = n == 2 ? 0 : 1;
  const double weight = first == last ? 1.0 : 0.5;
  const size_t bytes = 36 * (size_t)n * sizeof(double);
  trmi_beam_signed nodes;
  if (!trmi_beam_signs(n, state->q, &nodes)) return TRM_RETRY_DOMAIN;
  memset(stress, 0, 6 * sizeof *stress);
  if (by_q != NULL) memset(by_q, 0, bytes), memset(by_v, 0, bytes);
  for (int g = first; g <= last; g++) {
    trmi_beam_point at;
    double part[6];
    if (!trmi_beam_kinematics(n, &beam->point[g], state->q, &nodes, &at)) return TRM_RETRY_DOMAIN;
    const trmi_beam_rate rate = trmi_beam_rate_of(n, &beam->point[g], &at, state);
    stress_of(beam, g, &at, &rate, part);
    for (int i = 0; i < 6; i++) stress[i] += weight * part[i];
    const tangent t = {beam, state, g, &at, &rate, weight, by_q, by_v};
    for (int j = 0; j < n && by_q != NULL; j++) add_node(&t, j);
  }
  return TRM_OK;
}

trm_status trmi_beam_strains(const trmi_beam *beam, const trmi_beam_state *state, double *e,
                             double *by_q) {
  const int n = beam->n, width = 6 * n;
  trmi_beam_signed nodes;
  if (!trmi_beam_signs(n, state->q, &nodes)) return TRM_RETRY_DOMAIN;
  for (int g = 0; g < n - 1; g++) {
    trmi_beam_point at;
    trmi_beam_strain strain;
    if (!trmi_beam_kinematics(n, &beam->point[g], state->q, &nodes, &at)) return TRM_RETRY_DOMAIN;
    trmi_beam_strain_of(beam, g, &at, NULL, &strain);
    memcpy(e + 6 * g, strain.e, sizeof strain.e);
    for (int k = 0; k < width && by_q != NULL; k++) {
      double B[6];
      strain_along(&beam->point[g], &at, k / 6, k % 6, B);
      for (int i = 0; i < 6; i++) by_q[width * (6 * g + i) + k] = B[i];
    }
  }
  return TRM_OK;
}
