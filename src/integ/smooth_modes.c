/* smooth_modes.c - fast modes of the stiff forces, (2), (3), (7), (9) and (10) of smooth.c.
 *
 * With K = L L^T the modes are those of a symmetric matrix of the size of eta:
 *   S = L^T A L,   S u = omega^2 u,   phi = omega L^-T u,   p = Mt phi = L u/omega
 * so that p_i.A p_j and phi_i.Mt phi_j are 1 for i = j and 0 otherwise, Mt r = sum p (p.r), and a
 * singular A only gives a zero frequency. S is small: math/jacobi.h. */
#include "integ/smooth.h"
#include "math/jacobi.h"
#include <math.h>
#include <string.h>

/* ---- small matrices ---------------------------------------------------------------------- */

void trmi_smooth_compliance(const trmi_smooth *sm, double *r) {
  const int m = sm->m;
  const double *L = sm->L;
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < i; j++) r[i] -= L[m * i + j] * r[j];
    r[i] /= L[m * i + i];
  }
  for (int i = m - 1; i >= 0; i--) {
    for (int j = i + 1; j < m; j++) r[i] -= L[m * j + i] * r[j];
    r[i] /= L[m * i + i];
  }
}

/* The largest change of each deformation by a displacement of one coordinate by its scale; 1:
 * none. */
static void scale_deformations(trmi_smooth *sm) {
  const trmi_sparse *B = &sm->ctx.sys->block[TRM_STIFF_B];
  memset(sm->eta_scale, 0, (size_t)sm->m * sizeof *sm->eta_scale);
  for (int k = 0; k < B->n; k++) {
    double *scale = &sm->eta_scale[B->col[k]];
    *scale = fmax(*scale, fabs(B->values[k]) * sm->ctx.scale_v[B->row[k]]);
  }
  for (int i = 0; i < sm->m; i++) {
    if (!(sm->eta_scale[i] > 0.0)) sm->eta_scale[i] = 1.0; /* find_modes refuses it by name */
  }
}

trm_status trmi_smooth_read_stiffness(trmi_smooth *sm, const trm_state *s, trm_error *err) {
  trm_system *sys = sm->ctx.sys;
  const int m = sm->m;
  double *L = sm->L;
  const trmi_block_set set = TRMI_BIT(TRM_STIFF_K) | TRMI_BIT(TRM_STIFF_B);
  TRMI_TRY(err, trmi_system_blocks(sys, s, set, NULL, NULL, NULL, err));
  scale_deformations(sm);
  const trmi_sparse *K = &sys->block[TRM_STIFF_K];
  memset(L, 0, (size_t)m * (size_t)m * sizeof *L);
  for (int k = 0; k < K->n; k++) L[m * K->row[k] + K->col[k]] += K->values[k];
  for (int j = 0; j < m; j++) {
    const double size = L[m * j + j];
    double pivot = size;
    for (int k = 0; k < j; k++) pivot -= L[m * j + k] * L[m * j + k];
    trm_label label;
    trm_system_label(sys, TRM_STIFF, j, &label);
    if (!(size > 0.0 && pivot > 1e-12 * size)) {
      return TRMI_FAIL(err, TRM_ERR_INPUT, label.object, "its stiffness is not positive definite "
                       "at '%s': 'smooth' needs vibrations in every stiff deformation", label.name);
    }
    L[m * j + j] = sqrt(pivot);
    for (int i = j + 1; i < m; i++) {
      if (!(fabs(L[m * i + j] - L[m * j + i]) <= 1e-10 * size)) {
        return TRMI_FAIL(err, TRM_ERR_INPUT, label.object, "its stiffness matrix is not "
                         "symmetric: 'smooth' needs forces with a potential");
      }
      for (int k = 0; k < j; k++) L[m * i + j] -= L[m * i + k] * L[m * j + k];
      L[m * i + j] /= L[m * j + j];
    }
  }
  for (int i = 0; i < m; i++) {
    for (int j = i + 1; j < m; j++) L[m * i + j] = 0.0;
  }
  return TRM_OK;
}

/* ---- deformations ------------------------------------------------------------------------ */

void trmi_smooth_strain(const trmi_smooth *sm, const double *v, double *out) {
  const trmi_sparse *B = &sm->ctx.sys->block[TRM_STIFF_B];
  memset(out, 0, (size_t)sm->m * sizeof *out);
  for (int k = 0; k < B->n; k++) out[B->col[k]] += sm->B[k] * v[B->row[k]];
}

