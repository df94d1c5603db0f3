/* solid_surface.c - the surface of a mesh: faces that belong to one element only. */
#include "fem/solid_surface.h"
#include <stdlib.h>
#include <string.h>

enum { TRIANGLES_MAX = 6, CORNERS_MAX = 4 }; /* of a face */

/* Corners of each face, counterclockwise from outside; -1: a triangle. */
static const int tetrahedron_faces[4][4] = {{0, 2, 1, -1}, {0, 1, 3, -1}, {1, 2, 3, -1},
                                            {0, 3, 2, -1}};
static const int wedge_faces[5][4] = {{0, 2, 1, -1}, {3, 4, 5, -1}, {0, 1, 4, 3}, {1, 2, 5, 4},
                                      {2, 0, 3, 5}};
static const int hexahedron_faces[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5},
                                           {2, 3, 7, 6}, {3, 0, 4, 7}};

static int faces_of(int corners, const int (**list)[4]) {
  *list = corners == 4 ? tetrahedron_faces : corners == 6 ? wedge_faces : hexahedron_faces;
  return corners == 4 ? 4 : corners == 6 ? 5 : 6;
}

/* A face by its sorted corners. */
typedef struct face {
  int key[CORNERS_MAX];
  int element, number;
} face;

static int compare_keys(const void *a, const void *b) {
  const face *p = a, *q = b;
  for (int k = 0; k < CORNERS_MAX; k++) {
    if (p->key[k] != q->key[k]) return p->key[k] < q->key[k] ? -1 : 1;
  }
  return (p->element > q->element) - (p->element < q->element);
}

static int compare_elements(const void *a, const void *b) {
  const face *p = a, *q = b;
  if (p->element != q->element) return p->element < q->element ? -1 : 1;
  return (p->number > q->number) - (p->number < q->number);
}

static void sort_corners(int key[CORNERS_MAX]) {
  for (int i = 1; i < CORNERS_MAX; i++) {
    for (int k = i; k > 0 && key[k - 1] > key[k]; k--) {
      const int other = key[k];
      key[k] = key[k - 1], key[k - 1] = other;
    }
  }
}

/* All faces of all elements; NULL: count only. */
static int list_faces(const trmi_solid_mesh *mesh, face *faces) {
  int count = 0;
  for (int e = 0; e < mesh->nelements; e++) {
    const int *nodes = mesh->connections + mesh->elements[e].first;
    const int(*list)[4];
    const int n = faces_of(trmi_solid_infos[mesh->elements[e].type].corners, &list);
    for (int f = 0; f < n; f++, count++) {
      if (faces == NULL) continue;
      faces[count] = (face){.element = e, .number = f};
      for (int k = 0; k < CORNERS_MAX; k++) {
        faces[count].key[k] = list[f][k] >= 0 ? nodes[list[f][k]] : -1;
      }
      sort_corners(faces[count].key);
    }
  }
  return count;
}

/* Those without a twin, by elements. @return how many */
static int keep_single(face *faces, int count) {
  int kept = 0;
  qsort(faces, (size_t)count, sizeof *faces, compare_keys);
  for (int i = 0; i < count;) {
    int end = i + 1;
    while (end < count && memcmp(faces[i].key, faces[end].key, sizeof faces[i].key) == 0) end++;
    if (end == i + 1) faces[kept++] = faces[i];
    i = end;
  }
  qsort(faces, (size_t)kept, sizeof *faces, compare_elements);
  return kept;
}

/* NULL: memory ran out. */
static const face *single_faces(const trmi_solid_mesh *mesh, trmi_arena *arena, int *count) {
  const int all = list_faces(mesh, NULL);
  face *faces = TRMI_TAKE(arena, face, all);
  if (faces == NULL) return NULL;
  (void)list_faces(mesh, faces);
  *count = keep_single(faces, all);
  return faces;
}

const trmi_solid_face *trmi_solid_faces(const trmi_solid_mesh *mesh, trmi_arena *arena,
                                        int *count) {
  const face *faces = single_faces(mesh, arena, count);
  trmi_solid_face *out = faces != NULL ? TRMI_TAKE(arena, trmi_solid_face, *count) : NULL;
  for (int i = 0; out != NULL && i < *count; i++) {
    const int(*list)[4];
    (void)faces_of(trmi_solid_infos[mesh->elements[faces[i].element].type].corners, &list);
    out[i] = (trmi_solid_face){.element = faces[i].element, .corners = list[faces[i].number]};
  }
  return out;
}

