/* load_model.h - the model of a command line: find it, read it, build its system. */
#ifndef APP_LOAD_MODEL_H
#define APP_LOAD_MODEL_H
#include "options.h"
#include "trammel/run_file.h"

/* Find a built-in problem; an unknown name is an error that names the nearest. */
TRM_CHECKED trm_status app_model_find(const char *name, const trm_problem **problem,
                                      trm_error *err);

/* Is MODEL a model file or a shipped one, and not a built-in problem? */
bool app_model_is_text(const char *name);

/* Read the model file or shipped model options->model. With TRM_ERR_INPUT `model` may hold
 * complaints. */
TRM_CHECKED trm_status app_model_read(const app_options *options, trm_model **model,
                                      trm_error *err);

/* Read the model in a run file, with the meshes that it names. */
TRM_CHECKED trm_status app_model_read_stored(const app_options *options, const trm_run_info *info,
                                             trm_model **model, trm_error *err);

/* Read options->model into options->loaded if it is a file or a shipped model. */
TRM_CHECKED trm_status app_model_load(app_options *options, trm_error *err);

/* Set the treatment of plug-ins of options->loaded from the command line. */
void app_model_allow(const app_options *options);

/* Build the system of options->model with its settings. */
TRM_CHECKED trm_status app_model_create(const app_options *options, trm_system **system,
                                        trm_error *err);

/* The inputs of the command line take effect when the simulation continues. */
TRM_CHECKED trm_status app_model_set_inputs(const app_options *options, trm_sim *sim,
                                            trm_error *err);

/* For a resumed run: are the measures of the command line those of its file? */
TRM_CHECKED trm_status app_model_check_measures(const app_options *options, const char *file,
                                                trm_error *err);

/* Measures of the model and of the command line. */
TRM_CHECKED trm_status app_model_add_measures(const app_options *options, trm_sim *sim,
                                              trm_error *err);

/* Names of the units of the model that was read; SI if none was. */
trm_unit_names app_model_units(const app_options *options);

/* Options of the simulation: those of the command line, otherwise those of the model. The end must
 * be known, except for `check`. The interrupt of the user is should_stop. */
TRM_CHECKED trm_status app_model_options(const app_options *options, trm_options *sim,
                                         trm_error *err);

/* Change the integrator and omit options of the model for another one. */
void app_model_use_integrator(trm_options *sim, const char *integrator);

/* Omit options of the model about step control by energy. */
void app_model_leave_energy(trm_options *sim);

#endif
