/* bench_recording - what it costs to record: the 100-link chain, 1 s, 1000 samples, with its
 * samples thrown away and with its samples in a run file.
 *
 *   recording links=100 samples=.. plain=SECONDS recorded=SECONDS writes=.. megabytes=.. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c) */
#include "bench.h"
#include "io/run_sink.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SAMPLES = 1000 };

static trm_status forget(void *self, const trm_sample *sample, trm_error *err) {
  (void)self, (void)sample, (void)err;
  return TRM_OK;
}

/* CPU time of the loop [s], with all threads; path NULL: nothing is recorded. */
static double simulate(const char *path, long *writes) {
  const trm_setting setting = {.name = "links", .value = "100"};
  trm_options options = trm_options_default();
  options.end = 1.0, options.outputs = SAMPLES;
  trm_system *system;
  trm_sim *sim;
  trm_run_sink *file = NULL;
  trm_error err;
  bench_require(trm_problem_create(trm_problem_find("chain"), &setting, 1, NULL, &system, &err),
                &err);
  bench_require(trm_sim_create(system, &options, &sim, &err), &err);
  trm_sink sink = {.sample = forget};
  if (path != NULL) {
    const trm_run_facts facts = {.integrator = "hht", .resumed_from = NAN,
                                  .energy_initial = NAN};
    bench_require(trm_run_sink_create(path, &facts, NULL, &file, &err), &err);
    sink = trm_run_sink_of(file);
  }
  bench_require(trm_sim_add_sink(sim, &sink, &err), &err);
  const double begin = bench_seconds();
  bench_require(trm_sim_run(sim, &err), &err);
  const double seconds = bench_seconds() - begin;
  if (file != NULL) *writes = trmi_run_sink_writes(file);
  trm_sim_free(sim);
  trm_run_sink_free(file);
  trm_system_free(system);
  return seconds;
}

int main(int argc, char **argv) {
  const int repeats = argc > 1 ? atoi(argv[1]) : 3;
  char path[64];
  snprintf(path, sizeof path, "/tmp/trammel-bench-%ld.h5", (long)getpid());
  double plain = INFINITY, recorded = INFINITY;
  long writes = 0;
  for (int i = 0; i < repeats; i++) {
    plain = fmin(plain, simulate(NULL, &writes));
    recorded = fmin(recorded, simulate(path, &writes));
  }
  struct stat facts;
  if (stat(path, &facts) != 0) bench_fail("no run file");
  unlink(path);
  printf("recording links=100 samples=%d plain=%.6g recorded=%.6g writes=%ld megabytes=%.3g\n",
         SAMPLES, plain, recorded, writes, 1e-6 * (double)facts.st_size);
  return 0;
}
