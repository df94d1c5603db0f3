/* linear.h - solve with the matrix of a plan: analyze once per pattern, factor,
 * refactor with the same pivots, solve.
 *
 * One table has several solvers: blocks for bodies and joints, KLU for
 * general patterns, LAPACK for small full matrices; chosen by the pattern or by name. A build
 * without KLU has another table with full matrices instead (solvers_plain.c). After a failure the
 * next one of a sequence is tried (its steps are called rungs): old pivots, new pivots, KLU in the
 * order of nodes, KLU in a general order, and if a raised border does not help, a full matrix up to
 * 1000 unknowns. The first solve after each factorization measures the backward error
 *   max_i |b - A x|_i / (|A| |x| + |b|)_i   (except rows of rounding)        (1)
 * and accordingly refines, computes new pivots, or fails. After the last rung the status is
 * TRM_RETRY_SINGULAR: system/matrix.c names the row, and integ/driver.c plans again with a
 * border. */
#ifndef TRMI_LINEAR_H
#define TRMI_LINEAR_H
#include "core/visit.h"
#include "linalg/plan.h"

typedef struct trmi_linear trmi_linear;

/* Work of all linear systems of a simulation. */
typedef struct trmi_tally {
  long factorizations, solves;
  long entries;   /* of the factors of the largest matrix           */
  long fallbacks; /* changes to the next rung, once per matrix and rung */
  long analyses;  /* matrices of system/matrix.h that were merged and analyzed */
} trmi_tally;

/* Functions of a solver. Matrices are compressed columns with sorted rows. A
 * factorization that finds no pivot returns TRM_RETRY_SINGULAR and sets
 * bad_column. */
typedef struct trmi_solver_ops {
  const char *name;
  trm_status (*analyze)(trmi_linear *lin, trm_error *err);
  /* Can it fill the plan while factoring? NULL: no. */
  bool (*fills)(const trmi_linear *lin);
  trm_status (*factor)(trmi_linear *lin, bool new_pivots, trm_error *err);
  /* In place; b2 may be NULL. */
  void (*solve)(trmi_linear *lin, double *b1, double *b2);
  /* r = A x without border, size = |A| |x|; NULL: by columns. */
  void (*multiply)(trmi_linear *lin, const double *x, double *r, double *size);
  long (*entries)(const trmi_linear *lin);
  void (*free)(trmi_linear *lin);
  /* One in this number of factorizations is measured: 1 if old pivots may become inaccurate. */
  int measure_every;
} trmi_solver_ops;

extern const trmi_solver_ops trmi_solver_block, trmi_solver_klu, trmi_solver_dense;

/* The solvers of this build: solvers.c, or without KLU solvers_plain.c. */
typedef struct trmi_solver_table {
  const trmi_solver_ops *const *named; /* in the order of messages, NULL at the end */
  const trmi_solver_ops *general;      /* for any pattern, and if others give up */
  /* Expected entries of the factors of `general` and operations to compute them, from the pattern
   * of nodes, or without fill. NULL: it ignores patterns, blocks are always better. */
  trm_status (*count)(const trmi_plan *plan, bool is_without_fill, const trm_allocator *allocator,
                      double *entries, double *operations, trm_error *err);
  const struct trmi_complex_sparse *complex_sparse; /* complex.h; NULL: only full matrices     */
  const struct trmi_split_sparse_ops *split_sparse; /* split_part.h; NULL: only full matrices */
} trmi_solver_table;
extern const trmi_solver_table trmi_solvers;

struct trmi_linear {
  const trmi_solver_ops *ops;
  trmi_plan             *plan;
  trm_allocator          allocator;
  trmi_arena            *arena;  /* of the plan */
  void   *content;       /* of the solver                                     */
  double *columns;       /* values by columns with the border: what is factored
                            by solvers that read columns              [nnz]   */
  /* data for filling the plan in the next factorization, see trmi_linear_fill; NULL: it is
   * filled */
  const double *coefficient, *T;
  /* right-hand sides of the solution that comes next, see trmi_linear_expect; NULL: not known */
  const double *expected[2];
  double *x, *r, *size;  /* solution, residual, |A||x|+|b|            [n]     */
  double *weight;        /* of rows, see linear_weights.c             [n]     */
  int    *diagonal;      /* place of A_ii in the plan, -1: none       [n]     */
  struct trmi_row_entry *held; /* entries in rows of constraints, see linear_weights.c [nheld] */
  int     nheld;
  double *row_scale, *col_scale; /* of a scaled plan; NULL: none; see (2) of linear.c [n] */
  bool    has_weights;   /* they belong to the present values                 */
  bool    has_pivots;    /* a factorization with pivots of its own exists     */
  bool    has_new_pivots; /* the present one computed new pivots              */
  bool    is_fresh;      /* its first solve must be measured                  */
  bool    keeps_rung;    /* the next factorization fails instead of trying the next rung: its
                            values may be those of a diverging iteration */
  bool    wants_general; /* the order of nodes failed, see solver_klu.c; or the scales of rows,
                            see solver_dense.c */
  int     refinements;   /* per solve, as the last measured solve found       */
  int     unmeasured;    /* factorizations since then                         */
  bool    measures_each; /* every factorization is measured                   */
  int     measure_every; /* as that of the solver, if larger                  */
  int     bad_column;    /* where no pivot was found, or -1                   */
  double  good_error;    /* backward error above which a solution is refined  */
  double  backward_error; /* of the last measured solve                       */
  long    new_pivots;     /* factorizations with new pivots                   */
  int     rung;           /* number of the present rung                       */
  int     rung_wanted;    /* as loaded                                         */
  trmi_tally *tally;
};

