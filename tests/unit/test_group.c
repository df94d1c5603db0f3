/* The group of configurations: scalars and rotations in one list, retract and
 * difference as inverses of each other, T as the derivative of retract. */
#include "system/system.h"
#include "unit/kit.h"
#include <math.h>

/* Scalars 0, 1; a rotation; one scalar; two rotations side by side; one scalar. */
enum { NV = 13, NROT = 3, NQ = NV + NROT };
static const int first[NROT] = {2, 6, 9};

/* Largest difference of a quaternion's length from one. */
static double length_error(const trm_system *sys, const double *q) {
  double worst = 0.0;
  for (int k = 0; k < sys->n.nrot; k++) {
    const double *p = q + sys->rot_v[k] + k;
    const double length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    worst = fmax(worst, fabs(length - 1.0));
  }
  return worst;
}

static void sizes(const void *self, trm_sizes *n) {
  (void)self;
  *n = (trm_sizes){.nv = NV, .nrot = NROT};
}

static int rotation(const void *self, int i) {
  (void)self;
  return first[i];
}

static trm_status start(void *self, trm_state *s, trm_error *err) {
  (void)self, (void)s, (void)err;
  return TRM_OK;
}

static trm_status values(void *self, const trm_state *s, const trm_values *out, trm_error *err) {
  (void)self, (void)err;
  for (int i = 0; i < NV && out->motion != NULL; i++) out->motion[i] = s->vd[i];
  return TRM_OK;
}

static const trm_system_ops ops = {.name = "group", .sizes = sizes, .rotation = rotation,
                                   .start = start, .values = values};

static void random_q(const trm_system *sys, uint64_t *seed, double *q) {
  for (int i = 0; i < NQ; i++) q[i] = kit_random(seed);
  trmi_group_normalize(sys, q);
}

/* Increments; rotation vectors are at most `angle` long. */
static void random_dpi(uint64_t *seed, double angle, double *dpi) {
  for (int i = 0; i < NV; i++) dpi[i] = kit_random(seed);
  for (int k = 0; k < NROT; k++) {
    double *r = dpi + first[k];
    const double length = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    const double wanted = 0.5 * (kit_random(seed) + 1.0) * angle;
    for (int i = 0; i < 3; i++) r[i] *= wanted / length;
  }
}

static void difference_undoes_retract(void **unused) {
  (void)unused;
  trm_system *sys = kit_system(&ops, NULL);
  const double angles[] = {1e-9, 1e-3, 1.0, 3.1};
  uint64_t seed = 1;
  for (int k = 0; k < 400; k++) {
    double q[NQ], q1[NQ], dpi[NV], back[NV];
    random_q(sys, &seed, q);
    random_dpi(&seed, angles[k % 4], dpi);
    trm_system_retract(sys, q, dpi, q1);
    trm_system_difference(sys, q1, q, back);
    for (int i = 0; i < NV; i++) CHECK_NEAR(back[i], dpi[i], 5e-14, "rounding, number %d", i);
  }
  trm_system_free(sys);
}

static void retract_undoes_difference(void **unused) {
  (void)unused;
  trm_system *sys = kit_system(&ops, NULL);
  uint64_t seed = 2;
  for (int k = 0; k < 200; k++) {
    double q0[NQ], q1[NQ], dpi[NV], q[NQ];
    random_q(sys, &seed, q0);
    random_q(sys, &seed, q1);
    trm_system_difference(sys, q1, q0, dpi);
    trm_system_retract(sys, q0, dpi, q);
    for (int r = 0; r < NROT; r++) {
      /* p and -p are the same rotation */
      const int at = first[r] + r;
      double sign = 0.0, length = 0.0;
      for (int i = 0; i < 3; i++) length += pow(dpi[first[r] + i], 2);
      assert_true(length <= 9.8696044012); /* the short way: at most pi */
      for (int i = 0; i < 4; i++) sign += q[at + i] * q1[at + i];
      for (int i = 0; i < 4; i++) q[at + i] = copysign(1.0, sign) * q[at + i];
    }
    for (int i = 0; i < NQ; i++) CHECK_NEAR(q[i], q1[i], 5e-15, "rounding, number %d", i);
  }
  trm_system_free(sys);
}

