/* Beams of model files at rest and vibrating, against closed forms, and messages about beams that
 * cannot be. The element itself is tested in test_beam_answers.c. */
#include "elements/flex/beam.h"
#include "trammel/analysis.h"
#include "verify/mechanics.h"

static const double pi = 3.14159265358979323846;
enum { TEXT = 2000 };

static void outputs_at(trm_system *system, const trm_state *s, double *outputs) {
  trm_error err = {.message = ""};
  const trm_values values = {.outputs = outputs};
  assert_true(trm_system_count(system, TRM_OUTPUT) <= 8);
  CHECK_OK(trm_system_values(system, s, &values, &err), err);
}

/* Outputs of a model where it rests. */
static void rest(const char *text, double *outputs) {
  trm_error err = {.message = ""};
  typed m = typed_text(text, "beam", NULL);
  const trm_static_options o = trm_static_options_default();
  trm_static *found = NULL;
  CHECK_OK(trm_static_find(m.system, &o, &found, &err), err);
  outputs_at(trm_static_system(found), trm_static_state(found), outputs);
  trm_static_free(found);
  typed_close(&m);
}

/* A straight cantilever of length one along x, and what else the model has. */
static void cantilever(char *text, int nodes, int elements, const char *section, const char *more) {
  snprintf(text, TEXT,
           "trammel: 1\n"
           "beams: {rod: {points: [[0, 0, 0], [1, 0, 0]], nodes: %d, elements: %d, fix: first,\n"
           "              %s}}\n%s", nodes, elements, section, more);
}

/* ---- at rest -------------------------------------------------------------------------------- */

static double gap_of_the_circle(int nodes, int elements) {
  char text[TEXT];
  double out[2];
  cantilever(text, nodes, elements, "stiffness: [1e4, 1e4, 1e4, 1, 1, 1], mass: 1",
             "forces: {tip: {type: torque, body: rod.last, torque: [0, 0, 2*pi]}}\n"
             "outputs: {x: rod.last.x, y: rod.last.y}\n");
  rest(text, out);
  return hypot(out[0], out[1]);
}

/* The moment 2 pi EI/L closes the beam; what is open is the error of the mesh, of order 2 (n - 1).
 * Figures of theory page 10. */
static void a_moment_rolls_the_beam_into_a_circle(void **state) {
  (void)state;
  const double known[3] = {8.5e-2, 6.1e-4, 1.6e-6};
  for (int n = 2; n <= 4; n++) {
    const double coarse = gap_of_the_circle(n, 6), fine = gap_of_the_circle(n, 12);
    CHECK_NEAR(coarse / known[n - 2], 1.0, 0.02, "%d nodes: two digits of the page", n);
    CHECK_NEAR(log2(coarse / fine), 2 * n - 2, 0.2, "order with %d nodes", n);
  }
}

/* Force 10 EI/L^2 across the tip of an inextensible beam: the table of [Mattiasson1981]. */
static void a_tip_force_bends_the_elastica(void **state) {
  (void)state;
  char text[TEXT];
  double out[4];
  cantilever(text, 4, 8, "stiffness: [1e8, 1e8, 1e8, 1, 1, 1], mass: 1",
             "forces: {tip: {type: force, marker: rod.last, force: [0, 10, 0]}}\n"
             "outputs: {x: rod.last.x, y: rod.last.y, q0: rod.last.q0, q3: rod.17.q3}\n");
  rest(text, out);
  /* five digits are given */
  CHECK_NEAR(out[0], 1.0 - 0.55500, 1e-5, "shortening");
  CHECK_NEAR(out[1], 0.81061, 1e-5, "deflection");
  CHECK_NEAR(2.0 * acos(out[2]), 1.43029, 1e-5, "angle of the tip");
  cantilever(text, 4, 8, "stiffness: [1e8, 1e8, 1e8, 1, 1, 1], mass: 1",
             "forces: {tip: {type: force, marker: rod.25, force: [0, 10, 0]}}\n"
             "outputs: {y: rod.last.y}\n");
  rest(text, out); /* the last of 8 times 3 + 1 nodes */
  CHECK_NEAR(out[0], 0.81061, 1e-5, "the tip by its number");
}

/* Weight, load and follower load of a stiff beam: the clamp carries them all, with the sign of what
 * it does to the beam. Bending of 1e-6 does not count. */
