/* packed.h - symmetric and antisymmetric matrices for products with vectors: each number is stored
 * once and read once, which is what such products cost.
 *
 * Rows and columns are cut into eights; the upper triangle is a list of tiles of 8 x 8 numbers, row
 * of tiles after row, zero from n on. Products and sums have one order on every machine. */
#ifndef TRMI_PACKED_H
#define TRMI_PACKED_H
#include "core/arena.h"

typedef struct trmi_packed {
  int     n;
  bool    is_antisymmetric;
  double *at;
} trmi_packed;

/* Room that vectors of n numbers need, zero from n on. */
int trmi_packed_width(int n);

/* Of a full matrix [n n], row major, whose upper triangle counts. @return false: out of memory */
bool trmi_packed_make(trmi_packed *m, const double *full, bool is_antisymmetric, int n,
                      trmi_arena *arena);

/* y = A x for a list of matrices of one size and some vectors, x [vectors][width],
 * y [matrices][vectors][width]. */
void trmi_packed_multiply(const trmi_packed *list, int matrices, int vectors, const double *x,
                          double *y);

/* Row i [n]. */
void trmi_packed_row(const trmi_packed *m, int i, double *row);

#endif
