/* equations_pulses.c - times at which free expressions of time leave a quiet interval.
 *
 * 1000*exp(-((time - 1)/0.01)^2) has no definite beginning, but a step from rest would still miss
 * it. So before a run each law of time alone is sampled N times over the whole run and reduced to a
 * polyline with a deviation of at most 2 % of its range [DouglasPeucker]. A law is quiet from point
 * i to k and then changes, if
 *   k - i >= Q,  t_k - t_i >= 3 (t_l - t_k), l the next point,                              (1)
 *   and over the first three quarters it is straight to 1e-3 of its range                   (2)
 * (2) does not hold for waves, which error control detects. Steps end at t_k and at the FOLLOW
 * points after it; finer sampling around t_k finds a pulse between two samples. A pulse that
 * exceeds 2 % of its height for less than 1/N of the run may be missed. After these points steps
 * grow from the last one: with the length they had before the pulse, all stages of a step could lie
 * beyond the rest of it.
 *
 * A law is the largest part of an equation that depends only on time; sums are divided into their
 * terms, so that a small pulse added to a large wave has its own range. Straight lines, waves sin(a
 * t + b), conditions, and laws with marks (equations_marks.c) are excluded. */
#include "equations/equations_marks.h"
#include "equations/equations_quantities.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 4000, QUIET = 16, FOLLOW = 4 }; /* N, Q, points after a quiet interval */
enum { FINE = 128 };                             /* samples of the finer sampling      */
static const double bend_part = 0.02, passed = 1e-9, quiet_ratio = 3.0, quiet_part = 1e-3;

/* --- laws ---------------------------------------------------------------------------------- */

/* Properties of each node. */
enum {
  IS_TIMED = 1,    /* depends on time and on nothing else that varies   */
  IS_LINEAR = 2,   /* linear in time, or constant                       */
  IS_FREE = 4,     /* depends on time otherwise than by laws with marks */
  IS_CONSTANT = 8,
};

static bool is_marked(const trmi_compiler *b, trmi_node n) {
  for (const trmi_mark *mark = b->marks; mark != NULL; mark = mark->next) {
    if (mark->part == n && mark->is_compiled) return true;
  }
  return false;
}

/* Bits of a node from those of its arguments. */
static unsigned bits_of(const trmi_compiler *b, const unsigned char *bits, trmi_node n) {
  const trmi_vertex *v = &b->graph.nodes[n];
  const unsigned x = bits[v->a], y = bits[v->b], z = bits[v->c];
  const unsigned constant = IS_CONSTANT | IS_LINEAR | IS_TIMED;
  switch (v->op) {
  case TRMI_OP_CONSTANT:
  case TRMI_OP_LIVE: return constant;
  case TRMI_OP_SYMBOL:
    return trmi_symbol_lists(b, n) == 1U << TRMI_IN_TIME ? IS_TIMED | IS_LINEAR | IS_FREE : 0;
  default: break;
  }
  if ((x & y & z & IS_CONSTANT) != 0) return constant;
  if ((x & y & z & IS_TIMED) == 0) return 0;
  unsigned is_free = (x | y | z) & IS_FREE, is_linear = 0;
  switch (v->op) {
  case TRMI_OP_ADD:
  case TRMI_OP_SUB:
  case TRMI_OP_NEG: is_linear = x & y & IS_LINEAR; break;
  case TRMI_OP_MUL: is_linear = ((x | y) & IS_CONSTANT) != 0 ? x & y & IS_LINEAR : 0; break;
  case TRMI_OP_DIV: is_linear = (y & IS_CONSTANT) != 0 ? x & IS_LINEAR : 0; break;
  case TRMI_OP_LESS:
  case TRMI_OP_LESS_EQUAL:
  case TRMI_OP_EQUAL: is_free = 0; break;
  case TRMI_OP_SELECT: is_free = (y | z) & IS_FREE; break;
  case TRMI_OP_SPLINE: is_free = (x & IS_LINEAR) != 0 ? 0 : x & IS_FREE; break; /* it has marks */
  default: break;
  }
  if (is_free != 0 && is_marked(b, n)) is_free = 0;
  return IS_TIMED | is_linear | is_free;
}

static bool is_wave(const trmi_compiler *b, const unsigned char *bits, trmi_node n) {
  const trmi_vertex *v = &b->graph.nodes[n];
  return (v->op == TRMI_OP_SIN || v->op == TRMI_OP_COS) && (bits[v->a] & IS_LINEAR) != 0;
}

/* Laws among the nodes `used` by equations, from the largest down, through sums and factors.
 * `wanted` marks those to sample. */
