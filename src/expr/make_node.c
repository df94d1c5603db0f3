/* make_node.c - builds nodes: numbers are folded, trivial operations dropped, and equal expressions
 * brought to one form so that they are found again.
 *
 * Forms: sums and products have their constant first, otherwise the older node; signs and constant
 * factors are extracted from products and quotients:
 *   a + (-b) = a - b,   (-a) b = -(a b),   (c a) b = c (a b),   c a + d a = (c + d) a      (1)
 * Results that are not finite are not folded: they fail where they are evaluated, with
 * their place in the text.
 *
 * Live numbers (trmi_live) are folded like others, but the operation is recorded: it becomes a node
 * of its own, a fold, to which the constant points, and trmi_prologue repeats it. No rule may
 * depend on the value of a live number, so that only its fold changes with it: its sign, and
 * whether it equals one, are ignored in (1). Zero is not, since terms with a zero factor are
 * omitted: a live number that is zero is node 0, and the prologue fails when one becomes zero or
 * nonzero. It also fails when the result of a comparison changes. */
#include "expr/graph_internal.h"
#include <math.h>
#include <string.h>

static const trmi_vertex *at(const trmi_graph *g, trmi_node n) {
  return &g->nodes[n];
}

static bool is_op(const trmi_graph *g, trmi_node n, trmi_op op) {
  return at(g, n)->op == op;
}

/* Is it permanently this number? */
static bool is_number(const trmi_graph *g, trmi_node n, double value) {
  return is_op(g, n, TRMI_OP_CONSTANT) && at(g, n)->value == value && !trmi_is_live(g, n);
}

static bool is_negative(const trmi_graph *g, trmi_node n) {
  return at(g, n)->value < 0.0 && !trmi_is_live(g, n);
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
  case TRMI_OP_FLOOR: return floor(a);
  case TRMI_OP_ATAN2: return atan2(a, b);
  case TRMI_OP_POW: return pow(a, b);
  case TRMI_OP_LESS: return a < b ? 1.0 : 0.0;
  case TRMI_OP_LESS_EQUAL: return a <= b ? 1.0 : 0.0;
  case TRMI_OP_EQUAL: return a == b ? 1.0 : 0.0;
  case TRMI_OP_SELECT: return a != 0.0 ? b : c;
  case TRMI_OP_SPLINE: return trmi_spline_at(trmi_tag_spline(g, n->tag), trmi_tag_order(n->tag), a);
  case TRMI_OP_PIECE:
    return trmi_spline_piece(trmi_tag_spline(g, n->tag), trmi_tag_order(n->tag), a);
  case TRMI_OP_SYMBOL:
  case TRMI_OP_LIVE:
  case TRMI_OPS: break;
  }
  return (double)NAN;
}

/* The present value of a fold. */
static trmi_node live_constant(trmi_graph *g, const trmi_vertex *fold, double value) {
  const trmi_node n = trmi_intern(g, fold);
  if ((value == 0.0 && !g->keeps_zero) || g->failed) return 0;
  /* -0 and 0 are one number, as in trmi_constant and trmi_prologue_run */
  return trmi_intern(g, &(trmi_vertex){.op = TRMI_OP_CONSTANT, .value = value + 0.0, .tag = n + 1});
}

/* An operation on numbers, finite or not. */
static trmi_node fold(trmi_graph *g, const trmi_vertex *v) {
  const double value = trmi_apply(g, v, at(g, v->a)->value, at(g, v->b)->value, at(g, v->c)->value);
  const bool is_live = trmi_is_live(g, v->a) || trmi_is_live(g, v->b) || trmi_is_live(g, v->c);
  return is_live ? live_constant(g, v, value) : trmi_constant(g, value);
}

/* Multiplication by such a number is exact. */
static bool is_power_of_two(double x) {
  int exponent;
  return fabs(frexp(x, &exponent)) == 0.5;
}

/* p a with a live: a single fold of its base, if that rounds in the same way. */
static trmi_node fold_multiple(trmi_graph *g, double p, trmi_node a) {
  const trmi_vertex v = *at(g, at(g, a)->tag - 1);
  const bool is_multiple = v.op == TRMI_OP_MUL && !trmi_is_live(g, v.a);
  const double q = is_multiple ? at(g, v.a)->value : 1.0;
  if (is_multiple && (is_power_of_two(p) || is_power_of_two(q))) p *= q, a = v.b;
  if (p == 1.0) return a;
  return fold(g, &(trmi_vertex){.op = TRMI_OP_MUL, .a = trmi_constant(g, p), .b = a});
}

