/* carrier.c - the table of what markers lie on. */
#include "body/carrier.h"
#include <stddef.h>

trmi_carriers *trmi_carriers_create(trmi_arena *arena, int others) {
  trmi_carriers *c = TRMI_TAKE(arena, trmi_carriers, 1);
  trmi_carrier *list = TRMI_TAKE(arena, trmi_carrier, others + 1);
  trmi_pose *poses = TRMI_TAKE(arena, trmi_pose, others + 1);
  if (arena->failed) return NULL;
  *c = (trmi_carriers){.size = others + 1, .list = list, .poses = poses};
  (void)trmi_carriers_add(c, (trmi_carrier){.kind = TRMI_SIDE_GROUND});
  return c;
}

int trmi_carriers_add(trmi_carriers *c, trmi_carrier carrier) {
  trmi_pose *pose = &c->poses[c->count];
  pose->R[0] = pose->R[4] = pose->R[8] = 1.0; /* ground and points do not turn */
  c->list[c->count] = carrier;
  return c->count++;
}
