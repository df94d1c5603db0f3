/* bench_modal.c - a step with many modes beside one of a rigid body: the slider crank with a rod of
 * 134 modes and with a rigid rod, in hht, 1 s at 1e-6.
 *
 *   modal modes=N rigid=S modal=S steps=.. rigid_steps=..
 *
 * Seconds of a step of each; both take turns `repeats` times, and the smallest time counts. */
#include "bench.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const bench_model rigid = {.name = "slider-crank-rigid"};
static const bench_model modal = {.name = "slider-crank-modal",
                                  .parameter = "flexible.rod.modes.fixed", .value = "116",
                                  .more = {"flexible.rod.modes.up_to", "1e9"}};
enum { MODES = 134 };

static double step_time(const bench_model *model, long *steps) {
  trm_options options = trm_options_default();
  bench_result result;
  options.integrator = "hht";
  options.tolerance = 1e-6;
  options.end = 1.0;
  bench_simulate(model, &options, &result);
  *steps = result.counters.steps;
  return result.counters.seconds / (double)*steps;
}

int main(int argc, char **argv) {
  const int repeats = argc > 1 ? atoi(argv[1]) : 3;
  double best[2] = {INFINITY, INFINITY};
  long steps[2] = {0, 0};
  for (int i = 0; i < repeats; i++) {
    best[0] = fmin(best[0], step_time(&rigid, &steps[0]));
    best[1] = fmin(best[1], step_time(&modal, &steps[1]));
  }
  printf("modal modes=%d rigid=%.6g modal=%.6g steps=%ld rigid_steps=%ld\n", MODES, best[0],
         best[1], steps[1], steps[0]);
  return 0;
}
