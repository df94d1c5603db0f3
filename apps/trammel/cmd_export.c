/* cmd_export.c - a run file in the form of another program. */
#include "commands.h"
#include "trammel/export.h"
#include "json_out.h"
#include "report.h"
#include "stress_run.h"

/* More frames than this are of no use for a moving picture. */
enum { FRAMES_DEFAULT = 1000 };

static trm_status print(const app_options *options, const trm_run_info *info, bool is_thinned,
                        trm_error *err) {
  const long samples = is_thinned ? options->frames : info->nsamples;
  if (options->json) {
    json_t *root = json_object();
    app_json_put(root, "out", app_json_text(options->out));
    app_json_put(root, "signals", json_integer(info->nsignals));
    app_json_put(root, "samples", json_integer(samples));
    return app_json_print(root, err);
  }
  if (!options->quiet) {
    printf("%s: %ld samples of %d signals%s\n", options->out, samples, info->nsignals,
           is_thinned ? ", the others are left out (--frames N)" : "");
  }
  return TRM_OK;
}

/* With the stress of flexible bodies, whose modes come from the model. */
static trm_status write_stress(const app_options *options, trm_error *err) {
  app_stress_run s = {.run = NULL};
  const trm_stress_export choice = {.frames = options->frames, .nodes = options->nodes};
  trm_status status = app_stress_open(options, &s, err);
  if (status == TRM_OK) status = trm_export_stress(s.run, s.system, options->out, &choice, err);
  app_stress_close(&s);
  return status;
}

trm_status app_export(const app_options *given, trm_error *err) {
  app_options options = *given;
  if (options.out == NULL) {
    return app_fail(err, TRM_ERR_INPUT, "--out", "is missing: F.csv, F.mat or F.pvd");
  }
  if (options.nodes != NULL && !options.with_stress) {
    return app_fail(err, TRM_ERR_INPUT, "--nodes", "needs --stress");
  }
  if (!options.given[APP_OPT_FRAMES]) options.frames = FRAMES_DEFAULT;
  trm_export_format format = TRM_EXPORT_CSV;
  trm_status status = trm_export_format_of(options.out, &format, err);
  if (status != TRM_OK) return status;
  trm_run *run = NULL;
  status = trm_run_open(options.model, NULL, &run, err);
  if (status == TRM_OK) {
    status = options.with_stress ? write_stress(&options, err)
                                 : trm_export(run, options.out, options.frames, err);
  }
  if (status == TRM_OK) {
    const trm_run_info *info = trm_run_info_of(run);
    status = print(&options, info,
                   format == TRM_EXPORT_PVD && info->nsamples > options.frames, err);
  }
  trm_run_close(run);
  return status;
}
