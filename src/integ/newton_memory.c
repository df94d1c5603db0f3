/* newton_memory.c - steps do not grow back at once to a length at which Newton's method has failed.
 *
 * After a failure with a step h, steps stay below a part of h for FAILED_STEPS steps, and for twice
 * as many as before, up to `remembers` of the method, if the next failure follows soon after that.
 * The rate of convergence is proportional to h^2; at 0.7 h it is halved. A gap that opens or closes
 * ends the memory: it makes another system. Integrators that predict [Gustafsson] remember less. */
#include "integ/driver.h"
#include <limits.h>
#include <math.h>

enum { FAILED_STEPS = 10 };
static const double below_failed = 0.7, below_failed_predicted = 0.9;

void trmi_newton_memory_note(trm_sim *sim, double h) {
  const int most = sim->ops->remembers;
  const bool is_first = sim->failed_steps == 0 || sim->since_failed > 2 * sim->failed_steps;
  const bool is_again = !is_first && sim->since_failed >= sim->failed_steps;
  if (most == 0) return;
  if (is_first) sim->failed_steps = FAILED_STEPS;
  if (is_again && sim->failed_steps < most) sim->failed_steps *= 2;
  sim->h_failed = h;
  sim->since_failed = 0;
}

double trmi_newton_memory_limit(trm_sim *sim, double h, double factor) {
  const bool predicts = sim->ops->predicts;
  if (!predicts && trmi_impacts_changed(sim)) sim->h_failed = 0.0;
  const double longest = (predicts ? below_failed_predicted : below_failed) * sim->h_failed;
  if (sim->since_failed < INT_MAX) sim->since_failed++;
  if (sim->h_failed > 0.0 && factor > 1.0) factor = fmax(fmin(factor, longest / h), 1.0);
  if (sim->since_failed >= sim->failed_steps) sim->h_failed = 0.0;
  return factor;
}
