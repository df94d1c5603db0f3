/* packed.c - see packed.h. A panel of rows j .. j + 7 with the blocks D (its own columns) and V
 * (those behind) adds
 *   y_j += D x_j + V x_b,   y_b += s V^T x_j,   s = 1 or, antisymmetric, -1                (1)
 * Sums of a row of V have trmi_eight lanes, which are added in pairs at the end:
 *   ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7))                                      (2) */
#include "elements/flex/packed.h"
#include "math/eight.h"
#include <string.h>

enum { SIDE = TRMI_EIGHT, TILE = SIDE * SIDE, HALF = 4 };

/* Panels of a matrix. */
static int panels(int n) {
  return (n + SIDE - 1) / SIDE;
}

int trmi_packed_width(int n) {
  return SIDE * panels(n);
}

bool trmi_packed_make(trmi_packed *m, const double *full, bool is_antisymmetric, int n,
                      trmi_arena *arena) {
  const int side = panels(n);
  const double sign = is_antisymmetric ? -1.0 : 1.0;
  double *at = TRMI_TAKE(arena, double, (size_t)(side * (side + 1) / 2) * TILE);
  if (at == NULL) return false;
  *m = (trmi_packed){.n = n, .is_antisymmetric = is_antisymmetric, .at = at};
  for (int j = 0; j < n; j += SIDE) {
    for (int c = j; c < n; c += SIDE, at += TILE) {
      for (int r = 0; r < SIDE && j + r < n; r++) {
        for (int k = 0; k < SIDE && c + k < n; k++) {
          const int row = j + r, col = c + k;
          const double upper = row <= col ? full[(size_t)(n * row + col)]
                                          : sign * full[(size_t)(n * col + row)];
          at[c == j ? SIDE * k + r : SIDE * r + k] = upper; /* D by columns */
        }
      }
    }
  }
  return true;
}

/* (1) for four rows of `count` tiles: registers of narrow machines hold no more. */
static TRMI_INLINE void add_half(int count, const double *V, const double *own, double sign,
                                 const double *x, double *y, trmi_eight sums[HALF]) {
  const double h0 = sign * own[0], h1 = sign * own[1], h2 = sign * own[2], h3 = sign * own[3];
  trmi_eight s0, s1, s2, s3;
  s0 = s1 = s2 = s3 = (trmi_eight){0.0};
  for (int c = 0; c < count; c++, V += TILE, x += SIDE, y += SIDE) {
    trmi_eight v0, v1, v2, v3, here, out;
    eight_load(&v0, V), eight_load(&v1, V + SIDE);
    eight_load(&v2, V + 2 * SIDE), eight_load(&v3, V + 3 * SIDE);
    eight_load(&here, x), eight_load(&out, y);
    eight_add_product(&s0, &v0, &here), eight_add_product(&s1, &v1, &here);
    eight_add_product(&s2, &v2, &here), eight_add_product(&s3, &v3, &here);
    eight_add_scaled(&out, &v0, h0), eight_add_scaled(&out, &v1, h1);
    eight_add_scaled(&out, &v2, h2), eight_add_scaled(&out, &v3, h3);
    eight_store(y, &out);
  }
  sums[0] = s0, sums[1] = s1, sums[2] = s2, sums[3] = s3;
}

/* (1) for one panel: its own tile, and `count` tiles behind it. */
static TRMI_INLINE void add_panel(int count, const double *panel, double sign, const double *x,
                                  double *y) {
  const double *V = panel + TILE;
  trmi_eight sums[SIDE], own;
  add_half(count, V, x, sign, x + SIDE, y + SIDE, sums);
  add_half(count, V + HALF * SIDE, x + HALF, sign, x + SIDE, y + SIDE, sums + HALF);
  eight_load(&own, y);
  for (int c = 0; c < SIDE; c++) {
    trmi_eight column;
    eight_load(&column, panel + SIDE * c);
    eight_add_scaled(&own, &column, x[c]);
  }
  eight_add_sums(&own, sums);
  eight_store(y, &own);
}

TRMI_CLONES
static void multiply(const trmi_packed *list, int matrices, int vectors, const double *x,
                     double *y) {
  if (matrices == 0) return;
  const int n = list->n, side = panels(n), width = SIDE * side;
  memset(y, 0, (size_t)(matrices * vectors * width) * sizeof *y);
  for (int k = 0; k < matrices; k++) {
    const double sign = list[k].is_antisymmetric ? -1.0 : 1.0;
    const double *panel = list[k].at;
    for (int j = 0; j < side; j++) {
      const int count = side - j - 1;
      for (int i = 0; i < vectors; i++) {
        add_panel(count, panel, sign, x + width * i + SIDE * j,
                  y + width * (vectors * k + i) + SIDE * j);
      }
      panel += (size_t)(count + 1) * TILE;
    }
  }
}

void trmi_packed_multiply(const trmi_packed *list, int matrices, int vectors, const double *x,
                          double *y) {
  multiply(list, matrices, vectors, x, y);
}

void trmi_packed_row(const trmi_packed *m, int i, double *row) {
  const double sign = m->is_antisymmetric ? -1.0 : 1.0, *at = m->at;
  const int side = panels(m->n), own = i / SIDE, r = i % SIDE;
  for (int j = 0; j < own; j++) { /* above the diagonal: columns of V */
    const double *V = at + (own - j) * TILE;
    for (int k = 0; k < SIDE; k++) row[SIDE * j + k] = sign * V[SIDE * k + r];
    at += (side - j) * TILE;
  }
  for (int c = SIDE * own; c < m->n; c++) {
    const double *tile = at + (c / SIDE - own) * TILE;
    row[c] = c < SIDE * (own + 1) ? tile[SIDE * (c % SIDE) + r] : tile[SIDE * r + c % SIDE];
  }
}
