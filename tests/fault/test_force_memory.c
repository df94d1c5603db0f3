/* Forces and memory: whichever request fails while a model with every type of force is compiled,
 * the library says so and gives back all it has, libraries of plug-ins too. */
#include "fault/memory.h"
#include "trammel/model.h"

static const char text[] =
    "trammel: 1\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: [1, 1, 1], markers: {m: {at: [.1, 0, 0]}}}\n"
    "  b: {mass: 1, inertia: [1, 1, 1], at: [1, .1, 0], orientation: {vector: [.1, .2, .3]}}\n"
    "joints: {pin: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}}\n"
    "forces:\n"
    "  f: {type: force, body: b, force: [1, sin(time), 0]}\n"
    "  t: {type: torque, markers: [a, b], torque: [1, 0, 0]}\n"
    "  g: {type: general, markers: [a, b], force: [f.force.x, 0, 0]}\n"
    "  s: {type: spring, markers: [a.m, b], stiffness: 3, value: -s.rate}\n"
    "  k: {type: spring, markers: [ground, b], value: '-curve(k.length)'}\n"
    "  r: {type: torsion, markers: [a, b], stiffness: 3}\n"
    "  j: {type: joint, joint: pin, damping: 1}\n"
    "  u: {type: bushing, markers: [a, b], stiffness: [1, 2, 3, 4, 5, 6]}\n"
    "  e: {type: beam, markers: [a, b], E: 1, G: 1, area: 1, Iy: 1, Iz: 1, J: 1, damping: .1}\n"
    "  p: {type: plugin, markers: [a, b], library: " TEST_PLUGINS "spring_plugin.so,\n"
    "      function: spring, parameters: [1, 2, 3]}\n"
    "tables: {curve: {x: [0, 1, 2], y: [0, 3, 4]}}\n"
    "outputs: {l: s.length, x: u.rx, z: e.B.torque.z}\n";

static bool is_library_open(void) {
  void *handle = dlopen(TEST_PLUGINS "spring_plugin.so", RTLD_NOW | RTLD_NOLOAD);
  if (handle != NULL) dlclose(handle);
  return handle != NULL;
}

/* Read, compile, assemble. */
static trm_status build(const void *self, const trm_allocator *allocator, trm_error *err) {
  (void)self;
  trm_model *model = NULL;
  trm_system *system = NULL;
  trm_sim *sim = NULL;
  trm_status status = trm_model_read_text(text, "forces", NULL, 0, allocator, &model, err);
  if (status == TRM_OK) trm_model_use_plugins(model, TRM_PLUGINS_LOADED);
  if (status == TRM_OK) status = trm_model_create_system(model, allocator, &system, err);
  if (status == TRM_OK) {
    trm_options o = trm_options_default();
    o.end = 1.0;
    o.allocator = *allocator;
    o.solver = "dense"; /* KLU has its own memory, tested elsewhere */
    status = trm_sim_create(system, &o, &sim, err);
  }
  trm_sim_free(sim);
  trm_system_free(system);
  trm_model_free(model);
  if (is_library_open()) fail_msg("the library stays open after %s", trm_status_name(status));
  return status;
}

static void every_request_may_fail(void **state) {
  (void)state;
  const long requests = meter_exhaust(build, NULL, "forces");
  print_message("%ld requests\n", requests);
  assert_true(requests > 50);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_request_may_fail)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
