/* beam_point.h - kinematics of one point of a beam element, shared by the files of the
 * element. Equations (1) to (5): head of beam.c. */
#ifndef TRMI_BEAM_POINT_H
#define TRMI_BEAM_POINT_H
#include "elements/flex/beam.h"
#include "math/so3.h"
#include "math/vec.h"
#include <stdbool.h>

/* A scalar and a vector: the matrix H = a I + skew(b), the vector part of a quaternion
 * product with a vector. */
typedef struct trmi_spin {
  double a;
  trmi_vec3 b;
} trmi_spin;

typedef struct trmi_beam_point {
  double R[9];                   /* section axes to ground                            */
  trmi_vec3 G, kappa;            /* R^T x', 2 vec(P^-1 P')                            */
  trmi_spin H[TRMI_BEAM_NODES];  /* phi  = sum H_i theta_i                            */
  trmi_spin dH[TRMI_BEAM_NODES]; /* phi' = sum dH_i theta_i, derivative over s        */
} trmi_beam_point;

/* Quaternions of the nodes with signs that are continuous from node to node. */
typedef struct trmi_beam_signed {
  double p[TRMI_BEAM_NODES][4];
} trmi_beam_signed;

/* H v */
static inline trmi_vec3 spin_mul(trmi_spin H, trmi_vec3 v) {
  return v3_add(v3_scale(H.a, v), v3_cross(H.b, v));
}

/* H^T v; also the row v^T H */
static inline trmi_vec3 spin_tmul(trmi_spin H, trmi_vec3 v) {
  return v3_add(v3_scale(H.a, v), v3_cross(v, H.b));
}

/* Neighbours turn by less than this: |p . p_next| is the cosine of half the angle. The
 * limit is near half a turn (168 degrees), where the sign would be ambiguous. */
#define TRMI_BEAM_COSINE 0.1
/* Below this |P|^2 the interpolated quaternion is meaningless; 1 in a straight element. */
#define TRMI_BEAM_LENGTH2 0.1

/* False where two neighbours are nearly half a turn apart, or not finite. */
static inline bool trmi_beam_signs(int n, const double *const q[], trmi_beam_signed *out) {
  bool is_inside = true;
  double sign = 1.0;
  for (int i = 0; i < n; i++) {
    const double *p = q[i] + 3, *before = q[i > 0 ? i - 1 : 0] + 3;
    const double dot = p[0] * before[0] + p[1] * before[1] + p[2] * before[2] + p[3] * before[3];
    is_inside = is_inside && fabs(dot) > TRMI_BEAM_COSINE;
    if (dot < 0.0) sign = -sign;
    for (int j = 0; j < 4; j++) out->p[i][j] = sign * p[j];
  }
  return is_inside;
}

/* (1) to (4) at one point. False where the interpolated quaternion is nearly zero. */
static inline bool trmi_beam_kinematics(int n, const trmi_beam_shape *shape,
                                        const double *const q[], const trmi_beam_signed *nodes,
                                        trmi_beam_point *out) {
  double P[4] = {0.0, 0.0, 0.0, 0.0}, dP[4] = {0.0, 0.0, 0.0, 0.0};
  trmi_vec3 dx = v3(0.0, 0.0, 0.0);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < 4; j++) {
      P[j] += shape->N[i] * nodes->p[i][j];
      dP[j] += shape->dN[i] * nodes->p[i][j];
    }
    dx = v3_add(dx, v3_scale(shape->dN[i], v3_load(q[i])));
  }
  const double length2 = P[0] * P[0] + P[1] * P[1] + P[2] * P[2] + P[3] * P[3];
  const double inverse2 = 1.0 / length2, inverse = sqrt(inverse2);
  const double unit[4] = {P[0] * inverse, P[1] * inverse, P[2] * inverse, P[3] * inverse};
  const double back[4] = {P[0] * inverse2, -P[1] * inverse2, -P[2] * inverse2, -P[3] * inverse2};
  double turn[4]; /* P^-1 P' */
  trmi_quat_matrix(unit, out->R);
  trmi_quat_mul(back, dP, turn);
  out->G = m3_tmul(out->R, dx);
  out->kappa = v3_scale(2.0, v3_load(turn + 1));
  for (int i = 0; i < n; i++) {
    double r[4], h[4], qh[4];
    trmi_quat_mul(back, nodes->p[i], r);
    for (int j = 0; j < 4; j++) h[j] = shape->N[i] * r[j];
    trmi_quat_mul(turn, h, qh);
    out->H[i] = (trmi_spin){h[0], v3_load(h + 1)};
    out->dH[i] = (trmi_spin){
        shape->dN[i] * r[0] - qh[0],
        v3(shape->dN[i] * r[1] - qh[1], shape->dN[i] * r[2] - qh[2], shape->dN[i] * r[3] - qh[3])};
  }
  return length2 > TRMI_BEAM_LENGTH2;
}

