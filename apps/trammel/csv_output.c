/* csv_output.c - passes results to the table of the library. */
#include "csv_output.h"
#include <stdio.h>

static trm_status name_option(trm_status status, trm_error *err) {
  if (status == TRM_ERR_IO && err != NULL) snprintf(err->object, sizeof err->object, "--csv");
  return status;
}

static trm_status begin(void *self, const trm_system *system, const trm_options *options,
                        trm_error *err) {
  const trm_sink *sink = self;
  return name_option(sink->begin(sink->self, system, options, err), err);
}

static trm_status sample(void *self, const trm_sample *now, trm_error *err) {
  const trm_sink *sink = self;
  return name_option(sink->sample(sink->self, now, err), err);
}

static trm_status end(void *self, const trm_counters *counters, const trm_error *failure,
                      trm_error *err) {
  const trm_sink *sink = self;
  return name_option(sink->end(sink->self, counters, failure, err), err);
}

trm_status app_csv_init(app_csv *csv, const char *path, trm_error *err) {
  *csv = (app_csv){.file = NULL};
  const trm_status status = trm_csv_sink_create(path, NULL, &csv->file, err);
  if (status == TRM_OK) csv->sink = trm_csv_sink_of(csv->file);
  return status;
}

trm_sink app_csv_sink(app_csv *csv) {
  return (trm_sink){.self = &csv->sink, .begin = begin, .sample = sample, .end = end};
}

void app_csv_free(app_csv *csv) {
  trm_csv_sink_free(csv->file);
}
