/* Typed models and memory: whichever request fails while one is read and compiled, the library says
 * so and gives back all it has; and runs with events take none after their first steps. */
#include "fault/typed_memory.h"
#include "trammel/model.h"
#include <string.h>

/* Read, compile, assemble. */
static trm_status build(const void *self, const trm_allocator *allocator, trm_error *err) {
  const trm_shipped_model *shipped = self;
  trm_model *model = NULL;
  trm_system *system = NULL;
  trm_sim *sim = NULL;
  trm_status status = typed_read(shipped, allocator, &model, err);
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

/* The frame, whose reduction is large, takes minutes; its requests are those of the smaller
 * flexible models. */
static void every_request_may_fail(void **state) {
  (void)state;
  for (int i = 0; i < trm_shipped_model_count(); i++) {
    const trm_shipped_model *shipped = trm_shipped_model_at(i);
    if (typed_is_large(shipped->name) || strcmp(shipped->name, "ladder-frame") == 0) continue;
    typed m = typed_model(shipped->name, NULL); /* its reduction is in the cache now */
    typed_close(&m);
    const long n = meter_exhaust(build, shipped, shipped->name);
    print_message("%s: %ld requests\n", shipped->name, n);
    assert_true(n > 10);
  }
}

static void check_loop(const char *name, const typed *m, meter *ours, const char *integrator) {
  enum { WARM_UP = 3 };
  trm_error err;
  bool done = false;
  trm_options o = m->options;
  o.integrator = integrator;
  o.formulation = NULL;
  o.has_rho = o.has_alpha = false;
  o.nsteps = 0;
  o.tolerance = 1e-5;
  o.end *= typed_part(name, integrator);
  o.outputs = 20;
  o.output_step = 0.0;
  o.checkpoint_steps = 1000000;
  o.allocator = meter_allocator(ours);
  const long live = ours->live;
  trm_sim *sim = kit_sim(m->system, &o);
  for (int i = 0; i < WARM_UP && !done; i++) CHECK_OK(trm_sim_step(sim, &done, &err), err);
  ours->is_shut = true;
  const trm_status status = trm_sim_run(sim, &err);
  if (status != TRM_OK || ours->refused != 0) {
    fail_msg("%s by %s: %s, %ld requests in the loop, %s", name, integrator,
             trm_status_name(status), ours->refused, status != TRM_OK ? err.message : "");
  }
  ours->is_shut = false;
  trm_sim_free(sim);
  assert_int_equal(ours->live, live);
}

static void no_step_and_no_event_takes_memory(void **state) {
  (void)state;
  static const char *const methods[] = {"hht", "alpha", "explicit"};
  for (int i = 0; i < trm_shipped_model_count(); i++) {
    const char *name = trm_shipped_model_at(i)->name;
    if (typed_is_large(name)) continue;
    meter ours = {0};
    typed m = typed_metered(name, &ours);
    for (int k = 0; k < 3; k++) check_loop(name, &m, &ours, methods[k]);
    typed_close(&m);
    assert_int_equal(ours.live, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_request_may_fail),
      cmocka_unit_test(no_step_and_no_event_takes_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
