/* read_contacts.c - contacts of a definition: their shapes, laws and names in expressions.
 *
 * After a contact: force (normal), gap, rate (of the gap), slip (speed of sliding), friction (force
 * across the normal), sticks (1 or 0), force.x (on the second body) and point.x (where), both in
 * ground axes. */
#include "elements/elements.h"
#include "equations/equations_quantities.h"
#include "trammel/parts.h"
#include <stdio.h>
#include <string.h>

/* A shape of a body as a core with a radius. */
typedef struct shape {
  const trmi_part *part;
  trmi_core        core;
  trmi_vec3        o;    /* its origin, body axes             */
  double           E[9]; /* its axes there, axis k is row k   */
} shape;

/* One end of a contact. */
typedef struct end {
  const trmi_text *text;
  int              body;
  const char      *only; /* name of a shape; NULL: all of them */
} end;

static bool complain(trmi_mechanism *m, const trmi_part *part, const char *key,
                     const char *sentence) {
  trmi_complain(m->complaints, trmi_part_place(part, key), "contact '%.60s': %s", part->key.name,
                sentence);
  return false;
}

/* ---- shapes --------------------------------------------------------------------------------- */

static const double upright[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

/* Between the middles of two ends; z is the axis. */
static bool read_ends(const trmi_part *part, shape *out) {
  double from[3] = {0.0}, to[3] = {0.0};
  trmi_part_numbers(part, "from", 3, from);
  trmi_part_numbers(part, "to", 3, to);
  const trmi_vec3 way = v3_sub(v3_load(to), v3_load(from));
  out->o = v3_scale(0.5, v3_add(v3_load(from), v3_load(to)));
  out->core.size[2] = 0.5 * v3_norm(way);
  return trmi_axes_from(way, NULL, out->E);
}

/* A direction as z axis. */
static bool read_axis(const trmi_part *part, const char *key, shape *out) {
  double z[3] = {0.0, 0.0, 1.0};
  trmi_part_numbers(part, key, 3, z);
  return trmi_axes_from(v3_load(z), NULL, out->E);
}

static bool read_box(const trmi_part *part, shape *out) {
  double size[3] = {0.0};
  trmi_part_numbers(part, "size", 3, size);
  out->core.kind = TRMI_CORE_BOX;
  out->core.radius = trmi_part_number(part, "rounding");
  bool is_good = true;
  for (int i = 0; i < 3; i++) {
    out->core.size[i] = 0.5 * size[i] - out->core.radius;
    is_good = is_good && out->core.size[i] >= 0.0;
  }
  return is_good;
}

/* False after a complaint; contacts do not know all kinds. */
static bool read_shape(trmi_mechanism *m, const trmi_part *contact, const trmi_part *part,
                       shape *out) {
  const char *type = part->kind->type;
  double at[3] = {0.0, 0.0, 0.0};
  *out = (shape){.part = part};
  memcpy(out->E, upright, sizeof upright);
  if (trmi_part_numbers(part, "at", 3, at)) out->o = v3_load(at);
  if (strcmp(type, "sphere") == 0) {
    out->core = (trmi_core){.kind = TRMI_CORE_POINT, .radius = trmi_part_number(part, "radius")};
    return true;
  }
  if (strcmp(type, "plane") == 0) {
    out->core.kind = TRMI_CORE_PLANE;
    if (read_axis(part, "normal", out)) return true;
    return complain(m, contact, "between", "the normal of its plane is zero");
  }
  if (strcmp(type, "capsule") == 0 || strcmp(type, "cylinder") == 0) {
    const bool is_capsule = strcmp(type, "capsule") == 0;
    const double radius = trmi_part_number(part, "radius");
    out->core.kind = is_capsule ? TRMI_CORE_SEGMENT : TRMI_CORE_CYLINDER;
    *(is_capsule ? &out->core.radius : &out->core.size[0]) = radius;
    if (read_ends(part, out)) return true;
    return complain(m, contact, "between", "the ends of its cylinder or capsule coincide");
  }
  if (strcmp(type, "box") == 0) {
    if (read_box(part, out)) return true;
    return complain(m, contact, "between", "the rounding of its box exceeds half an edge");
  }
  if (strcmp(type, "torus") == 0) {
    out->core = (trmi_core){.kind = TRMI_CORE_CIRCLE, .radius = trmi_part_number(part, "tube"),
                            .size = {trmi_part_number(part, "radius")}};
    if (read_axis(part, "axis", out)) return true;
    return complain(m, contact, "between", "the axis of its torus is zero");
  }
  char sentence[160];
  snprintf(sentence, sizeof sentence, "a %.30s cannot touch anything yet: name shapes that can, as "
           "'body.shape'", type);
  return complain(m, contact, "between", sentence);
}

/* The shape at number i of an end; NULL: there are no more. */
static const trmi_part *shape_at(const trmi_mechanism *m, const end *e, int i) {
  const trmi_part *def = m->bodies[e->body].def;
  for (const trmi_part *p = def != NULL ? def->inner : NULL; p != NULL; p = p->next) {
    if (p->kind->group != TRMI_SHAPES) continue;
    if (e->only != NULL && strcmp(p->key.name, e->only) != 0) continue;
    if (i-- == 0) return p;
  }
  return NULL;
}

/* ---- ends ----------------------------------------------------------------------------------- */

static bool read_end(trmi_mechanism *m, const trmi_part *part, const trmi_text *text, end *out) {
  const char *dot = memchr(text->text, '.', text->length);
  const size_t letters = dot != NULL ? (size_t)(dot - text->text) : text->length;
  char sentence[300];
  *out = (end){.text = text, .body = trmi_find_body(m, text->text, letters),
               .only = dot != NULL ? dot + 1 : NULL};
  if (out->body < 0) {
    snprintf(sentence, sizeof sentence, "there is no body '%.*s'",
             letters < 60 ? (int)letters : 60, text->text);
    return complain(m, part, "between", sentence);
  }
  if (shape_at(m, out, 0) != NULL) return true;
  snprintf(sentence, sizeof sentence, out->only != NULL ? "body '%.60s' has no shape '%.60s'"
                                                        : "body '%.60s' has no shape",
           m->bodies[out->body].name, out->only);
  return complain(m, part, "between", sentence);
}

/* A body that does not turn carries its shapes at its origin. */
static bool check_place(trmi_mechanism *m, const trmi_part *part, int body, const shape *s) {
  if (m->bodies[body].kind != TRMI_CARRIER_POINT || v3_norm(s->o) == 0.0) return true;
  return complain(m, part, "between", "the shape of a point mass has its middle there");
}

/* ---- pairs of shapes ------------------------------------------------------------------------ */

enum { POINTS_MAX = 8 }; /* of a shape */

/* A point at `at` in the axes of a shape. */
static trmi_touch_point *add_point(trmi_contact *c, const shape *of, trmi_vec3 at,
                                   const shape *against, const int bodies[2]) {
  trmi_touch_point *p = &c->points[c->npoints++];
  *p = (trmi_touch_point){.carrier = {bodies[0], bodies[1]},
                          .s = v3_add(of->o, m3_tmul(of->E, at)), .radius = of->core.radius,
                          .axis = m3_row(of->E, 2), .o = against->o, .core = against->core};
  memcpy(p->E, against->E, sizeof p->E);
  return p;
}

/* Points of a shape that meet a plane: corners, ends, or the lowest of circles. */
static bool add_to_plane(trmi_contact *c, const shape *of, const shape *plane,
                         const int bodies[2]) {
  const double *size = of->core.size;
  switch (of->core.kind) {
  case TRMI_CORE_PLANE: return false;
  case TRMI_CORE_POINT: add_point(c, of, v3(0, 0, 0), plane, bodies); break;
  case TRMI_CORE_CIRCLE: add_point(c, of, v3(0, 0, 0), plane, bodies)->ring = size[0]; break;
  case TRMI_CORE_SEGMENT:
  case TRMI_CORE_CYLINDER:
    for (int k = -1; k <= 1; k += 2) {
      add_point(c, of, v3(0, 0, k * size[2]), plane, bodies)->ring = size[0];
    }
    break;
  case TRMI_CORE_BOX:
    for (int k = 0; k < 8; k++) {
      const trmi_vec3 sign = v3(k % 2 == 0 ? -1 : 1, k / 2 % 2 == 0 ? -1 : 1, k / 4 == 0 ? -1 : 1);
      add_point(c, of, v3_times(v3_load(size), sign), plane, bodies);
    }
    break;
  }
  return true;
}

/* One of the two is a plane, or a sphere that meets the core of the other. */
static bool read_pair(trmi_mechanism *m, const trmi_part *part, const end ends[2],
                      const trmi_part *const parts[2], trmi_contact *c) {
  shape s[2];
  for (int k = 0; k < 2; k++) {
    if (!read_shape(m, part, parts[k], &s[k])) return false;
    if (!check_place(m, part, ends[k].body, &s[k])) return false;
  }
  for (int k = 0; k < 2; k++) {
    const int bodies[2] = {ends[k].body, ends[1 - k].body};
    if (s[1 - k].core.kind != TRMI_CORE_PLANE) continue;
    if (add_to_plane(c, &s[k], &s[1 - k], bodies)) return true;
    return complain(m, part, "between", "two planes do not touch in points");
  }
  for (int k = 0; k < 2; k++) {
    const int bodies[2] = {ends[k].body, ends[1 - k].body};
    if (s[k].core.kind != TRMI_CORE_POINT) continue;
    add_point(c, &s[k], v3(0, 0, 0), &s[1 - k], bodies);
    return true;
  }
  char sentence[160];
  snprintf(sentence, sizeof sentence, "a %.30s and a %.30s cannot touch each other yet: one of two "
           "shapes is a plane or a sphere", parts[0]->kind->type, parts[1]->kind->type);
  return complain(m, part, "between", sentence);
}

static bool read_points(trmi_mechanism *m, const trmi_part *part, const end ends[2],
                        trmi_contact *c) {
  int count[2] = {0, 0};
  for (int k = 0; k < 2; k++) {
    while (shape_at(m, &ends[k], count[k]) != NULL) count[k]++;
  }
  c->points = TRMI_TAKE(m->arena, trmi_touch_point, POINTS_MAX * count[0] * count[1]);
  if (c->points == NULL) return false;
  for (int i = 0; i < count[0] * count[1]; i++) {
    const trmi_part *const parts[2] = {shape_at(m, &ends[0], i / count[1]),
                                       shape_at(m, &ends[1], i % count[1])};
    if (!read_pair(m, part, ends, parts, c)) return false;
  }
  return true;
}

/* ---- laws ----------------------------------------------------------------------------------- */

/* A stiffness with a unit has that of its exponent; that of a broken exponent is not known. */
static bool check_stiffness(trmi_mechanism *m, const trmi_part *part, double exponent) {
  const trmi_given *given = trmi_part_find(part, "stiffness");
  const trmi_dimension force = {.is_known = true, .force = 1};
  const trmi_dimension metre = {.is_known = true, .length = 1};
  if (given == NULL || !given->dimension.is_known) return true;
  const trmi_dimension right = trmi_dimension_product(force, trmi_dimension_power(metre, exponent),
                                                      -1);
  char sentence[160];
  if (right.is_known && trmi_dimension_agrees(right, given->dimension)) return true;
  snprintf(sentence, sizeof sentence, "with an exponent of %g its stiffness is in N/m^%g", exponent,
           exponent);
  return complain(m, part, "stiffness", sentence);
}

static bool read_law(trmi_mechanism *m, const trmi_part *part, trmi_normal_law *law) {
  const trmi_units *units = &m->def->units;
  const double r = trmi_part_number_or(part, "restitution", 1.0);
  *law = (trmi_normal_law){
    .stiffness = trmi_part_number(part, "stiffness"),
    .exponent = trmi_part_number(part, "exponent"),
    .damping = trmi_part_number_or(part, "damping", 0.0),
    .restitution_y = r < 1.0 ? trmi_restitution_factor(r) : 0.0,
    .slowest = 0.02 * units->time / units->length,
    .impact_damping = trmi_part_number_or(part, "impact.damping", 0.0),
    .impact_depth = trmi_part_number_or(part, "impact.depth", 0.0)};
  return check_stiffness(m, part, law->exponent);
}

/* ---- friction ------------------------------------------------------------------------------- */

/* Of a model without gravity that of the earth. */
static double fall_of(const trmi_mechanism *m) {
  const trmi_units *units = &m->def->units;
  const double fall = v3_norm(m->gravity);
  return fall > 0.0 ? fall : 9.80665 * units->time * units->time / units->length;
}

static bool read_friction(trmi_mechanism *m, const trmi_part *part, trmi_contact *c) {
  const trmi_units *units = &m->def->units;
  if (!trmi_part_has(part, "friction")) return true;
  const double moving = trmi_part_number_or(part, "friction.dynamic", NAN);
  const double rest = trmi_part_number_or(part, "friction.static", moving);
  if (isnan(rest)) {
    return complain(m, part, "friction", "its friction needs 'static' or 'dynamic'");
  }
  const double depth = trmi_part_number_or(part, "friction.depth", 1e-5 / units->length);
  c->friction = (trmi_friction_law){
    .kind = trmi_part_choice(part, "friction.model") == 0 ? TRMI_FRICTION_BRISTLE
                                                          : TRMI_FRICTION_REGULARIZED,
    .rest = rest, .moving = isnan(moving) ? rest : moving, .depth = depth,
    .velocity = trmi_part_number_or(part, "friction.velocity", 1e-3 * units->time / units->length),
    .time = trmi_part_number_or(part, "friction.time", 2.0 * sqrt(depth / (rest * fall_of(m))))};
  c->torsion = trmi_part_number_or(part, "friction.torsion", 0.0);
  c->rolling = trmi_part_number_or(part, "friction.rolling", 0.0);
  c->x = m->def->parts[TRMI_STATES].count + m->extension.add.states;
  m->extension.add.states += c->npoints * trmi_contact_states(c);
  return true;
}

void trmi_contact_labels(trmi_mechanism *m) {
  static const char *const names[3][TRMI_CONTACT_STATES] = {
    {"z1", "z2", "spin", "roll1", "roll2"}, {"z1", "z2", "roll1", "roll2", ""}};
  for (int i = 0; i < m->ncontacts; i++) {
    const trmi_contact *c = &m->contacts[i];
    const int nz = trmi_contact_states(c);
    const char *const *own = names[c->torsion > 0.0 ? 0 : 1];
    for (int k = 0; k < nz * c->npoints; k++) {
      trm_label *label = &m->b->eq->labels[TRM_X][c->x + k];
      char number[12] = "";
      if (c->npoints > 1) snprintf(number, sizeof number, "%d.", k / nz + 1);
      snprintf(label->name, sizeof label->name, "%.28s.%s%s", c->name, number, own[k % nz]);
      snprintf(label->object, sizeof label->object, "friction of contact '%.36s'", c->name);
      label->kind = TRM_KIND_BRISTLE;
      label->scale = 500.0; /* .005 of the depth at the usual tolerance of 1e-5 */
    }
  }
}

/* ---- contacts ------------------------------------------------------------------------------- */

static void read_contact(trmi_mechanism *m, const trmi_part *part) {
  const trmi_text *texts = trmi_part_texts(part, "between");
  trmi_contact *c = &m->contacts[m->ncontacts];
  end ends[2];
  *c = (trmi_contact){.name = part->key.name,
                      .tolerance = trmi_part_number_or(part, "impact_tolerance", 0.0)};
  if (texts == NULL) return; /* after a complaint */
  for (int k = 0; k < 2; k++) {
    if (!read_end(m, part, &texts[k], &ends[k])) return;
    c->carrier[k] = ends[k].body;
  }
  snprintf(c->object, sizeof c->object, "impact of %.24s on %.24s", texts[0].text, texts[1].text);
  if (ends[0].body == ends[1].body) {
    (void)complain(m, part, "between", "both shapes belong to the same body");
    return;
  }
  if (!read_points(m, part, ends, c) || !read_law(m, part, &c->law)) return;
  if (read_friction(m, part, c)) m->ncontacts++;
}

void trmi_read_contacts(trmi_mechanism *m) {
  const trmi_parts *parts = &m->def->parts[TRMI_CONTACTS];
  m->contacts = TRMI_TAKE(m->arena, trmi_contact, parts->count);
  if (m->contacts == NULL) return;
  for (int i = 0; i < parts->count; i++) read_contact(m, &parts->list[i]);
}

void trmi_contribute_contacts(trmi_mechanism *m) {
  if (m->ncontacts == 0 || m->carriers == NULL) return;
  m->b->assembly->has_power = true;
  (void)trmi_contacts_join(m->b->assembly, m->carriers, m->contacts, m->ncontacts,
                           1.0 / m->def->units.length); /* the arena remembers failures */
}

trmi_contact *trmi_find_contact(const trmi_mechanism *m, const char *name, size_t length) {
  for (int i = 0; i < m->ncontacts; i++) {
    const char *known = m->contacts[i].name;
    if (strlen(known) == length && memcmp(known, name, length) == 0) return &m->contacts[i];
  }
  return NULL;
}

/* ---- names ---------------------------------------------------------------------------------- */

/* Six numbers of a contact as nodes; their columns are positions of A and B, then velocities,
 * then states. */
static void set_nodes(trmi_mechanism *m, const trmi_contact *c, trmi_contact_set set,
                      trmi_nodes3 out[2]) {
  const trmi_body *const ends[2] = {&m->bodies[c->carrier[0]], &m->bodies[c->carrier[1]]};
  const int states = c->npoints * trmi_contact_states(c);
  trmi_dependence *columns = TRMI_TAKE(&m->b->scratch, trmi_dependence, 24 + states);
  char object[TRM_OBJECT_MAX];
  int count = 0;
  memset(out, 0, 2 * sizeof *out);
  if (columns == NULL) return;
  for (int k = 0; k < 4; k++) {
    count += trmi_body_columns(ends[k % 2], k < 2 ? TRMI_IN_Q : TRMI_IN_V, columns + count);
  }
  for (int k = 0; k < states; k++) columns[count++] = (trmi_dependence){TRMI_IN_X, c->x + k};
  snprintf(object, sizeof object, "contact '%.48s'", c->name);
  const int number = (int)(c - m->contacts) * TRMI_CONTACT_SETS + (int)set;
  trmi_quantity_nodes(m->b, trmi_quantity_add(m->b, &(trmi_quantity_def){
      .of = TRMI_CONTACTS_NAME, .set = number, .object = object, .columns = columns,
      .ncolumns = count, .rate = -1}), out);
}

bool trmi_contact_number(trmi_mechanism *m, const trmi_contact *c, const char *name, size_t length,
                         trmi_meaning *out) {
  static const struct {
    const char *name;
    trmi_contact_set set;
    int index;
    signed char length, time, force;
  } known[] = {
    {"force", TRMI_CONTACT_NUMBERS, 0, 0, 0, 1}, {"gap", TRMI_CONTACT_NUMBERS, 1, 1, 0, 0},
    {"rate", TRMI_CONTACT_NUMBERS, 2, 1, -1, 0}, {"slip", TRMI_CONTACT_NUMBERS, 3, 1, -1, 0},
    {"friction", TRMI_CONTACT_NUMBERS, 4, 0, 0, 1}, {"sticks", TRMI_CONTACT_NUMBERS, 5, 0, 0, 0},
    {"force.x", TRMI_CONTACT_LOAD, 0, 0, 0, 1},  {"force.y", TRMI_CONTACT_LOAD, 1, 0, 0, 1},
    {"force.z", TRMI_CONTACT_LOAD, 2, 0, 0, 1},  {"point.x", TRMI_CONTACT_LOAD, 3, 1, 0, 0},
    {"point.y", TRMI_CONTACT_LOAD, 4, 1, 0, 0},  {"point.z", TRMI_CONTACT_LOAD, 5, 1, 0, 0},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (strlen(known[i].name) != length || memcmp(known[i].name, name, length) != 0) continue;
    trmi_nodes3 nodes[2];
    set_nodes(m, c, known[i].set, nodes);
    out->node = n3_part(nodes[known[i].index / 3], known[i].index % 3);
    out->dimension = (trmi_dimension){.is_known = true, .length = known[i].length,
                                      .time = known[i].time, .force = known[i].force};
    return true;
  }
  return false;
}
