/* schema.c - compare a tree with the table of keys. */
#include "expr/lexer.h"
#include "io/schema.h"
#include "trammel/nearest.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_MAX_BYTES = 200, WORDS_MAX = 64, KEYS_BYTES = 560 };
enum { LISTS = TRMI_IS_NUMBERS | TRMI_IS_TEXTS | TRMI_IS_EXPRESSIONS };

/* A key on the path to the present node. */
typedef struct level {
  const struct level *outer; /* NULL: the key of a section */
  const char         *key;
} level;

typedef struct checker {
  trmi_complaints *complaints;
  const level     *level;                /* of the present node, NULL: the model        */
  char             path[PATH_MAX_BYTES]; /* its path, written for messages only         */
  bool             is_whole;             /* no section of names is missing              */
} checker;

/* ---- rows of parts --------------------------------------------------------- */

const trmi_kind *trmi_schema_kind(trmi_part_group group, const trmi_yaml *part) {
  const trmi_kind *first = trmi_kind_at(group, 0);
  const trmi_yaml *type = trmi_yaml_find(part, "type");
  if (!trmi_part_group_has_types(group)) return first;
  if (type == NULL) return trmi_part_group_needs_type(group) ? NULL : first;
  const bool is_word = type->kind == TRMI_YAML_SCALAR && !trmi_yaml_is_missing(type);
  return is_word ? trmi_kind_find(group, type->text.text) : NULL;
}

/* A shape: a mapping with its kind as key. */
static const trmi_field one_shape[] = {{.path = "", .types = TRMI_IS_MAP, .parts = TRMI_SHAPES,
                                        .meaning = "One shape."}, {.path = NULL}};

const trmi_field *trmi_schema_below(const trmi_field *row, const trmi_yaml *entry) {
  if ((row->types & TRMI_IS_PARTS) != 0) {
    row = trmi_field_child(trmi_schema_at(0), trmi_field_key(row));
  }
  if (row->parts == TRMI_NO_PARTS) return trmi_field_child(row, entry->key);
  const bool is_named = (row->types & TRMI_IS_NAMES) != 0;
  if (row->parts == TRMI_SHAPES && is_named) return one_shape;
  const trmi_kind *kind = is_named ? trmi_schema_kind(row->parts, entry)
                                   : trmi_kind_find(row->parts, entry->key);
  return kind != NULL ? kind->fields : NULL;
}

/* ---- words for messages --------------------------------------------------- */

/* "a number or a mapping" */
static void describe_types(const trmi_field *row, char *text, size_t size) {
  static const struct {
    unsigned    bit;
    const char *words;
  } names[] = {
    {TRMI_IS_EXPRESSION, "an expression"}, {TRMI_IS_NUMBER, "a number"},
    {TRMI_IS_COUNT, "a whole number"},     {TRMI_IS_WORD, "a word"},
    {TRMI_IS_TEXT, "a text"},              {TRMI_IS_NUMBERS, "a list of "},
    {TRMI_IS_EXPRESSIONS, "a list of "},   {TRMI_IS_TEXTS, "a list of "},
    {TRMI_IS_MATRIX, "a list of lists: "}, {TRMI_IS_MAP, "a mapping of keys"},
    {TRMI_IS_NAMES, "a mapping of names"}, {TRMI_IS_PARTS, "a mapping of names"},
  };
  size_t used = 0;
  text[0] = '\0';
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const unsigned bit = names[i].bit;
    char content[80] = "";
    if ((row->types & bit) == 0 || used >= size) continue;
    if ((bit & (LISTS | TRMI_IS_MATRIX)) != 0) {
      trmi_field_content(row, bit, content, sizeof content);
    }
    const int more = snprintf(text + used, size - used, "%s%s%s", used > 0 ? " or " : "",
                              names[i].words, content);
    used += (size_t)more;
  }
}

/* "bodies.crank.mass"; returns its length. */
static size_t write_path(const level *inner, char path[PATH_MAX_BYTES]) {
  if (inner == NULL) return 0;
  const size_t used = write_path(inner->outer, path);
  snprintf(path + used, PATH_MAX_BYTES - used, "%s%.60s", used > 0 ? "." : "", inner->key);
  return used + strlen(path + used);
}

