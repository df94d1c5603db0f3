/* value_derivatives.c - derivatives of the equations with respect to a value, at a fixed state. A
 * stiffness given as a number uses (2), a parameter (1) and (3).
 *
 * With p the value, N(p) all numbers of the model, L(N) the live numbers of the tape and
 * r = tape(L) + native(N) residuals and outputs:
 *   dN/dp    by the operations that compute numbers from parameters, exactly              (1)
 *   dL/dp    of parameters exactly; of numbers that were read from parts by
 *            (L(N + h dN/dp) - L(N - h dN/dp))/(2 h)                                      (2)
 *   d(tape)  by the operations of the prologue and of the tape, exactly                   (3)
 *   d(native)/dp by the same difference as (2)                                            (4)
 * h is 1e-5 of p: for quantities proportional to p, rounding adds 1e-11 and truncation 1e-10.
 * Memory from the start of a run belongs to the state. */
#include "expr/directional.h"
#include "mechanism/blueprint.h"
#include "equations/equations_quantities.h"
#include <math.h>
#include <string.h>

/* Lists of trm_values whose derivatives are computed, in the order of their groups. */
enum { MOTION, ROWS, ROW_RATES, ROW_BIAS, STATES = 6, LISTS = 9 };
static const trmi_result group_of[LISTS] = {TRMI_RESULT_MOTION, TRMI_RESULT_G, TRMI_RESULT_G_RATE,
                                            TRMI_RESULT_G_BIAS, TRMI_RESULT_A_RATE,
                                            TRMI_RESULT_A_BIAS, TRMI_RESULT_D, TRMI_RESULT_W,
                                            TRMI_RESULT_OUTPUTS};

typedef struct work {
  trmi_blueprint  *bp;
  int              value;       /* the value of the derivatives                      */
  const trm_state *s;
  double  step;                 /* h                                                 */
  double *of_numbers;           /* steps of the parameters, (1)                      */
  double *live[2];              /* of the tape at p + h, p - h                       */
  double *native[2];            /* motion, g, g_rate, g_bias, d there                */
  double *loads[2];             /* reported by elements there                        */
  double *of_folds, *of_slots;  /* (3)                                               */
} work;

/* ---- (1) ------------------------------------------------------------------------------------ */

static double change_of(const work *w, int i) {
  const trmi_settable_value *value = &w->bp->values[i];
  if (i == w->value) return 1.0;
  return value->step >= 0 && !value->is_set ? w->of_numbers[value->step] : 0.0;
}

/* Parameters come first among the values. */
static double parameter_rate(const void *self, const double *live) {
  const work *w = self;
  return change_of(w, (int)(live - w->bp->parameters.numbers));
}

/* ---- (2), (4) ------------------------------------------------------------------------------- */

static trm_status evaluate_native(work *w, int side, trm_error *err) {
  trmi_equations *eq = w->bp->eq;
  const trm_sizes *n = &eq->n;
  if (eq->is_alone) return TRM_OK;
  double *g = w->native[side] + n->nv;
  const trm_values out = {.motion = w->native[side], .g = g, .g_rate = g + n->ng,
                          .g_bias = g + 2 * n->ng, .d = n->nx > 0 ? g + 3 * n->ng : NULL};
  TRMI_TRY(err, trmi_assembly_element_values(w->bp->assembly, w->s, &out, err));
  TRMI_TRY(err, trmi_quantities_find(eq, w->s, ~UINT64_C(0), err));
  memcpy(w->loads[side], eq->loads, (size_t)eq->nloads * sizeof(double));
  return TRM_OK;
}

/* Numbers of parts at p + h or p - h; those of parameters, which the tape reads, are unchanged. */
static trm_status evaluate_shifted(work *w, int side, trm_error *err) {
  trmi_blueprint *bp = w->bp;
  const trmi_prologue *p = &bp->eq->tape.prologue;
  const double h = side == 0 ? w->step : -w->step;
  for (int i = 0; i < bp->nvalues; i++) {
    const trmi_settable_value *value = &bp->values[i];
    if (value->target != NULL && value->part != NULL) *value->target += h * change_of(w, i);
  }
  TRMI_TRY(err, trmi_blueprint_renew(bp, err));
  for (int i = 0; i < p->nfolds; i++) {
    if (p->folds[i].live != NULL) w->live[side][i] = *p->folds[i].live;
  }
  return evaluate_native(w, side, err);
}

/* ---- (3) ------------------------------------------------------------------------------------ */

typedef struct live_rates {
  const work *w;
  int         fold; /* of the live number requested next */
} live_rates;

static double live_rate(const void *self, const double *live) {
  live_rates *r = (live_rates *)self;
  const trmi_blueprint *bp = r->w->bp;
  const trmi_prologue *p = &bp->eq->tape.prologue;
  while (p->folds[r->fold].live == NULL) r->fold++; /* requested in their order */
  const int i = r->fold++;
  const double *first = bp->eq->parameters, *end = first + bp->def.parameters.count;
  if (live >= first && live < end) return change_of(r->w, (int)(live - first));
  return (r->w->live[0][i] - r->w->live[1][i]) / (2.0 * r->w->step);
}

/* Terms with a factor zero were omitted from the tape: their derivatives are unknown. */
static trm_status check_zeros(const work *w, trm_error *err) {
  const trmi_prologue *p = &w->bp->eq->tape.prologue;
  for (int i = 0; i < p->nfolds; i++) {
    if (!p->folds[i].keeps || !p->folds[i].is_zero || w->of_folds[i] == 0.0) continue;
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "terms with '%.100s' are zero and were left out of "
                     "the equations: set it to another number first",
                     w->bp->values[w->value].name);
  }
  return TRM_OK;
}

