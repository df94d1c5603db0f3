/* statics.h - parts of the search for an equilibrium: one Newton step, the methods that use it, and
 * the message if all of them fail. Equations: head of statics_step.c. */
#ifndef TRMI_STATICS_H
#define TRMI_STATICS_H
#include "analysis/operating_point.h"
#include "trammel/analysis.h"

/* Distance beyond which no equilibrium is searched, in scales. */
#define TRMI_STATICS_FAR 1e6

/* Points on the path of states in balance that predict the next one. */
#define TRMI_STATICS_POINTS 5

/* Directions among which one of negative stiffness is sought. */
#define TRMI_STATICS_MODES 16

typedef struct trmi_statics {
  trmi_operating_point *base; /* base->s is the best state so far                      */
  trm_system *sys;
  trmi_arena  arena;        /* of the matrix                                           */
  trmi_matrix matrix;
  bool        has_matrix;
  bool        holds_states; /* states keep their values, their rates are the unknowns  */
  const char *solver;
  int         max_iterations;
  bool      (*should_stop)(void *self);
  void       *should_stop_self;
  trm_state   first, trial; /* start of the search, end of a step                      */
  unsigned char *memory;    /* of elements, at the first state; NULL: they have none   */
  trm_state   before;       /* of the last load in balance, or the best so far         */
  double      best;         /* its norm                                                */
  int         since_best;   /* steps since then                                        */
  double      reference;    /* acceleration by the forces alone, over the scales       */
  double     *r, *r_new;    /* residuals at base->s and at trial                 [n]   */
  double     *step;         /* solution of (1)                                   [n]   */
  double     *change;       /* scratch of statics_curvature.c, statics_path.c    [n]   */
  double     *slope, *tangent; /* of statics_path.c                             [n]   */
  trm_state   points[TRMI_STATICS_POINTS]; /* the latest first                         */
  double     *displacement, *product; /* [nv] */
  double     *modes;        /* of statics_curvature.c     [TRMI_STATICS_MODES nv]      */
  double     *mode_mass;    /*                                                   [nv]  */
  double     *pull, *pull_new; /* forces without reactions at both ends          [nv]  */
  bool       *is_bristle;   /* states that keep their values at rest             [nx]  */
  double     *nothing;      /* zeros                                          [ng + na] */
  double     *load;         /* unbalanced force at the beginning                 [nv]  */
  double      load_left;    /* part of it that is still held                           */
  double     *acceleration; /* of the state at rest, see trmi_statics_multipliers [nv] */
  double     *unbalanced;   /* M times that                                      [nv]  */
  double      kappa;        /* largest stiffness over mass [1/s^2]                     */
  double      tau;
  double      size;         /* of the last step over the scales                        */
  bool        is_neutral;   /* a direction without stiffness and force was met         */
  bool        ran_away;
  int         iterations;
} trmi_statics;

/* statics_step.c */
trm_status trmi_statics_take(trmi_statics *st, trmi_arena *arena, trm_error *err);
/* Matrix for states at rest or held; also at a new epoch. */
trm_status trmi_statics_build(trmi_statics *st, bool holds_states, trm_error *err);
/* Restart at the first state. */
trm_status trmi_statics_rewind(trmi_statics *st, trm_error *err);
/* Return to an earlier state. */
trm_status trmi_statics_restore(trmi_statics *st, const trm_state *s, trm_error *err);
/* Step of (1) with the present tau. */
trm_status trmi_statics_solve(trmi_statics *st, trm_error *err);
/* trial = base->s displaced by the step and projected onto g = 0, with its residual. */
trm_status trmi_statics_try(trmi_statics *st, trm_error *err);
/* Work of the forces along the displacement to the trial, (3); the work that the linear model
 * expects, (4); and its rounding error. */
typedef struct trmi_statics_work {
  double done, expected, noise;
} trmi_statics_work;
trm_status trmi_statics_measure(trmi_statics *st, trmi_statics_work *work, trm_error *err);
/* Accept the trial. */
trm_status trmi_statics_accept(trmi_statics *st, trm_error *err);
/* Multipliers that leave the smallest accelerations, and these. */
trm_status trmi_statics_multipliers(trmi_statics *st, trm_error *err);
/* Largest acceleration, rate and gap of variables, over their scales. */
double trmi_statics_norm(const trmi_statics *st);

/* statics_curvature.c: is the matrix of the step negative along some free direction? */
trm_status trmi_statics_is_hilly(trmi_statics *st, bool *is_hilly, trm_error *err);

/* statics_methods.c: TRM_OK, or a positive status without convergence */
trm_status trmi_statics_newton(trmi_statics *st, trm_error *err);
trm_status trmi_statics_load(trmi_statics *st, trm_error *err);
trm_status trmi_statics_relax(trmi_statics *st, trm_error *err);
/* The end of each: take a small step, and more while they decrease. */
trm_status trmi_statics_finish(trmi_statics *st, trm_error *err);
/* TRM_RETRY_NEWTON */
trm_status trmi_statics_not_converged(trmi_statics *st, trm_error *err);
/* statics_path.c: one more of them, for stable starts */
trm_status trmi_statics_path(trmi_statics *st, trm_error *err);

/* statics_blame.c: the sentence about unknowns out of balance; returns TRM_ERR_BALANCE. */
trm_status trmi_statics_blame(trmi_statics *st, trm_error *err);
/* Is there a force along a direction without resistance, here and at the start? If so, the state is
 * reset to the start. */
trm_status trmi_statics_is_free(trmi_statics *st, bool *is_free, trm_error *err);

#endif
