/* The same input gives the same bits: all accepted states, and all counters but the
 * clock. */
#include "runs.h"

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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hht_gives_the_same_bits),
      cmocka_unit_test(alpha_gives_the_same_bits),
      cmocka_unit_test(explicit_gives_the_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
