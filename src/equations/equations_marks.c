/* equations_marks.c - times at which smooth laws of time alone begin, end or bend.
 *
 * STEP(time, 1, 0, 1.1, 5), HAVSIN and tables over time are smooth and have no events. A step from
 * a state at rest has no local error and could miss a pulse completely. With x the argument of such
 * a law, x' its constant rate, and p the value of x where it changes, zero or a point of the table,
 * a step ends at
 *   t + (p - x)/x'                                                                          (1)
 * Tables have more points than steps should stop at. A point counts if the polyline through the
 * others would miss it by more than 2 % of the range of the table [DouglasPeucker].         (2)
 * Laws used only by outputs do not count: outputs never change a step. */
#include "equations/equations_marks.h"
#include "equations/equations_quantities.h"
#include <math.h>

/* Part of the range of a table, (2); relative distance at which a mark counts as passed. */
static const double bend_part = 0.02, passed = 1e-10;

static const unsigned of_time = 1U << TRMI_IN_TIME, of_variables = 1U << TRMI_IN_W;

/* A variable may be a name for an expression of the time: trmi_compile_marks knows. */
void trmi_add_mark(trmi_compiler *b, trmi_node part, trmi_node x, const trmi_spline *curve) {
  const unsigned lists = trmi_lists_of(b, x);
  if (lists == 0 || (lists & ~(of_time | of_variables)) != 0) return;
  for (const trmi_mark *mark = b->marks; mark != NULL; mark = mark->next) {
    if (mark->part == part && mark->x == x && mark->curve == curve) return;
  }
  trmi_mark *mark = TRMI_TAKE(&b->scratch, trmi_mark, 1);
  if (mark == NULL) return;
  *mark = (trmi_mark){.part = part, .x = x, .curve = curve, .next = b->marks};
  b->marks = mark;
}

/* The points of a curve that count, (2). */
static bool take_points(trmi_compiler *b, const trmi_spline *curve, trmi_marked *out) {
  const int n = curve->n;
  double low = INFINITY, high = -INFINITY;
  int *stack = TRMI_TAKE(&b->scratch, int, n), *kept = TRMI_TAKE(&b->scratch, int, n);
  double *y = TRMI_TAKE(&b->scratch, double, n);
  double *points = TRMI_TAKE(&b->eq->arena, double, n);
  if (stack == NULL || kept == NULL || y == NULL || points == NULL) return false;
  for (int i = 0; i < n; i++) {
    y[i] = trmi_spline_at(curve, 0, curve->x[i]);
    low = fmin(low, y[i]), high = fmax(high, y[i]);
  }
  const int count = trmi_bends(curve->x, y, n, bend_part * (high - low), stack, kept);
  for (int i = 0; i < count; i++) points[i] = curve->x[kept[i]];
  *out = (trmi_marked){.points = points, .npoints = count};
  return true;
}

/* Nodes used by equations of motion, constraints, states, variables and events. Outputs are
 * excluded: they never change a step. */
static const bool *used_nodes(trmi_compiler *b) {
  const trmi_graph *g = &b->graph;
  bool *used = TRMI_TAKE(&b->scratch, bool, g->count);
  if (used == NULL) return NULL;
  for (int i = 0; i < b->entries.count; i++) {
    const trmi_entry *e = &b->entries.list[i];
    const bool is_equation = e->group <= TRMI_RESULT_EVENTS;
    if (is_equation) used[e->node] = true;
  }
  for (int n = g->count - 1; n > 0; n--) { /* arguments precede their functions */
    const trmi_vertex *v = &g->nodes[n];
    if (used[n]) used[v->a] = used[v->b] = used[v->c] = true;
  }
  return used;
}

void trmi_compile_marks(trmi_compiler *b, const trmi_input rates[TRMI_INPUT_LISTS]) {
  static const double zero = 0.0;
  trmi_equations *eq = b->eq;
  int size = 0;
  for (const trmi_mark *mark = b->marks; mark != NULL; mark = mark->next) size++;
  eq->marked = TRMI_TAKE(&eq->arena, trmi_marked, size);
  const bool *used = used_nodes(b);
  if (eq->marked == NULL || used == NULL) return;
  for (trmi_mark *mark = b->marks; mark != NULL; mark = mark->next) {
    if (!used[mark->part] || trmi_lists_of(b, mark->x) != of_time) continue;
    const trmi_node rate = trmi_rate_of(b, mark->x, rates);
    trmi_marked *out = &eq->marked[eq->nmarked];
    if (trmi_lists_of(b, rate) != 0) continue; /* (1) needs a constant rate */
    *out = (trmi_marked){.points = &zero, .npoints = 1};
    if (mark->curve != NULL && !take_points(b, mark->curve, out)) return;
    trmi_add_entry(b, TRMI_RESULT_MARK, 2 * eq->nmarked, 0, mark->x);
    trmi_add_entry(b, TRMI_RESULT_MARK, 2 * eq->nmarked + 1, 0, rate);
    eq->nmarked++;
    mark->is_compiled = true;
  }
  trmi_compile_pulses(b, used);
}

/* The first point that an argument x with that rate reaches after x + margin. */
static double next_point(const trmi_marked *m, double x, double rate, double margin) {
  int low = 0, high = m->npoints; /* points before `low` are below, from `high` on above */
  const double from = rate > 0.0 ? x + margin : x - margin;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (m->points[middle] > from || (rate < 0.0 && m->points[middle] == from)) high = middle;
    else low = middle + 1;
  }
  const int at = rate > 0.0 ? low : low - 1;
  return at >= 0 && at < m->npoints ? m->points[at] : rate * INFINITY;
}

trm_status trmi_equations_next_mark(void *self, const trm_state *s, double *mark, trm_error *err) {
  trmi_equations *eq = self;
  *mark = fmin(*mark, trmi_pulse_after(eq, s->t + passed * fabs(s->t)));
  if (eq->nmarked == 0) return TRM_OK;
  const trmi_entry *entries = eq->entries + eq->group[TRMI_RESULT_MARK];
  TRMI_TRY(err, trmi_equations_at(eq, s, UINT64_C(1) << TRMI_RESULT_MARK, err));
  trmi_tape_run(&eq->tape, UINT64_C(1) << TRMI_RESULT_MARK);
  for (int i = 0; i < eq->nmarked; i++) {
    const double x = eq->tape.value[entries[2 * i].slot];
    const double rate = eq->tape.value[entries[2 * i + 1].slot];
    if (rate == 0.0) continue;
    const double margin = passed * fabs(s->t * rate);
    *mark = fmin(*mark, s->t + (next_point(&eq->marked[i], x, rate, margin) - x) / rate); /* (1) */
  }
  return TRM_OK;
}
