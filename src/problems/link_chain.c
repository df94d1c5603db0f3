/* link_chain.c - serial chain of equal rigid bodies on spherical or revolute joints.
 *
 * Body B hangs from body A (or from the origin, with x_A = 0, R_A = I). R maps
 * body to inertial components, w is in body axes, W = R w; s_a, s_b are the
 * joint on A and B, e = column 0 or 2 of R_A, a = column 1 of R_B, all with
 * zero acceleration of the angles in the second derivatives:
 *   m x'' = m gravity,   J w' + w x J w = 0                                   (1)
 *   g_0..2 = (x_B + R_B s_b) - (x_A + R_A s_a)                 same point     (2)
 *   g_3, g_4 = e . a                                           same axis y    (3)
 * Point on a body, d(R s) = R (theta x s), row i of R is R_i:
 *   row i of d(R s)/dtheta = s x R_i,   rate R c,  c = w x s                  (4)
 *   d(rate)/dtheta = c x R_i,  bias R f,  f = w x c,  d(bias)/dtheta = f x R_i (5)
 *   d(bias)/dw = c x R_i + s x (R_i x w)                                      (6)
 *   G^T y: s x (R^T y);   d(G^T y)/dtheta = (R^T y) s^T - (s . R^T y) I       (7)
 * Axis, e' = W_A x e, e'' = W_A x e', a' and a'' likewise with W_B:
 *   G: A has R_A^T (e x a), B has -R_B^T (e x a);  rate e.((W_B - W_A) x a)   (8)
 *   d(rate)/dtheta: the same with H' = e' x a + e x a' for e x a              (9)
 *   bias e''.a + 2 e'.a' + e.a'' = e.(W_A x (W_A x a - 2 a') + a'');
 *   d(bias)/dtheta: the same with H'' = e'' x a + 2 e' x a' + e x a''        (10)
 *   d(bias)/dw_A = R_A^T (e' x a + e x (a x W_A) + 2 e x a'),  and for B
 *                  R_B^T (a' x e + a x (e x W_B) + 2 a x e')                 (11)
 *   G^T y with Y = sum y_k e_k: R_A^T (Y x a) on A, -R_B^T (Y x a) on B      (12)
 *   d(G^T y): AA (R_A^T a)(R_A^T Y)^T - (a.Y) I,  BB (R_B^T Y)(R_B^T a)^T - (a.Y) I,
 *             AB (a.Y) R_A^T R_B - (R_A^T a)(R_B^T Y)^T,  BA its transpose   (13)
 * The chain is walked once; matrices of A and B are computed once per call. */
#include "problems/link_chain.h"
#include "elements/body/inertia.h"
#include <stdio.h>
#include <string.h>

enum { NV = 6, NQ = 7, POINT = 3, AXES = 2 };

static const trmi_pose ground = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};

static void body_load(const trm_state *s, int i, trmi_pose *b) {
  trmi_pose_load(s->q + NQ * i, s->v + NV * i, b);
}

/* ---- values ---------------------------------------------------------------- */

/* M v' - Q, (1) */
static void body_motion(const trmi_link_chain *l, const trmi_pose *b, const double *vd,
                        double *motion) {
  const trmi_vec3 spin = v3_cross(b->w, v3_times(l->J, b->w));
  v3_store(motion, v3_scale(l->mass, v3_sub(v3_load(vd), l->gravity)));
  v3_store(motion + 3, v3_add(v3_times(l->J, v3_load(vd + 3)), spin));
}

