/* run_sink.h - record a run in a run file (layout: docs/guide/results.md).
 *
 * Life cycle: trm_sim_create -> trmi_run_sink_create -> trm_sim_add_sink
 * (trmi_run_sink) -> trm_sim_run -> trmi_run_sink_free. The file gets its name with
 * the first sample or step, so bad input leaves none and an older file of that name as
 * it was. From then on it can be read at any moment, also after SIGKILL: all samples
 * but those of the last second, and checkpoints, none of them later than the samples.
 * A thread writes what waits every 0.4 s, so that a slow step does not keep
 * samples back; it changes no number.
 *
 * HDF5 and libdeflate take their memory from the process, not from the allocator. Several runs at
 * once need an HDF5 that is thread-safe, as Debian's is. */
#ifndef TRMI_RUN_SINK_H
#define TRMI_RUN_SINK_H
#include "trammel/problems.h"
#include "trammel/sim.h"

/* What the interface of sinks does not tell. Read during trmi_run_sink_create and,
 * where pointers, until the run has begun. */
typedef struct trmi_run_facts {
  const char        *text;       /* of a model file (trm_model_text), NULL: a built-in problem */
  const trm_setting *parameters; /* of the model, all, as run     [nparameters]        */
  int                nparameters;
  const char        *integrator, *formulation, *solver; /* as used                     */
  double             resumed_from;   /* time of the checkpoint, NaN: from the start    */
  long               resumed_steps;  /* accepted steps before it                       */
  double             energy_initial; /* of the whole run if resumed, NaN [J]           */
} trmi_run_facts;

/* A recording. */
typedef struct trmi_run_sink trmi_run_sink;

/* @param path       must outlive the recording
 * @param allocator  NULL: malloc
 * @return TRM_OK or TRM_ERR_MEMORY */
TRM_CHECKED trm_status trmi_run_sink_create(const char *path, const trmi_run_facts *facts,
                                            const trm_allocator *allocator,
                                            trmi_run_sink **sink, trm_error *err);

/* The functions for trm_sim_add_sink. They return TRM_ERR_IO if the file cannot be written. */
trm_sink trmi_run_sink_of(trmi_run_sink *sink);

/* Calls of write so far. */
long trmi_run_sink_writes(const trmi_run_sink *sink);

/* Accepts NULL. */
void trmi_run_sink_free(trmi_run_sink *sink);

#endif
