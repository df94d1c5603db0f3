/* parse.c - one function for each line of the grammar in parse.h.
 *
 * Chains (sums, products, conditions, signs) are loops, only parentheses, arguments and
 * exponents go deeper, so the depth of calls is bounded by the nesting of the text. After a fault
 * the lexer only returns END and every function returns immediately. */
#include "expr/parse_internal.h"
#include "core/arena.h"
#include "trammel/nearest.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NESTING_MAX = 200, DIMENSION_TEXT = 48 };

static trmi_value read_sign(trmi_reader *r);

/* ---- shorthands ---- */

static bool enter(trmi_reader *r) {
  if (++r->depth <= NESTING_MAX) return true;
  trmi_lexer_fault(&r->lexer, r->lexer.token.place,
                   "more than %d levels of parentheses and exponents", NESTING_MAX);
  return false;
}

static void leave(trmi_reader *r) {
  r->depth--;
}

/* The graph folds finite numbers: a remaining operation on numbers has no value, and a factor or
 * summand that is not finite has overflowed. */
static bool is_hopeless(const trmi_graph *g, trmi_node n) {
  const trmi_vertex *v = &g->nodes[n];
  if (v->op == TRMI_OP_SYMBOL) return false;
  if (v->op == TRMI_OP_CONSTANT) return !isfinite(v->value);
  if (trmi_is_constant(g, v->a) && !isfinite(trmi_present(g, v->a))) return true;
  return trmi_is_constant(g, v->a) && trmi_is_constant(g, v->b) && trmi_is_constant(g, v->c);
}

/* A value that can never be finite is a fault at its origin. */
void trmi_demand_finite(trmi_reader *r, const trmi_value *v, const trmi_token *t) {
  if (failed(r) || !is_hopeless(r->graph, v->node)) return;
  trmi_lexer_fault(&r->lexer, t->place, "'%.*s' has no finite value here", width(t), t->text);
}

/* The common dimension of two sides. */
static trmi_dimension common(trmi_reader *r, const trmi_token *op, const char *verb,
                             const trmi_value *a, const trmi_value *b) {
  if (!trmi_dimension_agrees(a->dimension, b->dimension)) {
    char left[DIMENSION_TEXT], right[DIMENSION_TEXT];
    trmi_dimension_print(a->dimension, left, sizeof left);
    trmi_dimension_print(b->dimension, right, sizeof right);
    trmi_lexer_fault(&r->lexer, op->place, "'%.*s' %s %s and %s", width(op), op->text, verb, left,
                     right);
  } else if (trmi_dimension_mixes(r->parser->units, a->dimension, b->dimension)) {
    trmi_lexer_fault(&r->lexer, op->place, "'%.*s' %s a force and a mass times an acceleration, "
                     "which is %.6g forces in the units of this model", width(op), op->text, verb,
                     trmi_units_inertia(r->parser->units));
  }
  return a->dimension.is_known ? a->dimension : b->dimension;
}

/* ---- atoms ---- */

/* Does the number just read stand alone: as the whole, in parentheses, as an argument? */
static bool is_alone(const trmi_reader *r) {
  const trmi_token_kind next = kind_of(r);
  return (r->before == TRMI_TOKEN_END || r->before == TRMI_TOKEN_OPEN ||
          r->before == TRMI_TOKEN_COMMA) &&
         (next == TRMI_TOKEN_END || next == TRMI_TOKEN_CLOSE || next == TRMI_TOKEN_COMMA ||
          next == TRMI_TOKEN_COLON);
}

static trmi_value read_number(trmi_reader *r, const trmi_token *t) {
  if (t->doubt != NULL && !is_alone(r)) {
    const trmi_text *text = r->lexer.text;
    trmi_lexer_fault(&r->lexer, trmi_text_place(text, (size_t)(t->doubt - text->text)),
                     "'%.*s' is a unit and a name of this model: write ' * %.*s' with blanks for "
                     "the name, or put the quantity in parentheses",
                     (int)t->doubt_length, t->doubt, (int)t->doubt_length, t->doubt);
    return NOTHING;
  }
  trmi_graph_at(r->graph, t->place);
  return (trmi_value){.node = trmi_constant(r->graph, t->value), .dimension = t->dimension,
                      .place = t->place};
}

