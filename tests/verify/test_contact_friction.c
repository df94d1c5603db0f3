/* test_contact_friction.c - friction of contacts holds, slides, rolls and spins: known answers, and
 * the figures of NUMERICS-contact, section 6. */
#include "trammel/analysis.h"
#include "verify/friction_runs.h"
#include <math.h>

static const char *const implicit[] = {"hht", "alpha", "bdf", "tdg", "radau"};
enum { IMPLICIT = 5 };

/* Penetration at rest under a force. */
static double depth_of(double force) {
  return pow(force / 1e8, 1 / 1.5);
}

/* ---- tangents ------------------------------------------------------------------------------- */

/* Two balls that overlap; the end of their friction is missing. */
#define TWO_BALLS                                                                                  \
  "trammel: 1\nbodies:\n"                                                                          \
  "  a: {mass: 1, inertia: [1, 1, 1], shape: {sphere: {at: [.1, .2, 0], radius: 1}}}\n"            \
  "  b: {mass: 1, inertia: [1, 1, 1], at: [1, .5, .3], shape: {sphere: {radius: 1}}}\n"            \
  "contacts: {c: {between: [a, b], stiffness: 2, damping: .1, friction: {static: .6,\n"

/* Also where bristles begin to yield, which is steep: test_elements.c leaves that out. */
static void blocks_match_differences_where_bristles_yield(void **state) {
  (void)state;
  uint64_t seed = 5;
  trm_error err = {.message = ""};
  typed m = typed_text(
      TWO_BALLS
      "  dynamic: .5, velocity: 2, depth: .5, time: .3, torsion: .2, rolling: .1}}}\n", "c", NULL);
  for (int k = 0; k < 100; k++) {
    trm_block_check worst[TRM_BLOCKS];
    point p;
    point_clear(&p);
    CHECK_OK(trmi_system_start(m.system, &p.s, &err), err);
    for (int i = 0; i < 12; i++) p.s.v[i] = kit_random(&seed);
    for (int i = 0; i < 5; i++) p.s.x[i] = .65 + .03 * kit_random(&seed); /* |z| about .92 */
    p.s.x[2] = .95;
    CHECK_OK(trm_system_check_blocks(m.system, &p.s, worst, &err), err);
    for (int i = 0; i < TRM_BLOCKS; i++) { /* third derivative of a cubic over a tenth: 1e4 */
      CHECK_NEAR(worst[i].error, 0.0, 1e-6, "block %s (%d, %d): given %.9g, difference %.9g",
                 trm_block_name((trm_block)i), worst[i].row, worst[i].col, worst[i].given,
                 worst[i].difference);
    }
  }
  typed_close(&m);
}

/* Where Newton's method begins: bristles solve their own rows at any motion. */
static void matched_bristles_have_no_residual(void **state) {
  (void)state;
  uint64_t seed = 9;
  trm_error err = {.message = ""};
  typed m = typed_text(
      TWO_BALLS
      "  dynamic: .5, velocity: 2, depth: .01, time: .3}}}\n", "c", NULL);
  int flowing = 0;
  for (int k = 0; k < 100; k++) {
    const double slope = pow(10.0, 2.0 * kit_random(&seed));
    double change[2] = {0.0, 0.0}, d[2] = {0.0, 0.0};
    point p;
    point_clear(&p);
    CHECK_OK(trmi_system_start(m.system, &p.s, &err), err);
    for (int i = 0; i < 12; i++) p.s.v[i] = .1 * kit_random(&seed);
    for (int i = 0; i < 2; i++) p.s.x[i] = kit_random(&seed), p.s.xd[i] = 10 * kit_random(&seed);
    bool is_new = false;
    assert_true(m.system->ops->match_states(m.system->self, &p.s, slope, change, &is_new));
    for (int i = 0; i < 2; i++) p.s.x[i] += change[i], p.s.xd[i] += slope * change[i];
    flowing += hypot(p.s.x[0], p.s.x[1]) > .9;
    CHECK_OK(trm_system_values(m.system, &p.s, &(trm_values){.d = d}, &err), err);
    /* 1e-12 of z, times the slope or the speed over the depth */
    for (int i = 0; i < 2; i++) CHECK_NEAR(d[i], 0.0, 1e-8, "row %d, slope %g", i, slope);
  }
  assert_true(flowing > 20 && flowing < 100); /* both parts of the law */
  typed_close(&m);
}

