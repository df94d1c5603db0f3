/* solver_klu.c - sparse LU by KLU [DavisKLU].
 *
 * Settings: AMD ordering, no block triangular form, no scaling, pivot tolerance
 * 0.1. KLU's own tolerance of 0.001 costs three to four digits here. */
#include "linalg/linear.h"
#include <klu.h>

typedef struct klu_content {
  klu_common    common;
  klu_symbolic *symbolic;
  klu_numeric  *numeric;
} klu_content;

static void release(trmi_linear *lin) {
  klu_content *klu = lin->content;
  klu_free_numeric(&klu->numeric, &klu->common);
  klu_free_symbolic(&klu->symbolic, &klu->common);
  klu_common common;
  klu_defaults(&common);
  klu_free(klu, 1, sizeof *klu, &common);
}

static trm_status analyze(trmi_linear *lin, trm_error *err) {
  klu_common common;
  klu_defaults(&common);
  klu_content *klu = klu_malloc(1, sizeof *klu, &common);
  if (klu == NULL) return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "no room for the sparse solver");
  *klu = (klu_content){.common = common};
  klu->common.ordering = 0;
  klu->common.btf = 0;
  klu->common.scale = 0;
  klu->common.tol = 0.1;
  lin->content = klu;
  const trmi_plan *plan = lin->plan;
  klu->symbolic = klu_analyze(plan->n, plan->Ap, plan->Ai, &klu->common);
  if (klu->symbolic == NULL) {
    if (klu->common.status == KLU_OUT_OF_MEMORY) {
      return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "no room to analyze a matrix of %d unknowns",
                       plan->n);
    }
    return TRMI_FAIL(err, TRM_ERR_SINGULAR, NULL, "a matrix of %d unknowns cannot be analyzed",
                     plan->n);
  }
  return TRM_OK;
}

static trm_status report(trmi_linear *lin, trm_error *err) {
  const klu_content *klu = lin->content;
  if (klu->common.status == KLU_OUT_OF_MEMORY) {
    return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "no room to factor a matrix of %d unknowns",
                     lin->plan->n);
  }
  lin->bad_column = klu->common.status == KLU_SINGULAR ? klu->common.singular_col : -1;
  return TRMI_FAIL(err, TRM_RETRY_SINGULAR, NULL, "no pivot in column %d of %d", lin->bad_column,
                   lin->plan->n);
}

static trm_status factor(trmi_linear *lin, const double *Ax, bool new_pivots, trm_error *err) {
  klu_content *klu = lin->content;
  const trmi_plan *plan = lin->plan;
  if (!new_pivots) {
    if (klu_refactor(plan->Ap, plan->Ai, (double *)Ax, klu->symbolic, klu->numeric,
                     &klu->common)) {
      return TRM_OK;
    }
    return report(lin, err);
  }
  klu_free_numeric(&klu->numeric, &klu->common);
  klu->numeric = klu_factor(plan->Ap, plan->Ai, (double *)Ax, klu->symbolic, &klu->common);
  if (klu->numeric == NULL || klu->common.status != KLU_OK) return report(lin, err);
  return TRM_OK;
}

static void solve(trmi_linear *lin, double *b) {
  klu_content *klu = lin->content;
  klu_solve(klu->symbolic, klu->numeric, lin->plan->n, 1, b, &klu->common);
}

static long entries(const trmi_linear *lin) {
  const klu_content *klu = lin->content;
  return klu->numeric != NULL ? (long)klu->numeric->lnz + (long)klu->numeric->unz : 0;
}

const trmi_solver_ops trmi_solver_klu = {
    .name = "klu",
    .analyze = analyze,
    .factor = factor,
    .solve = solve,
    .entries = entries,
    .free = release,
};
