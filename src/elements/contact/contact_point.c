/* contact_point.c - force and moment at one point of a contact, and their derivatives.
 *
 * t_1, t_2 are axes of sliding across the normal n, which follow body 1. They are carried along
 * with n from a normal n_r and a tangent t_r in memory, without turning about n:
 *   t = t_r - (t_r.n)/(1 + n_r.n) (n_r + n)                                               (1)
 * c = (t_1.slip, t_2.slip) and w = w_0 - w_1 make the friction phi over N (friction_law.c),
 *   F = N (n + phi_1 t_1 + phi_2 t_2)                                                     (2)
 *   M = N r_t phi_t n + N b (phi_r1 t_1 + phi_r2 t_2)                                     (3)
 * on side 0 at x, where phi_t belongs to r_t w.n (r_t the arm of `torsion`) and phi_r, with
 * mu_s = mu_d = 1, to r w.t_1, r w.t_2 (b the arm of `rolling`), r of the radii of both surfaces,
 *   1/r = 1/r_0 + 1/r_1                                                                  (3a)
 *   Q_0 = (F, R_0^T (arm_0 x F + M)),   Q_1 = -(F, R_1^T (arm_1 x F + M))                 (4)
 *   d(R^T y) = R^T dy + (R^T y) x dtheta                                                  (5)
 * Open contacts have no force; their bristles fall back with z' = -z/tau, along the same axes.
 * Columns: touch.c. Theory: docs/theory/15-contact.md, sections 3 and 4. */
#include "elements/contact/contacts_internal.h"
#include <string.h>

/* ---- axes ----------------------------------------------------------------------------------- */

/* (1) */
static trmi_vec3 carried(trmi_vec3 n_r, trmi_vec3 t_r, trmi_vec3 n) {
  const double below = fmax(1.0 + v3_dot(n_r, n), 1e-3); /* opposite normals do not occur */
  return v3_sub(t_r, v3_scale(v3_dot(t_r, n) / below, v3_add(n_r, n)));
}

/* Change of (1) for a change of n seen from body 1 */
static trmi_vec3 carried_change(trmi_vec3 n_r, trmi_vec3 t_r, trmi_vec3 n, trmi_vec3 dn) {
  const double below = fmax(1.0 + v3_dot(n_r, n), 1e-3), along = v3_dot(t_r, n) / below;
  const double change = (v3_dot(t_r, dn) - along * v3_dot(n_r, dn)) / below;
  return v3_neg(v3_add(v3_scale(change, v3_add(n_r, n)), v3_scale(along, dn)));
}

static void find_axes(const trmi_contact_memory *memory, trmi_contact_state *at) {
  const double *R = at->touch.pose[1]->R;
  at->n_ref = m3_mul(R, memory->n);
  at->t_ref[0] = m3_mul(R, memory->t);
  at->t_ref[1] = v3_cross(at->n_ref, at->t_ref[0]);
  for (int k = 0; k < 2; k++) at->t[k] = carried(at->n_ref, at->t_ref[k], at->touch.n);
}

/* Any axes across a normal, body axes of side 1. */
static void choose_axes(trmi_vec3 n, trmi_contact_memory *memory) {
  const double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
  const trmi_vec3 far = x <= y && x <= z ? v3(1, 0, 0) : y <= z ? v3(0, 1, 0) : v3(0, 0, 1);
  const trmi_vec3 t = v3_sub(far, v3_scale(v3_dot(far, n), n));
  memory->n = n, memory->t = v3_scale(1.0 / v3_norm(t), t);
}

void trmi_contact_begin(const trmi_contacts *o, const trmi_contact *c, int point, bool returns,
                        trmi_contact_memory *memory) {
  trmi_touch touch;
  trmi_touch_find(&c->points[point], o->carriers->poses, &touch);
  if (!returns) choose_axes(m3_tmul(touch.pose[1]->R, touch.n), memory);
  memory->v_minus = fmax(-touch.rate, 0.0);
  memory->closed = 0.0;
}

