/* bench_chain.c - chain of N links falling for 2 s: time for an accuracy, time per step.
 *
 *   unit seconds=S                       the run of IDA, see ida_crank.h
 *   chain solver=NAME links=N tolerance=E seconds=S units=U steps=.. error=..
 *   equal solver=NAME links=N tolerance=E seconds=S units=U steps=.. error=.. reached=0|1
 *   scaling links=N microseconds=..      one fixed step of hht
 *
 * SOLVER is simbody, hht on the chain in C, or elements: hht on the same chain of bodies and joints.
 * hht runs at the loosest tolerance, of four in a decade, for which it and the next
 * tighter one leave an error of the tip not larger than the peers with fixed steps have. The lines
 * `equal` are for the error that Simbody leaves, by each of our methods. A method that takes more
 * than some times as long as Simbody is not driven further: reached=0, with the error it came to. */
#include "bench.h"
#include "ida_crank.h"
#include "simbody_chain.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double end_time = 2.0, simbody_accuracy = 1e-5;
static const double loosest = 1e-3, tightest = 1e-10, tolerance_ratio = 0.5623413251903491;
static const double patience = 3.0; /* times of Simbody */

/* Tip at 2 s (good to 1e-9), and the smaller error of Chrono and MBDyn at h = 1e-3. */
typedef struct chain_case {
  int    links;
  double x, z, error;
} chain_case;

static const chain_case cases[] = {
    {10, -7.6000551084, -5.9561571406, 7e-5},
    {100, 93.5065203838, -19.62, 3e-6},
    {1000, 997.2064179589, -19.62, 9e-7},
};
enum { CASES = sizeof cases / sizeof *cases };

static const char in_c[] = "chain", of_elements[] = "chain-elements";

static bench_model chain_of(const char *name, int links, char text[16]) {
  snprintf(text, 16, "%d", links);
  return (bench_model){.name = name, .parameter = "links", .value = text};
}

static double tip_error(const chain_case *c, const double *tip) {
  return hypot(tip[0] - c->x, tip[2] - c->z);
}

static double run_method(const char *name, const char *method, const chain_case *c,
                         double tolerance, bench_result *result) {
  char text[16];
  const bench_model model = chain_of(name, c->links, text);
  trm_options options = trm_options_default();
  options.end = end_time;
  options.tolerance = tolerance;
  options.integrator = method;
  bench_simulate(&model, &options, result);
  return tip_error(c, result->outputs);
}

static double run_hht(const char *name, const chain_case *c, double tolerance,
                      bench_result *result) {
  return run_method(name, "hht", c, tolerance, result);
}

/* A method at the loosest tolerance with at most the error given, also at the next tighter one. */
typedef struct equal_run {
  const char  *method;
  double       tolerance;
  bool         is_reached;
  bench_result result;
} equal_run;

static void find_equal(const chain_case *c, double error, double seconds, equal_run *run) {
  bool was_good = false;
  for (double tolerance = loosest; tolerance >= tightest; tolerance *= tolerance_ratio) {
    bench_result now;
    const bool is_good = run_method(in_c, run->method, c, tolerance, &now) <= error;
    run->is_reached = is_good && was_good;
    if (run->is_reached) return;
    was_good = is_good;
    run->tolerance = tolerance;
    run->result = now;
    if (now.counters.seconds > patience * seconds && !is_good) return;
  }
}

static void bench_equal(const chain_case *c, const simbody_result *simbody, double unit,
                        int repeats) {
  equal_run runs[] = {{.method = "explicit"}, {.method = "radau"}, {.method = "bdf"},
                      {.method = "hht"}};
  enum { RUNS = sizeof runs / sizeof *runs };
  const double error = tip_error(c, simbody->tip);
  for (int k = 0; k < RUNS; k++) find_equal(c, error, simbody->seconds, &runs[k]);
  for (int i = 0; i < repeats; i++) {
    for (int k = 0; k < RUNS; k++) {
      bench_result now;
      if (!runs[k].is_reached) continue;
      run_method(in_c, runs[k].method, c, runs[k].tolerance, &now);
      bench_keep_faster(&runs[k].result, &now, i);
    }
  }
  for (int k = 0; k < RUNS; k++) {
    const trm_counters *n = &runs[k].result.counters;
    printf("equal solver=%s links=%d tolerance=%.3g seconds=%.6f units=%.4g steps=%ld error=%.2e "
           "reached=%d goal_error=%.2e\n",
           runs[k].method, c->links, runs[k].tolerance, n->seconds, n->seconds / unit, n->steps,
           tip_error(c, runs[k].result.outputs), runs[k].is_reached, error);
  }
}

