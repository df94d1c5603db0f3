/* test_forces.c - forces of mechanisms against closed forms, against each other, and against what
 * every force between two bodies keeps. */
#include "verify/mechanics.h"

#define POINT_ON "trammel: 1\nbodies: {p: {type: point, mass: 2, at: [.3, .4, 1.2]}}\n"

/* ---- springs ------------------------------------------------------------------------------- */

/* Along its line a mass on a spring is an oscillator: l = l0 + A cos(w t). */
static void a_spring_has_its_frequency_in_any_direction(void **state) {
  (void)state;
  const double w = sqrt(50.0 / 2.0), t = 1.7, l = 1.0 + 0.3 * cos(w * t); /* |at| = 1.3 */
  mechanics m = mechanics_run(POINT_ON
                              "forces: {s: {type: spring, markers: [ground, p], stiffness: 50,\n"
                              "             length: 1}}\n"
                              "outputs: {l: s.length, r: s.rate, f: s.force}\n", t);
  const double direction[3] = {.3 / 1.3, .4 / 1.3, 1.2 / 1.3};
  for (int k = 0; k < 3; k++) { /* tolerance 1e-12, some hundred steps */
    CHECK_NEAR(m.end->s.q[k], l * direction[k], 1e-9, "position %d", k);
  }
  CHECK_NEAR(m.outputs[0], l, 1e-9, "length");
  CHECK_NEAR(m.outputs[1], -0.3 * w * sin(w * t), 1e-8, "rate");
  CHECK_NEAR(m.outputs[2], -50.0 * (l - 1.0), 1e-7, "force: a stretched spring pulls");
  mechanics_close(&m);
}

/* length: 0 and nothing else is k d: an oscillator that may start at the place of the other end. */
static void a_spring_without_length_passes_zero(void **state) {
  (void)state;
  const double w = 5.0, t = 1.7;
  mechanics m = mechanics_run("trammel: 1\n"
                              "bodies: {p: {type: point, mass: 2, velocity: [.3, .4, 1.2]}}\n"
                              "forces: {s: {type: spring, markers: [ground, p], stiffness: 50, "
                              "length: 0}}\n", t);
  CHECK_NEAR(m.end->s.q[0], .3 / w * sin(w * t), 1e-9, "x"); /* tolerance 1e-12 */
  CHECK_NEAR(m.end->s.q[2], 1.2 / w * sin(w * t), 1e-9, "z");
  mechanics_close(&m);
}

/* Points of bodies, default length, damping and preload: l'' = -k/m (l - l0) - c/m l' + p/m. */
static void points_damping_and_preload_follow_the_linear_law(void **state) {
  (void)state;
  const double k = 50.0, c = 4.0, p = 3.0, mass = 2.0, t = 0.9;
  const double d = c / (2 * mass), w = sqrt(k / mass - d * d), shift = p / k;
  const double l = 1.0 + shift - shift * exp(-d * t) * (cos(w * t) + d / w * sin(w * t));
  mechanics m = mechanics_run(
      "trammel: 1\nbodies: {b: {mass: 2, inertia: [1, 1, 1], at: [0, 0, 1]}}\n"
      "forces: {s: {type: spring, bodies: [ground, b], points: [[0, 0, 0], [0, 0, 1]],\n"
      "             stiffness: 50, damping: 4, preload: 3}}\noutputs: {l: s.length}\n", t);
  CHECK_NEAR(m.outputs[0], l, 1e-9, "length"); /* tolerance 1e-12 */
  mechanics_close(&m);
}

#define TWO_BODIES                                                                     \
  "trammel: 1\n"                                                                       \
  "bodies:\n"                                                                          \
  "  a: {mass: 1.3, inertia: [.3, .5, .6], at: [.1, .2, -.3], velocity: [.1, 0, .2],\n" \
  "      orientation: {vector: [.3, -.5, .7]}, angular_velocity: [.2, -.4, .3],\n"     \
  "      markers: {m: {at: [.3, .1, -.2], orientation: {vector: [.3, .1, -.3]}}}}\n"   \
  "  b: {mass: .8, inertia: [.2, .3, .4], at: [1, .3, .4], velocity: [-.2, .1, 0],\n"  \
  "      orientation: {vector: [-.2, .4, .1]}, angular_velocity: [.5, .2, -.6],\n"     \
  "      markers: {m: {at: [-.2, .3, .1], orientation: {vector: [.2, -.4, .4]}}}}\n"

