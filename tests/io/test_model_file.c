/* test_model_file.c - model files: what they may say, what is refused, settings, includes. */
#include "io/model_folder.h"

/* ---- what files say ------------------------------------------------------------- */

static void a_definition_is_filled(void **state) {
  (void)state;
  trm_model *m = read_good(
      HEAD "# A summary.\nname: All of it\nparameters: {m: 2, k: 3*m}\n"
           "tables: {c: {x: [0, 1, m], y: [0, 1, 0], interpolation: cubic}}\n"
           "equations:\n"
           "  coordinates: {x: {value: 0.5, velocity: 1, scale: 2, kind: length}, y: {guess: 3}}\n"
           "  mass: {x: m, y: 1, 'x, y': 0.5}\n"
           "  forces: {x: -k*x + c(x)}\n"
           "  constraints: {g: y - 3*x}\n"
           "  states: {s: {value: 1, rate: -s}, r: {residual: r' + r}}\n"
           "  variables: {w: x^2, u: {guess: 1, equals: 0.5*u}}\n"
           "  discrete: {d: 4}\n"
           "  events: {e: {when: x, direction: falling, set: {d: d + 1, x': -x'}},\n"
           "           f: {every: 0.1, first: 0}, g2: {when: x > 3, do: stop}}\n"
           "outputs: {tip.x: x}\n"
           "simulate: {end: 2}\n");
  const trmi_definition *d = &m->def;
  assert_string_equal(trm_model_name(m), "All of it");
  assert_string_equal(trm_model_summary(m), "A summary.");
  assert_int_equal(d->parameters.count, 2);
  const trmi_part *x = &d->parts[TRMI_COORDINATES].list[0], *y = x + 1;
  assert_int_equal(d->parts[TRMI_COORDINATES].count, 2);
  assert_string_equal(trmi_part_text(x, "scale")->text, "2");
  assert_true(trmi_part_number(x, "scale") == 2.0);
  assert_string_equal(trmi_part_word(x, "kind"), "length");
  assert_null(trmi_part_find(y, "value"));
  assert_string_equal(trmi_part_text(y, "guess")->text, "3");
  assert_int_equal(d->parts[TRMI_MASSES].count, 3);
  assert_string_equal(d->parts[TRMI_MASSES].list[2].key.name, "x, y");
  assert_int_equal(d->parts[TRMI_STATES].count, 2);
  assert_null(trmi_part_find(&d->parts[TRMI_STATES].list[0], "residual"));
  assert_int_equal(d->parts[TRMI_VARIABLES].count, 2);
  assert_string_equal(trmi_part_word(&d->parts[TRMI_VARIABLES].list[0], "equals"), "x^2");
  const trmi_part *events = d->parts[TRMI_EVENTS].list;
  assert_string_equal(trmi_part_word(&events[0], "direction"), "falling");
  assert_string_equal(events[0].inner->next->key.name, "x'");
  assert_string_equal(trmi_part_word(&events[2], "do"), "stop");
  const trmi_part *table = d->parts[TRMI_TABLES].list;
  int count;
  assert_string_equal(trmi_part_word(table, "interpolation"), "cubic");
  CHECK_NEAR(trmi_part_list(table, "x", &count)[2], 2.0, 0, "x of the table");
  CHECK_NEAR(start_of(m), 0.5, 1e-9, "x"); /* tolerance of assembly */
  trm_model_free(m);
}

static void parameters_stand_in_any_order(void **state) {
  (void)state;
  trm_model *m = read_good(HEAD "parameters: {a: b + 1, b: 2*c, c: 8 mm, m: 3 m}\n"
                                "equations: {coordinates: {x: a}, kinetic: \"m*x'^2\"}\n");
  CHECK_NEAR(start_of(m), 1.016, 1e-15, "a");
  trm_model_free(m);
  refuses(HEAD "parameters: {a: b, b: c, c: a}\n" MASS, 2, 17, "parameters a -> b -> c -> a");
  refuses(HEAD "parameters: {a: a}\n" MASS, 2, 17, "'a' is defined by itself");
  refuses(HEAD "parameters: {a: 1 + q}\n" MASS, 2, 21, "'q'");
  refuses(HEAD "parameters: {a: 1/0}\n" MASS, 2, 18, "zero");
}

