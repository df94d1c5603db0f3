/* beam.c - internal force of a geometrically exact beam element and its exact tangents.
 *
 * Positions x_i and quaternions p_i of the nodes are interpolated equally; P is linear in the p_i
 * and not normalized ('o' is the product of quaternions, ' over s):
 *   x(s) = sum N_i x_i,   P(s) = sum N_i p_i,   R = R(P/|P|)                              (1)
 *   G = R^T x',           kappa = 2 vec(P^-1 o P'),     P^-1 = conj(P)/|P|^2              (2)
 * A turn of node i by theta_i, dp_i = p_i o theta_i/2, turns the section by phi:
 *   (a_i, b_i) = N_i P^-1 o p_i,   H_i = a_i I + skew(b_i),    phi  = sum H_i theta_i     (3)
 *   (a_i, b_i)' = N_i' P^-1 o p_i - (P^-1 o P') o (a_i, b_i),  phi' = sum H_i' theta_i    (4)
 * and stretches P: d|P|/|P| = -1/2 sum b_i . theta_i. With y = R^T dx'
 *   dG = y + G x phi,   dkappa = phi' + kappa x phi                                       (5)
 *
 * (1) to (5) are computed in beam_point.h, the loads shown in results in beam_stress.c. With stress
 *   (n, m) = D (e + beta e'), e = (G, kappa) - reference values, e' of (5) along v: (16)
 *   force on x_i:  sum_s N_i' R n,    moment on node i:  h_i = sum_s H_i^T al + H_i'^T m  (6)
 *   al = n x G + m x kappa
 *   2 energy = sum_s e . D e,         dissipation = sum_s beta e' . D e'                  (7)
 * sum_s is the sum over n - 1 Gauss points, times length.
 *
 * Tangent: the quadratic form of section variables (y, phi, phi') is
 *   yy = Dnn,  y phi = T1 - skew(n),  y phi' = Dnm,  phi' phi' = Dmm                      (8)
 *   phi phi  = -skew(G) T1 - skew(kappa) T2 + sym(G n^T + kappa m^T) - (G.n + kappa.m) I  (9)
 *   phi' phi = T2 - skew(m)/2                                                             (10)
 *   T1 = Dnn skew(G) + Dnm skew(kappa),   T2 = Dnm^T skew(G) + Dmm skew(kappa)
 * H_i and H_i' also change, which adds, for nodes i and j and mu_i = H_i^T m,
 *   1/2 (h_i b_j^T + b_i h_j^T + mu_i b_j'^T + b_i' mu_j^T)                               (11)
 * and, on the diagonal, because moments are in rotating axes,
 *   - 1/2 (b_i . al + b_i' . m) I + 1/2 skew(h_i)                                         (12)
 * The last term is the only one that is not symmetric. C is (8)-(10) with beta D and no stress.
 *
 * Damping adds B_i^T beta D E_j to K, E the derivative of e' at fixed v. With y, phi, phi'
 * those of v, u = -1/2 sum b_i . w_i, and X_j the change of phi by theta_j at fixed v,
 *   X_j  = 1/2 (phi b_j^T - b_j w_j^T + skew(phi) H_j - H_j skew(w_j)) - u H_j            (13)
 *   E_G  = skew(y) H_j + skew(G) X_j - skew(phi) skew(G) H_j;  over x: -skew(phi) N_j' R^T  (14)
 *   E_k  = X_j' + skew(kappa) X_j - skew(phi) (H_j' + skew(kappa) H_j);  over x: 0          (15)
 * Derivation: docs/theory/10-beam.md. */
#include "elements/flex/beam_point.h"
#include "core/compiler.h"
#include <string.h>

/* Quadratic form of the section in (y, phi, phi'), times length, (8)-(10). */
typedef struct section_form {
  double yy[9], y_phi[9], y_dphi[9], phi_phi[9], dphi_phi[9], dphi_dphi[9];
} section_form;

/* Stress of one point, times length. */
typedef struct section_stress {
  trmi_vec3 n, m, al;
} section_stress;

/* One node in the tangent. */
typedef struct node_form {
  double W[9], V[9], Y[9];
} node_form;

/* A point in motion, for the part of damping in K. */
typedef struct moving_point {
  const trmi_beam *beam;
  const trmi_beam_state *state;
  const trmi_beam_shape *shape;
  const trmi_beam_point *at;
  const trmi_beam_rate *rate;
} moving_point;

/* out += A H */
static TRMI_INLINE void add_spin_right(const double A[9], trmi_spin H, double out[9]) {
  for (int i = 0; i < 3; i++) v3_accumulate(out + 3 * i, spin_tmul(H, m3_row(A, i)));
}

