/* solid_loads.h - distributed loads on a mesh as forces at its nodes. */
#ifndef TRMI_SOLID_LOADS_H
#define TRMI_SOLID_LOADS_H
#include "fem/solid_element.h"

/* One unit of pressure on faces, or of temperature in elements. */
typedef struct trmi_solid_load {
  const char *name;
  bool        is_heat;
  const bool *on;          /* nodes of its faces [nnodes], or its elements [nelements] */
  bool        has_gradient;
  double      gradient[3], at[3]; /* temperature gradient . (x - at); else it is 1 */
  double     *force;       /* at the nodes, body axes [3 nnodes] */
} trmi_solid_load;

/* Fills the forces of a pressure: on faces of the surface all of whose nodes are in `on`. Positive
 * pressure pushes inwards. @return number of faces, -1: memory ran out */
int trmi_solid_press(const trmi_solid_mesh *mesh, trmi_solid_load *load, trmi_arena *scratch);

/* Fills the forces of heat; materials must have an expansion.
 * @param tables  of each type */
void trmi_solid_heat(const trmi_solid_mesh *mesh, const trmi_solid_tables *tables,
                     trmi_solid_load *load);

/* Of element e with its nodes held: forces [3 nodes] and stress [points][6], see
 * trmi_solid_element_heat; zero where it is not heated. */
void trmi_solid_heat_element(const trmi_solid_mesh *mesh, const trmi_solid_tables *tables,
                             const trmi_solid_load *load, int e, double *f, double *sigma);

#endif
