/* alpha_stops.c - Newton's iteration of the alpha family and bdf at stops and contacts.
 *
 * If corrections shrink by a factor theta, the error after a correction d is theta/(1 - theta) |d|
 * (newton_loop.h). The laws of stops and contacts bend sharply, so the ratio of two corrections
 * does not predict the next one: the first may start far outside a stop; the second is small
 * because the matrix is that of a closed stop, although the force of the stop is not in balance. A
 * test of positions does not detect this: for a stop of stiffness K = 1e10 N/m and d = 1e-7 m, K d
 * is 1000 N. Therefore theta is taken as at least one quarter where a gap is closed,
 *   |d| <= 3 limit                                                                          (1)
 * unless d is below 1e-3 of the depth and does not change the force.                        (3)
 * A matrix formed with a gap closed is wrong for an iterate with the gap open, and vice versa: it
 * makes corrections small or large whatever the residual. It is formed again at that iterate,  (2)
 * unless the gap is within 1e-4 tolerances, where its sign is rounding and the force is small.
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

/* (1); the limit of bdf may be far below the smallest part of the tolerance, which suffices unless
 * velocities require more. */
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