static void the_clamp_carries_weight_and_loads(void **state) {
  (void)state;
  char text[TEXT];
  double out[6];
  cantilever(text, 3, 4, "stiffness: [1e8, 1e8, 1e8, 1e7, 1e7, 1e7], mass: 2, load: [3, 5, 0],\n"
             "              follower: [0, 0, 7]",
             "gravity: [0, 0, -10]\n"
             "outputs: {fx: rod.first.force.x, fy: rod.first.force.y, fz: rod.first.force.z,\n"
             "          tx: rod.first.torque.x, ty: rod.first.torque.y, tz: rod.first.torque.z}\n");
  rest(text, out);
  const double expected[6] = {-3.0, -5.0, 20.0 - 7.0, 0.0, -(20.0 - 7.0) / 2.0, -5.0 / 2.0};
  for (int i = 0; i < 6; i++) CHECK_NEAR(out[i], expected[i], 1e-5, "component %d", i);
}

/* Fixed at both ends between bodies: the beam is where the markers are, and clamped to them. */
static void a_beam_joins_two_bodies(void **state) {
  (void)state;
  double out[4];
  rest("trammel: 1\n"
       "gravity: [0, -10, 0]\n"
       "bodies:\n"
       "  wall: {mass: 1, inertia: [1, 1, 1], at: [1, 2, 3], markers: {hole: {at: [0, 0, 1]}}}\n"
       "  bob: {mass: 3, inertia: [1, 1, 1], at: [1, 0, 4]}\n"
       "joints: {hold: {type: fixed, bodies: [ground, wall], at: [1, 2, 3]}}\n"
       "beams: {rope: {markers: [wall.hole, bob], fix: both, elements: 2, mass: .5,\n"
       "               stiffness: [1e5, 1e5, 1e5, 1e3, 1e3, 1e3]}}\n"
       "outputs: {y: bob.y, first: rope.first.force.y, last: rope.last.force.y,\n"
       "          hold: hold.force.y}\n", out);
  /* stretched by 30 N and its own 10 N over 2 m */
  CHECK_NEAR(out[0], -(30.0 * 2.0 + 10.0 * 1.0) / 1e5, 1e-9, "bob hangs lower");
  CHECK_NEAR(out[1], 40.0, 1e-9, "the wall pulls the rope up");
  CHECK_NEAR(out[2], -30.0, 1e-9, "the bob pulls it down");
  CHECK_NEAR(out[3], 50.0, 1e-9, "the ground holds all");
}

/* A half circle through points, weighed: its length is pi. */
static void a_curved_beam_follows_its_points(void **state) {
  (void)state;
  char text[TEXT];
  int n = snprintf(text, TEXT, "trammel: 1\ngravity: [0, 0, -1]\nbeams: {arch: {points: [");
  for (int i = 0; i <= 24; i++) {
    n += snprintf(text + n, (size_t)(TEXT - n), "%s[%.12f, %.12f, 0]", i > 0 ? ", " : "",
                  -cos(pi * i / 24), sin(pi * i / 24));
  }
  snprintf(text + n, (size_t)(TEXT - n), "],\n fix: both, elements: 6, nodes: 3, mass: 1,\n"
           " stiffness: [1e6, 1e6, 1e6, 1e6, 1e6, 1e6]}}\n"
           "outputs: {f: arch.first.force.z + arch.last.force.z, y: arch.7.y, x: arch.7.x}\n");
  double out[3];
  rest(text, out);
  /* cubics through points 0.13 apart, elements of second degree: some 1e-4 of the length */
  CHECK_NEAR(out[0], pi, 1e-3, "weight of the arch");
  CHECK_NEAR(out[1], 1.0, 1e-4, "its middle is at the top");
  CHECK_NEAR(out[2], 0.0, 1e-9, "and stays there");
}

/* ---- section forces -------------------------------------------------------------------------- */

/* A force and a torque at the tip of a stiff beam: force all along, moments by the arm. */
static void sections_carry_what_the_tip_does(void **state) {
  (void)state;
  char text[TEXT];
  double out[7];
  for (int n = 2; n <= 4; n++) {
    cantilever(text, n, 4, "stiffness: [1e8, 1e8, 1e8, 1e7, 1e7, 1e7], mass: 1, damping: 1e-3",
               "forces: {tip: {type: force, marker: rod.last, force: [7, 5, -3],\n"
               "               torque: [2, 0, 0]}}\n"
               "outputs: {x: rod.element2.force.x, y: rod.element2.force.y,\n"
               "          z: rod.element2.force.z, mx: rod.element1.moment.x,\n"
               "          my: rod.element1.moment.y, mz: rod.element4.moment.z}\n");
    rest(text, out);
    const double expected[6] = {7.0, 5.0, -3.0, 2.0, 3.0 * 7 / 8, 5.0 * 1 / 8};
    for (int i = 0; i < 6; i++) { /* turned by 1e-7 */
      CHECK_NEAR(out[i], expected[i], 3e-6, "%d nodes: component %d", n, i);
    }
  }
}

