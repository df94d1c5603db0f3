/* joint_types.h - the registry of joints: what each is made of. */
#ifndef TRMI_JOINT_TYPES_H
#define TRMI_JOINT_TYPES_H
#include "elements/joint/rows.h"

/* What a coordinate of a joint is, (1) to (4) of coordinates.c. */
typedef enum trmi_coordinate_kind {
  TRMI_DISPLACEMENT, /* displacement of B along an axis of A             */
  TRMI_ROTATION, /* angle over full turns                                */
  TRMI_ELEVATION, /* angle above a plane of A, a quarter turn at most    */
  TRMI_OWN   /* the unknown that the joint brings, without a dimension   */
} trmi_coordinate_kind;

/* A freedom that motions, forces, stops and names call by its name. Axes of A are given by number,
 * 0 x, 1 y, 2 z; so are vectors `v`: axes of B, or TRMI_TO_B, the vector from marker A to marker
 * B. */
typedef struct trmi_coordinate {
  const char          *name;
  trmi_coordinate_kind kind;
  int                  a, v;        /* up: all but OWN       */
  bool                 is_negative; /* ROTATION: up is -a . v */
  int                  a2, v2;      /* ROTATION: right       */
} trmi_coordinate;

enum { TRMI_TO_B = 3, TRMI_COORDINATES_MAX = 5 };

/* What the ends of a joint need when they are given by bodies. */
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

/* What friction in a joint acts against, see friction.c. */
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
  trmi_coordinate coordinates[TRMI_COORDINATES_MAX]; /* what it leaves free          */
  bool        is_tied; /* its coordinates follow from one another                    */
  trmi_slip   slip;
  /* What `build` makes of nodes; memories are numbers fixed at the start. */
  int         node_rows, rolling_rows, scalars, memories;
  /* Check and complete the numbers of the joint once its markers are known; NULL: nothing to do.
   * False after a complaint. */
  bool (*check)(trmi_mechanism *m, trmi_joint *j);
  /* Nodes of its rows; NULL: it has none. */
  void (*build)(trmi_mechanism *m, trmi_joint *j);
} trmi_joint_type;

/* Type number i, or NULL after the last. */
const trmi_joint_type *trmi_joint_type_at(int i);
const trmi_joint_type *trmi_joint_type_find(const char *name);

/* How many coordinates a type has; the number of the one with a name (as `length` letters, or
 * whole), or -1. */
int trmi_coordinate_count(const trmi_joint_type *type);
int trmi_coordinate_find(const trmi_joint_type *type, const char *name, size_t length);
int trmi_coordinate_named(const trmi_joint_type *type, const char *name);
/* Angle about axis z of A, by the axes of B? */
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
/* Markers A and B as the type needs them. False after a complaint. */
bool trmi_read_joint_ends(trmi_mechanism *m, trmi_joint *j);
bool trmi_check_offset(trmi_mechanism *m, trmi_joint *j);
bool trmi_check_distance(trmi_mechanism *m, trmi_joint *j);
bool trmi_check_rod(trmi_mechanism *m, trmi_joint *j);
/* --- limits.c, friction.c --- */
void trmi_build_limits(trmi_mechanism *m, trmi_joint *j);
/* Does the joint need a variable for the load that friction depends on? Complains of what does
 * not fit its type. */
bool trmi_check_friction(trmi_mechanism *m, trmi_joint *j);
void trmi_build_friction(trmi_mechanism *m, trmi_joint *j);

/* friction_bristle.c: states that friction of a joint has, 0 if it is regularized. */
int trmi_count_bristles(const trmi_joint *j);

#endif
