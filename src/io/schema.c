/* schema.c - compare a tree with the table of keys. */
#include "io/schema.h"
#include "core/nearest.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_MAX_BYTES = 200, NAME_MAX = 47, WORDS_MAX = 64 };
enum { LISTS = TRMI_IS_NUMBERS | TRMI_IS_TEXTS | TRMI_IS_EXPRESSIONS };

typedef struct checker {
  trmi_complaints *complaints;
  char             path[PATH_MAX_BYTES]; /* of the node looked at                       */
  bool             is_whole;             /* no section of names was lost                */
} checker;

/* ---- ranges and choices --------------------------------------------------- */

static bool has_range(const trmi_schema_row *row) {
  return row->low != 0.0 || row->high != 0.0;
}

void trmi_schema_range(const trmi_schema_row *row, char *text, size_t size) {
  const char *low = (row->open & TRMI_OPEN_LOW) != 0 ? "greater than" : "at least";
  const char *high = (row->open & TRMI_OPEN_HIGH) != 0 ? "less than" : "at most";
  if (!has_range(row)) {
    snprintf(text, size, "finite");
  } else if (isfinite(row->high)) {
    snprintf(text, size, "%s %.4g and %s %.4g", low, row->low, high, row->high);
  } else {
    snprintf(text, size, "%s %.4g", low, row->low);
  }
}

bool trmi_schema_is_in_range(const trmi_schema_row *row, double number) {
  if (!isfinite(number)) return false;
  if (!has_range(row)) return true;
  const bool is_high_enough =
      (row->open & TRMI_OPEN_LOW) != 0 ? number > row->low : number >= row->low;
  const bool is_low_enough =
      (row->open & TRMI_OPEN_HIGH) != 0 ? number < row->high : number <= row->high;
  return is_high_enough && is_low_enough;
}

int trmi_schema_choice(const char *choices, const char *word) {
  const size_t length = strlen(word);
  int number = 0;
  for (const char *part = choices; *part != '\0'; number++) {
    const size_t n = strcspn(part, "|");
    if (n == length && strncmp(part, word, n) == 0) return number;
    part += n + (part[n] == '|' ? 1 : 0);
  }
  return -1;
}

bool trmi_schema_word_at(const char *choices, int i, char word[TRMI_WORD_BYTES]) {
  const char *part = choices;
  for (; i > 0 && *part != '\0'; i--) {
    part += strcspn(part, "|");
    part += *part == '|' ? 1 : 0;
  }
  snprintf(word, TRMI_WORD_BYTES, "%.*s", (int)strcspn(part, "|"), part);
  return *part != '\0';
}

bool trmi_schema_choice_at(const trmi_schema_row *row, int i, char word[TRMI_WORD_BYTES]) {
  if (row->choice_at == NULL) {
    return row->choices != NULL && trmi_schema_word_at(row->choices, i, word);
  }
  const char *name = row->choice_at(i);
  snprintf(word, TRMI_WORD_BYTES, "%s", name != NULL ? name : "");
  return name != NULL;
}

void trmi_schema_choices(const trmi_schema_row *row, char *text, size_t size) {
  char word[TRMI_WORD_BYTES];
  size_t n = 0;
  text[0] = '\0';
  for (int i = 0; trmi_schema_choice_at(row, i, word) && n < size; i++) {
    n += (size_t)snprintf(text + n, size - n, "%s%s", i > 0 ? "|" : "", word);
  }
}

/* ---- sizes ------------------------------------------------------------------ */

bool trmi_schema_size_at(const trmi_schema_row *row, unsigned type, int i, trmi_size *size) {
  char word[TRMI_WORD_BYTES];
  if (row->sizes == NULL) return false;
  for (int k = 0; trmi_schema_word_at(row->sizes, k, word); k++) {
    const char *cross = strchr(word, 'x');
    if ((cross != NULL) != (type == TRMI_IS_MATRIX) || i-- > 0) continue;
    const int rows = word[0] == 'n' ? TRMI_ANY_SIZE : (int)strtol(word, NULL, 10);
    *size = cross == NULL ? (trmi_size){.rows = 0, .columns = rows}
                          : (trmi_size){.rows = rows, .columns = (int)strtol(cross + 1, NULL, 10)};
    return true;
  }
  return false;
}

