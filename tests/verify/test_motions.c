/* test_motions.c - prescribed motions by position, velocity and acceleration. */
#include "verify/claims.h"
#include "verify/watch.h"

#define WHEEL                                                                     \
  "trammel: 1\n"                                                                  \
  "bodies: {a: {mass: 1, inertia: [1, 1, .3], orientation: {vector: [0, 0, .2]}}}\n" \
  "joints: {pin: {type: revolute, markers: [ground, a]}}\n"

/* Nothing is free: all of it follows from the rows, to rounding of numbers of ten. */
static void a_position_law_may_begin_after_turns(void **state) {
  (void)state;
  outputs_are_zero(
      WHEEL "motions: {drive: {joint: pin, position: 10 + sin(3*time)}}\n"
            "outputs: {angle: pin.angle - 10 - sin(3*time), rate: pin.angle' - 3*cos(3*time),\n"
            "          of_body: a.angle - pin.angle, second: pin.angle'' + 9*sin(3*time),\n"
            "          torque: drive.torque + .3*9*sin(3*time)}\n"
            "simulate: {end: 4}\n",
      "position", WAYS({"kinematic", 1e-4, 1e-12}, {"radau", 1e-9, 1e-12},
                       {"explicit", 1e-9, 1e-12}));
}

/* The law is integrated apart from the mechanism: the angle is right at a tolerance of 1e-3. Each
 * step adds what quadrature leaves, 1e-13 of its own length. */
static void a_velocity_law_has_no_drift(void **state) {
  (void)state;
  outputs_are_zero(
      WHEEL "motions: {drive: {joint: pin, velocity: 2 + 5*cos(5*time)}}\n"
            "outputs: {angle: pin.angle - .2 - 2*time - sin(5*time)}\n"
            "simulate: {end: 10}\n",
      "velocity", WAYS({"hht", 1e-3, 1e-11}, {"radau", 1e-3, 1e-11}, {"kinematic", 1e-3, 1e-11},
                       {"explicit", 1e-3, 1e-11}, {"tdg", 1e-3, 1e-11}));
  outputs_are_zero(
      WHEEL "motions: {drive: {joint: pin, velocity: 2 + 5*cos(5*time), start: 7 rad}}\n"
            "outputs: {angle: pin.angle - 7 - 2*time - sin(5*time),\n"
            "          rate: pin.angle' - 2 - 5*cos(5*time),\n"
            "          torque: drive.torque + .3*25*sin(5*time)}\n"
            "simulate: {end: 3}\n",
      "velocity from 7", WAYS({"kinematic", 1e-3, 1e-11}, {"explicit", 1e-6, 1e-11}));
}

static void an_acceleration_law_has_no_drift(void **state) {
  (void)state;
  outputs_are_zero(
      WHEEL "motions: {drive: {joint: pin, acceleration: 3*cos(2*time), start: 30,\n"
            "                  start_velocity: -1.5}}\n"
            "outputs: {angle: pin.angle - 30 + 1.5*time - .75*(1 - cos(2*time))}\n"
            "simulate: {end: 10}\n",
      "acceleration", WAYS({"hht", 1e-3, 1e-11}, {"radau", 1e-3, 1e-11}, {"kinematic", 1e-3, 1e-11},
                           {"explicit", 1e-3, 1e-11}));
  /* what is not given is as the bodies are */
  outputs_are_zero(
      "trammel: 1\n"
      "bodies: {a: {mass: 2, inertia: [1, 1, 1], at: [0, 0, .4], velocity: [0, 0, .7]}}\n"
      "joints: {slide: {type: translational, markers: [ground, a]}}\n"
      "motions: {drive: {joint: slide, acceleration: 1.2*time}}\n"
      "outputs: {z: a.z - .4 - .7*time - .2*time^3, v: a.vz - .7 - .6*time^2,\n"
      "          force: drive.force - 2.4*time}\n"
      "simulate: {end: 2}\n",
      "slide", WAYS({"kinematic", 1e-3, 1e-11}, {"explicit", 1e-3, 1e-11}));
}

