/* read_beams.c - beams of a definition: their line, mesh, section and start. Every node becomes a
 * body of six velocities, "rod.1", "rod.2", .. */
#include "elements/flex/beam_line.h"
#include "elements/flex/beam_modes.h"
#include "math/so3.h"
#include "elements/elements.h"
#include <stdio.h>
#include <string.h>

static void complain(trmi_mechanism *m, const trmi_part *part, const char *path,
                     const char *sentence) {
  trmi_complain(m->complaints, trmi_part_place(part, path), "beam '%.60s': %s", part->key.name,
                sentence);
}

/* ---- section ----------------------------------------------------------------------------- */

/* E, G and the shape of the section; beam->shape. */
static bool read_shape(trmi_mechanism *m, trmi_beam_part *beam, double D[36]) {
  const trmi_part *part = beam->def;
  char fault[TRMI_SECTION_FAULT];
  if (!trmi_read_section(part, m->arena, &beam->shape, fault)) {
    if (!m->arena->failed) complain(m, part, "section", fault);
    return false;
  }
  trmi_section_stiffness(&beam->shape, trmi_part_number(part, "E"), trmi_part_number(part, "G"), D);
  return true;
}

/* E, G and the section as six numbers. */
static bool read_material(trmi_mechanism *m, const trmi_part *part, double stiffness[6]) {
  static const struct { const char *key, *unit; } keys[6] = {
    {"E", "N/m^2"}, {"G", "N/m^2"}, {"area", "m^2"}, {"Iy", "m^4"}, {"Iz", "m^4"}, {"J", "m^4"}};
  double n[6] = {0.0};
  for (int i = 0; i < 6; i++) {
    if (trmi_part_numbers(part, keys[i].key, 1, &n[i])) continue;
    if (trmi_part_find(part, keys[i].key) == NULL) {
      complain(m, part, "E", "its section needs 'stiffness', or E, G and 'section', or all of "
                               "E, G, area, Iy, Iz and J");
    }
    return false;
  }
  const double shear_y = trmi_part_number(part, "shear_y");
  const double shear_z = trmi_part_number(part, "shear_z");
  const double made[6] = {n[0] * n[2], n[1] * n[2] * shear_y, n[1] * n[2] * shear_z,
                          n[1] * n[5], n[0] * n[3],           n[0] * n[4]};
  memcpy(stiffness, made, sizeof made);
  return true;
}

/* Is a symmetric 6 x 6 matrix positive definite? By Cholesky's method. */
static bool is_definite(const double D[36]) {
  double L[36];
  memcpy(L, D, sizeof L);
  for (int j = 0; j < 6; j++) {
    for (int k = 0; k < j; k++) L[7 * j] -= L[6 * j + k] * L[6 * j + k];
    if (!(L[7 * j] > 1e-14 * D[7 * j])) return false;
    L[7 * j] = sqrt(L[7 * j]);
    for (int i = j + 1; i < 6; i++) {
      for (int k = 0; k < j; k++) L[6 * i + j] -= L[6 * i + k] * L[6 * j + k];
      L[6 * i + j] /= L[7 * j];
    }
  }
  return true;
}

static bool read_stiffness(trmi_mechanism *m, trmi_beam_part *beam, double D[36]) {
  const trmi_part *part = beam->def;
  const trmi_given *value = trmi_part_find(part, "stiffness");
  double diagonal[6];
  memset(D, 0, 36 * sizeof *D);
  if (trmi_part_has(part, "section")) {
    if (value != NULL) complain(m, part, "section", "give 'section' or 'stiffness', not both");
    if (value != NULL || !read_shape(m, beam, D)) return false;
  } else if (value != NULL && value->rows > 1) {
    if (!trmi_part_numbers(part, "stiffness", 36, D)) return false;
  } else {
    const bool is_good = value != NULL ? trmi_part_numbers(part, "stiffness", 6, diagonal)
                                       : read_material(m, part, diagonal);
    if (!is_good) return false;
    for (int i = 0; i < 6; i++) D[7 * i] = diagonal[i];
  }
  bool is_symmetric = true;
  for (int k = 0; k < 36; k++) {
    const int i = k / 6, j = k % 6;
    const double size = sqrt(fabs(D[7 * i] * D[7 * j]));
    is_symmetric = is_symmetric && fabs(D[k] - D[6 * j + i]) <= 1e-9 * size;
    if (j > i) D[k] = D[6 * j + i] = 0.5 * (D[k] + D[6 * j + i]);
  }
  if (is_symmetric && is_definite(D)) return true;
  complain(m, part, "stiffness", is_symmetric ? "its stiffness is not positive: a section resists "
                                                "every strain"
                                              : "its stiffness is not symmetric");
  return false;
}

