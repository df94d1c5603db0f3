/* step_counts.c - counters of accepted steps. */
#include "integ/driver.h"
#include <math.h>

/* Was the step cut short, by an event or by what lies ahead in time? */
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

void trmi_count_step(trm_sim *sim, const trm_step_record *record, const trmi_violation *off) {
  trm_counters *c = &sim->counters;
  const double h = record->h;
  const trm_system *sys = sim->sys;
  c->violation_position = fmax(c->violation_position, off->position);
  c->violation_velocity = fmax(c->violation_velocity, fmax(off->velocity, off->rolling));
  c->steps++;
  c->step_min = fmin(c->step_min, h);
  c->step_max = fmax(c->step_max, h);
  if (!is_cut(sim, record)) {
    c->pace_min = fmin(c->pace_min, h);
    c->pace_max = fmax(c->pace_max, h);
  }
  c->residuals = sys->residuals;
  c->jacobians = sys->jacobians;
  c->factorizations = sys->tally.factorizations;
  c->solves = sys->tally.solves;
  c->lu_entries = sys->tally.entries;
}
