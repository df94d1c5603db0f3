/* test_forces_between.c - forces between bodies: beams and bushings in space, momentum, energy,
 * frames and mistakes. */
#include "verify/forces.h"

static const double two_bodies[2][4] = {{1.3, .3, .5, .6}, {.8, .2, .3, .4}}; /* their inertia */

/* ---- beam ---------------------------------------------------------------------------------- */

#define CANTILEVER(force)                                                               \
  "trammel: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1], at: [3, 0, 0]}}\n"              \
  "forces: {s: {type: beam, bodies: [ground, b], points: [[1, 0, 0], [3, 0, 0]],\n"      \
  "             orientation: {x: [1, 0, 0], y: [0, 1, 0]},\n"                            \
  "             E: 2e3, G: 8e2, area: .5, Iy: .03, Iz: .02, J: .04, shear_y: .8,\n"      \
  "             shear_z: .9},\n"                                                         \
  "         load: {type: force, marker: b, " force "}}\n"

/* The tip goes where beam theory says: P L^3/(3 E I) + P L/(G A s), turned by P L^2/(2 E I). */
static void a_cantilever_bends_as_beam_theory_says(void **state) {
  (void)state;
  const double L = 2.0, E = 2e3, G = 8e2, A = .5, P = 1e-6;
  const struct { const char *load; double e[6]; } cases[] = {
    {"force: [1e-6, 0, 0]", {P * L / (E * A)}},
    {"force: [0, 1e-6, 0]", {0, P * L * L * L / (3 * E * .02) + P * L / (G * A * .8), 0, 0, 0,
                             P * L * L / (2 * E * .02)}},
    {"force: [0, 0, 1e-6]", {0, 0, P * L * L * L / (3 * E * .03) + P * L / (G * A * .9), 0,
                             -P * L * L / (2 * E * .03), 0}},
    {"torque: [1e-6, 0, 0]", {0, 0, 0, P * L / (G * .04), 0, 0}},
    {"torque: [0, 1e-6, 0]", {0, 0, -P * L * L / (2 * E * .03), 0, P * L / (E * .03), 0}},
    {"torque: [0, 0, 1e-6]", {0, P * L * L / (2 * E * .02), 0, 0, 0, P * L / (E * .02)}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[1000];
    snprintf(text, sizeof text, CANTILEVER("%s"), cases[i].load);
    typed m = typed_text(text, "beam", NULL);
    point p;
    double motion[6];
    mechanics_start(&m, &p);
    trm_system_retract(m.system, p.s.q, cases[i].e, p.s.q);
    mechanics_motion(&m, &p, motion);
    for (int k = 0; k < 6; k++) { /* terms of second order: stiffness 500 times (1e-7)^2 */
      CHECK_NEAR(motion[k] / P, 0.0, 1e-4, "%s: row %d", cases[i].load, k);
    }
    typed_close(&m);
  }
}

/* `orientation` of a force between bodies is that of markers which have it, here at the start in
 * axes of the ground. */
static void a_bushing_between_bodies_has_its_orientation(void **state) {
  (void)state;
#define ON_TWO(ends)                                                                          \
  "trammel: 1\n"                                                                              \
  "bodies:\n"                                                                                 \
  "  a: {mass: 1, inertia: [.3, .5, .6], velocity: [.1, 0, .2],\n"                            \
  "      markers: {m: {at: [.5, .1, 0], orientation: {vector: [.3, .1, -.3]}}}}\n"            \
  "  b: {mass: 2, inertia: [.2, .3, .4], at: [1, 0, 0], angular_velocity: [.2, .1, -.3],\n"   \
  "      markers: {m: {at: [-.5, .1, 0], orientation: {vector: [.3, .1, -.3]}}}}\n"           \
  "forces: {s: {type: bushing, stiffness: [9, 8, 7, 3, 2, 1], " ends "}}\n"
  mechanics by_markers = mechanics_run(ON_TWO("markers: [a.m, b.m]"), 1.0);
  mechanics by_bodies = mechanics_run(
      ON_TWO("bodies: [a, b], at: [.5, .1, 0], orientation: {vector: [.3, .1, -.3]}"), 1.0);
  for (int k = 0; k < 14; k++) { /* rounding of the markers */
    CHECK_NEAR(by_bodies.end->s.q[k], by_markers.end->s.q[k], 1e-12, "q%d", k);
  }
  mechanics_close(&by_markers);
  mechanics_close(&by_bodies);
}

/* EI = 3, L = 2 in the plane x-y and x-z, EA = 8, GJ = 2: typed as 12x12. */
static void a_beam_of_twelve_by_twelve_is_the_same(void **state) {
  (void)state;
#define BEAM(law) TWO_BODIES "forces: {s: {type: beam, markers: [a.m, b.m], length: 2, " law "}}\n"
  mechanics section = mechanics_run(
      BEAM("E: 1, G: 1, area: 4, Iy: 3, Iz: 3, J: 1, shear_y: 1e12, shear_z: 1e12, damping: .1"),
      1.0);
  mechanics matrix = mechanics_run(
      BEAM("damping: .1, stiffness:\n"
           "   [[2,0,0,0,0,0, -2,0,0,0,0,0],       [0,4.5,0,0,0,4.5, 0,-4.5,0,0,0,4.5],\n"
           "    [0,0,4.5,0,-4.5,0, 0,0,-4.5,0,-4.5,0], [0,0,0,.5,0,0, 0,0,0,-.5,0,0],\n"
           "    [0,0,-4.5,0,6,0, 0,0,4.5,0,3,0],   [0,4.5,0,0,0,6, 0,-4.5,0,0,0,3],\n"
           "    [-2,0,0,0,0,0, 2,0,0,0,0,0],       [0,-4.5,0,0,0,-4.5, 0,4.5,0,0,0,-4.5],\n"
           "    [0,0,-4.5,0,4.5,0, 0,0,4.5,0,4.5,0], [0,0,0,-.5,0,0, 0,0,0,.5,0,0],\n"
           "    [0,0,-4.5,0,3,0, 0,0,4.5,0,6,0],   [0,4.5,0,0,0,3, 0,-4.5,0,0,0,6]]"),
      1.0);
  for (int k = 0; k < 14; k++) { /* a shear of 1e-12 */
    CHECK_NEAR(matrix.end->s.q[k], section.end->s.q[k], 1e-10, "q%d", k);
  }
  mechanics_close(&section);
  mechanics_close(&matrix);
}

/* ---- what every force keeps ---------------------------------------------------------------- */

typedef struct pair_case {
  const char *force;
  bool        keeps_energy;
} pair_case;

static const pair_case pairs[] = {
  {"type: spring, markers: [a.m, b.m], stiffness: 9, length: .3, preload: .5", true},
  {"type: spring, markers: [a.m, b.m], stiffness: 9, damping: 2, value: sin(time)", false},
  {"type: torsion, markers: [a.m, b.m], stiffness: 2, preload: .3", true},
  {"type: torsion, markers: [a.m, b.m], damping: .4, value: .3*sin(time)", false},
  {"type: bushing, markers: [a.m, b.m], stiffness: [9, 8, 7, 3, 2, 1]", true},
  {"type: bushing, markers: [a.m, b.m], damping: " FULL, false},
  {"type: bushing, markers: [a.m, b.m], stiffness: " FULL ", preload: [1, 2, 1, .1, .2, .3]",
   false},
  {"type: bushing, markers: [a.m, b.m], preload: [1, -1, .5, .2, .3, .4], stiffness:\n"
   "  [[9, 1, 0, 0, .2, 0], [1, 8, 0, .5, 0, 0], [0, 0, 7, 0, 0, .1],\n"
   "   [0, .5, 0, 3, 0, 0], [.2, 0, 0, 0, 2, 0], [0, 0, .1, 0, 0, 1]]", true},
  {"type: beam, markers: [a.m, b.m], E: 20, G: 8, area: .5, Iy: .2, Iz: .1, J: .3", true},
  {"type: general, markers: [a.m, b.m], force: [1, b.vx, -2], torque: [.3, .2, time]", false},
  {"type: force, markers: [a.m, b.m], frame: b, force: [1, b.vx, -2]", false},
  {"type: torque, bodies: [a, b], at: [0, 0, 0], torque: [1, b.vx, -2]", false},
};

static void forces_between_two_bodies_keep_momentum_and_energy(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    char text[2500];
    momenta before, after;
    snprintf(text, sizeof text, TWO_BODIES "forces: {s: {%s}}\n", pairs[i].force);
    mechanics m = mechanics_run(text, 2.0);
    point start;
    mechanics_start(&m.model, &start);
    momenta_of(&m.model, &start, two_bodies, 2, &before);
    momenta_of(&m.model, m.end, two_bodies, 2, &after);
    for (int k = 0; k < 3; k++) { /* tolerance 1e-12 over some hundred steps */
      CHECK_NEAR(after.linear[k], before.linear[k], 1e-10, "%.30s: momentum %d", pairs[i].force, k);
      CHECK_NEAR(after.angular[k], before.angular[k], 1e-9, "%.30s: angular momentum %d",
                 pairs[i].force, k);
    }
    const double change = fabs(after.energy - before.energy);
    if (pairs[i].keeps_energy) CHECK_NEAR(change, 0.0, 1e-9, "%.30s: energy", pairs[i].force);
    else assert_true(change > 1e-4);
    mechanics_close(&m);
  }
}

