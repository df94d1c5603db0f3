/* consistent_internal.h - shared by the files of consistent.h. */
#ifndef TRMI_CONSISTENT_INTERNAL_H
#define TRMI_CONSISTENT_INTERNAL_H
#include "system/consistent.h"
#include "system/row_sizes.h"

/* TRM_ERR_ASSEMBLY: the residual of a row, called `what`, remains at `left`, reported over its
 * scale. */
trm_status trmi_consistent_cannot(trmi_consistent *c, trm_quantity list, int index,
                                  const char *what, double left, trm_error *err);

/* Positions and velocities with the matrix at `at`; rates are satisfied to rounding of numbers of
 * `size`, if at most `steps` steps suffice. */
trm_status trmi_consistent_project_to(trmi_consistent *c, const trm_state *at, trm_state *s,
                                      double size, int steps, trm_error *err);

/* Negative residual of (3) into c->rhs, with the blocks G and A of the state. */
trm_status trmi_consistent_index1_residual(trmi_consistent *c, const trm_state *s,
                                           trm_error *err);

/* Factor the matrix of (3) at a state; c->rhs receives that residual, for which `matrix` is to be
 * solved next. */
trm_status trmi_consistent_factor_index1(trmi_consistent *c, const trm_state *s,
                                         trmi_matrix **matrix, trm_error *err);

#endif
