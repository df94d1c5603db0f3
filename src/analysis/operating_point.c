/* operating_point.c - see operating_point.h. */
#include "analysis/operating_point.h"
#include "integ/create.h"
#include "integ/driver.h"
#include "system/rank.h"
#include <math.h>

/* Assembled positions and velocities of a start without accelerations; `err` has the reason, and
 * keeps it if masses cannot be lent. */
static trm_status lend_mass(trmi_operating_point *base, const trm_options *options,
                            trm_error *err) {
  trm_system *sys = base->sys;
  trm_sim *sim = NULL;
  trm_error own = {.status = TRM_OK};
  bool is_whole = false;
  trm_status status = trmi_sim_assemble_in(sys, options, &sim, &own);
  if (status == TRM_OK) trmi_state_copy(sys, &sim->start, &base->s);
  trm_sim_free(sim);
  if (status == TRM_OK) {
    status = trmi_system_lend_mass(sys, &base->s, &base->arena, &is_whole, &own);
  }
  if (status == TRM_OK && is_whole) return TRM_OK;
  if (status == TRM_ERR_MEMORY && err != NULL) *err = own;
  return trmi_note(err, __func__, status == TRM_ERR_MEMORY ? status : TRM_ERR_SINGULAR);
}

/* `from` with the inputs and discrete values of the start, which is in base->s. */
static trm_status renew_values(trmi_operating_point *base, const trm_state *from, trm_state *mixed,
                               trm_error *err) {
  const trm_sizes *n = &base->sys->n;
  trmi_state_take(base->sys, &base->arena, mixed);
  TRMI_TRY(err, trmi_arena_check(&base->arena, err));
  trmi_state_copy(base->sys, from, mixed);
  for (int i = 0; i < n->nz; i++) mixed->z[i] = base->s.z[i];
  for (int i = 0; i < n->nu; i++) mixed->u[i] = base->s.u[i], mixed->ud[i] = base->s.ud[i];
  return TRM_OK;
}

/* A simulation completes the start; it takes no step, and its end is arbitrary. */
static trm_status read_start(trmi_operating_point *base, const trmi_operating_point_spec *spec,
                             trm_error *err) {
  trm_system *sys = base->sys;
  for (int k = 0; k < sys->n.nrot; k++) base->s.q[sys->rot_v[k] + k] = 1.0;
  if (isfinite(spec->start)) base->s.t = spec->start;
  TRMI_TRY(err, trmi_system_start(sys, &base->s, err));
  trm_options options = trm_options_default();
  options.start = spec->start;
  trm_state mixed;
  options.from = spec->from;
  if (spec->from != NULL && spec->renews_values) {
    TRMI_TRY(err, renew_values(base, spec->from, &mixed, err));
    options.from = &mixed;
  }
  options.end = (isfinite(spec->start) ? spec->start : base->s.t) + 1.0;
  if (spec->solver != NULL) options.solver = spec->solver;
  options.allocator = spec->allocator;
  trm_sim *sim = NULL;
  const trm_status status = trmi_sim_create_in(sys, &options, &sim, err);
  if (status == TRM_ERR_SINGULAR && spec->lends_mass) return lend_mass(base, &options, err);
  TRMI_TRY(err, status);
  trmi_state_copy(sys, trm_sim_state(sim), &base->s);
  trm_sim_free(sim);
  return TRM_OK;
}

/* Memory and start of an instance belong to the simulation that uses it. */
static trm_status open_system(trmi_operating_point *base, trm_system *system,
                              const trmi_operating_point_spec *spec, trm_error *err) {
  if (spec->at != NULL) {
    TRMI_TRY(err, trmi_system_check_memory(system, err));
  } else if (system->origin != NULL) {
    return TRMI_FAIL(err, TRM_ERR_ORDER, NULL, "this instance belongs to a simulation or an "
                     "equilibrium: give a state of it, or the system itself for an analysis of the "
                     "start");
  } else {
    TRMI_TRY(err, trmi_system_check_free(system, err));
  }
  const trm_instance_options how = {.allocator = spec->allocator};
  return trmi_system_open(system, &how, &base->sys, err);
}

trm_status trmi_operating_point_open(trmi_operating_point *base, trm_system *system,
                                     const trmi_operating_point_spec *spec, trm_error *err) {
  *base = (trmi_operating_point){.origin = system};
  trmi_arena_init(&base->arena, &spec->allocator);
  TRMI_TRY(err, open_system(base, system, spec, err));
  trm_system *sys = base->sys;
  trmi_state_take(sys, &base->arena, &base->s);
  TRMI_TRY(err, trmi_arena_check(&base->arena, err));
  if (spec->at != NULL) {
    trmi_state_copy(sys, spec->at, &base->s);
  } else {
    TRMI_TRY(err, read_start(base, spec, err));
  }
  trm_rank rank;
  TRMI_TRY(err, trmi_rank_find(sys, &base->s, &base->arena, &rank, err));
  base->bordered = rank.rank < rank.rows;
  base->freedoms = sys->n.nv - sys->n.ng;
  for (int i = 0; i < sys->n.ng; i++) base->freedoms += rank.redundant[i];
  base->mobilities = rank.freedoms;
  const char *solver = spec->solver != NULL ? spec->solver : "auto";
  const trm_status status =
      trmi_consistent_init(&base->c, sys, &base->arena, solver, base->bordered, err);
  base->has_consistent = true;
  TRMI_TRY(err, status);
  return TRM_OK;
}

void trmi_operating_point_close(trmi_operating_point *base) {
  if (base->sys != NULL) base->sys->lent_mass = NULL; /* its scratch is in the arena */
  if (base->has_consistent) trmi_consistent_free(&base->c);
  base->has_consistent = false;
  trmi_system_close(base->sys, base->origin);
  base->sys = NULL;
  trmi_arena_clear(&base->arena);
}

trm_status trmi_operating_point_final(trm_error *err, trm_status status) {
  if (status <= 0) return status;
  const trm_status end = status == TRM_RETRY_SINGULAR ? TRM_ERR_SINGULAR : TRM_ERR_NOT_FINITE;
  if (err != NULL) err->status = end;
  return end;
}
