/* test_contact_groups.c - contacts of groups: the same as their pairs, never flown through, places,
 * memory, names. */
#include "methods.h"
#include "trammel/analysis.h"
#include "trammel/doctor.h"
#include "verify/contact_runs.h"
#include "verify/mechanics.h"
#include <math.h>

#define BALL(name, at)                                                                             \
  "  " name ": {mass: .5, inertia: [5e-4, 5e-4, 5e-4], at: [" at "],\n"                           \
  "       shape: {sphere: {radius: .05}}}\n"

/* Four balls fall on a floor and on each other. */
static const char falling[] =
    "trammel: 1\ngravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  ground: {shapes: {floor: {plane: {}}}}\n"
    BALL("b1", "0, 0, .051") BALL("b2", ".103, 0, .06") BALL("b3", ".05, .09, .07")
    BALL("b4", ".051, .03, .16");
#define LAW "stiffness: 1e6, restitution: .5, friction: {static: .4, dynamic: .3}}\n"
static const char by_groups[] =
    "groups: {balls: {members: ['b*']}}\n"
    "contacts:\n"
    "  heap: {between: [balls, balls], " LAW
    "  floor: {between: [balls, ground], " LAW;
static const char by_pairs[] =
    "contacts:\n"
    "  c12: {between: [b1, b2], " LAW "  c13: {between: [b1, b3], " LAW
    "  c14: {between: [b1, b4], " LAW "  c23: {between: [b2, b3], " LAW
    "  c24: {between: [b2, b4], " LAW "  c34: {between: [b3, b4], " LAW
    "  g1: {between: [b1, ground], " LAW "  g2: {between: [b2, ground], " LAW
    "  g3: {between: [b3, ground], " LAW "  g4: {between: [b4, ground], " LAW;

enum { BALLS = 4 };

typedef struct ending {
  double q[7 * BALLS];
  double force[3];  /* on the ground */
  long   steps;
  int    epochs;    /* patterns      */
} ending;

static ending run(const char *contacts, const char *outputs, const char *method, double end) {
  char text[3000];
  ending r = {.steps = 0};
  trm_error err = {.message = ""};
  snprintf(text, sizeof text, "%s%soutputs: {%s}\n", falling, contacts, outputs);
  typed m = typed_text(text, "groups", NULL);
  m.options.end = end;
  m.options.newton_tolerance = 1e-12;
  trm_sim *sim = typed_sim(&m, method, 1e-6);
  const int before = m.system->epoch;
  kit_run(sim);
  memcpy(r.q, trm_sim_state(sim)->q, sizeof r.q);
  CHECK_OK(trm_sim_outputs(sim, r.force, &err), err);
  r.steps = trm_sim_counters(sim)->steps;
  r.epochs = trm_sim_system(sim)->epoch - before;
  trm_sim_free(sim);
  typed_close(&m);
  return r;
}

/* Errors of impacts are some tolerances of 1e-6, of angles over the radius. */
static void a_group_is_all_of_its_pairs(void **state) {
  (void)state;
  for (int i = 0; i < all_methods(); i++) {
    const double end = .12;
    const ending a = run(by_groups, "z: floor.force.z, x: floor.force.x, y: floor.force.y",
                         methods[i], end);
    const ending b = run(by_pairs, "z: g1.force.z + g2.force.z + g3.force.z + g4.force.z,\n"
                         "x: g1.force.x + g2.force.x + g3.force.x + g4.force.x,\n"
                         "y: g1.force.y + g2.force.y + g3.force.y + g4.force.y", methods[i], end);
    for (int k = 0; k < 7 * BALLS; k++) {
      CHECK_NEAR(a.q[k], b.q[k], k % 7 < 3 ? 1e-5 : 1e-4, "%s: q %d", methods[i], k);
    }
    /* 3/2 k p^(1/2) = 5e4 N/m at loads of 20 N */
    for (int k = 0; k < 3; k++) CHECK_NEAR(a.force[k], b.force[k], 0.5, "%s", methods[i]);
    if (a.epochs > 40 || a.epochs > a.steps / 8) {
      fail_msg("%s: %d patterns in %ld steps", methods[i], a.epochs, a.steps);
    }
  }
}

