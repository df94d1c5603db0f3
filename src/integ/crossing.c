/* crossing.c - the first zero of an event function inside a step, also when it has the same sign
 * at both ends.
 *
 * Between a and b, d = b - a, the function f with rates f' is approximated by the cubic
 *   p(x) = fa + x (d fa' + x (3 D - 2 d fa' - d fb' + x (d fa' + d fb' - 2 D))),
 *   D = fb - fa, x in 0 .. 1                                                      (1)
 * A step far from zero is skipped, and a part of it that was divided three times or more:
 *   min(|fa|, |fb|) > d r + |D|, with the same sign at both ends                   (2)
 * Larger parts may be as long as a period of a wave, which seems to rest at its extrema. So r is
 * the largest of |fa'|, |fb'| and, for a whole step, half of r in the last step or the largest rate
 * that was seen inside of it. Others are divided on dense output; |f - p| there is the error of
 * (1), and half of it is assumed for the parts, although it is far smaller for smooth functions.
 * After two such divisions a span is divided at an extremum of (1) towards zero, unless it stays
 * away from zero there by four times its error bound, and halved where the error of (1) exceeds a
 * thousandth and zero may be near.
 * Thus two crossings are found if the function passes zero by more than the error of dense output.
 * Rates come from the system; where it knows none, from differences on dense output. The zero
 * itself is found by the Illinois rule (`locate`). A function that differs from zero only by
 * rounding of the state, at the ends and inside, has not moved (`rests`). Event functions come from
 * equations/equations_watch.c, or from ops->events of a system in C. */
#include "integ/driver.h"
#include <math.h>
#include <string.h>

enum { DEPTH_MAX = 14, SPANS_MAX = DEPTH_MAX + 2, LOOKS_MAX = 500 };

/* First points of division of a step and of both its parts: no period of a wave fits them all. */
static const double first_cut = 0.382;

/* A part of a step, with values and rates of one event function. */
typedef struct span {
  double a, fa, ra, b, fb, rb; /* ends, values, rates          */
  double off;                  /* error of (1); negative: unknown */
  int    depth;
} span;

/* Search for one event. */
typedef struct search {
  trm_sim *sim;
  int      i;
  double   start, end; /* of the step */
  int      looks;
  span     stack[SPANS_MAX];
  int      count;
} search;

/* (1) */
static double cubic(const span *s, double x) {
  const double d = s->b - s->a, D = s->fb - s->fa, u = d * s->ra, v = d * s->rb;
  return s->fa + x * (u + x * (3 * D - 2 * u - v + x * (u + v - 2 * D)));
}

/* Its rate. */
static double cubic_rate(const span *s, double x) {
  const double d = s->b - s->a, D = s->fb - s->fa, u = d * s->ra, v = d * s->rb;
  return (u + x * (2 * (3 * D - 2 * u - v) + 3 * x * (u + v - 2 * D))) / d;
}

/* Extrema of (1) inside 0 .. 1 in ascending order; returns their number. */
static int turns(const span *s, double x[2]) {
  const double d = s->b - s->a, D = s->fb - s->fa, u = d * s->ra, v = d * s->rb;
  const double a = 3 * (u + v - 2 * D), b = 3 * D - 2 * u - v; /* a x^2 + 2 b x + u = 0 */
  const double root = b * b - a * u;
  if (!(root > 0.0)) return 0;
  const double w = -(b + copysign(sqrt(root), b));
  const double first = w != 0.0 ? u / w : INFINITY, second = a != 0.0 ? w / a : INFINITY;
  int n = 0;
  if (first > 0.0 && first < 1.0) x[n++] = first;
  if (second > 0.0 && second < 1.0) x[n++] = second;
  if (n == 2 && x[0] > x[1]) {
    const double lower = x[1];
    x[1] = x[0], x[0] = lower;
  }
  return n;
}

static bool is_changed(int side, double f) {
  return f == 0.0 || (f < 0.0) != (side < 0);
}

/* For (2). */
static void note_rate(trm_sim *sim, int i, double rate) {
  if (isfinite(rate)) sim->event_steep[i] = fmax(sim->event_steep[i], fabs(rate));
}

