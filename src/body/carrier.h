/* carrier.h - the table of what markers lie on, shared by the contributors of one mechanism.
 *
 * Carrier 0 is the ground; each rigid body, point and node of a beam is one. Contributors of the
 * rank TRMI_RANK_CARRIERS write the poses of theirs (`move`); joints and forces read them. */
#ifndef TRMI_CARRIER_H
#define TRMI_CARRIER_H
#include "body/pose.h"
#include "core/arena.h"

typedef struct trmi_carrier {
  trmi_side_kind kind; /* columns of a marker on it                 */
  int            q, v; /* its first numbers; of the ground any      */
} trmi_carrier;

typedef struct trmi_carriers {
  int           count, size;
  trmi_carrier *list;
  trmi_pose    *poses; /* at the state of the last `move` */
} trmi_carriers;

/* A table with the ground and room for others, in an arena; NULL: out of memory. */
trmi_carriers *trmi_carriers_create(trmi_arena *arena, int others);
/* @return its number; there is room for it */
int trmi_carriers_add(trmi_carriers *c, trmi_carrier carrier);

#endif
