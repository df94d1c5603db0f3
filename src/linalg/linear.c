/* linear.c - the common part of all solvers: the sequence of solvers of linear.h, refinement and
 * recovery. Choice of the first solver: solver_choice.c.
 *
 * With a border -D in the rows of multipliers, k refinements multiply the part of a solution along
 * an eigenvalue l of the multipliers' own matrix G M^-1 G^T by
 *   1 - (d/(l + d))^(k+1)                                                                   (1)
 * which is one for l >> d and k d-free digits, and (k + 1) l/d for l << d. If rows are redundant
 * only in positions that satisfy them (Bricard's linkage), l is small but not zero elsewhere, and
 * an exact solution along its eigenvector is meaningless. Then the border is raised until (1)
 * suppresses that part, and residuals of rows of the border are not tested: their inconsistency
 * vanishes as the iteration of the caller converges.
 *
 * Rows have different units, so their sizes are compared after division by weights, see
 * linear_weights.c.
 *
 * Solvers of a scaled plan factor R A C, with diagonal R and C that the user of the matrix sets:
 *   x = C (R A C)^-1 R b                                                                  (2)
 * Everything else, including backward error and refinement, refers to A. */
#include "linalg/block.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* Above this backward error even refined solutions are not trusted and new pivots are
 * sought. */
static const double usable_error = 1e-9;
/* A row with terms this small relative to the largest row is zero up to rounding. */
static const double zero_size = 1e-8;
/* Rounding error of the largest row; an iteration corrects its effect on others. */
static const double rounding = 1e-14;
enum { REFINEMENTS_MAX = 3, REFINEMENTS_BORDER = 8, REFINEMENTS_RAISED = 3 };
/* A raised border grows by the first factor, at most to the second. */
static const double border_raise = 1e3, border_most = 1e6;

/* Full matrices are the last resort up to this number of unknowns. */
enum { DENSE_LAST = 1000 };

static void count_entries(trmi_linear *lin) {
  const long entries = lin->ops->entries(lin);
  if (entries > lin->tally->entries) lin->tally->entries = entries;
}

/* Memory for values by columns, if the solver reads them, and for the solver's own data. */
static trm_status analyze_with(trmi_linear *lin, trm_error *err) {
  trmi_plan *plan = lin->plan;
  if (lin->ops != &trmi_solver_block) {
    const int entries = plan->Ap[plan->n];
    if (plan->Ax == NULL) {
      plan->Ax = TRMI_TAKE(lin->arena, double, entries);
      plan->nAx = entries;
    }
    if (plan->nborder > 0 || plan->index != NULL || plan->is_scaled) {
      lin->columns = TRMI_TAKE(lin->arena, double, entries);
    }
    TRMI_TRY(err, trmi_arena_check(lin->arena, err));
  }
  TRMI_TRY(err, lin->ops->analyze(lin, err));
  TRMI_TRY(err, trmi_linear_list_weights(lin, err));
  count_entries(lin); /* those known before the first factorization */
  return TRM_OK;
}

/* The first solver suited to the matrix: blocks give up if they would cause too much fill, before
 * they change the plan, and the general solver is used. */
static trm_status analyze(trmi_linear *lin, trm_error *err) {
  const trm_status status = analyze_with(lin, err);
  if (status != TRM_RETRY_SINGULAR || lin->ops != &trmi_solver_block) return status;
  lin->tally->fallbacks++;
  lin->rung++;
  lin->ops = trmi_solvers.general;
  return analyze_with(lin, err);
}

