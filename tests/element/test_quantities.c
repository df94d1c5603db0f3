/* test_quantities.c - loads and deformations of elements in expressions: they are those that act,
 * and their derivatives are exact. */
#include "element/samples.h"
#include "elements/force/force_types.h"
#include "elements/joint/joint_types.h"
#include "verify/mechanics.h"

enum { STATES = 3, B_Q = 7, B_V = 6 }; /* body b in samples.h */

/* The bodies of samples.h with a text behind them. */
static typed open_model(const char *text) {
  char all[4000];
  const int bodies = (int)(strstr(sample_bodies, "outputs:") - sample_bodies);
  snprintf(all, sizeof all, "%.*s%s", bodies, sample_bodies, text);
  return typed_text(all, "test", NULL);
}

static void random_state(const typed *m, point *p, uint64_t *seed) {
  const trm_sizes *n = trm_system_sizes(m->system);
  double dpi[TYPED_MAX];
  trm_state *s = &p->s;
  mechanics_start(m, p);
  for (int i = 0; i < n->nv; i++) {
    dpi[i] = 0.3 * kit_random(seed);
    s->v[i] = kit_random(seed);
    s->vd[i] = kit_random(seed);
  }
  trm_system_retract(m->system, s->q, dpi, s->q);
  for (int i = 0; i < n->ng; i++) s->lam[i] = kit_random(seed);
  for (int i = 0; i < n->nw; i++) s->w[i] = kit_random(seed);
  s->t = 0.7;
}

/* ---- derivatives ---------------------------------------------------------------------------- */

static void check_blocks(const char *text) {
  typed m = open_model(text);
  uint64_t seed = kit_seed(text);
  for (int k = 0; k < STATES; k++) {
    point p;
    trm_block_check worst[TRM_BLOCKS];
    trm_error err = {.message = ""};
    random_state(&m, &p, &seed);
    CHECK_OK(trm_system_check_blocks(m.system, &p.s, worst, &err), err);
    for (int i = 0; i < TRM_BLOCKS; i++) { /* as test_elements.c */
      CHECK_NEAR(worst[i].error, 0.0, 1e-8, "%s block %s (%d, %d): given %.9g, difference %.9g",
                 text, trm_block_name((trm_block)i), worst[i].row, worst[i].col, worst[i].given,
                 worst[i].difference);
    }
  }
  typed_close(&m);
}

/* A state and a variable in a loop with what may be named of a sample; NULL: nothing. */
static const char *names_of(const element_sample *s) {
  if (strcmp(s->section, "beams") == 0) {
    return "k*s.element1.force.x*s.element2.moment.y + k*s.element1.moment.z^2";
  }
  if (strcmp(s->section, "joints") == 0) {
    const bool has_loads = trmi_joint_type_find(s->type)->ends != TRMI_ENDS_NONE;
    const bool rolls = strcmp(s->type, "rolling") == 0; /* rows on velocities: outputs only */
    return has_loads && !rolls
               ? "k*s.force.x*s.torque.y + k*s.A.force.z - k*s.B.torque.x^2 + k*TZ(s)"
               : NULL;
  }
  for (int i = 0; trmi_force_type_at(i) != NULL; i++) {
    const trmi_force_type *type = trmi_force_type_at(i);
    if (strcmp(type->name, s->type) != 0 || !type->has_loads) continue;
    return type->has_deformations
               ? "k*s.force.x*s.torque.y + k*s.A.force.z + k*s.x*s.ry'' - k*s.rz*s.y"
               : "k*s.force.x*s.torque.y + k*s.A.force.z - k*s.B.torque.x^2";
  }
  return NULL;
}

static void loads_in_states_and_variables_have_exact_derivatives(void **state) {
  (void)state;
  int seen = 0;
  for (int i = 0; i < SAMPLES; i++) {
    const char *names = names_of(&samples[i]);
    char text[3000];
    if (names == NULL) continue;
    snprintf(text, sizeof text, "%sparameters: {k: 1.3}\n"
             "equations:\n  states: {y: {value: 0, rate: '%s'}}\n"
             "  variables: {u: '.3*sin(u) + %s'}\n", samples[i].text, names, names);
    check_blocks(text);
    seen++;
  }
  assert_true(seen > 40);
}