static void find_laws(const trmi_compiler *b, const bool *used, const unsigned char *bits,
                      bool *wanted) {
  const trmi_graph *g = &b->graph;
  for (int n = 1; n < g->count; n++) { /* arguments of nodes that are not laws */
    const trmi_vertex *v = &g->nodes[n];
    if (!used[n] || (bits[n] & IS_TIMED) != 0) continue;
    wanted[v->a] = wanted[v->b] = wanted[v->c] = true;
  }
  for (int i = 0; i < b->entries.count; i++) {
    const trmi_entry *e = &b->entries.list[i];
    if (e->group <= TRMI_RESULT_EVENTS) wanted[e->node] = true;
  }
  for (int n = g->count - 1; n > 0; n--) {
    const trmi_vertex *v = &g->nodes[n];
    const bool is_law = (bits[n] & IS_TIMED) != 0 && (bits[n] & IS_FREE) != 0 &&
                        (bits[n] & IS_LINEAR) == 0 && !is_wave(b, bits, n);
    if (!wanted[n] || !is_law) {
      wanted[n] = false;
      continue;
    }
    const bool is_sum = v->op == TRMI_OP_ADD || v->op == TRMI_OP_SUB || v->op == TRMI_OP_NEG;
    const bool is_factor = v->op == TRMI_OP_MUL && ((bits[v->a] | bits[v->b]) & IS_CONSTANT) != 0;
    if (is_sum || is_factor) wanted[n] = false, wanted[v->a] = wanted[v->b] = true;
  }
}

void trmi_compile_pulses(trmi_compiler *b, const bool *used) {
  trmi_equations *eq = b->eq;
  const int count = b->graph.count;
  unsigned char *bits = TRMI_TAKE(&b->scratch, unsigned char, count);
  bool *wanted = TRMI_TAKE(&b->scratch, bool, count);
  if (bits == NULL || wanted == NULL) return;
  bits[0] = IS_CONSTANT | IS_LINEAR | IS_TIMED;
  for (int n = 1; n < count; n++) bits[n] = (unsigned char)bits_of(b, bits, n);
  find_laws(b, used, bits, wanted);
  for (int n = 1; n < count; n++) {
    if (wanted[n]) trmi_add_entry(b, TRMI_RESULT_PULSE, eq->npulses++, 0, n);
  }
}

/* --- sampling ------------------------------------------------------------------------------ */

int trmi_bends(const double *x, const double *y, int n, double least, int *stack, int *kept) {
  int count = 0, top = 0;
  kept[count++] = 0;
  stack[top++] = n - 1;
  for (int i = 0; top > 0;) {
    const int k = stack[top - 1];
    const double slope = (y[k] - y[i]) / (x[k] - x[i]);
    double worst = least;
    int at = -1;
    for (int m = i + 1; m < k; m++) {
      const double off = fabs(y[m] - y[i] - slope * (x[m] - x[i]));
      if (off > worst) worst = off, at = m;
    }
    if (at >= 0) {
      stack[top++] = at;
    } else {
      kept[count++] = i = k;
      top--;
    }
  }
  return count;
}

/* Scratch of the sampling before a run. */
typedef struct look {
  trmi_equations *eq;
  trm_state       at;    /* the start, at other times     */
  double          from, to;
  double         *t;     /*                     [SAMPLES + 1] */
  double         *y;     /* of law i at i * (SAMPLES + 1)     */
  double         *fine;  /* the same of the finer sampling [FINE + 1] */
  int            *stack, *kept;
  double         *found; /* times               [room]        */
  int             count, room;
  trmi_arena      arena;
} look;

/* All laws at n + 1 equal times from t0 to t1; a value that is not finite is replaced by the
 * previous one. */
static trm_status sample(look *l, double t0, double t1, int n, double *t, double *y,
                         trm_error *err) {
  trmi_equations *eq = l->eq;
  const uint64_t group = UINT64_C(1) << TRMI_RESULT_PULSE;
  const trmi_entry *entries = eq->entries + eq->group[TRMI_RESULT_PULSE];
  for (int k = 0; k <= n; k++) {
    t[k] = l->at.t = t0 + (t1 - t0) * ((double)k / n);
    TRMI_TRY(err, trmi_equations_at(eq, &l->at, group, err));
    trmi_tape_run(&eq->tape, group);
    for (int i = 0; i < eq->npulses; i++) {
      double *law = y + (size_t)i * (size_t)(n + 1);
      const double value = eq->tape.value[entries[i].slot];
      law[k] = isfinite(value) ? value : k > 0 ? law[k - 1] : 0.0;
    }
  }
  return TRM_OK;
}

static double range_of(const double *y, int n) {
  double low = INFINITY, high = -INFINITY;
  for (int k = 0; k <= n; k++) low = fmin(low, y[k]), high = fmax(high, y[k]);
  return high - low;
}

/* A law that bends between most samples has no quiet intervals. */
static bool is_restless(const double *y, double range) {
  int bends = 0;
  for (int k = 1; k < SAMPLES; k++) {
    bends += fabs(y[k - 1] - 2 * y[k] + y[k + 1]) > bend_part * range;
  }
  return bends > SAMPLES / 8;
}

/* (2) from point i to k. */
static bool is_quiet(const double *y, int i, int k, double range) {
  const int end = i + 3 * (k - i) / 4;
  const double slope = (y[end] - y[i]) / (end - i);
  for (int m = i + 1; m < end; m++) {
    if (!(fabs(y[m] - y[i] - slope * (m - i)) <= quiet_part * range)) return false;
  }
  return true;
}

