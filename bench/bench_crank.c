/* bench_crank.c - slider crank of the IVP test set: IDA beside hht, explicit, radau and bdf.
 *
 *   crank solver=NAME tolerance=E seconds=S steps=.. residuals=.. jacobians=.. scd=..
 *   step solver=NAME microseconds=..              of ida and bdf at the tolerance of the unit
 *   reach solver=NAME digits=N seconds=S
 *
 * The last ones: smallest time of a run with scd of N, if all runs at tighter tolerances of the
 * list have that, too. scd: -log10 of the largest relative error of positions and multipliers at 0.1 s. All
 * solvers take turns `repeats` times; the smallest time counts. */
#include "bench.h"
#include "crank_reference.h"
#include "ida_crank.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const bench_model model = {.name = "slider-crank"};
static const double end_time = 0.1, fixed_step = 1e-5;
/* the list of IDA and hht; explicit needs no list so long */
static const double tolerances[] = {1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10};
enum { TOLERANCES = sizeof tolerances / sizeof *tolerances };
/* of radau and bdf, whose errors follow the tolerance; two in a decade */
enum { RADAU_TOLERANCES = 17, BDF_TOLERANCES = 13, LIST_MAX = 17, DIGITS_MAX = 6 };

/* Runs of one method, from loose to tight. */
typedef struct list {
  const char  *name;
  double       first; /* logarithm of the first tolerance */
  int          count;
  bench_result runs[LIST_MAX];
} list;

static double tolerance_of(const list *l, int i) {
  return pow(10.0, l->first - 0.5 * i);
}

static void run_list(list *l, int repeat) {
  trm_options options = trm_options_default();
  options.end = end_time;
  options.integrator = l->name;
  for (int i = 0; i < l->count; i++) {
    bench_result now;
    options.tolerance = tolerance_of(l, i);
    bench_simulate(&model, &options, &now);
    bench_keep_faster(&l->runs[i], &now, repeat);
  }
}

static double digits(const app_crank_reference *reference, const double *q, const double *lam) {
  double worst = 0.0;
  for (int i = 0; i < APP_CRANK_NV; i++) {
    worst = fmax(worst, fabs(q[i] - reference->q[i]) / fabs(reference->q[i]));
  }
  for (int i = 0; i < APP_CRANK_NG; i++) {
    worst = fmax(worst, fabs(lam[i] - reference->lam[i]) / fabs(reference->lam[i]));
  }
  return -log10(worst);
}

/* Both must solve the same equations: residuals at a point off any solution. */
static void check_equations(const ida_crank_start *start) {
  ida_crank_start at = *start;
  for (int i = 0; i < IDA_CRANK_NV; i++) {
    at.q[i] += 0.01 * (i + 1);
    at.v[i] += 0.3 * (i + 1);
    at.vd[i] += 7.0 * (i + 1);
  }
  double motion[IDA_CRANK_NV], rate[IDA_CRANK_NG], our_motion[IDA_CRANK_NV],
      our_rate[IDA_CRANK_NG];
  ida_crank_residual(&at, motion, rate);
  trm_error err;
  trm_system *system;
  bench_require(trm_problem_create(trm_problem_find(model.name), NULL, 0, NULL, &system, &err),
                &err);
  const trm_state s = {.q = at.q, .v = at.v, .vd = at.vd, .lam = at.lam};
  const trm_values out = {.motion = our_motion, .g_rate = our_rate};
  bench_require(trm_system_values(system, &s, &out, &err), &err);
  trm_system_free(system);
  for (int i = 0; i < IDA_CRANK_NV; i++) {
    if (!(fabs(motion[i] - our_motion[i]) <= 1e-10 * (1.0 + fabs(motion[i])))) {
      bench_fail("the equations for IDA are not ours: motion");
    }
  }
  for (int i = 0; i < IDA_CRANK_NG; i++) {
    if (!(fabs(rate[i] - our_rate[i]) <= 1e-12)) {
      bench_fail("the equations for IDA are not ours: constraints");
    }
  }
}

static void print_ours(const char *name, double tolerance, const bench_result *r,
                       const app_crank_reference *reference) {
  printf("crank solver=%s tolerance=%.3g seconds=%.6f steps=%ld residuals=%ld jacobians=%ld "
         "factorizations=%ld scd=%.2f\n",
         name, tolerance, r->counters.seconds, r->counters.steps, r->counters.residuals,
         r->counters.jacobians, r->counters.factorizations, digits(reference, r->q, r->lam));
}

/* Time of each number of digits that a list of runs, from loose to tight, has for good. */
static void find_times(int n, const double *scd, const double *seconds, double *time) {
  for (int d = 2; d <= DIGITS_MAX; d++) {
    time[d] = NAN;
    for (int i = n - 1; i >= 0 && scd[i] >= d; i--) time[d] = fmin(time[d], seconds[i]);
  }
}

static void print_reach(const char *name, const double *time) {
  for (int d = 2; d <= DIGITS_MAX; d++) {
    if (isnan(time[d])) continue;
    printf("reach solver=%s digits=%d seconds=%.6f\n", name, d, time[d]);
  }
}

