/* test_joint_starts.c - start values of joint coordinates: where they put bodies, and how these
 * move. */
#include "verify/mechanics.h"
#include <math.h>

enum { OUTPUTS = 12 };

static const double pi = 3.14159265358979323846;

/* Outputs of a text at its assembled start. */
static void start_outputs(const char *text, double *outputs) {
  trm_error err = {.message = ""};
  typed m = typed_text(text, "test", NULL);
  trm_options o = trm_options_default();
  o.end = 1.0;
  trm_sim *sim = kit_sim(m.system, &o);
  assert_true(trm_system_count(m.system, TRM_OUTPUT) <= OUTPUTS);
  CHECK_OK(trm_sim_outputs(sim, outputs, &err), err);
  trm_sim_free(sim);
  typed_close(&m);
}

/* Two links of lengths 1 and 0.5 with their ends as markers; nothing says where they are. Angles
 * about y turn z to x: the tip is at (cos a + cos(a+b)/2, 0, -sin a - sin(a+b)/2). */
static void a_tree_needs_no_place_of_any_body(void **state) {
  (void)state;
  double out[OUTPUTS];
  start_outputs(
      "trammel: 1\ngravity: [0, 0, -9.81]\n"
      "bodies:\n"
      "  ground: {markers: {o: {orientation: {z: [0, 1, 0], x: [1, 0, 0]}}}}\n"
      "  two: {mass: 1, inertia: [.1, .1, .1], markers: {a: {at: [-.25, 0, 0], orientation: "
      "{z: [0, 1, 0], x: [1, 0, 0]}}, tip: {at: [.25, 0, 0]}}}\n"
      "  one: {mass: 1, inertia: [.1, .1, .1], markers: {a: {at: [-.5, 0, 0], orientation: "
      "{z: [0, 1, 0], x: [1, 0, 0]}}, b: {at: [.5, 0, 0], orientation: {z: [0, 1, 0], "
      "x: [1, 0, 0]}}}}\n"
      "joints:\n"
      "  j2: {type: revolute, markers: [one.b, two.a], start: 45 deg, start_rate: -3 rad/s}\n"
      "  j1: {type: revolute, markers: [ground.o, one.a], start: 30 deg, start_rate: 2}\n"
      "outputs: {x: two.tip.x, z: two.tip.z, vx: two.tip.vx, vz: two.tip.vz, a: j1.angle,\n"
      "          b: j2.angle, ar: \"j1.angle'\", br: \"j2.angle'\"}\n", out);
  const double a = pi / 6, ab = a + pi / 4;
  /* a product of rotations and a projection of what is satisfied: rounding */
  CHECK_NEAR(out[0], cos(a) + cos(ab) / 2, 1e-14, "x");
  CHECK_NEAR(out[1], -sin(a) - sin(ab) / 2, 1e-14, "z");
  CHECK_NEAR(out[2], -2 * sin(a) + sin(ab) / 2, 1e-14, "vx");
  CHECK_NEAR(out[3], -2 * cos(a) + cos(ab) / 2, 1e-14, "vz");
  CHECK_NEAR(out[4], a, 1e-14, "angle of the first");
  CHECK_NEAR(out[5], pi / 4, 1e-14, "angle of the second");
  CHECK_NEAR(out[6], 2.0, 1e-13, "rate of the first");
  CHECK_NEAR(out[7], -3.0, 1e-13, "rate of the second");
}

