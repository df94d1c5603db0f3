/* freedom.h - directions in which the constraints let a system move at a state. */
#ifndef TRMI_FREEDOM_H
#define TRMI_FREEDOM_H
#include "system/rank.h"

/* Systems with more velocities than this are not analyzed: the algebra is dense. */
enum { TRMI_FREEDOM_MAX = 500 };

typedef struct trmi_freedom {
  int     nv, count;
  int    *coordinate; /* independent coordinates; the others depend on them [count]      */
  double *Z;          /* columns: motion with each of them, B Z = 0 [nv * count] */
} trmi_freedom;

/* Directions at a state whose rank is known; results live in `arena`. Count is zero for systems
 * that are too large. */
trm_status trmi_freedom_find(trm_system *sys, const trm_state *s, const trm_rank *rank,
                             trmi_arena *arena, trmi_freedom *freedom, trm_error *err);

/* Label of velocity coordinate i: that of its position, unless it belongs to a rotation. @return
 * does it belong to a rotation? */
bool trmi_coordinate_label(const trm_system *sys, int i, trm_label *label);

/* Names of the free coordinates, "'x', 'y'", at most five. */
void trmi_freedom_names(const trm_system *sys, const trmi_freedom *freedom, char *text,
                        size_t size);

/* Is there a massless direction among them? `direction` [nv] receives it, scaled to a largest part
 * (over the scales) of one; `mass` its mass over the largest of all directions. */
trm_status trmi_freedom_lightest(trm_system *sys, const trm_state *s, const trmi_freedom *freedom,
                                 double *direction, double *mass, trm_error *err);

/* "'x', 'y'": the coordinates that take part in a direction, largest first, at most four. */
void trmi_direction_names(const trm_system *sys, const double *direction, char *text, size_t size);

#endif
