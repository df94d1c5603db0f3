/* core_solid.h - the point of a box, cylinder, disc, segment, ellipsoid or rim of a profile nearest
 * to a core. Equations: head of core_solid.c. */
#ifndef TRMI_CORE_SOLID_H
#define TRMI_CORE_SOLID_H
#include "elements/contact/core_distance.h"
#include <stdbool.h>

typedef enum trmi_solid_kind {
  TRMI_SOLID_NONE,
  TRMI_SOLID_BOX,      /* |a_i| <= size_i; a segment has one length, a point none   */
  TRMI_SOLID_CYLINDER, /* a_x^2 + a_y^2 <= size_0^2, |a_z| <= size_2; a disc: 0     */
  TRMI_SOLID_ELLIPSOID, /* half axes size                                          */
  TRMI_SOLID_RIM       /* a_x, a_y in a convex region of an outline, |a_z| <= size_2 */
} trmi_solid_kind;

/* A solid, and its axes in those of the core: p_core = E a + o. */
typedef struct trmi_solid {
  trmi_solid_kind kind;
  double          size[3];
  const trmi_outline *region; /* of a rim */
  double          bulge;      /* kappa of (1) */
  double          E[9];
  trmi_vec3       o;
} trmi_solid;

/* The point nearest to the core. */
void trmi_core_solid(const trmi_core *core, const trmi_solid *solid, trmi_core_place *out);

/* Is it a layer behind a hollow arc? */
bool trmi_solid_is_hollow(const trmi_solid *solid);

/* Distance of such a layer from the core at the side of its arc that is not the nearest; infinite:
 * it has only one nearest point. */
double trmi_solid_other_side(const trmi_core *core, const trmi_solid *solid);

/* Smallest distance of the rim of a disc from the core. */
double trmi_solid_rim(const trmi_core *core, const trmi_solid *solid);

#endif
