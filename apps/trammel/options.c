/* options.c - read the command line with the table of option_table.c. */
#include "options.h"
#include "option_table.h"
#include "report.h"
#include "trammel/methods.h"
#include "trammel/nearest.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void app_options_init(app_options *options, int argc, char **argv) {
  *options = (app_options){
    .sim = trm_options_default(),
    .tolerances = {1e-4, 1e-5, 1e-6, 1e-7}, .ntolerances = 4,
    .repeats = 3,
  };
  options->sim.end = NAN;
  const trm_method *method;
  for (int i = 0; (method = trm_method_at(i)) != NULL; i++) {
    const bool is_general = method->where == NULL && !method->takes_others;
    if (is_general) options->integrators[options->nintegrators++] = method->name;
  }
  for (int i = 0; i < argc; i++) {
    if (strcmp(argv[i], "--json") == 0) options->json = true;
  }
}

/* ---- numbers ---------------------------------------------------------- */

/* Decimal numbers only: strtod would also take "nan", "inf", "0x1" and blanks. */
static bool read_number(const char *text, size_t length, double *number) {
  char copy[64];
  if (length == 0 || length >= sizeof copy) return false;
  memcpy(copy, text, length);
  copy[length] = '\0';
  if (strspn(copy, "0123456789+-.eE") != length) return false;
  char *end;
  *number = strtod(copy, &end);
  return *end == '\0' && isfinite(*number);
}

/* "greater than 0 and at most 1" */
static void describe_range(const app_option *option, char *text, size_t size) {
  const char *low = (option->open & APP_OPEN_LOW) != 0 ? "greater than" : "at least";
  const char *high = (option->open & APP_OPEN_HIGH) != 0 ? "less than" : "at most";
  const bool has_low = isfinite(option->low), has_high = isfinite(option->high);
  if (has_low && has_high) {
    snprintf(text, size, "%s %.4g and %s %.4g", low, option->low, high, option->high);
  } else if (has_low) {
    snprintf(text, size, "%s %.4g", low, option->low);
  } else {
    snprintf(text, size, "%s %.4g", high, option->high);
  }
}

static bool is_in_range(const app_option *option, double number) {
  const bool is_high_enough =
      (option->open & APP_OPEN_LOW) != 0 ? number > option->low : number >= option->low;
  const bool is_low_enough =
      (option->open & APP_OPEN_HIGH) != 0 ? number < option->high : number <= option->high;
  return is_high_enough && is_low_enough;
}

/* A number with its unit; only for options that allow units. */
static trm_status read_quantity(const app_option *option, const char *text, size_t length,
                                app_options *options, double *number, trm_error *err) {
  char copy[64];
  bool has_unit = false;
  snprintf(copy, sizeof copy, "%.*s", (int)(length < sizeof copy ? length : sizeof copy - 1), text);
  const trm_status status = trm_quantity_read(copy, option->unit, number, &has_unit, err);
  if (status != TRM_OK) return app_fail(err, TRM_ERR_INPUT, option->name, "%s", err->message);
  const size_t id = (size_t)(option - app_option_table);
  *(has_unit ? &options->in_si[id] : &options->is_plain[id]) = true;
  if (!options->in_si[id] || !options->is_plain[id]) return TRM_OK;
  return app_fail(err, TRM_ERR_INPUT, option->name, "some of its numbers have a unit: give it with "
                  "all of them");
}

static trm_status parse_number(const app_option *option, const char *text, size_t length,
                               app_options *options, double *number, trm_error *err) {
  const int shown = length < 60 ? (int)length : 60;
  static const char letters[] = " abcdfghijklmnopqrstuvwxyz"; /* e is also of numbers */
  const bool has_letters = option->unit != NULL && strcspn(text, letters) < length;
  if (has_letters) {
    const trm_status status = read_quantity(option, text, length, options, number, err);
    if (status != TRM_OK) return status;
  } else if (!read_number(text, length, number)) {
    const bool is_outputs = option == &app_option_table[APP_OPT_OUTPUTS];
    return app_fail(err, TRM_ERR_INPUT, option->name, "'%.*s' is not a finite decimal number%s",
                    shown, text, is_outputs ? ": it is how many samples there are; a new output is "
                                              "--set outputs.NAME=EXPRESSION"
                                            : ", such as 0.25 or 1e-5");
  }
  if (!is_in_range(option, *number)) {
    char range[80];
    describe_range(option, range, sizeof range);
    return app_fail(err, TRM_ERR_INPUT, option->name, "%.*s is out of range: it must be %s", shown,
                    text, range);
  }
  if (has_letters || option->unit == NULL) return TRM_OK;
  return read_quantity(option, text, length, options, number, err); /* notes that it is plain */
}

