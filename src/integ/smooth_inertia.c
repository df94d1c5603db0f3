/* smooth_inertia.c - change of the inertia and the potential of the slow motion of `smooth` by
 * larger vibrations.
 *
 * A vibration moves bodies to Phi = q^ (+) a s, s = W p, corrected so that g is unchanged and eta
 * becomes eta + a phi: stages of a step violate g = 0 and eta = eta^ by their truncation error,
 * whose effect on V must be the same in all terms of (17). Slow directions t, M-orthonormal at q^,
 * become X t = (dPhi/dq) t there. The effective inertia of the slow momentum, and the mean
 * potential of all other forces:
 *   M_a = X^T M X,   M_e = <M_a^-1>^-1,   Delta = M_e - M_0                               (16)
 *   U = <V(Phi)> - V(q^) - J omega/2                                                      (17)
 * Means use a = +-sqrt(J/omega), the two nodes of Gauss-Chebyshev quadrature: terms of second order
 * in a are exact. With coordinates xi along t, xi' = t.M v, the slow motion becomes
 *   (1 + Delta) xi'' = xi''_0 + xi'.Delta_q xi'/2 - (Delta_q xi') xi' - U_q               (18)
 * and the momentum of (9) of smooth.c is (1 + Delta) xi'. At constant momentum the slow motion
 * oscillates with the vibration, xi' + (dM_a/da) xi' a = const, with amplitude (dM_a/da) xi' b/w^2;
 * the vibration becomes stiffer by -xi'.Delta xi'/<a^2>. For the pendulum on a spring Delta is -3
 * <a^2>: it swings faster, because the mean of 1/r^2 is larger than 1/<r>^2. All of this is omitted
 * for vibrations below 1e-4 of the scales, or whose square is below a tenth of the tolerance, and
 * for those that damping has reduced to a tenth of that.                                 (19)
 * Derivatives are differences over pairs of states, 4 d^2 of them for d slow degrees of freedom:
 * with d above INERTIA_MOST larger vibrations are rejected. */
#include "integ/smooth.h"
#include <math.h>
#include <string.h>

enum { INERTIA_MOST = 12 };
/* Vibrations count from this part of the scales, or if their square exceeds this part of the
 * tolerance. */
static const double size_least = 1e-4, square_least = 0.1;
/* Displacements for differences over the scales: of tangents, and of Delta and U. */
static const double tangent_step = 1e-5, state_step = 1e-3;

void trmi_smooth_take_inertia(trmi_smooth *sm, trmi_arena *arena) {
  const int nv = sm->ctx.sys->n.nv, freedoms = nv - sm->ctx.rank->rank - sm->m;
  trmi_smooth_inertia *in = &sm->inertia;
  in->d = freedoms;
  in->is_possible = freedoms <= INERTIA_MOST;
  in->size = TRMI_TAKE(arena, double, sm->m);
  const int d = in->is_possible ? freedoms : 0, dd = d * d, nq = sm->ctx.sys->nq;
  in->basis = TRMI_TAKE(arena, double, d * nv);
  in->here = TRMI_TAKE(arena, double, d * nv);
  in->tangent = TRMI_TAKE(arena, double, d * nv);
  in->places = TRMI_TAKE(arena, double, 2 * nq * 2 * (d + 1) * sm->m);
  in->delta = TRMI_TAKE(arena, double, dd);
  in->own = TRMI_TAKE(arena, double, sm->m * dd);
  in->first = TRMI_TAKE(arena, double, sm->m * dd);
  in->slope = TRMI_TAKE(arena, double, d * dd);
  in->potential = TRMI_TAKE(arena, double, d);
  in->xi = TRMI_TAKE(arena, double, 2 * d);
  in->small = TRMI_TAKE(arena, double, 5 * dd);
  in->product = TRMI_TAKE(arena, double, nv);
  trmi_state_take(sm->ctx.sys, arena, &in->shifted);
  trmi_state_take(sm->ctx.sys, arena, &in->moved);
}

/* Error: a vibration whose inertia counts, with too many slow degrees of freedom. */
static trm_status refuse(const trmi_smooth *sm, int mode, double size, trm_error *err) {
  trm_label label;
  trm_system_label(sm->ctx.sys, TRM_STIFF, trmi_smooth_deformation_of(sm, mode), &label);
  return TRMI_FAIL(err, TRM_ERR_INPUT, label.object, "its vibration, %.2g of the scales, changes "
                   "the inertia of the slow motion, which 'smooth' counts for up to %d slow "
                   "freedoms; here are %d. Begin with less vibration, or use another integrator",
                   size, INERTIA_MOST, sm->inertia.d);
}

