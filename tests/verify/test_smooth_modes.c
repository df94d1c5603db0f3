/* test_smooth_modes.c - `smooth` with the fast modes of flexible bodies and beams: error and
 * evaluations against runs that resolve every vibration, and what it refuses. */
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

/* The same bar as a beam. */
#define BEAM(width, averaged)                                                                 \
  "trammel: 1\ngravity: [0, 0, -9.81]\nbeams:\n  bar:\n"                                      \
  "    points: [[0, 0, 0], [1, 0, 0]]\n    elements: 3\n    E: 2e11\n    G: 1e11\n"         \
  "    section: {rectangle: [" width ", 0.03]}\n    density: 1000\n" averaged                \
  "joints: {pin: {type: revolute, bodies: [ground, bar.first], at: [0, 0, 0],\n"              \
  "               axis: [0, 1, 0]}}\noutputs: {angle: pin.angle}\nsimulate: {end: 1}\n"

/* A slider crank with a beam as its rod, falling from the stretched pose. */
#define CRANK(pin)                                                                            \
  "trammel: 1\ngravity: [0, 0, -9.81]\nbodies:\n"                                            \
  "  crank: {mass: 1, inertia: [0.01, 0.01, 0.01], at: [0.1, 0, 0]}\nbeams:\n  rod:\n"       \
  "    points: [[0.2, 0, 0], [0.8, 0, 0]]\n    elements: 3\n    E: 2e11\n    G: 8e10\n"     \
  "    section: {rectangle: [0.02, 0.02]}\n    density: 7850\n    averaged: 50 Hz\n"         \
  "joints:\n  shaft: {type: revolute, bodies: [ground, crank], at: [0, 0, 0],\n"             \
  "          axis: [0, 1, 0]}\n  big: " pin "\n"                                             \
  "  small: {type: point_on_line, bodies: [ground, rod.last], at: [0.8, 0, 0],\n"            \
  "          axis: [1, 0, 0]}\noutputs: {angle: shaft.angle}\nsimulate: {end: 0.5}\n"
#define BALL "{type: spherical, bodies: [crank, rod.first], at: [0.2, 0, 0]}"
#define HINGE "{type: revolute, bodies: [crank, rod.first], at: [0.2, 0, 0], axis: [0, 1, 0]}"

/* Angle at the end and evaluations of the equations. */
static double run_with(const typed *m, const char *integrator, double tolerance, long *count) {
  double angle = 0.0;
  trm_error err = {.message = ""};
  trm_options o = trm_options_default();
  o.integrator = integrator;
  o.tolerance = tolerance;
  o.end = m->options.end;
  trm_sim *sim = kit_sim(m->system, &o);
  kit_run(sim);
  CHECK_OK(trm_sim_outputs(sim, &angle, &err), err);
  *count = trm_sim_counters(sim)->residuals;
  trm_sim_free(sim);
  return angle;
}

/* At 1e-6 `smooth` must be as good as its tolerance makes the slow motion, 1e-5 of an angle of
 * three after some ten steps, in a thirtieth of the evaluations of radau at the same tolerance.
 * Of beams radau damps fast vibrations at 1e-6: its tolerance is one with which it is as exact. */
static void check_tight(const char *text, const char *name, const double tolerance[2], long part) {
  typed m = typed_text(text, name, NULL);
  long count[3];
  const double exact = run_with(&m, "radau", 1e-10, &count[0]);
  const double resolved = run_with(&m, "radau", tolerance[0], &count[1]);
  const double smooth = run_with(&m, "smooth", tolerance[1], &count[2]);
  print_message("%s: smooth %.1e in %ld evaluations, radau %.1e in %ld\n", name,
                fabs(smooth - exact), count[2], fabs(resolved - exact), count[1]);
  CHECK_NEAR(smooth, exact, 1e-5, "%s: angle", name);
  assert_true(part * count[2] < count[1]);
  typed_close(&m);
}

static void check_model(const char *text, const char *name) {
  check_tight(text, name, (const double[]){1e-6, 1e-6}, 30);
}

static void a_rod_swings_without_its_vibrations_resolved(void **state) {
  (void)state;
  check_model(ROD("0.05", ", averaged: 10 Hz"), "rod");
}

static void a_frame_swings_without_its_vibrations_resolved(void **state) {
  (void)state;
  check_model(FRAME, "frame");
}

/* Frequencies in a ratio of two do no harm where symmetry keeps their modes apart: bending and
 * stretch of a square bar, bending and torsion of a flat one. */
static void ratios_of_two_are_allowed_where_modes_do_not_touch(void **state) {
  (void)state;
  check_model(ROD("0.03", ", averaged: 10 Hz"), "square rod");
}

