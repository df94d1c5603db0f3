/* builder.c - mechanisms from C: implements trammel/mechanism.h.
 *
 * A mechanism is a growing definition (parts/definition.h), the same as created by the reader of
 * model files. Everything added is copied into its arena. */
#include "mechanism/builder.h"
#include "elements/elements.h"
#include "parts/unit_choice.h"
#include "parts/part_values.h"
#include "parts/check.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>


/* ---- creation ------------------------------------------------------------------------------- */

trm_status trm_mechanism_create(const trm_allocator *allocator, trm_mechanism **mechanism,
                                trm_error *err) {
  TRMI_NEED(err, mechanism);
  const trm_allocator none = {0};
  trmi_arena arena;
  *mechanism = NULL;
  trmi_arena_init(&arena, allocator != NULL ? allocator : &none);
  trm_mechanism *m = TRMI_TAKE(&arena, trm_mechanism, 1);
  TRMI_TRY(err, trmi_arena_check(&arena, err));
  m->arena = arena;
  m->file = "mechanism";
  m->def = (trmi_definition){.name = "mechanism", .files = &m->file, .nfiles = 1,
                             .units = trmi_units_si()};
  m->def.world.key.name = "the model";
  m->def.energies.key.name = "the model";
  (void)trmi_part_make(&m->def.world, trmi_kind_at(TRMI_WORLDS, 0), &m->arena);
  (void)trmi_part_make(&m->def.energies, trmi_kind_at(TRMI_ENERGIES, 0), &m->arena);
  const trm_status status = trmi_arena_check(&m->arena, err);
  if (status == TRM_OK) *mechanism = m;
  else trm_mechanism_free(m);
  return status;
}

void trm_mechanism_free(trm_mechanism *mechanism) {
  if (mechanism == NULL) return;
  trmi_arena arena = mechanism->arena; /* contains the mechanism itself */
  trmi_arena_clear(&arena);
}

const char *trmi_builder_copy_text(trm_mechanism *m, const char *text) {
  if (text == NULL) return NULL;
  const size_t size = strlen(text) + 1;
  char *copy = TRMI_TAKE(&m->arena, char, size);
  if (copy != NULL) memcpy(copy, text, size);
  return copy;
}

trmi_text trmi_builder_text_of(const char *text) {
  static const trmi_anchor nowhere = {.offset = 0};
  return (trmi_text){.text = text, .length = text != NULL ? strlen(text) : 0, .anchors = &nowhere,
                     .nanchors = 1};
}

/* The first complaint as an error. */
static trm_status fail_first(const trmi_complaints *complaints, trm_error *err) {
  return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "%s", complaints->list[0].sentence);
}

trm_status trm_mechanism_set_units(trm_mechanism *m, const char *units, trm_error *err) {
  TRMI_NEED(err, m, units);
  trmi_complaints complaints = {.count = 0};
  trmi_unit_choice choice = trmi_units_begin();
  const trmi_text text = trmi_builder_text_of(units);
  trmi_units_take_set(&choice, &text, &complaints);
  if (complaints.count > 0) return fail_first(&complaints, err);
  m->def.units = trmi_units_end(&choice);
  return TRM_OK;
}

trm_status trm_mechanism_set_unit_sizes(trm_mechanism *m, double length, double mass, double time,
                                        double force, trm_error *err) {
  TRMI_NEED(err, m);
  const double sizes[] = {length, mass, time, force}, least = 1e-30, most = 1e30;
  for (int i = 0; i < 4; i++) {
    if (sizes[i] >= least && sizes[i] <= most) continue;
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "%g is not the size of a unit: sizes are positive, "
                     "from %g to %g", sizes[i], least, most);
  }
  m->def.units = (trmi_units){.length = length, .mass = mass, .time = time, .force = force};
  return TRM_OK;
}

/* ---- names ---------------------------------------------------------------------------------- */

