/* terrain.c - a smooth surface through heights over a rectangular grid.
 *
 * Along each line of the grid heights are joined by natural cubic splines, whose second derivatives
 * are continuous and zero at both ends. With w = spacing and slopes s_i at the nodes:
 *   s_(i-1)/w_(i-1) + 2 (1/w_(i-1) + 1/w_i) s_i + s_(i+1)/w_i
 *     = 3 (z_i - z_(i-1))/w_(i-1)^2 + 3 (z_(i+1) - z_i)/w_i^2                              (1)
 *   2 s_0 + s_1 = 3 (z_1 - z_0)/w_0, and likewise at the other end                         (2)
 * Slopes z_x along x, z_y along y, and the slopes z_xy of z_x along y define the surface
 *   z = sum X_a(x) Y_b(y) node_ab                                                          (3)
 * with the Hermite cubics X, Y: 1 - 3 u^2 + 2 u^3, 3 u^2 - 2 u^3, w (u - 2 u^2 + u^3), w (u^3 -
 * u^2). Beyond its borders it continues linearly with zero second derivatives. A vertical section
 * with z'' has a curvature of at most |z''|, so radii are at least 1/|z''|. They are computed from
 * the largest eigenvalues on a finer grid; between its points these may be slightly larger. */
#include "elements/body/terrain.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the grid ------------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y ? 1 : 0;
}

/* Distinct values of column k of the rows in ascending order; returns their number. */
static int lines_of(const double *rows, int count, int k, double *lines) {
  int n = 0;
  for (int i = 0; i < count; i++) lines[i] = rows[3 * i + k];
  qsort(lines, (size_t)count, sizeof *lines, by_size);
  for (int i = 0; i < count; i++) {
    if (n == 0 || lines[i] != lines[n - 1]) lines[n++] = lines[i];
  }
  return n;
}

static int find_line(const double *lines, int n, double at) {
  const double *found = bsearch(&at, lines, (size_t)n, sizeof *lines, by_size);
  return (int)(found - lines);
}

static bool place_heights(const double *rows, int count, const trmi_terrain *t, double (*node)[4],
                          char fault[TRMI_TERRAIN_FAULT]) {
  for (int i = 0; i < count; i++) node[i][0] = NAN;
  for (int i = 0; i < count; i++) {
    const double *row = rows + 3 * i;
    double *here = node[find_line(t->x, t->nx, row[0]) + t->nx * find_line(t->y, t->ny, row[1])];
    if (!isnan(here[0])) {
      snprintf(fault, TRMI_TERRAIN_FAULT, "its terrain has two points at x = %g, y = %g", row[0],
               row[1]);
      return false;
    }
    here[0] = row[2];
  }
  return true;
}

/* ---- splines -------------------------------------------------------------------------------- */

/* (1), (2) for components `from` of nodes `stride` apart, into components `to`. */
static void find_slopes(const double *at, int n, double (*node)[4], int stride, int from, int to,
                        double *work) {
  double *upper = work, *right = work + n;
  for (int i = 0; i < n; i++) { /* eliminated from the first to the last */
    const double z = node[i * stride][from];
    double below = 0.0, diagonal = 0.0, above = 0.0, sum = 0.0;
    if (i > 0) {
      const double w = at[i] - at[i - 1];
      below = 1.0 / w, diagonal += 2.0 / w;
      sum += 3.0 * (z - node[(i - 1) * stride][from]) / (w * w);
    }
    if (i < n - 1) {
      const double w = at[i + 1] - at[i];
      above = 1.0 / w, diagonal += 2.0 / w;
      sum += 3.0 * (node[(i + 1) * stride][from] - z) / (w * w);
    }
    const double pivot = i > 0 ? diagonal - below * upper[i - 1] : diagonal;
    upper[i] = above / pivot;
    right[i] = (i > 0 ? sum - below * right[i - 1] : sum) / pivot;
  }
  for (int i = n - 1; i >= 0; i--) {
    const double next = i < n - 1 ? node[(i + 1) * stride][to] : 0.0;
    node[i * stride][to] = right[i] - upper[i] * next;
  }
}

