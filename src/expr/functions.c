/* functions.c - functions of the expression language as nodes of the graph.
 *
 * Smooth steps. c is the position between the ends, clipped: c = 0 .. 1 of (x - x0)/(x1 - x0).
 *   STEP(x, x0, h0, x1, h1)   = h0 (1 - p) + h1 p,  p = c^2 (3 - 2 c)                       (1)
 *   STEP5(x, x0, h0, x1, h1)    likewise with        p = c^3 (10 - 15 c + 6 c^2)            (2)
 *   HAVSIN(x, x0, h0, x1, h1)   likewise with        p = (1 - cos(pi c))/2                  (3)
 * x1 < x0 is allowed: the value is h0 from x0 up and h1 from x1 down.
 *
 * Contact. v is the rate of x. Forces push x up at x1 and, in BISTOP, down at x2.
 *   IMPACT(x, v, x1, k, e, cmax, d)     = 0 for x >= x1, else
 *       max(0, k (x1 - x)^e - STEP(x, x1 - d, cmax, x1, 0) v)                               (4)
 *   BISTOP(x, v, x1, x2, k, e, cmax, d) = IMPACT(x, v, x1, ..) - IMPACT(-x, -v, -x2, ..)    (5)
 *
 * Series, with s = x - x0.
 *   POLY(x, x0, a0, a1, ..)      = a0 + a1 s + a2 s^2 + ..                                  (6)
 *   CHEBY(x, x0, a0, a1, ..)     = a0 T_0(s) + a1 T_1(s) + ..,  T_j = 2 s T_{j-1} - T_{j-2} (7)
 *   FORSIN(x, x0, w, a0, a1, ..) = a0 + a1 sin(w s) + a2 sin(2 w s) + ..                    (8)
 *   FORCOS(x, x0, w, a0, a1, ..) = a0 + a1 cos(w s) + a2 cos(2 w s) + ..                    (9)
 *   SHF(x, x0, a, w, phi, b)     = a sin(w s - phi) + b                                     (10)
 *
 * SWEEP(x, a, x0, f0, x1, f1, dx) = a STEP5(x, x0, 0, x0 + dx, 1) sin(phase), with
 *   phase = 0 before x0, 2 pi (f0 s + (f1 - f0) s^2/(2 (x1 - x0))) up to x1, and going on
 *   with frequency f1 from there                                                            (11)
 *
 * Tables and conditions: function_splines.c; (6) to (10): function_series.c; floor, ceil, round
 * and mod: function_rounding.c.
 *
 * The definitions (1) to (10) are those of [AdamsSolver] and [SolidWorksMotion] where these print
 * a formula, and should give the same values. For SWEEP we found only [MotionSolve], whose phase
 * jumps at x1; (11) is our definition: the frequency is the rate of the phase, which has no jump.
 *
 * Others by our definition: sign(x) is 1 from zero on and -1 below, log is natural, hypot(a, b, ..)
 * = sqrt(a^2 + b^2 + ..), cbrt(-x) = -cbrt(x).
 *
 * All except the sharp ones (if, abs, sign, min, max, floor and similar ones, piecewise linear
 * tables, and (4), (5) with an exponent up to 1) have a continuous first derivative and are live:
 * the graph selects the piece at each evaluation. If a law will be differentiated the ends of (1),
 * (2), (3), (11) are sharp. Where damping cuts off the force of (4) it has a kink: see (12). */
#include "expr/function_nodes.h"
#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/* Is an argument a number smaller than this? */
static bool is_below(const trmi_call *call, int i, double limit) {
  trmi_graph *g = graph_of(call);
  return trmi_is_true(g, trmi_less(g, arg(call, i), trmi_constant(g, limit)));
}
static bool is_at_most(const trmi_call *call, int i, trmi_node limit) {
  trmi_graph *g = graph_of(call);
  return trmi_is_true(g, trmi_less_equal(g, arg(call, i), limit));
}

/* Value of an argument that must be a constant number; NaN for others. */
static double number_at(const trmi_call *call, int i) {
  return trmi_value_of(graph_of(call), arg(call, i));
}

