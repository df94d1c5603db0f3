/* block_tiles.c - blocks of the matrix as tiles that a plan fills, fill.h. */
#include "linalg/block_building.h"

/* The blocks of the matrix as tiles to be filled. */
trm_status trmi_block_list_tiles(trmi_block_building *w, trmi_plan_target *target,
                                 trm_error *err) {
  const trmi_block *b = w->b;
  trmi_tile *tile = TRMI_TAKE(w->scratch, trmi_tile, b->count + 2 * b->first[b->count]);
  TRMI_TRY(err, trmi_arena_check(w->scratch, err));
  int n = 0;
  for (int k = 0; k < b->count; k++) {
    const int own = b->diagonal[k];
    const trmi_tile diagonal = {.place = own, .rows = b->dim[k], .ld = b->ld[k], .twin = -1};
    if (own >= 0) tile[n++] = diagonal;
    for (int e = b->first[k]; e < b->first[k + 1]; e++) {
      const int ld = b->ld[b->node[e]];
      if (b->upper[e] < 0) continue;
      tile[n] = (trmi_tile){.place = b->upper[e], .rows = b->dim[k], .ld = ld, .twin = n + 1};
      tile[n + 1] = (trmi_tile){.place = b->lower[e], .rows = b->dim[k], .ld = ld, .twin = n};
      n += 2;
    }
  }
  target->ntiles = n;
  target->tiles = tile;
  return TRM_OK;
}

/* A_jk^T that are the same as A_kj are read there. The order is that of the list. */
static void share_twins(trmi_block *b, const trmi_tile *tile) {
  for (int k = 0; k < b->count; k++) {
    if (b->diagonal[k] >= 0) tile++;
    for (int e = b->first[k]; e < b->first[k + 1]; e++) {
      if (b->upper[e] < 0) continue;
      if (tile[1].is_same) b->lower[e] = b->upper[e];
      tile += 2;
    }
  }
}

/* The tiles of the program that are blocks of entries. */
static trm_status find_tiles(trmi_block_building *w, const trmi_fill *fill, trm_error *err) {
  trmi_block *b = w->b;
  const int entries = b->first[b->count];
  int *made = TRMI_TAKE(w->scratch, int, b->matrix / 8 + 1); /* by line of A, + 1 */
  b->upper_tile = TRMI_TAKE(&b->arena, int, entries);
  b->lower_tile = TRMI_TAKE(&b->arena, int, entries);
  TRMI_TRY(err, trmi_arena_check(w->scratch, err));
  TRMI_TRY(err, trmi_arena_check(&b->arena, err));
  for (int i = 0; i < fill->ntiles; i++) made[fill->tile[i].place / 8] = i + 1;
  for (int e = 0; e < entries; e++) {
    b->upper_tile[e] = b->upper[e] >= 0 ? made[b->upper[e] / 8] - 1 : -1;
    b->lower_tile[e] = b->lower[e] >= 0 ? made[b->lower[e] / 8] - 1 : -1;
  }
  b->tile_is_zero = fill->is_zero;
  return TRM_OK;
}

/* How far the program of the tiles must have come for each node; blocks of A lie node after
 * node. */
static trm_status find_filled(trmi_block_building *w, const trmi_fill *fill, trm_error *err) {
  trmi_block *b = w->b;
  b->filled = TRMI_TAKE(&b->arena, int, b->count);
  TRMI_TRY(err, trmi_arena_check(&b->arena, err));
  for (int i = 0; i < fill->ntiles; i++) {
    int low = 0, high = b->count - 1; /* the last node that begins at the tile or before */
    while (low < high) {
      const int mid = (low + high + 1) / 2;
      if (w->begin[mid] <= fill->tile[i].place) low = mid;
      else high = mid - 1;
    }
    b->filled[low] = i + 1;
  }
  for (int k = 1; k < b->count; k++) {
    if (b->filled[k] < b->filled[k - 1]) b->filled[k] = b->filled[k - 1];
  }
  return b->is_zero != NULL ? find_tiles(w, fill, err) : TRM_OK;
}

trm_status trmi_block_read_fill(trmi_block_building *w, const trmi_tile *tiles, trm_error *err) {
  const trmi_fill *fill = w->plan->fill;
  if (fill == NULL) return TRM_OK;
  share_twins(w->b, tiles);
  TRMI_TRY(err, find_filled(w, fill, err));
  return TRM_OK;
}