trm_status trmi_linear_init(trmi_linear *lin, trmi_arena *arena, trmi_plan *plan,
                            const char *solver, trmi_tally *tally, trm_error *err) {
  *lin = (trmi_linear){.plan = plan, .allocator = arena->allocator, .arena = arena,
                       .tally = tally, .bad_column = -1, .good_error = trmi_good_error};
  TRMI_TRY(err, trmi_linear_choose(lin, solver, err));
  lin->x = TRMI_TAKE(arena, double, plan->n);
  lin->r = TRMI_TAKE(arena, double, plan->n);
  lin->size = TRMI_TAKE(arena, double, plan->n);
  lin->weight = TRMI_TAKE(arena, double, plan->n);
  if (plan->is_scaled) {
    lin->row_scale = TRMI_TAKE(arena, double, plan->n);
    lin->col_scale = TRMI_TAKE(arena, double, plan->n);
  }
  TRMI_TRY(err, trmi_arena_check(arena, err));
  if (plan->n == 0) return TRM_OK;
  TRMI_TRY(err, analyze(lin, err));
  return TRM_OK;
}

void trmi_linear_free(trmi_linear *lin) {
  if (lin->ops != NULL && lin->content != NULL) lin->ops->free(lin);
  lin->content = NULL;
}

void trmi_linear_renew(trmi_linear *lin, trmi_plan *plan) {
  lin->plan = plan;
  lin->has_weights = lin->has_pivots = lin->has_new_pivots = lin->is_fresh = false;
  lin->measures_each = false;
  lin->refinements = lin->unmeasured = lin->rung_wanted = 0;
  lin->new_pivots = 0;
  lin->bad_column = -1;
  lin->good_error = trmi_good_error;
  lin->backward_error = 0.0;
  plan->border_scale = plan->border_least = 1.0;
}

void trmi_linear_forget(trmi_linear *lin) {
  lin->has_pivots = false;
}

const double *trmi_linear_columns(trmi_linear *lin) {
  const trmi_plan *plan = lin->plan;
  if (plan->nborder == 0 && plan->index == NULL && !plan->is_scaled) return plan->Ax;
  for (int k = 0; k < plan->Ap[plan->n]; k++) lin->columns[k] = trmi_plan_at(plan, k);
  for (int b = 0; b < plan->nborder; b++) lin->columns[plan->border_place[b]] += plan->border[b];
  for (int j = 0; j < plan->n && plan->is_scaled; j++) {
    for (int k = plan->Ap[j]; k < plan->Ap[j + 1]; k++) {
      lin->columns[k] *= lin->row_scale[plan->Ai[k]] * lin->col_scale[j];
    }
  }
  return lin->columns;
}

/* --- factoring: next solvers until one succeeds ------------------------------ */

static int measure_every(const trmi_linear *lin) {
  const int usual = lin->ops->measure_every;
  return lin->measure_every > usual ? lin->measure_every : usual;
}

static trm_status factor(trmi_linear *lin, bool new_pivots, trm_error *err) {
  lin->tally->factorizations++;
  lin->bad_column = -1;
  lin->has_weights = false;
  lin->is_fresh = new_pivots || lin->measures_each ||
                  ++lin->unmeasured >= measure_every(lin);
  if (lin->is_fresh) lin->unmeasured = lin->refinements = 0;
  if (lin->is_fresh || lin->refinements > 0) lin->expected[1] = NULL; /* solved one by one */
  TRMI_TRY(err, lin->ops->factor(lin, new_pivots, err));
  lin->has_pivots = true;
  lin->has_new_pivots = new_pivots;
  if (new_pivots) {
    lin->new_pivots++;
    count_entries(lin);
  }
  return TRM_OK;
}

/* Another solver for the same matrix. */
static trm_status change_solver(trmi_linear *lin, const trmi_solver_ops *ops, trm_error *err) {
  lin->tally->fallbacks++;
  lin->rung++;
  lin->ops->free(lin);
  lin->content = NULL;
  lin->ops = ops;
  TRMI_TRY(err, analyze(lin, err));
  return TRM_OK;
}

/* The next solver after new pivots; false: there is none. */
static trm_status step_down(trmi_linear *lin, bool *stepped, trm_error *err) {
  *stepped = false;
  if (lin->wants_general || lin->keeps_rung) return TRM_OK;
  *stepped = true;
  if (lin->ops == &trmi_solver_block) return change_solver(lin, trmi_solvers.general, err);
  lin->tally->fallbacks++;
  lin->rung++;
  lin->wants_general = true;
  return TRM_OK;
}

