/* bench_matrices.c - the solver that `auto` takes beside KLU on matrices of mechanisms.
 *
 *   matrix name=.. symmetric=0|1 unknowns=.. entries=.. rung=.. refinements=..
 *     ours=..  klu=..      fill, factor, solve with the tests and refinements of an
 *                          integrator; refactor, solve               [microseconds]
 *     ratio=..             klu / ours
 *     bare=..              ours without the tests and refinements
 *     fill=.. factor=.. solve=.. klu_refactor=.. klu_solve=..        each part alone
 *     lu=.. klu_lu=.. error=.. error_refined=.. klu_error=.. klu_error_refined=..
 *
 * KLU gets the finished columns and its best known setting: AMD, no block triangular form,
 * no scaling, pivot tolerance 0.1. Errors are backward errors
 * max|b - A x| / (|A| max|x| + max|b|) before and after one refinement. */
#include "bench.h"
#include "linalg/linear.h"
#include "mechanism.h"
#include <klu.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *name;
  void (*build)(mechanism *m, int n);
  int n;
} cases[] = {
    {"chain 10", mechanism_chain, 10},
    {"chain 100", mechanism_chain, 100},
    {"chain 1000", mechanism_chain, 1000},
    {"chain 10000", mechanism_chain, 10000},
    {"tree 1000", mechanism_tree, 1000},
    {"ladder 1000", mechanism_ladder, 1000},
    {"beam 1000", mechanism_beam, 1000},
    {"net of joints 30x30", mechanism_net_joints, 30},
    {"net of rods 30x30", mechanism_net_rods, 30},
    {"net of bushings 30x30", mechanism_net_bushings, 30},
};
enum { CASES = sizeof cases / sizeof *cases };

typedef struct setup {
  mechanism mech;
  trmi_arena arena;
  trmi_plan plan;
  trmi_tally tally;
  trmi_linear lin;
  double *Ax, *b, *x, *r; /* columns, right-hand side, solution, residual */
  klu_common common;
  klu_symbolic *symbolic;
  klu_numeric *numeric;
  int refinements; /* in each checked solve */
} setup;

/* Microseconds: of whole sequences, and of parts alone. */
typedef struct times {
  double ours, bare, klu, fill, factor, solve, klu_refactor, klu_solve;
} times;

static const double one = 1.0; /* the coefficient of all terms */

static void open_klu(setup *u) {
  klu_defaults(&u->common);
  u->common.ordering = 0;
  u->common.btf = 0;
  u->common.scale = -1;
  u->common.tol = 0.1;
  u->symbolic = klu_analyze(u->plan.n, u->plan.Ap, u->plan.Ai, &u->common);
  if (u->symbolic == NULL) bench_fail("KLU cannot analyze");
  u->numeric = klu_factor(u->plan.Ap, u->plan.Ai, u->Ax, u->symbolic, &u->common);
  if (u->numeric == NULL) bench_fail("KLU cannot factor");
}

static void setup_open(setup *u, int which, bool is_symmetric) {
  trm_error err;
  *u = (setup){.symbolic = NULL};
  mechanism_init(&u->mech, is_symmetric);
  cases[which].build(&u->mech, cases[which].n);
  trmi_arena_init(&u->arena, &(trm_allocator){.self = NULL});
  bench_require(mechanism_plan(&u->mech, &u->arena, &u->plan, &err), &err);
  bench_require(trmi_linear_init(&u->lin, &u->arena, &u->plan, "auto", &u->tally, &err), &err);
  u->lin.good_error = trmi_good_correction; /* as in Newton's iteration */
  const int n = u->plan.n, entries = u->plan.Ap[n];
  u->Ax = TRMI_TAKE(&u->arena, double, entries);
  u->b = TRMI_TAKE(&u->arena, double, n);
  u->x = TRMI_TAKE(&u->arena, double, n);
  u->r = TRMI_TAKE(&u->arena, double, n);
  bench_require(trmi_arena_check(&u->arena, &err), &err);
  trmi_plan_fill(&u->plan, &one, u->mech.T);
  for (int k = 0; k < entries; k++) u->Ax[k] = trmi_plan_at(&u->plan, k);
  for (int i = 0; i < n; i++) u->b[i] = mechanism_random(&u->mech);
  open_klu(u);
}

static void setup_close(setup *u) {
  klu_free_numeric(&u->numeric, &u->common);
  klu_free_symbolic(&u->symbolic, &u->common);
  trmi_linear_free(&u->lin);
  trmi_arena_clear(&u->arena);
  mechanism_free(&u->mech);
}

static void fill(setup *u) {
  trmi_plan_fill(&u->plan, &one, u->mech.T);
}

static void factor(setup *u) {
  trm_error err;
  bench_require(trmi_linear_factor(&u->lin, &err), &err);
}

static void solve(setup *u) {
  memcpy(u->x, u->b, (size_t)u->plan.n * sizeof(double));
  u->lin.ops->solve(&u->lin, u->x, NULL);
}

static void solve_checked(setup *u) {
  trm_error err;
  memcpy(u->x, u->b, (size_t)u->plan.n * sizeof(double));
  bench_require(trmi_linear_solve(&u->lin, u->x, &err), &err);
}

static void refactor_klu(setup *u) {
  klu_refactor(u->plan.Ap, u->plan.Ai, u->Ax, u->symbolic, u->numeric, &u->common);
}

