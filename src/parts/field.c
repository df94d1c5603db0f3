/* field.c - questions about rows of tables of keys. */
#include "parts/field.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows below a row ------------------------------------------------------- */

const char *trmi_field_key(const trmi_field *row) {
  const char *dot = strrchr(row->path, '.');
  return dot != NULL ? dot + 1 : row->path;
}

/* The rest of a path below that of `row`, NULL: it is not below. */
static const char *path_below(const trmi_field *row, const char *path) {
  const size_t length = strlen(row->path);
  if (path == NULL || length == 0) return path;
  if (strncmp(path, row->path, length) != 0 || path[length] != '.') return NULL;
  return path + length + 1;
}

const trmi_field *trmi_field_next(const trmi_field *row, const trmi_field *last) {
  const char *rest;
  const trmi_field *other = last + 1;
  for (; (rest = path_below(row, other->path)) != NULL; other++) {
    if (strchr(rest, '.') == NULL) return other;
  }
  return NULL;
}

const trmi_field *trmi_field_child_at(const trmi_field *row, int i) {
  const trmi_field *child = trmi_field_next(row, row);
  for (; i > 0 && child != NULL; i--) child = trmi_field_next(row, child);
  return child;
}

const trmi_field *trmi_field_child(const trmi_field *row, const char *key) {
  if ((row->types & TRMI_IS_NAMES) != 0) return trmi_field_next(row, row);
  const char *rest;
  const trmi_field *other = row + 1;
  for (; (rest = path_below(row, other->path)) != NULL; other++) {
    if (strcmp(rest, key) == 0) return other;
  }
  return NULL;
}

trmi_dimension trmi_field_dimension(const trmi_field *row) {
  trmi_dimension dimension = {.is_known = false};
  if (row->unit == NULL) return dimension;
  double factor;
  const trmi_units si = trmi_units_si();
  trmi_unit_read(row->unit, strlen(row->unit), &si, &dimension, &factor);
  dimension.is_known = true;
  return dimension;
}

trmi_change trmi_field_change(const trmi_field *row) {
  const bool is_expression = (row->types & (TRMI_IS_EXPRESSION | TRMI_IS_EXPRESSIONS)) != 0;
  return is_expression && row->store == TRMI_STORE_NUMBERS ? TRMI_LIVE_NUMBER : row->change;
}

const char *trmi_field_change_word(const trmi_field *row) {
  static const char *const words[] = {[TRMI_STRUCTURAL] = "structural",
                                      [TRMI_LIVE] = "live",
                                      [TRMI_DERIVED] = "derived",
                                      [TRMI_LIVE_NUMBER] = "live as a number"};
  const trmi_change change = trmi_field_change(row);
  const bool is_single = row->shorthand != NULL && (row->types & TRMI_IS_MAP) == 0;
  if (is_single) return trmi_field_change_word(trmi_field_child(row, row->shorthand));
  const bool holds_others = (row->types & (TRMI_IS_MAP | TRMI_IS_NAMES)) != 0;
  const bool is_value = row->member != NULL && !holds_others;
  return is_value || change != TRMI_STRUCTURAL ? words[change] : "";
}

void trmi_field_fallback(const trmi_field *row, char *text, size_t size) {
  const bool is_number = row->has_initial && row->fallback == NULL;
  const bool is_list = (row->types & (TRMI_IS_NUMBER | TRMI_IS_COUNT)) == 0;
  size_t used = (size_t)snprintf(text, size, "%s", row->fallback != NULL ? row->fallback : "");
  if (is_number && !is_list) snprintf(text, size, "%g", row->initial);
  if (!is_number || !is_list) return;
  for (int i = 0; i < row->room && used < size; i++) {
    used += (size_t)snprintf(text + used, size - used, "%s%g%s", i > 0 ? ", " : "[", row->initial,
                             i + 1 < row->room ? "" : "]");
  }
}

/* ---- ranges and choices --------------------------------------------------- */

static bool has_range(const trmi_field *row) {
  return row->low != 0.0 || row->high != 0.0;
}

