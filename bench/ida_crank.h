/* ida_crank.h - the slider crank of the IVP test set by SUNDIALS IDA: the yardstick of
 * the bench. Its equations are written here a second time, so that the yardstick does not
 * change with ours. */
#ifndef IDA_CRANK_H
#define IDA_CRANK_H
#include "ida_run.h"

enum { IDA_CRANK_NV = 7, IDA_CRANK_NG = 3 };

/* Tolerance of the run whose time is the unit of all times. */
#define IDA_CRANK_UNIT_TOLERANCE 1e-8

typedef struct ida_crank_start {
  double q[IDA_CRANK_NV], v[IDA_CRANK_NV], vd[IDA_CRANK_NV], lam[IDA_CRANK_NG];
} ida_crank_start;

typedef struct ida_crank_result {
  double seconds; /* CPU time of the loop, without set-up */
  ida_counts n;
  double q[IDA_CRANK_NV], lam[IDA_CRANK_NG]; /* at the end */
} ida_crank_result;

/* Residual of IDA at q, v, v', lam: (q' - v, motion, velocity constraint). For checks. */
void ida_crank_residual(const ida_crank_start *at, double motion[IDA_CRANK_NV],
                        double rate[IDA_CRANK_NG]);

/* Run from consistent values to 0.1 s with rtol = atol = tolerance. */
void ida_crank_run(const ida_crank_start *start, double tolerance, ida_crank_result *result);

/* The start: values as our own start has them. */
void ida_crank_begin(ida_crank_start *start);

/* CPU time of the run that is the unit [s]: the fastest of `repeats`. */
double ida_crank_unit(int repeats);

#endif
