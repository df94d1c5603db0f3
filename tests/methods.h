/* methods.h - names of methods from the registry: a new method takes part in the tests without a
 * word here. */
#ifndef TRM_TEST_METHODS_H
#define TRM_TEST_METHODS_H
#include "check.h"
#include "sanitized.h"
#include "trammel/methods.h"
#include "trammel/sim.h"
#include <string.h>

static const char *methods[20];

/* Fill the list with the methods that work with every system and have steps of their own, or with
 * every second of them, from the first or the second on; its length. `auto`, which has no steps of
 * its own, is tested by itself. */
static inline int methods_from(int first, int stride) {
  const trm_method *method;
  int n = 0, found = 0;
  for (int i = 0; (method = trm_method_at(i)) != NULL; i++) {
    if (method->where != NULL || method->takes_others) continue;
    if (found++ % stride == first) methods[n++] = method->name;
  }
  return n;
}

/* All of them. With sanitizers a file of tests/verify has one half of the methods and another file
 * the other half: their loops over cases do the same with memory, and the release build has all. */
static inline int all_methods(void) {
  const char *file = strstr(__BASE_FILE__, "/verify/");
  if (!IS_SANITIZED || file == NULL) return methods_from(0, 1);
  int sum = 0;
  for (; *file != '\0'; file++) sum += *file;
  return methods_from(sum % 2, 2);
}

/* All of them in every build, with those behind them that work only where their `where` says. */
static inline int every_method(void) {
  const trm_method *method;
  int n = methods_from(0, 1);
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
