/* anderson.h - acceleration of an iteration that adds f(z) to its unknowns z, by mixing
 * corrections. */
#ifndef TRMI_ANDERSON_H
#define TRMI_ANDERSON_H
#include "core/arena.h"
#include <stdbool.h>

enum { ANDERSON_PAIRS = 16 };
typedef struct trmi_anderson {
  int     n, count;
  double *weight;                        /* of each number in the length, squared    [n] */
  double *dz[ANDERSON_PAIRS], *df[ANDERSON_PAIRS]; /* (1) of anderson.c              [n] */
  double *f, *added;                     /* of the last iteration                    [n] */
} trmi_anderson;

/* Room for vectors of n numbers. The caller writes the weights. */
void trmi_anderson_plan(trmi_anderson *mix, int n, trmi_arena *arena);

/* What to add, in place of the correction `f`, from those before it since the first one. */
void trmi_anderson_next(trmi_anderson *mix, double *f, bool is_first);

#endif
