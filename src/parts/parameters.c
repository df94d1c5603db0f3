/* parameters.c - parameters are evaluated in an order in which each finds its own done.
 *
 * What a parameter depends on is read off its text; a walk with a stack of its own
 * then finds the order, so that a chain of many thousand parameters needs no deep
 * recursion, and finds loops. */
#include "parts/parameters.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOT_YET, UNDER_WAY, DONE };
enum { DEPTH_MAX = 20 }; /* of evaluations inside evaluations; more is never needed */

/* ---- names ---------------------------------------------------------------- */

static const trmi_named_text *parameter_at(const trmi_parameters *p, int i) {
  return &p->def->parameters.list[i];
}

static int compare(const char *name, size_t length, const char *other) {
  const int order = strncmp(name, other, length);
  return order != 0 ? order : other[length] == '\0' ? 0 : -1;
}

/* Number of a parameter, or -1. */
static int find(const trmi_parameters *p, const char *name, size_t length) {
  int low = 0, high = p->def->parameters.count - 1;
  while (low <= high) {
    const int middle = low + (high - low) / 2;
    const int i = p->order[middle];
    const int order = compare(name, length, parameter_at(p, i)->key.name);
    if (order == 0) return i;
    if (order < 0) {
      high = middle - 1;
    } else {
      low = middle + 1;
    }
  }
  return -1;
}

/* A name with its number, for sorting. */
typedef struct ranked {
  const char *name;
  int         number;
} ranked;

static int compare_ranked(const void *a, const void *b) {
  return strcmp(((const ranked *)a)->name, ((const ranked *)b)->name);
}

static bool sort_names(trmi_parameters *p) {
  const int n = p->def->parameters.count;
  ranked *list = TRMI_TAKE(&p->arena, ranked, n);
  if (list == NULL) return false;
  for (int i = 0; i < n; i++) list[i] = (ranked){parameter_at(p, i)->key.name, i};
  qsort(list, (size_t)n, sizeof *list, compare_ranked);
  for (int i = 0; i < n; i++) p->order[i] = list[i].number;
  return true;
}

/* ---- evaluation ------------------------------------------------------------ */

/* Parse an expression of parameters; a node that is not a constant cannot come of it. */
static bool parse(trmi_parameters *p, const trmi_text *text, trmi_meaning *term) {
  const trmi_parser parser = {.graph = &p->graph, .scope = &p->scope, .units = &p->def->units,
                              .complaints = p->complaints};
  *term = (trmi_meaning){.node = 0};
  if (!trmi_parse(&parser, text, term)) return false;
  if (p->graph.failed) return false;
  if (isfinite(trmi_present(&p->graph, term->node))) return true;
  trmi_complain(p->complaints, trmi_text_place(text, 0), "the value is not a finite number");
  return false;
}

/* A parameter that is wrong counts as 1 with any dimension: one fault, one complaint. */
static void evaluate(trmi_parameters *p, int i) {
  p->state[i] = UNDER_WAY;
  trmi_meaning *term = &p->terms[i];
  if (p->depth == DEPTH_MAX || !parse(p, &parameter_at(p, i)->text, term)) {
    *term = (trmi_meaning){.node = trmi_constant(&p->graph, 1.0)};
  }
  p->texts[i] = term->node;
  p->numbers[i] = trmi_present(&p->graph, term->node);
  term->node = trmi_live(&p->graph, &p->numbers[i]);
  p->state[i] = DONE;
}

static bool scope_name(void *self, const char *name, size_t length, int primes, trmi_place place,
                       trmi_meaning *out) {
  trmi_parameters *p = self;
  const int i = find(p, name, length);
  const bool is_time = length == strlen("time") && memcmp(name, "time", length) == 0;
  *out = (trmi_meaning){.node = 0};
  if (is_time) {
    trmi_complain(p->complaints, place, "a number is known before a run: 'time' cannot be used "
                  "here. A law of time is allowed where expressions are, for example under "
                  "variables");
    return true;
  }
  if (i < 0) return false;
  if (primes > 0) {
    trmi_complain(p->complaints, place, "the parameter '%.*s' is a constant: it has no rate",
                  (int)(length < 60 ? length : 60), name);
    return true;
  }
  if (p->state[i] == UNDER_WAY) {
    trmi_complain(p->complaints, place, "the parameter '%.*s' depends on itself",
                  (int)(length < 60 ? length : 60), name);
    return true;
  }
  if (p->state[i] == NOT_YET) {
    p->depth++;
    evaluate(p, i);
    p->depth--;
  }
  *out = p->terms[i];
  return true;
}

