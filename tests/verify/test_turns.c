/* test_turns.c - angles over full turns when a step has many of them. */
#include "methods.h"
#include "verify/claims.h"

/* Two wheels of 0.02 and 0.3 kg m^2, geared two to one: 0.095 kg m^2 at the first. */
#define GEARS                                                                                \
  "trammel: 1\n"                                                                             \
  "bodies: {a: {mass: 1, inertia: [.01, .01, .02]}, b: {mass: 1, inertia: [.2, .2, .3]}}\n"  \
  "joints: {pin: {type: revolute, markers: [ground, a]},\n"                                  \
  "         other: {type: revolute, markers: [ground, b]},\n"                                \
  "         mesh: {type: gear, joints: [pin, other], ratio: -2}}\n"

/* The torque 500 t turns the first wheel by 500 t^3/6/0.095: 1117 turns in 2 s. */
#define GROWING                                                                              \
  GEARS "forces: {drive: {type: torque, body: a, torque: [0, 0, 500*time]}}\n"               \
        "outputs: {first: pin.angle - 500*time^3/6/.095,\n"                                  \
        "          second: other.angle + 250*time^3/6/.095}\n"                               \
        "simulate: {end: 2}\n"

/* What a run came to. */
typedef struct result {
  trm_status   status;
  trm_error    err;
  trm_counters counters;
  double       worst;
} result;

/* A run without a largest step, with fixed steps if `step` is positive; outputs are within the
 * limit of zero after each step. */
static result stays_at_zero(const char *text, const char *integrator, double step, double limit) {
  result r = {.status = TRM_OK};
  typed m = typed_text(text, integrator, NULL);
  m.options.integrator = integrator;
  m.options.tolerance = 1e-8;
  if (step > 0.0) m.options.steps[0] = step, m.options.nsteps = 1;
  trm_sim *sim = kit_sim(m.system, &m.options);
  for (bool done = false; !done && r.status == TRM_OK;) {
    r.status = trm_sim_step(sim, &done, &r.err);
    const double off = check_outputs(trm_sim_system(sim), trm_sim_state(sim), integrator, limit);
    r.worst = fmax(r.worst, off);
  }
  r.counters = *trm_sim_counters(sim);
  print_message("%s: off by %.1e rad, %ld steps, %ld and %ld refused\n", integrator, r.worst,
                r.counters.steps, r.counters.rejected_newton, r.counters.rejected_error);
  trm_sim_free(sim);
  typed_close(&m);
  return r;
}

/* All methods are exact here, to rounding of some hundred radians. */
static void a_constant_torque_turns_gears_many_times_in_a_step(void **state) {
  (void)state;

  for (int k = 0; k < all_methods(); k++) {
    const result r = stays_at_zero(
        GEARS "forces: {drive: {type: torque, body: a, torque: [0, 0, 19]}}\n"
              "outputs: {first: pin.angle - 100*time^2, second: other.angle + 50*time^2}\n"
              "simulate: {end: 2}\n", methods[k], 0.0, 1e-9);
    CHECK_OK(r.status, r.err);
    assert_true(r.counters.steps < 60); /* 64 turns: more than one in a step */
    assert_int_equal(r.counters.rejected_newton, 0);
  }
}

/* An event changes the speed: 16 turns in a step of 1 s before, 13 the other way round after it.
 * Positions follow from the rows, to rounding of some hundred radians. */
static void turns_are_counted_after_an_event(void **state) {
  (void)state;
  static const char *const names[] = {"hht", "radau", "explicit", "bdf", "kinematic"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    const result r = stays_at_zero(
        "trammel: 1\n"
        "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
        "joints: {pin: {type: revolute, markers: [ground, a]}}\n"
        "motions: {drive: {joint: pin, velocity: 'if(time < 2.5, 100, -80)'}}\n"
        "outputs: {angle: 'pin.angle - min(100*time, 450 - 80*time)'}\n"
        "simulate: {end: 6}\n", names[k], 1.0, 1e-9);
    CHECK_OK(r.status, r.err);
    assert_int_equal(r.counters.events, 1);
  }
}

/* Steps of radau and explicit could be as long as they like, for their error is zero: those whose
 * turns cannot be counted are made smaller. hht and tdg have small steps by their errors, and none
 * is refused. A turn that is lost would be 2.1 rad or more at one of the wheels. */
