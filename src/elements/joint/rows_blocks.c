/* rows_blocks.c - G and derivatives of rates and biases of constraint rows; patterns.
 *
 * Symbols as in rows.c; S = R_A^T R_B. Every row is a sum of products u . z in which u = R s is
 * fixed in a body. That body turns by theta: u . z changes by theta . (s x z), all in its axes.
 * With z, z', z'' and c = w x s, f = w x c the entries of its rotation are
 *   G     s x z                                                                            (1)
 *   GV_Q  c x z + s x z'                                                                   (2)
 *   GB_Q  f x z + 2 c x z' + s x z''                                                       (3)
 *   GB_V  c x z + s x (z x w) + 2 s x z'                                                   (4)
 * and u, z are, on A and on B,
 *   POINT i   -s_a, e_i;      s_b, e_i          (z' = z'' = 0)                             (5)
 *   DOT        a, b;          b, a              TWIST: rows_twist.c                        (6)
 *   ALONG      a, D;          s_b, a            D = P_B - x_A: a . (P_A - x_A) is constant (7)
 *   DISTANCE  -s_a, d/L;      s_b, d/L                                                     (8)
 * Translations: x_B has t, x_A has -t, with t = e_i, a or d/L; then t', t'', 2 t'
 * in GV_Q, GB_Q, GB_V.                                                                     (9)
 * Derivation: docs/theory/11-joints.md. GY_Q: rows_tangent.c. */
#include "elements/joint/rows_internal.h"

/* ---- patterns --------------------------------------------------------------- */

/* One entry of the list on one side: rows of a point one by one, translation before rotation. */
static void declare_side(trmi_declaration *d, trmi_row_kind kind, trmi_carrier_kind side, int row,
                         int v) {
  if (side == TRMI_CARRIER_GROUND) return;
  const bool turns = side == TRMI_CARRIER_BODY;
  if (kind == TRMI_ROW_POINT) {
    for (int i = 0; i < 3; i++) {
      if (d->block == TRM_G) trmi_declare(d, row + i, v + i, 1, 1);
      if (turns) trmi_declare(d, row + i, v + 3, 1, 3);
    }
    return;
  }
  if (kind == TRMI_ROW_ALONG || kind == TRMI_ROW_DISTANCE) trmi_declare(d, row, v, 1, 3);
  if (turns) trmi_declare(d, row, v + 3, 1, 3);
}

static int declare(trmi_declaration *d, const trmi_link *link, const trmi_link_place *at) {
  const trm_block block = d->block;
  const trmi_link_place nowhere = {0};
  if (at == NULL) at = &nowhere;
  if (block == TRM_GY_Q) trmi_tangent_declare(d, link, at);
  if (block != TRM_G && block != TRM_GV_Q && block != TRM_GB_Q && block != TRM_GB_V) {
    return d->count;
  }
  int row = at->row;
  for (int k = 0; k < link->nrows; k++) {
    const trmi_row_kind kind = link->rows[k].kind;
    declare_side(d, kind, link->A, row, at->v_A);
    declare_side(d, kind, link->B, row, at->v_B);
    row += kind == TRMI_ROW_POINT ? 3 : 1;
  }
  return d->count;
}

int trmi_link_pattern(const trmi_link *link, trm_pattern *p, trm_block block,
                      const trmi_link_place *at) {
  trmi_declaration d = {.p = p, .block = block};
  return declare(&d, link, at);
}

int trmi_link_entries(const trmi_link *link, trm_block block, const trmi_link_place *at, int *row,
                      int *col) {
  trmi_declaration d = {.block = block, .row = row, .col = col};
  return declare(&d, link, at);
}

/* ---- G ----------------------------------------------------------------------- */

/* (5) on one side, rows sign (s x R_i) */
static inline double *put_point(double *p, trmi_carrier_kind side, double sign, trmi_vec3 s,
                                const double R[9]) {
  if (side == TRMI_CARRIER_GROUND) return p;
  if (side == TRMI_CARRIER_POINT) return trmi_put(p, v3(sign, sign, sign));
  const trmi_vec3 signed_s = v3_scale(sign, s);
  for (int i = 0; i < 3; i++) {
    p[4 * i] = sign;
    v3_store(p + 4 * i + 1, v3_cross(signed_s, m3_row(R, i)));
  }
  return p + 12;
}

/* (6): h on A, the opposite on B */
static inline double *put_turn(double *p, const trmi_link_pair *of, trmi_vec3 h) {
  if (of->link->A == TRMI_CARRIER_BODY) p = trmi_put(p, h);
  if (of->link->B == TRMI_CARRIER_BODY) p = trmi_put(p, v3_neg(m3_tmul(of->S, h)));
  return p;
}

