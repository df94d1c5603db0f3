/* minimum_norm.h - the shortest multipliers of redundant constraints.
 *
 * Dependent rows have many multipliers with the same effect. One is chosen by geometry alone,
 * independent of masses, solvers and earlier steps. */
#ifndef TRMI_MINIMUM_NORM_H
#define TRMI_MINIMUM_NORM_H
#include "linalg/linear.h"
#include "system/system.h"

typedef struct trmi_minimum_norm {
  trm_system *sys;
  trmi_sparse metric;  /* of coordinates: one over the squares of their scales */
  trmi_plan   plan;    /* (2) of minimum_norm.c                               */
  trmi_linear lin;
  double     *rhs;     /*                                       [nv + ng + na] */
  double     *given;   /* multipliers to be replaced                 [ng + na] */
  double     *found;   /*                                            [ng + na] */
} trmi_minimum_norm;

/* Prepare for the present epoch; all memory comes from the arena except that of the solver. */
trm_status trmi_minimum_norm_init(trmi_minimum_norm *share, trm_system *sys, trmi_arena *arena,
                                  trm_error *err);
void trmi_minimum_norm_free(trmi_minimum_norm *share);

/* Replace lam and mu of a state by the shortest ones with the same effect. `moved` receives the
 * largest change over the largest multiplier. */
trm_status trmi_minimum_norm_out(trmi_minimum_norm *share, trm_state *s, double *moved,
                                 trm_error *err);

#endif
