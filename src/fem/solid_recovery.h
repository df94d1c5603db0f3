/* solid_recovery.h - stress at the nodes of a mesh. */
#ifndef TRMI_SOLID_RECOVERY_H
#define TRMI_SOLID_RECOVERY_H
#include "fem/solid_surface.h"

/* Stress xx yy zz xy xz yz of n fields [n][3 nodes] at the points of a surface, the mean over the
 * elements of their material: [points][6][n].
 * @return TRM_OK or TRM_ERR_MEMORY */
trm_status trmi_solid_stress(const trmi_solid_mesh *mesh, const trmi_solid_surface *surface, int n,
                             const double *fields, trmi_arena *scratch, float *stress,
                             trm_error *err);

#endif