/* Letters, digits and _; names of equations may have dots between such words. */
static bool is_name(const char *name, bool has_dots) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  const size_t length = strspn(name, letters);
  if (length == 0 || (name[0] >= '0' && name[0] <= '9')) return false;
  if (name[length] == '.' && has_dots) return is_name(name + length + 1, has_dots);
  return name[length] == '\0';
}

/* Are its characters allowed in a name? */
static trm_status check_letters(const char *name, trmi_name_rule rule, trm_error *err) {
  const size_t length = name != NULL ? strlen(name) : 0;
  if (length == 0 || (rule != TRMI_NAME_TEXT && !is_name(name, rule == TRMI_NAME_WORD))) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "'%.60s' cannot be a name: names have letters, "
                     "digits and _, and do not begin with a digit", name != NULL ? name : "");
  }
  if (length > TRMI_NAME_MAX) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "names have at most %d characters, '%.20s..' has "
                     "%zu", TRMI_NAME_MAX, name, length);
  }
  return TRM_OK;
}

static trm_status fail_twice(const char *name, trm_error *err) {
  return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the name '%.60s' is used twice", name);
}

/* Is the name free for an object that expressions know? */
static trm_status check_known(const trm_mechanism *m, const char *name, trm_error *err) {
  if (trmi_word_find("time|pi|and|or|not|if|ground", name) >= 0) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "'%s' has a meaning of its own: choose another "
                     "name", name);
  }
  return trmi_index_find(&m->names, name, strlen(name)) >= 0 ? fail_twice(name, err) : TRM_OK;
}

/* Is the name free for a part of a group? */
static trm_status check_name(const trm_mechanism *m, trmi_part_group group, const char *name,
                             trm_error *err) {
  const trmi_parts *parts = &m->def.parts[group];
  TRMI_TRY(err, check_letters(name, trmi_part_group_names(group), err));
  if (trmi_part_group_is_known(group)) return check_known(m, name, err);
  for (int i = 0; i < parts->count; i++) {
    if (strcmp(parts->list[i].key.name, name) == 0) return fail_twice(name, err);
  }
  return TRM_OK;
}

/* Room for one more item of a list: memory doubles when it is full. */
static void *grow(trm_mechanism *m, void *list, int count, size_t size) {
  const bool is_full = (count & (count - 1)) == 0; /* 0, 1, 2, 4, 8 .. */
  if (!is_full) return list;
  void *larger = trmi_arena_take(&m->arena, count > 0 ? 2 * (size_t)count : 1, size);
  if (larger != NULL && count > 0) memcpy(larger, list, (size_t)count * size);
  return larger;
}

/* ---- parts ---------------------------------------------------------------------------------- */

/* A number as text: 17 digits represent it exactly. */
static void write_numbers(trm_mechanism *m, const double *numbers, int count, trmi_given *given) {
  trmi_text *texts = TRMI_TAKE(&m->arena, trmi_text, count);
  if (texts == NULL) return;
  for (int k = 0; k < count; k++) {
    char number[40];
    snprintf(number, sizeof number, "%.17g", numbers[k]);
    texts[k] = trmi_builder_text_of(trmi_builder_copy_text(m, number));
  }
  given->texts = texts;
}

/* The value of a field from the struct; texts and lists are copied. */
static void take_field(trm_mechanism *m, trmi_part *part, int i) {
  const trmi_field *field = &part->kind->fields[i];
  trmi_given *given = &part->given[i];
  void *member = (char *)part->def + field->offset;
  const bool is_expression = (field->types & (TRMI_IS_EXPRESSION | TRMI_IS_EXPRESSIONS)) != 0;
  int n = 0;
  if (field->store == TRMI_STORE_NUMBERS) {
    const double *numbers = member;
    while (n < field->room && !isnan(numbers[n])) n++;
    if (is_expression && n > 0) write_numbers(m, numbers, n, given);
  } else if (field->store == TRMI_STORE_COUNT) {
    n = *(const int *)member != 0 ? 1 : 0;
  } else if (field->store == TRMI_STORE_LIST) {
    trm_numbers *numbers = member;
    n = numbers->list != NULL && numbers->count > 0 ? numbers->count : 0;
    double *copy = TRMI_TAKE(&m->arena, double, n);
    if (copy != NULL && n > 0) memcpy(copy, numbers->list, (size_t)n * sizeof *copy);
    numbers->list = copy;
  } else if (field->store == TRMI_STORE_TEXTS) {
    const char **words = member;
    trmi_text *texts = TRMI_TAKE(&m->arena, trmi_text, field->room);
    for (; texts != NULL && n < field->room && words[n] != NULL; n++) {
      words[n] = trmi_builder_copy_text(m, words[n]);
      texts[n] = trmi_builder_text_of(words[n]);
    }
    given->texts = texts;
  }
  given->count = n;
  given->is_given = n > 0;
}

