/* test_contact_pins.c - capsules and cylinders against profiles in any direction: derivatives,
 * rest, collisions, hollows; and pins that are taken to lie along a profile and do not. */
#include "methods.h"
#include "verify/contact_runs.h"
#include "verify/mechanics.h"
#include <math.h>

#define ALONG_Y "axis: [0, 1, 0], x: [1, 0, 0], "
#define DISC "profile: {" ALONG_Y "height: .1, outline: [[.05, 0, .05], [-.05, 0, .05]]}"
#define SLAB                                                                                       \
  "profile: {" ALONG_Y "height: .2, outline: [[-.1, -.05, 0], [.1, -.05, .05], [.1, .05, 0],\n"   \
  "  [-.1, .05, .05]]}"
#define HOLLOW                                                                                     \
  "profile: {axis: [0, -1, 0], x: [1, 0, 0], height: .2, outline: [[-.1, -.05, 0],\n"             \
  "  [.1, -.05, 0], [.1, .05, 0], [.05, .05, -.08], [-.05, .05, 0], [-.1, .05, 0]]}"
#define CUP                                                                                        \
  "profile: {axis: [0, -1, 0], x: [1, 0, 0], height: .1, outline: [[.05, 0, -.05],\n"             \
  "  [-.05, 0, 0], [-.06, 0, .06], [.06, 0, 0]]}"
#define FLAT "profile: {height: .1, outline: [[.1, 0, .1], [-.1, 0, .1]]}"

static const char *const across = "capsule: {from: [-.2, 0, 0], to: [.2, 0, 0], radius: .01}";
static const char *const oblique = "capsule: {from: [-.1, -.15, 0], to: [.1, .15, 0], radius: .01}";
static const char *const steep = "capsule: {from: [-.1, -.15, -.02], to: [.1, .15, .02],\n"
                                 "  radius: .01}";
static const char *const log_ = "cylinder: {from: [-.1, -.05, 0], to: [.1, .05, 0], radius: .03,\n"
                                "  rounding: 5 mm}";
/* Tilted by .2 in the cup, and longer than that is high. */
#define TILT .2
static const char *const leaning =
    "capsule: {from: [0, -.0980066577841242, -.0198669330795061],\n"
    "          to: [0, .0980066577841242, .0198669330795061], radius: .01}";

/* ---- gaps ----------------------------------------------------------------------------------- */

static void derivatives_match_differences(void **state) {
  (void)state;
  const struct {
    const char *a, *b, *at;
  } pairs[] = {
    {DISC, across, ".01, .02, -.058"}, {DISC, oblique, ".01, .02, -.058"},
    {SLAB, steep, ".03, .02, -.066"}, {across, HOLLOW, ".01, .02, -.058"},
    {leaning, CUP, ".004, .003, .0286"}, {FLAT, across, ".03, .02, -.058"},
    {DISC, log_, ".01, .02, -.078"},   {SLAB, log_, ".03, .02, -.078"},
    {FLAT, log_, ".01, .02, -.078"},
  };
  for (int k = 0; k < (int)(sizeof pairs / sizeof *pairs); k++) {
    char text[3000];
    const double touching = contact_check_pair(pairs[k].a, pairs[k].b, pairs[k].at, k % 2 == 1);
    if (touching < 1.0) fail_msg("pair %d: %g points touch", k, touching);
    contact_two_turned(pairs[k].a, ".03, .02, .3", pairs[k].b, pairs[k].at, text, sizeof text);
    contact_check_rates(text, 1e-3, k);
  }
}

/* ---- rest ----------------------------------------------------------------------------------- */

/* Rods across, aslant, on a face, over a hollow; logs that lie and one that stands. */
static void what_falls_stays_where_it_is(void **state) {
  (void)state;
  const struct {
    const char *below, *above;
    double height;
  } cases[] = {
    {DISC, across, .06}, {DISC, oblique, .06}, {SLAB, oblique, .06}, {across, DISC, .06},
    {FLAT, across, .06}, {FLAT, oblique, .06}, {HOLLOW, across, .06},
    {DISC, log_, .08},   {FLAT, log_, .08},    {SLAB, log_, .08},
    {FLAT, "cylinder: {from: [0, 0, -.05], to: [0, 0, .05], radius: .03, rounding: 5 mm}", .1},
  };
  static const double within[2] = {1.5e-4, 2e-2};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    contact_check_rest(cases[i].below, cases[i].above, cases[i].height, within, (int)i);
  }
}

/* In a hollow, where its ends are beyond those of the profile: the lower end of the arc carries an
 * ellipse, r/cos a high, by a force across the pin. */
