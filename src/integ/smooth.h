/* smooth.h - shared by the files of `smooth`; equations: head of smooth.c. */
#ifndef TRMI_SMOOTH_H
#define TRMI_SMOOTH_H
#include "integ/explicit_tables.h"
#include "integ/integrator.h"
#include <math.h>

enum { TRMI_SMOOTH_STAGES = 7 }; /* of DOPRI5 */

/* Fast modes at a slow state. Vectors of one mode follow each other. */
typedef struct trmi_fast_modes {
  double *omega;     /* (3)                                            [m]     */
  double *frequency; /* with all other forces, (10)                    [m]     */
  double *decay;     /* (10)                                           [m]     */
  double *p;         /* Mt phi                                         [m m]   */
  double *phi;       /*                                                [m m]   */
  double *shape;     /* v, lam, mu of W p: how a mode moves bodies     [m nall] */
  double *slope;     /* d(p.A p)/dq, (7); zero of modes that push nothing [m nv]  */
  bool   *has_slope; /* it was computed                                [m]     */
  double *tilt;      /* slow part of the motion in a mode, (10)        [m nv]  */
} trmi_fast_modes;

/* Actions and phases, logarithms of the actions against those at the last start. */
typedef struct trmi_vibration {
  double *phase, *decayed; /* [m] */
} trmi_vibration;

/* Inertia and potential of the slow motion that vibrations change: smooth_inertia.c. d slow
 * directions; matrices over them are square. */
typedef struct trmi_smooth_inertia {
  int     d;
  bool    is_possible, is_used; /* there are few directions; a vibration is large enough */
  double *size;             /* of modes that count at the start, over the scales; or 0 [m] */
  double *basis;            /* directions t at the state                       [d nv]   */
  double *delta;            /* (16) there                                      [d d]    */
  double *own, *first;      /* (16) of each mode, and dM_a/da                  [m d d]  */
  double *slope, *potential; /* derivatives of Delta and U along t      [d d d], [d]    */
  double *here, *tangent;   /* scratch: slow parts of t, X t                   [d nv]   */
  double *places;           /* Phi at the state and at displaced states                 */
  double *xi, *small, *product;
  trm_state shifted, moved;
} trmi_smooth_inertia;

/* Measures of the assumptions of the method. */
typedef enum trmi_smooth_doubt {
  TRMI_SMOOTH_ADIABATIC,  /* (8)  */
  TRMI_SMOOTH_SEPARATION, /* (11) */
  TRMI_SMOOTH_BEND,       /* (12) */
  TRMI_SMOOTH_MIXING,     /* (13) */
  TRMI_SMOOTH_RESONANCE,  /* (15) */
  TRMI_SMOOTH_SHORT,      /* (14) */
  TRMI_SMOOTH_DOUBTS
} trmi_smooth_doubt;

typedef struct trmi_smooth_doubts {
  double size[TRMI_SMOOTH_DOUBTS];                   /* the largest so far             */
  double omega[TRMI_SMOOTH_DOUBTS];                  /* frequency of that mode         */
  char   name[TRMI_SMOOTH_DOUBTS][48];               /* and its largest deformation    */
  char   object[TRMI_SMOOTH_DOUBTS][TRM_OBJECT_MAX]; /* whose it is                    */
} trmi_smooth_doubts;

