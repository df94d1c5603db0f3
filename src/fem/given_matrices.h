/* given_matrices.h - a mesh given by the stiffness and mass that another program made of it. */
#ifndef TRMI_GIVEN_MATRICES_H
#define TRMI_GIVEN_MATRICES_H
#include "core/buffer.h"
#include "fem/solid_matrices.h"

/* An entry between displacements: 3 times the place of a node, plus the direction. Rotations of n
 * nodes have the places from n on. */
typedef struct trmi_given_entry {
  int    row, column;
  double value;
} trmi_given_entry;

typedef struct trmi_given_matrix {
  const char       *name;    /* "stiffness", for sentences                                     */
  trmi_given_entry *entries; /* sorted in place                                                */
  size_t            count;
  bool              is_full; /* both triangles are in it; else one of them, either             */
} trmi_given_matrix;

typedef struct trmi_given_def {
  const trmi_solid_mesh *mesh;            /* nodes only                                        */
  trmi_given_matrix      stiffness, mass;
  trmi_buffer           *notes;           /* receives a sentence where mass is not scalar      */
  char                  *fault;           /* [TRMI_SOLID_FAULT]                                */
} trmi_given_def;

/* Rotations that entries use become nodes behind those of the mesh; the places of entries are then
 * theirs. False: memory ran out. */
bool trmi_given_rotations(trmi_given_def *def, trmi_solid_mesh *mesh, trmi_arena *arena);

/* Checked: entries given twice, symmetry, nodes without stiffness, K R = 0 for all rigid motions R,
 * R^T M R that of a rigid body.
 * @return false: `fault` has a sentence with numbers of nodes, or memory ran out (arena->failed) */
bool trmi_fem_given(trmi_given_def *def, trmi_arena *arena, trmi_fem *fem);

#endif