/* ---- a block on a slope --------------------------------------------------------------------- */

static outcome on_slope(const char *method, double shaken, double end, const char *friction) {
  char text[900];
  const double load = 2 * 9.81 * cos(20 * acos(-1.0) / 180), push = load * tan(acos(-1.0) / 9);
  snprintf(text, sizeof text, "trammel: 1\nbodies:\n"
           "  ground: {shapes: {floor: {plane: {}}}}\n"
           "  block: {mass: 2, inertia: [1, 1, 1], at: [0, 0, %.17g],\n"
           "          shape: {sphere: {radius: .1}}}\n"
           "joints: {o: {type: orientation, markers: [ground, block]}}\n"
           "forces: {s: {type: force, body: block, force: [%.17g, 0,\n"
           "             '-%.17g*(1 + %g*sin(14*pi*time))']}}\n"
           "contacts: {c: {between: [block, ground.floor], stiffness: 1e8, damping: 2,\n"
           "               friction: {static: .5%s}}}\n"
           "outputs: {x: block.x, v: block.vx, drag: c.friction, sticks: c.sticks}\n"
           "simulate: {end: %g}\n", .1 - depth_of(load), push, load, shaken, friction, end);
  const outcome r = friction_run(text, method, 1e-5);
  if (shaken == 0.0 && friction[0] == '\0') {
    /* the error of z in a step, .005 */
    CHECK_NEAR(r.out[2], push, 5e-3 * push, "%s: friction holds the load", method);
  }
  return r;
}

/* 100 s: moved < 1e-6 after 1 s, 60 steps (radau 100); 15 % of shaking 5e-6, 25 % 1e-4. */
static void a_block_rests_on_a_slope(void **state) {
  (void)state;
  for (int i = 0; i < IMPLICIT; i++) {
    const outcome r = on_slope(implicit[i], 0.0, 100.0, "");
    CHECK_NEAR(r.out[0], r.at_one[0], 1e-6, "%s: displacement", implicit[i]);
    CHECK_NEAR(r.out[1], 0.0, 1e-9, "%s: speed", implicit[i]);
    assert_true(r.out[3] == 1.0); /* it sticks */
    if (r.steps > 60) fail_msg("%s takes %ld steps", implicit[i], r.steps);
    const outcome shaken = on_slope(implicit[i], .15, 5.0, "");
    CHECK_NEAR(shaken.out[0], shaken.at_one[0], 5e-6, "%s: shaken by 15 %%", implicit[i]);
    const outcome more = on_slope(implicit[i], .25, 5.0, "");
    CHECK_NEAR(more.out[0], more.at_one[0], 1e-4, "%s: shaken by 25 %%", implicit[i]);
  }
}

/* The cheap law creeps: at .728 of the limit u (3 - u^2)/2 = .728 with u = v/velocity. */
static void regularized_friction_creeps(void **state) {
  (void)state;
  const double wanted = tan(acos(-1.0) / 9) / .5;
  double u = 0.0;
  for (int k = 0; k < 100; k++) u = wanted * 2 / (3 - u * u);
  const outcome r = on_slope("hht", 0.0, 10.0, ", model: regularized, velocity: 1 mm/s");
  CHECK_NEAR(r.out[1], 1e-3 * u, 1e-8, "speed of creeping"); /* a steady motion */
  CHECK_NEAR(r.out[0] - r.at_one[0], 9e-3 * u, 1e-6, "way");
}

/* ---- sliding, rolling, spinning -------------------------------------------------------------- */

