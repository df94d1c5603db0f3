/* audit.c - the energy balance of a run.
 *
 *   imbalance = E - E_start - W - J                                                     (1)
 * E is kinetic plus potential energy, W the integral of the power P that motions, forces, dampers
 * and friction put in, J the sum of the jumps of E at events. P comes from
 * equations/equations_derive.c, elements/flex/beams.c and elements/force/marker_pairs.c; the work
 * of forces is W without the work of motions, dampers and friction. For the exact motion the
 * imbalance is zero; otherwise it is the energy that the integrator, or an error in a user's
 * system, creates or loses.
 *
 * P is integrated over each accepted step from the powers at its ends and at the point before, with
 * P'' from divided differences:
 *   W += h (P0 + P1)/2 - h^3 P''/12                                                     (2)
 * These are the first terms, j < 3, of the integral of the polynomial through the end x_0 = 1 of
 * the step, its start x_1 = 0 and the points before it, with x = (t - t0)/h and divided differences
 * P[..]. For multistep methods, whose states follow such polynomials, further terms up to j = 5 are
 * added while each is at most half of the one before:
 *   W += h sum_j P[x_0 .. x_j] int_0^1 (x - x_0) .. (x - x_(j-1)) dx                     (3)
 * One-step methods with short steps and multistep methods combine several steps into one stride
 * while the correction of (2) is negligible and the system has no stops. A stride ends before a
 * step that is much shorter, and where a law of time begins or bends: a pulse may have begun, whose
 * power later ends of strides do not show. Polynomials of multistep methods begin anew there.
 * Where that correction is not small, methods with long steps integrate by their stages. Without
 * stages, and for a part of a step, Simpson's rule is applied to states inside the step, from the
 * trapezoidal sum T and the midpoint sum M of n parts, with n = 1, 2, 4 .. until two results are
 * close:
 *   W += (T + 2 M)/3                                                                    (4)
 * Multistep methods use (4) where the last term of (3) is not small, with states from the
 * polynomials alone (`sketch`). Dense output is of no use there: in stiff parts it corrects the
 * error of a polynomial by loads, whose powers are large, and it takes several evaluations. In a
 * closed contact loads follow from that error too; such steps are left to (3).
 * The correction of (2), the last term of (3), the error estimate of the stages, or a fifteenth of
 * the last change of (4), is summed as uncertainty of W. In a mechanism at rest only rounding is
 * left, for which a fraction of E is no measure. Constraints are satisfied to rounding e, and
 * positions along z to e z with z of (5) in explicit.c, which is large where rows are nearly
 * dependent. Forces Q do work along z, and speeds of the same size arise within a unit of time:
 *   sum |Q_i| e |z_i|                                                                   (5)
 *   sum M_ii (e z_i)^2 / 2                                                              (6)
 * An imbalance up to a thousand times e is not reported.
 * If the system reports that P is zero, only E is evaluated, and not at every step. The balance is
 * computed only if there is a sink to receive it. It never changes the motion: if energies cannot
 * be evaluated, the balance is abandoned. It does end a run in which negative dampers have raised
 * the energy beyond all bounds (test_supply). Theory: docs/guide/results.md. */
#include "integ/audit.h"
#include "equations/equations.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
  STRIDE_MAX = 16, /* steps of a stride */
  PARTS_MAX = 16,  /* parts of a step in (4) */
  POINTS = 2 + TRMI_AUDIT_BEFORE /* of (3) */
};
/* generous: numerical damping of unresolved vibrations is legitimate */
static const double share_reported = 0.05;
static const double absurd = 1e12;
/* violations up to `satisfied` are rounding; `safe` is a factor of e in (5), (6): z from one
 * right-hand side, possibly with a larger border, is only an order of magnitude */
static const double satisfied = 1e-12, safe = 1000.0;
/* corrections of (2) over the scale: up to `negligible` strides may grow and (3) adds nothing, up
 * to `small` (4) is not needed. Multistep methods take many steps, which may be long: for them the
 * next correction must also be small, 8 times as large for steps of twice the length, 64 times for
 * twice as many of them; and extremes of the energies must be recorded. */
static const double negligible = 1e-7, small = 3e-6, longer = 8.0, straight = 1e-3;
/* A stride ends before a step below this part of its steps. */
static const double short_part = 0.5;

