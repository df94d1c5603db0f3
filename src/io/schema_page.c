/* schema_page.c - the table of keys as a page for users. */
#include "expr/parse.h"
#include "io/schema.h"
#include "elements/joint/joint_types.h"
#include "elements/elements.h"
#include <stdio.h>
#include <string.h>

static void page_types(trmi_buffer *out, const trmi_field *row) {
  static const char *const names[] = {"mapping",    "names",  "expression",      "number",
                                      "whole number", "word", "text", "list of ", "list of ",
                                      "list of ", "lists of ", "names"};
  const unsigned lists =
      TRMI_IS_NUMBERS | TRMI_IS_TEXTS | TRMI_IS_EXPRESSIONS | TRMI_IS_MATRIX;
  bool is_first = true;
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
    const unsigned type = 1U << i;
    char content[80] = "";
    if ((row->types & type) == 0) continue;
    if ((type & lists) != 0) trmi_field_content(row, type, content, sizeof content);
    trmi_buffer_print(out, "%s%s%s", is_first ? "" : ", ", names[i], content);
    is_first = false;
  }
  if (row->unit != NULL && strcmp(row->unit, "1") != 0 && (row->types & TRMI_IS_TEXT) == 0) {
    trmi_buffer_print(out, " [%s]", row->unit);
  }
}

/* A text in a table: escapes bars, which would end a cell. */
static void page_text(trmi_buffer *out, const char *text) {
  for (; *text != '\0'; text++) {
    if (*text == '|') trmi_buffer_text(out, "\\");
    if (*text == '*') trmi_buffer_text(out, "\\");
    trmi_buffer_add(out, text, 1);
  }
}

/* A row of the table; its path follows `prefix` and a dot, its meaning follows `of`. */
static void page_row(trmi_buffer *out, const trmi_field *row, const char *prefix, const char *of) {
  char words[TRMI_CHOICES_BYTES], text[TRMI_MEANING_BYTES];
  const bool has_dot = prefix[0] != '\0' && row->path[0] != '\0';
  trmi_buffer_print(out, "| `%s%s%s` | ", prefix, has_dot ? "." : "", row->path);
  page_types(out, row);
  trmi_buffer_text(out, " | ");
  trmi_schema_fallback(row, text, sizeof text);
  page_text(out, row->is_required ? "required" : text);
  trmi_buffer_print(out, " | %s | ", trmi_field_change_word(row));
  page_text(out, of);
  trmi_schema_meaning(row, text, sizeof text);
  page_text(out, text);
  trmi_field_choices(row, words, sizeof words);
  if (words[0] != '\0') {
    trmi_buffer_text(out, " One of ");
    page_text(out, words);
    trmi_buffer_text(out, ".");
  }
  const char *const choices[] = {row->one_of, row->not_both};
  for (int i = 0; i < 2; i++) {
    if (choices[i] == NULL) continue;
    trmi_buffer_text(out, i == 0 ? " Exactly one of " : " At most one of ");
    page_text(out, choices[i]);
    trmi_buffer_text(out, ".");
  }
  if (row->low != 0.0 || row->high != 0.0) {
    char range[80];
    trmi_field_range(row, range, sizeof range);
    trmi_buffer_print(out, " Must be %s.", range);
  }
  trmi_buffer_text(out, " |\n");
}

