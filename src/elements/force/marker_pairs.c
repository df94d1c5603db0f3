/* marker_pairs.c - a law between two markers as an element that evaluates itself.
 *
 * With s from the origin of a body to its marker in body axes, arm = x_B - x_A body:
 *   on B: f,   R_B^T t + s_B x R_B^T f;     on A: -f,   -R_A^T (t + arm x f)              (1)
 *   dx = dx_body + R (dtheta x s),   dphi = R dtheta,   dw_ground = R (dw + dtheta x w)
 *   dv = dv_body + R (dw x s + dtheta x (w x s))                                          (2)
 *   d(R^T y) = R^T dy + (R^T y) x dtheta                                                  (3)
 * f and t have 6 x 25 derivatives by (dx, dphi, dv, dw_ground) of both markers and the time. If a
 * marker maps (elements/body/carrier.h), Q_m, K_m and C_m of (1) in its six columns become
 *   Q = J^T Q_m,   C = J^T C_m J,   K = J^T (K_m J + C_m d(J v)/dq) - d(J^T y)/dq at y = Q_m  (4)
 * Derivation: docs/theory/12-forces.md, section 6. */
#include "core/compiler.h"
#include "elements/force/marker_pairs.h"
#include "equations/equations_quantities.h"
#include <stdio.h>
#include <string.h>

#define PAIRS "forces between two markers"

struct trmi_pairs {
  trmi_arena          *arena;
  const trmi_carriers *carriers;
  const trmi_pose     *poses;
  trmi_pair          **list;
  int                  count;
  int                  most;     /* velocities of a marker that maps          */
  double              *product;  /* scratch: 6 x most, most x most            */
  double              *turned;
};

static void load_frame(const trmi_pair_side *s, const trmi_pose *poses, trm_plugin_frame *out) {
  const trmi_pose *pose = &poses[s->body];
  v3_store(out->x, v3_add(pose->x, m3_mul(pose->R, s->s)));
  v3_store(out->v, v3_add(pose->v, m3_mul(pose->R, v3_cross(pose->w, s->s))));
  v3_store(out->w, m3_mul(pose->R, pose->w));
  for (int k = 0; k < 3; k++) m3_set_column(out->R, k, m3_mul(pose->R, m3_row(s->E, k)));
}

/* Quaternion of a marker */
static void load_quat(const trmi_pair_side *s, const trmi_pose *poses, double out[4]) {
  const double *p = poses[s->body].p;
  if (p != NULL) trmi_quat_mul(p, s->m, out);
  else memcpy(out, s->m, 4 * sizeof *out);
}

