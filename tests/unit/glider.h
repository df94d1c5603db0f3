/* glider.h - a system for tests that has one of everything: a rotation, a holonomic
 * and a nonholonomic row, a state, a variable in a loop with itself, an input, and
 * every derivative by hand. What it gives is chosen by a mask.
 *
 * Body at x with orientation R, body rates w, velocity v, e1, e2 body axes:
 *   m v'  = m gravity + w1 R e1 + u e_x - x lam - R e2 mu                     (1)
 *   J w'  = -w x J w - c w + s e_3                                            (2)
 *   g     = (x.x - l^2)/2                     a string, l long                (3)
 *   A v   = (R e2).v                          a keel: no sideways motion      (4)
 *   d     = T s' + s - k w_3                  a lagging rudder                (5)
 *   w1    = F - k1 (R e1).v - k2 tanh w1 + k3 lam                             (6)
 * Increments theta change R e by R (theta x e); for a given y, e and v
 *   d((R e).v) = theta.(e x R^T v),   d(R e y) = -y R skew(e) theta           (7) */
#ifndef TRM_TEST_GLIDER_H
#define TRM_TEST_GLIDER_H
#include "math/so3.h"
#include "math/vec.h"
#include "trammel/system.h"
#include <stdint.h>

typedef struct glider {
  uint64_t  omitted;  /* bits: blocks that are made by differences        */
  uint64_t  emptied;  /* bits: blocks declared without any entry          */
  trm_block wrong;    /* block with a planted error ...                   */
  int       entry;    /* ... in this entry, or -1                         */
  int       calls_of_blocks;
} glider;

static const double glider_m = 2.0, glider_l = 1.5, glider_c = 0.3, glider_T = 0.4,
                    glider_k = 0.5, glider_F = 3.0, glider_k1 = 0.6, glider_k2 = 0.5,
                    glider_k3 = 0.1;

static inline trmi_vec3 glider_J(void) { return v3(0.3, 0.5, 0.4); }

static inline void glider_sizes(const void *self, trm_sizes *n) {
  (void)self;
  *n = (trm_sizes){.nv = 6, .nrot = 1, .ng = 1, .na = 1, .nx = 1, .nw = 1, .nu = 1};
}

static inline int glider_rotation(const void *self, int i) {
  (void)self, (void)i;
  return 3;
}

static inline trm_status glider_start(void *self, trm_state *s, trm_error *err) {
  (void)self, (void)err;
  const double tilt[3] = {0.1, -0.2, 0.4};
  s->q[0] = glider_l;
  trmi_so3_exp(tilt, s->q + 3);
  s->v[2] = 0.5;
  s->v[3] = 0.4, s->v[4] = -0.3, s->v[5] = 1.1;
  s->x[0] = 0.2;
  return TRM_OK;
}

/* The body at one instant. */
typedef struct glider_pose {
  double    R[9];
  trmi_vec3 x, v, w, e1, e2, v_body; /* e1, e2 in space, v in body axes */
} glider_pose;

static inline glider_pose glider_pose_of(const trm_state *s) {
  glider_pose p;
  trmi_quat_matrix(s->q + 3, p.R);
  p.x = v3_load(s->q), p.v = v3_load(s->v), p.w = v3_load(s->v + 3);
  p.e1 = m3_column(p.R, 0), p.e2 = m3_column(p.R, 1);
  p.v_body = m3_tmul(p.R, p.v);
  return p;
}

