/* Equilibria and modes: whichever request for memory fails, that is said, everything is given back,
 * and the system works the next time. */
#include "fault/memory.h"

static const struct {
  const char *problem, *name, *value, *method;
} cases[] = {{"pendulum", NULL, NULL, "dense"},
             {"servo", NULL, NULL, "dense"},
             {"heavy-top", NULL, NULL, "dense"},
             {"rolling-disc", NULL, NULL, "dense"},
             {"chain", "links", "4", "sparse"},
             {"oscillators", "masses", "40", "sparse"},
             {"oscillators", "damping", "2", "dense"}};
enum { CASES = sizeof cases / sizeof *cases };

typedef trm_status (*analysis)(trm_system *system, const char *method,
                               const trm_allocator *allocator, trm_error *err);

static trm_status rest(trm_system *system, const char *method, const trm_allocator *allocator,
                       trm_error *err) {
  (void)method;
  trm_static *result = NULL;
  trm_static_options o = trm_static_options_default();
  o.allocator = *allocator;
  o.max_iterations = 200;
  const trm_status status = trm_static_find(system, &o, &result, err);
  assert_int_equal(result != NULL, status == TRM_OK);
  trm_static_free(result);
  return status == TRM_ERR_BALANCE ? TRM_OK : status; /* a disc that rolls never rests */
}

static trm_status vibrate(trm_system *system, const char *method, const trm_allocator *allocator,
                          trm_error *err) {
  trm_modes *modes = NULL;
  trm_modes_options o = trm_modes_options_default();
  o.allocator = *allocator;
  o.method = method;
  o.count = 4;
  const trm_status status = trm_modes_find(system, NULL, &o, &modes, err);
  assert_int_equal(modes != NULL, status == TRM_OK);
  trm_modes_free(modes);
  return status;
}

static void exhaust(int i, analysis analyze) {
  trm_system *system = kit_problem(cases[i].problem, cases[i].name, cases[i].value);
  for (long n = 1;; n++) {
    trm_error err = {.status = TRM_OK};
    meter ours = {.fail_at = n};
    const trm_allocator allocator = meter_allocator(&ours);
    const trm_status status = analyze(system, cases[i].method, &allocator, &err);
    if (ours.live != 0) fail_msg("%s, request %ld: %ld lost", cases[i].problem, n, ours.live);
    if (ours.requests < n) { /* nothing failed any more */
      CHECK_OK(status, err);
      assert_true(n > 10);
      break;
    }
    if (status != TRM_ERR_MEMORY || err.status != TRM_ERR_MEMORY) {
      fail_msg("%s, request %ld of memory fails: %s, '%s'", cases[i].problem, n,
               trm_status_name(status), err.message);
    }
  }
  trm_system_free(system);
}

static void equilibria_without_memory(void **state) {
  (void)state;
  for (int i = 0; i < CASES; i++) exhaust(i, rest);
}

static void modes_without_memory(void **state) {
  (void)state;
  for (int i = 0; i < CASES; i++) exhaust(i, vibrate);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equilibria_without_memory),
      cmocka_unit_test(modes_without_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
