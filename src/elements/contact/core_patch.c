/* core_patch.c - the point x of a patch of triangles at which the distance d(x) from a convex core
 * with a smooth surface is smallest: x slides on the triangles, n and H are those of the core.
 *
 * d is convex, inside negative, so a triangle has one smallest value. Along an edge a + s e
 *   n.e = 0,   ds = -n.e/(e.H e)                                                           (1)
 * by Newton's method between bounds. The best point of all three edges is that of the triangle
 * unless d falls towards the interior, m.n < 0 with m perpendicular to the edge in the face; then
 * it lies in the interior, with two directions t_i of the face
 *   t_i.n = 0,   sum_k (t_i.H t_k) du_k = -t_i.n                                           (2)
 * and steps that do not make d smaller are halved. d falls by at most the distance moved, so a box
 * of the tree with centre c and half diagonal r is excluded where d(c) - r is above the best.   (3)
 * Theory: docs/theory/15-contact.md, section 4. */
#include "elements/contact/core_patch.h"
#include <math.h>

enum { ROUNDS = 60, HALVINGS = 40 };
static const double flat = 1e-14; /* n.t that counts as zero */

/* A corner of a triangle, axes of the core. */
static trmi_vec3 corner_at(const trmi_patch *p, int triangle, int k) {
  const trmi_mesh *mesh = &p->surface->mesh;
  const trmi_vec3 x = v3_scale(p->scale, mesh->points[mesh->corners[3 * triangle + k]]);
  return v3_add(m3_mul(p->E, x), p->o);
}

static double bent(const trmi_distance *d, trmi_vec3 a, trmi_vec3 b) {
  return v3_dot(a, m3_mul(d->H, b));
}

/* (1): the best point between a and b */
static trmi_core_place along_edge(const trmi_core *core, trmi_vec3 a, trmi_vec3 b) {
  const trmi_vec3 way = v3_sub(b, a);
  const double length = v3_norm(way);
  const trmi_vec3 e = v3_scale(1.0 / length, way);
  trmi_core_place out = {.x = a, .at = trmi_core_distance(core, a)};
  if (!(v3_dot(out.at.n, e) < 0.0)) return out;
  out = (trmi_core_place){.x = b, .at = trmi_core_distance(core, b)};
  if (!(v3_dot(out.at.n, e) > 0.0)) return out;
  double low = 0.0, high = length, s = 0.5 * length;
  out.nfree = 1, out.free[0] = e;
  for (int round = 0; round < ROUNDS; round++) {
    out.x = v3_add(a, v3_scale(s, e));
    out.at = trmi_core_distance(core, out.x);
    const double slope = v3_dot(out.at.n, e), bend = bent(&out.at, e, e);
    if (slope > 0.0) high = s;
    else low = s;
    if (fabs(slope) <= flat || !(high - low > 1e-15 * length)) break;
    const double next = s - slope / bend;
    s = next > low && next < high ? next : 0.5 * (low + high);
  }
  return out;
}

/* (2), from a point on the border at which d decreases inwards */
static void into_face(const trmi_core *core, trmi_vec3 t0, trmi_vec3 t1, trmi_core_place *out) {
  out->nfree = 2, out->free[0] = t0, out->free[1] = t1;
  for (int round = 0; round < ROUNDS; round++) {
    const double g[2] = {v3_dot(out->at.n, t0), v3_dot(out->at.n, t1)};
    if (hypot(g[0], g[1]) <= flat) return;
    const double a = bent(&out->at, t0, t0), b = bent(&out->at, t0, t1), c = bent(&out->at, t1, t1);
    const double det = a * c - b * b;
    if (!(det > 0.0)) return;
    const trmi_vec3 way = v3_add(v3_scale(-(c * g[0] - b * g[1]) / det, t0),
                                 v3_scale(-(a * g[1] - b * g[0]) / det, t1));
    double part = 1.0;
    bool is_better = false;
    for (int k = 0; k < HALVINGS && !is_better; k++, part *= 0.5) {
      const trmi_vec3 x = v3_add(out->x, v3_scale(part, way));
      const trmi_distance at = trmi_core_distance(core, x);
      const double slope = hypot(v3_dot(at.n, t0), v3_dot(at.n, t1));
      is_better = at.d < out->at.d || (k == 0 && slope < hypot(g[0], g[1]) &&
                                       at.d <= out->at.d + 1e-15 * v3_norm(x));
      if (is_better) out->x = x, out->at = at;
    }
    if (!is_better) return; /* rounding */
  }
}

static void offer_triangle(const trmi_core *core, const trmi_patch *p, int triangle,
                           trmi_core_place *best) {
  const trmi_vec3 c[3] = {corner_at(p, triangle, 0), corner_at(p, triangle, 1),
                          corner_at(p, triangle, 2)};
  const trmi_vec3 normal = m3_mul(p->E, p->surface->normal[triangle]);
  trmi_core_place own = {.at = {.d = INFINITY}};
  trmi_vec3 across = v3(0, 0, 0);
  for (int k = 0; k < 3; k++) {
    const trmi_vec3 a = c[k], b = c[(k + 1) % 3];
    const trmi_core_place side = along_edge(core, a, b);
    if (!(side.at.d < own.at.d)) continue;
    own = side;
    across = v3_cross(normal, v3_sub(b, a)); /* counterclockwise: to the inside */
  }
  if (own.nfree == 1 && v3_dot(across, own.at.n) < 0.0) {
    const trmi_vec3 t0 = own.free[0];
    into_face(core, t0, v3_cross(normal, t0), &own);
  }
  if (own.at.d < best->at.d) *best = own;
}

/* (3) */
static double least_in(const trmi_core *core, const trmi_patch *p, const trmi_surface_node *node) {
  const trmi_vec3 low = v3_load(node->low), high = v3_load(node->high);
  const trmi_vec3 middle = v3_scale(0.5 * p->scale, v3_add(low, high));
  const double radius = 0.5 * p->scale * v3_norm(v3_sub(high, low));
  return trmi_core_distance(core, v3_add(m3_mul(p->E, middle), p->o)).d - radius;
}

void trmi_core_patch(const trmi_core *core, const trmi_patch *patch, trmi_core_place *out) {
  const trmi_surface *s = patch->surface;
  int stack[TRMI_SURFACE_DEPTH], depth = 0;
  *out = (trmi_core_place){.at = {.d = INFINITY, .n = v3(0, 0, 1)}};
  stack[depth++] = 0;
  while (depth > 0) {
    const int number = stack[--depth];
    const trmi_surface_node *node = &s->nodes[number];
    if (!(least_in(core, patch, node) < out->at.d)) continue;
    for (int i = 0; i < node->count && node->other == 0; i++) {
      const int triangle = s->order[node->first + i];
      const bool is_own = patch->number == TRMI_SURFACE_ANY || s->patch[triangle] == patch->number;
      if (is_own) offer_triangle(core, patch, triangle, out);
    }
    if (node->other > 0) stack[depth++] = node->other, stack[depth++] = number + 1;
  }
}

bool trmi_patch_hides(const trmi_patch *patch) {
  const trmi_vec3 middle = v3_scale(-1.0 / patch->scale, m3_tmul(patch->E, patch->o));
  return trmi_surface_distance(patch->surface, patch->number, middle).d < 0.0;
}
