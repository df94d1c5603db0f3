/* rows.c - values and forces of constraint rows between marker A and marker B.
 *
 * R maps body to ground components, w is in body axes; s is the point of a marker, E_k its axis k,
 * both in body axes. Each vector u below stands with its rate u' and with u'', its second
 * derivative without the part of accelerations: g_bias is the g'' made of these.
 *   fixed in a body: u = R s,  u' = R c,  c = w x s,  u'' = R f,  f = w x c                (1)
 *   d = (x_B + R_B s_b) - (x_A + R_A s_a),  d' and d'' likewise with v and (1)             (2)
 *   POINT d;  DOT a . b;  TWIST a . b - a2 . b2;  ALONG a . d - offset;
 *   DISTANCE (d.d - L^2)/(2 L), rate d.d'/L, bias (d'.d' + d.d'')/L                        (3)
 * a is fixed in A. So a . u, with u = b or d, is had by looking from A, in axes of A:
 *   u_a = R_A^T u,  rate  r = R_A^T u' - w_A x u_a,
 *                   bias  R_A^T u'' - w_A x (R_A^T u' + r);   row: E_a . these             (4)
 * Force, with the sums over rows f = y of POINT, Y_j = y a of DOT and TWIST with axis b_j,
 * Y_d = y a of ALONG, k = y/L of DISTANCE, and F = f + Y_d + k d:
 *   G^T y: B has F and s_b x R_B^T F - R_B^T m,   m = sum Y_j x b_j,
 *          A has -F and -s_a x R_A^T F + R_A^T m + R_A^T (Y_d x d)                         (5)
 * The reaction on B is -G_B^T lam.
 *
 * The ground and points have R = I and w = 0, so that one code does for all sides.
 * Derivation: docs/theory/11-joints.md. Blocks: rows_blocks.c. */
#include "joint/rows_parts.h"

int trmi_link_size(const trmi_link *link) {
  int size = 0;
  for (int k = 0; k < link->nrows; k++) size += link->rows[k].kind == TRMI_ROW_POINT ? 3 : 1;
  return size;
}

/* ---- values ---------------------------------------------------------------- */

/* Highest derivative wanted: 0 rows, 1 rates, 2 biases. */
static int order_of(const trmi_link_values *out) {
  return out->g_bias != NULL ? 2 : out->g_rate != NULL ? 1 : 0;
}

/* R s with what is wanted of its rates, (1) */
static trmi_moving fixed_vector(const trmi_pose *body, trmi_vec3 s, int order) {
  trmi_moving m = {.u = m3_mul(body->R, s)};
  if (order == 0) return m;
  const trmi_vec3 c = v3_cross(body->w, s);
  m.u1 = m3_mul(body->R, c);
  if (order == 2) m.u2 = m3_mul(body->R, v3_cross(body->w, c));
  return m;
}

/* (2) */
static trmi_moving gap(const trmi_link *link, const trmi_pose *A, const trmi_pose *B, int order) {
  const trmi_moving r_A = fixed_vector(A, link->s_a, order);
  const trmi_moving r_B = fixed_vector(B, link->s_b, order);
  trmi_moving d = {.u = v3_sub(v3_add(B->x, r_B.u), v3_add(A->x, r_A.u))};
  if (order > 0) d.u1 = v3_sub(v3_add(B->v, r_B.u1), v3_add(A->v, r_A.u1));
  if (order > 1) d.u2 = v3_sub(r_B.u2, r_A.u2);
  return d;
}

/* u, rate and bias as A sees them, (4) */
static trmi_moving seen_from(const trmi_pose *A, const trmi_moving *m, int order) {
  trmi_moving seen = {.u = m3_tmul(A->R, m->u)};
  if (order == 0) return seen;
  const trmi_vec3 u1_a = m3_tmul(A->R, m->u1);
  seen.u1 = v3_sub(u1_a, v3_cross(A->w, seen.u));
  if (order == 2) {
    seen.u2 = v3_sub(m3_tmul(A->R, m->u2), v3_cross(A->w, v3_add(u1_a, seen.u1)));
  }
  return seen;
}

/* Axes of B as A sees them, each made when it is first asked for. */
typedef struct axes {
  trmi_moving seen[3];
  bool ready[3];
} axes;

static const trmi_moving *axis(axes *cache, const trmi_link *link, const trmi_pose *A,
                               const trmi_pose *B, int b, int order) {
  if (!cache->ready[b]) {
    const trmi_moving m = fixed_vector(B, m3_row(link->E_b, b), order);
    cache->seen[b] = seen_from(A, &m, order);
    cache->ready[b] = true;
  }
  return &cache->seen[b];
}