static void print_list(const list *l, const app_crank_reference *reference, double *time) {
  double scd[LIST_MAX], seconds[LIST_MAX];
  for (int i = 0; i < l->count; i++) {
    print_ours(l->name, tolerance_of(l, i), &l->runs[i], reference);
    scd[i] = digits(reference, l->runs[i].q, l->runs[i].lam);
    seconds[i] = l->runs[i].counters.seconds;
  }
  find_times(l->count, scd, seconds, time);
}

static void print_steps(double ida_step, const list *bdf, const trm_counters *hht) {
  printf("step solver=ida microseconds=%.4f\n", 1e6 * ida_step);
  for (int i = 0; i < bdf->count; i++) {
    const trm_counters *n = &bdf->runs[i].counters;
    if (fabs(tolerance_of(bdf, i) / IDA_CRANK_UNIT_TOLERANCE - 1.0) > 1e-6) continue;
    printf("step solver=bdf microseconds=%.4f iterations=%.2f\n",
           1e6 * n->seconds / (double)n->steps, (double)n->newton_iterations / (double)n->steps);
  }
  printf("step solver=hht microseconds=%.4f h=%g iterations=%.2f\n",
         1e6 * hht->seconds / (double)hht->steps, fixed_step,
         (double)hht->newton_iterations / (double)hht->steps);
}

/* One line for each tolerance; seconds of a step at that of the unit. */
static double print_ida(const ida_crank_result ida[TOLERANCES],
                        const app_crank_reference *reference) {
  double ida_step = NAN;
  for (int i = 0; i < TOLERANCES; i++) {
    const ida_crank_result *r = &ida[i];
    printf("crank solver=ida tolerance=%.3g seconds=%.6f steps=%ld residuals=%ld jacobians=%ld "
           "factorizations=%ld scd=%.2f\n",
           tolerances[i], r->seconds, r->n.steps, r->n.residuals, r->n.jacobians, r->n.jacobians,
           digits(reference, r->q, r->lam));
    if (tolerances[i] == IDA_CRANK_UNIT_TOLERANCE) ida_step = r->seconds / (double)r->n.steps;
  }
  return ida_step;
}

int main(int argc, char **argv) {
  const int repeats = argc > 1 ? atoi(argv[1]) : 5;
  app_crank_reference reference;
  if (!app_crank_reference_find("exact", false, false, false, &reference)) return 1;
  ida_crank_start start;
  ida_crank_begin(&start);
  check_equations(&start);

  ida_crank_result ida[TOLERANCES];
  bench_result hht[TOLERANCES], explicit_[TOLERANCES], fixed, now;
  list radau = {.name = "radau", .first = -3.0, .count = RADAU_TOLERANCES};
  list bdf = {.name = "bdf", .first = -5.0, .count = BDF_TOLERANCES};
  for (int repeat = 0; repeat < repeats; repeat++) {
    trm_options options = trm_options_default();
    options.end = end_time;
    for (int i = 0; i < TOLERANCES; i++) {
      ida_crank_result ida_now;
      ida_crank_run(&start, tolerances[i], &ida_now);
      if (repeat == 0 || ida_now.seconds < ida[i].seconds) ida[i] = ida_now;
      options.tolerance = tolerances[i];
      options.integrator = "hht";
      bench_simulate(&model, &options, &now);
      bench_keep_faster(&hht[i], &now, repeat);
      options.integrator = "explicit";
      bench_simulate(&model, &options, &now);
      bench_keep_faster(&explicit_[i], &now, repeat);
    }
    run_list(&radau, repeat);
    run_list(&bdf, repeat);
    options = trm_options_default();
    options.end = end_time;
    options.steps[0] = fixed_step;
    options.nsteps = 1;
    bench_simulate(&model, &options, &now);
    bench_keep_faster(&fixed, &now, repeat);
  }

  const double ida_step = print_ida(ida, &reference);
  for (int i = 0; i < TOLERANCES; i++) print_ours("hht", tolerances[i], &hht[i], &reference);
  for (int i = 0; i < TOLERANCES; i++) {
    print_ours("explicit", tolerances[i], &explicit_[i], &reference);
  }
  double scd[TOLERANCES], seconds[TOLERANCES], ida_time[DIGITS_MAX + 1],
      radau_time[DIGITS_MAX + 1], bdf_time[DIGITS_MAX + 1];
  print_list(&radau, &reference, radau_time);
  print_list(&bdf, &reference, bdf_time);
  for (int i = 0; i < TOLERANCES; i++) {
    scd[i] = digits(&reference, ida[i].q, ida[i].lam);
    seconds[i] = ida[i].seconds;
  }
  find_times(TOLERANCES, scd, seconds, ida_time);
  print_reach("ida", ida_time);
  print_reach("radau", radau_time);
  print_reach("bdf", bdf_time);
  print_steps(ida_step, &bdf, &fixed.counters);
  return 0;
}
