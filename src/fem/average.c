/* average.c - mean motion of the nodes of an interface, and rigid motion of a mesh.
 *
 * With r_k from the centroid c of N nodes, I = sum (r.r 1 - r r^T)/N:
 *   theta = I^-1 sum r_k x u_k/N,   u(c) = sum u_k/N,   u(p) = u(c) + theta x (p - c)   (1)
 * For nodes that move as a rigid body (1) is this motion. */
#include "fem/support.h"
#include "math/vec.h"
#include <string.h>

/* Inverse of a symmetric matrix; false: nodes lie on a line, its smallest eigenvalue is zero. */
static bool invert(const double I[9], double inverse[9]) {
  double det = 0.0, trace = I[0] + I[4] + I[8];
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) {
      const int a = (k + 1) % 3, b = (k + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
      inverse[3 * i + k] = I[3 * a + c] * I[3 * b + d] - I[3 * a + d] * I[3 * b + c];
    }
  }
  for (int k = 0; k < 3; k++) det += I[k] * inverse[3 * k];
  /* a line has eigenvalues (0, t, t): det/t^3 is the part of the smallest */
  if (!(det > 1e-9 * trace * trace * trace)) return false;
  for (int i = 0; i < 9; i++) inverse[i] /= det;
  return true;
}

bool trmi_average_rows(const trmi_solid_mesh *mesh, const trmi_interface *interface,
                       double *rows) {
  const size_t size = 3 * (size_t)mesh->nnodes;
  const double w = 1.0 / interface->count;
  trmi_vec3 c = v3(0, 0, 0);
  double I[9] = {0.0}, inverse[9];
  memset(rows, 0, 6 * size * sizeof *rows);
  for (int k = 0; k < interface->count; k++) {
    c = v3_add(c, v3_scale(w, v3_load(mesh->x + 3 * interface->nodes[k])));
  }
  for (int k = 0; k < interface->count; k++) {
    const trmi_vec3 r = v3_sub(v3_load(mesh->x + 3 * interface->nodes[k]), c);
    const double a[3] = {r.x, r.y, r.z}, square = v3_dot(r, r);
    for (int i = 0; i < 9; i++) I[i] += w * ((i % 4 == 0 ? square : 0.0) - a[i / 3] * a[i % 3]);
  }
  if (interface->count < 3 || !invert(I, inverse)) return false;
  const trmi_vec3 arm = v3_sub(v3_load(interface->at), c);
  for (int k = 0; k < interface->count; k++) { /* (1) for a unit displacement of one node */
    const int node = interface->nodes[k];
    const trmi_vec3 r = v3_sub(v3_load(mesh->x + 3 * node), c);
    for (int d = 0; d < 3; d++) {
      const trmi_vec3 e = v3(d == 0, d == 1, d == 2);
      const trmi_vec3 theta = m3_mul(inverse, v3_scale(w, v3_cross(r, e)));
      const trmi_vec3 u = v3_add(v3_scale(w, e), v3_cross(theta, arm));
      double column[6];
      v3_store(column, u);
      v3_store(column + 3, theta);
      for (int i = 0; i < 6; i++) rows[(size_t)i * size + 3 * (size_t)node + (size_t)d] = column[i];
    }
  }
  return true;
}

void trmi_rigid_fields(const trmi_solid_mesh *mesh, const double about[3], double *fields) {
  const size_t size = 3 * (size_t)mesh->nnodes;
  memset(fields, 0, 6 * size * sizeof *fields);
  for (int k = trmi_solid_mesh_places(mesh); k < mesh->nnodes; k++) { /* rotations turn along */
    for (int d = 0; d < 3; d++) fields[(size_t)(3 + d) * size + (size_t)(3 * k + d)] = 1.0;
  }
  for (int k = 0; k < trmi_solid_mesh_places(mesh); k++) {
    const trmi_vec3 r = v3_sub(v3_load(mesh->x + 3 * k), v3_load(about));
    for (int d = 0; d < 3; d++) {
      const trmi_vec3 e = v3(d == 0, d == 1, d == 2);
      fields[(size_t)d * size + 3 * (size_t)k + (size_t)d] = 1.0;
      v3_store(fields + (size_t)(3 + d) * size + 3 * (size_t)k, v3_cross(e, r));
    }
  }
}