/* Energies and powers at a state. False: they cannot be evaluated, and the balance ends. */
static bool evaluate(trm_sim *sim, const trm_state *s, trmi_audit_point *p) {
  double energy[3] = {0.0}, powers[TRM_POWERS] = {0.0};
  const trm_values out = {.energy = energy, .powers = powers};
  trm_error ignored;
  const trm_status status = trm_system_values(sim->sys, s, &out, &ignored);
  *p = (trmi_audit_point){.t = s->t, .kinetic = energy[0], .potential = energy[1]};
  p->power[0] = energy[2];
  for (int k = 0; k < TRM_POWERS; k++) p->power[1 + k] = powers[k];
  const bool is_good = status == TRM_OK && isfinite(energy[0] + energy[1] + energy[2]);
  if (!is_good) sim->audit.is_on = false;
  return is_good;
}

/* Extremes of the energies, for the scale. */
static void note(trmi_audit *a, const trmi_audit_point *p) {
  a->kinetic_max = fmax(a->kinetic_max, p->kinetic);
  a->potential_min = fmin(a->potential_min, p->potential);
  a->potential_max = fmax(a->potential_max, p->potential);
}

static bool is_kept(const trm_sim *sim) {
  return sim->audit.is_on && sim->nsinks > 0;
}

/* Is T quadratic in the velocities? Otherwise kinetic + potential energy has no balance. */
static bool is_square(trm_sim *sim, const trm_state *s, double kinetic) {
  trmi_audit_point still, back;
  trmi_state_copy(sim->sys, s, &sim->dense);
  for (int i = 0; i < sim->sys->n.nv; i++) sim->dense.v[i] = -s->v[i];
  if (!evaluate(sim, &sim->dense, &back)) return false;
  for (int i = 0; i < sim->sys->n.nv; i++) sim->dense.v[i] = 0.0;
  if (!evaluate(sim, &sim->dense, &still)) return false;
  const double rounding = 1e-9 * fabs(kinetic);
  return fabs(still.kinetic) <= rounding && fabs(back.kinetic - kinetic) <= rounding;
}

void trmi_audit_begin(trm_sim *sim) {
  trmi_audit *a = &sim->audit;
  const trm_system_ops *ops = sim->sys->ops;
  const trm_state *s = trm_sim_state(sim);
  memset(a, 0, sizeof *a); /* checkpoints save all bytes, including padding */
  a->is_on = true;
  a->has_power = ops->has_power == NULL || ops->has_power(sim->sys->self);
  a->stride = a->has_power ? 1 : STRIDE_MAX;
  a->potential_min = INFINITY, a->potential_max = -INFINITY;
  if (!evaluate(sim, s, &a->now)) return;
  a->is_on = is_square(sim, s, a->now.kinetic);
  a->initial = a->now.kinetic + a->now.potential;
  a->kinetic_initial = a->now.kinetic;
  note(a, &a->now);
}

/* Largest energy or work exchanged so far. */
static double scale_of(const trmi_audit *a) {
  double scale = fmax(a->kinetic_max, a->potential_max - a->potential_min);
  for (int k = 0; k <= TRM_POWERS; k++) scale = fmax(scale, fabs(a->work[k]));
  return fmax(scale, fabs(a->events));
}

/* P'' of (2) by divided differences; zero without a previous step. */
static double bend_of(const trmi_audit *a, const trmi_audit_point *end, int k) {
  if (a->nbefore == 0) return 0.0;
  const double h = end->t - a->now.t, h0 = a->now.t - a->before[0].t;
  const double slope = (end->power[k] - a->now.power[k]) / h;
  return 2.0 * (slope - (a->now.power[k] - a->before[0].power[k]) / h0) / (h + h0);
}

/* Deviation of the kinetic energy, whose extremes are recorded, from a straight line between two
 * points. */
static double bend_of_energy(const trmi_audit *a, const trmi_audit_point *end) {
  const double h = end->t - a->now.t, h0 = a->now.t - a->before[0].t;
  const double slope = (end->kinetic - a->now.kinetic) / h;
  return h * h / 4.0 * fabs(slope - (a->now.kinetic - a->before[0].kinetic) / h0) / (h + h0);
}