static const double two_bodies[2][4] = {{1.3, .3, .5, .6}, {.8, .2, .3, .4}}; /* their inertia */

#define SAME_SPRING(law) TWO_BODIES "forces: {s: {type: spring, markers: [a.m, b.m], " law "}}\n"

/* The linear law, by keys, as an expression, through a table. */
static void a_law_is_the_same_as_keys_expression_and_table(void **state) {
  (void)state;
  static const char *const same[] = {
    SAME_SPRING("length: .4, value: -13*(s.length - .4) - 3*s.rate"),
    SAME_SPRING("length: .4, damping: 3, value: '-AKISPL(s.length, 0, k)'")
        "tables: {k: {x: [0, .2, .4, .8, 1.6, 5], y: [-5.2, -2.6, 0, 5.2, 15.6, 59.8]}}\n",
    SAME_SPRING("length: .4, value: -law - 3*s.length'")
        "equations: {variables: {law: 13*(s.length - .4)}}\n",
  };
  mechanics keys = mechanics_run(SAME_SPRING("stiffness: 13, damping: 3, length: .4"), 2.0);
  for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
    mechanics other = mechanics_run(same[i], 2.0);
    for (int k = 0; k < 14; k++) { /* tolerance 1e-12, some hundred steps */
      CHECK_NEAR(other.end->s.q[k], keys.end->s.q[k], 1e-9, "law %zu, q%d", i, k);
    }
    mechanics_close(&other);
  }
  mechanics_close(&keys);
}

/* ---- torsion ------------------------------------------------------------------------------- */

#define WHEEL(force)                                                                       \
  "trammel: 1\n"                                                                           \
  "bodies: {wheel: {mass: 1, inertia: [.1, .1, .2], angular_velocity: [0, 0, 40]}}\n"      \
  "joints: {pin: {type: revolute, bodies: [ground, wheel], at: [0, 0, 0], axis: [0, 0, 1]}}\n" \
  "forces: {s: {" force "}}\n"

/* w = 2, amplitude 20 rad: more than three turns to each side. */
static void a_torsion_spring_counts_full_turns(void **state) {
  (void)state;
  static const char *const same[] = {
    WHEEL("type: torsion, markers: [ground, wheel], stiffness: .8") "outputs: {angle: s.angle}\n",
    WHEEL("type: torsion, bodies: [ground, wheel], at: [0, 0, 0], axis: [0, 0, 1],\n"
          "value: -.8*s.angle") "outputs: {angle: s.angle, t: s.torque}\n",
    WHEEL("type: joint, joint: pin, stiffness: .8") "outputs: {angle: pin.angle, t: s.torque}\n",
    WHEEL("type: joint, joint: pin, value: -.8*pin.angle") "outputs: {angle: pin.angle}\n",
  };
  const double t = 2.9;
  for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
    mechanics m = mechanics_run(same[i], t);
    CHECK_NEAR(m.outputs[0], 20.0 * sin(2.0 * t), 1e-8, "law %zu", i); /* 1e-12 of 20, 500 steps */
    mechanics_close(&m);
  }
}

/* Without `angle` the spring is free at the start, wherever that is. */
static void a_torsion_spring_rests_as_it_starts(void **state) {
  (void)state;
  typed m = typed_text("trammel: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1],\n"
                       "                         orientation: {vector: [0, 0, 1.3]}}}\n"
                       "forces: {s: {type: torsion, markers: [ground, b], stiffness: 5}}\n"
                       "outputs: {a: s.angle, t: s.torque}\n", "test", NULL);
  point p;
  double out[2];
  mechanics_start(&m, &p);
  mechanics_outputs(&m, &p, out);
  CHECK_NEAR(out[0], 1.3, 1e-14, "angle"); /* rounding */
  CHECK_NEAR(out[1], 0.0, 1e-14, "torque");
  typed_close(&m);
}