/* Laws with bends and jumps: quadrature is halved at the bends of STEP, jumps are events. */
static void laws_may_bend_and_jump(void **state) {
  (void)state;
  outputs_are_zero(
      WHEEL "motions: {drive: {joint: pin, acceleration: 'STEP(time, .5, 0, 1.5, 5)', start: 0,\n"
            "                  start_velocity: 0}}\n"
            "outputs:\n"
            "  early: 'if(time < .5, pin.angle, 0)'\n"
            "  ramp: 'if(time < .5, 0, if(time > 1.5, 0,\n"
            "         pin.angle - 5*((time-.5)^4/4 - (time-.5)^5/10)))'\n"
            "  late: 'if(time < 1.5, 0, pin.angle - .75 - 2.5*(time-1.5) - 2.5*(time-1.5)^2)'\n"
            "simulate: {end: 3}\n",
      "bends", WAYS({"hht", 1e-3, 1e-11}, {"kinematic", 1e-3, 1e-11}, {"explicit", 1e-6, 1e-11}));
  outputs_are_zero(
      WHEEL "motions: {drive: {joint: pin, velocity: 'if(time < 1, 2, -1)', start: 0}}\n"
            "outputs: {angle: 'pin.angle - if(time < 1, 2*time, 3 - time)'}\n"
            "simulate: {end: 3}\n",
      "jump", WAYS({"hht", 1e-3, 1e-11}, {"radau", 1e-3, 1e-11}));
}

/* A variable is a name for its expression, and may stand where that may: derivatives are those of
 * the expression. */
static void variables_may_stand_in_laws(void **state) {
  (void)state;
  outputs_are_zero(
      WHEEL "parameters: {w: 9}\n"
            "equations: {variables: {turn: w*time + wave/2, wave: sin(3*time)}}\n"
            "motions: {drive: {joint: pin, position: turn}}\n"
            "outputs: {angle: pin.angle - 9*time - sin(3*time)/2, of: pin.angle - turn,\n"
            "          torque: drive.torque + .3*4.5*sin(3*time)}\n"
            "simulate: {end: 4}\n",
      "variable", WAYS({"kinematic", 1e-4, 1e-12}, {"radau", 1e-9, 1e-10}));
  outputs_are_zero(
      WHEEL "equations: {variables: {push: 'if(time < 1, 3, -3*one)', one: 1 + 0*time}}\n"
            "motions: {drive: {joint: pin, acceleration: push, start: 0, start_velocity: 0}}\n"
            "outputs: {angle: 'pin.angle - if(time < 1, 1.5*time^2, 6*time - 3 - 1.5*time^2)'}\n"
            "simulate: {end: 3}\n",
      "variable acceleration", WAYS({"hht", 1e-3, 1e-11}, {"radau", 1e-3, 1e-11}));
  outputs_are_zero( /* in a constraint it may depend on positions */
      "trammel: 1\n"
      "bodies: {p: {type: point, mass: 2, at: [1, 0, 0]}}\n"
      "equations: {variables: {far: sqrt(p.x^2 + p.y^2 + p.z^2), way: 1 + .3*sin(time)}}\n"
      "joints: {rod: {type: constraint, equals: far - way}}\n"
      "outputs: {x: p.x - 1 - .3*sin(time), load: rod.load + .6*sin(time), far: far - way}\n"
      "simulate: {end: 2}\n",
      "variable in a constraint", WAYS({"radau", 1e-9, 1e-9}, {"explicit", 1e-9, 1e-9}));
}

