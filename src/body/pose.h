/* pose.h - a body at one instant, as joints, forces and measures see it. */
#ifndef TRMI_POSE_H
#define TRMI_POSE_H
#include "math/vec.h"

typedef struct trmi_pose {
  double    R[9]; /* v_n = R v_b                                       */
  trmi_vec3 x;    /* origin, ground axes                      [m]      */
  trmi_vec3 v;    /* its velocity, ground axes                [m/s]    */
  trmi_vec3 w;    /* angular velocity, body axes              [rad/s]  */
} trmi_pose;

#endif
