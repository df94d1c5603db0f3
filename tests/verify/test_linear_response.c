/* test_linear_response.c - poles, zeros and frequency responses against closed forms: a row of
 * masses, a pendulum on a cart, a quarter of a car. */
#include "trammel/analysis.h"
#include "verify/typed.h"
#include <complex.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 24 };

/* Exact matrices, eigenvalues that are well conditioned; outputs by differences of 1e-12. */
static const double tight = 1e-9;

typedef struct opened {
  typed             model;
  trm_linear_model *linear;
  int               n, count; /* poles, zeros that were asked for */
  double            re[MOST], im[MOST];
} opened;

static opened open_text(const char *text) {
  trm_error err = {.message = ""};
  opened o = {.model = typed_text(text, "test", NULL)};
  const trm_linear_options options = trm_linear_options_default();
  CHECK_OK(trm_linear_model_find(o.model.system, NULL, &options, &o.linear, &err), err);
  o.n = trm_linear_model_size(o.linear);
  assert_true(o.n <= MOST);
  return o;
}

static void close_text(opened *o) {
  trm_linear_model_free(o->linear);
  typed_close(&o->model);
}

static void find_poles(opened *o) {
  trm_error err = {.message = ""};
  CHECK_OK(trm_linear_model_poles(o->linear, o->re, o->im, &err), err);
  o->count = o->n;
}

static void find_zeros(opened *o, int output) {
  trm_error err = {.message = ""};
  CHECK_OK(trm_linear_model_zeros(o->linear, 0, output, &o->count, o->re, o->im, &err), err);
}

/* A pair +- i omega at a place of the list. */
static void check_pair(const opened *o, int at, double omega, const char *what) {
  for (int k = at; k < at + 2; k++) {
    CHECK_NEAR(o->re[k], 0.0, tight * omega, "%s, real part", what);
    CHECK_NEAR(fabs(o->im[k]), omega, tight * omega, "%s", what);
  }
  assert_true(o->im[at] == -o->im[at + 1]);
}

static double complex response(opened *o, int output, double omega) {
  trm_error err = {.message = ""};
  double re[8], im[8];
  CHECK_OK(trm_linear_model_response(o->linear, omega, re, im, &err), err);
  return re[output] + im[output] * I;
}

static void check_response(opened *o, int output, double omega, double complex wanted) {
  const double complex found = response(o, output, omega);
  CHECK_NEAR(cabs(found - wanted), 0.0, tight * cabs(wanted), "output %d at %g", output, omega);
}

/* Two masses of 1 and springs of 100 from the wall: omega^2 = 50 (3 -+ sqrt 5). The force on the
 * second is opposed where the first one alone rests on both springs. */
static void a_row_of_masses(void **state) {
  (void)state;
  opened o = open_text("trammel: 1\ninputs: {f: 0}\n"
                       "equations:\n"
                       "  coordinates: {x1: 0, x2: 0}\n"
                       "  mass: {x1: 1, x2: 1}\n"
                       "  potential: 50*x1^2 + 50*(x2 - x1)^2\n"
                       "  forces: {x2: f}\n"
                       "outputs: {near: x1, far: x2, none: 3}\n");
  find_poles(&o);
  assert_int_equal(o.count, 4);
  check_pair(&o, 0, sqrt(50.0 * (3.0 - sqrt(5.0))), "slow pole");
  check_pair(&o, 2, sqrt(50.0 * (3.0 + sqrt(5.0))), "fast pole");
  find_zeros(&o, 0);
  assert_int_equal(o.count, 0);
  find_zeros(&o, 1);
  assert_int_equal(o.count, 2);
  check_pair(&o, 0, sqrt(200.0), "zero of the far mass");
  find_zeros(&o, 2);
  assert_int_equal(o.count, -1);
  for (int k = 0; k < 5; k++) {
    const double omega = 1.7 * k, s2 = -omega * omega;
    const double below = (s2 + 200.0) * (s2 + 100.0) - 1e4;
    check_response(&o, 0, omega, 100.0 / below);
    check_response(&o, 1, omega, (s2 + 200.0) / below);
  }
  close_text(&o);
}

/* M = 1, m = 0.5, l = 0.8, J = 0.01, as bodies and joints: 12 velocities, 10 constraints.
 *   (M + m) x'' + m l phi'' = u,   m l x'' + (m l^2 + J) phi'' + m g l phi = 0 */
