/* complex.c - see complex.h. */
#include "linalg/complex.h"
#include <math.h>
#include <string.h>

/* Of solutions with a border, as linear.c does it. */
enum { REFINEMENTS = 3 };
/* Up to here a full matrix is faster than any structure. */
enum { SMALL = 24, FULL_MAX = 64 };

/* --- small ----------------------------------------------------------------------- */

static void exchange(double *a, double *b) {
  const double c = *a;
  *a = *b;
  *b = c;
}

/* Right-looking, by columns; false: no pivot in bad_column. */
static bool factor_dense(trmi_complex *m) {
  const int n = m->n;
  for (int k = 0; k < n; k++) {
    double *const ck = m->re + (size_t)k * (size_t)n, *const dk = m->im + (size_t)k * (size_t)n;
    int best = k;
    for (int i = k + 1; i < n; i++) {
      if (fabs(ck[i]) + fabs(dk[i]) > fabs(ck[best]) + fabs(dk[best])) best = i;
    }
    m->pivot[k] = best;
    m->bad_column = k;
    const double size = ck[best] * ck[best] + dk[best] * dk[best];
    if (size == 0.0) return false; /* values that are not finite show in the solution */
    for (int j = 0; j < n && best != k; j++) {
      exchange(m->re + (size_t)j * (size_t)n + k, m->re + (size_t)j * (size_t)n + best);
      exchange(m->im + (size_t)j * (size_t)n + k, m->im + (size_t)j * (size_t)n + best);
    }
    const double pr = ck[k] / size, pi = -dk[k] / size;
    ck[k] = pr, dk[k] = pi;
    for (int i = k + 1; i < n; i++) {
      const double re = ck[i] * pr - dk[i] * pi;
      dk[i] = ck[i] * pi + dk[i] * pr;
      ck[i] = re;
    }
    for (int j = k + 1; j < n; j++) {
      double *restrict cj = m->re + (size_t)j * (size_t)n;
      double *restrict dj = m->im + (size_t)j * (size_t)n;
      const double tr = cj[k], ti = dj[k];
      if (tr == 0.0 && ti == 0.0) continue;
      for (int i = k + 1; i < n; i++) {
        cj[i] -= ck[i] * tr - dk[i] * ti;
        dj[i] -= ck[i] * ti + dk[i] * tr;
      }
    }
  }
  m->bad_column = -1;
  return true;
}

static void solve_dense(const trmi_complex *m, double *restrict re, double *restrict im) {
  const int n = m->n;
  for (int k = 0; k < n; k++) {
    if (m->pivot[k] != k) exchange(re + k, re + m->pivot[k]), exchange(im + k, im + m->pivot[k]);
  }
  for (int k = 0; k < n; k++) { /* forward, by columns */
    const double *c = m->re + (size_t)k * (size_t)n, *d = m->im + (size_t)k * (size_t)n;
    const double tr = re[k], ti = im[k];
    for (int i = k + 1; i < n; i++) {
      re[i] -= c[i] * tr - d[i] * ti;
      im[i] -= c[i] * ti + d[i] * tr;
    }
  }
  for (int k = n - 1; k >= 0; k--) { /* backward */
    const double *c = m->re + (size_t)k * (size_t)n, *d = m->im + (size_t)k * (size_t)n;
    const double tr = re[k] * c[k] - im[k] * d[k], ti = re[k] * d[k] + im[k] * c[k];
    re[k] = tr, im[k] = ti;
    for (int i = 0; i < k; i++) {
      re[i] -= c[i] * tr - d[i] * ti;
      im[i] -= c[i] * ti + d[i] * tr;
    }
  }
}

/* --- both ------------------------------------------------------------------------ */

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
    TRMI_TRY(err, trmi_solvers.complex_sparse->init(m, arena, err));
    return TRM_OK;
  }
  const size_t n = (size_t)plan->n;
  m->re = TRMI_TAKE(arena, double, n * n);
  m->im = TRMI_TAKE(arena, double, n * n);
  m->pivot = TRMI_TAKE(arena, int, n);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  return TRM_OK;
}

void trmi_complex_free(trmi_complex *m) {
  if (m->content != NULL) trmi_solvers.complex_sparse->free(m);
  m->content = NULL;
}

void trmi_complex_forget(trmi_complex *m) {
  m->has_pivots = false;
}

trm_status trmi_complex_factor(trmi_complex *m, double *const part[3], const double z[2],
                               trm_error *err) {
  const trmi_plan *plan = m->plan;
  const double zr = z[0], zi = z[1], qr = zr * zr - zi * zi, qi = 2 * zr * zi;
  const size_t n = (size_t)m->n;
  m->tally->factorizations++;
  m->bad_column = -1;
  if (m->is_dense) {
    memset(m->re, 0, n * n * sizeof(double));
    memset(m->im, 0, n * n * sizeof(double));
  }
  for (int k = 0; k < plan->Ap[m->n]; k++) { /* (1) */
    m->Ax[2 * k] = part[0][k] + zr * part[1][k] + qr * part[2][k];
    m->Ax[2 * k + 1] = zi * part[1][k] + qi * part[2][k];
  }
  for (int b = 0; b < plan->nborder; b++) {
    m->border[b] = plan->border[b];
    m->Ax[2 * plan->border_place[b]] += m->border[b];
  }
  for (int j = 0; j < m->n && m->is_dense; j++) {
    for (int k = plan->Ap[j]; k < plan->Ap[j + 1]; k++) {
      const size_t at = (size_t)j * n + (size_t)plan->Ai[k];
      m->re[at] = m->Ax[2 * k], m->im[at] = m->Ax[2 * k + 1];
    }
  }
  if (!m->is_dense) {
    TRMI_TRY(err, trmi_solvers.complex_sparse->factor(m, err));
    return TRM_OK;
  }
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
  trmi_solvers.complex_sparse->solve(m);
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
