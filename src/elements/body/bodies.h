/* bodies.h - the contributor of inertia and gravity of rigid bodies and points, which also moves
 * their markers. Equations: head of inertia.c. */
#ifndef TRMI_BODIES_H
#define TRMI_BODIES_H
#include "assembly/assembly.h"
#include "elements/body/carrier.h"
#include "elements/body/inertia.h"

typedef struct trmi_bodies trmi_bodies;

/* One body, rigid (7 positions, 6 velocities) or a point (3 and 3). */
typedef struct trmi_body_part {
  trmi_carrier_kind kind;
  int            q, v; /* its first numbers */
  trmi_inertia   inertia;
  const double  *q0, *v0; /* start values [7 or 3], [6 or 3], copied; NULL: another contributor
                             writes them */
} trmi_body_part;

/* Add a contributor with room for `most` bodies to the assembly; NULL: out of memory. */
trmi_bodies *trmi_bodies_create(trmi_assembly *a, trmi_carriers *carriers, int most,
                                trmi_vec3 gravity);
/* @return its carrier */
int trmi_bodies_add(trmi_bodies *b, const trmi_body_part *part);

#endif
