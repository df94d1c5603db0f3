/* tape.c - laying out the tape: sets of groups, segments, runs. See tape.h. */
#include "expr/tape.h"
#include "expr/tape_internal.h"
#include <stdlib.h>
#include <string.h>

/* A node on the tape. */
typedef struct item {
  uint64_t  groups;
  trmi_node node;
} item;

/* Data during layout. */
typedef struct layout {
  const trmi_graph *g;
  trmi_tape        *tape;
  uint64_t         *groups; /* that need a node             [count] */
  int              *slot;   /* of a node, or -1             [count] */
  item             *items;  /* computed nodes by segments   [nitems] */
  int              *waits;  /* arguments of a node not yet placed     [count] */
  int              *users;  /* waiting users of a node: lists in `links` [count] */
  int              *links;  /* next of the list; user is link / 3     [3 count] */
  int              *queue[TRMI_OPS]; /* ready nodes of an operation   */
  int               head[TRMI_OPS], tail[TRMI_OPS];
  int               nitems;
} layout;

static int bits_of(uint64_t x) {
  int n = 0;
  for (; x != 0; x &= x - 1) n++;
  return n;
}

/* Large sets first, equal sets together, in each the order of the graph. */
static int by_groups(const void *x, const void *y) {
  const item *a = x, *b = y;
  const int na = bits_of(a->groups), nb = bits_of(b->groups);
  if (na != nb) return nb - na;
  if (a->groups != b->groups) return a->groups < b->groups ? -1 : 1;
  return (a->node > b->node) - (a->node < b->node);
}

static void spread_groups(layout *l, const trmi_root *roots, int nroots) {
  for (int i = 0; i < nroots; i++) l->groups[roots[i].node] |= UINT64_C(1) << roots[i].group;
  for (trmi_node n = l->g->count - 1; n > 0; n--) {
    const trmi_vertex *v = &l->g->nodes[n];
    if (l->groups[n] == 0 || v->op <= TRMI_OP_SYMBOL) continue;
    const int arity = trmi_arity[v->op];
    l->groups[v->a] |= l->groups[n];
    if (arity > 1) l->groups[v->b] |= l->groups[n];
    if (arity > 2) l->groups[v->c] |= l->groups[n];
  }
}

enum { LISTS_MAX = 64 };

/* Symbols list by list, in each as they were made. */
static void place_symbols(layout *l) {
  const int lists = l->g->lists > 0 ? l->g->lists : 1;
  int next[LISTS_MAX + 1] = {0};
  for (trmi_node n = 0; n < l->g->count; n++) {
    l->slot[n] = -1;
    if (l->g->nodes[n].op == TRMI_OP_SYMBOL) next[l->g->nodes[n].tag % lists + 1]++;
  }
  for (int k = 0; k < lists; k++) next[k + 1] += next[k];
  l->tape->nsymbols = l->tape->nslots = next[lists];
  for (trmi_node n = 0; n < l->g->count; n++) {
    if (l->g->nodes[n].op == TRMI_OP_SYMBOL) l->slot[n] = next[l->g->nodes[n].tag % lists]++;
  }
}

/* Slots of symbols and of needed constants. */
static void place_leaves(layout *l, trmi_arena *arena) {
  trmi_tape *tape = l->tape;
  place_symbols(l);
  for (trmi_node n = 0; n < l->g->count; n++) {
    if (l->groups[n] == 0) continue;
    if (l->g->nodes[n].op == TRMI_OP_CONSTANT) l->slot[n] = tape->nslots++;
    if (l->g->nodes[n].op > TRMI_OP_SYMBOL) {
      l->items[l->nitems++] = (item){l->groups[n], n};
      tape->ncode += trmi_arity[l->g->nodes[n].op] + trmi_has_tag(l->g->nodes[n].op);
    }
  }
  qsort(l->items, (size_t)l->nitems, sizeof *l->items, by_groups);
  const int total = tape->nslots + l->nitems;
  tape->value = TRMI_TAKE(arena, double, total);
  tape->place = TRMI_TAKE(arena, trmi_place, total);
  tape->code = TRMI_TAKE(arena, int, tape->ncode);
  tape->used_by = TRMI_TAKE(arena, uint64_t, tape->nsymbols);
  if (arena->failed) return;
  for (trmi_node n = 0; n < l->g->count; n++) {
    if (l->g->nodes[n].op == TRMI_OP_SYMBOL) tape->used_by[l->slot[n]] = l->groups[n];
  }
  for (trmi_node n = 0; n < l->g->count; n++) {
    if (l->slot[n] >= 0) tape->value[l->slot[n]] = l->g->nodes[n].value;
  }
}

/* Count the arguments of a segment's nodes that are in the segment itself. */
static void link_segment(layout *l, int first, int end) {
  for (int i = first; i < end; i++) {
    const trmi_node n = l->items[i].node;
    const trmi_vertex *v = &l->g->nodes[n];
    const trmi_node arguments[3] = {v->a, v->b, v->c};
    l->waits[n] = 0;
    for (int k = 0; k < trmi_arity[v->op]; k++) {
      if (l->slot[arguments[k]] >= 0) continue;
      l->waits[n]++;
      l->links[3 * n + k] = l->users[arguments[k]];
      l->users[arguments[k]] = 3 * n + k + 1;
    }
    if (l->waits[n] == 0) l->queue[v->op][l->tail[v->op]++] = n;
  }
}

