/* collocation.h - internals of the s-stage methods `tdg` and `radau`, shared by their files. */
#ifndef TRMI_COLLOCATION_H
#define TRMI_COLLOCATION_H
#include "integ/collocation_tables.h"
#include "integ/dense_stage.h"
#include "integ/integrator.h"
#include "integ/singular_pose.h"
#include "integ/anderson.h"
#include "linalg/complex.h"
#include "system/newton.h"
#include <math.h>

/* Level of the constraints at the stages: g = 0, its first, or its second derivative. */
typedef enum collocation_level { LEVEL_POSITION, LEVEL_VELOCITY, LEVEL_ACCELERATION }
    collocation_level;

/* How the equations of a step are solved. */
typedef enum collocation_scheme { BY_EIGENVALUES, BY_PASSES, BY_FULL } collocation_scheme;

/* Rates of Newton's method: up to the first, derivatives are kept for later steps; above the second
 * they are evaluated at every iterate. */
static const double trmi_keep_rate = 0.001, trmi_slow_rate = 0.3;

/* Step control by energy: reference and counts, accepted and with the attempt. */
typedef struct trmi_energy_control {
  bool   is_used;
  double reference, next_reference;
  int    calm, next_calm; /* steps in a row that could grow */
  int    repeated;        /* attempts of the present step   */
} trmi_energy_control;

/* Choice of the order of radau: data of the steps since it changed. */
typedef struct trmi_order_choice {
  int    stages;     /* of the next step                                                      */
  int    since;      /* accepted steps                                                        */
  int    wait;       /* steps to wait before taking more stages                               */
  int    favour;     /* consecutive steps in favour of more stages; negative: of fewer        */
  double iterations; /* of a step, and sets of matrices: means                                */
  double matrices;
  double rate;       /* decaying maximum of Newton's rate                                     */
  int    unrenewed;  /* steps left that do not renew matrices                                 */
  int    unrenewed_last; /* number of these the last time                                     */
} trmi_order_choice;

/* Matrices renewed by the iterates of a step, (5) of collocation_iterate.c. */
typedef struct trmi_renewal {
  int    count, first; /* sets of matrices, and the iterate of the first one */
  double ratio;        /* q of (5)                                           */
  bool   is_judged, is_useless;
} trmi_renewal;

