/* build.c - making nodes: numbers are folded, trivial operations dropped, and equal
 * expressions brought to one form so that they are found again.
 *
 * Forms: sums and products have their constant first, otherwise the older node; signs
 * and constant factors are pulled out of products and quotients:
 *   a + (-b) = a - b,   (-a) b = -(a b),   (c a) b = c (a b),   c a + d a = (c + d) a      (1)
 * Results that are not finite are not folded: they fail where they are evaluated, with
 * their place in the text. */
#include "expr/graph_parts.h"
#include <math.h>

static const trmi_vertex *at(const trmi_graph *g, trmi_node n) {
  return &g->nodes[n];
}

static bool is_op(const trmi_graph *g, trmi_node n, trmi_op op) {
  return at(g, n)->op == op;
}

static bool is_number(const trmi_graph *g, trmi_node n, double value) {
  return is_op(g, n, TRMI_OP_CONSTANT) && at(g, n)->value == value;
}

double trmi_apply(const trmi_graph *g, const trmi_vertex *n, double a, double b, double c) {
  switch (n->op) {
  case TRMI_OP_CONSTANT: return n->value;
  case TRMI_OP_ADD: return a + b;
  case TRMI_OP_SUB: return a - b;
  case TRMI_OP_MUL: return a * b;
  case TRMI_OP_DIV: return a / b;
  case TRMI_OP_NEG: return -a;
  case TRMI_OP_SQRT: return sqrt(a);
  case TRMI_OP_EXP: return exp(a);
  case TRMI_OP_LOG: return log(a);
  case TRMI_OP_SIN: return sin(a);
  case TRMI_OP_COS: return cos(a);
  case TRMI_OP_TAN: return tan(a);
  case TRMI_OP_ASIN: return asin(a);
  case TRMI_OP_ACOS: return acos(a);
  case TRMI_OP_ATAN: return atan(a);
  case TRMI_OP_SINH: return sinh(a);
  case TRMI_OP_COSH: return cosh(a);
  case TRMI_OP_TANH: return tanh(a);
  case TRMI_OP_ASINH: return asinh(a);
  case TRMI_OP_ACOSH: return acosh(a);
  case TRMI_OP_ATANH: return atanh(a);
  case TRMI_OP_ATAN2: return atan2(a, b);
  case TRMI_OP_POW: return pow(a, b);
  case TRMI_OP_LESS: return a < b ? 1.0 : 0.0;
  case TRMI_OP_LESS_EQUAL: return a <= b ? 1.0 : 0.0;
  case TRMI_OP_EQUAL: return a == b ? 1.0 : 0.0;
  case TRMI_OP_SELECT: return a != 0.0 ? b : c;
  case TRMI_OP_CURVE: return trmi_curve_at(trmi_tag_curve(g, n->tag), trmi_tag_order(n->tag), a);
  case TRMI_OP_PIECE:
    return trmi_curve_piece(trmi_tag_curve(g, n->tag), trmi_tag_order(n->tag), a);
  case TRMI_OP_SYMBOL:
  case TRMI_OPS: break;
  }
  return (double)NAN;
}

/* A node, or its number if all its arguments are numbers. */
static trmi_node make(trmi_graph *g, trmi_vertex v) {
  if (g->failed) return 0;
  if (trmi_is_constant(g, v.a) && trmi_is_constant(g, v.b) && trmi_is_constant(g, v.c)) {
    const double value = trmi_apply(g, &v, at(g, v.a)->value, at(g, v.b)->value, at(g, v.c)->value);
    if (isfinite(value)) return trmi_constant(g, value);
  }
  return trmi_intern(g, &v);
}

trmi_node trmi_constant(trmi_graph *g, double value) {
  /* -0 and 0 are one node */
  return trmi_intern(g, &(trmi_vertex){.op = TRMI_OP_CONSTANT, .value = value + 0.0});
}

/* An operation whose arguments may be exchanged. */
static trmi_node make_sorted(trmi_graph *g, trmi_op op, trmi_node a, trmi_node b) {
  const bool is_turned = trmi_is_constant(g, a) == trmi_is_constant(g, b) ? b < a
                                                                        : trmi_is_constant(g, b);
  return make(g, is_turned ? (trmi_vertex){.op = op, .a = b, .b = a}
                           : (trmi_vertex){.op = op, .a = a, .b = b});
}

