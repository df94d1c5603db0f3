/* touch.c - kinematics of a point with radius r on body 0 and a core with a radius on body 1.
 *
 * With c the position of the point and p = E (R_1^T (c - x_1) - o) in the axes of the core, gap =
 * d(p) - r - r_core, and n the gradient and H the Hessian of d, in ground axes. The forces act in
 * the middle of the overlap,
 *   x = c - (r + gap/2) n                                                                 (1)
 * where the relative velocity is v = v_0 + w_0 x (x - x_0) - v_1 - w_1 x (x - x_1):
 *   gap' = n.v,   slip = v - n gap'                                                       (2)
 * For increments dx of an origin and phi = R dtheta of a rotation, u = the change of c seen from
 * body 1:
 *   dc = dx_0 + phi_0 x (c - x_0),   u = dc - dx_1 - phi_1 x (c - x_1)
 *   dgap = n.u,   dn = phi_1 x n + H u,   dx = dc - (r + gap/2) dn - dgap/2 n              (3)
 *   dv by (2) with dw = R (dw_body + dtheta x w_body)                                     (4)
 * Along the motion u' is the velocity of the point seen from body 1, and with its acceleration
 *   gap'' = n.(a_c - a_1 - w_1' x b - w_1 x (w_1 x b) - 2 w_1 x u') + u'.H u',  b = c - x_1   (5)
 * The lowest point of an ellipsoid with half axes h_i along a_i touches a plane at c - e,
 *   e = A n/root,   root = sqrt(n.A n + eps^2),   A = sum h_i^2 a_i a_i^T                  (6)
 *   gap = d - (root - eps) - r
 * with eps = 0. A circle of radius R has two half axes R and eps = R/1000, so that the point passes
 * through the centre of a circle that lies flat; R is increased so that the gap of an upright
 * circle is exact. dgap = n.u holds for the material point of body 0 there, relative to which the
 * point of contact slides by s = -(de - phi_0 x e) = -(A - e e^T) (dn - phi_0 x n)/root; along the
 * motion this adds n.((w_0 - w_1) x s) to (5).
 * Of two cores the nearest points a, b of core_pair.c touch, w = a - b, n = w/|w|, rho = |w|/d:
 *   gap = d - r_0 - r_1,   x = (a + b + (r_1 - r_0) n)/2,   gap' = rho n.v                 (7)
 * A force along rho n is along the gradient of the gap, so energy is conserved. With u the relative
 * motion of a and b as material points, and sliding positions, dw = u + sum y da:
 *   dgap = rho n.u,   dn = (dw - n n.dw)/|w|,   drho = (n.dw - rho dgap)/d                 (8)
 * gap'' is the sum of d(gap') over the velocities and accelerations of both bodies.
 * A patch of triangles on body 0 touches a core with the point c nearest to it (core_patch.c). It
 * slides by s = sum t_i du_i in the face or along the edge where it lies, so that t_i.n stays zero:
 *   sum_k (t_i.H t_k) du_k = -t_i.(H u + (phi_1 - phi_0) x n),  dn = phi_1 x n + H (u + s)   (9)
 * With H (u + s) for H u and c that moves by dc + s this is (3), and along the motion
 * n.((w_0 - w_1) x s) adds to (5). A box, cylinder, disc, ellipsoid or rim of a profile on body 0
 * does the same (core_solid.c), with bends and bulges in the diagonal of (9). A bulge raises the
 * gap by kappa |a|^2/2, and d changes by n.(u + s) while the gap changes by n.u.
 * Theory: docs/theory/15-contact.md, section 4. */
#include "elements/contact/touch.h"
#include <string.h>

/* T M T^T */
static void turn_matrix(const double T[9], const double M[9], double out[9]) {
  double A[9], B[9];
  m3_mm(T, M, A);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) B[3 * i + j] = T[3 * j + i];
  }
  m3_mm(A, B, out);
}

