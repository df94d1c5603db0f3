/* bench_machines.c - the large models of [HHT]: IDA as a peer, and what each part of a step costs.
 *
 *   bench_machines ida MODEL END SAMPLES OUTPUT.. -- TOLERANCE..
 *     ida tolerance=E velocities=0|1 reached=T seconds=S steps=.. rejected=.. failed=..
 *         iterations=.. residuals=.. jacobians=.. patterns=.. orders=1:N,2:N..
 *     sample tolerance=E velocities=0|1 t=T OUTPUT=VALUE ..
 *
 *   bench_machines parts MODEL END METHOD FORM TOLERANCE [SOLVER]
 *     part model=.. part=NAME calls=.. share=.. inside=.. alone=.. ratio=.. after=.. ratio_after=..
 *     whole model=.. seconds=.. share=.. solver=..
 *
 * Parts: every call of an evaluation, of blocks, of a factorization or of a solve that the time
 * loop makes is timed (the linker puts the functions below in their places). Some of these calls
 * are then repeated at once, several times, with the same arguments: the same work alone, with
 * nothing in between. `inside` and `alone` are microseconds of those calls, `share` is the part of
 * the CPU time of the loop of all calls. Matrices are larger than the second cache, and the loop
 * evaluates the model between two solves: `after` is the same work alone, each call after one
 * evaluation of the model and a solve with the other matrix of si2, which are not timed (for parts
 * of the evaluation, and for a solve that follows its factorization at once: the same as `alone`).
 * What a factorization has done for the solve behind it, trmi_linear_expect, it does again when it
 * is repeated, and the solve does not. A solve that measures the error of a new factorization takes
 * three to four times as long as another one, a solve whose first half is made half as long: each
 * of these kinds is sampled by itself, and its mean counts as often as it is called. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "bench.h"
#include "ida_system.h"
#include "linalg/block.h"
#include "system/matrix.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- parts of a step ---------------------------------------------------------------- */

/* `values` with the residual of motion, `watch` without: gaps, energy, outputs. */
typedef enum part { PART_VALUES, PART_WATCH, PART_BLOCKS, PART_FACTOR, PART_SOLVE, PARTS } part;

static const char *const part_names[PARTS] = {"residual", "watch", "blocks", "factor", "solve"};

/* Solves: others, those whose first half is made, those that measure. */
enum { WHOLE, HALF, MEASURED, KINDS };
enum { EVERY = 7, REPEATS = 5 }; /* every 7th call of a kind is repeated, so often */

/* Means of a call [s]. */
typedef struct means {
  double inside, alone;
  double after; /* as `alone`, each after an evaluation */
} means;

typedef struct kind {
  long  calls, compared;
  means sum; /* of those that were repeated */
} kind;

typedef struct tally {
  double seconds; /* of all calls       */
  double aside;   /* spent on repeating */
  kind   of[KINDS];
} tally;

static tally tallies[PARTS];
static bool  is_timing;
static const char *solver_name = "-"; /* of the last matrix that was solved with */
static int   depth; /* calls inside of calls count with those */

static double thread_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* One call that can be repeated: the arguments of all five kinds. */
typedef struct call {
  part                 what;
  trm_system          *sys;
  const trm_state     *s;
  const trm_values    *out;
  trmi_block_set       set;
  const double        *u, *y, *ya, *coefficient, *T;
  trmi_matrix         *matrix;
  trmi_linear         *lin;
  double              *b;
  trm_error           *err;
} call;

trm_status __real_trm_system_values(trm_system *sys, const trm_state *s, const trm_values *out,
                                    trm_error *err);
trm_status __real_trmi_system_strong_blocks(trm_system *sys, const trm_state *s, trmi_block_set set,
                                            const double *u, const double *y, const double *ya,
                                            trm_error *err);
trm_status __real_trmi_matrix_factor(trmi_matrix *matrix, const trm_system *sys,
                                     const double *coefficient, const double *T, trm_error *err);
trm_status __real_trmi_linear_solve(trmi_linear *lin, double *b, trm_error *err);

static trm_status make(const call *c) {
  switch (c->what) {
    case PART_BLOCKS:
      return __real_trmi_system_strong_blocks(c->sys, c->s, c->set, c->u, c->y, c->ya, c->err);
    case PART_FACTOR:
      return __real_trmi_matrix_factor(c->matrix, c->sys, c->coefficient, c->T, c->err);
    case PART_SOLVE: return __real_trmi_linear_solve(c->lin, c->b, c->err);
    default: return __real_trm_system_values(c->sys, c->s, c->out, c->err);
  }
}

/* Before a call: does a solve measure the error of a new factorization, has it yet to weigh its
 * rows, and of how many right-hand sides has the factorization done half? */
