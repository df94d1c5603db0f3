/* switching.c - classifies the end of a held condition.
 *
 * Accelerations, rates of states and variables are solved for on both sides of the switch, at the
 * same positions and velocities. If they differ, there is a jump, and the integrator restarts. If
 * they agree there but differ at the end of the step, there is a kink; the step ends and the
 * integrator continues. If they also agree at the end, the condition changes nothing, as in an `if`
 * with equal branches, and the step is accepted. */
#include "integ/driver.h"
#include <math.h>
#include <string.h>

/* Differences up to this part of the size count as rounding. */
static const double same_part = 1e-8;

static double *const *lists_of(const trm_state *s, double *lists[3]) {
  lists[0] = s->vd, lists[1] = s->xd, lists[2] = s->w;
  return lists;
}

static void keep_rates(trm_sim *sim, const trm_state *s) {
  const trm_sizes *n = &sim->sys->n;
  const int count[3] = {n->nv, n->nx, n->nw};
  double *lists[3], *to = sim->rates_before;
  lists_of(s, lists);
  for (int l = 0; l < 3; to += count[l++]) {
    if (count[l] > 0) memcpy(to, lists[l], (size_t)count[l] * sizeof(double));
  }
}

/* Do the rates of a state equal the stored ones, list by list? v' is compared in its scales. */
static bool has_same_rates(const trm_sim *sim, const trm_state *s) {
  const trm_sizes *n = &sim->sys->n;
  const int count[3] = {n->nv, n->nx, n->nw};
  const double *before = sim->rates_before;
  double *lists[3];
  lists_of(s, lists);
  for (int l = 0; l < 3; before += count[l++]) {
    double off = 0.0, size = 0.0;
    for (int i = 0; i < count[l]; i++) {
      const double scale = l == 0 ? sim->scale_v[i] : 1.0;
      off = fmax(off, fabs(lists[l][i] - before[i]) / scale);
      size = fmax(size, fmax(fabs(before[i]), fabs(lists[l][i])) / scale);
    }
    if (!(off <= same_part * size)) return false;
  }
  return true;
}

trm_status trmi_rows_of(trm_sim *sim, const trm_state *s, double *rows, trm_error *err) {
  const trm_sizes *n = &sim->sys->n;
  if (n->ng + n->na == 0) return TRM_OK;
  const trm_values out = {.g = rows, .g_rate = rows + n->ng, .a_rate = rows + 2 * n->ng};
  return trm_system_values(sim->sys, s, &out, err);
}

double trmi_rows_jump(const trm_sim *sim, int from, int to, int *worst) {
  const trm_system *sys = sim->sys;
  const int ng = sys->n.ng;
  const double *before = sim->rows_before, *after = before + 2 * ng + sys->n.na;
  double most = 0.0;
  *worst = -1;
  for (int i = from; i < to; i++) {
    const double scale = i < 2 * ng ? sys->scale_g[i % ng] : sys->scale_a[i - 2 * ng];
    const double part = fabs(after[i] - before[i]) * (i < ng ? 1.0 : sys->second) / scale;
    if (isnan(part)) return INFINITY;
    if (part > most) most = part, *worst = i;
  }
  return most;
}

/* Are rates and rows at sim->dense the same with its discrete values and with those of `z`? */
static trm_status compare(trm_sim *sim, const double *z, bool *is_same, trm_error *err) {
  trm_state *s = &sim->dense;
  const int rows = 2 * sim->sys->n.ng + sim->sys->n.na;
  int worst;
  TRMI_TRY(err, trmi_consistent_accelerations(&sim->consistent, s, err));
  TRMI_TRY(err, trmi_rows_of(sim, s, sim->rows_before, err));
  keep_rates(sim, s);
  memcpy(s->z, z, (size_t)sim->sys->n.nz * sizeof(double));
  TRMI_TRY(err, trmi_consistent_accelerations(&sim->consistent, s, err));
  TRMI_TRY(err, trmi_rows_of(sim, s, sim->rows_before + rows, err));
  *is_same = has_same_rates(sim, s) && trmi_rows_jump(sim, 0, rows, &worst) <= same_part;
  return TRM_OK;
}

/* The new discrete values apply from t on; samples before t use the old ones. */
static trm_status adopt(trm_sim *sim, int index, double t, trm_error *err) {
  TRMI_TRY(err, trmi_outputs_until(sim, t, false, err));
  sim->counters.events++;
  TRMI_TRY(err, trmi_sinks_event(sim, t, index, err));
  sim->ops->set_discrete(sim->integ, sim->start.z);
  TRMI_TRY(err, trmi_events_evaluate(sim, trm_sim_state(sim), sim->event_new,
                                     sim->event_new + sim->sys->n.nevents, err));
  sim->half_t = NAN;
  return TRM_OK;
}

trm_status trmi_switch_judge(trm_sim *sim, int index, double t, trmi_switch_effect *change,
                             trm_error *err) {
  const trm_system *sys = sim->sys;
  const trm_state *end = trm_sim_state(sim);
  *change = TRMI_JUMP;
  if (!trmi_event_info(sim, index).holds || sys->n.nz == 0 || sys->ops->event == NULL ||
      sim->ops->set_discrete == NULL) {
    return TRM_OK;
  }
  for (int i = 0; i < sys->n.nevents; i++) {
    if (i != index && sim->event_t[i] <= t) return TRM_OK; /* simultaneous events */
  }
  TRMI_TRY(err, sim->ops->interpolate(sim->integ, fmin(t, end->t), &sim->dense, err));
  trmi_state_copy(sys, &sim->dense, &sim->start);
  TRMI_ASK(err, sys->ops->name, "event", sys->ops->event(sys->self, index, &sim->start, err));
  bool is_same = false;
  trm_status status = compare(sim, sim->start.z, &is_same, err);
  if (status > 0) return TRM_OK; /* undefined there: a jump */
  TRMI_TRY(err, status);
  if (!is_same) return TRM_OK;
  *change = TRMI_KINK;
  trmi_state_copy(sys, end, &sim->dense);
  status = compare(sim, sim->start.z, &is_same, err);
  if (status > 0 || (status == TRM_OK && !is_same)) return TRM_OK;
  TRMI_TRY(err, status);
  *change = TRMI_NOTHING;
  return adopt(sim, index, t, err);
}
