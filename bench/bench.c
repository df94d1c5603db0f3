/* bench.c - see bench.h. */
#include "bench.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double bench_seconds(void) {
  return (double)clock() / CLOCKS_PER_SEC;
}

void bench_fail(const char *sentence) {
  fflush(stdout);
  fprintf(stderr, "bench: %s\n", sentence);
  exit(1);
}

void bench_require(trm_status status, const trm_error *err) {
  if (status != TRM_OK) bench_fail(err->message);
}

static void copy(double *to, const double *from, int count) {
  const int kept = count < BENCH_VALUES_MAX ? count : BENCH_VALUES_MAX;
  if (kept > 0) memcpy(to, from, (size_t)kept * sizeof *to);
}

/* Outputs come with samples only; the last sample is the end of the run. */
typedef struct last_sample {
  double *outputs;
  int     count;
} last_sample;

static trm_status keep_outputs(void *self, const trm_sample *sample, trm_error *err) {
  (void)err;
  const last_sample *last = self;
  copy(last->outputs, sample->outputs, last->count);
  return TRM_OK;
}

trm_system *bench_create(const bench_model *model) {
  trm_error err;
  const trm_setting settings[2] = {{model->parameter, model->value}, model->more};
  const int nsettings = (model->parameter != NULL) + (model->more.name != NULL);
  const trm_shipped_model *shipped = trm_shipped_model_find(model->name);
  trm_system *system;
  if (shipped == NULL) {
    bench_require(trm_problem_create(trm_problem_find(model->name), settings, nsettings, NULL,
                                     &system, &err), &err);
    return system;
  }
  trm_model *file;
  bench_require(trm_model_read_text(shipped->text, model->name, settings, nsettings, NULL, &file,
                                    &err), &err);
  bench_require(trm_model_create_system(file, NULL, &system, &err), &err);
  trm_model_free(file);
  return system;
}

void bench_simulate(const bench_model *model, const trm_options *options, bench_result *result) {
  trm_error err;
  trm_system *system = bench_create(model);
  trm_sim *sim;
  bench_require(trm_sim_create(system, options, &sim, &err), &err);
  last_sample last = {result->outputs, trm_system_count(system, TRM_OUTPUT)};
  const trm_sink sink = {.self = &last, .sample = keep_outputs};
  bench_require(trm_sim_add_sink(sim, &sink, &err), &err);
  bench_require(trm_sim_run(sim, &err), &err);

  const trm_state *s = trm_sim_state(sim);
  result->counters = *trm_sim_counters(sim);
  copy(result->q, s->q, trm_system_count(system, TRM_Q));
  copy(result->v, s->v, trm_system_count(system, TRM_V));
  copy(result->vd, s->vd, trm_system_count(system, TRM_V));
  copy(result->lam, s->lam, trm_system_count(system, TRM_LAM));
  trm_sim_free(sim);
  trm_system_free(system);
}

void bench_keep_faster(bench_result *best, const bench_result *now, int repeat) {
  if (repeat == 0 || now->counters.seconds < best->counters.seconds) *best = *now;
}
