/* equations_events.c - conditions of a compiled model, at its start and at events, and the
 * values that events set. Event functions: equations_watch.c. */
#include "equations/equations_internal.h"
#include "equations/remarks.h"
#include <math.h>
#include <string.h>

/* The first time of a periodic event after t, counted from the first one, so that rounding does not
 * accumulate. */
static double next_time(const trmi_event *event, double t) {
  const double k = floor((t - event->origin) / event->period + 1e-9) + 1.0;
  return event->origin + fmax(k, 0.0) * event->period;
}

/* Numbers fixed at the start depend on the given start, some of them on angles, which depend on
 * laws of motions: hence two passes. */
static trm_status begin_memory(trmi_equations *eq, const trm_state *s, trm_error *err) {
  for (int i = 0; i < eq->nmemory; i++) eq->memory[i] = 0.0;
  for (int i = 0; i < eq->nlaws; i++) {
    double *memory = eq->memory + eq->laws[i].memory;
    memory[0] = memory[TRMI_LAW_NOW] = s->t;
  }
  for (int k = 0; k < 2; k++) {
    TRMI_TRY(err, trmi_equations_at(eq, s, UINT64_C(1) << TRMI_RESULT_MEMORY, err));
    trmi_tape_run(&eq->tape, UINT64_C(1) << TRMI_RESULT_MEMORY);
    for (int i = eq->group[TRMI_RESULT_MEMORY]; i < eq->group[TRMI_RESULT_MEMORY + 1]; i++) {
      eq->memory[eq->entries[i].row] = eq->tape.value[eq->entries[i].slot];
    }
    const int end = eq->group[TRMI_RESULT_ANGLE + 1];
    for (int i = eq->group[TRMI_RESULT_ANGLE]; i < end; i += TRMI_ANGLE_ENTRIES) {
      double *memory = eq->memory + eq->entries[i].row;
      memory[TRMI_ANGLE_THEN] = memory[TRMI_ANGLE_NOW];
    }
  }
  return TRM_OK;
}

/* Data of the function of an event at a state. */
typedef struct watching {
  double value, rate;
  double slope; /* its change along one direction, common to all events */
  double near; /* limit of rounding                                      */
} watching;

static watching watch_event(const trmi_equations *eq, int i) {
  const double *value = eq->tape.value;
  return (watching){.value = value[eq->entries[eq->group[TRMI_RESULT_EVENTS] + i].slot],
                    .rate = value[eq->entries[eq->group[TRMI_RESULT_EVENT_RATES] + i].slot],
                    .slope = value[eq->entries[eq->group[TRMI_RESULT_EVENT_SLOPES] + 3 * i].slot],
                    .near = trmi_event_near(eq, i)};
}

/* The value a condition should hold. On a corner the side to which the motion goes; at rest the
 * side of one small displacement, common to all conditions: one-sided slopes of several functions
 * are consistent only if all belong to the same side. Jumps are as typed. */
static double held_for(const trmi_event *event, const watching *w) {
  const double way = w->rate != 0.0 ? w->rate : w->slope;
  if (event->trigger == TRMI_SIGN && !event->is_continuous) {
    return w->value > 0.0 || (w->value == 0.0 && w->rate >= 0.0);
  }
  if (event->trigger == TRMI_SIGN) {
    return w->value == 0.0 || fabs(w->value) <= w->near ? way >= 0.0 : w->value > 0.0;
  }
  const trmi_spline *curve = event->curve;
  const int piece = trmi_spline_find(curve, w->value);
  const double below = piece > 0 ? w->value - curve->x[piece - 1] : (double)INFINITY;
  const double above = piece < curve->n ? curve->x[piece] - w->value : (double)INFINITY;
  if ((below == 0.0 || below <= w->near) && way < 0.0) return piece - 1;
  return above <= w->near && way > 0.0 ? piece + 1 : piece;
}

/* Set conditions from a state. Some depend on others, so this is repeated until nothing changes.
 * `is_start`: values that are not yet finite are skipped. */
static trm_status hold_all(trmi_equations *eq, trm_state *s, bool is_start, bool *changed,
                           trm_error *err) {
  const uint64_t groups = UINT64_C(1) << TRMI_RESULT_EVENTS |
                          UINT64_C(1) << TRMI_RESULT_EVENT_RATES |
                          UINT64_C(1) << TRMI_RESULT_EVENT_SLOPES;
  const trmi_event *last = NULL;
  for (int pass = 0; pass < eq->n.nevents + 2; pass++) {
    bool is_settled = true;
    TRMI_TRY(err, trmi_equations_at(eq, s, groups, err));
    trmi_tape_run(&eq->tape, groups);
    for (int i = 0; i < eq->n.nevents; i++) {
      const trmi_event *event = &eq->events[i];
      const bool is_held = event->trigger == TRMI_SIGN || event->trigger == TRMI_PIECE;
      if (!is_held || event->turned_at == s->t) continue;
      const watching w = watch_event(eq, i);
      if (!isfinite(w.value) && is_start) continue;
      if (!isfinite(w.value)) return trmi_equations_blame(eq, groups, err);
      const double wanted = held_for(event, &w);
      if (wanted == s->z[event->z]) continue;
      s->z[event->z] = wanted;
      is_settled = false;
      last = event;
    }
    if (is_settled) return TRM_OK;
    *changed = true;
  }
  return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the condition in line %d, column %d contradicts "
                   "itself: whether it is taken as true or false, the opposite follows; look at "
                   "the quantities it depends on", last->place.line, last->place.column);
}