static trm_plugin_input input_of(trmi_pair *p, double t, const trmi_pose *poses) {
  trm_plugin_input in = {.t = t};
  if (p->wants_quat) {
    double left[4], right[4];
    load_quat(&p->sides[0], poses, left);
    load_quat(&p->sides[1], poses, right);
    for (int i = 1; i < 4; i++) left[i] = -left[i];
    trmi_quat_mul(left, right, p->q);
  }
  load_frame(&p->sides[0], poses, &in.A);
  load_frame(&p->sides[1], poses, &in.B);
  return in;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Loads on both sides, torques in body axes, (1). */
typedef struct loads {
  trmi_vec3 f, t, arm;      /* ground axes                        */
  trmi_vec3 f_b, t_b, m_a;  /* R_B^T f, R_B^T t, R_A^T (t + arm x f) */
} loads;

static loads loads_of(const trmi_pair *p, const trmi_pose *A, const trmi_pose *B) {
  loads l = {.f = p->load.force, .t = p->load.torque};
  const trmi_vec3 x_B = v3_add(B->x, m3_mul(B->R, p->sides[1].s));
  l.arm = v3_sub(x_B, A->x);
  l.f_b = m3_tmul(B->R, l.f);
  l.t_b = m3_tmul(B->R, l.t);
  l.m_a = m3_tmul(A->R, v3_add(l.t, v3_cross(l.arm, l.f)));
  return l;
}

/* (1): generalized forces in the six columns of A and of B */
static void marker_loads(const trmi_pair *p, const loads *l, double Q[2][6]) {
  v3_store(Q[0], v3_neg(l->f));
  v3_store(Q[0] + 3, v3_neg(l->m_a));
  v3_store(Q[1], l->f);
  v3_store(Q[1] + 3, v3_add(l->t_b, v3_cross(p->sides[1].s, l->f_b)));
}

/* motion -= J^T Q_m of both sides */
static void add_mapped(const trmi_pair *p, const trmi_carriers *carriers, const loads *l,
                       double *motion) {
  double Q[2][6];
  marker_loads(p, l, Q);
  for (int k = 0; k < 2; k++) {
    const trmi_carrier *c = &carriers->list[p->sides[k].body];
    for (int i = 0; i < 6; i++) Q[k][i] = -Q[k][i];
    trmi_carrier_left(c, (trmi_dense){Q[k], 1}, 1, (trmi_dense){motion + c->v, 1});
  }
}

static trm_status pair_values(const trmi_pairs *pairs, trmi_pair *p, const trm_state *s,
                              const trm_values *out, trm_error *err) {
  const trmi_pose *poses = pairs->poses;
  const trmi_pair_side *a = &p->sides[0], *b = &p->sides[1];
  const trmi_pose *A = &poses[a->body], *B = &poses[b->body];
  const trm_plugin_input in = input_of(p, s->t, poses);
  TRMI_TRY(err, p->law(p, &in, false, err));
  const loads l = loads_of(p, A, B);
  if (out->motion != NULL && p->is_mapped) {
    add_mapped(p, pairs->carriers, &l, out->motion);
  } else if (out->motion != NULL) {
    if (b->kind != TRMI_CARRIER_GROUND) v3_accumulate(out->motion + b->v, v3_neg(l.f));
    if (a->kind != TRMI_CARRIER_GROUND) v3_accumulate(out->motion + a->v, l.f);
    if (b->kind == TRMI_CARRIER_BODY) {
      v3_accumulate(out->motion + b->v + 3, v3_neg(v3_add(l.t_b, v3_cross(b->s, l.f_b))));
    }
    if (a->kind == TRMI_CARRIER_BODY) v3_accumulate(out->motion + a->v + 3, l.m_a);
  }
  if (out->energy != NULL) {
    const trmi_vec3 w_A = v3_load(in.A.w), w_B = v3_load(in.B.w);
    const trmi_vec3 v_A = v3_add(A->v, v3_cross(w_A, l.arm));
    out->energy[1] += p->load.potential;
    out->energy[2] += v3_dot(l.f, v3_sub(v3_load(in.B.v), v_A)) + v3_dot(l.t, v3_sub(w_B, w_A)) +
                      p->load.potential_rate;
    if (out->powers != NULL) out->powers[TRM_POWER_DAMPERS] += p->load.damping_power;
  }
  return TRM_OK;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* Entries of one pair, counted, and declared if p is not NULL. */
static int pair_pattern(const trmi_pairs *pairs, const trmi_pair *pair, trm_pattern *p,
                        trm_block block) {
  int count = 0;
  for (int i = 0; i < 2; i++) {
    const trmi_carrier *row = &pairs->carriers->list[pair->sides[i].body];
    const int rows = trmi_carrier_columns(row);
    for (int j = 0; j < 2 && (block == TRM_K || block == TRM_C); j++) {
      const trmi_carrier *col = &pairs->carriers->list[pair->sides[j].body];
      const int cols = trmi_carrier_columns(col);
      if (p != NULL && rows * cols > 0) {
        trm_pattern_dense(p, block, row->v, col->v, rows, cols);
      }
      count += rows * cols;
    }
    if (block != TRM_Q_T || rows == 0) continue;
    if (p != NULL) trm_pattern_dense(p, block, row->v, 0, rows, 1);
    count += rows;
  }
  return count;
}

/* Effect of a unit increment of one position or velocity of a body on its marker. */
typedef struct increment {
  double    marker[12]; /* dx, dphi, dv, dw_ground */
  trmi_vec3 dtheta, dx_body;
} increment;

/* (2) */
static TRMI_INLINE increment increment_of(const trmi_pair_side *s, const trmi_pose *pose,
                                          bool is_velocity, int k) {
  increment d = {.dtheta = v3(0, 0, 0), .dx_body = v3(0, 0, 0)};
  const trmi_vec3 e = v3(k % 3 == 0, k % 3 == 1, k % 3 == 2);
  if (k < 3) {
    v3_store(d.marker + (is_velocity ? 6 : 0), e);
    if (!is_velocity) d.dx_body = e;
    return d;
  }
  const trmi_vec3 swept = m3_mul(pose->R, v3_cross(e, s->s));
  if (is_velocity) {
    v3_store(d.marker + 6, swept);
    v3_store(d.marker + 9, m3_mul(pose->R, e));
    return d;
  }
  d.dtheta = e;
  v3_store(d.marker, swept);
  v3_store(d.marker + 3, m3_mul(pose->R, e));
  v3_store(d.marker + 6, m3_mul(pose->R, v3_cross(e, v3_cross(pose->w, s->s))));
  v3_store(d.marker + 9, m3_mul(pose->R, v3_cross(e, pose->w)));
  return d;
}

/* Changes of (1): generalized forces of A, then of B [12]. */
static void change_of(const trmi_pair *p, const trmi_pose *A, const trmi_pose *B, const loads *l,
                      int which, const increment *d, const double df_dt[6], double dQ[12]) {
  const trmi_vec3 df = v3_load(df_dt), dt = v3_load(df_dt + 3), zero = v3(0, 0, 0);
  const trmi_vec3 theta_A = which == 0 ? d->dtheta : zero, theta_B = which == 1 ? d->dtheta : zero;
  const trmi_vec3 darm = which == 0 ? v3_neg(d->dx_body) : v3_load(d->marker);
  const trmi_vec3 dm = v3_add(dt, v3_add(v3_cross(darm, l->f), v3_cross(l->arm, df)));
  const trmi_vec3 df_b = v3_add(m3_tmul(B->R, df), v3_cross(l->f_b, theta_B)); /* (3) */
  const trmi_vec3 dt_b = v3_add(m3_tmul(B->R, dt), v3_cross(l->t_b, theta_B));
  v3_store(dQ, v3_neg(df));
  v3_store(dQ + 3, v3_neg(v3_add(m3_tmul(A->R, dm), v3_cross(l->m_a, theta_A))));
  v3_store(dQ + 6, df);
  v3_store(dQ + 9, v3_add(dt_b, v3_cross(p->sides[1].s, df_b)));
}

/* K or C: minus the derivatives of (1), in the columns of both markers; full is zero before. */
static void fill_full(const trmi_pair *p, const trmi_pose *poses, const loads *l, bool is_velocity,
                      double full[12][12]) {
  const trmi_pose *A = &poses[p->sides[0].body], *B = &poses[p->sides[1].body];
  for (int which = 0; which < 2; which++) {
    const trmi_pair_side *s = &p->sides[which];
    for (int k = 0; k < (int)s->kind; k++) {
      const increment d = increment_of(s, which == 0 ? A : B, is_velocity, k);
      double df_dt[6] = {0}, dQ[12];
      for (int i = 0; i < 6; i++) {
        const double *row = p->load.derivative[i] + 12 * which;
        for (int c = 0; c < 12; c++) df_dt[i] += row[c] * d.marker[c];
      }
      change_of(p, A, B, l, which, &d, df_dt, dQ);
      for (int i = 0; i < 12; i++) full[i][6 * which + k] = -dQ[i];
    }
  }
}

/* (4), four rectangles */
static void fill_mapped(const trmi_pairs *pairs, const trmi_pair *p, const loads *l,
                        bool is_velocity, double *out) {
  double K[12][12] = {{0}}, C[12][12] = {{0}}, Q[2][6];
  const trmi_carrier *const ends[2] = {&pairs->carriers->list[p->sides[0].body],
                                       &pairs->carriers->list[p->sides[1].body]};
  fill_full(p, pairs->poses, l, true, C);
  if (!is_velocity) fill_full(p, pairs->poses, l, false, K);
  marker_loads(p, l, Q);
  memset(out, 0, (size_t)p->entries * sizeof *out);
  for (int k = 0; k < 2 && !is_velocity; k++) {
    if (ends[k]->map != NULL) ends[k]->map->tangents(ends[k]->map, false);
  }
  for (int i = 0; i < 2; i++) {
    const int rows = trmi_carrier_columns(ends[i]);
    for (int j = 0; j < 2; j++) {
      const int cols = trmi_carrier_columns(ends[j]);
      const trmi_dense product = {pairs->product, cols}, here = {out, cols};
      const trmi_dense K_ij = {&K[6 * i][6 * j], 12}, C_ij = {&C[6 * i][6 * j], 12};
      memset(pairs->product, 0, 6 * (size_t)cols * sizeof *pairs->product);
      trmi_carrier_right(ends[j], is_velocity ? C_ij : K_ij, 6, TRMI_MAP_J, product);
      if (!is_velocity) trmi_carrier_right(ends[j], C_ij, 6, TRMI_MAP_JV_Q, product);
      trmi_carrier_left(ends[i], product, cols, here);
      if (i == j && !is_velocity) {
        trmi_carrier_turned(ends[i], Q[i], -1.0, pairs->turned, here);
      }
      out += rows * cols;
    }
  }
}

/* K or C as four rectangles */
static void fill(const trmi_pairs *pairs, const trmi_pair *p, const loads *l, bool is_velocity,
                 double *out) {
  double full[12][12] = {{0}};
  if (p->is_mapped) {
    fill_mapped(pairs, p, l, is_velocity, out);
    return;
  }
  fill_full(p, pairs->poses, l, is_velocity, full);
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < 2; j++) {
      for (int r = 0; r < (int)p->sides[i].kind; r++) {
        for (int c = 0; c < (int)p->sides[j].kind; c++) *out++ = full[6 * i + r][6 * j + c];
      }
    }
  }
}

