/* alpha.h - internals of the alpha family, shared by its files. */
#ifndef TRMI_ALPHA_H
#define TRMI_ALPHA_H
#include "integ/dense_stage.h"
#include "integ/anderson.h"
#include "linalg/split.h"
#include "system/newton.h"
#include "system/tangent.h"
#include "system/variables.h"

enum { ALPHA_HISTORY = 4 }; /* points of the predictor: degree 3 */

typedef enum alpha_form {
  ALPHA_SI2, ALPHA_INDEX3, ALPHA_PAPER, ALPHA_INDEX2, ALPHA_CS, ALPHA_CM, ALPHA_PROJECTED
} alpha_form;

/* Properties of a form. */
typedef struct alpha_traits {
  const char *name;
  alpha_form  form;
  bool        has_rates;   /* G v + g_t = 0 also holds                             */
  bool        has_hessian; /* (G^T lam)_q and (A^T mu)_q are in the tangent        */
  bool        resolves;    /* v' and lam of the end from the index-1 system, (10)  */
  bool        is_final;    /* projected: matrices at the end of the step, not at its start */
  bool        is_qr;       /* cs: orthogonal splitting                             */
} alpha_traits;

extern const alpha_traits trmi_alpha_forms[];

typedef struct trmi_alpha trmi_alpha;

/* How another family of methods computes positions from the unknowns of a step. Corrections P of
 * accelerations are summed as beta h^2 P in `delta`. */
typedef struct alpha_rule {
  /* First iterate of a step h, with v', lam, mu, x', w taken from r. */
  void (*first)(trmi_alpha *ga, double h);
  /* q of `next` from `delta`. */
  void (*place)(trmi_alpha *ga);
  /* T of the matrix: the increment of q is beta h^2 T P. */
  void (*turn)(trmi_alpha *ga);
} alpha_rule;

struct trmi_alpha {
  trmi_context ctx;
  alpha_form   form;
  const alpha_traits *traits;
  const alpha_rule   *rule;  /* of another family; NULL: (2) to (4) of alpha.c */
  double newton_part; /* part of the tolerance that Newton may leave; 0: alpha_limits.c decides */

  /* coefficients of the method, written by create */
  double am, af, beta, gamma;
  double theta;     /* am - af: a is v' a time theta h later              */
  double c;         /* (1-am)/(1-af)                                      */
  double C_q, C_x;  /* local error is C_q h^3 v'', C_x h^3 x'''           */
  double D;         /* error D h^2 v'' of v in methods of first order; 0: second order */

  /* accepted state, and trial state; after accept `next` is the previous step */
  trm_state now, next;
  double *a, *a_next;   /* auxiliary acceleration                   [nv]  */
  double *y, *y_next;   /* auxiliary rate of x                      [nx]  */
  double *F, *F_next;   /* paper: G^T lam + A^T mu - Q              [nv]  */
  double  h_old;        /* step to which a and y belong                  */
  double  q_size;       /* largest |q| over its scale, at least 1: measures rounding */

  /* predictor: v', lam, mu, x', w of accepted points, newest last */
  int     npoints;
  double  point_t[ALPHA_HISTORY];
  double *point[ALPHA_HISTORY];  /*                                 [n]   */
  int     degree;                /* that predicted best in the last step  */

  /* one attempt */
  double *an, *yn;      /* a, y of the start for this step                */
  double *x_change;     /* scratch: of states, in Newton's method      */
  double *delta;        /* increment of q, dpi                      [nv]  */
  double *T;            /* T(delta) of the matrix                   [9 nrot] */
  double *T_dense;      /* of dense output                          [9 nrot] */
  trmi_dense_stage inside; /* a stage at a sample                          */
  double *r;            /* right-hand side and solution             [n]   */
  double *r2;           /* of the second solve                      [n]   */
  double *g, *g_rate;   /* constraint values                        [ng]  */
  double *a_rate;       /*                                          [na]  */
  double *turned;       /* T P                                      [nv]  */
  double  off;          /* violation of g at the iterate; 0 if no row is redundant */
  double *F_old;        /* history term of the residual             [nv]  */
  /* damped steps, used only with fixed steps: direction like r and r2, sizes of unknowns,
   * solutions of parts of the step                                 [n] each */
  double *direction, *direction2, *sizes, *found[2];