static void units_of_a_model(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double      length, mass, time, force;
    const char *names; /* of length, mass, time, force, torque, energy, power */
  } sets[] = {
    {"SI", 1, 1, 1, 1, "m kg s N; N m, J, W"},
    {"N-kg-ms-mm", 1e-3, 1, 1e-3, 1, "mm kg ms N; N mm, N mm, N mm/ms"},
    {"mm-kg-ms-N", 1e-3, 1, 1e-3, 1, "mm kg ms N; N mm, N mm, N mm/ms"},
    {"lbf-lbm-in-s", 0.0254, 0.45359237, 1, 4.4482216152605,
     "in lbm s lbf; lbf in, lbf in, lbf in/s"},
    {"mm-t-s-N", 1e-3, 1e3, 1, 1, "mm t s N; N mm, N mm, N mm/s"},
    {"{length: mm, mass: t}", 1e-3, 1e3, 1, 1, "mm t s N; N mm, N mm, N mm/s"},
    {"{time: ms, force: kN}", 1, 1, 1e-3, 1e3, "m kg ms kN; kN m, kN m, kN m/ms"},
    {"{time: ms, force: N}", 1, 1, 1e-3, 1, "m kg ms N; N m, J, J/ms"},
    {"kg-ms-mm", 1e-3, 1, 1e-3, 1e3, "mm kg ms kN; kN mm, kN mm, kN mm/ms"},
    {"g-mm-s", 1e-3, 1e-3, 1, 1e-6,
     "mm g s g mm/s^2; g mm^2/s^2, g mm^2/s^2, g mm^2/s^3"},
    {"slug-mile-min", 1609.344, 4.4482216152605 / 0.3048, 60,
     4.4482216152605 / 0.3048 * 1609.344 / 3600,
     "mile slug min slug mile/min^2; , , "}, /* no room: none rather than a part */
  };
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
    char text[200];
    snprintf(text, sizeof text, HEAD "units: %s\n" MASS, sets[i].text);
    trm_model *m = read_good(text);
    CHECK_NEAR(m->def.units.length, sets[i].length, 1e-15, "length of %s", sets[i].text);
    CHECK_NEAR(m->def.units.mass, sets[i].mass, 1e-12, "mass of %s", sets[i].text);
    CHECK_NEAR(m->def.units.time, sets[i].time, 1e-15, "time of %s", sets[i].text);
    CHECK_NEAR(m->def.units.force, sets[i].force, 1e-12, "force of %s", sets[i].text);
    const trm_unit_names n = trm_model_units(m);
    snprintf(text, sizeof text, "%s %s %s %s; %s, %s, %s", n.length, n.mass, n.time, n.force,
             n.torque, n.energy, n.power);
    assert_string_equal(text, sets[i].names);
    trm_system *system = NULL;
    assert_int_equal(trm_model_create_system(m, NULL, &system, NULL), TRM_OK);
    assert_memory_equal(trm_system_units(system), &n, sizeof n);
    trm_system_free(system);
    trm_model_free(m);
  }
  refuses(HEAD "units: N-kg-mm\n" MASS, 2, 8, "no unit of time");
  refuses(HEAD "units: N-kg-furlong-s\n" MASS, 2, 13, "'furlong' is not a unit");
  refuses(HEAD "units: m-kg-mm-s\n" MASS, 2, 13, "second unit of length");
  refuses(HEAD "units: {length: kg}\n" MASS, 2, 17, "not a unit of length");
  refuses(HEAD "units: {speed: kg}\n" MASS, 2, 9, "unknown key 'speed' in units");
}