static trmi_value read_parentheses(trmi_reader *r, const trmi_token *open) {
  trmi_value v = trmi_read_or(r);
  if (failed(r)) return NOTHING;
  const trmi_token t = take(r);
  if (t.kind == TRMI_TOKEN_END) {
    trmi_lexer_fault(&r->lexer, open->place, "this '(' is never closed");
  } else if (t.kind != TRMI_TOKEN_CLOSE) {
    trmi_lexer_fault(&r->lexer, t.place, "an operator or ')' is missing before '%.*s'", width(&t),
                     t.text);
  }
  if (!v.is_condition) v.place = open->place;
  return v;
}

static trmi_value read_atom(trmi_reader *r) {
  if (failed(r)) return NOTHING;
  const trmi_token t = take(r);
  switch (t.kind) {
  case TRMI_TOKEN_NUMBER: return read_number(r, &t);
  case TRMI_TOKEN_NAME:
    return kind_of(r) == TRMI_TOKEN_OPEN && !failed(r) ? trmi_read_call(r, &t)
                                                       : trmi_read_variable(r, &t);
  case TRMI_TOKEN_OPEN: return read_parentheses(r, &t);
  case TRMI_TOKEN_END:
    trmi_lexer_fault(&r->lexer, t.place, "the expression ends where a value is expected");
    return NOTHING;
  default:
    trmi_lexer_fault(&r->lexer, t.place, "a value is missing before '%.*s'", width(&t), t.text);
    return NOTHING;
  }
}

/* ---- operators ---- */

static trmi_value power_of(trmi_reader *r, const trmi_token *op, const trmi_value *base,
                           const trmi_value *exponent) {
  demand_number(r, base);
  demand_number(r, exponent);
  if (!trmi_dimension_is_number(exponent->dimension)) {
    char text[DIMENSION_TEXT];
    trmi_dimension_print(exponent->dimension, text, sizeof text);
    trmi_lexer_fault(&r->lexer, op->place, "an exponent is a number without a unit, not %s",
                     text);
  }
  if (failed(r)) return NOTHING;
  trmi_value v = {.place = base->place};
  if (trmi_is_constant(r->graph, exponent->node)) {
    v.dimension = trmi_dimension_power(base->dimension, trmi_value_of(r->graph, exponent->node));
  } else if (trmi_dimension_is_number(base->dimension)) {
    v.dimension = base->dimension;
  }
  trmi_graph_at(r->graph, op->place);
  v.node = trmi_pow(r->graph, base->node, exponent->node);
  trmi_demand_finite(r, &v, op);
  return v;
}

static trmi_value read_power(trmi_reader *r) {
  const trmi_value base = read_atom(r);
  if (kind_of(r) != TRMI_TOKEN_POWER) return base;
  const trmi_token op = take(r);
  if (!enter(r)) return NOTHING;
  const trmi_value exponent = read_sign(r);
  leave(r);
  return failed(r) ? NOTHING : power_of(r, &op, &base, &exponent);
}

static trmi_value read_sign(trmi_reader *r) {
  const trmi_token first = r->lexer.token;
  bool is_negative = false, is_signed = false;
  while (kind_of(r) == TRMI_TOKEN_MINUS || kind_of(r) == TRMI_TOKEN_PLUS) {
    is_signed = true;
    if (take(r).kind == TRMI_TOKEN_MINUS) is_negative = !is_negative;
  }
  trmi_value v = read_power(r);
  if (!is_signed || failed(r)) return v;
  demand_number(r, &v);
  v.place = first.place;
  trmi_graph_at(r->graph, first.place);
  if (is_negative) v.node = trmi_neg(r->graph, v.node);
  return v;
}