/* ---- bushing ------------------------------------------------------------------------------- */

#define HELD(force) \
  "trammel: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\nforces: {s: {" force "}}\n"
#define FULL                                                                            \
  "[[9, 1, 0, 0, .2, 0], [0, 8, 0, .5, 0, 0], [0, 2, 7, 0, 0, .1],\n"                   \
  " [.1, 0, .3, 3, 0, 0], [0, 0, 0, -.4, 2, 0], [0, .6, 0, 0, 0, 1]]"

static const double full[36] = {9, 1, 0, 0, .2, 0,  0, 8, 0, .5, 0, 0,  0, 2, 7, 0, 0, .1,
                                .1, 0, .3, 3, 0, 0, 0, 0, 0, -.4, 2, 0, 0, .6, 0, 0, 0, 1};

/* A body at a small deformation: what acts on it is -K e, on its velocity -C e'. */
static void forces_of_a_bushing_are_those_of_its_matrices(void **state) {
  (void)state;
  static const char *const texts[2] = {
    HELD("type: bushing, markers: [ground, b], stiffness: " FULL),
    HELD("type: bushing, markers: [ground, b], damping: " FULL)};
  const double small = 1e-7;
  for (int what = 0; what < 2; what++) {
    typed m = typed_text(texts[what], "bushing", NULL);
    for (int j = 0; j < 6; j++) {
      point p;
      double motion[6], e[6] = {0};
      mechanics_start(&m, &p);
      e[j] = small;
      if (what == 0) trm_system_retract(m.system, p.s.q, e, p.s.q);
      else p.s.v[j] = small;
      mechanics_motion(&m, &p, motion);
      for (int i = 0; i < 6; i++) { /* terms of second order are 1e-7 of those of first */
        CHECK_NEAR(motion[i] / small, full[6 * i + j], 1e-5, "matrix %d (%d, %d)", what, i, j);
      }
    }
    typed_close(&m);
  }
}

/* A load and where it holds: translations are linear at any size, rotations about one axis too. */
static void a_load_has_its_deflection(void **state) {
  (void)state;
  typed m = typed_text(
      "trammel: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1], at: [.3, -.2, .5],\n"
      "                         orientation: {vector: [0, 1.2, 0]}}}\n"
      "forces:\n"
      "  s: {type: bushing, markers: [ground, b], stiffness: [10, 20, 30, 4, 5, 6],\n"
      "      preload: [1, 0, 0, 0, 2, 0]}\n"
      "  load: {type: force, marker: b, force: [2, -4, 15], torque: [0, 4, 0]}\n"
      "outputs: {x: s.x, ry: s.ry, fx: s.force.x, fz: s.B.force.z, ty: s.torque.y}\n",
      "bushing", NULL);
  point p;
  double motion[6], out[5];
  mechanics_start(&m, &p);
  mechanics_motion(&m, &p, motion);
  for (int i = 0; i < 6; i++) CHECK_NEAR(motion[i], 0.0, 1e-13, "row %d", i); /* rounding */
  mechanics_outputs(&m, &p, out);
  CHECK_NEAR(out[0], .3, 1e-14, "deformation");
  CHECK_NEAR(out[1], 1.2, 1e-14, "rotation");
  CHECK_NEAR(out[2], -2.0, 1e-13, "force on B");
  CHECK_NEAR(out[3], -2.0 * sin(1.2) - 15.0 * cos(1.2), 1e-13, "force in the axes of B");
  CHECK_NEAR(out[4], -4.0, 1e-13, "torque on B");
  typed_close(&m);
}

/* The torque about a fixed axis is linear, on both sides of the border between series and closed
 * form, and up to half a turn. */