/* Of a section of one material the rotary inertia is mass EI/EA. */
static void read_mass(trmi_mechanism *m, trmi_beam_part *beam) {
  const trmi_part *part = beam->def;
  trmi_beam_section *section = &beam->section;
  const bool is_shape = beam->shape.area > 0.0;
  const double factor = trmi_units_inertia(&m->def->units), *D = section->D;
  double mass = trmi_part_number(part, "mass"), inertia[3];
  if (trmi_part_find(part, "density") != NULL) {
    if (!is_shape && trmi_part_find(part, "area") == NULL) {
      complain(m, part, "density", "it needs its area");
    }
    mass = trmi_part_number(part, "density") *
           (is_shape ? beam->shape.area : trmi_part_number(part, "area"));
  } else if (!(mass >= 0.0)) { /* zero: for equilibria alone */
    complain(m, part, "mass", "it needs a mass per length, or a density");
  }
  inertia[1] = mass * D[28] / D[0];
  inertia[2] = mass * D[35] / D[0];
  inertia[0] = inertia[1] + inertia[2];
  if (!trmi_part_numbers(part, "inertia", 3, inertia) && is_shape) {
    section->J[5] = section->J[7] = factor * mass * D[29] / D[0];
  }
  section->mass = factor * mass;
  for (int i = 0; i < 3; i++) section->J[4 * i] = factor * inertia[i];
}

/* ---- line -------------------------------------------------------------------------------- */

/* Ends without a marker are on the ground. */
static void stand_on_ground(trmi_mechanism *m, trmi_beam_part *beam) {
  for (int i = 0; i < 2; i++) (void)trmi_find_marker(m, "ground", strlen("ground"), &beam->end[i]);
}

/* Its points: two markers or the points of the text. False after a complaint. */
static bool read_points(trmi_mechanism *m, trmi_beam_part *beam, trmi_beam_line *line) {
  const trmi_part *part = beam->def;
  const trmi_given *value = trmi_part_find(part, "points");
  const int count = value != NULL ? value->count / 3 : 2;
  double *points = TRMI_TAKE(m->arena, double, 3 * count);
  stand_on_ground(m, beam);
  line->points = points;
  line->npoints = count;
  if (points == NULL) return false;
  if (value != NULL) return trmi_part_numbers(part, "points", 3 * count, points);
  const trmi_text *names = trmi_part_texts(part, "markers");
  for (int i = 0; i < 2; i++) {
    if (names == NULL || !trmi_need_marker(m, &names[i], &beam->end[i])) return false;
    trmi_vec3 x;
    double E[9];
    trmi_marker_at_start(m, &beam->end[i], &x, E);
    v3_store(points + 3 * i, x);
  }
  return true;
}

static bool read_arc(trmi_mechanism *m, trmi_beam_part *beam, trmi_beam_arc *arc) {
  double from[3], centre[3], axis[3];
  stand_on_ground(m, beam);
  const bool is_good = trmi_part_numbers(beam->def, "arc.from", 3, from) &&
                       trmi_part_numbers(beam->def, "arc.centre", 3, centre) &&
                       trmi_part_numbers(beam->def, "arc.axis", 3, axis);
  if (!is_good) return false;
  *arc = (trmi_beam_arc){.from = v3_load(from), .centre = v3_load(centre), .axis = v3_load(axis),
                         .angle = trmi_part_number(beam->def, "arc.angle")};
  return true;
}