/* Value and rate of the event at t by dense output. */
static trm_status look(search *l, double t, double *f, double *r, trm_error *err) {
  trm_sim *sim = l->sim;
  const int n = sim->sys->n.nevents;
  l->looks++;
  if (t == sim->half_t) { /* evaluated for another event already */
    *f = sim->event_half[l->i], *r = sim->event_half[n + l->i];
  } else {
    TRMI_TRY(err, sim->ops->interpolate(sim->integ, t, &sim->dense, err));
    TRMI_TRY(err, trmi_events_evaluate(sim, &sim->dense, sim->event_mid, sim->event_mid + n, err));
    *f = sim->event_mid[l->i], *r = sim->event_mid[n + l->i];
    if (t == l->start + first_cut * (l->end - l->start)) {
      memcpy(sim->event_half, sim->event_mid, 2 * (size_t)n * sizeof(double));
      sim->half_t = t;
    }
  }
  if (!isnan(*r)) {
    note_rate(sim, l->i, *r);
    return TRM_OK;
  }
  const double d = 1e-4 * (l->end - l->start);
  const double at[2] = {fmax(t - d, l->start), fmin(t + d, l->end)};
  double value[2];
  for (int k = 0; k < 2; k++) {
    TRMI_TRY(err, sim->ops->interpolate(sim->integ, at[k], &sim->dense, err));
    TRMI_TRY(err, trmi_events_evaluate(sim, &sim->dense, sim->event_mid, NULL, err));
    value[k] = sim->event_mid[l->i];
  }
  *r = (value[1] - value[0]) / (at[1] - at[0]);
  note_rate(sim, l->i, *r);
  return TRM_OK;
}

/* (2), or a straight line that keeps its sign or crosses once */
static bool is_plain(const search *l, const span *s, int side) {
  const double d = s->b - s->a, D = s->fb - s->fa, steep = fmax(fabs(s->ra), fabs(s->rb));
  const double small = 1e-9 * d * steep;
  if (d * fabs(s->ra - s->rb) <= small && fabs(D - d * s->ra) <= small) return true;
  if (s->depth == 1 || s->depth == 2) return false;
  const double known = s->depth == 0 ? fmax(steep, l->sim->event_steep[l->i]) : steep;
  return !is_changed(side, s->fb) && fmin(fabs(s->fa), fabs(s->fb)) > d * known + fabs(D);
}

/* Where to divide a span further, as x of (1); 0: it is known well enough. */
static double where_to_cut(const span *s, int side) {
  double x[2], beyond = 0.0, nearest = INFINITY, at = 0.0;
  const int n = turns(s, x);
  int changes = 0, now = side;
  for (int k = 0; k < n; k++) {
    const double p = cubic(s, x[k]);
    if (beyond == 0.0 && is_changed(side, p)) beyond = x[k];
    if (now * p < nearest) nearest = now * p, at = x[k];
    if (is_changed(now, p)) changes++, now = -now;
  }
  if (is_changed(now, s->fb)) changes++;
  if (changes > 1) return beyond;
  const double size = fmax(fabs(s->fa), fabs(s->fb)), ends = fmin(fabs(s->fa), fabs(s->fb));
  const bool is_far = changes == 0 && fmin(nearest, ends) > 4 * s->off;
  if (s->off > 1e-3 * size && !is_far) return 0.5;
  const bool is_towards = nearest < ends;
  return changes == 0 && is_towards && nearest <= 4 * s->off ? at : 0.0;
}

/* Divide the top span at x: its first part goes on top. */
static trm_status cut(search *l, double x, trm_error *err) {
  span *s = &l->stack[l->count - 1], first = *s;
  const double d = s->b - s->a, t = s->a + x * d, p = cubic(s, x), was = s->off;
  const double rate = cubic_rate(s, x);
  double f, r;
  TRMI_TRY(err, look(l, t, &f, &r, err));
  first.b = t, first.fb = f, first.rb = r;
  s->a = t, s->fa = f, s->ra = r;
  const double off = fmax(fabs(f - p), 0.25 * d * fabs(r - rate));
  first.off = s->off = fmax(off, was < 0.0 ? 0.0 : 0.25 * was) / 2;
  first.depth = s->depth = s->depth + 1;
  l->stack[l->count++] = first;
  return TRM_OK;
}

/* The first span with a sign change in the requested direction. */
static trm_status first_change(search *l, int side, int direction, span *found, bool *is_found,
                               trm_error *err) {
  *is_found = false;
  while (l->count > 0) {
    span *s = &l->stack[l->count - 1];
    const bool may_cut = s->depth < DEPTH_MAX && l->looks < LOOKS_MAX;
    if (may_cut && !is_plain(l, s, side)) {
      const double x = s->depth < 2 ? first_cut : where_to_cut(s, side);
      if (x > 0.0) {
        TRMI_TRY(err, cut(l, x, err));
        continue;
      }
    }
    l->count--;
    if (!is_changed(side, s->fb)) continue;
    *found = *s;
    *is_found = direction == 0 || (direction > 0) == (side < 0);
    if (*is_found) return TRM_OK;
    side = -side;
  }
  return TRM_OK;
}