static void a_pendulum_on_a_cart(void **state) {
  (void)state;
  const double M = 1, m = 0.5, l = 0.8, J = 0.01, g = 9.81, A = m * l * l + J;
  opened o = open_text(
      "trammel: 1\ngravity: [0, 0, -9.81]\ninputs: {push: 0 N}\n"
      "bodies:\n"
      "  cart: {mass: 1, inertia: [1, 1, 1]}\n"
      "  bob: {mass: 0.5, inertia: [0.01, 0.01, 0.01], at: [0, 0, -0.8]}\n"
      "joints:\n"
      "  rail: {type: translational, bodies: [ground, cart], at: [0, 0, 0], axis: [1, 0, 0]}\n"
      "  pin: {type: revolute, bodies: [cart, bob], at: [0, 0, 0], axis: [0, 1, 0]}\n"
      "forces: {f: {type: force, body: cart, force: [push, 0, 0]}}\n"
      "outputs: {cart: cart.x, bob: bob.x, load: \"cart.vx'\"}\n");
  const double omega = sqrt((M + m) * m * g * l / ((M + m) * A - m * m * l * l));
  find_poles(&o);
  assert_int_equal(o.count, 4);
  assert_true(o.re[0] == 0.0 && o.im[0] == 0.0 && o.re[1] == 0.0 && o.im[1] == 0.0);
  check_pair(&o, 2, omega, "pole");
  find_zeros(&o, 0);
  assert_int_equal(o.count, 2);
  check_pair(&o, 0, sqrt(m * g * l / A), "zero of the cart");
  find_zeros(&o, 1);
  assert_int_equal(o.count, 2);
  check_pair(&o, 0, sqrt(m * g * l / J), "zero of the bob");
  find_zeros(&o, 2); /* an acceleration: D is not zero */
  assert_int_equal(o.count, 4);
  assert_true(o.im[0] == 0.0 && o.re[1] == 0.0);
  check_pair(&o, 2, sqrt(m * g * l / A), "zero of the acceleration");
  for (int k = 1; k < 6; k++) {
    const double w = 1.3 * k, s2 = -w * w;
    const double below = s2 * (((M + m) * A - m * m * l * l) * s2 + (M + m) * m * g * l);
    check_response(&o, 0, w, (A * s2 + m * g * l) / below);
    check_response(&o, 1, w, (J * s2 + m * g * l) / below);
    check_response(&o, 2, w, s2 * (A * s2 + m * g * l) / below);
  }
  assert_true(!(cabs(response(&o, 0, 0.0)) < 1e9)); /* nothing holds it */
  close_text(&o);
}

/* Body 250 on spring 16000 and damper 1000, wheel 40 on tyre 160000, over a road. */
static void a_quarter_of_a_car(void **state) {
  (void)state;
  opened o = open_text("trammel: 1\ninputs: {road: 0}\n"
                       "equations:\n"
                       "  coordinates: {body: 0, wheel: 0}\n"
                       "  mass: {body: 250, wheel: 40}\n"
                       "  potential: 8000*(body - wheel)^2\n"
                       "  forces: {body: \"-1000*(body' - wheel')\",\n"
                       "           wheel: \"1000*(body' - wheel') + 160000*(road - wheel)\"}\n"
                       "outputs: {ride: body, travel: body - wheel, comfort: \"body''\"}\n");
  find_poles(&o);
  assert_int_equal(o.count, 4);
  double complex product = 1.0;
  for (int i = 0; i < 4; i++) {
    const double complex s = o.re[i] + o.im[i] * I, b = 1000.0 * s + 16000.0;
    const double complex rest = (250.0 * s * s + b) * (40.0 * s * s + b + 160000.0) - b * b;
    CHECK_NEAR(cabs(rest), 0.0, tight * 16000.0 * 160000.0, "pole %d", i);
    product *= s;
  }
  CHECK_NEAR(creal(product), 16000.0 * 160000.0 / (250.0 * 40.0), tight * 256000.0, "all poles");
  find_zeros(&o, 0);
  assert_int_equal(o.count, 1);
  CHECK_NEAR(o.re[0], -16.0, 16.0 * tight, "zero of the ride");
  for (int output = 1; output < 3; output++) { /* the road itself is not felt at rest */
    find_zeros(&o, output);
    assert_int_equal(o.count, output == 1 ? 2 : 3);
    for (int k = 0; k < 2; k++) assert_true(o.re[k] == 0.0 && o.im[k] == 0.0);
  }
  CHECK_NEAR(o.re[2], -16.0, 16.0 * tight, "zero of the comfort");
  for (int k = 0; k < 9; k++) {
    const double omega = 0.3 * pow(2.0, k);
    const double complex s = omega * I, b = 1000.0 * s + 16000.0;
    const double complex below = (250.0 * s * s + b) * (40.0 * s * s + b + 160000.0) - b * b;
    check_response(&o, 0, omega, 160000.0 * b / below);
    check_response(&o, 1, omega, -160000.0 * 250.0 * s * s / below);
    check_response(&o, 2, omega, 160000.0 * b * s * s / below);
  }
  check_response(&o, 0, 0.0, 1.0);
  close_text(&o);
}

