/* beam_stress.c - section forces of beams as nodes of the graph, so that expressions can use them.
 *
 * With P = sum N_i p_i = (a, b), P' = (a', b') and x' = sum N_i' x_i at a point of Gauss, as in
 * flex/beam.c:
 *   R^T x' = ((a^2 - b.b) x' + 2 (b.x') b - 2 a b x x') / (a^2 + b.b)                       (1)
 *   kappa  = 2 (a b' - a' b - b x b') / (a^2 + b.b)                                        (2)
 *   (force, moment) = D (e + beta e'),  e = (R^T x', kappa) - reference values             (3)
 * In the middle of an element that is the value of the only point, the mean of two, or that of the
 * second of three. Signs of the p_i are those of the reference: p moves without jumps. */
#include "mechanism/mechanism.h"

/* A quaternion as nodes. */
typedef struct quaternion {
  trmi_node   a;
  trmi_nodes3 b;
} quaternion;

/* Six strains at one point. */
typedef struct strains {
  trmi_node e[6];
} strains;

/* sum += factor p */
static void add_quaternion(trmi_graph *g, trmi_node f, quaternion p, quaternion *sum) {
  sum->a = trmi_add(g, sum->a, trmi_mul(g, f, p.a));
  sum->b = n3_add(g, sum->b, n3_scale(g, f, p.b));
}

/* Is the quaternion of a node opposite to that of the one before it? */
static void compute_opposite(trmi_mechanism *m, const void *of, double *numbers) {
  const double *p = ((const trmi_body *)of)->q0 + 3, *before = ((const trmi_body *)of)[-1].q0 + 3;
  (void)m;
  const double dot = p[0] * before[0] + p[1] * before[1] + p[2] * before[2] + p[3] * before[3];
  *numbers = dot < 0.0 ? -1.0 : 1.0;
}

/* -1 or 1 for ever: another sign would be another expression. */
static double sign_between(trmi_mechanism *m, const trmi_body *node) {
  const double *sign = trmi_derive(m, compute_opposite, node, 1);
  return sign != NULL ? trmi_value_of(&m->b->graph, trmi_number(m, sign)) : 1.0;
}

/* (1) and (2) minus the reference; `nodes` are those of the element. */
static strains strains_at(trmi_mechanism *m, const trmi_beam *element, const trmi_body *nodes,
                          int point) {
  trmi_graph *g = &m->b->graph;
  const trmi_beam_shape *shape = &element->point[point];
  const trmi_node two = trmi_constant(g, 2.0);
  trmi_nodes3 dx = {0, 0, 0};
  quaternion P = {0, {0, 0, 0}}, dP = {0, {0, 0, 0}};
  double sign = 1.0;
  for (int i = 0; i < element->n; i++) {
    const int q = nodes[i].q;
    const quaternion node = {trmi_input_node(m->b, TRMI_IN_Q, q + 3),
                             trmi_input_nodes3(m->b, TRMI_IN_Q, q + 4)};
    if (i > 0) sign *= sign_between(m, &nodes[i]);
    const trmi_node s = trmi_constant(g, sign), dN = trmi_number(m, &shape->dN[i]);
    add_quaternion(g, trmi_mul(g, s, trmi_number(m, &shape->N[i])), node, &P);
    add_quaternion(g, trmi_mul(g, s, dN), node, &dP);
    const trmi_nodes3 x = trmi_input_nodes3(m->b, TRMI_IN_Q, q);
    dx = n3_add(g, dx, n3_scale(g, dN, x));
  }
  const trmi_node aa = trmi_mul(g, P.a, P.a), bb = n3_dot(g, P.b, P.b);
  const trmi_node size = trmi_add(g, aa, bb);
  trmi_nodes3 G = n3_scale(g, trmi_sub(g, aa, bb), dx);
  G = n3_add(g, G, n3_scale(g, trmi_mul(g, two, n3_dot(g, P.b, dx)), P.b));
  G = n3_sub(g, G, n3_scale(g, trmi_mul(g, two, P.a), n3_cross(g, P.b, dx)));
  trmi_nodes3 k = n3_sub(g, n3_scale(g, P.a, dP.b), n3_scale(g, dP.a, P.b));
  k = n3_scale(g, two, n3_sub(g, k, n3_cross(g, P.b, dP.b)));
  strains out;
  for (int i = 0; i < 6; i++) {
    const trmi_node value = trmi_div(g, n3_part(i < 3 ? G : k, i % 3), size);
    out.e[i] = trmi_sub(g, value, trmi_number(m, &element->strain0[point][i]));
  }
  return out;
}

/* (3) from strains in the middle */
void trmi_beam_stress_nodes(trmi_mechanism *m, const trmi_beam_part *beam, int element,
                            trmi_nodes3 *force, trmi_nodes3 *moment) {
  trmi_graph *g = &m->b->graph;
  const trmi_beam *at = &beam->made[element];
  const trmi_body *nodes = &m->bodies[beam->first + element * (beam->nodes - 1)];
  const double *D = beam->section.D;
  const trmi_node damping = trmi_number(m, &beam->section.damping);
  strains s = strains_at(m, at, nodes, at->n == 4 ? 1 : 0);
  if (at->n == 3) {
    const strains other = strains_at(m, at, nodes, 1);
    const trmi_node half = trmi_constant(g, 0.5);
    for (int i = 0; i < 6; i++) s.e[i] = trmi_mul(g, half, trmi_add(g, s.e[i], other.e[i]));
  }
  for (int i = 0; i < 6 && damping != 0; i++) {
    const trmi_node rate = trmi_mul(g, damping, trmi_velocity_of(m, s.e[i]));
    s.e[i] = trmi_add(g, s.e[i], rate);
  }
  trmi_node stress[6] = {0, 0, 0, 0, 0, 0};
  for (int i = 0; i < 36; i++) {
    const trmi_node part = trmi_mul(g, trmi_number(m, &D[i]), s.e[i % 6]);
    stress[i / 6] = trmi_add(g, stress[i / 6], part);
  }
  *force = (trmi_nodes3){stress[0], stress[1], stress[2]};
  *moment = (trmi_nodes3){stress[3], stress[4], stress[5]};
}
