/* Rotations: exponential, logarithm, T and its relatives. */
#include "check.h"
#include "math/so3.h"
#include "math/vec.h"
#include <float.h>

/* t and the coefficients a, b, c, a1, b1 of so3.c, summed from their series in
 * rational arithmetic and rounded once. The series of so3.c change at 1/4 and 2. */
static const double table[][6] = {
    {0.0009765625, 0.49999996026357141, 0.16666665871938088, 0.083333334657881022,
     -0.083333328035142817, -0.016666665909782302},
    {0.125, 0.49934929732294059, 0.16653650676342274, 0.083355042798810522, -0.083246564099819342,
     -0.016654269908968122},
    {0.5, 0.48966975243850913, 0.16459569116637598, 0.083682635354059898, -0.081953710674449079,
     -0.016469284242475433},
    {1.875, 0.36964508620503439, 0.13970609772321088, 0.088664286499980108, -0.065548635653186027,
     -0.014072378869930173},
    {2.125, 0.33799669695873885, 0.13283864596233513, 0.090365258775293764, -0.061086317971741966,
     -0.013402184842245892},
    {3, 0.22111027740004949, 0.10588444414593084, 0.099291970394002366, -0.043908950234830733,
     -0.010727006115304782},
};
enum { ROWS = sizeof table / sizeof table[0] };

static void check_matrix(const double *got, const double *want, double tol, const char *what) {
  for (int i = 0; i < 9; i++) CHECK_NEAR(got[i], want[i], tol, "%s, entry %d", what, i);
}

/* psi = t (3/5, 4/5, 0): off the diagonal b and c stand alone, times x y */
static void T_and_its_inverse_have_the_digits_of_the_series(void **state) {
  (void)state;
  for (int k = 0; k < ROWS; k++) {
    const double *e = table[k], t = e[0], psi[3] = {0.6 * t, 0.8 * t, 0.0};
    double T[9], Tinv[9];
    trmi_so3_T(psi, T);
    trmi_so3_Tinv(psi, Tinv);
    /* relative: a few roundings; 16 for the closed forms just above t = 2 */
    const double tol = 16.0 * DBL_EPSILON;
    CHECK_NEAR(T[1] / (psi[0] * psi[1] * e[2]), 1.0, tol, "b at t = %g", t);
    CHECK_NEAR(T[2] / (-psi[1] * e[1]), 1.0, tol, "a at t = %g", t);
    CHECK_NEAR(Tinv[1] / (psi[0] * psi[1] * e[3]), 1.0, tol, "c at t = %g", t);
    CHECK_NEAR(Tinv[2], 0.5 * psi[1], tol * t, "half at t = %g", t);
  }
}

static void Tdot_has_the_digits_of_the_series(void **state) {
  (void)state;
  for (int k = 0; k < ROWS; k++) {
    const double *e = table[k], t = e[0];
    double along[9], across[9];
    trmi_so3_Tdot((const double[3]){t, 0.0, 0.0}, (const double[3]){1.0, 0.0, 0.0}, along);
    trmi_so3_Tdot((const double[3]){t, 0.0, 0.0}, (const double[3]){0.0, 1.0, 0.0}, across);
    const double tol = 16.0 * DBL_EPSILON; /* a few roundings */
    CHECK_NEAR(across[1] / (e[2] * t), 1.0, tol, "b at t = %g", t);
    CHECK_NEAR(across[2] / -e[1], 1.0, tol, "a at t = %g", t);
    CHECK_NEAR(along[5] / (e[1] + e[4] * t * t), 1.0, tol, "a + a1 t^2 at t = %g", t);
    CHECK_NEAR(along[4] / -(t * (2.0 * e[2] + e[5] * t * t)), 1.0, tol, "b, b1 at t = %g", t);
  }
}

static const double vectors[][3] = {
    {0.0, 0.0, 0.0},    {1e-200, 2e-200, 0.0}, {1e-9, -2e-9, 3e-9}, {0.1, -0.05, 0.2},
    {0.3, 0.2, -0.36},  {-0.9, 0.4, 0.7},      {1.2, -1.5, 0.6},    {-1.0, 2.0, 2.1},
    {0.0, 0.0, 3.1415}, {2.2, -2.2, 0.3},
};
enum { VECTORS = sizeof vectors / sizeof vectors[0] };

