/* Models from files and their twins in C: the same accelerations, multipliers, energies and ends.
 *
 * Coordinates are those of the C problem, but for the disc: psi, lean, roll against a quaternion,
 * R = Z(psi) X(lean - pi/2) Z(roll). With e = (psi, th, phi), th = lean - pi/2:
 *   w = B e',  w' = B e'' + B' e',  B as in src/problems/rods_angles.c, (1) */
#include "math/so3.h"
#include "verify/typed.h"

static const char pendulum_text[] =
    "trammel: 1\n"
    "parameters: {m: 1, l: 0.5, g: 9.81}\n"
    "equations:\n"
    "  coordinates: {x: {value: l, kind: length}, y: {velocity: -1.695, kind: length}}\n"
    "  kinetic: 0.5*m*(x'^2 + y'^2)\n"
    "  potential: -m*g*x\n"
    "  constraints: {lam: 0.5*(x^2 + y^2 - l^2)}\n";

/* masses in place of the kinetic energy */
static const char unit_pendulum_text[] = "trammel: 1\n"
                                         "equations:\n"
                                         "  coordinates: {x: 1, y: {velocity: 0.5}}\n"
                                         "  mass: {x: 1, y: 1}\n"
                                         "  potential: y\n"
                                         "  constraints: {lam: 0.5*(x^2 + y^2 - 1)}\n";

/* the same of bodies and joints; the plane keeps the bob where the problem has it */
static const char bob_text[] =
    "trammel: 1\n"
    "gravity: [9.81, 0, 0]\n"
    "bodies: {bob: {type: point, mass: 1, at: [0.5, 0, 0], velocity: [0, -1.695, 0]}}\n"
    "joints:\n"
    "  rod: {type: distance, markers: [ground, bob], length: 0.5}\n"
    "  plane: {type: point_on_plane, markers: [ground, bob]}\n";

#define ROD "mass: 1, markers: {near: {at: [-0.5, 0, 0]}, far: {at: [0.5, 0, 0]}}"
static const char double_pendulum_text[] =
    "trammel: 1\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  rod1: {" ROD ", inertia: [0.02, 1/12 + 0.01, 1/12 + 0.01],\n"
    "    orientation: {angles: [0.3, pi/2 - 0.2, -0.6], sequence: zxz},\n"
    "    angular_velocity: [1, 0.5, -0.5]}\n"
    "  rod2: {" ROD ", inertia: [0.02, 1/12 + 0.01, 1/12 + 0.01],\n"
    "    orientation: {angles: [-0.4, pi/2 + 0.3, -0.9], sequence: zxz},\n"
    "    angular_velocity: [0.5, -0.3, 1]}\n"
    "joints:\n"
    "  pin1: {type: spherical, markers: [ground, rod1.near]}\n"
    "  pin2: {type: spherical, markers: [rod1.far, rod2.near]}\n";

#define LINK(x) "{mass: 1, inertia: [1e-3, 1/12, 1/12], at: [" x ", 0, 0]}\n"
#define CHAIN(type)                                                                              \
  "trammel: 1\n"                                                                                \
  "gravity: [0, 0, -9.81]\n"                                                                    \
  "bodies:\n"                                                                                   \
  "  link1: " LINK("0.5") "  link2: " LINK("1.5") "  link3: " LINK("2.5")                        \
  "joints:\n"                                                                                   \
  "  pin1: {type: " type ", bodies: [ground, link1], at: [0, 0, 0], axis: [0, 1, 0]}\n"         \
  "  pin2: {type: " type ", bodies: [link1, link2], at: [1, 0, 0], axis: [0, 1, 0]}\n"          \
  "  pin3: {type: " type ", bodies: [link2, link3], at: [2, 0, 0], axis: [0, 1, 0]}\n"

/* A model, its twin, and how to compare them. */
typedef struct twin {
  const char *model, *text; /* a shipped model, or a text                          */
  trm_setting typed_settings[TYPED_SETTINGS];
  const char *problem;
  trm_setting settings[TYPED_SETTINGS];
  void (*map)(const trm_state *from, trm_state *to); /* NULL: same coordinates       */
  spread by;
  double end, tolerance; /* of the runs by explicit                             */
} twin;

