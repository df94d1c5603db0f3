/* alpha_limits.c - limits of the remaining error of Newton's iteration of the alpha family: in
 * positions, in the norm of `trmi_alpha_update`, and in constraints. */
#include "integ/alpha.h"
#include <float.h>
#include <math.h>

/* Part of the tolerance that Newton may leave as an error of positions. A remainder e of positions
 * is one of e/h in velocities, which persists: in many short steps 1e-2 doubles the error of a run.
 * In long steps a part proportional to the step is harmless if it is also small over the scales.
 * Stops and contacts damp the error where it matters most, in their short steps, and impacts have a
 * limit of their own. */
static const double newton_least = 1e-4, newton_contact = 1e-3, newton_most = 1e-2,
                    newton_part = 0.2, newton_scales = 1e-6;

/* Other sets of coefficients than those of HHT may have a small error constant, which would make
 * the remainder large. */
static double part_of_tolerance(const trmi_alpha *ga, double h) {
  const bool is_hht = ga->am == 0.0 &&
                      fabs(ga->beta - 0.25 * (1 + ga->af) * (1 + ga->af)) <= 1e-12;
  if (!is_hht || (ga->form != ALPHA_SI2 && ga->form != ALPHA_INDEX3)) return newton_least;
  if (ga->ctx.sys->n.ngaps > 0) return newton_contact;
  const double most = fmin(newton_most, newton_scales / ga->ctx.tolerance);
  return fmax(newton_least, fmin(most, newton_part * h / ga->ctx.sys->second));
}

/* Rounding of positions in the norm of `trmi_alpha_update`. */
static double rounding_of(const trmi_alpha *ga) {
  return DBL_EPSILON * ga->q_size;
}

/* A row of a joint contains positions and directions of two bodies: each has about seven roundings
 * of half an epsilon in the quaternion and its product with a point, and two in its position, and
 * the stored numbers themselves are rounded. */
double trmi_alpha_rounding_of_rows(const trmi_alpha *ga) {
  return 16 * DBL_EPSILON * ga->q_size;
}

/* Under error control. Smaller in an impact, where the remainder divided by a short step is a large
 * speed. */
static double limit_of_tolerance(const trmi_alpha *ga, double h) {
  const double unit = ga->ctx.tolerance * ga->beta / fabs(ga->C_q);
  const double most = ga->newton_part > 0.0 ? ga->newton_part * ga->ctx.tolerance
                                            : part_of_tolerance(ga, h) * unit;
  return fmin(most, fmax(trmi_care_limit(ga->ctx.care, h), 4 * rounding_of(ga)));
}

double trmi_alpha_limit(const trmi_alpha *ga, double h) {
  const trm_options *opt = ga->ctx.options;
  if (opt->newton_tolerance > 0.0) return opt->newton_tolerance;
  if (!ga->ctx.fixed) return limit_of_tolerance(ga, h);
  double sum = 0.0;
  const int nv = ga->ctx.sys->n.nv;
  for (int i = 0; i < nv; i++) {
    const double e = ga->next.vd[i] / ga->ctx.scale_v[i];
    sum += e * e;
  }
  const double acceleration = nv > 0 ? sqrt(sum / nv) : 0.0, second = ga->ctx.sys->second;
  const double size = fmax(acceleration, 1.0 / (second * second));
  return fmax(1e-8 * ga->beta * h * h * size, 4 * rounding_of(ga));
}

/* Rates of holonomic rows count like positions when multiplied by the step. Rolling is satisfied to
 * rounding: lost accuracy is never regained. */
trm_status trmi_alpha_constraints(trmi_alpha *ga, double h, trmi_violation *off, bool *hold,
                                  trm_error *err) {
  double speed = 1.0 / ga->ctx.sys->second;
  TRMI_TRY(err, trmi_consistent_violation(ga->ctx.consistent, &ga->next, off, err));
  double limit = ga->ctx.options->constraint_tolerance;
  if (!(limit > 0.0)) limit = ga->ctx.fixed ? 5e-14 : 1e-9;
  for (int i = 0; i < ga->ctx.sys->n.nv; i++) {
    const double v = fabs(ga->next.v[i]), scale = ga->ctx.scale_v[i];
    if (v > speed * scale) speed = v / scale;
  }
  const double rounding = 5e-14 * speed; /* for all rates where there is rolling */
  const bool rolls = ga->ctx.sys->n.na > 0;
  const bool rates_hold = off->velocity <= (rolls ? rounding : limit * fmax(speed, 1.0 / h));
  *hold = off->position <= fmax(limit, trmi_alpha_rounding_of_rows(ga)) &&
          (rates_hold || !ga->traits->has_rates) && off->rolling <= rounding;
  return TRM_OK;
}

trmi_newton_monitor trmi_alpha_rules(const trmi_alpha *ga, double h, int most) {
  trmi_newton_monitor m = trmi_newton_rules(most, trmi_alpha_limit(ga, h));
  m.uses_rate = true, m.negligible = 1e-2;
  m.rounding = rounding_of(ga);
  m.wide = 500 * m.rounding;
  return m;
}

double trmi_alpha_least_limit(const trmi_alpha *ga, double h, double limit) {
  const bool is_chosen = !ga->ctx.fixed && !(ga->ctx.options->newton_tolerance > 0.0) &&
                         !(ga->newton_part > 0.0);
  return is_chosen ? limit * (newton_least / part_of_tolerance(ga, h)) : limit;
}
