/* complex.c - see complex.h. */
#include "linalg/complex.h"
#include "core/compiler.h"
#include "math/both.h"
#include <math.h>
#include <string.h>

/* Of solutions with a border, as linear.c does it. */
enum { REFINEMENTS = 3 };
/* Up to here a full matrix is faster than any structure. */
enum { SMALL = 24, FULL_MAX = 64 };

/* --- full matrices ---------------------------------------------------------------- */

/* Numbers are taken in pairs of rows. An odd number of unknowns gets one more in front, whose
 * column is that of the unit matrix and whose part of a vector is not read. */

static void exchange(double *a, double *b) {
  const double c = *a;
  *a = *b;
  *b = c;
}

/* Two rows of a complex column, or of a vector. */
typedef struct rows {
  trmi_both re, im;
} rows;

static TRMI_INLINE rows times(rows a, trmi_both tr, trmi_both ti) {
  return (rows){both_sub(both_mul(a.re, tr), both_mul(a.im, ti)),
                both_add(both_mul(a.re, ti), both_mul(a.im, tr))};
}

/* x - (c + i d) t */
static TRMI_INLINE rows less(rows x, trmi_both c, trmi_both d, double tr, double ti) {
  const rows part = times((rows){c, d}, both(tr, tr), both(ti, ti));
  return (rows){both_sub(x.re, part.re), both_sub(x.im, part.im)};
}

/* A column, or a vector. */
typedef struct column {
  double *re, *im;
} column;

static TRMI_INLINE column column_of(const trmi_complex *m, int k) {
  const size_t at = (size_t)k * (size_t)m->ld;
  return (column){m->re + at, m->im + at};
}

/* to -= of t with t = number k of `to`, pairs `first` to `end` - 1. Number k, which may share its
 * pair with the next one, stays as it is. */
static TRMI_INLINE void take_off(column of, int k, int first, int end, column to) {
  const double re = to.re[k], im = to.im[k];
  const trmi_both *of_re = (const trmi_both *)of.re, *of_im = (const trmi_both *)of.im;
  trmi_both *to_re = (trmi_both *)to.re, *to_im = (trmi_both *)to.im;
  for (int i = first; i < end; i++) {
    const rows rest = less((rows){to_re[i], to_im[i]}, of_re[i], of_im[i], re, im);
    to_re[i] = rest.re, to_im[i] = rest.im;
  }
  to.re[k] = re, to.im[k] = im;
}

/* Row of the largest number of column k from its diagonal on. */
static int find_pivot(column c, int k, int end) {
  double most = fabs(c.re[k]) + fabs(c.im[k]);
  int best = k;
  for (int i = k + 1; i < end; i++) {
    const double size = fabs(c.re[i]) + fabs(c.im[i]);
    if (size > most) most = size, best = i;
  }
  return best;
}

static void exchange_rows(const trmi_complex *m, int a, int b) {
  for (int j = m->pad; j < m->ld; j++) {
    const column c = column_of(m, j);
    exchange(c.re + a, c.re + b);
    exchange(c.im + a, c.im + b);
  }
}

/* Right-looking, by columns; false: no pivot in bad_column. */
static bool factor_dense(trmi_complex *m) {
  const int ld = m->ld, end = ld / 2;
  for (int k = m->pad; k < ld; k++) {
    const column c = column_of(m, k);
    const int best = find_pivot(c, k, ld), first = (k + 1) / 2;
    m->pivot[k] = best;
    m->bad_column = k - m->pad;
    const double size = c.re[best] * c.re[best] + c.im[best] * c.im[best];
    if (size == 0.0) return false; /* values that are not finite show in the solution */
    if (best != k) exchange_rows(m, k, best);
    const double pr = c.re[k] / size, pi = -c.im[k] / size;
    trmi_both *const re = (trmi_both *)c.re, *const im = (trmi_both *)c.im;
    for (int i = first; i < end; i++) {
      const rows scaled = times((rows){re[i], im[i]}, both(pr, pr), both(pi, pi));
      re[i] = scaled.re, im[i] = scaled.im;
    }
    c.re[k] = pr, c.im[k] = pi;
    for (int j = k + 1; j < ld; j++) {
      const column to = column_of(m, j);
      if (to.re[k] != 0.0 || to.im[k] != 0.0) take_off(c, k, first, end, to);
    }
  }
  m->bad_column = -1;
  return true;
}

