/* odd_plugin.c - functions that a plug-in may have: one that uses all of its input, and faults. */
#include "trammel/plugin.h"
#include <math.h>

TRM_PLUGIN_DECLARE_VERSION

TRM_PLUGIN_EXPORT trm_plugin_force busy, refuse, not_finite;

/* Forces and torques of everything there is; by B in its own axes. */
int busy(const trm_plugin_input *in, trm_plugin_output *out) {
  const double *R = in->B.R;
  for (int k = 0; k < 3; k++) {
    const double along = 2.0 + in->B.w[k] + 0.3 * in->A.v[k] * in->B.x[k] + sin(in->t);
    for (int i = 0; i < 3; i++) {
      out->force[i] += R[3 * i + k] * along;
      out->torque[i] += in->A.R[3 * i + k] * (R[4] - in->A.w[k]) + 0.1 * in->B.v[i];
    }
  }
  return 0;
}

/* Good until the time of its parameter. */
int refuse(const trm_plugin_input *in, trm_plugin_output *out) {
  (void)out;
  return in->t < in->parameters[0] ? 0 : 7;
}

int not_finite(const trm_plugin_input *in, trm_plugin_output *out) {
  out->torque[1] = in->t < in->parameters[0] ? 0.0 : NAN;
  return 0;
}
