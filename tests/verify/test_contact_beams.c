/* test_contact_beams.c - beams as chains of capsules in contacts: derivatives, weight, a support,
 * shots that bounce, rings that close, restarts. */
#include "methods.h"
#include "trammel/analysis.h"
#include "verify/contact_runs.h"
#include "verify/mechanics.h"
#include <math.h>

#define SECTION                                                                                    \
  "E: 2e9, G: 8e8, area: 1e-4, Iy: 8e-10, Iz: 8e-10, J: 1.6e-9, density: 1000, radius: 6 mm"

static void derivatives_match_differences(void **state) {
  (void)state;
  double out[2];
  contact_check_blocks("trammel: 1\nbodies:\n  ground: {shapes: {floor: {plane: {}}}}\n"
                       "  b: {mass: 1, inertia: [.01, .02, .01], at: [.4, .01, .058],\n"
                       "      orientation: {vector: [.1, .2, .1]},\n"
                       "      shape: {box: {size: [.2, .3, .1], rounding: 5 mm}}}\n"
                       "beams:\n  rod: {points: [[0, 0, .004], [1, .1, .005]], elements: 3,\n"
                       "        nodes: 2, " SECTION "}\n"
                       "contacts:\n  c: {between: [rod, ground], stiffness: 100, damping: .3,\n"
                       "      friction: {static: .6, dynamic: .4, velocity: 8, depth: .7}}\n"
                       "  d: {between: [b, rod], stiffness: 100, damping: .3,\n"
                       "      friction: {static: .6, dynamic: .4, velocity: 8, depth: .7}}\n"
                       "outputs: {n: c.touching, k: d.touching}\n", out);
  assert_true(out[0] == 8.0 && out[1] >= 1.0); /* both ends of four capsules */
}

/* A rod that falls on a floor, one end first, lies there with all of its points. */
static void a_rod_falls_and_lies(void **state) {
  (void)state;
  static const char *const methods_of[] = {"hht", "bdf", "radau"};
  for (int i = 0; i < 3; i++) {
    double out[4];
    contact_run("trammel: 1\ngravity: [0, 0, -9.81]\n"
        "bodies:\n  ground: {shapes: {floor: {plane: {}}}}\n"
        "beams:\n  rod: {points: [[0, 0, .03], [1, 0, .04]], elements: 4, nodes: 2,\n"
        "        damping: 3e-4, " SECTION "}\n"
        "contacts: {c: {between: [rod, ground], stiffness: 1e6, restitution: .3,\n"
        "               friction: {static: .4}}}\n"
        "outputs: {z: rod.first.z, y: rod.last.z, load: c.force.z, n: c.touching}\n"
        "simulate: {end: 1.5}\n", methods_of[i], out);
    const double weight = 1000 * 1e-4 * sqrt(1 + 1e-4) * 9.81;
    CHECK_NEAR(-out[2], weight, 2e-3 * weight, "%s: weight", methods_of[i]);
    CHECK_NEAR(out[0], .006, 3e-5, "%s: first end", methods_of[i]);
    CHECK_NEAR(out[1], .006, 3e-5, "%s: last end", methods_of[i]);
    assert_true(out[3] == 10.0);
  }
}

/* Without a radius that of a round section of the same area, however the area is given. */
static void the_area_gives_the_radius(void **state) {
  (void)state;
  static const char *const sections[] = {
    "area: 1e-4, Iy: 8e-10, Iz: 8e-10, J: 1.6e-9", "section: {rectangle: [20 mm, 5 mm]}",
    "section: {polygon: [[0, 0], [2 cm, 0], [2 cm, 5 mm], [0, 5 mm]]}"};
  for (int i = 0; i < 3; i++) {
    char text[600];
    trm_error err = {.message = ""};
    double gap;
    snprintf(text, sizeof text, "trammel: 1\nbodies: {ground: {shapes: {floor: {plane: {}}}}}\n"
             "beams: {rod: {points: [[0, 0, .03], [1, 0, .03]], E: 2e9, G: 8e8, density: 1000,\n"
             "              %s}}\n"
             "contacts: {c: {between: [rod, ground], stiffness: 1e6}}\n"
             "outputs: {gap: c.gap}\nsimulate: {end: 1}\n", sections[i]);
    typed m = typed_text(text, "radius", NULL);
    trm_sim *sim = typed_sim(&m, "hht", 1e-5);
    CHECK_OK(trm_sim_outputs(sim, &gap, &err), err);
    CHECK_NEAR(gap, .03 - sqrt(1e-4 / 3.14159265358979), 1e-9, "%s", sections[i]);
    trm_sim_free(sim);
    typed_close(&m);
  }
}

/* A clamped beam whose tip lies on a ball: 3/8 of its weight is there, less what the shear, the
 * give of the ball and the end half a radius beyond add. */
static void a_tip_lies_on_a_ball(void **state) {
  (void)state;
  typed m = typed_text("trammel: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
                       "  ground: {shapes: {ball: {sphere: {at: [1, 0, -.056], radius: .05}}}}\n"
                       "beams:\n  rod: {points: [[0, 0, 0], [1, 0, 0]], elements: 8, nodes: 3,\n"
                       "        fix: first, " SECTION "}\n"
                       "contacts: {c: {between: [rod, ground], stiffness: 1e9}}\n"
                       "outputs: {load: c.force, z: rod.last.z}\n", "tip", NULL);
  trm_error err = {.message = ""};
  trm_static *rest = NULL;
  double out[2];
  const trm_static_options options = trm_static_options_default();
  CHECK_OK(trm_static_find(m.system, &options, &rest, &err), err);
  CHECK_OK(trm_system_values(trm_static_system(rest), trm_static_state(rest),
                             &(trm_values){.outputs = out}, &err), err);
  const double weight = .1 * 9.81;
  CHECK_NEAR(out[0], .375 * weight, 2e-3 * weight, "load of the tip");
  trm_static_free(rest);
  typed_close(&m);
}