double trmi_split_factor(const trmi_graph *g, trmi_node n, trmi_node *rest) {
  const trmi_vertex *v = at(g, n);
  *rest = n;
  if (v->op == TRMI_OP_NEG) {
    *rest = v->a;
    return -1.0;
  }
  if (v->op != TRMI_OP_MUL || !trmi_is_constant(g, v->a)) return 1.0;
  *rest = v->b;
  return at(g, v->a)->value;
}

/* factor * n, with one constant in front at most. */
static trmi_node scale(trmi_graph *g, double factor, trmi_node n) {
  if (g->failed || factor == 0.0) return 0;
  trmi_node rest;
  factor *= trmi_split_factor(g, n, &rest);
  if (factor == 1.0) return rest;
  if (factor == -1.0) return trmi_neg(g, rest);
  return make_sorted(g, TRMI_OP_MUL, trmi_constant(g, factor), rest);
}

trmi_node trmi_add(trmi_graph *g, trmi_node a, trmi_node b) {
  if (g->failed) return 0;
  if (is_number(g, a, 0.0)) return b;
  if (is_number(g, b, 0.0)) return a;

  /* common factors and signs, (1) */
  trmi_node rest_a, rest_b;
  const double factor_a = trmi_split_factor(g, a, &rest_a);
  const double factor_b = trmi_split_factor(g, b, &rest_b);
  if (rest_a == rest_b && !trmi_is_constant(g, rest_a)) {
    return scale(g, factor_a + factor_b, rest_a);
  }
  if (factor_b < 0.0) return trmi_sub(g, a, scale(g, -factor_b, rest_b));
  if (factor_a < 0.0) return trmi_sub(g, b, scale(g, -factor_a, rest_a));

  /* constants together */
  if (trmi_is_constant(g, b) && is_op(g, a, TRMI_OP_ADD) && trmi_is_constant(g, at(g, a)->a)) {
    return trmi_add(g, trmi_constant(g, at(g, at(g, a)->a)->value + at(g, b)->value), at(g, a)->b);
  }
  return make_sorted(g, TRMI_OP_ADD, a, b);
}

trmi_node trmi_sub(trmi_graph *g, trmi_node a, trmi_node b) {
  if (g->failed) return 0;
  if (is_number(g, b, 0.0)) return a;
  if (is_number(g, a, 0.0)) return trmi_neg(g, b);
  if (a == b) return 0;
  if (trmi_is_constant(g, b)) return trmi_add(g, trmi_constant(g, -at(g, b)->value), a);
  trmi_node rest_a, rest_b;
  const double factor_a = trmi_split_factor(g, a, &rest_a);
  const double factor_b = trmi_split_factor(g, b, &rest_b);
  if (rest_a == rest_b) return scale(g, factor_a - factor_b, rest_a);
  if (factor_b < 0.0) return trmi_add(g, a, scale(g, -factor_b, rest_b));
  if (factor_a == -1.0) return trmi_neg(g, trmi_add(g, rest_a, b));
  return make(g, (trmi_vertex){.op = TRMI_OP_SUB, .a = a, .b = b});
}

trmi_node trmi_neg(trmi_graph *g, trmi_node a) {
  if (g->failed) return 0;
  const trmi_vertex v = *at(g, a);
  if (v.op == TRMI_OP_NEG) return v.a;
  if (v.op == TRMI_OP_SUB) return trmi_sub(g, v.b, v.a);
  if (v.op == TRMI_OP_MUL && trmi_is_constant(g, v.a)) return scale(g, -at(g, v.a)->value, v.b);
  return make(g, (trmi_vertex){.op = TRMI_OP_NEG, .a = a});
}

trmi_node trmi_mul(trmi_graph *g, trmi_node a, trmi_node b) {
  if (g->failed) return 0;
  if (is_number(g, a, 0.0) || is_number(g, b, 0.0)) return 0;

  /* constants outside, (1) */
  if (trmi_is_constant(g, b)) return scale(g, at(g, b)->value, a);
  if (trmi_is_constant(g, a)) return scale(g, at(g, a)->value, b);
  trmi_node rest_a, rest_b;
  const double factor_a = trmi_split_factor(g, a, &rest_a);
  const double factor_b = trmi_split_factor(g, b, &rest_b);
  if (rest_a != a || rest_b != b) {
    return scale(g, factor_a * factor_b, trmi_mul(g, rest_a, rest_b));
  }
  return make_sorted(g, TRMI_OP_MUL, a, b);
}