/* A ball of 3 kg with J = m R^2/2 slides with 4 m/s, then rolls on R - p/2. */
static void a_ball_slides_and_then_rolls(void **state) {
  (void)state;
  const double p = depth_of(3 * 9.81), r = .15 - .5 * p, J = .5 * 3 * .15 * .15;
  const double v = 4 / (1 + J / (3 * r * r)), t = (4 - v) / (.5 * 9.81);
  const double way = 4 * t - .25 * 9.81 * t * t + (10 - t) * v;
  char text[700];
  snprintf(text, sizeof text, "trammel: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
           "  ground: {shapes: {floor: {plane: {}}}}\n"
           "  ball: {mass: 3, inertia: [%.17g, %.17g, %.17g], at: [0, 0, %.17g],\n"
           "         velocity: [4, 0, 0], shape: {sphere: {radius: .15}}}\n"
           "contacts: {c: {between: [ball, ground.floor], stiffness: 1e8, damping: 2,\n"
           "               friction: {static: .5}}}\n"
           "outputs: {x: ball.x, v: ball.vx, slip: c.slip}\nsimulate: {end: 10}\n", J, J, J,
           .15 - p);
  for (int i = 0; i < IMPLICIT; i++) {
    const outcome end = friction_run(text, implicit[i], 1e-5);
    CHECK_NEAR(end.out[1], v, 1e-7, "%s: speed of rolling: of bristles that ring", implicit[i]);
    CHECK_NEAR(end.out[2], 0.0, 1e-9, "%s: slip", implicit[i]);
    CHECK_NEAR(end.out[0], way, 2e-4, "%s: way, twenty times the tolerance", implicit[i]);
    if (end.steps > 90) fail_msg("%s takes %ld steps", implicit[i], end.steps);
  }
}

/* A ball that spins about the normal, and one that rolls, are slowed down by constant torques:
 * w' = -mu N r/J, v' = -b N/(m R + J/R) once rolling. */
static void spin_and_rolling_are_slowed_down(void **state) {
  (void)state;
  const double p = depth_of(9.81), r = .1 - .5 * p, J = 4e-3;
  char text[900];
  snprintf(text, sizeof text, "trammel: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
           "  ground: {shapes: {floor: {plane: {}}}}\n"
           "  ball: {mass: 1, inertia: [%g, %g, %g], at: [0, 0, %.17g], velocity: [1, 0, 0],\n"
           "         angular_velocity: [0, %.17g, 30], shape: {sphere: {radius: .1}}}\n"
           "contacts: {c: {between: [ball, ground.floor], stiffness: 1e8, damping: 2,\n"
           "               friction: {static: .5, torsion: 1 mm, rolling: .5 mm}}}\n"
           "outputs: {v: ball.vx, s: ball.vy}\nsimulate: {end: 1}\n", J, J, J, .1 - p, 1 / r);
  const double slower = .5e-3 * 9.81 / (r + J / r);
  for (int i = 0; i < IMPLICIT; i++) {
    const outcome end = friction_run(text, implicit[i], 1e-6);
    /* hht leaves 1.4e-4 where the ball turns with 30 rad/s, and 3e-5 at 1e-7 */
    CHECK_NEAR(end.out[0], 1 - slower, 2e-4, "%s: rolling resistance", implicit[i]);
    /* the body turns about y as well: its spin about the normal is that of ground axes */
    const double before = hypot(30, 1 / r), turning = hypot(hypot(end.v[3], end.v[4]), end.v[5]);
    const double spin = 30 - .5 * 9.81 * 1e-3 / J;
    CHECK_NEAR(turning, hypot(spin, (1 - slower) / r), 5e-3, "%s: spin", implicit[i]);
    assert_true(turning < before);
  }
}

/* Bristles of spin and rolling yield in long steps as those of sliding do. While Newton's method
 * could jump over the part in which they begin to, only short steps converged: hht and alpha took
 * 500 to 700. The speed is by radau at 1e-5. */