/* (19) at a start */
static double least_size(const trmi_smooth *sm) {
  return fmax(size_least, sm->ctx.fixed ? 0.0 : sqrt(square_least * sm->ctx.tolerance));
}

/* (19) later */
static bool counts(const trmi_smooth *sm, const double *decayed, int i) {
  return sm->action[i] > 0.0 &&
         sm->inertia.size[i] * exp(0.5 * decayed[i]) > 0.1 * least_size(sm);
}

trm_status trmi_smooth_choose_inertia(trmi_smooth *sm, trm_error *err) {
  const trm_system *sys = sm->ctx.sys;
  trmi_smooth_inertia *in = &sm->inertia;
  const double least = least_size(sm);
  in->is_used = false;
  for (int i = 0; i < sm->m; i++) {
    const double a = sqrt(2.0 * sm->action[i] / sm->modes.omega[i]);
    double size = 0.0;
    for (int k = 0; k < sys->n.nv; k++) {
      size = fmax(size, a * fabs(sm->modes.shape[sm->nall * i + k]) / sm->ctx.scale_v[k]);
    }
    const bool counts = size > least; /* (19) */
    if (counts && !in->is_possible) return refuse(sm, i, size, err);
    in->size[i] = counts ? size : 0.0;
    in->is_used = in->is_used || counts;
  }
  return TRM_OK;
}

/* ---- small matrices ---------------------------------------------------------------------- */

/* A^-1 of a symmetric positive definite matrix, by Gauss-Jordan elimination; false: it is not
 * definite. */
static bool invert(double *A, int n) {
  for (int k = 0; k < n; k++) {
    const double pivot = A[n * k + k];
    if (!(pivot > 0.0)) return false;
    A[n * k + k] = 1.0;
    for (int j = 0; j < n; j++) A[n * k + j] /= pivot;
    for (int i = 0; i < n; i++) {
      if (i == k) continue;
      const double factor = A[n * i + k];
      A[n * i + k] = 0.0;
      for (int j = 0; j < n; j++) A[n * i + j] -= factor * A[n * k + j];
    }
  }
  return true;
}

/* out = x_k.M x_l of d vectors, with the present M */
static void gram(trmi_smooth *sm, const double *x, double *out) {
  const trm_system *sys = sm->ctx.sys;
  const int d = sm->inertia.d, nv = sys->n.nv;
  double *product = sm->inertia.product;
  for (int k = 0; k < d; k++) {
    memset(product, 0, (size_t)nv * sizeof *product);
    trmi_sparse_add_mul(&sys->block[TRM_M], 1.0, x + nv * k, product);
    for (int l = 0; l < d; l++) {
      double sum = 0.0;
      for (int i = 0; i < nv; i++) sum += product[i] * x[nv * l + i];
      out[d * k + l] = sum;
    }
  }
}

static trm_status read_mass(trmi_smooth *sm, const trm_state *s, trm_error *err) {
  return trmi_system_blocks(sm->ctx.sys, s, TRMI_BIT(TRM_M), NULL, NULL, NULL, err);
}

/* ---- directions -------------------------------------------------------------------------- */

/* The slow part of a direction, orthogonal by M; M is present, and modes with their factors. */
static trm_status slow_part(trmi_smooth *sm, trmi_consistent *c, const double *x, double *out,
                            trm_error *err) {
  const int nv = sm->ctx.sys->n.nv;
  double *f = sm->inertia.product;
  memset(f, 0, (size_t)nv * sizeof *f);
  trmi_sparse_add_mul(&sm->ctx.sys->block[TRM_M], 1.0, x, f);
  TRMI_TRY(err, trmi_smooth_slow_response(sm, c, f, sm->solve, err));
  memcpy(out, sm->solve, (size_t)nv * sizeof *out);
  return TRM_OK;
}

