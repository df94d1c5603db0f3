/* test_joint_words.c - names of joints and motions in expressions, complaints about what does not
 * fit. */
#include "verify/typed.h"

/* ---- complaints ------------------------------------------------------------------------------ */

#define BODIES                                                                       \
  "trammel: 1\n"                                                                     \
  "bodies: {a: {mass: 1, inertia: [1, 1, 1], at: [0, 0, 0]},\n"                      \
  "         b: {mass: 1, inertia: [1, 1, 1], at: [0, 0, 0],\n"                        \
  "         markers: {over: {orientation: {vector: [pi, 0, 0]}},\n"                   \
  "                   round: {orientation: {vector: [0, 0, pi]}}}},\n"                  \
  "         dot: {type: point, mass: 1, at: [0, 0, 1]}}\n"
enum { LINE = 7 }; /* where what follows begins */

static void refuses(const char *more, int line, const char *sentence) {
  char text[2000], place[40];
  trm_error err = {.message = ""};
  trm_model *model = NULL;
  snprintf(text, sizeof text, BODIES "%s", more);
  snprintf(place, sizeof place, "model:%d:", line);
  CHECK_STATUS(trm_model_read_text(text, "model", NULL, 0, NULL, &model, &err), TRM_ERR_INPUT);
  if (strstr(err.message, sentence) == NULL || strstr(err.message, place) == NULL) {
    fail_msg("'%s' says neither '%s' nor line %d", err.message, sentence, line);
  }
  trm_model_free(model);
}

/* One joint `s` of bodies a and b. */
static void refuses_joint(const char *joint, const char *sentence) {
  char text[600];
  snprintf(text, sizeof text, "joints: {s: {bodies: [a, b], type: %s}}\n", joint);
  refuses(text, LINE, sentence);
}

static void ends_that_do_not_fit(void **state) {
  (void)state;
  refuses_joint("revolute, at: [0, 0, 0], axis: [0, 0, 0]", "the axis is zero");
  refuses_joint("revolute, at: [0, 0, 0]", "an 'axis' is needed");
  refuses_joint("universal, at: [0, 0, 0], axis: [0, 0, 1]", "'axis2' is needed");
  refuses_joint("universal, at: [0, 0, 0], axis: [0, 0, 1], axis2: [0, 0, 0]", "the axis is zero");
  refuses_joint("universal, at: [0, 0, 0], axis: [0, 0, 1], axis2: [0, 1, 1]", "not perpendicular");
  refuses_joint("perpendicular, at: [0, 0, 0], axis: [1, 0, 0], axis2: [1, 0, 0]",
                "not perpendicular");
  refuses_joint("constant_velocity, at: [0, 0, 0], axis: [1, 0, 0], axis2: [-1, 0, 0]",
                "the axes are opposite");
  refuses_joint("distance", "'points' is needed");
  refuses_joint("distance, points: [[0, 0, 0], [0, 0, 0]]", "the length is zero");
  refuses_joint("revolute_spherical, points: [[0, 0, 0], [1, 0, 0]]", "an 'axis' is needed");
  refuses_joint("revolute_spherical, axis: [1, 0, 0], points: [[0, 0, 0], [1, 0, 0]]",
                "the ball lies on the axis");
  refuses_joint("rolling, at: [0, 0, 0], axis: [1, 0, 0]", "needs the 'radius'");
  refuses_joint("rolling, at: [0, 0, 0], axis: [0, 0, 1], radius: 1", "lies flat");
  refuses_joint("screw, at: [0, 0, 0], axis: [1, 0, 0]", "a screw needs a 'pitch'");
  refuses_joint("spherical, at: [0, 0, 0], pitch: 2", "has no 'pitch'");
  refuses("joints: {s: {type: revolute, markers: [a, b.over]}}\n", LINE, "against each other");
  refuses("joints: {s: {type: translational, markers: [a, b.round]}}\n", LINE, "half a turn apart");
  refuses("joints: {s: {type: fixed, markers: [a, b.round]}}\n", LINE, "half a turn apart");
  refuses("joints: {s: {bodies: [a, a], type: spherical, at: [0, 0, 0]}}\n", LINE,
          "both ends are on the same body");
  refuses("joints: {s: {bodies: [a, a], type: distance, points: [[0, 0, 0], [1, 0, 0]]}}\n", LINE,
          "both ends are on the same body");
}

