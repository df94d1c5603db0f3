/* test_mechanism_files.c - different ways to write the same mechanism: markers of the ground,
 * orientations, mass from density. */
#include "elements/force/force_types.h"
#include "io/model_reading.h"
#include "elements/joint/joint_types.h"
#include "verify/mechanics.h"

#define ROD "gravity: [0, 0, -9.81]\n" \
            "outputs: {x: rod.x, z: rod.z}\n"

/* Two texts give the same motion, up to `tol`. */
static void move_alike(const char *one, const char *other, double tol) {
  mechanics a = mechanics_run(one, 0.5), b = mechanics_run(other, 0.5);
  const int n = trm_system_count(a.model.system, TRM_OUTPUT);
  assert_int_equal(trm_system_count(b.model.system, TRM_OUTPUT), n);
  for (int i = 0; i < n; i++) {
    CHECK_NEAR(a.outputs[i], b.outputs[i], tol, "output %d of %s", i, other);
  }
  mechanics_close(&a);
  mechanics_close(&b);
}

static void ground_has_markers(void **state) {
  (void)state;
  /* axes of the joint are found on two ways, so rounding differs, and grows a little in a run */
  move_alike(HEAD ROD
             "bodies: {rod: {mass: 1, inertia: [1e-3, 0.1, 0.1], at: [1.5, 0, 1]}}\n"
             "joints: {pin: {type: revolute, bodies: [ground, rod], at: [1, 0, 1],\n"
             "               axis: [0, 1, 0]}}\n",
             HEAD ROD
             "bodies:\n"
             "  ground: {markers: {post: {at: [1, 0, 1], orientation: {z: [0, 1, 0]}}}}\n"
             "  rod: {mass: 1, inertia: [1e-3, 0.1, 0.1], at: [1.5, 0, 1],\n"
             "        markers: {end: {at: [-0.5, 0, 0], orientation: {z: [0, 1, 0]}}}}\n"
             "joints: {pin: {type: revolute, markers: [ground.post, rod.end]}}\n",
             1e-11);
}

static void markers_of_ground_stand_in_expressions(void **state) {
  (void)state;
  mechanics m = mechanics_run(HEAD "bodies:\n"
                                   "  ground: {markers: {post: {at: [1, 2, 3]}, other: }}\n"
                                   "  ball: {type: point, mass: 1, velocity: [1, 0, 0]}\n"
                                   "outputs: {y: ground.post.y, d: 'DX(ball, ground.post)',\n"
                                   "          o: ground.other.z}\n", 0.5);
  CHECK_NEAR(m.outputs[0], 2.0, 0.0, "a constant");
  CHECK_NEAR(m.outputs[1], -0.5, 1e-14, "rounding of a motion with constant velocity");
  CHECK_NEAR(m.outputs[2], 0.0, 0.0, "a constant");
  mechanics_close(&m);
}

/* Turns about x, y, z of the turning frame, and columns of the matrix they make. */
#define TURNED(orientation)                                                                \
  HEAD "parameters: {a: .3, b: -.7, c: 1.1, sa: sin(a), ca: cos(a), sb: sin(b), cb: cos(b),\n" \
  "             sc: sin(c), cc: cos(c)}\n"                                                 \
  "bodies: {r: {mass: 1, inertia: [1, 2, 2], orientation: {" orientation "}}}\n"           \
  "outputs: {q0: r.q0, q1: r.q1, q2: r.q2, q3: r.q3}\n"
#define COLUMN_X "x: [cb*cc, ca*sc + sa*sb*cc, sa*sc - ca*sb*cc]"
#define COLUMN_Y "y: [-cb*sc, ca*cc - sa*sb*sc, sa*cc + ca*sb*sc]"
#define COLUMN_Z "z: [sb, -sa*cb, ca*cb]"

static void an_orientation_has_many_forms(void **state) {
  (void)state;
  static const char *const forms[] = {
    TURNED(COLUMN_X ", " COLUMN_Y), TURNED(COLUMN_X ", " COLUMN_Z), TURNED(COLUMN_Y ", " COLUMN_Z),
    TURNED("z: [1e-10*sb, -1e-10*sa*cb, 1e-10*ca*cb], x: [1e-10*(cb*cc + sb),\n"
           " 1e-10*(ca*sc + sa*sb*cc - sa*cb), 1e-10*(sa*sc - ca*sb*cc + ca*cb)]"),
  };
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) { /* rounding */
    move_alike(TURNED("angles: [a, b, c], sequence: xyz"), forms[i], 1e-14);
  }
}

