/* explain_advice.c - from counts to a cause and to advice.
 *
 * The work of a cause consists of the accepted steps attributed to it and the attempts it rejected;
 * the cause with most work limits the run. If that is the local error, the motion of the culprit
 * shows the reason. A method whose error goes like C (h omega)^p A, for a motion of amplitude A and
 * frequency omega, takes steps of about
 *
 *   h omega = (tolerance scale / A)^(1/p)                                       (1)
 *
 * where p is one more than the order that the steps had, or that order itself with explicit
 * methods. Some methods have several orders in one run.
 *
 *   scale   A / scale is much larger than for the other unknowns
 *   stiff   an explicit method takes steps far shorter than (1) requires
 *   fast    many periods of the culprit, which is faster than the other unknowns, and
 *           not many steps in each                                                 */
#include "analysis/explain_internal.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* A scale is named as the cause if the motion of the unknown over its scale exceeds the first
 * number, and exceeds that of the median unknown by the second factor. */
static const double SCALE_MIN = 100.0, SCALE_UNUSUAL = 100.0;
/* Explicit steps shorter than (1) by this factor are limited by stability. */
static const double STIFF_FACTOR = 0.1;
/* A fast motion: more periods than this in the run, fewer steps than this in each, so many
 * times faster than the median unknown. */
static const double FAST_PERIODS = 10.0, FAST_STEPS = 100.0, FAST_UNUSUAL = 2.5;
/* Tolerances for which methods up to this order take very many steps. */
static const double TIGHT = 1e-7;
enum { LOW_ORDER = 3 };
/* Causes with a smaller part of the work get no advice. */
static const double SHARE_MIN = 0.2;

static long work(const trm_explanation *r, trm_limit limit) {
  return r->steps[limit] + r->rejected[limit];
}

static long attempts(const trm_explanation *r) {
  long sum = r->accepted;
  for (int k = 0; k < TRM_LIMITS; k++) sum += r->rejected[k];
  return sum;
}

static TRMI_PRINTF(2, 3) void advise(trm_explanation *r, const char *fmt, ...) {
  if (r->nadvice == TRM_ADVICE_MAX) return;
  va_list args;
  va_start(args, fmt);
  vsnprintf(r->advice[r->nadvice++], TRM_MESSAGE_MAX, fmt, args);
  va_end(args);
}

static bool is_explicit(const trmi_explain *e) {
  return e->method->is_explicit;
}

/* The order of most steps. */
static int usual_order(const trm_explanation *r) {
  int most = 2;
  for (int k = 1; k < TRM_ORDERS; k++) {
    if (r->orders[k] > r->orders[most]) most = k;
  }
  return most;
}

/* p of (1): steps are proportional to the tolerance to the power 1/p. Explicit methods control an
 * error of the power of their order, the others of one more; the estimate of collocation has a
 * lower power, but is compared with a power of the tolerance that makes up for it. */
static int error_power(const trmi_explain *e, int order) {
  return is_explicit(e) ? order : order + 1;
}

/* Factor by which steps decrease with a tolerance ten times larger, at the orders of this run. */
static double saving(const trmi_explain *e) {
  double left = 0.0;
  for (int k = 1; k < TRM_ORDERS; k++) {
    left += (double)e->result.orders[k] * pow(0.1, 1.0 / error_power(e, k));
  }
  return left > 0.0 ? (double)e->result.accepted / left : 1.0;
}

static bool changes_order(const trmi_explain *e) {
  return e->method->orders != NULL && e->run.max_order != e->method->formulations[0].order;
}

/* ---- culprit -------------------------------------------------------------------- */

static void choose_culprit(trmi_explain *e, trm_limit limit) {
  trm_explanation *r = &e->result;
  long most = 0;
  for (int i = 0; i < r->nsuspects; i++) {
    const trm_suspect *s = &e->suspects[i];
    const long own = s->steps[limit] + s->rejected[limit];
    if ((s->list == TRM_EVENT) != (limit == TRM_LIMIT_EVENT) || own <= most) continue;
    if (s->list == TRM_GAP && limit != TRM_LIMIT_STOP) continue;
    if (s->list == TRM_SLIP && limit != TRM_LIMIT_SLIP) continue;
    most = own;
    r->culprit = s;
  }
  if (r->culprit == NULL) return;
  trm_label label = {.name = "?"};
  e->run.label(e->run.self, r->culprit->list, r->culprit->index, &label);
  snprintf(r->culprit_name, sizeof r->culprit_name, "%s", label.name);
  snprintf(r->culprit_object, sizeof r->culprit_object, "%s", label.object);
}