/* A constant argument below (or at) its limit is a fault. */
static void demand(trmi_call *call, int i, bool is_wrong, const char *wish) {
  if (call->failed || !is_wrong) return;
  call->failed = true;
  const double number = trmi_present(graph_of(call), arg(call, i));
  trmi_complain(call->parser->complaints, call->args[i].place,
                isnan(number) ? "%s needs %s" : "%s needs %s, not %g", call->name, wish,
                number);
}

/* ---- plain maths ---- */

static trmi_node lower_function(trmi_call *call, trmi_op op) {
  return trmi_function(graph_of(call), op, arg(call, 0));
}

/* For numbers the library function is used: log10(1000) is exactly 3. */
static trmi_node lower_log10(trmi_call *call, trmi_op op) {
  trmi_graph *g = graph_of(call);
  if (trmi_is_constant(g, arg(call, 0))) return trmi_constant(g, log10(number_at(call, 0)));
  return scaled(g, 1.0 / log(10.0), trmi_function(g, op, arg(call, 0)));
}

static trmi_node lower_log2(trmi_call *call, trmi_op op) {
  trmi_graph *g = graph_of(call);
  if (trmi_is_constant(g, arg(call, 0))) return trmi_constant(g, log2(number_at(call, 0)));
  return scaled(g, 1.0 / log(2.0), trmi_function(g, op, arg(call, 0)));
}

static trmi_node lower_cbrt(trmi_call *call, trmi_op op) {
  (void)op;
  trmi_graph *g = graph_of(call);
  const trmi_node x = arg(call, 0);
  if (trmi_is_constant(g, x)) return trmi_constant(g, cbrt(number_at(call, 0)));
  const trmi_node is_below = trmi_less(g, x, trmi_constant(g, 0.0));
  const trmi_node size = trmi_select(g, is_below, trmi_neg(g, x), x);
  const trmi_node root = trmi_pow(g, size, trmi_constant(g, 1.0 / 3.0));
  return trmi_select(g, is_below, trmi_neg(g, root), root);
}

static trmi_node lower_pow(trmi_call *call, trmi_op op) {
  (void)op;
  return trmi_pow(graph_of(call), arg(call, 0), arg(call, 1));
}

static trmi_node lower_atan2(trmi_call *call, trmi_op op) {
  (void)op;
  return trmi_atan2(graph_of(call), arg(call, 0), arg(call, 1));
}

static trmi_node lower_hypot(trmi_call *call, trmi_op op) {
  trmi_graph *g = graph_of(call);
  trmi_node sum = trmi_constant(g, 0.0);
  for (int i = 0; i < call->n; i++) {
    sum = trmi_add(g, sum, trmi_mul(g, arg(call, i), arg(call, i)));
  }
  return trmi_function(g, op, sum);
}

/* ---- sharp functions ---- */

static trmi_node lower_abs(trmi_call *call, trmi_op op) {
  (void)op;
  trmi_graph *g = graph_of(call);
  const trmi_node x = arg(call, 0);
  return trmi_select(g, trmi_sharp_sign(call->parser, x), x, trmi_neg(g, x));
}

static trmi_node lower_sign(trmi_call *call, trmi_op op) {
  (void)op;
  trmi_graph *g = graph_of(call);
  return trmi_select(g, trmi_sharp_sign(call->parser, arg(call, 0)), trmi_constant(g, 1.0),
                     trmi_constant(g, -1.0));
}

static trmi_node lower_min(trmi_call *call, trmi_op op) {
  (void)op;
  trmi_graph *g = graph_of(call);
  trmi_node best = arg(call, 0);
  for (int i = 1; i < call->n; i++) {
    const trmi_node other = arg(call, i);
    const trmi_node is_better = trmi_sharp_sign(call->parser, trmi_sub(g, other, best));
    best = trmi_select(g, is_better, best, other);
  }
  return best;
}

static trmi_node lower_max(trmi_call *call, trmi_op op) {
  (void)op;
  trmi_graph *g = graph_of(call);
  trmi_node best = arg(call, 0);
  for (int i = 1; i < call->n; i++) {
    const trmi_node other = arg(call, i);
    const trmi_node is_better = trmi_sharp_sign(call->parser, trmi_sub(g, best, other));
    best = trmi_select(g, is_better, best, other);
  }
  return best;
}

static trmi_node lower_if(trmi_call *call, trmi_op op) {
  (void)op;
  return trmi_select(graph_of(call), arg(call, 0), arg(call, 1), arg(call, 2));
}

