/* model_csv.c - one column of a file of comma-separated values.
 *
 * Fields are separated by commas, semicolons, tabs, or blanks if the first line of data has none of
 * those. The first line may contain names. Lines that are empty or begin with # are skipped. */
#include "io/model_file.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MAX = 1000000 };

typedef struct csv {
  trm_model  *model;
  int         file;
  const char *text;
  size_t      length;
  char        separator;
} csv;

/* One line, without its end. */
typedef struct csv_line {
  const char *text;
  size_t      length;
  int         number;
} csv_line;

/* The next line with data after `at`; false at the end. */
static bool next_line(const csv *c, size_t *at, int *number, csv_line *line) {
  while (*at < c->length) {
    const char *text = c->text + *at;
    const char *end = memchr(text, '\n', c->length - *at);
    size_t length = end != NULL ? (size_t)(end - text) : c->length - *at;
    *at += length + 1;
    (*number)++;
    if (length > 0 && text[length - 1] == '\r') length--;
    if (*number == 1 && length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
      text += 3;
      length -= 3;
    }
    size_t blank = 0;
    while (blank < length && (text[blank] == ' ' || text[blank] == '\t')) blank++;
    if (blank == length || text[blank] == '#') continue;
    *line = (csv_line){.text = text, .length = length, .number = *number};
    return true;
  }
  return false;
}

/* Field number `index` of a line, without blanks and quotes around it; false: there is none.
 * Blanks as separators count once. */
static bool field_at(const csv *c, const csv_line *line, int index, const char **field,
                     size_t *length) {
  size_t p = 0;
  const bool is_blank = c->separator == ' ';
  for (int i = 0;; i++) {
    while (p < line->length && (line->text[p] == ' ' || (is_blank && line->text[p] == '\t'))) p++;
    if (is_blank && p >= line->length) return false;
    size_t end = p;
    const bool is_quoted = p < line->length && line->text[p] == '"';
    if (is_quoted) {
      const char *quote = memchr(line->text + p + 1, '"', line->length - p - 1);
      end = quote != NULL ? (size_t)(quote - line->text) + 1 : line->length;
    }
    while (end < line->length && line->text[end] != c->separator &&
           !(is_blank && line->text[end] == '\t')) {
      end++;
    }
    if (i == index) {
      size_t from = p, to = end;
      while (to > from && (line->text[to - 1] == ' ' || line->text[to - 1] == '\t')) to--;
      if (to > from + 1 && line->text[from] == '"' && line->text[to - 1] == '"') {
        from++;
        to--;
      }
      *field = line->text + from;
      *length = to - from;
      return true;
    }
    if (end >= line->length) return false;
    p = end + 1;
  }
}

static char find_separator(const csv_line *line) {
  static const char separators[] = {';', '\t', ','};
  for (size_t i = 0; i < sizeof separators; i++) {
    if (memchr(line->text, separators[i], line->length) != NULL) return separators[i];
  }
  return ' ';
}

/* Is the line a head? A head has a field that is not a number. */
static bool is_head(const csv *c, const csv_line *line) {
  const char *field;
  size_t length;
  double number;
  for (int i = 0; i < 1000 && field_at(c, line, i, &field, &length); i++) {
    if (length > 0 && !trmi_plain_number(field, length, &number)) return true;
  }
  return false;
}

/* May a message quote the text? A model can name any file of its user, so only text that plausibly
 * belongs to a table is shown: up to 40 letters of numbers, or of names and their units. */