static bool is_same_text(const char *a, const char *b) {
  return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool is_same_row(const trmi_field *a, const trmi_field *b) {
  return strcmp(a->path, b->path) == 0 && a->types == b->types && is_same_text(a->unit, b->unit) &&
         is_same_text(a->sizes, b->sizes) && is_same_text(a->fallback, b->fallback) &&
         strcmp(a->meaning, b->meaning) == 0;
}

static bool has_row(const trmi_kind *kind, const trmi_field *row) {
  for (int i = 1; i < kind->nfields; i++) {
    if (is_same_row(&kind->fields[i], row)) return true;
  }
  return false;
}

/* "spring, torsion: " of a row, empty where all kinds have it. False: a kind before has it. */
static bool list_kinds(trmi_part_group group, int first, const trmi_field *row, char *text,
                       size_t size) {
  const trmi_kind *kind;
  size_t used = 0;
  int count = 0, all = 0;
  text[0] = '\0';
  for (; (kind = trmi_kind_at(group, all)) != NULL; all++) {
    if (!has_row(kind, row)) continue;
    if (all < first) return false;
    if (used < size && kind->type != NULL) {
      used += (size_t)snprintf(text + used, size - used, "%s%s", count > 0 ? ", " : "", kind->type);
    }
    count++;
  }
  if (count == all) text[0] = '\0';
  else if (used < size) snprintf(text + used, size - used, ": ");
  return true;
}

/* Rows of all kinds of a group, each once. */
static void page_parts(trmi_buffer *out, const char *prefix, trmi_part_group group) {
  const trmi_kind *kind;
  char of[600];
  for (int i = 0; (kind = trmi_kind_at(group, i)) != NULL; i++) {
    if (!trmi_part_group_has_types(group)) page_row(out, kind->fields, prefix, "");
    for (int k = 1; k < kind->nfields && (kind->fields->types & TRMI_IS_MAP) != 0; k++) {
      const trmi_field *row = &kind->fields[k];
      char below[80];
      if (!list_kinds(group, i, row, of, sizeof of)) continue;
      page_row(out, row, prefix, of);
      if (row->parts == TRMI_NO_PARTS || row->parts == TRMI_SHAPES) continue;
      snprintf(below, sizeof below, "%s.%s.*", prefix, row->path);
      page_parts(out, below, row->parts);
    }
  }
}

static void page_shapes(trmi_buffer *out) {
  const trmi_kind *kind;
  for (int i = 0; (kind = trmi_kind_at(TRMI_SHAPES, i)) != NULL; i++) {
    char prefix[80];
    snprintf(prefix, sizeof prefix, "bodies.*.shape.%s", kind->type);
    page_row(out, kind->fields, prefix, "");
    for (int k = 1; k < kind->nfields; k++) page_row(out, &kind->fields[k], prefix, "");
  }
}

static void page_keys(trmi_buffer *out) {
  const trmi_field *row;
  trmi_buffer_text(out, "| key | value | default | set later | meaning |\n"
                        "|---|---|---|---|---|\n");
  for (int i = 1; (row = trmi_schema_at(i)) != NULL; i++) {
    char prefix[80];
    page_row(out, row, "", "");
    if (row->parts == TRMI_NO_PARTS) continue;
    snprintf(prefix, sizeof prefix, "%s.*", row->path);
    page_parts(out, prefix, row->parts);
    if (row->parts == TRMI_BODIES) page_shapes(out);
  }
}

/* Keys of a kind that not all kinds of its group have. */
static void page_own_keys(trmi_buffer *out, const trmi_kind *kind) {
  const trmi_field *child;
  int count = 0;
  for (int k = 0; (child = trmi_field_child_at(kind->fields, k)) != NULL; k++) {
    const trmi_kind *other;
    bool is_common = true;
    for (int i = 0; (other = trmi_kind_at(kind->group, i)) != NULL; i++) {
      is_common = is_common && trmi_field_child(other->fields, trmi_field_key(child)) != NULL;
    }
    if (is_common) continue;
    trmi_buffer_print(out, "%s`%s`", count++ > 0 ? ", " : "", trmi_field_key(child));
  }
}

static void page_joints(trmi_buffer *out) {
  const trmi_kind *kind;
  trmi_buffer_text(out, "\n## Types of joints\n\n"
                        "Multipliers in results are called by the name of the joint and of the "
                        "row: `pin.x`.\n\n"
                        "| type | meaning | keys | rows | coordinates |\n"
                        "|---|---|---|---|---|\n");
  for (int i = 0; (kind = trmi_kind_at(TRMI_JOINTS, i)) != NULL; i++) {
    const trmi_joint_type *type = trmi_joint_type_find(kind->type);
    trmi_buffer_print(out, "| `%s` | ", kind->type);
    page_text(out, kind->meaning);
    trmi_buffer_text(out, " | ");
    page_own_keys(out, kind);
    trmi_buffer_text(out, " | ");
    for (int k = 0; k < TRMI_LINK_ROWS_MAX && type->row_names[k] != NULL; k++) {
      trmi_buffer_print(out, "%s%s", k > 0 ? " " : "", type->row_names[k]);
    }
    for (int k = 0; k < type->node_rows + type->rolling_rows; k++) {
      trmi_buffer_print(out, "%sr%d", type->nrows > 0 || k > 0 ? " " : "", k + 1);
    }
    trmi_buffer_text(out, " | ");
    for (int k = 0; k < trmi_coordinate_count(type); k++) {
      trmi_buffer_print(out, "%s%s", k > 0 ? ", " : "", type->coordinates[k].name);
    }
    trmi_buffer_text(out, " |\n");
  }
}

static void page_forces(trmi_buffer *out) {
  const trmi_kind *kind;
  trmi_buffer_text(out, "\n## Types of forces\n\n| type | meaning | keys |\n|---|---|---|\n");
  for (int i = 0; (kind = trmi_kind_at(TRMI_FORCES, i)) != NULL; i++) {
    trmi_buffer_print(out, "| `%s` | ", kind->type);
    page_text(out, kind->meaning);
    trmi_buffer_text(out, " | ");
    page_own_keys(out, kind);
    trmi_buffer_text(out, " |\n");
  }
}

static void page_names(trmi_buffer *out) {
  const trmi_function_info *name;
  trmi_buffer_text(out, "\n## Names in expressions\n\n"
                        "After the name of a part and a dot, `crank.x`, `crank.end.vz`; a prime is "
                        "the rate, `pin.angle'`.\n\n| name | of a | meaning |\n|---|---|---|\n");
  for (int i = 0; (name = trmi_mechanism_name_at(i)) != NULL; i++) {
    trmi_buffer_print(out, "| `%s` | %s | ", name->name, name->arguments);
    page_text(out, name->meaning);
    trmi_buffer_text(out, " |\n");
  }
}

static void page_functions(trmi_buffer *out, const char *head,
                           const trmi_function_info *(*function_at)(int i)) {
  const trmi_function_info *f;
  trmi_buffer_text(out, head);
  trmi_buffer_text(out, "| function | meaning |\n|---|---|\n");
  for (int i = 0; (f = function_at(i)) != NULL; i++) {
    trmi_buffer_print(out, "| `%s(%s)` | ", f->name, f->arguments);
    page_text(out, f->meaning);
    trmi_buffer_text(out, " |\n");
  }
}

static void page_units(trmi_buffer *out) {
  const char *name, *meaning;
  trmi_buffer_text(out, "\n## Units\n\n"
                        "A unit follows its number: `8 mm`, `150 rad/s`, `2 N*m`, `9.81 m/s^2`.\n\n"
                        "| unit | meaning |\n|---|---|\n");
  for (int i = 0; (name = trmi_unit_name(i, &meaning)) != NULL; i++) {
    trmi_buffer_print(out, "| `%s` | ", name);
    page_text(out, meaning);
    trmi_buffer_text(out, " |\n");
  }
}

void trmi_schema_reference(trmi_buffer *buffer) {
  trmi_buffer_text(
      buffer,
      "# Reference of model files\n\n"
      "The program writes this page (`trammel schema reference`) from the table that also checks "
      "model files and\n"
      "generates the JSON Schema `docs/schema/trammel-1.json`. New users begin with "
      "[equations.md](equations.md).\n\n"
      "`*` in a key is a name of your choice. *Numbers* may be expressions of parameters with "
      "units; *expressions*\n"
      "may also contain the time and the unknowns of the model. Units in brackets are those of the "
      "dimension; a\n"
      "number without unit is in the units of the model.\n\n"
      "The column *set later* is the effect of a change in a system that is already built "
      "(`trm_system_set`):\n\n"
      "- *live*: the next run uses the new value;\n"
      "- *derived*: the same, and other values are computed from it;\n"
      "- *live as a number*: live, unless the value is an expression of the motion;\n"
      "- *structural*: the value needs a new build.\n\n## Keys\n\n");
  page_keys(buffer);
  trmi_schema_methods_page(buffer);
  page_joints(buffer);
  page_forces(buffer);
  page_names(buffer);
  page_functions(buffer, "\n## Measures of mechanisms\n\nArguments are names of bodies, markers "
                         "and joints.\n\n", trmi_measure_at);
  page_functions(buffer, "\n## Functions\n\nNames are not sensitive to case.\n\n",
                 trmi_function_at);
  page_units(buffer);
}
