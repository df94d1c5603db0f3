/* test_joint_bristles.c - friction of joints that sticks: known answers, and the figures of
 * NUMERICS-contact, section 6, for the same law. */
#include "trammel/analysis.h"
#include "verify/friction_runs.h"
#include <math.h>

static const char *const implicit[] = {"hht", "alpha", "bdf", "tdg", "radau"};
enum { IMPLICIT = 5 };

/* A slide that falls by 20 degrees, shaken by a part of its load. */
static outcome on_slope(const char *method, double shaken, double end) {
  char text[700];
  const double a = acos(-1.0) / 9, load = 2 * 9.81 * cos(a);
  snprintf(text, sizeof text, "trammel: 1\nbodies: {block: {mass: 2, inertia: [1, 1, 1]}}\n"
           "joints: {s: {type: translational, bodies: [ground, block], at: [0, 0, 0],\n"
           "             axis: [1, 0, 0], friction: {model: bristle, static: .5}}}\n"
           "forces: {f: {type: force, body: block, force: [%.17g, 0,\n"
           "             '-%.17g*(1 + %g*sin(14*pi*time))']}}\n"
           "outputs: {x: s.displacement, v: block.vx}\nsimulate: {end: %g}\n", load * tan(a), load,
           shaken, end);
  /* tdg creeps by a tenth of its tolerance in steps of 50 s */
  return friction_run(text, method, strcmp(method, "tdg") == 0 ? 1e-6 : 1e-5);
}

/* As contacts do: moved < 1e-6 after 1 s, 60 steps; 15 % of shaking 5e-6, 25 % 1e-4. */
static void a_block_rests_on_a_slope(void **state) {
  (void)state;
  for (int i = 0; i < IMPLICIT; i++) {
    const bool is_tdg = i == 3; /* its steps of 50 s leave 5e-8 in the speed */
    const outcome r = on_slope(implicit[i], 0.0, 100.0);
    CHECK_NEAR(r.out[0], r.at_one[0], 1e-6, "%s: displacement", implicit[i]);
    CHECK_NEAR(r.out[1], 0.0, is_tdg ? 1e-7 : 1e-9, "%s: speed", implicit[i]);
    if (r.steps > 60) fail_msg("%s takes %ld steps", implicit[i], r.steps);
    const outcome shaken = on_slope(implicit[i], .15, 5.0);
    CHECK_NEAR(shaken.out[0], shaken.at_one[0], 5e-6, "%s: shaken by 15 %%", implicit[i]);
    const outcome more = on_slope(implicit[i], .25, 5.0);
    CHECK_NEAR(more.out[0], more.at_one[0], 1e-4, "%s: shaken by 25 %%", implicit[i]);
  }
}

/* 2 m/s against mu g = 4.905 m/s^2: v^2/(2 mu g), less what the bristles give back. */
static void what_slides_stops_after_its_way(void **state) {
  (void)state;
  for (int i = 0; i < IMPLICIT; i++) {
    const outcome r = friction_run(
        "trammel: 1\ngravity: [0, 0, -9.81]\n"
        "bodies: {block: {mass: 2, inertia: [1, 1, 1], velocity: [1.2, 1.6, 0]}}\n"
        "joints: {p: {type: planar, bodies: [ground, block], at: [0, 0, 0], axis: [0, 0, 1],\n"
        "             friction: {model: bristle, static: .5}}}\n"
        "outputs: {x: block.x, y: block.y, vx: block.vx, vy: block.vy}\nsimulate: {end: 3}\n",
        implicit[i], 1e-6);
    const double way = 4 / (2 * .5 * 9.81);
    CHECK_NEAR(r.out[0], .6 * way, 2e-5, "%s: x", implicit[i]); /* bristles of 10 um */
    CHECK_NEAR(r.out[1], .8 * way, 2e-5, "%s: y", implicit[i]);
    const double rest = i == 3 ? 1e-7 : 1e-8; /* that of tdg as on the slope */
    CHECK_NEAR(hypot(r.out[2], r.out[3]), 0.0, rest, "%s: it stops", implicit[i]);
  }
}

