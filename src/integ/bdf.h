/* bdf.h - internals of `bdf`, shared by its files. */
#ifndef TRMI_BDF_H
#define TRMI_BDF_H
#include "integ/alpha.h"

enum { BDF_ORDER_MAX = 5, BDF_POINTS = BDF_ORDER_MAX + 2 };

/* An accepted step, or a point before the start. */
typedef struct bdf_point {
  double  t;
  double *q, *v, *x; /*                                                  [nq], [nv], [nx] */
  double *rest;      /* v', lam, mu, x', w                               [n]              */
} bdf_point;

/* Choice of the order: data of earlier steps. */
typedef struct bdf_choice {
  int  order;       /* order of the next step                                             */
  int  since;       /* accepted steps since the controller changed order or step          */
  int  since_failed; /* accepted steps since the last rejection by the error test         */
  int  calm;        /* steps since the last sign of a vibration, see bdf_order.c          */
  int  kinked;      /* steps left whose points lie on both sides of a known kink          */
  double wanted;    /* step that the error would allow                                    */
  bool is_at_mark;  /* a law of the time begins or bends at the newest point              */
  bool is_rising;   /* at the start: the order rises with every step                      */
  long hold;        /* steps left without orders above 2                                  */
  long hold_length; /* length of that interval                                            */
  long hold_age;    /* steps since it ended                                               */
} bdf_choice;

typedef struct trmi_bdf {
  trmi_alpha core;           /* Newton's iteration and its matrices; the first member     */
  int        order_max;
  bool       tests_velocities;

  /* history, the newest point first */
  bdf_point p[BDF_POINTS];
  int       npoints;         /* of them                                                   */
  int       nreal;           /* number of accepted steps, including the start             */
  int       order_last;      /* order of the last accepted step                           */
  double    h_start;         /* distance of the points before the start                   */

  /* one attempt */
  int     order;             /* of it                                                     */
  double  end;               /* its time                                                  */
  int     usable;            /* points with psi                                           */
  double  weights[BDF_POINTS][BDF_POINTS]; /* [m][i]: of point i in the polynomial of degree m */
  int     lowest, highest;   /* m for which they are valid, at the end of the step        */
  double  lead;              /* b of (2) of bdf.c [s]                                     */
  double *base;              /* q_b                                                [nq]   */
  double *psi[BDF_POINTS];   /* (1) of bdf.c of the points                         [nv]   */
  double *increment;         /* psi of the iterate                                 [nv]   */
  double *psi_p, *psi_slope, *v_p, *v_slope; /* predicted                          [nv]   */
  double *x_p, *x_slope;     /*                                                    [nx]   */
  bool    has_dense;         /* psi are those of dense output                             */

  bdf_choice choice, tried;  /* as accepted, and as it will be if the attempt is accepted */
  bdf_choice choice_before;  /* of the last accepted step                                 */
  double  error_last;        /* of the last accepted step, over the tolerance             */
  double  error;             /* of the attempt                                            */
  int     failures;          /* of the error test in this step                            */
  double *slide, *slide_next; /* sums of (5) of bdf_order.c, accepted, with the attempt [nv] */
  bool    begins_low;        /* fixed steps began without earlier points                  */
  bool    has_reported_hold, has_reported_start;
} trmi_bdf;

/* bdf_predict.c: weights of the newest d + 1 points in the value and the slope (NULL: omitted) of
 * their polynomial at t. */
void trmi_bdf_weights(const trmi_bdf *bd, int d, double t, double w[BDF_POINTS],
                      double slope[BDF_POINTS]);
/* Weights of the value at the end of the attempted step, for any degree with enough usable
 * points. */
const double *trmi_bdf_weights_of(trmi_bdf *bd, int d);
/* b of (2) of bdf.c for a step h of order k. */
double trmi_bdf_lead(const trmi_bdf *bd, int k, double h);
/* Store a state as point i. */
void trmi_bdf_point(trmi_bdf *bd, int i, const trm_state *s);
/* The accepted state becomes the newest point. */
void trmi_bdf_remember(trmi_bdf *bd);
/* Drop the newest point. */
void trmi_bdf_forget_newest(trmi_bdf *bd);
/* Approximate psi of point i > 0 from that of the next newer point. */
void trmi_bdf_before(const trmi_bdf *bd, int i, double *near);
/* The first iterate: the prediction itself. */
void trmi_bdf_predict(trmi_bdf *bd, double h);
extern const alpha_rule trmi_bdf_rule;

/* bdf_dense.c: see integrator.h. */
void trmi_bdf_sketch(void *integ, double t, trm_state *s);
trm_status trmi_bdf_interpolate(void *integ, double t, trm_state *s, trm_error *err);

/* bdf_start.c: see integrator.h; recompute the points before the start for another first step. */
trm_status trmi_bdf_start(void *integ, const trm_state *s, double *h, trm_error *err);
void trmi_bdf_begin(trmi_bdf *bd, double h);
/* Report, once, that fixed steps began with lower orders. */
void trmi_bdf_report_start(trmi_bdf *bd);

/* bdf_order.c: error of the attempt over the tolerance, and the component where it is largest;
 * order and size of the next step. */
void trmi_bdf_estimate(trmi_bdf *bd, double h, trmi_attempt *result);
void trmi_bdf_choose(trmi_bdf *bd, double h, trmi_attempt *result);

#endif