/* 3-1-3 angles to quaternion, angular velocity and its rate. */
static void angles_to_rotation(const double e[3], const double r[3], const double a[3],
                               double *quat, double *w, double *wd) {
  double turn[4];
  trmi_so3_exp((const double[3]){0.0, 0.0, e[0]}, quat);
  trmi_so3_exp((const double[3]){e[1], 0.0, 0.0}, turn);
  trmi_quat_mul(quat, turn, quat);
  trmi_so3_exp((const double[3]){0.0, 0.0, e[2]}, turn);
  trmi_quat_mul(quat, turn, quat);
  trmi_quat_normalize(quat);
  const double st = sin(e[1]), ct = cos(e[1]), sp = sin(e[2]), cp = cos(e[2]);
  w[0] = r[0] * st * sp + r[1] * cp;
  w[1] = r[0] * st * cp - r[1] * sp;
  w[2] = r[0] * ct + r[2];
  wd[0] = a[0] * st * sp + a[1] * cp + r[0] * (ct * r[1] * sp + st * cp * r[2]) - r[1] * sp * r[2];
  wd[1] = a[0] * st * cp - a[1] * sp + r[0] * (ct * r[1] * cp - st * sp * r[2]) - r[1] * cp * r[2];
  wd[2] = a[0] * ct + a[2] - r[0] * st * r[1];
}

static void map_disc(const trm_state *from, trm_state *to) {
  const double quarter = acos(0.0);
  const double e[3] = {from->q[3], from->q[4] - quarter, from->q[5]};
  memcpy(to->q, from->q, 3 * sizeof(double));
  memcpy(to->v, from->v, 3 * sizeof(double));
  memcpy(to->vd, from->vd, 3 * sizeof(double));
  angles_to_rotation(e, from->v + 3, from->vd + 3, to->q + 3, to->v + 3, to->vd + 3);
}

/* The row of the element is (d^2 - l^2)/(2 l), that of the problem (d^2 - l^2)/2. */
static void map_bob(const trm_state *from, trm_state *to) {
  to->lam[0] = from->lam[0] / 0.5;
}

/* Axes across y are x and -z for the element, x and z for the problem. */
static void map_chain(const trm_state *from, trm_state *to) {
  (void)from;
  for (int i = 0; i < 3; i++) to->lam[5 * i + 4] = -to->lam[5 * i + 4];
}

#define CRANK .by = {0.3, 20.0, 0.0, 0.01}, .end = 0.02, .tolerance = 1e-11
static const twin twins[] = {
    {.text = pendulum_text,
     .problem = "pendulum",
     .by = {1, 3, 0, 1},
     .end = 2,
     .tolerance = 1e-13},
    {.text = unit_pendulum_text,
     .problem = "unit-pendulum",
     .by = {1, 3, 0, 1},
     .end = 2,
     .tolerance = 1e-13},
    {.model = "servo-typed",
     .problem = "servo",
     .by = {0.5, 1, 0.5, 2},
     .end = 2,
     .tolerance = 1e-13},
    {.model = "servo-typed",
     .typed_settings = {{"gain", "5"}, {"amplitude", "0.5"}},
     .problem = "servo",
     .settings = {{"gain", "5"}, {"amplitude", "0.5"}},
     .by = {0.5, 1, 0.5, 2},
     .end = 1,
     .tolerance = 1e-13},
    {.model = "double-pendulum-typed",
     .problem = "double-pendulum",
     .settings = {{"coordinates", "angles"}},
     .by = {0.3, 2, 0, 1},
     .end = 2,
     .tolerance = 1e-13},
    {.text = bob_text,
     .problem = "pendulum",
     .map = map_bob,
     .by = {0.5, 3, 0, 1},
     .end = 2,
     .tolerance = 1e-13},
    {.text = double_pendulum_text,
     .problem = "double-pendulum",
     .by = {0.3, 2, 0, 1},
     .end = 2,
     .tolerance = 1e-13},
    {.text = CHAIN("revolute"),
     .problem = "chain",
     .settings = {{"links", "3"}},
     .map = map_chain,
     .by = {0.3, 2, 0, 1},
     .end = 2,
     .tolerance = 1e-13},
    {.text = CHAIN("spherical"),
     .problem = "chain",
     .settings = {{"links", "3"}, {"joint", "spherical"}},
     .by = {0.3, 2, 0, 1},
     .end = 2,
     .tolerance = 1e-13},
    {.model = "rolling-disc-typed",
     .problem = "rolling-disc",
     .map = map_disc,
     .by = {0.5, 5, 0, 1},
     .end = 2,
     .tolerance = 1e-13},
    {.model = "slider-crank-typed",
     .problem = "slider-crank",
     .by = {0.3, 20.0, 0.0, 0.01},
     .end = 0.1,
     .tolerance = 1e-10},
    {.model = "slider-crank-typed",
     .typed_settings = {{"nonlinear", "1"}},
     .problem = "slider-crank",
     .settings = {{"nonlinear", "1"}},
     CRANK},
    {.model = "slider-crank-typed",
     .typed_settings = {{"damping", "1"}, {"smooth", "0"}},
     .problem = "slider-crank",
     .settings = {{"damping", "1"}, {"start", "rigid"}},
     CRANK},
    {.model = "slider-crank-typed",
     .typed_settings = {{"nonlinear", "1"}, {"damping", "1"}, {"circle", "3.1415927"}},
     .problem = "slider-crank",
     .settings = {{"nonlinear", "1"}, {"damping", "1"}, {"pi", "3.1415927"}},
     CRANK},
    {.model = "slider-crank-typed",
     .typed_settings = {{"speed", "40"}},
     .problem = "slider-crank",
     .settings = {{"speed", "40"}},
     CRANK},
};
enum { TWINS = sizeof twins / sizeof *twins, STATES = 100 };

