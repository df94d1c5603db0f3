/* slips.c - steps in which dry friction turns over.
 *
 * The force of friction changes its sign within a small speed of sliding, the band, or turns with
 * the direction of sliding there. A body that reverses passes the band in a time far shorter than
 * a step of a motion that is smooth otherwise: the force jumps inside the step. Estimates of the
 * local error see something of it, or nothing where the speed returns within the step; those of
 * `radau` and `tdg` also take the motion for smooth when they infer its error from that of a
 * formula of lower order. So a step may go a way inside the band of no more than
 *   sum |dc| < kappa band,   kappa = (tolerance/1e-5)^(1/6)/4                               (1)
 * with c(t) the cubic through the speeds of sliding and their rates at both ends of the step. The
 * law has jumps of its second derivative only: the velocity lost in one of such steps goes like
 * kappa^3 band, as tolerance^(1/2). A step that goes further is repeated, up to where it enters
 * the band and kappa band into it; a step that begins in the band is limited before, with c on a
 * straight line.
 * What friction changes of the rate of sliding is at most 2 |c'| of one of the ends: where a body
 * comes to rest both friction and its other forces slow it down. Steps with
 *   h^2 |c'| <= 0.01 tolerance scale                                                        (2)
 * are short enough for any law: nothing crawls. Where nothing is near the band, nothing happens.
 * Theory: docs/theory/11-joints.md, section 7. */
#include "integ/driver.h"
#include <math.h>
#include <string.h>

enum { PARTS = 32, SPEED = 0, RATE = 3, BAND = 6, PLACES = 7 };

static double size_of(const double *a) {
  return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

/* Speeds at part x of a step h. */
static void speed_at(const double *s0, const double *s1, double h, double x, double *c) {
  for (int k = 0; k < 3; k++) {
    const double u = h * s0[RATE + k], v = h * s1[RATE + k], D = s1[k] - s0[k];
    c[k] = s0[k] + x * (u + x * (3 * D - 2 * u - v + x * (u + v - 2 * D)));
  }
}

/* Of the straight way from a to b: where a ball of radius `band` about zero is entered and left,
 * as parts of it; false: nowhere. */
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

/* The way inside the band, over the band; `part` of the step is the one after which it is `most`. */
static double way_inside(const double *s0, const double *s1, double h, double most, double *part) {
  const double band = s0[BAND];
  double a[3], b[3], way = 0.0;
  *part = 1.0;
  memcpy(a, s0, sizeof a);
  for (int i = 1; i <= PARTS; i++) {
    double in = 0.0, out = 0.0, d[3];
    speed_at(s0, s1, h, (double)i / PARTS, b);
    for (int k = 0; k < 3; k++) d[k] = b[k] - a[k];
    if (cut_ball(a, b, band, &in, &out)) {
      const double length = size_of(d) / band, more = (out - in) * length;
      const bool is_reached = way <= most && way + more > most;
      if (is_reached) *part = (i - 1 + in + (most - way) / length) / PARTS;
      way += more;
    }
    memcpy(a, b, sizeof a);
  }
  return way;
}

/* (1) */
static double longest_way(const trm_sim *sim) {
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
  if (sim->options.nsteps > 0) return TRM_OK;
  TRMI_TRY(err, slips_of(sim, trm_sim_state(sim), sim->slip_now, err));
  const double most = longest_way(sim);
  for (int i = 0; i < sim->sys->n.nslips; i++) {
    const double *s0 = sim->slip_now + PLACES * i, rate = size_of(s0 + RATE);
    const double least = short_step(sim, i, rate);
    double s1[PLACES], part = 1.0;
    if (!(size_of(s0) < s0[BAND]) || *h <= least) continue;
    memcpy(s1, s0, sizeof s1);
    for (int k = 0; k < 3; k++) s1[k] += *h * s0[RATE + k];
    if (way_inside(s0, s1, *h, most, &part) <= most) continue;
    const double longest = fmax(part * *h, least);
    if (longest < *h) *h = longest, *slip = i;
  }
  return TRM_OK;
}

trm_status trmi_slips_test(trm_sim *sim, double h, trmi_attempt *attempt, trm_error *err) {
  const double slack = 1.5; /* of both limits: a step repeated for less gains nothing */
  if (sim->options.nsteps > 0) return TRM_OK;
  TRMI_TRY(err, slips_of(sim, sim->ops->next(sim->integ), sim->slip_next, err));
  const double most = longest_way(sim);
  for (int i = 0; i < sim->sys->n.nslips; i++) {
    const double *s0 = sim->slip_now + PLACES * i, *s1 = sim->slip_next + PLACES * i;
    const double rate = fmax(size_of(s0 + RATE), size_of(s1 + RATE));
    const double least = short_step(sim, i, rate);
    double part = 1.0;
    if (h <= slack * least) continue;
    const double way = way_inside(s0, s1, h, most, &part);
    if (way <= slack * most) continue;
    trm_label label;
    trm_system_label(sim->sys, TRM_SLIP, i, &label);
    attempt->list = TRM_SLIP;
    attempt->index = i;
    attempt->factor = fmin(fmax(part, least / h), 0.9);
    attempt->error = way / most;
    return TRMI_FAIL(err, TRM_RETRY_ERROR, label.object, "it turns over too fast for such a step");
  }
  return TRM_OK;
}

void trmi_slips_begin(trm_sim *sim) {
  for (int i = 0; i < sim->sys->n.nslips; i++) {
    trm_label label;
    trm_system_label(sim->sys, TRM_SLIP, i, &label);
    sim->slip_scale[i] = label.scale > 0.0 ? label.scale : 1.0;
  }
}