/* out += s a b^T */
static TRMI_INLINE void add_outer(double s, trmi_vec3 a, trmi_vec3 b, double out[9]) {
  v3_accumulate(out + 0, v3_scale(s * a.x, b));
  v3_accumulate(out + 3, v3_scale(s * a.y, b));
  v3_accumulate(out + 6, v3_scale(s * a.z, b));
}

/* out += s skew(a) A */
static TRMI_INLINE void add_skew_left(double s, trmi_vec3 a, const double A[9], double out[9]) {
  const trmi_vec3 b = v3_scale(s, a), row0 = m3_row(A, 0), row1 = m3_row(A, 1), row2 = m3_row(A, 2);
  v3_accumulate(out + 0, v3_sub(v3_scale(b.y, row2), v3_scale(b.z, row1)));
  v3_accumulate(out + 3, v3_sub(v3_scale(b.z, row0), v3_scale(b.x, row2)));
  v3_accumulate(out + 6, v3_sub(v3_scale(b.x, row1), v3_scale(b.y, row0)));
}

/* out += H^T A */
static TRMI_INLINE void add_spin_left(trmi_spin H, const double A[9], double out[9]) {
  for (int i = 0; i < 9; i++) out[i] += H.a * A[i];
  add_skew_left(-1.0, H.b, A, out);
}

/* out += s skew(a) */
static TRMI_INLINE void add_skew(double s, trmi_vec3 a, double out[9]) {
  out[1] -= s * a.z;
  out[2] += s * a.y;
  out[3] += s * a.z;
  out[5] -= s * a.x;
  out[6] -= s * a.y;
  out[7] += s * a.x;
}

/* One quarter of D, times a number. */
static TRMI_INLINE void quarter(const double D[36], int row, int column, double s, double out[9]) {
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) out[3 * i + j] = s * D[6 * (row + i) + column + j];
  }
}

/* (8)-(10) */
static TRMI_INLINE void form_section(const double D[36], double s, const trmi_beam_point *at,
                                     const section_stress *stress, section_form *form) {
  const trmi_vec3 G = at->G, kappa = at->kappa, n = stress->n, m = stress->m;
  const double trace = -v3_dot(G, n) - v3_dot(kappa, m);
  double *phi_phi = form->phi_phi, T1[9], T2[9];
  quarter(D, 0, 0, s, form->yy);
  quarter(D, 0, 3, s, form->y_dphi);
  quarter(D, 3, 3, s, form->dphi_dphi);
  for (int i = 0; i < 3; i++) {
    const trmi_vec3 nn = m3_row(form->yy, i), nm = m3_row(form->y_dphi, i);
    const trmi_vec3 mn = m3_column(form->y_dphi, i), mm = m3_row(form->dphi_dphi, i);
    v3_store(T1 + 3 * i, v3_add(v3_cross(nn, G), v3_cross(nm, kappa)));
    v3_store(T2 + 3 * i, v3_add(v3_cross(mn, G), v3_cross(mm, kappa)));
  }
  memset(phi_phi, 0, 9 * sizeof *phi_phi);
  for (int i = 0; i < 9; i += 4) phi_phi[i] = trace;
  add_skew_left(-1.0, G, T1, phi_phi);
  add_skew_left(-1.0, kappa, T2, phi_phi);
  add_outer(0.5, G, n, phi_phi);
  add_outer(0.5, n, G, phi_phi);
  add_outer(0.5, kappa, m, phi_phi);
  add_outer(0.5, m, kappa, phi_phi);
  memcpy(form->y_phi, T1, sizeof T1);
  add_skew(-1.0, n, form->y_phi);
  memcpy(form->dphi_phi, T2, sizeof T2);
  add_skew(-0.5, m, form->dphi_phi);
}

/* A += B, 3 x 3 at row 3 i, column 3 j of a matrix with `width` columns */
static TRMI_INLINE void add_block(double *A, int width, int i, int j, double s, const double B[9]) {
  double *corner = A + 3 * (i * width + j);
  for (int row = 0; row < 3; row++) {
    for (int k = 0; k < 3; k++) corner[row * width + k] += s * B[3 * row + k];
  }
}

/* The part of node j in the tangent: what multiplies H_i^T (W), H_i'^T (V) and N_i' (Y). Half
 * of (11) is in W and V. */