static trm_status read_B(trmi_smooth *sm, const trm_state *s, double *values, trm_error *err) {
  trm_system *sys = sm->ctx.sys;
  TRMI_TRY(err, trmi_system_blocks(sys, s, TRMI_BIT(TRM_STIFF_B), NULL, NULL, NULL, err));
  const trmi_sparse *B = &sys->block[TRM_STIFF_B];
  if (values != NULL) memcpy(values, B->values, (size_t)B->n * sizeof *values);
  return TRM_OK;
}

/* ---- modes ------------------------------------------------------------------------------- */

/* W = columns of [M G^T A^T; G; A]^-1 [B; 0; 0], and S; (2) */
static trm_status find_columns(trmi_smooth *sm, trmi_consistent *c, const trm_state *s,
                               trm_error *err) {
  const trmi_sparse *B = &sm->ctx.sys->block[TRM_STIFF_B];
  const int m = sm->m, nall = sm->nall;
  trmi_matrix *matrix;
  TRMI_TRY(err, read_B(sm, s, sm->B, err));
  TRMI_TRY(err, trmi_consistent_factor(c, s, false, &matrix, err));
  memset(sm->columns, 0, (size_t)m * (size_t)nall * sizeof *sm->columns);
  for (int k = 0; k < B->n; k++) sm->columns[nall * B->col[k] + B->row[k]] += sm->B[k];
  for (int j = 0; j < m; j++) {
    TRMI_TRY(err, trmi_linear_solve(&matrix->lin, sm->columns + nall * j, err));
  }
  double *A = sm->vectors, *S = sm->S;
  for (int j = 0; j < m; j++) trmi_smooth_strain(sm, sm->columns + nall * j, A + m * j);
  for (int i = 0; i < m; i++) { /* A L, with rows and columns exchanged: A is symmetric */
    for (int j = 0; j < m; j++) {
      double sum = 0.0;
      for (int k = j; k < m; k++) sum += 0.5 * (A[m * i + k] + A[m * k + i]) * sm->L[m * k + j];
      S[m * i + j] = sum;
    }
  }
  for (int j = 0; j < m; j++) { /* L^T (A L), column by column from the top */
    for (int i = 0; i < m; i++) {
      double sum = 0.0;
      for (int k = i; k < m; k++) sum += sm->L[m * k + i] * S[m * k + j];
      S[m * i + j] = sum;
    }
  }
  return TRM_OK;
}

/* Mode i from column `u` of the eigenvectors. */
static void set_mode(trmi_smooth *sm, int i, int u) {
  const int m = sm->m;
  trmi_fast_modes *modes = &sm->modes;
  double *p = modes->p + m * i, *phi = modes->phi + m * i;
  const double omega = sqrt(fmax(sm->S[m * u + u], 0.0));
  modes->omega[i] = omega;
  for (int k = 0; k < m; k++) {
    double sum = 0.0;
    for (int j = 0; j <= k; j++) sum += sm->L[m * k + j] * sm->vectors[m * j + u];
    p[k] = sum / omega;
  }
  for (int k = m - 1; k >= 0; k--) {
    phi[k] = omega * sm->vectors[m * k + u];
    for (int j = k + 1; j < m; j++) phi[k] -= sm->L[m * j + k] * phi[j];
    phi[k] /= sm->L[m * k + k];
  }
}

static void swap_lists(double *a, double *b, int n) {
  for (int k = 0; k < n; k++) {
    const double other = a[k];
    a[k] = b[k], b[k] = other;
  }
}

/* Reorder modes so that each continues the one with its number; set their signs. */
static void follow(trmi_smooth *sm, const double *p_followed) {
  const int m = sm->m;
  trmi_fast_modes *modes = &sm->modes;
  for (int i = 0; i < m; i++) {
    int best = i;
    double most = -1.0, sign = 1.0;
    for (int j = i; j < m; j++) {
      double overlap = 0.0;
      for (int k = 0; k < m; k++) overlap += p_followed[m * i + k] * modes->phi[m * j + k];
      if (fabs(overlap) > most) most = fabs(overlap), best = j, sign = overlap < 0.0 ? -1.0 : 1.0;
    }
    sm->overlap[i] = most;
    swap_lists(modes->p + m * i, modes->p + m * best, best != i ? m : 0);
    swap_lists(modes->phi + m * i, modes->phi + m * best, best != i ? m : 0);
    swap_lists(modes->omega + i, modes->omega + best, best != i);
    for (int k = 0; k < m; k++) modes->p[m * i + k] *= sign, modes->phi[m * i + k] *= sign;
  }
}

/* S u.u relative to its value for uncoupled deformations: frequencies may differ by many powers of
 * ten. */
static bool can_vibrate(const trmi_smooth *sm, int i) {
  const int m = sm->m;
  double apart = 0.0;
  for (int k = 0; k < m; k++) {
    apart += sm->vectors[m * k + i] * sm->vectors[m * k + i] * sm->diagonal[k];
  }
  return sm->S[m * i + i] > 1e-10 * apart;
}

