/* types.h - the registry of joints: what each is made of. */
#ifndef TRMI_JOINT_TYPES_H
#define TRMI_JOINT_TYPES_H
#include "joint/rows.h"

/* Coordinates of a joint that motions and names can use; about and along axis z of marker A. */
enum { TRMI_HAS_ANGLE = 1, TRMI_HAS_DISPLACEMENT = 2 };

/* What the ends of a joint need when they are given by bodies. */
typedef enum trmi_ends {
  TRMI_ENDS_POINT, /* at            */
  TRMI_ENDS_AXIS,  /* at and axis   */
  TRMI_ENDS_NONE   /* other joints  */
} trmi_ends;

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
  int         node_rows, rolling_rows, scalars; /* what `build` makes of nodes        */
  /* Check and complete the numbers of the joint once its markers are known; NULL: nothing to do.
   * False after a complaint. */
  bool (*check)(trmi_mechanism *m, trmi_joint *j);
  /* Nodes of its rows; NULL: it has none. */
  void (*build)(trmi_mechanism *m, trmi_joint *j);
} trmi_joint_type;

/* Type number i, or NULL after the last. */
const trmi_joint_type *trmi_joint_type_at(int i);
const trmi_joint_type *trmi_joint_type_find(const char *name);

#endif
