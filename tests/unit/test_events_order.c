/* test_events_order.c - events at ends of steps, at samples and at one time. */
#include "unit/ball.h"

/* Marks at 0.5 and 0.75 are ends of steps of 1/8, in binary exactly: the function is
 * zero there, coming from below or from above. */
static void an_event_at_the_end_of_a_step_fires_once(void **unused) {
  (void)unused;
  const trm_event_kind kinds[] = {TRM_EVENT_SILENT, TRM_EVENT_RESTART};
  for (int k = 0; k < 4; k++) {
    ball self = {.at_ground = TRM_EVENT_SILENT, .nmarks = 2,
                 .marks = {{.at = 0.5, .sign = k % 2 == 0 ? 1 : -1, .kind = kinds[k / 2]},
                           {.at = 0.75, .sign = k % 2 == 0 ? 1 : -1, .kind = kinds[k / 2],
                            .direction = k % 2 == 0 ? 1 : -1}}};
    result r;
    trm_options options = options_of("hht", NULL, 1e-5);
    options.steps[0] = 0.125;
    options.nsteps = 1;
    options.end = 1.0;
    run(&self, &options, &r);
    int count = 0;
    for (int i = 0; i < r.record.nevents; i++) count += r.record.event[i] >= FIRST_MARK;
    if (count != 2) {
      fail_msg("%d events, %s function, kind %d", count, k % 2 == 0 ? "rising" : "falling",
               (int)kinds[k / 2]);
    }
    assert_true(time_of(&r.record, FIRST_MARK, 0) == 0.5);
  }
}

static void an_event_at_an_output_time_leaves_one_sample_there(void **unused) {
  (void)unused;
  const trm_event_kind kinds[] = {TRM_EVENT_SILENT, TRM_EVENT_RESTART, TRM_EVENT_STOP};
  for (int k = 0; k < 3; k++) {
    ball self = {.at_ground = TRM_EVENT_SILENT, .nmarks = 1,
                 .marks = {{.at = 0.5, .sign = 1, .kind = kinds[k]}}};
    result r;
    trm_options options = options_of("explicit", NULL, 1e-9);
    options.output_step = 0.125;
    options.end = 1.0;
    run(&self, &options, &r);
    assert_int_equal(r.record.nsamples, kinds[k] == TRM_EVENT_STOP ? 5 : 9);
    check_ascending(&r.record);
    CHECK_NEAR(r.record.sample_t[4], 0.5, 1e-15, "sample at the event");
    CHECK_NEAR(r.record.sample_q[4][0], x_of(height, 0.0, 0.5), 1e-8, "and its height");
  }
}

static void samples_around_restarts_are_in_order_and_on_the_curve(void **unused) {
  (void)unused;
  ball self = {.at_ground = TRM_EVENT_RESTART};
  double at[4];
  result r;
  trm_options options = options_of("explicit", NULL, 1e-12);
  options.outputs = 200;
  bounces(4, at, NULL);
  run(&self, &options, &r);
  assert_int_equal(r.record.nsamples, 201);
  check_ascending(&r.record);
  double v0 = 0.0, x0 = height, t0 = 0.0;
  for (int i = 0, bounce = 0; i < 201; i++) {
    const double t = r.record.sample_t[i];
    CHECK_NEAR(t, 0.01 * i, 1e-14, "time of sample %d", i);
    while (bounce < 4 && t > at[bounce]) {
      v0 = -restitution * v_of(v0, at[bounce] - t0);
      x0 = 0.0, t0 = at[bounce++];
    }
    /* events are good to 1e-10, at a velocity of 4 m/s */
    CHECK_NEAR(r.record.sample_q[i][0], x_of(x0, v0, t - t0), 1e-9, "height at %g", t);
  }
  for (int i = 0; i < r.record.nevents; i++) {
    /* a restart is told between the samples before it and those behind it */
    const int next = r.record.samples_before[i];
    if (r.record.event[i] != GROUND) continue;
    assert_true(r.record.sample_t[next - 1] <= r.record.event_t[i] + 1e-14);
    assert_true(r.record.sample_t[next] > r.record.event_t[i] - 1e-14);
  }
}

/* Without a direction the ground counts from both sides; but not twice at one place. */
static void both_ways(const void *self, int i, trm_event_info *info) {
  event_info(self, i, info);
  info->direction = 0;
}

static void an_event_does_not_fire_again_where_it_fired(void **unused) {
  (void)unused;
  trm_system_ops both = ops;
  both.event_info = both_ways;
  const char *const integrators[] = {"hht", "alpha", "explicit", "tdg", "radau", "bdf"};
  for (int k = 0; k < 6; k++) {
    ball self = {.at_ground = TRM_EVENT_RESTART};
    trm_options options = options_of(integrators[k], NULL, 1e-8);
    trm_system *sys = kit_system(&both, &self);
    trm_sim *sim = kit_sim(sys, &options);
    kit_run(sim);
    if (trm_sim_state(sim)->z[0] != 4.0 || !(trm_sim_state(sim)->q[0] > 0.0)) {
      fail_msg("%s: %g bounces, and the ball is at %g", integrators[k], trm_sim_state(sim)->z[0],
               trm_sim_state(sim)->q[0]);
    }
    trm_sim_free(sim);
    trm_system_free(sys);
  }
}