static void find(look *l, double t) {
  if (l->count == l->room) {
    const int room = l->room == 0 ? 256 : 2 * l->room;
    double *found = TRMI_TAKE(&l->arena, double, room);
    if (found == NULL) return; /* recorded by the arena */
    if (l->count > 0) memcpy(found, l->found, (size_t)l->count * sizeof *found);
    l->found = found, l->room = room;
  }
  l->found[l->count++] = t;
}

/* Finer sampling of law i around sample k. */
static trm_status look_closely(look *l, int i, int k, double range, trm_error *err) {
  const double spacing = (l->to - l->from) / SAMPLES;
  const double t0 = fmax(l->t[k] - 2 * spacing, l->from), t1 = fmin(l->t[k] + 2 * spacing, l->to);
  double t[FINE + 1];
  int stack[FINE + 1], kept[FINE + 1];
  TRMI_TRY(err, sample(l, t0, t1, FINE, t, l->fine, err));
  const double *y = l->fine + (size_t)i * (FINE + 1);
  const double least = bend_part * fmax(range, range_of(y, FINE));
  const int n = trmi_bends(t, y, FINE + 1, least, stack, kept);
  for (int m = 1; m + 1 < n; m++) find(l, t[kept[m]]);
  return TRM_OK;
}

static trm_status look_at_law(look *l, int i, trm_error *err) {
  const double *y = l->y + (size_t)i * (SAMPLES + 1), range = range_of(y, SAMPLES);
  if (range == 0.0 || is_restless(y, range)) return TRM_OK;
  const int n = trmi_bends(l->t, y, SAMPLES + 1, bend_part * range, l->stack, l->kept);
  for (int m = 1; m + 1 < n; m++) {
    const int before = l->kept[m - 1], here = l->kept[m], next = l->kept[m + 1];
    const bool is_pause = here - before >= QUIET && here - before >= quiet_ratio * (next - here);
    if (!is_pause || !is_quiet(y, before, here, range)) continue;
    TRMI_TRY(err, look_closely(l, i, here, range, err));
    for (int f = m; f <= m + FOLLOW && f + 1 < n; f++) find(l, l->t[l->kept[f]]);
  }
  return TRM_OK;
}

static int compare_times(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Store the times found for the run: ascending, with a minimum distance. */
static void keep_times(look *l) {
  trmi_equations *eq = l->eq;
  const double apart = 1e-9 * (l->to - l->from);
  if (l->count > eq->pulse_room) {
    eq->pulse_times = TRMI_TAKE(&eq->arena, double, l->count);
    eq->pulse_room = eq->pulse_times != NULL ? l->count : 0;
  }
  eq->npulse_times = 0;
  if (l->count > eq->pulse_room || l->count == 0) return;
  qsort(l->found, (size_t)l->count, sizeof *l->found, compare_times);
  for (int k = 0; k < l->count; k++) {
    const int n = eq->npulse_times;
    if (n > 0 && l->found[k] - eq->pulse_times[n - 1] < apart) continue;
    eq->pulse_times[eq->npulse_times++] = l->found[k];
  }
}

static trm_status look_ahead(look *l, trm_error *err) {
  const int laws = l->eq->npulses;
  l->t = TRMI_TAKE(&l->arena, double, SAMPLES + 1);
  l->y = TRMI_TAKE(&l->arena, double, (size_t)laws * (SAMPLES + 1));
  l->fine = TRMI_TAKE(&l->arena, double, (size_t)laws * (FINE + 1));
  l->stack = TRMI_TAKE(&l->arena, int, SAMPLES + 1);
  l->kept = TRMI_TAKE(&l->arena, int, SAMPLES + 1);
  TRMI_TRY(err, trmi_arena_check(&l->arena, err));
  TRMI_TRY(err, sample(l, l->from, l->to, SAMPLES, l->t, l->y, err));
  for (int i = 0; i < laws; i++) TRMI_TRY(err, look_at_law(l, i, err));
  TRMI_TRY(err, trmi_arena_check(&l->arena, err));
  keep_times(l);
  return trmi_arena_check(&l->eq->arena, err);
}

trm_status trmi_equations_begin_run(void *self, const trm_state *s, double end, trm_error *err) {
  trmi_equations *eq = self;
  eq->npulse_times = 0;
  if (eq->npulses == 0 || !(end > s->t)) return TRM_OK;
  look l = {.eq = eq, .at = *s, .from = s->t, .to = end};
  trmi_arena_init(&l.arena, &eq->arena.allocator);
  const trm_status status = look_ahead(&l, err);
  trmi_arena_clear(&l.arena);
  return status;
}

bool trmi_equations_is_pulse(const void *self, double t) {
  const trmi_equations *eq = self;
  const double near = passed * fabs(t);
  return eq->npulse_times > 0 && fabs(trmi_pulse_after(eq, t - near) - t) <= near;
}

double trmi_pulse_after(const trmi_equations *eq, double t) {
  int low = 0, high = eq->npulse_times;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (eq->pulse_times[middle] > t) high = middle;
    else low = middle + 1;
  }
  return low < eq->npulse_times ? eq->pulse_times[low] : (double)INFINITY;
}
