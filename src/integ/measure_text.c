/* measure_text.c - read "max(load)", "at(load, 20 ms)", "crossing(angle, 0.5)". */
#include "integ/measure_text.h"
#include "expr/units.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[TRMI_REDUCTIONS] = {
  [TRMI_MAX] = "max", [TRMI_MIN] = "min", [TRMI_RMS] = "rms", [TRMI_MEAN] = "mean",
  [TRMI_FINAL] = "final", [TRMI_VALUE_AT] = "at", [TRMI_CROSSING] = "crossing",
};

/* Remove blanks at both ends of the text; `length` becomes its new length. */
static const char *trim(const char *text, size_t *length) {
  while (*length > 0 && isspace((unsigned char)*text)) text++, (*length)--;
  while (*length > 0 && isspace((unsigned char)text[*length - 1])) (*length)--;
  return text;
}

static int find_word(const char *text, size_t length) {
  for (int i = 0; i < TRMI_REDUCTIONS; i++) {
    if (strlen(words[i]) == length && strncmp(words[i], text, length) == 0) return i;
  }
  return -1;
}

/* Read a number, perhaps with a unit; false: it is not a number. */
static bool read_argument(const char *text, size_t length, bool is_time,
                          trmi_measure_text *read) {
  char *end;
  double *const number = &read->argument;
  text = trim(text, &length);
  *number = strtod(text, &end);
  if (length == 0 || end == text || end > text + length || !isfinite(*number)) return false;
  size_t left = length - (size_t)(end - text);
  const char *unit = trim(end, &left);
  if (left == 0) return true;
  const trmi_units si = trmi_units_si();
  double factor;
  if (trmi_unit_read(unit, left, &si, &read->dimension, &factor) != left) return false;
  *number *= factor;
  read->is_si = true;
  return !is_time || trmi_dimension_agrees(read->dimension, trmi_unit_dimension("s"));
}

static bool fail_form(const char *text, char fault[TRMI_MEASURE_FAULT]) {
  snprintf(fault, TRMI_MEASURE_FAULT, "'%.60s' is not a measure: write max(load), min, rms, mean "
           "or final of an output, at(load, 0.5) or crossing(load, 3)", text);
  return false;
}

bool trmi_measure_read(const char *text, trmi_measure_text *read,
                       char fault[TRMI_MEASURE_FAULT]) {
  *read = (trmi_measure_text){.level = NULL};
  size_t length = strlen(text);
  const char *from = trim(text, &length), *open = memchr(from, '(', length), *comma = NULL;
  if (open == NULL || from[length - 1] != ')') return fail_form(text, fault);
  const char *close = from + length - 1;
  size_t word = (size_t)(open - from);
  trim(from, &word);
  const int reduction = find_word(from, word);
  if (reduction < 0) return fail_form(text, fault);
  const bool takes_number = reduction == TRMI_VALUE_AT || reduction == TRMI_CROSSING;
  int depth = 0; /* commas inside of parentheses belong to the expression */
  for (const char *p = open + 1; p < close; p++) {
    depth += *p == '(' ? 1 : *p == ')' ? -1 : 0;
    if (depth < 0) return fail_form(text, fault);
    if (*p == ',' && depth == 0 && takes_number) comma = p;
  }
  const char *end = comma != NULL ? comma : close;
  *read = (trmi_measure_text){.reduction = (trmi_reduction)reduction,
                              .length = (size_t)(end - open) - 1};
  read->signal = trim(open + 1, &read->length);
  if (read->length == 0) return fail_form(text, fault);
  const bool is_time = reduction == TRMI_VALUE_AT;
  if (comma != NULL && !read_argument(comma + 1, (size_t)(close - comma) - 1, is_time,
                                      read)) {
    snprintf(fault, TRMI_MEASURE_FAULT, "'%.60s': %s is expected after the comma", text,
             is_time ? "a time, such as 0.5 or 20 ms" : "a number, such as 3 or 20 mm");
    read->level_length = (size_t)(close - comma) - 1;
    read->level = trim(comma + 1, &read->level_length);
    return false;
  }
  if (is_time && comma == NULL) {
    snprintf(fault, TRMI_MEASURE_FAULT, "'%.60s' needs a time: at(load, 0.5)", text);
    return false;
  }
  return true;
}
