/* test_flexible_models.c - flexible bodies of model files: a pendulum against our beam and by all
 * methods, free flight, clamped vibrations and deflection, units, and sentences on bad input. */
#include "trammel/analysis.h"
#include "trammel/flexible.h"
#include "verify/mechanics.h"

#define BAR(more)                                                                              \
  "flexible:\n"                                                                                \
  "  bar:\n"                                                                                   \
  "    box: {size: [1, 0.03, 0.03], cells: [20, 1, 1]}\n"                                      \
  "    material: {E: 2e9, nu: 0, density: 1000}\n"                                             \
  "    interfaces: {root: {nodes: XMIN}, tip: {nodes: XMAX}}\n"                                \
  "    modes: {fixed: 8, up_to: 500 Hz}\n"                                                     \
  "    damping: 0\n" more
#define PENDULUM                                                                               \
  "trammel: 1\ngravity: [0, 0, -9.81]\n" BAR("")                                               \
  "joints: {pin: {type: revolute, bodies: [ground, bar.root], at: [0, 0.015, 0.015],\n"        \
  "               axis: [0, 1, 0]}}\n"                                                         \
  "outputs: {x: bar.tip.x, z: bar.tip.z}\n"

static void run_with(const typed *m, const char *integrator, double tolerance, double end,
                     double *outputs) {
  trm_error err = {.message = ""};
  trm_options o = trm_options_default();
  o.integrator = integrator;
  o.tolerance = tolerance;
  o.end = end;
  trm_sim *sim = kit_sim(m->system, &o);
  kit_run(sim);
  CHECK_OK(trm_sim_outputs(sim, outputs, &err), err);
  trm_sim_free(sim);
}

/* Tip of a geometrically exact beam of 8 elements with 4 nodes, from the same start, radau 1e-7.
 * Linear strain leaves 7.8e-5 m over the first second (NUMERICS-modal, M8). */
static void a_pendulum_moves_as_a_beam(void **state) {
  (void)state;
  static const double beam[2][3] = {{0.5, -0.09011566239233297, -0.9959385155663463},
                                    {1.0, -0.9999697970131843, -0.007720596068604258}};
  typed m = typed_text(PENDULUM, "test", NULL);
  for (int i = 0; i < 2; i++) {
    double tip[2];
    run_with(&m, "radau", 1e-7, beam[i][0], tip);
    CHECK_NEAR(tip[0], beam[i][1], 1e-4, "x at %g", beam[i][0]);
    CHECK_NEAR(tip[1] - 0.015, beam[i][2], 5e-4 * beam[i][0] * beam[i][0], "z at %g", beam[i][0]);
  }
  typed_close(&m);
}

static void all_methods_agree(void **state) {
  (void)state;
  static const char *const methods[] = {"hht", "alpha", "bdf", "tdg", "explicit"};
  typed m = typed_text(PENDULUM, "test", NULL);
  double exact[2], tip[2];
  run_with(&m, "radau", 1e-9, 0.05, exact);
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    run_with(&m, methods[i], 1e-7, 0.05, tip);
    /* local errors of 1e-7 m in some hundred steps */
    for (int k = 0; k < 2; k++) CHECK_NEAR(tip[k], exact[k], 1e-5, "%s, %d", methods[i], k);
  }
  typed_close(&m);
}

/* Linear and angular momentum about the origin, from M v = motion(v' = v) - motion(v' = 0). */
static void momenta_at(const typed *m, point *p, double out[7]) {
  double with[64], without[64], energy[3], R[9];
  const int nv = trm_system_count(m->system, TRM_V);
  trm_error err = {.message = ""};
  assert_true(nv <= 64);
  memset(p->s.vd, 0, (size_t)nv * sizeof(double));
  mechanics_motion(m, p, without);
  memcpy(p->s.vd, p->s.v, (size_t)nv * sizeof(double));
  mechanics_motion(m, p, with);
  const trm_values values = {.energy = energy};
  CHECK_OK(trm_system_values(m->system, &p->s, &values, &err), err);
  for (int i = 0; i < 6; i++) with[i] -= without[i];
  trmi_quat_matrix(p->s.q + 3, R);
  memcpy(out, with, 3 * sizeof *out);
  v3_store(out + 3, v3_add(v3_cross(v3_load(p->s.q), v3_load(with)), m3_mul(R, v3_load(with + 3))));
  out[6] = energy[0] + energy[1];
}

