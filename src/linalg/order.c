/* order.c - minimum degree with a rule for constraints.
 *
 * Node by node, the one with the least weighted degree (unknowns of its
 * neighbours) is eliminated and its neighbours become neighbours of each other. A
 * body may go any time. A joint that is a bridge of the graph
 *        {bodies and ground; joints as edges}
 * may go once its child body, the one away from ground, is gone; any other
 * constraint only when all its bodies are gone. Then every joint meets a pivot
 *        -G_c M_c^-1 G_c^T
 * of full rank. For trees of joints with some rows this is the articulated-body
 * recursion, without fill.
 *
 *      ground --j1-- b1 --j2-- b2          b2, j2, b1, j1
 */
#include "linalg/order.h"
#include <string.h>

/* Neighbours of a node, growing as others are eliminated. */
typedef struct neighbours {
  int *node, count, room;
} neighbours;

typedef struct ordering {
  trmi_arena            arena;
  const trmi_node_list *nodes;
  neighbours *of;       /*                                          [count] */
  int  *node_of;        /* node of an unknown                       [n]     */
  int  *mark, stamp;    /* seen in the present sweep                [count] */
  bool *gone;           /*                                          [count] */
  int  *waits_for;      /* bodies a constraint still waits for      [count] */
  int  *child;          /* of a bridge, or -1                       [count] */
  int  *degree;         /* weighted                                 [count] */
  int  *next, *before, *head; /* lists of allowed nodes by degree           */
  int   heads, lowest;
} ordering;

static int size_of(const ordering *o, int node) {
  return o->nodes->first[node + 1] - o->nodes->first[node];
}

static void add_neighbour(ordering *o, int node, int other) {
  neighbours *nb = &o->of[node];
  if (nb->count == nb->room) {
    const int room = nb->room > 0 ? 2 * nb->room : 4;
    int *list = TRMI_TAKE(&o->arena, int, room);
    if (list == NULL) return; /* noticed by trmi_arena_check */
    if (nb->count > 0) memcpy(list, nb->node, (size_t)nb->count * sizeof *list);
    nb->node = list;
    nb->room = room;
  }
  nb->node[nb->count++] = other;
}

/* Neighbours from the pattern of A + A^T. */
static void read_pattern(ordering *o, const int *Ap, const int *Ai) {
  const trmi_node_list *nodes = o->nodes;
  for (int a = 0; a < nodes->count; a++) {
    for (int i = nodes->first[a]; i < nodes->first[a + 1]; i++) o->node_of[i] = a;
  }
  for (int a = 0; a < nodes->count; a++) {
    o->mark[a] = ++o->stamp;
    for (int k = Ap[nodes->first[a]]; k < Ap[nodes->first[a + 1]]; k++) {
      const int b = o->node_of[Ai[k]];
      if (o->mark[b] == o->stamp) continue;
      o->mark[b] = o->stamp;
      bool known = false;
      for (int m = 0; m < o->of[a].count && !known; m++) known = o->of[a].node[m] == b;
      if (known) continue;
      add_neighbour(o, a, b);
      add_neighbour(o, b, a);
    }
  }
}

/* --- bridges --------------------------------------------------------------- */

/* The one or two bodies a joint ties together; ground is number `count`. False if
 * it ties more, or none. */
static bool ends_of(const ordering *o, int joint, int end[2]) {
  int count = 0;
  for (int k = 0; k < o->of[joint].count; k++) {
    const int b = o->of[joint].node[k];
    if (o->nodes->is_constraint[b]) continue;
    if (count == 2) return false;
    end[count++] = b;
  }
  if (count == 1) end[1] = o->nodes->count;
  return count > 0;
}

typedef struct walk {
  int *number, *low, *via, *cursor, *stack; /* [count + 1] */
  int  clock;
  int *ground;  /* joints at ground */
  int  nground;
} walk;

/* Joint number k at a vertex, or -1 after the last. */
static int joint_at(const ordering *o, const walk *w, int vertex, int k) {
  if (vertex == o->nodes->count) return k < w->nground ? w->ground[k] : -1;
  return k < o->of[vertex].count ? o->of[vertex].node[k] : -1;
}

/* Depth-first search from a vertex; a joint whose far side has no other path back is
 * a bridge. */
