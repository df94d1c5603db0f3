/* rolling_disc.c - a thin disc rolls on a plane without slipping.
 *
 * Plane z = 0, disc of radius r in the body plane z_b = 0, inertia J = diag(m
 * r^2/4, m r^2/4, m r^2/2). The vertical in body axes is k = R^T e_z = sg u + kp
 * e_3 with u = (u1, u2, 0) of length one, n = e_3 x u, sg = sqrt(1 - kp^2); the
 * point of contact lies at -r u from the centre. tau = kp/sg; R_i is row i of R.
 * With a = u.w, b = n.w, p = tau a - w_3 the motion gives
 *   u' = p n,  n' = -p u,  kp' = sg b,  sg' = -kp b,  tau' = b/sg^2           (1)
 * and an increment theta changes them likewise, with theta for w; c = tau u - e_3
 * is the derivative of the angle of u, so that
 *   d a = b c,   d b = -a c,   d p = (a/sg^2) n + tau b c    by theta,
 *   d a = u,     d b = n,      d p = c                       by w             (2)
 * Contact, one holonomic row:
 *   g = z - r sg,   rate z' + r kp b,   bias r (sg b^2 - kp p a)              (3)
 *   G: r kp n,      d(G^T y) = y r (sg n n^T - kp u c^T)                      (4)
 * No slip in x and y, two nonholonomic rows (that in z is the rate of (3)):
 *   A_i v = x_i' - r R_i.(w x u),   bias -r R_i.f,  f = w x (w x u) + p w x n (5)
 *   A_i: -r u x R_i,  d(A^T y) = -r ((n x Y) c^T + Y u^T - (u.Y) I), Y = R^T y (6)
 *   d(A_i v) by theta = -r ((w x u) x R_i + (R_i.(w x n)) c)                  (7)
 *   d(bias) by theta  = -r (f x R_i + R_i.df),  df along c: w x (w x n) - p w x u
 *                       + tau b w x n,  along n: (a/sg^2) w x n               (8)
 *   d(bias) by w = -r ((w x u) x R_i + u x (R_i x w) + (R_i.(w x n)) c + p n x R_i) (9)
 * Data are ours: m = 1 kg, r = .25 m. At the start the axis lies along y, leaned by
 * `tilt` about x, and the disc rolls along +x with the angular velocity `spin`
 * about its axis. The equations fail when the disc lies flat, sg = 0. */
#include "math/so3.h"
#include "math/vec.h"
#include "problems/problem.h"
#include <string.h>

static const double mass = 1.0, radius = 0.25, gravity = 9.81; /* [kg], [m], [m/s^2] */

typedef struct disc {
  trmi_arena arena;
  double tilt; /* of the disc from upright, at the start  [rad]   */
  double spin; /* about its axis, at the start            [rad/s] */
} disc;

/* The disc at one instant, symbols as in the head. */
typedef struct pose {
  double R[9];
  trmi_vec3 u, n, c, w, v;
  double sg, kp, tau, a, b, p;
} pose;

static trmi_vec3 inertia(void) {
  const double J = 0.25 * mass * radius * radius;
  return v3(J, J, 2.0 * J);
}

static trm_status pose_of(const trm_state *s, pose *o, trm_error *err) {
  trmi_quat_matrix(s->q + 3, o->R);
  const trmi_vec3 k = m3_row(o->R, 2);
  o->kp = k.z;
  o->sg = sqrt(k.x * k.x + k.y * k.y);
  if (!(o->sg > 1e-8)) {
    return TRMI_FAIL(err, TRM_RETRY_DOMAIN, "body 'disc'",
                     "the disc lies flat (sine of its angle to the plane %.3g): "
                     "it has no point of contact",
                     o->sg);
  }
  o->u = v3(k.x / o->sg, k.y / o->sg, 0.0);
  o->n = v3(-o->u.y, o->u.x, 0.0);
  o->tau = o->kp / o->sg;
  o->c = v3(o->tau * o->u.x, o->tau * o->u.y, -1.0);
  o->v = v3_load(s->v);
  o->w = v3_load(s->v + 3);
  o->a = v3_dot(o->u, o->w);
  o->b = v3_dot(o->n, o->w);
  o->p = v3_dot(o->c, o->w);
  return TRM_OK;
}

/* f of (5) */
static trmi_vec3 slip_bias(const pose *o) {
  const trmi_vec3 wu = v3_cross(o->w, o->u), wn = v3_cross(o->w, o->n);
  return v3_add(v3_cross(o->w, wu), v3_scale(o->p, wn));
}