typedef struct freshness {
  bool          is_fresh, has_weights;
  int           eliminated;
  double       *halves;      /* of those, or NULL         */
  const double *expected[2]; /* what a factorization will */
} freshness;

static void *copy_of(const double *list, size_t count) {
  double *copy = malloc(count * sizeof *copy);
  if (copy == NULL) bench_fail("no memory");
  return memcpy(copy, list, count * sizeof *copy);
}

static trmi_block *blocks_of(const trmi_linear *lin) {
  return lin->ops == &trmi_solver_block ? lin->content : NULL;
}

static int kind_of(const call *c) {
  if (c->what != PART_SOLVE) return WHOLE;
  if (c->lin->is_fresh) return MEASURED;
  const trmi_block *b = blocks_of(c->lin);
  return b != NULL && b->eliminated == 1 ? HALF : WHOLE;
}

static freshness freshness_of(const trmi_linear *lin) {
  const trmi_block *b = blocks_of(lin);
  freshness now = {.is_fresh = lin->is_fresh, .has_weights = lin->has_weights,
                   .expected = {lin->expected[0], lin->expected[1]}};
  if (b == NULL || b->eliminated != 1) return now;
  now.eliminated = 1;
  now.halves = copy_of(b->y[0], (size_t)b->vector);
  return now;
}

static void restore(trmi_linear *lin, const freshness *before) {
  trmi_block *b = blocks_of(lin);
  lin->is_fresh = before->is_fresh;
  lin->has_weights = before->has_weights;
  if (before->halves == NULL) return;
  memcpy(b->y[0], before->halves, (size_t)b->vector * sizeof *b->y[0]);
  b->eliminated = before->eliminated;
}

/* The last residual: its system, its state, and room for the values of another one; the last two
 * matrices that were solved with. */
static struct {
  trm_system      *sys;
  const trm_state *s;
  double          *room;
  trmi_linear     *matrix[2];
} newest;

static void note_residual(trm_system *sys, const trm_state *s) {
  const trm_sizes *n = trm_system_sizes(sys);
  newest.s = s;
  if (newest.sys == sys) return;
  newest.sys = sys;
  free(newest.room);
  const int numbers = n->nv + n->ng + n->na + n->nx + n->nw + 3 * n->ngaps;
  newest.room = calloc((size_t)numbers + 1, sizeof *newest.room);
  if (newest.room == NULL) bench_fail("no memory");
}

static void note_matrix(trmi_linear *lin) {
  if (newest.matrix[0] == lin) return;
  newest.matrix[1] = newest.matrix[0];
  newest.matrix[0] = lin;
}

/* What an iteration of si2 does between two solves with one matrix: residual, constraints, gaps,
 * and a solve with the other matrix, if there is another one that is as large. */
static void evaluate_between(const trmi_linear *own) {
  const trm_sizes *n = trm_system_sizes(newest.sys);
  double *g = newest.room + n->nv, *d = g + n->ng + n->na, *gaps = d + n->nx + n->nw;
  trm_error err;
  const trm_values residual = {.motion = newest.room, .g = g, .d = d}, watch = {.gaps = gaps};
  if (__real_trm_system_values(newest.sys, newest.s, &watch, &err) != TRM_OK ||
      __real_trm_system_values(newest.sys, newest.s, &residual, &err) != TRM_OK) {
    bench_fail("an evaluation that succeeded fails when it is repeated");
  }
  trmi_linear *other = newest.matrix[newest.matrix[0] == own ? 1 : 0];
  if (own == NULL || other == NULL || other->plan->n != own->plan->n || !other->has_pivots) return;
  memset(newest.room, 0, (size_t)own->plan->n * sizeof *newest.room);
  other->ops->solve(other, newest.room, NULL);
}

/* Mean time of the same call, each after an evaluation or not; repeats measure and weigh where it
 * did. Bodies know the poses of the state before: a residual, which in the loop is always of a new
 * state, gets one. */
static double make_again(call c, const double *right, const freshness *before_it, bool evaluates) {
  double sum = 0.0;
  const double place = c.what == PART_VALUES ? c.s->q[0] : 0.0;
  for (int i = 0; i < REPEATS; i++) {
    if (c.what == PART_VALUES) c.s->q[0] = place + 1e-13 * (i + 1);
    if (right != NULL) {
      memcpy(c.b, right, (size_t)c.lin->plan->n * sizeof *right);
      restore(c.lin, before_it);
    }
    if (c.what == PART_FACTOR) {
      trmi_linear_expect(&c.matrix->lin, before_it->expected[0], before_it->expected[1]);
    }
    if (evaluates) evaluate_between(c.lin);
    const double before = thread_seconds();
    if (make(&c) != TRM_OK) bench_fail("a call that succeeded fails when it is repeated");
    sum += thread_seconds() - before;
  }
  if (c.what == PART_VALUES) {
    c.s->q[0] = place;
    if (make(&c) != TRM_OK) bench_fail("a call that succeeded fails when it is repeated");
  }
  return sum / REPEATS;
}

