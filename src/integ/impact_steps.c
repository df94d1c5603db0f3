/* impact_steps.c - steps at stops and contacts, which have no events because their laws begin
 * smoothly.
 *
 * Free flight has no local error, and a stop that is pressed in by less than the tolerance has
 * none in positions either: long steps would pass through it, or leave it with a wrong speed. So a
 * long step ends just before an open gap closes,
 *   h <= td - 0.1 hc,   w = sqrt(v^2 - 2 a gap) the speed at the time td of touching         (1)
 * with gap, v, a of the start of the step (step_limit of the system). From there on, until the gap
 * opens again or the time of four impacts has passed,
 *   h <= hc = 0.45 (12 eps)^(1/3) p/w,   eps = impact_tolerance                              (2)
 * times the stride of the gap: some 30 steps for eps = 1e-3 at any stiffness. p is the expected
 * penetration of the stop (impact_depth.c). A soft stop absorbs more than w^2, so eps in (2) is
 * multiplied by w^2/(w^2 + 2 |a| p). (2) is for the blow itself, pi p/w. If the gap stays closed
 * afterwards, the bodies oscillate less and less, and steps may grow while the error e of (4) is as
 * small as (2) makes it:
 *   h <= hc b^(-1/3),   b = 1 in the blow, then max(b0 exp(-h w/p), e/(c eps w) (hc/h)^3) <= 1  (3)
 * with b0 that of the previous step and c = (0.45 stride)^3.
 * After an attempt, a step longer than 2 hc is repeated if it entered or passed a stop that
 * was not predicted, so far that the force at its end, over h, could change w by more than eps,
 *   (h - td) w/p h w/p > eps                                                                (5)
 * and where the law keeps the speed predicted at the start of the step, if this is off by more than
 * eps: near a corner of a shape the acceleration of a gap may change just before it closes.
 * A step in an impact is repeated if its velocity does not agree with its accelerations,
 *   |v1 - v0 - h (a0 + a1)/2| > eps w                                                       (4)
 * and so is a step just after it: implicit equations have a second solution, inside the stop, and
 * extrapolation from the steps in it may lead there. The next step is limited by (4), which goes
 * like h^3. While two shapes are apart their nearest features may change: the rate of the gap jumps
 * then, which is no error if no velocity jumps. Steps with a kink of a force: (6), impact_kinks.c.
 * Newton's iteration stops at a part of the tolerance of positions. Over a short step that is a
 * large speed, and in a stop a large force. So while a gap is closed, or will be in the step, all
 * methods iterate until the error of velocities is below
 *   0.03 eps w                                                                              (7)
 * (`radau` and `tdg` also positions to 1e-4 tolerances), and corrections must be small by
 * themselves, not by their ratios: alpha_stops.c.
 * A body that leaves a stop must not have a speed that (4) with 0.1 v1 does not explain.
 * Multistep methods begin anew after a step that closes or opens a gap, because their points lie on
 * both sides. Such a step may be at most a quarter of hc: a method of order 2 applies the force at
 * its end for more than half of the step. Their velocity does not follow the trapezoidal rule, so
 * (4) is the whole error and accumulates: a step may use 4 h w/p of it, and of (7). Others use all.
 * A force that jumps by A leaves h A/2 in (4). One as large as the force of the impact leaves eps w
 * in a step 2 eps p/w; shorter ones are accepted.                                           (8)
 * A gap that closes on when the run begins, and is closed by less than p, begins with an impact; if
 * it opens, with the second half of an impact: (4) of impact_depth.c. So does one at rest when an
 * event, or a law of time that bends, takes away what held it. The next step looks for that. After
 * a bend the force only begins to change: the second step looks, too, and the first may not be
 * longer than (2) for what it releases.
 * An infinite gap belongs to a free place: its impact data are discarded. A gap that becomes finite
 * within a step is evaluated once more at the start of it, and (1) is applied after the attempt:
 * shapes that pass through each other are apart at both ends, and no other test finds this.
 * Gaps that bounce by less than the tolerance are exempt, so that bodies at rest cost nothing:
 *   w^2 < 2 |a| tolerance   or   w T < tolerance, T the time of the run, at least 1 s       (9)
 * The second is for bodies that touch with neither force nor speed, where w and a are rounding
 * alone. Theory: docs/theory/12-forces.md. */
