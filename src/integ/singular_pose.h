/* singular_pose.h - singular poses within a step: shared by explicit and radau; hht, alpha and bdf
 * report them. See the head of explicit.c. Closeness is the norm of z of its (5), one over the
 * distance to such a pose. */
#ifndef TRMI_SINGULAR_POSE_H
#define TRMI_SINGULAR_POSE_H
#include "integ/integrator.h"
#include <float.h>
#include <math.h>

/* A pose is near a singular one if its closeness exceeds the smallest one so far by this factor. */
#define TRMI_SINGULAR_NEAR 5.0
/* A step does not end where (6) of explicit.c over the tolerance exceeds this; it is shortened
 * instead, but at most TRMI_SINGULAR_MOVES times. */
#define TRMI_SINGULAR_BESIDE 10.0
#define TRMI_SINGULAR_SHORTER 0.75
#define TRMI_SINGULAR_MOVES 8
/* Above this closeness rounding decides which branch a motion takes: its square root counts
 * there. */
#define TRMI_SINGULAR_LOST 1e6

/* Attempts of the present step that were shortened because of a singular pose. */
typedef struct trmi_singular_turns {
  int    count;
  double h; /* of the first */
} trmi_singular_turns;

/* Retry a step of length h with `factor` of it. Returns false if that was done too often. */
static inline bool trmi_singular_turn(trmi_singular_turns *turns, double h, double factor,
                                      trmi_attempt *result) {
  if (turns->count >= TRMI_SINGULAR_MOVES) return false;
  if (turns->count++ == 0) turns->h = h;
  result->factor = factor;
  return true;
}

/* A step of length h is good. If it was shortened, the next one has the length of the first attempt
 * and passes over the pose: steps that stay as short as this one would approach the pose in ever
 * shorter ones. */
static inline void trmi_singular_pass(const trmi_singular_turns *turns, double h,
                                      trmi_attempt *result) {
  if (turns->count > 0) result->factor = fmax(result->factor, turns->h / h);
}

/* (6) of explicit.c: error of the velocities of a step, over their scales. */
static inline double trmi_singular_pose_noise(double closeness, double speed, double h) {
  return DBL_EPSILON * closeness * closeness * closeness * speed * h;
}

/* Note: a step ended so close to a singular pose that the motion may have branched. */
void trmi_singular_pose_report(const trmi_context *ctx, double t);

#endif
