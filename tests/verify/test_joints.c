/* test_joints.c - joints against closed forms. */
#include "verify/claims.h"

/* ---- shafts --------------------------------------------------------------------------------- */

/* Two shafts at an angle of 0.5 rad, the first driven. The second is held by its direction alone,
 * so that no row is redundant. Rows hold at rounding, so their consequences do; rates are those
 * of the velocities, which hht keeps to the constraint tolerance over the step. */
#define SHAFTS(joint, outputs)                                                               \
  "trammel: 1\n"                                                                             \
  "parameters: {g: .5, speed: 2}\n"                                                          \
  "bodies: {a: {mass: 1, inertia: [.1, .2, .2]}, b: {mass: 1, inertia: [.1, .1, .1]}}\n"      \
  "joints:\n"                                                                                \
  "  in: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [1, 0, 0], x: [0, 0, 1]}\n" \
  "  out: {type: parallel, bodies: [ground, b], at: [0, 0, 0], axis: [cos(g), sin(g), 0],\n"  \
  "        x: [0, 0, 1]}\n"                                                                   \
  "  cross: {type: " joint "}\n"                                                              \
  "motions: {drive: {joint: in, position: speed*time}}\n"                                     \
  "outputs:\n" outputs                                                                        \
  "simulate: {end: 5}\n"

static void a_universal_joint_turns_unevenly(void **state) {
  (void)state;
  /* the arm on the driving shaft is across the plane of the shafts: tan b = cos g tan a */
  outputs_are_zero(
      SHAFTS("universal, bodies: [a, b], at: [0, 0, 0], axis: [0, 0, 1],\n"
             "          axis2: [-sin(g), cos(g), 0]",
             "  angle: sin(out.angle)*cos(in.angle) - cos(g)*sin(in.angle)*cos(out.angle)\n"
             "  speed: out.angle' - speed*cos(g)/(cos(in.angle)^2 + (cos(g)*sin(in.angle))^2)\n"
             "  turns: if(abs(out.angle - in.angle) < 0.5, 0, 1)\n"),
      "universal", WAYS({"hht", 1e-4, 1e-8}, {"kinematic", 1e-4, 1e-12}));
  /* and in the plane: cos g tan b = tan a */
  outputs_are_zero(
      SHAFTS("universal, bodies: [a, b], at: [0, 0, 0], axis: [0, 1, 0], axis2: [0, 0, 1]",
             "  angle: cos(g)*sin(out.angle)*cos(in.angle) - sin(in.angle)*cos(out.angle)\n"
             "  speed: out.angle' - speed*cos(g)/(sin(in.angle)^2 + (cos(g)*cos(in.angle))^2)\n"),
      "universal, arm in the plane", WAYS({"kinematic", 1e-4, 1e-12}));
}

static void a_constant_velocity_joint_turns_evenly(void **state) {
  (void)state;
  outputs_are_zero(
      SHAFTS("constant_velocity, bodies: [a, b], at: [0, 0, 0], axis: [1, 0, 0],\n"
             "          axis2: [cos(g), sin(g), 0]",
             "  angle: out.angle - in.angle\n"
             "  speed: out.angle' - speed\n"),
      "constant velocity", WAYS({"hht", 1e-4, 1e-8}, {"kinematic", 1e-4, 1e-12}));
}

/* ---- coordinates tied together -------------------------------------------------------------- */

/* Constant accelerations: hht and radau integrate them exactly up to tolerances; reactions of hht
 * are those of the weighted instant, here constant. */
static void a_gear_divides_a_torque(void **state) {
  (void)state;
  outputs_are_zero(
      "trammel: 1\n"
      "parameters: {J1: .3, J2: .8, n: -2, T: 1.5, alpha: T/(J1 + J2/n^2)}\n"
      "bodies: {a: {mass: 1, inertia: [1, 1, J1]}, b: {mass: 1, inertia: [1, J2, 1]}}\n"
      "joints:\n"
      "  mesh: {type: gear, joints: [first, second], ratio: n}\n"
      "  first: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}\n"
      "  second: {type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 1, 0]}\n"
      "forces: {drive: {type: force, marker: a, torque: [0, 0, T]}}\n"
      "outputs: {angle: first.angle - alpha*time^2/2, ratio: first.angle - n*second.angle,\n"
      "          rate: second.angle' - alpha*time/n, load: mesh.load - (J1*alpha - T),\n"
      "          acceleration: first.angle'' - alpha}\n"
      "simulate: {end: 3}\n",
      "gear", WAYS({"hht", 1e-6, 2e-6}, {"radau", 1e-8, 1e-9}, {"explicit", 1e-10, 1e-9}));
}

