/* six.c - laws of six deformations of marker B against marker A: bushings and beams. Their motion
 * is computed by six_law.c; here are the nodes behind their names, made when one is used.
 *
 * With A the matrix whose columns are the axes of A, q the relative quaternion, (4) of frame.c:
 *   d = A^T (x_B - x_A),   d' = A^T (v_B - v_A - w_A x (x_B - x_A))                     (1)
 *   q = (c, n s),  c = cos(phi/2),  s = sin(phi/2),  phi from 0 to 2 pi
 *   theta = n phi = 2 q_v (phi/2)/s                    rotation vector                  (2)
 *   theta' = P A^T (w_B - w_A),  P = 1 - S/2 + kappa S^2,  S u = theta x u              (3)
 *   kappa = (1 - (phi/2) cot(phi/2))/phi^2 = (1 - c (phi/2)/s)/phi^2                    (4)
 * Law with e = (d, theta) - rest:
 *   s = K e + C e' - preload,  on B: -A s_d at x_B, -A P^T s_theta; on A the opposite   (5)
 *   potential e.K e/2 - preload.e   if K is symmetric                                   (6)
 * P^T makes theta and torque belong together: power is -s.e'. About a fixed axis P is 1.
 * (phi/2)/s and kappa are smooth at zero: series there. q is continuous, so theta passes half a
 * turn; it has no direction at a full one, and steps that come near are refused (six_law.c).
 * Derivation: docs/theory/12-forces.md, section 4. */
#include "force/force.h"
#include <string.h>

bool trmi_six_keep(trmi_mechanism *m, trmi_action *a, const trmi_six *six) {
  trmi_six *own = TRMI_TAKE(m->arena, trmi_six, 1);
  if (own == NULL) return false;
  *own = *six;
  a->own = own;
  double size = 0.0, difference = 0.0;
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 6; j++) {
      size = fmax(size, fabs(own->K[6 * i + j]));
      difference = fmax(difference, fabs(own->K[6 * i + j] - own->K[6 * j + i]));
    }
  }
  for (int i = 0; i < 36; i++) own->has_damping = own->has_damping || own->C[i] != 0.0;
  own->is_symmetric = difference <= 1e-12 * size; /* rounding of what was typed */
  return true;
}

/* ---- deformations --------------------------------------------------------------------------- */

/* sum c_i x^i */
static trmi_node series(trmi_graph *g, const double *c, int n, trmi_node x) {
  trmi_node sum = trmi_constant(g, c[n - 1]);
  for (int i = n - 2; i >= 0; i--) sum = trmi_add(g, trmi_constant(g, c[i]), trmi_mul(g, sum, x));
  return sum;
}

/* x/sin(x) from c = cos(x) and s = sin(x)^2. The series is asin(x)/x in x^2. */
static trmi_node over_sine(trmi_graph *g, trmi_node s, trmi_node c) {
  enum { TERMS = 10 }; /* below s = 0.01 the next one is 1e-21, its second derivative 1e-15 */
  double list[TERMS] = {1.0};
  for (int n = 1; n < TERMS; n++) {
    const double odd = 2.0 * n - 1.0;
    list[n] = list[n - 1] * odd * odd / (2.0 * n * (2.0 * n + 1.0));
  }
  const trmi_node is_small = trmi_mul(g, trmi_less(g, s, trmi_constant(g, 0.01)),
                                      trmi_less(g, 0, c));
  const trmi_node safe = trmi_select(g, is_small, trmi_constant(g, 1.0), s);
  const trmi_node sine = trmi_function(g, TRMI_OP_SQRT, safe);
  return trmi_select(g, is_small, series(g, list, TERMS, s),
                     trmi_div(g, trmi_atan2(g, sine, c), sine));
}

/* (4) from u = phi^2; the series has the coefficients of (x/2) cot(x/2). */
static trmi_node kappa(trmi_graph *g, trmi_node u, trmi_node half_over_s, trmi_node c) {
  static const double list[8] = {1.0 / 12, 1.0 / 720, 1.0 / 30240, 1.0 / 1209600,
                                 1.0 / 47900160, 691.0 / 1307674368000.0,
                                 1.0 / 74724249600.0, 3617.0 / 10670622842880000.0};
  const trmi_node one = trmi_constant(g, 1.0);
  const trmi_node is_small = trmi_less(g, u, trmi_constant(g, 0.25)); /* next term 1e-18 */
  const trmi_node safe = trmi_select(g, is_small, one, u);
  const trmi_node rest = trmi_sub(g, one, trmi_mul(g, c, half_over_s));
  return trmi_select(g, is_small, series(g, list, 8, u), trmi_div(g, rest, safe));
}