static TRMI_INLINE void form_node(const trmi_beam_point *at, const section_form *form,
                                  const section_stress *stress, int j, node_form *out) {
  const trmi_spin H = at->H[j], dH = at->dH[j];
  double phi_dphi[9], Y[9] = {0.0}, *W = out->W, *V = out->V;
  for (int i = 0; i < 3; i++) v3_store(phi_dphi + 3 * i, m3_column(form->dphi_phi, i));
  memset(W, 0, 9 * sizeof *W);
  memset(V, 0, 9 * sizeof *V);
  add_spin_right(form->phi_phi, H, W);
  add_spin_right(phi_dphi, dH, W);
  add_outer(0.5, stress->al, H.b, W);
  add_outer(0.5, stress->m, dH.b, W);
  add_spin_right(form->dphi_phi, H, V);
  add_spin_right(form->dphi_dphi, dH, V);
  add_outer(0.5, stress->m, H.b, V);
  add_spin_right(form->y_phi, H, Y);
  add_spin_right(form->y_dphi, dH, Y);
  m3_mm(at->R, Y, out->Y);
}

/* Add the tangent of one point, (8)-(12): complete blocks of positions with rotations, the others
 * on and above the diagonal. */
static TRMI_INLINE void add_tangent(const int n, const trmi_beam_shape *shape,
                                    const trmi_beam_point *at, const section_form *form,
                                    const section_stress *stress, double *K) {
  const int width = 6 * n;
  double RD[9], A[9]; /* A = R Dnn R^T */
  m3_mm(at->R, form->yy, RD);
  for (int i = 0; i < 3; i++) v3_store(A + 3 * i, m3_mul(at->R, m3_row(RD, i)));
  for (int j = 0; j < n; j++) {
    const trmi_vec3 h = v3_add(spin_tmul(at->H[j], stress->al), spin_tmul(at->dH[j], stress->m));
    const trmi_vec3 mu = spin_tmul(at->H[j], stress->m);
    node_form node;
    form_node(at, form, stress, j, &node);
    for (int i = 0; i < n; i++) {
      add_block(K, width, 2 * i, 2 * j + 1, shape->dN[i], node.Y);
      if (i > j) continue;
      double block[9] = {0.0};
      add_block(K, width, 2 * i, 2 * j, shape->dN[i] * shape->dN[j], A);
      add_spin_left(at->H[i], node.W, block);
      add_spin_left(at->dH[i], node.V, block);
      add_outer(0.5, at->H[i].b, h, block);
      add_outer(0.5, at->dH[i].b, mu, block);
      if (i == j) {
        const double d = -0.5 * (v3_dot(at->H[i].b, stress->al) + v3_dot(at->dH[i].b, stress->m));
        for (int k = 0; k < 9; k += 4) block[k] += d;
        add_skew(0.5, h, block);
      }
      add_block(K, width, 2 * i + 1, 2 * j + 1, 1.0, block);
    }
  }
}

/* Set the block at (j, i) to the transpose of the one at (i, j). */
static TRMI_INLINE void copy_transposed(double *K, int width, int i, int j) {
  const double *from = K + 3 * (i * width + j);
  double *to = K + 3 * (j * width + i);
  for (int row = 0; row < 3; row++) {
    for (int k = 0; k < 3; k++) to[k * width + row] = from[row * width + k];
  }
}

/* The other half of the symmetric part, omitted by add_tangent. */
static TRMI_INLINE void mirror(const int n, double *K) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      copy_transposed(K, 6 * n, 2 * i, 2 * j + 1);
      if (i >= j) continue;
      copy_transposed(K, 6 * n, 2 * i, 2 * j);
      copy_transposed(K, 6 * n, 2 * i + 1, 2 * j + 1);
    }
  }
}

static void spin_matrix(trmi_spin H, double out[9]) {
  m3_skew(H.b, out);
  for (int i = 0; i < 9; i += 4) out[i] += H.a;
}

/* X_j and X_j' of (13) */
static void turn_of_turn(const moving_point *point, int j, double X[9], double dX[9]) {
  const trmi_spin H = point->at->H[j], dH = point->at->dH[j];
  const trmi_beam_rate *rate = point->rate;
  const trmi_vec3 w = v3_load(point->state->v[j] + 3);
  double H_matrix[9], dH_matrix[9];
  spin_matrix(H, H_matrix);
  spin_matrix(dH, dH_matrix);
  for (int i = 0; i < 9; i++) {
    X[i] = -rate->u * H_matrix[i];
    dX[i] = -rate->du * H_matrix[i] - rate->u * dH_matrix[i];
  }
  add_outer(0.5, rate->phi, H.b, X);
  add_outer(-0.5, H.b, w, X);
  add_skew_left(0.5, rate->phi, H_matrix, X);
  add_outer(0.5, rate->dphi, H.b, dX);
  add_outer(0.5, rate->phi, dH.b, dX);
  add_outer(-0.5, dH.b, w, dX);
  add_skew_left(0.5, rate->dphi, H_matrix, dX);
  add_skew_left(0.5, rate->phi, dH_matrix, dX);
  for (int i = 0; i < 3; i++) { /* - H_j skew(w_j)/2 */
    v3_accumulate(X + 3 * i, v3_scale(-0.5, v3_cross(m3_row(H_matrix, i), w)));
    v3_accumulate(dX + 3 * i, v3_scale(-0.5, v3_cross(m3_row(dH_matrix, i), w)));
  }
}

