/* test_joint_loads.c - friction and stops in joints against closed forms. */
#include "verify/claims.h"

/* Every method meets the coupling of forces, loads and multipliers. */
#define ALL_METHODS(hht, others) \
  WAYS({"hht", 1e-6, hht}, {"alpha", 1e-6, hht}, {"radau", 1e-8, others}, \
       {"tdg", 1e-8, others}, {"explicit", 1e-9, others})

/* ---- friction ------------------------------------------------------------------------------- */

/* A block slides down a slope of 0.3 rad, fast: a = g (sin - mu cos), with the load softened by
 * eps = 1e-4 weights, 5e-9 of it. */
static void a_block_slides_down_a_slope(void **state) {
  (void)state;
  outputs_are_zero(
      "trammel: 1\n"
      "parameters: {th: .3, mu: .2, N: 2*9.81*cos(th)*(1 - 5e-9/cos(th)^2),\n"
      "             a: 9.81*sin(th) - mu*N/2}\n"
      "gravity: [9.81*sin(th), 0, -9.81*cos(th)]\n"
      "bodies: {b: {mass: 2, inertia: [.1, .1, .1], velocity: [1, 0, 0]}}\n"
      "joints: {s: {type: translational, bodies: [ground, b], at: [0, 0, 0], axis: [1, 0, 0],\n"
      "             friction: {static: .3, dynamic: mu, velocity: .1}}}\n"
      "outputs: {x: b.x - time - a*time^2/2, v: b.vx - 1 - a*time, friction: s.friction + mu*N,\n"
      "          load: s.normal - N}\n"
      "simulate: {end: 2}\n",
      "slope", ALL_METHODS(1e-5, 1e-8));
}

/* Braking to rest: from 3 m/s to vs at mu g, then mu (3 u - u^3)/2 with u = v/vs, which takes
 * vs^2/(mu g) log((sqrt 3 + 1)/(sqrt 3 - 1))/sqrt 3 more and e^(-100) of it after a second. */
static void a_block_comes_to_rest(void **state) {
  (void)state;
  outputs_are_zero(
      "trammel: 1\n"
      "parameters: {mu: .25, d: mu*9.81*(1 - 5e-9), vs: .05,\n"
      "             way: (9 - vs^2)/2/d + vs^2/d*log((sqrt(3) + 1)/(sqrt(3) - 1))/sqrt(3)}\n"
      "gravity: [0, 0, -9.81]\n"
      "bodies: {b: {mass: 2, inertia: [.1, .1, .1], velocity: [3, 0, 0]}}\n"
      "joints: {s: {type: translational, bodies: [ground, b], at: [0, 0, 0], axis: [1, 0, 0],\n"
      "             friction: {dynamic: mu, velocity: vs}}}\n"
      "outputs: {braking: 'if(time < 1.2, b.vx - 3 + d*time, 0)',\n"
      "          rest: 'if(time < 2.2, 0, b.x - way)'}\n"
      "simulate: {end: 3}\n",
      "rest", ALL_METHODS(2e-4, 1e-6));
}

/* On a slope with tan th = mu (3 u - u^3)/2, u = .5, a block creeps at half the speed vs. */
static void a_block_at_rest_creeps(void **state) {
  (void)state;
  outputs_are_zero(
      "trammel: 1\n"
      "parameters: {mu: .4, th: atan(mu*.6875*(1 - 5e-9)), vs: 1e-3}\n"
      "gravity: [9.81*sin(th), 0, -9.81*cos(th)]\n"
      "bodies: {b: {mass: 2, inertia: [.1, .1, .1]}}\n"
      "joints: {s: {type: translational, bodies: [ground, b], at: [0, 0, 0], axis: [1, 0, 0],\n"
      "             friction: {static: mu, dynamic: .1, velocity: vs}}}\n"
      "outputs: {creep: 'if(time < .01, 0, b.vx/vs - .5)'}\n"
      "simulate: {end: .1}\n",
      "creep", WAYS({"hht", 1e-8, 1e-3}, {"radau", 1e-8, 1e-5}, {"explicit", 1e-9, 1e-5}));
}

