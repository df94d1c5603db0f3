/* cmd_export.c - a run file in the form of another program. */
#include "commands.h"
#include "trammel/export.h"
#include "json_out.h"
#include "report.h"

/* More frames than this are of no use for a moving picture. */
enum { FRAMES_DEFAULT = 1000 };

trm_status app_export(const app_options *options, trm_error *err) {
  if (options->out == NULL) {
    return app_fail(err, TRM_ERR_INPUT, "--out", "is missing: F.csv, F.mat or F.pvd");
  }
  trm_export_format format = TRM_EXPORT_CSV;
  trm_status status = trm_export_format_of(options->out, &format, err);
  if (status != TRM_OK) return status;
  trm_run *run = NULL;
  status = trm_run_open(options->model, NULL, &run, err);
  const long frames = options->given[APP_OPT_FRAMES] ? options->frames : FRAMES_DEFAULT;
  if (status == TRM_OK) status = trm_export(run, options->out, frames, err);
  if (status == TRM_OK) {
    const trm_run_info *info = trm_run_info_of(run);
    const bool is_thinned = format == TRM_EXPORT_PVD && info->nsamples > frames;
    if (options->json) {
      json_t *root = json_object();
      app_json_put(root, "out", app_json_text(options->out));
      app_json_put(root, "signals", json_integer(info->nsignals));
      app_json_put(root, "samples", json_integer(is_thinned ? frames : info->nsamples));
      status = app_json_print(root, err);
    } else if (!options->quiet) {
      printf("%s: %ld samples of %d signals%s\n", options->out,
             is_thinned ? frames : info->nsamples, info->nsignals,
             is_thinned ? ", the others are left out (--frames N)" : "");
    }
  }
  trm_run_close(run);
  return status;
}
