/* ida_run.c - see ida_run.h. */
#include "ida_run.h"
#include "bench.h"
#include <ida/ida.h>

void ida_require(int flag) {
  if (flag < 0) bench_fail("IDA failed");
}

void ida_read_counts(void *ida, ida_counts *counts) {
  long setups;
  int order_last, order_now;
  double h_first, h_last, h_now, t;
  ida_require(IDAGetIntegratorStats(ida, &counts->steps, &counts->residuals, &setups,
                                    &counts->rejected_error, &order_last, &order_now, &h_first,
                                    &h_last, &h_now, &t));
  ida_require(IDAGetNonlinSolvStats(ida, &counts->iterations, &counts->rejected_newton));
  ida_require(IDAGetNumJacEvals(ida, &counts->jacobians));
}
