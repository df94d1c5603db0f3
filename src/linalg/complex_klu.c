/* complex_klu.c - large complex matrices by KLU [DavisKLU], see complex.h. */
#include "linalg/complex.h"
#include "linalg/klu_settings.h"

/* Old pivots whose growth is worse than this are given up, see klu_z_rgrowth. */
static const double growth_min = 1e-8;

static trm_status order_pattern(trmi_complex *m, bool is_general, trm_error *err) {
  trmi_klu *klu = m->content;
  const trmi_plan *plan = m->plan;
  klu_z_free_numeric(&klu->numeric, &klu->common);
  klu_free_symbolic(&klu->symbolic, &klu->common);
  klu->is_general = is_general || plan->nodes.count == 0;
  klu->symbolic = trmi_klu_analyze(plan, klu->is_general ? NULL : m->pivot, &klu->common);
  if (klu->symbolic != NULL) return TRM_OK;
  return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "not enough memory to analyze a matrix of %d "
                                              "unknowns", m->n);
}

static trm_status init_sparse(trmi_complex *m, trmi_arena *arena, trm_error *err) {
  const trmi_plan *plan = m->plan;
  m->b = TRMI_TAKE(arena, double, 2 * (size_t)m->n);
  m->pivot = TRMI_TAKE(arena, int, m->n);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  if (plan->nodes.count > 0) {
    TRMI_TRY(err, trmi_order_unknowns(&plan->nodes, plan->Ap, plan->Ai, m->pivot,
                                      &arena->allocator, err));
  }
  TRMI_TRY(err, trmi_klu_create(&m->content, err));
  TRMI_TRY(err, order_pattern(m, false, err));
  return TRM_OK;
}

/* With old pivots as long as they serve, then with new ones, then in a general order. */
static trm_status factor_sparse(trmi_complex *m, trm_error *err) {
  trmi_klu *klu = m->content;
  int *Ap = m->plan->Ap, *Ai = m->plan->Ai;
  if (m->has_pivots && klu_z_refactor(Ap, Ai, m->Ax, klu->symbolic, klu->numeric, &klu->common) &&
      klu_z_rgrowth(Ap, Ai, m->Ax, klu->symbolic, klu->numeric, &klu->common) &&
      klu->common.rgrowth > growth_min) {
    return TRM_OK;
  }
  for (;;) {
    klu_z_free_numeric(&klu->numeric, &klu->common);
    klu->numeric = klu_z_factor(Ap, Ai, m->Ax, klu->symbolic, &klu->common);
    m->has_pivots = klu->numeric != NULL && klu->common.status == KLU_OK;
    if (m->has_pivots) return TRM_OK;
    if (klu->common.status == KLU_OUT_OF_MEMORY) {
      return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "not enough memory to factor a matrix of %d "
                                                  "unknowns",
                       m->n);
    }
    if (klu->is_general) break;
    TRMI_TRY(err, order_pattern(m, true, err));
  }
  m->bad_column = klu->common.status == KLU_SINGULAR ? klu->common.singular_col : -1;
  return TRMI_FAIL(err, TRM_RETRY_SINGULAR, NULL, "no pivot in column %d of %d", m->bad_column,
                   m->n);
}

static void solve_sparse(trmi_complex *m) {
  trmi_klu *klu = m->content;
  klu_z_solve(klu->symbolic, klu->numeric, m->n, 1, m->b, &klu->common);
}

static void release(trmi_complex *m) {
  trmi_klu *klu = m->content;
  klu_z_free_numeric(&klu->numeric, &klu->common);
  klu_free_symbolic(&klu->symbolic, &klu->common);
  klu_common common;
  klu_defaults(&common);
  klu_free(klu, 1, sizeof *klu, &common);
}

const trmi_complex_sparse trmi_complex_klu = {
    .init = init_sparse, .factor = factor_sparse, .solve = solve_sparse, .free = release};
