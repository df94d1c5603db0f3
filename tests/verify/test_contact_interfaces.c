/* test_contact_interfaces.c - contacts of shapes on interfaces of flexible bodies: derivatives, a
 * light ball welded there instead, static load, energy, restarts, groups, names, C. */
#include "methods.h"
#include "trammel/analysis.h"
#include "trammel/mechanism.h"
#include "verify/analyses.h"
#include "verify/contact_runs.h"
#include "verify/mechanics.h"
#include <math.h>

/* A bar of 1 m along x, hinged or not; its interfaces end in `root` and `tip`. */
#define BAR(root, tip, modes) BAR_OF("2e9", root, tip, modes)
#define BAR_OF(E, root, tip, modes)                                                                \
  "flexible:\n  rod:\n    box: {size: [1, .03, .03], cells: [8, 1, 1]}\n"                          \
  "    material: {E: " E ", nu: .35, density: 1000}\n"                                             \
  "    interfaces: {root: {nodes: XMIN" root "}, tip: {nodes: XMAX" tip "}}\n"                     \
  "    modes: {fixed: 3" modes "}\n    damping: .01\n"
#define FLOOR "  ground: {shapes: {floor: {plane: {}}}}\n"
#define BALL ", shape: {sphere: {radius: .04}}"

#define PAD(at) ", shapes: {pad: {box: {" at "size: [.1, .2, .3], rounding: 5 mm}}}"
#define HEAD ", type: average, shape: {sphere: {at: [.1, 0, .05], radius: .2}}"

/* Rigid and averaging, with loads that stiffen: a box with eight points and a sphere against other
 * bodies, then against each other. The bar is soft and accelerations are small, or differences of
 * its elastic and inertia forces would have few digits. */
static void derivatives_match_differences(void **state) {
  (void)state;
  static const char law[] = "stiffness: 100, damping: .3,\n"
      "      friction: {static: .6, dynamic: .4, velocity: 8, depth: .7, torsion: .1}}\n";
  char text[2400];
  double out[4];
  snprintf(text, sizeof text, "trammel: 1\nbodies:\n" FLOOR
           "  b: {mass: 1, inertia: [.01, .02, .01], at: [.5, .06, -.12],\n"
           "      shape: {capsule: {from: [-1, 0, 0], to: [1, 0, 0], radius: .06}}}\n"
           BAR_OF("2e7", PAD(""), HEAD, ", stiffening: full")
           "    at: [0, 0, .01]\ncontacts:\n  c: {between: [rod.root, ground], %s"
           "  d: {between: [b, rod.tip], %soutputs: {n: c.touching, k: d.touching}\n", law, law);
  contact_check_blocks(text, out);
  assert_true(out[0] == 4.0 && out[1] == 1.0);
  snprintf(text, sizeof text, "trammel: 1\n"
           BAR_OF("2e7", PAD("at: [.9, 0, .05], "), HEAD, ", stiffening: full")
           "contacts:\n  e: {between: [rod.root.pad, rod.tip], %s"
           "outputs: {n: e.touching}\n", law);
  contact_check_blocks(text, out);
  assert_true(out[0] == 1.0);
}

/* Numbers of contacts in expressions: an event at a gap and a force of a force need them. */
static void derivatives_of_numbers_match_differences(void **state) {
  (void)state;
  double out[4];
  contact_check_blocks("trammel: 1\nbodies:\n" FLOOR "  b: {mass: 1, inertia: [.01, .02, .01]}\n"
      BAR_OF("2e7", BALL, BALL, ", stiffening: full") "    at: [0, 0, .01]\n"
      "contacts:\n  c: {between: [rod.root, ground], stiffness: 100, damping: .3,\n"
      "      friction: {static: .6, dynamic: .4, velocity: 8, depth: .7}}\n"
      "forces:\n  f: {type: force, body: b, force: [c.force*c.gap/(.1 m),\n"
      "      c.rate*(2 N*s/m), c.force.y + c.point.y*(3 N/m)]}\n"
      "outputs: {n: c.touching}\n", out);
  assert_true(out[0] == 1.0);
}

static void run_closely(const char *text, double *out) {
  typed m = typed_text(text, "scene", NULL);
  trm_error err = {.message = ""};
  trm_sim *sim = typed_sim(&m, "radau", 1e-8);
  CHECK_OK(trm_sim_run(sim, &err), err);
  CHECK_OK(trm_sim_outputs(sim, out, &err), err);
  trm_sim_free(sim);
  typed_close(&m);
}

