/* core_solid.c - the point of a solid at which the distance d from a core is smallest.
 *
 * Points are x = o + sum a_i y_i with a in a box, a cylinder, a rim of a profile, or on an
 * ellipsoid. A nearest point that is not unique, on a line or face, would jump, so all solids
 * except ellipsoids bulge slightly:
 *   F = d(x) + kappa |a|^2/2                                                              (1)
 * is convex where d is, and its minimum is unique and moves continuously. With n and H of d
 *   g_i = y_i.n + kappa a_i,   M_ik = y_i.H y_k + kappa delta_ik                           (2)
 * At a bound of a box the point is fixed if F decreases outwards. On the rim of a cylinder of
 * radius R it slides along the tangent t; the curvature of the rim adds
 *   M_tt + lambda,   lambda = -g.a/R^2                                                     (3)
 * and likewise on arcs of a region, lambda = -g.m/R with the outward normal m and R < 0 for hollow
 * arcs; on its lines lambda is zero, and at its corners the point is fixed if F decreases outwards
 * of both sides. On an ellipsoid, a = h b with half axes h and |b| = 1, it slides along h t_1, h
 * t_2 with t_i.b = 0:
 *   lambda = -b.(h g) for each of them                                                    (4)
 * Newton's method moves in the free directions, returns to bounds that were passed, and shortens
 * steps that do not decrease F; if it fails, steps follow the gradient. Near convergence changes of
 * F are only rounding: there the gradient itself must decrease. A layer behind a hollow arc is not
 * convex: an edge that crosses it obliquely may have a nearest point on either side. Newton's
 * method begins at the lowest of several points of the arc.                                  (5)
 * Theory: docs/theory/15-contact.md, section 4. */
#include "elements/contact/core_solid.h"
#include <stdbool.h>
#include <string.h>

enum { ROUNDS = 60, HALVINGS = 30, ANGLES = 64, LOOKS = 16 };
static const double flat = 1e-14; /* gradient that counts as zero */

/* A point during the search. */
typedef struct spot {
  double        a[3];
  trmi_distance at;
  double        F, g[3];
  int           nfree;
  trmi_vec3     way[3];  /* directions of a, unit vectors but for (4)  */
  double        bend[3]; /* lambda                                     */
  double        slope;
  bool          is_on_edge; /* of a region, along which it slides      */
} spot;

static trmi_vec3 place_of(const trmi_solid *s, const double a[3]) {
  return v3_add(s->o, m3_mul(s->E, v3_load(a)));
}

static void add_way(spot *p, trmi_vec3 way, double bend) {
  p->way[p->nfree] = way, p->bend[p->nfree++] = bend;
}

/* A position along axis i between bounds. */
static void free_between(const trmi_solid *s, int i, spot *p) {
  const bool is_held = fabs(p->a[i]) >= s->size[i] && p->a[i] * p->g[i] <= 0.0;
  if (!(s->size[i] > 0.0) || (is_held && p->a[i] != 0.0)) return;
  add_way(p, v3(i == 0, i == 1, i == 2), 0.0);
}

/* (3) */
static void free_on_disc(const trmi_solid *s, spot *p) {
  const double R = s->size[0], rho = hypot(p->a[0], p->a[1]);
  const double out = p->a[0] * p->g[0] + p->a[1] * p->g[1];
  if (!(R > 0.0)) return;
  if (rho >= (1.0 - 1e-14) * R && out < 0.0) {
    add_way(p, v3(-p->a[1] / rho, p->a[0] / rho, 0.0), -out / (R * R));
  } else {
    add_way(p, v3(1, 0, 0), 0.0), add_way(p, v3(0, 1, 0), 0.0);
  }
}

static double square_between(const double a[2], const double b[2]) {
  return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]);
}

/* Along a piece of a region at its beginning or end, if F decreases outwards; `way` -1: backwards
 * only, 1: forwards only, 0: both. */
static bool slide_on_piece(const trmi_outline_piece *piece, const double m[2], int way, spot *p) {
  const double out = m[0] * p->g[0] + m[1] * p->g[1];
  const double along = -m[1] * p->g[0] + m[0] * p->g[1];
  if (!(out < 0.0) || way * along > 0.0 || (way != 0 && along == 0.0)) return false;
  add_way(p, v3(-m[1], m[0], 0.0), piece->radius != 0.0 ? -out / piece->radius : 0.0);
  p->is_on_edge = true;
  return true;
}