static trm_status parse_count(const app_option *option, const char *text, app_options *options,
                              double *number, trm_error *err) {
  const trm_status status = parse_number(option, text, strlen(text), options, number, err);
  if (status != TRM_OK) return status;
  if (*number != floor(*number)) {
    return app_fail(err, TRM_ERR_INPUT, option->name, "%.60s is not a whole number", text);
  }
  return TRM_OK;
}

/* ---- lists ------------------------------------------------------------ */

/* Numbers separated by `separator`, at most TRM_STEPS_MAX. */
static trm_status parse_pattern(const app_option *option, const char *text, size_t length,
                                char separator, app_options *options, app_pattern *pattern,
                                trm_error *err) {
  *pattern = (app_pattern){.n = 0};
  const char *end = text + length;
  for (const char *part = text;; part++) {
    if (pattern->n == TRM_STEPS_MAX) {
      return app_fail(err, TRM_ERR_INPUT, option->name, "more than %d steps in turn",
                      TRM_STEPS_MAX);
    }
    const char *stop = memchr(part, separator, (size_t)(end - part));
    if (stop == NULL) stop = end;
    const trm_status status =
        parse_number(option, part, (size_t)(stop - part), options, &pattern->h[pattern->n], err);
    if (status != TRM_OK) return status;
    pattern->n++;
    if (stop == end) return TRM_OK;
    part = stop;
  }
}

static trm_status parse_steps(const app_option *option, const char *text, app_options *options,
                              trm_error *err) {
  app_pattern pattern;
  trm_options *sim = &options->sim;
  const trm_status status = parse_pattern(option, text, strlen(text), ',', options, &pattern, err);
  if (status != TRM_OK) return status;
  memcpy(sim->steps, pattern.h, sizeof sim->steps);
  sim->nsteps = pattern.n;
  return TRM_OK;
}

static trm_status parse_patterns(const app_option *option, const char *text, app_options *options,
                                 trm_error *err) {
  options->npatterns = 0;
  for (const char *part = text;; part++) {
    if (options->npatterns == APP_PATTERNS_MAX) {
      return app_fail(err, TRM_ERR_INPUT, option->name, "more than %d steps", APP_PATTERNS_MAX);
    }
    const size_t length = strcspn(part, ",");
    app_pattern *pattern = &options->patterns[options->npatterns];
    const trm_status status = parse_pattern(option, part, length, ':', options, pattern, err);
    if (status != TRM_OK) return status;
    options->npatterns++;
    part += length;
    if (*part == '\0') return TRM_OK;
  }
}

static trm_status parse_tolerances(const app_option *option, const char *text,
                                   app_options *options, trm_error *err) {
  options->ntolerances = 0;
  for (const char *part = text;; part++) {
    if (options->ntolerances == APP_LIST_MAX) {
      return app_fail(err, TRM_ERR_INPUT, option->name, "more than %d tolerances", APP_LIST_MAX);
    }
    const size_t length = strcspn(part, ",");
    double *tolerance = &options->tolerances[options->ntolerances];
    const trm_status status = parse_number(option, part, length, options, tolerance, err);
    if (status != TRM_OK) return status;
    options->ntolerances++;
    part += length;
    if (*part == '\0') return TRM_OK;
  }
}

/* Cuts the text at its commas in place. */
static trm_status parse_integrators(const app_option *option, char *text, app_options *options,
                                    trm_error *err) {
  options->nintegrators = 0;
  for (char *part = text;; part++) {
    if (options->nintegrators == APP_LIST_MAX) {
      return app_fail(err, TRM_ERR_INPUT, option->name, "more than %d names", APP_LIST_MAX);
    }
    const size_t length = strcspn(part, ",");
    if (length == 0) {
      return app_fail(err, TRM_ERR_INPUT, option->name, "a name in the list is empty");
    }
    options->integrators[options->nintegrators++] = part;
    part += length;
    if (*part == '\0') return TRM_OK;
    *part = '\0';
  }
}

/* Without blanks around it. */
static char *trimmed(char *text) {
  text += strspn(text, " \t");
  for (size_t n = strlen(text); n > 0 && strchr(" \t", text[n - 1]) != NULL; n--) {
    text[n - 1] = '\0';
  }
  return text;
}