static const char *scope_known(void *self, int i) {
  const trmi_parameters *p = self;
  return i < p->def->parameters.count ? parameter_at(p, i)->key.name : NULL;
}

/* ---- order and loops -------------------------------------------------------- */

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* Letters of a number with its unit at `at`. */
static size_t skip_number(const trmi_parameters *p, const trmi_text *text, size_t at) {
  char *end;
  strtod(text->text + at, &end);
  size_t next = (size_t)(end - text->text);
  if (next <= at) next = at + 1;
  while (next < text->length && text->text[next] == ' ') next++;
  trmi_dimension dimension;
  double factor;
  return next + trmi_unit_read(text->text + next, text->length - next, &p->def->units, &dimension,
                               &factor);
}

/* The next parameter named in a text from *at on, or -1. */
static int next_name(const trmi_parameters *p, const trmi_text *text, size_t *at) {
  while (*at < text->length) {
    const char c = text->text[*at];
    if (is_digit(c) || (c == '.' && is_digit(text->text[*at + 1]))) {
      *at = skip_number(p, text, *at);
      continue;
    }
    const size_t from = *at;
    if (!is_letter(c)) {
      (*at)++;
      continue;
    }
    while (is_letter(text->text[*at]) || is_digit(text->text[*at]) ||
           (text->text[*at] == '.' && is_letter(text->text[*at + 1]))) {
      (*at)++;
    }
    size_t next = *at;
    while (text->text[next] == ' ') next++;
    if (text->text[next] == '(') continue; /* a function */
    const int i = find(p, text->text + from, *at - from);
    if (i >= 0) return i;
  }
  return -1;
}

/* A parameter whose dependencies are being looked at. */
typedef struct level {
  int    parameter;
  size_t at; /* how far its text is read */
} level;

/* "a -> b -> a" from a place in the stack to its top. */
static void complain_loop(trmi_parameters *p, const level *stack, int from, int depth) {
  if (depth == from + 1) {
    const trmi_text *own = &parameter_at(p, stack[from].parameter)->text;
    trmi_complain(p->complaints, trmi_text_place(own, 0), "parameter '%.47s' is defined by itself: "
                  "give it a number, or another name",
                  parameter_at(p, stack[from].parameter)->key.name);
    return;
  }
  char names[200];
  size_t used = 0;
  for (int k = from; k <= depth; k++) {
    const int i = stack[k < depth ? k : from].parameter;
    const bool is_long = used > sizeof names - 80 && k < depth;
    const int more = snprintf(names + used, sizeof names - used, "%s%.47s", k > from ? " -> " : "",
                              is_long ? ".." : parameter_at(p, i)->key.name);
    used += (size_t)more;
    if (is_long) k = depth - 1;
  }
  const trmi_text *text = &parameter_at(p, stack[from].parameter)->text;
  trmi_complain(p->complaints, trmi_text_place(text, 0), "parameters %s depend on each other",
                names);
}

