/* feedback_notes.c - see feedback_notes.h. The gain of loops (system/feedback.h) needs a
 * factorization and a solve for each variable: it is computed at the start, every few steps and at
 * the end. These steps have fixed numbers, so that a loaded run has the same bits. */
#include "integ/feedback_notes.h"
#include "integ/diagnose.h"
#include <stdio.h>

enum { EVERY = 16 };

/* Report a loop that may have several solutions, once. Only failures that no smaller step avoids
 * are passed on; others are left to the integrator. */
static trm_status look_at_gain(trm_sim *sim, trm_error *err) {
  char why[TRM_MESSAGE_MAX], text[TRM_MESSAGE_MAX + TRM_OBJECT_MAX + 4];
  trm_label label;
  trmi_feedback_gain gain;
  const trm_status status = trmi_feedback_find(&sim->consistent, trm_sim_state(sim), &gain, err);
  if (status != TRM_OK) return status < 0 ? trmi_note(err, __func__, status) : TRM_OK;
  if (sim->has_reported_loop || !trmi_feedback_sentence(sim->sys, &gain, &label, why, sizeof why)) {
    return TRM_OK;
  }
  sim->has_reported_loop = true;
  snprintf(text, sizeof text, "%s%s%s", label.object, label.object[0] != '\0' ? ": " : "", why);
  trmi_sinks_message(sim, text);
  return TRM_OK;
}

bool trmi_feedback_blame(trm_sim *sim, trm_label *label, char *text, size_t size) {
  trmi_feedback_gain gain;
  trm_error ignored;
  const trm_state *s = trm_sim_state(sim);
  return trmi_feedback_find(&sim->consistent, s, &gain, &ignored) == TRM_OK &&
         trmi_feedback_sentence(sim->sys, &gain, label, text, size);
}

trm_status trmi_feedback_begin(trm_sim *sim, trm_error *err) {
  char unsure[TRM_MESSAGE_MAX + 200], text[2 * TRM_MESSAGE_MAX];
  TRMI_TRY(err, trmi_feedback_unsure(sim->sys, trm_sim_state(sim), &sim->rank, &sim->relations,
                                     unsure, sizeof unsure, err));
  trmi_rank_sentence(sim->sys, &sim->rank, unsure[0] == '\0', text, sizeof text);
  if (text[0] != '\0') trmi_sinks_message(sim, text);
  if (sim->counters.steps == 0 && trmi_diagnose_nearly(sim, text, sizeof text)) {
    trmi_sinks_message(sim, text);
  }
  sim->has_unsure_loads = unsure[0] != '\0';
  if (sim->has_unsure_loads) trmi_sinks_message(sim, unsure);
  if (sim->counters.steps == 0) TRMI_TRY(err, look_at_gain(sim, err));
  return TRM_OK;
}

trm_status trmi_feedback_step(trm_sim *sim, trm_error *err) {
  return sim->counters.steps % EVERY == 0 ? look_at_gain(sim, err) : TRM_OK;
}

/* Runs may be short, and gains may have changed since the last test. */
trm_status trmi_feedback_end(trm_sim *sim, trm_error *err) {
  return sim->has_reported_loop ? TRM_OK : look_at_gain(sim, err);
}