/* A joint given by bodies is drawn at zero; what hangs on it, and its full turns, move along. */
static void a_drawing_is_turned(void **state) {
  (void)state;
  double out[OUTPUTS];
  start_outputs(
      "trammel: 1\n"
      "bodies:\n"
      "  arm: {mass: 1, inertia: [.1, .1, .1], at: [1, 0, 0]}\n"
      "  box: {mass: 1, inertia: [.1, .1, .1], at: [2, 0, 0]}\n"
      "  other: {mass: 1, inertia: [.1, .1, .1], at: [7, 0, 0]}\n"
      "joints:\n"
      "  pin: {type: revolute, bodies: [ground, arm], at: [0, 0, 0], axis: [0, 0, 1],\n"
      "        start: 450 deg, start_rate: 2}\n"
      "  hold: {type: fixed, bodies: [box, arm], at: [2, 0, 0]}\n"
      "  pin2: {type: revolute, bodies: [ground, other], at: [0, 0, 0], axis: [0, 0, 1]}\n"
      "forces: {s: {type: spring, bodies: [ground, arm], points: [[0, 3, 0], [1, 0, 0]],\n"
      "             stiffness: 1}}\n"
      "outputs: {x: box.x, y: box.y, vx: box.vx, wz: box.wz, angle: pin.angle, l: s.length,\n"
      "          f: s.force, ox: other.x}\n", out);
  CHECK_NEAR(out[0], 0.0, 1e-14, "x");
  CHECK_NEAR(out[1], 2.0, 1e-14, "y");
  CHECK_NEAR(out[2], -4.0, 1e-13, "vx");
  CHECK_NEAR(out[3], 2.0, 1e-13, "wz");
  CHECK_NEAR(out[4], 2.5 * pi, 1e-14, "angle with its full turn");
  CHECK_NEAR(out[5], 2.0, 1e-14, "the point of the spring moves with the arm");
  CHECK_NEAR(out[6], sqrt(10.0) - 2.0, 1e-14, "its rest length is that of the drawing");
  assert_true(out[7] == 7.0); /* untouched to the bit */
}

