/* margin.h - a condition as a function that is positive where it holds. */
#ifndef TRMI_EXPR_MARGIN_H
#define TRMI_EXPR_MARGIN_H
#include "expr/graph.h"

typedef struct trmi_margin {
  trmi_node node;
  trmi_node size;          /* sum of the sizes of the compared values, the measure of rounding */
  bool      holds_at_zero; /* the condition holds where the function is zero            */
} trmi_margin;

/* Equations: margin.c. */
trmi_margin trmi_margin_of(trmi_graph *g, trmi_node condition);

#endif