/* The same motion as with a ball of 1e-6 of its mass on a fixed joint. */
static void it_moves_as_a_welded_ball(void **state) {
  (void)state;
  static const char rest[] = "contacts:\n  hit: {between: [%s, ground], stiffness: 1e6,\n"
      "        friction: {static: .4, dynamic: .3}}\n"
      "joints:\n  pin: {type: revolute, bodies: [ground, rod.root], axis: [0, 1, 0],\n"
      "        at: [0, .015, .115]}\n%s"
      "outputs: {z: rod.tip.z, x: rod.tip.x, w: \"pin.angle'\"}\nsimulate: {end: .3}\n";
  char end[900], own[1800], welded[1800];
  double a[4], b[4];
  snprintf(end, sizeof end, rest, "rod.tip", "");
  snprintf(own, sizeof own, "trammel: 1\ngravity: [0, 0, -9.81]\nbodies:\n" FLOOR
           BAR("", BALL, "") "    at: [0, 0, .1]\n%s", end);
  snprintf(end, sizeof end, rest, "ball", "  weld: {type: fixed, bodies: [rod.tip, ball]}\n");
  snprintf(welded, sizeof welded, "trammel: 1\ngravity: [0, 0, -9.81]\nbodies:\n" FLOOR
           "  ball: {mass: 1e-6, inertia: [1e-9, 1e-9, 1e-9], at: [1, .015, .115],\n"
           "         shape: {sphere: {radius: .04}}}\n" BAR("", "", "") "    at: [0, 0, .1]\n%s",
           end);
  run_closely(own, a);
  run_closely(welded, b);
  /* the ball adds 1e-6 of the mass, the tolerance is 1e-8; the tip falls .11 m */
  CHECK_NEAR(a[0], b[0], 3e-6, "height");
  CHECK_NEAR(a[1], b[1], 3e-6, "place");
  CHECK_NEAR(a[2], b[2], 3e-4, "rate");
}

/* Clamped at one end, the other lies on a stiff support: 3/8 of the weight is there, by a beam
 * without shear; the slenderness of 33 makes 1e-3 of it, Poisson's ratio at the clamp as much. */
static void a_tip_carries_three_eighths(void **state) {
  (void)state;
  typed m = typed_text("trammel: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
                       "  ground: {shapes: {ball: {sphere: {at: [1, .015, -.25], radius: .2}}}}\n"
                       BAR("", ", shape: {sphere: {radius: .065}}", "")
                       "joints: {clamp: {type: fixed, bodies: [ground, rod.root]}}\n"
                       "contacts: {c: {between: [rod.tip, ground], stiffness: 1e10}}\n"
                       "outputs: {load: c.force}\n", "tip", NULL);
  trm_error err = {.message = ""};
  trm_static *result = rest(m.system);
  double load;
  CHECK_OK(trm_system_values(trm_static_system(result), trm_static_state(result),
                             &(trm_values){.outputs = &load}, &err), err);
  const double weight = 1000 * 9e-4 * 9.81;
  CHECK_NEAR(load, .375 * weight, 5e-3 * weight, "load of the tip");
  trm_static_free(result);
  typed_close(&m);
}

