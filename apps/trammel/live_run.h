/* live_run.h - run --live: steps at a pace, paused and stopped by viewers. */
#ifndef APP_LIVE_RUN_H
#define APP_LIVE_RUN_H
#include "options.h"
#include "trammel/live.h"

typedef struct app_live {
  trm_live *live; /* NULL: no viewers */
  double    pace; /* units of time of the run per second; 0: as fast as possible */
} app_live;

/* Before the simulation is created: viewers may stop it. */
void app_live_ask(app_live *live, trm_options *sim);

/* Start the server and report its address. */
trm_status app_live_begin(app_live *live, const trm_run_facts *facts, const trm_system *system,
                          const app_options *options, trm_error *err);

/* Run to the end; without viewers like trm_sim_run. */
trm_status app_live_run(app_live *live, trm_sim *sim, trm_error *err);

/* After the run: serve its page until a viewer or a signal stops it. */
void app_live_end(app_live *live);

#endif
