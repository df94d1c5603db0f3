/* lapack.c - see lapacke.h: plain loops as in [GolubVanLoan]. LU with partial pivoting; Householder
 * reflections 1 - tau v v^T with v_0 = 1; Jacobi's rotations. */
#include "lapacke.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double *column(double *a, lapack_int lda, lapack_int j) {
  return a + (long)j * lda;
}

lapack_int LAPACKE_dgetrf_work(int layout, lapack_int m, lapack_int n, double *a, lapack_int lda,
                               lapack_int *pivot) {
  lapack_int bad = 0;
  (void)layout;
  for (lapack_int k = 0; k < (m < n ? m : n); k++) {
    double *ck = column(a, lda, k);
    lapack_int best = k;
    for (lapack_int i = k + 1; i < m; i++) best = fabs(ck[i]) > fabs(ck[best]) ? i : best;
    pivot[k] = best + 1;
    if (ck[best] == 0.0) {
      if (bad == 0) bad = k + 1;
      continue;
    }
    for (lapack_int j = 0; j < n && best != k; j++) {
      double *c = column(a, lda, j), other = c[k];
      c[k] = c[best], c[best] = other;
    }
    for (lapack_int i = k + 1; i < m; i++) ck[i] /= ck[k];
    for (lapack_int j = k + 1; j < n; j++) {
      double *cj = column(a, lda, j);
      for (lapack_int i = k + 1; i < m; i++) cj[i] -= ck[i] * cj[k];
    }
  }
  return bad;
}

lapack_int LAPACKE_dgetrs_work(int layout, char trans, lapack_int n, lapack_int nrhs,
                               const double *a, lapack_int lda, const lapack_int *pivot, double *b,
                               lapack_int ldb) {
  (void)trans;
  for (lapack_int r = 0; r < nrhs; r++) {
    double *x = column(b, ldb, r);
    for (lapack_int k = 0; k < n; k++) {
      const double other = x[k];
      x[k] = x[pivot[k] - 1], x[pivot[k] - 1] = other;
    }
    for (lapack_int k = 0; k < n; k++) {
      for (lapack_int i = k + 1; i < n; i++) x[i] -= a[(long)k * lda + i] * x[k];
    }
  }
  return LAPACKE_dtrtrs_work(layout, 'U', 'N', 'N', n, nrhs, a, lda, b, ldb);
}

lapack_int LAPACKE_dtrtrs_work(int layout, char uplo, char trans, char diag, lapack_int n,
                               lapack_int nrhs, const double *a, lapack_int lda, double *b,
                               lapack_int ldb) {
  (void)layout, (void)uplo, (void)trans, (void)diag;
  for (lapack_int r = 0; r < nrhs; r++) {
    double *x = column(b, ldb, r);
    for (lapack_int k = n - 1; k >= 0; k--) {
      x[k] /= a[(long)k * lda + k];
      for (lapack_int i = 0; i < k; i++) x[i] -= a[(long)k * lda + i] * x[k];
    }
  }
  return 0;
}

static double square(const double *x, lapack_int from, lapack_int to) {
  double sum = 0.0;
  for (lapack_int i = from; i < to; i++) sum += x[i] * x[i];
  return sum;
}

/* Reflection that leaves one number of x[k..m); v below it, tau returned. */
static double reflect(double *x, lapack_int k, lapack_int m) {
  const double rest = square(x, k + 1, m);
  if (rest == 0.0) return 0.0;
  const double length = -copysign(sqrt(x[k] * x[k] + rest), x[k]), first = x[k] - length;
  for (lapack_int i = k + 1; i < m; i++) x[i] /= first;
  x[k] = length;
  return -first / length;
}

