/* symmetry.h - modes of a mesh with planes of symmetry, made even or odd. */
#ifndef TRMI_SYMMETRY_H
#define TRMI_SYMMETRY_H
#include "fem/support.h"

typedef struct trmi_symmetric_modes {
  const trmi_solid_mesh *mesh;
  const trmi_fem        *fem;
  int     ninterfaces;
  const trmi_interface  *interfaces;
  int     count;
  double *phi;      /* [count][3 nodes], changed */
  int    *classes;  /* of each mode, zeros at first: a bit for each plane about which it is odd */
  trmi_arena *arena; /* scratch */
} trmi_symmetric_modes;

/* Planes through the middle of the mesh, across its axes, are tried; *planes receives how many
 * there are. Modes lose what contradicts them, and are not normal any more.
 * @return TRM_OK or TRM_ERR_MEMORY */
trm_status trmi_symmetrize(const trmi_symmetric_modes *modes, int *planes, trm_error *err);

/* Frequencies and modes of each class, when the modes are normal again; ascending. */
trm_status trmi_symmetric_modes_solve(const trmi_symmetric_modes *modes, double *omega2,
                                      trm_error *err);

#endif