static trm_status timed(call c) {
  tally *t = &tallies[c.what];
  kind *own = &t->of[kind_of(&c)];
  if (c.what == PART_VALUES && depth == 0) note_residual(c.sys, c.s);
  if (!is_timing || depth > 0) return make(&c);
  double *right = NULL;
  freshness fresh = {0};
  const bool compares = own->calls++ % EVERY == 0;
  if (compares && c.what == PART_SOLVE) {
    right = copy_of(c.b, (size_t)c.lin->plan->n);
    fresh = freshness_of(c.lin);
  } else if (compares && c.what == PART_FACTOR) {
    fresh = freshness_of(&c.matrix->lin);
  }
  depth++;
  const double before = thread_seconds();
  const trm_status status = make(&c);
  const double after = thread_seconds();
  t->seconds += after - before;
  if (compares && status == TRM_OK) {
    own->compared++;
    own->sum.inside += after - before;
    const bool is_matrix = c.what == PART_FACTOR || c.what == PART_SOLVE;
    const bool comes_later = is_matrix && newest.sys != NULL && fresh.eliminated == 0;
    const double alone = make_again(c, right, &fresh, false);
    own->sum.alone += alone;
    own->sum.after += comes_later ? make_again(c, right, &fresh, true) : alone;
    t->aside += thread_seconds() - after;
  }
  depth--;
  free(right);
  free(fresh.halves);
  return status;
}

trm_status __wrap_trm_system_values(trm_system *sys, const trm_state *s, const trm_values *out,
                                    trm_error *err);
trm_status __wrap_trm_system_values(trm_system *sys, const trm_state *s, const trm_values *out,
                                    trm_error *err) {
  return timed((call){.what = out->motion != NULL ? PART_VALUES : PART_WATCH, .sys = sys, .s = s,
                      .out = out, .err = err});
}

trm_status __wrap_trmi_system_strong_blocks(trm_system *sys, const trm_state *s, trmi_block_set set,
                                            const double *u, const double *y, const double *ya,
                                            trm_error *err);
trm_status __wrap_trmi_system_strong_blocks(trm_system *sys, const trm_state *s, trmi_block_set set,
                                            const double *u, const double *y, const double *ya,
                                            trm_error *err) {
  return timed((call){.what = PART_BLOCKS, .sys = sys, .s = s, .set = set, .u = u, .y = y, .ya = ya,
                      .err = err});
}

trm_status __wrap_trmi_matrix_factor(trmi_matrix *matrix, const trm_system *sys,
                                     const double *coefficient, const double *T, trm_error *err);
trm_status __wrap_trmi_matrix_factor(trmi_matrix *matrix, const trm_system *sys,
                                     const double *coefficient, const double *T, trm_error *err) {
  return timed((call){.what = PART_FACTOR, .matrix = matrix, .sys = (trm_system *)sys,
                      .coefficient = coefficient, .T = T, .err = err});
}

trm_status __wrap_trmi_linear_solve(trmi_linear *lin, double *b, trm_error *err);
trm_status __wrap_trmi_linear_solve(trmi_linear *lin, double *b, trm_error *err) {
  if (lin->ops != NULL) solver_name = lin->ops->name;
  if (is_timing && depth == 0) note_matrix(lin);
  return timed((call){.what = PART_SOLVE, .lin = lin, .b = b, .err = err});
}

/* Means of all calls of a part; 0: none was repeated. */
static long find_means(const tally *t, means *mean) {
  long calls = 0;
  *mean = (means){0};
  for (int k = 0; k < KINDS; k++) {
    const kind *own = &t->of[k];
    if (own->compared == 0) continue;
    const double weight = (double)own->calls / (double)own->compared;
    calls += own->calls;
    mean->inside += weight * own->sum.inside;
    mean->alone += weight * own->sum.alone;
    mean->after += weight * own->sum.after;
  }
  return calls;
}

static void print_parts(const char *model, double seconds) {
  double aside = 0.0, all = 0.0;
  for (int k = 0; k < PARTS; k++) {
    aside += tallies[k].aside;
    all += tallies[k].seconds;
  }
  const double loop = seconds - aside;
  for (int k = 0; k < PARTS; k++) {
    means mean;
    const long calls = find_means(&tallies[k], &mean);
    if (calls == 0) continue;
    const double scale = 1e6 / (double)calls;
    printf("part model=%s part=%s calls=%ld share=%.3f inside=%.2f alone=%.2f ratio=%.3f "
           "after=%.2f ratio_after=%.3f\n", model, part_names[k], calls, tallies[k].seconds / loop,
           scale * mean.inside, scale * mean.alone, mean.inside / mean.alone, scale * mean.after,
           mean.inside / mean.after);
  }
  printf("whole model=%s seconds=%.3f share=%.3f solver=%s\n", model, loop, all / loop,
         solver_name);
}

