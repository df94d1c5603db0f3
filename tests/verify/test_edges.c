/* Events whose functions are exactly zero where nothing decides: at the start, after another event,
 * after their own. Closed forms, all methods. */
#include "methods.h"
#include "verify/typed.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Run a text; `end` receives the state, `record` events and notes (NULL: not wanted). */
static trm_status run(const char *text, const char *method, double tolerance, kit_record *record,
                      point *end, trm_error *err) {
  typed m = typed_text(text, "edges", NULL);
  trm_sim *sim = typed_sim(&m, method, tolerance);
  if (record != NULL) kit_listen(sim, record);
  const trm_status status = trm_sim_run(sim, err);
  point_clear(end);
  trmi_state_copy(m.system, trm_sim_state(sim), &end->s);
  trm_sim_free(sim);
  typed_close(&m);
  return status;
}

#define HEAD "trammel: 1\nequations:\n  coordinates: {x: 0}\n  mass: {x: 1}\n"

/* A temperature that begins at the edge and leaves it by its rate, by its curvature or not at all;
 * how often the condition becomes true, and when. */
static void conditions_at_their_edge_at_the_start(void **state) {
  (void)state;
  static const struct {
    const char *when, *rate;
    double count, time;
  } cases[] = {
    {"T < 20", "-1", 1, 0.0},       {"T < 20", "1", 0, 0.0},   {"T <= 20", "-1", 0, 0.0},
    {"T <= 20", "1 - time", 1, 2.0}, {"T >= 20", "1", 0, 0.0}, {"T > 20", "1", 1, 0.0},
    {"T < 20", "-time", 1, 0.0},    {"T < 20", "0", 0, 0.0},   {"T < 20", "1 - time", 1, 2.0},
    {"T < 20", "-max(time - 1, 0)", 1, 1.0},
    {"not (T >= 20)", "-1", 1, 0.0}, {"not (T < 20)", "-1", 0, 0.0},
    {"T < 20 and time < 9", "-1", 1, 0.0}, {"T < 20 or T > 30", "-1", 1, 0.0},
  };
  const int n = all_methods();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[500];
    snprintf(text, sizeof text, HEAD "  states: {T: {value: 20, rate: \"%s\"}}\n"
             "  discrete: {n: 0, at: 0}\n"
             "  events: {cold: {when: \"%s\", set: {n: n + 1, at: time}}}\n"
             "simulate: {end: 3}\n", cases[i].rate, cases[i].when);
    for (int k = 0; k < n; k++) {
      kit_record record;
      point end;
      trm_error err;
      CHECK_OK(run(text, methods[k], 1e-6, &record, &end, &err), err);
      CHECK_NEAR(end.s.z[0], cases[i].count, 0.0, "%s: '%s', T' = %s", methods[k], cases[i].when,
                 cases[i].rate);
      /* an error of T of 1e-6 where T' is 1; a cube root of rounding where it leaves slowly */
      CHECK_NEAR(end.s.z[1], cases[i].time, 1e-4, "%s: '%s', T' = %s", methods[k], cases[i].when,
                 cases[i].rate);
    }
  }
}

/* The heating is switched on at the start, where T is at its lower edge: from 20 to 22 by 4 - 1 per
 * second, back by -1: a period of 2/3 + 2. */
static void a_thermostat_that_begins_at_its_edge(void **state) {
  (void)state;
  static const char text[] =
      HEAD "  discrete: {heat: 0, n: 0}\n  states: {T: {value: 20, rate: 4*heat - 1}}\n"
      "  events:\n    on: {when: T < 20, set: {heat: 1, n: n + 1}}\n"
      "    off: {when: T > 22, set: {heat: 0}}\nsimulate: {end: 10}\n";
  for (int k = 0; k < all_methods(); k++) {
    kit_record record;
    point end;
    trm_error err;
    CHECK_OK(run(text, methods[k], 1e-6, &record, &end, &err), err);
    CHECK_NEAR(end.s.z[1], 4.0, 0.0, "%s: heating begins at 0, 8/3, 16/3, 8", methods[k]);
    CHECK_NEAR(end.s.x[0], 22.0 - (10.0 - 8.0 - 2.0 / 3.0), 1e-5, "%s: T", methods[k]);
  }
}

/* Without a band between on and off T stays at 20: no run continues as if it did not. */
static void two_events_at_one_edge_slide(void **state) {
  (void)state;
  static const char text[] =
      HEAD "  discrete: {heat: 0}\n  states: {T: {value: 21, rate: 4*heat - 1}}\n"
      "  events:\n    on: {when: T < 20, set: {heat: 1}}\n"
      "    off: {when: T > 20, set: {heat: 0}}\nsimulate: {end: 10}\n";
  for (int k = 0; k < all_methods(); k++) {
    point end;
    trm_error err;
    const trm_status status = run(text, methods[k], 1e-6, NULL, &end, &err);
    CHECK_NEAR(end.s.x[0], 20.0, 1e-5, "%s: T", methods[k]);
    assert_int_equal(status, TRM_ERR_STEP);
    if (strstr(err.message, "at ever shorter intervals") == NULL) fail_msg("%s", err.message);
  }
}

