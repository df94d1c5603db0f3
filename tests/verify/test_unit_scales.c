/* Default scales are one metre, one radian, one second, whatever the units of a model are: the same
 * mechanism in other units takes the same steps and gives the same motion.
 *
 * All numbers of the texts have units, and outputs are plain numbers; only `units` changes. Angles
 * are in radians in every set of units: degrees are a way to write them. */
#include "methods.h"
#include "verify/mechanics.h"

static const struct {
  const char *words;
  double      second; /* in its unit of time */
} units[] = {{"SI", 1.0}, {"mm-t-s-N", 1.0}, {"N-kg-ms-mm", 1e3}, {"lbf-lbm-in-s", 1.0},
             {"{length: km, mass: g, time: min}", 1.0 / 60}};
enum { UNITS = sizeof units / sizeof *units, OUTPUTS = 3 };

/* What a run is judged by. */
typedef struct result {
  long   steps; /* 0: the method is not for this system, and says so */
  double outputs[OUTPUTS];
} result;

static result run_in(int unit, const char *rest, const char *integrator, double tolerance,
                     double end) {
  char text[2048];
  const int length = snprintf(text, sizeof text, "trammel: 1\nunits: %s\n%s", units[unit].words,
                              rest);
  assert_true(length > 0 && length < (int)sizeof text);
  typed m = typed_text(text, "test", NULL);
  assert_int_equal(trm_system_count(m.system, TRM_OUTPUT), OUTPUTS);
  trm_options o = trm_options_default();
  o.integrator = integrator;
  o.tolerance = tolerance;
  o.end = end * units[unit].second;
  if (strcmp(integrator, "radau") == 0) {
    /* its orders and its iterations follow the rate of Newton, in which the last corrections of a
     * step, rounding alone, have a part: one order and iterations nearly to rounding have not */
    o.newton_tolerance = 1e-11;
    o.max_order = 5;
  }
  result r = {.steps = 0};
  if (method_refuses(m.system, &o)) {
    typed_close(&m);
    return r;
  }
  trm_sim *sim = kit_sim(m.system, &o);
  kit_run(sim);
  r.steps = trm_sim_counters(sim)->steps;
  trm_error err = {.message = ""};
  CHECK_OK(trm_sim_outputs(sim, r.outputs, &err), err);
  trm_sim_free(sim);
  typed_close(&m);
  return r;
}

/* Every decision is made in scaled numbers, so all units take the same way and rounding alone is
 * different: exactly as many steps, unless a test is decided by the last digits. Outputs: 1e-16
 * times the steps, which the motions enlarge up to a thousand times; what Newton leaves, 1e-4 of
 * the tolerance, is the same in all units. Derivatives in `smooth` are differences over 1e-5 of the
 * scales: rounding is 1e-11 there. */
static void check_all_units(const char *what, const char *rest, double end) {
  const double tolerance = 1e-7;
  const int count = every_method();
  for (int k = 0; k < count; k++) {
    const double same = strcmp(methods[k], "smooth") == 0 ? 1e-8 : 1e-9;
    const result si = run_in(0, rest, methods[k], tolerance, end);
    print_message("%s, %s: %ld steps, %.9g\n", what, methods[k], si.steps, si.outputs[0]);
    for (int u = 1; u < UNITS; u++) {
      const result other = run_in(u, rest, methods[k], tolerance, end);
      CHECK_NEAR((double)other.steps, (double)si.steps, 0.0, "%s, %s, steps in %s", what,
                 methods[k], units[u].words);
      for (int i = 0; i < OUTPUTS; i++) {
        CHECK_NEAR(other.outputs[i], si.outputs[i], same * fmax(1.0, fabs(si.outputs[i])),
                   "%s, %s, output %d in %s", what, methods[k], i, units[u].words);
      }
    }
  }
}

static void block_slides_the_same_in_every_unit(void **state) {
  (void)state;
  check_all_units("block",
                  "bodies: {block: {mass: 2 kg, inertia: [1e-3 kg*m^2, 1e-3 kg*m^2, 1e-3 kg*m^2],\n"
                  "                 velocity: [0.4 m/s, 0, 0]}}\n"
                  "joints: {guide: {type: translational, bodies: [ground, block], at: [0, 0, 0],\n"
                  "                 axis: [1, 0, 0]}}\n"
                  "forces: {spring: {type: spring, bodies: [ground, block], stiffness: 300 N/m,\n"
                  "         points: [[1 m, 0, 0], [0, 0, 0]], length: 0.8 m, damping: 1 N*s/m}}\n"
                  "outputs: {s: block.x/(1 m), v: block.vx*(1 s/m), load: spring.force/(1 N)}\n",
                  1.0);
}

static void slider_crank_is_the_same_in_every_unit(void **state) {
  (void)state;
  check_all_units(
      "slider crank",
      "gravity: [0, -9.81 m/s^2, 0]\n"
      "parameters: {i: 1e-3 kg*m^2, J: 0.042 kg*m^2}\n"
      "bodies:\n"
      "  crank: {mass: 1 kg, inertia: [i, i, i], at: [0.1 m, 0, 0]}\n"
      "  rod: {mass: 2 kg, inertia: [i, J, J], at: [0.45 m, 0, 0]}\n"
      "  slider: {mass: 3 kg, inertia: [i, i, i], at: [0.7 m, 0, 0]}\n"
      "joints:\n"
      "  pin: {type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: [0, 0, 1]}\n"
      "  knee: {type: revolute, bodies: [crank, rod], at: [0.2 m, 0, 0], axis: [0, 0, 1]}\n"
      "  wrist: {type: spherical, bodies: [rod, slider], at: [0.7 m, 0, 0]}\n"
      "  guide: {type: translational, bodies: [ground, slider], at: [0.7 m, 0, 0],\n"
      "          axis: [1, 0, 0]}\n"
      "outputs: {s: slider.x/(1 m), w: crank.wz*(1 s), load: pin.force.y/(1 N)}\n",
      0.4);
}

