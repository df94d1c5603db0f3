/* modal_body.h - a kind of body with two modal coordinates in one file, as
 * docs/dev/add-an-element.md says: it carries markers, on which any joint and force works.
 *
 * Masses m_i at r_i = s_i + Phi_i eta in body axes, springs k and masses of their own on eta. A
 * marker at such a point is turned about the axis a by phi = c.eta. With u = w x r + Phi eta', Ra
 * the rotation by phi, W = Ra^T w and velocities (v, w, eta'):
 *   v_m = v + R u,                        w_m = W + a phi'                                 (1)
 *   J = (1, -R r x, R Phi),               (0, Ra^T, a c^T)                                 (2)
 *   bias = R (w x (w x r) + 2 w x Phi eta'),   -phi' a x W                                 (3)
 * Increments: dR = R dtheta x, dr = Phi deta, d(Ra^T y) = -dphi a x (Ra^T y), all others follow.
 *   motion = sum m J_v^T (J_v v' + bias_v - g) + own eta'' + k eta                         (4) */
#ifndef TRM_TEST_MODAL_BODY_H
#define TRM_TEST_MODAL_BODY_H
#include "element/assembled.h"

/* ---- kinematics of one point ---------------------------------------------------------------- */

enum { N = 8, MODES = 2, POINTS = 3, MARKERS = 2 };

typedef struct shape {
  trmi_vec3 s, phi[MODES], a; /* a: unit vector */
  double    c[MODES];
} shape;

/* A point at velocities (w, eta'). */
typedef struct moment {
  const shape *at;
  double    R[9], Ra[9];
  trmi_vec3 r, w, strain_rate, u, B, W; /* body axes; B: bias of v_m; W: marker axes */
  double    phi, phi1;
} moment;

static trmi_vec3 unit(int k) {
  return v3(k % 3 == 0, k % 3 == 1, k % 3 == 2);
}

static moment moment_of(const shape *at, const double *q, const double *velocity) {
  moment z = {.at = at, .r = at->s, .w = v3_load(velocity + 3)};
  trmi_quat_matrix(q + 3, z.R);
  for (int k = 0; k < MODES; k++) {
    z.r = v3_add(z.r, v3_scale(q[7 + k], at->phi[k]));
    z.strain_rate = v3_add(z.strain_rate, v3_scale(velocity[6 + k], at->phi[k]));
    z.phi += at->c[k] * q[7 + k];
    z.phi1 += at->c[k] * velocity[6 + k];
  }
  const double half[4] = {cos(0.5 * z.phi), sin(0.5 * z.phi) * at->a.x,
                          sin(0.5 * z.phi) * at->a.y, sin(0.5 * z.phi) * at->a.z};
  trmi_quat_matrix(half, z.Ra);
  z.W = m3_tmul(z.Ra, z.w);
  z.u = v3_add(v3_cross(z.w, z.r), z.strain_rate);
  z.B = v3_add(v3_cross(z.w, v3_cross(z.w, z.r)), v3_scale(2.0, v3_cross(z.w, z.strain_rate)));
  return z;
}

/* Column k of a 6 x N matrix: `top` in body axes becomes one of ground axes. */
static void put(const moment *z, double *M, int k, trmi_vec3 top, trmi_vec3 bottom) {
  double column[6];
  v3_store(column, m3_mul(z->R, top));
  v3_store(column + 3, bottom);
  for (int i = 0; i < 6; i++) M[N * i + k] = column[i];
}

/* (2) */
static void fill_J(const moment *z, double *J) {
  for (int k = 0; k < 3; k++) {
    put(z, J, k, m3_tmul(z->R, unit(k)), v3(0, 0, 0));
    put(z, J, 3 + k, v3_cross(unit(k), z->r), m3_tmul(z->Ra, unit(k)));
  }
  for (int k = 0; k < MODES; k++) {
    put(z, J, 6 + k, z->at->phi[k], v3_scale(z->at->c[k], z->at->a));
  }
}

static void fill_bias(const moment *z, double bias[6]) {
  v3_store(bias, m3_mul(z->R, z->B));
  v3_store(bias + 3, v3_scale(-z->phi1, v3_cross(z->at->a, z->W)));
}

/* d(J v)/dq */
static void fill_Jv_q(const moment *z, double *out) {
  const trmi_vec3 turn = v3_cross(z->at->a, z->W), zero = v3(0, 0, 0);
  for (int k = 0; k < 3; k++) {
    put(z, out, k, zero, zero);
    put(z, out, 3 + k, v3_cross(unit(k), z->u), zero);
  }
  for (int k = 0; k < MODES; k++) {
    put(z, out, 6 + k, v3_cross(z->w, z->at->phi[k]), v3_scale(-z->at->c[k], turn));
  }
}

