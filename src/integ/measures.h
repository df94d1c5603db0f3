/* measures.h - signals reduced over a run, on the dense output of every accepted step. */
#ifndef TRMI_MEASURES_H
#define TRMI_MEASURES_H
#include "integ/driver.h"
#include "integ/measure_text.h"

enum { TRMI_MEASURES_MAX = 64, TRMI_MEASURE_NAME = 64 };

/* One active measure. */
struct trmi_measure {
  char           name[TRMI_MEASURE_NAME];
  trmi_reduction reduction;
  trm_quantity   list;     /* of the signal                                           */
  int            index;
  double         argument; /* time in the units of the system, or level               */
  char           unit[TRM_UNIT_MAX]; /* of the result                                 */
  double         largest;  /* of the signal in the present step                       */
  /* saved with checkpoints */
  double         value;    /* NaN: none yet                                           */
  double         integral; /* of the signal or its square, over `span` units of time  */
  double         span;
  double         before;   /* of the signal at the end of the last step; NaN: no step */
};

/* An accepted step, or its part before an event, from t0 to t1. */
trm_status trmi_measures_step(trm_sim *sim, double t0, double t1, trm_error *err);
/* The run ends with the present state. */
trm_status trmi_measures_end(trm_sim *sim, trm_error *err);
void trmi_measures_visit(trm_sim *sim, trmi_visitor *v);

#endif