trmi_node trmi_fold(trmi_graph *g, trmi_op op, trmi_node a, trmi_node b) {
  if (g->failed) return 0;
  const bool has_live = trmi_is_live(g, a), has_both = has_live && trmi_is_live(g, b);
  const double number_a = at(g, a)->value, number_b = at(g, b)->value;
  if (op == TRMI_OP_NEG && has_live) return fold_multiple(g, -1.0, a);
  if (op == TRMI_OP_MUL && has_live && !has_both) return fold_multiple(g, number_b, a);
  if (op == TRMI_OP_MUL && trmi_is_live(g, b) && !has_both) return fold_multiple(g, number_a, b);
  if (op == TRMI_OP_DIV && has_live && !has_both && is_power_of_two(number_b)) {
    return fold_multiple(g, 1.0 / number_b, a);
  }
  if (op == TRMI_OP_ADD && a == b && has_live) return fold_multiple(g, 2.0, a);
  if (op == TRMI_OP_SUB && a == b && has_live) return 0;
  const bool is_turned = (op == TRMI_OP_ADD || op == TRMI_OP_MUL) && b < a;
  return fold(g, &(trmi_vertex){.op = op, .a = is_turned ? b : a, .b = is_turned ? a : b});
}

/* A node, or its number if all its arguments are numbers. */
static trmi_node make(trmi_graph *g, trmi_vertex v) {
  if (g->failed) return 0;
  if (trmi_is_constant(g, v.a) && trmi_is_constant(g, v.b) && trmi_is_constant(g, v.c)) {
    const double value = trmi_apply(g, &v, at(g, v.a)->value, at(g, v.b)->value, at(g, v.c)->value);
    if (isfinite(value)) return v.op < TRMI_OP_SQRT ? trmi_fold(g, v.op, v.a, v.b) : fold(g, &v);
  }
  return trmi_intern(g, &v);
}

trmi_node trmi_live(trmi_graph *g, const double *number) {
  trmi_vertex leaf = {.op = TRMI_OP_LIVE};
  memcpy(&leaf.value, &number, sizeof number); /* its address identifies it */
  return g->failed ? 0 : live_constant(g, &leaf, *number);
}

double trmi_value_of(trmi_graph *g, trmi_node n) {
  const double value = trmi_present(g, n);
  if (trmi_is_live(g, n)) (void)trmi_fold(g, TRMI_OP_EQUAL, n, trmi_constant(g, value));
  return value;
}

