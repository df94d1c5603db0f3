/* impact_depth.c - the expected penetration of a stop or contact.
 *
 * A gap that closes with the speed w penetrates by p: the force along the penetration, with A(p) as
 * acceleration of the gap, absorbs the kinetic energy,
 *   int A dp = w^2/2,  A p/(n+1) = w^2/2 for A ~ p^n                                        (1)
 * A is measured: accelerations are solved for at the predicted position of touching, displaced by
 * p. So no stiffness, exponent or effective mass is needed, and constraints are included. A
 * prediction may lead far into other stops, which would really stop the motion before: if one is
 * closed at that position and open at the start of the step, A is taken relative to its value at
 * the position of touching. The same holds if A has the opposite sign: another corner or edge may
 * be the nearest one there, whose gap has another acceleration. Impacts of others may also change
 * the motion before the gap closes: when it has closed, p is measured once more.          (2)
 * A gap that was never hit begins with the depth of the nearest one in the list that was, because
 * gaps of one contact have one law: often a single evaluation is enough. If there is no force, or
 * no solution, it begins with a small value.                                               (3)
 * For too large a p there may be no solution, because laws or contact geometries end there. Then a
 * smaller p is tried, and (1) at the largest p with a solution, within a factor of two, gives the
 * depth. If none works, the next step tries again from closer.
 * A gap that is closed when the run begins, and opens, releases what A has stored, as in the second
 * half of an impact. With n = 1.5, A = a - b, and b the acceleration at the time of opening,
 *   w^2 = v^2 + 0.8 A p,   and it leaves with   u^2 = w^2 + 2 b p                         (4)
 * unless u^2 < 0: then it stays closed. */
#include "integ/driver.h"
#include <math.h>

/* Acceleration of gap i at the penetration p, after touching at td with speed w. Minus infinity: p
 * is not reached within the time `reach`; laws must not be evaluated at far times. */
static trm_status push_at(trm_sim *sim, int i, const trm_state *s, double td, double w, double p,
                          double reach, double *push, trm_error *err) {
  const trm_system *sys = sim->sys;
  trm_state *place = &sim->dense;
  double beyond = p / w;
  *push = -INFINITY;
  trmi_state_copy(sys, s, place);
  for (int k = 0; k < 4; k++) {
    if (!(fabs(beyond) <= reach)) return TRM_OK;
    for (int m = 0; m < sys->n.nv; m++) {
      place->v[m] = s->v[m] + td * s->vd[m];
      sim->probe[m] = td * (s->v[m] + 0.5 * td * s->vd[m]) + beyond * place->v[m];
    }
    trm_system_retract(sys, s->q, sim->probe, place->q);
    trmi_state_at(sys, s, s->t + td + beyond, place);
    TRMI_TRY(err, trmi_impact_probe(sim, i, place, err));
    const double off = sim->gap_probe[3 * i] + p;
    if (fabs(off) < 0.01 * p) break;
    if (k < 3) beyond += off / w;
  }
  TRMI_TRY(err, trmi_consistent_accelerations(&sim->consistent, place, err));
  TRMI_TRY(err, trmi_impact_probe(sim, i, place, err));
  *push = sim->gap_probe[3 * i + 2];
  return TRM_OK;
}

/* Is another gap than i closed at the last evaluated position, and open at the start? */
static bool meets_others(const trm_sim *sim, int i) {
  for (int k = 0; k < sim->sys->n.ngaps; k++) {
    if (k != i && sim->gap_probe[3 * k] < 0.0 && sim->gap_now[3 * k] > 0.0) return true;
  }
  return false;
}

/* Acceleration of gap i at the penetration p by its own law; (2). */
static trm_status own_push(trm_sim *sim, int i, const trm_state *s, double td, double w, double p,
                           double reach, double *push, trm_error *err) {
  double open = sim->gap_now[3 * i + 2];
  TRMI_TRY(err, push_at(sim, i, s, td, w, p, reach, push, err));
  if (isfinite(*push) && (meets_others(sim, i) || !(*push > open))) {
    TRMI_TRY(err, push_at(sim, i, s, td, w, 0.0, reach, &open, err));
  }
  *push -= open;
  return TRM_OK;
}

/* Depth by (1) from the acceleration at p, over p. */
static double ratio_of(double w, double p, double push, double n) {
  return pow(0.5 * w * w * (n + 1) / (push * p), 1 / (n + 1));
}

static bool is_near(double ratio) { return ratio > 0.7 && ratio < 1.4; }

/* (3), for A ~ p^1.5; infinity: no gap was hit before. */
static double depth_nearby(const trm_sim *sim, int i, double w) {
  const int n = sim->sys->n.ngaps;
  for (int away = 1; away < n; away++) {
    for (int side = -1; side <= 1; side += 2) {
      const int k = i + side * away;
      if (k < 0 || k >= n) continue;
      const trmi_impact *other = &sim->impacts[k];
      const bool is_known = other->depth > 0.0 && isfinite(other->depth) && other->of_speed > 0.0;
      if (is_known) return other->depth * pow(w / other->of_speed, 0.8);
    }
  }
  return INFINITY;
}

/* p of (1) by the secant method in logarithms; infinity if there is no force. `h` bounds the
 * search. */
