/* assembly_internal.h - shared by the files of the assembly. */
#ifndef TRMI_ASSEMBLY_INTERNAL_H
#define TRMI_ASSEMBLY_INTERNAL_H
#include "assembly/assembly.h"

/* assembly_system.c: functions of a system whose `self` is an assembly. */
extern const trm_system_ops trmi_assembly_ops;
/* assembly_marks.c: next_mark and is_pulse of trm_system_ops. */
trm_status trmi_assembly_next_mark(void *self, const trm_state *s, double *mark, trm_error *err);
bool trmi_assembly_is_pulse(const void *self, double t);
/* Position of the first entry of each contributor, and the total number; p may be NULL. */
void trmi_assembly_count(trmi_assembly *a, trm_pattern *p, int entries[TRM_BLOCKS]);

#endif
