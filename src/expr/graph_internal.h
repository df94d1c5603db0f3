/* graph_internal.h - shared by the files of the graph. */
#ifndef TRMI_GRAPH_INTERNAL_H
#define TRMI_GRAPH_INTERNAL_H
#include "expr/graph.h"

/* Constants that every graph has, after zero. */
enum { TRMI_ONE = 1, TRMI_MINUS_ONE = 2 };

/* The node with this operation, old or new; no rules are applied. */
trmi_node trmi_intern(trmi_graph *g, const trmi_vertex *v);

/* n = factor * rest with a constant factor, 1 if there is none. */
trmi_node trmi_split_factor(trmi_graph *g, trmi_node n, trmi_node *rest);

/* An operation on constants as a constant, also if it is not finite. */
trmi_node trmi_fold(trmi_graph *g, trmi_op op, trmi_node a, trmi_node b);

/* A larger copy of a list; the old one is released. False: out of memory, the list stays. */
bool trmi_list_grow(const trm_allocator *allocator, void **list, size_t used, size_t wanted);

/* Tag of a derivative or coefficient of a curve in a vertex. */
int trmi_spline_tag(trmi_graph *g, const trmi_spline *curve, int order);

static inline const trmi_spline *trmi_tag_spline(const trmi_graph *g, int tag) {
  return g->curves[tag / 8];
}
static inline int trmi_tag_order(int tag) {
  return tag % 8 - 1;
}

#endif