/* A bar that spins so fast that it bends: nothing acts on it. */
static void free_flight_keeps_energy_and_momenta(void **state) {
  (void)state;
  mechanics m = mechanics_run("trammel: 1\n" BAR("    velocity: [1, 2, 3]\n"
                                                 "    angular_velocity: [100, -40, 60]\n"), 0.02);
  point *start = calloc(1, sizeof *start);
  assert_non_null(start);
  mechanics_start(&m.model, start);
  double before[7], after[7];
  momenta_at(&m.model, start, before);
  momenta_at(&m.model, m.end, after);
  /* tolerance 1e-12, some hundred steps */
  for (int i = 0; i < 7; i++) {
    CHECK_NEAR(after[i] / before[6], before[i] / before[6], 1e-11, "%d", i);
  }
  double largest = 0.0;
  for (int i = 7; i < 20; i++) largest = fmax(largest, fabs(m.end->s.q[i]));
  assert_true(largest > 1e-6); /* it did bend */
  free(start);
  mechanics_close(&m);
}

/* With its interface held, modes of the mechanism are the fixed-interface modes of the mesh. */
static void a_clamped_body_vibrates_as_its_mesh(void **state) {
  (void)state;
  typed m = typed_text(
      "trammel: 1\nflexible:\n  bar:\n    box: {size: [0.3, 0.03, 0.02], cells: [6, 1, 1]}\n"
      "    material: {E: 2.1e11, nu: 0.3, density: 7850}\n    interfaces: {root: {nodes: XMIN}}\n"
      "    modes: {fixed: 6, inertia: false}\n    damping: 0\n"
      "joints: {weld: {type: fixed, bodies: [ground, bar.root], at: [0, 0.015, 0.01]}}\n",
      "test", NULL);
  trm_modes_options options = trm_modes_options_default();
  trm_modes *modes = NULL;
  trm_error err = {.message = ""};
  CHECK_OK(trm_modes_find(m.system, NULL, &options, &modes, &err), err);
  assert_int_equal(trm_modes_count(modes), 6);
  for (int k = 0; k < 6; k++) {
    /* eigenvalues of two small matrices */
    CHECK_NEAR(trm_mode_at(modes, k).frequency / trm_flexible_fixed_at(m.system, 0, k), 1.0, 1e-7,
               "mode %d", k);
  }
  trm_modes_free(modes);
  typed_close(&m);
}

/* F l^3/(3 E I) of a slender cantilever; shear adds 0.78 h^2/l^2, rigid faces take h/l of 1 %. */
static void a_cantilever_bends_as_euler_says(void **state) {
  (void)state;
  typed m = typed_text("trammel: 1\n" BAR("")
                       "joints: {weld: {type: fixed, bodies: [ground, bar.root], at: [0, 0, 0]}}\n"
                       "forces: {push: {type: force, body: bar.tip, force: [0, 0, 0.5]}}\n"
                       "outputs: {z: bar.tip.z}\n", "test", NULL);
  trm_static_options options = trm_static_options_default();
  trm_static *rest = NULL;
  trm_error err = {.message = ""};
  double z;
  CHECK_OK(trm_static_find(m.system, &options, &rest, &err), err);
  const trm_values values = {.outputs = &z};
  CHECK_OK(trm_system_values(trm_static_system(rest), trm_static_state(rest), &values, &err), err);
  const double I = 0.03 * 0.03 * 0.03 * 0.03 / 12.0, exact = 0.5 / (3.0 * 2e9 * I);
  CHECK_NEAR((z - 0.015) / exact, 1.0, 5e-3, "deflection");
  trm_static_free(rest);
  typed_close(&m);
}

/* In millimetres, tonnes and N the same bar has the same frequencies and mass. */
static void units_of_the_model_count(void **state) {
  (void)state;
  typed si = typed_text("trammel: 1\n" BAR(""), "test", NULL);
  typed mm = typed_text(
      "trammel: 1\nunits: {length: mm, mass: kg, time: ms, force: N}\nflexible:\n  bar:\n"
      "    box: {size: [1 m, 30, 30], cells: [20, 1, 1]}\n"
      "    material: {E: 2000, nu: 0, density: 1000 kg/m^3}\n"
      "    interfaces: {root: {nodes: XMIN}, tip: {plane: {at: [1000, 0, 0], normal: [1, 0, 0]}}}\n"
      "    modes: {fixed: 8, up_to: 500 Hz}\n", "test", NULL);
  const trm_flexible_info a = trm_flexible_at(si.system, 0), b = trm_flexible_at(mm.system, 0);
  assert_int_equal(a.modes, b.modes);
  CHECK_NEAR(b.mass, a.mass, 1e-12, "mass");
  for (int k = 0; k < a.modes; k++) {
    /* eigenvalues of matrices with a condition of 1e7 */
    CHECK_NEAR(1000.0 * trm_flexible_mode_at(mm.system, 0, k).frequency /
               trm_flexible_mode_at(si.system, 0, k).frequency, 1.0, 1e-7, "mode %d", k);
  }
  CHECK_NEAR(trm_flexible_mode_at(mm.system, 0, 0).damping, 0.01, 0.0, "band below 100 Hz");
  CHECK_NEAR(trm_flexible_mode_at(mm.system, 0, 2).damping, 0.1, 0.0, "band above");
  typed_close(&si);
  typed_close(&mm);
}

