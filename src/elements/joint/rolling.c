/* rolling.c - a wheel of radius r, thin at its rim, rolls on a plane without slipping.
 *
 * n is z of A, normal of the plane through x_A; e is z of B, axis of the wheel with middle x_B.
 *   k = n - (n.e) e,  u = k/|k|: from the point of contact x_C = x_B - r u to the middle  (1)
 *   g = n.(x_B - x_A) - r |k|                                    contact                  (2)
 *   a_i = e_i . (v_B - r w_B x u - v_A - w_A x (x_C - x_A)),  e_i = x_A, y_A: no slip     (3)
 * The third component of (3) is the rate of (2). A wheel that lies flat has no such point. */
#include "elements/elements.h"

/* u, and the length of k, (1) */
static trmi_nodes3 upward(trmi_graph *g, const trmi_frame *A, const trmi_frame *B,
                          trmi_node *length) {
  const trmi_nodes3 n = A->axis[2], e = B->axis[2];
  const trmi_nodes3 k = n3_sub(g, n, n3_scale(g, n3_dot(g, n, e), e));
  *length = n3_norm(g, k);
  return n3_scale(g, trmi_div(g, trmi_constant(g, 1.0), *length), k);
}

trmi_nodes3 trmi_contact_point(trmi_mechanism *m, const trmi_joint *j) {
  trmi_graph *g = &m->b->graph;
  const trmi_frame A = trmi_frame_of(m, &j->A), B = trmi_frame_of(m, &j->B);
  trmi_node length;
  const trmi_nodes3 u = upward(g, &A, &B, &length);
  return n3_sub(g, B.x, n3_scale(g, trmi_part_node(m, j->def, "radius", 0.0), u));
}

void trmi_build_rolling(trmi_mechanism *m, trmi_joint *j) {
  trmi_compiler *b = m->b;
  trmi_graph *g = &b->graph;
  const trmi_frame A = trmi_frame_of(m, &j->A), B = trmi_frame_of(m, &j->B);
  const trmi_node r = trmi_part_node(m, j->def, "radius", 0.0);
  trmi_node length;
  const trmi_nodes3 u = upward(g, &A, &B, &length);
  const trmi_nodes3 d = n3_sub(g, B.x, A.x), arm = n3_scale(g, trmi_neg(g, r), u);
  b->g[m->extension.add.native_rows + j->node_row] =
      trmi_sub(g, n3_dot(g, A.axis[2], d), trmi_mul(g, r, length)); /* (2) */

  /* (3) */
  const trmi_nodes3 of_B = n3_add(g, B.v, n3_cross(g, B.w, arm));
  const trmi_nodes3 of_A = n3_add(g, A.v, n3_cross(g, A.w, n3_add(g, d, arm)));
  const trmi_nodes3 slip = n3_sub(g, of_B, of_A);
  for (int i = 0; i < 2; i++) {
    b->a[m->def->parts[TRMI_NONHOLONOMIC].count + j->rolling + i] = n3_dot(g, A.axis[i], slip);
  }
}
