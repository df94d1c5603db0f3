/* Events of typed models against closed forms: bounces, samples, switches, corners of tables. */
#include "methods.h"
#include "verify/typed.h"

static trm_options explicit_options(const typed *m, double tolerance) {
  trm_options o = m->options;
  o.integrator = "explicit";
  o.formulation = NULL;
  o.nsteps = 0;
  o.tolerance = tolerance;
  o.output_step = 0.0;
  o.outputs = 0;
  return o;
}

/* Run and keep events and the end. */
static void run(const typed *m, const trm_options *o, kit_record *record, point *end) {
  trm_sim *sim = kit_sim(m->system, o);
  kit_listen(sim, record);
  kit_run(sim);
  point_clear(end);
  trmi_state_copy(m->system, trm_sim_state(sim), &end->s);
  trm_sim_free(sim);
}

static int event_of(const typed *m, const char *name) {
  const int n = trm_system_count(m->system, TRM_EVENT);
  for (int i = 0; i < n; i++) {
    trm_label label;
    trm_system_label(m->system, TRM_EVENT, i, &label);
    if (strcmp(label.name, name) == 0) return i;
  }
  fail_msg("no event '%s'", name);
  return -1;
}

/* t_k = t_0 (1 + 2 (e + .. + e^(k-1))) and, between, the tops; the 10th bounce stops. */
static void bounces_come_at_the_times_of_the_closed_form(void **state) {
  (void)state;
  kit_record record;
  point end;
  typed m = typed_model("bouncing-ball", NULL);
  const trm_options o = explicit_options(&m, 1e-12);
  run(&m, &o, &record, &end);
  const double first = sqrt(2.0 / 9.81), e = 0.8;
  const int bounce = event_of(&m, "bounce"), top = event_of(&m, "top");
  double t = first, flight = first, worst = 0.0;
  int bounces = 0, tops = 0;
  for (int i = 0; i < record.nevents; i++) {
    if (record.event[i] == bounce) {
      if (bounces++ > 0) t += 2.0 * flight;
      worst = fmax(worst, fabs(record.event_t[i] - t));
      flight *= e;
    } else if (record.event[i] == top) {
      tops++;
      worst = fmax(worst, fabs(record.event_t[i] - (t + flight)));
    }
  }
  print_message("%d bounces, %d tops, times off by %.1e s\n", bounces, tops, worst);
  assert_int_equal(bounces, 10);
  assert_int_equal(tops, 9);
  /* a parabola is exact; events are found to rounding of the time, which each bounce passes on */
  CHECK_NEAR(worst, 0.0, 1e-10, "times of bounces and tops");
  CHECK_NEAR(end.s.t, t, 1e-10, "the 10th bounce ends the run");
  CHECK_NEAR(end.s.z[0], 10.0, 0.0, "bounces counted");
  typed_close(&m);
}

/* The same by hht: its dense output is of third order, times are as good as the motion. */
static void hht_finds_bounces_within_its_error(void **state) {
  (void)state;
  kit_record record;
  point end;
  typed m = typed_model("bouncing-ball", NULL);
  trm_options o = explicit_options(&m, 1e-8);
  o.integrator = "hht";
  run(&m, &o, &record, &end);
  double t = sqrt(2.0 / 9.81), flight = t;
  for (int k = 1; k < 10; k++) flight *= 0.8, t += 2.0 * flight;
  CHECK_NEAR(end.s.t, t, 1e-10, "a parabola is exact for methods of order two");
  typed_close(&m);
}

/* Digital controller on the unstable x'' = a^2 x + u, solved exactly between samples. */
static const char hold_text[] =
    "trammel: 1\n"
    "parameters: {a: 3, T: 0.05}\n"
    "equations:\n"
    "  coordinates: {x: {value: 0.2, velocity: -0.1}}\n"
    "  kinetic: 0.5*x'^2\n"
    "  potential: -0.5*a^2*x^2\n"
    "  forces: {x: u}\n"
    "  discrete: {u: 0, last: 0.2}\n"
    "  events:\n"
    "    sample: {every: T, first: 0, set: {u: -30*x - 5*(x - last)/T, last: x}}\n"
    "simulate: {end: 2.02}\n";

