/* test_value_rules.c - what may be set, what follows from it, sweeps without memory, values of
 * mechanisms that are built in C. */
#include "fault/memory.h"
#include "verify/value_runs.h"
#include <math.h>

/* ---- rules ---------------------------------------------------------------------------------- */

static const char strut[] =
    "trammel: 1\ngravity: [0, 0, -9.81]\nparameters: {k: 300 N/m, half: 0.5*k, n: 2, c: 0}\n"
    "bodies: {ball: {type: point, mass: 2, at: [0, 0, 1]}}\n"
    "beams: {rod: {points: [[1, 0, 0], [2, 0, 0]], fix: first, elements: n, E: 2e11, G: 8e10,\n"
    "              area: 1e-4, Iy: 1e-9, Iz: 1e-9, J: 2e-9, density: 7800}}\n"
    "forces: {s: {type: spring, bodies: [ground, ball], points: [[0, 0, 0], [0, 0, 1]],\n"
    "             stiffness: half, length: 0.9, damping: c}}\n"
    "outputs: {z: ball.z}\nsimulate: {end: 0.1}\n";

static void expect(trm_system *system, const char *name, double number, trm_status status,
                   const char *words) {
  trm_error err = {.message = ""};
  assert_int_equal(trm_system_set(system, name, number, &err), status);
  if (strstr(err.message, words) == NULL) fail_msg("%s: '%s'", name, err.message);
}

static void what_cannot_be_set_is_told(void **state) {
  (void)state;
  typed m = typed_text(strut, "strut", NULL);
  expect(m.system, "bodies.ball.mass", -1.0, TRM_ERR_INPUT,
         "body 'ball': mass: -1 is out of range: it must be greater than 0");
  expect(m.system, "ball.mass", NAN, TRM_ERR_INPUT, "not a finite number");
  expect(m.system, "n", 3.0, TRM_ERR_INPUT, "'n' needs a new build: it decides which parts");
  typed d = typed_text("trammel: 1\nparameters: {e: 2}\nsimulate: {end: 0.1}\n"
                       "equations: {coordinates: {x: 1}, mass: {x: 1}, potential: x^2/e}\n",
                       "divisor", NULL);
  expect(d.system, "e", 0.0, TRM_ERR_INPUT, "division by zero"); /* not: needs a new build */
  typed_close(&d);
  expect(m.system, "rod.elements", 3.0, TRM_ERR_INPUT, "needs a new build");
  expect(m.system, "s.length", -1.0, TRM_ERR_INPUT, "force 's': length: -1 is out of range");
  expect(m.system, "bodies.ball.mas", 1.0, TRM_ERR_INPUT, "did you mean 'bodies.ball.mass'?");
  expect(m.system, "ball.velocity.1", 1.0, TRM_ERR_INPUT, "no value 'ball.velocity.1'");
  typed_close(&m);
}

static void what_was_refused_leaves_no_trace(void **state) {
  static outcome before, after;
  (void)state;
  typed m = typed_text(strut, "strut", NULL);
  run(m.system, &m.options, &before);
  expect(m.system, "ball.at.3", 1.5, TRM_ERR_INPUT, "'ball' is a point at [0, 0, 1.5]");
  run(m.system, &m.options, &after);
  check_same(&after, &before, "strut", "after a fault while parts are read");
  expect(m.system, "n", 3.0, TRM_ERR_INPUT, "needs a new build");
  run(m.system, &m.options, &after);
  check_same(&after, &before, "strut", "after a value that needs a new build");
  typed_close(&m);
}

