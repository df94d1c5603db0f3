/* diagnose.h - what to say about constraints when a start or a run fails. */
#ifndef TRMI_DIAGNOSE_H
#define TRMI_DIAGNOSE_H
#include "integ/driver.h"

/* The pose nearest to a singular one within a step h from the present state. The state
 * lives until the next call. */
const trm_state *trmi_diagnose_pose(trm_sim *sim, double h);

/* Have constraints become dependent at a state that were not at the start, or nearly so? Then
 * `text` names what they belong to. */
bool trmi_diagnose_dependent(trm_sim *sim, const trm_state *s, char *text, size_t size);

/* Are constraints nearly dependent at the start? Then `text` is a sentence about them. */
bool trmi_diagnose_nearly(trm_sim *sim, char *text, size_t size);

/* A start failed with `status`, sim->start is where it got: a better sentence into `err` where
 * contradicting constraints or a direction without mass are the reason. Returns the status. */
trm_status trmi_diagnose_start(trm_sim *sim, trm_status status, trm_error *err);

#endif