/* ---- local error ---------------------------------------------------------------- */

static void advise_tolerance(trmi_explain *e) {
  trm_explanation *r = &e->result;
  const double looser = 10.0 * e->run.tolerance;
  const bool is_driven = (e->method->suits & TRM_SUITS_DRIVEN) != 0;
  const bool is_low = usual_order(r) <= LOW_ORDER && !is_driven;
  if (is_low && e->run.tolerance <= TIGHT) {
    advise(r, "at a tolerance of %.3g a method of high order takes far fewer steps than one of "
              "order %d: try --integrator %s", e->run.tolerance, usual_order(r),
           trm_method_for(TRM_SUITS_TIGHT)->name);
  }
  if (looser > 1e-1) return;
  if (changes_order(e)) {
    advise(r, "a tolerance of %.3g instead of %.3g saves little: '%s' answers with a lower "
              "order; at the order of most steps, %d, it would take about %.2g times fewer", looser,
           e->run.tolerance, e->method->name, usual_order(r), saving(e));
    return;
  }
  advise(r, "a tolerance of %.3g instead of %.3g would take about %.2g times fewer steps", looser,
         e->run.tolerance, saving(e));
}

static void advise_scale(trmi_explain *e, const trmi_unknown_motion *m) {
  trm_explanation *r = &e->result;
  const double better = isfinite(m->usual) && m->usual > 0.0 ? m->amplitude / m->usual
                                                             : m->amplitude;
  r->cause = TRM_CAUSE_SCALE;
  advise(r,
         "'%s' moves by %.3g, but its scale is %.3g: the error test asks for %.1g of its motion; "
         "give it a scale of about %.1g",
         r->culprit_name, m->amplitude, m->scale, e->run.tolerance * m->scale / m->amplitude,
         better);
}

/* An implicit method for this tolerance. */
static const char *implicit_one(const trmi_explain *e) {
  return trm_method_for(e->run.tolerance <= TIGHT ? TRM_SUITS_TIGHT : TRM_SUITS_MOST)->name;
}

static void advise_stiff(trmi_explain *e, double h_accuracy) {
  trm_explanation *r = &e->result;
  r->cause = TRM_CAUSE_STIFF;
  if (isfinite(h_accuracy)) {
    advise(r,
           "the motion of '%s' allows steps of about %.1g %s, but stability holds those of "
           "'%s' near %.1g %s: use --integrator %s",
           r->culprit_name, h_accuracy, e->run.time_unit, e->method->name, r->h_median,
           e->run.time_unit, implicit_one(e));
  } else {
    advise(r, "stability holds the steps of '%s' near %.1g %s: use --integrator %s",
           e->method->name, r->h_median, e->run.time_unit, implicit_one(e));
  }
}

static void advise_fast(trmi_explain *e, double frequency, double steps) {
  trm_explanation *r = &e->result;
  r->cause = TRM_CAUSE_FAST;
  advise(r, "the steps follow a fast motion of '%s' (about %.3g Hz, %.3g steps each period)",
         r->culprit_name, frequency, steps);
  if (is_explicit(e)) {
    advise(r, "if that motion does not matter, --integrator %s with a looser tolerance damps it "
              "and steps over it", trm_method_for(TRM_SUITS_MOST)->name);
  } else if (e->method->damps_unresolved) {
    advise(r, "if that motion does not matter, give '%s' a larger scale: '%s' damps what it "
              "does not resolve", r->culprit_name, e->method->name);
  } else {
    advise(r, "if that motion does not matter, give '%s' a larger scale", r->culprit_name);
  }
}

/* Higher orders would feed a vibration. */
static void advise_hold(trmi_explain *e) {
  trm_explanation *r = &e->result;
  if (e->run.said_hold[0] == '\0') return;
  advise(r, "%s, which higher orders would feed: %ld of %ld steps had order 2. It is damped away; "
            "to see it, take a tolerance that resolves it or --integrator %s", e->run.said_hold,
         r->orders[2], r->accepted, trm_method_for(TRM_SUITS_TIGHT)->name);
}

