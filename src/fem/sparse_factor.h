/* sparse_factor.h - factors of a large sparse positive definite matrix, by MUMPS.
 *
 * MUMPS and the BLAS that it calls work behind the gate of LAPACK, one caller at a time; MUMPS
 * takes its memory from the process, not from our allocator. */
#ifndef TRMI_SPARSE_FACTOR_H
#define TRMI_SPARSE_FACTOR_H
#include "core/fail.h"
#include "trammel/memory.h"

typedef struct trmi_sparse_factor trmi_sparse_factor;

/* Entries of the lower triangle, rows and columns from 1, and the place of each unknown in the
 * order of elimination, from 1 [n]. */
typedef struct trmi_sparse_entries {
  int     n;
  size_t  count;
  int    *row, *column;
  double *value;
  int    *order;
} trmi_sparse_entries;

/* Entries are read during the call, not kept.
 * @return TRM_OK, TRM_ERR_SINGULAR, TRM_ERR_INPUT (too large for MUMPS) or TRM_ERR_MEMORY */
trm_status trmi_sparse_factor_create(const trm_allocator *allocator,
                                     const trmi_sparse_entries *entries,
                                     trmi_sparse_factor **factor, trm_error *err);
void trmi_sparse_factor_free(trmi_sparse_factor *factor);

/* b [count][n] becomes the solutions. */
trm_status trmi_sparse_factor_solve(trmi_sparse_factor *factor, int count, double *b,
                                    trm_error *err);

#endif
