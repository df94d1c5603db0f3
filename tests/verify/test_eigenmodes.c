/* Modes against closed forms, by LAPACK and by ARPACK: rows of masses, pendulums with and without
 * constraints, damping, gyroscopic terms, rotations, states. */
#include "verify/analyses.h"

/* Relative error of an eigenvalue: rounding 1e-16 times the spread of the problem, 1e5 at most. */
static const double tight = 1e-9;

static void check_eigenvalue(const trm_modes *modes, int i, double re, double im,
                             const char *what) {
  const trm_mode mode = trm_mode_at(modes, i);
  const double size = hypot(re, im);
  CHECK_NEAR(mode.re, re, tight * size, "%s, mode %d, real part", what, i);
  CHECK_NEAR(mode.im, im, tight * size, "%s, mode %d, imaginary part", what, i);
  CHECK_NEAR(mode.frequency, size / (2.0 * pi), tight * size, "%s, mode %d, frequency", what, i);
  CHECK_NEAR(mode.damping, -re / size, tight, "%s, mode %d, damping", what, i);
}

/* --- masses in a row -------------------------------------------------------------------- */

/* w_r = 2 sqrt(k/m) sin(r pi / 2(N+1)), damping w_r c / 2k, shape sin(i r pi/(N+1)). */
static void check_row(int n, const char *masses, double c, const char *method, int count) {
  trm_error err;
  char damping[32];
  snprintf(damping, sizeof damping, "%.17g", c);
  const trm_setting settings[] = {{"masses", masses}, {"damping", damping}};
  trm_system *system = NULL;
  CHECK_OK(trm_problem_create(trm_problem_find("oscillators"), settings, 2, NULL, &system, &err),
           err);
  trm_modes *modes = modes_at(system, NULL, method, count);
  assert_int_equal(trm_modes_count(modes), count);
  for (int r = 0; r < count; r++) {
    const double w = 20.0 * sin(0.5 * (r + 1) * pi / (n + 1)), zeta = 0.5 * w * c / 100.0;
    check_eigenvalue(modes, r, -zeta * w, w * sqrt(1.0 - zeta * zeta), method);
    const trm_mode mode = trm_mode_at(modes, r);
    double largest = 0.0, at = 0.0;
    for (int i = 0; i < n; i++) {
      const double shape = sin((i + 1.0) * (r + 1) * pi / (n + 1));
      if (fabs(shape) > largest * (1.0 + 1e-9)) largest = fabs(shape), at = shape;
    }
    for (int i = 0; i < n; i++) {
      const double shape = sin((i + 1.0) * (r + 1) * pi / (n + 1)) / at;
      /* vectors lose what eigenvalues next to each other are apart: 1e-16 w^2 / (2 w dw); that of
       * the largest part may be another one of the same size, with the other sign */
      CHECK_NEAR(fabs(mode.shape_re[i]), fabs(shape), 1e-7, "%s, mode %d, mass %d", method, r, i);
      CHECK_NEAR(mode.shape_im[i], 0.0, 1e-7, "%s, mode %d, mass %d", method, r, i);
    }
  }
  trm_modes_free(modes);
  trm_system_free(system);
}

static void rows_of_masses_have_their_frequencies(void **state) {
  (void)state;
  check_row(20, "20", 0.0, "dense", 20);
  check_row(20, "20", 2.0, "dense", 20);
  check_row(600, "600", 0.0, "auto", 30);
  check_row(600, "600", 2.0, "auto", 10);
}

static void large_systems_go_to_arpack_and_small_ones_to_lapack(void **state) {
  (void)state;
  static const struct {
    const char *masses, *method;
  } cases[] = {{"499", "dense"}, {"500", "sparse"}};
  for (int i = 0; i < 2; i++) {
    trm_system *system = kit_problem("oscillators", "masses", cases[i].masses);
    trm_modes *modes = modes_at(system, NULL, NULL, 3);
    assert_string_equal(trm_modes_method(modes), cases[i].method);
    trm_modes_free(modes);
    trm_system_free(system);
  }
}

