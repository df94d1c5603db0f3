/* gradient.c - exact derivatives by the chain rule, from the result to the symbols.
 *
 * With s_n = d(result)/d(n), s_result = 1, each node n = f(a, b) propagates
 *   s_a += s_n df/da,   s_b += s_n df/db                                       (1)
 * to its arguments, in descending order of the nodes: when a node is reached, all its users have
 * been processed. The products in (1) are nodes of the same graph.
 *
 * Of a choice only the chosen branch may count, even if the other has no value:
 * if(x > 0, sqrt(x), 0) is flat at -1, although the root and its rate are not numbers there, and
 * 0 times such a rate is none either. So a sensitivity `condition ? s : 0` is not multiplied; its
 * mask is removed before (1) and applied to the products again. */
#include "core/arena.h"
#include "expr/graph_internal.h"
#include <stdlib.h>
#include <string.h>

void trmi_walk_init(trmi_walk *w, trmi_graph *g) {
  *w = (trmi_walk){.graph = g};
}

void trmi_walk_free(trmi_walk *w) {
  const trm_allocator *allocator = &w->graph->allocator;
  trmi_release(allocator, w->nodes);
  trmi_release(allocator, w->mark);
  trmi_release(allocator, w->adjoint);
  trmi_release(allocator, w->partials);
  *w = (trmi_walk){.graph = w->graph};
}

/* Enlarge a list to `wanted` entries of that size; its content is kept. */
static bool resize(trmi_walk *w, void **list, int old, int wanted, size_t size) {
  const trm_allocator *allocator = &w->graph->allocator;
  if (trmi_list_grow(allocator, list, (size_t)old * size, (size_t)wanted * size)) return true;
  w->graph->failed = true;
  return false;
}

/* Marks for all nodes. */
static bool cover_graph(trmi_walk *w) {
  if (w->marks >= w->graph->count) return true;
  const int wanted = w->graph->size;
  void *mark = w->mark;
  if (!resize(w, &mark, w->marks, wanted, sizeof *w->mark)) return false;
  w->mark = mark;
  memset(w->mark + w->marks, 0, (size_t)(wanted - w->marks) * sizeof *w->mark);
  w->marks = wanted;
  return true;
}

static bool reach(trmi_walk *w, trmi_node n) {
  if (w->mark[n] != 0) return true;
  if (w->count == w->size) {
    const int wanted = w->size == 0 ? 256 : 2 * w->size;
    void *nodes = w->nodes, *adjoint = w->adjoint;
    if (!resize(w, &nodes, w->size, wanted, sizeof *w->nodes)) return false;
    w->nodes = nodes;
    if (!resize(w, &adjoint, 0, wanted, sizeof *w->adjoint)) return false;
    w->adjoint = adjoint;
    w->size = wanted;
  }
  w->mark[n] = 1;
  w->nodes[w->count++] = n;
  return true;
}

static int ascending(const void *x, const void *y) {
  const trmi_node a = *(const trmi_node *)x, b = *(const trmi_node *)y;
  return (a > b) - (a < b);
}

/* Limit of all walks over a graph together: some ten seconds. A sum of thousands of velocities,
 * squared, would take hours. */
static const long work_limit = 100 * 1000 * 1000;

/* All nodes that n depends on, including n, ascending; constants are omitted. */
static bool collect(trmi_walk *w, trmi_node n) {
  w->count = 0;
  if (w->graph->failed || !cover_graph(w)) return false;
  if (trmi_is_constant(w->graph, n)) return true;
  bool ok = reach(w, n);
  for (int i = 0; i < w->count && ok; i++) {
    const trmi_vertex *v = &w->graph->nodes[w->nodes[i]];
    const trmi_node arguments[] = {v->a, v->b, v->c};
    for (int k = 0; k < 3 && ok; k++) {
      if (!trmi_is_constant(w->graph, arguments[k])) ok = reach(w, arguments[k]);
    }
  }
  w->work += w->count;
  if (w->work > work_limit) w->graph->failed = w->graph->is_too_large = true;
  if (w->count > 0) qsort(w->nodes, (size_t)w->count, sizeof *w->nodes, ascending);
  for (int i = 0; i < w->count; i++) w->mark[w->nodes[i]] = ok ? i + 1 : 0;
  return ok;
}

