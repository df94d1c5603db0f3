/* event_state.c - the state at an event inside the last step.
 *
 * Dense output of radau, tdg and explicit is worse than their steps, and whatever follows a jump
 * starts from there. So these methods go to the event by a step of its own, from the start of the
 * step that passed it. The time of the event is corrected twice by
 *   t <- t - f/f'                                                                      (1)
 * with f the event function at the end of that step. bdf, whose polynomial through the end of a
 * step beyond a kink is off by the local error, does the same with the points it had. hht and alpha
 * keep their dense output, which is of their order: a restart would cost them more. */
#include "integ/driver.h"
#include <math.h>

enum { CORRECTIONS = 2 };

/* A step from the start of the last one to t; its end into sim->start. False: there is none. The
 * iterations it takes are in no record of a step and are not counted as such. */
static trm_status step_to(trm_sim *sim, double t0, double t, bool *is_good, trm_error *err) {
  trmi_attempt attempt = {.index = -1};
  const trm_status status = sim->ops->attempt(sim->integ, t - t0, &attempt, err);
  *is_good = status == TRM_OK && (sim->options.nsteps > 0 || attempt.error <= 1.0);
  if (*is_good) trmi_state_copy(sim->sys, sim->ops->next(sim->integ), &sim->start);
  return status < 0 ? status : TRM_OK;
}

/* (1), inside the span of the last step. False: the time is right already, or its correction is
 * not known. */
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

trm_status trmi_event_state(trm_sim *sim, int event, double t0, double *t, trm_error *err) {
  TRMI_TRY(err, sim->ops->interpolate(sim->integ, *t, &sim->start, err));
  if (!sim->ops->steps_to_events || !(*t > t0)) return TRM_OK;
  const double span[2] = {t0, trm_sim_state(sim)->t};
  double h = *t - t0, to = *t;
  if (sim->ops->step_back != NULL) {
    sim->ops->step_back(sim->integ);
  } else {
    TRMI_TRY(err, sim->ops->interpolate(sim->integ, t0, &sim->dense, err));
    const trm_status status = sim->ops->restart(sim->integ, &sim->dense, &h, err);
    if (status > 0) return TRM_OK; /* dense output has to do; the integrator restarts there */
    TRMI_TRY(err, status);
  }
  bool is_good = true;
  for (int k = 0; k <= CORRECTIONS; k++) {
    TRMI_TRY(err, step_to(sim, t0, to, &is_good, err));
    if (!is_good) break;
    *t = to;
    bool is_other = false;
    if (k < CORRECTIONS) TRMI_TRY(err, correct_time(sim, event, span, &to, &is_other, err));
    if (!is_other) break;
  }
  return TRM_OK;
}
