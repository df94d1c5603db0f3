/* linear.c - the common part of all solvers: refinement and recovery. */
#include "linalg/linear.h"
#include <math.h>
#include <string.h>

/* Below this backward error nothing is refined; above the second even refined
 * solutions are not trusted and new pivots are sought. */
static const double good_error = 1e-13, usable_error = 1e-9;
/* A row whose terms are that small beside the largest row is zero but for rounding. */
static const double zero_size = 1e-8;
enum { REFINEMENTS_MAX = 3, REFINEMENTS_BORDER = 8 };

/* LAPACK beats KLU where a small matrix is full, see docs/dev/performance.md. */
enum { DENSE_MIN = 8, DENSE_MAX = 64 };
static const double dense_part = 0.6;

static const trmi_solver_ops *choose(const trmi_plan *plan, const char *solver) {
  if (solver == NULL || strcmp(solver, "auto") == 0) {
    const bool is_full = plan->Ap[plan->n] > dense_part * plan->n * plan->n;
    return is_full && plan->n >= DENSE_MIN && plan->n <= DENSE_MAX ? &trmi_solver_dense
                                                                   : &trmi_solver_klu;
  }
  if (strcmp(solver, "klu") == 0) return &trmi_solver_klu;
  if (strcmp(solver, "dense") == 0) return &trmi_solver_dense;
  return NULL;
}

trm_status trmi_linear_init(trmi_linear *lin, trmi_arena *arena, const trmi_plan *plan,
                            const char *solver, trmi_tally *tally, trm_error *err) {
  *lin = (trmi_linear){.plan = plan, .allocator = arena->allocator, .tally = tally,
                       .bad_column = -1};
  lin->ops = choose(plan, solver);
  if (lin->ops == NULL) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "there is no solver '%s': auto, klu or dense",
                     solver);
  }
  const size_t entries = (size_t)plan->Ap[plan->n];
  lin->factored = TRMI_TAKE(arena, double, plan->nborder > 0 ? entries : 0);
  lin->x = TRMI_TAKE(arena, double, plan->n);
  lin->r = TRMI_TAKE(arena, double, plan->n);
  lin->size = TRMI_TAKE(arena, double, plan->n);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  if (plan->n == 0) return TRM_OK;
  TRMI_TRY(err, lin->ops->analyze(lin, err));
  return TRM_OK;
}

void trmi_linear_free(trmi_linear *lin) {
  if (lin->ops != NULL && lin->content != NULL) lin->ops->free(lin);
  lin->content = NULL;
}

void trmi_linear_forget(trmi_linear *lin) {
  lin->has_pivots = false;
}

/* What is factored: the matrix plus its border. */
static const double *with_border(trmi_linear *lin) {
  const trmi_plan *plan = lin->plan;
  if (plan->nborder == 0) return plan->Ax;
  memcpy(lin->factored, plan->Ax, (size_t)plan->Ap[plan->n] * sizeof(double));
  for (int b = 0; b < plan->nborder; b++) lin->factored[plan->border_place[b]] += plan->border[b];
  return lin->factored;
}

static trm_status factor(trmi_linear *lin, bool new_pivots, trm_error *err) {
  lin->tally->factorizations++;
  lin->bad_column = -1;
  lin->is_fresh = true;
  lin->refinements = 0;
  TRMI_TRY(err, lin->ops->factor(lin, with_border(lin), new_pivots, err));
  lin->has_pivots = true;
  if (new_pivots) {
    lin->new_pivots++;
    const long entries = lin->ops->entries(lin);
    if (entries > lin->tally->entries) lin->tally->entries = entries;
  }
  return TRM_OK;
}

trm_status trmi_linear_factor(trmi_linear *lin, trm_error *err) {
  if (lin->plan->n == 0) return TRM_OK;
  /* the ladder: old pivots, new pivots, new pivots in a general order */
  if (lin->has_pivots && factor(lin, false, NULL) == TRM_OK) return TRM_OK;
  lin->has_pivots = false;
  if (!lin->wants_general) {
    const trm_status status = factor(lin, true, err);
    if (status != TRM_RETRY_SINGULAR) return status;
    lin->wants_general = true;
  }
  TRMI_TRY(err, factor(lin, true, err));
  return TRM_OK;
}

/* r = b - A x and the backward error (1); `size` is |A||x| + |b|. */
static double residual(trmi_linear *lin, const double *b) {
  const trmi_plan *plan = lin->plan;
  for (int i = 0; i < plan->n; i++) lin->r[i] = b[i], lin->size[i] = fabs(b[i]);
  for (int j = 0; j < plan->n; j++) {
    const double x = lin->x[j];
    for (int k = plan->Ap[j]; k < plan->Ap[j + 1]; k++) {
      const double product = plan->Ax[k] * x;
      lin->r[plan->Ai[k]] -= product;
      lin->size[plan->Ai[k]] += fabs(product);
    }
  }
  double largest = 0.0, worst = 0.0;
  for (int i = 0; i < plan->n; i++) largest = fmax(largest, lin->size[i]);
  for (int i = 0; i < plan->n; i++) {
    const double error = fabs(lin->r[i]), size = fmax(lin->size[i], zero_size * largest);
    if (!(error <= worst * size)) worst = error / size;
  }
  return worst;
}

/* x from b with the present factors, measured and refined. */
static double solve_measured(trmi_linear *lin, const double *b) {
  const int n = lin->plan->n;
  const int most = lin->plan->nborder > 0 ? REFINEMENTS_BORDER : REFINEMENTS_MAX;
  memcpy(lin->x, b, (size_t)n * sizeof(double));
  lin->ops->solve(lin, lin->x);
  double error = residual(lin, b);
  for (lin->refinements = 0; lin->refinements < most && error > good_error; lin->refinements++) {
    lin->ops->solve(lin, lin->r);
    for (int i = 0; i < n; i++) lin->x[i] += lin->r[i];
    error = residual(lin, b);
  }
  lin->backward_error = error;
  return error;
}

/* x from b with as many refinements as the first solve needed. */
static void solve_plain(trmi_linear *lin, double *b) {
  const int n = lin->plan->n;
  if (lin->refinements == 0) {
    lin->ops->solve(lin, b);
    return;
  }
  memcpy(lin->x, b, (size_t)n * sizeof(double));
  lin->ops->solve(lin, lin->x);
  for (int k = 0; k < lin->refinements; k++) {
    residual(lin, b);
    lin->ops->solve(lin, lin->r);
    for (int i = 0; i < n; i++) lin->x[i] += lin->r[i];
  }
  memcpy(b, lin->x, (size_t)n * sizeof(double));
}

trm_status trmi_linear_solve(trmi_linear *lin, double *b, trm_error *err) {
  if (lin->plan->n == 0) return TRM_OK;
  lin->tally->solves++;
  if (!lin->is_fresh) {
    solve_plain(lin, b);
    return TRM_OK;
  }
  lin->is_fresh = false;
  double error = solve_measured(lin, b);
  for (int rung = 0; rung < 2 && !(error <= usable_error); rung++) {
    /* old pivots do not serve any more; nor, in the end, the order of nodes */
    if (rung == 1) lin->wants_general = true;
    TRMI_TRY(err, factor(lin, true, err));
    lin->is_fresh = false;
    error = solve_measured(lin, b);
  }
  if (!(error <= usable_error)) {
    return TRMI_FAIL(err, TRM_RETRY_SINGULAR, NULL,
                     "linear system solved only to a backward error of %.1e: the matrix is "
                     "singular to working precision", error);
  }
  memcpy(b, lin->x, (size_t)lin->plan->n * sizeof(double));
  return TRM_OK;
}