/* A bushing, a beam of nodes and a linear beam act on a body through what they carry. */
static void loads_in_forces_have_exact_derivatives(void **state) {
  (void)state;
  check_blocks(
      "beams: {rod: {" BEAM_LINE ", nodes: 3, elements: 2, mass: 1.2, damping: .1,\n"
      "              stiffness: [9, 4, 5, 2, 1.5, 1.1], inertia: [.3, .1, .2]}}\n"
      "forces:\n"
      "  bush: {type: bushing, markers: [a.m, b.m], stiffness: [9, 8, 7, 3, 2, 1],\n"
      "         damping: [.9, .8, .7, .3, .2, .1], preload: [1, -2, 1, .2, .1, -.3]}\n"
      "  t: {type: force, marker: a.m, frame: b.m, torque: [bush.rx, 0, bush.rz'],\n"
      "      force: [bush.force.x*bush.torque.y, rod.element1.force.x, rod.element2.moment.y]}\n");
  /* the same bushing to the ground, and a reaction on the ground */
  check_blocks(
      "joints: {s: {type: revolute, markers: [b.m, ground]}}\n"
      "forces:\n"
      "  bush: {type: bushing, markers: [ground, a.m], stiffness: [9, 8, 7, 3, 2, 1]}\n"
      "  t: {type: force, body: b, force: [bush.force.x*bush.torque.y, w, bush.z^2]}\n"
      "equations: {variables: {w: s.force.x + k*s.torque.y*s.A.force.z}}\n"
      "parameters: {k: 1}\n");
}

/* ---- values --------------------------------------------------------------------------------- */

/* On b at b.m, outputs 0 to 5, against what the residual of b changes by when the element acts. */
static void check_load(const char *what, const trm_state *s, const double *with,
                       const double *without, const double *shown) {
  double R[9];
  trmi_quat_matrix(s->q + B_Q + 3, R);
  const trmi_vec3 r = m3_mul(R, v3(-.2, .3, .1)); /* of b.m */
  trmi_vec3 Q[2];
  for (int k = 0; k < 2; k++) {
    Q[k] = v3_sub(v3_load(without + B_V + 3 * k), v3_load(with + B_V + 3 * k));
  }
  const trmi_vec3 torque = v3_sub(m3_mul(R, Q[1]), v3_cross(r, Q[0]));
  const double expected[6] = {Q[0].x, Q[0].y, Q[0].z, torque.x, torque.y, torque.z};
  for (int i = 0; i < 6; i++) { /* rounding of numbers up to 50 */
    CHECK_NEAR(shown[i], expected[i], 2e-13, "%s: load %d", what, i);
  }
}

#define SHOW_LOADS "outputs: {fx: s.force.x, fy: s.force.y, fz: s.force.z,\n" \
                   "          tx: s.torque.x, ty: s.torque.y, tz: s.torque.z}\n"

static void reactions_are_those_that_act(void **state) {
  (void)state;
  int seen = 0;
  for (int i = 0; trmi_joint_type_at(i) != NULL; i++) {
    const trmi_joint_type *type = trmi_joint_type_at(i);
    if (type->nrows == 0 || type->ends == TRMI_ENDS_NONE) continue;
    char text[400];
    double with[TYPED_MAX], without[TYPED_MAX], shown[8];
    point p;
    uint64_t seed = kit_seed(type->name);
    snprintf(text, sizeof text, "joints: {s: {type: %s, markers: [a.m, b.m]%s}}\n" SHOW_LOADS,
             type->name, strcmp(type->name, "screw") == 0 ? ", pitch: .7" : "");
    typed m = open_model(text);
    random_state(&m, &p, &seed);
    mechanics_motion(&m, &p, with);
    mechanics_outputs(&m, &p, shown);
    memset(p.s.lam, 0, TYPED_MAX * sizeof(double));
    mechanics_motion(&m, &p, without);
    check_load(type->name, &p.s, with, without, shown);
    typed_close(&m);
    seen++;
  }
  assert_true(seen > 12);
}

static void loads_of_forces_are_those_that_act(void **state) {
  (void)state;
  static const char *const texts[] = {
    "forces: {s: {type: bushing, markers: [a.m, b.m], stiffness: [9, 8, 7, 3, 2, 1],\n"
    "             damping: [.9, .8, .7, .3, .2, .1], preload: [1, -2, 1, .2, .1, -.3]}}\n"
    SHOW_LOADS,
    "forces: {s: {type: beam, markers: [a.m, b.m], E: 20, G: 8, area: .5, Iy: .2, Iz: .1,\n"
    "             J: .3, shear_y: .8, damping: .1}}\n" SHOW_LOADS,
    "forces: {s: {type: plugin, markers: [a.m, b.m], function: busy,\n"
    "             library: " TEST_PLUGINS "odd_plugin.so}}\n" SHOW_LOADS,
  };
  typed bodies = open_model("");
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    double with[TYPED_MAX], without[TYPED_MAX], shown[8];
    point p;
    uint64_t seed = kit_seed(texts[i]);
    typed m = open_model(texts[i]);
    random_state(&m, &p, &seed);
    mechanics_motion(&m, &p, with);
    mechanics_outputs(&m, &p, shown);
    mechanics_motion(&bodies, &p, without);
    check_load(texts[i], &p.s, with, without, shown);
    typed_close(&m);
  }
  typed_close(&bodies);
}

/* ---- rates and events ------------------------------------------------------------------------ */

