/* ida_run.h - what all runs of SUNDIALS IDA share: its statuses and its counters. */
#ifndef IDA_RUN_H
#define IDA_RUN_H

typedef struct ida_counts {
  long steps, rejected_error, rejected_newton, iterations, residuals, jacobians;
} ida_counts;

/* End the program unless IDA succeeded. */
void ida_require(int flag);

/* Counters of a run, `ida` as from IDACreate. */
void ida_read_counts(void *ida, ida_counts *counts);

#endif