/* Messages omit the first word of equations.coordinates.x, which is redundant. */
static const char *shown_path(checker *c) {
  const char *path = c->path;
  c->path[write_path(c->level, c->path)] = '\0';
  if (strncmp(path, "equations.", strlen("equations.")) == 0) path += strlen("equations.");
  return path[0] != '\0' ? path : "the model";
}

/* Without this section names of the user are unknown. */
static bool holds_names(const trmi_field *row) {
  static const char sections[] = "parameters|bodies|beams|flexible|joints|motions|"
                                 "forces|contacts";
  const bool is_equations = strncmp(row->path, "equations", strlen("equations")) == 0;
  return strchr(row->path, '*') == NULL &&
         (is_equations || trmi_word_find(sections, row->path) >= 0 || row == trmi_schema_at(0));
}

/* Key number i under a row, NULL after the last: a field, or a kind of shape. */
static const char *child_name(const void *self, int i) {
  const trmi_field *row = self;
  if (row->parts != TRMI_NO_PARTS) {
    const trmi_kind *kind = trmi_kind_at(row->parts, i);
    return kind != NULL ? kind->type : NULL;
  }
  const trmi_field *child = trmi_field_child_at(row, i);
  return child != NULL ? trmi_field_key(child) : NULL;
}

static int count_children(const trmi_field *row) {
  int n = 0;
  while (child_name(row, n) != NULL) n++;
  return n;
}

/* "value, guess, velocity" */
static void list_keys(const trmi_field *row, char text[KEYS_BYTES]) {
  size_t used = 0;
  const char *child;
  text[0] = '\0';
  for (int i = 0; (child = child_name(row, i)) != NULL && used < KEYS_BYTES; i++) {
    used += (size_t)snprintf(text + used, KEYS_BYTES - used, "%s%.40s", i > 0 ? ", " : "", child);
  }
}

/* Advice for a value of a wrong kind; "": none. */
static void advise_type(const trmi_field *row, const trmi_yaml *node, char text[KEYS_BYTES]) {
  const bool is_single = node->kind == TRMI_YAML_SCALAR;
  char keys[KEYS_BYTES];
  snprintf(text, KEYS_BYTES, "%s", trmi_schema_value_advice(row));
  if (is_single && (row->types & LISTS) != 0) {
    const bool has_texts = (row->types & LISTS) == TRMI_IS_TEXTS;
    snprintf(text, KEYS_BYTES, "; lists are written as %s", has_texts ? "[a, b]" : "[0, 0, 1]");
  } else if (node->kind == TRMI_YAML_SEQUENCE && (row->types & TRMI_IS_NAMES) != 0) {
    snprintf(text, KEYS_BYTES, ": each entry begins with its name and a colon, not with '-'");
  } else if ((row->types & TRMI_IS_MAP) != 0 && row != trmi_schema_at(0)) {
    list_keys(row, keys);
    snprintf(text, KEYS_BYTES, "; it is written as {key: value}, with the keys %.*s", 400, keys);
  }
}

static void complain_type(checker *c, const trmi_field *row, const trmi_yaml *node) {
  static const char *const kinds[] = {"a single value", "a list", "a mapping"};
  char types[200], advice[KEYS_BYTES];
  describe_types(row, types, sizeof types);
  advise_type(row, node, advice);
  trmi_complain(c->complaints, node->place, "%s must be %s, not %s%s", shown_path(c), types,
                kinds[node->kind], advice);
  if (holds_names(row)) c->is_whole = false;
}

/* ---- keys ------------------------------------------------------------------ */

/* {r: atan2(y, x)}: the comma has split the expression. */
static bool is_cut(const trmi_yaml *mapping, const trmi_yaml *before, const trmi_yaml *entry) {
  return mapping->is_flow && before != NULL && trmi_yaml_is_open(before) &&
         trmi_yaml_is_missing(entry);
}