static trm_sim *open_sim(const char *name, const trm_options *options, trm_system **system) {
  trm_error err;
  trm_sim *sim;
  *system = bench_create(&(bench_model){.name = name});
  bench_require(trm_sim_create(*system, options, &sim, &err), &err);
  return sim;
}

static void measure_parts(char **words) {
  trm_error err;
  trm_system *system;
  trm_options options = trm_options_default();
  options.end = atof(words[1]);
  options.integrator = words[2];
  options.formulation = words[3];
  options.tolerance = atof(words[4]);
  options.solver = words[5]; /* NULL: auto */
  trm_sim *sim = open_sim(words[0], &options, &system);
  is_timing = true; /* the start is left out */
  const double before = thread_seconds();
  bench_require(trm_sim_run(sim, &err), &err);
  print_parts(words[0], thread_seconds() - before);
  trm_sim_free(sim);
  trm_system_free(system);
}

/* ---- IDA ---------------------------------------------------------------------------- */

enum { OUTPUTS_MAX = 16 };

static void print_run(const ida_system_run *run, const ida_system_result *result) {
  const ida_counts *n = &result->n;
  printf("ida tolerance=%g velocities=%d reached=%.9g seconds=%.4f steps=%ld rejected=%ld "
         "failed=%ld iterations=%ld residuals=%ld jacobians=%ld patterns=%ld orders=",
         run->tolerance, run->tests_velocities, result->reached, result->seconds, n->steps,
         n->rejected_error, n->rejected_newton, n->iterations, n->residuals, n->jacobians,
         result->patterns);
  for (int k = 1; k <= IDA_ORDER_MAX; k++) {
    printf("%s%d:%ld", k > 1 ? "," : "", k, result->orders[k]);
  }
  printf("\n");
}

static void run_ida(const char *model, ida_system_run *run, char **outputs) {
  trm_system *system;
  trm_options options = trm_options_default();
  ida_system_result result;
  options.end = run->end;
  trm_sim *sim = open_sim(model, &options, &system);
  int numbers[OUTPUTS_MAX];
  for (int i = 0; i < run->noutputs; i++) {
    numbers[i] = trm_system_find(system, TRM_OUTPUT, outputs[i]);
    if (numbers[i] < 0) bench_fail("there is no such output");
  }
  run->outputs = numbers;
  ida_system_solve(sim, run, &result);
  print_run(run, &result);
  for (int k = 0; k <= run->samples && result.reached >= run->end; k++) {
    printf("sample tolerance=%g velocities=%d t=%.12g", run->tolerance, run->tests_velocities,
           run->end * k / run->samples);
    for (int i = 0; i < run->noutputs; i++) {
      printf(" %s=%.12g", outputs[i], run->found[k * run->noutputs + i]);
    }
    printf("\n");
  }
  trm_sim_free(sim);
  trm_system_free(system);
}

static void run_idas(int nwords, char **words) {
  ida_system_run run = {.end = atof(words[1]), .samples = atoi(words[2])};
  char **outputs = words + 3, **last = words + nwords;
  while (outputs + run.noutputs < last && strcmp(outputs[run.noutputs], "--") != 0) run.noutputs++;
  if (run.noutputs > OUTPUTS_MAX || run.samples < 1) bench_fail("too many outputs, or no samples");
  run.found = calloc((size_t)((run.samples + 1) * run.noutputs + 1), sizeof *run.found);
  if (run.found == NULL) bench_fail("no memory");
  for (char **word = outputs + run.noutputs + 1; word < last; word++) {
    run.tolerance = atof(*word);
    for (int k = 0; k < 2; k++) {
      run.tests_velocities = k > 0;
      run_ida(words[0], &run, outputs);
    }
  }
  free(run.found);
}

int main(int argc, char **argv) {
  if ((argc == 7 || argc == 8) && strcmp(argv[1], "parts") == 0) {
    measure_parts(argv + 2);
  } else if (argc >= 6 && strcmp(argv[1], "ida") == 0) {
    run_idas(argc - 2, argv + 2);
  } else {
    bench_fail("bench_machines ida MODEL END SAMPLES OUTPUT.. -- TOLERANCE.. | "
               "parts MODEL END METHOD FORM TOLERANCE [SOLVER]");
  }
  return 0;
}
