/* Every way a run can fail: the right status, the right names, time and step. */
#include "fault/bob.h"

static const struct {
  const char *integrator;
  double      step;
  const char *name;
} methods[] = {{"hht", 0.0, "hht"},        {"hht", 0.01, "hht, fixed"},
               {"alpha", 0.0, "alpha"},    {"explicit", 0.0, "explicit"},
               {"explicit", 0.01, "explicit, fixed"}, {"tdg", 0.0, "tdg"},
               {"radau", 0.0, "radau"},       {"radau", 0.01, "radau, fixed"}};
enum { METHODS = sizeof methods / sizeof *methods };

static trm_options options_of(int m) {
  trm_options options = trm_options_default();
  options.integrator = methods[m].integrator;
  options.end = 1.0;
  options.steps[0] = methods[m].step;
  options.nsteps = methods[m].step > 0.0 ? 1 : 0;
  return options;
}

/* Creates and runs; the first failure counts. */
static trm_status run(bob *self, const trm_options *options, kit_record *record, trm_error *err) {
  trm_sim *sim = NULL;
  trm_system *sys = kit_system(&bob_ops, self);
  trm_status status = trm_sim_create(sys, options, &sim, err);
  if (status != TRM_OK) assert_null(sim);
  if (status == TRM_OK && record != NULL) kit_listen(sim, record);
  if (status == TRM_OK) status = trm_sim_run(sim, err);
  if (status != TRM_OK) assert_int_equal(err->status, status);
  trm_sim_free(sim);
  trm_system_free(sys);
  return status;
}

/* The trouble begins at 0.1 s: the run stops there and says so. */
static void check_stops_there(const trm_error *err, int m) {
  CHECK_BETWEEN(err->t, 0.0, 0.1, "%s: time of the last good state", methods[m].name);
  CHECK_BETWEEN(err->t + err->h, 0.1 - 1e-12, 0.6, "%s: the step that failed", methods[m].name);
  if (methods[m].step > 0.0) CHECK_NEAR(err->h, methods[m].step, 1e-15, "rounding: fixed step");
  assert_true(err->depth > 0);
}

static void values_that_are_not_finite_are_called_so(void **unused) {
  (void)unused;
  const bob_trouble troubles[] = {BOB_NAN_FORCE, BOB_NAN_CONSTRAINT, BOB_NAN_MASS};
  for (int k = 0; k < 3; k++) {
    for (int m = 0; m < METHODS; m++) {
      trm_error err;
      bob self = bob_on(1);
      self.trouble = troubles[k];
      const trm_options options = options_of(m);
      const trm_status status = run(&self, &options, NULL, &err);
      check_says(err.message, "not finite", methods[m].name);
      if (status != TRM_ERR_STEP && status != TRM_ERR_NOT_FINITE) {
        fail_msg("%s: %s", methods[m].name, trm_status_name(status));
      }
      check_stops_there(&err, m);
    }
  }
}

static void leaving_the_domain_ends_with_the_words_of_the_system(void **unused) {
  (void)unused;
  for (int m = 0; m < METHODS; m++) {
    trm_error err;
    bob self = bob_on(1);
    self.trouble = BOB_DOMAIN;
    const trm_options options = options_of(m);
    CHECK_STATUS(run(&self, &options, NULL, &err), TRM_ERR_STEP);
    check_says(err.message, "left the table", methods[m].name);
    assert_string_equal(err.object, "body 'bob'");
    check_stops_there(&err, m);
  }
}

static void an_error_of_the_system_ends_the_run_at_once(void **unused) {
  (void)unused;
  for (int m = 0; m < METHODS; m++) {
    trm_error err;
    kit_record record;
    bob self = bob_on(1);
    self.trouble = BOB_ERROR;
    const trm_options options = options_of(m);
    CHECK_STATUS(run(&self, &options, &record, &err), TRM_ERR_IO);
    assert_string_equal(err.message, "page is missing");
    assert_string_equal(err.object, "table 'wind'");
    assert_int_equal(record.nends, 1);
    check_stops_there(&err, m);
  }
}

/* The motion keeps inside, only trial states of long steps do not. */
static trm_status narrow_values(void *self, const trm_state *s, const trm_values *out,
                                trm_error *err) {
  const double length = hypot(s->q[0], s->q[1]);
  if (length > 1.02) return trm_fail(err, TRM_RETRY_DOMAIN, "body 'bob'", "the rod is torn");
  return bob_values(self, s, out, err);
}