static trm_status judge_error(trmi_explain *e, trm_error *err) {
  trm_explanation *r = &e->result;
  r->cause = TRM_CAUSE_ACCURACY;
  advise_hold(e);
  if (r->culprit == NULL) return TRM_OK;
  trmi_unknown_motion m = {.amplitude = NAN, .omega = NAN, .scale = 1.0, .usual = NAN,
                   .usual_omega = NAN};
  TRMI_TRY(err, e->run.motion(e->run.self, r->culprit->list, r->culprit->index, &m, err));
  const double moved = m.amplitude / m.scale, usual = isnan(m.usual) ? 1.0 : m.usual;
  const double relative = fmin(1.0, e->run.tolerance / moved);
  const double h_accuracy = pow(relative, 1.0 / error_power(e, usual_order(r))) / m.omega; /* (1) */
  const double period = 2.0 * acos(-1.0) / m.omega, span = e->run.to - e->run.from;
  const bool is_held = r->h_median < STIFF_FACTOR * h_accuracy;
  if (is_explicit(e) && (is_held || e->run.said_stiff)) {
    advise_stiff(e, is_held ? h_accuracy : NAN);
    return TRM_OK;
  }
  if (moved > SCALE_MIN && moved > SCALE_UNUSUAL * usual) {
    advise_scale(e, &m);
    return TRM_OK;
  }
  const bool is_faster = m.omega > FAST_UNUSUAL * m.usual_omega;
  if (is_faster && span > FAST_PERIODS * period && period < FAST_STEPS * r->h_median) {
    advise_fast(e, 1.0 / (period * e->run.seconds), period / r->h_median);
  }
  advise_tolerance(e);
  return TRM_OK;
}

/* ---- other causes ---------------------------------------------------------------- */

/* " between t = 1 and 1.2 s", or nothing */
static void write_place(const trmi_explain *e, char *text, size_t size) {
  const trm_explanation *r = &e->result;
  text[0] = '\0';
  if (r->nclusters == 0) return;
  const trm_cluster *c = &r->clusters[0];
  const bool is_point = c->to - c->from <= 1e-6 * fabs(c->to);
  if (is_point) {
    snprintf(text, size, " at t = %.6g %s", c->from, e->run.time_unit);
  } else {
    snprintf(text, size, " between t = %.5g and %.5g %s", c->from, c->to, e->run.time_unit);
  }
}

static void judge_newton(trmi_explain *e) {
  trm_explanation *r = &e->result;
  r->cause = TRM_CAUSE_NEWTON;
  char place[80];
  write_place(e, place, sizeof place);
  advise(r,
         "Newton failed %ld times, most often in '%s'%s: look there for a force with a jump or a "
         "kink (make it an event, or smooth it) and for a wrong derivative",
         r->rejected[TRM_LIMIT_NEWTON], r->culprit != NULL ? r->culprit_name : "?", place);
  advise(r, "--step-max %.1g keeps the attempts in reach of Newton", r->h_median);
  const int lowest = e->method->formulations[0].order;
  if (changes_order(e) && usual_order(r) > lowest) {
    advise(r, "--max-order %d makes shorter steps that Newton finds more easily", lowest);
  }
  if (e->run.max_iterations < 8 && !is_explicit(e)) {
    advise(r, "more --max-iterations than %d may be enough", e->run.max_iterations);
  }
}

static void judge_domain(trmi_explain *e) {
  trm_explanation *r = &e->result;
  r->cause = TRM_CAUSE_DOMAIN;
  char place[80];
  write_place(e, place, sizeof place);
  advise(r,
         "%ld attempts left the domain of the equations%s: --step-max %.1g keeps them inside, or "
         "an event before the edge stops the run",
         r->rejected[TRM_LIMIT_DOMAIN], place, r->h_median);
}

static void judge_event(trmi_explain *e) {
  trm_explanation *r = &e->result;
  r->cause = TRM_CAUSE_EVENT;
  const char *name = r->culprit != NULL ? r->culprit_name : "?";
  const double span = e->run.to - e->run.from;
  const double usual = span / (double)(r->events > 0 ? r->events : 1);
  const bool is_chatter = e->event_shortest < 0.01 * fmax(usual, e->event_first);
  advise(r, "event '%s' fires %ld times and starts the integrator anew each time%s", name,
         r->culprit != NULL ? r->culprit->steps[TRM_LIMIT_EVENT] : 0,
         is_chatter ? "" : "; if nothing jumps there, make it a silent event");
  if (is_chatter) {
    advise(r,
           "it chatters: two events are only %.1g %s apart; give it a dead band, or a state that "
           "ends the chatter (contact that holds)",
           e->event_shortest, e->run.time_unit);
  }
}

