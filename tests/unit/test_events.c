/* Events: located where they happen, reported in order, acted upon.
 *
 * A ball falls through air and bounces, v' = -g - k v; thrown up from the ground with v0
 *   x(t) = (v0 + g/k)/k (1 - exp(-k t)) - g t/k                               (1)
 * Beside the ground there are marks in time and height that do nothing or stop. */
#include "unit/ball.h"

/* --- tests -------------------------------------------------------------------------- */

static void bounces_of_explicit_are_those_of_the_closed_form(void **unused) {
  (void)unused;
  const char *const forms[] = {"dop853", "dopri5"};
  for (int f = 0; f < 2; f++) {
    enum { N = 4 };
    ball self = {.at_ground = TRM_EVENT_RESTART};
    double at[N], apex[N];
    result r;
    const trm_options options = options_of("explicit", forms[f], 1e-12);
    bounces(N, at, apex);
    run(&self, &options, &r);
    assert_true(r.z == N); /* the fifth comes at 2.18 s */
    for (int i = 0; i < N; i++) {
      CHECK_NEAR(time_of(&r.record, GROUND, i), at[i], 1e-10, "%s: bounce %d", forms[f], i);
    }
    for (int i = 0; i + 1 < N; i++) {
      CHECK_NEAR(time_of(&r.record, APEX, i), apex[i], 1e-10, "%s: apex %d", forms[f], i);
    }
    assert_int_equal(r.counters.events, r.record.nevents);
    check_ascending(&r.record);
  }
}

/* Error of bounce number i with fixed steps h. */
static double error_of_bounce(const char *integrator, double h, int i) {
  ball self = {.at_ground = TRM_EVENT_RESTART};
  double at[3];
  result r;
  trm_options options = options_of(integrator, NULL, 1e-5);
  options.steps[0] = h;
  options.nsteps = 1;
  bounces(3, at, NULL);
  run(&self, &options, &r);
  return fabs(time_of(&r.record, GROUND, i) - at[i]);
}

static void bounces_of_hht_converge_with_second_order(void **unused) {
  (void)unused;
  const char *const integrators[] = {"hht", "alpha"};
  for (int k = 0; k < 2; k++) {
    const char *name = integrators[k];
    const double first = error_of_bounce(name, 0.02, 0) / error_of_bounce(name, 0.01, 0);
    CHECK_BETWEEN(log2(first), 1.95, 2.05, "%s: observed order at the first bounce", name);
    /* later ones start from a dense output whose error depends on the place inside the
     * step: the order shows only over a wide range of steps */
    const double third = error_of_bounce(name, 0.04, 2) / error_of_bounce(name, 0.0025, 2);
    CHECK_BETWEEN(log2(third) / 4, 1.9, 2.2, "%s: observed order at the third", name);
  }
}

static void bounces_of_error_controlled_hht_follow_the_tolerance(void **unused) {
  (void)unused;
  double at[3];
  bounces(3, at, NULL);
  for (int k = 0; k < 2; k++) {
    ball self = {.at_ground = TRM_EVENT_RESTART};
    result r;
    trm_options options = options_of("hht", NULL, k == 0 ? 1e-6 : 1e-9);
    run(&self, &options, &r);
    for (int i = 0; i < 3; i++) {
      /* tolerance^(2/3), times the steps that add up: 1e-4, 1e-6 */
      CHECK_NEAR(time_of(&r.record, GROUND, i), at[i], k == 0 ? 1e-4 : 1e-6, "bounce %d", i);
    }
    check_ascending(&r.record);
  }
}

static void a_stop_event_ends_the_run_where_it_is(void **unused) {
  (void)unused;
  const char *const integrators[] = {"explicit", "hht"};
  for (int i = 0; i < 2; i++) {
    ball self = {.at_ground = TRM_EVENT_STOP};
    result r;
    trm_options options = options_of(integrators[i], NULL, 1e-10);
    options.output_step = 0.05;
    run(&self, &options, &r);
    const double T = flight(height, 0.0), tol = i == 0 ? 1e-10 : 1e-6; /* 1e-10^(2/3) */
    CHECK_NEAR(r.t, T, tol, "%s: time", integrators[i]);
    CHECK_NEAR(r.x, 0.0, 10 * tol, "%s: height", integrators[i]);
    CHECK_NEAR(r.v, v_of(0.0, T), 10 * tol, "%s: velocity", integrators[i]);
    assert_int_equal(r.record.nevents, 1);
    assert_int_equal(r.record.last.limit, TRM_LIMIT_EVENT);
    /* samples at 0, 0.05 .. 0.45 and at the end; none behind it */
    assert_int_equal(r.record.nsamples, 11);
    assert_true(r.record.sample_t[10] == r.t && r.record.sample_q[10][0] == r.x);
    check_ascending(&r.record);
  }
}

