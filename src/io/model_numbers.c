/* model_numbers.c - what a model file says in numbers: tables and options. */
#include "io/model_file.h"
#include "io/run_options.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers -------------------------------------------------------------------- */

bool trmi_model_number(trmi_parameters *parameters, const trmi_field *row, const trmi_yaml *node,
                       double *number) {
  trmi_dimension dimension;
  if (node->kind != TRMI_YAML_SCALAR || trmi_yaml_is_missing(node)) return false;
  return trmi_value_read(parameters, row, &node->text, number, &dimension);
}

/* ---- tables ------------------------------------------------------------------------ */

/* One list of points with the places of its numbers. */
typedef struct column {
  double     *values;
  trmi_place *places;
  int         n; /* -1: faulty */
} column;

static column list_column(trm_model *m, trmi_parameters *parameters, const trmi_yaml *list,
                          const char *key) {
  const trmi_field *tables = trmi_field_child(trmi_schema_at(0), "tables");
  const trmi_field *row = trmi_field_child(trmi_field_child(tables, "*"), key);
  column c = {.values = TRMI_TAKE(&m->arena, double, list->count),
              .places = TRMI_TAKE(&m->arena, trmi_place, list->count)};
  if (m->arena.failed) return (column){.n = -1};
  bool is_good = true;
  for (const trmi_yaml *item = list->first; item != NULL; item = item->next, c.n++) {
    c.places[c.n] = item->place;
    is_good = trmi_model_number(parameters, row, item, &c.values[c.n]) && is_good;
    if (item->kind == TRMI_YAML_SCALAR) trmi_parameters_fix(parameters, &item->text);
  }
  if (!is_good) c.n = -1;
  return c;
}

static column file_column(trm_model *m, int file, const trmi_yaml *node) {
  column c = {.n = -1};
  int *lines = NULL;
  if (node == NULL || node->kind != TRMI_YAML_SCALAR) {
    if (node != NULL) {
      trmi_complain(&m->complaints, node->place, "with a file, the name or number of a column is "
                                                 "expected here");
    }
    return c;
  }
  c.n = trmi_csv_column(m, file, node, &c.values, &lines);
  if (c.n < 0) return c;
  c.places = TRMI_TAKE(&m->arena, trmi_place, c.n);
  if (c.places == NULL) return (column){.n = -1};
  for (int i = 0; i < c.n; i++) {
    c.places[i] = (trmi_place){.file = file, .line = lines[i], .column = 1};
  }
  return c;
}

static column read_column(trm_model *m, trmi_parameters *parameters, const trmi_yaml *table,
                          const char *key, int file) {
  const trmi_yaml *node = trmi_yaml_find(table, key);
  if (file >= 0) return file_column(m, file, node);
  if (node == NULL) return (column){.n = -1};
  if (node->kind == TRMI_YAML_SEQUENCE) return list_column(m, parameters, node, key);
  if (!trmi_yaml_is_missing(node)) {
    trmi_complain(&m->complaints, node->place, "a list of numbers is expected here, or a file");
  }
  return (column){.n = -1};
}

static bool check_points(trm_model *m, const trmi_yaml *table, const column *x, const column *y) {
  if (x->n < 0 || y->n < 0) return false;
  if (x->n != y->n) {
    trmi_complain(&m->complaints, table->key_place, "tables.%.60s has %d x and %d y", table->key,
                  x->n, y->n);
    return false;
  }
  if (x->n < 2) {
    trmi_complain(&m->complaints, table->key_place, "tables.%.60s needs at least two points",
                  table->key);
    return false;
  }
  for (int i = 1; i < x->n; i++) {
    if (x->values[i] > x->values[i - 1]) continue;
    trmi_complain(&m->complaints, x->places[i],
                  "tables.%.60s: x does not ascend: %.9g follows %.9g", table->key, x->values[i],
                  x->values[i - 1]);
    return false;
  }
  return true;
}

static void read_table(trm_model *m, trmi_parameters *parameters, const trmi_yaml *table,
                       trmi_table_def *def) {
  static const trmi_curve_kind kinds[] = {TRMI_CURVE_LINEAR, TRMI_CURVE_AKIMA, TRMI_CURVE_CUBIC};
  const trmi_yaml *name = trmi_yaml_find(table, "file");
  const trmi_yaml *word = trmi_yaml_find(table, "interpolation");
  int file = -1;
  *def = (trmi_table_def){.key = {.name = table->key, .place = table->key_place},
                          .kind = TRMI_CURVE_AKIMA};
  if (word != NULL && word->kind == TRMI_YAML_SCALAR) {
    const int choice = trmi_word_find("linear|akima|cubic", word->text.text);
    if (choice >= 0) def->kind = kinds[choice];
  }
  if (name != NULL && name->kind == TRMI_YAML_SCALAR && !trmi_yaml_is_missing(name)) {
    file = trmi_sources_find(&m->sources, name->text.text, name->place.file == m->sources.set_file
                                                               ? 0 : name->place.file,
                             name->place);
    if (file < 0) return;
  }
  const column x = read_column(m, parameters, table, "x", file);
  const column y = read_column(m, parameters, table, "y", file);
  if (!check_points(m, table, &x, &y)) return;
  def->n = x.n;
  def->x = x.values;
  def->y = y.values;
}

