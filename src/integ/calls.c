/* calls.c - the calls that advance a simulation: one step, or the whole run.
 *
 * Only one call at a time may use a simulation. A call by a sink, a callback of the system or of
 * the options, or another thread during a step would change data in use and is refused. If a
 * simulation is freed during a call, the call ends the run and frees it afterwards. */
#include "integ/audit.h"
#include "integ/calls.h"
#include <math.h>
#include <string.h>

trm_status trmi_sim_enter(trm_sim *sim, const char *function, trm_error *err) {
  if (!atomic_exchange(&sim->is_at_work, true)) return TRM_OK;
  return TRMI_FAIL(err, TRM_ERR_ORDER, NULL, "%s was called while the simulation is at work: by a "
                   "sink, a callback or another thread", function);
}

trm_status trmi_sim_leave(trm_sim *sim, trm_status status, trm_error *err) {
  atomic_store(&sim->is_at_work, false);
  if (!atomic_load(&sim->is_given_up)) return status;
  trm_sim_free(sim);
  return TRMI_FAIL(err, TRM_ERR_ORDER, NULL, "the simulation was freed while it was at work, by a "
                   "sink, a callback or another thread: its run has ended");
}

trm_status trmi_sim_ask_stop(const trm_sim *sim, trm_error *err) {
  const trm_options *opt = &sim->options;
  const bool is_asked = opt->should_stop != NULL && opt->should_stop(opt->should_stop_self);
  if (!is_asked && !atomic_load(&sim->is_given_up)) return TRM_OK;
  const trm_status status = TRMI_FAIL(err, TRM_ERR_STOPPED, NULL, "stopped on request");
  return trmi_note_time(err, trm_sim_state(sim)->t, sim->h_next, status);
}

static trm_status run(trm_sim *sim, trm_error *err) {
  bool done = sim->is_done;
  while (!done) {
    /* once begun: a file that a stopped run leaves can be continued */
    if (sim->has_begun) TRMI_TRY(err, trmi_sim_ask_stop(sim, err));
    TRMI_TRY(err, trmi_sim_one_step(sim, &done, err));
  }
  return TRM_OK;
}

/* Outside an attempt nothing can be retried; on success the caller's error is unchanged. */
static trm_status close_call(trm_sim *sim, trm_status status, trm_error *own, trm_error *err) {
  const bool was_singular = status == TRM_RETRY_SINGULAR;
  if (status > 0) {
    status = was_singular ? TRM_ERR_SINGULAR : TRM_ERR_STEP;
    own->status = status;
  }
  if (status == TRM_OK) return TRM_OK;
  char pose[TRM_MESSAGE_MAX];
  trm_label row;
  if (was_singular && trmi_say_singular(sim, 0.0, true, &row, pose, sizeof pose)) {
    const trm_error last = *own;
    TRMI_FAIL(own, status, row.object, "%.*s; %s", TRM_MESSAGE_MAX - (int)strlen(pose) - 3,
              last.message, pose);
  }
  trmi_note_time(own, trm_sim_state(sim)->t, NAN, status);
  if (err != NULL) *err = *own;
  return status;
}

trm_status trmi_sim_take_step(trm_sim *sim, bool *done, trm_error *err) {
  trm_error own;
  trmi_error_clear(&own);
  const trm_status status = trmi_sim_one_step(sim, done, &own);
  return close_call(sim, status, &own, err);
}

trm_status trm_sim_step(trm_sim *sim, bool *done, trm_error *err) {
  TRMI_NEED(err, sim, done);
  TRMI_TRY(err, trmi_sim_enter(sim, __func__, err));
  return trmi_sim_leave(sim, trmi_sim_take_step(sim, done, err), err);
}

/* Run to the end, and finish the sinks. */
static trm_status run_and_end(trm_sim *sim, trm_error *err) {
  const clock_t start = clock();
  trm_error own, end_error;
  trmi_error_clear(&own);
  trmi_error_clear(&end_error);
  trm_status status = run(sim, &own);
  sim->counters.seconds += (double)(clock() - start) / CLOCKS_PER_SEC;
  status = close_call(sim, status, &own, err);
  if (status != TRM_OK && sim->has_begun) trmi_audit_end(sim, false);
  const trm_status end = trmi_sinks_end(sim, status != TRM_OK ? &own : NULL, &end_error);
  if (status != TRM_OK || end == TRM_OK) return status;
  if (err != NULL) *err = end_error;
  return end;
}

trm_status trm_sim_run(trm_sim *sim, trm_error *err) {
  TRMI_NEED(err, sim);
  TRMI_TRY(err, trmi_sim_enter(sim, __func__, err));
  const trm_status status =
      sim->has_ended
          ? TRMI_FAIL(err, TRM_ERR_ORDER, NULL, "the simulation has ended already")
          : run_and_end(sim, err);
  return trmi_sim_leave(sim, status, err);
}
