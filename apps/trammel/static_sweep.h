/* static_sweep.h - equilibria under a value that changes in steps. */
#ifndef APP_STATIC_SWEEP_H
#define APP_STATIC_SWEEP_H
#include "options.h"

/* Find and print the equilibria of options->sweep, "P=V1..V2,N". */
TRM_CHECKED trm_status app_static_sweep(const app_options *options, const trm_options *sim,
                                        trm_system *system, trm_error *err);

#endif
