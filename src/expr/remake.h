/* remake.h - expressions made anew with some of their nodes exchanged.
 *
 * The old nodes stay as they are; a node without an exchanged node stays as it is. */
#ifndef TRMI_EXPR_REMAKE_H
#define TRMI_EXPR_REMAKE_H
#include "core/arena.h"
#include "expr/graph.h"

typedef struct trmi_remake trmi_remake;

/* A node of the old graph from its arguments as they have become. */
typedef trmi_node (*trmi_maker)(trmi_remake *r, trmi_node old, const trmi_node arguments[3]);

struct trmi_remake {
  trmi_graph *graph;
  int         count;  /* nodes that may be made anew: those of the start            */
  trmi_node  *map;    /* what a node has become, -1: not made yet          [count]  */
  int        *stack;  /*                                                   [count]  */
  trmi_maker  make;   /* trmi_remake_plain, or one with rules of its own            */
  void       *self;   /* for it                                                     */
};

/* False: no memory. `make` NULL: plain. */
bool trmi_remake_init(trmi_remake *r, trmi_graph *g, trmi_arena *arena, trmi_maker make,
                      void *self);

/* What a node becomes. Those exchanged are set in `map` before. */
trmi_node trmi_remake_node(trmi_remake *r, trmi_node n);

/* The same operation on other arguments, by the rules of make_node.c. */
trmi_node trmi_remake_plain(trmi_remake *r, trmi_node old, const trmi_node arguments[3]);

#endif
