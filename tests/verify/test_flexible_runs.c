/* test_flexible_runs.c - runs of flexible bodies: order of every method on a pendulum and a slider
 * crank, shipped models against beams and closed forms, stress of bending. */
#include "trammel/analysis.h"
#include "trammel/flexible.h"
#include "trammel/stress.h"
#include "verify/mechanics.h"

/* Soft, so that steps resolve every mode. */
#define PENDULUM                                                                                 \
  "trammel: 1\ngravity: [0, 0, -9.81]\nflexible:\n  bar:\n"                                      \
  "    box: {size: [1, 0.1, 0.1], cells: [4, 1, 1]}\n"                                           \
  "    material: {E: 2e7, nu: 0, density: 1000}\n    interfaces: {root: {nodes: XMIN}}\n"        \
  "    modes: {fixed: 2, inertia: false}\n    damping: 0.01\n"                                   \
  "joints: {pin: {type: revolute, bodies: [ground, bar.root], at: [0, 0.05, 0.05],\n"            \
  "               axis: [0, 1, 0]}}\n"                                                           \
  "outputs: {z: bar.root.z, first: bar.mode1, second: bar.mode2}\nsimulate: {end: 0.1}\n"
#define CRANK                                                                                    \
  "trammel: 1\ngravity: [0, -9.81, 0]\nparameters: {r: 0.2, L: 0.5, omega: 20}\nbodies:\n"       \
  "  crank: {mass: 1, inertia: [1e-4, 0.01, 0.01], at: [r/2, 0, 0],\n"                           \
  "          velocity: [0, r*omega/2, 0], angular_velocity: [0, 0, omega]}\n"                    \
  "  slider: {mass: 3, inertia: [1e-4, 1e-4, 1e-4], at: [r + L, 0, 0]}\nflexible:\n  rod:\n"     \
  "    box: {size: [L, 0.02, 0.02], cells: [4, 1, 1]}\n"                                         \
  "    material: {E: 1e9, nu: 0, density: 1e4}\n"                                                \
  "    interfaces: {first: {nodes: XMIN}, last: {nodes: XMAX}}\n"                                \
  "    modes: {fixed: 0, inertia: false}\n    damping: 0.01\n    at: [r, -0.01, -0.01]\n"        \
  "    velocity: [-r*omega*0.01/L, r*omega, 0]\n    angular_velocity: [0, 0, -r*omega/L]\n"      \
  "joints:\n  pin: {type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: [0, 0, 1]}\n"  \
  "  knee: {type: spherical, bodies: [crank, rod.first], at: [r, 0, 0]}\n"                       \
  "  wrist: {type: universal, bodies: [rod.last, slider], at: [r + L, 0, 0], axis: [0, 1, 0],\n" \
  "          axis2: [0, 0, 1]}\n"                                                                \
  "  guide: {type: translational, bodies: [ground, slider], at: [r + L, 0, 0],\n"                \
  "          axis: [1, 0, 0]}\n"                                                                 \
  "outputs: {x: slider.x, first: rod.mode1, second: rod.mode2}\nsimulate: {end: 0.05}\n"

enum { OUTPUTS = 3, ENDS = 5 };

/* A method; its order with fixed steps. */
typedef struct method_case {
  const char *integrator, *formulation;
  int    max_order;
  double order;
} method_case;

static const method_case cases[] = {
    {"hht", NULL, 0, 2.0},    {"alpha", "si2", 0, 2.0}, {"alpha", "cm", 0, 2.0},
    {"bdf", NULL, 3, 3.0},    {"tdg", NULL, 0, 3.0},    {"radau", NULL, 0, 5.0},
    {"explicit", "dopri5", 0, 5.0},
};

/* Outputs at several times, of runs with fixed steps; h is zero: with a tolerance. */
static void outputs_of(const typed *m, const method_case *one, double h, double tolerance,
                       double out[ENDS * OUTPUTS]) {
  trm_error err = {.message = ""};
  trm_options o = m->options;
  o.integrator = one->integrator;
  o.formulation = one->formulation;
  o.max_order = h > 0.0 ? one->max_order : 0;
  o.tolerance = tolerance;
  o.nsteps = h > 0.0 ? 1 : 0;
  o.steps[0] = h;
  for (int k = 0; k < ENDS; k++) { /* one alone may be where an error crosses zero */
    o.end = m->options.end * (ENDS + k + 1) / (2.0 * ENDS);
    trm_sim *sim = kit_sim(m->system, &o);
    kit_run(sim);
    CHECK_OK(trm_sim_outputs(sim, out + OUTPUTS * k, &err), err);
    trm_sim_free(sim);
  }
}