trm_status trmi_equations_start(void *self, trm_state *s, trm_error *err) {
  trmi_equations *eq = self;
  bool changed = false; /* positions to be assembled may depend on conditions */
  if (eq->nq > 0) memcpy(s->q, eq->q, (size_t)eq->nq * sizeof(double));
  if (eq->n.nv > 0) memcpy(s->v, eq->v, (size_t)eq->n.nv * sizeof(double));
  if (eq->n.nx > 0) memcpy(s->x, eq->x, (size_t)eq->n.nx * sizeof(double));
  if (eq->n.nw > 0) memcpy(s->w, eq->w, (size_t)eq->n.nw * sizeof(double));
  if (eq->n.nz > 0) memcpy(s->z, eq->z, (size_t)eq->n.nz * sizeof(double));
  if (eq->n.nu > 0) memcpy(s->u, eq->u, (size_t)eq->n.nu * sizeof(double));
  if (eq->n.nu > 0) memcpy(s->ud, eq->ud, (size_t)eq->n.nu * sizeof(double));
  for (int i = 0; i < eq->n.nevents; i++) eq->events[i].turned_at = eq->events[i].origin = NAN;
  if (eq->n.nevents == 0 && eq->nmemory == 0) return TRM_OK;
  TRMI_TRY(err, hold_all(eq, s, true, &changed, err)); /* required by laws of motions, then by
                                                          angles */
  if (eq->nmemory > 0) TRMI_TRY(err, begin_memory(eq, s, err));
  TRMI_TRY(err, hold_all(eq, s, true, &changed, err));
  return TRM_OK;
}

static trm_status assign(trmi_equations *eq, const trmi_event *event, trm_state *s,
                         trm_error *err) {
  TRMI_TRY(err, trmi_equations_at(eq, s, UINT64_C(1) << TRMI_RESULT_SET, err));
  trmi_tape_run(&eq->tape, UINT64_C(1) << TRMI_RESULT_SET);
  for (int k = event->set; k < event->set + event->nset; k++) {
    const trmi_assignment *target = &eq->assignments[k];
    const double value =
        eq->tape.value[eq->entries[eq->group[TRMI_RESULT_SET] + target->entry].slot];
    if (!isfinite(value)) return trmi_equations_blame(eq, UINT64_C(1) << TRMI_RESULT_SET, err);
    double *const list = target->list == TRMI_IN_Q   ? s->q
                         : target->list == TRMI_IN_V ? s->v
                         : target->list == TRMI_IN_X ? s->x
                                                     : s->z;
    list[target->index] = value;
  }
  return TRM_OK;
}

/* A periodic event at the start. Its first time is one period later if none was given; a given time
 * may be the start, or lie before it. */
static trm_status begin_periodic(trmi_equations *eq, trmi_event *event, trm_state *s,
                                 bool *changed, trm_error *err) {
  event->origin = isnan(event->first) ? s->t + event->period : event->first;
  s->z[event->z] = next_time(event, s->t);
  if (event->origin != s->t) return TRM_OK;
  event->turned_at = s->t;
  if (event->nset == 0) return TRM_OK;
  *changed = true;
  TRMI_TRY(err, assign(eq, event, s, err));
  return TRM_OK;
}

trm_status trmi_equations_settle(void *self, trm_state *s, bool *changed, trm_error *err) {
  trmi_equations *eq = self;
  *changed = false;
  TRMI_TRY(err, trmi_equations_at(eq, s, UINT64_C(1) << TRMI_RESULT_ANGLE |
                                             UINT64_C(1) << TRMI_RESULT_REMARK_CONDITIONS, err));
  trmi_angles_remember(eq, s->t);
  trmi_remarks_evaluate(eq);
  for (int i = 0; i < eq->n.nevents; i++) {
    trmi_event *event = &eq->events[i];
    if (event->trigger != TRMI_EVERY || !isnan(event->origin)) continue;
    TRMI_TRY(err, begin_periodic(eq, event, s, changed, err));
  }
  return eq->n.nevents == 0 ? TRM_OK : hold_all(eq, s, false, changed, err);
}

trm_status trmi_equations_react(void *self, int i, trm_state *s, trm_error *err) {
  trmi_equations *eq = self;
  trmi_event *event = &eq->events[i];
  if (event->nset > 0) TRMI_TRY(err, assign(eq, event, s, err));
  event->turned_at = s->t;
  switch (event->trigger) {
  case TRMI_WHEN: break;
  case TRMI_EVERY: s->z[event->z] = next_time(event, s->z[event->z]); break;
  case TRMI_SIGN: s->z[event->z] = 1.0 - s->z[event->z]; break;
  case TRMI_PIECE: {
    TRMI_TRY(err, trmi_equations_at(eq, s, UINT64_C(1) << TRMI_RESULT_EVENTS, err));
    trmi_tape_run(&eq->tape, UINT64_C(1) << TRMI_RESULT_EVENTS);
    const double x = eq->tape.value[eq->entries[eq->group[TRMI_RESULT_EVENTS] + i].slot];
    const int piece = (int)s->z[event->z], n = event->curve->n;
    const bool is_up = piece <= 0 || (piece < n && event->curve->x[piece] - x <
                                                       x - event->curve->x[piece - 1]);
    s->z[event->z] += is_up ? 1.0 : -1.0;
    break;
  }
  }
  return TRM_OK;
}
