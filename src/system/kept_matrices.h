/* kept_matrices.h - matrices whose patterns may recur, kept by the system. */
#ifndef TRMI_KEPT_MATRICES_H
#define TRMI_KEPT_MATRICES_H
#include "system/matrix.h"

/* All input of the build of a matrix. */
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

/* Is a matrix kept for the key? If so, it is removed from the list; pointers into the matrix itself
 * and data that depend on values are unchanged. */
bool trmi_kept_find(trm_system *sys, const trmi_matrix_key *key, trmi_matrix *matrix);

/* Return a matrix with such memory that is no longer used. */
void trmi_kept_return(trmi_matrix *matrix);

#endif