static void a_leaning_pin_lies_in_a_hollow(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    char text[1500];
    double out[3];
    snprintf(text, sizeof text, "trammel: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
             "  ground: {shapes: {cup: {" CUP "}}}\n"
             "  b: {mass: 1, inertia: [.01, .01, .01], at: [0, 0, -.027], shape: {%s}}\n"
             "joints: {g: {type: translational, bodies: [ground, b], at: [0, 0, 0],\n"
             "             axis: [0, 0, 1]}}\n"
             "contacts: {c: {between: [b, ground], stiffness: 1e8, restitution: .3}}\n"
             "outputs: {z: b.z, load: c.force, n: c.touching}\nsimulate: {end: .5}\n", leaning);
    contact_run(text, contact_both[k], out);
    CHECK_NEAR(out[0], -.05 + .05 * tan(TILT) + .01 / cos(TILT), 4e-5, "%s", contact_both[k]);
    CHECK_NEAR(out[1], 9.81 / cos(TILT), 2e-2, "%s", contact_both[k]);
    assert_true(out[2] == 1.0);
  }
}

/* A plate of 2 mm with a hollow half circle of 5 cm, turned by an angle about its middle, and a rod
 * at (x, 0, z) that is tilted by 70 deg to the side. */
#define SIDEWAYS 1.2217304763960306
static void write_aslant(double turn, double x, double z, double radius, double k, char *text,
                         size_t size) {
  const double c = cos(turn), s = sin(turn), a = .2 * sin(SIDEWAYS), b = .2 * cos(SIDEWAYS);
  snprintf(text, size, "trammel: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
           "  ground: {shapes: {cup: {profile: {axis: [0, -1, 0], x: [1, 0, 0], height: 2 mm,\n"
           "    outline: [[%.17g, %.17g, -.05], [%.17g, %.17g, 0], [%.17g, %.17g, .06],\n"
           "              [%.17g, %.17g, 0]]}}}}\n"
           "  b: {mass: 1, inertia: [.01, .01, .01], at: [%g, 0, %g], shape: {capsule:\n"
           "      {from: [%.17g, %.17g, 0], to: [%.17g, %.17g, 0], radius: %g}}}\n"
           "joints: {g: {type: translational, bodies: [ground, b], at: [0, 0, 0],\n"
           "             axis: [0, 0, 1]}}\n"
           "contacts: {c: {between: [b, ground], stiffness: %g, restitution: .3}}\n"
           "outputs: {gap: c.gap, z: b.z}\nsimulate: {end: .5}\n", .05 * c, .05 * s, -.05 * c,
           -.05 * s, -.06 * c, -.06 * s, .06 * c, .06 * s, x, z, -a, -b, a, b, radius, k);
}

/* Distance of the axis of that rod from the half circle at y = 1 mm, or -1 mm. */
static double aslant_distance(double turn, double x, double z, double y) {
  const double middle = x + y * tan(SIDEWAYS);
  double least = INFINITY;
  for (int i = 0; i <= 100000; i++) {
    const double angle = turn - acos(-1.0) * i / 100000;
    const double u = .05 * cos(angle) - middle, v = .05 * sin(angle) - z;
    least = fmin(least, hypot(u * cos(SIDEWAYS), v));
  }
  return least;
}

/* Such a rod is near to both sides of the arc: the nearer one counts, wherever the arc begins. */
static void a_rod_aslant_finds_the_nearer_side(void **state) {
  (void)state;
  for (int k = 0; k < 20; k++) {
    char text[1500];
    double out[2];
    trm_error err = {.message = ""};
    const double turn = .1 * (k % 5 - 2), x = .003 * (k / 5 - 1.5), z = -.02;
    write_aslant(turn, x, z, .01, 1e8, text, sizeof text);
    typed m = typed_text(text, "aslant", NULL);
    trm_sim *sim = typed_sim(&m, "hht", 1e-5);
    CHECK_OK(trm_sim_outputs(sim, out, &err), err);
    const double near = fmin(aslant_distance(turn, x, z, 1e-3), aslant_distance(turn, x, z, -1e-3));
    /* the bulge raises it by 5e-4 of the radius */
    CHECK_NEAR(out[0], near - .01, 6e-6, "turned by %g, at %g", turn, x);
    trm_sim_free(sim);
    typed_close(&m);
  }
}

/* A soft one sinks in until it touches both sides, of which only one is known. */
static void a_rod_that_touches_both_sides_is_named(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    char text[1500];
    trm_error err = {.message = ""};
    write_aslant(0.0, 0.0, 0.0, .0155, k == 0 ? 1e8 : 1e5, text, sizeof text);
    typed m = typed_text(text, "aslant", NULL);
    trm_sim *sim = typed_sim(&m, "hht", 1e-5);
    const trm_status status = trm_sim_run(sim, &err);
    if (k == 0 && status != TRM_OK) fail_msg("stiff: %s", err.message);
    if (k == 1) {
      assert_true(status < 0);
      assert_non_null(strstr(err.message, "both sides of the arc, of which contact 'c' sees one"));
    }
    trm_sim_free(sim);
    typed_close(&m);
  }
}

