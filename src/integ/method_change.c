/* method_change.c - the method of a simulation: create it, or replace it by another one at an
 * accepted state. No data of the old method remain, so that a run restarted from a checkpoint after
 * the change has the same bits. */
#include "integ/auto.h"
#include <math.h>
#include <string.h>

static void message(void *self, const char *text) {
  trmi_sinks_message(self, text);
}

/* A method with all its data. */
typedef struct whole_method {
  const trmi_integrator_ops *ops;
  const char                *formulation;
  void                      *integ;
  bool                       has_plan;
  trmi_arena                 arena;
} whole_method;

static whole_method present(const trm_sim *sim) {
  return (whole_method){.ops = sim->ops, .formulation = sim->formulation, .integ = sim->integ,
                        .has_plan = sim->has_plan, .arena = sim->method_arena};
}

static void set(trm_sim *sim, const whole_method *method) {
  sim->ops = method->ops;
  sim->formulation = method->formulation;
  sim->integ = method->integ;
  sim->has_plan = method->has_plan;
  sim->method_arena = method->arena;
}

static void drop(whole_method *method) {
  if (method->has_plan) method->ops->free(method->integ);
  trmi_arena_clear(&method->arena);
}

void trmi_method_free(trm_sim *sim) {
  whole_method method = present(sim);
  sim->has_plan = false;
  sim->integ = NULL;
  drop(&method);
}

static trm_status create(trm_sim *sim, trm_error *err) {
  sim->integ = TRMI_TAKE(&sim->method_arena, unsigned char, sim->ops->size);
  TRMI_TRY(err, trmi_arena_check(&sim->method_arena, err));
  const trmi_context ctx = {.sys = sim->sys, .options = &sim->options,
                            .consistent = &sim->consistent, .start = &sim->start,
                            .rank = &sim->rank, .arena = &sim->method_arena,
                            .scale_v = sim->scale_v, .gap_scale = sim->gap_scale,
                            .tolerance = sim->options.tolerance *
                                         (sim->choice.is_on ? sim->choice.tight : 1.0),
                            .fixed = sim->options.nsteps > 0, .message = message,
                            .message_self = sim, .care = &sim->care,
                            .has_unsure_loads = &sim->has_unsure_loads};
  sim->has_plan = true; /* from here on there may be memory to free */
  TRMI_TRY(err, sim->ops->create(sim->integ, &ctx, sim->formulation, err));
  return sim->ops->plan(sim->integ, sim->bordered, err);
}

trm_status trmi_method_create(trm_sim *sim, trm_error *err) {
  TRMI_TRY(err, create(sim, err));
  return TRM_OK;
}

/* Replace the old method by the new one; `begins`: start it at sim->start. */
static trm_status replace(trm_sim *sim, const trmi_integrator_ops *ops, bool begins,
                          trm_error *err) {
  const bool was_staged = sim->consistent.is_staged, was_between = sim->is_between;
  whole_method old = present(sim);
  sim->ops = ops;
  sim->formulation = ops->choose != NULL ? ops->choose(sim->sys) : ops->about.formulations[0].name;
  sim->has_plan = false;
  sim->is_between = true;
  trmi_arena_init(&sim->method_arena, &sim->arena.allocator);
  sim->consistent.is_staged = false; /* the method sets it as needed */
  trm_status status = trmi_consistent_rebuild(&sim->consistent, sim->bordered, err);
  if (status == TRM_OK) status = create(sim, err);
  if (status == TRM_OK && begins) status = trmi_sim_begin_anew(sim, err);
  if (status == TRM_OK) {
    drop(&old);
    return TRM_OK;
  }
  whole_method failed = present(sim);
  drop(&failed);
  set(sim, &old);
  sim->is_between = was_between;
  sim->consistent.is_staged = was_staged;
  trm_error own; /* the first failure is reported */
  const trm_status back = old.has_plan ? trmi_sim_replan(sim, sim->bordered, &own) : TRM_OK;
  return back == TRM_ERR_MEMORY ? back : status;
}

trm_status trmi_method_use(trm_sim *sim, const trmi_integrator_ops *ops, trm_error *err) {
  TRMI_TRY(err, replace(sim, ops, false, err));
  return TRM_OK;
}

trm_status trmi_method_change(trm_sim *sim, const trmi_integrator_ops *ops, trm_error *err) {
  const size_t bytes = 2 * (size_t)sim->sys->n.nevents * sizeof(double);
  trmi_state_copy(sim->sys, trm_sim_state(sim), &sim->start);
  if (bytes > 0) memcpy(sim->event_mid, sim->event_values, bytes);
  TRMI_TRY(err, replace(sim, ops, true, err));
  /* rounding must not carry event functions across zero */
  if (bytes > 0) memcpy(sim->event_values, sim->event_mid, bytes);
  sim->last_start = NAN; /* no dense output of the previous step */
  sim->h_last = 0.0;
  return TRM_OK;
}
