/* cmd_run.c - simulate a model: build, run, print. */
#include "commands.h"
#include "console.h"
#include "csv_sink.h"
#include "interrupt.h"
#include "json_out.h"
#include "model.h"
#include "recorder.h"
#include "summary.h"

/* What a run needs; freed as a whole. */
typedef struct run {
  trm_system  *system;
  trm_sim     *sim;
  app_recorder recorder;
  app_console  console;
  app_csv      csv;
} run;

static trm_status prepare(run *r, const app_options *options, trm_error *err) {
  trm_options sim;
  trm_status status = app_model_options(options, &sim, err);
  const bool has_grid = options->given[APP_OPT_OUTPUTS] || options->given[APP_OPT_OUTPUT_STEP];
  if (options->csv != NULL && !has_grid) sim.outputs = APP_DEFAULT_INTERVALS;
  if (status == TRM_OK) status = app_model_create(options, &r->system, err);
  if (status == TRM_OK) status = app_recorder_init(&r->recorder, r->system, err);
  if (status == TRM_OK) status = trm_sim_create(r->system, &sim, &r->sim, err);
  return status;
}

/* The table comes first: if its file cannot be made, nothing else starts. */
static trm_status add_sinks(run *r, const app_options *options, trm_error *err) {
  const trm_sink sinks[] = {app_csv_sink(&r->csv), app_recorder_sink(&r->recorder),
                            app_console_sink(&r->console)};
  trm_status status = TRM_OK;
  for (int i = options->csv != NULL ? 0 : 1; i < 3 && status == TRM_OK; i++) {
    status = trm_sim_add_sink(r->sim, &sinks[i], err);
  }
  return status;
}

trm_status app_run(const app_options *options, trm_error *err) {
  run r = {.system = NULL};
  app_console_init(&r.console, options, "");
  app_csv_init(&r.csv, options->csv);
  app_interrupt_install();

  trm_status status = prepare(&r, options, err);
  if (status == TRM_OK) status = add_sinks(&r, options, err);
  if (status == TRM_OK) status = trm_sim_run(r.sim, err);
  app_console_erase(&r.console);
  if (status == TRM_OK && options->json) {
    status = app_json_run(r.sim, r.system, &r.recorder, err);
  } else if (status == TRM_OK && !options->quiet) {
    app_summary(r.sim, r.system, &r.recorder);
  }

  trm_sim_free(r.sim);
  app_csv_free(&r.csv);
  app_recorder_free(&r.recorder);
  trm_system_free(r.system);
  return status;
}