/* Translation and rotation of one side */
static inline double *put_side(double *p, trmi_carrier_kind side, trmi_vec3 t, trmi_vec3 rotation) {
  if (side != TRMI_CARRIER_GROUND) p = trmi_put(p, t);
  if (side == TRMI_CARRIER_BODY) p = trmi_put(p, rotation);
  return p;
}

/* (7) */
static double *put_along(double *p, const trmi_link_pair *of, trmi_vec3 a_a) {
  const trmi_link *l = of->link;
  const trmi_vec3 a = m3_mul(of->A->R, a_a), a_b = m3_tmul(of->S, a_a);
  const trmi_vec3 D_a =
      v3_add(m3_tmul(of->A->R, v3_sub(of->B->x, of->A->x)), m3_mul(of->S, l->s_b));
  p = put_side(p, l->A, v3_neg(a), v3_cross(a_a, D_a));
  return put_side(p, l->B, a, v3_cross(l->s_b, a_b));
}

/* (8) */
static double *put_distance(double *p, const trmi_link_pair *of) {
  const trmi_link *l = of->link;
  const trmi_vec3 n = v3_scale(1.0 / l->length, trmi_link_gap(l, of->A, of->B));
  p = put_side(p, l->A, v3_neg(n), v3_cross(m3_tmul(of->A->R, n), l->s_a));
  return put_side(p, l->B, n, v3_cross(l->s_b, m3_tmul(of->B->R, n)));
}

/* An axis of B in axes of A, and its index; -1: none yet. */
typedef struct seen_axis {
  trmi_vec3 b;
  int       number;
} seen_axis;

/* One entry of the list */
static TRMI_INLINE double *put_row(double *p, const trmi_link_pair *of, const trmi_row *row,
                                   seen_axis *seen) {
  const trmi_link *l = of->link;
  const trmi_vec3 a = m3_row(l->E_a, row->a);
  switch (row->kind) {
  case TRMI_ROW_POINT:
    p = put_point(p, l->A, -1.0, l->s_a, of->A->R);
    return put_point(p, l->B, 1.0, l->s_b, of->B->R);
  case TRMI_ROW_DOT:
    if (row->b != seen->number) {
      *seen = (seen_axis){m3_mul(of->S, m3_row(l->E_b, row->b)), row->b};
    }
    return put_turn(p, of, v3_cross(a, seen->b));
  case TRMI_ROW_TWIST: return put_turn(p, of, trmi_twist_gradient(l, of->A, of->B));
  case TRMI_ROW_ALONG: return put_along(p, of, a);
  case TRMI_ROW_DISTANCE: return put_distance(p, of);
  }
  return p;
}

static void fill_G(const trmi_link_pair *of, double *p) {
  const trmi_link *l = of->link;
  seen_axis seen = {.number = -1};
  if (l->shape == TRMI_LINK_HINGE) {
    p = put_row(p, of, &trmi_hinge_rows[0], &seen);
    p = put_row(p, of, &trmi_hinge_rows[1], &seen);
    (void)put_row(p, of, &trmi_hinge_rows[2], &seen);
    return;
  }
  for (int k = 0; k < l->nrows; k++) p = put_row(p, of, &l->rows[k], &seen);
}

/* ---- GV_Q ---------------------------------------------------------------------- */

/* u and z of both sides, and t, for rows with forces at the points */
typedef struct pull {
  trmi_moving u_A, z_A, u_B, z_B, t;
} pull;

/* (7) */
static pull pull_along(const trmi_link_pair *of, trmi_vec3 a) {
  pull p = {.u_A = trmi_fixed_vector(a, of->A->w),
            .u_B = trmi_fixed_vector(of->link->s_b, of->B->w)};
  p.t = trmi_moving_mul(of->A->R, p.u_A);
  p.z_A = trmi_moving_tmul(of->A->R, trmi_link_reach(of->link, of->A, of->B));
  p.z_B = trmi_moving_tmul(of->S, p.u_A);
  return p;
}

