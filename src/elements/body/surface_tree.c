/* surface_tree.c - a tree of boxes around the triangles of a surface, and search for the nearest
 * point.
 *
 * A node is divided into two halves by the middles of its triangles along its longest side, until
 * few are left. The nearest point of a triangle lies in its face, on an edge or at a corner, by the
 * regions of [Ericson2005]. Boxes farther away than the best so far are skipped. Theory:
 * docs/theory/15-contact.md, section 4. */
#include "elements/body/surface.h"
#include <math.h>
#include <stdlib.h>

enum { LEAF = 4 };

/* ---- boxes ---------------------------------------------------------------------------------- */

/* A triangle with the middle that sorts it. */
typedef struct sorted {
  double middle;
  int    triangle;
} sorted;

typedef struct growing {
  trmi_surface      *s;
  trmi_surface_node *nodes;
  int               *order;
  sorted            *room;
} growing;

static int by_middle(const void *x, const void *y) {
  const sorted *a = x, *b = y;
  if (a->middle != b->middle) return a->middle < b->middle ? -1 : 1;
  return a->triangle - b->triangle;
}

static void corner_of(const trmi_surface *s, int triangle, int k, double x[3]) {
  v3_store(x, s->mesh.points[s->mesh.corners[3 * triangle + k]]);
}

static void fit_box(const growing *g, trmi_surface_node *node) {
  for (int i = 0; i < 3; i++) node->low[i] = INFINITY, node->high[i] = -INFINITY;
  for (int t = 0; t < 3 * node->count; t++) {
    double x[3];
    corner_of(g->s, g->order[node->first + t / 3], t % 3, x);
    for (int i = 0; i < 3; i++) {
      node->low[i] = fmin(node->low[i], x[i]), node->high[i] = fmax(node->high[i], x[i]);
    }
  }
}

/* A node and all below it; depth is that of a tree of halves, below TRMI_SURFACE_DEPTH. */
static int grow(growing *g, int first, int count) {
  const int number = g->s->nnodes++;
  trmi_surface_node *node = &g->nodes[number];
  int axis = 0;
  *node = (trmi_surface_node){.first = first, .count = count};
  fit_box(g, node);
  if (count <= LEAF) return number;
  for (int i = 1; i < 3; i++) {
    if (node->high[i] - node->low[i] > node->high[axis] - node->low[axis]) axis = i;
  }
  for (int t = 0; t < count; t++) {
    double sum = 0.0, x[3];
    for (int k = 0; k < 3; k++) corner_of(g->s, g->order[first + t], k, x), sum += x[axis];
    g->room[t] = (sorted){sum, g->order[first + t]};
  }
  qsort(g->room, (size_t)count, sizeof *g->room, by_middle);
  for (int t = 0; t < count; t++) g->order[first + t] = g->room[t].triangle;
  (void)grow(g, first, count / 2);
  const int other = grow(g, first + count / 2, count - count / 2);
  g->nodes[number].other = other;
  return number;
}

bool trmi_surface_grow(trmi_surface *s, trmi_arena *arena) {
  const size_t n = (size_t)s->mesh.ntriangles;
  growing g = {.s = s, .nodes = TRMI_TAKE(arena, trmi_surface_node, 2 * n),
               .order = TRMI_TAKE(arena, int, n), .room = TRMI_TAKE(arena, sorted, n)};
  if (arena->failed) return false;
  for (size_t i = 0; i < n; i++) g.order[i] = (int)i;
  s->nnodes = 0;
  (void)grow(&g, 0, (int)n);
  s->nodes = g.nodes, s->order = g.order;
  return true;
}

/* ---- nearest point -------------------------------------------------------------------------- */

/* Square of the distance from a box. */
static double square_to_box(const trmi_surface_node *node, const double p[3]) {
  double sum = 0.0;
  for (int i = 0; i < 3; i++) {
    const double off = fmax(fmax(node->low[i] - p[i], p[i] - node->high[i]), 0.0);
    sum += off * off;
  }
  return sum;
}

