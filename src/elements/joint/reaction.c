/* reaction.c - force and torque of the rows of a joint on body B, as nodes.
 *
 * Force and torque at the marker of B, ground axes, are those of -G_B^T lam - A_B^T mu:
 *   rows of rows.h: trmi_link_reaction of rows.c, a quantity of links.c                   (1)
 *   rows of nodes: their derivatives by the increments of one body, f and t about its
 *   origin in body axes; with r from there to the marker of B the torque there is
 *   R t - r x f. If B is the ground, those of A with the opposite sign                    (2)
 * Loads of stops and friction are not included. Names of the results: mechanism/names.c.
 * Derivation: docs/theory/11-joints.md. */
#include "elements/joint/links.h"
#include "elements/joint/links_reaction_tangent.h"
#include "elements/elements.h"
#include "equations/equations_quantities.h"
#include <stdio.h>

/* (1) */
static void add_native(trmi_mechanism *m, const trmi_joint *j, trmi_nodes3 *force,
                       trmi_nodes3 *torque) {
  trmi_graph *g = &m->b->graph;
  const trmi_body *const A = &m->bodies[j->A.body], *const B = &m->bodies[j->B.body];
  const trmi_link link = {.rows = j->type->rows, .nrows = j->type->nrows, .A = A->kind,
                          .B = B->kind};
  const int of_A = trmi_body_columns(A, TRMI_IN_Q, NULL);
  const int of_q = of_A + trmi_body_columns(B, TRMI_IN_Q, NULL);
  const int rows = trmi_rows_size(link.rows, link.nrows), count = of_q + rows;
  trmi_dependence *columns = TRMI_TAKE(&m->b->scratch, trmi_dependence, count);
  bool *is_zero = TRMI_TAKE(&m->b->scratch, bool, 6 * (size_t)count);
  char object[TRM_OBJECT_MAX];
  int before = 0;
  if (columns == NULL || is_zero == NULL) return;
  for (const trmi_joint *other = m->joints; other < j; other++) before += other->row >= 0;
  (void)trmi_body_columns(A, TRMI_IN_Q, columns);
  (void)trmi_body_columns(B, TRMI_IN_Q, columns + of_A);
  for (int i = 0; i < rows; i++) columns[of_q + i] = (trmi_dependence){TRMI_IN_LAM, j->row + i};
  if (A->carrier_n == 0 && B->carrier_n == 0) trmi_link_reaction_zeros(&link, is_zero);
  snprintf(object, sizeof object, "joint '%.48s'", j->def->key.name);
  const trmi_quantity_def def = {.of = TRMI_LINKS, .set = before, .object = object,
                                 .columns = columns, .is_zero = is_zero, .ncolumns = count,
                                 .rate = -1};
  trmi_nodes3 load[2];
  trmi_quantity_nodes(m->b, trmi_quantity_add(m->b, &def), load);
  *force = n3_add(g, *force, load[0]);
  *torque = n3_add(g, *torque, load[1]);
}

/* Add the derivatives of a row by the increments of a body, times -factor, to a force and a torque
 * about its origin in body axes. */
static void add_row(trmi_mechanism *m, const trmi_body *body, trmi_node row, trmi_input list,
                    trmi_node factor, trmi_node load[6]) {
  trmi_compiler *b = m->b;
  trmi_graph *g = &b->graph;
  trmi_columns_of(b, row, list);
  for (int k = 0; k < b->ncolumns; k++) {
    const int i = b->columns[k].col - body->v;
    if (i < 0 || i >= (int)body->kind) continue;
    load[i] = trmi_sub(g, load[i], trmi_mul(g, factor, b->columns[k].value));
  }
}

/* (2) */
static void add_node_rows(trmi_mechanism *m, const trmi_joint *j, trmi_nodes3 *force,
                          trmi_nodes3 *torque) {
  trmi_compiler *b = m->b;
  trmi_graph *g = &b->graph;
  const bool on_A = m->bodies[j->B.body].kind == TRMI_CARRIER_GROUND;
  const trmi_marker origin = {.body = on_A ? j->A.body : j->B.body,
                              .E = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  const trmi_body *body = &m->bodies[origin.body];
  trmi_node load[6] = {0};
  for (int k = 0; k < j->type->node_rows; k++) {
    const int row = m->extension.add.native_rows + j->node_row + k;
    add_row(m, body, b->g[row], TRMI_IN_Q, trmi_input_node(b, TRMI_IN_LAM, row), load);
  }
  for (int k = 0; k < j->type->rolling_rows; k++) {
    const int row = m->def->parts[TRMI_NONHOLONOMIC].count + j->rolling + k;
    add_row(m, body, b->a[row], TRMI_IN_V, trmi_input_node(b, TRMI_IN_MU, row), load);
  }
  const trmi_frame frame = trmi_frame_of(m, &origin), B = trmi_frame_of(m, &j->B);
  trmi_nodes3 f = {load[0], load[1], load[2]};
  trmi_nodes3 t = n3_combine(g, frame.axis, (trmi_nodes3){load[3], load[4], load[5]});
  t = n3_sub(g, t, n3_cross(g, n3_sub(g, B.x, frame.x), f));
  if (on_A) f = n3_neg(g, f), t = n3_neg(g, t);
  *force = n3_add(g, *force, f);
  *torque = n3_add(g, *torque, t);
}

void trmi_joint_reaction(trmi_mechanism *m, trmi_joint *j, trmi_nodes3 *force,
                         trmi_nodes3 *torque) {
  *force = *torque = (trmi_nodes3){0, 0, 0};
  if (j->type->ends == TRMI_ENDS_NONE) return;
  trmi_build_joint(m, j);
  if (j->row >= 0) add_native(m, j, force, torque);
  if (j->node_row >= 0 || j->rolling >= 0) add_node_rows(m, j, force, torque);
}
