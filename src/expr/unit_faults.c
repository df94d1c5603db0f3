/* unit_faults.c - suggestions for a word after a number that is not a unit. */
#include "expr/lexer.h"
#include "expr/functions.h"
#include "trammel/nearest.h"
#include <stdio.h>
#include <string.h>

enum { WORD_MAX = 64 }; /* letters of a word in a sentence */

static const char *unit_at(const void *unused, int i) {
  (void)unused;
  return trmi_unit_name(i, NULL);
}

/* "Nm": two units without a sign between them; the letters of the first, or 0. */
static size_t joined_units(const char *word, size_t length) {
  trmi_dimension first, second;
  double si;
  for (size_t i = 1; i < length; i++) {
    if (!trmi_unit_find(word, i, &first, &si)) continue;
    if (!trmi_unit_find(word + i, length - i, &second, &si)) continue;
    if (!trmi_dimension_agrees(first, second)) return i; /* otherwise a letter too many, "mmm" */
  }
  return 0;
}

/* The unit meant by a word or by a sign of another program; "": none. */
static const char *unit_of_word(const char *word) {
  static const char *const words[][2] = {
    {"sec", "s"},      {"secs", "s"},   {"second", "s"},    {"seconds", "s"}, {"hr", "h"},
    {"meter", "m"},    {"metre", "m"},  {"meters", "m"},    {"metres", "m"},  {"degree", "deg"},
    {"degrees", "deg"}, {"radian", "rad"}, {"radians", "rad"}, {"newton", "N"}, {"lbs", "lb"},
    {"inch", "in"},    {"feet", "ft"},  {"gram", "g"},      {"hertz", "Hz"},  {"RPM", "rpm"},
    {"U", "rpm"},      {"Grad", "deg"}, {"\u00b5m", "um"},  {"\u03bcm", "um"},
    {"\u00b5s", "us"}, {"\u03bcs", "us"}};
  trmi_dimension dimension;
  double si;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    const char *unit = words[i][1];
    if (strcmp(words[i][0], word) == 0 && trmi_unit_find(unit, strlen(unit), &dimension, &si)) {
      return unit;
    }
  }
  return "";
}

static bool is_temperature(const char *word, size_t length) {
  static const char *const words[] = {"K", "C", "F", "degC", "degF", "degK", "kelvin", "celsius",
                                      "Kelvin", "Celsius"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (strlen(words[i]) == length && memcmp(words[i], word, length) == 0) return true;
  }
  return false;
}

bool trmi_unit_is_electrical(const char *word, size_t length) {
  static const char *const words[] = {"A", "V", "Ohm", "ohm", "mA", "mV", "kV", "kOhm", "mH", "uF",
                                      "Wb", "T", "amp", "volt"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (strlen(words[i]) == length && memcmp(words[i], word, length) == 0) return true;
  }
  return false;
}

/* "kgs": a plural; the letters of the unit, or 0. */
static size_t plural_of(const char *word, size_t length) {
  trmi_dimension dimension;
  double si;
  const bool is_plural = length > 2 && word[length - 1] == 's' &&
                         trmi_unit_find(word, length - 1, &dimension, &si);
  return is_plural ? length - 1 : 0;
}

/* "m2", "kgm2": an exponent without its sign; false: it is none. */
static bool fault_of_exponent(trmi_lexer *lx, const char *word, size_t length) {
  trmi_dimension dimension;
  double si;
  const bool has_digit = length > 1 && word[length - 1] >= '2' && word[length - 1] <= '4';
  const size_t first = has_digit ? joined_units(word, length - 1) : 0;
  const bool is_unit = has_digit && trmi_unit_find(word, length - 1, &dimension, &si);
  if (first == 0 && !is_unit) return false;
  const int n = trmi_clip(word, length), rest = (int)(length - 1 - first);
  trmi_lexer_fault(lx, lx->cursor.place, "'%.*s' is not a unit; did you mean '%.*s%s%.*s^%c'?", n,
                   word, (int)first, word, first > 0 ? "*" : "", rest, word + first,
                   word[length - 1]);
  return true;
}

void trmi_lexer_fault_unit(trmi_lexer *lx, const char *word, size_t length) {
  const trmi_token *number = &lx->token;
  const trmi_place place = lx->cursor.place;
  const int n = trmi_clip(word, length);
  const bool is_pi = length == 2 && (memcmp(word, "pi", 2) == 0 || memcmp(word, "PI", 2) == 0);
  if (trmi_scope_knows(lx->parser->scope, word, length) || trmi_callable_find(word, length) ||
      is_pi) {
    trmi_lexer_fault(lx, place, "an operator is missing before '%.*s': write %.*s*%.*s", n, word,
                     trmi_clip(number->text, number->length), number->text, n, word);
    return;
  }
  if (is_temperature(word, length)) {
    trmi_lexer_fault(lx, place, "'%.*s' is not a unit that is known: temperatures are plain "
                     "numbers, all in the same unit", n, word);
    return;
  }
  if (trmi_unit_is_electrical(word, length)) {
    trmi_lexer_fault(lx, place, "'%.*s' is not a unit that is known: " TRMI_ELECTRICAL, n, word);
    return;
  }
  if (fault_of_exponent(lx, word, length)) return;
  const size_t first = joined_units(word, length), plural = plural_of(word, length);
  if (first > 0 && first == plural) {
    trmi_lexer_fault(lx, place, "'%.*s' is not a unit; did you mean '%.*s', or '%.*s*s'?", n, word,
                     (int)first, word, (int)first, word);
    return;
  }
  if (first > 0 && plural == 0) {
    trmi_lexer_fault(lx, place, "'%.*s' is not a unit; did you mean '%.*s*%.*s'?", n, word,
                     (int)first, word, (int)(length - first), word + first);
    return;
  }
  char copy[WORD_MAX];
  snprintf(copy, sizeof copy, "%.*s", n, word);
  int units = 0;
  while (trmi_unit_name(units, NULL) != NULL) units++;
  const char *near = unit_of_word(copy);
  if (near[0] == '\0') near = trm_nearest_close(copy, NULL, units, unit_at);
  trmi_lexer_fault(lx, place, near[0] != '\0' ? "'%.*s' is not a unit; did you mean '%s'?"
                                              : "'%.*s' is not a unit that is known%s",
                   n, word, near);
}
