/* test_linear_model.c - A, B, C, D against closed forms: free and constrained, at rest and moving,
 * with states, loops, rolling and rotations. */
#include "trammel/analysis.h"
#include "verify/typed.h"

/* Exact derivatives, solved with a matrix of small condition; outputs by differences of 1e-12. */
static const double tight = 1e-9;

static trm_linear_model *linear_at(trm_system *system, const trm_state *at) {
  trm_error err = {.message = ""};
  trm_linear_model *m = NULL;
  const trm_linear_options options = trm_linear_options_default();
  CHECK_OK(trm_linear_model_find(system, at, &options, &m, &err), err);
  return m;
}

/* Compare a matrix [rows cols] with what it should be. */
static void check(const double *found, const double *wanted, int rows, int cols, const char *name) {
  double size = 1.0;
  for (int i = 0; i < rows * cols; i++) size = fmax(size, fabs(wanted[i]));
  for (int i = 0; i < rows * cols; i++) {
    CHECK_NEAR(found[i], wanted[i], tight * size, "%s(%d, %d)", name, i / cols, i % cols);
  }
}

static void check_names(const trm_linear_model *m, const char *const *names, int n) {
  assert_int_equal(trm_linear_model_size(m), n);
  for (int i = 0; i < n; i++) {
    trm_label label;
    trm_linear_model_label(m, i, &label);
    assert_string_equal(label.name, names[i]);
  }
}

/* ---- a row of masses and springs ------------------------------------------------------------- */

static const char chain[] =
    "trammel: 1\n"
    "parameters: {k: 40, c: 0.5}\n"
    "inputs: {f: 3, base: 0}\n"
    "equations:\n"
    "  coordinates: {x1: 0, x2: 0, x3: 0}\n"
    "  mass: {x1: 2, x2: 1, x3: 0.5}\n"
    "  potential: 0.5*k*(x2 - x1)^2 + 0.5*k*(x3 - x2)^2\n"
    "  forces: {x1: k*(base - x1) - c*x1', x2: \"-c*x2'\", x3: f}\n"
    "outputs: {stretch: x3 - x1, pull: k*(x1 - base), acceleration: x3''}\n"
    "simulate: {end: 1}\n";

static void a_row_of_masses_has_its_matrices(void **unused) {
  (void)unused;
  static const char *const names[] = {"x1", "x2", "x3", "vx1", "vx2", "vx3"};
  static const double A[36] = {0, 0, 0, 1, 0, 0, /**/ 0, 0, 0, 0, 1, 0, /**/ 0, 0, 0, 0, 0, 1,
                               -40, 20, 0, -0.25, 0, 0, /**/ 40, -80, 40, 0, -0.5, 0,
                               0, 80, -80, 0, 0, 0};
  static const double B[12] = {0, 0, 0, 0, 0, 0, 0, 20, 0, 0, 2, 0};
  static const double C[18] = {-1, 0, 1, 0, 0, 0, /**/ 40, 0, 0, 0, 0, 0, /**/ 0, 80, -80, 0, 0, 0};
  static const double D[6] = {0, 0, 0, -40, 2, 0};
  typed o = typed_text(chain, "chain.yaml", NULL);
  trm_linear_model *m = linear_at(o.system, NULL);
  const trm_matrices found = trm_linear_model_matrices(m);
  check_names(m, names, 6);
  check(found.A, A, 6, 6, "A");
  check(found.B, B, 6, 2, "B");
  check(found.C, C, 3, 6, "C");
  check(found.D, D, 3, 2, "D");
  trm_linear_model_free(m);
  typed_close(&o);
}

/* ---- a pendulum on a cart ------------------------------------------------------------------- */

/* M 1, m 0.5, l 0.8: about the hanging pendulum
 *   x'' = (u + m g phi)/M,   phi'' = -(u + (M + m) g phi)/(M l) */
static const double cart_A[16] = {0, 0, 1, 0, /**/ 0, 0, 0, 1, /**/ 0, 0.5 * 9.81, 0, 0,
                                  0, -1.5 * 9.81 / 0.8, 0, 0};
static const double cart_B[4] = {0, 0, 1, -1 / 0.8};

