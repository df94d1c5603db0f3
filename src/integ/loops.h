/* loops.h - what a run says about friction whose load is not unique, or that may jam. */
#ifndef TRMI_LOOPS_H
#define TRMI_LOOPS_H
#include "integ/driver.h"
#include "system/loop.h"

/* Before the first step: redundant constraints, loads that depend on how they are shared out, and
 * loops that may have several solutions. */
trm_status trmi_loops_begin(trm_sim *sim, trm_error *err);
/* After an accepted step: loops, from time to time. */
trm_status trmi_loops_step(trm_sim *sim, trm_error *err);
/* Does a loop have several solutions or none at the present state? Then a sentence and the label
 * of the variable to blame. */
bool trmi_loops_blame(trm_sim *sim, trm_label *label, char *text, size_t size);

#endif
