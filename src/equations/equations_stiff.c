/* equations_stiff.c - deformations of stiff forces, for the integrator `smooth`.
 *   f = -B (K eta + C eta'),  B^T = d eta/dq                                     (1)
 * The forces themselves are already part of the equations: here eta, B, K and C are added as
 * results, in the order of the forces. */
#include "equations/equations_stiff.h"

void trmi_add_stiff(trmi_compiler *b, const trmi_stiff_def *stiff) {
  trmi_stiff_def *copy = TRMI_TAKE(&b->scratch, trmi_stiff_def, 1);
  if (copy == NULL) return; /* recorded by the arena */
  *copy = *stiff;
  copy->next = NULL;
  trmi_stiff_def **last = &b->stiff;
  while (*last != NULL) last = &(*last)->next;
  *last = copy;
}

static void add_block(trmi_compiler *b, trm_block block, int row, int col, trmi_node node) {
  if (node != 0) trmi_add_entry(b, TRMI_RESULT_BLOCKS + (int)block, row, col, node);
}

/* (1) for one force, whose first deformation has number `first` */
static void compile_one(trmi_compiler *b, const trmi_stiff_def *stiff, int first) {
  for (int i = 0; i < stiff->count; i++) {
    b->eq->labels[TRM_STIFF][first + i] = stiff->labels[i];
    trmi_add_entry(b, TRMI_RESULT_ETA, first + i, 0, stiff->eta[i]);
    trmi_columns_of(b, stiff->eta[i], TRMI_IN_Q);
    for (int k = 0; k < b->ncolumns; k++) {
      add_block(b, TRM_STIFF_B, b->columns[k].col, first + i, b->columns[k].value);
    }
    for (int j = 0; j < stiff->count; j++) {
      const int at = i * stiff->count + j;
      add_block(b, TRM_STIFF_K, first + i, first + j, stiff->K[at]);
      add_block(b, TRM_STIFF_C, first + i, first + j, stiff->C[at]);
    }
  }
}

void trmi_compile_stiff(trmi_compiler *b) {
  int count = 0;
  for (const trmi_stiff_def *stiff = b->stiff; stiff != NULL; stiff = stiff->next) {
    count += stiff->count;
  }
  b->eq->n.nstiff = count;
  b->eq->labels[TRM_STIFF] = TRMI_TAKE(&b->eq->arena, trm_label, count);
  if (b->eq->labels[TRM_STIFF] == NULL) return;
  int first = 0;
  for (const trmi_stiff_def *stiff = b->stiff; stiff != NULL; stiff = stiff->next) {
    compile_one(b, stiff, first);
    first += stiff->count;
  }
}
