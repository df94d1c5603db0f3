/* equations_variables.c - divides variables into unknowns and names for expressions.
 *
 * While texts are read every variable is a symbol. Then
 *   - variables that depend on themselves, directly or through others, are unknowns w: a loop
 *     is a strongly connected set of the graph "i uses j" (Tarjan)                          (1)
 *   - a force must not contain an acceleration, reaction or rate of a state. A variable that
 *     contains one, also through others, and is used in a force is an unknown: the force acts
 *     on its cause                                                                       (2)
 *   - the load of friction is an unknown, for the same reason                               (3)
 * All others are expressions: they are substituted wherever they are used, events and conditions
 * included, so that their values belong to the present state, at stages, inside steps and at
 * samples alike. Values to be shown are computed with samples. */
#include "expr/remake.h"
#include "equations/equations_internal.h"
#include "equations/equations_marks.h"
#include "equations/equations_quantities.h"

/* One variable in the search for loops. */
typedef struct use {
  int  number, low; /* order of visit from 1; the oldest vertex reachable              */
  int  first, end;  /* range of its uses in the list                                   */
  int  next;        /* next one of these to visit                                      */
  bool is_open;     /* on the stack of sets                                            */
  bool is_unknown;  /* (1), (2), (3)                                                   */
  bool is_implicit; /* contains a quantity not allowed in forces                       */
} use;

typedef struct search {
  trmi_compiler *b;
  int  count;  /* variables                                        */
  use *uses;   /*                                          [count] */
  int *list;   /* uses of each variable                            */
  int *order;  /* a variable follows those it uses         [count] */
  int *path, *open;
  int  norder, npath, nopen, met;
} search;

/* Lists that may be used in a force. */
static const unsigned for_forces = 1U << TRMI_IN_TIME | 1U << TRMI_IN_Q | 1U << TRMI_IN_V |
                                   1U << TRMI_IN_X | 1U << TRMI_IN_W | 1U << TRMI_IN_Z |
                                   1U << TRMI_IN_MEMORY | 1U << TRMI_IN_INPUT;

/* Collect the uses of each variable. */
static bool find_uses(search *s) {
  trmi_compiler *b = s->b;
  int total = 0;
  for (int pass = 0; pass < 2; pass++) {
    if (pass == 1) s->list = TRMI_TAKE(&b->scratch, int, total);
    if (b->scratch.failed) return false;
    total = 0;
    for (int i = 0; i < s->count; i++) {
      use *u = &s->uses[i];
      trmi_symbols_of(&b->walk, b->w[i]);
      u->first = u->next = total;
      for (int k = 0; k < b->walk.count; k++) {
        const unsigned lists = trmi_symbol_lists(b, b->walk.nodes[k]);
        if ((lists & ~for_forces) != 0) u->is_implicit = true;
        if (lists != 1U << TRMI_IN_W) continue;
        if (pass == 1) s->list[total] = trmi_index_of(b, b->walk.nodes[k]);
        total++;
      }
      u->end = total;
    }
  }
  return true;
}

/* A set is complete: all variables that lead back to variable i. */
static void close_set(search *s, int i) {
  const int first = s->norder;
  int member;
  do {
    member = s->open[--s->nopen];
    s->uses[member].is_open = false;
    s->order[s->norder++] = member;
  } while (member != i);
  for (int k = first; k < s->norder; k++) {
    use *u = &s->uses[s->order[k]];
    if (s->norder - first > 1) u->is_unknown = true;
    for (int m = u->first; m < u->end; m++) {
      const use *used = &s->uses[s->list[m]];
      if (s->list[m] == s->order[k]) u->is_unknown = true;
      if (used->is_implicit && !used->is_unknown) u->is_implicit = true;
    }
  }
}

static void meet(search *s, int i) {
  use *u = &s->uses[i];
  u->number = u->low = ++s->met;
  u->is_open = true;
  s->open[s->nopen++] = i;
  s->path[s->npath++] = i;
}

/* (1) */
static void find_loops(search *s) {
  for (int start = 0; start < s->count; start++) {
    if (s->uses[start].number == 0) meet(s, start);
    while (s->npath > 0) {
      const int i = s->path[s->npath - 1];
      use *u = &s->uses[i];
      if (u->next < u->end) {
        const int j = s->list[u->next++];
        const use *used = &s->uses[j];
        if (used->number == 0) meet(s, j);
        else if (used->is_open && used->number < u->low) u->low = used->number;
        continue;
      }
      if (u->low == u->number) close_set(s, i);
      s->npath--;
      if (s->npath == 0) continue;
      use *before = &s->uses[s->path[s->npath - 1]];
      if (u->low < before->low) before->low = u->low;
    }
  }
}

