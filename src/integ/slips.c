/* slips.c - steps in which dry friction reverses.
 *
 * The friction force changes its sign, or rotates with the direction of sliding, within a small
 * range of sliding speeds, the band. A reversing body passes the band in a time far shorter than a
 * step of an otherwise smooth motion: the force jumps inside the step. Estimates of the local error
 * detect this partly, or not at all if the speed returns within the step; those of `radau` and
 * `tdg` also assume smooth motion when they infer the error from a formula of lower order. So a
 * step may turn the force by no more than
 *   sum dw < kappa = (tolerance/1e-5)^(1/6)/4,                                              (1)
 *   dw = |dc|/band for |c| < band; a third of the angle by which c turns up to 10 band, 0 beyond
 * with c(t) the cubic through the speeds of sliding and their rates at both ends of the step. The
 * law has jumps only in its second derivative: the velocity error of such a step is of order
 * kappa^3 band, or tolerance^(1/2). A step that exceeds (1) is repeated up to the point where the
 * sum reaches kappa; in a long step that begins outside, dw in the band has a weight of five. A
 * step that begins within 10 band is limited in advance, with c on a straight line. Long implicit
 * steps also have other solutions with the same start and end, in which friction opposes the motion
 * at some of the stages. They are detected by the defect of their speed
 *   d = |c1 - c0 - h (c0' + c1')/2| > 0.6 h |c1' - c0'| + 0.01 h |c'|, |c| < band + h |c'|  (3)
 * at one of the ends: a step whose change of speed does not agree with the rates at its ends, and
 * which may have been in the band, is repeated with half its length. (Smooth or stiff steps have d
 * < h |c1' - c0'|/2; the lightest stage has a weight of 0.02.) A numerical solution that reverses
 * in a plane may also pass around the band, with a spurious sideways speed: therefore angles count
 * in (1), and those of a step that ends in the opposite direction count at any speed. Such
 * solutions arise when stages are predicted from far shorter steps: after steps in the band, until
 * |c| = 100 band, steps grow by at most a factor of three. Friction changes the rate of sliding by
 * at most 2 |c'| of one of the ends: when a body comes to rest, both friction and its other forces
 * decelerate it. Steps with
 *   h^2 |c'| <= 0.01 tolerance scale                                                        (2)
 * are short enough for any law, so steps do not become arbitrarily small. Outside the band the
 * rules have no effect. Theory: docs/theory/11-joints.md, section 7. */
#include "integ/driver.h"
#include <math.h>
#include <string.h>

static const double growth = 3.0;
static const double near_band = 10.0; /* up to where directions count, over the band */
enum { PARTS = 32, SPEED = 0, RATE = 3, BAND = 6, PLACES = 7 };

