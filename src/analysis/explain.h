/* explain.h - why a run took the steps it took, and what to change.
 *
 * Life cycle: trmi_explain_create -> trmi_explain_step for every attempted step,
 * trmi_explain_event for every event -> trmi_explain_finish -> read the fields.
 * Memory does not grow with the number of steps.
 *
 * Each accepted step is put down to one cause. The error of the step before sets
 * the size of a step: its largest unknown is to blame. A step that was tried before
 * and failed is put down to what failed, and so are the steps that grow back after
 * it; steps that grow back after an event are put down to the event. */
#ifndef TRMI_EXPLAIN_H
#define TRMI_EXPLAIN_H
#include "core/arena.h"
#include "trammel/sim.h"

enum { TRMI_LIMITS = TRM_LIMIT_SLIP + 1 };

/* One unknown, or event function, and what it did. */
typedef struct trmi_suspect {
  trm_quantity list;
  int          index;
  long         steps[TRMI_LIMITS];    /* accepted ones put down to it          */
  long         rejected[TRMI_LIMITS]; /* attempts                              */
  double       h_smallest, t_smallest; /* smallest step of those, and its time [s] */
} trmi_suspect;

/* A stretch of time with many rejected attempts. */
typedef struct trmi_cluster {
  double from, to; /* [s] */
  long   count;
} trmi_cluster;

/* What limits the run as a whole. */
typedef enum trmi_cause {
  TRMI_CAUSE_NONE,     /* nothing to say                                      */
  TRMI_CAUSE_FIXED,    /* the user gave the steps                             */
  TRMI_CAUSE_ACCURACY, /* the tolerance and the motion                        */
  TRMI_CAUSE_FAST,     /* the tolerance and a fast oscillation                */
  TRMI_CAUSE_SCALE,    /* an unknown whose scale is too small for its motion  */
  TRMI_CAUSE_STIFF,    /* stability of an explicit method                     */
  TRMI_CAUSE_NEWTON, TRMI_CAUSE_DOMAIN, TRMI_CAUSE_EVENT,
  TRMI_CAUSE_MAXIMUM,  /* --step-max                                          */
  TRMI_CAUSE_STOP,     /* impacts on stops or contacts                        */
  TRMI_CAUSE_SLIP,     /* friction that turns over                            */
  TRMI_CAUSE_GROWTH    /* the run is over before the steps have grown         */
} trmi_cause;

/* How one unknown moved, measured by the caller. */
typedef struct trmi_motion {
  double amplitude;     /* half of its range                                     */
  double omega;         /* size of its second derivative over that of its first [rad/s];
                           NaN if unknown                                        */
  double scale;         /* what counts as one in the error test                  */
  double usual;         /* amplitude / scale of the median unknown; NaN: no other */
  double usual_omega;   /* omega of the median unknown; NaN: no other            */
} trmi_motion;

/* What is known of the run beside its steps. Strings outlive the explanation. */
typedef struct trmi_explain_run {
  const char *integrator, *formulation;
  const char *time_unit;      /* of all times below; NULL: s                       */
  double      seconds;        /* its length; 0: 1 [s]                              */
  double      tolerance;      /* NaN: fixed steps                                  */
  double      step_max;       /* 0: none [s]                                       */
  int         max_order;      /* as the user gave it; 0: not given                 */
  int         max_iterations; /* of Newton                                         */
  double      from, to;       /* the history begins and ends [s]                   */
  bool        said_stiff;     /* the integrator sent a message about stiffness     */
  void       *self;           /* for the two below                                 */
  void (*label)(void *self, trm_quantity list, int index, trm_label *label);
  trm_status (*motion)(void *self, trm_quantity list, int index, trmi_motion *motion,
                       trm_error *err);
} trmi_explain_run;

enum { TRMI_EXPLAIN_BINS = 200, TRMI_CLUSTERS_MAX = 3, TRMI_ADVICE_MAX = 6,
       TRMI_ORDERS = 16 /* 0: unknown; 15: this or more */ };

typedef struct trmi_explain_bin {
  long   rejected;
  double from, to; /* first and last rejection [s] */
} trmi_explain_bin;

typedef struct trmi_explain trmi_explain;

/* The explanation; valid until the arena is cleared. */
typedef struct trmi_explanation {
  /* after the steps, written by trmi_explain_step */
  long   accepted, iterations;         /* iterations of Newton in all attempts       */
  long   steps[TRMI_LIMITS];           /* accepted ones by cause                     */
  long   rejected[TRMI_LIMITS];        /* attempts by cause                          */
  long   orders[TRMI_ORDERS];          /* accepted ones by order of the method       */
  double h_smallest, h_largest, t_smallest; /* [s]                                   */
  long   events;

  /* after trmi_explain_finish */
  double h_median;                     /* within 6 per cent [s]                      */
  const trmi_suspect *suspects;        /* worst first                    [nsuspects] */
  int    nsuspects;
  trmi_cluster clusters[TRMI_CLUSTERS_MAX]; /* of rejected attempts, largest first   */
  int    nclusters;                    /* stored above                               */
  int    nclusters_all;                /* found                                      */
  trmi_cause cause;
  const trmi_suspect *culprit;         /* NULL: nobody                               */
  char   culprit_name[48], culprit_object[TRM_OBJECT_MAX]; /* "" if nobody           */
  char   advice[TRMI_ADVICE_MAX][TRM_MESSAGE_MAX];
  int    nadvice;
} trmi_explanation;

/* @param run  copied */
TRM_CHECKED trm_status trmi_explain_create(trmi_arena *arena, const trmi_explain_run *run,
                                           trmi_explain **explain, trm_error *err);
TRM_CHECKED trm_status trmi_explain_step(trmi_explain *explain, const trm_step_record *step,
                                         trm_error *err);
TRM_CHECKED trm_status trmi_explain_event(trmi_explain *explain, double t, int index,
                                          trm_error *err);
TRM_CHECKED trm_status trmi_explain_finish(trmi_explain *explain,
                                           const trmi_explanation **explanation, trm_error *err);

/* "accuracy", "event", .. */
const char *trmi_cause_name(trmi_cause cause);
/* "error", "newton", .. */
const char *trmi_limit_name(trm_limit limit);

#endif
