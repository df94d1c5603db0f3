/* The monitor of Newton's iteration on given sizes of corrections; and the method of last resort on
 * equations of one unknown: noise, damping, and the root that belongs to the motion. */
#include "system/newton_loop.h"
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

/* ---- monitor ---------------------------------------------------------------------- */

/* Corrections of given sizes, and what was asked about them. */
typedef struct script {
  double              sizes[8];
  trmi_newton_verdict verdict; /* about all doubts but those of corrections that stall */
  int                 asked[3], accepted;
} script;

static trm_status next_size(void *self, const trmi_newton_monitor *m, double *size,
                            trm_error *err) {
  (void)err;
  *size = ((const script *)self)->sizes[m->k];
  return TRM_OK;
}

static trm_status answer(void *self, const trmi_newton_monitor *m, trmi_newton_doubt why,
                         trmi_newton_verdict *verdict, trm_error *err) {
  script *s = self;
  (void)m, (void)err;
  s->asked[why]++;
  if (why != NEWTON_STALLS) *verdict = s->verdict;
  return TRM_OK;
}

static trm_status agree(void *self, const trmi_newton_monitor *m, bool is_noise, bool *is_good,
                        trm_error *err) {
  script *s = self;
  (void)m, (void)is_noise, (void)err;
  *is_good = ++s->accepted > 0;
  return TRM_OK;
}

/* The end, and the number of corrections. */
static trmi_newton_end play(script *s, trmi_newton_monitor *m, int *count) {
  const trmi_iteration it = {.self = s, .correct = next_size, .doubt = answer, .accept = agree};
  trmi_newton_end end;
  trm_error err;
  CHECK_OK(trmi_newton_iterate(&it, m, &end, &err), err);
  *count = m->k + (end == NEWTON_SLOW ? 0 : 1);
  return end;
}

static trmi_newton_monitor rules(double limit) {
  trmi_newton_monitor m = trmi_newton_rules(8, limit);
  m.uses_rate = true, m.negligible = 0.01;
  m.growth = 1.0, m.growth_first = 4.0;
  m.rounding = 1e-16, m.wide = 500e-16;
  return m;
}

static void what_is_left_ends_the_iteration(void **state) {
  (void)state;
  int n;
  script s = {.sizes = {1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7}};
  trmi_newton_monitor m = rules(1.2e-3); /* 1e-2 leaves 1e-2/9 */
  assert_int_equal(play(&s, &m, &n), NEWTON_CONVERGED);
  assert_int_equal(n, 3);
  m = rules(1.2e-3), m.uses_rate = false, m.negligible = 1.0;
  assert_int_equal(play(&s, &m, &n), NEWTON_CONVERGED);
  assert_int_equal(n, 4);
  m = rules(1e-20);
  assert_int_equal(play(&s, &m, &n), NEWTON_SLOW);
  assert_int_equal(n, 8);
  m = rules(1e-20), m.is_counted = true, m.most = 5;
  assert_int_equal(play(&s, &m, &n), NEWTON_CONVERGED);
  assert_int_equal(m.k, 5);
  m = rules(1e-5), m.predicts = m.averages = true; /* 1e-7/9 after the last one: in time */
  assert_int_equal(play(&s, &m, &n), NEWTON_CONVERGED);
  m = rules(1e-10), m.predicts = m.averages = true, s.verdict = NEWTON_FAILS;
  assert_int_equal(play(&s, &m, &n), NEWTON_LATE);
  assert_int_equal(n, 3);
}

static void growing_corrections_end_it_unless_they_are_excused(void **state) {
  (void)state;
  int n;
  script s = {.sizes = {1, 3, 2, 5}, .verdict = NEWTON_FAILS};
  trmi_newton_monitor m = rules(1e-9);
  assert_int_equal(play(&s, &m, &n), NEWTON_DIVERGED); /* the second one may grow to four times */
  assert_int_equal(n, 4);
  s.sizes[1] = 4;
  m = rules(1e-9);
  assert_int_equal(play(&s, &m, &n), NEWTON_DIVERGED);
  assert_int_equal(n, 2);
  s.verdict = NEWTON_IS_GOOD, m = rules(1e-9);
  assert_int_equal(play(&s, &m, &n), NEWTON_CONVERGED);
  assert_int_equal(s.accepted, 0);
  s.verdict = NEWTON_IS_NOISE, m = rules(1e-9);
  assert_int_equal(play(&s, &m, &n), NEWTON_CONVERGED);
  assert_int_equal(s.accepted, 1);
  s.sizes[0] = NAN, m = rules(1e-9);
  assert_int_equal(play(&s, &m, &n), NEWTON_NOT_FINITE);
}

static void rounding_is_noise_when_corrections_stop_to_shrink(void **state) {
  (void)state;
  int n;
  script s = {.sizes = {1e-8, 1e-14, 0.2e-14, 0.1e-14}};
  trmi_newton_monitor m = rules(1e-25);
  assert_int_equal(play(&s, &m, &n), NEWTON_CONVERGED);
  assert_true(m.is_noise);
  assert_int_equal(n, 4); /* a fifth is no noise, a half is */
  m = rules(1e-25), m.stall_from = 2, m.stall = 0.1;
  assert_int_equal(play(&s, &m, &n), NEWTON_CONVERGED);
  assert_int_equal(s.asked[NEWTON_STALLS], 1);
  s = (script){.sizes = {NEWTON_AGAIN, 1, 1e-30}}, m = rules(1e-25); /* the first tells no rate */
  assert_int_equal(play(&s, &m, &n), NEWTON_CONVERGED);
  assert_int_equal(n, 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_is_left_ends_the_iteration),
    cmocka_unit_test(growing_corrections_end_it_unless_they_are_excused),
    cmocka_unit_test(rounding_is_noise_when_corrections_stop_to_shrink),
      cmocka_unit_test(the_root_of_the_motion_is_found),
      cmocka_unit_test(a_correction_that_enlarges_the_residual_is_not_taken),
      cmocka_unit_test(noise_ends_the_iteration_only_if_rounding_explains_it),
      cmocka_unit_test(without_a_root_it_says_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
