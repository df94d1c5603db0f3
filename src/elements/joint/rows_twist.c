/* rows_twist.c - the row of constant velocity joints, by the relative quaternion.
 *
 * q = conj(p_A o m_A) o (p_B o m_B) turns the axes of marker A into those of marker B. B is bent
 * relative to A without rotation about the axes if its third part vanishes:
 *   g = 2 q_3 = 0                                                                         (1)
 * The product of axes x_A . y_B - y_A . x_B = -4 q_0 q_3 has a second root q_0 = 0, half a turn
 * away, which meets the first one where the joint is bent by half a turn: its gradient vanishes
 * there. That of (1) has length one wherever g = 0. (u)_3 is the third part of u; a rotation e of B
 * (marker axes) changes q by q o e/2, one of A by -e o q/2. With a = w_A, b = w_B:
 *   q'   = (q o b - a o q)/2,   g' = (q o b - a o q)_3,   g'' = (q' o b - a o q')_3        (2)
 * without accelerations in g''. So
 *   (q o u)_3 = c_B . u,  c_B = (-q_2, q_1, q_0);   (u o q)_3 = c_A . u,
 *   c_A = (q_2, -q_1, q_0);   G: c_B on B, -c_A on A                                       (3)
 * and every derivative is (2) or (3) with dq in place of q.
 * q and -q have the same roots; the sign of m_B is chosen so that q_0 >= 0 at the start, and q
 * follows the quaternions of the bodies, which are continuous.
 * Derivation: docs/theory/11-joints.md. */
#include "elements/joint/rows_internal.h"

typedef struct quat {
  double p[4];
} quat;

static quat product(const double a[4], const double b[4]) {
  quat out;
  trmi_quat_mul(a, b, out.p);
  return out;
}

static quat pure(trmi_vec3 u) {
  return (quat){{0.0, u.x, u.y, u.z}};
}

static trmi_vec3 unit(int k) {
  return v3(k == 0, k == 1, k == 2);
}

static trmi_vec3 c_B(const double q[4]) {
  return v3(-q[2], q[1], q[0]);
}

static trmi_vec3 c_A(const double q[4]) {
  return v3(q[2], -q[1], q[0]);
}

/* Relative quaternion of the markers. */
static void relative_quat(const trmi_link *link, const trmi_pose *A, const trmi_pose *B,
                          double q[4]) {
  static const double one[4] = {1.0, 0.0, 0.0, 0.0};
  double left[4], right[4];
  trmi_quat_mul(A->p != NULL ? A->p : one, link->m_a, left);
  trmi_quat_mul(B->p != NULL ? B->p : one, link->m_b, right);
  for (int i = 1; i < 4; i++) left[i] = -left[i];
  trmi_quat_mul(left, right, q);
}

/* q, and angular velocities in marker axes */
typedef struct twist {
  double    q[4];
  trmi_vec3 a, b;
} twist;

static twist twist_of(const trmi_link *link, const trmi_pose *A, const trmi_pose *B) {
  twist z = {.a = m3_mul(link->E_a, A->w), .b = m3_mul(link->E_b, B->w)};
  relative_quat(link, A, B, z.q);
  return z;
}

/* (q o b - a o q)_3 */
static double rate(const double q[4], trmi_vec3 a, trmi_vec3 b) {
  return v3_dot(c_B(q), b) - v3_dot(c_A(q), a);
}

/* (q o b - a o q)/2 */
static quat moved(const double q[4], trmi_vec3 a, trmi_vec3 b) {
  const quat right = product(q, pure(b).p), left = product(pure(a).p, q);
  quat out;
  for (int i = 0; i < 4; i++) out.p[i] = 0.5 * (right.p[i] - left.p[i]);
  return out;
}

void trmi_twist_rates(const trmi_link *link, const trmi_pose *A, const trmi_pose *B, double *g,
                      double *g_rate) {
  const twist z = twist_of(link, A, B);
  *g = 2.0 * z.q[3]; /* (1) */
  *g_rate = rate(z.q, z.a, z.b);
}

double trmi_twist_bias(const trmi_link *link, const trmi_pose *A, const trmi_pose *B) {
  const twist z = twist_of(link, A, B);
  return rate(moved(z.q, z.a, z.b).p, z.a, z.b);
}

trmi_vec3 trmi_twist_gradient(const trmi_link *link, const trmi_pose *A, const trmi_pose *B) {
  double q[4];
  relative_quat(link, A, B, q);
  return v3_neg(m3_tmul(link->E_a, c_A(q)));
}

static const trmi_vec3 zero = {0.0, 0.0, 0.0};

trmi_vec3 trmi_twist_GV_Q(const trmi_link *link, const trmi_pose *A, const trmi_pose *B) {
  const twist z = twist_of(link, A, B);
  double out[3];
  for (int k = 0; k < 3; k++) out[k] = rate(moved(z.q, unit(k), zero).p, z.a, z.b);
  return m3_tmul(link->E_a, v3_load(out));
}

trmi_twist_biases trmi_twist_bias_turns(const trmi_link *link, const trmi_pose *A,
                                        const trmi_pose *B) {
  const twist z = twist_of(link, A, B);
  const quat q1 = moved(z.q, z.a, z.b);
  double out[4][3]; /* GB_Q of A and B, GB_V of A and B */
  for (int k = 0; k < 3; k++) {
    const trmi_vec3 e = unit(k);
    const quat by_A = moved(z.q, e, zero), by_B = moved(z.q, zero, e);
    out[0][k] = rate(moved(by_A.p, z.a, z.b).p, z.a, z.b);
    out[1][k] = rate(moved(by_B.p, z.a, z.b).p, z.a, z.b);
    out[2][k] = rate(by_A.p, z.a, z.b) + rate(q1.p, e, zero); /* dq' = by_A, and a itself */
    out[3][k] = rate(by_B.p, z.a, z.b) + rate(q1.p, zero, e);
  }
  return (trmi_twist_biases){.GB_Q_A = m3_tmul(link->E_a, v3_load(out[0])),
                             .GB_Q_B = m3_tmul(link->E_b, v3_load(out[1])),
                             .GB_V_A = m3_tmul(link->E_a, v3_load(out[2])),
                             .GB_V_B = m3_tmul(link->E_b, v3_load(out[3]))};
}

/* out += y L^T M R with L, R marker axes */
static void add_turned(double out[9], double y, const double L[9], const double M[9],
                       const double R[9]) {
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      double sum = 0.0;
      for (int k = 0; k < 3; k++) {
        for (int l = 0; l < 3; l++) sum += L[3 * k + i] * M[3 * k + l] * R[3 * l + j];
      }
      out[3 * i + j] += y * sum;
    }
  }
}

void trmi_twist_tangent(const trmi_link *link, const trmi_pose *A, const trmi_pose *B, double y,
                        double AA[9], double BB[9], double AB[9]) {
  double q[4], M[3][9];
  relative_quat(link, A, B, q);
  for (int k = 0; k < 3; k++) {
    const quat by_A = moved(q, unit(k), zero), by_B = moved(q, zero, unit(k));
    const trmi_vec3 of_A = v3_neg(c_A(by_A.p)), of_B = c_B(by_B.p), mixed = v3_neg(c_A(by_B.p));
    m3_set_column(M[0], k, of_A);
    m3_set_column(M[1], k, of_B);
    m3_set_column(M[2], k, mixed);
  }
  add_turned(AA, y, link->E_a, M[0], link->E_a);
  add_turned(BB, y, link->E_b, M[1], link->E_b);
  add_turned(AB, y, link->E_a, M[2], link->E_b);
}
