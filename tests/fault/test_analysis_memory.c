/* Equilibria, modes and linear models: whichever request for memory fails, that is said, everything
 * is given back, and the system works the next time. */
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

/* One of them at work. */
typedef struct trial {
  trm_system *system;
  const char *method;
} trial;

static trm_status rest(const void *self, const trm_allocator *allocator, trm_error *err) {
  const trial *t = self;
  trm_static *result = NULL;
  trm_static_options o = trm_static_options_default();
  o.allocator = *allocator;
  o.max_iterations = 200;
  const trm_status status = trm_static_find(t->system, &o, &result, err);
  assert_int_equal(result != NULL, status == TRM_OK);
  trm_static_free(result);
  return status == TRM_ERR_BALANCE ? TRM_OK : status; /* a disc that rolls never rests */
}

static trm_status vibrate(const void *self, const trm_allocator *allocator, trm_error *err) {
  const trial *t = self;
  trm_modes *modes = NULL;
  trm_modes_options o = trm_modes_options_default();
  o.allocator = *allocator;
  o.method = t->method;
  o.count = 4;
  const trm_status status = trm_modes_find(t->system, NULL, &o, &modes, err);
  assert_int_equal(modes != NULL, status == TRM_OK);
  trm_modes_free(modes);
  return status;
}

static trm_status linearize(const void *self, const trm_allocator *allocator, trm_error *err) {
  const trial *t = self;
  trm_linear_model *m = NULL;
  trm_linear_options o = trm_linear_options_default();
  o.allocator = *allocator;
  const trm_status status = trm_linear_model_find(t->system, NULL, &o, &m, err);
  assert_int_equal(m != NULL, status == TRM_OK);
  trm_linear_model_free(m);
  return status;
}

static void exhaust(int i, meter_task analyze) {
  const trial t = {kit_problem(cases[i].problem, cases[i].name, cases[i].value), cases[i].method};
  assert_true(meter_exhaust(analyze, &t, cases[i].problem) > 9);
  trm_system_free(t.system);
}

static void equilibria_without_memory(void **state) {
  (void)state;
  for (int i = 0; i < CASES; i++) exhaust(i, rest);
}

static void modes_without_memory(void **state) {
  (void)state;
  for (int i = 0; i < CASES; i++) exhaust(i, vibrate);
}

static void linear_models_without_memory(void **state) {
  (void)state;
  for (int i = 0; i < CASES; i++) exhaust(i, linearize);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equilibria_without_memory),
      cmocka_unit_test(modes_without_memory),
      cmocka_unit_test(linear_models_without_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
