/* tape_run.c - evaluates a tape: one loop for each run of equal operations. */
#include "expr/tape.h"
#include "expr/tape_internal.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

const unsigned char trmi_arity[TRMI_OPS] = {
  [TRMI_OP_ADD] = 2,   [TRMI_OP_SUB] = 2,   [TRMI_OP_MUL] = 2,   [TRMI_OP_DIV] = 2,
  [TRMI_OP_NEG] = 1,   [TRMI_OP_SQRT] = 1,  [TRMI_OP_EXP] = 1,   [TRMI_OP_LOG] = 1,
  [TRMI_OP_SIN] = 1,   [TRMI_OP_COS] = 1,   [TRMI_OP_TAN] = 1,   [TRMI_OP_ASIN] = 1,
  [TRMI_OP_ACOS] = 1,  [TRMI_OP_ATAN] = 1,  [TRMI_OP_SINH] = 1,  [TRMI_OP_COSH] = 1,
  [TRMI_OP_TANH] = 1,  [TRMI_OP_ASINH] = 1, [TRMI_OP_ACOSH] = 1, [TRMI_OP_ATANH] = 1,
  [TRMI_OP_ATAN2] = 2, [TRMI_OP_POW] = 2,   [TRMI_OP_LESS] = 2,  [TRMI_OP_LESS_EQUAL] = 2,
  [TRMI_OP_FLOOR] = 1,
  [TRMI_OP_EQUAL] = 2, [TRMI_OP_SELECT] = 3, [TRMI_OP_SPLINE] = 1, [TRMI_OP_PIECE] = 1,
};

void trmi_tape_set(trmi_tape *tape, int first, int count, const double *values) {
  if (count > 0) trmi_tape_set_for(tape, ~UINT64_C(0), first, count, values);
}

bool trmi_tape_renew(trmi_tape *tape) {
  trmi_prologue *p = &tape->prologue;
  if (!trmi_prologue_run(p)) return false;
  for (int i = 0; i < p->nfolds; i++) {
    if (p->folds[i].slot >= 0) tape->value[p->folds[i].slot] = p->value[i];
  }
  tape->done = 0;
  return true;
}

/* The loops of a run; arguments are A, B, C. */
#define EACH1(expression)                                                   \
  for (int i = 0; i < n; i++, code += 1) {                                  \
    const double A = r[code[0]];                                            \
    out[i] = (expression);                                                  \
  }                                                                         \
  break
#define EACH2(expression)                                                   \
  for (int i = 0; i < n; i++, code += 2) {                                  \
    const double A = r[code[0]], B = r[code[1]];                            \
    out[i] = (expression);                                                  \
  }                                                                         \
  break
#define EACH3(expression)                                                   \
  for (int i = 0; i < n; i++, code += 3) {                                  \
    const double A = r[code[0]], B = r[code[1]], C = r[code[2]];            \
    out[i] = (expression);                                                  \
  }                                                                         \
  break
#define EACH_CURVE(function)                                                \
  for (int i = 0; i < n; i++, code += 2) {                                  \
    out[i] = function(tape->curves[code[1] / 8], code[1] % 8 - 1, r[code[0]]); \
  }                                                                         \
  break

