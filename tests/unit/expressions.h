/* expressions.h - what tests of expressions share: a scope with a few names and tables, reading a
 * text, values and derivatives of what was read. */
#ifndef TRM_TEST_EXPRESSIONS_H
#define TRM_TEST_EXPRESSIONS_H
#include "check.h"
#include "expr/functions.h"
#include "expr/parse.h"
#include <string.h>

enum { XP_NAMES = 12, XP_HELD = 16 };

/* Names, each a symbol with a dimension; held conditions become symbols too. */
typedef struct xp_scope {
  trmi_graph      graph;
  trmi_walk       walk;
  trmi_scope      scope;
  trmi_units      units;
  trmi_complaints complaints;
  trmi_arena      arena;
  trmi_spline     curves[3]; /* the table "spring" as a curve of each kind */
  int             table_kind; /* of spring(x)                               */
  trmi_node       symbols[XP_NAMES], rates[XP_NAMES];
  trmi_node       held[XP_HELD], asked[XP_HELD]; /* symbol, and its question */
  int             nheld, ncuts;
  trmi_node       held_piece, asked_piece, cut, cut_force;
  bool            is_faulty; /* every name is                  */
  const char     *says;      /* complaint about every name     */
} xp_scope;

static const struct {
  const char    *name;
  trmi_dimension dimension;
  bool           has_rate, is_steady;
} XP_NAME[XP_NAMES] = {
    {"time", {true, 0, 0, 1, 0}, false, false}, {"x", {0}, true, false},
    {"y", {0}, true, false},                    {"z", {0}, false, false},
    {"len", {true, 1, 0, 0, 0}, true, false},   {"mass", {true, 0, 1, 0, 0}, false, false},
    {"force", {true, 0, 0, 0, 1}, false, false}, {"angle", {true, 0, 0, 0, 0}, true, false},
    {"crank.angle", {0}, true, false},          {"gear", {0}, false, true},
    {"s", {true, 1, 0, 0, 0}, false, false},    {"length", {true, 1, 0, 0, 0}, true, false},
};

static const double XP_X[] = {0.0, 1.0, 2.5, 3.0, 5.0, 6.0};
static const double XP_Y[] = {0.0, 2.0, 1.0, 1.5, -1.0, 4.0};
enum { XP_POINTS = 6 };

static inline bool xp_name(void *self, const char *name, size_t length, int primes,
                           trmi_place place, trmi_meaning *out) {
  xp_scope *s = self;
  out->is_faulty = s->is_faulty;
  if (s->says != NULL) trmi_complain(&s->complaints, place, "%s", s->says);
  for (int i = 0; i < XP_NAMES; i++) {
    if (strlen(XP_NAME[i].name) != length || memcmp(XP_NAME[i].name, name, length) != 0) continue;
    if (primes > 1 || (primes == 1 && !XP_NAME[i].has_rate)) return false;
    const trmi_dimension second = {.is_known = true, .time = 1};
    out->node = primes == 0 ? s->symbols[i] : s->rates[i];
    out->dimension = XP_NAME[i].dimension;
    if (primes > 0) out->dimension = trmi_dimension_product(out->dimension, second, -1);
    return true;
  }
  return false;
}

static inline const trmi_spline *xp_curve(void *self, const char *name, size_t length, int kind) {
  xp_scope *s = self;
  if (length != 6 || memcmp(name, "spring", 6) != 0) return NULL;
  return &s->curves[kind < 0 ? s->table_kind : kind];
}

static inline const char *xp_known(void *self, int i) {
  (void)self;
  return i < XP_NAMES ? XP_NAME[i].name : NULL;
}

static inline bool xp_is_steady(void *self, trmi_node node) {
  xp_scope *s = self;
  trmi_symbols_of(&s->walk, node);
  for (int i = 0; i < s->walk.count; i++) {
    if (s->walk.nodes[i] != s->symbols[9]) return false;
  }
  return true;
}

static inline trmi_node xp_held_sign(void *self, trmi_node difference) {
  xp_scope *s = self;
  for (int i = 0; i < s->nheld; i++) {
    if (s->asked[i] == difference) return s->held[i];
  }
  if (s->nheld == XP_HELD) return 0;
  s->asked[s->nheld] = difference;
  s->held[s->nheld] = trmi_symbol(&s->graph, 1000 + s->nheld);
  return s->held[s->nheld++];
}

/* The last one: what it watches, the force. */
static inline trmi_node xp_held_cut(void *self, trmi_node difference, trmi_node force) {
  xp_scope *s = self;
  s->ncuts++;
  s->cut = difference;
  s->cut_force = force;
  return trmi_symbol(&s->graph, 3000 + s->ncuts);
}

