/* option_help.c - help texts of options that come from the registry of methods. */
#include "option_table.h"
#include "trammel/methods.h"
#include <stdio.h>
#include <string.h>

/* Longest line of a help text. */
enum { WIDTH = 68 };

static void append(char *text, size_t size, const char *more) {
  const size_t used = strlen(text);
  snprintf(text + used, size - used, "%s", more);
}

/* Break the lines that are too long at blanks. */
static void wrap(char *text) {
  char *line = text, *blank = NULL;
  for (char *c = text; *c != '\0'; c++) {
    if (c - line >= WIDTH && blank != NULL) {
      *blank = '\n';
      line = blank + 1;
      blank = NULL;
    }
    if (*c == ' ') blank = c;
    if (*c == '\n') line = c + 1, blank = NULL;
  }
}

/* "hht, alpha; kinematic where nothing is free to move, auto (default)" */
static void write_methods(char *text, size_t size) {
  const trm_method *usual = trm_method_for(TRM_SUITS_UNNAMED), *method;
  text[0] = '\0';
  for (int i = 0; (method = trm_method_at(i)) != NULL; i++) {
    const bool is_apart = method->where != NULL || (i > 0 && trm_method_at(i - 1)->where != NULL);
    if (text[0] != '\0') append(text, size, is_apart ? "; " : ", ");
    append(text, size, method->name);
    if (method == usual) append(text, size, " (default)");
    if (method->where != NULL) append(text, size, " ");
    if (method->where != NULL) append(text, size, method->where);
  }
}

static void write_list(const trm_formulation *forms, char *text, size_t size) {
  for (const trm_formulation *form = forms; form->name != NULL; form++) {
    const bool is_first = form == forms;
    if (!is_first) append(text, size, ", ");
    append(text, size, form->name);
    if (is_first || form->where != NULL) append(text, size, " (default");
    if (form->where != NULL) append(text, size, " ");
    if (form->where != NULL) append(text, size, form->where);
    if (is_first || form->where != NULL) append(text, size, ")");
  }
}

/* "hht, alpha: si2 (default), index3;\nexplicit: dop853 (default), dopri5" */
static void write_formulations(char *text, size_t size) {
  char names[160];
  const trm_method *method;
  text[0] = '\0';
  for (int i = 0; (method = trm_method_at(i)) != NULL; i++) {
    if (!trm_method_group(i, names, sizeof names)) continue;
    if (text[0] != '\0') append(text, size, ";\n");
    append(text, size, names);
    append(text, size, ": ");
    write_list(method->formulations, text, size);
  }
}

/* Methods compared by bench by default: app_options_init. */
static void write_usual(char *text, size_t size) {
  const trm_method *method;
  append(text, size, "default: ");
  for (int i = 0; (method = trm_method_at(i)) != NULL; i++) {
    if (method->where != NULL || method->takes_others) continue;
    if (i > 0) append(text, size, ",");
    append(text, size, method->name);
  }
}

/* Bit of the methods that read it: TRM_READS_..., or 0. */
static unsigned reads_of(app_option_id id) {
  switch (id) {
  case APP_OPT_ALPHA: return TRM_READS_ALPHA;
  case APP_OPT_RHO: return TRM_READS_RHO;
  case APP_OPT_MAX_ORDER: return TRM_READS_MAX_ORDER;
  case APP_OPT_ERROR_IN: return TRM_READS_ERROR_IN;
  case APP_OPT_SCALING: return TRM_READS_SCALING;
  case APP_OPT_PASSES: return TRM_READS_PASSES;
  case APP_OPT_STEP_CONTROL: return TRM_READS_ENERGY;
  default: return 0;
  }
}

bool app_option_help(app_option_id id, char *text, size_t size) {
  const app_option *option = &app_option_table[id];
  text[0] = '\0';
  if (reads_of(id) != 0) trm_method_prefix(reads_of(id), text, size);
  if (option->help != NULL) append(text, size, option->help);
  switch (id) {
  case APP_OPT_INTEGRATOR: write_methods(text, size); break;
  case APP_OPT_FORMULATION: write_formulations(text, size); break;
  case APP_OPT_MAX_ORDER:
    trm_method_all_orders(text + strlen(text), size - strlen(text));
    break;
  case APP_OPT_INTEGRATORS:
    write_usual(text, size);
    break;
  default: return text[0] != '\0';
  }
  wrap(text);
  return true;
}