static void a_screw_falls_slowly(void **state) {
  (void)state;
  outputs_are_zero(
      "trammel: 1\n"
      "gravity: [0, 0, -10]\n"
      "parameters: {m: 2, J: .01, p: .1, a: -10/(1 + J*(2*pi/p)^2/m)}\n"
      "bodies: {nut: {mass: m, inertia: [.02, .02, J]}}\n"
      "joints:\n"
      "  s: {type: screw, bodies: [ground, nut], at: [0, 0, 0], axis: [0, 0, 1], pitch: p}\n"
      "outputs: {way: s.displacement - a*time^2/2, turn: s.angle - s.displacement*2*pi/p,\n"
      "          force: s.force.z - m*(a + 10), torque: s.torque.z - J*a*2*pi/p,\n"
      "          torque_in_B: s.B.torque.z - J*a*2*pi/p}\n"
      "simulate: {end: 2}\n",
      "screw", WAYS({"hht", 1e-6, 3e-5}, {"radau", 1e-9, 1e-9}, {"explicit", 1e-10, 1e-9}));
}

static void a_rack_drives_a_pinion(void **state) {
  (void)state;
  outputs_are_zero(
      "trammel: 1\n"
      "parameters: {m: 2, J: .03, r: .2, F: 3, a: F/(m + J/r^2)}\n"
      "bodies: {bar: {mass: m, inertia: [1, 1, 1]},\n"
      "         wheel: {mass: 1, inertia: [1, 1, J], at: [0, 1, 0]}}\n"
      "joints:\n"
      "  slide: {type: translational, bodies: [ground, bar], at: [0, 0, 0], axis: [1, 0, 0]}\n"
      "  pin: {type: revolute, bodies: [ground, wheel], at: [0, 1, 0], axis: [0, 0, 1]}\n"
      "  teeth: {type: rack, joints: [slide, pin], radius: r}\n"
      "forces: {push: {type: force, marker: bar, force: [F, 0, 0]}}\n"
      "outputs: {way: bar.x - a*time^2/2, turn: pin.angle - bar.x/r,\n"
      "          load: teeth.load - (m*a - F)}\n"
      "simulate: {end: 2}\n",
      "rack", WAYS({"hht", 1e-6, 1e-5}, {"radau", 1e-8, 1e-9}));
}

static void a_coupler_shares_a_force(void **state) {
  (void)state;
  /* masses 1, row (1, 1, -2): F on the third leaves F (e_3 - G G_3/6) */
  outputs_are_zero(
      "trammel: 1\n"
      "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]},\n"
      "         c: {mass: 1, inertia: [1, 1, 1], at: [.3, 0, 0],\n"
      "             markers: {m: {at: [-.3, 0, 0]}}}}\n"
      "joints:\n"
      "  s1: {type: translational, bodies: [ground, a], at: [0, 0, 0], axis: [1, 0, 0]}\n"
      "  s2: {type: translational, bodies: [ground, b], at: [0, 0, 0], axis: [0, 1, 0]}\n"
      "  s3: {type: translational, markers: [ground, c.m]}\n"
      "  sum: {type: coupler, joints: [s1, s2, s3], ratios: [1, 1, -2]}\n"
      "forces: {push: {type: force, marker: c, force: [0, 0, 6]}}\n"
      "outputs: {x: a.x - time^2, y: b.y - time^2, z: c.z - time^2, load: sum.load - 2}\n"
      "simulate: {end: 2}\n",
      "coupler", WAYS({"radau", 1e-8, 1e-9}));
}

/* ---- points --------------------------------------------------------------------------------- */

/* A conical pendulum: radius 0.6, depth 0.8, speed from g = w^2 0.8. Forces are m w^2 = 25 times
 * positions, which are off by some ten tolerances after three seconds. */