/* + G^T lam on A and B, (7) and (12); motion_A is NULL for the ground */
static void joint_force(const trmi_link_chain *l, const trmi_pose *A, const trmi_pose *B,
                        const double *lam, double *motion_A, double *motion_B) {
  const trmi_vec3 f = v3_load(lam);
  trmi_vec3 moment = v3(0.0, 0.0, 0.0); /* Y x a */
  if (l->rows > POINT) {
    const trmi_vec3 Y =
        v3_add(v3_scale(lam[3], m3_column(A->R, 0)), v3_scale(lam[4], m3_column(A->R, 2)));
    moment = v3_cross(Y, m3_column(B->R, 1));
  }
  v3_accumulate(motion_B, f);
  v3_accumulate(motion_B + 3, v3_sub(v3_cross(l->near_b, m3_tmul(B->R, f)), m3_tmul(B->R, moment)));
  if (motion_A == NULL) return;
  v3_accumulate(motion_A, v3_neg(f));
  v3_accumulate(motion_A + 3, v3_sub(m3_tmul(A->R, moment), v3_cross(l->far_b, m3_tmul(A->R, f))));
}

/* Joint on A: the far end of a body, or the origin. */
static trmi_vec3 joint_on(const trmi_link_chain *l, int i) {
  return i > 0 ? l->far_b : v3(0.0, 0.0, 0.0);
}

/* (2) to (5) */
static void joint_point(const trmi_link_chain *l, const trmi_pose *A, const trmi_pose *B, int i,
                        const trm_values *out) {
  const trmi_vec3 s_a = joint_on(l, i), s_b = l->near_b;
  const trmi_vec3 c_a = v3_cross(A->w, s_a), c_b = v3_cross(B->w, s_b);
  const int row = l->rows * i;
  if (out->g != NULL) {
    v3_store(out->g + row,
             v3_sub(v3_add(B->x, m3_mul(B->R, s_b)), v3_add(A->x, m3_mul(A->R, s_a))));
  }
  if (out->g_rate != NULL) {
    v3_store(out->g_rate + row,
             v3_sub(v3_add(B->v, m3_mul(B->R, c_b)), v3_add(A->v, m3_mul(A->R, c_a))));
  }
  if (out->g_bias != NULL) {
    v3_store(out->g_bias + row,
             v3_sub(m3_mul(B->R, v3_cross(B->w, c_b)), m3_mul(A->R, v3_cross(A->w, c_a))));
  }
}

/* (3), (8) and (10) */
static void joint_axes(const trmi_link_chain *l, const trmi_pose *A, const trmi_pose *B, int i,
                       const trm_values *out) {
  const trmi_vec3 e[AXES] = {m3_column(A->R, 0), m3_column(A->R, 2)}, a = m3_column(B->R, 1);
  const int row = l->rows * i + POINT;
  if (out->g != NULL) {
    for (int k = 0; k < AXES; k++) out->g[row + k] = v3_dot(e[k], a);
  }
  if (out->g_rate == NULL && out->g_bias == NULL) return;

  const trmi_vec3 W_A = m3_mul(A->R, A->w), W_B = m3_mul(B->R, B->w);
  const trmi_vec3 a_A = v3_cross(W_A, a), a1 = v3_cross(W_B, a);
  if (out->g_rate != NULL) {
    for (int k = 0; k < AXES; k++) out->g_rate[row + k] = v3_dot(e[k], v3_sub(a1, a_A));
  }
  if (out->g_bias != NULL) {
    const trmi_vec3 frame = v3_cross(W_A, v3_sub(a_A, v3_scale(2.0, a1)));
    const trmi_vec3 bias = v3_add(frame, v3_cross(W_B, a1));
    for (int k = 0; k < AXES; k++) out->g_bias[row + k] = v3_dot(e[k], bias);
  }
}

static void add_energy(const trmi_link_chain *l, const trmi_pose *b, double *energy) {
  energy[0] += 0.5 * (l->mass * v3_dot(b->v, b->v) + v3_dot(b->w, v3_times(l->J, b->w)));
  energy[1] -= l->mass * v3_dot(l->gravity, b->x);
}

