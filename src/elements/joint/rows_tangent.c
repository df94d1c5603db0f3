/* rows_tangent.c - GY_Q = d(G^T y)/dq, also written (G^T lam)_q, and its pattern.
 *
 * Symbols as in rows.c and rows_blocks.c: sums f, Y_j, Y_d, k and F = f + Y_d + k d, D = P_B - x_A,
 * S = R_A^T R_B; q_A = k s_a - Y_d, q_B = -k s_b, K(u, v) = u v^T - (u.v) I. In axes of the bodies
 *   theta_A theta_A   K(-(f + k d) - k s_a, s_a) + K(D, Y_d) + sum K(b_j, Y_j)              (1)
 *   theta_B theta_B   K(F - k s_b, s_b) + sum K(Y_j, b_j)                                   (2)
 *   theta_A theta_B   sum (Y_j.b_j) S - b_j Y_j^T,  left in A, right in B; the same once
 *                     more with -q_A for Y and s_b for b;  theta_B theta_A its transpose    (3)
 *   x_B theta_A   M_A, row i is R_A,i x q_A;   x_B theta_B   M_B, row i is R_B,i x q_B;
 *   x_A: minus these;   theta x: their transposes;   x x: k I, -k I                         (4)
 * Derivation: docs/theory/11-joints.md. */
#include "elements/joint/rows_internal.h"

/* ---- pattern ------------------------------------------------------------------ */

/* Rows that the list of a joint has in addition to a point. */
typedef struct content {
  bool turn, along, distance;
} content;

static content content_of(const trmi_link *link) {
  content has = {0};
  for (int k = 0; k < link->nrows; k++) {
    switch (link->rows[k].kind) {
    case TRMI_ROW_POINT: break;
    case TRMI_ROW_DOT:
    case TRMI_ROW_TWIST: has.turn = true; break;
    case TRMI_ROW_ALONG: has.along = true; break;
    case TRMI_ROW_DISTANCE: has.distance = true; break;
    }
  }
  return has;
}

static void declare_diagonal(trmi_declaration *d, int row, int col) {
  for (int i = 0; i < 3; i++) trmi_declare(d, row + i, col + i, 1, 1);
}

/* A block of x and theta, and its transpose */
static void declare_coupling(trmi_declaration *d, int x, int theta) {
  trmi_declare(d, x, theta, 3, 3);
  trmi_declare(d, theta, x, 3, 3);
}

void trmi_tangent_declare(trmi_declaration *d, const trmi_link *link, const trmi_link_place *at) {
  const content has = content_of(link);
  const bool x_A = link->A != TRMI_CARRIER_GROUND, x_B = link->B != TRMI_CARRIER_GROUND;
  const bool turns_A = link->A == TRMI_CARRIER_BODY, turns_B = link->B == TRMI_CARRIER_BODY;
  const int theta_A = at->v_A + 3, theta_B = at->v_B + 3;
  const bool has_pair = has.turn || has.along || has.distance;
  if (turns_A) trmi_declare(d, theta_A, theta_A, 3, 3);
  if (turns_B) trmi_declare(d, theta_B, theta_B, 3, 3);
  if (turns_A && turns_B && has_pair) {
    trmi_declare(d, theta_A, theta_B, 3, 3);
    trmi_declare(d, theta_B, theta_A, 3, 3);
  }
  if (turns_A && (has.along || has.distance)) {
    declare_coupling(d, at->v_A, theta_A);
    if (x_B) declare_coupling(d, at->v_B, theta_A);
  }
  if (!has.distance) return;
  if (turns_B) {
    declare_coupling(d, at->v_B, theta_B);
    if (x_A) declare_coupling(d, at->v_A, theta_B);
  }
  if (x_A) declare_diagonal(d, at->v_A, at->v_A);
  if (x_B) declare_diagonal(d, at->v_B, at->v_B);
  if (x_A && x_B) {
    declare_diagonal(d, at->v_A, at->v_B);
    declare_diagonal(d, at->v_B, at->v_A);
  }
}

/* ---- values -------------------------------------------------------------------- */

