/* rods_angles.c - two rods on spherical joints, orientation by 3-1-3 angles.
 *
 * e = (psi, theta, phi), R = Z(psi) X(theta) Z(phi). A rod has the coordinates
 * (x, e); d_a, d_ab are derivatives by angles, b_l the columns of B:
 *   w = B e',  b_0 = (sin th sin ph, sin th cos ph, cos th),
 *              b_1 = (cos ph, -sin ph, 0),  b_2 = (0, 0, 1)                   (1)
 *   m x'' = m gravity,  b_l . (J B e'' + tau) = 0                             (2)
 *   tau = J a + w x J w,   a = sum_ab d_a b_b e'_a e'_b                       (3)
 *   d_m of (M u)_l = d_m b_l . J B u + b_l . J d_m(B u)                       (4)
 *   K_lm = d_m b_l . tau + b_l . (J d_m a + d_m w x J w + w x J d_m w)        (5)
 *   C_lm = b_l . (J (sum_a d_a b_m e'_a + d_m w) + b_m x J w + w x J b_m)     (6)
 * A point s on a rod is x + R s, and d_a .. d_c R s is a product of derivatives
 * of the three turns:
 *   rate sum_a d_a(R s) e'_a,   bias sum_ab d_ab(R s) e'_a e'_b               (7)
 *   d_ab(y . R s),  sum_a d_ac(R s) e'_a,  sum_ab d_abc(R s) e'_a e'_b,
 *   2 sum_a d_ac(R s) e'_a    are  GY_Q, GV_Q, GB_Q, GB_V                     (8)
 * The mass depends on the configuration: a test for methods that forget it. The
 * angles are singular at sin theta = 0. */
#include "problems/rods_angles.h"
#include <stdio.h>
#include <string.h>

enum { NV = 6, NRODS = 2, NONE = -1 };

/* Sines and cosines of the angles of a rod, with derivatives: sin^(k). */
typedef struct trig {
  double sin[3][4], cos[3][4]; /* [angle][order of the derivative] */
} trig;

static trig trig_of(const double e[3]) {
  trig t;
  for (int a = 0; a < 3; a++) {
    const double s = sin(e[a]), c = cos(e[a]);
    const double cycle[5] = {s, c, -s, -c, s};
    memcpy(t.sin[a], cycle, sizeof t.sin[a]);
    memcpy(t.cos[a], cycle + 1, sizeof t.cos[a]);
  }
  return t;
}

/* d_abc (R s); NONE for an index means one derivative less. */
static trmi_vec3 turned(const trig *t, trmi_vec3 s, int a, int b, int c) {
  int order[3] = {0, 0, 0};
  if (a != NONE) order[a]++;
  if (b != NONE) order[b]++;
  if (c != NONE) order[c]++;
  for (int angle = 2; angle >= 0; angle--) {
    const int k = order[angle];
    const double si = t->sin[angle][k], co = t->cos[angle][k], keep = k == 0 ? 1.0 : 0.0;
    s = angle == 1 ? v3(keep * s.x, co * s.y - si * s.z, si * s.y + co * s.z)
                   : v3(co * s.x - si * s.y, si * s.x + co * s.y, keep * s.z);
  }
  return s;
}

/* d_ab b_l, (1) */
static trmi_vec3 column(const trig *t, int l, int a, int b) {
  const int psi = (a == 0) + (b == 0), th = (a == 1) + (b == 1), ph = (a == 2) + (b == 2);
  if (psi > 0 || (l > 0 && th > 0) || (l > 1 && ph > 0)) return v3(0.0, 0.0, 0.0);
  if (l == 2) return v3(0.0, 0.0, 1.0);
  if (l == 1) return v3(t->cos[2][ph], -t->sin[2][ph], 0.0);
  return v3(t->sin[1][th] * t->sin[2][ph], t->sin[1][th] * t->cos[2][ph],
            ph == 0 ? t->cos[1][th] : 0.0);
}

/* d_a (B u) */
static trmi_vec3 combine(const trig *t, const double u[3], int a) {
  trmi_vec3 sum = v3(0.0, 0.0, 0.0);
  for (int l = 0; l < 3; l++) sum = v3_add(sum, v3_scale(u[l], column(t, l, a, NONE)));
  return sum;
}

