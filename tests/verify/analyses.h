/* analyses.h - equilibrium and modes as tests ask for them. */
#ifndef TRM_TEST_ANALYSES_H
#define TRM_TEST_ANALYSES_H
#include "verify/typed.h"

static const double pi = 3.14159265358979323846;

static inline trm_static *rest_by(trm_system *system, const char *method) {
  trm_error err = {.message = ""};
  trm_static *result = NULL;
  trm_static_options o = trm_static_options_default();
  o.method = method;
  CHECK_OK(trm_static_find(system, &o, &result, &err), err);
  return result;
}

static inline trm_static *rest(trm_system *system) {
  return rest_by(system, trm_static_options_default().method);
}

static inline trm_modes *modes_at(trm_system *system, const trm_state *at, const char *method,
                                  int count) {
  trm_error err = {.message = ""};
  trm_modes *modes = NULL;
  trm_modes_options o = trm_modes_options_default();
  o.method = method;
  o.count = count;
  CHECK_OK(trm_modes_find(system, at, &o, &modes, &err), err);
  return modes;
}

/* Angular frequency |eigenvalue|. */
static inline double omega(const trm_modes *modes, int i) {
  return 2.0 * pi * trm_mode_at(modes, i).frequency;
}

#endif