static double find_tolerance(const chain_case *c) {
  bench_result result;
  bool was_good = false;
  for (double tolerance = loosest; tolerance >= tightest; tolerance *= tolerance_ratio) {
    const bool is_good = run_hht(in_c, c, tolerance, &result) <= c->error;
    if (is_good && was_good) return tolerance / tolerance_ratio;
    was_good = is_good;
  }
  bench_fail("no tolerance reaches the error of the peers");
}

static void print_hht(const char *solver, const chain_case *c, double tolerance, double unit,
                      const bench_result *result) {
  const trm_counters *n = &result->counters;
  printf("chain solver=%s links=%d tolerance=%.6g seconds=%.6f units=%.4g steps=%ld error=%.2e "
         "rejected=%ld iterations=%ld factorizations=%ld solves=%ld jacobians=%ld "
         "goal_error=%.2e\n",
         solver, c->links, tolerance, n->seconds, n->seconds / unit, n->steps,
         tip_error(c, result->outputs), n->rejected_error + n->rejected_newton,
         n->newton_iterations, n->factorizations, n->solves, n->jacobians, c->error);
}

static void bench_case(const chain_case *c, double tolerance, int repeats) {
  bench_result hht = {.outputs = {0.0}}, elements = {.outputs = {0.0}}, now;
  simbody_result simbody = {.seconds = INFINITY}, simbody_now;
  double unit = INFINITY;
  for (int i = 0; i < repeats; i++) {
    unit = fmin(unit, ida_crank_unit(1));
    simbody_chain(c->links, end_time, simbody_accuracy, &simbody_now);
    if (simbody_now.seconds < simbody.seconds) simbody = simbody_now;
    run_hht(in_c, c, tolerance, &now);
    bench_keep_faster(&hht, &now, i);
    run_hht(of_elements, c, tolerance, &now);
    bench_keep_faster(&elements, &now, i);
  }
  printf("unit seconds=%.6f\n", unit);
  printf("chain solver=simbody links=%d tolerance=%.3g seconds=%.6f units=%.4g steps=%d "
         "error=%.2e\n",
         c->links, simbody_accuracy, simbody.seconds, simbody.seconds / unit, simbody.steps,
         tip_error(c, simbody.tip));
  print_hht("hht", c, tolerance, unit, &hht);
  print_hht("elements", c, tolerance, unit, &elements);
  bench_equal(c, &simbody, unit, repeats);
  fflush(stdout);
}

/* Seconds of one fixed step, without the first ones, whose memory is cold. */
static double time_step(int links, int steps) {
  char text[16];
  const bench_model model = chain_of(in_c, links, text);
  trm_options options = trm_options_default();
  options.steps[0] = 1e-3;
  options.nsteps = 1;
  options.end = steps * options.steps[0];
  bench_result result;
  bench_simulate(&model, &options, &result);
  return result.counters.seconds / (double)result.counters.steps;
}

static void bench_scaling(int repeats) {
  static const struct {
    int links, steps;
  } sizes[] = {{10, 2000}, {100, 400}, {1000, 100}, {10000, 40}};
  enum { SIZES = sizeof sizes / sizeof *sizes };
  double best[SIZES] = {INFINITY, INFINITY, INFINITY, INFINITY};
  for (int i = 0; i < repeats; i++) {
    for (int k = 0; k < SIZES; k++) {
      best[k] = fmin(best[k], time_step(sizes[k].links, sizes[k].steps));
    }
  }
  for (int k = 0; k < SIZES; k++) {
    printf("scaling links=%d microseconds=%.4g\n", sizes[k].links, 1e6 * best[k]);
  }
}

/* bench_chain [REPEATS [TOLERANCE..]]; a tolerance not given is sought. */
int main(int argc, char **argv) {
  const int repeats = argc > 1 ? atoi(argv[1]) : 5;
  for (int i = 0; i < CASES; i++) {
    const double given = argc > 2 + i ? atof(argv[2 + i]) : 0.0;
    bench_case(&cases[i], given > 0.0 ? given : find_tolerance(&cases[i]), repeats);
  }
  bench_scaling(repeats);
  return 0;
}