static void rotations_are_linear_about_one_axis(void **state) {
  (void)state;
  static const double angles[] = {1e-9, 1e-3, .0999, .1001, .4999, .5001, 1.5, 1.58, 3.1, -2.0};
  typed m = typed_text(HELD("type: bushing, markers: [ground, b], stiffness: [1, 1, 1, 7, 8, 9]"),
                       "bushing", NULL);
  for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
    point p;
    double motion[6];
    const double e[6] = {0, 0, 0, 0, 0, angles[i]};
    mechanics_start(&m, &p);
    trm_system_retract(m.system, p.s.q, e, p.s.q);
    mechanics_motion(&m, &p, motion);
    /* rounding, divided by sin(3.1) = 0.04 near half a turn */
    CHECK_NEAR(motion[5], 9.0 * angles[i], 1e-12, "torque at %g", angles[i]);
    CHECK_NEAR(motion[3], 0.0, 1e-13, "across at %g", angles[i]);
  }
  typed_close(&m);
}

/* What acts comes from a potential or from the law itself; what is shown always from the law. The
 * two must agree for rotations about any axis, in the series and in the closed forms. */
static void loads_that_are_shown_are_those_that_act(void **state) {
  (void)state;
#define SHOWN                                                                             \
  "\noutputs: {fx: s.force.x, fy: s.force.y, fz: s.force.z,\n"                            \
  "          tx: s.B.torque.x, ty: s.B.torque.y, tz: s.B.torque.z}\n"
#define COUPLED "[[9, 1, 0, 0, .2, 0], [1, 8, 0, .5, 0, 0], [0, 0, 7, 0, 0, .1],\n"        \
                " [0, .5, 0, 3, 0, 0], [.2, 0, 0, 0, 2, 0], [0, 0, .1, 0, 0, %s]]"
  static const char *const texts[] = {
    HELD("type: bushing, markers: [ground, b], preload: [1, 2, 3, .4, .5, .6],\n"
         "stiffness: " COUPLED) SHOWN,
    HELD("type: bushing, markers: [ground, b], damping: " COUPLED) SHOWN,
    HELD("type: beam, markers: [ground, b], E: 1, G: 1, area: 2, Iy: 3, Iz: %s, J: .5,\n"
         "length: .3, damping: .2") SHOWN,
  };
  static const double turns[] = {.05, .3, .7, 2.2};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    char text[1200];
    snprintf(text, sizeof text, texts[i], "1");
    typed m = typed_text(text, "test", NULL);
    for (int k = 0; k < 4; k++) {
      const double e[6] = {.3, -.2, .1, .6 * turns[k], -.48 * turns[k], .64 * turns[k]};
      point p;
      double motion[6], shown[6];
      mechanics_start(&m, &p);
      trm_system_retract(m.system, p.s.q, e, p.s.q);
      for (int j = 0; j < 6; j++) p.s.v[j] = .3 * j - .7;
      mechanics_motion(&m, &p, motion);
      mechanics_outputs(&m, &p, shown);
      for (int j = 0; j < 6; j++) { /* rounding */
        CHECK_NEAR(shown[j], -motion[j], 1e-12, "text %zu, turn %g, load %d", i, turns[k], j);
      }
    }
    typed_close(&m);
  }
}

/* Both ends turn: at rest of the accelerations the motion of b is w x J w minus the load on it. */
static void loads_between_turning_bodies_are_those_that_act(void **state) {
  (void)state;
  typed m = typed_text(TWO_BODIES
                       "forces: {s: {type: bushing, markers: [a.m, b.m],\n"
                       "             stiffness: [9, 8, 7, 3, 2, 1],\n"
                       "             damping: [.9, .8, .7, .3, .2, .1]}}\n"
                       "outputs: {x: s.force.x, y: s.force.y, z: s.force.z,\n"
                       "          tx: s.torque.x, ty: s.torque.y, tz: s.torque.z}\n", "test", NULL);
  point p;
  double motion[12], shown[6], R[9];
  mechanics_start(&m, &p);
  mechanics_motion(&m, &p, motion);
  mechanics_outputs(&m, &p, shown);
  trmi_quat_matrix(p.s.q + 10, R);
  const trmi_vec3 w = v3_load(p.s.v + 9), force = v3_load(shown), torque = v3_load(shown + 3);
  const trmi_vec3 spin = v3_cross(w, v3_times(v3(.2, .3, .4), w));
  const trmi_vec3 arm = m3_mul(R, v3(-.2, .3, .1));
  double expected[6];
  v3_store(expected, v3_neg(force));
  v3_store(expected + 3, v3_sub(spin, m3_tmul(R, v3_add(torque, v3_cross(arm, force)))));
  for (int k = 0; k < 6; k++) { /* rounding */
    CHECK_NEAR(motion[6 + k], expected[k], 1e-13, "row %d", k);
  }
  typed_close(&m);
}

