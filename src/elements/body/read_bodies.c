/* read_bodies.c - bodies of a definition: inertia, start, orientation. */
#include "math/so3.h"
#include "elements/elements.h"
#include <stdio.h>
#include <string.h>

int trmi_find_body(const trmi_mechanism *m, const char *name, size_t length) {
  return trmi_index_find(&m->body_names, name, length);
}

/* ---- orientation --------------------------------------------------------------------- */

/* angles: [a, b, c], sequence: zxz: successive rotations about axes of the rotating frame */
static void from_angles(const trmi_part *part, const double angles[3], double p[4]) {
  const char *sequence = trmi_part_word(part, "orientation.sequence");
  if (sequence == NULL) sequence = "zxz";
  for (int i = 0; i < 3; i++) {
    double psi[3] = {0.0, 0.0, 0.0}, turn[4];
    psi[sequence[i] - 'x'] = angles[i];
    trmi_so3_exp(psi, turn);
    trmi_quat_mul(p, turn, p);
  }
}

/* x:, y:, z: two of the axes, exact in the order z, x, y; or one */
static bool from_axes(trmi_mechanism *m, const trmi_part *part, trmi_vec3 axes[3],
                      const bool is_given[3], trmi_place place, double p[4]) {
  int first = -1, second = -1;
  for (int k = 0; k < 3; k++) {
    const int i = (k + 2) % 3; /* z has priority */
    if (!is_given[i]) continue;
    if (first < 0) first = i;
    else if (second < 0) second = i;
  }
  double E[9], turned[9];
  const trmi_vec3 *beside = second >= 0 ? &axes[second] : NULL;
  if (!trmi_axes_from(axes[first], beside, E)) {
    trmi_complain(m->complaints, place, "%s '%.60s': the axes of the orientation are zero or "
                  "parallel", trmi_part_group_word(part->kind->group), part->key.name);
    return false;
  }
  /* rows of E are second axis, third axis, first axis in a right-handed order */
  const bool is_cyclic = second < 0 || second == (first + 1) % 3;
  for (int k = 0; k < 3; k++) {
    const int row = is_cyclic ? (first + 1 + k) % 3 : (first + 2 + 2 * k) % 3;
    const double sign = !is_cyclic && k == 1 ? -1.0 : 1.0;
    v3_store(turned + 3 * row, v3_scale(sign, m3_row(E, k)));
  }
  trmi_quat_of_axes(turned, p);
  return true;
}

/* The given quaternion, normalized. */
static bool from_quaternion(trmi_mechanism *m, const trmi_part *part, const double numbers[4],
                            double p[4]) {
  const double norm = sqrt(numbers[0] * numbers[0] + numbers[1] * numbers[1] +
                           numbers[2] * numbers[2] + numbers[3] * numbers[3]);
  if (!(norm > 0.0)) {
    trmi_complain(m->complaints, trmi_part_place(part, "orientation.quaternion"),
                  "%s '%.60s': the quaternion is zero", trmi_part_group_word(part->kind->group),
                  part->key.name);
    return false;
  }
  memcpy(p, numbers, 4 * sizeof *p);
  trmi_quat_normalize(p);
  return true;
}

/* Complain about axes together with another form, and a sequence without angles. */
static bool is_one_form(trmi_mechanism *m, const trmi_part *part) {
  static const char *const forms[] = {"quaternion", "vector", "angles"};
  static const char *const others[] = {"x", "y", "z", "sequence"};
  for (int i = 0; i < 12; i++) {
    char form[32], other[32];
    snprintf(form, sizeof form, "orientation.%s", forms[i / 4]);
    snprintf(other, sizeof other, "orientation.%s", others[i % 4]);
    const bool is_angles = i / 4 == 2 && i % 4 == 3;
    if (!trmi_part_has(part, form) || !trmi_part_has(part, other) || is_angles) continue;
    trmi_complain(m->complaints, trmi_part_place(part, other), "%s '%.60s': its orientation has "
                  "'%s' and '%s': give one of them", trmi_part_group_word(part->kind->group),
                  part->key.name, forms[i / 4], others[i % 4]);
    return false;
  }
  if (!trmi_part_has(part, "orientation.sequence") || trmi_part_has(part, "orientation.angles")) {
    return true;
  }
  trmi_complain(m->complaints, trmi_part_place(part, "orientation.sequence"), "%s '%.60s': the "
                "sequence of its orientation is for 'angles', which are missing",
                trmi_part_group_word(part->kind->group), part->key.name);
  return false;
}