static double distance(const double *a, const double *b) {
  double most = 0.0;
  for (int k = 0; k < ENDS * OUTPUTS; k++) most = fmax(most, fabs(a[k] - b[k]));
  return most;
}

static void check_orders(const char *text, const char *name, double h) {
  static const method_case finest = {"explicit", "dop853", 0, 8.0};
  double exact[ENDS * OUTPUTS], rough[ENDS * OUTPUTS], fine[ENDS * OUTPUTS];
  double loose[ENDS * OUTPUTS];
  typed m = typed_text(text, name, NULL);
  outputs_of(&m, &finest, 0.0, 1e-12, exact);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const method_case *one = &cases[i];
    outputs_of(&m, one, h, 0.0, rough);
    outputs_of(&m, one, 0.5 * h, 0.0, fine);
    const double error = distance(fine, exact), ratio = distance(rough, exact) / error;
    print_message("%s %s %s: %.1e at %g, order %.2f\n", name, one->integrator,
                  one->formulation != NULL ? one->formulation : "", error, 0.5 * h, log2(ratio));
    /* terms of the next order at h omega = 0.3 */
    CHECK_NEAR(log2(ratio), one->order, 0.1, "%s: order of %s", name, one->integrator);
    outputs_of(&m, one, 0.0, 1e-7, loose);
    /* local errors of 1e-7 in a few hundred steps, which the vibration carries on */
    CHECK_NEAR(distance(loose, exact), 0.0, 3e-5, "%s: %s at 1e-7", name, one->integrator);
  }
  typed_close(&m);
}

static void every_method_has_its_order_on_a_pendulum(void **state) {
  (void)state;
  check_orders(PENDULUM, "pendulum", 2e-3);
}

static void every_method_has_its_order_on_a_slider_crank(void **state) {
  (void)state;
  check_orders(CRANK, "slider crank", 2e-4);
}

/* A strip on two hinges under its weight q a length: in the middle it sags by 5 q L^4/(384 E I),
 * with the stress M c/I, M = q L^2/8. */
static void the_rod_of_the_slider_crank_sags_as_a_beam(void **state) {
  (void)state;
  typed m = typed_model("slider-crank-modal", (const trm_setting[]){{"nu", "0"}, {NULL, NULL}});
  trm_static_options options = trm_static_options_default();
  trm_static *rest = NULL;
  trm_error err = {.message = ""};
  double outputs[3], stress[6];
  CHECK_OK(trm_static_find(m.system, &options, &rest, &err), err);
  const trm_values values = {.outputs = outputs};
  const trm_state *s = trm_static_state(rest);
  CHECK_OK(trm_system_values(trm_static_system(rest), s, &values, &err), err);
  const double q = 2.0 * 9.81 / 0.5, L = 0.5, I = 0.102 * 0.005 * 0.005 * 0.005 / 12.0;
  const double sag = 5.0 * q * L * L * L * L / (384.0 * 2.1e11 * I);
  CHECK_NEAR(-outputs[2] / sag, 1.0, 5e-3, "sag"); /* its middle is an average of 13 nodes */
  const trm_flexible_surface surface = trm_flexible_surface_at(m.system, 0);
  const double *a = s->q + trm_system_count(m.system, TRM_Q) - surface.modes;
  const double bending = q * L * L / 8.0 * 0.0025 / I;
  int below = 0;
  for (int p = 0; p < surface.points; p++) {
    const double *x = surface.places + 3 * p;
    if (fabs(x[0] - 0.25) > 1e-9 || x[1] > 1e-9) continue; /* the middle of the lower side */
    trm_surface_stress(&surface, p, a, stress);
    CHECK_NEAR(stress[0] / bending, 1.0, 2e-2, "stress at node %d", surface.numbers[p]);
    CHECK_NEAR(trm_mises(stress) / bending, 1.0, 2e-2, "von Mises at node %d",
               surface.numbers[p]);
    below++;
  }
  assert_int_equal(below, 5);
  trm_static_free(rest);
  typed_close(&m);
}

