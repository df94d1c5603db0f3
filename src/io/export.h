/* export.h - a run file in forms other programs read.
 *
 *   .csv   a table: one row for each sample, one column for each signal, 17 digits
 *   .mat   MATLAB level 5, also for Octave: t, signals (a struct with a column for each
 *          signal), names, fields and units (cells of texts), model, integrator
 *   .pvd   ParaView: a list of times, and beside it a folder with a .vtu file for each:
 *          a point for every NAME.x NAME.y NAME.z, lines between neighbouring bodies
 *
 * Memory does not grow with the length of the run. A file that cannot be written
 * completely is removed. */
#ifndef TRMI_EXPORT_H
#define TRMI_EXPORT_H
#include "io/run_read.h"

typedef enum trmi_export_format { TRMI_EXPORT_CSV, TRMI_EXPORT_MAT, TRMI_EXPORT_PVD }
    trmi_export_format;

/* The format of a file by its ending. TRM_OK, or TRM_ERR_INPUT for another ending. */
TRM_CHECKED trm_status trmi_export_format_of(const char *path, trmi_export_format *format,
                                             trm_error *err);

/* @param frames  most .vtu files; if there are more samples, some are left out evenly
 * @return TRM_OK, TRM_ERR_INPUT (nothing to export in that form), TRM_ERR_IO, TRM_ERR_MEMORY */
TRM_CHECKED trm_status trmi_export(trmi_run *run, const char *path, long frames, trm_error *err);

#endif
