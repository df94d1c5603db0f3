/* checkpoint.c - save a simulation and load it again.
 *
 * A checkpoint contains all data that influence the next steps: `visit` of the simulation, of its
 * method and of its parts with memory, then memory of the system, then a checksum. Loading checks
 * size and checksum, then rebuilds the derived data: patterns, plan, matrices (settle). Counters
 * are not saved: they count the steps of one process. The data flow of `run --restart`:
 * docs/dev/data-flow.md; io/run_sink.c writes the bytes into the file, their mark last. */
#include "integ/audit.h"
#include "integ/auto.h"
#include "integ/calls.h"
#include "integ/checkpoint_sum.h"
#include "integ/measures.h"
#include <math.h>
#include <stdint.h>

void trmi_visit_state(trmi_visitor *v, const trm_system *sys, trm_state *s) {
  const trm_sizes *n = &sys->n;
  double *const lists[] = {s->q, s->v, s->vd, s->lam, s->mu, s->x, s->xd, s->w, s->z, s->u, s->ud};
  const int count[] = {sys->nq, n->nv, n->nv, n->ng, n->na, n->nx,
                       n->nx,   n->nw, n->nz, n->nu, n->nu};
  trmi_visit(v, &s->t, sizeof s->t);
  for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
    trmi_visit(v, lists[l], (size_t)count[l] * sizeof(double));
  }
}

static void visit(trm_sim *sim, trmi_visitor *v) {
  if (sim->choice.is_on) trmi_visit(v, &sim->choice, sizeof sim->choice); /* the first: auto.c */
  trmi_visit(v, &sim->h_next, sizeof sim->h_next);
  trmi_visit(v, &sim->step_number, sizeof sim->step_number);
  trmi_visit(v, &sim->grid_start, sizeof sim->grid_start);
  trmi_visit(v, &sim->just_rejected, sizeof sim->just_rejected);
  trmi_visit(v, &sim->since_rejected, sizeof sim->since_rejected);
  trmi_visit(v, &sim->between_rejected, sizeof sim->between_rejected);
  trmi_visit(v, &sim->h_failed, sizeof sim->h_failed);
  trmi_visit(v, &sim->since_failed, sizeof sim->since_failed);
  trmi_visit(v, &sim->failed_steps, sizeof sim->failed_steps);
  trmi_visit(v, &sim->h_before, sizeof sim->h_before);
  trmi_visit(v, &sim->error_before, sizeof sim->error_before);
  trmi_visit(v, &sim->chosen_by, sizeof sim->chosen_by);
  trmi_visit(v, &sim->next_output, sizeof sim->next_output);
  trmi_visit(v, &sim->sampled_t, sizeof sim->sampled_t);
  trmi_visit(v, &sim->bordered, sizeof sim->bordered);
  trmi_visit(v, &sim->input_changed, sizeof sim->input_changed);
  trmi_visit(v, &sim->input_jumped, sizeof sim->input_jumped);
  trmi_visit(v, &sim->last_event, sizeof sim->last_event);
  trmi_visit(v, &sim->h_last, sizeof sim->h_last);
  trmi_visit(v, &sim->crowded, sizeof sim->crowded);
  trmi_visit(v, &sim->audit, sizeof sim->audit);
  trmi_visit(v, &sim->counters.errors, sizeof sim->counters.errors);
  trmi_visit(v, &sim->error_votes, sizeof sim->error_votes);
  trmi_visit(v, sim->inputs, 2 * (size_t)sim->sys->n.nu * sizeof(double));
  trmi_visit_state(v, sim->sys, &sim->start);
  trmi_visit(v, sim->event_values, 2 * (size_t)sim->sys->n.nevents * sizeof(double));
  trmi_visit(v, sim->event_steep, (size_t)sim->sys->n.nevents * sizeof(double));
  trmi_visit(v, sim->event_noise, (size_t)sim->sys->n.nevents * sizeof(double));
  trmi_visit(v, sim->event_side, (size_t)sim->sys->n.nevents * sizeof *sim->event_side);
  trmi_visit(v, sim->impacts, (size_t)sim->sys->n.ngaps * sizeof *sim->impacts);
  trmi_consistent_visit(&sim->consistent, v);
  trmi_measures_visit(sim, v);
  sim->ops->visit(sim->integ, v);
}

static size_t memory_size(const trm_sim *sim) {
  const trm_system_ops *ops = sim->sys->ops;
  return ops->memory_size != NULL ? ops->memory_size(sim->sys->self) : 0;
}

size_t trm_sim_save_size(const trm_sim *sim) {
  if (sim == NULL) return 0;
  trmi_visitor v = {.mode = TRMI_COUNT};
  visit((trm_sim *)sim, &v); /* counting does not write */
  return v.used + memory_size(sim) + sizeof(uint64_t);
}

void trm_sim_save(const trm_sim *sim, void *data) {
  if (sim == NULL || data == NULL) return;
  trmi_visitor v = {.mode = TRMI_SAVE, .data = data};
  visit((trm_sim *)sim, &v);
  if (memory_size(sim) > 0) sim->sys->ops->memory_save(sim->sys->self, v.data + v.used);
  trmi_checkpoint_seal(data, trm_sim_save_size(sim));
}

static trm_status load(trm_sim *sim, const void *data, size_t size, trm_error *err) {
  if (sim->choice.is_on) TRMI_TRY(err, trmi_auto_load(sim, data, size, err));
  if (size != trm_sim_save_size(sim)) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL,
                     "a checkpoint of %zu bytes does not fit a simulation that needs %zu: other "
                     "model or other options", size, trm_sim_save_size(sim));
  }
  TRMI_TRY(err, trmi_checkpoint_check(data, size, err));
  const bool bordered = sim->bordered;
  trmi_visitor v = {.mode = TRMI_LOAD, .data = (unsigned char *)data};
  visit(sim, &v);
  if (memory_size(sim) > 0) sim->sys->ops->memory_load(sim->sys->self, v.data + v.used);
  bool is_new = false;
  TRMI_TRY(err, trmi_system_follow(sim->sys, &is_new, err));
  if (is_new || bordered != sim->bordered) {
    TRMI_TRY(err, trmi_sim_replan(sim, sim->bordered, err));
  }
  TRMI_TRY(err, trmi_consistent_settle(&sim->consistent, err));
  TRMI_TRY(err, sim->ops->settle(sim->integ, err));
  trmi_sim_forget(sim);
  sim->is_between = false;
  sim->last_start = NAN;
  sim->mark = -INFINITY;
  sim->saved_at = sim->counters.steps;
  sim->is_done = trm_sim_state(sim)->t >= sim->options.end;
  trmi_outputs_skip(sim, trm_sim_state(sim)->t);
  /* after an event at the end of its run the saved simulation had no time left to begin anew in */
  const bool has_begun = sim->options.nsteps > 0 || sim->h_next > 0.0;
  return sim->is_done || has_begun ? TRM_OK : trmi_sim_begin_anew(sim, err);
}

trm_status trm_sim_load(trm_sim *sim, const void *data, size_t size, trm_error *err) {
  TRMI_NEED(err, sim, data);
  TRMI_TRY(err, trmi_sim_enter(sim, __func__, err));
  return trmi_sim_leave(sim, load(sim, data, size, err), err);
}