/* Long and stiff: the energy of the implicit method. */
static void a_bushing_keeps_its_energy_in_radau(void **state) {
  (void)state;
  typed m = typed_text(TWO_BODIES
                       "forces: {s: {type: bushing, bodies: [a, b], at: [.5, .3, 0],\n"
                       "  stiffness: [900, 800, 700, 30, 20, 10]}}\n", "b", NULL);
  trm_options o = trm_options_default();
  o.integrator = "radau";
  o.tolerance = 1e-12;
  o.end = 3.0;
  trm_sim *sim = kit_sim(m.system, &o);
  point p;
  momenta before, after;
  mechanics_start(&m, &p);
  momenta_of(&m, &p, two_bodies, 2, &before);
  kit_run(sim);
  point_clear(&p);
  trmi_state_copy(m.system, trm_sim_state(sim), &p.s);
  momenta_of(&m, &p, two_bodies, 2, &after);
  CHECK_NEAR(after.energy, before.energy, 1e-8 * before.energy, "energy"); /* 100 periods */
  trm_sim_free(sim);
  typed_close(&m);
}

/* ---- forces from expressions --------------------------------------------------------------- */

/* Between two bodies, or as two forces whose arms are written out by hand. */
static void a_reaction_acts_at_the_same_point(void **state) {
  (void)state;
#define FX "3*time"
#define FY "(2 - time^2)"
  mechanics one = mechanics_run(TWO_BODIES
                                "forces: {s: {type: general, markers: [a, b.m], force: [" FX ", " FY
                                ", 1], torque: [.1, 0, .2]}}\n", 1.0);
  mechanics two = mechanics_run(
      TWO_BODIES
      "forces:\n"
      "  on_b: {type: force, marker: b.m, force: [" FX ", " FY ", 1], torque: [.1, 0, .2]}\n"
      "  on_a: {type: force, body: a, force: [-" FX ", -" FY ", -1], torque:\n"
      "         ['-.1 - (b.m.y - a.y) + (b.m.z - a.z)*" FY "',\n"
      "          '-(b.m.z - a.z)*" FX " + (b.m.x - a.x)',\n"
      "          '-.2 - (b.m.x - a.x)*" FY " + (b.m.y - a.y)*" FX "']}\n", 1.0);
  for (int k = 0; k < 14; k++) CHECK_NEAR(one.end->s.q[k], two.end->s.q[k], 1e-10, "q%d", k);
  mechanics_close(&one);
  mechanics_close(&two);
}