static void a_distance_carries_a_conical_pendulum(void **state) {
  (void)state;
  outputs_are_zero(
      "trammel: 1\n"
      "gravity: [0, 0, -9.81]\n"
      "parameters: {w: sqrt(9.81/.8)}\n"
      "bodies: {p: {type: point, mass: 2, at: [.6, 0, -.8], velocity: [0, .6*w, 0]}}\n"
      "joints: {rod: {type: distance, bodies: [ground, p], points: [[0, 0, 0], [.6, 0, -.8]]}}\n"
      "outputs: {x: p.x - .6*cos(w*time), y: p.y - .6*sin(w*time), z: p.z + .8,\n"
      "          up: rod.force.z - 2*9.81, pull: rod.force.x + 2*w^2*.6*cos(w*time)}\n"
      "simulate: {end: 3}\n",
      "distance", WAYS({"radau", 1e-11, 3e-8}, {"explicit", 1e-10, 3e-8}));
}

static void a_rod_turns_about_an_axis(void **state) {
  (void)state;
  outputs_are_zero(
      "trammel: 1\n"
      "gravity: [0, 0, -9.81]\n"
      "bodies: {p: {type: point, mass: 2, at: [.6, 0, .8], velocity: [0, 1.2, 0]}}\n"
      "joints: {rod: {type: revolute_spherical, bodies: [ground, p], axis: [0, 0, 1],\n"
      "               points: [[0, 0, 0], [.6, 0, .8]]}}\n"
      "outputs: {x: p.x - .6*cos(2*time), y: p.y - .6*sin(2*time), z: p.z - .8,\n"
      "          up: rod.force.z - 2*9.81, pull: rod.force.y + 2*4*.6*sin(2*time)}\n"
      "simulate: {end: 3}\n",
      "revolute_spherical", WAYS({"radau", 1e-11, 3e-8}, {"explicit", 1e-10, 3e-8}));
}

/* On the plane x + 2 y + 2 z = 0 gravity has the components that are left of it. */
static void an_expression_is_held_at_zero(void **state) {
  (void)state;
  outputs_are_zero(
      "trammel: 1\n"
      "gravity: [0, 0, -9]\n"
      "bodies: {p: {type: point, mass: 2}}\n"
      "joints: {law: {type: constraint, equals: p.x + 2*p.y + 2*p.z}}\n"
      "outputs: {x: p.x - time^2, y: p.y - 2*time^2, z: p.z + 2.5*time^2, load: law.load - 4}\n"
      "simulate: {end: 2}\n",
      "constraint", WAYS({"hht", 1e-6, 1e-5}, {"radau", 1e-8, 1e-9}));
}

/* A bead on a cycloid x = p + sin p, z = 1 - cos p: 4 sin(p/2), the way from the bottom, swings
 * like a spring with w^2 = g/4 at any amplitude. The table has steps of 0.05: a cubic spline is
 * off by 5/384 0.05^4 = 8e-8 of the curve, its slope by 0.05^3/24 = 5e-6; the force of up to 10 N
 * across it counts with a tenth of that. */
static void a_bead_on_a_cycloid_is_isochronous(void **state) {
  (void)state;
  enum { HALF = 60 };
  char text[8000];
  int n = snprintf(text, sizeof text, "trammel: 1\ngravity: [0, 0, -9.81]\ntables:\n");
  for (int axis = 0; axis < 2; axis++) {
    for (int part = 0; part < 2; part++) {
      n += snprintf(text + n, sizeof text - (size_t)n, part == 0 ? "  c%d: {x: [" : "], y: [",
                    axis);
      for (int i = -HALF; i <= HALF; i++) {
        const double p = 0.05 * i, y = axis == 0 ? p + sin(p) : 1.0 - cos(p);
        n += snprintf(text + n, sizeof text - (size_t)n, "%s%.16g", i > -HALF ? ", " : "",
                      part == 0 ? p : y);
      }
    }
    n += snprintf(text + n, sizeof text - (size_t)n, "], interpolation: cubic}\n");
  }
  snprintf(text + n, sizeof text - (size_t)n,
           "bodies: {bead: {type: point, mass: .5, at: [2 + sin(2), 0, 1 - cos(2)]}}\n"
           "joints: {wire: {type: curve, markers: [ground, bead], path: {x: c0, z: c1}}}\n"
           "outputs: {swing: sin(wire.parameter/2) - sin(1)*cos(sqrt(9.81)/2*time),\n"
           "          energy: .25*(bead.vx^2 + bead.vy^2 + bead.vz^2) +\n"
           "                  .5*9.81*(bead.z - 1 + cos(2)),\n"
           "          across: wire.force.y,\n"
           "          along: (wire.force.x*cos(wire.parameter/2) +\n"
           "                  wire.force.z*sin(wire.parameter/2))/100}\n"
           "simulate: {end: 8.02}\n"); /* two periods of 4 pi/sqrt(g) */
  outputs_are_zero(text, "curve", WAYS({"radau", 1e-11, 2e-6}, {"explicit", 1e-10, 2e-6}));
}

