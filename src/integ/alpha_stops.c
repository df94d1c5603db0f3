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
#include "integ/stop_rules.h"

static trm_status find_gaps(trmi_alpha *ga, trm_error *err) {
  const trm_values sides = {.gaps = ga->gaps, .only_gap = -1};
  return trm_system_values(ga->ctx.sys, &ga->next, &sides, err);
}

trm_status trmi_alpha_stops_note(trmi_alpha *ga, trm_error *err) {
  if (ga->ctx.sys->n.ngaps == 0) return TRM_OK;
  TRMI_TRY(err, find_gaps(ga, err));
  trmi_stops_note(ga->ctx.sys, ga->gaps, ga->was_closed);
  return TRM_OK;
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
    is_closed = is_closed || (!is_small && trmi_stop_is_shallow(&ga->ctx, ga->gaps, i, m->size));
    is_foreign = is_foreign ||
                 (trmi_stop_has_changed(ga->gaps, ga->was_closed, i) &&
                  !(is_small && trmi_stop_is_on_border(&ga->ctx, ga->gaps, i)));
  }
  if (is_foreign) *verdict = ALPHA_STOPS_FOREIGN;                    /* (2) */
  else if (is_closed) *verdict = ALPHA_STOPS_ITERATE;   /* (1) */
  return TRM_OK;
}
