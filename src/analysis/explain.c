/* explain.c - count steps by cause and by unknown. */
#include "analysis/explain.h"
#include "analysis/explain_internal.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const double SIZE_LEAST = 1e-30; /* [s], class 0 */

const char *trm_cause_name(trm_cause cause) {
  static const char *const names[] = {"none",   "fixed",  "accuracy", "fast",    "scale", "stiff",
                                      "newton", "domain", "event",    "maximum", "stop",  "slip",
                                      "growth"};
  _Static_assert(sizeof names / sizeof *names == TRM_CAUSE_GROWTH + 1, "a name for every cause");
  return names[cause];
}

const char *trm_limit_name(trm_limit limit) {
  static const char *const names[] = {"first", "error", "newton", "domain", "event", "growth",
                                      "maximum", "stop", "slip"};
  _Static_assert(sizeof names / sizeof *names == TRM_LIMITS, "a name for every limit");
  return names[limit];
}

/* ---- suspects ---------------------------------------------------------------- */

static size_t hash(trm_quantity list, int index, size_t size) {
  const uint64_t key = (uint64_t)list << 32 | (uint32_t)index;
  return (size_t)((key * 0x9E3779B97F4A7C15U >> 20) % size);
}

static void fill_slots(trmi_explain *e) {
  const size_t size = 2 * (size_t)e->capacity;
  memset(e->slots, 0, size * sizeof *e->slots);
  for (int i = 0; i < e->result.nsuspects; i++) {
    size_t slot = hash(e->suspects[i].list, e->suspects[i].index, size);
    while (e->slots[slot] != 0) slot = (slot + 1) % size;
    e->slots[slot] = i + 1;
  }
}

static trm_status grow(trmi_explain *e, trm_error *err) {
  const int capacity = e->capacity > 0 ? 2 * e->capacity : 64;
  trm_suspect *suspects = TRMI_TAKE(e->arena, trm_suspect, capacity);
  int *slots = TRMI_TAKE(e->arena, int, 2 * (size_t)capacity);
  TRMI_TRY(err, trmi_arena_check(e->arena, err));
  const size_t used = (size_t)e->result.nsuspects;
  if (used > 0) memcpy(suspects, e->suspects, used * sizeof *suspects);
  e->suspects = suspects;
  e->slots = slots;
  e->capacity = capacity;
  fill_slots(e);
  return TRM_OK;
}

static trm_status find_suspect(trmi_explain *e, trm_quantity list, int index,
                               trm_suspect **suspect, trm_error *err) {
  if (e->result.nsuspects == e->capacity) TRMI_TRY(err, grow(e, err));
  const size_t size = 2 * (size_t)e->capacity;
  size_t slot = hash(list, index, size);
  for (; e->slots[slot] != 0; slot = (slot + 1) % size) {
    *suspect = &e->suspects[e->slots[slot] - 1];
    if ((*suspect)->list == list && (*suspect)->index == index) return TRM_OK;
  }
  *suspect = &e->suspects[e->result.nsuspects++];
  **suspect = (trm_suspect){.list = list, .index = index, .h_smallest = INFINITY,
                             .t_smallest = NAN};
  e->slots[slot] = e->result.nsuspects;
  return TRM_OK;
}

/* ---- steps -------------------------------------------------------------------- */

static bool is_known(trm_limit limit) {
  return limit >= TRM_LIMIT_NONE && limit <= TRM_LIMIT_SLIP;
}

static void count_rejection(trmi_explain *e, double t) {
  const double part = (t - e->run.from) / (e->run.to - e->run.from);
  if (!(part >= 0.0 && part <= 1.0)) return;
  const int last = TRMI_EXPLAIN_BINS - 1;
  const int place = (int)(part * TRMI_EXPLAIN_BINS);
  trmi_explain_bin *bin = &e->bins[place < last ? place : last];
  if (bin->rejected++ == 0) bin->from = t;
  bin->to = t;
}

static void count_size(trmi_explain *e, double h) {
  const double place = SIZES_PER_DECADE * log10(h / SIZE_LEAST);
  if (place >= 0.0 && place < SIZES) e->sizes[(int)place]++;
}