/* A part from a struct; complaints if its values are not valid. */
static trm_status make_part(trm_mechanism *m, trmi_part *part, const trmi_kind *kind,
                            const char *name, const void *def, trm_error *err) {
  trmi_complaints complaints = {.count = 0};
  part->key = (trmi_key){.name = trmi_builder_copy_text(m, name)};
  if (trmi_part_make(part, kind, &m->arena)) {
    memcpy(part->def, def, kind->size);
    for (int i = 1; i < kind->nfields; i++) take_field(m, part, i);
  }
  TRMI_TRY(err, trmi_arena_check(&m->arena, err));
  return trmi_part_check(part, &complaints) ? TRM_OK : fail_first(&complaints, err);
}

static trm_status check_table(const trmi_part *table, trm_error *err) {
  trmi_complaints complaints = {.count = 0};
  if (trmi_part_find(table, "file") != NULL) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "table '%.60s': files are read with a model: give "
                     "its points", table->key.name);
  }
  return trmi_table_check(table, NULL, &complaints) ? TRM_OK : fail_first(&complaints, err);
}

trm_status trmi_builder_add_part(trm_mechanism *m, trmi_part_group group, const char *type,
                                 const char *name, const void *def, trm_part *out,
                                 trm_error *err) {
  TRMI_NEED(err, m, def);
  trmi_parts *parts = &m->def.parts[group];
  const trmi_kind *kind = type != NULL ? trmi_kind_find(group, type) : trmi_kind_at(group, 0);
  trmi_part part = {.next = NULL};
  const bool is_ground = group == TRMI_BODIES && name != NULL && strcmp(name, "ground") == 0;
  if (!is_ground) TRMI_TRY(err, check_name(m, group, name, err));
  TRMI_TRY(err, make_part(m, &part, kind, name, def, err));
  if (group == TRMI_TABLES) TRMI_TRY(err, check_table(&part, err));
  for (int i = 1; i < kind->nfields && is_ground; i++) {
    if (!part.given[i].is_given || strcmp(kind->fields[i].path, "color") == 0) continue;
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the ground does not move and has only markers and "
                     "shapes, no '%s'", kind->fields[i].path);
  }
  parts->list = grow(m, parts->list, parts->count, sizeof part);
  TRMI_TRY(err, trmi_arena_check(&m->arena, err));
  parts->list[parts->count] = part;
  if (trmi_part_group_is_known(group)) {
    trmi_index_add(&m->names, &m->arena, part.key.name, strlen(part.key.name), parts->count);
  }
  if (out != NULL) *out = (trm_part){.group = (int)group, .index = parts->count, .inner = -1};
  parts->count++;
  return trmi_arena_check(&m->arena, err);
}

static trmi_part *nth(trmi_part *first, int number) {
  while (first != NULL && number-- > 0) first = first->next;
  return first;
}

