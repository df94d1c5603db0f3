/* statics_methods.c - ways to an equilibrium, from fast to patient.
 *
 *   newton      steps (1) of statics_step.c, tau = 0 where the work of the forces on the way is
 *               what the linear model expects; tau grows where it is not, so the step turns
 *               towards the forces and shortens: a trust region that goes downhill in energy  (1)
 *   load        motion(s) - (1 - s) motion_0 = 0 followed from s = 0, where the start is in
 *               balance, to s = 1; tau = 0, no energy is asked for                            (2)
 *   relaxation  implicit Euler steps of the motion with so much damping in proportion to the
 *               masses that inertia does not count; tau falls with the unbalanced force       (3)
 * Derivation: docs/theory/09-static-modes.md. */
#include "analysis/statics.h"
#include <math.h>

/* A step below `small` ends the search; it is repeated as long as that makes it smaller, down to
 * rounding. */
static const double small = 1e-9, rounding = 1e-15;

/* What stands in for a stiffness that is not there. */
static double tau_floor(const trmi_statics *st) {
  return 1e-7 * st->kappa;
}

/* The forces alone would move the model by about its scale. */
static double tau_first(const trmi_statics *st) {
  const double tau = fmax(trmi_statics_norm(st), 1e-14 * st->kappa);
  return fmax(st->kappa > 0.0 ? fmin(tau, 1e-3 * st->kappa) : tau, 1e-300);
}

/* The step is small: take it, and more as long as they shrink. */
static trm_status finish(trmi_statics *st, trm_error *err) {
  double last = INFINITY;
  for (int k = 0; k < 200 && st->size < 0.9 * last; k++) {
    last = st->size;
    TRMI_TRY(err, trmi_statics_try(st, err));
    TRMI_TRY(err, trmi_statics_accept(st, err));
    if (last <= rounding) break;
    TRMI_TRY(err, trmi_statics_solve(st, err));
  }
  TRMI_TRY(err, trmi_statics_multipliers(st, err));
  return TRM_OK;
}

static trm_status not_converged(trmi_statics *st, trm_error *err) {
  return TRMI_FAIL(err, TRM_RETRY_NEWTON, NULL, "no equilibrium after %d Newton steps%s",
                   st->iterations, st->ran_away ? ", the model runs away" : "");
}

/* --- newton, (1) ------------------------------------------------------------------------ */

typedef enum verdict { GOOD, FAIR, BAD, NEUTRAL, CLOSE } verdict;

static trm_status judge(trmi_statics *st, verdict *v, trm_error *err) {
  *v = BAD;
  const trm_status solved = trmi_statics_solve(st, err);
  if (solved == TRM_RETRY_SINGULAR) {
    *v = st->tau == 0.0 && tau_floor(st) > 0.0 ? NEUTRAL : BAD;
    return TRM_OK;
  }
  TRMI_TRY(err, solved);
  const bool is_plain = st->tau == 0.0 || (st->is_neutral && st->tau <= tau_floor(st));
  if (is_plain && st->size <= small) {
    *v = CLOSE;
    return TRM_OK;
  }
  trm_status status = trmi_statics_try(st, err);
  trmi_statics_work work;
  if (status == TRM_OK) status = trmi_statics_measure(st, &work, err);
  if (status > 0) return TRM_OK;
  TRMI_TRY(err, status);
  if (fabs(work.expected) <= work.noise) { /* a tiny step, or one that does nothing */
    *v = st->size <= 1e-5 ? GOOD : st->tau == 0.0 ? NEUTRAL : BAD;
  } else if (work.expected > 0.0 && work.done >= 0.1 * work.expected - work.noise) {
    *v = work.done >= 0.6 * work.expected && work.done <= 1.5 * work.expected ? GOOD : FAIR;
  }
  return TRM_OK;
}