static void motion(const pose *o, const trm_state *s, double *out) {
  const trmi_vec3 J = inertia(), y = v3(s->mu[0], s->mu[1], 0.0), Y = m3_tmul(o->R, y);
  const trmi_vec3 weight = v3(0.0, 0.0, -mass * gravity);
  v3_store(out, v3_sub(v3_scale(mass, v3_load(s->vd)), weight));
  v3_store(out + 3, v3_add(v3_times(J, v3_load(s->vd + 3)), v3_cross(o->w, v3_times(J, o->w))));

  /* + G^T lam + A^T mu, (4) and (6) */
  v3_accumulate(out, v3(y.x, y.y, s->lam[0]));
  v3_accumulate(out + 3, v3_sub(v3_scale(radius * o->kp * s->lam[0], o->n),
                                v3_scale(radius, v3_cross(o->u, Y))));
}

static trm_status values(void *self, const trm_state *s, const trm_values *out, trm_error *err) {
  (void)self;
  pose o;
  TRMI_TRY(err, pose_of(s, &o, err));
  const trmi_vec3 wu = v3_cross(o.w, o.u), f = slip_bias(&o);
  if (out->motion != NULL) motion(&o, s, out->motion);
  if (out->g != NULL) out->g[0] = s->q[2] - radius * o.sg; /* (3) */
  if (out->g_rate != NULL) out->g_rate[0] = o.v.z + radius * o.kp * o.b;
  if (out->g_bias != NULL) out->g_bias[0] = radius * (o.sg * o.b * o.b - o.kp * o.p * o.a);
  for (int i = 0; i < 2; i++) { /* (5) */
    const trmi_vec3 R_i = m3_row(o.R, i);
    if (out->a_rate != NULL) out->a_rate[i] = s->v[i] - radius * v3_dot(R_i, wu);
    if (out->a_bias != NULL) out->a_bias[i] = -radius * v3_dot(R_i, f);
  }
  if (out->outputs != NULL) {
    v3_store(out->outputs, v3_sub(v3_load(s->q), v3_scale(radius, m3_mul(o.R, o.u))));
  }
  if (out->energy != NULL) {
    out->energy[0] = 0.5 * (mass * v3_dot(o.v, o.v) + v3_dot(o.w, v3_times(inertia(), o.w)));
    out->energy[1] = mass * gravity * s->q[2];
    out->energy[2] = 0.0;
  }
  return TRM_OK;
}

static void contact_blocks(const pose *o, const double *y, double *const b[TRM_BLOCKS]) {
  const double r = radius, sg = o->sg, kp = o->kp;
  if (b[TRM_G] != NULL) {
    b[TRM_G][0] = 1.0;
    v3_store(b[TRM_G] + 1, v3_scale(r * kp, o->n));
  }
  if (b[TRM_GY_Q] != NULL) {
    for (int i = 0; i < 3; i++) {
      const double n_i = (const double[]){o->n.x, o->n.y, 0.0}[i];
      const double u_i = (const double[]){o->u.x, o->u.y, 0.0}[i];
      const trmi_vec3 row = v3_sub(v3_scale(sg * n_i, o->n), v3_scale(kp * u_i, o->c));
      v3_store(b[TRM_GY_Q] + 3 * i, v3_scale(y[0] * r, row));
    }
  }
  if (b[TRM_GV_Q] != NULL) {
    const trmi_vec3 row = v3_sub(v3_scale(sg * o->b, o->n), v3_scale(kp * o->a, o->c));
    v3_store(b[TRM_GV_Q], v3_scale(r, row));
  }
  if (b[TRM_GB_Q] != NULL) {
    /* (3) by (1) and (2): what goes along n and along c */
    const double along_n = -kp * o->b * o->b - sg * o->p * o->a - kp * o->a * o->a / (sg * sg);
    const double along_c = -2.0 * sg * o->b * o->a - kp * (o->a * o->tau + o->p) * o->b;
    v3_store(b[TRM_GB_Q], v3_scale(r, v3_add(v3_scale(along_n, o->n), v3_scale(along_c, o->c))));
  }
  if (b[TRM_GB_V] != NULL) {
    const trmi_vec3 row = v3_sub(v3_scale(2.0 * sg * o->b, o->n),
                                 v3_scale(kp, v3_add(v3_scale(o->a, o->c), v3_scale(o->p, o->u))));
    v3_store(b[TRM_GB_V], v3_scale(r, row));
  }
}

