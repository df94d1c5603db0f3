/* test_mechanism_builder.c - mechanisms from C: structs, the same bits as from a file, faults. */
#include "fault/memory.h"
#include "parts/kinds.h"
#include "trammel/mechanism.h"
#include "verify/typed.h"
#include <math.h>

/* ---- structs -------------------------------------------------------------------------------- */

static size_t size_of(const trmi_field *field) {
  switch (field->store) {
  case TRMI_STORE_NUMBERS: return (size_t)field->room * sizeof(double);
  case TRMI_STORE_COUNT: return sizeof(int);
  case TRMI_STORE_TEXTS: return (size_t)field->room * sizeof(char *);
  case TRMI_STORE_LIST: return sizeof(trm_numbers);
  default: return 0;
  }
}

/* Members follow each other in the order of the table, without a gap that is more than alignment,
 * and the last one ends the struct. */
static void every_member_has_its_row(void **state) {
  (void)state;
  const trmi_kind *kind;
  for (int g = TRMI_NO_PARTS + 1; g < TRMI_PART_GROUPS; g++) {
    for (int i = 0; (kind = trmi_kind_at((trmi_part_group)g, i)) != NULL; i++) {
      size_t end = 0;
      for (int k = 1; k < kind->nfields; k++) {
        const trmi_field *field = &kind->fields[k];
        assert_non_null(field->meaning);
        if (field->store == TRMI_STORE_NONE) continue;
        if (field->offset < end || field->offset >= end + sizeof(double)) {
          fail_msg("%s: %s at %zu after %zu", kind->type, field->path, field->offset, end);
        }
        end = field->offset + size_of(field);
      }
      assert_true(kind->size >= end && kind->size < end + sizeof(double));
    }
  }
}

static void nothing_is_given_by_default(void **state) {
  (void)state;
  const trm_bushing_def bushing = trm_bushing_default();
  const trm_beam_def beam = trm_beam_default();
  assert_true(isnan(bushing.stiffness[0]) && isnan(bushing.stiffness[35]));
  assert_true(bushing.bodies[0] == NULL && bushing.markers[1] == NULL);
  assert_true(beam.points.list == NULL && beam.points.count == 0 && beam.elements == 0);
}

/* ---- the same bits as from a file ----------------------------------------------------------- */

static const char text[] =
    "trammel: 1\n"
    "gravity: [0, 0, -9.81]\n"
    "parameters: {k: 300, rest: 0.1*2}\n"
    "tables: {t: {x: [0, 0.1, 0.3, 0.6], y: [0, 1, 0.5, 2], interpolation: cubic}}\n"
    "bodies:\n"
    "  crank:\n"
    "    density: 7800\n"
    "    at: [0.1, 0, 0]\n"
    "    velocity: [0, 0, 0.2]\n"
    "    angular_velocity: [0, -2, 0]\n"
    "    shape: {cylinder: {from: [-0.1, 0, 0], to: [0.1, 0, 0], radius: 0.01}}\n"
    "    markers: {end: {at: [0.1, 0, 0], orientation: {vector: [0, 0.3, 0]}}}\n"
    "  ball: {type: point, mass: 0.3, at: [0.2, 0, -0.4]}\n"
    "joints:\n"
    "  pin:\n"
    "    type: revolute\n"
    "    bodies: [ground, crank]\n"
    "    at: [0, 0, 0]\n"
    "    axis: [0, 1, 0]\n"
    "    friction: {dynamic: 0.1, radius: 0.02, velocity: 0.05}\n"
    "    limits: {lower: -3, upper: 3, stiffness: 50, damping: 0.1}\n"
    "forces:\n"
    "  strut: {type: spring, markers: [crank.end, ball], stiffness: k, damping: 0.5,\n"
    "          length: rest}\n"
    "  wind: {type: force, body: ball, force: [\"CUBSPL(time, 0, t)\", 0, 1.25]}\n"
    "  rubber: {type: bushing, bodies: [ground, crank], at: [0, 0, 0],\n"
    "           stiffness: [1, 2, 3, 0.1, 0.2, 0.3]}\n"
    "outputs: {length: strut.length, angle: pin.angle}\n";

