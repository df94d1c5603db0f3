/* statics_methods.c - methods to find an equilibrium, from fast to robust.
 *
 *   newton      steps (1) of statics_step.c, tau = 0 where the work of the forces along the step is
 *               that of the linear model; where it is not, tau grows, so that the step turns
 *               towards the forces and shortens: a trust region that descends in energy       (1)
 *   load        motion(s) - (1 - s) motion_0 = 0 from s = 0, where the start is in balance, to
 *               s = 1: along the path of a stable start, statics_path.c; or in parts of the
 *               load, tau = 0, no energy is asked for; where no state in balance is near,
 *               relaxation leads beyond                                                       (2)
 *   relaxation  implicit Euler steps of the motion with so much damping in proportion to the
 *               masses that inertia does not count; tau falls with the unbalanced force       (3)
 * newton and relaxation take no step with a matrix that is negative along some direction
 * (statics_curvature.c): it would lead towards the top of a hill, or across it.
 * Derivation: docs/theory/09-static-modes.md. */
#include "analysis/statics.h"
#include "system/newton_loop.h"
#include <math.h>

/* A step below `small` ends the search; it is repeated as long as that makes it smaller, down to
 * rounding. */
static const double small = 1e-9, rounding = 1e-15;

/* Substitute for a missing stiffness. */
static double tau_floor(const trmi_statics *st) {
  return 1e-7 * st->kappa;
}

/* A step of this size: the forces alone would move the model by about its scale. */
static double tau_first(const trmi_statics *st) {
  const double tau = fmax(trmi_statics_norm(st), 1e-14 * st->kappa);
  return fmax(st->kappa > 0.0 ? fmin(tau, 1e-3 * st->kappa) : tau, 1e-300);
}

