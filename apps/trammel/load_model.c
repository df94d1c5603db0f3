/* load_model.c - models by name: built-in problems, shipped models, files. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c) */
#include "load_model.h"
#include "interrupt.h"
#include "option_table.h"
#include "report.h"
#include "trammel/methods.h"
#include "trammel/nearest.h"
#include <math.h>
#include <string.h>
#include <sys/stat.h>

/* ---- finding ---------------------------------------------------------- */

/* Names of problems, then of shipped models. */
static const char *model_name(const void *list, int i) {
  (void)list;
  const int problems = trm_problem_count();
  return i < problems ? trm_problem_at(i)->name : trm_shipped_model_at(i - problems)->name;
}

static const char *nearest_model(const char *name) {
  return trm_nearest_close(name, NULL, trm_problem_count() + trm_shipped_model_count(), model_name);
}

/* The model file possibly meant by a name without extension, or with another one: base.yaml by
 * "base" or "base.yml"; false: none. */
static bool find_ending(const char *name, char *path, size_t size) {
  static const char *const endings[] = {".yaml", ".yml", ".json"};
  struct stat info;
  size_t stem = strlen(name);
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    const size_t n = strlen(endings[i]);
    if (stem > n && strcmp(name + stem - n, endings[i]) == 0) stem -= n;
  }
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    const int length = snprintf(path, size, "%.*s%s", (int)stem, name, endings[i]);
    if (length > 0 && (size_t)length < size && stat(path, &info) == 0) return true;
  }
  return false;
}

trm_status app_model_find(const char *name, const trm_problem **problem, trm_error *err) {
  *problem = trm_problem_find(name);
  if (*problem != NULL) return TRM_OK;
  const char *near = nearest_model(name);
  char path[256];
  if (find_ending(name, path, sizeof path)) {
    return app_fail(err, TRM_ERR_INPUT, NULL, "there is no built-in model '%.100s', but a file "
                    "'%.200s': did you mean that?", name, path);
  }
  if (near[0] == '\0') {
    return app_fail(err, TRM_ERR_INPUT, NULL, "there is no built-in model '%.100s'; 'trammel "
                    "models' lists them", name);
  }
  return app_fail(err, TRM_ERR_INPUT, NULL,
                  "there is no built-in model '%.100s', the nearest one is '%s'", name, near);
}

static bool is_file(const char *name) {
  struct stat info;
  if (strpbrk(name, "/.") != NULL) return true;
  return trm_shipped_model_find(name) == NULL && stat(name, &info) == 0;
}

bool app_model_is_text(const char *name) {
  if (trm_problem_find(name) != NULL) return false;
  return trm_shipped_model_find(name) != NULL || is_file(name);
}

/* ---- reading ---------------------------------------------------------- */

trm_status app_model_read(const app_options *options, trm_model **model, trm_error *err) {
  const char *name = options->model;
  const trm_shipped_model *shipped = trm_shipped_model_find(name);
  char path[256];
  struct stat info;
  if (shipped == NULL && stat(name, &info) != 0 && find_ending(name, path, sizeof path)) {
    return app_fail(err, TRM_ERR_IO, NULL, "cannot read '%.100s': there is no such file, but "
                    "'%.200s': did you mean that?", name, path);
  }
  trm_model_source source = {.path = name, .settings = options->settings,
                             .nsettings = options->nsettings, .reductions = options->reductions};
  if (shipped != NULL) source.path = NULL, source.text = shipped->text, source.name = shipped->name;
  return trm_model_read(&source, NULL, model, err);
}

trm_status app_model_read_stored(const app_options *options, const trm_run_info *info,
                                 trm_model **model, trm_error *err) {
  const trm_model_source source = {.text = info->text, .name = info->path, .has_meshes = true,
                                   .reductions = options->reductions};
  return trm_model_read(&source, NULL, model, err);
}

/* [NAME=]TEXT; without a name the text is the name. */
typedef struct named_measure {
  char        name[256];
  const char *text;
} named_measure;

static named_measure split_measure(const char *text) {
  named_measure m = {.text = text};
  const char *equals = strchr(text, '='), *open = strchr(text, '(');
  const bool has_name = equals != NULL && open != NULL && equals < open;
  if (has_name) m.text = equals + 1;
  snprintf(m.name, sizeof m.name, "%.*s", has_name ? (int)(equals - text) : 255, text);
  return m;
}

/* Those of a model file become part of it: they may be of any expression, and a run that is
 * resumed has them. */
