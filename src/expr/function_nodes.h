/* function_nodes.h - shorthands for building nodes of calls. */
#ifndef TRMI_EXPR_FUNCTION_NODES_H
#define TRMI_EXPR_FUNCTION_NODES_H
#include "expr/functions.h"

static inline trmi_graph *graph_of(const trmi_call *call) {
  return call->parser->graph;
}

static inline trmi_node arg(const trmi_call *call, int i) {
  return call->args[i].node;
}

static inline trmi_node scaled(trmi_graph *g, double factor, trmi_node a) {
  return trmi_mul(g, trmi_constant(g, factor), a);
}

#endif