/* (14)-(15) for node j */
static void change_of_rate(const moving_point *point, int j, trmi_beam_rate_change *E) {
  const trmi_beam_point *at = point->at;
  const trmi_beam_rate *rate = point->rate;
  double X[9], H[9], GH[9] = {0.0}, kH[9], R_t[9];
  memset(E, 0, sizeof *E);
  turn_of_turn(point, j, X, E->k);
  spin_matrix(at->H[j], H);
  spin_matrix(at->dH[j], kH);
  add_skew_left(1.0, at->G, H, GH);
  add_skew_left(1.0, at->kappa, H, kH);
  add_skew_left(1.0, rate->y, H, E->G);
  add_skew_left(1.0, at->G, X, E->G);
  add_skew_left(-1.0, rate->phi, GH, E->G);
  add_skew_left(1.0, at->kappa, X, E->k);
  add_skew_left(-1.0, rate->phi, kH, E->k);
  for (int i = 0; i < 3; i++) v3_store(R_t + 3 * i, m3_column(at->R, i));
  add_skew_left(-point->shape->dN[j], rate->phi, R_t, E->x);
}

void trmi_beam_change_rate(const trmi_beam *beam, const trmi_beam_state *state, int point,
                           const trmi_beam_point *at, const trmi_beam_rate *rate, int j,
                           trmi_beam_rate_change *E) {
  const moving_point moving = {beam, state, &beam->point[point], at, rate};
  change_of_rate(&moving, j, E);
}

/* out += A B */
static void add_product(const double A[9], const double B[9], double out[9]) {
  for (int i = 0; i < 3; i++) v3_accumulate(out + 3 * i, m3_tmul(B, m3_row(A, i)));
}

/* K += B_i^T (Fn, Fm) for all nodes i, in the columns of block j. */
static void add_stress_change(const moving_point *point, const double Fn[9], const double Fm[9],
                              int j, double *K) {
  const trmi_beam_point *at = point->at;
  const int n = point->beam->n;
  double RF[9], L[9] = {0.0};
  m3_mm(at->R, Fn, RF);
  add_skew_left(-1.0, at->G, Fn, L);
  add_skew_left(-1.0, at->kappa, Fm, L);
  for (int i = 0; i < n; i++) {
    double block[9] = {0.0};
    add_spin_left(at->H[i], L, block);
    add_spin_left(at->dH[i], Fm, block);
    add_block(K, 6 * n, 2 * i, j, point->shape->dN[i], RF);
    add_block(K, 6 * n, 2 * i + 1, j, 1.0, block);
  }
}

/* Part of damping in K that is not in the form of the section: B_i^T beta D E_j. */
static void add_damping_tangent(const moving_point *point, double *K) {
  const trmi_beam_section *section = point->beam->section;
  const double *D = section->D, s = section->damping * point->shape->ds;
  double nn[9], nm[9], mn[9], mm[9];
  quarter(D, 0, 0, s, nn);
  quarter(D, 0, 3, s, nm);
  quarter(D, 3, 0, s, mn);
  quarter(D, 3, 3, s, mm);
  for (int j = 0; j < point->beam->n; j++) {
    trmi_beam_rate_change E;
    double Fn[9] = {0.0}, Fm[9] = {0.0};
    change_of_rate(point, j, &E);
    add_product(nn, E.G, Fn);
    add_product(nm, E.k, Fn);
    add_product(mn, E.G, Fm);
    add_product(mm, E.k, Fm);
    add_stress_change(point, Fn, Fm, 2 * j + 1, K);
    m3_mm(nn, E.x, Fn);
    m3_mm(mn, E.x, Fm);
    add_stress_change(point, Fn, Fm, 2 * j, K);
  }
}

