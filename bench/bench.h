/* bench.h - what the programs of `make bench` share: CPU time, one simulation, one line
 * of results.
 *
 * A program prints lines `WORD.. KEY=VALUE ..`, one for each thing measured; tools/bench
 * reads them and makes the tables. Any failure ends the program with exit code 1. */
#ifndef BENCH_H
#define BENCH_H
#include "trammel/trammel.h"

enum { BENCH_VALUES_MAX = 16 };

/* CPU time of this process [s]. */
double bench_seconds(void);

/* End the program with the sentence of an error, unless the status is TRM_OK. */
void bench_require(trm_status status, const trm_error *err);
/* End the program with a sentence. */
_Noreturn void bench_fail(const char *sentence);

/* A built-in problem or a shipped model with at most two changed parameters. */
typedef struct bench_model {
  const char *name;
  const char *parameter, *value; /* NULL: all defaults */
  trm_setting more;              /* its name is NULL: one is enough */
} bench_model;

/* The system of a model, to be freed by the caller. */
trm_system *bench_create(const bench_model *model);

/* The end of a run; lists longer than BENCH_VALUES_MAX are cut. */
typedef struct bench_result {
  trm_counters counters;
  double q[BENCH_VALUES_MAX], v[BENCH_VALUES_MAX], vd[BENCH_VALUES_MAX], lam[BENCH_VALUES_MAX];
  double outputs[BENCH_VALUES_MAX];
} bench_result;

/* Simulate; counters.seconds is the CPU time of the loop. */
void bench_simulate(const bench_model *model, const trm_options *options, bench_result *result);

/* Keep the faster one of two runs of the same work. */
void bench_keep_faster(bench_result *best, const bench_result *now, int repeat);

#endif
