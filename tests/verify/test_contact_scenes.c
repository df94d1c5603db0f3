/* test_contact_scenes.c - random bodies that fly at each other: momentum stays, energy never grows,
 * and a run saved at any step continues with the same bits. With TRM_LONG in the environment many
 * more of them. */
#include "methods.h"
#include "verify/contact_runs.h"
#include <math.h>

enum { BODIES = 4, TEXT = 4000 };

static double between(uint64_t *seed, double low, double high) {
  return low + .5 * (high - low) * (1.0 + kit_random(seed));
}

static void write_shape(uint64_t *seed, char *text, size_t size) {
  const double a = between(seed, .05, .15), b = between(seed, .05, .15);
  const double r = between(seed, .01, .04);
  switch ((int)between(seed, 0.0, 2.999)) {
  case 0: snprintf(text, size, "sphere: {radius: %.6f}", a); break;
  case 1:
    snprintf(text, size, "capsule: {from: [-%.6f, 0, .02], to: [%.6f, .03, 0], radius: %.6f}",
             a, b, r);
    break;
  default:
    snprintf(text, size, "box: {size: [%.6f, %.6f, %.6f], rounding: %.6f}", a + 2 * r, b + 2 * r,
             a + b, r);
  }
}

/* Bodies around the origin fly at it; their masses. */
static void write_scene(uint64_t seed, char *text, double mass[BODIES]) {
  int at = snprintf(text, TEXT, "trammel: 1\nbodies:\n");
  for (int i = 0; i < BODIES; i++) {
    const double angle = 6.283 * i / BODIES + between(&seed, -.2, .2), far = between(&seed, .4, .6);
    const double speed = between(&seed, .5, 3.0), z = between(&seed, -.1, .1);
    char shape[200];
    write_shape(&seed, shape, sizeof shape);
    double turn[6]; /* arguments of a call have no order */
    for (int k = 0; k < 6; k++) turn[k] = kit_random(&seed);
    mass[i] = .5 + .375 * i;
    at += snprintf(text + at, (size_t)(TEXT - at),
                   "  b%d: {mass: %.17g, inertia: [.004, .005, .006], at: [%.6f, %.6f, %.6f],\n"
                   "       velocity: [%.6f, %.6f, %.6f], angular_velocity: [%.6f, %.6f, %.6f],\n"
                   "       orientation: {vector: [%.6f, %.6f, %.6f]}, shape: {%s}}\n", i,
                   mass[i], far * cos(angle), far * sin(angle), z,
                   -speed * cos(angle), -speed * sin(angle), -z, turn[0], turn[1], turn[2],
                   turn[3], turn[4], turn[5], shape);
  }
  const bool has_friction = kit_random(&seed) > 0.0;
  const double stiffness = pow(10.0, between(&seed, 8.0, 9.5)), r = between(&seed, .2, 1.0);
  snprintf(text + at, (size_t)(TEXT - at), "groups: {all: {members: ['b*']}}\n"
           "contacts: {c: {between: [all, all], stiffness: %.0f, restitution: %.3f%s}}\n"
           "outputs: {n: c.touching}\nsimulate: {end: .6}\n", stiffness, r,
           has_friction ? ", friction: {static: .4, dynamic: .3}" : "");
}

static double energy_of(trm_sim *sim) {
  double e[3];
  trm_error err = {.message = ""};
  CHECK_OK(trm_system_values(trm_sim_system(sim), trm_sim_state(sim),
                             &(trm_values){.energy = e}, &err), err);
  return e[0] + e[1];
}

/* A run that is saved after `saved` steps and goes on in another one as well. */
static void resume(typed *m, long saved) {
  trm_error err = {.message = ""};
  bool done = false;
  trm_sim *first = kit_sim(m->system, &m->options), *second = kit_sim(m->system, &m->options);
  for (long k = 0; k < saved && !done; k++) CHECK_OK(trm_sim_step(first, &done, &err), err);
  contact_resume(first, second, BODIES);
  trm_sim_free(first), trm_sim_free(second);
}

