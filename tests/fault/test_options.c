/* Options that make no sense and calls in the wrong order are refused, each with a
 * sentence about it; and nothing is ever printed. */
#define _POSIX_C_SOURCE 200809L /* fileno, dup, dup2 */
#include "fault/bob.h"
#include <unistd.h>

static trm_options plain_options(void) {
  trm_options options = trm_options_default();
  options.end = 1.0;
  return options;
}

/* Creates a simulation of a pendulum that must be refused. */
static void check_refused(const trm_options *options, const char *says, const char *what) {
  trm_error err = {.status = TRM_OK};
  trm_sim *sim = NULL;
  bob self = bob_on(1);
  trm_system *sys = kit_system(&bob_ops, &self);
  const trm_status status = trm_sim_create(sys, options, &sim, &err);
  trm_sim_free(sim);
  trm_system_free(sys);
  if (status != TRM_ERR_INPUT) fail_msg("%s: %s", what, trm_status_name(status));
  assert_null(sim);
  assert_int_equal(err.status, TRM_ERR_INPUT);
  check_says(err.message, says, what);
}

static void texts_that_name_nothing_are_refused(void **unused) {
  (void)unused;
  trm_options options = plain_options();
  options.tag = 0;
  check_refused(&options, "trm_options_default", "tag");
  options = plain_options();
  options.integrator = "euler";
  check_refused(&options, "hht, alpha, explicit, tdg, radau, bdf, smooth, kinematic or auto",
                "integrator");
  options = plain_options();
  options.formulation = "dop853";
  check_refused(&options, "'hht' has no formulation 'dop853': it has si2, index3, paper, "
                "index2, cs, cs-qr, cm, projected, projected-final", "hht");
  options.integrator = "explicit";
  options.formulation = "si2";
  check_refused(&options, "dop853, dopri5", "explicit");
  options = plain_options();
  options.solver = "pardiso";
  check_refused(&options, "'pardiso'", "solver");
}

static void times_that_do_not_fit_are_refused(void **unused) {
  (void)unused;
  const double ends[] = {0.0, -1.0, NAN, INFINITY};
  for (int i = 0; i < 4; i++) {
    trm_options options = plain_options();
    options.end = ends[i];
    check_refused(&options, "not after the start", "end");
  }
  trm_options options = plain_options();
  options.start = 2.0;
  check_refused(&options, "the end 1 s is not after the start 2 s", "start");
  options.start = INFINITY;
  check_refused(&options, "start", "start at infinity");
}

static void tolerances_and_steps_out_of_range_are_refused(void **unused) {
  (void)unused;
  const double tolerances[] = {-1e-5, 1e-16, 2.0, NAN, INFINITY};
  for (int i = 0; i < 5; i++) {
    trm_options options = plain_options();
    options.tolerance = tolerances[i];
    check_refused(&options, "tolerance", "tolerance");
  }
  const double steps[] = {0.0, -0.1, NAN, INFINITY};
  for (int i = 0; i < 4; i++) {
    trm_options options = plain_options();
    options.nsteps = 2;
    options.steps[0] = 0.1;
    options.steps[1] = steps[i];
    check_refused(&options, "fixed step", "fixed step");
  }
  const int counts[] = {-1, TRM_STEPS_MAX + 1};
  for (int i = 0; i < 2; i++) {
    trm_options options = plain_options();
    options.nsteps = counts[i];
    check_refused(&options, "fixed steps", "number of steps");
  }
}

/* One number of the options, and what is wrong with it. */
static void numbers_out_of_range_are_refused(void **unused) {
  (void)unused;
  trm_options o = plain_options();
  double *const numbers[] = {&o.step_max, &o.step_min, &o.step_first, &o.newton_tolerance,
                             &o.constraint_tolerance, &o.output_step};
  const char *const names[] = {"step_max", "step_min", "step_first", "newton_tolerance",
                               "constraint_tolerance", "output_step"};
  const double bad[] = {-1e-3, NAN};
  for (int i = 0; i < 6; i++) {
    for (int k = 0; k < 2; k++) {
      o = plain_options();
      *numbers[i] = bad[k];
      check_refused(&o, "negative", names[i]);
    }
  }
  o = plain_options();
  o.step_first = INFINITY;
  check_refused(&o, "step", "first step at infinity");
  o = plain_options();
  o.step_max = 1e-3, o.step_min = 1e-2;
  check_refused(&o, "the largest step 0.001 is below the smallest 0.01", "limits");
  o = plain_options();
  o.max_iterations = -1;
  check_refused(&o, "max_iterations", "iterations");
  o = plain_options();
  o.checkpoint_steps = -5;
  check_refused(&o, "checkpoint_steps", "checkpoints");
}

