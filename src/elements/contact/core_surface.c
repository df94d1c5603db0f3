/* core_surface.c - distance of a point from a closed surface of triangles, or from a patch of it;
 * inside negative.
 *
 * w is the vector from the nearest point of the surface, which lies in a face, on an edge along e
 * or at a corner. sigma = 1 outside and -1 inside, by the sign of w.N, where N is the normal of the
 * face, the sum of both normals at an edge, and the sum weighted by angles at a corner:
 *   d = sigma |w|,   n = w/d,   H = (D - n n^T)/d                                         (1)
 * D = n n^T in a face, 1 - e e^T on an edge, 1 at a corner. From outside n is continuous unless two
 * points of the surface are equally near, which cannot happen for a patch without hollow edges.
 * A point behind a patch is inside the body only if no other patch is nearer: elsewhere, beyond a
 * wall, d stays positive.                                                                 (2)
 * Theory: docs/theory/15-contact.md, section 4. */
#include "elements/contact/core_distance.h"
#include <math.h>
#include <stdbool.h>

/* N of (1) */
static trmi_vec3 normal_at(const trmi_surface *s, const trmi_surface_foot *f) {
  if (f->point >= 0) return s->point_normal[f->point];
  if (f->edge < 0) return s->normal[f->triangle];
  const trmi_surface_edge *e = &s->edges[f->edge];
  return v3_add(s->normal[e->face[0]], s->normal[e->face[1]]);
}

/* (2) */
static bool is_behind(const trmi_surface *s, const trmi_surface_foot *f, int patch, trmi_vec3 p) {
  if (!(v3_dot(f->w, normal_at(s, f)) < 0.0)) return false;
  if (patch == TRMI_SURFACE_ANY || s->npatches == 1) return true;
  const trmi_surface_foot all = trmi_surface_nearest(s, p, TRMI_SURFACE_ANY, INFINITY);
  return !(all.square < f->square) && v3_dot(all.w, normal_at(s, &all)) < 0.0;
}

trmi_distance trmi_surface_distance(const trmi_surface *s, int patch, trmi_vec3 p) {
  const trmi_surface_foot f = trmi_surface_nearest(s, p, patch, INFINITY);
  const double size = sqrt(f.square);
  if (f.triangle < 0) return (trmi_distance){.d = NAN, .n = v3(0, 0, 1)}; /* p is not finite */
  trmi_distance out = {.d = is_behind(s, &f, patch, p) ? -size : size};
  if (!(size > 1e-14 * s->reach)) { /* on it */
    const trmi_vec3 N = normal_at(s, &f);
    const double length = v3_norm(N);
    out.n = length > 0.0 ? v3_scale(1.0 / length, N) : v3(0, 0, 1);
    return out;
  }
  out.n = v3_scale(1.0 / out.d, f.w);
  if (f.point < 0 && f.edge < 0) return out;
  const trmi_vec3 e = f.point < 0 ? s->edges[f.edge].along : v3(0, 0, 0);
  const double n[3] = {out.n.x, out.n.y, out.n.z}, a[3] = {e.x, e.y, e.z};
  for (int i = 0; i < 9; i++) {
    const double one = i / 3 == i % 3 ? 1.0 : 0.0;
    out.H[i] = (one - n[i / 3] * n[i % 3] - a[i / 3] * a[i % 3]) / out.d;
  }
  return out;
}
