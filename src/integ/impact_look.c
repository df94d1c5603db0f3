/* impact_look.c - does a gap that is open at the start of a step close within it?
 *
 * The cubic through gap and rate at both ends decides, provided the gap does not change faster than
 * that. The gap of bodies that pass each other in one long step first decreases, then increases,
 * with a corner between. Distances of convex shapes in straight motion are convex in time, so
 * tangents at the ends are lower bounds:
 *   gap > g0 + x h g0'   and   gap > g1 - (1 - x) h g1',   x the part of the step           (1)
 * Where they cross below half of the smaller end, which leaves room for rotations, the gap itself
 * is evaluated there, at positions interpolated by the cubic between the ends. Gaps of rotating
 * bodies, or of a ring and a body passing through it, may have several minima in a step, and may
 * open at both of its ends. Then the second rates at the ends do not agree with those of the cubic.
 * They differ by d0 and d1, and the quintic that has them all differs by less than
 *   h^2 (|d0| x^2 (1-x)^3 + |d1| x^3 (1-x)^2)/2                                           (2)
 * Where the cubic, less twice (2), is below zero, the gap is evaluated as well. Each evaluation
 * divides its part of the step, and both parts are tested again, the earlier one first. */
#include "integ/driver.h"
#include <math.h>
#include <string.h>

/* Evaluations of a gap in a step; bisections to the time of closing; points where (2) is evaluated;
 * parts of a step that are not divided further. */
enum { LOOKS = 16, HALVINGS = 12, PARTS = 32 };
static const double narrow = 1e-3;

/* Cubic through a gap and its rate at both ends of a step h, x in 0 .. 1. */
static double between(const double *g0, const double *g1, double h, double x) {
  const double u = h * g0[1], v = h * g1[1], D = g1[0] - g0[0];
  return g0[0] + x * (u + x * (3 * D - 2 * u - v + x * (u + v - 2 * D)));
}

trm_status trmi_impact_probe(trm_sim *sim, int i, const trm_state *s, trm_error *err) {
  const trm_values one = {.gaps = sim->gap_probe, .only_gap = i + 1};
  return trm_system_values(sim->sys, s, &one, err);
}

double trmi_impact_closes_at(const double *g0, const double *g1, double h) {
  if (g1[0] > 0.0 && !(g0[1] < 0.0 && g1[1] > 0.0)) return INFINITY;
  double low = 0.0, high = 0.0;
  for (int k = 1; k <= PARTS && high == 0.0; k++) {
    const double x = (double)k / PARTS;
    if (between(g0, g1, h, x) <= 0.0) high = x;
    else low = x;
  }
  if (high == 0.0) return INFINITY;
  for (int k = 0; k < 50; k++) {
    const double x = 0.5 * (low + high);
    if (between(g0, g1, h, x) <= 0.0) high = x;
    else low = x;
  }
  return high;
}

/* ---- closing that the cubic does not show ----------------------------------------------- */

/* A point x of a step, with gap, rate and second rate there. */
typedef struct look {
  double x, gap[3];
} look;

/* Gap i at x; leaves the state in sim->dense. */
static trm_status look_at(trm_sim *sim, int i, const trm_state *s, double h, look *at,
                          trm_error *err) {
  trm_system *sys = sim->sys;
  const trm_state *end = sim->ops->next(sim->integ);
  trm_state *place = &sim->dense;
  const double x = at->x, y = 1.0 - x;
  double *way = place->vd; /* of the whole step, then the second rates of the part */
  trmi_state_copy(sys, s, place);
  for (int m = 0; m < sys->n.nv; m++) sim->probe[m] = 0.5 * h * (s->v[m] + end->v[m]);
  trmi_group_difference_near(sys, end->q, s->q, sim->probe, way);
  for (int m = 0; m < sys->n.nv; m++) {
    const double D = way[m], u = h * s->v[m], v = h * end->v[m];
    sim->probe[m] = x * (x * (3 - 2 * x) * D + y * (y * u - x * v));
    place->v[m] = (6 * x * y * D + y * (1 - 3 * x) * u + x * (3 * x - 2) * v) / h;
    way[m] = (6 * (y - x) * D + (6 * x - 4) * u + (6 * x - 2) * v) / (h * h);
  }
  trm_system_retract(sys, s->q, sim->probe, place->q);
  trmi_state_at(sys, s, s->t + x * h, place);
  TRMI_TRY(err, trmi_impact_probe(sim, i, place, err));
  memcpy(at->gap, sim->gap_probe + 3 * i, sizeof at->gap);
  return TRM_OK;
}

/* May the gap be closed between two points by (1), decreasing and increasing again? If so, at x. */
static bool may_touch(const look *a, const look *b, double h, double *x) {
  if (!(a->gap[1] < 0.0 && b->gap[1] > 0.0)) return false;
  const double width = h * (b->x - a->x), bend = b->gap[1] - a->gap[1];
  const double t = (a->gap[0] - b->gap[0] + width * b->gap[1]) / bend;
  *x = a->x + fmin(fmax(t / width, 0.05), 0.95) * (b->x - a->x);
  return !(a->gap[0] + t * a->gap[1] > 0.5 * fmin(a->gap[0], b->gap[0]));
}