/* The same matrix a little off symmetry has no potential: other nodes, the same forces. */
static void potential_and_law_agree(void **state) {
  (void)state;
#define HALF_TURNED(stiffness)                                                              \
  "trammel: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1], at: [.3, .2, -.4],\n"              \
  "                         orientation: {vector: [.9, -.7, 1.1]}}}\n"                      \
  "forces: {s: {type: bushing, markers: [ground, b], stiffness: " stiffness "}}\n"
#define SKEWED(little)                                                                      \
  "[[9, 1, 0, 0, .2, 0], [" little ", 8, 0, .5, 0, 0], [0, 0, 7, 0, 0, .1],\n"              \
  " [0, .5, 0, 3, 0, 0], [.2, 0, 0, 0, 2, 0], [0, 0, .1, 0, 0, 1]]"
  typed even = typed_text(HALF_TURNED(SKEWED("1")), "test", NULL);
  typed odd = typed_text(HALF_TURNED(SKEWED("1.0000000001")), "test", NULL);
  point p, r;
  double a[6], b[6];
  mechanics_start(&even, &p);
  mechanics_start(&odd, &r);
  mechanics_motion(&even, &p, a);
  mechanics_motion(&odd, &r, b);
  for (int j = 0; j < 6; j++) CHECK_NEAR(a[j], b[j], 1e-9, "row %d", j); /* ten times the 1e-10 */
  typed_close(&even);
  typed_close(&odd);
}

static void a_diagonal_is_the_matrix_with_it(void **state) {
  (void)state;
#define BUSHED(k, c) TWO_BODIES "forces: {s: {type: bushing, markers: [a.m, b.m], stiffness: " k \
                     ", damping: " c "}}\n"
  mechanics list = mechanics_run(BUSHED("[9, 8, 7, 3, 2, 1]", "[.9, .8, .7, .3, .2, .1]"), 1.0);
  mechanics matrix = mechanics_run(
      BUSHED("[[9,0,0,0,0,0],[0,8,0,0,0,0],[0,0,7,0,0,0],[0,0,0,3,0,0],[0,0,0,0,2,0],"
             "[0,0,0,0,0,1]]",
             "[[.9,0,0,0,0,0],[0,.8,0,0,0,0],[0,0,.7,0,0,0],[0,0,0,.3,0,0],[0,0,0,0,.2,0],"
             "[0,0,0,0,0,.1]]"),
      1.0);
  for (int k = 0; k < 14; k++) { /* the same nodes */
    CHECK_NEAR(matrix.end->s.q[k], list.end->s.q[k], 0.0, "q%d", k);
  }
  mechanics_close(&list);
  mechanics_close(&matrix);
}

/* The body of [OSC] (10), typed in the plane and as a mechanism in space. */
static void a_bushing_in_space_moves_as_in_the_plane(void **state) {
  (void)state;
  typed plane = typed_model("bushing-osc", NULL);
  point flat;
  mechanics_advance(&plane, 1.0, &flat);
  mechanics space = mechanics_run(
      "trammel: 1\ngravity: [0, -1, 0]\n"
      "bodies: {b: {mass: 1, inertia: [1, 1, 1], at: [1.1, .1, 0],\n"
      "             markers: {end: {at: [-.5, 0, 0]}}}, base: {mass: 1, inertia: [1, 1, 1],\n"
      "             markers: {end: {at: [.5, 0, 0]}}}}\n"
      "joints: {clamp: {type: fixed, bodies: [ground, base], at: [0, 0, 0]}}\n"
      "forces: {s: {type: bushing, markers: [base.end, b.end],\n"
      "             stiffness: [1e4, 1e4, 1e4, 1e3, 1e3, 1e3]}}\n", 1.0);
  const double *q = space.end->s.q;
  /* tolerance 1e-12 over 20 periods of 112 rad/s */
  CHECK_NEAR(q[0], flat.s.q[0], 1e-8, "x");
  CHECK_NEAR(q[1], flat.s.q[1], 1e-8, "y");
  CHECK_NEAR(2.0 * atan2(q[6], q[3]), flat.s.q[2], 1e-8, "angle");
  typed_close(&plane);
  mechanics_close(&space);
}

