/* events.c - reactions to the zero crossings of event functions.
 *
 * crossing.c finds them inside a step. For each event sim->event_side records the side of zero of
 * its function. It decides if the function itself is zero: at the start a condition is on the side
 * where it does not hold (trm_event_edge), an expression on neither; after it fired it is on the
 * side it moved to. If a reaction turns the function back, as a bounce does, it remains on the side
 * it came from, marked BOUNCED: if it then leaves zero to the other side, the event fires again. A
 * function that reaches zero where another event happens, in a direction that does not trigger its
 * own event, is taken as zero there regardless of rounding: if a reaction turns it back, it has not
 * crossed. A function that a reaction stopped at zero is zero until it moves. An event function f
 * that approaches zero limits the next step to
 *   h <= 2 |f / f'|                                                                (1)
 * so that the equations are not evaluated far beyond an event, where other equations hold, but
 * never to less than a tenth of the step: a crossing by a step of that length is detected
 * anyway. */
#include "integ/driver.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Maximum number of silent crossings reported in one step. */
enum { SILENT_MAX = 1000 };

trm_status trmi_events_evaluate(trm_sim *sim, const trm_state *s, double *values, double *rates,
                                trm_error *err) {
  const int n = sim->sys->n.nevents;
  if (n == 0) return TRM_OK;
  for (int i = 0; i < n && rates != NULL; i++) rates[i] = NAN; /* systems need not provide them */
  TRMI_TRY(err, trm_system_values(sim->sys, s, &(trm_values){.events = values,
                                                             .event_rates = rates}, err));
  return TRM_OK;
}

trm_event_info trmi_event_info(const trm_sim *sim, int i) {
  trm_event_info info = {.kind = TRM_EVENT_SILENT, .direction = 0};
  if (sim->sys->ops->event_info != NULL) sim->sys->ops->event_info(sim->sys->self, i, &info);
  return info;
}

double trmi_events_reach(const trm_sim *sim, double h, int *index) {
  const int n = sim->sys->n.nevents;
  double most = h;
  *index = -1;
  for (int i = 0; i < n; i++) {
    const double f = sim->event_values[i], rate = sim->event_values[n + i];
    if (!(f * rate < 0.0) || !(2 * fabs(f) < most * fabs(rate))) continue;
    if (trmi_event_info(sim, i).kind == TRM_EVENT_SILENT) continue;
    most = 2 * fabs(f / rate);
    *index = i;
  }
  return fmax(most, 0.1 * h);
}

static int sign_of(double x) {
  return (x > 0.0) - (x < 0.0);
}

/* From one side to the other, or to zero; from zero by the recorded side. */
static bool crosses(const trm_sim *sim, int i, double before, double after,
                    const trm_event_info *info) {
  const int direction = info->direction;
  if (before == 0.0 && info->holds) return after < 0.0;
  if (before == 0.0 && after == 0.0) return false;
  const int side = before != 0.0 ? sign_of(before) : sign_of(sim->event_side[i]);
  if (side == 0 || side == sign_of(after)) return false;
  return direction == 0 || direction == -side;
}

/* The new side of event i. A function that stays at zero keeps its side; one brought to zero by the
 * motion has fired if its direction counts, one that jumped to zero (`is_jump`) has not. */
static int side_of(const trm_sim *sim, int i, double before, double now, bool is_jump) {
  if (now != 0.0) return sign_of(now);
  if (before == 0.0) return sim->event_side[i];
  const trm_event_info info = trmi_event_info(sim, i);
  const int from = sign_of(before); /* 0: before was NaN: no side */
  const bool has_fired = !is_jump && (info.direction == 0 || info.direction == -from);
  if (has_fired || info.edge == TRM_EDGE_TRUE) return info.direction;
  return info.edge == TRM_EDGE_FALSE ? -info.direction : from;
}

/* The state at the start, moved by several times its rounding; signs by `pattern`. */
static void shake(trm_sim *sim, int pattern, trm_state *to) {
  const trm_system *sys = sim->sys;
  const trm_state *s = trm_sim_state(sim);
  const double part = 8 * DBL_EPSILON;
  trmi_state_copy(sys, s, to);
  for (int m = 0; m < sys->n.nv; m++) {
    sim->probe[m] = ((m >> pattern) % 2 == 0 ? part : -part) * sys->scale_v[m];
    to->v[m] += sim->probe[m] / sys->second;
  }
  trm_system_retract(sys, s->q, sim->probe, to->q);
  for (int m = 0; m < sys->n.nx; m++) {
    to->x[m] += ((m >> pattern) % 2 == 0 ? part : -part) * sys->scale_x[m];
  }
}