static typed open_typed(const twin *w) {
  return w->text != NULL ? typed_text(w->text, w->problem, w->typed_settings)
                         : typed_model(w->model, w->typed_settings);
}

static trm_system *open_problem(const twin *w) {
  trm_error err;
  trm_system *system = NULL;
  int n = 0;
  while (n < TYPED_SETTINGS && w->settings[n].name != NULL) n++;
  CHECK_OK(trm_problem_create(trm_problem_find(w->problem), w->settings, n, NULL, &system, &err),
           err);
  return system;
}

/* A state of the model in the coordinates of its twin. */
static void map_state(const twin *w, const trm_system *typed_system, const trm_state *from,
                      point *to) {
  point_clear(to);
  trmi_state_copy(typed_system, from, &to->s);
  if (w->map != NULL) w->map(from, &to->s);
}

/* Largest difference over the largest number of a list. */
static double off(const double *a, const double *b, int n) {
  double worst = 0.0;
  for (int i = 0; i < n; i++) worst = fmax(worst, fabs(a[i] - b[i]));
  const double size = fmax(largest(a, n), largest(b, n));
  return worst > 0.0 ? worst / size : 0.0;
}

static double energy_off(trm_system *a, const trm_state *sa, trm_system *b, const trm_state *sb) {
  trm_error err;
  double ea[3], eb[3];
  CHECK_OK(trm_system_values(a, sa, &(trm_values){.energy = ea}, &err), err);
  CHECK_OK(trm_system_values(b, sb, &(trm_values){.energy = eb}, &err), err);
  return off(ea, eb, 3);
}

static void check_accelerations(const twin *w) {
  trm_error err;
  typed m = open_typed(w);
  trm_system *problem = open_problem(w);
  const trm_sizes *n = trm_system_sizes(problem);
  solver of_model, of_problem;
  point start, here, mapped, there;
  double worst = 0.0, worst_energy = 0.0;
  uint64_t seed = 5;
  solver_open(&of_model, m.system);
  solver_open(&of_problem, problem);
  point_start(&start, m.system);
  for (int k = 0; k < STATES; k++) {
    point_random(&here, &start, &of_model, &w->by, &seed);
    map_state(w, m.system, &here.s, &mapped);
    /* variables of the twin that are expressions here come last there, too */
    double *shown = mapped.s.w + trm_system_count(m.system, TRM_W);
    CHECK_OK(trm_system_values(m.system, &here.s, &(trm_values){.shown = shown}, &err), err);
    map_state(w, m.system, &here.s, &there);
    memset(there.s.vd, 0, (size_t)n->nv * sizeof(double));
    memset(there.s.lam, 0, (size_t)n->ng * sizeof(double));
    CHECK_OK(trmi_consistent_accelerations(&of_problem.c, &there.s, &err), err);
    const double lists[] = {off(there.s.vd, mapped.s.vd, n->nv),
                            off(there.s.lam, mapped.s.lam, n->ng),
                            off(there.s.mu, mapped.s.mu, n->na),
                            off(there.s.xd, mapped.s.xd, n->nx), off(there.s.w, mapped.s.w, n->nw)};
    worst = fmax(worst, largest(lists, 5));
    worst_energy = fmax(worst_energy, energy_off(m.system, &here.s, problem, &there.s));
  }
  print_message("%s: %d states, off by %.1e, energies by %.1e\n", w->problem, STATES, worst,
                worst_energy);
  /* rounding of sums of ten terms, times the condition of mass matrices of 1e3 and less */
  CHECK_NEAR(worst, 0.0, 1e-11, "%s: accelerations and multipliers", w->problem);
  CHECK_NEAR(worst_energy, 0.0, 1e-11, "%s: energies and power", w->problem);
  solver_close(&of_model);
  solver_close(&of_problem);
  trm_system_free(problem);
  typed_close(&m);
}