typedef struct trmi_smooth {
  trmi_context ctx;
  int        m;                 /* deformations of stiff forces                 */
  int        nall;              /* nv + ng + na                                 */
  int        n;                 /* 2 nv + nx + 2 m                              */
  trm_state  slow, slow_next;   /* after accept `slow_next` is the previous step */
  trm_state  now, next;         /* the same with vibrations                     */
  trm_state  stage, probe, probe_near;
  trmi_consistent dense;        /* of dense output, so that samples leave no trace */
  bool       has_dense_matrix;
  double    *k[TRMI_SMOOTH_STAGES]; /* y' of the stages                  [n]    */
  double    *y, *y_before;      /* last stage and the one before it      [n]    */
  double    *k_new, *k_end;     /* y' at both ends, in coordinates there; swapped [n] */
  double    *displacement;      /* psi of the end of the step            [nv]   */
  double    *Tinv;              /*                                    [9 nrot]  */
  double     h;                 /* of the last accepted step                    */
  double    *L;                 /* K = L L^T of the stiff forces         [m m]  */
  double    *eta_scale;         /* deformations by the scales of coordinates [m] */
  double    *action;            /* at the last start; 0: damped away     [m]    */
  trmi_vibration now_vibrates, next_vibrates; /* swapped by accept              */
  double    *turns;             /* full turns taken from phases at accept [m]   */
  double    *eta_now, *eta_next, *rate_now, *rate_next; /* (5) at both ends and its rate; swapped
                                                            by accept    [m]    */
  double    *eta_stage;         /* the same of stages 1 to 5             [5 m]  */
  double    *p_followed, *p_next; /* p of the modes at both ends; swapped [m m] */
  trmi_fast_modes modes;        /* at the state evaluated last                  */
  double    *overlap;           /* of these modes with those followed    [m]    */
  double    *nu;                /* (4) of that state                     [m]    */
  trmi_smooth_inertia inertia;
  trmi_smooth_doubts doubts;    /* of the last attempt                          */
  int        short_steps, short_next; /* consecutive, shorter than vibrations   */
  bool       told[TRMI_SMOOTH_DOUBTS];

  /* scratch */
  double    *solve;             /*                                    [nall]    */
  double    *columns;           /* W                                [m nall]    */
  double    *B;                 /* entries of STIFF_B at a state                */
  double    *S, *vectors;       /*                                       [m m]  */
  double    *diagonal;          /* of S before it became diagonal        [m]    */
  double    *a, *r, *eta, *eta_dense, *rate_dense; /*                    [m]    */
  double    *b;                 /*                                       [4 m]  */
  double    *move, *force, *gradient, *momentum;      /*                 [nv]   */
  double    *slow_v, *slow_back; /*                                      [nv]   */
  double    *form, *twin;       /* vectors of (9)                     [nall]    */
} trmi_smooth;

/* J of a mode, bounded. Damping may change within a step by more than its value, as when modes
 * without energy exchange places, and must not make a stage diverge; runs in which vibrations
 * really grow so far are stopped. */
#define TRMI_SMOOTH_GROWTH 14.0
static inline double trmi_smooth_action(const trmi_smooth *sm, const double *decayed, int i) {
  return sm->action[i] > 0.0 ? sm->action[i] * exp(fmin(decayed[i], TRMI_SMOOTH_GROWTH)) : 0.0;
}

/* smooth_modes.c: modes at a state of q; signs and order follow `p_followed`, or are arbitrary if
 * NULL. Afterwards the factors of `c` belong to that state, and sm->B holds B. */
trm_status trmi_smooth_find_modes(trmi_smooth *sm, trmi_consistent *c, const trm_state *s,
                                  const double *p_followed, trm_error *err);
/* slope (7) of those modes that carry energy; then of a single mode that does not. */
trm_status trmi_smooth_find_slopes(trmi_smooth *sm, const trm_state *s, const double *decayed,
                                   trm_error *err);
trm_status trmi_smooth_find_slope(trmi_smooth *sm, const trm_state *s, int i, trm_error *err);
/* frequency, decay and tilt, (10), at a state with accelerations, whose factors are present. */
trm_status trmi_smooth_find_frequencies(trmi_smooth *sm, trmi_consistent *c, const trm_state *s,
                                        trm_error *err);
/* out = F of (9) for x = (v, lam, mu) and p. */
trm_status trmi_smooth_form(trmi_smooth *sm, const trm_state *s, const double *x, const double *p,
                            double *out, trm_error *err);