static void bristles_of_spin_and_rolling_yield_in_long_steps(void **state) {
  (void)state;
  for (int i = 0; i < IMPLICIT; i++) {
    const outcome end = friction_run(
        "trammel: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
        "  ground: {shapes: {floor: {plane: {}}}}\n"
        "  ball: {mass: 4.6, inertia: [.0185, .0185, .0185], at: [0, 0, .1],\n"
        "         velocity: [.1, -1.9, -.6], angular_velocity: [125, 180, -12],\n"
        "         shape: {sphere: {radius: .1}}}\n"
        "contacts: {c: {between: [ball, ground.floor], stiffness: 5e5, restitution: .3,\n"
        "               friction: {static: .42, dynamic: .25, torsion: .8 mm, rolling: .06 mm}}}\n"
        "outputs: {vx: ball.vx, vy: ball.vy}\nsimulate: {end: .3}\n", implicit[i], 1e-5);
    /* the tolerance of impacts, 1e-3, of .6 m/s, whose normal force the friction follows */
    CHECK_NEAR(end.out[0], .86257, 6e-4, "%s: speed along x", implicit[i]);
    CHECK_NEAR(end.out[1], -2.35055, 6e-4, "%s: speed along y", implicit[i]);
    if (end.steps > 250) fail_msg("%s takes %ld steps", implicit[i], end.steps); /* bdf: 171 */
  }
}

/* Samples of the step in which a ball touches down at full spin. Their equations have a second
 * solution as well, with bristles that bend without limit: by 9e9 here, and samples of friction
 * were as large. */
static void samples_of_a_touch_down_keep_the_limit(void **state) {
  (void)state;
  trm_error err = {.message = ""};
  typed m = typed_text(
      "trammel: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
      "  ground: {shapes: {floor: {plane: {}}}}\n"
      "  ball: {mass: .455, inertia: [1.82e-3, 1.82e-3, 1.82e-3], at: [0, 0, .1],\n"
      "         velocity: [.778, .601, -.234], angular_velocity: [6.58, 207, 564],\n"
      "         shape: {sphere: {radius: .1}}}\n"
      "contacts: {c: {between: [ball, ground.floor], stiffness: 1.21e7, restitution: .3,\n"
      "               friction: {static: .31, torsion: 2.49 mm, rolling: .0332 mm}}}\n"
      "simulate: {end: .3}\n", "touch", NULL);
  trm_sim *sim = typed_sim(&m, "hht", 1e-3);
  for (bool done = false; !done;) {
    const double t = trm_sim_state(sim)->t;
    CHECK_OK(trm_sim_step(sim, &done, &err), err);
    const double h = trm_sim_state(sim)->t - t;
    for (int k = 1; k < 100; k++) {
      const trm_state *s = NULL;
      CHECK_OK(trm_sim_interpolate(sim, t + h * k / 100, &s, &err), err);
      for (int i = 0; i < 5; i++) { /* a quarter that a step may overshoot, and a cubic between */
        if (!(fabs(s->x[i]) < 1.5)) fail_msg("bristle %d is %g at %g s", i, s->x[i], s->t);
      }
    }
  }
  trm_sim_free(sim);
  typed_close(&m);
}

/* ---- stick-slip ----------------------------------------------------------------------------- */

/* On a contact. */
static slip_run slips(stick_slip b, const char *method, double tolerance, double end) {
  char text[1300], block[90], parts[300];
  snprintf(block, sizeof block, ", at: [0, 0, %.17g], shape: {sphere: {radius: .05}}",
           .05 - depth_of(b.mass * 9.81));
  snprintf(parts, sizeof parts, "  o: {type: orientation, markers: [ground, block]}\n"
           "contacts: {c: {between: [block, belt], stiffness: 1e8, damping: 2,\n"
           "  friction: {static: %g, dynamic: %g, velocity: %g, depth: %g}}}\n", b.rest, b.moving,
           b.velocity, b.depth);
  stick_slip_text(&b, ", shape: {plane: {}}", block, parts, end, text, sizeof text);
  return stick_slip_run(&b, text, method, tolerance);
}