static void fill_bias_q(const moment *z, double *out) {
  const trmi_vec3 turn = v3_cross(z->at->a, v3_cross(z->at->a, z->W)), zero = v3(0, 0, 0);
  for (int k = 0; k < 3; k++) {
    put(z, out, k, zero, zero);
    put(z, out, 3 + k, v3_cross(unit(k), z->B), zero);
  }
  for (int k = 0; k < MODES; k++) {
    put(z, out, 6 + k, v3_cross(z->w, v3_cross(z->w, z->at->phi[k])),
        v3_scale(z->phi1 * z->at->c[k], turn));
  }
}

static void fill_bias_v(const moment *z, double *out) {
  const trmi_vec3 a = z->at->a, zero = v3(0, 0, 0);
  for (int k = 0; k < 3; k++) {
    const trmi_vec3 e = unit(k);
    trmi_vec3 top = v3_add(v3_cross(e, v3_cross(z->w, z->r)), v3_cross(z->w, v3_cross(e, z->r)));
    top = v3_add(top, v3_scale(2.0, v3_cross(e, z->strain_rate)));
    put(z, out, k, zero, zero);
    put(z, out, 3 + k, top, v3_scale(-z->phi1, v3_cross(a, m3_tmul(z->Ra, e))));
  }
  for (int k = 0; k < MODES; k++) {
    put(z, out, 6 + k, v3_scale(2.0, v3_cross(z->w, z->at->phi[k])),
        v3_scale(-z->at->c[k], v3_cross(a, z->W)));
  }
}

/* d(J^T y)/dq, overwritten [N N] */
static void fill_transposed_q(const moment *z, const double y[6], double *out) {
  const trmi_vec3 f = m3_tmul(z->R, v3_load(y)), t = m3_mul(z->Ra, v3_load(y + 3));
  memset(out, 0, N * N * sizeof *out);
  for (int k = 0; k < 3; k++) {
    const trmi_vec3 h = v3_cross(f, unit(k));
    double column[3];
    v3_store(column, v3_cross(z->r, h));
    for (int i = 0; i < 3; i++) out[N * (3 + i) + 3 + k] = column[i];
    for (int i = 0; i < MODES; i++) out[N * (6 + i) + 3 + k] = v3_dot(z->at->phi[i], h);
  }
  for (int k = 0; k < MODES; k++) {
    double column[3];
    v3_store(column, v3_add(v3_cross(z->at->phi[k], f),
                            v3_scale(z->at->c[k], v3_cross(z->at->a, t))));
    for (int i = 0; i < 3; i++) out[N * (3 + i) + 6 + k] = column[i];
  }
}

/* ---- the body ------------------------------------------------------------------------------- */

typedef struct marker {
  shape     at;
  trmi_map *map;
  int       carrier;
  moment    now;
  double    p[4];
} marker;

typedef struct modal {
  trmi_carriers *carriers;
  int       q, v;
  trmi_vec3 gravity;
  shape     points[POINTS];
  double    mass[POINTS], k[MODES], own[MODES], q0[9], v0[N]; /* own: masses that only modes move */
  marker    markers[MARKERS];
  int       nmarkers;
} modal;

static trm_status start(void *self, trm_state *s, trm_error *err) {
  const modal *b = self;
  (void)err;
  memcpy(s->q + b->q, b->q0, sizeof b->q0);
  memcpy(s->v + b->v, b->v0, sizeof b->v0);
  return TRM_OK;
}

/* (1) to (3) of all markers */
static void move(void *self, const trm_state *s) {
  modal *b = self;
  const double *q = s->q + b->q, *v = s->v + b->v;
  for (int i = 0; i < b->nmarkers; i++) {
    marker *m = &b->markers[i];
    trmi_pose *pose = &b->carriers->poses[m->carrier];
    m->now = moment_of(&m->at, q, v);
    const double half = 0.5 * m->now.phi, turn[4] = {cos(half), sin(half) * m->at.a.x,
                                                     sin(half) * m->at.a.y, sin(half) * m->at.a.z};
    trmi_quat_mul(q + 3, turn, m->p);
    trmi_quat_matrix(m->p, pose->R);
    pose->p = m->p;
    pose->x = v3_add(v3_load(q), m3_mul(m->now.R, m->now.r));
    pose->v = v3_add(v3_load(v), m3_mul(m->now.R, m->now.u));
    pose->w = v3_add(m->now.W, v3_scale(m->now.phi1, m->at.a));
    fill_J(&m->now, m->map->J);
    fill_bias(&m->now, m->map->bias);
  }
}

static void tangents(const trmi_map *map, bool with_bias) {
  const marker *m = map->self;
  fill_Jv_q(&m->now, map->Jv_q);
  if (!with_bias) return;
  fill_bias_q(&m->now, map->bias_q);
  fill_bias_v(&m->now, map->bias_v);
}