typedef struct trmi_collocation {
  trmi_context ctx;
  bool              is_tdg;
  collocation_level level;
  bool              corrects;  /* tdg: multicorrector instead of Newton                  */
  bool              is_plain;  /* tdg: without projection and index-1 solution           */
  bool              is_exact;  /* tdg: integrals by three Gauss points                   */
  int               passes;    /* of the multicorrector, 0: to convergence               */
  int               s_most;    /* stages at most                                         */
  const trmi_collocation_table *rk; /* of the last attempt                               */

  /* accepted state, and trial state; after accept `next` is the previous step */
  trm_state now, next;
  trm_state stage;             /* scratch; lists of unknowns point into z                */
  double   *stage_v, *stage_vd; /* of a stage where there are rotations          [nv]    */
  double    h;                 /* of the last accepted step; 0: none                     */

  /* unknowns psi'', lam, mu, x', w of the stages, residuals, corrections        [n] each */
  double *z[STAGES_MAX], *r[STAGES_MAX], *d[STAGES_MAX];
  /* damped steps, used only with fixed steps: direction, solution of a part, sizes of
   * unknowns                                                                 [n] each */
  double *direction[STAGES_MAX], *found[STAGES_MAX], *sizes;
  double *psi[STAGES_MAX], *rate[STAGES_MAX]; /* psi, psi'                       [nv]    */
  /* v', lam, mu, x', w of the stages of the last accepted step                  [n] each */
  const trmi_collocation_table *rk_old;
  double *p[STAGES_MAX];
  double *psi_end, *rate_end;  /* psi, psi' where that step ended                [nv]    */
  double *first, *last;        /* v', lam, mu, x', w at its ends, for dense output [n]   */

  /* matrices of this epoch: P0 + z P1 + z^2 P2 by columns */
  trmi_arena   arena;
  trmi_matrix  real;           /* for the real eigenvalue; tdg: of the multicorrector    */
  trmi_complex pair[PAIRS_MAX]; /* one for each pair of eigenvalues                      */
  double      *part[3];        /*                                                [nnz]   */
  double      *columns;        /*                                                [nnz]   */
  double      *re, *im;        /* right-hand sides                               [n]     */
  double      *work;           /*                                                [3 n]   */
  double       h_matrix;       /* step for which they are factored; 0: none              */
  int          s_matrix;       /* and stages                                             */
  bool         is_of_end;      /* with derivatives at the last stage                     */
  double      *gaps;           /* of stops at a stage                          [3 ngaps] */
  unsigned char *was_closed;   /* which of them, at the state of the matrices; for tdg
                                * at both stages                               [2 ngaps] */
  trmi_sparse  full_block;     /* of all stages together; not of all methods             */
  trmi_plan    full_plan;
  trmi_linear  full;
  double      *full_b;         /*                                                [s n]   */
  double      *T;              /* T(psi) where they were evaluated               [9 nrot] */

  /* Newton */
  double   q_size;             /* largest |q| over its scale, at least 1                 */
  double   v_size;             /* largest |v| over its scale                             */
  double   rounding;           /* of the largest |q|, over the smallest scale            */
  double   eta;                /* remaining error over the last correction               */
  double   theta;              /* rate of convergence of the last step                   */
  int      hard;               /* tdg: steps left for which Newton replaces the passes   */
  trmi_anderson close_anderson; /* tdg: of corrections at the end of a step              */
  double   close_rate;         /* tdg: contraction at the end of the last step           */
  int      close_wait;         /* tdg: steps left whose end has matrices of its own      */

  /* radau: choice of the order as accepted, and as it will be if the attempt is accepted */
  trmi_order_choice choice, tried;
  double allowed[STAGES_MAX + 1]; /* tolerance of the estimate, by stages                */
  double last_weight[STAGES_MAX + 1]; /* E_s of collocation_order.c, and weights of (2) there */
  double lower[STAGES_MAX + 1][STAGES_MAX + 1];
  int  factored;               /* sets of matrices of the present attempt                */
  trmi_renewal renewal;        /* of the last iteration                                  */
  double closeness, closeness_next; /* radau: to a singular pose, at both ends       */
  double closeness_least;      /* so far                                                 */
  trmi_singular_turns turns;
  bool   has_reported_pose;
  int  failed;                 /* attempts that failed since the last accepted step      */

  trmi_energy_control energy;  /* tdg                                                    */

  trmi_consistent dense;       /* of dense output, so that samples leave no trace        */
  bool            has_dense_matrix;
  trmi_dense_stage inside;     /* a stage at a sample                                    */
} trmi_collocation;

/* collocation_newton.c: build the matrices for the present epoch. */
trm_status trmi_collocation_plan(trmi_collocation *co, bool bordered, trm_error *err);
void trmi_collocation_release(trmi_collocation *co);
/* Parts of the matrix at stage i of the present iterate, after its residuals, whose psi and psi' it
 * uses. */
trm_status trmi_collocation_evaluate(trmi_collocation *co, int i, double h, trm_error *err);
/* Residuals of stage i into r. */
trm_status trmi_collocation_residual(trmi_collocation *co, int i, double h, trm_error *err);
/* One correction from r into d; forms new matrices if there are none for this step or `is_slow`. */
trm_status trmi_collocation_correct(trmi_collocation *co, double h, collocation_scheme scheme,
                                    bool is_slow, trm_error *err);
/* Is a stop or contact closed at one of the stages, so that a correction of this size changes its
 * force? */
trm_status trmi_collocation_touches(trmi_collocation *co, double h, double size, bool *touches,
                                    trm_error *err);
/* Are stops closed at the iterate that were open where the matrices were formed, or vice versa?
 * Stops that are practically neither count only if `borders` is set. */
trm_status trmi_collocation_is_foreign(trmi_collocation *co, double h, bool counts_borders,
                                       bool *is_foreign, trm_error *err);
/* Derivatives of stage i are used for stage `of`: record which stops are closed there. */
trm_status trmi_collocation_note_sides(trmi_collocation *co, int i, int of, double h,
                                       trm_error *err);
/* The matrix of the real eigenvalue, or of the passes, for this step, also where the step was
 * solved without it. */
trm_status trmi_collocation_filter_matrix(trmi_collocation *co, double h, trm_error *err);
/* psi and psi' of stage i of the present iterate. */
void trmi_collocation_sums(trmi_collocation *co, int i, double h);
/* q, v, v' of co->stage from psi, psi', psi''. */
void trmi_collocation_turn(trmi_collocation *co, double *psi, double *rate, double *acc);
/* Stage i of the present iterate into co->stage. */
void trmi_collocation_stage(trmi_collocation *co, int i, double h);
/* y = part k of the matrix times x. */
void trmi_collocation_multiply(const trmi_collocation *co, int k, const double *x, double *y);