static void fill_time(const trmi_pairs *pairs, const trmi_pair *p, const loads *l, double *out) {
  const trmi_pose *poses = pairs->poses;
  const increment none = {.dtheta = v3(0, 0, 0), .dx_body = v3(0, 0, 0)};
  double df_dt[6], dQ[12];
  for (int i = 0; i < 6; i++) df_dt[i] = p->load.derivative[i][TRM_PLUGIN_TIME];
  change_of(p, &poses[p->sides[0].body], &poses[p->sides[1].body], l, 1, &none, df_dt, dQ);
  for (int i = 0; i < 2; i++) {
    const trmi_carrier *c = &pairs->carriers->list[p->sides[i].body];
    const int rows = trmi_carrier_columns(c);
    memset(out, 0, (size_t)rows * sizeof *out);
    trmi_carrier_left(c, (trmi_dense){dQ + 6 * i, 1}, 1, (trmi_dense){out, 1});
    out += rows;
  }
}

/* ---- all of them ----------------------------------------------------------------------------- */

static trm_status values(void *self, const trm_state *s, const trm_values *out, trm_error *err) {
  const trmi_pairs *pairs = self;
  if (out->motion == NULL && out->energy == NULL) return TRM_OK;
  for (int i = 0; i < pairs->count; i++) {
    TRMI_TRY(err, pair_values(pairs, pairs->list[i], s, out, err));
  }
  return TRM_OK;
}