bool trmi_read_orientation(trmi_mechanism *m, const trmi_part *part, double p[4]) {
  static const char *const keys[] = {"orientation.x", "orientation.y", "orientation.z"};
  trmi_vec3 axes[3];
  bool is_axis[3] = {false, false, false};
  double numbers[4];
  p[0] = 1.0, p[1] = p[2] = p[3] = 0.0;
  if (!is_one_form(m, part)) return false;
  if (trmi_part_numbers(part, "orientation.quaternion", 4, numbers)) {
    return from_quaternion(m, part, numbers, p);
  }
  if (trmi_part_numbers(part, "orientation.vector", 3, numbers)) {
    trmi_so3_exp(numbers, p);
    return true;
  }
  if (trmi_part_numbers(part, "orientation.angles", 3, numbers)) {
    from_angles(part, numbers, p);
    return true;
  }
  int first = -1, count = 0;
  for (int i = 0; i < 3; i++) {
    is_axis[i] = trmi_part_numbers(part, keys[i], 3, numbers);
    if (!is_axis[i]) continue;
    axes[i] = v3_load(numbers);
    if (first < 0) first = i;
    count++;
  }
  if (count == 3) {
    trmi_complain(m->complaints, trmi_part_place(part, keys[2]), "%s '%.60s': two of the "
                  "axes x, y and z are enough: leave one out",
                  trmi_part_group_word(part->kind->group), part->key.name);
    return false;
  }
  return count == 0 || from_axes(m, part, axes, is_axis, trmi_part_place(part, keys[first]), p);
}

/* ---- inertia -------------------------------------------------------------------------- */

/* Is a symmetric matrix positive semidefinite, up to rounding? Principal minors. */
static bool is_semidefinite(const double A[9]) {
  const double size = fabs(A[0]) + fabs(A[4]) + fabs(A[8]), eps = 1e-9;
  const double minors[3] = {A[0] * A[4] - A[1] * A[3], A[0] * A[8] - A[2] * A[6],
                            A[4] * A[8] - A[5] * A[7]};
  const double det = A[0] * minors[2] - A[1] * (A[3] * A[8] - A[5] * A[6]) +
                     A[2] * (A[3] * A[7] - A[4] * A[6]);
  bool is_good = det >= -eps * size * size * size;
  for (int i = 0; i < 3; i++) {
    is_good = is_good && A[4 * i] >= -eps * size && minors[i] >= -eps * size * size;
  }
  return is_good;
}

/* Inertia about the centre of mass, in body axes. A real body's moments satisfy the triangle
 * inequality: trace/2 I - J, the matrix of second moments, is semidefinite. */
static void read_tensor(trmi_mechanism *m, const trmi_part *part, double J[9]) {
  double in[6] = {0.0};
  const trmi_given *value = trmi_part_find(part, "inertia");
  memset(J, 0, 9 * sizeof(double));
  if (value == NULL) {
    trmi_complain(m->complaints, part->key.place, "body '%.60s' needs its inertia; a mass that "
                  "cannot turn is of type: point", part->key.name);
    return;
  }
  const int count = value->count == 6 ? 6 : 3;
  if (!trmi_part_numbers(part, "inertia", count, in)) return;
  const double full[9] = {in[0], in[3], in[4], in[3], in[1], in[5], in[4], in[5], in[2]};
  double moments[9];
  const double half = 0.5 * (in[0] + in[1] + in[2]);
  for (int k = 0; k < 9; k++) moments[k] = (k % 4 == 0 ? half : 0.0) - full[k];
  if (!is_semidefinite(full) || !is_semidefinite(moments)) {
    trmi_complain(m->complaints, value->place, "body '%.60s': no body has this inertia: a "
                  "principal moment cannot be negative or larger than the sum of the other two; "
                  "given are %.6g, %.6g, %.6g%s", part->key.name, in[0], in[1], in[2],
                  count == 6 ? " and products of inertia" : "");
    return;
  }
  memcpy(J, full, sizeof full);
}

/* Mass, centre and inertia from the density; values that follow from the shape must not be given as
 * well. */
