/* solid_element.h - stiffness and mass of one solid element. */
#ifndef TRMI_SOLID_ELEMENT_H
#define TRMI_SOLID_ELEMENT_H
#include "fem/solid_shapes.h"

/* Shapes at the points of both rules of a type, made once for all elements. */
typedef struct trmi_solid_tables {
  trmi_solid_rule  stiffness, mass;
  trmi_solid_shape at_stiffness[TRMI_SOLID_POINTS_MAX], at_mass[TRMI_SOLID_POINTS_MAX];
} trmi_solid_tables;

/* `has_exact_mass`: false integrates the mass with the points of the stiffness, as CalculiX
 * does. */
void trmi_solid_tables_make(trmi_solid_type type, bool has_exact_mass, trmi_solid_tables *tables);

/* Blocks K_ab of all pairs of nodes a >= b, and scalars m_ab: the mass is m times the unit matrix.
 * Pair a, b is number a (a + 1)/2 + b. */
typedef struct trmi_solid_matrices {
  double K[TRMI_SOLID_NODES_MAX * (TRMI_SOLID_NODES_MAX + 1) / 2][9];
  double m[TRMI_SOLID_NODES_MAX * (TRMI_SOLID_NODES_MAX + 1) / 2];
} trmi_solid_matrices;

/* @param x  places of its nodes, [nodes 3]
 * @return false: det J is not positive at a point */
bool trmi_solid_element_make(trmi_solid_type type, const trmi_solid_tables *tables,
                             const double *x, const trmi_solid_material *material,
                             trmi_solid_matrices *out);

enum { TRMI_SOLID_ROWS_MAX = TRMI_SOLID_NODES_MAX + 3 };

/* Stress xx yy zz xy xz yz of `count` fields at the points of the stiffness.
 * @param u      displacements of its nodes [3 nodes][count], with room for those of its modes:
 *               [3 TRMI_SOLID_ROWS_MAX][count]
 * @param sigma  [points][6][count]
 * @return false: det J is not positive at a point */
bool trmi_solid_element_stress(trmi_solid_type type, const trmi_solid_tables *tables,
                               const double *x, const trmi_solid_material *material, int count,
                               double *u, double *sigma);

/* An element that is heated while its nodes are held.
 * @param rise   temperature at the points of the stiffness
 * @param f      forces with which its nodes push [3 nodes]
 * @param sigma  stress at the points [points][6]
 * @return false: det J is not positive at a point */
bool trmi_solid_element_heat(trmi_solid_type type, const trmi_solid_tables *tables,
                             const double *x, const trmi_solid_material *material,
                             const double *rise, double *f, double *sigma);

/* Stiffness by the stress of one field: scalars k_ab of all pairs a >= b, times the unit matrix.
 * @param u  as above, of one field
 * @param k  as trmi_solid_matrices.m
 * @return false: det J is not positive at a point */
bool trmi_solid_element_geometric(trmi_solid_type type, const trmi_solid_tables *tables,
                                  const double *x, const trmi_solid_material *material, double *u,
                                  double *k);

#endif
