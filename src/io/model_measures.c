/* model_measures.c - measures of a model, and the outputs that they need.
 *
 * max(load) reduces an output, max(x) a coordinate of the system. Any other quantity that
 * expressions know, `hinge.angle` or `abs(load)/2`, becomes an output named by the text. */
#include "integ/measure_text.h"
#include "io/model_file.h"
#include "parts/parameters.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

void trmi_model_check_measures(trm_model *m) {
  for (int i = 0; i < m->def.measures.count; i++) {
    const trmi_text *text = &m->def.measures.list[i].text;
    trmi_measure_text read;
    char fault[TRMI_MEASURE_FAULT];
    if (trmi_measure_read(text->text, &read, fault) || read.level != NULL) continue;
    trmi_complain(&m->complaints, trmi_text_place(text, 0), "%s", fault);
  }
}

static bool is_same(const char *name, const char *text, size_t length) {
  return strlen(name) == length && memcmp(name, text, length) == 0;
}

static bool is_output(const trmi_definition *def, const char *text, size_t length) {
  const trmi_parts *outputs = &def->parts[TRMI_OUTPUTS];
  for (int i = 0; i < outputs->count; i++) {
    if (is_same(outputs->list[i].key.name, text, length)) return true;
  }
  return false;
}

/* A number of the system that measures find by its name. */
static bool is_unknown(const trm_system_def *system, const char *text, size_t length) {
  trm_sizes n = {0};
  system->ops->sizes(system->self, &n);
  const struct {
    trm_quantity list;
    int          count;
  } lists[] = {{TRM_Q, n.nv + n.nrot}, {TRM_V, n.nv}, {TRM_X, n.nx}, {TRM_W, n.nw},
               {TRM_SHOWN, n.nshown}, {TRM_LAM, n.ng}};
  for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
    for (int i = 0; i < lists[k].count; i++) {
      trm_label label = {.name = ""};
      system->ops->label(system->self, lists[k].list, i, &label);
      if (is_same(label.name, text, length)) return true;
    }
  }
  return false;
}

static bool is_among(const trmi_parts *parts, const char *text, size_t length) {
  for (int i = 0; i < parts->count; i++) {
    if (is_same(parts->list[i].key.name, text, length)) return true;
  }
  return false;
}

/* A word that names nothing is kept: the simulation then suggests the nearest output. */
static bool is_expression(const trmi_definition *def, const char *text, size_t length) {
  size_t letters = 0;
  while (letters < length && (isalnum((unsigned char)text[letters]) || text[letters] == '_')) {
    letters++;
  }
  if (letters < length || is_same("time", text, length)) return true;
  for (int i = 0; i < def->parameters.count; i++) {
    if (is_same(def->parameters.list[i].key.name, text, length)) return true;
  }
  return is_among(&def->parts[TRMI_INPUTS], text, length) ||
         is_among(&def->parts[TRMI_DISCRETE], text, length);
}

/* A part of a text, with the places of its letters. */
static trmi_text text_within(const trmi_text *whole, size_t from, size_t length,
                             trmi_arena *arena) {
  trmi_anchor *anchors = TRMI_TAKE(arena, trmi_anchor, whole->nanchors + 1);
  char *copy = TRMI_TAKE(arena, char, length + 1);
  if (anchors == NULL || copy == NULL) return (trmi_text){.text = NULL};
  memcpy(copy, whole->text + from, length);
  int count = 0;
  anchors[count++] = (trmi_anchor){.offset = 0, .place = trmi_text_place(whole, from)};
  for (int i = 0; i < whole->nanchors; i++) {
    const trmi_anchor *anchor = &whole->anchors[i];
    if (anchor->offset <= from || anchor->offset >= from + length) continue;
    anchors[count++] = (trmi_anchor){.offset = anchor->offset - from, .place = anchor->place};
  }
  return (trmi_text){.text = copy, .length = length, .anchors = anchors, .nanchors = count};
}

/* A number with its SI unit in the syntax of measures, or without a unit if it is unknown. */
static void print_level(const trm_model *m, double number, trmi_dimension dimension, char *text,
                        size_t size) {
  char unit[64] = "";
  if (dimension.is_known) trmi_dimension_print(dimension, unit, sizeof unit);
  if (unit[0] == '\0' || unit[0] == '1') {
    snprintf(text, size, "%.17g", number);
  } else {
    snprintf(text, size, "%.17g %s", number / trmi_units_one(&m->def.units, dimension), unit);
  }
}

