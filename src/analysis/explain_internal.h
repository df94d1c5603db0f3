/* explain_internal.h - internals of an explanation, shared by its two files. */
#ifndef TRMI_EXPLAIN_INTERNAL_H
#define TRMI_EXPLAIN_INTERNAL_H
#include "analysis/explain.h"
#include "trammel/methods.h"

/* Sizes of steps are counted by their logarithm: 40 classes a decade. */
enum { SIZES_PER_DECADE = 40, SIZES = 40 * SIZES_PER_DECADE };

/* Last reason for shorter steps. */
typedef struct cut {
  trm_limit    limit; /* TRM_LIMIT_NONE: nothing */
  trm_quantity list;
  int          index;
} cut;

struct trmi_explain {
  trmi_explain_run run;
  const trm_method *method; /* of the run; for an unknown name the usual method */
  trmi_arena      *arena;
  trm_explanation result;
  trm_suspect    *suspects; /* [capacity], in order of appearance */
  int             *slots;    /* hash of list and index -> suspect + 1 [2 capacity] */
  int              capacity;
  cut              last;     /* failure or event that the steps recover from        */
  cut              pace;     /* unknown with the largest error of the step before   */
  bool             just_failed; /* the previous attempt was rejected                */
  trmi_explain_bin bins[TRMI_EXPLAIN_BINS];
  long             sizes[SIZES];
  double           event_t;     /* of the previous event; NaN           */
  double           event_first; /* first distance of two events [s]     */
  double           event_shortest; /* shortest distance [s]             */
};

/* explain_advice.c: cause, culprit, advice. */
trm_status trmi_explain_judge(trmi_explain *explain, trm_error *err);

#endif
