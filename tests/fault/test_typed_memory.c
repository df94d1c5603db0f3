/* Typed models and memory: whichever request fails while one is read and compiled, the library says
 * so and gives back all it has; and runs with events take none after their first steps. */
#include "fault/memory.h"
#include "trammel/model.h"
#include "verify/typed.h"
#include <string.h>

/* Read, compile, assemble. */
static trm_status build(const void *self, const trm_allocator *allocator, trm_error *err) {
  const trm_shipped_model *shipped = self;
  trm_model *model = NULL;
  trm_system *system = NULL;
  trm_sim *sim = NULL;
  trm_status status =
      trm_model_read_text(shipped->text, shipped->name, NULL, 0, allocator, &model, err);
  if (status == TRM_OK) status = trm_model_create_system(model, allocator, &system, err);
  if (status == TRM_OK) {
    trm_options o = trm_options_default();
    trm_model_options(model, &o);
    o.allocator = *allocator;
    o.solver = "dense"; /* KLU has its own memory, tested elsewhere */
    status = trm_sim_create(system, &o, &sim, err);
  }
  trm_sim_free(sim);
  trm_system_free(system);
  trm_model_free(model);
  return status;
}

/* The frame is reduced anew for each request, which takes minutes together; its requests are those
 * of the smaller flexible models. */
static void every_request_may_fail(void **state) {
  (void)state;
  for (int i = 0; i < trm_shipped_model_count(); i++) {
    const trm_shipped_model *shipped = trm_shipped_model_at(i);
    if (typed_is_large(shipped->name) || strcmp(shipped->name, "ladder-frame") == 0) continue;
    const long n = meter_exhaust(build, shipped, shipped->name);
    print_message("%s: %ld requests\n", shipped->name, n);
    assert_true(n > 10);
  }
}

static void check_loop(const trm_shipped_model *shipped, const char *integrator) {
  enum { WARM_UP = 3 };
  trm_error err;
  meter ours = {0};
  const trm_allocator allocator = meter_allocator(&ours);
  trm_model *model = NULL;
  trm_system *system = NULL;
  bool done = false;
  CHECK_OK(trm_model_read_text(shipped->text, shipped->name, NULL, 0, &allocator, &model, &err),
           err);
  CHECK_OK(trm_model_create_system(model, &allocator, &system, &err), err);
  trm_options o = trm_options_default();
  trm_model_options(model, &o);
  o.integrator = integrator;
  o.formulation = NULL;
  o.has_rho = o.has_alpha = false;
  o.nsteps = 0;
  o.tolerance = 1e-5;
  o.end *= typed_part(shipped->name, integrator);
  o.outputs = 20;
  o.output_step = 0.0;
  o.checkpoint_steps = 1000000;
  o.allocator = allocator;
  trm_sim *sim = kit_sim(system, &o);
  for (int i = 0; i < WARM_UP && !done; i++) CHECK_OK(trm_sim_step(sim, &done, &err), err);
  ours.is_shut = true;
  const trm_status status = trm_sim_run(sim, &err);
  if (status != TRM_OK || ours.refused != 0) {
    fail_msg("%s by %s: %s, %ld requests in the loop, %s", shipped->name, integrator,
             trm_status_name(status), ours.refused, status != TRM_OK ? err.message : "");
  }
  trm_sim_free(sim);
  trm_system_free(system);
  trm_model_free(model);
  assert_int_equal(ours.live, 0);
}

static void no_step_and_no_event_takes_memory(void **state) {
  (void)state;
  static const char *const methods[] = {"hht", "alpha", "explicit"};
  for (int i = 0; i < trm_shipped_model_count(); i++) {
    if (typed_is_large(trm_shipped_model_at(i)->name)) continue;
    for (int k = 0; k < 3; k++) check_loop(trm_shipped_model_at(i), methods[k]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_request_may_fail),
      cmocka_unit_test(no_step_and_no_event_takes_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