static double size_of(const double *a) {
  return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

/* Speeds at the fraction x of a step h. */
static void speed_at(const double *s0, const double *s1, double h, double x, double *c) {
  for (int k = 0; k < 3; k++) {
    const double u = h * s0[RATE + k], v = h * s1[RATE + k], D = s1[k] - s0[k];
    c[k] = s0[k] + x * (u + x * (3 * D - 2 * u - v + x * (u + v - 2 * D)));
  }
}

/* Fractions of the straight line from a to b at which it enters and leaves the ball of radius
 * `band` about zero; false: it does not. */
static bool cut_ball(const double *a, const double *b, double band, double *in, double *out) {
  double dd = 0.0, ad = 0.0, aa = -band * band;
  for (int k = 0; k < 3; k++) {
    const double d = b[k] - a[k];
    dd += d * d, ad += a[k] * d, aa += a[k] * a[k];
  }
  const double square = ad * ad - dd * aa;
  if (!(square > 0.0)) return false;
  *in = fmax((-ad - sqrt(square)) / dd, 0.0);
  *out = fmin((-ad + sqrt(square)) / dd, 1.0);
  return *in < *out;
}

/* dw of (1) along the straight line from a to b, and the fractions between which it turns; angles
 * up to |c| = near; `weight` applies in the band. */
static double turn_along(const double *a, const double *b, double band, double near, double weight,
                         double *in, double *out) {
  double d[3], p[3], q[3], cosine = 0.0;
  for (int k = 0; k < 3; k++) d[k] = b[k] - a[k];
  if (cut_ball(a, b, band, in, out)) return weight * (*out - *in) * size_of(d) / band;
  if (!cut_ball(a, b, near, in, out)) return 0.0;
  for (int k = 0; k < 3; k++) {
    p[k] = a[k] + *in * d[k], q[k] = a[k] + *out * d[k];
    cosine += p[k] * q[k];
  }
  return acos(fmin(fmax(cosine / (size_of(p) * size_of(q)), -1.0), 1.0)) / 3.0;
}

/* The sum of (1); `part` is the fraction of the step after which it reaches `most`. */
static double turn_of(const double *s0, const double *s1, double h, double most, double *part) {
  const double cosine = s0[0] * s1[0] + s0[1] * s1[1] + s0[2] * s1[2];
  const double near = cosine < 0.0 ? 10.0 * fmax(size_of(s0), size_of(s1)) : near_band * s0[BAND];
  const double rate = fmax(size_of(s0 + RATE), size_of(s1 + RATE));
  const bool comes_far = size_of(s0) > s0[BAND] && h * rate > 2.0 * s0[BAND];
  double a[3], b[3], sum = 0.0;
  *part = 1.0;
  memcpy(a, s0, sizeof a);
  for (int i = 1; i <= PARTS; i++) {
    double in = 0.0, out = 0.0;
    speed_at(s0, s1, h, (double)i / PARTS, b);
    const double more = turn_along(a, b, s0[BAND], near, comes_far ? 5.0 : 1.0, &in, &out);
    const bool is_reached = sum <= most && sum + more > most;
    if (is_reached) *part = (i - 1 + in + (out - in) * (most - sum) / more) / PARTS;
    sum += more;
    memcpy(a, b, sizeof a);
  }
  return sum;
}

/* Far from the band (1) and (3) cannot apply: this test with squares suffices for most steps. */
static bool is_far(const double *s0, const double *s1, double h) {
  double c = 0.0, change = 0.0, a0 = 0.0, a1 = 0.0;
  for (int k = 0; k < 3; k++) {
    c += s0[k] * s0[k], change += (s1[k] - s0[k]) * (s1[k] - s0[k]);
    a0 += s0[RATE + k] * s0[RATE + k], a1 += s1[RATE + k] * s1[RATE + k];
  }
  /* (x + y + z)^2 <= 3 (x^2 + y^2 + z^2) */
  return c > 3.0 * (100.0 * s0[BAND] * s0[BAND] + change + h * h * fmax(a0, a1));
}

/* (3) */
static bool is_doubtful(const double *s0, const double *s1, double h, double rate) {
  double d[3], change[3];
  for (int k = 0; k < 3; k++) {
    d[k] = s1[k] - s0[k] - 0.5 * h * (s0[RATE + k] + s1[RATE + k]);
    change[k] = s1[RATE + k] - s0[RATE + k];
  }
  const double defect = size_of(d);
  return defect > h * (0.6 * size_of(change) + 0.01 * rate) &&
         fmin(size_of(s0), size_of(s1)) < s0[BAND] + h * rate;
}

/* Is the motion near the band and not at rest in it, after a far shorter step? */
static bool grows_too_fast(const trm_sim *sim, const double *s0, double h) {
  const double speed = size_of(s0);
  const bool is_near = speed < 100.0 * s0[BAND] && speed + h * size_of(s0 + RATE) > s0[BAND];
  return is_near && sim->h_last > 0.0 && h > growth * sim->h_last;
}

/* (1) */
static double largest_turn(const trm_sim *sim) {
  return 0.25 * pow(sim->options.tolerance / 1e-5, 1.0 / 6.0);
}

/* (2) */
static double short_step(const trm_sim *sim, int i, double rate) {
  return sqrt(0.01 * sim->options.tolerance * sim->slip_scale[i] / fmax(rate, 1e-300));
}

static trm_status slips_of(trm_sim *sim, const trm_state *s, double *slips, trm_error *err) {
  return trm_system_values(sim->sys, s, &(trm_values){.slips = slips}, err);
}

trm_status trmi_slips_limit(trm_sim *sim, double *h, int *slip, trm_error *err) {
  *slip = -1;
  if (!isfinite(sim->slip_most)) return TRM_OK;
  if (sim->is_end_tested) { /* the last step was accepted: its end is the start */
    memcpy(sim->slip_now, sim->slip_next, PLACES * (size_t)sim->sys->n.nslips * sizeof(double));
  } else {
    TRMI_TRY(err, slips_of(sim, trm_sim_state(sim), sim->slip_now, err));
  }
  sim->is_end_tested = false;
  const double most = sim->slip_most;
  for (int i = 0; i < sim->sys->n.nslips; i++) {
    const double *s0 = sim->slip_now + PLACES * i;
    double s1[PLACES], part = 1.0;
    if (grows_too_fast(sim, s0, *h)) *h = growth * sim->h_last, *slip = i;
    if (!(size_of(s0) < near_band * s0[BAND])) continue;
    const double least = short_step(sim, i, size_of(s0 + RATE));
    if (*h <= least) continue;
    memcpy(s1, s0, sizeof s1);
    for (int k = 0; k < 3; k++) s1[k] += *h * s0[RATE + k];
    if (turn_of(s0, s1, *h, most, &part) <= most) continue;
    const double longest = fmax(part * *h, least);
    if (longest < *h) *h = longest, *slip = i;
  }
  return TRM_OK;
}

trm_status trmi_slips_test(trm_sim *sim, double h, trmi_attempt *attempt, trm_error *err) {
  const double slack = 1.5; /* for both limits: repeating a step for less has no benefit */
  if (!isfinite(sim->slip_most)) return TRM_OK;
  TRMI_TRY(err, slips_of(sim, sim->ops->next(sim->integ), sim->slip_next, err));
  const double most = sim->slip_most;
  for (int i = 0; i < sim->sys->n.nslips; i++) {
    const double *s0 = sim->slip_now + PLACES * i, *s1 = sim->slip_next + PLACES * i;
    if (is_far(s0, s1, h)) continue;
    const double rate = fmax(size_of(s0 + RATE), size_of(s1 + RATE));
    const double least = short_step(sim, i, rate);
    double part = 1.0;
    if (h <= slack * least) continue;
    const double turn = turn_of(s0, s1, h, most, &part);
    const bool turns = turn > slack * most;
    if (!turns && !is_doubtful(s0, s1, h, rate)) continue;
    trm_label label;
    trm_system_label(sim->sys, TRM_SLIP, i, &label);
    attempt->list = TRM_SLIP;
    attempt->index = i;
    attempt->factor = fmin(fmax(turns ? part : 0.5, least / h), 0.9);
    attempt->error = turns ? turn / most : 2.0;
    return TRMI_FAIL(err, TRM_RETRY_ERROR, label.object, "its sliding reverses too fast for this "
                                                         "step");
  }
  return TRM_OK;
}

void trmi_slips_begin(trm_sim *sim) {
  sim->is_end_tested = false;
  /* fixed steps cannot be limited, and kinematics do not depend on forces */
  const bool is_limited = sim->options.nsteps == 0 && sim->ops != &trmi_integ_kinematic;
  sim->slip_most = is_limited ? largest_turn(sim) : INFINITY;
  for (int i = 0; i < sim->sys->n.nslips; i++) {
    trm_label label;
    trm_system_label(sim->sys, TRM_SLIP, i, &label);
    sim->slip_scale[i] = label.scale > 0.0 ? label.scale : 1.0;
  }
}
