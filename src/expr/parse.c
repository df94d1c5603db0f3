/* parse.c - one function for each line of the grammar in parse.h.
 *
 * Chains (sums, products, conditions, signs) are loops, only parentheses, arguments and
 * exponents go deeper, so the depth of calls is bounded by the nesting of the text. After a
 * fault the lexer gives END for ever and every function returns at once. */
#include "expr/parse.h"
#include "core/arena.h"
#include "core/nearest.h"
#include "expr/functions.h"
#include "expr/lexer.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NESTING_MAX = 200, WORD_MAX = 64, DIMENSION_TEXT = 48 };

static const double PI = 3.14159265358979323846;

typedef struct reader {
  trmi_lexer         lexer;
  const trmi_parser *parser;
  trmi_graph        *graph;
  trmi_value        *stack; /* arguments of the calls that are open */
  int                used, size;
  int                depth;
  trmi_token_kind    word, before; /* the last two tokens taken that are not signs */
} reader;

static trmi_value read_or(reader *r);
static trmi_value read_sign(reader *r);

static const trmi_value NOTHING = {0};

/* ---- shorthands ---- */

static trmi_token_kind kind_of(const reader *r) {
  return r->lexer.token.kind;
}

/* The token looked at; go on to the next. */
static trmi_token take(reader *r) {
  const trmi_token token = r->lexer.token;
  if (token.kind != TRMI_TOKEN_MINUS && token.kind != TRMI_TOKEN_PLUS) {
    r->before = r->word;
    r->word = token.kind;
  }
  trmi_lexer_next(&r->lexer);
  return token;
}

/* A fault, or no memory for the graph: then nothing more is read. */
static bool failed(reader *r) {
  if (r->graph->failed && !r->lexer.failed) trmi_lexer_stop(&r->lexer);
  return r->lexer.failed;
}

/* Texts of a token for "%.*s". */
static int width(const trmi_token *t) {
  return trmi_clip(t->text, t->length);
}

static bool enter(reader *r) {
  if (++r->depth <= NESTING_MAX) return true;
  trmi_lexer_fault(&r->lexer, r->lexer.token.place,
                   "more than %d levels of parentheses and exponents", NESTING_MAX);
  return false;
}

static void leave(reader *r) {
  r->depth--;
}

static void demand_number(reader *r, const trmi_value *v) {
  if (!v->is_condition) return;
  trmi_lexer_fault(&r->lexer, v->place, "a comparison may only stand in if(...), not as a number");
}

static void demand_condition(reader *r, const trmi_value *v, const char *who) {
  if (v->is_condition) return;
  trmi_lexer_fault(&r->lexer, v->place, "'%s' needs a condition such as x > 0 here", who);
}

/* The graph folds numbers that are finite: an operation on numbers that is left has no value,
 * and a factor or summand that is not finite has overflown. */
static bool is_hopeless(const trmi_graph *g, trmi_node n) {
  const trmi_vertex *v = &g->nodes[n];
  if (v->op == TRMI_OP_SYMBOL) return false;
  if (v->op == TRMI_OP_CONSTANT) return !isfinite(v->value);
  if (trmi_is_constant(g, v->a) && !isfinite(trmi_present(g, v->a))) return true;
  return trmi_is_constant(g, v->a) && trmi_is_constant(g, v->b) && trmi_is_constant(g, v->c);
}

/* What can never be a number is a fault where it arises. */
static void demand_finite(reader *r, const trmi_value *v, const trmi_token *t) {
  if (failed(r) || !is_hopeless(r->graph, v->node)) return;
  trmi_lexer_fault(&r->lexer, t->place, "'%.*s' has no finite value here", width(t), t->text);
}

/* The dimension two sides have in common. */
static trmi_dimension common(reader *r, const trmi_token *op, const char *verb,
                             const trmi_value *a, const trmi_value *b) {
  if (!trmi_dimension_agrees(a->dimension, b->dimension)) {
    char left[DIMENSION_TEXT], right[DIMENSION_TEXT];
    trmi_dimension_print(a->dimension, left, sizeof left);
    trmi_dimension_print(b->dimension, right, sizeof right);
    trmi_lexer_fault(&r->lexer, op->place, "'%.*s' %s %s and %s", width(op), op->text, verb, left,
                     right);
  }
  return a->dimension.is_known ? a->dimension : b->dimension;
}

