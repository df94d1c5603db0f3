/* surface.h - closed surfaces of triangles for contacts: edges, patches, a tree of boxes.
 * Equations: heads of surface.c and surface_tree.c. */
#ifndef TRMI_SURFACE_H
#define TRMI_SURFACE_H
#include "core/arena.h"
#include "elements/body/shape.h"

/* Where two triangles meet. */
typedef struct trmi_surface_edge {
  int       end[2];
  int       face[2];
  double    bend;   /* angle between the normals [rad], negative where it is hollow */
  double    length;
  trmi_vec3 along;  /* unit vector */
} trmi_surface_edge;

/* A box around triangles. */
typedef struct trmi_surface_node {
  double low[3], high[3];
  int    first, count; /* of its triangles in `order`; a leaf has no other nodes */
  int    other;        /* its second child, the first one follows it; 0: it is a leaf */
} trmi_surface_node;

typedef struct trmi_surface {
  trmi_mesh                mesh;
  const trmi_vec3         *normal;       /* of triangles                     [ntriangles]   */
  const trmi_vec3         *point_normal; /* weighed by angles, no unit vector [npoints]     */
  const trmi_surface_edge *edges;
  int                      nedges;
  const int               *side;         /* edges of triangles               [3 ntriangles] */
  const int               *patch;        /* of triangles                     [ntriangles]   */
  int                      npatches;
  const int               *owner;        /* of points: the first triangle with this point, -1:
                                            flat around it                        [npoints] */
  const trmi_surface_node *nodes;
  int                      nnodes;
  const int               *order;        /* of triangles in leaves           [ntriangles]   */
  double                   reach;        /* of points, from the origin                      */
} trmi_surface;

enum { TRMI_SURFACE_FAULT = 160, TRMI_SURFACE_ANY = -1, TRMI_SURFACE_DEPTH = 64 };

/* @param mesh   copied
 * @param arena  keeps it
 * @return false: `fault` has a sentence, or memory ended */
bool trmi_surface_make(const trmi_mesh *mesh, trmi_arena *arena, trmi_surface *out,
                       char fault[TRMI_SURFACE_FAULT]);

/* surface_tree.c: boxes; false: memory ran out. */
bool trmi_surface_grow(trmi_surface *s, trmi_arena *arena);

/* The nearest point of a surface. */
typedef struct trmi_surface_foot {
  trmi_vec3 w;        /* from there                                              */
  double    square;   /* w.w; infinite: nothing within the requested distance    */
  int       triangle;
  int       point;    /* index if it is a corner point; -1: it is not            */
  int       edge;     /* it lies on this edge; -1: on none, or at a point        */
} trmi_surface_foot;

/* Nearest point of one patch, or TRMI_SURFACE_ANY, nearer than `within`. */
trmi_surface_foot trmi_surface_nearest(const trmi_surface *s, trmi_vec3 p, int patch,
                                       double within);

/* hull.c: the convex hull of points as a mesh; points inside it or inside its faces are omitted.
 * @return false: `fault` has a sentence, or memory ended */
bool trmi_hull_make(const trmi_vec3 *points, int count, trmi_arena *arena, trmi_mesh *mesh,
                    char fault[TRMI_SURFACE_FAULT]);

#endif