static void outputs_that_contradict_each_other_are_refused(void **unused) {
  (void)unused;
  const double up[] = {0.1, 0.2, 0.3}, down[] = {0.1, 0.3, 0.2}, odd[] = {0.1, NAN, 0.3};
  const double early[] = {-0.5, 0.5}, lost[] = {NAN};
  trm_options o = plain_options();
  o.outputs = 10, o.output_step = 0.1;
  check_refused(&o, "outputs", "two ways");
  o = plain_options();
  o.outputs = 10, o.output_times = up, o.noutput_times = 3;
  check_refused(&o, "outputs", "two other ways");
  o = plain_options();
  o.outputs = -1;
  check_refused(&o, "negative", "number");
  o = plain_options();
  o.output_times = down, o.noutput_times = 3;
  check_refused(&o, "in order at number 2", "descending");
  o.output_times = odd;
  check_refused(&o, "in order at number 1", "not a number");
  o.output_times = lost, o.noutput_times = 1;
  check_refused(&o, "output time", "not a number, alone");
  o.output_times = early, o.noutput_times = 2;
  check_refused(&o, "output time", "before the start");
}

static void coefficients_of_no_method_are_refused(void **unused) {
  (void)unused;
  const double alphas[] = {-0.4, 0.1, NAN}, rhos[] = {-0.1, 1.1, NAN};
  for (int i = 0; i < 3; i++) {
    trm_options o = plain_options();
    o.has_alpha = true, o.alpha = alphas[i];
    check_refused(&o, "-1/3 .. 0", "alpha");
    o = plain_options();
    o.integrator = "alpha", o.has_rho = true, o.rho = rhos[i];
    check_refused(&o, "0 .. 1", "rho");
  }
  const double four[][4] = {{1.0, 0.3, 0.3, 0.6}, {0.0, 1.0, 0.3, 0.6}, {0.0, 0.3, 0.0, 0.6},
                            {0.0, 0.3, 0.3, 0.0}, {NAN, 0.3, 0.3, 0.6}, {0.0, 0.3, NAN, 0.6}};
  for (int i = 0; i < 6; i++) {
    trm_options o = plain_options();
    o.has_coefficients = true;
    o.alpha_m = four[i][0], o.alpha_f = four[i][1], o.beta = four[i][2], o.gamma = four[i][3];
    check_refused(&o, "is not a method", "coefficients");
  }
  trm_options o = plain_options();
  o.has_rho = true, o.rho = 0.5;
  o.integrator = "hht";
  check_refused(&o, "rho is for alpha", "rho of hht");
  o = plain_options();
  o.integrator = "explicit", o.has_alpha = true;
  check_refused(&o, "alpha is for hht", "alpha of explicit");
}

/* Nothing is taken that would change nothing. */
static void options_without_effect_are_refused(void **unused) {
  (void)unused;
  trm_options o = plain_options();
  o.integrator = "tdg", o.formulation = "newton", o.passes = 3;
  check_refused(&o, "3 passes with formulation 'newton'", "passes of newton");
  o.formulation = NULL, o.passes = 1;
  check_refused(&o, "1 passes: at least two", "one pass");
  const int orders[] = {-5, 1, 4, 6, 7, 12, 14, 99};
  for (int i = 0; i < 8; i++) {
    o = plain_options();
    o.integrator = "radau", o.max_order = orders[i];
    check_refused(&o, "radau has 5, 9 and 13", "order");
  }
  o = plain_options();
  o.integrator = "tdg", o.step_control = "energy", o.steps[0] = 0.1, o.nsteps = 1;
  check_refused(&o, "step control by energy with a fixed step", "energy and a step");
  o.nsteps = 0, o.energy_from = 0.5, o.energy_to = 0.25;
  check_refused(&o, "from 0.5 to 0.25 s: the first must be the earlier one", "window");
  o.energy_to = 0.5;
  check_refused(&o, "from 0.5 to 0.5 s", "empty window");
}