static void a_beam_swings_without_its_vibrations_resolved(void **state) {
  (void)state;
  check_tight(BEAM("0.05", "    averaged: 10 Hz\n"), "beam", (const double[]){1e-6, 1e-6}, 10);
}

/* Vibrations below the cut are part of the slow motion: 436 and 727 Hz of the free beam. */
static void a_cut_frequency_leaves_slow_vibrations(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int         count;
  } cuts[] = {{BEAM("0.05", "    averaged: 10 Hz\n"), 36},
              {BEAM("0.05", "    averaged: 500 Hz\n"), 35},
              {BEAM("0.05", "    averaged: 800 Hz\n"), 34}};
  for (int i = 0; i < 3; i++) {
    typed m = typed_text(cuts[i].text, "cut", NULL);
    assert_int_equal(trm_system_sizes(m.system)->nstiff, cuts[i].count);
    typed_close(&m);
  }
}

/* In a loop, at a tolerance where the slow motion is as exact as that of radau. */
static void a_crank_turns_with_a_beam_as_its_rod(void **state) {
  (void)state;
  check_tight(CRANK(BALL), "crank", (const double[]){1e-8, 1e-7}, 15);
}

/* eta, B, K of a moving beam, and the same bits after a restart. */
static void blocks_and_restarts_of_beams(void **state) {
  (void)state;
  typed m = typed_text(BEAM("0.05", "    averaged: 10 Hz\n    damping: 1e-6\n"), "beam", NULL);
  trm_block_check worst[TRM_BLOCKS];
  trm_error err = {.message = ""};
  static unsigned char data[1 << 17];
  bool done = false;
  trm_options o = m.options;
  o.integrator = "smooth";
  trm_sim *first = kit_sim(m.system, &o), *second = kit_sim(m.system, &o);
  for (int i = 0; i < 10; i++) CHECK_OK(trm_sim_step(first, &done, &err), err);
  CHECK_OK(trm_system_check_blocks(trm_sim_system(first), trm_sim_state(first), worst, &err), err);
  CHECK_NEAR(worst[TRM_STIFF_B].error, 0.0, 1e-7, "B against differences");
  const size_t size = trm_sim_save_size(first);
  assert_true(size <= sizeof data && !done);
  trm_sim_save(first, data);
  CHECK_OK(trm_sim_load(second, data, size, &err), err);
  kit_run(first);
  kit_run(second);
  const trm_sizes *n = trm_system_sizes(m.system);
  assert_memory_equal(trm_sim_state(first)->q, trm_sim_state(second)->q,
                      (size_t)(n->nv + n->nrot) * sizeof(double));
  trm_sim_free(first);
  trm_sim_free(second);
  typed_close(&m);
}

/* Rigid rods that could not move, bodies and beams without averaged modes, slow motions as fast as
 * the vibrations. */
static void what_it_cannot_do_is_named(void **state) {
  (void)state;
  static const struct {
    const char *text, *words, *object;
  } cases[] = {
      {ROD("0.05", ""), "'smooth' needs stiff forces", ""},
      {BEAM("0.05", ""), "'averaged: 50 Hz' for a beam", ""},
      {CRANK(HINGE), "nothing slow is left", "beam 'rod'"},
      {BEAM("0.05", "    averaged: 800 Hz\n"), "they are nearly as stiff", "beam 'bar'"},
      {BEAM("0.0005", "    averaged: 200 Hz\n"), "they are nearly as stiff", "beam 'bar'"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    typed m = typed_text(cases[i].text, "rod", NULL);
    trm_options o = trm_options_default();
    trm_error err = {.message = ""};
    trm_sim *sim = NULL;
    o.integrator = "smooth";
    o.end = m.options.end;
    trm_status status = trm_sim_create(m.system, &o, &sim, &err);
    if (status == TRM_OK) status = trm_sim_run(sim, &err);
    assert_true(status < 0);
    if (strstr(err.message, cases[i].words) == NULL) fail_msg("%s", err.message);
    assert_string_equal(err.object, cases[i].object);
    trm_sim_free(sim);
    typed_close(&m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_rod_swings_without_its_vibrations_resolved),
    cmocka_unit_test(a_frame_swings_without_its_vibrations_resolved),
    cmocka_unit_test(ratios_of_two_are_allowed_where_modes_do_not_touch),
    cmocka_unit_test(a_beam_swings_without_its_vibrations_resolved),
    cmocka_unit_test(a_cut_frequency_leaves_slow_vibrations),
    cmocka_unit_test(a_crank_turns_with_a_beam_as_its_rod),
    cmocka_unit_test(blocks_and_restarts_of_beams),
    cmocka_unit_test(what_it_cannot_do_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
