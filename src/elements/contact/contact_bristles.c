/* contact_bristles.c - rules for bristles in Newton's method and at the ends of steps.
 *
 * The plastic part a of (2) in friction_law.c rises from 0 to 1 between .9 and 1 of the limit. A
 * long step has h V/depth > 1: Newton's method jumps over that part, from elastic to plastic and
 * back without end. So a change of z that jumps over it ends in its middle,
 *   |z + part dz| = .95 lim                                                               (1)
 * where a turns from convex to concave: from there Newton's method finds the solution on either
 * side. Iterates whose a has changed get new matrices.
 * Bristles never bend by more than one, the limit at rest. Implicit equations of a long step have
 * other solutions: at its end the speed has the sign in which (2) is elastic, z.c <= 0, and
 * bristles would bend without limit. In the steps after a touch-down with sliding, methods of order
 * 2 overshoot by (1 - gamma)/gamma of the change in the previous step, and less from step to step.
 * There, where bristles flow, z.c > 0, and the normal force is small, the error test decides.  (2)
 * It also decides on overshoots at other times where bristles slide: with tau V > depth the damper
 * takes up most of the excess, and the force stays near its limit,
 *   |z + g z'| - 1 < (Z - 1)/2                                                            (2a)
 * up to three times the permitted error of a step, .005 at the usual tolerance. Bristles that creep
 * must not exceed the limit: their excess does not vanish in the next steps, and break-away would
 * be delayed. Newton's method begins with bristles that solve their own equation at the predicted
 * motion: with z' = z_0' + s (z - z_0) of the method and c, lim at that motion, (2) of
 * friction_law.c is
 *   z (s + a(Z/lim) kappa) = w,   w = s z_0 - z_0' + c/depth                               (3)
 *   kappa = max(0, w.c)/(|w| lim depth)
 * so z is along w, and Z the root of a function that rises.
 * (1) and (2) hold for bristles of spin and rolling as well, the rest for those of sliding alone.
 * Methods of low order ask for two more errors of a step. Its mean over all coordinates hides that
 * of one body that slides among many that do not, and the error of a slide stays when the body
 * sticks again. So where Z > .95 lim the displacement between the surfaces is tested by itself, and
 * with half the tolerance, because errors of the steps of a slide have one sign: where increments
 * are off by e, and J maps them to the displacement, the error is
 *   2 |J e| / tolerance                                                                    (4)
 * Where mu_d < mu_s, breaking away is unstable: a body that creeps too slowly at the end of a long
 * step holds for too long. Such a step may also end in a sliding at about v_s for which the limit
 * has fallen to the deflection of bristles that should stick. So as long as V < 3 v_s a step that
 * begins with r = Z/lim < .97 and ends with R > .9 may use up .8 of the rest,
 *   ((R - r)/(.8 (1 - r)))^3 <= 1                                                          (5)
 * Theory: docs/theory/15-contact.md, section 3. */
#include "elements/contact/contacts_internal.h"
#include "core/fail.h"
#include <math.h>

static const double begins = 0.9, middle = 0.95, near = 1e-3; /* of the limit */

/* Bristles of sliding, spin and rolling among the states of a point: first index and number. */
enum { KINDS = 3 };
static int bristles_of(const trmi_contact *c, int kind, int *from) {
  const bool spins = c->torsion > 0.0;
  *from = kind == 0 ? 0 : kind == 1 || !spins ? 2 : 3;
  return kind == 0 ? 2 : kind == 1 ? spins : c->rolling > 0.0 ? 2 : 0;
}

/* Is a of (2) in friction_law.c nearly unchanged? Deflections over the limit. */
static bool is_same_part(double before, double after) {
  const double least = 0.02; /* a changes by up to .3 */
  if (before < begins && after < begins) return true;
  if (before > 1.0 && after > 1.0) return true;
  return fabs(after - before) < least;
}

/* Bristles with n components; (1). Has their part changed? */
static bool cut_change(int n, double lim, const double *z, double *change) {
  double before = 0.0, along = 0.0, way = 0.0, after = 0.0;
  for (int i = 0; i < n; i++) {
    before += z[i] * z[i], along += z[i] * change[i], way += change[i] * change[i];
    after += (z[i] + change[i]) * (z[i] + change[i]);
  }
  const double Z0 = sqrt(before) / lim, Z1 = sqrt(after) / lim;
  const bool leaves = Z0 < middle - near && Z1 > middle;
  const bool falls = Z0 > middle + near && (Z1 < middle || along < -before);
  const double goal = middle * lim, root = along * along - way * (before - goal * goal);
  if ((leaves || falls) && root >= 0.0) {
    const double part = (-along + (leaves ? sqrt(root) : -sqrt(root))) / way;
    for (int i = 0; i < n && part > 0.0 && part < 1.0; i++) change[i] *= part;
  }
  return leaves || falls || !is_same_part(Z0, Z1);
}

