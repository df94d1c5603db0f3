/* auto.h - `auto`: which method a simulation takes, and when it changes over; see auto.c. */
#ifndef TRMI_AUTO_H
#define TRMI_AUTO_H
#include "integ/driver.h"

/* auto.c: choose the first method of the simulation. */
trm_status trmi_auto_begin(trm_sim *sim, trm_error *err);
/* What `auto` takes at the start of a simulation that has not begun, whatever method that has, and
 * why; room for it is taken from the arena. */
trm_status trmi_auto_advice(trm_sim *sim, trmi_arena *arena, const char **name, char *why,
                            size_t size, trm_error *err);
/* Before the first step of a process: which method, and why. */
void trmi_auto_report(trm_sim *sim);
/* Before and after the attempts at a step of length h (0: it failed): count their work. */
void trmi_auto_open(trm_sim *sim);
void trmi_auto_close(trm_sim *sim, double h);
/* After an accepted step: does another method take over? */
trm_status trmi_auto_step(trm_sim *sim, trm_error *err);
/* A step failed with `status`. True: another method has taken over; false: none is left. */
bool trmi_auto_rescue(trm_sim *sim, trm_status status, trm_error *err);
/* Change to the method that saved the bytes. If they do not fit it, which the caller reports, the
 * method begins at the present state. */
trm_status trmi_auto_load(trm_sim *sim, const void *data, size_t size, trm_error *err);

/* stiffness.c: estimate of the largest eigenvalue of the motion at a state [1/s]; infinite if it
 * cannot be found. Fails only without memory. Overwrites sim->dense. */
trm_status trmi_stiffness(trm_sim *sim, const trm_state *s, double *rho, trm_error *err);

/* method_change.c: create the method of sim->ops and sim->formulation. */
trm_status trmi_method_create(trm_sim *sim, trm_error *err);
void trmi_method_free(trm_sim *sim);
/* Create a method; on success it replaces the present one, on failure that is kept. */
trm_status trmi_method_use(trm_sim *sim, const trmi_integrator_ops *ops, trm_error *err);
/* The same at the present state, at which it restarts. */
trm_status trmi_method_change(trm_sim *sim, const trmi_integrator_ops *ops, trm_error *err);

#endif