/* d_m a of (3) */
static trmi_vec3 quadratic(const trig *t, const double rate[3], int m) {
  trmi_vec3 sum = v3(0.0, 0.0, 0.0);
  for (int a = 0; a < 3; a++) {
    for (int b = 0; b < 3; b++) {
      sum = v3_add(
          sum, v3_scale(rate[a] * rate[b], m == NONE ? column(t, b, a, NONE) : column(t, b, a, m)));
    }
  }
  return sum;
}

static trmi_vec3 torque(const trmi_rods_data *d, const trig *t, const double rate[3]) {
  const trmi_vec3 w = combine(t, rate, NONE);
  return v3_add(v3_times(d->J, quadratic(t, rate, NONE)), v3_cross(w, v3_times(d->J, w)));
}

/* One end of a joint: near end of both rods, far end of the first. */
typedef struct side {
  int joint, rod;
  double s, sign; /* s: part of the half length along body x */
} side;
enum { SIDES = 3 };
static const side sides[SIDES] = {{0, 0, -1.0, 1.0}, {1, 1, -1.0, 1.0}, {1, 0, 1.0, -1.0}};

static trmi_vec3 point_of(const trmi_rods_data *d, const side *end) {
  return v3(end->s * d->half, 0.0, 0.0);
}

/* Rates of one end, (7): `which` is 1 for the rate, 2 for the bias. */
static trmi_vec3 point_rate(const trig *t, trmi_vec3 s, const double rate[3], int which) {
  trmi_vec3 sum = v3(0.0, 0.0, 0.0);
  for (int a = 0; a < 3; a++) {
    if (which == 1) sum = v3_add(sum, v3_scale(rate[a], turned(t, s, a, NONE, NONE)));
    for (int b = 0; which == 2 && b < 3; b++) {
      sum = v3_add(sum, v3_scale(rate[a] * rate[b], turned(t, s, a, b, NONE)));
    }
  }
  return sum;
}

static void add_side(const trmi_rods_data *d, const side *end, const trig *t, const trm_state *s,
                     const trm_values *out) {
  const int row = 3 * end->joint, at = NV * end->rod;
  const double sign = end->sign, *rate = s->v + at + 3;
  const trmi_vec3 p = point_of(d, end);
  if (out->g != NULL) {
    const trmi_vec3 x = v3_add(v3_load(s->q + at), turned(t, p, NONE, NONE, NONE));
    v3_accumulate(out->g + row, v3_scale(sign, x));
  }
  if (out->g_rate != NULL) {
    const trmi_vec3 v = v3_add(v3_load(s->v + at), point_rate(t, p, rate, 1));
    v3_accumulate(out->g_rate + row, v3_scale(sign, v));
  }
  if (out->g_bias != NULL) {
    v3_accumulate(out->g_bias + row, v3_scale(sign, point_rate(t, p, rate, 2)));
  }
  if (out->motion != NULL) {
    const trmi_vec3 force = v3_scale(sign, v3_load(s->lam + row));
    v3_accumulate(out->motion + at, force);
    for (int a = 0; a < 3; a++) {
      out->motion[at + 3 + a] += v3_dot(force, turned(t, p, a, NONE, NONE));
    }
  }
}

static void rod_values(const trmi_rods_data *d, int rod, const trig *t, const trm_state *s,
                       const trm_values *out) {
  const int at = NV * rod;
  const trmi_vec3 weight = v3(0.0, 0.0, -d->mass * d->gravity);
  if (out->motion != NULL) { /* (2) */
    const trmi_vec3 sum =
        v3_add(v3_times(d->J, combine(t, s->vd + at + 3, NONE)), torque(d, t, s->v + at + 3));
    v3_store(out->motion + at, v3_sub(v3_scale(d->mass, v3_load(s->vd + at)), weight));
    for (int l = 0; l < 3; l++) {
      out->motion[at + 3 + l] = v3_dot(column(t, l, NONE, NONE), sum);
    }
  }
  if (out->energy != NULL) {
    const trmi_vec3 v = v3_load(s->v + at), w = combine(t, s->v + at + 3, NONE);
    out->energy[0] += 0.5 * (d->mass * v3_dot(v, v) + v3_dot(w, v3_times(d->J, w)));
    out->energy[1] -= v3_dot(weight, v3_load(s->q + at));
  }
}

