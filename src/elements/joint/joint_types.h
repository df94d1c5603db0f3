/* joint_types.h - the registry of joints: rows, coordinates and ends of each type. */
#ifndef TRMI_JOINT_TYPES_H
#define TRMI_JOINT_TYPES_H
#include "elements/joint/rows.h"

/* Kind of a coordinate of a joint, (1) to (4) of coordinates.c. */
typedef enum trmi_coordinate_kind {
  TRMI_DISPLACEMENT, /* displacement of B along an axis of A             */
  TRMI_ROTATION, /* angle over full turns                                */
  TRMI_ELEVATION, /* angle above a plane of A, at most a quarter turn    */
  TRMI_OWN   /* the unknown added by the joint, without a dimension      */
} trmi_coordinate_kind;

/* A degree of freedom that motions, forces, stops and names refer to by its name. Axes of A are
 * given by number,
 * 0 x, 1 y, 2 z; so are vectors `v`: axes of B, or TRMI_TO_B, the vector from marker A to marker
 * B. */
typedef struct trmi_coordinate {
  const char          *name;
  trmi_coordinate_kind kind;
  int                  a, v;        /* up: all except OWN    */
  bool                 is_negative; /* ROTATION: up is -a . v */
  int                  a2, v2;      /* ROTATION: right       */
} trmi_coordinate;

enum { TRMI_TO_B = 3, TRMI_COORDINATES_MAX = 5 };

/* Keys needed by a joint whose ends are given by bodies. */
typedef enum trmi_ends {
  TRMI_ENDS_POINT,  /* at                                             */
  TRMI_ENDS_AXIS,   /* at and axis                                    */
  TRMI_ENDS_ACROSS, /* at, axis and axis2, which is perpendicular     */
  TRMI_ENDS_BENT,   /* at, axis and perhaps axis2                     */
  TRMI_ENDS_POINTS, /* points                                         */
  TRMI_ENDS_AXIS_POINTS, /* points and axis                           */
  TRMI_ENDS_WHEEL,  /* at, axis, normal and radius                    */
  TRMI_ENDS_NONE    /* other joints, or expressions                   */
} trmi_ends;

/* Sliding against which friction in a joint acts, see friction.c. */
typedef enum trmi_slip {
  TRMI_SLIP_NONE,
  TRMI_SLIP_ALONG, /* displacement along z of A     */
  TRMI_SLIP_ABOUT, /* rotation about z of A         */
  TRMI_SLIP_SCREW, /* both                          */
  TRMI_SLIP_BALL,  /* any rotation                  */
  TRMI_SLIP_PLANE  /* displacement across z of A    */
} trmi_slip;

typedef struct trmi_mechanism trmi_mechanism;
typedef struct trmi_joint trmi_joint;

typedef struct trmi_joint_type {
  const char *name;    /* as the kind of its part                                   */
  trmi_ends   ends;
  trmi_row    rows[TRMI_LINK_ROWS_MAX];
  int         nrows;   /* entries of `rows`                                          */
  const char *row_names[TRMI_LINK_ROWS_MAX]; /* of scalar rows, "x", "e1"             */
  trmi_coordinate coordinates[TRMI_COORDINATES_MAX]; /* its degrees of freedom       */
  bool        is_tied; /* its coordinates depend on each other                       */
  trmi_slip   slip;
  /* Counts of what `build` adds; memories are numbers fixed at the start. */
  int         node_rows, rolling_rows, scalars, memories;
  /* Check and complete the numbers of the joint once its markers are known; NULL: nothing to do.
   * False after a complaint. */
  bool (*check)(trmi_mechanism *m, trmi_joint *j);
  /* Builds nodes of its rows; NULL: none. */
  void (*build)(trmi_mechanism *m, trmi_joint *j);
} trmi_joint_type;

/* Type number i, or NULL after the last. */
const trmi_joint_type *trmi_joint_type_at(int i);
const trmi_joint_type *trmi_joint_type_find(const char *name);

/* Number of coordinates of a type; index of the one with a name (the first `length` letters, or
 * all), or -1. */
int trmi_coordinate_count(const trmi_joint_type *type);
int trmi_coordinate_find(const trmi_joint_type *type, const char *name, size_t length);
int trmi_coordinate_named(const trmi_joint_type *type, const char *name);
/* Is it an angle about axis z of A, defined by the axes of B? */
bool trmi_coordinate_is_hinge(const trmi_coordinate *c);

/* --- coupled.c --- */
bool trmi_check_screw(trmi_mechanism *m, trmi_joint *j);
void trmi_build_screw(trmi_mechanism *m, trmi_joint *j);
void trmi_build_gear(trmi_mechanism *m, trmi_joint *j);
void trmi_build_rack(trmi_mechanism *m, trmi_joint *j);
void trmi_build_coupler(trmi_mechanism *m, trmi_joint *j);
/* --- constraint.c, point_on_curve.c, rolling.c --- */
void trmi_build_constraint(trmi_mechanism *m, trmi_joint *j);
void trmi_build_curve(trmi_mechanism *m, trmi_joint *j);
void trmi_build_rolling(trmi_mechanism *m, trmi_joint *j);
/* --- joint_ends.c --- */
/* Read markers A and B for the type. False after a complaint. */
bool trmi_read_joint_ends(trmi_mechanism *m, trmi_joint *j);
bool trmi_check_offset(trmi_mechanism *m, trmi_joint *j);
bool trmi_check_distance(trmi_mechanism *m, trmi_joint *j);
bool trmi_check_rod(trmi_mechanism *m, trmi_joint *j);
/* --- limits.c, friction.c --- */
void trmi_build_limits(trmi_mechanism *m, trmi_joint *j);
/* Does the joint need a variable for the load that friction depends on? Complains about keys that
 * do not fit its type. */
bool trmi_check_friction(trmi_mechanism *m, trmi_joint *j);
void trmi_build_friction(trmi_mechanism *m, trmi_joint *j);

/* friction_bristle.c: number of states of the friction of a joint, 0 if it is regularized. */
int trmi_count_bristles(const trmi_joint *j);

#endif