/* x becomes U^-1 L^-1 x, for 2 P unknowns. */
static TRMI_INLINE void substitute(const trmi_both *re, const trmi_both *im, int P, rows *x) {
  TRMI_UNROLL_LONG for (int k = 0; k < 2 * P; k++) {
    const trmi_both *c = re + P * k, *d = im + P * k;
    const double tr = both_at(x[k / 2].re, k % 2), ti = both_at(x[k / 2].im, k % 2);
    if (k % 2 == 0) {
      const rows below = less(x[k / 2], c[k / 2], d[k / 2], tr, ti);
      x[k / 2] = (rows){both(tr, both_at(below.re, 1)), both(ti, both_at(below.im, 1))};
    }
    TRMI_UNROLL for (int i = k / 2 + 1; i < P; i++) x[i] = less(x[i], c[i], d[i], tr, ti);
  }
  TRMI_UNROLL_LONG for (int k = 2 * P - 1; k >= 0; k--) {
    const trmi_both *c = re + P * k, *d = im + P * k;
    const double xr = both_at(x[k / 2].re, k % 2), xi = both_at(x[k / 2].im, k % 2);
    const double pr = both_at(c[k / 2], k % 2), pi = both_at(d[k / 2], k % 2);
    const double tr = xr * pr - xi * pi, ti = xr * pi + xi * pr;
    const rows above = less(x[k / 2], c[k / 2], d[k / 2], tr, ti);
    x[k / 2] = k % 2 == 0 ? (rows){both(tr, both_at(x[k / 2].re, 1)),
                                   both(ti, both_at(x[k / 2].im, 1))}
                          : (rows){both(both_at(above.re, 0), tr), both(both_at(above.im, 0), ti)};
    TRMI_UNROLL for (int i = 0; i < k / 2; i++) x[i] = less(x[i], c[i], d[i], tr, ti);
  }
}

/* With a number of pairs that the compiler knows x stays in registers. */
#define SUBSTITUTE(P)                                                                          \
  static void substitute_##P(const trmi_both *re, const trmi_both *im, trmi_both *to_re,       \
                             trmi_both *to_im) {                                               \
    rows x[P];                                                                                 \
    TRMI_UNROLL for (int i = 0; i < P; i++) x[i] = (rows){to_re[i], to_im[i]};                 \
    substitute(re, im, P, x);                                                                  \
    TRMI_UNROLL for (int i = 0; i < P; i++) to_re[i] = x[i].re, to_im[i] = x[i].im;            \
  }
SUBSTITUTE(1) SUBSTITUTE(2) SUBSTITUTE(3) SUBSTITUTE(4) SUBSTITUTE(5) SUBSTITUTE(6)
SUBSTITUTE(7) SUBSTITUTE(8)

static void substitute_any(const trmi_complex *m, column x) {
  for (int k = m->pad; k < m->ld; k++) take_off(column_of(m, k), k, (k + 1) / 2, m->ld / 2, x);
  for (int k = m->ld - 1; k >= m->pad; k--) {
    const column c = column_of(m, k);
    const double tr = x.re[k] * c.re[k] - x.im[k] * c.im[k];
    const double ti = x.re[k] * c.im[k] + x.im[k] * c.re[k];
    x.re[k] = tr, x.im[k] = ti;
    take_off(c, k, 0, (k + 1) / 2, x);
  }
}

