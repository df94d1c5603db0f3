/* test_joint_branch.c - joints and forces stay on the branch they start on: rows with a second
 * root, rotations beyond half a turn. */
#include "methods.h"
#include "verify/claims.h"


/* Run to the end or to a failure; `err` has the reason. */
static trm_status run_all(typed *m, trm_sim **sim, trm_error *err) {
  trm_status status = trm_sim_create(m->system, &m->options, sim, err);
  for (bool done = false; status == TRM_OK && !done;) status = trm_sim_step(*sim, &done, err);
  return status;
}

/* A run must end with a sentence about an object. */
static void run_is_refused(const char *text, const char *integrator, double step,
                           const char *object, const char *words) {
  typed m = typed_text(text, integrator, NULL);
  trm_sim *sim = NULL;
  trm_error err = {.message = ""};
  m.options.integrator = integrator;
  if (step > 0.0) m.options.steps[0] = step, m.options.nsteps = 1;
  const trm_status status = run_all(&m, &sim, &err);
  print_message("%s: %s %s\n", integrator, err.object, err.message);
  assert_true(status < 0);
  assert_string_equal(err.object, object);
  assert_non_null(strstr(err.message, words));
  trm_sim_free(sim);
  typed_close(&m);
}

/* ---- constant velocity --------------------------------------------------------------------- */

/* The joint is bent by half a turn at 0.3 s, where the product of axes x_A.y_B - y_A.x_B loses its
 * gradient and meets its second root. same = 2 cos^2(bend/2) there and back; 1.97997497 is what
 * radau gives at 1e-12. */
static void a_constant_velocity_joint_passes_the_fold(void **state) {
  (void)state;
  const char *text =
      "trammel: 1\n"
      "gravity: [0, 1, -3]\n"
      "bodies: {b: {mass: 1, inertia: [.02, .03, .04], com: [.02, .03, .1],\n"
      "             angular_velocity: [10, 1, 0]}}\n"
      "joints: {j: {type: constant_velocity, bodies: [ground, b], at: [0, 0, 0],\n"
      "             axis: [0, 0, 1], axis2: [0, 0, 1]}}\n"
      "outputs: {same: 2*(b.q0^2 - b.q3^2) - 1.97997497}\n"
      "simulate: {end: .6}\n";
  /* errors of the methods at these tolerances */
  static const double tolerances[] = {1e-5, 1e-7, 1e-9}, limits[] = {1e-3, 1e-4, 1e-5};
  for (int i = 0; i < all_methods() * 3; i++) {
    typed m = typed_text(text, "fold", NULL);
    trm_error err;
    trm_sim *sim = NULL;
    m.options.integrator = methods[i / 3];
    m.options.tolerance = tolerances[i % 3];
    CHECK_OK(run_all(&m, &sim, &err), err);
    (void)check_outputs(trm_sim_system(sim), trm_sim_state(sim), methods[i / 3], limits[i % 3]);
    trm_sim_free(sim);
    typed_close(&m);
  }
}