static int pattern(const void *self, trm_pattern *p, trm_block block) {
  const trmi_pairs *pairs = self;
  int count = 0;
  if (block != TRM_K && block != TRM_C && block != TRM_Q_T) return 0;
  for (int i = 0; i < pairs->count; i++) {
    count += pair_pattern(pairs, pairs->list[i], p, block);
  }
  return count;
}

static trm_status blocks(void *self, const trm_state *s, const trm_block_request *request,
                         trm_error *err) {
  const trmi_pairs *pairs = self;
  const trmi_pose *poses = pairs->poses;
  double *K = request->values[TRM_K], *C = request->values[TRM_C];
  double *Q_T = request->values[TRM_Q_T];
  for (int i = 0; i < pairs->count; i++) {
    trmi_pair *p = pairs->list[i];
    const trm_plugin_input in = input_of(p, s->t, poses);
    TRMI_TRY(err, p->law(p, &in, true, err));
    const loads l = loads_of(p, &poses[p->sides[0].body], &poses[p->sides[1].body]);
    if (K != NULL) fill(pairs, p, &l, false, K), K += p->entries;
    if (C != NULL) fill(pairs, p, &l, true, C), C += p->entries;
    if (Q_T != NULL) fill_time(pairs, p, &l, Q_T), Q_T += p->time_entries;
  }
  return TRM_OK;
}

/* ---- quantities ----------------------------------------------------------------------------- */

/* Six numbers of which D has the derivatives by both markers and the time, by the columns of
 * trmi_pair_nodes: positions of A and B, their velocities except for deformations, time. */
