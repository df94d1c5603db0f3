/* loop.c - runs of the time loop alone: a problem, typed equations, bodies with joints. Prints the
 * state at the end, for tests/wasm/compare.py. */
#include "trammel/mechanism.h"
#include "trammel/sim.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static trm_error err;

static void check(trm_status status) {
  if (status == TRM_OK) return;
  fprintf(stderr, "%s %s\n", err.object, err.message);
  exit(1);
}

/* models/pushed-cart.yaml */
static trm_system *cart(void) {
  trm_mechanism *m;
  trm_system *system;
  static const char *const parameters[][2] = {
      {"M", "1 kg"}, {"m", "0.5 kg"}, {"l", "0.8 m"}, {"g", "9.81 m/s^2"}};
  check(trm_mechanism_create(NULL, &m, &err));
  for (int i = 0; i < 4; i++) {
    check(trm_add_parameter(m, parameters[i][0], parameters[i][1], &err));
  }
  const trm_input_def push = trm_input_default();
  const trm_coordinate_def coordinate = trm_coordinate_default();
  const trm_energies_def energies = {
      .kinetic = "0.5*M*x'^2 + 0.5*m*(x'^2 + 2*l*x'*phi'*cos(phi) + l^2*phi'^2)",
      .potential = "-m*g*l*cos(phi)"};
  trm_part part;
  check(trm_add_input(m, "push", &push, &part, &err));
  check(trm_set_text(m, part, "value", "1 N", &err));
  check(trm_add_coordinate(m, "x", &coordinate, &part, &err));
  check(trm_set_text(m, part, "value", "0 m", &err));
  check(trm_add_coordinate(m, "phi", &coordinate, &part, &err));
  check(trm_set_text(m, part, "value", "0 rad", &err));
  check(trm_set_energies(m, &energies, NULL, &err));
  check(trm_add_coordinate_force(m, "x", &(trm_coordinate_force_def){"push"}, NULL, &err));
  check(trm_mechanism_build(m, NULL, &system, &err));
  trm_mechanism_free(m);
  return system;
}

/* tests/wasm/swing.yaml: two bodies, two hinges, a spring. */
static trm_system *swing(void) {
  trm_mechanism *m;
  trm_system *system;
  trm_world_def world = trm_world_default();
  trm_body_def body = trm_body_default();
  trm_revolute_def hinge = trm_revolute_default();
  trm_spring_def spring = trm_spring_default();
  static const char *const names[] = {"ground", "upper", "lower"};
  check(trm_mechanism_create(NULL, &m, &err));
  world.gravity[0] = world.gravity[1] = 0.0, world.gravity[2] = -9.81;
  check(trm_set_world(m, &world, NULL, &err));
  for (int i = 0; i < 2; i++) {
    body.mass = 1.0, body.at[0] = 0.5 + i, body.at[1] = body.at[2] = 0.0;
    body.inertia[0] = 0.01, body.inertia[1] = body.inertia[2] = 0.1;
    check(trm_add_body(m, names[i + 1], &body, NULL, &err));
    hinge.bodies[0] = names[i], hinge.bodies[1] = names[i + 1];
    hinge.at[0] = i, hinge.at[1] = hinge.at[2] = 0.0;
    hinge.axis[0] = hinge.axis[2] = 0.0, hinge.axis[1] = 1.0;
    check(trm_add_revolute(m, i == 0 ? "top" : "middle", &hinge, NULL, &err));
  }
  spring.bodies[0] = "ground", spring.bodies[1] = "lower";
  const double points[6] = {2.0, 0.0, 1.0, 2.0, 0.0, 0.0};
  memcpy(spring.points, points, sizeof points);
  spring.stiffness = 20.0, spring.damping = 1.0, spring.length = 0.5;
  check(trm_add_spring(m, "strut", &spring, NULL, &err));
  check(trm_mechanism_build(m, NULL, &system, &err));
  trm_mechanism_free(m);
  return system;
}

static trm_system *problem(const char *name) {
  trm_system *system;
  const trm_problem *found = trm_problem_find(name);
  if (found == NULL) exit(2);
  check(trm_problem_create(found, NULL, 0, NULL, &system, &err));
  return system;
}

int main(int argc, char **argv) {
  if (argc != 5) return 2; /* NAME INTEGRATOR TOLERANCE END */
  trm_system *system = strcmp(argv[1], "pushed-cart") == 0 ? cart()
                       : strcmp(argv[1], "swing") == 0     ? swing()
                                                           : problem(argv[1]);
  trm_options options = trm_options_default();
  trm_sim *sim;
  options.integrator = argv[2], options.tolerance = atof(argv[3]), options.end = atof(argv[4]);
  check(trm_sim_create(system, &options, &sim, &err));
  check(trm_sim_run(sim, &err));
  const trm_state *s = trm_sim_state(sim);
  for (int i = 0; i < trm_system_count(system, TRM_Q); i++) printf("q %.17g\n", s->q[i]);
  for (int i = 0; i < trm_system_count(system, TRM_V); i++) printf("v %.17g\n", s->v[i]);
  printf("steps %ld\n", trm_sim_counters(sim)->steps);
  trm_sim_free(sim);
  trm_system_free(system);
  return 0;
}
