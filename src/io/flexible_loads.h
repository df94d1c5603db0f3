/* flexible_loads.h - distributed loads of a definition as forces on its mesh. */
#ifndef TRMI_FLEXIBLE_LOADS_H
#define TRMI_FLEXIBLE_LOADS_H
#include "core/arena.h"
#include "fem/flexible_mesh.h"
#include "fem/solid_loads.h"

/* Loads of `def`, with their forces, in an arena; materials of the mesh are complete.
 * @return NULL: see `fault` [TRMI_FLEXIBLE_FAULT], or memory ran out */
const trmi_solid_load *trmi_flexible_loads(const trmi_flexible_def *def,
                                           const trmi_solid_mesh *mesh, trmi_arena *scratch,
                                           char *fault);

#endif