/* Counts that reach a number exactly; others at the same threshold; what another event sets. */
static void discrete_values_reach_edges(void **state) {
  (void)state;
  static const char text[] =
      HEAD "  discrete: {n: 0, a: 0, b: 0, c: 0, d: 0, s: 1}\n"
      "  events:\n    tick: {every: 1, set: {n: n + 1, s: 2 - n}}\n"
      "    least: {when: n >= 3, set: {a: a + 1}}\n    more: {when: n > 3, set: {b: b + 1}}\n"
      "    both: {when: n >= 3 and n < 5, set: {c: c + 1}}\n"
      "    down: {when: s, direction: falling, set: {d: d + 1}}\n"
      "simulate: {end: 3.5}\n";
  static const char longer[] = "simulate: {end: 6.5}\n";
  for (int k = 0; k < all_methods(); k++) {
    kit_record record;
    point end;
    trm_error err;
    char more[900];
    CHECK_OK(run(text, methods[k], 1e-6, &record, &end, &err), err);
    CHECK_NEAR(end.s.z[1], 1.0, 0.0, "%s: n >= 3 at 3", methods[k]);
    CHECK_NEAR(end.s.z[2], 0.0, 0.0, "%s: n > 3 at 3", methods[k]);
    CHECK_NEAR(end.s.z[4], 0.0, 0.0, "%s: s is zero", methods[k]);
    snprintf(more, sizeof more, "%.*s%s", (int)(strstr(text, "simulate") - text), text, longer);
    CHECK_OK(run(more, methods[k], 1e-6, &record, &end, &err), err);
    const double counts[] = {6, 1, 1, 1, 1};
    for (int i = 0; i < 5; i++) {
      CHECK_NEAR(end.s.z[i], counts[i], 0.0, "%s: discrete value %d", methods[k], i);
    }
  }
}

/* A band that is crossed up and down within one step of free flight: conditions with `and`. */
static void compound_conditions_inside_a_step(void **state) {
  (void)state;
  static const char text[] =
      "trammel: 1\nequations:\n  coordinates: {y: {value: 0, velocity: 10}}\n"
      "  mass: {y: 1}\n  forces: {y: -10}\n  discrete: {n: 0, m: 0}\n"
      "  events:\n    in: {when: y > 4 and y < 4.01, set: {n: n + 1}}\n"
      "    out: {when: y < 4 or y > 4.01, set: {m: m + 1}}\nsimulate: {end: 1.9}\n";
  for (int k = 0; k < all_methods(); k++) {
    kit_record record;
    point end;
    trm_error err;
    CHECK_OK(run(text, methods[k], 1e-6, &record, &end, &err), err);
    CHECK_NEAR(end.s.z[0], 2.0, 0.0, "%s: in the band", methods[k]);
    CHECK_NEAR(end.s.z[1], 2.0, 0.0, "%s: out of it", methods[k]);
  }
}

/* Bounces come closer and closer. After infinitely many the ball would lie: the run ends there, at
 * t0 (1 + 2 e/(1 - e)), and never falls through. With and without a direction, and from a
 * condition. A ball that only stops is stopped at once. */
static void a_ball_never_falls_through_its_floor(void **state) {
  (void)state;
  static const char *const when[] = {"y, direction: falling", "y", "y < 0", "y <= 0"};
  for (int c = 0; c < 8; c++) {
    char text[500];
    const double e = c < 4 ? 0.5 : 0.0;
    snprintf(text, sizeof text, "trammel: 1\nequations:\n  coordinates: {y: 1}\n"
             "  mass: {y: 1}\n  forces: {y: -9.81}\n"
             "  events: {bounce: {when: %s, set: {y': -%g*y'}}}\nsimulate: {end: 5}\n",
             when[c % 4], e);
    for (int k = 0; k < all_methods(); k++) {
      point end;
      trm_error err;
      const trm_status status = run(text, methods[k], 1e-6, NULL, &end, &err);
      if (status != TRM_ERR_STEP || !(fabs(end.s.q[0]) < 1e-6)) {
        fail_msg("%s, %s, e = %g: status %d, the ball is at %g at %g s", when[c % 4], methods[k],
                 e, status, end.s.q[0], end.s.t);
      }
      assert_string_equal(err.object, "event 'bounce'");
      /* events are located to rounding, a parabola is exact but for the start of bdf */
      CHECK_NEAR(end.s.t, sqrt(2 / 9.81) * (1 + 2 * e / (1 - e)), 1e-3, "%s, %s", when[c % 4],
                 methods[k]);
    }
  }
}

