/* model_numbers.c - reads numbers of a model file: tables from files, and options. */
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
  return trmi_part_value_read(parameters, row, &node->text, number, &dimension);
}

/* ---- tables ------------------------------------------------------------------------ */

/* Points of a column of a file; false after a complaint. */
static bool read_column(trm_model *m, const trmi_yaml *node, int file, trmi_part *table,
                        trmi_place **places) {
  const trmi_field *field = trmi_field_child(table->kind->fields, node->key);
  trm_numbers *numbers = (void *)((char *)table->def + field->offset);
  double *values = NULL;
  int *lines = NULL;
  if (node->kind != TRMI_YAML_SCALAR) {
    trmi_complain(&m->complaints, node->place, "with a file, the name or number of a column is "
                                               "expected here");
    return false;
  }
  const int n = trmi_csv_column(m, file, node, &values, &lines);
  if (n < 0) return false;
  *places = TRMI_TAKE(&m->arena, trmi_place, n);
  if (*places == NULL) return false;
  for (int i = 0; i < n; i++) {
    (*places)[i] = (trmi_place){.file = file, .line = lines[i], .column = 1};
  }
  *numbers = (trm_numbers){.list = values, .count = n};
  table->given[field - table->kind->fields] =
      (trmi_given){.is_given = true, .place = node->key_place, .count = n, .rows = 1};
  return true;
}

/* Replace a table whose points are in a file by one of numbers; `file` is kept if it has a
 * fault. */
static void read_table(trm_model *m, const trmi_yaml *node, trmi_part *table) {
  const trmi_yaml *name = trmi_yaml_find(node, "file");
  const trmi_yaml *x = trmi_yaml_find(node, "x"), *y = trmi_yaml_find(node, "y");
  trmi_place *x_places = NULL, *y_places = NULL;
  if (x == NULL || y == NULL || name == NULL || name->kind != TRMI_YAML_SCALAR ||
      trmi_yaml_is_missing(name)) {
    return;
  }
  const int from = name->place.file == m->sources.set_file ? 0 : name->place.file;
  const int file = trmi_sources_find(&m->sources, name->text.text, from, name->place);
  if (file < 0) return;
  const bool has_x = read_column(m, x, file, table, &x_places);
  const bool has_y = read_column(m, y, file, table, &y_places);
  if (!has_x || !has_y || !trmi_table_check(table, x_places, &m->complaints)) return;
  const trmi_field *field = trmi_field_child(table->kind->fields, "file");
  table->given[field - table->kind->fields].is_given = false;
  *(const char **)(void *)((char *)table->def + field->offset) = NULL;
}

void trmi_model_tables(trm_model *m) {
  const trmi_yaml *tables = trmi_yaml_find(m->root, "tables");
  trmi_part *table = m->def.parts[TRMI_TABLES].list;
  if (tables == NULL || tables->kind != TRMI_YAML_MAPPING || table == NULL) return;
  for (const trmi_yaml *node = tables->first; node != NULL; node = node->next, table++) {
    if (table->kind != NULL && table->def != NULL) read_table(m, node, table);
  }
}

/* ---- options ------------------------------------------------------------------------- */

/* step_max -> step-max */
static const char *option_name(trm_model *m, const char *key) {
  char *name = TRMI_TAKE(&m->arena, char, strlen(key) + 1);
  if (name == NULL) return "";
  for (size_t i = 0; key[i] != '\0'; i++) name[i] = (char)(key[i] == '_' ? '-' : key[i]);
  return name;
}

/* A word where a number is expected: the message shows an example. The complaint of the number
 * reader about the same position is removed. */
static void complain_word(trm_model *m, trmi_parameters *parameters, const trmi_field *row,
                          const trmi_yaml *node) {
  const char *text = node->kind == TRMI_YAML_SCALAR ? node->text.text : "";
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  const size_t length = strlen(text);
  double value;
  trmi_dimension dimension;
  if (length == 0 || strspn(text, letters) < length ||
      trmi_parameters_find(parameters, text, length, &value, &dimension)) {
    return;
  }
  const char *usual = row->fallback != NULL ? row->fallback : "";
  const bool is_example = usual[0] != '\0' && usual[strspn(usual, "0123456789.e-")] == '\0';
  trmi_complain(&m->complaints, node->place, "%s must be a number, such as %s%s%s, and '%.40s' is "
                "no parameter", row->path, is_example ? usual : "2",
                !is_example && row->unit != NULL ? " " : "",
                !is_example && row->unit != NULL ? row->unit : "", text);
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
    complain_word(m, parameters, row, item);
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