/* The crossing of event i in a span with a sign change, by the Illinois variant of the false
 * position method; the side with the smaller value decides convergence. */
static trm_status locate(search *l, const span *s, int side, double *t, trm_error *err) {
  trm_sim *sim = l->sim;
  double t0 = s->a, t1 = s->b, f0 = s->fa, f1 = s->fb;
  const bool begins_at_zero = f0 == 0.0;
  if (is_changed(side, f0)) f0 = side * fabs(f0); /* begins at zero */
  const double near = 4e-16 * fmax(fabs(t0), fabs(t1)) + 1e-15 * (l->end - l->start);
  int last = 0;
  for (int k = 0; k < 100 && t1 - t0 > near && f1 != 0.0; k++) {
    double mid = t1 - f1 * (t1 - t0) / (f1 - f0);
    if (!(mid > t0 && mid < t1) || k % 8 == 7) mid = 0.5 * (t0 + t1);
    TRMI_TRY(err, sim->ops->interpolate(sim->integ, mid, &sim->dense, err));
    TRMI_TRY(err, trmi_events_evaluate(sim, &sim->dense, sim->event_mid, NULL, err));
    const double f = sim->event_mid[l->i];
    const bool is_still = begins_at_zero && f == 0.0;
    if ((f < 0.0) == (f1 < 0.0) && !is_still) {
      t1 = mid, f1 = f;
      if (last == 1) f0 *= 0.5;
      last = 1;
    } else {
      t0 = mid, f0 = f;
      if (last == -1) f1 *= 0.5;
      last = -1;
    }
  }
  *t = t1; /* on the side of the new sign */
  return TRM_OK;
}

/* The side of zero to which an event that begins at zero moves; 0: it stays there. One that a
 * reaction has stopped may stay beside zero, by rounding: it is zero until it moves. */
static trm_status leave_zero(search *l, const span *s, int *side, trm_error *err) {
  static const double parts[] = {1.0 / 1024.0, 1.0 / 64.0, 1.0 / 8.0, 0.5};
  const double usual = fmax(fmax(fabs(s->ra), fabs(s->rb)), fabs(s->fb) / (s->b - s->a));
  double f = fabs(s->ra) > 1e-9 * usual ? s->ra : 0.0; /* by its rate, if nonzero */
  for (size_t k = 0; k < sizeof parts / sizeof *parts && f == 0.0; k++) {
    double rate;
    TRMI_TRY(err, look(l, s->a + parts[k] * (s->b - s->a), &f, &rate, err));
    if (s->ra == 0.0 && s->rb == 0.0 && f == s->fb) {
      l->sim->event_new[l->i] = 0.0;
      *side = 0;
      return TRM_OK;
    }
  }
  if (f == 0.0) f = s->fb;
  *side = (f > 0.0) - (f < 0.0);
  return TRM_OK;
}

/* Is the end of a span, beginning at zero, on `side`, and as far as its rate at the beginning leads
 * one to expect? A wave may have crossed zero several times before. */
static bool is_reached(const span *s, int side) {
  return s->fb * side > 0.0 && !(s->fb * side < 0.5 * s->ra * side * (s->b - s->a));
}

/* The part of a span, beginning at zero, from which the event is on `side`; false: it does not
 * reach that side. */
static trm_status shorten(search *l, span *s, int side, bool *is_there, trm_error *err) {
  const span whole = *s;
  double part = 1.0;
  for (int k = 0; k < 20 && !is_reached(s, side); k++) {
    part *= 0.25;
    s->b = s->a + part * (l->end - s->a);
    TRMI_TRY(err, look(l, s->b, &s->fb, &s->rb, err));
  }
  *is_there = s->fb * side > 0.0;
  if (!*is_there) *s = whole;
  return TRM_OK;
}

/* A held condition begins at zero, does not leave it at once by its rate and holds at the end of
 * the step: by its error, dense output may first dip below zero. The search begins where the
 * condition is on its side. */
static trm_status pass_start(search *l, span *s, trm_error *err) {
  static const double parts[] = {1.0 / 64.0, 1.0 / 8.0, 0.5};
  const double from = s->a;
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
    double f, r;
    const double t = from + parts[k] * (l->end - from);
    TRMI_TRY(err, look(l, t, &f, &r, err));
    if (!(f > 0.0)) continue;
    s->a = t, s->fa = f, s->ra = r;
    return TRM_OK;
  }
  return TRM_OK;
}