#include "integ/driver.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { AT_REST = TRMI_GAP_AT_REST, IS_OPEN = TRMI_GAP_OPEN, IN_IMPACT = TRMI_GAP_IN_IMPACT };
/* times over p/w: of the blow, and of the interval after contact in which gaps are watched */
static const double blow_times = 3.15, impact_times = 12.6;
static const double multistep_part = 4.0; /* of (4), in the time of an impact */

static trm_status gaps_of(trm_sim *sim, const trm_state *s, double *gaps, double *cuts,
                          trm_error *err) {
  if (cuts != NULL) memset(cuts, 0, (size_t)sim->sys->n.ngaps * sizeof *cuts);
  return trm_system_values(sim->sys, s, &(trm_values){.gaps = gaps, .cuts = cuts}, err);
}

static double tolerance_of(const trm_sim *sim) {
  return sim->options.nsteps > 0 ? 1e-5 : sim->options.tolerance;
}

/* Does a gap that closes with speed w under acceleration a bounce by more than (9)? */
bool trmi_impact_matters(const trm_sim *sim, int i, double w, double a) {
  const double least = tolerance_of(sim) * sim->gap_scale[i];
  const double longest = fmax(sim->options.end - sim->t_start, sim->sys->second);
  return w * w > 2 * fabs(a) * least && w * longest > least;
}

/* Is its last impact still active at t? `until` has no meaning for a gap that was never hit. */
static bool is_hit(const trmi_impact *impact, double t) {
  return impact->hit > 0.0 && t < impact->until;
}

/* (2) over p/w, with the part `share` of eps */
static double part_of_blow(const trm_gap_info *info, double share) {
  return 0.45 * info->stride * cbrt(12 * info->tolerance * share);
}

/* (2) */
static double step_inside(const trm_sim *sim, int i, double w) {
  const trmi_impact *impact = &sim->impacts[i];
  return part_of_blow(&sim->gap_info[i], impact->share) * impact->depth / w;
}

/* (1), or (2) if there is no room for a longer step */
static double step_up_to(const trm_sim *sim, int i, double td, double w) {
  const double through = (sim->ops->about.is_multistep ? 0.25 : 1.0) * step_inside(sim, i, w);
  return td > 0.2 * through ? fmax(td - 0.1 * through, 0.1 * through) : through;
}

/* --- before the attempt ---------------------------------------------------------------- */

/* Steps of an impact whose speed and depth are known. */
static void enter_impact(trm_sim *sim, int i, double t) {
  trmi_impact *impact = &sim->impacts[i];
  impact->phase = IN_IMPACT;
  impact->hit = impact->speed;
  impact->time = impact->depth / impact->speed;
  impact->until = t + impact_times * impact->time;
  impact->rough = impact->rough_next = 1.0;
}

/* An open gap has closed with the predicted speed: an impact, or a negligible one. */
static trm_status begin_impact(trm_sim *sim, int i, const trm_state *s, double h,
                               trm_error *err) {
  trmi_impact *impact = &sim->impacts[i];
  impact->phase = AT_REST;
  if (!(impact->speed > 0.0)) return TRM_OK;
  if (!isfinite(impact->depth)) impact->depth = 0.0; /* its law may have been inactive before */
  TRMI_TRY(err, trmi_impact_depth_once_more(sim, i, s, impact->speed, h, err));
  if (isfinite(impact->depth)) enter_impact(sim, i, s->t);
  return TRM_OK;
}

/* A closed gap may release what its forces no longer hold: the second half of an impact. */
static trm_status release(trm_sim *sim, int i, const trm_state *s, double h, trm_error *err) {
  sim->impacts[i].speed = 0.0;
  TRMI_TRY(err, trmi_impact_release(sim, i, s, h, err));
  if (sim->impacts[i].speed > 0.0) enter_impact(sim, i, s->t);
  return TRM_OK;
}

/* A gap that is closed when the run begins: by less than the impact that then begins, or by more
 * than its forces hold, so that it is released. */
