/* row_links.h - lists of rows, sides and a system with one link, for tests of rows. */
#ifndef TRM_TEST_ROW_LINKS_H
#define TRM_TEST_ROW_LINKS_H
#include "elements/joint/rows.h"
#include "math/so3.h"
#include "system/system.h"
#include "unit/kit.h"

/* ---- lists, sides and a system with one link ---------------------------------- */

typedef struct list {
  const char *name;
  int nrows, size;
  trmi_row rows[6];
} list;

#define POINT_ROW \
  { TRMI_ROW_POINT, 0, 0 }
#define DOT_ROW(a, b) \
  { TRMI_ROW_DOT, a, b }
#define ALONG_ROW(a) \
  { TRMI_ROW_ALONG, a, 0 }

static const list lists[] = {
    {"point", 1, 3, {POINT_ROW}},
    {"dot", 1, 1, {DOT_ROW(0, 1)}},
    {"twist", 1, 1, {{TRMI_ROW_TWIST, 0, 0}}},
    {"along", 1, 1, {ALONG_ROW(1)}},
    {"distance", 1, 1, {{TRMI_ROW_DISTANCE, 0, 0}}},
    {"revolute", 3, 5, {POINT_ROW, DOT_ROW(0, 2), DOT_ROW(1, 2)}},
    {"two axes of B", 3, 5, {POINT_ROW, DOT_ROW(0, 1), DOT_ROW(1, 2)}},
    {"fixed", 4, 6, {POINT_ROW, DOT_ROW(0, 1), DOT_ROW(0, 2), DOT_ROW(1, 2)}},
    {"translational",
     5,
     5,
     {DOT_ROW(0, 1), DOT_ROW(0, 2), DOT_ROW(1, 2), ALONG_ROW(0), ALONG_ROW(1)}},
    {"universal", 2, 4, {POINT_ROW, DOT_ROW(2, 1)}},
    {"planar", 3, 3, {ALONG_ROW(2), DOT_ROW(0, 2), DOT_ROW(1, 2)}},
    {"constant velocity", 2, 4, {POINT_ROW, {TRMI_ROW_TWIST, 0, 0}}},
    {"point and the others",
     4,
     6,
     {POINT_ROW, {TRMI_ROW_DISTANCE, 0, 0}, ALONG_ROW(1), DOT_ROW(2, 0)}},
    {"all but a point",
     6,
     6,
     {{TRMI_ROW_DISTANCE, 0, 0},
      DOT_ROW(1, 0),
      ALONG_ROW(2),
      {TRMI_ROW_TWIST, 0, 0},
      ALONG_ROW(0),
      {TRMI_ROW_DISTANCE, 0, 0}}},
};
enum { LISTS = sizeof lists / sizeof *lists };

static const trmi_carrier_kind sides[][2] = {
    {TRMI_CARRIER_BODY, TRMI_CARRIER_BODY}, {TRMI_CARRIER_GROUND, TRMI_CARRIER_BODY},
    {TRMI_CARRIER_BODY, TRMI_CARRIER_GROUND}, {TRMI_CARRIER_POINT, TRMI_CARRIER_BODY},
    {TRMI_CARRIER_BODY, TRMI_CARRIER_POINT}, {TRMI_CARRIER_POINT, TRMI_CARRIER_POINT},
    {TRMI_CARRIER_GROUND, TRMI_CARRIER_POINT}, {TRMI_CARRIER_POINT, TRMI_CARRIER_GROUND},
};
enum { SIDES = sizeof sides / sizeof *sides };

enum { NV_MAX = 12, NQ_MAX = 14, ENTRIES_MAX = 144 };

static const trm_block joint_blocks[] = {TRM_G, TRM_GV_Q, TRM_GB_Q, TRM_GB_V, TRM_GY_Q};
enum { BLOCKS = 5 };

static inline trmi_vec3 random_vector(uint64_t *seed) {
  const double x = kit_random(seed), y = kit_random(seed), z = kit_random(seed);
  return v3(x, y, z);
}

static inline void random_rotation(uint64_t *seed, double p[4], double R[9]) {
  for (int i = 0; i < 4; i++) p[i] = kit_random(seed);
  trmi_quat_normalize(p);
  trmi_quat_matrix(p, R);
}

static inline trmi_link random_link(const list *of, const trmi_carrier_kind side[2],
                                    uint64_t *seed) {
  trmi_link link = {.rows = of->rows, .nrows = of->nrows, .A = side[0], .B = side[1],
                    .shape = trmi_rows_shape(of->rows, of->nrows)};
  double p[4];
  if (link.A != TRMI_CARRIER_POINT) link.s_a = random_vector(seed);
  if (link.B != TRMI_CARRIER_POINT) link.s_b = random_vector(seed);
  random_rotation(seed, p, link.E_a);
  random_rotation(seed, p, link.E_b);
  trmi_quat_of_axes(link.E_a, link.m_a);
  trmi_quat_of_axes(link.E_b, link.m_b);
  link.offset = kit_random(seed);
  link.length = 1.5 + 0.5 * kit_random(seed);
  return link;
}

static inline trmi_pose pose_of(trmi_carrier_kind side, const double *q, const double *v) {
  trmi_pose pose = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  if (side == TRMI_CARRIER_GROUND) return pose;
  pose.x = v3_load(q);
  pose.v = v3_load(v);
  if (side == TRMI_CARRIER_POINT) return pose;
  trmi_quat_matrix(q + 3, pose.R);
  pose.w = v3_load(v + 3);
  pose.p = q + 3;
  return pose;
}

static inline int q_count(trmi_carrier_kind side) {
  return side == TRMI_CARRIER_BODY ? 7 : (int)side;
}