static void options_of_simulate(void **state) {
  (void)state;
  trm_model *m = read_good(
      HEAD "parameters: {T: 5}\n" MASS
           "simulate: {start: 1, end: 2*T, step: [1 ms, 2e-3], step_max: 1, step_min: 1e-9,\n"
           "  step_first: 1e-3, integrator: alpha, formulation: index3, solver: dense, rho: 0.8,\n"
           "  max_iterations: 7, newton_tolerance: 1e-7, constraint_tolerance: 1e-8,\n"
           "  outputs: 10*T, checkpoint_steps: 20, max_steps: 1000}\n");
  trm_options o = trm_options_default();
  trm_model_options(m, &o);
  CHECK_NEAR(o.start, 1, 0, "start");
  CHECK_NEAR(o.end, 10, 0, "end");
  assert_int_equal(o.nsteps, 2);
  CHECK_NEAR(o.steps[0], 1e-3, 0, "step");
  assert_string_equal(o.integrator, "alpha");
  assert_true(o.has_rho);
  assert_int_equal(o.outputs, 50);
  assert_int_equal(o.max_steps, 1000);
  assert_int_equal(o.checkpoint_steps, 20);
  CHECK_NEAR(o.constraint_tolerance, 1e-8, 0, "constraint tolerance");
  trm_model_free(m);
  refuses(HEAD MASS "simulate: {end: 1 m}\n", 3, 17, "dimension");
  refuses(HEAD MASS "simulate: {tolerance: 2}\n", 3, 23, "out of range");
  refuses(HEAD MASS "simulate: {outputs: 2.5}\n", 3, 21, "not a whole number");
  refuses(HEAD MASS "simulate: {step: 1, tolerance: 1e-3}\n", 3, 21, "cannot be given together");
  refuses(HEAD MASS "simulate: {beta: 0.3, gamma: 0.6}\n", 3, 1, "give all four or none");
  refuses(HEAD MASS "simulate: {integrator: rk4}\n", 3, 24, "hht|alpha|explicit|tdg|radau");
}

/* The table of keys and that of run files know the same options. */
static void every_key_of_simulate_is_an_option(void **state) {
  (void)state;
  const trmi_field *rows = trmi_field_child(trmi_schema_at(0), "simulate");
  const trmi_field *row;
  int count = 0;
  for (; (row = trmi_field_child_at(rows, count)) != NULL; count++) {
    char name[40];
    snprintf(name, sizeof name, "%s", trmi_field_key(row));
    for (char *p = name; *p != '\0'; p++) *p = (char)(*p == '_' ? '-' : *p);
    trm_options options = trm_options_default();
    if (!trm_options_read(&options, name, "1")) fail_msg("'%s' is not an option", name);
  }
  trm_options all = trm_options_default();
  all = (trm_options){.tag = all.tag, .integrator = "a", .formulation = "a", .solver = "a",
                      .start = 1, .end = 1, .tolerance = 1, .step_max = 1, .step_min = 1,
                      .step_first = 1, .max_iterations = 1, .newton_tolerance = 1,
                      .constraint_tolerance = 1, .impact_tolerance = 0.1,
                      .has_alpha = true, .has_rho = true,
                      .has_coefficients = true, .output_step = 1, .outputs = 1,
                      .checkpoint_steps = 1, .max_steps = 1, .max_order = 1, .passes = 1,
                      .error_in = "a", .scaling = "a", .step_control = "a", .energy_datum = 1,
                      .energy_repetitions = 1,
                      .energy_wait = 1, .energy_accept = 1, .energy_reduce = 1,
                      .energy_grow = 1, .energy_from = 1, .energy_to = 1};
  trm_option_text texts[TRM_OPTION_TEXTS];
  assert_int_equal(trm_options_write(&all, texts) + 1, count); /* step excludes tolerance */
}

/* ---- faults ------------------------------------------------------------------------ */

