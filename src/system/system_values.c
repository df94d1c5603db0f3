/* system_values.c - values of a system by name: implements trammel/values.h. An instance has the
 * values of its system. */
#include "trammel/values.h"
#include "trammel/nearest.h"
#include "system/system.h"
#include <stddef.h>
#include <string.h>

static trm_system *owner_of(trm_system *sys) {
  return sys != NULL && sys->origin != NULL ? sys->origin : sys;
}

trm_status trm_system_value_count(trm_system *system, int *count, trm_error *err) {
  TRMI_NEED(err, count);
  trm_system *sys = owner_of(system);
  *count = 0;
  TRMI_NEED(err, sys);
  if (sys->ops->count_values == NULL) return TRM_OK;
  TRMI_ASK(err, sys->ops->name, "count_values", sys->ops->count_values(sys->self, count, err));
  return TRM_OK;
}

void trm_system_value_at(trm_system *system, int i, trm_value *value) {
  trm_system *sys = owner_of(system);
  int count = 0;
  if (value == NULL) return;
  *value = (trm_value){.name = "", .unit = ""};
  if (trm_system_value_count(sys, &count, NULL) != TRM_OK || i < 0 || i >= count) return;
  sys->ops->value_at(sys->self, i, value);
}

static const char *name_at(const void *self, int i) {
  const trm_system *sys = self;
  trm_value value;
  sys->ops->value_at(sys->self, i, &value);
  return value.name;
}

static trm_status find(trm_system *sys, const char *name, int *i, trm_error *err) {
  int count;
  TRMI_TRY(err, trm_system_value_count(sys, &count, err));
  *i = count > 0 ? sys->ops->find_value(sys->self, name) : -1;
  if (*i >= 0) return TRM_OK;
  const char *near = trm_nearest_close(name, sys, count, name_at);
  const bool is_near = near[0] != '\0';
  return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the model gives no value '%.100s'%s%s%s", name,
                   is_near ? "; did you mean '" : "", near, is_near ? "'?" : "");
}

trm_status trm_system_value(trm_system *system, const char *name, trm_value *value,
                            trm_error *err) {
  TRMI_NEED(err, system, name, value);
  trm_system *sys = owner_of(system);
  int i = -1;
  TRMI_TRY(err, find(sys, name, &i, err));
  sys->ops->value_at(sys->self, i, value);
  return TRM_OK;
}

/* Copy the memory of elements at states of one system to another one, which has the values. */
static trm_status lend_memory(const trm_system *instance, trm_system *owner, trm_error *err) {
  const trm_system_ops *ops = owner->ops;
  const size_t size = ops->memory_size != NULL ? ops->memory_size(instance->self) : 0;
  if (size == 0) return TRM_OK;
  void *memory = trmi_allocate(&owner->arena.allocator, size);
  if (memory == NULL) return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "not enough memory for memory");
  ops->memory_save(instance->self, memory);
  ops->memory_load(owner->self, memory);
  trmi_release(&owner->arena.allocator, memory);
  return TRM_OK;
}

/* The system in which states of `system` can be differentiated with respect to values: the owner of
 * these. */
static trm_status open_rates(trm_system *system, trm_system **owner, trm_error *err) {
  *owner = owner_of(system);
  if (system->origin == NULL) {
    TRMI_TRY(err, trmi_system_check_free(system, err));
    TRMI_TRY(err, trmi_system_check_memory(system, err));
    return TRM_OK;
  }
  if (system->changes != system->origin->changes) {
    return TRMI_FAIL(err, TRM_ERR_ORDER, NULL, "a value of the system was set after the simulation "
                     "was created, which continues with the old one: nothing can be differentiated "
                     "there");
  }
  return lend_memory(system, *owner, err);
}

trm_status trm_system_value_rates(trm_system *system, const char *name, const trm_state *state,
                                  const trm_values *rates, trm_error *err) {
  TRMI_NEED(err, system, name, state, rates);
  trm_system *sys;
  int i = -1;
  trm_values rest = *rates;
  rest.motion = rest.g = rest.g_rate = rest.g_bias = rest.d = rest.w = rest.outputs = NULL;
  rest.a_rate = rest.a_bias = NULL;
  const trm_values nothing = {.motion = NULL};
  if (memcmp(&rest, &nothing, offsetof(trm_values, only_gap)) != 0) { /* all lists precede it */
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "rates by values are of motion, of rows of "
                     "constraints, d, w and outputs only");
  }
  TRMI_TRY(err, open_rates(system, &sys, err));
  TRMI_TRY(err, find(sys, name, &i, err));
  if (sys->ops->rate_value == NULL) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the system does not differentiate by its values");
  }
  TRMI_ASK(err, sys->ops->name, "rate_value",
           sys->ops->rate_value(sys->self, i, state, rates, err));
  return TRM_OK;
}

/* Give the system another `self`, which has the new value. */
static trm_status replace(trm_system *sys, int i, double number, trm_error *err) {
  trm_system_def def = trm_system_def_default();
  trm_system *fresh;
  if (atomic_load(sys->references) > 1) {
    return TRMI_FAIL(err, TRM_ERR_ORDER, NULL, "this value changes the terms of the equations, "
                     "which simulations that exist still use: free them first");
  }
  def.allocator = sys->arena.allocator;
  TRMI_TRY(err, sys->ops->compile_value(sys->self, i, number, &def, err));
  TRMI_TRY(err, trm_system_create(&def, &fresh, err));
  const bool remembers = fresh->lacks_memory && !sys->lacks_memory;
  if (remembers && fresh->ops->memory_size(fresh->self) == sys->ops->memory_size(sys->self)) {
    const trm_status status = lend_memory(sys, fresh, err);
    if (status != TRM_OK) {
      trm_system_free(fresh);
      return trmi_note(err, __func__, status);
    }
    fresh->lacks_memory = false;
  }
  const trm_system old = *sys;
  *sys = *fresh;
  sys->changes = old.changes;
  *fresh = old;
  trm_system_free(fresh);
  return TRM_OK;
}

trm_status trm_system_set(trm_system *sys, const char *name, double number, trm_error *err) {
  TRMI_NEED(err, sys, name);
  int i = -1;
  if (sys->origin != NULL) {
    return TRMI_FAIL(err, TRM_ERR_ORDER, NULL, "'%.100s' cannot be set in an instance: a value is "
                     "set in the system itself, and counts from the next simulation on", name);
  }
  TRMI_TRY(err, trmi_system_check_free(sys, err));
  TRMI_TRY(err, find(sys, name, &i, err));
  sys->changes++;
  const trm_error kept = err != NULL ? *err : (trm_error){.message = ""};
  const char before = trmi_ask_begin(err);
  const trm_status status = sys->ops->set_value(sys->self, i, number, err);
  if (status == TRM_ERR_INPUT && sys->ops->compile_value != NULL) {
    const trm_status compiled = replace(sys, i, number, err); /* its message gives the reason */
    if (compiled != TRM_OK) return trmi_note(err, __func__, compiled);
    if (err != NULL) *err = kept;
    return TRM_OK;
  }
  if (status != TRM_OK) return trmi_ask_failed(err, __func__, status, sys->ops->name, "set_value");
  trmi_ask_end(err, before);
  TRMI_TRY(err, trmi_system_read_scales(sys, err));
  return TRM_OK;
}