/* (8) */
static pull pull_distance(const trmi_link_pair *of) {
  const trmi_moving s_a = trmi_fixed_vector(of->link->s_a, of->A->w);
  const trmi_moving D = trmi_link_reach(of->link, of->A, of->B);
  const trmi_moving d = trmi_moving_sub(D, trmi_moving_mul(of->A->R, s_a));
  const double one_by_L = 1.0 / of->link->length;
  pull p = {.u_A = trmi_fixed_vector(v3_neg(of->link->s_a), of->A->w),
            .u_B = trmi_fixed_vector(of->link->s_b, of->B->w)};
  p.t = (trmi_moving){v3_scale(one_by_L, d.u), v3_scale(one_by_L, d.u1), v3_scale(one_by_L, d.u2)};
  p.z_A = trmi_moving_tmul(of->A->R, p.t);
  p.z_B = trmi_moving_tmul(of->B->R, p.t);
  return p;
}

/* c x z + s x z', (2) */
static inline trmi_vec3 turn_of_rate(trmi_vec3 s, trmi_vec3 c, trmi_vec3 z, trmi_vec3 z1) {
  return v3_add(v3_cross(c, z), v3_cross(s, z1));
}

static double *put_pull(double *p, const trmi_link_pair *of, const pull *u) {
  const trmi_vec3 on_A = turn_of_rate(u->u_A.u, u->u_A.u1, u->z_A.u, u->z_A.u1);
  const trmi_vec3 on_B = turn_of_rate(u->u_B.u, u->u_B.u1, u->z_B.u, u->z_B.u1);
  p = put_side(p, of->link->A, v3_neg(u->t.u1), on_A);
  return put_side(p, of->link->B, u->t.u1, on_B);
}

/* (5) on one side: c x R_i */
static inline double *put_point_rates(double *p, trmi_carrier_kind side, trmi_vec3 s,
                                      const trmi_pose *body) {
  if (side != TRMI_CARRIER_BODY) return p;
  const trmi_vec3 c = v3_cross(body->w, s);
  for (int i = 0; i < 3; i++) p = trmi_put(p, v3_cross(c, m3_row(body->R, i)));
  return p;
}

static inline trmi_rated axis_of_B(const trmi_link_pair *of, int b) {
  const trmi_vec3 axis = m3_row(of->link->E_b, b);
  return (trmi_rated){m3_mul(of->S, axis), m3_mul(of->S, v3_cross(of->B->w, axis))};
}

static void fill_GV_Q(const trmi_link_pair *of, double *p) {
  const trmi_link *l = of->link;
  trmi_rated b = {.u = {0.0, 0.0, 0.0}};
  int axis = -1; /* the index of b */
  for (int k = 0; k < l->nrows; k++) {
    const trmi_row *row = &l->rows[k];
    const trmi_vec3 a = m3_row(l->E_a, row->a), a1 = v3_cross(of->A->w, a);
    pull pulls;
    switch (row->kind) {
    case TRMI_ROW_POINT:
      p = put_point_rates(p, l->A, v3_neg(l->s_a), of->A);
      p = put_point_rates(p, l->B, l->s_b, of->B);
      break;
    case TRMI_ROW_DOT:
      if (row->b != axis) {
        b = axis_of_B(of, row->b);
        axis = row->b;
      }
      p = put_turn(p, of, turn_of_rate(a, a1, b.u, b.u1));
      break;
    case TRMI_ROW_TWIST: p = put_turn(p, of, trmi_twist_GV_Q(l, of->A, of->B)); break;
    case TRMI_ROW_ALONG:
      pulls = pull_along(of, a);
      p = put_pull(p, of, &pulls);
      break;
    case TRMI_ROW_DISTANCE:
      pulls = pull_distance(of);
      p = put_pull(p, of, &pulls);
      break;
    }
  }
}

/* ---- GB_Q and GB_V, which have one layout ---------------------------------------- */

/* Three entries of one row in both blocks. */
typedef struct twin {
  trmi_vec3 GB_Q, GB_V;
} twin;

/* (3) and (4) */
static twin turn_of_bias(const trmi_moving *u, const trmi_moving *z, trmi_vec3 w) {
  const trmi_vec3 ends = v3_add(v3_cross(u->u2, z->u), v3_cross(u->u, z->u2));
  const trmi_vec3 swept = v3_add(v3_cross(u->u1, z->u), v3_cross(u->u, v3_cross(z->u, w)));
  return (twin){.GB_Q = v3_add(ends, v3_scale(2.0, v3_cross(u->u1, z->u1))),
                .GB_V = v3_add(swept, v3_scale(2.0, v3_cross(u->u, z->u1)))};
}

/* Their destination; NULL: not requested. */
typedef struct biases {
  double *GB_Q, *GB_V;
} biases;

