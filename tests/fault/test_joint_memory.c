/* Joints and memory: whichever request fails while a model with joints of every make is compiled,
 * the library says so and gives back all it has; runs with friction, stops and motions take none
 * after their first steps. */
#include "fault/memory.h"
#include "trammel/model.h"

static const char text[] =
    "trammel: 1\n"
    "gravity: [0, 0, -9.81]\n"
    "tables: {px: {x: [-9, 0, 9], y: [-9, 0, 9], interpolation: cubic}}\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: [1, 1, 1]}\n"
    "  b: {mass: 1, inertia: [1, 1, 1], at: [1, 0, 0]}\n"
    "  c: {mass: 1, inertia: [1, 1, 1], at: [0, 2, 0]}\n"
    "  d: {mass: 1, inertia: [1, 1, 1], at: [0, 5, 1]}\n"
    "  e: {type: point, mass: 1, at: [0, 0, 3]}\n"
    "  f: {type: point, mass: 1, at: [4, 0, 0]}\n"
    "joints:\n"
    "  pin: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1],\n"
    "        limits: {lower: -1, upper: 9, stiffness: 10, damping: 1}}\n"
    "  slide: {type: translational, bodies: [ground, b], at: [0, 0, 0], axis: [1, 0, 0],\n"
    "          friction: {static: .3, dynamic: .2, radius: .1}}\n"
    "  teeth: {type: rack, joints: [slide, nut], radius: .1}\n"
    "  nut: {type: screw, bodies: [ground, c], at: [0, 2, 0], axis: [0, 1, 0], pitch: .2}\n"
    "  wheel: {type: rolling, bodies: [ground, d], at: [0, 5, 1], axis: [0, 1, 0], radius: 1}\n"
    "  wire: {type: curve, bodies: [ground, e], at: [0, 0, 3], path: {x: px}}\n"
    "  law: {type: constraint, equals: f.z - .1*f.x}\n"
    "motions: {drive: {joint: pin, acceleration: sin(time), start: 7}}\n"
    "outputs: {n: slide.normal, s: pin.stop, f: wheel.force.z, p: wire.parameter'}\n";

/* A simulation; all NULL on failure. */
typedef struct parts {
  trm_model *model;
  trm_system *system;
  trm_sim *sim;
} parts;

static void give_back(parts *p) {
  trm_sim_free(p->sim);
  trm_system_free(p->system);
  trm_model_free(p->model);
  *p = (parts){0};
}

static trm_status build(const trm_allocator *allocator, const char *integrator, parts *p,
                        trm_error *err) {
  trm_status status = trm_model_read_text(text, "joints", NULL, 0, allocator, &p->model, err);
  if (status == TRM_OK) status = trm_model_create_system(p->model, allocator, &p->system, err);
  if (status == TRM_OK) {
    trm_options o = trm_options_default();
    o.end = 1.0;
    o.integrator = integrator;
    o.tolerance = 1e-4;
    o.outputs = 20;
    o.checkpoint_steps = 1000000;
    o.allocator = *allocator;
    o.solver = "dense"; /* KLU has its own memory, tested elsewhere */
    status = trm_sim_create(p->system, &o, &p->sim, err);
  }
  return status;
}

static trm_status build_and_free(const void *self, const trm_allocator *allocator, trm_error *err) {
  (void)self;
  parts p = {0};
  const trm_status status = build(allocator, "hht", &p, err);
  give_back(&p);
  return status;
}

static void every_request_may_fail(void **state) {
  (void)state;
  const long requests = meter_exhaust(build_and_free, NULL, "joints");
  print_message("%ld requests\n", requests);
  assert_true(requests > 50);
}

static void the_time_loop_takes_no_memory(void **state) {
  (void)state;
  static const char *const integrators[] = {"hht", "radau", "explicit", "tdg"};
  for (int i = 0; i < 4; i++) {
    enum { WARM_UP = 3 };
    trm_error err;
    meter ours = {0};
    const trm_allocator allocator = meter_allocator(&ours);
    parts p = {0};
    bool done = false;
    CHECK_OK(build(&allocator, integrators[i], &p, &err), err);
    for (int k = 0; k < WARM_UP; k++) CHECK_OK(trm_sim_step(p.sim, &done, &err), err);
    assert_false(done);
    const long before = ours.requests;
    while (!done) CHECK_OK(trm_sim_step(p.sim, &done, &err), err);
    if (ours.requests != before) {
      fail_msg("%s: %ld requests in the loop", integrators[i], ours.requests - before);
    }
    give_back(&p);
    assert_int_equal(ours.live, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_request_may_fail),
    cmocka_unit_test(the_time_loop_takes_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