/* A point has no other places: what is put beside it would move along without turning. */
static void ends_beside_a_point(void **state) {
  (void)state;
  static const char *const ends[] = {
    "joints: {s: {type: spherical, bodies: [ground, dot], at: [0, 0, 0]}}\n",
    "joints: {s: {type: distance, bodies: [dot, a], points: [[0, 0, 0], [0, 2, 0]]}}\n",
    ("forces: {s: {type: spring, bodies: [ground, dot], points: [[0, 0, 0], [1, 1, 1]],\n"
     "             stiffness: 1}}\n"),
    "forces: {s: {type: force, body: dot, at: [1, 0, 0], force: [1, 0, 0]}}\n",
  };
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    refuses(ends[i], LINE, "'s': 'dot' is a point at [0, 0, 1] at the start");
  }
}

/* Names of a faulty joint are not told to be unknown, clamps of beams or not. */
static void a_faulty_joint_is_the_only_complaint(void **state) {
  (void)state;
  static const char text[] =
      "trammel: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
      "beams: {rod: {points: [[0, 0, 0], [1, 0, 0]], mass: 1, fix: first,\n"
      "        stiffness: [1, 1, 1, 1, 1, 1]}}\n"
      "joints: {s: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 0]}}\n"
      "outputs: {turn: s.angle}\n";
  trm_error err = {.message = ""};
  trm_model *model = NULL;
  CHECK_STATUS(trm_model_read_text(text, "model", NULL, 0, NULL, &model, &err), TRM_ERR_INPUT);
  assert_int_equal(trm_model_complaint_count(model), 1);
  assert_non_null(strstr(err.message, "the axis is zero"));
  trm_model_free(model);
}

/* Parts count where there are no bodies, too. */
static void parts_without_bodies(void **state) {
  (void)state;
  static const char *const parts[][2] = {
    {"joints: {s: {type: spherical, bodies: [ground, a], at: [0, 0, 0]}}\n",
     "there is no body or marker 'a'"},
    {"motions: {s: {joint: j, position: time}}\n", "there is no joint 'j'"},
    {"forces: {s: {type: force, body: a, force: [1, 0, 0]}}\n", "there is no body or marker 'a'"},
  };
  for (int i = 0; i < 3; i++) {
    char text[300];
    trm_error err = {.message = ""};
    trm_model *model = NULL;
    snprintf(text, sizeof text, "trammel: 1\nequations: {coordinates: {x: 1}, kinetic: x'^2/2}\n%s",
             parts[i][0]);
    CHECK_STATUS(trm_model_read_text(text, "model", NULL, 0, NULL, &model, &err), TRM_ERR_INPUT);
    if (strstr(err.message, parts[i][1]) == NULL) fail_msg("%s", err.message);
    trm_model_free(model);
  }
  typed m = typed_text("trammel: 1\nequations: {coordinates: {x: 1, y: 0}, kinetic: x'^2 + y'^2}\n"
                       "joints: {s: {type: constraint, equals: x^2 + y^2 - 1}}\n", "test", NULL);
  assert_int_equal(trm_system_count(m.system, TRM_LAM), 1);
  typed_close(&m);
}

static void beams_of_too_many_nodes(void **state) {
  (void)state;
  refuses("repeat: {r: {count: 14317, beams: {b<i>: {points: [[0, 0, 0], [1, 0, 0]], mass: 1,\n"
          "  stiffness: [1, 1, 1, 1, 1, 1], elements: 100000, nodes: 4}}}}\n", LINE + 1,
          "beam 'b7': with it beams have more than 2 million nodes");
}

static void three_axes_of_an_orientation(void **state) {
  (void)state;
  refuses("forces: {s: {type: bushing, bodies: [a, b], at: [0, 0, 0],\n"
          "             preload: [1, 0, 0, 0, 0, 0],\n"
          "             orientation: {x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1]}}}\n", LINE + 2,
          "'s': two of the axes x, y and z are enough");
}

#define LONG "a_name_of_forty_four_letters_is_rather_long_"

/* Names in results have 47 letters: longer ones would be cut, and might be equal then. */
static void names_too_long_for_results(void **state) {
  (void)state;
  char text[600];
  static const char *const parts[] = {
    "bodies: {" LONG "x: {mass: 1, inertia: [1, 1, 1]}, b: {type: point, mass: 1}}\n",
    "joints: {" LONG "x: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}}\n",
    "beams: {" LONG ": {points: [[0, 0, 0], [1, 0, 0]], mass: 1, nodes: 2, elements: 9,\n"
    "        stiffness: [1, 1, 1, 1, 1, 1]}}\n",
  };
  for (int i = 0; i < 3; i++) {
    trm_error err = {.message = ""};
    trm_model *model = NULL;
    snprintf(text, sizeof text, "trammel: 1\n%s%s",
             i == 0 ? "" : "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n", parts[i]);
    CHECK_STATUS(trm_model_read_text(text, "model", NULL, 0, NULL, &model, &err), TRM_ERR_INPUT);
    assert_int_equal(trm_model_complaint_count(model), 1);
    if (strstr(err.message, "is too long") == NULL) fail_msg("%s", err.message);
    trm_model_free(model);
  }
  typed m = typed_text("trammel: 1\nbodies: {" LONG ": {mass: 1, inertia: [1, 1, 1]}}\n", "test",
                       NULL);
  trm_label label;
  trm_system_label(m.system, TRM_V, 5, &label);
  assert_string_equal(label.name, LONG ".wz");
  typed_close(&m);
}