/* From far away, between two nodes: it bounces back at any speed. */
static void shots_never_pass_a_beam(void **state) {
  (void)state;
  static const double speeds[] = {1.0, 30.0, 1000.0}, stiffness[] = {1e8, 1e10, 1e12};
  for (int k = 0; k < 3 * all_methods(); k++) {
    const double v = speeds[k % 3];
    const char *method = methods[k / 3];
    char text[900];
    double out[4];
    if (strcmp(method, "explicit") == 0) continue; /* beams are stiff */
    snprintf(text, sizeof text, "trammel: 1\nbodies:\n" CONTACT_SHOT("5.3")
             "beams:\n  rod: {points: [[0, 0, 5], [0, 0, 6]], elements: 4, nodes: 2,\n"
             "        E: 2e11, G: 8e10, area: 1e-2, Iy: 1e-5, Iz: 1e-5, J: 2e-5, density: 8000,\n"
             "        radius: 6 mm}\n"
             "contacts: {c: {between: [shot, rod], stiffness: %g}}\n"
             "outputs: {v: shot.vx, x: shot.x}\nsimulate: {end: %g}\n", v, stiffness[k % 3],
             1.3 / v);
    contact_run(text, method, out);
    /* the beam weighs 10^4 times as much where it is hit; vibrations take a part */
    if (!(out[0] / v < -.9 && out[1] < -6e-3)) {
      fail_msg("%s at %g m/s: %g times its speed, at %g", method, v, out[0] / v, out[1]);
    }
  }
}

/* The ends of a ring that is nearly closed are near each other; neighbours are not. */
static void a_ring_touches_itself_at_its_ends(void **state) {
  (void)state;
  double out[4];
  contact_run("trammel: 1\n"
      "beams:\n  ring: {arc: {from: [.1, 0, 0], centre: [0, 0, 0], axis: [0, 0, 1],\n"
      "         angle: 353 deg}, elements: 20, nodes: 2, " SECTION "}\n"
      "contacts: {c: {between: [ring, ring], stiffness: 1e6}}\n"
      "outputs: {gap: c.gap, n: c.touching}\nsimulate: {end: 1e-4}\n", "hht", out);
  CHECK_NEAR(out[0], .2 * sin(3.5 * acos(-1.0) / 180) - .012, 5e-5, "gap of the ends");
  assert_true(out[1] == 0.0);
}

static void a_restart_gives_the_same_bits(void **state) {
  (void)state;
  static const char text[] = "trammel: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
      "  ground: {shapes: {floor: {plane: {}}}}\n"
      "beams:\n  rod: {points: [[0, 0, .007], [1, 0, .01]], elements: 4, nodes: 2,\n"
      "        damping: 1e-4, " SECTION "}\n"
      "contacts: {c: {between: [rod, ground], stiffness: 1e6, restitution: .3,\n"
      "               friction: {static: .4}}}\n"
      "outputs: {n: c.touching}\nsimulate: {end: .03}\n";
  static const char *const methods_of[] = {"hht", "bdf", "tdg", "radau"};
  for (int k = 0; k < 4; k++) {
    typed m = typed_text(text, "beams", NULL);
    trm_sim *first = typed_sim(&m, methods_of[k], 1e-5);
    trm_sim *second = typed_sim(&m, methods_of[k], 1e-5);
    assert_true(contact_until_touching(first) > 0.0);
    contact_resume(first, second, 5);
    trm_sim_free(first), trm_sim_free(second);
    typed_close(&m);
  }
}

static void faults_are_named(void **state) {
  (void)state;
  mechanics_complaint("trammel: 1\nbodies:\n  ground: {shapes: {floor: {plane: {}}}}\n"
                      "beams: {rod: {points: [[0, 0, 0], [1, 0, 0]], mass: 1,\n"
                      "              stiffness: [1, 1, 1, 1, 1, 1]}}\n"
                      "contacts: {c: {between: [rod, ground], stiffness: 1e6}}\n", 6,
                      "beam 'rod' needs a 'radius', or an area, to touch others");
  mechanics_complaint("trammel: 1\nbodies:\n  ground: {shapes: {floor: {plane: {}}}}\n"
                      "beams: {rod: {points: [[0, 0, 0], [1, 0, 0]], " SECTION "}}\n"
                      "contacts: {c: {between: [rods, ground], stiffness: 1e6}}\n", 5,
                      "there is no body or beam 'rods'");
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(derivatives_match_differences),
    cmocka_unit_test(a_rod_falls_and_lies),
    cmocka_unit_test(the_area_gives_the_radius),
    cmocka_unit_test(a_tip_lies_on_a_ball),
    cmocka_unit_test(shots_never_pass_a_beam),
    cmocka_unit_test(a_ring_touches_itself_at_its_ends),
    cmocka_unit_test(a_restart_gives_the_same_bits),
    cmocka_unit_test(faults_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
