/* function_rounding.c - floor, ceil, round and mod.
 *
 * All are expressed by floor:
 *   ceil(x) = -floor(-x),  round(x) = floor(x + 1/2),  mod(a, b) = a - b floor(a/b)         (1)
 * floor jumps at whole numbers n. Between events its number is held by a condition, the sign of
 * sin(pi x), which says whether n is even (p = 0) or odd (p = 1):
 *   floor(x) = p + 2 round((x - 1/2 - p)/2)                                                 (2)
 * The argument of this rounding remains a quarter away from its own jumps while x is between n and
 * n + 1, so a state on the wrong side of n by rounding does not matter. An argument that changes
 * only in jumps, as that of mod(floor(x), 2), needs no condition of its own. */
#include "expr/functions.h"

static const double PI = 3.14159265358979323846;

/* Does a node change only where others jump? False for large expressions. */
static bool is_stair(const trmi_parser *parser, trmi_node node, int *budget) {
  const trmi_graph *g = parser->graph;
  const trmi_vertex v = g->nodes[node];
  const trmi_scope *scope = parser->scope;
  if (--*budget < 0) return false;
  switch (v.op) {
  case TRMI_OP_CONSTANT: case TRMI_OP_FLOOR: case TRMI_OP_LESS: case TRMI_OP_LESS_EQUAL:
  case TRMI_OP_EQUAL: case TRMI_OP_PIECE: return true;
  case TRMI_OP_SYMBOL: return scope->is_steady != NULL && scope->is_steady(scope->self, node);
  default: break;
  }
  const trmi_node arguments[3] = {v.a, v.b, v.c};
  for (int k = 0; k < 3; k++) {
    if (arguments[k] != 0 && !is_stair(parser, arguments[k], budget)) return false;
  }
  return true;
}

static trmi_node live_round(trmi_graph *g, trmi_node x) {
  return trmi_function(g, TRMI_OP_FLOOR, trmi_add(g, x, trmi_constant(g, 0.5)));
}

static trmi_node floor_of(const trmi_parser *parser, trmi_node x) {
  trmi_graph *g = parser->graph;
  const trmi_node wave = trmi_function(g, TRMI_OP_SIN, trmi_mul(g, trmi_constant(g, PI), x));
  int budget = 200;
  if (!trmi_is_held(parser, x) || is_stair(parser, x, &budget)) {
    return trmi_function(g, TRMI_OP_FLOOR, x);
  }
  const trmi_node is_even = trmi_sharp_sign(parser, wave);
  const trmi_node p = trmi_sub(g, trmi_constant(g, 1.0), is_even), half = trmi_constant(g, 0.5);
  const trmi_node inner = trmi_mul(g, half, trmi_sub(g, trmi_sub(g, x, half), p));
  return trmi_add(g, p, trmi_mul(g, trmi_constant(g, 2.0), live_round(g, inner))); /* (2) */
}

trmi_node trmi_lower_floor(trmi_call *call, trmi_op op) {
  (void)op;
  return floor_of(call->parser, call->args[0].node);
}

trmi_node trmi_lower_ceil(trmi_call *call, trmi_op op) {
  trmi_graph *g = call->parser->graph;
  (void)op;
  return trmi_neg(g, floor_of(call->parser, trmi_neg(g, call->args[0].node)));
}

trmi_node trmi_lower_round(trmi_call *call, trmi_op op) {
  trmi_graph *g = call->parser->graph;
  (void)op;
  return floor_of(call->parser, trmi_add(g, call->args[0].node, trmi_constant(g, 0.5)));
}

trmi_node trmi_lower_mod(trmi_call *call, trmi_op op) {
  trmi_graph *g = call->parser->graph;
  const trmi_node a = call->args[0].node, b = call->args[1].node;
  (void)op;
  if (trmi_present(g, b) == 0.0) {
    call->failed = true;
    trmi_complain(call->parser->complaints, call->args[1].place, "mod needs b other than 0");
    return 0;
  }
  return trmi_sub(g, a, trmi_mul(g, b, floor_of(call->parser, trmi_div(g, a, b)))); /* (1) */
}