/* 30 degrees, and what is left of the vibration; both panels do the same. */
static void the_satellite_turns_as_it_should(void **state) {
  (void)state;
  typed m = typed_model("satellite", NULL);
  double out[4];
  trm_error err = {.message = ""};
  trm_sim *sim = typed_sim(&m, "radau", 1e-6);
  kit_run(sim);
  CHECK_OK(trm_sim_outputs(sim, out, &err), err);
  CHECK_NEAR(out[0], 3.14159265358979323846 / 6.0, 2e-4, "angle"); /* vibrations of 1e-4 m/4 m */
  CHECK_NEAR(out[1], 0.0, 1e-3, "rate");
  CHECK_NEAR(out[2] + out[3], 0.0, 1e-9, "panels"); /* symmetry, to rounding and Newton */
  trm_sim_free(sim);
  typed_close(&m);
}

/* Held by its motor: F L^3/(3 E I) of the load and q L^4/(8 E I) of the tube to the side where
 * gravity acts. */
static void the_link_hangs_by_its_load(void **state) {
  (void)state;
  const trm_setting aside[] = {{"motions.motor.position", "0"}, {"gravity", "[9.81, 0, 0]"},
                               {NULL, NULL}};
  typed m = typed_model("flexible-link", aside);
  trm_static_options options = trm_static_options_default();
  trm_static *rest = NULL;
  trm_error err = {.message = ""};
  double outputs[3];
  CHECK_OK(trm_static_find(m.system, &options, &rest, &err), err);
  const trm_values values = {.outputs = outputs};
  CHECK_OK(trm_system_values(trm_static_system(rest), trm_static_state(rest), &values, &err), err);
  const double pi = 3.14159265358979323846;
  const double I = pi / 64.0 * (pow(0.04, 4) - pow(0.036, 4)), EI = 7e10 * I;
  const double q = 2700.0 * 9.81 * pi / 4.0 * (0.04 * 0.04 - 0.036 * 0.036);
  const double sag = 5.0 * 9.81 / (3.0 * EI) + q / (8.0 * EI);
  /* eight chords around, shear: 1 % each */
  CHECK_NEAR(outputs[0] / sag, 1.0, 0.02, "sag");
  trm_static_free(rest);
  typed_close(&m);
}

/* A beam of two rails on its ends: F L^3/(48 E I) of the load, 5 q L^4/(384 E I) of its own weight.
 * hht and radau agree after one corner was lifted. */
static void the_ladder_frame_has_many_modes_and_bends_as_a_beam(void **state) {
  (void)state;
  typed m = typed_model("ladder-frame", NULL);
  trm_static_options options = trm_static_options_default();
  trm_static *rest = NULL;
  trm_error err = {.message = ""};
  double outputs[3], other[3];
  assert_true(trm_flexible_at(m.system, 0).modes > 100);
  CHECK_OK(trm_static_find(m.system, &options, &rest, &err), err);
  const trm_values values = {.outputs = outputs};
  CHECK_OK(trm_system_values(trm_static_system(rest), trm_static_state(rest), &values, &err), err);
  const double I = 2.0 * (0.08 * pow(0.12, 3) - 0.068 * pow(0.108, 3)) / 12.0, EI = 2.1e11 * I;
  const double q = trm_flexible_at(m.system, 0).mass * 9.81 / 4.0;
  const double sag = 400.0 * 9.81 * 64.0 / (48.0 * EI) + 5.0 * q * 256.0 / (384.0 * EI);
  CHECK_NEAR(outputs[1] / sag, 1.0, 0.04, "sag"); /* shear, cross members, stiff ends: 2 % each */
  trm_static_free(rest);
  for (int i = 0; i < 2; i++) {
    trm_options o = m.options;
    o.integrator = i == 0 ? "hht" : "radau";
    o.tolerance = 1e-6;
    o.end = 0.2;
    trm_sim *sim = kit_sim(m.system, &o);
    kit_run(sim);
    CHECK_OK(trm_sim_outputs(sim, i == 0 ? outputs : other, &err), err);
    trm_sim_free(sim);
  }
  CHECK_NEAR(outputs[0], other[0], 1e-5, "twist"); /* local errors of 1e-6 m in 200 steps */
  assert_true(fabs(other[0]) > 1e-4);
  typed_close(&m);
}

/* The rod of [CRANK], 0.3 x 0.008 x 0.008 m of steel, as a mesh: 23 modes up to 42 kHz, or 59 up to
 * 238 kHz. */
