/* six_law.c - laws of six deformations of marker B relative to marker A, in numbers: bushings,
 * beams.
 *
 * With A the matrix whose columns are the axes of A, q the relative quaternion, (4) of
 * marker_frame.c:
 *   d = A^T (x_B - x_A),   d' = A^T (v_B - v_A - w_A x (x_B - x_A))                     (1)
 *   q = (c, n s),  c = cos(phi/2),  s = sin(phi/2),  phi from 0 to 2 pi
 *   theta = n phi = 2 q_v (phi/2)/s                    rotation vector                  (2)
 *   theta' = P A^T (w_B - w_A),  P = 1 - S/2 + kappa S^2,  S u = theta x u              (3)
 *   kappa = (1 - (phi/2) cot(phi/2))/phi^2 = (1 - c (phi/2)/s)/phi^2                    (4)
 * Law with e = (d, theta) - rest:
 *   s = K e + C e' - preload,  on B: -A s_d at x_B, -A P^T s_theta; on A the opposite   (5)
 *   potential e.K e/2 - preload.e   if K is symmetric                                   (6)
 * P^T makes the torque conjugate to theta: the power is -s.e'. About a fixed axis P is 1. (phi/2)/s
 * and kappa are smooth at zero, where series are used. q is continuous, so theta may exceed half a
 * turn (marker_pairs.c carries q, the sign at the start is (4) of marker_frame.c).
 *
 * Exact tangent. In the axes of A, with b = A^T dphi_B, a = A^T dphi_A and likewise for the other
 * increments, v = d' and w the relative angular velocity:
 *   d(d) = A^T (dx_B - dx_A) - a x d,   d(theta) = P (b - a)                              (7)
 *   d(v) = A^T (dv_B - dv_A - dw_A x r - w_A x (dx_B - dx_A)) - a x v,
 *   d(w) = A^T (dw_B - dw_A) - a x w,   d(theta') = P d(w) + dP w                          (8)
 *   dP u = -(dtheta x u)/2 + 2 kappa' (theta.dtheta) S S u + kappa (dtheta x S u + S dtheta x u)
 *   kappa' = d kappa/d phi^2 = (h^2 + h + phi^2/4 - 2)/(2 phi^4),  h = 1 - kappa phi^2     (9)
 *   d(f) = -A (ds_d + a x s_d),   d(t) = -A (dm + a x m),  m = P^T s_theta                (10)
 *
 * At a full turn theta has no direction and P is unbounded. Steps may end there only if theta has
 * no effect, as in a bearing free to spin, K e = 0 and P w = w in the parts of rotations. Otherwise
 *   |theta| < 340 degrees,  and theta changes by less than half a turn in a step           (11)
 * Derivation: docs/theory/12-forces.md, section 4. */
#include "elements/force/marker_pairs.h"
#include <math.h>
#include <string.h>

/* ---- numbers of a law, and names in expressions ---------------------------------------------- */

bool trmi_six_keep(trmi_mechanism *m, trmi_force *a, const trmi_six *six) {
  trmi_six *own = TRMI_TAKE(m->arena, trmi_six, 1);
  if (own == NULL) return false;
  *own = *six;
  a->own = own;
  double size = 0.0, difference = 0.0;
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 6; j++) {
      size = fmax(size, fabs(own->K[6 * i + j]));
      difference = fmax(difference, fabs(own->K[6 * i + j] - own->K[6 * j + i]));
    }
  }
  for (int i = 0; i < 36; i++) own->has_damping = own->has_damping || own->C[i] != 0.0;
  own->is_symmetric = difference <= 1e-12 * size; /* rounding of what was typed */
  for (int i = 0; i < 6 && trmi_force_is_stiff(a); i++) {
    bool acts = false;
    for (int j = 0; j < 6; j++) acts = acts || own->K[6 * i + j] != 0.0;
    own->acts[i] = trmi_decide(m, acts);
  }
  return true;
}

void trmi_six_measure(trmi_mechanism *m, trmi_force *a) {
  trmi_pair_nodes(m, a, TRMI_PAIR_DEFORMATION, false, a->e);
}

void trmi_six_law(trmi_mechanism *m, trmi_force *a) {
  trmi_pair_nodes(m, a, TRMI_PAIR_LOAD, false, a->load);
}

/* ---- an instant ------------------------------------------------------------------------------ */

typedef struct six_pair {
  trmi_pair pair; /* first */
  trmi_six  six;
  double    stiffest;  /* of K for rotations                 */
  trmi_vec3 then;      /* theta at the beginning of a step   */
} six_pair;

