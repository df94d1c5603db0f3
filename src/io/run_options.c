/* run_options.c - one table to write and to read the options. */
#include "io/run_options.h"
#include "io/run_format.h"
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum option_type { WORD, NUMBER, INTEGER, LONG, STEPS } option_type;

#define AT(member) offsetof(trm_options, member) /* keeps the table narrow */
enum { NEVER_GIVEN = 0 }; /* `tag` is the first member, so no flag is there */

static const struct {
  const char *name;
  option_type type;
  size_t      place;
  size_t      flag; /* offset of the boolean that marks it as given */
  bool        is_output;
} options_table[] = {
  {"integrator", WORD, AT(integrator), NEVER_GIVEN, false},
  {"formulation", WORD, AT(formulation), NEVER_GIVEN, false},
  {"solver", WORD, AT(solver), NEVER_GIVEN, false},
  {"start", NUMBER, AT(start), NEVER_GIVEN, false},
  {"end", NUMBER, AT(end), NEVER_GIVEN, true},
  {"step", STEPS, AT(steps), NEVER_GIVEN, false},
  {"tolerance", NUMBER, AT(tolerance), NEVER_GIVEN, false},
  {"step-max", NUMBER, AT(step_max), NEVER_GIVEN, false},
  {"step-min", NUMBER, AT(step_min), NEVER_GIVEN, false},
  {"step-first", NUMBER, AT(step_first), NEVER_GIVEN, false},
  {"max-order", INTEGER, AT(max_order), NEVER_GIVEN, false},
  {"error-in", WORD, AT(error_in), NEVER_GIVEN, false},
  {"scaling", WORD, AT(scaling), NEVER_GIVEN, false},
  {"passes", INTEGER, AT(passes), NEVER_GIVEN, false},
  {"step-control", WORD, AT(step_control), NEVER_GIVEN, false},
  {"energy-datum", NUMBER, AT(energy_datum), NEVER_GIVEN, false},
  {"energy-repetitions", INTEGER, AT(energy_repetitions), NEVER_GIVEN, false},
  {"energy-wait", INTEGER, AT(energy_wait), NEVER_GIVEN, false},
  {"energy-accept", NUMBER, AT(energy_accept), NEVER_GIVEN, false},
  {"energy-reduce", NUMBER, AT(energy_reduce), NEVER_GIVEN, false},
  {"energy-grow", NUMBER, AT(energy_grow), NEVER_GIVEN, false},
  {"energy-from", NUMBER, AT(energy_from), NEVER_GIVEN, false},
  {"energy-to", NUMBER, AT(energy_to), NEVER_GIVEN, false},
  {"max-iterations", INTEGER, AT(max_iterations), NEVER_GIVEN, false},
  {"newton-tolerance", NUMBER, AT(newton_tolerance), NEVER_GIVEN, false},
  {"constraint-tolerance", NUMBER, AT(constraint_tolerance), NEVER_GIVEN, false},
  {"impact-tolerance", NUMBER, AT(impact_tolerance), NEVER_GIVEN, false},
  {"alpha", NUMBER, AT(alpha), AT(has_alpha), false},
  {"rho", NUMBER, AT(rho), AT(has_rho), false},
  {"alpha-m", NUMBER, AT(alpha_m), AT(has_coefficients), false},
  {"alpha-f", NUMBER, AT(alpha_f), AT(has_coefficients), false},
  {"beta", NUMBER, AT(beta), AT(has_coefficients), false},
  {"gamma", NUMBER, AT(gamma), AT(has_coefficients), false},
  {"checkpoint-steps", LONG, AT(checkpoint_steps), NEVER_GIVEN, false},
  {"max-steps", LONG, AT(max_steps), NEVER_GIVEN, true},
  {"outputs", INTEGER, AT(outputs), NEVER_GIVEN, true},
  {"output-step", NUMBER, AT(output_step), NEVER_GIVEN, true},
};
enum { OPTIONS = sizeof options_table / sizeof *options_table };