static void fill_columns(const trmi_pairs *pairs, const trmi_pair *p, trmi_pair_part part,
                         double D[6][TRM_PLUGIN_COLUMNS], double *out) {
  const bool has_v = part != TRMI_PAIR_DEFORMATION, has_t = part == TRMI_PAIR_LOAD && p->has_time;
  const trmi_carrier *const ends[2] = {&pairs->carriers->list[p->sides[0].body],
                                       &pairs->carriers->list[p->sides[1].body]};
  const int of_A = trmi_carrier_columns(ends[0]), half = of_A + trmi_carrier_columns(ends[1]);
  const int width = (has_v ? 2 : 1) * half + has_t;
  memset(out, 0, 6 * (size_t)width * sizeof *out);
  for (int which = 0; which < 2; which++) {
    const trmi_pair_side *s = &p->sides[which];
    double by[2][6][6] = {{{0.0}}}; /* positions, velocities */
    for (int k = 0; k < 2 * (int)s->kind; k++) {
      const bool is_velocity = k >= (int)s->kind;
      const int column = k % (int)s->kind;
      const increment d = increment_of(s, &pairs->poses[s->body], is_velocity, column);
      for (int i = 0; i < 6; i++) {
        const double *row = D[i] + 12 * which;
        for (int c = 0; c < 12; c++) by[is_velocity][i][column] += row[c] * d.marker[c];
      }
    }
    const trmi_dense of_q = {by[0][0], 6}, of_v = {by[1][0], 6};
    const trmi_dense out_q = {out + which * of_A, width}, out_v = {out_q.at + half, width};
    if (ends[which]->map != NULL) ends[which]->map->tangents(ends[which]->map, false);
    trmi_carrier_right(ends[which], of_q, 6, TRMI_MAP_J, out_q);
    trmi_carrier_right(ends[which], of_v, 6, TRMI_MAP_JV_Q, out_q);
    if (has_v) trmi_carrier_right(ends[which], of_v, 6, TRMI_MAP_J, out_v);
  }
  for (int i = 0; i < 6 && has_t; i++) out[i * width + 2 * half] = D[i][TRM_PLUGIN_TIME];
}

static trm_status quantities(void *self, int set, const trm_state *s, const bool wanted[2],
                             double *out, double *derivatives, trm_error *err) {
  const trmi_pairs *pairs = self;
  const trmi_pair_part part = (trmi_pair_part)(set % TRMI_PAIR_PARTS);
  trmi_pair *p = pairs->list[set / TRMI_PAIR_PARTS];
  const trm_plugin_input in = input_of(p, s->t, pairs->poses);
  double D[6][TRM_PLUGIN_COLUMNS];
  const bool is_load = part == TRMI_PAIR_LOAD;
  (void)wanted; /* laws always compute all six */
  if (is_load) {
    TRMI_TRY(err, p->law(p, &in, derivatives != NULL, err));
    v3_store(out, p->load.force);
    v3_store(out + 3, p->load.torque);
  } else {
    memset(D, 0, sizeof D);
    TRMI_TRY(err, p->measure(p, &in, part, out, derivatives != NULL ? D : NULL, err));
  }
  if (derivatives == NULL) return TRM_OK;
  fill_columns(pairs, p, part, is_load ? p->load.derivative : D, derivatives);
  return TRM_OK;
}

/* ---- steps ---------------------------------------------------------------------------------- */

static trm_status test_as(const trmi_pairs *pairs, const trm_state *s, trm_status as,
                          trm_error *err) {
  for (int i = 0; i < pairs->count; i++) {
    trmi_pair *p = pairs->list[i];
    if (p->test == NULL) continue;
    const trm_plugin_input in = input_of(p, s->t, pairs->poses);
    TRMI_TRY(err, p->test(p, &in, as, err));
  }
  return TRM_OK;
}

static trm_status settle(void *self, trm_state *s, bool *changed, trm_error *err) {
  (void)changed;
  return test_as(self, s, TRM_ERR_ASSEMBLY, err);
}

static trm_status test_step(void *self, const trm_state *s, trm_error *err) {
  return test_as(self, s, TRM_RETRY_DOMAIN, err);
}

static trm_status begin_step(void *self, const trm_state *s, double h, trm_error *err) {
  const trmi_pairs *pairs = self;
  (void)h;
  for (int i = 0; i < pairs->count; i++) {
    trmi_pair *p = pairs->list[i];
    if (p->begin == NULL) continue;
    const trm_plugin_input in = input_of(p, s->t, pairs->poses);
    TRMI_TRY(err, p->begin(p, &in, err));
  }
  return TRM_OK;
}

static void close_pairs(void *self) {
  const trmi_pairs *pairs = self;
  for (int i = 0; i < pairs->count; i++) {
    if (pairs->list[i]->close != NULL) pairs->list[i]->close(pairs->list[i]);
  }
}

/* ---- creation ------------------------------------------------------------------------------- */

static const trmi_contributor_ops ops = {
  .name = PAIRS, .rank = TRMI_RANK_FORCES, .hooks_read_carriers = true,
  .pattern = pattern, .settle = settle, .values = values, .blocks = blocks,
  .quantities = quantities,
  .begin_step = begin_step, .test_step = test_step, .free = close_pairs,
};