static void retract_may_write_where_it_reads(void **unused) {
  (void)unused;
  trm_system *sys = kit_system(&ops, NULL);
  uint64_t seed = 3;
  double q[NQ], apart[NQ], dpi[NV];
  random_q(sys, &seed, q);
  random_dpi(&seed, 2.0, dpi);
  trm_system_retract(sys, q, dpi, apart);
  trm_system_retract(sys, q, dpi, q);
  assert_memory_equal(q, apart, sizeof q);
  trm_system_free(sys);
}

/* Retract at psi + e d is that at psi, moved by e T(psi) d. */
static void T_is_the_derivative_of_retract(void **unused) {
  (void)unused;
  trm_system *sys = kit_system(&ops, NULL);
  uint64_t seed = 4;
  for (int k = 0; k < 200; k++) {
    const double e = 1e-5;
    double q[NQ], plus[NQ], minus[NQ], psi[NV], d[NV], moved[NV], slope[NV], T[9 * NROT], Td[NV];
    random_q(sys, &seed, q);
    random_dpi(&seed, k % 2 == 0 ? 3.0 : 1e-4, psi);
    random_dpi(&seed, 1.0, d);
    for (int i = 0; i < NV; i++) moved[i] = psi[i] + e * d[i];
    trm_system_retract(sys, q, moved, plus);
    for (int i = 0; i < NV; i++) moved[i] = psi[i] - e * d[i];
    trm_system_retract(sys, q, moved, minus);
    trm_system_difference(sys, plus, minus, slope);
    trmi_group_T(sys, psi, T);
    trmi_group_apply(sys, T, d, Td);
    /* truncation e^2/6 times third derivatives of size one, rounding 1e-16/e: 1e-10 */
    for (int i = 0; i < NV; i++) CHECK_NEAR(Td[i], slope[i] / (2 * e), 2e-10, "number %d", i);
  }
  trm_system_free(sys);
}

static void Tinv_is_the_inverse_and_apply_keeps_scalars(void **unused) {
  (void)unused;
  trm_system *sys = kit_system(&ops, NULL);
  uint64_t seed = 5;
  for (int k = 0; k < 100; k++) {
    double psi[NV], x[NV], y[NV], T[9 * NROT], Tinv[9 * NROT];
    random_dpi(&seed, k % 2 == 0 ? 3.0 : 1e-5, psi);
    random_dpi(&seed, 1.0, x);
    trmi_group_T(sys, psi, T);
    trmi_group_Tinv(sys, psi, Tinv);
    trmi_group_apply(sys, T, x, y);
    assert_true(y[0] == x[0] && y[1] == x[1] && y[5] == x[5] && y[12] == x[12]);
    trmi_group_apply(sys, Tinv, y, y);
    /* near 2 pi the inverse has a pole; at 3 its condition is 3 */
    for (int i = 0; i < NV; i++) CHECK_NEAR(y[i], x[i], 1e-14, "rounding, number %d", i);
  }
  trm_system_free(sys);
}

static void normalizing_and_drift_see_every_quaternion_and_no_scalar(void **unused) {
  (void)unused;
  trm_system *sys = kit_system(&ops, NULL);
  for (int r = 0; r < NROT; r++) {
    uint64_t seed = 6;
    double q[NQ], before[NQ];
    random_q(sys, &seed, q);
    for (int i = 0; i < 4; i++) q[first[r] + r + i] *= 1.5;
    memcpy(before, q, sizeof q);
    CHECK_NEAR(length_error(sys, q), 0.5, 1e-14, "rounding, rotation %d", r);
    trmi_group_normalize(sys, q);
    CHECK_NEAR(length_error(sys, q), 0.0, 1e-15, "rounding, rotation %d", r);
    const int scalars[] = {0, 1, 6, NQ - 1};
    for (int i = 0; i < 4; i++) assert_true(q[scalars[i]] == before[scalars[i]]);
  }
  trm_system_free(sys);
}

