/* test_contact_profiles.c - profiles of lines and arcs against planes, boxes, ellipsoids, terrains,
 * hulls and meshes: derivatives, rest, rolling without facets, cams, collisions, thin plates; and
 * which pairs of shapes there are at all. */
#include "methods.h"
#include "verify/contact_runs.h"
#include "verify/mechanics.h"
#include <math.h>

#define BOX "box: {size: [.3, .2, .1], rounding: .01}"
#define ELLIPSOID "ellipsoid: {at: [.01, 0, 0], radii: [.12, .08, .06]}"
#define EGG "ellipsoid: {radii: [.03, .04, .03]}"
#define HULL                                                                                       \
  "hull: {radius: 1 cm, points: [[-.15, -.1, -.05], [.15, -.1, -.05], [-.15, .1, -.05],\n"         \
  "  [.15, .1, -.05], [-.15, -.1, .05], [.15, -.1, .05], [-.15, .1, .05], [.15, .1, .05]]}"
/* Like an L, with one hollow edge along z at (0, 0). */
#define MESH                                                                                       \
  "mesh: {radius: 1 cm, scale: .1, points: [[-1, -1, -1], [1, -1, -1], [1, 0, -1], [0, 0, -1],\n"  \
  "  [0, 1, -1], [-1, 1, -1], [-1, -1, 1], [1, -1, 1], [1, 0, 1], [0, 0, 1], [0, 1, 1],\n"         \
  "  [-1, 1, 1]], triangles: [[0, 3, 1], [1, 3, 2], [0, 5, 3], [3, 5, 4], [6, 7, 9], [7, 8, 9],\n" \
  "  [6, 9, 11], [9, 10, 11], [0, 1, 6], [1, 7, 6], [1, 2, 7], [2, 8, 7], [2, 3, 8], [3, 9, 8],\n" \
  "  [3, 4, 9], [4, 10, 9], [4, 5, 10], [5, 11, 10], [5, 0, 11], [0, 6, 11]]}"
#define TERRAIN                                                                                    \
  "terrain: {points: [[-2, -2, .02], [0, -2, -.01], [2, -2, 0], [-2, 2, 0], [0, 2, 0],\n"          \
  "  [2, 2, .03]]}"

/* Along y: a cam of five arcs without corners (4 cm around the axis, flanks of 10 cm about (-.02,
 * -+sqrt(.0032)), a nose of 1 cm at x = 5 cm), a slab with round ends, a block with a hollow, a
 * half disc. */
#define CAM_ROWS                                                                                  \
  "[[.0133333333333333333, .0377123616632825, .04], [-.04, 0, .04],\n"                             \
  "  [.0133333333333333333, -.0377123616632825, .1],\n"                                            \
  "  [.0577777777777777778, -.00628539361054709, .01],\n"                                          \
  "  [.0577777777777777778, .00628539361054709, .1]]"
#define CAM "profile: {axis: [0, 1, 0], x: [1, 0, 0], height: .1, outline: " CAM_ROWS "}"
#define SLAB                                                                                       \
  "profile: {axis: [0, 1, 0], x: [1, 0, 0], height: .2, outline: [[-.1, -.05, 0],\n"               \
  "  [.1, -.05, .05], [.1, .05, 0], [-.1, .05, .05]]}"
#define HOLLOW                                                                                     \
  "profile: {axis: [0, -1, 0], x: [1, 0, 0], height: .2, outline: [[-.1, -.05, 0],\n"             \
  "  [.1, -.05, 0], [.1, .05, 0], [.05, .05, -.08], [-.05, .05, 0], [-.1, .05, 0]]}"
#define HALF                                                                                       \
  "profile: {axis: [0, 1, 0], x: [1, 0, 0], height: .2, outline: [[.05, 0, .05], [-.05, 0, 0]]}"

