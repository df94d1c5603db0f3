/* output_times.c - samples at the requested times, by dense output: output times never limit the
 * step. */
#include "integ/driver.h"
#include <math.h>

/* Output time number k; infinity after the last one. */
static double output_time(const trm_sim *sim, long k) {
  const trm_options *opt = &sim->options;
  if (opt->output_times != NULL) {
    return k < opt->noutput_times ? opt->output_times[k] : INFINITY;
  }
  const double span = opt->end - sim->t_start;
  if (opt->outputs > 0) {
    if (k >= opt->outputs) return k == opt->outputs ? opt->end : INFINITY;
    return sim->t_start + span * (double)k / opt->outputs;
  }
  if (opt->output_step > 0.0) {
    const double t = sim->t_start + opt->output_step * (double)k;
    return t <= opt->end * (1 + 1e-14) ? t : INFINITY;
  }
  return k == 0 ? sim->t_start : INFINITY;
}

/* Output times closer than this count as equal. */
static double near_time(const trm_sim *sim, double t) {
  return 1e-13 * fmax(fabs(t), sim->options.end - sim->t_start);
}

void trmi_outputs_skip(trm_sim *sim, double t) {
  const trm_options *opt = &sim->options;
  const double span = opt->end - sim->t_start;
  double passed = 0.0;
  if (opt->outputs > 0) passed = (t - sim->t_start) / span * opt->outputs;
  if (opt->output_step > 0.0) passed = (t - sim->t_start) / opt->output_step;
  sim->next_output = passed > 1.0 ? (long)(passed - 1.0) : 0; /* one less, because of rounding */
  while (output_time(sim, sim->next_output) <= t + near_time(sim, t)) sim->next_output++;
}

/* A sample of the present state. */
static trm_status sample_present(trm_sim *sim, trm_error *err) {
  const trm_state *now = trm_sim_state(sim);
  if (sim->is_between || sim->ops->relax == NULL || now->t == sim->t_start) {
    return trmi_sinks_sample(sim, now, err);
  }
  trmi_state_copy(sim->sys, now, &sim->dense);
  TRMI_TRY(err, sim->ops->relax(sim->integ, &sim->dense, err));
  return trmi_sinks_sample(sim, &sim->dense, err);
}

static trm_status sample_until(trm_sim *sim, double t, bool at_end, trm_error *err) {
  const double near = near_time(sim, t);
  const trm_state *now = trm_sim_state(sim);
  for (double out = output_time(sim, sim->next_output); out <= t + near;
       out = output_time(sim, ++sim->next_output)) {
    if (out > sim->t_start) TRMI_TRY(err, trmi_sim_ask_stop(sim, err));
    sim->sampled_t = out;
    if (fabs(out - now->t) <= near) {
      TRMI_TRY(err, sample_present(sim, err));
      continue;
    }
    TRMI_TRY(err, sim->ops->interpolate(sim->integ, out, &sim->dense, err));
    TRMI_TRY(err, trmi_sinks_sample(sim, &sim->dense, err));
  }
  if (at_end && !(fabs(sim->sampled_t - t) <= near) && sim->options.output_times == NULL) {
    TRMI_TRY(err, sample_present(sim, err));
  }
  return TRM_OK;
}

/* `auto` decides by the counts of steps, so samples must not change them. */
trm_status trmi_outputs_until(trm_sim *sim, double t, bool at_end, trm_error *err) {
  trm_system *sys = sim->sys;
  const trmi_tally tally = sys->tally;
  const long residuals = sys->residuals, jacobians = sys->jacobians;
  const trm_status status = sample_until(sim, t, at_end, err);
  sys->tally = tally;
  sys->residuals = residuals;
  sys->jacobians = jacobians;
  return trmi_note(err, __func__, status);
}