/* ---- smooth steps ---- */

/* a/b clipped to 0 .. 1; NaN is kept. If derivatives matter the ends are held. */
static trmi_node clipped(const trmi_parser *parser, trmi_node a, trmi_node b) {
  trmi_graph *g = parser->graph;
  const trmi_node zero = trmi_constant(g, 0.0), one = trmi_constant(g, 1.0);
  const trmi_node u = trmi_div(g, a, b);
  if (parser->scope->lost > 0) {
    const trmi_node is_over = trmi_sharp_sign(parser, trmi_sub(g, u, one));
    const trmi_node is_begun = trmi_sharp_sign(parser, u);
    return trmi_select(g, is_begun, trmi_select(g, is_over, one, u), zero);
  }
  const trmi_node upper = trmi_select(g, trmi_less_equal(g, one, u), one, u);
  return trmi_select(g, trmi_less_equal(g, u, zero), zero, upper);
}

static trmi_node cubic(trmi_graph *g, trmi_node c) {
  const trmi_node inner = trmi_sub(g, trmi_constant(g, 3.0), scaled(g, 2.0, c));
  return trmi_mul(g, trmi_mul(g, c, c), inner); /* (1) */
}

static trmi_node quintic(trmi_graph *g, trmi_node c) {
  const trmi_node inner = trmi_sub(g, scaled(g, 6.0, c), trmi_constant(g, 15.0));
  const trmi_node outer = trmi_add(g, trmi_constant(g, 10.0), trmi_mul(g, c, inner));
  return trmi_mul(g, trmi_mul(g, c, trmi_mul(g, c, c)), outer); /* (2) */
}

static trmi_node haversine(trmi_graph *g, trmi_node c) {
  const trmi_node half = trmi_constant(g, 0.5);
  const trmi_node wave = trmi_function(g, TRMI_OP_COS, scaled(g, PI, c));
  return trmi_sub(g, half, trmi_mul(g, half, wave)); /* (3) */
}

/* Exact at both ends, where p is 0 and 1. */
static trmi_node blend(trmi_graph *g, trmi_node h0, trmi_node h1, trmi_node p) {
  const trmi_node rest = trmi_sub(g, trmi_constant(g, 1.0), p);
  return trmi_add(g, trmi_mul(g, h0, rest), trmi_mul(g, h1, p));
}

typedef trmi_node (*shape)(trmi_graph *g, trmi_node c);

static trmi_node step_of(const trmi_parser *parser, shape p, const trmi_node a[5]) {
  trmi_graph *g = parser->graph;
  const trmi_node c = clipped(parser, trmi_sub(g, a[0], a[1]), trmi_sub(g, a[3], a[1]));
  trmi_mark_zero(parser, c, trmi_sub(g, a[0], a[1]));
  trmi_mark_zero(parser, c, trmi_sub(g, a[0], a[3]));
  return blend(g, a[2], a[4], p(g, c));
}

static trmi_node step_call(trmi_call *call, shape p) {
  trmi_graph *g = graph_of(call);
  const trmi_node length = trmi_sub(g, arg(call, 3), arg(call, 1));
  demand(call, 3, trmi_present(g, length) == 0.0, "an end x1 different from x0");
  const trmi_node a[5] = {arg(call, 0), arg(call, 1), arg(call, 2), arg(call, 3), arg(call, 4)};
  return step_of(call->parser, p, a);
}

static trmi_node lower_step(trmi_call *call, trmi_op op) {
  return (void)op, step_call(call, cubic);
}

static trmi_node lower_step5(trmi_call *call, trmi_op op) {
  return (void)op, step_call(call, quintic);
}

static trmi_node lower_havsin(trmi_call *call, trmi_op op) {
  return (void)op, step_call(call, haversine);
}

/* ---- contact ---- */

/* Terms of (4). */
typedef struct contact {
  trmi_node x, v, x1, k, e, cmax, d;
} contact;

/* In contact? Held if the slope jumps, that is for exponents up to 1. */
static trmi_node touching(const trmi_parser *parser, const contact *c) {
  trmi_graph *g = parser->graph;
  const trmi_node gap = trmi_sub(g, c->x, c->x1), is_live = trmi_less(g, c->x, c->x1);
  const bool is_sharp = trmi_value_of(g, c->e) <= 1.0;
  if (!is_sharp || !trmi_is_held(parser, gap)) return is_live;
  const trmi_node is_apart = parser->scope->held_sign(parser->scope->self, gap);
  return trmi_select(g, is_apart, trmi_constant(g, 0.0), is_live);
}

