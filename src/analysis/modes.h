/* modes.h - parts of the search for modes: eigenvalues by LAPACK or ARPACK, the list of modes.
 * Equations: head of linearize.c. */
#ifndef TRMI_MODES_H
#define TRMI_MODES_H
#include "analysis/linearize.h"
#include "trammel/analysis.h"

/* One eigenvalue with its vector, before it is sorted and scaled. */
typedef struct trmi_eigenpair {
  double  re, im;
  double *y_re, *y_im; /* dpi, then dx                                     [nv + nx] */
} trmi_eigenpair;

/* Results of a solver, with room for `room` pairs. */
typedef struct trmi_eigenpairs {
  int        count, room;
  trmi_eigenpair *pair;
} trmi_eigenpairs;

typedef struct trmi_modes_search {
  trmi_linearized l;
  trmi_arena     *arena;        /* of the result                                    */
  bool            is_symmetric; /* no damping, no spin, no states: real shapes      */
  int             wanted;
  const char     *solver;
  double         *scratch;      /* [nv] */
  trmi_eigenpairs pairs;
} trmi_modes_search;

/* modes.c: room for n pairs; the next free one, NULL if there is none. */
trm_status trmi_eigenpairs_take(trmi_modes_search *m, int n, trm_error *err);
trmi_eigenpair *trmi_eigenpairs_next(trmi_eigenpairs *pairs, double re, double im);
/* modes.c: of an undamped mode with the square w2 of its frequency: one pair, two if it is
 * negative. `y` is dpi [nv]. */
void trmi_eigenpairs_add_square(trmi_modes_search *m, double w2, const double *y);

/* modes_dense.c: all modes. */
trm_status trmi_modes_dense(trmi_modes_search *m, trm_error *err);
/* modes_sparse.c: those with the smallest eigenvalues. */
trm_status trmi_modes_sparse(trmi_modes_search *m, trm_error *err);

/* modes_turning.c: a sentence about rotating bodies at a state whose M is in the system, or "" */
trm_status trmi_modes_describe_turning(trm_system *sys, const trm_state *s, trmi_arena *scratch,
                                       char text[TRM_MESSAGE_MAX], trm_error *err);

#endif