/* x minus its parts along the first `count` vectors of the basis; its length before and after. */
static void orthogonalize(trmi_smooth *sm, int count, double *x, double length[2]) {
  const trm_system *sys = sm->ctx.sys;
  const int nv = sys->n.nv;
  double *product = sm->inertia.product;
  for (int pass = 0; pass < 2; pass++) {
    for (int k = 0; k <= count; k++) {
      const double *t = k < count ? sm->inertia.basis + nv * k : x;
      double part = 0.0;
      memset(product, 0, (size_t)nv * sizeof *product);
      trmi_sparse_add_mul(&sys->block[TRM_M], 1.0, x, product);
      for (int i = 0; i < nv; i++) part += product[i] * t[i];
      if (k == count) length[1] = sqrt(fmax(part, 0.0));
      for (int i = 0; i < nv && k < count; i++) x[i] -= part * t[i];
    }
    if (pass == 0) length[0] = length[1];
  }
}

/* d slow directions at s, M-orthonormal, from unit vectors. */
static trm_status find_basis(trmi_smooth *sm, trmi_consistent *c, const trm_state *s,
                             trm_error *err) {
  const int nv = sm->ctx.sys->n.nv;
  trmi_smooth_inertia *in = &sm->inertia;
  int count = 0;
  TRMI_TRY(err, read_mass(sm, s, err));
  for (double least = 0.3; count < in->d && least > 1e-9; least *= 0.1) {
    for (int j = 0; j < nv && count < in->d; j++) {
      double *x = in->basis + nv * count, length[2];
      memset(sm->move, 0, (size_t)nv * sizeof *sm->move);
      sm->move[j] = 1.0;
      orthogonalize(sm, 0, sm->move, length);
      const double whole = length[1];
      TRMI_TRY(err, slow_part(sm, c, sm->move, x, err));
      orthogonalize(sm, count, x, length);
      if (!(length[1] > least * whole)) continue;
      for (int i = 0; i < nv; i++) x[i] /= length[1];
      count++;
    }
  }
  if (count == in->d) return TRM_OK;
  return TRMI_FAIL(err, TRM_RETRY_SINGULAR, NULL, "the slow directions of the motion cannot be "
                   "told from the others");
}

/* ---- displaced positions ----------------------------------------------------------------- */

/* Phi of mode i at s, whose modes and factors are present. */
static trm_status displace(trmi_smooth *sm, trmi_consistent *c, const trm_state *s, int i, double a,
                           double *q, trm_error *err) {
  trm_system *sys = sm->ctx.sys;
  const int nv = sys->n.nv, m = sm->m;
  const double *shape = sm->modes.shape + sm->nall * i;
  trm_state *moved = &sm->inertia.moved;
  double *x = sm->solve, *g = sm->form;
  trmi_state_copy(sys, s, moved);
  for (int k = 0; k < nv; k++) sm->move[k] = a * shape[k];
  trm_system_retract(sys, s->q, sm->move, moved->q);
  memset(x, 0, (size_t)sm->nall * sizeof *x);
  TRMI_TRY(err, trm_system_values(sys, s, &(trm_values){.g = x + nv, .eta = sm->eta}, err));
  TRMI_TRY(err, trm_system_values(sys, moved, &(trm_values){.g = g, .eta = sm->r}, err));
  for (int k = 0; k < sys->n.ng; k++) x[nv + k] -= g[k];
  for (int k = 0; k < m; k++) sm->r[k] -= sm->eta[k] + a * sm->modes.phi[m * i + k];
  TRMI_TRY(err, trmi_smooth_correct(sm, c, x, err));
  trm_system_retract(sys, moved->q, x, q);
  return TRM_OK;
}

/* Phi of both nodes of all modes that count, into number `at` of the list. */
static trm_status displace_all(trmi_smooth *sm, trmi_consistent *c, const trm_state *s,
                               const double *decayed, int at, trm_error *err) {
  const int nq = sm->ctx.sys->nq;
  for (int i = 0; i < sm->m; i++) {
    if (!counts(sm, decayed, i)) continue;
    const double a = sqrt(trmi_smooth_action(sm, decayed, i) / sm->modes.omega[i]);
    double *q = sm->inertia.places + 2 * nq * (sm->m * at + i);
    TRMI_TRY(err, displace(sm, c, s, i, a, q, err));
    TRMI_TRY(err, displace(sm, c, s, i, -a, q + nq, err));
  }
  return TRM_OK;
}

