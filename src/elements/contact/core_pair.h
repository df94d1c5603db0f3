/* core_pair.h - nearest points of two cores that are boxes, segments or points. Equations: head of
 * core_pair.c. */
#ifndef TRMI_CORE_PAIR_H
#define TRMI_CORE_PAIR_H
#include "math/vec.h"

/* Two cores in ground axes. */
typedef struct trmi_core_pair {
  trmi_vec3 c[2];       /* their middles                                  */
  trmi_vec3 axis[2][3];
  double    size[2][3]; /* half lengths along the axes                    */
  double    bulge;      /* kappa of (1)                                   */
} trmi_core_pair;

/* Their nearest points and how they move. */
typedef struct trmi_nearest {
  trmi_vec3 w;        /* from the point of core 1 to that of core 0       */
  double    d;        /* sqrt(2 F)                                        */
  double    at[6];    /* positions along the axes of 0, then of 1         */
  trmi_vec3 y[6];     /* dw/dat: axes of 0, minus those of 1              */
  double    S[6][6];  /* inverse of (3) for the free ones, zero for others */
} trmi_nearest;

void trmi_core_nearest(const trmi_core_pair *p, trmi_nearest *out);

/* Changes of `at`: moved is that of w by the motion of the material points, phi[2] the rotations of
 * both, ground axes. */
void trmi_core_slide(const trmi_core_pair *p, const trmi_nearest *n, trmi_vec3 moved,
                     const trmi_vec3 phi[2], double change[6]);

#endif
