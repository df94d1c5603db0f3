/* restart.c - compare a run file with the command line, load a checkpoint. */
#include "restart.h"
#include "load_model.h"
#include "option_table.h"
#include "output_files.h"
#include "report.h"
#include "trammel/trammel.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- what differs ----------------------------------------------------------- */

static const char *find_value(const trm_setting *list, int count, const char *name) {
  for (int i = 0; i < count; i++) {
    if (strcmp(list[i].name, name) == 0) return list[i].value;
  }
  return NULL;
}

/* Equal as texts or as numbers: "0.50" is "0.5". */
static bool is_same(const char *a, const char *b) {
  if (strcmp(a, b) == 0) return true;
  char *end_a, *end_b;
  const double number_a = strtod(a, &end_a), number_b = strtod(b, &end_b);
  return end_a != a && end_b != b && *end_a == '\0' && *end_b == '\0' && number_a == number_b;
}

static bool is_given(const app_options *options, const char *name) {
  for (int i = 0; i < APP_OPT_COUNT; i++) {
    const char *known = app_option_table[i].name;
    if (options->given[i] && strcmp(known + strlen("--"), name) == 0) return true;
  }
  return false;
}

static trm_status fail_setting(const trm_run_info *info, const trm_setting *setting,
                               const char *value, const char *none, trm_error *err) {
  return app_fail(err, TRM_ERR_INPUT, "--restart", "'%.150s' was run with %.40s=%.40s, not %.40s",
                  info->path, setting->name, value != NULL ? value : none, setting->value);
}

/* The next line of a bundle (io/model_source.h) from *text on that is neither a setting nor a
 * folder; NULL: none. */
static const char *next_line(const char **text, size_t *length) {
  while (**text != '\0') {
    const char *line = *text;
    *length = strcspn(line, "\n");
    *text += *length + (line[*length] == '\n' ? 1 : 0);
    const bool is_mark = strncmp(line, "#-- set: ", strlen("#-- set: ")) == 0 ||
                         strncmp(line, "#-- folder: ", strlen("#-- folder: ")) == 0;
    if (!is_mark) return line;
  }
  *length = 0;
  return NULL;
}

/* The value of a setting in a bundle, copied; false: there is none. */
static bool find_setting(const char *text, const char *name, char *value, size_t size) {
  char mark[120];
  snprintf(mark, sizeof mark, "\n#-- set: %.80s=", name);
  const char *line = NULL;
  for (const char *p = text; (p = strstr(p, mark)) != NULL; p++) line = p + strlen(mark);
  if (line == NULL) return false;
  snprintf(value, size, "%.*s", (int)strcspn(line, "\n"), line);
  return true;
}

static trm_status compare_texts(const trm_run_info *info, const char *name, const char *is,
                                trm_error *err) {
  const char *was = info->text;
  for (int number = 1;; number++) {
    size_t was_length, is_length;
    const char *old = next_line(&was, &was_length), *new = next_line(&is, &is_length);
    if (old == NULL && new == NULL) return TRM_OK;
    if (old != NULL && new != NULL && was_length == is_length &&
        memcmp(old, new, is_length) == 0) {
      continue;
    }
    return app_fail(err, TRM_ERR_INPUT, "--restart",
                    "'%.80s' was run with another text of '%.80s': line %d was '%.*s', is '%.*s'",
                    info->path, name, number, was_length < 50 ? (int)was_length : 50,
                    old != NULL ? old : "", is_length < 50 ? (int)is_length : 50,
                    new != NULL ? new : "");
  }
}

/* MODEL and settings of the command line against the text in the run file. */
static trm_status check_text(const trm_run_info *info, app_options *given, trm_error *err) {
  if (given->model != NULL && !app_model_is_text(given->model)) {
    return app_fail(err, TRM_ERR_INPUT, "--restart", "'%.150s' is a run of a model file, not of "
                    "'%.60s'", info->path, given->model);
  }
  if (given->model != NULL) {
    app_options bare = *given; /* settings are compared one by one */
    bare.nsettings = 0;
    trm_status status = app_model_read(&bare, &given->loaded, err);
    if (status == TRM_OK) {
      status = compare_texts(info, given->model, trm_model_text(given->loaded), err);
    }
    if (status != TRM_OK) return status;
  }
  for (int i = 0; i < given->nsettings; i++) {
    const trm_setting *setting = &given->settings[i];
    char value[200];
    const bool is_there = find_setting(info->text, setting->name, value, sizeof value);
    if (is_there && is_same(value, setting->value)) continue;
    return fail_setting(info, setting, is_there ? value : NULL, "(what the file says)", err);
  }
  return TRM_OK;
}

