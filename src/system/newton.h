/* newton.h - Newton's iteration and the monitor of its convergence, for the steps of integrators,
 * the start, variables in loops and equilibria; and its damped form for steps that cannot be
 * reduced. */
#ifndef TRMI_NEWTON_H
#define TRMI_NEWTON_H
#include "linalg/plan.h"
#include "system/system.h"
#include <math.h>

/* A correction up to this multiple of the expected rounding error is called noise. */
static const double trmi_newton_noisy = 8.0;

/* ---- iteration and monitor ------------------------------------------------------- */

/* How an iteration ended. */
typedef enum trmi_newton_end {
  NEWTON_CONVERGED,
  NEWTON_STUCK,     /* no part of a correction reduces the next one             */
  NEWTON_SLOW,      /* the limit is not reached after all iterations            */
  NEWTON_DIVERGED,  /* corrections grow                                         */
  NEWTON_LATE,      /* at this rate the limit would not be reached in time      */
  NEWTON_NOT_FINITE /* a correction is not finite                               */
} trmi_newton_end;

/* Rules of an iteration, and its data. Sizes are those of corrections, in any fixed norm. */
typedef struct trmi_newton_monitor {
  /* rules, set by the caller */
  int    most;         /* corrections                                                     */
  bool   is_counted;   /* exactly `most` iterations, without any test                     */
  double limit;        /* permitted error                                                */
  double negligible;   /* corrections up to this part of the limit are always small       */
  double rounding;     /* of the unknowns                                                 */
  double wide;         /* largest correction that may be noise                            */
  double growth;       /* corrections diverge from this rate on,                          */
  double growth_first; /* the second one only from this ratio on                          */
  double first_most;   /* end at once if the first correction is larger                   */
  int    stall_from;   /* number and ratio of corrections from which `doubt` decides      */
  double stall;        /* whether they are noise                                          */
  bool   uses_rate;    /* (1) of newton_loop.h counts, otherwise the size itself          */
  bool   averages;     /* the rate is the geometric mean of two ratios                    */
  bool   alternates;   /* good and bad corrections alternate: the worse of two counts     */
  bool   predicts;     /* end as soon as the limit cannot be reached in time              */
  /* data; the caller sets expected values for the first correction */
  double ratio;        /* of the size to the previous one                                 */
  double rate;         /* of convergence                                                  */
  double rest;         /* (1) of newton_loop.h over the size                              */
  double worst;        /* largest ratio without noise                                     */
  /* numbers */
  int    k;            /* of the correction, from 0                                       */
  double size, last;   /* of the correction and of the previous one; negative: none       */
  double before;       /* ratio before `ratio`                                            */
  double late;         /* error expected after all iterations, over the limit             */
  bool   is_noise;     /* rounding alone explains the correction                          */
} trmi_newton_monitor;

/* Reasons for doubt about corrections, and verdicts. */
typedef enum trmi_newton_doubt { NEWTON_STALLS, NEWTON_GROWS, NEWTON_LAGS } trmi_newton_doubt;
typedef enum trmi_newton_verdict {
  NEWTON_GOES_ON,
  NEWTON_IS_NOISE, /* rounding: the iterate cannot be improved; final if `accept` agrees  */
  NEWTON_IS_GOOD,  /* the iterate is the solution                                         */
  NEWTON_FAILS
} trmi_newton_verdict;

/* Returned as size to request another iteration without a correction: matrices have changed. */
#define NEWTON_AGAIN (-1.0)

/* The equations as the iteration sees them. */
typedef struct trmi_iteration {
  void *self;
  /* Find the next correction and its size; apply it unless there is `advance`. */
  trm_status (*correct)(void *self, const trmi_newton_monitor *m, double *size, trm_error *err);
  /* Judge corrections that do not decrease as they should. *verdict is NEWTON_GOES_ON for those
   * that stall, NEWTON_FAILS otherwise, and may be changed. Optional. */
  trm_status (*doubt)(void *self, const trmi_newton_monitor *m, trmi_newton_doubt why,
                      trmi_newton_verdict *verdict, trm_error *err);
  /* Accept the iterate? Called after a small correction, or one that is noise. Optional: always. */
  trm_status (*accept)(void *self, const trmi_newton_monitor *m, bool is_noise, bool *is_good,
                       trm_error *err);
  /* Apply a correction that is not small, or a part of it. Optional: `correct` has done so. */
  trm_status (*advance)(void *self, const trmi_newton_monitor *m, trmi_newton_verdict *verdict,
                        trm_error *err);
} trmi_iteration;

/* Rules that only end an iteration after `most` corrections or one below the limit. */
static inline trmi_newton_monitor trmi_newton_rules(int most, double limit) {
  return (trmi_newton_monitor){.most = most, .limit = limit, .negligible = 1.0,
                               .growth = INFINITY, .growth_first = INFINITY,
                               .first_most = INFINITY, .stall = INFINITY, .ratio = 1.0,
                               .rate = 1.0, .rest = INFINITY, .size = -1.0};
}

/* (1) of newton_loop.h: error after a correction with this rate, over its size. */
static inline double trmi_newton_rest(double rate) {
  return rate < 0.99 ? rate / (1.0 - rate) : INFINITY;
}

/* The unknown with the largest part in a correction; index -1: none. */
typedef struct trmi_worst {
  trm_quantity list;
  int          index;
} trmi_worst;

/* TRM_RETRY_NEWTON with a sentence about an iteration that did not converge, TRM_RETRY_DOMAIN if a
 * correction was not finite. */
trm_status trmi_newton_failed(const trm_system *sys, trmi_newton_end end, int iterations,
                              double size, trmi_worst worst, trm_error *err);

/* ---- with damping ---------------------------------------------------------------- */

/* The equations of a step for the damped iteration. */
typedef struct trmi_newton {
  void  *self;
  double limit; /* permitted error, in the norm of sizes */
  int    most;  /* iterations                                */
  /* Compute the correction at the present iterate, with new matrices (`is_new`) or the last ones,
   * and its size. The iterate is unchanged. */
  trm_status (*correct)(void *self, bool is_new, double *size, trm_error *err);
  /* Keep the last correction as the direction of `move`. */
  void (*keep)(void *self);
  /* Move the iterate by this part of the direction. */
  void (*move)(void *self, double part);
  /* Size of a correction caused by rounding of the iterate, with the present matrices. */
  trm_status (*noise)(void *self, double *size, trm_error *err);
  /* Do constraints hold at the iterate, as far as rounding permits? */
  trm_status (*hold)(void *self, bool is_noise, bool *hold, trm_error *err);
  /* Switch to the equations of the part `to` of the step, 0 < to <= 1, and set their first iterate:
   * from the state at the start, or from the stored solution of another part (`from`). */
  void (*begin)(void *self, double from, double to);
  /* Store the iterate as the solution of its part. */
  void (*found)(void *self);
} trmi_newton;

/* Result of the iteration. */
typedef struct trmi_newton_result {
  trmi_newton_end end;
  int    iterations;
  double size;  /* of the last correction                     */
  double noise; /* of rounding, if measured; otherwise 0 */
} trmi_newton_result;

/* Iterate from the present iterate to the solution; if that fails, continue the solution from a
 * short step to the whole one. `result` has the reason for the end; a positive status comes from
 * the equations. */
trm_status trmi_newton_solve(const trmi_newton *newton, trmi_newton_result *result, trm_error *err);

/* (2) of newton.c with signs +1 or -1 in a pseudo-random order: `size` holds |z| [n], `out`
 * receives the right-hand side [n]. */
void trmi_newton_rounding(const trmi_plan *plan, const double *size, double *out);

#endif