/* A stop, contact or friction. */
static bool is_by_part(trm_limit limit) {
  return limit == TRM_LIMIT_STOP || limit == TRM_LIMIT_SLIP;
}

static cut by_part(const trm_step_record *step) {
  const trm_quantity list = step->limit == TRM_LIMIT_STOP ? TRM_GAP : TRM_SLIP;
  return (cut){.limit = step->limit, .list = list, .index = step->index};
}

/* The cause of the size of an accepted step. */
static cut cause_of(const trmi_explain *e, const trm_step_record *step) {
  const cut own = {.limit = step->limit, .list = step->list, .index = -1};
  switch (step->limit) {
  case TRM_LIMIT_ERROR: return e->just_failed ? e->last : e->pace;
  case TRM_LIMIT_NEWTON:
  case TRM_LIMIT_DOMAIN: return e->last.limit == step->limit ? e->last : own;
  case TRM_LIMIT_GROWTH: return e->last.limit != TRM_LIMIT_NONE ? e->last : own;
  case TRM_LIMIT_STOP:
  case TRM_LIMIT_SLIP: return by_part(step);
  default: return own;
  }
}

/* From the file; older files do not have it, then the usual one of the method. */
static int order_of(const trmi_explain *e, const trm_step_record *step) {
  if (step->order > 0) return step->order < TRM_ORDERS ? step->order : TRM_ORDERS - 1;
  const trm_formulation *form = trm_method_formulation(e->method, e->run.formulation);
  return form != NULL ? form->order : e->method->formulations[0].order;
}

static trm_status accept(trmi_explain *e, const trm_step_record *step, trm_error *err) {
  trm_explanation *r = &e->result;
  const cut cause = cause_of(e, step);
  r->accepted++;
  r->steps[cause.limit]++;
  r->orders[order_of(e, step)]++;
  count_size(e, step->h);
  if (step->h < r->h_smallest) r->h_smallest = step->h, r->t_smallest = step->t;
  if (step->h > r->h_largest) r->h_largest = step->h;
  if (cause.index >= 0) {
    trm_suspect *suspect;
    TRMI_TRY(err, find_suspect(e, cause.list, cause.index, &suspect, err));
    suspect->steps[cause.limit]++;
    if (step->h < suspect->h_smallest) {
      suspect->h_smallest = step->h;
      suspect->t_smallest = step->t;
    }
  }

  /* recovered: the error determines the step again, or the longest step is reached */
  const bool has_recovered = !e->just_failed && (step->limit == TRM_LIMIT_ERROR ||
                                                 step->limit == TRM_LIMIT_MAXIMUM);
  if (has_recovered) e->last = (cut){.index = -1};
  if (step->limit == TRM_LIMIT_EVENT) e->last = (cut){.limit = TRM_LIMIT_EVENT, .index = -1};
  if (is_by_part(step->limit)) e->last = by_part(step);
  if (!is_by_part(step->limit)) {
    e->pace = (cut){.limit = TRM_LIMIT_ERROR, .list = step->list, .index = step->index};
  }
  e->just_failed = false;
  return TRM_OK;
}

static trm_status reject(trmi_explain *e, const trm_step_record *step, trm_error *err) {
  e->result.rejected[step->limit]++;
  count_rejection(e, step->t);
  if (step->index >= 0) {
    trm_suspect *suspect;
    TRMI_TRY(err, find_suspect(e, step->list, step->index, &suspect, err));
    suspect->rejected[step->limit]++;
  }
  e->last = (cut){.limit = step->limit, .list = step->list, .index = step->index};
  e->just_failed = true;
  return TRM_OK;
}

trm_status trmi_explain_step(trmi_explain *e, const trm_step_record *step, trm_error *err) {
  if (!is_known(step->limit) || !isfinite(step->t) || !isfinite(step->h)) {
    return TRMI_FAIL(err, TRM_ERR_IO, NULL, "the history of steps holds a step that cannot be");
  }
  e->result.iterations += step->iterations > 0 ? step->iterations : 0;
  return step->accepted ? accept(e, step, err) : reject(e, step, err);
}

