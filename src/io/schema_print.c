/* schema_print.c - the table of keys as JSON Schema and as a page for people. */
#include "expr/parse.h"
#include "force/force.h"
#include "io/schema.h"
#include "joint/types.h"
#include "mechanism/mechanism.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- JSON Schema ------------------------------------------------------------- */

/* A writer of indented JSON. */
typedef struct json {
  trmi_buffer *out;
  int          depth;
  bool         has_member; /* the open object has one already */
} json;

static void json_string(json *j, const char *text) {
  trmi_buffer_text(j->out, "\"");
  for (; *text != '\0'; text++) {
    if (*text == '"' || *text == '\\') trmi_buffer_text(j->out, "\\");
    trmi_buffer_add(j->out, text, 1);
  }
  trmi_buffer_text(j->out, "\"");
}

static void json_key(json *j, const char *key) {
  trmi_buffer_text(j->out, j->has_member ? ",\n" : "\n");
  for (int i = 0; i < j->depth; i++) trmi_buffer_text(j->out, "  ");
  j->has_member = true;
  if (key == NULL) return;
  json_string(j, key);
  trmi_buffer_text(j->out, ": ");
}

static void json_text(json *j, const char *key, const char *text) {
  json_key(j, key);
  json_string(j, text);
}

static void json_raw(json *j, const char *key, const char *value) {
  json_key(j, key);
  trmi_buffer_text(j->out, value);
}

static void json_open(json *j, const char *key, const char *bracket) {
  if (j->depth > 0) json_key(j, key);
  trmi_buffer_text(j->out, bracket);
  j->depth++;
  j->has_member = false;
}

static void json_close(json *j, const char *bracket) {
  j->depth--;
  trmi_buffer_text(j->out, "\n");
  for (int i = 0; i < j->depth; i++) trmi_buffer_text(j->out, "  ");
  trmi_buffer_text(j->out, bracket);
  j->has_member = true;
}

static void json_words(json *j, const trmi_schema_row *row) {
  json_open(j, "enum", "[");
  char word[TRMI_WORD_BYTES];
  for (int i = 0; trmi_schema_choice_at(row, i, word); i++) json_text(j, NULL, word);
  json_close(j, "]");
}

static void json_bound(json *j, const char *closed, const char *open, bool is_open, double bound) {
  char number[40];
  snprintf(number, sizeof number, "%.15g", bound);
  json_raw(j, is_open ? open : closed, number);
}

static void json_range(json *j, const trmi_schema_row *row) {
  if (row->low == 0.0 && row->high == 0.0) return;
  json_bound(j, "minimum", "exclusiveMinimum", (row->open & TRMI_OPEN_LOW) != 0, row->low);
  if (!isfinite(row->high)) return;
  json_bound(j, "maximum", "exclusiveMaximum", (row->open & TRMI_OPEN_HIGH) != 0, row->high);
}

/* {"minItems": 3, "maxItems": 3}, without the brackets */
static void json_count(json *j, int count) {
  char number[20];
  snprintf(number, sizeof number, "%d", count == TRMI_ANY_SIZE ? 2 : count);
  json_raw(j, "minItems", number);
  if (count != TRMI_ANY_SIZE) json_raw(j, "maxItems", number);
}

/* A list or matrix in one of its sizes. */
static void json_array(json *j, const trmi_schema_row *row, unsigned type) {
  static const char number[] = "{\"type\": [\"number\", \"string\"]}";
  trmi_size size;
  json_raw(j, "type", "\"array\"");
  if (type == TRMI_IS_MATRIX) {
    json_raw(j, "items", "{\"type\": \"array\", \"items\": {\"type\": [\"number\", "
                         "\"string\"]}}");
  } else {
    json_raw(j, "items", type == TRMI_IS_TEXTS ? "{\"type\": \"string\"}" : number);
  }
  if (!trmi_schema_size_at(row, type, 0, &size)) {
    json_raw(j, "minItems", "1");
    return;
  }
  json_open(j, "anyOf", "[");
  for (int i = 0; trmi_schema_size_at(row, type, i, &size); i++) {
    json_open(j, NULL, "{");
    json_count(j, type == TRMI_IS_MATRIX ? size.rows : size.columns);
    if (type == TRMI_IS_MATRIX) {
      json_open(j, "items", "{");
      json_count(j, size.columns);
      json_close(j, "}");
    }
    json_close(j, "}");
  }
  json_close(j, "]");
}

