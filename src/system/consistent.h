/* consistent.h - values that satisfy constraints and equations at one instant:
 * positions, velocities, accelerations and multipliers, jerk. All code for this is here. */
#ifndef TRMI_CONSISTENT_H
#define TRMI_CONSISTENT_H
#include "system/matrix.h"
#include "system/minimum_norm.h"

typedef struct trmi_consistent {
  trm_system *sys;
  const char *solver;
  bool        bordered;   /* constraints are redundant, or became singular  */
  trmi_arena  arena;      /* of the matrices of this epoch                  */
  bool        is_staged;  /* solutions are stages of a step: measured seldom */
  bool        is_linear;  /* no states and variables: one matrix serves all */
  trmi_matrix project;    /* M, G, A                                        */
  trmi_matrix index1;     /* with states and variables, if there are any    */
  trmi_minimum_norm share; /* of multipliers, if bordered                   */
  trm_state   trial;
  double     *rhs, *old;  /* [n] */
  double     *kept;       /* unknowns before a Newton step, if bordered [n]     */
  double     *step;       /* [nv] */
  double     *first;      /* start values before assembly [nq] */
  double     *bias;       /* [ng + na] */
  double     *gain;       /* of loops, feedback.h [nw (nw + 3)]                 */
  unsigned char *is_size; /* variables that are sizes of reactions [nw]     */
  bool        is_probed, has_sizes; /* is_size is known; any is             */
  int         worst;      /* the variable that (3) changed most, -1: none   */
  double     *size;       /* of rows, see row_sizes.h [ng + na] */
  bool        moved_q, moved_v; /* in the last call of ..._positions, ..._velocities */
  bool        holds;      /* given start values have larger weights         */
  trm_quantity held;      /* the list that has: TRM_Q or TRM_V              */
  double      least_ahead; /* of trmi_consistent_jerk, at a singular start [s] */
} trmi_consistent;

/* Prepare for the present epoch; scratch from `arena`, matrices of its own. */
trm_status trmi_consistent_init(trmi_consistent *c, trm_system *sys, trmi_arena *arena,
                                const char *solver, bool bordered, trm_error *err);
/* From now on solutions are stages of a step, whose error estimate detects inaccurate ones. */
void trmi_consistent_set_staged(trmi_consistent *c);
/* Build the matrices anew: at a new epoch, or with a border from now on. */
trm_status trmi_consistent_rebuild(trmi_consistent *c, bool bordered, trm_error *err);
void trmi_consistent_free(trmi_consistent *c);

/* Like those of its linear solvers: see linear.h. */
void       trmi_consistent_forget(trmi_consistent *c);
void       trmi_consistent_visit(trmi_consistent *c, trmi_visitor *v);
trm_status trmi_consistent_settle(trmi_consistent *c, trm_error *err);

/* Assemble a start: positions and velocities, moving only guessed values if that is enough. */
trm_status trmi_consistent_assemble_positions(trmi_consistent *c, trm_state *s, trm_error *err);
trm_status trmi_consistent_assemble_velocities(trmi_consistent *c, trm_state *s, trm_error *err);

/* Project q onto g = 0 in the metric of M, unless it satisfies it to rounding. At most `iterations`
 * Newton steps. TRM_ERR_ASSEMBLY names the worst constraint. */
trm_status trmi_consistent_positions(trmi_consistent *c, trm_state *s, int iterations,
                                     trm_error *err);
/* A full Newton step of positions. */
typedef struct trmi_correction {
  double violation; /* largest |g| / scale before it                           */
  int    row;       /* and its row                                             */
  double length;    /* largest change over the scales; 0: g was zero to rounding */
  int    worst;     /* its coordinate                                          */
} trmi_correction;

/* Move q by one Newton step (1) of consistent.c, unless g = 0 holds to rounding. */
trm_status trmi_consistent_correct(trmi_consistent *c, trm_state *s, const double *scale_v,
                                   trmi_correction *correction, trm_error *err);
/* Project v onto G v + g_t = 0, A v + b = 0 in the metric of M. */
trm_status trmi_consistent_velocities(trmi_consistent *c, trm_state *s, trm_error *err);
/* Both with one factorization, for a state known to be close (one Newton step for each, a second
 * one for positions if necessary). */
trm_status trmi_consistent_project(trmi_consistent *c, trm_state *s, trm_error *err);
/* Displacement of a state, over the scales, by a change of the constraints by their scales; one
 * over the distance to a singular pose. Uses the factors of the projection to this state, unless
 * their border was raised. */
trm_status trmi_consistent_sensitivity(trmi_consistent *c, const trm_state *s, double *direction,
                                       double *sensitivity, trm_error *err);
/* The same with factors of its own, for any state. */
trm_status trmi_consistent_sensitivity_at(trmi_consistent *c, const trm_state *s, double *direction,
                                          double *sensitivity, trm_error *err);
/* One more step for positions and velocities with these factors, for a state that already satisfies
 * the constraints to the usual accuracy. */
trm_status trmi_consistent_polish(trmi_consistent *c, trm_state *s, trm_error *err);
/* The same with metric and directions of another state. */
trm_status trmi_consistent_project_as(trmi_consistent *c, const trm_state *at, trm_state *s,
                                      trm_error *err);
/* Solve for v', lam, mu, x', w; their present values are the guess. */
trm_status trmi_consistent_accelerations(trmi_consistent *c, trm_state *s, trm_error *err);
/* Factor at a state: the matrix of (1) of consistent.c, or with states and variables (3), whose
 * unknowns are v', lam, mu, x', w. `matrix` receives it, ready to solve, until the next call. */
trm_status trmi_consistent_factor(trmi_consistent *c, const trm_state *s, bool with_states,
                                  trmi_matrix **matrix, trm_error *err);
/* Close a step: project, then accelerations, with one factorization where there are neither
 * states nor variables. */
trm_status trmi_consistent_close(trmi_consistent *c, trm_state *s, trm_error *err);
/* The shortest multipliers with the same effect, if constraints are redundant. */
trm_status trmi_consistent_minimum_norm(trmi_consistent *c, trm_state *s, trm_error *err);
/* v'' and x'' by a second solve a time e ahead. */
trm_status trmi_consistent_jerk(trmi_consistent *c, const trm_state *s, double e, double *vdd,
                                double *xdd, trm_error *err);

/* Violation of the constraints by a state: largest |g|, |G v + g_t|, |A v + b|, each over its
 * scale. NaN if any value is NaN. */
/* Are redundant constraints consistent for accelerations? TRM_ERR_ASSEMBLY if the accelerations of
 * the state, a least-squares solution, leave some of them unsatisfied. */
trm_status trmi_consistent_agree(trmi_consistent *c, const trm_state *s, trm_error *err);

typedef struct trmi_violation {
  double position, velocity, rolling;
} trmi_violation;

trm_status trmi_consistent_violation(trmi_consistent *c, const trm_state *s,
                                     trmi_violation *violation, trm_error *err);

#endif
