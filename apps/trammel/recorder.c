/* recorder.c - first and last sample of a run, and its notes. */
#include "recorder.h"
#include "report.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

trm_status app_recorder_init(app_recorder *recorder, const trm_system *system, trm_error *err) {
  *recorder = (app_recorder){
    .noutputs = trm_system_count(system, TRM_OUTPUT),
    .nshown = trm_system_count(system, TRM_SHOWN),
    .resumed_from = NAN, .t = NAN, .initial = NAN, .kinetic = NAN, .potential = NAN,
  };
  recorder->outputs = calloc((size_t)recorder->noutputs + 1, sizeof *recorder->outputs);
  recorder->shown = calloc((size_t)recorder->nshown + 1, sizeof *recorder->shown);
  return recorder->outputs != NULL && recorder->shown != NULL ? TRM_OK : app_fail_memory(err);
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
  if (recorder->nshown > 0) {
    memcpy(recorder->shown, now->shown, (size_t)recorder->nshown * sizeof(double));
  }
  return TRM_OK;
}

static trm_status step(void *self, const trm_step_record *record, trm_error *err) {
  (void)err;
  app_recorder *recorder = self;
  const int order = record->order < TRM_ORDERS ? record->order : TRM_ORDERS - 1;
  if (record->accepted) recorder->orders[order]++;
  return TRM_OK;
}

static void message(void *self, double t, const char *text) {
  app_recorder *recorder = self;
  const int i = recorder->nnotes++;
  if (i >= APP_NOTES_MAX) return;
  recorder->note_times[i] = t;
  snprintf(recorder->notes[i], sizeof recorder->notes[i], "%s", text);
}

int app_recorder_notes(const app_recorder *recorder) {
  return recorder->nnotes < APP_NOTES_MAX ? recorder->nnotes : APP_NOTES_MAX;
}

trm_sink app_recorder_sink(app_recorder *recorder) {
  return (trm_sink){.self = recorder, .sample = sample, .step = step,
                    .message = message};
}

void app_recorder_free(app_recorder *recorder) {
  free(recorder->outputs);
  free(recorder->shown);
  recorder->outputs = recorder->shown = NULL;
}
