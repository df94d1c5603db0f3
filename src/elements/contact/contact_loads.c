/* contact_loads.c - the force at one point of a contact, and its derivatives.
 *
 *   F = N n on side 0 at x, -F on side 1                                                  (1)
 *   Q_0 = (F, R_0^T (arm_0 x F)),   Q_1 = -(F, R_1^T (arm_1 x F)),   arm_i = x - x_i      (2)
 *   dF = dN n + N dn,   dN = -N_p dgap - N_p' dgap'                                       (3)
 *   d(R^T y) = R^T dy + (R^T y) x dtheta                                                  (4)
 * Columns: touch.c. Theory: docs/theory/15-contact.md, section 4. */
#include "elements/contact/contacts_internal.h"

bool trmi_contact_evaluate(const trmi_contacts *o, const trmi_contact *c, int point, double v_minus,
                           trmi_contact_state *at) {
  trmi_touch_find(&c->points[point], o->carriers->poses, &at->touch);
  if (!(at->touch.gap < 0.0)) return false;
  at->normal = trmi_normal_force_at(&c->law, v_minus, -at->touch.gap, -at->touch.rate);
  at->force = v3_scale(at->normal.N, at->touch.n); /* (1) */
  return true;
}

trmi_vec3 trmi_contact_force_column(const trmi_contact_state *at, int side, bool is_velocity,
                                    int k, trmi_touch_change *d) {
  *d = trmi_touch_column(&at->touch, side, is_velocity, k);
  const double dN = -at->normal.by_p * d->gap - at->normal.by_rate * d->rate; /* (3) */
  return v3_add(v3_scale(dN, at->touch.n), v3_scale(at->normal.N, d->n));
}

void trmi_contact_loads(const trmi_contact_state *at, double Q[2][6]) {
  for (int k = 0; k < 2; k++) { /* (2) */
    const trmi_vec3 F = k == 0 ? at->force : v3_neg(at->force);
    v3_store(Q[k], F);
    v3_store(Q[k] + 3, m3_tmul(at->touch.pose[k]->R, v3_cross(at->touch.arm[k], F)));
  }
}

/* dQ of both sides for one column */
static void change_loads(const trmi_contact_state *at, int side, bool is_velocity, int k,
                         double Q[2][6], double dQ[2][6]) {
  trmi_touch_change d;
  const trmi_vec3 dF = trmi_contact_force_column(at, side, is_velocity, k, &d);
  for (int i = 0; i < 2; i++) {
    const double sign = i == 0 ? 1.0 : -1.0;
    const trmi_vec3 moment = v3_add(v3_cross(d.arm[i], at->force), v3_cross(at->touch.arm[i], dF));
    trmi_vec3 turned = v3_scale(sign, m3_tmul(at->touch.pose[i]->R, moment));
    if (i == side) turned = v3_add(turned, v3_cross(v3_load(Q[i] + 3), d.theta)); /* (4) */
    v3_store(dQ[i], v3_scale(sign, dF));
    v3_store(dQ[i] + 3, turned);
  }
}

void trmi_contact_add_tangent(const trmi_contacts *o, const trmi_contact *c, int point,
                              const trmi_contact_state *at, bool is_velocity, double K[12][12]) {
  const trmi_touch_point *p = &c->points[point];
  const bool is_swapped = p->carrier[0] != c->carrier[0];
  double Q[2][6], dQ[2][6];
  trmi_contact_loads(at, Q);
  for (int side = 0; side < 2; side++) {
    const int columns = (int)o->carriers->list[p->carrier[side]].kind;
    const int first = 6 * (is_swapped ? 1 - side : side);
    for (int k = 0; k < columns; k++) {
      change_loads(at, side, is_velocity, k, Q, dQ);
      for (int i = 0; i < 12; i++) {
        const int row = is_swapped ? (i + 6) % 12 : i;
        K[row][first + k] -= dQ[i / 6][i % 6];
      }
    }
  }
}
