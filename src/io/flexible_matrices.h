/* flexible_matrices.h - nodes, stiffness and mass of a flexible body from other programs. */
#ifndef TRMI_FLEXIBLE_MATRICES_H
#define TRMI_FLEXIBLE_MATRICES_H
#include "fem/flexible_mesh.h"
#include "fem/given_matrices.h"

typedef struct trmi_matrix_files {
  const trmi_flexible_def *def;
  const char   *bytes; /* of all files, each with a zero at its end */
  const size_t *ends;  /* [TRMI_MATRIX_FILES]                       */
  trmi_buffer  *notes;
  char         *fault; /* [TRMI_FLEXIBLE_FAULT]                     */
} trmi_matrix_files;

/* In units of the model. False: `fault` has a sentence, or arena->failed. */
bool trmi_flexible_matrices(const trmi_matrix_files *files, trmi_arena *arena,
                            trmi_solid_mesh *mesh, trmi_fem *fem);

#endif
