/* Eigenvalues of symmetric matrices by rotations of Jacobi. */
#include "math/jacobi.h"
#include "unit/kit.h"
#include <math.h>
#include <string.h>

enum { N = 12 };

/* S = Q diag(value) Q^T with Q a product of rotations, scaled from both sides by `scale`. */
static void make(double *S, const double *scale) {
  uint64_t seed = 5;
  double F[N * N];
  for (int k = 0; k < N * N; k++) F[k] = kit_random(&seed);
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) {
      double sum = i == j ? 4.0 : 0.0;
      for (int k = 0; k < N; k++) sum += F[N * i + k] * F[N * j + k];
      S[N * i + j] = scale[i] * sum * scale[j];
    }
  }
}

/* S V = V diag to rounding, V orthonormal. */
static void eigenvectors_satisfy_their_equation(void **state) {
  (void)state;
  double S[N * N], D[N * N], V[N * N], ones[N];
  for (int i = 0; i < N; i++) ones[i] = 1.0;
  make(S, ones);
  memcpy(D, S, sizeof S);
  trmi_diagonalize(D, V, N);
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) {
      double SV = 0.0, VV = 0.0;
      for (int k = 0; k < N; k++) {
        SV += S[N * i + k] * V[N * k + j];
        VV += V[N * k + i] * V[N * k + j];
      }
      CHECK_NEAR(SV, V[N * i + j] * D[N * j + j], 1e-13, "S v, row %d of mode %d", i, j);
      CHECK_NEAR(VV, i == j ? 1.0 : 0.0, 1e-14, "v.v %d %d", i, j);
    }
  }
}

/* Rows and columns over six powers of ten each: the inverse has the inverse eigenvalues, and the
 * smallest of one is the largest of the other, whose rounding is that of all numbers. */
static void small_eigenvalues_are_exact(void **state) {
  (void)state;
  double S[N * N], V[N * N], scale[N], least = INFINITY, most = 0.0;
  for (int i = 0; i < N; i++) scale[i] = pow(10.0, -6.0 * i / (N - 1));
  make(S, scale);
  double A[N * N], inverse[N * N] = {0.0}, back[N * N];
  memcpy(A, S, sizeof S);
  for (int i = 0; i < N; i++) inverse[N * i + i] = 1.0;
  for (int k = 0; k < N; k++) { /* Gauss and Jordan, exact for scaled rows */
    const double pivot = A[N * k + k];
    for (int j = 0; j < N; j++) A[N * k + j] /= pivot, inverse[N * k + j] /= pivot;
    for (int i = 0; i < N; i++) {
      const double factor = A[N * i + k];
      for (int j = 0; j < N && i != k; j++) {
        A[N * i + j] -= factor * A[N * k + j], inverse[N * i + j] -= factor * inverse[N * k + j];
      }
    }
  }
  memcpy(back, inverse, sizeof back);
  for (int k = 0; k < N * N; k++) inverse[k] = 0.5 * (back[k] + back[N * (k % N) + k / N]);
  trmi_diagonalize(S, V, N);
  trmi_diagonalize(inverse, V, N);
  for (int i = 0; i < N; i++) {
    least = fmin(least, S[N * i + i]);
    most = fmax(most, inverse[N * i + i]);
  }
  CHECK_NEAR(least * most, 1.0, 1e-12, "smallest eigenvalue %.3e", least);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(eigenvectors_satisfy_their_equation),
      cmocka_unit_test(small_eigenvalues_are_exact),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