/* What is no coordinate of a joint: places of a plate, an angle of a fork. */
static void expressions_may_follow_a_law(void **state) {
  (void)state;
  outputs_are_zero(
      "trammel: 1\n"
      "bodies: {plate: {mass: 2, inertia: [.1, .1, .2], at: [0, 0, 0]}}\n"
      "joints: {table: {type: planar, bodies: [ground, plate], at: [0, 0, 0], axis: [0, 0, 1]}}\n"
      "motions:\n"
      "  right: {of: 'DX(plate, ground)', position: 0.3*sin(2*time)}\n"
      "  up: {of: plate.y, velocity: 0.5*cos(time)}\n"
      "  turn: {joint: table, acceleration: 2}\n"
      "outputs: {x: plate.x - 0.3*sin(2*time), y: plate.y - 0.5*sin(time),\n"
      "          angle: table.angle - time^2, force: right.force + 2.4*sin(2*time),\n"
      "          back: up.force + sin(time), torque: turn.torque - 0.4}\n"
      "simulate: {end: 1}\n",
      "plate", WAYS({"kinematic", 1e-3, 1e-11}, {"explicit", 1e-6, 1e-11}));
  outputs_are_zero(
      "trammel: 1\n"
      "bodies: {fork: {mass: 2, inertia: [.1, .1, .2], at: [0, 0, 0]}}\n"
      "joints: {cross: {type: universal, bodies: [ground, fork], at: [0, 0, 0],\n"
      "                 axis: [0, 0, 1], axis2: [1, 0, 0]}}\n"
      "motions: {tilt: {of: 'AX(fork)', position: 0.4*sin(time)}}\n"
      "outputs: {tilt: AX(fork) - 0.4*sin(time)}\n"
      "simulate: {end: 1}\n",
      "fork", WAYS({"hht", 1e-5, 1e-9}, {"explicit", 1e-6, 1e-9}));
}

/* A gear keeps what it finds at the start, counted from where the motion begins. */
static void a_gear_counts_the_turns_of_a_motion(void **state) {
  (void)state;
  outputs_are_zero(
      "trammel: 1\n"
      "bodies: {a: {mass: 1, inertia: [1, 1, .3], orientation: {vector: [0, 0, 10 - 4*pi]}},\n"
      "         b: {mass: 1, inertia: [1, 1, 1]}}\n"
      "joints: {pin: {type: revolute, markers: [ground, a]},\n"
      "         other: {type: revolute, markers: [ground, b]},\n"
      "         mesh: {type: gear, joints: [pin, other], ratio: -3}}\n"
      "motions: {drive: {joint: pin, position: 10 + 9*time}}\n"
      "outputs: {angle: other.angle + 3*time, first: pin.angle - 10 - 9*time}\n"
      "simulate: {end: 3}\n",
      "turns", WAYS({"kinematic", 1e-4, 1e-12}, {"hht", 1e-4, 1e-12}));
}

/* ---- a run that is interrupted -------------------------------------------------------------- */

static void what_laws_remember_survives_a_restart(void **state) {
  (void)state;
  static const char text[] = WHEEL
      "motions: {drive: {joint: pin, acceleration: 40*cos(2*time), start: 30, start_velocity: 9}}\n"
      "outputs: {angle: pin.angle - 30 - 9*time - 10*(1 - cos(2*time))}\n"
      "simulate: {end: 3}\n";
  unsigned char data[1 << 14];
  trm_error err;
  bool done = false;
  typed m = typed_text(text, "restart", NULL), other = typed_text(text, "restart", NULL);
  trm_sim *sim = kit_sim(m.system, &m.options), *again = kit_sim(other.system, &m.options);
  for (int k = 0; k < 40; k++) CHECK_OK(trm_sim_step(sim, &done, &err), err);
  assert_true(!done && trm_sim_save_size(sim) <= sizeof data);
  trm_sim_save(sim, data);
  CHECK_OK(trm_sim_load(again, data, trm_sim_save_size(sim), &err), err);
  CHECK_OK(trm_sim_load(sim, data, trm_sim_save_size(sim), &err), err);
  kit_run(sim);
  kit_run(again);
  assert_memory_equal(trm_sim_state(sim)->q, trm_sim_state(again)->q, 7 * sizeof(double));
  check_outputs(trm_sim_system(again), trm_sim_state(again), "restart", 1e-11);
  trm_sim_free(sim);
  trm_sim_free(again);
  typed_close(&m);
  typed_close(&other);
}