/* A variable u = u + ..: it cancels in its own equation and is undetermined. */
static void refuse_lost(search *s) {
  trmi_compiler *b = s->b;
  const trmi_parts *typed = &b->def->parts[TRMI_VARIABLES];
  for (int i = 0; i < typed->count; i++) {
    bool uses_itself = false;
    for (int k = s->uses[i].first; k < s->uses[i].end; k++) {
      uses_itself = uses_itself || s->list[k] == i;
    }
    if (!uses_itself) continue;
    trmi_gradient(&b->walk, b->w[i]);
    for (int k = 0; k < b->walk.npartials; k++) {
      const trmi_partial partial = b->walk.partials[k];
      if (partial.symbol != trmi_input_node(b, TRMI_IN_W, i)) continue;
      if (trmi_is_live(&b->graph, partial.value)) continue;
      if (!trmi_is_constant(&b->graph, partial.value)) continue;
      if (trmi_value_of(&b->graph, partial.value) != 1.0) continue;
      trmi_complain(b->complaints, trmi_text_place(trmi_part_text(&typed->list[i], "equals"), 0),
                    "variable '%.60s' drops out of its own equation, %.60s = %.60s + ..: this loop "
                    "has no solution", typed->list[i].key.name, typed->list[i].key.name,
                    typed->list[i].key.name);
    }
  }
}

/* (2), (3) */
static void find_implicit(search *s) {
  trmi_compiler *b = s->b;
  for (int i = b->def->parts[TRMI_VARIABLES].count; i < s->count; i++) s->uses[i].is_unknown = true;
  for (int i = 0; i < b->nv_all; i++) {
    trmi_symbols_of(&b->walk, b->force[i]);
    for (int k = 0; k < b->walk.count; k++) {
      if (trmi_input_of(b, b->walk.nodes[k]) != TRMI_IN_W) continue;
      use *u = &s->uses[trmi_index_of(b, b->walk.nodes[k])];
      if (u->is_implicit) u->is_unknown = true;
    }
  }
}

/* Unknowns get the first symbols, expressions are substituted. */
static void exchange_symbols(search *s, trmi_remake *r) {
  trmi_compiler *b = s->b;
  int rank = 0;
  for (int i = 0; i < s->count; i++) {
    if (!s->uses[i].is_unknown) continue;
    r->map[trmi_input_node(b, TRMI_IN_W, i)] = trmi_input_node(b, TRMI_IN_W, rank++);
  }
  for (int k = 0; k < s->norder; k++) {
    const int i = s->order[k];
    if (s->uses[i].is_unknown) continue;
    r->map[trmi_input_node(b, TRMI_IN_W, i)] = b->w[i] = trmi_remake_node(r, b->w[i]);
  }
}

/* Renumber labels, guesses and rows of the unknowns; the others are reported with samples. */
static void separate(search *s, trmi_remake *r) {
  trmi_compiler *b = s->b;
  trmi_equations *eq = b->eq;
  int rank = 0;
  eq->labels[TRM_SHOWN] = TRMI_TAKE(&eq->arena, trm_label, b->def->parts[TRMI_VARIABLES].count);
  if (eq->arena.failed) return;
  for (int i = 0; i < s->count; i++) {
    if (s->uses[i].is_unknown) {
      eq->labels[TRM_W][rank] = eq->labels[TRM_W][i];
      eq->w[rank] = eq->w[i];
      b->w[rank++] = trmi_remake_node(r, b->w[i]);
    } else {
      eq->labels[TRM_SHOWN][eq->n.nshown] = eq->labels[TRM_W][i];
      trmi_add_entry(b, TRMI_RESULT_SHOWN, eq->n.nshown++, 0, b->w[i]);
    }
  }
  eq->n.nw = rank;
}

void trmi_variables_resolve(trmi_compiler *b) {
  const int count = b->eq->n.nw;
  const int typed = b->def->parts[TRMI_VARIABLES].count;
  if (typed == 0 || b->complaints->count > 0 || b->graph.failed) return;
  search s = {.b = b, .count = count,
              .uses = TRMI_TAKE(&b->scratch, use, count),
              .order = TRMI_TAKE(&b->scratch, int, count),
              .path = TRMI_TAKE(&b->scratch, int, count),
              .open = TRMI_TAKE(&b->scratch, int, count)};
  trmi_remake r;
  if (b->scratch.failed || !find_uses(&s)) return;
  find_loops(&s);
  refuse_lost(&s);
  if (b->complaints->count > 0) return;
  find_implicit(&s);
  if (!trmi_remake_init(&r, &b->graph, &b->scratch, NULL, NULL)) return;
  exchange_symbols(&s, &r);
  for (int i = 0; i < b->nv_all; i++) b->force[i] = trmi_remake_node(&r, b->force[i]);
  b->damper_power = trmi_remake_node(&r, b->damper_power);
  b->friction_power = trmi_remake_node(&r, b->friction_power);
  for (int i = 0; i < b->eq->nstates; i++) b->d[i] = trmi_remake_node(&r, b->d[i]);
  for (int i = 0; i < b->nevents; i++) b->function[i] = trmi_remake_node(&r, b->function[i]);
  for (int i = 0; i < b->entries.count; i++) {
    b->entries.list[i].node = trmi_remake_node(&r, b->entries.list[i].node);
  }
  for (trmi_mark *mark = b->marks; mark != NULL; mark = mark->next) {
    mark->part = trmi_remake_node(&r, mark->part);
    mark->x = trmi_remake_node(&r, mark->x);
  }
  separate(&s, &r);
}
