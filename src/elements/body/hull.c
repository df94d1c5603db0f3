/* hull.c - the convex hull of points, built incrementally.
 *
 * The hull begins with a tetrahedron of distant points. A point sees the faces that it is in front
 * of by more than the rounding of its height n.w above them: with sides a, b of a face, w from a
 * corner of it to the point, and points up to r from the origin
 *   8 eps (|w| |a| |b|/|a x b| + r)                                                        (1)
 * A bound without the slenderness of faces would be too small for slender ones and leave hollows.
 * The visible faces are replaced by triangles from the point to the edges between visible and
 * hidden faces. Points that see no face are inside. Points far from the middle come first, so that
 * most of the others are inside. */
#include "elements/body/surface.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS_MAX = 4096 };

typedef struct face {
  int       corner[3];
  trmi_vec3 n;   /* unit normal                   */
  double    slender; /* |a| |b|/|a x b| of (1)   */
  bool      is_seen;
} face;

typedef struct hull {
  const trmi_vec3 *points;
  int              count;
  face            *faces;
  int              nfaces, room;
  int             *seen;    /* visible faces                                        [room]  */
  int              nseen;
  int             *next;    /* of horizon edges: the corner that follows, -1: none [count] */
  double           far;     /* r of (1)                                                    */
  double           size;    /* from the first point to the one farthest from it            */
  char            *fault;
} hull;

static bool fail(hull *h, const char *sentence) {
  snprintf(h->fault, TRMI_SURFACE_FAULT, "%s", sentence);
  return false;
}

/* False: its corners lie on a line. */
static bool add_face(hull *h, int a, int b, int c) {
  const trmi_vec3 *x = h->points;
  const trmi_vec3 ab = v3_sub(x[b], x[a]), ac = v3_sub(x[c], x[a]), n = v3_cross(ab, ac);
  const double size = v3_norm(n);
  if (!(size > 0.0) || h->nfaces >= h->room) return false;
  face *f = &h->faces[h->nfaces++];
  *f = (face){.corner = {a, b, c}, .n = v3_scale(1.0 / size, n)};
  f->slender = v3_norm(ab) * v3_norm(ac) / size;
  return true;
}

/* ---- the first tetrahedron ------------------------------------------------------------------ */

/* The point with the largest distance from a point, a line or a plane through `known` ones. */
static int farthest(const hull *h, const int *known, int count, double *most) {
  const trmi_vec3 o = h->points[known[0]];
  const trmi_vec3 a = count > 1 ? v3_sub(h->points[known[1]], o) : v3(0, 0, 0);
  const trmi_vec3 b = count > 2 ? v3_sub(h->points[known[2]], o) : v3(0, 0, 0);
  const trmi_vec3 n = v3_cross(a, b);
  int best = known[0];
  *most = 0.0;
  for (int i = 0; i < h->count; i++) {
    const trmi_vec3 way = v3_sub(h->points[i], o);
    const double distance = count == 1   ? v3_norm(way)
                            : count == 2 ? v3_norm(v3_cross(way, a)) / v3_norm(a)
                                         : fabs(v3_dot(way, n)) / v3_norm(n);
    if (distance > *most) *most = distance, best = i;
  }
  return best;
}

static bool begin(hull *h) {
  static const char *const sentences[] = {"its points coincide", "its points lie on a line",
                                          "its points lie in a plane"};
  int known[4] = {0, 0, 0, 0};
  double size = 0.0;
  for (int k = 1; k < 4; k++) {
    double most;
    known[k] = farthest(h, known, k, &most);
    if (k == 1) size = h->size = most;
    if (!(most > 1e-8 * size)) return fail(h, sentences[k - 1]);
  }
  const trmi_vec3 o = h->points[known[0]];
  const trmi_vec3 n = v3_cross(v3_sub(h->points[known[1]], o), v3_sub(h->points[known[2]], o));
  if (v3_dot(n, v3_sub(h->points[known[3]], o)) > 0.0) {
    const int first = known[1];
    known[1] = known[2], known[2] = first;
  }
  return add_face(h, known[0], known[1], known[2]) && add_face(h, known[0], known[3], known[1]) &&
         add_face(h, known[1], known[3], known[2]) && add_face(h, known[2], known[3], known[0]);
}

/* ---- points --------------------------------------------------------------------------------- */

/* Does the side from a to b belong to a visible face? */
static bool is_side_seen(const hull *h, int a, int b) {
  for (int i = 0; i < h->nseen; i++) {
    const int *c = h->faces[h->seen[i]].corner;
    for (int k = 0; k < 3; k++) {
      if (c[k] == a && c[(k + 1) % 3] == b) return true;
    }
  }
  return false;
}