static void execute(trmi_tape *tape, const trmi_run *run) {
  const double *r = tape->value;
  const int *code = tape->code + run->code;
  double *out = tape->value + run->slot;
  const int n = run->count;
  switch (run->op) {
  case TRMI_OP_ADD: EACH2(A + B);
  case TRMI_OP_SUB: EACH2(A - B);
  case TRMI_OP_MUL: EACH2(A * B);
  case TRMI_OP_DIV: EACH2(A / B);
  case TRMI_OP_NEG: EACH1(-A);
  case TRMI_OP_SQRT: EACH1(sqrt(A));
  case TRMI_OP_EXP: EACH1(exp(A));
  case TRMI_OP_LOG: EACH1(log(A));
  case TRMI_OP_SIN: EACH1(sin(A));
  case TRMI_OP_COS: EACH1(cos(A));
  case TRMI_OP_TAN: EACH1(tan(A));
  case TRMI_OP_ASIN: EACH1(asin(A));
  case TRMI_OP_ACOS: EACH1(acos(A));
  case TRMI_OP_ATAN: EACH1(atan(A));
  case TRMI_OP_SINH: EACH1(sinh(A));
  case TRMI_OP_COSH: EACH1(cosh(A));
  case TRMI_OP_TANH: EACH1(tanh(A));
  case TRMI_OP_ASINH: EACH1(asinh(A));
  case TRMI_OP_ACOSH: EACH1(acosh(A));
  case TRMI_OP_ATANH: EACH1(atanh(A));
  case TRMI_OP_FLOOR: EACH1(floor(A));
  case TRMI_OP_ATAN2: EACH2(atan2(A, B));
  case TRMI_OP_POW: EACH2(pow(A, B));
  case TRMI_OP_LESS: EACH2(A < B ? 1.0 : 0.0);
  case TRMI_OP_LESS_EQUAL: EACH2(A <= B ? 1.0 : 0.0);
  case TRMI_OP_EQUAL: EACH2(A == B ? 1.0 : 0.0);
  case TRMI_OP_SELECT: EACH3(A != 0.0 ? B : C);
  case TRMI_OP_SPLINE: EACH_CURVE(trmi_spline_at);
  case TRMI_OP_PIECE: EACH_CURVE(trmi_spline_piece);
  case TRMI_OP_CONSTANT:
  case TRMI_OP_SYMBOL:
  case TRMI_OP_LIVE:
  case TRMI_OPS: break;
  }
}

void trmi_tape_run(trmi_tape *tape, uint64_t groups) {
  for (int i = 0; i < tape->nsegments; i++) {
    const trmi_segment *segment = &tape->segments[i];
    if ((segment->groups & groups) == 0 || (segment->groups & tape->done) != 0) continue;
    for (int k = 0; k < segment->nruns; k++) execute(tape, &tape->runs[segment->run + k]);
  }
  tape->done |= groups;
}

/* The failure of an operation, as a clause. */
static void describe(trmi_op op, double a, double b, char *text, size_t size) {
  switch (op) {
  case TRMI_OP_DIV:
    snprintf(text, size, b == 0.0 ? "%.6g is divided by zero" : "%.6g/%.6g is too large", a, b);
    break;
  case TRMI_OP_SQRT: snprintf(text, size, "the root of %.6g is taken", a); break;
  case TRMI_OP_LOG: snprintf(text, size, "the logarithm of %.6g is taken", a); break;
  case TRMI_OP_ASIN: snprintf(text, size, "asin of %.6g is taken", a); break;
  case TRMI_OP_ACOS: snprintf(text, size, "acos of %.6g is taken", a); break;
  case TRMI_OP_ACOSH: snprintf(text, size, "acosh of %.6g is taken", a); break;
  case TRMI_OP_ATANH: snprintf(text, size, "atanh of %.6g is taken", a); break;
  case TRMI_OP_POW: snprintf(text, size, "%.6g is raised to %.6g", a, b); break;
  default: snprintf(text, size, "the result exceeds 1e308"); break;
  }
}

/* The run that computes a slot, or NULL for inputs and constants. */
static const trmi_run *run_of(const trmi_tape *tape, int slot) {
  for (int i = 0; i < tape->nruns; i++) {
    const trmi_run *run = &tape->runs[i];
    if (slot >= run->slot && slot < run->slot + run->count) return run;
  }
  return NULL;
}

bool trmi_tape_blame(const trmi_tape *tape, int slot, char *text, size_t size, trmi_place *place) {
  for (const trmi_run *run; (run = run_of(tape, slot)) != NULL;) {
    const int arity = trmi_arity[run->op], stride = arity + trmi_has_tag(run->op);
    const int *code = tape->code + run->code + (slot - run->slot) * stride;

    /* go back to an argument that is already not finite; for a choice, to the chosen one */
    int culprit = -1;
    for (int k = arity - 1; k >= 0; k--) {
      if (!isfinite(tape->value[code[k]])) culprit = code[k];
    }
    if (run->op == TRMI_OP_SELECT) culprit = code[tape->value[code[0]] != 0.0 ? 1 : 2];
    if (culprit < 0) {
      describe(run->op, tape->value[code[0]], arity > 1 ? tape->value[code[1]] : 0.0, text, size);
      *place = tape->place[slot];
      return true;
    }
    slot = culprit;
  }
  return false;
}
