/* test_joints_moved.c - motions on the coordinates of joints against closed forms, over full turns.
 *
 * Where everything is prescribed positions follow from the rows to rounding, and the loads of
 * kinematic and explicit from them by one linear solve; laws of velocity and acceleration are
 * integrated to 1e-13. Loads of radau are as good as its iterations, which end far below the
 * tolerance of 1e-9. Those of hht belong to a weighted instant of the step and are not compared. */
#include "verify/claims.h"

#define EXACT {"kinematic", 1e-4, 1e-10}, {"radau", 1e-9, 1e-7}, {"explicit", 1e-6, 1e-10}

/* B is R_z(a1) R_x(a2): T = (Jx a2'^2 + a1'^2 (Jy s^2 + Jz c^2))/2, loads are those of Lagrange.
 * Both arms turn several times around. */
static void both_arms_of_a_universal_joint(void **state) {
  (void)state;
  outputs_are_zero(
      "trammel: 1\n"
      "parameters: {Jx: .3, Jy: .5, Jz: .2, w: 7}\n"
      "bodies:\n"
      "  b: {mass: 1, inertia: [Jx, Jy, Jz], at: [0, 0, 0], markers: {tip: {at: [0, 1, 0]}}}\n"
      "joints: {cross: {type: universal, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1],\n"
      "                 axis2: [1, 0, 0]}}\n"
      "motions: {first: {joint: cross, coordinate: angle1, velocity: w},\n"
      "          second: {joint: cross, coordinate: angle2, position: 9*sin(time)}}\n"
      "outputs:\n"
      "  a1: cross.angle1 - w*time\n"
      "  a2: cross.angle2 - 9*sin(time)\n"
      "  rate: cross.angle2' - 9*cos(time)\n"
      "  x: b.tip.x + sin(w*time)*cos(9*sin(time))\n"
      "  y: b.tip.y - cos(w*time)*cos(9*sin(time))\n"
      "  z: b.tip.z - sin(9*sin(time))\n"
      "  T1: first.torque - w*(Jy - Jz)*sin(18*sin(time))*9*cos(time)\n"
      "  T2: second.torque + Jx*9*sin(time) + w^2*(Jy - Jz)*sin(18*sin(time))/2\n"
      "simulate: {end: 3}\n",
      "universal", WAYS(EXACT));
  outputs_are_zero( /* one arm driven, the other held at an angle: a steady turn */
      "trammel: 1\n"
      "bodies: {b: {mass: 1, inertia: [.3, .5, .2], at: [0, 0, 0],\n"
      "             markers: {tip: {at: [0, 1, 0]}}}}\n"
      "joints: {cross: {type: universal, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1],\n"
      "                 axis2: [1, 0, 0]}}\n"
      "motions: {first: {joint: cross, coordinate: angle1, acceleration: 6},\n"
      "          second: {joint: cross, coordinate: angle2, position: .7}}\n"
      "outputs: {a1: cross.angle1 - 3*time^2, x: b.tip.x + sin(3*time^2)*cos(.7),\n"
      "          z: b.tip.z - sin(.7), T1: first.torque - 6*(.5*sin(.7)^2 + .2*cos(.7)^2),\n"
      "          T2: second.torque + .3*(6*time)^2*sin(.7)*cos(.7)}\n"
      "simulate: {end: 3}\n",
      "universal, held", WAYS(EXACT));
}

/* A Lissajous curve on a sloping plane; the middle of mass is beside the point that is moved. In
 * axes of the plane the force is m (a - c w^2 e), the torque m c (y'' cos - x'' sin). */
