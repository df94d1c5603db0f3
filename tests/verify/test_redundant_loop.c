/* A planar loop that floats, in millimetres: three of its rows are redundant. They contradict each
 * other by rounding, and off the constraints by more. Both ended runs that are sound. */
#include "verify/typed.h"
#include <math.h>

#define HEADER "trammel: 1\nunits: mm-t-s-N\ngravity: [-5900, -6900, 3600]\n"

/* tdg: rounding of the largest row, left in a row of 1e-7 of its size, was a matrix "singular to
 * working precision" with a backward error of 1.5e-9. */
static const char rounded[] = HEADER
    "bodies:\n"
    "  a: {mass: 1.4e-3, inertia: [6, 9, 4], at: [-450, 136, 43],\n"
    "      orientation: {vector: [0.4, -0.6, -0.5]}}\n"
    "  b: {mass: 6e-3, inertia: [37, 110, 87], at: [495, 159, 317],\n"
    "      orientation: {vector: [0.4, 0.6, 0.9]}}\n"
    "  c: {mass: 5e-4, inertia: [10, 9, 18], at: [-504, -100, -362],\n"
    "      orientation: {vector: [-1, -0.2, 0.8]}}\n"
    "  d: {mass: 4e-4, inertia: [8, 8, 9], at: [513, -391, 104],\n"
    "      orientation: {vector: [0.9, -0.5, 0.1]}}\n"
    "  e: {mass: 2e-3, inertia: [65, 36, 46], at: [-493, -565, -50],\n"
    "      orientation: {vector: [0.8, -0.4, -0.7]}}\n"
    "  g: {mass: 1e-3, inertia: [23, 20, 12], at: [-88, 11, 297],\n"
    "      orientation: {vector: [0.4, 0, -0.9]}}\n"
    "joints:\n"
    "  slide: {type: translational, bodies: [a, b], at: [-376, -475, -392], axis: [1, 0, 0]}\n"
    "  hinge: {type: revolute, bodies: [a, c], at: [198, -396, -357], axis: [0, 0.6, 0.8]}\n"
    "  plane: {type: planar, bodies: [b, d], at: [414, 311, 615], axis: [0, 0.6, 0.8]}\n"
    "  knee: {type: revolute, bodies: [d, c], at: [525, -544, -481], axis: [0, 0.6, 0.8]}\n"
    "  arm: {type: translational, bodies: [g, c], at: [-388, 518, 247], axis: [0, 0.6, 0.8]}\n"
    "  hand: {type: planar, bodies: [g, e], at: [628, -492, -339], axis: [0, 0.6, 0.8]}\n"
    "forces:\n"
    "  f: {type: spring, bodies: [g, ground],\n"
    "      points: [[505, -239, -153], [-271, 392, -242]], stiffness: 0.06}\n"
    "equations:\n"
    "  states: {u: {value: 0.1, rate: \"(hand.angle - u)/0.06\"}}\n"
    "  discrete: {k: 0}\n"
    "  events: {tick: {every: 0.0475, set: {k: hinge.angle}}}\n";

/* radau, tdg: at the event inside a step, on its polynomial, redundant rows contradict each other
 * by 2e-7 of the accelerations, which was "an algebraic loop does not converge". */
static const char between[] = HEADER
    "bodies:\n"
    "  a: {mass: 1.4e-3, inertia: [6, 9, 4], at: [95, 29, -306],\n"
    "      orientation: {vector: [0.3, 0.3, -0.6]}}\n"
    "  b: {mass: 6e-3, inertia: [37, 110, 87], at: [314, -267, 292],\n"
    "      orientation: {vector: [0.6, 0.1, 0.5]}}\n"
    "  c: {mass: 5e-4, inertia: [10, 9, 18], at: [-529, -358, 249],\n"
    "      orientation: {vector: [0.7, -0.9, 0.6]}}\n"
    "  d: {mass: 4e-4, inertia: [8, 8, 9], at: [-224, -299, -210],\n"
    "      orientation: {vector: [0.6, 0.4, 0]}}\n"
    "  e: {mass: 2e-3, inertia: [65, 36, 46], at: [571, -111, -541],\n"
    "      orientation: {vector: [0.6, 0.5, -0.3]}}\n"
    "  g: {mass: 1e-3, inertia: [23, 20, 12], at: [285, -228, 24],\n"
    "      orientation: {vector: [0.4, -0.4, 0.6]}}\n"
    "joints:\n"
    "  slide: {type: translational, bodies: [a, b], at: [-479, 121, -11], axis: [1, 0, 0]}\n"
    "  hinge: {type: revolute, bodies: [a, c], at: [23, -461, -413], axis: [0, 0.6, 0.8]}\n"
    "  plane: {type: planar, bodies: [b, d], at: [411, -687, -46], axis: [0, 0.6, 0.8]}\n"
    "  knee: {type: revolute, bodies: [d, c], at: [-275, -432, -363], axis: [0, 0.6, 0.8]}\n"
    "  arm: {type: translational, bodies: [g, c], at: [-65, -40, 194], axis: [1, 0, 0]}\n"
    "  hand: {type: planar, bodies: [g, e], at: [170, -66, 485], axis: [0, 0.6, 0.8]}\n"
    "forces:\n"
    "  f: {type: spring, bodies: [g, ground],\n"
    "      points: [[495, 586, -304], [549, 367, 129]], stiffness: 0.06}\n"
    "equations:\n"
    "  states: {u: {value: 0.1, rate: \"(hand.angle - u)/0.06\"}}\n"
    "  discrete: {k: 0}\n"
    "  events: {tick: {every: 0.0475, set: {k: hinge.angle}}}\n";

enum { COORDINATES = 6 * 7 };

static void run(const char *text, const char *method, double tolerance, double *q) {
  typed model = typed_text(text, "loop", NULL);
  model.options.end = 0.2;
  trm_sim *sim = typed_sim(&model, method, tolerance);
  kit_run(sim);
  memcpy(q, trm_sim_state(sim)->q, COORDINATES * sizeof *q);
  trm_sim_free(sim);
  typed_close(&model);
}

/* Positions at the end, within .5 mm of those of another method. */
static void compare(const char *text, const char *method) {
  double truth[COORDINATES], q[COORDINATES], most = 0.0;
  run(text, "explicit", 1e-9, truth);
  run(text, method, 1e-5, q);
  for (int i = 0; i < COORDINATES; i++) most = fmax(most, fabs(q[i] - truth[i]));
  CHECK_NEAR(most, 0.0, 0.5, "%s", method);
}

static void rounding_is_no_singular_matrix(void **state) {
  (void)state;
  compare(rounded, "tdg");
  compare(rounded, "radau");
}

static void events_inside_steps_have_accelerations(void **state) {
  (void)state;
  compare(between, "radau");
  compare(between, "tdg");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rounding_is_no_singular_matrix),
      cmocka_unit_test(events_inside_steps_have_accelerations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