/* All coordinates of all joints that have a pose, between two moving bodies, B drawn askew. */
static void every_coordinate_starts_as_it_is_given(void **state) {
  (void)state;
  static const struct {
    const char *type, *ends, *start, *rate, *names[5];
    double starts[5], rates[5];
  } cases[] = {
    {"revolute", "", "0.7", "-1.1", {"angle"}, {0.7}, {-1.1}},
    {"translational", "", "0.7", "-1.1", {"displacement"}, {0.7}, {-1.1}},
    {"cylindrical", "", "[0.7, 0.2]", "[-1.1, 3]", {"angle", "displacement"}, {0.7, 0.2},
     {-1.1, 3}},
    {"spherical", "", "[0.7, 0.2, -2]", "[-1.1, 3, 2]", {"angle1", "angle2", "angle3"},
     {0.7, 0.2, -2}, {-1.1, 3, 2}},
    {"planar", "", "[0.7, 0.2, -2]", "[-1.1, 3, 2]", {"x", "y", "angle"}, {0.7, 0.2, -2},
     {-1.1, 3, 2}},
    {"universal", "", "[0.7, 0.2]", "[-1.1, 3]", {"angle1", "angle2"}, {0.7, 0.2}, {-1.1, 3}},
    {"screw", ", pitch: 0.5", "[0.7, 0.2]", "[-1.1, -0.08753521870054244]",
     {"angle", "displacement"}, {0.7, 0.2}, {-1.1, -0.08753521870054244}},
    {"point_on_line", "", "[0.7, 0.2, -1, .3]", "[-1.1, 3, 2, 1]",
     {"displacement", "angle1", "angle2", "angle3"}, {0.7, 0.2, -1, .3}, {-1.1, 3, 2, 1}},
    {"point_on_plane", "", "[0.7, 0.2, -1, .3, 1]", "[-1.1, 3, 2, 1, 2]",
     {"x", "y", "angle1", "angle2", "angle3"}, {0.7, 0.2, -1, .3, 1}, {-1.1, 3, 2, 1, 2}},
    {"parallel", "", "[0.7, 0.2, -1, .3]", "[-1.1, 3, 2, 1]", {"x", "y", "z", "angle"},
     {0.7, 0.2, -1, .3}, {-1.1, 3, 2, 1}},
    {"orientation", "", "[0.7, 0.2, -2]", "[-1.1, 3, 2]", {"x", "y", "z"}, {0.7, 0.2, -2},
     {-1.1, 3, 2}},
    {"perpendicular", "", "[0.7, 0.2, -2, 1, .4]", "[-1.1, 3, 2, .1, .2]",
     {"x", "y", "z", "angle1", "angle2"}, {0.7, 0.2, -2, 1, .4}, {-1.1, 3, 2, .1, .2}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[2000], outputs[500] = "";
    double out[OUTPUTS];
    int count = 0;
    for (; count < 5 && cases[i].names[count] != NULL; count++) {
      const size_t used = strlen(outputs);
      snprintf(outputs + used, sizeof outputs - used, "%so%d: j.%s, r%d: \"j.%s'\"",
               count > 0 ? ", " : "", count, cases[i].names[count], count, cases[i].names[count]);
    }
    snprintf(text, sizeof text,
             "trammel: 1\nbodies:\n"
             "  a: {mass: 1, inertia: [.1, .1, .1], at: [.3, .4, .5], orientation: {angles: "
             "[1, 2, 3]}, velocity: [1, 2, 3], angular_velocity: [3, 1, 2], markers: "
             "{m: {at: [.1, .2, .3], orientation: {angles: [.3, .2, .1]}}}}\n"
             "  b: {mass: 1, inertia: [.1, .1, .1], markers: "
             "{m: {at: [.3, .2, .5], orientation: {angles: [.5, .2, .7]}}}}\n"
             "joints: {j: {type: %s, markers: [a.m, b.m]%s, start: %s, start_rate: %s}}\n"
             "outputs: {%s}\n", cases[i].type, cases[i].ends, cases[i].start, cases[i].rate,
             outputs);
    start_outputs(text, out);
    for (int k = 0; k < count; k++) {
      CHECK_NEAR(out[2 * k], cases[i].starts[k], 1e-13, "%s", cases[i].type);
      CHECK_NEAR(out[2 * k + 1], cases[i].rates[k], 1e-12, "%s", cases[i].type);
    }
  }
}

/* A screw whose angle starts later has moved along its axis by then. */
static void a_screw_moves_along(void **state) {
  (void)state;
  double out[OUTPUTS];
  start_outputs("trammel: 1\n"
                "bodies: {nut: {mass: 1, inertia: [.1, .1, .1], markers: {m: {}}}}\n"
                "joints: {s: {type: screw, markers: [ground, nut], pitch: 0.1, start: 90 deg,\n"
                "             start_rate: 6.283185307179586}}\n"
                "outputs: {d: s.displacement, r: \"s.displacement'\", a: s.angle}\n", out);
  CHECK_NEAR(out[0], 0.025, 1e-15, "a quarter of the pitch");
  CHECK_NEAR(out[1], 0.1, 1e-14, "the pitch in a second");
  CHECK_NEAR(out[2], pi / 2, 1e-14, "angle");
}

/* A four-bar of links 1, 3, 2.5 and 3 between the pivots: crank at 60 deg. The coupler closes by
 * the law of cosines. */
static void the_crank_of_a_loop_stays_where_it_is_put(void **state) {
  (void)state;
  double out[OUTPUTS];
  start_outputs(
      "trammel: 1\nbodies:\n"
      "  ground: {markers: {o: {}, p: {at: [3, 0, 0]}}}\n"
      "  crank: {mass: 1, inertia: [.1, .1, .1], markers: {a: {}, b: {at: [1, 0, 0]}}}\n"
      "  coupler: {mass: 1, inertia: [.1, .1, .1], markers: {a: {}, b: {at: [3, 0, 0]}}}\n"
      "  rocker: {mass: 1, inertia: [.1, .1, .1], markers: {a: {}, b: {at: [2.5, 0, 0]}}}\n"
      "joints:\n"
      "  j1: {type: revolute, markers: [ground.o, crank.a], start: 60 deg, start_rate: 2}\n"
      "  j2: {type: revolute, markers: [crank.b, coupler.a]}\n"
      "  j4: {type: planar, markers: [ground.p, rocker.a]}\n"
      "  j5: {type: spherical, markers: [ground.p, rocker.a]}\n"
      "  j3: {type: spherical, markers: [coupler.b, rocker.b]}\n"
      "outputs: {a: j1.angle, r: \"j1.angle'\", x: rocker.b.x, y: rocker.b.y, vx: rocker.b.vx,\n"
      "          vy: rocker.b.vy, d: \"DM(crank.b, rocker.b)\", e: \"DM(ground.p, rocker.b)\"}\n",
      out);
  CHECK_NEAR(out[0], pi / 3, 1e-12, "crank");
  CHECK_NEAR(out[1], 2.0, 1e-12, "rate of the crank");
  CHECK_NEAR(out[6], 3.0, 1e-12, "length of the coupler");
  CHECK_NEAR(out[7], 2.5, 1e-12, "length of the rocker");
  /* velocity of the joint: across the rocker, and along the coupler as the crank moves */
  const double bx = cos(pi / 3), by = sin(pi / 3), ux = (out[2] - bx) / 3, uy = (out[3] - by) / 3;
  CHECK_NEAR(out[4] * (out[2] - 3) + out[5] * out[3], 0.0, 1e-11, "across the rocker");
  CHECK_NEAR((out[4] + 2 * by) * ux + (out[5] - 2 * bx) * uy, 0.0, 1e-11, "along the coupler");
}

/* A beam on an arm that starts upright turns with it and is not strained. */
static void a_beam_turns_as_it_is(void **state) {
  (void)state;
  double out[OUTPUTS];
  start_outputs(
      "trammel: 1\n"
      "bodies: {hub: {mass: 1, inertia: [.1, .1, .1], markers: {m: {}, a: {at: [1, 0, 0]},\n"
      "         b: {at: [2, 0, 0]}}}}\n"
      "beams: {rod: {markers: [hub.a, hub.b], fix: first, elements: 2, E: 2e11, G: 8e10,\n"
      "        area: 1e-4, Iy: 1e-9, Iz: 1e-9, J: 2e-9, density: 7800}}\n"
      "joints: {pin: {type: revolute, markers: [ground, hub.m], start: 90 deg, start_rate: 2}}\n"
      "outputs: {x: rod.last.x, y: rod.last.y, vx: rod.last.vx, u: rod.first.force.x}\n", out);
  CHECK_NEAR(out[0], 0.0, 1e-14, "x");
  CHECK_NEAR(out[1], 2.0, 1e-14, "y");
  CHECK_NEAR(out[2], -4.0, 1e-13, "vx");
}

/* What a start of a loop that is given in the middle says. */
static int messages;
static void count_message(void *self, double t, const char *text) {
  (void)self;
  (void)t;
  if (strstr(text, "is not kept") != NULL) messages++;
}

static void a_value_that_a_loop_contradicts_is_reported(void **state) {
  (void)state;
  static const char *const lines[] = {"j2: {type: revolute, markers: [a.b, b.a], start: 5 deg}",
                                      "j2: {type: revolute, markers: [a.b, b.a]}"};
  for (int i = 0; i < 2; i++) {
    char text[1000];
    snprintf(text, sizeof text,
             "trammel: 1\nbodies:\n"
             "  ground: {markers: {o: {}, p: {at: [1.5, 0, 0]}}}\n"
             "  a: {mass: 1, inertia: [.1, .1, .1], markers: {a: {}, b: {at: [1, 0, 0]}}}\n"
             "  b: {mass: 1, inertia: [.1, .1, .1], markers: {a: {}, b: {at: [1, 0, 0]}}}\n"
             "joints:\n"
             "  j1: {type: revolute, markers: [ground.o, a.a], start: 41.40962210927086 deg}\n"
             "  %s\n"
             "  j3: {type: point_on_line, markers: [ground.p, b.b]}\n", lines[i]);
    typed m = typed_text(text, "test", NULL);
    trm_options o = trm_options_default();
    o.end = 0.01;
    messages = 0;
    trm_error err = {.message = ""};
    trm_sim *sim = kit_sim(m.system, &o);
    const trm_sink sink = {.message = count_message};
    CHECK_OK(trm_sim_add_sink(sim, &sink, &err), err);
    kit_run(sim);
    trm_sim_free(sim);
    typed_close(&m);
    if ((messages > 0) != (i == 0)) fail_msg("case %d: %d messages", i, messages);
  }
}

/* A start value of a built system can be set. */
static void a_start_value_can_be_set(void **state) {
  (void)state;
  trm_error err = {.message = ""};
  double out[OUTPUTS];
  typed m = typed_text("trammel: 1\n"
                       "bodies: {b: {mass: 1, inertia: [.1, .1, .1], markers: {m: {at: "
                       "[-1, 0, 0]}}}}\n"
                       "joints: {pin: {type: revolute, markers: [ground, b.m], start: 0.3}}\n"
                       "outputs: {x: b.x, y: b.y, angle: pin.angle}\n", "test", NULL);
  CHECK_OK(trm_system_set(m.system, "pin.start", 400.0 * pi / 180, &err), err);
  trm_options o = trm_options_default();
  o.end = 1.0;
  trm_sim *sim = kit_sim(m.system, &o);
  CHECK_OK(trm_sim_outputs(sim, out, &err), err);
  CHECK_NEAR(out[0], cos(40.0 * pi / 180), 1e-14, "x");
  CHECK_NEAR(out[1], sin(40.0 * pi / 180), 1e-14, "y");
  CHECK_NEAR(out[2], 400.0 * pi / 180, 1e-14, "angle");
  trm_sim_free(sim);
  typed_close(&m);
}

static void start_values_that_do_not_fit_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *joint, *words;
  } cases[] = {
    {"{type: fixed, markers: [ground, b], start: 1}", "is fixed and has no coordinate of its own"},
    {"{type: cylindrical, markers: [ground, b], start: 1}",
     "joint 'j': 'start' has 1 value; it needs one for each of angle and displacement"},
    {"{type: cylindrical, markers: [ground, b], start: [1, 2, 3]}",
     "joint 'j': 'start' has 3 values; it needs one for each of angle and displacement"},
    {"{type: revolute, markers: [ground, b], start: 1 m}",
     "joint 'j': the value has the dimension m, not 1"},
    {"{type: revolute, markers: [ground, b], start_rate: 1 m/s}",
     "joint 'j': the value has the dimension m/s, not 1/s"},
    {"{type: constant_velocity, markers: [ground, b], start: [1, 2]}",
     "a constant_velocity joint has no 'start'; place its bodies by at and orientation"},
    {"{type: revolute, markers: [ground, b], start: 1}\nmotions: {d: {joint: j, position: 1}}",
     "joint 'j': its start follows from motion 'd'; leave one of them out"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[500];
    snprintf(text, sizeof text,
             "trammel: 1\nbodies: {b: {mass: 1, inertia: [.1, .1, .1]}}\njoints:\n  j: %s\n",
             cases[i].joint);
    mechanics_complaint(text, 4, cases[i].words);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_tree_needs_no_place_of_any_body),
    cmocka_unit_test(a_drawing_is_turned),
    cmocka_unit_test(every_coordinate_starts_as_it_is_given),
    cmocka_unit_test(a_screw_moves_along),
    cmocka_unit_test(the_crank_of_a_loop_stays_where_it_is_put),
    cmocka_unit_test(a_beam_turns_as_it_is),
    cmocka_unit_test(a_value_that_a_loop_contradicts_is_reported),
    cmocka_unit_test(a_start_value_can_be_set),
    cmocka_unit_test(start_values_that_do_not_fit_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