bool trmi_contact_cut_states(void *self, const double *x, double *change) {
  const trmi_contacts *o = self;
  bool is_new = false;
  for (int i = 0; i < o->count; i++) {
    const trmi_contact *c = &o->list[i];
    const int nz = trmi_contact_states(c);
    for (int k = 0; k < KINDS * c->used && nz > 0; k++) {
      const double lim = o->limit[KINDS * c->first + k];
      int at;
      const int n = bristles_of(c, k % KINDS, &at);
      at += c->x + k / KINDS * nz;
      if (n > 0 && isfinite(lim)) is_new = cut_change(n, lim, x + at, change + at) || is_new;
    }
  }
  return is_new;
}

static double bend_of(int n, const double *z) {
  return n == 0 ? 0.0 : sqrt(z[0] * z[0] + (n > 1 ? z[1] * z[1] : 0.0));
}

/* Z of (3) by bisection. */
static double matched(double W, double slope, double kappa, double lim) {
  double low = 0.0, high = W / slope, unused;
  if (!(kappa > 0.0) || high <= begins * lim) return high;
  while (high - low > 1e-12 * high) {
    const double Z = 0.5 * (low + high);
    if (Z * (slope + trmi_friction_plastic(Z / lim, &unused) * kappa) > W) high = Z;
    else low = Z;
  }
  return 0.5 * (low + high);
}

/* (3) for a point of a contact; false: it does not touch. */
static bool match_point(const trmi_contacts *o, const trmi_contact *c, int point,
                        const trm_state *s, double slope, double *change, bool *is_new) {
  const int x = c->x + point * trmi_contact_states(c);
  trmi_contact_state at;
  double w[2], speed[2];
  if (trmi_contact_is_idle(o, c, point)) return false;
  if (!trmi_contact_evaluate(o, c, point, s, &at)) return false;
  for (int i = 0; i < 2; i++) {
    speed[i] = v3_dot(at.t[i], at.touch.slip);
    w[i] = slope * s->x[x + i] - s->xd[x + i] + speed[i] / c->friction.depth;
  }
  const double W = bend_of(2, w), lim = at.slide.limit;
  if (!(W > 0.0)) return false;
  const double along = fmax((w[0] * speed[0] + w[1] * speed[1]) / W, 0.0);
  const double Z = matched(W, slope, along / (lim * c->friction.depth), lim);
  for (int i = 0; i < 2; i++) change[x + i] = Z * w[i] / W - s->x[x + i];
  *is_new = *is_new || !is_same_part(o->bent[KINDS * (c->first + point)] / lim, Z / lim);
  return true;
}

bool trmi_contact_match_states(void *self, const trm_state *s, double slope, double *change,
                               bool *is_new) {
  const trmi_contacts *o = self;
  bool is_any = false;
  for (int i = 0; i < o->count; i++) {
    const trmi_contact *c = &o->list[i];
    for (int k = 0; k < c->used && trmi_contact_states(c) > 0; k++) {
      is_any = match_point(o, c, k, s, slope, change, is_new) || is_any;
    }
  }
  return is_any;
}

/* (4) for bristles of sliding, whose limit is now `lim`. */
static double error_of_slide(const trmi_contacts *o, const trmi_contact *c, int point,
                             double tolerance) {
  const double weight = 2.0;
  trmi_touch t;
  trmi_touch_find(&c->points[point], o->carriers->poses, &t); /* poses move with `off` */
  return weight * v3_norm(t.slip) / (tolerance * o->length);
}

/* (5) for bristles that end with this part of their limit `lim`; 0: they do not break away. */
static double error_of_break(const trmi_contact *c, double before, double after, double lim) {
  const double most = 0.97, part = 0.8, far = 0.1;
  const double fall = 1.0 - c->friction.moving / c->friction.rest;
  const bool creeps = lim > 1.0 - fall * (1.0 - far); /* V < 3 v_s */
  if (!(fall > 0.0) || !creeps || !(before < most) || !(after > begins)) return 0.0;
  const double change = fmax(after - before, 0.0) / (part * (1.0 - before));
  return change * change * change;
}