/* Is one end of the step near a singular pose? */
static inline bool trmi_collocation_is_near(const trmi_collocation *co) {
  return co->closeness_least > 0.0 &&
         fmax(co->closeness, co->closeness_next) > TRMI_SINGULAR_NEAR * co->closeness_least;
}

/* collocation_iterate.c: from the predicted stages to the solution of the step. */
trm_status trmi_collocation_solve(trmi_collocation *co, double h, trmi_attempt *result,
                                  trm_error *err);

/* Size of the correction in d: largest rms over the stages of dpsi, h dpsi', dx over their scales;
 * the tolerance in that norm; the failure of an iteration, naming the unknown whose correction is
 * largest at the end of the step. */
double trmi_collocation_measure(trmi_collocation *co, double h);
double trmi_collocation_limit(const trmi_collocation *co, double h);
trm_status trmi_collocation_failed(const trmi_collocation *co, double h, trmi_newton_end end,
                                   double size, trmi_attempt *result, trm_error *err);

/* collocation_damped.c: the step with damping, the last resort of fixed steps. */
trm_status trmi_collocation_damped(trmi_collocation *co, double h, trmi_attempt *result,
                                   trm_error *err);

/* collocation_order.c: weights that depend only on the number of stages; begin with three stages;
 * set the number chosen for a step h; choose that of the next step after a successful attempt,
 * whose size goes into `result` if the number changes. */
void trmi_collocation_order_weights(trmi_collocation *co);
void trmi_collocation_order_start(trmi_collocation *co);
void trmi_collocation_order_take(trmi_collocation *co, double h);
void trmi_collocation_order_judge(trmi_collocation *co, double h, trmi_attempt *result);

/* collocation_full.c: prepare; is it prepared for the present order? One correction from the
 * residuals r into d, with a matrix of the present iterate (`is_new`) or the last one. */
trm_status trmi_collocation_plan_full(trmi_collocation *co, bool bordered, trm_error *err);
bool trmi_collocation_has_full(const trmi_collocation *co);
trm_status trmi_collocation_correct_full(trmi_collocation *co, double h, bool is_new,
                                         trm_error *err);

/* collocation_exact.c: residuals of motion of the exactly integrated method into r. */
trm_status trmi_collocation_exact(trmi_collocation *co, double h, trm_error *err);

/* collocation_close.c: project the end of the step onto the constraints, solve for v', lam, mu, x',
 * w. */
trm_status trmi_collocation_close(trmi_collocation *co, double h, trm_error *err);

/* Spread of component m over the stages. */
static inline double trmi_collocation_range(const trmi_collocation *co, int s, int m) {
  double low = co->z[0][m], high = low;
  for (int j = 1; j < s; j++) {
    const double z = co->z[j][m]; /* fmin would be a call */
    low = z < low ? z : low;
    high = z > high ? z : high;
  }
  return high - low;
}

/* collocation_dense.c: first iterate of a step. */
void trmi_collocation_predict(trmi_collocation *co, double h);
/* Store the stages of the accepted step for it. */
void trmi_collocation_keep(trmi_collocation *co, double h);
trm_status trmi_collocation_interpolate(trmi_collocation *co, double t, trm_state *s,
                                        trm_error *err);
/* `relax` of integrator.h. */
trm_status trmi_collocation_relax(trmi_collocation *co, trm_state *s, trm_error *err);
/* Stage i of the last accepted step. False: it has fewer stages. */
bool trmi_collocation_recall(trmi_collocation *co, int i, trmi_stage *out);

/* collocation_energy.c: does energy control this step? Start; test an attempt; count it. */
bool trmi_collocation_by_energy(const trmi_collocation *co);
trm_status trmi_collocation_energy_start(trmi_collocation *co, trm_error *err);
trm_status trmi_collocation_energy_test(trmi_collocation *co, double h, trmi_attempt *result,
                                        trm_error *err);
void trmi_collocation_energy_accept(trmi_collocation *co);

/* collocation_error.c: local error over the tolerance, and the component that limits the step. */
trm_status trmi_collocation_estimate(trmi_collocation *co, double h, trmi_attempt *result,
                                     trm_error *err);
/* Tolerance of the estimate of s stages for coordinates, which is of order h^(s+1), with stops and
 * contacts as they are now; that of states is allowed[s], which the second function computes. */
double trmi_collocation_tolerance(const trmi_collocation *co, int s);
void trmi_collocation_find_tolerances(trmi_collocation *co);

#endif