static void transposed_q(const trmi_map *map, const double y[6], double *out) {
  fill_transposed_q(&((const marker *)map->self)->now, y, out);
}

static void transposed_q_strong(const trmi_map *map, const double y[6], double *rows,
                                double *columns) {
  double full[N * N];
  transposed_q(map, y, full);
  for (int i = 0; i < 3; i++) {
    memcpy(rows + N * i, full + N * (3 + i), N * sizeof *rows);
    for (int k = 6; k < N; k++) columns[MODES * i + k - 6] = full[N * k + 3 + i];
  }
}

/* out += factor J_v^T A, with A of 3 x cols in a matrix of this width */
static void add_transposed(const double *J, double factor, const double *A, int cols,
                           double *out) {
  for (int i = 0; i < N; i++) {
    for (int r = 0; r < 3; r++) {
      for (int k = 0; k < cols; k++) out[cols * i + k] += factor * J[N * r + i] * A[cols * r + k];
    }
  }
}

static void add_motion(const modal *b, const trm_state *s, const moment *z, double mass,
                       double *motion) {
  double J[6 * N], force[3], bias[6];
  const double gravity[3] = {b->gravity.x, b->gravity.y, b->gravity.z};
  fill_J(z, J);
  fill_bias(z, bias);
  for (int r = 0; r < 3; r++) {
    force[r] = bias[r] - gravity[r];
    for (int k = 0; k < N; k++) force[r] += J[N * r + k] * s->vd[b->v + k];
  }
  add_transposed(J, mass, force, 1, motion + b->v); /* (4) */
}

static trm_status values(void *self, const trm_state *s, const trm_values *out, trm_error *err) {
  const modal *b = self;
  const double *q = s->q + b->q, *v = s->v + b->v;
  (void)err;
  if (out->motion == NULL && out->energy == NULL) return TRM_OK;
  for (int i = 0; i < POINTS; i++) {
    const moment z = moment_of(&b->points[i], q, v);
    const trmi_vec3 speed = v3_add(v3_load(v), m3_mul(z.R, z.u));
    const trmi_vec3 place = v3_add(v3_load(q), m3_mul(z.R, z.r));
    if (out->motion != NULL) add_motion(b, s, &z, b->mass[i], out->motion);
    if (out->energy == NULL) continue;
    out->energy[0] += 0.5 * b->mass[i] * v3_dot(speed, speed);
    out->energy[1] -= b->mass[i] * v3_dot(b->gravity, place);
  }
  for (int k = 0; k < MODES; k++) {
    if (out->motion != NULL) {
      out->motion[b->v + 6 + k] += b->own[k] * s->vd[b->v + 6 + k] + b->k[k] * q[7 + k];
    }
    if (out->energy == NULL) continue;
    out->energy[0] += 0.5 * b->own[k] * v[6 + k] * v[6 + k];
    out->energy[1] += 0.5 * b->k[k] * q[7 + k] * q[7 + k];
  }
  return TRM_OK;
}

static int pattern(const void *self, trm_pattern *p, trm_block block) {
  const modal *b = self;
  if (block != TRM_M && block != TRM_MU_Q && block != TRM_K && block != TRM_C) return 0;
  if (p != NULL) trm_pattern_dense(p, block, b->v, b->v, N, N);
  return N * N;
}

/* Modes are single nodes: the Newton matrix stays an arrow. */
static void nodes(const void *self, trm_pattern *p) {
  const modal *b = self;
  trm_pattern_node(p, TRM_V, b->v, 6);
  for (int k = 0; k < MODES; k++) trm_pattern_node(p, TRM_V, b->v + 6 + k, 1);
}

/* d(sum m J_v^T y)/dq with y = m times the first three of `acceleration`, and m J_v^T of its own
 * derivative */
static void add_tangent(const moment *z, double mass, const double acceleration[6],
                        const double *derivative, double *out) {
  double J[6 * N], turned[N * N], y[6] = {0.0};
  for (int r = 0; r < 3; r++) y[r] = mass * acceleration[r];
  fill_J(z, J);
  fill_transposed_q(z, y, turned);
  for (int k = 0; k < N * N; k++) out[k] += turned[k];
  add_transposed(J, mass, derivative, N, out);
}

