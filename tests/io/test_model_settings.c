/* test_model_settings.c - model files: settings, includes, tables of files, and systems that
 * outlive them. */
#include "io/model_folder.h"

/* ---- settings ----------------------------------------------------------------------- */

static void settings_replace_scalars(void **state) {
  (void)state;
  const char *text = HEAD "parameters: {a: 1, b.c: 2}\n"
                          "equations: {coordinates: {x: {value: a}, y: 0},"
                          " kinetic: \"x'^2+y'^2\"}\n";
  const struct {
    const char *name, *value;
    double      x;
  } cases[] = {
    {"a", "3", 3}, {"parameters.a", "2*b.c", 4}, {"equations.coordinates.x.value", "7 mm", 0.007},
    {"equations.coordinates.x", "5", 5}, {"equations.coordinates.x.velocity", "1", 1},
    {"equations.coordinates.y.velocity", "1", 1}, {"b.c", "1", 1}, {"simulate.end", "9", 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const trm_setting setting = {cases[i].name, cases[i].value};
    trm_model *m = read_with(text, &setting, 1);
    CHECK_NEAR(start_of(m), cases[i].x, 1e-12, "x with %s", cases[i].name);
    /* its text gives the same model */
    trm_model *again = read_good(trm_model_text(m));
    CHECK_NEAR(start_of(again), cases[i].x, 1e-12, "x again with %s", cases[i].name);
    assert_string_equal(trm_model_text(again), trm_model_text(m));
    trm_model_free(again);
    trm_model_free(m);
  }
}

static void faults_of_settings(void **state) {
  (void)state;
  const char *text = HEAD "parameters: {alpha: 1}\n" MASS;
  const struct {
    const char *name, *value;
    int         column;
    const char *part;
  } cases[] = {
    {"alhpa", "1", 1, "no parameter 'alhpa'; did you mean 'alpha'?"},
    {"equations.coordinate.x", "1", 1, "did you mean 'equations.coordinates.x'?"},
    {"equations.coordinates", "1", 1, "not a single value"},
    {"parameters.alpha", "1 + beta", 22, "'beta'"},
    {"simulate.tolerance", "-1", 20, "out of range"},
    {"equations.coordinates.z", "1", 1, "did you mean"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const trm_setting settings[] = {{"alpha", "2"}, {cases[i].name, cases[i].value}};
    trm_model *model;
    trm_error err;
    CHECK_STATUS(trm_model_read_text(text, "m", settings, 2, NULL, &model, &err), TRM_ERR_INPUT);
    const trm_complaint c = trm_model_complaint_at(model, 0);
    assert_string_equal(c.file, "--set");
    assert_int_equal(c.line, 2);
    if (c.column != cases[i].column || strstr(c.sentence, cases[i].part) == NULL) {
      fail_msg("%s: column %d: %s", cases[i].name, c.column, c.sentence);
    }
    trm_model_free(model);
  }
}

static void includes_are_merged(void **state) {
  (void)state;
  write_file("main.yaml", HEAD "include: [base.yaml, sub/more.yaml]\nparameters: {b: a}\n"
                               "equations: {coordinates: {x: a + b}}\n");
  write_file("base.yaml", "trammel: 1\nname: base\nequations: {kinetic: \"0.5*x'^2\"}\n");
  write_file("sub/more.yaml", "include: ../base.yaml\nparameters: {a: 4}\n"
                              "tables: {t: {file: t.csv, x: time, y: 2, interpolation: linear}}\n");
  write_file("sub/t.csv", "# measured\ntime, force\n0, 1\n1, 2\n");
  trm_model *m;
  trm_error err;
  CHECK_OK(trm_model_read_file(path_of("main.yaml"), NULL, 0, NULL, &m, &err), err);
  CHECK_NEAR(start_of(m), 8, 1e-12, "x");
  assert_string_equal(trm_model_name(m), "base");
  int count;
  const double *y = trmi_part_list(&m->def.parts[TRMI_TABLES].list[0], "y", &count);
  CHECK_NEAR(y[1], 2, 0, "table");
  trm_model *again = read_good(trm_model_text(m));
  CHECK_NEAR(start_of(again), 8, 1e-12, "x of the bundle");
  assert_string_equal(trm_model_text(again), trm_model_text(m));
  trm_model_free(again);
  trm_model_free(m);
}

static void faults_of_includes(void **state) {
  (void)state;
  trm_model *m;
  trm_error err;
  CHECK_STATUS(trm_model_read_file(path_of("none.yaml"), NULL, 0, NULL, &m, &err), TRM_ERR_IO);
  assert_null(m);
  CHECK_STATUS(trm_model_read_file(folder, NULL, 0, NULL, &m, &err), TRM_ERR_IO);
  write_file("a.yaml", HEAD "include: b.yaml\n" MASS);
  write_file("b.yaml", "include: [a.yaml]\n");
  file_refuses("a.yaml", "b.yaml", 1, 11, "include each other");
  write_file("b.yaml", "equations: {coordinates: {x: 2}}\n");
  file_refuses("a.yaml", "a.yaml", 3, 27, "'x' is already in");
  write_file("b.yaml", "equations: {coordinates: {y: {valu: 2}}}\n");
  file_refuses("a.yaml", "b.yaml", 1, 31, "did you mean 'value'?");
  write_file("a.yaml", HEAD "include: c.yaml\n" MASS);
  file_refuses("a.yaml", "a.yaml", 2, 10, "cannot read");
  write_file("a.yaml", HEAD "# x\n#-- file: b\n" MASS);
  file_refuses("a.yaml", "a.yaml", 3, 1, "cannot begin with");
}

static void faults_of_csv_files(void **state) {
  (void)state;
  static const struct {
    const char *csv, *columns, *in;
    int         line, column;
    const char *part;
  } cases[] = {
    {"0,1\n1,2\n", "x: 1, y: 3", "t.yaml", 3, 36, "has no column 3"},
    {"0,1\n1,2\n", "x: 1, y: f", "t.yaml", 3, 36, "no line with names"},
    {"t,f\n0,1\n1,2\n", "x: t, y: g", "t.yaml", 3, 36, "no column 'g'"},
    {"t;f\n0;1\n1;a\n", "x: t, y: f", "t.csv", 3, 3, "'a' is not a number"},
    {"t f\n0 1\n1\n", "x: t, y: f", "t.csv", 3, 1, "no value in column 2"},
    {"t\tf\n0\t1\n0\t2\n", "x: t, y: f", "t.csv", 3, 1, "does not ascend"},
    {"# nothing\n", "x: t, y: f", "t.yaml", 3, 30, "no data"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[400];
    snprintf(text, sizeof text, HEAD MASS "tables: {t: {file: t.csv, %s}}\n", cases[i].columns);
    write_file("t.yaml", text);
    write_file("t.csv", cases[i].csv);
    file_refuses("t.yaml", cases[i].in, cases[i].line, cases[i].column, cases[i].part);
  }
}

/* ---- systems and memory ---------------------------------------------------------------- */

static void systems_outlive_their_model(void **state) {
  (void)state;
  trm_model *m = read_good(HEAD "equations: {coordinates: {x: 1}, kinetic: \"0.5*x'^2\","
                                " potential: 0.5*x^2}\nsimulate: {end: 1}\n");
  trm_system *systems[3];
  trm_error err;
  for (int i = 0; i < 3; i++) CHECK_OK(trm_model_create_system(m, NULL, &systems[i], &err), err);
  trm_model_free(m);
  for (int i = 0; i < 3; i++) {
    trm_options options = trm_options_default();
    options.end = 1.0;
    options.integrator = "explicit";
    options.tolerance = 1e-10;
    trm_sim *sim;
    CHECK_OK(trm_sim_create(systems[i], &options, &sim, &err), err);
    CHECK_OK(trm_sim_run(sim, &err), err);
    /* global error of a run at tolerance 1e-10 */
    CHECK_NEAR(trm_sim_state(sim)->q[0], cos(1.0), 1e-8, "system %d", i);
    trm_sim_free(sim);
    trm_system_free(systems[i]);
  }
}

/* Whichever request fails, everything is given back and the status says so. */
static void every_allocation_may_fail(void **state) {
  (void)state;
  const char *text = HEAD "parameters: {a: 2, b: a + 1}\ntables: {t: {x: [0, 1], y: [0, b]}}\n"
                          "equations:\n  coordinates: {x: {value: a, velocity: 1}, y: 0}\n"
                          "  kinetic: 0.5*(x'^2 + y'^2) + a\n  potential: sin(x*y) + t(x)\n"
                          "  constraints: {g: x - y - a}\n  events: {e: {when: x > 3}}\n"
                          "simulate: {end: b}\n";
  const trm_setting setting = {"a", "3"};
  for (long at = 1;; at++) {
    meter m = {.fail_at = at};
    const trm_allocator allocator = meter_allocator(&m);
    trm_model *model;
    trm_system *system = NULL;
    trm_error err;
    trm_status status = trm_model_read_text(text, "m", &setting, 1, &allocator, &model, &err);
    if (status == TRM_OK) {
      status = trm_model_create_system(model, &allocator, &system, &err);
      trm_system_free(system);
    }
    trm_model_free(model);
    assert_int_equal(m.live, 0);
    if (m.refused == 0) {
      CHECK_OK(status, err);
      assert_true(at > 20);
      return;
    }
    CHECK_STATUS(status, TRM_ERR_MEMORY);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(settings_replace_scalars),
    cmocka_unit_test(faults_of_settings),
    cmocka_unit_test(includes_are_merged),
    cmocka_unit_test(faults_of_includes),
    cmocka_unit_test(faults_of_csv_files),
    cmocka_unit_test(systems_outlive_their_model),
    cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
