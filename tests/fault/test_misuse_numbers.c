/* test_misuse_numbers.c - numbers that are none, counts without end, parts of other mechanisms and
 * points that are not there, in calls for mechanisms, analyses, spectra, stress and run files. Each
 * gives a status with a sentence, or an empty answer. Also under sanitizers. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c) */
#include "fault/bob.h"
#include "trammel/trammel.h"
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static const char BAR[] =
    "trammel: 1\nflexible: {f: {box: {size: [1, 0.1, 0.1], cells: [2, 1, 1]}, material: {E: 1e9, "
    "nu: 0.3, density: 1000}, interfaces: {r: {nodes: XMIN}}, modes: {fixed: 1}}}\n"
    "joints: {c: {type: fixed, bodies: [ground, f.r]}}\n";
static const double none[] = {NAN, INFINITY, -INFINITY};
enum { NONE = 3 };

static int ncases;

static void refused(trm_status status, const trm_error *err, const char *words) {
  ncases++;
  assert_int_equal(status, TRM_ERR_INPUT);
  assert_int_equal(err->status, status);
  check_says(err->message, words, "refused");
}

static trm_system *open_system(const char *text) {
  trm_model *model;
  trm_system *system;
  trm_error err;
  CHECK_OK(trm_model_read_text(text, "m", NULL, 0, NULL, &model, &err), err);
  CHECK_OK(trm_model_create_system(model, NULL, &system, &err), err);
  trm_model_free(model);
  return system;
}

static trm_sim *open_sim(trm_system *system) {
  trm_options o = trm_options_default();
  trm_sim *sim;
  trm_error err;
  o.end = 0.1, o.outputs = 10;
  CHECK_OK(trm_sim_create(system, &o, &sim, &err), err);
  return sim;
}

static trm_body_def ball(void) {
  trm_body_def def = trm_body_default();
  def.mass = def.inertia[0] = def.inertia[1] = def.inertia[2] = 1.0;
  return def;
}

/* ---- mechanisms ----------------------------------------------------------------------------- */

static void units_without_size(void **state) {
  (void)state;
  trm_mechanism *m;
  trm_error err;
  CHECK_OK(trm_mechanism_create(NULL, &m, &err), err);
  for (int i = 0; i < NONE; i++) {
    const char *words = "is not the size of a unit";
    refused(trm_mechanism_set_unit_sizes(m, none[i], 1, 1, 1, &err), &err, words);
    refused(trm_mechanism_set_unit_sizes(m, 1, 1, 1, none[i], &err), &err, words);
  }
  refused(trm_mechanism_set_unit_sizes(m, 1, 1, 1e-320, 1, &err), &err, "from 1e-30 to 1e+30");
  refused(trm_mechanism_set_units(m, "", &err), &err, "no unit of length");
  refused(trm_mechanism_set_units(m, "m-m-m-m", &err), &err, "a second unit of length");
  trm_mechanism_free(m);
}

static void numbers_of_parts(void **state) {
  (void)state;
  trm_mechanism *m;
  trm_part part;
  trm_error err;
  trm_body_def def = ball();
  CHECK_OK(trm_mechanism_create(NULL, &m, &err), err);
  CHECK_OK(trm_add_body(m, "b", &def, &part, &err), err);
  for (int i = 0; i < NONE; i++) {
    refused(trm_set_number(m, part, "mass", none[i], &err), &err, "mass: ");
  }
  def.mass = INFINITY;
  refused(trm_add_body(m, "c", &def, NULL, &err), &err, "inf is out of range");
  def = ball(), def.at[0] = 1.0; /* and no more of them */
  refused(trm_add_body(m, "c", &def, NULL, &err), &err, "'at' must have 3 numbers, not 1");
  trm_beam_def beam = trm_beam_default();
  beam.markers[0] = beam.markers[1] = "ground", beam.elements = INT_MAX;
  refused(trm_add_beam(m, "r", &beam, NULL, &err), &err, "");
  trm_contact_def contact = trm_contact_default();
  contact.between[0] = contact.between[1] = "b", contact.stiffness = 1e6, contact.places = INT_MAX;
  refused(trm_add_contact(m, "c", &contact, NULL, &err), &err, "places: ");
  trm_table_def table = trm_table_default();
  table.x = table.y = (trm_numbers){.list = NULL, .count = INT_MAX}; /* takes no memory */
  refused(trm_add_table(m, "t", &table, NULL, &err), &err, "");
  trm_mechanism_free(m);
}