static void logarithm_inverts_exponential(void **state) {
  (void)state;
  for (int k = 0; k < VECTORS; k++) {
    double p[4], back[3], minus[4];
    trmi_so3_exp(vectors[k], p);
    trmi_so3_log(p, back);
    const double t = v3_norm(v3_load(vectors[k]));
    /* a few roundings relative to the length, also for 1e-200 */
    for (int i = 0; i < 3; i++) {
      CHECK_NEAR(back[i], vectors[k][i], 8.0 * DBL_EPSILON * fmax(t, 2e-200), "vector %d", k);
    }
    for (int i = 0; i < 4; i++) minus[i] = -p[i];
    trmi_so3_log(minus, back);
    for (int i = 0; i < 3; i++) {
      CHECK_NEAR(back[i], vectors[k][i], 8.0 * DBL_EPSILON * fmax(t, 2e-200), "minus, %d", k);
    }
  }
}

static void logarithm_is_the_shortest_way_and_exact_at_a_half_turn(void **state) {
  (void)state;
  const double pi = 3.14159265358979323846;
  double psi[3], p[4];
  trmi_so3_log((const double[4]){0.0, 0.6, 0.0, -0.8}, psi);
  CHECK_NEAR(psi[0], 0.6 * pi, 4.0 * DBL_EPSILON, "half turn"); /* rounding */
  CHECK_NEAR(psi[2], -0.8 * pi, 4.0 * DBL_EPSILON, "half turn");
  trmi_so3_log((const double[4]){1e-12, 1.0, 0.0, 0.0}, psi);
  CHECK_NEAR(psi[0], pi - 2e-12, 4.0 * DBL_EPSILON, "just below a half turn");
  trmi_so3_exp((const double[3]){0.0, 4.0, 0.0}, p); /* the shorter way is backwards */
  trmi_so3_log(p, psi);
  CHECK_NEAR(psi[1], 4.0 - 2.0 * pi, 16.0 * DBL_EPSILON, "more than a half turn");
  trmi_so3_log((const double[4]){3.0, 0.0, 4.0, 0.0}, psi); /* length five */
  CHECK_NEAR(psi[1], 2.0 * atan2(4.0, 3.0), 4.0 * DBL_EPSILON, "not of length one");
}

static void exponential_has_length_one_and_doubles_with_its_square(void **state) {
  (void)state;
  for (int k = 0; k < VECTORS; k++) {
    double p[4], twice[4], square[4];
    const double *v = vectors[k];
    trmi_so3_exp(v, p);
    trmi_so3_exp((const double[3]){2.0 * v[0], 2.0 * v[1], 2.0 * v[2]}, twice);
    trmi_quat_mul(p, p, square);
    for (int i = 0; i < 4; i++) CHECK_NEAR(square[i], twice[i], 8.0 * DBL_EPSILON, "%d", k);
    const double length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    CHECK_NEAR(length, 1.0, 2.0 * DBL_EPSILON, "length of vector %d", k);
  }
}

/* Short and long vectors side by side: each has the bits it has alone, also in place. */
static void two_rotations_are_turned_as_one_after_the_other(void **state) {
  (void)state;
  for (int k = 0; k < VECTORS * VECTORS; k++) {
    const double *const psi[2] = {vectors[k / VECTORS], vectors[k % VECTORS]};
    double p[2][4] = {{0.5, -0.5, 0.5, 0.5}, {0.6, 0.0, -0.8, 0.0}}, want[2][4], step[4];
    for (int i = 0; i < 2; i++) {
      trmi_so3_exp(psi[i], step);
      trmi_quat_mul(p[i], step, want[i]);
      trmi_quat_normalize(want[i]);
    }
    trmi_so3_turn((const double *const[2]){p[0], p[1]}, psi, (double *const[2]){p[0], p[1]});
    assert_memory_equal(p, want, sizeof p);
  }
}

static void matrix_of_a_product_is_the_product_of_matrices(void **state) {
  (void)state;
  double p[4], q[4], pq[4], P[9], Q[9], want[9], got[9];
  trmi_so3_exp(vectors[5], p);
  trmi_so3_exp(vectors[6], q);
  trmi_quat_mul(p, q, pq);
  trmi_quat_matrix(p, P);
  trmi_quat_matrix(q, Q);
  trmi_quat_matrix(pq, got);
  m3_mm(P, Q, want);
  check_matrix(got, want, 8.0 * DBL_EPSILON, "product"); /* rounding */
  trmi_quat_mul(p, q, p);                                /* in place */
  for (int i = 0; i < 4; i++) CHECK_NEAR(p[i], pq[i], 0.0, "in place %d", i);

  /* a quarter turn about z takes x to y */
  trmi_so3_exp((const double[3]){0.0, 0.0, acos(0.0)}, p);
  trmi_quat_matrix(p, P);
  const trmi_vec3 y = m3_mul(P, v3(1.0, 0.0, 0.0));
  CHECK_NEAR(y.y, 1.0, 4.0 * DBL_EPSILON, "quarter turn");
}