static trm_status begin_inside(trm_sim *sim, int i, const trm_state *s, double h, trm_error *err) {
  trmi_impact *impact = &sim->impacts[i];
  const double *gap = sim->gap_now + 3 * i;
  const trmi_impact at_rest = *impact;
  if (gap[1] < 0.0 && trmi_impact_matters(sim, i, -gap[1], gap[2])) {
    impact->speed = -gap[1];
    TRMI_TRY(err, begin_impact(sim, i, s, h, err));
    if (!(-gap[0] > impact->depth)) return TRM_OK;
    *impact = at_rest;
  }
  return release(sim, i, s, h, err);
}

/* Would a step h be longer than (2) for what a closed gap with these rates releases? */
static bool is_too_fast(const trm_sim *sim, int i, const double gap[3], double h) {
  const double p = -gap[0], w = sqrt(gap[1] * gap[1] + 0.8 * fmax(gap[2], 0.0) * p);
  return h * w > part_of_blow(&sim->gap_info[i], 1.0) * p;
}

/* Speed with which a gap will close, by its value, rate and second rate; 0: it stays open. */
static double foreseen_speed(const double gap[3]) {
  const double square = gap[1] * gap[1] - 2 * gap[2] * gap[0];
  const bool comes = square > 0.0 && (gap[1] < 0.0 || gap[2] < 0.0);
  return comes ? sqrt(square) : 0.0;
}

static trm_status follow(trm_sim *sim, int i, const trm_state *s, double h, trm_error *err) {
  trmi_impact *impact = &sim->impacts[i];
  const double *gap = sim->gap_now + 3 * i;
  const int before = impact->phase;
  const bool is_first = !impact->is_known && impact->phase == AT_REST;
  const bool is_looked_at = impact->looks > 0 && impact->phase == AT_REST;
  impact->is_known = true;
  if (impact->looks > 0) impact->looks--;
  if (isinf(gap[0])) { /* first: the place may serve another pair later */
    *impact = (trmi_impact){.phase = IS_OPEN};
  } else if (impact->is_driven) {
    impact->phase = gap[0] > 0.0 ? IS_OPEN : AT_REST;
    impact->speed = impact->hit = 0.0;
  } else if (gap[0] > 0.0) {
    const double w = foreseen_speed(gap);
    impact->phase = IS_OPEN;
    impact->was_open = true;
    impact->speed = w > 0.0 && trmi_impact_matters(sim, i, w, gap[2]) ? w : 0.0;
  } else if (impact->phase == IS_OPEN) {
    TRMI_TRY(err, begin_impact(sim, i, s, h, err));
  } else if (is_first) {
    TRMI_TRY(err, begin_inside(sim, i, s, h, err));
  } else if (is_looked_at) {
    TRMI_TRY(err, release(sim, i, s, h, err));
  } else if (impact->phase == IN_IMPACT) {
    impact->rough = impact->rough_next;
    if (s->t > impact->until) impact->phase = AT_REST;
  }
  const bool touches = before == IS_OPEN && impact->phase == IN_IMPACT;
  const bool leaves = before == IN_IMPACT && impact->phase == IS_OPEN;
  if ((touches || leaves) && sim->ops->pass_kink != NULL) {
    TRMI_TRY(err, sim->ops->pass_kink(sim->integ, err));
  }
  return TRM_OK;
}

/* Gap i is closed: is a motion the cause? Tested once for each gap. */
static trm_status look_for_drive(trm_sim *sim, int i, const trm_state *s, trm_error *err) {
  trmi_impact *impact = &sim->impacts[i];
  const bool is_in = sim->gap_now[3 * i] < -tolerance_of(sim) * sim->gap_scale[i];
  if (!is_in || !impact->was_open || impact->is_looked_at) return TRM_OK;
  impact->is_looked_at = true;
  const trm_status status = trmi_driven_stop_look(sim, i, s, err);
  return status < 0 ? trmi_note(err, __func__, status) : TRM_OK;
}

/* (3), and for multistep methods not past the opening of the gap. */
static double step_in_impact(const trm_sim *sim, int i) {
  const double *gap = sim->gap_now + 3 * i, w = sim->impacts[i].speed;
  const bool opens = sim->ops->about.is_multistep && gap[0] < 0.0 && gap[1] > 0.0;
  const double inside = step_inside(sim, i, w) / cbrt(sim->impacts[i].rough);
  return opens ? fmin(inside, step_up_to(sim, i, -gap[0] / gap[1], w)) : inside;
}