/* The same by (2), at the x where the bound is lowest. */
static bool may_swing(const look *a, const look *b, double h, double *x) {
  const double width = h * (b->x - a->x), D = b->gap[0] - a->gap[0];
  const double u = width * a->gap[1], v = width * b->gap[1], square = width * width;
  const double d0 = fabs(square * a->gap[2] - (6 * D - 4 * u - 2 * v));
  const double d1 = fabs(square * b->gap[2] - (4 * v + 2 * u - 6 * D));
  const double inner = fmin(a->gap[0] + u / 3, b->gap[0] - v / 3); /* control points: below all */
  double least = 0.0;
  if (fmin(fmin(a->gap[0], b->gap[0]), inner) > 0.035 * (d0 + d1)) return false;
  for (int k = 1; k < PARTS; k++) {
    const double p = (double)k / PARTS, q = 1 - p;
    const double low = between(a->gap, b->gap, width, p) - p * p * q * q * (d0 * q + d1 * p);
    if (low < least) least = low, *x = a->x + p * (b->x - a->x);
  }
  return least < 0.0;
}

/* The first point found where gap i is closed, and `low`, an open point before it. */
static trm_status find_closed(trm_sim *sim, int i, const trm_state *s, double h, look *low,
                              look end, look *found, trm_error *err) {
  look ahead[LOOKS + 1] = {end};
  found->x = INFINITY;
  for (int count = 1, looks = 0; count > 0;) {
    const look *high = &ahead[count - 1];
    look at;
    const bool is_wide = looks < LOOKS && high->x - low->x > narrow;
    if (!is_wide || !(may_touch(low, high, h, &at.x) || may_swing(low, high, h, &at.x))) {
      *low = ahead[--count];
      continue;
    }
    looks++;
    TRMI_TRY(err, look_at(sim, i, s, h, &at, err));
    if (at.gap[0] <= 0.0) {
      *found = at;
      return TRM_OK;
    }
    ahead[count++] = at;
  }
  return TRM_OK;
}

/* Acceleration of gap i at the state in sim->dense minus that at the start; 0: unknown. */
static trm_status push_of(trm_sim *sim, int i, double *push, trm_error *err) {
  *push = 0.0;
  const trm_status status = trmi_consistent_accelerations(&sim->consistent, &sim->dense, err);
  if (status != TRM_OK) return status < 0 ? status : TRM_OK;
  TRMI_TRY(err, trmi_impact_probe(sim, i, &sim->dense, err));
  *push = sim->gap_probe[3 * i + 2] - sim->gap_now[3 * i + 2];
  return TRM_OK;
}

static trm_status look_inside(trm_sim *sim, int i, const trm_state *s, double h,
                              trmi_closing *closing, trm_error *err) {
  const double *g0 = sim->gap_now + 3 * i, *g1 = sim->gap_next + 3 * i;
  look low = {.x = 0.0, .gap = {g0[0], g0[1], g0[2]}}, found;
  const look end = {.x = 1.0, .gap = {g1[0], g1[1], g1[2]}};
  if (!(g0[0] > 0.0 && g1[0] > 0.0 && isfinite(g0[0]) && isfinite(g1[0]))) return TRM_OK;
  TRMI_TRY(err, find_closed(sim, i, s, h, &low, end, &found, err));
  if (!(found.x <= 1.0)) return TRM_OK;
  TRMI_TRY(err, push_of(sim, i, &closing->push, err));
  for (int k = 0; k < HALVINGS; k++) {
    look at = {.x = 0.5 * (low.x + found.x)};
    TRMI_TRY(err, look_at(sim, i, s, h, &at, err));
    *(at.gap[0] > 0.0 ? &low : &found) = at;
  }
  closing->x = found.x;
  closing->before = low.x;
  closing->speed = fmax(-low.gap[1], 0.0);
  return TRM_OK;
}

trm_status trmi_impact_look(trm_sim *sim, int i, const trm_state *s, double h,
                            trmi_closing *closing, trm_error *err) {
  const double *g0 = sim->gap_now + 3 * i, *g1 = sim->gap_next + 3 * i;
  const double x = trmi_impact_closes_at(g0, g1, h);
  *closing = (trmi_closing){.x = x, .before = INFINITY};
  if (!(x <= 1.0)) {
    return look_inside(sim, i, s, h, closing, err);
  }
  const double back = fmax(x - fmax(1e-6, 1e-3 * x), 0.0);
  closing->speed = (between(g0, g1, h, back) - between(g0, g1, h, x)) / (h * (x - back));
  closing->push = g1[0] < 0.0 ? g1[2] - g0[2] : 0.0;
  return TRM_OK;
}
