/* plan.h - a matrix described once as a sum of blocks, refilled many times.
 *
 *   A = sum over terms of  coefficient[slot] * block          at (row, col)
 *       or of its transpose, or of block * T                                (1)
 *
 * T is the block-diagonal matrix of 3x3 matrices, one for each rotation, ones
 * elsewhere. The patterns are merged once into compressed columns; every
 * refill is one pass over the entries of the blocks (fill.h where they go into
 * tiles). A border adds numbers to chosen diagonal places that count as a
 * disturbance: solvers factor with them and refine against the matrix without
 * them. */
#ifndef TRMI_PLAN_H
#define TRMI_PLAN_H
#include "core/arena.h"
#include "linalg/fill.h"
#include "linalg/order.h"
#include "linalg/sparse.h"
#include <stdbool.h>

typedef struct trmi_term {
  const trmi_sparse *block;
  int  row, col;   /* place of the block's first row and column    */
  int  slot;       /* which coefficient                            */
  bool transposed; /* the block's transpose is meant               */
  bool times_T;    /* block * T; not together with transposed      */
  bool is_strong;  /* without its weak entries                     */
} trmi_term;

typedef struct trmi_term_map {
  int  nplain, nturned;
  int *entry;    /* plain entries: index in the block ...     [nplain]    */
  int *place;    /* ... and in the matrix                     [nplain]    */
  int *turned;   /* entries in columns of rotations           [nturned]   */
  int *T_row;    /* first index in T of their row of T        [nturned]   */
  int *T_place;  /* their three places                        [3 nturned] */
} trmi_term_map;

typedef struct trmi_plan {
  int            n;
  int           *Ap, *Ai;  /* compressed columns, rows ascending */
  double        *Ax;       /* values without the border; NULL until the solver of the
                              plan has said where it wants them  */
  int            nAx;      /* their number                       */
  int           *index;    /* position of entry k of the columns in Ax; NULL: k    */
  trmi_fill     *fill;     /* how tiles are filled, see fill.h; NULL: entry by entry */
  int            nterms;
  trmi_term     *terms;
  trmi_term_map *maps;
  int            nborder;
  int           *border_index; /* unknown             [nborder] */
  int           *border_place; /* its place in Ax     [nborder] */
  double        *border;       /* added there [nborder]         */
  double         border_scale; /* it was raised by this factor: see linear.c        */
  double         border_least; /* and is raised by this one at least, for the caller's reasons */
  long           block_room;   /* numbers the block solver may take; 0: what it can count */
  bool           is_scaled;    /* solvers are given its rows and columns times those scales of
                                  linear.h: not blocks, whose arithmetic reads values in place */
  bool           may_vanish;   /* some of its blocks are zero for most of the time, as those of
                                  contacts                                            */
  trmi_node_list nodes;        /* unknowns that belong together; count 0: not known */
} trmi_plan;

/* Rotations as the system has them: first column of each, ascending. */
typedef struct trmi_rotations {
  int        count;
  const int *first;
} trmi_rotations;

/* Merge the patterns. Unknowns border_first .. border_first + nborder - 1 get a
 * border. Everything is taken from the arena. */
trm_status trmi_plan_build(trmi_plan *plan, trmi_arena *arena, int n, const trmi_term *terms,
                           int nterms, trmi_rotations rotations, int border_first, int nborder,
                           trm_error *err);

/* Entry k of the compressed columns. */
static inline double trmi_plan_at(const trmi_plan *plan, int k) {
  return plan->Ax[plan->index != NULL ? plan->index[k] : k];
}

/* An array of the solver for the values: entry k of the columns is at index[k], in
 * one of the tiles; a rotation's three columns should not lie across two. */
typedef struct trmi_plan_target {
  double          *Ax;
  int              nAx;
  int             *index;
  int              ntiles;
  trmi_tile       *tiles; /* ascending; is_same is set            */
  trmi_fill_run   *run;   /* the kernel that fills them           */
} trmi_plan_target;

/* From now on the values are in that array, which must outlive the plan. Only once. */
trm_status trmi_plan_redirect(trmi_plan *plan, trmi_arena *arena, const trmi_plan_target *target,
                              trm_error *err);

/* Numbers that (1) adds up, of all terms and the border. */
size_t trmi_plan_targets(const trmi_plan *plan);

/* Ax by (1); T [count 9] may be NULL if no term has times_T: ones then. */
void trmi_plan_fill(trmi_plan *plan, const double *coefficient, const double *T);

/* The values by columns, out of the plan or into it: sums of what came out of it, since entries of
 * twins may have one place. */
void trmi_plan_get(const trmi_plan *plan, double *columns);
void trmi_plan_put(trmi_plan *plan, const double *columns);

#endif
