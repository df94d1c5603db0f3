/* rows.c - values and forces of constraint rows between marker A and marker B.
 *
 * R maps body to ground components, w is in body axes; s is the point of a marker, E_k its axis k,
 * both in body axes. Each vector u below comes with its rate u' and with u'', its second
 * derivative without the part of accelerations: g_bias is the g'' made of these.
 *   fixed in a body: u = R s,  u' = R c = W x u,  u'' = R f = W x u',
 *   c = w x s,  f = w x c,  W = R w                                                        (1)
 *   d = (x_B + R_B s_b) - (x_A + R_A s_a),  d' and d'' likewise with v and (1)             (2)
 *   POINT d;  DOT a . b;  ALONG a . d - offset;  TWIST: rows_twist.c;
 *   DISTANCE (d.d - L^2)/(2 L), rate d.d'/L, bias (d'.d' + d.d'')/L                        (3)
 * a is fixed in A. So a . u, with u = b or d, is a component relative to A:
 *   u,  rate r = u' - W_A x u  (of b: (W_B - W_A) x b),  bias u'' - W_A x (u' + r);
 *   the row has E_a . R_A^T of these                                                       (4)
 * Force, with the sums over rows f = y of POINT, Y_j = y a of DOT with axis b_j,
 * Y_d = y a of ALONG, k = y/L of DISTANCE, and F = f + Y_d + k d:
 *   G^T y: B has F and s_b x R_B^T F - R_B^T m,   m = sum Y_j x b_j,
 *          A has -F and -s_a x R_A^T F + R_A^T m + R_A^T (Y_d x d)                         (5)
 * The reaction on B is -G_B^T lam.
 *
 * The ground and points have R = I and w = 0, so that one code serves all sides. Derivation:
 * docs/theory/11-joints.md. Blocks: rows_blocks.c. */
#include "elements/joint/rows_internal.h"
#include "math/both.h"

int trmi_rows_size(const trmi_row *rows, int nrows) {
  int size = 0;
  for (int k = 0; k < nrows; k++) size += rows[k].kind == TRMI_ROW_POINT ? 3 : 1;
  return size;
}

static bool is_row(const trmi_row *row, const trmi_row *other) {
  const bool has_axes = row->kind == TRMI_ROW_DOT;
  return row->kind == other->kind && (!has_axes || (row->a == other->a && row->b == other->b));
}

trmi_link_shape trmi_rows_shape(const trmi_row *rows, int nrows) {
  int same = 0;
  while (same < nrows && same < 3 && is_row(&rows[same], &trmi_hinge_rows[same])) same++;
  if (same < nrows) return TRMI_LINK_ANY;
  return nrows == 1 ? TRMI_LINK_POINT : nrows == 3 ? TRMI_LINK_HINGE : TRMI_LINK_ANY;
}

/* Both bodies of a link side by side. */
typedef struct sides {
  trmi_both9 R;
  trmi_both3 s;
} sides;

static TRMI_INLINE sides sides_of(const trmi_link *link, const trmi_pose *A, const trmi_pose *B) {
  return (sides){b9(A->R, B->R), b3(link->s_a, link->s_b)};
}

/* ---- rows and their rates -------------------------------------------------- */

/* Vectors from which rows are computed. */
typedef struct relative {
  trmi_vec3  d, d1;  /* (2)                                    */
  trmi_vec3  W_A, W; /* of A, and of B against A               */
  trmi_rated b;      /* axis of B relative to A, (4)           */
  int        axis;   /* index of that axis; -1: none yet       */
} relative;

/* (1) and (2) */
static TRMI_INLINE relative relative_of(const sides *of, const trmi_pose *A, const trmi_pose *B) {
  const trmi_both3 W = b9_mul(&of->R, b3(A->w, B->w)), r = b9_mul(&of->R, of->s);
  const trmi_both3 P = b3_add(b3(A->x, B->x), r);
  const trmi_both3 v = b3_add(b3(A->v, B->v), b3_cross(W, r));
  return (relative){.d = b3_gap(P), .d1 = b3_gap(v), .W_A = b3_at(W, 0), .W = b3_gap(W),
                    .axis = -1};
}

/* (4) */
static TRMI_INLINE void see_axis(const trmi_link *link, const trmi_pose *A, const trmi_pose *B,
                                 int b, relative *z) {
  if (z->axis == b) return;
  const trmi_vec3 axis = m3_mul(B->R, m3_row(link->E_b, b));
  z->b = (trmi_rated){m3_tmul(A->R, axis), m3_tmul(A->R, v3_cross(z->W, axis))};
  z->axis = b;
}