static void a_pendulum_on_a_cart_has_its_matrices(void **unused) {
  (void)unused;
  static const char *const names[] = {"x", "phi", "vx", "vphi"};
  static const double C[8] = {1, 0.8, 0, 0, /**/ 0, 0, 0, 0};
  typed o = typed_model("pushed-cart", NULL);
  trm_linear_model *m = linear_at(o.system, NULL); /* with a push of 1 N: A does not change */
  const trm_matrices found = trm_linear_model_matrices(m);
  check_names(m, names, 4);
  check(found.A, cart_A, 4, 4, "A");
  check(found.B, cart_B, 4, 1, "B");
  check(found.C, C, 2, 4, "C");
  check(found.D, (double[2]){0, 0}, 2, 1, "D");
  assert_true(trm_linear_model_state(m)->u[0] == 1.0);
  trm_linear_model_free(m);
  typed_close(&o);
}

/* The same of bodies and joints: 12 velocities, 10 constraints, and reactions as outputs. */
static const char bodies[] =
    "trammel: 1\n"
    "gravity: [0, 0, -9.81]\n"
    "inputs: {push: 0 N}\n"
    "bodies:\n"
    "  cart: {mass: 1, inertia: [1, 1, 1], at: [0, 0, 0]}\n"
    "  bob: {mass: 0.5, inertia: [1e-9, 1e-9, 1e-9], at: [0, 0, -0.8]}\n"
    "joints:\n"
    "  rail: {type: translational, bodies: [ground, cart], at: [0, 0, 0], axis: [1, 0, 0]}\n"
    "  pin: {type: revolute, bodies: [cart, bob], at: [0, 0, 0], axis: [0, 1, 0]}\n"
    "forces:\n"
    "  f: {type: force, body: cart, force: [push, 0, 0]}\n"
    "outputs: {cart: cart.x, bob: bob.x, load: pin.force.x}\n"
    "simulate: {end: 1}\n";

/* In whatever coordinates were chosen, the transfer function C (s - A)^-1 B + D is the same. */
static double transfer(const trm_linear_model *m, int output, double s) {
  const int n = trm_linear_model_size(m);
  const trm_matrices f = trm_linear_model_matrices(m);
  double K[8][9], sum = f.D[output];
  assert_true(n <= 8);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) K[i][j] = (i == j ? s : 0.0) - f.A[i * n + j];
    K[i][n] = f.B[i];
  }
  for (int k = 0; k < n; k++) { /* elimination with pivots */
    int best = k;
    for (int i = k; i < n; i++) best = fabs(K[i][k]) > fabs(K[best][k]) ? i : best;
    for (int j = 0; j <= n; j++) {
      const double swap = K[k][j];
      K[k][j] = K[best][j], K[best][j] = swap;
    }
    for (int i = 0; i < n; i++) {
      const double factor = i == k ? 0.0 : K[i][k] / K[k][k];
      for (int j = k; j <= n; j++) K[i][j] -= factor * K[k][j];
    }
  }
  for (int k = 0; k < n; k++) sum += f.C[output * n + k] * K[k][n] / K[k][k];
  return sum;
}

static void bodies_and_joints_have_the_transfer_function_of_the_equations(void **unused) {
  (void)unused;
  typed o = typed_text(bodies, "bodies.yaml", NULL);
  trm_linear_model *m = linear_at(o.system, NULL);
  assert_int_equal(trm_linear_model_size(m), 4);
  for (double s = 0.5; s < 20.0; s *= 3.0) {
    /* (s^2 - a) x = b u with phi = -(u + M x'' ..): from the two equations above */
    const double phi = -1.25 / (s * s + 1.5 * 9.81 / 0.8), x = (1 + 0.5 * 9.81 * phi) / (s * s);
    CHECK_NEAR(transfer(m, 0, s), x, 1e-8 * fabs(x), "cart at %g", s); /* inertia of 1e-9 */
    CHECK_NEAR(transfer(m, 1, s), x + 0.8 * phi, 1e-8 * fabs(x), "bob at %g", s);
    const double load = 0.5 * (x + 0.8 * phi) * s * s; /* what the pin does to the bob */
    CHECK_NEAR(transfer(m, 2, s), load, 1e-8, "force of the pin at %g", s);
  }
  trm_linear_model_free(m);
  typed_close(&o);
}

/* ---- while it moves ------------------------------------------------------------------------- */

/* A pendulum in x, y with y down: x'' = f(x, v) = -x v^2/c - g sqrt(c) x/l^2, c = l^2 - x^2, on the
 * lower branch; with a horizontal force u on a mass of 1: + u c/l^2. */
