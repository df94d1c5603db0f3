/* remarks.c - sentences about a model for its user. Conditional remarks depend on the start: they
 * hold if a node is positive there. Late ones wait until their node is positive after a step.
 * Values prescribed by motions at the start are stored with them. */
#include "equations/equations_internal.h"
#include "equations/remarks.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static trmi_remark *append(trmi_compiler *b, trmi_remark **list, const char *object,
                           const char *text) {
  trmi_remark *added = TRMI_TAKE(&b->eq->arena, trmi_remark, 1);
  if (added == NULL) return NULL; /* recorded by the arena */
  added->row = -1;
  added->asked = NAN;
  snprintf(added->remark.object, sizeof added->remark.object, "%s", object);
  snprintf(added->remark.text, sizeof added->remark.text, "%s", text);
  while (*list != NULL) list = &(*list)->next;
  *list = added;
  return added;
}

/* A remark with a node to be evaluated. */
static trmi_remark *append_if(trmi_compiler *b, const char *object, const char *text,
                              trmi_node node) {
  trmi_remark *added = append(b, &b->eq->conditional_remarks, object, text);
  if (added != NULL) trmi_add_entry(b, TRMI_RESULT_REMARK_CONDITIONS, 0, 0, node);
  return added;
}

void trmi_remark_add(trmi_compiler *b, const char *object, const char *text) {
  (void)append(b, &b->eq->remarks, object, text);
}

void trmi_remark_add_if(trmi_compiler *b, const char *object, const char *text,
                        trmi_node condition) {
  (void)append_if(b, object, text, condition);
}

void trmi_remark_add_late(trmi_compiler *b, const char *object, const char *text,
                          trmi_node condition) {
  trmi_remark *added = append_if(b, object, text, condition);
  if (added == NULL) return;
  added->is_late = true;
  b->eq->nlate++;
}

void trmi_remark_add_share(trmi_compiler *b, const char *object, const char *format,
                           trmi_node square, double limit) {
  trmi_graph *g = &b->graph;
  const trmi_node above = trmi_sub(g, square, trmi_constant(g, limit * limit));
  for (int is_late = 0; is_late < 2; is_late++) {
    trmi_remark *added = append_if(b, object, "", above);
    if (added == NULL) return;
    added->format = format;
    added->limit = limit;
    added->is_late = is_late == 1;
    b->eq->nlate += is_late;
  }
}

void trmi_remark_add_asked(trmi_compiler *b, int row, trmi_node wanted) {
  trmi_remark *added = append_if(b, "", "", wanted);
  if (added != NULL) added->row = row;
}

double trmi_remark_asked(const trmi_equations *eq, int row) {
  for (const trmi_remark *r = eq->conditional_remarks; r != NULL; r = r->next) {
    if (r->row == row) return r->asked;
  }
  return NAN;
}

/* Values of the nodes, in the order of the list. */
static const trmi_entry *evaluate(trmi_equations *eq) {
  trmi_tape_run(&eq->tape, UINT64_C(1) << TRMI_RESULT_REMARK_CONDITIONS);
  return eq->entries + eq->group[TRMI_RESULT_REMARK_CONDITIONS];
}

/* Does it hold for this value of its condition? */
static void hold(trmi_remark *r, double value) {
  r->holds = true;
  if (r->format == NULL) return;
  const double share = 100.0 * sqrt(value + r->limit * r->limit);
  snprintf(r->remark.text, sizeof r->remark.text, r->format, share);
}

void trmi_remarks_evaluate(trmi_equations *eq) {
  if (eq->conditional_remarks == NULL) return;
  const trmi_entry *entry = evaluate(eq);
  for (trmi_remark *r = eq->conditional_remarks; r != NULL; r = r->next, entry++) {
    const double value = eq->tape.value[entry->slot];
    if (r->row >= 0) r->asked = isnan(r->asked) ? value : r->asked;
    else if (!r->is_late && !r->holds && value > 0.0) hold(r, value);
  }
}

static bool says_same(const trmi_remark *a, const trmi_remark *b) {
  if (strcmp(a->remark.object, b->remark.object) != 0) return false;
  if (a->format != NULL || b->format != NULL) return a->format == b->format;
  return strcmp(a->remark.text, b->remark.text) == 0;
}

/* Was it reported at the start? */
static bool is_known(const trmi_equations *eq, const trmi_remark *late) {
  for (const trmi_remark *r = eq->conditional_remarks; r != NULL; r = r->next) {
    if (!r->is_late && r->holds && says_same(r, late)) return true;
  }
  return false;
}

void trmi_remarks_follow(trmi_equations *eq) {
  if (eq->nlate == 0) return;
  const trmi_entry *entry = evaluate(eq);
  for (trmi_remark *r = eq->conditional_remarks; r != NULL; r = r->next, entry++) {
    if (!r->is_late || r->holds || !(eq->tape.value[entry->slot] > 0.0)) continue;
    hold(r, eq->tape.value[entry->slot]);
    r->is_told = is_known(eq, r);
    eq->nlate--;
  }
}

/* Others with the same content are not reported. */
const trm_remark *trmi_remark_news(trmi_equations *eq) {
  trmi_remark *found = eq->conditional_remarks;
  while (found != NULL && !(found->is_late && found->holds && !found->is_told)) found = found->next;
  if (found == NULL) return NULL;
  for (trmi_remark *r = found; r != NULL; r = r->next) {
    if (!r->is_late || !says_same(r, found)) continue;
    r->is_told = true;
    if (!r->holds) eq->nlate--;
    r->holds = true;
  }
  return &found->remark;
}

void trmi_remarks_clear(trmi_equations *eq) {
  eq->nlate = 0;
  for (trmi_remark *r = eq->conditional_remarks; r != NULL; r = r->next) {
    r->holds = r->is_told = false;
    r->asked = NAN;
    eq->nlate += r->is_late;
  }
}

/* Does an earlier remark that holds at the start report the same kind of share? */
static bool is_said(const trmi_equations *eq, const trmi_remark *share) {
  if (share->format == NULL) return false;
  for (const trmi_remark *r = eq->conditional_remarks; r != share; r = r->next) {
    if (r->holds && !r->is_late && says_same(r, share)) return true;
  }
  return false;
}

const trm_remark *trmi_remark_at(const trmi_equations *eq, int i) {
  const trmi_remark *r = eq->remarks;
  for (; r != NULL && i > 0; r = r->next) i--;
  if (r != NULL) return &r->remark;
  for (r = eq->conditional_remarks; r != NULL; r = r->next) {
    if (r->holds && !r->is_late && !is_said(eq, r) && i-- == 0) return &r->remark;
  }
  return NULL;
}