/* The last resort after a raised border: a full matrix, if it is not too large. Without a border
 * the caller can still add one. */
static bool can_fill(const trmi_linear *lin) {
  const trmi_plan *plan = lin->plan;
  return plan->nborder > 0 && lin->ops != &trmi_solver_dense && plan->n <= DENSE_LAST;
}

void trmi_linear_visit(trmi_linear *lin, trmi_visitor *v) {
  lin->rung_wanted = lin->rung;
  trmi_visit(v, &lin->rung_wanted, sizeof lin->rung_wanted);
  if (lin->plan != NULL) trmi_visit(v, &lin->plan->border_scale, sizeof lin->plan->border_scale);
}

trm_status trmi_linear_settle(trmi_linear *lin, trm_error *err) {
  bool stepped = lin->ops != NULL;
  while (stepped && lin->rung < lin->rung_wanted) {
    TRMI_TRY(err, step_down(lin, &stepped, err));
    lin->has_pivots = false;
  }
  if (lin->ops == NULL || lin->rung >= lin->rung_wanted || !can_fill(lin)) return TRM_OK;
  TRMI_TRY(err, change_solver(lin, &trmi_solver_dense, err));
  return TRM_OK;
}

void trmi_linear_fill(trmi_linear *lin, const double *coefficient, const double *T) {
  const bool waits = lin->plan->n > 0 && lin->ops->fills != NULL && lin->ops->fills(lin);
  lin->coefficient = waits ? coefficient : NULL;
  lin->T = T;
  if (!waits) trmi_plan_fill(lin->plan, coefficient, T);
}

static trm_status factor_down(trmi_linear *lin, trm_error *err) {
  if (lin->plan->n == 0) return TRM_OK;
  if (lin->has_pivots && factor(lin, false, NULL) == TRM_OK) return TRM_OK;
  lin->has_pivots = false;
  for (;;) {
    const trm_status status = factor(lin, true, err);
    if (status != TRM_RETRY_SINGULAR) return status;
    bool stepped = false;
    TRMI_TRY(err, step_down(lin, &stepped, err));
    if (!stepped) return status;
  }
}

trm_status trmi_linear_factor(trmi_linear *lin, trm_error *err) {
  const trm_status status = factor_down(lin, err);
  trmi_linear_expect(lin, NULL, NULL);
  return status;
}

/* --- solving ------------------------------------------------------------------ */

static void multiply_columns(const trmi_plan *plan, const double *x, double *r, double *size) {
  memset(r, 0, (size_t)plan->n * sizeof *r);
  memset(size, 0, (size_t)plan->n * sizeof *size);
  for (int j = 0; j < plan->n; j++) {
    for (int k = plan->Ap[j]; k < plan->Ap[j + 1]; k++) {
      const double product = trmi_plan_at(plan, k) * x[j];
      r[plan->Ai[k]] += product;
      size[plan->Ai[k]] += fabs(product);
    }
  }
}

/* r = b - A x, size = |A| |x| + |b| */
static void residual(trmi_linear *lin, const double *b) {
  const int n = lin->plan->n;
  if (lin->ops->multiply != NULL) {
    lin->ops->multiply(lin, lin->x, lin->r, lin->size);
  } else {
    multiply_columns(lin->plan, lin->x, lin->r, lin->size);
  }
  for (int i = 0; i < n; i++) {
    lin->r[i] = b[i] - lin->r[i];
    lin->size[i] += fabs(b[i]);
  }
}

/* Is the border raised, and in a row? */
static bool is_raised(const trmi_plan *plan) {
  return plan->nborder > 0 && fmax(plan->border_scale, plan->border_least) > 1.0;
}
static bool is_raised_at(const trmi_plan *plan, int row) {
  const int b = row - plan->border_index[0];
  return b >= 0 && b < plan->nborder && plan->border[b] != 0.0;
}

