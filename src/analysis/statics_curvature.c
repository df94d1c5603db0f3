/* statics_curvature.c - tests for a direction of negative stiffness of the matrix of a step.
 *
 * A = Kt + tau M on the admissible directions. With the factors of a step, the operator B u = A^-1
 * M u is self-adjoint in the inner product of M, and Lanczos' recurrence
 *   beta_j+1 u_j+1 = B u_j - alpha_j u_j - beta_j u_j-1                                  (1)
 * yields a tridiagonal T whose eigenvalues are Rayleigh quotients of B: one below -delta proves
 * that A is not positive. delta is a small part of the largest alpha: rounding of stiff directions,
 * where B is nearly zero, and of those that constraints hold, where it vanishes. Away from balance
 * rotations make A slightly unsymmetric: u_j+1 would then contain earlier directions again, and T
 * would have spurious eigenvalues. It is therefore orthogonalized against all of them, and the
 * recurrence ends when nothing is left. The few directions with negative stiffness lie at the end
 * of the spectrum of B, so a short recurrence finds them. Derivation:
 * docs/theory/09-static-modes.md, section 9.2. */
#include "analysis/statics.h"
#include "core/gate.h"
#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { LENGTH = TRMI_STATICS_MODES };
static const double rounding = 1e-10;
/* A new direction with a smaller part of the last product is rounding. */
static const double nothing_new = 1e-10;

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

/* Is an eigenvalue of T, from its first n numbers, below zero? */
static bool has_negative(const double *alpha, const double *beta, int n) {
  double d[LENGTH], e[LENGTH], most = 0.0;
  memcpy(d, alpha, (size_t)n * sizeof *d);
  memcpy(e, beta, (size_t)(n - 1) * sizeof *e);
  for (int j = 0; j < n; j++) most = fmax(most, fabs(alpha[j]));
  if (TRMI_LAPACK(dsterf_work, n, d, e) != 0) return false;
  return d[0] < -rounding * most; /* ascending */
}

/* Remove the parts along the first n directions from u. */
static void make_orthogonal(const trmi_statics *st, int n, double *u) {
  const int nv = st->sys->n.nv;
  for (int k = 0; k < n; k++) {
    const double *other = st->modes + (size_t)k * (size_t)nv;
    (void)length_of(st, u);
    const double part = dot(other, st->mode_mass, nv);
    for (int i = 0; i < nv; i++) u[i] -= part * other[i];
  }
}

trm_status trmi_statics_is_hilly(trmi_statics *st, bool *is_hilly, trm_error *err) {
  const trm_system *sys = st->sys;
  const int nv = sys->n.nv;
  double alpha[LENGTH], beta[LENGTH], most = 0.0;
  *is_hilly = false;
  if (sys->n.nx + sys->n.nw > 0 || nv <= 0) return TRM_OK; /* A is not the derivative of forces */
  begin(sys, st->modes);
  for (int j = -1; j < LENGTH && j < nv && !*is_hilly; j++) {
    const double *last = st->modes + (size_t)(j > 0 ? j : 0) * (size_t)nv;
    double *u = st->modes + (size_t)(j + 1 < LENGTH ? j + 1 : 0) * (size_t)nv;
    const double length = length_of(st, last);
    if (!(length > 0.0) || !isfinite(length)) return TRM_OK;
    const trm_status status = apply(st, err);
    if (status > 0) return TRM_OK;
    TRMI_TRY(err, status);
    if (j >= 0) {
      alpha[j] = dot(st->change, st->mode_mass, nv); /* (1) */
      most = fmax(most, fabs(alpha[j]));
      *is_hilly = has_negative(alpha, beta, j + 1);
      if (j + 1 == LENGTH) break;
    }
    memcpy(u, st->change, (size_t)nv * sizeof(double)); /* first onto directions that are free */
    make_orthogonal(st, j + 1, u);
    const double left = length_of(st, u);
    if (j >= 0) beta[j] = left;
    if (!(left > nothing_new * most)) break;
    for (int i = 0; i < nv; i++) u[i] /= left;
  }
  return TRM_OK;
}
