/* model_define.c - from the checked tree to the definition of model/definition.h. */
#include "integ/measure_text.h"
#include "io/model_file.h"
#include "model/unit_choice.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- parts of the tree ---------------------------------------------------------- */

/* The text of an entry; not given if it is missing. */
static trmi_text text_at(const trmi_yaml *mapping, const char *key) {
  const trmi_yaml *entry = trmi_yaml_find(mapping, key);
  const bool is_given = entry != NULL && entry->kind == TRMI_YAML_SCALAR &&
                        !trmi_yaml_is_missing(entry);
  return is_given ? entry->text : (trmi_text){.text = NULL};
}

static trmi_text text_of(const trmi_yaml *node) {
  const bool is_given = node->kind == TRMI_YAML_SCALAR && !trmi_yaml_is_missing(node);
  return is_given ? node->text : (trmi_text){.text = NULL};
}

static trmi_key key_of(const trmi_yaml *entry) {
  return (trmi_key){.name = entry->key, .place = entry->key_place};
}

/* A mapping, or NULL. */
static const trmi_yaml *mapping_at(const trmi_yaml *mapping, const char *key) {
  const trmi_yaml *entry = trmi_yaml_find(mapping, key);
  return entry != NULL && entry->kind == TRMI_YAML_MAPPING ? entry : NULL;
}

/* Position of the word of an entry in its choices; 0 if it is not given. */
static int choice_at(const trmi_yaml *mapping, const char *key, const char *choices) {
  const trmi_text text = text_at(mapping, key);
  const int choice = text.text != NULL ? trmi_word_find(choices, text.text) : 0;
  return choice > 0 ? choice : 0;
}

/* Entries of a mapping as a list: TYPE *list and int count, filled by the caller. */
static int count_of(const trmi_yaml *mapping) {
  return mapping != NULL ? mapping->count : 0;
}

/* A number instead of a missing value, so that the name stays known. */
static trmi_text placeholder(trm_model *m, const trmi_yaml *entry) {
  trmi_anchor *anchor = TRMI_TAKE(&m->arena, trmi_anchor, 1);
  if (anchor == NULL) return (trmi_text){.text = NULL};
  *anchor = (trmi_anchor){.offset = 0, .place = entry->key_place};
  return (trmi_text){.text = "1", .length = 1, .anchors = anchor, .nanchors = 1};
}

static trmi_named_texts named_texts(trm_model *m, const trmi_yaml *mapping) {
  const int count = count_of(mapping);
  trmi_named_text *list = TRMI_TAKE(&m->arena, trmi_named_text, count);
  if (list == NULL) return (trmi_named_texts){.count = 0};
  int n = 0;
  for (const trmi_yaml *e = count > 0 ? mapping->first : NULL; e != NULL; e = e->next) {
    trmi_text text = text_of(e);
    if (text.text == NULL) text = placeholder(m, e);
    if (text.text != NULL) list[n++] = (trmi_named_text){.key = key_of(e), .text = text};
  }
  return (trmi_named_texts){.list = list, .count = n};
}

/* A reduction that cannot be read is a fault of the text. */
static void check_measures(trm_model *m) {
  for (int i = 0; i < m->def.measures.count; i++) {
    const trmi_text *text = &m->def.measures.list[i].text;
    trmi_measure_text read;
    char fault[TRMI_MEASURE_FAULT];
    if (trmi_measure_read(text->text, &read, fault)) continue;
    trmi_complain(&m->complaints, trmi_text_place(text, 0), "%s", fault);
  }
}

/* ---- units ------------------------------------------------------------------------ */

static void define_units(trm_model *m) {
  const trmi_yaml *node = trmi_yaml_find(m->root, "units");
  const char *name;
  trmi_unit_choice choice = trmi_units_begin();
  const trmi_text set = node != NULL ? text_of(node) : (trmi_text){.text = NULL};
  if (set.text != NULL) trmi_units_take_set(&choice, &set, &m->complaints);
  for (int i = 0; node != NULL && (name = trmi_units_part(i)) != NULL; i++) {
    const trmi_text text = text_at(node, name);
    if (text.text != NULL) trmi_units_take(&choice, i, &text, &m->complaints);
  }
  m->def.units = trmi_units_end(&choice);
}

/* ---- equations --------------------------------------------------------------------- */

static void define_coordinates(trm_model *m, const trmi_yaml *mapping) {
  static const trm_kind kinds[] = {TRM_KIND_NONE, TRM_KIND_METRE, TRM_KIND_RADIAN, TRM_KIND_MODAL};
  const int count = count_of(mapping);
  trmi_coordinate_def *list = TRMI_TAKE(&m->arena, trmi_coordinate_def, count);
  if (list == NULL || count == 0) return;
  int n = 0;
  for (const trmi_yaml *e = mapping->first; e != NULL; e = e->next, n++) {
    const trmi_text guess = text_at(e, "guess");
    list[n] = (trmi_coordinate_def){
      .key = key_of(e), .value = text_at(e, "value"), .velocity = text_at(e, "velocity"),
      .scale = text_at(e, "scale"), .kind = kinds[choice_at(e, "kind", "none|length|angle|modal")],
    };
    if (e->kind == TRMI_YAML_SCALAR) list[n].value = text_of(e);
    if (guess.text == NULL) continue;
    if (list[n].value.text != NULL) {
      trmi_complain(&m->complaints, trmi_yaml_find(e, "guess")->key_place,
                    "coordinates.%.60s has a value and a guess: give one of them", e->key);
    }
    list[n].value = guess;
    list[n].is_guess = true;
  }
  m->def.coordinates = list;
  m->def.ncoordinates = n;
}

