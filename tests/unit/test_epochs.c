/* Epochs, hooks and memory: patterns that follow the motion change no number, elements
 * with memory are notified of every step in order, and their memory is saved.
 *
 * Six carts on a line, each on a spring to its place; cart 0 runs into cart 1, which
 * has a bumper of length r in front:
 *   m x_i'' = -k (x_i - a_i) - c x_i',   bumper: f = b p^2, p = r - (x_1 - x_0) > 0
 * The pattern has the bumper only while it is near. The last cart is on dry ground:
 * its spring is fixed to a point that is dragged along, w in memory. */
#include "system/system.h"
#include "unit/carts.h"

static ending run(carts *self, const trm_options *options) {
  ending end;
  trm_system *sys = kit_system(&ops, self);
  trm_sim *sim = kit_sim(sys, options);
  kit_run(sim);
  memcpy(end.q, trm_sim_state(sim)->q, sizeof end.q);
  memcpy(end.v, trm_sim_state(sim)->v, sizeof end.v);
  end.counters = *trm_sim_counters(sim);
  trm_sim_free(sim);
  trm_system_free(sys);
  return end;
}

static const char *const solvers[] = {"klu", "dense", "auto"};

static void patterns_that_follow_the_motion_change_no_number(void **unused) {
  (void)unused;
  const struct {
    const char *integrator;
    double      step;
  } runs[] = {{"hht", 1e-3}, {"alpha", 1e-3}, {"hht", 0.0}, {"explicit", 0.0},
              {"tdg", 1e-3}, {"radau", 0.0}, {"tdg", 0.0},  {"radau", 1e-3},
              {"bdf", 0.0},  {"bdf", 1e-3}};
  for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
    for (int s = 0; s < 3; s++) {
      carts *moving = new_carts(), *fixed = new_carts();
      fixed->is_full = true;
      trm_options options = options_of(runs[k].integrator, runs[k].step);
      options.solver = solvers[s];
      options.newton_tolerance = 1e-14;
      if (strcmp(runs[k].integrator, "radau") == 0) options.max_order = 5;
      const ending a = run(moving, &options), b = run(fixed, &options);
      assert_true(moving->epoch >= 4); /* it came and went twice at least */
      assert_int_equal(moving->mismatch, 0);
      for (int i = 0; i < CARTS; i++) {
        /* Newton leaves 1e-14 in each step; an error grows about tenfold in a blow */
        CHECK_NEAR(a.q[i], b.q[i], 1e-12, "%s %g %s: x %d", runs[k].integrator, runs[k].step,
                   solvers[s], i);
        CHECK_NEAR(a.v[i], b.v[i], 1e-10, "%s %g %s: v %d", runs[k].integrator, runs[k].step,
                   solvers[s], i); /* times the frequency of the bumper */
      }
      free(moving);
      free(fixed);
    }
  }
}

/* The patterns are read when a system is created; the start may change them, and so may
 * a run that ended elsewhere. */
static void the_first_epoch_is_that_of_the_start(void **unused) {
  (void)unused;
  const double at[] = {0.75, -1.0}; /* against the bumper, and far from it */
  for (int k = 0; k < 4; k++) {
    carts *moving = new_carts(), *fixed = new_carts();
    moving->is_reset = fixed->is_reset = fixed->is_full = true;
    moving->at = fixed->at = at[k % 2];
    moving->is_near = k / 2 == 1; /* when it is created */
    trm_options options = options_of("hht", 1e-3);
    options.end = 1.3; /* which is near the bumper */
    options.solver = "klu";
    const ending whole = run(fixed, &options);
    trm_system *sys = kit_system(&ops, moving);
    for (int again = 0; again < 2; again++) {
      trm_sim *sim = kit_sim(sys, &options);
      kit_run(sim);
      /* the same matrices, so the same bits, and not one iteration more */
      assert_memory_equal(trm_sim_state(sim)->q, whole.q, sizeof whole.q);
      assert_int_equal(trm_sim_counters(sim)->newton_iterations,
                       whole.counters.newton_iterations);
      trm_sim_free(sim);
    }
    assert_int_equal(moving->mismatch, 0);
    trm_system_free(sys);
    free(moving);
    free(fixed);
  }
}

/* Two patterns come and go: the matrices of each are analyzed once, in the first simulation of the
 * system, and give the bits that they gave then. */
static void patterns_that_come_back_are_not_analyzed_again(void **unused) {
  (void)unused;
  for (int k = 0; k < all_methods(); k++) {
    for (int s = 0; s < 3; s++) {
      carts *o = new_carts();
      o->is_reset = true;
      trm_options options = options_of(methods[k], 0.0);
      options.solver = solvers[s];
      trm_system *sys = kit_system(&ops, o);
      ending ends[2];
      long first = 0, all[2] = {0};
      for (int again = 0; again < 2; again++) {
        const int before = o->epoch;
        trm_sim *sim = kit_sim(sys, &options);
        if (again == 0) first = sys->tally.analyses;
        kit_run(sim);
        assert_true(o->epoch - before >= 4);
        memcpy(ends[again].q, trm_sim_state(sim)->q, sizeof ends[again].q);
        memcpy(ends[again].v, trm_sim_state(sim)->v, sizeof ends[again].v);
        all[again] = sys->tally.analyses;
        trm_sim_free(sim);
      }
      assert_true(first > 0);
      assert_true(all[0] <= 2 * first); /* some matrices have one pattern all the time */
      assert_int_equal(all[1], all[0]);
      assert_memory_equal(ends[0].q, ends[1].q, sizeof ends[0].q);
      assert_memory_equal(ends[0].v, ends[1].v, sizeof ends[0].v);
      trm_system_free(sys);
      free(o);
    }
  }
}

