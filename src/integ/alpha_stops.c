/* alpha_stops.c - Newton's iteration of the alpha family and bdf at stops and contacts.
 *
 * A correction d leaves theta/(1 - theta) |d| where corrections shrink by theta (newton_loop.h).
 * The laws of stops and contacts bend sharply, so that a ratio of two corrections says nothing of
 * the next one: the first may come from far outside of a stop, the second is small because the
 * matrix is that of a stop, and still the force of the stop is not in balance. The test in
 * positions does not see that: K d of a stop with stiffness K = 1e10 N/m and d = 1e-7 m is 1000 N.
 * So where a gap is closed, theta counts as a quarter at least,
 *   |d| <= 3 limit                                                                          (1)
 * unless d is below 1e-3 of the depth, so that it does not change the force.                (3)
 * And a matrix that was taken where a gap is closed does not serve an iterate where it is open, nor
 * the other way round: it makes corrections small, or large, whatever is left. It is taken anew at
 * that iterate,                                                                             (2)
 * unless the gap is within 1e-4 tolerances: there the side is rounding, and the force is small.
 * `radau` and `tdg` do the same in collocation_iterate.c. */
#include "integ/alpha.h"
#include <math.h>

static trm_status find_gaps(trmi_alpha *ga, trm_error *err) {
  return trm_system_values(ga->ctx.sys, &ga->next, &(trm_values){.gaps = ga->gaps}, err);
}

trm_status trmi_alpha_stops_note(trmi_alpha *ga, trm_error *err) {
  if (ga->ctx.sys->n.ngaps == 0) return TRM_OK;
  TRMI_TRY(err, find_gaps(ga, err));
  for (int i = 0; i < ga->ctx.sys->n.ngaps; i++) ga->was_closed[i] = ga->gaps[3 * i] < 0.0;
  return TRM_OK;
}

/* Is gap i so small that its side does not count? */
static bool is_on_border(const trmi_alpha *ga, int i) {
  trm_label label;
  trm_system_label(ga->ctx.sys, TRM_GAP, i, &label);
  return !ga->ctx.fixed && fabs(ga->gaps[3 * i]) <= 1e-4 * ga->ctx.tolerance * label.scale;
}

/* Does a correction of this size not change the force of a closed gap? */
static bool is_deep(const trmi_alpha *ga, int i, double size) {
  trm_label label;
  trm_system_label(ga->ctx.sys, TRM_GAP, i, &label);
  return size * label.scale <= 1e-3 * fabs(ga->gaps[3 * i]); /* (3) */
}

/* (1); the limit of bdf may be far below the least part of the tolerance, which suffices unless
 * velocities ask for more. */
static bool is_small_correction(const trmi_alpha *ga, const trmi_newton_monitor *m, double h) {
  const double bent = 3.0, least = 1e-4 * ga->ctx.tolerance;
  return m->size <= fmax(bent * m->limit, fmin(least, bent * trmi_care_limit(ga->ctx.care, h)));
}

trm_status trmi_alpha_stops_test(trmi_alpha *ga, const trmi_newton_monitor *m, double h,
                                 bool is_noise, alpha_stops *verdict, trm_error *err) {
  const bool is_small = is_noise || is_small_correction(ga, m, h);
  *verdict = ALPHA_STOPS_HOLD;
  if (ga->ctx.sys->n.ngaps == 0 || ga->ctx.options->newton_tolerance > 0.0) return TRM_OK;
  TRMI_TRY(err, find_gaps(ga, err));
  bool is_foreign = false, is_closed = false;
  for (int i = 0; i < ga->ctx.sys->n.ngaps; i++) {
    const bool is_in = ga->gaps[3 * i] < 0.0;
    is_closed = is_closed || (is_in && !is_small && !is_deep(ga, i, m->size));
    const bool has_changed = is_in != (ga->was_closed[i] != 0);
    is_foreign = is_foreign || (has_changed && !(is_small && is_on_border(ga, i)));
  }
  if (is_foreign) *verdict = ALPHA_STOPS_FOREIGN;                    /* (2) */
  else if (is_closed) *verdict = ALPHA_STOPS_ITERATE;   /* (1) */
  return TRM_OK;
}