static trm_status check_model(const trm_run_info *info, app_options *given, trm_error *err) {
  if (strcmp(info->version, TRM_VERSION) != 0) {
    return app_fail(err, TRM_ERR_INPUT, "--restart",
                    "'%.150s' was written by version %.20s, this is %s: it would not continue "
                    "to the same bits", info->path, info->version, TRM_VERSION);
  }
  if (info->text != NULL) return check_text(info, given, err);
  if (given->model != NULL && strcmp(given->model, info->model) != 0) {
    return app_fail(err, TRM_ERR_INPUT, "--restart", "'%.150s' is a run of '%.60s', not of '%.60s'",
                    info->path, info->model, given->model);
  }
  for (int i = 0; i < given->nsettings; i++) {
    const trm_setting *setting = &given->settings[i];
    const char *value = find_value(info->settings, info->nsettings, setting->name);
    if (value != NULL && is_same(value, setting->value)) continue;
    return fail_setting(info, setting, value, "(no such parameter)", err);
  }
  return TRM_OK;
}

static trm_status check_options(const trm_run_info *info, const app_options *given,
                                trm_error *err) {
  trm_option_text texts[TRM_OPTION_TEXTS];
  const int count = trm_options_write(&given->sim, texts);
  for (int i = 0; i < count; i++) {
    const trm_option_text *text = &texts[i];
    if (!is_given(given, text->name) || !trm_options_shape_steps(text->name)) continue;
    const char *value = strcmp(text->name, "formulation") == 0
                            ? info->formulation
                            : find_value(info->options, info->noptions, text->name);
    if (value != NULL && is_same(value, text->value)) continue;
    if (value == NULL) {
      return app_fail(err, TRM_ERR_INPUT, "--restart", "'%.150s' was run without --%s",
                      info->path, text->name);
    }
    return app_fail(err, TRM_ERR_INPUT, "--restart", "'%.150s' was run with --%s %.60s, not %.60s",
                    info->path, text->name, value, text->value);
  }
  return TRM_OK;
}

/* --- what to run ------------------------------------------------------------ */

/* Parameters that are not at their default. */
static trm_status take_settings(const trm_run_info *info, app_options *options, trm_error *err) {
  options->nsettings = 0;
  if (info->text != NULL) {
    const trm_status status = app_model_read_stored(options, info, &options->loaded, err);
    if (status != TRM_OK) return status;
    app_model_allow(options);
    return app_model_check_measures(options, info->path, err);
  }
  const trm_problem *problem;
  const trm_status status = app_model_find(info->model, &problem, err);
  if (status != TRM_OK) return status;
  for (int i = 0; i < info->nsettings; i++) {
    const trm_setting *setting = &info->settings[i];
    bool is_default = false;
    for (int k = 0; k < problem->nparameters; k++) {
      const trm_parameter *parameter = &problem->parameters[k];
      is_default = is_default || (strcmp(parameter->name, setting->name) == 0 &&
                                  strcmp(parameter->value, setting->value) == 0);
    }
    if (is_default) continue;
    if (options->nsettings == APP_SETTINGS_MAX) {
      return app_fail(err, TRM_ERR_IO, "--restart", "'%.150s' has more than %d parameters",
                      info->path, APP_SETTINGS_MAX);
    }
    options->settings[options->nsettings++] = *setting;
  }
  return TRM_OK;
}

/* The options of the file; end and samples of the command line where it gives them. */
static trm_status take_options(const trm_run_info *info, const app_options *given,
                               app_options *options, trm_error *err) {
  options->sim = trm_options_default();
  for (int i = 0; i < info->noptions; i++) {
    const trm_setting *option = &info->options[i];
    if (trm_options_read(&options->sim, option->name, option->value)) continue;
    return app_fail(err, TRM_ERR_IO, "--restart", "'%.150s' has an option %.30s %.60s that this "
                    "version does not know", info->path, option->name, option->value);
  }
  if (given->given[APP_OPT_END]) options->sim.end = given->sim.end;
  if (given->given[APP_OPT_OUTPUTS] || given->given[APP_OPT_OUTPUT_STEP]) {
    options->sim.outputs = given->sim.outputs;
    options->sim.output_step = given->sim.output_step;
  }
  return TRM_OK;
}

trm_status app_restart_open(app_restart *restart, const app_options *command_line,
                            app_options *options, trm_error *err) {
  app_options own = *command_line, *given = &own;
  *restart = (app_restart){.t = NAN};
  trm_status status = trm_run_open(given->restart, NULL, &restart->run, err);
  if (status != TRM_OK) return status;
  const trm_run_info *info = trm_run_info_of(restart->run);
  *options = *given;
  options->model = info->model;
  status = check_model(info, given, err);
  if (status == TRM_OK) status = app_outputs_check(given, err);
  trm_model_free(given->loaded);
  if (status == TRM_OK) status = check_options(info, given, err);
  if (status == TRM_OK) status = take_settings(info, options, err);
  if (status == TRM_OK) status = app_outputs_check(options, err);
  if (status == TRM_OK) status = take_options(info, given, options, err);
  return status;
}

/* --- the checkpoint --------------------------------------------------------- */

