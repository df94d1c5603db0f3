/* diagnose.h - messages about constraints when a start or a run fails. */
#ifndef TRMI_DIAGNOSE_H
#define TRMI_DIAGNOSE_H
#include "integ/driver.h"

/* The pose nearest to a singular one within a step h from the present state. The state is valid
 * until the next call. */
const trm_state *trmi_diagnose_pose(trm_sim *sim, double h);

/* Have constraints become (nearly) dependent at a state that were independent at the start? If so,
 * `text` names their parts. */
bool trmi_diagnose_dependent(trm_sim *sim, const trm_state *s, char *text, size_t size);

/* Are constraints nearly dependent at the start? If so, `text` is a sentence about them. */
bool trmi_diagnose_nearly(trm_sim *sim, char *text, size_t size);

/* After a start failed with `status` at the state sim->start: a better message into `err` if
 * contradicting constraints or a massless direction are the cause. Returns the status. */
trm_status trmi_diagnose_start(trm_sim *sim, trm_status status, trm_error *err);

#endif