/* Between vs and 2 vs friction goes from static to dynamic: in the middle it is their mean. */
static void friction_falls_from_static_to_dynamic(void **state) {
  (void)state;
  static const struct {
    const char *speed;
    double mu;
  } cases[] = {{"-.1", -.5}, {".15", .4}, {".2", .3}, {"7", .3}, {".05", .5 * .6875}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[800];
    snprintf(text, sizeof text,
             "trammel: 1\n"
             "gravity: [0, 0, -10]\n"
             "bodies: {b: {mass: 2, inertia: [.1, .1, .1], velocity: [%s, 0, 0]}}\n"
             "joints: {s: {type: translational, bodies: [ground, b], at: [0, 0, 0],\n"
             "             axis: [1, 0, 0], friction: {static: .5, dynamic: .3, velocity: .1,\n"
             "             viscous: 3, preload: 5}}}\n"
             "outputs: {mu: s.friction + 3*b.vx + %.17g*25*(1 - 4e-9)}\n"
             "simulate: {end: 1}\n",
             cases[i].speed, cases[i].mu);
    typed m = typed_text(text, "law", NULL);
    point p;
    point_start(&p, m.system);
    check_outputs(m.system, &p.s, cases[i].speed, 1e-9); /* what is left of 4e-9 times 25 N */
    typed_close(&m);
  }
}

/* Without a reaction the preload alone brakes: mu r preload = 0.6 N m on J = 0.1. */
static void a_preload_brakes_by_itself(void **state) {
  (void)state;
  outputs_are_zero("trammel: 1\n"
                   "bodies: {w: {mass: 2, inertia: [.1, .1, .1], angular_velocity: [0, 0, 10]}}\n"
                   "joints: {p: {type: revolute, bodies: [ground, w], at: [0, 0, 0],\n"
                   "             axis: [0, 0, 1],\n"
                   "             friction: {dynamic: .3, radius: .1, preload: 20}}}\n"
                   "outputs: {torque: p.friction + .6, speed: w.wz - 10 + 6*time}\n"
                   "simulate: {end: 1}\n",
                   "preload", ALL_METHODS(1e-9, 1e-9)); /* the motion is a polynomial: rounding */
}

/* A disc of inertia J on a pin that carries its weight: w' = -mu m g r/J. */
static void a_pin_brakes_a_disc(void **state) {
  (void)state;
  static const char *const joints[] = {"revolute, axis: [0, 0, 1]", "revolute, axis: [0, 1, 0]",
                                       "spherical", "cylindrical, axis: [0, 1, 0]",
                                       "universal, axis: [0, 0, 1], axis2: [1, 0, 0]"};
  static const bool is_upright[] = {true, false, true, false, true};
  for (int i = 0; i < 5; i++) {
    char text[1000];
    snprintf(text, sizeof text,
             "trammel: 1\n"
             "parameters: {J: .05, w0: 20, a: .3*2*9.81*.1/J*(1 - 5e-9)}\n"
             "gravity: [0, 0, -9.81]\n"
             "bodies: {b: {mass: 2, inertia: [J, J, J], angular_velocity: [0, %s]}}\n"
             "joints: {s: {bodies: [ground, b], at: [0, 0, 0], type: %s,\n"
             "             friction: {dynamic: .3, radius: .1}}}\n"
             "outputs: {speed: b.w%s - w0 + a*time, load: s.normal - 2*9.81*(1 - 5e-9)}\n"
             "simulate: {end: 1}\n",
             is_upright[i] ? "0, w0" : "w0, 0", joints[i], is_upright[i] ? "z" : "y");
    outputs_are_zero(text, joints[i], WAYS({"hht", 1e-6, 1e-5}, {"explicit", 1e-9, 1e-8}));
  }
}

/* A pendulum on a dry pin: the load depends on speed, position and friction itself. All energy that
 * is lost went through the friction. Of 20 J hht itself takes 1e-4, others what they tolerate. */
static void a_pendulum_loses_what_friction_takes(void **state) {
  (void)state;
  static const char text[] =
      "trammel: 1\n"
      "gravity: [0, 0, -9.81]\n"
      "bodies: {b: {mass: 2, inertia: [.1, .1, .1], at: [1, 0, 0]}}\n"
      "joints: {pin: {type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 1, 0],\n"
      "               friction: {static: .4, dynamic: .3, radius: .1, velocity: .02}}}\n"
      "equations: {states: {work: {value: 0, rate: pin.friction*pin.angle'}}}\n"
      "outputs: {balance: b.vx^2 + b.vz^2 + .05*b.wy^2 + 2*9.81*b.z - work,\n"
      "          size: pin.normal - (pin.force.x^2 + pin.force.z^2)/\n"
      "                sqrt(pin.force.x^2 + pin.force.z^2 + (1e-4*2*9.81)^2)}\n"
      "simulate: {end: 3}\n";
  outputs_are_zero(text, "pendulum", ALL_METHODS(5e-3, 1e-5));
}