/* A loop through two such joints that folds: the energy is kept. */
static void a_loop_of_constant_velocity_joints_keeps_its_energy(void **state) {
  (void)state;
  const char *text =
      "trammel: 1\n"
      "gravity: [0, 2, -5]\n"
      "bodies:\n"
      "  a: {mass: 1, inertia: [.02, .03, .04], at: [0, 0, 0], com: [.02, .03, .2],\n"
      "      angular_velocity: [9, 3, 0]}\n"
      "  b: {mass: 2, inertia: [.05, .03, .04], at: [0, 0, .5], com: [.1, 0, .1]}\n"
      "joints:\n"
      "  j: {type: constant_velocity, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1],\n"
      "      axis2: [0, 0, 1]}\n"
      "  k: {type: constant_velocity, bodies: [a, b], at: [0, 0, .5], axis: [0, 0, 1],\n"
      "      axis2: [0, .3, 1]}\n"
      "  d: {type: distance, bodies: [ground, b], points: [[1, 0, 0], [0, 0, .8]]}\n"
      "simulate: {end: 2, tolerance: 1e-8}\n";
  for (int i = 0; i < all_methods(); i++) {
    typed m = typed_text(text, "loop", NULL);
    trm_error err;
    double energy[2][3];
    m.options.integrator = methods[i];
    trm_sim *sim = kit_sim(m.system, &m.options);
    for (int k = 0; k < 2; k++) {
      for (bool done = k == 0; !done;) CHECK_OK(trm_sim_step(sim, &done, &err), err);
      CHECK_OK(trm_system_values(trm_sim_system(sim), trm_sim_state(sim),
                                 &(trm_values){.energy = energy[k]}, &err), err);
    }
    /* error of hht at this tolerance; the kinetic energy is some joules */
    CHECK_NEAR(energy[1][0] + energy[1][1], energy[0][0] + energy[0][1], 2e-3, "%s", methods[i]);
    trm_sim_free(sim);
    typed_close(&m);
  }
}

/* ---- perpendicular axes -------------------------------------------------------------------- */

