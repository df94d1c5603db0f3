/* Texts of expressions. Byte 0 chooses whether conditions are held and which units the model has,
 * the rest is the text. What is accepted has derivatives and a value, the same from the graph and
 * from a tape; what is refused has one complaint, at a place of the text. */
#include "expr/parse.h"
#include "expr/tape.h"
#include "fuzz.h"
#include <math.h>

enum { NAMES = 9, NODES = 20000, HELD_MAX = 200, TEXT_MAX = 1 << 16, ANCHORS = 8 };

static const struct {
  const char    *name;
  trmi_dimension dimension;
} NAME[NAMES] = {
    {"time", {true, 0, 0, 1, 0}}, {"x", {false, 0, 0, 0, 0}}, {"y", {false, 0, 0, 0, 0}},
    {"s", {true, 1, 0, 0, 0}},    {"m", {true, 0, 1, 0, 0}},  {"F", {true, 0, 0, 0, 1}},
    {"a.b", {true, 0, 0, 0, 0}},  {"gear", {false, 0, 0, 0, 0}}, {"x'", {true, 1, 0, -1, 0}},
};

typedef struct names {
  trmi_graph      graph;
  trmi_walk       walk;
  trmi_complaints complaints;
  trmi_node       symbols[NAMES];
  int             nheld;
} names;

static trmi_spline curves[3]; /* of the kinds, made once */

static void make_curves(void) {
  static trmi_arena arena;
  static const double x[] = {-1.0, 0.0, 0.5, 2.0, 3.0}, y[] = {1.0, 0.0, 0.25, 4.0, -1.0};
  trmi_arena_init(&arena, &(trm_allocator){0});
  for (int kind = 0; kind < 3; kind++) {
    FUZZ_REQUIRE(trmi_spline_make(&curves[kind], &arena, (trmi_spline_kind)kind, x, y, 5, NULL) ==
                 TRM_OK);
  }
}

static bool find_name(void *self, const char *name, size_t length, int primes, trmi_place place,
                      trmi_meaning *out) {
  names *n = self;
  (void)place;
  if (primes > 0) {
    out->node = n->symbols[NAMES - 1];
    out->dimension = NAME[NAMES - 1].dimension;
    return primes == 1 && length == 1 && name[0] == 'x';
  }
  for (int i = 0; i < NAMES; i++) {
    if (strlen(NAME[i].name) != length || memcmp(NAME[i].name, name, length) != 0) continue;
    out->node = n->symbols[i];
    out->dimension = NAME[i].dimension;
    return true;
  }
  return false;
}

static const trmi_spline *find_curve(void *self, const char *name, size_t length, int kind) {
  (void)self;
  if (length != 1 || (name[0] != 'T' && name[0] != 'U')) return NULL;
  return &curves[kind >= 0 ? kind : name[0] == 'T' ? 0 : 1];
}

static const char *known(void *self, int i) {
  (void)self;
  return i < NAMES ? NAME[i].name : NULL;
}

static bool is_steady(void *self, trmi_node node) {
  names *n = self;
  trmi_symbols_of(&n->walk, node);
  for (int i = 0; i < n->walk.count; i++) {
    if (n->walk.nodes[i] != n->symbols[7]) return false;
  }
  return true;
}

static trmi_node held_sign(void *self, trmi_node difference) {
  names *n = self;
  (void)difference;
  return n->nheld++ < HELD_MAX ? trmi_symbol(&n->graph, NAMES) : n->symbols[1];
}

static trmi_node held_cut(void *self, trmi_node difference, trmi_node force) {
  (void)force;
  return held_sign(self, difference);
}

static trmi_node held_piece(void *self, const trmi_spline *curve, trmi_node x) {
  (void)curve;
  return held_sign(self, x);
}

/* Values of all nodes in their order. */
static double *evaluate(const trmi_graph *g, const double *inputs) {
  double *value = malloc((size_t)g->count * sizeof *value);
  FUZZ_REQUIRE(value != NULL);
  int symbol = 0;
  for (int i = 0; i < g->count; i++) {
    const trmi_vertex *v = &g->nodes[i];
    FUZZ_REQUIRE(v->op == TRMI_OP_CONSTANT || (v->a < i && v->b < i && v->c < i) || i == 0);
    value[i] = v->op == TRMI_OP_SYMBOL ? inputs[symbol++]
                                       : trmi_apply(g, v, value[v->a], value[v->b], value[v->c]);
  }
  return value;
}

static bool is_same(double a, double b) {
  return a == b || (isnan(a) && isnan(b));
}

