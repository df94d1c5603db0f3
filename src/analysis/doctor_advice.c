/* doctor_advice.c - range of frequencies of a model, and the method with which a run begins.
 *
 * Frequencies are those of all modes of the start that swing (modes.c). The method is the one that
 * `auto` takes (auto.c). */
#include "analysis/doctor_internal.h"
#include "integ/auto.h"
#include "system/freedom.h"
#include "trammel/analysis.h"
#include <math.h>
#include <stdio.h>

/* Dense eigenvalues of more freedoms and states than this take seconds. */
enum { LISTEN_MAX = 200 };
/* A mode slower than this, in periods of the run, is practically a rigid motion. */
static const double periods_least = 1e-3;

static const double frequency_most = 1e7; /* [Hz] */

/* The fastest and slowest of oscillating modes. */
static void take_frequencies(trmi_doctor *d, const trm_modes *modes) {
  const double least = periods_least / (d->sim->options.end - d->sim->t_start);
  for (int k = 0; k < trm_modes_count(modes); k++) {
    const trm_mode mode = trm_mode_at(modes, k);
    if (mode.im == 0.0 || !(mode.frequency > least)) continue;
    d->out.frequency_max = fmax(d->out.frequency_max, mode.frequency); /* NaN at first */
    d->out.frequency_min = fmin(d->out.frequency_min, mode.frequency);
  }
}

trm_status trmi_doctor_listen(trmi_doctor *d, trm_error *err) {
  trm_system *sys = d->sim->sys;
  const int size = d->out.rank.freedoms + sys->n.nx;
  if (sys->n.nv > TRMI_FREEDOM_MAX || size > LISTEN_MAX || d->out.rank.freedoms == 0) return TRM_OK;
  trm_modes_options options = trm_modes_options_default();
  options.count = 2 * sys->n.nv + sys->n.nx;
  options.method = "dense";
  options.allocator = d->arena.allocator;
  trm_modes *modes = NULL;
  trm_error own;
  const trm_status status = trm_modes_find(sys, d->state, &options, &modes, &own);
  if (status == TRM_ERR_MEMORY) {
    if (err != NULL) *err = own;
    return trmi_note(err, __func__, status);
  }
  if (status == TRM_OK) { /* no frequencies if linearization fails */
    take_frequencies(d, modes);
    snprintf(d->out.frequency_note, sizeof d->out.frequency_note, "%s", trm_modes_note(modes));
  }
  trm_modes_free(modes);
  return TRM_OK;
}

trm_status trmi_doctor_recommend(trmi_doctor *d, trm_error *err) {
  trm_sim *sim = d->sim;
  const double fast_hz = d->out.frequency_max / sim->sys->units.seconds;
  if (fast_hz > frequency_most) {
    trmi_doctor_warn(d, "the fastest vibration has %.2g Hz: is a stiffness or a mass in another "
                     "unit?", fast_hz);
  }
  d->out.tolerance = sim->options.tolerance;
  d->out.is_taken = sim->choice.is_on;
  TRMI_TRY(err, trmi_auto_advice(sim, &d->arena, &d->out.integrator, d->out.reason,
                                 sizeof d->out.reason, err));
  return TRM_OK;
}
