/* equations.h - typed equations become a system with exact, sparse derivatives. */
#ifndef TRMI_EQUATIONS_H
#define TRMI_EQUATIONS_H
#include "parts/definition.h"
#include "parts/parameters.h"

typedef struct trmi_extension trmi_extension; /* equations_internal.h */

/* Beginning of remarks on negative dampers, by which integ/audit.c finds them. */
#define TRMI_NEGATIVE_DAMPING "its damping is negative"

/* Compile the equations of a definition, with the contributions of elements (NULL: none). Faults of
 * the text go to `complaints` and give TRM_ERR_INPUT; `out` is then unchanged. The definition is
 * not used after the call.
 * @param out  receives ops and self; goes to trm_system_create
 * @return TRM_OK, TRM_ERR_INPUT or TRM_ERR_MEMORY */
trm_status trmi_equations_build(const trmi_definition *def, const trmi_extension *extension,
                                trmi_parameters *parameters, trmi_complaints *complaints,
                                trm_system_def *out, trm_error *err);

#endif
