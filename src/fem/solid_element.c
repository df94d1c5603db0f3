/* solid_element.c - stiffness and mass of one solid element of small strain.
 *
 * With g_a the gradient of shape function a, lambda = E nu/((1 + nu)(1 - 2 nu)), mu = E/(2 + 2 nu):
 *   K_ab = int lambda g_a g_b^T + mu (g_b g_a^T + (g_a.g_b) 1)                            (1)
 *   m_ab = int rho N_a N_b                                                               (2)
 * C3D8I [TaylorBeresfordWilson1976] has three modes 1 - xi_k^2 more, with the gradient
 *   g = J0^-T d(1 - xi_k^2)/dxi det J0/det J,   0: at the centre                          (3)
 * which pass the patch test; they are nodes 8, 9, 10 of (1) and condensed:
 *   K <- K - K_ni K_ii^-1 K_in                                                           (4)
 * Stress of the strain e of a field, sum over nodes (and modes) of sym g u^T:
 *   sigma = lambda tr(e) 1 + 2 mu e                                                      (5)
 * A stress stiffens the motion across it; of nodes, the modes of C3D8I have no share:
 *   k_ab = int g_a . sigma g_b                                                           (6)
 * A temperature T with the expansion alpha makes, nodes held, beta = (3 lambda + 2 mu) alpha,
 *   f_a = int beta T g_a,   sigma = -beta T 1                                             (7)
 * Modes of C3D8I move by u_i = K_ii^-1 f_i, which adds its stress and leaves f_n - K_ni u_i. */
#include "fem/solid_element.h"
#include <math.h>
#include <string.h>

enum { MODES = 3, ROWS_MAX = TRMI_SOLID_NODES_MAX + MODES };

void trmi_solid_tables_make(trmi_solid_type type, bool has_exact_mass, trmi_solid_tables *tables) {
  const trmi_solid_info *info = &trmi_solid_infos[type];
  info->stiffness_rule(&tables->stiffness);
  (has_exact_mass ? info->mass_rule : info->stiffness_rule)(&tables->mass);
  for (int i = 0; i < tables->stiffness.n; i++) {
    info->shape(tables->stiffness.at[i], &tables->at_stiffness[i]);
  }
  for (int i = 0; i < tables->mass.n; i++) info->shape(tables->mass.at[i], &tables->at_mass[i]);
}

/* J = dx/dxi of the first n nodes. @return det J */
static double jacobian(const double *x, int n, double dN[][3], double J[9]) {
  memset(J, 0, 9 * sizeof *J);
  for (int a = 0; a < n; a++) {
    for (int i = 0; i < 3; i++) {
      for (int k = 0; k < 3; k++) J[3 * i + k] += x[3 * a + i] * dN[a][k];
    }
  }
  return J[0] * (J[4] * J[8] - J[5] * J[7]) - J[1] * (J[3] * J[8] - J[5] * J[6]) +
         J[2] * (J[3] * J[7] - J[4] * J[6]);
}

static void invert(const double J[9], double det, double inverse[9]) {
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) {
      const int a = (k + 1) % 3, b = (k + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
      inverse[3 * i + k] = (J[3 * a + c] * J[3 * b + d] - J[3 * a + d] * J[3 * b + c]) / det;
    }
  }
}

/* g = J^-T dN */
static void gradient(const double inverse[9], const double dN[3], double scale, double g[3]) {
  for (int i = 0; i < 3; i++) {
    g[i] = scale * (inverse[i] * dN[0] + inverse[3 + i] * dN[1] + inverse[6 + i] * dN[2]);
  }
}

/* (1) of one point */
static void add_stiffness(int rows, double g[][3], const trmi_solid_material *material,
                          double weight, double K[][9]) {
  const double mu = weight * material->E / (2.0 + 2.0 * material->nu);
  const double lambda = 2.0 * mu * material->nu / (1.0 - 2.0 * material->nu);
  for (int a = 0, pair = 0; a < rows; a++) {
    for (int b = 0; b <= a; b++, pair++) {
      const double dot = mu * (g[a][0] * g[b][0] + g[a][1] * g[b][1] + g[a][2] * g[b][2]);
      for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
          K[pair][3 * i + k] += lambda * g[a][i] * g[b][k] + mu * g[b][i] * g[a][k];
        }
        K[pair][4 * i] += dot;
      }
    }
  }
}