/* A follower force keeps its direction in the body, a dead one in the ground. */
static void a_frame_decides_where_a_force_points(void **state) {
  (void)state;
#define SPUN(frame)                                                                       \
  "trammel: 1\nbodies: {b: {mass: 2, inertia: [1, 1, 1], angular_velocity: [0, 0, 3]}}\n" \
  "forces: {f: {type: force, body: b, at: [0, 0, 0], " frame "force: [4, 0, 0]}}\n"
  mechanics dead = mechanics_run(SPUN(""), 1.0), follower = mechanics_run(SPUN("frame: b, "), 1.0);
  CHECK_NEAR(dead.end->s.q[0], 1.0, 1e-10, "dead"); /* tolerance 1e-12 */
  CHECK_NEAR(follower.end->s.q[0], 2.0 * (1 - cos(3.0)) / 9.0, 1e-10, "follower, x");
  CHECK_NEAR(follower.end->s.q[1], 2.0 * (1.0 / 3.0 - sin(3.0) / 9.0), 1e-10, "follower, y");
  mechanics_close(&dead);
  mechanics_close(&follower);
}

/* A condition in the law of a force, met first through an event that names the force. */
static void events_keep_their_names_beside_conditions_of_a_law(void **state) {
  (void)state;
  static const char *const names[] = {"condition1", "weak", "tick"};
  mechanics m = mechanics_run(
      "trammel: 1\nbodies: {p: {type: point, mass: 1, at: [2, 0, 0]}}\n"
      "forces: {s: {type: spring, markers: [ground, p],\n"
      "             value: 'if(s.length > 1.5, -3*(s.length - 1), -s.length)'}}\n"
      "equations:\n"
      "  discrete: {n: 0}\n"
      "  events: {weak: {when: s.force + 2, set: {n: n + 1}},\n"
      "           tick: {every: .3, set: {n: n + 10}}}\n"
      "outputs: {n: n}\n", .7);
  for (int i = 0; i < 3; i++) {
    trm_label label;
    trm_system_label(m.model.system, TRM_EVENT, i, &label);
    assert_string_equal(label.name, names[i]);
  }
  CHECK_NEAR(m.outputs[0], 21.0, 0.0, "both have happened: two ticks, once weak");
  mechanics_close(&m);
}

/* ---- complaints ---------------------------------------------------------------------------- */