/* Every value that may be zero becomes zero, then another number, and what it was. */
static void a_zero_becomes_a_number_and_back(void **state) {
  static outcome ours, fresh;
  static const char *const names[] = {"c", "k", "gravity.1", "gravity.3", "forces.s.damping"};
  (void)state;
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    typed m = typed_text(strut, "strut", NULL);
    trm_error err = {.message = ""};
    trm_value value;
    CHECK_OK(trm_system_value(m.system, names[k], &value, &err), err);
    const double numbers[] = {0.0, 0.75, 0.0, value.number};
    for (int i = 0; i < 4; i++) {
      trm_model *model = NULL;
      CHECK_OK(trm_system_set(m.system, value.name, numbers[i], &err), err);
      trm_system *system = build_with(strut, names[k], numbers[i], &model, &err);
      assert_non_null(system);
      check_tapes(m.system, system, "strut", names[k]);
      run(m.system, &m.options, &ours);
      run(system, &m.options, &fresh);
      check_same(&ours, &fresh, "strut", names[k]);
      trm_system_free(system);
      trm_model_free(model);
    }
    typed_close(&m);
  }
}

/* Of w and u only u is an unknown: its guess is the first. */
static void the_guess_of_a_loop_is_its_own(void **state) {
  (void)state;
  typed m = typed_text("trammel: 1\nsimulate: {end: 0.1}\n"
                       "equations: {coordinates: {x: 1}, mass: {x: 1}, variables:\n"
                       "  {w: {equals: 2*x, guess: 5}, u: {equals: 0.5*cos(u), guess: 0.25}}}\n",
                       "loop", NULL);
  const trmi_equations *eq = trmi_equations_of(m.system->self);
  assert_int_equal(eq->n.nw, 1);
  expect(m.system, "w.guess", 6.0, TRM_OK, "");
  assert_true(eq->w[0] == 0.25);
  expect(m.system, "u.guess", 0.5, TRM_OK, "");
  assert_true(eq->w[0] == 0.5);
  typed_close(&m);
}

static void a_simulation_is_not_disturbed(void **state) {
  (void)state;
  typed m = typed_text(strut, "strut", NULL), plain = typed_text(strut, "strut", NULL);
  trm_sim *sim = kit_sim(m.system, &m.options), *alone = kit_sim(plain.system, &plain.options);
  expect(m.system, "k", 400.0, TRM_OK, "");
  expect(m.system, "ball.mass", 3.0, TRM_OK, "");
  expect(m.system, "rod.E", 1e11, TRM_OK, "");
  expect(trm_sim_system(sim), "k", 500.0, TRM_ERR_ORDER, "set in the system itself");
  kit_run(sim);
  kit_run(alone);
  const size_t bytes = (size_t)trm_system_count(m.system, TRM_Q) * sizeof(double);
  assert_memory_equal(trm_sim_state(sim)->q, trm_sim_state(alone)->q, bytes);
  trm_sim_free(sim);
  trm_sim_free(alone);
  typed_close(&m);
  typed_close(&plain);
}

static double number_of(trm_system *system, const char *name) {
  trm_error err = {.message = ""};
  trm_value value;
  CHECK_OK(trm_system_value(system, name, &value, &err), err);
  return value.number;
}

static void others_follow_until_they_are_set(void **state) {
  (void)state;
  typed m = typed_text(strut, "strut", NULL);
  trm_error err = {.message = ""};
  trm_value value;
  CHECK_OK(trm_system_value(m.system, "forces.s.stiffness", &value, &err), err);
  assert_string_equal(value.unit, "N/m");
  assert_true(value.change == TRM_CHANGE_LIVE && value.number == 150.0);
  expect(m.system, "k", 400.0, TRM_OK, "");
  assert_true(number_of(m.system, "half") == 200.0 && number_of(m.system, "s.stiffness") == 200.0);
  expect(m.system, "half", 7.0, TRM_OK, "");
  expect(m.system, "k", 500.0, TRM_OK, "");
  assert_true(number_of(m.system, "half") == 7.0 && number_of(m.system, "s.stiffness") == 7.0);
  expect(m.system, "k", 0.0, TRM_OK, ""); /* nothing depends on it any more */
  typed_close(&m);
}

/* ---- sweeps --------------------------------------------------------------------------------- */

