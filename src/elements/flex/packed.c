/* packed.c - see packed.h. A panel of rows j .. j + 3 with the blocks D (its own columns) and V
 * (those behind) adds
 *   y_j += D x_j + V x_b,   y_b += s V^T x_j,   s = 1 or, antisymmetric, -1                (1) */
#include "elements/flex/packed.h"
#include "core/compiler.h"
#include <string.h>

enum { ROWS = 4, LANES = 8 };

/* Columns behind a panel. */
static int behind(int n, int j) {
  const int left = n - j - ROWS;
  return left > 0 ? (left + LANES - 1) / LANES * LANES : 0;
}

int trmi_packed_width(int n) {
  return (n + ROWS - 1) / ROWS * ROWS + LANES;
}

static size_t size_of(int n) {
  size_t size = 0;
  for (int j = 0; j < n; j += ROWS) size += (size_t)(ROWS * (ROWS + behind(n, j)));
  return size;
}

bool trmi_packed_make(trmi_packed *m, const double *full, bool is_antisymmetric, int n,
                      trmi_arena *arena) {
  const double sign = is_antisymmetric ? -1.0 : 1.0;
  double *at = TRMI_TAKE(arena, double, size_of(n));
  if (at == NULL) return false;
  *m = (trmi_packed){.n = n, .is_antisymmetric = is_antisymmetric, .at = at};
  for (int j = 0; j < n; j += ROWS) {
    const int width = behind(n, j);
    for (int r = 0; r < ROWS && j + r < n; r++) {
      for (int c = 0; c < ROWS && j + c < n; c++) {
        const bool is_upper = c >= r;
        const int low = is_upper ? r : c, high = is_upper ? c : r;
        at[ROWS * r + c] = (is_upper ? 1.0 : sign) * full[(size_t)(n * (j + low) + j + high)];
      }
      double *V = at + ROWS * ROWS + width * r;
      for (int c = 0; j + ROWS + c < n; c++) V[c] = full[(size_t)(n * (j + r) + j + ROWS + c)];
    }
    at += ROWS * (ROWS + width);
  }
  return true;
}

/* (1) for V: y += s V^T x_j on columns behind, sums += V x of each lane. */
TRMI_CLONES
static void add_panel(int width, const double *V, const double head[ROWS], const double *x,
                      double *y, double sums[ROWS][LANES]) {
  double s0[LANES] = {0.0}, s1[LANES] = {0.0}, s2[LANES] = {0.0}, s3[LANES] = {0.0};
  const double *V1 = V + width, *V2 = V1 + width, *V3 = V2 + width;
  for (int c = 0; c < width; c += LANES) {
    for (int l = 0; l < LANES; l++) {
      const double v0 = V[c + l], v1 = V1[c + l], v2 = V2[c + l], v3 = V3[c + l], xl = x[c + l];
      y[c + l] = (((y[c + l] + v0 * head[0]) + v1 * head[1]) + v2 * head[2]) + v3 * head[3];
      s0[l] += v0 * xl, s1[l] += v1 * xl, s2[l] += v2 * xl, s3[l] += v3 * xl;
    }
  }
  memcpy(sums[0], s0, sizeof s0);
  memcpy(sums[1], s1, sizeof s1);
  memcpy(sums[2], s2, sizeof s2);
  memcpy(sums[3], s3, sizeof s3);
}

static double total(const double s[LANES]) {
  return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
}

void trmi_packed_multiply(const trmi_packed *m, int count, const double *x, double *y) {
  const int n = m->n, whole = trmi_packed_width(n);
  const double sign = m->is_antisymmetric ? -1.0 : 1.0, *at = m->at;
  memset(y, 0, (size_t)(count * whole) * sizeof *y);
  for (int j = 0; j < n; j += ROWS) {
    const int width = behind(n, j);
    for (int k = 0; k < count; k++) {
      const double *own = x + whole * k + j;
      double *out = y + whole * k + j, head[ROWS], sums[ROWS][LANES];
      for (int r = 0; r < ROWS; r++) head[r] = sign * own[r];
      add_panel(width, at + ROWS * ROWS, head, own + ROWS, out + ROWS, sums);
      for (int r = 0; r < ROWS; r++) {
        const double *D = at + ROWS * r;
        out[r] += ((D[0] * own[0] + D[1] * own[1]) + (D[2] * own[2] + D[3] * own[3])) +
                  total(sums[r]);
      }
    }
    at += ROWS * (ROWS + width);
  }
}

void trmi_packed_row(const trmi_packed *m, int i, double *row) {
  const double sign = m->is_antisymmetric ? -1.0 : 1.0, *at = m->at;
  for (int j = 0; j <= i; j += ROWS) {
    const int width = behind(m->n, j);
    const double *V = at + ROWS * ROWS;
    for (int r = 0; r < ROWS && j + r < m->n; r++) {
      if (i < j + ROWS) {
        row[j + r] = at[ROWS * (i - j) + r];
      } else {
        row[j + r] = sign * V[width * r + i - j - ROWS];
      }
    }
    if (i < j + ROWS) {
      const double *own = V + width * (i - j);
      for (int c = j + ROWS; c < m->n; c++) row[c] = own[c - j - ROWS];
    }
    at += ROWS * (ROWS + width);
  }
}
