/* model.h - the model of a command line: find it, build its system. */
#ifndef APP_MODEL_H
#define APP_MODEL_H
#include "options.h"

/* Find a built-in problem; an unknown name is an error that tells the nearest. */
TRM_CHECKED trm_status app_model_find(const char *name, const trm_problem **problem,
                                      trm_error *err);

/* Build the system of options->model with its settings. */
TRM_CHECKED trm_status app_model_create(const app_options *options, trm_system **system,
                                        trm_error *err);

/* Options of the simulation with the end of the model where none is given and
 * the interrupt of the user as should_stop. */
TRM_CHECKED trm_status app_model_options(const app_options *options, trm_options *sim,
                                         trm_error *err);

#endif