static trm_status find_depth(trm_sim *sim, int i, const trm_state *s, double td, double w,
                             double h, trm_error *err) {
  trmi_impact *impact = &sim->impacts[i];
  const double open = sim->gap_now[3 * i + 2], most = 100 * w * h, reach = 200 * h;
  const bool is_known = impact->depth > 0.0 && isfinite(impact->depth);
  double p = is_known ? impact->depth : depth_nearby(sim, i, w), p_last = 0.0, push_last = 0.0;
  double n = 1.5;
  bool is_guess = !is_known && p < most;
  if (!is_known && !is_guess) p = 1e-4 * w * h;
  impact->of_speed = w;
  impact->depth = INFINITY;
  for (int k = 0; k < 40 && p < most; k++) {
    double push = 0.0;
    const trm_status status = own_push(sim, i, s, td, w, p, reach, &push, err);
    if (is_guess && status >= 0 && !(status == TRM_OK && push > 0.0)) {
      is_guess = false;
      p = 1e-4 * w * h;
      continue;
    }
    is_guess = false;
    if (status > 0 && push_last > 0.0 && p > p_last) { /* too deep for a solution */
      if (p < 2.0 * p_last) break;
      p = sqrt(p * p_last);
      continue;
    }
    if (status != TRM_OK) return trmi_note(err, __func__, status);
    if (!(push > 0.0)) {
      p *= 30.0;
      continue;
    }
    if (push_last > 0.0 && push != push_last) {
      n = fmin(fmax(log(push / push_last) / log(p / p_last), 0.7), 4.0);
    }
    const double ratio = ratio_of(w, p, push, n);
    p_last = p, push_last = push;
    if (is_near(ratio)) break;
    p *= fmin(fmax(ratio, 1e-3), 1e3);
  }
  if (!(push_last > 0.0)) return TRM_OK;
  impact->depth = ratio_of(w, p_last, push_last, n) * p_last;
  impact->share = w * w / (w * w + 2 * fabs(open) * impact->depth);
  return TRM_OK;
}

trm_status trmi_impact_depth(trm_sim *sim, int i, const trm_state *s, double td, double w,
                             double h, trm_error *err) {
  trmi_impact *impact = &sim->impacts[i];
  const bool is_known = impact->depth > 0.0 && fabs(w - impact->of_speed) <= 0.1 * w;
  if (is_known) return TRM_OK;
  const trm_status status = find_depth(sim, i, s, td, w, h, err);
  if (status > 0) impact->depth = INFINITY, impact->of_speed = 0.0; /* try again when closer */
  return status < 0 ? status : TRM_OK;
}

trm_status trmi_impact_depth_once_more(trm_sim *sim, int i, const trm_state *s, double w, double h,
                                       trm_error *err) {
  trmi_impact *impact = &sim->impacts[i];
  const trmi_impact foreseen = *impact;
  const double p = impact->depth;
  double push = 0.0;
  if (!(p > 0.0 && isfinite(p))) return trmi_impact_depth(sim, i, s, 0.0, w, h, err);
  const trm_status status = own_push(sim, i, s, 0.0, w, p, fmax(200 * h, 2 * p / w), &push, err);
  if (status < 0) return status;
  /* exponents from 1 to 3 change this ratio by little */
  const double ratio = status == TRM_OK && push > 0.0 ? ratio_of(w, p, push, 1.5) : 1.0;
  if (is_near(ratio)) return trmi_impact_depth(sim, i, s, 0.0, w, h, err);
  impact->of_speed = 0.0;
  TRMI_TRY(err, trmi_impact_depth(sim, i, s, 0.0, w, fmax(h, ratio * p / w), err));
  if (!isfinite(impact->depth)) *impact = foreseen;
  return TRM_OK;
}

trm_status trmi_impact_release(trm_sim *sim, int i, const trm_state *s, double h, trm_error *err) {
  const double *gap = sim->gap_now + 3 * i, p = -gap[0], v = gap[1], a = gap[2];
  trmi_impact *impact = &sim->impacts[i];
  double open = 0.0;
  if (!(p > 0.0 && a > 0.0) || !trmi_impact_matters(sim, i, sqrt(v * v + 2 * a * p), 0.0)) {
    return TRM_OK;
  }
  const double out = sqrt(v * v + 2 * a * p), td = (out - v) / a; /* with this acceleration */
  if (!(td <= 200 * h)) return TRM_OK;
  const trm_status status = push_at(sim, i, s, td, -out, 0.0, 200 * h, &open, err);
  if (status != TRM_OK) return status < 0 ? status : TRM_OK;
  const double stored = 0.8 * (a - open) * p, square = v * v + stored + 2 * open * p; /* (4) */
  const bool leaves = isfinite(open) && stored > 0.0 && square > 0.0;
  if (!leaves || !trmi_impact_matters(sim, i, sqrt(square), open)) return TRM_OK;
  const double w = sqrt(v * v + stored);
  impact->speed = impact->of_speed = w;
  impact->depth = p * pow(w * w / stored, 0.4);
  impact->share = w * w / (w * w + 2 * fabs(open) * impact->depth);
  return TRM_OK;
}
