/* rods_angles.h - the double pendulum in 3-1-3 angles, and its start. */
#ifndef TRMI_RODS_ANGLES_H
#define TRMI_RODS_ANGLES_H
#include "math/vec.h"
#include "problems/problem.h"

/* Data of the two rods, for both kinds of coordinates. */
typedef struct trmi_rods_data {
  double mass;         /*                                   [kg]     */
  trmi_vec3 J;         /* about the centre                  [kg m^2] */
  double half;         /* from the centre to a joint        [m]      */
  double gravity;      /* along -z                          [m/s^2]  */
  trmi_vec3 angles[2]; /* psi, theta, phi at the start      [rad]    */
  trmi_vec3 rates[2];  /* in body axes, at the start        [rad/s]  */
} trmi_rods_data;

/* self begins with a trmi_arena and has the data behind it. */
typedef struct trmi_rods {
  trmi_arena arena;
  trmi_rods_data data;
} trmi_rods;

extern const trm_system_ops trmi_rods_angles_ops;

#endif
