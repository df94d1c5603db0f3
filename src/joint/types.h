/* types.h - the registry of joints: what each is made of. */
#ifndef TRMI_JOINT_TYPES_H
#define TRMI_JOINT_TYPES_H
#include "joint/rows.h"

/* Coordinates of a joint that motions and names can use; about and along axis z of marker A. */
enum { TRMI_HAS_ANGLE = 1, TRMI_HAS_DISPLACEMENT = 2 };

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
  const char *name;
  const char *meaning; /* one sentence for the reference                            */
  const char *keys;    /* its own, "pitch|length", beside those of every joint       */
  trmi_ends   ends;
  trmi_row    rows[TRMI_LINK_ROWS_MAX];
  int         nrows;   /* entries of `rows`                                          */
  const char *row_names[TRMI_LINK_ROWS_MAX]; /* of scalar rows, "x", "e1"             */
  unsigned    coordinates; /* TRMI_HAS_...                                           */
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

/* --- coupled.c --- */
bool trmi_check_screw(trmi_mechanism *m, trmi_joint *j);
void trmi_build_screw(trmi_mechanism *m, trmi_joint *j);
void trmi_build_gear(trmi_mechanism *m, trmi_joint *j);
void trmi_build_rack(trmi_mechanism *m, trmi_joint *j);
void trmi_build_coupler(trmi_mechanism *m, trmi_joint *j);
/* --- constraint.c, curve.c, rolling.c --- */
void trmi_build_constraint(trmi_mechanism *m, trmi_joint *j);
void trmi_build_curve(trmi_mechanism *m, trmi_joint *j);
void trmi_build_rolling(trmi_mechanism *m, trmi_joint *j);
/* --- ends.c --- */
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

#endif
