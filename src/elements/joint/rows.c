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
 * a is fixed in A. So a . u, with u = b or d, is a component of what an observer on A sees:
 *   u,  rate r = u' - W_A x u  (of b: (W_B - W_A) x b),  bias u'' - W_A x (u' + r);
 *   the row has E_a . R_A^T of these                                                       (4)
 * Force, with the sums over rows f = y of POINT, Y_j = y a of DOT with axis b_j,
 * Y_d = y a of ALONG, k = y/L of DISTANCE, and F = f + Y_d + k d:
 *   G^T y: B has F and s_b x R_B^T F - R_B^T m,   m = sum Y_j x b_j,
 *          A has -F and -s_a x R_A^T F + R_A^T m + R_A^T (Y_d x d)                         (5)
 * The reaction on B is -G_B^T lam.
 *
 * The ground and points have R = I and w = 0, so that one code does for all sides.
 * Derivation: docs/theory/11-joints.md. Blocks: rows_blocks.c. */
#include "elements/joint/rows_internal.h"

int trmi_rows_size(const trmi_row *rows, int nrows) {
  int size = 0;
  for (int k = 0; k < nrows; k++) size += rows[k].kind == TRMI_ROW_POINT ? 3 : 1;
  return size;
}

/* ---- values ---------------------------------------------------------------- */

/* Axis b of marker B as A sees it, (4) */
static inline trmi_rated axis_seen(const trmi_link *link, const trmi_pose *A, const trmi_pose *B,
                                   int b, trmi_vec3 W) {
  const trmi_vec3 axis = m3_mul(B->R, m3_row(link->E_b, b));
  return (trmi_rated){m3_tmul(A->R, axis), m3_tmul(A->R, v3_cross(W, axis))};
}

/* Rows and their rates */
static inline void put_rates(const trmi_link *link, const trmi_pose *A, const trmi_pose *B,
                             double *g, double *rate) {
  /* (1) and (2) */
  const trmi_vec3 W_A = m3_mul(A->R, A->w), W_B = m3_mul(B->R, B->w), W = v3_sub(W_B, W_A);
  const trmi_vec3 r_A = m3_mul(A->R, link->s_a), r_B = m3_mul(B->R, link->s_b);
  const trmi_vec3 d = v3_sub(v3_add(B->x, r_B), v3_add(A->x, r_A));
  const trmi_vec3 v_A = v3_add(A->v, v3_cross(W_A, r_A)), v_B = v3_add(B->v, v3_cross(W_B, r_B));
  const trmi_vec3 d1 = v3_sub(v_B, v_A);

  /* (3) and (4) */
  trmi_rated b = {.u = {0.0, 0.0, 0.0}};
  int axis = -1; /* the one that b is */
  for (int k = 0; k < link->nrows; k++) {
    const trmi_row *row = &link->rows[k];
    if (row->kind == TRMI_ROW_POINT) {
      v3_store(g, d);
      v3_store(rate, d1);
      g += 3, rate += 3;
      continue;
    }
    const trmi_vec3 a = m3_row(link->E_a, row->a);
    if (row->kind == TRMI_ROW_DOT) {
      if (axis != row->b) {
        b = axis_seen(link, A, B, row->b, W);
        axis = row->b;
      }
      *g = v3_dot(a, b.u);
      *rate = v3_dot(a, b.u1);
    } else if (row->kind == TRMI_ROW_TWIST) {
      trmi_twist_rates(link, A, B, g, rate);
    } else if (row->kind == TRMI_ROW_ALONG) {
      *g = v3_dot(a, m3_tmul(A->R, d)) - link->offset;
      *rate = v3_dot(a, m3_tmul(A->R, v3_sub(d1, v3_cross(W_A, d))));
    } else if (row->kind == TRMI_ROW_DISTANCE) {
      *g = (v3_dot(d, d) - link->length * link->length) / (2.0 * link->length);
      *rate = v3_dot(d, d1) / link->length;
    }
    g++, rate++;
  }
}

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

/* Biases are wanted for accelerations only: nothing is kept from row to row. */
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