/* Row i is E_a . (what A sees), (4) */
static void put_product(const trmi_link_values *out, int i, trmi_vec3 a, const trmi_moving *seen) {
  if (out->g != NULL) out->g[i] = v3_dot(a, seen->u);
  if (out->g_rate != NULL) out->g_rate[i] = v3_dot(a, seen->u1);
  if (out->g_bias != NULL) out->g_bias[i] = v3_dot(a, seen->u2);
}

static void subtract_product(const trmi_link_values *out, int i, trmi_vec3 a,
                             const trmi_moving *seen) {
  if (out->g != NULL) out->g[i] -= v3_dot(a, seen->u);
  if (out->g_rate != NULL) out->g_rate[i] -= v3_dot(a, seen->u1);
  if (out->g_bias != NULL) out->g_bias[i] -= v3_dot(a, seen->u2);
}

static void put_point(const trmi_link_values *out, int i, const trmi_moving *d) {
  if (out->g != NULL) v3_store(out->g + i, d->u);
  if (out->g_rate != NULL) v3_store(out->g_rate + i, d->u1);
  if (out->g_bias != NULL) v3_store(out->g_bias + i, d->u2);
}

/* (3) */
static void put_distance(const trmi_link_values *out, int i, const trmi_moving *d, double L) {
  if (out->g != NULL) out->g[i] = (v3_dot(d->u, d->u) - L * L) / (2.0 * L);
  if (out->g_rate != NULL) out->g_rate[i] = v3_dot(d->u, d->u1) / L;
  if (out->g_bias != NULL) {
    out->g_bias[i] = (v3_dot(d->u1, d->u1) + v3_dot(d->u, d->u2)) / L;
  }
}

void trmi_link_evaluate(const trmi_link *link, const trmi_pose *A, const trmi_pose *B,
                        const trmi_link_values *out) {
  const int order = order_of(out);
  const trmi_moving d = gap(link, A, B, order);
  axes b;
  for (int j = 0; j < 3; j++) b.ready[j] = false;
  int i = 0;
  for (int k = 0; k < link->nrows; k++) {
    const trmi_row *row = &link->rows[k];
    const trmi_vec3 a = m3_row(link->E_a, row->a);
    switch (row->kind) {
    case TRMI_ROW_POINT:
      put_point(out, i, &d);
      i += 2;
      break;
    case TRMI_ROW_DOT: put_product(out, i, a, axis(&b, link, A, B, row->b, order)); break;
    case TRMI_ROW_TWIST:
      put_product(out, i, a, axis(&b, link, A, B, row->b, order));
      subtract_product(out, i, m3_row(link->E_a, row->a2), axis(&b, link, A, B, row->b2, order));
      break;
    case TRMI_ROW_ALONG: {
      const trmi_moving seen = seen_from(A, &d, order);
      put_product(out, i, a, &seen);
      if (out->g != NULL) out->g[i] -= link->offset;
      break;
    }
    case TRMI_ROW_DISTANCE: put_distance(out, i, &d, link->length); break;
    }
    i++;
  }
}

/* ---- force ----------------------------------------------------------------- */

void trmi_link_force(const trmi_link *link, const trmi_pose *A, const trmi_pose *B,
                     const double *lam, double *motion_A, double *motion_B) {
  const trmi_row_sums sums = trmi_sum_rows(link, lam);

  /* force at the points, couple, and what ALONG adds on A because its plane turns with A */
  trmi_vec3 F = sums.point, m = v3(0.0, 0.0, 0.0), on_A = m;
  if (sums.has_along || sums.has_distance) {
    const trmi_vec3 d = trmi_link_gap(link, A, B);
    F = v3_add(F, v3_add(m3_mul(A->R, sums.along), v3_scale(sums.distance, d)));
    on_A = v3_cross(sums.along, m3_tmul(A->R, d));
  }
  for (int j = 0; j < 3; j++) {
    if (!sums.has_turn[j]) continue;
    const trmi_vec3 b = m3_mul(B->R, m3_row(link->E_b, j));
    m = v3_add(m, v3_cross(m3_mul(A->R, sums.turn[j]), b));
  }

  /* (5) */
  if (link->B != TRMI_SIDE_GROUND) v3_accumulate(motion_B, F);
  if (link->B == TRMI_SIDE_BODY) {
    const trmi_vec3 moment = v3_cross(link->s_b, m3_tmul(B->R, F));
    v3_accumulate(motion_B + 3, v3_sub(moment, m3_tmul(B->R, m)));
  }
  if (link->A != TRMI_SIDE_GROUND) v3_accumulate(motion_A, v3_neg(F));
  if (link->A == TRMI_SIDE_BODY) {
    const trmi_vec3 moment = v3_cross(m3_tmul(A->R, F), link->s_a);
    v3_accumulate(motion_A + 3, v3_add(v3_add(moment, on_A), m3_tmul(A->R, m)));
  }
}