static inline trm_status glider_values(void *self, const trm_state *s, const trm_values *out,
                                       trm_error *err) {
  (void)self, (void)err;
  const glider_pose p = glider_pose_of(s);
  const trmi_vec3 J = glider_J();
  if (out->motion != NULL) { /* (1), (2) */
    const trmi_vec3 weight = v3(0.0, 0.0, -9.81 * glider_m);
    trmi_vec3 f = v3_add(weight, v3_scale(s->w[0], p.e1));
    f = v3_add(f, v3(s->u[0], 0.0, 0.0));
    v3_store(out->motion, v3_sub(v3_scale(glider_m, v3_load(s->vd)), f));
    v3_accumulate(out->motion, v3_scale(s->lam[0], p.x));
    v3_accumulate(out->motion, v3_scale(s->mu[0], p.e2));
    const trmi_vec3 gyro = v3_cross(p.w, v3_times(J, p.w));
    v3_store(out->motion + 3, v3_add(v3_times(J, v3_load(s->vd + 3)), gyro));
    v3_accumulate(out->motion + 3, v3_scale(glider_c, p.w));
    out->motion[5] -= s->x[0];
  }
  if (out->g != NULL) out->g[0] = 0.5 * (v3_dot(p.x, p.x) - glider_l * glider_l);
  if (out->g_rate != NULL) out->g_rate[0] = v3_dot(p.x, p.v);
  if (out->g_bias != NULL) out->g_bias[0] = v3_dot(p.v, p.v);
  if (out->a_rate != NULL) out->a_rate[0] = v3_dot(p.e2, p.v);
  if (out->a_bias != NULL) out->a_bias[0] = v3_dot(p.w, v3_cross(v3(0, 1, 0), p.v_body));
  if (out->d != NULL) out->d[0] = glider_T * s->xd[0] + s->x[0] - glider_k * s->v[5];
  if (out->w != NULL) { /* (6) */
    out->w[0] = s->w[0] - (glider_F - glider_k1 * v3_dot(p.e1, p.v) -
                           glider_k2 * tanh(s->w[0]) + glider_k3 * s->lam[0]);
  }
  if (out->energy != NULL) {
    out->energy[0] = 0.5 * (glider_m * v3_dot(p.v, p.v) + v3_dot(p.w, v3_times(J, p.w)));
    out->energy[1] = 9.81 * glider_m * p.x.z;
    out->energy[2] = 0.0;
  }
  return TRM_OK;
}

/* Rectangles that the blocks fill, rows by columns. */
static const struct {
  trm_block block;
  int       row, col, rows, cols;
} glider_table[] = {
    {TRM_M, 0, 0, 6, 6},    {TRM_MU_Q, 0, 0, 0, 0}, {TRM_K, 0, 3, 3, 3},    {TRM_C, 3, 3, 3, 3},
    {TRM_Q_X, 5, 0, 1, 1},  {TRM_Q_W, 0, 0, 3, 1},  {TRM_Q_U, 0, 0, 1, 1},  {TRM_Q_T, 0, 0, 0, 0},
    {TRM_G, 0, 0, 1, 3},    {TRM_GY_Q, 0, 0, 3, 3}, {TRM_GV_Q, 0, 0, 1, 3}, {TRM_GB_Q, 0, 0, 0, 0},
    {TRM_GB_V, 0, 0, 1, 3}, {TRM_A, 0, 0, 1, 3},    {TRM_AY_Q, 0, 3, 3, 3}, {TRM_AV_Q, 0, 3, 1, 3},
    {TRM_AB_Q, 0, 3, 1, 3}, {TRM_AB_V, 0, 0, 1, 6}, {TRM_D_XD, 0, 0, 1, 1}, {TRM_D_X, 0, 0, 1, 1},
    {TRM_D_Q, 0, 0, 0, 0},  {TRM_D_V, 0, 5, 1, 1},  {TRM_D_VD, 0, 0, 0, 0}, {TRM_D_LAM, 0, 0, 0, 0},
    {TRM_D_W, 0, 0, 0, 0},  {TRM_W_Q, 0, 3, 1, 3},  {TRM_W_V, 0, 0, 1, 3},  {TRM_W_VD, 0, 0, 0, 0},
    {TRM_W_X, 0, 0, 0, 0},  {TRM_W_XD, 0, 0, 0, 0}, {TRM_W_LAM, 0, 0, 1, 1}, {TRM_W_W, 0, 0, 1, 1},
    {TRM_D_U, 0, 0, 0, 0},  {TRM_W_U, 0, 0, 0, 0},
};
enum { GLIDER_BLOCKS = sizeof glider_table / sizeof *glider_table };

static inline void glider_patterns(const void *self, trm_pattern *p) {
  const glider *o = self;
  for (int i = 0; i < GLIDER_BLOCKS; i++) {
    const trm_block b = glider_table[i].block;
    if (((o->omitted >> b) & 1) != 0) continue;
    trm_pattern_given(p, b);
    if (((o->emptied >> b) & 1) != 0) continue;
    trm_pattern_dense(p, b, glider_table[i].row, glider_table[i].col, glider_table[i].rows,
                      glider_table[i].cols);
  }
  trm_pattern_node(p, TRM_V, 0, 6);
}

/* f R skew(e), 3 x 3, if wanted */
static inline void glider_put_turn(double *out, double f, const double R[9], trmi_vec3 e) {
  double S[9], RS[9];
  if (out == NULL) return;
  m3_skew(e, S);
  m3_mm(R, S, RS);
  for (int i = 0; i < 9; i++) out[i] = f * RS[i];
}

static inline void glider_put(double *out, trmi_vec3 a) {
  if (out != NULL) v3_store(out, a);
}