void trmi_link_evaluate(const trmi_link *link, const trmi_pose *A, const trmi_pose *B,
                        const trmi_link_values *out) {
  double unwanted[TRMI_LINK_ROWS_MAX];
  if (out->g_bias != NULL) put_biases(link, A, B, out->g_bias);
  if (out->g == NULL && out->g_rate == NULL) return;
  put_rates(link, A, B, out->g != NULL ? out->g : unwanted,
            out->g_rate != NULL ? out->g_rate : unwanted);
}

/* ---- force ----------------------------------------------------------------- */

/* What a list pushes with: at the points, as a couple, and what ALONG adds on A. */
typedef struct load {
  trmi_vec3 F, m, on_A;
} load;

/* Y x b for Y in axes of A and axis b of marker B */
static inline trmi_vec3 couple(const trmi_link *link, const trmi_pose *A, const trmi_pose *B,
                               trmi_vec3 Y, int b) {
  return v3_cross(m3_mul(A->R, Y), m3_mul(B->R, m3_row(link->E_b, b)));
}

static load load_of(const trmi_link *link, const trmi_pose *A, const trmi_pose *B,
                    const double *lam) {
  const trmi_row_sums sums = trmi_sum_rows(link, lam);
  load l = {.F = sums.point};
  if (sums.has_along || sums.has_distance) {
    const trmi_vec3 d = trmi_link_gap(link, A, B);
    l.F = v3_add(l.F, v3_add(m3_mul(A->R, sums.along), v3_scale(sums.distance, d)));
    l.on_A = v3_cross(sums.along, m3_tmul(A->R, d));
  }
  for (int j = 0; j < 3; j++) {
    if (sums.has_turn[j]) l.m = v3_add(l.m, couple(link, A, B, sums.turn[j], j));
  }
  if (sums.has_twist) {
    const trmi_vec3 h = m3_mul(A->R, trmi_twist_gradient(link, A, B));
    l.m = v3_add(l.m, v3_scale(sums.twist, h));
  }
  return l;
}

/* The same for a hinge */
static inline load load_of_hinge(const trmi_link *link, const trmi_pose *A, const trmi_pose *B,
                                 const double *lam) {
  const trmi_vec3 Y = trmi_hinge_turn(link, lam);
  return (load){.F = v3_load(lam), .m = couple(link, A, B, Y, link->rows[1].b)};
}

static inline load any_load(const trmi_link *link, const trmi_pose *A, const trmi_pose *B,
                            const double *lam) {
  const bool is_point = trmi_link_is_point(link);
  return is_point                   ? (load){.F = v3_load(lam)}
         : trmi_link_is_hinge(link) ? load_of_hinge(link, A, B, lam)
                                    : load_of(link, A, B, lam);
}

void trmi_link_reaction(const trmi_link *link, const trmi_pose *A, const trmi_pose *B,
                        const double *lam, trmi_vec3 *force, trmi_vec3 *torque) {
  const load l = any_load(link, A, B, lam);
  *force = v3_neg(l.F);
  *torque = l.m;
}

void trmi_link_force(const trmi_link *link, const trmi_pose *A, const trmi_pose *B,
                     const double *lam, double *motion_A, double *motion_B) {
  const load l = any_load(link, A, B, lam);

  /* (5) */
  if (link->B != TRMI_CARRIER_GROUND) v3_accumulate(motion_B, l.F);
  if (link->B == TRMI_CARRIER_BODY) {
    const trmi_vec3 moment = v3_cross(link->s_b, m3_tmul(B->R, l.F));
    v3_accumulate(motion_B + 3, v3_sub(moment, m3_tmul(B->R, l.m)));
  }
  if (link->A != TRMI_CARRIER_GROUND) v3_accumulate(motion_A, v3_neg(l.F));
  if (link->A == TRMI_CARRIER_BODY) {
    const trmi_vec3 moment = v3_cross(m3_tmul(A->R, l.F), link->s_a);
    v3_accumulate(motion_A + 3, v3_add(v3_add(moment, l.on_A), m3_tmul(A->R, l.m)));
  }
}