/* What expressions say is what the element says, at a random state of a curved beam that moves
 * and whose quaternions change sign along it. */
static void section_forces_are_those_of_the_element(void **state) {
  (void)state;
  for (int n = 2; n <= 4; n++) {
    char text[TEXT];
    uint64_t seed = 3;
    point p;
    trm_error err = {.message = ""};
    snprintf(text, TEXT,
             "trammel: 1\n"
             "beams: {rod: {points: [[0, 0, 0], [1, -.3, 0], [1.3, -1.3, 0], [1, -2, .2]],\n"
             "              nodes: %d, twist: .5, elements: 1, mass: 1.5,\n"
             "              stiffness: [400, 300, 200, 40, 50, 30],\n"
             "              damping: .1}}\n"
             "outputs: {x: rod.element1.force.x, y: rod.element1.force.y,\n"
             "          z: rod.element1.force.z, mx: rod.element1.moment.x,\n"
             "          my: rod.element1.moment.y, mz: rod.element1.moment.z}\n", n);
    typed m = typed_text(text, "beam", NULL);
    mechanics_start(&m, &p);
    const trmi_beam_section section = {
      .D = {[0] = 400, [7] = 300, [14] = 200, [21] = 40, [28] = 50, [35] = 30}, .damping = 0.1};
    trmi_beam beam;
    trmi_beam_state at;
    double dpi[6 * TRMI_BEAM_NODES], stress[TRMI_BEAM_POINTS][6], out[6];
    for (int i = 0; i < n; i++) at.q[i] = p.s.q + 7 * i, at.v[i] = p.s.v + 6 * i;
    CHECK_OK(trmi_beam_setup(&beam, n, at.q, &section, &err), err);
    for (int i = 0; i < 6 * n; i++) dpi[i] = 0.2 * kit_random(&seed), p.s.v[i] = kit_random(&seed);
    trm_system_retract(m.system, p.s.q, dpi, p.s.q);
    CHECK_STATUS(trmi_beam_stress(&beam, &at, stress), TRM_OK);
    outputs_at(m.system, &p.s, out);
    for (int k = 0; k < 6; k++) { /* sums of numbers up to some hundred */
      const double mean = n == 3 ? 0.5 * (stress[0][k] + stress[1][k]) : stress[n == 4][k];
      CHECK_NEAR(out[k], mean, 1e-11, "%d nodes: component %d", n, k);
    }
    typed_close(&m);
  }
}

/* ---- modes ---------------------------------------------------------------------------------- */

/* The mode of a cantilever nearest to a frequency [rad/s]: relative distance. */
static double distance_of_mode(const trm_modes *modes, double w) {
  double best = INFINITY;
  for (int i = 0; i < trm_modes_count(modes); i++) {
    const double distance = fabs(trm_mode_at(modes, i).im / w - 1.0);
    if (distance < fabs(best)) best = distance;
  }
  return best;
}

/* Largest error of three frequencies of bending, one of twist and one of stretch; thickness
 * some 1e-4 of the length, so that shear and rotary inertia change the third one by 1e-6. */
static double error_of_frequencies(int nodes, int elements) {
  static const double roots[3] = {1.87510406871196, 4.69409113297417, 7.85475743823761};
  char text[TEXT];
  trm_error err = {.message = ""};
  cantilever(text, nodes, elements, "stiffness: [1e8, 1e8, 1e8, 1, 1, 1], mass: 1, "
             "inertia: [1e-2, 1e-8, 1e-8]", "");
  typed m = typed_text(text, "beam", NULL);
  trm_modes_options o = trm_modes_options_default();
  o.count = 1000;
  trm_modes *modes = NULL;
  CHECK_OK(trm_modes_find(m.system, NULL, &o, &modes, &err), err);
  double worst = 0.0;
  for (int i = 0; i < 3; i++) {
    worst = fmax(worst, distance_of_mode(modes, roots[i] * roots[i]));
  }
  worst = fmax(worst, distance_of_mode(modes, 0.5 * pi * 10.0));
  worst = fmax(worst, distance_of_mode(modes, 0.5 * pi * 1e4));
  trm_modes_free(modes);
  typed_close(&m);
  return worst;
}

