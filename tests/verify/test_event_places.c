/* test_event_places.c - several events at one place: what happens there does not depend on the
 * rounding of their times and functions. */
#include "methods.h"
#include "verify/typed.h"
#include <math.h>

/* Two events at one place, of which the first turns the motion back: rounding of their times missed
 * the second. And one that turns it back, with a follower that turns it again: the motion passes,
 * and the event happens once; it counted as a bounce that passes all the same, a second event. */
static void events_at_one_place_happen_together(void **state) {
  (void)state;
  static const char head[] = "trammel: 1\nequations:\n  coordinates: {x: {value: 0, velocity: 1}}\n"
                             "  mass: {x: 1}\n  discrete: {n: 0, k: 0}\n  events:\n";
  static const char *const events[] = {
    "    turn: {when: x - 0.5, direction: rising, set: {n: n + 1, x': -x'}}\n"
    "    pass: {when: x - 0.5, set: {k: k + 1}}\n",
    "    turn: {when: x - 0.5, set: {n: n + 1, x': -x'}}\n"
    "    again: {when: n > 0.5, set: {k: k + 1, x': -x'}}\n"};
  const int n = all_methods();
  for (int which = 0; which < 2; which++) {
    char text[600];
    snprintf(text, sizeof text, "%s%ssimulate: {end: 1}\n", head, events[which]);
    typed m = typed_text(text, "place.yaml", NULL);
    for (int k = 0; k < 40 * n; k++) {
      const double start = -0.1 - 0.0173 * (k % 40);
      m.options.start = start;
      trm_sim *sim = typed_sim(&m, methods[k / 40], 1e-5);
      kit_run(sim);
      const trm_state *s = trm_sim_state(sim);
      CHECK_NEAR(s->z[0], 1.0, 0.0, "the first by %s from %g s", methods[k / 40], start);
      CHECK_NEAR(s->z[1], 1.0, 0.0, "the second by %s from %g s", methods[k / 40], start);
      /* straight lines: rounding */
      CHECK_NEAR(s->q[0], which == 0 ? start : 1.0 - start, 1e-9, "place by %s", methods[k / 40]);
      trm_sim_free(sim);
    }
    typed_close(&m);
  }
}

/* What comes to the place of an event and is turned back there, or stops, has not crossed it;
 * rounding decided, in half of the runs. `rises` counts x passing upwards, of motion from above. */
static void what_is_turned_back_has_not_crossed(void **state) {
  (void)state;
  static const char rises[] = "    rise: {when: 3*x - 1.5, direction: rising, set: {k: k + 1}}\n";
  static const struct {
    const char *events;
    double      n, k;
  } scenes[] = {
    {"    turn: {when: x - 0.5, direction: falling, set: {n: n + 1, x': -x'}}\n", 1, 0},
    {"    turn: {when: x^2 - 0.25, set: {n: n + 1, x': -0.1*x'}}\n", 1, 0},
    {"    lift: {when: x - 0.5, direction: falling, set: {n: n + 1, x: 0.8, x': 1}}\n", 1, 0},
    /* it passes, by one reaction or two, and comes back */
    {"    note: {when: x - 0.5, direction: falling, set: {n: n + 1}}\n"
     "    back: {when: x - 0.25, direction: falling, set: {x': -x'}}\n", 1, 1},
    {"    turn: {when: x - 0.5, direction: falling, set: {n: n + 1, x': -x'}}\n"
     "    again: {when: n > 0.5, set: {x': -x'}}\n"
     "    back: {when: x - 0.25, direction: falling, set: {x': -x'}}\n", 1, 1},
    {"    drop: {when: x - 0.5, direction: falling, set: {n: n + 1, x: 0.3, x': 1}}\n", 1, 1},
    /* it stops, which repeated without end where rounding put it below, and moves on later; what
     * leaves zero to the other side fires again */
    {"    stop: {when: x/7 - 0.5/7, set: {n: n + 1, x': 0}}\n", 1, 0},
    {"    stop: {when: 3*x <= 1.5, set: {n: n + 1, x': 0}}\n", 1, 0},
    {"    stop: {when: x - 0.5, direction: falling, set: {n: n + 1, x': 0}}\n"
     "    go: {when: time > 0.8, set: {x': 1}}\n", 1, 0},
    {"    stop: {when: x - 0.5, direction: falling, set: {n: n + 1, x': 0}}\n"
     "    go: {when: time > 0.8, set: {x': -1}}\n", 2, 0}};
  const int n = all_methods();
  for (size_t w = 0; w < sizeof scenes / sizeof *scenes; w++) {
    char text[700];
    snprintf(text, sizeof text, "trammel: 1\nequations:\n"
             "  coordinates: {x: {value: 1, velocity: -1}}\n  mass: {x: 1}\n"
             "  discrete: {n: 0, k: 0}\n  events:\n%s%ssimulate: {end: 1}\n", rises,
             scenes[w].events);
    typed m = typed_text(text, "turned.yaml", NULL);
    for (int k = 0; k < 20 * n; k++) {
      m.options.start = -0.1 - 0.0346 * (k % 20);
      trm_sim *sim = typed_sim(&m, methods[k / 20], 1e-5);
      kit_run(sim);
      const trm_state *s = trm_sim_state(sim);
      CHECK_NEAR(s->z[0], scenes[w].n, 0.0, "scene %d by %s from %g s", (int)w, methods[k / 20],
                 m.options.start);
      CHECK_NEAR(s->z[1], scenes[w].k, 0.0, "scene %d by %s from %g s: passed upwards", (int)w,
                 methods[k / 20], m.options.start);
      trm_sim_free(sim);
    }
    typed_close(&m);
  }
}

