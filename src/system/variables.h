/* variables.h - variables in loops at a state where everything else is given. */
#ifndef TRMI_VARIABLES_H
#define TRMI_VARIABLES_H
#include "system/system.h"

typedef struct trmi_variables {
  trm_system *sys;
  int     n;     /* variables that depend on variables, or on which others depend       */
  int    *place; /* index of a variable among these, or -1                        [nw]  */
  double *A;     /* 1 - dW/dw of these, by rows                                   [n n] */
  double *r, *b; /* w - W of all; of these                                   [nw], [n]  */
} trmi_variables;

/* Prepare for the present epoch; does nothing without variables. */
trm_status trmi_variables_init(trmi_variables *l, trm_system *sys, trmi_arena *arena,
                               trm_error *err);

/* Solve w = W for w, starting from the w of s. It leaves no trace for later calls. */
trm_status trmi_variables_solve(trmi_variables *l, trm_state *s, trm_error *err);

#endif
