/* equations_conditions.c - conditions that are held between events, and evaluation beyond them.
 *
 * While texts are read, every condition on the state is a discrete value z that events switch. Its
 * importance is the order J of the jump it causes in forces, states and variables (expr/corners.h);
 * potentials, kinetic energies and masses count one order less, constraints two, since forces are
 * derivatives of them:
 *   no effect, as in outputs      evaluated directly, no event
 *   J > 1, a law with a continuous derivative such as max(x, 0)^1.5: likewise               (1)
 *   0 < J < 1, an infinite slope such as sqrt(abs(x)): direct, with an event                (2)
 *   J = 1, a kink; J = 0, a jump: held, so that steps are smooth up to the event            (3)
 *
 * A held condition is wrong beyond its corner, which Newton's method and the end of a step may
 * reach. Then
 *   - the argument of a function that is not defined everywhere (root, power, logarithm, quotient,
 *   ..) is evaluated directly, if it is continuous: max(x, 1e-6) is never less                (4)
 *   - roots and powers in a branch that is held although its condition is not met keep their value
 * at the end of their domain: if(x > 0, sqrt(x), 0) continues as zero. If the condition is met they
 * are evaluated as typed, and fail if undefined                                             (5)
 * In both cases a root has slope zero where it is zero, not an infinite one. */
#include "expr/corners.h"
#include "expr/remake.h"
#include "equations/equations_internal.h"
#include <math.h>

typedef enum fate { KEEP, LIVE, LIVE_EVENT } fate; /* (3); (1); (2) */

typedef struct conditions {
  trmi_compiler *b;
  trmi_corners  corners;
  fate         *fates;   /* of events                                              [nevents] */
  double       *value;   /* order of the jump in values, least of all roots        [nevents] */
  unsigned char *inside; /* contents of the argument of node n: bits               [nodes]   */
  unsigned char *has_root; /* node n contains a root or power                      [nodes]   */
  trmi_remake   held, live; /* (3); all conditions evaluated directly                        */
  bool         *is_made; /* event i is done in both of them                        [nevents] */
  int          *of_z;    /* the condition that discrete value z holds, or -1       [nz]      */
  long          work;
} conditions;

enum { IS_CONTINUOUS = 1, IS_JUMP = 2 };
enum { WORK_MAX = 50 * 1000 * 1000 }; /* nodes; with more of them conditions are unchanged */

/* ---- orders ---- */

/* The argument of an operation that is not defined everywhere, or -1. */
static trmi_node narrow(const trmi_vertex *v) {
  switch (v->op) {
  case TRMI_OP_DIV: return v->b;
  case TRMI_OP_SQRT: case TRMI_OP_LOG: case TRMI_OP_ASIN: case TRMI_OP_ACOS: case TRMI_OP_ACOSH:
  case TRMI_OP_ATANH: case TRMI_OP_POW: return v->a;
  default: return -1;
  }
}

/* The least order of the jump that condition i causes in a row of nodes. */
static void look(conditions *c, int i, const trmi_node *nodes, int count, double less,
                 double *least) {
  for (int k = 0; k < count; k++) {
    const double J = trmi_corners_jump(&c->corners, i, nodes[k]);
    *least = fmin(*least, J - less);
    c->value[i] = fmin(c->value[i], J);
  }
}

static double look_at_all(conditions *c, int i) {
  const trmi_compiler *b = c->b;
  const trm_sizes *n = &b->eq->n;
  double least = (double)INFINITY;
  c->value[i] = (double)INFINITY;
  look(c, i, b->force, b->nv_all, 0.0, &least);
  look(c, i, b->d, b->eq->nstates, 0.0, &least);
  look(c, i, b->w, n->nw, 0.0, &least);
  look(c, i, b->g, n->ng, 2.0, &least);
  look(c, i, b->a, n->na, 1.0, &least);
  look(c, i, &b->potential, 1, 1.0, &least);
  look(c, i, &b->kinetic, 1, 1.0, &least);
  for (int k = 0; k < b->nmass; k++) look(c, i, &b->mass[k].node, 1, 1.0, &least);
  for (int k = 0; k < b->entries.count; k++) {
    const trmi_entry *entry = &b->entries.list[k];
    if (entry->group == TRMI_RESULT_LAW) look(c, i, &entry->node, 1, 1.0, &least);
  }
  return least;
}