lapack_int LAPACKE_dgeqp3_work(int layout, lapack_int m, lapack_int n, double *a, lapack_int lda,
                               lapack_int *pivot, double *tau, double *work, lapack_int lwork) {
  (void)layout, (void)work, (void)lwork;
  for (lapack_int j = 0; j < n; j++) pivot[j] = j + 1;
  for (lapack_int k = 0; k < (m < n ? m : n); k++) {
    lapack_int best = k;
    double longest = -1.0;
    for (lapack_int j = k; j < n; j++) {
      const double length = square(column(a, lda, j), k, m);
      if (length > longest) longest = length, best = j;
    }
    const lapack_int other = pivot[k];
    pivot[k] = pivot[best], pivot[best] = other;
    double *ck = column(a, lda, k), *cb = column(a, lda, best);
    for (lapack_int i = 0; i < m && best != k; i++) {
      const double swap = ck[i];
      ck[i] = cb[i], cb[i] = swap;
    }
    tau[k] = reflect(ck, k, m);
    for (lapack_int j = k + 1; j < n; j++) {
      double *cj = column(a, lda, j), sum = cj[k];
      for (lapack_int i = k + 1; i < m; i++) sum += ck[i] * cj[i];
      cj[k] -= tau[k] * sum;
      for (lapack_int i = k + 1; i < m; i++) cj[i] -= tau[k] * sum * ck[i];
    }
  }
  return 0;
}

/* One rotation that makes entry (p, q) of the symmetric matrix zero; `v` collects them. */
static void rotate(double *a, lapack_int lda, double *v, lapack_int n, lapack_int p, lapack_int q) {
  const double apq = column(a, lda, q)[p];
  if (apq == 0.0) return;
  const double d = 0.5 * (column(a, lda, q)[q] - column(a, lda, p)[p]) / apq;
  const double t = (d >= 0.0 ? 1.0 : -1.0) / (fabs(d) + sqrt(1.0 + d * d));
  const double c = 1.0 / sqrt(1.0 + t * t), s = t * c;
  for (lapack_int i = 0; i < n; i++) {
    double *x = column(a, lda, p) + i, *y = column(a, lda, q) + i, x0 = *x;
    *x = c * x0 - s * *y, *y = s * x0 + c * *y;
  }
  for (lapack_int i = 0; i < n; i++) {
    double *x = column(a, lda, i) + p, *y = column(a, lda, i) + q, x0 = *x;
    *x = c * x0 - s * *y, *y = s * x0 + c * *y;
    x = v + (long)p * n + i, y = v + (long)q * n + i, x0 = *x;
    *x = c * x0 - s * *y, *y = s * x0 + c * *y;
  }
}

lapack_int LAPACKE_dsyev_work(int layout, char jobz, char uplo, lapack_int n, double *a,
                              lapack_int lda, double *w, double *work, lapack_int lwork) {
  enum { SWEEPS = 30 };
  (void)layout, (void)jobz, (void)uplo, (void)work, (void)lwork;
  double *v = malloc((size_t)n * (size_t)n * sizeof *v);
  if (v == NULL) return -1;
  for (lapack_int j = 0; j < n; j++) {
    for (lapack_int i = 0; i < n; i++) v[(long)j * n + i] = i == j ? 1.0 : 0.0;
    for (lapack_int i = j + 1; i < n; i++) column(a, lda, j)[i] = column(a, lda, i)[j];
  }
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    for (lapack_int p = 0; p < n; p++) {
      for (lapack_int q = p + 1; q < n; q++) rotate(a, lda, v, n, p, q);
    }
  }
  for (lapack_int k = 0; k < n; k++) w[k] = column(a, lda, k)[k];
  for (lapack_int k = 0; k < n; k++) { /* ascending */
    lapack_int least = k;
    for (lapack_int j = k; j < n; j++) least = w[j] < w[least] ? j : least;
    const double other = w[k];
    w[k] = w[least], w[least] = other;
    for (lapack_int i = 0; i < n && least != k; i++) {
      const double swap = v[(long)k * n + i];
      v[(long)k * n + i] = v[(long)least * n + i], v[(long)least * n + i] = swap;
    }
  }
  for (lapack_int j = 0; j < n; j++) {
    memcpy(column(a, lda, j), v + (long)j * n, (size_t)n * sizeof *v);
  }
  free(v);
  return 0;
}