trm_status trmi_link_chain_values(void *self, const trm_state *s, const trm_values *out,
                             trm_error *err) {
  (void)err;
  const trmi_link_chain *l = self;
  const bool rows = out->g != NULL || out->g_rate != NULL || out->g_bias != NULL;
  trmi_pose pair[2] = {ground, ground}; /* A and B change places from joint to joint */
  if (out->energy != NULL) memset(out->energy, 0, 3 * sizeof(double));
  for (int i = 0; i < l->nbody; i++) {
    const trmi_pose *A = &pair[i % 2];
    trmi_pose *B = &pair[1 - i % 2];
    body_load(s, i, B);
    if (out->motion != NULL) {
      double *motion = out->motion + NV * i;
      body_motion(l, B, s->vd + NV * i, motion);
      joint_force(l, A, B, s->lam + l->rows * i, i > 0 ? motion - NV : NULL, motion);
    }
    if (rows) joint_point(l, A, B, i, out);
    if (rows && l->rows > POINT) joint_axes(l, A, B, i, out);
    if (out->energy != NULL) add_energy(l, B, out->energy);
  }
  if (out->outputs != NULL && l->noutputs > 0) {
    const trmi_pose *last = &pair[l->nbody % 2];
    v3_store(out->outputs, v3_add(last->x, m3_mul(last->R, l->far_b)));
  }
  return TRM_OK;
}

/* ---- blocks ---------------------------------------------------------------- */

/* sign (c x R_i) for the three rows of a point, one entry for x before each if
 * `translation` */
static void put_point(double *out, double sign, trmi_vec3 c, const double R[9], bool translation) {
  const int stride = translation ? 4 : 3;
  const trmi_vec3 signed_c = v3_scale(sign, c);
  for (int i = 0; i < 3; i++) {
    if (translation) out[stride * i] = sign;
    v3_store(out + stride * i + stride - 3, v3_cross(signed_c, m3_row(R, i)));
  }
}

/* Where the entries of one side of a joint go; NULL if not wanted. G: in each row
 * of the point a translation and three rotations, in each row of the axis three
 * rotations. The others: three rotations in each row. */
typedef struct side {
  double *G, *GV_Q, *GB_Q, *GB_V;
} side;

static side side_at(const trmi_link_chain *l, double *const request[TRM_BLOCKS], int i, int which) {
  const int k = i == 0 ? 0 : 2 * i - 1 + which; /* B of joint 0, then B, A of the others */
  const int rotations = 3 * l->rows, all = rotations + POINT;
  return (side){
      .G = request[TRM_G] != NULL ? request[TRM_G] + all * k : NULL,
      .GV_Q = request[TRM_GV_Q] != NULL ? request[TRM_GV_Q] + rotations * k : NULL,
      .GB_Q = request[TRM_GB_Q] != NULL ? request[TRM_GB_Q] + rotations * k : NULL,
      .GB_V = request[TRM_GB_V] != NULL ? request[TRM_GB_V] + rotations * k : NULL,
  };
}

/* (4) to (6) for one side of a joint */
static void side_point(const trmi_pose *b, trmi_vec3 s, double sign, const side *out) {
  const trmi_vec3 c = v3_cross(b->w, s);
  if (out->G != NULL) put_point(out->G, sign, s, b->R, true);
  if (out->GV_Q != NULL) put_point(out->GV_Q, sign, c, b->R, false);
  if (out->GB_Q != NULL) put_point(out->GB_Q, sign, v3_cross(b->w, c), b->R, false);
  if (out->GB_V != NULL) {
    for (int i = 0; i < 3; i++) {
      const trmi_vec3 r = m3_row(b->R, i);
      const trmi_vec3 row = v3_add(v3_cross(c, r), v3_cross(s, v3_cross(r, b->w)));
      v3_store(out->GB_V + 3 * i, v3_scale(sign, row));
    }
  }
}

/* Directions e on A and a on B, with their derivatives, (9) to (11). */
typedef struct axis_pair {
  trmi_vec3 e, e1, e2, a, a1, a2, W_A, W_B;
} axis_pair;

static axis_pair axis_pair_of(const trmi_pose *A, const trmi_pose *B, int k) {
  axis_pair p = {.e = m3_column(A->R, 2 * k), .a = m3_column(B->R, 1)};
  p.W_A = m3_mul(A->R, A->w);
  p.W_B = m3_mul(B->R, B->w);
  p.e1 = v3_cross(p.W_A, p.e);
  p.a1 = v3_cross(p.W_B, p.a);
  p.e2 = v3_cross(p.W_A, p.e1);
  p.a2 = v3_cross(p.W_B, p.a1);
  return p;
}