/* Frictionless, undamped: energy drifts as the tolerance falls. */
static void energy_is_kept(void **state) {
  (void)state;
  static const char text[] = "trammel: 1\ngravity: [0, 0, -9.81]\nbodies:\n" FLOOR
      "flexible:\n  rod:\n    box: {size: [1, .03, .03], cells: [8, 1, 1]}\n"
      "    material: {E: 2e9, nu: .35, density: 1000}\n"
      "    interfaces: {root: {nodes: XMIN" BALL "}, tip: {nodes: XMAX" BALL "}}\n"
      "    modes: {fixed: 2, inertia: false}\n    damping: 0\n"
      "    at: [0, 0, .05]\n    orientation: {vector: [0, -.05, 0]}\n"
      "contacts: {a: {between: [rod.tip, ground], stiffness: 1e5},\n"
      "           b: {between: [rod.root, ground], stiffness: 1e5}}\n"
      "outputs: {e: 0 + rod.tip.z, n: a.touching + b.touching}\nsimulate: {end: .25}\n";
  double before = 0.0;
  for (int k = 0; k < 2; k++) {
    typed m = typed_text(text, "energy", NULL);
    trm_error err = {.message = ""};
    trm_sim *sim = typed_sim(&m, "radau", k == 0 ? 1e-3 : 1e-8);
    double first[3] = {0.0}, last[3] = {0.0}, most = 0.0, out[2];
    const trm_state *s = trm_sim_state(sim);
    CHECK_OK(trm_system_values(trm_sim_system(sim), s, &(trm_values){.energy = first}, &err), err);
    for (bool done = false; !done;) {
      CHECK_OK(trm_sim_step(sim, &done, &err), err);
      CHECK_OK(trm_sim_outputs(sim, out, &err), err);
      most = fmax(most, out[1]);
    }
    s = trm_sim_state(sim);
    CHECK_OK(trm_system_values(trm_sim_system(sim), s, &(trm_values){.energy = last}, &err), err);
    const double drift = fabs(last[0] + last[1] - first[0] - first[1]);
    print_message("drift %.2e J\n", drift);
    assert_true(most >= 1.0);
    if (k == 0) before = drift;
    trm_sim_free(sim);
    typed_close(&m);
    if (k == 1) { /* of .26 J that fall; five decades of the tolerance give two at least */
      CHECK_NEAR(drift, 0.0, 1e-6, "drift at 1e-8");
      assert_true(drift < 1e-2 * before);
    }
  }
}

static void a_restart_gives_the_same_bits(void **state) {
  (void)state;
  static const char text[] = "trammel: 1\ngravity: [0, 0, -9.81]\nbodies:\n" FLOOR
      BAR(BALL, BALL, "") "    at: [0, 0, .03]\n"
      "groups: {ends: {members: [rod.*]}}\n"
      "contacts: {c: {between: [ends, ground], stiffness: 1e6, restitution: .3,\n"
      "               friction: {static: .4}}}\n"
      "outputs: {n: c.touching}\nsimulate: {end: .1}\n";
  static const char *const methods_of[] = {"hht", "bdf", "tdg", "radau"};
  for (int k = 0; k < 4; k++) {
    typed m = typed_text(text, "ends", NULL);
    trm_sim *first = typed_sim(&m, methods_of[k], 1e-5);
    trm_sim *second = typed_sim(&m, methods_of[k], 1e-5);
    assert_true(contact_until_touching(first) == 2.0);
    contact_resume(first, second, 5);
    trm_sim_free(first), trm_sim_free(second);
    typed_close(&m);
  }
}

/* The bar and its shapes from C; the part of the shape `b`. */
static trm_part add_bar(trm_mechanism *m) {
  trm_error err;
  trm_part rod, root, tip, b;
  trm_flexible_def bar = trm_flexible_default();
  trm_interface_def face = trm_interface_default();
  trm_sphere_def sphere = trm_sphere_default();
  const double size[3] = {1, .03, .03}, cells[3] = {8, 1, 1}, at[3] = {0, 0, .03};
  memcpy(bar.box_size, size, sizeof size), memcpy(bar.box_cells, cells, sizeof cells);
  memcpy(bar.at, at, sizeof at);
  bar.material_E = 2e9, bar.material_nu = .35, bar.material_density = 1000;
  bar.modes_fixed = 3, bar.damping[0] = ".01";
  CHECK_OK(trm_add_flexible(m, "rod", &bar, &rod, &err), err);
  face.nodes = "XMIN";
  CHECK_OK(trm_add_interface(m, rod, "root", &face, &root, &err), err);
  face.nodes = "XMAX";
  CHECK_OK(trm_add_interface(m, rod, "tip", &face, &tip, &err), err);
  sphere.radius = .02;
  CHECK_OK(trm_add_sphere(m, root, "a", &sphere, NULL, &err), err);
  sphere.radius = .04;
  CHECK_OK(trm_add_sphere(m, root, "b", &sphere, &b, &err), err);
  CHECK_OK(trm_add_sphere(m, tip, "shape", &sphere, NULL, &err), err);
  assert_int_equal(trm_add_sphere(m, rod, "b", &sphere, NULL, &err), TRM_ERR_INPUT);
  assert_int_equal(trm_add_sphere(m, b, "b", &sphere, NULL, &err), TRM_ERR_INPUT);
  return b;
}