static bool has_size(const trmi_schema_row *row, unsigned type, trmi_size is) {
  trmi_size size;
  int i = 0;
  for (; trmi_schema_size_at(row, type, i, &size); i++) {
    const bool has_rows = size.rows == TRMI_ANY_SIZE ? is.rows >= 2 : size.rows == is.rows;
    if (has_rows && size.columns == is.columns) return true;
  }
  return i == 0;
}

void trmi_schema_content(const trmi_schema_row *row, unsigned type, char *text, size_t size) {
  char sizes[60] = "";
  trmi_size one;
  for (int i = 0; trmi_schema_size_at(row, type, i, &one); i++) {
    const char *between = i > 0 ? " or " : "";
    char *end = sizes + strlen(sizes);
    const size_t left = sizeof sizes - strlen(sizes);
    if (type != TRMI_IS_MATRIX) {
      snprintf(end, left, "%s%d", between, one.columns);
    } else if (one.rows == TRMI_ANY_SIZE) {
      snprintf(end, left, "%sn x %d", between, one.columns);
    } else {
      snprintf(end, left, "%s%d x %d", between, one.rows, one.columns);
    }
  }
  snprintf(text, size, "%s%s%s", sizes, sizes[0] != '\0' ? " " : "",
           type == TRMI_IS_TEXTS ? "texts" : type == TRMI_IS_EXPRESSIONS ? "expressions"
                                                                         : "numbers");
}

/* ---- words for messages --------------------------------------------------- */

/* "a number or a mapping" */
static void describe_types(const trmi_schema_row *row, char *text, size_t size) {
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
      trmi_schema_content(row, bit, content, sizeof content);
    }
    const int more = snprintf(text + used, size - used, "%s%s%s", used > 0 ? " or " : "",
                              names[i].words, content);
    used += (size_t)more;
  }
}

/* Messages leave out the first word of equations.coordinates.x: it says nothing. */
static const char *shown_path(const checker *c) {
  const char *path = c->path;
  if (strncmp(path, "equations.", strlen("equations.")) == 0) path += strlen("equations.");
  return path[0] != '\0' ? path : "the model";
}

/* Without this section names of the user are unknown. */
static bool holds_names(const trmi_schema_row *row) {
  static const char sections[] = "parameters|bodies|beams|joints|motions|forces";
  const bool is_equations = strncmp(row->path, "equations", strlen("equations")) == 0;
  return strchr(row->path, '*') == NULL &&
         (is_equations || trmi_schema_choice(sections, row->path) >= 0 || row->path[0] == '\0');
}

static void complain_type(checker *c, const trmi_schema_row *row, const trmi_yaml *node) {
  static const char *const kinds[] = {"a single value", "a list", "a mapping"};
  char types[200];
  describe_types(row, types, sizeof types);
  trmi_complain(c->complaints, node->place, "%s must be %s, not %s", shown_path(c), types,
                kinds[node->kind]);
  if (holds_names(row)) c->is_whole = false;
}

/* ---- keys ------------------------------------------------------------------ */

static const char *child_name(const void *row, int i) {
  const trmi_schema_row *child = trmi_schema_child_at(row, i);
  return child != NULL ? trmi_schema_key(child) : NULL;
}

static int count_children(const trmi_schema_row *row) {
  int n = 0;
  while (trmi_schema_child_at(row, n) != NULL) n++;
  return n;
}

static int count_letter(const char *text, char letter) {
  int n = 0;
  for (; *text != '\0'; text++) n += *text == letter;
  return n;
}

/* {r: atan2(y, x)}: the comma has cut the expression in two. */
static bool is_cut(const trmi_yaml *mapping, const trmi_yaml *before, const trmi_yaml *entry) {
  if (!mapping->is_flow || before == NULL || before->kind != TRMI_YAML_SCALAR ||
      before->is_quoted || !trmi_yaml_is_missing(entry)) {
    return false;
  }
  return count_letter(before->text.text, '(') > count_letter(before->text.text, ')') ||
         count_letter(before->text.text, '[') > count_letter(before->text.text, ']');
}

/* "value, guess, velocity", of a long list its beginning. */
static void list_keys(const trmi_schema_row *row, char text[160]) {
  enum { ENOUGH = 100 };
  size_t used = 0;
  const trmi_schema_row *child;
  text[0] = '\0';
  for (int i = 0; (child = trmi_schema_child_at(row, i)) != NULL; i++) {
    const char *key = used > ENOUGH ? ".." : trmi_schema_key(child);
    used += (size_t)snprintf(text + used, 160 - used, "%s%.40s", i > 0 ? ", " : "", key);
    if (key[0] == '.') return;
  }
}