void trmi_contact_remember(const trmi_contact *c, trmi_contact_state *at, bool is_bent,
                           trmi_contact_memory *memory) {
  const double none = 1e-12, far = 0.1; /* 1 - cos of an angle */
  if (c->friction.kind == TRMI_FRICTION_NONE) return;
  const double *R = at->touch.pose[1]->R;
  const trmi_vec3 n = m3_tmul(R, at->touch.n);
  const double turned = v3_dot(n, memory->n);
  const bool is_open = at->touch.gap > 0.0, has_touched = memory->closed == 1.0;
  if (turned > 1.0 - none) return;
  if ((is_open && !is_bent) || turned < far - 1.0) { /* nothing is lost, or at the start */
    choose_axes(n, memory);
  } else if (!is_open && (has_touched || turned < 1.0 - far)) {
    find_axes(memory, at);
    memory->n = n, memory->t = m3_tmul(R, at->t[0]);
  }
}

/* ---- friction ------------------------------------------------------------------------------- */

/* Rolling resistance does not depend on the coefficients of sliding. */
static trmi_friction_law of_rolling(const trmi_friction_law *law) {
  trmi_friction_law own = *law;
  own.rest = own.moving = 1.0;
  return own;
}

/* (3a); a side that is flat or sharp does not count. */
static double rolling_radius(const trmi_touch_point *p) {
  const trmi_core_kind kind = p->core.kind;
  const double *size = p->core.size, own = p->rolling;
  double other = 0.0;
  if (p->is_pair || kind == TRMI_CORE_POINT || kind == TRMI_CORE_SEGMENT) {
    other = p->core.radius;
  } else if (kind == TRMI_CORE_CYLINDER || kind == TRMI_CORE_CIRCLE) {
    other = p->core.radius + size[0];
  } else if (kind == TRMI_CORE_ELLIPSOID) {
    other = fmax(size[0], fmax(size[1], size[2]));
  }
  if (own > 0.0 && other > 0.0) return own * other / (own + other);
  return own > 0.0 ? own : other > 0.0 ? other : p->core.radius;
}

static void add_friction(const trmi_contact *c, const trmi_touch_point *p, const double *z,
                         trmi_contact_state *at) {
  const double N = at->normal.N, zero[2] = {0.0, 0.0};
  const trmi_vec3 w = v3_sub(at->touch.w[0], at->touch.w[1]);
  const bool has_states = at->nz > 0;
  const double slip[2] = {v3_dot(at->t[0], at->touch.slip), v3_dot(at->t[1], at->touch.slip)};
  at->slide = trmi_friction_at(&c->friction, 2, slip, has_states ? z : zero);
  at->arm[0] = c->torsion, at->arm[1] = c->rolling;
  at->arm[2] = rolling_radius(p);
  for (int k = 0; k < 2; k++) { /* (2) */
    at->force = v3_add(at->force, v3_scale(N * at->slide.force[k], at->t[k]));
    at->rate[k] = at->slide.rate[k];
  }
  int next = 2;
  if (c->torsion > 0.0) { /* (3) */
    const double speed = c->torsion * v3_dot(w, at->touch.n);
    at->spin = trmi_friction_at(&c->friction, 1, &speed, has_states ? z + next : zero);
    at->torque = v3_scale(N * c->torsion * at->spin.force[0], at->touch.n);
    at->rate[next++] = at->spin.rate[0];
  }
  if (c->rolling > 0.0) {
    const trmi_friction_law law = of_rolling(&c->friction);
    const double speed[2] = {at->arm[2] * v3_dot(w, at->t[0]), at->arm[2] * v3_dot(w, at->t[1])};
    at->roll = trmi_friction_at(&law, 2, speed, has_states ? z + next : zero);
    for (int k = 0; k < 2; k++) {
      at->torque = v3_add(at->torque, v3_scale(N * c->rolling * at->roll.force[k], at->t[k]));
      at->rate[next++] = at->roll.rate[k];
    }
  }
}