static void a_slender_cantilever_has_its_frequencies(void **state) {
  (void)state;
  for (int n = 2; n <= 4; n++) {
    const int few = n == 4 ? 3 : 8;
    const double coarse = error_of_frequencies(n, few), fine = error_of_frequencies(n, 2 * few);
    CHECK_NEAR(log2(coarse / fine), 2 * n - 2, 0.5, "order with %d nodes: %.3g, %.3g", n, coarse,
               fine);
  }
  assert_true(error_of_frequencies(4, 8) < 2e-5); /* as theory page 10 has it, 1.2e-5 */
}

/* Material and section by their own keys: shear by the parts of the area, twist by the inertia that
 * a section of one material has. */
static void a_section_of_one_material_follows_from_its_keys(void **state) {
  (void)state;
  static const char section[] = "E: 3e9, G: 1e9, area: .01, Iy: 2e-3, Iz: 4e-3, J: 5e-3,\n"
                                "              shear_y: .5, shear_z: .25, density: 2000";
  char text[TEXT];
  double out[2];
  trm_error err = {.message = ""};
  cantilever(text, 4, 2, section,
             "forces: {tip: {type: force, marker: rod.last, force: [0, 3, 5]}}\n"
             "outputs: {y: rod.last.y, z: rod.last.z}\n");
  rest(text, out);
  /* L^3/(3 EI) + L/(GA shear), linear: 1e-6 of it is not */
  CHECK_NEAR(out[0] / (3.0 * (1 / (3 * 1.2e7) + 1 / (1e7 * .5))), 1.0, 1e-5, "along y");
  CHECK_NEAR(out[1] / (5.0 * (1 / (3 * 6e6) + 1 / (1e7 * .25))), 1.0, 1e-5, "along z");
  typed m = typed_text(text, "beam", NULL);
  const trm_modes_options o = trm_modes_options_default();
  trm_modes *modes = NULL;
  CHECK_OK(trm_modes_find(m.system, NULL, &o, &modes, &err), err);
  /* GJ = 5e6, inertia 2000 (Iy + Iz) = 12; the mesh of 7 nodes errs by 1e-6 */
  CHECK_NEAR(distance_of_mode(modes, 0.5 * pi * sqrt(5e6 / 12.0)), 0.0, 1e-4, "twist");
  trm_modes_free(modes);
  typed_close(&m);
}

/* Twist and bending are coupled: of a small torque T, (k_x, k_y) = [4 2; 2 2]^-1 (T, 0), so that
 * the tip goes by -k_y/2 = T/4. */
static void a_coupled_section_bends_as_it_is_twisted(void **state) {
  (void)state;
  char text[TEXT];
  double out[2];
  cantilever(text, 3, 2, "mass: 1, stiffness: [[1e4,0,0,0,0,0], [0,1e4,0,0,0,0],\n"
             "              [0,0,1e4,0,0,0], [0,0,0,4,2,0], [0,0,0,2,2,0], [0,0,0,0,0,3]]",
             "forces: {tip: {type: force, marker: rod.last, torque: [1e-6, 0, 0]}}\n"
             "outputs: {y: rod.last.y, z: rod.last.z}\n");
  rest(text, out);
  CHECK_NEAR(out[0] / 1e-6, 0.0, 1e-5, "y"); /* what is not linear is of the size of T */
  CHECK_NEAR(out[1] / 1e-6, 0.25, 1e-5, "z");
}

/* A rigid motion about the first end: velocities of nodes in ground axes, their angular velocities
 * in their own. */
static void a_beam_starts_with_a_rigid_motion(void **state) {
  (void)state;
  double out[6];
  point p;
  typed m = typed_text(
      "trammel: 1\n"
      "beams: {rod: {points: [[1, 0, 0], [1, 2, 0]], mass: 1, y: [0, 0, 1], elements: 2,\n"
      "              stiffness: [1e4, 1e4, 1e4, 1, 1, 1], velocity: [1, 2, 3],\n"
      "              angular_velocity: [.3, .5, .7]}}\n"
      "outputs: {x: rod.last.vx, y: rod.last.vy, z: rod.last.vz, wx: rod.last.wx,\n"
      "          wy: rod.last.wy, wz: rod.last.wz}\n", "beam", NULL);
  mechanics_start(&m, &p);
  outputs_at(m.system, &p.s, out);
  /* w x (0, 2, 0) is (-1.4, 0, .6); axes of the section are y, z, x of the ground */
  const double expected[6] = {1 - 1.4, 2, 3.6, .5, .7, .3};
  for (int i = 0; i < 6; i++) CHECK_NEAR(out[i], expected[i], 1e-14, "component %d", i);
  typed_close(&m);
}

