/* equations_quantities.h - loads and deformations of contributors in expressions. */
#ifndef TRMI_EQUATIONS_QUANTITIES_H
#define TRMI_EQUATIONS_QUANTITIES_H
#include "equations/equations_internal.h"

/* The number of a quantity that is named, existing or new; -1: out of memory. */
int trmi_quantity_add(trmi_compiler *b, const trmi_quantity_def *def);
/* Its numbers as two vectors of nodes. */
void trmi_quantity_nodes(const trmi_compiler *b, int q, trmi_nodes3 out[2]);
/* Lists that a symbol depends on, bits of trmi_input: its own list, or those of the columns of a
 * quantity. */
unsigned trmi_symbol_lists(const trmi_compiler *b, trmi_node symbol);
/* The same for all symbols of a node. */
unsigned trmi_lists_of(trmi_compiler *b, trmi_node node);
/* Is it the symbol of a quantity whose rate is also a quantity? */
bool trmi_quantity_has_rate(trmi_compiler *b, trmi_node symbol, trmi_node *rate);
/* Derivative number c of a symbol of TRMI_IN_LOAD and its unknown; c is advanced to the next
 * nonzero one. False: there are no more, or, after a complaint, the symbol is itself a
 * derivative. */
typedef struct trmi_quantity_column {
  trmi_dependence by;
  trmi_node       value;
} trmi_quantity_column;
bool trmi_quantity_next(trmi_compiler *b, trmi_node symbol, int *c, trmi_quantity_column *out);
/* After the tape is built: the data for evaluation. */
void trmi_quantities_keep(trmi_compiler *b);
/* After all contributors are known. */
trm_status trmi_quantities_connect(trmi_equations *eq, trm_error *err);
/* Evaluate the quantities that any of the groups need. */
trm_status trmi_quantities_find(trmi_equations *eq, const trm_state *s, uint64_t groups,
                                trm_error *err);

#endif