/* A name of a body, "rod" "." "first". */
static const char *name_node(trmi_mechanism *m, const char *beam, const char *word, int body) {
  const size_t size = strlen(beam) + strlen(word) + 2;
  char *text = TRMI_TAKE(m->arena, char, size);
  if (text == NULL) return "";
  snprintf(text, size, "%s.%s", beam, word);
  trmi_index_add(&m->body_names, m->arena, text, size - 1, body);
  return text;
}

/* Rigid motion about the first node; angular velocities of nodes are in their own axes. */
static void set_motion(trmi_mechanism *m, const trmi_beam_part *beam) {
  double velocity[3] = {0.0, 0.0, 0.0}, angular[3] = {0.0, 0.0, 0.0};
  trmi_part_numbers(beam->def, "velocity", 3, velocity);
  trmi_part_numbers(beam->def, "angular_velocity", 3, angular);
  const trmi_vec3 w = v3_load(angular), x = v3_load(m->bodies[beam->first].q0);
  for (int i = 0; i < beam->nnodes; i++) {
    trmi_body *node = &m->bodies[beam->first + i];
    const trmi_vec3 arm = v3_sub(v3_load(node->q0), x);
    double R[9];
    trmi_quat_matrix(node->q0 + 3, R);
    v3_store(node->v0, v3_add(v3_load(velocity), v3_cross(w, arm)));
    v3_store(node->v0 + 3, m3_tmul(R, w));
  }
}

static void place_nodes(trmi_mechanism *m, trmi_beam_part *beam) {
  trm_error err;
  double y[3] = {0.0, 0.0, 0.0};
  const bool is_arc = trmi_part_has(beam->def, "arc");
  trmi_beam_line line = {.points = NULL};
  trmi_beam_arc arc;
  if (is_arc ? !read_arc(m, beam, &arc) : !read_points(m, beam, &line)) return;
  double *q = TRMI_TAKE(m->arena, double, 7 * beam->nnodes);
  if (q == NULL) return;
  trmi_part_numbers(beam->def, "y", 3, y);
  line.y = arc.y = v3_load(y);
  line.twist = arc.twist = trmi_part_number(beam->def, "twist");
  const trm_status status = is_arc
                                ? trmi_beam_arc_place(&arc, beam->nnodes, q, &err)
                                : trmi_beam_line_place(&line, beam->nnodes, m->arena, q, &err);
  if (status == TRM_ERR_INPUT) complain(m, beam->def, is_arc ? "arc" : "points", err.message);
  if (status != TRM_OK) return;
  for (int i = 0; i < beam->nnodes; i++) {
    trmi_body *node = &m->bodies[beam->first + i];
    memcpy(node->q0, q + 7 * i, sizeof node->q0);
  }
  set_motion(m, beam);
}

/* Elements of a beam, and the rotary inertia of its nodes. */
static void set_up(trmi_mechanism *m, trmi_beam_part *beam) {
  trm_error err;
  for (int i = 0; i < beam->elements; i++) {
    trmi_body *nodes = &m->bodies[beam->first + i * (beam->nodes - 1)];
    trmi_beam *element = &beam->made[i];
    const double *q[TRMI_BEAM_NODES];
    for (int k = 0; k < beam->nodes; k++) q[k] = nodes[k].q0;
    if (trmi_beam_setup(element, beam->nodes, q, &beam->section, &err) != TRM_OK) {
      trmi_complain(m->complaints, beam->def->key.place, "beam '%.60s' element %d: %s",
                    beam->def->key.name, i + 1, err.message);
      return;
    }
    for (int k = 0; k < beam->nodes; k++) {
      for (int j = 0; j < 9; j++) {
        nodes[k].inertia.J[j] += element->share[k] * beam->section.J[j];
      }
    }
  }
  for (int i = 0; i < beam->nnodes; i++) {
    trmi_body *node = &m->bodies[beam->first + i];
    node->inertia = trmi_inertia_make(0.0, v3(0.0, 0.0, 0.0), node->inertia.J);
  }
}

/* Vibrations that `smooth` averages. Squares of their frequencies are constants of the graph, so a
 * number that changes them needs a new build. */
