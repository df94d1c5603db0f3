/* lexer.h - the words of an expression, each with its place. A number is read with its unit. */
#ifndef TRMI_EXPR_LEXER_H
#define TRMI_EXPR_LEXER_H
#include "expr/parse.h"

typedef enum trmi_token_kind {
  TRMI_TOKEN_END,
  TRMI_TOKEN_NUMBER,
  TRMI_TOKEN_NAME,
  TRMI_TOKEN_OPEN, TRMI_TOKEN_CLOSE, TRMI_TOKEN_COMMA, TRMI_TOKEN_COLON,
  TRMI_TOKEN_PLUS, TRMI_TOKEN_MINUS, TRMI_TOKEN_TIMES, TRMI_TOKEN_OVER, TRMI_TOKEN_POWER,
  TRMI_TOKEN_LESS, TRMI_TOKEN_LESS_EQUAL, TRMI_TOKEN_GREATER, TRMI_TOKEN_GREATER_EQUAL,
  TRMI_TOKEN_EQUAL, TRMI_TOKEN_NOT_EQUAL,
  TRMI_TOKEN_AND, TRMI_TOKEN_OR, TRMI_TOKEN_NOT
} trmi_token_kind;

typedef struct trmi_token {
  trmi_token_kind kind;
  trmi_place      place;
  const char     *text;   /* its letters, without primes and unit */
  size_t          length;
  int             primes; /* NAME: number of primes after it      */
  double          value;  /* NUMBER, in the units of the model    */
  trmi_dimension  dimension;
  const char     *doubt;  /* NUMBER: a unit after `*` that is also a name of the model, or NULL */
  size_t          doubt_length;
} trmi_token;

/* A position that moves through a text. */
typedef struct trmi_cursor {
  size_t     offset;
  int        anchor; /* the last one passed */
  trmi_place place;
} trmi_cursor;

typedef struct trmi_lexer {
  const trmi_parser *parser;
  const trmi_text   *text;
  trmi_cursor        cursor; /* after `token`                                    */
  trmi_token         token;  /* the present one; END after a fault               */
  bool               failed; /* a complaint was made, now or earlier            */
} trmi_lexer;

/* Go to the first token. */
void trmi_lexer_start(trmi_lexer *lexer, const trmi_parser *parser, const trmi_text *text);
void trmi_lexer_next(trmi_lexer *lexer);

/* Make a complaint unless there was one; nothing more is read. */
void trmi_lexer_fault(trmi_lexer *lexer, trmi_place place, const char *fmt, ...)
    TRMI_PRINTF(3, 4);
/* Stop without a complaint. */
void trmi_lexer_stop(trmi_lexer *lexer);

/* Advice to append if an unknown word begins with a typographic quote; "": none. */
const char *trmi_odd_quotes(const char *text);

/* Is this one of the names the scope lists? */
bool trmi_scope_knows(const trmi_scope *scope, const char *name, size_t length);
/* Letters of a word that fit into a sentence. */
int trmi_clip(const char *text, size_t length);
/* unit_faults.c: advice for electrical units, and whether a word is one. */
#define TRMI_ELECTRICAL "electrical units are not converted, their numbers are written without them"
bool trmi_unit_is_electrical(const char *word, size_t length);

/* A complaint about a word after a number that is not a unit: unit_faults.c. */
void trmi_lexer_fault_unit(trmi_lexer *lexer, const char *word, size_t length);

#endif