/* Three balls overlap by 3 mm, where differences of p^1.5 are good; a fourth is near. */
static void derivatives_match_differences(void **state) {
  (void)state;
  char text[3000];
  double out[2];
  snprintf(text, sizeof text, "trammel: 1\nbodies:\n  ground: {shapes: {floor: {plane: {}}}}\n"
           BALL("b1", "0, 0, .047") BALL("b2", ".097, 0, .0465") BALL("b3", ".05, .083, .047")
           BALL("b4", ".2, 0, .06") "%soutputs: {n: heap.touching, m: floor.touching}\n",
           by_groups);
  contact_check_blocks(text, out);
  assert_true(out[0] == 3.0 && out[1] == 3.0);
}

/* A shot of 2 mm meets the third of five plates from far away: nobody knows of it before. */
static void nothing_is_flown_through(void **state) {
  (void)state;
  for (int i = 0; i < all_methods(); i++) {
    for (double v = 1.0; v < 2000.0; v *= 10.0) {
      char text[900];
      snprintf(text, sizeof text, "trammel: 1\n"
               "bodies:\n"
               CONTACT_SHOT(".1")
               "repeat:\n  walls:\n    count: 3\n    bodies:\n"
               "      wall<i>: {mass: 1, inertia: [1e-5, 1e-5, 1e-5],\n"
               "                at: ['.1*max(0, <i> - 2)', 0, '.11*(<i> - 1)*(3 - <i>)'],\n"
               "                shape: {box: {size: [.002, .1, .1], rounding: 1e-3}}}\n"
               "groups: {walls: {members: ['wall*']}}\n"
               "contacts: {c: {between: [shot, walls], stiffness: 1e12}}\n"
               "simulate: {end: %g}\n", v, 1.5 / v);
      typed m = typed_text(text, "walls", NULL);
      trm_sim *sim = typed_sim(&m, methods[i], 1e-5);
      kit_run(sim);
      /* elastic in the middle of the second: it turns, and takes part as a mass of m M/(m + M) */
      const double *w = trm_sim_state(sim)->v;
      const double effective = 1.0 / (1.0 + .01 * .01 / 1e-5);
      CHECK_NEAR(w[0] / v, (1e-3 - effective) / (1e-3 + effective), 6e-3, "%s at %g", methods[i],
                 v);
      CHECK_NEAR(1e-3 * w[0] + w[12], 1e-3 * v, 1e-15 * v, "%s at %g: momentum", methods[i], v);
      trm_sim_free(sim);
      typed_close(&m);
    }
  }
}

/* Saved while balls touch, with places that changed hands before. */
static void a_heap_continues_with_the_same_bits(void **state) {
  (void)state;
  trm_error err = {.message = ""};
  char text[3000];
  snprintf(text, sizeof text, "%s%soutputs: {n: heap.touching}\n", falling, by_groups);
  for (int i = 0; i < all_methods(); i++) {
    typed m = typed_text(text, "groups", NULL);
    double out = 0.0;
    bool done = false;
    m.options.end = .15;
    trm_sim *first = typed_sim(&m, methods[i], 1e-5), *second = kit_sim(m.system, &m.options);
    for (int inside = 0; inside < 5 && !done; inside += out > 0.0) {
      CHECK_OK(trm_sim_step(first, &done, &err), err);
      CHECK_OK(trm_sim_outputs(first, &out, &err), err);
    }
    assert_true(out > 0.0 && !done);
    contact_resume(first, second, BALLS);
    trm_sim_free(first), trm_sim_free(second);
    typed_close(&m);
  }
}

#define JOINT                                                                                      \
  "joints: {j: {type: point_on_line, bodies: [b1, b2], at: [0, 0, 0], axis: [1, 0, 0]}}\n"