static void solve_klu(setup *u) {
  memcpy(u->x, u->b, (size_t)u->plan.n * sizeof(double));
  klu_solve(u->symbolic, u->numeric, u->plan.n, 1, u->x, &u->common);
}

static void do_bare(setup *u) {
  fill(u);
  factor(u);
  solve(u);
}

/* As an integrator does it: errors are measured and refined where that is needed. */
static void do_ours(setup *u) {
  fill(u);
  factor(u);
  solve_checked(u);
}

static void do_klu(setup *u) {
  refactor_klu(u);
  solve_klu(u);
}

/* The smallest time of one call. One solve in sixteen is measured for its error (linear.h), so
 * that calls come in sixteens; not so with KLU, once they took `too_much` seconds. */
static void measure(setup *u, void (*part)(setup *u), double too_much, double *best) {
  enum { CALLS = 16 };
  const double enough = 2e-3;
  const double begin = bench_seconds();
  double passed = 0.0;
  long calls = 0;
  while (passed < enough || (calls % CALLS != 0 && passed < too_much)) {
    part(u);
    calls++;
    if (calls == 1 || calls % CALLS == 0 || passed > enough) passed = bench_seconds() - begin;
  }
  *best = fmin(*best, 1e6 * passed / (double)calls);
}

static void measure_all(setup *u, times *best) {
  const double long_klu = 0.1;
  measure(u, do_ours, INFINITY, &best->ours);
  measure(u, do_klu, long_klu, &best->klu);
  if (u->lin.refinements > u->refinements) u->refinements = u->lin.refinements;
  measure(u, do_bare, INFINITY, &best->bare);
  measure(u, fill, INFINITY, &best->fill);
  measure(u, factor, INFINITY, &best->factor);
  measure(u, solve, INFINITY, &best->solve);
  measure(u, refactor_klu, long_klu, &best->klu_refactor);
  measure(u, solve_klu, long_klu, &best->klu_solve);
}

/* ---- backward errors -------------------------------------------------------- */

static double largest(const double *x, int n) {
  double most = 0.0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

/* r = b - A x; returns the backward error. */
static double residual(setup *u) {
  const trmi_plan *plan = &u->plan;
  const int n = plan->n;
  double *row_sum = calloc((size_t)n, sizeof *row_sum);
  if (row_sum == NULL) bench_fail("out of memory");
  memcpy(u->r, u->b, (size_t)n * sizeof *u->r);
  for (int j = 0; j < n; j++) {
    for (int k = plan->Ap[j]; k < plan->Ap[j + 1]; k++) {
      u->r[plan->Ai[k]] -= u->Ax[k] * u->x[j];
      row_sum[plan->Ai[k]] += fabs(u->Ax[k]);
    }
  }
  const double norm = largest(row_sum, n);
  free(row_sum);
  return largest(u->r, n) / (norm * largest(u->x, n) + largest(u->b, n));
}

/* Errors of the bare solver, without and with one refinement. */
static void errors(setup *u, bool is_klu, double error[2]) {
  const int n = u->plan.n;
  double *rhs = u->x;
  memcpy(u->x, u->b, (size_t)n * sizeof *u->x);
  for (int k = 0; k < 2; k++) {
    if (is_klu) {
      klu_solve(u->symbolic, u->numeric, n, 1, rhs, &u->common);
    } else {
      u->lin.ops->solve(&u->lin, rhs, NULL);
    }
    for (int i = 0; k == 1 && i < n; i++) u->x[i] += u->r[i];
    error[k] = residual(u);
    rhs = u->r;
  }
}

static const char *rung(const setup *u) {
  return u->tally.fallbacks == 0 ? u->lin.ops->name
         : u->lin.wants_general  ? "klu-amd"
                                 : "klu-nodes";
}

static void bench_matrix(int which, bool is_symmetric, int repeats) {
  setup u;
  setup_open(&u, which, is_symmetric);
  times best = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};
  for (int i = 0; i < repeats; i++) measure_all(&u, &best);

  double ours[2], klu[2];
  errors(&u, false, ours);
  errors(&u, true, klu);
  char name[32];
  snprintf(name, sizeof name, "%s", cases[which].name);
  for (char *c = name; *c != '\0'; c++) *c = *c == ' ' ? '-' : *c;
  printf("matrix name=%s symmetric=%d unknowns=%d entries=%d rung=%s refinements=%d ", name,
         is_symmetric, u.plan.n, u.plan.Ap[u.plan.n], rung(&u), u.refinements);
  printf("ours=%.4g klu=%.4g ratio=%.3f bare=%.4g fill=%.4g factor=%.4g solve=%.4g "
         "klu_refactor=%.4g "
         "klu_solve=%.4g ",
         best.ours, best.klu, best.klu / best.ours, best.bare, best.fill, best.factor,
         best.solve, best.klu_refactor, best.klu_solve);
  printf("lu=%ld klu_lu=%ld error=%.1e error_refined=%.1e klu_error=%.1e klu_error_refined=%.1e\n",
         u.tally.entries, (long)u.numeric->lnz + (long)u.numeric->unz, ours[0], ours[1], klu[0],
         klu[1]);
  fflush(stdout);
  setup_close(&u);
}

int main(int argc, char **argv) {
  const int repeats = argc > 1 ? atoi(argv[1]) : 7;
  for (int i = 0; i < CASES; i++) {
    bench_matrix(i, true, repeats);
    bench_matrix(i, false, repeats);
  }
  return 0;
}