/* Number of the last checkpoint before the end and not after --from, or -1. */
static int choose(const trm_run *run, const app_options *options) {
  int best = -1;
  for (int k = 0; k < trm_run_info_of(run)->ncheckpoints; k++) {
    const double t = trm_run_checkpoint_at(run, k)->t;
    const bool is_late = options->given[APP_OPT_FROM] && t > options->from;
    if (t < options->sim.end && !is_late) best = k;
  }
  return best;
}

static trm_status fail_none(const trm_run *run, const app_options *options, trm_error *err) {
  const trm_run_info *info = trm_run_info_of(run);
  const char *unit = trm_run_signal(run, 0)->unit;
  if (info->ncheckpoints == 0) {
    return app_fail(err, TRM_ERR_IO, "--restart", "'%.150s' has no checkpoint yet", info->path);
  }
  const bool is_early = options->given[APP_OPT_FROM] &&
                        options->from < trm_run_checkpoint_at(run, 0)->t;
  return app_fail(err, TRM_ERR_INPUT, "--restart", is_early
                      ? "'%.150s' has its first checkpoint at t = %.9g %s, after --from %.9g %s"
                      : "'%.150s' has its first checkpoint at t = %.9g %s, the end is %.9g %s",
                  info->path, trm_run_checkpoint_at(run, 0)->t, unit,
                  is_early ? options->from : options->sim.end, unit);
}

/* Did the run begin at the start of the model? Not with --at static: its equilibrium is only found
 * by the run itself. Positions and velocities of the first sample show it. */
static trm_status compare_start(trm_run *run, const trm_sim *sim, bool *is_same_start,
                                trm_error *err) {
  const trm_system *system = trm_sim_system(sim);
  const trm_state *now = trm_sim_state(sim);
  const int nq = trm_system_count(system, TRM_Q), nv = trm_system_count(system, TRM_V);
  *is_same_start = false;
  if (trm_run_info_of(run)->nsamples == 0) return TRM_OK;
  double *both = calloc((size_t)nq + (size_t)nv + 1, sizeof *both);
  if (both == NULL) return app_fail_memory(err);
  trm_state first = {.q = both, .v = both + nq};
  const trm_status status = trm_run_read_state(run, system, 0, &first, err);
  *is_same_start = status == TRM_OK && first.t == now->t;
  for (int i = 0; i < nq && *is_same_start; i++) *is_same_start = first.q[i] == now->q[i];
  for (int i = 0; i < nv && *is_same_start; i++) *is_same_start = first.v[i] == now->v[i];
  free(both);
  return status;
}

/* Is the start of the run as good as a checkpoint? Not where inputs may have been set since, which
 * only checkpoints hold, nor where the file is itself the rest of a run, nor after --at static. */
static trm_status find_start(trm_run *run, const trm_sim *sim, bool *has_start, trm_error *err) {
  const bool has_inputs = trm_system_count(trm_sim_system(sim), TRM_U) > 0;
  *has_start = false;
  if (has_inputs || isfinite(trm_run_info_of(run)->resumed_from)) return TRM_OK;
  return compare_start(run, sim, has_start, err);
}

/* There is no checkpoint to load: the run begins at its start if that is known. */
static trm_status begin_again(trm_run *run, const trm_sim *sim, const app_options *options,
                              trm_error *err) {
  char text[TRM_MESSAGE_MAX];
  bool has_start = false;
  const trm_status status = find_start(run, sim, &has_start, err);
  if (status != TRM_OK) return status;
  if (!has_start) return fail_none(run, options, err);
  snprintf(text, sizeof text, "'%.150s' has no checkpoint that early: the run begins at its start",
           trm_run_info_of(run)->path);
  if (!options->quiet) app_note(options, trm_sim_state(sim)->t, text);
  return TRM_OK;
}

static trm_status load(app_restart *restart, trm_sim *sim, int k, trm_error *err) {
  const trm_run_checkpoint *point = trm_run_checkpoint_at(restart->run, k);
  void *data = malloc(point->size + 1);
  if (data == NULL) return app_fail_memory(err);
  trm_status status = trm_run_read_checkpoint(restart->run, k, data, err);
  if (status == TRM_OK) status = trm_sim_load(sim, data, point->size, err);
  free(data);
  restart->t = point->t;
  restart->steps = point->steps;
  return status;
}

trm_status app_restart_load(app_restart *restart, trm_sim *sim, const app_options *options,
                            trm_error *err) {
  int k = choose(restart->run, options);
  if (k < 0) return begin_again(restart->run, sim, options, err);
  trm_status status = load(restart, sim, k, err);
  while (status == TRM_ERR_IO && k > 0) {
    const double t = trm_run_checkpoint_at(restart->run, --k)->t;
    char text[TRM_MESSAGE_MAX + 64];
    snprintf(text, sizeof text, "%s: continuing from the one before it", err->message);
    if (!options->quiet) app_note(options, t, text);
    status = load(restart, sim, k, err);
  }
  return status;
}

void app_restart_free(app_restart *restart) {
  trm_run_close(restart->run);
  restart->run = NULL;
}