/* "oneOf": [{"required": ["a"]}, ..] */
static void json_choice(json *j, const char *rule, const char *keys) {
  char key[TRMI_WORD_BYTES];
  json_open(j, rule, "[");
  for (int i = 0; trmi_schema_word_at(keys, i, key); i++) {
    json_open(j, NULL, "{");
    json_open(j, "required", "[");
    json_text(j, NULL, key);
    json_close(j, "]");
    json_close(j, "}");
  }
  json_close(j, "]");
}

/* No two of these keys: "not": {"anyOf": [{"required": ["a", "b"]}, ..]} */
static void json_not_both(json *j, const char *keys) {
  char a[TRMI_WORD_BYTES], b[TRMI_WORD_BYTES];
  json_open(j, "not", "{");
  json_open(j, "anyOf", "[");
  for (int i = 0; trmi_schema_word_at(keys, i, a); i++) {
    for (int k = i + 1; trmi_schema_word_at(keys, k, b); k++) {
      json_open(j, NULL, "{");
      json_open(j, "required", "[");
      json_text(j, NULL, a);
      json_text(j, NULL, b);
      json_close(j, "]");
      json_close(j, "}");
    }
  }
  json_close(j, "]");
  json_close(j, "}");
}

static void json_row(json *j, const trmi_schema_row *row);

static const char *name_pattern(trmi_name_rule rule) {
  switch (rule) {
  case TRMI_NAME_WORD:
    return "{\"pattern\": \"^[A-Za-z_][A-Za-z0-9_]*([.][A-Za-z_][A-Za-z0-9_]*)*$\", "
           "\"maxLength\": 47}";
  case TRMI_NAME_PART:
    return "{\"pattern\": \"^[A-Za-z_][A-Za-z0-9_]*$\", \"maxLength\": 47}";
  default: return "{\"maxLength\": 47}";
  }
}

static void json_mapping(json *j, const trmi_schema_row *row) {
  const trmi_schema_row *child;
  if ((row->types & TRMI_IS_NAMES) != 0) {
    json_raw(j, "propertyNames", name_pattern(row->names));
    json_open(j, "additionalProperties", "{");
    json_row(j, trmi_schema_child_at(row, 0));
    json_close(j, "}");
    return;
  }
  json_open(j, "properties", "{");
  for (int i = 0; (child = trmi_schema_child_at(row, i)) != NULL; i++) {
    json_open(j, trmi_schema_key(child), "{");
    json_row(j, child);
    json_close(j, "}");
  }
  json_close(j, "}");
  json_open(j, "required", "[");
  for (int i = 0; (child = trmi_schema_child_at(row, i)) != NULL; i++) {
    if (child->is_required) json_text(j, NULL, trmi_schema_key(child));
  }
  json_close(j, "]");
  json_raw(j, "additionalProperties", "false");
  if (row->one_of != NULL) json_choice(j, "oneOf", row->one_of);
  if (row->not_both != NULL) json_not_both(j, row->not_both);
  if (row->path[0] == '\0') json_choice(j, "anyOf", TRMI_MODEL_CONTENT);
}

/* One of the things a value may be. Numbers may be written as expressions, that is as texts. */
static void json_type(json *j, const trmi_schema_row *row, unsigned type) {
  switch (type) {
  case TRMI_IS_MAP: case TRMI_IS_NAMES:
    json_raw(j, "type", "[\"object\", \"null\"]");
    json_mapping(j, row);
    break;
  case TRMI_IS_PARTS: json_raw(j, "type", "[\"object\", \"null\"]"); break;
  case TRMI_IS_EXPRESSION: json_raw(j, "type", "[\"number\", \"string\"]"); break;
  case TRMI_IS_NUMBER:
    json_raw(j, "type", "[\"number\", \"string\"]");
    json_range(j, row);
    break;
  case TRMI_IS_COUNT:
    json_raw(j, "type", "[\"integer\", \"string\"]");
    json_range(j, row);
    break;
  case TRMI_IS_WORD: json_words(j, row); break;
  case TRMI_IS_TEXT: json_raw(j, "type", "[\"string\", \"number\"]"); break;
  default: json_array(j, row, type); break;
  }
}

static void json_row(json *j, const trmi_schema_row *row) {
  char meaning[TRMI_MEANING_BYTES];
  trmi_schema_meaning(row, meaning, sizeof meaning);
  json_text(j, "description", meaning);
  if (strcmp(row->path, "trammel") == 0) {
    json_raw(j, "const", TRMI_MODEL_VERSION);
    return;
  }
  if ((row->types & (row->types - 1)) == 0) {
    json_type(j, row, row->types);
    return;
  }
  json_open(j, "anyOf", "[");
  for (unsigned type = 1; type < TRMI_TYPES; type *= 2) {
    if ((row->types & type) == 0) continue;
    json_open(j, NULL, "{");
    json_type(j, row, type);
    json_close(j, "}");
  }
  json_close(j, "]");
}

