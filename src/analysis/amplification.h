/* amplification.h - what an integrator does to a vibration, from runs of its own code.
 *
 * On q'' + omega^2 q = 0 with the fixed step h a linear method multiplies its state by a
 * matrix; positions and velocities of successive steps obey a recurrence
 *   y_{n+d} + c_{d-1} y_{n+d-1} + .. + c_0 y_n = 0,   d = 2, or 3 with a hidden variable  (1)
 * whose roots z are the eigenvalues. Of the pair z = exp((-zeta +- i) wbar h):
 *   spectral radius  max |z|,   damping  zeta,   period error  omega/wbar - 1             (2) */
#ifndef TRMI_AMPLIFICATION_H
#define TRMI_AMPLIFICATION_H
#include "core/fail.h"
#include "trammel/sim.h"

typedef struct trmi_amplification {
  double omega_h;
  double spectral_radius; /* infinite if numbers overflow within a few steps */
  double damping;      /* zeta of the root that dies last; NaN beside an infinite radius */
  double period_error; /* NaN if it does not turn, or beside an infinite radius */
} trmi_amplification;

/* @param options  integrator, formulation and coefficients; end and steps are ours
 * @return TRM_OK, TRM_ERR_INPUT, TRM_ERR_MEMORY, or what the run returns */
trm_status trmi_amplification_find(const trm_options *options, double omega_h,
                                   trmi_amplification *out, trm_error *err);

#endif
