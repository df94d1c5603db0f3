/* lapacke.h - the few functions of LAPACK that the time loop calls, for builds without LAPACK
 * (TRAMMEL_LOOP_ONLY): same names and meaning, columns only, no work space needed. */
#ifndef TRMI_LAPACKE_H
#define TRMI_LAPACKE_H

typedef int lapack_int;
enum { LAPACK_COL_MAJOR = 102 };

/* P A = L U in place; returns 0, or the first column (from one) without a pivot. */
lapack_int LAPACKE_dgetrf_work(int layout, lapack_int m, lapack_int n, double *a, lapack_int lda,
                               lapack_int *pivot);
/* One or more right sides by these factors; trans is 'N'. */
lapack_int LAPACKE_dgetrs_work(int layout, char trans, lapack_int n, lapack_int nrhs,
                               const double *a, lapack_int lda, const lapack_int *pivot, double *b,
                               lapack_int ldb);
/* A P = Q R with the longest column that is left first; all of `pivot` are zero before. */
lapack_int LAPACKE_dgeqp3_work(int layout, lapack_int m, lapack_int n, double *a, lapack_int lda,
                               lapack_int *pivot, double *tau, double *work, lapack_int lwork);
/* U x = b for an upper triangle; uplo, trans, diag are 'U', 'N', 'N'. */
lapack_int LAPACKE_dtrtrs_work(int layout, char uplo, char trans, char diag, lapack_int n,
                               lapack_int nrhs, const double *a, lapack_int lda, double *b,
                               lapack_int ldb);
/* Eigenvalues, ascending, and vectors of a symmetric matrix, which they replace; jobz is 'V'. */
lapack_int LAPACKE_dsyev_work(int layout, char jobz, char uplo, lapack_int n, double *a,
                              lapack_int lda, double *w, double *work, lapack_int lwork);

#endif