static void options_of_energy_are_for_control_by_energy(void **unused) {
  (void)unused;
  trm_options o = plain_options();
  double *const numbers[] = {&o.energy_datum, &o.energy_accept, &o.energy_reduce,
                             &o.energy_grow, &o.energy_from, &o.energy_to};
  const char *const names[] = {"energy_datum without", "energy_accept without",
                               "energy_reduce without", "energy_grow without",
                               "energy_from without", "energy_to without"};
  const char *const controls[] = {NULL, "local"};
  for (int i = 0; i < 2 * 6; i++) {
    o = plain_options();
    o.integrator = "tdg", o.step_control = controls[i / 6], *numbers[i % 6] = 0.5;
    check_refused(&o, names[i % 6], names[i % 6]);
  }
  o = plain_options();
  o.energy_wait = 2;
  check_refused(&o, "energy_wait without", "wait");
  o = plain_options();
  o.energy_repetitions = 2;
  check_refused(&o, "energy_repetitions without", "repetitions");
}

/* What the checks above must let pass. */
static void options_with_effect_are_taken(void **unused) {
  (void)unused;
  trm_options given[6];
  for (int i = 0; i < 6; i++) given[i] = plain_options();
  for (int i = 0; i < 3; i++) {
    given[i].integrator = "radau", given[i].max_order = 5 + 4 * i;
    given[3 + i].integrator = "tdg";
  }
  given[3].step_control = "energy", given[3].energy_from = 0.5; /* to the end */
  given[4].step_control = "energy", given[4].energy_to = 0.5, given[4].energy_wait = 2;
  given[5].formulation = "paper", given[5].passes = 2;
  for (int i = 0; i < 6; i++) {
    bob self = bob_on(1);
    trm_system *sys = kit_system(&bob_ops, &self);
    trm_sim_free(kit_sim(sys, &given[i]));
    trm_system_free(sys);
  }
}

/* Where none is named: options that were those of hht and alpha before there was `auto` mean them
 * still, others do not say which method they are for. */
static void options_may_mean_a_method(void **unused) {
  (void)unused;
  trm_options o[7];
  static const char *const means[] = {"auto", "hht", "hht", "hht", "hht", "alpha", "radau"};
  for (int i = 0; i < 7; i++) o[i] = plain_options();
  o[1].steps[0] = 0.1, o[1].nsteps = 1;
  o[2].formulation = "index3";
  o[3].has_alpha = true, o[3].alpha = -0.1;
  o[4].has_coefficients = true, o[4].alpha_f = 0.3, o[4].beta = 0.4225, o[4].gamma = 0.8;
  o[5].has_rho = true, o[5].rho = 0.5;
  o[6].integrator = "radau", o[6].steps[0] = 0.1, o[6].nsteps = 1;
  for (int i = 0; i < 7; i++) {
    bob self = bob_on(1);
    trm_system *sys = kit_system(&bob_ops, &self);
    trm_sim *sim = kit_sim(sys, &o[i]);
    assert_string_equal(trm_options_integrator(&o[i]), means[i]);
    assert_int_equal(trm_sim_turn_count(sim), i == 0 ? 1 : 0);
    if (i > 0) assert_string_equal(trm_sim_integrator(sim), means[i]);
    trm_sim_free(sim);
    trm_system_free(sys);
  }
  o[0].max_order = 5;
  check_refused(&o[0], "is for radau and bdf, the integrator is 'auto': name the integrator", "5");
}

/* The head of trm_options: zero or NULL means the default. */
static void zero_means_the_default(void **unused) {
  (void)unused;
  double end[2][2];
  const trm_options given[2] = {
      plain_options(), {.tag = trm_options_default().tag, .start = NAN, .end = 1.0}};
  for (int k = 0; k < 2; k++) {
    bob self = bob_on(1);
    trm_system *sys = kit_system(&bob_ops, &self);
    trm_sim *sim = kit_sim(sys, &given[k]);
    assert_int_equal(trm_sim_turn_count(sim), 1); /* it is `auto` */
    assert_string_equal(trm_sim_integrator(sim), "explicit");
    assert_string_equal(trm_sim_formulation(sim), "dop853");
    kit_run(sim);
    memcpy(end[k], trm_sim_state(sim)->q, sizeof end[k]);
    trm_sim_free(sim);
    trm_system_free(sys);
  }
  assert_memory_equal(end[0], end[1], sizeof end[0]);
}

/* --- order of calls -------------------------------------------------------------------- */

/* A simulation of a pendulum with five fixed steps. */
typedef struct setup {
  bob         self;
  trm_system *sys;
  trm_sim    *sim;
} setup;