/* At the joint of two pieces of a region; false: all directions are free. */
static bool slide_at_corner(const trmi_outline_piece *old, const trmi_outline_piece *new,
                            spot *p) {
  const double *m = old->normal[1], *n = new->normal[0], *g = p->g;
  if (fabs(m[0] * n[1] - m[1] * n[0]) < 1e-9) { /* without a corner */
    const double along = -n[1] * g[0] + n[0] * g[1];
    return slide_on_piece(along > 0.0 ? old : new, n, 0, p);
  }
  if (slide_on_piece(old, m, -1, p) || slide_on_piece(new, n, 1, p)) return true;
  return m[0] * g[0] + m[1] * g[1] < 0.0 || n[0] * g[0] + n[1] * g[1] < 0.0;
}

/* Is a place of a region at the joint before piece `next`? Pieces reach 1e-12 of their length or
 * radius beyond their ends (body/outline_nearest.c). */
static bool is_at_joint(const trmi_outline *o, int next, const double a[2]) {
  const trmi_outline_piece *new = &o->pieces[next];
  const trmi_outline_piece *old = &o->pieces[(next + o->count - 1) % o->count];
  const double size = fmax(o->reach, fmax(fabs(old->radius), fabs(new->radius)));
  const double near = 4e-12 * size;
  return square_between(new->a, a) <= near * near;
}

/* (3) in a convex region */
static void free_in_region(const trmi_solid *s, spot *p) {
  const trmi_outline *o = s->region;
  const double near = 1e-12 * o->reach; /* above rounding */
  const trmi_outline_near at = trmi_outline_nearest(o, p->a);
  if (at.d >= -near) {
    const int behind = (at.piece + 1) % o->count;
    const int next = is_at_joint(o, behind, p->a) ? behind : at.piece; /* the second of two */
    const trmi_outline_piece *new = &o->pieces[next];
    const trmi_outline_piece *old = &o->pieces[(next + o->count - 1) % o->count];
    const bool is_bound = is_at_joint(o, next, p->a) ? slide_at_corner(old, new, p)
                                     : slide_on_piece(&o->pieces[at.piece], at.n, 0, p);
    if (is_bound) return;
  }
  add_way(p, v3(1, 0, 0), 0.0), add_way(p, v3(0, 1, 0), 0.0);
}

/* (4) */
static void free_on_ellipsoid(const trmi_solid *s, spot *p) {
  const trmi_vec3 h = v3_load(s->size), b = v3(p->a[0] / h.x, p->a[1] / h.y, p->a[2] / h.z);
  const double lambda = -v3_dot(b, v3_times(h, v3_load(p->g)));
  const double x = fabs(b.x), y = fabs(b.y), z = fabs(b.z);
  const trmi_vec3 far = x <= y && x <= z ? v3(1, 0, 0) : y <= z ? v3(0, 1, 0) : v3(0, 0, 1);
  const trmi_vec3 cross = v3_cross(b, far), t = v3_scale(1.0 / v3_norm(cross), cross);
  add_way(p, v3_times(h, t), lambda), add_way(p, v3_times(h, v3_cross(b, t)), lambda);
}

/* (1), (2) at a, and the free directions there */
static void look(const trmi_core *core, const trmi_solid *s, spot *p) {
  const trmi_vec3 a = v3_load(p->a);
  p->at = trmi_core_distance(core, place_of(s, p->a));
  p->F = p->at.d + 0.5 * s->bulge * v3_dot(a, a);
  v3_store(p->g, v3_add(m3_tmul(s->E, p->at.n), v3_scale(s->bulge, a)));
  p->nfree = 0, p->slope = 0.0, p->is_on_edge = false;
  if (s->kind == TRMI_SOLID_ELLIPSOID) {
    free_on_ellipsoid(s, p);
  } else {
    for (int i = 0; i < 3; i++) {
      if (i == 2 || s->kind == TRMI_SOLID_BOX) free_between(s, i, p);
      else if (i == 0 && s->kind == TRMI_SOLID_RIM) free_in_region(s, p);
      else if (i == 0) free_on_disc(s, p);
    }
  }
  for (int i = 0; i < p->nfree; i++) {
    const double along = v3_dot(p->way[i], v3_load(p->g)) / v3_norm(p->way[i]);
    p->slope = hypot(p->slope, along);
  }
}

static double clipped(double x, double most) {
  return fmin(fmax(x, -most), most);
}