/* Free at both ends: one rigid-body mode, then w_r = 2 sin(r pi / 2N). */
static void free_row_has_a_rigid_mode(void **state) {
  (void)state;
  enum { N = 40 };
  static const char *const methods[] = {"dense", "sparse"};
  static const char *const dampings[] = {"0", "0.02"};
  char text[8192];
  size_t used = (size_t)snprintf(text, sizeof text, "trammel: 1\nparameters: {c: 0}\nequations:\n"
                                                    "  coordinates:\n");
  for (int i = 0; i < N; i++) {
    used += (size_t)snprintf(text + used, sizeof text - used, "    x%d: %d\n", i, i);
  }
  used += (size_t)snprintf(text + used, sizeof text - used, "  kinetic: 0");
  for (int i = 0; i < N; i++) {
    used += (size_t)snprintf(text + used, sizeof text - used, " + 0.5*x%d'^2", i);
  }
  used += (size_t)snprintf(text + used, sizeof text - used, "\n  potential: 0");
  for (int i = 0; i + 1 < N; i++) {
    used += (size_t)snprintf(text + used, sizeof text - used, " + 0.5*(x%d - x%d - 1)^2", i + 1, i);
  }
  used += (size_t)snprintf(text + used, sizeof text - used, "\n  forces:\n");
  for (int i = 0; i < N; i++) { /* dampers beside the springs */
    const int left = i > 0 ? i - 1 : i, right = i + 1 < N ? i + 1 : i;
    used += (size_t)snprintf(text + used, sizeof text - used,
                             "    x%d: c*(x%d' + x%d' - 2*x%d')\n", i, left, right, i);
  }
  assert_true(used < sizeof text - 1);
  for (int k = 0; k < 4; k++) {
    const trm_setting settings[] = {{"c", dampings[k / 2]}, {0}};
    const double c = atof(dampings[k / 2]);
    typed m = typed_text(text, "row", settings);
    trm_modes *modes = modes_at(m.system, NULL, methods[k % 2], 10);
    const trm_mode rigid = trm_mode_at(modes, 0);
    assert_true(rigid.frequency == 0.0 && rigid.damping == 0.0 && rigid.re == 0.0);
    for (int i = 0; i < N; i++) CHECK_NEAR(rigid.shape_re[i], 1.0, 1e-7, "mass %d moves along", i);
    for (int r = 1; r < 10; r++) {
      const double w = 2.0 * sin(0.5 * r * pi / N), zeta = 0.5 * w * c;
      check_eigenvalue(modes, r, -zeta * w, w * sqrt(1.0 - zeta * zeta), methods[k % 2]);
    }
    trm_modes_free(modes);
    typed_close(&m);
  }
}

/* Stiffness that does not cancel to the bit in the sum over a rigid motion: its mode is still zero,
 * and the softest spring, 1e-6 of the stiffest, is not. */
static void rigid_mode_is_told_from_a_soft_one(void **state) {
  (void)state;
  typed m = typed_text("trammel: 1\nequations:\n  coordinates: {a: 0, b: 0, c: 0, d: 0}\n"
                       "  kinetic: 0.5*(1.3*a'^2 + 0.7*b'^2 + 1.9*c'^2 + 0.3*d'^2)\n"
                       "  potential: |\n"
                       "    0.5*(pi*1e6*(b - a)^2 + exp(1)*1e5*(c - 2*b + a)^2 + 1/3*(d - c)^2)\n"
                       "    + 0.5*sqrt(2)*1e6*(c - b)^2\n", "soft", NULL);
  trm_modes *modes = modes_at(m.system, NULL, NULL, 5);
  assert_int_equal(trm_modes_count(modes), 4);
  assert_true(omega(modes, 0) == 0.0);
  /* two lumps on the soft spring, 3.9 kg and 0.3 kg; the stiff ones give 1e-6 */
  CHECK_NEAR(omega(modes, 1), sqrt(1.0 / 3.0 * (1.0 / 3.9 + 1.0 / 0.3)), 1e-5, "soft spring");
  trm_modes_free(modes);
  typed_close(&m);
}

/* --- small typed systems ------------------------------------------------------------------ */

