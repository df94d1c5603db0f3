/* assignment.h - columns for rows so that the sum of their costs is least. */
#ifndef TRMI_ASSIGNMENT_H
#define TRMI_ASSIGNMENT_H
#include "trammel/memory.h"
#include "trammel/status.h"

/* `cost` is [rows][columns], finite; column_of[i] receives the column of row i, or -1: there are
 * more rows than columns and it has none. */
trm_status trmi_assign(const trm_allocator *allocator, const double *cost, int rows, int columns,
                       int *column_of, trm_error *err);

#endif