static void a_smaller_step_leads_back_into_the_domain(void **unused) {
  (void)unused;
  for (int m = 0; m < METHODS; m++) {
    trm_system_ops ops = bob_ops;
    ops.values = narrow_values;
    bob self = bob_on(1);
    trm_options options = options_of(m);
    if (options.nsteps > 0) continue;
    options.step_first = 0.5;
    self.vx = -2.0;
    trm_system *sys = kit_system(&ops, &self);
    trm_sim *sim = kit_sim(sys, &options);
    kit_run(sim);
    assert_true(trm_sim_state(sim)->t == 1.0);
    const trm_counters *count = trm_sim_counters(sim);
    assert_true(count->rejected_newton > 0 || strcmp(options.integrator, "explicit") == 0);
    trm_sim_free(sim);
    trm_system_free(sys);
  }
}

static void a_coordinate_without_mass_is_named(void **unused) {
  (void)unused;
  const char *const solvers[] = {"auto", "block", "klu", "dense"};
  for (int k = 0; k < 8; k++) {
    trm_error err;
    bob self = bob_on(0);
    *(k % 2 == 0 ? &self.mass_x : &self.mass_y) = 0.0;
    trm_options options = options_of(0);
    options.solver = solvers[k / 2];
    CHECK_STATUS(run(&self, &options, NULL, &err), TRM_ERR_SINGULAR);
    assert_string_equal(err.object, "body 'bob'");
    check_says(err.message, k % 2 == 0 ? "bob.vx" : "bob.vy", solvers[k / 2]);
    check_says(err.message, "it has no mass: give it one", solvers[k / 2]);
    assert_true(err.t == 0.0);
  }
}

/* Tied by a constraint it is determined: nothing is wrong. A rod through y = -0.8 at the
 * start keeps both, so that x without mass follows y. */
static void a_coordinate_without_mass_may_hang_on_a_constraint(void **unused) {
  (void)unused;
  for (int m = 0; m < METHODS; m++) {
    trm_error err;
    bob self = bob_on(1);
    self.mass_x = 0.0;
    self.x = 0.8, self.y = 0.6;
    trm_options options = options_of(m);
    options.end = 0.2;
    CHECK_OK(run(&self, &options, NULL, &err), err);
  }
}

static void a_fixed_step_too_large_for_newton_is_named(void **unused) {
  (void)unused;
  trm_error err;
  bob self = bob_on(0);
  self.trouble = BOB_CLIFF;
  self.since = -1.0;
  self.y = 0.3;
  trm_options options = options_of(1);
  options.steps[0] = 0.05;
  CHECK_STATUS(run(&self, &options, NULL, &err), TRM_ERR_STEP);
  check_says(err.message, "fixed step", "cliff");
  check_says(err.message, "Newton", "cliff");
  check_says(err.message, "bob.vy", "cliff");
  assert_string_equal(err.object, "body 'bob'");
  CHECK_NEAR(err.h, 0.05, 1e-15, "rounding: the step");
  CHECK_BETWEEN(err.t, 0.0, 0.95, "before the end");
}

/* The other side of the test before: ten steps in a swing of 2 s are long, not too long. */
static void ten_fixed_steps_in_a_swing_are_no_failure(void **unused) {
  (void)unused;
  const char *const forms[] = {"si2", "index3"};
  for (int k = 0; k < 2; k++) {
    trm_error err;
    bob self = bob_on(1);
    trm_options options = options_of(1);
    options.formulation = forms[k];
    options.steps[0] = 0.2;
    options.end = 10.0;
    CHECK_OK(run(&self, &options, NULL, &err), err);
  }
}

static void the_smallest_step_names_what_limits_it(void **unused) {
  (void)unused;
  for (int m = 0; m < METHODS; m++) {
    trm_error err;
    kit_record record;
    bob self = bob_on(1);
    self.trouble = BOB_JUMP; /* in y alone */
    trm_options options = options_of(m);
    if (options.nsteps > 0) continue;
    self.nrods = 0;
    /* of tdg and radau the tolerance is that of a better result than the estimate knows of */
    const bool is_stages = methods[m].integrator[0] == 't' || methods[m].integrator[0] == 'r';
    options.tolerance = is_stages ? 1e-15 : 1e-9;
    options.step_min = is_stages ? 1e-3 : 1e-5;
    CHECK_STATUS(run(&self, &options, &record, &err), TRM_ERR_STEP);
    check_says(err.message, "local error of 'bob.vy'", methods[m].name);
    check_says(err.message, is_stages ? "0.001" : "1e-05", methods[m].name);
    assert_string_equal(err.object, "body 'bob'");
    CHECK_NEAR(err.h, options.step_min, 1e-12, "the step that failed");
    CHECK_BETWEEN(err.t, 0.09, is_stages ? 0.3 : 0.11, "%s: where it begins", methods[m].name);
    assert_true(record.rejected > 0 && record.last.limit == TRM_LIMIT_ERROR);
    assert_true(record.last.list == TRM_V && record.last.index == 1);
  }
}

