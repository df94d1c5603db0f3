/* fields.c - products of fields by BLAS, small symmetric matrices by LAPACK. */
#include "fem/fields.h"
#include "core/gate.h"
#include <cblas.h>
#include <lapacke.h>

void trmi_fields_dot(size_t size, int na, const double *A, int nb, const double *B, double *C) {
  if (na == 0 || nb == 0) return;
  const int n = (int)size;
  trm_lapack_enter();
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, na, nb, n, 1.0, A, n, B, n, 0.0, C, na);
  trm_lapack_leave();
}

void trmi_fields_add(size_t size, int na, const double *A, int nb, const double *C, double factor,
                     double *B) {
  if (na == 0 || nb == 0) return;
  const int n = (int)size;
  trm_lapack_enter();
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, nb, na, factor, A, n, C, na, 1.0, B,
              n);
  trm_lapack_leave();
}

trm_status trmi_fields_eigen(trmi_arena *arena, int n, double *A, double *values, trm_error *err) {
  if (n == 0) return TRM_OK;
  const int lwork = 34 * n;
  double *const scratch = TRMI_TAKE(arena, double, lwork);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  if (TRMI_LAPACK(dsyev_work, LAPACK_COL_MAJOR, 'V', 'U', n, A, n, values, scratch, lwork) != 0) {
    return TRMI_FAIL(err, TRM_ERR_SINGULAR, NULL, "eigenvalues of a matrix of %d rows were not "
                     "found", n);
  }
  return TRM_OK;
}

trm_status trmi_fields_solve(trmi_arena *arena, int n, double *A, int count, double *b,
                             trm_error *err) {
  if (n == 0) return TRM_OK;
  lapack_int *pivot = TRMI_TAKE(arena, lapack_int, n);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  if (TRMI_LAPACK(dgesv_work, LAPACK_COL_MAJOR, n, count, A, n, pivot, b, n) != 0) {
    return TRMI_FAIL(err, TRM_ERR_SINGULAR, NULL, "a matrix of %d rows is singular", n);
  }
  return TRM_OK;
}
