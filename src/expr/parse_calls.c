/* parse_calls.c - names and calls in expressions, see parse.c: names of a scope, functions with
 * their arguments, tables, measures. */
#include "core/arena.h"
#include "trammel/nearest.h"
#include "expr/parse_internal.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WORD_MAX = 64 };

static const double PI = 3.14159265358979323846;

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

static bool is_word(const trmi_token *t, const char *word) {
  return t->length == strlen(word) && memcmp(t->text, word, t->length) == 0;
}

/* 'motr.torque' has no near name, but 'motr' is near 'motor': correct the beginning of the name.
 * False: no beginning before a dot is near a name. */
static bool find_beginning(const char *word, const name_list *list, int count, char *text,
                           size_t size) {
  char start[WORD_MAX];
  snprintf(start, sizeof start, "%s", word);
  for (char *dot = strrchr(start, '.'); dot != NULL; dot = strrchr(start, '.')) {
    *dot = '\0';
    const char *near = trm_nearest_close(start, list, count, list_name);
    if (near[0] == '\0' || strcmp(near, start) == 0) continue; /* it is not the beginning */
    snprintf(text, size, "%s%s", near, word + (dot - start));
    return true;
  }
  return false;
}

/* The equivalent of a function of other programs; "": unknown. */
static const char *call_meant(const char *word) {
  static const char *const words[][2] = {
    {"sind", "sin(30 deg)"}, {"cosd", "cos(30 deg)"}, {"tand", "tan(30 deg)"},
    {"heaviside", "if(time > 1, 1, 0), or STEP(time, 1, 0, 1.1, 1) for a smooth one"},
    {"deg2rad", "30 deg"}, {"radians", "30 deg"}, {"sgn", "sign(x)"}, {"pow", "x^y"},
    {"der", "x', with a prime, for the rate of x"}, {"ddt", "x', with a prime, for the rate of x"},
    {"diff", "x', with a prime, for the rate of x"},
    {"dot", "x', with a prime, for the rate of x"},
    {"integral", "a state, equations.states: {i: {value: 0, rate: x}}"},
    {"integrate", "a state, equations.states: {i: {value: 0, rate: x}}"},
    {"sat", "min(max(x, low), high)"}, {"saturate", "min(max(x, low), high)"},
    {"limit", "min(max(x, low), high)"}, {"clip", "min(max(x, low), high)"},
    {"clamp", "min(max(x, low), high)"}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (strcmp(words[i][0], word) == 0) return words[i][1];
  }
  return "";
}

/* "9.81 m/s2", "0.1 N*m/A", "e^2": is the word part of a unit or of a power instead of a name? If
 * so, a complaint. */
static bool fault_of_unit(trmi_reader *r, const trmi_token *t) {
  trmi_dimension dimension;
  double si;
  const char digit = t->length > 1 ? t->text[t->length - 1] : '\0';
  if (digit >= '2' && digit <= '4' && trmi_unit_find(t->text, t->length - 1, &dimension, &si)) {
    trmi_lexer_fault(&r->lexer, t->place, "'%.*s' is not known; did you mean the unit '%.*s^%c'?",
                     width(t), t->text, width(t) - 1, t->text, digit);
    return true;
  }
  if (trmi_unit_is_electrical(t->text, t->length)) {
    trmi_lexer_fault(&r->lexer, t->place, "'%.*s' is not known; as a unit: " TRMI_ELECTRICAL,
                     width(t), t->text);
    return true;
  }
  if (is_word(t, "e")) {
    trmi_lexer_fault(&r->lexer, t->place, "'e' is not known; powers of it are written as exp(2)");
    return true;
  }
  return false;
}

