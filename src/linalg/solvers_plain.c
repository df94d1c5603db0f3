/* solvers_plain.c - the solvers of a build without KLU (TRAMMEL_LOOP_ONLY): blocks where bodies and
 * joints are, full matrices elsewhere. */
#include "linalg/linear.h"

static const trmi_solver_ops *const named[] = {&trmi_solver_block, &trmi_solver_dense, NULL};

const trmi_solver_table trmi_solvers = {.named = named, .general = &trmi_solver_dense};