/* Edges around the visible faces, as one ring; false: they do not form one. */
static bool find_ring(hull *h, int *first, int *length) {
  int count = 0;
  for (int i = 0; i < h->count; i++) h->next[i] = -1;
  for (int i = 0; i < h->nseen; i++) {
    const int *c = h->faces[h->seen[i]].corner;
    for (int k = 0; k < 3; k++) {
      const int a = c[k], b = c[(k + 1) % 3];
      if (is_side_seen(h, b, a)) continue;
      if (h->next[a] >= 0) return false;
      h->next[a] = b, *first = a, count++;
    }
  }
  *length = 0;
  for (int at = *first; count > 0; at = h->next[at]) {
    if (at < 0 || *length > count) return false;
    if (at == *first && *length > 0) break;
    (*length)++;
  }
  return count > 0 && *length == count;
}

static bool add_point(hull *h, int i) {
  int first = -1, length = 0, kept = 0;
  h->nseen = 0;
  for (int k = 0; k < h->nfaces; k++) {
    face *f = &h->faces[k];
    const trmi_vec3 w = v3_sub(h->points[i], h->points[f->corner[0]]);
    const double slack = 8 * DBL_EPSILON * (f->slender * v3_norm(w) + h->far); /* (1) */
    f->is_seen = v3_dot(f->n, w) > slack;
    if (f->is_seen) h->seen[h->nseen++] = k;
  }
  if (h->nseen == 0) return true;
  const bool is_ring = find_ring(h, &first, &length);
  for (int k = 0; k < h->nfaces && is_ring; k++) {
    if (!h->faces[k].is_seen) h->faces[kept++] = h->faces[k];
  }
  if (is_ring) h->nfaces = kept;
  for (int at = first, k = 0; k < length && is_ring; k++, at = h->next[at]) {
    if (!add_face(h, at, h->next[at], i)) return fail(h, "some of its points nearly coincide");
  }
  return is_ring ? true : fail(h, "some of its points nearly coincide");
}

/* Are all points behind all faces? Near points that coincide up to rounding, visibility may be
 * inconsistent. */
static bool is_convex(const hull *h) {
  const double most = 1e-7 * h->size;
  for (int k = 0; k < h->nfaces; k++) {
    const face *f = &h->faces[k];
    const trmi_vec3 x = h->points[f->corner[0]];
    for (int i = 0; i < h->count; i++) {
      if (!(v3_dot(f->n, v3_sub(h->points[i], x)) <= most)) return false;
    }
  }
  return true;
}

/* ---- all ------------------------------------------------------------------------------------ */

typedef struct sorted {
  double far;
  int    point;
} sorted;

static int by_far(const void *x, const void *y) {
  const sorted *a = x, *b = y;
  if (a->far != b->far) return a->far > b->far ? -1 : 1;
  return a->point - b->point;
}

/* Remove points that are not corners, and renumber. */
static bool write_mesh(const hull *h, trmi_arena *arena, trmi_mesh *mesh) {
  trmi_vec3 *points = TRMI_TAKE(arena, trmi_vec3, h->count);
  int *corners = TRMI_TAKE(arena, int, 3 * h->nfaces), n = 0;
  if (arena->failed) return false;
  for (int i = 0; i < h->count; i++) h->next[i] = -1;
  for (int i = 0; i < 3 * h->nfaces; i++) {
    const int old = h->faces[i / 3].corner[i % 3];
    if (h->next[old] < 0) points[n] = h->points[old], h->next[old] = n++;
    corners[i] = h->next[old];
  }
  *mesh = (trmi_mesh){.points = points, .npoints = n, .corners = corners,
                      .ntriangles = h->nfaces};
  return true;
}

bool trmi_hull_make(const trmi_vec3 *points, int count, trmi_arena *arena, trmi_mesh *mesh,
                    char fault[TRMI_SURFACE_FAULT]) {
  hull h = {.points = points, .count = count, .fault = fault};
  trmi_vec3 middle = v3(0, 0, 0);
  fault[0] = '\0';
  if (count < 4) return fail(&h, "a hull needs four points");
  if (count > POINTS_MAX) return fail(&h, "a hull has at most 4096 points");
  h.room = 2 * count + 8; /* a hull of n corners has 2 n - 4 triangles */
  h.faces = TRMI_TAKE(arena, face, h.room);
  h.next = TRMI_TAKE(arena, int, count);
  h.seen = TRMI_TAKE(arena, int, h.room);
  sorted *all = TRMI_TAKE(arena, sorted, count);
  if (arena->failed) return false;
  for (int i = 0; i < count; i++) {
    if (!isfinite(v3_dot(points[i], points[i]))) return fail(&h, "a number is not finite");
    middle = v3_add(middle, v3_scale(1.0 / count, points[i]));
    h.far = fmax(h.far, v3_norm(points[i]));
  }
  for (int i = 0; i < count; i++) all[i] = (sorted){v3_norm(v3_sub(points[i], middle)), i};
  qsort(all, (size_t)count, sizeof *all, by_far);
  if (!begin(&h)) return fault[0] != '\0' ? false : fail(&h, "some of its points nearly coincide");
  for (int i = 0; i < count; i++) {
    if (!add_point(&h, all[i].point)) return false;
  }
  if (!is_convex(&h)) return fail(&h, "some of its points nearly coincide");
  return write_mesh(&h, arena, mesh);
}
