/* friction_runs.h - a run of a typed text with friction, seen after a second and at its end. */
#ifndef FRICTION_RUNS_H
#define FRICTION_RUNS_H
#include "verify/typed.h"
#include <math.h>

typedef struct outcome {
  double out[6], at_one[6]; /* outputs at the end and at t = 1 s */
  double v[12];
  long   steps;
} outcome;

static inline outcome friction_run(const char *text, const char *method, double tolerance) {
  typed m = typed_text(text, "friction", NULL);
  trm_error err = {.message = ""};
  outcome r = {.steps = 0};
  bool done = false;
  trm_sim *sim = typed_sim(&m, method, tolerance);
  for (bool is_past = false; !done;) {
    const trm_state *s = NULL;
    const trm_status status = trm_sim_step(sim, &done, &err);
    if (status != TRM_OK) fail_msg("%s 1e%g: %s\n%s", method, log10(tolerance), err.message, text);
    if (is_past || trm_sim_state(sim)->t < 1.0) continue;
    is_past = true;
    CHECK_OK(trm_sim_interpolate(sim, 1.0, &s, &err), err);
    CHECK_OK(trm_system_values(trm_sim_system(sim), s, &(trm_values){.outputs = r.at_one}, &err),
             err);
  }
  CHECK_OK(trm_sim_outputs(sim, r.out, &err), err);
  r.steps = trm_sim_counters(sim)->steps;
  assert_true(trm_system_sizes(m.system)->nv <= 12);
  memcpy(r.v, trm_sim_state(sim)->v, (size_t)trm_system_sizes(m.system)->nv * sizeof *r.v);
  trm_sim_free(sim);
  typed_close(&m);
  return r;
}

#endif