/* See trmi_scope.has_plain_factors. */
static bool is_plain_factor(const trmi_reader *r, const trmi_value *v, bool is_divisor) {
  if (!r->parser->scope->has_plain_factors || v->dimension.is_known) return false;
  if (!trmi_is_constant(r->graph, v->node) || trmi_is_live(r->graph, v->node)) return false;
  const double number = trmi_present(r->graph, v->node);
  const bool is_small = number >= 2.0 && number <= 24.0 && number == floor(number);
  return number == 0.5 || (is_divisor && is_small);
}

static trmi_value product_of(trmi_reader *r, const trmi_token *op, const trmi_value *a,
                             const trmi_value *b) {
  const bool is_over = op->kind == TRMI_TOKEN_OVER;
  demand_number(r, a);
  demand_number(r, b);
  if (is_over && trmi_present(r->graph, b->node) == 0.0) {
    trmi_lexer_fault(&r->lexer, op->place, "division by zero");
  }
  if (failed(r)) return NOTHING;
  trmi_graph_at(r->graph, op->place);
  trmi_value v = {.place = a->place};
  v.dimension = is_plain_factor(r, b, is_over)               ? a->dimension
                : !is_over && is_plain_factor(r, a, false) ? b->dimension
                : trmi_dimension_product(a->dimension, b->dimension, is_over ? -1 : 1);
  v.node = is_over ? trmi_div(r->graph, a->node, b->node) : trmi_mul(r->graph, a->node, b->node);
  trmi_demand_finite(r, &v, op);
  return v;
}

static trmi_value read_product(trmi_reader *r) {
  trmi_value v = read_sign(r);
  while (kind_of(r) == TRMI_TOKEN_TIMES || kind_of(r) == TRMI_TOKEN_OVER) {
    const trmi_token op = take(r);
    const trmi_value next = read_sign(r);
    if (failed(r)) return NOTHING;
    v = product_of(r, &op, &v, &next);
  }
  return v;
}

static trmi_value sum_of(trmi_reader *r, const trmi_token *op, const trmi_value *a,
                         const trmi_value *b) {
  demand_number(r, a);
  demand_number(r, b);
  if (failed(r)) return NOTHING;
  trmi_value v = {.place = a->place, .dimension = common(r, op, "joins", a, b)};
  if (failed(r)) return NOTHING;
  trmi_graph_at(r->graph, op->place);
  v.node = op->kind == TRMI_TOKEN_PLUS ? trmi_add(r->graph, a->node, b->node)
                                       : trmi_sub(r->graph, a->node, b->node);
  trmi_demand_finite(r, &v, op);
  return v;
}

static trmi_value read_sum(trmi_reader *r) {
  trmi_value v = read_product(r);
  while (kind_of(r) == TRMI_TOKEN_PLUS || kind_of(r) == TRMI_TOKEN_MINUS) {
    const trmi_token op = take(r);
    const trmi_value next = read_product(r);
    if (failed(r)) return NOTHING;
    v = sum_of(r, &op, &v, &next);
  }
  return v;
}

/* ---- conditions ---- */

static bool is_comparison(trmi_token_kind kind) {
  return kind >= TRMI_TOKEN_LESS && kind <= TRMI_TOKEN_NOT_EQUAL;
}

static trmi_node opposite(trmi_graph *g, trmi_node condition) {
  return trmi_select(g, condition, trmi_constant(g, 0.0), trmi_constant(g, 1.0));
}

static trmi_node held_comparison(trmi_reader *r, trmi_token_kind kind, trmi_node a, trmi_node b) {
  trmi_graph *g = r->graph;
  switch (kind) {
  case TRMI_TOKEN_GREATER_EQUAL: return trmi_sharp_sign(r->parser, trmi_sub(g, a, b));
  case TRMI_TOKEN_LESS: return opposite(g, trmi_sharp_sign(r->parser, trmi_sub(g, a, b)));
  case TRMI_TOKEN_LESS_EQUAL: return trmi_sharp_sign(r->parser, trmi_sub(g, b, a));
  default: return opposite(g, trmi_sharp_sign(r->parser, trmi_sub(g, b, a)));
  }
}