/* A function with the sign of the force F of (4) where x is below x1, smooth where F begins. With p
 * the penetration, s its share of cmax, u = p:
 *   F = s (k u^(e-2) D - cmax v),   D = u^2/s, which is d^2/(3 - 2 u/d) up to d           (12)
 * and for e up to 2 times u^(2-e). Out of contact u is 0 or, for exponents above 2, -p up to d:
 * a gap that opens with a negative value closes with a positive one, with no change in between. */
static trmi_node cut_of(trmi_graph *g, const contact *c, trmi_node p) {
  const trmi_node zero = trmi_constant(g, 0.0), two = trmi_constant(g, 2.0);
  const trmi_node is_low = trmi_less_equal(g, c->e, two), back = trmi_neg(g, p);
  const trmi_node capped = trmi_select(g, trmi_less(g, back, c->d), back, c->d);
  const trmi_node open = trmi_select(g, is_low, zero, capped);
  const trmi_node u = trmi_select(g, trmi_less(g, zero, p), p, open);
  const trmi_node inner = trmi_sub(g, trmi_constant(g, 3.0), scaled(g, 2.0, trmi_div(g, u, c->d)));
  const trmi_node D = trmi_select(g, trmi_less(g, u, c->d),
                                  trmi_div(g, trmi_mul(g, c->d, c->d), inner), trmi_mul(g, u, u));
  const trmi_node excess = trmi_sub(g, c->e, two), is_flat = trmi_less_equal(g, two, c->e);
  const trmi_node power = trmi_select(g, is_low, trmi_neg(g, excess), excess);
  const trmi_node at_zero = trmi_select(g, is_low, is_flat, zero); /* 1 for e = 2 */
  const trmi_node raised = trmi_select(g, trmi_less(g, zero, u), trmi_pow(g, u, power), at_zero);
  const trmi_node spring = trmi_mul(g, c->k, D), damper = trmi_mul(g, c->cmax, c->v);
  return trmi_sub(g, trmi_select(g, is_low, spring, trmi_mul(g, spring, raised)),
                  trmi_select(g, is_low, trmi_mul(g, damper, raised), damper));
}

/* Does the force push? Held if damping cuts it off, which is a kink. */
static trmi_node pushing(const trmi_parser *parser, const contact *c, trmi_node force) {
  trmi_graph *g = parser->graph;
  const trmi_scope *scope = parser->scope;
  const trmi_node zero = trmi_constant(g, 0.0), has_damper = trmi_less(g, zero, c->cmax);
  const bool is_elastic = trmi_is_constant(g, has_damper) && !trmi_is_true(g, has_damper);
  const trmi_node cut = cut_of(g, c, trmi_sub(g, c->x1, c->x));
  const bool is_held = scope->held_cut != NULL && trmi_is_held(parser, cut);
  if (is_elastic || !is_held) return trmi_less(g, zero, force);
  return scope->held_cut(scope->self, cut, force);
}

static trmi_node impact_of(const trmi_parser *parser, const contact *c) {
  trmi_graph *g = parser->graph;
  const trmi_node zero = trmi_constant(g, 0.0);

  /* spring and damper of (4); out of contact they may have no value, and do not count */
  const trmi_node depth = trmi_sub(g, c->x1, c->x);
  const trmi_node spring = trmi_mul(g, c->k, trmi_pow(g, depth, c->e));
  const trmi_node step[5] = {c->x, trmi_sub(g, c->x1, c->d), c->cmax, c->x1, zero};
  const trmi_node damper = trmi_mul(g, step_of(parser, cubic, step), c->v);
  const trmi_node force = trmi_sub(g, spring, damper);

  const trmi_scope *scope = parser->scope;
  if (scope->touch != NULL) scope->touch(scope->self, trmi_sub(g, c->x, c->x1));

  /* they never pull */
  const trmi_node is_in = touching(parser, c);
  const trmi_node is_pushing = trmi_select(g, is_in, pushing(parser, c, force), zero);
  return trmi_select(g, is_pushing, force, zero);
}