/* ---- stops ---------------------------------------------------------------------------------- */

/* A slider between elastic stops without friction comes back with the speed it had, and the
 * potential of the stop holds its energy meanwhile. Forces up to 56 N bend at the stop and at its
 * depth, unannounced: methods of high order see that late. */
static void stops_give_back_the_energy(void **state) {
  (void)state;
  outputs_are_zero(
      "trammel: 1\n"
      "bodies: {b: {mass: 2, inertia: [.1, .1, .1], velocity: [1, 0, 0]}}\n"
      "joints: {s: {type: translational, bodies: [ground, b], at: [0, 0, 0], axis: [1, 0, 0],\n"
      "             limits: {lower: -.2, upper: .3, stiffness: 800, depth: .01}}}\n"
      "outputs: {speed: 'if(b.x < -.2, 0, if(b.x > .3, 0, b.vx^2 - 1))',\n"
      "          inside: 'if(b.x > .31, 1 - b.vx^2 - 400*((b.x-.3)*(b.x-.31) + 3e-5), 0)',\n"
      "          push: 'if(b.x > .31, s.stop + 800*(b.x - .305), 0)',\n"
      "          back: 'if(b.x < -.21, s.stop + 800*(b.x + .205), 0)'}\n"
      "simulate: {end: 3}\n",
      "stops", WAYS({"radau", 1e-12, 3e-5}, {"explicit", 1e-12, 1e-6}));
}

/* At rest on a stop: weight = k (p - d/2). */
static void a_stop_carries_a_weight(void **state) {
  (void)state;
  outputs_are_zero(
      "trammel: 1\n"
      "gravity: [0, 0, -10]\n"
      "bodies: {b: {mass: 2, inertia: [.1, .1, .1], at: [0, 0, -.0205]}}\n"
      "joints: {s: {type: cylindrical, markers: [ground, b],\n"
      "             limits: {coordinate: displacement, lower: 0, stiffness: 1000, damping: 5,\n"
      "                      depth: .001}}}\n"
      "outputs: {z: b.z + .0205, load: s.stop - 20}\n"
      "simulate: {end: 1}\n",
      "weight", WAYS({"hht", 1e-6, 1e-9}));
}

/* A hard damper: it eats nearly everything and never pulls; the stop of an angle, too. */
static void a_stop_never_pulls(void **state) {
  (void)state;
  outputs_are_zero(
      "trammel: 1\n"
      "bodies: {b: {mass: 2, inertia: [.1, .1, .1], angular_velocity: [0, 0, 3]}}\n"
      "joints: {s: {type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1],\n"
      "             limits: {upper: 30 deg, stiffness: 100, damping: 5, depth: .01}}}\n"
      "outputs: {pull: 'if(s.stop > 0, 1, 0)', gain: 'if(b.wz^2 > 9.000001, 1, 0)',\n"
      "          stays: 'if(s.angle > .8, 1, 0)', back: 'if(time < 1, 0, if(b.wz > 0, 1, 0))'}\n"
      "simulate: {end: 2}\n",
      "damper", WAYS({"hht", 1e-6, 0.5}, {"radau", 1e-7, 0.5}));
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_block_slides_down_a_slope),
    cmocka_unit_test(a_block_comes_to_rest),
    cmocka_unit_test(a_block_at_rest_creeps),
    cmocka_unit_test(friction_falls_from_static_to_dynamic),
    cmocka_unit_test(a_preload_brakes_by_itself),
    cmocka_unit_test(a_pin_brakes_a_disc),
    cmocka_unit_test(a_pendulum_loses_what_friction_takes),
    cmocka_unit_test(stops_give_back_the_energy),
    cmocka_unit_test(a_stop_carries_a_weight),
    cmocka_unit_test(a_stop_never_pulls),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