static trmi_node live_comparison(trmi_graph *g, trmi_token_kind kind, trmi_node a, trmi_node b) {
  switch (kind) {
  case TRMI_TOKEN_LESS: return trmi_less(g, a, b);
  case TRMI_TOKEN_LESS_EQUAL: return trmi_less_equal(g, a, b);
  case TRMI_TOKEN_GREATER: return trmi_less(g, b, a);
  case TRMI_TOKEN_GREATER_EQUAL: return trmi_less_equal(g, b, a);
  case TRMI_TOKEN_EQUAL: return trmi_equal(g, a, b);
  default: return opposite(g, trmi_equal(g, a, b));
  }
}

static trmi_value comparison_of(trmi_reader *r, const trmi_token *op, const trmi_value *a,
                                const trmi_value *b) {
  demand_number(r, a);
  demand_number(r, b);
  if (!failed(r)) common(r, op, "compares", a, b);
  if (failed(r)) return NOTHING;
  const trmi_scope *scope = r->parser->scope;
  trmi_graph_at(r->graph, op->place);
  const trmi_node difference = trmi_sub(r->graph, a->node, b->node);
  const bool is_steady =
      trmi_is_constant(r->graph, difference) ||
      (scope->is_steady != NULL && scope->is_steady(scope->self, difference));
  const bool is_equality = op->kind == TRMI_TOKEN_EQUAL || op->kind == TRMI_TOKEN_NOT_EQUAL;
  if (is_equality && !is_steady) {
    trmi_lexer_fault(&r->lexer, op->place,
                     "'%.*s' needs values that change only at events; use <, <=, > or >=",
                     width(op), op->text);
    return NOTHING;
  }
  const trmi_node node = is_steady || scope->held_sign == NULL
                             ? live_comparison(r->graph, op->kind, a->node, b->node)
                             : held_comparison(r, op->kind, a->node, b->node);
  return (trmi_value){.node = node, .is_condition = true, .place = op->place};
}

static trmi_value read_comparison(trmi_reader *r) {
  trmi_value v = read_sum(r);
  if (!is_comparison(kind_of(r))) return v;
  const trmi_token op = take(r);
  const trmi_value right = read_sum(r);
  if (failed(r)) return NOTHING;
  v = comparison_of(r, &op, &v, &right);
  if (!failed(r) && is_comparison(kind_of(r))) {
    trmi_lexer_fault(&r->lexer, r->lexer.token.place,
                     "comparisons do not chain: write a < b and b < c");
  }
  return v;
}

static trmi_value read_not(trmi_reader *r) {
  const trmi_token first = r->lexer.token;
  bool is_opposite = false;
  while (kind_of(r) == TRMI_TOKEN_NOT) {
    take(r);
    is_opposite = !is_opposite;
  }
  trmi_value v = read_comparison(r);
  if (first.kind != TRMI_TOKEN_NOT || failed(r)) return v;
  demand_condition(r, &v, "not");
  if (is_opposite) v.node = opposite(r->graph, v.node);
  return v;
}

static trmi_value logic_of(trmi_reader *r, const trmi_token *op, const trmi_value *a,
                           const trmi_value *b) {
  const bool is_and = op->kind == TRMI_TOKEN_AND;
  demand_condition(r, a, is_and ? "and" : "or");
  demand_condition(r, b, is_and ? "and" : "or");
  if (failed(r)) return NOTHING;
  trmi_graph *g = r->graph;
  trmi_graph_at(g, op->place);
  const trmi_node node = is_and ? trmi_select(g, a->node, b->node, trmi_constant(g, 0.0))
                                : trmi_select(g, a->node, trmi_constant(g, 1.0), b->node);
  return (trmi_value){.node = node, .is_condition = true, .place = op->place};
}

