/* solid_shapes.c - shape functions of solid elements in the node order of Abaqus and CalculiX.
 *
 * Hexahedra on -1 .. 1, corners s = (+-1, +-1, +-1), a_k = 1 + s_k xi_k:
 *   8 nodes   N = a_1 a_2 a_3/8                                                      (1)
 *   20 nodes  corners N (s.xi - 2); middle of an edge along k: (1 - xi_k^2) a_i a_j/4 (2)
 * Tetrahedra with the coordinates of volume L_0 = 1 - xi - eta - zeta, L_1 = xi, ..:
 *   4 nodes   N = L;   10 nodes: corners L (2 L - 1), edges 4 L_a L_b                (3)
 * Wedges, triangle L times zeta in -1 .. 1, z = -1 or 1 of the node:
 *   6 nodes   L (1 + z zeta)/2                                                       (4)
 *   15 nodes  corners L ((2 L - 1)(1 + z zeta) - (1 - zeta^2))/2, edges of the triangles
 *             2 L_a L_b (1 + z zeta), edges along zeta L (1 - zeta^2)                (5) */
#include "fem/solid_shapes.h"
#include <string.h>

static const double hexahedron_corner[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                               {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
static const int hexahedron_edges[12][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                                            {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
static const int tetrahedron_edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
static const int wedge_edges[9][2] = {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5},
                                      {5, 3}, {0, 3}, {1, 4}, {2, 5}};

/* (1) */
static void hexahedron_8(const double at[4], trmi_solid_shape *f) {
  for (int i = 0; i < 8; i++) {
    const double *s = hexahedron_corner[i];
    const double a[3] = {1.0 + s[0] * at[0], 1.0 + s[1] * at[1], 1.0 + s[2] * at[2]};
    f->N[i] = a[0] * a[1] * a[2] / 8.0;
    for (int k = 0; k < 3; k++) f->dN[i][k] = s[k] * a[(k + 1) % 3] * a[(k + 2) % 3] / 8.0;
  }
}

/* (2) */
static void hexahedron_20(const double at[4], trmi_solid_shape *f) {
  hexahedron_8(at, f);
  for (int i = 0; i < 8; i++) {
    const double *s = hexahedron_corner[i];
    const double sum = s[0] * at[0] + s[1] * at[1] + s[2] * at[2] - 2.0;
    for (int k = 0; k < 3; k++) f->dN[i][k] = f->dN[i][k] * sum + f->N[i] * s[k];
    f->N[i] *= sum;
  }
  for (int e = 0; e < 12; e++) {
    const double *a = hexahedron_corner[hexahedron_edges[e][0]];
    const double *b = hexahedron_corner[hexahedron_edges[e][1]];
    const int k = a[0] != b[0] ? 0 : a[1] != b[1] ? 1 : 2, i = (k + 1) % 3, j = (k + 2) % 3;
    const double h = 1.0 - at[k] * at[k], ai = 1.0 + a[i] * at[i], aj = 1.0 + a[j] * at[j];
    f->N[8 + e] = h * ai * aj / 4.0;
    f->dN[8 + e][k] = -at[k] * ai * aj / 2.0;
    f->dN[8 + e][i] = h * a[i] * aj / 4.0;
    f->dN[8 + e][j] = h * ai * a[j] / 4.0;
  }
}

static const double volume_gradient[4][3] = {{-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static void tetrahedron_4(const double at[4], trmi_solid_shape *f) {
  f->N[0] = 1.0 - at[0] - at[1] - at[2];
  for (int i = 0; i < 3; i++) f->N[1 + i] = at[i];
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 3; k++) f->dN[i][k] = volume_gradient[i][k];
  }
}

/* (3) */
static void tetrahedron_10(const double at[4], trmi_solid_shape *f) {
  trmi_solid_shape linear;
  tetrahedron_4(at, &linear);
  const double *L = linear.N;
  for (int i = 0; i < 4; i++) {
    f->N[i] = L[i] * (2.0 * L[i] - 1.0);
    for (int k = 0; k < 3; k++) f->dN[i][k] = (4.0 * L[i] - 1.0) * volume_gradient[i][k];
  }
  for (int e = 0; e < 6; e++) {
    const int a = tetrahedron_edges[e][0], b = tetrahedron_edges[e][1];
    f->N[4 + e] = 4.0 * L[a] * L[b];
    for (int k = 0; k < 3; k++) {
      f->dN[4 + e][k] = 4.0 * (L[a] * volume_gradient[b][k] + L[b] * volume_gradient[a][k]);
    }
  }
}

static const double triangle_gradient[3][2] = {{-1, -1}, {1, 0}, {0, 1}};

/* (4) */
static void wedge_6(const double at[4], trmi_solid_shape *f) {
  const double L[3] = {1.0 - at[0] - at[1], at[0], at[1]};
  for (int i = 0; i < 6; i++) {
    const double z = i < 3 ? -1.0 : 1.0, half = (1.0 + z * at[2]) / 2.0;
    f->N[i] = L[i % 3] * half;
    for (int k = 0; k < 2; k++) f->dN[i][k] = triangle_gradient[i % 3][k] * half;
    f->dN[i][2] = L[i % 3] * z / 2.0;
  }
}

/* (5) */
static void wedge_15(const double at[4], trmi_solid_shape *f) {
  const double L[3] = {1.0 - at[0] - at[1], at[0], at[1]}, t = at[2], h = 1.0 - t * t;
  for (int i = 0; i < 6; i++) {
    const double z = i < 3 ? -1.0 : 1.0, l = L[i % 3], a = 1.0 + z * t;
    f->N[i] = l * ((2.0 * l - 1.0) * a - h) / 2.0;
    for (int k = 0; k < 2; k++) {
      f->dN[i][k] = triangle_gradient[i % 3][k] * ((4.0 * l - 1.0) * a - h) / 2.0;
    }
    f->dN[i][2] = l * ((2.0 * l - 1.0) * z + 2.0 * t) / 2.0;
  }
  for (int e = 0; e < 6; e++) {
    const int p = wedge_edges[e][0] % 3, q = wedge_edges[e][1] % 3;
    const double z = e < 3 ? -1.0 : 1.0, a = 1.0 + z * t;
    f->N[6 + e] = 2.0 * L[p] * L[q] * a;
    for (int k = 0; k < 2; k++) {
      f->dN[6 + e][k] = 2.0 * (triangle_gradient[p][k] * L[q] + triangle_gradient[q][k] * L[p]) * a;
    }
    f->dN[6 + e][2] = 2.0 * L[p] * L[q] * z;
  }
  for (int i = 0; i < 3; i++) {
    f->N[12 + i] = L[i] * h;
    for (int k = 0; k < 2; k++) f->dN[12 + i][k] = triangle_gradient[i][k] * h;
    f->dN[12 + i][2] = -2.0 * t * L[i];
  }
}

const trmi_solid_info trmi_solid_infos[TRMI_SOLID_TYPES] = {
  [TRMI_C3D4] = {"C3D4", 4, 4, true, tetrahedron_4, trmi_rule_tetrahedron_1,
                 trmi_rule_tetrahedron_4, NULL},
  [TRMI_C3D10] = {"C3D10", 10, 4, false, tetrahedron_10, trmi_rule_tetrahedron_4,
                  trmi_rule_tetrahedron_15, tetrahedron_edges},
  [TRMI_C3D8I] = {"C3D8I", 8, 8, false, hexahedron_8, trmi_rule_hexahedron_8,
                  trmi_rule_hexahedron_8, NULL},
  [TRMI_C3D20] = {"C3D20", 20, 8, false, hexahedron_20, trmi_rule_hexahedron_27,
                  trmi_rule_hexahedron_27, hexahedron_edges},
  [TRMI_C3D20R] = {"C3D20R", 20, 8, false, hexahedron_20, trmi_rule_hexahedron_8,
                   trmi_rule_hexahedron_27, hexahedron_edges},
  [TRMI_C3D6] = {"C3D6", 6, 6, true, wedge_6, trmi_rule_wedge_2, trmi_rule_wedge_6, NULL},
  [TRMI_C3D15] = {"C3D15", 15, 6, false, wedge_15, trmi_rule_wedge_9, trmi_rule_wedge_18,
                  wedge_edges},
};

void trmi_solid_node_at(trmi_solid_type type, int node, double at[4]) {
  static const double triangle[3][2] = {{0, 0}, {1, 0}, {0, 1}};
  const trmi_solid_info *info = &trmi_solid_infos[type];
  memset(at, 0, 4 * sizeof *at);
  if (node >= info->corners) {
    double ends[2][4];
    for (int e = 0; e < 2; e++) {
      trmi_solid_node_at(type, info->edges[node - info->corners][e], ends[e]);
    }
    for (int k = 0; k < 3; k++) at[k] = 0.5 * (ends[0][k] + ends[1][k]);
  } else if (info->corners == 8) {
    memcpy(at, hexahedron_corner[node], sizeof hexahedron_corner[node]);
  } else if (info->corners == 6) {
    at[0] = triangle[node % 3][0], at[1] = triangle[node % 3][1], at[2] = node < 3 ? -1.0 : 1.0;
  } else if (node > 0) {
    at[node - 1] = 1.0;
  }
}
