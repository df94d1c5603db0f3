/* test_forces.c - forces of mechanisms against closed forms, against each other, and against what
 * every force between two bodies keeps. */
#include "verify/forces.h"

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
  mechanics_advance(&plane, 1.0, &flat, NULL);
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
  mechanics_advance(&plane, 0.5, &flat, NULL);
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
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