trmi_node trmi_div(trmi_graph *g, trmi_node a, trmi_node b) {
  if (g->failed) return 0;
  if (is_number(g, b, 1.0)) return a;
  const bool is_constant = trmi_is_constant(g, b);
  if (is_constant && !trmi_is_constant(g, a) && isfinite(1.0 / at(g, b)->value)) {
    return scale(g, 1.0 / at(g, b)->value, a);
  }
  if (is_number(g, a, 0.0) && !is_number(g, b, 0.0)) return 0;
  trmi_node rest_a, rest_b;
  const double factor_a = trmi_split_factor(g, a, &rest_a);
  const double factor_b = trmi_split_factor(g, b, &rest_b);
  if ((rest_a != a || rest_b != b) && isfinite(factor_a / factor_b)) {
    return scale(g, factor_a / factor_b, trmi_div(g, rest_a, rest_b));
  }
  return make(g, (trmi_vertex){.op = TRMI_OP_DIV, .a = a, .b = b});
}

/* a^n by squaring. */
static trmi_node whole_power(trmi_graph *g, trmi_node a, unsigned n) {
  trmi_node result = trmi_constant(g, 1.0);
  for (trmi_node square = a; n > 0; n >>= 1) {
    if (n & 1U) result = trmi_mul(g, result, square);
    if (n > 1) square = trmi_mul(g, square, square);
  }
  return result;
}

trmi_node trmi_pow(trmi_graph *g, trmi_node a, trmi_node b) {
  enum { LARGEST = 32 }; /* above, pow is as fast */
  if (g->failed) return 0;
  const double n = trmi_value_of(g, b);
  if (n == 0.5) return trmi_function(g, TRMI_OP_SQRT, a);
  if (fabs(n) <= LARGEST && n == floor(n)) {
    const trmi_node power = whole_power(g, a, (unsigned)fabs(n));
    return n < 0.0 ? trmi_div(g, trmi_constant(g, 1.0), power) : power;
  }
  return make(g, (trmi_vertex){.op = TRMI_OP_POW, .a = a, .b = b});
}

trmi_node trmi_function(trmi_graph *g, trmi_op op, trmi_node a) {
  if (g->failed) return 0;
  if (is_op(g, a, TRMI_OP_NEG)) {
    const trmi_node inner = at(g, a)->a;
    if (op == TRMI_OP_SIN) return trmi_neg(g, trmi_function(g, op, inner));
    if (op == TRMI_OP_COS) return trmi_function(g, op, inner);
  }
  return make(g, (trmi_vertex){.op = op, .a = a});
}

trmi_node trmi_atan2(trmi_graph *g, trmi_node y, trmi_node x) {
  return make(g, (trmi_vertex){.op = TRMI_OP_ATAN2, .a = y, .b = x});
}

trmi_node trmi_less(trmi_graph *g, trmi_node a, trmi_node b) {
  return a == b ? 0 : make(g, (trmi_vertex){.op = TRMI_OP_LESS, .a = a, .b = b});
}

trmi_node trmi_less_equal(trmi_graph *g, trmi_node a, trmi_node b) {
  if (a == b) return trmi_constant(g, 1.0);
  return make(g, (trmi_vertex){.op = TRMI_OP_LESS_EQUAL, .a = a, .b = b});
}

trmi_node trmi_equal(trmi_graph *g, trmi_node a, trmi_node b) {
  if (a == b) return trmi_constant(g, 1.0);
  return make(g, (trmi_vertex){.op = TRMI_OP_EQUAL, .a = a, .b = b});
}

trmi_node trmi_select(trmi_graph *g, trmi_node condition, trmi_node yes, trmi_node no) {
  if (g->failed) return 0;
  if (yes == no) return yes;
  if (trmi_is_constant(g, condition)) return at(g, condition)->value != 0.0 ? yes : no;
  return trmi_intern(g, &(trmi_vertex){.op = TRMI_OP_SELECT, .a = condition, .b = yes, .c = no});
}

trmi_node trmi_curve_node(trmi_graph *g, const trmi_curve *curve, int order, trmi_node x) {
  if (g->failed) return 0;
  return make(g, (trmi_vertex){.op = TRMI_OP_CURVE, .a = x,
                               .tag = trmi_curve_tag(g, curve, order)});
}

trmi_node trmi_piece_node(trmi_graph *g, const trmi_curve *curve, int order, trmi_node index) {
  if (g->failed) return 0;
  return make(g, (trmi_vertex){.op = TRMI_OP_PIECE, .a = index,
                               .tag = trmi_curve_tag(g, curve, order)});
}