/* (6): the point moves from the centre to the lowest point */
static double find_round(const trmi_touch_point *p, double d, trmi_touch *t) {
  turn_matrix(t->pose[0]->R, p->A, t->A);
  const trmi_vec3 w = m3_mul(t->A, t->n);
  t->root = sqrt(v3_dot(t->n, w) + p->flat * p->flat);
  t->e = v3_scale(1.0 / t->root, w);
  for (int k = 0; k < 2; k++) t->centre[k] = v3_sub(t->centre[k], t->e);
  t->gap = d - (t->root - p->flat) - p->radius;
  return d - v3_dot(t->n, t->e); /* its height */
}

/* s of (6) for a change of the normal and a rotation of body 0 */
static trmi_vec3 round_slide(const trmi_touch *t, trmi_vec3 dn, trmi_vec3 phi) {
  const trmi_vec3 seen = v3_sub(dn, v3_cross(phi, t->n)); /* from body 0 */
  const trmi_vec3 change = v3_sub(m3_mul(t->A, seen), v3_scale(v3_dot(t->e, seen), t->e));
  return v3_scale(-1.0 / t->root, change);
}

/* ---- patches -------------------------------------------------------------------------------- */

/* The axes F of side 0 in those of the core: E, o of core_patch.h and core_solid.h. */
static void relative_axes(const trmi_touch_point *p, const trmi_touch *t, double E[9],
                          trmi_vec3 *o) {
  const trmi_pose *A = t->pose[0], *B = t->pose[1];
  for (int k = 0; k < 3; k++) { /* an axis of side 0: body 0, ground, body 1, core */
    const trmi_vec3 axis = m3_tmul(B->R, m3_mul(A->R, m3_row(p->F, k)));
    m3_set_column(E, k, m3_mul(p->E, axis));
  }
  const trmi_vec3 origin = v3_add(A->x, m3_mul(A->R, p->s));
  *o = m3_mul(p->E, v3_sub(m3_tmul(B->R, v3_sub(origin, B->x)), p->o));
}

static void find_in_solid(const trmi_touch_point *p, const trmi_touch *t, trmi_solid *solid) {
  *solid = (trmi_solid){.kind = p->solid, .region = p->region, .bulge = p->bulge};
  memcpy(solid->size, p->own, sizeof solid->size);
  relative_axes(p, t, solid->E, &solid->o);
}

/* Inverse of (9). A matrix that is not positive definite because of rounding: no sliding. */
static void invert_slides(const trmi_core_place *place, trmi_touch *t) {
  const int n = place->nfree;
  double A[3][3] = {{0.0}};
  t->nfree = n;
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < n; k++) {
      A[i][k] = v3_dot(place->free[i], m3_mul(place->at.H, place->free[k]));
      t->S[i][k] = i == k ? 1.0 : 0.0;
    }
    A[i][i] += place->bend[i];
  }
  for (int i = 0; i < n; i++) {
    if (!(A[i][i] > 0.0)) {
      t->nfree = 0;
      return;
    }
    const double pivot = 1.0 / A[i][i];
    for (int k = 0; k < n; k++) A[i][k] *= pivot, t->S[i][k] *= pivot;
    for (int r = 0; r < n; r++) {
      const double f = A[r][i];
      for (int k = 0; k < n && r != i; k++) {
        A[r][k] -= f * A[i][k], t->S[r][k] -= f * t->S[i][k];
      }
    }
  }
}

/* The point of a patch or solid, body axes of side 0, its free directions and its distance. */
static trmi_distance find_place(const trmi_touch_point *p, trmi_touch *t, trmi_vec3 *own,
                                double *raised) {
  trmi_patch patch = {.surface = p->sheet, .number = p->patch, .scale = p->own[0]};
  trmi_solid solid;
  trmi_core_place place;
  if (p->solid != TRMI_SOLID_NONE) {
    find_in_solid(p, t, &solid);
    trmi_core_solid(&p->core, &solid, &place);
    memcpy(patch.E, solid.E, sizeof patch.E);
    patch.o = solid.o;
  } else {
    relative_axes(p, t, patch.E, &patch.o);
    trmi_core_patch(&p->core, &patch, &place);
  }
  *own = v3_add(p->s, m3_tmul(p->F, m3_tmul(patch.E, v3_sub(place.x, patch.o))));
  invert_slides(&place, t);
  for (int i = 0; i < t->nfree; i++) {
    t->free[i] = m3_mul(t->pose[1]->R, m3_tmul(p->E, place.free[i]));
  }
  *raised = place.raised;
  if (p->sheet != NULL && place.at.d > 0.0 && trmi_patch_hides(&patch)) place.at.d = -place.at.d;
  return place.at;
}

