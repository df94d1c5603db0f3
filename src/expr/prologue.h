/* prologue.h - constants of a graph made anew from its live numbers.
 *
 * All folds of the graph (see make_node.c) in the order in which they were made: the same
 * operations on the same numbers, so that the constants have the bits that building the graph again
 * would give. It would be another graph where a number becomes zero or ceases to be, where the
 * result of a comparison changes, or where a result is no longer finite. */
#ifndef TRMI_EXPR_PROLOGUE_H
#define TRMI_EXPR_PROLOGUE_H
#include "core/arena.h"
#include "expr/graph.h"

/* One operation on constants, or a live number itself. */
typedef struct trmi_fold_step {
  trmi_op       op;
  int           a, b, c; /* of `value`                                        */
  int           tag;     /* of curves                                         */
  int           slot;    /* where its number belongs, -1: nowhere             */
  const double *live;    /* NULL: an operation                                */
  double       *store;   /* where the result is put at once, NULL: nowhere    */
  trmi_node     node;    /* of the graph                                      */
  bool          keeps;   /* it must stay zero or not zero, as it was:         */
  bool          is_zero;
  bool          is_finite; /* false: it was not, and nobody needs it          */
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

/* Step that makes a constant of the graph, or -1: it stays as it is. */
int trmi_prologue_step(const trmi_prologue *p, const trmi_graph *g, trmi_node constant);

/* Evaluate all steps. False: the graph would be another one. */
bool trmi_prologue_run(trmi_prologue *p);

#endif