static bool is_shown(const char *field, size_t length, bool is_number) {
  static const char number[] = "0123456789+-.eEdDxXnNaAiIfF_ ";
  static const char name[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                             "0123456789_.'()[] ";
  if (length == 0 || length > 40) return false;
  const char *letters = is_number ? number : name;
  for (size_t i = 0; i < length; i++) {
    if (field[i] == '\0' || strchr(letters, field[i]) == NULL) return false;
  }
  return true;
}

/* The names of a head, "t, x"; "" if one of them cannot be shown or no line of numbers follows. */
static void list_names(const csv *c, const csv_line *head, char *text, size_t size) {
  const char *field;
  size_t length, used = 0;
  csv_line next;
  size_t at = (size_t)(head->text - c->text) + head->length;
  int number = head->number;
  text[0] = '\0';
  if (!next_line(c, &at, &number, &next) || is_head(c, &next)) return;
  for (int i = 0; i < 1000 && field_at(c, head, i, &field, &length); i++) {
    if (!is_shown(field, length, false)) {
      text[0] = '\0';
      return;
    }
    const int more = snprintf(text + used, size - used, "%s%.*s", i > 0 ? ", " : "", (int)length,
                              field);
    used += (size_t)more;
    if (used >= size) return;
  }
}

/* Index of the column a node names, or -1 after a complaint. */
static int find_column(const csv *c, const csv_line *head, bool has_head, const trmi_yaml *node) {
  double number;
  const char *field;
  size_t length;
  const trmi_text *name = &node->text;
  for (int i = 0; has_head && i < 1000 && field_at(c, head, i, &field, &length); i++) {
    if (length == name->length && memcmp(field, name->text, length) == 0) return i;
  }
  const char *shown = c->model->sources.list[c->file].shown;
  if (!node->is_quoted && trmi_plain_number(name->text, name->length, &number)) {
    if (number >= 1 && number <= 1000 && number == (int)number &&
        field_at(c, head, (int)number - 1, &field, &length)) {
      return (int)number - 1;
    }
    trmi_complain(&c->model->complaints, node->place, "'%.100s' has no column %.20s", shown,
                  name->text);
  } else if (has_head) {
    char names[80];
    list_names(c, head, names, sizeof names);
    trmi_complain(&c->model->complaints, node->place, "'%.100s' has no column '%.60s'%s%s", shown,
                  name->text, names[0] != '\0' ? "; its columns are " : "", names);
  } else {
    trmi_complain(&c->model->complaints, node->place,
                  "'%.100s' has no line with names: give the number of the column", shown);
  }
  return -1;
}

static int count_lines(const csv *c) {
  int n = 1;
  for (size_t i = 0; i < c->length; i++) n += c->text[i] == '\n';
  return n < ROWS_MAX ? n : ROWS_MAX;
}

static bool take_number(const csv *c, const csv_line *line, int index, double *number) {
  const char *field;
  size_t length;
  const trmi_place place = {.file = c->file, .line = line->number, .column = 1};
  if (!field_at(c, line, index, &field, &length) || length == 0) {
    trmi_complain(&c->model->complaints, place, "the line has no value in column %d", index + 1);
    return false;
  }
  if (trmi_plain_number(field, length, number)) return true;
  const trmi_place there = {.file = c->file, .line = line->number,
                            .column = (int)(field - line->text) + 1};
  if (is_shown(field, length, true)) {
    trmi_complain(&c->model->complaints, there, "'%.*s' is not a number", (int)length, field);
  } else {
    trmi_complain(&c->model->complaints, there, "a number is expected here");
  }
  return false;
}

int trmi_csv_column(trm_model *m, int file, const trmi_yaml *node, double **values, int **lines) {
  csv c = {.model = m, .file = file, .text = m->sources.list[file].text,
           .length = m->sources.list[file].length};
  csv_line line;
  size_t at = 0;
  int number = 0;
  if (!next_line(&c, &at, &number, &line)) {
    trmi_complain(&m->complaints, node->place, "'%.100s' has no data",
                  m->sources.list[file].shown);
    return -1;
  }
  c.separator = find_separator(&line);
  const bool has_head = is_head(&c, &line);
  const int index = find_column(&c, &line, has_head, node);
  const int size = count_lines(&c);
  *values = TRMI_TAKE(&m->arena, double, size);
  *lines = TRMI_TAKE(&m->arena, int, size);
  if (index < 0 || m->arena.failed) return -1;
  bool is_more = has_head ? next_line(&c, &at, &number, &line) : true;
  int n = 0;
  for (; is_more && n < size; n++) {
    if (!take_number(&c, &line, index, &(*values)[n])) return -1;
    (*lines)[n] = line.number;
    is_more = next_line(&c, &at, &number, &line);
  }
  return n;
}