/* ---- names ---- */

/* Known names for "did you mean": those of the scope, and functions. */
typedef struct name_list {
  const trmi_scope *scope;
  int               nnames;
} name_list;

static const char *list_name(const void *list, int i) {
  const name_list *l = list;
  if (i < l->nnames) return l->scope->known(l->scope->self, i);
  return i == l->nnames ? "pi" : trmi_function_at(i - l->nnames - 1)->name;
}

static void fault_of_name(reader *r, const trmi_token *t, const char *what, bool is_call) {
  trmi_dimension dimension;
  double si;
  if (!is_call && trmi_unit_find(t->text, t->length, &dimension, &si)) {
    trmi_lexer_fault(&r->lexer, t->place,
                     "'%.*s' is not known here; a unit stands right behind its number, as in 8 mm "
                     "or 5 kg*m^2",
                     width(t), t->text);
    return;
  }
  name_list list = {.scope = r->parser->scope};
  if (list.scope->known != NULL) {
    while (list.scope->known(list.scope->self, list.nnames) != NULL) list.nnames++;
  }
  int count = list.nnames + 1;
  while (is_call && trmi_function_at(count - list.nnames - 1) != NULL) count++;
  char word[WORD_MAX];
  snprintf(word, sizeof word, "%.*s", width(t), t->text);
  const bool is_shown = r->parser->complaints->count < TRMI_COMPLAINTS_MAX; /* else: no search */
  const char *near = is_shown ? trmi_nearest_close(word, &list, count, list_name) : "";
  if (near[0] == '\0') {
    trmi_lexer_fault(&r->lexer, t->place, "'%s' is not %s", word, what);
  } else {
    trmi_lexer_fault(&r->lexer, t->place, "'%s' is not %s; did you mean '%s'?", word, what, near);
  }
}

static bool is_word(const trmi_token *t, const char *word) {
  return t->length == strlen(word) && memcmp(t->text, word, t->length) == 0;
}

/* What the scope says; what ADAMS writes as TIME is our time. */
static bool ask_scope(reader *r, const trmi_token *t, trmi_meaning *term) {
  const trmi_scope *scope = r->parser->scope;
  if (scope->name == NULL) return false;
  *term = (trmi_meaning){0};
  if (scope->name(scope->self, t->text, t->length, t->primes, t->place, term)) return true;
  if (!is_word(t, "TIME")) return false;
  *term = (trmi_meaning){0};
  return scope->name(scope->self, "time", 4, t->primes, t->place, term);
}

static trmi_value read_variable(reader *r, const trmi_token *t) {
  trmi_meaning term = {0};
  const int complaints = r->parser->complaints->count;
  trmi_graph_at(r->graph, t->place);
  if (ask_scope(r, t, &term)) {
    if (term.is_faulty || r->parser->complaints->count != complaints) trmi_lexer_stop(&r->lexer);
    return (trmi_value){.node = term.node, .dimension = term.dimension, .place = t->place};
  }
  const bool is_pi = is_word(t, "pi") || is_word(t, "PI");
  if (is_pi && t->primes == 0) {
    return (trmi_value){.node = trmi_constant(r->graph, PI), .place = t->place};
  }
  if (t->primes > 0 && (is_pi || trmi_scope_knows(r->parser->scope, t->text, t->length))) {
    trmi_lexer_fault(&r->lexer, t->place, "'%.*s' has no rate that a prime could stand for",
                     width(t), t->text);
  } else if (trmi_callable_find(t->text, t->length) != NULL) {
    trmi_lexer_fault(&r->lexer, t->place, "%.*s is a function: its arguments stand in parentheses",
                     width(t), t->text);
  } else {
    fault_of_name(r, t, "known", false);
  }
  return NOTHING;
}

/* ---- calls ---- */

/* Room for one more argument. */
static bool push(reader *r, trmi_value v) {
  if (r->used == r->size) {
    const int size = r->size == 0 ? 32 : 2 * r->size;
    trmi_value *stack = trmi_allocate(&r->graph->allocator, (size_t)size * sizeof *stack);
    if (stack == NULL) {
      r->graph->failed = true;
      trmi_lexer_stop(&r->lexer);
      return false;
    }
    if (r->used > 0) memcpy(stack, r->stack, (size_t)r->used * sizeof *stack);
    if (r->stack != NULL) trmi_release(&r->graph->allocator, r->stack);
    r->stack = stack;
    r->size = size;
  }
  r->stack[r->used++] = v;
  return true;
}

