/* equations_quantities.c - numbers of other contributors in expressions: loads and deformations.
 *
 * A contributor that works with numbers offers sets of six (trmi_contributor_ops.quantities), so
 * that their formulas exist only once, in the equations. In expressions a set appears as symbols y,
 * and its derivatives by the declared unknowns u as symbols D:
 *   df/du = df/dy D + ..,   dy/dt = D_q v + D_v v' + D_t, or a set of its own                (1)
 * Symbols D are created only by differentiation, and have no derivatives themselves: an expression
 * that needs these, such as a constraint, is rejected with a message. Sets are evaluated only for
 * requests whose results need them. */
#include "equations/equations_internal.h"
#include "equations/equations_quantities.h"
#include <stdio.h>
#include <string.h>

/* ---- while compiling ------------------------------------------------------------------------ */

/* Add `count` symbols of set q; returns the first of them. */
static trmi_node take_symbols(trmi_compiler *b, int q, int count) {
  const int first = b->nloads, needed = first + count;
  if (needed > b->loads_size) {
    const int size = needed > 2 * b->loads_size ? needed : 2 * b->loads_size;
    int *list = TRMI_TAKE(&b->scratch, int, size);
    if (list == NULL) return 0;
    if (first > 0) memcpy(list, b->load_owner, (size_t)first * sizeof *list);
    b->load_owner = list, b->loads_size = size;
  }
  const trmi_node node = b->graph.count;
  for (int i = 0; i < count; i++) {
    trmi_symbol(&b->graph, (first + i) * TRMI_INPUT_LISTS + TRMI_IN_LOAD);
    b->load_owner[first + i] = q;
  }
  b->nloads = needed;
  return b->graph.failed ? 0 : node;
}

static bool has_room(trmi_compiler *b) {
  if (b->noffered < b->offered_size) return true;
  const int size = b->offered_size == 0 ? 16 : 2 * b->offered_size;
  trmi_offered *list = TRMI_TAKE(&b->scratch, trmi_offered, size);
  if (list == NULL) return false;
  if (b->noffered > 0) memcpy(list, b->offered, (size_t)b->noffered * sizeof *list);
  b->offered = list, b->offered_size = size;
  return true;
}

int trmi_quantity_add(trmi_compiler *b, const trmi_quantity_def *def) {
  for (int i = 0; i < b->noffered; i++) {
    const trmi_quantity *known = &b->offered[i].at_work;
    if (known->set == def->set && strcmp(known->of, def->of) == 0) return i;
  }
  const size_t n = (size_t)def->ncolumns;
  trmi_dependence *columns = TRMI_TAKE(&b->scratch, trmi_dependence, n);
  bool *is_zero = TRMI_TAKE(&b->scratch, bool, TRMI_QUANTITY * n);
  if (columns == NULL || is_zero == NULL || !has_room(b)) return -1;
  if (n > 0) memcpy(columns, def->columns, n * sizeof *columns);
  if (def->is_zero != NULL) memcpy(is_zero, def->is_zero, TRMI_QUANTITY * n * sizeof *is_zero);
  const int q = b->noffered, value = b->nloads;
  const trmi_node first = take_symbols(b, q, TRMI_QUANTITY);
  if (first == 0) return -1;
  trmi_offered *one = &b->offered[b->noffered++];
  *one = (trmi_offered){.columns = columns, .is_zero = is_zero, .rate = def->rate, .value = first,
                        .place = trmi_graph_here(&b->graph)};
  one->at_work = (trmi_quantity){.of = def->of, .set = def->set, .ncolumns = def->ncolumns,
                                 .value = value, .derivative = -1};
  snprintf(one->object, sizeof one->object, "%s", def->object);
  return q;
}

void trmi_quantity_nodes(const trmi_compiler *b, int q, trmi_nodes3 out[2]) {
  for (int k = 0; k < 2; k++) {
    const trmi_node x = q >= 0 ? b->offered[q].value + 3 * k : 0; /* out of memory: arbitrary */
    out[k] = (trmi_nodes3){x, q >= 0 ? x + 1 : 0, q >= 0 ? x + 2 : 0};
  }
}

/* Number of a value within its set, -1 for a derivative. */
static int number_of(const trmi_compiler *b, trmi_node symbol, int *q) {
  const int i = trmi_index_of(b, symbol);
  *q = b->load_owner[i];
  const int number = i - b->offered[*q].at_work.value;
  return number < TRMI_QUANTITY ? number : -1; /* derivatives are created later */
}

unsigned trmi_symbol_lists(const trmi_compiler *b, trmi_node symbol) {
  const trmi_input list = trmi_input_of(b, symbol);
  unsigned lists = 0;
  if (list != TRMI_IN_LOAD) return 1U << list;
  const trmi_offered *one = &b->offered[b->load_owner[trmi_index_of(b, symbol)]];
  for (int k = 0; k < one->at_work.ncolumns; k++) lists |= 1U << one->columns[k].list;
  return lists;
}