/* The same by calls; a status that is not TRM_OK ends it. */
static trm_status add_all(trm_mechanism *m, trm_error *err) {
  static const double x[] = {0, 0.1, 0.3, 0.6}, y[] = {0, 1, 0.5, 2};
  const trm_table_def table = {.x = {x, 4}, .y = {y, 4}, .interpolation = "cubic"};
  trm_part part, wind;
  trm_world_def world = trm_world_default();
  trm_body_def crank = trm_body_default();
  trm_point_def ball = trm_point_default();
  trm_cylinder_def cylinder = trm_cylinder_default();
  trm_marker_def end = trm_marker_default();
  trm_revolute_def pin = trm_revolute_default();
  trm_spring_def strut = trm_spring_default();
  trm_force_def push = trm_force_default();
  trm_bushing_def rubber = trm_bushing_default();
  for (int i = 0; i < 3; i++) {
    world.gravity[i] = i == 2 ? -9.81 : 0.0;
    crank.at[i] = i == 0 ? 0.1 : 0.0;
    crank.velocity[i] = i == 2 ? 0.2 : 0.0;
    crank.angular_velocity[i] = i == 1 ? -2.0 : 0.0;
    cylinder.from[i] = i == 0 ? -0.1 : 0.0;
    cylinder.to[i] = end.at[i] = i == 0 ? 0.1 : 0.0;
    end.orientation_vector[i] = i == 1 ? 0.3 : 0.0;
    pin.at[i] = rubber.at[i] = 0.0;
    pin.axis[i] = i == 1 ? 1.0 : 0.0;
    rubber.stiffness[i] = i + 1.0;
    push.force[i] = i == 2 ? 1.25 : 0.0;
  }
  rubber.stiffness[3] = 0.1, rubber.stiffness[4] = 0.2, rubber.stiffness[5] = 0.3;
  crank.density = 7800;
  cylinder.radius = 0.01;
  ball.mass = 0.3, ball.at[0] = 0.2, ball.at[1] = 0.0, ball.at[2] = -0.4;
  pin.bodies[0] = rubber.bodies[0] = "ground", pin.bodies[1] = rubber.bodies[1] = "crank";
  pin.friction_dynamic = 0.1, pin.friction_radius = 0.02, pin.friction_velocity = 0.05;
  pin.limits_lower = -3, pin.limits_upper = 3, pin.limits_stiffness = 50, pin.limits_damping = 0.1;
  strut.markers[0] = "crank.end", strut.markers[1] = "ball", strut.damping = 0.5;
  push.body = "ball";
  TRMI_TRY(err, trm_set_world(m, &world, NULL, err));
  TRMI_TRY(err, trm_add_parameter(m, "k", "300", err));
  TRMI_TRY(err, trm_add_parameter(m, "rest", "0.1*2", err));
  TRMI_TRY(err, trm_add_table(m, "t", &table, NULL, err));
  TRMI_TRY(err, trm_add_body(m, "crank", &crank, &part, err));
  TRMI_TRY(err, trm_add_cylinder(m, part, "shape", &cylinder, NULL, err));
  TRMI_TRY(err, trm_add_marker(m, part, "end", &end, NULL, err));
  TRMI_TRY(err, trm_add_point(m, "ball", &ball, NULL, err));
  TRMI_TRY(err, trm_add_revolute(m, "pin", &pin, NULL, err));
  TRMI_TRY(err, trm_add_spring(m, "strut", &strut, &part, err));
  TRMI_TRY(err, trm_set_text(m, part, "stiffness", "k", err));
  TRMI_TRY(err, trm_set_text(m, part, "length", "rest", err));
  TRMI_TRY(err, trm_add_force(m, "wind", &push, &wind, err));
  TRMI_TRY(err, trm_set_text(m, wind, "force.1", "CUBSPL(time, 0, t)", err));
  TRMI_TRY(err, trm_add_bushing(m, "rubber", &rubber, NULL, err));
  TRMI_TRY(err, trm_add_output(m, "length", &(trm_output_def){"strut.length"}, NULL, err));
  return trm_add_output(m, "angle", &(trm_output_def){"pin.angle"}, NULL, err);
}

static void run(trm_system *system, double *numbers) {
  trm_options options = trm_options_default();
  trm_sim *sim;
  trm_error err;
  options.end = 0.5;
  CHECK_OK(trm_sim_create(system, &options, &sim, &err), err);
  CHECK_OK(trm_sim_run(sim, &err), err);
  const trm_state *s = trm_sim_state(sim);
  memcpy(numbers, s->q, 10 * sizeof *numbers);
  memcpy(numbers + 10, s->v, 9 * sizeof *numbers);
  memcpy(numbers + 19, s->lam, 5 * sizeof *numbers);
  trm_sim_free(sim);
}