/* s of (9); turned: phi_1 - phi_0 */
static trmi_vec3 place_slide(const trmi_touch *t, trmi_vec3 u, trmi_vec3 turned) {
  trmi_vec3 s = v3(0, 0, 0);
  if (t->nfree == 0) return s;
  const trmi_vec3 g = v3_add(m3_mul(t->H, u), v3_cross(turned, t->n));
  for (int i = 0; i < t->nfree; i++) {
    double by = 0.0;
    for (int k = 0; k < t->nfree; k++) by -= t->S[i][k] * v3_dot(t->free[k], g);
    s = v3_add(s, v3_scale(by, t->free[i]));
  }
  return s;
}

bool trmi_touch_is_in_ring(const trmi_touch_point *p, const trmi_pose *poses) {
  trmi_touch t = {.pose = {&poses[p->carrier[0]], &poses[p->carrier[1]]}};
  trmi_solid solid;
  trmi_core_place place;
  if (!p->is_ring) return false;
  find_in_solid(p, &t, &solid);
  trmi_core_solid(&p->core, &solid, &place);
  const double inner = 0.5 * (p->radius + p->core.radius);
  return trmi_solid_rim(&p->core, &solid) > place.at.d + inner;
}

bool trmi_touch_is_across(const trmi_touch_point *p, const trmi_pose *poses) {
  trmi_touch t = {.pose = {&poses[p->carrier[0]], &poses[p->carrier[1]]}};
  trmi_solid solid;
  if (p->solid != TRMI_SOLID_RIM || p->core.kind != TRMI_CORE_SEGMENT) return false;
  find_in_solid(p, &t, &solid);
  if (!trmi_solid_is_hollow(&solid)) return false;
  return trmi_solid_other_side(&p->core, &solid) < p->radius + p->core.radius;
}

bool trmi_touch_is_astray(const trmi_touch_point *p, const trmi_pose *poses, double *tilt) {
  const trmi_pose *A = &poses[p->carrier[0]], *B = &poses[p->carrier[1]];
  if (!p->is_pin) return false;
  const trmi_vec3 own = m3_row(p->F, 2), middle = v3_sub(p->s, v3_scale(p->own[2], own));
  const trmi_vec3 a = m3_mul(A->R, own), b = m3_mul(B->R, m3_row(p->E, 2));
  const trmi_vec3 way = v3_sub(v3_sub(v3_add(A->x, m3_mul(A->R, middle)), B->x),
                               m3_mul(B->R, p->o));
  const double sine = v3_norm(v3_cross(a, b));
  *tilt = atan2(sine, fabs(v3_dot(a, b)));
  return sine > trmi_pin_tilt || fabs(v3_dot(way, b)) > p->room;
}

/* ---- two cores ------------------------------------------------------------------------------ */

/* Their bulge is a thousandth of the radii. */
static double bulge_of(const trmi_touch_point *p) {
  const double r = p->radius + p->core.radius;
  double square = 0.0;
  for (int i = 0; i < 3; i++) square += p->own[i] * p->own[i] + p->core.size[i] * p->core.size[i];
  return 1e-3 * r * r / square;
}