/* {mass: 2,5}: a comma of decimals. */
static bool is_decimal(const trmi_yaml *mapping, const trmi_yaml *before, const trmi_yaml *entry) {
  if (!mapping->is_flow || before == NULL || !trmi_yaml_is_missing(entry)) return false;
  if (before->kind != TRMI_YAML_SCALAR || before->is_quoted) return false;
  const char *number = before->text.text + (before->text.text[0] == '-');
  return number[0] != '\0' && number[strspn(number, "0123456789")] == '\0' &&
         strchr("0123456789", entry->key[0]) != NULL;
}

/* [0, STEP(time, 0, 0, 1, 1), 0]: commas have split an expression; a complaint. */
static bool complain_cut(checker *c, const trmi_yaml *list) {
  for (const trmi_yaml *entry = list->first; entry != NULL && list->is_flow; entry = entry->next) {
    if (!trmi_yaml_is_open(entry) || entry->next == NULL) continue;
    trmi_complain(c->complaints, entry->place, "%s: a comma inside [..] ends a value: put the "
                  "expression that begins with '%.40s' in quotes", shown_path(c),
                  entry->text.text);
    return true;
  }
  return false;
}

static void complain_unknown(checker *c, const trmi_field *row, const trmi_yaml *entry) {
  const char *nearest = trm_nearest_close(entry->key, row, count_children(row), child_name);
  if (nearest[0] == '\0') nearest = trmi_schema_key_meant(row, entry->key);
  char keys[KEYS_BYTES];
  list_keys(row, keys);
  if (nearest[0] != '\0') {
    trmi_complain(c->complaints, entry->key_place, "unknown key '%.60s' in %s; did you mean '%s'?",
                  entry->key, shown_path(c), nearest);
  } else {
    trmi_complain(c->complaints, entry->key_place, "unknown key '%.60s' in %s; %sknown are %s",
                  entry->key, shown_path(c), trmi_schema_key_advice(row, entry->key), keys);
  }
  if (row == trmi_schema_at(0) || strcmp(row->path, "equations") == 0) c->is_whole = false;
}

static bool is_word_letter(char letter, bool is_first) {
  const bool is_letter = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
  return is_letter || letter == '_' || (!is_first && letter >= '0' && letter <= '9');
}

static void check_name(checker *c, const trmi_field *row, const trmi_yaml *entry) {
  const size_t length = strlen(entry->key);
  if (length > TRMI_NAME_MAX) {
    trmi_complain(c->complaints, entry->key_place,
                  "names have at most %d characters, '%.20s..' has %zu", TRMI_NAME_MAX, entry->key,
                  length);
  }
  const trmi_name_rule rule = trmi_field_names(row);
  if (rule == TRMI_NAME_TEXT) return;
  bool is_first = true;
  for (const char *p = entry->key; *p != '\0'; p++) {
    const bool is_dot = *p == '.' && !is_first && p[1] != '\0' && rule == TRMI_NAME_WORD;
    if (!is_dot && !is_word_letter(*p, is_first)) {
      const bool is_cut = *p == '{' || *p == '[' || strncmp(p, " {", 2) == 0;
      trmi_complain(c->complaints, entry->key_place,
                    "'%.60s' cannot be a name: %s%s", entry->key,
                    is_cut ? "is a ': ' missing before the bracket?"
                           : "names have letters, digits and _, and do not begin with a digit",
                    trmi_odd_quotes(entry->key));
      return;
    }
    is_first = is_dot;
  }
}

/* ---- values ---------------------------------------------------------------- */

static void check_node(checker *c, const trmi_field *row, const trmi_yaml *node);

static void check_word(checker *c, const trmi_field *row, const trmi_yaml *node);

/* The type of a part is missing or unknown. */
static void complain_kind(checker *c, const trmi_field *row, const trmi_yaml *part) {
  const trmi_field *type = trmi_field_child(trmi_kind_at(row->parts, 0)->fields, "type");
  const trmi_yaml *word = trmi_yaml_find(part, "type");
  if (part->kind != TRMI_YAML_MAPPING && !trmi_yaml_is_missing(part)) {
    complain_type(c, trmi_kind_at(row->parts, 0)->fields, part);
  } else if (word == NULL) {
    trmi_complain(c->complaints, part->key_place, "%s has no 'type'", shown_path(c));
  } else {
    const level inner = {.outer = c->level, .key = "type"};
    c->level = &inner;
    check_node(c, type, word);
    c->level = inner.outer;
  }
}

