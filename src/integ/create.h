/* create.h - other ways to create a simulation than trm_sim_create. */
#ifndef TRMI_CREATE_H
#define TRMI_CREATE_H
#include "trammel/sim.h"

/* As trm_sim_create, but works in `sys` itself, an instance or a system that nothing else uses
 * meanwhile; its memory remains part of `sys`. */
trm_status trmi_sim_create_in(trm_system *sys, const trm_options *options, trm_sim **sim,
                              trm_error *err);
/* A simulation that has only an assembled start in sim->start: it cannot run. */
trm_status trmi_sim_assemble(trm_system *system, const trm_options *options, trm_sim **sim,
                             trm_error *err);
/* The same in `sys` itself. */
trm_status trmi_sim_assemble_in(trm_system *sys, const trm_options *options, trm_sim **sim,
                                trm_error *err);

#endif