/* For a held condition that begins at zero: the side on which it holds, or 0 if it stays at
 * zero. */
static trm_status begin_held(search *l, span *s, int *side, trm_error *err) {
  *side = 1;
  if (s->fb == 0.0) { /* does it stay on its corner? */
    double f, rate;
    TRMI_TRY(err, look(l, s->a + first_cut * (s->b - s->a), &f, &rate, err));
    if (!(f < 0.0)) *side = 0;
    return TRM_OK;
  }
  const bool seems_held = !(s->ra < 0.0) && s->fb > 0.0;
  if (seems_held) TRMI_TRY(err, pass_start(l, s, err));
  return TRM_OK;
}

/* An event that begins at zero with a remembered side (0: none). `crosses`: it leaves zero to the
 * other side, in the requested direction, inside the span. */
static trm_status begin_at_zero(search *l, span *s, const trm_event_info *info, int memory,
                                int *side, bool *crosses, trm_error *err) {
  TRMI_TRY(err, leave_zero(l, s, side, err));
  const bool counts = info->direction == 0 || info->direction == *side;
  const bool is_other = memory * *side < 0;
  if (!is_other || !counts) return TRM_OK;
  TRMI_TRY(err, shorten(l, s, *side, crosses, err));
  if (!*crosses) *side = (s->fb > 0.0) - (s->fb < 0.0); /* the rate was only rounding */
  return TRM_OK;
}

/* Does the function stay beside zero, as far as rounding shows? Its sign means nothing then.
 * Rates do not tell: along constraints they are as good as Newton's iteration left them. */
static trm_status rests(search *l, const span *s, bool *is_resting, trm_error *err) {
  const double parts[] = {first_cut, 0.8};
  const double noise = l->sim->event_noise[l->i];
  *is_resting = fabs(s->fa) <= noise && fabs(s->fb) <= noise && (s->fa != 0.0 || s->fb != 0.0);
  for (size_t k = 0; k < sizeof parts / sizeof *parts && *is_resting; k++) {
    double f, rate;
    TRMI_TRY(err, look(l, s->a + parts[k] * (s->b - s->a), &f, &rate, err));
    *is_resting = fabs(f) <= noise;
  }
  return TRM_OK;
}

trm_status trmi_crossing_find(trm_sim *sim, int i, const trm_event_info *info, double start,
                              double from, double *t, trm_error *err) {
  const int n = sim->sys->n.nevents;
  search l = {.sim = sim, .i = i, .start = start, .end = trm_sim_state(sim)->t, .count = 1};
  span *s = &l.stack[0];
  *t = INFINITY;
  *s = (span){.a = from, .fa = sim->event_values[i], .ra = sim->event_values[n + i], .b = l.end,
              .fb = sim->event_new[i], .rb = sim->event_new[n + i], .off = -1.0};
  if (from > start) TRMI_TRY(err, look(&l, from, &s->fa, &s->ra, err));
  if (!(l.end > from)) return TRM_OK;
  if (isnan(s->ra)) TRMI_TRY(err, look(&l, from, &(double){0}, &s->ra, err));
  if (isnan(s->rb)) TRMI_TRY(err, look(&l, l.end, &(double){0}, &s->rb, err));
  bool is_resting;
  TRMI_TRY(err, rests(&l, s, &is_resting, err));
  if (is_resting) {
    const bool was_resting = fabs(sim->event_values[i]) <= sim->event_noise[i];
    sim->event_new[i] = was_resting ? sim->event_values[i] : s->fa; /* the same side */
    return TRM_OK;
  }
  if (from == start) sim->event_steep[i] *= 0.5;
  note_rate(sim, i, s->ra);
  note_rate(sim, i, s->rb);
  int side = s->fa < 0.0 ? -1 : 1;
  bool is_found = false;
  span found = *s;
  if (s->fa == 0.0 && info->holds) {
    TRMI_TRY(err, begin_held(&l, s, &side, err));
  } else if (s->fa == 0.0) {
    const int memory = from > start ? 0 : sim->event_side[i];
    TRMI_TRY(err, begin_at_zero(&l, s, info, memory, &side, &is_found, err));
    if (memory == 0 && from == start && side != 0) trmi_report_edge(sim, i, side);
    found = *s;
    if (is_found) side = -side;
  }
  if (side == 0) return TRM_OK;
  if (!is_found) TRMI_TRY(err, first_change(&l, side, info->direction, &found, &is_found, err));
  if (!is_found) return TRM_OK;
  const int before = info->direction == 0 ? side : -info->direction;
  return locate(&l, &found, before, t, err);
}