/* Give a node its slot and write its code; nodes that waited only for it become ready. */
static void place_node(layout *l, trmi_node n, int *code) {
  trmi_tape *tape = l->tape;
  const trmi_vertex *v = &l->g->nodes[n];
  const trmi_node arguments[3] = {v->a, v->b, v->c};
  l->slot[n] = tape->nslots++;
  tape->place[l->slot[n]] = trmi_graph_place(l->g, n);
  for (int k = 0; k < trmi_arity[v->op]; k++) tape->code[(*code)++] = l->slot[arguments[k]];
  if (trmi_has_tag(v->op)) tape->code[(*code)++] = v->tag;
  for (int link = l->users[n]; link != 0; link = l->links[link - 1]) {
    const trmi_node user = (link - 1) / 3;
    const trmi_op op = l->g->nodes[user].op;
    if (--l->waits[user] == 0) l->queue[op][l->tail[op]++] = user;
  }
}

/* The operation with the most ready nodes, or TRMI_OPS. */
static trmi_op fullest(const layout *l) {
  trmi_op best = TRMI_OPS;
  int most = 0;
  for (int op = 0; op < TRMI_OPS; op++) {
    const int ready = l->tail[op] - l->head[op];
    if (ready > most) best = (trmi_op)op, most = ready;
  }
  return best;
}

/* Runs of one segment: of the operations that are ready take the one with most nodes,
 * and all of its nodes, also those that become ready meanwhile. Returns the runs. */
static int place_segment(layout *l, int first, int end, int *code, trmi_run *runs) {
  int nruns = 0;
  link_segment(l, first, end);
  for (trmi_op op = fullest(l); op != TRMI_OPS; op = fullest(l)) {
    const trmi_run run = {.op = op, .slot = l->tape->nslots, .code = *code};
    while (l->head[op] < l->tail[op]) place_node(l, l->queue[op][l->head[op]++], code);
    runs[nruns] = run;
    runs[nruns++].count = l->tape->nslots - run.slot;
  }
  return nruns;
}

static void place_all(layout *l, trmi_arena *arena, trmi_arena *scratch) {
  trmi_tape *tape = l->tape;
  trmi_run *runs = TRMI_TAKE(scratch, trmi_run, l->nitems);
  trmi_segment *segments = TRMI_TAKE(scratch, trmi_segment, l->nitems);
  if (runs == NULL || segments == NULL) return;
  int code = 0;
  for (int first = 0, end; first < l->nitems; first = end) {
    for (end = first; end < l->nitems && l->items[end].groups == l->items[first].groups;) end++;
    trmi_segment *segment = &segments[tape->nsegments++];
    segment->groups = l->items[first].groups;
    segment->run = tape->nruns;
    segment->nruns = place_segment(l, first, end, &code, runs + tape->nruns);
    tape->nruns += segment->nruns;
  }
  tape->runs = TRMI_TAKE(arena, trmi_run, tape->nruns);
  tape->segments = TRMI_TAKE(arena, trmi_segment, tape->nsegments);
  if (arena->failed) return;
  memcpy(tape->runs, runs, (size_t)tape->nruns * sizeof *runs);
  memcpy(tape->segments, segments, (size_t)tape->nsegments * sizeof *segments);
}

/* Lists of the layout, once the number of nodes of each operation is known. */
static void take_lists(layout *l, trmi_arena *scratch) {
  const int count = l->g->count;
  int of_op[TRMI_OPS] = {0};
  for (trmi_node n = 0; n < count; n++) of_op[l->g->nodes[n].op]++;
  for (int op = 0; op < TRMI_OPS; op++) l->queue[op] = TRMI_TAKE(scratch, int, of_op[op]);
  l->groups = TRMI_TAKE(scratch, uint64_t, count);
  l->slot = TRMI_TAKE(scratch, int, count);
  l->items = TRMI_TAKE(scratch, item, count);
  l->waits = TRMI_TAKE(scratch, int, count);
  l->users = TRMI_TAKE(scratch, int, count);
  l->links = TRMI_TAKE(scratch, int, 3 * (size_t)count);
}

trm_status trmi_tape_build(trmi_tape *tape, const trmi_graph *g, const trmi_root *roots,
                           int nroots, int *slots, trmi_arena *arena, trm_error *err) {
  TRMI_TRY(err, trmi_graph_check(g, err));
  *tape = (trmi_tape){0};
  layout l = {.g = g, .tape = tape};
  trmi_arena scratch;
  trmi_arena_init(&scratch, &arena->allocator);
  take_lists(&l, &scratch);
  tape->curves = TRMI_TAKE(arena, const trmi_spline *, g->ncurves);
  if (!scratch.failed && !arena->failed) {
    for (int i = 0; i < g->ncurves; i++) tape->curves[i] = g->curves[i];
    spread_groups(&l, roots, nroots);
    place_leaves(&l, arena);
    if (!arena->failed) place_all(&l, arena, &scratch);
    trmi_prologue_build(&tape->prologue, g, l.slot, arena, &scratch);
  }
  for (int i = 0; i < nroots && !scratch.failed && !arena->failed; i++) {
    slots[i] = l.slot[roots[i].node];
  }
  const bool failed = scratch.failed || arena->failed;
  trmi_arena_clear(&scratch);
  return failed ? TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "out of memory") : TRM_OK;
}