/* The cart of mass M goes, the bob of mass m swings: w^2 = g (M + m)/(M l), and a rigid mode. */
static void pendulum_on_a_cart(void **state) {
  (void)state;
  typed m = typed_text("trammel: 1\n"
                       "parameters: {M: 2.5, m: 0.7, l: 0.8, g: 9.81}\n"
                       "equations:\n"
                       "  coordinates: {x: 0.3, th: 0.5}\n"
                       "  kinetic: 0.5*M*x'^2 + 0.5*m*(x'^2 + 2*l*cos(th)*x'*th' + l^2*th'^2)\n"
                       "  potential: -m*g*l*cos(th)\n",
                       "cart", NULL);
  trm_static *at = rest(m.system);
  assert_int_equal(trm_static_facts_of(at)->neutral, 1);
  trm_modes *modes = modes_at(trm_static_system(at), trm_static_state(at), NULL, 5);
  assert_int_equal(trm_modes_count(modes), 2);
  assert_true(omega(modes, 0) == 0.0);
  check_eigenvalue(modes, 1, 0.0, sqrt(9.81 * 3.2 / (2.5 * 0.8)), "cart");
  /* the centre of mass stays: (M + m) x + m l th = 0 */
  const trm_mode mode = trm_mode_at(modes, 1);
  CHECK_NEAR(3.2 * mode.shape_re[0] + 0.7 * 0.8 * mode.shape_re[1], 0.0, tight, "centre of mass");
  trm_modes_free(modes);
  trm_static_free(at);
  typed_close(&m);
}

static void damped_oscillator_has_its_ratio(void **state) {
  (void)state;
  static const struct {
    const char *c;
    double      zeta;
  } cases[] = {{"0.6", 0.1}, {"6e-6", 1e-6}, {"0", 0.0}, {"-0.6", -0.1}, {"7.5", 1.25}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const trm_setting settings[] = {{"c", cases[i].c}, {0}};
    typed m = typed_text("trammel: 1\nparameters: {c: 0}\nequations:\n  coordinates: {x: 0}\n"
                         "  kinetic: x'^2/2\n  forces: {x: -9*x - c*x'}\n", "oscillator", settings);
    trm_modes *modes = modes_at(m.system, NULL, NULL, 5);
    const double zeta = cases[i].zeta;
    if (zeta <= 1.0) {
      assert_int_equal(trm_modes_count(modes), 1);
      check_eigenvalue(modes, 0, -3.0 * zeta, 3.0 * sqrt(1.0 - zeta * zeta), cases[i].c);
    } else { /* creeps: two real eigenvalues */
      assert_int_equal(trm_modes_count(modes), 2);
      check_eigenvalue(modes, 0, -3.0 * (zeta - sqrt(zeta * zeta - 1.0)), 0.0, "slow");
      check_eigenvalue(modes, 1, -3.0 * (zeta + sqrt(zeta * zeta - 1.0)), 0.0, "fast");
    }
    trm_modes_free(modes);
    typed_close(&m);
  }
}

/* A spring that pushes away: exp(+2 t) and exp(-2 t). */
static void unstable_rest_grows_and_decays(void **state) {
  (void)state;
  typed m = typed_text("trammel: 1\nequations:\n  coordinates: {x: 0}\n  kinetic: x'^2/2\n"
                       "  potential: -2*x^2\n", "hill", NULL);
  trm_modes *modes = modes_at(m.system, NULL, NULL, 5);
  assert_int_equal(trm_modes_count(modes), 2);
  check_eigenvalue(modes, 0, -2.0, 0.0, "decays");
  check_eigenvalue(modes, 1, 2.0, 0.0, "grows");
  trm_modes_free(modes);
  typed_close(&m);
}

/* Pendulums seen on a turntable: x'' = 2 W y' - w^2 x, y'' = -2 W x' - w^2 y has the frequencies
 * sqrt(w^2 + W^2) -+ W. Six of them, so that ARPACK has something to do. */