/* (6) to (9), row i */
static void slip_row(const pose *o, int i, double *const b[TRM_BLOCKS]) {
  const trmi_vec3 R_i = m3_row(o->R, i), wu = v3_cross(o->w, o->u), wn = v3_cross(o->w, o->n);
  const double along = v3_dot(R_i, wn);
  if (b[TRM_A] != NULL) {
    b[TRM_A][4 * i] = 1.0;
    v3_store(b[TRM_A] + 4 * i + 1, v3_scale(-radius, v3_cross(o->u, R_i)));
  }
  if (b[TRM_AV_Q] != NULL) {
    const trmi_vec3 row = v3_add(v3_cross(wu, R_i), v3_scale(along, o->c));
    v3_store(b[TRM_AV_Q] + 3 * i, v3_scale(-radius, row));
  }
  if (b[TRM_AB_Q] != NULL) {
    const double along_c =
        v3_dot(R_i, v3_cross(o->w, wn)) - o->p * v3_dot(R_i, wu) + o->tau * o->b * along;
    const double along_n = o->a / (o->sg * o->sg) * along;
    const trmi_vec3 df = v3_add(v3_scale(along_c, o->c), v3_scale(along_n, o->n));
    const trmi_vec3 row = v3_add(v3_cross(slip_bias(o), R_i), df);
    v3_store(b[TRM_AB_Q] + 3 * i, v3_scale(-radius, row));
  }
  if (b[TRM_AB_V] != NULL) {
    const trmi_vec3 turn = v3_add(v3_cross(wu, R_i), v3_cross(o->u, v3_cross(R_i, o->w)));
    const trmi_vec3 roll = v3_add(v3_scale(along, o->c), v3_scale(o->p, v3_cross(o->n, R_i)));
    v3_store(b[TRM_AB_V] + 3 * i, v3_scale(-radius, v3_add(turn, roll)));
  }
}

/* d(A^T y)/dq, (6) */
static void slip_tangent(const pose *o, const double *ya, double *out) {
  const trmi_vec3 Y = m3_tmul(o->R, v3(ya[0], ya[1], 0.0)), nY = v3_cross(o->n, Y);
  const double uY = v3_dot(o->u, Y);
  const double Y_i[3] = {Y.x, Y.y, Y.z}, nY_i[3] = {nY.x, nY.y, nY.z};
  for (int i = 0; i < 3; i++) {
    const trmi_vec3 row = v3_add(v3_scale(nY_i[i], o->c), v3_scale(Y_i[i], o->u));
    v3_store(out + 3 * i, v3_scale(-radius, row));
    out[4 * i] += radius * uY;
  }
}

static trm_status blocks(void *self, const trm_state *s, const trm_block_request *request,
                         trm_error *err) {
  (void)self;
  pose o;
  TRMI_TRY(err, pose_of(s, &o, err));
  double *const *b = request->values;
  const trmi_vec3 J = inertia();
  if (b[TRM_M] != NULL) {
    b[TRM_M][0] = b[TRM_M][1] = b[TRM_M][2] = mass;
    v3_store(b[TRM_M] + 3, J);
  }
  if (b[TRM_C] != NULL) { /* d(w x J w)/dw, J_x = J_y: four entries */
    const double d = J.z - J.y;
    b[TRM_C][0] = d * o.w.z;
    b[TRM_C][1] = d * o.w.y;
    b[TRM_C][2] = -d * o.w.z;
    b[TRM_C][3] = -d * o.w.x;
  }
  contact_blocks(&o, request->y, b);
  for (int i = 0; i < 2; i++) slip_row(&o, i, b);
  if (b[TRM_AY_Q] != NULL) slip_tangent(&o, request->ya, b[TRM_AY_Q]);
  return TRM_OK;
}