trmi_part *trmi_builder_part(trm_mechanism *m, trm_part id) {
  if (id.group == TRMI_WORLDS) return &m->def.world;
  if (id.group == TRMI_ENERGIES) return &m->def.energies;
  if (id.group < TRMI_BODIES || id.group >= TRMI_PART_GROUPS) return NULL;
  trmi_parts *parts = &m->def.parts[id.group];
  if (id.index < 0 || id.index >= parts->count) return NULL;
  trmi_part *part = &parts->list[id.index];
  if (id.inner < 0) return part;
  part = nth(part->inner, id.inner % TRMI_INNER_MOST);
  const int below = id.inner / TRMI_INNER_MOST; /* of the parts inside of that, from 1 */
  return below == 0 || part == NULL ? part : nth(part->inner, below - 1);
}

trm_status trmi_builder_need_part(const trmi_part *part, trm_error *err) {
  if (part != NULL) return TRM_OK;
  return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the mechanism has no such part: take it from "
                   "trm_add_.. or trm_find_part");
}

/* The group of the owner of parts of a group. */
static trmi_part_group owner_of(trmi_part_group group, const char **word) {
  const bool is_flexible = group == TRMI_INTERFACES || group == TRMI_MATERIALS ||
                           group == TRMI_BODY_LOADS;
  *word = group == TRMI_ASSIGNMENTS ? "an event"
          : is_flexible             ? "a flexible body"
          : group == TRMI_SHAPES    ? "a body or an interface"
                                    : "a body";
  return group == TRMI_ASSIGNMENTS ? TRMI_EVENTS : is_flexible ? TRMI_FLEXIBLE : TRMI_BODIES;
}

trm_status trmi_builder_add_inner(trm_mechanism *m, trm_part owner, trmi_part_group group,
                                  const char *type, const char *name, const void *def,
                                  trm_part *out, trm_error *err) {
  TRMI_NEED(err, m, name, def);
  trmi_part *part = trmi_builder_part(m, owner), *inner = TRMI_TAKE(&m->arena, trmi_part, 1);
  trmi_part **last;
  const char *word;
  const trmi_part_group needed = owner_of(group, &word);
  const trmi_kind *kind = type != NULL ? trmi_kind_find(group, type) : trmi_kind_at(group, 0);
  int count = 0;
  TRMI_TRY(err, trmi_arena_check(&m->arena, err));
  const bool is_on_interface = group == TRMI_SHAPES && part != NULL && part->kind != NULL &&
                               part->kind->group == TRMI_INTERFACES;
  const bool is_inside = owner.group == (int)needed && owner.inner < 0;
  if (part == NULL || (!is_inside && !is_on_interface)) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "'%.60s' must belong to %s", name, word);
  }
  for (last = &part->inner; *last != NULL; last = &(*last)->next, count++) {
    const bool is_other = (*last)->kind->group != group || strcmp((*last)->key.name, name) != 0;
    if (!is_other) return fail_twice(name, err);
  }
  if (count >= (is_on_interface ? TRMI_BELOW_MOST : TRMI_INNER_MOST)) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "'%.60s' is one part too many in its owner", name);
  }
  TRMI_TRY(err, make_part(m, inner, kind, name, def, err));
  *last = inner;
  if (is_on_interface) count = owner.inner + TRMI_INNER_MOST * (count + 1);
  if (out != NULL) *out = (trm_part){.group = owner.group, .index = owner.index, .inner = count};
  return TRM_OK;
}

trm_status trm_set_world(trm_mechanism *m, const trm_world_def *def, trm_part *part,
                         trm_error *err) {
  TRMI_NEED(err, m, def);
  if (part != NULL) *part = (trm_part){.group = TRMI_WORLDS, .inner = -1};
  return make_part(m, &m->def.world, trmi_kind_at(TRMI_WORLDS, 0), "the model", def, err);
}

trm_status trm_set_energies(trm_mechanism *m, const trm_energies_def *def, trm_part *part,
                            trm_error *err) {
  TRMI_NEED(err, m, def);
  if (part != NULL) *part = (trm_part){.group = TRMI_ENERGIES, .inner = -1};
  return make_part(m, &m->def.energies, trmi_kind_at(TRMI_ENERGIES, 0), "the model", def, err);
}

/* ---- texts ---------------------------------------------------------------------------------- */