/* Gap i is closed or will be, after an impact with the speed w if it is not 0: (7). */
static void take_care(trm_sim *sim, int i, double w, double time) {
  const double error = sim->gap_info[i].tolerance * w / sim->gap_scale[i];
  sim->care.is_closed = true;
  if (!(w > 0.0)) return;
  sim->care.speed = fmin(sim->care.speed, error);
  if (sim->ops->about.is_multistep) sim->care.rate = fmin(sim->care.rate, multistep_part / time);
}

/* The first gap that closes within h, and pushes then; limit->gap is -1 if there is none. Gaps that
 * do not push, because shapes only pass each other there, or do not matter must not hide those that
 * do. */
static trm_status first_impact(trm_sim *sim, const trm_state *s, double h, trm_step_limit *limit,
                               trm_error *err) {
  const trm_system *sys = sim->sys;
  *limit = (trm_step_limit){.gap = -1};
  if (sys->ops->step_limit == NULL) return TRM_OK;
  memcpy(sim->gap_left, sim->gap_now, 3 * (size_t)sys->n.ngaps * sizeof(double));
  for (;;) {
    *limit = (trm_step_limit){.h = h, .gap = -1, .gaps = sim->gap_left};
    TRMI_ASK(err, sys->ops->name, "step_limit",
             sys->ops->step_limit(sys->self, s, sim->options.tolerance, limit, err));
    const int gap = limit->gap;
    if (gap < 0) return TRM_OK;
    const bool counts = !sim->impacts[gap].is_driven &&
                        trmi_impact_matters(sim, gap, limit->speed, sim->gap_now[3 * gap + 2]);
    if (counts) TRMI_TRY(err, trmi_impact_depth(sim, gap, s, limit->h, limit->speed, h, err));
    if (counts && isfinite(sim->impacts[gap].depth)) return TRM_OK;
    sim->gap_left[3 * gap] = INFINITY;
  }
}

/* Do the gaps at the end of the last step belong to the state s, with which the next one begins? */
static bool is_end_the_start(const trm_sim *sim, const trm_state *s) {
  return sim->is_end_tested && sim->is_gap_of_state &&
         (sim->sys->n.nz == 0 ||
          memcmp(s->z, sim->gap_z, (size_t)sim->sys->n.nz * sizeof(double)) == 0);
}

trm_status trmi_impacts_limit(trm_sim *sim, double *h, int *gap, trm_error *err) {
  const trm_system *sys = sim->sys;
  const trm_state *s = trm_sim_state(sim);
  *gap = -1;
  sim->care = (trmi_care){.speed = INFINITY, .rate = INFINITY};
  if (is_end_the_start(sim, s)) {
    memcpy(sim->gap_now, sim->gap_next, 3 * (size_t)sys->n.ngaps * sizeof(double));
    memcpy(sim->cut_now, sim->cut_next, (size_t)sys->n.ngaps * sizeof(double));
  } else {
    TRMI_TRY(err, gaps_of(sim, s, sim->gap_now, sim->cut_now, err));
  }
  for (int i = 0; i < sys->n.ngaps; i++) {
    const trmi_impact *impact = &sim->impacts[i];
    TRMI_TRY(err, follow(sim, i, s, *h, err));
    TRMI_TRY(err, look_for_drive(sim, i, s, err));
    const bool may_push = impact->phase != IS_OPEN || is_hit(impact, s->t);
    if (may_push) take_care(sim, i, impact->hit, impact->time);
    if (impact->phase != IN_IMPACT) continue;
    const double most = step_in_impact(sim, i);
    if (most < *h) *h = most, *gap = i;
  }
  trm_step_limit limit;
  TRMI_TRY(err, first_impact(sim, s, *h, &limit, err));
  if (limit.gap < 0) return TRM_OK;
  const double most = step_up_to(sim, limit.gap, limit.h, limit.speed);
  const double time = sim->impacts[limit.gap].depth / limit.speed;
  take_care(sim, limit.gap, limit.speed, time);
  if (most < *h) *h = most, *gap = limit.gap;
  return TRM_OK;
}

