/* export_file.h - a file written in pieces, and the formats of export. */
#ifndef TRMI_EXPORT_FILE_H
#define TRMI_EXPORT_FILE_H
#include "core/compiler.h"
#include "io/replace.h"
#include "trammel/export.h"
#include <stdio.h>

/* Writing does not return errors: the first reason is stored and reported at the end. */
typedef struct trmi_out {
  FILE       *file;
  const char *path;
  int         reason; /* errno of the first failure, 0 */
  trmi_replace place; /* an older file is kept until this one is complete */
} trmi_out;

TRM_CHECKED trm_status trmi_out_open(trmi_out *out, const char *path, trm_error *err);
void trmi_out_bytes(trmi_out *out, const void *bytes, size_t count);
/* At most 1023 letters at a time. */
void trmi_out_print(trmi_out *out, const char *fmt, ...) TRMI_PRINTF(2, 3);
/* Close, with the status of the work before: if that is not TRM_OK, or writing failed, the file is
 * removed and an older one is kept. Returns the first failure. */
TRM_CHECKED trm_status trmi_out_close(trmi_out *out, trm_status before, trm_error *err);

TRM_CHECKED trm_status trmi_export_csv(trm_run *run, trmi_out *out, trm_error *err);
TRM_CHECKED trm_status trmi_export_mat(trm_run *run, trmi_out *out, trm_error *err);
/* @param system of a run whose flexible bodies are written with stress; NULL: without stress */
TRM_CHECKED trm_status trmi_export_pvd(trm_run *run, const trm_system *system, trmi_out *out,
                                       long frames, trm_error *err);
/* Stress over time at nodes "rod.node12,rod.node15". */
TRM_CHECKED trm_status trmi_export_stress_csv(trm_run *run, const trm_system *system,
                                              const char *nodes, trmi_out *out, trm_error *err);
/* A name, in quotes if it holds a comma, a quote or a line end. */
void trmi_csv_name(trmi_out *out, const char *name);

#endif
