/* feedback_notes.h - notes about friction whose load is not unique, or that may jam. */
#ifndef TRMI_FEEDBACK_NOTES_H
#define TRMI_FEEDBACK_NOTES_H
#include "integ/driver.h"
#include "system/feedback.h"

/* Before the first step: redundant constraints, loads that depend on their distribution, and loops
 * that may have several solutions. */
trm_status trmi_feedback_begin(trm_sim *sim, trm_error *err);
/* After an accepted step: loops, from time to time. */
trm_status trmi_feedback_step(trm_sim *sim, trm_error *err);
/* At the end of the run. */
trm_status trmi_feedback_end(trm_sim *sim, trm_error *err);
/* Does a loop have several solutions or none at the present state? If so, a sentence and the label
 * of the variable responsible. */
bool trmi_feedback_blame(trm_sim *sim, trm_label *label, char *text, size_t size);

#endif
