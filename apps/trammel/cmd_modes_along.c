/* cmd_modes_along.c - modes RUN.h5 --along: the run is repeated with the same bits, and its modes
 * are followed from sample to sample. At each sample the motion is compared with that of the
 * file. */
#include "along.h"
#include "console.h"
#include "interrupt.h"
#include "json_out.h"
#include "rerun.h"
#include "report.h"
#include <stdio.h>

/* Data of the command; freed as a whole. */
typedef struct along_run {
  app_rerun again;
  app_along  along;
} along_run;

static trm_status follow(along_run *r, const app_options *given, trm_error *err) {
  trm_sim *sim = r->again.sim;
  trm_status status = app_along_init(&r->along, given, sim, 1, err);
  if (status == TRM_OK) {
    const trm_sink sink = app_along_sink(&r->along);
    status = trm_sim_add_sink(sim, &sink, err);
  }
  if (status == TRM_OK) status = trm_sim_run(sim, err);
  const trm_run_info *info = trm_run_info_of(r->again.restart.run);
  if (status == TRM_OK && info->status == TRM_RUN_OK) {
    status = app_rerun_compare(&r->again, trm_sim_state(sim), info->nsamples - 1, err);
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
  app_json_put(root, "model", app_json_text(trm_system_name(r->again.system)));
  app_json_put(root, "status", json_string("ok"));
  app_json_put(root, "analysis", json_string("modes along"));
  app_along_json(&r->along, root);
  return app_json_print(root, err);
}

trm_status app_modes_along(const app_options *given, trm_error *err) {
  along_run r = {.again = {.system = NULL}};
  const app_rerun_wish wish = {.path = given->model, .object = "--along",
                                .instead = "take run --modes-every"};
  app_interrupt_install(given);
  trm_status status = TRM_OK;
  if (given->at != NULL) {
    status = app_fail(err, TRM_ERR_INPUT, "--at", "is for one state, --along for all samples");
  }
  if (status == TRM_OK) status = app_rerun_open(&r.again, given, &wish, err);
  if (status == TRM_OK) status = follow(&r, given, err);
  if (status == TRM_OK) status = show(&r, given, err);
  app_along_free(&r.along);
  app_rerun_free(&r.again);
  return status;
}
