/* tape_internal.h - definitions shared by the layout of a tape and its evaluation. */
#ifndef TRMI_TAPE_INTERNAL_H
#define TRMI_TAPE_INTERNAL_H
#include "expr/graph.h"

/* Number of arguments of each operation. */
extern const unsigned char trmi_arity[TRMI_OPS];

/* Does the code of an operation end with the tag of a curve? */
static inline int trmi_has_tag(trmi_op op) {
  return op == TRMI_OP_SPLINE || op == TRMI_OP_PIECE;
}

#endif
