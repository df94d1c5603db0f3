/* stress_run.c - a run of a model with stress: its file, its system, its times. */
#include "stress_run.h"
#include "load_model.h"
#include "report.h"
#include <stdlib.h>

trm_status app_stress_open(const app_options *options, app_stress_run *s, trm_error *err) {
  trm_status status = trm_run_open(options->model, NULL, &s->run, err);
  if (status != TRM_OK) return status;
  const trm_run_info *info = trm_run_info_of(s->run);
  if (info->text == NULL) {
    return app_fail(err, TRM_ERR_INPUT, NULL, "'%.150s' is a run of a built-in problem: it has no "
                    "flexible bodies from meshes and no beams", info->path);
  }
  status = app_model_read_stored(options, info, &s->model, err);
  if (status != TRM_OK) return status;
  trm_model_use_plugins(s->model, TRM_PLUGINS_SKIPPED);
  status = trm_model_create_system(s->model, NULL, &s->system, err);
  if (status != TRM_OK) return status;
  bool has_stress = trm_flexible_count(s->system) > 0;
  for (int i = 0; i < trm_beam_count(s->system); i++) {
    has_stress = has_stress || trm_beam_at(s->system, i).points > 0;
  }
  if (!has_stress) {
    return app_fail(err, TRM_ERR_INPUT, NULL, "the model of '%.150s' has no flexible bodies and no "
                    "beams with a `section`", info->path);
  }
  if (info->nsamples == 0) {
    return app_fail(err, TRM_ERR_INPUT, NULL, "'%.150s' holds no samples", info->path);
  }
  s->times = calloc((size_t)info->nsamples, sizeof *s->times);
  if (s->times == NULL) return app_fail_memory(err);
  return trm_run_read_times(s->run, s->times, err);
}

void app_stress_close(app_stress_run *s) {
  free(s->times);
  trm_system_free(s->system);
  trm_model_free(s->model);
  trm_run_close(s->run);
}
