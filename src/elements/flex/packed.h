/* packed.h - symmetric and antisymmetric matrices for products with vectors: each number is stored
 * and read only once, since reading dominates the cost of such products.
 *
 * Rows and columns are divided into groups of eight; the upper triangle is a list of tiles of 8 x 8
 * numbers, row of tiles after row, zero from n on. Empty tiles are omitted, and rows may be
 * reordered to obtain more of these. Products and sums have one order on every machine. */
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

/* How to pack a full matrix [n n], row major, of which the upper triangle is used. */
typedef struct trmi_packing {
  int        n;
  bool       is_antisymmetric;
  const int *number; /* as above; outlives the matrix */
  double     zero;   /* tiles without larger numbers are omitted */
} trmi_packing;

/* Padded length of vectors of n numbers, zero from n on. */
int trmi_packed_width(int n);

/* @return false: out of memory */
bool trmi_packed_make(trmi_packed *m, const double *full, const trmi_packing *how,
                      trmi_arena *arena);

/* y = A x for a list of matrices of one size and order and some vectors, x [vectors][width],
 * y [matrices][vectors][width], both in the order of the matrices. */
void trmi_packed_multiply(const trmi_packed *list, int matrices, int vectors, const double *x,
                          double *y);

/* Row i [n] of the original matrix. */
void trmi_packed_row(const trmi_packed *m, int i, double *row);

#endif