static void complain_unknown(checker *c, const trmi_schema_row *row, const trmi_yaml *entry) {
  const char *nearest = trmi_nearest_close(entry->key, row, count_children(row), child_name);
  char keys[160];
  list_keys(row, keys);
  if (nearest[0] != '\0') {
    trmi_complain(c->complaints, entry->key_place, "unknown key '%.60s' in %s; did you mean '%s'?",
                  entry->key, shown_path(c), nearest);
  } else {
    trmi_complain(c->complaints, entry->key_place, "unknown key '%.60s' in %s; known are %s",
                  entry->key, shown_path(c), keys);
  }
  if (row->path[0] == '\0' || strcmp(row->path, "equations") == 0) c->is_whole = false;
}

static bool is_word_letter(char letter, bool is_first) {
  const bool is_letter = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
  return is_letter || letter == '_' || (!is_first && letter >= '0' && letter <= '9');
}

static void check_name(checker *c, const trmi_schema_row *row, const trmi_yaml *entry) {
  const size_t length = strlen(entry->key);
  if (length > NAME_MAX) {
    trmi_complain(c->complaints, entry->key_place,
                  "the name '%.20s..' has %zu letters, the longest have %d", entry->key, length,
                  NAME_MAX);
  }
  if (row->names == TRMI_NAME_TEXT) return;
  bool is_first = true;
  for (const char *p = entry->key; *p != '\0'; p++) {
    const bool is_dot = *p == '.' && !is_first && p[1] != '\0' && row->names == TRMI_NAME_WORD;
    if (!is_dot && !is_word_letter(*p, is_first)) {
      trmi_complain(c->complaints, entry->key_place,
                    "'%.60s' cannot be a name: names have letters, digits and _, "
                    "and do not begin with a digit", entry->key);
      return;
    }
    is_first = is_dot;
  }
}

/* ---- values ---------------------------------------------------------------- */

static void check_node(checker *c, const trmi_schema_row *row, const trmi_yaml *node);

static void check_entry(checker *c, const trmi_schema_row *row, const trmi_yaml *entry) {
  const size_t length = strlen(c->path);
  const trmi_schema_row *child = trmi_schema_child(row, entry->key);
  if (child == NULL) {
    complain_unknown(c, row, entry);
    return;
  }
  if ((row->types & TRMI_IS_NAMES) != 0) check_name(c, row, entry);
  snprintf(c->path + length, sizeof c->path - length, "%s%.60s", length > 0 ? "." : "",
           entry->key);
  check_node(c, child, entry);
  c->path[length] = '\0';
}

static void check_required(checker *c, const trmi_schema_row *row, const trmi_yaml *mapping) {
  const trmi_schema_row *child = row;
  while ((child = trmi_schema_next_child(row, child)) != NULL) {
    if (!child->is_required) continue;
    const char *key = trmi_schema_key(child);
    if (trmi_yaml_find(mapping, key) != NULL) continue;
    const trmi_place place = mapping->key != NULL ? mapping->key_place : mapping->place;
    trmi_complain(c->complaints, place, "%s has no '%s'", shown_path(c), key);
  }
}

/* Exactly one of the keys in one_of, at most one of those in not_both. */
static void check_choice(checker *c, const trmi_schema_row *row, const trmi_yaml *mapping) {
  const char *const lists[] = {row->one_of, row->not_both};
  for (int k = 0; k < 2; k++) {
    if (lists[k] == NULL) continue;
    const trmi_yaml *first = NULL, *entry = mapping->first;
    for (; entry != NULL; entry = entry->next) {
      if (trmi_schema_choice(lists[k], entry->key) < 0) continue;
      if (first != NULL) break;
      first = entry;
    }
    if (entry != NULL) {
      trmi_complain(c->complaints, entry->key_place, "%s has '%s' and '%s': give one of them",
                    shown_path(c), first->key, entry->key);
    } else if (first == NULL && k == 0) {
      trmi_complain(c->complaints, mapping->key != NULL ? mapping->key_place : mapping->place,
                    "%s needs one of %s", shown_path(c), row->one_of);
    }
  }
}

