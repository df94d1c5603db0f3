/* jacobi.c - eigenvalues and eigenvectors of a symmetric matrix by Jacobi rotations.
 *
 * A rotation in the plane (i, j) makes S_ij zero:
 *   t = sign(r)/(|r| + sqrt(1 + r^2)),  r = (S_jj - S_ii)/(2 S_ij),  c = 1/sqrt(1 + t^2)       (1)
 * Sweeps end when all |S_ij| are below rounding of sqrt(S_ii S_jj), or of the largest entry where a
 * diagonal one is not positive: vibrations of a slender beam have squares that differ by 1e11.   */
#include "math/jacobi.h"
#include <float.h>
#include <stdbool.h>
#include <math.h>
#include <string.h>

enum { SWEEPS = 60 };

/* (1); columns of V follow */
static void rotate(double *S, double *V, int n, int i, int j) {
  const double off = S[n * i + j];
  if (off == 0.0) return;
  const double ratio = (S[n * j + j] - S[n * i + i]) / (2.0 * off);
  const double t = (ratio >= 0.0 ? 1.0 : -1.0) / (fabs(ratio) + sqrt(1.0 + ratio * ratio));
  const double c = 1.0 / sqrt(1.0 + t * t), s = t * c;
  for (int k = 0; k < n; k++) {
    const double a = S[n * k + i], b = S[n * k + j];
    S[n * k + i] = c * a - s * b, S[n * k + j] = s * a + c * b;
  }
  for (int k = 0; k < n; k++) {
    const double a = S[n * i + k], b = S[n * j + k], x = V[n * k + i], y = V[n * k + j];
    S[n * i + k] = c * a - s * b, S[n * j + k] = s * a + c * b;
    V[n * k + i] = c * x - s * y, V[n * k + j] = s * x + c * y;
  }
  S[n * i + j] = S[n * j + i] = 0.0;
}

/* Is entry (i, j) more than rounding? */
static bool is_large(const double *S, int n, int i, int j, double most) {
  const double a = S[n * i + i], b = S[n * j + j], floor = DBL_EPSILON * most;
  const double size = fmax(a, floor) * fmax(b, floor), off = S[n * i + j];
  return off * off > 16.0 * DBL_EPSILON * DBL_EPSILON * size;
}

void trmi_diagonalize(double *S, double *V, int n) {
  memset(V, 0, (size_t)n * (size_t)n * sizeof *V);
  for (int i = 0; i < n; i++) V[n * i + i] = 1.0;
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    double most = 0.0;
    int turned = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(S[n * i + i]));
    for (int i = 0; i < n; i++) {
      for (int j = i + 1; j < n; j++) {
        if (!is_large(S, n, i, j, most)) continue;
        rotate(S, V, n, i, j);
        turned++;
      }
    }
    if (turned == 0) return;
  }
}
