/* graph.c - the store of nodes: each exists once, found by a hash of its operation and
 * arguments. */
#include "expr/graph.h"
#include "core/arena.h"
#include "expr/graph_internal.h"
#include <math.h>
#include <string.h>

enum { FIRST_SIZE = 256, DEFAULT_LIMIT = 5 * 1000 * 1000 };

bool trmi_list_grow(const trm_allocator *allocator, void **list, size_t used, size_t wanted) {
  void *larger = trmi_allocate(allocator, wanted);
  if (larger == NULL) return false;
  if (used > 0) memcpy(larger, *list, used);
  trmi_release(allocator, *list);
  *list = larger;
  return true;
}

static int next_size(int size) {
  return size == 0 ? FIRST_SIZE : 2 * size;
}

static unsigned hash_of(const trmi_vertex *v) {
  unsigned long long bits;
  memcpy(&bits, &v->value, sizeof bits);
  bits ^= bits >> 32; /* small whole numbers differ in high bits only, which products move up */
  unsigned long long h = (unsigned long long)v->op * 0x9E3779B97F4A7C15ULL;
  const unsigned long long parts[] = {(unsigned)v->a, (unsigned)v->b, (unsigned)v->c,
                                      (unsigned)v->tag, bits};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    h = (h ^ parts[i]) * 0xFF51AFD7ED558CCDULL;
    h ^= h >> 32;
  }
  return (unsigned)h;
}

static bool is_same(const trmi_vertex *x, const trmi_vertex *y) {
  return x->op == y->op && x->a == y->a && x->b == y->b && x->c == y->c && x->tag == y->tag &&
         memcmp(&x->value, &y->value, sizeof x->value) == 0;
}

/* Position of a vertex in the hash, or the empty position for it. */
static int *find(const trmi_graph *g, const trmi_vertex *v) {
  const unsigned mask = 2 * (unsigned)g->size - 1;
  unsigned i = hash_of(v) & mask;
  while (g->hash[i] != 0 && !is_same(&g->nodes[g->hash[i] - 1], v)) i = (i + 1) & mask;
  return &g->hash[i];
}

static bool make_room(trmi_graph *g) {
  if (g->count < g->size) return true;
  const int size = next_size(g->size);
  void *nodes = g->nodes;
  int *hash = trmi_allocate(&g->allocator, 2 * (size_t)size * sizeof *hash);
  if (hash == NULL || !trmi_list_grow(&g->allocator, &nodes, (size_t)g->count * sizeof *g->nodes,
                            (size_t)size * sizeof *g->nodes)) {
    trmi_release(&g->allocator, hash);
    return false;
  }
  memset(hash, 0, 2 * (size_t)size * sizeof *hash);
  trmi_release(&g->allocator, g->hash);
  g->nodes = nodes, g->hash = hash, g->size = size;
  for (int i = 0; i < g->count; i++) {
    if (g->nodes[i].op != TRMI_OP_SYMBOL) *find(g, &g->nodes[i]) = i + 1;
  }
  return true;
}

static trmi_node append(trmi_graph *g, const trmi_vertex *v) {
  if (g->count >= g->limit) g->failed = g->is_too_large = true;
  if (!g->failed && !make_room(g)) g->failed = true;
  if (g->failed) return 0;
  g->nodes[g->count] = *v;
  g->nodes[g->count].place = g->place;
  return g->count++;
}

trmi_node trmi_intern(trmi_graph *g, const trmi_vertex *v) {
  if (g->failed) return 0;
  int *at = find(g, v);
  if (*at != 0) return *at - 1;
  const bool moves = g->count == g->size; /* the hash is rebuilt */
  const trmi_node n = append(g, v);
  if (g->failed) return 0;
  if (moves) at = find(g, v);
  *at = n + 1;
  return n;
}

void trmi_graph_init(trmi_graph *g, const trm_allocator *allocator, int limit) {
  *g = (trmi_graph){.limit = limit > 0 ? limit : DEFAULT_LIMIT, .place = -1};
  if (allocator != NULL) g->allocator = *allocator;
  if (!make_room(g)) g->failed = true;
  const double first[] = {[0] = 0.0, [TRMI_ONE] = 1.0, [TRMI_MINUS_ONE] = -1.0};
  for (size_t i = 0; i < sizeof first / sizeof *first; i++) (void)trmi_constant(g, first[i]);
}

void trmi_graph_free(trmi_graph *g) {
  trmi_release(&g->allocator, g->nodes);
  trmi_release(&g->allocator, g->hash);
  trmi_release(&g->allocator, g->places);
  trmi_release(&g->allocator, g->curves);
  *g = (trmi_graph){0};
}

trm_status trmi_graph_check(const trmi_graph *g, trm_error *err) {
  if (g->is_too_large) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL,
                     "the expressions of the model and their derivatives need more than %d "
                     "operations or entries of matrices", g->limit);
  }
  if (g->failed) return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "out of memory");
  return TRM_OK;
}

void trmi_graph_at(trmi_graph *g, trmi_place place) {
  if (g->failed) return;
  if (g->nplaces == g->places_size) {
    const int size = next_size(g->places_size);
    void *places = g->places;
    if (!trmi_list_grow(&g->allocator, &places, (size_t)g->nplaces * sizeof place,
              (size_t)size * sizeof place)) {
      g->failed = true;
      return;
    }
    g->places = places, g->places_size = size;
  }
  g->place = g->nplaces;
  g->places[g->nplaces++] = place;
}

trmi_place trmi_graph_here(const trmi_graph *g) {
  return g->place >= 0 ? g->places[g->place] : (trmi_place){0};
}

trmi_place trmi_graph_place(const trmi_graph *g, trmi_node n) {
  const int place = g->nodes[n].place;
  return place >= 0 ? g->places[place] : (trmi_place){0};
}

trmi_node trmi_symbol(trmi_graph *g, int tag) {
  return append(g, &(trmi_vertex){.op = TRMI_OP_SYMBOL, .tag = tag});
}

/* Number of a curve in the list of the graph. */
static int curve_number(trmi_graph *g, const trmi_spline *curve) {
  for (int i = 0; i < g->ncurves; i++) {
    if (g->curves[i] == curve) return i;
  }
  if (g->ncurves == g->curves_size) {
    const int size = next_size(g->curves_size);
    void *curves = g->curves;
    if (!trmi_list_grow(&g->allocator, &curves, (size_t)g->ncurves * sizeof curve,
              (size_t)size * sizeof curve)) {
      g->failed = true;
      return 0;
    }
    g->curves = curves, g->curves_size = size;
  }
  g->curves[g->ncurves] = curve;
  return g->ncurves++;
}

int trmi_spline_tag(trmi_graph *g, const trmi_spline *curve, int order) {
  return curve_number(g, curve) * 8 + order + 1;
}

bool trmi_is_constant(const trmi_graph *g, trmi_node n) {
  return g->count == 0 || g->nodes[n].op == TRMI_OP_CONSTANT;
}

double trmi_present(const trmi_graph *g, trmi_node n) {
  return g->count > 0 && trmi_is_constant(g, n) ? g->nodes[n].value : (double)NAN;
}
