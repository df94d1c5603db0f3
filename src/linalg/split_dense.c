/* split_dense.c - a part of a splitting with some hundred rows, by LAPACK.
 *
 * Row pivoting in G^T = P L U takes rows one after the other; the first ng of them are Y.
 * (G Y)^T is factored with pivoting of its own each time. */
#include "core/gate.h"
#include "linalg/split_part.h"
#include <string.h>

void trmi_split_dense_init(trmi_split_part *part, trmi_arena *arena) {
  part->GY = TRMI_TAKE(arena, double, (size_t)part->rows * (size_t)part->rows);
  part->pivot = TRMI_TAKE(arena, lapack_int, part->rows);
}

void trmi_split_dense_choose(trmi_split_part *part, double *GT, int *order) {
  const int rows = part->rows, cols = part->cols;
  memset(GT, 0, (size_t)rows * (size_t)cols * sizeof(double));
  for (int j = 0; j < rows; j++) {
    double *column = GT + (size_t)j * (size_t)cols;
    for (int p = part->Ap[j]; p < part->Ap[j + 1]; p++) column[part->Ai[p]] = part->Ax[p];
  }
  (void)TRMI_LAPACK(dgetrf_work, LAPACK_COL_MAJOR, cols, rows, GT, cols, part->pivot);
  for (int i = 0; i < cols; i++) order[i] = i;
  for (int k = 0; k < rows; k++) {
    const int other = (int)part->pivot[k] - 1, row = order[k];
    order[k] = order[other];
    order[other] = row;
  }
  memcpy(part->dependent, order, (size_t)rows * sizeof(int));
}

double trmi_split_dense_factor(trmi_split_part *part, int *place) {
  const int rows = part->rows;
  const size_t n = (size_t)rows;
  for (int i = 0; i < part->cols; i++) place[i] = -1;
  for (int i = 0; i < rows; i++) place[part->dependent[i]] = i;
  memset(part->GY, 0, n * n * sizeof(double));
  for (int j = 0; j < rows; j++) {
    double *column = part->GY + (size_t)j * n;
    for (int p = part->Ap[j]; p < part->Ap[j + 1]; p++) {
      const int i = place[part->Ai[p]];
      if (i >= 0) column[i] = part->Ax[p];
    }
  }
  (void)TRMI_LAPACK(dgetrf_work, LAPACK_COL_MAJOR, rows, rows, part->GY, rows, part->pivot);
  return trmi_split_smallest(part->GY, rows, n + 1);
}

void trmi_split_dense_solve(const trmi_split_part *part, double *x) {
  const int rows = part->rows;
  (void)TRMI_LAPACK(dgetrs_work, LAPACK_COL_MAJOR, 'N', rows, 1, part->GY, rows, part->pivot, x,
                    rows);
}