static void unmark(trmi_walk *w) {
  for (int i = 0; i < w->count; i++) w->mark[w->nodes[i]] = 0;
}

void trmi_symbols_of(trmi_walk *w, trmi_node n) {
  if (!collect(w, n)) {
    w->count = 0;
    return;
  }
  unmark(w);
  int kept = 0;
  for (int i = 0; i < w->count; i++) {
    if (w->graph->nodes[w->nodes[i]].op == TRMI_OP_SYMBOL) w->nodes[kept++] = w->nodes[i];
  }
  w->count = kept;
}

/* ---- masks ---- */

/* A mask: a value counts only where the condition holds (is_yes) or fails; condition 0:
 * everywhere. */
typedef struct mask {
  trmi_node condition;
  bool      is_yes;
} mask;

static const mask NO_MASK = {0, true};

static trmi_node cover(trmi_graph *g, mask m, trmi_node s) {
  if (m.condition == 0) return s;
  return m.is_yes ? trmi_select(g, m.condition, s, 0) : trmi_select(g, m.condition, 0, s);
}

static mask both(trmi_graph *g, mask a, mask b) {
  const trmi_node one = trmi_constant(g, 1.0), p = a.condition, q = b.condition;
  if (p == 0) return b;
  if (!a.is_yes && !b.is_yes) return (mask){trmi_select(g, p, one, q), false};
  if (!a.is_yes) return (mask){trmi_select(g, p, 0, q), true};
  return (mask){trmi_select(g, p, b.is_yes ? q : trmi_select(g, q, 0, one), 0), true};
}

/* not (not a and not b) */
static mask either(trmi_graph *g, mask a, mask b) {
  a.is_yes = !a.is_yes, b.is_yes = !b.is_yes;
  mask m = both(g, a, b);
  m.is_yes = !m.is_yes;
  return m;
}

/* Remove all masks from s, also below signs and constant factors. */
static mask uncover(trmi_graph *g, trmi_node *s) {
  mask m = NO_MASK;
  trmi_node factor = TRMI_ONE, rest = *s;
  for (;;) {
    const trmi_vertex v = g->nodes[rest];
    if (v.op == TRMI_OP_SELECT && (v.b == 0 || v.c == 0)) {
      m = both(g, m, (mask){v.a, v.c == 0});
      rest = v.c == 0 ? v.b : v.c;
    } else if (v.op == TRMI_OP_NEG) {
      factor = trmi_fold(g, TRMI_OP_NEG, factor, 0);
      rest = v.a;
    } else if (v.op == TRMI_OP_MUL && trmi_is_constant(g, v.a)) {
      factor = trmi_fold(g, TRMI_OP_MUL, factor, v.a);
      rest = v.b;
    } else {
      break;
    }
  }
  if (m.condition != 0) *s = trmi_mul(g, factor, rest);
  return m;
}

/* a + b; if both have masks, the sum has one. */
static trmi_node masked_sum(trmi_graph *g, trmi_node a, trmi_node b) {
  if (a == 0 || b == 0) return trmi_add(g, a, b);
  trmi_node bare_a = a, bare_b = b;
  const mask ma = uncover(g, &bare_a), mb = uncover(g, &bare_b);
  if (ma.condition == 0 || mb.condition == 0) return trmi_add(g, a, b);
  if (ma.condition == mb.condition && ma.is_yes == mb.is_yes) {
    return cover(g, ma, trmi_add(g, bare_a, bare_b));
  }
  return cover(g, either(g, ma, mb), trmi_add(g, a, b));
}

/* ---- rates ---- */

