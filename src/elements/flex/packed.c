/* packed.c - see packed.h. A panel of rows j .. j + 7 with the blocks D (its own columns) and V
 * (those behind) adds
 *   y_j += D x_j + V x_b,   y_b += s V^T x_j,   s = 1 or, antisymmetric, -1                (1)
 * Sums of a row of V have trmi_eight lanes, which are added in pairs at the end:
 *   ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7))                                      (2) */
#include "elements/flex/packed.h"
#include "math/eight.h"
#include <math.h>
#include <string.h>

enum { SIDE = TRMI_EIGHT, TILE = SIDE * SIDE, HALF = 4 };

/* Panels of a matrix. */
static int panels(int n) {
  return (n + SIDE - 1) / SIDE;
}

int trmi_packed_width(int n) {
  return SIDE * panels(n);
}

/* The full matrix in another order, row by row, from its upper triangle. */
typedef struct sorted {
  const double *full;
  int           n;
  double        sign;
  const int    *number; /* at a place; NULL: the same */
} sorted;

static double entry(const sorted *s, int row, int col) {
  const int i = s->number != NULL ? s->number[row] : row;
  const int j = s->number != NULL ? s->number[col] : col;
  const double upper = s->full[i <= j ? s->n * i + j : s->n * j + i];
  return i <= j ? upper : s->sign * upper;
}

/* Tile of rows j .. and columns c ..: D by columns. @return its largest number */
static double make_tile(const sorted *s, int j, int c, double tile[TILE]) {
  double largest = 0.0;
  memset(tile, 0, TILE * sizeof *tile);
  for (int r = 0; r < SIDE && j + r < s->n; r++) {
    for (int k = 0; k < SIDE && c + k < s->n; k++) {
      const double number = entry(s, j + r, c + k);
      tile[c == j ? SIDE * k + r : SIDE * r + k] = number;
      largest = fmax(largest, fabs(number));
    }
  }
  return largest;
}

/* Lists of tiles; with `at` their numbers as well. @return how many there are */
static int list_tiles(const sorted *s, double zero, trmi_packed *m) {
  const int side = panels(s->n);
  double tile[TILE];
  int count = 0;
  for (int j = 0; j < side; j++) {
    if (m->at != NULL) m->first[j] = count;
    for (int c = j; c < side; c++) {
      if (!(make_tile(s, SIDE * j, SIDE * c, tile) > zero)) continue;
      if (m->at != NULL) {
        m->column[count] = c;
        memcpy(m->at + (size_t)count * TILE, tile, sizeof tile);
      }
      count++;
    }
  }
  if (m->at != NULL) m->first[side] = count;
  return count;
}

bool trmi_packed_make(trmi_packed *m, const double *full, const trmi_packing *how,
                      trmi_arena *arena) {
  const sorted s = {.full = full, .n = how->n, .sign = how->is_antisymmetric ? -1.0 : 1.0,
                    .number = how->number};
  *m = (trmi_packed){.n = how->n, .is_antisymmetric = how->is_antisymmetric,
                     .number = how->number};
  const int tiles = list_tiles(&s, how->zero, m);
  m->first = TRMI_TAKE(arena, int, panels(how->n) + 1);
  m->column = TRMI_TAKE(arena, int, tiles);
  m->at = TRMI_TAKE(arena, double, (size_t)tiles * TILE);
  if (arena->failed) return false;
  (void)list_tiles(&s, how->zero, m);
  return true;
}

/* (1) for four rows of the tiles behind `column`: the registers of small processors hold no
 * more. */
