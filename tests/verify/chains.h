/* chains.h - the chain and its tip, for the two chain tests. */
#ifndef TRM_TEST_CHAINS_H
#define TRM_TEST_CHAINS_H
#include "runs.h"

/* Run an N-link chain explicitly for 2 s and compare its tip with listed coordinates,
 * good to 1e-9. Local errors of 1e-10, some 200 steps. */
static inline void check_tip(const char *links, double x, double z) {
  const double tol = 1e-8;
  trm_error err;
  double tip[3];
  const model m = {"chain", {{"links", links}}};
  const trm_options o = options_explicit(2.0, 1e-10);
  history h = run(&m, &o, KEEP_LAST);
  trm_system *system = model_create(&m);
  const trm_state s = history_last(&h);
  CHECK_OK(trm_system_values(system, &s, &(trm_values){.outputs = tip}, &err), err);
  print_message("%s links: tip off by %.2g, %.2g, %.2g; %ld steps\n", links, tip[0] - x, tip[1],
                tip[2] - z, h.counters.steps);
  CHECK_NEAR(tip[0], x, tol, "x of the tip, %s links", links);
  CHECK_NEAR(tip[1], 0.0, tol, "y of the tip, %s links", links);
  CHECK_NEAR(tip[2], z, tol, "z of the tip, %s links", links);
  trm_system_free(system);
  history_free(&h);
}

#endif
