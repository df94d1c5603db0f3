/* remake.h - rebuilds expressions with some nodes replaced.
 *
 * Old nodes are unchanged; a node that does not depend on a replaced node is kept. */
#ifndef TRMI_EXPR_REMAKE_H
#define TRMI_EXPR_REMAKE_H
#include "core/arena.h"
#include "expr/graph.h"

typedef struct trmi_remake trmi_remake;

/* Rebuild a node of the old graph from its new arguments. */
typedef trmi_node (*trmi_maker)(trmi_remake *r, trmi_node old, const trmi_node arguments[3]);

struct trmi_remake {
  trmi_graph *graph;
  int         count;  /* nodes that may be rebuilt: those of the start              */
  trmi_node  *map;    /* new node of each, -1: not rebuilt yet             [count]  */
  int        *stack;  /*                                                   [count]  */
  trmi_maker  make;   /* trmi_remake_plain, or one with rules of its own            */
  void       *self;   /* for it                                                     */
};

/* False: no memory. `make` NULL: plain. */
bool trmi_remake_init(trmi_remake *r, trmi_graph *g, trmi_arena *arena, trmi_maker make,
                      void *self);

/* The new node of a node. Replaced ones must be set in `map` before. */
trmi_node trmi_remake_node(trmi_remake *r, trmi_node n);

/* The same operation on other arguments, by the rules of make_node.c. */
trmi_node trmi_remake_plain(trmi_remake *r, trmi_node old, const trmi_node arguments[3]);

#endif
