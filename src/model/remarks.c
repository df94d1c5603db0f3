/* remarks.c - sentences about a model that its user should read at the start of each run. */
#include "model/equations_parts.h"
#include <stdio.h>

void trmi_remark_add(trmi_builder *b, const char *object, const char *text) {
  trmi_remark *added = TRMI_TAKE(&b->eq->arena, trmi_remark, 1);
  if (added == NULL) return; /* the arena remembers */
  snprintf(added->remark.object, sizeof added->remark.object, "%s", object);
  snprintf(added->remark.text, sizeof added->remark.text, "%s", text);
  trmi_remark **last = &b->eq->remarks;
  while (*last != NULL) last = &(*last)->next;
  *last = added;
}
