/* force_types.c - all types of forces, reading those of a definition, and their names in
 * expressions.
 *
 * After a force: length or angle and rate (spring, torsion), force or torque along it (also
 * joint), positive if it increases the coordinate. Of forces with components: force.x, torque.x on
 * B at its marker in ground axes, A.force.x, B.force.x in the axes of that marker. Of bushings and
 * beams also the deformations x, y, z, rx, ry, rz. */
#include "elements/force/force_types.h"
#include "equations/remarks.h"
#include <stdio.h>
#include <string.h>

#define ADDRESS(name) &trmi_force_type_##name,
static const trmi_force_type *const types[] = {TRMI_FORCE_TYPES(ADDRESS)};

const trmi_force_type *trmi_force_type_at(int i) {
  return i >= 0 && i < (int)(sizeof types / sizeof *types) ? types[i] : NULL;
}

static void remark_on(trmi_mechanism *m, const trmi_force *a, const char *text) {
  char object[TRM_OBJECT_MAX];
  if (m->is_renewed) return; /* it was said */
  snprintf(object, sizeof object, "force '%.40s'", a->def->key.name);
  trmi_remark_add(m->b, object, text);
}

void trmi_force_warn_of_feeding(trmi_mechanism *m, const trmi_force *a) {
  remark_on(m, a, TRMI_NEGATIVE_DAMPING ": it feeds energy into the motion, which may grow without "
                  "end");
}

void trmi_force_warn_of_pushing(trmi_mechanism *m, const trmi_force *a) {
  remark_on(m, a, "its stiffness is negative: it pushes away from where it has no force");
}

bool trmi_force_fault(trmi_mechanism *m, const trmi_force *a, const char *path,
                       const char *sentence) {
  trmi_complain(m->complaints, trmi_part_place(a->def, path), "force '%.60s': %s",
                a->def->key.name, sentence);
  return false;
}

/* ---- reading -------------------------------------------------------------------------------- */

static const trmi_force_type *find_type(const char *name) {
  for (int k = 0; trmi_force_type_at(k) != NULL; k++) {
    if (strcmp(types[k]->name, name) == 0) return types[k];
  }
  return NULL;
}

static void read_action(trmi_mechanism *m, const trmi_part *part) {
  trmi_force *a = &m->forces[m->nforces];
  *a = (trmi_force){.def = part, .type = find_type(part->kind->type), .memory = -1};
  if (!trmi_force_read_ends(m, a)) return;
  if (a->type->check == NULL || a->type->check(m, a)) m->nforces++;
}

void trmi_read_forces(trmi_mechanism *m) {
  const trmi_parts *parts = &m->def->parts[TRMI_FORCES];
  m->forces = TRMI_TAKE(m->arena, trmi_force, parts->count);
  if (m->forces == NULL) return;
  for (int i = 0; i < parts->count; i++) read_action(m, &parts->list[i]);
}

trmi_force *trmi_find_force(const trmi_mechanism *m, const char *name, size_t length) {
  for (int i = 0; i < m->nforces; i++) {
    const char *known = m->forces[i].def->key.name;
    if (strlen(known) == length && memcmp(known, name, length) == 0) return &m->forces[i];
  }
  return NULL;
}

/* ---- nodes ---------------------------------------------------------------------------------- */

void trmi_force_measures(trmi_mechanism *m, trmi_force *a) {
  if (a->has_measures) return;
  a->has_measures = true;
  if (a->type->measure == NULL) return;
  trmi_graph *g = &m->b->graph;
  const int place = g->place;
  if (!a->type->is_native) trmi_graph_at(g, a->def->key.place); /* otherwise the position of the
                                                                   expression that names it */
  a->type->measure(m, a);
  if (a->coordinate != 0) a->rate = trmi_velocity_of(m, a->coordinate);
  g->place = place;
}

/* Nodes of its law, built once; false: the law needs itself. A law may be read while the expression
 * that names it is being read: the names allowed in that expression are restored afterwards. */
static bool make_law(trmi_mechanism *m, trmi_force *a) {
  if (a->law == TRMI_LAW_IN_WORK) return false;
  if (a->law == TRMI_LAW_READ) return true;
  trmi_compiler *b = m->b;
  const trmi_compiler outer = {.known = b->known, .allowed = b->allowed, .side = b->side,
                              .scope = b->scope, .graph.place = b->graph.place};
  trmi_force_measures(m, a);
  a->law = TRMI_LAW_IN_WORK;
  if (!a->type->is_native) trmi_graph_at(&b->graph, a->def->key.place);
  if (a->type->law != NULL) a->type->law(m, a);
  a->law = TRMI_LAW_READ;
  b->known = outer.known, b->allowed = outer.allowed, b->side = outer.side;
  b->scope = outer.scope, b->graph.place = outer.graph.place;
  return true;
}

