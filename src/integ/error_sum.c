/* error_sum.c - the sum of the local errors of a run.
 *
 *   sum over accepted steps of max_i |e_i| / scale_i                                     (1)
 * with e_i the local error of coordinate or state i, of the method itself; `bdf` and `explicit` add
 * the effect of velocity errors over ten steps. If the motion neither amplifies nor damps errors,
 * as an undamped vibration, the error at the end is of this size: by 2 to 3 times (1) with hht and
 * alpha, by .001 to 1 times with tdg, radau and explicit on oscillators, by up to 5 times on random
 * mechanisms, by up to 30 times after a push that hurls a free body away. A step in which a stop
 * closes or opens counts with the effect of its velocity error at the end of the run
 * (impact_steps.c). (1) sums the largest errors, so no list of all is needed; the unknown named in
 * the message wins the majority vote of Boyer and Moore, with errors as votes. */
#include "integ/error_sum.h"
#include <math.h>
#include <stdio.h>

/* Relative to the scale: above this a run is only qualitative. */
static const double share_reported = 0.1;

/* Friction damps the errors of its bristles: they do not accumulate. */
static bool is_forgotten(const trm_sim *sim, const trmi_attempt *attempt) {
  trm_label label;
  if (attempt->list != TRM_X || sim->sys->nbristles == 0) return false;
  trm_system_label(sim->sys, TRM_X, attempt->index, &label);
  return label.kind == TRM_KIND_BRISTLE;
}

void trmi_error_sum_add(trm_sim *sim, const trmi_attempt *attempt) {
  trm_errors *errors = &sim->counters.errors;
  const double e = attempt->largest;
  if (attempt->index < 0 || !isfinite(e) || is_forgotten(sim, attempt)) return;
  errors->sum += e;
  if (errors->index == attempt->index && errors->list == attempt->list) {
    sim->error_votes += e;
  } else if ((sim->error_votes -= e) < 0.0 || errors->index < 0) {
    sim->error_votes = fabs(sim->error_votes);
    errors->list = attempt->list;
    errors->index = attempt->index;
  }
}

void trmi_error_sum_report(trm_sim *sim) {
  const trm_errors *errors = &sim->counters.errors;
  if (!(errors->sum > share_reported)) return;
  trm_label label;
  trm_system_label(sim->sys, errors->list, errors->index, &label);
  char text[TRM_MESSAGE_MAX];
  snprintf(text, sizeof text,
           "local errors add up to about %.2g times the scale of '%s'%s%s: late motion is only "
           "qualitative; take %s, or see with --verify what it does to the outputs",
           errors->sum, label.name, label.object[0] != '\0' ? " of " : "", label.object,
           sim->options.nsteps > 0 ? "shorter steps" : "a smaller tolerance");
  trmi_sinks_message(sim, text);
}
