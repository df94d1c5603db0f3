/* core_terrain.c - distance of a point from a terrain, below it negative.
 *
 * The foot (x, y) of a point p is where p - r(x, y) is a normal of the surface r = (x, y, z(x, y)):
 * with the tangents r_x, r_y, their products g and d = n.(p - r)
 *   A = g - d b,   b_ij = n.r_ij = n_z z_ij                                                (1)
 *   A du = (r_x.(p - r), r_y.(p - r))                                                      (2)
 * is a step of Newton's method towards the smallest |p - r|; steps that would enlarge it are
 * halved, and g takes the place of A where that is not positive. Then du = A^-1 J^T dp with J the
 * columns r_x, r_y, and
 *   n = (-z_x, -z_y, 1)/sqrt(1 + z_x^2 + z_y^2),   H = -J g^-1 b A^-1 J^T                   (3)
 * The foot is the only one near p as long as d is below the radius of hollows, and above minus that
 * of ridges (terrain.c). Theory: docs/theory/15-contact.md, section 4. */
#include "elements/contact/core_distance.h"
#include <stdbool.h>

enum { ROUNDS = 60, HALVINGS = 30 };

/* The surface below a position, relative to p. */
typedef struct foot {
  trmi_height h;
  trmi_vec3   off, n; /* p - r, normal                                 */
  double      g[3], b[3], A[3], d; /* xx, xy, yy                       */
} foot;

static foot foot_at(const trmi_terrain *t, trmi_vec3 p, const double u[2]) {
  foot f = {.h = trmi_terrain_at(t, u[0], u[1])};
  const double *s = f.h.slope, size = sqrt(1.0 + s[0] * s[0] + s[1] * s[1]);
  f.off = v3_sub(p, v3(u[0], u[1], f.h.z));
  f.n = v3(-s[0] / size, -s[1] / size, 1.0 / size);
  f.d = v3_dot(f.n, f.off);
  f.g[0] = 1.0 + s[0] * s[0], f.g[1] = s[0] * s[1], f.g[2] = 1.0 + s[1] * s[1];
  for (int k = 0; k < 3; k++) {
    f.b[k] = f.n.z * f.h.bend[k];
    f.A[k] = f.g[k] - f.d * f.b[k];
  }
  return f;
}

/* Solve a symmetric matrix of two rows. */
static void solve2(const double A[3], const double r[2], double x[2]) {
  const double det = A[0] * A[2] - A[1] * A[1];
  x[0] = (A[2] * r[0] - A[1] * r[1]) / det;
  x[1] = (A[0] * r[1] - A[1] * r[0]) / det;
}

static bool is_positive(const double A[3]) {
  return A[0] > 0.0 && A[0] * A[2] - A[1] * A[1] > 1e-9 * A[0] * A[2];
}

/* (2) */
static foot find_foot(const trmi_terrain *t, trmi_vec3 p) {
  double u[2] = {p.x, p.y};
  const double scale = fmax(t->x[t->nx - 1] - t->x[0], t->y[t->ny - 1] - t->y[0]);
  foot f = foot_at(t, p, u);
  for (int round = 0; round < ROUNDS; round++) {
    const double *s = f.h.slope;
    const double r[2] = {f.off.x + s[0] * f.off.z, f.off.y + s[1] * f.off.z};
    double du[2];
    solve2(is_positive(f.A) ? f.A : f.g, r, du);
    const double way = hypot(du[0], du[1]), before = v3_dot(f.off, f.off);
    if (way <= 1e-15 * scale) break;
    double part = 1.0;
    foot next = f;
    for (int k = 0; k < HALVINGS; k++, part *= 0.5) {
      const double there[2] = {u[0] + part * du[0], u[1] + part * du[1]};
      next = foot_at(t, p, there);
      if (v3_dot(next.off, next.off) < before) break;
      if (way <= 1e-7 * scale) return next; /* rounding: the last step is accepted */
    }
    if (!(v3_dot(next.off, next.off) < before)) break;
    u[0] += part * du[0], u[1] += part * du[1];
    f = next;
  }
  return f;
}

trmi_distance trmi_terrain_distance(const trmi_terrain *t, trmi_vec3 p) {
  const foot f = find_foot(t, p);
  trmi_distance out = {.d = f.d, .n = f.n};
  const double J[3][2] = {{1, 0}, {0, 1}, {f.h.slope[0], f.h.slope[1]}};
  const double *A = is_positive(f.A) ? f.A : f.g;
  for (int k = 0; k < 3; k++) { /* column k of (3) */
    double du[2], bent[2], dn[2];
    solve2(A, J[k], du);
    bent[0] = f.b[0] * du[0] + f.b[1] * du[1];
    bent[1] = f.b[1] * du[0] + f.b[2] * du[1];
    solve2(f.g, bent, dn);
    for (int i = 0; i < 3; i++) out.H[3 * i + k] = -(J[i][0] * dn[0] + J[i][1] * dn[1]);
  }
  return out;
}