/* The second one below the first; where b is so that they overlap by some millimetres. */
static const struct {
  const char *a, *b, *at;
} pairs[] = {
  {SLAB, BOX, ".03, .02, -.099"},       {CAM, BOX, ".02, .01, -.087"},
  {HOLLOW, BOX, ".03, .02, -.099"},     {BOX, HOLLOW, ".03, .02, -.099"},
  {SLAB, ELLIPSOID, ".03, .02, -.106"}, {EGG, HOLLOW, ".02, .01, -.0585"},
  {SLAB, HULL, ".03, .02, -.109"},      {HALF, HULL, ".01, .02, -.106"},
  {SLAB, MESH, "-.06, .02, -.159"},     {HOLLOW, MESH, "-.05, .03, -.159"},
  {HULL, HALF, ".03, .015, -.061"},      {SLAB, "plane: {}", ".03, .02, -.046"},
  {CAM, "plane: {}", ".03, .02, -.037"}, {HOLLOW, "plane: {}", ".03, .02, -.046"},
  {SLAB, TERRAIN, ".01, .02, -.043"},   {CAM, TERRAIN, ".01, .02, -.034"},
};
enum { PAIRS = sizeof pairs / sizeof *pairs, ENDLESS = PAIRS - 5 };

/* ---- gaps ----------------------------------------------------------------------------------- */

/* Turned a little: where faces lie on each other, places slide fast. */
static void rates_of_gaps_follow_the_motion(void **state) {
  (void)state;
  for (int k = 0; k < PAIRS; k++) {
    char text[3000];
    contact_two_turned(pairs[k].a, ".03, .02, .3", pairs[k].b, pairs[k].at, text, sizeof text);
    contact_check_rates(text, 1e-3, k);
  }
}

/* Corners of the profile that are inside the core of the mesh, more than its radius of 1 cm deep,
 * have a place that is not the nearest: their rates are off by up to 1.5. Rates of all others are
 * right, and a run that begins so deep, or comes to half of it, ends with a message. */
static void rates_are_right_up_to_a_core(void **state) {
  (void)state;
  trm_error err = {.message = ""};
  char text[3000];
  contact_two_turned(HOLLOW, ".03, .02, .3", MESH, ".04, .05, -.156", text, sizeof text);
  for (int k = 0; k < 10; k++) contact_check_rates_above(text, 5e-4, -.01, k);
  typed m = typed_text(text, "deep", NULL);
  m.options.end = 1.0;
  trm_sim *sim = typed_sim(&m, "hht", 1e-5);
  assert_true(trm_sim_run(sim, &err) < 0);
  if (strstr(err.message, "more than half of their radii") == NULL) fail_msg("%s", err.message);
  trm_sim_free(sim);
  typed_close(&m);
}

static void derivatives_match_differences(void **state) {
  (void)state;
  for (int k = 0; k < PAIRS; k++) {
    const double touching = contact_check_pair(pairs[k].a, pairs[k].b, pairs[k].at, k % 2 == 1);
    if (touching < 1.0) fail_msg("pair %d: %g points touch", k, touching);
  }
}

/* ---- rest ----------------------------------------------------------------------------------- */

static void what_falls_stays_where_it_is(void **state) {
  (void)state;
  static const struct {
    const char *below, *above;
    double height;
  } cases[] = {
    {"plane: {}", SLAB, .05},
    {"plane: {}", CAM, .04},
    {"plane: {}", HALF, .05}, /* on its arc */
    /* flat */
    {"plane: {}", "profile: {height: .1, outline: [[.05, 0, .05], [-.05, 0, .05]]}", .05},
    {BOX, SLAB, .1},
    {BOX, CAM, .09},
    {SLAB, BOX, .1},
    {HOLLOW, BOX, .1}, /* it spans the hollow */
    {HULL, HOLLOW, .11},
    {MESH, SLAB, .16},
    {TERRAIN, CAM, .035}, /* it is 5 mm deep there */
    {BOX, "profile: {axis: [1, 0, 0], height: .3, outline: [[-.01, -.05, 0], [.01, -.05, 0],\n"
          "  [.01, .05, 0], [-.01, .05, 0]]}", .1}, /* edges cross */
    {"ellipsoid: {radii: [.12, .08, .05]}", SLAB, .1},
    {"ellipsoid: {radii: [.12, .08, .05]}", "profile: {height: .1, outline: [[.1, 0, .1],\n"
     "  [-.1, 0, .1]]}", .1}, /* on a face, far from its border */
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const bool is_terrain = strncmp(cases[i].below, "terrain", 7) == 0;
    const double within[2] = {is_terrain ? 6e-4 : 1.5e-4, is_terrain ? .05 : 2e-2};
    contact_check_rest(cases[i].below, cases[i].above, cases[i].height, within, (int)i);
  }
}