/* Velocity of one point: y, phi, phi' of (3) to (5) along v, and the rate u of log |P|, whose
 * derivative over s is du. */
typedef struct trmi_beam_rate {
  trmi_vec3 y, phi, dphi;
  double u, du;
} trmi_beam_rate;

static inline trmi_beam_rate trmi_beam_rate_of(int n, const trmi_beam_shape *shape,
                                               const trmi_beam_point *at,
                                               const trmi_beam_state *state) {
  trmi_beam_rate rate = {.u = 0.0};
  trmi_vec3 dxdot = v3(0.0, 0.0, 0.0);
  for (int i = 0; i < n; i++) {
    const trmi_vec3 w = v3_load(state->v[i] + 3);
    dxdot = v3_add(dxdot, v3_scale(shape->dN[i], v3_load(state->v[i])));
    rate.phi = v3_add(rate.phi, spin_mul(at->H[i], w));
    rate.dphi = v3_add(rate.dphi, spin_mul(at->dH[i], w));
    rate.u -= 0.5 * v3_dot(at->H[i].b, w);
    rate.du -= 0.5 * v3_dot(at->dH[i].b, w);
  }
  rate.y = m3_tmul(at->R, dxdot);
  return rate;
}

/* Rate of the strains (Gamma, kappa), (5) */
static inline void trmi_beam_strain_rate(const trmi_beam_point *at, const trmi_beam_rate *rate,
                                         double out[6]) {
  v3_store(out, v3_add(rate->y, v3_cross(at->G, rate->phi)));
  v3_store(out + 3, v3_add(rate->dphi, v3_cross(at->kappa, rate->phi)));
}

/* D e, 6 x 6 */
static inline void trmi_beam_times_D(const double D[36], const double e[6], double out[6]) {
  for (int i = 0; i < 6; i++) {
    double sum = 0.0;
    for (int j = 0; j < 6; j++) sum += D[6 * i + j] * e[j];
    out[i] = sum;
  }
}

/* Strains of a point relative to the reference, their rates, and D times both. */
typedef struct trmi_beam_strain {
  double e[6], rate[6], elastic[6], viscous[6];
} trmi_beam_strain;

/* rate NULL: at rest, or without damping; then `rate` and `viscous` are not set. */
static inline void trmi_beam_strain_of(const trmi_beam *beam, int point, const trmi_beam_point *at,
                                       const trmi_beam_rate *rate, trmi_beam_strain *out) {
  const double *reference = beam->strain0[point];
  v3_store(out->e, v3_sub(at->G, v3_load(reference)));
  v3_store(out->e + 3, v3_sub(at->kappa, v3_load(reference + 3)));
  trmi_beam_times_D(beam->section->D, out->e, out->elastic);
  if (rate == NULL) return;
  trmi_beam_strain_rate(at, rate, out->rate);
  trmi_beam_times_D(beam->section->D, out->rate, out->viscous);
}

/* E_j of (14)-(15) of beam.c and of positions, 3 x 3: change of the rate of the strains, velocities
 * held, by the increments of node j. */
typedef struct trmi_beam_rate_change {
  double x[9], G[9], k[9];
} trmi_beam_rate_change;
void trmi_beam_change_rate(const trmi_beam *beam, const trmi_beam_state *state, int point,
                           const trmi_beam_point *at, const trmi_beam_rate *rate, int j,
                           trmi_beam_rate_change *E);

/* Lagrange polynomials of n equidistant nodes at xi in 0 .. 1, and their derivatives over
 * xi; shape->ds is not changed. */
void trmi_beam_shape_at(int n, double xi, trmi_beam_shape *shape);

#endif