static void a_plate_follows_a_lissajous_curve(void **state) {
  (void)state;
  outputs_are_zero(
      "trammel: 1\n"
      "parameters: {m: 2, c: .1, w: 9}\n"
      "bodies: {plate: {mass: m, inertia: [.1, .1, .2], at: [0, 0, 0], com: [c, 0, 0],\n"
      "                 orientation: {x: [1, 0, 0], z: [0, -.6, .8]}}}\n"
      "joints: {table: {type: planar, bodies: [ground, plate], at: [0, 0, 0],\n"
      "                 axis: [0, -.6, .8], x: [1, 0, 0]}}\n"
      "motions:\n"
      "  right: {joint: table, coordinate: x, position: .3*sin(2*time)}\n"
      "  up: {joint: table, coordinate: y, acceleration: -1.8*sin(3*time), start_velocity: .6}\n"
      "  turn: {joint: table, velocity: w}\n"
      "outputs:\n"
      "  x: plate.x - .3*sin(2*time)\n"
      "  y: plate.y - .8*.2*sin(3*time)\n"
      "  z: plate.z - .6*.2*sin(3*time)\n"
      "  speed: table.y' - .6*cos(3*time)\n"
      "  angle: table.angle - w*time\n"
      "  Fx: right.force + m*(1.2*sin(2*time) + c*w^2*cos(w*time))\n"
      "  Fy: up.force + m*(1.8*sin(3*time) + c*w^2*sin(w*time))\n"
      "  T: turn.torque + m*c*(1.8*sin(3*time)*cos(w*time) - 1.2*sin(2*time)*sin(w*time))\n"
      "simulate: {end: 4}\n",
      "planar", WAYS({"kinematic", 1e-4, 1e-10}, {"explicit", 1e-6, 1e-10}));
  outputs_are_zero( /* by a table */
      "trammel: 1\n"
      "tables: {ty: {x: [0, 1, 2, 3], y: [0, .3, -.2, .5], interpolation: cubic}}\n"
      "bodies: {plate: {mass: 1, inertia: [.1, .1, .2], at: [0, 0, 0]}}\n"
      "joints: {table: {type: planar, bodies: [ground, plate], at: [0, 0, 0], axis: [0, 0, 1],\n"
      "                 x: [1, 0, 0]}}\n"
      "motions: {up: {joint: table, coordinate: y, position: 'CUBSPL(time, 0, ty)'},\n"
      "          on: {joint: table, coordinate: x, velocity: 'AKISPL(time, 0, ty)', start: 0}}\n"
      "outputs: {y: 'plate.y - CUBSPL(time, 0, ty)', rate: \"table.x' - AKISPL(time, 0, ty)\"}\n"
      "simulate: {end: 3}\n",
      "planar, table", WAYS({"hht", 1e-5, 1e-9}, {"radau", 1e-6, 1e-10}));
}

/* The same plate: nothing bends it. Positions are exact after one iteration and tell nothing of
 * loads, whose errors would grow from step to step if nobody asked for them. Allowed is what
 * corrections of ten times Newton's limit, 4e-9 of a length in a step of 0.01 s, weigh with these
 * masses: 1e-4 N m, and ten times that for samples between steps. */
static void loads_of_driven_parts_do_not_grow(void **state) {
  (void)state;
  outputs_are_zero(
      "trammel: 1\n"
      "bodies: {plate: {mass: 2, inertia: [.1, .1, .2], at: [0, 0, 0], com: [.1, 0, 0],\n"
      "                 orientation: {x: [1, 0, 0], z: [0, -.6, .8]}}}\n"
      "joints: {table: {type: planar, bodies: [ground, plate], at: [0, 0, 0],\n"
      "                 axis: [0, -.6, .8], x: [1, 0, 0]}}\n"
      "motions:\n"
      "  right: {joint: table, coordinate: x, position: .3*sin(2*time)}\n"
      "  up: {joint: table, coordinate: y, position: .2*sin(3*time)}\n"
      "  turn: {joint: table, position: 9*time}\n"
      "outputs: {bending: table.B.torque.x}\n"
      "simulate: {end: 4}\n",
      "driven plate", WAYS({"hht", 1e-6, 1e-3}, {"alpha", 1e-6, 1e-3}, {"tdg", 1e-6, 1e-10}));
}