static void search_bridges(ordering *o, walk *w, int root) {
  int depth = 0;
  w->stack[depth++] = root;
  w->number[root] = w->low[root] = ++w->clock;
  w->via[root] = -1;
  while (depth > 0) {
    const int a = w->stack[depth - 1];
    const int joint = joint_at(o, w, a, w->cursor[a]++);
    if (joint >= 0) {
      int end[2];
      if (!o->nodes->is_constraint[joint] || joint == w->via[a]) continue;
      if (!ends_of(o, joint, end)) continue;
      const int b = end[0] == a ? end[1] : end[0];
      if (w->number[b] > 0) {
        if (w->number[b] < w->low[a]) w->low[a] = w->number[b];
        continue;
      }
      w->number[b] = w->low[b] = ++w->clock;
      w->via[b] = joint;
      w->stack[depth++] = b;
      continue;
    }
    depth--;
    if (depth == 0) break;
    const int parent = w->stack[depth - 1];
    if (w->low[a] < w->low[parent]) w->low[parent] = w->low[a];
    if (w->low[a] > w->number[parent]) o->child[w->via[a]] = a;
  }
}

static trm_status find_bridges(ordering *o, trm_error *err) {
  const int count = o->nodes->count;
  walk w = {0};
  int **const lists[] = {&w.number, &w.low, &w.via, &w.cursor, &w.stack, &w.ground};
  for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
    *lists[l] = TRMI_TAKE(&o->arena, int, count + 1);
  }
  TRMI_TRY(err, trmi_arena_check(&o->arena, err));
  for (int j = 0; j < count; j++) {
    int end[2];
    o->child[j] = -1;
    if (o->nodes->is_constraint[j] && ends_of(o, j, end) && end[1] == count) {
      w.ground[w.nground++] = j;
    }
  }
  search_bridges(o, &w, count);
  for (int a = 0; a < count; a++) {
    if (!o->nodes->is_constraint[a] && w.number[a] == 0) search_bridges(o, &w, a);
  }
  return TRM_OK;
}

/* --- elimination ----------------------------------------------------------- */

static void remove_from_list(ordering *o, int node) {
  if (o->next[node] == -2) return; /* in no list */
  if (o->before[node] >= 0) {
    o->next[o->before[node]] = o->next[node];
  } else {
    o->head[o->degree[node]] = o->next[node];
  }
  if (o->next[node] >= 0) o->before[o->next[node]] = o->before[node];
  o->next[node] = -2;
}

/* Recompute the degree; into its list if the node may be eliminated. */
static void file_node(ordering *o, int node) {
  remove_from_list(o, node);
  int degree = 0;
  for (int k = 0; k < o->of[node].count; k++) degree += size_of(o, o->of[node].node[k]);
  o->degree[node] = degree < o->heads ? degree : o->heads - 1;
  if (o->waits_for[node] > 0) return;
  const int d = o->degree[node];
  o->next[node] = o->head[d];
  o->before[node] = -1;
  if (o->head[d] >= 0) o->before[o->head[d]] = node;
  o->head[d] = node;
  if (d < o->lowest) o->lowest = d;
}

/* Takes `node` out: its neighbours become neighbours of each other. */
static void eliminate(ordering *o, int node) {
  remove_from_list(o, node);
  o->gone[node] = true;
  const neighbours nb = o->of[node];
  for (int k = 0; k < nb.count; k++) {
    const int a = nb.node[k];
    neighbours *na = &o->of[a];
    o->mark[a] = ++o->stamp;
    int kept = 0;
    for (int m = 0; m < na->count; m++) {
      if (na->node[m] == node) continue;
      o->mark[na->node[m]] = o->stamp;
      na->node[kept++] = na->node[m];
    }
    na->count = kept;
    for (int m = 0; m < nb.count; m++) {
      if (o->mark[nb.node[m]] != o->stamp) add_neighbour(o, a, nb.node[m]);
    }
  }
}

/* Is a constraint allowed to go sooner, now that `body` is gone? */
static void release_constraints(ordering *o, int body, const neighbours *original) {
  for (int k = 0; k < original->count; k++) {
    const int j = original->node[k];
    if (!o->nodes->is_constraint[j] || o->gone[j] || o->waits_for[j] == 0) continue;
    if (o->child[j] == body) {
      o->waits_for[j] = 0;
    } else if (o->child[j] < 0) {
      o->waits_for[j]--;
    }
  }
}