static const char circle[] =
    "trammel: 1\n"
    "inputs: {u: 2}\n"
    "equations:\n"
    "  coordinates: {x: {value: 0.3, velocity: 0.7}, y: {guess: 1}}\n"
    "  mass: {x: 1, y: 1}\n"
    "  forces: {x: u, y: 9.81}\n"
    "  constraints: {rod: x^2 + y^2 - 1.44}\n"
    "outputs: {y: y, vy: y', rod: rod}\n"
    "simulate: {end: 1}\n";

static void constraints_are_linearized_exactly_while_they_move(void **unused) {
  (void)unused;
  const double l2 = 1.44, g = 9.81, u = 2.0;
  typed o = typed_text(circle, "circle.yaml", NULL);
  trm_linear_model *m = linear_at(o.system, NULL);
  const trm_state *s = trm_linear_model_state(m);
  const double x = s->q[0], v = s->v[0], y = s->q[1], c = l2 - x * x;
  const trm_matrices found = trm_linear_model_matrices(m);
  const trm_linear_unknown first = trm_linear_model_unknown(m, 0);
  assert_int_equal(trm_linear_model_size(m), 2);
  assert_true(first.list == TRM_Q && first.index == 0); /* x: y has the larger slope */
  const double A[4] = {0, 1,
                       -v * v / c - 2 * x * x * v * v / (c * c) - g * sqrt(c) / l2 +
                           g * x * x / (sqrt(c) * l2) - 2 * u * x / l2,
                       -2 * x * v / c};
  check(found.A, A, 2, 2, "A");
  check(found.B, (double[2]){0, c / l2}, 2, 1, "B");
  CHECK_NEAR(found.C[0], -x / y, tight, "y of x");
  CHECK_NEAR(found.C[1], 0.0, tight, "y of v");
  CHECK_NEAR(found.C[2], -v / y - x * x * v / (y * y * y), tight, "y' of x");
  CHECK_NEAR(found.C[3], -x / y, tight, "y' of v");
  /* 2 lam l^2 = u x + g y + v^2 + y'^2 */
  CHECK_NEAR(found.C[5], (2 * v + 2 * x * x * v / (y * y)) / (2 * l2), 1e-8, "reaction of v");
  CHECK_NEAR(found.D[2], x / (2 * l2), 1e-9, "reaction of u");
  trm_linear_model_free(m);
  typed_close(&o);
}

/* A free body that spins about no principal axis: w' = J^-1 (t - w x J w), and increments of its
 * orientation turn with it, p' = dw - w x p. */
static const char spinning[] =
    "trammel: 1\n"
    "inputs: {t: 0 N*m}\n"
    "bodies:\n"
    "  top: {mass: 1, inertia: [2, 3, 4], angular_velocity: [1, 2, 3]}\n"
    "forces:\n"
    "  f: {type: torque, body: top, frame: top, torque: [t, 0, 0]}\n"
    "simulate: {end: 1}\n";

static void a_spinning_body_has_the_derivatives_of_euler(void **unused) {
  (void)unused;
  static const double w[3] = {1, 2, 3}, J[3] = {2, 3, 4};
  typed o = typed_text(spinning, "top.yaml", NULL);
  trm_linear_model *m = linear_at(o.system, NULL);
  const trm_matrices f = trm_linear_model_matrices(m);
  const int n = 12;
  assert_int_equal(trm_linear_model_size(m), n);
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double *row = f.A + (9 + i) * n, *turn = f.A + (3 + i) * n;
    CHECK_NEAR(row[9 + j], (J[j] - J[k]) / J[i] * w[k], tight, "w'%d by w%d", i, j);
    CHECK_NEAR(row[9 + k], (J[j] - J[k]) / J[i] * w[j], tight, "w'%d by w%d", i, k);
    CHECK_NEAR(row[9 + i], 0.0, tight, "w'%d by itself", i);
    CHECK_NEAR(turn[9 + i], 1.0, tight, "p'%d by w", i);
    CHECK_NEAR(turn[3 + j], w[k], tight, "p'%d by p%d", i, j);
    CHECK_NEAR(turn[3 + k], -w[j], tight, "p'%d by p%d", i, k);
  }
  CHECK_NEAR(f.B[9], 0.5, tight, "w' by the torque");
  trm_label label;
  trm_linear_model_label(m, 3, &label);
  assert_string_equal(label.name, "int(top.wx)");
  trm_linear_model_free(m);
  typed_close(&o);
}

/* ---- states, loops, rolling ----------------------------------------------------------------- */