static inline void sizes(const void *self, trm_sizes *n) {
  const trmi_link *l = self;
  *n = (trm_sizes){.nv = (int)l->A + (int)l->B, .ng = trmi_rows_size(l->rows, l->nrows)};
  n->nrot = (l->A == TRMI_CARRIER_BODY) + (l->B == TRMI_CARRIER_BODY);
}

static inline int rotation(const void *self, int i) {
  const trmi_link *l = self;
  return i == 0 && l->A == TRMI_CARRIER_BODY ? 3 : (int)l->A + 3;
}

static inline trm_status start(void *self, trm_state *s, trm_error *err) {
  (void)self, (void)s, (void)err;
  return TRM_OK;
}

/* mass one: motion = v' + G^T lam */
static inline trm_status values(void *self, const trm_state *s, const trm_values *out,
                                trm_error *err) {
  (void)err;
  const trmi_link *l = self;
  const trmi_pose A = pose_of(l->A, s->q, s->v);
  const trmi_pose B = pose_of(l->B, s->q + q_count(l->A), s->v + l->A);
  if (out->motion != NULL) {
    for (int i = 0; i < (int)l->A + (int)l->B; i++) out->motion[i] = s->vd[i];
    trmi_link_force(l, &A, &B, s->lam, l->A == TRMI_CARRIER_GROUND ? NULL : out->motion,
                    l->B == TRMI_CARRIER_GROUND ? NULL : out->motion + l->A);
  }
  const trmi_link_values rows = {.g = out->g, .g_rate = out->g_rate, .g_bias = out->g_bias};
  trmi_link_evaluate(l, &(trmi_link_place){0}, &A, &B, &rows);
  return TRM_OK;
}

static inline void patterns(const void *self, trm_pattern *p) {
  const trmi_link *l = self;
  const trmi_link_place at = {.row = 0, .v_A = 0, .v_B = (int)l->A};
  for (int k = 0; k < BLOCKS; k++) {
    trm_pattern_given(p, joint_blocks[k]);
    trmi_link_pattern(l, p, joint_blocks[k], &at);
  }
}

static inline trm_status blocks(void *self, const trm_state *s, const trm_block_request *request,
                                trm_error *err) {
  (void)err;
  const trmi_link *l = self;
  const trmi_pose A = pose_of(l->A, s->q, s->v);
  const trmi_pose B = pose_of(l->B, s->q + q_count(l->A), s->v + l->A);
  double *const *b = request->values;
  trmi_link_fill(l, &A, &B,
                 &(trmi_link_blocks){.G = b[TRM_G],
                                     .GV_Q = b[TRM_GV_Q],
                                     .GB_Q = b[TRM_GB_Q],
                                     .GB_V = b[TRM_GB_V],
                                     .GY_Q = b[TRM_GY_Q],
                                     .y = request->y});
  return TRM_OK;
}

static const trm_system_ops ops = {.name = "link",
                                   .sizes = sizes,
                                   .rotation = rotation,
                                   .start = start,
                                   .patterns = patterns,
                                   .values = values,
                                   .gives_rates = true,
                                   .blocks = blocks};

/* One link at a random state. */
typedef struct sample {
  trmi_link link;
  char name[80];
  trm_system *sys;
  int nv, ng, nq;
  double q[NQ_MAX], v[NV_MAX], vd[NV_MAX], lam[TRMI_LINK_ROWS_MAX];
  trm_state state;
} sample;

static inline void sample_make(sample *s, int which, int side, uint64_t *seed) {
  static const char *const side_names[] = {[TRMI_CARRIER_GROUND] = "ground",
                                           [TRMI_CARRIER_POINT] = "point",
                                           [TRMI_CARRIER_BODY] = "body"};
  s->link = random_link(&lists[which], sides[side], seed);
  snprintf(s->name, sizeof s->name, "%s, %s - %s", lists[which].name, side_names[s->link.A],
           side_names[s->link.B]);
  s->sys = kit_system(&ops, &s->link);
  const trm_sizes *n = trm_system_sizes(s->sys);
  s->nv = n->nv;
  s->ng = n->ng;
  s->nq = n->nv + n->nrot;
  for (int i = 0; i < s->nq; i++) s->q[i] = kit_random(seed);
  trmi_group_normalize(s->sys, s->q);
  for (int i = 0; i < s->nv; i++) s->v[i] = kit_random(seed), s->vd[i] = kit_random(seed);
  for (int i = 0; i < s->ng; i++) s->lam[i] = kit_random(seed);
  s->state = (trm_state){.q = s->q, .v = s->v, .vd = s->vd, .lam = s->lam};
}

/* Calls check with a sample of every list between every pair of sides. */
static inline void for_all(void (*check)(sample *s, const list *of)) {
  uint64_t seed = 7;
  for (int which = 0; which < LISTS; which++) {
    for (int side = 0; side < SIDES; side++) {
      sample s;
      sample_make(&s, which, side, &seed);
      check(&s, &lists[which]);
      trm_system_free(s.sys);
    }
  }
}

/* ---- rigid motion of everything -------------------------------------------------- */

typedef struct shift {
  double Q[9], quat[4];
  trmi_vec3 p, V, W; /* moved by p, and moving with V and W */
} shift;

/* `turned` is where its quaternion goes. */
static inline trmi_pose shifted(const trmi_pose *pose, const shift *by, double turned[4]) {
  trmi_pose out = {.x = v3_add(m3_mul(by->Q, pose->x), by->p)};
  m3_mm(by->Q, pose->R, out.R);
  out.v = v3_add(v3_add(m3_mul(by->Q, pose->v), by->V), v3_cross(by->W, out.x));
  out.w = v3_add(pose->w, m3_tmul(out.R, by->W));
  trmi_quat_mul(by->quat, pose->p, turned);
  out.p = turned;
  return out;
}

#endif