/* B is R_x R_y R_z. For a ball T = J (a1'^2 + a2'^2 + a3'^2 + 2 a1' a3' sin a2)/2. */
static void three_angles_of_a_ball(void **state) {
  (void)state;
  outputs_are_zero(
      "trammel: 1\n"
      "parameters: {J: .4}\n"
      "bodies: {b: {mass: 1, inertia: [J, J, J], at: [0, 0, 0], markers: {tip: {at: [1, 0, 0]}}}}\n"
      "joints: {ball: {type: spherical, bodies: [ground, b], at: [0, 0, 0]}}\n"
      "motions: {m1: {joint: ball, coordinate: angle1, velocity: 7},\n"
      "          m2: {joint: ball, coordinate: angle2, position: .9*sin(time)},\n"
      "          m3: {joint: ball, coordinate: angle3, position: -5*time}}\n"
      "outputs:\n"
      "  a1: ball.angle1 - 7*time\n"
      "  a2: ball.angle2 - .9*sin(time)\n"
      "  a3: ball.angle3 + 5*time\n"
      "  x: b.tip.x - cos(.9*sin(time))*cos(5*time)\n"
      "  y: b.tip.y + cos(7*time)*sin(5*time) - sin(7*time)*sin(.9*sin(time))*cos(5*time)\n"
      "  z: b.tip.z + sin(7*time)*sin(5*time) + cos(7*time)*sin(.9*sin(time))*cos(5*time)\n"
      "  T1: m1.torque + 5*J*cos(.9*sin(time))*.9*cos(time)\n"
      "  T2: m2.torque + J*(.9*sin(time) - 35*cos(.9*sin(time)))\n"
      "  T3: m3.torque - 7*J*cos(.9*sin(time))*.9*cos(time)\n"
      "simulate: {end: 4}\n",
      "spherical", WAYS(EXACT));
}

/* No twist: the rotation vector lies in the plane across the shaft, so q3 = 0. */
static void a_constant_velocity_joint_bends(void **state) {
  (void)state;
  outputs_are_zero(
      "trammel: 1\n"
      "bodies: {b: {mass: 1, inertia: [.4, .3, .2], at: [0, 0, 0],\n"
      "             markers: {tip: {at: [0, 0, 1]}}}}\n"
      "joints: {s: {type: constant_velocity, markers: [ground, b]}}\n"
      "motions: {m1: {joint: s, coordinate: angle1, position: 1.2*sin(time)},\n"
      "          m2: {joint: s, coordinate: angle2, position: .9*sin(2*time)}}\n"
      "outputs: {x: b.tip.x - sin(.9*sin(2*time)),\n"
      "          y: b.tip.y + sin(1.2*sin(time))*cos(.9*sin(2*time)),\n"
      "          z: b.tip.z - cos(1.2*sin(time))*cos(.9*sin(2*time)), twist: b.q3}\n"
      "simulate: {end: 4}\n",
      "constant velocity", WAYS(EXACT));
}

/* A mass on a rod, T = m L^2 (e'^2 + a'^2 cos^2 e)/2; and a rod on a hinge. */
static void a_rod_goes_around(void **state) {
  (void)state;
  outputs_are_zero(
      "trammel: 1\n"
      "parameters: {m: 2, L: 1.5}\n"
      "bodies: {p: {type: point, mass: m, at: [L, 0, 0]}}\n"
      "joints: {rod: {type: distance, bodies: [ground, p], points: [[0, 0, 0], [L, 0, 0]]}}\n"
      "motions: {round: {joint: rod, coordinate: azimuth, velocity: 5},\n"
      "          up: {joint: rod, coordinate: elevation, position: sin(time)}}\n"
      "outputs:\n"
      "  a: rod.azimuth - 5*time\n"
      "  x: p.x - L*cos(sin(time))*cos(5*time)\n"
      "  y: p.y - L*cos(sin(time))*sin(5*time)\n"
      "  z: p.z - L*sin(sin(time))\n"
      "  Ta: round.torque + m*L^2*5*sin(2*sin(time))*cos(time)\n"
      "  Te: up.torque + m*L^2*(sin(time) - 12.5*sin(2*sin(time)))\n"
      "simulate: {end: 4}\n",
      "distance", WAYS(EXACT));
  outputs_are_zero(
      "trammel: 1\n"
      "bodies: {p: {type: point, mass: 2, at: [3, 0, 4]}}\n"
      "joints: {rod: {type: revolute_spherical, bodies: [ground, p], axis: [0, 0, 1],\n"
      "               points: [[0, 0, 0], [3, 0, 4]]}}\n"
      "motions: {round: {joint: rod, acceleration: 4}}\n"
      "outputs: {a: rod.angle - 2*time^2, x: p.x - 3*cos(2*time^2), y: p.y - 3*sin(2*time^2),\n"
      "          z: p.z - 4, T: round.torque - 72}\n"
      "simulate: {end: 4}\n",
      "revolute spherical", WAYS(EXACT));
}

