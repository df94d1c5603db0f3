/* remarks.c - sentences about a model that its user should read at the start of each run. Doubts
 * are remarks that depend on the start: a node is positive there. */
#include "equations/equations_internal.h"
#include <stdio.h>

static void append(trmi_compiler *b, trmi_remark **list, const char *object, const char *text) {
  trmi_remark *added = TRMI_TAKE(&b->eq->arena, trmi_remark, 1);
  if (added == NULL) return; /* the arena remembers */
  snprintf(added->remark.object, sizeof added->remark.object, "%s", object);
  snprintf(added->remark.text, sizeof added->remark.text, "%s", text);
  while (*list != NULL) list = &(*list)->next;
  *list = added;
}

void trmi_remark_add(trmi_compiler *b, const char *object, const char *text) {
  append(b, &b->eq->remarks, object, text);
}

void trmi_remark_add_if(trmi_compiler *b, const char *object, const char *text,
                        trmi_node condition) {
  append(b, &b->eq->conditional_remarks, object, text);
  trmi_add_entry(b, TRMI_RESULT_REMARK_CONDITIONS, 0, 0, condition);
}

void trmi_remarks_evaluate(trmi_equations *eq) {
  if (eq->conditional_remarks == NULL) return;
  const trmi_entry *entry = eq->entries + eq->group[TRMI_RESULT_REMARK_CONDITIONS];
  trmi_tape_run(&eq->tape, UINT64_C(1) << TRMI_RESULT_REMARK_CONDITIONS);
  for (trmi_remark *r = eq->conditional_remarks; r != NULL; r = r->next, entry++) {
    r->holds = r->holds || eq->tape.value[entry->slot] > 0.0;
  }
}

const trm_remark *trmi_remark_at(const trmi_equations *eq, int i) {
  const trmi_remark *r = eq->remarks;
  for (; r != NULL && i > 0; r = r->next) i--;
  if (r != NULL) return &r->remark;
  for (r = eq->conditional_remarks; r != NULL; r = r->next) {
    if (r->holds && i-- == 0) return &r->remark;
  }
  return NULL;
}