/* A model has something that moves. */
static void check_content(checker *c, const trmi_yaml *root) {
  for (const trmi_yaml *entry = root->first; entry != NULL; entry = entry->next) {
    if (trmi_schema_choice(TRMI_MODEL_CONTENT, entry->key) >= 0) return;
  }
  trmi_complain(c->complaints, root->place, "the model has no 'equations' and no 'bodies'");
}

static void check_mapping(checker *c, const trmi_schema_row *row, const trmi_yaml *mapping) {
  if ((row->types & (TRMI_IS_MAP | TRMI_IS_NAMES | TRMI_IS_PARTS)) == 0) {
    complain_type(c, row, mapping);
    return;
  }
  if ((row->types & TRMI_IS_PARTS) != 0) return; /* their copies are checked */
  const trmi_yaml *before = NULL;
  for (const trmi_yaml *entry = mapping->first; entry != NULL; entry = entry->next) {
    if (is_cut(mapping, before, entry)) {
      trmi_complain(c->complaints, entry->key_place,
                    "a comma inside {..} ends a value: put the expression before it in quotes");
      c->is_whole = false;
      return;
    }
    check_entry(c, row, entry);
    before = entry;
  }
  if ((row->types & TRMI_IS_MAP) == 0) return;
  check_required(c, row, mapping);
  check_choice(c, row, mapping);
  if (row->path[0] == '\0') check_content(c, mapping);
}

/* The entries of a list, or of a row of a matrix, are single values; false after a complaint. */
static bool check_entries(checker *c, const trmi_schema_row *row, const trmi_yaml *list) {
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

static void check_matrix(checker *c, const trmi_schema_row *row, const trmi_yaml *matrix) {
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
  if (has_size(row, TRMI_IS_MATRIX, (trmi_size){matrix->count, columns})) return;
  char content[80];
  trmi_schema_content(row, TRMI_IS_MATRIX, content, sizeof content);
  trmi_complain(c->complaints, matrix->place, "%s must have %s, not %d x %d", shown_path(c),
                content, matrix->count, columns);
}

static void check_sequence(checker *c, const trmi_schema_row *row, const trmi_yaml *list) {
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
  if (!check_entries(c, row, list) || has_size(row, type, (trmi_size){0, list->count})) return;
  char content[80];
  trmi_schema_content(row, type, content, sizeof content);
  trmi_complain(c->complaints, list->place, "%s must have %s, not %d", shown_path(c), content,
                list->count);
}

static const char *word_at(const void *list, int i) {
  return ((const char(*)[TRMI_WORD_BYTES])list)[i];
}

static void check_word(checker *c, const trmi_schema_row *row, const trmi_yaml *node) {
  char words[WORDS_MAX][TRMI_WORD_BYTES], choices[TRMI_CHOICES_BYTES];
  int n = 0; /* words to be near to: not more than there is room for */
  for (int i = 0; trmi_schema_choice_at(row, i, words[n]); i++) {
    if (strcmp(words[n], node->text.text) == 0) return;
    if (n < WORDS_MAX - 1) n++;
  }
  trmi_schema_choices(row, choices, sizeof choices);
  const char *near = trmi_nearest_close(node->text.text, words, n, word_at);
  const bool is_near = near[0] != '\0';
  trmi_complain(c->complaints, node->place, "'%.40s' is not a word for %s%s%s%s (%s)",
                node->text.text, shown_path(c), is_near ? "; did you mean '" : "", near,
                is_near ? "'?" : "; known are", choices);
}

static void complain_missing(checker *c, const trmi_yaml *node) {
  trmi_complain(c->complaints, node->key != NULL ? node->key_place : node->place,
                "%s has no value", shown_path(c));
}

static void check_scalar(checker *c, const trmi_schema_row *row, const trmi_yaml *node) {
  const unsigned scalars = TRMI_IS_EXPRESSION | TRMI_IS_NUMBER | TRMI_IS_COUNT | TRMI_IS_WORD |
                           TRMI_IS_TEXT;
  if ((row->types & scalars) == 0) {
    /* `forces:` with nothing under it is an empty mapping */
    if (!trmi_yaml_is_missing(node) || row->path[0] == '\0') {
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

static void check_node(checker *c, const trmi_schema_row *row, const trmi_yaml *node) {
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