/* All quantities at one instant, axes of A. */
typedef struct moment {
  double    A[9];              /* columns are the axes of A */
  trmi_vec3 d, v, theta, w, w_A;
  double    kappa, slope;      /* kappa' of (9)             */
  double    e[6], rate[6];     /* (d, theta) - rest, and its rate */
  double    s[6];
  double    turning;           /* largest part of K e for rotations */
  trmi_vec3 m;
} moment;

/* ---- rotation -------------------------------------------------------------------------------- */

/* x/sin(x) from s = sin(x)^2 and c = cos(x); near zero the series of asin(x)/x */
static double over_sine(double s, double c) {
  if (!(s < 0.01 && c > 0.0)) {
    const double sine = fmax(sqrt(s), 1e-150); /* at a full turn */
    return atan2(sine, c) / sine;
  }
  double term = 1.0, sum = 1.0;
  for (int n = 1; n < 10; n++) { /* the next term is 1e-21 */
    const double odd = 2.0 * n - 1.0;
    term *= s * odd * odd / (2.0 * n * (2.0 * n + 1.0));
    sum += term;
  }
  return sum;
}

/* kappa and kappa'; near zero the series of (x/2) cot(x/2) */
static void set_kappa(moment *z, double u, double half_over_s, double c) {
  static const double list[8] = {1.0 / 12, 1.0 / 720, 1.0 / 30240, 1.0 / 1209600,
                                 1.0 / 47900160, 691.0 / 1307674368000.0,
                                 1.0 / 74724249600.0, 3617.0 / 10670622842880000.0};
  if (!(u < 0.25)) {
    z->kappa = (1.0 - c * half_over_s) / u;
    const double h = 1.0 - z->kappa * u;
    z->slope = (h * h + h + 0.25 * u - 2.0) / (2.0 * u * u);
    return;
  }
  z->kappa = z->slope = 0.0;
  for (int n = 7; n >= 0; n--) {
    z->slope = z->slope * u + z->kappa;
    z->kappa = z->kappa * u + list[n];
  }
}

/* (2) and (4) */
static void set_rotation(moment *z, const double q[4]) {
  const trmi_vec3 v = v3_load(q + 1);
  const double factor = over_sine(v3_dot(v, v), q[0]);
  z->theta = v3_scale(2.0 * factor, v);
  set_kappa(z, v3_dot(z->theta, z->theta), factor, q[0]);
}

/* P u with sign 1, P^T u with sign -1 */
static trmi_vec3 turned(const moment *z, double sign, trmi_vec3 u) {
  const trmi_vec3 once = v3_cross(z->theta, u), twice = v3_cross(z->theta, once);
  return v3_add(u, v3_add(v3_scale(-0.5 * sign, once), v3_scale(z->kappa, twice)));
}

/* dP u or dP^T u, (9) */
static trmi_vec3 turned_change(const moment *z, double sign, trmi_vec3 dtheta, trmi_vec3 u) {
  const trmi_vec3 once = v3_cross(z->theta, u), twice = v3_cross(z->theta, once);
  const trmi_vec3 d_once = v3_cross(dtheta, u);
  const trmi_vec3 d_twice = v3_add(v3_cross(dtheta, once), v3_cross(z->theta, d_once));
  const double d_kappa = 2.0 * z->slope * v3_dot(z->theta, dtheta);
  return v3_add(v3_scale(-0.5 * sign, d_once),
                v3_add(v3_scale(d_kappa, twice), v3_scale(z->kappa, d_twice)));
}

/* ---- law ------------------------------------------------------------------------------------- */

/* s += M e */
static void add_product(const double M[36], const double e[6], double s[6]) {
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 6; j++) s[i] += M[6 * i + j] * e[j];
  }
}

