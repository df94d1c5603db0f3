/* read_contacts.c - contacts of a definition: their shapes, laws and names in expressions.
 *
 * Names after that of a contact: force (normal), gap, rate (of the gap), slip (speed of sliding),
 * friction (force perpendicular to the normal), sticks (1 or 0), force.x (on the second body) and
 * point.x (where it acts), both in ground axes. */
#include "elements/contact/read_contacts.h"
#include "elements/contact/profile_feet.h"
#include "equations/equations_quantities.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool trmi_contact_complain(trmi_mechanism *m, const trmi_part *part, const char *key,
                           const char *sentence) {
  trmi_complain(m->complaints, trmi_part_place(part, key), "contact '%.60s': %s", part->key.name,
                sentence);
  return false;
}

/* All shapes of one body against all of the other. */
static bool read_points(trmi_mechanism *m, const trmi_part *part, const trmi_contact_end ends[2],
                        trmi_contact *c) {
  const int count = ends[0].count * ends[1].count;
  c->points = TRMI_TAKE(m->arena, trmi_touch_point, TRMI_PAIR_POINTS * count);
  if (c->points == NULL) return false;
  for (int i = 0; i < count; i++) {
    trmi_contact_shape s[2];
    const trmi_contact_shape *const pair[2] = {&s[0], &s[1]};
    if (!trmi_contact_read_shape(m, part, &ends[0], i / ends[1].count, &s[0])) return false;
    if (!trmi_contact_read_shape(m, part, &ends[1], i % ends[1].count, &s[1])) return false;
    const int found = trmi_contact_shape_points(pair, c->carrier, c->points + c->npoints);
    if (found == 0) return trmi_contact_complain_pair(m, part, &s[0], &s[1]);
    c->npoints += found;
  }
  c->used = c->npoints;
  return true;
}

/* ---- laws ----------------------------------------------------------------------------------- */

/* The exponent of the length in a unit after a number, 1.5 in "3e7 N/m^1.5"; dimensions cannot
 * represent fractional exponents. It determines how the number changes with the unit of length.
 * NaN: there is no unit, or it is not one of force over length. */
static double length_exponent(const trmi_text *text) {
  const trmi_units units[3] = {{1, 1, 1, 1}, {2, 1, 1, 1}, {1, 2, 2, 2}};
  char *unit;
  trmi_dimension dimension;
  double factor[3];
  (void)strtod(text->text, &unit);
  while (*unit == ' ') unit++;
  const size_t length = strlen(unit);
  if (unit == text->text || length == 0) return NAN;
  for (int i = 0; i < 3; i++) {
    if (trmi_unit_read(unit, length, &units[i], &dimension, &factor[i]) != length) return NAN;
  }
  return fabs(factor[0] / factor[2] - 2.0) < 1e-9 ? log2(factor[1] / factor[0]) : NAN;
}

/* A stiffness with a unit must have the unit of its exponent. */
static bool check_stiffness(trmi_mechanism *m, const trmi_part *part, double exponent) {
  const trmi_given *given = trmi_part_find(part, "stiffness");
  const trmi_dimension force = {.is_known = true, .force = 1};
  const trmi_dimension metre = {.is_known = true, .length = 1};
  const bool has_text = given != NULL && given->texts != NULL;
  const double of_unit = has_text ? length_exponent(given->texts) : NAN;
  const bool is_known = given != NULL && given->dimension.is_known;
  if (!is_known && !(fabs(of_unit - exponent) > 1e-9)) return true;
  const trmi_dimension right = trmi_dimension_product(force, trmi_dimension_power(metre, exponent),
                                                      -1);
  char sentence[160];
  if (is_known && right.is_known && trmi_dimension_agrees(right, given->dimension)) return true;
  snprintf(sentence, sizeof sentence, "with an exponent of %g its stiffness is in N/m^%g", exponent,
           exponent);
  return trmi_contact_complain(m, part, "stiffness", sentence);
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

/* For a model without gravity that of the earth. */
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
    return trmi_contact_complain(m, part, "friction", "its friction needs 'static' or 'dynamic'");
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
  c->x = m->def->parts[TRMI_STATES].count + m->extension.add.node_states +
         m->extension.add.states;
  m->extension.add.states += trmi_contact_places(c) * c->npoints * trmi_contact_states(c);
  return true;
}

void trmi_contact_labels(trmi_mechanism *m) {
  static const char *const names[3][TRMI_CONTACT_STATES] = {
    {"z1", "z2", "spin", "roll1", "roll2"}, {"z1", "z2", "roll1", "roll2", ""}};
  for (int i = 0; i < m->ncontacts; i++) {
    const trmi_contact *c = &m->contacts[i];
    const int nz = trmi_contact_states(c);
    const char *const *own = names[c->torsion > 0.0 ? 0 : 1];
    const int points = trmi_contact_places(c) * c->npoints;
    for (int k = 0; k < nz * points; k++) {
      trm_label *label = &m->b->eq->labels[TRM_X][c->x + k];
      char number[12] = "";
      if (points > 1) snprintf(number, sizeof number, "%d.", k / nz + 1);
      snprintf(label->name, sizeof label->name, "%.28s.%s%s", c->name, number, own[k % nz]);
      snprintf(label->object, sizeof label->object, "friction of contact '%.36s'", c->name);
      label->kind = TRM_KIND_BRISTLE;
      label->scale = 500.0; /* .005 of the depth at the usual tolerance of 1e-5 */
    }
  }
}

/* ---- contacts ------------------------------------------------------------------------------- */