/* (7) */
static void find_pair(const trmi_touch_point *p, trmi_touch *t) {
  const trmi_vec3 at[2] = {p->s, p->o};
  const double *const axes[2] = {p->F, p->E}, *const sizes[2] = {p->own, p->core.size};
  trmi_core_pair *c = &t->cores;
  c->bulge = bulge_of(p);
  for (int k = 0; k < 2; k++) {
    const trmi_pose *pose = t->pose[k];
    c->c[k] = v3_add(pose->x, m3_mul(pose->R, at[k]));
    for (int i = 0; i < 3; i++) {
      c->axis[k][i] = m3_mul(pose->R, m3_row(axes[k], i));
      c->size[k][i] = sizes[k][i];
    }
  }
  trmi_core_nearest(c, &t->near);
  for (int k = 0; k < 2; k++) {
    t->place[k] = c->c[k];
    for (int i = 0; i < 3; i++) {
      t->place[k] = v3_add(t->place[k], v3_scale(t->near.at[3 * k + i], c->axis[k][i]));
    }
  }
  const double length = v3_norm(t->near.w);
  t->is_pair = true, t->is_round = false;
  t->radius[0] = p->radius, t->radius[1] = p->core.radius;
  t->gap = t->near.d - p->radius - p->core.radius;
  t->share = t->near.d > 0.0 ? length / t->near.d : 1.0;
  t->n = length > 0.0 ? v3_scale(1.0 / length, t->near.w) : v3(0, 0, 1);
  t->x = v3_scale(0.5, v3_add(v3_add(t->place[0], t->place[1]),
                              v3_scale(p->core.radius - p->radius, t->n)));
}

/* (8) for increments of side `side` */
static void change_pair(const trmi_touch *t, int side, trmi_vec3 dx, trmi_vec3 phi,
                        trmi_touch_change *d) {
  const trmi_vec3 zero = v3(0, 0, 0);
  const trmi_vec3 turns[2] = {side == 0 ? phi : zero, side == 1 ? phi : zero};
  const trmi_vec3 own = v3_add(dx, v3_cross(phi, v3_sub(t->place[side], t->pose[side]->x)));
  const trmi_vec3 u = side == 0 ? own : v3_neg(own);
  const double length = v3_norm(t->near.w);
  double slide[6];
  trmi_vec3 moved[2] = {side == 0 ? own : zero, side == 1 ? own : zero};
  if (!(length > 0.0)) return;
  trmi_core_slide(&t->cores, &t->near, u, turns, slide);
  for (int i = 0; i < 6; i++) {
    moved[i / 3] = v3_add(moved[i / 3], v3_scale(slide[i], t->cores.axis[i / 3][i % 3]));
  }
  const trmi_vec3 dw = v3_sub(moved[0], moved[1]);
  const double along = v3_dot(t->n, dw);
  d->gap = t->share * v3_dot(t->n, u);
  d->share = (along - t->share * d->gap) / t->near.d;
  d->n = v3_scale(1.0 / length, v3_sub(dw, v3_scale(along, t->n)));
  d->turned = turns[1];
  d->bent = v3_sub(d->n, v3_cross(d->turned, t->n));
  d->x = v3_scale(0.5, v3_add(v3_add(moved[0], moved[1]),
                              v3_scale(t->radius[1] - t->radius[0], d->n)));
}

/* gap'' of (7) */
static double pair_acceleration(const trmi_touch *t, const double *const vd[2],
                                const int columns[2]) {
  double sum = 0.0;
  for (int side = 0; side < 2; side++) {
    double v[6];
    v3_store(v, t->pose[side]->v);
    v3_store(v + 3, t->pose[side]->w);
    for (int k = 0; k < columns[side]; k++) {
      sum += v[k] * trmi_touch_column(t, side, false, k).rate;
      sum += vd[side][k] * trmi_touch_column(t, side, true, k).rate;
    }
  }
  return sum;
}

/* ---- all ------------------------------------------------------------------------------------ */