static void find_averaged(trmi_mechanism *m, trmi_beam_part *beam) {
  trm_error err;
  const double hertz = trmi_part_number_or(beam->def, "averaged", INFINITY);
  if (!isfinite(hertz)) return;
  const trmi_free_beam all = {beam->made, beam->elements, m->bodies[beam->first].q0,
                              sizeof *m->bodies};
  trmi_beam_modes *modes = TRMI_TAKE(m->arena, trmi_beam_modes, 1);
  if (modes == NULL) return;
  const trm_status status =
      trmi_beam_modes_find(&all, 6.283185307179586477 * hertz, m->arena, modes, &err);
  if (status != TRM_OK && !m->arena->failed) complain(m, beam->def, "averaged", err.message);
  if (status != TRM_OK) return;
  if (modes->count == 0) complain(m, beam->def, "averaged", "it has no vibration so fast");
  for (int i = 0; i < modes->count; i++) trmi_decide_number(m, modes->omega2[i]);
  trmi_decide_number(m, beam->section.damping);
  beam->averaged = modes;
}

/* ---- beams ------------------------------------------------------------------------------- */

static void read_beam(trmi_mechanism *m, trmi_beam_part *beam) {
  const trmi_part *part = beam->def;
  beam->first = m->nbodies;
  for (int i = 0; i < beam->nnodes; i++) {
    char number[12];
    snprintf(number, sizeof number, "%d", i + 1);
    m->bodies[m->nbodies] =
        (trmi_body){.name = name_node(m, part->key.name, number, m->nbodies),
                    .kind = TRMI_CARRIER_BODY, .q0 = {[3] = 1.0}, .beam = beam};
    m->nbodies++;
  }
  (void)name_node(m, part->key.name, "first", beam->first);
  (void)name_node(m, part->key.name, "last", m->nbodies - 1);
  if (read_stiffness(m, beam, beam->section.D)) read_mass(m, beam);
  beam->section.damping = trmi_part_number(part, "damping");
  trmi_part_numbers(part, "load", 3, beam->load);
  trmi_part_numbers(part, "follower", 3, beam->follower);
  const char *fix = trmi_part_word(part, "fix");
  const bool is_both = fix != NULL && strcmp(fix, "both") == 0;
  beam->is_fixed[0] = is_both || (fix != NULL && strcmp(fix, "first") == 0);
  beam->is_fixed[1] = is_both || (fix != NULL && strcmp(fix, "last") == 0);
  const int faults = m->complaints->count;
  place_nodes(m, beam);
  beam->made = TRMI_TAKE(m->arena, trmi_beam, beam->elements);
  if (beam->made != NULL && m->complaints->count == faults) set_up(m, beam);
  if (beam->made != NULL && m->complaints->count == faults) find_averaged(m, beam);
}

const trmi_beam_part *trmi_find_beam(const trmi_mechanism *m, const char *name, size_t length) {
  for (int i = 0; i < m->nbeams; i++) {
    const char *known = m->beams[i].def->key.name;
    if (strlen(known) == length && memcmp(known, name, length) == 0) return &m->beams[i];
  }
  return NULL;
}

/* The maximum number of values in a model file. */
enum { NODES_MAX = 2000000 };

void trmi_read_beams(trmi_mechanism *m) {
  const trmi_parts *parts = &m->def->parts[TRMI_BEAMS];
  m->beams = TRMI_TAKE(m->arena, trmi_beam_part, parts->count);
  if (parts->count == 0 || m->beams == NULL) return;
  int count = m->nbodies;
  for (int i = 0; i < parts->count; i++) {
    trmi_beam_part *beam = &m->beams[i];
    beam->def = &parts->list[i];
    beam->elements = (int)trmi_part_number(beam->def, "elements");
    beam->nodes = (int)trmi_part_number(beam->def, "nodes");
    beam->nnodes = beam->elements * (beam->nodes - 1) + 1;
    count += beam->nnodes;
    if (count <= NODES_MAX) continue;
    complain(m, beam->def, "elements", "with it beams have more than 2 million nodes");
    return;
  }
  trmi_body *bodies = TRMI_TAKE(m->arena, trmi_body, count);
  if (bodies == NULL) return;
  memcpy(bodies, m->bodies, (size_t)m->nbodies * sizeof *bodies);
  m->bodies = bodies;
  for (; m->nbeams < parts->count; m->nbeams++) read_beam(m, &m->beams[m->nbeams]);
}