static trm_status refuse_mode(const trmi_smooth *sm, int i, trm_error *err) {
  const int m = sm->m;
  trm_label label;
  int worst = 0;
  for (int k = 1; k < m; k++) {
    if (fabs(sm->vectors[m * k + i]) > fabs(sm->vectors[m * worst + i])) worst = k;
  }
  trm_system_label(sm->ctx.sys, TRM_STIFF, worst, &label);
  return TRMI_FAIL(err, TRM_ERR_INPUT, label.object, "its deformation '%s' cannot vibrate: "
                   "joints or other stiff forces prescribe it; set its stiffness to zero, or "
                   "leave out 'averaged' of it", label.name);
}

trm_status trmi_smooth_find_modes(trmi_smooth *sm, trmi_consistent *c, const trm_state *s,
                                  const double *p_followed, trm_error *err) {
  const int m = sm->m, nall = sm->nall;
  trmi_fast_modes *modes = &sm->modes;
  TRMI_TRY(err, find_columns(sm, c, s, err));
  for (int i = 0; i < m; i++) sm->diagonal[i] = sm->S[m * i + i];
  trmi_diagonalize(sm->S, sm->vectors, m);
  for (int i = 0; i < m; i++) {
    if (!can_vibrate(sm, i)) return refuse_mode(sm, i, err);
    set_mode(sm, i, i);
  }
  for (int i = 0; i < m; i++) sm->overlap[i] = 1.0;
  if (p_followed != NULL) follow(sm, p_followed);
  for (int i = 0; i < m; i++) {
    double *shape = modes->shape + nall * i;
    memset(shape, 0, (size_t)nall * sizeof *shape);
    for (int j = 0; j < m; j++) {
      const double p = modes->p[m * i + j], *W = sm->columns + nall * j;
      for (int k = 0; k < nall; k++) shape[k] += p * W[k];
    }
  }
  return TRM_OK;
}

/* ---- derivatives ------------------------------------------------------------------------- */

/* out[col] += factor w[row] S[row][col] */
static void add_left(const trmi_sparse *S, double factor, const double *w, double *out) {
  for (int k = 0; k < S->n; k++) out[S->col[k]] += factor * w[S->row[k]] * S->values[k];
}

/* out += factor B p at the state displaced by e w */
static trm_status add_force(trmi_smooth *sm, const trm_state *s, const double *w, double e,
                            const double *p, double factor, double *out, trm_error *err) {
  trm_system *sys = sm->ctx.sys;
  trmi_state_copy(sys, s, &sm->probe);
  for (int k = 0; k < sys->n.nv; k++) sm->move[k] = e * w[k];
  trm_system_retract(sys, s->q, sm->move, sm->probe.q);
  TRMI_TRY(err, read_B(sm, &sm->probe, NULL, err));
  trmi_sparse_add_mul(&sys->block[TRM_STIFF_B], factor, p, out);
  return TRM_OK;
}

/* Factor of w for a displacement of 1e-5 of the scales: truncation and rounding of a central
 * difference are then 1e-10. */
static double small_part(const trmi_smooth *sm, const double *w) {
  double size = 0.0;
  for (int k = 0; k < sm->ctx.sys->n.nv; k++) {
    size = fmax(size, fabs(w[k]) / sm->ctx.sys->scale_v[k]);
  }
  return size > 0.0 ? 1e-5 / size : 0.0;
}

trm_status trmi_smooth_form(trmi_smooth *sm, const trm_state *s, const double *x, const double *p,
                            double *out, trm_error *err) {
  trm_system *sys = sm->ctx.sys;
  const int nv = sys->n.nv;
  const double *w = x, *lam = x + nv, *mu = lam + sys->n.ng, e = small_part(sm, w);
  const trmi_block_set set = TRMI_BIT(TRM_MU_Q) | (sys->n.ng > 0 ? TRMI_BIT(TRM_GY_Q) : 0) |
                             (sys->n.na > 0 ? TRMI_BIT(TRM_AY_Q) : 0);
  memset(out, 0, (size_t)nv * sizeof *out);
  TRMI_TRY(err, trmi_system_blocks(sys, s, set, w, lam, mu, err));
  add_left(&sys->block[TRM_MU_Q], 1.0, w, out);
  if (sys->n.ng > 0) add_left(&sys->block[TRM_GY_Q], 2.0, w, out);
  if (sys->n.na > 0) add_left(&sys->block[TRM_AY_Q], 2.0, w, out);
  if (e > 0.0) {
    TRMI_TRY(err, add_force(sm, s, w, e, p, -1.0 / e, out, err));
    TRMI_TRY(err, add_force(sm, s, w, -e, p, 1.0 / e, out, err));
  }

  /* for rotations: derivatives along w and with respect to q in the other order */
  const trmi_sparse *B = &sys->block[TRM_STIFF_B];
  double *force = sm->force;
  memset(force, 0, (size_t)nv * sizeof *force);
  for (int k = 0; k < B->n; k++) force[B->row[k]] += sm->B[k] * p[B->col[k]];
  for (int i = 0; i < sys->n.nrot; i++) {
    const int v = sys->rot_v[i];
    for (int k = 0; k < 3; k++) {
      const int l = (k + 1) % 3, j = (k + 2) % 3;
      out[v + k] -= 2.0 * (w[v + l] * force[v + j] - w[v + j] * force[v + l]);
    }
  }
  return TRM_OK;
}

