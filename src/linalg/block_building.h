/* block_building.h - what the files share that find the structure of the block solver. */
#ifndef TRMI_BLOCK_BUILDING_H
#define TRMI_BLOCK_BUILDING_H
#include "linalg/block.h"

/* While the structure is found. */
typedef struct trmi_block_building {
  trmi_block *b;
  const trmi_plan *plan;
  const trmi_block_ops *kernels;
  trmi_arena *scratch, *keep;
  int  *tile_of, *row_of; /* tile and row in it, of an unknown          [n]      */
  int  *begin;            /* place of the first block of a tile         [count]  */
  int **neighbours;       /* later tiles of a tile, ascending           [count]  */
  int  *ncount;
  int  *mark;             /*                                            [count]  */
} trmi_block_building;

/* block_tiles.c: the blocks of the matrix as tiles to be filled. */
trm_status trmi_block_list_tiles(trmi_block_building *w, trmi_plan_target *target,
                                 trm_error *err) TRM_CHECKED;

/* After the plan has made the program that fills them: A_jk^T that are the same as A_kj, how far
 * the program must have come for each node, and its marks of tiles that are zero. */
trm_status trmi_block_read_fill(trmi_block_building *w, const trmi_tile *tiles,
                                trm_error *err) TRM_CHECKED;

#endif
