/* remarks.c - sentences about a model that its user should read at the start of each run. Doubts
 * are remarks that depend on the start: a node is positive there. What motions ask for at the start
 * is kept with them. */
#include "equations/equations_internal.h"
#include "equations/remarks.h"
#include <math.h>
#include <stdio.h>

static void append(trmi_compiler *b, trmi_remark **list, const char *object, const char *text,
                   int row) {
  trmi_remark *added = TRMI_TAKE(&b->eq->arena, trmi_remark, 1);
  if (added == NULL) return; /* the arena remembers */
  added->row = row;
  added->asked = NAN;
  snprintf(added->remark.object, sizeof added->remark.object, "%s", object);
  snprintf(added->remark.text, sizeof added->remark.text, "%s", text);
  while (*list != NULL) list = &(*list)->next;
  *list = added;
}

void trmi_remark_add(trmi_compiler *b, const char *object, const char *text) {
  append(b, &b->eq->remarks, object, text, -1);
}

void trmi_remark_add_if(trmi_compiler *b, const char *object, const char *text,
                        trmi_node condition) {
  append(b, &b->eq->conditional_remarks, object, text, -1);
  trmi_add_entry(b, TRMI_RESULT_REMARK_CONDITIONS, 0, 0, condition);
}

void trmi_remark_add_asked(trmi_compiler *b, int row, trmi_node wanted) {
  append(b, &b->eq->conditional_remarks, "", "", row);
  trmi_add_entry(b, TRMI_RESULT_REMARK_CONDITIONS, 0, 0, wanted);
}

double trmi_remark_asked(const trmi_equations *eq, int row) {
  for (const trmi_remark *r = eq->conditional_remarks; r != NULL; r = r->next) {
    if (r->row == row) return r->asked;
  }
  return NAN;
}

void trmi_remarks_evaluate(trmi_equations *eq) {
  if (eq->conditional_remarks == NULL) return;
  const trmi_entry *entry = eq->entries + eq->group[TRMI_RESULT_REMARK_CONDITIONS];
  trmi_tape_run(&eq->tape, UINT64_C(1) << TRMI_RESULT_REMARK_CONDITIONS);
  for (trmi_remark *r = eq->conditional_remarks; r != NULL; r = r->next, entry++) {
    const double value = eq->tape.value[entry->slot];
    if (r->row < 0) r->holds = r->holds || value > 0.0;
    else if (isnan(r->asked)) r->asked = value;
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
