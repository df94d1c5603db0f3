/* collocation_energy.c - step control of [TDG] by the total energy E.
 *
 *   e = |E - E_ref| / |E_ref| / tolerance                                      (1)
 * A step with e <= accept is accepted. Otherwise it is repeated with
 *   h <- (reduce / e)^(1/3) h                                                  (2)
 * at most energy_repetitions times and not below the smallest step; after that it is accepted, and
 * E_ref becomes the mean of E_ref and E: the method loses energy, so no reference remains valid.
 * When e < grow for energy_wait successive steps, the step grows by (2).
 * The paper leaves open where the energy is zero, the number of repetitions and the number of
 * steps before growth: they are options. Outside a given time window, the local error controls the
 * step; E_ref is E at the beginning of the window. */
#include "integ/collocation.h"
#include <math.h>

static trm_status energy_of(trmi_collocation *co, const trm_state *s, double *energy,
                            trm_error *err) {
  double parts[3];
  TRMI_TRY(err, trm_system_values(co->ctx.sys, s, &(trm_values){.energy = parts}, err));
  *energy = parts[0] + parts[1] - co->ctx.options->energy_datum;
  return TRM_OK;
}

bool trmi_collocation_by_energy(const trmi_collocation *co) {
  const trm_options *opt = co->ctx.options;
  const bool has_begin = opt->energy_from != 0.0, has_end = opt->energy_to > opt->energy_from;
  return co->energy.is_used && !co->ctx.fixed && (!has_begin || co->now.t >= opt->energy_from) &&
         (!has_end || co->now.t < opt->energy_to);
}

/* E_ref at the start of a step. */
static trm_status refer(trmi_collocation *co, trm_error *err) {
  trmi_energy_control *c = &co->energy;
  TRMI_TRY(err, energy_of(co, &co->now, &c->reference, err));
  if (fabs(c->reference) > 0.0 && isfinite(c->reference)) return TRM_OK;
  return TRMI_FAIL(err, TRM_ERR_INPUT, NULL,
                   "the energy is %g at t = %g %s, and errors are measured by it: give "
                   "energy_datum another value", c->reference, co->now.t,
                   co->ctx.sys->units.time);
}

trm_status trmi_collocation_energy_start(trmi_collocation *co, trm_error *err) {
  trmi_energy_control *c = &co->energy;
  c->repeated = c->calm = 0;
  c->reference = c->next_reference = NAN; /* until a window begins */
  return trmi_collocation_by_energy(co) ? refer(co, err) : TRM_OK;
}

trm_status trmi_collocation_energy_test(trmi_collocation *co, double h, trmi_attempt *result,
                                        trm_error *err) {
  const trm_options *opt = co->ctx.options;
  trmi_energy_control *c = &co->energy;
  const double accept = opt->energy_accept > 0.0 ? opt->energy_accept : 1.0;
  const double reduce = opt->energy_reduce > 0.0 ? opt->energy_reduce : 0.95;
  const double grow = opt->energy_grow > 0.0 ? opt->energy_grow : 0.6;
  const int most = opt->energy_repetitions > 0 ? opt->energy_repetitions : 3;
  const int wait = opt->energy_wait > 0 ? opt->energy_wait : 8;
  double energy = 0.0;
  if (isnan(c->reference)) TRMI_TRY(err, refer(co, err));
  TRMI_TRY(err, energy_of(co, &co->next, &energy, err));
  const double e = fabs((energy - c->reference) / c->reference) / co->ctx.tolerance; /* (1) */
  if (!isfinite(e)) return TRMI_FAIL(err, TRM_RETRY_DOMAIN, NULL, "the energy is not finite");
  const double factor = cbrt(reduce / fmax(e, 1e-12));                               /* (2) */
  c->next_reference = c->reference;
  c->next_calm = 0;
  result->factor = 1.0;
  result->error = e / accept;
  if (e <= accept) {
    c->next_calm = e < grow ? c->calm + 1 : 0;
    if (c->next_calm >= wait) result->factor = fmax(factor, 1.0), c->next_calm = 0;
    return TRM_OK;
  }
  if (c->repeated < most && factor * h >= opt->step_min) {
    c->repeated++;
    result->factor = factor;
    return TRM_OK;
  }
  result->counts = true;
  c->next_reference = 0.5 * (c->reference + energy);
  return TRM_OK;
}

void trmi_collocation_energy_accept(trmi_collocation *co) {
  co->energy.reference = co->energy.next_reference;
  co->energy.calm = co->energy.next_calm;
  co->energy.repeated = 0;
}
