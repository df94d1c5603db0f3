/* cmd_run.c - simulate a model: build, run, print. */
#include "along.h"
#include "commands.h"
#include "console.h"
#include "csv_output.h"
#include "interrupt.h"
#include "json_out.h"
#include "live_run.h"
#include "load_model.h"
#include "recorder.h"
#include "report.h"
#include "restart.h"
#include "run_page.h"
#include "summary.h"
#include "trammel/run_file.h"
#include "verify.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Data of a run; freed as a whole. */
typedef struct run {
  app_options   options; /* of the command line, or of the file to be continued */
  app_restart   restart;
  trm_setting  *parameters; /* of the model, as run                           */
  trm_system   *system;
  trm_static   *rest;      /* the start, with --at static                      */
  trm_sim      *sim;
  app_recorder  recorder;
  app_console   console;
  app_csv       csv;
  trm_run_sink *file;
  trm_options   sim_options; /* as used                                         */
  app_verify    verify;
  app_along     along;
  app_run_page  page;
  app_live      live;
} run;

/* A motion that moves from the first instant gives a mechanism at rest a jolt: `text` describes the
 * first such motion. False: there is none. */
static bool find_jolt(const run *r, char *text, size_t size) {
  const int count = trm_system_count(r->system, TRM_LAM);
  double *rate = calloc((size_t)count + 1, sizeof *rate);
  bool is_found = false;
  if (rate == NULL) return false;
  const trm_values out = {.g_rate = rate};
  const bool is_known = trm_system_values(trm_static_system(r->rest), trm_static_state(r->rest),
                                          &out, NULL) == TRM_OK;
  for (int i = 0; i < count && is_known && !is_found; i++) {
    trm_label label;
    trm_system_label(r->system, TRM_LAM, i, &label);
    is_found = strncmp(label.object, "motion '", 8) == 0 && fabs(rate[i]) > 1e-9;
    if (is_found) {
      snprintf(text, size, "; %.60s moves with %.4g from the first instant on, a jolt to the rest: "
               "STEP in its law avoids it", label.object, fabs(rate[i]));
    }
  }
  free(rate);
  return is_found;
}

/* Report how the equilibrium was found. */
static void note_rest(run *r) {
  const trm_static_facts *facts = trm_static_facts_of(r->rest);
  char text[TRM_MESSAGE_MAX], jolt[200] = "";
  (void)find_jolt(r, jolt, sizeof jolt);
  snprintf(text, sizeof text, "begins at rest: %s found the equilibrium in %d iteration%s, the "
           "largest displacement from the start values is %.4g%s%s", facts->method,
           facts->iterations, facts->iterations == 1 ? "" : "s", facts->moved,
           facts->unstable > 0 ? "; it is unstable, so that the motion leaves it" : "", jolt);
  app_console_sink(&r->console).message(&r->console, trm_static_state(r->rest)->t, text);
  app_recorder_sink(&r->recorder).message(&r->recorder, trm_static_state(r->rest)->t, text);
}

/* --at: the state at the start. */
static trm_status find_start(run *r, trm_error *err) {
  const char *at = r->options.at;
  if (at == NULL || strcmp(at, "start") == 0) return TRM_OK;
  if (strcmp(at, "static") != 0) {
    return app_fail(err, TRM_ERR_INPUT, "--at", "'%.40s' is neither start nor static", at);
  }
  if (r->restart.run != NULL) {
    return app_fail(err, TRM_ERR_INPUT, "--at", "a run that is resumed begins at its checkpoint");
  }
  app_options options = r->options;
  options.given[APP_OPT_MAX_ITERATIONS] = false; /* of steps */
  const trm_status status =
      app_find_static(&options, &r->sim_options, r->system, &r->rest, err);
  if (status != TRM_OK) return status;
  r->sim_options.from = trm_static_state(r->rest);
  note_rest(r);
  return TRM_OK;
}