/* (3) and (4) for one entry of the list */
static TRMI_INLINE void put_row(const trmi_link *link, const trmi_row *row, const trmi_pose *A,
                                const trmi_pose *B, relative *z, double *g, double *rate) {
  const trmi_vec3 a = m3_row(link->E_a, row->a);
  switch (row->kind) {
  case TRMI_ROW_POINT:
    v3_store(g, z->d);
    v3_store(rate, z->d1);
    break;
  case TRMI_ROW_DOT:
    see_axis(link, A, B, row->b, z);
    *g = v3_dot(a, z->b.u);
    *rate = v3_dot(a, z->b.u1);
    break;
  case TRMI_ROW_TWIST: trmi_twist_rates(link, A, B, g, rate); break;
  case TRMI_ROW_ALONG:
    *g = v3_dot(a, m3_tmul(A->R, z->d)) - link->offset;
    *rate = v3_dot(a, m3_tmul(A->R, v3_sub(z->d1, v3_cross(z->W_A, z->d))));
    break;
  case TRMI_ROW_DISTANCE:
    *g = (v3_dot(z->d, z->d) - link->length * link->length) / (2.0 * link->length);
    *rate = v3_dot(z->d, z->d1) / link->length;
    break;
  }
}

/* All rows, specialized for a shape. */
static TRMI_INLINE void find_rows(const trmi_link *link, trmi_link_shape shape, const sides *of,
                                  const trmi_pose *A, const trmi_pose *B, double *g, double *rate) {
  relative z = relative_of(of, A, B);
  if (shape != TRMI_LINK_ANY) put_row(link, &trmi_hinge_rows[0], A, B, &z, g, rate);
  if (shape == TRMI_LINK_HINGE) {
    put_row(link, &trmi_hinge_rows[1], A, B, &z, g + 3, rate + 3);
    put_row(link, &trmi_hinge_rows[2], A, B, &z, g + 4, rate + 4);
  }
  if (shape != TRMI_LINK_ANY) return;
  for (int k = 0, at = 0; k < link->nrows; k++) {
    put_row(link, &link->rows[k], A, B, &z, g + at, rate + at);
    at += link->rows[k].kind == TRMI_ROW_POINT ? 3 : 1;
  }
}

/* ---- biases ---------------------------------------------------------------- */

/* Bias of E_a . u, (4) */
static double product_bias(const trmi_pose *A, trmi_vec3 a, trmi_moving u) {
  const trmi_vec3 W = m3_mul(A->R, A->w), rate = v3_sub(u.u1, v3_cross(W, u.u));
  return v3_dot(a, m3_tmul(A->R, v3_sub(u.u2, v3_cross(W, v3_add(u.u1, rate)))));
}

/* Bias of axis a of A times axis b of B */
static double dot_bias(const trmi_link *link, const trmi_pose *A, const trmi_pose *B, int a,
                       int b) {
  const trmi_moving axis = trmi_moving_mul(B->R, trmi_fixed_vector(m3_row(link->E_b, b), B->w));
  return product_bias(A, m3_row(link->E_a, a), axis);
}

/* Biases are needed only for accelerations: nothing is kept between rows. */
static void put_biases(const trmi_link *link, const trmi_pose *A, const trmi_pose *B,
                       double *bias) {
  const trmi_moving r_A = trmi_moving_mul(A->R, trmi_fixed_vector(link->s_a, A->w));
  const trmi_moving d = trmi_moving_sub(trmi_link_reach(link, A, B), r_A);
  for (int k = 0; k < link->nrows; k++) {
    const trmi_row *row = &link->rows[k];
    switch (row->kind) {
    case TRMI_ROW_POINT:
      v3_store(bias, d.u2);
      bias += 2;
      break;
    case TRMI_ROW_DOT: *bias = dot_bias(link, A, B, row->a, row->b); break;
    case TRMI_ROW_TWIST: *bias = trmi_twist_bias(link, A, B); break;
    case TRMI_ROW_ALONG: *bias = product_bias(A, m3_row(link->E_a, row->a), d); break;
    case TRMI_ROW_DISTANCE: *bias = (v3_dot(d.u1, d.u1) + v3_dot(d.u, d.u2)) / link->length; break;
    }
    bias++;
  }
}

/* ---- force ----------------------------------------------------------------- */

/* Loads of a list: forces at the points, a couple, and the addition of ALONG on A. */
typedef struct load {
  trmi_vec3 F, m, on_A;
} load;

/* Y x b for Y in axes of A and axis b of marker B */
static inline trmi_vec3 couple(const trmi_link *link, const trmi_pose *A, const trmi_pose *B,
                               trmi_vec3 Y, int b) {
  return v3_cross(m3_mul(A->R, Y), m3_mul(B->R, m3_row(link->E_b, b)));
}

static trmi_vec3 moment_of(const trmi_link *link, const trmi_pose *A, const trmi_pose *B,
                           const trmi_row_sums *sums) {
  trmi_vec3 m = {0.0, 0.0, 0.0};
  for (int j = 0; j < 3; j++) {
    if (sums->has_turn[j]) m = v3_add(m, couple(link, A, B, sums->turn[j], j));
  }
  if (!sums->has_twist) return m;
  const trmi_vec3 h = m3_mul(A->R, trmi_twist_gradient(link, A, B));
  return v3_add(m, v3_scale(sums->twist, h));
}