/* J v' + bias on a body with other velocities than the six of its marker. */
void trmi_contact_rates(const trmi_carrier *carrier, const double *vd, double out[6]) {
  const trmi_map *map = carrier->map;
  if (map == NULL) {
    memcpy(out, vd + carrier->v, (size_t)carrier->kind * sizeof *out);
    return;
  }
  const double *J = trmi_map_J(map);
  for (int i = 0; i < 6; i++) {
    out[i] = map->bias[i];
    for (int k = 0; k < map->n; k++) out[i] += J[map->n * i + k] * vd[carrier->v + k];
  }
}

bool trmi_contact_evaluate(const trmi_contacts *o, const trmi_contact *c, int point,
                           const trm_state *s, trmi_contact_state *at) {
  const trmi_touch_point *p = &c->points[point];
  const trmi_contact_memory *memory = &o->memory[c->first + point];
  at->nz = trmi_contact_states(c);
  at->has_friction = c->friction.kind != TRMI_FRICTION_NONE;
  const double *z = at->nz > 0 ? s->x + c->x + point * at->nz : NULL;
  const bool is_idle = point >= c->used;
  if (!is_idle) trmi_touch_find(p, o->carriers->poses, &at->touch);
  memset(&at->normal, 0, sizeof at->normal);
  at->force = at->torque = v3(0, 0, 0);
  if (is_idle || !(at->touch.gap < 0.0)) {
    for (int k = 0; k < at->nz; k++) at->rate[k] = -z[k] / c->friction.time;
    return false;
  }
  trmi_normal_law law = c->law;
  if (p->is_half) law.stiffness *= 0.5, law.impact_damping *= 0.5;
  at->normal = trmi_normal_force_at(&law, memory->v_minus, -at->touch.gap, -at->touch.rate);
  at->force = v3_scale(at->normal.N * at->touch.share, at->touch.n);
  if (!at->has_friction) return true;
  find_axes(memory, at);
  at->spin = at->roll = (trmi_friction_force){.grip = 0.0};
  add_friction(c, p, z, at);
  return true;
}

/* ---- derivatives ---------------------------------------------------------------------------- */

static double along(const double row[2], const double d[2]) {
  return row[0] * d[0] + row[1] * d[1];
}

/* Change of N phi_k t_k times an arm, added to `sum`; d is the change of the speeds. */
static void change_plane(const trmi_contact_state *at, const trmi_friction_force *f, double arm,
                         const double d[2], double dN, const trmi_vec3 dt[2], trmi_vec3 *sum) {
  const double N = at->normal.N;
  for (int k = 0; k < 2; k++) {
    const double change = arm * (dN * f->force[k] + N * along(f->force_c[k], d));
    *sum = v3_add(*sum, v3_add(v3_scale(change, at->t[k]),
                               v3_scale(arm * N * f->force[k], dt[k])));
  }
}

static void change_friction(const trmi_contact_state *at, const trmi_vec3 dt[2],
                            trmi_contact_change *d) {
  const trmi_touch *t = &at->touch;
  const trmi_vec3 w = v3_sub(t->w[0], t->w[1]);
  double speed[2];
  for (int k = 0; k < 2; k++) {
    speed[k] = v3_dot(at->t[k], d->touch.slip) + v3_dot(dt[k], t->slip);
  }
  change_plane(at, &at->slide, 1.0, speed, d->N, dt, &d->force);
  for (int k = 0; k < 2; k++) d->rate[k] = along(at->slide.rate_c[k], speed);
  int next = 2;
  if (at->arm[0] > 0.0) {
    const double change = at->arm[0] * (v3_dot(d->touch.spin, t->n) + v3_dot(w, d->touch.n));
    const double phi = at->spin.force[0], N = at->normal.N;
    const double sum = d->N * phi + N * at->spin.force_c[0][0] * change;
    d->torque = v3_add(v3_scale(at->arm[0] * sum, t->n),
                       v3_scale(at->arm[0] * N * phi, d->touch.n));
    d->rate[next++] = at->spin.rate_c[0][0] * change;
  }
  if (at->arm[1] > 0.0) {
    for (int k = 0; k < 2; k++) {
      speed[k] = at->arm[2] * (v3_dot(at->t[k], d->touch.spin) + v3_dot(dt[k], w));
    }
    change_plane(at, &at->roll, at->arm[1], speed, d->N, dt, &d->torque);
    for (int k = 0; k < 2; k++) d->rate[next++] = along(at->roll.rate_c[k], speed);
  }
}