/* B R* A, over and over, and as many of each as the counters say. */
static void hooks_are_called_in_order_and_number(void **unused) {
  (void)unused;

  for (int k = 0; k < all_methods(); k++) {
    carts *o = new_carts();
    const trm_options options = options_of(methods[k], 0.0);
    const ending end = run(o, &options);
    long begun = 0, rejected = 0, accepted = 0;
    for (int i = 0; i < o->ntrace; i++) {
      const char now = o->trace[i], before = i > 0 ? o->trace[i - 1] : 'A';
      if (now == 'B') assert_true(before == 'A');
      if (now != 'B') assert_true(before == 'B' || before == 'R');
      begun += now == 'B', rejected += now == 'R', accepted += now == 'A';
    }
    assert_int_equal(accepted, end.counters.steps);
    assert_int_equal(begun, accepted);
    assert_int_equal(rejected, end.counters.rejected_error + end.counters.rejected_newton);
    assert_true(rejected > 0); /* the blows are too fast for the step before them */
    assert_int_equal(o->disorder, 0);
    free(o);
  }
}

/* A step that an event cuts short is accepted at the event: no element may remember
 * what did not happen. */
static void steps_cut_by_an_event_are_accepted_there(void **unused) {
  (void)unused;

  for (int k = 0; k < all_methods(); k++) {
    carts *o = new_carts();
    o->has_mark = true;
    const trm_options options = options_of(methods[k], 0.0);
    const ending end = run(o, &options);
    assert_true(end.counters.events > 0);
    assert_int_equal(o->disorder, 0);
    free(o);
  }
}

static void a_hook_that_fails_ends_the_run_with_its_sentence(void **unused) {
  (void)unused;
  trm_error err;
  carts *o = new_carts();
  o->fail_at = 7;
  const trm_options options = options_of("hht", 0.01);
  trm_system *sys = kit_system(&ops, o);
  trm_sim *sim = kit_sim(sys, &options);
  CHECK_STATUS(trm_sim_run(sim, &err), TRM_ERR_IO);
  assert_string_equal(err.object, "cart 5");
  assert_string_equal(err.message, "off the rails");
  CHECK_NEAR(err.t, 0.07, 1e-15, "rounding: time of the seventh step");
  trm_sim_free(sim);
  trm_system_free(sys);
  free(o);
}

/* A mass drifts freely; from the end of the step at t = 1 on it is pushed. */
static void mass_sizes(const void *self, trm_sizes *n) {
  (void)self;
  *n = (trm_sizes){.nv = 1, .noutputs = 1};
}

static trm_status mass_start(void *self, trm_state *s, trm_error *err) {
  (void)self, (void)err;
  s->v[0] = 1.0;
  return TRM_OK;
}

static trm_status mass_values(void *self, const trm_state *s, const trm_values *out,
                              trm_error *err) {
  (void)err;
  const double push = *(const double *)self;
  if (out->motion != NULL) out->motion[0] = s->vd[0] - push;
  if (out->outputs != NULL) out->outputs[0] = push;
  if (out->energy != NULL) out->energy[0] = out->energy[1] = out->energy[2] = 0.0;
  return TRM_OK;
}

static trm_status mass_accept(void *self, const trm_state *s, trm_error *err) {
  (void)err;
  if (s->t > 0.99) *(double *)self = 100.0;
  return TRM_OK;
}

static trm_status check_free(void *self, const trm_sample *sample, trm_error *err) {
  (void)self, (void)err;
  const trm_state *s = sample->state;
  if (s->t >= 1.0) return TRM_OK;
  /* a straight line, which every method has to rounding */
  CHECK_NEAR(s->q[0], s->t, 1e-13, "position at %g", s->t);
  CHECK_NEAR(s->vd[0], 0.0, 1e-13, "acceleration at %g", s->t);
  CHECK_NEAR(sample->outputs[0], 0.0, 0.0, "output at %g", s->t);
  return TRM_OK;
}

static void samples_inside_a_step_do_not_see_what_its_end_brings(void **unused) {
  (void)unused;
  static const trm_system_ops drifter = {.name = "mass", .sizes = mass_sizes,
                                         .start = mass_start,
                                         .values = mass_values,
                                         .accept_step = mass_accept};

  for (int k = 0; k < all_methods(); k++) {
    trm_error err;
    double push = 0.0;
    trm_options options = options_of(methods[k], 0.5);
    options.end = 1.5;
    options.output_step = 0.1;
    trm_system *sys = kit_system(&drifter, &push);
    trm_sim *sim = kit_sim(sys, &options);
    CHECK_OK(trm_sim_add_sink(sim, &(trm_sink){.sample = check_free}, &err), err);
    kit_run(sim);
    assert_true(push == 100.0);
    trm_sim_free(sim);
    trm_system_free(sys);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(patterns_that_follow_the_motion_change_no_number),
      cmocka_unit_test(the_first_epoch_is_that_of_the_start),
      cmocka_unit_test(patterns_that_come_back_are_not_analyzed_again),
      cmocka_unit_test(hooks_are_called_in_order_and_number),
      cmocka_unit_test(steps_cut_by_an_event_are_accepted_there),
      cmocka_unit_test(a_hook_that_fails_ends_the_run_with_its_sentence),
      cmocka_unit_test(samples_inside_a_step_do_not_see_what_its_end_brings),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