/* Has another kind of the group of a part this key? Then its type is what does not fit. */
static bool complain_type_of_part(checker *c, const trmi_field *row, const trmi_yaml *part,
                                  const trmi_yaml *entry) {
  for (int g = TRMI_NO_PARTS + 1; g < TRMI_PART_GROUPS; g++) {
    const trmi_kind *kind;
    bool is_group = false, is_known = false;
    for (int i = 0; (kind = trmi_kind_at((trmi_part_group)g, i)) != NULL; i++) {
      is_group = is_group || kind->fields == row;
      is_known = is_known || trmi_field_child(kind->fields, entry->key) != NULL;
    }
    if (!is_group || !is_known || !trmi_part_group_has_types((trmi_part_group)g)) continue;
    const trmi_kind *own = trmi_schema_kind((trmi_part_group)g, part);
    trmi_complain(c->complaints, entry->key_place, "%.60s is of type %.40s, which has no '%.60s'",
                  part->key, own != NULL ? own->type : "", entry->key);
    return true;
  }
  return false;
}

static void check_entry(checker *c, const trmi_field *row, const trmi_yaml *mapping,
                        const trmi_yaml *entry) {
  const level inner = {.outer = c->level, .key = entry->key};
  const trmi_field *child = trmi_schema_below(row, entry);
  const bool is_part = row->parts != TRMI_NO_PARTS && (row->types & TRMI_IS_NAMES) != 0;
  if (child == NULL && !is_part) {
    if (!complain_type_of_part(c, row, mapping, entry)) complain_unknown(c, row, entry);
    return;
  }
  if ((row->types & TRMI_IS_NAMES) != 0) check_name(c, row, entry);
  c->level = &inner;
  if (child != NULL) check_node(c, child, entry);
  else complain_kind(c, row, entry);
  c->level = inner.outer;
}

static void check_required(checker *c, const trmi_field *row, const trmi_yaml *mapping) {
  const trmi_field *child = row;
  while ((child = trmi_field_next(row, child)) != NULL) {
    if (!child->is_required) continue;
    const char *key = trmi_field_key(child);
    if (trmi_yaml_find(mapping, key) != NULL) continue;
    const trmi_place place = mapping->key != NULL ? mapping->key_place : mapping->place;
    trmi_complain(c->complaints, place, "%s has no '%s'", shown_path(c), key);
  }
}

/* "box|sphere" */
static void list_kinds(trmi_part_group group, char *text, size_t size) {
  const trmi_kind *kind;
  size_t n = 0;
  for (int i = 0; (kind = trmi_kind_at(group, i)) != NULL && n < size; i++) {
    n += (size_t)snprintf(text + n, size - n, "%s%s", i > 0 ? "|" : "", kind->type);
  }
}

/* Exactly one of the keys in one_of, at most one of those in not_both. */
static void check_choice(checker *c, const trmi_field *row, const trmi_yaml *mapping) {
  const char *const lists[] = {row->one_of, row->not_both};
  for (int k = 0; k < 2; k++) {
    const bool is_kinds = k == 0 && row->parts != TRMI_NO_PARTS;
    if (lists[k] == NULL && !is_kinds) continue;
    const trmi_yaml *first = NULL, *entry = mapping->first;
    for (; entry != NULL; entry = entry->next) {
      const bool is_in_list = is_kinds ? trmi_kind_find(row->parts, entry->key) != NULL
                                       : trmi_word_find(lists[k], entry->key) >= 0;
      if (!is_in_list) continue;
      if (first != NULL) break;
      first = entry;
    }
    if (entry != NULL) {
      trmi_complain(c->complaints, entry->key_place, "%s has '%s' and '%s': give one of them",
                    shown_path(c), first->key, entry->key);
    } else if (first == NULL && k == 0) {
      char kinds[TRMI_CHOICES_BYTES];
      if (is_kinds) list_kinds(row->parts, kinds, sizeof kinds);
      trmi_complain(c->complaints, mapping->key != NULL ? mapping->key_place : mapping->place,
                    "%s needs one of %s", shown_path(c), is_kinds ? kinds : lists[k]);
    }
  }
}

