/* along.h - eigenvalues along a motion: a sink that follows them, and their output (`modes RUN.h5
 * --along`, `run --modes-every`). */
#ifndef APP_ALONG_H
#define APP_ALONG_H
#include "options.h"
#include "trammel/trammel.h"
#include <jansson.h>

typedef struct app_along {
  trm_branches *branches; /* NULL: nothing is followed                */
  trm_sim      *sim;
  long          every, samples; /* follow one sample in this number; samples seen */
} app_along;

/* Follow `options->count` modes of one sample in `every`. */
TRM_CHECKED trm_status app_along_init(app_along *along, const app_options *options, trm_sim *sim,
                                      long every, trm_error *err);
/* The sink to be added to the simulation. */
trm_sink app_along_sink(app_along *along);
void app_along_free(app_along *along);

/* A table of branches and the changes of them. */
void app_along_print(const app_along *along);
/* Adds "branches" and "changes". */
void app_along_json(const app_along *along, json_t *root);
/* Real and imaginary parts over time, as .svg, .png or .pdf. */
TRM_CHECKED trm_status app_along_plot(const app_along *along, const char *path, trm_error *err);

/* cmd_modes.c --along: repeat the run of a run file and follow the modes at its samples. */
TRM_CHECKED trm_status app_modes_along(const app_options *given, trm_error *err);

#endif