/* Outputs a time h along a motion with constant accelerations. */
static void outputs_ahead(const typed *m, const point *from, double h, double *outputs) {
  point p;
  double dpi[TYPED_MAX];
  point_clear(&p);
  trmi_state_copy(m->system, &from->s, &p.s);
  for (int i = 0; i < trm_system_sizes(m->system)->nv; i++) {
    dpi[i] = h * (p.s.v[i] + 0.5 * h * p.s.vd[i]);
    p.s.v[i] += h * p.s.vd[i];
  }
  trm_system_retract(m->system, p.s.q, dpi, p.s.q);
  p.s.t += h;
  mechanics_outputs(m, &p, outputs);
}

static void rates_of_loads_follow_the_motion(void **state) {
  (void)state;
  const double h = 1e-4;
  enum { NAMES = 4 };
  typed m = open_model(
      "beams: {rod: {" BEAM_LINE ", nodes: 4, elements: 1, mass: 1.2, damping: .1,\n"
      "              stiffness: [9, 4, 5, 2, 1.5, 1.1], inertia: [.3, .1, .2]}}\n"
      "forces:\n"
      "  s: {type: bushing, markers: [a.m, b.m], stiffness: [9, 8, 7, 3, 2, 1],\n"
      "      damping: [.9, .8, .7, .3, .2, .1]}\n"
      "  l: {type: plugin, markers: [a.m, b.m], function: busy,\n"
      "      library: " TEST_PLUGINS "odd_plugin.so}\n"
      "outputs: {f: s.torque.x, e: s.rx', m: rod.element1.moment.y, l: l.A.force.x,\n"
      "          f1: s.torque.x', e1: s.rx'', m1: rod.element1.moment.y', l1: l.A.force.x'}\n");
  point p;
  uint64_t seed = 3;
  double at[8], ahead[4][8];
  random_state(&m, &p, &seed);
  mechanics_outputs(&m, &p, at);
  static const double steps[4] = {-2.0, -1.0, 1.0, 2.0};
  for (int k = 0; k < 4; k++) outputs_ahead(&m, &p, steps[k] * h, ahead[k]);
  for (int i = 0; i < NAMES; i++) {
    const double course[4] = {ahead[0][i], ahead[1][i], ahead[2][i], ahead[3][i]};
    /* differences: h^4/30 times fifth derivatives up to 1e5, rounding 1e-11; those of the plug-in
     * are differences themselves, with steps of 6e-6 */
    CHECK_NEAR(at[NAMES + i], kit_slope(course, h), i == 3 ? 1e-7 : 1e-9, "rate of output %d", i);
  }
  typed_close(&m);
}

/* x = v/w sin(w t) with w^2 = k/m: the force passes -k x at a known time. */
static void an_event_on_a_load_happens_in_time(void **state) {
  (void)state;
  mechanics m = mechanics_run(
      "trammel: 1\n"
      "bodies: {b: {mass: 2, inertia: [.1, .1, .1], velocity: [3, 0, 0]}}\n"
      "forces: {s: {type: bushing, bodies: [ground, b], at: [0, 0, 0],\n"
      "             stiffness: [50, 50, 50, 9, 9, 9]}}\n"
      "equations:\n"
      "  discrete: {when: 0}\n"
      "  events: {full: {when: s.force.x + 15, direction: falling, set: {when: time}}}\n"
      "outputs: {when: when}\n", 0.25);
  CHECK_NEAR(m.outputs[0], asin(0.3 * 5.0 / 3.0) / 5.0, 1e-10, "time of the event");
  mechanics_close(&m);
}

/* ---- what is not known ----------------------------------------------------------------------- */

static void second_derivatives_are_refused(void **state) {
  (void)state;
#define BUSH \
  "trammel: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n" \
  "forces: {s: {type: bushing, bodies: [ground, a], at: [0, 0, 0], preload: [1, 0, 0, 0, 0, 0]}}\n"
  mechanics_complaint(BUSH "joints: {c: {type: constraint, equals: s.x - .1}}\n", 4,
                      "would be differentiated twice");
  mechanics_complaint(BUSH "joints: {c: {type: constraint, equals: s.force.x - .1}}\n", 4,
                      "cannot be used in");
  mechanics_complaint(BUSH "joints: {r: {type: revolute, bodies: [ground, a], at: [0, 0, 0],\n"
                           "             axis: [0, 0, 1]}}\noutputs: {o: r.force.x'}\n", 6,
                      "its rate is not known");
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(loads_in_states_and_variables_have_exact_derivatives),
    cmocka_unit_test(loads_in_forces_have_exact_derivatives),
    cmocka_unit_test(reactions_are_those_that_act),
    cmocka_unit_test(loads_of_forces_are_those_that_act),
    cmocka_unit_test(rates_of_loads_follow_the_motion),
    cmocka_unit_test(an_event_on_a_load_happens_in_time),
    cmocka_unit_test(second_derivatives_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
