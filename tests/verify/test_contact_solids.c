/* test_contact_solids.c - cylinders, tori and ellipsoids against each other, boxes, capsules,
 * terrains, hulls and meshes: rates of gaps, derivatives, rest, rolling, collisions, thin plates,
 * what is refused. */
#include "methods.h"
#include "verify/contact_runs.h"
#include "verify/mechanics.h"
#include <math.h>

#define CYLINDER "cylinder: {from: [-.1, 0, 0], to: [.1, .01, 0], radius: .05, rounding: .01}"
#define LOG "cylinder: {from: [0, -.2, 0], to: [0, .2, 0], radius: .1, rounding: .01}"
#define TORUS "torus: {axis: [.1, 1, 0], radius: .1, tube: .03}"
#define ELLIPSOID "ellipsoid: {at: [.01, 0, 0], radii: [.12, .08, .06]}"
#define BOX "box: {size: [.3, .2, .1], rounding: .01}"
#define CAPSULE "capsule: {from: [0, -.2, 0], to: [.05, .2, .02], radius: .04}"
#define HULL                                                                                       \
  "hull: {radius: 1 cm, points: [[-.15, -.1, -.05], [.15, -.1, -.05], [-.15, .1, -.05],\n"         \
  "  [.15, .1, -.05], [-.15, -.1, .05], [.15, -.1, .05], [-.15, .1, .05], [.15, .1, .05]]}"
/* A profile like an L, with one hollow edge along z at (0, 0). */
#define MESH                                                                                       \
  "mesh: {radius: 1 cm, scale: .1, points: [[-1, -1, -1], [1, -1, -1], [1, 0, -1], [0, 0, -1],\n"  \
  "  [0, 1, -1], [-1, 1, -1], [-1, -1, 1], [1, -1, 1], [1, 0, 1], [0, 0, 1], [0, 1, 1],\n"         \
  "  [-1, 1, 1]], triangles: [[0, 3, 1], [1, 3, 2], [0, 5, 3], [3, 5, 4], [6, 7, 9], [7, 8, 9],\n" \
  "  [6, 9, 11], [9, 10, 11], [0, 1, 6], [1, 7, 6], [1, 2, 7], [2, 8, 7], [2, 3, 8], [3, 9, 8],\n" \
  "  [3, 4, 9], [4, 10, 9], [4, 5, 10], [5, 11, 10], [5, 0, 11], [0, 6, 11]]}"
#define TERRAIN                                                                                    \
  "terrain: {points: [[-2, -2, .02], [0, -2, -.01], [2, -2, 0], [-2, 2, 0], [0, 2, 0],\n"          \
  "  [2, 2, .03]]}"

/* The second one below the first; where b is so that they overlap by some millimetres. */
static const struct {
  const char *a, *b, *at;
} pairs[] = {
  {CYLINDER, BOX, ".02, .01, -.097"},       {CYLINDER, CAPSULE, ".02, .01, -.085"},
  {CYLINDER, CYLINDER, ".03, .02, -.096"},  {CYLINDER, TORUS, ".02, .01, -.176"},
  {CYLINDER, ELLIPSOID, ".01, .02, -.107"}, {TORUS, BOX, ".01, .02, -.176"},
  {TORUS, CAPSULE, ".01, .02, -.164"},      {TORUS, TORUS, ".02, .01, -.255"},
  {TORUS, ELLIPSOID, ".01, .02, -.185"},    {ELLIPSOID, ELLIPSOID, ".02, .01, -.117"},
  {ELLIPSOID, BOX, ".03, .02, -.107"},      {ELLIPSOID, CAPSULE, ".02, .01, -.095"},
  {CYLINDER, HULL, ".02, .01, -.107"},      {TORUS, HULL, ".02, .01, -.187"},
  {CYLINDER, MESH, "-.06, .02, -.156"},     {TORUS, MESH, ".04, .05, -.236"}  ,
  {CYLINDER, TERRAIN, ".01, .02, -.041"},   {TORUS, TERRAIN, ".01, .02, -.121"},
  {ELLIPSOID, TERRAIN, ".01, .02, -.051"},
};
enum { PAIRS = sizeof pairs / sizeof *pairs, ENDLESS = PAIRS - 3, SINGLE = PAIRS - 7 };

