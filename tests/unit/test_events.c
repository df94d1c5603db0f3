/* Events: located where they happen, told in order, acted upon.
 *
 * A ball falls through air and bounces, v' = -g - k v; thrown up from the ground with v0
 *   x(t) = (v0 + g/k)/k (1 - exp(-k t)) - g t/k                               (1)
 * Beside the ground there are marks in time and height that do nothing or stop. */
#include "unit/kit.h"

enum { GROUND, APEX, FIRST_MARK, MARKS = 4 };

static const double gravity = 9.81, drag = 0.5, restitution = 0.8, height = 1.0;

/* A mark is crossed when sign * (t - at) rises, or sign * (x - at) if of_height. */
typedef struct mark {
  double         at, sign;
  bool           of_height;
  trm_event_kind kind;
  int            direction;
} mark;

typedef struct ball {
  trm_event_kind at_ground;
  int            nmarks;
  mark           marks[MARKS];
  bool           has_no_event_function;
} ball;

static void sizes(const void *self, trm_sizes *n) {
  const ball *b = self;
  *n = (trm_sizes){.nv = 1, .nz = 1, .nevents = FIRST_MARK + b->nmarks};
}

static trm_status start(void *self, trm_state *s, trm_error *err) {
  (void)self, (void)err;
  s->q[0] = height;
  return TRM_OK;
}

static trm_status values(void *self, const trm_state *s, const trm_values *out, trm_error *err) {
  (void)err;
  const ball *b = self;
  if (out->motion != NULL) out->motion[0] = s->vd[0] + gravity + drag * s->v[0];
  if (out->energy != NULL) out->energy[0] = out->energy[1] = out->energy[2] = 0.0;
  if (out->events == NULL) return TRM_OK;
  out->events[GROUND] = s->q[0];
  out->events[APEX] = s->v[0];
  for (int i = 0; i < b->nmarks; i++) {
    const mark *m = &b->marks[i];
    out->events[FIRST_MARK + i] = m->sign * ((m->of_height ? s->q[0] : s->t) - m->at);
  }
  return TRM_OK;
}

static void event_info(const void *self, int i, trm_event_info *info) {
  const ball *b = self;
  if (i == GROUND) *info = (trm_event_info){.kind = b->at_ground, .direction = -1};
  if (i == APEX) *info = (trm_event_info){.kind = TRM_EVENT_SILENT, .direction = -1};
  if (i >= FIRST_MARK) {
    *info = (trm_event_info){.kind = b->marks[i - FIRST_MARK].kind,
                              .direction = b->marks[i - FIRST_MARK].direction};
  }
}

static trm_status event(void *self, int i, trm_state *s, trm_error *err) {
  (void)self, (void)err;
  if (i != GROUND) return TRM_OK;
  s->v[0] *= -restitution;
  s->z[0] += 1.0;
  return TRM_OK;
}

static const trm_system_ops ops = {.name = "ball", .sizes = sizes, .start = start,
                                   .values = values, .event_info = event_info, .event = event};

/* --- closed form -------------------------------------------------------------------- */

static double x_of(double x0, double v0, double t) {
  return x0 + (v0 + gravity / drag) / drag * -expm1(-drag * t) - gravity * t / drag;
}

static double v_of(double v0, double t) {
  return (v0 + gravity / drag) * exp(-drag * t) - gravity / drag;
}

/* Time of flight from x0 with v0 to the ground. */
static double flight(double x0, double v0) {
  double t = (v0 + sqrt(v0 * v0 + 2 * gravity * x0)) / gravity; /* without air */
  for (int k = 0; k < 50; k++) t -= x_of(x0, v0, t) / v_of(v0, t);
  return t;
}

/* Times of the first n bounces; `apex` receives those of the tops behind them. */
static void bounces(int n, double *at, double *apex) {
  double t = 0.0, x0 = height, v0 = 0.0;
  for (int i = 0; i < n; i++) {
    const double T = flight(x0, v0);
    t += T;
    v0 = -restitution * v_of(v0, T);
    x0 = 0.0;
    at[i] = t;
    if (apex != NULL) apex[i] = t + log1p(v0 * drag / gravity) / drag;
  }
}

/* --- runs --------------------------------------------------------------------------- */

typedef struct result {
  kit_record   record;
  double       t, x, v, z;
  trm_counters counters;
} result;

static trm_options options_of(const char *integrator, const char *formulation, double tolerance) {
  trm_options options = trm_options_default();
  options.integrator = integrator;
  options.formulation = formulation;
  options.tolerance = tolerance;
  options.end = 2.0;
  return options;
}

static void run(ball *self, const trm_options *options, result *r) {
  trm_system *sys = kit_system(&ops, self);
  trm_sim *sim = kit_sim(sys, options);
  kit_listen(sim, &r->record);
  kit_run(sim);
  const trm_state *s = trm_sim_state(sim);
  r->t = s->t, r->x = s->q[0], r->v = s->v[0], r->z = s->z[0];
  r->counters = *trm_sim_counters(sim);
  trm_sim_free(sim);
  trm_system_free(sys);
}

/* Event number k of kind `index`. */
static double time_of(const kit_record *r, int index, int k) {
  for (int i = 0; i < r->nevents; i++) {
    if (r->event[i] == index && k-- == 0) return r->event_t[i];
  }
  return NAN;
}

static void check_ascending(const kit_record *r) {
  for (int i = 1; i < r->nsamples; i++) {
    if (!(r->sample_t[i] > r->sample_t[i - 1])) {
      fail_msg("sample %d at %.17g after %.17g", i, r->sample_t[i], r->sample_t[i - 1]);
    }
  }
  for (int i = 1; i < r->nevents; i++) {
    if (!(r->event_t[i] >= r->event_t[i - 1])) {
      fail_msg("event %d at %.17g told after %.17g", i, r->event_t[i], r->event_t[i - 1]);
    }
  }
}

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
      cmocka_unit_test(bounces_of_explicit_are_those_of_the_closed_form),
      cmocka_unit_test(bounces_of_hht_converge_with_second_order),
      cmocka_unit_test(bounces_of_error_controlled_hht_follow_the_tolerance),
      cmocka_unit_test(a_stop_event_ends_the_run_where_it_is),
      cmocka_unit_test(silent_events_change_nothing),
      cmocka_unit_test(direction_chooses_the_crossings),
      cmocka_unit_test(two_events_in_one_step_come_in_their_order),
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
