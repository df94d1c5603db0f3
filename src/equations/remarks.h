/* remarks.h - sentences about a model that each run reports at its start. */
#ifndef TRMI_REMARKS_H
#define TRMI_REMARKS_H
#include "equations/equations_internal.h"

/* Report a sentence about an object, "force 'd'", at the start of each run. */
void trmi_remark_add(trmi_compiler *b, const char *object, const char *text);
/* The same if a node is positive at the start. */
void trmi_remark_add_if(trmi_compiler *b, const char *object, const char *text,
                        trmi_node condition);
/* Note what a row asks its coordinate for at the start, as motions do. */
void trmi_remark_add_asked(trmi_compiler *b, int row, trmi_node wanted);
/* What a row asked for; NaN: nothing that is known. */
double trmi_remark_asked(const trmi_equations *eq, int row);
/* Inputs are those of the start, or of where the motion begins anew: see which doubts hold. */
void trmi_remarks_evaluate(trmi_equations *eq);
/* Number i of all remarks that hold, or NULL. */
const trm_remark *trmi_remark_at(const trmi_equations *eq, int i);

#endif
