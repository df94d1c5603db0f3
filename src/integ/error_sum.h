/* error_sum.h - the sum of the local errors of a run. */
#ifndef TRMI_ERROR_SUM_H
#define TRMI_ERROR_SUM_H
#include "integ/driver.h"

/* An accepted step. */
void trmi_error_sum_add(trm_sim *sim, const trmi_attempt *attempt);
/* At the end of the run: a note if the sum is no longer small. */
void trmi_error_sum_report(trm_sim *sim);

#endif