/* The name after its section, as in "forces.strut"; all of it without a section. */
static const char *without_section(const char *name, trmi_part_group group) {
  const char *section = trmi_part_group_section(group);
  const size_t length = strlen(section);
  return strncmp(name, section, length) == 0 && name[length] == '.' ? name + length + 1 : name;
}

/* Number of the part inside another one with the rest of a name, "end" or "tip.pad"; -1: none. */
static int find_inside(const trmi_part *part, const char *name) {
  int number = 0;
  for (const trmi_part *p = part->inner; p != NULL; p = p->next, number++) {
    const size_t length = strlen(p->key.name);
    if (strncmp(p->key.name, name, length) != 0) continue;
    if (name[length] == '\0') return number;
    const int below = name[length] == '.' ? find_inside(p, name + length + 1) : -1;
    if (below >= 0) return number + TRMI_INNER_MOST * (below + 1);
  }
  return -1;
}

/* The part of a group with this name, or a part inside it. */
static bool find_in(const trmi_parts *parts, const char *name, trm_part *part) {
  for (int i = 0; i < parts->count; i++) {
    const char *known = parts->list[i].key.name;
    const size_t length = strlen(known);
    *part = (trm_part){.group = part->group, .index = i, .inner = -1};
    if (strncmp(known, name, length) != 0) continue;
    if (name[length] == '\0') return true;
    if (name[length] == '.') part->inner = find_inside(&parts->list[i], name + length + 1);
    if (part->inner >= 0) return true;
  }
  return false;
}

bool trm_find_part(const trm_mechanism *m, const char *name, trm_part *part) {
  if (m == NULL || name == NULL || part == NULL) return false;
  for (int g = TRMI_BODIES; g < TRMI_PART_GROUPS; g++) {
    const char *own = without_section(name, (trmi_part_group)g);
    *part = (trm_part){.group = g};
    if (find_in(&m->def.parts[g], own, part)) return true;
  }
  return false;
}

int trmi_builder_field(const trmi_part *part, const char *key, int *number) {
  const char *dot = strrchr(key, '.');
  const bool has_number = dot != NULL && dot[1] >= '1' && dot[1] <= '9';
  const size_t length = has_number ? (size_t)(dot - key) : strlen(key);
  *number = has_number ? (int)strtol(dot + 1, NULL, 10) - 1 : 0;
  for (int i = 1; i < part->kind->nfields; i++) {
    const char *path = part->kind->fields[i].path;
    if (strlen(path) == length && strncmp(path, key, length) == 0) return i;
  }
  return -1;
}

/* Replace the expression of a field that stores it as a text. */
static trm_status set_expression(trm_mechanism *m, trmi_part *part, int i, const char *text,
                                 trm_error *err) {
  const trmi_field *field = &part->kind->fields[i];
  if ((field->types & TRMI_IS_EXPRESSION) == 0) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "'%.60s' of '%.60s' is not a number", field->path,
                     part->key.name);
  }
  const char *copy = trmi_builder_copy_text(m, text);
  trmi_text *texts = TRMI_TAKE(&m->arena, trmi_text, 1);
  TRMI_TRY(err, trmi_arena_check(&m->arena, err));
  *texts = trmi_builder_text_of(copy);
  *(const char **)(void *)((char *)part->def + field->offset) = copy;
  part->given[i] = (trmi_given){.is_given = true, .texts = texts, .count = 1};
  return TRM_OK;
}