/* However the wheel leans, its point of contact goes ahead by r spin'. The loads are one solve;
 * x and y of the rolling rows are integrated to the tolerance. */
static void a_wheel_rolls_on_a_circle(void **state) {
  (void)state;
  outputs_are_zero(
      "trammel: 1\n"
      "gravity: [0, 0, -9.81]\n"
      "parameters: {r: .5, w: 1.5, s: 6}\n"
      "bodies: {b: {mass: 2, inertia: [.1, .2, .1], at: [0, 0, r]}}\n"
      "joints: {wheel: {type: rolling, bodies: [ground, b], at: [0, 0, r], axis: [0, 1, 0],\n"
      "                 radius: r}}\n"
      "motions: {turn: {joint: wheel, coordinate: heading, velocity: w},\n"
      "          tip: {joint: wheel, coordinate: lean, position: .6*sin(time)},\n"
      "          roll: {joint: wheel, coordinate: spin, position: s*time}}\n"
      "outputs:\n"
      "  heading: wheel.heading - w*time\n"
      "  spin: wheel.spin - s*time\n"
      "  height: b.z - r*cos(.6*sin(time))\n"
      "  x: wheel.contact.x - r*s/w*sin(w*time)\n"
      "  y: wheel.contact.y - r*s/w*(1 - cos(w*time))\n"
      "  aside: wheel.y - wheel.contact.y + r*sin(.6*sin(time))*cos(w*time)\n"
      "simulate: {end: 5}\n",
      "rolling", WAYS({"radau", 1e-9, 1e-7}, {"explicit", 1e-9, 1e-7}));
}

/* The parameter of a straight line is the way along it. */
static void a_bead_follows_its_wire(void **state) {
  (void)state;
  outputs_are_zero(
      "trammel: 1\n"
      "tables: {cx: {x: [0, 1, 2, 3], y: [0, 2, 4, 6], interpolation: cubic}}\n"
      "bodies: {p: {type: point, mass: 2, at: [0, 0, 0]}}\n"
      "joints: {wire: {type: curve, bodies: [ground, p], at: [0, 0, 0], path: {x: cx}}}\n"
      "motions: {pull: {joint: wire, coordinate: parameter, position: 1 - cos(time)}}\n"
      "outputs: {x: p.x - 2 + 2*cos(time), load: pull.force - 8*cos(time)}\n"
      "simulate: {end: 3}\n",
      "curve", WAYS(EXACT));
}

/* A table ends at 2: at 3 m/s the bead is there after 2/3 s. */
static void a_bead_does_not_leave_its_wire(void **state) {
  (void)state;
  static const char *const methods[] = {"hht", "radau", "explicit"};
  static const char *const speeds[] = {"3", "-3"};
  for (int i = 0; i < 6; i++) {
    const trm_setting settings[] = {{"u", speeds[i / 3]}, {0}};
    typed m = typed_text("trammel: 1\nparameters: {u: 3}\n"
                         "tables: {cx: {x: [-2, -1, 0, 1, 2], y: [-2, -1, 0, 1, 2]}}\n"
                         "bodies: {a: {mass: 1, inertia: [1, 1, 1], velocity: [u, 0, 0]}}\n"
                         "joints: {wire: {type: curve, bodies: [ground, a], at: [0, 0, 0],\n"
                         "                path: {x: cx}}}\nsimulate: {end: 1}\n", "wire", settings);
    trm_error err = {.message = ""};
    m.options.integrator = methods[i % 3];
    trm_sim *sim = kit_sim(m.system, &m.options);
    CHECK_STATUS(trm_sim_run(sim, &err), TRM_ERR_STEP);
    assert_non_null(strstr(err.message, "leaves its curve at the end"));
    assert_non_null(strstr(err.object, "'wire'"));
    /* the margin is 1e-3 of 4 m; the last step that was taken ends before it */
    CHECK_NEAR(trm_sim_state(sim)->t, 2.0 / 3.0, 2e-3, "%s", methods[i % 3]);
    trm_sim_free(sim);
    typed_close(&m);
  }
}

/* A pendulum that swings through the pole of the three angles: they jump there and nothing else
 * happens. At 3 rad/s the direction z of B is at the pole at t = pi/6. */