/* An argument that is the name of a table. */
static trmi_value read_table(reader *r, const trmi_callable *f, const trmi_curve **curve) {
  const trmi_scope *scope = r->parser->scope;
  const trmi_token t = take(r);
  if (t.kind != TRMI_TOKEN_NAME || t.primes > 0) {
    trmi_lexer_fault(&r->lexer, t.place, "%s needs the name of a table here", f->info.name);
    return NOTHING;
  }
  if (scope->curve != NULL) *curve = scope->curve(scope->self, t.text, t.length, f->curve_kind);
  if (*curve == NULL) fault_of_name(r, &t, "a table of this model", false);
  return (trmi_value){.place = t.place};
}

static trmi_value read_argument(reader *r, const trmi_callable *f, int i,
                                const trmi_curve **curve) {
  if (f != NULL && i == f->table_at) return read_table(r, f, curve);
  const trmi_value v = read_or(r);
  if (failed(r)) return v;
  if (f != NULL && i == f->condition_at) {
    demand_condition(r, &v, f->info.name);
  } else {
    demand_number(r, &v);
  }
  return v;
}

/* Up to the closing parenthesis; the number of arguments, which lie on the stack. */
static int read_arguments(reader *r, const trmi_token *name, const trmi_callable *f,
                          const trmi_curve **curve) {
  const trmi_token open = take(r);
  int n = 0;
  if (kind_of(r) == TRMI_TOKEN_CLOSE) {
    take(r);
    return 0;
  }
  for (;;) {
    const trmi_value v = read_argument(r, f, n + 1, curve);
    if (failed(r) || !push(r, v)) return n;
    n++;
    const trmi_token t = take(r);
    if (failed(r) || t.kind == TRMI_TOKEN_CLOSE) return n;
    if (t.kind == TRMI_TOKEN_COMMA) continue;
    if (t.kind == TRMI_TOKEN_END) {
      trmi_lexer_fault(&r->lexer, open.place, "this '(' of %.*s is never closed", width(name),
                       name->text);
    } else {
      trmi_lexer_fault(&r->lexer, t.place, "',' or ')' is missing before '%.*s'", width(&t),
                       t.text);
    }
    return n;
  }
}

static void fault_of_count(reader *r, const trmi_token *t, const trmi_callable *f, int n) {
  char wish[32];
  if (f->max == f->min) {
    snprintf(wish, sizeof wish, "%d", f->min);
  } else if (f->max == 0) {
    snprintf(wish, sizeof wish, "at least %d", f->min);
  } else {
    snprintf(wish, sizeof wish, "%d or %d", f->min, f->max);
  }
  trmi_lexer_fault(&r->lexer, t->place, "%s needs %s argument%s (%s), here %s %d", f->info.name,
                   wish, f->max == 1 ? "" : "s", f->info.arguments, n == 1 ? "is" : "are", n);
}

/* A table by its own name. */
static trmi_value call_table(reader *r, const trmi_token *t, const trmi_curve *curve, int n) {
  if (n != 1) {
    trmi_lexer_fault(&r->lexer, t->place, "table '%.*s' needs 1 argument (x), here are %d",
                     width(t), t->text, n);
    return NOTHING;
  }
  trmi_graph_at(r->graph, t->place);
  return (trmi_value){.node = trmi_curve_value(r->parser, curve, r->stack[r->used - 1].node),
                      .place = t->place};
}

