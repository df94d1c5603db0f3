/* surface.c - edges and patches of a closed surface of triangles.
 *
 * An edge between triangles with normals n_0, n_1 bends by
 *   angle = atan2(e.(n_0 x n_1), n_0.n_1)                                                 (1)
 * with e its direction in the first triangle: positive where it points outwards, negative where it
 * is hollow. Triangles form a patch if they are joined by edges that are not hollow, and each lies
 * behind the planes of all others: a part of a convex surface, whose distance has a continuous
 * normal. A surface without hollow edges is one patch; in a hollow corner two patches are touched.
 *                                                                                         (3)
 * At points the normals are weighted by the angles of their triangles [Baerentzen2005]: the sign of
 * their product with the vector to the nearest point decides what is inside.              (2)
 * Theory: docs/theory/15-contact.md, section 4. */
#include "elements/body/surface.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double flat = 1e-6; /* angle up to which edges count as flat [rad] */
enum { PATCH_MOST = 256 };       /* triangles compared with each other, (3) */

/* A surface being built. */
typedef struct making {
  trmi_arena        *arena;
  char              *fault;
  trmi_vec3         *points, *normal, *point_normal;
  int               *corners, *side, *patch, *owner;
  trmi_surface_edge *edges;
  int                npoints, n, nedges, npatches;
} making;

static bool fail(making *m, const char *sentence) {
  snprintf(m->fault, TRMI_SURFACE_FAULT, "%s", sentence);
  return false;
}

static trmi_vec3 point_of(const making *m, int triangle, int corner) {
  return m->points[m->corners[3 * triangle + corner % 3]];
}

/* Remove triangles with two equal corners, and reverse all if the surface is inside out. */
static void copy_triangles(making *m, const trmi_mesh *mesh) {
  double volume = 0.0;
  memcpy(m->points, mesh->points, (size_t)mesh->npoints * sizeof *m->points);
  for (int i = 0; i < mesh->ntriangles; i++) {
    const int *c = mesh->corners + 3 * i;
    if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]) continue;
    memcpy(m->corners + 3 * m->n, c, 3 * sizeof *c);
    volume += v3_dot(m->points[c[0]], v3_cross(m->points[c[1]], m->points[c[2]]));
    m->n++;
  }
  for (int i = 0; i < m->n && volume < 0.0; i++) {
    int *c = m->corners + 3 * i, last = c[2];
    c[2] = c[1], c[1] = last;
  }
}

static bool find_normals(making *m) {
  for (int i = 0; i < m->n; i++) {
    const trmi_vec3 a = v3_sub(point_of(m, i, 1), point_of(m, i, 0));
    const trmi_vec3 b = v3_sub(point_of(m, i, 2), point_of(m, i, 0)), n = v3_cross(a, b);
    const double size = v3_norm(n), longest = fmax(v3_dot(a, a), v3_dot(b, b));
    if (!(size > 1e-12 * longest)) {
      snprintf(m->fault, TRMI_SURFACE_FAULT, "the corners of one of its triangles lie on a line, "
               "at (%.4g, %.4g, %.4g)", point_of(m, i, 0).x, point_of(m, i, 0).y,
               point_of(m, i, 0).z);
      return false;
    }
    m->normal[i] = v3_scale(1.0 / size, n);
  }
  for (int i = 0; i < 3 * m->n; i++) { /* (2) */
    const trmi_vec3 at = point_of(m, i / 3, i % 3);
    const trmi_vec3 a = v3_sub(point_of(m, i / 3, i % 3 + 1), at);
    const trmi_vec3 b = v3_sub(point_of(m, i / 3, i % 3 + 2), at);
    const double angle = atan2(v3_norm(v3_cross(a, b)), v3_dot(a, b));
    trmi_vec3 *sum = &m->point_normal[m->corners[i]];
    *sum = v3_add(*sum, v3_scale(angle, m->normal[i / 3]));
  }
  return true;
}

/* ---- edges ---------------------------------------------------------------------------------- */

/* A side of a triangle. */
typedef struct half_edge {
  int low, high, number; /* number: 3 * triangle + corner */
} half_edge;

static int by_ends(const void *x, const void *y) {
  const half_edge *a = x, *b = y;
  if (a->low != b->low) return a->low - b->low;
  if (a->high != b->high) return a->high - b->high;
  return a->number - b->number;
}

/* (1) */
static void add_edge(making *m, int first, int second) {
  trmi_surface_edge *e = &m->edges[m->nedges];
  const int a = m->corners[first], b = m->corners[first % 3 == 2 ? first - 2 : first + 1];
  const trmi_vec3 way = v3_sub(m->points[b], m->points[a]);
  const trmi_vec3 n0 = m->normal[first / 3], n1 = m->normal[second / 3];
  *e = (trmi_surface_edge){.end = {a, b}, .face = {first / 3, second / 3},
                           .length = v3_norm(way)};
  e->along = v3_scale(1.0 / e->length, way);
  e->bend = atan2(v3_dot(e->along, v3_cross(n0, n1)), v3_dot(n0, n1));
  m->side[first] = m->side[second] = m->nedges++;
}

static bool find_edges(making *m) {
  half_edge *all = TRMI_TAKE(m->arena, half_edge, 3 * (size_t)m->n);
  if (all == NULL) return false;
  for (int i = 0; i < 3 * m->n; i++) {
    const int a = m->corners[i], b = m->corners[i % 3 == 2 ? i - 2 : i + 1];
    all[i] = (half_edge){a < b ? a : b, a < b ? b : a, i};
  }
  qsort(all, 3 * (size_t)m->n, sizeof *all, by_ends);
  for (int i = 0, k; i < 3 * m->n; i = k) {
    for (k = i; k < 3 * m->n && all[k].low == all[i].low && all[k].high == all[i].high;) k++;
    if (k - i == 1) return fail(m, "the surface is not closed");
    if (k - i > 2) return fail(m, "an edge belongs to more than two of its triangles");
    if (m->corners[all[i].number] == m->corners[all[i + 1].number]) {
      return fail(m, "neighbours among its triangles are turned differently: inside and outside "
                     "are not clear");
    }
    add_edge(m, all[i].number, all[i + 1].number);
  }
  return true;
}

