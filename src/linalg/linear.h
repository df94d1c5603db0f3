/* linear.h - solve with the matrix of a plan: analyze once per pattern, factor,
 * refactor with the same pivots, solve.
 *
 * Several solvers stand behind one table. The choice is automatic (dense for a
 * few unknowns, KLU otherwise) or forced by name. The first solve after each
 * factorization measures the backward error
 *   max_i |b - A x|_i / (|A| |x| + |b|)_i   (rows of rounding apart)         (1)
 * and refines, takes new pivots, or gives up, as it asks. */
#ifndef TRMI_LINEAR_H
#define TRMI_LINEAR_H
#include "linalg/plan.h"

typedef struct trmi_linear trmi_linear;

/* Work of all linear systems of a simulation. */
typedef struct trmi_tally {
  long factorizations, solves;
  long entries; /* of the factors of the largest matrix */
} trmi_tally;

/* What a solver offers. Matrices are compressed columns with sorted rows. A
 * factorization that finds no pivot returns TRM_RETRY_SINGULAR and sets
 * bad_column. */
typedef struct trmi_solver_ops {
  const char *name;
  trm_status (*analyze)(trmi_linear *lin, trm_error *err);
  trm_status (*factor)(trmi_linear *lin, const double *Ax, bool new_pivots, trm_error *err);
  void (*solve)(trmi_linear *lin, double *b);
  long (*entries)(const trmi_linear *lin);
  void (*free)(trmi_linear *lin);
} trmi_solver_ops;

extern const trmi_solver_ops trmi_solver_klu, trmi_solver_dense;

struct trmi_linear {
  const trmi_solver_ops *ops;
  const trmi_plan       *plan;
  trm_allocator          allocator;
  void   *content;       /* of the solver                                     */
  double *factored;      /* Ax with border, if there is one           [nnz]   */
  double *x, *r, *size;  /* solution, residual, |A||x|+|b|            [n]     */
  bool    has_pivots;    /* a factorization with pivots of its own exists     */
  bool    is_fresh;      /* its first solve is still to come                  */
  bool    wants_general; /* the order of nodes did not serve, see solver_klu.c */
  int     refinements;   /* per solve, as the first solve found               */
  int     bad_column;    /* where no pivot was found, or -1                   */
  double  backward_error; /* of the last measured solve                       */
  long    new_pivots;     /* factorizations that sought their pivots           */
  trmi_tally *tally;
};

/* Prepare for a plan. `solver` is "auto", "klu", "dense".
 * TRM_ERR_INPUT for an unknown name. The plan must outlive the object. */
trm_status trmi_linear_init(trmi_linear *lin, trmi_arena *arena, const trmi_plan *plan,
                            const char *solver, trmi_tally *tally, trm_error *err);
void trmi_linear_free(trmi_linear *lin);

/* Factor the plan's present values plus border. TRM_RETRY_SINGULAR names no
 * object: the caller knows what column bad_column is. */
trm_status trmi_linear_factor(trmi_linear *lin, trm_error *err);

/* x = A^-1 b in place. */
trm_status trmi_linear_solve(trmi_linear *lin, double *b, trm_error *err);

/* Forget the pivots: the next factorization is as the first one was. */
void trmi_linear_forget(trmi_linear *lin);

#endif
