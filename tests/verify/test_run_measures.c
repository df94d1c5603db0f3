/* test_run_measures.c - signals reduced over a run, against closed forms, between samples and
 * steps.
 *
 *   x = a cos(w t), a = 0.3, w = 7:
 *   mean = a sin(w T)/(w T), rms^2 = a^2/2 (1 + sin(2 w T)/(2 w T)) */
#include "trammel/model.h"
#include "unit/kit.h"
#include <string.h>

static const char OSCILLATOR[] =
    "trammel: 1\nequations:\n  coordinates: {x: 0.3}\n  kinetic: 0.5*x'^2\n"
    "  potential: 0.5*49*x^2\noutputs: {load: 2*x, speed: x'}\n"
    "measures: {peak: max(load), level: rms(load)}\n";

typedef struct measured {
  trm_model *model;
  trm_system *system;
  trm_sim *sim;
} measured;

static measured open_measured(const char *text, const char *integrator, double end,
                              const char *const *measures) {
  measured m = {.model = NULL};
  trm_error err = {.message = ""};
  trm_options o = trm_options_default();
  o.end = end, o.tolerance = 1e-10, o.integrator = integrator;
  CHECK_OK(trm_model_read_text(text, "m", NULL, 0, NULL, &m.model, &err), err);
  CHECK_OK(trm_model_create_system(m.model, NULL, &m.system, &err), err);
  CHECK_OK(trm_sim_create(m.system, &o, &m.sim, &err), err);
  for (int i = 0; measures[i] != NULL; i++) {
    CHECK_OK(trm_sim_add_measure(m.sim, measures[i], measures[i], &err), err);
  }
  return m;
}

static void close_measured(measured *m) {
  trm_sim_free(m->sim);
  trm_system_free(m->system);
  trm_model_free(m->model);
}

/* Of a vibration, in which no step ends at an extreme value. */
static void reductions_have_their_closed_forms(void **state) {
  (void)state;
  static const char *const names[] = {"max(load)", "min(load)", "mean(load)", "rms(load)",
                                      "final(load)", "at(load, 123 ms)", "crossing(load)",
                                      "crossing(load, -0.5)", "crossing(load, 3)", "max(x)",
                                      "min(speed)", NULL};
  static const char *const integrators[] = {"explicit", "radau"};
  const double a = 0.6, w = 7.0, T = 1.9;
  const double exact[] = {a, -a, a * sin(w * T) / (w * T),
                          a * sqrt(0.5 * (1.0 + sin(2.0 * w * T) / (2.0 * w * T))), a * cos(w * T),
                          a * cos(w * 0.123), acos(0.0) / w, acos(-0.5 / a) / w, NAN, 0.3,
                          -0.3 * w};
  trm_error err = {.message = ""};
  for (int k = 0; k < 2; k++) {
    measured m = open_measured(OSCILLATOR, integrators[k], T, names);
    CHECK_OK(trm_sim_run(m.sim, &err), err);
    assert_int_equal(trm_sim_measure_count(m.sim), 11);
    for (int i = 0; i < 11; i++) {
      if (isnan(exact[i])) {
        assert_true(isnan(trm_sim_measure(m.sim, i)));
        continue;
      }
      /* tolerance 1e-10 in about a hundred steps; crossings divide by the speed */
      CHECK_NEAR(trm_sim_measure(m.sim, i), exact[i], 2e-8, "%s of %s", names[i], integrators[k]);
    }
    close_measured(&m);
  }
}

/* Steps of a ball that bounces on a plane: a jump of the speed at each event. */
static void events_are_seen_on_both_sides(void **state) {
  (void)state;
  static const char ball[] =
      "trammel: 1\nequations:\n  coordinates: {h: 1}\n  kinetic: 0.5*h'^2\n  potential: 9.81*h\n"
      "  events: {bounce: {when: h, direction: falling, set: {h': \"-0.5*h'\"}}}\n"
      "outputs: {speed: h'}\n";
  static const char *const names[] = {"max(speed)", "min(speed)", "crossing(speed, 1)", "final(h)",
                                      NULL};
  trm_error err = {.message = ""};
  measured m = open_measured(ball, "explicit", 0.6, names);
  CHECK_OK(trm_sim_run(m.sim, &err), err);
  const double fall = sqrt(2.0 / 9.81), speed = 9.81 * fall;
  /* tolerance 1e-10, an event found to rounding */
  CHECK_NEAR(trm_sim_measure(m.sim, 0), 0.5 * speed, 1e-8, "after the bounce");
  CHECK_NEAR(trm_sim_measure(m.sim, 1), -speed, 1e-8, "before the bounce");
  CHECK_NEAR(trm_sim_measure(m.sim, 2), fall, 1e-8, "it jumps over 1 m/s");
  close_measured(&m);
}

