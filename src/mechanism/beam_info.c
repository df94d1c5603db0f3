/* beam_info.c - data about the beams of a system for users: sections, loads, stress. */
#include "mechanism/blueprint.h"
#include "trammel/stress.h"
#include <string.h>

static const trmi_beam_part *part_at(const trm_system *system, int i) {
  const trmi_mechanism *m = trmi_mechanism_of(system);
  return m != NULL && i >= 0 && i < m->nbeams ? &m->beams[i] : NULL;
}

int trm_beam_count(const trm_system *system) {
  const trmi_mechanism *m = trmi_mechanism_of(system);
  return m != NULL ? m->nbeams : 0;
}

trm_beam_info trm_beam_at(const trm_system *system, int i) {
  const trmi_beam_part *beam = part_at(system, i);
  if (beam == NULL) return (trm_beam_info){.name = NULL};
  const trmi_body *first = &trmi_mechanism_of(system)->bodies[beam->first];
  const trmi_section *s = &beam->shape;
  trm_beam_info out = {.name = beam->def->key.name, .elements = beam->elements,
                       .nodes = beam->nodes, .coordinate = first->q, .velocity = first->v,
                       .points = s->npoints, .area = s->area, .Iy = s->Iy, .Iz = s->Iz,
                       .Iyz = s->Iyz, .J = s->J};
  memcpy(out.shear_centre, s->centre, sizeof out.shear_centre);
  memcpy(out.shear, s->sheared, sizeof out.shear);
  for (int e = 0; e < beam->elements; e++) out.length += beam->made[e].length;
  return out;
}

bool trm_beam_point_at(const trm_system *system, int i, int k, double at[2]) {
  const trmi_beam_part *beam = part_at(system, i);
  if (beam == NULL || k < 0 || k >= beam->shape.npoints) return false;
  at[0] = beam->shape.points[k].y, at[1] = beam->shape.points[k].z;
  return true;
}

/* The polynomial through the values at the Gauss points. */
static void interpolate(int n, const double at_points[][6], double along, double loads[6]) {
  memset(loads, 0, 6 * sizeof *loads);
  for (int g = 0; g < n - 1; g++) {
    double weight = 1.0;
    for (int k = 0; k < n - 1; k++) {
      const double other = trmi_beam_point_place(n, k);
      if (k != g) weight *= (along - other) / (trmi_beam_point_place(n, g) - other);
    }
    for (int i = 0; i < 6; i++) loads[i] += weight * at_points[g][i];
  }
}

trm_status trm_beam_loads(const trm_system *system, const trm_beam_place *place, const double *q,
                          const double *v, double loads[6], trm_error *err) {
  TRMI_NEED(err, system, place, q, loads);
  const trmi_beam_part *beam = part_at(system, place->beam);
  if (beam == NULL || place->element < 0 || place->element >= beam->elements ||
      !(place->along >= 0.0 && place->along <= 1.0)) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "there is no such place on a beam");
  }
  const int first = place->element * (beam->nodes - 1);
  trmi_beam_state at = {.v = {NULL}};
  double stress[TRMI_BEAM_POINTS][6];
  for (int k = 0; k < beam->nodes; k++) {
    at.q[k] = q + 7 * (first + k);
    at.v[k] = v != NULL ? v + 6 * (first + k) : NULL;
  }
  const trm_status status = trmi_beam_stress(&beam->made[place->element], &at, stress);
  if (status != TRM_OK) {
    return TRMI_FAIL(err, status, beam->def->key.name, "sections of neighbouring nodes of element "
                     "%d differ by nearly half a turn", place->element + 1);
  }
  interpolate(beam->nodes, (const double(*)[6])stress, place->along, loads);
  return TRM_OK;
}

void trm_beam_stress(const trm_system *system, int i, int k, const double loads[6],
                     double stress[6]) {
  const trmi_beam_part *beam = part_at(system, i);
  double part[3];
  memset(stress, 0, 6 * sizeof *stress);
  if (beam == NULL || k < 0 || k >= beam->shape.npoints) return;
  trmi_section_stress(&beam->shape, k, loads, part);
  stress[0] = part[0], stress[3] = part[1], stress[4] = part[2];
}
