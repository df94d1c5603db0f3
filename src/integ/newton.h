/* newton.h - Newton's method with damping, for steps that cannot be made smaller. */
#ifndef TRMI_NEWTON_H
#define TRMI_NEWTON_H
#include "linalg/plan.h"

/* So many times what rounding explains may a correction be that is called noise. */
static const double trmi_newton_noisy = 8.0;

/* The equations of a step as the iteration sees them. */
typedef struct trmi_newton {
  void  *self;
  double limit; /* what may be left, in the measure of sizes */
  int    most;  /* iterations                                */
  /* The correction at the present iterate, with matrices of its own (`is_new`) or the last ones;
   * its size. Nothing moves. */
  trm_status (*correct)(void *self, bool is_new, double *size, trm_error *err);
  /* Keep the last correction as the direction of `move`. */
  void (*keep)(void *self);
  /* Move the iterate by this part of the direction. */
  void (*move)(void *self, double part);
  /* Size of a correction that the rounding of the iterate explains, with the present matrices. */
  trm_status (*noise)(void *self, double *size, trm_error *err);
  /* Do constraints hold at the iterate, as far as rounding lets them? */
  trm_status (*hold)(void *self, bool is_noise, bool *hold, trm_error *err);
  /* The equations of a part of the step from now on, 0 < to <= 1, and a first iterate for them:
   * from the state at the start, or from the solution of another part that was kept (`from`). */
  void (*begin)(void *self, double from, double to);
  /* Keep the iterate as the solution of its part. */
  void (*found)(void *self);
} trmi_newton;

typedef enum trmi_newton_end { NEWTON_CONVERGED, NEWTON_STUCK, NEWTON_SLOW } trmi_newton_end;

/* Result of the iteration. */
typedef struct trmi_newton_result {
  trmi_newton_end end;
  int    iterations;
  double size;  /* of the last correction                     */
  double noise; /* of rounding, where it was measured; else 0 */
} trmi_newton_result;

/* Iterate from the present iterate to the solution; where that fails, follow the solution from a
 * short step to the whole one. `result` tells what became of it; a positive status comes from the
 * equations. */
trm_status trmi_newton_solve(const trmi_newton *newton, trmi_newton_result *result, trm_error *err);

/* (2) of newton.c with +1 or -1 in an order that looks random: `size` holds |z| [n], `out` receives
 * the right-hand side [n]. */
void trmi_newton_rounding(const trmi_plan *plan, const double *size, double *out);

#endif