void trmi_number_text(double number, char *text, size_t size) {
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, size, "%.*g", digits, number);
    if (strtod(text, NULL) == number) return;
  }
}

/* The list of fixed steps with commas between. */
static void write_steps(const trm_options *options, char *text, size_t size) {
  size_t used = 0;
  for (int i = 0; i < options->nsteps && used < size; i++) {
    if (i > 0) text[used++] = ',';
    trmi_number_text(options->steps[i], text + used, size - used);
    used += strlen(text + used);
  }
}

/* Empty text: the option is at its default of zero. */
static void write_value(const trm_options *options, int i, char *text, size_t size) {
  const char *place = (const char *)options + options_table[i].place;
  const size_t flag = options_table[i].flag;
  text[0] = '\0';
  if (flag != NEVER_GIVEN && !*(const bool *)((const char *)options + flag)) return;
  double number = 0.0;
  switch (options_table[i].type) {
  case WORD:
    if (*(const char *const *)place != NULL) snprintf(text, size, "%s", *(char *const *)place);
    return;
  case STEPS: write_steps(options, text, size); return;
  case NUMBER: number = *(const double *)place; break;
  case INTEGER: number = *(const int *)place; break;
  case LONG: number = (double)*(const long *)place; break;
  }
  if (options_table[i].place == AT(tolerance) && options->nsteps > 0) return;
  if ((number != 0.0 || flag != NEVER_GIVEN) && !isnan(number)) {
    trmi_number_text(number, text, size);
  }
}

int trm_options_write(const trm_options *options, trm_option_text texts[TRM_OPTION_TEXTS]) {
  if (options == NULL || texts == NULL) return 0;
  int count = 0;
  for (int i = 0; i < OPTIONS; i++) {
    trm_option_text *text = &texts[count];
    memset(text, 0, sizeof *text);
    snprintf(text->name, sizeof text->name, "%s", options_table[i].name);
    write_value(options, i, text->value, sizeof text->value);
    if (text->value[0] != '\0') count++;
  }
  return count;
}

static bool read_steps(trm_options *options, const char *text) {
  options->nsteps = 0;
  for (;;) {
    if (options->nsteps == TRM_STEPS_MAX) return false;
    char *end;
    const double step = strtod(text, &end);
    if (end == text || !isfinite(step)) return false;
    options->steps[options->nsteps++] = step;
    if (*end == '\0') return true;
    if (*end != ',') return false;
    text = end + 1;
  }
}

static bool read_value(trm_options *options, int i, const char *text) {
  char *place = (char *)options + options_table[i].place;
  if (options_table[i].type == STEPS) return read_steps(options, text);
  if (options_table[i].type == WORD) {
    *(const char **)place = text;
    return text[0] != '\0';
  }
  char *end;
  const double number = strtod(text, &end);
  if (end == text || *end != '\0' || !isfinite(number)) return false;
  if (options_table[i].type == NUMBER) {
    *(double *)place = number;
    return true;
  }
  if (!(fabs(number) <= 1e9) || number != floor(number)) return false;
  if (options_table[i].type == INTEGER) {
    *(int *)place = (int)number;
  } else {
    *(long *)place = (long)number;
  }
  return true;
}

bool trm_options_read(trm_options *options, const char *name, const char *value) {
  if (options == NULL || name == NULL || value == NULL) return false;
  for (int i = 0; i < OPTIONS; i++) {
    if (strcmp(options_table[i].name, name) != 0) continue;
    const size_t flag = options_table[i].flag;
    if (flag != NEVER_GIVEN) *(bool *)((char *)options + flag) = true;
    return read_value(options, i, value);
  }
  return false;
}

bool trm_options_shape_steps(const char *name) {
  for (int i = 0; i < OPTIONS && name != NULL; i++) {
    if (strcmp(options_table[i].name, name) == 0) return !options_table[i].is_output;
  }
  return true;
}
