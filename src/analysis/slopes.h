/* slopes.h - derivatives of functions of one number at zero, by differences. */
#ifndef TRMI_SLOPES_H
#define TRMI_SLOPES_H
#include "core/arena.h"
#include "core/fail.h"

/* Values of n functions at e. A positive status: e is outside the domain of one of them. */
typedef trm_status (*trmi_curves)(void *self, double e, double *values, trm_error *err);

typedef struct trmi_slopes {
  int     n;
  double *plus, *minus; /* values at both ends of a step                     [n] */
  double *now, *before; /* differences with this step, and with ten times it [n] */
  double *apart;        /* smallest change between two of them               [n] */
  double *slope;        /* the result                                        [n] */
} trmi_slopes;

/* Allocate for n functions; check the arena afterwards. */
void trmi_slopes_take(trmi_slopes *s, int n, trmi_arena *arena);

/* s->slope of all functions; the first step is `step`. */
trm_status trmi_slopes_find(trmi_slopes *s, trmi_curves curves, void *self, double step,
                            trm_error *err);

#endif
