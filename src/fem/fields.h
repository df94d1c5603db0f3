/* fields.h - products of fields: matrices whose columns are long vectors, one after the other. */
#ifndef TRMI_FIELDS_H
#define TRMI_FIELDS_H
#include "core/arena.h"

/* C [nb][na] = A^T B, A of na fields, B of nb fields of `size` numbers: C[b na + a] = A_a . B_b */
void trmi_fields_dot(size_t size, int na, const double *A, int nb, const double *B, double *C);

/* B += factor A C, C [nb][na] as above */
void trmi_fields_add(size_t size, int na, const double *A, int nb, const double *C, double factor,
                     double *B);

/* Eigenvalues, ascending, and eigenvectors of a symmetric matrix [n n], which they overwrite:
 * vector k in A[n k ..]. */
trm_status trmi_fields_eigen(trmi_arena *arena, int n, double *A, double *values, trm_error *err);

/* A x = b for b of `count` columns, both overwritten; A [n n] symmetric or its transpose. */
trm_status trmi_fields_solve(trmi_arena *arena, int n, double *A, int count, double *b,
                             trm_error *err);

#endif
