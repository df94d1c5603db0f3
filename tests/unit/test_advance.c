/* test_advance.c - a simulation led by its caller: to a time, with inputs that jump, outputs by
 * name, saved at any step. */
#include "unit/kit.h"

static const struct {
  const char *integrator, *formulation;
  double      tolerance;
} methods[] = {{"hht", "si2", 1e-9},      {"alpha", "si2", 1e-9}, {"alpha", "projected", 1e-9},
               {"explicit", NULL, 1e-12}, {"tdg", NULL, 1e-10},   {"radau", NULL, 1e-12},
               {"bdf", NULL, 1e-10}};
enum { METHODS = sizeof methods / sizeof *methods };

static trm_options options_of(int m, double end) {
  trm_options options = trm_options_default();
  options.integrator = methods[m].integrator;
  options.formulation = methods[m].formulation;
  options.tolerance = methods[m].tolerance;
  options.end = end;
  return options;
}

static void advance(trm_sim *sim, double t) {
  trm_error err;
  CHECK_OK(trm_sim_advance(sim, t, &err), err);
  CHECK_NEAR(trm_sim_state(sim)->t, t, 1e-13 * t, "time"); /* rounding of a sum */
}

/* ---- times ------------------------------------------------------------------------------ */

/* The same motion as without targets, to the accuracy of the method. */
static void steps_end_at_the_targets(void **state) {
  (void)state;
  static const double targets[] = {0.1, 0.1 + 1e-6, 0.2, 1.0 / 3.0, 0.4};
  for (int m = 0; m < METHODS; m++) {
    const trm_options options = options_of(m, 0.4);
    trm_system *one = kit_problem("chain", "links", "3"), *two = kit_problem("chain", "links", "3");
    trm_sim *run = kit_sim(one, &options), *led = kit_sim(two, &options);
    kit_run(run);
    for (int i = 0; i < 5; i++) advance(led, targets[i]);
    const trm_state *a = trm_sim_state(run), *b = trm_sim_state(led);
    assert_true(a->t == b->t);
    for (int i = 0; i < trm_system_count(one, TRM_Q); i++) {
      /* both are off by less than this: 1e-9^(2/3) of the second-order methods */
      CHECK_NEAR(b->q[i], a->q[i], 5e-6, "%s, q%d", methods[m].integrator, i);
    }
    /* a target costs a few steps, not the pace of the whole run */
    const long more = trm_sim_counters(led)->steps - trm_sim_counters(run)->steps;
    if (more > 5 * 12) fail_msg("%s: %ld more steps", methods[m].integrator, more);
    trm_sim_free(run);
    trm_sim_free(led);
    trm_system_free(one);
    trm_system_free(two);
  }
}

static void targets_on_the_grid_of_fixed_steps_change_no_bit(void **state) {
  (void)state;
  for (int m = 0; m < METHODS; m++) {
    trm_options options = options_of(m, 0.4);
    options.steps[0] = 0.005, options.steps[1] = 0.0025, options.nsteps = 2;
    trm_system *one = kit_problem("chain", "links", "3"), *two = kit_problem("chain", "links", "3");
    trm_sim *run = kit_sim(one, &options), *led = kit_sim(two, &options);
    kit_run(run);
    advance(led, 0.005);
    advance(led, 20 * 0.0075);
    advance(led, 0.4);
    assert_int_equal(trm_sim_counters(run)->steps, trm_sim_counters(led)->steps);
    assert_memory_equal(trm_sim_state(run)->q, trm_sim_state(led)->q,
                        (size_t)trm_system_count(one, TRM_Q) * sizeof(double));
    trm_sim_free(run);
    trm_sim_free(led);
    trm_system_free(one);
    trm_system_free(two);
  }
}