/* A ball that begins on its floor: leaving zero is no crossing, and a note says so. */
static void an_expression_that_begins_at_zero_is_named(void **state) {
  (void)state;
  static const char text[] =
      "trammel: 1\nequations:\n  coordinates: {y: 0}\n  mass: {y: 1}\n  forces: {y: -1}\n"
      "  events: {hit: {when: y, direction: falling, set: {y': -y'}}}\nsimulate: {end: 1}\n";
  for (int k = 0; k < all_methods(); k++) {
    kit_record record;
    point end;
    trm_error err;
    CHECK_OK(run(text, methods[k], 1e-6, &record, &end, &err), err);
    if (strstr(record.message, "event 'hit' is exactly at zero") == NULL) {
      fail_msg("%s: '%s'", methods[k], record.message);
    }
  }
}

/* Loaded anywhere, also where an event counts by memory alone, a run has the same bits. */
static void sides_survive_checkpoints(void **state) {
  (void)state;
  static const char text[] =
      HEAD "  discrete: {on: 0, n: 0}\n  states: {T: {value: 20, rate: \"-on\"}}\n"
      "  events:\n    cold: {when: T < 20, set: {n: n + 1}}\n"
      "    go: {every: 1, set: {on: 1 - on}}\nsimulate: {end: 3.5}\n";
  for (int k = 0; k < all_methods(); k++) {
    typed m = typed_text(text, "edges", NULL);
    trm_error err;
    m.options.checkpoint_steps = 1;
    trm_sim *whole = typed_sim(&m, methods[k], 1e-6);
    bool done = false;
    for (int i = 0; !done; i++) {
      trm_sim *part = typed_sim(&m, methods[k], 1e-6);
      bool part_done = false;
      const size_t size = trm_sim_save_size(whole);
      void *data = malloc(size);
      trm_sim_save(whole, data);
      CHECK_OK(trm_sim_load(part, data, size, &err), err);
      free(data);
      CHECK_OK(trm_sim_step(whole, &done, &err), err);
      while (!part_done && trm_sim_state(part)->t < trm_sim_state(whole)->t) {
        CHECK_OK(trm_sim_step(part, &part_done, &err), err);
      }
      assert_true(trm_sim_state(part)->t == trm_sim_state(whole)->t);
      assert_memory_equal(trm_sim_state(part)->x, trm_sim_state(whole)->x, sizeof(double));
      assert_memory_equal(trm_sim_state(part)->z, trm_sim_state(whole)->z, 2 * sizeof(double));
      trm_sim_free(part);
    }
    CHECK_NEAR(trm_sim_state(whole)->z[1], 1.0, 0.0, "%s", methods[k]);
    trm_sim_free(whole);
    typed_close(&m);
  }
}

/* After an event at the end of a run there is no time left to choose a step from: a simulation with
 * a later end begins anew when it is loaded. */
static void a_run_that_ended_with_an_event_goes_on(void **state) {
  (void)state;
  static const char text[] =
      HEAD "  discrete: {on: 0}\n  states: {T: {value: 20, rate: \"-on*T\"}}\n"
      "  events:\n    go: {every: 1, set: {on: 1 - on}}\nsimulate: {end: 3.5}\n";
  for (int k = 0; k < all_methods(); k++) {
    typed m = typed_text(text, "edges", NULL);
    trm_error err;
    trm_sim *sims[3]; /* the whole run, its first part, the rest */
    for (int i = 0; i < 3; i++) {
      m.options.end = i == 1 ? 2.0 : 3.5;
      sims[i] = typed_sim(&m, methods[k], 1e-8);
      if (i == 2) {
        trm_sim_prepare_save(sims[1]);
        const size_t size = trm_sim_save_size(sims[1]);
        void *data = malloc(size);
        trm_sim_save(sims[1], data);
        CHECK_OK(trm_sim_load(sims[2], data, size, &err), err);
        free(data);
      }
      CHECK_OK(trm_sim_run(sims[i], &err), err);
    }
    /* local errors of 1e-8 add up over up to some thousand steps */
    CHECK_NEAR(trm_sim_state(sims[2])->x[0], trm_sim_state(sims[0])->x[0], 1e-4, "%s", methods[k]);
    for (int i = 0; i < 3; i++) trm_sim_free(sims[i]);
    typed_close(&m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(conditions_at_their_edge_at_the_start),
    cmocka_unit_test(a_thermostat_that_begins_at_its_edge),
    cmocka_unit_test(two_events_at_one_edge_slide),
    cmocka_unit_test(discrete_values_reach_edges),
    cmocka_unit_test(compound_conditions_inside_a_step),
    cmocka_unit_test(a_ball_never_falls_through_its_floor),
    cmocka_unit_test(an_expression_that_begins_at_zero_is_named),
    cmocka_unit_test(sides_survive_checkpoints),
    cmocka_unit_test(a_run_that_ended_with_an_event_goes_on),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
