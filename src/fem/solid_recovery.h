/* solid_recovery.h - stress at the nodes of a mesh. */
#ifndef TRMI_SOLID_RECOVERY_H
#define TRMI_SOLID_RECOVERY_H
#include "fem/solid_loads.h"
#include "fem/solid_surface.h"

/* Whose stress is wanted: fields of displacement, and behind them one column for each load that is
 * heat, with all nodes held. */
typedef struct trmi_stress_fields {
  int           n;
  const double *fields; /* [n][3 nodes] */
  int           nloads;
  const trmi_solid_load *loads;
} trmi_stress_fields;

int trmi_stress_columns(const trmi_stress_fields *of);

/* Stress xx yy zz xy xz yz at the points of a surface, the mean over the elements of their
 * material: [points][6][columns].
 * @return TRM_OK or TRM_ERR_MEMORY */
trm_status trmi_solid_stress(const trmi_solid_mesh *mesh, const trmi_solid_surface *surface,
                             const trmi_stress_fields *of, trmi_arena *scratch, float *stress,
                             trm_error *err);

#endif
