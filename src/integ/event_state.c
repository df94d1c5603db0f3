/* event_state.c - the state at an event inside the last step.
 *
 * Dense output of radau, tdg and explicit is less accurate than their steps, and the motion after a
 * jump starts from this state. So these methods reach the event by one or several extra steps from
 * the start of the step that passed it: they restart there, perhaps with a lower order, and the
 * error of these steps is controlled as usual. The time of the event is corrected twice by
 *   t <- t - f/f'                                                                      (1)
 * with f the event function at the end of that step. Shortly after the start of the step dense
 * output is accurate enough, and a step would not be: its velocities come from positions, whose
 * rounding it divides by its size. A table with a corner at the start of a run had an event after
 * 3e-21 s, and a step of that size gave velocities of 0.4 m/s. bdf, whose polynomial through the
 * end of a step beyond a kink is in error by the local error, does the same with its points. hht
 * and alpha keep their dense output, which has their order: a restart would be less accurate. */
#include "integ/driver.h"
#include <math.h>

enum { CORRECTIONS = 2, ATTEMPTS_MAX = 200 };

/* Part of the step up to which dense output gives the state. */
static const double near_start = 1e-6;

/* Factor of the step size after an attempt, for its repetition or the next step. */
static double factor_of(const trm_sim *sim, trm_status status, const trmi_attempt *attempt) {
  if (status != TRM_OK) return 0.25;
  if (attempt->factor > 0.0) return attempt->factor;
  const double error = fmax(attempt->error, 1e-10);
  const double wish = sim->ops->safety * pow(error, -1.0 / sim->ops->error_power(sim->integ));
  return fmin(fmax(wish, 0.2), attempt->error > 1.0 ? 0.9 : sim->ops->growth);
}

/* Steps from the integrator's state, at *at, to t. The last one is only attempted, its end goes
 * into sim->start. False: t cannot be reached. The iterations appear in no step record and are not
 * counted as steps. */
static trm_status steps_to(trm_sim *sim, double *at, double t, bool *is_good, trm_error *err) {
  double h = t - *at;
  *is_good = false;
  for (int k = 0; k < ATTEMPTS_MAX; k++) {
    trmi_attempt attempt = {.index = -1};
    const bool is_last = h >= t - *at;
    h = is_last ? t - *at : fmin(h, 0.5 * (t - *at)); /* what is left is not tiny */
    const trm_status status = trmi_sim_attempt(sim, h, &attempt, err);
    if (status < 0) return status;
    const bool stands =
        status == TRM_OK && (sim->options.nsteps > 0 || attempt.error <= 1.0 || attempt.counts);
    if (stands && is_last) break;
    if (sim->options.nsteps > 0 || k == ATTEMPTS_MAX - 1) return TRM_OK;
    if (stands) sim->ops->accept(sim->integ), *at += h;
    h *= factor_of(sim, status, &attempt);
  }
  *is_good = true;
  trmi_state_copy(sim->sys, sim->ops->next(sim->integ), &sim->start);
  return TRM_OK;
}

/* (1), inside the remaining span. False: the time is already exact, or its correction is
 * unknown. */
static trm_status correct_time(trm_sim *sim, int event, const double span[2], double *t,
                               bool *is_other, trm_error *err) {
  const int n = sim->sys->n.nevents;
  double *values = sim->event_mid;
  TRMI_TRY(err, trmi_events_evaluate(sim, &sim->start, values, values + n, err));
  const double change = -values[event] / values[n + event];
  *is_other = isfinite(change) && fabs(change) > 1e-15 * fabs(*t) &&
              fabs(change) < 0.1 * (*t - span[0]) && *t + change <= span[1];
  if (*is_other) *t += change;
  return TRM_OK;
}

trm_status trmi_event_settle(trm_sim *sim, trm_error *err) {
  trm_error own;
  trmi_error_clear(&own);
  if (sim->sys->n.ng + sim->sys->n.na == 0) return TRM_OK;
  trmi_state_copy(sim->sys, &sim->start, &sim->dense);
  trm_status status = trmi_consistent_positions(&sim->consistent, &sim->start, 10, &own);
  if (status == TRM_OK) {
    status = trmi_consistent_velocities(&sim->consistent, &sim->start, &own);
  }
  if (status != TRM_OK) trmi_state_copy(sim->sys, &sim->dense, &sim->start); /* as it was */
  if (status == TRM_ERR_MEMORY && err != NULL) *err = own;
  return status == TRM_ERR_MEMORY ? trmi_note(err, __func__, status) : TRM_OK;
}

trm_status trmi_event_state(trm_sim *sim, int event, double t0, double *t, trm_error *err) {
  TRMI_TRY(err, sim->ops->interpolate(sim->integ, *t, &sim->start, err));
  double span[2] = {t0, trm_sim_state(sim)->t}, h = *t - t0, to = *t;
  if (!sim->ops->steps_to_events || !(h > near_start * (span[1] - t0))) return TRM_OK;
  if (sim->ops->step_back != NULL) {
    sim->ops->step_back(sim->integ);
  } else {
    sim->ops->forget(sim->integ); /* factors may be those of a sample, which leaves no trace */
    TRMI_TRY(err, sim->ops->interpolate(sim->integ, t0, &sim->dense, err));
    const trm_status status = trmi_sim_start_at(sim, &sim->dense, &h, err);
    if (status > 0) return TRM_OK; /* fall back to dense output; the integrator restarts there */
    TRMI_TRY(err, status);
  }
  bool is_good = true;
  for (int k = 0; k <= CORRECTIONS; k++) {
    TRMI_TRY(err, steps_to(sim, &span[0], to, &is_good, err));
    if (!is_good) break;
    *t = to;
    bool is_other = false;
    if (k < CORRECTIONS) TRMI_TRY(err, correct_time(sim, event, span, &to, &is_other, err));
    if (!is_other) break;
  }
  return TRM_OK;
}