static void find_point(const trmi_touch_point *p, trmi_touch *t) {
  const trmi_pose *A = t->pose[0], *B = t->pose[1];
  double T[9]; /* core axes to ground axes */
  trmi_vec3 own = p->s;
  trmi_distance d = {.d = 0.0};
  double raised = 0.0;
  const bool has_place = p->sheet != NULL || p->solid != TRMI_SOLID_NONE;
  t->nfree = 0;
  if (has_place) d = find_place(p, t, &own, &raised);
  t->centre[0] = m3_mul(A->R, own);
  const trmi_vec3 c = v3_add(A->x, t->centre[0]);
  t->centre[1] = v3_sub(c, B->x);
  const trmi_vec3 place = m3_mul(p->E, v3_sub(m3_tmul(B->R, t->centre[1]), p->o));
  if (!has_place) d = trmi_core_distance(&p->core, place);
  t->gap = d.d + raised - p->radius - p->core.radius;
  t->n = m3_mul(B->R, m3_tmul(p->E, d.n));
  for (int k = 0; k < 3; k++) m3_set_column(T, k, m3_mul(B->R, m3_row(p->E, k)));
  turn_matrix(T, d.H, t->H);
  t->is_round = p->is_round;
  const double height = p->is_round ? find_round(p, d.d, t) : d.d;
  t->inset = height - p->core.radius - 0.5 * t->gap;
  t->x = v3_sub(v3_add(A->x, t->centre[0]), v3_scale(t->inset, t->n)); /* (1) */
  t->is_pair = false;
  t->share = 1.0;
}

bool trmi_touch_is_beyond(const trmi_touch_point *p, const trmi_pose *poses, double part) {
  const trmi_pose *A = &poses[p->carrier[0]], *B = &poses[p->carrier[1]];
  const double beyond = (1.0 + part) * p->far;
  const trmi_vec3 c = v3_add(A->x, m3_mul(A->R, p->s));
  const trmi_vec3 way = v3_sub(v3_sub(c, B->x), m3_mul(B->R, p->o));
  if (p->core.kind != TRMI_CORE_PLANE) return v3_dot(way, way) > beyond * beyond;
  return v3_dot(m3_mul(B->R, m3_row(p->E, 2)), way) > beyond;
}

void trmi_touch_find(const trmi_touch_point *p, const trmi_pose *poses, trmi_touch *t) {
  const trmi_pose *A = &poses[p->carrier[0]], *B = &poses[p->carrier[1]];
  t->pose[0] = A, t->pose[1] = B;
  if (p->is_pair) find_pair(p, t);
  else find_point(p, t);
  t->velocity = v3_sub(A->v, B->v);
  for (int k = 0; k < 2; k++) {
    t->arm[k] = v3_sub(t->x, t->pose[k]->x);
    t->w[k] = m3_mul(t->pose[k]->R, t->pose[k]->w);
    const trmi_vec3 turning = v3_cross(t->w[k], t->arm[k]);
    t->velocity = k == 0 ? v3_add(t->velocity, turning) : v3_sub(t->velocity, turning);
  }
  const double along = v3_dot(t->n, t->velocity); /* (2) */
  t->rate = t->share * along;
  t->slip = v3_sub(t->velocity, v3_scale(along, t->n));
}

/* Acceleration of a point fixed to a body, at `arm` from its origin. */
static trmi_vec3 acceleration_at(const trmi_pose *pose, trmi_vec3 w, trmi_vec3 arm,
                                 const double *vd, int columns) {
  trmi_vec3 a = v3_cross(w, v3_cross(w, arm));
  if (columns >= 3) a = v3_add(a, v3_load(vd));
  if (columns == 6) a = v3_add(a, v3_cross(m3_mul(pose->R, v3_load(vd + 3)), arm));
  return a;
}

