/* klu_settings.h - how KLU is used, real and complex: AMD orders, no block triangular form, no
 * scaling; both cost digits on these matrices. */
#ifndef TRMI_KLU_SETTINGS_H
#define TRMI_KLU_SETTINGS_H
#include "linalg/plan.h"
#include <klu.h>

static inline void trmi_klu_settings(klu_common *common) {
  klu_defaults(common);
  common->ordering = 0;
  common->btf = 0;
  common->scale = 0;
}

/* Order the unknowns of a plan by `order` (trmi_order_unknowns), which keeps to nodes and needs few
 * pivots; NULL: by AMD, with pivots wherever they are better. Returns NULL on failure, which
 * common->status tells. */
static inline klu_symbolic *trmi_klu_analyze(const trmi_plan *plan, int *order,
                                             klu_common *common) {
  common->tol = order == NULL ? 0.1 : 1e-3;
  return order == NULL ? klu_analyze(plan->n, plan->Ap, plan->Ai, common)
                       : klu_analyze_given(plan->n, plan->Ap, plan->Ai, order, order, common);
}

#endif
