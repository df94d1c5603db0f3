/* explain.h - the causes of the step sizes of a run, and advice.
 *
 * Life cycle: trmi_explain_create -> trmi_explain_step for every attempted step,
 * trmi_explain_event for every event -> trmi_explain_finish -> read the fields.
 * Memory does not grow with the number of steps. The result: trammel/explain.h. */
#ifndef TRMI_EXPLAIN_H
#define TRMI_EXPLAIN_H
#include "core/arena.h"
#include "trammel/explain.h"

/* Motion of one unknown, measured by the caller. */
typedef struct trmi_unknown_motion {
  double amplitude;     /* half of its range                                     */
  double omega;         /* size of its second derivative over that of its first [rad/s];
                           NaN if unknown                                        */
  double scale;         /* scale in the error test                               */
  double usual;         /* amplitude / scale of the median unknown; NaN: no other */
  double usual_omega;   /* omega of the median unknown; NaN: no other            */
} trmi_unknown_motion;

/* Facts about the run other than its steps. Strings outlive the explanation. */
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
  char        said_hold[TRM_MESSAGE_MAX]; /* its message about a held order, or empty */
  void       *self;           /* for the two below                                 */
  void (*label)(void *self, trm_quantity list, int index, trm_label *label);
  trm_status (*motion)(void *self, trm_quantity list, int index, trmi_unknown_motion *motion,
                       trm_error *err);
} trmi_explain_run;

enum { TRMI_EXPLAIN_BINS = 200 };

typedef struct trmi_explain_bin {
  long   rejected;
  double from, to; /* first and last rejection [s] */
} trmi_explain_bin;

typedef struct trmi_explain trmi_explain;

/* @param run  copied */
TRM_CHECKED trm_status trmi_explain_create(trmi_arena *arena, const trmi_explain_run *run,
                                           trmi_explain **explain, trm_error *err);
TRM_CHECKED trm_status trmi_explain_step(trmi_explain *explain, const trm_step_record *step,
                                         trm_error *err);
TRM_CHECKED trm_status trmi_explain_event(trmi_explain *explain, double t, int index,
                                          trm_error *err);
TRM_CHECKED trm_status trmi_explain_finish(trmi_explain *explain,
                                           const trm_explanation **explanation, trm_error *err);

#endif