static int pair_of(int a, int b) {
  return a * (a + 1) / 2 + b;
}

/* ---- modes of C3D8I -------------------------------------------------------------------------- */

enum { NODAL = 24, INNER = 3 * MODES }; /* displacements of nodes and of modes */

/* Rows (K_ii, K_in) of (4), eliminated: K_ii becomes upper triangular. It is positive definite. */
static bool eliminate(double K[][9], double A[INNER][INNER + NODAL]) {
  for (int i = 0; i < INNER; i++) {
    const int p = 8 + i / 3;
    for (int k = 0; k < INNER; k++) {
      const int q = 8 + k / 3;
      A[i][k] = p >= q ? K[pair_of(p, q)][3 * (i % 3) + k % 3]
                       : K[pair_of(q, p)][3 * (k % 3) + i % 3];
    }
    for (int k = 0; k < NODAL; k++) A[i][INNER + k] = K[pair_of(p, k / 3)][3 * (i % 3) + k % 3];
  }
  for (int i = 0; i < INNER; i++) {
    if (!(A[i][i] > 0.0)) return false;
    for (int r = i + 1; r < INNER; r++) {
      const double factor = A[r][i] / A[i][i];
      for (int k = i; k < INNER + NODAL; k++) A[r][k] -= factor * A[i][k];
    }
  }
  return true;
}

/* (4): K_ni K_ii^-1 K_in = U^T D^-1 U with the rows U of the eliminated right-hand sides */
static bool condense(double K[][9]) {
  double A[INNER][INNER + NODAL];
  if (!eliminate(K, A)) return false;
  for (int a = 0, pair = 0; a < 8; a++) {
    for (int b = 0; b <= a; b++, pair++) {
      for (int r = 0; r < INNER; r++) {
        for (int e = 0; e < 9; e++) {
          K[pair][e] -= A[r][INNER + 3 * a + e / 3] * A[r][INNER + 3 * b + e % 3] / A[r][r];
        }
      }
    }
  }
  return true;
}

/* ---- an element ------------------------------------------------------------------------------ */

/* Its nodes and, of C3D8I, its modes. */
typedef struct shape_rows {
  int     n, rows;             /* nodes, nodes and modes */
  const double *x;
  const trmi_solid_tables *tables;
  double  inverse0[9], det0;   /* at the centre, of C3D8I */
} shape_rows;

static shape_rows rows_of(trmi_solid_type type, const trmi_solid_tables *tables, const double *x) {
  const int n = trmi_solid_infos[type].nodes;
  shape_rows r = {.n = n, .rows = type == TRMI_C3D8I ? n + MODES : n, .x = x, .tables = tables};
  if (type == TRMI_C3D8I) {
    trmi_solid_shape centre;
    double J[9];
    trmi_solid_infos[type].shape((const double[4]){0.0}, &centre);
    r.det0 = jacobian(x, n, centre.dN, J);
    invert(J, r.det0, r.inverse0);
  }
  return r;
}

/* Gradients of all rows at point p of the stiffness. @return det J */
static double gradients_at(const shape_rows *r, int p, double g[][3]) {
  const double *at = r->tables->stiffness.at[p];
  trmi_solid_shape f = r->tables->at_stiffness[p];
  double J[9], inverse[9];
  const double det = jacobian(r->x, r->n, f.dN, J);
  if (!(det > 0.0)) return det;
  invert(J, det, inverse);
  for (int a = 0; a < r->n; a++) gradient(inverse, f.dN[a], 1.0, g[a]);
  for (int k = 0; k < r->rows - r->n; k++) { /* (3) */
    const double dN[3] = {k == 0 ? -2.0 * at[0] : 0.0, k == 1 ? -2.0 * at[1] : 0.0,
                          k == 2 ? -2.0 * at[2] : 0.0};
    gradient(r->inverse0, dN, r->det0 / det, g[r->n + k]);
  }
  return det;
}