/* A brake of 3 cm with 100 N and mu .4 holds 1.1 N m, and lets go at 1.3. */
static void a_brake_holds_up_to_its_torque(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    char text[700];
    snprintf(text, sizeof text, "trammel: 1\n"
             "bodies: {disc: {mass: 1, inertia: [.01, .01, .02]}}\n"
             "joints: {h: {type: revolute, bodies: [ground, disc], at: [0, 0, 0],\n"
             "             axis: [0, 0, 1],\n"
             "             friction: {model: bristle, static: .4, radius: 3 cm, preload: 100}}}\n"
             "forces: {t: {type: force, body: disc,\n"
             "             torque: [0, 0, '%g*STEP(time, 0, 0, .5, 1)']}}\n"
             "outputs: {angle: h.angle, rate: disc.wz}\nsimulate: {end: 2}\n",
             k == 0 ? 1.07 : 1.3);
    for (int i = 0; i < IMPLICIT; i++) {
      const outcome r = friction_run(text, implicit[i], 1e-6);
      if (k == 0) CHECK_NEAR(r.out[0], r.at_one[0], 1e-6, "%s: it holds", implicit[i]);
      else CHECK_NEAR(r.out[1] - r.at_one[1], .1 / .02, 1e-4, "%s: it turns", implicit[i]);
    }
  }
}

/* The friction is that of a joint between block and belt. */
static void stick_slip_has_its_period(void **state) {
  (void)state;
  static const double depths[] = {1e-5, 1e-6};
  for (int d = 0; d < 2; d++) {
    char text[1200], parts[300];
    snprintf(parts, sizeof parts,
             "  f: {type: translational, bodies: [belt, block], at: [0, 0, 0], axis: [1, 0, 0],\n"
             "      friction: {model: bristle, static: .6, dynamic: .4, depth: %g}}\n", depths[d]);
    stick_slip_text(&stick_slip_usual, "", "", parts, 4.0, text, sizeof text);
    const slip_run r = stick_slip_run(&stick_slip_usual, text, "hht", 1e-7);
    CHECK_NEAR(r.mean, 1.0, .015, "depth %g", depths[d]); /* NUMERICS-contact, section 6 */
  }
}

/* Springs of mu_s N/depth: 2 kg on 9.81 N/1e-5 m. */
static void modes_see_bristles_as_springs(void **state) {
  (void)state;
  trm_error err = {.message = ""};
  typed m = typed_text("trammel: 1\ngravity: [0, 0, -9.81]\n"
                       "bodies: {block: {mass: 2, inertia: [1, 1, 1]}}\n"
                       "joints: {s: {type: translational, bodies: [ground, block], at: [0, 0, 0],\n"
                       "             axis: [1, 0, 0], friction: {model: bristle, static: .5,\n"
                       "             time: 1e-7}}}\n", "modes", NULL);
  trm_static *rest = NULL;
  trm_modes *modes = NULL;
  const trm_static_options options = trm_static_options_default();
  const trm_modes_options how = trm_modes_options_default();
  const double right = sqrt(.5 * 9.81 / 1e-5) / (2 * acos(-1.0));
  bool is_found = false;
  CHECK_OK(trm_static_find(m.system, &options, &rest, &err), err);
  CHECK_OK(trm_modes_find(trm_static_system(rest), trm_static_state(rest), &how, &modes, &err),
           err);
  for (int i = 0; i < trm_modes_count(modes); i++) { /* damping 1e-7 s */
    is_found = is_found || fabs(trm_mode_at(modes, i).frequency / right - 1.0) < 1e-6;
  }
  assert_true(is_found);
  trm_modes_free(modes);
  trm_static_free(rest);
  typed_close(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_block_rests_on_a_slope),
    cmocka_unit_test(what_slides_stops_after_its_way),
    cmocka_unit_test(a_brake_holds_up_to_its_torque),
    cmocka_unit_test(stick_slip_has_its_period),
    cmocka_unit_test(modes_see_bristles_as_springs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