/* Balls that are excepted, or joined, pass through each other. */
static void exceptions_do_not_touch(void **state) {
  (void)state;
  static const struct {
    const char *more, *keys;
    double v; /* of b2 */
  } cases[] = {
    {"", "", 1.0},
    {"", ", except: [b1 b2]", 0.0},
    {"", ", except: ['b* b2']", 0.0},
    {JOINT, "", 0.0},
    {JOINT, ", joined: touch", 1.0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[900];
    snprintf(text, sizeof text, "trammel: 1\nbodies:\n"
             "  b1: {mass: 1, inertia: [1, 1, 1], velocity: [1, 0, 0],\n"
             "       shape: {sphere: {radius: .1}}}\n"
             "  b2: {mass: 1, inertia: [1, 1, 1], at: [.5, 0, 0], shape: {sphere: {radius: .1}}}\n"
             "  c: {mass: 1, inertia: [1, 1, 1], at: [0, 5, 0], shape: {sphere: {radius: .1}}}\n"
             "%sgroups: {all: {members: [b1, b2, c]}}\n"
             "contacts: {h: {between: [all, all], stiffness: 1e8%s}}\n"
             "simulate: {end: 1}\n", cases[i].more, cases[i].keys);
    typed m = typed_text(text, "exceptions", NULL);
    trm_sim *sim = typed_sim(&m, "hht", 1e-5);
    kit_run(sim);
    CHECK_NEAR(trm_sim_state(sim)->v[6], cases[i].v, 5e-3, "case %d", (int)i); /* of an impact */
    trm_sim_free(sim);
    typed_close(&m);
  }
}

static void mistakes_have_their_sentence(void **state) {
  (void)state;
  static const struct {
    int line;
    const char *groups, *contact, *sentence;
  } cases[] = {
    {7, "g: {members: [ball*]}", "between: [g, h], stiffness: 1", "no body or group 'h'"},
    {6, "g: {members: ['cube*']}", "between: [g, g], stiffness: 1",
     "group 'g': no body with a shape is called 'cube*'"},
    {6, "g: {members: ['*'], except: [cube]}", "between: [g, g], stiffness: 1",
     "group 'g': no body with a shape is called 'cube'"},
    {6, "g: {members: [ball1], except: [ball1]}", "between: [g, g], stiffness: 1", "leaves nobody"},
    {7, "g: {members: ['*']}", "between: [g, ball2], stiffness: 1, except: [ball1]",
     "an exception is two names with a blank between them"},
    {7, "g: {members: ['*']}", "between: [ball1, ball2], stiffness: 1, places: 4",
     "'places' is for groups"},
    {7, "g: {members: [rod]}", "between: [g, g], stiffness: 1", "it has no two bodies that touch"},
    {7, "g: {members: ['rod*']}", "between: [g, g], stiffness: 1",
     "have edges without a radius, where normals jump"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[1200];
    snprintf(text, sizeof text, "trammel: 1\nbodies: {ball1: {mass: 1, inertia: [1, 1, 1], "
             "shape: {sphere: {radius: 1}}},\n  ball2: {mass: 1, inertia: [1, 1, 1], "
             "shape: {sphere: {radius: 1}}},\n  rod: {mass: 1, inertia: [1, 1, 1], shapes: {\n"
             "  a: {cylinder: {from: [0, 0, 0], to: [1, 0, 0], radius: 1}}}}, "
             "rod2: {mass: 1, inertia: [1, 1, 1], shape: {cylinder: {from: [0, 0, 0], "
             "to: [1, 0, 0], radius: 1}}}}\n"
             "groups: {%s}\ncontacts: {c: {%s}}\n", cases[i].groups, cases[i].contact);
    mechanics_complaint(text, cases[i].line, cases[i].sentence);
  }
}

/* Each * had tried all numbers of letters for each one before it: this took hours. */
static void many_stars_take_no_time(void **state) {
  (void)state;
  char text[600];
  static const char name[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
  for (int i = 0; i < 2; i++) {
    snprintf(text, sizeof text, "trammel: 1\nbodies:\n  %s: {mass: 1, inertia: [1, 1, 1],\n"
             "    shape: {sphere: {radius: 1}}}\n  ball: {mass: 1, inertia: [1, 1, 1], "
             "shape: {sphere: {radius: 1}}}\n"
             "groups: {g: {members: [ball, 'a*a*a*a*a*a*a*a*a*a*a*a*a*a*%s']}}\n"
             "contacts: {c: {between: [g, %s], stiffness: 1}}\n", name, i == 0 ? "b" : "a*",
             i == 0 ? "g" : "nobody");
    mechanics_complaint(text, i == 0 ? 6 : 7, i == 0 ? "no body with a shape is called" : "nobody");
  }
}

/* A rounded box touches sharp ones, but these do not touch each other: they went through each other
 * without a word where the last box of the group was rounded. */
static void sharp_boxes_of_a_group_are_refused(void **state) {
  (void)state;
  for (int rounded = 0; rounded < 3; rounded++) {
    for (int is_excepted = 0; is_excepted < 2; is_excepted++) {
      char text[900], boxes[3][200], except[40] = "";
      for (int i = 0; i < 3; i++) {
        snprintf(boxes[i], sizeof boxes[i], "  b%d: {mass: 1, inertia: [1, 1, 1], at: [%d, 0, 0], "
                 "shape: {box: {size: [.1, .1, .1]%s}}}\n", i, i,
                 i == rounded ? ", rounding: .01" : "");
      }
      if (is_excepted) {
        snprintf(except, sizeof except, ", except: [b%d b%d]", (rounded + 1) % 3,
                 (rounded + 2) % 3);
      }
      snprintf(text, sizeof text, "trammel: 1\nbodies:\n%s%s%sgroups: {all: {members: ['*']}}\n"
               "contacts: {heap: {between: [all, all], stiffness: 1e6%s}}\nsimulate: {end: 1}\n",
               boxes[0], boxes[1], boxes[2], except);
      if (is_excepted) {
        typed m = typed_text(text, "boxes", NULL);
        typed_close(&m);
      } else {
        mechanics_complaint(text, 7, "two boxes with sharp edges cannot touch");
      }
    }
  }
}

/* Three balls that touch need three places. */
static void a_full_crowd_is_named(void **state) {
  (void)state;
  for (int places = 2; places <= 3; places++) {
    char text[900];
    trm_error err = {.message = ""};
    trm_sim *sim = NULL;
    snprintf(text, sizeof text, "trammel: 1\nbodies:\n"
             "  b1: {mass: 1, inertia: [1, 1, 1], shape: {sphere: {radius: .1}}}\n"
             "  b2: {mass: 1, inertia: [1, 1, 1], at: [.199, 0, 0],\n"
             "       shape: {sphere: {radius: .1}}}\n"
             "  b3: {mass: 1, inertia: [1, 1, 1], at: [.1, .172, 0],\n"
             "       shape: {sphere: {radius: .1}}}\n"
             "groups: {all: {members: ['*']}}\n"
             "contacts: {heap: {between: [all, all], stiffness: 1e6, places: %d}}\n"
             "simulate: {end: .01}\n", places);
    typed m = typed_text(text, "full", NULL);
    const trm_status status = trm_sim_create(m.system, &m.options, &sim, &err);
    if (places == 3) {
      CHECK_OK(status, err);
    } else {
      CHECK_STATUS(status, TRM_ERR_INPUT);
      assert_non_null(strstr(err.message, "more than 2 pairs of its shapes are near"));
      assert_string_equal(err.object, "contact 'heap'");
    }
    trm_sim_free(sim);
    typed_close(&m);
  }
}

/* Force on the ball in the middle along x where its place is x; NAN: it cannot be said. */
static double push_at(trm_sim *sim, double x) {
  trm_error err = {.message = ""};
  trmi_arena arena;
  trm_state s = {.t = 0.0};
  double motion[18];
  trmi_arena_init(&arena, &sim->sys->arena.allocator);
  trmi_state_take(sim->sys, &arena, &s);
  trmi_state_copy(sim->sys, trm_sim_state(sim), &s);
  s.q[7] = x;
  const trm_status status = trm_system_values(sim->sys, &s, &(trm_values){.motion = motion}, &err);
  trmi_arena_clear(&arena);
  if (status != TRM_OK) CHECK_STATUS(status, TRM_RETRY_DOMAIN);
  return status == TRM_OK ? -motion[6] : NAN;
}

/* A state far away, of which the search for depths of impacts asks, or a first try of Newton's
 * method, has more near pairs than there are places. Skins had grown all the same, so nobody looked
 * for pairs up to there: radau flew into a hull by 16 mm, and left it with 74 times the energy. */
static void a_search_that_fails_leaves_no_trace(void **state) {
  (void)state;
  typed m = typed_text("trammel: 1\nbodies:\n"
                       "  b1: {mass: 1, inertia: [1, 1, 1], shape: {sphere: {radius: .1}}}\n"
                       "  b2: {mass: 1, inertia: [1, 1, 1], at: [10, 0, 0],\n"
                       "       shape: {sphere: {radius: .1}}}\n"
                       "  b3: {mass: 1, inertia: [1, 1, 1], at: [1000, 0, 0],\n"
                       "       shape: {sphere: {radius: .1}}}\n"
                       "groups: {all: {members: ['*']}}\n"
                       "contacts: {heap: {between: [all, all], stiffness: 1e6, places: 1}}\n"
                       "simulate: {end: .01}\n", "far", NULL);
  trm_sim *sim = typed_sim(&m, "hht", 1e-5);
  assert_true(isnan(push_at(sim, 1e4)));
  assert_true(isnan(push_at(sim, 1e4))); /* not at a second look either */
  CHECK_NEAR(push_at(sim, .19), 1e6 * pow(.01, 1.5), 1e-6, "two balls 1 cm deep"); /* rounding */
  trm_sim_free(sim);
  typed_close(&m);
}

/* The shipped model: at its end the heap rests on the floor. */
static void spheres_settle(void **state) {
  (void)state;
  trm_error err = {.message = ""};
  typed m = typed_model("spheres", NULL);
  trm_sim *sim = kit_sim(m.system, &m.options);
  double out[3] = {0.0};
  kit_run(sim);
  CHECK_OK(trm_sim_outputs(sim, out, &err), err);
  CHECK_NEAR(out[1], 8 * .5 * 9.81, 1e-2, "weight"); /* walls still carry 1e-3 by friction */
  if (out[0] < 8) fail_msg("%g points touch", out[0]); /* each at least one */
  trm_sim_free(sim);
  typed_close(&m);
}

/* Bristles that begin to slide must not stop Newton's method: of a heap of 27 82
 * attempts of the first .3 s failed before changes of states were cut, and 25 fail now. */
static void newton_passes_from_sticking_to_sliding(void **state) {
  (void)state;
  const trm_setting more[] = {{"n", "27"}, {"side", "3"}, {NULL, NULL}};
  typed m = typed_model("spheres", more);
  m.options.end = .3;
  trm_sim *sim = kit_sim(m.system, &m.options);
  kit_run(sim);
  const trm_counters *c = trm_sim_counters(sim);
  if (c->rejected_newton > 40) fail_msg("Newton's method failed %ld times", c->rejected_newton);
  if (c->steps > 1000) fail_msg("%ld steps", c->steps); /* 972, 1079 before */
  trm_sim_free(sim);
  typed_close(&m);
}

/* Iterations of a heap of so many spheres in three layers, over its accepted steps; and its
 * factorizations. */
static double iterations_of(const char *n, const char *side, double *factorizations) {
  const trm_setting more[] = {{"n", n}, {"side", side}, {NULL, NULL}};
  typed m = typed_model("spheres", more);
  m.options.end = .25;
  trm_sim *sim = typed_sim(&m, "hht", 1e-5);
  kit_run(sim);
  const trm_counters *c = trm_sim_counters(sim);
  const double part = (double)c->newton_iterations / (double)c->steps;
  *factorizations = (double)c->factorizations / (double)c->steps;
  trm_sim_free(sim);
  typed_close(&m);
  return part;
}

/* Work of a step is its iterations, those of rejected attempts included, each of which grows with
 * the contacts: the more bristles there are, the more of them come to their limit. 1.83 and 1.70;
 * 2.47 and 2.43 before steps in which they do so began with new matrices. Depths of impacts begin
 * with those of others: 2.0 factorizations a step of 108 spheres, 4.9 before. */
static void iterations_do_not_grow_with_the_heap(void **state) {
  (void)state;
  double factors;
  const double few = iterations_of("27", "3", &factors);
  const double many = iterations_of("108", "6", &factors);
  if (few > 2.3 || many > 1.2 * few) fail_msg("%g iterations, of more spheres %g", few, many);
  if (factors > 3.9) fail_msg("%g factorizations a step", factors);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_group_is_all_of_its_pairs),
    cmocka_unit_test(derivatives_match_differences),
    cmocka_unit_test(nothing_is_flown_through),
    cmocka_unit_test(a_heap_continues_with_the_same_bits),
    cmocka_unit_test(exceptions_do_not_touch),
    cmocka_unit_test(mistakes_have_their_sentence),
    cmocka_unit_test(many_stars_take_no_time),
    cmocka_unit_test(sharp_boxes_of_a_group_are_refused),
    cmocka_unit_test(a_full_crowd_is_named),
    cmocka_unit_test(a_search_that_fails_leaves_no_trace),
    cmocka_unit_test(spheres_settle),
    cmocka_unit_test(newton_passes_from_sticking_to_sliding),
    cmocka_unit_test(iterations_do_not_grow_with_the_heap),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
