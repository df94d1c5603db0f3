/* shape.h - volume, centre and inertia of shapes of density one. Equations: head of shape.c. */
#ifndef TRMI_SHAPE_H
#define TRMI_SHAPE_H
#include "math/vec.h"
#include <stdbool.h>

typedef struct trmi_volume {
  double    volume;
  trmi_vec3 centre;
  double    J[9]; /* about the centre, for density one */
} trmi_volume;

/* A surface of triangles; corners are counterclockwise from outside. */
typedef struct trmi_mesh {
  const trmi_vec3 *points;
  int              npoints;
  const int       *corners; /* three of each triangle [3 * ntriangles] */
  int              ntriangles;
} trmi_mesh;

trmi_volume trmi_volume_box(trmi_vec3 size, trmi_vec3 at);
trmi_volume trmi_volume_sphere(trmi_vec3 at, double radius);
trmi_volume trmi_volume_ellipsoid(trmi_vec3 at, const double half[3]);
/* Between the middles of the ends; the ends of a capsule are half spheres around them. */
trmi_volume trmi_volume_cylinder(trmi_vec3 from, trmi_vec3 to, double radius);
/* Radius of the circle in its tube, and of the tube. */
trmi_volume trmi_volume_torus(trmi_vec3 at, trmi_vec3 axis, double radius, double tube);
trmi_volume trmi_volume_capsule(trmi_vec3 from, trmi_vec3 to, double radius);
/* Of a closed surface; one that is inside out is treated as if it were not. */
trmi_volume trmi_volume_mesh(const trmi_mesh *mesh);

/* Sum of two shapes; overlapping parts count twice. */
trmi_volume trmi_volume_add(const trmi_volume *a, const trmi_volume *b);

#endif
