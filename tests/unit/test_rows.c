/* Rows of joints: derivatives, rates, forces and patterns, for every kind of row, for lists as
 * joints have them, and for all kinds of sides; markers, poses and velocities are random. */
#include "joint/rows.h"
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

static const trmi_side_kind sides[][2] = {
    {TRMI_SIDE_BODY, TRMI_SIDE_BODY},    {TRMI_SIDE_GROUND, TRMI_SIDE_BODY},
    {TRMI_SIDE_BODY, TRMI_SIDE_GROUND},  {TRMI_SIDE_POINT, TRMI_SIDE_BODY},
    {TRMI_SIDE_BODY, TRMI_SIDE_POINT},   {TRMI_SIDE_POINT, TRMI_SIDE_POINT},
    {TRMI_SIDE_GROUND, TRMI_SIDE_POINT}, {TRMI_SIDE_POINT, TRMI_SIDE_GROUND},
};
enum { SIDES = sizeof sides / sizeof *sides };

enum { NV_MAX = 12, NQ_MAX = 14, ENTRIES_MAX = 144 };

static const trm_block joint_blocks[] = {TRM_G, TRM_GV_Q, TRM_GB_Q, TRM_GB_V, TRM_GY_Q};
enum { BLOCKS = 5 };

static trmi_vec3 random_vector(uint64_t *seed) {
  const double x = kit_random(seed), y = kit_random(seed), z = kit_random(seed);
  return v3(x, y, z);
}

static void random_rotation(uint64_t *seed, double p[4], double R[9]) {
  for (int i = 0; i < 4; i++) p[i] = kit_random(seed);
  trmi_quat_normalize(p);
  trmi_quat_matrix(p, R);
}

static trmi_link random_link(const list *of, const trmi_side_kind side[2], uint64_t *seed) {
  trmi_link link = {.rows = of->rows, .nrows = of->nrows, .A = side[0], .B = side[1]};
  double p[4];
  if (link.A != TRMI_SIDE_POINT) link.s_a = random_vector(seed);
  if (link.B != TRMI_SIDE_POINT) link.s_b = random_vector(seed);
  random_rotation(seed, p, link.E_a);
  random_rotation(seed, p, link.E_b);
  trmi_quat_of_axes(link.E_a, link.m_a);
  trmi_quat_of_axes(link.E_b, link.m_b);
  link.offset = kit_random(seed);
  link.length = 1.5 + 0.5 * kit_random(seed);
  return link;
}

static trmi_pose pose_of(trmi_side_kind side, const double *q, const double *v) {
  trmi_pose pose = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  if (side == TRMI_SIDE_GROUND) return pose;
  pose.x = v3_load(q);
  pose.v = v3_load(v);
  if (side == TRMI_SIDE_POINT) return pose;
  trmi_quat_matrix(q + 3, pose.R);
  pose.w = v3_load(v + 3);
  pose.p = q + 3;
  return pose;
}

static int q_count(trmi_side_kind side) {
  return side == TRMI_SIDE_BODY ? 7 : (int)side;
}

static void sizes(const void *self, trm_sizes *n) {
  const trmi_link *l = self;
  *n = (trm_sizes){.nv = (int)l->A + (int)l->B, .ng = trmi_rows_size(l->rows, l->nrows)};
  n->nrot = (l->A == TRMI_SIDE_BODY) + (l->B == TRMI_SIDE_BODY);
}

static int rotation(const void *self, int i) {
  const trmi_link *l = self;
  return i == 0 && l->A == TRMI_SIDE_BODY ? 3 : (int)l->A + 3;
}

static trm_status start(void *self, trm_state *s, trm_error *err) {
  (void)self, (void)s, (void)err;
  return TRM_OK;
}

