/* matrix_internal.h - shared by readers of matrices. */
#ifndef TRMI_MATRIX_INTERNAL_H
#define TRMI_MATRIX_INTERNAL_H
#include "io/matrix_text.h"

/* The displacement of a node and a direction from 1 on; see trmi_matrix_rows. */
bool trmi_matrix_place(const trmi_mesh_text *t, const trmi_matrix_reading *r, int node,
                       int direction, int *place);
/* False: memory ran out. */
bool trmi_matrix_add(const trmi_matrix_reading *r, int row, int column, double value);

bool trmi_matrix_read_dmig(const char *text, size_t length, trmi_matrix_reading *r);

#endif
