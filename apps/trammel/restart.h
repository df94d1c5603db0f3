/* restart.h - go on from a checkpoint of a run file (`run --restart`). */
#ifndef APP_RESTART_H
#define APP_RESTART_H
#include "trammel/run_file.h"
#include "options.h"

typedef struct app_restart {
  trm_run *run;     /* NULL: no restart                          */
  double    t;       /* of the checkpoint taken, NaN before [s]   */
  long      steps;   /* accepted steps before it                  */
} app_restart;

/* Open the file and take model, parameters and options from it. What the command line gives
 * must be the same, except the end and the samples, which may be others.
 * @param options  receives the options to run with; its texts live until app_restart_free, and a
 *                 model file that was stored is `loaded`, to be freed by the caller */
TRM_CHECKED trm_status app_restart_open(app_restart *restart, const app_options *command_line,
                                        app_options *options, trm_error *err);

/* Put the simulation where the last good checkpoint is that lies before the end and not
 * after --from. A damaged one is passed over with a note. */
TRM_CHECKED trm_status app_restart_load(app_restart *restart, trm_sim *sim,
                                        const app_options *options, trm_error *err);

void app_restart_free(app_restart *restart);

#endif
