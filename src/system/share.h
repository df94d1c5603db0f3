/* share.h - the shortest multipliers of redundant constraints.
 *
 * Rows that depend on each other have many multipliers with one effect. Among them one is chosen
 * by geometry alone: masses, solvers and earlier steps have no part in it. */
#ifndef TRMI_SHARE_H
#define TRMI_SHARE_H
#include "linalg/linear.h"
#include "system/system.h"

typedef struct trmi_share {
  trm_system *sys;
  trmi_sparse metric;  /* of coordinates: one over the squares of their scales */
  trmi_plan   plan;    /* (2) of share.c                                      */
  trmi_linear lin;
  double     *rhs;     /*                                       [nv + ng + na] */
  double     *given;   /* multipliers to be shared out               [ng + na] */
  double     *found;   /*                                            [ng + na] */
} trmi_share;

/* Prepare for the present epoch; all memory comes from the arena except that of the solver. */
trm_status trmi_share_init(trmi_share *share, trm_system *sys, trmi_arena *arena, trm_error *err);
void trmi_share_free(trmi_share *share);

/* Replace lam and mu of a state by the shortest that act alike there. `moved` receives the largest
 * change over the largest multiplier. */
trm_status trmi_share_out(trmi_share *share, trm_state *s, double *moved, trm_error *err);

#endif
