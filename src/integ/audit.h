/* audit.h - the energy balance of a run, kept along with its steps. */
#ifndef TRMI_AUDIT_H
#define TRMI_AUDIT_H
#include "integ/driver.h"

/* Before the first step, at the completed start. */
void trmi_audit_begin(trm_sim *sim);
/* After a step was accepted that counts up to t; its dense output is still there. Fails where
 * negative dampers feed the motion without end. */
trm_status trmi_audit_step(trm_sim *sim, double t, trm_error *err);
/* Before an event changes the state s, and after the integrator began anew. */
void trmi_audit_leave(trm_sim *sim, const trm_state *s);
void trmi_audit_enter(trm_sim *sim);
/* At the end of the run: sim->counters.audit, and a message if the balance does not close and this
 * is to be reported: a run that failed has more to say. */
void trmi_audit_end(trm_sim *sim, bool is_reported);

#endif
