/* coordinates.c - coordinates of joints as nodes, and their selection by parts.
 *
 * a and a2 are axes of A, v and v2 axes of B or d = x_B - x_A:
 *   displacement  a . d                                                                   (1)
 *   rotation      the angle of S = a . v (or -a . v) up and C = a2 . v2 right,
 *                 (3) of marker_frame.c                                                   (2)
 *   elevation     atan2(a . v, sqrt((b . v)^2 + (c . v)^2)), b and c the axes of A after a (3)
 *   own           the unknown of the joint                                                (4)
 * A rotation is undefined where S = C = 0, and an elevation has no rate at a quarter turn. S^2 +
 * C^2, with d in units of its length across z of A, measures the distance from there. Derivation:
 * docs/theory/11-joints.md. */
#include "elements/elements.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

bool trmi_joint_turns(const trmi_joint *j, int k) {
  const trmi_coordinate_kind kind = j->type->coordinates[k].kind;
  return kind == TRMI_ROTATION || kind == TRMI_ELEVATION;
}

/* An axis of B, or d. */
static trmi_nodes3 vector_of(trmi_mechanism *m, const trmi_joint *j, int v) {
  trmi_graph *g = &m->b->graph;
  const trmi_frame B = trmi_frame_of(m, &j->B);
  if (v != TRMI_TO_B) return B.axis[v];
  return n3_sub(g, B.x, trmi_frame_of(m, &j->A).x);
}

/* (2) */
static trmi_node turn_of(trmi_mechanism *m, const trmi_joint *j, const trmi_coordinate *c,
                         trmi_joint_freedom *freedom) {
  trmi_graph *g = &m->b->graph;
  const trmi_frame A = trmi_frame_of(m, &j->A);
  const trmi_node up = n3_dot(g, A.axis[c->a], vector_of(m, j, c->v));
  const trmi_node S = c->is_negative ? trmi_neg(g, up) : up;
  const trmi_node C = n3_dot(g, A.axis[c->a2], vector_of(m, j, c->v2));
  const trmi_node one = trmi_constant(g, 1.0);
  trmi_node unit = one;
  if (c->v == TRMI_TO_B) {
    const trmi_node length = trmi_live_number(m, &j->length),
                    offset = trmi_live_number(m, &j->offset);
    unit = trmi_div(g, one, trmi_sub(g, trmi_mul(g, length, length), trmi_mul(g, offset, offset)));
  }
  freedom->size = trmi_coordinate_is_hinge(c)
                      ? unit /* rows keep it at this length */
                      : trmi_mul(g, unit, trmi_add(g, trmi_mul(g, S, S), trmi_mul(g, C, C)));
  return trmi_angle_near(m, S, C, freedom->memory);
}

/* (3) */
static trmi_node rise_of(trmi_mechanism *m, const trmi_joint *j, const trmi_coordinate *c) {
  trmi_graph *g = &m->b->graph;
  const trmi_frame A = trmi_frame_of(m, &j->A);
  const trmi_nodes3 along = n3_along(g, A.axis, vector_of(m, j, c->v));
  const trmi_node bv = n3_part(along, (c->a + 1) % 3), cv = n3_part(along, (c->a + 2) % 3);
  const trmi_node square = trmi_add(g, trmi_mul(g, bv, bv), trmi_mul(g, cv, cv));
  return trmi_atan2(g, n3_part(along, c->a), trmi_function(g, TRMI_OP_SQRT, square));
}

trmi_node trmi_joint_coordinate(trmi_mechanism *m, trmi_joint *j, int k) {
  trmi_joint_freedom *freedom = &j->freedom[k];
  const trmi_coordinate *c = &j->type->coordinates[k];
  if (freedom->has_node) return freedom->node;
  freedom->has_node = true;
  switch (c->kind) {
  case TRMI_DISPLACEMENT: /* (1) */
    freedom->node = n3_dot(&m->b->graph, trmi_frame_of(m, &j->A).axis[c->a],
                           vector_of(m, j, TRMI_TO_B));
    break;
  case TRMI_ROTATION: freedom->node = turn_of(m, j, c, freedom); break;
  case TRMI_ELEVATION: freedom->node = rise_of(m, j, c); break;
  case TRMI_OWN: freedom->node = trmi_input_node(m->b, TRMI_IN_Q, j->scalar_q); break; /* (4) */
  }
  return freedom->node;
}

/* ---- by name -------------------------------------------------------------------------------- */

void trmi_coordinate_list(const trmi_joint_type *type, const char *word,
                          char text[TRMI_COORDINATE_LIST]) {
  const int count = trmi_coordinate_count(type);
  int length = 0;
  text[0] = '\0';
  for (int k = 0; k < count; k++) {
    const bool is_last = word != NULL && k > 0 && k + 1 == count;
    const char *before = k == 0 ? "" : is_last ? " " : ", ";
    length += snprintf(text + length, (size_t)(TRMI_COORDINATE_LIST - length), "%s%s%s%s", before,
                       is_last ? word : "", is_last ? " " : "", type->coordinates[k].name);
  }
}

int trmi_only_coordinate(const trmi_joint_type *type) {
  const int angle = trmi_coordinate_named(type, "angle");
  const int displacement = trmi_coordinate_named(type, "displacement");
  if (angle >= 0 && displacement >= 0) return -1;
  if (angle >= 0 || displacement >= 0) return angle >= 0 ? angle : displacement;
  return trmi_coordinate_count(type) == 1 ? 0 : -1;
}

bool trmi_choose_coordinate(trmi_mechanism *m, const trmi_part *part, const trmi_joint *joint,
                            const char *word, trmi_place place, int *coordinate) {
  const trmi_joint_type *type = joint->type;
  char list[TRMI_COORDINATE_LIST];
  *coordinate = word != NULL ? trmi_coordinate_named(type, word)
                             : trmi_only_coordinate(type);
  if (*coordinate >= 0) return true;
  const char *kind = trmi_part_group_word(part->kind->group), *own = part->key.name;
  const char *name = joint->def->key.name;
  if (trmi_coordinate_count(type) == 0) {
    trmi_complain(m->complaints, place, "%s '%.60s': joint '%.60s' is %.40s and has no coordinate "
                  "of its own", kind, own, name, type->name);
  } else if (word == NULL) {
    trmi_coordinate_list(type, "or", list);
    trmi_complain(m->complaints, place, "%s '%.60s': joint '%.60s' has several coordinates: say %s "
                  "as coordinate", kind, own, name, list);
  } else {
    trmi_coordinate_list(type, "and", list);
    trmi_complain(m->complaints, place, "%s '%.60s': joint '%.60s' is %.40s and has no coordinate "
                  "'%.40s'; it has %s", kind, own, name, type->name, word, list);
  }
  return false;
}

bool trmi_read_coordinate(trmi_mechanism *m, const trmi_part *part, const trmi_joint *joint,
                          int *coordinate) {
  const char *word = trmi_part_word(part, "coordinate");
  const trmi_place place = trmi_part_place(part, word != NULL ? "coordinate" : "joint");
  return trmi_choose_coordinate(m, part, joint, word, place, coordinate);
}