static void c_and_a_file_give_the_same_bits(void **state) {
  (void)state;
  trm_error err;
  trm_mechanism *mechanism;
  trm_system *system;
  double from_file[24], from_c[24];
  typed m = typed_text(text, "text", NULL);
  CHECK_OK(trm_mechanism_create(NULL, &mechanism, &err), err);
  CHECK_OK(add_all(mechanism, &err), err);
  for (int i = 0; i < 2; i++) { /* a mechanism can be built again */
    CHECK_OK(trm_mechanism_build(mechanism, NULL, &system, &err), err);
    assert_int_equal(trm_system_sizes(system)->noutputs, 2);
    run(m.system, from_file);
    run(system, from_c);
    assert_memory_equal(from_c, from_file, sizeof from_c);
    trm_system_free(system);
  }
  trm_mechanism_free(mechanism);
  typed_close(&m);
}

/* A bouncing pendulum with a filter and a counter, typed. */
static const char typed_equations[] =
    "trammel: 1\n"
    "parameters: {e: 0.7}\n"
    "equations:\n"
    "  coordinates: {x: {value: 0.6, velocity: 0.1, scale: 0.5}, y: {guess: -0.7}}\n"
    "  kinetic: 0.5*(x'^2 + y'^2)\n"
    "  potential: 9.81*y\n"
    "  forces: {x: -0.1*x'}\n"
    "  constraints: {rod: x^2 + y^2 - 1}\n"
    "  states: {f: {value: 0.2, rate: (w - f)/0.1}}\n"
    "  variables: {w: x + y}\n"
    "  discrete: {n: 0}\n"
    "  events: {hit: {when: x, direction: falling,\n"
    "                 set: {n: n + 1, \"x'\": -e*x', \"y'\": -e*y'}}}\n"
    "outputs: {n: n, w: w}\n";

static trm_status add_event(trm_mechanism *m, trm_error *err) {
  static const char *const set[][2] = {{"n", "n + 1"}, {"x'", "-e*x'"}, {"y'", "-e*y'"}};
  trm_event_def hit = trm_event_default();
  trm_part part;
  hit.when = "x", hit.direction = "falling";
  TRMI_TRY(err, trm_add_event(m, "hit", &hit, &part, err));
  for (int i = 0; i < 3; i++) {
    const trm_assignment_def value = {set[i][1]};
    TRMI_TRY(err, trm_add_assignment(m, part, set[i][0], &value, NULL, err));
  }
  return TRM_OK;
}

static trm_status add_equations(trm_mechanism *m, trm_error *err) {
  const trm_energies_def energies = {.kinetic = "0.5*(x'^2 + y'^2)", .potential = "9.81*y"};
  trm_coordinate_def x = trm_coordinate_default(), y = trm_coordinate_default();
  trm_state_def f = trm_state_default();
  trm_variable_def w = trm_variable_default();
  const trm_discrete_def n = {.value = 0.0};
  const trm_coordinate_force_def drag = {"-0.1*x'"};
  trm_part part;
  x.value = 0.6, x.velocity = 0.1, x.scale = 0.5, y.guess = -0.7;
  f.value = 0.2, f.rate = "-f", w.equals = "x + y";
  TRMI_TRY(err, trm_add_parameter(m, "e", "0.7", err));
  TRMI_TRY(err, trm_set_energies(m, &energies, NULL, err));
  TRMI_TRY(err, trm_add_coordinate(m, "x", &x, NULL, err));
  TRMI_TRY(err, trm_add_coordinate(m, "y", &y, NULL, err));
  TRMI_TRY(err, trm_add_coordinate_force(m, "x", &drag, NULL, err));
  TRMI_TRY(err, trm_add_holonomic(m, "rod", &(trm_holonomic_def){"x^2 + y^2 - 1"}, NULL, err));
  TRMI_TRY(err, trm_add_state(m, "f", &f, &part, err));
  TRMI_TRY(err, trm_set_text(m, part, "rate", "(w - f)/0.1", err));
  TRMI_TRY(err, trm_add_variable(m, "w", &w, NULL, err));
  TRMI_TRY(err, trm_add_discrete(m, "n", &n, NULL, err));
  TRMI_TRY(err, add_event(m, err));
  TRMI_TRY(err, trm_add_output(m, "n", &(trm_output_def){"n"}, NULL, err));
  return trm_add_output(m, "w", &(trm_output_def){"w"}, NULL, err);
}