static trm_status prepare(run *r, trm_error *err) {
  const app_options *options = &r->options;
  trm_options *sim = &r->sim_options;
  trm_status status = app_model_options(options, sim, err);
  const bool has_grid = sim->outputs > 0 || sim->output_step > 0.0 || r->restart.run != NULL;
  if (!has_grid && (options->csv != NULL || options->out != NULL || options->verify ||
                    options->modes_every > 0)) {
    sim->outputs = APP_DEFAULT_INTERVALS;
  }
  if (!has_grid && (options->report != NULL || options->live)) sim->outputs = APP_PAGE_INTERVALS;
  if (options->live) app_live_ask(&r->live, sim);
  if (status == TRM_OK) status = app_model_create(options, &r->system, err);
  if (status == TRM_OK) status = app_recorder_init(&r->recorder, r->system, err);
  if (status == TRM_OK) status = find_start(r, err);
  if (status == TRM_OK && options->verify) {
    status = app_verify_init(&r->verify, r->system, sim, err);
  }
  if (status == TRM_OK) status = trm_sim_create(r->system, sim, &r->sim, err);
  if (status == TRM_OK) status = app_model_add_measures(options, r->sim, err);
  return status;
}

/* Continue from the checkpoint. */
static trm_status resume(run *r, trm_error *err) {
  if (r->restart.run == NULL) return TRM_OK;
  const trm_status status = app_restart_load(&r->restart, r->sim, &r->options, err);
  r->recorder.resumed_from = r->restart.t;
  r->recorder.initial = trm_run_info_of(r->restart.run)->energy_initial;
  return status;
}

/* All parameters of a built-in problem as run: their settings or defaults. */
static trm_setting as_run(const app_options *options, const trm_parameter *parameter) {
  for (int k = options->nsettings - 1; k >= 0; k--) {
    if (strcmp(options->settings[k].name, parameter->name) == 0) return options->settings[k];
  }
  return (trm_setting){.name = parameter->name, .value = parameter->value};
}

static trm_status list_parameters(run *r, int *count, trm_error *err) {
  const trm_model *model = r->options.loaded;
  const trm_problem *problem = NULL;
  if (model == NULL) {
    const trm_status status = app_model_find(r->options.model, &problem, err);
    if (status != TRM_OK) return status;
  }
  *count = model != NULL ? trm_model_parameter_count(model) : problem->nparameters;
  r->parameters = calloc((size_t)*count + 1, sizeof *r->parameters);
  if (r->parameters == NULL) return app_fail_memory(err);
  for (int i = 0; i < *count; i++) {
    r->parameters[i] = model != NULL ? trm_model_parameter_at(model, i)
                                     : as_run(&r->options, &problem->parameters[i]);
  }
  return TRM_OK;
}

static trm_status find_facts(run *r, trm_run_facts *facts, trm_error *err) {
  *facts = trm_run_facts_default(r->sim);
  const trm_status status = list_parameters(r, &facts->nparameters, err);
  if (status != TRM_OK) return status;
  if (r->options.loaded != NULL) facts->text = trm_model_text(r->options.loaded);
  facts->parameters = r->parameters;
  facts->energy_initial = r->recorder.initial;
  if (r->restart.run != NULL) {
    facts->resumed_from = r->restart.t;
    facts->resumed_steps = r->restart.steps;
  }
  return TRM_OK;
}

/* Receivers of the facts of the run: its file, and viewers. */
static trm_status create_records(run *r, trm_error *err) {
  trm_run_facts facts;
  if (r->options.out == NULL && !r->options.live) return TRM_OK;
  trm_status status = find_facts(r, &facts, err);
  if (status == TRM_OK && r->options.out != NULL) {
    status = trm_run_sink_create(r->options.out, &facts, NULL, &r->file, err);
  }
  if (status == TRM_OK && r->options.live) {
    status = app_live_begin(&r->live, &facts, r->system, &r->options, err);
  }
  return status;
}

/* Reject a name with the extension of another format. */
static void note_format(const run *r) {
  static const char *const others[] = {".mat", ".csv", ".pvd", ".svg", ".yaml"};
  const char *dot = r->options.out != NULL ? strrchr(r->options.out, '.') : NULL;
  char text[TRM_MESSAGE_MAX];
  for (size_t i = 0; i < sizeof others / sizeof *others && !r->options.quiet; i++) {
    if (dot == NULL || strcmp(dot, others[i]) != 0) continue;
    snprintf(text, sizeof text, "--out writes a run file (HDF5), whatever its name is: '%.120s' is "
             "one; tables and MAT files are made by 'trammel export RUN.h5 --out FILE'",
             r->options.out);
    app_note(&r->options, NAN, text);
  }
  static const char *const books[] = {".xlsx", ".xls", ".ods", ".h5", ".mat"};
  dot = r->options.csv != NULL ? strrchr(r->options.csv, '.') : NULL;
  for (size_t i = 0; i < sizeof books / sizeof *books && !r->options.quiet; i++) {
    if (dot == NULL || strcmp(dot, books[i]) != 0) continue;
    snprintf(text, sizeof text, "--csv writes text with commas, whatever its name is: programs "
             "that go by the ending will not read '%.120s'; name it .csv", r->options.csv);
    app_note(&r->options, NAN, text);
  }
}

