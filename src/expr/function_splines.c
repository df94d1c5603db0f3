/* function_splines.c - conditions that are held between events, and tables in expressions.
 *
 * AKISPL and CUBSPL(x, z, table, order) are the curves of spline.c or a derivative of
 * them; z is 0, there are no surfaces. TABLE(x, table) and table(x): of the kind of the table.
 * IF(x: a, b, c) of ADAMS is a for x < 0, b for x = 0 and c for x > 0. */
#include "expr/functions.h"

/* ---- conditions ---- */

bool trmi_is_held(const trmi_parser *parser, trmi_node node) {
  const trmi_scope *scope = parser->scope;
  if (scope->held_sign == NULL || trmi_is_constant(parser->graph, node)) return false;
  return scope->is_steady == NULL || !scope->is_steady(scope->self, node);
}

trmi_node trmi_sharp_sign(const trmi_parser *parser, trmi_node difference) {
  trmi_graph *g = parser->graph;
  if (trmi_is_held(parser, difference)) {
    return parser->scope->held_sign(parser->scope->self, difference);
  }
  return trmi_less_equal(g, trmi_constant(g, 0.0), difference);
}

bool trmi_call_three_way(trmi_call *call, trmi_value *out) {
  trmi_graph *g = call->parser->graph;
  if (call->n != 4) {
    trmi_complain(call->parser->complaints, call->place,
                  "IF(x: a, b, c) needs three values after the ':', not %d", call->n - 1);
    return false;
  }
  const trmi_dimension dimension = trmi_rule_if(call);
  if (call->failed) return false;
  trmi_graph_at(g, call->place);
  const trmi_node x = call->args[0].node;
  const trmi_node from_zero = trmi_sharp_sign(call->parser, x);
  const trmi_node up_to_zero = trmi_sharp_sign(call->parser, trmi_neg(g, x));
  const trmi_node right = trmi_select(g, up_to_zero, call->args[2].node, call->args[3].node);
  *out = (trmi_value){.node = trmi_select(g, from_zero, right, call->args[1].node),
                      .dimension = dimension, .place = call->place};
  return true;
}

/* The derivative of a curve that jumps at its points, counted from the law that uses it: 1 causes a
 * kink, less a jump; more is smooth enough. */
static int sharpness(const trmi_scope *scope, const trmi_spline *curve, int order) {
  static const int first[] = {
    [TRMI_SPLINE_LINEAR] = 1, [TRMI_SPLINE_AKIMA] = 2, [TRMI_SPLINE_CUBIC] = 3};
  return first[curve->kind] - order - scope->lost;
}

/* Derivative number `order` of a curve; by the held piece if it is sharp. */
static trmi_node curve_value(const trmi_parser *parser, const trmi_spline *curve, int order,
                             trmi_node x) {
  trmi_graph *g = parser->graph;
  const trmi_scope *scope = parser->scope;
  const bool is_linear = curve->kind == TRMI_SPLINE_LINEAR && order == 0;
  const bool is_sharp = (is_linear || scope->lost > 0) && scope->held_piece != NULL &&
                        sharpness(scope, curve, order) <= 1;
  const bool is_steady = trmi_is_constant(g, x) ||
                         (scope->is_steady != NULL && scope->is_steady(scope->self, x));
  if (!is_steady && scope->use != NULL) scope->use(scope->self, curve, x);
  if (!is_sharp || is_steady) {
    const trmi_node law = trmi_spline_node(g, curve, order, x);
    if (!is_steady && scope->mark != NULL && scope->lost == 0) {
      scope->mark(scope->self, law, x, curve);
    }
    return law;
  }
  const trmi_node piece = scope->held_piece(scope->self, curve, x);
  const trmi_node s = trmi_sub(g, x, trmi_piece_node(g, curve, -1, piece));
  const int last = curve->kind == TRMI_SPLINE_LINEAR ? 1 : 3;
  trmi_node sum = 0;
  for (int k = last; k >= order; k--) {
    double factor = 1.0;
    for (int i = 0; i < order; i++) factor *= k - i;
    const trmi_node scale = trmi_constant(g, factor);
    const trmi_node term = trmi_mul(g, scale, trmi_piece_node(g, curve, k, piece));
    sum = k == last ? term : trmi_add(g, term, trmi_mul(g, sum, s));
  }
  return sum;
}

trmi_node trmi_spline_value(const trmi_parser *parser, const trmi_spline *curve, trmi_node x) {
  return curve_value(parser, curve, 0, x);
}

void trmi_mark_zero(const trmi_parser *parser, trmi_node part, trmi_node x) {
  const trmi_scope *scope = parser->scope;
  if (scope->mark != NULL && scope->lost == 0) scope->mark(scope->self, part, x, NULL);
}

/* ---- tables ---- */

trmi_node trmi_lower_spline(trmi_call *call, trmi_op op) {
  (void)op;
  trmi_graph *g = call->parser->graph;
  const trmi_node z = call->args[1].node;
  const bool is_flat = trmi_is_constant(g, z) && trmi_value_of(g, z) == 0.0;
  if (!is_flat) {
    call->failed = true;
    trmi_complain(call->parser->complaints, call->args[1].place,
                  "%s needs 0 as its second argument: tables are curves, not surfaces", call->name);
    return 0;
  }
  const double order = call->n > 3 ? trmi_value_of(g, call->args[3].node) : 0.0;
  if (order != 0.0 && order != 1.0 && order != 2.0) {
    call->failed = true;
    trmi_complain(call->parser->complaints, call->args[3].place,
                  "%s needs 0, 1 or 2 as the order of the derivative", call->name);
    return 0;
  }
  return curve_value(call->parser, call->curve, (int)order, call->args[0].node);
}

trmi_node trmi_lower_table(trmi_call *call, trmi_op op) {
  (void)op;
  return trmi_spline_value(call->parser, call->curve, call->args[0].node);
}