/* An event function instead of an unknown. */
trm_status trmi_explain_event(trmi_explain *e, double t, int index, trm_error *err) {
  trm_suspect *suspect = NULL;
  TRMI_TRY(err, find_suspect(e, TRM_EVENT, index, &suspect, err));
  suspect->steps[TRM_LIMIT_EVENT]++;
  e->result.events++;
  const double distance = t - e->event_t;
  if (distance >= 0.0) {
    if (isnan(e->event_first)) e->event_first = distance;
    e->event_shortest = fmin(e->event_shortest, distance);
  }
  e->event_t = t;
  return TRM_OK;
}

/* ---- end ---------------------------------------------------------------------- */

trm_status trmi_explain_create(trmi_arena *arena, const trmi_explain_run *run,
                               trmi_explain **explain, trm_error *err) {
  trmi_explain *e = TRMI_TAKE(arena, trmi_explain, 1);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  e->run = *run;
  e->method = trm_method_find(run->integrator);
  if (e->method == NULL) e->method = trm_method_for(TRM_SUITS_MOST);
  if (run->time_unit == NULL) e->run.time_unit = "s";
  if (!(run->seconds > 0.0)) e->run.seconds = 1.0;
  e->arena = arena;
  e->result = (trm_explanation){.h_smallest = INFINITY, .t_smallest = NAN};
  e->last = e->pace = (cut){.index = -1};
  e->pace.limit = TRM_LIMIT_ERROR;
  e->event_t = e->event_first = NAN;
  e->event_shortest = INFINITY;
  *explain = e;
  return TRM_OK;
}

static double median_size(const trmi_explain *e) {
  long seen = 0;
  for (int i = 0; i < SIZES; i++) {
    seen += e->sizes[i];
    if (2 * seen >= e->result.accepted && seen > 0) {
      return SIZE_LEAST * pow(10.0, (i + 0.5) / SIZES_PER_DECADE);
    }
  }
  return NAN;
}

/* Intervals with three times the average density of rejections. */
static void find_clusters(trmi_explain *e) {
  trm_explanation *r = &e->result;
  long total = 0;
  for (int i = 0; i < TRMI_EXPLAIN_BINS; i++) total += e->bins[i].rejected;
  const double least = fmax(2.0, 3.0 * (double)total / TRMI_EXPLAIN_BINS);
  for (int i = 0; i < TRMI_EXPLAIN_BINS; i++) {
    if (!((double)e->bins[i].rejected >= least)) continue;
    trm_cluster found = {.from = e->bins[i].from};
    for (; i < TRMI_EXPLAIN_BINS && (double)e->bins[i].rejected >= least; i++) {
      found.to = e->bins[i].to;
      found.count += e->bins[i].rejected;
    }
    r->nclusters_all++;
    int place = r->nclusters < TRM_CLUSTERS_MAX ? r->nclusters++ : TRM_CLUSTERS_MAX;
    for (; place > 0 && r->clusters[place - 1].count < found.count; place--) {
      if (place < TRM_CLUSTERS_MAX) r->clusters[place] = r->clusters[place - 1];
    }
    if (place < TRM_CLUSTERS_MAX) r->clusters[place] = found;
  }
}

static long weight(const trm_suspect *s) {
  long sum = 0;
  for (int k = 0; k < TRM_LIMITS; k++) sum += s->steps[k] + s->rejected[k];
  return sum;
}

static int by_weight(const void *a, const void *b) {
  const trm_suspect *left = a, *right = b;
  const long x = weight(left), y = weight(right);
  if (x != y) return x > y ? -1 : 1;
  if (left->list != right->list) return left->list < right->list ? -1 : 1;
  return left->index < right->index ? -1 : 1;
}

trm_status trmi_explain_finish(trmi_explain *e, const trm_explanation **explanation,
                               trm_error *err) {
  trm_explanation *r = &e->result;
  r->h_median = median_size(e);
  find_clusters(e);
  if (r->nsuspects > 0) qsort(e->suspects, (size_t)r->nsuspects, sizeof *e->suspects, by_weight);
  r->suspects = e->suspects;
  TRMI_TRY(err, trmi_explain_judge(e, err));
  *explanation = r;
  return TRM_OK;
}