static void setup_open(setup *u) {
  trm_options options = plain_options();
  options.end = 0.5;
  options.steps[0] = 0.1;
  options.nsteps = 1;
  u->self = bob_on(1);
  u->sys = kit_system(&bob_ops, &u->self);
  u->sim = kit_sim(u->sys, &options);
}

static void setup_close(setup *u) {
  trm_sim_free(u->sim);
  trm_system_free(u->sys);
}

static void sinks_come_before_the_run(void **unused) {
  (void)unused;
  setup u;
  trm_error err;
  bool done = false;
  setup_open(&u);
  for (int i = 0; i < 8; i++) CHECK_OK(trm_sim_add_sink(u.sim, &(trm_sink){0}, &err), err);
  CHECK_STATUS(trm_sim_add_sink(u.sim, &(trm_sink){0}, &err), TRM_ERR_INPUT);
  check_says(err.message, "more than 8", "ninth sink");
  CHECK_OK(trm_sim_step(u.sim, &done, &err), err);
  CHECK_STATUS(trm_sim_add_sink(u.sim, &(trm_sink){0}, &err), TRM_ERR_ORDER);
  check_says(err.message, "before the run", "late sink");
  setup_close(&u);
}

static void nothing_moves_after_the_end(void **unused) {
  (void)unused;
  for (int by_steps = 0; by_steps < 2; by_steps++) {
    setup u;
    trm_error err;
    bool done = false;
    setup_open(&u);
    if (by_steps == 0) kit_run(u.sim);
    for (int i = 0; by_steps == 1 && i < 5; i++) {
      assert_false(done);
      CHECK_OK(trm_sim_step(u.sim, &done, &err), err);
    }
    if (by_steps == 1) assert_true(done);
    const double x = trm_sim_state(u.sim)->q[0];
    CHECK_STATUS(trm_sim_step(u.sim, &done, &err), TRM_ERR_ORDER);
    check_says(err.message, "ended", "step after the end");
    assert_true(trm_sim_state(u.sim)->t == 0.5 && trm_sim_state(u.sim)->q[0] == x);
    setup_close(&u);
  }
}

/* Steps to the end by hand leave nothing to trm_sim_run but to tell the sinks. */
static void a_run_after_the_last_step_tells_the_sinks(void **unused) {
  (void)unused;
  setup u;
  trm_error err;
  kit_record record;
  bool done = false;
  setup_open(&u);
  kit_listen(u.sim, &record);
  for (int i = 0; i < 5; i++) CHECK_OK(trm_sim_step(u.sim, &done, &err), err);
  assert_int_equal(record.nends, 0);
  CHECK_OK(trm_sim_run(u.sim, &err), err);
  assert_int_equal(record.nends, 1);
  assert_true(trm_sim_state(u.sim)->t == 0.5);
  setup_close(&u);
}

static void a_run_may_follow_single_steps(void **unused) {
  (void)unused;
  setup u, v;
  trm_error err;
  kit_record record;
  bool done = false;
  setup_open(&u);
  setup_open(&v);
  kit_listen(u.sim, &record);
  for (int i = 0; i < 3; i++) CHECK_OK(trm_sim_step(u.sim, &done, &err), err);
  assert_int_equal(record.nends, 0);
  kit_run(u.sim);
  kit_run(v.sim);
  assert_int_equal(record.nends, 1);
  assert_int_equal(record.accepted, 5);
  assert_memory_equal(trm_sim_state(u.sim)->q, trm_sim_state(v.sim)->q, 2 * sizeof(double));
  setup_close(&u);
  setup_close(&v);
}

static void interpolation_stays_inside_the_last_step(void **unused) {
  (void)unused;
  setup u;
  trm_error err;
  const trm_state *s = NULL;
  bool done = false;
  setup_open(&u);
  CHECK_OK(trm_sim_interpolate(u.sim, 0.0, &s, &err), err); /* where it stands */
  CHECK_STATUS(trm_sim_interpolate(u.sim, 0.05, &s, &err), TRM_ERR_ORDER);
  for (int i = 0; i < 2; i++) CHECK_OK(trm_sim_step(u.sim, &done, &err), err);
  CHECK_OK(trm_sim_interpolate(u.sim, 0.15, &s, &err), err);
  assert_true(s->t == 0.15);
  CHECK_OK(trm_sim_interpolate(u.sim, 0.2, &s, &err), err);
  CHECK_OK(trm_sim_interpolate(u.sim, 0.1, &s, &err), err); /* its start, too */
  const double outside[] = {0.21, 0.05, 0.0, -1.0, NAN};
  for (int i = 0; i < 5; i++) {
    CHECK_STATUS(trm_sim_interpolate(u.sim, outside[i], &s, &err), TRM_ERR_ORDER);
    check_says(err.message, "last step", "outside");
  }
  setup_close(&u);
}

