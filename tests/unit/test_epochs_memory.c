/* test_epochs_memory.c - memory of elements travels with a checkpoint. */
#include "unit/carts.h"

static void memory_travels_with_a_checkpoint(void **unused) {
  (void)unused;
  const struct {
    const char *integrator;
    double      step, at;
  } runs[] = {{"hht", 1e-3, 0.9},     {"hht", 0.0, 0.9},   {"explicit", 0.0, 0.3},
              {"alpha", 2e-3, 2.0},   {"tdg", 1e-3, 0.9},  {"tdg", 0.0, 0.9},
              {"radau", 1e-3, 0.9},   {"radau", 0.0, 0.3}, {"alpha", 0.0, 0.9},
              {"bdf", 1e-3, 0.9},     {"bdf", 0.0, 0.9}};
  for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
    trm_options options = options_of(runs[k].integrator, runs[k].step);
    options.checkpoint_steps = 5;
    carts *whole = new_carts(), *rest = new_carts();
    tape *p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->wanted = runs[k].at;
    const ending a = run_with_tape(&ops, whole, &options, p, NULL);
    assert_true(p->size > 0 && whole->saved > 0);
    const ending b = run_with_tape(&ops, rest, &options, NULL, p);
    assert_int_equal(rest->loaded, 1);
    assert_memory_equal(a.q, b.q, sizeof a.q);
    assert_memory_equal(a.v, b.v, sizeof a.v);
    assert_int_equal(whole->epoch, rest->epoch);
    free(whole);
    free(rest);
    free(p);
  }
}

/* The test above can fail: without its memory the last cart goes another way. */
static void without_memory_the_motion_goes_another_way(void **unused) {
  (void)unused;
  trm_options options = options_of("hht", 1e-3);
  options.checkpoint_steps = 5;
  carts *whole = new_carts(), *rest = new_carts();
  tape *p = calloc(1, sizeof *p);
  assert_non_null(p);
  p->wanted = 0.9;
  const ending a = run_with_tape(&forgetful, whole, &options, p, NULL);
  const ending b = run_with_tape(&forgetful, rest, &options, NULL, p);
  assert_true(fabs(a.q[CARTS - 1] - b.q[CARTS - 1]) > 1e-6);
  free(whole);
  free(rest);
  free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(memory_travels_with_a_checkpoint),
      cmocka_unit_test(without_memory_the_motion_goes_another_way),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