/* A function of things: names between its parentheses. */
static trmi_value read_measure(reader *r, const trmi_token *t) {
  const trmi_scope *scope = r->parser->scope;
  trmi_measure_call call = {.name = t->text, .length = t->length, .place = t->place};
  trmi_meaning out = {0};
  trmi_token end = take(r); /* the parenthesis that opens */
  if (kind_of(r) == TRMI_TOKEN_CLOSE) end = take(r);
  while (end.kind != TRMI_TOKEN_CLOSE) {
    const trmi_token name = take(r);
    if (failed(r)) return NOTHING;
    if (name.kind != TRMI_TOKEN_NAME || name.primes > 0 || call.n == TRMI_MEASURE_ARGUMENTS) {
      trmi_lexer_fault(&r->lexer, name.place, "%.*s needs %s here", width(t), t->text,
                       call.n == TRMI_MEASURE_ARGUMENTS ? "')'" : "the name of a thing");
      return NOTHING;
    }
    call.args[call.n].text = name.text;
    call.args[call.n].length = name.length;
    call.args[call.n++].place = name.place;
    end = take(r);
    if (failed(r)) return NOTHING;
    if (end.kind != TRMI_TOKEN_COMMA && end.kind != TRMI_TOKEN_CLOSE) {
      trmi_lexer_fault(&r->lexer, end.place, "',' or ')' is missing in %.*s", width(t), t->text);
      return NOTHING;
    }
  }
  trmi_graph_at(r->graph, t->place);
  if (!scope->measure(scope->self, &call, &out)) trmi_lexer_stop(&r->lexer);
  return (trmi_value){.node = out.node, .dimension = out.dimension, .place = t->place};
}

static trmi_value read_call(reader *r, const trmi_token *t) {
  const trmi_callable *f = trmi_callable_find(t->text, t->length);
  const trmi_scope *scope = r->parser->scope;
  const trmi_curve *curve = NULL;
  if (t->primes > 0) {
    trmi_lexer_fault(&r->lexer, t->place, "a prime may not follow the name of a function");
    return NOTHING;
  }
  if (f == NULL && scope->is_measure != NULL &&
      scope->is_measure(scope->self, t->text, t->length)) {
    return read_measure(r, t);
  }
  if (f == NULL && scope->curve != NULL) curve = scope->curve(scope->self, t->text, t->length, -1);
  if (f == NULL && curve == NULL && trmi_scope_knows(scope, t->text, t->length)) {
    trmi_lexer_fault(&r->lexer, r->lexer.token.place,
                     "'%.*s' is not a function or a table: is an operator missing before '('?",
                     width(t), t->text);
    return NOTHING;
  }
  if (f == NULL && curve == NULL) {
    fault_of_name(r, t, "a function or a table", true);
    return NOTHING;
  }
  const int before = r->used;
  const int n = read_arguments(r, t, f, &curve);
  trmi_value v = NOTHING;
  if (failed(r)) return NOTHING;
  if (f == NULL) {
    v = call_table(r, t, curve, n);
  } else if (n < f->min || (f->max > 0 && n > f->max)) {
    fault_of_count(r, t, f, n);
  } else {
    trmi_call call = {.parser = r->parser, .name = f->info.name, .place = t->place,
                      .args = r->stack + before, .n = n, .curve = curve};
    if (!trmi_call_make(f, &call, &v)) trmi_lexer_stop(&r->lexer);
  }
  r->used = before;
  demand_finite(r, &v, t);
  return v;
}

/* ---- atoms ---- */

/* Does the number just taken stand alone: as the whole, in parentheses, as an argument? */
static bool is_alone(const reader *r) {
  const trmi_token_kind next = kind_of(r);
  return (r->before == TRMI_TOKEN_END || r->before == TRMI_TOKEN_OPEN ||
          r->before == TRMI_TOKEN_COMMA) &&
         (next == TRMI_TOKEN_END || next == TRMI_TOKEN_CLOSE || next == TRMI_TOKEN_COMMA);
}

