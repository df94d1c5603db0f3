/* vector.h - vectors of three nodes: what vec.h is for numbers. */
#ifndef TRMI_EXPR_VECTOR_H
#define TRMI_EXPR_VECTOR_H
#include "expr/graph.h"
#include "math/vec.h"

typedef struct trmi_nodes3 {
  trmi_node x, y, z;
} trmi_nodes3;

static inline trmi_nodes3 n3_constant(trmi_graph *g, trmi_vec3 a) {
  return (trmi_nodes3){trmi_constant(g, a.x), trmi_constant(g, a.y), trmi_constant(g, a.z)};
}
static inline trmi_nodes3 n3_add(trmi_graph *g, trmi_nodes3 a, trmi_nodes3 b) {
  return (trmi_nodes3){trmi_add(g, a.x, b.x), trmi_add(g, a.y, b.y), trmi_add(g, a.z, b.z)};
}
static inline trmi_nodes3 n3_sub(trmi_graph *g, trmi_nodes3 a, trmi_nodes3 b) {
  return (trmi_nodes3){trmi_sub(g, a.x, b.x), trmi_sub(g, a.y, b.y), trmi_sub(g, a.z, b.z)};
}
static inline trmi_nodes3 n3_neg(trmi_graph *g, trmi_nodes3 a) {
  return (trmi_nodes3){trmi_neg(g, a.x), trmi_neg(g, a.y), trmi_neg(g, a.z)};
}
static inline trmi_nodes3 n3_scale(trmi_graph *g, trmi_node s, trmi_nodes3 a) {
  return (trmi_nodes3){trmi_mul(g, s, a.x), trmi_mul(g, s, a.y), trmi_mul(g, s, a.z)};
}
static inline trmi_node n3_dot(trmi_graph *g, trmi_nodes3 a, trmi_nodes3 b) {
  return trmi_add(g, trmi_add(g, trmi_mul(g, a.x, b.x), trmi_mul(g, a.y, b.y)),
                  trmi_mul(g, a.z, b.z));
}
static inline trmi_nodes3 n3_cross(trmi_graph *g, trmi_nodes3 a, trmi_nodes3 b) {
  return (trmi_nodes3){trmi_sub(g, trmi_mul(g, a.y, b.z), trmi_mul(g, a.z, b.y)),
                       trmi_sub(g, trmi_mul(g, a.z, b.x), trmi_mul(g, a.x, b.z)),
                       trmi_sub(g, trmi_mul(g, a.x, b.y), trmi_mul(g, a.y, b.x))};
}
static inline trmi_node n3_norm(trmi_graph *g, trmi_nodes3 a) {
  return trmi_function(g, TRMI_OP_SQRT, n3_dot(g, a, a));
}
/* a_x e_0 + a_y e_1 + a_z e_2 */
static inline trmi_nodes3 n3_combine(trmi_graph *g, const trmi_nodes3 e[3], trmi_nodes3 a) {
  return n3_add(g, n3_add(g, n3_scale(g, a.x, e[0]), n3_scale(g, a.y, e[1])),
                n3_scale(g, a.z, e[2]));
}
/* components of a along e_0, e_1, e_2 */
static inline trmi_nodes3 n3_along(trmi_graph *g, const trmi_nodes3 e[3], trmi_nodes3 a) {
  return (trmi_nodes3){n3_dot(g, e[0], a), n3_dot(g, e[1], a), n3_dot(g, e[2], a)};
}
static inline trmi_node n3_part(trmi_nodes3 a, int i) {
  return i == 0 ? a.x : i == 1 ? a.y : a.z;
}

#endif
