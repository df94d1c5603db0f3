/* remake.c - rebuilds expressions, arguments first, without recursion. */
#include "expr/remake.h"
#include "expr/graph_internal.h"

bool trmi_remake_init(trmi_remake *r, trmi_graph *g, trmi_arena *arena, trmi_maker make,
                      void *self) {
  *r = (trmi_remake){.graph = g, .count = g->count, .self = self,
                     .make = make != NULL ? make : trmi_remake_plain};
  r->map = TRMI_TAKE(arena, trmi_node, g->count);
  r->stack = TRMI_TAKE(arena, int, g->count);
  if (r->map == NULL || r->stack == NULL) return false;
  for (int i = 0; i < g->count; i++) {
    const trmi_op op = g->nodes[i].op;
    r->map[i] = op == TRMI_OP_CONSTANT || op == TRMI_OP_SYMBOL ? i : -1;
  }
  return true;
}

trmi_node trmi_remake_plain(trmi_remake *r, trmi_node old, const trmi_node arguments[3]) {
  trmi_graph *g = r->graph;
  const trmi_vertex v = g->nodes[old];
  const trmi_node a = arguments[0], b = arguments[1], c = arguments[2];
  if (a == v.a && b == v.b && c == v.c) return old;
  switch (v.op) {
  case TRMI_OP_CONSTANT:
  case TRMI_OP_SYMBOL:
  case TRMI_OP_LIVE: return old;
  case TRMI_OP_ADD: return trmi_add(g, a, b);
  case TRMI_OP_SUB: return trmi_sub(g, a, b);
  case TRMI_OP_MUL: return trmi_mul(g, a, b);
  case TRMI_OP_DIV: return trmi_div(g, a, b);
  case TRMI_OP_NEG: return trmi_neg(g, a);
  case TRMI_OP_ATAN2: return trmi_atan2(g, a, b);
  case TRMI_OP_POW: return trmi_pow(g, a, b);
  case TRMI_OP_LESS: return trmi_less(g, a, b);
  case TRMI_OP_LESS_EQUAL: return trmi_less_equal(g, a, b);
  case TRMI_OP_EQUAL: return trmi_equal(g, a, b);
  case TRMI_OP_SELECT: return trmi_select(g, a, b, c);
  case TRMI_OP_SPLINE:
    return trmi_spline_node(g, trmi_tag_spline(g, v.tag), trmi_tag_order(v.tag), a);
  case TRMI_OP_PIECE:
    return trmi_piece_node(g, trmi_tag_spline(g, v.tag), trmi_tag_order(v.tag), a);
  default: return trmi_function(g, v.op, a);
  }
}

trmi_node trmi_remake_node(trmi_remake *r, trmi_node n) {
  trmi_graph *g = r->graph;
  if (n >= r->count || g->failed) return n;
  const int place = g->place;
  int depth = 0; /* a path down the graph: numbers descend, so it is never longer than `count` */
  r->stack[depth++] = n;
  while (depth > 0 && !g->failed) {
    const trmi_node at = r->stack[depth - 1];
    const trmi_vertex v = g->nodes[at];
    const trmi_node arguments[3] = {v.a, v.b, v.c};
    trmi_node made[3];
    int open = -1;
    for (int k = 0; k < 3 && open < 0 && r->map[at] < 0; k++) {
      made[k] = r->map[arguments[k]];
      if (made[k] < 0) open = arguments[k];
    }
    if (open >= 0) {
      r->stack[depth++] = open;
      continue;
    }
    g->place = v.place;
    if (r->map[at] < 0) r->map[at] = r->make(r, at, made);
    depth--;
  }
  g->place = place;
  return g->failed ? 0 : r->map[n];
}