/* The largest |r| over the size of its row, which is `least` at least, or `heavy` times its weight:
 * the smaller one, since an unknown with nearly no mass overrates a small force. */
static double worst_row(const trmi_linear *lin, double least, double heavy) {
  const trmi_plan *plan = lin->plan;
  const bool has_raised = is_raised(plan);
  double worst = 0.0;
  for (int i = 0; i < plan->n; i++) {
    if (has_raised && is_raised_at(plan, i)) continue;
    const double error = fabs(lin->r[i]);
    const double weighed = heavy * lin->weight[i], row = weighed < least ? weighed : least;
    const double zero = heavy > 0.0 && row > trmi_tiny ? row : trmi_tiny; /* fmax is a call */
    const double size = lin->size[i] > zero ? lin->size[i] : zero;
    if (!(error <= worst * size)) worst = error / size;
    if (isnan(worst)) break;
  }
  return worst;
}

/* The same for rows that are `zero` times the largest row at least. */
static double worst_beside_largest(const trmi_linear *lin, double zero) {
  double largest = 0.0, heaviest = 0.0;
  for (int i = 0; i < lin->plan->n; i++) {
    const double w = lin->weight[i], size = lin->size[i];
    if (size > largest) largest = size;
    if (w > 0.0 && size > heaviest * w) heaviest = size / w;
  }
  return worst_row(lin, zero * largest, fmax(zero * heaviest, trmi_tiny));
}

/* The largest |r| / (|A| |x| + |b|) of a row, with the residual. Weights need a pass over the whole
 * matrix: they are computed only if rows of rounding may be the reason of an error. */
static double measure(trmi_linear *lin, const double *b) {
  residual(lin, b);
  const double own = worst_row(lin, 0.0, 0.0);
  if (own <= lin->good_error || isnan(own)) return own;
  trmi_linear_weigh(lin);
  const bool is_iterated = lin->good_error > trmi_good_error;
  const double zero = is_iterated ? fmax(zero_size, rounding / lin->good_error) : zero_size;
  return worst_beside_largest(lin, zero);
}

static void multiply_by(const double *scale, int n, double *b) {
  for (int i = 0; i < n && b != NULL; i++) b[i] *= scale[i];
}

/* In place with the present factors, (2); b2 may be NULL. */
static void solve_both(trmi_linear *lin, double *b1, double *b2) {
  const int n = lin->plan->is_scaled ? lin->plan->n : 0;
  multiply_by(lin->row_scale, n, b1);
  multiply_by(lin->row_scale, n, b2);
  lin->ops->solve(lin, b1, b2);
  multiply_by(lin->col_scale, n, b1);
  multiply_by(lin->col_scale, n, b2);
}

/* x from b with the present factors, measured and refined. */
static double solve_measured(trmi_linear *lin, const double *b) {
  const int n = lin->plan->n;
  const int most = lin->plan->nborder > 0 ? REFINEMENTS_BORDER : REFINEMENTS_MAX;
  const int least = is_raised(lin->plan) ? REFINEMENTS_RAISED : 0;
  memcpy(lin->x, b, (size_t)n * sizeof(double));
  solve_both(lin, lin->x, NULL);
  double error = measure(lin, b);
  lin->refinements = 0;
  for (; lin->refinements < least || (lin->refinements < most && error > lin->good_error);
       lin->refinements++) {
    solve_both(lin, lin->r, NULL);
    for (int i = 0; i < n; i++) lin->x[i] += lin->r[i];
    error = measure(lin, b);
  }
  lin->backward_error = error;
  return error;
}

/* x from b with as many refinements as the first solve needed. */
static void solve_refined(trmi_linear *lin, double *b) {
  const int n = lin->plan->n;
  memcpy(lin->x, b, (size_t)n * sizeof(double));
  solve_both(lin, lin->x, NULL);
  for (int k = 0; k < lin->refinements; k++) {
    residual(lin, b);
    solve_both(lin, lin->r, NULL);
    for (int i = 0; i < n; i++) lin->x[i] += lin->r[i];
  }
  memcpy(b, lin->x, (size_t)n * sizeof(double));
}

