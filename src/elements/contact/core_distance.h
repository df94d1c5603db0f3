/* core_distance.h - distance of a point from the core of a shape. Every shape is a core and a
 * radius around it. Equations: head of core_distance.c. */
#ifndef TRMI_CORE_DISTANCE_H
#define TRMI_CORE_DISTANCE_H
#include "elements/body/outline.h"
#include "elements/body/surface.h"
#include "elements/body/terrain.h"

typedef enum trmi_core_kind {
  TRMI_CORE_PLANE,    /* half space below z = 0                              */
  TRMI_CORE_POINT,    /* the origin                                          */
  TRMI_CORE_SEGMENT,  /* of the z axis, half length size[2]                  */
  TRMI_CORE_BOX,      /* half lengths size                                   */
  TRMI_CORE_CYLINDER, /* about the z axis, radius size[0], half length size[2] */
  TRMI_CORE_CIRCLE,   /* about the z axis in z = 0, radius size[0]           */
  TRMI_CORE_ELLIPSOID, /* half axes size                                     */
  TRMI_CORE_PROFILE,  /* outline along the z axis, half length size[2]       */
  TRMI_CORE_TERRAIN,  /* what lies below it                                  */
  TRMI_CORE_SURFACE   /* inside of triangles, size[0] times as large         */
} trmi_core_kind;
enum { TRMI_CORES = TRMI_CORE_SURFACE + 1 };

typedef struct trmi_core {
  trmi_core_kind kind;
  double         size[3];
  double         radius; /* around the core [m] */
  const trmi_outline *outline;
  const trmi_terrain *terrain;
  const trmi_surface *surface;
  int                 patch; /* of the surface, or TRMI_SURFACE_ANY */
} trmi_core;

/* In the axes of the core. */
typedef struct trmi_distance {
  double    d;    /* distance; negative inside a volume                  */
  trmi_vec3 n;    /* its gradient, a unit vector                         */
  double    H[9]; /* its Hessian                                         */
} trmi_distance;

/* The point of a shape of the other body that is nearest to a core, axes of the core. */
typedef struct trmi_core_place {
  trmi_vec3     x;
  trmi_distance at;      /* from the core, there                                           */
  int           nfree;   /* directions in which it may slide, 0: a corner                  */
  trmi_vec3     free[3];
  double        bend[3]; /* contribution of a slide to the second derivative of the distance */
  double        raised;  /* increase of the gap by a bulge (core_solid.c)                  */
} trmi_core_place;

/* (1) to (6) of core_distance.c */
trmi_distance trmi_core_distance(const trmi_core *core, trmi_vec3 p);

/* core_ellipsoid.c */
trmi_distance trmi_ellipsoid_distance(const double half[3], trmi_vec3 p);
/* core_profile.c; half: of its length along z, which may be infinite */
trmi_distance trmi_profile_distance(const trmi_outline *outline, double half, trmi_vec3 p);
/* core_terrain.c */
trmi_distance trmi_terrain_distance(const trmi_terrain *terrain, trmi_vec3 p);
/* core_surface.c; of one of its patches, or TRMI_SURFACE_ANY */
trmi_distance trmi_surface_distance(const trmi_surface *surface, int patch, trmi_vec3 p);

#endif