static void mark_arguments(conditions *c, int i) {
  for (int k = 0; k < c->corners.n; k++) {
    const trmi_node n = c->corners.list[k], u = narrow(&c->b->graph.nodes[n]);
    const double J = u > 0 ? trmi_corners_jump(&c->corners, i, u) : (double)INFINITY;
    if (J < (double)INFINITY) c->inside[n] |= J > 0.0 ? IS_CONTINUOUS : IS_JUMP;
  }
}

/* Decide the fates of all conditions; false: they are unchanged. */
static bool decide(conditions *c) {
  trmi_compiler *b = c->b;
  for (int i = 0; i < b->nevents; i++) {
    c->value[i] = 0.0;
    if (b->events[i].trigger != TRMI_SIGN) continue;
    const trmi_corner corner = {b->held_z[i], b->function[i], b->events[i].vanishes};
    trmi_corners_find(&c->corners, i, &corner);
    if (c->corners.work > WORK_MAX) return false;
    const double J = look_at_all(c, i);
    c->fates[i] = J > 1.0 ? LIVE : J > 0.0 && J < 1.0 ? LIVE_EVENT : KEEP;
    mark_arguments(c, i);
  }
  return true;
}

/* ---- domains ---- */

static trmi_node one_of(trmi_graph *g) {
  return trmi_constant(g, 1.0);
}

/* Can the node obviously not be negative? */
static bool is_size(trmi_graph *g, trmi_node n, int depth) {
  const trmi_vertex v = g->nodes[n];
  if (depth == 0) return false;
  switch (v.op) {
  case TRMI_OP_CONSTANT: return n == 0 || trmi_is_true(g, trmi_less(g, 0, n));
  case TRMI_OP_SQRT:
  case TRMI_OP_EXP: return true;
  case TRMI_OP_MUL:
    return v.a == v.b || (is_size(g, v.a, depth - 1) && is_size(g, v.b, depth - 1));
  case TRMI_OP_ADD: return is_size(g, v.a, depth - 1) && is_size(g, v.b, depth - 1);
  default: return false;
  }
}

/* (5): n = op(u) as typed inside its domain, and also outside if `ok`, where failing is the fault
 * of the text; otherwise the value at the end of the domain. */
static trmi_node limited(trmi_graph *g, trmi_node n, trmi_node ok) {
  const double quarter = 1.57079632679489661923;
  const trmi_vertex v = g->nodes[n];
  const trmi_node u = v.a, one = one_of(g);
  trmi_node in = 0, out = 0, end = 0;
  switch (v.op) {
  case TRMI_OP_POW:
    if (!(trmi_value_of(g, v.b) > 0.0)) return n;
    in = trmi_less(g, 0, u), out = trmi_less(g, u, 0);
    break;
  case TRMI_OP_SQRT: in = trmi_less(g, 0, u), out = trmi_less(g, u, 0); break;
  case TRMI_OP_ACOSH: in = trmi_less(g, one, u), out = trmi_less(g, u, one); break;
  case TRMI_OP_ASIN:
  case TRMI_OP_ACOS: {
    const trmi_node square = trmi_mul(g, u, u), up = trmi_less(g, 0, u);
    const bool is_asin = v.op == TRMI_OP_ASIN;
    in = trmi_less(g, square, one), out = trmi_less(g, one, square);
    end = trmi_select(g, up, trmi_constant(g, is_asin ? quarter : 0.0),
                      trmi_constant(g, is_asin ? -quarter : 2 * quarter));
    break;
  }
  default: return n;
  }
  if (trmi_is_constant(g, u) || is_size(g, u, 8)) return n;
  return trmi_select(g, in, n, trmi_select(g, trmi_select(g, ok, out, 0), n, end));
}

/* Limit the roots of a branch; the node `self` is true if its condition is met. */
static trmi_node make_limited(trmi_remake *r, trmi_node old, const trmi_node arguments[3]) {
  const trmi_node n = trmi_remake_plain(r, old, arguments);
  const trmi_op op = r->graph->nodes[old].op;
  return op == r->graph->nodes[n].op ? limited(r->graph, n, *(const trmi_node *)r->self) : n;
}

/* A branch of a choice that may be evaluated where its condition is not met. */
static trmi_node guarded(conditions *c, trmi_node branch, trmi_node ok) {
  trmi_graph *g = &c->b->graph;
  trmi_arena arena;
  trmi_remake r;
  c->work += g->count;
  if (trmi_is_constant(g, branch) || c->work > WORK_MAX) return branch;
  trmi_arena_init(&arena, &g->allocator);
  if (trmi_remake_init(&r, g, &arena, make_limited, &ok)) branch = trmi_remake_node(&r, branch);
  else g->failed = true;
  trmi_arena_clear(&arena);
  return branch;
}

