/* cmd_steplimit.c - the largest fixed step with which a run comes to its end.
 *
 * Steps are the run divided by whole numbers N. N doubles until a run succeeds, then the limit
 * is found by bisection: N succeeds, N - 1 fails. */
#include "commands.h"
#include "interrupt.h"
#include "json_out.h"
#include "load_model.h"
#include "report.h"
#include <math.h>

/* The result of one run. */
typedef struct trial {
  trm_status   status;
  trm_error    error;
  trm_counters counters;
} trial;

/* Failures that belong to the step; all others end the search. */
static bool is_step_failure(trm_status status) {
  return status == TRM_ERR_STEP || status == TRM_ERR_NOT_FINITE || status == TRM_ERR_SINGULAR;
}

static trm_status try_steps(const app_options *options, const trm_options *sim, long n,
                            trial *out, trm_error *err) {
  trm_options run = *sim;
  trm_system *system = NULL;
  trm_sim *s = NULL;
  out->error = (trm_error){.status = TRM_OK};
  trm_status status = app_model_create(options, &system, err);
  if (status != TRM_OK) return status;
  run.steps[0] = (sim->end - (isnan(sim->start) ? 0.0 : sim->start)) / (double)n;
  run.nsteps = 1;
  run.outputs = 0;
  out->status = trm_sim_create(system, &run, &s, &out->error);
  if (out->status == TRM_OK) out->status = trm_sim_run(s, &out->error);
  if (s != NULL) out->counters = *trm_sim_counters(s);
  trm_sim_free(s);
  trm_system_free(system);
  if (out->status == TRM_OK || is_step_failure(out->status)) return TRM_OK;
  *err = out->error;
  return out->status;
}

static void print_limit(const app_options *options, const trm_options *sim, long n,
                        const trial *good, const trial *bad) {
  const double h = sim->end / (double)n;
  printf("%s: largest step %.6g %s (%ld steps, %.2f iterations a step)\n", options->model, h,
         app_model_units(options).time, n,
         (double)good->counters.newton_iterations / (double)good->counters.steps);
  printf("stopping test: correction below %g of scale within %d iterations of each try\n",
         sim->newton_tolerance, sim->max_iterations);
  if (n > 1) printf("with %ld steps: %s\n", n - 1, bad->error.message);
}

static trm_status print_json(const app_options *options, const trm_options *sim, long n,
                             const trial *good, const trial *bad, trm_error *err) {
  json_t *root = json_object();
  app_json_put(root, "model", app_json_text(options->model));
  app_json_put(root, "step", app_json_number(sim->end / (double)n));
  app_json_put(root, "steps", json_integer(n));
  app_json_put(root, "newton_iterations", json_integer(good->counters.newton_iterations));
  app_json_put(root, "newton_tolerance", app_json_number(sim->newton_tolerance));
  app_json_put(root, "max_iterations", json_integer(sim->max_iterations));
  app_json_put(root, "failure", n > 1 ? app_json_text(bad->error.message) : json_null());
  return app_json_print(root, err);
}

trm_status app_steplimit(const app_options *options, trm_error *err) {
  enum { STEPS_MAX = 1 << 22 };
  trm_options sim;
  trm_status status = app_model_options(options, &sim, err);
  if (status != TRM_OK) return status;
  app_model_leave_energy(&sim);
  if (!(sim.newton_tolerance > 0.0)) sim.newton_tolerance = 1e-10;
  if (sim.max_iterations == 0) sim.max_iterations = 10;
  app_interrupt_install(options);
  trial good = {0}, bad = {0}, now = {0};
  long low = 0, high = 1; /* low fails, high is tried */
  for (;; high *= 2) {
    status = try_steps(options, &sim, high, &now, err);
    if (status != TRM_OK) return status;
    if (now.status == TRM_OK) break;
    low = high;
    bad = now;
    if (high >= STEPS_MAX) {
      return app_fail(err, TRM_ERR_STEP, NULL, "even %ld steps do not reach the end: %.200s",
                      high, now.error.message);
    }
  }
  good = now;
  while (high - low > 1) {
    const long middle = low + (high - low) / 2;
    status = try_steps(options, &sim, middle, &now, err);
    if (status != TRM_OK) return status;
    if (now.status == TRM_OK) high = middle, good = now;
    else low = middle, bad = now;
  }
  if (options->json) return print_json(options, &sim, high, &good, &bad, err);
  print_limit(options, &sim, high, &good, &bad);
  return TRM_OK;
}