static TRMI_INLINE void add_half(const int *column, int count, const double *V, const double *own,
                                 double sign, const double *x, double *y,
                                 trmi_eight sums[HALF]) {
  const double h0 = sign * own[0], h1 = sign * own[1], h2 = sign * own[2], h3 = sign * own[3];
  trmi_eight s0, s1, s2, s3;
  s0 = s1 = s2 = s3 = (trmi_eight){0.0};
  for (int c = 0; c < count; c++, V += TILE) {
    trmi_eight v0, v1, v2, v3, here, out;
    const int at = SIDE * column[c];
    eight_load(&v0, V), eight_load(&v1, V + SIDE);
    eight_load(&v2, V + 2 * SIDE), eight_load(&v3, V + 3 * SIDE);
    eight_load(&here, x + at), eight_load(&out, y + at);
    eight_add_product(&s0, &v0, &here), eight_add_product(&s1, &v1, &here);
    eight_add_product(&s2, &v2, &here), eight_add_product(&s3, &v3, &here);
    eight_add_scaled(&out, &v0, h0), eight_add_scaled(&out, &v1, h1);
    eight_add_scaled(&out, &v2, h2), eight_add_scaled(&out, &v3, h3);
    eight_store(y + at, &out);
  }
  sums[0] = s0, sums[1] = s1, sums[2] = s2, sums[3] = s3;
}

/* (1) for row j of tiles of a matrix. */
static TRMI_INLINE void add_panel(const trmi_packed *m, int j, const double *x, double *y) {
  const double sign = m->is_antisymmetric ? -1.0 : 1.0;
  const int first = m->first[j], has_own = first < m->first[j + 1] && m->column[first] == j;
  const int *column = m->column + first + has_own, count = m->first[j + 1] - first - has_own;
  const double *D = m->at + (size_t)first * TILE, *V = D + TILE * has_own;
  const double *here = x + SIDE * j;
  trmi_eight sums[SIDE], own;
  if (count + has_own == 0) return;
  add_half(column, count, V, here, sign, x, y, sums);
  add_half(column, count, V + HALF * SIDE, here + HALF, sign, x, y, sums + HALF);
  eight_load(&own, y + SIDE * j);
  for (int c = 0; c < SIDE && has_own; c++) {
    trmi_eight number;
    eight_load(&number, D + SIDE * c);
    eight_add_scaled(&own, &number, here[c]);
  }
  eight_add_sums(&own, sums);
  eight_store(y + SIDE * j, &own);
}

TRMI_CLONES
static void multiply(const trmi_packed *list, int matrices, int vectors, const double *x,
                     double *y) {
  if (matrices == 0) return;
  const int side = panels(list->n), width = SIDE * side;
  memset(y, 0, (size_t)(matrices * vectors * width) * sizeof *y);
  for (int k = 0; k < matrices; k++) {
    for (int j = 0; j < side; j++) {
      for (int i = 0; i < vectors; i++) {
        add_panel(&list[k], j, x + width * i, y + width * (vectors * k + i));
      }
    }
  }
}

void trmi_packed_multiply(const trmi_packed *list, int matrices, int vectors, const double *x,
                          double *y) {
  multiply(list, matrices, vectors, x, y);
}

static int place_of(const trmi_packed *m, int i) {
  int place = m->number != NULL ? 0 : i;
  while (m->number != NULL && m->number[place] != i) place++;
  return place;
}

/* Tile of row j of tiles and column c, or NULL. */
static const double *tile_at(const trmi_packed *m, int j, int c) {
  for (int t = m->first[j]; t < m->first[j + 1] && m->column[t] <= c; t++) {
    if (m->column[t] == c) return m->at + (size_t)t * TILE;
  }
  return NULL;
}

void trmi_packed_row(const trmi_packed *m, int i, double *row) {
  const double sign = m->is_antisymmetric ? -1.0 : 1.0;
  const int place = place_of(m, i), own = place / SIDE, r = place % SIDE;
  for (int c = 0; c < panels(m->n); c++) {
    const double *tile = c < own ? tile_at(m, c, own) : tile_at(m, own, c);
    for (int k = 0; k < SIDE && SIDE * c + k < m->n; k++) {
      const int to = m->number != NULL ? m->number[SIDE * c + k] : SIDE * c + k;
      const int at = c <= own ? SIDE * k + r : SIDE * r + k; /* columns of V above the diagonal */
      row[to] = tile == NULL ? 0.0 : (c < own ? sign : 1.0) * tile[at];
    }
  }
}