/* A part of "x, y" without blanks around it. */
static trmi_key part_key(trm_model *m, const trmi_yaml *entry, size_t from, size_t to) {
  const char *key = entry->key;
  while (from < to && key[from] == ' ') from++;
  while (to > from && key[to - 1] == ' ') to--;
  char *name = TRMI_TAKE(&m->arena, char, to - from + 1);
  if (name != NULL) memcpy(name, key + from, to - from);
  trmi_place place = entry->key_place;
  const trmi_anchor anchor = {.offset = 0, .place = place};
  const trmi_text text = {.text = key, .length = strlen(key), .anchors = &anchor, .nanchors = 1};
  return (trmi_key){.name = name != NULL ? name : "", .place = trmi_text_place(&text, from)};
}

static void define_mass(trm_model *m, const trmi_yaml *mapping) {
  const int count = count_of(mapping);
  trmi_mass_def *list = TRMI_TAKE(&m->arena, trmi_mass_def, count);
  if (list == NULL || count == 0) return;
  int n = 0;
  for (const trmi_yaml *e = mapping->first; e != NULL; e = e->next) {
    const trmi_text text = text_of(e);
    if (text.text == NULL) continue;
    const size_t length = strlen(e->key), comma = strcspn(e->key, ",");
    trmi_mass_def *mass = &list[n++];
    mass->text = text;
    mass->row = mass->col = part_key(m, e, 0, comma);
    if (comma < length) mass->col = part_key(m, e, comma + 1, length);
    if (strchr(mass->col.name, ',') != NULL) {
      trmi_complain(&m->complaints, e->key_place, "mass: '%.60s' names more than two coordinates",
                    e->key);
    }
  }
  m->def.mass = list;
  m->def.nmass = n;
}

static void define_states(trm_model *m, const trmi_yaml *mapping) {
  const int count = count_of(mapping);
  trmi_state_def *list = TRMI_TAKE(&m->arena, trmi_state_def, count);
  if (list == NULL || count == 0) return;
  int n = 0;
  for (const trmi_yaml *e = mapping->first; e != NULL; e = e->next, n++) {
    list[n] = (trmi_state_def){.key = key_of(e), .value = text_at(e, "value"),
                               .rate = text_at(e, "rate"), .residual = text_at(e, "residual"),
                               .scale = text_at(e, "scale")};
    if ((list[n].rate.text == NULL) != (list[n].residual.text == NULL)) continue;
    trmi_complain(&m->complaints, e->key_place, "states.%.60s needs %s", e->key,
                  list[n].rate.text == NULL ? "a rate or a residual"
                                            : "a rate or a residual, not both");
    list[n].rate = placeholder(m, e);
  }
  m->def.states = list;
  m->def.nstates = n;
}

static void define_variables(trm_model *m, const trmi_yaml *mapping) {
  const int count = count_of(mapping);
  trmi_variable_def *list = TRMI_TAKE(&m->arena, trmi_variable_def, count);
  if (list == NULL || count == 0) return;
  int n = 0;
  for (const trmi_yaml *e = mapping->first; e != NULL; e = e->next, n++) {
    list[n] = (trmi_variable_def){.key = key_of(e), .guess = text_at(e, "guess"),
                                  .equals = text_at(e, "equals")};
    if (e->kind == TRMI_YAML_SCALAR) list[n].equals = text_of(e);
  }
  m->def.variables = list;
  m->def.nvariables = n;
}

static void define_inputs(trm_model *m, const trmi_yaml *mapping) {
  const int count = count_of(mapping);
  trmi_input_def *list = TRMI_TAKE(&m->arena, trmi_input_def, count);
  if (list == NULL || count == 0) return;
  int n = 0;
  for (const trmi_yaml *e = mapping->first; e != NULL; e = e->next, n++) {
    list[n] = (trmi_input_def){.key = key_of(e), .value = text_at(e, "value"),
                               .rate = text_at(e, "rate")};
    if (e->kind == TRMI_YAML_SCALAR) list[n].value = text_of(e);
  }
  m->def.inputs = list;
  m->def.ninputs = n;
}

