/* definition_copy.h - a definition of its own: for a system, whose values are set later, and for a
 * mechanism that is made of a model. */
#ifndef TRMI_DEFINITION_COPY_H
#define TRMI_DEFINITION_COPY_H
#include "parts/definition.h"

/* Copies everything but the loader. arena->failed if there is no memory. */
void trmi_definition_copy(trmi_definition *to, const trmi_definition *from, trmi_arena *arena);

#endif