/* ---- remaking ---- */

/* The condition of a symbol, or -1. */
static int event_of(const conditions *c, trmi_node symbol) {
  const bool is_value = trmi_input_of(c->b, symbol) == TRMI_IN_Z;
  const int i = is_value ? c->of_z[trmi_index_of(c->b, symbol)] : -1;
  return i >= 0 && c->b->events[i].trigger == TRMI_SIGN ? i : -1;
}

/* The fate of the condition of a choice: the first held condition in it. */
static bool is_condition(conditions *c, trmi_node condition, fate *out) {
  trmi_compiler *b = c->b;
  trmi_symbols_of(&b->walk, condition);
  bool found = false;
  for (int k = 0; k < b->walk.count; k++) {
    const int i = event_of(c, b->walk.nodes[k]);
    if (i < 0 || c->fates[i] == LIVE) continue;
    if (!found || c->fates[i] == KEEP) *out = c->fates[i];
    found = true;
  }
  return found;
}

/* (5) */
static trmi_node make_choice(trmi_remake *r, trmi_node old, const trmi_node made[3]) {
  conditions *c = r->self;
  trmi_graph *g = r->graph;
  const trmi_vertex v = g->nodes[old];
  trmi_node yes = made[1], no = made[2];
  fate of = LIVE;
  const bool has_root = c->has_root[v.b] != 0 || c->has_root[v.c] != 0;
  if (r == &c->held && has_root && is_condition(c, v.a, &of)) {
    const trmi_node one = one_of(g), met = trmi_remake_node(&c->live, v.a);
    const bool is_held = of == KEEP;
    if (c->has_root[v.b]) yes = guarded(c, yes, is_held ? met : one);
    if (c->has_root[v.c]) no = guarded(c, no, is_held ? trmi_select(g, met, 0, one) : one);
  }
  return trmi_select(g, made[0], yes, no);
}

static trmi_node make(trmi_remake *r, trmi_node old, const trmi_node made[3]) {
  conditions *c = r->self;
  trmi_graph *g = r->graph;
  const trmi_vertex v = g->nodes[old];
  if (v.op == TRMI_OP_SELECT) return make_choice(r, old, made);
  if (narrow(&v) < 0 || c->inside[old] == 0) return trmi_remake_plain(r, old, made);
  trmi_node a = made[0], b = made[1];
  if (c->inside[old] == IS_CONTINUOUS && r != &c->live) { /* (4) */
    if (v.op == TRMI_OP_DIV) b = trmi_remake_node(&c->live, v.b);
    else a = trmi_remake_node(&c->live, v.a);
  }
  const trmi_node arguments[3] = {a, b, 0};
  const trmi_node n = trmi_remake_plain(r, old, arguments);
  return g->nodes[n].op == v.op ? limited(g, n, one_of(g)) : n;
}

/* Condition i evaluated directly, in both remakings, after those it depends on. */
static void make_now(conditions *c, int i) {
  trmi_compiler *b = c->b;
  if (c->is_made[i]) return;
  c->is_made[i] = true;
  trmi_symbols_of(&b->walk, b->function[i]);
  const int count = b->walk.count;
  int *others = TRMI_TAKE(&b->scratch, int, count);
  if (others == NULL) return;
  for (int k = 0; k < count; k++) others[k] = event_of(c, b->walk.nodes[k]);
  for (int k = 0; k < count; k++) {
    if (others[k] >= 0) make_now(c, others[k]);
  }
  const trmi_node z = b->held_z[i];
  c->live.map[z] = trmi_less_equal(&b->graph, 0, trmi_remake_node(&c->live, b->function[i]));
  if (c->fates[i] != KEEP) {
    c->held.map[z] = trmi_less_equal(&b->graph, 0, trmi_remake_node(&c->held, b->function[i]));
  }
}

static void remake_list(conditions *c, trmi_node *nodes, int count) {
  for (int k = 0; k < count; k++) nodes[k] = trmi_remake_node(&c->held, nodes[k]);
}