static trm_status take_measures(app_options *options, trm_error *err) {
  for (int i = 0; i < options->nmeasures; i++) {
    const named_measure m = split_measure(options->measures[i]);
    trm_error own;
    const trm_status status = trm_model_add_measure(options->loaded, m.name, m.text, &own);
    if (status != TRM_OK) return app_fail(err, status, "--measure", "%s", own.message);
  }
  return TRM_OK;
}

trm_status app_model_load(app_options *options, trm_error *err) {
  if (!app_model_is_text(options->model)) return TRM_OK;
  const trm_status status = app_model_read(options, &options->loaded, err);
  if (status != TRM_OK) return status;
  app_model_allow(options);
  return take_measures(options, err);
}

void app_model_allow(const app_options *options) {
  if (options->plugins) trm_model_use_plugins(options->loaded, TRM_PLUGINS_LOADED);
}

trm_status app_model_create(const app_options *options, trm_system **system, trm_error *err) {
  *system = NULL;
  if (options->loaded != NULL) return trm_model_create_system(options->loaded, NULL, system, err);
  const trm_problem *problem;
  const trm_status status = app_model_find(options->model, &problem, err);
  if (status != TRM_OK) return status;
  return trm_problem_create(problem, options->settings, options->nsettings, NULL, system, err);
}

trm_status app_model_set_inputs(const app_options *options, trm_sim *sim, trm_error *err) {
  trm_status status = TRM_OK;
  for (int i = 0; i < options->ninputs && status == TRM_OK; i++) {
    const app_input *input = &options->inputs[i];
    status = trm_sim_input(sim, input->name, input->value, input->rate, err);
  }
  return status;
}

trm_status app_model_check_measures(const app_options *options, const char *file, trm_error *err) {
  for (int i = 0; i < options->nmeasures; i++) {
    const named_measure m = split_measure(options->measures[i]);
    bool is_there = false;
    for (int k = 0; k < trm_model_measure_count(options->loaded); k++) {
      const trm_model_measure known = trm_model_measure_at(options->loaded, k);
      is_there |= strcmp(known.name, m.name) == 0 && strcmp(known.text, m.text) == 0;
    }
    if (is_there) continue;
    return app_fail(err, TRM_ERR_INPUT, "--measure", "'%.150s' was run without '%.100s': what is "
                    "measured is decided when a run begins", file, options->measures[i]);
  }
  return TRM_OK;
}

trm_status app_model_add_measures(const app_options *options, trm_sim *sim, trm_error *err) {
  const int count = trm_model_measure_count(options->loaded);
  const int written = options->restart != NULL ? count : count - options->nmeasures;
  for (int i = 0; i < count; i++) {
    const trm_model_measure m = trm_model_measure_at(options->loaded, i);
    trm_error own;
    const trm_status status = trm_sim_add_measure(sim, m.name, m.text, &own);
    if (status == TRM_OK) continue;
    if (i >= written) return app_fail(err, status, "--measure", "%s", own.message);
    return app_fail(err, status, NULL, "%s:%d:%d: measure '%.40s': %s", m.file, m.line, m.column,
                    m.name, own.message);
  }
  for (int i = 0; i < options->nmeasures && options->loaded == NULL; i++) {
    const named_measure m = split_measure(options->measures[i]);
    trm_error own;
    const trm_status status = trm_sim_add_measure(sim, m.name, m.text, &own);
    if (status != TRM_OK) return app_fail(err, status, "--measure", "%s", own.message);
  }
  return TRM_OK;
}

trm_unit_names app_model_units(const app_options *options) {
  const bool is_known =
      options->loaded != NULL && trm_model_complaint_count(options->loaded) == 0;
  return is_known ? trm_model_units(options->loaded) : trm_unit_names_si();
}

/* ---- options ---------------------------------------------------------- */

void app_model_leave_energy(trm_options *sim) {
  sim->step_control = NULL;
  sim->energy_repetitions = sim->energy_wait = 0;
  sim->energy_datum = sim->energy_accept = sim->energy_reduce = sim->energy_grow = 0.0;
  sim->energy_from = sim->energy_to = 0.0;
}

