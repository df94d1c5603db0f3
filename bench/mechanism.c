/* mechanism.c - see mechanism.h. */
#include "mechanism.h"
#include "bench.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NV = 6, ROWS_MAX = 6 };

void mechanism_init(mechanism *m, bool is_symmetric) {
  *m = (mechanism){.seed = 88172645463325252u, .is_symmetric = is_symmetric};
}

void mechanism_free(mechanism *m) {
  free(m->R);
  free(m->T);
  free(m->rows);
  free(m->A.block.row);
  free(m->A.block.col);
  free(m->A.block.values);
  free(m->G.block.row);
  free(m->G.block.col);
  free(m->G.block.values);
  free(m->first_rotation);
  free(m->first_unknown);
  free(m->is_constraint);
  *m = (mechanism){.seed = 0};
}

/* realloc that does not return NULL */
static void *resize(void *block, int count, size_t size) {
  void *larger = realloc(block, (size_t)count * size);
  if (larger == NULL) bench_fail("out of memory");
  return larger;
}

double mechanism_random(mechanism *m) {
  m->seed ^= m->seed << 13;
  m->seed ^= m->seed >> 7;
  m->seed ^= m->seed << 17;
  return (double)(m->seed >> 11) / 4503599627370496.0 - 1.0;
}

static double random_between(mechanism *m, double low, double high) {
  return low + 0.5 * (mechanism_random(m) + 1.0) * (high - low);
}

/* Zeros are no entries: the pattern of a joint has many of them. */
static void add_entry(mechanism_entries *e, int row, int col, double value) {
  trmi_sparse *S = &e->block;
  if (value == 0.0) return;
  if (S->n == e->capacity) {
    e->capacity = 2 * e->capacity + 1024;
    S->row = resize(S->row, e->capacity, sizeof *S->row);
    S->col = resize(S->col, e->capacity, sizeof *S->col);
    S->values = resize(S->values, e->capacity, sizeof *S->values);
  }
  S->row[S->n] = row;
  S->col[S->n] = col;
  S->values[S->n++] = value;
}

/* Matrix of the rotation about a random axis; angle_max 4: any rotation. */
static void random_rotation(mechanism *m, double angle_max, double R[9]) {
  double axis[3], length = 0.0;
  for (int i = 0; i < 3; i++) axis[i] = mechanism_random(m);
  for (int i = 0; i < 3; i++) length += axis[i] * axis[i];
  const double angle = angle_max * mechanism_random(m), c = cos(angle), s = sin(angle);
  for (int i = 0; i < 3; i++) axis[i] /= sqrt(length);
  const double skew[9] = {0, -axis[2], axis[1], axis[2], 0, -axis[0], -axis[1], axis[0], 0};
  for (int k = 0; k < 9; k++) {
    R[k] = (1.0 - c) * axis[k / 3] * axis[k % 3] + s * skew[k] + (k % 4 == 0 ? c : 0.0);
  }
}

int mechanism_body(mechanism *m) {
  const int body = m->nbody++;
  m->R = resize(m->R, m->nbody, sizeof *m->R);
  m->T = resize(m->T, 9 * m->nbody, sizeof *m->T);
  random_rotation(m, 4.0, m->R[body]);
  random_rotation(m, m->is_symmetric ? 0.0 : 0.01, m->T + (size_t)9 * (size_t)body);
  const double mass = random_between(m, 0.5, 1.5);
  double D[3][3]; /* inertia, geometric stiffness, gyroscopic terms */
  for (int i = 0; i < 3; i++) {
    D[i][i] = mass * (i == 0 ? random_between(m, 0.005, 0.055) : random_between(m, 0.04, 0.1));
    for (int j = 0; j < i; j++) {
      const double even = 2e-3 * mechanism_random(m);
      const double odd = m->is_symmetric ? 0.0 : 1e-3 * mechanism_random(m);
      D[i][j] = even + odd;
      D[j][i] = even - odd;
    }
  }
  for (int i = 0; i < 3; i++) add_entry(&m->A, NV * body + i, NV * body + i, mass);
  for (int k = 0; k < 9; k++) {
    add_entry(&m->A, NV * body + 3 + k / 3, NV * body + 3 + k % 3, D[k / 3][k % 3]);
  }
  return body;
}