/* ---- points ---------------------------------------------------------------------------------- */

int trmi_solid_surface_point(const trmi_solid_surface *surface, int node, int material) {
  int point = surface->first[node];
  while (point >= 0 && surface->material[point] != material) point = surface->next[point];
  return point;
}

/* The point, a new one if there is none. */
static int take_point(trmi_solid_surface *s, int node, int material) {
  const int known = trmi_solid_surface_point(s, node, material);
  if (known >= 0) return known;
  s->node[s->npoints] = node, s->material[s->npoints] = material;
  s->next[s->npoints] = s->first[node];
  s->first[node] = s->npoints;
  return s->npoints++;
}

/* ---- triangles ------------------------------------------------------------------------------- */

/* The middle node of an edge between two corners. */
static int middle_of(const trmi_solid_info *info, int a, int b) {
  for (int e = 0; e < info->nodes - info->corners; e++) {
    const int p = info->edges[e][0], q = info->edges[e][1];
    if ((p == a && q == b) || (p == b && q == a)) return info->corners + e;
  }
  return -1;
}

static void add_triangle(trmi_solid_surface *s, const int *points, int a, int b, int c) {
  int *out = s->corners + 3 * (size_t)s->ntriangles++;
  out[0] = points[a], out[1] = points[b], out[2] = points[c];
}

/* Corners first, then the middles that follow them around. */
static void add_face(trmi_solid_surface *s, const trmi_solid_mesh *mesh, const face *f) {
  const trmi_solid_element *element = &mesh->elements[f->element];
  const trmi_solid_info *info = &trmi_solid_infos[element->type];
  const int *nodes = mesh->connections + element->first;
  const int(*list)[4];
  (void)faces_of(info->corners, &list);
  const int *corner = list[f->number], n = corner[3] >= 0 ? 4 : 3;
  int points[2 * CORNERS_MAX];
  for (int k = 0; k < n; k++) {
    points[k] = take_point(s, nodes[corner[k]], element->material);
  }
  for (int k = 0; k < n && info->edges != NULL; k++) {
    const int middle = middle_of(info, corner[k], corner[(k + 1) % n]);
    points[n + k] = take_point(s, nodes[middle], element->material);
  }
  if (info->edges == NULL) {
    for (int k = 1; k + 1 < n; k++) add_triangle(s, points, 0, k, k + 1);
    return;
  }
  for (int k = 0; k < n; k++) add_triangle(s, points, k, n + k, n + (k + n - 1) % n);
  for (int k = 1; k + 1 < n; k++) add_triangle(s, points, n, n + k, n + k + 1);
}

bool trmi_solid_surface_make(const trmi_solid_mesh *mesh, bool has_inner, trmi_arena *arena,
                             trmi_solid_surface *surface) {
  int count = 0;
  *surface = (trmi_solid_surface){0};
  const face *faces = single_faces(mesh, arena, &count);
  if (faces == NULL) return false;
  const int on_faces = 2 * CORNERS_MAX * count;
  const int most = has_inner || on_faces > mesh->nconnections ? mesh->nconnections : on_faces;
  surface->node = TRMI_TAKE(arena, int, most);
  surface->material = TRMI_TAKE(arena, int, most);
  surface->next = TRMI_TAKE(arena, int, most);
  surface->first = TRMI_TAKE(arena, int, mesh->nnodes);
  surface->corners = TRMI_TAKE(arena, int, 3 * TRIANGLES_MAX * (size_t)count);
  if (arena->failed) return false;
  for (int i = 0; i < mesh->nnodes; i++) surface->first[i] = -1;
  for (int i = 0; i < count; i++) add_face(surface, mesh, &faces[i]);
  for (int e = 0; e < mesh->nelements && has_inner; e++) {
    const int *nodes = mesh->connections + mesh->elements[e].first;
    for (int k = 0; k < trmi_solid_infos[mesh->elements[e].type].nodes; k++) {
      (void)take_point(surface, nodes[k], mesh->elements[e].material);
    }
  }
  return true;
}