/* The argument of a measure as a number; false: it is not an expression of parameters. */
static bool resolve(trm_model *m, trmi_parameters *parameters, trmi_text *text,
                    const trmi_measure_text *read) {
  const size_t from = (size_t)(read->level - text->text), room = from + 120;
  const trmi_text level = text_within(text, from, read->level_length, &m->arena);
  char *copy = TRMI_TAKE(&m->arena, char, room);
  trmi_dimension dimension;
  double number;
  if (level.text == NULL || copy == NULL) return true; /* recorded by the arena */
  if (read->level_length == 0) return false;
  if (!trmi_parameters_value(parameters, &level, &number, &dimension)) return false;
  const bool is_time = read->reduction == TRMI_VALUE_AT;
  if (is_time && !trmi_dimension_agrees(dimension, trmi_unit_dimension("s"))) return false;
  char shown[100];
  print_level(m, number, dimension, shown, sizeof shown);
  snprintf(copy, room, "%.*s%s)", (int)from, text->text, shown);
  text->text = copy;
  text->length = strlen(copy);
  return true;
}

void trmi_model_resolve_measures(trm_model *m, trmi_parameters *parameters) {
  for (int i = 0; i < m->def.measures.count; i++) {
    trmi_text *text = &m->def.measures.list[i].text;
    const int before = m->complaints.count;
    trmi_measure_text read;
    char fault[TRMI_MEASURE_FAULT];
    if (trmi_measure_read(text->text, &read, fault) || read.level == NULL) continue;
    if (resolve(m, parameters, text, &read)) continue;
    m->complaints.count = before; /* one message is enough */
    trmi_complain(&m->complaints, trmi_text_place(text, 0), "%s", fault);
  }
}

/* The output that a measure needs. */
static void add_output(trm_model *m, const trmi_named_text *measure, const trmi_text *signal) {
  trmi_parts *outputs = &m->def.parts[TRMI_OUTPUTS];
  trmi_part *list = TRMI_TAKE(&m->arena, trmi_part, outputs->count + 1);
  trmi_text *text = TRMI_TAKE(&m->arena, trmi_text, 1);
  const trmi_kind *kind = trmi_kind_at(TRMI_OUTPUTS, 0);
  if (list == NULL || text == NULL) return;
  if (outputs->count > 0) memcpy(list, outputs->list, (size_t)outputs->count * sizeof *list);
  trmi_part *part = &list[outputs->count];
  *text = *signal;
  part->key = (trmi_key){.name = signal->text, .place = measure->key.place};
  if (!trmi_part_make(part, kind, &m->arena)) return;
  const trmi_field *field = trmi_field_child(kind->fields, "equals");
  part->given[field - kind->fields] = (trmi_given){
    .is_given = true, .place = measure->key.place, .texts = text, .count = 1};
  *(const char **)(void *)((char *)part->def + field->offset) = text->text;
  *outputs = (trmi_parts){.list = list, .count = outputs->count + 1};
}

/* Does the measure reduce something that is neither an output nor a number of the system? Then it
 * becomes an output. */
static void add_if_missing(trm_model *m, const trmi_named_text *measure,
                           const trm_system_def *system) {
  trmi_measure_text read;
  char fault[TRMI_MEASURE_FAULT];
  if (!trmi_measure_read(measure->text.text, &read, fault)) return;
  if (is_output(&m->def, read.signal, read.length) ||
      !is_expression(&m->def, read.signal, read.length) ||
      is_unknown(system, read.signal, read.length)) {
    return;
  }
  const size_t from = (size_t)(read.signal - measure->text.text);
  if (read.length >= sizeof((trm_label *)NULL)->name) {
    trmi_complain(&m->complaints, trmi_text_place(&measure->text, from), "an expression of more "
                  "than %zu letters needs a name: add it to outputs, and measure that",
                  sizeof((trm_label *)NULL)->name - 1);
    return;
  }
  const trmi_text signal = text_within(&measure->text, from, read.length, &m->arena);
  if (signal.text != NULL) add_output(m, measure, &signal);
}

int trmi_model_measured_outputs(trm_model *m, const trm_system_def *system) {
  const int before = m->def.parts[TRMI_OUTPUTS].count;
  for (int i = 0; i < m->def.measures.count; i++) {
    add_if_missing(m, &m->def.measures.list[i], system);
  }
  return m->def.parts[TRMI_OUTPUTS].count - before;
}