static void typed_equations_give_the_same_bits(void **state) {
  (void)state;
  trm_error err;
  trm_mechanism *mechanism;
  trm_system *system;
  trm_options options = trm_options_default();
  double numbers[2][6];
  typed m = typed_text(typed_equations, "text", NULL);
  CHECK_OK(trm_mechanism_create(NULL, &mechanism, &err), err);
  CHECK_OK(add_equations(mechanism, &err), err);
  CHECK_OK(trm_mechanism_build(mechanism, NULL, &system, &err), err);
  options.end = 3.0;
  for (int i = 0; i < 2; i++) {
    trm_sim *sim;
    CHECK_OK(trm_sim_create(i == 0 ? m.system : system, &options, &sim, &err), err);
    CHECK_OK(trm_sim_run(sim, &err), err);
    const trm_state *s = trm_sim_state(sim);
    const double all[6] = {s->q[0], s->q[1], s->v[0], s->v[1], s->x[0], s->z[0]};
    memcpy(numbers[i], all, sizeof all);
    trm_sim_free(sim);
  }
  assert_true(numbers[0][5] >= 1.0); /* it has hit */
  assert_memory_equal(numbers[0], numbers[1], sizeof numbers[0]);
  trm_system_free(system);
  trm_mechanism_free(mechanism);
  typed_close(&m);
}

/* ---- faults --------------------------------------------------------------------------------- */

static void refuses(trm_status status, const trm_error *err, const char *sentence) {
  if (status != TRM_ERR_INPUT || strstr(err->message, sentence) == NULL) {
    fail_msg("status %d, '%s' is not in '%s'", (int)status, sentence, err->message);
  }
}

static void faults_have_a_sentence(void **state) {
  (void)state;
  trm_error err;
  trm_mechanism *m;
  trm_part part;
  trm_system *system;
  CHECK_OK(trm_mechanism_create(NULL, &m, &err), err);
  trm_body_def body = trm_body_default();
  body.mass = -1;
  refuses(trm_add_body(m, "b", &body, NULL, &err), &err, "body 'b': mass: -1 is out of range");
  body.mass = 1, body.density = 2;
  refuses(trm_add_body(m, "b", &body, NULL, &err), &err, "at most one of mass|density");
  body.density = NAN, body.start = "maybe";
  refuses(trm_add_body(m, "b", &body, NULL, &err), &err, "'maybe' is not a word for start");
  body.start = NULL, body.inertia[0] = body.inertia[1] = 1;
  refuses(trm_add_body(m, "b", &body, NULL, &err), &err, "'inertia' must have ");
  body.inertia[2] = 1;
  refuses(trm_add_body(m, "2b", &body, NULL, &err), &err, "'2b' cannot be a name");
  refuses(trm_add_body(m, "time", &body, NULL, &err), &err, "meaning of its own");
  CHECK_OK(trm_add_body(m, "b", &body, &part, &err), err);
  refuses(trm_add_body(m, "b", &body, NULL, &err), &err, "the name 'b' is used twice");
  refuses(trm_set_text(m, part, "stiffness", "1", &err), &err, "'b' has no value 'stiffness'");
  trm_motion_def motion = trm_motion_default();
  motion.joint = "pin";
  refuses(trm_add_motion(m, "m", &motion, NULL, &err), &err, "needs one of position|velocity");
  const trm_box_def box = trm_box_default();
  refuses(trm_add_box(m, part, "box", &box, NULL, &err), &err, "shape 'box': it has no 'size'");
  refuses(trm_mechanism_set_units(m, "N-kg-parsnip", &err), &err, "'parsnip' is not a unit");
  trm_spring_def spring = trm_spring_default();
  spring.bodies[0] = "b", spring.bodies[1] = "c", spring.stiffness = 1;
  CHECK_OK(trm_add_spring(m, "s", &spring, &part, &err), err);
  refuses(trm_mechanism_build(m, NULL, &system, &err), &err, "there is no body or marker 'c'");
  CHECK_OK(trm_set_text(m, part, "stiffness", "2 kg", &err), err);
  refuses(trm_mechanism_build(m, NULL, &system, &err), &err, "force 's': the value has the dim");
  assert_true(trm_find_part(m, "s", &part) && !trm_find_part(m, "none", &part));
  trm_mechanism_free(m);
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  for (long at = 1;; at++) {
    meter memory = {.fail_at = at};
    const trm_allocator allocator = meter_allocator(&memory);
    trm_mechanism *m;
    trm_system *system = NULL;
    trm_error err;
    trm_status status = trm_mechanism_create(&allocator, &m, &err);
    if (status == TRM_OK) status = add_all(m, &err);
    if (status == TRM_OK) status = trm_mechanism_build(m, &allocator, &system, &err);
    trm_system_free(system);
    trm_mechanism_free(m);
    assert_int_equal(memory.live, 0);
    if (memory.refused == 0) {
      CHECK_OK(status, err);
      return;
    }
    CHECK_STATUS(status, TRM_ERR_MEMORY);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_member_has_its_row),
    cmocka_unit_test(nothing_is_given_by_default),
    cmocka_unit_test(c_and_a_file_give_the_same_bits),
    cmocka_unit_test(typed_equations_give_the_same_bits),
    cmocka_unit_test(faults_have_a_sentence),
    cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