/* Stress of a point times length, energy and dissipation, (7). */
static TRMI_INLINE section_stress stress_of(const trmi_beam *beam, int point,
                                            const trmi_beam_point *at, const trmi_beam_rate *rate,
                                            trmi_beam_out *out) {
  const double ds = beam->point[point].ds, damping = beam->section->damping;
  trmi_beam_strain strain;
  trmi_beam_strain_of(beam, point, at, rate, &strain);
  double *stress = strain.elastic;
  for (int i = 0; i < 6; i++) out->energy += 0.5 * ds * strain.e[i] * stress[i];
  for (int i = 0; i < 6 && rate != NULL; i++) {
    stress[i] += damping * strain.viscous[i];
    out->dissipation += damping * ds * strain.rate[i] * strain.viscous[i];
  }
  const trmi_vec3 n = v3_scale(ds, v3_load(stress)), m = v3_scale(ds, v3_load(stress + 3));
  return (section_stress){n, m, v3_add(v3_cross(n, at->G), v3_cross(m, at->kappa))};
}

/* (6) */
static TRMI_INLINE void add_force(const int n, const trmi_beam_shape *shape,
                                  const trmi_beam_point *at, const section_stress *stress,
                                  double *f) {
  const trmi_vec3 n_ground = m3_mul(at->R, stress->n);
  for (int i = 0; i < n; i++) {
    const trmi_vec3 al = spin_tmul(at->H[i], stress->al), m = spin_tmul(at->dH[i], stress->m);
    v3_accumulate(f + 6 * i, v3_scale(shape->dN[i], n_ground));
    v3_accumulate(f + 6 * i + 3, v3_add(al, m));
  }
}

/* The whole contribution of one point. */
static TRMI_INLINE void add_point(const int n, const trmi_beam *beam, int point,
                                  const trmi_beam_point *at, const trmi_beam_rate *rate,
                                  trmi_beam_out *out) {
  const trmi_beam_shape *shape = &beam->point[point];
  const double *D = beam->section->D, viscous = beam->section->damping * shape->ds;
  const section_stress stress = stress_of(beam, point, at, rate, out);
  section_form form;
  if (out->f != NULL) add_force(n, shape, at, &stress, out->f);
  if (out->K != NULL) {
    form_section(D, shape->ds, at, &stress, &form);
    add_tangent(n, shape, at, &form, &stress, out->K);
  }
  if (out->C != NULL && viscous > 0.0) {
    const section_stress none = {.n = v3(0.0, 0.0, 0.0)};
    form_section(D, viscous, at, &none, &form);
    add_tangent(n, shape, at, &form, &none, out->C);
  }
}

/* The element with a compile-time number of nodes. */
static TRMI_INLINE trm_status internal(const int n, const trmi_beam *beam,
                                       const trmi_beam_state *state, trmi_beam_out *out) {
  trmi_beam_signed nodes;
  trmi_beam_point at[TRMI_BEAM_POINTS];
  trmi_beam_rate rate[TRMI_BEAM_POINTS];
  bool is_inside = trmi_beam_signs(n, state->q, &nodes);
  for (int g = 0; g < n - 1; g++) {
    is_inside = trmi_beam_kinematics(n, &beam->point[g], state->q, &nodes, &at[g]) && is_inside;
  }
  if (!is_inside) return TRM_RETRY_DOMAIN;

  const size_t size = (size_t)(6 * n);
  if (out->f != NULL) memset(out->f, 0, size * sizeof(double));
  if (out->K != NULL) memset(out->K, 0, size * size * sizeof(double));
  if (out->C != NULL) memset(out->C, 0, size * size * sizeof(double));
  out->energy = out->dissipation = 0.0;

  const bool is_viscous = beam->section->damping > 0.0 && state->v[0] != NULL;
  for (int g = 0; g < n - 1; g++) {
    if (is_viscous) rate[g] = trmi_beam_rate_of(n, &beam->point[g], &at[g], state);
    add_point(n, beam, g, &at[g], is_viscous ? &rate[g] : NULL, out);
  }
  if (out->K != NULL) mirror(n, out->K);
  if (out->C != NULL) mirror(n, out->C);
  for (int g = 0; is_viscous && out->K != NULL && g < n - 1; g++) {
    const moving_point point = {beam, state, &beam->point[g], &at[g], &rate[g]};
    add_damping_tangent(&point, out->K);
  }
  return TRM_OK;
}

trm_status trmi_beam_internal(const trmi_beam *beam, const trmi_beam_state *at,
                              trmi_beam_out *out) {
  switch (beam->n) {
  case 2: return internal(2, beam, at, out);
  case 3: return internal(3, beam, at, out);
  default: return internal(4, beam, at, out);
  }
}