trm_status trmi_statics_newton(trmi_statics *st, trm_error *err) {
  for (int k = 0; k < st->max_iterations && !st->ran_away; k++) {
    verdict v;
    TRMI_TRY(err, judge(st, &v, err));
    const double floor = tau_floor(st);
    if (v == CLOSE) return finish(st, err);
    if (v == NEUTRAL) {
      st->is_neutral = true;
      st->tau = floor > 0.0 ? floor : tau_first(st);
      continue;
    }
    if (v == BAD) {
      if (!(st->tau < 1e30)) break;
      st->tau = st->tau > 0.0 ? 8.0 * st->tau : tau_first(st);
      continue;
    }
    TRMI_TRY(err, trmi_statics_accept(st, err));
    TRMI_TRY(err, trmi_statics_multipliers(st, err));
    if (v == GOOD) st->tau *= 0.1;
    const double least = fmin(floor, 1e-3 * tau_first(st));
    if (st->is_neutral && st->tau < floor) st->tau = floor;
    if (!st->is_neutral && st->tau < least) st->tau = 0.0;
  }
  return not_converged(st, err);
}

/* --- load, (2) -------------------------------------------------------------------------- */

/* Newton at one load; the state is left as it was if that fails. */
static trm_status balance_at(trmi_statics *st, int iterations, bool *arrived, trm_error *err) {
  *arrived = false;
  double last = INFINITY;
  for (int k = 0; k < iterations; k++) {
    trm_status status = trmi_statics_solve(st, err);
    if (status > 0 || (status == TRM_OK && k > 1 && st->size > 2.0 * last)) return TRM_OK;
    TRMI_TRY(err, status);
    last = st->size;
    if (st->size <= small) {
      *arrived = true;
      return TRM_OK;
    }
    status = trmi_statics_try(st, err);
    if (status > 0) return TRM_OK;
    TRMI_TRY(err, status);
    TRMI_TRY(err, trmi_statics_accept(st, err));
    if (st->ran_away) return TRM_OK;
  }
  return TRM_OK;
}

trm_status trmi_statics_load(trmi_statics *st, trm_error *err) {
  const int nv = st->sys->n.nv;
  double done = 0.0, part = 0.25;
  for (int i = 0; i < nv; i++) st->load[i] = -st->unbalanced[i];
  st->tau = 0.0;
  const int limit = st->iterations + st->max_iterations;
  while (done < 1.0 && part > 1e-4 && st->iterations < limit) {
    trmi_state_copy(st->sys, &st->base->s, &st->before);
    const double next = fmin(1.0, done + part);
    st->load_left = 1.0 - next;
    bool arrived;
    TRMI_TRY(err, balance_at(st, 12, &arrived, err));
    if (arrived) {
      done = next;
      part *= 2.0;
      continue;
    }
    trmi_state_copy(st->sys, &st->before, &st->base->s);
    st->ran_away = false;
    part *= 0.25;
  }
  st->load_left = 0.0;
  if (done < 1.0) return not_converged(st, err);
  TRMI_TRY(err, trmi_statics_solve(st, err));
  return finish(st, err);
}

/* --- relaxation, (3) -------------------------------------------------------------------- */

trm_status trmi_statics_relax(trmi_statics *st, trm_error *err) {
  double norm = trmi_statics_norm(st);
  st->tau = fmax(st->kappa, norm);
  for (int k = 0; k < st->max_iterations && !st->ran_away; k++) {
    trm_status status = trmi_statics_solve(st, err);
    const double floor = tau_floor(st);
    if (status == TRM_OK && st->tau <= fmax(floor, 1e-300) && st->size <= small) {
      return finish(st, err);
    }
    if (status == TRM_OK) status = trmi_statics_try(st, err);
    if (status > 0) { /* singular, or outside the domain of the equations */
      if (!(st->tau < 1e30)) break;
      st->tau = fmax(8.0 * st->tau, 10.0 * floor);
      continue;
    }
    TRMI_TRY(err, status);
    TRMI_TRY(err, trmi_statics_accept(st, err));
    TRMI_TRY(err, trmi_statics_multipliers(st, err));
    const double now = trmi_statics_norm(st);
    st->tau *= fmin(fmax(now / fmax(norm, 1e-300), 0.1), 2.0) * 0.9;
    if (st->tau < floor) st->tau = st->is_neutral ? floor : 0.0;
    norm = now;
  }
  return not_converged(st, err);
}
