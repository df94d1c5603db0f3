/* variables.c - variables in loops, with all else at a state given, by Newton:
 *   (1 - dW/dw) dw = W - w                                                   (1)
 * over the variables that depend on each other, with elimination of its own: loops are short, and
 * every call is as the first one. Of others one evaluation of W is all. */
#include "system/variables.h"
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

/* (1) of the loops, into r. */
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

trm_status trmi_variables_solve(trmi_variables *l, trm_state *s, trm_error *err) {
  enum { ITERATIONS = 25 };
  trm_system *sys = l->sys;
  const int nw = l->sys->n.nw;
  double last = INFINITY;
  if (nw == 0) return TRM_OK;
  for (int k = 0; k < ITERATIONS; k++) {
    TRMI_TRY(err, trm_system_values(sys, s, &(trm_values){.w = l->r}, err));
    if (l->n > 0) TRMI_TRY(err, correct_loops(l, s, err));
    double change = 0.0, size = 1e-30;
    for (int i = 0; i < nw; i++) {
      s->w[i] -= l->r[i];
      size = fmax(size, fabs(s->w[i]));
      if (!(fabs(l->r[i]) <= change)) change = fabs(l->r[i]);
    }
    if (l->n == 0 || change <= 1e-14 * size) return TRM_OK;
    if (change <= 1e-8 * size && change >= 0.25 * last) return TRM_OK; /* rounding */
    last = change;
  }
  return TRMI_FAIL(err, TRM_RETRY_NEWTON, NULL,
                   "no solution for variables inside a step: an algebraic loop does not converge");
}
