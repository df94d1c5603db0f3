/* equations_quantities.h - loads and deformations of contributors in expressions. */
#ifndef TRMI_EQUATIONS_QUANTITIES_H
#define TRMI_EQUATIONS_QUANTITIES_H
#include "equations/equations_internal.h"

/* Name a quantity: the number of the one there is, or a new one; -1: out of memory. */
int trmi_quantity_add(trmi_compiler *b, const trmi_quantity_def *def);
/* Its numbers as two vectors of nodes. */
void trmi_quantity_nodes(const trmi_compiler *b, int q, trmi_nodes3 out[2]);
/* What a symbol depends on, bits of trmi_input: its list, of a quantity those of its columns. */
unsigned trmi_symbol_lists(const trmi_compiler *b, trmi_node symbol);
/* The same of all symbols of a node. */
unsigned trmi_lists_of(trmi_compiler *b, trmi_node node);
/* Is it the symbol of a quantity whose rate is also a quantity? */
bool trmi_quantity_has_rate(trmi_compiler *b, trmi_node symbol, trmi_node *rate);
/* Derivative number c of a symbol of TRMI_IN_LOAD and what it is taken by: c is counted up to the
 * next one that is not zero. False: there are no more; after a complaint if the symbol is a
 * derivative itself. */
typedef struct trmi_quantity_column {
  trmi_dependence by;
  trmi_node       value;
} trmi_quantity_column;
bool trmi_quantity_next(trmi_compiler *b, trmi_node symbol, int *c, trmi_quantity_column *out);
/* Once the tape is made: what it needs at work. */
void trmi_quantities_keep(trmi_compiler *b);
/* Once all contributors are known. */
trm_status trmi_quantities_connect(trmi_equations *eq, trm_error *err);
/* Evaluate those that some of the groups need. */
trm_status trmi_quantities_find(trmi_equations *eq, const trm_state *s, uint64_t groups,
                                trm_error *err);

#endif