/* The state displaced by e along x. */
static void shift(const trm_system *sys, const trm_state *s, const double *x, double e,
                  double *move, trm_state *out) {
  trmi_state_copy(sys, s, out);
  for (int i = 0; i < sys->n.nv; i++) move[i] = e * x[i];
  trm_system_retract(sys, s->q, move, out->q);
}

static double step_along(const trmi_smooth *sm, const double *x, double step) {
  double size = 0.0;
  for (int i = 0; i < sm->ctx.sys->n.nv; i++) {
    size = fmax(size, fabs(x[i]) / sm->ctx.sys->scale_v[i]);
  }
  return step / size;
}

/* ---- Delta and U ------------------------------------------------------------------------- */

/* M_a of mode i at one node from the displaced positions, and V there. */
static trm_status find_moved(trmi_smooth *sm, const trm_state *s, int i, int side, double *mass,
                             double *V, trm_error *err) {
  trm_system *sys = sm->ctx.sys;
  trmi_smooth_inertia *in = &sm->inertia;
  const int nv = sys->n.nv, nq = sys->nq;
  double energy[3];
  for (int k = 0; k < in->d; k++) {
    const double *ahead = in->places + 2 * nq * (sm->m * (1 + 2 * k) + i) + nq * side;
    const double e = step_along(sm, in->here + nv * k, tangent_step);
    double *x = in->tangent + nv * k;
    trm_system_difference(sys, ahead, ahead + 2 * nq * sm->m, x);
    for (int j = 0; j < nv; j++) x[j] /= 2.0 * e;
  }
  trmi_state_copy(sys, s, &in->moved);
  memcpy(in->moved.q, in->places + 2 * nq * i + nq * side, (size_t)nq * sizeof(double));
  TRMI_TRY(err, read_mass(sm, &in->moved, err));
  gram(sm, in->tangent, mass);
  TRMI_TRY(err, trm_system_values(sys, &in->moved, &(trm_values){.energy = energy}, err));
  *V = energy[1];
  return TRM_OK;
}

/* Delta of mode i, dM_a/da, and U, which is added; `zero` is M_0, V the potential at s. */
static trm_status find_mode(trmi_smooth *sm, const trm_state *s, double J, int i,
                            const double *zero, double V, double *U, trm_error *err) {
  trmi_smooth_inertia *in = &sm->inertia;
  const int dd = in->d * in->d;
  const double omega = sm->modes.omega[i], a = sqrt(J / omega);
  double *mean = in->own + dd * i, *first = in->first + dd * i, *mass = in->small, moved = 0.0;
  memset(mean, 0, (size_t)dd * sizeof *mean);
  memset(first, 0, (size_t)dd * sizeof *first);
  bool is_good = true;
  *U -= V + 0.5 * J * omega;
  for (int side = 0; side < 2; side++) {
    TRMI_TRY(err, find_moved(sm, s, i, side, mass, &moved, err));
    for (int k = 0; k < dd; k++) first[k] += (side == 0 ? 0.5 : -0.5) * mass[k] / a;
    is_good = is_good && invert(mass, in->d);
    for (int k = 0; k < dd; k++) mean[k] += 0.5 * mass[k];
    *U += 0.5 * moved;
  }
  if (!(is_good && invert(mean, in->d))) {
    return TRMI_FAIL(err, TRM_RETRY_DOMAIN, NULL, "a vibration is too large for its inertia");
  }
  for (int k = 0; k < dd; k++) mean[k] -= zero[k];
  return TRM_OK;
}

