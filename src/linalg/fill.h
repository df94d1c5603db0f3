/* fill.h - the program by which a plan fills the tiles of a solver.
 *
 * A tile is a dense block of `rows` rows, `ld` numbers apart, ld a multiple of 4; tiles
 * follow each other in one array. With S the sum of the terms that are multiplied by T
 * and P the sum of the others, a tile is
 *
 *   A = S T + P                                                              (1)
 *
 * made in this order: the entries of S go to their places (a piece sets or adds some
 * neighbouring entries of one term), every rotation turns its three columns in place,
 * the entries of P follow. Pieces of the same shape share one list of places, so that a
 * chain of any length reads a handful of short lists. A tile that holds the same
 * entries as its twin, the tile across the diagonal (G T next to G^T), is copied from it
 * and then turned; one that is not turned is never made: its twin stands for both. A tile
 * that only runs of contacts fill stays as it is while they are zero, and a mark says so.
 *
 * A piece moves vectors of four numbers where it can: numbers that follow each other in both
 * lists, and blocks of four rows with three or four columns whose columns follow each other in the
 * list of values (rows of modes), which are transposed on the way. */
#ifndef TRMI_FILL_H
#define TRMI_FILL_H
#include "core/arena.h"
#include <stdbool.h>
#include <stdint.h>

struct trmi_plan;

typedef struct trmi_tile {
  int place, rows, ld;
  int twin; /* the tile across the diagonal, rows for columns: same rows and ld; -1 none */
  bool is_same; /* result: the earlier twin stands for it */
} trmi_tile;

/* Number k of a piece: value `entry` behind its first one goes to `place` behind the
 * start of the tile. Blocks come first, column by column, then fours. */
typedef struct trmi_fill_pair {
  uint16_t entry, place;
} trmi_fill_pair;

typedef struct trmi_fill_piece {
  int     term, entry; /* first value of the piece            */
  int     run;         /* that of the run it is a part of, sparse.h; -1: of none */
  int     shape;       /* its first pair                      */
  int16_t count;      /* its pairs                           */
  int8_t  blocks4, blocks3; /* blocks of four rows with four and three columns */
  int8_t  fours;      /* then so many fours                  */
  bool    sets;        /* old values are overwritten */
} trmi_fill_piece;

/* Three columns times the matrix of a rotation. In storage they are three columns (step 1)
 * or, in transposed tiles, three rows (step ld). */
typedef struct trmi_fill_turn {
  int place;  /* of the first number in the tile         */
  int T;      /* place of the matrix                     */
  int step;   /* from column to column                   */
} trmi_fill_turn;

typedef struct trmi_fill_tile {
  int  place, rows, ld;
  int  twin;    /* place of the tile that is copied, or -1               */
  bool clears;  /* zero before anything else                            */
  bool may_vanish; /* all of its pieces belong to runs; then it clears as well */
  /* ends of what belongs to it; each begins where the tile before ended */
  int  turned_end, turn_end, plain_end;
} trmi_fill_tile;

typedef struct trmi_fill trmi_fill;

/* Tiles by (1), the stretch tiles[0] .. tiles[1] - 1; T may be NULL: ones. See fill_numeric.h. */
typedef void trmi_fill_run(const trmi_fill *fill, const struct trmi_plan *plan,
                           const double *coefficient, const double *T, const int tiles[2]);

struct trmi_fill {
  trmi_fill_run   *run;
  int ntiles;              /* those that hold entries             */
  trmi_fill_tile  *tile;
  trmi_fill_piece *piece;  /* turned ones before the others       */
  trmi_fill_turn  *turn;
  trmi_fill_pair  *pair;
  unsigned char   *is_zero; /* tiles that vanished in the last fill, all of zeros [ntiles] */
};

/* The program of a plan whose maps hold places in the tiles; NULL in *fill if a
 * rotation has not three columns of one tile for itself. Entries of tiles that are the same as
 * their twin are found there from now on, by the index of the plan. */
trm_status trmi_fill_build(trmi_fill **fill, const struct trmi_plan *plan, trmi_tile *tiles,
                           int ntiles, trmi_arena *arena, trm_error *err);

#endif