static trm_system *system_from_c(trm_mechanism *m) {
  trm_error err;
  trm_system *system;
  trm_part ground;
  trm_world_def world = trm_world_default();
  const trm_body_def fixed = trm_body_default();
  const trm_plane_def plane = trm_plane_default();
  trm_contact_def contact = trm_contact_default();
  const trm_output_def output = {"c.force"};
  world.gravity[0] = 0.0, world.gravity[1] = 0.0, world.gravity[2] = -9.81;
  CHECK_OK(trm_set_world(m, &world, NULL, &err), err);
  CHECK_OK(trm_add_body(m, "ground", &fixed, &ground, &err), err);
  CHECK_OK(trm_add_plane(m, ground, "floor", &plane, NULL, &err), err);
  contact.between[0] = "rod.root.b", contact.between[1] = "ground", contact.stiffness = 1e6;
  CHECK_OK(trm_add_contact(m, "c", &contact, NULL, &err), err);
  CHECK_OK(trm_add_output(m, "f", &output, NULL, &err), err);
  trm_mechanism_allow_files(m);
  CHECK_OK(trm_mechanism_build(m, NULL, &system, &err), err);
  return system;
}

/* In C: a shape belongs to the part that its interface is. */
static void c_and_a_file_give_the_same_bits(void **state) {
  (void)state;
  typed file = typed_text("trammel: 1\ngravity: [0, 0, -9.81]\nbodies:\n" FLOOR
                          BAR(", shapes: {a: {sphere: {radius: .02}}, b: {sphere: {radius: .04}}}",
                              BALL, "") "    at: [0, 0, .03]\n"
                          "contacts: {c: {between: [rod.root.b, ground], stiffness: 1e6}}\n"
                          "outputs: {f: c.force}\n", "file", NULL);
  trm_error err;
  trm_mechanism *m;
  trm_part found;
  trm_part_info info;
  int seen = 0;
  double out[2];
  CHECK_OK(trm_mechanism_create(NULL, &m, &err), err);
  const trm_part b = add_bar(m);
  assert_true(trm_find_part(m, "rod.root.b", &found) && memcmp(&found, &b, sizeof b) == 0);
  for (int i = 0; trm_part_at(m, i, &found, &info); i++) {
    seen += memcmp(&found, &b, sizeof b) == 0 && strcmp(info.name, "b") == 0;
  }
  assert_int_equal(seen, 1);
  typed own = {.system = system_from_c(m), .options = file.options};
  file.options.end = own.options.end = .05;
  trm_sim *sims[2] = {typed_sim(&file, "hht", 1e-5), typed_sim(&own, "hht", 1e-5)};
  for (int k = 0; k < 2; k++) {
    CHECK_OK(trm_sim_run(sims[k], &err), err);
    CHECK_OK(trm_sim_outputs(sims[k], &out[k], &err), err);
  }
  const size_t count = (size_t)trm_system_count(own.system, TRM_Q);
  assert_memory_equal(trm_sim_state(sims[0])->q, trm_sim_state(sims[1])->q, count * sizeof *out);
  assert_true(out[0] > 0.0 && out[0] == out[1]);
  trm_sim_free(sims[0]), trm_sim_free(sims[1]);
  trm_system_free(own.system);
  trm_mechanism_free(m);
  typed_close(&file);
}

static void faults_are_named(void **state) {
  (void)state;
  mechanics_complaint("trammel: 1\nbodies:\n" FLOOR BAR("", ", shapes: {a: {sphere: {radius: 1}}}",
                                                        "")
                      "contacts: {c: {between: [rod.tip.b, ground], stiffness: 1e6}}\n", 11,
                      "body 'rod.tip' has no shape 'b'; it has 'a'");
  mechanics_complaint("trammel: 1\nbodies:\n" FLOOR BAR("", "", "")
                      "contacts: {c: {between: [rod.tip, ground], stiffness: 1e6}}\n", 11,
                      "body 'rod.tip' has no shape");
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(derivatives_match_differences),
    cmocka_unit_test(derivatives_of_numbers_match_differences),
    cmocka_unit_test(it_moves_as_a_welded_ball),
    cmocka_unit_test(a_tip_carries_three_eighths),
    cmocka_unit_test(energy_is_kept),
    cmocka_unit_test(a_restart_gives_the_same_bits),
    cmocka_unit_test(c_and_a_file_give_the_same_bits),
    cmocka_unit_test(faults_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