trm_status trmi_statics_finish(trmi_statics *st, trm_error *err) {
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

/* If constraints are redundant only on their solution, rounding in positions causes large
 * multipliers, and steps do not become as small as usual: the best state is accepted when forces
 * have decreased to a part of 1e-6 and no longer decrease. */
static trm_status settle(trmi_statics *st, bool *is_settled, trm_error *err) {
  enum { WAIT = 8 };
  *is_settled = false;
  if (!st->base->c.bordered) return TRM_OK;
  const double norm = trmi_statics_norm(st);
  if (norm < 0.5 * st->best) {
    st->best = norm;
    st->since_best = 0;
    trmi_state_copy(st->sys, &st->base->s, &st->before);
  } else if (++st->since_best >= WAIT && st->best <= 1e-6 * st->reference) {
    TRMI_TRY(err, trmi_statics_restore(st, &st->before, err));
    TRMI_TRY(err, trmi_statics_multipliers(st, err));
    *is_settled = true;
  }
  return TRM_OK;
}

trm_status trmi_statics_not_converged(trmi_statics *st, trm_error *err) {
  return TRMI_FAIL(err, TRM_RETRY_NEWTON, NULL, "no equilibrium after %d Newton steps%s",
                   st->iterations, st->ran_away ? ", the model runs away" : "");
}

/* Is there a direction of negative stiffness to avoid? If forces are practically balanced, the
 * search began at a maximum. */
static trm_status look_for_hills(trmi_statics *st, bool *is_hilly, trm_error *err) {
  *is_hilly = false;
  if (!(trmi_statics_norm(st) > 1e-10 * st->reference)) return TRM_OK;
  return trmi_statics_is_hilly(st, is_hilly, err);
}

/* The step of statics_step.c. A step beyond all bounds is rounding along a direction without
 * stiffness: its matrix is practically singular. */
static trm_status solve(trmi_statics *st, trm_error *err) {
  TRMI_TRY(err, trmi_statics_solve(st, err));
  if (st->tau > 0.0 || st->size <= TRMI_STATICS_FAR) return TRM_OK;
  return TRMI_FAIL(err, TRM_RETRY_SINGULAR, NULL, "a step has %.1e times the size of the model",
                   st->size);
}

/* --- newton, (1) ------------------------------------------------------------------------ */

typedef enum verdict { GOOD, FAIR, BAD, NEUTRAL, CLOSE } verdict;

/* Does the step bring states closer to rest, if no force depends on them? */
static bool states_improve(const trmi_statics *st) {
  const trmi_places at = trmi_places_of(st->sys);
  double before = 0.0, after = 0.0;
  for (int i = at.x; i < at.w; i++) {
    before = fmax(before, fabs(st->r[i]) / st->sys->scale_x[i - at.x]);
    after = fmax(after, fabs(st->r_new[i]) / st->sys->scale_x[i - at.x]);
  }
  return after < 0.9 * before;
}

static trm_status judge(trmi_statics *st, verdict *v, trm_error *err) {
  *v = BAD;
  const trm_status solved = solve(st, err);
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
  bool is_hilly = false;
  TRMI_TRY(err, look_for_hills(st, &is_hilly, err));
  if (is_hilly) return TRM_OK;
  trm_status status = trmi_statics_try(st, err);
  trmi_statics_work work;
  if (status == TRM_OK) status = trmi_statics_measure(st, &work, err);
  if (status > 0) return TRM_OK;
  TRMI_TRY(err, status);
  const bool is_tiny = st->size <= 1e-3 * small; /* without forces there is no noise either */
  if (is_tiny || fabs(work.expected) <= work.noise) { /* or one without effect */
    const bool is_good = st->size <= 1e-5 || states_improve(st);
    *v = is_good ? GOOD : st->tau == 0.0 ? NEUTRAL : BAD;
  } else if (work.expected > 0.0 && work.done >= 0.1 * work.expected - work.noise) {
    *v = work.done >= 0.6 * work.expected && work.done <= 1.5 * work.expected ? GOOD : FAIR;
  }
  return TRM_OK;
}

trm_status trmi_statics_newton(trmi_statics *st, trm_error *err) {
  for (int k = 0; k < st->max_iterations && !st->ran_away; k++) {
    verdict v;
    bool is_settled;
    TRMI_TRY(err, settle(st, &is_settled, err));
    if (is_settled) return TRM_OK;
    TRMI_TRY(err, judge(st, &v, err));
    const double floor = tau_floor(st);
    if (v == CLOSE) return trmi_statics_finish(st, err);
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
  return trmi_statics_not_converged(st, err);
}

/* --- relaxation, (3) -------------------------------------------------------------------- */

/* Too long a step leads to a maximum. If states act, forces do not indicate this. */
static bool goes_uphill(const trmi_statics *st) {
  double work = 0.0;
  for (int i = 0; i < st->sys->n.nv; i++) work -= st->r[i] * st->step[i];
  return st->sys->n.nx == 0 && work < 0.0;
}

trm_status trmi_statics_relax(trmi_statics *st, trm_error *err) {
  double norm = trmi_statics_norm(st);
  const double first = norm; /* the forces alone would move the model by its scale */
  st->tau = first;
  for (int k = 0; k < st->max_iterations && !st->ran_away; k++) {
    bool is_settled;
    TRMI_TRY(err, settle(st, &is_settled, err));
    if (is_settled) return TRM_OK;
    trm_status status = solve(st, err);
    const double floor = tau_floor(st);
    if (status == TRM_OK && st->tau <= fmax(floor, 1e-300) && st->size <= small) {
      return trmi_statics_finish(st, err);
    }
    bool is_uphill = status == TRM_OK && st->size > 1e-6 && goes_uphill(st);
    if (status == TRM_OK && !is_uphill) TRMI_TRY(err, look_for_hills(st, &is_uphill, err));
    if (status == TRM_OK && !is_uphill) status = trmi_statics_try(st, err);
    if (status > 0 || is_uphill) { /* singular, or outside the domain of the equations, or .. */
      if (!(st->tau < 1e30)) break;
      if (status == TRM_RETRY_SINGULAR && st->tau == 0.0) st->is_neutral = true;
      const double least = is_uphill ? 0.1 * tau_first(st) : fmax(floor, 1e-300);
      st->tau = st->tau > 0.0 ? fmax(8.0 * st->tau, least) : least;
      continue;
    }
    TRMI_TRY(err, status);
    TRMI_TRY(err, trmi_statics_accept(st, err));
    TRMI_TRY(err, trmi_statics_multipliers(st, err));
    const double now = trmi_statics_norm(st);
    st->tau *= fmin(fmax(now / fmax(norm, 1e-300), 0.1), 2.0) * 0.9;
    if (st->is_neutral && st->tau < floor) st->tau = floor;
    if (!st->is_neutral && st->tau < fmax(floor, 1e-8 * first)) st->tau = 0.0;
    norm = now;
  }
  return trmi_statics_not_converged(st, err);
}

/* --- load, (2) -------------------------------------------------------------------------- */

/* A search at one load in the form of newton.h. */
typedef struct balance {
  trmi_statics *st;
  bool          was_taken; /* the last step was accepted: a failure is not due to the step */
} balance;

/* A step, unless the model is neutral: then tau replaces the missing stiffness. */
static trm_status correct(void *self, const trmi_newton_monitor *m, double *size,
                          trm_error *err) {
  trmi_statics *st = ((const balance *)self)->st;
  (void)m;
  const trm_status status = trmi_statics_solve(st, err);
  *size = st->size;
  if (status == TRM_RETRY_SINGULAR && st->tau == 0.0 && tau_floor(st) > 0.0) {
    st->is_neutral = true;
    st->tau = tau_floor(st);
    *size = NEWTON_AGAIN;
    return TRM_OK;
  }
  return status;
}

static trm_status take_step(void *self, const trmi_newton_monitor *m, trmi_newton_verdict *next,
                            trm_error *err) {
  balance *b = self;
  (void)m;
  TRMI_TRY(err, trmi_statics_try(b->st, err));
  b->was_taken = true;
  TRMI_TRY(err, trmi_statics_accept(b->st, err));
  b->was_taken = false;
  if (b->st->ran_away) *next = NEWTON_FAILS;
  return TRM_OK;
}

/* Newton's method at one load. A step that cannot be made is not a failure: the load was too
 * large. */
static trm_status balance_at(trmi_statics *st, int iterations, bool *arrived, trm_error *err) {
  balance b = {.st = st};
  const trmi_iteration it = {.self = &b, .correct = correct, .advance = take_step};
  trmi_newton_monitor m = trmi_newton_rules(iterations, small);
  m.growth = 2.0;
  trmi_newton_end end = NEWTON_STUCK;
  const trm_status status = trmi_newton_iterate(&it, &m, &end, err);
  *arrived = status == TRM_OK && end == NEWTON_CONVERGED;
  return status < 0 || b.was_taken ? trmi_note(err, __func__, status) : TRM_OK;
}

/* No state in balance is near: the path turns back (a snap-through), or only the load makes the
 * model stiff, as in a chain. Relaxation at the load `next` leads to a state beyond. */
static trm_status cross(trmi_statics *st, double next, int iterations, bool *arrived,
                        trm_error *err) {
  const int most = st->max_iterations;
  *arrived = false;
  st->load_left = 1.0 - next;
  st->best = INFINITY;
  st->since_best = 0;
  st->max_iterations = iterations;
  trm_status status = trmi_statics_multipliers(st, err);
  if (status == TRM_OK) status = trmi_statics_relax(st, err);
  st->max_iterations = most;
  st->tau = st->is_neutral ? tau_floor(st) : 0.0;
  if (status < 0) return trmi_note(err, __func__, status);
  *arrived = status == TRM_OK;
  return TRM_OK;
}

/* Add a part of the load, by Newton's method or, if the parts have become too small for it, by
 * `cross`: a larger part, then the whole rest. */
static trm_status advance(trmi_statics *st, double *done, double *part, int limit,
                          trm_error *err) {
  static const double part_first = 0.25, part_min = 1e-4;
  bool arrived = false;
  double next = fmin(1.0, *done + *part);
  trmi_state_copy(st->sys, &st->base->s, &st->before);
  if (*part > part_min) {
    st->load_left = 1.0 - next;
    TRMI_TRY(err, balance_at(st, 12, &arrived, err));
    *part *= arrived ? 2.0 : 0.25;
  } else {
    next = fmin(1.0, *done + part_first);
    TRMI_TRY(err, cross(st, next, (limit - st->iterations) / 2, &arrived, err));
    *part = part_first;
    if (!arrived && next < 1.0) {
      TRMI_TRY(err, trmi_statics_restore(st, &st->before, err));
      st->ran_away = false;
      next = 1.0;
      TRMI_TRY(err, cross(st, next, limit - st->iterations, &arrived, err));
    }
    if (!arrived) *part = 0.0; /* the path ends here */
  }
  if (arrived) *done = next;
  if (arrived || *part == 0.0) return TRM_OK;
  TRMI_TRY(err, trmi_statics_restore(st, &st->before, err));
  st->ran_away = false;
  return TRM_OK;
}

trm_status trmi_statics_load(trmi_statics *st, trm_error *err) {
  const int nv = st->sys->n.nv;
  double done = 0.0, part = 0.25;
  for (int i = 0; i < nv; i++) st->load[i] = -st->unbalanced[i];
  st->tau = 0.0;
  const int limit = st->iterations + st->max_iterations;
  while (done < 1.0 && part > 0.0 && st->iterations < limit) {
    TRMI_TRY(err, advance(st, &done, &part, limit, err));
  }
  st->load_left = 0.0;
  if (done < 1.0) return trmi_statics_not_converged(st, err);
  TRMI_TRY(err, trmi_statics_solve(st, err));
  return trmi_statics_finish(st, err);
}