/* Slabs and half discs on their sides, a disc, a wheel and a half disc on their faces. */
static void what_lies_does_not_wander(void **state) {
  (void)state;
  static const char *const grounds[] = {"plane: {}", BOX, HULL};
  static const double tops[] = {0.0, .05, .06};
  static const struct {
    const char *above;
    double height;
  } cases[] = {
    {"profile: {axis: [0, 1, 0], x: [1, 0, 0], height: .1, outline: [[-.05, -.04, 0],\n"
     "  [.05, -.04, .04], [.05, .04, 0], [-.05, .04, .04]]}", .04},
    {"profile: {axis: [0, 1, 0], x: [-1, 0, 0], height: .1, outline: [[.05, 0, .05],\n"
     "  [-.05, 0, 0]]}", 0.0},
    {"profile: {height: .06, outline: [[.06, 0, .06], [-.06, 0, .06]]}", .03},
    {"profile: {height: .06, copies: 8, outline: [[.06, 0, 0], [.06, .02, -.03], [.05, .03, 0]]}",
     .03},
    {"profile: {height: .06, at: [0, -.02, 0], outline: [[.06, 0, .06], [-.06, 0, 0]]}", .03},
  };
  for (int k = 0; k < 15; k++) {
    contact_check_lying(grounds[k % 3], cases[k / 3].above, tops[k % 3] + cases[k / 3].height, k);
  }
}

/* ---- rolling -------------------------------------------------------------------------------- */

typedef struct swing {
  double out[4], lowest, highest; /* of the last output, after .3 s */
} swing;

static swing swing_of(const char *text, const char *method, int outputs) {
  typed m = typed_text(text, "profile", NULL);
  trm_error err = {.message = ""};
  trm_sim *sim = typed_sim(&m, method, 1e-5);
  swing r = {.lowest = INFINITY, .highest = -INFINITY};
  for (bool done = false; !done;) {
    const trm_status status = trm_sim_step(sim, &done, &err);
    if (status != TRM_OK) fail_msg("%s: %s\n%s", method, err.message, text);
    CHECK_OK(trm_sim_outputs(sim, r.out, &err), err);
    if (trm_sim_state(sim)->t < .3) continue;
    r.lowest = fmin(r.lowest, r.out[outputs - 1]), r.highest = fmax(r.highest, r.out[outputs - 1]);
  }
  trm_sim_free(sim);
  typed_close(&m);
  return r;
}

/* A disc of two, three and four arcs rolls down 10 degrees as a cylinder does, and does not notice
 * where arcs meet: its height hardly changes, at a depth of 14 um. */