static void put_twin(biases *out, twin e) {
  if (out->GB_Q != NULL) out->GB_Q = trmi_put(out->GB_Q, e.GB_Q);
  if (out->GB_V != NULL) out->GB_V = trmi_put(out->GB_V, e.GB_V);
}

/* (5) on one side */
static void put_point_biases(biases *out, trmi_carrier_kind side, trmi_vec3 s,
                             const trmi_pose *body) {
  if (side != TRMI_CARRIER_BODY) return;
  const trmi_moving u = trmi_fixed_vector(s, body->w);
  for (int i = 0; i < 3; i++) {
    const trmi_moving z = {.u = m3_row(body->R, i)};
    put_twin(out, turn_of_bias(&u, &z, body->w));
  }
}

/* (6) on A and B */
typedef struct twins {
  twin A, B;
} twins;

static twins turns_of_bias(const trmi_link_pair *of, int a, int b) {
  const trmi_moving u_A = trmi_fixed_vector(m3_row(of->link->E_a, a), of->A->w);
  const trmi_moving u_B = trmi_fixed_vector(m3_row(of->link->E_b, b), of->B->w);
  const trmi_moving z_A = trmi_moving_mul(of->S, u_B), z_B = trmi_moving_tmul(of->S, u_A);
  return (twins){turn_of_bias(&u_A, &z_A, of->A->w), turn_of_bias(&u_B, &z_B, of->B->w)};
}

static void put_turn_biases(biases *out, const trmi_link_pair *of, const trmi_row *row) {
  twins e;
  if (row->kind == TRMI_ROW_TWIST) {
    const trmi_twist_biases twist = trmi_twist_bias_turns(of->link, of->A, of->B);
    e = (twins){{twist.GB_Q_A, twist.GB_V_A}, {twist.GB_Q_B, twist.GB_V_B}};
  } else {
    e = turns_of_bias(of, row->a, row->b);
  }
  if (of->link->A == TRMI_CARRIER_BODY) put_twin(out, e.A);
  if (of->link->B == TRMI_CARRIER_BODY) put_twin(out, e.B);
}

/* (7) or (8) with (9) */
static void put_pull_biases(biases *out, const trmi_link_pair *of, const pull *u) {
  const twin t = {u->t.u2, v3_scale(2.0, u->t.u1)};
  const trmi_carrier_kind A = of->link->A, B = of->link->B;
  if (A != TRMI_CARRIER_GROUND) put_twin(out, (twin){v3_neg(t.GB_Q), v3_neg(t.GB_V)});
  if (A == TRMI_CARRIER_BODY) put_twin(out, turn_of_bias(&u->u_A, &u->z_A, of->A->w));
  if (B != TRMI_CARRIER_GROUND) put_twin(out, t);
  if (B == TRMI_CARRIER_BODY) put_twin(out, turn_of_bias(&u->u_B, &u->z_B, of->B->w));
}

static void fill_biases(const trmi_link_pair *of, biases out) {
  const trmi_link *l = of->link;
  for (int k = 0; k < l->nrows; k++) {
    const trmi_row *row = &l->rows[k];
    pull pulls;
    switch (row->kind) {
    case TRMI_ROW_POINT:
      put_point_biases(&out, l->A, v3_neg(l->s_a), of->A);
      put_point_biases(&out, l->B, l->s_b, of->B);
      break;
    case TRMI_ROW_DOT:
    case TRMI_ROW_TWIST: put_turn_biases(&out, of, row); break;
    case TRMI_ROW_ALONG:
      pulls = pull_along(of, m3_row(l->E_a, row->a));
      put_pull_biases(&out, of, &pulls);
      break;
    case TRMI_ROW_DISTANCE:
      pulls = pull_distance(of);
      put_pull_biases(&out, of, &pulls);
      break;
    }
  }
}

void trmi_link_fill(const trmi_link *link, const trmi_pose *A, const trmi_pose *B,
                    const trmi_link_blocks *out) {
  trmi_link_pair of = {.link = link, .A = A, .B = B};
  if (link->shape != TRMI_LINK_POINT) {
    for (int i = 0; i < 3; i++) v3_store(of.S + 3 * i, m3_tmul(B->R, m3_column(A->R, i)));
  }
  if (out->G != NULL) fill_G(&of, out->G);
  if (out->GV_Q != NULL) fill_GV_Q(&of, out->GV_Q);
  if (out->GB_Q != NULL || out->GB_V != NULL) fill_biases(&of, (biases){out->GB_Q, out->GB_V});
  if (out->GY_Q != NULL) trmi_tangent_fill(&of, out->y, out->GY_Q);
}