/* Value, gradient, and the gradient of its first entry. */
static void use(names *n, trmi_node node, trmi_arena *arena) {
  trmi_root roots[3] = {{node, 0}};
  int count = 1, slots[3];
  for (int order = 1; order < 3; order++) {
    trmi_gradient(&n->walk, roots[order - 1].node);
    if (n->walk.npartials == 0) break;
    roots[count++] = (trmi_root){n->walk.partials[n->walk.npartials / 2].value, order};
  }
  if (n->graph.failed) return;
  trmi_tape tape;
  trm_error err;
  FUZZ_REQUIRE(trmi_tape_build(&tape, &n->graph, roots, count, slots, arena, &err) == TRM_OK);
  double inputs[NAMES + HELD_MAX];
  for (int i = 0; i < NAMES + HELD_MAX; i++) inputs[i] = i < NAMES ? 0.3 * i - 0.8 : i % 2;
  FUZZ_REQUIRE(tape.nsymbols <= NAMES + HELD_MAX);
  trmi_tape_set(&tape, 0, tape.nsymbols, inputs);
  trmi_tape_run(&tape, 7);
  double *value = evaluate(&n->graph, inputs);
  for (int i = 0; i < count; i++) {
    FUZZ_REQUIRE(is_same(tape.value[slots[i]], value[roots[i].node]));
  }
  free(value);
}

static void check_complaint(const names *n, const trmi_text *text) {
  FUZZ_REQUIRE(n->complaints.count == 1 || n->graph.failed);
  if (n->complaints.count == 0) return;
  const trmi_place end = trmi_text_place(text, text->length);
  const trmi_place place = n->complaints.list[0].place;
  FUZZ_REQUIRE(n->complaints.list[0].sentence[0] != '\0');
  FUZZ_REQUIRE(place.line >= 1 && place.column >= 1);
  FUZZ_REQUIRE(place.line < end.line || (place.line == end.line && place.column <= end.column));
}

/* Every other line stands in its file ten lines below, in column 5. */
static int anchor_lines(const char *text, size_t length, trmi_anchor anchors[ANCHORS]) {
  int count = 1, line = 1;
  anchors[0] = (trmi_anchor){0, {.file = 0, .line = 1, .column = 1}};
  for (size_t i = 0; i < length && count < ANCHORS; i++) {
    if (text[i] != '\n') continue;
    line++;
    if (line % 2 == 0) continue;
    anchors[count++] = (trmi_anchor){i + 1, {.file = 0, .line = 10 * line, .column = 5}};
  }
  return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0 || size > TEXT_MAX) return 0;
  const bool is_held = (data[0] & 1) != 0, is_odd = (data[0] & 2) != 0;
  static names n;
  const trm_allocator allocator = {0};
  memset(&n, 0, sizeof n);
  trmi_graph_init(&n.graph, &allocator, NODES);
  trmi_walk_init(&n.walk, &n.graph);
  trmi_arena arena;
  trmi_arena_init(&arena, &allocator);
  for (int i = 0; i < NAMES; i++) n.symbols[i] = trmi_symbol(&n.graph, i);
  if (curves[0].x == NULL) make_curves();
  const trmi_scope scope = {.self = &n, .name = find_name, .curve = find_curve, .known = known,
                            .is_steady = is_steady, .held_sign = is_held ? held_sign : NULL,
                            .held_cut = is_held ? held_cut : NULL,
                            .held_piece = is_held ? held_piece : NULL};
  const trmi_units units = {.length = is_odd ? 1e-3 : 1.0, .mass = 1.0,
                            .time = is_odd ? 1e-3 : 1.0, .force = is_odd ? 4.448 : 1.0};
  const trmi_parser parser = {.graph = &n.graph, .scope = &scope, .units = &units,
                              .complaints = &n.complaints};

  /* a copy of its own ends where the text ends, so that reading beyond is seen */
  char *copy = malloc(size);
  FUZZ_REQUIRE(copy != NULL);
  memcpy(copy, data + 1, size - 1);
  copy[size - 1] = '\0';
  trmi_anchor anchors[ANCHORS];
  const int nanchors = anchor_lines(copy, size - 1, anchors);
  const trmi_text text = {.text = copy, .length = size - 1, .anchors = anchors,
                          .nanchors = nanchors};
  trmi_meaning term;
  if (trmi_parse(&parser, &text, &term)) {
    FUZZ_REQUIRE(n.complaints.count == 0 && !n.graph.failed);
    use(&n, term.node, &arena);
  } else {
    FUZZ_REQUIRE(term.node == 0);
    check_complaint(&n, &text);
  }
  free(copy);
  trmi_arena_clear(&arena);
  trmi_walk_free(&n.walk);
  trmi_graph_free(&n.graph);
  return 0;
}
