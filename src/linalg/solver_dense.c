/* solver_dense.c - LU with partial pivoting, for a few unknowns: by LAPACK, or where there are
 * so few that its calls cost more than its work, by loops of our own.
 *
 * Pivots are compared within a column, so rows of different units can make bad ones be taken: in
 * millimetres and tonnes, masses of 1e-4 meet constraints of 1e3. Where solutions are
 * bad (lin->wants_general) rows and columns are scaled by powers of two,
 *   D A E,  d_i <- d_i / sqrt(max_j |d_i a_ij e_j|),  e_j <- e_j / sqrt(max_i |d_i a_ij e_j|)   (1)
 * a few times over, until the largest entry of each is about one.
 *
 * Small systems are substituted in pairs of unknowns whose number the compiler knows. An odd number
 * of unknowns gets one more in front, which is zero: its column is that of the unit matrix. */
#include "core/compiler.h"
#include "core/gate.h"
#include "linalg/linear.h"
#include "math/both.h"
#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { SMALL = 24, SCALINGS = 6 };

typedef struct dense_content {
  trmi_arena  arena;
  int         ld, pad;   /* unknowns, and how many of them were added in front */
  double     *A;         /* column major [ld ld] */
  lapack_int *pivot;
  double     *row, *col; /* D, E of (1) [n] */
  double     *most;      /* scratch     [2 n] */
} dense_content;

static void release(trmi_linear *lin) {
  dense_content *dense = lin->content;
  trmi_arena arena = dense->arena; /* the content itself lies in it */
  trmi_arena_clear(&arena);
}

static trm_status analyze(trmi_linear *lin, trm_error *err) {
  const trmi_plan *plan = lin->plan;
  const size_t n = (size_t)plan->n;
  const int pad = plan->n <= SMALL ? plan->n % 2 : 0, ld = plan->n + pad;
  trmi_arena arena;
  trmi_arena_init(&arena, &lin->allocator);
  dense_content *dense = TRMI_TAKE(&arena, dense_content, 1);
  double *A = TRMI_TAKE(&arena, double, (size_t)ld * (size_t)ld);
  lapack_int *pivot = TRMI_TAKE(&arena, lapack_int, n);
  double *row = TRMI_TAKE(&arena, double, n), *col = TRMI_TAKE(&arena, double, n);
  double *most = TRMI_TAKE(&arena, double, 2 * n);
  const trm_status status = trmi_arena_check(&arena, err);
  if (status != TRM_OK) {
    trmi_arena_clear(&arena);
    return trmi_note(err, __func__, status);
  }
  *dense = (dense_content){.arena = arena, .ld = ld, .pad = pad, .A = A, .pivot = pivot,
                           .row = row, .col = col, .most = most};
  lin->content = dense;
  return TRM_OK;
}

/* Of unknown j: its first own entry. */
static double *column_of(const dense_content *dense, int j) {
  return dense->A + (size_t)(j + dense->pad) * (size_t)dense->ld + dense->pad;
}

/* ---- small systems ------------------------------------------------------------------------- */

/* Right-looking, by columns, 1/pivot on the diagonal; returns the column without pivot, or -1. */
static int factor_small(const dense_content *dense, int n) {
  const int ld = dense->ld;
  double *A = column_of(dense, 0);
  for (int k = 0; k < n; k++) {
    double *const restrict ck = A + ld * k;
    double most = fabs(ck[k]);
    int best = k;
    for (int i = k + 1; i < n; i++) {
      const double size = fabs(ck[i]);
      if (size > most) most = size, best = i;
    }
    dense->pivot[k] = best;
    if (most == 0.0) return k; /* values that are not finite show in the solution */
    for (int j = 0; j < n && best != k; j++) {
      double *c = A + ld * j;
      const double other = c[k];
      c[k] = c[best];
      c[best] = other;
    }
    const double p = 1.0 / ck[k];
    ck[k] = p;
    for (int i = k + 1; i < n; i++) ck[i] *= p;
    for (int j = k + 1; j < n; j++) {
      double *const restrict cj = A + ld * j;
      const double t = cj[k];
      if (t == 0.0) continue;
      for (int i = k + 1; i < n; i++) cj[i] -= ck[i] * t;
    }
  }
  return -1;
}

/* x becomes U^-1 L^-1 x, for 2 P unknowns. */
static TRMI_INLINE void substitute(const trmi_both *A, int P, trmi_both *x) {
  TRMI_UNROLL_LONG for (int k = 0; k < 2 * P; k++) {
    const trmi_both *c = A + P * k;
    const double t = both_at(x[k / 2], k % 2);
    const trmi_both factor = both(t, t);
    if (k % 2 == 0) {
      const trmi_both below = both_sub(x[k / 2], both_mul(c[k / 2], factor));
      x[k / 2] = both(t, both_at(below, 1));
    }
    TRMI_UNROLL for (int i = k / 2 + 1; i < P; i++) x[i] = both_sub(x[i], both_mul(c[i], factor));
  }
  TRMI_UNROLL_LONG for (int k = 2 * P - 1; k >= 0; k--) {
    const trmi_both *c = A + P * k;
    const double t = both_at(x[k / 2], k % 2) * both_at(c[k / 2], k % 2);
    const trmi_both factor = both(t, t), above = both_sub(x[k / 2], both_mul(c[k / 2], factor));
    x[k / 2] = k % 2 == 0 ? both(t, both_at(x[k / 2], 1)) : both(both_at(above, 0), t);
    TRMI_UNROLL for (int i = 0; i < k / 2; i++) x[i] = both_sub(x[i], both_mul(c[i], factor));
  }
}