/* --- after it -------------------------------------------------------------------------- */

static trm_status refuse(trm_sim *sim, int i, double factor, double error, trmi_attempt *attempt,
                         trm_error *err) {
  trm_label label;
  trm_system_label(sim->sys, TRM_GAP, i, &label);
  attempt->list = TRM_GAP;
  attempt->index = i;
  attempt->factor = fmax(factor, 1e-9);
  attempt->error = error;
  return TRMI_FAIL(err, TRM_RETRY_ERROR, label.object, "the impact is too fast for this step");
}

/* Fixed steps cannot be limited: steps that are too long are reported once. */
static void report_long_steps(trm_sim *sim, int i, double t, double h) {
  trmi_impact *impact = &sim->impacts[i];
  char text[400];
  trm_label label;
  const double right = 0.3 * impact->depth / impact->speed;
  if (sim->has_reported_impact || !(h > right)) return;
  sim->has_reported_impact = true;
  trm_system_label(sim->sys, TRM_GAP, i, &label);
  snprintf(text, sizeof text, "%s is hit at %.6g %s by steps that are too long for it: its force "
           "and the speed after it cannot be trusted; take steps below %.1e %s, or "
           "--tolerance", label.object, t, sim->sys->units.time, right, sim->sys->units.time);
  trmi_sinks_message(sim, text);
}

/* The next step may be at most `factor` times as long. */
static void bound_next(trmi_attempt *attempt, double factor) {
  attempt->most = attempt->most > 0.0 ? fmin(attempt->most, factor) : factor;
}

/* An open gap that closes in the step; `s` is its start. */
static trm_status look_back(trm_sim *sim, int i, const trm_state *s, double h,
                            trmi_attempt *attempt, trm_error *err) {
  const double *g0 = sim->gap_now + 3 * i;
  trmi_impact *impact = &sim->impacts[i];
  trmi_closing at;
  TRMI_TRY(err, trmi_impact_look(sim, i, s, h, &at, err));
  if (!(at.x <= 1.0)) return TRM_OK;
  const double td = at.x * h, w = fmax(at.speed, impact->speed);
  impact->touch = s->t + td;
  if (impact->is_driven || !(w > 0.0) || !trmi_impact_matters(sim, i, w, g0[2])) return TRM_OK;
  TRMI_TRY(err, trmi_impact_depth(sim, i, s, td, w, h, err));
  impact->speed = w;
  if (!isfinite(impact->depth)) { /* no force at the predicted position, but perhaps later */
    const double kick = h * at.push / (sim->gap_info[i].tolerance * w);
    const bool is_pushed = sim->options.nsteps == 0 && kick > 1.0;
    return is_pushed ? refuse(sim, i, fmin(at.before, 0.5), kick, attempt, err) : TRM_OK;
  }
  const double inside = step_inside(sim, i, w), rate = w / impact->depth;
  const trm_gap_info *info = &sim->gap_info[i];
  const double off = info->keeps_speed ? fabs(at.speed - foreseen_speed(g0)) / w : 0.0;
  const double error = fmax((h - td) * rate * h * rate, off) / info->tolerance; /* (5) */
  const bool is_deep = h > 2 * inside && error > 1.0;
  if (sim->options.nsteps > 0 && is_deep) report_long_steps(sim, i, s->t + td, h);
  if (sim->options.nsteps > 0 || !is_deep) return TRM_OK;
  return refuse(sim, i, fmin(step_up_to(sim, i, td, w) / h, 0.9), error, attempt, err);
}

/* (4): difference between the change of speed in a step and that of its accelerations. */
static double change_of_speed_off(const trm_sim *sim, int i, double h) {
  const double *g0 = sim->gap_now + 3 * i, *g1 = sim->gap_next + 3 * i;
  return fabs(g1[1] - g0[1] - 0.5 * h * (g0[2] + g1[2]));
}

/* Is (4) due to the gap alone? The nearest features of two shapes may change while they are apart:
 * the rate of the gap jumps then, but no velocity does. */
