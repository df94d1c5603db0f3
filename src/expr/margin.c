/* margin.c - a condition as a continuous function that is positive where it holds, so that events
 * find all its changes inside a step.
 *
 *   a < b, a <= b     b - a; only the second holds at zero                                  (1)
 *   not c             -f(c), with the opposite at zero                                      (2)
 *   c and d           min(f(c), f(d)); it holds at zero if both do                          (3)
 *   c or d            max(f(c), f(d)); likewise                                             (4)
 * The parser builds selections from them (parse.c): c and d is select(c, d, 0), c or d is select(c,
 * 1, d), not c is select(c, 0, 1). Other conditions, which change at events only
 * (mode == 1), are plus or minus `never`, a number that the other functions do not reach.   (5) */
#include "expr/margin.h"

/* Nested conditions beyond this depth count as (5). */
enum { DEPTH_MAX = 100 };
static const double never = 1e30;

static trmi_margin margin_of(trmi_graph *g, trmi_node n, int depth);

/* (2) */
static trmi_margin opposite(trmi_graph *g, trmi_margin m) {
  return (trmi_margin){trmi_neg(g, m.node), m.size, !m.holds_at_zero};
}

/* (3), (4) */
static trmi_margin join(trmi_graph *g, trmi_margin a, trmi_margin b, bool is_least) {
  const trmi_node is_less = trmi_less(g, a.node, b.node);
  return (trmi_margin){is_least ? trmi_select(g, is_less, a.node, b.node)
                                : trmi_select(g, is_less, b.node, a.node),
                       trmi_add(g, a.size, b.size), a.holds_at_zero && b.holds_at_zero};
}

static trmi_margin margin_of_selection(trmi_graph *g, trmi_node n, int depth) {
  const trmi_vertex v = g->nodes[n];
  const trmi_node no = 0, yes = trmi_constant(g, 1.0);
  const trmi_margin c = margin_of(g, v.a, depth);
  if (v.b == no && v.c == yes) return opposite(g, c);
  if (v.c == no) return join(g, c, margin_of(g, v.b, depth), true);
  if (v.b == yes) return join(g, c, margin_of(g, v.c, depth), false);
  if (v.b == no) return join(g, opposite(g, c), margin_of(g, v.c, depth), true);
  return join(g, opposite(g, c), margin_of(g, v.b, depth), false); /* v.c == yes */
}

static trmi_node size_of(trmi_graph *g, trmi_node n) {
  return trmi_select(g, trmi_less(g, n, 0), trmi_neg(g, n), n);
}

static bool is_logic(trmi_graph *g, const trmi_vertex *v) {
  const trmi_node yes = trmi_constant(g, 1.0);
  return v->op == TRMI_OP_SELECT && (v->b == 0 || v->c == 0 || v->b == yes || v->c == yes);
}

static trmi_margin margin_of(trmi_graph *g, trmi_node n, int depth) {
  const trmi_vertex v = g->nodes[n];
  if (v.op == TRMI_OP_LESS || v.op == TRMI_OP_LESS_EQUAL) { /* (1) */
    return (trmi_margin){trmi_sub(g, v.b, v.a), trmi_add(g, size_of(g, v.a), size_of(g, v.b)),
                         v.op == TRMI_OP_LESS_EQUAL};
  }
  if (depth > 0 && is_logic(g, &v)) return margin_of_selection(g, n, depth - 1);
  return (trmi_margin){trmi_select(g, n, trmi_constant(g, never), trmi_constant(g, -never)), 0,
                       true};
}

trmi_margin trmi_margin_of(trmi_graph *g, trmi_node condition) {
  return margin_of(g, condition, DEPTH_MAX);
}