double trmi_touch_acceleration(const trmi_touch *t, const double *const vd[2],
                               const int columns[2]) {
  const trmi_pose *A = t->pose[0], *B = t->pose[1];
  if (t->is_pair) return pair_acceleration(t, vd, columns);
  const trmi_vec3 v_c = v3_add(A->v, v3_cross(t->w[0], t->centre[0]));
  const trmi_vec3 u = v3_sub(v_c, v3_add(B->v, v3_cross(t->w[1], t->centre[1])));
  const trmi_vec3 a_c = acceleration_at(A, t->w[0], t->centre[0], vd[0], columns[0]);
  const trmi_vec3 a_1 = acceleration_at(B, t->w[1], t->centre[1], vd[1], columns[1]);
  const trmi_vec3 sum = v3_sub(v3_sub(a_c, a_1), v3_scale(2.0, v3_cross(t->w[1], u)));
  double slides = 0.0;
  if (t->is_round) {
    const trmi_vec3 slide = round_slide(t, v3_cross(t->w[1], t->n), t->w[0]);
    slides = v3_dot(t->n, v3_cross(v3_sub(t->w[0], t->w[1]), slide));
  }
  const trmi_vec3 s = place_slide(t, u, v3_sub(t->w[1], t->w[0])); /* (9) */
  slides += v3_dot(t->n, v3_cross(v3_sub(t->w[0], t->w[1]), s));
  return v3_dot(t->n, sum) + v3_dot(u, m3_mul(t->H, v3_add(u, s))) + slides; /* (5) */
}

/* (3), (6), (9) for increments of side `side` */
static void change_point(const trmi_touch *t, int side, trmi_vec3 dx, trmi_vec3 phi,
                         trmi_touch_change *d) {
  const trmi_vec3 zero = v3(0, 0, 0);
  const trmi_vec3 moved = v3_add(dx, v3_cross(phi, t->centre[side]));
  const trmi_vec3 u = v3_scale(side == 0 ? 1.0 : -1.0, moved);
  d->gap = v3_dot(t->n, u);
  const trmi_vec3 s = place_slide(t, u, side == 0 ? v3_neg(phi) : phi);
  d->bent = m3_mul(t->H, v3_add(u, s));
  if (side == 1) d->turned = phi;
  d->n = v3_add(d->bent, v3_cross(d->turned, t->n));
  trmi_vec3 dc = v3_add(side == 0 ? moved : zero, s);
  double inset = 0.5 * d->gap + v3_dot(t->n, s);
  if (t->is_round) { /* the point slides; its height is n.(c - e) */
    const trmi_vec3 slide = round_slide(t, d->n, side == 0 ? phi : zero);
    dc = v3_add(dc, slide);
    inset += v3_dot(t->n, slide);
  }
  d->x = v3_sub(dc, v3_add(v3_scale(t->inset, d->n), v3_scale(inset, t->n)));
}

trmi_touch_change trmi_touch_column(const trmi_touch *t, int side, bool is_velocity, int k) {
  const trmi_pose *pose = t->pose[side];
  const trmi_vec3 e = v3(k % 3 == 0, k % 3 == 1, k % 3 == 2), zero = v3(0, 0, 0);
  const double sign = side == 0 ? 1.0 : -1.0;
  trmi_vec3 dx = zero, phi = zero, dv = zero, dw = zero;
  trmi_touch_change d = {.theta = zero, .turned = zero, .bent = zero, .n = zero, .x = zero};
  if (is_velocity) {
    if (k < 3) dv = e;
    else dw = m3_mul(pose->R, e);
  } else if (k < 3) {
    dx = e;
  } else {
    d.theta = e;
    phi = m3_mul(pose->R, e);
    dw = m3_mul(pose->R, v3_cross(e, pose->w)); /* (4) */
  }
  if (!is_velocity && t->is_pair) change_pair(t, side, dx, phi, &d);
  else if (!is_velocity) change_point(t, side, dx, phi, &d);
  d.spin = v3_scale(sign, dw);
  d.arm[side] = v3_sub(d.x, dx);
  d.arm[1 - side] = d.x;
  d.velocity = v3_sub(v3_cross(t->w[0], d.arm[0]), v3_cross(t->w[1], d.arm[1]));
  d.velocity = v3_add(d.velocity, v3_scale(sign, v3_add(dv, v3_cross(dw, t->arm[side]))));
  const double along = v3_dot(t->n, t->velocity);
  const double change = v3_dot(t->n, d.velocity) + v3_dot(d.n, t->velocity);
  d.rate = t->share * change + d.share * along;
  d.slip = v3_sub(d.velocity, v3_add(v3_scale(change, t->n), v3_scale(along, d.n)));
  return d;
}
