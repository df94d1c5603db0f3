/* beam_load.c - loads along a beam element, and the position of any section.
 *
 * Symbols of beam.c: H_i = a_i I + skew(b_i) rotates the section by phi = sum H_i theta_i. Loads
 * per length: dead force t and dead moment c in axes of the ground, follower force F and follower
 * moment c_b in axes of the section. sum_s runs over the Gauss points.
 *   force  on node i:  share_i t + sum_s N_i R F                                         (1)
 *     over theta_j:    - sum_s N_i R skew(F) H_j                                         (2)
 *   moment on node i:  h_i = sum_s H_i^T c_b,  with c_b = R^T c for the dead moment      (3)
 *     over theta_j:    sum_s [1/2 (h_i b_j^T + b_i h_j^T) + s/2 H_i^T skew(c_b) H_j],
 *                      and for i = j  - 1/2 (b_i . c_b) I + 1/2 skew(h_i)                (4)
 *     s = 1 for the dead moment, -1 for the follower.
 * The dead force uses share_i, the integral of N_i: gravity given as a load is M times the
 * acceleration of gravity, exactly. Derivation: docs/theory/10-beam.md. */
#include "elements/flex/beam_point.h"
#include <string.h>

/* Adds a 3 x 3 block, given by rows, at row 6 i + i0, column 6 j + 3 of Q_q. */
static void add_turn_block(double *Q_q, int width, int i, int j, const double block[9]) {
  double *corner = Q_q + i * width + 6 * j + 3;
  for (int row = 0; row < 3; row++) {
    for (int k = 0; k < 3; k++) corner[row * width + k] += block[3 * row + k];
  }
}

/* (1) and (2) of one point */
static void add_follower_force(const trmi_beam *beam, const trmi_beam_shape *shape,
                               const trmi_beam_point *at, const double force[3], double *Q,
                               double *Q_q) {
  const trmi_vec3 F = v3_scale(shape->ds, v3_load(force));
  const trmi_vec3 F_ground = m3_mul(at->R, F);
  double RF[9]; /* R skew(F) */
  for (int i = 0; i < 3; i++) v3_store(RF + 3 * i, v3_cross(m3_row(at->R, i), F));
  for (int i = 0; i < beam->n; i++) {
    v3_accumulate(Q + 6 * i, v3_scale(shape->N[i], F_ground));
    for (int j = 0; Q_q != NULL && j < beam->n; j++) {
      double block[9];
      for (int row = 0; row < 3; row++) {
        const trmi_vec3 turned = spin_tmul(at->H[j], m3_row(RF, row));
        v3_store(block + 3 * row, v3_scale(-shape->N[i], turned));
      }
      add_turn_block(Q_q, 6 * beam->n, 6 * i, j, block);
    }
  }
}

/* (4) of one point, for nodes i and j; c is c_b times length */
static void moment_block(const trmi_beam_point *at, int i, int j, trmi_vec3 c, double s,
                         double block[9]) {
  const trmi_spin Hi = at->H[i], Hj = at->H[j];
  const trmi_vec3 hi = spin_tmul(Hi, c), hj = spin_tmul(Hj, c);
  for (int k = 0; k < 3; k++) {
    const trmi_vec3 axis = v3(k == 0, k == 1, k == 2);
    trmi_vec3 column = spin_tmul(Hi, v3_scale(s, v3_cross(c, spin_mul(Hj, axis))));
    column = v3_add(column, v3_scale(v3_dot(Hj.b, axis), hi));
    column = v3_add(column, v3_scale(v3_dot(hj, axis), Hi.b));
    if (i == j) {
      column = v3_sub(column, v3_scale(v3_dot(Hi.b, c), axis));
      column = v3_add(column, v3_cross(hi, axis));
    }
    m3_set_column(block, k, v3_scale(0.5, column));
  }
}

/* (3) and (4) of one point */
static void add_moment(const trmi_beam *beam, const trmi_beam_point *at, trmi_vec3 c, double s,
                       double *Q, double *Q_q) {
  for (int i = 0; i < beam->n; i++) {
    v3_accumulate(Q + 6 * i + 3, spin_tmul(at->H[i], c));
    for (int j = 0; Q_q != NULL && j < beam->n; j++) {
      double block[9];
      moment_block(at, i, j, c, s, block);
      add_turn_block(Q_q, 6 * beam->n, 6 * i + 3, j, block);
    }
  }
}

static bool is_zero(const double a[3]) {
  return a[0] == 0.0 && a[1] == 0.0 && a[2] == 0.0;
}

trm_status trmi_beam_load(const trmi_beam *beam, const trmi_beam_state *at,
                          const trmi_beam_loads *loads, double *Q, double *Q_q) {
  trmi_beam_signed nodes;
  trmi_beam_point point[TRMI_BEAM_POINTS];
  const bool turns = !is_zero(loads->follower_force) || !is_zero(loads->follower_moment) ||
                     !is_zero(loads->dead_moment);
  bool is_inside = !turns || trmi_beam_signs(beam->n, at->q, &nodes);
  for (int g = 0; turns && g < beam->n - 1; g++) {
    is_inside =
        trmi_beam_kinematics(beam->n, &beam->point[g], at->q, &nodes, &point[g]) && is_inside;
  }
  if (!is_inside) return TRM_RETRY_DOMAIN;
  for (int i = 0; i < beam->n; i++) {
    v3_accumulate(Q + 6 * i, v3_scale(beam->share[i], v3_load(loads->dead_force)));
  }
  for (int g = 0; turns && g < beam->n - 1; g++) {
    const trmi_beam_shape *shape = &beam->point[g];
    const trmi_vec3 follower = v3_scale(shape->ds, v3_load(loads->follower_moment));
    const trmi_vec3 dead = v3_scale(shape->ds, m3_tmul(point[g].R, v3_load(loads->dead_moment)));
    if (!is_zero(loads->follower_force)) {
      add_follower_force(beam, shape, &point[g], loads->follower_force, Q, Q_q);
    }
    if (!is_zero(loads->follower_moment)) add_moment(beam, &point[g], follower, -1.0, Q, Q_q);
    if (!is_zero(loads->dead_moment)) add_moment(beam, &point[g], dead, 1.0, Q, Q_q);
  }
  return TRM_OK;
}

trm_status trmi_beam_at(const trmi_beam *beam, const trmi_beam_state *at, double xi, double x_n[3],
                        double p[4]) {
  trmi_beam_signed nodes;
  trmi_beam_shape shape;
  if (!trmi_beam_signs(beam->n, at->q, &nodes)) return TRM_RETRY_DOMAIN;
  trmi_beam_shape_at(beam->n, xi, &shape);
  memset(x_n, 0, 3 * sizeof *x_n);
  memset(p, 0, 4 * sizeof *p);
  for (int i = 0; i < beam->n; i++) {
    v3_accumulate(x_n, v3_scale(shape.N[i], v3_load(at->q[i])));
    for (int j = 0; j < 4; j++) p[j] += shape.N[i] * nodes.p[i][j];
  }
  trmi_quat_normalize(p);
  return TRM_OK;
}