static void silent_events_change_nothing(void **unused) {
  (void)unused;
  const char *const integrators[] = {"explicit", "hht"};
  for (int i = 0; i < 2; i++) {
    ball plain = {.at_ground = TRM_EVENT_SILENT},
         marked = {.at_ground = TRM_EVENT_SILENT, .nmarks = 2,
                   .marks = {{.at = 0.123, .sign = 1}, {.at = 0.5, .sign = 1, .of_height = true}}};
    result a, b;
    const trm_options options = options_of(integrators[i], NULL, 1e-8);
    run(&plain, &options, &a);
    run(&marked, &options, &b);
    assert_true(a.x == b.x && a.v == b.v);
    assert_int_equal(a.counters.steps, b.counters.steps);
    assert_int_equal(a.record.nevents, 1);
    assert_int_equal(b.record.nevents, 3);
    CHECK_NEAR(time_of(&b.record, FIRST_MARK, 0), 0.123, 1e-14, "rounding");
    check_ascending(&b.record);
  }
}

static void direction_chooses_the_crossings(void **unused) {
  (void)unused;
  /* from 0.5 above on the way down, up, down ... between ground and 0.63 */
  ball self = {.at_ground = TRM_EVENT_RESTART, .nmarks = 3,
               .marks = {{.at = 0.3, .sign = 1, .of_height = true, .direction = -1},
                         {.at = 0.3, .sign = 1, .of_height = true, .direction = 1},
                         {.at = 0.3, .sign = 1, .of_height = true, .direction = 0}}};
  int count[3] = {0};
  result r;
  trm_options options = options_of("explicit", NULL, 1e-10);
  options.end = 1.2; /* down, bounce, up, down, bounce */
  run(&self, &options, &r);
  for (int i = 0; i < r.record.nevents; i++) {
    if (r.record.event[i] >= FIRST_MARK) count[r.record.event[i] - FIRST_MARK]++;
  }
  assert_int_equal(count[0], 2);
  assert_int_equal(count[1], 1);
  assert_int_equal(count[2], 3);
}

static void two_events_in_one_step_come_in_their_order(void **unused) {
  (void)unused;
  const trm_event_kind kinds[] = {TRM_EVENT_SILENT, TRM_EVENT_RESTART};
  for (int k = 0; k < 2; k++) {
    /* the later one has the smaller number */
    ball self = {.at_ground = TRM_EVENT_SILENT, .nmarks = 3,
                 .marks = {{.at = 0.19, .sign = 1, .kind = kinds[k]},
                           {.at = 0.13, .sign = 1, .kind = kinds[k]},
                           {.at = 0.16, .sign = 1, .kind = TRM_EVENT_SILENT}}};
    result r;
    trm_options options = options_of("hht", NULL, 1e-5);
    options.steps[0] = 0.1;
    options.nsteps = 1;
    options.end = 0.3;
    run(&self, &options, &r);
    assert_int_equal(r.record.nevents, 3);
    /* marks in time are found to rounding */
    CHECK_NEAR(time_of(&r.record, FIRST_MARK, 0), 0.19, 1e-15, "later one");
    CHECK_NEAR(time_of(&r.record, FIRST_MARK + 1, 0), 0.13, 1e-15, "earlier one");
    CHECK_NEAR(time_of(&r.record, FIRST_MARK + 2, 0), 0.16, 1e-15, "between");
    check_ascending(&r.record);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bounces_of_explicit_are_those_of_the_closed_form),
      cmocka_unit_test(bounces_of_hht_converge_with_second_order),
      cmocka_unit_test(bounces_of_error_controlled_hht_follow_the_tolerance),
      cmocka_unit_test(a_stop_event_ends_the_run_where_it_is),
      cmocka_unit_test(silent_events_change_nothing),
      cmocka_unit_test(direction_chooses_the_crossings),
      cmocka_unit_test(two_events_in_one_step_come_in_their_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