static void discs_roll_without_facets(void **state) {
  (void)state;
  static const char *const grounds[] = {
    "plane: {}", "box: {at: [2, 0, -.05], size: [6, 2, .1], rounding: 1 mm}",
    ("hull: {radius: 1 mm, points: [[-1, -1, -.1], [5, -1, -.1], [-1, 1, -.1], [5, 1, -.1],\n"
     "  [-1, -1, -1e-3], [5, -1, -1e-3], [-1, 1, -1e-3], [5, 1, -1e-3]]}"),
    "terrain: {points: [[-1, -1, 0], [5, -1, 0], [-1, 1, 0], [5, 1, 0]]}"};
  static const char *const discs[] = {
    "[[.05, 0, .05], [-.05, 0, .05]]",
    "[[.05, 0, .05], [-.025, .0433012701892219324, .05], [-.025, -.0433012701892219324, .05]]",
    "[[.05, 0, .05], [0, .05, .05], [-.05, 0, .05], [0, -.05, .05]]"};
  const double a = 10 * acos(-1.0) / 180, g = 9.81 * sin(a) / (1 + 2e-3 / .0025);
  for (int k = 0; k < 24; k++) {
    const char *method = contact_both[k % 2];
    char text[2000];
    if (!contact_has(k / 2, k % 2)) continue;
    snprintf(text, sizeof text, "trammel: 1\nparameters: {a: 10 deg}\n"
             "gravity: ['9.81*sin(a)', 0, '-9.81*cos(a)']\nbodies:\n"
             "  ground: {shapes: {floor: {%s}}}\n"
             "  roll: {mass: 1, inertia: [2e-3, 2e-3, 2e-3], at: [0, 0, .05],\n"
             "         shape: {profile: {axis: [0, 1, 0], height: .2, outline: %s}}}\n"
             "contacts: {c: {between: [roll, ground], stiffness: 1e8, restitution: .3,\n"
             "               friction: {static: .3}}}\n"
             "outputs: {v: roll.vx, w: roll.wy, y: roll.vy, z: roll.z}\n"
             "simulate: {end: 1}\n", grounds[k / 6], discs[k / 2 % 3]);
    const swing r = swing_of(text, method, 4);
    CHECK_NEAR(r.out[0], g, 2e-3 * g, "%s, case %d: speed after 1 s", method, k / 2);
    CHECK_NEAR(r.out[1] * .05, r.out[0], 1e-3 * g, "%s, case %d: it rolls", method, k / 2);
    CHECK_NEAR(r.out[2], 0.0, 1e-4, "%s, case %d: straight on", method, k / 2);
    CHECK_NEAR(r.highest, r.lowest, 2e-7, "%s, case %d: no bumps", method, k / 2);
  }
}

/* A flat follower is as high as the highest point of the cam: R above the axis, or C.u + r with the
 * middle C of the arc whose normal is u. A plate, a hull and a plane that follow. */