/* x stays in registers up to about 16 unknowns. */
#define SUBSTITUTE(P)                                                                          \
  static void substitute_##P(const trmi_both *A, trmi_both *to) {                              \
    trmi_both x[P];                                                                            \
    TRMI_UNROLL for (int i = 0; i < P; i++) x[i] = to[i];                                      \
    substitute(A, P, x);                                                                       \
    TRMI_UNROLL for (int i = 0; i < P; i++) to[i] = x[i];                                      \
  }
SUBSTITUTE(1) SUBSTITUTE(2) SUBSTITUTE(3) SUBSTITUTE(4) SUBSTITUTE(5) SUBSTITUTE(6)
SUBSTITUTE(7) SUBSTITUTE(8) SUBSTITUTE(9) SUBSTITUTE(10) SUBSTITUTE(11) SUBSTITUTE(12)

static void solve_small(const dense_content *dense, int n, double *b) {
  const trmi_both *A = (const trmi_both *)dense->A;
  trmi_both pairs[SMALL / 2];
  double *x = (double *)pairs + dense->pad;
  pairs[0] = both(0.0, 0.0);
  memcpy(x, b, (size_t)n * sizeof *b);
  for (int k = 0; k < n; k++) {
    const int from = dense->pivot[k];
    const double t = x[from];
    x[from] = x[k];
    x[k] = t;
  }
  switch (dense->ld / 2) {
#define CASE(P) case P: substitute_##P(A, pairs); break;
  CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7) CASE(8) CASE(9) CASE(10) CASE(11) CASE(12)
#undef CASE
  }
  memcpy(b, x, (size_t)n * sizeof *b);
}

/* ---- scaling ------------------------------------------------------------------------------- */

/* 1/sqrt(size) as a power of two, one where it is zero or not finite. */
static double power_of(double size) {
  int exponent = 0;
  if (!(size > 0.0) || !isfinite(size)) return 1.0;
  (void)frexp(size, &exponent);
  return ldexp(1.0, -exponent / 2);
}

/* (1), in place. */
static void scale_all(dense_content *dense, int n) {
  double *restrict rows = dense->most, *cols = dense->most + n;
  for (int i = 0; i < n; i++) dense->row[i] = dense->col[i] = 1.0;
  for (int k = 0; k < SCALINGS; k++) {
    memset(rows, 0, 2 * (size_t)n * sizeof(double));
    for (int j = 0; j < n; j++) {
      const double *restrict a = column_of(dense, j);
      double most = 0.0;
      for (int i = 0; i < n; i++) { /* fmax would be a call */
        const double size = fabs(a[i]);
        rows[i] = size > rows[i] ? size : rows[i];
        most = size > most ? size : most;
      }
      cols[j] = most;
    }
    for (int i = 0; i < n; i++) {
      rows[i] = power_of(rows[i]), cols[i] = power_of(cols[i]);
      dense->row[i] *= rows[i], dense->col[i] *= cols[i];
    }
    for (int j = 0; j < n; j++) {
      double *a = column_of(dense, j);
      for (int i = 0; i < n; i++) a[i] *= rows[i] * cols[j];
    }
  }
}

/* ---- solver -------------------------------------------------------------------------------- */

static trm_status factor(trmi_linear *lin, bool new_pivots, trm_error *err) {
  (void)new_pivots; /* pivots are always new */
  dense_content *dense = lin->content;
  const double *Ax = trmi_linear_columns(lin);
  const trmi_plan *plan = lin->plan;
  memset(dense->A, 0, (size_t)dense->ld * (size_t)dense->ld * sizeof(double));
  if (dense->pad > 0) dense->A[0] = 1.0;
  for (int j = 0; j < plan->n; j++) {
    double *a = column_of(dense, j);
    for (int k = plan->Ap[j]; k < plan->Ap[j + 1]; k++) a[plan->Ai[k]] = Ax[k];
  }
  if (lin->wants_general) scale_all(dense, plan->n);
  const lapack_int info =
      plan->n <= SMALL ? factor_small(dense, plan->n) + 1
                       : TRMI_LAPACK(dgetrf_work, LAPACK_COL_MAJOR, plan->n, plan->n, dense->A,
                                     plan->n, dense->pivot);
  if (info == 0) return TRM_OK;
  lin->bad_column = info > 0 ? (int)info - 1 : -1;
  return TRMI_FAIL(err, TRM_RETRY_SINGULAR, NULL, "no pivot in column %d of %d", lin->bad_column,
                   plan->n);
}

static void solve_one(const trmi_linear *lin, double *b) {
  const dense_content *dense = lin->content;
  const int n = lin->plan->n;
  for (int i = 0; i < n && lin->wants_general; i++) b[i] *= dense->row[i];
  if (n <= SMALL) {
    solve_small(dense, n, b);
  } else {
    (void)TRMI_LAPACK(dgetrs_work, LAPACK_COL_MAJOR, 'N', n, 1, dense->A, n, dense->pivot, b, n);
  }
  for (int i = 0; i < n && lin->wants_general; i++) b[i] *= dense->col[i];
}

static void solve(trmi_linear *lin, double *b1, double *b2) {
  solve_one(lin, b1);
  if (b2 != NULL) solve_one(lin, b2);
}

static long entries(const trmi_linear *lin) {
  return (long)lin->plan->n * lin->plan->n;
}

const trmi_solver_ops trmi_solver_dense = {
    .name = "dense",
    .analyze = analyze,
    .factor = factor,
    .solve = solve,
    .entries = entries,
    .free = release,
    .measure_every = 16,
};
