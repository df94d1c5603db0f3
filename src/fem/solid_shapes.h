/* solid_shapes.h - shape functions and points of integration of solid elements. */
#ifndef TRMI_SOLID_SHAPES_H
#define TRMI_SOLID_SHAPES_H
#include "fem/solid_mesh.h"

enum { TRMI_SOLID_POINTS_MAX = 27 };

/* Points in the parent element, xi, eta, zeta and weight. */
typedef struct trmi_solid_rule {
  int    n;
  double at[TRMI_SOLID_POINTS_MAX][4];
} trmi_solid_rule;

/* Values and derivatives by xi, eta, zeta of all shape functions at one point. */
typedef struct trmi_solid_shape {
  double N[TRMI_SOLID_NODES_MAX], dN[TRMI_SOLID_NODES_MAX][3];
} trmi_solid_shape;

typedef struct trmi_solid_info {
  const char *name;     /* "C3D10" */
  int         nodes, corners;
  bool        is_stiff; /* it bends much too stiff: warn */
  void (*shape)(const double at[4], trmi_solid_shape *shape);
  /* points of the stiffness, and those that integrate the mass of straight elements exactly */
  void (*stiffness_rule)(trmi_solid_rule *rule);
  void (*mass_rule)(trmi_solid_rule *rule);
  const int (*edges)[2]; /* corners next to each middle node; NULL: none */
} trmi_solid_info;

extern const trmi_solid_info trmi_solid_infos[TRMI_SOLID_TYPES];

/* Place of a node in the parent element: xi, eta, zeta, 0. */
void trmi_solid_node_at(trmi_solid_type type, int node, double at[4]);

/* Rules by themselves, for the table (solid_rules.c). */
void trmi_rule_tetrahedron_1(trmi_solid_rule *rule);
void trmi_rule_tetrahedron_4(trmi_solid_rule *rule);
void trmi_rule_tetrahedron_15(trmi_solid_rule *rule);
void trmi_rule_hexahedron_8(trmi_solid_rule *rule);
void trmi_rule_hexahedron_27(trmi_solid_rule *rule);
void trmi_rule_wedge_2(trmi_solid_rule *rule);
void trmi_rule_wedge_6(trmi_solid_rule *rule);
void trmi_rule_wedge_9(trmi_solid_rule *rule);
void trmi_rule_wedge_18(trmi_solid_rule *rule);

/* Rules of faces: a triangle with the corners 0, e1, e2 (degree 4), the square -1 .. 1 (degree 5);
 * zeta is 0. */
void trmi_rule_triangle_6(trmi_solid_rule *rule);
void trmi_rule_square_9(trmi_solid_rule *rule);

#endif