/* out = K(u, v) + K(s, t) */
static inline void put_K(double out[9], trmi_vec3 u, trmi_vec3 v, trmi_vec3 s, trmi_vec3 t) {
  const double trace = v3_dot(u, v) + v3_dot(s, t);
  v3_store(out, v3_add(v3_scale(u.x, v), v3_scale(s.x, t)));
  v3_store(out + 3, v3_add(v3_scale(u.y, v), v3_scale(s.y, t)));
  v3_store(out + 6, v3_add(v3_scale(u.z, v), v3_scale(s.z, t)));
  for (int i = 0; i < 3; i++) out[4 * i] -= trace;
}

/* AB = (Y.b) S - b Y^T, (3) */
static inline void put_cross(double AB[9], const double S[9], trmi_vec3 Y_a, trmi_vec3 Y_b,
                             trmi_vec3 b_a) {
  const double product = v3_dot(Y_a, b_a);
  v3_store(AB, v3_sub(v3_scale(product, m3_row(S, 0)), v3_scale(b_a.x, Y_b)));
  v3_store(AB + 3, v3_sub(v3_scale(product, m3_row(S, 1)), v3_scale(b_a.y, Y_b)));
  v3_store(AB + 6, v3_sub(v3_scale(product, m3_row(S, 2)), v3_scale(b_a.z, Y_b)));
}

static void add_matrix(double out[9], const double M[9]) {
  for (int i = 0; i < 9; i++) out[i] += M[i];
}
static double *put_matrix(double *p, const double M[9]) {
  for (int i = 0; i < 9; i++) p[i] = M[i];
  return p + 9;
}

static inline double *put_transpose(double *p, const double M[9]) {
  for (int i = 0; i < 3; i++) p = trmi_put(p, m3_column(M, i));
  return p;
}

/* sign M with rows R_i x q, and its transpose, (4) */
static double *put_coupling(double *p, double sign, const double R[9], trmi_vec3 q) {
  for (int i = 0; i < 3; i++) v3_store(p + 3 * i, v3_scale(sign, v3_cross(m3_row(R, i), q)));
  return put_transpose(p + 9, p);
}

/* x with theta and with x, (4) */
static void put_translations(const trmi_link_pair *of, const trmi_row_sums *sums, trmi_vec3 q_A,
                             double *p) {
  const trmi_link *l = of->link;
  const bool x_A = l->A != TRMI_CARRIER_GROUND, x_B = l->B != TRMI_CARRIER_GROUND;
  const double k = sums->distance;
  if (l->A == TRMI_CARRIER_BODY) {
    p = put_coupling(p, -1.0, of->A->R, q_A);
    if (x_B) p = put_coupling(p, 1.0, of->A->R, q_A);
  }
  if (!sums->has_distance) return;
  if (l->B == TRMI_CARRIER_BODY) {
    const trmi_vec3 q_B = v3_scale(-k, l->s_b);
    p = put_coupling(p, 1.0, of->B->R, q_B);
    if (x_A) p = put_coupling(p, -1.0, of->B->R, q_B);
  }
  if (x_A) p = trmi_put(p, v3(k, k, k));
  if (x_B) p = trmi_put(p, v3(k, k, k));
  if (x_A && x_B) trmi_put(trmi_put(p, v3(-k, -k, -k)), v3(-k, -k, -k));
}

static const trmi_vec3 zero = {0.0, 0.0, 0.0};

/* Blocks of rotations. */
typedef struct rotations {
  double AA[9], BB[9], AB[9];
} rotations;

/* (1) to (3) for Y_j and axis j of B */
static void add_couple(const trmi_link_pair *of, trmi_vec3 Y_a, int j, rotations *to) {
  const trmi_vec3 b_b = m3_row(of->link->E_b, j), b_a = m3_mul(of->S, b_b);
  const trmi_vec3 Y_b = m3_tmul(of->S, Y_a);
  double M[9];
  put_K(M, b_a, Y_a, zero, zero);
  add_matrix(to->AA, M);
  put_K(M, Y_b, b_b, zero, zero);
  add_matrix(to->BB, M);
  put_cross(M, of->S, Y_a, Y_b, b_a);
  add_matrix(to->AB, M);
}