/* The function of the second event is 1e11 times as large at the end of the step as at its start.
 * A billionth of that counted as zero: it happened at the place of the first, and again at its own,
 * without end. */
static void what_is_huge_later_is_not_zero_yet(void **state) {
  (void)state;
  static const char text[] =
    "trammel: 1\nequations:\n  coordinates: {x: {value: 0, velocity: 1}}\n  mass: {x: 1}\n"
    "  discrete: {n: 0, k: 0, T: 0}\n  events:\n    first: {when: x - 0.5, set: {n: n + 1}}\n"
    "    later: {when: \"x - 0.6 + 1e12*max(x - 0.61, 0)^2\", set: {k: k + 1, T: time}}\n"
    "simulate: {end: 1}\n";
  typed m = typed_text(text, "huge.yaml", NULL);
  for (int k = 0; k < all_methods(); k++) {
    trm_sim *sim = typed_sim(&m, methods[k], 1e-5);
    kit_run(sim);
    const double *z = trm_sim_state(sim)->z;
    CHECK_NEAR(z[0], 1.0, 0.0, "the first by %s", methods[k]);
    CHECK_NEAR(z[1], 1.0, 0.0, "the second by %s", methods[k]);
    CHECK_NEAR(z[2], 0.6, 1e-9, "its time by %s", methods[k]); /* a straight line: rounding */
    trm_sim_free(sim);
  }
  typed_close(&m);
}

/* A wheel of 24 teeth with a pendulum on it, from the edge of a tooth. The restart puts bodies onto
 * their joints once more: the same tooth was counted again, up to 500 in place of 331 by hht. The
 * first step has periods of two teeth. */
static void a_tooth_counts_once(void **state) {
  (void)state;
  static const char text[] =
    "trammel: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
    "  w: {mass: 5, inertia: [.5, .5, .5], at: [0, 0, 0], angular_velocity: [0, 30, 0]}\n"
    "  p: {mass: 1, inertia: [.01, .01, .01], at: [.3, 0, 0]}\njoints:\n"
    "  h: {type: revolute, bodies: [ground, w], at: [0, 0, 0], axis: [0, 1, 0]}\n"
    "  k: {type: revolute, bodies: [w, p], at: [.2, 0, 0], axis: [0, 1, 0]}\n"
    "equations:\n  discrete: {n: 0}\n"
    "  events: {tooth: {when: \"sin(24*h.angle) > 0\", set: {n: n + 1}}}\n"
    "outputs: {teeth: 24*h.angle/(2*pi)}\nsimulate: {end: 1}\n";
  typed m = typed_text(text, "wheel.yaml", NULL);
  for (int k = 0; k < all_methods(); k++) {
    for (int power = 4; power <= 7; power++) {
      trm_error err;
      double teeth;
      trm_sim *sim = typed_sim(&m, methods[k], pow(10.0, -power));
      kit_run(sim);
      CHECK_OK(trm_sim_output(sim, "teeth", &teeth, &err), err);
      CHECK_NEAR(trm_sim_state(sim)->z[0], floor(teeth) + 1.0, 0.0, "%s at 1e-%d, %g teeth",
                 methods[k], power, teeth);
      trm_sim_free(sim);
    }
  }
  typed_close(&m);
}