/* Length of the next stride in steps, from the correction of (2). */
static void choose_stride(const trm_sim *sim, trmi_audit *a, const trmi_audit_point *end,
                          double correction) {
  const bool has_short = sim->ops->has_short_steps, has_many = sim->ops->about.is_multistep;
  const double scale = scale_of(a);
  const double keeps = (has_short ? negligible : small / longer) * scale;
  const double doubles = has_short ? keeps : keeps / longer;
  const bool may = (has_short || has_many) && a->nbefore > 0 && sim->sys->n.ngaps == 0;
  if (!may || !(correction <= keeps) ||
      (!has_short && !(bend_of_energy(a, end) <= straight * scale))) {
    a->stride = 1;
  } else if (correction <= doubles) {
    a->stride = 2 * a->stride < STRIDE_MAX ? 2 * a->stride : STRIDE_MAX;
  }
}

/* Is this the end of a stride? If steps grow, it has fewer of them. */
static bool is_stride_over(const trm_sim *sim, double t) {
  const trmi_audit *a = &sim->audit;
  if (a->steps >= a->stride) return true;
  return !sim->ops->has_short_steps && a->has_power &&
         t - a->now.t > 2.0 * (a->now.t - a->before[0].t);
}

/* The terms j >= 3 of (3), as weights of the powers at the first n points. */
typedef struct later_terms {
  int    n; /* 0: there are none */
  const trmi_audit_point *at[POINTS];
  double weight[POINTS];
  double off; /* the last term of the total power, or the correction of (2) */
} later_terms;

static later_terms find_later_terms(const trmi_audit *a, const trmi_audit_point *end,
                                    double correction) {
  const double h = end->t - a->now.t;
  double x[POINTS], share[POINTS]; /* of the points in P[x_0 .. x_j] */
  double product[POINTS + 1] = {h}; /* coefficients of powers of x, times h */
  later_terms terms = {.at = {end, &a->now}, .off = correction};
  for (int j = 0; j < 2 + a->nbefore; j++) {
    if (j >= 2) terms.at[j] = &a->before[j - 2];
    x[j] = (terms.at[j]->t - a->now.t) / h;
    share[j] = 1.0;
    double integral = 0.0, difference = 0.0;
    for (int i = 0; i < j; i++) {
      const double inverse = 1.0 / (x[i] - x[j]);
      share[i] *= inverse, share[j] *= -inverse;
    }
    for (int i = 0; i <= j; i++) integral += product[i] / (i + 1);
    for (int i = 0; i <= j; i++) difference += share[i] * terms.at[i]->power[0];
    const double term = fabs(integral * difference);
    if (j >= 3 && !(term <= 0.5 * terms.off)) break;
    if (j >= 3) {
      terms.n = j + 1, terms.off = term;
      for (int i = 0; i <= j; i++) terms.weight[i] += integral * share[i];
    }
    for (int i = j + 1; i > 0; i--) product[i] = product[i - 1] - x[j] * product[i];
    product[0] *= -x[j];
  }
  return terms;
}

/* (2), or (3), up to `end`. */
static void add_by_ends(const trm_sim *sim, trmi_audit *a, const trmi_audit_point *end) {
  const double h = end->t - a->now.t, cube = h * h * h / 12.0;
  const double correction = fabs(cube * bend_of(a, end, 0));
  later_terms terms = {.off = correction};
  if (sim->ops->about.is_multistep && correction > negligible * scale_of(a)) {
    terms = find_later_terms(a, end, correction);
  }
  for (int k = 0; k <= TRM_POWERS; k++) {
    const double mean = 0.5 * (a->now.power[k] + end->power[k]);
    a->work[k] += h * mean - cube * bend_of(a, end, k);
    for (int i = 0; i < terms.n; i++) a->work[k] += terms.weight[i] * terms.at[i]->power[k];
  }
  a->uncertainty += terms.off;
  choose_stride(sim, a, end, correction);
}

/* Is the step short enough for (2), or (3)? Strides of several steps have no other formula. */
static bool is_short(const trm_sim *sim, const trmi_audit_point *end) {
  const trmi_audit *a = &sim->audit;
  const double h = end->t - a->now.t;
  if (sim->ops->has_short_steps || a->steps > 1) return true;
  if (a->nbefore == 0) return false;
  if (sim->ops->sketch != NULL && sim->care.is_closed) return true;
  const double correction = fabs(h * h * h / 12.0 * bend_of(a, end, 0));
  const double most = small * scale_of(a);
  if (correction <= most || !sim->ops->about.is_multistep) return correction <= most;
  return find_later_terms(a, end, correction).off <= most;
}

