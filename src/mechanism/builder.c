/* builder.c - mechanisms from C: the public face of trammel/mechanism.h.
 *
 * A mechanism is a definition that grows (model/definition.h), the same that the reader of model
 * files makes. Everything that is added is copied into its arena. */
#include "mechanism/builder.h"
#include "mechanism/mechanism.h"
#include "model/unit_choice.h"
#include "model/values.h"
#include "parts/check.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_LETTERS = 47 };

/* ---- making --------------------------------------------------------------------------------- */

trm_status trm_mechanism_create(const trm_allocator *allocator, trm_mechanism **mechanism,
                                trm_error *err) {
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
  (void)trmi_part_make(&m->def.world, trmi_kind_at(TRMI_WORLDS, 0), &m->arena);
  const trm_status status = trmi_arena_check(&m->arena, err);
  if (status == TRM_OK) *mechanism = m;
  else trm_mechanism_free(m);
  return status;
}

void trm_mechanism_free(trm_mechanism *mechanism) {
  if (mechanism == NULL) return;
  trmi_arena arena = mechanism->arena; /* the mechanism itself is in it */
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
  if (!(length > 0.0 && mass > 0.0 && time > 0.0 && force > 0.0)) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "sizes of units are positive");
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

trm_status trmi_builder_check_name(const trm_mechanism *m, const char *name, bool has_dots,
                                   trm_error *err) {
  const size_t length = name != NULL ? strlen(name) : 0;
  if (name == NULL || !is_name(name, has_dots)) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "'%.60s' cannot be a name: names have letters, "
                     "digits and _, and do not begin with a digit", name != NULL ? name : "");
  }
  if (length > NAME_LETTERS) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the name '%.20s..' has %zu letters, the longest "
                     "have %d", name, length, NAME_LETTERS);
  }
  if (trmi_word_find("time|pi|and|or|not|if|ground", name) >= 0) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "'%s' has a meaning of its own: choose another "
                     "name", name);
  }
  if (trmi_index_find(&m->names, name, length) >= 0) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the name '%s' is used twice", name);
  }
  return TRM_OK;
}

trm_status trmi_builder_add_name(trm_mechanism *m, const char *name, trm_error *err) {
  TRMI_TRY(err, trmi_builder_check_name(m, name, true, err));
  const char *copy = trmi_builder_copy_text(m, name);
  if (copy != NULL) trmi_index_add(&m->names, &m->arena, copy, strlen(copy), 0);
  return trmi_arena_check(&m->arena, err);
}

void *trmi_builder_grow(trm_mechanism *m, void *list, int count, size_t size) {
  const bool is_full = (count & (count - 1)) == 0; /* 0, 1, 2, 4, 8 .. */
  if (!is_full) return list;
  void *larger = trmi_arena_take(&m->arena, count > 0 ? 2 * (size_t)count : 1, size);
  if (larger != NULL && count > 0) memcpy(larger, list, (size_t)count * size);
  return larger;
}

/* ---- parts ---------------------------------------------------------------------------------- */

static trmi_parts *list_of(trm_mechanism *m, trmi_group group) {
  switch (group) {
  case TRMI_BODIES: return &m->def.bodies;
  case TRMI_JOINTS: return &m->def.joints;
  case TRMI_MOTIONS: return &m->def.motions;
  case TRMI_FORCES: return &m->def.actions;
  case TRMI_BEAMS: return &m->def.beams;
  default: return NULL;
  }
}

/* Numbers of a text that has none: 17 digits say all of them. */
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

/* What the struct gives for a field; texts and lists are copied. */
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
    double *copy = TRMI_TAKE(&m->arena, double, numbers->count);
    n = numbers->count;
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

/* A part of a struct; complaints where its values do not fit. */
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

