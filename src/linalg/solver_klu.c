/* solver_klu.c - sparse LU by KLU [DavisKLU].
 *
 * The order of elimination is that of order.c, by which every diagonal entry is a
 * usable pivot: a diagonal pivot is taken unless it is a thousand times smaller than
 * its column, and refinement (linear.c) makes up for it. Where that does not serve
 * (new pivots are asked for a second time), AMD orders and the pivot tolerance is
 * 0.1. No block triangular form and no scaling: they cost digits on these matrices. */
#include "linalg/klu_settings.h"
#include "linalg/linear.h"

static void release(trmi_linear *lin) {
  trmi_klu *klu = lin->content;
  klu_free_numeric(&klu->numeric, &klu->common);
  klu_free_symbolic(&klu->symbolic, &klu->common);
  klu_common common;
  klu_defaults(&common);
  klu_free(klu, 1, sizeof *klu, &common);
}

/* Order of unknowns from the order of nodes, for rows and columns alike. */
static trm_status analyze_nodes(trmi_linear *lin, trm_error *err) {
  trmi_klu *klu = lin->content;
  const trmi_plan *plan = lin->plan;
  trmi_arena arena;
  trmi_arena_init(&arena, &lin->allocator);
  int *unknown = TRMI_TAKE(&arena, int, plan->n);
  trm_status status = trmi_arena_check(&arena, err);
  if (status == TRM_OK) {
    status = trmi_order_unknowns(&plan->nodes, plan->Ap, plan->Ai, unknown, &lin->allocator, err);
  }
  if (status == TRM_OK) klu->symbolic = trmi_klu_analyze(plan, unknown, &klu->common);
  trmi_arena_clear(&arena);
  TRMI_TRY(err, status);
  return TRM_OK;
}

/* Ordering of the pattern; `is_general` says which. */
static trm_status order_pattern(trmi_linear *lin, bool is_general, trm_error *err) {
  trmi_klu *klu = lin->content;
  const trmi_plan *plan = lin->plan;
  klu_free_numeric(&klu->numeric, &klu->common);
  klu_free_symbolic(&klu->symbolic, &klu->common);
  klu->is_general = is_general || plan->nodes.count == 0;
  if (klu->is_general) {
    klu->symbolic = trmi_klu_analyze(plan, NULL, &klu->common);
  } else {
    TRMI_TRY(err, analyze_nodes(lin, err));
  }
  if (klu->symbolic != NULL) return TRM_OK;
  if (klu->common.status == KLU_OUT_OF_MEMORY) {
    return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "not enough memory to analyze a matrix of %d "
                                                "unknowns",
                     plan->n);
  }
  return TRMI_FAIL(err, TRM_ERR_SINGULAR, NULL, "a matrix of %d unknowns cannot be analyzed",
                   plan->n);
}

static trm_status analyze(trmi_linear *lin, trm_error *err) {
  TRMI_TRY(err, trmi_klu_create(&lin->content, err));
  TRMI_TRY(err, order_pattern(lin, false, err));
  return TRM_OK;
}

/* The pattern in the order of elimination: for each unknown those before it that share an entry
 * with it, some of them twice. */
typedef struct coupling {
  int *first; /* [n + 1] */
  int *early;
} coupling;

static coupling list_couplings(const trmi_plan *plan, const int *rank, trmi_arena *arena) {
  const int n = plan->n;
  coupling c = {.first = TRMI_TAKE(arena, int, n + 2),
                .early = TRMI_TAKE(arena, int, plan->Ap[n])};
  for (int pass = 0; pass < 2 && !arena->failed; pass++) {
    for (int j = 0; j < n; j++) {
      for (int k = plan->Ap[j]; k < plan->Ap[j + 1]; k++) {
        const int a = rank[plan->Ai[k]], b = rank[j];
        const int early = a < b ? a : b, late = a < b ? b : a;
        if (a == b) continue;
        if (pass == 0) c.first[late + 2]++;
        else c.early[c.first[late + 1]++] = early;
      }
    }
    for (int i = 0; pass == 0 && i < n; i++) c.first[i + 2] += c.first[i + 1];
  }
  return c;
}