static void a_flat_follower_follows_the_cam(void **state) {
  (void)state;
  static const char *const plates[] = {
    "box: {at: [0, 0, .005], size: [.2, .05, .01], rounding: 1 mm}",
    ("hull: {radius: 1 mm, points: [[-.1, -.02, .001], [.1, -.02, .001], [-.1, .02, .001],\n"
     "  [.1, .02, .001], [-.1, -.02, .01], [.1, -.02, .01], [-.1, .02, .01], [.1, .02, .01]]}"),
    "plane: {normal: [0, 0, -1]}"};
  for (int k = 0; k < 6; k++) {
    char text[2500];
    snprintf(text, sizeof text, "trammel: 1\nparameters: {w: 10}\nbodies:\n"
             "  cam: {mass: 1, inertia: [1e-3, 1e-3, 1e-3], angular_velocity: [0, w, 0],\n"
             "        shape: {profile: {axis: [0, 1, 0], x: [1, 0, 0], height: 2 cm,\n"
             "                          outline: " CAM_ROWS "}}}\n"
             "  plate: {mass: .2, inertia: [1e-4, 1e-4, 1e-4], at: [0, 0, .04], shape: {%s}}\n"
             "joints:\n"
             "  shaft: {type: revolute, bodies: [ground, cam], at: [0, 0, 0], axis: [0, 1, 0]}\n"
             "  guide: {type: translational, bodies: [ground, plate], at: [0, 0, 0],\n"
             "          axis: [0, 0, 1]}\n"
             "motions: {drive: {joint: shaft, position: w*time}}\n"
             "forces: {s: {type: force, body: plate, force: [0, 0, '-2000*plate.z']}}\n"
             "contacts: {c: {between: [plate, cam], stiffness: 1e9, restitution: .1}}\n"
             /* the direction up seen from the cam, x towards the nose */
             "equations: {variables: {ux: '-sin(w*time)', uz: 'abs(cos(w*time))'}}\n"
             "outputs: {z: plate.z, lift: 'max(.04, max(.05*ux + .01,\n"
             "  if(ux > .3333333333333 and ux < .7777777777777, -.02*ux -\n"
             "     .0565685424949238*uz + .1, 0))) - plate.z'}\nsimulate: {end: 1.5}\n",
             plates[k / 2]);
    const swing r = swing_of(text, contact_both[k % 2], 2);
    /* up to 170 N by the spring, m a of 200 N: (180/1e9/2)^(2/3) = 2e-5; a nose of 1 cm */
    if (!(r.lowest > -1e-6 && r.highest < 6e-5)) {
      fail_msg("%s, plate %d: from %g to %g", contact_both[k % 2], k / 2, r.lowest, r.highest);
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

/* A profile of 4 mm against plates of 2 mm, on a corner, an arc, a side, a face, an edge of the
 * plate; a rod against a plate that is a profile. */
static void nothing_is_flown_through(void **state) {
  (void)state;
  static const char *const shots[] = {
    "profile: {axis: [0, 1, 0], height: 4 mm, outline: [[2 mm, 0, 2 mm], [-2 mm, 0, 2 mm]]}",
    "profile: {axis: [0, 1, 0], height: 4 mm, outline: [[2 mm, 0, 0], [0, 2 mm, 0],\n"
    "  [-2 mm, 0, 0], [0, -2 mm, 0]]}",
    "profile: {height: 4 mm, outline: [[2 mm, 0, 0], [0, 2 mm, 0], [-2 mm, 0, 0],\n"
    "  [0, -2 mm, 0]]}"};
  static const char *const plates[] = {
    "box: {size: [.6, .4, 2e-3], rounding: .5 mm}",
    "hull: {radius: .5 mm, points: [[-.2995, -.1995, -5e-4], [.2995, -.1995, -5e-4],\n"
    "  [-.2995, .1995, -5e-4], [.2995, .1995, -5e-4], [-.2995, -.1995, 5e-4],\n"
    "  [.2995, -.1995, 5e-4], [-.2995, .1995, 5e-4], [.2995, .1995, 5e-4]]}"};
  static const char *const thin = "profile: {height: 2 mm, outline: [[-.3, -.2, 0], [.3, -.2, 0],\n"
                                  "  [.3, .2, .4], [-.3, .2, 0]]}";
  static const char *const rods[] = {"box: {size: [6 mm, 6 mm, 6 mm], rounding: .5 mm}",
                                     "ellipsoid: {radii: [3 mm, 3 mm, 2 mm]}",
                                     ("hull: {radius: .5 mm, points: [[-2 mm, -2 mm, 2 mm],\n"
                                      "  [2 mm, -2 mm, 2 mm], [0, 2 mm, 2 mm], [0, 0, -2 mm]]}")};
  static const double speeds[] = {1.0, 30.0, 1000.0};
  for (int k = 0; k < 36; k++) {
    for (int i = 0; i < all_methods(); i++) {
      if (IS_SANITIZED && (k / 3 + k + i) % 3 != 0) continue; /* each method at each speed */
      contact_check_shot(plates[k / 18], shots[k / 6 % 3], k / 3 % 2 == 0 ? .1 : .2995,
                         speeds[k % 3], methods[i], k / 3);
    }
  }
  for (int k = 0; k < 18; k++) {
    for (int i = 0; i < all_methods(); i++) {
      if (IS_SANITIZED && (k / 3 + k + i) % 3 != 0) continue;
      contact_check_shot(thin, rods[k / 6], k / 3 % 2 == 0 ? .1 : .2995, speeds[k % 3],
                         methods[i], 12 + k / 3);
    }
  }
}

/* ---- hollows -------------------------------------------------------------------------------- */

/* A body that falls from a height into a crescent, along a guide; its height and the points that
 * touch after .5 s. */
static void lie_in_cup(const char *shape, double from, const char *method, double out[2]) {
  char text[1500];
  snprintf(text, sizeof text, "trammel: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
           "  ground: {shapes: {cup: {profile: {axis: [0, -1, 0], x: [1, 0, 0], height: .1,\n"
           "    outline: [[.05, 0, -.05], [-.05, 0, 0], [-.06, 0, .06], [.06, 0, 0]]}}}}\n"
           "  b: {mass: .1, inertia: [1e-5, 1e-5, 1e-5], at: [0, 0, %g], shape: {%s}}\n"
           "joints: {g: {type: translational, bodies: [ground, b], at: [0, 0, 0],\n"
           "             axis: [0, 0, 1]}}\n"
           "contacts: {c: {between: [b, ground], stiffness: 1e7, restitution: .3}}\n"
           "outputs: {z: b.z, n: c.touching}\nsimulate: {end: .5}\n", from, shape);
  contact_run(text, method, out);
}

/* A crescent has nothing behind its outer arc: a ball, a box and an ellipsoid lie in it on the
 * inner arc, 5 cm from its middle. */
static void nothing_touches_where_there_is_nothing(void **state) {
  (void)state;
  static const char *const bodies[] = {"box: {size: [.02, .02, .02], rounding: 5 mm}",
                                       "ellipsoid: {radii: [.01, .01, .01]}",
                                       "sphere: {radius: .01}"};
  for (int k = 0; k < 6; k++) {
    double out[2];
    lie_in_cup(bodies[k / 2], .02, contact_both[k % 2], out);
    /* the corner of the box is a sphere of 5 mm about (5 mm, -5 mm) */
    const double wanted = k / 2 == 0 ? -(sqrt(.045 * .045 - 25e-6) - 5e-3) : -.04;
    CHECK_NEAR(out[0], wanted, 2e-4, "%s, body %d", contact_both[k % 2], k / 2);
    assert_true(out[1] > 0.0);
  }
}

/* Edges whose ends are beyond those of the profile lie in its hollow as short ones do. */
static void long_edges_lie_in_a_hollow(void **state) {
  (void)state;
  static const char *const bodies[] = {
    "box: {size: [.02, .3, .02], rounding: 5 mm}",
    "hull: {radius: 5 mm, points: [[-.005, -.15, -.005], [.005, -.15, -.005],\n"
    "  [-.005, .15, -.005], [.005, .15, -.005], [-.005, -.15, .005],\n"
    "  [.005, -.15, .005], [-.005, .15, .005], [.005, .15, .005]]}",
    "mesh: {radius: 5 mm, points: [[-.005, -.15, -.005], [.005, -.15, -.005],\n"
    "  [-.005, .15, -.005], [.005, .15, -.005], [0, -.15, .005], [0, .15, .005]],\n"
    "  triangles: [[0, 1, 4], [2, 5, 3], [0, 2, 3], [0, 3, 1], [1, 3, 5],\n"
    "    [1, 5, 4], [0, 5, 2], [0, 4, 5]]}"};
  for (int k = 0; k < 6; k++) {
    double out[2];
    lie_in_cup(bodies[k / 2], -.03, contact_both[k % 2], out);
    CHECK_NEAR(out[0], -(sqrt(.045 * .045 - 25e-6) - 5e-3), 2e-4, "%s, body %d",
               contact_both[k % 2], k / 2);
    if (out[1] < 4.0) fail_msg("%s, body %d: %g points", contact_both[k % 2], k / 2, out[1]);
  }
}

/* ---- which pairs there are ------------------------------------------------------------------ */

/* Every two shapes touch, or a sentence says why not. */
static void every_pair_touches_or_is_named(void **state) {
  (void)state;
  static const char *const profile = "profile: {height: .1, outline: [[.05, 0, .05],\n"
                                     "  [-.05, 0, 0]]}";
  static const struct {
    const char *shape, *sentence;
  } others[] = {
    {"plane: {}", NULL}, {"sphere: {radius: .1}", NULL}, {BOX, NULL}, {ELLIPSOID, NULL},
    {"capsule: {from: [0, 0, -1], to: [0, 0, 1], radius: .1}", NULL}, {HULL, NULL}, {MESH, NULL},
    {"cylinder: {from: [0, 0, -1], to: [0, 0, 1], radius: .1}", NULL}, {TERRAIN, NULL},
    {"torus: {radius: .1, tube: .01}", "a profile touches all shapes but tori and other profiles"},
    {"profile: {height: .1, outline: [[.05, 0, .05], [-.05, 0, 0]]}",
     "a profile touches all shapes but tori and other profiles"},
    {"box: {size: [1, 1, 1]}", "have edges without a radius, where normals jump"},
    {"hull: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}",
     "have edges without a radius, where normals jump"},
  };
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    char text[2000];
    contact_two(profile, others[i].shape, "0, 0, 5", text, sizeof text);
    if (others[i].sentence != NULL) {
      mechanics_complaint(text, 0, others[i].sentence);
    } else {
      typed m = typed_text(text, "pair", NULL);
      assert_true(trm_system_sizes(m.system)->ngaps > 0);
      typed_close(&m);
    }
  }
  char text[2000];
  contact_two("profile: {height: .1, outline: [[.05, 0, 0], [.05, .05, 0], [.01, .05, -.02],\n"
              "  [-.01, .05, 0], [-.05, .05, 0]]}", "box: {size: [.1, .1, .1], rounding: .03}",
              "0, 0, 5", text, sizeof text);
  mechanics_complaint(text, 0, "exceeds that of a hollow arc of the profile");
}

/* Rounding may leave the nearest place 2e-14 m beside the corner between an arc and a line. It
 * counted as free to slide then, accelerations of the gap were off by 1e4 m/s^2, and impacts took
 * 32000 steps. */
static void corners_of_arcs_hit_a_floor_in_few_steps(void **state) {
  (void)state;
  static const char *const turns[] = {".595, -.624, .082, -.501", "-.522, -.557, .534, .362",
                                      "-.82, .464, .33, -.051"};
  for (int k = 0; k < 3; k++) {
    char text[900];
    double out[1];
    snprintf(text, sizeof text, "trammel: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
             "  ground: {shapes: {floor: {plane: {}}}}\n"
             "  b: {mass: .7, inertia: [.0014, .0017, .0015], at: [0, 0, .08],\n"
             "      velocity: [0, 0, -1], orientation: {quaternion: [%s]},\n"
             "      shape: {profile: {height: .04, outline: [[.028, -.016, .016],\n"
             "        [.028, .016, 0], [-.028, .016, .024], [-.028, -.016, 0]]}}}\n"
             "contacts: {c: {between: [b, ground], stiffness: 3e5, restitution: .7}}\n"
             "outputs: {z: b.z}\nsimulate: {end: .06}\n", turns[k]);
    const long steps = contact_run_at(text, "radau", 1e-6, out);
    if (steps > 300) fail_msg("case %d: %ld steps", k, steps);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(rates_of_gaps_follow_the_motion),
    cmocka_unit_test(rates_are_right_up_to_a_core),
    cmocka_unit_test(derivatives_match_differences),
    cmocka_unit_test(what_falls_stays_where_it_is),
    cmocka_unit_test(what_lies_does_not_wander),
    cmocka_unit_test(discs_roll_without_facets),
    cmocka_unit_test(a_flat_follower_follows_the_cam),
    cmocka_unit_test(collisions_keep_what_they_have_to),
    cmocka_unit_test(nothing_is_flown_through),
    cmocka_unit_test(nothing_touches_where_there_is_nothing),
    cmocka_unit_test(long_edges_lie_in_a_hollow),
    cmocka_unit_test(every_pair_touches_or_is_named),
    cmocka_unit_test(corners_of_arcs_hit_a_floor_in_few_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
