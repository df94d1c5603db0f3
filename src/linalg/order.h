/* order.h - in which order a matrix of bodies and joints is eliminated.
 *
 * The matrix falls into nodes: bodies (anything with a pivot of its own) and
 * constraints, which have none until bodies are gone. */
#ifndef TRMI_ORDER_H
#define TRMI_ORDER_H
#include "core/arena.h"
#include <stdbool.h>

typedef struct trmi_node_list {
  int                  count;
  const int           *first;         /* first unknown of a node  [count + 1] */
  const unsigned char *is_constraint; /*                          [count]     */
  const int           *order;         /* of elimination, if it is known already; or NULL */
} trmi_node_list;

/* order[k] is the node eliminated k-th. Ap, Ai: pattern in compressed columns. */
trm_status trmi_order_find(const trmi_node_list *nodes, const int *Ap, const int *Ai, int *order,
                           const trm_allocator *allocator, trm_error *err);

/* The same for the unknowns: unknown[k] is eliminated k-th. */
trm_status trmi_order_unknowns(const trmi_node_list *nodes, const int *Ap, const int *Ai,
                               int *unknown, const trm_allocator *allocator, trm_error *err);

#endif
