/* pose.h - a body at one instant, for joints, forces and measures. */
#ifndef TRMI_POSE_H
#define TRMI_POSE_H
#include "math/so3.h"
#include "math/vec.h"

/* Number of velocities of the body of a marker. */
typedef enum trmi_carrier_kind {
  TRMI_CARRIER_GROUND = 0, /* none                                 */
  TRMI_CARRIER_POINT = 3, /* a point mass: its marker is the origin, s = 0 */
  TRMI_CARRIER_BODY = 6 /* position, then rotation                 */
} trmi_carrier_kind;

typedef struct trmi_pose {
  double    R[9]; /* v_n = R v_b                                       */
  trmi_vec3 x;    /* origin, ground axes                      [m]      */
  trmi_vec3 v;    /* its velocity, ground axes                [m/s]    */
  trmi_vec3 w;    /* angular velocity, body axes              [rad/s]  */
  const double *p; /* its unit quaternion; NULL: identity              */
} trmi_pose;

/* From position and unit quaternion q, and velocities v. */
static inline void trmi_pose_load(const double q[7], const double v[6], trmi_pose *pose) {
  pose->x = v3_load(q);
  pose->v = v3_load(v);
  trmi_quat_matrix(q + 3, pose->R);
  pose->w = v3_load(v + 3);
  pose->p = q + 3;
}

#endif
