/* touch.h - contact of a point with a radius on one body with a shape of another, and its changes
 * with the motion of the bodies. Equations: head of touch.c. */
#ifndef TRMI_TOUCH_H
#define TRMI_TOUCH_H
#include "elements/body/pose.h"
#include "elements/contact/core_distance.h"
#include "elements/contact/core_pair.h"
#include "elements/contact/core_patch.h"
#include "elements/contact/core_solid.h"
#include <stdbool.h>

/* Side 0 is the body of the point, side 1 that of the shape. The first members, one cache line,
 * suffice to reject most points as far away. */
typedef struct trmi_touch_point {
  int       carrier[2];
  trmi_vec3 s;      /* the point, body axes of side 0             */
  trmi_vec3 o;      /* origin of the shape, body axes of side 1   */
  double    far;    /* distance from o (plane: from it) beyond which nothing touches; infinite:
                       unknown */
  trmi_core core;
  double    E[9];   /* axes of the shape there, axis k is row k   */
  double    radius; /* around the point                           */
  double    rolling; /* radius with which it rolls                */
  bool      is_round; /* the lowest point of a circle or ellipsoid about it touches a plane */
  double    A[9];   /* of (6), body axes of side 0                */
  double    flat;   /* eps of (6)                                 */
  bool      is_pair; /* the nearest points of two cores touch; s is the middle of the first */
  double    own[3];  /* half lengths of the core on side 0        */
  double    F[9];    /* its axes there, axis k is row k           */
  const trmi_surface *sheet; /* side 0 is a patch of triangles, own[0] times as large, s its origin;
                                its place nearest to the core touches. NULL: none  */
  int       patch;           /* of it                             */
  trmi_solid_kind solid;     /* side 0 is a solid with half lengths `own` along F, s its middle; its
                                place nearest to the core touches */
  const trmi_outline *region; /* of it, if it is a rim            */
  double    bulge;           /* of it, (1) of core_solid.c        */
  double    room;            /* permitted depth in the core       */
  bool      is_ring;         /* it is a disc that represents a ring */
  bool      is_half;         /* it has half of the force: the other shape is a solid as well */
  bool      is_pin;  /* of a pin along F that is taken to lie along the core, own[2] from its
                        middle; room: for that, from the middle of the core along it */
} trmi_touch_point;

/* At one instant; ground axes. */
typedef struct trmi_touch {
  const trmi_pose *pose[2];
  double    gap, rate;   /* positive while open                              */
  trmi_vec3 n;           /* normal, from the shape to the point              */
  double    H[9];        /* dn = H du                                        */
  trmi_vec3 centre[2];   /* the point, from the origins of both bodies       */
  trmi_vec3 x;           /* place of contact                                 */
  trmi_vec3 arm[2];      /* the same from the origins of both bodies         */
  trmi_vec3 w[2];        /* angular velocities                               */
  trmi_vec3 velocity;    /* of side 0 against side 1, at the place of contact */
  trmi_vec3 slip;        /* its part across the normal                       */
  double    inset;       /* from the point to the place of contact, along -n */
  bool      is_round;    /* (6): A, e and its denominator                    */
  double    A[9];
  trmi_vec3 e;
  double    root;
  int       nfree;       /* (9): directions in which the point slides on side 0 */
  trmi_vec3 free[3];
  double    S[3][3];     /* inverse of (9)                                   */
  bool           is_pair; /* (7): both cores, their nearest points, radii */
  trmi_core_pair cores;
  trmi_nearest   near;
  trmi_vec3      place[2]; /* of the nearest points                       */
  double         radius[2];
  double         share;    /* rho; of others one                          */
} trmi_touch;

/* Is it certainly open, by more than `part` of `far`? A few multiplications; false: the gap must be
 * evaluated. */
bool trmi_touch_is_beyond(const trmi_touch_point *p, const trmi_pose *poses, double part);

/* The same by more than rounding. */
static inline bool trmi_touch_is_far(const trmi_touch_point *p, const trmi_pose *poses) {
  return trmi_touch_is_beyond(p, poses, 1e-9);
}

/* Does anything touch the middle of the disc of a ring, where the ring is open? */
bool trmi_touch_is_in_ring(const trmi_touch_point *p, const trmi_pose *poses);

/* Does an edge touch a hollow arc of a profile at both of its sides? */
bool trmi_touch_is_across(const trmi_touch_point *p, const trmi_pose *poses);

/* Sine of the angle up to which a pin is along a profile. */
static const double trmi_pin_tilt = 0.0348994967025;

/* Is a pin no longer along its profile, or beyond its ends? `tilt`: the angle [rad]. */
bool trmi_touch_is_astray(const trmi_touch_point *p, const trmi_pose *poses, double *tilt);

void trmi_touch_find(const trmi_touch_point *p, const trmi_pose *poses, trmi_touch *t);

/* Rate of the rate of the gap; vd has accelerations of both sides, NULL: none. */
double trmi_touch_acceleration(const trmi_touch *t, const double *const vd[2],
                               const int columns[2]);

/* Effect of a unit increment of one position or velocity of a body. */
typedef struct trmi_touch_change {
  trmi_vec3 theta;    /* increment of the rotation of that side, body axes */
  trmi_vec3 turned;   /* of the shape, ground axes: phi_1                  */
  trmi_vec3 bent;     /* of the normal, seen from the shape: H u           */
  trmi_vec3 spin;     /* of w[0] - w[1]                                    */
  trmi_vec3 arm[2];
  trmi_vec3 x, n, velocity, slip;
  double    gap, rate, share;
} trmi_touch_change;

trmi_touch_change trmi_touch_column(const trmi_touch *t, int side, bool is_velocity, int k);

#endif