static void judge_maximum(trmi_explain *e) {
  trm_explanation *r = &e->result;
  if (!(e->run.step_max > 0.0)) {
    r->cause = TRM_CAUSE_NONE; /* a run of very few steps: only its end limits them */
    return;
  }
  r->cause = TRM_CAUSE_MAXIMUM;
  advise(r, "%ld of %ld steps are as long as --step-max %.3g allows: raise it or leave it out",
         r->steps[TRM_LIMIT_MAXIMUM], r->accepted, e->run.step_max);
}

static void judge_growth(trmi_explain *e) {
  trm_explanation *r = &e->result;
  r->cause = TRM_CAUSE_GROWTH;
  advise(r, "the steps are still growing from the first one: a larger --step-first, up to %.1g, "
            "saves the small ones", r->h_largest);
}

/* The object that limits most steps, or a word for its kind. */
static const char *limiter(const trm_explanation *r, const char *all) {
  return r->culprit != NULL && r->culprit_object[0] != '\0' ? r->culprit_object : all;
}

static void judge_stop(trmi_explain *e) {
  trm_explanation *r = &e->result;
  r->cause = TRM_CAUSE_STOP;
  advise(r, "limited by the %s: %ld of %ld steps approach it, resolve impacts on it or grow back "
            "after them; a softer stop, or a larger --impact-tolerance, takes fewer",
         limiter(r, "stops"), r->steps[TRM_LIMIT_STOP], r->accepted);
}

static void judge_slip(trmi_explain *e) {
  trm_explanation *r = &e->result;
  r->cause = TRM_CAUSE_SLIP;
  advise(r, "limited by the %s: %ld of %ld steps pass its reversals or grow back after them; a "
            "larger 'velocity' of the friction, or a larger --tolerance, takes fewer",
         limiter(r, "friction"), r->steps[TRM_LIMIT_SLIP], r->accepted);
}

/* Notes on other than the main cause. */
static void mention(trmi_explain *e, trm_limit main_limit) {
  trm_explanation *r = &e->result;
  const double all = (double)attempts(r);
  char place[80];
  write_place(e, place, sizeof place);
  if (main_limit != TRM_LIMIT_NEWTON && (double)r->rejected[TRM_LIMIT_NEWTON] > SHARE_MIN * all) {
    advise(r, "Newton failed in %ld attempts%s", r->rejected[TRM_LIMIT_NEWTON], place);
  }
  const long failed = r->rejected[TRM_LIMIT_ERROR];
  if (main_limit == TRM_LIMIT_ERROR && (double)failed > SHARE_MIN * all && r->nclusters > 0 &&
      2 * r->clusters[0].count > failed) {
    advise(r, "more than half of the rejected steps lie%s: look at the motion there", place);
  }
}

trm_status trmi_explain_judge(trmi_explain *e, trm_error *err) {
  static const trm_limit order[] = {TRM_LIMIT_ERROR, TRM_LIMIT_EVENT,   TRM_LIMIT_NEWTON,
                                    TRM_LIMIT_DOMAIN, TRM_LIMIT_MAXIMUM, TRM_LIMIT_GROWTH,
                                    TRM_LIMIT_STOP, TRM_LIMIT_SLIP};
  trm_explanation *r = &e->result;
  if (isnan(e->run.tolerance)) {
    r->cause = TRM_CAUSE_FIXED;
    advise(r, "the steps were given: nothing limits them, and their error is not tested; "
              "--tolerance E instead of --step lets the error choose them");
    advise(r, "half of the step shows the error: on a smooth motion it falls to about 1/%.0f, as "
              "the order is %d", pow(2.0, usual_order(r)), usual_order(r));
    return TRM_OK;
  }
  trm_limit main_limit = TRM_LIMIT_NONE;
  for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
    if (work(r, order[i]) > work(r, main_limit)) main_limit = order[i];
  }
  choose_culprit(e, main_limit);
  switch (main_limit) {
  case TRM_LIMIT_ERROR: TRMI_TRY(err, judge_error(e, err)); break;
  case TRM_LIMIT_NEWTON: judge_newton(e); break;
  case TRM_LIMIT_DOMAIN: judge_domain(e); break;
  case TRM_LIMIT_EVENT: judge_event(e); break;
  case TRM_LIMIT_MAXIMUM: judge_maximum(e); break;
  case TRM_LIMIT_GROWTH: judge_growth(e); break;
  case TRM_LIMIT_STOP: judge_stop(e); break;
  case TRM_LIMIT_SLIP: judge_slip(e); break;
  case TRM_LIMIT_NONE: break;
  }
  mention(e, main_limit);
  return TRM_OK;
}
