/* methods.h - names of all methods that work with every system, from the registry: a new method
 * takes part in the tests without a word here. */
#ifndef TRM_TEST_METHODS_H
#define TRM_TEST_METHODS_H
#include "trammel/methods.h"

static const char *methods[20];

/* Fill the list; its length. */
static inline int all_methods(void) {
  const trm_method *method;
  int n = 0;
  for (int i = 0; (method = trm_method_at(i)) != NULL; i++) {
    if (method->where == NULL) methods[n++] = method->name;
  }
  return n;
}

#endif
