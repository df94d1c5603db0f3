/* recorder.c - first and last sample of a run. */
#include "recorder.h"
#include "report.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

trm_status app_recorder_init(app_recorder *recorder, const trm_system *system, trm_error *err) {
  *recorder = (app_recorder){
    .noutputs = trm_system_count(system, TRM_OUTPUT),
    .resumed_from = NAN, .t = NAN, .initial = NAN, .kinetic = NAN, .potential = NAN,
  };
  recorder->outputs = calloc((size_t)recorder->noutputs + 1, sizeof *recorder->outputs);
  return recorder->outputs != NULL ? TRM_OK : app_fail_memory(err);
}

static trm_status sample(void *self, const trm_sample *now, trm_error *err) {
  (void)err;
  app_recorder *recorder = self;
  if (recorder->samples++ == 0 && isnan(recorder->resumed_from)) {
    recorder->initial = now->kinetic + now->potential;
  }
  recorder->t = now->state->t;
  recorder->kinetic = now->kinetic;
  recorder->potential = now->potential;
  if (recorder->noutputs > 0) {
    memcpy(recorder->outputs, now->outputs, (size_t)recorder->noutputs * sizeof(double));
  }
  return TRM_OK;
}

trm_sink app_recorder_sink(app_recorder *recorder) {
  return (trm_sink){.self = recorder, .sample = sample};
}

void app_recorder_free(app_recorder *recorder) {
  free(recorder->outputs);
  recorder->outputs = NULL;
}