/* ---- gaps ----------------------------------------------------------------------------------- */

/* Meshes have no gaps before they are near. */
static void rates_of_gaps_follow_the_motion(void **state) {
  (void)state;
  for (int k = 0; k < PAIRS; k++) {
    char text[2000];
    if (k >= SINGLE && k < ENDLESS) continue;
    contact_two(pairs[k].a, pairs[k].b, ".05, .1, -.5", text, sizeof text);
    contact_check_rates(text, .2, k);
  }
}

/* All blocks where they overlap, turned a little. */
static void derivatives_match_differences(void **state) {
  (void)state;
  for (int k = 0; k < PAIRS; k++) {
    const double touching = contact_check_pair(pairs[k].a, pairs[k].b, pairs[k].at, k % 2 == 1);
    if (touching < 1.0) fail_msg("pair %d: %g points touch", k, touching);
  }
}

/* ---- rest ----------------------------------------------------------------------------------- */

/* What falls stays at the sum of both heights, but for the depth of the contact and the bulge, 5e-4
 * of the radii. */
static void what_falls_stays_where_it_is(void **state) {
  (void)state;
  static const struct {
    const char *below, *above;
    double height;
  } cases[] = {
    {BOX, "cylinder: {from: [-.1, 0, 0], to: [.1, 0, 0], radius: .05}", .1}, /* lying */
    {BOX, "cylinder: {from: [0, 0, -.1], to: [0, 0, .1], radius: .05}", .15}, /* upright */
    {"cylinder: {from: [0, -.3, 0], to: [0, .3, 0], radius: .05}", BOX, .1}, /* a box on a log */
    {"cylinder: {from: [0, 0, -.05], to: [0, 0, .05], radius: .3}", BOX, .1}, /* on a drum */
    {"cylinder: {from: [0, -.3, 0], to: [0, .3, 0], radius: .05, rounding: 5 mm}",
     "cylinder: {from: [-.3, 0, 0], to: [.3, 0, 0], radius: .05}", .1}, /* crossed */
    {"cylinder: {from: [0, -.3, 0], to: [0, .3, 0], radius: .05, rounding: 5 mm}",
     "cylinder: {from: [0, -.2, 0], to: [0, .2, 0], radius: .04}", .09}, /* parallel */
    {BOX, "torus: {axis: [0, 1, 0], radius: .1, tube: .05}", .2},
    {BOX, "torus: {axis: [0, 0, 1], radius: .08, tube: .02}", .07}, /* flat */
    {BOX, "ellipsoid: {radii: [.12, .08, .05]}", .1},
    {"ellipsoid: {radii: [.12, .08, .05]}", "ellipsoid: {radii: [.05, .1, .04]}", .09},
    {"capsule: {from: [0, -.3, 0], to: [0, .3, 0], radius: .05}",
     "cylinder: {from: [-.1, 0, 0], to: [.1, 0, 0], radius: .05}", .1},
    {HULL, "cylinder: {from: [-.1, 0, 0], to: [.1, 0, 0], radius: .05}", .11},
    {HULL, "cylinder: {from: [0, 0, -.1], to: [0, 0, .1], radius: .05}", .16},
    {HULL, "torus: {axis: [0, 1, 0], radius: .1, tube: .05}", .21},
    {HULL, "torus: {axis: [0, 0, 1], radius: .08, tube: .02}", .08},
    {MESH, "cylinder: {from: [-.08, -.05, 0], to: [.08, -.05, 0], radius: .05}", .16},
    {TERRAIN, "cylinder: {from: [-.1, 0, 0], to: [.1, 0, 0], radius: .05}", .045},
    {TERRAIN, "torus: {axis: [0, 1, 0], radius: .1, tube: .05}", .145}, /* it is 5 mm deep there */
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const bool is_terrain = strncmp(cases[i].below, "terrain", 7) == 0;
    /* a cylinder of 20 cm on a terrain that slopes by 1 cm in 2 m */
    const double within[2] = {is_terrain ? 6e-4 : 1.5e-4, is_terrain ? .05 : 2e-2};
    contact_check_rest(cases[i].below, cases[i].above, cases[i].height, within, (int)i);
  }
}