/* Assembly from 115 degrees goes to the nearer root, with the axis reversed. */
static void a_joint_assembled_to_its_second_root_is_refused(void **state) {
  (void)state;
  static const struct {
    const char *type, *vector;
  } cases[] = {{"revolute", "2, 0, 0"},      {"cylindrical", "2, 0, 0"}, {"planar", "2, 0, 0"},
               {"translational", "0, 0, 2"}, {"fixed", "0, 0, 2"},       {"orientation", "2, 0, 0"},
               {"parallel", "2, .1, 0"},     {"screw", "2, 0, 0"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[500];
    snprintf(text, sizeof text,
             "trammel: 1\n"
             "bodies: {b: {mass: 1, inertia: [.1, .2, .3], orientation: {vector: [%s]}}}\n"
             "joints: {j: {type: %s, markers: [ground, b]%s}}\n"
             "simulate: {end: .1}\n",
             cases[i].vector, cases[i].type,
             strcmp(cases[i].type, "screw") == 0 ? ", pitch: .1" : "");
    run_is_refused(text, "hht", 0.0, "joint 'j'", "half a turn away");
  }
}

/* Newton's method may land there in a long step: the step is refused. */
static void a_step_to_a_second_root_is_refused(void **state) {
  (void)state;
  typed m = typed_text("trammel: 1\n"
                       "bodies: {a: {mass: 1, inertia: [.1, .2, .3]}, b: {mass: 1,\n"
                       "         inertia: [.1, .2, .3]}}\n"
                       "joints: {i: {type: spherical, markers: [ground, a]},\n"
                       "         j: {type: revolute, markers: [a, b]}}\n"
                       "simulate: {end: .1}\n", "step", NULL);
  trm_sim *sim = kit_sim(m.system, &m.options);
  trm_error err = {.message = ""};
  double q[14];
  trm_state s = *trm_sim_state(sim);
  memcpy(q, s.q, sizeof q);
  s.q = q;
  CHECK_STATUS(m.system->ops->test_step(m.system->self, &s, &err), TRM_OK);
  q[10] = 0.0, q[13] = 1.0; /* b half a turn about the axis: nothing is wrong */
  CHECK_STATUS(m.system->ops->test_step(m.system->self, &s, &err), TRM_OK);
  q[13] = 0.0, q[11] = 1.0; /* about x */
  CHECK_STATUS(m.system->ops->test_step(m.system->self, &s, &err), TRM_RETRY_DOMAIN);
  assert_string_equal(err.object, "joint 'j'");
  trm_sim_free(sim);
  typed_close(&m);
}

/* ---- bushings beyond half a turn ----------------------------------------------------------- */

#define WOUND(spin, K)                                                                           \
  "trammel: 1\n"                                                                                 \
  "parameters: {w: sqrt(10), spin: " spin "}\n"                                                  \
  "bodies: {b: {mass: 1, inertia: [.1, .1, .1], angular_velocity: [0, 0, spin]}}\n"              \
  "forces: {s: {type: bushing, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1],\n"           \
  "             stiffness: [100, 100, 100, 1, 1, " K "]}}\n"

/* The angle is (15/w) sin(w t): up to 272 degrees and back, torque -k phi. */
static void a_bushing_passes_half_a_turn(void **state) {
  (void)state;
  outputs_are_zero(WOUND("15", "1")
                   "outputs: {torque: s.torque.z + 15/w*sin(w*time),\n"
                   "          tilt: s.torque.x, rate: b.wz - 15*cos(w*time)}\n"
                   "simulate: {end: 4}\n",
                   "wound bushing",
                   WAYS({"hht", 1e-9, 1e-3}, {"alpha", 1e-9, 1e-3}, {"tdg", 1e-8, 1e-5},
                        {"radau", 1e-9, 1e-7}, {"explicit", 1e-10, 1e-7}));
}

/* Next to a full turn it has no direction: the run ends with a sentence, with fixed steps too. */
static void a_bushing_near_a_full_turn_ends_the_run(void **state) {
  (void)state;
  for (int i = 0; i < all_methods(); i++) {
    run_is_refused(WOUND("30", "1") "simulate: {end: 4, tolerance: 1e-6}\n", methods[i], 0.0,
                   "force 's'", "near a full turn");
  }
  run_is_refused(WOUND("30", "1") "simulate: {end: 4}\n", "hht", 1e-3, "force 's'",
                 "near a full turn");
  /* 86 degrees a step: past the full turn at once */
  run_is_refused(WOUND("30", "1e-3") "simulate: {end: 4}\n", "hht", 0.05, "force 's'", "turn");
}

/* A bearing that is free to spin may do so. */
static void a_bushing_that_is_free_about_its_axis_spins(void **state) {
  (void)state;
  outputs_are_zero(WOUND("30", "0")
                   "outputs: {torque: s.torque.z, rate: b.wz - 30}\n"
                   "simulate: {end: 1}\n",
                   "spinning bushing",
                   WAYS({"hht", 1e-6, 1e-9}, {"radau", 1e-6, 1e-9}, {"explicit", 1e-6, 1e-9}));
}

/* A linear beam is wound by 200 degrees about its line: torque G J/L phi, and held there. */
static void a_linear_beam_is_wound_beyond_half_a_turn(void **state) {
  (void)state;
  outputs_are_zero(
      "trammel: 1\n"
      "parameters: {E: 2e6, G: 1e6, J: 2e-6}\n"
      "bodies: {b: {mass: 1, inertia: [.1, .1, .1], at: [1, 0, 0]}}\n"
      "joints: {j: {type: revolute, bodies: [ground, b], at: [1, 0, 0], axis: [1, 0, 0]}}\n"
      "motions: {m: {joint: j, position: 3.5*time}}\n"
      "forces: {s: {type: beam, markers: [ground, b], length: 1, E: E, G: G, area: 1,\n"
      "             J: J, Iy: 1e-6, Iz: 1e-6}}\n"
      "outputs: {torque: s.torque.x + G*J*3.5*time}\n"
      "simulate: {end: 1}\n",
      "wound beam", WAYS({"hht", 1e-6, 1e-6}, {"radau", 1e-6, 1e-6}));
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_constant_velocity_joint_passes_the_fold),
    cmocka_unit_test(a_loop_of_constant_velocity_joints_keeps_its_energy),
    cmocka_unit_test(a_joint_assembled_to_its_second_root_is_refused),
    cmocka_unit_test(a_step_to_a_second_root_is_refused),
    cmocka_unit_test(a_bushing_passes_half_a_turn),
    cmocka_unit_test(a_bushing_near_a_full_turn_ends_the_run),
    cmocka_unit_test(a_bushing_that_is_free_about_its_axis_spins),
    cmocka_unit_test(a_linear_beam_is_wound_beyond_half_a_turn),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