/* Enlarge the border, (1); false: it has its largest value. */
static bool raise_border(trmi_linear *lin) {
  trmi_plan *plan = lin->plan;
  if (plan->nborder == 0 || !(plan->border_scale < border_most)) return false;
  plan->border_scale *= border_raise;
  for (int b = 0; b < plan->nborder; b++) plan->border[b] *= border_raise;
  return true;
}

/* The first solve after a factorization decides whether the factors are accurate enough. */
static trm_status solve_first(trmi_linear *lin, double *b, trm_error *err) {
  lin->is_fresh = false;
  double error = solve_measured(lin, b);
  bool stepped = true;
  while (error > usable_error && stepped) {
    /* new pivots if they were old, then the next solver */
    if (lin->has_new_pivots) TRMI_TRY(err, step_down(lin, &stepped, err));
    if (!stepped) break;
    TRMI_TRY(err, factor(lin, true, err));
    lin->is_fresh = false;
    error = solve_measured(lin, b);
  }
  while (error > usable_error && raise_border(lin)) {
    TRMI_TRY(err, factor(lin, true, err));
    lin->is_fresh = false;
    error = solve_measured(lin, b);
  }
  if (error > usable_error && can_fill(lin) && !lin->keeps_rung) {
    TRMI_TRY(err, change_solver(lin, &trmi_solver_dense, err));
    TRMI_TRY(err, factor(lin, true, err));
    lin->is_fresh = false;
    error = solve_measured(lin, b);
  }
  if (isnan(error)) {
    return TRMI_FAIL(err, TRM_RETRY_DOMAIN, NULL,
                     "an entry of a matrix or of a right-hand side is not finite");
  }
  /* No solver reduces errors of other rows below the rounding of the largest row: if redundant rows
   * are inconsistent by rounding, refinement restores this error each time. */
  if (error > usable_error) error = worst_beside_largest(lin, DBL_EPSILON / usable_error);
  if (!(error <= usable_error)) {
    return TRMI_FAIL(err, TRM_RETRY_SINGULAR, NULL,
                     "linear system solved only to a backward error of %.1e: the matrix is "
                     "singular to working precision", error);
  }
  memcpy(b, lin->x, (size_t)lin->plan->n * sizeof(double));
  return TRM_OK;
}

void trmi_linear_terms(trmi_linear *lin, double *terms) {
  const int n = lin->plan->n;
  memset(terms, 0, (size_t)n * sizeof *terms);
  residual(lin, terms);
  trmi_linear_weigh(lin);
  for (int i = 0; i < n; i++) {
    const double diagonal = trmi_linear_diagonal(lin, i);
    terms[i] = diagonal > 0.0 ? lin->size[i] / diagonal : 0.0;
  }
}

trm_status trmi_linear_solve(trmi_linear *lin, double *b, trm_error *err) {
  if (lin->plan->n == 0) return TRM_OK;
  lin->tally->solves++;
  if (lin->is_fresh) return solve_first(lin, b, err);
  if (lin->refinements > 0) {
    solve_refined(lin, b);
  } else {
    solve_both(lin, b, NULL);
  }
  return TRM_OK;
}

trm_status trmi_linear_solve2(trmi_linear *lin, double *b1, double *b2, trm_error *err) {
  if (lin->is_fresh || lin->refinements > 0) {
    TRMI_TRY(err, trmi_linear_solve(lin, b1, err));
    TRMI_TRY(err, trmi_linear_solve(lin, b2, err));
    return TRM_OK;
  }
  if (lin->plan->n == 0) return TRM_OK;
  lin->tally->solves += 2;
  solve_both(lin, b1, b2);
  return TRM_OK;
}
