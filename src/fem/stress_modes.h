/* stress_modes.h - displacement and stress of the modes of a body at points of its surface. */
#ifndef TRMI_STRESS_MODES_H
#define TRMI_STRESS_MODES_H
#include <stdbool.h>

/* Of n modes; single precision, which is what measured stress never has. */
typedef struct trmi_stress_modes {
  int     npoints, ntriangles;
  int    *number;      /* of the node in the file [npoints]                                     */
  double *x;           /* [npoints 3]                                                           */
  int    *corners;     /* points of triangles, counterclockwise from outside [ntriangles 3]     */
  int     columns;     /* of stress: n modes, then the loads that are heat                      */
  float  *phi, *sigma; /* [npoints][3][n]; xx yy zz xy xz yz [npoints][6][columns]              */
  int     ncells, ncell_points; /* elements, if points inside are known too; else 0             */
  unsigned char *cell_type;    /* as VTK counts them [ncells]                                   */
  int    *cell_points;         /* of all cells, one after the other [ncell_points]              */
  bool   *is_excluded; /* a node of a rigid interface or of an element there: rigid nodes raise
                          the stress next to them without limit as the mesh gets finer          */
} trmi_stress_modes;

#endif
