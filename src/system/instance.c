/* instance.c - the variable part of a system, one for each simulation.
 *
 * An instance shares names, units, numbering and patterns with its system; scratch, values of
 * blocks, counters and `self` are its own. Scales are copied because they can be set. Patterns are
 * shared until a new epoch, whose patterns are stored in the memory of the instance. */
#include "system/system.h"
#include <string.h>

/* Can simulations of it exist at the same time? */
static bool is_shared(const trm_system *sys) {
  return sys->ops->instance != NULL || sys->ops->shares_self;
}

trm_status trmi_system_check_free(const trm_system *sys, trm_error *err) {
  if (sys->nsims == 0) return TRM_OK;
  return TRMI_FAIL(err, TRM_ERR_ORDER, NULL, "a simulation of the system exists, which is made for "
                   "one at a time: free that one first, or give the system 'instance' or "
                   "'shares_self'");
}

trm_status trmi_system_check_memory(const trm_system *sys, trm_error *err) {
  if (!sys->lacks_memory) return TRM_OK;
  return TRMI_FAIL(err, TRM_ERR_ORDER, sys->ops->name, "the system has memory, such as angles over "
                   "full turns, which belongs to a simulation or equilibrium: evaluate states "
                   "in the system they come from, trm_sim_system or trm_static_system");
}

trm_status trmi_system_start(trm_system *sys, trm_state *s, trm_error *err) {
  sys->lacks_memory = false;
  TRMI_ASK(err, sys->ops->name, "start", sys->ops->start(sys->self, s, err));
  return TRM_OK;
}

static double *copy(trmi_arena *arena, const double *from, int n) {
  double *to = TRMI_TAKE(arena, double, n);
  if (to != NULL && n > 0) memcpy(to, from, (size_t)n * sizeof *to);
  return to;
}

static trm_status fill(trm_system *instance, const trm_instance_options *options,
                       trm_error *err) {
  const trm_system *origin = instance->origin;
  const trm_sizes *n = &instance->n;
  instance->scale_v = copy(&instance->arena, origin->scale_v, n->nv);
  instance->scale_x = copy(&instance->arena, origin->scale_x, n->nx);
  instance->unit_x = copy(&instance->arena, origin->unit_x, n->nx);
  instance->scale_g = copy(&instance->arena, origin->scale_g, n->ng);
  instance->scale_a = copy(&instance->arena, origin->scale_a, n->na);
  trmi_differences_take(instance);
  trmi_rates_take(instance);
  TRMI_TRY(err, trmi_arena_check(&instance->arena, err));
  if (origin->ops->instance == NULL) return TRM_OK; /* self is shared */
  TRMI_ASK(err, origin->ops->name, "instance",
           origin->ops->instance(origin->self, options, &instance->self, err));
  return TRM_OK;
}

static void free_instance(trm_system *instance) {
  const trm_system_ops *ops = instance->ops;
  const bool has_self = instance->self != NULL && instance->self != instance->origin->self;
  if (has_self && ops->free != NULL) ops->free(instance->self);
  trmi_kept_clear(instance);
  const trm_allocator allocator = instance->arena.allocator;
  trmi_arena_clear(&instance->arena);
  trmi_arena_clear(&instance->epoch_arena);
  trmi_release(&allocator, instance);
}

static trm_status make_instance(trm_system *sys, const trm_instance_options *options,
                                trm_system **out, trm_error *err) {
  const trm_allocator *allocator = &options->allocator;
  trm_system *instance = trmi_allocate(allocator, sizeof *instance);
  if (instance == NULL) return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "not enough memory for an "
                                                                    "instance");
  *instance = *sys;
  instance->origin = sys;
  instance->lacks_memory = false;
  if (sys->ops->instance != NULL) instance->self = NULL;
  instance->residuals = instance->jacobians = 0;
  instance->tally = (trmi_tally){0};
  instance->kept = NULL;
  for (int b = 0; b < TRM_BLOCKS; b++) instance->block[b].values = NULL;
  trmi_arena_init(&instance->arena, allocator);
  trmi_arena_init(&instance->epoch_arena, allocator);
  const trm_status status = fill(instance, options, err);
  if (status != TRM_OK) {
    free_instance(instance);
    return trmi_note(err, __func__, status);
  }
  *out = instance;
  return TRM_OK;
}

trm_status trmi_system_open(trm_system *sys, const trm_instance_options *options,
                            trm_system **out, trm_error *err) {
  *out = NULL;
  if (sys->origin == NULL && is_shared(sys)) {
    TRMI_TRY(err, make_instance(sys, options, out, err));
  }
  if (*out == NULL) *out = sys;
  if (sys->origin == NULL) atomic_fetch_add(sys->references, 1);
  return TRM_OK;
}

void trmi_system_close(trm_system *opened, trm_system *sys) {
  if (opened == NULL || sys->origin != NULL) return;
  if (opened != sys) free_instance(opened);
  trm_system_free(sys);
}
