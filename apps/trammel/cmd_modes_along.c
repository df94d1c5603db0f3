/* cmd_modes_along.c - modes RUN.h5 --along: the run is made again, to the same bits, and its modes
 * are followed from sample to sample. At each end the motion is compared with that of the file. */
#include "along.h"
#include "console.h"
#include "interrupt.h"
#include "json_out.h"
#include "load_model.h"
#include "report.h"
#include "restart.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What the command needs; freed as a whole. */
typedef struct along_run {
  app_options options;
  app_restart restart;
  trm_options sim_options;
  trm_system *system;
  trm_sim    *sim;
  app_along   along;
} along_run;

/* Is the state that of sample `row` of the file? */
static trm_status compare_sample(const along_run *r, const trm_state *s, long row,
                                 trm_error *err) {
  trm_run *file = r->restart.run;
  for (int i = 0; i < trm_system_count(r->system, TRM_Q); i++) {
    trm_label label;
    int signal = -1;
    double was = NAN;
    trm_system_label(r->system, TRM_Q, i, &label);
    trm_status status = trm_run_find(file, label.name, &signal, err);
    if (status == TRM_OK) status = trm_run_read_range(file, signal, row, 1, &was, err);
    if (status != TRM_OK) return status;
    if (fabs(s->q[i] - was) <= 1e-9 * fmax(1.0, fabs(was))) continue;
    return app_fail(err, TRM_ERR_INPUT, "--along", "the motion of '%.150s' does not come again: at "
                    "t = %.6g '%s' was %.9g and is %.9g; a run that began at rest (--at static), "
                    "with inputs or from a checkpoint cannot be repeated: take run --modes-every",
                    trm_run_info_of(file)->path, s->t, label.name, was, s->q[i]);
  }
  return TRM_OK;
}

static trm_status open_run(along_run *r, const app_options *given, trm_error *err) {
  app_options options = *given;
  options.restart = given->model;
  options.model = options.out = NULL;
  trm_status status = app_restart_open(&r->restart, &options, &r->options, err);
  if (status != TRM_OK) {
    if (strcmp(err->object, "--restart") == 0) snprintf(err->object, sizeof err->object, "--along");
    return status;
  }
  const trm_run_info *info = trm_run_info_of(r->restart.run);
  if (info->nsamples == 0 || isfinite(info->resumed_from)) {
    return app_fail(err, TRM_ERR_INPUT, "--along", "'%.150s' %s", info->path,
                    info->nsamples == 0 ? "has no samples"
                                        : "was resumed from a checkpoint: take the run it goes on "
                                          "from, or run --modes-every");
  }
  status = app_model_options(&r->options, &r->sim_options, err);
  if (status == TRM_OK) status = app_model_create(&r->options, &r->system, err);
  if (status == TRM_OK) status = trm_sim_create(r->system, &r->sim_options, &r->sim, err);
  return status;
}

static trm_status follow(along_run *r, const app_options *given, trm_error *err) {
  trm_status status = compare_sample(r, trm_sim_state(r->sim), 0, err);
  if (status == TRM_OK) status = app_along_init(&r->along, given, r->sim, 1, err);
  if (status == TRM_OK) {
    const trm_sink sink = app_along_sink(&r->along);
    status = trm_sim_add_sink(r->sim, &sink, err);
  }
  if (status == TRM_OK) status = trm_sim_run(r->sim, err);
  const trm_run_info *info = trm_run_info_of(r->restart.run);
  if (status == TRM_OK && info->status == TRM_RUN_OK) {
    status = compare_sample(r, trm_sim_state(r->sim), info->nsamples - 1, err);
  }
  return status;
}

static trm_status show(const along_run *r, const app_options *given, trm_error *err) {
  trm_status status = TRM_OK;
  if (given->out != NULL) status = app_along_plot(&r->along, given->out, err);
  if (status != TRM_OK) return status;
  if (!given->json) {
    if (!given->quiet) app_along_print(&r->along);
    return TRM_OK;
  }
  json_t *root = json_object();
  app_json_put(root, "trammel", json_string(TRM_VERSION));
  app_json_put(root, "model", app_json_text(trm_system_name(r->system)));
  app_json_put(root, "status", json_string("ok"));
  app_json_put(root, "analysis", json_string("modes along"));
  app_along_json(&r->along, root);
  return app_json_print(root, err);
}

trm_status app_modes_along(const app_options *given, trm_error *err) {
  along_run r = {.system = NULL};
  app_interrupt_install(given);
  trm_status status = TRM_OK;
  if (given->at != NULL) {
    status = app_fail(err, TRM_ERR_INPUT, "--at", "is for one state, --along for all samples");
  }
  if (status == TRM_OK) status = open_run(&r, given, err);
  if (status == TRM_OK) status = follow(&r, given, err);
  if (status == TRM_OK) status = show(&r, given, err);
  app_along_free(&r.along);
  trm_sim_free(r.sim);
  trm_system_free(r.system);
  trm_model_free(r.options.loaded);
  app_restart_free(&r.restart);
  return status;
}
