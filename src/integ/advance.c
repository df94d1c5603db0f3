/* advance.c - a simulation advanced by its caller: advance to a time, read outputs by name, prepare
 * for saving.
 *
 * The last steps before the target share the remaining time, as they do before the end of the run;
 * they do not affect the step size proposed afterwards. Fixed steps begin a new grid at a target
 * that is not on the old one. */
#include "integ/calls.h"
#include "trammel/nearest.h"
#include <math.h>

/* Times closer than this are equal. */
static double near_time(const trm_sim *sim, double t) {
  return 1e-13 * fmax(fabs(t), sim->options.end - sim->t_start);
}

double trmi_sim_horizon(const trm_sim *sim) {
  return sim->has_target ? fmin(sim->target, sim->options.end) : sim->options.end;
}

static trm_status check_target(const trm_sim *sim, double t, trm_error *err) {
  const double now = trm_sim_state(sim)->t, near = near_time(sim, t);
  const char *unit = sim->sys->units.time;
  if (!isfinite(t)) return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "%g is not a time to go to", t);
  if (!(t >= now - near)) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the simulation is at %.9g %s and cannot go to "
                     "%.9g %s", now, unit, t, unit);
  }
  if (!(t <= sim->options.end + near)) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "%.9g %s is after the end of the run, %.9g %s", t,
                     unit, sim->options.end, unit);
  }
  return TRM_OK;
}

/* Fixed steps start a new grid unless the last one ended on the old one. */
static void renew_grid(trm_sim *sim) {
  const trm_options *opt = &sim->options;
  if (opt->nsteps == 0 || sim->step_number == 0) return;
  const double now = trm_sim_state(sim)->t, last = trmi_grid_time(sim, sim->step_number - 1);
  if (fabs(now - last) <= 1e-6 * opt->steps[(sim->step_number - 1) % opt->nsteps]) return;
  sim->grid_start = now;
  sim->step_number = 0;
}

static trm_status advance(trm_sim *sim, double t, trm_error *err) {
  TRMI_TRY(err, check_target(sim, t, err));
  const clock_t start = clock();
  bool done = sim->is_done;
  trm_status status = TRM_OK;
  sim->target = t;
  sim->has_target = true;
  while (status == TRM_OK && !done && trm_sim_state(sim)->t < t - near_time(sim, t)) {
    status = trmi_sim_ask_stop(sim, err);
    if (status == TRM_OK) status = trmi_sim_take_step(sim, &done, err);
  }
  sim->has_target = false;
  if (status == TRM_OK) renew_grid(sim);
  sim->counters.seconds += (double)(clock() - start) / CLOCKS_PER_SEC;
  return status;
}

trm_status trm_sim_advance(trm_sim *sim, double t, trm_error *err) {
  TRMI_NEED(err, sim);
  TRMI_TRY(err, trmi_sim_enter(sim, __func__, err));
  return trmi_sim_leave(sim, advance(sim, t, err), err);
}

/* --- outputs -------------------------------------------------------------- */

trm_status trm_sim_outputs(trm_sim *sim, double *values, trm_error *err) {
  TRMI_NEED(err, sim);
  const trm_values out = {.outputs = values};
  if (sim->sys->n.noutputs == 0) return TRM_OK;
  TRMI_NEED(err, values);
  TRMI_TRY(err, trmi_sim_enter(sim, __func__, err));
  return trmi_sim_leave(sim, trm_system_values(sim->sys, trm_sim_state(sim), &out, err), err);
}

static const char *name_at(const void *list, int i) {
  return ((const char *const *)list)[i];
}

/* Labels are built on request, so the nearest is copied before others are built. */
trm_status trmi_sim_find(const trm_sim *sim, trm_quantity list, const char *sort, const char *name,
                         int *found, trm_error *err) {
  const int count = trm_system_count(sim->sys, list);
  trm_label best, label;
  *found = trm_system_find(sim->sys, list, name);
  if (*found >= 0) return TRM_OK;
  if (count == 0) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "there is no %s '%.60s': the system has none", sort,
                     name);
  }
  trm_system_label(sim->sys, list, 0, &best);
  for (int i = 1; i < count; i++) {
    const char *const two[] = {best.name, label.name};
    trm_system_label(sim->sys, list, i, &label);
    if (trm_nearest(name, two, 2, name_at) == label.name) best = label;
  }
  const char *const one[] = {best.name};
  const char *near = trm_nearest_close(name, one, 1, name_at);
  return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "there is no %s '%.60s'%s%s%s", sort, name,
                   near[0] != '\0' ? "; the nearest is '" : "", near,
                   near[0] != '\0' ? "'" : "");
}

trm_status trm_sim_output(trm_sim *sim, const char *name, double *value, trm_error *err) {
  TRMI_NEED(err, sim, name, value);
  int i;
  TRMI_TRY(err, trmi_sim_find(sim, TRM_OUTPUT, "output", name, &i, err));
  TRMI_TRY(err, trm_sim_outputs(sim, sim->outputs, err));
  *value = sim->outputs[i];
  return TRM_OK;
}

/* --- saving --------------------------------------------------------------- */

void trm_sim_prepare_save(trm_sim *sim) {
  trm_error ignored;
  if (sim == NULL || trmi_sim_enter(sim, __func__, &ignored) != TRM_OK) return;
  trmi_sim_forget(sim);
  sim->saved_at = sim->counters.steps; /* matrices are dropped again after as many steps as there */
  (void)trmi_sim_leave(sim, TRM_OK, NULL);
}