static inline void glider_motion_blocks(const glider_pose *p, const trm_state *s,
                                        const trm_block_request *request) {
  double *const *b = request->values;
  const trmi_vec3 J = glider_J();
  const double mass[6] = {glider_m, glider_m, glider_m, J.x, J.y, J.z};
  for (int i = 0; i < 36 && b[TRM_M] != NULL; i++) b[TRM_M][i] = i % 7 == 0 ? mass[i / 6] : 0.0;
  glider_put_turn(b[TRM_K], s->w[0], p->R, v3(1, 0, 0)); /* (7) */
  if (b[TRM_C] != NULL) {
    /* d(w x J w + c w) = skew(w) J - skew(J w) + c */
    double W[9], H[9];
    const double Jd[3] = {J.x, J.y, J.z};
    m3_skew(p->w, W);
    m3_skew(v3_times(J, p->w), H);
    for (int i = 0; i < 9; i++) {
      b[TRM_C][i] = W[i] * Jd[i % 3] - H[i] + (i % 4 == 0 ? glider_c : 0.0);
    }
  }
  if (b[TRM_Q_X] != NULL) b[TRM_Q_X][0] = 1.0;
  glider_put(b[TRM_Q_W], p->e1);
  if (b[TRM_Q_U] != NULL) b[TRM_Q_U][0] = 1.0;
  for (int i = 0; i < 9 && b[TRM_GY_Q] != NULL; i++) {
    b[TRM_GY_Q][i] = i % 4 == 0 ? request->y[0] : 0.0;
  }
  if (b[TRM_AY_Q] != NULL) glider_put_turn(b[TRM_AY_Q], -request->ya[0], p->R, v3(0, 1, 0));
}

static inline void glider_constraint_blocks(const glider_pose *p, double *const *b) {
  const trmi_vec3 e2 = v3(0, 1, 0), we2 = v3_cross(p->w, e2);
  glider_put(b[TRM_G], p->x);
  glider_put(b[TRM_GV_Q], p->v);
  glider_put(b[TRM_GB_V], v3_scale(2.0, p->v));
  glider_put(b[TRM_A], p->e2);
  glider_put(b[TRM_AV_Q], v3_cross(e2, p->v_body));
  glider_put(b[TRM_AB_Q], v3_cross(we2, p->v_body));
  if (b[TRM_AB_V] != NULL) {
    v3_store(b[TRM_AB_V], m3_mul(p->R, we2));
    v3_store(b[TRM_AB_V] + 3, v3_cross(e2, p->v_body));
  }
}

static inline trm_status glider_blocks(void *self, const trm_state *s,
                                       const trm_block_request *request, trm_error *err) {
  (void)err;
  glider *o = self;
  double *const *b = request->values;
  const glider_pose p = glider_pose_of(s);
  const double slope = 1.0 / cosh(s->w[0]);
  o->calls_of_blocks++;
  glider_motion_blocks(&p, s, request);
  glider_constraint_blocks(&p, b);
  if (b[TRM_D_XD] != NULL) b[TRM_D_XD][0] = glider_T;
  if (b[TRM_D_X] != NULL) b[TRM_D_X][0] = 1.0;
  if (b[TRM_D_V] != NULL) b[TRM_D_V][0] = -glider_k;
  glider_put(b[TRM_W_Q], v3_scale(-glider_k1, v3_cross(v3(1, 0, 0), p.v_body)));
  glider_put(b[TRM_W_V], v3_scale(-glider_k1, p.e1));
  if (b[TRM_W_LAM] != NULL) b[TRM_W_LAM][0] = glider_k3;
  if (b[TRM_W_W] != NULL) b[TRM_W_W][0] = -glider_k2 * slope * slope;
  if (o->entry >= 0 && b[o->wrong] != NULL) b[o->wrong][o->entry] += 0.5;
  return TRM_OK;
}

/* As it is; without rates; with equations alone. */
static const trm_system_ops glider_full = {
    .name = "glider",          .sizes = glider_sizes,   .rotation = glider_rotation,
    .patterns = glider_patterns, .start = glider_start, .values = glider_values,
    .gives_rates = true,       .blocks = glider_blocks,
};
static const trm_system_ops glider_without_rates = {
    .name = "glider",          .sizes = glider_sizes,   .rotation = glider_rotation,
    .patterns = glider_patterns, .start = glider_start, .values = glider_values,
    .blocks = glider_blocks,
};
static const trm_system_ops glider_equations_only = {
    .name = "glider",      .sizes = glider_sizes,   .rotation = glider_rotation,
    .start = glider_start, .values = glider_values,
};

#endif