/* Store a point of a triangle if it is nearer; corner and side number within it, -1: none. */
static void offer(const trmi_surface *s, int triangle, trmi_vec3 w, int corner, int side,
                  trmi_surface_foot *best) {
  const double square = v3_dot(w, w);
  if (!(square < best->square)) return;
  *best = (trmi_surface_foot){
    .w = w, .square = square, .triangle = triangle,
    .point = corner >= 0 ? s->mesh.corners[3 * triangle + corner] : -1,
    .edge = side >= 0 ? s->side[3 * triangle + side] : -1};
}

/* Side k goes from corner k to the next one. */
static void offer_side(const trmi_surface *s, int triangle, int k, trmi_vec3 p, double part,
                       trmi_surface_foot *best) {
  const int *c = s->mesh.corners + 3 * triangle;
  const trmi_vec3 a = s->mesh.points[c[k]], b = s->mesh.points[c[(k + 1) % 3]];
  offer(s, triangle, v3_sub(p, v3_add(a, v3_scale(part, v3_sub(b, a)))), -1, k, best);
}

static void offer_triangle(const trmi_surface *s, int triangle, trmi_vec3 p,
                           trmi_surface_foot *best) {
  const int *k = s->mesh.corners + 3 * triangle;
  const trmi_vec3 a = s->mesh.points[k[0]], b = s->mesh.points[k[1]], c = s->mesh.points[k[2]];
  const trmi_vec3 ab = v3_sub(b, a), ac = v3_sub(c, a);
  const trmi_vec3 ap = v3_sub(p, a), bp = v3_sub(p, b), cp = v3_sub(p, c);
  const double d1 = v3_dot(ab, ap), d2 = v3_dot(ac, ap), d3 = v3_dot(ab, bp), d4 = v3_dot(ac, bp);
  const double d5 = v3_dot(ab, cp), d6 = v3_dot(ac, cp);
  const double vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
  if (d1 <= 0.0 && d2 <= 0.0) {
    offer(s, triangle, ap, 0, -1, best);
  } else if (d3 >= 0.0 && d4 <= d3) {
    offer(s, triangle, bp, 1, -1, best);
  } else if (d6 >= 0.0 && d5 <= d6) {
    offer(s, triangle, cp, 2, -1, best);
  } else if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) {
    offer_side(s, triangle, 0, p, d1 / (d1 - d3), best);
  } else if (va <= 0.0 && d4 >= d3 && d5 >= d6) {
    offer_side(s, triangle, 1, p, (d4 - d3) / ((d4 - d3) + (d5 - d6)), best);
  } else if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) {
    offer_side(s, triangle, 2, p, 1.0 - d2 / (d2 - d6), best);
  } else {
    const trmi_vec3 n = s->normal[triangle];
    offer(s, triangle, v3_scale(v3_dot(n, ap), n), -1, -1, best);
  }
}

trmi_surface_foot trmi_surface_nearest(const trmi_surface *s, trmi_vec3 p, int patch,
                                       double within) {
  trmi_surface_foot best = {.square = within * within, .triangle = -1, .point = -1, .edge = -1};
  int stack[TRMI_SURFACE_DEPTH], depth = 0;
  double at[3];
  v3_store(at, p);
  stack[depth++] = 0;
  while (depth > 0) {
    const int number = stack[--depth];
    const trmi_surface_node *node = &s->nodes[number];
    if (!(square_to_box(node, at) < best.square)) continue;
    for (int i = 0; i < node->count && node->other == 0; i++) {
      const int triangle = s->order[node->first + i];
      if (patch != TRMI_SURFACE_ANY && s->patch[triangle] != patch) continue;
      offer_triangle(s, triangle, p, &best);
    }
    if (node->other == 0) continue;
    const int children[2] = {number + 1, node->other};
    const int near = square_to_box(&s->nodes[children[0]], at) <=
                     square_to_box(&s->nodes[children[1]], at) ? 0 : 1;
    stack[depth++] = children[1 - near], stack[depth++] = children[near];
  }
  if (best.triangle < 0) best.square = INFINITY;
  return best;
}