static void gyroscopic_pendulums(void **state) {
  (void)state;
  enum { N = 6 };
  static const char *const methods[] = {"dense", "sparse"};
  char text[4096];
  size_t used = (size_t)snprintf(text, sizeof text, "trammel: 1\nequations:\n  coordinates:\n");
  for (int i = 0; i < N; i++) {
    used += (size_t)snprintf(text + used, sizeof text - used, "    x%d: 0\n    y%d: 0\n", i, i);
  }
  used += (size_t)snprintf(text + used, sizeof text - used, "  kinetic: 0");
  for (int i = 0; i < N; i++) {
    used += (size_t)snprintf(text + used, sizeof text - used, " + 0.5*(x%d'^2 + y%d'^2)", i, i);
  }
  used += (size_t)snprintf(text + used, sizeof text - used, "\n  forces:\n");
  for (int i = 0; i < N; i++) {
    used += (size_t)snprintf(text + used, sizeof text - used,
                             "    x%d: 0.5*y%d' - %d*x%d\n    y%d: -0.5*x%d' - %d*y%d\n", i, i,
                             (i + 1) * (i + 1), i, i, i, (i + 1) * (i + 1), i);
  }
  typed m = typed_text(text, "turntable", NULL);
  for (int k = 0; k < 2; k++) {
    trm_modes *modes = modes_at(m.system, NULL, methods[k], k == 0 ? 2 * N : 4);
    assert_int_equal(trm_modes_count(modes), k == 0 ? 2 * N : 4);
    for (int r = 0; r < trm_modes_count(modes); r++) { /* in order: w -+ 1/4 about */
      const double w = r / 2 + 1.0, im = hypot(w, 0.25) + (r % 2 == 0 ? -0.25 : 0.25);
      check_eigenvalue(modes, r, 0.0, im, methods[k]);
    }
    trm_modes_free(modes);
  }
  typed_close(&m);
}

/* x' = -a x alone, and a state behind a spring: m y'' = -k (y - x). */
static void states_take_part(void **state) {
  (void)state;
  typed m = typed_text("trammel: 1\nequations:\n  coordinates: {y: 0}\n"
                       "  kinetic: y'^2\n"
                       "  states: {s: {value: 0, rate: -3*s}}\n"
                       "  forces: {y: -8*(y - s)}\n", "follower", NULL);
  trm_modes *modes = modes_at(m.system, NULL, NULL, 5);
  assert_int_equal(trm_modes_count(modes), 2);
  check_eigenvalue(modes, 0, 0.0, 2.0, "spring");
  check_eigenvalue(modes, 1, -3.0, 0.0, "state");
  /* 2 lambda^2 y = -8 (y - s) at lambda = -3: y = 8/26 s */
  const trm_mode mode = trm_mode_at(modes, 1);
  CHECK_NEAR(mode.state_re[0] / mode.shape_re[0], 26.0 / 8.0, 1e-8, "the spring follows the state");
  trm_modes_free(modes);
  typed_close(&m);
}

/* --- constraints and rotations ------------------------------------------------------------- */

