/* assembly_marks.c - times at which laws of the time change, from those of all contributors. */
#include "assembly/assembly_internal.h"

trm_status trmi_assembly_next_mark(void *self, const trm_state *s, double *mark, trm_error *err) {
  const trmi_assembly *a = self;
  for (int i = 0; i < a->count; i++) {
    const trmi_contributor *c = &a->list[i];
    if (c->ops->next_mark == NULL) continue;
    TRMI_TRY(err, c->ops->next_mark(c->self, s, mark, err));
  }
  return TRM_OK;
}

bool trmi_assembly_is_pulse(const void *self, double t) {
  const trmi_assembly *a = self;
  for (int i = 0; i < a->count; i++) {
    const trmi_contributor *c = &a->list[i];
    if (c->ops->is_pulse != NULL && c->ops->is_pulse(c->self, t)) return true;
  }
  return false;
}