static trm_status parse_setting(char *text, app_options *options, trm_error *err) {
  text = trimmed(text);
  char *equals = strchr(text, '=');
  if (equals == NULL || equals == text || equals[1] == '\0') {
    return app_fail(err, TRM_ERR_INPUT, "--set", "'%.60s' is not of the form PATH=VALUE", text);
  }
  if (options->nsettings == APP_SETTINGS_MAX) {
    return app_fail(err, TRM_ERR_INPUT, "--set", "more than %d settings", APP_SETTINGS_MAX);
  }
  *equals = '\0';
  options->settings[options->nsettings++] =
      (trm_setting){.name = trimmed(text), .value = trimmed(equals + 1)};
  return TRM_OK;
}

static trm_status parse_input(const app_option *option, char *text, app_options *options,
                              trm_error *err) {
  text = trimmed(text);
  char *equals = strchr(text, '=');
  if (equals == NULL || equals == text || equals[1] == '\0') {
    return app_fail(err, TRM_ERR_INPUT, option->name, "'%.60s' is not of the form %s", text,
                    option->argument);
  }
  if (options->ninputs == APP_LIST_MAX) {
    return app_fail(err, TRM_ERR_INPUT, option->name, "more than %d inputs", APP_LIST_MAX);
  }
  app_input *input = &options->inputs[options->ninputs++];
  const char *value = trimmed(equals + 1);
  const size_t length = strcspn(value, ",");
  *equals = '\0';
  *input = (app_input){.name = trimmed(text)};
  const trm_status status = parse_number(option, value, length, options, &input->value, err);
  if (status != TRM_OK || value[length] == '\0') return status;
  return parse_number(option, value + length + 1, strlen(value + length + 1), options,
                      &input->rate, err);
}

/* ---- options ---------------------------------------------------------- */

static trm_status parse_value(const app_option *option, char *text, app_options *options,
                              trm_error *err) {
  void *place = (char *)options + option->place;
  double number = 0;
  trm_status status = TRM_OK;
  switch (option->value) {
  case APP_VALUE_NONE: *(bool *)place = true; break;
  case APP_VALUE_TEXT: *(const char **)place = text; break;
  case APP_VALUE_STEPS: return parse_steps(option, text, options, err);
  case APP_VALUE_PATTERNS: return parse_patterns(option, text, options, err);
  case APP_VALUE_TOLERANCES: return parse_tolerances(option, text, options, err);
  case APP_VALUE_INTEGRATORS: return parse_integrators(option, text, options, err);
  case APP_VALUE_SETTING: return parse_setting(text, options, err);
  case APP_VALUE_INPUT: return parse_input(option, text, options, err);
  case APP_VALUE_MEASURE:
    if (options->nmeasures == APP_LIST_MAX) {
      return app_fail(err, TRM_ERR_INPUT, option->name, "more than %d measures", APP_LIST_MAX);
    }
    options->measures[options->nmeasures++] = text;
    return TRM_OK;
  case APP_VALUE_NUMBER:
    return parse_number(option, text, strlen(text), options, (double *)place, err);
  case APP_VALUE_INT:
    status = parse_count(option, text, options, &number, err);
    if (status == TRM_OK) *(int *)place = (int)number;
    break;
  case APP_VALUE_LONG:
    status = parse_count(option, text, options, &number, err);
    if (status == TRM_OK) *(long *)place = (long)number;
    break;
  }
  return status;
}

/* Option i of a command, or NULL if it belongs to others. */
static const char *option_name(const void *command_bit, int i) {
  const app_option *option = &app_option_table[i];
  return (option->commands & *(const unsigned *)command_bit) != 0 ? option->name : NULL;
}

/* Position of "--name" or "--name=value" in the table, or -1. */
static int find_option(const char *text, unsigned command_bit) {
  const size_t length = strcspn(text, "=");
  for (int i = 0; i < APP_OPT_COUNT; i++) {
    const char *name = option_name(&command_bit, i);
    if (name != NULL && strlen(name) == length && strncmp(name, text, length) == 0) return i;
  }
  return strcmp(text, "-h") == 0 ? APP_OPT_HELP : -1;
}

