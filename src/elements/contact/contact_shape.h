/* contact_shape.h - shapes of bodies for contacts: a core with a radius around it. */
#ifndef TRMI_CONTACT_SHAPE_H
#define TRMI_CONTACT_SHAPE_H
#include "elements/contact/touch.h"
#include "parts/part.h"

typedef struct trmi_contact_shape {
  const char *type;  /* "box"                             */
  const char *name;  /* of its body                       */
  trmi_core   core;
  trmi_vec3   o;     /* its origin, body axes             */
  double      E[9];  /* its axes there, axis k is row k   */
  trmi_vec3   middle, axis; /* origin and z axis at the start, ground axes */
  bool        is_free;      /* never along a profile: a node of a beam, or `pins: free` */
} trmi_contact_shape;

struct trmi_mechanism;
enum { TRMI_SHAPE_FAULT = TRMI_OUTLINE_FAULT };

/* @return false: `fault` has a sentence, or memory ended */
bool trmi_contact_shape_read(struct trmi_mechanism *m, const trmi_part *part,
                             trmi_contact_shape *out, char fault[TRMI_SHAPE_FAULT]);

/* A sphere, or a pin: they may touch profiles. */
bool trmi_contact_shape_is_pin(const trmi_contact_shape *s);

/* Is a capsule or cylinder along a profile, as (1) of contact_shape.c says? Else it has feet. */
bool trmi_contact_shape_is_along(const trmi_contact_shape *pin, const trmi_contact_shape *profile);

/* A cylinder, or the disc of a torus (core_solid.c). */
bool trmi_contact_shape_is_solid(const trmi_contact_shape *s);

/* A shape as a solid whose nearest place meets the core of another one; end -1, 1: a rim of a
 * cylinder alone, 0: all of it. */
void trmi_contact_shape_solid(const trmi_contact_shape *of, const trmi_contact_shape *against,
                              const int bodies[2], int end, trmi_touch_point *p);

/* Permitted depth of a solid: up to a core, or by the curvature of an ellipsoid. */
double trmi_contact_shape_room(const trmi_contact_shape *of, const trmi_contact_shape *against);

/* The largest radius of a shape that fits into a hollow. */
double trmi_contact_shape_widest(const trmi_contact_shape *s);

/* Distance from its origin within which all of it lies; infinite for a plane and a terrain. */
double trmi_contact_shape_reach(const trmi_contact_shape *s);

/* A half space or what is like it. */
static inline bool trmi_contact_shape_is_endless(const trmi_contact_shape *s) {
  return s->core.kind == TRMI_CORE_PLANE || s->core.kind == TRMI_CORE_TERRAIN;
}

static inline bool trmi_contact_shape_has_edges(const trmi_contact_shape *s) {
  const trmi_core_kind kind = s->core.kind;
  return kind == TRMI_CORE_SURFACE || kind == TRMI_CORE_BOX || kind == TRMI_CORE_SEGMENT;
}

/* Inside of triangles: its corners and edges are found one by one (contact_features.h). */
static inline bool trmi_contact_shape_is_surface(const trmi_contact_shape *s) {
  return s->core.kind == TRMI_CORE_SURFACE;
}

/* A corner of a box, axes of the shape. */
trmi_vec3 trmi_contact_shape_corner(const trmi_contact_shape *s, int k);

/* A point of one shape, in its axes, that meets the core of another one. */
void trmi_contact_shape_point(const trmi_contact_shape *of, const trmi_contact_shape *against,
                              const int bodies[2], trmi_vec3 at, trmi_touch_point *p);

/* Beyond this distance from the other core, or above a plane, a point does not touch. */
double trmi_contact_shape_far(const trmi_contact_shape *against, const trmi_touch_point *p);

enum { TRMI_PAIR_POINTS = 17 }; /* of a pair of shapes, at most */

/* Points of one of two shapes that meet the core of the other, with their bodies.
 * @return their number, 0: they cannot touch each other */
int trmi_contact_shape_points(const trmi_contact_shape *const pair[2], const int bodies[2],
                      trmi_touch_point points[TRMI_PAIR_POINTS]);

#endif