static void a_sweep_takes_no_memory(void **state) {
  (void)state;
  meter memory = {0};
  const trm_allocator allocator = meter_allocator(&memory);
  trm_error err = {.message = ""};
  trm_model *model;
  trm_system *system;
  int count;
  CHECK_OK(trm_model_read_text(strut, "strut", NULL, 0, NULL, &model, &err), err);
  CHECK_OK(trm_model_create_system(model, &allocator, &system, &err), err);
  trm_model_free(model); /* a system keeps what it needs */
  CHECK_OK(trm_system_value_count(system, &count, &err), err);
  const long before = memory.requests;
  for (int i = 0; i < 1000; i++) {
    CHECK_OK(trm_system_set(system, "k", 100.0 + i, &err), err);
    assert_true(number_of(system, "s.stiffness") == 0.5 * (100.0 + i));
  }
  assert_int_equal(memory.requests, before); /* neither parsed nor compiled */
  trm_system_free(system);
  assert_int_equal(memory.live, 0);
}

static trm_status set_and_differentiate(const void *self, const trm_allocator *allocator,
                                        trm_error *err) {
  trm_system *system = NULL;
  double outputs[4];
  trm_state s;
  trmi_arena arena;
  const trm_values rates = {.outputs = outputs};
  TRMI_TRY(err, trm_model_create_system(self, allocator, &system, err));
  trmi_arena_init(&arena, allocator);
  trmi_state_take(system, &arena, &s);
  trm_status status = trmi_arena_check(&arena, err);
  if (status == TRM_OK) status = trmi_system_start(system, &s, err);
  if (status == TRM_OK) status = trm_system_set(system, "k", 310.0, err);
  if (status == TRM_OK) status = trm_system_set(system, "c", 2.0, err); /* another term */
  if (status == TRM_OK) status = trm_system_value_rates(system, "k", &s, &rates, err);
  trmi_arena_clear(&arena);
  trm_system_free(system);
  return status;
}

static void every_request_for_memory_may_fail(void **state) {
  (void)state;
  trm_error err = {.message = ""};
  trm_model *model;
  CHECK_OK(trm_model_read_text(strut, "strut", NULL, 0, NULL, &model, &err), err);
  assert_true(meter_exhaust(set_and_differentiate, model, "values") > 10);
  trm_model_free(model);
}

/* ---- from C --------------------------------------------------------------------------------- */

static void mechanisms_from_c_have_values(void **state) {
  (void)state;
  static outcome ours, fresh;
  trm_error err = {.message = ""};
  const trm_options options = trm_options_default();
  trm_system *systems[2];
  for (int k = 0; k < 2; k++) {
    trm_mechanism *m;
    trm_body_def bob = trm_body_default();
    trm_spherical_def pin = trm_spherical_default();
    trm_world_def world = {.gravity = {0.0, 0.0, -9.81}};
    CHECK_OK(trm_mechanism_create(NULL, &m, &err), err);
    CHECK_OK(trm_set_world(m, &world, NULL, &err), err);
    bob.mass = k == 0 ? 2.0 : 3.0, bob.at[0] = 0.5, bob.at[1] = bob.at[2] = 0.0;
    bob.inertia[0] = bob.inertia[1] = bob.inertia[2] = 0.1;
    CHECK_OK(trm_add_body(m, "bob", &bob, NULL, &err), err);
    pin.bodies[0] = "ground", pin.bodies[1] = "bob", pin.at[0] = pin.at[1] = pin.at[2] = 0.0;
    CHECK_OK(trm_add_spherical(m, "pin", &pin, NULL, &err), err);
    CHECK_OK(trm_add_output(m, "z", &(trm_output_def){"bob.z"}, NULL, &err), err);
    CHECK_OK(trm_mechanism_build(m, NULL, &systems[k], &err), err);
    trm_mechanism_free(m);
  }
  expect(systems[0], "bob.mass", 3.0, TRM_OK, "");
  run(systems[0], &options, &ours);
  run(systems[1], &options, &fresh);
  check_same(&ours, &fresh, "pendulum", "bob.mass");
  for (int k = 0; k < 2; k++) trm_system_free(systems[k]);
}