/* Rows that tie coordinates, that are expressions, that follow a law, and that roll. */
static void rows_of_all_kinds_are_the_same_in_every_unit(void **state) {
  (void)state;
  check_all_units(
      "rows",
      "gravity: [0, 0, -9.81 m/s^2]\n"
      "parameters: {i: 0.01 kg*m^2, r: 0.25 m, k: 0.3 N*m}\n"
      "bodies:\n"
      "  a: {mass: 1 kg, inertia: [i, i, i], at: [0, 0, 1 m]}\n"
      "  b: {mass: 1 kg, inertia: [i, i, i], at: [0, 0.4 m, 1 m]}\n"
      "  nut: {mass: 1 kg, inertia: [i, i, i], at: [0.3 m, 0, 1 m]}\n"
      "  plate: {mass: 1 kg, inertia: [i, i, i], at: [2 m, 0, 0]}\n"
      "  wheel: {mass: 1 kg, inertia: [i, 2*i, i], at: [0, 3 m, r*cos(0.2)],\n"
      "          orientation: {vector: [0.2, 0, 0]}, velocity: [3 m/s, 0, 0],\n"
      "          angular_velocity: [0, 12 rad/s, 0]}\n"
      "joints:\n"
      "  first: {type: revolute, bodies: [ground, a], at: [0, 0, 1 m], axis: [1, 0, 0]}\n"
      "  second: {type: revolute, bodies: [ground, b], at: [0, 0.4 m, 1 m], axis: [1, 0, 0]}\n"
      "  mesh: {type: gear, joints: [first, second], ratio: -2}\n"
      "  thread: {type: screw, bodies: [a, nut], at: [0.3 m, 0, 1 m], axis: [1, 0, 0],\n"
      "           pitch: 8 mm}\n"
      "  table: {type: planar, bodies: [ground, plate], at: [2 m, 0, 0], axis: [0, 0, 1]}\n"
      "  slot: {type: constraint, equals: plate.x^2 + plate.y^2 - 4 m^2}\n"
      "  rim: {type: rolling, bodies: [ground, wheel], at: [0, 3 m, r*cos(0.2)],\n"
      "        axis: [0, cos(0.2), sin(0.2)], radius: r, normal: [0, 0, 1]}\n"
      "motions: {turn: {of: plate.y, position: 0.2 m*sin(3*time/(1 s))}}\n"
      "forces: {push: {type: joint, joint: first, value: k}}\n"
      "outputs: {x: wheel.x/(1 m), w: a.wx*(1 s), s: nut.x/(1 m)}\n",
      0.5);
}

/* Typed: a row of squares, one that rolls is in the models above, a state and a modal amplitude. */
static void typed_equations_are_the_same_in_every_unit(void **state) {
  (void)state;
  check_all_units("typed",
                  "parameters: {m: 1 kg, L: 0.5 m, W: 9.81 N, T: 0.1 s, k: 40 N/m}\n"
                  "equations:\n"
                  "  coordinates:\n"
                  "    x: 0.5 m\n"
                  "    y: 0 m\n"
                  "    b: {value: 1 mm, kind: modal}\n"
                  "  states: {p: {value: 0 m, rate: (x - p)/T}}\n"
                  "  mass: {x: m, y: m, b: 0.1 kg}\n"
                  "  potential: W*y + 0.5*k*b^2\n"
                  "  forces: {x: -k*0.02*p}\n"
                  "  constraints: {rod: x^2 + y^2 - L^2}\n"
                  "outputs: {x: x/(1 m), b: b/(1 m), p: p/(1 m)}\n",
                  1.0);
}

/* 63 rad/s against 4: `smooth` is for this one, and all others resolve it. */
static void averaged_vibrations_are_the_same_in_every_unit(void **state) {
  (void)state;
  static const char rest[] =
      "gravity: [0, -9.81 m/s^2, 0]\n"
      "bodies:\n"
      "  arm: {type: point, mass: 1 kg, at: [0.6 m, 0, 0]}\n"
      "  tip: {type: point, mass: 0.5 kg, at: [1 m, -0.3 m, 0], velocity: [0, 0.2 m/s, 0]}\n"
      "joints: {rod: {type: distance, bodies: [ground, arm], points: [[0, 0, 0], [0.6 m, 0, 0]]}}\n"
      "forces:\n"
      "  link: {type: spring, bodies: [arm, tip], points: [[0.6 m, 0, 0], [1 m, -0.3 m, 0]],\n"
      "         stiffness: 2 N/mm, length: 499 mm, vibrations: averaged}\n"
      "outputs: {x: tip.x/(1 m), v: tip.vy*(1 s/m), load: rod.force.x/(1 N)}\n";
  check_all_units("averaged", rest, 0.5);
  assert_true(run_in(0, rest, "smooth", 1e-7, 0.5).steps > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(averaged_vibrations_are_the_same_in_every_unit),
      cmocka_unit_test(block_slides_the_same_in_every_unit),
      cmocka_unit_test(slider_crank_is_the_same_in_every_unit),
      cmocka_unit_test(rows_of_all_kinds_are_the_same_in_every_unit),
      cmocka_unit_test(typed_equations_are_the_same_in_every_unit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
