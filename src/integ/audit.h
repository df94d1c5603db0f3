/* audit.h - the energy balance of a run, updated with its steps. */
#ifndef TRMI_AUDIT_H
#define TRMI_AUDIT_H
#include "integ/driver.h"

/* Before the first step, at the completed start. */
void trmi_audit_begin(trm_sim *sim);
/* After a step from t0 was accepted, of which the part up to t counts; its dense output must still
 * be valid. Fails if negative dampers keep feeding the motion. */
trm_status trmi_audit_step(trm_sim *sim, double t0, double t, trm_error *err);
/* A law of time begins or bends at the present state: powers before are on another curve. */
void trmi_audit_mark(trm_sim *sim);
/* Before an event changes the state s, and after the integrator has restarted. */
void trmi_audit_leave(trm_sim *sim, const trm_state *s);
void trmi_audit_enter(trm_sim *sim);
/* At the end of the run: sim->counters.audit, and a message if the balance does not close and this
 * is to be reported; a failed run reports its failure instead. */
void trmi_audit_end(trm_sim *sim, bool is_reported);

#endif
