/* prologue.c - lays out and runs the folds of a graph. */
#include "expr/prologue.h"
#include "expr/graph_internal.h"
#include "expr/tape_internal.h"
#include <math.h>
#include <string.h>

static bool is_comparison(trmi_op op) {
  return op == TRMI_OP_LESS || op == TRMI_OP_LESS_EQUAL || op == TRMI_OP_EQUAL;
}

/* Is it an operation on numbers of which one is live? */
static bool is_fold(const trmi_graph *g, trmi_node n) {
  const trmi_vertex *v = &g->nodes[n];
  const trmi_node arguments[3] = {v->a, v->b, v->c};
  bool is_live = v->op == TRMI_OP_LIVE;
  for (int k = 0; k < trmi_arity[v->op]; k++) {
    if (!trmi_is_constant(g, arguments[k])) return false;
    is_live = is_live || trmi_is_live(g, arguments[k]);
  }
  return is_live;
}

/* Data during layout. */
typedef struct layout {
  const trmi_graph *g;
  trmi_prologue    *p;
  int              *place; /* of a fold or plain constant in `value`, -1: not yet */
  int               count;
} layout;

static int place_of(layout *l, trmi_node constant) {
  const trmi_vertex *v = &l->g->nodes[constant];
  if (v->tag != 0) return l->place[v->tag - 1];
  if (l->place[constant] >= 0) return l->place[constant];
  l->p->value[l->count] = v->value;
  return l->place[constant] = l->count++;
}

static void lay_fold(layout *l, trmi_node n, int i) {
  const trmi_vertex *v = &l->g->nodes[n];
  trmi_fold_step *step = &l->p->folds[i];
  l->place[n] = i;
  *step = (trmi_fold_step){.op = v->op, .tag = v->tag, .slot = -1, .node = n,
                           .keeps = !l->g->keeps_zero || is_comparison(v->op)};
  if (v->op == TRMI_OP_LIVE) {
    memcpy(&step->live, &v->value, sizeof step->live);
    l->p->value[i] = *step->live;
  } else {
    const int arity = trmi_arity[v->op];
    step->a = place_of(l, v->a);
    if (arity > 1) step->b = place_of(l, v->b);
    if (arity > 2) step->c = place_of(l, v->c);
    const double *value = l->p->value;
    l->p->value[i] = trmi_apply(l->g, v, value[step->a], value[step->b], value[step->c]) + 0.0;
  }
  step->is_finite = isfinite(l->p->value[i]);
  step->is_zero = l->p->value[i] == 0.0;
}

void trmi_prologue_build(trmi_prologue *p, const trmi_graph *g, const int *slots,
                         trmi_arena *arena, trmi_arena *scratch) {
  *p = (trmi_prologue){.ncurves = g->ncurves};
  for (trmi_node n = 0; n < g->count; n++) p->nfolds += is_fold(g, n);
  if (p->nfolds == 0) return;
  layout l = {.g = g, .p = p, .place = TRMI_TAKE(scratch, int, g->count), .count = p->nfolds};
  p->folds = TRMI_TAKE(arena, trmi_fold_step, p->nfolds);
  p->value = TRMI_TAKE(arena, double, 4 * (size_t)p->nfolds);
  p->curves = TRMI_TAKE(arena, const trmi_spline *, g->ncurves);
  if (arena->failed || scratch->failed) return;
  for (int i = 0; i < g->ncurves; i++) p->curves[i] = g->curves[i];
  for (trmi_node n = 0; n < g->count; n++) l.place[n] = -1;
  int i = 0;
  for (trmi_node n = 0; n < g->count; n++) {
    if (is_fold(g, n)) lay_fold(&l, n, i++);
    if (slots != NULL && trmi_is_live(g, n)) p->folds[l.place[g->nodes[n].tag - 1]].slot = slots[n];
  }
}

int trmi_prologue_step(const trmi_prologue *p, const trmi_graph *g, trmi_node constant) {
  if (!trmi_is_live(g, constant)) return -1;
  const trmi_node wanted = g->nodes[constant].tag - 1;
  int low = 0, high = p->nfolds - 1; /* nodes ascend */
  while (low < high) {
    const int middle = (low + high) / 2;
    if (p->folds[middle].node < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

bool trmi_prologue_run(trmi_prologue *p) {
  const trmi_graph curves = {.curves = p->curves, .ncurves = p->ncurves};
  for (int i = 0; i < p->nfolds; i++) {
    const trmi_fold_step *step = &p->folds[i];
    const trmi_vertex v = {.op = step->op, .tag = step->tag};
    const double value = step->live != NULL ? *step->live
                                            : trmi_apply(&curves, &v, p->value[step->a],
                                                         p->value[step->b], p->value[step->c]);
    p->value[i] = value + 0.0; /* as trmi_constant does */
    if (step->store != NULL) *step->store = p->value[i];
    if (isfinite(value) != step->is_finite) return false;
    if (step->keeps && (value == 0.0) != step->is_zero) return false;
  }
  return true;
}