/* On a circle of A, whose middle is not the origin, the parameter nearest to the bead is found. */
static void a_bead_stays_where_it_is_put(void **state) {
  (void)state;
  enum { POINTS = 41 };
  char text[4000];
  int n = snprintf(text, sizeof text, "trammel: 1\ntables:\n");
  for (int axis = 0; axis < 2; axis++) {
    n += snprintf(text + n, sizeof text - (size_t)n, "  c%d: {interpolation: cubic, x: [", axis);
    for (int k = 0; k < 2 * POINTS; k++) {
      const double p = 0.15 * (k % POINTS), y = axis == 0 ? cos(p) : sin(p);
      n += snprintf(text + n, sizeof text - (size_t)n, "%s%.6f",
                    k == 0 ? "" : k == POINTS ? "], y: [" : ", ", k < POINTS ? p : y);
    }
    n += snprintf(text + n, sizeof text - (size_t)n, "]}\n");
  }
  snprintf(text + n, sizeof text - (size_t)n,
           "bodies: {ground: {markers: {m: {at: [1, 2, 3]}}},\n"
           "         bead: {type: point, mass: 1, at: [1 + cos(4), 2 + sin(4), 3]}}\n"
           "joints: {wire: {type: curve, markers: [ground.m, bead], path: {x: c0, y: c1}}}\n"
           "outputs: {x: bead.x - 1 - cos(4), y: bead.y - 2 - sin(4), p: wire.parameter - 4}\n"
           "simulate: {end: .1}\n");
  /* cubics through points 0.15 apart: 0.15^4/384 = 1e-6, as are the typed numbers */
  outputs_are_zero(text, "bead", WAYS({"hht", 1e-6, 1e-5}));
}

/* ---- rolling -------------------------------------------------------------------------------- */

/* The built-in disc and the same of elements, both to 1e-11: their states agree to what that leaves
 * of two seconds, in which differences grow a hundredfold. */
static void a_wheel_rolls_as_the_built_in_disc(void **state) {
  (void)state;
  static const char text[] =
      "trammel: 1\n"
      "gravity: [0, 0, -9.81]\n"
      "parameters: {r: .25, tilt: .2, spin: 12}\n"
      "bodies: {disc: {mass: 1, inertia: [r^2/4, r^2/4, r^2/2], at: [0, 0, r*cos(tilt)],\n"
      "                orientation: {z: [0, cos(tilt), sin(tilt)], x: [1, 0, 0]},\n"
      "                velocity: [r*spin, 0, 0], angular_velocity: [0, 0, spin]}}\n"
      "joints: {wheel: {type: rolling, markers: [ground, disc], radius: r}}\n"
      "outputs: {x: disc.x}\n";
  trm_options o = trm_options_default();
  o.integrator = "explicit";
  o.tolerance = 1e-11;
  o.end = 2.0;
  typed m = typed_text(text, "wheel", NULL);
  trm_system *built_in = kit_problem("rolling-disc", NULL, NULL);
  trm_sim *one = kit_sim(m.system, &o), *two = kit_sim(built_in, &o);
  kit_run(one);
  kit_run(two);
  const trm_state *s = trm_sim_state(one), *r = trm_sim_state(two);
  double worst = 0.0;
  for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(s->q[i] - r->q[i]));
  for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(s->v[i] - r->v[i]));
  worst = fmax(worst, fabs(s->lam[0] - r->lam[0]));
  print_message("rolling: off the built-in disc by %.1e\n", worst);
  CHECK_NEAR(worst, 0.0, 1e-8, "wheel and disc");
  trm_sim_free(one);
  trm_sim_free(two);
  trm_system_free(built_in);
  typed_close(&m);
}