/* The point `end` becomes the present one. */
static void move_to(trmi_audit *a, const trmi_audit_point *end) {
  note(a, end);
  memmove(a->before + 1, a->before, sizeof a->before - sizeof a->before[0]);
  a->before[0] = a->now;
  if (a->nbefore < TRMI_AUDIT_BEFORE) a->nbefore++;
  a->now = *end;
  a->steps = 0;
}

/* Add the work of an unfinished stride up to the state s. */
static bool catch_up(trm_sim *sim, const trm_state *s) {
  trmi_audit *a = &sim->audit;
  trmi_audit_point end;
  if (!evaluate(sim, s, &end)) return false;
  if (a->has_power && end.t > a->now.t) add_by_ends(sim, a, &end);
  move_to(a, &end);
  return true;
}

/* A stride ends at t0 if the step from there is much shorter than its own, or of another method. */
static void end_stride(trm_sim *sim, double t0) {
  trmi_audit *a = &sim->audit;
  const bool has_strides = sim->ops->has_short_steps || sim->ops->about.is_multistep;
  const double h = trm_sim_state(sim)->t - t0;
  const trm_state *before = sim->ops->next(sim->integ); /* after accept: the previous state */
  trmi_audit_point end;
  if (!a->has_power || a->steps == 0 || before->t != t0) return;
  if (has_strides && !(h < short_part * (t0 - a->now.t) / a->steps)) return;
  if (!evaluate(sim, before, &end)) return;
  add_by_ends(sim, a, &end);
  move_to(a, &end);
  a->stride = 1;
}

/* The point at time t inside the last step, by its polynomials or dense output; the balance ends if
 * there is no state in the domain of the system. */
static trm_status inside(trm_sim *sim, double t, trmi_audit_point *p, trm_error *err) {
  trm_status status = TRM_OK;
  if (sim->ops->sketch != NULL) {
    sim->ops->sketch(sim->integ, t, &sim->dense);
  } else {
    status = sim->ops->interpolate(sim->integ, t, &sim->dense, err);
  }
  if (status < 0) return trmi_note(err, __func__, status);
  if (status > 0) sim->audit.is_on = false;
  if (status == TRM_OK && evaluate(sim, &sim->dense, p)) note(&sim->audit, p);
  return TRM_OK;
}

/* The integral by the stages of the whole last step. False: there are none. */
static bool add_by_stages(trm_sim *sim, const trmi_audit_point *end) {
  trmi_audit *a = &sim->audit;
  trmi_stage stage = {.state = &sim->dense};
  double off = 0.0, low = 0.0;
  int i = 0;
  for (; sim->ops->recall != NULL && sim->ops->recall(sim->integ, i, &stage); i++) {
    trmi_audit_point p = *end;
    if (stage.weight == 0.0 && stage.off == 0.0) continue;
    if (!stage.is_end && !evaluate(sim, &sim->dense, &p)) return true;
    note(a, &p);
    for (int k = 0; k <= TRM_POWERS; k++) a->work[k] += stage.weight * p.power[k];
    off += stage.off * p.power[0];
    low += stage.low * p.power[0];
  }
  /* as the local error, see explicit_error.c */
  const double part = low != 0.0 ? fabs(off) / sqrt(off * off + 0.01 * low * low) : 1.0;
  a->uncertainty += part * fabs(off);
  return i > 0;
}