static void there_is_no_last_step_after_loading(void **unused) {
  (void)unused;
  setup u, v;
  trm_error err;
  const trm_state *s = NULL;
  bool done = false;
  setup_open(&u);
  setup_open(&v);
  for (int i = 0; i < 2; i++) CHECK_OK(trm_sim_step(u.sim, &done, &err), err);
  const size_t size = trm_sim_save_size(u.sim);
  void *data = malloc(size);
  assert_non_null(data);
  trm_sim_save(u.sim, data);
  CHECK_OK(trm_sim_load(v.sim, data, size, &err), err);
  free(data);
  assert_true(trm_sim_state(v.sim)->t == trm_sim_state(u.sim)->t);
  CHECK_STATUS(trm_sim_interpolate(v.sim, 0.15, &s, &err), TRM_ERR_ORDER);
  setup_close(&u);
  setup_close(&v);
}

static void freeing_nothing_is_allowed(void **unused) {
  (void)unused;
  trm_sim_free(NULL);
  trm_system_free(NULL);
}

/* --- printing ---------------------------------------------------------------------------- */

/* Failures of all kinds, without a check in between. */
static void fail_in_every_way(void) {
  const bob_trouble troubles[] = {BOB_NAN_FORCE, BOB_NAN_MASS, BOB_DOMAIN, BOB_ERROR, BOB_JUMP,
                                  BOB_CLIFF};
  const char *const integrators[] = {"hht", "explicit", "none"};
  for (int k = 0; k < 6 * 3; k++) {
    trm_error err;
    trm_sim *sim = NULL;
    trm_system *sys = NULL;
    bob self = bob_on(k % 3);
    self.trouble = troubles[k / 3];
    trm_options options = plain_options();
    options.integrator = integrators[k % 3];
    options.step_min = 1e-6;
    trm_system_def def = trm_system_def_default();
    def.ops = &bob_ops;
    def.self = &self;
    trm_status status = trm_system_create(&def, &sys, &err);
    if (status == TRM_OK) status = trm_sim_create(sys, &options, &sim, &err);
    if (status == TRM_OK) (void)!trm_sim_run(sim, &err);
    trm_sim_free(sim);
    trm_system_free(sys);
  }
}

static void no_failure_prints(void **unused) {
  (void)unused;
  FILE *file = tmpfile();
  assert_non_null(file);
  fflush(NULL);
  const int out = dup(STDOUT_FILENO), error = dup(STDERR_FILENO);
  assert_true(out >= 0 && error >= 0);
  assert_true(dup2(fileno(file), STDOUT_FILENO) >= 0 && dup2(fileno(file), STDERR_FILENO) >= 0);
  fail_in_every_way();
  fflush(NULL);
  (void)!dup2(out, STDOUT_FILENO);
  (void)!dup2(error, STDERR_FILENO);
  close(out);
  close(error);
  fseek(file, 0, SEEK_END);
  assert_int_equal(ftell(file), 0);
  fclose(file);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(texts_that_name_nothing_are_refused),
      cmocka_unit_test(times_that_do_not_fit_are_refused),
      cmocka_unit_test(tolerances_and_steps_out_of_range_are_refused),
      cmocka_unit_test(numbers_out_of_range_are_refused),
      cmocka_unit_test(outputs_that_contradict_each_other_are_refused),
      cmocka_unit_test(coefficients_of_no_method_are_refused),
      cmocka_unit_test(options_without_effect_are_refused),
      cmocka_unit_test(options_of_energy_are_for_control_by_energy),
      cmocka_unit_test(options_with_effect_are_taken),
      cmocka_unit_test(options_may_mean_a_method),
      cmocka_unit_test(zero_means_the_default),
      cmocka_unit_test(sinks_come_before_the_run),
      cmocka_unit_test(nothing_moves_after_the_end),
      cmocka_unit_test(a_run_after_the_last_step_tells_the_sinks),
      cmocka_unit_test(a_run_may_follow_single_steps),
      cmocka_unit_test(interpolation_stays_inside_the_last_step),
      cmocka_unit_test(there_is_no_last_step_after_loading),
      cmocka_unit_test(freeing_nothing_is_allowed),
      cmocka_unit_test(no_failure_prints),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
