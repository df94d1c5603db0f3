/* create.h - other ways to create a simulation than trm_sim_create. */
#ifndef TRMI_CREATE_H
#define TRMI_CREATE_H
#include "trammel/sim.h"

/* As trm_sim_create, but in `sys` itself, an instance or a system that nothing else uses meanwhile;
 * its memory stays there. */
trm_status trmi_sim_create_in(trm_system *sys, const trm_options *options, trm_sim **sim,
                              trm_error *err);
/* A simulation with an assembled start in sim->start and nothing else: it cannot run. */
trm_status trmi_sim_assemble(trm_system *system, const trm_options *options, trm_sim **sim,
                             trm_error *err);
/* The same in `sys` itself. */
trm_status trmi_sim_assemble_in(trm_system *sys, const trm_options *options, trm_sim **sim,
                                trm_error *err);

#endif
