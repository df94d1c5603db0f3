/* doctor_advice.c - how fast a model vibrates, and which method suits it. */
#include "analysis/doctor_parts.h"
#include <math.h>
#include <stdio.h>

/* Fast motion beside a slow one, or within the run: longer than an explicit method likes. */
static const double stiff_ratio = 100.0, stiff_periods = 3e4;
static const double frequency_most = 1e7; /* [Hz] */

trm_status trmi_doctor_listen(trmi_doctor *d, trm_error *err) {
  (void)d, (void)err;
  return TRM_OK;
}

static void recommend(trmi_doctor *d, const char *integrator, double tolerance) {
  d->out.integrator = integrator;
  d->out.tolerance = tolerance;
}

void trmi_doctor_recommend(trmi_doctor *d) {
  const trm_sizes *n = &d->sim->sys->n;
  const trm_rank *rank = &d->out.rank;
  const double slow = d->out.frequency_min, fast = d->out.frequency_max;
  const double span = d->sim->options.end - d->sim->t_start;
  const size_t size = sizeof d->out.reason;
  const bool is_stiff = fast > stiff_ratio * slow || fast * span > stiff_periods;
  if (fast > frequency_most) {
    trmi_doctor_warn(d, "the fastest vibration has %.2g Hz: is a stiffness or a mass in another "
                     "unit?", fast);
  }
  if (n->nv > 0 && rank->complete && rank->freedoms == 0 && n->nx == 0 && n->na == 0) {
    recommend(d, "kinematic", 1e-5);
    snprintf(d->out.reason, size, "nothing is free to move, every instant is solved by itself");
  } else if (is_stiff) {
    recommend(d, "hht", 1e-5);
    snprintf(d->out.reason, size, "vibrations of up to %.3g Hz beside slow motion; radau at 1e-8 "
             "where they matter", fast);
  } else if (rank->rows == 0 && n->nx == 0) {
    recommend(d, "explicit", 1e-8);
    snprintf(d->out.reason, size, "no constraints and nothing stiff");
  } else {
    recommend(d, "hht", 1e-5);
    snprintf(d->out.reason, size, "%s; radau at 1e-8 for accurate results",
             rank->rows > 0 ? "constraints" : "first-order states");
  }
}