/* (16) and (17) at s for the slow parts of the basis there. */
static trm_status find_delta(trmi_smooth *sm, trmi_consistent *c, const trm_state *s,
                             const double *decayed, const double *p_followed, double *delta,
                             double *U, trm_error *err) {
  trm_system *sys = sm->ctx.sys;
  trmi_smooth_inertia *in = &sm->inertia;
  const int d = in->d, nv = sys->n.nv;
  trm_state *near = &sm->probe_near;
  TRMI_TRY(err, trmi_smooth_find_modes(sm, c, s, p_followed, err));
  TRMI_TRY(err, read_mass(sm, s, err));
  for (int k = 0; k < d; k++) {
    TRMI_TRY(err, slow_part(sm, c, in->basis + nv * k, in->here + nv * k, err));
  }
  double *zero = in->small + d * d;
  gram(sm, in->here, zero);
  for (int k = 0; k < 2 * d; k++) {
    const double *t = in->here + nv * (k / 2), e = step_along(sm, t, tangent_step);
    shift(sys, s, t, k % 2 == 0 ? e : -e, sm->move, near);
    TRMI_TRY(err, trmi_smooth_find_modes(sm, c, near, p_followed, err));
    TRMI_TRY(err, displace_all(sm, c, near, decayed, 1 + k, err));
  }
  TRMI_TRY(err, trmi_smooth_find_modes(sm, c, s, p_followed, err));
  TRMI_TRY(err, displace_all(sm, c, s, decayed, 0, err));
  memset(delta, 0, (size_t)(d * d) * sizeof *delta);
  *U = 0.0;
  double energy[3];
  TRMI_TRY(err, trm_system_values(sys, s, &(trm_values){.energy = energy}, err));
  for (int i = 0; i < sm->m; i++) {
    if (!counts(sm, decayed, i)) {
      memset(in->own + d * d * i, 0, (size_t)(d * d) * sizeof *in->own);
      memset(in->first + d * d * i, 0, (size_t)(d * d) * sizeof *in->first);
      continue;
    }
    TRMI_TRY(err, find_mode(sm, s, trmi_smooth_action(sm, decayed, i), i, zero, energy[1], U, err));
    for (int k = 0; k < d * d; k++) delta[k] += in->own[d * d * i + k];
  }
  return TRM_OK;
}

/* Derivatives of Delta and U along the basis. */
static trm_status find_slopes(trmi_smooth *sm, trmi_consistent *c, const trm_state *s,
                              const double *decayed, const double *p_followed, trm_error *err) {
  trmi_smooth_inertia *in = &sm->inertia;
  const int d = in->d, nv = sm->ctx.sys->n.nv, dd = d * d;
  double *ahead = in->small + 2 * dd, *behind = in->small + 3 * dd, U[2] = {0.0, 0.0};
  for (int l = 0; l < d; l++) {
    const double *t = in->basis + nv * l, e = step_along(sm, t, state_step);
    shift(sm->ctx.sys, s, t, e, sm->move, &in->shifted);
    TRMI_TRY(err, find_delta(sm, c, &in->shifted, decayed, p_followed, ahead, &U[0], err));
    shift(sm->ctx.sys, s, t, -e, sm->move, &in->shifted);
    TRMI_TRY(err, find_delta(sm, c, &in->shifted, decayed, p_followed, behind, &U[1], err));
    for (int k = 0; k < dd; k++) in->slope[dd * l + k] = (ahead[k] - behind[k]) / (2.0 * e);
    in->potential[l] = (U[0] - U[1]) / (2.0 * e);
  }
  return TRM_OK;
}

/* out = t.M x along the basis; M at s is present */
static void components(trmi_smooth *sm, const double *x, double *out) {
  const int d = sm->inertia.d, nv = sm->ctx.sys->n.nv;
  double *product = sm->inertia.product;
  memset(product, 0, (size_t)nv * sizeof *product);
  trmi_sparse_add_mul(&sm->ctx.sys->block[TRM_M], 1.0, x, product);
  for (int k = 0; k < d; k++) {
    out[k] = 0.0;
    for (int i = 0; i < nv; i++) out[k] += product[i] * sm->inertia.basis[nv * k + i];
  }
}

/* Right side of (18) without xi''_0, into r. */
static void push_back(const trmi_smooth_inertia *in, const double *xi, double *r) {
  const int d = in->d, dd = d * d;
  for (int l = 0; l < d; l++) {
    double sum = -in->potential[l];
    for (int k = 0; k < d; k++) {
      for (int j = 0; j < d; j++) {
        sum += 0.5 * xi[k] * in->slope[dd * l + d * k + j] * xi[j];
        sum -= xi[k] * in->slope[dd * k + d * l + j] * xi[j];
      }
    }
    r[l] = sum;
  }
}

/* Slow momentum stiffens a vibration: at constant momentum the energy of the slow motion has the
 * second derivative -xi'.Delta xi'/<a^2> along it. */
static void add_stiffening(trmi_smooth *sm, const double *decayed, const double *xi) {
  const trmi_smooth_inertia *in = &sm->inertia;
  const int d = in->d;
  for (int i = 0; i < sm->m; i++) {
    if (!counts(sm, decayed, i)) continue;
    double square = 0.0;
    for (int k = 0; k < d * d; k++) square -= xi[k / d] * in->own[d * d * i + k] * xi[k % d];
    square *= sm->modes.omega[i] / trmi_smooth_action(sm, decayed, i);
    const double w = sm->modes.frequency[i];
    sm->modes.frequency[i] = sqrt(fmax(w * w + square, 0.25 * w * w));
  }
}

