/* test_plugins.c - forces from shared libraries: the same motion as built-in ones, and a sentence
 * for everything that can be wrong with a library. */
#include "io/model_file.h"
#include "verify/claims.h"
#include "verify/mechanics.h"

#define TWO_BODIES                                                                      \
  "trammel: 1\n"                                                                        \
  "bodies:\n"                                                                           \
  "  a: {mass: 1.3, inertia: [.3, .5, .6], at: [.1, .2, -.3], velocity: [.1, 0, .2],\n" \
  "      markers: {m: {at: [.3, .1, -.2]}}}\n"                                          \
  "  b: {mass: .8, inertia: [.2, .3, .4], at: [1, .3, .4], velocity: [-.2, .1, 0],\n"   \
  "      markers: {m: {at: [-.2, .3, .1]}}}\n"
#define FORCE(keys) TWO_BODIES "forces:\n  s: {" keys "}\n"
#define ENDS "markers: [a.m, b.m], "
#define BUILT_IN FORCE("type: spring, " ENDS "stiffness: 13, damping: 3, length: .4")
#define SPRING(function)                                                     \
  FORCE("type: plugin, " ENDS "library: " TEST_PLUGINS "spring_plugin.so,\n" \
        "      function: " function ", parameters: [13, 3, .4]")

static const double two_bodies[2][4] = {{1.3, .3, .5, .6}, {.8, .2, .3, .4}}; /* their inertia */

static void a_plugin_moves_bodies_as_the_built_in_spring(void **state) {
  (void)state;
  static const char *const same[] = {SPRING("spring"), SPRING("spring_exact")};
  mechanics built_in = mechanics_run(BUILT_IN, 2.0);
  for (int i = 0; i < 2; i++) {
    mechanics m = mechanics_run(same[i], 2.0);
    momenta at_start, at_end;
    point start;
    for (int k = 0; k < 14; k++) { /* rounding; the explicit method takes no derivatives */
      CHECK_NEAR(m.end->s.q[k], built_in.end->s.q[k], 1e-12, "function %d, q%d", i, k);
    }
    mechanics_start(&m.model, &start);
    momenta_of(&m.model, &start, two_bodies, 2, &at_start);
    momenta_of(&m.model, m.end, two_bodies, 2, &at_end);
    for (int k = 0; k < 3; k++) { /* tolerance 1e-12 over some hundred steps */
      CHECK_NEAR(at_end.linear[k], at_start.linear[k], 1e-10, "momentum %d", k);
      CHECK_NEAR(at_end.angular[k], at_start.angular[k], 1e-9, "angular momentum %d", k);
    }
    mechanics_close(&m);
  }
  mechanics_close(&built_in);
}

/* Force and torque are names for outputs: here the force is all that moves b, and a spring between
 * markers has no torque. */
static void loads_of_a_plugin_are_names(void **state) {
  (void)state;
  outputs_are_zero(SPRING("spring")
                   "outputs:\n  x: s.force.x - .8*b.vx'\n  y: s.force.y - .8*b.vy'\n"
                   "  z: s.force.z - .8*b.vz'\n  torque: hypot(s.torque.x, s.torque.y)\n"
                   "  size: s.B.force.x^2 + s.B.force.y^2 + s.B.force.z^2 -\n"
                   "        s.force.x^2 - s.force.y^2 - s.force.z^2\n"
                   "  some: if(hypot(s.force.x, s.force.y) > 1e-3, 0, 1)\nsimulate: {end: .5}\n",
                   "names", WAYS({"explicit", 1e-9, 1e-7})); /* samples between steps */
}

/* Newton's matrix from the library, from differences and from nodes: the same steps. */
static long steps_of(const char *text, point *end) {
  typed m = typed_text(text, "test", NULL);
  trm_options o = trm_options_default();
  o.integrator = "radau";
  o.tolerance = 1e-9;
  o.end = 2.0;
  trm_sim *sim = kit_sim(m.system, &o);
  kit_run(sim);
  point_clear(end);
  trmi_state_copy(m.system, trm_sim_state(sim), &end->s);
  const long steps = trm_sim_counters(sim)->steps;
  trm_sim_free(sim);
  typed_close(&m);
  return steps;
}