/* (1) of all rows */
static bool sum_stiffness(const shape_rows *r, const trmi_solid_material *material, double K[][9]) {
  double g[ROWS_MAX][3];
  memset(K, 0, (size_t)(r->rows * (r->rows + 1) / 2) * sizeof *K);
  for (int p = 0; p < r->tables->stiffness.n; p++) {
    const double det = gradients_at(r, p, g);
    if (!(det > 0.0)) return false;
    add_stiffness(r->rows, g, material, r->tables->stiffness.at[p][3] * det, K);
  }
  return r->rows == r->n || r->det0 > 0.0;
}

bool trmi_solid_element_make(trmi_solid_type type, const trmi_solid_tables *tables,
                             const double *x, const trmi_solid_material *material,
                             trmi_solid_matrices *out) {
  const int n = trmi_solid_infos[type].nodes, pairs = n * (n + 1) / 2;
  double K[ROWS_MAX * (ROWS_MAX + 1) / 2][9], J[9];
  const shape_rows r = rows_of(type, tables, x);
  if (!sum_stiffness(&r, material, K)) return false;
  if (type == TRMI_C3D8I && !condense(K)) return false;
  memcpy(out->K, K, (size_t)pairs * sizeof *K);
  memset(out->m, 0, sizeof out->m);
  for (int p = 0; p < tables->mass.n; p++) { /* (2) */
    trmi_solid_shape f = tables->at_mass[p];
    const double det = jacobian(x, n, f.dN, J);
    if (!(det > 0.0)) return false;
    const double weight = material->density * tables->mass.at[p][3] * det;
    for (int a = 0, pair = 0; a < n; a++) {
      for (int b = 0; b <= a; b++, pair++) out->m[pair] += weight * f.N[a] * f.N[b];
    }
  }
  return true;
}

/* ---- stress ---------------------------------------------------------------------------------- */

/* Displacements of the modes of C3D8I behind those of its nodes, u = -K_ii^-1 K_in u_n. */
static bool add_modes(const shape_rows *r, const trmi_solid_material *material, int count,
                      double *u) {
  double K[ROWS_MAX * (ROWS_MAX + 1) / 2][9], A[INNER][INNER + NODAL];
  if (!sum_stiffness(r, material, K) || !eliminate(K, A)) return false;
  for (int i = INNER - 1; i >= 0; i--) {
    for (int k = INNER; k < INNER + NODAL; k++) {
      for (int j = i + 1; j < INNER; j++) A[i][k] -= A[i][j] * A[j][k];
      A[i][k] /= A[i][i];
    }
    double *own = u + (size_t)(NODAL + i) * (size_t)count;
    memset(own, 0, (size_t)count * sizeof *own);
    for (int k = 0; k < NODAL; k++) {
      const double *node = u + (size_t)k * (size_t)count;
      for (int c = 0; c < count; c++) own[c] -= A[i][INNER + k] * node[c];
    }
  }
  return true;
}