static void set_waits(ordering *o) {
  for (int j = 0; j < o->nodes->count; j++) {
    o->waits_for[j] = 0;
    if (!o->nodes->is_constraint[j]) continue;
    for (int k = 0; k < o->of[j].count; k++) {
      o->waits_for[j] += !o->nodes->is_constraint[o->of[j].node[k]];
    }
  }
}

/* The neighbours of the nodes before any elimination. */
static neighbours *copy_neighbours(ordering *o) {
  neighbours *copy = TRMI_TAKE(&o->arena, neighbours, o->nodes->count);
  for (int a = 0; a < o->nodes->count && copy != NULL; a++) {
    copy[a] = o->of[a];
    copy[a].node = TRMI_TAKE(&o->arena, int, o->of[a].count);
    if (copy[a].node == NULL) return NULL;
    for (int k = 0; k < o->of[a].count; k++) copy[a].node[k] = o->of[a].node[k];
  }
  return copy;
}

static trm_status run(ordering *o, const int *Ap, const int *Ai, int *order, trm_error *err) {
  const int count = o->nodes->count;
  read_pattern(o, Ap, Ai);
  TRMI_TRY(err, find_bridges(o, err));
  set_waits(o);
  const neighbours *original = copy_neighbours(o);
  TRMI_TRY(err, trmi_arena_check(&o->arena, err));
  for (int d = 0; d < o->heads; d++) o->head[d] = -1;
  for (int a = 0; a < count; a++) o->next[a] = -2;
  o->lowest = o->heads - 1;
  for (int a = count - 1; a >= 0; a--) file_node(o, a);
  for (int done = 0; done < count; done++) {
    while (o->lowest < o->heads - 1 && o->head[o->lowest] < 0) o->lowest++;
    int node = o->head[o->lowest];
    for (int a = 0; a < count && node < 0; a++) {
      if (!o->gone[a]) node = a; /* a constraint that ties nothing */
    }
    const neighbours before = o->of[node];
    eliminate(o, node);
    TRMI_TRY(err, trmi_arena_check(&o->arena, err));
    order[done] = node;
    if (!o->nodes->is_constraint[node]) release_constraints(o, node, &original[node]);
    for (int k = 0; k < before.count; k++) file_node(o, before.node[k]);
    for (int k = 0; k < original[node].count; k++) {
      if (!o->gone[original[node].node[k]]) file_node(o, original[node].node[k]);
    }
  }
  return TRM_OK;
}

trm_status trmi_order_find(const trmi_node_list *nodes, const int *Ap, const int *Ai, int *order,
                           const trm_allocator *allocator, trm_error *err) {
  if (nodes->order != NULL) {
    memcpy(order, nodes->order, (size_t)nodes->count * sizeof *order);
    return TRM_OK;
  }
  const int count = nodes->count;
  ordering o = {.nodes = nodes, .heads = nodes->first[count] + 1};
  trmi_arena_init(&o.arena, allocator);
  o.of = TRMI_TAKE(&o.arena, neighbours, count);
  o.node_of = TRMI_TAKE(&o.arena, int, nodes->first[count]);
  o.gone = TRMI_TAKE(&o.arena, bool, count);
  int **const lists[] = {&o.mark, &o.waits_for, &o.child, &o.degree, &o.next, &o.before};
  for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
    *lists[l] = TRMI_TAKE(&o.arena, int, count);
  }
  o.head = TRMI_TAKE(&o.arena, int, o.heads);
  trm_status status = trmi_arena_check(&o.arena, err);
  if (status == TRM_OK) status = run(&o, Ap, Ai, order, err);
  trmi_arena_clear(&o.arena);
  TRMI_TRY(err, status);
  return TRM_OK;
}

trm_status trmi_order_unknowns(const trmi_node_list *nodes, const int *Ap, const int *Ai,
                               int *unknown, const trm_allocator *allocator, trm_error *err) {
  trmi_arena arena;
  trmi_arena_init(&arena, allocator);
  int *order = TRMI_TAKE(&arena, int, nodes->count);
  trm_status status = trmi_arena_check(&arena, err);
  if (status == TRM_OK) status = trmi_order_find(nodes, Ap, Ai, order, allocator, err);
  int count = 0;
  for (int k = 0; k < nodes->count && status == TRM_OK; k++) {
    const int *first = nodes->first + order[k];
    for (int i = first[0]; i < first[1]; i++) unknown[count++] = i;
  }
  trmi_arena_clear(&arena);
  TRMI_TRY(err, status);
  return TRM_OK;
}