/* A pin along a profile lies at the same height by its two points and by feet, also in a hollow. */
static void both_ways_lie_at_the_same_height(void **state) {
  (void)state;
  static const char *const below[] = {DISC, CUP, SLAB};
  static const double heights[] = {.06, -.04, .06};
  for (int k = 0; k < 12; k++) {
    char text[1500];
    double out[2];
    snprintf(text, sizeof text, "trammel: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
             "  ground: {shapes: {below: {%s}}}\n"
             "  b: {mass: 1, inertia: [.01, .01, .01], at: [0, 0, %g],\n"
             "      shape: {capsule: {from: [0, -.15, 0], to: [0, .15, 0], radius: .01}}}\n"
             "joints: {g: {type: translational, bodies: [ground, b], at: [0, 0, 0],\n"
             "             axis: [0, 0, 1]}}\n"
             "contacts: {c: {between: [b, ground], stiffness: 1e7, restitution: .3, pins: %s}}\n"
             "outputs: {z: b.z, n: c.touching}\nsimulate: {end: .5}\n", below[k / 4],
             heights[k / 4] + 2e-3, k / 2 % 2 == 0 ? "along" : "free");
    contact_run(text, contact_both[k % 2], out);
    CHECK_NEAR(out[0], heights[k / 4], 1e-4, "%s, case %d", contact_both[k % 2], k / 2);
    if (out[1] < 2.0) fail_msg("%s, case %d: %g points", contact_both[k % 2], k / 2, out[1]);
  }
}

static void collisions_keep_what_they_have_to(void **state) {
  (void)state;
  const char *const pairs[][2] = {{DISC, across}, {SLAB, oblique}, {HOLLOW, across}, {SLAB, log_}};
  for (int k = 0; k < 4 * all_methods(); k++) {
    contact_check_collision(pairs[k % 4][0], pairs[k % 4][1], methods[k / 4], k % 4);
  }
}

/* ---- pins that are not along a profile ------------------------------------------------------- */

/* A rod along a disc that turns about x while it falls, one that slides off, until they touch. */
static void pins_that_go_astray_are_named(void **state) {
  (void)state;
  static const struct {
    const char *motion, *sentence;
  } cases[] = {
    {"angular_velocity: [1, 0, 0]", "impact of rod on ground: "},
    {"angular_velocity: [1, 0, 0]", "a pin is tilted by 3."},
    {"velocity: [0, 2, 0]", "a pin is no longer between the ends of its profile"}};
  for (int k = 0; k < 6; k++) {
    char text[1200];
    trm_error err = {.message = ""};
    const bool is_free = k % 2 == 1;
    snprintf(text, sizeof text, "trammel: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
             "  ground: {shapes: {disc: {" DISC "}}}\n"
             "  rod: {mass: 1, inertia: [.01, .01, .01], at: [0, 0, .08], %s,\n"
             "        shape: {capsule: {from: [0, -.1, 0], to: [0, .1, 0], radius: .01}}}\n"
             "contacts: {c: {between: [rod, ground], stiffness: 1e7, restitution: .3%s}}\n"
             "simulate: {end: .2}\n", cases[k / 2].motion, is_free ? ", pins: free" : "");
    typed m = typed_text(text, "pin", NULL);
    trm_sim *sim = typed_sim(&m, "hht", 1e-5);
    const trm_status status = trm_sim_run(sim, &err);
    if (is_free) {
      if (status != TRM_OK) fail_msg("case %d: %s", k, err.message);
    } else {
      char all[600];
      snprintf(all, sizeof all, "%s: %s", err.object, err.message);
      const bool is_named = strstr(all, cases[k / 2].sentence) != NULL;
      if (status >= 0 || !is_named) fail_msg("case %d: %s", k, all);
      CHECK_NEAR(err.t, sqrt(2 * .02 / 9.81), .03, "case %d: when", k);
    }
    trm_sim_free(sim);
    typed_close(&m);
  }
}

/* Sharp cylinders, and rims in hollows. */
static void cylinders_that_cannot_are_named(void **state) {
  (void)state;
  char text[1200];
  contact_two(DISC, "cylinder: {from: [-.1, 0, 0], to: [.1, .1, 0], radius: .01}", "0, 0, 5", text,
              sizeof text);
  mechanics_complaint(text, 0, "cylinder of 'b' is not known to stay along the profile of 'a', it "
                               "lies 63.4 deg against its axis");
  contact_two(HOLLOW, log_, "0, 0, 5", text, sizeof text);
  mechanics_complaint(text, 0, "without hollow arcs, or make it a capsule");
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(derivatives_match_differences),
    cmocka_unit_test(what_falls_stays_where_it_is),
    cmocka_unit_test(a_leaning_pin_lies_in_a_hollow),
    cmocka_unit_test(a_rod_aslant_finds_the_nearer_side),
    cmocka_unit_test(a_rod_that_touches_both_sides_is_named),
    cmocka_unit_test(both_ways_lie_at_the_same_height),
    cmocka_unit_test(collisions_keep_what_they_have_to),
    cmocka_unit_test(pins_that_go_astray_are_named),
    cmocka_unit_test(cylinders_that_cannot_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