/* The usual block for 5 s. */
static slip_run usual_slips(const char *method, double tolerance, double velocity, double depth) {
  stick_slip b = stick_slip_usual;
  b.velocity = velocity, b.depth = depth;
  return slips(b, method, tolerance, 5.0);
}

/* Single periods at a tolerance of ten depths, where the law itself has 1.4 %. Bristles that creep
 * beyond their limit hold the block for too long, 3.3 %; a long step may end in another solution,
 * in which the block slides while it should stick, and breaks away too early, -.5 %. Most are below
 * 1.5 %; one of 20 of hht breaks away late, 2.06 %. */
static void no_period_of_stick_slip_is_off(void **state) {
  (void)state;
  stick_slip b = stick_slip_usual;
  b.depth = 1e-6;
  for (int i = 0; i < IMPLICIT; i++) {
    const slip_run r = slips(b, implicit[i], 1e-5, 14.0);
    if (r.longest > 1.022) fail_msg("%s: %g", implicit[i], r.longest);
    if (r.shortest < 1.005) fail_msg("%s: %g", implicit[i], r.shortest);
  }
}

/* 1.5 % at depths of 1e-5 and 1e-6 and the usual tolerance; and a sequence that converges: the
 * speed of creeping before it breaks away, depth times the rate of loading, has to become small
 * against v_s, or the coefficient falls before time. */
static void stick_slip_has_the_period_of_set_valued_friction(void **state) {
  (void)state;
  for (int i = 0; i < IMPLICIT; i++) {
    const char *how = implicit[i];
    CHECK_NEAR(usual_slips(how, 1e-5, 1e-3, 1e-5).mean, 1.0, 1.5e-2, "%s, 10 um", how);
    CHECK_NEAR(usual_slips(how, 1e-5, 1e-3, 1e-6).mean, 1.0, 1.5e-2, "%s, 1 um", how);
    CHECK_NEAR(usual_slips(how, 1e-6, 1e-3, 1e-6).mean, 1.0, 1.5e-2, "%s, 1 um, 1e-6", how);
  }
  const double coarse = usual_slips("radau", 1e-6, 1e-3, 1e-6).mean - 1.0;
  const double middle = usual_slips("radau", 1e-7, 1e-4, 1e-8).mean - 1.0;
  assert_true(coarse > 1e-2 && fabs(middle) < .4 * coarse);
  const slip_run tdg = usual_slips("tdg", 1e-7, 1e-4, 1e-8);
  CHECK_NEAR(tdg.mean - 1.0, middle, 1e-3, "tdg");
  /* 792; 4354 before stages of tdg began with matched bristles */
  if (tdg.steps > 1500) fail_msg("tdg takes %ld steps", tdg.steps);
}

/* Other blocks, with fewer steps in a slide than the usual one: hht and alpha agree with radau,
 * which agrees with itself at 1e-8 within .03 %. Without the test of what slides they are 1.1 to
 * 1.3 % off, with it by up to .4 %. */
static void stick_slip_of_other_blocks_agrees(void **state) {
  (void)state;
  static const stick_slip blocks[] = {
      {.576, 298.1, .0964, .45, .292, 1e-3, 1e-6}, {1.459, 600.9, .0989, .36, .183, 1e-3, 1e-6},
      {2.54, 746.0, .0962, .3, .19, 1e-3, 1e-5}, {.576, 298.1, .0964, .45, .292, 1e-3, 1e-5}};
  for (int k = 0; k < 4; k++) {
    const double right = slips(blocks[k], "radau", 1e-6, 3.0).mean;
    for (int i = 0; i < 2; i++) {
      CHECK_NEAR(slips(blocks[k], implicit[i], 1e-5, 3.0).mean, right, 6e-3, "%s, block %d",
                 implicit[i], k);
    }
  }
}

