/* explicit.h - shared by the files of `explicit`; equations: head of explicit.c. */
#ifndef TRMI_EXPLICIT_H
#define TRMI_EXPLICIT_H
#include "integ/explicit_tables.h"
#include "integ/integrator.h"
#include "integ/singular_pose.h"

typedef struct trmi_explicit {
  trmi_context         ctx;
  const trmi_rk_table *rk;
  int        n;                 /* 2 nv + nx                                    */
  trm_state  now, next;         /* after accept `next` is the previous step     */
  trm_state  stage;
  trmi_consistent dense;        /* of dense output, so that samples leave no trace  */
  bool       has_dense_matrix;
  double    *k[RK_STAGES_MAX];  /* y' of the stages                      [n]    */
  double    *loads[RK_STAGES_MAX]; /* lam, mu, w of the stages [ng + na + nw]   */
  double    *y, *y_before;      /* last stage and the one before it      [n]    */
  double    *k_new;             /* y' at the end, in coordinates there   [n]    */
  double    *Tinv;              /*                                    [9 nrot]  */
  double     h;                 /* of the last accepted step                    */
  double     h_slow;            /* decaying maximum of steps: see explicit_error.c */
  double    *v_most;            /* largest |v| of the run so far         [nv]   */
  bool       has_dense;         /* its extra stages are computed                */
  int        stiff, calm;       /* consecutive steps that looked stiff, or not  */
  bool       warned;
  trm_state  shaken;            /* the start of the step, perturbed by rounding */
  double    *e_first;           /* error of the first try                [n]    */
  double    *direction, *direction_next; /* (5) at both ends             [nv]   */
  double     closeness, closeness_next, closeness_least; /* its size, and the least so far */
  double     left, left_next;   /* of the constraints at both ends, over their scales */
  trmi_singular_turns turns;
  double     floor;             /* error that counts as rounding, or 0          */
  bool       has_reported_floor, has_reported_pose;
} trmi_explicit;

/* y_i by (2) of explicit.c, for a step from s0. */
void trmi_explicit_point(const trmi_explicit *ex, const trm_state *s0, int i, double h, double *y);
/* psi, v, x of `y` into a state around q0. */
void trmi_explicit_unpack(const trmi_explicit *ex, const double *y, const double *q0, trm_state *s);
/* Stage i of the last or the next step, which starts at s0; its point is left in y. */
trm_status trmi_explicit_stage(trmi_explicit *ex, const trm_state *s0, int i, double h, double *y,
                               trm_error *err);

/* explicit_error.c: the scale of component m of y in a step h. */
double trmi_explicit_weight(const trmi_explicit *ex, int m, double h);
/* The local error of component m of the last step, over its length. */
double trmi_explicit_error_of(const trmi_explicit *ex, int m);
/* The error of the stages of a step h, over the tolerance, and the component where it is
 * largest. */
void trmi_explicit_estimate(const trmi_explicit *ex, double h, trmi_attempt *result);
/* Record the largest velocities. */
void trmi_explicit_note_speeds(trmi_explicit *ex, const trm_state *s);
/* Count steps that look stiff; report stiffness once. */
void trmi_explicit_look_for_stiffness(trmi_explicit *ex, double h);

/* explicit_dense.c: the state at a time inside the last step. */
trm_status trmi_explicit_interpolate(void *integ, double t, trm_state *s, trm_error *err);
/* explicit_dense.c: see integrator.h. */
bool trmi_explicit_recall(void *integ, int i, trmi_stage *out);

#endif
