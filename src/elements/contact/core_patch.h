/* core_patch.h - the point of a patch of triangles nearest to a smooth convex core. Equations: head
 * of core_patch.c. */
#ifndef TRMI_CORE_PATCH_H
#define TRMI_CORE_PATCH_H
#include "elements/contact/core_distance.h"
#include <stdbool.h>

/* A patch of a surface, and its axes in those of the core: p_core = E p + o, where p is `scale`
 * times a point of the surface. */
typedef struct trmi_patch {
  const trmi_surface *surface;
  int                 number; /* or TRMI_SURFACE_ANY */
  double              scale;
  double              E[9];
  trmi_vec3           o;
} trmi_patch;

/* The point nearest to the core, see the head of core_patch.c. */
void trmi_core_patch(const trmi_core *core, const trmi_patch *patch, trmi_core_place *out);

/* Is the middle of the core inside of the surface, nearest to this patch? */
bool trmi_patch_hides(const trmi_patch *patch);

#endif
