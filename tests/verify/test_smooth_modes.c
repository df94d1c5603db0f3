/* test_smooth_modes.c - `smooth` with the fast modes of flexible bodies: error and evaluations
 * against runs that resolve every vibration, and what it refuses. */
#include "verify/mechanics.h"

/* A steel bar falls on a hinge; its modes vibrate from 115 Hz on. */
#define ROD(width, averaged)                                                                  \
  "trammel: 1\ngravity: [0, 0, -9.81]\nflexible:\n  bar:\n"                                   \
  "    box: {size: [1, " width ", 0.03], cells: [10, 1, 1]}\n    at: [0, 0, -0.015]\n"        \
  "    material: {E: 2e11, nu: 0, density: 1000}\n    damping: 0\n"                           \
  "    interfaces: {root: {nodes: XMIN}, tip: {nodes: XMAX}}\n"                               \
  "    modes: {fixed: 0, inertia: false" averaged "}\n"                                       \
  "joints: {pin: {type: revolute, bodies: [ground, bar.root], at: [0, 0, 0],\n"               \
  "               axis: [0, 1, 0]}}\noutputs: {angle: pin.angle}\nsimulate: {end: 1}\n"

/* A ladder frame on a hinge along its rear cross member. */
#define FRAME                                                                                 \
  "trammel: 1\ngravity: [0, 0, -9.81]\nflexible:\n  frame:\n"                                 \
  "    frame: {size: [2, 0.55], tube: [0.05, 0.1, 0.004], cells: [2, 2, 2], element: C3D8I}\n" \
  "    material: {E: 2.1e11, nu: 0.3, density: 7850}\n    damping: 0\n"                       \
  "    interfaces: {rear: {nodes: XMIN}, front: {nodes: XMAX, type: average}}\n"              \
  "    modes: {fixed: 0, inertia: false, averaged: 10 Hz}\n"                                  \
  "joints: {hinge: {type: revolute, bodies: [ground, frame.rear], at: [0, 0, 0],\n"           \
  "                 axis: [0, 1, 0]}}\noutputs: {angle: hinge.angle}\nsimulate: {end: 1}\n"

/* Angle at the end and evaluations of the equations. */
static double run_with(const typed *m, const char *integrator, double tolerance, long *count) {
  double angle = 0.0;
  trm_error err = {.message = ""};
  trm_options o = trm_options_default();
  o.integrator = integrator;
  o.tolerance = tolerance;
  o.end = 1.0;
  trm_sim *sim = kit_sim(m->system, &o);
  kit_run(sim);
  CHECK_OK(trm_sim_outputs(sim, &angle, &err), err);
  *count = trm_sim_counters(sim)->residuals;
  trm_sim_free(sim);
  return angle;
}

/* At 1e-6 `smooth` must be as good as its tolerance makes the slow motion, 1e-5 of an angle of
 * three after some ten steps, in a thirtieth of the evaluations of radau at the same tolerance. */
static void check_model(const char *text, const char *name) {
  typed m = typed_text(text, name, NULL);
  long count[3];
  const double exact = run_with(&m, "radau", 1e-10, &count[0]);
  const double resolved = run_with(&m, "radau", 1e-6, &count[1]);
  const double smooth = run_with(&m, "smooth", 1e-6, &count[2]);
  print_message("%s: smooth %.1e in %ld evaluations, radau %.1e in %ld\n", name,
                fabs(smooth - exact), count[2], fabs(resolved - exact), count[1]);
  CHECK_NEAR(smooth, exact, 1e-5, "%s: angle", name);
  assert_true(30 * count[2] < count[1]);
  typed_close(&m);
}

static void a_rod_swings_without_its_vibrations_resolved(void **state) {
  (void)state;
  check_model(ROD("0.05", ", averaged: 10 Hz"), "rod");
}

static void a_frame_swings_without_its_vibrations_resolved(void **state) {
  (void)state;
  check_model(FRAME, "frame");
}

/* Modes that exchange energy, and bodies without averaged modes. */
static void what_it_cannot_do_is_named(void **state) {
  (void)state;
  static const char *const texts[2] = {ROD("0.03", ", averaged: 10 Hz"), ROD("0.05", "")};
  static const char *const words[2] = {"nearly in a ratio of two", "'smooth' needs stiff forces"};
  for (int i = 0; i < 2; i++) {
    typed m = typed_text(texts[i], "rod", NULL);
    trm_options o = trm_options_default();
    trm_error err = {.message = ""};
    trm_sim *sim = NULL;
    o.integrator = "smooth";
    o.end = 1.0;
    trm_status status = trm_sim_create(m.system, &o, &sim, &err);
    if (status == TRM_OK) status = trm_sim_run(sim, &err);
    assert_true(status < 0);
    if (strstr(err.message, words[i]) == NULL) fail_msg("%s", err.message);
    if (i == 0) assert_string_equal(err.object, "body 'bar'");
    trm_sim_free(sim);
    typed_close(&m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_rod_swings_without_its_vibrations_resolved),
    cmocka_unit_test(a_frame_swings_without_its_vibrations_resolved),
    cmocka_unit_test(what_it_cannot_do_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