static void add_blocks(const modal *b, const double *q, const double *v, int i,
                       const trm_block_request *request) {
  const moment z = moment_of(&b->points[i], q, v);
  double J[6 * N], part[6 * N], bias[6], product[6] = {0.0};
  fill_J(&z, J);
  if (request->values[TRM_M] != NULL) add_transposed(J, b->mass[i], J, N, request->values[TRM_M]);
  if (request->values[TRM_MU_Q] != NULL) {
    const double *u = request->u + b->v;
    const moment moved = moment_of(&b->points[i], q, u); /* J u as a velocity */
    for (int r = 0; r < 3; r++) {
      for (int k = 0; k < N; k++) product[r] += J[N * r + k] * u[k];
    }
    fill_Jv_q(&moved, part);
    add_tangent(&z, b->mass[i], product, part, request->values[TRM_MU_Q]);
  }
  if (request->values[TRM_K] != NULL) {
    fill_bias(&z, bias);
    v3_accumulate(bias, v3_neg(b->gravity));
    fill_bias_q(&z, part);
    add_tangent(&z, b->mass[i], bias, part, request->values[TRM_K]);
  }
  if (request->values[TRM_C] != NULL) {
    fill_bias_v(&z, part);
    add_transposed(J, b->mass[i], part, N, request->values[TRM_C]);
  }
}

static trm_status blocks(void *self, const trm_state *s, const trm_block_request *request,
                         trm_error *err) {
  static const trm_block list[4] = {TRM_M, TRM_MU_Q, TRM_K, TRM_C};
  const modal *b = self;
  (void)err;
  for (int k = 0; k < 4; k++) {
    double *out = request->values[list[k]];
    if (out != NULL) memset(out, 0, N * N * sizeof *out);
  }
  for (int i = 0; i < POINTS; i++) add_blocks(b, s->q + b->q, s->v + b->v, i, request);
  for (int k = 0; k < MODES; k++) {
    if (request->values[TRM_K] != NULL) request->values[TRM_K][(N + 1) * (6 + k)] += b->k[k];
    if (request->values[TRM_M] != NULL) request->values[TRM_M][(N + 1) * (6 + k)] += b->own[k];
  }
  return TRM_OK;
}

static const trmi_contributor_ops modal_ops = {
  .name = "modal bodies", .rank = TRMI_RANK_CARRIERS, .pattern = pattern, .nodes = nodes,
  .start = start, .move = move, .values = values, .blocks = blocks,
};

/* A body like another one joins the assembly; its numbers are claimed. */
static modal *join_modal(assembled *m, const modal *like, int q, int v) {
  modal *b = TRMI_TAKE(&m->a->arena, modal, 1);
  assert_non_null(b);
  *b = *like;
  b->carriers = m->carriers;
  b->q = q, b->v = v;
  for (int i = 0; i < b->nmarkers; i++) {
    marker *one = &b->markers[i];
    one->map = trmi_map_create(&m->a->arena, N);
    assert_non_null(one->map);
    one->map->self = one, one->map->tangents = tangents, one->map->transposed_q = transposed_q;
    one->map->transposed_q_strong = transposed_q_strong;
    one->carrier = trmi_carriers_add(
        m->carriers,
        (trmi_carrier){.kind = TRMI_CARRIER_BODY, .q = b->q, .v = b->v, .map = one->map});
  }
  trmi_assembly_add(m->a, &modal_ops, b);
  return b;
}

/* The same with numbers of its own. */
static inline modal *add_modal(assembled *m, const modal *like) {
  const int q = assembled_claim(m, TRM_Q, "modal", 9), v = assembled_claim(m, TRM_V, "modal", N);
  trmi_assembly_rotation(m->a, v + 3);
  return join_modal(m, like, q, v);
}

/* ---- samples -------------------------------------------------------------------------------- */

static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
static const double J_rigid[9] = {1.2, 0, 0, 0, 0.9, 0, 0, 0, 1.5};
static const trmi_vec3 gravity = {0.3, -0.7, -9.81};

static inline modal sample(void) {
  return (modal){
    .gravity = gravity, .nmarkers = 2, .k = {30.0, 50.0}, .own = {0.2, 0.1},
    .points = {{.s = {-0.5, 0.1, 0}, .phi = {{0.1, 0.4, 0}, {0, 0.2, 0.3}}},
               {.s = {0.6, 0, 0.2}, .phi = {{0, 0.5, 0.1}, {-0.3, 0, 0.4}}},
               {.s = {0, 0.4, -0.3}, .phi = {{0.2, 0, 0.6}, {0.1, 0.5, 0}}}},
    .mass = {1.0, 0.7, 1.3}, .q0 = {0.2, -0.1, 0.3, 1, 0, 0, 0, 0.05, -0.1},
    .markers = {{.at = {.s = {0.8, 0, 0}, .phi = {{0.1, 0.7, 0.2}, {0.3, -0.2, 0.5}},
                        .a = {0.6, 0, 0.8}, .c = {0.9, -0.6}}},
                {.at = {.s = {-0.7, 0.2, 0.1}, .phi = {{0, 0.4, -0.3}, {0.2, 0.6, 0.1}},
                        .a = {0, 1, 0}, .c = {-0.5, 0.8}}}}};
}

#endif
