/* stop_rules.h - which gaps matter to a correction of Newton's method. Reasons: heads of
 * alpha_stops.c and collocation_iterate.c. */
#ifndef TRMI_STOP_RULES_H
#define TRMI_STOP_RULES_H
#include "integ/integrator.h"
#include <math.h>

/* Is gap i of `gaps` closed with a depth so small that a correction of this size changes its force?
 * (3) of alpha_stops.c */
static inline bool trmi_stop_is_shallow(const trmi_context *ctx, const double *gaps, int i,
                                        double size) {
  return gaps[3 * i] < 0.0 && !(size * ctx->gap_scale[i] <= 1e-3 * fabs(gaps[3 * i]));
}

/* Is gap i on another side than when the matrix was formed? */
static inline bool trmi_stop_has_changed(const double *gaps, const unsigned char *was_closed,
                                         int i) {
  return (gaps[3 * i] < 0.0) != (was_closed[i] != 0);
}

/* Is gap i so small that its side is irrelevant? */
static inline bool trmi_stop_is_on_border(const trmi_context *ctx, const double *gaps, int i) {
  return !ctx->fixed && fabs(gaps[3 * i]) <= 1e-4 * ctx->tolerance * ctx->gap_scale[i];
}

/* Record the sides of all gaps when a matrix is formed. */
static inline void trmi_stops_note(const trm_system *sys, const double *gaps,
                                   unsigned char *was_closed) {
  for (int i = 0; i < sys->n.ngaps; i++) was_closed[i] = gaps[3 * i] < 0.0;
}

#endif