/* Files come first: if one cannot be created, nothing else starts. */
static trm_status add_sinks(run *r, trm_error *err) {
  note_format(r);
  app_interrupt_keep_files();
  trm_status status = create_records(r, err);
  if (status == TRM_OK && r->options.csv != NULL) {
    status = app_csv_init(&r->csv, r->options.csv, err);
  }
  if (status == TRM_OK && r->options.modes_every > 0) {
    status = app_along_init(&r->along, &r->options, r->sim, r->options.modes_every, err);
  }
  const struct {
    bool     is_wanted;
    trm_sink sink;
  } sinks[] = {
    {r->file != NULL, r->file != NULL ? trm_run_sink_of(r->file) : (trm_sink){0}},
    {r->live.live != NULL, trm_live_sink(r->live.live)},
    {r->options.csv != NULL, app_csv_sink(&r->csv)},
    {true, app_recorder_sink(&r->recorder)},
    {r->options.verify, app_verify_sink(&r->verify)},
    {r->options.modes_every > 0, app_along_sink(&r->along)},
    {true, app_console_sink(&r->console)},
  };
  for (size_t i = 0; i < sizeof sinks / sizeof *sinks && status == TRM_OK; i++) {
    if (sinks[i].is_wanted) status = trm_sim_add_sink(r->sim, &sinks[i].sink, err);
  }
  return status;
}

/* Print results, and their verification by the second run. */
static trm_status show(run *r, trm_error *err) {
  const app_options *options = &r->options;
  if (options->modes_out != NULL) {
    const trm_status status = app_along_plot(&r->along, options->modes_out, err);
    if (status != TRM_OK) return status;
  }
  if (options->verify && !options->quiet) {
    char text[TRM_MESSAGE_MAX + 200];
    for (int i = 0; app_verify_sentence(&r->verify, r->system, i, text, sizeof text); i++) {
      app_note(options, NAN, text);
    }
  }
  if (options->json) {
    json_t *root = app_json_run_object(r->sim, r->system, &r->recorder);
    if (options->verify) app_json_put(root, "verify", app_verify_json(&r->verify, r->system));
    if (options->modes_every > 0) app_along_json(&r->along, root);
    return app_json_print(root, err);
  }
  if (options->quiet) return TRM_OK;
  app_summary(r->sim, r->system, &r->recorder);
  if (options->verify) app_verify_print(&r->verify, r->system);
  if (options->modes_every > 0) app_along_print(&r->along);
  return TRM_OK;
}

trm_status app_run(const app_options *options, trm_error *err) {
  run r = {.options = *options};
  app_console_init(&r.console, options, "");
  app_interrupt_install(options);

  trm_status status = TRM_OK;
  if (options->modes_out != NULL && options->modes_every == 0) {
    status = app_fail(err, TRM_ERR_INPUT, "--modes-out", "is for --modes-every");
  }
  if (status == TRM_OK && options->restart != NULL) {
    status = app_restart_open(&r.restart, options, &r.options, err);
  }
  if (status == TRM_OK) status = app_run_page_begin(&r.page, &r.options, err);
  if (status == TRM_OK) status = prepare(&r, err);
  if (status == TRM_OK) status = resume(&r, err);
  if (status == TRM_OK) status = app_model_set_inputs(options, r.sim, err);
  if (status == TRM_OK) status = add_sinks(&r, err);
  if (status == TRM_OK) status = app_live_run(&r.live, r.sim, err);
  app_console_erase(&r.console);
  if (status == TRM_OK && options->verify) {
    status = app_verify_run(&r.verify, &r.options, &r.sim_options, r.sim, err);
  }
  if (status == TRM_OK) status = show(&r, err);
  app_live_end(&r.live);

  trm_sim_free(r.sim);
  trm_run_sink_free(r.file);
  status = app_run_page_end(&r.page, &r.options, status, err);
  app_csv_free(&r.csv);
  free(r.parameters);
  app_recorder_free(&r.recorder);
  app_verify_free(&r.verify);
  app_along_free(&r.along);
  trm_static_free(r.rest);
  trm_system_free(r.system);
  if (options->restart != NULL) trm_model_free(r.options.loaded);
  app_restart_free(&r.restart);
  return status;
}
