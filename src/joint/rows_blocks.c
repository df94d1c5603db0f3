/* rows_blocks.c - derivatives of constraint rows between marker A and marker B.
 *
 * Symbols as in rows.c; S = R_A^T R_B. Every row is a sum of products u . z in which u = R s is
 * fixed in a body. That body turns by theta: u . z changes by theta . (s x z), all in its axes.
 * With z, z', z'' as they stand and c = w x s, f = w x c the entries of its rotation are
 *   G     s x z                                                                            (1)
 *   GV_Q  c x z + s x z'                                                                   (2)
 *   GB_Q  f x z + 2 c x z' + s x z''                                                       (3)
 *   GB_V  c x z + s x (z x w) + 2 s x z'                                                   (4)
 * and u, z are, on A and on B,
 *   POINT i   -s_a, e_i;      s_b, e_i          (z' = z'' = 0)                             (5)
 *   DOT        a, b;          b, a              TWIST: minus the same for a2, b2           (6)
 *   ALONG      a, D;          s_b, a            D = P_B - x_A: a . (P_A - x_A) is constant (7)
 *   DISTANCE  -s_a, d/L;      s_b, d/L                                                     (8)
 * Translations: x_B has t, x_A has -t, with t = e_i, a or d/L; then t', t'', 2 t'
 * in GV_Q, GB_Q, GB_V.                                                                     (9)
 * G^T y with the sums F, Y_j, Y_d, k of rows.c, f without Y_d: q_A = k s_a - Y_d, q_B = -k s_b.
 * With K(u, v) = u v^T - (u.v) I its derivatives are, in axes of the bodies,
 *   theta_A theta_A   K(-(f + k d) - k s_a, s_a) + K(D, Y_d) + sum K(b_j, Y_j)            (10)
 *   theta_B theta_B   K(F - k s_b, s_b) + sum K(Y_j, b_j)                                 (11)
 *   theta_A theta_B   sum (Y_j.b_j) S - b_j Y_j^T,  left in A, right in B; the same once
 *                     more with -q_A for Y and s_b for b;  theta_B theta_A its transpose  (12)
 *   x_B theta_A   M_A, row i is R_A,i x q_A;   x_B theta_B   M_B, row i is R_B,i x q_B;
 *   x_A: minus these;   theta x: their transposes;   x x: k I, -k I                       (13)
 * Derivation: docs/theory/11-joints.md. */
#include "joint/rows_parts.h"

/* What the list of a joint has. */
typedef struct content {
  bool point, turn, along, distance;
} content;

static content content_of(const trmi_link *link) {
  content has = {0};
  for (int k = 0; k < link->nrows; k++) {
    switch (link->rows[k].kind) {
    case TRMI_ROW_POINT: has.point = true; break;
    case TRMI_ROW_DOT:
    case TRMI_ROW_TWIST: has.turn = true; break;
    case TRMI_ROW_ALONG: has.along = true; break;
    case TRMI_ROW_DISTANCE: has.distance = true; break;
    }
  }
  return has;
}

/* ---- patterns --------------------------------------------------------------- */

/* Where entries are declared; p is NULL if they are only counted. */
typedef struct declaration {
  trm_pattern *p;
  trm_block block;
  int count;
} declaration;

static void declare(declaration *d, int row, int col, int rows, int cols) {
  if (d->p != NULL) trm_pattern_dense(d->p, d->block, row, col, rows, cols);
  d->count += rows * cols;
}

static void declare_diagonal(declaration *d, int row, int col) {
  for (int i = 0; i < 3; i++) declare(d, row + i, col + i, 1, 1);
}

/* One entry of the list on one side: rows of a point one by one, translation before rotation. */
static void declare_side(declaration *d, trmi_row_kind kind, trmi_side_kind side, int row, int v) {
  if (side == TRMI_SIDE_GROUND) return;
  const bool turns = side == TRMI_SIDE_BODY;
  if (kind == TRMI_ROW_POINT) {
    for (int i = 0; i < 3; i++) {
      if (d->block == TRM_G) declare(d, row + i, v + i, 1, 1);
      if (turns) declare(d, row + i, v + 3, 1, 3);
    }
    return;
  }
  if (kind == TRMI_ROW_ALONG || kind == TRMI_ROW_DISTANCE) declare(d, row, v, 1, 3);
  if (turns) declare(d, row, v + 3, 1, 3);
}

