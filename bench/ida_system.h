/* ida_system.h - any system of ours by SUNDIALS IDA, as a peer of our methods on large models. */
#ifndef IDA_SYSTEM_H
#define IDA_SYSTEM_H
#include "ida_run.h"
#include "trammel/trammel.h"

enum { IDA_ORDER_MAX = 5 };

typedef struct ida_system_run {
  double end, tolerance;
  bool   tests_velocities; /* as well as positions and states */
  /* outputs at times end k/samples */
  int        samples, noutputs;
  const int *outputs; /* their numbers                      [noutputs]             */
  double    *found;   /* receives them        [(samples + 1) noutputs], sample by sample */
} ida_system_run;

typedef struct ida_system_result {
  double     seconds; /* CPU time of its steps, without set-up and outputs */
  ida_counts n;
  long       orders[IDA_ORDER_MAX + 1]; /* steps of each order  */
  long       patterns;                  /* changes of patterns  */
  double     reached;                   /* time; before the end: it failed there */
} ida_system_result;

/* Run from the start of a simulation, which is complete and has made no step. The system must have
 * no variables and no nonholonomic rows. */
void ida_system_solve(trm_sim *sim, const ida_system_run *run, ida_system_result *result);

#endif