/* Force, torque and potential, (5) and (6). */
static trm_status evaluate(six_pair *p, const trm_plugin_input *at, moment *z, trm_error *err) {
  const trmi_six *six = &p->six;
  trmi_pair_load *load = &p->pair.load;
  memcpy(z->A, at->A.R, sizeof z->A);
  const trmi_vec3 r = v3_sub(v3_load(at->B.x), v3_load(at->A.x)), w_A = v3_load(at->A.w);
  const trmi_vec3 v = v3_sub(v3_sub(v3_load(at->B.v), v3_load(at->A.v)), v3_cross(w_A, r));
  z->d = m3_tmul(z->A, r);
  z->v = m3_tmul(z->A, v);
  z->w_A = m3_tmul(z->A, w_A);
  z->w = m3_tmul(z->A, v3_sub(v3_load(at->B.w), w_A));
  set_rotation(z, p->pair.q);
  double *e = z->e, *rate = z->rate, Ke[6] = {0};
  v3_store(e, z->d);
  v3_store(e + 3, z->theta);
  v3_store(rate, z->v);
  v3_store(rate + 3, turned(z, 1.0, z->w));
  for (int i = 0; i < 6; i++) e[i] -= six->rest[i];
  memset(z->s, 0, sizeof z->s);
  add_product(six->K, e, Ke);
  if (six->has_damping) add_product(six->C, rate, z->s);
  z->turning = fmax(fabs(Ke[3]), fmax(fabs(Ke[4]), fabs(Ke[5])));
  load->potential = load->potential_rate = load->damping_power = 0.0;
  for (int i = 0; i < 6; i++) {
    load->damping_power -= z->s[i] * rate[i];
    const double spring = six->is_symmetric ? Ke[i] : 0.0;
    load->potential += (0.5 * spring - six->preload[i]) * e[i];
    load->potential_rate += (spring - six->preload[i]) * rate[i];
    z->s[i] += Ke[i] - six->preload[i];
  }
  z->m = turned(z, -1.0, v3_load(z->s + 3));
  load->force = v3_neg(m3_mul(z->A, v3_load(z->s)));
  load->torque = v3_neg(m3_mul(z->A, z->m));
  if (isfinite(v3_dot(load->force, load->force) + v3_dot(load->torque, load->torque))) {
    return TRM_OK;
  }
  return TRMI_FAIL(err, TRM_RETRY_DOMAIN, p->pair.object, "its force or torque is not finite");
}

/* ---- tangent --------------------------------------------------------------------------------- */

/* Increments in the axes of A: (7) and (8) without the parts of `turn`, which are added. */
typedef struct change {
  trmi_vec3 d, v, w;
  trmi_vec3 relative; /* b - a                */
  trmi_vec3 turn;     /* a, of the axes of A  */
} change;

/* Change of theta' by (8). */
static trmi_vec3 turn_rate_change(const moment *z, const change *by, trmi_vec3 dtheta) {
  const trmi_vec3 dw = v3_sub(by->w, v3_cross(by->turn, z->w));
  return v3_add(turned(z, 1.0, dw), turned_change(z, 1.0, dtheta, z->w));
}

/* Changes of (d, theta) and of its rate by a position or a velocity. */
static void strain_change(const moment *z, const change *by, double e[6]) {
  v3_store(e, v3_sub(by->d, v3_cross(by->turn, z->d)));
  v3_store(e + 3, turned(z, 1.0, by->relative));
}

static void rate_change(const moment *z, const change *by, bool is_velocity, double rate[6]) {
  v3_store(rate, v3_sub(by->v, v3_cross(by->turn, z->v)));
  v3_store(rate + 3, is_velocity ? turned(z, 1.0, by->w)
                                 : turn_rate_change(z, by, turned(z, 1.0, by->relative)));
}

/* Change of force and torque, (10). */
static void load_change(const six_pair *p, const moment *z, const change *by, bool is_velocity,
                        double out[6]) {
  const trmi_six *six = &p->six;
  trmi_vec3 df = v3(0, 0, 0), dm = v3(0, 0, 0);
  double s[6] = {0}, strain[6];
  if (six->has_damping) {
    rate_change(z, by, is_velocity, strain);
    add_product(six->C, strain, s);
  }
  if (!is_velocity) {
    strain_change(z, by, strain);
    add_product(six->K, strain, s);
    df = v3_cross(by->turn, v3_load(z->s));
    dm = v3_add(turned_change(z, -1.0, v3_load(strain + 3), v3_load(z->s + 3)),
                v3_cross(by->turn, z->m));
  }
  v3_store(out, v3_neg(m3_mul(z->A, v3_add(df, v3_load(s)))));
  v3_store(out + 3, v3_neg(m3_mul(z->A, v3_add(dm, turned(z, -1.0, v3_load(s + 3))))));
}

/* Derivatives of one part of the pair. */
typedef struct tangent {
  const six_pair *p;
  const moment   *z;
  trmi_pair_part  part;
  double        (*D)[TRM_PLUGIN_COLUMNS];
} tangent;

static void fill_column(const tangent *t, const change *by, int column) {
  const bool is_velocity = column % 12 >= 6;
  double out[6] = {0};
  if (t->part == TRMI_PAIR_LOAD) load_change(t->p, t->z, by, is_velocity, out);
  else if (t->part == TRMI_PAIR_RATE) rate_change(t->z, by, is_velocity, out);
  else if (!is_velocity) strain_change(t->z, by, out);
  for (int i = 0; i < 6; i++) t->D[i][column] = out[i];
}

