/* core_pair.c - nearest points of two cores, boxes whose half lengths may be zero.
 *
 * A point of core k is c_k + sum a_i e_i with |a_i| <= size_i. The nearest points of parallel edges
 * or faces are not unique and would jump; so cores bulge a little,
 *   F = min |w|^2/2 + kappa |a|^2/2,   w = c_0 - c_1 + sum a_i y_i                         (1)
 * with y_i the axes of core 0 and minus those of core 1, a all six positions. F is strictly convex:
 * its minimum is unique, moves continuously, and dF = w.dw at fixed a. sqrt(2 F) replaces the
 * distance; at the ends of a core it is larger by kappa size^2/(2 d).
 * Positions that are not at a bound are free:
 *   y_i.w + kappa a_i = 0                                                                 (2)
 * and follow a motion that changes w by u and turns the axes by phi:
 *   sum_k (y_i.y_k + kappa delta_ik) da_k = -(phi x y_i).w - y_i.u                         (3)
 * (1) is solved by minima along single positions, which determine those at a bound, and by jumps to
 * the minimum of the free ones; neither ever raises F, and the last jump is exact. */
#include "elements/contact/core_pair.h"
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { ROUNDS = 60 };

/* Inverse of (3) for free positions by elimination; the matrix is positive definite. */
static void invert(const trmi_core_pair *p, trmi_nearest *n, const bool is_free[6]) {
  double A[6][6];
  memset(n->S, 0, sizeof n->S);
  for (int i = 0; i < 6; i++) {
    for (int k = 0; k < 6; k++) {
      const bool both = is_free[i] && is_free[k];
      A[i][k] = both ? v3_dot(n->y[i], n->y[k]) + (i == k ? p->bulge : 0.0) : i == k ? 1.0 : 0.0;
      n->S[i][k] = i == k ? 1.0 : 0.0;
    }
  }
  for (int i = 0; i < 6; i++) {
    const double pivot = 1.0 / A[i][i];
    for (int k = 0; k < 6; k++) A[i][k] *= pivot, n->S[i][k] *= pivot;
    for (int r = 0; r < 6; r++) {
      const double f = A[r][i];
      if (r == i || f == 0.0) continue;
      for (int k = 0; k < 6; k++) A[r][k] -= f * A[i][k], n->S[r][k] -= f * n->S[i][k];
    }
  }
  for (int i = 0; i < 6; i++) {
    if (!is_free[i]) n->S[i][i] = 0.0;
  }
}

static double bound_of(const trmi_core_pair *p, int i) {
  return p->size[i / 3][i % 3];
}

static trmi_vec3 way_at(const trmi_core_pair *p, const trmi_nearest *n) {
  trmi_vec3 w = v3_sub(p->c[0], p->c[1]);
  for (int i = 0; i < 6; i++) w = v3_add(w, v3_scale(n->at[i], n->y[i]));
  return w;
}

/* Minimize along each position in turn; returns the largest displacement. */
static double sweep(const trmi_core_pair *p, trmi_nearest *n) {
  double largest = 0.0;
  for (int i = 0; i < 6; i++) {
    const double bound = bound_of(p, i);
    if (!(bound > 0.0)) continue;
    const double slope = v3_dot(n->y[i], n->w) + p->bulge * n->at[i];
    const double next = fmin(fmax(n->at[i] - slope / (1.0 + p->bulge), -bound), bound);
    largest = fmax(largest, fabs(next - n->at[i]));
    n->w = v3_add(n->w, v3_scale(next - n->at[i], n->y[i]));
    n->at[i] = next;
  }
  return largest;
}

/* Move to the minimum over the free positions, or to the first bound; returns the largest
 * displacement. */
static double leap(const trmi_core_pair *p, trmi_nearest *n) {
  double way[6], part = 1.0, largest = 0.0;
  bool is_free[6];
  int first = -1;
  for (int i = 0; i < 6; i++) is_free[i] = fabs(n->at[i]) < bound_of(p, i);
  invert(p, n, is_free);
  for (int i = 0; i < 6; i++) {
    way[i] = 0.0;
    for (int k = 0; k < 6; k++) {
      way[i] -= n->S[i][k] * (v3_dot(n->y[k], n->w) + p->bulge * n->at[k]);
    }
    const double room = bound_of(p, i) - (way[i] > 0.0 ? n->at[i] : -n->at[i]);
    if (is_free[i] && part * fabs(way[i]) > room) part = room / fabs(way[i]), first = i;
  }
  for (int i = 0; i < 6; i++) {
    n->at[i] += part * way[i];
    largest = fmax(largest, fabs(part * way[i]));
  }
  if (first >= 0) n->at[first] = way[first] > 0.0 ? bound_of(p, first) : -bound_of(p, first);
  n->w = way_at(p, n);
  return largest;
}

void trmi_core_nearest(const trmi_core_pair *p, trmi_nearest *out) {
  double scale = 0.0, square = 0.0;
  memset(out->at, 0, sizeof out->at);
  for (int i = 0; i < 6; i++) {
    out->y[i] = i < 3 ? p->axis[0][i] : v3_neg(p->axis[1][i - 3]);
    scale = fmax(scale, bound_of(p, i));
  }
  out->w = way_at(p, out);
  for (int round = 0; round < ROUNDS; round++) {
    const double moved = sweep(p, out);
    const double leapt = leap(p, out);
    if (fmax(moved, leapt) <= 1e-14 * scale) break;
  }
  for (int i = 0; i < 6; i++) square += out->at[i] * out->at[i];
  out->d = sqrt(v3_dot(out->w, out->w) + p->bulge * square);
}

void trmi_core_slide(const trmi_core_pair *p, const trmi_nearest *n, trmi_vec3 moved,
                     const trmi_vec3 phi[2], double change[6]) {
  double right[6];
  (void)p;
  for (int i = 0; i < 6; i++) { /* (3) */
    right[i] = -v3_dot(v3_cross(phi[i / 3], n->y[i]), n->w) - v3_dot(n->y[i], moved);
  }
  for (int i = 0; i < 6; i++) {
    change[i] = 0.0;
    for (int k = 0; k < 6; k++) change[i] += n->S[i][k] * right[k];
  }
}