/* Ten thousand small turns about one axis add up, and the quaternion keeps its length. */
static void small_turns_add_up(void **unused) {
  (void)unused;
  trm_system *sys = kit_system(&ops, NULL);
  double q[NQ] = {0}, dpi[NV] = {0};
  for (int k = 0; k < NROT; k++) q[first[k] + k] = 1.0;
  for (int i = 0; i < 3; i++) dpi[first[1] + i] = 1e-4 * (i + 1);
  for (int k = 0; k < 10000; k++) trm_system_retract(sys, q, dpi, q);
  const double angle = sqrt(14.0), *p = q + first[1] + 1;
  /* rounding adds up like a random walk: 100 times 1e-16 */
  CHECK_NEAR(fabs(p[0]), fabs(cos(angle / 2)), 1e-13, "cosine of half the angle");
  CHECK_NEAR(fabs(p[3]), 3 / sqrt(14.0) * sin(angle / 2), 1e-13, "its axis");
  CHECK_NEAR(length_error(sys, q), 0.0, 1e-15, "length, normalized at each step");
  trm_system_free(sys);
}

/* Rotations of many turns come back if something less than half a turn away is known of them. */
static void difference_near_something_counts_full_turns(void **unused) {
  (void)unused;
  trm_system *sys = kit_system(&ops, NULL);
  const double angles[] = {1.0, 6.283, 20.0, 300.0};
  uint64_t seed = 7;
  for (int k = 0; k < 400; k++) {
    double q[NQ], q1[NQ], dpi[NV], near[NV], back[NV];
    random_q(sys, &seed, q);
    random_dpi(&seed, angles[k % 4], dpi);
    trm_system_retract(sys, q, dpi, q1);
    for (int i = 0; i < NV; i++) near[i] = dpi[i] + kit_random(&seed);
    trmi_group_difference_near(sys, q1, q, near, back);
    /* rounding of 300 rad; of an axis whose shortest rotation is small: 1e-16 over 1e-3 times it */
    for (int i = 0; i < NV; i++) CHECK_NEAR(back[i], dpi[i], 1e-10, "case %d, %d", k, i);
  }
  trm_system_free(sys);
}

/* Full turns leave no axis behind: that of what is known counts. */
static void full_turns_are_those_that_are_near(void **unused) {
  (void)unused;
  const double turns = 4.0 * acos(-1.0);
  trm_system *sys = kit_system(&ops, NULL);
  double q[NQ] = {0}, q1[NQ], back[NV], dpi[NV] = {0}, near[NV] = {0};
  for (int k = 0; k < NROT; k++) q[first[k] + k] = 1.0;
  dpi[first[1] + 2] = turns;
  near[first[1] + 2] = turns + 0.5;
  trm_system_retract(sys, q, dpi, q1);
  trmi_group_difference_near(sys, q1, q, near, back);
  for (int i = 0; i < NV; i++) CHECK_NEAR(back[i], dpi[i], 1e-12, "%d", i); /* rounding of 12 rad */
  trm_system_free(sys);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(difference_undoes_retract),
      cmocka_unit_test(retract_undoes_difference),
      cmocka_unit_test(retract_may_write_where_it_reads),
      cmocka_unit_test(T_is_the_derivative_of_retract),
      cmocka_unit_test(Tinv_is_the_inverse_and_apply_keeps_scalars),
      cmocka_unit_test(normalizing_and_drift_see_every_quaternion_and_no_scalar),
      cmocka_unit_test(small_turns_add_up),
      cmocka_unit_test(difference_near_something_counts_full_turns),
      cmocka_unit_test(full_turns_are_those_that_are_near),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