/* x, x' a time h later under constant u */
static void advance(double a, double u, double h, double *x, double *v) {
  const double shift = u / (a * a), y = *x + shift, c = cosh(a * h), s = sinh(a * h);
  *x = c * y + s / a * *v - shift;
  *v = a * s * y + c * *v;
}

static void a_sampled_controller_is_exact_between_samples(void **state) {
  (void)state;
  enum { SAMPLES = 40 };
  kit_record record;
  point end;
  typed m = typed_text(hold_text, "hold", NULL);
  const trm_options o = explicit_options(&m, 1e-12);
  run(&m, &o, &record, &end);
  double x = 0.2, v = -0.1, last = 0.2, u = 0.0;
  for (int k = 0; k <= SAMPLES; k++) {
    u = -30.0 * x - 5.0 * (x - last) / 0.05;
    last = x;
    advance(3.0, u, k < SAMPLES ? 0.05 : 0.02, &x, &v);
  }
  print_message("sampled: x %.1e, v %.1e, u %.1e off\n", end.s.q[0] - x, end.s.v[0] - v,
                end.s.z[0] - u);
  /* local errors of 1e-12 decay in the closed loop; the force has them times 130 */
  CHECK_NEAR(end.s.q[0], x, 1e-9, "position");
  CHECK_NEAR(end.s.v[0], v, 1e-9, "velocity");
  CHECK_NEAR(end.s.z[0], u, 1e-9, "force");
  assert_int_equal(record.nevents, SAMPLES); /* the first is part of the start */
  typed_close(&m);
}

/* Times of a period count from the start of the run, or from `first`; those before are left out. */
static void periods_count_from_the_start_or_the_first(void **state) {
  (void)state;
  static const char text[] =
      "trammel: 1\n"
      "equations:\n"
      "  coordinates: {x: {velocity: 1}}\n"
      "  mass: {x: 1}\n"
      "  events:\n"
      "    a: {every: 0.1}\n"
      "    b: {every: 0.1, first: 2.3}\n"
      "    c: {every: 0.1, first: 0.02}\n"
      "simulate: {start: 2.05, end: 2.51}\n";
  static const double first[3] = {2.15, 2.3, 2.12};
  static const int    count[3] = {4, 3, 4};
  kit_record record;
  point end;
  typed m = typed_text(text, "clocks", NULL);
  const trm_options o = explicit_options(&m, 1e-9);
  run(&m, &o, &record, &end);
  for (int k = 0; k < 3; k++) {
    int n = 0;
    for (int i = 0; i < record.nevents; i++) {
      if (record.event[i] != k) continue;
      CHECK_NEAR(record.event_t[i], first[k] + 0.1 * n++, 1e-14, "event %d", k);
    }
    assert_int_equal(n, count[k]);
  }
  typed_close(&m);
}

/* A reaction that carries its own function back across zero is no second event; one that fills a
 * count sets off those that wait for it, in a row. */
static void events_follow_others_but_not_themselves(void **state) {
  (void)state;
  static const char text[] =
      "trammel: 1\n"
      "equations:\n"
      "  coordinates: {x: {velocity: 1}}\n"
      "  mass: {x: 1}\n"
      "  discrete: {laps: 0, pairs: 0}\n"
      "  states: {s: {value: 1, rate: -s}}\n"
      "  events:\n"
      "    wrap: {when: x - 1, set: {x: 0, laps: laps + 1, s: s + 1}}\n"
      "    pair: {when: laps > 1.5, set: {laps: 0, pairs: pairs + 1}}\n"
      "    told: {when: pairs > 1.5}\n"
      "simulate: {end: 5.5}\n";
  kit_record record;
  point end;
  typed m = typed_text(text, "laps", NULL);
  const trm_options o = explicit_options(&m, 1e-12);
  run(&m, &o, &record, &end);
  double s = 1.0;
  for (int k = 0; k < 5; k++) s = s * exp(-1.0) + 1.0;
  CHECK_NEAR(end.s.q[0], 0.5, 1e-12, "x after five laps");
  CHECK_NEAR(end.s.x[0], s * exp(-0.5), 1e-10, "state, one more with each lap");
  CHECK_NEAR(end.s.z[0], 1.0, 0.0, "laps of the pair that has begun");
  CHECK_NEAR(end.s.z[1], 2.0, 0.0, "pairs");
  assert_int_equal(record.nevents, 5 + 2 + 1);
  typed_close(&m);
}

