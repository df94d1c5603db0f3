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
enum { AHEAD = 4 * TILE }; /* numbers are fetched so far ahead of their use */

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

/* A row of tiles of a matrix, its own one D (or NULL) and those behind it. */
typedef struct panel {
  const double *D, *V;
  const int    *column; /* of the tiles in V */
  int           count;
  int           place;  /* of its rows in vectors            */
  int           width;  /* between vectors                   */
  double        sign;
} panel;

/* (1) for some rows of V and one or two vectors, compile-time numbers: no more than the registers
 * of the machine hold. A tile is read once for both vectors. */
static TRMI_INLINE void add_rows(const panel *p, int first, int rows, int vectors, const double *x,
                                 double *y, trmi_eight sums[2][SIDE]) {
  const double *V = p->V + SIDE * first;
  const double *factor = x + p->place + first, *second = factor + p->width;
  double own[2][SIDE];
  trmi_eight sum[2][SIDE];
  TRMI_UNROLL for (int r = 0; r < rows; r++) {
    own[0][r] = p->sign * factor[r];
    own[1][r] = vectors > 1 ? p->sign * second[r] : 0.0;
    sum[0][r] = sum[1][r] = (trmi_eight){0.0};
  }
  for (int c = 0; c < p->count; c++, V += TILE) {
    trmi_eight here[2], out[2], v;
    const int at = SIDE * p->column[c];
    TRMI_UNROLL for (int i = 0; i < vectors; i++) {
      eight_load(&here[i], x + p->width * i + at), eight_load(&out[i], y + p->width * i + at);
    }
    TRMI_UNROLL for (int r = 0; r < rows; r++) {
      eight_load(&v, V + SIDE * r);
      TRMI_PREFETCH(V + SIDE * r + AHEAD);
      TRMI_UNROLL for (int i = 0; i < vectors; i++) {
        eight_add_product(&sum[i][r], &v, &here[i]);
        eight_add_scaled(&out[i], &v, own[i][r]);
      }
    }
    TRMI_UNROLL for (int i = 0; i < vectors; i++) eight_store(y + p->width * i + at, &out[i]);
  }
  TRMI_UNROLL for (int r = 0; r < rows; r++) {
    sums[0][first + r] = sum[0][r];
    if (vectors > 1) sums[1][first + r] = sum[1][r];
  }
}

/* D x_j, then the sums of V x. */
static TRMI_INLINE void add_own(const panel *p, const double *x, const trmi_eight sums[SIDE],
                                double *y) {
  trmi_eight own, number;
  eight_load(&own, y + p->place);
  for (int c = 0; c < SIDE && p->D != NULL; c++) {
    eight_load(&number, p->D + SIDE * c);
    eight_add_scaled(&own, &number, x[p->place + c]);
  }
  eight_add_sums(&own, sums);
  eight_store(y + p->place, &own);
}

/* (1) for row j of tiles of a matrix. Small processors take four rows and one vector at a time,
 * wide ones eight rows or two vectors. */
static TRMI_INLINE void add_panel(const trmi_packed *m, int j, bool is_wide, int vectors,
                                  const double *x, double *y) {
  const int first = m->first[j], end = m->first[j + 1], width = SIDE * panels(m->n);
  const bool has_own = first < end && m->column[first] == j;
  const double *tiles = m->at + (size_t)first * TILE;
  const panel p = {.D = has_own ? tiles : NULL, .V = tiles + (has_own ? TILE : 0),
                   .column = m->column + first + has_own, .count = end - first - has_own,
                   .place = SIDE * j, .width = width,
                   .sign = m->is_antisymmetric ? -1.0 : 1.0};
  trmi_eight sums[2][SIDE];
  if (first == end) return;
  for (int i = 0; i < vectors;) {
    const double *here = x + width * i;
    double *to = y + width * i;
    const bool is_pair = is_wide && i + 1 < vectors;
    if (is_pair) {
      add_rows(&p, 0, HALF, 2, here, to, sums);
      add_rows(&p, HALF, HALF, 2, here, to, sums);
      add_own(&p, here + width, sums[1], to + width);
    } else if (is_wide) {
      add_rows(&p, 0, SIDE, 1, here, to, sums);
    } else {
      add_rows(&p, 0, HALF, 1, here, to, sums);
      add_rows(&p, HALF, HALF, 1, here, to, sums);
    }
    add_own(&p, here, sums[0], to);
    i += is_pair ? 2 : 1;
  }
}

static TRMI_INLINE void multiply_all(const trmi_packed *list, int matrices, bool is_wide,
                                     int vectors, const double *x, double *y) {
  if (matrices == 0) return;
  const int side = panels(list->n), width = SIDE * side;
  memset(y, 0, (size_t)(matrices * vectors * width) * sizeof *y);
  for (int k = 0; k < matrices; k++) {
    for (int j = 0; j < side; j++) {
      add_panel(&list[k], j, is_wide, vectors, x, y + width * vectors * k);
    }
  }
}

TRMI_CLONES
static void multiply(const trmi_packed *list, int matrices, int vectors, const double *x,
                     double *y) {
  multiply_all(list, matrices, false, vectors, x, y);
}

/* For machines with 32 registers of eight numbers; the same bits. */
TRMI_CLONES
static void multiply_wide(const trmi_packed *list, int matrices, int vectors, const double *x,
                          double *y) {
  multiply_all(list, matrices, true, vectors, x, y);
}

void trmi_packed_multiply(const trmi_packed *list, int matrices, int vectors, const double *x,
                          double *y) {
  if (TRMI_HAS_AVX512()) multiply_wide(list, matrices, vectors, x, y);
  else multiply(list, matrices, vectors, x, y);
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