/* Up to three events at each of four places, of which one changes the speed. */
enum { EVENTS_MOST = 12, EVENT_PLACES = 4 };
static const double event_places[EVENT_PLACES] = {.2, .5, .7, .9};
typedef struct event_scene {
  int    count, place[EVENTS_MOST], direction[EVENTS_MOST]; /* -1 falling, 0 both, 1 rising */
  double factor[EVENTS_MOST];                               /* of the speed                 */
  double x, v;                                              /* at the start                 */
} event_scene;

static int pick(int n, uint64_t *seed) {
  const int k = (int)(.5 * (1.0 + kit_random(seed)) * n);
  return k < n ? k : n - 1;
}

static event_scene random_events(uint64_t *seed) {
  static const double factors[] = {1.0, -1.0, .7, -.8};
  event_scene o = {.x = .35 + .1 * pick(3, seed), .v = pick(2, seed) == 1 ? 1.3 : -1.3};
  for (int p = 0; p < EVENT_PLACES; p++) {
    const int n = 1 + pick(3, seed), acts = pick(n, seed);
    for (int k = 0; k < n; k++) {
      o.place[o.count] = p, o.direction[o.count] = pick(3, seed) - 1;
      o.factor[o.count++] = k == acts ? factors[pick(4, seed)] : 1.0;
    }
  }
  return o;
}

static void write_events(const event_scene *o, uint64_t *seed, char *text, size_t size) {
  static const char *const forms[] = {"x - %g", "3*x - 3*%g", "(x - %g)*(20 + x)", "x/7 - %g/7"};
  static const char *const directions[] = {"falling", "both", "rising"};
  size_t at = (size_t)snprintf(text, size, "trammel: 1\nequations:\n  coordinates: {x: {value: %g, "
                               "velocity: %g}}\n  mass: {x: 1}\n  discrete: {", o->x, o->v);
  for (int i = 0; i < o->count; i++) {
    at += (size_t)snprintf(text + at, size - at, "%sn%d: 0", i > 0 ? ", " : "", i);
  }
  at += (size_t)snprintf(text + at, size - at, "}\n  events:\n");
  for (int i = 0; i < o->count; i++) {
    char when[60], act[40] = "";
    snprintf(when, sizeof when, forms[pick(4, seed)], event_places[o->place[i]]);
    if (o->factor[i] != 1.0) snprintf(act, sizeof act, ", x': %g*x'", o->factor[i]);
    at += (size_t)snprintf(text + at, size - at,
                           "    e%d: {when: %s, direction: %s, set: {n%d: n%d + 1%s}}\n", i, when,
                           directions[o->direction[i] + 1], i, i, act);
  }
  snprintf(text + at, size - at, "simulate: {end: 2}\n");
}

/* How often they happen from `start` to 2 s, on straight lines; the place at the end. */
static double count_events(const event_scene *o, double start, int *n) {
  double x = o->x, v = o->v, t = start;
  for (int here = -1;;) {
    int next = -1;
    double span = 2.0 - t;
    for (int p = 0; p < EVENT_PLACES; p++) {
      const double to = (event_places[p] - x) / v;
      if (p != here && to > 0.0 && to < span) next = p, span = to;
    }
    if (next < 0) return x + v * (2.0 - t);
    const int side = v > 0.0 ? 1 : -1;
    t += span, x = event_places[next], here = next;
    for (int i = 0; i < o->count; i++) {
      if (o->place[i] != next || (o->direction[i] != 0 && o->direction[i] != side)) continue;
      n[i]++, v *= o->factor[i];
    }
  }
}