static trm_status add_part(trm_mechanism *m, trmi_group group, const char *type, const char *name,
                           const void *def, trm_part *out, trm_error *err) {
  trmi_parts *parts = list_of(m, group);
  const trmi_kind *kind = type != NULL ? trmi_kind_find(group, type) : trmi_kind_at(group, 0);
  trmi_part part = {.next = NULL};
  const bool is_ground = group == TRMI_BODIES && strcmp(name, "ground") == 0;
  if (!is_ground) TRMI_TRY(err, trmi_builder_check_name(m, name, false, err));
  TRMI_TRY(err, make_part(m, &part, kind, name, def, err));
  for (int i = 1; i < kind->nfields && is_ground; i++) {
    if (!part.given[i].is_given) continue;
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the ground does not move and has only markers, no "
                     "'%s'", kind->fields[i].path);
  }
  parts->list = trmi_builder_grow(m, parts->list, parts->count, sizeof part);
  TRMI_TRY(err, trmi_arena_check(&m->arena, err));
  parts->list[parts->count] = part;
  trmi_index_add(&m->names, &m->arena, part.key.name, strlen(part.key.name), parts->count);
  if (out != NULL) *out = (trm_part){.group = (int)group, .index = parts->count, .inner = -1};
  parts->count++;
  return trmi_arena_check(&m->arena, err);
}

trmi_part *trmi_builder_part(trm_mechanism *m, trm_part id) {
  trmi_parts *parts = list_of(m, (trmi_group)id.group);
  if (id.group == TRMI_WORLDS) return &m->def.world;
  if (parts == NULL || id.index < 0 || id.index >= parts->count) return NULL;
  trmi_part *part = &parts->list[id.index];
  if (id.inner < 0) return part;
  part = part->inner;
  for (int k = 0; part != NULL && k < id.inner; k++) part = part->next;
  return part;
}

static trm_status add_inner(trm_mechanism *m, trm_part body, trmi_group group, const char *type,
                            const char *name, const void *def, trm_part *out, trm_error *err) {
  trmi_part *part = trmi_builder_part(m, body), *inner = TRMI_TAKE(&m->arena, trmi_part, 1), **last;
  const trmi_kind *kind = type != NULL ? trmi_kind_find(group, type) : trmi_kind_at(group, 0);
  int count = 0;
  TRMI_TRY(err, trmi_arena_check(&m->arena, err));
  if (part == NULL || body.group != TRMI_BODIES || body.inner >= 0) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "'%.60s' must belong to a body", name);
  }
  for (last = &part->inner; *last != NULL; last = &(*last)->next, count++) {
    if (strcmp((*last)->key.name, name) != 0 || (*last)->kind->group != group) continue;
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the name '%.60s' is used twice", name);
  }
  TRMI_TRY(err, make_part(m, inner, kind, name, def, err));
  *last = inner;
  if (out != NULL) *out = (trm_part){.group = body.group, .index = body.index, .inner = count};
  return TRM_OK;
}

trm_status trm_set_world(trm_mechanism *m, const trm_world_def *def, trm_part *part,
                         trm_error *err) {
  if (part != NULL) *part = (trm_part){.group = TRMI_WORLDS, .inner = -1};
  return make_part(m, &m->def.world, trmi_kind_at(TRMI_WORLDS, 0), "the model", def, err);
}

static void clear_struct(trmi_group group, const char *type, void *def) {
  trmi_kind_clear(type != NULL ? trmi_kind_find(group, type) : trmi_kind_at(group, 0), def);
}

#define DEFAULT(kind, type)                                  \
  trm_##kind##_def trm_##kind##_default(void) {              \
    trm_##kind##_def def;                                    \
    clear_struct(GROUP, type, &def);                         \
    return def;                                              \
  }
#define ADD_PART(kind, LIST, type, meaning)                                                  \
  DEFAULT(kind, type)                                                                        \
  trm_status trm_add_##kind(trm_mechanism *m, const char *name, const trm_##kind##_def *def, \
                            trm_part *part, trm_error *err) {                                \
    return add_part(m, GROUP, type, name, def, part, err);                                   \
  }
#define ADD_INNER(kind, LIST, type, meaning)                                              \
  DEFAULT(kind, type)                                                                     \
  trm_status trm_add_##kind(trm_mechanism *m, trm_part body, const char *name,            \
                            const trm_##kind##_def *def, trm_part *part, trm_error *err) { \
    return add_inner(m, body, GROUP, type, name, def, part, err);                         \
  }

