/* kept_matrices.h - matrices of patterns that may come back, kept by the system. */
#ifndef TRMI_KEPT_MATRICES_H
#define TRMI_KEPT_MATRICES_H
#include "system/matrix.h"

/* All that a matrix is built from. */
typedef struct trmi_matrix_key {
  int *numbers;
  int  count;
} trmi_matrix_key;

trm_status trmi_matrix_key_make(trmi_matrix_key *key, trmi_arena *arena, const trm_system *sys,
                                const trmi_matrix_spec *spec, const trmi_term *terms, int nterms,
                                trm_error *err);

/* Memory for a new matrix, and its name, a key in that memory, once it is built. */
trm_status trmi_kept_create(trm_system *sys, trmi_kept_matrix **out, trm_error *err);
trmi_arena *trmi_kept_arena(trmi_kept_matrix *kept);
void trmi_kept_name(trmi_kept_matrix *kept, const trmi_matrix_key *key);

/* Is one kept for the key? It leaves the list; pointers into the matrix itself, and what depends
 * on values, are as they were. */
bool trmi_kept_find(trm_system *sys, const trmi_matrix_key *key, trmi_matrix *matrix);

/* A matrix with such memory is no longer used. */
void trmi_kept_return(trmi_matrix *matrix);

#endif