static bool is_change_of_features(const trm_sim *sim, int i, const trm_state *s, double h,
                                  double off) {
  const trm_state *end = sim->ops->next(sim->integ);
  double largest = 0.0;
  if (!(sim->gap_now[3 * i] > 0.0 && sim->gap_next[3 * i] > 0.0)) return false;
  for (int m = 0; m < sim->sys->n.nv; m++) {
    const double jump = end->v[m] - s->v[m] - 0.5 * h * (s->vd[m] + end->vd[m]);
    largest = fmax(largest, fabs(jump) / sim->scale_v[m]);
  }
  return largest * sim->gap_scale[i] < 0.1 * off;
}

/* A gap that was closed in the step and is open at its end, with a speed that its accelerations do
 * not account for: another of the solutions of implicit equations. */
static bool is_thrown(const trm_sim *sim, int i, double h) {
  const double *g0 = sim->gap_now + 3 * i, *g1 = sim->gap_next + 3 * i;
  if (!(g1[0] > 0.0 && g1[1] > 0.0) || !trmi_impact_matters(sim, i, g1[1], g1[2])) return false;
  if (g0[0] > 0.0 && !(trmi_impact_closes_at(g0, g1, h) <= 1.0)) return false;
  return change_of_speed_off(sim, i, h) > 0.1 * g1[1];
}

/* Gaps at both ends of a step. Are there gaps that did not exist when it began? */
static trm_status look_at_ends(trm_sim *sim, const trm_state *s, bool *is_new, trm_error *err) {
  *is_new = false;
  const trm_state *end = sim->ops->next(sim->integ);
  TRMI_TRY(err, gaps_of(sim, end, sim->gap_next, sim->cut_next, err));
  if (sim->sys->n.nz > 0) memcpy(sim->gap_z, end->z, (size_t)sim->sys->n.nz * sizeof(double));
  for (int i = 0; i < 3 * sim->sys->n.ngaps; i += 3) {
    *is_new = *is_new || (isinf(sim->gap_now[i]) && !isinf(sim->gap_next[i]));
  }
  if (*is_new) TRMI_TRY(err, gaps_of(sim, s, sim->gap_now, sim->cut_now, err));
  return TRM_OK;
}

/* (1) for gaps that did not exist before the attempt. */
static trm_status limit_late(trm_sim *sim, const trm_state *s, double h, trmi_attempt *attempt,
                             trm_error *err) {
  trm_step_limit limit;
  TRMI_TRY(err, first_impact(sim, s, h, &limit, err));
  if (limit.gap < 0) return TRM_OK;
  trmi_impact *impact = &sim->impacts[limit.gap];
  impact->speed = limit.speed;
  const double most = step_up_to(sim, limit.gap, limit.h, limit.speed);
  if (!(most < h)) return TRM_OK;
  if (sim->options.nsteps == 0) return refuse(sim, limit.gap, most / h, h / most, attempt, err);
  report_long_steps(sim, limit.gap, s->t + limit.h, h);
  return TRM_OK;
}

/* (4) of a step h, here `off`, over the part permitted in the step; 0 by (8). */
static double error_of_speed(const trm_sim *sim, int i, double h, double off) {
  const trmi_impact *impact = &sim->impacts[i];
  const double eps = sim->gap_info[i].tolerance, part = h / impact->time;
  const double share = sim->ops->about.is_multistep ? fmin(multistep_part * part, 1.0) : 1.0;
  return part < 2.0 * eps ? 0.0 : off / (eps * share * impact->hit);
}

/* (3) for a step with this error by (4); it is used if the step is accepted. */
static void note_roughness(trm_sim *sim, int i, double t, double h, double off) {
  trmi_impact *impact = &sim->impacts[i];
  const trm_gap_info *info = &sim->gap_info[i];
  const double c = pow(0.45 * info->stride, 3), part = step_inside(sim, i, impact->hit) / h;
  const double measured = off / (c * info->tolerance * impact->hit) * part * part * part;
  const bool is_blow = t + h < impact->until - (impact_times - blow_times) * impact->time;
  const double fade = is_blow ? 1.0 : exp(-h / impact->time);
  impact->rough_next = fmin(fmax(impact->rough * fade, measured), 1.0);
}

