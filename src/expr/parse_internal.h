/* parse_internal.h - shared by the files of the parser: parse.c has operators and conditions,
 * parse_calls.c names and calls. */
#ifndef TRMI_PARSE_INTERNAL_H
#define TRMI_PARSE_INTERNAL_H
#include "expr/functions.h"
#include "expr/lexer.h"
#include "expr/parse.h"

typedef struct trmi_reader {
  trmi_lexer         lexer;
  const trmi_parser *parser;
  trmi_graph        *graph;
  trmi_value        *stack; /* arguments of the calls that are open */
  int                used, size;
  int                depth;
  trmi_token_kind    word, before; /* the last two tokens taken that are not signs */
} trmi_reader;

static const trmi_value NOTHING = {0};

static inline trmi_token_kind kind_of(const trmi_reader *r) {
  return r->lexer.token.kind;
}

/* The present token; continue with the next. */
static inline trmi_token take(trmi_reader *r) {
  const trmi_token token = r->lexer.token;
  if (token.kind != TRMI_TOKEN_MINUS && token.kind != TRMI_TOKEN_PLUS) {
    r->before = r->word;
    r->word = token.kind;
  }
  trmi_lexer_next(&r->lexer);
  return token;
}

/* A fault, or no memory for the graph: then nothing more is read. */
static inline bool failed(trmi_reader *r) {
  if (r->graph->failed && !r->lexer.failed) trmi_lexer_stop(&r->lexer);
  return r->lexer.failed;
}

/* Texts of a token for "%.*s". */
static inline int width(const trmi_token *t) {
  return trmi_clip(t->text, t->length);
}

static inline void demand_number(trmi_reader *r, const trmi_value *v) {
  if (!v->is_condition) return;
  trmi_lexer_fault(&r->lexer, v->place, "a comparison is allowed only in if(...), not as a number");
}

static inline void demand_condition(trmi_reader *r, const trmi_value *v, const char *who) {
  if (v->is_condition) return;
  trmi_lexer_fault(&r->lexer, v->place, "'%s' needs a condition such as x > 0 here", who);
}

/* parse.c: a whole expression, down to `or`. */
trmi_value trmi_read_or(trmi_reader *r);
/* Numbers that can never be finite are faults. */
void trmi_demand_finite(trmi_reader *r, const trmi_value *v, const trmi_token *t);

/* parse_calls.c: a name, and a name with an open parenthesis behind it. */
trmi_value trmi_read_variable(trmi_reader *r, const trmi_token *t);
trmi_value trmi_read_call(trmi_reader *r, const trmi_token *t);

#endif