static void fixed_steps_begin_a_new_grid_at_other_targets(void **state) {
  (void)state;
  trm_error err;
  trm_options options = options_of(0, 1.0);
  options.steps[0] = 0.01, options.nsteps = 1;
  trm_system *system = kit_problem("pendulum", NULL, NULL);
  trm_sim *sim = kit_sim(system, &options);
  bool done;
  advance(sim, 0.0234); /* 0.01, 0.02, 0.0234 */
  assert_int_equal(trm_sim_counters(sim)->steps, 3);
  CHECK_OK(trm_sim_step(sim, &done, &err), err);
  CHECK_NEAR(trm_sim_state(sim)->t, 0.0334, 1e-15, "a whole step after the target");
  CHECK_OK(trm_sim_run(sim, &err), err);
  assert_true(trm_sim_state(sim)->t == 1.0);
  trm_sim_free(sim);
  trm_system_free(system);
}

static void times_that_cannot_be_reached_are_refused(void **state) {
  (void)state;
  trm_error err;
  const trm_options options = options_of(0, 0.2);
  trm_system *system = kit_problem("pendulum", NULL, NULL);
  trm_sim *sim = kit_sim(system, &options);
  advance(sim, 0.1);
  const long steps = trm_sim_counters(sim)->steps;
  CHECK_STATUS(trm_sim_advance(sim, 0.05, &err), TRM_ERR_INPUT);
  assert_non_null(strstr(err.message, "is at 0.1 s and cannot go to 0.05 s"));
  CHECK_STATUS(trm_sim_advance(sim, 0.3, &err), TRM_ERR_INPUT);
  assert_non_null(strstr(err.message, "after the end of the run, 0.2 s"));
  CHECK_STATUS(trm_sim_advance(sim, NAN, &err), TRM_ERR_INPUT);
  CHECK_OK(trm_sim_advance(sim, 0.1, &err), err); /* it is there */
  assert_int_equal(trm_sim_counters(sim)->steps, steps);
  advance(sim, 0.2);
  CHECK_OK(trm_sim_advance(sim, 0.2, &err), err);
  CHECK_OK(trm_sim_run(sim, &err), err); /* nothing is left but to end the sinks */
  trm_sim_free(sim);
  trm_system_free(system);
}

/* ---- inputs and outputs ------------------------------------------------------------------- */

/* x' = u, y = 3 x */
static void sizes(const void *self, trm_sizes *n) {
  (void)self;
  *n = (trm_sizes){.nx = 1, .nu = 1, .noutputs = 2};
}

static trm_status start(void *self, trm_state *s, trm_error *err) {
  (void)self, (void)err;
  s->u[0] = 1.0;
  return TRM_OK;
}

static trm_status values(void *self, const trm_state *s, const trm_values *out, trm_error *err) {
  (void)self, (void)err;
  if (out->d != NULL) out->d[0] = s->xd[0] - s->u[0];
  if (out->outputs != NULL) out->outputs[0] = 3.0 * s->x[0], out->outputs[1] = s->u[0];
  return TRM_OK;
}

static void label(const void *self, trm_quantity list, int i, trm_label *out) {
  (void)self;
  static const char *const outputs[] = {"travel", "valve"};
  if (list == TRM_OUTPUT) snprintf(out->name, sizeof out->name, "%s", outputs[i]);
  if (list == TRM_U) snprintf(out->name, sizeof out->name, "lever");
}

static const trm_system_ops ops = {
    .name = "valve", .sizes = sizes, .start = start, .values = values, .label = label};

static void inputs_jump_at_the_target(void **state) {
  (void)state;
  trm_error err;
  const trm_options options = options_of(5, 3.0);
  trm_system *system = kit_system(&ops, NULL);
  trm_sim *sim = kit_sim(system, &options);
  const int lever = trm_system_find(system, TRM_U, "lever");
  double travel = NAN, both[2];
  advance(sim, 1.0);
  CHECK_OK(trm_sim_set_input(sim, lever, -2.0, 0.0, &err), err);
  advance(sim, 1.5);
  CHECK_OK(trm_sim_output(sim, "travel", &travel, &err), err);
  CHECK_NEAR(travel, 3.0 * (1.0 - 1.0), 1e-12, "rounding"); /* x is linear in between */
  CHECK_OK(trm_sim_set_input(sim, lever, 0.5, 0.0, &err), err);
  advance(sim, 3.0);
  CHECK_OK(trm_sim_outputs(sim, both, &err), err);
  CHECK_NEAR(both[0], 3.0 * 0.75, 1e-12, "rounding");
  assert_true(both[1] == 0.5);
  CHECK_STATUS(trm_sim_output(sim, "travle", &travel, &err), TRM_ERR_INPUT);
  assert_non_null(strstr(err.message, "no output 'travle'; the nearest is 'travel'"));
  assert_int_equal(trm_system_find(system, TRM_OUTPUT, "valve"), 1);
  assert_int_equal(trm_system_find(system, TRM_OUTPUT, "nonesuch"), -1);
  trm_sim_free(sim);
  trm_system_free(system);
}