static void what_lies_does_not_wander(void **state) {
  (void)state;
  static const struct {
    const char *below, *above;
    double height;
  } cases[] = {
    {BOX, "cylinder: {from: [0, 0, -.1], to: [0, 0, .1], radius: .05}", .15},
    {BOX, "cylinder: {from: [0, -.08, 0], to: [0, .08, 0], radius: .05}", .1},
    {HULL, "cylinder: {from: [0, 0, -.1], to: [0, 0, .1], radius: .05}", .16},
    {HULL, "cylinder: {from: [0, -.08, 0], to: [0, .08, 0], radius: .05}", .11},
    {HULL, "torus: {axis: [0, 0, 1], radius: .08, tube: .02}", .08},
    {"cylinder: {from: [0, 0, -.05], to: [0, 0, .05], radius: .3}", BOX, .1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    contact_check_lying(cases[i].below, cases[i].above, cases[i].height, (int)i);
  }
}

/* A wheel of each kind rolls down 10 degrees on a box, a hull, a mesh of triangles and a terrain as
 * on a plane: 2/3 g sin for the solid cylinder, with its inertia for the torus. */
static void wheels_roll_on_faces_as_on_a_plane(void **state) {
  (void)state;
  static const char *const grounds[] = {
    "box: {at: [2, 0, -.05], size: [6, 2, .1], rounding: 1 mm}",
    "hull: {radius: 1 mm, points: [[-1, -1, -.1], [5, -1, -.1], [-1, 1, -.1], [5, 1, -.1],\n"
    "  [-1, -1, -1e-3], [5, -1, -1e-3], [-1, 1, -1e-3], [5, 1, -1e-3]]}",
    "mesh: {radius: 1 mm, points: [[-1, -1, -1], [5, -1, -1], [-1, 1, -1], [5, 1, -1],\n"
    "  [-1, -1, -1e-3], [5, -1, -1e-3], [-1, 1, -1e-3], [5, 1, -1e-3]],\n"
    "  triangles: [[0, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6], [0, 1, 4], [1, 5, 4], [2, 6, 3],\n"
    "  [3, 6, 7], [0, 4, 2], [2, 4, 6], [1, 3, 5], [3, 7, 5]]}",
    "terrain: {points: [[-1, -1, 0], [5, -1, 0], [-1, 1, 0], [5, 1, 0]]}"};
  static const char *const wheels[] = {
    "cylinder: {from: [0, -.1, 0], to: [0, .1, 0], radius: .05}",
    "torus: {axis: [0, 1, 0], radius: .04, tube: .01}"};
  const double a = 10 * acos(-1.0) / 180, g = 9.81 * sin(a) / (1 + 2e-3 / .0025);
  for (int k = 0; k < 8; k++) {
    static const char *const some[] = {"hht", "bdf", "radau"};
    char text[2000];
    snprintf(text, sizeof text, "trammel: 1\nparameters: {a: 10 deg}\n"
             "gravity: ['9.81*sin(a)', 0, '-9.81*cos(a)']\nbodies:\n"
             "  ground: {shapes: {floor: {%s}}}\n"
             "  roll: {mass: 1, inertia: [2e-3, 2e-3, 2e-3], at: [0, 0, .05], shape: {%s}}\n"
             "contacts: {c: {between: [roll, ground], stiffness: 1e8, restitution: .3,\n"
             "               friction: {static: .3}}}\n"
             "outputs: {v: roll.vx, w: roll.wy, y: roll.vy, z: roll.z}\nsimulate: {end: 1}\n",
             grounds[k / 2], wheels[k % 2]);
    for (int i = 0; i < 3; i++) {
      double out[4];
      contact_run(text, some[i], out);
      /* the radius of rolling is shorter by half the penetration, 10 um of 5 cm */
      CHECK_NEAR(out[0], g, 2e-3 * g, "%s, case %d: speed after 1 s", some[i], k);
      CHECK_NEAR(out[1] * .05, out[0], 1e-3 * g, "%s, case %d: it rolls", some[i], k);
      CHECK_NEAR(out[2], 0.0, 1e-4, "%s, case %d: straight on", some[i], k);
    }
  }
}

/* ---- collisions ----------------------------------------------------------------------------- */

static void collisions_keep_what_they_have_to(void **state) {
  (void)state;
  for (int k = 0; k < ENDLESS * all_methods(); k++) {
    const int pair = k % ENDLESS;
    contact_check_collision(pairs[pair].a, pairs[pair].b, methods[k / ENDLESS], pair);
  }
}

/* Two shapes of one kind that meet beside the middle of both, and how they roll. */
static void no_shape_comes_first(void **state) {
  (void)state;
  static const struct {
    const char *shape, *larger, *at;
  } cases[] = {
    {LOG, LOG, "0, .2, .21"},
    {LOG, "cylinder: {from: [0, -.3, 0], to: [0, .3, 0], radius: .1, rounding: .01}", "0, .2, .21"},
    {"torus: {radius: .1, tube: .03}", "torus: {radius: .1, tube: .03}", ".08, 0, .07"},
    {"sphere: {radius: .05}", "sphere: {radius: .1}", "0, 0, .16"},
    {"ellipsoid: {radii: [.1, .05, .05]}", "ellipsoid: {radii: [.1, .1, .1]}", "0, 0, .16"},
    {"capsule: {from: [0, -.2, 0], to: [0, .2, 0], radius: .05}",
     "capsule: {from: [-.2, 0, 0], to: [.2, 0, 0], radius: .1}", "0, 0, .16"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double w[2][4];
    for (int k = 0; k < 2; k++) {
      char text[1500];
      snprintf(text, sizeof text, "trammel: 1\nbodies:\n"
               "  a: {mass: 1, inertia: [.02, .02, .02], angular_velocity: [4, 0, 0],\n"
               "      shape: {%s}}\n"
               "  b: {mass: 1, inertia: [.02, .02, .02], at: [%s], velocity: [0, 0, -1],\n"
               "      shape: {%s}}\n"
               "contacts: {c: {between: [%s], stiffness: 1e6, friction: {static: .3,\n"
               "               depth: 1e-3, time: 1e-3, rolling: .01}}}\n"
               "outputs: {a: a.wx, b: b.wx, c: a.wy, d: b.wy}\nsimulate: {end: .05}\n",
               cases[i].larger, cases[i].at, cases[i].shape, k == 0 ? "a, b" : "b, a");
      (void)contact_run_at(text, "radau", 1e-7, w[k]);
    }
    for (int k = 0; k < 4; k++) { /* 2e-5 to 4e-2 of 4 rad/s where one comes first */
      CHECK_NEAR(w[0][k], w[1][k], 4e-6, "case %d, rate %d", (int)i, k);
    }
  }
}

/* Logs of one size, one beside the other by half their length: each is the mirror image of the
 * other, so both turn alike. */
static void equal_logs_turn_alike(void **state) {
  (void)state;
  for (int k = 1; k < 4; k++) {
    char text[900];
    double w[2];
    snprintf(text, sizeof text, "trammel: 1\nbodies:\n"
             "  a: {mass: 1, inertia: [.02, .01, .02], velocity: [0, 0, .5], shape: {%s}}\n"
             "  b: {mass: 1, inertia: [.02, .01, .02], velocity: [0, 0, -.5], at: [0, %g, .21],\n"
             "      shape: {%s}}\n"
             "contacts: {c: {between: [a, b], stiffness: 1e7, restitution: .5}}\n"
             "outputs: {a: a.wx, b: b.wx}\nsimulate: {end: .05}\n", LOG, .1 * k, LOG);
    (void)contact_run_at(text, "radau", 1e-7, w);
    if (!(fabs(w[0]) > 1.0)) fail_msg("they did not meet");
    CHECK_NEAR(w[0], w[1], 1e-6, "%g m beside", .1 * k);
  }
}

/* The feet of a profile have no radius, and the ellipsoid on them rolls all the same. */
static void an_ellipsoid_that_rolls_on_a_profile_slows_down(void **state) {
  (void)state;
  double w[1];
  contact_run("trammel: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
              "  ground: {shapes: {p: {profile: {height: 2, axis: [0, 1, 0], x: [1, 0, 0],\n"
              "    outline: [[4, -.2, 0], [4, 0, 0], [-4, 0, 0], [-4, -.2, 0]]}}}}\n"
              "  b: {mass: 2, inertia: [8e-3, 8e-3, 8e-3], at: [0, 0, .1], velocity: [1, 0, 0],\n"
              "      angular_velocity: [0, 10, 0], shape: {ellipsoid: {radii: [.1, .05, .1]}}}\n"
              "contacts: {c: {between: [b, ground], stiffness: 1e9, restitution: .3,\n"
              "               friction: {static: .4, rolling: 1e-3}}}\n"
              "outputs: {w: b.wy}\nsimulate: {end: 1}\n", "radau", w);
  CHECK_NEAR(w[0], 10 - 1e-3 * 2 * 9.81 / (8e-3 + 2e-2), 5e-3, "torque of 1 mm times the weight");
}

/* A wheel of 4 mm meets a plate of 2 mm, flat, upright, at an edge; nothing is known before. */
static void nothing_is_flown_through(void **state) {
  (void)state;
  static const char *const shots[] = {
    "cylinder: {from: [-3 mm, 0, 0], to: [3 mm, 0, 0], radius: 2 mm, rounding: .5 mm}",
    "cylinder: {from: [0, 0, -2 mm], to: [0, 0, 2 mm], radius: 2 mm, rounding: .5 mm}",
    "torus: {axis: [0, 1, 0], radius: 1.5 mm, tube: .5 mm}"};
  static const char *const plates[] = {
    "box: {size: [.6, .4, 2e-3], rounding: .5 mm}",
    "hull: {radius: .5 mm, points: [[-.2995, -.1995, -5e-4], [.2995, -.1995, -5e-4],\n"
    "  [-.2995, .1995, -5e-4], [.2995, .1995, -5e-4], [-.2995, -.1995, 5e-4],\n"
    "  [.2995, -.1995, 5e-4], [-.2995, .1995, 5e-4], [.2995, .1995, 5e-4]]}",
    "cylinder: {from: [0, 0, -1 mm], to: [0, 0, 1 mm], radius: .3, rounding: .5 mm}"};
  static const double speeds[] = {1.0, 30.0, 1000.0};
  for (int k = 0; k < 54; k++) {
    for (int i = 0; i < all_methods(); i++) {
      contact_check_shot(plates[k / 18], shots[k / 6 % 3], k / 3 % 2 == 0 ? .1 : .2955,
                         speeds[k % 3], methods[i], k / 3);
    }
  }
}

/* ---- refused -------------------------------------------------------------------------------- */

/* Only spheres pass the hole of a torus: a peg that would is named. */
static void what_reaches_into_a_ring_is_named(void **state) {
  (void)state;
  static const char *const pegs[] = {"capsule: {from: [0, 0, -.3], to: [0, 0, .3], radius: .01}",
                                     "box: {size: [.02, .02, .6], rounding: 2 mm}",
                                     "ellipsoid: {radii: [.02, .02, .3]}"};
  for (int k = 0; k < 3; k++) {
    char text[1000];
    trm_error err = {.message = ""};
    snprintf(text, sizeof text, "trammel: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
             "  ground: {shapes: {peg: {%s}}}\n"
             "  ring: {mass: 1, inertia: [.01, .01, .01], at: [.01, .02, .35],\n"
             "         shape: {torus: {radius: .1, tube: .01}}}\n"
             "contacts: {c: {between: [ring, ground], stiffness: 1e7}}\n"
             "simulate: {end: 1}\n", pegs[k]);
    typed m = typed_text(text, "ring", NULL);
    trm_sim *sim = typed_sim(&m, "hht", 1e-5);
    assert_true(trm_sim_run(sim, &err) < 0);
    if (strstr(err.message, "into the hole of a torus") == NULL) fail_msg("%s", err.message);
    trm_sim_free(sim);
    typed_close(&m);
  }
}

/* A sentence for each pair that has no meaning: edges of both without a radius, both endless. */
static void faults_are_named(void **state) {
  (void)state;
  static const char *const sharp = "have edges without a radius, where normals jump";
  static const struct {
    const char *a, *b, *sentence;
  } cases[] = {
    {"cylinder: {from: [0, 0, 0], to: [0, 0, 1], radius: 1}", "box: {size: [1, 1, 1]}", "sharp"},
    {"cylinder: {from: [0, 0, 0], to: [0, 0, 1], radius: 1}",
     "cylinder: {from: [0, 0, 0], to: [0, 0, 1], radius: 1}", "sharp"},
    {"cylinder: {from: [0, 0, 0], to: [0, 0, 1], radius: 1}",
     "hull: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}", "sharp"},
    {"cylinder: {from: [0, 0, 0], to: [0, 0, 1], radius: 1, rounding: 2}", BOX,
     "the rounding of its cylinder exceeds its radius or half its length"},
    {"plane: {}", TERRAIN, "both are endless"},
    {TERRAIN, TERRAIN, "both are endless"},
    {"ellipsoid: {radii: [9, 9, 1]}",
     "terrain: {points: [[-1, -1, .1], [0, -1, 0], [1, -1, .1], [-1, 1, .1], [0, 1, 0],\n"
     "[1, 1, .1]]}", "exceeds that of a hollow of the terrain"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[2000];
    const bool is_sharp = strcmp(cases[i].sentence, "sharp") == 0;
    snprintf(text, sizeof text, "trammel: 1\nbodies:\n"
             "  a: {mass: 1, inertia: [1, 1, 1], shape: {%s}}\n"
             "  b: {mass: 1, inertia: [1, 1, 1], shape: {%s}}\n"
             "contacts: {c: {between: [a, b], stiffness: 1e6}}\n", cases[i].a, cases[i].b);
    mechanics_complaint(text, 0, is_sharp ? sharp : cases[i].sentence);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(rates_of_gaps_follow_the_motion),
    cmocka_unit_test(derivatives_match_differences),
    cmocka_unit_test(what_falls_stays_where_it_is),
    cmocka_unit_test(what_lies_does_not_wander),
    cmocka_unit_test(wheels_roll_on_faces_as_on_a_plane),
    cmocka_unit_test(collisions_keep_what_they_have_to),
    cmocka_unit_test(no_shape_comes_first),
    cmocka_unit_test(equal_logs_turn_alike),
    cmocka_unit_test(an_ellipsoid_that_rolls_on_a_profile_slows_down),
    cmocka_unit_test(nothing_is_flown_through),
    cmocka_unit_test(what_reaches_into_a_ring_is_named),
    cmocka_unit_test(faults_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
