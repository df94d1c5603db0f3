/* registry.c - the table of built-in problems, and the only place where their
 * parameters are read from text. */
#include "problems/problem.h"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARAMETERS_MAX = 8 };

static const trmi_problem *const problems[] = {
    &trmi_problem_pendulum,        &trmi_problem_unit_pendulum, &trmi_problem_slider_crank,
    &trmi_problem_slider_crank_hermite,
    &trmi_problem_double_pendulum, &trmi_problem_heavy_top,     &trmi_problem_chain,
    &trmi_problem_rolling_disc,    &trmi_problem_servo,         &trmi_problem_oscillators,
};

int trm_problem_count(void) {
  return (int)(sizeof problems / sizeof problems[0]);
}

const trm_problem *trm_problem_at(int i) {
  return i >= 0 && i < trm_problem_count() ? &problems[i]->about : NULL;
}

const trm_problem *trm_problem_find(const char *name) {
  for (int i = 0; name != NULL && i < trm_problem_count(); i++) {
    if (strcmp(problems[i]->about.name, name) == 0) return &problems[i]->about;
  }
  return NULL;
}

/* Index of a word in "a|b|c", or -1. */
static int choice_index(const char *choices, const char *word) {
  const size_t length = strlen(word);
  int index = 0;
  for (const char *at = choices; at != NULL; index++) {
    const char *bar = strchr(at, '|');
    const size_t size = bar != NULL ? (size_t)(bar - at) : strlen(at);
    if (size == length && memcmp(at, word, size) == 0) return index;
    at = bar != NULL ? bar + 1 : NULL;
  }
  return -1;
}

/* The demand of a rule, as the end of a sentence; NULL if the number obeys it. */
static const char *broken_rule(trmi_rule rule, double x) {
  if (!isfinite(x)) return "expected a finite number";
  switch (rule) {
  case TRMI_ANY: break;
  case TRMI_POSITIVE: return x > 0.0 ? NULL : "expected a number above 0";
  case TRMI_NOT_NEGATIVE: return x >= 0.0 ? NULL : "expected 0 or a number above";
  case TRMI_COUNT:
    return x >= 1.0 && x <= TRMI_COUNT_MAX && x == floor(x) ? NULL
                                                            : "expected a whole number 1 .. 100000";
  }
  return NULL;
}

static trm_status read_value(const trmi_problem *problem, int i, const char *text, double *value,
                             trm_error *err) {
  const trm_parameter *parameter = &problem->about.parameters[i];
  char object[TRM_OBJECT_MAX];
  snprintf(object, sizeof object, "parameter '%s'", parameter->name);

  /* one word out of a list */
  if (parameter->choices != NULL) {
    const int index = choice_index(parameter->choices, text);
    *value = index;
    if (index >= 0) return TRM_OK;
    return TRMI_FAIL(err, TRM_ERR_INPUT, object, "'%s' is not one of %s (problem '%s')", text,
                     parameter->choices, problem->about.name);
  }

  /* a number, and nothing behind it */
  char *end = NULL;
  *value = strtod(text, &end);
  if (end == text || *end != '\0') {
    return TRMI_FAIL(err, TRM_ERR_INPUT, object, "'%s' is not a number (problem '%s')", text,
                     problem->about.name);
  }
  const char *expected = broken_rule(problem->rules[i], *value);
  if (expected != NULL) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, object, "value %s: %s (problem '%s')", text, expected,
                     problem->about.name);
  }
  return TRM_OK;
}

static trm_status unknown_parameter(const trm_problem *problem, const char *name, trm_error *err) {
  char known[256] = "", object[TRM_OBJECT_MAX];
  size_t used = 0;
  for (int i = 0; i < problem->nparameters && used < sizeof known; i++) {
    used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i > 0 ? ", " : "",
                             problem->parameters[i].name);
  }
  snprintf(object, sizeof object, "parameter '%s'", name);
  if (problem->nparameters == 0) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, object, "problem '%s' has no parameters", problem->name);
  }
  return TRMI_FAIL(err, TRM_ERR_INPUT, object, "problem '%s' has no such parameter; it has %s",
                   problem->name, known);
}

/* Defaults first, then the settings in their order: the last one counts. */
static trm_status read_settings(const trmi_problem *problem, const trm_setting *settings,
                                int nsettings, double *values, trm_error *err) {
  const trm_problem *about = &problem->about;
  for (int i = 0; i < about->nparameters; i++) {
    TRMI_TRY(err, read_value(problem, i, about->parameters[i].value, &values[i], err));
  }
  for (int k = 0; k < nsettings; k++) {
    if (settings[k].name == NULL || settings[k].value == NULL) {
      return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "setting %d has no name or no value", k);
    }
    int i = 0;
    while (i < about->nparameters && strcmp(about->parameters[i].name, settings[k].name) != 0) i++;
    if (i == about->nparameters) return unknown_parameter(about, settings[k].name, err);
    TRMI_TRY(err, read_value(problem, i, settings[k].value, &values[i], err));
  }
  return TRM_OK;
}

static const trmi_problem *entry_of(const trm_problem *about) {
  for (int i = 0; i < trm_problem_count(); i++) {
    if (&problems[i]->about == about) return problems[i];
  }
  return NULL;
}

trm_status trm_problem_create(const trm_problem *problem, const trm_setting *settings,
                              int nsettings, const trm_allocator *allocator, trm_system **system,
                              trm_error *err) {
  TRMI_NEED(err, system);
  *system = NULL;
  TRMI_NEED(err, problem);
  const trmi_problem *entry = entry_of(problem);
  if (entry == NULL) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "not a problem of trm_problem_find");
  }
  if (nsettings < 0 || (nsettings > 0 && settings == NULL)) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "%d settings announced, none given", nsettings);
  }
  double values[PARAMETERS_MAX] = {0.0};
  TRMI_TRY(err, read_settings(entry, settings, nsettings, values, err));

  trm_system_def def = trm_system_def_default();
  if (allocator != NULL) def.allocator = *allocator;
  TRMI_TRY(err, entry->build(values, &def.allocator, &def, err));
  TRMI_TRY(err, trm_system_create(&def, system, err));
  return TRM_OK;
}