/* [OSC] (11) with its damper, rod and held orientation, typed and as a mechanism. */
static void a_damped_bushing_with_joints_moves_as_typed(void **state) {
  (void)state;
  const trm_setting start[] = {{"equations.coordinates.x2.value", "1"},
                               {"equations.coordinates.y2.value", "0"},
                               {"equations.coordinates.x2.velocity", "0"},
                               {"equations.coordinates.y2.velocity", "-0.3"}, {NULL, NULL}};
  typed plane = typed_model("bushing-pendulum", start);
  point flat;
  mechanics_advance(&plane, 0.5, &flat);
  mechanics space = mechanics_run(
      "trammel: 1\ngravity: [0, -9.81, 0]\n"
      "bodies: {b: {mass: 1, inertia: [1, 1, 1], at: [1, 0, 0], velocity: [0, -.3, 0],\n"
      "             markers: {end: {at: [-.5, 0, 0]}}}, base: {mass: 1, inertia: [1, 1, 1],\n"
      "             markers: {end: {at: [.5, 0, 0]}}}}\n"
      "joints: {clamp: {type: fixed, bodies: [ground, base], at: [0, 0, 0]},\n"
      "         rod: {type: distance, markers: [base, b], length: 1},\n"
      "         level: {type: orientation, markers: [base, b]}}\n"
      "forces: {s: {type: bushing, markers: [base.end, b.end],\n"
      "             stiffness: [1e3, 1e3, 1e3, 1e3, 1e3, 1e3],\n"
      "             damping: [10, 10, 10, 10, 10, 10]}}\n", 0.5);
  const double *q = space.end->s.q;
  CHECK_NEAR(q[0], flat.s.q[3], 1e-9, "x"); /* tolerance 1e-12, 200 steps */
  CHECK_NEAR(q[1], flat.s.q[4], 1e-9, "y");
  CHECK_NEAR(q[2], 0.0, 1e-9, "z");
  typed_close(&plane);
  mechanics_close(&space);
}

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
    {"type: force, marker: a.m, at: [0, 0, 0], force: [1, 0, 0]", "a marker has its place"},
    {"type: force, marker: p, torque: [1, 0, 0]", "a torque acts on a point"},
    {"type: force, marker: a, frame: c, force: [1, 0, 0]", "no body or marker 'c'"},
    {"type: general, markers: [a, b], force: [1, 0]", "must have 3 expressions, not 2"},
    {"type: bushing, markers: [a, b]", "it needs stiffness, damping or preload"},
    {"type: bushing, markers: [a, b], stiffness: 7", "stiffness must be a list of 6 numbers"},
    {"type: beam, markers: [a, b], E: 2e11", "it needs E, G, area, Iy, Iz and J"},
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
    cmocka_unit_test(a_spring_has_its_frequency_in_any_direction),
    cmocka_unit_test(a_spring_without_length_passes_zero),
    cmocka_unit_test(points_damping_and_preload_follow_the_linear_law),
    cmocka_unit_test(a_law_is_the_same_as_keys_expression_and_table),
    cmocka_unit_test(a_torsion_spring_counts_full_turns),
    cmocka_unit_test(a_torsion_spring_rests_as_it_starts),
    cmocka_unit_test(forces_of_a_bushing_are_those_of_its_matrices),
    cmocka_unit_test(a_load_has_its_deflection),
    cmocka_unit_test(rotations_are_linear_about_one_axis),
    cmocka_unit_test(loads_that_are_shown_are_those_that_act),
    cmocka_unit_test(loads_between_turning_bodies_are_those_that_act),
    cmocka_unit_test(potential_and_law_agree),
    cmocka_unit_test(a_diagonal_is_the_matrix_with_it),
    cmocka_unit_test(a_bushing_in_space_moves_as_in_the_plane),
    cmocka_unit_test(a_damped_bushing_with_joints_moves_as_typed),
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