static void normalize_scales_to_length_one(void **state) {
  (void)state;
  double p[4] = {3.0, 0.0, -4.0, 12.0};
  trmi_quat_normalize(p);
  CHECK_NEAR(p[3], 12.0 / 13.0, 2.0 * DBL_EPSILON, "normalized");
  CHECK_NEAR(p[2], -4.0 / 13.0, 2.0 * DBL_EPSILON, "normalized");
}

/* exp(psi)^-1 o exp(psi + e u) is a turn by e T(psi) u */
static void T_maps_rates_of_the_vector_to_angular_velocity(void **state) {
  (void)state;
  const double e = 1e-5, u[3] = {0.3, -0.8, 0.5};
  for (int k = 0; k < VECTORS; k++) {
    double T[9], forward[3], backward[3], base[4], moved[4];
    const double *v = vectors[k];
    trmi_so3_T(v, T);
    const trmi_vec3 w = m3_mul(T, v3_load(u));
    const double want[3] = {w.x, w.y, w.z};
    for (int side = 0; side < 2; side++) {
      const double step = side == 0 ? e : -e;
      trmi_so3_exp((const double[3]){-v[0], -v[1], -v[2]}, base);
      trmi_so3_exp((const double[3]){v[0] + step * u[0], v[1] + step * u[1], v[2] + step * u[2]},
                   moved);
      trmi_quat_mul(base, moved, moved);
      trmi_so3_log(moved, side == 0 ? forward : backward);
    }
    /* central difference: truncation e^2, rounding 1e-16/e, both 1e-10 */
    for (int i = 0; i < 3; i++) {
      CHECK_NEAR((forward[i] - backward[i]) / (2.0 * e), want[i], 1e-10, "vector %d, %d", k, i);
    }
  }
}

static void T_times_its_inverse_is_one(void **state) {
  (void)state;
  const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  for (int k = 0; k < VECTORS; k++) {
    double T[9], Tinv[9], product[9];
    trmi_so3_T(vectors[k], T);
    trmi_so3_Tinv(vectors[k], Tinv);
    m3_mm(T, Tinv, product);
    check_matrix(product, unit, 16.0 * DBL_EPSILON, "T T^-1"); /* rounding, |T^-1| < 2 */
  }
}

static void Tdot_is_the_derivative_of_T_along_the_motion(void **state) {
  (void)state;
  const double e = 1e-5, u[3] = {0.7, 0.4, -0.6};
  for (int k = 0; k < VECTORS; k++) {
    double plus[9], minus[9], Tdot[9];
    const double *v = vectors[k];
    trmi_so3_T((const double[3]){v[0] + e * u[0], v[1] + e * u[1], v[2] + e * u[2]}, plus);
    trmi_so3_T((const double[3]){v[0] - e * u[0], v[1] - e * u[1], v[2] - e * u[2]}, minus);
    trmi_so3_Tdot(v, u, Tdot);
    for (int i = 0; i < 9; i++) plus[i] = (plus[i] - minus[i]) / (2.0 * e);
    check_matrix(plus, Tdot, 1e-10, "Tdot"); /* truncation e^2, rounding 1e-16/e */
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(T_and_its_inverse_have_the_digits_of_the_series),
      cmocka_unit_test(Tdot_has_the_digits_of_the_series),
      cmocka_unit_test(logarithm_inverts_exponential),
      cmocka_unit_test(logarithm_is_the_shortest_way_and_exact_at_a_half_turn),
      cmocka_unit_test(exponential_has_length_one_and_doubles_with_its_square),
      cmocka_unit_test(two_rotations_are_turned_as_one_after_the_other),
      cmocka_unit_test(matrix_of_a_product_is_the_product_of_matrices),
      cmocka_unit_test(normalize_scales_to_length_one),
      cmocka_unit_test(T_maps_rates_of_the_vector_to_angular_velocity),
      cmocka_unit_test(T_times_its_inverse_is_one),
      cmocka_unit_test(Tdot_is_the_derivative_of_T_along_the_motion),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