static void fill_any(const trmi_link_pair *of, const double *y, double *p) {
  const trmi_link *l = of->link;
  const trmi_row_sums sums = trmi_sum_rows(l, y);
  const double k = sums.distance;
  const bool pulls = sums.has_along || sums.has_distance;
  bool has_pair = pulls;
  rotations to = {.AB = {0.0}};

  /* forces at the points, with the parts of (1) and (2) that belong to s_a and s_b */
  trmi_vec3 F_a = m3_tmul(of->A->R, sums.point), F_b = m3_tmul(of->B->R, sums.point);
  trmi_vec3 D_a = zero, q_A = zero;
  if (pulls) {
    const trmi_vec3 d = trmi_link_gap(l, of->A, of->B);
    D_a = v3_add(m3_tmul(of->A->R, d), l->s_a);
    q_A = v3_sub(v3_scale(k, l->s_a), sums.along);
    F_a = v3_add(F_a, v3_scale(k, D_a));
    F_b = v3_add(v3_add(F_b, m3_tmul(of->S, sums.along)),
                 v3_scale(k, v3_sub(m3_tmul(of->B->R, d), l->s_b)));
    put_cross(to.AB, of->S, v3_neg(q_A), v3_neg(m3_tmul(of->S, q_A)), m3_mul(of->S, l->s_b));
  }
  put_K(to.AA, v3_neg(F_a), l->s_a, D_a, sums.along);
  put_K(to.BB, F_b, l->s_b, zero, zero);

  for (int j = 0; j < 3; j++) {
    if (!sums.has_turn[j]) continue;
    add_couple(of, sums.turn[j], j, &to);
    has_pair = true;
  }
  if (sums.has_twist) {
    trmi_twist_tangent(l, of->A, of->B, sums.twist, to.AA, to.BB, to.AB);
    has_pair = true;
  }

  /* in the order of trmi_tangent_declare */
  const bool turns_A = l->A == TRMI_CARRIER_BODY, turns_B = l->B == TRMI_CARRIER_BODY;
  if (turns_A) p = put_matrix(p, to.AA);
  if (turns_B) p = put_matrix(p, to.BB);
  if (turns_A && turns_B && has_pair) p = put_transpose(put_matrix(p, to.AB), to.AB);
  if (pulls) put_translations(of, &sums, q_A, p);
}

/* The same for only a point */
static void fill_point(const trmi_link_pair *of, const double *y, double *p) {
  const trmi_link *l = of->link;
  const trmi_vec3 F = v3_load(y);
  if (l->A == TRMI_CARRIER_BODY) {
    put_K(p, v3_neg(m3_tmul(of->A->R, F)), l->s_a, zero, zero);
    p += 9;
  }
  if (l->B == TRMI_CARRIER_BODY) put_K(p, m3_tmul(of->B->R, F), l->s_b, zero, zero);
}

/* The same for a hinge between two bodies */
static void fill_hinge(const trmi_link_pair *of, const double *y, double *p) {
  const trmi_link *l = of->link;
  const trmi_vec3 F = v3_load(y), F_a = m3_tmul(of->A->R, F), F_b = m3_tmul(of->B->R, F);
  const trmi_vec3 Y_a = trmi_hinge_turn(l, y), Y_b = m3_tmul(of->S, Y_a);
  const trmi_vec3 b_b = m3_row(l->E_b, 2), b_a = m3_mul(of->S, b_b);
  put_K(p, v3_neg(F_a), l->s_a, b_a, Y_a);
  put_K(p + 9, F_b, l->s_b, Y_b, b_b);
  put_cross(p + 18, of->S, Y_a, Y_b, b_a);
  put_transpose(p + 27, p + 18);
}

void trmi_tangent_fill(const trmi_link_pair *of, const double *y, double *p) {
  const trmi_link *l = of->link;
  const bool bodies = l->A == TRMI_CARRIER_BODY && l->B == TRMI_CARRIER_BODY;
  if (l->shape == TRMI_LINK_POINT) {
    fill_point(of, y, p);
  } else if (bodies && l->shape == TRMI_LINK_HINGE) {
    fill_hinge(of, y, p);
  } else {
    fill_any(of, y, p);
  }
}