static trmi_value read_number(reader *r, const trmi_token *t) {
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

static trmi_value read_parentheses(reader *r, const trmi_token *open) {
  trmi_value v = read_or(r);
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

static trmi_value read_atom(reader *r) {
  if (failed(r)) return NOTHING;
  const trmi_token t = take(r);
  switch (t.kind) {
  case TRMI_TOKEN_NUMBER: return read_number(r, &t);
  case TRMI_TOKEN_NAME:
    return kind_of(r) == TRMI_TOKEN_OPEN && !failed(r) ? read_call(r, &t) : read_variable(r, &t);
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

static trmi_value power_of(reader *r, const trmi_token *op, const trmi_value *base,
                           const trmi_value *exponent) {
  demand_number(r, base);
  demand_number(r, exponent);
  if (!trmi_dimension_is_number(exponent->dimension)) {
    char text[DIMENSION_TEXT];
    trmi_dimension_print(exponent->dimension, text, sizeof text);
    trmi_lexer_fault(&r->lexer, op->place, "an exponent is a number without a unit, here is %s",
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
  demand_finite(r, &v, op);
  return v;
}

static trmi_value read_power(reader *r) {
  const trmi_value base = read_atom(r);
  if (kind_of(r) != TRMI_TOKEN_POWER) return base;
  const trmi_token op = take(r);
  if (!enter(r)) return NOTHING;
  const trmi_value exponent = read_sign(r);
  leave(r);
  return failed(r) ? NOTHING : power_of(r, &op, &base, &exponent);
}

static trmi_value read_sign(reader *r) {
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

static trmi_value product_of(reader *r, const trmi_token *op, const trmi_value *a,
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
  v.dimension = trmi_dimension_product(a->dimension, b->dimension, is_over ? -1 : 1);
  v.node = is_over ? trmi_div(r->graph, a->node, b->node) : trmi_mul(r->graph, a->node, b->node);
  demand_finite(r, &v, op);
  return v;
}

static trmi_value read_product(reader *r) {
  trmi_value v = read_sign(r);
  while (kind_of(r) == TRMI_TOKEN_TIMES || kind_of(r) == TRMI_TOKEN_OVER) {
    const trmi_token op = take(r);
    const trmi_value next = read_sign(r);
    if (failed(r)) return NOTHING;
    v = product_of(r, &op, &v, &next);
  }
  return v;
}

static trmi_value sum_of(reader *r, const trmi_token *op, const trmi_value *a,
                         const trmi_value *b) {
  demand_number(r, a);
  demand_number(r, b);
  if (failed(r)) return NOTHING;
  trmi_value v = {.place = a->place, .dimension = common(r, op, "joins", a, b)};
  if (failed(r)) return NOTHING;
  trmi_graph_at(r->graph, op->place);
  v.node = op->kind == TRMI_TOKEN_PLUS ? trmi_add(r->graph, a->node, b->node)
                                       : trmi_sub(r->graph, a->node, b->node);
  demand_finite(r, &v, op);
  return v;
}

static trmi_value read_sum(reader *r) {
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

static trmi_node held_comparison(reader *r, trmi_token_kind kind, trmi_node a, trmi_node b) {
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

static trmi_value comparison_of(reader *r, const trmi_token *op, const trmi_value *a,
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

static trmi_value read_comparison(reader *r) {
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

static trmi_value read_not(reader *r) {
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

static trmi_value logic_of(reader *r, const trmi_token *op, const trmi_value *a,
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

static trmi_value read_and(reader *r) {
  trmi_value v = read_not(r);
  while (kind_of(r) == TRMI_TOKEN_AND) {
    const trmi_token op = take(r);
    const trmi_value next = read_not(r);
    if (failed(r)) return NOTHING;
    v = logic_of(r, &op, &v, &next);
  }
  return v;
}

static trmi_value read_or(reader *r) {
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

/* What is left behind a complete expression. */
static void fault_of_rest(reader *r) {
  const trmi_token t = r->lexer.token;
  switch (t.kind) {
  case TRMI_TOKEN_END: return;
  case TRMI_TOKEN_CLOSE:
    trmi_lexer_fault(&r->lexer, t.place, "this ')' has no '(' before it");
    return;
  case TRMI_TOKEN_COMMA:
    trmi_lexer_fault(&r->lexer, t.place, "',' may only stand between the arguments of a function");
    return;
  default:
    trmi_lexer_fault(&r->lexer, t.place, "an operator is missing before '%.*s'", width(&t),
                     t.text);
    return;
  }
}

bool trmi_parse(const trmi_parser *parser, const trmi_text *text, trmi_meaning *out) {
  *out = (trmi_meaning){0};
  if (parser->graph->failed) return false;
  reader r = {.parser = parser, .graph = parser->graph};
  trmi_lexer_start(&r.lexer, parser, text);
  trmi_value v = NOTHING;
  if (!failed(&r) && kind_of(&r) == TRMI_TOKEN_END) {
    trmi_lexer_fault(&r.lexer, trmi_text_place(text, 0), "the expression is empty");
  } else {
    v = read_or(&r);
    fault_of_rest(&r);
  }
  if (r.stack != NULL) trmi_release(&r.graph->allocator, r.stack);
  if (failed(&r)) return false;
  *out = (trmi_meaning){.node = v.node, .dimension = v.dimension, .is_condition = v.is_condition};
  return true;
}