/* Has the first step after a bend released a gap at rest, and was it longer than (2) allows? */
static bool is_flung(const trm_sim *sim, int i, double h) {
  const double *gap = sim->gap_next + 3 * i;
  if (sim->impacts[i].looks != 1 || sim->impacts[i].phase != AT_REST) return false;
  if (!(gap[0] < 0.0 && gap[2] > 0.0) || !is_too_fast(sim, i, gap, h)) return false;
  return trmi_impact_matters(sim, i, sqrt(gap[1] * gap[1] - 0.8 * gap[2] * gap[0]), 0.0);
}

trm_status trmi_impacts_test(trm_sim *sim, double h, trmi_attempt *attempt, trm_error *err) {
  const trm_state *s = trm_sim_state(sim);
  bool is_new;
  TRMI_TRY(err, look_at_ends(sim, s, &is_new, err));
  if (is_new) TRMI_TRY(err, limit_late(sim, s, h, attempt, err));
  for (int i = 0; i < sim->sys->n.ngaps; i++) {
    const trmi_impact *impact = &sim->impacts[i];
    if (impact->phase == IS_OPEN) TRMI_TRY(err, look_back(sim, i, s, h, attempt, err));
    trmi_kink_count(sim, i, s->t, attempt);
    if (sim->options.nsteps > 0) continue;
    const double rough = trmi_kink_error(sim, i, s->t, h, attempt);
    const double by_kink = trmi_kink_factor(sim, i, h, rough);
    if (rough > 1.0) return refuse(sim, i, by_kink, rough, attempt, err);
    bound_next(attempt, by_kink);
    if (is_thrown(sim, i, h)) return refuse(sim, i, 0.25, 10.0, attempt, err);
    if (is_flung(sim, i, h)) return refuse(sim, i, 0.25, 10.0, attempt, err);
    if (!is_hit(impact, s->t)) continue;
    double off = change_of_speed_off(sim, i, h), error = error_of_speed(sim, i, h, off);
    if (error > 1.0 && is_change_of_features(sim, i, s, h, off)) off = error = 0.0;
    const double factor = 0.9 * pow(error, sim->ops->about.is_multistep ? -1.0 / 2 : -1.0 / 3);
    note_roughness(sim, i, s->t, h, off);
    if (!(error <= 1.0)) return refuse(sim, i, fmax(factor, 0.2), error, attempt, err);
    bound_next(attempt, factor);
  }
  return TRM_OK;
}

void trmi_impacts_jump(trm_sim *sim, bool is_bend) {
  for (int i = 0; i < sim->sys->n.ngaps; i++) sim->impacts[i].looks = is_bend ? 2 : 1;
}

bool trmi_impacts_changed(const trm_sim *sim) {
  for (int i = 0; i < sim->sys->n.ngaps; i++) {
    if ((sim->gap_now[3 * i] > 0.0) != (sim->gap_next[3 * i] > 0.0)) return true;
  }
  return false;
}

/* The run ends: the last step may have closed a gap. */
trm_status trmi_impacts_end(trm_sim *sim, trm_error *err) {
  const trm_state *s = trm_sim_state(sim);
  if (sim->sys->n.ngaps == 0) return TRM_OK;
  TRMI_TRY(err, gaps_of(sim, s, sim->gap_now, sim->cut_now, err));
  for (int i = 0; i < sim->sys->n.ngaps; i++) TRMI_TRY(err, look_for_drive(sim, i, s, err));
  return TRM_OK;
}

/* --- life ------------------------------------------------------------------------------ */

/* Elements notified of accepted steps may count turns. */
static bool is_memoryless(const trm_system *sys) {
  return sys->ops->keeps_gaps || (sys->ops->accept_step == NULL && sys->ops->begin_step == NULL);
}

void trmi_impacts_begin(trm_sim *sim) {
  const trm_system *sys = sim->sys;
  sim->is_gap_of_state = is_memoryless(sys);
  sim->care = (trmi_care){.speed = INFINITY, .rate = INFINITY};
  for (int i = 0; i < sys->n.ngaps; i++) {
    trm_label label;
    trm_system_label(sys, TRM_GAP, i, &label);
    sim->gap_scale[i] = label.scale;
    sim->gap_info[i] = (trm_gap_info){.tolerance = sim->options.impact_tolerance, .stride = 1.0};
    if (sys->ops->gap_info != NULL) sys->ops->gap_info(sys->self, i, &sim->gap_info[i]);
  }
}