void trmi_field_range(const trmi_field *row, char *text, size_t size) {
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

bool trmi_field_allows(const trmi_field *row, double number) {
  if (!isfinite(number)) return false;
  if (!has_range(row)) return true;
  const bool is_high_enough =
      (row->open & TRMI_OPEN_LOW) != 0 ? number > row->low : number >= row->low;
  const bool is_low_enough =
      (row->open & TRMI_OPEN_HIGH) != 0 ? number < row->high : number <= row->high;
  return is_high_enough && is_low_enough;
}

int trmi_word_find(const char *choices, const char *word) {
  const size_t length = strlen(word);
  int number = 0;
  for (const char *part = choices; *part != '\0'; number++) {
    const size_t n = strcspn(part, "|");
    if (n == length && strncmp(part, word, n) == 0) return number;
    part += n + (part[n] == '|' ? 1 : 0);
  }
  return -1;
}

bool trmi_word_at(const char *choices, int i, char word[TRMI_WORD_BYTES]) {
  const char *part = choices;
  for (; i > 0 && *part != '\0'; i--) {
    part += strcspn(part, "|");
    part += *part == '|' ? 1 : 0;
  }
  snprintf(word, TRMI_WORD_BYTES, "%.*s", (int)strcspn(part, "|"), part);
  return *part != '\0';
}

bool trmi_field_choice(const trmi_field *row, int i, char word[TRMI_WORD_BYTES]) {
  if (row->choice_at == NULL) {
    return row->choices != NULL && trmi_word_at(row->choices, i, word);
  }
  const char *name = row->choice_at(i);
  snprintf(word, TRMI_WORD_BYTES, "%s", name != NULL ? name : "");
  return name != NULL;
}

bool trmi_field_has_choice(const trmi_field *row, const char *word) {
  const char *name;
  if (row->choice_at == NULL) {
    return row->choices != NULL && trmi_word_find(row->choices, word) >= 0;
  }
  for (int i = 0; (name = row->choice_at(i)) != NULL; i++) {
    if (strcmp(name, word) == 0) return true;
  }
  return false;
}

void trmi_field_choices(const trmi_field *row, char *text, size_t size) {
  char word[TRMI_WORD_BYTES];
  size_t n = 0;
  text[0] = '\0';
  for (int i = 0; trmi_field_choice(row, i, word) && n < size; i++) {
    n += (size_t)snprintf(text + n, size - n, "%s%s", i > 0 ? "|" : "", word);
  }
}

/* ---- sizes ------------------------------------------------------------------ */

bool trmi_field_size(const trmi_field *row, unsigned type, int i, trmi_size *size) {
  if (row->sizes == NULL) return false;
  for (const char *word = row->sizes, *end; *word != '\0'; word = end + (*end == '|' ? 1 : 0)) {
    end = word + strcspn(word, "|");
    const char *cross = memchr(word, 'x', (size_t)(end - word));
    if ((cross != NULL) != (type == TRMI_IS_MATRIX) || i-- > 0) continue;
    char *after;
    const int rows = (int)strtol(word, &after, 10);
    *size = cross == NULL ? (trmi_size){.rows = 0, .columns = rows}
                          : (trmi_size){.rows = rows, .columns = (int)strtol(cross + 1, NULL, 10),
                                        .or_more = *after == '+'};
    return true;
  }
  return false;
}

bool trmi_field_has_size(const trmi_field *row, unsigned type, trmi_size is) {
  trmi_size size;
  int i = 0;
  for (; trmi_field_size(row, type, i, &size); i++) {
    const bool has_rows = size.or_more ? is.rows >= size.rows : size.rows == is.rows;
    if (has_rows && size.columns == is.columns) return true;
  }
  return i == 0;
}

void trmi_field_content(const trmi_field *row, unsigned type, char *text, size_t size) {
  char sizes[60] = "";
  trmi_size one;
  for (int i = 0; trmi_field_size(row, type, i, &one); i++) {
    const char *between = i > 0 ? " or " : "";
    char *end = sizes + strlen(sizes);
    const size_t left = sizeof sizes - strlen(sizes);
    if (type != TRMI_IS_MATRIX) {
      snprintf(end, left, "%s%d", between, one.columns);
    } else if (one.or_more) {
      snprintf(end, left, "%sn x %d", between, one.columns);
    } else {
      snprintf(end, left, "%s%d x %d", between, one.rows, one.columns);
    }
  }
  snprintf(text, size, "%s%s%s", sizes, sizes[0] != '\0' ? " " : "",
           type == TRMI_IS_TEXTS ? "texts" : type == TRMI_IS_EXPRESSIONS ? "expressions"
                                                                         : "numbers");
}
