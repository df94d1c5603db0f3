/* packed.h - symmetric and antisymmetric matrices for products with vectors: each number is stored
 * once and read once, which is what such products cost.
 *
 * Rows and columns are cut into eights; the upper triangle is a list of tiles of 8 x 8 numbers, row
 * of tiles after row, zero from n on. Tiles without numbers are left out, and numbers may have
 * another order so that there are more of these. Products and sums have one order on every
 * machine. */
#ifndef TRMI_PACKED_H
#define TRMI_PACKED_H
#include "core/arena.h"

typedef struct trmi_packed {
  int     n;
  bool    is_antisymmetric;
  const int *number; /* at a place of vectors; NULL: i     [n]        */
  int    *first;     /* tile of a row of tiles             [rows + 1] */
  int    *column;    /* of a tile, in tiles                [tiles]    */
  double *at;        /*                                    [64 tiles] */
} trmi_packed;

/* How a full matrix [n n], row major, whose upper triangle counts, is packed. */
typedef struct trmi_packing {
  int        n;
  bool       is_antisymmetric;
  const int *number; /* as above; outlives the matrix */
  double     zero;   /* tiles of no larger numbers are left out */
} trmi_packing;

/* Room that vectors of n numbers need, zero from n on. */
int trmi_packed_width(int n);

/* @return false: out of memory */
bool trmi_packed_make(trmi_packed *m, const double *full, const trmi_packing *how,
                      trmi_arena *arena);

/* y = A x for a list of matrices of one size and order and some vectors, x [vectors][width],
 * y [matrices][vectors][width], both in the order of the matrices. */
void trmi_packed_multiply(const trmi_packed *list, int matrices, int vectors, const double *x,
                          double *y);

/* Row i [n], as it was. */
void trmi_packed_row(const trmi_packed *m, int i, double *row);

#endif