/* A model must have something that moves. */
static void check_content(checker *c, const trmi_yaml *root) {
  for (const trmi_yaml *entry = root->first; entry != NULL; entry = entry->next) {
    if (trmi_word_find(TRMI_MODEL_CONTENT, entry->key) >= 0) return;
  }
  trmi_complain(c->complaints, root->place, "the model has no 'equations' and no 'bodies'");
}

static void check_mapping(checker *c, const trmi_field *row, const trmi_yaml *mapping) {
  if ((row->types & (TRMI_IS_MAP | TRMI_IS_NAMES | TRMI_IS_PARTS)) == 0) {
    complain_type(c, row, mapping);
    return;
  }
  if ((row->types & TRMI_IS_PARTS) != 0) return; /* their copies are checked */
  const trmi_yaml *before = NULL;
  for (const trmi_yaml *entry = mapping->first; entry != NULL; entry = entry->next) {
    if (is_cut(mapping, before, entry)) {
      trmi_complain(c->complaints, entry->key_place,
                    "%s", trmi_yaml_comma);
      c->is_whole = false;
      return;
    }
    if (is_decimal(mapping, before, entry)) {
      trmi_complain(c->complaints, entry->key_place, "a comma inside {..} ends a value: decimals "
                    "are written with a point, %.20s.%.20s", before->text.text, entry->key);
      c->is_whole = false;
      return;
    }
    check_entry(c, row, mapping, entry);
    before = entry;
  }
  if ((row->types & TRMI_IS_MAP) == 0) return;
  check_required(c, row, mapping);
  check_choice(c, row, mapping);
  if (row == trmi_schema_at(0)) check_content(c, mapping);
}

/* The entries of a list, or of a row of a matrix, are single values; false after a complaint. */
static bool check_entries(checker *c, const trmi_field *row, const trmi_yaml *list) {
  const bool is_text = (row->types & TRMI_IS_TEXTS) != 0;
  const bool is_expression = (row->types & TRMI_IS_EXPRESSIONS) != 0;
  if (list->count == 0) {
    trmi_complain(c->complaints, list->place, "%s: the list is empty", shown_path(c));
  }
  bool is_good = list->count > 0;
  for (const trmi_yaml *entry = list->first; entry != NULL; entry = entry->next) {
    if (entry->kind == TRMI_YAML_SCALAR && !trmi_yaml_is_missing(entry)) continue;
    is_good = false;
    trmi_complain(c->complaints, entry->place, "%s: %s is expected here", shown_path(c),
                  is_text ? "a text" : is_expression ? "an expression" : "a number");
  }
  return is_good;
}

static void check_matrix(checker *c, const trmi_field *row, const trmi_yaml *matrix) {
  const int columns = matrix->first->count;
  int number = 1;
  for (const trmi_yaml *line = matrix->first; line != NULL; line = line->next, number++) {
    if (line->kind != TRMI_YAML_SEQUENCE) {
      trmi_complain(c->complaints, line->place, "%s: a list is expected here, as in its first row",
                    shown_path(c));
      return;
    }
    if (!check_entries(c, row, line)) return;
    if (line->count == columns) continue;
    trmi_complain(c->complaints, line->place, "%s: row %d has %d numbers, the first has %d",
                  shown_path(c), number, line->count, columns);
    return;
  }
  const trmi_size size = {.rows = matrix->count, .columns = columns};
  if (trmi_field_has_size(row, TRMI_IS_MATRIX, size)) return;
  char content[80];
  trmi_field_content(row, TRMI_IS_MATRIX, content, sizeof content);
  trmi_complain(c->complaints, matrix->place, "%s must have %s, not %d x %d", shown_path(c),
                content, matrix->count, columns);
}