/* Whatever is at one place, in whatever writing. */
static void random_events_happen_as_on_paper(void **state) {
  (void)state;
  uint64_t seed = 4;
  const int n = all_methods();
  for (int w = 0; w < 120; w++) {
    const event_scene o = random_events(&seed);
    const double start = -.037 * (1 + pick(20, &seed));
    char text[3000];
    int counts[EVENTS_MOST] = {0};
    write_events(&o, &seed, text, sizeof text);
    const double end = count_events(&o, start, counts);
    typed m = typed_text(text, "events.yaml", NULL);
    m.options.start = start;
    for (int k = 0; k < n; k++) {
      trm_sim *sim = typed_sim(&m, methods[k], 1e-5);
      kit_run(sim);
      const trm_state *s = trm_sim_state(sim);
      for (int i = 0; i < o.count; i++) {
        CHECK_NEAR(s->z[i], counts[i], 0.0, "scene %d by %s: e%d\n%s", w, methods[k], i, text);
      }
      CHECK_NEAR(s->q[0], end, 1e-9, "scene %d by %s: place", w, methods[k]); /* rounding */
      trm_sim_free(sim);
    }
    typed_close(&m);
  }
}

/* A spring with a corner of its table exactly at its length, which two joints keep: the function of
 * the corner is rounding. Each of its signs was a crossing: up to 1400 evaluations a step. */
static void what_stays_on_a_corner_is_left_alone(void **state) {
  (void)state;
  const int n = all_methods();
  for (int c = 0; c < 8; c++) {
    const double P[3] = {sin(1 + c), sin(2 + 3 * c), sin(3 + 7 * c)}; /* anywhere */
    const double A[3] = {cos(5 * c), cos(1 + 2 * c), cos(2 + c)};
    const double x = P[0] + .1 - A[0], y = P[1] - A[1], z = P[2] - .2 - A[2];
    const double L = sqrt(x * x + y * y + z * z);
    char text[2000];
    snprintf(text, sizeof text, "trammel: 1\ngravity: [0, 0, -9.81]\n"
             "tables: {f: {x: [0, %.17g, %.17g], y: [-3, 0, 7], interpolation: linear}}\n"
             "bodies:\n"
             "  b: {mass: 2, inertia: [.02, .03, .04], at: [%.17g, %.17g, %.17g]}\n"
             "  c: {mass: 1, inertia: [.01, .01, .01], at: [%.17g, %.17g, %.17g]}\n"
             "  d: {mass: 2, inertia: [.02, .03, .04], at: [.3, 0, .1]}\njoints:\n"
             "  j: {type: constant_velocity, bodies: [ground, b], at: [%.17g, %.17g, %.17g],\n"
             "      axis: [.28, -.83, .46], axis2: [.016, -.51, .86]}\n"
             "  k: {type: spherical, bodies: [b, c], at: [%.17g, %.17g, %.17g]}\n"
             "  l: {type: point_on_line, bodies: [ground, c], at: [%.17g, %.17g, %.17g],\n"
             "      axis: [.0955, .77, .63]}\n"
             "  p: {type: spherical, bodies: [ground, d], at: [0, 0, 0]}\n"
             "forces: {s: {type: spring, bodies: [ground, b], value: f(s.length),\n"
             "  points: [[%.17g, %.17g, %.17g], [%.17g, %.17g, %.17g]]}}\nsimulate: {end: 1}\n",
             L, 2 * L, P[0] + .3, P[1], P[2] + .1, P[0] + .5, P[1] + .2, P[2], P[0], P[1], P[2],
             P[0] + .5, P[1] + .2, P[2], P[0] + .5, P[1] + .2, P[2], A[0], A[1], A[2], P[0] + .1,
             P[1], P[2] - .2);
    typed m = typed_text(text, "corner.yaml", NULL);
    for (int k = 0; k < n; k++) {
      trm_sim *sim = typed_sim(&m, methods[k], 1e-6);
      kit_run(sim);
      const trm_counters *counters = trm_sim_counters(sim);
      const double each = (double)counters->residuals / (double)counters->steps;
      if (each > 40.0) fail_msg("%s, place %d: %g evaluations a step", methods[k], c, each);
      trm_sim_free(sim);
    }
    typed_close(&m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(events_at_one_place_happen_together),
      cmocka_unit_test(what_is_turned_back_has_not_crossed),
      cmocka_unit_test(what_is_huge_later_is_not_zero_yet),
      cmocka_unit_test(a_tooth_counts_once),
      cmocka_unit_test(random_events_happen_as_on_paper),
      cmocka_unit_test(what_stays_on_a_corner_is_left_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