static void faults_of_keys_and_values(void **state) {
  (void)state;
  refuses("equations: {}\n", 1, 1, "begins with 'trammel: 1'");
  refuses("trammel: 2\n", 1, 10, "version");
  refuses("hello\n", 1, 1, "begins with 'trammel: 1'");
  refuses("", 1, 1, "empty");
  refuses("[1, 2]\n", 1, 1, "begins with 'trammel: 1'");
  refuses(HEAD, 1, 1, "the model has no 'equations'");
  refuses(HEAD MASS "outpts: {}\n", 3, 1,
          "unknown key 'outpts' in the model; did you mean 'outputs'?");
  refuses(HEAD "equations:\n  coordinates: {x: {value: 1, velocty: 2}}\n", 3, 31,
          "unknown key 'velocty' in coordinates.x; did you mean 'velocity'?");
  refuses(HEAD "equations: {coordinates: [x]}\n", 2, 26, "must be a mapping of names, not a list");
  refuses(HEAD "equations: {coordinates: {x: }}\n", 2, 27, "coordinates.x has no value");
  refuses(HEAD "equations: {coordinates: {2x: 1}}\n", 2, 27, "cannot be a name");
  refuses(HEAD "equations: {coordinates: {time: 1}}\n", 2, 27, "meaning of its own");
  refuses(HEAD "equations: {coordinates: {x: 1}, states: {x: {rate: 1}}}\n", 2, 43, "twice");
  refuses(HEAD "equations: {states: {x: {value: 1}}}\n", 2, 22,
          "states.x needs one of rate|residual");
  refuses(HEAD "equations: {coordinates: {x: 1}, events: {e: {do: stop}}}\n", 2, 43,
          "events.e needs one of when|every");
  refuses(HEAD "equations: {coordinates: {x: {value: 1, guess: 2}}}\n", 2, 41, "give one of them");
  refuses(HEAD "equations: {coordinates: {x: 1}, mass: {x: 1, 'x, q': 2}}\n", 2, 50,
          "'q' under mass is not a coordinate");
  refuses(HEAD "equations: {coordinates: {x: {value: 1, scale: 0}}}\n", 2, 48,
          "coordinate 'x': scale: 0 is out of range: it must be greater than 0");
  refuses(HEAD MASS "outputs: {r: atan2(x, 1)}\n", 3, 23, "put the expression before it in quotes");
  refuses(HEAD "equations:\n  coordinates: {x: 1}\n  kinetic: 0.5*x'^2\n  potential: 2*y\n", 5, 16,
          "'y'");
}

static void several_faults_come_at_once_in_order(void **state) {
  (void)state;
  const char *text = HEAD "parameters: {a: 1 +}\nequations:\n  coordinates: {x: b}\n"
                          "  kinetic: 0.5*x'^2 + c\nsimulate: {ende: 1}\n";
  refuses_at(text, 0, 2, 20, "");
  refuses_at(text, 1, 4, 20, "'b'");
  refuses_at(text, 2, 5, 23, "'c'");
  refuses_at(text, 3, 6, 12, "did you mean 'end'?");
}

static void at_most_twenty_are_shown(void **state) {
  (void)state;
  char text[4000] = HEAD MASS "simulate:\n";
  for (int i = 0; i < 30; i++) sprintf(text + strlen(text), "  key%d: 1\n", i);
  trm_model *model;
  trm_error err;
  CHECK_STATUS(trm_model_read_text(text, "m", NULL, 0, NULL, &model, &err), TRM_ERR_INPUT);
  assert_int_equal(trm_model_complaint_count(model), 20);
  assert_int_equal(trm_model_complaint_total(model), 30);
  static const char first[] = "m:4:3: unknown key 'key0' in simulate; known are start, end, ";
  assert_int_equal(strncmp(err.message, first, strlen(first)), 0);
  const char *whole = trm_model_complaint_at(model, 0).sentence;
  assert_string_equal(whole + strlen(whole) - strlen(" max_steps"), " max_steps");
  trm_system *system;
  CHECK_STATUS(trm_model_create_system(model, NULL, &system, &err), TRM_ERR_INPUT);
  trm_model_free(model);
}

static void faults_of_tables(void **state) {
  (void)state;
#define TABLE(inside) HEAD MASS "tables:\n  t: {" inside "}\n"
  refuses(TABLE("x: [0, 1], y: [1]"), 4, 3, "has 2 x and 1 y");
  refuses(TABLE("x: [0], y: [1]"), 4, 3, "at least two points");
  refuses(TABLE("x: [0, 2, 1], y: [1, 2, 3]"), 4, 17, "does not ascend");
  refuses(TABLE("x: [0, 1], y: [1, a]"), 4, 25, "'a'");
  refuses(TABLE("x: [0, 1]"), 4, 3, "tables.t has no 'y'");
  refuses(TABLE("x: 0, y: [1, 2]"), 4, 10, "a list of numbers is expected");
  refuses(TABLE("file: a.csv, x: 1, y: 2"), 4, 13, "has no files");
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_definition_is_filled),
    cmocka_unit_test(parameters_stand_in_any_order),
    cmocka_unit_test(units_of_a_model),
    cmocka_unit_test(options_of_simulate),
    cmocka_unit_test(every_key_of_simulate_is_an_option),
    cmocka_unit_test(faults_of_keys_and_values),
    cmocka_unit_test(several_faults_come_at_once_in_order),
    cmocka_unit_test(at_most_twenty_are_shown),
    cmocka_unit_test(faults_of_tables),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
