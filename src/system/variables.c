/* variables.c - solves for variables in loops by Newton's method, all other values of a state being
 * given:
 *   (1 - dW/dw) dw = W - w                                                   (1)
 * over the variables that depend on each other, by a local elimination: loops are short, and no
 * call depends on earlier ones. Other variables need one evaluation of W. */
#include "system/variables.h"
#include "system/newton_loop.h"
#include <math.h>
#include <string.h>

trm_status trmi_variables_init(trmi_variables *l, trm_system *sys, trmi_arena *arena,
                               trm_error *err) {
  const trmi_sparse *W = &sys->block[TRM_W_W];
  const int nw = sys->n.nw;
  *l = (trmi_variables){.sys = sys};
  if (nw == 0) return TRM_OK;
  l->place = TRMI_TAKE(arena, int, nw);
  l->r = TRMI_TAKE(arena, double, nw);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  for (int k = 0; k < W->n; k++) l->place[W->row[k]] = l->place[W->col[k]] = 1;
  for (int i = 0; i < nw; i++) l->place[i] = l->place[i] != 0 ? l->n++ : -1;
  l->A = TRMI_TAKE(arena, double, (size_t)l->n * (size_t)l->n);
  l->b = TRMI_TAKE(arena, double, l->n);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  if (l->n > 0) TRMI_TRY(err, trmi_system_want(sys, TRM_W_W, err));
  return TRM_OK;
}

/* b <- A^-1 b with row pivots; false: A is singular. */
static bool eliminate(double *A, double *b, int n) {
  for (int j = 0; j < n; j++) {
    int best = j;
    for (int i = j + 1; i < n; i++) {
      if (fabs(A[i * n + j]) > fabs(A[best * n + j])) best = i;
    }
    if (!(fabs(A[best * n + j]) > 0.0)) return false;
    for (int k = j; k < n; k++) {
      const double a = A[j * n + k];
      A[j * n + k] = A[best * n + k];
      A[best * n + k] = a;
    }
    const double c = b[j];
    b[j] = b[best];
    b[best] = c;
    for (int i = j + 1; i < n; i++) {
      const double f = A[i * n + j] / A[j * n + j];
      if (f == 0.0) continue;
      for (int k = j; k < n; k++) A[i * n + k] -= f * A[j * n + k];
      b[i] -= f * b[j];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++) b[i] -= A[i * n + k] * b[k];
    b[i] /= A[i * n + i];
  }
  return true;
}

/* Right side of (1) for the loops, into r. */
static trm_status correct_loops(trmi_variables *l, const trm_state *s, trm_error *err) {
  trm_system *sys = l->sys;
  const trmi_sparse *W = &sys->block[TRM_W_W];
  const int n = l->n;
  TRMI_TRY(err, trmi_system_blocks(sys, s, TRMI_BIT(TRM_W_W), NULL, NULL, NULL, err));
  memset(l->A, 0, (size_t)n * (size_t)n * sizeof *l->A);
  for (int i = 0; i < n; i++) l->A[i * n + i] = 1.0;
  for (int k = 0; k < W->n; k++) {
    l->A[l->place[W->row[k]] * n + l->place[W->col[k]]] -= W->values[k];
  }
  for (int i = 0; i < sys->n.nw; i++) {
    if (l->place[i] >= 0) l->b[l->place[i]] = l->r[i];
  }
  if (!eliminate(l->A, l->b, n)) {
    return TRMI_FAIL(err, TRM_RETRY_SINGULAR, NULL,
                     "an algebraic loop does not determine its variables");
  }
  for (int i = 0; i < sys->n.nw; i++) {
    if (l->place[i] >= 0) l->r[i] = l->b[l->place[i]];
  }
  return TRM_OK;
}

/* The variables in the form of newton.h. */
typedef struct iteration {
  trmi_variables *l;
  trm_state      *s;
  double          largest; /* of all variables, measures rounding */
} iteration;

static trm_status correct(void *self, const trmi_newton_monitor *m, double *size,
                          trm_error *err) {
  iteration *it = self;
  trmi_variables *l = it->l;
  double *w = it->s->w;
  (void)m;
  TRMI_TRY(err, trm_system_values(l->sys, it->s, &(trm_values){.w = l->r}, err));
  if (l->n > 0) TRMI_TRY(err, correct_loops(l, it->s, err));
  *size = 0.0;
  it->largest = 1e-30;
  for (int i = 0; i < l->sys->n.nw; i++) {
    w[i] -= l->r[i];
    it->largest = fmax(it->largest, fabs(w[i]));
    if (!(fabs(l->r[i]) <= *size)) *size = fabs(l->r[i]);
  }
  return TRM_OK;
}

static trm_status doubt(void *self, const trmi_newton_monitor *m, trmi_newton_doubt why,
                        trmi_newton_verdict *verdict, trm_error *err) {
  const double largest = ((const iteration *)self)->largest;
  (void)why, (void)err;
  const bool stalls = m->k > 0 && m->size <= 1e-8 * largest && m->size >= 0.25 * m->last;
  if (m->size <= 1e-14 * largest || stalls) *verdict = NEWTON_IS_GOOD;
  return TRM_OK;
}

trm_status trmi_variables_solve(trmi_variables *l, trm_state *s, trm_error *err) {
  enum { ITERATIONS = 25 };
  iteration variables = {.l = l, .s = s};
  const trmi_iteration it = {.self = &variables, .correct = correct, .doubt = doubt};
  trmi_newton_monitor m = trmi_newton_rules(l->n > 0 ? ITERATIONS : 1, 0.0);
  m.is_counted = l->n == 0;
  m.stall = -1.0; /* tested every time */
  trmi_newton_end end;
  if (l->sys->n.nw == 0) return TRM_OK;
  TRMI_TRY(err, trmi_newton_iterate(&it, &m, &end, err));
  if (end == NEWTON_CONVERGED || l->n == 0) return TRM_OK;
  return TRMI_FAIL(err, TRM_RETRY_NEWTON, NULL,
                   "no solution for variables inside a step: an algebraic loop does not converge");
}