/* States of a controller next to bristles: accelerations at rest are nothing but rounding. */
static void typed_states_do_not_disturb_rest(void **state) {
  (void)state;
  for (int i = 0; i < IMPLICIT; i++) {
    const outcome r = friction_run(
        "trammel: 1\nparameters: {a: 20 deg}\n"
        "gravity: ['9.81*sin(a)', 0, '-9.81*cos(a)']\nbodies:\n"
        "  ground: {shapes: {floor: {plane: {}}}}\n"
        "  block: {mass: 2, inertia: [.006, .009, .012], at: [0, 0, .0499],\n"
        "          shape: {box: {size: [.2, .15, .1]}}}\n"
        "contacts: {c: {between: [block, ground], stiffness: 1e7, restitution: .3,\n"
        "               friction: {static: .5}}}\n"
        "equations: {states: {f: {value: 1, rate: -f}}}\n"
        "outputs: {x: block.x, f: f}\nsimulate: {end: 10}\n", implicit[i], 1e-5);
    CHECK_NEAR(r.out[0], r.at_one[0], 2e-6, "%s: a fifth of the tolerance", implicit[i]);
    CHECK_NEAR(r.at_one[1], exp(-1.0), 5e-4, "%s: 1e-5^(2/3)", implicit[i]); /* the state */
  }
}

/* ---- at rest -------------------------------------------------------------------------------- */

/* Bristles are springs of N mu/depth: their frequency; statics leave them as they are. */
static void modes_see_bristles_as_springs(void **state) {
  (void)state;
  trm_error err = {.message = ""};
  typed m = typed_text(
      "trammel: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
      "  ground: {shapes: {floor: {plane: {}}}}\n"
      "  block: {mass: 2, inertia: [1, 1, 1], at: [0, 0, .1], shape: {sphere: {radius: .1}}}\n"
      "joints: {o: {type: orientation, markers: [ground, block]}}\n"
      "contacts: {c: {between: [block, ground.floor], stiffness: 1e8,\n"
      "               friction: {static: .5, time: 1e-7}}}\n", "rest", NULL);
  trm_static *rest = NULL;
  trm_modes *modes = NULL;
  const trm_static_options options = trm_static_options_default();
  CHECK_OK(trm_static_find(m.system, &options, &rest, &err), err);
  const double depth = .1 - trm_static_state(rest)->q[2];
  CHECK_NEAR(depth, depth_of(2 * 9.81), 1e-9, "tolerance of statics");
  const trm_modes_options how = trm_modes_options_default();
  CHECK_OK(trm_modes_find(trm_static_system(rest), trm_static_state(rest), &how, &modes, &err),
           err);
  const double pi = acos(-1.0), sideways = sqrt(.5 * 9.81 / 1e-5) / (2 * pi);
  const double upright = sqrt(1.5 * 9.81 / depth) / (2 * pi); /* k e p^(e-1)/m, k p^e = m g */
  bool has_sideways = false, has_upright = false;
  for (int i = 0; i < trm_modes_count(modes); i++) {
    const double f = trm_mode_at(modes, i).frequency;
    has_sideways = has_sideways || fabs(f / sideways - 1.0) < 1e-6; /* damping 1e-7 s */
    has_upright = has_upright || fabs(f / upright - 1.0) < 1e-6;
  }
  assert_true(has_sideways && has_upright);
  trm_modes_free(modes);
  trm_static_free(rest);
  typed_close(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(blocks_match_differences_where_bristles_yield),
    cmocka_unit_test(matched_bristles_have_no_residual),
    cmocka_unit_test(a_block_rests_on_a_slope),
    cmocka_unit_test(regularized_friction_creeps),
    cmocka_unit_test(a_ball_slides_and_then_rolls),
    cmocka_unit_test(spin_and_rolling_are_slowed_down),
    cmocka_unit_test(bristles_of_spin_and_rolling_yield_in_long_steps),
    cmocka_unit_test(samples_of_a_touch_down_keep_the_limit),
    cmocka_unit_test(stick_slip_has_the_period_of_set_valued_friction),
    cmocka_unit_test(no_period_of_stick_slip_is_off),
    cmocka_unit_test(stick_slip_of_other_blocks_agrees),
    cmocka_unit_test(typed_states_do_not_disturb_rest),
    cmocka_unit_test(modes_see_bristles_as_springs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