/* s_argument += s under the mask, (1) */
static void hand_on(trmi_walk *w, mask m, trmi_node argument, trmi_node s) {
  if (trmi_is_constant(w->graph, argument)) return;
  trmi_node *adjoint = &w->adjoint[w->mark[argument] - 1];
  *adjoint = masked_sum(w->graph, *adjoint, cover(w->graph, m, s));
}

/* df/da of a function of one argument, times s. */
static trmi_node function_rate(trmi_graph *g, trmi_node n, trmi_node a, trmi_op op, trmi_node s) {
  const trmi_node one = trmi_constant(g, 1.0);
  switch (op) {
  case TRMI_OP_SQRT: return trmi_div(g, trmi_mul(g, trmi_constant(g, 0.5), s), n);
  case TRMI_OP_EXP: return trmi_mul(g, s, n);
  case TRMI_OP_LOG: return trmi_div(g, s, a);
  case TRMI_OP_SIN: return trmi_mul(g, s, trmi_function(g, TRMI_OP_COS, a));
  case TRMI_OP_COS: return trmi_neg(g, trmi_mul(g, s, trmi_function(g, TRMI_OP_SIN, a)));
  case TRMI_OP_TAN: return trmi_mul(g, s, trmi_add(g, one, trmi_mul(g, n, n)));
  case TRMI_OP_SINH: return trmi_mul(g, s, trmi_function(g, TRMI_OP_COSH, a));
  case TRMI_OP_COSH: return trmi_mul(g, s, trmi_function(g, TRMI_OP_SINH, a));
  case TRMI_OP_TANH: return trmi_mul(g, s, trmi_sub(g, one, trmi_mul(g, n, n)));
  default: break;
  }
  const trmi_node square = trmi_mul(g, a, a);
  switch (op) {
  case TRMI_OP_ASIN:
    return trmi_div(g, s, trmi_function(g, TRMI_OP_SQRT, trmi_sub(g, one, square)));
  case TRMI_OP_ACOS:
    return trmi_neg(g, trmi_div(g, s, trmi_function(g, TRMI_OP_SQRT, trmi_sub(g, one, square))));
  case TRMI_OP_ATAN: return trmi_div(g, s, trmi_add(g, one, square));
  case TRMI_OP_ASINH:
    return trmi_div(g, s, trmi_function(g, TRMI_OP_SQRT, trmi_add(g, one, square)));
  case TRMI_OP_ACOSH:
    return trmi_div(g, s, trmi_function(g, TRMI_OP_SQRT, trmi_sub(g, square, one)));
  case TRMI_OP_ATANH: return trmi_div(g, s, trmi_sub(g, one, square));
  default: return 0;
  }
}

static void hand_on_atan2(trmi_walk *w, mask m, trmi_vertex v, trmi_node s) {
  trmi_graph *g = w->graph;
  const trmi_node square = trmi_add(g, trmi_mul(g, v.a, v.a), trmi_mul(g, v.b, v.b));
  const trmi_node over = trmi_div(g, s, square);
  hand_on(w, m, v.a, trmi_mul(g, over, v.b));
  hand_on(w, m, v.b, trmi_neg(g, trmi_mul(g, over, v.a)));
}

static void hand_on_pow(trmi_walk *w, mask m, trmi_node n, trmi_vertex v, trmi_node s) {
  trmi_graph *g = w->graph;
  const trmi_node lower = trmi_pow(g, v.a, trmi_sub(g, v.b, trmi_constant(g, 1.0)));
  hand_on(w, m, v.a, trmi_mul(g, s, trmi_mul(g, v.b, lower)));
  if (trmi_is_constant(g, v.b)) return;
  hand_on(w, m, v.b, trmi_mul(g, s, trmi_mul(g, n, trmi_function(g, TRMI_OP_LOG, v.a))));
}