/* Evaluate a parameter after all that it depends on. */
static void evaluate_from(trmi_parameters *p, int first, level *stack) {
  int depth = 0;
  stack[depth++] = (level){.parameter = first};
  p->state[first] = UNDER_WAY;
  while (depth > 0) {
    level *top = &stack[depth - 1];
    const int i = next_name(p, &parameter_at(p, top->parameter)->text, &top->at);
    if (i < 0) {
      if (p->state[top->parameter] == UNDER_WAY) evaluate(p, top->parameter);
      depth--;
    } else if (p->state[i] == NOT_YET) {
      p->state[i] = UNDER_WAY;
      stack[depth++] = (level){.parameter = i};
    } else if (p->state[i] == UNDER_WAY) {
      int from = 0;
      while (stack[from].parameter != i) from++;
      complain_loop(p, stack, from, depth);
      for (int k = from; k < depth; k++) {
        p->terms[stack[k].parameter] = (trmi_meaning){.node = trmi_constant(&p->graph, 1.0)};
        p->numbers[stack[k].parameter] = 1.0;
        p->state[stack[k].parameter] = DONE;
      }
    }
  }
}

trm_status trmi_parameters_init(trmi_parameters *p, const trmi_definition *def,
                                const trm_allocator *allocator, trmi_complaints *complaints,
                                trm_error *err) {
  const trm_allocator none = {0};
  if (allocator == NULL) allocator = &none;
  *p = (trmi_parameters){.def = def, .complaints = complaints};
  p->scope = (trmi_scope){.self = p, .name = scope_name, .known = scope_known};
  trmi_arena_init(&p->arena, allocator);
  trmi_graph_init(&p->graph, allocator, 0);
  const int n = def->parameters.count;
  p->graph.keeps_zero = true;
  p->terms = TRMI_TAKE(&p->arena, trmi_meaning, n);
  p->texts = TRMI_TAKE(&p->arena, trmi_node, n);
  p->numbers = TRMI_TAKE(&p->arena, double, n);
  p->state = TRMI_TAKE(&p->arena, unsigned char, n);
  p->order = TRMI_TAKE(&p->arena, int, n);
  level *stack = TRMI_TAKE(&p->arena, level, n);
  if (!p->arena.failed && sort_names(p)) {
    for (int i = 0; i < n && !p->graph.failed; i++) {
      if (p->state[i] == NOT_YET) evaluate_from(p, i, stack);
    }
  }
  trm_status status = trmi_arena_check(&p->arena, err);
  if (status == TRM_OK) status = trmi_graph_check(&p->graph, err);
  if (status != TRM_OK) trmi_parameters_free(p);
  return status;
}

void trmi_parameters_free(trmi_parameters *p) {
  trmi_graph_free(&p->graph);
  trmi_arena_clear(&p->arena);
}

/* ---- numbers ----------------------------------------------------------------- */

bool trmi_plain_number(const char *text, size_t length, double *number) {
  if (length == 0 || length > 60 || strspn(text, "0123456789+-.eE") < length) return false;
  char copy[64], *end;
  memcpy(copy, text, length);
  copy[length] = '\0';
  *number = strtod(copy, &end);
  return *end == '\0' && isfinite(*number);
}

bool trmi_parameters_value(trmi_parameters *p, const trmi_text *text, double *number,
                           trmi_dimension *dimension) {
  trmi_meaning term;
  *number = 0.0;
  *dimension = (trmi_dimension){.is_known = false};
  if (trmi_plain_number(text->text, text->length, number)) return true;
  if (!parse(p, text, &term)) return false;
  *number = trmi_present(&p->graph, term.node);
  *dimension = term.dimension;
  return true;
}

bool trmi_parameters_find(const trmi_parameters *p, const char *name, size_t length,
                          double *number, trmi_dimension *dimension) {
  const int i = find(p, name, length);
  if (i < 0) return false;
  *number = p->numbers[i];
  *dimension = p->terms[i].dimension;
  return true;
}

int trmi_parameters_index(const trmi_parameters *p, const char *name, size_t length) {
  return find(p, name, length);
}

void trmi_parameters_fix(const trmi_parameters *p, const trmi_text *text) {
  size_t at = 0;
  for (int i; p->def->is_fixed != NULL && (i = next_name(p, text, &at)) >= 0;) {
    p->def->is_fixed[i] = true;
  }
}

bool trmi_parameters_node(trmi_parameters *p, const trmi_text *text, trmi_node *node) {
  trmi_meaning term;
  const bool is_good = parse(p, text, &term);
  *node = is_good ? term.node : 0;
  return is_good;
}
