/* live_run.c - run --live. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c) */
#include "live_run.h"
#include "interrupt.h"
#include "report.h"
#include <stdio.h>
#include <time.h>

enum { WAIT_NANOSECONDS = 20000000 };

static void wait_a_little(void) {
  const struct timespec time = {.tv_nsec = WAIT_NANOSECONDS};
  nanosleep(&time, NULL);
}

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool is_over(void *self) {
  const app_live *live = self;
  return app_interrupt_asked(NULL) || trm_live_is_stopped(live->live);
}

void app_live_ask(app_live *live, trm_options *sim) {
  sim->should_stop = is_over;
  sim->should_stop_self = live;
}

trm_status app_live_begin(app_live *live, const trm_run_facts *facts, const trm_system *system,
                          const app_options *options, trm_error *err) {
  const bool has_inputs = trm_system_count(system, TRM_U) > 0;
  const double pace = options->given[APP_OPT_PACE] ? options->pace : has_inputs ? 1.0 : 0.0;
  live->pace = pace / trm_system_units(system)->seconds;
  const trm_status status = trm_live_create(facts, options->port, &options->reductions, NULL,
                                            &live->live, err);
  if (status == TRM_OK) fprintf(stderr, "live at %s\n", trm_live_address(live->live));
  return status;
}

/* Wait while the run is ahead of the clock. */
static void keep_pace(app_live *live, double ahead) {
  const double until = seconds_now() + ahead;
  while (seconds_now() < until && !is_over(live)) wait_a_little();
}

/* Seconds that a viewer has paused the run. */
static double wait_while_paused(app_live *live) {
  const double from = seconds_now();
  while (trm_live_is_paused(live->live) && !is_over(live)) wait_a_little();
  return seconds_now() - from;
}

trm_status app_live_run(app_live *live, trm_sim *sim, trm_error *err) {
  bool is_done = live->live == NULL;
  trm_status status = TRM_OK;
  double begun = seconds_now();
  const double start = trm_sim_state(sim)->t;
  while (status == TRM_OK && !is_done && !is_over(live)) {
    begun += wait_while_paused(live);
    status = trm_live_serve(live->live, sim, err);
    if (status == TRM_OK) status = trm_sim_step(sim, &is_done, err);
    const double run = trm_sim_state(sim)->t - start;
    if (live->pace > 0.0) keep_pace(live, run / live->pace - (seconds_now() - begun));
  }
  return trm_sim_run(sim, err); /* ends the sinks; after a failure it fails once more */
}

void app_live_end(app_live *live) {
  if (live->live == NULL) return;
  if (!is_over(live)) { /* with --quiet as well: it would seem to hang */
    fprintf(stderr, "the run has ended; its page stays until it is stopped there, or by Ctrl-C\n");
  }
  while (!is_over(live)) wait_a_little();
  trm_live_free(live->live);
  live->live = NULL;
}