void trmi_model_tables(trm_model *m, trmi_parameters *parameters) {
  const trmi_yaml *tables = trmi_yaml_find(m->root, "tables");
  if (tables == NULL || tables->kind != TRMI_YAML_MAPPING) return;
  trmi_table_def *list = TRMI_TAKE(&m->arena, trmi_table_def, tables->count);
  if (list == NULL) return;
  for (const trmi_yaml *table = tables->first; table != NULL; table = table->next) {
    read_table(m, parameters, table, &list[m->def.ntables++]);
  }
  m->def.tables = list;
}

/* ---- options ------------------------------------------------------------------------- */

/* step_max -> step-max */
static const char *option_name(trm_model *m, const char *key) {
  char *name = TRMI_TAKE(&m->arena, char, strlen(key) + 1);
  if (name == NULL) return "";
  for (size_t i = 0; key[i] != '\0'; i++) name[i] = (char)(key[i] == '_' ? '-' : key[i]);
  return name;
}

/* A number or a list of numbers as text, with commas between. */
static const char *numbers_text(trm_model *m, trmi_parameters *parameters,
                                const trmi_field *row, const trmi_yaml *node) {
  char text[TRM_STEPS_MAX * 32] = "";
  size_t used = 0;
  const bool is_list = node->kind == TRMI_YAML_SEQUENCE;
  if (is_list && node->count > TRM_STEPS_MAX) {
    trmi_complain(&m->complaints, node->place, "%s: more than %d steps", row->path, TRM_STEPS_MAX);
    return NULL;
  }
  for (const trmi_yaml *item = is_list ? node->first : node; item != NULL; item = item->next) {
    double number;
    if (!trmi_model_number(parameters, row, item, &number)) return NULL;
    if (used > 0) text[used++] = ',';
    trmi_number_text(number, text + used, sizeof text - used);
    used += strlen(text + used);
    if (!is_list) break;
  }
  char *copy = TRMI_TAKE(&m->arena, char, used + 1);
  if (copy != NULL) memcpy(copy, text, used);
  return copy;
}

static void complain_both(trm_model *m, const trmi_yaml *simulate, const char *a, const char *b) {
  const trmi_yaml *first = trmi_yaml_find(simulate, a), *second = trmi_yaml_find(simulate, b);
  if (first == NULL || second == NULL) return;
  const trmi_place p = first->key_place, q = second->key_place;
  const bool is_later = p.line > q.line || (p.line == q.line && p.column > q.column);
  trmi_complain(&m->complaints, is_later ? p : q, "simulate: %s and %s cannot be given together",
                a, b);
}

static void check_together(trm_model *m, const trmi_yaml *simulate) {
  static const char *const four[] = {"alpha_m", "alpha_f", "beta", "gamma"};
  int count = 0;
  for (int i = 0; i < 4; i++) count += trmi_yaml_find(simulate, four[i]) != NULL;
  complain_both(m, simulate, "step", "tolerance");
  complain_both(m, simulate, "outputs", "output_step");
  complain_both(m, simulate, "alpha", "rho");
  if (count == 0) return;
  complain_both(m, simulate, "alpha", "alpha_m");
  complain_both(m, simulate, "rho", "alpha_m");
  if (count == 4) return;
  trmi_complain(&m->complaints, simulate->key_place,
                "simulate: of alpha_m, alpha_f, beta, gamma %d are given: give all four or none",
                count);
}

void trmi_model_simulate(trm_model *m, trmi_parameters *parameters) {
  const trmi_field *rows = trmi_field_child(trmi_schema_at(0), "simulate");
  const trmi_yaml *simulate = trmi_yaml_find(m->root, "simulate");
  if (simulate == NULL || simulate->kind != TRMI_YAML_MAPPING) return;
  check_together(m, simulate);
  for (const trmi_yaml *entry = simulate->first; entry != NULL; entry = entry->next) {
    const trmi_field *row = trmi_field_child(rows, entry->key);
    if (row == NULL || entry->kind == TRMI_YAML_MAPPING) continue;
    if (m->noptions == TRMI_MODEL_OPTIONS_MAX) return;
    const bool is_word = (row->types & TRMI_IS_WORD) != 0;
    const char *value = is_word ? entry->text.text : numbers_text(m, parameters, row, entry);
    if (value == NULL) continue;
    m->options[m->noptions++] = (trm_setting){.name = option_name(m, entry->key), .value = value};
  }
}