/* The first frequency is 273 rad/s. */
static void fast_rotation_is_doubted(void **state) {
  (void)state;
  static const char *const texts[2] = {
      "trammel: 1\n" BAR("    angular_velocity: [0, 0, 20]\n"),
      "trammel: 1\n" BAR("    angular_velocity: [0, 0, 30]\n")};
  for (int i = 0; i < 2; i++) {
    typed m = typed_text(texts[i], "test", NULL);
    static kit_record record;
    trm_options o = trm_options_default();
    o.end = 1e-4;
    trm_sim *sim = kit_sim(m.system, &o);
    kit_listen(sim, &record);
    kit_run(sim);
    assert_int_equal(strstr(record.message, "faster than a tenth") != NULL, i == 1);
    trm_sim_free(sim);
    typed_close(&m);
  }
}

#define SMALL(interfaces)                                                                        \
  "trammel: 1\nflexible:\n  b:\n    box: {size: [1, 1, 1], cells: [2, 1, 1]}\n"                  \
  "    material: {E: 1e9, nu: 0.3, density: 1000}\n    interfaces: {" interfaces "}\n"

static void bad_input_is_named(void **state) {
  (void)state;
  static const struct {
    const char *text, *words;
  } list[] = {
    {SMALL("root: {nodes: LEFT}"), "no node set 'LEFT'; it has XMIN, XMAX, YMIN"},
    {SMALL("root: {numbers: [1, 2, 777]}"), "interface 'root': the mesh has no node 777"},
    {SMALL("root: {numbers: [1, 2, 3]}"), "'root' has 3 nodes, all on a line"},
    {SMALL("root: {numbers: [1]}"), "'root' has 1 nodes"},
    {SMALL("a: {nodes: XMIN}, c: {nodes: YMIN}"), "interfaces 'a' and 'c' share node"},
    {SMALL("a: {plane: {at: [9, 0, 0], normal: [1, 0, 0]}}"),
     "interface 'a': no node is within 1.73e-05 of its plane; the nearest, node 5, is 8 away"},
    {SMALL("a: {box: {from: [2, 0, 0], to: [3, 1, 1]}}"), "of its box; the nearest"},
    {SMALL("a: {cylinder: {from: [0, 0, 0], to: [1, 0, 0], radius: 5}}"), "of its cylinder"},
    {SMALL("a: {nodes: XMIN, numbers: [1]}"), "nodes"},
    {SMALL("a: {nodes: XMIN}") "    damping: much\n", "its damping must be a ratio"},
    {"trammel: 1\nflexible: {b: {box: {size: [1, 1, 1], cells: [1, 1, 1.5]}}}\n", "whole"},
    {"trammel: 1\nflexible: {b: {box: {size: [1, 1, 1], cells: [1, 1, 1]}}}\n",
     "element 1 has no material"},
    {"trammel: 1\nflexible: {b: {mesh: a.inp, material: {E: 1, nu: 0, density: 1}}}\n",
     "a model given as a text has no files"},
    {SMALL("a: {nodes: XMIN}") "outputs: {y: b.mode900}\n", "has no 'mode900'"},
  };
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    mechanics_complaint(list[i].text, 0, list[i].words);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_pendulum_moves_as_a_beam),
    cmocka_unit_test(all_methods_agree),
    cmocka_unit_test(free_flight_keeps_energy_and_momenta),
    cmocka_unit_test(a_clamped_body_vibrates_as_its_mesh),
    cmocka_unit_test(a_cantilever_bends_as_euler_says),
    cmocka_unit_test(units_of_the_model_count),
    cmocka_unit_test(fast_rotation_is_doubted),
    cmocka_unit_test(bad_input_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
