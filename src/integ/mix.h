/* mix.h - acceleration of an iteration that adds f(z) to its unknowns z, by mixing corrections. */
#ifndef TRMI_MIX_H
#define TRMI_MIX_H
#include "core/arena.h"
#include <stdbool.h>

enum { MIX_PAIRS = 16 };
typedef struct trmi_mix {
  int     n, count;
  double *weight;                        /* of each number in the length, squared    [n] */
  double *dz[MIX_PAIRS], *df[MIX_PAIRS]; /* (1) of mix.c                             [n] */
  double *f, *added;                     /* of the last iteration                    [n] */
} trmi_mix;

/* Room for vectors of n numbers. The caller writes the weights. */
void trmi_mix_plan(trmi_mix *mix, int n, trmi_arena *arena);

/* What to add, in place of the correction `f`, from those before it since the first one. */
void trmi_mix_next(trmi_mix *mix, double *f, bool is_first);

#endif