bool trmi_is_true(const trmi_graph *g, trmi_node n) {
  return trmi_is_constant(g, n) && at(g, n)->value != 0.0;
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

trmi_node trmi_split_factor(trmi_graph *g, trmi_node n, trmi_node *rest) {
  const trmi_vertex *v = at(g, n);
  *rest = n;
  if (v->op == TRMI_OP_NEG) {
    *rest = v->a;
    return TRMI_MINUS_ONE;
  }
  if (v->op != TRMI_OP_MUL || !trmi_is_constant(g, v->a)) return TRMI_ONE;
  *rest = v->b;
  return v->a;
}

/* factor * n, with at most one constant in front. */
static trmi_node scale(trmi_graph *g, trmi_node factor, trmi_node n) {
  if (g->failed || factor == 0) return 0;
  trmi_node rest;
  const trmi_node own = trmi_split_factor(g, n, &rest);
  if (rest != n) factor = trmi_fold(g, TRMI_OP_MUL, factor, own);
  if (is_number(g, factor, 1.0)) return rest;
  if (is_number(g, factor, -1.0)) return trmi_neg(g, rest);
  return make_sorted(g, TRMI_OP_MUL, factor, rest);
}

static trmi_node negative(trmi_graph *g, trmi_node constant) {
  return trmi_fold(g, TRMI_OP_NEG, constant, 0);
}

trmi_node trmi_add(trmi_graph *g, trmi_node a, trmi_node b) {
  if (g->failed) return 0;
  if (a == 0) return b;
  if (b == 0) return a;

  /* common factors and signs, (1) */
  trmi_node rest_a, rest_b;
  const trmi_node factor_a = trmi_split_factor(g, a, &rest_a);
  const trmi_node factor_b = trmi_split_factor(g, b, &rest_b);
  if (g->failed) return 0;
  if (rest_a == rest_b && !trmi_is_constant(g, rest_a)) {
    return scale(g, trmi_fold(g, TRMI_OP_ADD, factor_a, factor_b), rest_a);
  }
  if (is_negative(g, factor_b)) return trmi_sub(g, a, scale(g, negative(g, factor_b), rest_b));
  if (is_negative(g, factor_a)) return trmi_sub(g, b, scale(g, negative(g, factor_a), rest_a));

  /* constants together */
  if (trmi_is_constant(g, b) && is_op(g, a, TRMI_OP_ADD) && trmi_is_constant(g, at(g, a)->a)) {
    const trmi_node rest = at(g, a)->b;
    return trmi_add(g, trmi_fold(g, TRMI_OP_ADD, at(g, a)->a, b), rest);
  }
  return make_sorted(g, TRMI_OP_ADD, a, b);
}

trmi_node trmi_sub(trmi_graph *g, trmi_node a, trmi_node b) {
  if (g->failed) return 0;
  if (b == 0) return a;
  if (a == 0) return trmi_neg(g, b);
  if (a == b) return 0;
  if (trmi_is_constant(g, b)) return trmi_add(g, negative(g, b), a);
  trmi_node rest_a, rest_b;
  const trmi_node factor_a = trmi_split_factor(g, a, &rest_a);
  const trmi_node factor_b = trmi_split_factor(g, b, &rest_b);
  if (g->failed) return 0;
  if (rest_a == rest_b) {
    return scale(g, trmi_fold(g, TRMI_OP_SUB, factor_a, factor_b), rest_a);
  }
  if (is_negative(g, factor_b)) return trmi_add(g, a, scale(g, negative(g, factor_b), rest_b));
  if (is_number(g, factor_a, -1.0)) return trmi_neg(g, trmi_add(g, rest_a, b));
  return make(g, (trmi_vertex){.op = TRMI_OP_SUB, .a = a, .b = b});
}

trmi_node trmi_neg(trmi_graph *g, trmi_node a) {
  if (g->failed) return 0;
  const trmi_vertex v = *at(g, a);
  if (v.op == TRMI_OP_NEG) return v.a;
  if (v.op == TRMI_OP_SUB) return trmi_sub(g, v.b, v.a);
  if (v.op == TRMI_OP_MUL && trmi_is_constant(g, v.a)) return scale(g, negative(g, v.a), v.b);
  return make(g, (trmi_vertex){.op = TRMI_OP_NEG, .a = a});
}

trmi_node trmi_mul(trmi_graph *g, trmi_node a, trmi_node b) {
  if (g->failed) return 0;
  if (a == 0 || b == 0) return 0;

  /* constants outside, (1) */
  if (trmi_is_constant(g, b)) return scale(g, b, a);
  if (trmi_is_constant(g, a)) return scale(g, a, b);
  trmi_node rest_a, rest_b;
  const trmi_node factor_a = trmi_split_factor(g, a, &rest_a);
  const trmi_node factor_b = trmi_split_factor(g, b, &rest_b);
  if (rest_a != a || rest_b != b) {
    const trmi_node factor = trmi_fold(g, TRMI_OP_MUL, factor_a, factor_b);
    return scale(g, factor, trmi_mul(g, rest_a, rest_b));
  }
  return make_sorted(g, TRMI_OP_MUL, a, b);
}

trmi_node trmi_div(trmi_graph *g, trmi_node a, trmi_node b) {
  if (g->failed) return 0;
  if (is_number(g, b, 1.0)) return a;
  if (trmi_is_constant(g, b) && !trmi_is_constant(g, a)) {
    const trmi_node inverse = trmi_fold(g, TRMI_OP_DIV, TRMI_ONE, b);
    if (isfinite(trmi_present(g, inverse))) return scale(g, inverse, a);
  }
  if (a == 0 && b != 0) return 0;
  trmi_node rest_a, rest_b;
  const trmi_node factor_a = trmi_split_factor(g, a, &rest_a);
  const trmi_node factor_b = trmi_split_factor(g, b, &rest_b);
  if (rest_a != a || rest_b != b) {
    const trmi_node factor = trmi_fold(g, TRMI_OP_DIV, factor_a, factor_b);
    if (isfinite(trmi_present(g, factor))) return scale(g, factor, trmi_div(g, rest_a, rest_b));
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
  if (trmi_is_constant(g, condition)) return trmi_is_true(g, condition) ? yes : no;
  return trmi_intern(g, &(trmi_vertex){.op = TRMI_OP_SELECT, .a = condition, .b = yes, .c = no});
}

trmi_node trmi_spline_node(trmi_graph *g, const trmi_spline *curve, int order, trmi_node x) {
  if (g->failed) return 0;
  return make(g, (trmi_vertex){.op = TRMI_OP_SPLINE, .a = x,
                               .tag = trmi_spline_tag(g, curve, order)});
}

trmi_node trmi_piece_node(trmi_graph *g, const trmi_spline *curve, int order, trmi_node index) {
  if (g->failed) return 0;
  return make(g, (trmi_vertex){.op = TRMI_OP_PIECE, .a = index,
                               .tag = trmi_spline_tag(g, curve, order)});
}