/* A function up to event_noise may be zero, such as the length of a spring between two pivots over
 * a corner of its table. Where it cannot be evaluated it has none. */
static trm_status find_noise(trm_sim *sim, trm_error *err) {
  enum { PATTERNS = 3 };
  const int n = sim->sys->n.nevents;
  trm_error own;
  for (int i = 0; i < n; i++) sim->event_noise[i] = 0.0;
  for (int k = 0; k < PATTERNS && n > 0; k++) {
    shake(sim, k, &sim->dense);
    trmi_error_clear(&own);
    const trm_status status = trmi_events_evaluate(sim, &sim->dense, sim->event_mid, NULL, &own);
    if (status == TRM_ERR_MEMORY && err != NULL) *err = own;
    if (status == TRM_ERR_MEMORY) return trmi_note(err, __func__, status);
    for (int i = 0; i < n && status == TRM_OK; i++) {
      const double change = fabs(sim->event_mid[i] - sim->event_values[i]);
      if (isfinite(change)) sim->event_noise[i] = fmax(sim->event_noise[i], change);
    }
  }
  return TRM_OK;
}

trm_status trmi_events_begin(trm_sim *sim, trm_error *err) {
  for (int i = 0; i < sim->sys->n.nevents; i++) {
    sim->event_side[i] = side_of(sim, i, NAN, sim->event_values[i], true);
    sim->event_steep[i] = 0.0;
  }
  return find_noise(sim, err);
}

void trmi_events_accept(trm_sim *sim) {
  const int n = sim->sys->n.nevents;
  for (int i = 0; i < n; i++) {
    sim->event_side[i] = side_of(sim, i, sim->event_values[i], sim->event_new[i], false);
  }
  if (n > 0) memcpy(sim->event_values, sim->event_new, 2 * (size_t)n * sizeof(double));
}

/* The side of event i, which has just fired and is zero: its side and rate were those of
 * event_fired, its rate is now that of event_values, after all reactions. An event that bounced and
 * fires while returning is repeated by rounding. */
static int side_after(const trm_sim *sim, int i, const trm_event_info *info) {
  const int n = sim->sys->n.nevents, direction = info->direction;
  const int side = sim->event_fired[i].side;
  const double before = sim->event_fired[i].rate, after = sim->event_values[n + i];
  const bool has_bounced = abs(side) == TRMI_BOUNCED;
  const int from = has_bounced      ? sign_of(side)
                   : direction != 0 ? -direction
                                    : -sign_of(before);
  const bool arrives = before * from < 0.0;
  if (arrives && after * from >= 0.0) return TRMI_BOUNCED * from;
  return has_bounced && !arrives ? side : direction;
}

trm_status trmi_events_find(trm_sim *sim, double t0, double from, int *index, double *t,
                            trm_error *err) {
  const int n = sim->sys->n.nevents;
  *index = -1;
  *t = trm_sim_state(sim)->t;
  sim->half_t = NAN;
  sim->searched_h = *t - t0;

  /* times of all crossings, and the first that ends the step */
  for (int i = 0; i < n; i++) {
    const trm_event_info info = trmi_event_info(sim, i);
    TRMI_TRY(err, trmi_crossing_find(sim, i, &info, t0, from, &sim->event_t[i], err));
    if (info.kind == TRM_EVENT_SILENT || !(sim->event_t[i] <= *t)) continue;
    if (*index < 0 || sim->event_t[i] < *t) *index = i, *t = sim->event_t[i];
  }

  /* silent events before that time, in order; one may occur more than once */
  for (int reported = 0;; reported++) {
    int next = -1;
    for (int i = 0; i < n; i++) {
      if (trmi_event_info(sim, i).kind != TRM_EVENT_SILENT || !(sim->event_t[i] <= *t)) continue;
      if (next < 0 || sim->event_t[i] < sim->event_t[next]) next = i;
    }
    if (next < 0) return TRM_OK;
    sim->counters.events++;
    const double now = sim->event_t[next];
    TRMI_TRY(err, trmi_sinks_event(sim, now, next, err));
    sim->event_t[next] = INFINITY;
    const trm_event_info info = trmi_event_info(sim, next);
    if (reported >= SILENT_MAX || !(now < *t)) continue;
    TRMI_TRY(err, trmi_crossing_find(sim, next, &info, t0, now, &sim->event_t[next], err));
  }
}

