/* matrix_text.h - readers of stiffness and mass matrices of other programs, and of their nodes. */
#ifndef TRMI_MATRIX_TEXT_H
#define TRMI_MATRIX_TEXT_H
#include "fem/given_matrices.h"
#include "io/mesh_text.h"

/* Nodes "number, x, y, z", one a line, with commas or blanks; lines of words are heads.
 * @param mesh   receives nodes in the order of their numbers
 * @param order  places of the nodes in the order of the lines [mesh->nnodes]
 * @return false: see `fault`, or memory ran out (arena->failed) */
bool trmi_matrix_nodes(const char *text, size_t length, trmi_arena *arena, trmi_solid_mesh *mesh,
                       int **order, char fault[TRMI_SOLID_FAULT]);

/* Meaning of the rows of a matrix without names of nodes: 3 times the place of a node plus the
 * direction; rotations of n nodes have the places from n on. */
typedef struct trmi_matrix_rows {
  int  count;
  int *list;
} trmi_matrix_rows;

/* Rows from a file of CalculiX, "node.direction" a line, or for an empty one three of each node. */
bool trmi_matrix_dofs(const char *text, size_t length, const trmi_solid_mesh *mesh,
                      const int *order, trmi_arena *arena, trmi_matrix_rows *rows,
                      char fault[TRMI_SOLID_FAULT]);

typedef struct trmi_matrix_reading {
  const trmi_solid_mesh  *mesh;
  const trmi_matrix_rows *rows;
  char                    first; /* of the name of a DMIG matrix, if the file has several: K or M */
  trmi_buffer            *entries; /* receives trmi_given_entry */
  bool                    is_full; /* receives: both triangles are in the file */
  char                   *fault;   /* [TRMI_SOLID_FAULT] */
} trmi_matrix_reading;

/* Matrix Market, Abaqus ("node, direction, node, direction, value"), CalculiX ("row column value")
 * or Nastran's DMIG, recognized by its content. False: see `fault`, or entries->failed. */
bool trmi_matrix_read(const char *text, size_t length, trmi_matrix_reading *reading);

#endif
