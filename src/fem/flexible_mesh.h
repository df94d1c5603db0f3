/* flexible_mesh.h - definition of the mesh of a flexible body, and its reduction. Numbers are in
 * units of the model. */
#ifndef TRMI_FLEXIBLE_MESH_H
#define TRMI_FLEXIBLE_MESH_H
#include "fem/modal_arrays.h"
#include "fem/solid_grid.h"
#include "fem/stress_modes.h"
#include "trammel/flexible.h"

/* How nodes of an interface are chosen. */
typedef enum trmi_node_choice {
  TRMI_NODES_SET, TRMI_NODES_NUMBERS, TRMI_NODES_CYLINDER, TRMI_NODES_BOX, TRMI_NODES_PLANE
} trmi_node_choice;

/* Nodes of an interface or a load. */
typedef struct trmi_node_selection {
  trmi_node_choice choice;
  const char      *set;
  const double    *numbers;
  int              nnumbers;
  double           from[3], to[3]; /* of a plane: a point, its normal */
  double           radius, tolerance; /* NaN: the default */
} trmi_node_selection;

typedef struct trmi_flexible_interface {
  const char *name;
  bool        is_rigid, has_at;
  double      at[3];
  trmi_node_selection nodes;
} trmi_flexible_interface;

/* A distributed load: pressure on the faces of nodes, or heat in elements. */
typedef struct trmi_flexible_load {
  const char *name;
  bool        is_heat, has_gradient;
  double      gradient[3], at[3];
  const char *elements; /* a set; NULL: all */
  trmi_node_selection nodes;
} trmi_flexible_load;

/* Files of matrices of another program; dofs may be missing. */
enum { TRMI_MATRIX_STIFFNESS, TRMI_MATRIX_MASS, TRMI_MATRIX_NODES, TRMI_MATRIX_DOFS,
       TRMI_MATRIX_FILES };

typedef struct trmi_flexible_def {
  const char   *name;
  const trm_reductions *reductions; /* NULL: no cache, no reports */
  const char   *mesh;      /* a path; NULL: the grid, or matrices */
  const char   *matrices[TRMI_MATRIX_FILES]; /* paths; the first is NULL: none */
  trmi_grid_def grid;
  double scale;            /* one unit of length of the file                                  */
  double file_E, file_density; /* one unit of a material of the file                          */
  double si_density;       /* one unit of density in kg/m^3                                    */
  double inertia;          /* force that gives one unit of mass one unit of acceleration       */
  trmi_solid_material material; /* E is NaN: that of the file                                  */
  int    nmaterials;
  const trmi_solid_material *materials; /* by the name of an element set */
  int    ninterfaces;
  const trmi_flexible_interface *interfaces;
  int    nloads;
  const trmi_flexible_load *loads;
  int    fixed;
  double up_to;            /* cycles in a unit of time; INFINITY: no limit */
  bool   has_inertia_modes, has_exact_inertia;
  trmi_stiffening stiffening;
  bool   has_inner_stress; /* stress at the nodes inside too */
} trmi_flexible_def;

enum { TRMI_FLEXIBLE_FAULT = 512 };

/* A reduced mesh, and facts about it for users. */
typedef struct trmi_flexible_body {
  trmi_modal_arrays arrays;
  int     nnodes, nelements;
  int     last_number; /* largest one of a node of its file */
  int     nfixed, nconstraint, nstatic, ndropped;
  const double *fixed;  /* frequencies of fixed-interface modes, cycles in a unit of time */
  double  rigid_ratio;
  double *place;        /* of the largest displacement of each mode, body axes [3 n] */
  int    *at_node;      /* its number in the file [n] */
  int    *tied;         /* nodes of each interface [ninterfaces] */
  bool   *is_rigid;
  const char *notes;    /* of the reader, one a line */
  const char *kept;     /* file of the cache; NULL: none */
  trmi_stress_modes stress;
} trmi_flexible_body;

#endif