#define PINS                                                                          \
  "joints:\n"                                                                         \
  "  p: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}\n"       \
  "  t: {type: translational, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1]}\n"

static void joints_of_joints_that_do_not_fit(void **state) {
  (void)state;
  static const struct {
    const char *joint, *sentence;
  } cases[] = {
    {"gear, joints: [p, q], ratio: 2", "there is no joint 'q'"},
    {"gear, joints: [p, t]", "needs a 'ratio' that is not zero"},
    {"gear, joints: [p, p], ratio: 2", "joint 'p' is named twice"},
    {"gear, ratio: 2", "needs two 'joints'"},
    {"gear, joints: [p, ball], ratio: 2", "joint 'ball' has several coordinates: say angle1, "
                                         "angle2 or angle3 as coordinate"},
    {"gear, joints: [p, f], ratio: 2", "joint 'f' is fixed and has no coordinate of its own"},
    {"gear, joints: [p, t], ratio: 2, coordinates: [angle, angle]",
     "joint 't' is translational and has no coordinate 'angle'; it has displacement"},
    {"gear, joints: [p, ball], ratio: 2, coordinates: [angle, x]",
     "has no coordinate 'x'; it has angle1, angle2 and angle3"},
    {"rack, joints: [p, t], radius: 1", "joint 'p' is revolute and has no coordinate "
                                        "'displacement'; it has angle"},
    {"rack, joints: [t, p]", "needs a 'radius'"},
    {"coupler, joints: [p, t]", "needs 'ratios'"},
    {"coupler, joints: [p, t], ratios: [1, 0]", "'ratios' that is not zero"},
    {"coupler, joints: [p, t], ratios: [1, 2, 3]", "3 ratios for 2 joints"},
    {"coupler, joints: [p, c], ratios: [1, 2]", "joint 'c' has several coordinates: say angle or "
                                                "displacement"},
    {"coupler, joints: [p, t], ratios: [1, 2], coordinates: [angle, displacement, angle]",
     "3 coordinates for 2 joints"},
    {"constraint", "needs 'equals'"},
    {"constraint, equals: 2*time", "has no position of a body in it"},
    {"constraint, equals: a.vx", "'a.vx' is a velocity and cannot be used in a constraint"},
    {"gear, joints: [p, t], ratio: 2, friction: {static: 1}",
     "is of type gear, which has no 'friction'"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[1000];
    snprintf(text, sizeof text,
             PINS "  ball: {type: spherical, bodies: [a, b], at: [0, 0, 0]}\n"
                  "  f: {type: fixed, bodies: [a, b], at: [0, 0, 0]}\n"
                  "  c: {type: cylindrical, bodies: [a, b], at: [0, 0, 0], axis: [0, 0, 1]}\n"
                  "  s: {type: %s}\n", cases[i].joint);
    refuses(text, LINE + 6, cases[i].sentence);
  }
}

static void a_gear_has_no_force_of_its_own(void **state) {
  (void)state;
  refuses(PINS "  s: {type: gear, joints: [p, t], ratio: 2}\n"
               "outputs: {force: FX(s)}\n", LINE + 4, "use s.load");
}

static void curves_that_do_not_fit(void **state) {
  (void)state;
  static const char table[] = "tables: {t: {x: [0, 1, 2], y: [0, 1, 0], interpolation: linear}}\n";
  char text[600];
  snprintf(text, sizeof text, "%sjoints: {s: {type: curve, markers: [a, b], path: {x: t}}}\n",
           table);
  refuses(text, LINE + 1, "has corners");
  snprintf(text, sizeof text, "%sjoints: {s: {type: curve, markers: [a, b], path: {x: u}}}\n",
           table);
  refuses(text, LINE + 1, "there is no table 'u'");
  snprintf(text, sizeof text, "%sjoints: {s: {type: curve, markers: [a, b]}}\n", table);
  refuses(text, LINE + 1, "a curve needs 'path'");
}

static void loads_that_do_not_fit(void **state) {
  (void)state;
  refuses_joint("revolute, at: [0, 0, 0], axis: [0, 0, 1], friction: {static: .1}",
                "needs 'radius'");
  refuses_joint("fixed, at: [0, 0, 0], friction: {viscous: .1}", "has no friction");
  refuses_joint("fixed, at: [0, 0, 0], limits: {lower: 0, stiffness: 1}",
                "has no coordinate of its own");
  refuses_joint("spherical, at: [0, 0, 0], limits: {lower: 0, stiffness: 1}",
                "several coordinates: say angle1, angle2 or angle3");
  refuses_joint("revolute, at: [0, 0, 0], axis: [0, 0, 1], limits: {stiffness: 1}",
                "limits need 'lower' or 'upper'");
  refuses_joint("revolute, at: [0, 0, 0], axis: [0, 0, 1], limits: {lower: 2, upper: 1,"
                " stiffness: 1}", "its lower limit, 2 rad, is not below the upper one, 1 rad");
  refuses_joint("cylindrical, at: [0, 0, 0], axis: [0, 0, 1], limits: {lower: 0, stiffness: 1}",
                "several coordinates: say angle or displacement");
}

static void motions_that_do_not_fit(void **state) {
  (void)state;
  static const struct {
    const char *motion, *sentence;
  } cases[] = {
    {"joint: q, position: 1", "there is no joint 'q'"},
    {"joint: p, coordinate: displacement, position: 1", "'p' is revolute and has no coordinate "
                                                        "'displacement'; it has angle"},
    {"joint: p, coordinate: 3, position: 1", "no coordinate '3'; it has angle"},
    {"joint: p, position: 1, start: 2", "given by its position, from which its 'start' follows"},
    {"joint: p, velocity: 1, start_velocity: 2", "'start_velocity' follows"},
    {"joint: p, position: a.x", "'a.x' is a position and cannot be used in a motion"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[700];
    snprintf(text, sizeof text, PINS "motions: {m: {%s}}\n", cases[i].motion);
    refuses(text, LINE + 3, cases[i].sentence);
  }
  refuses(PINS "motions:\n  m: {joint: p, position: 1}\n  n: {joint: p, velocity: 1}\n", LINE + 5,
          "motions 'm' and 'n' both move joint 'p'");
}

static void variables_that_do_not_fit(void **state) {
  (void)state;
  static const struct {
    const char *law, *sentence;
  } cases[] = {
    {"2*far", "'far' is a variable that depends on a coordinate and cannot be used in a motion"},
    {"over", "'over' is a variable that depends on a velocity and cannot be used in a motion"},
    {"loop", "'loop' is a variable that depends on itself"},
    {"back", "'back' is a variable that depends on itself"},
    {"slow", "'slow' is a state and cannot be used in a motion"},
    {"with", "'with' is a variable that depends on a state and cannot be used in a motion"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[900];
    snprintf(text, sizeof text,
             PINS "equations: {states: {slow: {value: 0, rate: 1}},\n"
                  "            variables: {far: a.x, half: far/2,\n"
                  "  over: time + a.vy, loop: back + time, back: 2*loop, with: slow*time}}\n"
                  "motions: {m: {joint: p, position: %s}}\n", cases[i].law);
    refuses(text, LINE + 6, cases[i].sentence);
  }
}

static void motions_of_coordinates_that_do_not_fit(void **state) {
  (void)state;
  static const struct {
    const char *joint, *motions, *sentence;
  } cases[] = {
    {"planar, bodies: [a, b], at: [0, 0, 0], axis: [0, 0, 1]", "coordinate: z, position: 1",
     "joint 's' is planar and has no coordinate 'z'; it has x, y and angle"},
    {"universal, bodies: [a, b], at: [0, 0, 0], axis: [0, 0, 1], axis2: [1, 0, 0]", "position: 1",
     "joint 's' has several coordinates: say angle1 or angle2 as coordinate"},
    {"rolling, bodies: [ground, b], at: [0, 0, 0], axis: [0, 1, 0], radius: 1",
     "coordinate: turn, position: 1", "it has x, y, heading, lean and spin"},
    {"point_on_line, bodies: [ground, dot], at: [0, 0, 1], axis: [0, 0, 1]",
     "coordinate: angle3, position: 1",
     "angle3 of joint 's' cannot change, because neither of its bodies turns"},
    {"screw, bodies: [a, b], at: [0, 0, 0], axis: [0, 0, 1], pitch: 1",
     "coordinate: angle, position: 1}, n: {joint: s, coordinate: displacement, position: 1",
     "motions 'm' and 'n' both move joint 's', one of whose coordinates follows from the other"},
    {"planar, bodies: [a, b], at: [0, 0, 0], axis: [0, 0, 1]",
     "coordinate: x, position: 1}, n: {joint: s, coordinate: x, velocity: 1",
     "motions 'm' and 'n' both move joint 's'"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[700];
    snprintf(text, sizeof text, "joints: {s: {type: %s}}\nmotions: {m: {joint: s, %s}}\n",
             cases[i].joint, cases[i].motions);
    refuses(text, LINE + 1, cases[i].sentence);
  }
}

/* ---- names ----------------------------------------------------------------------------------- */

static void names_that_joints_have(void **state) {
  (void)state;
  static const char *const good[] = {
    "p.angle",     "p.angle'",       "p.angle''",  "t.displacement'", "p.force.x", "p.torque.y",
    "p.A.force.z", "p.B.torque.x",   "g.load",     "w.contact.x",     "w.force.z", "p.normal",
    "p.friction",  "t.stop",         "c.parameter", "c.parameter'",   "c.force.y", "d.force.x",
    "m.torque",    "a.angle",        "w.contact.y'", "FX(w)",         "w.heading", "w.spin'",
    "d.azimuth",   "d.angle3''",     "c.angle1",
  };
  static const char *const bad[] = {"p.displacement", "t.angle", "g.force.x", "d.angle",
                                    "t.friction", "p.stop", "d.load", "p.contact.x",
                                    "p.parameter", "t.normal", "m.force"};
  static const char model[] =
      "trammel: 1\n"
      "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]},\n"
      "         e: {mass: 1, inertia: [1, 1, 1]}}\n"
      "tables: {tab: {x: [-1, 0, 1], y: [-1, 0, 1], interpolation: cubic}}\n"
      "joints:\n"
      "  p: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1],\n"
      "      friction: {static: .1, radius: 1}}\n"
      "  t: {type: translational, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1],\n"
      "      limits: {lower: -9, stiffness: 1}}\n"
      "  g: {type: gear, joints: [p, t], ratio: 2}\n"
      "  w: {type: rolling, bodies: [ground, e], at: [0, 0, 0], axis: [1, 0, 0], radius: 1}\n"
      "  c: {type: curve, markers: [b, e], path: {x: tab}}\n"
      "  d: {type: distance, bodies: [a, e], points: [[0, 0, 0], [0, 0, 1]]}\n"
      "motions: {m: {joint: p, position: time}}\n"
      "outputs: {out: '%s'}\n";
  for (int is_bad = 0; is_bad < 2; is_bad++) {
    const size_t count = is_bad ? sizeof bad / sizeof *bad : sizeof good / sizeof *good;
    for (size_t i = 0; i < count; i++) {
      char text[2000];
      const char *name = is_bad ? bad[i] : good[i];
      trm_error err = {.message = ""};
      trm_model *read = NULL;
      snprintf(text, sizeof text, model, name);
      for (char *at = strstr(text, "out: '") + 6; *at != '\n'; at++) { /* primes within quotes */
        if (at[0] == '\'' && at[1] != '}') memmove(at + 1, at, strlen(at) + 1), at++;
      }
      const trm_status status = trm_model_read_text(text, "m", NULL, 0, NULL, &read, &err);
      if ((status == TRM_OK) == (bool)is_bad) fail_msg("'%s' is %sknown: %s", name,
                                                       is_bad ? "" : "un", err.message);
      if (is_bad) assert_non_null(strstr(err.message, " has no "));
      trm_model_free(read);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(ends_that_do_not_fit),
    cmocka_unit_test(ends_beside_a_point),
    cmocka_unit_test(a_faulty_joint_is_the_only_complaint),
    cmocka_unit_test(parts_without_bodies),
    cmocka_unit_test(beams_of_too_many_nodes),
    cmocka_unit_test(three_axes_of_an_orientation),
    cmocka_unit_test(names_too_long_for_results),
    cmocka_unit_test(joints_of_joints_that_do_not_fit),
    cmocka_unit_test(a_gear_has_no_force_of_its_own),
    cmocka_unit_test(curves_that_do_not_fit),
    cmocka_unit_test(loads_that_do_not_fit),
    cmocka_unit_test(motions_that_do_not_fit),
    cmocka_unit_test(motions_of_coordinates_that_do_not_fit),
    cmocka_unit_test(variables_that_do_not_fit),
    cmocka_unit_test(names_that_joints_have),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
