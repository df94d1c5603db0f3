/* sparse_factor.c - factors of a large sparse positive definite matrix, by MUMPS.
 *
 * Sequential, symmetric positive definite (SYM = 1), in the order of the caller: the order that
 * MUMPS finds with SCOTCH differs from run to run. No scaling is needed because all unknowns are
 * displacements. Names of MUMPS' controls count from 1. */
#include "fem/sparse_factor.h"
#include "core/arena.h"
#include "core/gate.h"
#include <dmumps_c.h>
#include <stdlib.h>

enum { JOB_INIT = -1, JOB_END = -2, JOB_FACTOR = 4, JOB_SOLVE = 3, COMM_WORLD = -987654 };
enum { MEMORY_SHORT = -9, MEMORY_MAIN = -13, SINGULAR = -10, GIVEN_ORDER = 1 };
/* Percent more memory than MUMPS estimates. No pivot is delayed, so that estimates hold. */
enum { RELAX_FIRST = 0, RELAX_NEXT = 25, RELAX_MAX = 400 };

struct trmi_sparse_factor {
  trm_allocator  allocator;
  DMUMPS_STRUC_C mumps;
};

#define ICNTL(i) icntl[(i) - 1]
#define INFOG(i) infog[(i) - 1]

/* @return INFOG(1) */
static int work(trmi_sparse_factor *f, int job) {
  f->mumps.job = job;
  trm_lapack_enter();
  dmumps_c(&f->mumps);
  return trmi_lapack_leave(f->mumps.INFOG(1));
}

static trm_status fail_memory(int n, trm_error *err) {
  return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the memory of this machine is not enough to factor "
                   "the stiffness matrix of %d unknowns: use a coarser mesh", n);
}

/* The libraries that order the unknowns crash where memory runs out, so this is tried before, with
 * malloc as they do. They and MUMPS have the pattern twice, two integers an entry. */
static bool has_memory(int n, size_t entries) {
  void *volatile block = malloc(16 * (entries + (size_t)n)); /* volatile: not optimized away */
  const bool is_there = block != NULL;
  free(block);
  return is_there;
}

static trm_status explain(const trmi_sparse_factor *f, trm_error *err) {
  const int code = f->mumps.INFOG(1), detail = f->mumps.INFOG(2);
  if (code == MEMORY_MAIN || code == MEMORY_SHORT || code == -7 || code == -8 || code == -22) {
    return fail_memory((int)f->mumps.n, err);
  }
  if (code == SINGULAR) {
    return TRMI_FAIL(err, TRM_ERR_SINGULAR, NULL, "the stiffness matrix is singular: parts of the "
                     "mesh are loose, or elements have no stiffness");
  }
  return TRMI_FAIL(err, TRM_ERR_SINGULAR, NULL, "MUMPS could not factor the stiffness matrix "
                   "(error %d, %d)", code, detail);
}

trm_status trmi_sparse_factor_create(const trm_allocator *allocator,
                                     const trmi_sparse_entries *entries,
                                     trmi_sparse_factor **factor, trm_error *err) {
  *factor = NULL;
  if (!has_memory(entries->n, (size_t)entries->count)) return fail_memory(entries->n, err);
  trmi_sparse_factor *f = trmi_allocate(allocator, sizeof *f);
  if (f == NULL) return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "out of memory");
  *f = (trmi_sparse_factor){.allocator = *allocator};
  f->mumps.comm_fortran = COMM_WORLD;
  f->mumps.par = 1;
  f->mumps.sym = 1;
  int code = work(f, JOB_INIT);
  if (code >= 0) {
    for (int i = 1; i <= 3; i++) f->mumps.ICNTL(i) = -1; /* no messages */
    f->mumps.ICNTL(4) = 0;
    f->mumps.ICNTL(7) = GIVEN_ORDER;
    f->mumps.ICNTL(14) = RELAX_FIRST;
    f->mumps.n = entries->n;
    f->mumps.nnz = (MUMPS_INT8)entries->count;
    f->mumps.irn = entries->row;
    f->mumps.jcn = entries->column;
    f->mumps.a = entries->value;
    f->mumps.perm_in = entries->order;
    code = work(f, JOB_FACTOR);
    for (int relax = RELAX_NEXT; code == MEMORY_SHORT && relax <= RELAX_MAX; relax *= 2) {
      f->mumps.ICNTL(14) = relax;
      code = work(f, JOB_FACTOR);
    }
    f->mumps.irn = f->mumps.jcn = f->mumps.perm_in = NULL;
    f->mumps.a = NULL;
  }
  if (code < 0) {
    const trm_status status = explain(f, err);
    trmi_sparse_factor_free(f);
    return status;
  }
  *factor = f;
  return TRM_OK;
}

void trmi_sparse_factor_free(trmi_sparse_factor *factor) {
  if (factor == NULL) return;
  (void)work(factor, JOB_END);
  const trm_allocator allocator = factor->allocator;
  trmi_release(&allocator, factor);
}

trm_status trmi_sparse_factor_solve(trmi_sparse_factor *factor, int count, double *b,
                                    trm_error *err) {
  if (count == 0) return TRM_OK;
  factor->mumps.rhs = b;
  factor->mumps.nrhs = count;
  factor->mumps.lrhs = factor->mumps.n;
  const int code = work(factor, JOB_SOLVE);
  factor->mumps.rhs = NULL;
  return code < 0 ? explain(factor, err) : TRM_OK;
}
