/* inputs.c - inputs that the caller of a simulation sets between steps.
 *
 * From the time t0 at which it is set, an input is
 *   u = value + rate (t - t0)                                                             (1)
 * until it is set again; the state carries u and its rate, see trmi_state_at. A change waits in
 * sim->inputs and takes effect when the next step begins, whatever happens until then: a sink may
 * set an input in a step that ends at an event, or after which the method changes. If a value
 * jumps the integrator starts anew; otherwise it continues as after a kink. Values set before the
 * first step of a run are start values and cause no events. */
#include "integ/audit.h"
#include <math.h>
#include <string.h>

/* Value and rate of input i at the beginning of the next step. Inputs that were not set are NaN in
 * sim->inputs and continue unchanged. */
static void read_waiting(const trm_sim *sim, int i, double *value, double *rate) {
  const trm_state *now = trm_sim_state(sim);
  const bool is_set = sim->input_changed && !isnan(sim->inputs[2 * i]);
  *value = is_set ? sim->inputs[2 * i] : now->u[i];
  *rate = is_set ? sim->inputs[2 * i + 1] : now->ud[i];
}

static trm_status change(trm_sim *sim, int i, double value, double rate, bool is_jump,
                         trm_error *err) {
  if (i < 0 || i >= sim->sys->n.nu) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "there is no input %d: the system has %d", i,
                     sim->sys->n.nu);
  }
  if (!isfinite(value) || !isfinite(rate)) {
    trm_label label;
    trm_system_label(sim->sys, TRM_U, i, &label);
    return TRMI_FAIL(err, TRM_ERR_INPUT, label.object,
                     "'%s' cannot be set to the value %g with the rate %g", label.name, value,
                     rate);
  }
  double now, rate_now;
  read_waiting(sim, i, &now, &rate_now);
  if (now == value && rate_now == rate) return TRM_OK;
  for (int k = 0; k < sim->sys->n.nu && !sim->input_changed; k++) sim->inputs[2 * k] = NAN;
  sim->input_jumped = (sim->input_changed && sim->input_jumped) || (is_jump && now != value);
  sim->input_changed = true;
  sim->inputs[2 * i] = value;
  sim->inputs[2 * i + 1] = rate;
  return TRM_OK;
}

/* The next step begins at the present state with the waiting inputs. */
static void take_waiting(trm_sim *sim) {
  trm_state *s = &sim->start;
  const trm_state *now = trm_sim_state(sim);
  if (now != s) trmi_state_copy(sim->sys, now, s);
  for (int i = 0; i < sim->sys->n.nu; i++) read_waiting(sim, i, &s->u[i], &s->ud[i]);
  sim->input_changed = false;
}

trm_status trm_sim_set_input(trm_sim *sim, int i, double value, double rate, trm_error *err) {
  TRMI_NEED(err, sim);
  return change(sim, i, value, rate, true, err);
}

trm_status trm_sim_follow_input(trm_sim *sim, int i, double value, double rate, trm_error *err) {
  TRMI_NEED(err, sim);
  return change(sim, i, value, rate, false, err);
}

trm_status trm_sim_input(trm_sim *sim, const char *name, double value, double rate,
                         trm_error *err) {
  TRMI_NEED(err, sim, name);
  int i;
  TRMI_TRY(err, trmi_sim_find(sim, TRM_U, "input", name, &i, err));
  return change(sim, i, value, rate, true, err);
}

/* Start values of inputs changed before the first step. */
static trm_status apply_to_start(trm_sim *sim, trm_error *err) {
  TRMI_TRY(err, trmi_sim_begin_anew(sim, err));
  TRMI_TRY(err, trmi_events_begin(sim, err));
  trmi_impacts_begin(sim);
  trmi_slips_begin(sim);
  trmi_audit_begin(sim);
  return TRM_OK;
}

trm_status trmi_inputs_apply(trm_sim *sim, bool *stop, trm_error *err) {
  const int n = sim->sys->n.nevents;
  const double t = trm_sim_state(sim)->t;
  *stop = false;
  if (!sim->input_changed) return TRM_OK;
  take_waiting(sim);
  if (!sim->has_begun) return apply_to_start(sim, err);
  trmi_audit_leave(sim, trm_sim_state(sim));
  if (n > 0) memcpy(sim->event_mid, sim->event_values, (size_t)n * sizeof(double));
  if (sim->input_jumped) trmi_impacts_jump(sim, false);
  TRMI_TRY(err, sim->input_jumped ? trmi_sim_begin_anew(sim, err) : trmi_sim_continue(sim, err));
  TRMI_TRY(err, trmi_events_follow(sim, t, stop, err));
  trmi_audit_enter(sim);
  return TRM_OK;
}
