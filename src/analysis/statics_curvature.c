/* statics_curvature.c - does the matrix of a step have a direction of negative stiffness?
 *
 * A = Kt + tau M on the directions that constraints leave free. With the factors of a step, the
 * operator B u = A^-1 M u is self-adjoint in the inner product of M, and Lanczos' recurrence
 *   beta_j+1 u_j+1 = B u_j - alpha_j u_j - beta_j u_j-1                                  (1)
 * yields a tridiagonal T whose eigenvalues are Rayleigh quotients of B: one below zero proves that
 * A is not positive. Sturm's sequence of T + delta finds it without computing it,
 *   d_1 = alpha_1 + delta,   d_j = alpha_j + delta - beta_j^2/d_j-1,   d_j < 0 ?          (2)
 * with delta a small part of the largest alpha: rounding of stiff directions, where B is nearly
 * zero. The few directions with negative stiffness lie at the end of the spectrum of B, so a short
 * recurrence finds them. Derivation: docs/theory/09-static-modes.md, section 9.2. */
#include "analysis/statics.h"
#include <math.h>
#include <string.h>

enum { LENGTH = 16 };
static const double rounding = 1e-10;

static double dot(const double *a, const double *b, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

/* A first direction with a part along every other one, the same on every run. */
static void begin(const trm_system *sys, double *u) {
  unsigned seed = 1u;
  for (int i = 0; i < sys->n.nv; i++) {
    seed = seed * 1664525u + 1013904223u;
    u[i] = sys->scale_v[i] * (0.5 + (double)(seed >> 8) / (double)(1u << 24));
  }
}

/* mode_mass = M u; the length of u measured by masses. */
static double length_of(const trmi_statics *st, const double *u) {
  const int nv = st->sys->n.nv;
  memset(st->mode_mass, 0, (size_t)nv * sizeof(double));
  trmi_sparse_add_mul(&st->sys->block[TRM_M], 1.0, u, st->mode_mass);
  return sqrt(fmax(dot(u, st->mode_mass, nv), 0.0));
}

/* change = B u for the u whose M u is in `mode_mass` */
static trm_status apply(trmi_statics *st, trm_error *err) {
  const int nv = st->sys->n.nv, n = trmi_places_of(st->sys).n;
  memset(st->change, 0, (size_t)n * sizeof(double));
  memcpy(st->change, st->mode_mass, (size_t)nv * sizeof(double));
  return trmi_linear_solve(&st->matrix.lin, st->change, err);
}

trm_status trmi_statics_is_hilly(trmi_statics *st, bool *is_hilly, trm_error *err) {
  const trm_system *sys = st->sys;
  const int nv = sys->n.nv;
  double *u = st->mode, *before = st->mode_before, alpha_max = 0.0, beta = 0.0, d = 1.0;
  *is_hilly = false;
  if (sys->n.nx + sys->n.nw > 0 || nv <= 0) return TRM_OK; /* A is not the derivative of forces */
  begin(sys, u);
  memset(before, 0, (size_t)nv * sizeof(double));
  double length = length_of(st, u);
  for (int j = 0; j <= LENGTH && j <= nv && !*is_hilly; j++) {
    if (!(length > 0.0) || !isfinite(length)) return TRM_OK;
    for (int i = 0; i < nv; i++) u[i] /= length, st->mode_mass[i] /= length;
    const trm_status status = apply(st, err);
    if (status > 0) return TRM_OK;
    TRMI_TRY(err, status);
    if (j == 0) { /* onto the directions that are free */
      memcpy(u, st->change, (size_t)nv * sizeof(double));
      length = length_of(st, u);
      continue;
    }
    const double alpha = dot(st->change, st->mode_mass, nv); /* (1) */
    alpha_max = fmax(alpha_max, fabs(alpha));
    d = alpha + rounding * alpha_max - beta * beta / d; /* (2) */
    *is_hilly = d < 0.0;
    for (int i = 0; i < nv; i++) {
      const double next = st->change[i] - alpha * u[i] - beta * before[i];
      before[i] = u[i];
      u[i] = next;
    }
    beta = length = length_of(st, u);
    if (!(beta > 1e-12 * alpha_max)) break;
  }
  return TRM_OK;
}