static void read_density(trmi_mechanism *m, const trmi_part *part, double factor,
                         trmi_body *body) {
  static const char *const keys[] = {"inertia", "com"};
  const double density =
      factor * trmi_part_number(part, "density");
  trmi_volume all;
  for (int i = 0; i < 2; i++) {
    if (trmi_part_find(part, keys[i]) == NULL) continue;
    trmi_complain(m->complaints, trmi_part_place(part, keys[i]), "body '%.60s' has a density: its "
                  "%s follows from the shape", part->key.name, keys[i]);
    return;
  }
  if (!trmi_read_volume(m, part, &all)) return;
  for (int k = 0; k < 9; k++) all.J[k] *= density;
  const double mass = density * all.volume;
  body->inertia = body->kind == TRMI_CARRIER_POINT
                      ? (trmi_inertia){.kind = TRMI_INERTIA_POINT, .mass = mass}
                      : trmi_inertia_make(mass, all.centre, all.J);
}

static void read_inertia(trmi_mechanism *m, const trmi_part *part, trmi_body *body) {
  const double factor = trmi_units_inertia(&m->def->units);
  if (trmi_part_find(part, "density") != NULL) {
    read_density(m, part, factor, body);
    return;
  }
  const double mass = factor * trmi_part_number(part, "mass");
  if (!(mass > 0.0)) {
    trmi_complain(m->complaints, trmi_part_place(part, "mass"), "body '%.60s': %s", part->key.name,
                  trmi_part_find(part, "mass") == NULL ? "it needs a mass, or a density and a shape"
                                                       : "its mass is not positive");
  }
  if (body->kind == TRMI_CARRIER_POINT) {
    body->inertia = (trmi_inertia){.kind = TRMI_INERTIA_POINT, .mass = mass};
    return;
  }
  double com[3] = {0.0, 0.0, 0.0}, J[9];
  trmi_part_numbers(part, "com", 3, com);
  read_tensor(m, part, J);
  for (int k = 0; k < 9; k++) J[k] *= factor;
  body->inertia = trmi_inertia_make(mass, v3_load(com), J);
}

/* ---- bodies ---------------------------------------------------------------------------- */

static void read_body(trmi_mechanism *m, const trmi_part *part, trmi_body *body) {
  const char *start = trmi_part_word(part, "start");
  const bool is_point = strcmp(part->kind->type, "point") == 0;
  *body = (trmi_body){.name = part->key.name, .def = part, .shaped = part,
                      .q0 = {[3] = 1.0},
                      .kind = is_point ? TRMI_CARRIER_POINT : TRMI_CARRIER_BODY,
                      .is_guess = start != NULL && strcmp(start, "guess") == 0};
  trmi_part_numbers(part, "at", 3, body->q0);
  trmi_part_numbers(part, "velocity", 3, body->v0);
  trmi_part_numbers(part, "angular_velocity", 3, body->v0 + 3);
  trmi_read_orientation(m, part, body->q0 + 3);
  read_inertia(m, part, body);
  for (int k = 0; k < TRMI_INERTIA_KINDS; k++) (void)trmi_decide(m, (int)body->inertia.kind == k);
}

void trmi_read_bodies(trmi_mechanism *m) {
  const trmi_parts *parts = &m->def->parts[TRMI_BODIES];
  m->bodies = TRMI_TAKE(m->arena, trmi_body, parts->count + 1);
  if (m->bodies == NULL) return;
  m->bodies[0] = (trmi_body){.name = "ground", .kind = TRMI_CARRIER_GROUND, .q0 = {[3] = 1.0}};
  m->nbodies = 1;
  double gravity[3] = {0.0, 0.0, 0.0};
  trmi_part_numbers(&m->def->world, "gravity", 3, gravity);
  m->gravity = v3_load(gravity);
  for (int i = 0; i < parts->count; i++) {
    const trmi_part *part = &parts->list[i];
    if (strcmp(part->key.name, "ground") == 0) { /* for its markers and shapes */
      m->bodies[0].def = m->bodies[0].shaped = part;
    } else {
      read_body(m, part, &m->bodies[m->nbodies++]);
    }
  }
  for (int i = 0; i < m->nbodies; i++) {
    const char *name = m->bodies[i].name;
    trmi_index_add(&m->body_names, m->arena, name, strlen(name), i);
  }
}