/* mass one: motion = v' + G^T lam */
static trm_status values(void *self, const trm_state *s, const trm_values *out, trm_error *err) {
  (void)err;
  const trmi_link *l = self;
  const trmi_pose A = pose_of(l->A, s->q, s->v);
  const trmi_pose B = pose_of(l->B, s->q + q_count(l->A), s->v + l->A);
  if (out->motion != NULL) {
    for (int i = 0; i < (int)l->A + (int)l->B; i++) out->motion[i] = s->vd[i];
    trmi_link_force(l, &A, &B, s->lam, l->A == TRMI_SIDE_GROUND ? NULL : out->motion,
                    l->B == TRMI_SIDE_GROUND ? NULL : out->motion + l->A);
  }
  trmi_link_evaluate(l, &A, &B, &(trmi_link_values){out->g, out->g_rate, out->g_bias});
  return TRM_OK;
}

static void patterns(const void *self, trm_pattern *p) {
  const trmi_link *l = self;
  const trmi_link_place at = {.row = 0, .v_A = 0, .v_B = (int)l->A};
  for (int k = 0; k < BLOCKS; k++) {
    trm_pattern_given(p, joint_blocks[k]);
    trmi_link_pattern(l, p, joint_blocks[k], &at);
  }
}

static trm_status blocks(void *self, const trm_state *s, const trm_block_request *request,
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

static void sample_make(sample *s, int which, int side, uint64_t *seed) {
  static const char *const side_names[] =
      {[TRMI_SIDE_GROUND] = "ground", [TRMI_SIDE_POINT] = "point", [TRMI_SIDE_BODY] = "body"};
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
static void for_all(void (*check)(sample *s, const list *of)) {
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

/* G as a dense matrix, row by row */
static void dense_G(sample *s, double G[TRMI_LINK_ROWS_MAX * NV_MAX]) {
  trm_error err;
  double entries[ENTRIES_MAX];
  CHECK_OK(blocks(&s->link, &s->state, &(trm_block_request){.values[TRM_G] = entries}, &err), err);
  const trmi_sparse *S = &s->sys->block[TRM_G];
  for (int i = 0; i < s->ng * s->nv; i++) G[i] = 0.0;
  for (int k = 0; k < S->n; k++) G[S->row[k] * s->nv + S->col[k]] += entries[k];
}

/* ---- tests ---------------------------------------------------------------------- */

static void check_size(sample *s, const list *of) {
  assert_int_equal(trmi_rows_size(s->link.rows, s->link.nrows), of->size);
}

static void size_counts_three_for_a_point(void **unused) {
  (void)unused;
  for_all(check_size);
}

/* G against the force, exactly; GY_Q, GV_Q, GB_Q, GB_V against central differences */
static void check_blocks(sample *s, const list *of) {
  (void)of;
  trm_error err;
  trm_block_check worst[TRM_BLOCKS];
  CHECK_OK(trm_system_check_blocks(s->sys, &s->state, worst, &err), err);
  for (int k = 0; k < BLOCKS; k++) {
    const trm_block_check *w = &worst[joint_blocks[k]];
    /* step 6e-6: truncation 4e-11 and rounding 4e-11 times numbers up to ten; G has neither */
    const double tol = joint_blocks[k] == TRM_G ? 1e-14 : 1e-9;
    CHECK_NEAR(w->error, 0.0, tol, "%s: %s[%d][%d] is %g, difference %g", s->name,
               trm_block_name(w->block), w->row, w->col, w->given, w->difference);
  }
}

static void blocks_match_central_differences(void **unused) {
  (void)unused;
  for_all(check_blocks);
}

static void check_G(sample *s, const list *of) {
  (void)of;
  trm_error err;
  double G[TRMI_LINK_ROWS_MAX * NV_MAX], dpi[NV_MAX], plus[6], minus[6], q[NQ_MAX];
  dense_G(s, G);
  trm_state moved = s->state;
  moved.q = q;
  /* truncation e^2/6 times third derivatives up to ten, rounding 1e-16/e: 1e-9 */
  const double e = 1e-5, tol = 1e-9;
  for (int j = 0; j < s->nv; j++) {
    for (int i = 0; i < s->nv; i++) dpi[i] = i == j ? e : 0.0;
    trm_system_retract(s->sys, s->q, dpi, q);
    CHECK_OK(trm_system_values(s->sys, &moved, &(trm_values){.g = plus}, &err), err);
    dpi[j] = -e;
    trm_system_retract(s->sys, s->q, dpi, q);
    CHECK_OK(trm_system_values(s->sys, &moved, &(trm_values){.g = minus}, &err), err);
    for (int i = 0; i < s->ng; i++) {
      CHECK_NEAR(G[i * s->nv + j], (plus[i] - minus[i]) / (2.0 * e), tol, "%s: G[%d][%d]", s->name,
                 i, j);
    }
  }
}

static void G_is_the_derivative_of_the_rows(void **unused) {
  (void)unused;
  for_all(check_G);
}

static void check_rate(sample *s, const list *of) {
  (void)of;
  trm_error err;
  double G[TRMI_LINK_ROWS_MAX * NV_MAX], rate[6];
  dense_G(s, G);
  CHECK_OK(trm_system_values(s->sys, &s->state, &(trm_values){.g_rate = rate}, &err), err);
  for (int i = 0; i < s->ng; i++) {
    double product = 0.0;
    for (int j = 0; j < s->nv; j++) product += G[i * s->nv + j] * s->v[j];
    CHECK_NEAR(rate[i], product, 1e-14, "%s: rate %d", s->name,
               i); /* rounding of a dozen products */
  }
}

static void rate_is_G_times_velocity(void **unused) {
  (void)unused;
  for_all(check_rate);
}

/* with constant v the rates change by g_bias dt; q(t) = q (+) t v is such a motion */
static void check_bias(sample *s, const list *of) {
  (void)of;
  trm_error err;
  double bias[6], plus[6], minus[6], q[NQ_MAX], dpi[NV_MAX];
  CHECK_OK(trm_system_values(s->sys, &s->state, &(trm_values){.g_bias = bias}, &err), err);
  trm_state moved = s->state;
  moved.q = q;
  const double e = 1e-5; /* truncation e^2/6 times numbers up to 30, rounding 1e-16/e */
  for (int i = 0; i < s->nv; i++) dpi[i] = e * s->v[i];
  trm_system_retract(s->sys, s->q, dpi, q);
  CHECK_OK(trm_system_values(s->sys, &moved, &(trm_values){.g_rate = plus}, &err), err);
  for (int i = 0; i < s->nv; i++) dpi[i] = -e * s->v[i];
  trm_system_retract(s->sys, s->q, dpi, q);
  CHECK_OK(trm_system_values(s->sys, &moved, &(trm_values){.g_rate = minus}, &err), err);
  for (int i = 0; i < s->ng; i++) {
    CHECK_NEAR(bias[i], (plus[i] - minus[i]) / (2.0 * e), 1e-9, "%s: bias %d", s->name, i);
  }
}

static void bias_is_the_change_of_rates_without_acceleration(void **unused) {
  (void)unused;
  for_all(check_bias);
}

/* Values alone and together are the same bits; what is not asked for is not touched. */
static void check_subsets(sample *s, const list *of) {
  (void)of;
  trm_error err;
  double all[3][6], some[3][6];
  CHECK_OK(values(&s->link, &s->state,
                  &(trm_values){.g = all[0], .g_rate = all[1], .g_bias = all[2]}, &err),
           err);
  CHECK_OK(values(&s->link, &s->state, &(trm_values){.g = some[0]}, &err), err);
  CHECK_OK(values(&s->link, &s->state, &(trm_values){.g_rate = some[1]}, &err), err);
  CHECK_OK(values(&s->link, &s->state, &(trm_values){.g_bias = some[2]}, &err), err);
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < s->ng; i++) {
      CHECK_NEAR(some[k][i], all[k][i], 0.0, "%s: list %d row %d", s->name, k, i);
    }
  }
}

static void values_do_not_depend_on_what_else_is_asked(void **unused) {
  (void)unused;
  for_all(check_subsets);
}

/* A point has three velocities, the ground none: nothing is written behind them. */
static void check_force(sample *s, const list *of) {
  (void)of;
  const trmi_link *l = &s->link;
  const trmi_pose A = pose_of(l->A, s->q, s->v);
  const trmi_pose B = pose_of(l->B, s->q + q_count(l->A), s->v + l->A);
  double on_A[6] = {0.0}, on_B[6] = {0.0};
  trmi_link_force(l, &A, &B, s->lam, on_A, on_B);
  for (int i = 0; i < 6; i++) {
    if (i >= (int)l->A) CHECK_NEAR(on_A[i], 0.0, 0.0, "%s: %d on A", s->name, i); /* untouched */
    if (i >= (int)l->B) CHECK_NEAR(on_B[i], 0.0, 0.0, "%s: %d on B", s->name, i);
  }
}

static void force_stays_within_the_velocities_of_its_sides(void **unused) {
  (void)unused;
  for_all(check_force);
}

/* Blocks write exactly the entries that are counted; all together or alone, the same bits. */
static void check_counts(sample *s, const list *of) {
  (void)of;
  enum { GUARD = 4 };
  const double guard = 12345.0;
  trm_error err;
  double all[BLOCKS][ENTRIES_MAX + 2 * GUARD], alone[ENTRIES_MAX + 2 * GUARD];
  trm_block_request together = {.y = s->lam};
  for (int k = 0; k < BLOCKS; k++) together.values[joint_blocks[k]] = all[k] + GUARD;
  for (int k = 0; k < BLOCKS; k++) {
    for (int i = 0; i < ENTRIES_MAX + 2 * GUARD; i++) all[k][i] = guard;
  }
  CHECK_OK(blocks(&s->link, &s->state, &together, &err), err);
  for (int k = 0; k < BLOCKS; k++) {
    const trm_block block = joint_blocks[k];
    const int count = trmi_link_pattern(&s->link, NULL, block, NULL);
    assert_int_equal(count, s->sys->block[block].n);
    for (int i = 0; i < ENTRIES_MAX + 2 * GUARD; i++) alone[i] = guard;
    trm_block_request one = {.y = s->lam};
    one.values[block] = alone + GUARD;
    CHECK_OK(blocks(&s->link, &s->state, &one, &err), err);
    for (int i = 0; i < ENTRIES_MAX + 2 * GUARD; i++) {
      const bool inside = i >= GUARD && i < GUARD + count;
      if ((alone[i] != guard) != inside || alone[i] != all[k][i]) {
        fail_msg("%s: %s has %d entries, number %d is %g, all together %g", s->name,
                 trm_block_name(block), count, i - GUARD, alone[i], all[k][i]);
      }
    }
  }
}

static void fill_writes_what_the_pattern_counts(void **unused) {
  (void)unused;
  for_all(check_counts);
}

static void other_blocks_have_no_entries(void **unused) {
  (void)unused;
  uint64_t seed = 3;
  const trmi_link link = random_link(&lists[LISTS - 1], sides[0], &seed);
  assert_int_equal(trmi_link_pattern(&link, NULL, TRM_M, NULL), 0);
  assert_int_equal(trmi_link_pattern(&link, NULL, TRM_K, NULL), 0);
  assert_int_equal(trmi_link_pattern(&link, NULL, TRM_C, NULL), 0);
}

/* Counts that solvers rely on: as few as the equations allow. */
static void patterns_are_sparse(void **unused) {
  (void)unused;
  static const struct {
    const char *list;
    int G, GV_Q, GY_Q;
  } counts[] = {
      {"point", 2 * 12, 2 * 9, 2 * 9},          {"dot", 2 * 3, 2 * 3, 4 * 9},
      {"twist", 2 * 3, 2 * 3, 4 * 9},           {"along", 2 * 6, 2 * 6, 4 * 9 + 4 * 9},
      {"distance", 2 * 6, 2 * 6, 120},          {"revolute", 36, 30, 4 * 9},
      {"translational", 42, 42, 4 * 9 + 4 * 9},
  };
  uint64_t seed = 5;
  for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
    int which = 0;
    while (strcmp(lists[which].name, counts[c].list) != 0) which++;
    const trmi_link link = random_link(&lists[which], sides[0], &seed);
    assert_int_equal(trmi_link_pattern(&link, NULL, TRM_G, NULL), counts[c].G);
    assert_int_equal(trmi_link_pattern(&link, NULL, TRM_GV_Q, NULL), counts[c].GV_Q);
    assert_int_equal(trmi_link_pattern(&link, NULL, TRM_GB_Q, NULL), counts[c].GV_Q);
    assert_int_equal(trmi_link_pattern(&link, NULL, TRM_GB_V, NULL), counts[c].GV_Q);
    assert_int_equal(trmi_link_pattern(&link, NULL, TRM_GY_Q, NULL), counts[c].GY_Q);
  }
}