/* Entries below the diagonal in each column of L with diagonal pivots. Row i of L has the unknowns
 * on the paths of the elimination tree from its own entries towards i [DavisLDL]. */
static trm_status count_columns(const trmi_plan *plan, trmi_arena *arena, int **below,
                                trm_error *err) {
  const int n = plan->n;
  int *unknown = TRMI_TAKE(arena, int, n), *rank = TRMI_TAKE(arena, int, n);
  int *parent = TRMI_TAKE(arena, int, n), *mark = TRMI_TAKE(arena, int, n);
  *below = TRMI_TAKE(arena, int, n);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  TRMI_TRY(err, trmi_order_unknowns(&plan->nodes, plan->Ap, plan->Ai, unknown, &arena->allocator,
                                    err));
  for (int k = 0; k < n; k++) rank[unknown[k]] = k;
  const coupling c = list_couplings(plan, rank, arena);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  for (int i = 0; i < n; i++) {
    mark[i] = i;
    parent[i] = -1;
    for (int e = c.first[i]; e < c.first[i + 1]; e++) {
      for (int k = c.early[e]; mark[k] != i; k = parent[k]) {
        if (parent[k] < 0) parent[k] = i;
        (*below)[k]++;
        mark[k] = i;
      }
    }
  }
  return TRM_OK;
}

trm_status trmi_klu_count(const trmi_plan *plan, const trm_allocator *allocator, double *entries,
                          double *operations, trm_error *err) {
  int *below = NULL;
  trmi_arena arena;
  trmi_arena_init(&arena, allocator);
  const trm_status status = count_columns(plan, &arena, &below, err);
  *entries = *operations = 0.0;
  for (int k = 0; k < plan->n && status == TRM_OK; k++) {
    const double rows = below[k];
    *entries += 2.0 * (rows + 1.0);
    *operations += rows + 2.0 * rows * rows;
  }
  trmi_arena_clear(&arena);
  TRMI_TRY(err, status);
  return TRM_OK;
}

static trm_status report(trmi_linear *lin, trm_error *err) {
  const trmi_klu *klu = lin->content;
  if (klu->common.status == KLU_OUT_OF_MEMORY) {
    return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "not enough memory to factor a matrix of %d "
                                                "unknowns",
                     lin->plan->n);
  }
  lin->bad_column = klu->common.status == KLU_SINGULAR ? klu->common.singular_col : -1;
  return TRMI_FAIL(err, TRM_RETRY_SINGULAR, NULL, "no pivot in column %d of %d", lin->bad_column,
                   lin->plan->n);
}

static trm_status factor(trmi_linear *lin, bool new_pivots, trm_error *err) {
  trmi_klu *klu = lin->content;
  const trmi_plan *plan = lin->plan;
  const double *Ax = trmi_linear_columns(lin);
  if (!new_pivots) {
    if (klu_refactor(plan->Ap, plan->Ai, (double *)Ax, klu->symbolic, klu->numeric,
                     &klu->common)) {
      return TRM_OK;
    }
    return report(lin, err);
  }
  if (lin->wants_general && !klu->is_general) TRMI_TRY(err, order_pattern(lin, true, err));
  klu_free_numeric(&klu->numeric, &klu->common);
  klu->numeric = klu_factor(plan->Ap, plan->Ai, (double *)Ax, klu->symbolic, &klu->common);
  if (klu->numeric == NULL || klu->common.status != KLU_OK) return report(lin, err);
  return TRM_OK;
}

static void solve(trmi_linear *lin, double *b1, double *b2) {
  trmi_klu *klu = lin->content;
  klu_solve(klu->symbolic, klu->numeric, lin->plan->n, 1, b1, &klu->common);
  if (b2 != NULL) klu_solve(klu->symbolic, klu->numeric, lin->plan->n, 1, b2, &klu->common);
}

static long entries(const trmi_linear *lin) {
  const trmi_klu *klu = lin->content;
  return klu->numeric != NULL ? (long)klu->numeric->lnz + (long)klu->numeric->unz : 0;
}

const trmi_solver_ops trmi_solver_klu = {
    .name = "klu",
    .analyze = analyze,
    .factor = factor,
    .solve = solve,
    .entries = entries,
    .free = release,
    .measure_every = 1,
};