/* (9) to (11) for one side of row k; H', H'' are those of A, B has the minus */
static void side_axis(const axis_pair *p, const trmi_pose *b, bool is_A, int k, const side *out) {
  const double sign = is_A ? 1.0 : -1.0;
  const int at = 3 * (POINT + k);
  if (out->GV_Q != NULL) {
    const trmi_vec3 H1 = v3_add(v3_cross(p->e1, p->a), v3_cross(p->e, p->a1));
    v3_store(out->GV_Q + at, v3_scale(sign, m3_tmul(b->R, H1)));
  }
  if (out->GB_Q != NULL) {
    const trmi_vec3 H2 = v3_add(v3_add(v3_cross(p->e2, p->a), v3_cross(p->e, p->a2)),
                                v3_scale(2.0, v3_cross(p->e1, p->a1)));
    v3_store(out->GB_Q + at, v3_scale(sign, m3_tmul(b->R, H2)));
  }
  if (out->GB_V != NULL) {
    const trmi_vec3 u = is_A ? p->e : p->a, u1 = is_A ? p->e1 : p->a1, W = is_A ? p->W_A : p->W_B;
    const trmi_vec3 o = is_A ? p->a : p->e, o1 = is_A ? p->a1 : p->e1;
    const trmi_vec3 sum = v3_add(v3_add(v3_cross(u1, o), v3_cross(u, v3_cross(o, W))),
                                 v3_scale(2.0, v3_cross(u, o1)));
    v3_store(out->GB_V + at, m3_tmul(b->R, sum));
  }
}

/* All rows of the axis; only G is wanted in every iteration of every step. */
static void joint_axis_rows(const trmi_pose *A, const trmi_pose *B, bool has_A, const side *out_A,
                            const side *out_B) {
  const bool derivatives = out_B->GV_Q != NULL || out_B->GB_Q != NULL || out_B->GB_V != NULL;
  for (int k = 0; k < AXES; k++) {
    if (out_B->G != NULL) { /* (8) */
      const int at = POINT + 3 * (POINT + k);
      const trmi_vec3 h = v3_cross(m3_column(A->R, 2 * k), m3_column(B->R, 1));
      v3_store(out_B->G + at, v3_neg(m3_tmul(B->R, h)));
      if (has_A) v3_store(out_A->G + at, m3_tmul(A->R, h));
    }
    if (!derivatives) continue;
    const axis_pair p = axis_pair_of(A, B, k);
    side_axis(&p, B, false, k, out_B);
    if (has_A) side_axis(&p, A, true, k, out_A);
  }
}

static const trm_block joint_blocks[] = {TRM_G, TRM_GV_Q, TRM_GB_Q, TRM_GB_V};
enum { JOINT_BLOCKS = 4 };

static void joint_rows(const trmi_link_chain *l, const trmi_pose *A, const trmi_pose *B, int i,
                       double *const request[TRM_BLOCKS]) {
  const side out_B = side_at(l, request, i, 0), out_A = side_at(l, request, i, 1);
  side_point(B, l->near_b, 1.0, &out_B);
  if (i > 0) side_point(A, l->far_b, -1.0, &out_A);
  if (l->rows > POINT) joint_axis_rows(A, B, i > 0, &out_A, &out_B);
}

/* out += u v^T - d I */
static void add_outer(double out[9], trmi_vec3 u, trmi_vec3 v, double d) {
  v3_accumulate(out, v3_scale(u.x, v));
  v3_accumulate(out + 3, v3_scale(u.y, v));
  v3_accumulate(out + 6, v3_scale(u.z, v));
  for (int i = 0; i < 3; i++) out[4 * i] -= d;
}

/* d(G^T y)/dq: for each body the nine of its rotations, then for each revolute
 * joint but the first AB and BA; (7) and (13) */