/* ---- rigid motion of everything -------------------------------------------------- */

typedef struct shift {
  double Q[9], quat[4];
  trmi_vec3 p, V, W; /* moved by p, and moving with V and W */
} shift;

/* `turned` is where its quaternion goes. */
static trmi_pose shifted(const trmi_pose *pose, const shift *by, double turned[4]) {
  trmi_pose out = {.x = v3_add(m3_mul(by->Q, pose->x), by->p)};
  m3_mm(by->Q, pose->R, out.R);
  out.v = v3_add(v3_add(m3_mul(by->Q, pose->v), by->V), v3_cross(by->W, out.x));
  out.w = v3_add(pose->w, m3_tmul(out.R, by->W));
  trmi_quat_mul(by->quat, pose->p, turned);
  out.p = turned;
  return out;
}

static bool has_point(const list *of) {
  return of->rows[0].kind == TRMI_ROW_POINT;
}

/* Rows and the force do not see where both bodies are together; the three rows of a point and the
 * translations turn with them. */
static void rows_are_invariant_under_rigid_motion(void **unused) {
  (void)unused;
  uint64_t seed = 11;
  for (int which = 0; which < LISTS; which++) {
    sample s;
    double turned[2][4], g[2][6], rate[2][6], force[2][NV_MAX] = {{0}};
    sample_make(&s, which, 0, &seed);
    shift by = {.p = random_vector(&seed), .V = random_vector(&seed), .W = random_vector(&seed)};
    random_rotation(&seed, by.quat, by.Q);
    if (has_point(&lists[which])) by.W = v3(0.0, 0.0, 0.0); /* rates of a gap turn, too */
    const trmi_pose A = pose_of(s.link.A, s.q, s.v), B = pose_of(s.link.B, s.q + 7, s.v + 6);
    const trmi_pose A1 = shifted(&A, &by, turned[0]), B1 = shifted(&B, &by, turned[1]);
    double lam[6];
    memcpy(lam, s.lam, sizeof lam);
    if (has_point(&lists[which])) v3_store(lam, m3_mul(by.Q, v3_load(s.lam)));
    trmi_link_evaluate(&s.link, &A, &B, &(trmi_link_values){.g = g[0], .g_rate = rate[0]});
    trmi_link_evaluate(&s.link, &A1, &B1, &(trmi_link_values){.g = g[1], .g_rate = rate[1]});
    trmi_link_force(&s.link, &A, &B, s.lam, force[0], force[0] + 6);
    trmi_link_force(&s.link, &A1, &B1, lam, force[1], force[1] + 6);

    /* what turns is turned here, the rest must be equal; rounding of numbers below ten */
    const double tol = 2e-14;
    if (has_point(&lists[which])) {
      v3_store(g[0], m3_mul(by.Q, v3_load(g[0])));
      v3_store(rate[0], m3_mul(by.Q, v3_load(rate[0])));
    }
    for (int i = 0; i < NV_MAX; i += 6) v3_store(force[0] + i, m3_mul(by.Q, v3_load(force[0] + i)));
    for (int i = 0; i < s.ng; i++) {
      CHECK_NEAR(g[1][i], g[0][i], tol, "%s: row %d", s.name, i);
      CHECK_NEAR(rate[1][i], rate[0][i], tol, "%s: rate %d", s.name, i);
    }
    for (int i = 0; i < NV_MAX; i++) {
      CHECK_NEAR(force[1][i], force[0][i], tol, "%s: force %d", s.name, i);
    }
    trm_system_free(s.sys);
  }
}

