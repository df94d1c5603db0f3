/* joint_pose.h - poses of bodies from coordinates of joints. */
#ifndef TRMI_JOINT_POSE_H
#define TRMI_JOINT_POSE_H
#include "elements/elements.h"
#include "math/so3.h"

/* Move a body so that its marker is at x with the axes E (axis k is row k), ground axes. */
void trmi_body_on_frame(const trmi_marker *marker, trmi_vec3 x, const double E[9],
                        trmi_body *body);

/* Frame B of a joint relative to frame A. */
typedef struct trmi_relative_pose {
  double    P[9];   /* a_i . b_j                                          */
  trmi_vec3 d;      /* from A to B, axes of A                             */
  trmi_vec3 w, d_rate; /* its angular velocity and the rate of d, axes of A */
} trmi_relative_pose;

/* Apply coordinate values `start` (NaN: unchanged) to a pose, and their rates (NaN: zero). */
void trmi_joint_pose(const trmi_joint *j, const double *start, const double *rate,
                     trmi_relative_pose *pose);

/* Can the coordinates of a type be applied to a pose? */
bool trmi_joint_has_pose(const trmi_joint_type *type);

#endif