static void accelerations_are_those_of_the_twin_in_c(void **state) {
  (void)state;
  for (int i = 0; i < TWINS; i++) check_accelerations(&twins[i]);
}

/* The end by `explicit`; steps are chosen by rounding alone, so they are the same for both. */
static void run_explicit(trm_system *system, const twin *w, point *end) {
  trm_options o = trm_options_default();
  o.integrator = "explicit";
  o.end = w->end;
  o.tolerance = w->tolerance;
  trm_sim *sim = kit_sim(system, &o);
  kit_run(sim);
  point_clear(end);
  trmi_state_copy(system, trm_sim_state(sim), &end->s);
  trm_sim_free(sim);
}

static void check_end(const twin *w) {
  typed m = open_typed(w);
  trm_system *problem = open_problem(w);
  const trm_sizes *n = trm_system_sizes(problem);
  point here, mapped, there;
  double dpi[TYPED_MAX];
  run_explicit(m.system, w, &here);
  run_explicit(problem, w, &there);
  map_state(w, m.system, &here.s, &mapped);
  trm_system_difference(problem, mapped.s.q, there.s.q, dpi);
  const double of_q = largest(dpi, n->nv), of_v = off(mapped.s.v, there.s.v, n->nv);
  const double of_x = off(mapped.s.x, there.s.x, n->nx);
  print_message("%s: end off by q %.1e, v %.1e, states %.1e\n", w->problem, of_q, of_v, of_x);
  /* errors of the method are the same in both: what is left is rounding, grown by the motion */
  CHECK_NEAR(of_q, 0.0, 1e-9, "%s: positions at the end", w->problem);
  CHECK_NEAR(of_v, 0.0, 1e-9, "%s: velocities at the end", w->problem);
  CHECK_NEAR(of_x, 0.0, 1e-9, "%s: states at the end", w->problem);
  trm_system_free(problem);
  typed_close(&m);
}

static void ends_are_those_of_the_twin_in_c(void **state) {
  (void)state;
  for (int i = 0; i < TWINS; i++) check_end(&twins[i]);
}

/* Names and scales are part of the promise: results of both can be laid side by side. */
static void names_and_scales_are_those_of_the_slider_crank(void **state) {
  (void)state;
  typed m = typed_model("slider-crank-typed", NULL);
  trm_system *problem = kit_problem("slider-crank", NULL, NULL);
  static const trm_quantity lists[] = {TRM_Q, TRM_V, TRM_LAM};
  for (int k = 0; k < 3; k++) {
    assert_int_equal(trm_system_count(m.system, lists[k]), trm_system_count(problem, lists[k]));
    for (int i = 0; i < trm_system_count(problem, lists[k]); i++) {
      trm_label a, b;
      trm_system_label(m.system, lists[k], i, &a);
      trm_system_label(problem, lists[k], i, &b);
      assert_string_equal(a.name, b.name);
      if (lists[k] == TRM_V) assert_true(a.scale == b.scale && a.kind == b.kind);
    }
  }
  trm_system_free(problem);
  typed_close(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(accelerations_are_those_of_the_twin_in_c),
      cmocka_unit_test(ends_are_those_of_the_twin_in_c),
      cmocka_unit_test(names_and_scales_are_those_of_the_slider_crank),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