/* Momentum, and the largest sum of sizes of its parts. */
static double momentum_of(const double mass[BODIES], trm_sim *sim, double sum[3]) {
  double most = 0.0;
  for (int k = 0; k < 3; k++) {
    double sizes = 0.0;
    sum[k] = 0.0;
    for (int i = 0; i < BODIES; i++) {
      const double part = mass[i] * trm_sim_state(sim)->v[6 * i + k];
      sum[k] += part, sizes += fabs(part);
    }
    most = fmax(most, sizes);
  }
  return most;
}

/* Part of the energy that is left. */
static double energy_left(uint64_t seed, const char *method, double tolerance) {
  char text[TEXT];
  double mass[BODIES];
  write_scene(seed, text, mass);
  typed m = typed_text(text, "scene", NULL);
  trm_sim *sim = typed_sim(&m, method, tolerance);
  const double start = energy_of(sim);
  kit_run(sim);
  const double left = energy_of(sim) / start;
  trm_sim_free(sim);
  typed_close(&m);
  return left;
}

static int check_scene(uint64_t seed, const char *method, double tolerance) {
  char text[TEXT];
  trm_error err = {.message = ""};
  double mass[BODIES], before[3], after[3];
  write_scene(seed, text, mass);
  typed m = typed_text(text, "scene", NULL);
  trm_sim *sim = typed_sim(&m, method, tolerance);
  const double start = energy_of(sim);
  const double size = momentum_of(mass, sim, before);
  double out = 0.0;
  int hits = 0;
  long middle = 0;
  for (bool done = false; !done;) {
    const trm_status status = trm_sim_step(sim, &done, &err);
    if (status != TRM_OK) fail_msg("%d, %s: %s\n%s", (int)seed, method, err.message, text);
    CHECK_OK(trm_sim_outputs(sim, &out, &err), err);
    if (energy_of(sim) > 1.01 * start) {
      fail_msg("%d, %s: energy %g of %g at %g s\n%s", (int)seed, method, energy_of(sim), start,
               trm_sim_state(sim)->t, text);
    }
    hits += out > 0.0;
    if (hits == 5) middle = trm_sim_counters(sim)->steps;
  }
  (void)momentum_of(mass, sim, after);
  for (int k = 0; k < 3; k++) {
    /* rounding of several impacts, in hundreds of steps */
    CHECK_NEAR(after[k], before[k], 4e-12 * size, "%s: momentum", method);
  }
  if (middle > 0) resume(&m, middle);
  trm_sim_free(sim);
  typed_close(&m);
  return hits;
}

static void random_scenes_keep_the_rules(void **state) {
  (void)state;
  const int scenes = getenv("TRM_LONG") != NULL ? 150 : 6;
  const int count = all_methods();
  int touched = 0;
  for (int k = 0; k < scenes; k++) {
    touched += check_scene((uint64_t)k + 1, methods[k % count], 1e-6) > 0;
  }
  assert_true(2 * touched > scenes);
}

/* Stiff impacts at the usual tolerance. Scene 149, with friction, gained 18 % by radau: Newton's
 * iteration left speeds that such impacts do not bear. */
static void stiff_impacts_create_no_energy(void **state) {
  (void)state;
  for (int m = 0; m < all_methods(); m++) (void)check_scene(149, methods[m], 1e-5);
}

/* Shapes of a group that are far apart have no gaps yet. Three steps of radau took all bodies of
 * the first of these through each other, and one impact of the second was missed. */
static void long_steps_do_not_fly_through(void **state) {
  (void)state;
  static const struct { uint64_t seed; double left; } scenes[] = {{224, .7711}, {254, .8453}};
  for (int k = 0; k < 4; k++) {
    const double tolerance = k < 2 ? 1e-5 : 1e-6; /* what is left is by tdg at 1e-8 */
    CHECK_NEAR(energy_left(scenes[k % 2].seed, "radau", tolerance), scenes[k % 2].left, 2e-3,
               "scene %d at %g", (int)scenes[k % 2].seed, tolerance);
  }
}

/* A ball meets a capsule within one step, and is apart and flies away at both ends. The gap has a
 * corner between, which a cubic through its ends leaves out: explicit went through the first at
 * every tolerance, with .881 of the energy, hht through the second, also with .881. What is left is
 * by radau at 1e-7. */
