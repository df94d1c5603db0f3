/* loops.h - random constraints of several loops, for tests of splittings: rows and columns of
 * the loops are shuffled, some entries are given as two that add up, some columns have none. */
#ifndef TRM_TEST_LOOPS_H
#define TRM_TEST_LOOPS_H
#include "kit.h"
#include "linalg/split_part.h"

enum { LOOPS = 4, LOOP_WIDTH = 8, LOOP_ROWS = 717, LOOP_COLS = 1114, LOOP_IDLE = 7,
       LOOP_ENTRIES = LOOP_ROWS * (LOOP_WIDTH + 1) };
static const int loop_rows[LOOPS] = {40, 350, 7, 320}; /* of each loop */

typedef struct loops {
  int         rows, cols;
  int         first_row[LOOPS], second_row[LOOPS]; /* of each loop: neighbours */
  int         row[LOOP_ENTRIES], col[LOOP_ENTRIES], loop[LOOP_ROWS];
  double      values[LOOP_ENTRIES];
  trmi_sparse G;
} loops;

static inline void loops_shuffle(int *order, int n, uint64_t *seed) {
  for (int i = 0; i < n; i++) order[i] = i;
  for (int i = n - 1; i > 0; i--) {
    const int other = kit_below(seed, i + 1), kept = order[i];
    order[i] = order[other];
    order[other] = kept;
  }
}

/* Columns of a loop with so many rows: half of its coordinates or less are independent. */
static inline int loops_cols(int rows) { return rows + rows / 2 + LOOP_WIDTH; }

/* Row i of a loop takes LOOP_WIDTH columns in a row, its neighbour the same but one or two. */
static inline void loops_fill(loops *l, uint64_t seed) {
  static int row[LOOP_ROWS], col[LOOP_COLS];
  l->rows = LOOP_ROWS, l->cols = LOOP_IDLE;
  for (int k = 0; k < LOOPS; k++) l->cols += loops_cols(loop_rows[k]);
  assert_int_equal(l->cols, LOOP_COLS);
  loops_shuffle(row, l->rows, &seed);
  loops_shuffle(col, l->cols, &seed);
  int n = 0, first_row = 0, first_col = 0;
  for (int k = 0; k < LOOPS; k++) {
    l->first_row[k] = row[first_row], l->second_row[k] = row[first_row + 1];
    for (int i = 0; i < loop_rows[k]; i++) {
      l->loop[row[first_row + i]] = k;
      for (int j = 0; j <= LOOP_WIDTH; j++) { /* the first column comes twice */
        l->row[n] = row[first_row + i];
        l->col[n] = col[first_col + i + i / 2 + j % LOOP_WIDTH];
        l->values[n++] = kit_random(&seed);
      }
    }
    first_row += loop_rows[k];
    first_col += loops_cols(loop_rows[k]);
  }
  l->G = (trmi_sparse){.rows = l->rows, .cols = l->cols, .n = n,
                         .row = l->row, .col = l->col, .values = l->values};
}

/* The second row of a loop becomes -2 times the first: both keep the columns they share. */
static inline void loops_make_redundant(loops *l, int loop) {
  const int a = l->first_row[loop], b = l->second_row[loop];
  double first[LOOP_COLS] = {0};
  bool is_shared[LOOP_COLS] = {0};
  for (int k = 0; k < l->G.n; k++) {
    if (l->row[k] == a) first[l->col[k]] += l->values[k];
    if (l->row[k] == b) is_shared[l->col[k]] = true;
  }
  for (int k = 0; k < l->G.n; k++) {
    const int col = l->col[k];
    if (l->row[k] == a && !is_shared[col]) l->values[k] = 0.0;
    if (l->row[k] != b) continue;
    l->values[k] = -2.0 * first[col];
    first[col] = 0.0; /* the column that comes twice has it now */
  }
}

/* left = r + G^T s */
static inline void loops_left(const loops *l, const double *r, const double *s, double *left) {
  memcpy(left, r, (size_t)l->cols * sizeof(double));
  for (int k = 0; k < l->G.n; k++) left[l->col[k]] += l->values[k] * s[l->row[k]];
}

#endif