void trmi_schema_json(trmi_buffer *buffer) {
  json j = {.out = buffer};
  json_open(&j, NULL, "{");
  json_text(&j, "$schema", "https://json-schema.org/draft/2020-12/schema");
  json_text(&j, "title", "Trammel model file, version " TRMI_MODEL_VERSION);
  json_row(&j, trmi_schema_at(0));
  json_close(&j, "}");
  trmi_buffer_text(buffer, "\n");
}

/* ---- the page ------------------------------------------------------------------ */

static void page_types(trmi_buffer *out, const trmi_schema_row *row) {
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
    if ((type & lists) != 0) trmi_schema_content(row, type, content, sizeof content);
    trmi_buffer_print(out, "%s%s%s", is_first ? "" : ", ", names[i], content);
    is_first = false;
  }
  if (row->unit != NULL && strcmp(row->unit, "1") != 0 && (row->types & TRMI_IS_TEXT) == 0) {
    trmi_buffer_print(out, " [%s]", row->unit);
  }
}

/* A text of a table: its bars would end a cell. */
static void page_text(trmi_buffer *out, const char *text) {
  for (; *text != '\0'; text++) {
    if (*text == '|') trmi_buffer_text(out, "\\");
    if (*text == '*') trmi_buffer_text(out, "\\");
    trmi_buffer_add(out, text, 1);
  }
}

static void page_row(trmi_buffer *out, const trmi_schema_row *row) {
  char words[TRMI_CHOICES_BYTES], text[TRMI_MEANING_BYTES];
  trmi_buffer_print(out, "| `%s` | ", row->path);
  page_types(out, row);
  trmi_buffer_text(out, " | ");
  trmi_schema_fallback(row, text, sizeof text);
  page_text(out, row->is_required ? "required" : text);
  trmi_buffer_text(out, " | ");
  trmi_schema_meaning(row, text, sizeof text);
  page_text(out, text);
  trmi_schema_choices(row, words, sizeof words);
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
    trmi_schema_range(row, range, sizeof range);
    trmi_buffer_print(out, " Must be %s.", range);
  }
  trmi_buffer_text(out, " |\n");
}

static void page_keys(trmi_buffer *out) {
  const trmi_schema_row *row;
  static const char head[] = "| key | value | default | meaning |\n|---|---|---|---|\n";
  trmi_buffer_text(out, head);
  for (int i = 1; (row = trmi_schema_at(i)) != NULL; i++) {
    if (row == trmi_schema_mechanism) {
      trmi_buffer_text(out, "\n## Keys of mechanisms\n\n");
      trmi_buffer_text(out, head);
    }
    page_row(out, row);
  }
}

/* "a|b|c" as a list of code. */
static void page_words(trmi_buffer *out, const char *words) {
  char word[TRMI_WORD_BYTES];
  for (int i = 0; words != NULL && trmi_schema_word_at(words, i, word); i++) {
    trmi_buffer_print(out, "%s`%s`", i > 0 ? ", " : "", word);
  }
}

static void page_joints(trmi_buffer *out) {
  const trmi_joint_type *type;
  trmi_buffer_text(out, "\n## Types of joints\n\n"
                        "Multipliers in results are called by the name of the joint and of the "
                        "row: `pin.x`.\n\n"
                        "| type | meaning | keys of its own | rows | coordinates |\n"
                        "|---|---|---|---|---|\n");
  for (int i = 0; (type = trmi_joint_type_at(i)) != NULL; i++) {
    trmi_buffer_print(out, "| `%s` | ", type->name);
    page_text(out, type->meaning);
    trmi_buffer_text(out, " | ");
    page_words(out, type->keys);
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
  const trmi_force_type *type;
  trmi_buffer_text(out, "\n## Types of forces\n\n| type | meaning | keys |\n|---|---|---|\n");
  for (int i = 0; (type = trmi_force_type_at(i)) != NULL; i++) {
    trmi_buffer_print(out, "| `%s` | ", type->name);
    page_text(out, type->meaning);
    trmi_buffer_text(out, " | ");
    page_words(out, type->keys);
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
      "Written by `trammel schema reference`; the same table checks the files and makes the JSON "
      "Schema\n`docs/schema/trammel-1.json`. How to begin: [equations.md](equations.md).\n\n"
      "`*` in a key stands for a name of your own. *Numbers* may be expressions of parameters with "
      "units;\n*expressions* may also contain the time and the unknowns of the model. Units in "
      "brackets are those of the\ndimension; a number without unit is in the units of the "
      "model.\n\n## Keys\n\n");
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