trm_status trmi_smooth_add_inertia(trmi_smooth *sm, trmi_consistent *c, trm_state *s,
                                   const double *decayed, const double *p_followed,
                                   trm_error *err) {
  trmi_smooth_inertia *in = &sm->inertia;
  const int d = in->d, nv = sm->ctx.sys->n.nv;
  double U = 0.0, *xi = in->xi, *r = in->xi + d, *sum = in->small + 4 * d * d;
  if (!in->is_used) return TRM_OK;
  TRMI_TRY(err, find_basis(sm, c, s, err));
  TRMI_TRY(err, find_slopes(sm, c, s, decayed, p_followed, err));
  TRMI_TRY(err, find_delta(sm, c, s, decayed, p_followed, in->delta, &U, err));
  TRMI_TRY(err, read_mass(sm, s, err));
  components(sm, s->v, xi);
  push_back(in, xi, r);
  add_stiffening(sm, decayed, xi);
  components(sm, s->vd, xi); /* xi''_0 */
  for (int k = 0; k < d; k++) {
    for (int l = 0; l < d; l++) {
      r[k] -= in->delta[d * k + l] * xi[l];
      sum[d * k + l] = in->delta[d * k + l] + (k == l ? 1.0 : 0.0);
    }
  }
  if (!invert(sum, d)) {
    return TRMI_FAIL(err, TRM_RETRY_DOMAIN, NULL, "a vibration is too large for its inertia");
  }
  for (int k = 0; k < d; k++) {
    double change = 0.0;
    for (int l = 0; l < d; l++) change += sum[d * k + l] * r[l];
    for (int i = 0; i < nv; i++) s->vd[i] += change * in->basis[nv * k + i];
  }
  return TRM_OK;
}

trm_status trmi_smooth_momentum(trmi_smooth *sm, const trm_state *s, bool inverse, double *v,
                                trm_error *err) {
  trmi_smooth_inertia *in = &sm->inertia;
  const int d = in->d, nv = sm->ctx.sys->n.nv;
  double *xi = in->xi, *sum = in->small + 4 * d * d;
  if (!in->is_used) return TRM_OK;
  TRMI_TRY(err, read_mass(sm, s, err));
  components(sm, v, xi);
  for (int k = 0; k < d * d; k++) sum[k] = in->delta[k] + (k % (d + 1) == 0 ? 1.0 : 0.0);
  if (inverse && !invert(sum, d)) {
    return TRMI_FAIL(err, TRM_RETRY_DOMAIN, NULL, "a vibration is too large for its inertia");
  }
  for (int k = 0; k < d; k++) {
    double change = -xi[k];
    for (int l = 0; l < d; l++) change += sum[d * k + l] * xi[l];
    for (int i = 0; i < nv; i++) v[i] += change * in->basis[nv * k + i];
  }
  return TRM_OK;
}

trm_status trmi_smooth_sway(trmi_smooth *sm, const trm_state *s, const double *a, const double *b,
                            double *move, trm_error *err) {
  trmi_smooth_inertia *in = &sm->inertia;
  const int d = in->d, nv = sm->ctx.sys->n.nv;
  for (int k = 0; k < nv; k++) {
    move[k] = 0.0;
    for (int i = 0; i < sm->m; i++) move[k] += a[i] * sm->modes.tilt[nv * i + k];
  }
  if (!in->is_used) return TRM_OK;
  TRMI_TRY(err, read_mass(sm, s, err));
  components(sm, s->v, in->xi);
  for (int i = 0; i < sm->m; i++) {
    if (!(in->size[i] > 0.0)) continue;
    const double part = b[i] / (sm->modes.frequency[i] * sm->modes.frequency[i]);
    for (int k = 0; k < d; k++) {
      double y = 0.0;
      for (int l = 0; l < d; l++) y += in->first[d * d * i + d * k + l] * in->xi[l];
      for (int j = 0; j < nv; j++) move[j] += part * y * in->basis[nv * k + j];
    }
  }
  return TRM_OK;
}