/* Report event i and let the system react. */
static trm_status react(trm_sim *sim, int i, double t, bool *stop, trm_error *err) {
  const trm_system *sys = sim->sys;
  sim->counters.events++;
  TRMI_TRY(err, trmi_sinks_event(sim, t, i, err));
  if (trmi_event_info(sim, i).kind == TRM_EVENT_STOP) {
    *stop = true;
  } else if (sys->ops->event != NULL) {
    TRMI_ASK(err, sys->ops->name, "event", sys->ops->event(sys->self, i, &sim->start, err));
  }
  return TRM_OK;
}

/* A force that jumps against the motion returns it to the jump each time: the motion slides along
 * the jump, and only this keeps the steps short. Reported once. */
static void watch_chatter(trm_sim *sim, int index, double t) {
  enum { CHATTER = 1000 };
  const long steps = sim->counters.steps;
  const bool is_same = index == sim->chatter_event;
  const bool goes_on = is_same && steps - sim->chatter_steps <= 2 * sim->chatter;
  if (!goes_on) sim->chatter = 0, sim->chatter_steps = steps - 1;
  sim->chatter_event = index;
  if (++sim->chatter != CHATTER || sim->has_reported_chatter) return;
  sim->has_reported_chatter = true;
  char text[TRM_MESSAGE_MAX];
  trm_label label;
  trm_system_label(sim->sys, TRM_EVENT, index, &label);
  snprintf(text, sizeof text, "%s has ended %d steps one after another, up to %.6g %s: the "
           "jump pushes the motion back to itself, and the run takes steps without end; "
           "let it change over a small range, by STEP or tanh",
           label.object[0] != '\0' ? label.object : label.name, CHATTER, t, sim->sys->units.time);
  trmi_sinks_message(sim, text);
}

/* Stop when events accumulate at one time. */
static trm_status check_crowd(trm_sim *sim, int index, double t, trm_error *err) {
  enum { CROWD = 200 };
  watch_chatter(sim, index, t);
  const double near = 1e-11 * fabs(sim->options.end - sim->t_start);
  sim->crowded = t - sim->last_event < near ? sim->crowded + 1 : 0;
  sim->last_event = t;
  if (sim->crowded < CROWD) return TRM_OK;
  trm_label label;
  trm_system_label(sim->sys, TRM_EVENT, index, &label);
  return TRMI_FAIL(err, TRM_ERR_STEP, label.object,
                   trmi_event_info(sim, index).holds
                       ? "the motion is pushed back across this condition at once, %d times within "
                         "%.1e %s: it would slide along it; replace the jump by a steep smooth "
                         "function, for example sign(v) by tanh(v/1e-3)"
                       : "it repeats at ever shorter intervals, the last %d times within "
                         "%.1e %s: the motion comes to rest against it, and the model does "
                         "not define what follows; let it stop the run, or replace it by a force "
                         "such as IMPACT",
                   CROWD, CROWD * near, sim->sys->units.time);
}

/* A motion whose law has a corner or jump, a piecewise linear table or an `if`, prescribes a sudden
 * change of velocity or position. The restart applies it to the bodies, and no force or torque
 * contains the impulse. Reported once; sim->rows_before holds rows before the reaction to a held
 * condition. */
