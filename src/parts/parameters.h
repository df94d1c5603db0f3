/* parameters.h - numbers of a model: parameters by name, each an expression of others. */
#ifndef TRMI_PARAMETERS_H
#define TRMI_PARAMETERS_H
#include "parts/definition.h"

typedef struct trmi_parameters {
  const trmi_definition *def;
  trmi_graph             graph; /* only constants; parameters are live */
  trmi_scope             scope;
  trmi_complaints       *complaints;
  trmi_meaning          *terms; /* of each parameter, once `state` says done [count] */
  trmi_node             *texts; /* what its text says                        [count] */
  double                *numbers; /* its value                               [count] */
  unsigned char         *state; /* not yet, begun, done                      [count] */
  int                   *order; /* their numbers, ascending by name          [count] */
  int                    depth; /* of parameters that evaluate others                */
  trmi_arena             arena;
} trmi_parameters;

/* Evaluate all parameters of a definition. Faults (unknown names, loops) go to `complaints`;
 * TRM_OK also then. @return TRM_OK or TRM_ERR_MEMORY */
trm_status trmi_parameters_init(trmi_parameters *p, const trmi_definition *def,
                                const trm_allocator *allocator, trmi_complaints *complaints,
                                trm_error *err);
void trmi_parameters_free(trmi_parameters *p);

/* A plain decimal number; false: it is not one. */
bool trmi_plain_number(const char *text, size_t length, double *number);

/* The value of an expression of parameters, in the units of the model, and its dimension. False
 * after a complaint. */
bool trmi_parameters_value(trmi_parameters *p, const trmi_text *text, double *number,
                           trmi_dimension *dimension);

/* Parameter of that name as a number with its dimension; false: there is none. */
bool trmi_parameters_find(const trmi_parameters *p, const char *name, size_t length,
                          double *number, trmi_dimension *dimension);

/* Its number among all parameters, or -1. */
int trmi_parameters_index(const trmi_parameters *p, const char *name, size_t length);

/* Parameters of this text decide which parts the model has, see trmi_definition.is_fixed. */
void trmi_parameters_fix(const trmi_parameters *p, const trmi_text *text);

/* Number of an expression of parameters as a constant of `graph`. False after a complaint. */
bool trmi_parameters_node(trmi_parameters *p, const trmi_text *text, trmi_node *node);

#endif