/* Large ones, which take what small ones do, are left to the build without sanitizers. */
static void models_are_mechanisms_with_the_same_bits(void **state) {
  static outcome ours, theirs;
  (void)state;
  for (int k = 0; k < trm_shipped_model_count(); k++) {
    const char *name = trm_shipped_model_at(k)->name;
    if (IS_SANITIZED && typed_is_large(name)) continue;
    trm_error err = {.message = ""};
    trm_mechanism *mechanism;
    trm_system *system;
    typed m = typed_model(name, NULL);
    CHECK_OK(trm_model_mechanism(m.model, NULL, &mechanism, &err), err);
    CHECK_OK(trm_mechanism_build(mechanism, NULL, &system, &err), err);
    trm_mechanism_free(mechanism);
    run(system, &m.options, &ours);
    run(m.system, &m.options, &theirs);
    check_same(&ours, &theirs, name, "as a mechanism");
    trm_system_free(system);
    typed_close(&m);
  }
}

static void a_model_is_inspected_and_changed(void **state) {
  (void)state;
  trm_error err = {.message = ""};
  trm_mechanism *mechanism;
  trm_system *system;
  trm_part part;
  trm_part_info info;
  trm_setting parameter;
  double number;
  typed m = typed_text(strut, "strut", NULL);
  CHECK_OK(trm_model_mechanism(m.model, NULL, &mechanism, &err), err);
  typed_close(&m);
  int count = 0;
  while (trm_part_at(mechanism, count, &part, &info)) count++;
  assert_int_equal(count, 4); /* ball, rod, s, an output */
  assert_true(trm_part_at(mechanism, 2, &part, &info));
  assert_string_equal(info.name, "s");
  assert_string_equal(info.kind, "spring");
  assert_string_equal(trm_get_text(mechanism, part, "stiffness"), "half");
  CHECK_OK(trm_get_number(mechanism, part, "stiffness", &number, &err), err);
  assert_true(number == 150.0);
  CHECK_STATUS(trm_get_number(mechanism, part, "preload", &number, &err), TRM_ERR_INPUT);
  CHECK_STATUS(trm_set_number(mechanism, part, "length", -1.0, &err), TRM_ERR_INPUT);
  CHECK_OK(trm_set_number(mechanism, part, "damping", 3.0, &err), err);
  assert_true(trm_parameter_at(mechanism, 0, &parameter) && !strcmp(parameter.value, "300 N/m"));
  CHECK_OK(trm_set_parameter(mechanism, "k", "500", &err), err);
  CHECK_OK(trm_add_output(mechanism, "load", &(trm_output_def){"s.force"}, NULL, &err), err);
  CHECK_OK(trm_mechanism_build(mechanism, NULL, &system, &err), err);
  trm_mechanism_free(mechanism);
  assert_true(number_of(system, "s.stiffness") == 250.0 && number_of(system, "s.damping") == 3.0);
  trm_system_free(system);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_cannot_be_set_is_told),
    cmocka_unit_test(what_was_refused_leaves_no_trace),
    cmocka_unit_test(a_zero_becomes_a_number_and_back),
    cmocka_unit_test(the_guess_of_a_loop_is_its_own),
    cmocka_unit_test(a_simulation_is_not_disturbed),
    cmocka_unit_test(others_follow_until_they_are_set),
    cmocka_unit_test(a_sweep_takes_no_memory),
    cmocka_unit_test(every_request_for_memory_may_fail),
    cmocka_unit_test(mechanisms_from_c_have_values),
    cmocka_unit_test(models_are_mechanisms_with_the_same_bits),
    cmocka_unit_test(a_model_is_inspected_and_changed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
