/* diagnose.h - what to say about constraints when a start or a run fails. */
#ifndef TRMI_DIAGNOSE_H
#define TRMI_DIAGNOSE_H
#include "integ/driver.h"

/* Have constraints become dependent at the present state that were not at the start, or nearly so?
 * Then `text` names what they belong to. */
bool trmi_diagnose_dependent(trm_sim *sim, char *text, size_t size);

/* A start failed with `status`, sim->start is where it got: a better sentence into `err` where
 * contradicting constraints or a direction without mass are the reason. Returns the status. */
trm_status trmi_diagnose_start(trm_sim *sim, trm_status status, trm_error *err);

#endif