/* Keys of groups do not apply to a pair. */
static bool check_pair_keys(trmi_mechanism *m, const trmi_part *part, bool has_places) {
  static const char *const keys[] = {"except", "joined", "places"};
  for (int i = 0; i < (has_places ? 2 : 3); i++) {
    char sentence[120];
    if (!trmi_part_has(part, keys[i])) continue;
    snprintf(sentence, sizeof sentence, "'%s' is for groups, and none of both is one", keys[i]);
    return trmi_contact_complain(m, part, keys[i], sentence);
  }
  return true;
}

static const char *type_of(const trmi_contact_end *end, int i) {
  return end->shapes[i] != NULL ? end->shapes[i]->kind->type : "beam";
}

/* Two shapes of which one is a profile: is the other one a pin that is not along it? */
static bool is_pin_astray(trmi_mechanism *m, const trmi_part *part, const trmi_contact_end ends[2],
                          const int at[2]) {
  trmi_contact_shape s[2];
  for (int k = 0; k < 2; k++) {
    if (!trmi_contact_read_shape(m, part, &ends[k], at[k], &s[k])) return false;
  }
  return trmi_profile_meets(&s[0], &s[1]) || trmi_profile_meets(&s[1], &s[0]);
}

static bool is_among(const char *type, const char *const *types, int count) {
  for (int i = 0; i < count; i++) {
    if (strcmp(type, types[i]) == 0) return true;
  }
  return false;
}

/* Do features of both ends touch one by one, so that these need places? */
static bool meets_by_corners(trmi_mechanism *m, const trmi_part *part,
                             const trmi_contact_end ends[2]) {
  static const char *const surfaces[] = {"mesh", "hull"};
  static const char *const blunt[] = {"plane", "box", "ellipsoid", "terrain"};
  static const char *const pins[] = {"capsule", "cylinder"};
  for (int i = 0; i < ends[0].count * ends[1].count; i++) {
    const int at[2] = {i / ends[1].count, i % ends[1].count};
    const char *types[2] = {type_of(&ends[0], at[0]), type_of(&ends[1], at[1])};
    for (int k = 0; k < 2; k++) {
      if (is_among(types[k], surfaces, 2)) return true;
      if (strcmp(types[k], "profile") != 0) continue;
      if (is_among(types[1 - k], blunt, 4)) return true;
      if (is_among(types[1 - k], pins, 2) && is_pin_astray(m, part, ends, at)) return true;
    }
  }
  return false;
}

static void read_contact(trmi_mechanism *m, const trmi_part *part) {
  const trmi_text *texts = trmi_part_texts(part, "between");
  trmi_contact *c = &m->contacts[m->ncontacts];
  trmi_contact_end ends[2];
  *c = (trmi_contact){.name = part->key.name,
                      .tolerance = trmi_part_number_or(part, "impact_tolerance", 0.0)};
  if (texts == NULL) return; /* after a complaint */
  for (int k = 0; k < 2; k++) {
    if (!trmi_contact_read_end(m, part, &texts[k], &ends[k])) return;
    c->carrier[k] = ends[k].bodies[0];
  }
  const bool is_group = ends[0].is_group || ends[1].is_group;
  const bool is_crowd = is_group || meets_by_corners(m, part, ends);
  snprintf(c->object, sizeof c->object, "impact of %.24s on %.24s", texts[0].text, texts[1].text);
  if (!is_group && c->carrier[0] == c->carrier[1]) {
    (void)trmi_contact_complain(m, part, "between", "both shapes belong to the same body");
    return;
  }
  if (!is_group && !check_pair_keys(m, part, is_crowd)) return;
  if (is_crowd && !trmi_contact_read_crowd(m, part, ends, c)) return;
  if (!is_crowd && !read_points(m, part, ends, c)) return;
  if (!read_law(m, part, &c->law)) return;
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
                           1.0 / m->def->units.length); /* the arena records failures */
}

trmi_contact *trmi_find_contact(const trmi_mechanism *m, const char *name, size_t length) {
  for (int i = 0; i < m->ncontacts; i++) {
    const char *known = m->contacts[i].name;
    if (strlen(known) == length && memcmp(known, name, length) == 0) return &m->contacts[i];
  }
  return NULL;
}

/* ---- names ---------------------------------------------------------------------------------- */

/* Columns of all bodies of a contact in one list of unknowns. */
static int body_columns(const trmi_mechanism *m, const trmi_contact *c, trmi_input list,
                        trmi_dependence *out) {
  int count = 0;
  for (int k = 0; k < 2 && c->crowd == NULL; k++) {
    count += trmi_body_columns(&m->bodies[c->carrier[k]], list, out != NULL ? out + count : NULL);
  }
  for (int b = 0; b < m->nbodies && c->crowd != NULL; b++) {
    if (c->crowd->columns[b] < 0) continue;
    count += trmi_body_columns(&m->bodies[b], list, out != NULL ? out + count : NULL);
  }
  return count;
}

/* Six numbers of a contact as nodes; their columns are positions of its bodies, then velocities,
 * then states. */
static void set_nodes(trmi_mechanism *m, const trmi_contact *c, trmi_contact_set set,
                      trmi_nodes3 out[2]) {
  const int states = trmi_contact_places(c) * c->npoints * trmi_contact_states(c);
  const int half = body_columns(m, c, TRMI_IN_Q, NULL);
  trmi_dependence *columns = TRMI_TAKE(&m->b->scratch, trmi_dependence, 2 * half + states);
  char object[TRM_OBJECT_MAX];
  memset(out, 0, 2 * sizeof *out);
  if (columns == NULL) return;
  int count = body_columns(m, c, TRMI_IN_Q, columns);
  count += body_columns(m, c, TRMI_IN_V, columns + count);
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
    {"touching", TRMI_CONTACT_COUNTS, 0, 0, 0, 0},
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