/* solver_klu.c, for the table. */
trm_status trmi_klu_count(const trmi_plan *plan, bool is_without_fill,
                          const trm_allocator *allocator, double *entries, double *operations,
                          trm_error *err) TRM_CHECKED;

/* solver_choice.c: set lin->ops. TRM_ERR_INPUT for an unknown name. */
trm_status trmi_linear_choose(trmi_linear *lin, const char *solver, trm_error *err);

/* Are blocks expected to be clearly faster than the general solver? Operations are counted, not
 * timed: the result is the same in every run, on every machine with or without wide vectors. */
trm_status trmi_blocks_pay(const trmi_plan *plan, bool has_wide_vectors,
                           const trm_allocator *allocator, bool *pays, trm_error *err) TRM_CHECKED;

/* The same for a complex matrix on the pattern of `plan`: its blocks are those of `real`, that of
 * (1) of complex_block.c. */
trm_status trmi_blocks_pay_as_real(const trmi_plan *plan, const trmi_plan *real,
                                   bool has_wide_vectors, const trm_allocator *allocator,
                                   bool *pays, trm_error *err) TRM_CHECKED;

/* linear_weights.c: lists for the weights of rows, of a solver that is analyzed; and weights of
 * the present matrix, unless it has them. */
trm_status trmi_linear_list_weights(trmi_linear *lin, trm_error *err) TRM_CHECKED;
void trmi_linear_weigh(trmi_linear *lin);

/* Values by columns with the border added, for solvers that read columns. */
const double *trmi_linear_columns(trmi_linear *lin);

/* Numbers near the underflow limit have no digits left. */
static const double trmi_tiny = 1e-290;

/* good_error of final solutions, set by trmi_linear_init; of one of many solutions in a step; and
 * of corrections of an iteration, which are repeated. */
static const double trmi_good_error = 1e-13, trmi_good_stage = 1e-12, trmi_good_correction = 1e-11;

/* Prepare for a plan. `solver` is "auto" or a name of the table.
 * TRM_ERR_INPUT for an unknown name. The plan must outlive the object. */
trm_status trmi_linear_init(trmi_linear *lin, trmi_arena *arena, trmi_plan *plan,
                            const char *solver, trmi_tally *tally, trm_error *err);
void trmi_linear_free(trmi_linear *lin);

/* Reset to the state after trmi_linear_init, on the first rung: for other values of the same
 * pattern. */
void trmi_linear_renew(trmi_linear *lin, trmi_plan *plan);

/* trmi_plan_fill, now or by trmi_linear_factor, which must be called next; coefficient and T are
 * read until then. */
void trmi_linear_fill(trmi_linear *lin, const double *coefficient, const double *T);

/* Before trmi_linear_factor: the next solution will be that of b1, or of b1 and b2 together (else
 * b2 is NULL), as they are now. Solvers by blocks then eliminate them during the factorization,
 * which saves a pass through the factors; results are the same. */
static inline void trmi_linear_expect(trmi_linear *lin, const double *b1, const double *b2) {
  lin->expected[0] = b1;
  lin->expected[1] = b2;
}

/* Factor the plan's present values plus border. TRM_RETRY_SINGULAR names no object: the caller
 * knows the meaning of bad_column. */
trm_status trmi_linear_factor(trmi_linear *lin, trm_error *err);

/* x = A^-1 b in place; the second for two right-hand sides in one pass. */
trm_status trmi_linear_solve(trmi_linear *lin, double *b, trm_error *err);
trm_status trmi_linear_solve2(trmi_linear *lin, double *b1, double *b2, trm_error *err);

/* Sum of the sizes of the terms of a row over its diagonal entry: sum over j of |A_ij x_j| / |A_ii|
 * with lin->x, which the caller has filled; 0 without such an entry. */
void trmi_linear_terms(trmi_linear *lin, double *terms);

/* |A_ii| after that; for constraints (2) of linear_weights.c. */
static inline double trmi_linear_diagonal(const trmi_linear *lin, int i) {
  return lin->weight[i] * lin->weight[i];
}

/* Discard the pivots: the next factorization is like the first one, on this rung. */
void trmi_linear_forget(trmi_linear *lin);

/* The rung, which a loaded simulation must restore: the first function saves and loads it, the
 * second applies it. */
void trmi_linear_visit(trmi_linear *lin, trmi_visitor *v);
trm_status trmi_linear_settle(trmi_linear *lin, trm_error *err);

#endif