/* A rod that turns about a point beside its centre: all of mass, centre and inertia count. */
#define SWING(body) HEAD SWING_OF(body)
#define SWING_OF(body) ROD "bodies: {rod: {at: [0.2, 0.1, 0], angular_velocity: [1, 2, 3], " \
                         body "}}\njoints: {ball: {type: spherical, bodies: [ground, rod], " \
                         "at: [0, 0, 0]}}\n"

static void density_and_shape_make_mass_centre_and_inertia(void **state) {
  (void)state;
  const double tol = 1e-11; /* rounding of numbers written with 16 digits, grown a little */
  move_alike(SWING("mass: 2.4, com: [0.1, 0.2, 0.3], inertia: [2.4*(0.09+0.0256)/12,\n"
                   "2.4*(0.25+0.0256)/12, 2.4*(0.25+0.09)/12]"),
             SWING("density: 100, shape: {box: {size: [0.5, 0.3, 0.16], at: [0.1, 0.2, 0.3]}}"),
             tol);
  move_alike(SWING("density: 100, shape: {box: {size: [0.5, 0.3, 0.16], at: [0.1, 0.2, 0.3]}}"),
             SWING("density: 1e-7 kg/mm^3, shapes: {\n"
                   "small: {box: {size: [0.2, 0.3, 0.16], at: [-0.05, 0.2, 0.3]}},\n"
                   "l: {line: {points: [[0, 0, 0], [1, 0, 0]]}},\n"
                   "large_one: {box: {size: [0.3, 0.3, 0.16], at: [0.2, 0.2, 0.3]}}}"),
             tol);
  move_alike(SWING("density: 100, shape: {sphere: {radius: 0.2, at: [0.1, 0, 0]}}"),
             SWING("mass: 3.2*pi/3, com: [0.1, 0, 0],\n"
                   "inertia: [0.128*pi/7.5, 0.128*pi/7.5, 0.128*pi/7.5]"),
             tol);
  move_alike(SWING("density: 100, shape: {cylinder: {from: [0, 0, 0], to: [0.5, 0, 0],\n"
                   "radius: 0.2}}"),
             SWING("mass: 2*pi, com: [0.25, 0, 0],\n"
                   "inertia: [0.04*pi, (0.12 + 0.25)*pi/6, (0.12 + 0.25)*pi/6]"),
             tol);
  /* a cylinder and two half balls, whose centres lie 3/8 of the radius beyond its ends */
  move_alike(SWING("density: 100, shape: {capsule: {from: [0, 0, 0], to: [0.5, 0, 0],\n"
                   "radius: 0.2}}"),
             HEAD "parameters: {m1: 2*pi, m2: 3.2*pi/3, across: m1*(0.12 + 0.25)/12 +\n"
             "             m2*(0.4*0.04 + 0.25/4 + 0.375*0.5*0.2)}\n"
             SWING_OF("mass: m1 + m2, com: [0.25, 0, 0],\n"
                      "inertia: [0.02*m1 + 0.016*m2, across, across]"),
             tol);
  move_alike(SWING("density: 600, shape: {mesh: {file: " TEST_DATA "/model/tetrahedron.stl}}"),
             SWING("mass: 100, com: [1/4, 1/4, 1/4],\n"
                   "inertia: [7.5, 7.5, 7.5, 1.25, 1.25, 1.25]"),
             tol);
}