/* (4) with twice as many parts until two of them agree. */
static trm_status add_by_points(trm_sim *sim, const trmi_audit_point *end, trm_error *err) {
  trmi_audit *a = &sim->audit;
  const double t0 = a->now.t, h = end->t - t0, close = 1e-4 * scale_of(a);
  double T[1 + TRM_POWERS], S[1 + TRM_POWERS], off = INFINITY;
  for (int k = 0; k <= TRM_POWERS; k++) T[k] = S[k] = 0.5 * h * (a->now.power[k] + end->power[k]);
  for (int n = 1; n < PARTS_MAX && off > close; n *= 2) {
    double middles[1 + TRM_POWERS] = {0.0};
    for (int i = 0; i < n; i++) {
      trmi_audit_point p;
      TRMI_TRY(err, inside(sim, t0 + (i + 0.5) * h / n, &p, err));
      if (!a->is_on) return TRM_OK;
      for (int k = 0; k <= TRM_POWERS; k++) middles[k] += h / n * p.power[k];
    }
    const double before = S[0];
    for (int k = 0; k <= TRM_POWERS; k++) {
      S[k] = (T[k] + 2.0 * middles[k]) / 3.0; /* (4) */
      T[k] = 0.5 * (T[k] + middles[k]);
    }
    off = fabs(S[0] - before);
  }
  for (int k = 0; k <= TRM_POWERS; k++) a->work[k] += S[k];
  a->uncertainty += off / 15.0;
  return TRM_OK;
}

/* The first negative damper among the remarks of a system, or NULL. */
static const trm_remark *negative_damper(const trm_system *sys) {
  const trm_remark *remark = NULL;
  for (int i = 0; sys->ops->remark != NULL; i++) {
    remark = sys->ops->remark(sys->self, i);
    const size_t length = sizeof TRMI_NEGATIVE_DAMPING - 1;
    if (remark == NULL || strncmp(remark->text, TRMI_NEGATIVE_DAMPING, length) == 0) break;
  }
  return remark;
}

/* A negative damper that keeps feeding the motion ends the run. */
static trm_status test_supply(const trm_sim *sim, const trmi_audit_point *end, trm_error *err) {
  const trmi_audit *a = &sim->audit;
  const double dampers = a->work[1 + TRM_POWER_DAMPERS];
  if (!(dampers > 0.0)) return TRM_OK;
  const double others = fabs(a->work[0] - dampers) + fabs(a->events) + a->kinetic_initial +
                        (a->potential_max - a->potential_min);
  if (!(end->kinetic > absurd * others && dampers > 0.5 * end->kinetic)) return TRM_OK;
  const trm_remark *damper = negative_damper(sim->sys);
  return TRMI_FAIL(err, TRM_ERR_NOT_FINITE, damper != NULL ? damper->object : NULL,
                   "negative damping has put in %.3g %s, %.0e times all other energy: the motion "
                   "grows without end", dampers, sim->sys->units.energy, absurd);
}

trm_status trmi_audit_step(trm_sim *sim, double t0, double t, trm_error *err) {
  trmi_audit *a = &sim->audit;
  const trm_state *s = trm_sim_state(sim);
  if (!is_kept(sim) || !(t > a->now.t)) return TRM_OK;
  end_stride(sim, t0);
  if (!a->is_on) return TRM_OK;
  a->steps++;
  if (t < s->t && sim->ops->has_short_steps) return TRM_OK; /* until trmi_audit_leave */
  if (!(t < s->t) && !is_stride_over(sim, t)) return TRM_OK;
  trmi_audit_point end;
  if (t < s->t) {
    TRMI_TRY(err, inside(sim, t, &end, err));
  } else {
    (void)evaluate(sim, s, &end);
  }
  if (!a->is_on) return TRM_OK;
  if (a->has_power && is_short(sim, &end)) {
    add_by_ends(sim, a, &end);
  } else if (a->has_power && (t < s->t || !add_by_stages(sim, &end))) {
    TRMI_TRY(err, add_by_points(sim, &end, err));
  }
  move_to(a, &end);
  TRMI_TRY(err, test_supply(sim, &end, err));
  return TRM_OK;
}

void trmi_audit_leave(trm_sim *sim, const trm_state *s) {
  if (is_kept(sim)) (void)catch_up(sim, s);
}

void trmi_audit_mark(trm_sim *sim) {
  trmi_audit *a = &sim->audit;
  if (!is_kept(sim) || !a->has_power) return;
  if (a->steps > 0 && !catch_up(sim, trm_sim_state(sim))) return;
  if (sim->ops->about.is_multistep) a->nbefore = 0;
  a->stride = 1;
}