trm_status trmi_smooth_find_slope(trmi_smooth *sm, const trm_state *s, int i, trm_error *err) {
  const int nv = sm->ctx.sys->n.nv;
  trmi_fast_modes *modes = &sm->modes;
  double *slope = modes->slope + nv * i;
  TRMI_TRY(err, trmi_smooth_form(sm, s, modes->shape + sm->nall * i, modes->p + sm->m * i, slope,
                                 err));
  for (int k = 0; k < nv; k++) slope[k] = -slope[k];
  modes->has_slope[i] = true;
  return TRM_OK;
}

/* Modes whose energy is below this part of the largest, times the tolerance, exert no mean
 * force. */
static const double pushing_part = 1e-3, fixed_tolerance = 1e-6;

trm_status trmi_smooth_find_slopes(trmi_smooth *sm, const trm_state *s, const double *decayed,
                                   trm_error *err) {
  const double tolerance = sm->ctx.fixed ? fixed_tolerance : sm->ctx.tolerance;
  trmi_fast_modes *modes = &sm->modes;
  double most = 0.0;
  for (int i = 0; i < sm->m; i++) {
    most = fmax(most, trmi_smooth_action(sm, decayed, i) * modes->omega[i]);
  }
  for (int i = 0; i < sm->m; i++) {
    const double energy = trmi_smooth_action(sm, decayed, i) * modes->omega[i];
    modes->has_slope[i] = false;
    if (energy > pushing_part * tolerance * most) {
      TRMI_TRY(err, trmi_smooth_find_slope(sm, s, i, err));
    } else {
      memset(modes->slope + sm->ctx.sys->n.nv * i, 0,
             (size_t)sm->ctx.sys->n.nv * sizeof *modes->slope);
    }
  }
  return TRM_OK;
}

/* w.S w */
static double energy_of(const trmi_sparse *S, const double *w) {
  double sum = 0.0;
  for (int k = 0; k < S->n; k++) sum += w[S->row[k]] * S->values[k] * w[S->col[k]];
  return sum;
}

static double product_of(const double *x, const double *y, int n) {
  double sum = 0.0;
  for (int k = 0; k < n; k++) sum += x[k] * y[k];
  return sum;
}

trm_status trmi_smooth_find_frequencies(trmi_smooth *sm, trmi_consistent *c, const trm_state *s,
                                        trm_error *err) {
  trm_system *sys = sm->ctx.sys;
  trmi_fast_modes *modes = &sm->modes;
  const int nv = sys->n.nv;
  static const trm_block stiffness[] = {TRM_K, TRM_MU_Q, TRM_GY_Q, TRM_AY_Q};
  const int count = sys->n.na > 0 ? 4 : sys->n.ng > 0 ? 3 : 2;
  trmi_block_set set = TRMI_BIT(TRM_C);
  for (int b = 0; b < count; b++) set |= TRMI_BIT(stiffness[b]);
  TRMI_TRY(err, trmi_system_blocks(sys, s, set, s->vd, s->lam, s->mu, err));
  for (int i = 0; i < sm->m; i++) {
    const double *w = modes->shape + sm->nall * i, omega = modes->omega[i];
    double *tilt = modes->tilt + nv * i, *force = sm->gradient;
    memset(force, 0, (size_t)nv * sizeof *force);
    for (int b = 0; b < count; b++) trmi_sparse_add_mul(&sys->block[stiffness[b]], 1.0, w, force);
    TRMI_TRY(err, trmi_smooth_slow_response(sm, c, force, sm->solve, err));
    for (int k = 0; k < nv; k++) tilt[k] = sm->solve[k] / (omega * omega);
    const double square = product_of(force, w, nv) + product_of(force, tilt, nv);
    modes->frequency[i] = sqrt(fmax(square, 0.25 * omega * omega)); /* the tests reject this */
    modes->decay[i] = energy_of(&sys->block[TRM_C], w);
  }
  return TRM_OK;
}
