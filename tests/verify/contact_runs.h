/* contact_runs.h - pieces that tests of contacts share. */
#ifndef TRM_CONTACT_RUNS_H
#define TRM_CONTACT_RUNS_H
#include "integ/driver.h"
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

/* The run of a scene to its end, at 1e-5; outputs there. */
static inline void contact_run(const char *text, const char *method, double *out) {
  typed m = typed_text(text, "scene", NULL);
  trm_error err = {.message = ""};
  trm_sim *sim = typed_sim(&m, method, 1e-5);
  const trm_status status = trm_sim_run(sim, &err);
  if (status != TRM_OK) fail_msg("%s: %s\n%s", method, err.message, text);
  CHECK_OK(trm_sim_outputs(sim, out, &err), err);
  trm_sim_free(sim);
  typed_close(&m);
}

/* Blocks of a scene against differences, at its start with random velocities and bristles. Outputs
 * of the start say how many points touch. */
static inline void contact_check_blocks(const char *text, double *touching) {
  trm_error err = {.message = ""};
  uint64_t seed = 7;
  typed m = typed_text(text, "scene", NULL);
  m.options.end = 1.0;
  trm_sim *sim = typed_sim(&m, "hht", 1e-5);
  trm_system *sys = sim->sys;
  trmi_arena arena;
  trm_state s = {.t = 0.0};
  CHECK_OK(trm_sim_outputs(sim, touching, &err), err);
  trmi_arena_init(&arena, &sys->arena.allocator);
  trmi_state_take(sys, &arena, &s);
  for (int i = 0; i < 10; i++) {
    trm_block_check worst[TRM_BLOCKS];
    trmi_state_copy(sys, trm_sim_state(sim), &s);
    for (int k = 0; k < sys->n.nv; k++) s.v[k] += .2 * kit_random(&seed);
    for (int k = 0; k < sys->n.nx; k++) s.x[k] = .5 * kit_random(&seed);
    CHECK_OK(trm_system_check_blocks(sys, &s, worst, &err), err);
    for (int b = 0; b < TRM_BLOCKS; b++) { /* differences of p^1.5 some millimetres deep */
      if (!(worst[b].error <= 1e-6)) {
        fail_msg("block %s (%d, %d): %.9g, difference %.9g\n%s", trm_block_name((trm_block)b),
                 worst[b].row, worst[b].col, worst[b].given, worst[b].difference, text);
      }
    }
  }
  trmi_arena_clear(&arena);
  trm_sim_free(sim);
  typed_close(&m);
}

/* Save the first run and load it into the second, of so many bodies: they end with the same
 * bits. */
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
}

#endif