#define GROUP TRMI_BODIES
TRM_KINDS_OF_BODIES(ADD_PART)
#undef GROUP
#define GROUP TRMI_MARKERS
TRM_KINDS_OF_MARKERS(ADD_INNER)
#undef GROUP
#define GROUP TRMI_SHAPES
TRM_KINDS_OF_SHAPES(ADD_INNER)
#undef GROUP
#define GROUP TRMI_JOINTS
TRM_KINDS_OF_JOINTS(ADD_PART)
#undef GROUP
#define GROUP TRMI_MOTIONS
TRM_KINDS_OF_MOTIONS(ADD_PART)
#undef GROUP
#define GROUP TRMI_FORCES
TRM_KINDS_OF_FORCES(ADD_PART)
#undef GROUP
#define GROUP TRMI_BEAMS
TRM_KINDS_OF_BEAMS(ADD_PART)
#undef GROUP
#define GROUP TRMI_WORLDS
DEFAULT(world, NULL)

/* ---- texts ---------------------------------------------------------------------------------- */

bool trm_find_part(const trm_mechanism *m, const char *name, trm_part *part) {
  static const trmi_group groups[] = {TRMI_BODIES, TRMI_JOINTS, TRMI_MOTIONS, TRMI_FORCES,
                                      TRMI_BEAMS};
  const size_t length = strcspn(name, ".");
  for (size_t k = 0; k < sizeof groups / sizeof *groups; k++) {
    const trmi_parts *parts = list_of((trm_mechanism *)m, groups[k]);
    for (int i = 0; i < parts->count; i++) {
      const char *known = parts->list[i].key.name;
      if (strlen(known) != length || strncmp(known, name, length) != 0) continue;
      *part = (trm_part){.group = (int)groups[k], .index = i, .inner = -1};
      if (name[length] == '\0') return true;
      int inner = 0;
      for (const trmi_part *p = parts->list[i].inner; p != NULL; p = p->next, inner++) {
        part->inner = inner;
        if (strcmp(p->key.name, name + length + 1) == 0) return true;
      }
    }
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

trm_status trm_set_text(trm_mechanism *m, trm_part id, const char *key, const char *text,
                        trm_error *err) {
  trmi_part *part = trmi_builder_part(m, id);
  int number = 0;
  const int i = part != NULL ? trmi_builder_field(part, key, &number) : -1;
  const trmi_field *field = i >= 0 ? &part->kind->fields[i] : NULL;
  const int room = field == NULL                       ? 0
                   : field->store == TRMI_STORE_LIST   ? part->given[i].count
                                                       : field->room;
  if (field == NULL || field->store == TRMI_STORE_NONE || number >= room) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "'%.60s' has no value '%.60s'",
                     part != NULL ? part->key.name : "", key);
  }
  if (field->store == TRMI_STORE_TEXTS) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "'%.60s' of '%.60s' is no number", key,
                     part->key.name);
  }
  trmi_given *given = &part->given[i];
  const double zeros[144] = {0.0}, *numbers = zeros;
  const void *member = (char *)part->def + field->offset;
  const int count = given->is_given ? given->count : field->room;
  if (given->is_given && field->store == TRMI_STORE_NUMBERS) numbers = member;
  if (field->store == TRMI_STORE_LIST) numbers = ((const trm_numbers *)member)->list;
  if (given->texts == NULL) write_numbers(m, numbers, count, given);
  TRMI_TRY(err, trmi_arena_check(&m->arena, err));
  trmi_text *texts = (trmi_text *)given->texts; /* of this arena */
  texts[number < count ? number : 0] = trmi_builder_text_of(trmi_builder_copy_text(m, text));
  given->count = count;
  given->is_given = true;
  return trmi_arena_check(&m->arena, err);
}

/* ---- parameters, outputs, tables ------------------------------------------------------------ */

trm_status trmi_builder_add_text(trm_mechanism *m, trmi_named_texts *texts, const char *name,
                           const char *text, trm_error *err) {
  texts->list = trmi_builder_grow(m, texts->list, texts->count, sizeof *texts->list);
  const char *key = trmi_builder_copy_text(m, name), *copy = trmi_builder_copy_text(m, text);
  TRMI_TRY(err, trmi_arena_check(&m->arena, err));
  texts->list[texts->count++] =
      (trmi_named_text){.key = {.name = key}, .text = trmi_builder_text_of(copy)};
  return TRM_OK;
}

