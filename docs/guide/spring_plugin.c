/* spring_plugin.c - a plug-in: a spring and damper between two markers.
 * Parameters: stiffness [N/m], damping [N s/m], length without load [m]. */
#include "trammel/plugin.h"
#include <math.h>

TRM_PLUGIN_DECLARE_VERSION

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

TRM_PLUGIN_EXPORT trm_plugin_force spring, spring_exact;

/* Derivatives are made by differences. */
int spring(const trm_plugin_input *in, trm_plugin_output *out) {
  double d[3], v[3];
  if (in->nparameters != 3) return 1;
  for (int k = 0; k < 3; k++) d[k] = in->B.x[k] - in->A.x[k], v[k] = in->B.v[k] - in->A.v[k];
  const double l = sqrt(dot(d, d)), rate = dot(d, v) / l;
  const double pull = in->parameters[0] * (l - in->parameters[2]) + in->parameters[1] * rate;
  for (int k = 0; k < 3; k++) out->force[k] = -pull * d[k] / l;
  return 0;
}

/* The same with its derivatives: by positions and velocities, of B and the opposite of A. */
int spring_exact(const trm_plugin_input *in, trm_plugin_output *out) {
  double n[3], v[3], l = 0.0;
  const int status = spring(in, out);
  if (status != 0) return status;
  for (int k = 0; k < 3; k++) {
    n[k] = in->B.x[k] - in->A.x[k];
    v[k] = in->B.v[k] - in->A.v[k];
    l += n[k] * n[k];
  }
  l = sqrt(l);
  for (int k = 0; k < 3; k++) n[k] /= l;
  const double stiffness = in->parameters[0], damping = in->parameters[1], rate = dot(n, v);
  const double pull = stiffness * (l - in->parameters[2]) + damping * rate;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      const double across = ((i == j) - n[i] * n[j]) / l; /* d n_i / d x_j */
      const double grows = stiffness * n[j] + damping * (v[j] - rate * n[j]) / l;
      out->derivative[i][12 + j] = -(pull * across + n[i] * grows);
      out->derivative[i][18 + j] = -damping * n[i] * n[j];
      out->derivative[i][j] = -out->derivative[i][12 + j];
      out->derivative[i][6 + j] = -out->derivative[i][18 + j];
    }
  }
  out->has_derivative = 1;
  return 0;
}
