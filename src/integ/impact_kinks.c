/* impact_kinks.c - steps in which the force of a stop or contact has a kink.
 *
 * The laws begin smoothly, but over a length that is short compared with that of a step: for the
 * step that closes or opens a gap the force has a kink. Superconvergence, for which tdg and radau
 * allow their estimate e to exceed the tolerance, is lost there, and the remaining error is one of
 * the speed, which grows with time. Such a step is repeated if
 *   e > tolerance max(h / 1 s, 0.03)                                                      (6)
 * where 0.03 is the remainder of Newton's iteration in e, unless it takes less than 1e-4 of the
 * time of the impact. The same holds for steps inside an impact where e goes like h^4 or better,
 * because the law may not be smooth there (e of tdg goes like h^3 also in smooth motion). It also
 * holds for steps of a closed gap in which damping begins or ceases to cut off the force of a
 * contact, which is a kink. In stops of joints and IMPACT that is an event instead; contacts are
 * too many for events. A body that leaves a stop on which it rested has no time of an impact: (6)
 * counts if it leaves with a significant speed.
 *
 * With r the ratio of both sides of (6), a step inside an impact is repeated with, and the next one
 * is limited to,
 *   h' = 0.9 r^(-1/3) h                                                                   (10)
 * The estimate of a step with a kink falls far more slowly with its length: it is repeated with
 *   h' = 0.9 r^(-1/2) h,   or 0.99 td if that is longer                                   (11)
 * where td is the time until the gap closes or opens. In the second case the step ends just before
 * the kink and has none; in place of steps that halve the distance, each after two or three
 * repetitions, only the one over the kink is short. (1) to (9): impact_steps.c. Theory:
 * docs/theory/12-forces.md, section 7. */
#include "integ/driver.h"
#include <math.h>

/* (6): the shortest step over the time of the impact, the permitted remainder of Newton */
static const double shortest = 1e-4, of_newton = 0.03;
static const double rounding = 1e-13; /* of an estimate over the scales */
/* (10), (11): safety, least factors, part of the time until the kink */
static const double safety = 0.9, least_inside = 0.2, least_at_kink = 0.02, up_to_kink = 0.99;

static bool changes_side(const trm_sim *sim, int i) {
  return (sim->gap_now[3 * i] > 0.0) != (sim->gap_next[3 * i] > 0.0);
}

/* Does damping begin, or cease, to cut off the force of a gap that stays closed? */
static bool is_cut_within(const trm_sim *sim, int i) {
  const bool is_closed = !(sim->gap_now[3 * i] > 0.0) && !(sim->gap_next[3 * i] > 0.0);
  return is_closed && sim->cut_now[i] != sim->cut_next[i];
}

static bool has_kink(const trm_sim *sim, int i) {
  return changes_side(sim, i) || is_cut_within(sim, i);
}

/* Does (6) require shorter steps than h at gap i? Not for a small part of the time of an impact,
 * nor for a body that leaves a rest slowly. */
static bool may_be_rough(const trm_sim *sim, int i, double h, bool is_sharp) {
  const trmi_impact *impact = &sim->impacts[i];
  const double *g1 = sim->gap_next + 3 * i;
  if (impact->speed > 0.0) return h > shortest * impact->depth / impact->speed;
  return is_sharp && g1[0] > 0.0 && g1[1] > 0.0 && trmi_impact_matters(sim, i, g1[1], g1[2]);
}

double trmi_kink_error(const trm_sim *sim, int i, double t, double h,
                       const trmi_attempt *attempt) {
  const trmi_impact *impact = &sim->impacts[i];
  const bool is_sharp = sim->ops->error_power(sim->integ) > 3;
  const bool is_inside =
      is_sharp && impact->phase == TRMI_GAP_IN_IMPACT && t < impact->until;
  const bool is_cut = is_sharp && is_cut_within(sim, i);
  if (sim->ops->error_unit == NULL || !(changes_side(sim, i) || is_inside || is_cut)) return 0.0;
  if (!is_cut && !may_be_rough(sim, i, h, is_sharp)) return 0.0;
  const double of_error = attempt->error * sim->ops->error_unit(sim->integ);
  const double error = fmax(of_error, attempt->of_states);
  const double part = fmax(h / sim->sys->second, of_newton);
  return error / fmax(part * sim->options.tolerance, rounding);
}

/* Part of a step after which gap i closes or opens; above 1: it does neither. */
static double place_of_kink(const trm_sim *sim, int i, double h) {
  const double *g0 = sim->gap_now + 3 * i, *g1 = sim->gap_next + 3 * i;
  const double away0[3] = {-g0[0], -g0[1]}, away1[3] = {-g1[0], -g1[1]};
  if (!changes_side(sim, i)) return INFINITY;
  return g0[0] > 0.0 ? trmi_impact_closes_at(g0, g1, h)
                     : trmi_impact_closes_at(away0, away1, h);
}

double trmi_kink_factor(const trm_sim *sim, int i, double h, double error) {
  if (!has_kink(sim, i)) { /* (10) */
    return error > 0.0 ? fmax(safety / cbrt(error), least_inside) : INFINITY;
  }
  if (!(error > 1.0)) return INFINITY; /* the next step has no kink */
  const double factor = fmax(safety / sqrt(error), least_at_kink);
  const double x = place_of_kink(sim, i, h);
  return x <= 1.0 ? fmax(factor, up_to_kink * x) : factor; /* (11) */
}

void trmi_kink_count(const trm_sim *sim, int i, double t, trmi_attempt *attempt) {
  if (!has_kink(sim, i)) return;
  attempt->largest = fmax(attempt->largest, attempt->of_speed * (sim->options.end - t));
}