static trm_status check_angles(const trig t[NRODS], trm_error *err) {
  for (int rod = 0; rod < NRODS; rod++) {
    if (!(fabs(t[rod].sin[1][0]) > 1e-10)) {
      return TRMI_FAIL(err, TRM_RETRY_DOMAIN, rod == 0 ? "body 'rod1'" : "body 'rod2'",
                       "sin(theta) = %.3g: 3-1-3 angles are singular here; use "
                       "coordinates=quaternions",
                       t[rod].sin[1][0]);
    }
  }
  return TRM_OK;
}

static void clear(double *x, int n) {
  if (x != NULL) memset(x, 0, (size_t)n * sizeof *x);
}

static trm_status values(void *self, const trm_state *s, const trm_values *out, trm_error *err) {
  const trmi_rods_data *d = &((const trmi_rods *)self)->data;
  const trig t[NRODS] = {trig_of(s->q + 3), trig_of(s->q + NV + 3)};
  TRMI_TRY(err, check_angles(t, err));
  clear(out->g, 3 * NRODS);
  clear(out->g_rate, 3 * NRODS);
  clear(out->g_bias, 3 * NRODS);
  clear(out->energy, 3);
  for (int rod = 0; rod < NRODS; rod++) rod_values(d, rod, &t[rod], s, out);
  for (int k = 0; k < SIDES; k++) add_side(d, &sides[k], &t[sides[k].rod], s, out);
  if (out->outputs != NULL) {
    v3_store(out->outputs,
             v3_add(v3_load(s->q + NV), turned(&t[1], v3(d->half, 0.0, 0.0), NONE, NONE, NONE)));
  }
  return TRM_OK;
}

/* Entry (l, m) of the blocks of the angles of one rod, (2) and (4) to (6). */
static void rod_entry(const trmi_rods_data *d, const trig *t, const double rate[3], int l, int m,
                      const double u[3], double *const out[4]) {
  const trmi_vec3 b_l = column(t, l, NONE, NONE), b_m = column(t, m, NONE, NONE);
  const trmi_vec3 db_l = column(t, l, m, NONE), w = combine(t, rate, NONE);
  const trmi_vec3 Jw = v3_times(d->J, w), dw = combine(t, rate, m);
  if (out[0] != NULL) *out[0] = v3_dot(b_l, v3_times(d->J, b_m));
  if (out[1] != NULL) {
    *out[1] = v3_dot(db_l, v3_times(d->J, combine(t, u, NONE))) +
              v3_dot(b_l, v3_times(d->J, combine(t, u, m)));
  }
  if (out[2] != NULL) {
    const trmi_vec3 spin = v3_add(v3_cross(dw, Jw), v3_cross(w, v3_times(d->J, dw)));
    const trmi_vec3 sum = v3_add(v3_times(d->J, quadratic(t, rate, m)), spin);
    *out[2] = v3_dot(db_l, torque(d, t, rate)) + v3_dot(b_l, sum);
  }
  if (out[3] != NULL) {
    trmi_vec3 da = dw; /* derivative of a by e'_m */
    for (int a = 0; a < 3; a++) da = v3_add(da, v3_scale(rate[a], column(t, m, a, NONE)));
    const trmi_vec3 spin = v3_add(v3_cross(b_m, Jw), v3_cross(w, v3_times(d->J, b_m)));
    *out[3] = v3_dot(b_l, v3_add(v3_times(d->J, da), spin));
  }
}

