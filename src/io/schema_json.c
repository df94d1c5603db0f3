/* schema_json.c - the table of keys as JSON Schema. */
#include "io/schema.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

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

static void json_words(json *j, const trmi_field *row) {
  if (row->choices != NULL && strcmp(row->choices, "true|false") == 0) {
    json_raw(j, "type", "\"boolean\"");
    return;
  }
  json_open(j, "enum", "[");
  char word[TRMI_WORD_BYTES];
  for (int i = 0; trmi_field_choice(row, i, word); i++) {
    const bool is_plain = strcmp(word, "true") == 0 || strcmp(word, "false") == 0;
    if (is_plain) json_raw(j, NULL, word);
    else json_text(j, NULL, word);
    if (strcmp(word, "off") == 0) json_raw(j, NULL, "false"); /* so YAML 1.1 reads it */
  }
  json_close(j, "]");
}

static void json_bound(json *j, const char *closed, const char *open, bool is_open, double bound) {
  char number[40];
  snprintf(number, sizeof number, "%.15g", bound);
  json_raw(j, is_open ? open : closed, number);
}

static void json_range(json *j, const trmi_field *row) {
  if (row->low == 0.0 && row->high == 0.0) return;
  json_bound(j, "minimum", "exclusiveMinimum", (row->open & TRMI_OPEN_LOW) != 0, row->low);
  if (!isfinite(row->high)) return;
  json_bound(j, "maximum", "exclusiveMaximum", (row->open & TRMI_OPEN_HIGH) != 0, row->high);
}

/* {"minItems": 3, "maxItems": 3}, without the brackets */
static void json_count(json *j, int count, bool or_more) {
  char number[20];
  snprintf(number, sizeof number, "%d", count);
  json_raw(j, "minItems", number);
  if (!or_more) json_raw(j, "maxItems", number);
}