static void too_many_attempts_end_the_run(void **unused) {
  (void)unused;
  for (int m = 0; m < METHODS; m++) {
    trm_error err;
    bob self = bob_on(1);
    trm_options options = options_of(m);
    options.tolerance = 1e-9;
    options.max_steps = 7;
    CHECK_STATUS(run(&self, &options, NULL, &err), TRM_ERR_STEP);
    check_says(err.message, "7 attempted steps", methods[m].name);
    assert_true(err.t > 0.0 && err.h > 0.0);
  }
}

static void start_values_that_are_not_finite_are_named(void **unused) {
  (void)unused;
  const double bad[] = {NAN, INFINITY, -INFINITY};
  for (int k = 0; k < 3; k++) {
    trm_error err;
    const trm_options options = options_of(0);
    bob x = bob_on(1), vx = bob_on(1), plain = bob_on(1);
    x.x = bad[k];
    CHECK_STATUS(run(&x, &options, NULL, &err), TRM_ERR_NOT_FINITE);
    check_says(err.message, "'bob.x'", "x");
    assert_string_equal(err.object, "body 'bob'");
    vx.vx = bad[k];
    CHECK_STATUS(run(&vx, &options, NULL, &err), TRM_ERR_NOT_FINITE);
    check_says(err.message, "'bob.vx'", "vx");
    plain.y = bad[k];
    plain.has_no_names = true;
    CHECK_STATUS(run(&plain, &options, NULL, &err), TRM_ERR_NOT_FINITE);
    check_says(err.object, "q1", "without names");
  }
}

static void contradicting_constraints_are_named(void **unused) {
  (void)unused;
  for (int k = 0; k < 2; k++) {
    trm_error err;
    bob self = bob_on(2);
    self.length[k] = 1.2;
    const trm_options options = options_of(0);
    CHECK_STATUS(run(&self, &options, NULL, &err), TRM_ERR_ASSEMBLY);
    check_says(err.object, "joint 'rod ", "contradiction");
    check_says(err.message, "tension ", "contradiction");
    check_says(err.message, "contradicting", "contradiction");
    assert_true(err.t == 0.0);
  }
}

/* --- redundant constraints: two rods where one is enough ----------------------------- */

typedef struct swing {
  double q[2], v[2], lam[2];
  kit_record record;
} swing;

static void run_swing(int nrods, const trm_options *options, swing *end) {
  bob self = bob_on(nrods);
  trm_system *sys = kit_system(&bob_ops, &self);
  trm_sim *sim = kit_sim(sys, options);
  kit_listen(sim, &end->record);
  kit_run(sim);
  const trm_state *s = trm_sim_state(sim);
  memcpy(end->q, s->q, sizeof end->q);
  memcpy(end->v, s->v, sizeof end->v);
  end->lam[0] = s->lam[0];
  end->lam[1] = nrods > 1 ? s->lam[1] : 0.0;
  if (nrods > 1) assert_int_equal(trm_sim_rank(sim)->freedoms, 1);
  trm_sim_free(sim);
  trm_system_free(sys);
}

/* Stages of explicit are put onto joints that are redundant (theory 6.3), so that two rods give
 * another solution than one rod: it has to be as good. Others do the same with both. */
static double room_for(int m, double one, double exact) {
  const bool is_explicit = strcmp(methods[m].integrator, "explicit") == 0;
  return is_explicit ? fmax(1e-9, 2 * fabs(one - exact)) : 1e-9;
}

static void redundant_rods_move_like_one_and_share_its_load(void **unused) {
  (void)unused;
  const char *const solvers[] = {"auto", "block", "klu", "dense"};
  swing exact;
  trm_options finest = options_of(0);
  finest.integrator = "radau";
  finest.tolerance = 1e-12;
  run_swing(1, &finest, &exact);
  for (int k = 0; k < 4 * METHODS; k++) {
    swing one, two;
    const int m = k / 4;
    trm_options options = options_of(m);
    options.solver = solvers[k % 4];
    options.newton_tolerance = 1e-12; /* or both stop at other iterates */
    run_swing(1, &options, &one);
    run_swing(2, &options, &two);
    for (int i = 0; i < 2; i++) {
      const double room_q = room_for(m, one.q[i], exact.q[i]);
      const double room_v = room_for(m, one.v[i], exact.v[i]);
      CHECK_NEAR(two.q[i], one.q[i], room_q, "%s %s: q", methods[m].name, solvers[k % 4]);
      CHECK_NEAR(two.v[i], one.v[i], room_v, "%s %s: v", methods[m].name, solvers[k % 4]);
    }
    CHECK_NEAR(two.lam[0] + two.lam[1], one.lam[0], 1e-7, "%s: load", methods[m].name);
    /* rounding over the border, 1e-16/1e-12, times a load of 10 and a few solves */
    CHECK_NEAR(two.lam[0], two.lam[1], 1e-2, "%s %s: shares", methods[m].name, solvers[k % 4]);
    check_says(two.record.message, "1 of 2", methods[m].name);
    check_says(two.record.message, "joint 'rod ", methods[m].name);
    assert_int_equal(one.record.nmessages, 0);
  }
}