  /* matrices of this epoch */
  trmi_arena  arena;
  trmi_matrix index3_matrix, projection_matrix; /* of the two solves      */
  bool        has_many_terms; /* matrices are sums of many numbers, see trmi_alpha_plan */
  trmi_split  split;     /* of cs                                         */
  bool        has_split;
  trmi_variables  loops;     /* of dense output                               */
  trmi_anderson anderson; /* of cm ..                                     */
  double     *both;      /* r and r + r2                            [2 n] */
  bool        is_mixed;  /* while that converges                          */
  trm_state   end;       /* projected: the end of the step on its constraints */
  double     *multipliers; /* of the tangent of cs, by splitting      [ng] */
  bool        is_light;  /* the second matrix serves both solves          */
  int         heavy;     /* steps left in which it may not                */
  double      h_matrix;  /* step size of the first one; 0: none           */
  double      gh_matrix; /* and its gamma h                               */
  double     *gaps;      /* of stops and contacts at an iterate [3 ngaps] */
  unsigned char *was_closed; /* which of them where the first was factored [ngaps] */
  long        age;       /* accepted steps since then                     */
  double      rate;      /* expected rate of convergence                  */
  double      load_rate; /* last measured rate of multipliers             */
  double      measured;  /* rate of the last step, 0 after one iteration  */
  int         iterations; /* of the last step                             */
  double      noise;     /* largest recent correction that was noise of a singular pose */
  double      noise_next; /* the same including the attempt               */
  bool        has_reported_pose;
  double      resolve_rate; /* contraction of trmi_alpha_resolve last time */
};

/* alpha.c: the common part of all families: form and memory, no coefficients yet. */
trm_status trmi_alpha_create(trmi_alpha *ga, const trmi_context *ctx, const char *formulation,
                             trm_error *err);
/* Functions of an integrator, see integrator.h, for every struct that begins with trmi_alpha. */
trm_status trmi_alpha_replan(void *integ, bool bordered, trm_error *err);
void trmi_alpha_release(void *integ);
void trmi_alpha_set_discrete(void *integ, const double *z);
const trm_state *trmi_alpha_next(const void *integ);
const trm_state *trmi_alpha_state(const void *integ);
void trmi_alpha_forget(void *integ);
trm_status trmi_alpha_settle(void *integ, trm_error *err);
const trmi_matrix *trmi_alpha_newton_matrix(const void *integ);
/* The part of `visit` that belongs to Newton's iteration and its matrices. */
void trmi_alpha_visit_newton(trmi_alpha *ga, trmi_visitor *v);

/* alpha.c: first iterate of a step: extrapolated v', lam, mu, x', w, and the state computed from
 * them. */
void trmi_alpha_predict(trmi_alpha *ga, double h);
/* The same with v', lam, mu, x', w taken from r. */
void trmi_alpha_first(trmi_alpha *ga, double h);

/* Measure q_size; quaternions count as one. */
void trmi_alpha_measure(trmi_alpha *ga);
/* After an accepted step: keep the noise of a singular pose; a note, once, if it is above the
 * tolerance. */
void trmi_alpha_keep_noise(trmi_alpha *ga);

/* alpha_error.c: theta, c and the error constants from the coefficients; error of a step over the
 * tolerance, the largest of the errors of q, of x and of sliding, and the component where it is
 * largest. */
void trmi_alpha_constants(trmi_alpha *ga);
void trmi_alpha_estimate(trmi_alpha *ga, double h, trmi_attempt *result);
/* Error of sliding over the tolerance, if positions are off by the increments `off`. */
double trmi_alpha_sliding(trmi_alpha *ga, double *off);
/* Errors of q and x during the iteration, whose remaining corrections of positions are at most
 * `left`: will the step be rejected? If so, `result` receives its error. */
bool trmi_alpha_is_lost(trmi_alpha *ga, double h, double left, trmi_attempt *result);
/* An error minus its noise, not below zero; NaN is kept, so that the step fails. */
static inline double trmi_alpha_without(double error, double noise) {
  const double rest = error - noise;
  return rest < 0.0 ? 0.0 : rest;
}

/* alpha_start.c: begin at a state, see integrator.h. */
trm_status trmi_alpha_start(void *integ, const trm_state *s, double *h, trm_error *err);
/* Forget all data of earlier steps. */
void trmi_alpha_clear(trmi_alpha *ga);
/* A first step whose error is a tenth of the tolerance; v'' and x'' are in an and yn. */
double trmi_alpha_first_step(const trmi_alpha *ga);

/* alpha_predict.c: add the accepted state to the points of the predictor; value of their polynomial
 * at t, into r; choose its degree by the state that is about to be accepted. */
void trmi_alpha_remember(trmi_alpha *ga);
void trmi_alpha_extrapolate(trmi_alpha *ga, double t);
void trmi_alpha_choose_degree(trmi_alpha *ga);

/* alpha_matrices.c: build the matrices for the present epoch. */
trm_status trmi_alpha_plan(trmi_alpha *ga, bool bordered, trm_error *err);
/* out = -(the terms of (1) of alpha_newton.c with a factor h or h^2) u, with the blocks of the last
 * refresh; rows of constraints are zero. u, out [n], u in increments of the matrix. */
