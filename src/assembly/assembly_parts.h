/* assembly_parts.h - shared by the files of the assembly. */
#ifndef TRMI_ASSEMBLY_PARTS_H
#define TRMI_ASSEMBLY_PARTS_H
#include "assembly/assembly.h"

/* assembly_system.c: functions of a system whose `self` is an assembly. */
extern const trm_system_ops trmi_assembly_ops;

#endif
