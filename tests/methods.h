/* methods.h - names of methods from the registry: a new method takes part in the tests without a
 * word here. */
#ifndef TRM_TEST_METHODS_H
#define TRM_TEST_METHODS_H
#include "check.h"
#include "trammel/methods.h"
#include "trammel/sim.h"
#include <string.h>

static const char *methods[20];

/* Fill the list with the methods that work with every system and have steps of their own; its
 * length. `auto`, which has none, is tested by itself. */
static inline int all_methods(void) {
  const trm_method *method;
  int n = 0;
  for (int i = 0; (method = trm_method_at(i)) != NULL; i++) {
    if (method->where == NULL && !method->takes_others) methods[n++] = method->name;
  }
  return n;
}

/* The same with those behind them that work only where their `where` says. */
static inline int every_method(void) {
  const trm_method *method;
  int n = all_methods();
  for (int i = 0; (method = trm_method_at(i)) != NULL; i++) {
    if (method->where != NULL) methods[n++] = method->name;
  }
  return n;
}

/* Does the method refuse this system? If so, then at the creation of a simulation, as a mistake of
 * the input, with a sentence that names the method. */
static inline bool method_refuses(trm_system *system, const trm_options *options) {
  trm_error err = {.message = ""};
  trm_sim *sim = NULL;
  if (trm_method_find(options->integrator)->where == NULL) return false;
  const trm_status status = trm_sim_create(system, options, &sim, &err);
  trm_sim_free(sim);
  if (status == TRM_OK) return false;
  if (status != TRM_ERR_INPUT || strstr(err.message, options->integrator) == NULL) {
    fail_msg("%s refuses with '%s', status %d", options->integrator, err.message, (int)status);
  }
  return true;
}

#endif