/* ---- rows by hand ----------------------------------------------------------------- */

/* B stands 3 along x of A and is turned by a quarter about z: its x axis is y of A, and its
 * quaternion (1, 0, 0, 1)/sqrt(2). */
static void rows_have_the_values_of_their_definition(void **unused) {
  (void)unused;
  const trmi_row rows[] = {{TRMI_ROW_DOT, 1, 0},
                           {TRMI_ROW_TWIST, 0, 0},
                           {TRMI_ROW_ALONG, 0, 0},
                           {TRMI_ROW_DISTANCE, 0, 0}};
  const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  trmi_link link = {.rows = rows,
                    .nrows = 4,
                    .A = TRMI_SIDE_GROUND,
                    .B = TRMI_SIDE_BODY,
                    .offset = 0.5,
                    .length = 2.0};
  memcpy(link.E_a, unit, sizeof unit);
  memcpy(link.E_b, unit, sizeof unit);
  link.m_a[0] = link.m_b[0] = 1.0;
  const trmi_pose A = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  const double s = sqrt(0.5), quarter[4] = {s, 0, 0, s};
  const trmi_pose B = {.R = {0, -1, 0, 1, 0, 0, 0, 0, 1}, .x = {3.0, 0.0, 0.0}, .p = quarter};
  double g[4], motion[6] = {0};
  trmi_link_evaluate(&link, &A, &B, &(trmi_link_values){.g = g});
  CHECK_NEAR(g[0], 1.0, 0.0, "y of A and x of B"); /* whole numbers: exact */
  CHECK_NEAR(g[1], 2.0 * s, 0.0, "twice the third part of the quaternion");
  CHECK_NEAR(g[2], 3.0 - 0.5, 0.0, "3 along x, less the offset");
  CHECK_NEAR(g[3], (9.0 - 4.0) / 4.0, 0.0, "distance 3 instead of 2");

  /* lam of ALONG pushes motion of B along x; the reaction is the opposite */
  trmi_link_force(&link, &A, &B, (const double[4]){0.0, 0.0, 2.0, 0.0}, NULL, motion);
  CHECK_NEAR(motion[0], 2.0, 0.0, "G_B^T lam");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(size_counts_three_for_a_point),
      cmocka_unit_test(blocks_match_central_differences),
      cmocka_unit_test(G_is_the_derivative_of_the_rows),
      cmocka_unit_test(rate_is_G_times_velocity),
      cmocka_unit_test(bias_is_the_change_of_rates_without_acceleration),
      cmocka_unit_test(values_do_not_depend_on_what_else_is_asked),
      cmocka_unit_test(force_stays_within_the_velocities_of_its_sides),
      cmocka_unit_test(fill_writes_what_the_pattern_counts),
      cmocka_unit_test(other_blocks_have_no_entries),
      cmocka_unit_test(patterns_are_sparse),
      cmocka_unit_test(rows_are_invariant_under_rigid_motion),
      cmocka_unit_test(rows_have_the_values_of_their_definition),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