trm_status trm_add_parameter(trm_mechanism *m, const char *name, const char *text,
                             trm_error *err) {
  TRMI_TRY(err, trmi_builder_add_name(m, name, err));
  if (m->def.is_fixed != NULL) {
    const int count = m->def.parameters.count;
    bool *longer = TRMI_TAKE(&m->arena, bool, count + 1);
    TRMI_TRY(err, trmi_arena_check(&m->arena, err));
    memcpy(longer, m->def.is_fixed, (size_t)count * sizeof(bool));
    m->def.is_fixed = longer;
  }
  return trmi_builder_add_text(m, &m->def.parameters, name, text, err);
}

trm_status trm_add_output(trm_mechanism *m, const char *name, const char *text, trm_error *err) {
  for (int i = 0; i < m->def.outputs.count; i++) {
    if (strcmp(m->def.outputs.list[i].key.name, name) != 0) continue;
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the output '%.60s' is there twice", name);
  }
  return trmi_builder_add_text(m, &m->def.outputs, name, text, err);
}

trm_status trm_add_table(trm_mechanism *m, const char *name, trm_interpolation interpolation,
                         int n, const double *x, const double *y, trm_error *err) {
  static const trmi_curve_kind kinds[] = {[TRM_LINEAR] = TRMI_CURVE_LINEAR,
                                          [TRM_AKIMA] = TRMI_CURVE_AKIMA,
                                          [TRM_CUBIC] = TRMI_CURVE_CUBIC};
  TRMI_TRY(err, trmi_builder_check_name(m, name, true, err));
  if (n < 2) return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "table '%s' needs two points", name);
  for (int i = 1; i < n; i++) {
    if (x[i] > x[i - 1]) continue;
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "table '%s': x does not ascend: %.9g follows %.9g",
                     name, x[i], x[i - 1]);
  }
  trmi_table_def *tables = trmi_builder_grow(m, m->def.tables, m->def.ntables, sizeof *tables);
  double *copy_x = TRMI_TAKE(&m->arena, double, n), *copy_y = TRMI_TAKE(&m->arena, double, n);
  const char *key = trmi_builder_copy_text(m, name);
  TRMI_TRY(err, trmi_arena_check(&m->arena, err));
  memcpy(copy_x, x, (size_t)n * sizeof *x);
  memcpy(copy_y, y, (size_t)n * sizeof *y);
  m->def.tables = tables;
  tables[m->def.ntables++] = (trmi_table_def){.key = {.name = key}, .kind = kinds[interpolation],
                                              .n = n, .x = copy_x, .y = copy_y};
  return TRM_OK;
}

/* ---- building ------------------------------------------------------------------------------- */

/* With the parameters evaluated. */
static trm_status build(trm_mechanism *m, trmi_parameters *parameters,
                        const trm_allocator *allocator, trm_system_def *def, trm_error *err) {
  trmi_complaints *complaints = parameters->complaints;
  trmi_values_read(&m->def, parameters);
  TRMI_TRY(err, trmi_graph_check(&parameters->graph, err));
  if (complaints->count > 0) return fail_first(complaints, err);
  *def = trm_system_def_default();
  if (allocator != NULL) def->allocator = *allocator;
  const trm_status status = trmi_mechanism_build(&m->def, parameters, complaints, def, err);
  return status == TRM_ERR_INPUT && complaints->count > 0 ? fail_first(complaints, err) : status;
}

trm_status trm_mechanism_build(trm_mechanism *m, const trm_allocator *allocator,
                               trm_system **system, trm_error *err) {
  trmi_complaints complaints = {.count = 0};
  trmi_parameters parameters;
  trm_system_def def;
  *system = NULL;
  TRMI_TRY(err, trmi_parameters_init(&parameters, &m->def, allocator, &complaints, err));
  const trm_status status = build(m, &parameters, allocator, &def, err);
  trmi_parameters_free(&parameters);
  TRMI_TRY(err, status);
  return trm_system_create(&def, system, err);
}
