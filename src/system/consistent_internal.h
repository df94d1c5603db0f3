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

#endif