/* ---- what cannot be ------------------------------------------------------------------------- */

#define BEAM(rest) "trammel: 1\nbeams:\n  rod: {" rest "}\n"
#define GOOD "stiffness: [1e4, 1e4, 1e4, 1, 1, 1], mass: 1"
#define LINE "points: [[0, 0, 0], [1, 0, 0]]"

static void beams_that_cannot_be_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *text, *words;
  } cases[] = {
    {BEAM(LINE ", mass: 1"), "its section needs 'stiffness', or E, G and 'section', or all of "
                             "E, G, area, Iy, Iz and J"},
    {BEAM(LINE ", stiffness: [1e4, 1e4, 0, 1, 1, 1], mass: 1"), "its stiffness is not positive"},
    {BEAM(LINE ", stiffness: [[9, 1, 0, 0, 0, 0], [2, 9, 0, 0, 0, 0], [0, 0, 9, 0, 0, 0],"
          " [0, 0, 0, 9, 0, 0], [0, 0, 0, 0, 9, 0], [0, 0, 0, 0, 0, 9]], mass: 1"),
     "its stiffness is not symmetric"},
    {BEAM(LINE ", stiffness: [[9, 0, 0, 0, 0, 0], [0, 9, 0, 0, 0, 0], [0, 0, 9, 0, 0, 0],"
          " [0, 0, 0, 4, 2, 0], [0, 0, 0, 2, .9, 0], [0, 0, 0, 0, 0, 9]], mass: 1"),
     "its stiffness is not positive"},
    {BEAM(LINE ", stiffness: [1e4, 1e4, 1e4, 1, 1, 1]"), "it needs a mass per length"},
    {BEAM(LINE ", " GOOD ", y: [2, 0, 0]"), "y has the direction of the line"},
    {BEAM("points: [[0, 0, 0], [0, 0, 0]], " GOOD), "points 1 and 2 of the line coincide"},
    {BEAM("points: [[0, 0, 0], [1, 0, 0]], twist: 6.28, elements: 1, " GOOD),
     "'rod' element 1: sections of neighbouring nodes"},
    {BEAM("markers: [ground, wall], " GOOD), "there is no body or marker 'wall'"},
    {BEAM(LINE ", " GOOD) "outputs: {x: rod.18.x}\n",
     "beam 'rod' has no '18.x'; it has nodes"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    mechanics_complaint(cases[i].text, 0, cases[i].words);
  }
}

/* A moment of four turns on two elements leaves the domain: the element is named. */
static void a_mesh_that_is_too_coarse_is_named(void **state) {
  (void)state;
  char text[TEXT];
  trm_error err = {.message = ""};
  cantilever(text, 2, 2, "stiffness: [1e4, 1e4, 1e4, 1, 1, 1], mass: 1, damping: 1",
             "forces: {tip: {type: torque, body: rod.last, torque: [0, 0, 8*pi]}}\n"
             "outputs: {x: rod.last.x}\n");
  typed m = typed_text(text, "beam", NULL);
  trm_options o = trm_options_default();
  o.end = 10.0;
  trm_sim *sim = kit_sim(m.system, &o);
  trm_status status = TRM_OK;
  for (bool done = false; status == TRM_OK && !done;) status = trm_sim_step(sim, &done, &err);
  assert_true(status < 0);
  if (strstr(err.object, "beam 'rod' element") == NULL) fail_msg("blamed: %s", err.object);
  trm_sim_free(sim);
  typed_close(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_moment_rolls_the_beam_into_a_circle),
    cmocka_unit_test(a_tip_force_bends_the_elastica),
    cmocka_unit_test(the_clamp_carries_weight_and_loads),
    cmocka_unit_test(a_beam_joins_two_bodies),
    cmocka_unit_test(a_curved_beam_follows_its_points),
    cmocka_unit_test(sections_carry_what_the_tip_does),
    cmocka_unit_test(section_forces_are_those_of_the_element),
    cmocka_unit_test(a_slender_cantilever_has_its_frequencies),
    cmocka_unit_test(a_section_of_one_material_follows_from_its_keys),
    cmocka_unit_test(a_coupled_section_bends_as_it_is_twisted),
    cmocka_unit_test(a_beam_starts_with_a_rigid_motion),
    cmocka_unit_test(beams_that_cannot_be_are_refused),
    cmocka_unit_test(a_mesh_that_is_too_coarse_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
