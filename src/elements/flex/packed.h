/* packed.h - symmetric and antisymmetric matrices for products with vectors: each number is stored
 * once and read once, which is what such products cost.
 *
 * Four rows j .. j + 3 are a panel: their columns j .. j + 3, then those behind them up to a
 * multiple of eight, zero from n on. Products and sums have one order on every machine. */
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

/* y = A x for one or two vectors [count][width]. */
void trmi_packed_multiply(const trmi_packed *m, int count, const double *x, double *y);

/* Row i [n]. */
void trmi_packed_row(const trmi_packed *m, int i, double *row);

#endif
