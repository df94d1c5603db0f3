/* solvers.c - the solvers of the usual build, with KLU. */
#include "linalg/complex.h"
#include "linalg/split_part.h"

static const trmi_solver_ops *const named[] = {&trmi_solver_block, &trmi_solver_klu,
                                               &trmi_solver_dense, NULL};

const trmi_solver_table trmi_solvers = {
    .named = named,
    .general = &trmi_solver_klu,
    .count = trmi_klu_count,
    .complex_sparse = &trmi_complex_klu,
    .split_sparse = &trmi_split_klu,
};