/* Blocks of a rod: nine entries of the angles each; M has the masses before. */
static void rod_blocks(const trmi_rods_data *d, int rod, const trig *t, const trm_state *s,
                       const trm_block_request *request) {
  double *const *b = request->values;
  const double *u = request->u != NULL ? request->u + NV * rod + 3 : NULL;
  if (b[TRM_M] != NULL) {
    for (int k = 0; k < 3; k++) b[TRM_M][12 * rod + k] = d->mass;
  }
  for (int k = 0; k < 9; k++) {
    double *const out[4] = {
        b[TRM_M] != NULL ? b[TRM_M] + 12 * rod + 3 + k : NULL,
        b[TRM_MU_Q] != NULL ? b[TRM_MU_Q] + 9 * rod + k : NULL,
        b[TRM_K] != NULL ? b[TRM_K] + 9 * rod + k : NULL,
        b[TRM_C] != NULL ? b[TRM_C] + 9 * rod + k : NULL,
    };
    rod_entry(d, t, s->v + NV * rod + 3, k / 3, k % 3, u, out);
  }
}

/* (8): column c of the blocks of one end; entries row by row, in G with the
 * translation before each row */
static void side_column(const side *end, const trig *t, trmi_vec3 p, const double rate[3], int c,
                        double *const out[4]) {
  trmi_vec3 first = v3(0.0, 0.0, 0.0), second = v3(0.0, 0.0, 0.0);
  for (int a = 0; a < 3; a++) {
    first = v3_add(first, v3_scale(rate[a], turned(t, p, a, c, NONE)));
    for (int b = 0; b < 3; b++) {
      second = v3_add(second, v3_scale(rate[a] * rate[b], turned(t, p, a, b, c)));
    }
  }
  const trmi_vec3 columns[4] = {turned(t, p, c, NONE, NONE), first, second, v3_scale(2.0, first)};
  for (int k = 0; k < 4; k++) {
    if (out[k] == NULL) continue;
    const int stride = k == 0 ? 4 : 3, from = (k == 0 ? 1 : 0) + c;
    const trmi_vec3 u = v3_scale(end->sign, columns[k]);
    out[k][from] = u.x;
    out[k][stride + from] = u.y;
    out[k][2 * stride + from] = u.z;
  }
}

static void side_blocks(const trmi_rods_data *d, int k, const trig *t, const trm_state *s,
                        const trm_block_request *request) {
  const side *end = &sides[k];
  const trmi_vec3 p = point_of(d, end);
  double *const *b = request->values;
  double *const out[4] = {
      b[TRM_G] != NULL ? b[TRM_G] + 12 * k : NULL,
      b[TRM_GV_Q] != NULL ? b[TRM_GV_Q] + 9 * k : NULL,
      b[TRM_GB_Q] != NULL ? b[TRM_GB_Q] + 9 * k : NULL,
      b[TRM_GB_V] != NULL ? b[TRM_GB_V] + 9 * k : NULL,
  };
  for (int i = 0; out[0] != NULL && i < 3; i++) out[0][4 * i] = end->sign;
  for (int c = 0; c < 3; c++) side_column(end, t, p, s->v + NV * end->rod + 3, c, out);
  if (b[TRM_GY_Q] == NULL) return;
  const trmi_vec3 y = v3_scale(end->sign, v3_load(request->y + 3 * end->joint));
  for (int i = 0; i < 9; i++) {
    b[TRM_GY_Q][9 * end->rod + i] += v3_dot(y, turned(t, p, i / 3, i % 3, NONE));
  }
}

static trm_status blocks(void *self, const trm_state *s, const trm_block_request *request,
                         trm_error *err) {
  const trmi_rods_data *d = &((const trmi_rods *)self)->data;
  const trig t[NRODS] = {trig_of(s->q + 3), trig_of(s->q + NV + 3)};
  TRMI_TRY(err, check_angles(t, err));
  clear(request->values[TRM_GY_Q], 9 * NRODS);
  for (int rod = 0; rod < NRODS; rod++) rod_blocks(d, rod, &t[rod], s, request);
  for (int k = 0; k < SIDES; k++) side_blocks(d, k, &t[sides[k].rod], s, request);
  return TRM_OK;
}