#define MESHED(fixed)                                                                            \
  "trammel: 1\nparameters: {r: 0.15, L: 0.3, omega: 150, d: 0.008, thin: 1e-6}\nbodies:\n"       \
  "  crank: {mass: 0.36, inertia: [thin, 0.002727, 0.002727], at: [0, 0, 0],\n"                  \
  "          angular_velocity: [0, 0, omega]}\n"                                                 \
  "  slider: {mass: 0.0755, inertia: [thin, thin, thin], at: [r + L, 0, 0]}\nflexible:\n"        \
  "  rod:\n    box: {size: [L, d, d], cells: [30, 1, 1]}\n"                                      \
  "    material: {E: 2e11, nu: 0.3, density: 7870}\n"                                            \
  "    interfaces:\n      first: {nodes: XMIN}\n      last: {nodes: XMAX}\n"                     \
  "      middle: {plane: {at: [L/2, 0, 0], normal: [1, 0, 0]}, type: average}\n"                 \
  "    modes: {fixed: " fixed "}\n    damping: 0\n    at: [r, -d/2, -d/2]\n"                     \
  "    velocity: [-r*omega*d/(2*L), r*omega, 0]\n"                                               \
  "    angular_velocity: [0, 0, -r*omega/L]\njoints:\n"                                          \
  "  pin: {type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: [0, 0, 1]}\n"           \
  "  knee: {type: spherical, bodies: [crank, rod.first], at: [r, 0, 0]}\n"                       \
  "  wrist: {type: universal, bodies: [rod.last, slider], at: [r + L, 0, 0], axis: [0, 1, 0],\n" \
  "          axis2: [0, 0, 1]}\n"                                                                \
  "  guide: {type: translational, bodies: [ground, slider], at: [r + L, 0, 0],\n"                \
  "          axis: [1, 0, 0]}\nmotions: {drive: {joint: pin, position: omega*time}}\n"           \
  "simulate: {end: 0.02}\n"

/* Steps of explicit methods follow the fastest mode, although nobody sees it; those of radau follow
 * the motion. */
static void explicit_steps_follow_the_fastest_mode(void **state) {
  (void)state;
  static const char *const texts[2] = {MESHED("4"), MESHED("40")};
  static const char *const methods[3] = {"explicit", "hht", "radau"};
  long steps[3][2];
  for (int i = 0; i < 2; i++) {
    typed m = typed_text(texts[i], "crank", NULL);
    for (int k = 0; k < 3; k++) {
      trm_options o = m.options;
      o.integrator = methods[k];
      o.tolerance = 1e-5;
      trm_sim *sim = kit_sim(m.system, &o);
      kit_run(sim);
      steps[k][i] = trm_sim_counters(sim)->steps;
      print_message("%d modes, %s: %ld steps\n", trm_flexible_at(m.system, 0).modes, methods[k],
                    steps[k][i]);
      trm_sim_free(sim);
    }
    typed_close(&m);
  }
  assert_true(steps[0][1] > 4 * steps[0][0]); /* 238 kHz over 42 kHz */
  assert_true((double)steps[2][1] < 1.1 * (double)steps[2][0]);
  assert_true(20 * steps[2][1] < steps[0][1]);
}

/* Vibrations of 134 modes make errors fluctuate. Attempts that will be rejected take one
 * correction, and rejections are few: before these rules a step took 2.5 iterations and .19
 * rejections. */
static void few_attempts_of_many_modes_are_rejected(void **state) {
  (void)state;
  static const trm_setting settings[] = {{"flexible.rod.modes.fixed", "116"},
                                         {"flexible.rod.modes.up_to", "1e9"}, {NULL, NULL}};
  typed m = typed_model("slider-crank-modal", settings);
  trm_options o = m.options;
  o.integrator = "hht";
  o.tolerance = 1e-6;
  o.end = 0.5;
  trm_sim *sim = kit_sim(m.system, &o);
  kit_run(sim);
  const trm_counters *c = trm_sim_counters(sim);
  print_message("%ld steps, %ld rejected, %ld iterations\n", c->steps, c->rejected_error,
                c->newton_iterations);
  assert_true(c->newton_iterations < 2 * c->steps);
  assert_true(6 * c->rejected_error < c->steps);
  trm_sim_free(sim);
  typed_close(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_method_has_its_order_on_a_pendulum),
    cmocka_unit_test(every_method_has_its_order_on_a_slider_crank),
    cmocka_unit_test(the_rod_of_the_slider_crank_sags_as_a_beam),
    cmocka_unit_test(the_satellite_turns_as_it_should),
    cmocka_unit_test(the_link_hangs_by_its_load),
    cmocka_unit_test(the_ladder_frame_has_many_modes_and_bends_as_a_beam),
    cmocka_unit_test(explicit_steps_follow_the_fastest_mode),
    cmocka_unit_test(few_attempts_of_many_modes_are_rejected),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