static void fault_of_name(trmi_reader *r, const trmi_token *t, const char *what, bool is_call) {
  trmi_dimension dimension;
  double si;
  const bool is_time = !is_call && (is_word(t, "t") || is_word(t, "T"));
  if (is_time && trmi_scope_knows(r->parser->scope, "time", 4)) {
    trmi_lexer_fault(&r->lexer, t->place, "'%.*s' is not known; did you mean 'time'?", width(t),
                     t->text);
    return;
  }
  if (!is_call && trmi_unit_find(t->text, t->length, &dimension, &si)) {
    trmi_lexer_fault(&r->lexer, t->place,
                     "'%.*s' is not known here; a unit follows its number directly, as in 8 mm "
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
  const char *near = is_shown ? trm_nearest_close(word, &list, count, list_name) : "";
  char whole[2 * WORD_MAX];
  if (is_shown && near[0] == '\0' && !is_call &&
      find_beginning(word, &list, count, whole, sizeof whole)) {
    near = whole;
  }
  if (near[0] == '\0' && !is_call && fault_of_unit(r, t)) return;
  const char *instead = is_call ? call_meant(word) : "";
  if (instead[0] != '\0') {
    trmi_lexer_fault(&r->lexer, t->place, "'%s' is not %s: write %s", word, what, instead);
  } else if (near[0] == '\0') {
    trmi_lexer_fault(&r->lexer, t->place, "'%s' is not %s", word, what);
  } else {
    trmi_lexer_fault(&r->lexer, t->place, "'%s' is not %s; did you mean '%s'?", word, what, near);
  }
}

/* Look up the name in the scope; TIME of ADAMS is our time. */
static bool ask_scope(trmi_reader *r, const trmi_token *t, trmi_meaning *term) {
  const trmi_scope *scope = r->parser->scope;
  if (scope->name == NULL) return false;
  *term = (trmi_meaning){0};
  if (scope->name(scope->self, t->text, t->length, t->primes, t->place, term)) return true;
  if (!is_word(t, "TIME")) return false;
  *term = (trmi_meaning){0};
  return scope->name(scope->self, "time", 4, t->primes, t->place, term);
}

trmi_value trmi_read_variable(trmi_reader *r, const trmi_token *t) {
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
    trmi_lexer_fault(&r->lexer, t->place, "'%.*s' has no rate, so that a prime means nothing",
                     width(t), t->text);
  } else if (trmi_callable_find(t->text, t->length) != NULL) {
    trmi_lexer_fault(&r->lexer, t->place, "%.*s is a function: its arguments are written in "
                                          "parentheses",
                     width(t), t->text);
  } else {
    fault_of_name(r, t, "known", false);
  }
  return NOTHING;
}

/* ---- calls ---- */

/* Room for one more argument. */
static bool push(trmi_reader *r, trmi_value v) {
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
static trmi_value read_table(trmi_reader *r, const trmi_callable *f, const trmi_spline **curve) {
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

static trmi_value read_argument(trmi_reader *r, const trmi_callable *f, int i,
                                const trmi_spline **curve) {
  if (f != NULL && i == f->table_at) return read_table(r, f, curve);
  const trmi_value v = trmi_read_or(r);
  if (failed(r)) return v;
  if (f != NULL && i == f->condition_at && kind_of(r) == TRMI_TOKEN_COLON) {
    demand_number(r, &v);
  } else if (f != NULL && i == f->condition_at) {
    demand_condition(r, &v, f->info.name);
  } else {
    demand_number(r, &v);
  }
  return v;
}

/* Up to the closing parenthesis; the number of arguments, which lie on the stack. `is_three_way`
 * receives whether a colon follows the first one. */
static int read_arguments(trmi_reader *r, const trmi_token *name, const trmi_callable *f,
                          const trmi_spline **curve, bool *is_three_way) {
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
    if (t.kind == TRMI_TOKEN_COLON && n == 1 && f != NULL && f->condition_at == 1) {
      *is_three_way = true;
      continue;
    }
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

static void fault_of_count(trmi_reader *r, const trmi_token *t, const trmi_callable *f, int n) {
  char wish[32];
  if (f->max == f->min) {
    snprintf(wish, sizeof wish, "%d", f->min);
  } else if (f->max == 0) {
    snprintf(wish, sizeof wish, "at least %d", f->min);
  } else {
    snprintf(wish, sizeof wish, "%d or %d", f->min, f->max);
  }
  trmi_lexer_fault(&r->lexer, t->place, "%s needs %s argument%s (%s), not %d", f->info.name,
                   wish, f->max == 1 ? "" : "s", f->info.arguments, n);
}

/* A table by its own name. */
static trmi_value call_table(trmi_reader *r, const trmi_token *t, const trmi_spline *curve, int n) {
  if (n != 1) {
    trmi_lexer_fault(&r->lexer, t->place, "table '%.*s' needs 1 argument (x), not %d",
                     width(t), t->text, n);
    return NOTHING;
  }
  trmi_graph_at(r->graph, t->place);
  return (trmi_value){.node = trmi_spline_value(r->parser, curve, r->stack[r->used - 1].node),
                      .place = t->place};
}

/* A function of objects: names between its parentheses. */
static trmi_value read_measure(trmi_reader *r, const trmi_token *t) {
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
                       call.n == TRMI_MEASURE_ARGUMENTS ? "')'" : "the name of a part");
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

trmi_value trmi_read_call(trmi_reader *r, const trmi_token *t) {
  const trmi_callable *f = trmi_callable_find(t->text, t->length);
  const trmi_scope *scope = r->parser->scope;
  const trmi_spline *curve = NULL;
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
  bool is_three_way = false;
  const int n = read_arguments(r, t, f, &curve, &is_three_way);
  trmi_value v = NOTHING;
  if (failed(r)) return NOTHING;
  if (f == NULL) {
    v = call_table(r, t, curve, n);
  } else if (is_three_way) {
    trmi_call call = {.parser = r->parser, .name = f->info.name, .place = t->place,
                      .args = r->stack + before, .n = n};
    if (!trmi_call_three_way(&call, &v)) trmi_lexer_stop(&r->lexer);
  } else if (n < f->min || (f->max > 0 && n > f->max)) {
    fault_of_count(r, t, f, n);
  } else {
    trmi_call call = {.parser = r->parser, .name = f->info.name, .place = t->place,
                      .args = r->stack + before, .n = n, .curve = curve};
    if (!trmi_call_make(f, &call, &v)) trmi_lexer_stop(&r->lexer);
  }
  r->used = before;
  trmi_demand_finite(r, &v, t);
  return v;
}