static void patterns(const void *self, trm_pattern *p) {
  (void)self;
  static const int spin[4][2] = {{3, 4}, {3, 5}, {4, 3}, {4, 5}};
  trmi_pattern_all_given(p);
  for (int i = 0; i < 6; i++) trm_pattern_entry(p, TRM_M, i, i);
  for (int k = 0; k < 4; k++) trm_pattern_entry(p, TRM_C, spin[k][0], spin[k][1]);
  trm_pattern_entry(p, TRM_G, 0, 2);
  trm_pattern_dense(p, TRM_G, 0, 3, 1, 3);
  trm_pattern_dense(p, TRM_GY_Q, 3, 3, 3, 3);
  trm_pattern_dense(p, TRM_GV_Q, 0, 3, 1, 3);
  trm_pattern_dense(p, TRM_GB_Q, 0, 3, 1, 3);
  trm_pattern_dense(p, TRM_GB_V, 0, 3, 1, 3);
  for (int i = 0; i < 2; i++) {
    trm_pattern_entry(p, TRM_A, i, i);
    trm_pattern_dense(p, TRM_A, i, 3, 1, 3);
  }
  trm_pattern_dense(p, TRM_AY_Q, 3, 3, 3, 3);
  trm_pattern_dense(p, TRM_AV_Q, 0, 3, 2, 3);
  trm_pattern_dense(p, TRM_AB_Q, 0, 3, 2, 3);
  trm_pattern_dense(p, TRM_AB_V, 0, 3, 2, 3);
  trm_pattern_node(p, TRM_V, 0, 6);
  trm_pattern_node(p, TRM_MU, 0, 2);
}

static void sizes(const void *self, trm_sizes *n) {
  (void)self;
  *n = (trm_sizes){.nv = 6, .nrot = 1, .ng = 1, .na = 2, .noutputs = 3};
}

static int rotation(const void *self, int i) {
  (void)self;
  (void)i;
  return 3;
}

static void label(const void *self, trm_quantity list, int i, trm_label *out) {
  (void)self;
  static const char *const q_names[] = {"disc.x",  "disc.y",  "disc.z", "disc.q0",
                                        "disc.q1", "disc.q2", "disc.q3"};
  static const char *const v_names[] = {"disc.vx", "disc.vy", "disc.vz",
                                        "disc.wx", "disc.wy", "disc.wz"};
  static const char *const mu_names[] = {"slip.x", "slip.y"};
  static const char *const outputs[] = {"contact.x", "contact.y", "contact.z"};
  const trm_kind angle = list == TRM_Q ? TRM_KIND_NONE : TRM_KIND_RADIAN;
  switch (list) {
  case TRM_Q:
    trmi_label(out, q_names[i], "body 'disc'", i < 3 ? TRM_KIND_METRE : angle, 0.0);
    break;
  case TRM_V:
    trmi_label(out, v_names[i], "body 'disc'", i < 3 ? TRM_KIND_METRE : angle, 0.0);
    break;
  case TRM_LAM: trmi_label(out, "contact", "contact 'plane'", TRM_KIND_NEWTON, 0.0); break;
  case TRM_MU: trmi_label(out, mu_names[i], "contact 'plane'", TRM_KIND_NEWTON, 0.0); break;
  case TRM_OUTPUT: trmi_label(out, outputs[i], "point 'contact'", TRM_KIND_METRE, 0.0); break;
  default: break;
  }
}

/* Axis along y, leaned by the tilt about x; rolls along x. */
static trm_status start(void *self, trm_state *s, trm_error *err) {
  const disc *d = self;
  const double quarter = acos(0.0);
  trmi_so3_exp((const double[3]){d->tilt - quarter, 0.0, 0.0}, s->q + 3);
  s->v[5] = d->spin;
  pose o;
  TRMI_TRY(err, pose_of(s, &o, err));
  s->q[2] = radius * o.sg;
  v3_store(s->v, v3_scale(radius, m3_mul(o.R, v3_cross(o.w, o.u))));
  return TRM_OK;
}

static const trm_system_ops ops = {
    .name = "rolling-disc",
    .sizes = sizes,
    .rotation = rotation,
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

enum { TILT, SPIN, PARAMETERS };

static const trm_parameter parameters[PARAMETERS] = {
    [TILT] = {"tilt", "0.2", NULL, "of the disc from upright at the start [rad]"},
    [SPIN] = {"spin", "12", NULL, "about the axis of the disc at the start [rad/s]"},
};
static const trmi_rule rules[PARAMETERS] = {[TILT] = TRMI_ANY, [SPIN] = TRMI_ANY};

static trm_status build(const double *value, const trm_allocator *allocator, trm_system_def *def,
                        trm_error *err) {
  TRMI_TRY(err, trmi_problem_self(allocator, sizeof(disc), &def->self, err));
  disc *d = def->self;
  d->tilt = value[TILT];
  d->spin = value[SPIN];
  def->ops = &ops;
  return TRM_OK;
}

const trmi_problem trmi_problem_rolling_disc = {
    .about = {"rolling-disc", "thin disc rolling on a plane, nonholonomic", 2.0, parameters,
              PARAMETERS},
    .rules = rules,
    .build = build,
};