static void bodies_that_pass_each_other_in_a_step_meet(void **state) {
  (void)state;
  for (int digits = 4; digits <= 7; digits++) {
    CHECK_NEAR(energy_left(1075, "explicit", pow(10.0, -digits)), .641834, 1e-3, "1e-%d", digits);
  }
  CHECK_NEAR(energy_left(1225, "hht", 1e-5), .9711, 1e-3, "hht");
}

/* Velocity of b at the end; is there a border for constraints by then? */
static bool ends_with(const char *bodies, const char *method, double tolerance, double v[3]) {
  char text[1500];
  trm_error err = {.message = ""};
  snprintf(text, sizeof text, "trammel: 1\nbodies:\n%s"
           "outputs: {vx: b.vx, vy: b.vy, vz: b.vz}\n", bodies);
  typed m = typed_text(text, "scene", NULL);
  trm_sim *sim = typed_sim(&m, method, tolerance);
  kit_run(sim);
  CHECK_OK(trm_sim_outputs(sim, v, &err), err);
  const bool is_bordered = sim->bordered;
  trm_sim_free(sim);
  typed_close(&m);
  return is_bordered;
}

/* A ring that turns comes near a ball, goes away, and hits it 40 ms later with its other side. At
 * both ends of a step of radau that takes in the hit the gap opens: at 1e-4 and 1e-5 it went
 * through, and the ball stayed at rest. */
static void a_ring_that_opens_a_gap_meets_what_it_passes(void **state) {
  (void)state;
  static const double by_explicit[] = {.08304, -.42117, -.12656}; /* at 1e-6 */
  for (int k = 0; k < 2 * all_methods(); k++) {
    const char *method = methods[k / 2];
    double v[3];
    (void)ends_with(
        "  a: {mass: 1.1, inertia: [3.7e-3, 4e-3, 4.4e-3], at: [.0267, -.0621, .2044],\n"
        "      velocity: [-.21, .765, -2.37], angular_velocity: [3.07, 6.91, -5.1],\n"
        "      orientation: {quaternion: [.255, -.899, -.239, .264]},\n"
        "      shape: {torus: {radius: .1075, tube: .0108}}}\n"
        "  b: {mass: .4, inertia: [3.5e-4, 4.1e-4, 3.8e-4], shape: {sphere: {radius: .06}}}\n"
        "contacts: {c: {between: [a, b], stiffness: 4.8e5}}\nsimulate: {end: .18}\n",
        method, k % 2 == 0 ? 1e-4 : 1e-5, v);
    for (int i = 0; i < 3; i++) { /* the tolerance of impacts, 1e-3, at 2.5 m/s */
      CHECK_NEAR(v[i], by_explicit[i], 2.5e-3, "%s: speed %d", method, i);
    }
  }
}

/* The prediction of a long step is deep inside a stiff contact, next to whose stiffness the masses
 * are lost in rounding. That was taken for singular constraints, which nobody has here: there was a
 * note of them, and all later matrices had their border. One impact was missed as well, as above:
 * b ended with .261, .077 and .258 m/s. */
static void stiff_contacts_are_no_singular_constraints(void **state) {
  (void)state;
  static const double at_1e_6[] = {.41360, -.13966, .33953};
  double v[3];
  const bool is_bordered = ends_with(
      "  a: {mass: 1.19, inertia: [5e-3, 5.5e-3, 6e-3], at: [-.296, -.0407, -.216],\n"
      "      velocity: [.729, .107, .553], angular_velocity: [-4.36, 4.15, 4.24],\n"
      "      orientation: {quaternion: [.8, .156, .577, .0458]},\n"
      "      shape: {torus: {radius: .112, tube: .02}}}\n"
      "  b: {mass: 3.12, inertia: [.0328, .0393, .0361], angular_velocity: [4.37, -7.37, 5.85],\n"
      "      orientation: {quaternion: [-.0405, .659, -.688, -.3]},\n"
      "      shape: {capsule: {from: [-.192, 0, 0], to: [.192, 0, 0], radius: .017}}}\n"
      "contacts: {c: {between: [a, b], stiffness: 4.8e16, exponent: 3, restitution: .58}}\n"
      "simulate: {end: .85}\n", "radau", 3e-4, v);
  assert_false(is_bordered);
  for (int i = 0; i < 3; i++) CHECK_NEAR(v[i], at_1e_6[i], 1e-3, "speed %d", i); /* as above */
}