/* A block of x and theta, and its transpose */
static void declare_coupling(declaration *d, int x, int theta) {
  declare(d, x, theta, 3, 3);
  declare(d, theta, x, 3, 3);
}

/* (10) to (13), in the order of fill_tangent */
static void declare_tangent(declaration *d, const trmi_link *link, const trmi_link_place *at) {
  const content has = content_of(link);
  const bool x_A = link->A != TRMI_SIDE_GROUND, x_B = link->B != TRMI_SIDE_GROUND;
  const bool turns_A = link->A == TRMI_SIDE_BODY, turns_B = link->B == TRMI_SIDE_BODY;
  const int theta_A = at->v_A + 3, theta_B = at->v_B + 3;
  const bool pair = has.turn || has.along || has.distance;
  if (turns_A) declare(d, theta_A, theta_A, 3, 3);
  if (turns_B) declare(d, theta_B, theta_B, 3, 3);
  if (turns_A && turns_B && pair) {
    declare(d, theta_A, theta_B, 3, 3);
    declare(d, theta_B, theta_A, 3, 3);
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

int trmi_link_pattern(const trmi_link *link, trm_pattern *p, trm_block block,
                      const trmi_link_place *at) {
  declaration d = {.p = p, .block = block};
  const trmi_link_place nowhere = {0};
  if (at == NULL) at = &nowhere;
  if (block == TRM_GY_Q) declare_tangent(&d, link, at);
  if (block != TRM_G && block != TRM_GV_Q && block != TRM_GB_Q && block != TRM_GB_V) {
    return d.count;
  }
  int row = at->row;
  for (int k = 0; k < link->nrows; k++) {
    const trmi_row_kind kind = link->rows[k].kind;
    declare_side(&d, kind, link->A, row, at->v_A);
    declare_side(&d, kind, link->B, row, at->v_B);
    row += kind == TRMI_ROW_POINT ? 3 : 1;
  }
  return d.count;
}

/* ---- G ----------------------------------------------------------------------- */

/* The two bodies of a link. */
typedef struct pair {
  const trmi_link *link;
  const trmi_pose *A, *B;
  double S[9]; /* R_A^T R_B, if anything but a point needs it */
} pair;

/* Three numbers at p; returns the place behind them. */
static inline double *put(double *p, trmi_vec3 u) {
  v3_store(p, u);
  return p + 3;
}

/* (5) on one side, rows sign (s x R_i) */
static double *put_point(double *p, trmi_side_kind side, double sign, trmi_vec3 s,
                         const double R[9]) {
  const trmi_vec3 signed_s = v3_scale(sign, s);
  if (side == TRMI_SIDE_GROUND) return p;
  if (side == TRMI_SIDE_POINT) return put(p, v3(sign, sign, sign));
  for (int i = 0; i < 3; i++) {
    p[4 * i] = sign;
    v3_store(p + 4 * i + 1, v3_cross(signed_s, m3_row(R, i)));
  }
  return p + 12;
}

/* (6): what A has is h, B has the opposite */
static double *put_turn(double *p, const pair *of, trmi_vec3 h) {
  if (of->link->A == TRMI_SIDE_BODY) p = put(p, h);
  if (of->link->B == TRMI_SIDE_BODY) p = put(p, v3_neg(m3_tmul(of->S, h)));
  return p;
}

/* a x b in axes of A */
static trmi_vec3 turn_of(const pair *of, int a, int b) {
  return v3_cross(m3_row(of->link->E_a, a), m3_mul(of->S, m3_row(of->link->E_b, b)));
}

/* Translation and rotation of one side */
static double *put_side(double *p, trmi_side_kind side, trmi_vec3 t, trmi_vec3 rotation) {
  if (side != TRMI_SIDE_GROUND) p = put(p, t);
  if (side == TRMI_SIDE_BODY) p = put(p, rotation);
  return p;
}

/* (7) */
static double *put_along(double *p, const pair *of, trmi_vec3 a_a) {
  const trmi_link *l = of->link;
  const trmi_vec3 a = m3_mul(of->A->R, a_a), a_b = m3_tmul(of->S, a_a);
  const trmi_vec3 D_a =
      v3_add(m3_tmul(of->A->R, v3_sub(of->B->x, of->A->x)), m3_mul(of->S, l->s_b));
  p = put_side(p, l->A, v3_neg(a), v3_cross(a_a, D_a));
  return put_side(p, l->B, a, v3_cross(l->s_b, a_b));
}

/* (8) */
static double *put_distance(double *p, const pair *of) {
  const trmi_link *l = of->link;
  const trmi_vec3 n = v3_scale(1.0 / l->length, trmi_link_gap(l, of->A, of->B));
  p = put_side(p, l->A, v3_neg(n), v3_cross(m3_tmul(of->A->R, n), l->s_a));
  return put_side(p, l->B, n, v3_cross(l->s_b, m3_tmul(of->B->R, n)));
}

static void fill_G(const pair *of, double *p) {
  const trmi_link *l = of->link;
  for (int k = 0; k < l->nrows; k++) {
    const trmi_row *row = &l->rows[k];
    switch (row->kind) {
    case TRMI_ROW_POINT:
      p = put_point(p, l->A, -1.0, l->s_a, of->A->R);
      p = put_point(p, l->B, 1.0, l->s_b, of->B->R);
      break;
    case TRMI_ROW_DOT: p = put_turn(p, of, turn_of(of, row->a, row->b)); break;
    case TRMI_ROW_TWIST:
      p = put_turn(p, of, v3_sub(turn_of(of, row->a, row->b), turn_of(of, row->a2, row->b2)));
      break;
    case TRMI_ROW_ALONG: p = put_along(p, of, m3_row(l->E_a, row->a)); break;
    case TRMI_ROW_DISTANCE: p = put_distance(p, of); break;
    }
  }
}

/* ---- GV_Q, GB_Q, GB_V: one layout --------------------------------------------- */

/* s, c, f of a vector fixed in a body, body axes */
static trmi_moving fixed_vector(trmi_vec3 s, trmi_vec3 w) {
  const trmi_vec3 c = v3_cross(w, s);
  return (trmi_moving){s, c, v3_cross(w, c)};
}
static trmi_moving moving_mul(const double R[9], trmi_moving m) {
  return (trmi_moving){m3_mul(R, m.u), m3_mul(R, m.u1), m3_mul(R, m.u2)};
}
static trmi_moving moving_tmul(const double R[9], trmi_moving m) {
  return (trmi_moving){m3_tmul(R, m.u), m3_tmul(R, m.u1), m3_tmul(R, m.u2)};
}
static trmi_moving moving_scale(double factor, trmi_moving m) {
  return (trmi_moving){v3_scale(factor, m.u), v3_scale(factor, m.u1), v3_scale(factor, m.u2)};
}

/* Entries of three columns in one row of the three blocks. */
typedef struct triple {
  trmi_vec3 GV_Q, GB_Q, GB_V;
} triple;

/* (2) to (4) */
static triple turned(const trmi_moving *u, const trmi_moving *z, trmi_vec3 w) {
  const trmi_vec3 c_z = v3_cross(u->u1, z->u), s_z1 = v3_cross(u->u, z->u1);
  const trmi_vec3 swept = v3_cross(u->u, v3_cross(z->u, w));
  const trmi_vec3 ends = v3_add(v3_cross(u->u2, z->u), v3_cross(u->u, z->u2));
  return (triple){
      .GV_Q = v3_add(c_z, s_z1),
      .GB_Q = v3_add(ends, v3_scale(2.0, v3_cross(u->u1, z->u1))),
      .GB_V = v3_add(v3_add(c_z, swept), v3_scale(2.0, s_z1)),
  };
}

/* (9) */
static triple moved(const trmi_moving *t, double sign) {
  return (triple){v3_scale(sign, t->u1), v3_scale(sign, t->u2), v3_scale(2.0 * sign, t->u1)};
}

static triple triple_sub(triple a, triple b) {
  return (triple){v3_sub(a.GV_Q, b.GV_Q), v3_sub(a.GB_Q, b.GB_Q), v3_sub(a.GB_V, b.GB_V)};
}

static int put_triple(const trmi_link_blocks *out, int at, triple e) {
  if (out->GV_Q != NULL) v3_store(out->GV_Q + at, e.GV_Q);
  if (out->GB_Q != NULL) v3_store(out->GB_Q + at, e.GB_Q);
  if (out->GB_V != NULL) v3_store(out->GB_V + at, e.GB_V);
  return at + 3;
}

/* (5) on one side */
static int rates_point(const trmi_link_blocks *out, int at, double sign, trmi_vec3 s,
                       const trmi_pose *body) {
  const trmi_moving u = fixed_vector(v3_scale(sign, s), body->w);
  for (int i = 0; i < 3; i++) {
    const trmi_moving z = {.u = m3_row(body->R, i)};
    at = put_triple(out, at, turned(&u, &z, body->w));
  }
  return at;
}

/* (6) on A, then on B */
static void rates_turn(const pair *of, int a, int b, triple entries[2]) {
  const trmi_moving u_A = fixed_vector(m3_row(of->link->E_a, a), of->A->w);
  const trmi_moving u_B = fixed_vector(m3_row(of->link->E_b, b), of->B->w);
  const trmi_moving z_A = moving_mul(of->S, u_B), z_B = moving_tmul(of->S, u_A);
  entries[0] = turned(&u_A, &z_A, of->A->w);
  entries[1] = turned(&u_B, &z_B, of->B->w);
}

static int put_turns(const trmi_link_blocks *out, int at, const pair *of, const triple e[2]) {
  if (of->link->A == TRMI_SIDE_BODY) at = put_triple(out, at, e[0]);
  if (of->link->B == TRMI_SIDE_BODY) at = put_triple(out, at, e[1]);
  return at;
}

/* (7), (8) and (9): rotations on A and B, translations t */
static int put_pulls(const trmi_link_blocks *out, int at, const pair *of, const trmi_moving *t,
                     const triple e[2]) {
  if (of->link->A != TRMI_SIDE_GROUND) at = put_triple(out, at, moved(t, -1.0));
  if (of->link->A == TRMI_SIDE_BODY) at = put_triple(out, at, e[0]);
  if (of->link->B != TRMI_SIDE_GROUND) at = put_triple(out, at, moved(t, 1.0));
  if (of->link->B == TRMI_SIDE_BODY) at = put_triple(out, at, e[1]);
  return at;
}

/* P_B - x_A, ground axes */
static trmi_moving reach(const pair *of) {
  const trmi_moving r_B = moving_mul(of->B->R, fixed_vector(of->link->s_b, of->B->w));
  return (trmi_moving){v3_add(v3_sub(of->B->x, of->A->x), r_B.u),
                       v3_add(v3_sub(of->B->v, of->A->v), r_B.u1), r_B.u2};
}

/* (7) */
static int rates_along(const trmi_link_blocks *out, int at, const pair *of, int a) {
  const trmi_moving u_A = fixed_vector(m3_row(of->link->E_a, a), of->A->w);
  const trmi_moving u_B = fixed_vector(of->link->s_b, of->B->w);
  const trmi_moving z_A = moving_tmul(of->A->R, reach(of)), z_B = moving_tmul(of->S, u_A);
  const trmi_moving t = moving_mul(of->A->R, u_A);
  const triple e[2] = {turned(&u_A, &z_A, of->A->w), turned(&u_B, &z_B, of->B->w)};
  return put_pulls(out, at, of, &t, e);
}

/* (8) */
static int rates_distance(const trmi_link_blocks *out, int at, const pair *of) {
  const trmi_moving u_A = fixed_vector(v3_neg(of->link->s_a), of->A->w);
  const trmi_moving u_B = fixed_vector(of->link->s_b, of->B->w);
  const trmi_moving D = reach(of), minus_r_A = moving_mul(of->A->R, u_A);
  const trmi_moving d = {v3_add(D.u, minus_r_A.u), v3_add(D.u1, minus_r_A.u1),
                         v3_add(D.u2, minus_r_A.u2)};
  const trmi_moving t = moving_scale(1.0 / of->link->length, d);
  const trmi_moving z_A = moving_tmul(of->A->R, t), z_B = moving_tmul(of->B->R, t);
  const triple e[2] = {turned(&u_A, &z_A, of->A->w), turned(&u_B, &z_B, of->B->w)};
  return put_pulls(out, at, of, &t, e);
}

static void fill_rates(const pair *of, const trmi_link_blocks *out) {
  const trmi_link *l = of->link;
  int at = 0;
  for (int k = 0; k < l->nrows; k++) {
    const trmi_row *row = &l->rows[k];
    triple e[2], second[2];
    switch (row->kind) {
    case TRMI_ROW_POINT:
      if (l->A == TRMI_SIDE_BODY) at = rates_point(out, at, -1.0, l->s_a, of->A);
      if (l->B == TRMI_SIDE_BODY) at = rates_point(out, at, 1.0, l->s_b, of->B);
      break;
    case TRMI_ROW_DOT:
      rates_turn(of, row->a, row->b, e);
      at = put_turns(out, at, of, e);
      break;
    case TRMI_ROW_TWIST:
      rates_turn(of, row->a, row->b, e);
      rates_turn(of, row->a2, row->b2, second);
      for (int i = 0; i < 2; i++) e[i] = triple_sub(e[i], second[i]);
      at = put_turns(out, at, of, e);
      break;
    case TRMI_ROW_ALONG: at = rates_along(out, at, of, row->a); break;
    case TRMI_ROW_DISTANCE: at = rates_distance(out, at, of); break;
    }
  }
}

/* ---- GY_Q ---------------------------------------------------------------------- */

/* out += K(u, v) */
static void add_K(double out[9], trmi_vec3 u, trmi_vec3 v) {
  v3_accumulate(out, v3_scale(u.x, v));
  v3_accumulate(out + 3, v3_scale(u.y, v));
  v3_accumulate(out + 6, v3_scale(u.z, v));
  const double trace = v3_dot(u, v);
  for (int i = 0; i < 3; i++) out[4 * i] -= trace;
}

/* AB += (Y.b) S - b Y^T, (12) */
static void add_pair(double AB[9], const double S[9], trmi_vec3 Y_a, trmi_vec3 Y_b, trmi_vec3 b_a) {
  const double product = v3_dot(Y_a, b_a), b[3] = {b_a.x, b_a.y, b_a.z};
  for (int i = 0; i < 3; i++) {
    v3_accumulate(AB + 3 * i, v3_sub(v3_scale(product, m3_row(S, i)), v3_scale(b[i], Y_b)));
  }
}

static double *put_matrix(double *p, const double M[9]) {
  for (int i = 0; i < 9; i++) p[i] = M[i];
  return p + 9;
}
static double *put_transpose(double *p, const double M[9]) {
  for (int i = 0; i < 3; i++) p = put(p, m3_column(M, i));
  return p;
}

/* sign M with rows R_i x q, and its transpose, (13) */
static double *put_coupling(double *p, double sign, const double R[9], trmi_vec3 q) {
  double M[9];
  for (int i = 0; i < 3; i++) v3_store(M + 3 * i, v3_scale(sign, v3_cross(m3_row(R, i), q)));
  return put_transpose(put_matrix(p, M), M);
}

/* x with theta and with x, (13) */
static void put_translations(const pair *of, const trmi_row_sums *sums, trmi_vec3 q_A, double *p) {
  const trmi_link *l = of->link;
  const bool x_A = l->A != TRMI_SIDE_GROUND, x_B = l->B != TRMI_SIDE_GROUND;
  const double k = sums->distance;
  if (l->A == TRMI_SIDE_BODY) {
    p = put_coupling(p, -1.0, of->A->R, q_A);
    if (x_B) p = put_coupling(p, 1.0, of->A->R, q_A);
  }
  if (!sums->has_distance) return;
  if (l->B == TRMI_SIDE_BODY) {
    const trmi_vec3 q_B = v3_scale(-k, l->s_b);
    p = put_coupling(p, 1.0, of->B->R, q_B);
    if (x_A) p = put_coupling(p, -1.0, of->B->R, q_B);
  }
  if (x_A) p = put(p, v3(k, k, k));
  if (x_B) p = put(p, v3(k, k, k));
  if (x_A && x_B) put(put(p, v3(-k, -k, -k)), v3(-k, -k, -k));
}

static void fill_tangent(const pair *of, const content *has, const double *y, double *p) {
  const trmi_link *l = of->link;
  const trmi_row_sums sums = trmi_sum_rows(l, y);
  const bool pulls = has->along || has->distance;
  double AA[9] = {0}, BB[9] = {0}, AB[9] = {0};

  /* forces at the points */
  trmi_vec3 F_a = m3_tmul(of->A->R, sums.point), F_b = m3_tmul(of->B->R, sums.point), q_A = F_a;
  if (pulls) {
    const double k = sums.distance;
    const trmi_vec3 d = trmi_link_gap(l, of->A, of->B), d_a = m3_tmul(of->A->R, d);
    q_A = v3_sub(v3_scale(k, l->s_a), sums.along);
    F_a = v3_add(F_a, v3_scale(k, v3_add(d_a, l->s_a)));
    F_b = v3_add(F_b, m3_tmul(of->S, sums.along));
    F_b = v3_add(F_b, v3_scale(k, v3_sub(m3_tmul(of->B->R, d), l->s_b)));
    add_K(AA, v3_add(d_a, l->s_a), sums.along);
    add_pair(AB, of->S, v3_neg(q_A), v3_neg(m3_tmul(of->S, q_A)), m3_mul(of->S, l->s_b));
  }
  add_K(AA, v3_neg(F_a), l->s_a);
  add_K(BB, F_b, l->s_b);

  /* couples of axes */
  for (int j = 0; j < 3; j++) {
    if (!sums.has_turn[j]) continue;
    const trmi_vec3 b_b = m3_row(l->E_b, j), b_a = m3_mul(of->S, b_b);
    const trmi_vec3 Y_a = sums.turn[j], Y_b = m3_tmul(of->S, Y_a);
    add_K(AA, b_a, Y_a);
    add_K(BB, Y_b, b_b);
    add_pair(AB, of->S, Y_a, Y_b, b_a);
  }

  const bool turns_A = l->A == TRMI_SIDE_BODY, turns_B = l->B == TRMI_SIDE_BODY;
  if (turns_A) p = put_matrix(p, AA);
  if (turns_B) p = put_matrix(p, BB);
  if (turns_A && turns_B && (has->turn || pulls)) p = put_transpose(put_matrix(p, AB), AB);
  if (pulls) put_translations(of, &sums, q_A, p);
}

void trmi_link_fill(const trmi_link *link, const trmi_pose *A, const trmi_pose *B,
                    const trmi_link_blocks *out) {
  const content has = content_of(link);
  pair of = {.link = link, .A = A, .B = B};
  if (has.turn || has.along || has.distance) {
    for (int i = 0; i < 3; i++) v3_store(of.S + 3 * i, m3_tmul(B->R, m3_column(A->R, i)));
  }
  if (out->G != NULL) fill_G(&of, out->G);
  if (out->GV_Q != NULL || out->GB_Q != NULL || out->GB_V != NULL) fill_rates(&of, out);
  if (out->GY_Q != NULL) fill_tangent(&of, &has, out->y, out->GY_Q);
}
