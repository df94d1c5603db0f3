/* calls.h - one call of a simulation at a time. */
#ifndef TRMI_CALLS_H
#define TRMI_CALLS_H
#include "integ/driver.h"

/* Begin a call that changes the simulation or its scratch: TRM_ERR_ORDER if one is under way. */
TRM_CHECKED trm_status trmi_sim_enter(trm_sim *sim, const char *function, trm_error *err);
/* End it; gives back its status, or TRM_ERR_ORDER if the simulation was freed meanwhile. */
trm_status trmi_sim_leave(trm_sim *sim, trm_status status, trm_error *err);

/* trm_sim_step within such a call. */
trm_status trmi_sim_take_step(trm_sim *sim, bool *done, trm_error *err);

#endif