static void constrained_pendulums_swing(void **state) {
  (void)state;
  static const struct {
    const char *problem, *name, *value;
    double      w;
  } cases[] = {{"pendulum", NULL, NULL, 4.429446918007},  /* sqrt(9.81/0.5) */
               {"pendulum", "unit_x", "mm", 4.429446918007}, {"unit-pendulum", NULL, NULL, 1.0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    trm_system *system = kit_problem(cases[i].problem, cases[i].name, cases[i].value);
    trm_static *at = rest(system);
    trm_modes *modes = modes_at(trm_static_system(at), trm_static_state(at), NULL, 5);
    assert_int_equal(trm_modes_count(modes), 1);
    check_eigenvalue(modes, 0, 0.0, cases[i].w, cases[i].problem);
    trm_modes_free(modes);
    trm_static_free(at);
    trm_system_free(system);
  }
}

/* Two rods between the same points, and one more: the frequencies are those of one. */
static void redundant_constraints_change_nothing(void **state) {
  (void)state;
  typed m = typed_text("trammel: 1\nequations:\n  coordinates: {x: 0.6, y: -0.8}\n"
                       "  kinetic: 0.5*(x'^2 + y'^2)\n  potential: 9*y\n  forces: {x: -0.1*x'}\n"
                       "  constraints:\n    a: x^2 + y^2 - 1\n    b: 2*x^2 + 2*y^2 - 2\n"
                       "    c: hypot(x, y) - 1\n",
                       "three rods", NULL);
  trm_static *at = rest(m.system);
  const trm_state *s = trm_static_state(at);
  CHECK_NEAR(s->q[0], 0.0, tight, "it hangs");
  CHECK_NEAR(s->q[1], -1.0, tight, "it hangs");
  trm_modes *modes = modes_at(m.system, s, NULL, 5);
  assert_int_equal(trm_modes_count(modes), 1);
  check_eigenvalue(modes, 0, -0.05, sqrt(9.0 - 0.0025), "three rods");
  trm_modes_free(modes);
  trm_static_free(at);
  typed_close(&m);
}

/* Not spinning the top is a spherical pendulum: w^2 = m g l/(J + m l^2) twice, and it may turn. */
static void top_at_rest_is_a_spherical_pendulum(void **state) {
  (void)state;
  trm_system *system = kit_problem("heavy-top", NULL, NULL);
  trm_static *at = rest(system);
  trm_modes *modes = modes_at(trm_static_system(at), trm_static_state(at), NULL, 5);
  assert_int_equal(trm_modes_count(modes), 3);
  assert_true(omega(modes, 0) == 0.0);
  const double w = sqrt(15.0 * 9.81 / (0.234375 + 15.0));
  check_eigenvalue(modes, 1, 0.0, w, "swing");
  check_eigenvalue(modes, 2, 0.0, w, "swing");
  trm_modes_free(modes);
  trm_static_free(at);
  trm_system_free(system);
}

/* Upright and spinning with W about its axis, in axes that stand still:
 * A phi'' - i C W phi' - m g l phi = 0, frequencies (C W -+ sqrt(C^2 W^2 - 4 A m g l)) / 2 A. */
static void sleeping_top_precesses(void **state) {
  (void)state;
  const double A = 0.234375 + 15.0, C = 0.46875, spin = 300.0, root = sqrt(0.5);
  trm_system *system = kit_problem("heavy-top", NULL, NULL);
  point p;
  point_clear(&p);
  const double q[7] = {0.0, 0.0, 1.0, root, root, 0.0, 0.0}; /* body y points up */
  memcpy(p.s.q, q, sizeof q);
  p.s.v[4] = spin;
  p.s.lam[2] = -15.0 * 9.81;
  trm_modes *modes = modes_at(system, &p.s, NULL, 5);
  const double fast = sqrt(C * C * spin * spin - 4.0 * A * 15.0 * 9.81);
  assert_int_equal(trm_modes_count(modes), 3);
  check_eigenvalue(modes, 1, 0.0, (C * spin - fast) / (2.0 * A), "slow precession");
  check_eigenvalue(modes, 2, 0.0, (C * spin + fast) / (2.0 * A), "nutation");
  trm_modes_free(modes);
  trm_system_free(system);
}

/* A disc that rolls straight and upright wobbles with w^2 = 12/5 spin^2 - 4 g/(5 r); below the
 * speed where that is zero it falls. Quaternions and typed angles. */
static void rolling_disc_wobbles(void **state) {
  (void)state;
  static const struct {
    const char *spin, *method;
  } cases[] = {{"12", "dense"}, {"12", "sparse"}, {"2", "dense"}};
  for (int i = 0; i < 3; i++) {
    const trm_setting settings[] = {{"tilt", "0"}, {"spin", cases[i].spin}, {0}};
    const double spin = atof(cases[i].spin), w2 = 2.4 * spin * spin - 0.8 * 9.81 / 0.25;
    trm_error err;
    trm_system *system = NULL;
    CHECK_OK(trm_problem_create(trm_problem_find("rolling-disc"), settings, 2, NULL, &system, &err),
             err);
    typed m = typed_model("rolling-disc-typed", settings);
    for (int k = 0; k < 2; k++) {
      trm_modes *modes = modes_at(k == 0 ? system : m.system, NULL, cases[i].method, 10);
      const trm_mode last = trm_mode_at(modes, trm_modes_count(modes) - 1);
      /* ARPACK has the many zeros of a free disc around its shift: two digits less */
      const double tol = tight * (i == 1 ? 100.0 : 1.0) * sqrt(fabs(w2));
      CHECK_NEAR(w2 > 0.0 ? last.im : fabs(last.re), sqrt(fabs(w2)), tol, "%s, description %d",
                 cases[i].spin, k);
      CHECK_NEAR(w2 > 0.0 ? last.re : last.im, 0.0, tol, "%s, description %d", cases[i].spin, k);
      trm_modes_free(modes);
    }
    typed_close(&m);
    trm_system_free(system);
  }
}

/* Two tops asleep beside each other, by ARPACK as well: spin of rotations in both ways. */
static void sleeping_tops_of_bodies(void **state) {
  (void)state;
  static const char *const methods[] = {"dense", "sparse"};
  typed m = typed_text(
      "trammel: 1\ngravity: [0, 0, -10]\nbodies:\n"
      "  a: {mass: 2, inertia: [0.1, 0.1, 0.05], at: [0, 0, 0.3], angular_velocity: [0, 0, 100]}\n"
      "  b: {mass: 2, inertia: [0.1, 0.1, 0.05], at: [3, 0, 0.3], angular_velocity: [0, 0, 150]}\n"
      "joints:\n"
      "  p: {type: spherical, bodies: [ground, a], at: [0, 0, 0]}\n"
      "  q: {type: spherical, bodies: [ground, b], at: [3, 0, 0]}\n",
      "tops", NULL);
  const double A = 0.1 + 2.0 * 0.09, C = 0.05, load = 2.0 * 10.0 * 0.3;
  const double root[2] = {sqrt(C * C * 1e4 - 4.0 * A * load),
                          sqrt(C * C * 2.25e4 - 4.0 * A * load)};
  const double w[4] = {(C * 150.0 - root[1]) / (2.0 * A), (C * 100.0 - root[0]) / (2.0 * A),
                       (C * 100.0 + root[0]) / (2.0 * A), (C * 150.0 + root[1]) / (2.0 * A)};
  for (int k = 0; k < 2; k++) {
    trm_modes *modes = modes_at(m.system, NULL, methods[k], 6);
    assert_int_equal(trm_modes_count(modes), 6);
    assert_string_equal(trm_modes_method(modes), methods[k]);
    assert_true(omega(modes, 0) == 0.0 && omega(modes, 1) == 0.0); /* about their axes */
    for (int i = 0; i < 4; i++) check_eigenvalue(modes, 2 + i, 0.0, w[i], methods[k]);
    trm_modes_free(modes);
  }
  typed_close(&m);
}

/* 60 hanging links, 360 velocities: ARPACK with constraints and quaternions against LAPACK. */
static void hanging_chain_is_the_same_both_ways(void **state) {
  (void)state;
  enum { COUNT = 8 };
  trm_system *system = kit_problem("chain", "links", "60");
  trm_static *at = rest(system);
  trm_modes *dense = modes_at(trm_static_system(at), trm_static_state(at), "dense", COUNT);
  trm_modes *sparse = modes_at(trm_static_system(at), trm_static_state(at), "sparse", COUNT);
  assert_string_equal(trm_modes_method(sparse), "sparse");
  assert_int_equal(trm_modes_count(sparse), COUNT);
  for (int r = 0; r < COUNT; r++) {
    const trm_mode one = trm_mode_at(dense, r);
    check_eigenvalue(sparse, r, one.re, one.im, "chain");
  }
  trm_modes_free(sparse);
  trm_modes_free(dense);
  trm_static_free(at);
  trm_system_free(system);
}

static void wrong_options_are_told(void **state) {
  (void)state;
  trm_error err = {.message = ""};
  trm_modes *modes = NULL;
  trm_system *system = kit_problem("pendulum", NULL, NULL);
  trm_modes_options o = trm_modes_options_default();
  o.method = "lanczos";
  CHECK_STATUS(trm_modes_find(system, NULL, &o, &modes, &err), TRM_ERR_INPUT);
  assert_non_null(strstr(err.message, "dense or sparse"));
  assert_null(modes);
  o = (trm_modes_options){.count = 3};
  CHECK_STATUS(trm_modes_find(system, NULL, &o, &modes, &err), TRM_ERR_INPUT);
  trm_modes_free(NULL);
  trm_system_free(system);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_of_masses_have_their_frequencies),
      cmocka_unit_test(large_systems_go_to_arpack_and_small_ones_to_lapack),
      cmocka_unit_test(free_row_has_a_rigid_mode),
      cmocka_unit_test(rigid_mode_is_told_from_a_soft_one),
      cmocka_unit_test(pendulum_on_a_cart),
      cmocka_unit_test(damped_oscillator_has_its_ratio),
      cmocka_unit_test(unstable_rest_grows_and_decays),
      cmocka_unit_test(gyroscopic_pendulums),
      cmocka_unit_test(states_take_part),
      cmocka_unit_test(constrained_pendulums_swing),
      cmocka_unit_test(redundant_constraints_change_nothing),
      cmocka_unit_test(top_at_rest_is_a_spherical_pendulum),
      cmocka_unit_test(sleeping_top_precesses),
      cmocka_unit_test(rolling_disc_wobbles),
      cmocka_unit_test(sleeping_tops_of_bodies),
      cmocka_unit_test(hanging_chain_is_the_same_both_ways),
      cmocka_unit_test(wrong_options_are_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