static void define_events(trm_model *m, const trmi_yaml *mapping) {
  static const int directions[] = {0, 1, -1};
  static const trm_event_kind kinds[] = {TRM_EVENT_SILENT, TRM_EVENT_RESTART, TRM_EVENT_STOP};
  const int count = count_of(mapping);
  trmi_event_def *list = TRMI_TAKE(&m->arena, trmi_event_def, count);
  if (list == NULL || count == 0) return;
  int n = 0;
  for (const trmi_yaml *e = mapping->first; e != NULL; e = e->next) {
    trmi_event_def *event = &list[n];
    *event = (trmi_event_def){
      .key = key_of(e), .when = text_at(e, "when"), .every = text_at(e, "every"),
      .first = text_at(e, "first"), .set = named_texts(m, mapping_at(e, "set")),
      .direction = directions[choice_at(e, "direction", "both|rising|falling")],
      .kind = kinds[choice_at(e, "do", "silent|restart|stop")],
    };
    if (trmi_yaml_find(e, "do") == NULL && event->set.count > 0) event->kind = TRM_EVENT_RESTART;
    if ((event->when.text == NULL) == (event->every.text == NULL)) {
      trmi_complain(&m->complaints, e->key_place, "events.%.60s needs %s", e->key,
                    event->when.text == NULL ? "'when' or 'every'" : "'when' or 'every', not both");
      continue;
    }
    n++;
    if (event->set.count > 0 && event->kind == TRM_EVENT_SILENT) {
      trmi_complain(&m->complaints, trmi_yaml_find(e, "do")->place,
                    "events.%.60s sets values, so it cannot be silent", e->key);
    }
    if (event->first.text != NULL && event->every.text == NULL) {
      trmi_complain(&m->complaints, trmi_yaml_find(e, "first")->key_place,
                    "events.%.60s: 'first' belongs to 'every'", e->key);
    }
  }
  m->def.events = list;
  m->def.nevents = n;
}

/* ---- names ----------------------------------------------------------------------------- */

static void check_words(trm_model *m, const trmi_yaml *names) {
  if (count_of(names) == 0) return;
  for (const trmi_yaml *e = names->first; e != NULL; e = e->next) {
    if (trmi_word_find("time|pi|and|or|not|if", e->key) < 0) continue;
    trmi_complain(&m->complaints, e->key_place,
                  "'%s' has a meaning of its own in expressions: choose another name", e->key);
  }
}

/* Words of the language are no names. That a name stands for one thing only is looked after by
 * model/equations_names.c. */
static void check_names(trm_model *m, const trmi_yaml *equations) {
  static const char *const lists[] = {"coordinates", "constraints", "nonholonomic", "states",
                                      "variables", "discrete"};
  check_words(m, mapping_at(m->root, "parameters"));
  check_words(m, mapping_at(m->root, "inputs"));
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    check_words(m, mapping_at(equations, lists[i]));
  }
}

/* ---- all of it ---------------------------------------------------------------------------- */

/* The name of a file without folder and ending. */
static const char *stem(trm_model *m, const char *path) {
  const char *slash = strrchr(path, '/');
  const char *base = slash != NULL ? slash + 1 : path;
  const size_t length = strcspn(base, ".");
  char *name = TRMI_TAKE(&m->arena, char, length + 1);
  if (name != NULL) memcpy(name, base, length);
  return name != NULL && length > 0 ? name : "model";
}

/* The first comment of the file, without its signs. */
static const char *first_comment(trm_model *m) {
  const char *text = m->sources.list[0].text;
  const char *line = text[0] == '#' ? text : strstr(text, "\n#");
  if (line == NULL) return "";
  line += strspn(line, "\n# ");
  const size_t length = strcspn(line, "\r\n");
  char *comment = TRMI_TAKE(&m->arena, char, length + 1);
  if (comment != NULL) memcpy(comment, line, length);
  return comment != NULL ? comment : "";
}

void trmi_model_define_numbers(trm_model *m) {
  define_units(m);
  m->def.parameters = named_texts(m, mapping_at(m->root, "parameters"));
}

void trmi_model_define(trm_model *m) {
  const trmi_yaml *equations = mapping_at(m->root, "equations");
  const trmi_text name = text_at(m->root, "name"), summary = text_at(m->root, "summary");
  m->name = name.text != NULL ? name.text : stem(m, m->sources.list[0].shown);
  m->summary = summary.text != NULL ? summary.text : first_comment(m);
  m->def.name = m->name;
  define_coordinates(m, mapping_at(equations, "coordinates"));
  m->def.kinetic = text_at(equations, "kinetic");
  m->def.potential = text_at(equations, "potential");
  define_mass(m, mapping_at(equations, "mass"));
  m->def.forces = named_texts(m, mapping_at(equations, "forces"));
  m->def.constraints = named_texts(m, mapping_at(equations, "constraints"));
  m->def.nonholonomic = named_texts(m, mapping_at(equations, "nonholonomic"));
  define_states(m, mapping_at(equations, "states"));
  define_variables(m, mapping_at(equations, "variables"));
  m->def.discrete = named_texts(m, mapping_at(equations, "discrete"));
  define_events(m, mapping_at(equations, "events"));
  define_inputs(m, mapping_at(m->root, "inputs"));
  m->def.outputs = named_texts(m, mapping_at(m->root, "outputs"));
  m->def.measures = named_texts(m, mapping_at(m->root, "measures"));
  check_measures(m);
  check_names(m, equations);
  trmi_model_parts(m);
}
