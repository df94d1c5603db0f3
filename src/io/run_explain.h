/* run_explain.h - the explanation (analysis/explain.h) of a run file. */
#ifndef TRMI_RUN_EXPLAIN_H
#define TRMI_RUN_EXPLAIN_H
#include "analysis/explain.h"
#include "io/run_read.h"

/* Name of the unknown of a step: the coordinate, where there is one for each velocity. */
void trmi_run_unknown(const trmi_run *run, trm_quantity list, int index, trm_label *label);

/* @param arena        where the explanation lives
 * @param explanation  receives it
 * @return TRM_OK, TRM_ERR_IO (the file is damaged), TRM_ERR_MEMORY */
TRM_CHECKED trm_status trmi_run_explain(trmi_run *run, trmi_arena *arena,
                                        const trmi_explanation **explanation, trm_error *err);

#endif