static inline trmi_node xp_held_piece(void *self, const trmi_spline *curve, trmi_node x) {
  xp_scope *s = self;
  (void)curve;
  s->asked_piece = x;
  if (s->held_piece == 0) s->held_piece = trmi_symbol(&s->graph, 2000);
  return s->held_piece;
}

/* Live, or with conditions that are held. */
static inline void xp_open(xp_scope *s, bool is_held) {
  const trm_allocator allocator = {0};
  memset(s, 0, sizeof *s);
  trmi_graph_init(&s->graph, &allocator, 0);
  trmi_walk_init(&s->walk, &s->graph);
  trmi_arena_init(&s->arena, &allocator);
  s->units = trmi_units_si();
  for (int i = 0; i < XP_NAMES; i++) s->symbols[i] = trmi_symbol(&s->graph, i);
  for (int i = 0; i < XP_NAMES; i++) s->rates[i] = trmi_symbol(&s->graph, 100 + i);
  trm_error err;
  for (int kind = 0; kind < 3; kind++) {
    CHECK_OK(trmi_spline_make(&s->curves[kind], &s->arena, (trmi_spline_kind)kind, XP_X, XP_Y,
                             XP_POINTS, &err),
             err);
  }
  s->table_kind = TRMI_SPLINE_LINEAR;
  s->scope = (trmi_scope){.self = s, .name = xp_name, .curve = xp_curve, .known = xp_known,
                          .is_steady = xp_is_steady,
                          .held_sign = is_held ? xp_held_sign : NULL,
                          .held_cut = is_held ? xp_held_cut : NULL,
                          .held_piece = is_held ? xp_held_piece : NULL};
}

static inline void xp_close(xp_scope *s) {
  trmi_walk_free(&s->walk);
  trmi_graph_free(&s->graph);
  trmi_arena_clear(&s->arena);
}

static inline bool xp_read_bytes(xp_scope *s, const char *text, size_t length, trmi_meaning *out) {
  const trmi_anchor anchor = {0, {.file = 0, .line = 7, .column = 11}};
  const trmi_text t = {.text = text, .length = length, .anchors = &anchor, .nanchors = 1};
  const trmi_parser parser = {.graph = &s->graph, .scope = &s->scope, .units = &s->units,
                              .complaints = &s->complaints};
  return trmi_parse(&parser, &t, out);
}

/* The text must be right. */
static inline trmi_meaning xp_read(xp_scope *s, const char *text) {
  trmi_meaning term;
  s->complaints.count = 0;
  if (!xp_read_bytes(s, text, strlen(text), &term)) {
    const trmi_complaint *c = &s->complaints.list[0];
    print_error("'%s': %d:%d: %s\n", text, c->place.line, c->place.column,
                s->complaints.count > 0 ? c->sentence : "no complaint");
    fail();
  }
  assert_int_equal(s->complaints.count, 0);
  return term;
}

/* Values of all symbols. */
typedef struct xp_inputs {
  double name[XP_NAMES], rate[XP_NAMES], held[XP_HELD], piece;
} xp_inputs;

static inline double xp_input(const xp_inputs *in, int tag) {
  if (tag < 100) return in->name[tag];
  if (tag < 1000) return in->rate[tag - 100];
  return tag < 2000 ? in->held[tag - 1000] : in->piece;
}

/* Value of a node: all nodes up to it, in their order. */
static inline double xp_value(const xp_scope *s, trmi_node n, const xp_inputs *in) {
  double *value = calloc((size_t)n + 1, sizeof *value);
  assert_non_null(value);
  for (trmi_node i = 0; i <= n; i++) {
    const trmi_vertex *v = &s->graph.nodes[i];
    value[i] = v->op == TRMI_OP_SYMBOL
                   ? xp_input(in, v->tag)
                   : trmi_apply(&s->graph, v, value[v->a], value[v->b], value[v->c]);
  }
  const double result = value[n];
  free(value);
  return result;
}

/* The partial derivative by a symbol; 0 if it is none of those that matter. */
static inline trmi_node xp_derivative(xp_scope *s, trmi_node n, trmi_node symbol) {
  trmi_gradient(&s->walk, n);
  for (int i = 0; i < s->walk.npartials; i++) {
    if (s->walk.partials[i].symbol == symbol) return s->walk.partials[i].value;
  }
  return 0;
}

/* Value of a text, with x, y, z given. */
static inline double xp_number(xp_scope *s, const char *text, double x, double y, double z) {
  const xp_inputs in = {.name = {0.75, x, y, z, 1.5, 2.0, 3.0, 0.5, 0.25, 2.0, 4.0, 5.0}};
  return xp_value(s, xp_read(s, text).node, &in);
}

#endif