/* What rounding puts into the part of the multipliers that has no effect must not add up
 * from step to step. */
static void shares_of_redundant_rods_do_not_drift(void **unused) {
  (void)unused;
  for (int m = 0; m < METHODS; m++) {
    swing two;
    trm_options options = options_of(m);
    options.end = 20.0;
    run_swing(2, &options, &two);
    /* as above; the load is between 0 and 16 N/m */
    CHECK_NEAR(two.lam[0], two.lam[1], 1e-2, "%s: shares after 20 s", methods[m].name);
  }
}

/* --- what a failure must not do -------------------------------------------------------- */

static trm_status no_room(void *self, const trm_sample *sample, trm_error *err) {
  (void)self;
  return sample->state->t < 0.3 ? TRM_OK
                                : trm_fail(err, TRM_ERR_IO, "file 'a.csv'", "disk is full");
}

static void a_failing_sink_ends_the_run_with_its_status(void **unused) {
  (void)unused;
  trm_error err;
  kit_record record;
  bob self = bob_on(1);
  trm_options options = options_of(0);
  options.outputs = 10;
  trm_system *sys = kit_system(&bob_ops, &self);
  trm_sim *sim = kit_sim(sys, &options);
  kit_listen(sim, &record);
  CHECK_OK(trm_sim_add_sink(sim, &(trm_sink){.sample = no_room}, &err), err);
  CHECK_STATUS(trm_sim_run(sim, &err), TRM_ERR_IO);
  assert_string_equal(err.message, "disk is full");
  assert_true(err.t >= 0.3);
  assert_int_equal(record.nends, 1);
  trm_sim_free(sim);
  trm_system_free(sys);
}

static void success_leaves_the_error_alone(void **unused) {
  (void)unused;
  for (int m = 0; m < METHODS; m++) {
    trm_error err, before;
    kit_record record;
    bob self = bob_on(1);
    memset(&err, 0x5a, sizeof err);
    memcpy(&before, &err, sizeof err);
    trm_options options = options_of(m);
    options.step_first = options.nsteps > 0 ? 0.0 : 0.5; /* will be rejected */
    CHECK_OK(run(&self, &options, &record, &err), err);
    if (options.nsteps == 0) assert_true(record.rejected > 0);
    assert_memory_equal(&err, &before, sizeof err);
  }
}

static void failures_without_a_place_for_the_error_are_failures(void **unused) {
  (void)unused;
  for (int m = 0; m < METHODS; m++) {
    bob self = bob_on(1);
    self.trouble = BOB_DOMAIN;
    trm_sim *sim = NULL;
    const trm_options options = options_of(m);
    trm_system *sys = kit_system(&bob_ops, &self);
    CHECK_STATUS(trm_sim_create(sys, &options, &sim, NULL), TRM_OK);
    CHECK_STATUS(trm_sim_run(sim, NULL), TRM_ERR_STEP);
    trm_sim_free(sim);
    self.x = NAN;
    CHECK_STATUS(trm_sim_create(sys, &options, &sim, NULL), TRM_ERR_NOT_FINITE);
    trm_system_free(sys);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_that_are_not_finite_are_called_so),
      cmocka_unit_test(leaving_the_domain_ends_with_the_words_of_the_system),
      cmocka_unit_test(an_error_of_the_system_ends_the_run_at_once),
      cmocka_unit_test(a_smaller_step_leads_back_into_the_domain),
      cmocka_unit_test(a_coordinate_without_mass_is_named),
      cmocka_unit_test(a_coordinate_without_mass_may_hang_on_a_constraint),
      cmocka_unit_test(a_fixed_step_too_large_for_newton_is_named),
      cmocka_unit_test(ten_fixed_steps_in_a_swing_are_no_failure),
      cmocka_unit_test(the_smallest_step_names_what_limits_it),
      cmocka_unit_test(too_many_attempts_end_the_run),
      cmocka_unit_test(start_values_that_are_not_finite_are_named),
      cmocka_unit_test(contradicting_constraints_are_named),
      cmocka_unit_test(redundant_rods_move_like_one_and_share_its_load),
      cmocka_unit_test(shares_of_redundant_rods_do_not_drift),
      cmocka_unit_test(a_failing_sink_ends_the_run_with_its_status),
      cmocka_unit_test(success_leaves_the_error_alone),
      cmocka_unit_test(failures_without_a_place_for_the_error_are_failures),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
