/* The same input gives the same bits: all accepted states, and all counters but the
 * clock. */
#include "methods.h"
#include "runs.h"
#include "sanitized.h"
#include "verify/typed.h"

static const model models[] = {
    {"chain", {{"links", "20"}}},
    {"slider-crank", {{0}}},
};
static const double ends[] = {0.2, 0.02}; /* [s] */
enum { MODELS = 2 };

/* Error-controlled runs, or steps h unless it is zero. */
static void check_same_bits(const char *integrator, double h) {
  for (int i = 0; i < MODELS; i++) {
    trm_options o = h > 0.0 ? options_steps(ends[i], h, 0.0) : options_until(ends[i]);
    o.integrator = integrator;
    o.tolerance = 1e-7;
    history a = run(&models[i], &o, KEEP_STEPS), b = run(&models[i], &o, KEEP_STEPS);
    a.counters.seconds = b.counters.seconds = 0.0;
    a.counters.seconds_setup = b.counters.seconds_setup = 0.0;
    assert_true(a.count > 3);
    assert_int_equal(a.count, b.count);
    assert_memory_equal(a.t, b.t, (size_t)a.count * sizeof *a.t);
    assert_memory_equal(a.numbers, b.numbers,
                        (size_t)a.count * (size_t)a.width * sizeof *a.numbers);
    assert_memory_equal(&a.counters, &b.counters, sizeof a.counters); /* no padding in it */
    history_free(&a);
    history_free(&b);
  }
}

static void hht_gives_the_same_bits(void **state) {
  (void)state;
  check_same_bits("hht", 0.0);
  check_same_bits("hht", 1e-4);
}

static void alpha_gives_the_same_bits(void **state) {
  (void)state;
  check_same_bits("alpha", 0.0);
  check_same_bits("alpha", 1e-4);
}

static void explicit_gives_the_same_bits(void **state) {
  (void)state;
  check_same_bits("explicit", 0.0);
  check_same_bits("explicit", 1e-4);
}

static void tdg_gives_the_same_bits(void **state) {
  (void)state;
  check_same_bits("tdg", 0.0);
  check_same_bits("tdg", 1e-4);
}

static void radau_gives_the_same_bits(void **state) {
  (void)state;
  check_same_bits("radau", 0.0);
  check_same_bits("radau", 1e-4);
}

static void bdf_gives_the_same_bits(void **state) {
  (void)state;
  check_same_bits("bdf", 0.0);
  check_same_bits("bdf", 1e-4);
}

/* ---- models of files ---------------------------------------------------------------------- */

enum { STEPS = 60 };

static void add_bits(uint64_t *hash, const void *data, size_t size) {
  const unsigned char *bytes = data;
  for (size_t i = 0; i < size; i++) *hash = (*hash ^ bytes[i]) * 1099511628211U; /* FNV-1a */
}

/* A hash of all states of the first steps, and of the counters behind them; zero: refused. */
static uint64_t hash_run(const typed *m, const trm_options *o) {
  trm_error err;
  if (method_refuses(m->system, o)) return 0;
  trm_sim *sim = kit_sim(m->system, o);
  uint64_t hash = 14695981039346656037U;
  const trm_quantity lists[] = {TRM_Q, TRM_V, TRM_V, TRM_LAM, TRM_MU, TRM_X, TRM_X, TRM_W, TRM_Z};
  bool done = false;
  for (int k = 0; k < STEPS && !done; k++) {
    CHECK_OK(trm_sim_step(sim, &done, &err), err);
    const trm_state *s = trm_sim_state(sim);
    const double *const numbers[] = {s->q, s->v, s->vd, s->lam, s->mu, s->x, s->xd, s->w, s->z};
    add_bits(&hash, &s->t, sizeof s->t);
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
      add_bits(&hash, numbers[l],
               (size_t)trm_system_count(m->system, lists[l]) * sizeof(double));
    }
  }
  trm_counters counters = *trm_sim_counters(sim);
  counters.seconds = counters.seconds_setup = 0.0;
  add_bits(&hash, &counters, sizeof counters);
  trm_sim_free(sim);
  return hash;
}

/* A model that is read and reduced twice, the first time perhaps by another test, which put it into
 * the cache; by all methods. */
static void models_of_files_give_the_same_bits(void **state) {
  (void)state;
  const int count = every_method();
  int runs[sizeof methods / sizeof *methods] = {0};
  for (int i = 0; i < trm_shipped_model_count(); i++) {
    const char *name = trm_shipped_model_at(i)->name;
    if (typed_is_large(name)) continue;
    const char *text = trm_shipped_model_at(i)->text;
    typed first = typed_model(name, NULL), second = typed_open(text, name, NULL, NULL);
    for (int k = 0; k < count; k++) {
      if (!takes_part(i, k, runs[k])) continue;
      trm_options o = typed_options(&first, methods[k], typed_part(name, methods[k]));
      o.solver = k % 2 == 0 ? "auto" : "block";
      const uint64_t hash = hash_run(&first, &o);
      runs[k] += hash != 0;
      if (hash == hash_run(&second, &o)) continue;
      fail_msg("%s, %s, %s: two runs differ", name, methods[k], o.solver);
    }
    typed_close(&first);
    typed_close(&second);
  }
  for (int k = 0; k < count; k++) {
    if (runs[k] == 0) fail_msg("no model for %s", methods[k]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hht_gives_the_same_bits),
      cmocka_unit_test(alpha_gives_the_same_bits),
      cmocka_unit_test(explicit_gives_the_same_bits),
      cmocka_unit_test(tdg_gives_the_same_bits),
      cmocka_unit_test(radau_gives_the_same_bits),
      cmocka_unit_test(bdf_gives_the_same_bits),
      cmocka_unit_test(models_of_files_give_the_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
