/* check_blocks.c - given derivatives against central differences (differences.c).
 *
 *   error of an entry = |given - difference| / (1 + largest |difference| of its block)      (1) */
#include "system/system.h"
#include <math.h>

/* Compare one block: `given` and `difference` are dense, row by row. */
static trm_block_check compare(trm_block block, size_t rows, size_t cols, const double *given,
                               const double *difference) {
  trm_block_check worst = {.block = block};
  double largest = 0.0;
  for (size_t k = 0; k < rows * cols; k++) largest = fmax(largest, fabs(difference[k]));
  for (size_t k = 0; k < rows * cols; k++) {
    const double error = fabs(given[k] - difference[k]) / (1.0 + largest);
    if (error <= worst.error || isnan(worst.error)) continue; /* NaN is the worst */
    worst = (trm_block_check){block,    (int)(k / cols), (int)(k % cols),
                              given[k], difference[k],   error};
  }
  return worst;
}

static trm_status ask_blocks(trm_system *sys, const trm_state *s,
                             const trm_block_request *request, trm_error *err) {
  TRMI_ASK(err, sys->ops->name, "blocks", sys->ops->blocks(sys->self, s, request, err));
  return TRM_OK;
}

trm_status trm_system_check_blocks(trm_system *sys, const trm_state *s,
                                   trm_block_check worst[TRM_BLOCKS], trm_error *err) {
  TRMI_NEED(err, sys, s, worst);
  TRMI_TRY(err, trmi_system_check_memory(sys, err));
  for (int b = 0; b < TRM_BLOCKS; b++) {
    const trmi_sparse *S = &sys->block[b];
    worst[b] = (trm_block_check){.block = (trm_block)b};
    const bool no_recipe = b == TRM_STIFF_K || b == TRM_STIFF_C;
    if (!sys->given[b] || S->rows == 0 || S->cols == 0 || no_recipe) continue;

    /* the given block and the block by differences, both dense */
    trmi_arena arena;
    trmi_arena_init(&arena, &sys->arena.allocator);
    const size_t size = (size_t)S->rows * (size_t)S->cols;
    double *values = TRMI_TAKE(&arena, double, S->n);
    double *given = TRMI_TAKE(&arena, double, size);
    double *difference = TRMI_TAKE(&arena, double, size);
    trm_status status = trmi_arena_check(&arena, err);
    trm_block_request request = {.u = s->vd, .y = s->lam, .ya = s->mu};
    if (status == TRM_OK) {
      status = trmi_difference_block(sys, s, (trm_block)b, &request, difference, err);
    }
    if (status == TRM_OK && trmi_system_may_fill(sys, (trm_block)b)) {
      request.values[b] = values;
      status = ask_blocks(sys, s, &request, err);
    }
    if (status == TRM_OK) {
      for (int k = 0; k < S->n; k++) {
        given[(size_t)S->row[k] * (size_t)S->cols + (size_t)S->col[k]] += values[k];
      }
      worst[b] = compare((trm_block)b, (size_t)S->rows, (size_t)S->cols, given, difference);
    }
    trmi_arena_clear(&arena);
    TRMI_TRY(err, status);
  }
  return TRM_OK;
}