static void parts_of_another_mechanism(void **state) {
  (void)state;
  trm_mechanism *m, *other;
  trm_part part;
  trm_error err;
  double number;
  const trm_body_def def = ball();
  const trm_marker_def marker = trm_marker_default();
  CHECK_OK(trm_mechanism_create(NULL, &m, &err), err);
  CHECK_OK(trm_mechanism_create(NULL, &other, &err), err);
  CHECK_OK(trm_add_body(m, "b", &def, &part, &err), err);
  refused(trm_add_marker(other, part, "e", &marker, NULL, &err), &err, "must belong to a body");
  refused(trm_set_number(other, part, "mass", 1.0, &err), &err, "no such part");
  refused(trm_get_number(other, part, "mass", &number, &err), &err, "no such part");
  refused(trm_set_text(other, part, "mass", "1", &err), &err, "no such part");
  refused(trm_add_assignment(m, part, "x", &(trm_assignment_def){"1"}, NULL, &err), &err,
          "must belong to an event");
  part.inner = INT_MAX;
  refused(trm_get_number(m, part, "mass", &number, &err), &err, "no such part");
  trm_mechanism_free(m);
  trm_mechanism_free(other);
}

/* ---- analyses ------------------------------------------------------------------------------- */

static void numbers_of_analyses(void **state) {
  (void)state;
  trm_system *system = open_system(BOB_MODEL);
  trm_linear_model *linear;
  trm_modes *modes;
  trm_static *rest;
  trm_amplification found;
  trm_error err;
  double re[64], im[64];
  int count;
  const trm_linear_options plain = trm_linear_options_default();
  trm_modes_options m = trm_modes_options_default();
  trm_static_options s = trm_static_options_default();
  trm_options o = trm_options_default();
  o.end = 1.0, m.count = -3, s.max_iterations = -4;
  refused(trm_modes_find(system, NULL, &m, &modes, &err), &err, "-3 modes are asked for");
  refused(trm_static_find(system, &s, &rest, &err), &err, "-4 iterations are asked for");
  m.count = 0, m.start = s.start = INFINITY, s.max_iterations = 0;
  refused(trm_modes_find(system, NULL, &m, &modes, &err), &err, "is not a time");
  refused(trm_static_find(system, &s, &rest, &err), &err, "is not a time");
  CHECK_OK(trm_linear_model_find(system, NULL, &plain, &linear, &err), err);
  for (int i = 0; i < NONE; i++) {
    refused(trm_linear_model_response(linear, none[i], re, im, &err), &err, "not finite");
    refused(trm_amplification_find(&o, none[i], &found, &err), &err, "expected a number");
  }
  refused(trm_linear_model_zeros(linear, 7, 0, &count, re, im, &err), &err, "there is no input 7");
  trm_linear_model_free(linear);
  trm_system_free(system);
}

static void samples_of_spectra(void **state) {
  (void)state;
  double t[16], x[16];
  trm_spectrum *spectrum;
  trm_error err;
  for (int i = 0; i < 16; i++) t[i] = i, x[i] = sin(i);
  for (int i = 0; i < NONE; i++) {
    t[3] = none[i];
    refused(trm_spectrum_create(t, x, 16, NULL, &spectrum, &err), &err, "sample ");
    t[3] = 3.0, x[5] = none[i];
    refused(trm_spectrum_create(t, x, 16, NULL, &spectrum, &err), &err, "sample 6 of 16");
    x[5] = 0.0;
  }
  for (int i = 0; i < 16; i++) t[i] = 0.0;
  refused(trm_spectrum_create(t, x, 16, NULL, &spectrum, &err), &err, "are too few");
}

/* All at once on one system, each in a thread. */
static void *find_modes(void *system) {
  const trm_modes_options o = trm_modes_options_default();
  trm_modes *modes = NULL;
  const trm_status status = trm_modes_find(system, NULL, &o, &modes, NULL);
  trm_modes_free(modes);
  return status == TRM_OK ? NULL : system;
}

