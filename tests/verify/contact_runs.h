/* contact_runs.h - pieces that tests of contacts share. */
#ifndef TRM_CONTACT_RUNS_H
#define TRM_CONTACT_RUNS_H
#include "verify/typed.h"

/* A ball of 2 mm and 1 g with a velocity along x, format %g, which comes from far away. */
#define CONTACT_SHOT(z)                                                                            \
  "  shot: {mass: 1e-3, inertia: [1e-9, 1e-9, 1e-9], velocity: [%g, 0, 0],\n"                     \
  "         at: [-1, 0, " z "], shape: {sphere: {radius: 1e-3}}}\n"

/* Gaps of two bodies with their rates, a time h after the state of a point. */
static inline void contact_gaps_at(const typed *m, const point *p, double h, double *gaps) {
  trm_error err = {.message = ""};
  double dpi[12], q[14], v[12];
  trm_state s = p->s;
  for (int i = 0; i < 12; i++) {
    dpi[i] = h * (p->s.v[i] + .5 * h * p->s.vd[i]);
    v[i] = p->s.v[i] + h * p->s.vd[i];
  }
  trm_system_retract(m->system, p->s.q, dpi, q);
  s.q = q, s.v = v;
  CHECK_OK(trm_system_values(m->system, &s, &(trm_values){.gaps = gaps}, &err), err);
}

/* Save the first run and load it into the second, of so many bodies: both end with the same bits.
 * Frees both. */
static inline void contact_resume(trm_sim *first, trm_sim *second, int bodies) {
  trm_error err = {.message = ""};
  trm_sim_prepare_save(first);
  const size_t size = trm_sim_save_size(first);
  void *kept = malloc(size);
  assert_non_null(kept);
  trm_sim_save(first, kept);
  CHECK_OK(trm_sim_load(second, kept, size, &err), err);
  free(kept);
  kit_run(first), kit_run(second);
  const trm_state *a = trm_sim_state(first), *b = trm_sim_state(second);
  assert_memory_equal(a->q, b->q, 7 * (size_t)bodies * sizeof *a->q);
  assert_memory_equal(a->v, b->v, 6 * (size_t)bodies * sizeof *a->v);
  trm_sim_free(first), trm_sim_free(second);
}

#endif
