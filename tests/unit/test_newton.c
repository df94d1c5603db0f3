/* Newton's method of last resort on equations of one unknown: noise, damping, and the root
 * that belongs to the motion. */
#include "integ/newton.h"
#include "unit/kit.h"

/* F(z; p) = 0 with its derivative; p is the part of the step. */
typedef struct equation {
  double (*F)(double z, double p);
  double (*dF)(double z, double p);
  double z, p, d, way, N, kept, noise;
} equation;

static trm_status correct(void *self, bool is_new, double *size, trm_error *err) {
  (void)err;
  equation *e = self;
  if (is_new) e->N = e->dF(e->z, e->p);
  e->d = -e->F(e->z, e->p) / e->N;
  *size = fabs(e->d);
  return isfinite(*size) ? TRM_OK : TRM_RETRY_DOMAIN;
}

static void keep(void *self) {
  equation *e = self;
  e->way = e->d;
}

static void move(void *self, double part) {
  equation *e = self;
  e->z += part * e->way;
}

static trm_status noise(void *self, double *size, trm_error *err) {
  (void)err;
  *size = ((const equation *)self)->noise;
  return TRM_OK;
}

static trm_status hold(void *self, bool is_noise, bool *holds, trm_error *err) {
  (void)self, (void)is_noise, (void)err;
  *holds = true;
  return TRM_OK;
}

static void begin(void *self, double from, double to) {
  equation *e = self;
  e->p = to;
  e->z = from == 0.0 ? 0.0 : e->kept;
}

static void found(void *self) {
  equation *e = self;
  e->kept = e->z;
}

static trmi_newton_result solve(equation *e, double limit) {
  trm_error err;
  const trmi_newton newton = {.self = e, .limit = limit, .most = 40, .correct = correct,
                              .keep = keep, .move = move, .noise = noise, .hold = hold,
                              .begin = begin, .found = found};
  trmi_newton_result result;
  e->p = 1.0;
  CHECK_OK(trmi_newton_solve(&newton, &result, &err), err);
  return result;
}

/* Roots at p, which is that of the motion, and beside it. */
static double three(double z, double p) {
  return (z - p) * (z - p - 0.5) * (z + 2);
}

static double three_slope(double z, double p) {
  return (z - p - 0.5) * (z + 2) + (z - p) * (z + 2) + (z - p) * (z - p - 0.5);
}

/* From the prediction 1.6 Newton would find 1.5. */
static void the_root_of_the_motion_is_found(void **state) {
  (void)state;
  equation e = {.F = three, .dF = three_slope, .z = 1.6};
  const trmi_newton_result result = solve(&e, 1e-12);
  assert_int_equal(result.end, NEWTON_CONVERGED);
  CHECK_NEAR(e.z, 1.0, 1e-12, "root");
}

static double bent(double z, double p) { return atan(z - 3 * p); }
static double bent_slope(double z, double p) { return 1.0 / (1.0 + (z - 3 * p) * (z - 3 * p)); }

/* Newton for atan diverges from farther than 1.39: from 0 the root 3 is reached by parts only. */
static void a_correction_that_enlarges_the_residual_is_not_taken(void **state) {
  (void)state;
  equation e = {.F = bent, .dF = bent_slope, .z = 40.0};
  const trmi_newton_result result = solve(&e, 1e-12);
  assert_int_equal(result.end, NEWTON_CONVERGED);
  CHECK_NEAR(e.z, 3.0, 1e-12, "root");
}

/* A line with noise of 0.5e-7 to 1.5e-7 that depends on all bits of z. */
static double noisy(double z, double p) {
  uint64_t seed = 0;
  memcpy(&seed, &z, sizeof z);
  const double sign = kit_random(&seed) < 0.0 ? -1.0 : 1.0;
  return z - 1e-8 * p + sign * 1e-7 * (1.0 + 0.5 * kit_random(&seed));
}

static double one(double z, double p) {
  (void)z, (void)p;
  return 1.0;
}

static void noise_ends_the_iteration_only_if_rounding_explains_it(void **state) {
  (void)state;
  equation e = {.F = noisy, .dF = one, .noise = 1e-7};
  trmi_newton_result result = solve(&e, 1e-15);
  assert_int_equal(result.end, NEWTON_CONVERGED);
  CHECK_NEAR(e.z, 1e-8, 3e-7, "root within its noise");
  e = (equation){.F = noisy, .dF = one, .noise = 1e-16};
  result = solve(&e, 1e-15);
  assert_true(result.end != NEWTON_CONVERGED);
}

static double no_root(double z, double p) { return z * z + p; }
static double no_root_slope(double z, double p) { return 2 * z + 1e-3 * p; }

static void without_a_root_it_says_so(void **state) {
  (void)state;
  equation e = {.F = no_root, .dF = no_root_slope, .z = 0.5};
  const trmi_newton_result result = solve(&e, 1e-12);
  assert_true(result.end != NEWTON_CONVERGED);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_root_of_the_motion_is_found),
      cmocka_unit_test(a_correction_that_enlarges_the_residual_is_not_taken),
      cmocka_unit_test(noise_ends_the_iteration_only_if_rounding_explains_it),
      cmocka_unit_test(without_a_root_it_says_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