static void joint_tangent(const trmi_link_chain *l, const trmi_pose *A, const trmi_pose *B, int i,
                          const double *y, double *tangent) {
  double *on_B = tangent + 9 * i, *on_A = on_B - 9;
  const trmi_vec3 y_n = v3_load(y), y_b = m3_tmul(B->R, y_n);
  memset(on_B, 0, 9 * sizeof(double));
  add_outer(on_B, y_b, l->near_b, v3_dot(l->near_b, y_b));
  if (i > 0) {
    const trmi_vec3 y_a = v3_neg(m3_tmul(A->R, y_n));
    add_outer(on_A, y_a, l->far_b, v3_dot(l->far_b, y_a));
  }
  if (l->rows == POINT) return;

  const trmi_vec3 Y_a = v3(y[3], 0.0, y[4]), Y = m3_mul(A->R, Y_a), a = m3_column(B->R, 1);
  const trmi_vec3 Y_b = m3_tmul(B->R, Y), a_a = m3_tmul(A->R, a);
  const double aY = v3_dot(a, Y);
  add_outer(on_B, Y_b, v3(0.0, 1.0, 0.0), aY);
  if (i == 0) return;
  add_outer(on_A, a_a, Y_a, aY);
  double *AB = tangent + 9 * l->nbody + 18 * (i - 1), *BA = AB + 9;
  for (int j = 0; j < 3; j++) m3_set_column(AB, j, v3_scale(aY, m3_tmul(A->R, m3_column(B->R, j))));
  add_outer(AB, a_a, v3_neg(Y_b), 0.0);
  for (int j = 0; j < 3; j++) v3_store(BA + 3 * j, m3_column(AB, j));
}

static void put_mass(const trmi_link_chain *l, double *out) {
  out[0] = out[1] = out[2] = l->mass;
  v3_store(out + 3, l->J);
}

trm_status trmi_link_chain_blocks(void *self, const trm_state *s, const trm_block_request *request,
                             trm_error *err) {
  (void)err;
  const trmi_link_chain *l = self;
  double *const *b = request->values;
  bool rows = false;
  for (int k = 0; k < JOINT_BLOCKS; k++) rows = rows || b[joint_blocks[k]] != NULL;
  trmi_pose pair[2] = {ground, ground};
  for (int i = 0; i < l->nbody; i++) {
    const trmi_pose *A = &pair[i % 2];
    trmi_pose *B = &pair[1 - i % 2];
    if (b[TRM_M] != NULL) put_mass(l, b[TRM_M] + NV * i);
    if (b[TRM_C] != NULL) {
      trmi_principal_gyroscopic(l->J, v3_load(s->v + NV * i + 3), b[TRM_C] + 6 * i);
    }
    if (!rows && b[TRM_GY_Q] == NULL) continue;
    body_load(s, i, B);
    if (rows) joint_rows(l, A, B, i, b);
    if (b[TRM_GY_Q] != NULL) joint_tangent(l, A, B, i, request->y + l->rows * i, b[TRM_GY_Q]);
  }
  return TRM_OK;
}

static void joint_patterns(const trmi_link_chain *l, trm_pattern *p, trm_block block, int i) {
  for (int from = i; from >= 0 && from >= i - 1; from--) { /* B, then A */
    const int row = l->rows * i, col = NV * from;
    for (int k = 0; k < l->rows; k++) {
      if (block == TRM_G && k < POINT) trm_pattern_entry(p, block, row + k, col + k);
      trm_pattern_dense(p, block, row + k, col + 3, 1, 3);
    }
  }
}