static void mistakes_are_named(void **state) {
  (void)state;
  static const struct { const char *force, *sentence; } cases[] = {
    {"type: spring, markers: [a, a], stiffness: 1", "both ends are on the same body"},
    {"type: spring, markers: [a.m, b.n], stiffness: 1", "no body or marker 'b.n'"},
    {"type: spring, bodies: [a, b], stiffness: 1", "two 'points' are needed"},
    {"type: spring, bodies: [a, b], points: [[0,0,1],[0,0,1]], stiffness: 1", "at the same place"},
    {"type: spring, markers: [a, b]", "it needs a law"},
    {"type: spring, markers: [a, b], stiffness: [1, 2, 3, 4, 5, 6]",
     "stiffness must be a number, not a list"},
    {"type: spring, markers: [a, b], value: 2*s.force", "needs the force itself"},
    {"type: spring, markers: [a, b], value: 2*s.lenght", "force 's' has no 'lenght'"},
    {"type: spring, markers: [a, b], angle: 2, stiffness: 1", "which has no 'angle'"},
    {"type: torsion, markers: [a, p], stiffness: 1", "is a point, which cannot turn"},
    {"type: torsion, bodies: [a, b], at: [0, 0, 0], axis: [0, 0, 0], stiffness: 1", "axis is zero"},
    {"type: force, marker: ground, force: [1, 0, 0]", "acts on the ground"},
    {"type: force, force: [1, 0, 0]", "it needs a 'marker' or 'body'"},
    {"type: force, marker: a.m", "it needs a 'force' or a 'torque'"},
    {"type: force, marker: a.m, at: [0, 0, 0], force: [1, 0, 0]", "place of its own"},
    {"type: force, marker: p, torque: [1, 0, 0]", "a torque acts on a point"},
    {"type: force, marker: a, frame: c, force: [1, 0, 0]", "no body or marker 'c'"},
    {"type: general, markers: [a, b], force: [1, 0]", "must have 3 expressions, not 2"},
    {"type: bushing, markers: [a, b]", "it needs stiffness, damping or preload"},
    {"type: bushing, markers: [a, b], stiffness: [7, 7, 7]",
     "stiffness must have 2 or 6 numbers, not 3"},
    {"type: beam, markers: [a, b], E: 2e11", "it needs E, G and a section, or E, G, area"},
    {"type: beam, markers: [a, b], length: 0, E: 1, G: 1, area: 1, Iy: 1, Iz: 1, J: 1",
     "its length is zero"},
    {"type: joint, value: 1", "it needs a 'joint'"},
    {"type: joint, joint: pin, value: 1", "no joint 'pin'"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[2500];
    snprintf(text, sizeof text, TWO_BODIES "  p: {type: point, mass: 1}\nforces: {s: {%s}}\n",
             cases[i].force);
    mechanics_complaint(text, 10, cases[i].sentence);
  }
}

/* Two laws that wait for each other. */
static void laws_in_a_circle_are_refused(void **state) {
  (void)state;
  mechanics_complaint(TWO_BODIES "forces: {s: {type: spring, markers: [a, b], value: t.force},\n"
                                 "         t: {type: spring, markers: [a, b], value: s.force}}\n",
                      10, "needs the force itself");
}

/* Ends that meet: one sentence with the line of the spring. */
static void a_line_that_loses_its_direction_is_named(void **state) {
  (void)state;
  typed m = typed_text("trammel: 1\nbodies: {p: {type: point, mass: 1, at: [1, 0, 0]}}\n"
                       "forces:\n  s: {type: spring, markers: [ground, p], stiffness: 1, "
                       "length: .5}\n", "meet", NULL);
  point p;
  double motion[3];
  trm_error err = {.message = ""};
  const trm_values values = {.motion = motion};
  mechanics_start(&m, &p);
  p.s.q[0] = 0.0;
  CHECK_STATUS(trm_system_values(m.system, &p.s, &values, &err), TRM_RETRY_DOMAIN);
  if (strstr(err.message, "meet:4") == NULL) fail_msg("%s", err.message);
  typed_close(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_cantilever_bends_as_beam_theory_says),
    cmocka_unit_test(a_bushing_between_bodies_has_its_orientation),
    cmocka_unit_test(a_beam_of_twelve_by_twelve_is_the_same),
    cmocka_unit_test(forces_between_two_bodies_keep_momentum_and_energy),
    cmocka_unit_test(a_bushing_keeps_its_energy_in_radau),
    cmocka_unit_test(a_reaction_acts_at_the_same_point),
    cmocka_unit_test(a_frame_decides_where_a_force_points),
    cmocka_unit_test(events_keep_their_names_beside_conditions_of_a_law),
    cmocka_unit_test(mistakes_are_named),
    cmocka_unit_test(laws_in_a_circle_are_refused),
    cmocka_unit_test(a_line_that_loses_its_direction_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