/* ---- patches -------------------------------------------------------------------------------- */

/* Links of triangles to the first one of their connected set. */
static int first_of(int *first, int i) {
  while (first[i] != i) i = first[i] = first[first[i]];
  return i;
}

/* (3): do the corners of triangle a lie behind the plane of b? */
static bool is_below(const making *m, int a, int b, double slack) {
  for (int k = 0; k < 3; k++) {
    const trmi_vec3 off = v3_sub(point_of(m, a, k), point_of(m, b, 0));
    if (v3_dot(m->normal[b], off) > slack) return false;
  }
  return true;
}

static bool fits(const making *m, int triangle, const int *list, int count, double slack) {
  for (int i = 0; i < count; i++) {
    if (!is_below(m, triangle, list[i], slack) || !is_below(m, list[i], triangle, slack)) {
      return false;
    }
  }
  return true;
}

/* Grow a patch from one triangle; `list` is scratch. */
static void grow_patch(making *m, int seed, bool is_convex, double slack, int *list) {
  int count = 0;
  m->patch[seed] = m->npatches;
  list[count++] = seed;
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < 3; k++) {
      const trmi_surface_edge *e = &m->edges[m->side[3 * list[i] + k]];
      const int other = e->face[0] == list[i] ? e->face[1] : e->face[0];
      if (m->patch[other] >= 0 || e->bend < -flat) continue;
      if (!is_convex && (count >= PATCH_MOST || !fits(m, other, list, count, slack))) continue;
      m->patch[other] = m->npatches;
      list[count++] = other;
    }
  }
  m->npatches++;
}

/* `room` is scratch. */
static void find_patches(making *m, int *room) {
  int *first = room, *list = room + m->n, *is_hollow = room + 2 * m->n;
  double size = 0.0;
  for (int i = 0; i < m->n; i++) first[i] = i;
  for (int i = 0; i < m->nedges; i++) {
    const trmi_surface_edge *e = &m->edges[i];
    const int a = first_of(first, e->face[0]), b = first_of(first, e->face[1]);
    first[a > b ? a : b] = a > b ? b : a;
    size = fmax(size, e->length);
  }
  for (int i = 0; i < m->n; i++) m->patch[i] = -1, list[i] = 0;
  for (int i = 0; i < m->nedges; i++) { /* does a connected set have hollow edges? */
    if (m->edges[i].bend < -flat) list[first_of(first, m->edges[i].face[0])] = 1;
  }
  for (int i = 0; i < m->n; i++) is_hollow[i] = list[first_of(first, i)];
  for (int i = 0; i < m->n; i++) {
    if (m->patch[i] < 0) grow_patch(m, i, is_hollow[i] == 0, 1e-9 * size, list);
  }
}

/* Points with only flat edges around them have no contacts of their own. */
static void find_owners(making *m) {
  for (int i = 0; i < m->npoints; i++) m->owner[i] = -1;
  for (int i = 0; i < m->nedges; i++) {
    const trmi_surface_edge *e = &m->edges[i];
    for (int k = 0; k < 2 && fabs(e->bend) > flat; k++) {
      int *owner = &m->owner[e->end[k]];
      const int face = e->face[0] < e->face[1] ? e->face[0] : e->face[1];
      if (*owner < 0 || face < *owner) *owner = face;
    }
  }
}

bool trmi_surface_make(const trmi_mesh *mesh, trmi_arena *arena, trmi_surface *out,
                       char fault[TRMI_SURFACE_FAULT]) {
  const size_t n = (size_t)mesh->ntriangles, np = (size_t)mesh->npoints;
  making m = {.arena = arena, .fault = fault, .npoints = mesh->npoints,
              .points = TRMI_TAKE(arena, trmi_vec3, np), .normal = TRMI_TAKE(arena, trmi_vec3, n),
              .point_normal = TRMI_TAKE(arena, trmi_vec3, np),
              .corners = TRMI_TAKE(arena, int, 3 * n), .side = TRMI_TAKE(arena, int, 3 * n),
              .patch = TRMI_TAKE(arena, int, n), .owner = TRMI_TAKE(arena, int, np),
              .edges = TRMI_TAKE(arena, trmi_surface_edge, 3 * n)};
  int *room = TRMI_TAKE(arena, int, 3 * n);
  fault[0] = '\0';
  if (arena->failed) return false;
  for (size_t i = 0; i < np; i++) m.point_normal[i] = v3(0, 0, 0);
  copy_triangles(&m, mesh);
  if (m.n < 4) return fail(&m, "a closed surface has at least four triangles");
  if (!find_normals(&m) || !find_edges(&m)) return false;
  find_patches(&m, room);
  find_owners(&m);
  *out = (trmi_surface){
    .mesh = {.points = m.points, .npoints = m.npoints, .corners = m.corners, .ntriangles = m.n},
    .normal = m.normal, .point_normal = m.point_normal, .edges = m.edges, .nedges = m.nedges,
    .side = m.side, .patch = m.patch, .npatches = m.npatches, .owner = m.owner};
  for (int i = 0; i < 3 * m.n; i++) {
    out->reach = fmax(out->reach, v3_norm(m.points[m.corners[i]]));
  }
  return trmi_surface_grow(out, arena);
}