/* Rotation vector (2) and kappa. */
static trmi_nodes3 rotation_of(trmi_mechanism *m, const trmi_action *a, trmi_node *k) {
  trmi_graph *g = &m->b->graph;
  trmi_node q[4];
  trmi_relative_quat(m, &a->A, &a->B, q);
  const trmi_nodes3 v = {q[1], q[2], q[3]};
  const trmi_node factor = over_sine(g, n3_dot(g, v, v), q[0]);
  const trmi_nodes3 theta = n3_scale(g, trmi_mul(g, trmi_constant(g, 2.0), factor), v);
  *k = kappa(g, n3_dot(g, theta, theta), factor, q[0]);
  return theta;
}

/* u - sign theta x u/2 + kappa theta x (theta x u): P with sign 1, P^T with sign -1 */
static trmi_nodes3 turned(trmi_graph *g, trmi_nodes3 theta, trmi_node k, double sign,
                          trmi_nodes3 u) {
  const trmi_nodes3 once = n3_cross(g, theta, u), twice = n3_cross(g, theta, once);
  const trmi_nodes3 half = n3_scale(g, trmi_constant(g, -0.5 * sign), once);
  return n3_add(g, n3_add(g, u, half), n3_scale(g, k, twice));
}

void trmi_six_measure(trmi_mechanism *m, trmi_action *a) {
  trmi_graph *g = &m->b->graph;
  const trmi_six *six = a->own;
  const trmi_frame A = trmi_frame_of(m, &a->A), B = trmi_frame_of(m, &a->B);
  const trmi_nodes3 r = n3_sub(g, B.x, A.x);
  trmi_nodes3 v = n3_sub(g, n3_sub(g, B.v, A.v), n3_cross(g, A.w, r));
  trmi_node k;
  const trmi_nodes3 theta = rotation_of(m, a, &k);
  a->e[0] = n3_sub(g, n3_along(g, A.axis, r), trmi_number3(m, six->rest)); /* (1) */
  a->e[1] = n3_sub(g, theta, trmi_number3(m, six->rest + 3));
  a->e_rate[0] = n3_along(g, A.axis, v);
  a->e_rate[1] = turned(g, theta, k, 1.0, n3_along(g, A.axis, n3_sub(g, B.w, A.w))); /* (3) */
}

/* ---- law ------------------------------------------------------------------------------------ */

static trmi_node part(const trmi_nodes3 e[2], int i) {
  return n3_part(e[i / 3], i % 3);
}

/* s += M e */
static void add_product(trmi_mechanism *m, const double M[36], const trmi_nodes3 e[2],
                        trmi_node s[6]) {
  trmi_graph *g = &m->b->graph;
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 6; j++) {
      s[i] = trmi_add(g, s[i], trmi_mul(g, trmi_number(m, &M[6 * i + j]), part(e, j)));
    }
  }
}

/* (5): force and torque on B, ground axes. */
static void loads_of(trmi_mechanism *m, const trmi_action *a, const trmi_node s[6],
                     trmi_nodes3 load[2]) {
  trmi_graph *g = &m->b->graph;
  const trmi_frame A = trmi_frame_of(m, &a->A);
  trmi_node k;
  const trmi_nodes3 theta = rotation_of(m, a, &k);
  const trmi_nodes3 s_d = {s[0], s[1], s[2]}, s_theta = {s[3], s[4], s[5]};
  load[0] = n3_neg(g, n3_combine(g, A.axis, s_d));
  load[1] = n3_neg(g, n3_combine(g, A.axis, turned(g, theta, k, -1.0, s_theta)));
}

void trmi_six_law(trmi_mechanism *m, trmi_action *a) {
  trmi_graph *g = &m->b->graph;
  const trmi_six *six = a->own;
  trmi_node s[6];
  for (int i = 0; i < 6; i++) s[i] = trmi_neg(g, trmi_number(m, &six->preload[i]));
  add_product(m, six->K, a->e, s);
  add_product(m, six->C, a->e_rate, s);
  loads_of(m, a, s, a->load);
}