/* Options read by both methods are kept. */
void app_model_use_integrator(trm_options *sim, const char *integrator) {
  const char *before = trm_options_integrator(sim);
  sim->integrator = integrator;
  if (strcmp(before, integrator) == 0) return;
  const trm_method *old = trm_method_find(before), *now = trm_method_find(integrator);
  const bool are_known = old != NULL && now != NULL;
  const unsigned kept = are_known ? old->reads & now->reads : 0;
  if (!are_known || old->formulations != now->formulations) sim->formulation = NULL;
  if ((kept & TRM_READS_COEFFICIENTS) == 0) sim->has_coefficients = false;
  if ((kept & TRM_READS_ALPHA) == 0) sim->has_alpha = false;
  if ((kept & TRM_READS_RHO) == 0) sim->has_rho = false;
  if (!are_known || !trm_method_has_order(now, sim->max_order)) sim->max_order = 0;
  if ((kept & TRM_READS_ERROR_IN) == 0) sim->error_in = NULL;
  if ((kept & TRM_READS_SCALING) == 0) sim->scaling = NULL;
  if ((kept & TRM_READS_PASSES) == 0) sim->passes = 0;
  if ((kept & TRM_READS_ENERGY) == 0) app_model_leave_energy(sim);
}

/* One option of the command line over that of the model. */
static void take_option(const app_options *options, app_option_id id, trm_options *sim) {
  const app_option *option = &app_option_table[id];
  const trm_options *given = &options->sim;
  switch (id) {
  case APP_OPT_INTEGRATOR: app_model_use_integrator(sim, given->integrator); return;
  case APP_OPT_STEP:
    memcpy(sim->steps, given->steps, sizeof sim->steps);
    sim->nsteps = given->nsteps;
    app_model_leave_energy(sim);
    return;
  case APP_OPT_TOLERANCE: sim->nsteps = 0; break;
  case APP_OPT_STEP_CONTROL:
    if (strcmp(given->step_control, "energy") != 0) app_model_leave_energy(sim);
    break;
  case APP_OPT_FORMULATION:
    if (!options->given[APP_OPT_PASSES]) sim->passes = 0;
    break;
  case APP_OPT_OUTPUTS: sim->output_step = 0; break;
  case APP_OPT_OUTPUT_STEP: sim->outputs = 0; break;
  case APP_OPT_ALPHA: case APP_OPT_RHO: case APP_OPT_ALPHA_M:
    sim->has_alpha = given->has_alpha;
    sim->has_rho = given->has_rho;
    sim->has_coefficients = given->has_coefficients;
    break;
  default: break;
  }
  const void *from = (const char *)options + option->place;
  void *to = (char *)sim + (option->place - offsetof(app_options, sim));
  switch (option->value) {
  case APP_VALUE_NUMBER: *(double *)to = *(const double *)from; break;
  case APP_VALUE_INT: *(int *)to = *(const int *)from; break;
  case APP_VALUE_LONG: *(long *)to = *(const long *)from; break;
  case APP_VALUE_TEXT: *(const char **)to = *(const char *const *)from; break;
  default: break;
  }
}

/* Is it an option of the simulation, kept in `sim`? */
static bool is_of_sim(int id) {
  const size_t place = app_option_table[id].place, first = offsetof(app_options, sim);
  return id == APP_OPT_STEP || (place >= first && place < first + sizeof(trm_options));
}

/* Options of a model file, overridden by those of the command line. The integrator comes first: it
 * clears options of the model for another one. */
static void merge_options(const app_options *options, trm_options *sim) {
  *sim = trm_options_default();
  sim->end = NAN;
  trm_model_options(options->loaded, sim);
  if (options->given[APP_OPT_INTEGRATOR]) take_option(options, APP_OPT_INTEGRATOR, sim);
  for (int id = 0; id < APP_OPT_COUNT; id++) {
    if (options->given[id] && is_of_sim(id)) take_option(options, (app_option_id)id, sim);
  }
}

trm_status app_model_options(const app_options *options, trm_options *sim, trm_error *err) {
  const bool is_resumed = options->restart != NULL; /* the run file then has all of them */
  *sim = options->sim;
  if (options->loaded != NULL && !is_resumed) merge_options(options, sim);
  sim->should_stop = app_interrupt_asked;
  if (!isnan(sim->end)) return TRM_OK;
  if (options->loaded == NULL) {
    const trm_problem *problem;
    const trm_status status = app_model_find(options->model, &problem, err);
    if (status == TRM_OK) sim->end = problem->end;
    return status;
  }
  if (options->is_check) {
    const double second = 1.0 / app_model_units(options).seconds;
    sim->end = isnan(sim->start) ? second : sim->start + second; /* nothing moves */
    return TRM_OK;
  }
  return app_fail(err, TRM_ERR_INPUT, NULL, "the model sets no end time: add "
                                            "'simulate: {end: ..}' to it or give --end");
}
