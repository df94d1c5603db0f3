/* solid_surface.h - the surface of a mesh: its nodes and triangles. */
#ifndef TRMI_SOLID_SURFACE_H
#define TRMI_SOLID_SURFACE_H
#include "fem/solid_shapes.h"

/* A point is a node as part of one material: where two materials meet there are two points, since
 * stress jumps there. */
typedef struct trmi_solid_surface {
  int  npoints, ntriangles;
  int *node, *material; /* of each point                                     */
  int *corners;         /* points of triangles, counterclockwise from outside */
  int *first, *next;    /* points of a node: first[node], next[point] .. -1  */
} trmi_solid_surface;

/* Faces that belong to one element only; a face with middle nodes becomes several triangles.
 * @param has_inner  points for the nodes inside too
 * @return false: memory ran out */
bool trmi_solid_surface_make(const trmi_solid_mesh *mesh, bool has_inner, trmi_arena *arena,
                             trmi_solid_surface *surface);

/* A face of an element that no other has: its corners as nodes of the element, counterclockwise
 * from outside; the last is -1 of a triangle. */
typedef struct trmi_solid_face {
  int        element;
  const int *corners; /* [4] */
} trmi_solid_face;

/* All faces of the surface, by elements; NULL: memory ran out. */
const trmi_solid_face *trmi_solid_faces(const trmi_solid_mesh *mesh, trmi_arena *arena, int *count);

/* The point of a node in a material, or -1. */
int trmi_solid_surface_point(const trmi_solid_surface *surface, int node, int material);

#endif