static void implicit_methods_converge_with_the_derivatives_of_a_plugin(void **state) {
  (void)state;
  static const char *const same[] = {SPRING("spring"), SPRING("spring_exact")};
  point built_in, other;
  const long steps = steps_of(BUILT_IN, &built_in);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(steps_of(same[i], &other), steps);
    for (int k = 0; k < 14; k++) { /* what Newton leaves at 1e-9 */
      CHECK_NEAR(other.s.q[k], built_in.s.q[k], 1e-10, "function %d, q%d", i, k);
    }
  }
}

/* ---- faults -------------------------------------------------------------------------------- */

#define LIBRARY(file, function) \
  FORCE("type: plugin, " ENDS "library: " TEST_PLUGINS file ", function: " function)

static void a_library_that_does_not_fit_is_named(void **state) {
  (void)state;
  static const struct { const char *text, *sentence; } cases[] = {
    {FORCE("type: plugin, " ENDS "function: spring"), "it needs a 'library'"},
    {FORCE("type: plugin, " ENDS "library: a.so"), "it needs a 'function'"},
    {LIBRARY("missing.so", "spring"), "cannot be opened"},
    {FORCE("type: plugin, " ENDS "library: missing.so, function: f"), "cannot be opened"},
    {LIBRARY("../CMakeCache.txt", "spring"), "cannot be opened"},
    {LIBRARY("no_plugin.so", "spring"), "is not a plug-in"},
    {LIBRARY("old_plugin.so", "spring"), "was built for version 100 of plug-ins, this program has "
                                         "version 1"},
    {LIBRARY("spring_plugin.so", "sprnig"), "has no function 'sprnig'"},
    {LIBRARY("spring_plugin.so", "system"), "has no function 'system'"}, /* libc has one */
    {LIBRARY("no_plugin.so", "trm_plugin_version"), "is not a plug-in"},
    {FORCE("type: plugin, markers: [a.m, c], library: x.so, function: f"), "no body or marker 'c'"},
    {FORCE("type: plugin, " ENDS "library: x.so, function: f, value: 3"), "has no 'value'"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    mechanics_complaint(cases[i].text, 8, cases[i].sentence);
  }
}

/* A function that fails in the middle of a run ends it, with the name of the force. */
static void a_function_that_fails_is_named(void **state) {
  (void)state;
  static const struct { const char *text, *sentence; } cases[] = {
    {LIBRARY("odd_plugin.so", "refuse, parameters: [.3]"), "refused with status 7"},
    {LIBRARY("odd_plugin.so", "not_finite, parameters: [.3]"), "is not finite"},
    {LIBRARY("spring_plugin.so", "spring"), "refused with status 1"},
  };
  static const char *const integrators[] = {"explicit", "hht"};
  for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
    typed m = typed_text(cases[i / 2].text, "test", NULL);
    trm_options o = trm_options_default();
    trm_error err = {.message = ""};
    trm_sim *sim = NULL;
    o.integrator = integrators[i % 2];
    o.end = 1.0;
    trm_status status = trm_sim_create(m.system, &o, &sim, &err);
    if (status == TRM_OK) status = trm_sim_run(sim, &err);
    assert_int_not_equal(status, TRM_OK);
    if (strstr(err.message, cases[i / 2].sentence) == NULL) fail_msg("%s", err.message);
    assert_string_equal(err.object, "force 's'");
    trm_sim_free(sim);
    typed_close(&m);
  }
}

/* A library stands beside the file that names it. */
static void a_library_is_found_beside_the_model(void **state) {
  (void)state;
  const char *path = TEST_PLUGINS "beside.yaml";
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(FORCE("type: plugin, " ENDS "library: odd_plugin.so, function: busy"), file);
  fclose(file);
  trm_error err = {.message = ""};
  trm_model *model = NULL;
  trm_system *system = NULL;
  CHECK_OK(trm_model_read_file(path, NULL, 0, NULL, &model, &err), err);
  trm_model_use_plugins(model, TRM_PLUGINS_LOADED);
  CHECK_OK(trm_model_create_system(model, NULL, &system, &err), err);
  trm_system_free(system);
  trm_model_free(model);
  remove(path);
}