trmi_pairs *trmi_pairs_create(trmi_assembly *a, const trmi_carriers *carriers, int most) {
  trmi_pairs *pairs = TRMI_TAKE(&a->elements, trmi_pairs, 1);
  trmi_pair **list = TRMI_TAKE(&a->elements, trmi_pair *, most);
  if (a->elements.failed) return NULL;
  *pairs = (trmi_pairs){.arena = &a->elements, .carriers = carriers, .poses = carriers->poses,
                        .list = list};
  trmi_assembly_add(a, &ops, pairs);
  return a->arena.failed ? NULL : pairs;
}

void trmi_pairs_add(trmi_pairs *pairs, trmi_pair *pair) {
  int most = 6;
  for (int i = 0; i < 2; i++) {
    trmi_pair_side *side = &pair->sides[i];
    const trmi_carrier *carrier = &pairs->carriers->list[side->body];
    side->kind = carrier->kind, side->v = carrier->v;
    pair->is_mapped = pair->is_mapped || carrier->map != NULL;
    most = trmi_carrier_columns(carrier) > most ? trmi_carrier_columns(carrier) : most;
  }
  if (pair->is_mapped && most > pairs->most) {
    pairs->most = most;
    pairs->product = TRMI_TAKE(pairs->arena, double, 6 * most);
    pairs->turned = TRMI_TAKE(pairs->arena, double, most * most); /* the arena records failures */
  }
  pair->entries = pair_pattern(pairs, pair, NULL, TRM_K);
  pair->time_entries = pair_pattern(pairs, pair, NULL, TRM_Q_T);
  pairs->list[pairs->count++] = pair;
}

static trmi_pair_side side_of(const trmi_marker *marker) {
  trmi_pair_side s = {.body = marker->body, .s = marker->s};
  memcpy(s.E, marker->E, sizeof s.E);
  return s;
}

void trmi_pair_add(trmi_mechanism *m, const trmi_force *a, trmi_pair *pair) {
  if (m->pairs == NULL && m->carriers != NULL) {
    m->pairs = trmi_pairs_create(m->b->assembly, m->carriers, m->nforces);
  }
  if (m->pairs == NULL) { /* out of memory, recorded by the arena */
    if (pair->close != NULL) pair->close(pair);
    return;
  }
  pair->sides[0] = side_of(&a->A), pair->sides[1] = side_of(&a->B);
  snprintf(pair->object, sizeof pair->object, "force '%.48s'", a->def->key.name);
  trmi_marker_quats(m, &a->A, &a->B, pair->sides[0].m, pair->sides[1].m);
  trmi_pairs_add(m->pairs, pair);
}

/* Six numbers and their columns in the order of fill_columns. */
static int name_part(trmi_mechanism *m, const trmi_force *a, trmi_pair_part part, bool has_time,
                     int rate) {
  const trmi_body *const ends[2] = {&m->bodies[a->A.body], &m->bodies[a->B.body]};
  const int most = trmi_body_columns(ends[0], TRMI_IN_Q, NULL) +
                   trmi_body_columns(ends[1], TRMI_IN_Q, NULL);
  trmi_dependence *columns = TRMI_TAKE(&m->b->scratch, trmi_dependence, 2 * most + 1);
  char object[TRM_OBJECT_MAX];
  int count = 0, before = 0;
  if (columns == NULL) return -1;
  for (const trmi_force *other = m->forces; other < a; other++) before += other->type->is_native;
  for (int k = 0; k < (part == TRMI_PAIR_DEFORMATION ? 2 : 4); k++) {
    count += trmi_body_columns(ends[k % 2], k < 2 ? TRMI_IN_Q : TRMI_IN_V, columns + count);
  }
  if (has_time) columns[count++] = (trmi_dependence){TRMI_IN_TIME, 0};
  snprintf(object, sizeof object, "force '%.48s'", a->def->key.name);
  return trmi_quantity_add(m->b, &(trmi_quantity_def){
      .of = PAIRS, .set = TRMI_PAIR_PARTS * before + (int)part, .object = object,
      .columns = columns, .ncolumns = count, .rate = rate});
}

void trmi_pair_nodes(trmi_mechanism *m, const trmi_force *a, trmi_pair_part part, bool has_time,
                     trmi_nodes3 out[2]) {
  const bool has_rate = part == TRMI_PAIR_DEFORMATION;
  const int rate = has_rate ? name_part(m, a, TRMI_PAIR_RATE, false, -1) : -1;
  trmi_quantity_nodes(m->b, name_part(m, a, part, has_time, rate), out);
}