/* Rows of a joint on one body: the point R s (3 rows), directions (the others). */
static void joint_rows(const double R[9], const double s[3], const double directions[9], int rows,
                       double sign, double H[ROWS_MAX][NV]) {
  const double skew[9] = {0, -s[2], s[1], s[2], 0, -s[0], -s[1], s[0], 0};
  memset(H, 0, ROWS_MAX * sizeof *H);
  for (int i = 0; i < rows; i++) {
    if (i < 3) H[i][i] = sign;
    const double *left = i < 3 ? R + 3 * i : directions + 3 * (i - 3);
    const double *right = i < 3 ? skew : R;
    for (int j = 0; j < 3; j++) {
      const double sum = left[0] * right[j] + left[1] * right[3 + j] + left[2] * right[6 + j];
      H[i][3 + j] = i < 3 ? -sign * sum : sign * sum;
    }
  }
}

/* Rows on both bodies, about half a metre from their centres. */
static void link_rows(mechanism *m, int rows, int body_a, int body_b, double H[2][ROWS_MAX][NV]) {
  const int body[2] = {body_a, body_b};
  double directions[9];
  random_rotation(m, 4.0, directions);
  for (int side = 0; side < 2; side++) {
    const double sign = side == 0 ? -1.0 : 1.0;
    const double s[3] = {-0.5 * sign + 0.1 * mechanism_random(m), 0.1 * mechanism_random(m),
                         0.1 * mechanism_random(m)};
    memset(H[side], 0, sizeof H[side]);
    if (body[side] != MECHANISM_GROUND) {
      joint_rows(m->R[body[side]], s, directions, rows, sign, H[side]);
    }
  }
}

void mechanism_joint(mechanism *m, int rows, int body_a, int body_b) {
  double H[2][ROWS_MAX][NV];
  const int body[2] = {body_a, body_b};
  link_rows(m, rows, body_a, body_b, H);
  for (int side = 0; side < 2; side++) {
    for (int k = 0; k < rows * NV; k++) {
      add_entry(&m->G, m->nrow + k / NV, NV * body[side] + k % NV, H[side][k / NV][k % NV]);
    }
  }
  m->rows = resize(m->rows, m->njoint + 1, sizeof *m->rows);
  m->rows[m->njoint++] = rows;
  m->nrow += rows;
}

void mechanism_spring(mechanism *m, double stiffness, int body_a, int body_b) {
  static const double part[NV] = {1.0, 1.0, 1.0, 0.03, 0.02, 0.02};
  double H[2][ROWS_MAX][NV];
  const int body[2] = {body_a, body_b};
  link_rows(m, NV, body_a, body_b, H);
  for (int k = 0; k < 4 * NV * NV; k++) {
    const int a = k / (2 * NV * NV), b = k / (NV * NV) % 2, i = k / NV % NV, j = k % NV;
    if (body[a] == MECHANISM_GROUND || body[b] == MECHANISM_GROUND) continue;
    double sum = m->is_symmetric ? 0.0 : 0.02 * mechanism_random(m);
    for (int r = 0; r < NV; r++) sum += H[a][r][i] * part[r] * H[b][r][j];
    add_entry(&m->A, NV * body[a] + i, NV * body[b] + j, stiffness * sum);
  }
}

/* ---- whole mechanisms --------------------------------------------------------- */

void mechanism_chain(mechanism *m, int n) {
  for (int i = 0; i < n; i++) {
    mechanism_body(m);
    mechanism_joint(m, 5, i - 1, i);
  }
}

void mechanism_tree(mechanism *m, int n) {
  for (int i = 0; i < n; i++) {
    const int parent = i == 0 ? MECHANISM_GROUND : (int)random_between(m, 0.0, i);
    mechanism_body(m);
    mechanism_joint(m, 5, parent, i);
  }
}