/* out = B^T v with sm->B. */
void trmi_smooth_strain(const trmi_smooth *sm, const double *v, double *out);
/* x = K^-1 r, in place. */
void trmi_smooth_compliance(const trmi_smooth *sm, double *r);
/* K = L L^T and the scales of deformations at the start. */
trm_status trmi_smooth_read_stiffness(trmi_smooth *sm, const trm_state *s, trm_error *err);

/* smooth_slow.c: accelerations of the slow motion, (4) and (6); sm->nu and sm->modes belong to the
 * state afterwards. */
trm_status trmi_smooth_accelerations(trmi_smooth *sm, trmi_consistent *c, trm_state *s,
                                     const double *decayed, const double *p_followed,
                                     trm_error *err);
/* eta^ of a slow state that was evaluated last; overwrites sm->nu. */
trm_status trmi_smooth_deformation(trmi_smooth *sm, const trm_state *s, double *eta,
                                   trm_error *err);
/* Move q onto g = 0, eta = target, and v onto the constraints and B^T v = rate. */
trm_status trmi_smooth_project(trmi_smooth *sm, trmi_consistent *c, const double *target,
                               const double *rate, trm_state *s, trm_error *err);
/* The same with velocities that keep slow momentum. */
trm_status trmi_smooth_settle(trmi_smooth *sm, trmi_consistent *c, const double *target,
                              const double *rate, trm_state *s, trm_error *err);
/* Split a state into slow motion, actions and phases. */
trm_status trmi_smooth_split(trmi_smooth *sm, const trm_state *full, trm_error *err);
/* The full state, slow state plus vibrations, with its accelerations and multipliers; modes are
 * those of the slow state. */
trm_status trmi_smooth_join(trmi_smooth *sm, trmi_consistent *c, const trm_state *slow,
                            const trmi_vibration *vibration, trm_state *full, trm_error *err);

/* x = slow response to a force: its direction satisfies all rows and B^T x = 0; modes and factors
 * are those of the state. */
trm_status trmi_smooth_slow_response(trmi_smooth *sm, trmi_consistent *c, const double *force,
                                     double *x, trm_error *err);
/* x = the shortest displacement that changes g by x[nv ..] and eta by -sm->r; modes and factors
 * are present. */
trm_status trmi_smooth_correct(trmi_smooth *sm, trmi_consistent *c, double *x, trm_error *err);

/* smooth_inertia.c: memory; which modes count at a start; TRM_ERR_INPUT if they cannot be
 * included. */
void trmi_smooth_take_inertia(trmi_smooth *sm, trmi_arena *arena);
trm_status trmi_smooth_choose_inertia(trmi_smooth *sm, trm_error *err);
/* (18): v' of a slow state that has all other values. Modes, except their slopes, remain those of
 * s. */
trm_status trmi_smooth_add_inertia(trmi_smooth *sm, trmi_consistent *c, trm_state *s,
                                   const double *decayed, const double *p_followed,
                                   trm_error *err);
/* v becomes (1 + Delta) v at the slow state evaluated last, or back. */
trm_status trmi_smooth_momentum(trmi_smooth *sm, const trm_state *s, bool inverse, double *v,
                                trm_error *err);

/* Oscillation of the slow motion with vibrations a and rates b at that state. */
trm_status trmi_smooth_sway(trmi_smooth *sm, const trm_state *s, const double *a, const double *b,
                            double *move, trm_error *err);

/* smooth_tests.c: the largest deformation of a mode. */
int trmi_smooth_deformation_of(const trmi_smooth *sm, int mode);
/* Reject systems that the method cannot treat. */
trm_status trmi_smooth_check(trmi_smooth *sm, trm_error *err);
/* Measure the assumptions of the method at the slow state evaluated last; a negative status: they
 * do not hold. */
trm_status trmi_smooth_test(trmi_smooth *sm, const trm_state *slow, const double *decayed,
                            trm_error *err);
/* The same for the length of an accepted step. */
trm_status trmi_smooth_test_step(trmi_smooth *sm, double h, trm_error *err);
/* After an accepted step: warnings, each once. */
void trmi_smooth_warn(trmi_smooth *sm);

#endif