/* Arguments k, e, cmax, d at the end of the call. */
static contact contact_at(trmi_call *call, int k) {
  demand(call, k, is_below(call, k, 0.0), "k >= 0");
  demand(call, k + 1, is_at_most(call, k + 1, 0), "an exponent e > 0");
  demand(call, k + 2, is_below(call, k + 2, 0.0), "cmax >= 0");
  demand(call, k + 3, is_at_most(call, k + 3, 0), "d > 0");
  return (contact){.k = arg(call, k), .e = arg(call, k + 1), .cmax = arg(call, k + 2),
                   .d = arg(call, k + 3)};
}

static trmi_node lower_impact(trmi_call *call, trmi_op op) {
  (void)op;
  contact c = contact_at(call, 3);
  c.x = arg(call, 0);
  c.v = arg(call, 1);
  c.x1 = arg(call, 2);
  return impact_of(call->parser, &c);
}

static trmi_node lower_bistop(trmi_call *call, trmi_op op) {
  (void)op;
  trmi_graph *g = graph_of(call);
  demand(call, 3, is_at_most(call, 3, arg(call, 2)), "x2 above x1");
  contact c = contact_at(call, 4);
  c.x = arg(call, 0);
  c.v = arg(call, 1);
  c.x1 = arg(call, 2);
  const trmi_node lower = impact_of(call->parser, &c);
  c.x = trmi_neg(g, arg(call, 0)); /* (5) */
  c.v = trmi_neg(g, arg(call, 1));
  c.x1 = trmi_neg(g, arg(call, 3));
  return trmi_sub(g, lower, impact_of(call->parser, &c));
}

/* ---- a sine of rising frequency ---- */

static trmi_node lower_sweep(trmi_call *call, trmi_op op) {
  trmi_graph *g = graph_of(call);
  demand(call, 4, is_at_most(call, 4, arg(call, 2)), "x1 above x0");
  demand(call, 6, is_at_most(call, 6, 0), "dx > 0");
  const trmi_node x = arg(call, 0), x0 = arg(call, 2), f0 = arg(call, 3), f1 = arg(call, 5);
  const trmi_node zero = trmi_constant(g, 0.0), one = trmi_constant(g, 1.0);

  /* phase of (11) in revolutions; c goes from 0 to 1, the rest s - c L is the part after x1 */
  const trmi_node s = trmi_sub(g, x, x0), length = trmi_sub(g, arg(call, 4), x0);
  const trmi_node c = clipped(call->parser, s, length), part = trmi_mul(g, c, length);
  const trmi_node rise = trmi_mul(g, trmi_constant(g, 0.5), trmi_mul(g, trmi_sub(g, f1, f0), c));
  const trmi_node rest = trmi_sub(g, s, length);
  const trmi_node is_after = call->parser->scope->lost > 0 ? trmi_sharp_sign(call->parser, rest)
                                                          : trmi_less(g, zero, rest);
  const trmi_node after = trmi_select(g, is_after, rest, zero);
  const trmi_node turns =
      trmi_add(g, trmi_mul(g, part, trmi_add(g, f0, rise)), trmi_mul(g, f1, after));

  const trmi_node wave = trmi_function(g, op, scaled(g, 2.0 * PI, turns));
  const trmi_node step[5] = {x, x0, zero, trmi_add(g, x0, arg(call, 6)), one};
  return trmi_mul(g, arg(call, 1), trmi_mul(g, step_of(call->parser, quintic, step), wave));
}

/* ---- the table ---- */

