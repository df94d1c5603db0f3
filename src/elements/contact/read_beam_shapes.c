/* read_beam_shapes.c - beams in contacts: a chain of capsules, one on each node.
 *
 * The capsule of node i reaches half way to its neighbours at the start,
 *   from = R_i^T (x_{i-1} - x_i)/2,   to = R_i^T (x_{i+1} - x_i)/2                        (1)
 * for the first and last node on one side only. It moves with its node: a force on it acts on the
 * node through its lever arm. Neighbours in a chain never touch each other, nor do other capsules
 * of the same beam whose distance along it, between the ends of the capsules, is below 3 radii. (2)
 * Theory: docs/theory/15-contact.md, section 4. */
#include "elements/contact/read_contacts.h"
#include "math/so3.h"
#include <stdio.h>
#include <string.h>

double trmi_contact_beam_radius(const trmi_beam_part *beam) {
  const double given = trmi_part_number_or(beam->def, "area", 0.0), pi = 3.14159265358979323846;
  const double area = beam->shape.area > 0.0 ? beam->shape.area : given;
  return trmi_part_number_or(beam->def, "radius", area > 0.0 ? sqrt(area / pi) : 0.0);
}

static trmi_vec3 place_of(const trmi_mechanism *m, int body) {
  return v3_load(m->bodies[body].q0);
}

/* (1); node: its number in the beam */
static trmi_vec3 half_way(const trmi_mechanism *m, const trmi_beam_part *beam, int node, int to) {
  if (node + to < 0 || node + to >= beam->nnodes) return v3(0, 0, 0);
  const int body = beam->first + node;
  return v3_scale(0.5, v3_sub(place_of(m, body + to), place_of(m, body)));
}

bool trmi_contact_read_node(trmi_mechanism *m, const trmi_part *part, int body,
                            trmi_contact_shape *out) {
  const trmi_beam_part *beam = m->bodies[body].beam;
  const double radius = trmi_contact_beam_radius(beam);
  double R[9];
  char sentence[160];
  if (!(radius > 0.0)) {
    snprintf(sentence, sizeof sentence, "beam '%.60s' needs a 'radius', or an area, to touch "
             "others", beam->def->key.name);
    return trmi_contact_complain(m, part, "between", sentence);
  }
  trmi_quat_matrix(m->bodies[body].q0 + 3, R);
  const trmi_vec3 from = m3_tmul(R, half_way(m, beam, body - beam->first, -1));
  const trmi_vec3 to = m3_tmul(R, half_way(m, beam, body - beam->first, 1));
  const trmi_vec3 way = v3_sub(to, from);
  *out = (trmi_contact_shape){
    .type = "beam", .name = m->bodies[body].name, .o = v3_scale(0.5, v3_add(from, to)),
    .core = {.kind = TRMI_CORE_SEGMENT, .radius = radius, .size = {0, 0, 0.5 * v3_norm(way)}}};
  return trmi_axes_from(way, NULL, out->E) ||
         trmi_contact_complain(m, part, "between", "two nodes of its beam coincide");
}

void trmi_contact_add_beam(const trmi_beam_part *beam, trmi_contact_end *out) {
  for (int i = 0; i < beam->nnodes; i++) {
    bool is_known = false;
    for (int k = 0; k < out->count; k++) is_known = is_known || out->bodies[k] == beam->first + i;
    if (is_known) continue;
    out->bodies[out->count] = beam->first + i, out->shapes[out->count++] = NULL;
  }
}

bool trmi_contact_are_neighbours(const trmi_mechanism *m, int a, int b) {
  const trmi_beam_part *beam = m->bodies[a].beam;
  const int low = a < b ? a : b, high = a < b ? b : a;
  if (beam == NULL || m->bodies[b].beam != beam) return false;
  double way = 0.0;
  for (int i = low + 1; i < high - 1; i++) {
    way += v3_norm(v3_sub(place_of(m, i + 1), place_of(m, i)));
  }
  if (high - low > 1) {
    way += v3_norm(half_way(m, beam, low + 1 - beam->first, -1));
    way += v3_norm(half_way(m, beam, high - 1 - beam->first, 1));
  }
  return way < 3.0 * trmi_contact_beam_radius(beam); /* (2) */
}
