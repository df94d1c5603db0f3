/* claims.h - claims about mechanisms: the model computes what should be zero as its outputs,
 * and these are zero after every step of a run. */
#ifndef TRM_TEST_CLAIMS_H
#define TRM_TEST_CLAIMS_H
#include "verify/typed.h"

/* How a model is run: by which method, to which tolerance, and how far off outputs may be. */
typedef struct way {
  const char *integrator;
  double      tolerance, limit;
} way;

enum { CLAIMS_MAX = 16 };

/* Largest output of a state; each within the limit. */
static inline double check_outputs(trm_system *system, const trm_state *s, const char *what,
                                   double limit) {
  double outputs[CLAIMS_MAX], worst = 0.0;
  trm_error err;
  const int n = trm_system_sizes(system)->noutputs;
  assert_true(n <= CLAIMS_MAX);
  CHECK_OK(trm_system_values(system, s, &(trm_values){.outputs = outputs}, &err), err);
  for (int i = 0; i < n; i++) {
    trm_label label;
    trm_system_label(system, TRM_OUTPUT, i, &label);
    worst = fmax(worst, fabs(outputs[i]));
    CHECK_NEAR(outputs[i], 0.0, limit, "%s: output %s at %g s", what, label.name, s->t);
  }
  return worst;
}

/* Run a text in each of the ways (up to one without a name): all outputs are zero after each step
 * of at most a fiftieth of the run. Constraints hold at steps, not on the dense output between. */
static inline void outputs_are_zero(const char *text, const char *what, const way *ways) {
  for (int k = 0; ways[k].integrator != NULL; k++) {
    typed m = typed_text(text, what, NULL);
    trm_error err;
    m.options.integrator = ways[k].integrator;
    m.options.tolerance = ways[k].tolerance;
    m.options.step_max = m.options.end / 50.0;
    trm_sim *sim = kit_sim(m.system, &m.options);
    double worst = check_outputs(trm_sim_system(sim), trm_sim_state(sim), what, ways[k].limit);
    for (bool done = false; !done;) {
      CHECK_OK(trm_sim_step(sim, &done, &err), err);
      worst = fmax(worst, check_outputs(trm_sim_system(sim), trm_sim_state(sim), what,
                                        ways[k].limit));
    }
    print_message("%s, %s %g: outputs off by %.1e in %ld steps\n", what, ways[k].integrator,
                  ways[k].tolerance, worst, trm_sim_counters(sim)->steps);
    trm_sim_free(sim);
    typed_close(&m);
  }
}

/* One way that fits a list. */
#define WAYS(...) ((const way[]){__VA_ARGS__, {NULL, 0.0, 0.0}})

#endif