static trm_status differentiate_tape(work *w, double *const wanted[LISTS], trm_error *err) {
  trmi_equations *eq = w->bp->eq;
  uint64_t groups = 0;
  for (int k = 0; k < LISTS; k++) {
    const bool is_filled = eq->group[group_of[k] + 1] > eq->group[group_of[k]];
    if (wanted[k] != NULL && is_filled) groups |= UINT64_C(1) << group_of[k];
  }
  TRMI_TRY(err, trmi_equations_at(eq, w->s, groups, err));
  trmi_tape_run(&eq->tape, groups);
  live_rates rates = {.w = w};
  trmi_prologue_tangent(&eq->tape.prologue, live_rate, &rates, w->of_folds);
  TRMI_TRY(err, check_zeros(w, err));
  for (int i = 0; i < eq->nloads; i++) {
    w->of_slots[eq->first[TRMI_IN_LOAD] + i] = (w->loads[0][i] - w->loads[1][i]) / (2.0 * w->step);
  }
  trmi_tape_tangent(&eq->tape, groups, w->of_folds, w->of_slots);
  double sum = 0.0;
  for (int k = 0; k < LISTS; k++) {
    for (int i = eq->group[group_of[k]]; wanted[k] != NULL && i < eq->group[group_of[k] + 1]; i++) {
      const int slot = eq->entries[i].slot;
      wanted[k][eq->entries[i].row] += w->of_slots[slot];
      sum += 0.0 * w->of_slots[slot] + 0.0 * eq->tape.value[slot];
    }
  }
  return sum == 0.0 ? TRM_OK : trmi_equations_blame(eq, groups, err);
}

/* ---- all ------------------------------------------------------------------------------------ */

static trm_status take_work(work *w, trmi_arena *arena, trm_error *err) {
  const trmi_equations *eq = w->bp->eq;
  const int folds = eq->tape.prologue.nfolds;
  w->of_numbers = TRMI_TAKE(arena, double, w->bp->prologue.nfolds);
  w->of_folds = TRMI_TAKE(arena, double, folds);
  w->of_slots = TRMI_TAKE(arena, double, eq->tape.nslots);
  for (int k = 0; k < 2; k++) {
    w->live[k] = TRMI_TAKE(arena, double, folds);
    w->native[k] = TRMI_TAKE(arena, double, eq->n.nv + 3 * eq->n.ng + eq->n.nx);
    w->loads[k] = TRMI_TAKE(arena, double, eq->nloads);
  }
  return trmi_arena_check(arena, err);
}

static trm_status differentiate(work *w, double *const wanted[LISTS], trm_error *err) {
  trmi_blueprint *bp = w->bp;
  const trm_sizes *n = &bp->eq->n;
  trmi_prologue_tangent(&bp->prologue, parameter_rate, w, w->of_numbers);
  trm_status status = TRM_OK;
  for (int side = 0; side < 2 && status == TRM_OK; side++) {
    status = evaluate_shifted(w, side, err);
    trm_error unused; /* they were valid before */
    const trm_status back = trmi_values_apply(bp, &unused);
    if (status == TRM_OK) status = back;
  }
  TRMI_TRY(err, status);
  static const int native[] = {MOTION, ROWS, ROW_RATES, ROW_BIAS, STATES};
  const int count[LISTS] = {[MOTION] = n->nv, [ROWS] = n->ng, [ROW_RATES] = n->ng,
                            [ROW_BIAS] = n->ng, [STATES] = n->nx};
  const int first[LISTS] = {[ROWS] = n->nv, [ROW_RATES] = n->nv + n->ng,
                            [ROW_BIAS] = n->nv + 2 * n->ng, [STATES] = n->nv + 3 * n->ng};
  for (size_t list = 0; list < sizeof native / sizeof *native; list++) {
    const int k = native[list];
    for (int i = 0; wanted[k] != NULL && i < count[k]; i++) {
      wanted[k][i] += (w->native[0][first[k] + i] - w->native[1][first[k] + i]) / (2.0 * w->step);
    }
  }
  TRMI_TRY(err, differentiate_tape(w, wanted, err));
  return TRM_OK;
}

trm_status trmi_values_rate(void *self, int i, const trm_state *s, const trm_values *out,
                            trm_error *err) {
  trmi_blueprint *bp = ((trmi_assembly *)self)->keeper;
  const trm_sizes *n = &bp->eq->n;
  const double number = bp->values[i].target != NULL ? *bp->values[i].target : NAN;
  double *const wanted[LISTS] = {out->motion, out->g, out->g_rate, out->g_bias, out->a_rate,
                                 out->a_bias, out->d, out->w, out->outputs};
  const int sizes[LISTS] = {n->nv, n->ng, n->ng, n->ng, n->na, n->na, n->nx, n->nw, n->noutputs};
  if (bp->values[i].target == NULL) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "'%.100s' needs a new build: nothing can be "
                     "differentiated by it", bp->values[i].name);
  }
  for (int k = 0; k < LISTS; k++) {
    if (wanted[k] != NULL) memset(wanted[k], 0, (size_t)sizes[k] * sizeof(double));
  }
  work w = {.bp = bp, .value = i, .s = s, .step = 1e-5 * (number != 0.0 ? fabs(number) : 1.0)};
  trmi_arena arena;
  trmi_arena_init(&arena, &bp->arena.allocator);
  trm_status status = take_work(&w, &arena, err);
  if (status == TRM_OK) status = differentiate(&w, wanted, err);
  trmi_arena_clear(&arena);
  return status == TRM_OK ? status : trmi_note(err, __func__, status);
}
