/* modal_stress.h - stress at nodes of flexible bodies, for expressions. */
#ifndef TRMI_MODAL_STRESS_H
#define TRMI_MODAL_STRESS_H
#include "elements/elements.h"

/* Part 0 to 5: xx yy zz xy xz yz in body axes; 6: von Mises. */
typedef struct trmi_stress_place {
  int node; /* its number in the mesh                           */
  int copy; /* 1, 2 ..: of a node between materials, in the order of the surface */
  int part;
} trmi_stress_place;

/* @return false: its stress is not known, or memory ran out */
bool trmi_modal_stress_node(trmi_mechanism *m, const trmi_flexible_part *f,
                            trmi_stress_place place, trmi_node *out);

#endif
