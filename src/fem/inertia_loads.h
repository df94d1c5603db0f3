/* inertia_loads.h - static modes of the inertia loads of a frame that accelerates and turns. */
#ifndef TRMI_INERTIA_LOADS_H
#define TRMI_INERTIA_LOADS_H
#include "fem/solid_matrices.h"

enum { TRMI_INERTIA_LOADS = 12, TRMI_INERTIA_LOADS_FREE = 6 };

/* A mesh and its fixed-interface modes, which have K- and M-orthogonal fields, M-normal. */
typedef struct trmi_inertia_body {
  const trmi_solid_mesh *mesh;
  const trmi_fem        *fem;
  double centre[3];       /* of mass */
  int    count;           /* of loads: TRMI_INERTIA_LOADS; _FREE for a body without interfaces */
  int    nfixed;
  const double *fixed;    /* [nfixed][3 nodes] */
} trmi_inertia_body;

/* Forces of the loads [count][3 nodes], (1) of inertia_loads.c. `fixed` is not used.
 * @return TRM_OK, TRM_ERR_SINGULAR or TRM_ERR_MEMORY */
trm_status trmi_inertia_loads_make(const trmi_inertia_body *body, trmi_arena *scratch,
                                   double *forces, trm_error *err);

/* Choose the fields missing in the fixed-interface modes, (2) and (3).
 * @param fields  static modes of all loads [count][3 nodes]; the first `kept` become the choice
 * @return TRM_OK, TRM_ERR_SINGULAR or TRM_ERR_MEMORY */
trm_status trmi_inertia_modes_choose(const trmi_inertia_body *body, trmi_arena *scratch,
                                     double *fields, int *kept, trm_error *err);

#endif
