/* step_counts.c - counters of accepted steps. */
#include "integ/driver.h"

/* Was the step shortened by an event or by a time it must not pass? */
static bool is_cut(const trm_sim *sim, const trm_step_record *record) {
  const trm_options *opt = &sim->options;
  const double h = record->h;
  if (opt->nsteps > 0) {
    const double whole = opt->steps[sim->step_number % opt->nsteps];
    return h < (1.0 - 1e-6) * whole;
  }
  if (record->limit == TRM_LIMIT_EVENT) return true;
  return record->limit == TRM_LIMIT_MAXIMUM && h != opt->step_max;
}

/* Keep the larger one, or the smaller one; NaN is ignored. */
static inline void raise(double *most, double value) {
  if (value > *most) *most = value;
}
static inline void lower(double *least, double value) {
  if (value < *least) *least = value;
}

void trmi_count_step(trm_sim *sim, const trm_step_record *record, const trmi_violation *off) {
  trm_counters *c = &sim->counters;
  const double h = record->h;
  const trm_system *sys = sim->sys;
  raise(&c->violation_position, off->position);
  raise(&c->violation_velocity, off->velocity);
  raise(&c->violation_velocity, off->rolling);
  c->steps++;
  lower(&c->step_min, h);
  raise(&c->step_max, h);
  if (!is_cut(sim, record)) {
    lower(&c->pace_min, h);
    raise(&c->pace_max, h);
  }
  c->residuals = sys->residuals;
  c->jacobians = sys->jacobians;
  c->factorizations = sys->tally.factorizations;
  c->solves = sys->tally.solves;
  c->lu_entries = sys->tally.entries;
}
