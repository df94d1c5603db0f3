/* split.c - choice of dependent coordinates by pivoted LU of G^T, see split.h. */
#include "linalg/split.h"
#include <math.h>
#include <string.h>

/* Of the largest; below, a pivot counts as none. */
static const double rank_limit = 1e-11;
/* The choice holds down to this part of its smallest pivot. */
static const double kept_part = 0.1;

void trmi_split_init(trmi_split *split, const trmi_sparse *G, trmi_arena *arena) {
  const size_t rows = (size_t)G->rows, cols = (size_t)G->cols;
  *split = (trmi_split){.G = G};
  split->GT = TRMI_TAKE(arena, double, rows * cols);
  split->GY = TRMI_TAKE(arena, double, rows * rows);
  split->pivot = TRMI_TAKE(arena, lapack_int, rows);
  split->dependent = TRMI_TAKE(arena, int, rows);
  split->order = TRMI_TAKE(arena, int, cols);
}

static void fill_GT(trmi_split *split) {
  const trmi_sparse *G = split->G;
  const size_t cols = (size_t)G->cols;
  memset(split->GT, 0, (size_t)G->rows * cols * sizeof(double));
  for (int k = 0; k < G->n; k++) {
    split->GT[(size_t)G->row[k] * cols + (size_t)G->col[k]] += G->values[k];
  }
}

/* Smallest pivot on the diagonal of factors; 0 if it is nothing beside the largest. */
static double smallest_pivot(const double *LU, int n, size_t lead) {
  double smallest = INFINITY, largest = 0.0;
  for (int k = 0; k < n; k++) {
    const double size = fabs(LU[(size_t)k * lead + (size_t)k]);
    if (!(size >= smallest)) smallest = size;
    if (!(size <= largest)) largest = size;
  }
  return smallest > rank_limit * largest ? smallest : 0.0;
}

/* The rows of G^T that pivoting takes first; G^T is lost. */
static void choose(trmi_split *split) {
  const int rows = split->G->rows, cols = split->G->cols;
  (void)LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, cols, rows, split->GT, cols, split->pivot);
  for (int i = 0; i < cols; i++) split->order[i] = i;
  for (int k = 0; k < rows; k++) {
    const int other = (int)split->pivot[k] - 1, row = split->order[k];
    split->order[k] = split->order[other];
    split->order[other] = row;
  }
  memcpy(split->dependent, split->order, (size_t)rows * sizeof(int));
  split->choices++;
}

/* Factor (G Y)^T; returns its smallest pivot. */
static double factor(trmi_split *split) {
  const int rows = split->G->rows;
  const size_t n = (size_t)rows, cols = (size_t)split->G->cols;
  for (size_t j = 0; j < n; j++) {
    for (size_t i = 0; i < n; i++) {
      split->GY[j * n + i] = split->GT[j * cols + (size_t)split->dependent[i]];
    }
  }
  (void)LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, rows, rows, split->GY, rows, split->pivot);
  return smallest_pivot(split->GY, rows, n);
}

bool trmi_split_follow(trmi_split *split) {
  if (split->G->rows > split->G->cols) return false;
  fill_GT(split);
  if (split->smallest > 0.0 && factor(split) > kept_part * split->smallest) return true;
  choose(split);
  fill_GT(split);
  split->smallest = factor(split);
  return split->smallest > 0.0;
}

void trmi_split_solve(const trmi_split *split, const double *r, double *s) {
  const int rows = split->G->rows;
  for (int k = 0; k < rows; k++) s[k] = -r[split->dependent[k]];
  (void)LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', rows, 1, split->GY, rows, split->pivot, s,
                            rows);
}