static void remake_all(conditions *c) {
  trmi_compiler *b = c->b;
  const trm_sizes *n = &b->eq->n;
  remake_list(c, b->force, b->nv_all);
  remake_list(c, b->d, b->eq->nstates);
  remake_list(c, b->w, n->nw);
  remake_list(c, b->g, n->ng);
  remake_list(c, b->a, n->na);
  remake_list(c, &b->potential, 1);
  remake_list(c, &b->kinetic, 1);
  remake_list(c, &b->kinetic_shown, 1);
  remake_list(c, &b->damper_power, 1);
  remake_list(c, &b->friction_power, 1);
  remake_list(c, b->function, b->nevents);
  for (int k = 0; k < b->nmass; k++) remake_list(c, &b->mass[k].node, 1);
  for (int k = 0; k < b->entries.count; k++) remake_list(c, &b->entries.list[k].node, 1);
}

/* Conditions that are not held need no discrete value: remove theirs. Returns the number of the
 * others; the first `given` are typed ones and next times of events. */
static int number_values(conditions *c, int given) {
  trmi_compiler *b = c->b;
  int count = given;
  for (int z = given; z < b->nz; z++) {
    const int i = c->of_z[z];
    if (i < 0 || c->fates[i] == LIVE) continue;
    const trmi_node symbol = b->held_z[c->of_z[count]];
    c->held.map[b->held_z[i]] = c->live.map[b->held_z[i]] = symbol;
    b->events[i].z = count++;
  }
  return count;
}

/* The condition held by each discrete value; returns the number of those that hold none, which come
 * first. */
static int find_values(conditions *c) {
  const trmi_compiler *b = c->b;
  int given = b->nz;
  for (int z = 0; z < b->nz; z++) c->of_z[z] = -1;
  for (int i = 0; i < b->nevents; i++) {
    const trmi_event *event = &b->events[i];
    if (event->trigger != TRMI_SIGN && event->trigger != TRMI_PIECE) continue;
    c->of_z[event->z] = i;
    if (event->z < given) given = event->z;
  }
  return given;
}

static void drop_events(conditions *c) {
  trmi_compiler *b = c->b;
  int kept = 0;
  for (int i = 0; i < b->nevents; i++) {
    if (c->fates[i] == LIVE) continue;
    b->events[kept] = b->events[i];
    b->events[kept].is_continuous = c->value[i] > 0.0;
    b->function[kept] = b->function[i];
    b->held_z[kept++] = b->held_z[i];
  }
  b->nevents = kept;
}

static void find_roots(conditions *c) {
  const trmi_graph *g = &c->b->graph;
  for (int n = 0; n < c->corners.count; n++) {
    const trmi_vertex *v = &g->nodes[n];
    const bool is_root = v->op == TRMI_OP_SQRT || v->op == TRMI_OP_POW || v->op == TRMI_OP_ASIN ||
                         v->op == TRMI_OP_ACOS || v->op == TRMI_OP_ACOSH;
    c->has_root[n] = is_root || c->has_root[v->a] || c->has_root[v->b] || c->has_root[v->c];
  }
}

void trmi_conditions_resolve(trmi_compiler *b) {
  conditions c = {.b = b};
  trmi_arena *arena = &b->scratch;
  int held = 0;
  for (int i = 0; i < b->nevents; i++) held += b->events[i].trigger == TRMI_SIGN;
  if (held == 0 || b->complaints->count > 0 || b->graph.failed) return;
  c.fates = TRMI_TAKE(arena, fate, b->nevents);
  c.value = TRMI_TAKE(arena, double, b->nevents);
  c.is_made = TRMI_TAKE(arena, bool, b->nevents);
  c.of_z = TRMI_TAKE(arena, int, b->nz);
  if (arena->failed || !trmi_corners_init(&c.corners, &b->graph, arena)) return;
  c.inside = TRMI_TAKE(arena, unsigned char, c.corners.count);
  c.has_root = TRMI_TAKE(arena, unsigned char, c.corners.count);
  if (arena->failed || !decide(&c)) return;
  find_roots(&c);
  if (!trmi_remake_init(&c.held, &b->graph, arena, make, &c) ||
      !trmi_remake_init(&c.live, &b->graph, arena, make, &c)) {
    return;
  }
  /* only nodes of the start are looked up in the tables above */
  c.held.count = c.live.count = c.corners.count;
  const int nz = number_values(&c, find_values(&c));
  for (int i = 0; i < b->nevents; i++) {
    if (b->events[i].trigger == TRMI_SIGN) make_now(&c, i);
  }
  remake_all(&c);
  drop_events(&c);
  b->nz = nz;
}