trm_status trm_set_text(trm_mechanism *m, trm_part id, const char *key, const char *text,
                        trm_error *err) {
  TRMI_NEED(err, m, key, text);
  trmi_part *part = trmi_builder_part(m, id);
  int number = 0;
  TRMI_TRY(err, trmi_builder_need_part(part, err));
  const int i = trmi_builder_field(part, key, &number);
  const trmi_field *field = i >= 0 ? &part->kind->fields[i] : NULL;
  const int room = field == NULL                       ? 0
                   : field->store == TRMI_STORE_LIST   ? part->given[i].count
                                                       : field->room;
  if (field == NULL || field->store == TRMI_STORE_NONE || number >= room) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "'%.60s' has no value '%.60s'",
                     part->key.name, key);
  }
  if (field->store == TRMI_STORE_TEXTS) return set_expression(m, part, i, text, err);
  trmi_given *given = &part->given[i];
  const double zeros[144] = {0.0}, *numbers = zeros;
  const void *member = (char *)part->def + field->offset;
  const int count = given->is_given ? given->count : field->room;
  if (given->is_given && field->store == TRMI_STORE_NUMBERS) numbers = member;
  if (field->store == TRMI_STORE_LIST) numbers = ((const trm_numbers *)member)->list;
  if (given->texts == NULL) write_numbers(m, numbers, count, given);
  TRMI_TRY(err, trmi_arena_check(&m->arena, err));
  trmi_text *texts = (trmi_text *)given->texts; /* in this arena */
  texts[number < count ? number : 0] = trmi_builder_text_of(trmi_builder_copy_text(m, text));
  given->count = count;
  given->is_given = true;
  return trmi_arena_check(&m->arena, err);
}

/* ---- parameters ------------------------------------------------------------------------------ */

trm_status trm_add_parameter(trm_mechanism *m, const char *name, const char *text,
                             trm_error *err) {
  TRMI_NEED(err, m, name, text);
  trmi_named_texts *texts = &m->def.parameters;
  const int count = texts->count;
  TRMI_TRY(err, check_letters(name, TRMI_NAME_WORD, err));
  TRMI_TRY(err, check_known(m, name, err));
  if (m->def.is_fixed != NULL) {
    bool *longer = TRMI_TAKE(&m->arena, bool, count + 1);
    TRMI_TRY(err, trmi_arena_check(&m->arena, err));
    memcpy(longer, m->def.is_fixed, (size_t)count * sizeof(bool));
    m->def.is_fixed = longer;
  }
  texts->list = grow(m, texts->list, count, sizeof *texts->list);
  const char *key = trmi_builder_copy_text(m, name), *copy = trmi_builder_copy_text(m, text);
  TRMI_TRY(err, trmi_arena_check(&m->arena, err));
  texts->list[count] = (trmi_named_text){.key = {.name = key}, .text = trmi_builder_text_of(copy)};
  texts->count++;
  trmi_index_add(&m->names, &m->arena, key, strlen(key), 0);
  return trmi_arena_check(&m->arena, err);
}

/* ---- building ------------------------------------------------------------------------------- */

/* With the parameters evaluated. */
static trm_status build(trm_mechanism *m, trmi_parameters *parameters,
                        const trm_allocator *allocator, trm_system_def *def, trm_error *err) {
  trmi_complaints *complaints = parameters->complaints;
  trmi_part_values_read(&m->def, parameters);
  TRMI_TRY(err, trmi_graph_check(&parameters->graph, err));
  if (complaints->count > 0) return fail_first(complaints, err);
  *def = trm_system_def_default();
  if (allocator != NULL) def->allocator = *allocator;
  const trm_status status = trmi_mechanism_build(&m->def, parameters, complaints, def, err);
  return status == TRM_ERR_INPUT && complaints->count > 0 ? fail_first(complaints, err) : status;
}

trm_status trm_mechanism_build(trm_mechanism *m, const trm_allocator *allocator,
                               trm_system **system, trm_error *err) {
  TRMI_NEED(err, system);
  trmi_complaints complaints = {.count = 0};
  trmi_parameters parameters;
  trm_system_def def;
  *system = NULL;
  TRMI_NEED(err, m);
  TRMI_TRY(err, trmi_parameters_init(&parameters, &m->def, allocator, &complaints, err));
  const trm_status status = build(m, &parameters, allocator, &def, err);
  trmi_parameters_free(&parameters);
  TRMI_TRY(err, status);
  return trm_system_create(&def, system, err);
}