void trmi_build_forces(trmi_mechanism *m) {
  for (int i = 0; i < m->nforces; i++) {
    trmi_force *a = &m->forces[i];
    if (!a->type->is_native) (void)make_law(m, a); /* no law is being read here */
    trmi_graph_at(&m->b->graph, a->def->key.place);
    a->type->push(m, a);
    trmi_force_add_stiff(m, a);
  }
  for (int i = 0; i < m->nforces; i++) { /* after all others, which fixes the order of nodes */
    if (m->forces[i].type->law == trmi_scalar_law_build) trmi_scalar_law_doubt(m, &m->forces[i]);
  }
}

void trmi_renew_forces(trmi_mechanism *m) {
  for (int i = 0; i < m->nforces; i++) {
    if (m->forces[i].type->is_native) m->forces[i].type->push(m, &m->forces[i]);
  }
}

/* ---- names ---------------------------------------------------------------------------------- */

static bool is_text(const char *name, size_t length, const char *text) {
  return strlen(text) == length && memcmp(name, text, length) == 0;
}

static trmi_dimension dimension(int length, int time, int force) {
  return (trmi_dimension){.is_known = true, .length = (signed char)length,
                          .time = (signed char)time, .force = (signed char)force};
}

/* Lengths, angles, deformations. */
static bool measure_of(trmi_mechanism *m, trmi_force *a, const char *name, size_t length,
                       trmi_meaning *out) {
  static const char *const deformations[6] = {"x", "y", "z", "rx", "ry", "rz"};
  const trmi_force_type *type = a->type;
  const bool has_coordinate = type->has_angle || type->has_length;
  trmi_force_measures(m, a);
  if ((type->has_length && is_text(name, length, "length")) ||
      (type->has_angle && is_text(name, length, "angle"))) {
    out->node = a->coordinate;
    out->dimension = dimension(type->has_length ? 1 : 0, 0, 0);
    return true;
  }
  if (has_coordinate && is_text(name, length, "rate")) {
    out->node = a->rate;
    out->dimension = dimension(type->has_length ? 1 : 0, -1, 0);
    return true;
  }
  for (int i = 0; i < 6 && type->has_deformations; i++) {
    if (!is_text(name, length, deformations[i])) continue;
    out->node = n3_part(a->e[i / 3], i % 3);
    out->dimension = dimension(i < 3 ? 1 : 0, 0, 0);
    return true;
  }
  return false;
}

/* Does a name begin with a word and a dot? If so, advance past them. */
static bool skip(const char **name, size_t *length, const char *word) {
  const size_t n = strlen(word);
  if (*length <= n || memcmp(*name, word, n) != 0 || (*name)[n] != '.') return false;
  *name += n + 1;
  *length -= n + 1;
  return true;
}

/* force.x, A.torque.z, or force of a law of one coordinate; -1: none of them, otherwise 0 for a
 * force and 1 for a torque. */
static int find_load(const trmi_force *a, const char *name, size_t length,
                     const trmi_marker **along, int *part) {
  const bool is_angle = a->joint != NULL ? trmi_joint_turns(a->joint, a->of_joint)
                                           : a->type->has_angle;
  *along = NULL;
  *part = -1;
  if (!a->type->has_loads) {
    if (a->type->law == NULL || !is_text(name, length, is_angle ? "torque" : "force")) return -1;
    return is_angle ? 1 : 0;
  }
  if (skip(&name, &length, "A")) *along = &a->A;
  else if (skip(&name, &length, "B")) *along = &a->B;
  const int kind = skip(&name, &length, "force") ? 0 : skip(&name, &length, "torque") ? 1 : -1;
  if (kind < 0 || length != 1 || name[0] < 'x' || name[0] > 'z') return -1;
  *part = name[0] - 'x';
  return kind;
}

bool trmi_force_number(trmi_mechanism *m, trmi_force *a, const char *name, size_t length,
                        trmi_place place, trmi_meaning *out) {
  const trmi_marker *along;
  int part;
  if (measure_of(m, a, name, length, out)) return true;
  const int kind = find_load(a, name, length, &along, &part);
  if (kind < 0) return false;
  if (!make_law(m, a)) {
    trmi_complain(m->complaints, place, "the law of force '%.60s' needs the force itself",
                  a->def->key.name);
    return true;
  }
  out->dimension = dimension(kind, 0, 1);
  if (part < 0) {
    out->node = a->value;
    return true;
  }
  trmi_nodes3 load = a->load[kind];
  if (along != NULL) {
    const trmi_frame f = trmi_frame_of(m, along);
    load = n3_along(&m->b->graph, f.axis, load);
  }
  out->node = n3_part(load, part);
  return true;
}

void trmi_force_list(const trmi_force *a, char *text, size_t size) {
  const trmi_force_type *type = a->type;
  const bool is_angle = a->joint != NULL ? trmi_joint_turns(a->joint, a->of_joint)
                                           : type->has_angle;
  snprintf(text, size, "%s%s%s", type->has_length ? "length, rate, " : "",
           type->has_angle ? "angle, rate, " : "",
           type->has_deformations ? "x, y, z, rx, ry, rz, " : "");
  const size_t used = strlen(text);
  snprintf(text + used, size - used, "%s",
           type->has_loads ? "force.x .., torque.x .., A.force.x .., B.force.x .."
           : is_angle      ? "torque"
                           : "force");
}