static void *find_rest(void *system) {
  const trm_static_options o = trm_static_options_default();
  trm_static *rest = NULL;
  const trm_status status = trm_static_find(system, &o, &rest, NULL);
  trm_static_free(rest);
  return status == TRM_OK ? NULL : system;
}

static void analyses_in_threads(void **state) {
  (void)state;
  trm_system *system = open_system(BOB_MODEL);
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) {
    pthread_create(&threads[i], NULL, i % 2 == 0 ? find_modes : find_rest, system);
  }
  for (int i = 0; i < 4; i++) {
    void *failed;
    pthread_join(threads[i], &failed);
    assert_null(failed);
  }
  trm_system_free(system);
}

/* ---- flexible bodies and run files ---------------------------------------------------------- */

static void points_that_are_not_there(void **state) {
  (void)state;
  trm_system *system = open_system(BAR);
  const trm_flexible_surface surface = trm_flexible_surface_at(system, 0);
  const trm_flexible_surface empty = trm_flexible_surface_at(system, 7);
  const int points[] = {-1, INT_MAX, INT_MIN, surface.points};
  double a[64] = {1.0}, u[6];
  assert_in_range(surface.columns, 1, 64);
  for (int i = 0; i < 4; i++, ncases++) {
    trm_surface_displacement(&surface, points[i], a, u);
    assert_true(u[0] == 0.0 && u[1] == 0.0 && u[2] == 0.0);
    trm_surface_stress(&surface, points[i], a, u);
    assert_true(u[0] == 0.0 && u[5] == 0.0);
  }
  trm_surface_displacement(NULL, 0, a, u);
  trm_surface_displacement(&empty, 0, a, u);
  trm_surface_stress(&empty, 0, a, u);
  trm_surface_stress(&surface, 0, NULL, u);
  trm_surface_stress(&surface, 0, a, NULL);
  assert_true(trm_flexible_mode_at(system, 0, INT_MAX).frequency == 0.0);
  trm_system_free(system);
}

static void signals_that_are_not_there(void **state) {
  (void)state;
  trm_system *system = open_system(BAR);
  trm_sim *sim = open_sim(system);
  trm_run_sink *file;
  trm_run *run;
  trm_error err;
  char path[64];
  double v[64];
  int signal;
  snprintf(path, sizeof path, "/tmp/trammel-numbers-%ld.h5", (long)getpid());
  const trm_run_facts facts = trm_run_facts_default(sim);
  CHECK_OK(trm_run_sink_create(path, &facts, NULL, &file, &err), err);
  const trm_sink sink = trm_run_sink_of(file);
  CHECK_OK(trm_sim_add_sink(sim, &sink, &err), err);
  CHECK_OK(trm_sim_run(sim, &err), err);
  trm_run_sink_free(file);
  CHECK_OK(trm_run_open(path, NULL, &run, &err), err);
  const trm_run_amplitudes wrong = {.mode = -5, .modes = INT_MAX, .heat = 3, .columns = -1};
  refused(trm_run_read_amplitudes(run, &wrong, 0, 1, v, &err), &err, "of signal -5");
  refused(trm_run_find_modes(run, system, -1, &signal, &err), &err, "no flexible body -1");
  refused(trm_run_read_block(run, 0, INT_MAX, 0, 1, v, &err), &err, "samples from number");
  refused(trm_run_read_checkpoint(run, -1, v, &err), &err, "checkpoint -1");
  trm_run_close(run);
  unlink(path);
  trm_sim_free(sim);
  trm_system_free(system);
}

static void there_are_40_and_more(void **state) {
  (void)state;
  assert_in_range(ncases, 40, 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(units_without_size),
    cmocka_unit_test(numbers_of_parts),
    cmocka_unit_test(parts_of_another_mechanism),
    cmocka_unit_test(numbers_of_analyses),
    cmocka_unit_test(samples_of_spectra),
    cmocka_unit_test(analyses_in_threads),
    cmocka_unit_test(points_that_are_not_there),
    cmocka_unit_test(signals_that_are_not_there),
    cmocka_unit_test(there_are_40_and_more),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