double trmi_contact_sliding_error(void *self, const trm_state *s, double *off, double tolerance) {
  const trmi_contacts *o = self;
  double most = 0.0;
  (void)off;
  for (int i = 0; i < o->count; i++) {
    const trmi_contact *c = &o->list[i];
    const int nz = trmi_contact_states(c);
    for (int k = 0; k < c->used && nz > 0; k++) {
      const double lim = o->limit[KINDS * (c->first + k)], before = o->grip[c->first + k];
      if (!isfinite(lim) || trmi_contact_is_idle(o, c, k)) continue;
      const double after = bend_of(2, s->x + c->x + k * nz) / lim;
      if (after > middle) most = fmax(most, error_of_slide(o, c, k, tolerance));
      most = fmax(most, error_of_break(c, before, after, lim));
    }
  }
  return most;
}

/* Deflection over the limit at the start of a step; infinite: it does not matter. */
static double grip_at(const trmi_contacts *o, const trmi_contact *c, int point,
                      const trm_state *s) {
  trmi_contact_state at;
  if (!(c->friction.moving < c->friction.rest) || trmi_contact_is_idle(o, c, point) ||
      !trmi_contact_evaluate(o, c, point, s, &at)) {
    return INFINITY;
  }
  return at.slide.grip;
}

trm_status trmi_contact_begin_step(void *self, const trm_state *s, double h, trm_error *err) {
  trmi_contacts *o = self;
  (void)h, (void)err;
  o->has_kept = false;
  for (int i = 0; i < o->count; i++) {
    const trmi_contact *c = &o->list[i];
    const int nz = trmi_contact_states(c);
    for (int k = 0; k < KINDS * c->used && nz > 0; k++) {
      int at;
      const int n = bristles_of(c, k % KINDS, &at);
      o->bent[KINDS * c->first + k] = bend_of(n, s->x + c->x + k / KINDS * nz + at);
    }
    for (int k = 0; k < c->used && nz > 0; k++) o->grip[c->first + k] = grip_at(o, c, k, s);
  }
  return TRM_OK;
}

/* |z + g z'| of (2a), the force over its limit at rest; infinite: the bristles z do not flow. */
static double flowing_force(const trmi_contacts *o, const trmi_contact *c, int point, int kind,
                            const trm_state *s, const double *z) {
  trmi_contact_state at;
  if (!trmi_contact_evaluate(o, c, point, s, &at)) return INFINITY;
  const trmi_vec3 w = v3_sub(at.touch.w[0], at.touch.w[1]);
  const trmi_friction_force *f = kind == 0 ? &at.slide : kind == 1 ? &at.spin : &at.roll;
  const double rest = kind == 2 ? 1.0 : c->friction.rest; /* rolling has an arm instead */
  const trmi_vec3 speed = kind == 0 ? at.touch.slip : w;
  const double along = kind == 1 ? z[0] * v3_dot(w, at.touch.n)
                                 : z[0] * v3_dot(at.t[0], speed) + z[1] * v3_dot(at.t[1], speed);
  return along > 0.0 ? bend_of(kind == 1 ? 1 : 2, f->force) / rest : INFINITY;
}

trm_status trmi_contact_test_bristles(const trmi_contacts *o, const trm_state *s, trm_error *err) {
  const double slack = 0.002, most = 1.0 + slack; /* remainder of Newton, and rounding */
  const double overshoot = 0.25, fresh = 2.0; /* (2) of hht: (1 - gamma)/gamma, in two steps */
  const double fades = 0.7; /* from step to step: steps that change make it slower than that */
  const double flows = 0.015; /* (2a): three times the error that a step may have */
  for (int i = 0; i < o->count; i++) {
    const trmi_contact *c = &o->list[i];
    const int nz = trmi_contact_states(c);
    for (int k = 0; k < KINDS * c->used && nz > 0; k++) {
      const int point = k / KINDS;
      int at;
      const int n = bristles_of(c, k % KINDS, &at);
      const double *z = s->x + c->x + point * nz + at;
      const double Z = bend_of(n, z), before = o->bent[KINDS * c->first + k];
      if (Z <= most || (before > most && Z <= before + slack)) continue; /* returning */
      const double steps = fmax(o->memory[c->first + point].closed - fresh, 0.0);
      const double force = flowing_force(o, c, point, k % KINDS, s, z);
      const bool is_fresh = Z <= 1.0 + overshoot * pow(fades, steps) && isfinite(force);
      const bool slides = Z <= 1.0 + overshoot && force <= 1.0 + fmin(0.5 * (Z - 1.0), flows);
      if (is_fresh || slides) continue;
      return TRMI_FAIL(err, TRM_RETRY_DOMAIN, c->object, "friction of contact '%.40s' would exceed "
                       "its limit", c->name);
    }
  }
  return TRM_OK;
}