static const char states[] =
    "trammel: 1\n"
    "inputs: {u: 0.5}\n"
    "equations:\n"
    "  coordinates: {x: {value: 0.2, velocity: 0.4}}\n"
    "  mass: {x: 2}\n"
    "  forces: {x: -3*x + valve + 0.5*w}\n"
    "  states: {valve: {value: 1, residual: 0.25*valve' + valve - u - 0.1*x'*valve}}\n"
    "  variables: {w: 0.5*w + u*x}\n"
    "outputs: {w: w, rate: valve'}\n"
    "simulate: {end: 1}\n";

static void states_and_loops_are_part_of_it(void **unused) {
  (void)unused;
  const double x = 0.2, v = 0.4, u = 0.5, valve = 1.0;
  typed o = typed_text(states, "states.yaml", NULL);
  trm_linear_model *m = linear_at(o.system, NULL);
  const trm_matrices found = trm_linear_model_matrices(m);
  /* w = 2 u x; 2 x'' = -3 x + valve + u x; valve' = 4 (u + 0.1 x' valve - valve) */
  const double A[9] = {0, 1, 0, (-3 + u) / 2, 0, 0.5, 0, 0.4 * valve, 0.4 * v - 4};
  check(found.A, A, 3, 3, "A");
  check(found.B, (double[3]){0, x / 2, 4}, 3, 1, "B");
  check(found.C, (double[6]){2 * u, 0, 0, 0, 0.4 * valve, 0.4 * v - 4}, 2, 3, "C");
  check(found.D, (double[2]){2 * x, 4}, 2, 1, "D");
  trm_linear_model_free(m);
  typed_close(&o);
}

/* x' sin(a) = y' cos(a) with y' free: x' = y' cos(a)/sin(a); x, y, a are all free in positions. */
static const char skate[] =
    "trammel: 1\n"
    "equations:\n"
    "  coordinates: {x: {value: 0, velocity: 1}, y: 0, a: {value: 1}}\n"
    "  mass: {x: 1, y: 1, a: 0.1}\n"
    "  nonholonomic: {edge: x'*sin(a) - y'*cos(a)}\n"
    "simulate: {end: 1}\n";

static void rolling_leaves_fewer_velocities_than_positions(void **unused) {
  (void)unused;
  static const char *const names[] = {"x", "y", "a", "vy", "va"};
  typed o = typed_text(skate, "skate.yaml", NULL);
  trm_linear_model *m = linear_at(o.system, NULL);
  const trm_state *s = trm_linear_model_state(m);
  const double vy = s->v[1], ratio = cos(s->q[2]) / sin(s->q[2]), slope = -1 / pow(sin(s->q[2]), 2);
  const double *A = trm_linear_model_matrices(m).A;
  check_names(m, names, 5);
  CHECK_NEAR(A[2], slope * vy, tight, "x' by a");
  CHECK_NEAR(A[3], ratio, tight, "x' by y'");
  CHECK_NEAR(A[8], 1.0, tight, "y' by y'");
  CHECK_NEAR(A[14], 1.0, tight, "a' by a'");
  /* y' = v sin(a), v constant: y'' = v cos(a) a' = y' a' cos(a)/sin(a); at a' = 0 */
  CHECK_NEAR(A[19], vy * ratio, tight, "y'' by a'");
  CHECK_NEAR(A[17], 0.0, tight, "y'' by a");
  trm_linear_model_free(m);
  typed_close(&o);
}

static void options_without_a_tag_are_refused(void **unused) {
  (void)unused;
  trm_error err;
  trm_linear_model *m;
  typed o = typed_model("pushed-cart", NULL);
  CHECK_STATUS(trm_linear_model_find(o.system, NULL, &(trm_linear_options){0}, &m, &err),
               TRM_ERR_INPUT);
  assert_null(m);
  typed_close(&o);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_row_of_masses_has_its_matrices),
    cmocka_unit_test(a_pendulum_on_a_cart_has_its_matrices),
    cmocka_unit_test(bodies_and_joints_have_the_transfer_function_of_the_equations),
    cmocka_unit_test(constraints_are_linearized_exactly_while_they_move),
    cmocka_unit_test(a_spinning_body_has_the_derivatives_of_euler),
    cmocka_unit_test(states_and_loops_are_part_of_it),
    cmocka_unit_test(rolling_leaves_fewer_velocities_than_positions),
    cmocka_unit_test(options_without_a_tag_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