void trmi_audit_enter(trm_sim *sim) {
  trmi_audit *a = &sim->audit;
  if (!is_kept(sim)) return;
  const double left = a->now.kinetic + a->now.potential;
  if (!evaluate(sim, trm_sim_state(sim), &a->now)) return;
  a->events += a->now.kinetic + a->now.potential - left;
  a->nbefore = 0;
  if (a->has_power) a->stride = 1;
  note(a, &a->now);
}

/* (5), (6) at the end of the run. Zero where they cannot be evaluated. */
static double rounding_of(trm_sim *sim) {
  trm_system *sys = sim->sys;
  const trm_sizes *n = &sys->n;
  const double violation = sim->counters.violation_position;
  const double left = safe * fmin(fmax(violation, DBL_EPSILON), satisfied);
  trm_state *at = &sim->dense;
  double *Q = sim->consistent.old, *z = at->vd, closeness = 0.0, sum = 0.0;
  trm_error ignored;
  trmi_state_copy(sys, trm_sim_state(sim), at);
  memset(at->vd, 0, (size_t)n->nv * sizeof *at->vd);
  if (n->ng > 0) memset(at->lam, 0, (size_t)n->ng * sizeof *at->lam);
  if (n->na > 0) memset(at->mu, 0, (size_t)n->na * sizeof *at->mu);
  if (trm_system_values(sys, at, &(trm_values){.motion = Q}, &ignored) != TRM_OK) return 0.0;
  if (trmi_consistent_sensitivity_at(&sim->consistent, trm_sim_state(sim), z, &closeness,
                                     &ignored) != TRM_OK) {
    return 0.0;
  }
  for (int i = 0; i < n->nv; i++) {
    z[i] = left * (n->ng > 0 ? fabs(z[i]) : 0.0) + safe * DBL_EPSILON * sys->scale_v[i];
    sum += fabs(Q[i]) * z[i]; /* (5) */
  }
  const trmi_sparse *M = &sys->block[TRM_M];
  for (int k = 0; k < M->n; k++) { /* (6) */
    if (M->row[k] == M->col[k]) {
      const double speed = z[M->row[k]] / sys->second;
      sum += 0.5 * fabs(M->values[k]) * speed * speed;
    }
  }
  return isfinite(sum) ? sum : 0.0;
}

static void report(trm_sim *sim, const trm_audit *out) {
  char text[TRM_MESSAGE_MAX];
  const double bound = share_reported * out->scale + 2.0 * out->uncertainty;
  const double of_sums = 1e-14 * fabs(out->initial);
  if (!(fabs(out->imbalance) > bound + of_sums)) return;
  if (!(fabs(out->imbalance) > bound + of_sums + rounding_of(sim))) return;
  snprintf(text, sizeof text, "the energy balance does not close: %.3g %s %s, %.2g %% of the "
           "largest energy of the run; the motion, or a fast vibration in it, is not resolved: "
           "take a smaller %s, or see with --verify how far results change",
           fabs(out->imbalance), sim->sys->units.energy,
           out->imbalance > 0.0 ? "came from nowhere" : "got lost",
           100.0 * fabs(out->imbalance) / out->scale,
           sim->options.nsteps > 0 ? "step" : "tolerance");
  trmi_sinks_message(sim, text);
}

void trmi_audit_end(trm_sim *sim, bool is_reported) {
  trmi_audit *a = &sim->audit;
  trm_audit *out = &sim->counters.audit;
  *out = (trm_audit){.initial = NAN, .motions = NAN, .forces = NAN, .dampers = NAN,
                     .friction = NAN, .events = NAN, .imbalance = NAN, .uncertainty = NAN,
                     .scale = NAN};
  const trm_state *s = trm_sim_state(sim);
  if (!is_kept(sim) || !catch_up(sim, s) || !is_square(sim, s, a->now.kinetic)) return;
  *out = (trm_audit){.initial = a->initial, .events = a->events, .uncertainty = a->uncertainty,
                     .motions = a->work[1 + TRM_POWER_MOTIONS],
                     .dampers = a->work[1 + TRM_POWER_DAMPERS],
                     .friction = a->work[1 + TRM_POWER_FRICTION], .scale = scale_of(a)};
  out->forces = a->work[0] - out->motions - out->dampers - out->friction;
  /* (1) */
  out->imbalance = a->now.kinetic + a->now.potential - a->initial - a->work[0] - a->events;
  if (is_reported) report(sim, out);
}