static void faults_of_densities(void **state) {
  (void)state;
  refuses(HEAD "bodies: {c: {density: 1}}\n", 2, 14,
          "body 'c' has a density but no shape with a volume");
  refuses(HEAD "bodies: {c: {density: 1, shape: {line: {points: [[0, 0, 0], [1, 0, 0]]}}}}\n", 2,
          14, "body 'c' has a density but no shape with a volume");
  refuses(HEAD "bodies: {c: {density: 1, com: [0, 0, 0], shape: {sphere: {radius: 1}}}}\n", 2, 26,
          "body 'c' has a density: its com follows from the shape");
  refuses(HEAD "bodies: {c: {density: 1, shape: {cylinder: {from: [0, 0, 0], to: [0, 0, 0],\n"
               "  radius: 1}}}}\n", 2, 45, "body 'c': its cylinder has no length");
  refuses(HEAD "bodies: {c: {density: 1, shape: {mesh: {file: none.stl}}}}\n", 2, 41,
          "body 'c': the mesh 'none.stl': No such file");
}

static void rows_that_hold_a_point_are_forces_and_those_of_axes_torques(void **state) {
  (void)state;
  static const char *const names[5] = {"pin.x", "pin.y", "pin.z", "pin.e1", "pin.e2"};
  typed m = typed_text(HEAD "bodies: {rod: {mass: 1, inertia: [1, 1, 1]}}\n"
                            "joints: {pin: {type: revolute, bodies: [ground, rod], at: [0, 0, 0],\n"
                            "               axis: [0, 1, 0]}}\n", "pin", NULL);
  for (int i = 0; i < 5; i++) {
    trm_label label;
    trm_system_label(m.system, TRM_LAM, i, &label);
    assert_string_equal(label.name, names[i]);
    assert_string_equal(label.object, "joint 'pin'");
    assert_int_equal(label.kind, i < 3 ? TRM_KIND_NEWTON : TRM_KIND_NEWTON_METRE);
  }
  typed_close(&m);
}

/* Inertia that is typed turns a body as its own does: w x J w is part of it. */
static void kinetic_energy_of_a_body_may_be_typed(void **state) {
  (void)state;
#define SPINNING(inertia)                                                             \
  HEAD "bodies: {b: {mass: 1, inertia: " inertia ", angular_velocity: [1, .5, .2]}}\n" \
       "outputs: {x: b.wx, y: b.wy, z: b.wz}\n"
  move_alike(SPINNING("[11, 12, 13]"),
             SPINNING("[1, 1.5, 2]")
             "equations: {kinetic: 5*b.wx^2 + 5.25*b.wy^2 + 5.5*b.wz^2}\n",
             1e-11); /* both runs to 1e-12, of numbers of size one */
  refuses(HEAD "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\nequations: {kinetic: b.vx^3}\n", 3, 22,
          "its second derivative by b.vx and b.vx still depends on a velocity");
}

static void faults_of_the_ground(void **state) {
  (void)state;
  refuses(HEAD "bodies: {ground: {at: [1, 0, 0]}, c: {type: point, mass: 1}}\n", 2, 19,
          "the ground does not move and has only markers and shapes, no 'at'");
  refuses(HEAD "bodies: {ground: {markers: {x: {}}}, c: {type: point, mass: 1}}\n", 2, 29,
          "'x' is a value of the body itself");
}

/* Every kind of joint and force has its law, and the other way round. */
static void kinds_and_registries_are_the_same(void **state) {
  (void)state;
  const trmi_kind *kind;
  int i = 0;
  for (; (kind = trmi_kind_at(TRMI_JOINTS, i)) != NULL; i++) {
    assert_non_null(trmi_joint_type_at(i));
    assert_string_equal(kind->type, trmi_joint_type_at(i)->name);
  }
  assert_null(trmi_joint_type_at(i));
  for (i = 0; (kind = trmi_kind_at(TRMI_FORCES, i)) != NULL; i++) {
    assert_non_null(trmi_force_type_at(i));
    assert_string_equal(kind->type, trmi_force_type_at(i)->name);
  }
  assert_null(trmi_force_type_at(i));
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(kinds_and_registries_are_the_same),
    cmocka_unit_test(ground_has_markers),
    cmocka_unit_test(markers_of_ground_stand_in_expressions),
    cmocka_unit_test(an_orientation_has_many_forms),
    cmocka_unit_test(rows_that_hold_a_point_are_forces_and_those_of_axes_torques),
    cmocka_unit_test(kinetic_energy_of_a_body_may_be_typed),
    cmocka_unit_test(faults_of_the_ground),
    cmocka_unit_test(density_and_shape_make_mass_centre_and_inertia),
    cmocka_unit_test(faults_of_densities),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