/* Derivatives by positions and velocities of A are opposite to those of B. */
static void fill_derivative(const tangent *t) {
  enum { OF_B = 12 };
  const moment *z = t->z;
  double(*const D)[TRM_PLUGIN_COLUMNS] = t->D;
  const bool is_A_moving = t->p->pair.sides[0].kind != TRMI_CARRIER_GROUND;
  for (int k = 0; k < 3; k++) {
    const trmi_vec3 e = m3_row(z->A, k), back = v3_neg(e); /* A^T e_k */
    fill_column(t, &(change){.d = e, .v = v3_cross(e, z->w_A)}, OF_B + k);
    fill_column(t, &(change){.relative = e}, OF_B + 3 + k);
    fill_column(t, &(change){.v = e}, OF_B + 6 + k);
    fill_column(t, &(change){.w = e}, OF_B + 9 + k);
    if (!is_A_moving) continue;
    fill_column(t, &(change){.relative = back, .turn = e}, 3 + k);
    fill_column(t, &(change){.v = v3_cross(z->d, e), .w = back}, 9 + k);
    for (int i = 0; i < 6; i++) {
      D[i][k] = -D[i][OF_B + k];
      D[i][6 + k] = -D[i][OF_B + 6 + k];
    }
  }
}

static trm_status law(trmi_pair *pair, const trm_plugin_input *at, bool wants_derivative,
                      trm_error *err) {
  six_pair *p = (six_pair *)pair;
  moment z;
  TRMI_TRY(err, evaluate(p, at, &z, err));
  if (wants_derivative) fill_derivative(&(tangent){p, &z, TRMI_PAIR_LOAD, pair->load.derivative});
  return TRM_OK;
}

static trm_status measure(trmi_pair *pair, const trm_plugin_input *at, trmi_pair_part part,
                          double values[6], double derivative[6][TRM_PLUGIN_COLUMNS],
                          trm_error *err) {
  six_pair *p = (six_pair *)pair;
  moment z;
  TRMI_TRY(err, evaluate(p, at, &z, err));
  memcpy(values, part == TRMI_PAIR_RATE ? z.rate : z.e, sizeof z.e);
  if (derivative != NULL) fill_derivative(&(tangent){p, &z, part, derivative});
  return TRM_OK;
}

/* (11) */
static trm_status test(trmi_pair *pair, const trm_plugin_input *at, trm_status as,
                       trm_error *err) {
  const double most = 5.934, half = 3.1416; /* 340 and 180 degrees */
  six_pair *p = (six_pair *)pair;
  moment z;
  TRMI_TRY(err, evaluate(p, at, &z, err));
  const double angle = v3_norm(z.theta), turn = v3_norm(v3_sub(z.theta, p->then));
  if (angle < most && (as < 0 || turn < half)) return TRM_OK;
  const double off = v3_norm(v3_sub(turned(&z, 1.0, z.w), z.w));
  const bool is_free = z.turning <= 1e-9 * p->stiffest &&
                       (!p->six.has_damping || off <= 1e-6 * v3_norm(z.w));
  if (is_free) return TRM_OK;
  if (angle < most) {
    return TRMI_FAIL(err, as, pair->object, "its markers turn by %.0f degrees against each other "
                     "in one step; take shorter steps", 57.29578 * turn);
  }
  return TRMI_FAIL(err, as, pair->object, "its markers are turned by %.0f degrees against each "
                   "other: near a full turn its rotation has no direction; use a revolute joint "
                   "and a torsion spring, which count turns", 57.29578 * angle);
}

static trm_status begin(trmi_pair *pair, const trm_plugin_input *at, trm_error *err) {
  six_pair *p = (six_pair *)pair;
  moment z;
  TRMI_TRY(err, evaluate(p, at, &z, err));
  p->then = z.theta;
  return TRM_OK;
}

void trmi_six_push(trmi_mechanism *m, trmi_force *a) {
  six_pair *p = TRMI_TAKE(&m->b->assembly->elements, six_pair, 1);
  if (p == NULL) return;
  p->six = *(const trmi_six *)a->own;
  for (int i = 0; i < 9; i++) {
    p->stiffest = fmax(p->stiffest, fabs(p->six.K[6 * (3 + i / 3) + 3 + i % 3]));
  }
  p->pair.law = law;
  p->pair.measure = measure;
  p->pair.wants_quat = true;
  p->pair.test = test;
  p->pair.begin = begin;
  bool feeds = false, pushes = false;
  for (int i = 0; i < 6; i++) {
    feeds = feeds || p->six.C[7 * i] < 0.0;
    pushes = pushes || p->six.K[7 * i] < 0.0;
  }
  if (trmi_decide(m, feeds)) trmi_force_warn_of_feeding(m, a);
  if (trmi_decide(m, pushes)) trmi_force_warn_of_pushing(m, a);
  const bool has_power = p->six.has_damping || !p->six.is_symmetric;
  if (trmi_decide(m, has_power)) m->b->assembly->has_power = true;
  trmi_pair_add(m, a, &p->pair);
}
