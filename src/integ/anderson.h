/* anderson.h - acceleration of an iteration that adds f(z) to its unknowns z, by mixing
 * corrections. */
#ifndef TRMI_ANDERSON_H
#define TRMI_ANDERSON_H
#include "core/arena.h"
#include <stdbool.h>

enum { ANDERSON_PAIRS = 16 };
typedef struct trmi_anderson {
  int     n, count;
  double *weight;                        /* of each component in the norm, squared   [n] */
  double *dz[ANDERSON_PAIRS], *df[ANDERSON_PAIRS]; /* (1) of anderson.c              [n] */
  double *f, *added;                     /* of the last iteration                    [n] */
} trmi_anderson;

/* Room for vectors of n numbers. The caller writes the weights. */
void trmi_anderson_plan(trmi_anderson *mix, int n, trmi_arena *arena);

/* The mixed correction to add in place of `f`, from all corrections since the first. */
void trmi_anderson_next(trmi_anderson *mix, double *f, bool is_first);

#endif