/* An event whose reaction sets off another one happens once: after the second reaction its function
 * is zero up to rounding, as after the first, and counted as before zero in 19 of 60 crossings. */
static void an_event_that_others_follow_happens_once(void **state) {
  (void)state;
  typed m = typed_text("trammel: 1\nequations:\n  coordinates: {x: {value: 0, velocity: 1}}\n"
                       "  mass: {x: 1}\n  discrete: {n: 0, full: 0}\n"
                       "  events:\n    pass: {when: x - 0.5, set: {n: n + 1}}\n"
                       "    fill: {when: n - 0.5, set: {full: full + 1}}\n"
                       "simulate: {end: 1}\n", "full.yaml", NULL);
  const int n = all_methods();
  int late = 0;
  for (int k = 0; k < 40 * n; k++) {
    m.options.start = -0.3 - 0.0173 * (k % 40); /* x = t - start */
    trm_sim *sim = typed_sim(&m, methods[k / 40], 1e-5);
    kit_run(sim);
    CHECK_NEAR(trm_sim_state(sim)->z[0], 1.0, 0.0, "crossings by %s from %g s", methods[k / 40],
               m.options.start);
    CHECK_NEAR(trm_sim_state(sim)->z[1], 1.0, 0.0, "events that follow, by %s", methods[k / 40]);
    late += trm_sim_state(sim)->t == 1.0;
    trm_sim_free(sim);
  }
  assert_int_equal(late, 40 * n);
  typed_close(&m);
}

/* Classic Runge-Kutta steps of the shipped pendulum under constant torque. */
static void swing(double u, double h, int steps, double *phi, double *rate) {
  const double pull = 9.81 / 0.5, push = u / 0.25;
  h /= steps;
  for (int i = 0; i < steps; i++) {
    const double q1 = *phi, v1 = *rate, a1 = pull * sin(q1) + push;
    const double q2 = q1 + 0.5 * h * v1, v2 = v1 + 0.5 * h * a1, a2 = pull * sin(q2) + push;
    const double q3 = q1 + 0.5 * h * v2, v3 = v1 + 0.5 * h * a2, a3 = pull * sin(q3) + push;
    const double q4 = q1 + h * v3, v4 = v1 + h * a3, a4 = pull * sin(q4) + push;
    *phi += h / 6.0 * (v1 + 2.0 * (v2 + v3) + v4);
    *rate += h / 6.0 * (a1 + 2.0 * (a2 + a3) + a4);
  }
}

static void the_shipped_controller_is_that_of_a_loop_in_c(void **state) {
  (void)state;
  kit_record *record = calloc(1, sizeof *record);
  point end;
  typed m = typed_model("sampled-controller", (const trm_setting[]){{"period", "0.05"}, {0}});
  trm_options o = explicit_options(&m, 1e-12);
  o.end = 2.0;
  run(&m, &o, record, &end);
  double phi = 0.3, rate = 0.0, u = 0.0, sum = 0.0, last = 0.3;
  for (int k = 1; k <= 40; k++) {
    swing(u, 0.05, 200, &phi, &rate);
    const double now = phi;
    u = -20.0 * now - 8.0 * sum - 2.5 * (now - last) / 0.05;
    sum += 0.05 * now;
    last = now;
  }
  print_message("inverted pendulum: phi %.1e, rate %.1e off after 2 s, phi %.3g\n",
                end.s.q[0] - phi, end.s.v[0] - rate, phi);
  CHECK_NEAR(end.s.q[0], phi, 1e-9, "angle");
  CHECK_NEAR(end.s.v[0], rate, 1e-9, "its rate");
  free(record);
  typed_close(&m);
}

