/* model_define.c - converts the checked tree to the definition of parts/definition.h. */
#include "io/model_file.h"
#include "parts/unit_choice.h"
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

/* A number instead of a missing value, so that the name remains known. */
static trmi_text placeholder(trm_model *m, const trmi_yaml *entry) {
  trmi_anchor *anchor = TRMI_TAKE(&m->arena, trmi_anchor, 1);
  if (anchor == NULL) return (trmi_text){.text = NULL};
  *anchor = (trmi_anchor){.offset = 0, .place = entry->key_place};
  return (trmi_text){.text = "1", .length = 1, .anchors = anchor, .nanchors = 1};
}

static trmi_named_texts named_texts(trm_model *m, const trmi_yaml *mapping) {
  const int count = mapping != NULL ? mapping->count : 0;
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

/* ---- the definition ----------------------------------------------------------------------- */

/* The name of a file without folder and ending. */
static const char *stem(trm_model *m, const char *path) {
  const char *slash = strrchr(path, '/');
  const char *base = slash != NULL ? slash + 1 : path;
  const size_t length = strcspn(base, ".");
  char *name = TRMI_TAKE(&m->arena, char, length + 1);
  if (name != NULL) memcpy(name, base, length);
  return name != NULL && length > 0 ? name : "model";
}

/* The first comment of the file, without comment signs. */
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
  const trmi_text name = text_at(m->root, "name"), summary = text_at(m->root, "summary");
  m->name = name.text != NULL ? name.text : stem(m, m->sources.list[0].shown);
  m->summary = summary.text != NULL ? summary.text : first_comment(m);
  m->def.name = m->name;
  m->def.measures = named_texts(m, mapping_at(m->root, "measures"));
  trmi_model_check_measures(m);
  trmi_model_parts(m);
}
