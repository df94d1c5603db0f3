/* interface_loads.h - loads at the interfaces of flexible bodies, for finite element programs. */
#ifndef APP_INTERFACE_LOADS_H
#define APP_INTERFACE_LOADS_H
#include "stress_run.h"

/* Is the file of --loads one that can be written, and --at given with it only? */
trm_status app_interface_loads_check(const app_options *options, trm_error *err);

/* Writes options->loads: a table (.csv), or load cases of Abaqus and CalculiX (.inp) or Nastran
 * (.bdf, .nas, .dat) at the samples next to the times options->at. Without these a table has all
 * samples, load cases are those of `hottest`, the sample of the highest stress of each body; -1:
 * the last. */
trm_status app_interface_loads(const app_options *options, const app_stress_run *s,
                               const long *hottest, trm_error *err);

#endif