/* Parabolas with a quarter period of sqrt(2 m a/F). */
static void a_relay_switches_at_the_quarters_of_its_period(void **state) {
  (void)state;
  kit_record record;
  point end;
  typed m = typed_model("bang-bang", NULL);
  const trm_options o = explicit_options(&m, 1e-12);
  run(&m, &o, &record, &end);
  const double quarter = sqrt(2.0 * 0.5 / 4.0);
  double worst = 0.0;
  for (int i = 0; i < record.nevents; i++) {
    worst = fmax(worst, fabs(record.event_t[i] - quarter * (1 + 2 * i)));
  }
  print_message("%d switches, off by %.1e s\n", record.nevents, worst);
  assert_int_equal(record.nevents, 4);
  CHECK_NEAR(worst, 0.0, 1e-10, "times of switches");
  CHECK_NEAR(end.s.q[0], 0.5, 1e-10, "position after two periods");
  typed_close(&m);
}

/* Corners of the straight table are events, points of the Akima table are not; and a run by hht
 * comes to the end of one by explicit. */
static void only_sharp_tables_make_events(void **state) {
  (void)state;
  kit_record *record = calloc(1, sizeof *record);
  point end, other;
  typed m = typed_model("spring-table", NULL);
  trm_options o = explicit_options(&m, 1e-12);
  o.end = 1.0;
  run(&m, &o, record, &end);
  print_message("spring-table: %d events in 1 s\n", record->nevents);
  CHECK_BETWEEN(record->nevents, 2, 40, "corners passed");
  assert_int_equal(trm_system_count(m.system, TRM_EVENT), 1);
  o.integrator = "hht";
  o.tolerance = 1e-7;
  run(&m, &o, record, &other);
  /* local errors of 1e-7 of 40 mm in some thousand steps */
  CHECK_NEAR(other.s.q[0], end.s.q[0], 2e-5, "x after 1 s");
  free(record);
  typed_close(&m);
}

/* A crossing next to the end of a run, by rounding and by more: it happens once. In one more step
 * of 1e-14 s nothing moved but by rounding, and the event fired up to 200 times ("it repeats at
 * ever shorter intervals"), or twice without a word. */
static void crossings_at_the_end_happen_once(void **state) {
  (void)state;
  typed m = typed_text("trammel: 1\nequations:\n  coordinates: {x: {value: 0, velocity: 2}}\n"
                       "  discrete: {n: 0}\n  kinetic: 0.5*x'^2\n  potential: 0\n"
                       "  events: {hit: {when: x - 0.5, set: {n: n + 1}}}\n"
                       "simulate: {start: -0.3, end: 1}\n", "end.yaml", NULL);
  static const double later[] = {0.0, 1e-16, 1e-14, 1e-12, 1e-9};
  const int n = all_methods();
  for (int k = 0; k < 5 * n; k++) {
    m.options.end = -0.3 + 0.25 + later[k % 5];
    trm_sim *sim = typed_sim(&m, methods[k / 5], 1e-5);
    kit_run(sim);
    const double count = trm_sim_state(sim)->z[0];
    /* rounding decides whether it is before the end */
    CHECK_BETWEEN(count, later[k % 5] > 1e-13 ? 1.0 : 0.0, 1.0, "crossings by %s, %g s before the "
                  "end", methods[k / 5], later[k % 5]);
    CHECK_NEAR(trm_sim_state(sim)->t, m.options.end, 1e-15, "end of %s", methods[k / 5]);
    trm_sim_free(sim);
  }
  typed_close(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bounces_come_at_the_times_of_the_closed_form),
      cmocka_unit_test(hht_finds_bounces_within_its_error),
      cmocka_unit_test(a_sampled_controller_is_exact_between_samples),
      cmocka_unit_test(periods_count_from_the_start_or_the_first),
      cmocka_unit_test(events_follow_others_but_not_themselves),
      cmocka_unit_test(an_event_that_others_follow_happens_once),
      cmocka_unit_test(the_shipped_controller_is_that_of_a_loop_in_c),
      cmocka_unit_test(a_relay_switches_at_the_quarters_of_its_period),
      cmocka_unit_test(only_sharp_tables_make_events),
      cmocka_unit_test(crossings_at_the_end_happen_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