/* Where the depth of a blow is looked for, more pairs of features are near than a contact of a box
 * and a hull has places, and nothing can be evaluated. That was taken for a place that does not
 * push, for good: nobody looked after the steps in the blow. bdf lost 6 % of the energy, hht got
 * 5 %. */
static void blows_that_cannot_be_foreseen_are_found_nearer_to_them(void **state) {
  (void)state;
  static const double by_explicit[] = {-.27108, .71673, .13927}; /* at 1e-8 */
  static const struct { const char *method; double tolerance; } runs[] = {
      {"hht", 1e-4}, {"alpha", 1e-4}, {"bdf", 1e-5}};
  for (int k = 0; k < 3; k++) {
    double v[3];
    (void)ends_with(
        "  a: {mass: 1.14, inertia: [8.1e-3, 8.91e-3, 9.72e-3], at: [.155, -.328, -.0107],\n"
        "      velocity: [-.227, .534, -.0927], angular_velocity: [.683, -2.35, .2],\n"
        "      orientation: {quaternion: [-.405, .443, .303, -.74]},\n"
        "      shape: {box: {size: [.146, .148, .275], rounding: .0249}}}\n"
        "  b: {mass: .939, inertia: [3.92e-3, 4.7e-3, 4.31e-3],\n"
        "      angular_velocity: [3.89, -5.02, -6.18],\n"
        "      orientation: {quaternion: [-.215, -.0599, -.352, -.909]},\n"
        "      shape: {hull: {radius: .0119, points: [[-.0646, .0943, .0187],\n"
        "        [-.0222, -.0686, -.071], [4.36e-3, -.088, .0588], [.0188, -.0926, -.0251],\n"
        "        [-.084, -4.66e-3, .0593], [.0823, .0319, .0681]]}}}\n"
        "contacts: {c: {between: [a, b], stiffness: 1.36e11, exponent: 3,\n"
        "               friction: {static: .427}}}\nsimulate: {end: 1}\n",
        runs[k].method, runs[k].tolerance, v);
    for (int i = 0; i < 3; i++) { /* three tolerances of impacts, 1e-3, at .88 m/s: with friction */
      CHECK_NEAR(v[i], by_explicit[i], 2.6e-3, "%s: speed %d", runs[k].method, i);
    }
  }
}

/* Steps grow eightfold after an impact. radau took the first correction for good by the rate of
 * convergence of the short steps in it: at 1e-5 the speeds of free flight changed, and .0016 of the
 * energy was lost within 7 ms of it. */
static void free_flight_after_an_impact_keeps_the_energy(void **state) {
  (void)state;
  for (int digits = 4; digits <= 7; digits++) { /* what is left is by explicit at 1e-8 */
    CHECK_NEAR(energy_left(331, "radau", pow(10.0, -digits)), .324741, 1e-4, "1e-%d", digits);
  }
}

/* A capsule will meet a box after others have met: the state from which its blow is foreseen, .1 s
 * ahead, lies deep in those others. Their push was taken for its own, the blow for 25 times shorter
 * than it is and over when it had hardly begun, and bdf came out with .624 of the energy. */
static void blows_foreseen_through_others_have_their_length(void **state) {
  (void)state;
  for (int digits = 3; digits <= 5; digits++) { /* what is left is by radau and explicit at 1e-6 */
    CHECK_NEAR(energy_left(1363, "bdf", pow(10.0, -digits)), .57665, 1e-3, "1e-%d", digits);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_scenes_keep_the_rules),
      cmocka_unit_test(stiff_impacts_create_no_energy),
      cmocka_unit_test(long_steps_do_not_fly_through),
      cmocka_unit_test(bodies_that_pass_each_other_in_a_step_meet),
      cmocka_unit_test(a_ring_that_opens_a_gap_meets_what_it_passes),
      cmocka_unit_test(stiff_contacts_are_no_singular_constraints),
      cmocka_unit_test(blows_that_cannot_be_foreseen_are_found_nearer_to_them),
      cmocka_unit_test(free_flight_after_an_impact_keeps_the_energy),
      cmocka_unit_test(blows_foreseen_through_others_have_their_length),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