static void solve_dense(const trmi_complex *m, double *re, double *im) {
  const int ld = m->ld, pad = m->pad;
  const size_t bytes = (size_t)m->n * sizeof(double);
  const column x = {m->x, m->x + ld};
  memcpy(x.re + pad, re, bytes);
  memcpy(x.im + pad, im, bytes);
  for (int k = pad; k < ld; k++) {
    const int from = m->pivot[k];
    exchange(x.re + k, x.re + from);
    exchange(x.im + k, x.im + from);
  }
  switch (ld / 2) {
#define CASE(P)                                                                                \
  case P:                                                                                      \
    substitute_##P((const trmi_both *)m->re, (const trmi_both *)m->im, (trmi_both *)x.re,      \
                   (trmi_both *)x.im);                                                         \
    break;
  CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7) CASE(8)
#undef CASE
  default: substitute_any(m, x);
  }
  memcpy(re, x.re + pad, bytes);
  memcpy(im, x.im + pad, bytes);
}

/* --- both ------------------------------------------------------------------------ */

/* Blocks or the general solver. */
static trm_status choose_sparse(trmi_complex *m, const char *solver, trmi_arena *arena,
                                trm_error *err) {
  const trmi_plan *plan = m->plan;
  bool pays = solver != NULL && strcmp(solver, trmi_solver_block.name) == 0;
  const bool is_free = solver == NULL || strcmp(solver, "auto") == 0;
  m->sparse = trmi_solvers.complex_sparse;
  if (!TRMI_HAS_VECTORS || plan->nodes.count == 0) return TRM_OK;
  if (is_free) TRMI_TRY(err, trmi_complex_blocks_pay(plan, &arena->allocator, &pays, err));
  if (pays) m->sparse = &trmi_complex_block;
  return TRM_OK;
}

trm_status trmi_complex_init(trmi_complex *m, trmi_arena *arena, const trmi_plan *plan,
                             const char *solver, trmi_tally *tally, trm_error *err) {
  *m = (trmi_complex){.plan = plan, .tally = tally, .n = plan->n, .bad_column = -1};
  const bool is_free = solver == NULL || strcmp(solver, "auto") == 0;
  const bool is_full = 2L * plan->Ap[plan->n] > (long)plan->n * plan->n;
  m->is_dense = trmi_solvers.complex_sparse == NULL ||
                (is_free ? plan->n <= SMALL || (is_full && plan->n <= FULL_MAX)
                         : strcmp(solver, "dense") == 0);
  m->Ax = TRMI_TAKE(arena, double, 2 * (size_t)plan->Ap[m->n]);
  m->border = TRMI_TAKE(arena, double, plan->nborder);
  m->work = TRMI_TAKE(arena, double, plan->nborder > 0 ? 4 * (size_t)m->n : 0);
  if (!m->is_dense) {
    TRMI_TRY(err, choose_sparse(m, solver, arena, err));
    TRMI_TRY(err, m->sparse->init(m, arena, err));
    return TRM_OK;
  }
  m->pad = plan->n % 2;
  m->ld = plan->n + m->pad;
  const size_t ld = (size_t)m->ld;
  m->re = TRMI_TAKE(arena, double, ld * ld);
  m->im = TRMI_TAKE(arena, double, ld * ld);
  m->x = TRMI_TAKE(arena, double, 2 * ld);
  m->pivot = TRMI_TAKE(arena, int, ld);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  return TRM_OK;
}

void trmi_complex_free(trmi_complex *m) {
  if (m->content != NULL) m->sparse->free(m);
  m->content = NULL;
}

void trmi_complex_forget(trmi_complex *m) {
  m->has_pivots = false;
}

/* (1) for entry k. */
static TRMI_INLINE void entry_of(double *const part[3], const double z[4], int k, double *re,
                                 double *im) {
  *re = part[0][k] + z[0] * part[1][k] + z[2] * part[2][k];
  *im = z[1] * part[1][k] + z[3] * part[2][k];
}

/* (1) with the border, by columns. */
static void fill_columns(trmi_complex *m, double *const part[3], const double z[4]) {
  const trmi_plan *plan = m->plan;
  for (int k = 0; k < plan->Ap[m->n]; k++) {
    entry_of(part, z, k, m->Ax + 2 * k, m->Ax + 2 * k + 1);
  }
  for (int b = 0; b < plan->nborder; b++) {
    m->border[b] = plan->border[b];
    m->Ax[2 * plan->border_place[b]] += m->border[b];
  }
}