static trm_status fail_unknown(const char *text, unsigned command_bit, trm_error *err) {
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(text, "="), text);
  static const char *const letters[][2] = {
    {"-o", "--out"}, {"-t", "--end"}, {"-e", "--end"}, {"-p", "--set"}, {"-q", "--quiet"},
    {"-i", "--integrator"}};
  const char *near = "";
  for (size_t i = 0; i < sizeof letters / sizeof *letters; i++) {
    if (strcmp(name, letters[i][0]) == 0 &&
        find_option(letters[i][1], command_bit) >= 0) {
      near = letters[i][1];
    }
  }
  if (strcmp(name, "--plot") == 0) {
    return app_fail(err, TRM_ERR_INPUT, NULL, "unknown option '--plot': a run is kept by --out "
                    "F.h5 and drawn by 'trammel plot F.h5 SIGNAL..'");
  }
  if (near[0] == '\0') near = trm_nearest_close(name, &command_bit, APP_OPT_COUNT, option_name);
  if (near[0] == '\0') {
    return app_fail(err, TRM_ERR_INPUT, NULL, "unknown option '%s'; --help lists them", name);
  }
  return app_fail(err, TRM_ERR_INPUT, NULL, "unknown option '%s', the nearest one is '%s'", name,
                  near);
}

/* Read the option at argv[*i] and move *i to its last word. */
static trm_status parse_option(app_options *options, unsigned command_bit, int argc, char **argv,
                               int *i, trm_error *err) {
  const int id = find_option(argv[*i], command_bit);
  if (id < 0) return fail_unknown(argv[*i], command_bit, err);
  const app_option *option = &app_option_table[id];
  options->given[id] = true;

  /* the value follows '=' or is the next word */
  char *equals = strchr(argv[*i], '=');
  if (option->value == APP_VALUE_NONE) {
    if (equals == NULL) return parse_value(option, NULL, options, err);
    return app_fail(err, TRM_ERR_INPUT, option->name, "takes no value");
  }
  char *text = equals != NULL ? equals + 1 : NULL;
  if (text == NULL && *i + 1 < argc && strncmp(argv[*i + 1], "--", 2) != 0) text = argv[++*i];
  if (text == NULL || *text == '\0') {
    return app_fail(err, TRM_ERR_INPUT, option->name, "the value %s is missing", option->argument);
  }
  return parse_value(option, text, options, err);
}

/* ---- options that depend on each other -------------------------------- */

static trm_status fail_both(app_option_id a, app_option_id b, trm_error *err) {
  return app_fail(err, TRM_ERR_INPUT, NULL, "%s and %s cannot be given together",
                  app_option_table[a].name, app_option_table[b].name);
}

static trm_status check_coefficients(app_options *options, trm_error *err) {
  static const app_option_id four[] = {APP_OPT_ALPHA_M, APP_OPT_ALPHA_F, APP_OPT_BETA,
                                       APP_OPT_GAMMA};
  const bool *given = options->given;
  int count = 0;
  for (int i = 0; i < 4; i++) count += given[four[i]] ? 1 : 0;
  if (count != 0 && count != 4) {
    return app_fail(err, TRM_ERR_INPUT, NULL,
                    "of --alpha-m --alpha-f --beta --gamma %d are given: give all four or none",
                    count);
  }
  options->sim.has_alpha = given[APP_OPT_ALPHA];
  options->sim.has_rho = given[APP_OPT_RHO];
  options->sim.has_coefficients = count == 4;
  if (given[APP_OPT_ALPHA] && given[APP_OPT_RHO]) {
    return fail_both(APP_OPT_ALPHA, APP_OPT_RHO, err);
  }
  if (count == 4 && given[APP_OPT_ALPHA]) return fail_both(APP_OPT_ALPHA, APP_OPT_ALPHA_M, err);
  if (count == 4 && given[APP_OPT_RHO]) return fail_both(APP_OPT_RHO, APP_OPT_ALPHA_M, err);
  return TRM_OK;
}

