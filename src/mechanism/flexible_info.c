/* flexible_info.c - data about the flexible bodies of a system for users. */
#include "mechanism/blueprint.h"
#include "system/system.h"
#include "trammel/flexible.h"
#include <math.h>
#include <string.h>

static const trmi_flexible_part *part_at(const trm_system *system, int i) {
  const trmi_mechanism *m = trmi_mechanism_of(system);
  return m != NULL && i >= 0 && i < m->nflexible ? &m->flexible[i] : NULL;
}

int trm_flexible_count(const trm_system *system) {
  const trmi_mechanism *m = trmi_mechanism_of(system);
  return m != NULL ? m->nflexible : 0;
}

/* About the centre c: J = tr(S) 1 - S with S = Sigma - m c c^T. */
static void set_mass(const trmi_modal_arrays *a, double factor, trm_flexible_info *out) {
  static const int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  double S[9], trace = 0.0;
  out->mass = a->mass / factor;
  for (int k = 0; k < 3; k++) out->centre[k] = a->mc[k] / a->mass;
  for (int k = 0; k < 9; k++) {
    S[k] = (a->Sigma[k] - a->mass * out->centre[k / 3] * out->centre[k % 3]) / factor;
    if (k % 4 == 0) trace += S[k];
  }
  for (int k = 0; k < 6; k++) {
    const int p = pairs[k][0], q = pairs[k][1];
    out->inertia[k] = (p == q ? trace : 0.0) - S[3 * p + q];
  }
}

trm_flexible_info trm_flexible_at(const trm_system *system, int i) {
  const trmi_flexible_part *f = part_at(system, i);
  if (f == NULL) return (trm_flexible_info){.name = NULL};
  const trmi_flexible_body *body = f->reduced;
  trm_flexible_info out = {
      .name = f->def->key.name, .nodes = body->nnodes, .elements = body->nelements,
      .last_number = body->last_number,
      .modes = body->arrays.n, .interfaces = body->arrays.ninterfaces,
      .loads = body->arrays.nloads, .fixed = body->nfixed,
      .constraint = body->nconstraint, .statics = body->nstatic, .dropped = body->ndropped,
      .rigid_ratio = body->rigid_ratio, .notes = body->notes, .kept = body->kept,
      .length = f->length,
      .top = (int)trmi_part_number(f->def, "stress.top")};
  set_mass(&body->arrays, trmi_units_inertia(&trmi_mechanism_of(system)->def->units), &out);
  return out;
}

trm_flexible_mode trm_flexible_mode_at(const trm_system *system, int i, int k) {
  const trmi_flexible_part *f = part_at(system, i);
  trm_flexible_mode out = {.frequency = 0.0};
  if (f == NULL || k < 0 || k >= f->reduced->arrays.n) return out;
  const trmi_modal_arrays *a = &f->reduced->arrays;
  out.frequency = sqrt(a->omega2[k]) / (2.0 * 3.14159265358979323846);
  out.damping = f->damping[k];
  for (int p = 0; p < 3; p++) out.share[p] = a->N[p][(a->n + 1) * k];
  memcpy(out.place, f->reduced->place + 3 * k, sizeof out.place);
  out.node = f->reduced->at_node[k];
  return out;
}

double trm_flexible_fixed_at(const trm_system *system, int i, int k) {
  const trmi_flexible_part *f = part_at(system, i);
  return f != NULL && k >= 0 && k < f->reduced->nfixed ? f->reduced->fixed[k] : 0.0;
}

trm_flexible_tie trm_flexible_tie_at(const trm_system *system, int i, int k) {
  const trmi_flexible_part *f = part_at(system, i);
  trm_flexible_tie out = {.name = NULL};
  if (f == NULL || k < 0 || k >= f->reduced->arrays.ninterfaces) return out;
  const trmi_modal_interface *at = &f->reduced->arrays.interfaces[k];
  out = (trm_flexible_tie){.name = at->name, .nodes = f->reduced->tied[k],
                           .is_rigid = f->reduced->is_rigid[k]};
  memcpy(out.at, at->at, sizeof out.at);
  return out;
}

trm_flexible_arrays trm_flexible_arrays_at(const trm_system *system, int i) {
  const trmi_flexible_part *f = part_at(system, i);
  if (f == NULL) return (trm_flexible_arrays){.modes = 0};
  const trmi_modal_arrays *a = &f->reduced->arrays;
  trm_flexible_arrays out = {.modes = a->n, .mass = a->mass, .squares = a->omega2, .D = a->D,
                             .L = a->L};
  memcpy(out.first, a->mc, sizeof out.first);
  memcpy(out.second, a->Sigma, sizeof out.second);
  for (int p = 0; p < TRMI_AXIS_PAIRS; p++) out.N[p] = a->N[p];
  return out;
}

void trm_flexible_motion_at(const trm_system *system, int i, int k, const double **displacement,
                            const double **rotation) {
  const trmi_flexible_part *f = part_at(system, i);
  const bool is_known = f != NULL && k >= 0 && k < f->reduced->arrays.ninterfaces;
  if (displacement != NULL) *displacement = is_known ? f->reduced->arrays.interfaces[k].F : NULL;
  if (rotation != NULL) *rotation = is_known ? f->reduced->arrays.interfaces[k].S : NULL;
}

trm_flexible_load trm_flexible_load_at(const trm_system *system, int i, int k) {
  const trmi_flexible_part *f = part_at(system, i);
  trm_flexible_load out = {.name = NULL};
  if (f == NULL || k < 0 || k >= f->reduced->arrays.nloads) return out;
  const trmi_modal_load *load = &f->reduced->arrays.loads[k];
  out = (trm_flexible_load){.name = load->name, .is_heat = load->is_heat};
  memcpy(out.force, load->force, sizeof out.force);
  memcpy(out.moment, load->moment, sizeof out.moment);
  return out;
}

trm_flexible_surface trm_flexible_surface_at(const trm_system *system, int i) {
  const trmi_flexible_part *f = part_at(system, i);
  if (f == NULL) return (trm_flexible_surface){.points = 0};
  const trmi_stress_modes *s = &f->reduced->stress;
  return (trm_flexible_surface){
      .points = s->npoints, .triangles = s->ntriangles, .modes = f->reduced->arrays.n,
      .columns = s->columns,
      .numbers = s->number, .places = s->x, .corners = s->corners, .displacement = s->phi,
      .stress = s->sigma, .cells = s->ncells, .cell_types = s->cell_type,
      .cell_points = s->cell_points, .is_excluded = s->is_excluded};
}