/* The same as a full matrix; columns are kept only where there is a border. */
static void fill_dense(trmi_complex *m, double *const part[3], const double z[4]) {
  const int *const Ap = m->plan->Ap, *const Ai = m->plan->Ai, n = m->n, pad = m->pad;
  const bool has_columns = m->plan->nborder > 0;
  const size_t bytes = (size_t)m->ld * (size_t)m->ld * sizeof(double);
  if (has_columns) fill_columns(m, part, z);
  memset(m->re, 0, bytes);
  memset(m->im, 0, bytes);
  if (pad > 0) m->re[0] = 1.0;
  for (int j = 0, k = 0; j < n; j++) {
    const column c = column_of(m, j + pad);
    for (const int end = Ap[j + 1]; k < end; k++) {
      const int i = Ai[k] + pad;
      if (has_columns) c.re[i] = m->Ax[2 * k], c.im[i] = m->Ax[2 * k + 1];
      else entry_of(part, z, k, c.re + i, c.im + i);
    }
  }
}

trm_status trmi_complex_factor(trmi_complex *m, double *const part[3], const double z[2],
                               trm_error *err) {
  m->tally->factorizations++;
  m->bad_column = -1;
  const double powers[4] = {z[0], z[1], z[0] * z[0] - z[1] * z[1], 2 * z[0] * z[1]};
  if (!m->is_dense) {
    fill_columns(m, part, powers);
    TRMI_TRY(err, m->sparse->factor(m, err));
    return TRM_OK;
  }
  fill_dense(m, part, powers);
  if (factor_dense(m)) return TRM_OK;
  return TRMI_FAIL(err, TRM_RETRY_SINGULAR, NULL, "no pivot in column %d of %d", m->bad_column,
                   m->n);
}

static void solve(trmi_complex *m, double *re, double *im) {
  if (m->is_dense) {
    solve_dense(m, re, im);
    return;
  }
  for (int i = 0; i < m->n; i++) m->b[2 * i] = re[i], m->b[2 * i + 1] = im[i];
  m->sparse->solve(m);
  for (int i = 0; i < m->n; i++) re[i] = m->b[2 * i], im[i] = m->b[2 * i + 1];
}

/* r = b - A x with A without its border. */
static void residual(const trmi_complex *m, const double *re, const double *im, const double *xr,
                     const double *xi, double *rr, double *ri) {
  const trmi_plan *plan = m->plan;
  for (int i = 0; i < m->n; i++) rr[i] = re[i], ri[i] = im[i];
  for (int j = 0; j < m->n; j++) {
    for (int k = plan->Ap[j]; k < plan->Ap[j + 1]; k++) {
      const double ar = m->Ax[2 * k], ai = m->Ax[2 * k + 1];
      rr[plan->Ai[k]] -= ar * xr[j] - ai * xi[j];
      ri[plan->Ai[k]] -= ar * xi[j] + ai * xr[j];
    }
  }
  for (int b = 0; b < plan->nborder; b++) {
    const int j = plan->border_index[b];
    rr[j] += m->border[b] * xr[j];
    ri[j] += m->border[b] * xi[j];
  }
}

void trmi_complex_solve(trmi_complex *m, double *re, double *im) {
  m->tally->solves++;
  if (m->plan->nborder == 0) {
    solve(m, re, im);
    return;
  }
  const size_t n = (size_t)m->n, bytes = n * sizeof(double);
  double *xr = m->work, *xi = xr + n, *rr = xi + n, *ri = rr + n;
  memcpy(xr, re, bytes);
  memcpy(xi, im, bytes);
  solve(m, xr, xi);
  for (int k = 0; k < REFINEMENTS; k++) {
    residual(m, re, im, xr, xi, rr, ri);
    solve(m, rr, ri);
    for (size_t i = 0; i < n; i++) xr[i] += rr[i], xi[i] += ri[i];
  }
  memcpy(re, xr, bytes);
  memcpy(im, xi, bytes);
}