static void a_system_without_outputs_says_so(void **state) {
  (void)state;
  trm_error err;
  double value;
  const trm_options options = options_of(0, 1.0);
  trm_system *system = kit_problem("unit-pendulum", NULL, NULL);
  trm_sim *sim = kit_sim(system, &options);
  if (trm_system_count(system, TRM_OUTPUT) > 0) fail_msg("choose a problem without outputs");
  CHECK_STATUS(trm_sim_output(sim, "x", &value, &err), TRM_ERR_INPUT);
  assert_non_null(strstr(err.message, "the system has none"));
  trm_sim_free(sim);
  trm_system_free(system);
}

/* ---- saving --------------------------------------------------------------------------------- */

enum { NUMBERS = 64 };

static int finish(trm_sim *sim, const trm_system *system, double numbers[NUMBERS]) {
  kit_run(sim);
  const trm_state *s = trm_sim_state(sim);
  const int nq = trm_system_count(system, TRM_Q), nv = trm_system_count(system, TRM_V);
  assert_true(nq + nv <= NUMBERS);
  memcpy(numbers, s->q, (size_t)nq * sizeof *numbers);
  memcpy(numbers + nq, s->v, (size_t)nv * sizeof *numbers);
  return nq + nv;
}

/* One method on one problem: the run that was saved after some steps and the one that was loaded
 * end with the same bits. */
static void save_after(int m, const char *problem, double end, int steps) {
  trm_error err;
  bool done = false;
  double a[NUMBERS], b[NUMBERS];
  trm_options options = options_of(m, end);
  options.tolerance *= 1e3; /* so that matrices are used again */
  trm_system *one = kit_problem(problem, NULL, NULL), *two = kit_problem(problem, NULL, NULL);
  trm_sim *sim = kit_sim(one, &options), *other = kit_sim(two, &options);
  for (int i = 0; i < steps; i++) CHECK_OK(trm_sim_step(sim, &done, &err), err);
  assert_false(done);
  trm_sim_prepare_save(sim);
  const size_t size = trm_sim_save_size(sim);
  void *data = malloc(size);
  assert_non_null(data);
  trm_sim_save(sim, data);
  CHECK_OK(trm_sim_load(other, data, size, &err), err);
  const int count = finish(sim, one, a);
  assert_int_equal(finish(other, two, b), count);
  for (int i = 0; i < count; i++) {
    if (a[i] == b[i]) continue;
    fail_msg("%s, %s after %d steps: number %d is %.17g, loaded %.17g", problem,
             methods[m].integrator, steps, i, a[i], b[i]);
  }
  free(data);
  trm_sim_free(sim);
  trm_sim_free(other);
  trm_system_free(one);
  trm_system_free(two);
}

static void any_accepted_step_can_be_saved(void **state) {
  (void)state;
  for (int m = 0; m < METHODS; m++) {
    for (int steps = 1; steps <= 10; steps += 3) {
      save_after(m, "slider-crank", 2e-2, steps);
      save_after(m, "servo", 2.0, steps);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(steps_end_at_the_targets),
    cmocka_unit_test(targets_on_the_grid_of_fixed_steps_change_no_bit),
    cmocka_unit_test(fixed_steps_begin_a_new_grid_at_other_targets),
    cmocka_unit_test(times_that_cannot_be_reached_are_refused),
    cmocka_unit_test(inputs_jump_at_the_target),
    cmocka_unit_test(a_system_without_outputs_says_so),
    cmocka_unit_test(any_accepted_step_can_be_saved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