void trmi_link_chain_patterns(const void *self, trm_pattern *p) {
  const trmi_link_chain *l = self;
  trmi_pattern_all_given(p);
  for (int i = 0; i < l->nbody; i++) {
    const int at = NV * i;
    for (int k = 0; k < NV; k++) trm_pattern_entry(p, TRM_M, at + k, at + k);
    for (int k = 0; k < 9; k++) {
      if (k % 4 != 0) trm_pattern_entry(p, TRM_C, at + 3 + k / 3, at + 3 + k % 3);
    }
    for (int k = 0; k < JOINT_BLOCKS; k++) joint_patterns(l, p, joint_blocks[k], i);
    trm_pattern_dense(p, TRM_GY_Q, at + 3, at + 3, 3, 3);
    trm_pattern_node(p, TRM_V, at, NV);
    trm_pattern_node(p, TRM_LAM, l->rows * i, l->rows);
  }
  for (int i = 1; l->rows > POINT && i < l->nbody; i++) {
    trm_pattern_dense(p, TRM_GY_Q, NV * (i - 1) + 3, NV * i + 3, 3, 3);
    trm_pattern_dense(p, TRM_GY_Q, NV * i + 3, NV * (i - 1) + 3, 3, 3);
  }
}

/* ---- sizes, names, start --------------------------------------------------- */

void trmi_link_chain_sizes(const void *self, trm_sizes *n) {
  const trmi_link_chain *l = self;
  *n = (trm_sizes){.nv = NV * l->nbody,
                   .nrot = l->nbody,
                   .ng = l->rows * l->nbody,
                   .noutputs = l->noutputs};
}

int trmi_link_chain_rotation(const void *self, int i) {
  (void)self;
  return NV * i + 3;
}

/* "link3.vx" of "body 'link3'"; only chains of one kind of thing have numbers */
static void name_part(trm_label *label, const char *what, const char *thing,
                      const trmi_link_chain *l, int i, const char *part) {
  char number[12] = "";
  if (l->is_numbered) snprintf(number, sizeof number, "%d", i + 1);
  snprintf(label->name, sizeof label->name, "%s%s.%s", thing, number, part);
  snprintf(label->object, sizeof label->object, "%s '%s%s'", what, thing, number);
}

void trmi_link_chain_label(const void *self, trm_quantity list, int i, trm_label *label) {
  static const char *const q_names[NQ] = {"x", "y", "z", "q0", "q1", "q2", "q3"};
  static const char *const v_names[NV] = {"vx", "vy", "vz", "wx", "wy", "wz"};
  static const char *const row_names[] = {"x", "y", "z", "e1", "e2"};
  static const char *const tip_names[] = {"tip.x", "tip.y", "tip.z"};
  const trmi_link_chain *l = self;
  const int rows = l->rows;
  switch (list) {
  case TRM_Q: name_part(label, "body", l->body, l, i / NQ, q_names[i % NQ]); break;
  case TRM_V: name_part(label, "body", l->body, l, i / NV, v_names[i % NV]); break;
  case TRM_LAM: name_part(label, "joint", l->joint, l, i / rows, row_names[i % rows]); break;
  case TRM_OUTPUT: trmi_label(label, tip_names[i], "point 'tip'", TRM_KIND_METRE, 0.0); break;
  default: break;
  }
  if (list == TRM_Q) label->kind = i % NQ < 3 ? TRM_KIND_METRE : TRM_KIND_NONE;
  if (list == TRM_V) label->kind = i % NV < 3 ? TRM_KIND_METRE : TRM_KIND_RADIAN;
  if (list == TRM_LAM) label->kind = i % rows < 3 ? TRM_KIND_NEWTON : TRM_KIND_NEWTON_METRE;
}

void trmi_link_chain_place(const trmi_link_chain *l, int i, const double p[4], trmi_vec3 w_b,
                           trm_state *s) {
  trmi_pose A = ground, B;
  if (i > 0) body_load(s, i - 1, &A);
  memcpy(s->q + NQ * i + 3, p, 4 * sizeof(double));
  v3_store(s->v + NV * i + 3, w_b);
  body_load(s, i, &B);
  const trmi_vec3 s_a = joint_on(l, i), x_a = v3_add(A.x, m3_mul(A.R, s_a));
  const trmi_vec3 v_a = v3_add(A.v, m3_mul(A.R, v3_cross(A.w, s_a)));
  v3_store(s->q + NQ * i, v3_sub(x_a, m3_mul(B.R, l->near_b)));
  v3_store(s->v + NV * i, v3_sub(v_a, m3_mul(B.R, v3_cross(w_b, l->near_b))));
}