/* A run that begins later has its start there. */
static void laws_begin_at_the_start_of_the_run(void **state) {
  (void)state;
  static const char text[] = WHEEL
      "motions: {drive: {joint: pin, velocity: 2*time, start: 1}}\n"
      "outputs: {angle: pin.angle - 1 - time^2 + 4}\n"
      "simulate: {end: 5}\n";
  trm_error err;
  typed m = typed_text(text, "later", NULL);
  m.options.start = 2.0;
  trm_sim *sim = kit_sim(m.system, &m.options);
  CHECK_OK(trm_sim_run(sim, &err), err);
  check_outputs(trm_sim_system(sim), trm_sim_state(sim), "later", 1e-11);
  trm_sim_free(sim);
  typed_close(&m);
}

/* A shaft that turns steadily, in steps of more than a turn: no load, in samples neither. Stages of
 * radau are exact after one iteration but for their multipliers, which samples may show. They lack
 * ten times Newton's limit at most, over the square of the time between two stages: 1e-4, and ten
 * times that for samples between stages. */
static void note_outputs(const trm_sample *sample, watch *w) {
  for (int i = 0; i < 3; i++) watch_note(w, i, sample->outputs[i], 0.0);
}

static void a_shaft_that_turns_steadily_bears_nothing(void **state) {
  (void)state;
  for (int k = 4; k < 10; k++) {
    typed m = typed_text(
        "trammel: 1\n"
        "bodies: {b: {mass: 2, inertia: [.1, .1, .2], at: [0, 0, 0],\n"
        "             orientation: {x: [0, .8, .6], z: [0, -.6, .8]}}}\n"
        "joints: {t: {type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, -.6, .8]}}\n"
        "motions: {turn: {joint: t, position: 9*time}}\n"
        "outputs: {T: turn.torque, Tx: t.B.torque.x, Ty: t.B.torque.y}\n"
        "simulate: {end: 4, outputs: 400, integrator: radau}\n", "shaft", NULL);
    m.options.tolerance = pow(10.0, -k);
    const watch w = watch_run(&m, note_outputs, NULL);
    for (int i = 0; i < 3; i++) CHECK_NEAR(w.worst[i], 0.0, 1e-3, "1e-%d: torque %d", k, i);
    typed_close(&m);
  }
}

/* A step may be far longer than the rise of the law: samples inside it follow the law, not the
 * polynomial of the step, to rounding after a projection and to the tolerance without one. */
static void samples_follow_a_law_with_corners(void **state) {
  (void)state;
  static const char *const methods[] = {"radau", "tdg"};
  for (int i = 0; i < 2; i++) {
    for (int k = 4; k <= 8; k += 2) {
      typed m = typed_text(WHEEL
          "motions: {drive: {joint: pin, position: 'STEP5(time, .21, .2, .37, 1.2)'}}\n"
          "outputs: {off: 'pin.angle - STEP5(time, .21, .2, .37, 1.2)'}\n"
          "simulate: {end: 1, outputs: 100}\n", "corners", NULL);
      m.options.integrator = methods[i];
      m.options.tolerance = pow(10.0, -k);
      const watch w = watch_run(&m, note_outputs, NULL);
      CHECK_NEAR(w.worst[0], 0.0, 1.01 * m.options.tolerance, "%s at 1e-%d", methods[i], k);
      typed_close(&m);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_shaft_that_turns_steadily_bears_nothing),
    cmocka_unit_test(a_position_law_may_begin_after_turns),
    cmocka_unit_test(a_velocity_law_has_no_drift),
    cmocka_unit_test(an_acceleration_law_has_no_drift),
    cmocka_unit_test(laws_may_bend_and_jump),
    cmocka_unit_test(variables_may_stand_in_laws),
    cmocka_unit_test(expressions_may_follow_a_law),
    cmocka_unit_test(a_gear_counts_the_turns_of_a_motion),
    cmocka_unit_test(what_laws_remember_survives_a_restart),
    cmocka_unit_test(laws_begin_at_the_start_of_the_run),
    cmocka_unit_test(samples_follow_a_law_with_corners),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
