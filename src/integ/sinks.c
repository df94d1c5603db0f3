/* sinks.c - the only place where results leave a simulation. */
#include "integ/driver.h"

trm_status trm_sim_add_sink(trm_sim *sim, const trm_sink *sink, trm_error *err) {
  TRMI_NEED(err, sim, sink);
  if (sim->has_begun) {
    return TRMI_FAIL(err, TRM_ERR_ORDER, NULL, "sinks are added before the run");
  }
  if (sim->nsinks == SINKS_MAX) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "more than %d sinks", SINKS_MAX);
  }
  sim->sinks[sim->nsinks++] = *sink;
  return TRM_OK;
}

trm_status trmi_sinks_begin(trm_sim *sim, trm_error *err) {
  const trm_system *system = sim->origin != NULL ? sim->origin : sim->sys; /* outlives sys */
  for (int i = 0; i < sim->nsinks; i++) {
    const trm_sink *sink = &sim->sinks[i];
    if (sink->begin == NULL) continue;
    TRMI_ASK(err, "sink", "begin", sink->begin(sink->self, system, &sim->options, err));
  }
  return TRM_OK;
}

trm_status trmi_sinks_sample(trm_sim *sim, const trm_state *s, trm_error *err) {
  bool wanted = false, with_loads = false;
  for (int i = 0; i < sim->nsinks; i++) {
    wanted = wanted || sim->sinks[i].sample != NULL;
    with_loads = with_loads || sim->sinks[i].wants_loads;
  }
  if (!wanted) return TRM_OK;
  double *recorded = with_loads ? sim->recorded : NULL;
  const trm_values out = {.outputs = sim->outputs, .shown = sim->shown, .recorded = recorded,
                          .energy = sim->energy};
  TRMI_TRY(err, trm_system_values(sim->sys, s, &out, err));
  const trm_sample sample = {.state = s, .outputs = sim->outputs, .shown = sim->shown,
                             .recorded = recorded, .kinetic = sim->energy[0],
                             .potential = sim->energy[1], .power = sim->energy[2]};
  for (int i = 0; i < sim->nsinks; i++) {
    const trm_sink *sink = &sim->sinks[i];
    if (sink->sample != NULL) {
      TRMI_ASK(err, "sink", "sample", sink->sample(sink->self, &sample, err));
    }
  }
  return TRM_OK;
}

trm_status trmi_sinks_step(trm_sim *sim, const trm_step_record *record, trm_error *err) {
  for (int i = 0; i < sim->nsinks; i++) {
    const trm_sink *sink = &sim->sinks[i];
    if (sink->step != NULL) TRMI_ASK(err, "sink", "step", sink->step(sink->self, record, err));
  }
  return TRM_OK;
}

trm_status trmi_sinks_event(trm_sim *sim, double t, int index, trm_error *err) {
  for (int i = 0; i < sim->nsinks; i++) {
    const trm_sink *sink = &sim->sinks[i];
    if (sink->event != NULL) TRMI_ASK(err, "sink", "event", sink->event(sink->self, t, index, err));
  }
  return TRM_OK;
}

static trm_status hand_over(const trm_sim *sim, const trm_sink *sink, const void *data,
                            size_t size, trm_error *err) {
  const double t = trm_sim_state(sim)->t;
  TRMI_ASK(err, "sink", "checkpoint", sink->checkpoint(sink->self, t, data, size, err));
  return TRM_OK;
}

trm_status trmi_sinks_checkpoint(trm_sim *sim, trm_error *err) {
  bool wanted = false;
  for (int i = 0; i < sim->nsinks; i++) wanted = wanted || sim->sinks[i].checkpoint != NULL;
  if (!wanted) return TRM_OK;
  const size_t size = trm_sim_save_size(sim);
  void *data = trmi_allocate(&sim->arena.allocator, size);
  if (data == NULL) {
    return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "not enough memory for a checkpoint of %zu bytes",
                     size);
  }
  trm_sim_save(sim, data);
  trm_status status = TRM_OK;
  for (int i = 0; i < sim->nsinks && status == TRM_OK; i++) {
    const trm_sink *sink = &sim->sinks[i];
    if (sink->checkpoint == NULL) continue;
    status = hand_over(sim, sink, data, size, err);
  }
  trmi_release(&sim->arena.allocator, data);
  TRMI_TRY(err, status);
  return TRM_OK;
}

static trm_status finish(const trm_sim *sim, const trm_sink *sink, const trm_error *failure,
                         trm_error *err) {
  TRMI_ASK(err, "sink", "end", sink->end(sink->self, &sim->counters, failure, err));
  return TRM_OK;
}

trm_status trmi_sinks_end(trm_sim *sim, const trm_error *failure, trm_error *err) {
  if (sim->has_ended || !sim->has_begun) return TRM_OK;
  sim->has_ended = true;
  trm_status status = TRM_OK;
  for (int i = 0; i < sim->nsinks; i++) {
    const trm_sink *sink = &sim->sinks[i];
    if (sink->end == NULL) continue;
    const trm_status one = finish(sim, sink, failure, err);
    if (status == TRM_OK) status = one;
  }
  return status;
}

static void tell(trm_sim *sim, bool is_choice, const char *text) {
  const double t = sim->integ != NULL && sim->has_begun ? trm_sim_state(sim)->t : sim->t_start;
  for (int i = 0; i < sim->nsinks; i++) {
    const trm_sink *sink = &sim->sinks[i];
    const bool has_own = is_choice && sink->choice != NULL;
    if (has_own) sink->choice(sink->self, t, text);
    else if (sink->message != NULL) sink->message(sink->self, t, text);
  }
}

void trmi_sinks_message(trm_sim *sim, const char *text) {
  tell(sim, false, text);
}

void trmi_sinks_choice(trm_sim *sim, const char *text) {
  tell(sim, true, text);
}
