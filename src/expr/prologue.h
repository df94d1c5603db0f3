/* prologue.h - recomputes constants of a graph from its live numbers.
 *
 * All folds of the graph (see make_node.c) in the order in which they were made: the same
 * operations on the same numbers, so that the constants have the bits that building the graph again
 * would give. The graph itself would change if a number becomes zero or nonzero, if the result of a
 * comparison changes, or if a result is no longer finite. */
#ifndef TRMI_EXPR_PROLOGUE_H
#define TRMI_EXPR_PROLOGUE_H
#include "core/arena.h"
#include "expr/graph.h"

/* One operation on constants, or a live number itself. */
typedef struct trmi_fold_step {
  trmi_op       op;
  int           a, b, c; /* of `value`                                        */
  int           tag;     /* of curves                                         */
  int           slot;    /* slot of its number, -1: none                      */
  const double *live;    /* NULL: an operation                                */
  double       *store;   /* where the result is stored immediately, NULL: not stored */
  trmi_node     node;    /* of the graph                                      */
  bool          keeps;   /* it must remain zero or nonzero:                   */
  bool          is_zero;
  bool          is_finite; /* false: it was not, and is not needed            */
} trmi_fold_step;

typedef struct trmi_prologue {
  trmi_fold_step    *folds;
  int                nfolds;
  double            *value;  /* of folds, then of plain constants               */
  const trmi_spline **curves;
  int                ncurves;
} trmi_prologue;

/* The prologue of a graph; `slots` are kept in the steps, by the numbers of the constants, NULL:
 * none. Memory comes from the arena; arena->failed or scratch->failed if there is none. */
void trmi_prologue_build(trmi_prologue *p, const trmi_graph *g, const int *slots,
                         trmi_arena *arena, trmi_arena *scratch);

/* Step that computes a constant of the graph, or -1: it is fixed. */
int trmi_prologue_step(const trmi_prologue *p, const trmi_graph *g, trmi_node constant);

/* Evaluate all steps. False: the graph would change. */
bool trmi_prologue_run(trmi_prologue *p);

#endif