static void patterns(const void *self, trm_pattern *p) {
  (void)self;
  static const trm_block of_rod[] = {TRM_M, TRM_MU_Q, TRM_K, TRM_C, TRM_GY_Q};
  static const trm_block of_side[] = {TRM_G, TRM_GV_Q, TRM_GB_Q, TRM_GB_V};
  trmi_pattern_all_given(p);
  for (int rod = 0; rod < NRODS; rod++) {
    const int at = NV * rod;
    for (int k = 0; k < 3; k++) trm_pattern_entry(p, TRM_M, at + k, at + k);
    for (int b = 0; b < 5; b++) trm_pattern_dense(p, of_rod[b], at + 3, at + 3, 3, 3);
    trm_pattern_node(p, TRM_V, at, NV);
    trm_pattern_node(p, TRM_LAM, 3 * rod, 3);
  }
  for (int k = 0; k < SIDES; k++) {
    for (int i = 0; i < 3; i++) {
      const int row = 3 * sides[k].joint + i, at = NV * sides[k].rod;
      trm_pattern_entry(p, TRM_G, row, at + i);
      for (int b = 0; b < 4; b++) trm_pattern_dense(p, of_side[b], row, at + 3, 1, 3);
    }
  }
}

static void sizes(const void *self, trm_sizes *n) {
  (void)self;
  *n = (trm_sizes){.nv = NV * NRODS, .ng = 3 * NRODS, .noutputs = 3};
}

static void label(const void *self, trm_quantity list, int i, trm_label *out) {
  (void)self;
  static const char *const q_names[NV] = {"x", "y", "z", "psi", "theta", "phi"};
  static const char *const v_names[NV] = {"vx", "vy", "vz", "vpsi", "vtheta", "vphi"};
  static const char *const objects[NRODS] = {"body 'rod1'", "body 'rod2'"};
  static const char *const joints[NRODS] = {"joint 'pin1'", "joint 'pin2'"};
  static const char *const tip_names[3] = {"tip.x", "tip.y", "tip.z"};
  char name[16];
  if (list == TRM_Q || list == TRM_V) {
    snprintf(name, sizeof name, "rod%d.%s", i / NV + 1,
             (list == TRM_Q ? q_names : v_names)[i % NV]);
    trmi_label(out, name, objects[i / NV], i % NV < 3 ? TRM_KIND_METRE : TRM_KIND_RADIAN, 0.0);
  } else if (list == TRM_LAM) {
    snprintf(name, sizeof name, "pin%d.%s", i / 3 + 1, q_names[i % 3]);
    trmi_label(out, name, joints[i / 3], TRM_KIND_NEWTON, 0.0);
  } else if (list == TRM_OUTPUT) {
    trmi_label(out, tip_names[i], "point 'tip'", TRM_KIND_METRE, 0.0);
  }
}

/* Angles and body rates are given; e' = B^-1 w, then positions from the joints. */
static trm_status start(void *self, trm_state *s, trm_error *err) {
  (void)err;
  const trmi_rods_data *d = &((const trmi_rods *)self)->data;
  trmi_vec3 x = v3(0.0, 0.0, 0.0), v = x; /* of the joint before the rod */
  for (int rod = 0; rod < NRODS; rod++) {
    double *q = s->q + NV * rod, *qd = s->v + NV * rod;
    v3_store(q + 3, d->angles[rod]);
    const trig t = trig_of(q + 3);
    const trmi_vec3 w = d->rates[rod];
    qd[3] = (t.sin[2][0] * w.x + t.cos[2][0] * w.y) / t.sin[1][0];
    qd[4] = t.cos[2][0] * w.x - t.sin[2][0] * w.y;
    qd[5] = w.z - t.cos[1][0] * qd[3];
    const trmi_vec3 half = v3(d->half, 0.0, 0.0), arm = turned(&t, half, NONE, NONE, NONE);
    const trmi_vec3 arm_rate = point_rate(&t, half, qd + 3, 1);
    v3_store(q, v3_add(x, arm));
    v3_store(qd, v3_add(v, arm_rate));
    x = v3_add(x, v3_scale(2.0, arm));
    v = v3_add(v, v3_scale(2.0, arm_rate));
  }
  return TRM_OK;
}

const trm_system_ops trmi_rods_angles_ops = {
    .name = "double-pendulum",
    .sizes = sizes,
    .label = label,
    .patterns = patterns,
    .start = start,
    .values = values,
    .has_power = trmi_problem_without_power,
    .gives_rates = true,
    .blocks = blocks,
    .shares_self = true,
    .free = trmi_problem_free,
};