static void check_sequence(checker *c, const trmi_field *row, const trmi_yaml *list) {
  const unsigned type = row->types & LISTS;
  if (list->first != NULL && list->first->kind == TRMI_YAML_SEQUENCE &&
      (row->types & TRMI_IS_MATRIX) != 0) {
    check_matrix(c, row, list);
    return;
  }
  if (type == 0) {
    complain_type(c, row, list);
    return;
  }
  if (complain_cut(c, list)) return;
  if (!check_entries(c, row, list)) return;
  if (trmi_field_has_size(row, type, (trmi_size){.columns = list->count})) return;
  char content[80];
  trmi_field_content(row, type, content, sizeof content);
  const bool is_one = list->count == 1 && list->first->kind == TRMI_YAML_SCALAR &&
                      strpbrk(list->first->text.text, " ;") != NULL; /* [0 0 1] */
  trmi_complain(c->complaints, list->place, "%s must have %s, not %d%s", shown_path(c), content,
                list->count, is_one ? ": commas separate them" : "");
}

static const char *word_at(const void *list, int i) {
  return ((const char(*)[TRMI_WORD_BYTES])list)[i];
}

static void check_word(checker *c, const trmi_field *row, const trmi_yaml *node) {
  char words[WORDS_MAX][TRMI_WORD_BYTES], choices[TRMI_CHOICES_BYTES];
  int n = 0; /* candidates for the nearest word, limited by the array */
  if (trmi_field_has_choice(row, node->text.text)) return;
  for (int i = 0; trmi_field_choice(row, i, words[n]); i++) {
    if (n < WORDS_MAX - 1) n++;
  }
  trmi_field_choices(row, choices, sizeof choices);
  const char *near = trmi_schema_word_meant(row, node->text.text);
  if (near[0] == '\0') near = trm_nearest_close(node->text.text, words, n, word_at);
  const bool is_near = near[0] != '\0';
  trmi_complain(c->complaints, node->place, "'%.40s' is not a word for %s%s%s%s%s (%s)",
                node->text.text, shown_path(c), trmi_odd_quotes(node->text.text),
                is_near ? "; did you mean '" : "", near,
                is_near ? "'?" : "; known are", choices);
}

static void complain_missing(checker *c, const trmi_yaml *node) {
  trmi_complain(c->complaints, node->key != NULL ? node->key_place : node->place,
                "%s has no value", shown_path(c));
}

static void check_scalar(checker *c, const trmi_field *row, const trmi_yaml *node) {
  const unsigned scalars = TRMI_IS_EXPRESSION | TRMI_IS_NUMBER | TRMI_IS_COUNT | TRMI_IS_WORD |
                           TRMI_IS_TEXT;
  if ((row->types & scalars) == 0) {
    /* `forces:` with nothing under it is an empty mapping */
    if (!trmi_yaml_is_missing(node) || row == trmi_schema_at(0)) {
      complain_type(c, row, node);
    } else if ((row->types & TRMI_IS_MAP) != 0) {
      check_required(c, row, node);
      check_choice(c, row, node);
    } else if ((row->types & (TRMI_IS_NAMES | TRMI_IS_PARTS)) == 0) {
      complain_missing(c, node);
    }
    return;
  }
  const bool is_blank = node->text.text[strspn(node->text.text, " \t\r\n")] == '\0';
  if (trmi_yaml_is_missing(node) || is_blank) {
    complain_missing(c, node);
    return;
  }
  if ((row->types & scalars) == TRMI_IS_WORD) check_word(c, row, node);
}

static void check_node(checker *c, const trmi_field *row, const trmi_yaml *node) {
  switch (node->kind) {
  case TRMI_YAML_SCALAR: check_scalar(c, row, node); break;
  case TRMI_YAML_SEQUENCE: check_sequence(c, row, node); break;
  case TRMI_YAML_MAPPING: check_mapping(c, row, node); break;
  }
}

bool trmi_schema_check(const trmi_yaml *root, trmi_complaints *complaints) {
  checker c = {.complaints = complaints, .is_whole = true};
  check_node(&c, trmi_schema_at(0), root);
  return c.is_whole;
}