void trmi_alpha_displace(const trmi_alpha *ga, double h, const double *u, double *out);
/* alpha_scaling.c: are the matrices of alpha_newton.c scaled for the solver? The scales of one of
 * the two matrices, set before it is factored. */
bool trmi_alpha_is_scaled(const trmi_alpha *ga);
void trmi_alpha_scale(const trmi_alpha *ga, double h, trmi_matrix *matrix);
/* alpha_newton.c: iterate from the predicted state to the solution of the step. */
trm_status trmi_alpha_newton(trmi_alpha *ga, double h, trmi_attempt *result, trm_error *err);

/* alpha_stops.c: remember which gaps are closed at the iterate where a matrix is formed; after a
 * correction that is small by its rate or by its size: are stops and contacts in balance? */
typedef enum alpha_stops {
  ALPHA_STOPS_HOLD,
  ALPHA_STOPS_ITERATE, /* not known yet         */
  ALPHA_STOPS_FOREIGN  /* needs a new matrix    */
} alpha_stops;
trm_status trmi_alpha_stops_note(trmi_alpha *ga, trm_error *err);
trm_status trmi_alpha_stops_test(trmi_alpha *ga, const trmi_newton_monitor *m, double h,
                                 bool is_noise, alpha_stops *verdict, trm_error *err);

/* alpha_forms.c: negative residual of the index-1 system at a state into r, rows of lam and mu over
 * c: the right-hand side of the matrices of the step. */
trm_status trmi_alpha_index1(trmi_alpha *ga, const trm_state *s, trm_error *err);
/* v', lam, mu, x', w at the end from the index-1 system, and the quantities computed from them. */
trm_status trmi_alpha_resolve(trmi_alpha *ga, double h, trm_error *err);

/* alpha_split.c, cs: prepare for the present epoch; multipliers of the iterate by splitting. */
trm_status trmi_alpha_split_plan(trmi_alpha *ga, trm_error *err);
trm_status trmi_alpha_split(trmi_alpha *ga, trm_error *err);

/* alpha_dense.c: the state at a time inside the step accepted last. */
trm_status trmi_alpha_interpolate(void *integ, double t, trm_state *s, trm_error *err);
/* Correct stiff parts of such a state, or of the last one, for a step of length h. */
trm_status trmi_alpha_relax(trmi_alpha *ga, double h, trm_state *s, trm_error *err);

/* alpha_projected.c: the step of `projected`, in place of trmi_alpha_newton. */
trm_status trmi_alpha_projected(trmi_alpha *ga, double h, trmi_attempt *result, trm_error *err);
/* Its parts: compute a correction into r, with new matrices or the last ones; apply it and return
 * its size in scaled positions; the end of the step into `next`. */
trm_status trmi_alpha_projected_correct(trmi_alpha *ga, double h, bool is_new, trm_error *err);
double trmi_alpha_projected_update(trmi_alpha *ga, double h, trmi_attempt *result);
trm_status trmi_alpha_projected_end(trmi_alpha *ga, trmi_violation *off, trm_error *err);

static inline bool trmi_alpha_is_projected(const trmi_alpha *ga) {
  return ga->form == ALPHA_PROJECTED && ga->ctx.sys->n.ng > 0;
}

/* Has the method the velocity projection (2) of alpha_newton.c? Index 3 has none, and without
 * holonomic rows it is zero. */
static inline bool trmi_alpha_has_projection(const trmi_alpha *ga) {
  return ga->traits->has_rates && ga->ctx.sys->n.ng > 0;
}

/* alpha_forms.c, cm: replace the correction in r and r2 by one mixed with earlier corrections. */
void trmi_alpha_accelerate(trmi_alpha *ga, double h, bool is_first);

/* Number of unknowns from which a sparse factorization costs more than an evaluation, and an
 * iteration more than the tests that may avoid it. */
enum { ALPHA_COSTLY = 100 };
/* Large, with adaptive steps and a matrix of all terms: attempts that will be rejected are
 * abandoned early, and the iteration relies on the rate known from earlier steps. */
static inline bool trmi_alpha_is_large(const trmi_alpha *ga) {
  return ga->index3_matrix.plan.n >= ALPHA_COSTLY && !ga->ctx.fixed && !ga->is_light &&
         ga->rule == NULL;
}
/* Does a new matrix cost no more than an iteration? True by blocks, unless it is assembled from
 * many terms per unknown (trmi_alpha_plan). */
static inline bool trmi_alpha_is_cheap(const trmi_alpha *ga) {
  return ga->projection_matrix.lin.ops == &trmi_solver_block && !ga->has_many_terms;
}
/* Does a new matrix cost as much as several iterations? Small matrices do not. Fixed steps, which
 * show the order of the method itself, use matrices of their own. */