/* clang-format off */
static const trmi_callable FUNCTIONS[] = {
  {{"sin", "x", "sine of an angle in radians"},
   1, 1, trmi_rule_number, .lower = lower_function, .op = TRMI_OP_SIN},
  {{"cos", "x", "cosine"}, 1, 1, trmi_rule_number, .lower = lower_function, .op = TRMI_OP_COS},
  {{"tan", "x", "tangent"}, 1, 1, trmi_rule_number, .lower = lower_function, .op = TRMI_OP_TAN},
  {{"asin", "x", "angle with this sine, -pi/2 .. pi/2"},
   1, 1, trmi_rule_number, .lower = lower_function, .op = TRMI_OP_ASIN},
  {{"acos", "x", "angle with this cosine, 0 .. pi"},
   1, 1, trmi_rule_number, .lower = lower_function, .op = TRMI_OP_ACOS},
  {{"atan", "x", "angle with this tangent, -pi/2 .. pi/2"},
   1, 1, trmi_rule_number, .lower = lower_function, .op = TRMI_OP_ATAN},
  {{"atan2", "y, x", "angle of the point (x, y), -pi .. pi"},
   2, 2, trmi_rule_atan2, .lower = lower_atan2},
  {{"sinh", "x", "hyperbolic sine"},
   1, 1, trmi_rule_number, .lower = lower_function, .op = TRMI_OP_SINH},
  {{"cosh", "x", "hyperbolic cosine"},
   1, 1, trmi_rule_number, .lower = lower_function, .op = TRMI_OP_COSH},
  {{"tanh", "x", "hyperbolic tangent"},
   1, 1, trmi_rule_number, .lower = lower_function, .op = TRMI_OP_TANH},
  {{"asinh", "x", "inverse of sinh"},
   1, 1, trmi_rule_number, .lower = lower_function, .op = TRMI_OP_ASINH},
  {{"acosh", "x", "inverse of cosh"},
   1, 1, trmi_rule_number, .lower = lower_function, .op = TRMI_OP_ACOSH},
  {{"atanh", "x", "inverse of tanh"},
   1, 1, trmi_rule_number, .lower = lower_function, .op = TRMI_OP_ATANH},
  {{"exp", "x", "e to the power x"},
   1, 1, trmi_rule_number, .lower = lower_function, .op = TRMI_OP_EXP},
  {{"log", "x", "natural logarithm"},
   1, 1, trmi_rule_number, .lower = lower_function, .op = TRMI_OP_LOG},
  {{"ln", "x", "natural logarithm"},
   1, 1, trmi_rule_number, .lower = lower_function, .op = TRMI_OP_LOG},
  {{"log10", "x", "logarithm to the base 10"},
   1, 1, trmi_rule_number, .lower = lower_log10, .op = TRMI_OP_LOG},
  {{"log2", "x", "logarithm to the base 2"},
   1, 1, trmi_rule_number, .lower = lower_log2, .op = TRMI_OP_LOG},
  {{"sqrt", "x", "square root"}, 1, 1, trmi_rule_sqrt, .lower = lower_function, .op = TRMI_OP_SQRT},
  {{"cbrt", "x", "cube root, also of negative numbers"}, 1, 1, trmi_rule_cbrt, .lower = lower_cbrt},
  {{"pow", "x, y", "x to the power y, as x^y"}, 2, 2, trmi_rule_pow, .lower = lower_pow},
  {{"hypot", "a, b, ...", "sqrt(a^2 + b^2 + ...)"},
   2, 0, trmi_rule_same, .lower = lower_hypot, .op = TRMI_OP_SQRT},
  {{"abs", "x", "x without its sign"}, 1, 1, trmi_rule_same, .lower = lower_abs},
  {{"sign", "x", "1 from zero on, -1 below"}, 1, 1, trmi_rule_sign, .lower = lower_sign},
  {{"min", "a, b, ...", "the smallest of its arguments"}, 2, 0, trmi_rule_same, .lower = lower_min},
  {{"max", "a, b, ...", "the largest of its arguments"}, 2, 0, trmi_rule_same, .lower = lower_max},
  {{"floor", "x", "the largest whole number up to x"},
   1, 1, trmi_rule_number, .lower = trmi_lower_floor},
  {{"ceil", "x", "the smallest whole number from x on"},
   1, 1, trmi_rule_number, .lower = trmi_lower_ceil},
  {{"round", "x", "the nearest whole number, halves up"},
   1, 1, trmi_rule_number, .lower = trmi_lower_round},
  {{"mod", "a, b", "a - b floor(a/b): the remainder of a divided by b, with the sign of b"},
   2, 2, trmi_rule_same, .lower = trmi_lower_mod},
  {{"if", "condition, a, b", "a where the condition holds, else b; of ADAMS IF(x: a, b, c), a "
    "below, b at and c above zero"},
   3, 3, trmi_rule_if, .lower = lower_if, .condition_at = 1},
  {{"STEP", "x, x0, h0, x1, h1", "from h0 at x0 to h1 at x1 by a cubic"},
   5, 5, trmi_rule_step, .lower = lower_step},
  {{"STEP5", "x, x0, h0, x1, h1", "from h0 at x0 to h1 at x1 by a polynomial of degree 5"},
   5, 5, trmi_rule_step, .lower = lower_step5},
  {{"HAVSIN", "x, x0, h0, x1, h1", "from h0 at x0 to h1 at x1 by half a wave"},
   5, 5, trmi_rule_step, .lower = lower_havsin},
  {{"IMPACT", "x, v, x1, k, e, cmax, d", "contact force while x, of rate v, is below x1"},
   7, 7, trmi_rule_contact, .lower = lower_impact},
  {{"BISTOP", "x, v, x1, x2, k, e, cmax, d", "contact force of stops at x1 and x2"},
   8, 8, trmi_rule_contact, .lower = lower_bistop},
  {{"POLY", "x, x0, a0, a1, ...", "a0 + a1 (x-x0) + a2 (x-x0)^2 + ..."},
   3, 0, trmi_rule_poly, .lower = trmi_lower_poly},
  {{"CHEBY", "x, x0, a0, a1, ...", "a0 T0(x-x0) + a1 T1(x-x0) + ..., Chebyshev polynomials"},
   3, 0, trmi_rule_cheby, .lower = trmi_lower_cheby},
  {{"FORSIN", "x, x0, w, a0, a1, ...", "a0 + a1 sin(w (x-x0)) + a2 sin(2 w (x-x0)) + ..."},
   4, 0, trmi_rule_fourier, .lower = trmi_lower_fourier, .op = TRMI_OP_SIN},
  {{"FORCOS", "x, x0, w, a0, a1, ...", "a0 + a1 cos(w (x-x0)) + a2 cos(2 w (x-x0)) + ..."},
   4, 0, trmi_rule_fourier, .lower = trmi_lower_fourier, .op = TRMI_OP_COS},
  {{"SHF", "x, x0, a, w, phi, b", "a sin(w (x-x0) - phi) + b"},
   6, 6, trmi_rule_shf, .lower = trmi_lower_shf, .op = TRMI_OP_SIN},
  {{"SWEEP", "x, a, x0, f0, x1, f1, dx",
    "sine of amplitude a, frequency from f0 at x0 to f1 at x1, starting over dx"},
   7, 7, trmi_rule_sweep, .lower = lower_sweep, .op = TRMI_OP_SIN},
  {{"AKISPL", "x, 0, table, order", "Akima curve through the table, or its derivative"},
   3, 4, trmi_rule_table, .lower = trmi_lower_spline, .table_at = 3,
   .curve_kind = TRMI_SPLINE_AKIMA},
  {{"CUBSPL", "x, 0, table, order", "cubic spline through the table, or its derivative"},
   3, 4, trmi_rule_table, .lower = trmi_lower_spline, .table_at = 3,
   .curve_kind = TRMI_SPLINE_CUBIC},
  {{"TABLE", "x, table", "the table as it is defined; table(x) is the same"},
   2, 2, trmi_rule_table, .lower = trmi_lower_table, .table_at = 2, .curve_kind = -1},
};
/* clang-format on */

enum { NFUNCTIONS = sizeof FUNCTIONS / sizeof FUNCTIONS[0] };

const trmi_function_info *trmi_function_at(int i) {
  return i >= 0 && i < NFUNCTIONS ? &FUNCTIONS[i].info : NULL;
}

static char lower_case(char c) {
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

const trmi_callable *trmi_callable_find(const char *name, size_t length) {
  for (int i = 0; i < NFUNCTIONS; i++) {
    const char *own = FUNCTIONS[i].info.name;
    size_t k = 0;
    while (k < length && own[k] != '\0' && lower_case(own[k]) == lower_case(name[k])) k++;
    if (k == length && own[k] == '\0') return &FUNCTIONS[i];
  }
  return NULL;
}

bool trmi_call_make(const trmi_callable *f, trmi_call *call, trmi_value *out) {
  const trmi_dimension dimension = f->dimension(call);
  if (call->failed) return false;
  trmi_graph_at(call->parser->graph, call->place);
  const trmi_node node = f->lower(call, f->op);
  if (call->failed) return false;
  *out = (trmi_value){.node = node, .dimension = dimension, .place = call->place};
  return true;
}