/* Move to the nearest point of a region, or of its border; repeated from far away, to remove the
 * rounding of the long distance. */
static void into_region(const trmi_solid *s, bool is_on_edge, double a[3]) {
  for (int k = 0; k < 2; k++) {
    const trmi_outline_near at = trmi_outline_nearest(s->region, a);
    if (at.d > 0.0 || is_on_edge || k == 1) a[0] -= at.d * at.n[0], a[1] -= at.d * at.n[1];
    if (!(at.d > s->region->reach)) return;
  }
}

/* Slide by `part` of the steps in the free directions, and back into the solid. */
static void slide(const trmi_solid *s, const spot *from, const double step[3], double part,
                  double a[3]) {
  memcpy(a, from->a, 3 * sizeof *a);
  for (int i = 0; i < from->nfree; i++) {
    const double way[3] = {from->way[i].x, from->way[i].y, from->way[i].z};
    for (int k = 0; k < 3; k++) a[k] += part * step[i] * way[k];
  }
  if (s->kind == TRMI_SOLID_ELLIPSOID) {
    const double *h = s->size, b = v3_norm(v3(a[0] / h[0], a[1] / h[1], a[2] / h[2]));
    for (int k = 0; k < 3; k++) a[k] /= b;
    return;
  }
  a[2] = clipped(a[2], s->size[2]);
  for (int k = 0; k < 2 && s->kind == TRMI_SOLID_BOX; k++) a[k] = clipped(a[k], s->size[k]);
  if (s->kind == TRMI_SOLID_BOX) return;
  if (s->kind == TRMI_SOLID_RIM) {
    into_region(s, from->is_on_edge, a);
    return;
  }
  const double rho = hypot(a[0], a[1]), R = s->size[0];
  const bool is_on_rim = from->nfree > 0 && from->bend[0] > 0.0; /* it remains on the rim */
  if (rho > R || (is_on_rim && rho > 0.0)) a[0] *= R / rho, a[1] *= R / rho;
}

