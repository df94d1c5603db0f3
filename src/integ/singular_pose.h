/* singular_pose.h - singular poses within a step: shared by explicit and radau; hht, alpha and bdf
 * report them. See the head of explicit.c. Closeness is the norm of z of its (5), one over the
 * distance to such a pose. */
#ifndef TRMI_SINGULAR_POSE_H
#define TRMI_SINGULAR_POSE_H
#include "integ/integrator.h"
#include <float.h>

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

/* (6) of explicit.c: error of the velocities of a step, over their scales. */
static inline double trmi_singular_pose_noise(double closeness, double speed, double h) {
  return DBL_EPSILON * closeness * closeness * closeness * speed * h;
}

/* Note: a step ended so close to a singular pose that the motion may have branched. */
void trmi_singular_pose_report(const trmi_context *ctx, double t);

#endif