/* A list or matrix in one of its sizes. */
static void json_array(json *j, const trmi_field *row, unsigned type) {
  static const char number[] = "{\"type\": [\"number\", \"string\"]}";
  trmi_size size;
  json_raw(j, "type", "\"array\"");
  if (type == TRMI_IS_MATRIX) {
    json_raw(j, "items", "{\"type\": \"array\", \"items\": {\"type\": [\"number\", "
                         "\"string\"]}}");
  } else {
    json_raw(j, "items", type == TRMI_IS_TEXTS ? "{\"type\": \"string\"}" : number);
  }
  if (!trmi_field_size(row, type, 0, &size)) {
    json_raw(j, "minItems", "1");
    return;
  }
  json_open(j, "anyOf", "[");
  for (int i = 0; trmi_field_size(row, type, i, &size); i++) {
    json_open(j, NULL, "{");
    json_count(j, type == TRMI_IS_MATRIX ? size.rows : size.columns, size.or_more);
    if (type == TRMI_IS_MATRIX) {
      json_open(j, "items", "{");
      json_count(j, size.columns, false);
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
  for (int i = 0; trmi_word_at(keys, i, key); i++) {
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
  for (int i = 0; trmi_word_at(keys, i, a); i++) {
    for (int k = i + 1; trmi_word_at(keys, k, b); k++) {
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

static void json_row(json *j, const trmi_field *row);

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

/* Is a key of a kind one that kinds before it have? */
static bool is_repeated(trmi_part_group group, int kind, const char *key) {
  for (int i = 0; i < kind; i++) {
    if (trmi_field_child(trmi_kind_at(group, i)->fields, key) != NULL) return true;
  }
  return false;
}

static bool is_same_value(const trmi_field *a, const trmi_field *b) {
  const bool has_sizes = a->sizes != NULL && b->sizes != NULL;
  return a->types == b->types && (has_sizes ? strcmp(a->sizes, b->sizes) == 0
                                            : a->sizes == b->sizes);
}

/* A key of kinds from number `first` on: its possible values in any of them. */
static void json_key_of_kinds(json *j, trmi_part_group group, int first, const char *key) {
  const trmi_field *rows[64], *row;
  const trmi_kind *kind;
  int n = 0;
  for (int i = first; (kind = trmi_kind_at(group, i)) != NULL && n < 64; i++) {
    bool is_new = (row = trmi_field_child(kind->fields, key)) != NULL;
    for (int k = 0; k < n && is_new; k++) is_new = !is_same_value(rows[k], row);
    if (is_new) rows[n++] = row;
  }
  json_open(j, key, "{");
  if (n == 1) json_row(j, rows[0]);
  if (n > 1) json_open(j, "anyOf", "[");
  for (int k = 0; k < n && n > 1; k++) {
    json_open(j, NULL, "{");
    json_row(j, rows[k]);
    json_close(j, "}");
  }
  if (n > 1) json_close(j, "]");
  json_close(j, "}");
}

/* A part of any kind of a group. */
static void json_part(json *j, trmi_part_group group) {
  const trmi_field *row = trmi_kind_at(group, 0)->fields, *child;
  const trmi_kind *kind;
  json_raw(j, "type", "[\"object\", \"null\"]");
  json_open(j, "properties", "{");
  for (int i = 0; (kind = trmi_kind_at(group, i)) != NULL; i++) {
    for (int k = 0; (child = trmi_field_child_at(kind->fields, k)) != NULL; k++) {
      const char *key = trmi_field_key(child);
      if (!is_repeated(group, i, key)) json_key_of_kinds(j, group, i, key);
    }
  }
  json_close(j, "}");
  if (trmi_part_group_needs_type(group)) json_raw(j, "required", "[\"type\"]");
  json_raw(j, "additionalProperties", "false");
  if (row->one_of != NULL) json_choice(j, "oneOf", row->one_of);
  if (row->not_both != NULL) json_not_both(j, row->not_both);
}

/* A mapping with one key, its kind. */
static void json_shape(json *j, trmi_part_group group) {
  const trmi_kind *kind;
  json_raw(j, "type", "\"object\"");
  json_open(j, "properties", "{");
  for (int i = 0; (kind = trmi_kind_at(group, i)) != NULL; i++) {
    json_open(j, kind->type, "{");
    json_row(j, kind->fields);
    json_close(j, "}");
  }
  json_close(j, "}");
  json_raw(j, "additionalProperties", "false");
  json_raw(j, "minProperties", "1");
  json_raw(j, "maxProperties", "1");
}

static void json_names(json *j, const trmi_field *row) {
  json_raw(j, "propertyNames", name_pattern(trmi_field_names(row)));
  json_open(j, "additionalProperties", "{");
  if (row->parts == TRMI_SHAPES) {
    json_shape(j, row->parts);
  } else if (row->parts != TRMI_NO_PARTS && trmi_part_group_has_types(row->parts)) {
    json_part(j, row->parts);
  } else if (row->parts != TRMI_NO_PARTS) {
    json_row(j, trmi_kind_at(row->parts, 0)->fields);
  } else {
    json_row(j, trmi_field_child_at(row, 0));
  }
  json_close(j, "}");
}

/* Other keys are names of parts; one of its own keys needs those that are required. */
static void json_named(json *j, const trmi_field *row) {
  const trmi_field *child, *other;
  json_open(j, "dependentRequired", "{");
  for (int i = 0; (child = trmi_field_child_at(row, i)) != NULL; i++) {
    json_open(j, trmi_field_key(child), "[");
    for (int k = 0; (other = trmi_field_child_at(row, k)) != NULL; k++) {
      if (other->is_required && other != child) json_text(j, NULL, trmi_field_key(other));
    }
    json_close(j, "]");
  }
  json_close(j, "}");
  json_open(j, "additionalProperties", "{");
  json_row(j, trmi_kind_at(row->also, 0)->fields);
  json_close(j, "}");
}

static void json_mapping(json *j, const trmi_field *row) {
  const trmi_field *child;
  json_open(j, "properties", "{");
  for (int i = 0; (child = trmi_field_child_at(row, i)) != NULL; i++) {
    json_open(j, trmi_field_key(child), "{");
    json_row(j, child);
    json_close(j, "}");
  }
  json_close(j, "}");
  if (row->also != TRMI_NO_PARTS) {
    json_named(j, row);
    return;
  }
  json_open(j, "required", "[");
  for (int i = 0; (child = trmi_field_child_at(row, i)) != NULL; i++) {
    if (child->is_required) json_text(j, NULL, trmi_field_key(child));
  }
  json_close(j, "]");
  json_raw(j, "additionalProperties", "false");
  if (row->one_of != NULL) json_choice(j, "oneOf", row->one_of);
  if (row->not_both != NULL) json_not_both(j, row->not_both);
  if (row == trmi_schema_at(0)) json_choice(j, "anyOf", TRMI_MODEL_CONTENT);
}

/* One alternative for a value. Numbers may be written as expressions, that is as texts. */
static void json_type(json *j, const trmi_field *row, unsigned type) {
  switch (type) {
  case TRMI_IS_MAP:
    if (row->parts != TRMI_NO_PARTS) {
      json_shape(j, row->parts);
      break;
    }
    json_raw(j, "type", "[\"object\", \"null\"]");
    json_mapping(j, row);
    break;
  case TRMI_IS_NAMES:
    json_raw(j, "type", "[\"object\", \"null\"]");
    json_names(j, row);
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

static void json_row(json *j, const trmi_field *row) {
  char meaning[TRMI_MEANING_BYTES];
  trmi_schema_meaning(row, meaning, sizeof meaning);
  json_text(j, "description", meaning);
  const char *change = trmi_field_change_word(row);
  if (change[0] != '\0') json_text(j, "x-change", change);
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
