/* values.c - values of a system by name: the public face of trammel/values.h. */
#include "trammel/values.h"
#include "core/nearest.h"
#include "system/system.h"
#include <string.h>

trm_status trm_system_value_count(trm_system *sys, int *count, trm_error *err) {
  *count = 0;
  if (sys->ops->count_values == NULL) return TRM_OK;
  TRMI_TRY(err, sys->ops->count_values(sys->self, count, err));
  return TRM_OK;
}

void trm_system_value_at(trm_system *sys, int i, trm_value *value) {
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
  const char *near = trmi_nearest_close(name, sys, count, name_at);
  const bool is_near = near[0] != '\0';
  return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the system has no value '%.100s' that was given"
                   "%s%s%s", name, is_near ? "; did you mean '" : "", near, is_near ? "'?" : "");
}

trm_status trm_system_value(trm_system *sys, const char *name, trm_value *value, trm_error *err) {
  int i = -1;
  TRMI_TRY(err, find(sys, name, &i, err));
  sys->ops->value_at(sys->self, i, value);
  return TRM_OK;
}

trm_status trm_system_value_rates(trm_system *sys, const char *name, const trm_state *state,
                                  const trm_values *rates, trm_error *err) {
  int i = -1;
  trm_values rest = *rates;
  rest.motion = rest.g = rest.g_rate = rest.g_bias = rest.d = rest.w = rest.outputs = NULL;
  rest.a_rate = rest.a_bias = NULL;
  const trm_values nothing = {.motion = NULL};
  if (memcmp(&rest, &nothing, sizeof rest) != 0) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "rates by values are of motion, of rows of "
                     "constraints, d, w and outputs only");
  }
  if (sys->nsims > 0) {
    return TRMI_FAIL(err, TRM_ERR_ORDER, NULL, "nothing can be differentiated by '%.100s' while a "
                     "simulation of the system exists: free it first", name);
  }
  TRMI_TRY(err, find(sys, name, &i, err));
  if (sys->ops->rate_value == NULL) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the system does not differentiate by its values");
  }
  TRMI_TRY(err, sys->ops->rate_value(sys->self, i, state, rates, err));
  return TRM_OK;
}

/* The system with another `self`, which has the value. */
static trm_status replace(trm_system *sys, int i, double number, trm_error *err) {
  trm_system_def def = trm_system_def_default();
  trm_system *fresh;
  def.allocator = sys->arena.allocator;
  TRMI_TRY(err, sys->ops->compile_value(sys->self, i, number, &def, err));
  TRMI_TRY(err, trm_system_create(&def, &fresh, err));
  const trm_system old = *sys;
  *sys = *fresh;
  *fresh = old;
  trm_system_free(fresh);
  return TRM_OK;
}

trm_status trm_system_set(trm_system *sys, const char *name, double number, trm_error *err) {
  int i = -1;
  if (sys->nsims > 0) {
    return TRMI_FAIL(err, TRM_ERR_ORDER, NULL, "'%.100s' cannot be set while a simulation of the "
                     "system exists: free it first", name);
  }
  TRMI_TRY(err, find(sys, name, &i, err));
  const trm_status status = sys->ops->set_value(sys->self, i, number, err);
  if (status == TRM_ERR_INPUT && sys->ops->compile_value != NULL) {
    trm_error other; /* what set_value said counts, if it does not fit */
    const trm_status compiled = replace(sys, i, number, &other);
    if (compiled == TRM_OK) return TRM_OK;
    if (compiled != TRM_ERR_INPUT) *err = other;
    return trmi_note(err, __func__, compiled);
  }
  TRMI_TRY(err, status);
  TRMI_TRY(err, trmi_system_read_scales(sys, err));
  return TRM_OK;
}