trmi_vec3 trmi_contact_push_change(const trmi_contact_state *at, const trmi_contact_change *d) {
  const double N = at->normal.N, share = at->touch.share;
  return v3_add(v3_scale(d->N * share + N * d->touch.share, at->touch.n),
                v3_scale(N * share, d->touch.n));
}

trmi_contact_change trmi_contact_column(const trmi_contact_state *at, int side, bool is_velocity,
                                        int k) {
  trmi_contact_change d = {.touch = trmi_touch_column(&at->touch, side, is_velocity, k),
                           .torque = v3(0, 0, 0)};
  const trmi_normal_force *normal = &at->normal;
  d.N = -normal->by_p * d.touch.gap - normal->by_rate * d.touch.rate;
  d.force = trmi_contact_push_change(at, &d);
  if (!at->has_friction || !(at->touch.gap < 0.0)) return d;
  trmi_vec3 dt[2];
  for (int i = 0; i < 2; i++) {
    dt[i] = v3_add(v3_cross(d.touch.turned, at->t[i]),
                   carried_change(at->n_ref, at->t_ref[i], at->touch.n, d.touch.bent));
  }
  change_friction(at, dt, &d);
  return d;
}

trmi_contact_change trmi_contact_state_column(const trmi_contact_state *at, int k) {
  trmi_contact_change d;
  memset(&d, 0, sizeof d);
  const double N = at->normal.N;
  if (!(at->touch.gap < 0.0)) return d;
  const bool is_spin = at->arm[0] > 0.0 && k == 2;
  if (is_spin) {
    d.torque = v3_scale(N * at->arm[0] * at->spin.force_z[0][0], at->touch.n);
    d.rate[2] = at->spin.rate_z[0][0];
    return d;
  }
  const int first = k < 2 ? 0 : at->arm[0] > 0.0 ? 3 : 2;
  const trmi_friction_force *f = k < 2 ? &at->slide : &at->roll;
  const double arm = k < 2 ? 1.0 : at->arm[1];
  trmi_vec3 sum = v3(0, 0, 0);
  for (int i = 0; i < 2; i++) {
    sum = v3_add(sum, v3_scale(N * arm * f->force_z[i][k - first], at->t[i]));
    d.rate[first + i] = f->rate_z[i][k - first];
  }
  if (k < 2) d.force = sum;
  else d.torque = sum;
  return d;
}

void trmi_contact_loads(const trmi_contact_state *at, double Q[2][6]) {
  for (int k = 0; k < 2; k++) { /* (4) */
    const double sign = k == 0 ? 1.0 : -1.0;
    const trmi_vec3 moment = v3_add(v3_cross(at->touch.arm[k], at->force), at->torque);
    v3_store(Q[k], v3_scale(sign, at->force));
    v3_store(Q[k] + 3, v3_scale(sign, m3_tmul(at->touch.pose[k]->R, moment)));
  }
}

void trmi_contact_change_loads(const trmi_contact_state *at, const trmi_contact_change *d, int side,
                               double Q[2][6], double dQ[2][6]) {
  for (int i = 0; i < 2; i++) {
    const double sign = i == 0 ? 1.0 : -1.0;
    const trmi_vec3 moment = v3_add(d->torque, v3_add(v3_cross(d->touch.arm[i], at->force),
                                                      v3_cross(at->touch.arm[i], d->force)));
    trmi_vec3 turned = v3_scale(sign, m3_tmul(at->touch.pose[i]->R, moment));
    if (i == side) turned = v3_add(turned, v3_cross(v3_load(Q[i] + 3), d->touch.theta)); /* (5) */
    v3_store(dQ[i], v3_scale(sign, d->force));
    v3_store(dQ[i] + 3, turned);
  }
}