static void angles_may_be_read_beyond_a_pole(void **state) {
  (void)state;
  outputs_are_zero(
      "trammel: 1\n"
      "bodies: {b: {mass: 1, inertia: [.4, .4, .4], at: [0, 0, 0], angular_velocity: [0, 3, 0]}}\n"
      "joints: {ball: {type: spherical, bodies: [ground, b], at: [0, 0, 0]}}\n"
      "outputs:\n"
      "  a2: sin(ball.angle2) - sin(3*time)\n"
      "  a1: if(abs(cos(3*time)) < .2, 0, cos(ball.angle1) - cos(3*time)/abs(cos(3*time)))\n"
      "simulate: {end: 3}\n",
      "pole", WAYS({"radau", 1e-8, 1e-6}, {"hht", 1e-6, 1e-4}));
}

/* Stops and torques take the same names: a fork falls against a stop of its second arm, and a
 * spring turns the first. */
static void stops_and_torques_on_arms(void **state) {
  (void)state;
  outputs_are_zero(
      "trammel: 1\n"
      "parameters: {Jx: .3, Jz: .2}\n"
      "bodies: {b: {mass: 1, inertia: [Jx, .5, Jz], at: [0, 0, 0]}}\n"
      "joints: {cross: {type: universal, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1],\n"
      "                 axis2: [1, 0, 0],\n"
      "                 limits: {coordinate: angle2, upper: 1, stiffness: 50, depth: 1e-3}}}\n"
      "motions: {second: {joint: cross, coordinate: angle2, position: 0.5*time}}\n"
      "forces: {wind: {type: joint, joint: cross, coordinate: angle1, value: 0*time + .6}}\n"
      "outputs:\n"
      "  stop: 'if(time < 2, cross.stop, if(time < 2.1, 0,\n"
      "         cross.stop + 50*(.5*time - 1 - 5e-4)))'\n"
      "  momentum: b.wy*sin(cross.angle2)*.5 + b.wz*cos(cross.angle2)*Jz - .6*time\n"
      "simulate: {end: 3}\n",
      "stops", WAYS({"radau", 1e-9, 1e-7}));
}

/* Through the pole of its elevation a rod cannot be driven by an azimuth that stays. No method may
 * end such a run as if nothing had happened, with the rod torn. */
static void a_motion_through_a_pole_stops(void **state) {
  (void)state;
  static const char *const integrators[] = {"explicit", "hht", "radau", "tdg"};
  for (size_t k = 0; k < sizeof integrators / sizeof *integrators; k++) {
    trm_error err = {.message = ""};
    typed m = typed_text(
        "trammel: 1\n"
        "bodies: {p: {type: point, mass: 1, at: [1, 0, 0]}}\n"
        "joints: {d: {type: distance, markers: [ground, p]}}\n"
        "motions: {e: {joint: d, coordinate: elevation, position: time},\n"
        "          a: {joint: d, coordinate: azimuth, position: 0}}\n"
        "simulate: {end: 2}\n", "pole", NULL);
    m.options.integrator = integrators[k];
    trm_sim *sim = kit_sim(m.system, &m.options);
    assert_int_not_equal(trm_sim_run(sim, &err), TRM_OK);
    CHECK_NEAR(trm_sim_state(sim)->t, 1.57079632679, 1e-6, "%s: where it stops", integrators[k]);
    trm_sim_free(sim);
    typed_close(&m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(both_arms_of_a_universal_joint),
    cmocka_unit_test(a_plate_follows_a_lissajous_curve),
    cmocka_unit_test(a_motion_through_a_pole_stops),
    cmocka_unit_test(loads_of_driven_parts_do_not_grow),
    cmocka_unit_test(three_angles_of_a_ball),
    cmocka_unit_test(a_constant_velocity_joint_bends),
    cmocka_unit_test(a_rod_goes_around),
    cmocka_unit_test(a_wheel_rolls_on_a_circle),
    cmocka_unit_test(a_bead_follows_its_wire),
    cmocka_unit_test(a_bead_does_not_leave_its_wire),
    cmocka_unit_test(angles_may_be_read_beyond_a_pole),
    cmocka_unit_test(stops_and_torques_on_arms),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
