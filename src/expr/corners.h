/* corners.h - orders of an expression at the switching of a held condition.
 *
 * For every node two orders are computed where d, the difference watched by a condition, is zero:
 * its own, n ~ d^order, and that of its jump, n(on one side) - n(on the other) ~ d^jump. */
#ifndef TRMI_CORNERS_H
#define TRMI_CORNERS_H
#include "core/arena.h"
#include "expr/graph.h"

typedef struct trmi_corners {
  trmi_graph *graph;
  int     count;       /* analyzed nodes: those of the start                             */
  int    *first, *user; /* nodes that use a node: user[first[n]] .. user[first[n+1]-1]   */
  double *order, *jump; /* of the nodes in `list`; others: 0, never            [count]  */
  int    *mark;        /* 1 + number of the condition if a node is in `list`   [count]   */
  int    *list;        /* nodes that depend on the condition or on d, ascending          */
  int     n;
  long    work;        /* nodes looked at so far                                         */
} trmi_corners;

/* False: no memory. */
bool trmi_corners_init(trmi_corners *c, trmi_graph *g, trmi_arena *arena);

/* A condition: its symbol, what it watches, and a node that is zero where that is, or 0. */
typedef struct trmi_corner {
  trmi_node z, d, vanishes;
} trmi_corner;

/* The orders of all nodes for condition number k. */
void trmi_corners_find(trmi_corners *c, int k, const trmi_corner *corner);

/* Order of the jump of a node after that; infinity: no jump. */
double trmi_corners_jump(const trmi_corners *c, int k, trmi_node n);

#endif