/* Steps of Newton's method; false: it has none. */
static bool newton_steps(const trmi_solid *s, const spot *p, double step[3]) {
  double M[3][4];
  const int n = p->nfree;
  for (int i = 0; i < n; i++) {
    const trmi_vec3 y = m3_mul(s->E, p->way[i]);
    for (int k = 0; k < n; k++) {
      M[i][k] = v3_dot(y, m3_mul(p->at.H, m3_mul(s->E, p->way[k]))) +
                s->bulge * v3_dot(p->way[i], p->way[k]) + (i == k ? p->bend[i] : 0.0);
    }
    M[i][n] = -v3_dot(p->way[i], v3_load(p->g));
  }
  for (int i = 0; i < n; i++) {
    if (!(M[i][i] > 0.0)) return false;
    for (int r = i + 1; r < n; r++) {
      const double f = M[r][i] / M[i][i];
      for (int k = i; k <= n; k++) M[r][k] -= f * M[i][k];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    step[i] = M[i][n];
    for (int k = i + 1; k < n; k++) step[i] -= M[i][k] * step[k];
    step[i] /= M[i][i];
  }
  return true;
}

/* Step along the gradient, limited by the curvature or the size of the solid. */
static void slope_steps(const trmi_solid *s, const spot *p, double step[3]) {
  const double reach = v3_norm(v3_load(s->size));
  const double curved = p->at.H[0] + p->at.H[4] + p->at.H[8] + s->bulge + 1.0 / reach;
  for (int i = 0; i < p->nfree; i++) {
    const double square = v3_dot(p->way[i], p->way[i]);
    step[i] = -v3_dot(p->way[i], v3_load(p->g)) / (square * fabs(curved));
  }
}

/* A better point along steps; false: none. */
static bool improve(const trmi_core *core, const trmi_solid *s, const double step[3], spot *p) {
  const double rounding = 1e-15 * (fabs(p->F) + v3_norm(v3_load(s->size)));
  double part = 1.0;
  for (int k = 0; k < HALVINGS; k++, part *= 0.5) {
    spot next;
    slide(s, p, step, part, next.a);
    look(core, s, &next);
    const bool is_flatter = next.slope < 0.5 * p->slope && next.F <= p->F + rounding;
    if (!(next.F < p->F - rounding) && !is_flatter) continue;
    *p = next;
    return true;
  }
  return false;
}

bool trmi_solid_is_hollow(const trmi_solid *s) {
  return s->kind == TRMI_SOLID_RIM && s->region->pieces[0].radius < 0.0;
}

/* Point i of LOOKS along a hollow arc, between its ends. */
static void look_along(const trmi_core *core, const trmi_solid *s, int i, spot *p) {
  memset(p->a, 0, sizeof p->a);
  trmi_outline_place(&s->region->pieces[0], (i + 0.5) / LOOKS, p->a);
  look(core, s, p);
}

/* (5) */
static void begin_in_hollow(const trmi_core *core, const trmi_solid *s, spot *p) {
  for (int i = 0; i < LOOKS; i++) {
    spot next;
    look_along(core, s, i, &next);
    if (next.F < p->F) *p = next;
  }
}

/* Start of the search: the centre; for an ellipsoid the lowest point for the normal there; for a
 * region that does not contain its centre the nearest point. */
static void begin(const trmi_core *core, const trmi_solid *s, spot *p) {
  memset(p->a, 0, sizeof p->a);
  if (s->kind == TRMI_SOLID_ELLIPSOID) {
    const trmi_vec3 n = m3_tmul(s->E, trmi_core_distance(core, s->o).n), h = v3_load(s->size);
    const double length = v3_norm(v3_times(h, n));
    v3_store(p->a, v3_scale(-1.0 / length, v3_times(h, v3_times(h, n))));
  }
  if (s->kind == TRMI_SOLID_RIM) into_region(s, false, p->a);
  look(core, s, p);
}

/* Move to the local minimum of F. */
static void descend(const trmi_core *core, const trmi_solid *s, spot *p) {
  for (int round = 0; round < ROUNDS && p->slope > flat; round++) {
    double step[3] = {0.0, 0.0, 0.0};
    if (newton_steps(s, p, step) && improve(core, s, step, p)) continue;
    slope_steps(s, p, step);
    if (!improve(core, s, step, p)) break; /* rounding */
  }
}

void trmi_core_solid(const trmi_core *core, const trmi_solid *s, trmi_core_place *out) {
  spot p;
  begin(core, s, &p);
  if (core->kind == TRMI_CORE_SEGMENT && trmi_solid_is_hollow(s)) begin_in_hollow(core, s, &p);
  descend(core, s, &p);
  *out = (trmi_core_place){.x = place_of(s, p.a), .at = p.at, .nfree = p.nfree,
                      .raised = p.F - p.at.d};
  for (int i = 0; i < p.nfree; i++) {
    out->free[i] = m3_mul(s->E, p.way[i]);
    out->bend[i] = p.bend[i] + s->bulge * v3_dot(p.way[i], p.way[i]);
  }
}

static double rim_at(const trmi_core *core, const trmi_solid *s, double phi) {
  const double a[3] = {s->size[0] * cos(phi), s->size[0] * sin(phi), 0.0};
  return trmi_core_distance(core, place_of(s, a)).d;
}

double trmi_solid_rim(const trmi_core *core, const trmi_solid *s) {
  const double part = 2.0 * 3.14159265358979323846 / ANGLES, golden = 0.6180339887498949;
  double least = INFINITY, low = 0.0;
  for (int k = 0; k < ANGLES; k++) {
    const double d = rim_at(core, s, k * part);
    if (d < least) least = d, low = (k - 1) * part;
  }
  double high = low + 2.0 * part;
  for (int round = 0; round < HALVINGS; round++) { /* between its neighbours */
    const double x = high - golden * (high - low), y = low + golden * (high - low);
    const double dx = rim_at(core, s, x), dy = rim_at(core, s, y);
    least = fmin(least, fmin(dx, dy));
    if (dx < dy) high = y;
    else low = x;
  }
  return least;
}

double trmi_solid_other_side(const trmi_core *core, const trmi_solid *s) {
  spot at[LOOKS];
  double least = INFINITY, second = INFINITY;
  for (int i = 0; i < LOOKS; i++) look_along(core, s, i, &at[i]);
  for (int i = 0; i < LOOKS; i++) { /* points lower than their neighbours */
    const bool is_lower = (i == 0 || at[i].F < at[i - 1].F) &&
                          (i == LOOKS - 1 || at[i].F <= at[i + 1].F);
    if (!is_lower) continue;
    spot p = at[i];
    descend(core, s, &p);
    if (p.nfree == 0) continue; /* an end of the arc, where other feet touch */
    second = fmin(second, fmax(least, p.F));
    least = fmin(least, p.F);
  }
  return second;
}