static trm_status report_kick(trm_sim *sim, double t, trm_error *err) {
  const trm_system *sys = sim->sys;
  const int ng = sys->n.ng;
  const double least = 1e-6; /* of the scales */
  const double *before = sim->rows_before;
  double *after = sim->rows_before + 2 * ng + sys->n.na;
  int worst;
  TRMI_TRY(err, trmi_rows_of(sim, &sim->start, after, err));
  const bool in_place = trmi_rows_jump(sim, 0, ng, &worst) > least;
  if (!in_place && !(trmi_rows_jump(sim, ng, 2 * ng, &worst) > least)) return TRM_OK;
  if (worst < 0) return TRM_OK; /* not numbers, which the step to come reports */
  char text[TRM_MESSAGE_MAX];
  trm_label label;
  sim->has_reported_kick = true;
  trm_system_label(sys, TRM_LAM, worst % ng, &label);
  snprintf(text, sizeof text, "%s prescribes a %s that jumps by %.3g at %.6g %s: the bodies "
           "follow at once, and forces and torques do not show the impulse; round the corner of "
           "its law, by STEP or a table with interpolation: akima",
           label.object[0] != '\0' ? label.object : label.name,
           in_place ? "position" : "velocity", fabs(after[worst] - before[worst]), t,
           sys->units.time);
  trmi_sinks_message(sim, text);
  return TRM_OK;
}

/* Is the function of event i zero at t within rounding, of it and of t? Then its sign is not
 * significant. By its rate: at the end of the step it may be many orders of magnitude larger. */
static bool is_at_zero(const trm_sim *sim, int i, double rounding) {
  const double small = 1e-9; /* of the step: no place is known better */
  const double before = sim->event_values[i], end = sim->event_new[i];
  const double rate = sim->event_mid[sim->sys->n.nevents + i];
  const double near = isfinite(rate) ? fmax(small * sim->searched_h, rounding) * fabs(rate)
                                     : small * (fabs(before) + fabs(end));
  if (before == 0.0) return end == 0.0;
  return fabs(sim->event_mid[i]) <= fmin(near, 0.5 * fabs(before));
}

/* Rounding of the function of event i, by that of the time. */
static double rounding_at(const trm_sim *sim, int i, double rounding) {
  const double rate = sim->event_mid[sim->sys->n.nevents + i];
  return isfinite(rate) ? rounding * fabs(rate) : 0.0;
}

/* Mark all events that happen at the end t of a step, not only the one found first. Those whose
 * function is zero as well happen if their direction counts, unless they are conditions that do not
 * hold at zero; the others have not crossed it if a reaction turns them back. */
static void mark_crossings(trm_sim *sim, int index, double t) {
  const double rounding = 8 * DBL_EPSILON * fmax(fabs(t), fabs(sim->t_start));
  const double until = sim->event_t[index] + rounding; /* t may have been corrected since */
  for (int i = 0; i < sim->sys->n.nevents; i++) {
    const trm_event_info info = trmi_event_info(sim, i);
    const double before = sim->event_values[i], now = sim->event_mid[i];
    const bool counts =
        before != 0.0 && (info.direction == 0 || info.direction == -sign_of(before));
    const bool is_found = i == index || (!info.holds && sim->event_t[i] <= until);
    const bool is_zero = !is_found && !info.holds && is_at_zero(sim, i, rounding);
    const bool is_met = is_zero ? counts && info.edge != TRM_EDGE_FALSE
                                : crosses(sim, i, before, now, &info);
    const bool ends_step = info.kind != TRM_EVENT_SILENT && (is_found || is_met);
    sim->event_t[i] = ends_step ? t : INFINITY;
    sim->event_fired[i].rounding =
        ends_step || is_zero ? 10 * fmax(fabs(now), rounding_at(sim, i, rounding)) : -1.0;
    if (is_zero && !ends_step) sim->event_mid[i] = 0.0;
    if (ends_step) continue;
    sim->event_side[i] = is_zero && counts ? sign_of(before)
                                           : side_of(sim, i, before, sim->event_mid[i], false);
  }
}

/* Data of the events at the end of a step, before all reactions. */
static void note_fired(trm_sim *sim, double t) {
  const int n = sim->sys->n.nevents;
  for (int i = 0; i < n; i++) {
    sim->event_fired[i].happens = sim->event_t[i] == t;
    sim->event_fired[i].rate = sim->event_mid[n + i];
    sim->event_fired[i].side = sim->event_side[i];
  }
}

/* A function that differs from zero only by the rounding of t is zero: no second event here, nor
 * after the reactions to later events. */
static void forget_rounding(trm_sim *sim) {
  for (int i = 0; i < sim->sys->n.nevents; i++) {
    if (fabs(sim->event_values[i]) <= sim->event_fired[i].rounding) sim->event_values[i] = 0.0;
  }
}