/* ---- signs ---------------------------------------------------------------------------------- */

/* A body of 2 kg, not the first one, hangs at its centre of mass, or rests; B is the body, then
 * the ground. */
static void reactions_carry_a_hanging_mass(void **state) {
  (void)state;
  static const char *const types[] = {
    "fixed, at: [0, 0, 0]",
    "spherical, at: [0, 0, 0]",
    "revolute, at: [0, 0, 0], axis: [0, 1, 0]",
    "revolute, at: [0, 0, 0], axis: [0, 0, 1]",
    "translational, at: [0, 0, 0], axis: [1, 0, 0]",
    "cylindrical, at: [0, 0, 0], axis: [1, 1, 0]",
    "screw, at: [0, 0, 0], axis: [1, 1, 0], pitch: .1",
    "planar, at: [0, 0, 0], axis: [0, 0, 1]",
    "planar, at: [0, 0, 0], axis: [0, 0, -1]",
    "universal, at: [0, 0, 0], axis: [0, 0, 1], axis2: [1, 0, 0]",
    "constant_velocity, at: [0, 0, 0], axis: [1, 0, 0], axis2: [1, 1, 0]",
    "distance, points: [[0, 0, 0], [0, 0, 0]], length: 1",
    "point_on_line, at: [0, 0, 0], axis: [1, 0, 0]",
    "point_on_plane, at: [0, 0, 0], axis: [0, 0, 1]",
    "curve, at: [0, 0, 0], path: {x: line}",
    "rolling, at: [0, 0, 0], axis: [0, 1, 0], radius: .5",
  };
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    for (int turned = 0; turned < 2; turned++) {
      char text[1200];
      const bool is_wheel = strncmp(types[i], "rolling", 7) == 0, is_rod = types[i][0] == 'd';
      if (is_wheel && turned == 1) continue; /* the wheel is on B */
      const char *points = turned == 0 ? "[[0, 0, 1], [0, 0, 0]]" : "[[0, 0, 0], [0, 0, 1]]";
      const char *rod = "distance, points: ";
      snprintf(text, sizeof text,
               "trammel: 1\n"
               "gravity: [0, 0, -9.81]\n"
               "tables: {line: {x: [-1, 0, 1], y: [-1, 0, 1], interpolation: cubic}}\n"
               "bodies: {other: {type: point, mass: 1}, b: {mass: 2, inertia: [.1, .2, .3]}}\n"
               "joints: {s: {bodies: %s, type: %s%s}}\n"
               "outputs: {x: s.force.x, y: s.force.y, up: s.force.z - %d*9.81,\n"
               "          same: (s.A.force.x^2 + s.A.force.y^2 + s.A.force.z^2)/(2*9.81)^2 - 1}\n"
               "simulate: {end: .1}\n",
               turned == 0 ? "[ground, b]" : "[b, ground]", is_rod ? rod : types[i],
               is_rod ? points : "", turned == 0 ? 2 : -2);
      /* nothing moves: rounding of 20 N */
      outputs_are_zero(text, types[i], WAYS({"hht", 1e-6, 1e-11}));
    }
  }
}

/* Joints of directions alone carry torques; the body floats. */
static void reactions_carry_a_torque(void **state) {
  (void)state;
  static const char *const types[] = {
    "orientation, at: [0, 0, 0]",
    "parallel, at: [0, 0, 0], axis: [0, 1, 0]",
    "perpendicular, at: [0, 0, 0], axis: [0, 1, 0], axis2: [0, 0, 1]",
    "fixed, at: [0, 0, 0]",
  };
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    for (int turned = 0; turned < 2; turned++) {
      char text[1200];
      snprintf(text, sizeof text,
               "trammel: 1\n"
               "bodies: {other: {type: point, mass: 1}, b: {mass: 2, inertia: [.1, .2, .3]}}\n"
               "joints: {s: {bodies: %s, type: %s}}\n"
               "forces: {turn: {type: force, marker: b, torque: [7, 0, 0]}}\n"
               "outputs: {x: s.torque.x + %d, y: s.torque.y, z: s.torque.z, force: s.force.x}\n"
               "simulate: {end: .1}\n",
               turned == 0 ? "[ground, b]" : "[b, ground]", types[i], turned == 0 ? 7 : -7);
      outputs_are_zero(text, types[i], WAYS({"hht", 1e-6, 1e-11}));
    }
  }
}