/* The core opens no files: without the loader of io, what a model names outside is a fault. */
static void without_a_loader_nothing_is_opened(void **state) {
  (void)state;
  static const struct {
    const char *text, *sentence;
  } cases[] = {
    {SPRING("spring"), "force 's': the library cannot be opened: this program opens no libraries"},
    {"trammel: 1\nbodies: {a: {density: 1, shape: {mesh: {file: " TEST_DATA
     "/model/tetrahedron.stl}}}}\n", "tetrahedron.stl': this program reads no files"},
  };
  for (int i = 0; i < 2; i++) {
    trm_error err = {.message = ""};
    trm_model *model = NULL;
    trm_system *first = NULL, *second = NULL;
    CHECK_OK(trm_model_read_stored(cases[i].text, "test", NULL, 0, NULL, &model, &err), err);
    trm_model_use_plugins(model, TRM_PLUGINS_LOADED);
    CHECK_OK(trm_model_create_system(model, NULL, &first, &err), err); /* a mesh: by reading */
    model->def.loader = NULL;
    CHECK_STATUS(trm_model_create_system(model, NULL, &second, &err), TRM_ERR_INPUT);
    if (strstr(err.message, cases[i].sentence) == NULL) fail_msg("case %d: %s", i, err.message);
    trm_system_free(first);
    trm_model_free(model);
  }
}

/* Reading opens nothing: a library that is not one is no fault of the text, and without a word from
 * the caller no system is made. */
static void a_library_is_opened_only_when_allowed(void **state) {
  (void)state;
  trm_error err = {.message = ""};
  trm_model *model = NULL;
  trm_system *system = NULL;
  const char *text = LIBRARY("no_plugin.so", "spring");
  CHECK_OK(trm_model_read_text(text, "test", NULL, 0, NULL, &model, &err), err);
  assert_int_equal(trm_model_plugin_count(model), 1);
  assert_string_equal(trm_model_plugin_at(model, 0).force, "s");
  assert_string_equal(trm_model_plugin_at(model, 0).library, TEST_PLUGINS "no_plugin.so");
  assert_string_equal(trm_model_plugin_at(model, 0).function, "spring");
  assert_null(trm_model_plugin_at(model, 1).force);
  assert_null(trm_model_plugin_at(model, -1).force);
  CHECK_STATUS(trm_model_create_system(model, NULL, &system, &err), TRM_ERR_INPUT);
  assert_non_null(strstr(err.message, "test:8:"));
  assert_non_null(strstr(err.message, "force 's' needs the plug-in"));
  trm_model_use_plugins(model, TRM_PLUGINS_SKIPPED);
  CHECK_OK(trm_model_create_system(model, NULL, &system, &err), err);
  trm_system_free(system);
  trm_model_use_plugins(model, TRM_PLUGINS_LOADED);
  CHECK_STATUS(trm_model_create_system(model, NULL, &system, &err), TRM_ERR_INPUT);
  assert_non_null(strstr(err.message, "is not a plug-in"));
  trm_model_free(model);
}

/* A text reads no meshes; a text that a run file kept does. */
static void a_text_reads_no_files(void **state) {
  (void)state;
  trm_error err = {.message = ""};
  trm_model *model = NULL;
  const char *text = "trammel: 1\nbodies: {a: {density: 1, shape: {mesh: {file: " TEST_DATA
                     "/model/tetrahedron.stl}}}}\n";
  CHECK_STATUS(trm_model_read_text(text, "test", NULL, 0, NULL, &model, &err), TRM_ERR_INPUT);
  assert_non_null(strstr(err.message, "a model given as a text has no files"));
  trm_model_free(model);
  CHECK_OK(trm_model_read_stored(text, "test", NULL, 0, NULL, &model, &err), err);
  trm_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_plugin_moves_bodies_as_the_built_in_spring),
    cmocka_unit_test(loads_of_a_plugin_are_names),
    cmocka_unit_test(implicit_methods_converge_with_the_derivatives_of_a_plugin),
    cmocka_unit_test(a_library_that_does_not_fit_is_named),
    cmocka_unit_test(a_function_that_fails_is_named),
    cmocka_unit_test(a_library_is_found_beside_the_model),
    cmocka_unit_test(without_a_loader_nothing_is_opened),
    cmocka_unit_test(a_library_is_opened_only_when_allowed),
    cmocka_unit_test(a_text_reads_no_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