/* Four-bars in a row: rocker, coupler, rocker, coupler, .. */
void mechanism_ladder(mechanism *m, int n) {
  int left = mechanism_body(m);
  mechanism_joint(m, 5, MECHANISM_GROUND, left);
  for (int i = 0; i < n; i++) {
    const int right = mechanism_body(m), coupler = mechanism_body(m);
    mechanism_joint(m, 5, MECHANISM_GROUND, right);
    mechanism_joint(m, 4, left, coupler);
    mechanism_joint(m, 3, coupler, right);
    left = right;
  }
}

void mechanism_beam(mechanism *m, int n) {
  for (int i = 0; i < n; i++) {
    mechanism_body(m);
    mechanism_spring(m, 100.0, i - 1, i);
  }
}

typedef void link_two(mechanism *m, int body_a, int body_b);

static void spherical(mechanism *m, int body_a, int body_b) {
  mechanism_joint(m, 3, body_a, body_b);
}

static void bushing(mechanism *m, int body_a, int body_b) {
  mechanism_spring(m, 10.0, body_a, body_b);
}

/* n x n bodies, each linked with its neighbours. */
static void net(mechanism *m, int n, link_two *link) {
  for (int i = 0; i < n * n; i++) mechanism_body(m);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      if (i + 1 < n) link(m, i * n + j, (i + 1) * n + j);
      if (j + 1 < n) link(m, i * n + j, i * n + j + 1);
    }
  }
}

void mechanism_net_joints(mechanism *m, int n) {
  net(m, n, spherical);
}

void mechanism_net_bushings(mechanism *m, int n) {
  net(m, n, bushing);
  bushing(m, MECHANISM_GROUND, 0);
}

/* Rods between the knots of a net; at each knot a rod hangs on the one before it. Two
 * knots of the first row are held. */
void mechanism_net_rods(mechanism *m, int n) {
  enum { NOBODY = -2 };
  int *last = resize(NULL, n * n, sizeof *last);
  for (int k = 0; k < n * n; k++) last[k] = k == 0 || k == n - 1 ? MECHANISM_GROUND : NOBODY;
  for (int k = 0; k < 2 * n * n; k++) {
    const int i = k / 2 / n, j = k / 2 % n, down = k % 2;
    if ((down == 1 ? i : j) + 1 == n) continue;
    const int knot[2] = {i * n + j, down == 1 ? (i + 1) * n + j : i * n + j + 1};
    const int rod = mechanism_body(m);
    for (int end = 0; end < 2; end++) {
      if (last[knot[end]] != NOBODY) spherical(m, last[knot[end]], rod);
      last[knot[end]] = rod;
    }
  }
  free(last);
}

/* ---- the plan --------------------------------------------------------------- */

static void name_nodes(mechanism *m, trmi_plan *plan) {
  const int count = m->nbody + m->njoint;
  m->first_unknown = resize(NULL, count + 1, sizeof *m->first_unknown);
  m->is_constraint = resize(NULL, count, sizeof *m->is_constraint);
  int next = 0;
  for (int k = 0; k < count; k++) {
    m->first_unknown[k] = next;
    m->is_constraint[k] = k >= m->nbody;
    next += k < m->nbody ? NV : m->rows[k - m->nbody];
  }
  m->first_unknown[count] = next;
  plan->nodes = (trmi_node_list){.count = count, .first = m->first_unknown,
                                 .is_constraint = m->is_constraint};
}

trm_status mechanism_plan(mechanism *m, trmi_arena *arena, trmi_plan *plan, trm_error *err) {
  const int nv = NV * m->nbody;
  m->A.block.rows = m->A.block.cols = m->G.block.cols = nv;
  m->G.block.rows = m->nrow;
  m->first_rotation = resize(NULL, m->nbody, sizeof *m->first_rotation);
  for (int i = 0; i < m->nbody; i++) m->first_rotation[i] = NV * i + 3;
  m->terms[0] = (trmi_term){.block = &m->A.block};
  m->terms[1] = (trmi_term){.block = &m->G.block, .col = nv, .transposed = true};
  m->terms[2] = (trmi_term){.block = &m->G.block, .row = nv, .times_T = true};
  const trmi_rotations rotations = {m->nbody, m->first_rotation};
  const trm_status status =
      trmi_plan_build(plan, arena, nv + m->nrow, m->terms, 3, rotations, 0, 0, err);
  name_nodes(m, plan);
  return status;
}
