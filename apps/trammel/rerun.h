/* rerun.h - make the run of a run file again, for what it does not hold. */
#ifndef APP_RERUN_H
#define APP_RERUN_H
#include "restart.h"
#include "trammel/trammel.h"

/* What is wanted. */
typedef struct app_rerun_wish {
  const char        *path;       /* of the run file                                          */
  const char        *object;     /* for messages, "--along"                                  */
  const char        *instead;    /* what else to do, "take run --modes-every"                */
  const char *const *quantities; /* expressions that become outputs, "hinge.angle" [count]   */
  int                count;
} app_rerun_wish;

typedef struct app_rerun {
  app_rerun_wish wish;
  app_options options;
  app_restart restart;
  trm_options sim_options;
  bool (*until)(void *self); /* ends the run before its end; NULL: an interrupt does */
  void       *until_self;
  trm_system *system;
  trm_sim    *sim;
  double     *block;  /* coordinates of some samples of the file, from row `first` on */
  long        first, rows;
} app_rerun;

/* Read the model of the file and create the simulation, at the start of the run. All zero before;
 * app_rerun_free also after a failure.
 * @param given  options of the command line */
TRM_CHECKED trm_status app_rerun_open(app_rerun *r, const app_options *given,
                                      const app_rerun_wish *wish, trm_error *err);

/* Is the state that of sample `row` of the file? A sentence says what differs. */
TRM_CHECKED trm_status app_rerun_compare(app_rerun *r, const trm_state *state, long row,
                                         trm_error *err);

void app_rerun_free(app_rerun *r);

#endif