/* Cubics of (3) at x and their derivatives: for both ends, then for both slopes. */
static int cubics_at(const double *at, int n, double x, double c[3][4]) {
  int low = 0, high = n - 1;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (x < at[middle]) high = middle;
    else low = middle;
  }
  const double w = at[low + 1] - at[low], u = (x - at[low]) / w;
  memset(c, 0, 3 * sizeof *c);
  if (u < 0.0 || u > 1.0) { /* beyond the borders */
    const int end = u < 0.0 ? 0 : 1;
    c[0][end] = 1.0, c[0][2 + end] = x - at[low + end], c[1][2 + end] = 1.0;
    return low;
  }
  const double cubics[3][4] = {
    {1 - u * u * (3 - 2 * u), u * u * (3 - 2 * u), w * u * (1 - u) * (1 - u), w * u * u * (u - 1)},
    {-6 * u * (1 - u) / w, 6 * u * (1 - u) / w, 1 - u * (4 - 3 * u), u * (3 * u - 2)},
    {(12 * u - 6) / (w * w), (6 - 12 * u) / (w * w), (6 * u - 4) / w, (6 * u - 2) / w}};
  memcpy(c, cubics, sizeof cubics);
  return low;
}

/* (3) for derivatives i, j of X and Y */
static double sum_of(const trmi_terrain *t, int at, const double *X, const double *Y) {
  double sum = 0.0;
  for (int b = 0; b < 4; b++) {
    for (int a = 0; a < 4; a++) {
      const double *node = t->node[at + a % 2 + t->nx * (b % 2)];
      sum += X[a] * Y[b] * node[a / 2 + 2 * (b / 2)];
    }
  }
  return sum;
}

trmi_height trmi_terrain_at(const trmi_terrain *t, double x, double y) {
  double X[3][4], Y[3][4];
  const int i = cubics_at(t->x, t->nx, x, X), k = cubics_at(t->y, t->ny, y, Y);
  const int at = i + t->nx * k;
  return (trmi_height){.z = sum_of(t, at, X[0], Y[0]),
                       .slope = {sum_of(t, at, X[1], Y[0]), sum_of(t, at, X[0], Y[1])},
                       .bend = {sum_of(t, at, X[2], Y[0]), sum_of(t, at, X[1], Y[1]),
                                sum_of(t, at, X[0], Y[2])}};
}

/* ---- all ------------------------------------------------------------------------------------ */

/* Radii of the smallest hollow and of the smallest ridge. */
static void find_radii(trmi_terrain *t) {
  enum { PARTS = 4 };
  double most = 0.0, least = 0.0;
  for (int i = 0; i <= PARTS * (t->nx - 1); i++) {
    for (int k = 0; k <= PARTS * (t->ny - 1); k++) {
      const int a = i / PARTS < t->nx - 1 ? i / PARTS : t->nx - 2;
      const int b = k / PARTS < t->ny - 1 ? k / PARTS : t->ny - 2;
      const double x = t->x[a] + (t->x[a + 1] - t->x[a]) * (i - PARTS * a) / PARTS;
      const double y = t->y[b] + (t->y[b + 1] - t->y[b]) * (k - PARTS * b) / PARTS;
      const trmi_height h = trmi_terrain_at(t, x, y);
      const double mean = 0.5 * (h.bend[0] + h.bend[2]);
      const double off = hypot(0.5 * (h.bend[0] - h.bend[2]), h.bend[1]);
      most = fmax(most, mean + off), least = fmin(least, mean - off);
    }
  }
  t->hollow = most > 0.0 ? 1.0 / most : INFINITY;
  t->ridge = least < 0.0 ? -1.0 / least : INFINITY;
}

bool trmi_terrain_make(const double *rows, int count, double *room, trmi_terrain *out,
                       char fault[TRMI_TERRAIN_FAULT]) {
  double *x = room, *y = room + count, (*node)[4] = (double (*)[4])(room + 2 * count);
  double *work = room + 6 * count; /* of 3 count + 4 */
  for (int i = 0; i < 3 * count; i++) {
    if (isfinite(rows[i])) continue;
    snprintf(fault, TRMI_TERRAIN_FAULT, "number %d of its terrain is not finite", i + 1);
    return false;
  }
  *out = (trmi_terrain){.x = x, .y = y, .nx = lines_of(rows, count, 0, x),
                        .ny = lines_of(rows, count, 1, y), .node = (const double (*)[4])node};
  if (out->nx < 2 || out->ny < 2 || (long)out->nx * out->ny != count) {
    snprintf(fault, TRMI_TERRAIN_FAULT, "the points of its terrain are no grid: %d of them have %d "
             "different x and %d different y, two at least, and one point for each pair is needed",
             count, out->nx, out->ny);
    return false;
  }
  if (!place_heights(rows, count, out, node, fault)) return false;
  for (int k = 0; k < out->ny; k++) {
    find_slopes(x, out->nx, node + k * out->nx, 1, 0, 1, work);
  }
  for (int i = 0; i < out->nx; i++) {
    find_slopes(y, out->ny, node + i, out->nx, 0, 2, work);
    find_slopes(y, out->ny, node + i, out->nx, 1, 3, work);
  }
  find_radii(out);
  return true;
}
