/* run_state.c - the state of a system at one sample of a run file. */
#include "trammel/run_file.h"
#include "core/fail.h"
#include <string.h>

/* Numbers of one list in a sample: those of a group from column `skip` on. */
typedef struct recorded_list {
  trm_signal_group group;
  int              skip, count;
  double          *to; /* NULL: omitted */
} recorded_list;

static trm_status read_list(trm_run *run, const recorded_list *list, long sample, trm_error *err) {
  const int nsignals = trm_run_info_of(run)->nsignals;
  int first = 0;
  if (list->to == NULL || list->count == 0) return TRM_OK;
  while (first < nsignals && (trm_run_signal(run, first)->group != list->group ||
                              trm_run_signal(run, first)->column != list->skip)) first++;
  const int last = first + list->count - 1;
  if (last >= nsignals || trm_run_signal(run, last)->group != list->group) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the run does not hold all of its state");
  }
  return trm_run_read_block(run, first, list->count, sample, 1, list->to, err);
}

/* Do the signals of a group match a list of the system in number and in the names of the first and
 * last? */
static bool is_list(const trm_run *run, trm_signal_group group, const trm_system *system,
                    trm_quantity list) {
  const int nsignals = trm_run_info_of(run)->nsignals, count = trm_system_count(system, list);
  int first = 0, found = 0;
  while (first < nsignals && trm_run_signal(run, first)->group != group) first++;
  while (first + found < nsignals && trm_run_signal(run, first + found)->group == group) found++;
  if (found != count) return false;
  const int ends[] = {0, count - 1};
  for (int k = 0; k < 2 && count > 0; k++) {
    trm_label label;
    trm_system_label(system, list, ends[k], &label);
    if (strcmp(trm_run_signal(run, first + ends[k])->label, label.name) != 0) return false;
  }
  return true;
}

trm_status trm_run_read_state(trm_run *run, const trm_system *system, long sample, trm_state *s,
                              trm_error *err) {
  TRMI_NEED(err, run, system, s);
  if (!is_list(run, TRM_GROUP_COORDINATES, system, TRM_Q) ||
      !is_list(run, TRM_GROUP_STATES, system, TRM_X)) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "'%.200s' is not a run of this system: its "
                     "coordinates or states are others", trm_run_info_of(run)->path);
  }
  const trm_sizes *n = trm_system_sizes(system);
  const int nq = trm_system_count(system, TRM_Q);
  const recorded_list lists[] = {
    {TRM_GROUP_COORDINATES, 0, nq, s->q},          {TRM_GROUP_VELOCITIES, 0, n->nv, s->v},
    {TRM_GROUP_ACCELERATIONS, 0, n->nv, s->vd},    {TRM_GROUP_MULTIPLIERS, 0, n->ng, s->lam},
    {TRM_GROUP_MULTIPLIERS, n->ng, n->na, s->mu},  {TRM_GROUP_STATES, 0, n->nx, s->x},
    {TRM_GROUP_STATE_RATES, 0, n->nx, s->xd},      {TRM_GROUP_VARIABLES, 0, n->nw, s->w},
    {TRM_GROUP_DISCRETE, 0, n->nz, s->z},          {TRM_GROUP_INPUTS, 0, n->nu, s->u},
  };
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    TRMI_TRY(err, read_list(run, &lists[i], sample, err));
  }
  if (s->ud != NULL) memset(s->ud, 0, (size_t)n->nu * sizeof *s->ud);
  return trm_run_read_range(run, 0, sample, 1, &s->t, err);
}
