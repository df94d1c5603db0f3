/* doctor_advice.c - range of frequencies of a model, and a suitable method.
 *
 * Frequencies f are those of all modes of the start that swing (modes.c). A model is stiff if
 *   f_max > 100 f_min   or   f_max (end - start) > 3e4                         (1)
 * An explicit method needs several steps per period: tens of thousands of periods cost more than an
 * implicit method. */
#include "analysis/doctor_internal.h"
#include "system/freedom.h"
#include "trammel/analysis.h"
#include "trammel/methods.h"
#include <math.h>
#include <stdio.h>

/* Dense eigenvalues of more freedoms and states than this take seconds. */
enum { LISTEN_MAX = 200 };
/* A mode slower than this, in periods of the run, is practically a rigid motion. */
static const double periods_least = 1e-3;

/* Fast motion relative to a slow one, or to the run: too long for an explicit method. */
static const double stiff_ratio = 100.0, stiff_periods = 3e4;
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

static void recommend(trmi_doctor *d, unsigned task, double tolerance) {
  d->out.integrator = trm_method_for(task)->name;
  d->out.tolerance = tolerance;
}

void trmi_doctor_recommend(trmi_doctor *d) {
  const trm_sizes *n = &d->sim->sys->n;
  const trm_rank *rank = &d->out.rank;
  const double slow = d->out.frequency_min, fast = d->out.frequency_max;
  const double fast_hz = fast / d->sim->sys->units.seconds;
  const double span = d->sim->options.end - d->sim->t_start;
  const size_t size = sizeof d->out.reason;
  const bool is_stiff = fast > stiff_ratio * slow || fast * span > stiff_periods;
  if (fast_hz > frequency_most) {
    trmi_doctor_warn(d, "the fastest vibration has %.2g Hz: is a stiffness or a mass in another "
                     "unit?", fast_hz);
  }
  if (n->nv > 0 && rank->complete && rank->freedoms == 0 && n->nx == 0 && n->na == 0) {
    recommend(d, TRM_SUITS_DRIVEN, 1e-5);
    snprintf(d->out.reason, size, "nothing is free to move, every instant is solved by itself");
  } else if (is_stiff) {
    recommend(d, TRM_SUITS_MOST, 1e-5);
    snprintf(d->out.reason, size, "vibrations of up to %.3g Hz on top of slow motion; %s at 1e-8 "
             "where they matter", fast_hz, trm_method_for(TRM_SUITS_TIGHT)->name);
  } else if (rank->rows == 0 && n->nx == 0) {
    recommend(d, TRM_SUITS_FREE, 1e-8);
    snprintf(d->out.reason, size, "no constraints and nothing stiff");
  } else {
    recommend(d, TRM_SUITS_MOST, 1e-5);
    snprintf(d->out.reason, size, "%s; %s at 1e-8 for accurate results",
             rank->rows > 0 ? "constraints" : "first-order states",
             trm_method_for(TRM_SUITS_TIGHT)->name);
  }
}
