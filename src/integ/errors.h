/* errors.h - the sum of the local errors of a run. */
#ifndef TRMI_ERRORS_H
#define TRMI_ERRORS_H
#include "integ/driver.h"

/* An accepted step. */
void trmi_errors_add(trm_sim *sim, const trmi_attempt *attempt);
/* At the end of the run: a note if they are no longer small. */
void trmi_errors_tell(trm_sim *sim);

#endif
