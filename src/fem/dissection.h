/* dissection.h - order of elimination of the nodes of a mesh, by nested dissection in space. */
#ifndef TRMI_DISSECTION_H
#define TRMI_DISSECTION_H
#include "fem/solid_matrices.h"

/* Nodes in the order of their elimination: order [n]. The same for the same mesh, always.
 * @return TRM_OK or TRM_ERR_MEMORY */
trm_status trmi_dissect(const trmi_solid_mesh *mesh, const trmi_fem *fem, trmi_arena *scratch,
                        int *order, trm_error *err);

#endif