/* (5) of one point */
static void put_stress(const shape_rows *r, double g[][3], const trmi_solid_material *material,
                       int count, const double *u, double *sigma) {
  static const int axes[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  const double mu = material->E / (2.0 + 2.0 * material->nu);
  const double lambda = 2.0 * mu * material->nu / (1.0 - 2.0 * material->nu);
  memset(sigma, 0, (size_t)(6 * count) * sizeof *sigma);
  for (int a = 0; a < r->rows; a++) {
    for (int s = 0; s < 6; s++) {
      const int i = axes[s][0], k = axes[s][1];
      const double *ui = u + (size_t)(3 * a + i) * (size_t)count;
      const double *uk = u + (size_t)(3 * a + k) * (size_t)count;
      double *out = sigma + s * count;
      for (int c = 0; c < count; c++) out[c] += mu * (g[a][k] * ui[c] + g[a][i] * uk[c]);
    }
  }
  for (int c = 0; c < count; c++) { /* 2 mu times the trace is there */
    const double trace = (sigma[c] + sigma[count + c] + sigma[2 * count + c]) / (2.0 * mu);
    for (int s = 0; s < 3; s++) sigma[s * count + c] += lambda * trace;
  }
}

bool trmi_solid_element_stress(trmi_solid_type type, const trmi_solid_tables *tables,
                               const double *x, const trmi_solid_material *material, int count,
                               double *u, double *sigma) {
  double g[ROWS_MAX][3];
  const shape_rows r = rows_of(type, tables, x);
  if (type == TRMI_C3D8I && !add_modes(&r, material, count, u)) return false;
  for (int p = 0; p < tables->stiffness.n; p++) {
    if (!(gradients_at(&r, p, g) > 0.0)) return false;
    put_stress(&r, g, material, count, u, sigma + (size_t)(6 * count) * (size_t)p);
  }
  return true;
}

/* g_a . sigma g_b */
static double stressed(const double s[6], const double a[3], const double b[3]) {
  return s[0] * a[0] * b[0] + s[1] * a[1] * b[1] + s[2] * a[2] * b[2] +
         s[3] * (a[0] * b[1] + a[1] * b[0]) + s[4] * (a[0] * b[2] + a[2] * b[0]) +
         s[5] * (a[1] * b[2] + a[2] * b[1]);
}

bool trmi_solid_element_geometric(trmi_solid_type type, const trmi_solid_tables *tables,
                                  const double *x, const trmi_solid_material *material, double *u,
                                  double *k) {
  double g[ROWS_MAX][3], sigma[6 * TRMI_SOLID_POINTS_MAX];
  const shape_rows r = rows_of(type, tables, x);
  if (!trmi_solid_element_stress(type, tables, x, material, 1, u, sigma)) return false;
  memset(k, 0, (size_t)(r.n * (r.n + 1) / 2) * sizeof *k);
  for (int p = 0; p < tables->stiffness.n; p++) { /* (6) */
    const double weight = tables->stiffness.at[p][3] * gradients_at(&r, p, g);
    for (int a = 0, pair = 0; a < r.n; a++) {
      for (int b = 0; b <= a; b++, pair++) k[pair] += weight * stressed(sigma + 6 * p, g[a], g[b]);
    }
  }
  return true;
}

/* ---- heat ------------------------------------------------------------------------------------ */

/* u_i = K_ii^-1 f_i of C3D8I, behind the nodes in u; f_n - K_ni u_i in f. K_ii = U^T D^-1 U with
 * the rows U of (K_ii, K_in) as `eliminate` leaves them. */
static bool release_modes(const shape_rows *r, const trmi_solid_material *material, double *f,
                          double *u) {
  double K[ROWS_MAX * (ROWS_MAX + 1) / 2][9], A[INNER][INNER + NODAL];
  if (!sum_stiffness(r, material, K) || !eliminate(K, A)) return false;
  double *own = u + NODAL;
  memcpy(own, f + NODAL, INNER * sizeof *own);
  for (int i = 0; i < INNER; i++) {
    for (int k = 0; k < i; k++) own[i] -= A[k][i] / A[k][k] * own[k];
  }
  for (int i = INNER - 1; i >= 0; i--) {
    for (int k = i + 1; k < INNER; k++) own[i] -= A[i][k] * own[k];
    own[i] /= A[i][i];
  }
  for (int k = 0; k < NODAL; k++) {
    for (int i = 0; i < INNER; i++) {
      f[k] -= K[pair_of(8 + i / 3, k / 3)][3 * (i % 3) + k % 3] * own[i];
    }
  }
  return true;
}

bool trmi_solid_element_heat(trmi_solid_type type, const trmi_solid_tables *tables,
                             const double *x, const trmi_solid_material *material,
                             const double *rise, double *f, double *sigma) {
  const double beta = material->E / (1.0 - 2.0 * material->nu) * material->expansion;
  double g[ROWS_MAX][3], push[3 * ROWS_MAX] = {0.0}, u[3 * ROWS_MAX] = {0.0};
  const shape_rows r = rows_of(type, tables, x);
  for (int p = 0; p < tables->stiffness.n; p++) { /* (7) */
    const double det = gradients_at(&r, p, g);
    if (!(det > 0.0)) return false;
    const double weight = tables->stiffness.at[p][3] * det * beta * rise[p];
    for (int i = 0; i < 3 * r.rows; i++) push[i] += weight * g[i / 3][i % 3];
  }
  if (type == TRMI_C3D8I && !release_modes(&r, material, push, u)) return false;
  memcpy(f, push, (size_t)(3 * r.n) * sizeof *f);
  for (int p = 0; p < tables->stiffness.n; p++) {
    (void)gradients_at(&r, p, g);
    put_stress(&r, g, material, 1, u, sigma + 6 * p);
    for (int s = 0; s < 3; s++) sigma[6 * p + s] -= beta * rise[p];
  }
  return true;
}