static inline bool trmi_alpha_is_costly(const trmi_alpha *ga) {
  return !trmi_alpha_is_cheap(ga) && ga->projection_matrix.lin.ops != &trmi_solver_dense &&
         !ga->ctx.fixed && ga->projection_matrix.plan.n >= ALPHA_COSTLY;
}

/* May the light matrix of an attempt from this state serve the next one? Families with a rule of
 * their own propagate only q and v, whatever matrix measures s: they keep both matrices together.
 * So does si2 where matrices are costly: s, of the size of h, is then measured by the matrix of an
 * earlier step, which moves q by less than h^4. */
static inline bool trmi_alpha_keeps(const trmi_alpha *ga) {
  const bool keeps_both = ga->rule != NULL || (ga->form == ALPHA_SI2 && trmi_alpha_is_costly(ga));
  if (keeps_both && !ga->is_light) return ga->h_matrix > 0.0;
  return ga->is_mixed && ga->is_light && ga->age == 0 && ga->h_matrix > 0.0;
}

/* alpha_limits.c: the error that Newton may leave, in scaled positions; the same where the smallest
 * part of the tolerance applies. */
double trmi_alpha_limit(const trmi_alpha *ga, double h);
double trmi_alpha_least_limit(const trmi_alpha *ga, double h, double limit);
/* Rounding of constraints over their scales. */
double trmi_alpha_rounding_of_rows(const trmi_alpha *ga);
/* Rules of an iteration with up to `most` corrections. */
trmi_newton_monitor trmi_alpha_rules(const trmi_alpha *ga, double h, int most);

/* Matrices are kept for at most MATRIX_AGE_MAX steps (by blocks BLOCK_AGE_MAX) and
 * MATRIX_ITERATIONS iterations; light ones are given up for HEAVY_STEPS steps. */
enum { MATRIX_AGE_MAX = 20, BLOCK_AGE_MAX = 1, MATRIX_ITERATIONS = 3, HEAVY_STEPS = 100 };

/* How a family solves a step: choose the matrix, predict the first iterate, iterate from there. */
typedef struct alpha_scheme {
  void (*choose_matrix)(trmi_alpha *ga, double h);
  void (*predict)(trmi_alpha *ga, double h);
  trm_status (*iterate)(trmi_alpha *ga, double h, trmi_attempt *result, trm_error *err);
} alpha_scheme;

/* alpha_damped.c: solve a step with every remedy in turn while its iteration fails. */
trm_status trmi_alpha_solve(trmi_alpha *ga, const alpha_scheme *scheme, double h,
                            trmi_attempt *result, trm_error *err);

/* Fixed steps with matrices of their own: is a correction of this size only rounding? Overwrites r
 * and r2. */
trm_status trmi_alpha_is_noise(trmi_alpha *ga, double h, double size, bool *is_noise,
                               trm_error *err);

/* Sizes of a correction. */
typedef struct alpha_correction {
  double       size; /* rms of beta h^2 P, beta h^2 da over scales, and of gamma h dy */
  trm_quantity list;
  int          index; /* where it is largest */
  bool         is_cut; /* changes of states were cut */
} alpha_correction;

/* Parts of Newton's iteration. Residuals at the present iterate; motion, d and w into r. */
trm_status trmi_alpha_residual(trmi_alpha *ga, trm_error *err);
/* alpha_states.c: limit the corrections of states in r, and in r2 if there are two. */
/* alpha_states.c: start of Newton's method; true: in another part of a law than the step before. */
bool trmi_alpha_match_states(trmi_alpha *ga, double h);
bool trmi_alpha_cut_states(trmi_alpha *ga, double h, bool two);
/* alpha_update.c: apply the correction in r and r2 by (3) of alpha_newton.c, and measure it. */
alpha_correction trmi_alpha_update(trmi_alpha *ga, double h);
/* Do constraints hold at an iterate that passed Newton's test, and how large is their violation? */
trm_status trmi_alpha_constraints(trmi_alpha *ga, double h, trmi_violation *off, bool *hold,
                                  trm_error *err);
/* alpha_matrices.c: evaluate the blocks at the present iterate and factor the matrices asked for (a
 * light step has only the second matrix); one correction from the residuals r, g, g_rate, a_rate:
 * P, L, N.. into r, d, n, m.. into r2; both at once, each matrix factored right before it is solved
 * with. */
enum { ALPHA_INDEX3_MATRIX = 1, ALPHA_PROJECTION_MATRIX = 2 };
trm_status trmi_alpha_refresh(trmi_alpha *ga, double h, int which, trm_error *err);
trm_status trmi_alpha_correct(trmi_alpha *ga, double h, trm_error *err);
trm_status trmi_alpha_renew(trmi_alpha *ga, double h, int which, trm_error *err);

#endif