static void steps_are_cut_where_turns_cannot_be_counted(void **state) {
  (void)state;
  static const struct { const char *name; bool cuts; double limit; } names[] = {
    {"hht", false, 1e-3},      /* its local errors of 1e-8 rad in 5800 steps push on the speed */
    {"radau", true, 1e-9},     /* rounding of 7000 rad */
    {"explicit", true, 1e-9},
    {"tdg", false, 1e-8},      /* rounding in 3000 steps */
  };
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    const result r = stays_at_zero(GROWING, names[k].name, 0.0, names[k].limit);
    CHECK_OK(r.status, r.err);
    assert_int_equal(r.counters.rejected_newton > 0, names[k].cuts);
    if (names[k].cuts) assert_true(r.counters.steps < 60); /* still some twenty turns in each */
  }
}

/* Fixed steps cannot be cut: the sentence names the joint, once, and nothing wrong was kept. */
static void a_fixed_step_that_loses_turns_ends_the_run(void **state) {
  (void)state;
  static const char *const names[] = {"hht", "radau", "explicit", "tdg"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    const result r = stays_at_zero(GROWING, names[k], 0.5, 1e-9);
    CHECK_STATUS(r.status, TRM_ERR_STEP);
    assert_string_equal(r.err.object, "joint 'pin'");
    assert_non_null(strstr(r.err.message, "turns cannot be counted over a step of 0.5 s"));
    assert_null(strstr(r.err.message, "pin"));
    assert_int_equal(r.counters.steps, 0);
  }
}

enum { SAVED_MAX = 1 << 14, BODIES = 2 };

/* A checkpoint, and positions and velocities at the end of a run. */
typedef struct saved {
  int count, wanted;
  size_t size;
  unsigned char data[SAVED_MAX];
  double q[7 * BODIES], v[6 * BODIES];
} saved;

static trm_status keep(void *self, double t, const void *data, size_t size, trm_error *err) {
  (void)t, (void)err;
  saved *p = self;
  assert_true(size <= SAVED_MAX);
  if (p->count++ != p->wanted) return TRM_OK;
  memcpy(p->data, data, size);
  p->size = size;
  return TRM_OK;
}

/* Run to the end, from a checkpoint if there is one; returns how many steps were refused. */
static long finish(const char *integrator, saved *run, const saved *from) {
  trm_error err;
  typed m = typed_text(GROWING, integrator, NULL);
  m.options.integrator = integrator;
  m.options.tolerance = 1e-8;
  m.options.checkpoint_steps = 1;
  trm_sim *sim = kit_sim(m.system, &m.options);
  CHECK_OK(trm_sim_add_sink(sim, &(trm_sink){.self = run, .checkpoint = keep}, &err), err);
  if (from != NULL) CHECK_OK(trm_sim_load(sim, from->data, from->size, &err), err);
  CHECK_OK(trm_sim_run(sim, &err), err);
  const long refused = trm_sim_counters(sim)->rejected_newton;
  memcpy(run->q, trm_sim_state(sim)->q, sizeof run->q);
  memcpy(run->v, trm_sim_state(sim)->v, sizeof run->v);
  trm_sim_free(sim);
  typed_close(&m);
  return refused;
}

/* From checkpoints between steps that were refused: some of them come after the first. */
static void a_run_with_steps_refused_goes_on_with_the_same_bits(void **state) {
  (void)state;
  static const char *const names[] = {"radau", "explicit"};
  for (size_t k = 0; k < 2; k++) {
    long refused_later = 0;
    for (int after = 5; after <= 25; after += 5) {
      static saved whole, rest;
      whole = (saved){.wanted = after}, rest = (saved){.wanted = -1};
      assert_true(finish(names[k], &whole, NULL) > 0);
      assert_true(whole.size > 0);
      refused_later += finish(names[k], &rest, &whole);
      assert_memory_equal(whole.q, rest.q, sizeof whole.q);
      assert_memory_equal(whole.v, rest.v, sizeof whole.v);
    }
    assert_true(refused_later > 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_constant_torque_turns_gears_many_times_in_a_step),
    cmocka_unit_test(turns_are_counted_after_an_event),
    cmocka_unit_test(steps_are_cut_where_turns_cannot_be_counted),
    cmocka_unit_test(a_fixed_step_that_loses_turns_ends_the_run),
    cmocka_unit_test(a_run_with_steps_refused_goes_on_with_the_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