/* Two balls let go together come down together: neither may fall through. */
static void pair_sizes(const void *self, trm_sizes *n) {
  (void)self;
  *n = (trm_sizes){.nv = 2, .nz = 2, .nevents = 2};
}

static trm_status pair_start(void *self, trm_state *s, trm_error *err) {
  (void)self, (void)err;
  s->q[0] = s->q[1] = height;
  return TRM_OK;
}

static trm_status pair_values(void *self, const trm_state *s, const trm_values *out,
                              trm_error *err) {
  (void)self, (void)err;
  for (int i = 0; i < 2; i++) {
    if (out->motion != NULL) out->motion[i] = s->vd[i] + gravity + drag * s->v[i];
    if (out->events != NULL) out->events[i] = s->q[i];
  }
  return TRM_OK;
}

static void pair_info(const void *self, int i, trm_event_info *info) {
  (void)self, (void)i;
  *info = (trm_event_info){.kind = TRM_EVENT_RESTART, .direction = -1};
}

static trm_status pair_event(void *self, int i, trm_state *s, trm_error *err) {
  (void)self, (void)err;
  s->v[i] *= -restitution;
  s->z[i] += 1.0;
  return TRM_OK;
}

static void events_at_the_same_time_all_happen(void **unused) {
  (void)unused;
  static const trm_system_ops pair = {.name = "pair", .sizes = pair_sizes, .start = pair_start,
                                      .values = pair_values, .event_info = pair_info,
                                      .event = pair_event};
  const char *const integrators[] = {"hht", "alpha", "explicit", "tdg", "radau", "bdf"};
  for (int k = 0; k < 12; k++) {
    trm_options options = options_of(integrators[k % 6], NULL, 1e-8);
    options.steps[0] = 0.01;
    options.nsteps = k / 6;
    trm_system *sys = kit_system(&pair, NULL);
    trm_sim *sim = kit_sim(sys, &options);
    kit_run(sim);
    const trm_state *s = trm_sim_state(sim);
    if (s->z[0] != 4.0 || s->z[1] != 4.0 || !(s->q[0] > 0.0 && s->q[1] > 0.0)) {
      fail_msg("%s: %g and %g bounces, and the balls are at %g and %g", integrators[k % 6],
               s->z[0], s->z[1], s->q[0], s->q[1]);
    }
    assert_int_equal(trm_sim_counters(sim)->events, 8);
    trm_sim_free(sim);
    trm_system_free(sys);
  }
}

static void a_restart_at_the_very_end_leaves_a_finite_state(void **unused) {
  (void)unused;
  const trm_event_kind kinds[] = {TRM_EVENT_RESTART, TRM_EVENT_STOP};
  const char *const integrators[] = {"hht", "explicit"};
  for (int k = 0; k < 4; k++) {
    ball self = {.at_ground = TRM_EVENT_SILENT, .nmarks = 1,
                 .marks = {{.at = 1.0, .sign = 1, .kind = kinds[k / 2]}}};
    result r;
    trm_options options = options_of(integrators[k % 2], NULL, 1e-8);
    options.end = 1.0;
    options.outputs = 4;
    run(&self, &options, &r);
    assert_true(r.t == 1.0);
    CHECK_NEAR(r.x, x_of(height, 0.0, 1.0), 1e-4, "%s", integrators[k % 2]); /* 1e-8^(2/3) */
    assert_int_equal(time_of(&r.record, FIRST_MARK, 0) == 1.0, 1);
    assert_int_equal(r.record.nsamples, 5);
    check_ascending(&r.record);
  }
}

static void restarts_do_not_change_what_assembly_moved(void **unused) {
  (void)unused;
  ball self = {.at_ground = TRM_EVENT_RESTART};
  const trm_options options = options_of("hht", NULL, 1e-5);
  trm_system *sys = kit_system(&ops, &self);
  trm_sim *sim = kit_sim(sys, &options);
  assert_true(trm_sim_moved(sim, TRM_Q, NULL) == 0.0 && trm_sim_moved(sim, TRM_V, NULL) == 0.0);
  kit_run(sim);
  assert_true(trm_sim_moved(sim, TRM_Q, NULL) == 0.0 && trm_sim_moved(sim, TRM_V, NULL) == 0.0);
  trm_sim_free(sim);
  trm_system_free(sys);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_event_at_the_end_of_a_step_fires_once),
      cmocka_unit_test(an_event_at_an_output_time_leaves_one_sample_there),
      cmocka_unit_test(samples_around_restarts_are_in_order_and_on_the_curve),
      cmocka_unit_test(an_event_does_not_fire_again_where_it_fired),
      cmocka_unit_test(events_at_the_same_time_all_happen),
      cmocka_unit_test(a_restart_at_the_very_end_leaves_a_finite_state),
      cmocka_unit_test(restarts_do_not_change_what_assembly_moved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