/* The events that reactions of others carried across zero, for example a counter reaching its
 * limit: they happen at the same time. Silent ones are reported; of the rest `index` receives the
 * first, or -1. Held conditions were decided at the restart. */
static trm_status mark_followers(trm_sim *sim, double t, int *index, trm_error *err) {
  *index = -1;
  for (int i = 0; i < sim->sys->n.nevents; i++) {
    const trm_event_info info = trmi_event_info(sim, i);
    const bool is_met = sim->event_values[i] != 0.0 || info.edge == TRM_EDGE_TRUE;
    const bool is_free = !info.holds && sim->event_t[i] != t && is_met;
    const bool follows =
        is_free && crosses(sim, i, sim->event_mid[i], sim->event_values[i], &info);
    const bool has_fired = sim->event_fired[i].happens && sim->event_values[i] == 0.0;
    sim->event_side[i] = has_fired
                             ? side_after(sim, i, &info)
                             : side_of(sim, i, sim->event_mid[i], sim->event_values[i], true);
    const bool is_silent = info.kind == TRM_EVENT_SILENT;
    sim->event_t[i] = follows && !is_silent ? t : INFINITY;
    if (follows && !is_silent) {
      sim->event_fired[i] = (trmi_fired){.happens = true, .side = sim->event_side[i],
                                         .rate = sim->event_values[sim->sys->n.nevents + i]};
    }
    if (follows && is_silent) {
      sim->counters.events++;
      TRMI_TRY(err, trmi_sinks_event(sim, t, i, err));
    } else if (follows && *index < 0) {
      *index = i;
    }
  }
  return TRM_OK;
}

/* Reactions to the marked events, of which `index` is the first, and to those that follow. */
static trm_status react_all(trm_sim *sim, int index, double t, trmi_switch_effect change,
                            bool *stop, trm_error *err) {
  const int n = sim->sys->n.nevents;
  while (index >= 0 && !*stop) {
    const bool may_kick = !sim->has_reported_kick && sim->sys->n.ng > 0 &&
                          trmi_event_info(sim, index).holds;
    if (may_kick) TRMI_TRY(err, trmi_rows_of(sim, &sim->start, sim->rows_before, err));
    for (int i = 0; i < n; i++) {
      if (sim->event_t[i] != t) continue;
      if (!trmi_event_info(sim, i).holds) change = TRMI_JUMP;
      TRMI_TRY(err, react(sim, i, t, stop, err));
    }
    if (may_kick) TRMI_TRY(err, report_kick(sim, t, err));
    TRMI_TRY(err, change == TRMI_KINK ? trmi_sim_continue(sim, err)
                                      : trmi_sim_begin_anew(sim, err));
    if (change != TRMI_KINK) trmi_impacts_jump(sim, false);
    TRMI_TRY(err, check_crowd(sim, index, t, err));
    forget_rounding(sim);
    TRMI_TRY(err, mark_followers(sim, t, &index, err));
    if (n > 0) memcpy(sim->event_mid, sim->event_values, 2 * (size_t)n * sizeof(double));
  }
  return TRM_OK;
}

trm_status trmi_events_handle(trm_sim *sim, int index, double t, trmi_switch_effect change,
                              bool *stop, trm_error *err) {
  *stop = false;
  TRMI_TRY(err, trmi_events_evaluate(sim, &sim->start, sim->event_mid,
                                     sim->event_mid + sim->sys->n.nevents, err));
  mark_crossings(sim, index, t);
  note_fired(sim, t);
  return react_all(sim, index, t, change, stop, err);
}

trm_status trmi_events_follow(trm_sim *sim, double t, bool *stop, trm_error *err) {
  const int n = sim->sys->n.nevents;
  int index;
  *stop = false;
  for (int i = 0; i < n; i++) sim->event_t[i] = INFINITY, sim->event_fired[i].rounding = -1.0;
  note_fired(sim, t);
  TRMI_TRY(err, mark_followers(sim, t, &index, err));
  if (n > 0) memcpy(sim->event_mid, sim->event_values, (size_t)n * sizeof(double));
  return react_all(sim, index, t, TRMI_JUMP, stop, err);
}