/* Node n propagates s to its arguments. */
static void spread(trmi_walk *w, trmi_node n, trmi_node s) {
  trmi_graph *g = w->graph;
  const trmi_vertex v = g->nodes[n];
  g->place = v.place;
  const bool is_sum = v.op == TRMI_OP_ADD || v.op == TRMI_OP_SUB || v.op == TRMI_OP_NEG ||
                      v.op == TRMI_OP_SELECT || (v.op == TRMI_OP_MUL && trmi_is_constant(g, v.a));
  const mask m = is_sum ? NO_MASK : uncover(g, &s);
  switch (v.op) {
  case TRMI_OP_ADD:
    hand_on(w, m, v.a, s);
    hand_on(w, m, v.b, s);
    break;
  case TRMI_OP_SUB:
    hand_on(w, m, v.a, s);
    hand_on(w, m, v.b, trmi_neg(g, s));
    break;
  case TRMI_OP_MUL:
    hand_on(w, m, v.a, trmi_mul(g, s, v.b));
    hand_on(w, m, v.b, trmi_mul(g, s, v.a));
    break;
  case TRMI_OP_DIV: {
    const trmi_node over = trmi_div(g, s, v.b);
    hand_on(w, m, v.a, over);
    hand_on(w, m, v.b, trmi_neg(g, trmi_mul(g, over, n)));
    break;
  }
  case TRMI_OP_NEG: hand_on(w, m, v.a, trmi_neg(g, s)); break;
  case TRMI_OP_ATAN2: hand_on_atan2(w, m, v, s); break;
  case TRMI_OP_POW: hand_on_pow(w, m, n, v, s); break;
  case TRMI_OP_SELECT:
    hand_on(w, m, v.b, trmi_select(g, v.a, s, 0));
    hand_on(w, m, v.c, trmi_select(g, v.a, 0, s));
    break;
  case TRMI_OP_SPLINE:
    if (trmi_tag_order(v.tag) < 3) {
      const trmi_spline *curve = trmi_tag_spline(g, v.tag);
      hand_on(w, m, v.a,
              trmi_mul(g, s, trmi_spline_node(g, curve, trmi_tag_order(v.tag) + 1, v.a)));
    }
    break;
  case TRMI_OP_CONSTANT:
  case TRMI_OP_SYMBOL:
  case TRMI_OP_LESS:
  case TRMI_OP_LESS_EQUAL:
  case TRMI_OP_EQUAL:
  case TRMI_OP_FLOOR:
  case TRMI_OP_PIECE:
  case TRMI_OPS: break;
  default: hand_on(w, m, v.a, function_rate(g, n, v.a, v.op, s)); break;
  }
}

static bool add_partial(trmi_walk *w, trmi_node symbol, trmi_node value) {
  if (w->npartials == w->partials_size) {
    const int wanted = w->partials_size == 0 ? 64 : 2 * w->partials_size;
    void *partials = w->partials;
    if (!resize(w, &partials, w->npartials, wanted, sizeof *w->partials)) return false;
    w->partials = partials, w->partials_size = wanted;
  }
  w->partials[w->npartials++] = (trmi_partial){symbol, value};
  return true;
}

void trmi_gradient(trmi_walk *w, trmi_node n) {
  trmi_graph *g = w->graph;
  w->npartials = 0;
  if (!collect(w, n) || w->count == 0) return;
  const int place = g->place;
  memset(w->adjoint, 0, (size_t)w->count * sizeof *w->adjoint);
  w->adjoint[w->count - 1] = trmi_constant(g, 1.0);
  for (int i = w->count - 1; i >= 0; i--) {
    if (w->adjoint[i] != 0) spread(w, w->nodes[i], w->adjoint[i]);
  }
  for (int i = 0; i < w->count; i++) {
    const bool is_symbol = g->nodes[w->nodes[i]].op == TRMI_OP_SYMBOL;
    if (is_symbol && w->adjoint[i] != 0 && !add_partial(w, w->nodes[i], w->adjoint[i])) break;
  }
  g->place = place;
  unmark(w);
}