static trmi_value read_and(trmi_reader *r) {
  trmi_value v = read_not(r);
  while (kind_of(r) == TRMI_TOKEN_AND) {
    const trmi_token op = take(r);
    const trmi_value next = read_not(r);
    if (failed(r)) return NOTHING;
    v = logic_of(r, &op, &v, &next);
  }
  return v;
}

trmi_value trmi_read_or(trmi_reader *r) {
  if (!enter(r)) return NOTHING;
  trmi_value v = read_and(r);
  while (kind_of(r) == TRMI_TOKEN_OR) {
    const trmi_token op = take(r);
    const trmi_value next = read_and(r);
    if (failed(r)) break;
    v = logic_of(r, &op, &v, &next);
  }
  leave(r);
  return failed(r) ? NOTHING : v;
}

/* ---- the whole ---- */

/* Is the comma between two digits? */
static bool is_decimal(const trmi_text *text, const char *comma) {
  const char *end = text->text + text->length;
  if (comma <= text->text || comma + 1 >= end) return false;
  return comma[-1] >= '0' && comma[-1] <= '9' && comma[1] >= '0' && comma[1] <= '9';
}

/* Explain why a word cannot follow here: units are joined by signs, and belong to numbers. */
static const char *why_no_unit(const char *text, const trmi_token *t) {
  trmi_dimension dimension;
  double si;
  const char *left = t->text + t->length;
  if (t->kind == TRMI_TOKEN_NUMBER && t->length == 1 && t->text[0] == '1' && *left == '/') {
    return ": revolutions in a minute are rpm, and 1/s is Hz or rad/s";
  }
  if (t->kind != TRMI_TOKEN_NAME || !trmi_unit_find(t->text, t->length, &dimension, &si)) return "";
  const char *p = t->text;
  while (p > text && p[-1] == ' ') p--;
  while (p > text && isalpha((unsigned char)p[-1])) p--;
  while (p > text && p[-1] == ' ') p--;
  const bool follows_number = p > text && (isdigit((unsigned char)p[-1]) || p[-1] == '.');
  return follows_number ? ": units are joined by * and /, like N*m"
                        : ": a unit stands behind a number, and a name has its own";
}

/* Complain about text after a complete expression. */
static void fault_of_rest(trmi_reader *r, const trmi_text *text) {
  const trmi_token t = r->lexer.token;
  switch (t.kind) {
  case TRMI_TOKEN_END: return;
  case TRMI_TOKEN_CLOSE:
    trmi_lexer_fault(&r->lexer, t.place, "this ')' has no '(' before it");
    return;
  case TRMI_TOKEN_COMMA:
    trmi_lexer_fault(&r->lexer, t.place, "',' is allowed only between the arguments of a "
                     "function%s", is_decimal(text, t.text) ? "; decimals are written with a point"
                                                            : "");
    return;
  case TRMI_TOKEN_COLON:
    trmi_lexer_fault(&r->lexer, t.place, "':' is allowed only in IF(x: a, b, c)");
    return;
  default:
    trmi_lexer_fault(&r->lexer, t.place, "an operator is missing before '%.*s'%s", width(&t),
                     t.text, why_no_unit(text->text, &t));
    return;
  }
}

bool trmi_parse(const trmi_parser *parser, const trmi_text *text, trmi_meaning *out) {
  *out = (trmi_meaning){0};
  if (parser->graph->failed) return false;
  trmi_reader r = {.parser = parser, .graph = parser->graph};
  trmi_lexer_start(&r.lexer, parser, text);
  trmi_value v = NOTHING;
  if (!failed(&r) && kind_of(&r) == TRMI_TOKEN_END) {
    trmi_lexer_fault(&r.lexer, trmi_text_place(text, 0), "the expression is empty");
  } else {
    v = trmi_read_or(&r);
    fault_of_rest(&r, text);
  }
  if (r.stack != NULL) trmi_release(&r.graph->allocator, r.stack);
  if (failed(&r)) return false;
  *out = (trmi_meaning){.node = v.node, .dimension = v.dimension, .is_condition = v.is_condition};
  return true;
}
