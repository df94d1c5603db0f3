/* directional.c - changes of operations along one direction, forward through a tape:
 *   y = f(a, b, c),   dy = f_a da + f_b db + f_c dc                                         (1)
 * Comparisons and pieces have no change: they are constant except at isolated points. */
#include "expr/directional.h"
#include "expr/tape_internal.h"
#include <math.h>
#include <string.h>

/* Arguments of an operation with their changes, and its value. */
typedef struct operands {
  double a, b, c, da, db, dc, value;
} operands;

/* f' da of a function of one argument */
static double function_change(trmi_op op, const operands *o) {
  const double a = o->a, f = o->value;
  switch (op) {
  case TRMI_OP_SQRT: return 0.5 / f * o->da;
  case TRMI_OP_EXP: return f * o->da;
  case TRMI_OP_LOG: return o->da / a;
  case TRMI_OP_SIN: return cos(a) * o->da;
  case TRMI_OP_COS: return -sin(a) * o->da;
  case TRMI_OP_TAN: return (1.0 + f * f) * o->da;
  case TRMI_OP_ASIN: return o->da / sqrt(1.0 - a * a);
  case TRMI_OP_ACOS: return -o->da / sqrt(1.0 - a * a);
  case TRMI_OP_ATAN: return o->da / (1.0 + a * a);
  case TRMI_OP_SINH: return cosh(a) * o->da;
  case TRMI_OP_COSH: return sinh(a) * o->da;
  case TRMI_OP_TANH: return (1.0 - f * f) * o->da;
  case TRMI_OP_ASINH: return o->da / sqrt(a * a + 1.0);
  case TRMI_OP_ACOSH: return o->da / sqrt(a * a - 1.0);
  case TRMI_OP_ATANH: return o->da / (1.0 - a * a);
  default: return 0.0; /* comparisons and pieces */
  }
}

static double change_of(trmi_op op, const operands *o) {
  switch (op) {
  case TRMI_OP_ADD: return o->da + o->db;
  case TRMI_OP_SUB: return o->da - o->db;
  case TRMI_OP_MUL: return o->da * o->b + o->a * o->db;
  case TRMI_OP_DIV: return (o->da - o->value * o->db) / o->b;
  case TRMI_OP_NEG: return -o->da;
  case TRMI_OP_SELECT: return o->a != 0.0 ? o->db : o->dc;
  case TRMI_OP_ATAN2: return (o->b * o->da - o->a * o->db) / (o->a * o->a + o->b * o->b);
  case TRMI_OP_POW: {
    const double of_a = o->da != 0.0 ? o->b * pow(o->a, o->b - 1.0) * o->da : 0.0;
    return of_a + (o->db != 0.0 ? o->value * log(o->a) * o->db : 0.0);
  }
  default: return o->da != 0.0 ? function_change(op, o) : 0.0;
  }
}

static double curve_change(const trmi_spline *const *curves, int tag, double a, double da) {
  const int order = tag % 8 - 1;
  return da != 0.0 && order < 3 ? trmi_spline_at(curves[tag / 8], order + 1, a) * da : 0.0;
}

void trmi_prologue_tangent(const trmi_prologue *p, trmi_live_rate rate, const void *self,
                           double *change) {
  for (int i = 0; i < p->nfolds; i++) {
    const trmi_fold_step *s = &p->folds[i];
    if (s->live != NULL) {
      change[i] = rate(self, s->live);
      continue;
    }
    /* plain constants follow the folds */
    const operands o = {.a = p->value[s->a], .b = p->value[s->b], .c = p->value[s->c],
                        .da = s->a < p->nfolds ? change[s->a] : 0.0,
                        .db = trmi_arity[s->op] > 1 && s->b < p->nfolds ? change[s->b] : 0.0,
                        .dc = trmi_arity[s->op] > 2 && s->c < p->nfolds ? change[s->c] : 0.0,
                        .value = p->value[i]};
    change[i] = s->op == TRMI_OP_SPLINE ? curve_change(p->curves, s->tag, o.a, o.da)
                                       : change_of(s->op, &o);
  }
}

static void run_changes(const trmi_tape *tape, const trmi_run *run, double *change) {
  const double *r = tape->value;
  const int arity = trmi_arity[run->op], stride = arity + trmi_has_tag(run->op);
  for (int i = 0; i < run->count; i++) {
    const int *code = tape->code + run->code + i * stride;
    const int b = arity > 1 ? code[1] : code[0], c = arity > 2 ? code[2] : code[0];
    const operands o = {.a = r[code[0]], .b = r[b], .c = r[c], .da = change[code[0]],
                        .db = arity > 1 ? change[b] : 0.0, .dc = arity > 2 ? change[c] : 0.0,
                        .value = r[run->slot + i]};
    change[run->slot + i] = run->op == TRMI_OP_SPLINE
                                ? curve_change(tape->curves, code[1], o.a, o.da)
                                : change_of(run->op, &o);
  }
}

void trmi_tape_tangent(const trmi_tape *tape, uint64_t groups, const double *of_folds,
                       double *change) {
  memset(change + tape->nsymbols, 0, (size_t)(tape->nslots - tape->nsymbols) * sizeof *change);
  for (int i = 0; i < tape->prologue.nfolds; i++) {
    const int slot = tape->prologue.folds[i].slot;
    if (slot >= 0) change[slot] = of_folds[i];
  }
  for (int i = 0; i < tape->nsegments; i++) {
    const trmi_segment *segment = &tape->segments[i];
    if ((segment->groups & groups) == 0) continue;
    for (int k = 0; k < segment->nruns; k++) {
      run_changes(tape, &tape->runs[segment->run + k], change);
    }
  }
}