unsigned trmi_lists_of(trmi_compiler *b, trmi_node node) {
  unsigned lists = 0;
  trmi_symbols_of(&b->walk, node);
  for (int k = 0; k < b->walk.count; k++) lists |= trmi_symbol_lists(b, b->walk.nodes[k]);
  return lists;
}

/* Derivative of value i of a set by its column c. */
static trmi_node derivative(trmi_compiler *b, int q, int i, int c) {
  trmi_quantity *at_work = &b->offered[q].at_work;
  if (at_work->derivative < 0) {
    const int first = b->nloads;
    const trmi_node node = take_symbols(b, q, TRMI_QUANTITY * at_work->ncolumns);
    if (node == 0) return 0;
    at_work->derivative = first;
    b->offered[q].derivative = node;
  }
  return b->offered[q].derivative + i * at_work->ncolumns + c;
}

static void complain_of_second(trmi_compiler *b, int q) {
  trmi_offered *one = &b->offered[q];
  if (one->is_refused) return;
  one->is_refused = true;
  trmi_complain(b->complaints, one->place, "a load or deformation of %.60s would be differentiated "
                "twice here; it may be used in forces, variables, states, events and outputs, but "
                "not in energies, constraints or motions", one->object);
}

bool trmi_quantity_has_rate(trmi_compiler *b, trmi_node symbol, trmi_node *rate) {
  int q;
  if (trmi_input_of(b, symbol) != TRMI_IN_LOAD) return false;
  const int i = number_of(b, symbol, &q);
  if (i < 0 || b->offered[q].rate < 0) return false;
  *rate = b->offered[b->offered[q].rate].value + i;
  return true;
}

bool trmi_quantity_next(trmi_compiler *b, trmi_node symbol, int *c, trmi_quantity_column *out) {
  int q;
  const int i = number_of(b, symbol, &q);
  const trmi_offered *one = &b->offered[q];
  const int count = one->at_work.ncolumns;
  if (i < 0) {
    complain_of_second(b, q);
    return false;
  }
  while (*c < count && one->is_zero[i * count + *c]) (*c)++;
  if (*c >= count) return false;
  *out = (trmi_quantity_column){one->columns[*c], derivative(b, q, i, *c)};
  (*c)++;
  return out->value != 0;
}

/* ---- evaluation ----------------------------------------------------------------------------- */

/* Groups that need some of `count` numbers from `first` on. */
static uint64_t groups_of(const trmi_equations *eq, int first, int count) {
  uint64_t groups = 0;
  const int slot = eq->first[TRMI_IN_LOAD] + first;
  for (int i = 0; i < count; i++) groups |= eq->tape.used_by[slot + i];
  return groups;
}

void trmi_quantities_keep(trmi_compiler *b) {
  trmi_equations *eq = b->eq;
  eq->nloads = b->nloads;
  eq->loads = TRMI_TAKE(&eq->arena, double, b->nloads);
  eq->quantities = TRMI_TAKE(&eq->arena, trmi_quantity, b->noffered);
  if (eq->arena.failed) return;
  for (int i = 0; i < b->noffered; i++) {
    trmi_quantity q = b->offered[i].at_work;
    const int nderivatives = q.derivative < 0 ? 0 : TRMI_QUANTITY * q.ncolumns;
    q.derivative_groups = groups_of(eq, q.derivative, nderivatives);
    for (int k = 0; k < 2; k++) {
      const int half = nderivatives / 2;
      q.half_groups[k] = groups_of(eq, q.value + k * TRMI_QUANTITY / 2, TRMI_QUANTITY / 2) |
                         groups_of(eq, q.derivative + k * half, half);
    }
    q.groups = q.half_groups[0] | q.half_groups[1];
    if (q.groups == 0) continue; /* its expressions were eliminated by folding */
    eq->quantities[eq->nquantities++] = q;
    eq->load_groups |= q.groups;
  }
}

trm_status trmi_quantities_connect(trmi_equations *eq, trm_error *err) {
  for (int i = 0; i < eq->nquantities; i++) {
    trmi_quantity *q = &eq->quantities[i];
    q->contributor = trmi_assembly_find(eq->assembly, q->of);
    if (q->contributor >= 0) continue;
    return TRMI_FAIL(err, TRM_ERR_INPUT, q->of, "an expression names a quantity that no part "
                     "computes");
  }
  return TRM_OK;
}

trm_status trmi_quantities_find(trmi_equations *eq, const trm_state *s, uint64_t groups,
                                trm_error *err) {
  if ((eq->load_groups & groups) == 0) return TRM_OK;
  trmi_assembly_move(eq->assembly, s);
  for (int i = 0; i < eq->nquantities; i++) {
    const trmi_quantity *q = &eq->quantities[i];
    if ((q->groups & groups) == 0) continue;
    const trmi_contributor *c = &eq->assembly->list[q->contributor];
    const bool wanted[2] = {(q->half_groups[0] & groups) != 0, (q->half_groups[1] & groups) != 0};
    double *derivatives = (q->derivative_groups & groups) != 0 ? eq->loads + q->derivative : NULL;
    TRMI_TRY(err, c->ops->quantities(c->self, q->set, s, wanted, eq->loads + q->value, derivatives,
                                     err));
  }
  return TRM_OK;
}