/* All except the couple */
static inline load force_of(const trmi_link *link, const trmi_pose *A, const trmi_pose *B,
                            const trmi_row_sums *sums) {
  load l = {.F = sums->point};
  if (!sums->has_along && !sums->has_distance) return l;
  const trmi_vec3 d = trmi_link_gap(link, A, B);
  l.F = v3_add(l.F, v3_add(m3_mul(A->R, sums->along), v3_scale(sums->distance, d)));
  l.on_A = v3_cross(sums->along, m3_tmul(A->R, d));
  return l;
}

static load load_of(const trmi_link *link, const trmi_pose *A, const trmi_pose *B,
                    const double *lam) {
  const trmi_row_sums sums = trmi_sum_rows(link, lam);
  load l = force_of(link, A, B, &sums);
  l.m = moment_of(link, A, B, &sums);
  return l;
}

/* The same, specialized for a shape */
static TRMI_INLINE load shaped_load(const trmi_link *link, trmi_link_shape shape,
                                    const trmi_pose *A, const trmi_pose *B, const double *lam) {
  if (shape == TRMI_LINK_ANY) return load_of(link, A, B, lam);
  load l = {.F = v3_load(lam)};
  if (shape == TRMI_LINK_HINGE) l.m = couple(link, A, B, trmi_hinge_turn(link, lam), 2);
  return l;
}

void trmi_link_reaction(const trmi_link *link, const trmi_pose *A, const trmi_pose *B,
                        const double *lam, trmi_vec3 *force, trmi_vec3 *torque) {
  const trmi_row_sums sums = trmi_sum_rows(link, lam);
  if (force != NULL) *force = v3_neg(force_of(link, A, B, &sums).F);
  if (torque != NULL) *torque = moment_of(link, A, B, &sums);
}

/* (5): A has the opposite of the load of B at the same point, except for on_A */
static TRMI_INLINE void push(const trmi_link *link, trmi_link_shape shape, const sides *of,
                             const load *l, const trmi_link_place *at,
                             const trmi_link_values *out) {
  trmi_both3 turn = b3_cross(of->s, b9_tmul(&of->R, b3(l->F, l->F)));
  if (shape == TRMI_LINK_ANY) turn = b3_sub(turn, b3(l->on_A, v3(0.0, 0.0, 0.0)));
  if (shape != TRMI_LINK_POINT) turn = b3_sub(turn, b9_tmul(&of->R, b3(l->m, l->m)));
  if (link->B != TRMI_CARRIER_GROUND) {
    double *motion = out->motion_B + at->v_B;
    v3_accumulate(motion, l->F);
    if (link->B == TRMI_CARRIER_BODY) v3_accumulate(motion + 3, b3_at(turn, 1));
  }
  if (link->A != TRMI_CARRIER_GROUND) {
    double *motion = out->motion_A + at->v_A;
    v3_accumulate(motion, v3_neg(l->F));
    if (link->A == TRMI_CARRIER_BODY) v3_accumulate(motion + 3, v3_neg(b3_at(turn, 0)));
  }
}

/* ---- all of it ------------------------------------------------------------- */

static TRMI_INLINE void evaluate(const trmi_link *link, trmi_link_shape shape,
                                 const trmi_link_place *at, const trmi_pose *A, const trmi_pose *B,
                                 const trmi_link_values *out) {
  const sides of = sides_of(link, A, B);
  load l = {.F = {0.0, 0.0, 0.0}};
  if (out->lam != NULL) l = shaped_load(link, shape, A, B, out->lam + at->row);
  if (out->g != NULL || out->g_rate != NULL) {
    double unwanted[TRMI_LINK_ROWS_MAX]; /* one of them, if any */
    double *g = out->g != NULL ? out->g + at->row : unwanted;
    double *rate = out->g_rate != NULL ? out->g_rate + at->row : unwanted;
    find_rows(link, shape, &of, A, B, g, rate);
  }
  if (out->lam != NULL) push(link, shape, &of, &l, at, out);
}

void trmi_link_evaluate(const trmi_link *link, const trmi_link_place *at, const trmi_pose *A,
                        const trmi_pose *B, const trmi_link_values *out) {
  if (out->g_bias != NULL) put_biases(link, A, B, out->g_bias + at->row);
  switch (link->shape) {
  case TRMI_LINK_HINGE: evaluate(link, TRMI_LINK_HINGE, at, A, B, out); break;
  case TRMI_LINK_POINT: evaluate(link, TRMI_LINK_POINT, at, A, B, out); break;
  case TRMI_LINK_ANY: evaluate(link, TRMI_LINK_ANY, at, A, B, out); break;
  }
}

void trmi_link_force(const trmi_link *link, const trmi_pose *A, const trmi_pose *B,
                     const double *lam, double *motion_A, double *motion_B) {
  const trmi_link_values out = {.lam = lam, .motion_A = motion_A, .motion_B = motion_B};
  trmi_link_evaluate(link, &(trmi_link_place){0}, A, B, &out);
}