static trm_status check_together(app_options *options, trm_error *err) {
  const bool *given = options->given;
  const trm_options *sim = &options->sim;
  if (given[APP_OPT_STEP] && given[APP_OPT_TOLERANCE]) {
    return fail_both(APP_OPT_STEP, APP_OPT_TOLERANCE, err);
  }
  static const app_option_id of_control[] = {APP_OPT_STEP_MAX, APP_OPT_STEP_MIN,
                                             APP_OPT_STEP_FIRST};
  for (int i = 0; i < 3 && given[APP_OPT_STEP]; i++) { /* a fixed step has no other */
    if (given[of_control[i]]) return fail_both(APP_OPT_STEP, of_control[i], err);
  }
  if (given[APP_OPT_OUTPUTS] && given[APP_OPT_OUTPUT_STEP]) {
    return fail_both(APP_OPT_OUTPUTS, APP_OPT_OUTPUT_STEP, err);
  }
  if (given[APP_OPT_FROM] && !given[APP_OPT_RESTART]) {
    return app_fail(err, TRM_ERR_INPUT, "--from", "needs --restart F.h5");
  }
  for (int id = 0; id < APP_OPT_COUNT && given[APP_OPT_RESTART]; id++) {
    if (!options->in_si[id]) continue;
    return app_fail(err, TRM_ERR_INPUT, app_option_table[id].name, "with --restart a number is in "
                    "the unit of the run: give it without a unit");
  }
  if (given[APP_OPT_VERIFY] && given[APP_OPT_RESTART]) {
    return app_fail(err, TRM_ERR_INPUT, "--verify", "cannot be given with --restart, which makes "
                    "only a part of a run: verify the whole run");
  }
  if (given[APP_OPT_STEP_MIN] && given[APP_OPT_STEP_MAX] && sim->step_min > sim->step_max) {
    return app_fail(err, TRM_ERR_INPUT, NULL, "--step-min %g is larger than --step-max %g",
                    sim->step_min, sim->step_max);
  }
  return check_coefficients(options, err);
}

trm_status app_options_parse(app_options *options, unsigned command_bit, int argc, char **argv,
                             trm_error *err) {
  for (int i = 0; i < argc; i++) {
    trm_status status = TRM_OK;
    const bool is_setting = options->given[APP_OPT_SET] && strchr(argv[i], '=') != NULL;
    if (argv[i][0] == '-') {
      status = parse_option(options, command_bit, argc, argv, &i, err);
    } else if (is_setting) {
      /* --set a=1 b=2 */
      status = parse_setting(argv[i], options, err);
    } else if (options->model == NULL) {
      options->model = argv[i];
    } else if ((command_bit & (APP_PLOT | APP_DIFF | APP_REPORT)) != 0 &&
               options->nwords < APP_WORDS_MAX) {
      options->words[options->nwords++] = argv[i];
    } else {
      const bool is_unit = i > 0 && argv[i - 1][0] >= '0' && argv[i - 1][0] <= '9';
      status = app_fail(err, TRM_ERR_INPUT, NULL, "one argument too many: '%.60s'%s", argv[i],
                        is_unit                      ? "; a number with its unit is put in quotes"
                        : command_bit == APP_EXPORT ? "; --out FILE names the file to write"
                                                     : "");
    }
    if (status != TRM_OK) return status;
    if (options->help) return TRM_OK;
  }
  return check_together(options, err);
}

void app_options_convert(app_options *options, double seconds) {
  for (int id = 0; id < APP_OPT_COUNT; id++) {
    const app_option *option = &app_option_table[id];
    if (!options->in_si[id]) continue;
    if (option->value == APP_VALUE_NUMBER) {
      *(double *)((char *)options + option->place) /= seconds;
    } else if (option->value == APP_VALUE_STEPS) {
      for (int i = 0; i < options->sim.nsteps; i++) options->sim.steps[i] /= seconds;
    } else if (option->value == APP_VALUE_PATTERNS) {
      for (int k = 0; k < options->npatterns; k++) {
        for (int i = 0; i < options->patterns[k].n; i++) options->patterns[k].h[i] /= seconds;
      }
    }
    options->in_si[id] = false;
  }
}

/* ---- help ------------------------------------------------------------- */

void app_options_help(unsigned command_bit, FILE *file) {
  enum { COLUMN = 28, HELP_BYTES = 1000 };
  for (int i = 0; i < APP_OPT_COUNT; i++) {
    const app_option *option = &app_option_table[i];
    char help[HELP_BYTES];
    if ((option->commands & command_bit) == 0) continue;
    const bool has_help = app_option_help((app_option_id)i, help, sizeof help);
    const int used = fprintf(file, "  %s%s%s", option->name, option->argument != NULL ? " " : "",
                             option->argument != NULL ? option->argument : "");
    int column = used;
    for (const char *line = help; *line != '\0';) {
      const size_t length = strcspn(line, "\n");
      const int gap = column < COLUMN ? COLUMN - column : 1;
      fprintf(file, "%*s%.*s\n", gap, "", (int)length, line);
      line += length + (line[length] == '\n' ? 1 : 0);
      column = 0;
    }
    if (!has_help) fputc('\n', file);
  }
}
