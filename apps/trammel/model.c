/* model.c - built-in models by name. */
#include "model.h"
#include "interrupt.h"
#include "nearest.h"
#include "report.h"
#include <math.h>
#include <string.h>

static const char *problem_name(const void *list, int i) {
  (void)list;
  return trm_problem_at(i)->name;
}

trm_status app_model_find(const char *name, const trm_problem **problem, trm_error *err) {
  *problem = trm_problem_find(name);
  if (*problem != NULL) return TRM_OK;
  const char *nearest = app_nearest(name, NULL, trm_problem_count(), problem_name);
  const bool is_file = strpbrk(name, "/.") != NULL;
  return app_fail(err, TRM_ERR_INPUT, NULL,
                  is_file ? "'%.100s' looks like a file, but this version knows only its built-in "
                            "models; the nearest one is '%s'"
                          : "there is no built-in model '%.100s', the nearest one is '%s'",
                  name, nearest);
}

trm_status app_model_create(const app_options *options, trm_system **system, trm_error *err) {
  *system = NULL;
  const trm_problem *problem;
  const trm_status status = app_model_find(options->model, &problem, err);
  if (status != TRM_OK) return status;
  return trm_problem_create(problem, options->settings, options->nsettings, NULL, system, err);
}

trm_status app_model_options(const app_options *options, trm_options *sim, trm_error *err) {
  *sim = options->sim;
  sim->should_stop = app_interrupt_asked;
  if (!isnan(sim->end)) return TRM_OK;
  const trm_problem *problem;
  const trm_status status = app_model_find(options->model, &problem, err);
  if (status == TRM_OK) sim->end = problem->end;
  return status;
}
