/* remarks.c - sentences about a model that its user should read at the start of each run. Doubts
 * are remarks that depend on the start: a node is positive there. */
#include "model/equations_parts.h"
#include <stdio.h>

static void append(trmi_builder *b, trmi_remark **list, const char *object, const char *text) {
  trmi_remark *added = TRMI_TAKE(&b->eq->arena, trmi_remark, 1);
  if (added == NULL) return; /* the arena remembers */
  snprintf(added->remark.object, sizeof added->remark.object, "%s", object);
  snprintf(added->remark.text, sizeof added->remark.text, "%s", text);
  while (*list != NULL) list = &(*list)->next;
  *list = added;
}

void trmi_remark_add(trmi_builder *b, const char *object, const char *text) {
  append(b, &b->eq->remarks, object, text);
}

void trmi_doubt_add(trmi_builder *b, const char *object, const char *text, trmi_node condition) {
  append(b, &b->eq->doubts, object, text);
  trmi_add_entry(b, TRMI_GROUP_DOUBT, 0, 0, condition);
}

void trmi_doubts_look(trmi_equations *eq) {
  if (eq->doubts == NULL) return;
  const trmi_entry *entry = eq->entries + eq->group[TRMI_GROUP_DOUBT];
  trmi_tape_run(&eq->tape, UINT64_C(1) << TRMI_GROUP_DOUBT);
  for (trmi_remark *r = eq->doubts; r != NULL; r = r->next, entry++) {
    r->holds = r->holds || eq->tape.value[entry->slot] > 0.0;
  }
}

const trm_remark *trmi_remark_at(const trmi_equations *eq, int i) {
  const trmi_remark *r = eq->remarks;
  for (; r != NULL && i > 0; r = r->next) i--;
  if (r != NULL) return &r->remark;
  for (r = eq->doubts; r != NULL; r = r->next) {
    if (r->holds && i-- == 0) return &r->remark;
  }
  return NULL;
}