/* A run in two parts gives the same bits. */
static void measures_go_on_from_a_checkpoint(void **state) {
  (void)state;
  static const char *const names[] = {"max(load)", "rms(load)", "crossing(load, -0.5)", NULL};
  trm_error err = {.message = ""};
  measured whole = open_measured(OSCILLATOR, "radau", 1.9, names);
  measured first = open_measured(OSCILLATOR, "radau", 1.9, names);
  measured second = open_measured(OSCILLATOR, "radau", 1.9, names);
  bool done = false;
  for (int i = 0; i < 5; i++) CHECK_OK(trm_sim_step(first.sim, &done, &err), err);
  for (int i = 0; i < 5; i++) CHECK_OK(trm_sim_step(whole.sim, &done, &err), err);
  trm_sim_prepare_save(first.sim);
  trm_sim_prepare_save(whole.sim);
  const size_t size = trm_sim_save_size(first.sim);
  void *data = malloc(size);
  assert_non_null(data);
  trm_sim_save(first.sim, data);
  CHECK_OK(trm_sim_load(second.sim, data, size, &err), err);
  CHECK_OK(trm_sim_run(second.sim, &err), err);
  CHECK_OK(trm_sim_run(whole.sim, &err), err);
  for (int i = 0; i < 3; i++) {
    assert_true(trm_sim_measure(second.sim, i) == trm_sim_measure(whole.sim, i));
  }
  free(data);
  close_measured(&whole);
  close_measured(&first);
  close_measured(&second);
}

static void bad_texts_are_refused(void **state) {
  (void)state;
  static const struct { const char *text, *words; } cases[] = {
    {"load", "is not a measure"}, {"", "is not a measure"}, {"max(load", "is not a measure"},
    {"maximum(load)", "is not a measure"}, {"max()", "is not a measure"},
    {"at(load)", "needs a time"},
    {"at(load, 3 m)", "a time, such as"}, {"at(load, x)", "a time, such as"},
    {"at(load, 5)", "outside of the run"}, {"crossing(load, 1 N)", "a number"},
    {"max(laod)", "there is no output 'laod'; the nearest is 'load'"},
  };
  static const char *const none[] = {"max(load)", NULL};
  trm_error err = {.message = ""};
  measured m = open_measured(OSCILLATOR, "explicit", 1.9, none);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CHECK_STATUS(trm_sim_add_measure(m.sim, "m", cases[i].text, &err), TRM_ERR_INPUT);
    if (strstr(err.message, cases[i].words) == NULL) fail_msg("%s: %s", cases[i].text, err.message);
  }
  CHECK_STATUS(trm_sim_add_measure(m.sim, "max(load)", "max(x)", &err), TRM_ERR_INPUT); /* twice */
  bool done;
  CHECK_OK(trm_sim_step(m.sim, &done, &err), err);
  CHECK_STATUS(trm_sim_add_measure(m.sim, "late", "max(x)", &err), TRM_ERR_ORDER);
  close_measured(&m);
}

/* What is no output becomes one; a fault leaves the model as it was. */
static void a_model_takes_measures_of_expressions(void **state) {
  (void)state;
  static const char *const none[] = {NULL};
  trm_error err = {.message = ""};
  measured m = open_measured(OSCILLATOR, "explicit", 1.0, none);
  const int before = trm_model_measure_count(m.model);
  static const struct { const char *name, *text, *words; } faults[] = {
    {"a", "max(qq.qq)", "'qq.qq' is not known"}, {"a", "max(x +)", ""},
    {"a", "x", "is not a measure"},
    {"", "max(x)", "name of a measure"}, {"a=b", "max(x)", "name of a measure"},
    {"a", "max(x\n)", "name of a measure"}};
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    CHECK_STATUS(trm_model_add_measure(m.model, faults[i].name, faults[i].text, &err),
                 TRM_ERR_INPUT);
    if (strstr(err.message, faults[i].words) == NULL) fail_msg("%s", err.message);
    assert_int_equal(trm_model_measure_count(m.model), before);
    assert_int_equal(trm_model_complaint_count(m.model), 0);
  }
  CHECK_OK(trm_model_add_measure(m.model, "fast", "max(abs(x')*2)", &err), err);
  CHECK_STATUS(trm_model_add_measure(m.model, "fast", "max(x)", &err), TRM_ERR_INPUT);
  assert_int_equal(trm_model_measure_count(m.model), before + 1);
  trm_system *system = NULL;
  CHECK_OK(trm_model_create_system(m.model, NULL, &system, &err), err);
  assert_true(trm_system_find(system, TRM_OUTPUT, "abs(x')*2") >= 0);
  trm_model *again = NULL; /* its text has it as well */
  CHECK_OK(trm_model_read_text(trm_model_text(m.model), "again", NULL, 0, NULL, &again, &err), err);
  assert_int_equal(trm_model_measure_count(again), before + 1);
  assert_string_equal(trm_model_text(again), trm_model_text(m.model));
  trm_model_free(again);
  trm_system_free(system);
  CHECK_STATUS(trm_model_add_measure(NULL, "a", "max(x)", &err), TRM_ERR_INPUT);
  close_measured(&m);
}

static void a_model_lists_its_measures(void **state) {
  (void)state;
  static const char *const none[] = {NULL};
  measured m = open_measured(OSCILLATOR, "explicit", 1.0, none);
  assert_int_equal(trm_model_measure_count(m.model), 2);
  const trm_model_measure level = trm_model_measure_at(m.model, 1);
  assert_string_equal(level.name, "level");
  assert_string_equal(level.text, "rms(load)");
  assert_int_equal(level.line, 7);
  assert_null(trm_model_measure_at(m.model, 2).name);
  close_measured(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(reductions_have_their_closed_forms),
    cmocka_unit_test(events_are_seen_on_both_sides),
    cmocka_unit_test(measures_go_on_from_a_checkpoint),
    cmocka_unit_test(bad_texts_are_refused),
    cmocka_unit_test(a_model_takes_measures_of_expressions),
    cmocka_unit_test(a_model_lists_its_measures),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
