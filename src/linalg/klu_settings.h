/* klu_settings.h - settings of KLU, real and complex: AMD orders, no block triangular form, no
 * scaling; the latter two cost digits on these matrices. */
#ifndef TRMI_KLU_SETTINGS_H
#define TRMI_KLU_SETTINGS_H
#include "linalg/plan.h"
#include <klu.h>

typedef struct trmi_klu {
  klu_common    common;
  klu_symbolic *symbolic;
  klu_numeric  *numeric;
  bool          is_general; /* ordered by AMD */
} trmi_klu;

static inline void trmi_klu_settings(klu_common *common) {
  klu_defaults(common);
  common->ordering = 0;
  common->btf = 0;
  common->scale = 0;
}

/* A solver without factors, in memory from KLU. */
static inline trm_status trmi_klu_create(void **out, trm_error *err) {
  klu_common common;
  trmi_klu_settings(&common);
  trmi_klu *klu = klu_malloc(1, sizeof *klu, &common);
  if (klu == NULL) return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "not enough memory for the sparse "
                                                               "solver");
  *klu = (trmi_klu){.common = common};
  *out = klu;
  return TRM_OK;
}

/* Order the unknowns of a plan by `order` (trmi_order_unknowns), which follows the nodes and needs
 * few pivot exchanges; NULL: by AMD, with pivots wherever they are better. Returns NULL on failure,
 * see common->status. */
static inline klu_symbolic *trmi_klu_analyze(const trmi_plan *plan, int *order,
                                             klu_common *common) {
  common->tol = order == NULL ? 0.1 : 1e-3;
  return order == NULL ? klu_analyze(plan->n, plan->Ap, plan->Ai, common)
                       : klu_analyze_given(plan->n, plan->Ap, plan->Ai, order, order, common);
}

#endif