/* ---- rows side by side ---------------------------------------------------------------------- */

/* A wheel in a fork that only goes up and down and outward, on a table that turns: it stays where
 * it is and is driven at W R/r against a brake. The rows of two expressions stand before its own.
 * Constant rates are exact but for constraints, kept to tolerances over the step. hht solves for
 * positions to 1e-10 m, which is 2 kg 1e-10 m/(0.42 (7 ms)^2) = 1e-5 N of 20 N in loads; how much
 * of it is left depends on the solver: blocks 1e-15 N, KLU up to 2e-6 N. */
static void a_table_drives_a_wheel_beside_other_rows(void **state) {
  (void)state;
  outputs_are_zero(
      "trammel: 1\n"
      "gravity: [0, 0, -9.81]\n"
      "parameters: {W: .7, R: 2, r: .4}\n"
      "bodies:\n"
      "  p: {type: point, mass: 1}\n"
      "  table: {mass: 5, inertia: [1, 1, 2], angular_velocity: [0, 0, W]}\n"
      "  cart: {mass: 1, inertia: [1, 1, 1], at: [R, 0, 1]}\n"
      "  fork: {mass: 1, inertia: [1, 1, 1], at: [R, 0, r]}\n"
      "  wheel: {mass: 1, inertia: [.2, .1, .1], at: [R, 0, r], angular_velocity: [W*R/r, 0, 0]}\n"
      "joints:\n"
      "  to_x: {type: constraint, equals: p.x - sin(time)}\n"
      "  to_y: {type: constraint, equals: p.y - 2*p.x}\n"
      "  contact: {type: rolling, bodies: [table, wheel], at: [R, 0, r], axis: [1, 0, 0],\n"
      "            radius: r}\n"
      "  hub: {type: revolute, bodies: [ground, table], at: [0, 0, 0], axis: [0, 0, 1]}\n"
      "  rail: {type: translational, bodies: [ground, cart], at: [R, 0, 1], axis: [1, 0, 0]}\n"
      "  mast: {type: translational, bodies: [cart, fork], at: [R, 0, 1], axis: [0, 0, 1]}\n"
      "  axle: {type: revolute, bodies: [fork, wheel], at: [R, 0, r], axis: [1, 0, 0]}\n"
      "motions: {turn: {joint: hub, position: W*time}}\n"
      "forces: {brake: {type: force, marker: wheel, torque: [-3, 0, 0]}}\n"
      "outputs: {x: p.x - sin(time), y: p.y - 2*sin(time), out: wheel.x - R, up: wheel.z - r,\n"
      "          spin: axle.angle' - W*R/r, pull: contact.force.y - 3/r, slide: contact.force.x,\n"
      "          weight: contact.force.z - 2*9.81}\n"
      "simulate: {end: 2}\n",
      "wheel on a table", WAYS({"hht", 1e-6, 1e-5}, {"radau", 1e-8, 1e-7}));
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_universal_joint_turns_unevenly),
    cmocka_unit_test(a_constant_velocity_joint_turns_evenly),
    cmocka_unit_test(a_gear_divides_a_torque),
    cmocka_unit_test(a_screw_falls_slowly),
    cmocka_unit_test(a_rack_drives_a_pinion),
    cmocka_unit_test(a_coupler_shares_a_force),
    cmocka_unit_test(a_distance_carries_a_conical_pendulum),
    cmocka_unit_test(a_rod_turns_about_an_axis),
    cmocka_unit_test(an_expression_is_held_at_zero),
    cmocka_unit_test(a_bead_on_a_cycloid_is_isochronous),
    cmocka_unit_test(a_bead_stays_where_it_is_put),
    cmocka_unit_test(a_wheel_rolls_as_the_built_in_disc),
    cmocka_unit_test(reactions_carry_a_hanging_mass),
    cmocka_unit_test(reactions_carry_a_torque),
    cmocka_unit_test(a_table_drives_a_wheel_beside_other_rows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