/* Blocks in a row: (s + z)/(s + p), or p/(s + p) without a zero. Poles and zeros over eight
 * decades, relative degrees 0 to 4, some zeros exactly zero: all of them and no others. */
typedef struct block {
  double p, z; /* z NaN: none */
} block;

static int ascending(const void *a, const void *b) {
  const double x = fabs(*(const double *)a), y = fabs(*(const double *)b);
  return (x > y) - (x < y);
}

static opened open_blocks(const block *blocks, int n) {
  char text[4000] = "trammel: 1\ninputs: {f: 0}\nequations:\n  states:\n", out[2000] = "f";
  for (int k = 0; k < n; k++) {
    const block *s = &blocks[k];
    char before[2000];
    snprintf(before, sizeof before, "%s", out);
    const size_t used = strlen(text);
    if (isnan(s->z)) {
      snprintf(text + used, sizeof text - used,
               "    s%d: {value: 0, rate: \"%.17g*((%s) - s%d)\"}\n", k, s->p, before, k);
      snprintf(out, sizeof out, "s%d", k);
    } else {
      snprintf(text + used, sizeof text - used,
               "    s%d: {value: 0, rate: \"%s - %.17g*s%d\"}\n", k, before, s->p, k);
      snprintf(out, sizeof out, "%.17g*s%d + %.1900s", s->z - s->p, k, before);
    }
  }
  const size_t used = strlen(text);
  snprintf(text + used, sizeof text - used, "outputs: {y: \"%s\"}\nsimulate: {end: 1}\n", out);
  return open_text(text);
}

/* Found against wanted, both ascending. */
static void check_real(const opened *o, double *wanted, int count, const char *what, int number) {
  qsort(wanted, (size_t)count, sizeof *wanted, ascending);
  if (o->count != count) fail_msg("%s %d: %d instead of %d", what, number, o->count, count);
  for (int i = 0; i < count; i++) {
    /* outputs are good to 1e-12: of numbers up to 1e8 that is 1e-4, for zeros from 1 on and at 0 */
    CHECK_NEAR(hypot(o->re[i] + wanted[i], o->im[i]), 0.0, fmax(1e-3 * wanted[i], 1e-3),
               "%s %d of system %d", what, i, number);
  }
}

static void poles_and_zeros_over_eight_decades(void **state) {
  (void)state;
  uint64_t seed = 11;
  for (int i = 0; i < 60; i++) {
    block blocks[6];
    double p[6], z[6];
    const int degree = i % 5, n = degree + 1 + i % 2;
    int nz = 0;
    for (int k = 0; k < n; k++) {
      /* different from each other: a double one would lose half of the digits */
      p[k] = blocks[k].p = pow(10.0, 4 + 4 * kit_random(&seed));
      blocks[k].z = NAN;
      if (k < degree) continue;
      /* one zero may be eight decades above its pole; the gain is one against their product */
      const double far = k == degree ? 4.0 : 1.0;
      blocks[k].z = i % 7 == 3 ? 0.0 : fmin(p[k] * pow(10.0, far * (1 + kit_random(&seed))), 1e8);
      z[nz++] = blocks[k].z;
    }
    opened o = open_blocks(blocks, n);
    find_poles(&o);
    check_real(&o, p, n, "pole", i);
    find_zeros(&o, 0);
    check_real(&o, z, nz, "zero", i);
    close_text(&o);
  }
}

static void what_is_not_there_is_refused(void **state) {
  (void)state;
  trm_error err = {.message = ""};
  double re[4], im[4];
  int count;
  opened o = open_text("trammel: 1\ninputs: {f: 0}\n"
                       "equations: {coordinates: {x: 0}, mass: {x: 1}, forces: {x: f - x}}\n"
                       "outputs: {x: x}\n");
  CHECK_STATUS(trm_linear_model_zeros(o.linear, 1, 0, &count, re, im, &err), TRM_ERR_INPUT);
  CHECK_STATUS(trm_linear_model_zeros(o.linear, 0, -1, &count, re, im, &err), TRM_ERR_INPUT);
  CHECK_STATUS(trm_linear_model_zeros(NULL, 0, 0, &count, re, im, &err), TRM_ERR_INPUT);
  CHECK_STATUS(trm_linear_model_poles(o.linear, NULL, im, &err), TRM_ERR_INPUT);
  CHECK_STATUS(trm_linear_model_response(o.linear, NAN, re, im, &err), TRM_ERR_INPUT);
  CHECK_STATUS(trm_linear_model_response(NULL, 1.0, re, im, &err), TRM_ERR_INPUT);
  close_text(&o);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_row_of_masses),
    cmocka_unit_test(a_pendulum_on_a_cart),
    cmocka_unit_test(a_quarter_of_a_car),
    cmocka_unit_test(poles_and_zeros_over_eight_decades),
    cmocka_unit_test(what_is_not_there_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
